//! Files that commands run and that the line does not write: which they are, and what stands in those of which whoever
//! reads the line has told. Opens no file.

use super::command::{Command, NONE, Opaque, Reach, RedirectKind};
use super::hole::HOLE;
use super::line::CommandLine;
use super::word::Word;

/// No more files of one line are named.
const MAX_WANTED: usize = 32;

/// A file that a line runs, and what stands in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Its path, as the line has it.
    pub path: String,
    /// What stands in it.
    pub text: String,
}

/// What is known of the files that a line runs.
#[derive(Clone, Debug, Default)]
pub(super) struct Scripts {
    /// Whether somebody asks which they are.
    is_looking: bool,
    known: Vec<Script>,
    wanted: Vec<(u32, Path)>,
    /// The commands that run one that is known.
    followed: Vec<u32>,
}

/// How a line names a file.
#[derive(Clone, Debug)]
pub(super) enum Path {
    Word(Word),
    /// Not at all: its program looks for one of this name.
    Usual(&'static str),
    /// By a part of its name.
    Made(String),
}

impl CommandLine {
    /// Has the next readings look for files that commands run as scripts, and follow those that are known as what the line
    /// itself wrote.
    pub fn look_for_scripts(&mut self, known: Vec<Script>) {
        self.scripts.is_looking = true;
        self.scripts.known = known;
    }

    /// Has the next readings look for no scripts.
    pub fn ignore_scripts(&mut self) {
        self.scripts.is_looking = false;
        self.scripts.known.clear();
    }

    /// The files that commands run as scripts, each with a command that does: an index into [`CommandLine::commands`].
    /// Which directory a path starts from, the command tells.
    pub fn wanted_scripts(&self) -> impl Iterator<Item = (u32, &str)> {
        self.scripts.wanted.iter().map(|(command, path)| (*command, self.path_of(path)))
    }

    /// Why not all that the line does is listed, if so.
    #[must_use]
    pub fn problem(&self) -> Option<Opaque> {
        self.problem
    }

    /// Whether some of the scripts are known.
    pub(super) fn knows_scripts(&self) -> bool {
        !self.scripts.known.is_empty()
    }

    /// What stands in the files that a command reads from its input, as far as they are scripts that are known.
    pub fn scripts_read(&self, command: &Command) -> impl Iterator<Item = &str> {
        let files = self.files_read(command).into_iter();
        files.filter_map(|file| self.script(self.text(&file)))
    }

    /// The files that a command reads from its input: that of a redirection, or those that `cat` writes into its pipe.
    pub(super) fn files_read(&self, command: &Command) -> Vec<Word> {
        if !self.scripts.is_looking {
            return Vec::new();
        }
        let redirects = self.redirects(command).iter();
        let mut files: Vec<Word> = redirects
            .filter(|redirect| redirect.kind == RedirectKind::Read)
            .map(|redirect| self.target(redirect))
            .collect();
        for before in self.input(command).iter().filter(|it| self.program(it) == Some("cat")) {
            files.extend(self.words(before).iter().skip(1));
        }
        files
    }

    pub(super) fn looks_for_scripts(&self) -> bool {
        self.scripts.is_looking
    }

    /// What stands in a file that the line does not write, where that is known.
    pub(super) fn script(&self, path: &str) -> Option<&str> {
        let known = self.scripts.known.iter();
        let mut known = known.filter(|known| plain(&known.path) == plain(path));
        known.next().map(|known| known.text.as_str())
    }

    /// Notes that a command runs a file.
    pub(super) fn want(&mut self, command: u32, path: Path) {
        if !self.scripts.is_looking || self.scripts.wanted.len() >= MAX_WANTED {
            return;
        }
        let name = self.path_of(&path);
        if name.is_empty() || name.contains(HOLE) {
            return;
        }
        if self.script(name).is_some() {
            self.scripts.followed.push(command);
        }
        self.scripts.wanted.push((command, path));
    }

    fn path_of<'l>(&'l self, path: &'l Path) -> &'l str {
        match path {
            Path::Word(word) => self.text(word),
            Path::Usual(name) => name,
            Path::Made(name) => name,
        }
    }

    /// How much text the known scripts have.
    pub(super) fn size_of_scripts(&self) -> usize {
        self.scripts.known.iter().map(|script| script.text.len()).sum()
    }

    pub(super) fn clear_scripts(&mut self) {
        self.scripts.wanted.clear();
        self.scripts.followed.clear();
    }

    /// Marks what scripts run. That nobody can tell what one does is no more than is so of any other file: commands of which
    /// nothing is known are dropped.
    pub(super) fn settle_scripts(&mut self) {
        if self.scripts.followed.is_empty() {
            return;
        }
        let mut is_inside = vec![false; self.commands.len()];
        for (index, command) in self.commands.iter_mut().enumerate() {
            let Some(parent) = command.parent else { continue };
            let is_run = self.scripts.followed.contains(&parent) && is_of_text(command);
            let is_below = is_inside.get(parent as usize).copied().unwrap_or(false);
            if !is_run && !is_below {
                continue;
            }
            if let Some(place) = is_inside.get_mut(index) {
                *place = true;
            }
            command.in_script = true;
            if command.opaque.is_some() {
                (command.words, command.redirects, command.arguments) = (0..0, 0..0, None);
                (command.opaque, command.name, command.known) = (None, NONE, NONE);
            }
        }
    }
}

/// Whether a command stands in what another one runs, and not in a word of it.
fn is_of_text(command: &Command) -> bool {
    command.reach != Reach::Substitution
}

/// A path without what says that it starts from here.
fn plain(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::{CommandLine, Opaque, Script};
    use crate::languages::Language;
    use crate::programs::{Facts, Knowledge, KnownFlag, KnownName, Runs, Traits};

    /// Knows a shell, what reads a file itself, and Python.
    #[derive(Debug)]
    struct Few;

    const NAMES: [&str; 3] = ["sh", ".", "python"];

    impl Knowledge for Few {
        fn name(&self, parent: Option<u32>, name: &str) -> Option<KnownName> {
            let at = NAMES.iter().position(|known| *known == name)? as u32;
            parent.is_none().then_some(KnownName { name: at, program: Some(at) })
        }

        fn facts(&self, program: u32) -> Facts {
            let (runs, language) = match program {
                0 => (Runs::Shell, Language::Unknown),
                1 => (Runs::Words, Language::Unknown),
                _ => (Runs::Nothing, Language::Python),
            };
            let traits = Traits(0);
            Facts { name: program, runs, skip: 0, traits, plus: None, language, has_escapes: false }
        }

        fn text(&self, id: u32) -> &str {
            NAMES.get(id as usize).copied().unwrap_or_default()
        }

        fn setting_is_command(&self, _: u32, _: &str) -> bool {
            false
        }

        fn setting_is_harmless(&self, _: u32, _: &str) -> bool {
            true
        }

        fn escape(&self, _: u32, _: u32) -> Option<&str> {
            None
        }

        fn flag(&self, _: u32, _: &str) -> Option<KnownFlag> {
            None
        }

        fn abbreviated_flag(&self, _: u32, _: &str) -> Option<KnownFlag> {
            None
        }
    }

    fn read(text: &str, scripts: &[(&str, &str)]) -> CommandLine {
        let known = |(path, text): &(&str, &str)| Script {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        };
        let mut line = CommandLine::default();
        line.look_for_scripts(scripts.iter().map(known).collect());
        line.read(text, Some(&Few));
        line
    }

    fn wanted(text: &str) -> Vec<String> {
        read(text, &[]).wanted_scripts().map(|(_, path)| path.to_owned()).collect()
    }

    /// The commands that scripts run, a line each.
    fn inside(line: &CommandLine) -> Vec<String> {
        let commands = line.commands().iter().filter(|it| it.in_script && it.runs());
        let words = commands.map(|command| line.words(command).iter());
        words.map(|words| words.map(|word| line.text(word)).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn the_files_that_commands_run_are_named() {
        assert_eq!(wanted("sh a.sh x; . ./b; ./c d && python e.py"), ["a.sh", "./b", "./c", "e.py"]);
        assert_eq!(wanted("ls a.sh; cat ./b > c; echo sh d; x e"), [""; 0]);
        assert_eq!(wanted("sh \"$a\"; sh -c 'sh a.sh'"), ["a.sh"]);
        // Where nobody asks, nobody looks.
        let mut line = CommandLine::default();
        line.read("sh a.sh", Some(&Few));
        assert_eq!(line.wanted_scripts().count(), 0);
    }

    #[test]
    fn scripts_are_followed_as_what_the_line_wrote() {
        let line = read("sh a.sh x", &[("a.sh", "rm -rf \"$1\"; sh b.sh"), ("b.sh", "rm y")]);
        assert_eq!(inside(&line), ["rm -rf x", "sh b.sh", "rm y"]);
        assert_eq!(inside(&read("./a", &[("./a", "#!/bin/sh\nrm x")])), ["rm x"]);
        assert_eq!(inside(&read(". ./a; ls", &[("./a", "rm x")])), ["rm x"]);
        let python = [("a.py", "import os\nos.remove('x')")];
        assert_eq!(inside(&read("python a.py", &python)), ["rm -- x"]);
        // What the line adds counts, too.
        let line = read("echo 'rm y' >> a.sh; sh ./a.sh", &[("./a.sh", "rm x\n")]);
        assert_eq!(inside(&line), ["rm x", "rm y"]);
    }

    #[test]
    fn what_nobody_knows_of_a_script_is_dropped() {
        for text in ["$x y", "eval \"$(a)\"", "if then ((", "sh <(a)"] {
            let line = read("sh a.sh", &[("a.sh", text)]);
            assert!(line.commands().iter().all(|command| command.opaque.is_none()), "{text}");
        }
        // What stands in the line stays.
        let line = read("sh a.sh; $x", &[("a.sh", "rm x")]);
        assert!(line.commands().iter().any(|it| it.opaque == Some(Opaque::Program)));
        let line = read("sh a.sh \"$($x)\"", &[("a.sh", "rm x")]);
        assert!(line.commands().iter().any(|it| it.opaque == Some(Opaque::Program)));
        // Too much is said, so that the line may be read without.
        let line = read("sh a.sh", &[("a.sh", &":\n".repeat(1 << 14))]);
        assert_eq!(line.problem(), Some(Opaque::TooLarge));
    }
}
