//! Random command lines, made around a payload that destroys or a harmless twin of it, under a real bash and before
//! the reader: what bash runs is listed, or the line is opaque; and what bash does not run is not listed. What is named
//! here does not exist: bash finds stub programs that write down how they were called, and a few that only pass texts on.
//!
//! `DIFFERENTIAL_LINES` says how many lines are tried, `DIFFERENTIAL_SEED` from which number on, and
//! `DIFFERENTIAL_SHOW` prints those that are opaque.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use behavior_compiler::{Options, compile_all};
use behavior_facts::commands::ProgramTable;
use behavior_shell::CommandLine;
use behavior_tests::lines::{Line, Random, WATCHED, line};

/// How many lines one bash is given, one after the other.
const BATCH: usize = 500;

/// What bash runs of each of the lines.
struct Bash {
    program: PathBuf,
    root: PathBuf,
    user: u32,
}

const DRIVER: &str = r#"
export LOG
ulimit -t 120 -f 65536
while IFS= read -r -d '' line; do
  printf '\x1d' >> "$LOG"
  (cd "$BOXES" && ulimit -t 1 && exec timeout 30 bash --norc --noprofile -c "$line") < /dev/null > /dev/null 2>&1
done
"#;

/// Programs that only pass texts on, or start what they are told to.
const REAL: &[&str] =
    &["base64", "cat", "chmod", "cp", "env", "nice", "rev", "tee", "timeout", "tr", "xargs"];

impl Drop for Bash {
    fn drop(&mut self) {
        // What is left of a throw-away folder does no harm.
        let _ = fs::remove_dir_all(&self.root);
    }
}

impl Bash {
    /// A folder with nothing but stubs; `None` where this machine lacks something.
    fn new() -> Option<Self> {
        let program = Path::new("/bin/bash").canonicalize().ok()?;
        let root =
            std::env::temp_dir().join(format!("behavior-differential-{}", std::process::id()));
        fs::create_dir_all(root.join("bin")).unwrap();
        fs::create_dir_all(root.join("box")).unwrap();
        for name in ["bash", "sh"] {
            symlink(&program, root.join("bin").join(name)).unwrap();
        }
        for name in REAL {
            let found = ["/usr/bin", "/bin"].map(|folder| Path::new(folder).join(name));
            symlink(found.iter().find(|path| path.exists())?, root.join("bin").join(name)).unwrap();
        }
        let stub = root.join("stub");
        let script = format!(
            "#!{}\n{{ printf '%s\\x1f' \"${{0##*/}}\" \"$@\"; printf '\\x1e'; }} >> \"$LOG\"\n",
            program.display()
        );
        fs::write(&stub, script).unwrap();
        fs::set_permissions(&stub, fs::Permissions::from_mode(0o755)).unwrap();
        for name in WATCHED {
            symlink(&stub, root.join("bin").join(name)).unwrap();
        }
        let owner = fs::metadata(&root).unwrap().uid();
        let user = if owner == 0 { 65_534 } else { owner };
        if owner == 0 {
            chown(root.join("box"), Some(user), Some(user)).unwrap();
        }
        Some(Self { program, root, user })
    }

    fn run(&self, lines: &[Line]) -> Vec<Vec<Vec<String>>> {
        let (log, script) = (self.root.join("log"), self.root.join("lines"));
        fs::write(&log, "").unwrap();
        let all: String = lines.iter().flat_map(|line| [line.text.as_str(), "\0"]).collect();
        fs::write(&script, all).unwrap();
        let mut run = Command::new(&self.program);
        run.args(["--norc", "--noprofile", "-c", DRIVER]).env_clear();
        run.env("PATH", self.root.join("bin")).env("LOG", &log).env("BOXES", self.root.join("box"));
        run.stdin(fs::File::open(&script).unwrap()).stdout(Stdio::null()).stderr(Stdio::null());
        if fs::metadata(&self.root).unwrap().uid() == 0 {
            chown(&log, Some(self.user), Some(self.user)).unwrap();
            run.uid(self.user).gid(self.user);
        }
        run.status().unwrap();
        let log = fs::read_to_string(&log).unwrap();
        let made = |part: &str| {
            part.split_terminator('\x1e')
                .map(|words| words.split_terminator('\x1f').map(str::to_owned).collect())
                .collect()
        };
        log.split('\x1d').skip(1).map(made).collect()
    }
}

/// Whether a command that bash ran is one that the reader lists.
fn is_listed(line: &CommandLine, made: &[String]) -> bool {
    line.commands().iter().any(|command| fits(line, command, made))
}

fn fits(line: &CommandLine, command: &behavior_shell::Command, made: &[String]) -> bool {
    let words = line.words(command);
    let fits =
        |(word, made): (&behavior_shell::Word, &String)| word.has_hole() || line.text(word) == made;
    let is_open = command.more || words.iter().any(behavior_shell::Word::may_split);
    is_open && words.first().zip(made.first()).is_some_and(fits)
        || words.len() == made.len() && words.iter().zip(made).all(fits)
}

/// A command that is listed, is watched for, and was not run.
fn beside(line: &CommandLine, ran: &[Vec<String>]) -> Option<String> {
    let is_watched = |command: &&behavior_shell::Command| {
        line.program(command).is_some_and(|program| WATCHED.contains(&program))
    };
    let mut watched = line.commands().iter().filter(is_watched);
    let beside = watched.find(|command| !ran.iter().any(|made| fits(line, command, made)))?;
    let words = line.words(beside).iter().map(|word| line.text(word));
    Some(words.collect::<Vec<_>>().join(" "))
}

fn is_beside(line: &CommandLine, ran: &[Vec<String>]) -> bool {
    beside(line, ran).is_some()
}

fn setting(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
}

#[test]
fn what_bash_runs_of_a_random_line_is_listed_or_the_line_is_opaque() {
    let Some(bash) = Bash::new() else {
        println!("skipped: there is no bash on this machine, or a tool is missing");
        return;
    };
    let provider =
        behavior_tests::provider(&[("behavior.yaml", "# behavior: config\nrules: {}\n")]);
    let compiled = compile_all(&provider, &["behavior.yaml".to_owned()], &Options::default());
    let image = compiled.image.unwrap();
    let table = ProgramTable::of(&image);
    let mut random = Random::new(setting("DIFFERENTIAL_SEED", 1) as u64);
    let count = setting("DIFFERENTIAL_LINES", 1_000);
    let (mut missed, mut opaque, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    let mut read = CommandLine::default();
    for start in (0..count).step_by(BATCH) {
        let lines: Vec<Line> =
            (start..count.min(start + BATCH)).map(|_| line(&mut random)).collect();
        let ran = bash.run(&lines);
        assert_eq!(ran.len(), lines.len());
        for (line, ran) in lines.iter().zip(ran) {
            read.read(&line.text, table.as_ref().map(|table| table as _));
            if read.commands().iter().any(|command| command.opaque.is_some()) {
                opaque.push(line.text.clone());
            } else if ran.iter().any(|made| !is_listed(&read, made)) {
                missed.push(format!("{}\n    bash ran {ran:?}", line.text));
            } else if let Some(beside) = beside(&read, &ran).filter(|_| line.is_exact)
                // On a busy machine a line may be cut off.
                && bash.run(std::slice::from_ref(line)).iter().all(|ran| is_beside(&read, ran))
            {
                wrong.push(format!("{}\n    listed {beside:?}, bash ran {ran:?}", line.text));
            }
        }
    }
    println!("{count} lines: {} opaque", opaque.len());
    if std::env::var_os("DIFFERENTIAL_SHOW").is_some() {
        opaque.sort_by_key(String::len);
        opaque.dedup();
        println!("opaque:\n{}", opaque.join("\n-- "));
    }
    assert!(missed.is_empty(), "{} are missed:\n{}", missed.len(), missed.join("\n"));
    assert!(wrong.is_empty(), "{} are listed and not run:\n{}", wrong.len(), wrong.join("\n"));
    // All that these lines are made of is constant.
    assert!(opaque.len() * 10 <= count, "{} of {count} are opaque", opaque.len());
}
