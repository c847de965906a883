//! Files of variables that a program puts into the environment of what it runs: `node --env-file=.env x.js`, `dotenv -e .env --
//! sh x.sh`. What stands in those that are known is set for the command, as if it stood before it.

use super::hole::HOLE;
use super::line::CommandLine;
use super::program_name::program_name;
use super::script::Path;
use super::{data, written};

/// The programs, the flags behind which such a file stands, and the file that is read where none is named.
const PROGRAMS: [(&str, &[&str], &str); 9] = [
    ("dotenv", &["-e", "-f", "--file"], ".env"),
    ("dotenvx", &["-f", "--env-file"], ".env"),
    ("env-cmd", &["-f", "--file"], ".env"),
    ("node", &["--env-file", "--env-file-if-exists"], ""),
    ("tsx", &["--env-file"], ""),
    ("bun", &["--env-file"], ""),
    ("deno", &["--env-file"], ""),
    ("uv", &["--env-file"], ""),
    ("direnv", &[], ".envrc"),
];

/// No more files of one command are looked at, and no more variables are set.
const MAX_FILES: usize = 4;
const MAX_VARIABLES: usize = 64;

/// Sets what stands in the files of a command for it.
pub(super) fn take(line: &mut CommandLine, index: u32) {
    let Some(command) = line.commands.get(index as usize) else { return };
    let texts = line.words(command).iter().map(|word| line.text(word));
    let mut texts = texts.peekable();
    let program = texts.next().map(program_name).unwrap_or_default();
    let Some((_, flags, usual)) = PROGRAMS.iter().find(|(name, ..)| *name == program) else {
        return;
    };
    let mut files = Vec::new();
    while let Some(text) = texts.next().filter(|text| *text != "--" && files.len() < MAX_FILES) {
        let (flag, own) = match text.split_once('=') {
            Some((flag, own)) => (flag, Some(own)),
            None => (text, None),
        };
        if flags.contains(&flag) {
            files.extend(own.or_else(|| texts.peek().copied()).map(str::to_owned));
        }
    }
    if files.is_empty() && !usual.is_empty() {
        files.push((*usual).to_owned());
    }
    for file in files.iter().filter(|file| !file.contains(HOLE)) {
        line.look_up_own(index, Path::Made(file.clone()));
        let known = written::file(line, file, index as usize).filter(|known| !known.is_open);
        let text = known.map(|known| known.text).unwrap_or_default();
        for (name, value, _) in data::assignments(&text).into_iter().take(MAX_VARIABLES) {
            if !line.has_room(name.len() + value.len()) {
                return;
            }
            let (name, value) = (line.add_text(name, 0..0), line.add_text(value, 0..0));
            line.set_for.push((index, name, value));
        }
    }
}
