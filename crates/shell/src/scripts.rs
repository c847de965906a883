//! Files that commands run and that the line does not write: which they are, and what stands in those of which whoever
//! reads the line has told. Opens no file.

use std::ops::Range;

use super::command::{Command, NONE, Opaque, Reach, RedirectKind};
use super::hole::HOLE;
use super::limits::MAX_DEPTH;
use super::line::CommandLine;
use super::script::{Path, Script, Scripts};
use super::word::Word;
use super::written;

/// No more files of one line are named.
const MAX_WANTED: usize = 192;
/// In no more folders are modules looked for.
const MAX_FOLDERS: usize = 4;

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
        files.filter_map(|(_, file)| self.script(self.text(&file)))
    }

    /// The files that a command reads from its input, each with the command that names it: that of a redirection, be it of
    /// a command around it, or those that `cat` writes into its pipe.
    pub(super) fn files_read(&self, command: &Command) -> Vec<(u32, Word)> {
        if !self.scripts.is_looking {
            return Vec::new();
        }
        let own = command.redirects.clone();
        let around = command.enclosing_input.filter(|_| command.input.is_empty());
        let mut files = Vec::new();
        for number in own.chain(around) {
            let Some(redirect) = self.redirects.get(number as usize) else { continue };
            if redirect.kind == RedirectKind::Read
                && let Some(holder) = self.holder_of(number)
            {
                files.push((holder, self.target(redirect)));
            }
        }
        files.extend(self.files_shown(command.input.clone()));
        files
    }

    /// The files that `cat` shows among some commands, each with the command that names it.
    pub(super) fn files_shown(&self, commands: Range<u32>) -> Vec<(u32, Word)> {
        let shown = |index: u32| {
            let command = self.commands.get(index as usize)?;
            let is_cat = self.program(command) == Some("cat");
            // `$(< file)`
            let redirects =
                self.redirects(command).iter().filter(|it| it.kind == RedirectKind::Read);
            let read = redirects.filter(|_| is_cat || !command.runs());
            let words = self.words(command).iter().skip(1).filter(|_| is_cat).copied();
            let files: Vec<Word> = words.chain(read.map(|it| self.target(it))).collect();
            Some(files.into_iter().map(move |file| (index, file)))
        };
        commands.filter_map(shown).flatten().take(MAX_WANTED).collect()
    }

    /// The command that has a redirection.
    fn holder_of(&self, redirect: u32) -> Option<u32> {
        let has = |command: &Command| command.redirects.contains(&redirect);
        self.commands.iter().position(has).map(|index| index as u32)
    }

    pub(super) fn looks_for_scripts(&self) -> bool {
        self.scripts.is_looking
    }

    /// What stands in a file that the line does not write, where that is known.
    pub(super) fn script(&self, path: &str) -> Option<&str> {
        self.known_script(path).map(|known| known.text.as_str())
    }

    fn known_script(&self, path: &str) -> Option<&Script> {
        let mut known = self.scripts.known.iter();
        // In whichever folder it is looked for.
        match below_unknown(path) {
            Some(below) => known.find(|known| ends_in(&known.path, below)),
            None => known.find(|known| plain(&known.path) == plain(path)),
        }
    }

    /// Notes that a command runs a file of this name, as one of the folders has it in which code is looked for.
    pub(super) fn want_module(&mut self, command: u32, name: &str) {
        if !self.scripts.is_looking {
            return;
        }
        let beside = self.folders_of_scripts().into_iter();
        let beside = beside.map(|folder| format!("{folder}/{name}"));
        let paths: Vec<String> = beside.chain([name.to_owned()]).collect();
        paths.into_iter().for_each(|path| self.want(command, Path::Made(path)));
    }

    /// The folders in which known scripts lie.
    fn folders_of_scripts(&self) -> Vec<String> {
        let known = self.scripts.known.iter();
        let mut folders: Vec<&str> =
            known.filter_map(|known| Some(known.path.rsplit_once('/')?.0)).collect();
        folders.sort_unstable();
        folders.dedup();
        folders.into_iter().take(MAX_FOLDERS).map(str::to_owned).collect()
    }

    /// Notes that what a command runs is code of another language than a shell's.
    pub(super) fn mark_code(&mut self, command: u32) {
        let of_command = self.scripts.followed.iter_mut().filter(|(by, _)| *by == command);
        of_command.for_each(|(_, is_whole)| *is_whole = false);
    }

    /// Notes that a command runs a file.
    pub(super) fn want(&mut self, command: u32, path: Path) {
        self.want_of(command, command, path);
    }

    /// Notes that a command runs the files that it reads from its input.
    pub(super) fn want_input(&mut self, index: u32, command: &Command) {
        for (holder, file) in self.files_read(command) {
            self.want_of(index, holder, Path::Word(file));
        }
    }

    /// Notes that somebody may ask what stands in the files that a command reads, of which it runs nothing that is listed.
    pub(super) fn look_up_input(&mut self, command: &Command) {
        for (holder, file) in self.files_read(command) {
            self.look_up(holder, Path::Word(file));
        }
    }

    /// Notes that somebody may ask what stands in the files that commands show in the words of a command, which may run
    /// them: `eval "$(cat x.sh)"`.
    pub(super) fn look_up_shown(&mut self, index: u32, command: &Command) {
        const MAX_INSIDE: usize = 8;
        if !self.scripts.is_looking || command.words.is_empty() {
            return;
        }
        let start = index + 1;
        let behind = self.commands.iter().skip(start as usize).take(MAX_INSIDE);
        let is_inside =
            |inner: &&Command| inner.parent == Some(index) && inner.reach == Reach::Substitution;
        let count = behind.take_while(is_inside).count() as u32;
        for (holder, file) in self.files_shown(start..start + count) {
            self.look_up(holder, Path::Word(file));
        }
    }

    /// Notes that somebody may ask what stands in a file that a command reads for what it runs.
    pub(super) fn look_up_own(&mut self, index: u32, path: Path) {
        if self.scripts.is_looking {
            self.look_up(index, path);
        }
    }

    /// Notes that somebody may ask what stands in a file that a word of a command names.
    pub(super) fn look_up_word(&mut self, index: u32, file: Word) {
        self.look_up(index, Path::Word(file));
    }

    /// Notes that somebody may ask what stands in a file of data that code reads, as one of the folders has it in which it is
    /// looked for.
    pub(super) fn look_up_data(&mut self, index: u32, path: &str) {
        let beside = self.folders_of_scripts().into_iter();
        let beside = beside.map(|folder| format!("{folder}/{path}"));
        let paths: Vec<String> = beside.chain([path.to_owned()]).collect();
        if self.scripts.is_looking {
            paths.into_iter().for_each(|path| self.look_up(index, Path::Made(path)));
        }
    }

    /// Notes that somebody may ask what stands in the files that a command shows in a word: `rm -rf "$(jq -r .out x.json)"`.
    pub(super) fn look_up_read(&mut self, index: u32) {
        const MAX_FILES: usize = 4;
        let Some(command) = self.commands.get(index as usize) else { return };
        let is_inside = self.scripts.is_looking && command.reach == Reach::Substitution;
        if !is_inside || !matches!(self.program(command), Some("cat" | "jq" | "yq")) {
            return;
        }
        let words = self.words(command).iter().skip(1).copied();
        let files: Vec<Word> =
            words.filter(|word| !word.has_hole() && !word.may_be_flag()).take(MAX_FILES).collect();
        files.into_iter().for_each(|file| self.look_up(index, Path::Word(file)));
    }

    /// Notes that the commands from one on came of a text that a command ran, where that is a script. What else it runs is
    /// none for that.
    pub(super) fn note_text(&mut self, from: usize, text: &str, is_code: bool) {
        let Scripts { known, texts, .. } = &mut self.scripts;
        let plain = |text: &str| text.trim_end_matches('\n').len();
        let is_it =
            |known: &&Script| known.text.get(..plain(&known.text)) == text.get(..plain(text));
        let range = from as u32..self.commands.len() as u32;
        let is_own = known.iter().find(is_it).map(|known| known.is_own && !is_code);
        let has_room = texts.len() < MAX_WANTED && !range.is_empty();
        texts.extend(is_own.filter(|_| has_room).map(|is_whole| (range, is_whole)));
    }

    /// Notes that a command runs a file that another one names, which tells from where the path is seen.
    pub(super) fn want_of(&mut self, command: u32, holder: u32, path: Path) {
        if !self.scripts.is_looking {
            return;
        }
        let name = self.path_of(&path);
        let copied = written::source_of_copy(self, name, command as usize);
        let known = self.known_script(name).or_else(|| {
            let (_, source) = copied.as_ref()?;
            self.known_script(self.text(source))
        });
        if let Some(known) = known.filter(|_| self.scripts.followed.len() < MAX_WANTED) {
            self.scripts.followed.push((command, known.is_own));
        }
        self.look_up(holder, path);
        if let Some((by, source)) = copied {
            self.look_up(by, Path::Word(source));
        }
    }

    /// Notes that somebody may look up a file that a command names.
    fn look_up(&mut self, holder: u32, path: Path) {
        if self.scripts.wanted.len() >= MAX_WANTED {
            return;
        }
        let name = self.path_of(&path);
        let is_below = below_unknown(name).is_some();
        if name.is_empty() || name.contains(HOLE) && !is_below {
            return;
        }
        match is_below {
            true => self.want_below_unknown(holder, &path),
            false => self.scripts.wanted.push((holder, path)),
        }
    }

    /// Notes that a file is run which lies in a folder that the line does not write out: `"$PWD/x"`, `"$(git rev-parse
    /// --show-toplevel)/x"`, `"$here/x"`. It is looked for where the command runs, beside the scripts that are known, and in
    /// the repository, for which the path stays as it is.
    fn want_below_unknown(&mut self, holder: u32, path: &Path) {
        let Some(below) = below_unknown(self.path_of(path)) else { return };
        let whole = format!("{HOLE}/{below}");
        let beside = self.folders_of_scripts().into_iter();
        let beside = beside.map(|folder| format!("{folder}/{below}"));
        let paths: Vec<String> =
            [below.to_owned()].into_iter().chain(beside).chain([whole]).collect();
        self.scripts.wanted.extend(paths.into_iter().map(|path| (holder, Path::Made(path))));
    }

    /// Whether a command that runs a file stands in that file: what it runs then was seen.
    pub(super) fn runs_itself(&self, command: u32, path: &str) -> bool {
        let above = |command: &u32| self.commands.get(*command as usize)?.parent;
        let around = std::iter::successors(above(&command), above).take(MAX_DEPTH as usize + 1);
        let runs_it = |by: u32| {
            let mut wanted = self.scripts.wanted.iter().filter(|(command, _)| *command == by);
            wanted.any(|(_, wanted)| plain(self.path_of(wanted)) == plain(path))
        };
        !self.scripts.known.is_empty() && { around }.any(runs_it)
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
        self.scripts.texts.clear();
    }

    /// Whether nothing is known of all that a command is about, as of what `rm -rf "$x"` deletes.
    fn names_nothing(&self, command: &Command) -> bool {
        let words = self.words(command).iter().skip(1).map(|word| self.text(word));
        let mut operands = words.filter(|text| !text.starts_with('-')).peekable();
        command.redirects.is_empty() && operands.peek().is_some() && operands.all(is_unsaid)
    }

    /// Marks what scripts run. That nobody can tell what one does is no more than is so of any other file: commands of which
    /// nothing is known are dropped, and of code, or where others wrote a part, those that name nothing.
    pub(super) fn settle_scripts(&mut self) {
        if self.scripts.followed.is_empty() && self.scripts.texts.is_empty() {
            return;
        }
        // Of each command whether it stands in a script, and if so, whether all of that counts.
        let mut inside: Vec<Option<bool>> = vec![None; self.commands.len()];
        for index in 0..self.commands.len() {
            let Some(command) = self.commands.get(index) else { break };
            let Some(parent) = command.parent else { continue };
            let is_run = |(by, _): &&(u32, bool)| *by == parent && is_of_text(command);
            let run = self.scripts.followed.iter().find(is_run).map(|(_, is_whole)| *is_whole);
            let of_text = |(range, _): &&(Range<u32>, bool)| range.contains(&(index as u32));
            let run = run.or(self.scripts.texts.iter().find(of_text).map(|(_, whole)| *whole));
            let above = inside.get(parent as usize).copied().flatten();
            let Some(is_whole) = run.or(above) else { continue };
            let is_dropped = command.opaque.is_some() || !is_whole && self.names_nothing(command);
            if let Some(place) = inside.get_mut(index) {
                *place = Some(is_whole);
            }
            let Some(command) = self.commands.get_mut(index) else { break };
            command.in_script = true;
            if is_dropped {
                (command.words, command.redirects, command.arguments) = (0..0, 0..0, None);
                (command.opaque, command.name, command.known) = (None, NONE, NONE);
            }
        }
    }
}

/// Whether nothing is known of a word.
fn is_unsaid(text: &str) -> bool {
    text.contains(HOLE) && !text.contains(char::is_alphanumeric)
}

/// Whether a command stands in what another one runs, and not in a word of it.
fn is_of_text(command: &Command) -> bool {
    command.reach != Reach::Substitution
}

/// What of a path lies below a piece at its beginning that nobody knows, where that is all that nobody knows of it. What
/// leads out of that piece again is left out: nobody knows where to.
fn below_unknown(path: &str) -> Option<&str> {
    let mut below = path.strip_prefix(HOLE)?.strip_prefix('/')?;
    while let Some(rest) = below.strip_prefix("../").or_else(|| below.strip_prefix("./")) {
        below = rest;
    }
    (!below.is_empty() && !below.contains(HOLE)).then_some(below)
}

/// Whether a path ends in another one.
fn ends_in(path: &str, below: &str) -> bool {
    let before = path.strip_suffix(below);
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// A path without what says that it starts from here.
fn plain(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::{CommandLine, HOLE, Opaque, Script};
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
            is_own: *path != "others.sh",
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
        assert_eq!(wanted("sh a.sh x; ./b c && python d.py"), ["a.sh", "./b", "d.py"]);
        assert!(wanted(". ./a").contains(&"./a".to_owned()));
        assert_eq!(wanted("cp a.sh b; sh b"), ["b", "a.sh"]);
        assert_eq!(wanted("ls a.sh; cat ./b > c; echo sh d; x e"), [""; 0]);
        assert_eq!(wanted("sh \"$a\"; (sh a.sh)"), ["a.sh"]);
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
        // One that runs itself.
        let again = format!("{}sh a.sh\nsh \"$0\"\nrm x\n", "ls\n".repeat(200));
        assert!(inside(&read("sh a.sh", &[("a.sh", &again)])).contains(&"rm x".to_owned()));
        // A copy, and a module.
        assert_eq!(inside(&read("cp a.sh b; sh b", &[("a.sh", "rm x")])), ["rm x"]);
        let modules = [("a.py", "import b"), ("b.py", "import os\nos.remove('x')")];
        assert!(inside(&read("python a.py", &modules)).contains(&"rm -- x".to_owned()));
        // What the line adds counts, too.
        let line = read("echo 'rm y' >> a.sh; sh ./a.sh", &[("./a.sh", "rm x\n")]);
        assert_eq!(inside(&line), ["rm x", "rm y"]);
    }

    #[test]
    fn scripts_in_folders_that_the_line_does_not_write_out_are_looked_for() {
        let paths =
            |text: &str| wanted(text).into_iter().collect::<std::collections::BTreeSet<_>>();
        let either = |path: &str| [path.to_owned(), format!("{HOLE}/{path}")].into();
        assert_eq!(paths("sh \"$d/lib/a.sh\""), either("lib/a.sh"));
        assert_eq!(paths("sh \"$d/../a.sh\""), either("a.sh"));
        assert_eq!(wanted("sh \"$d/$e.sh\""), [""; 0]);
        assert_eq!(inside(&read("sh \"$d/lib/a.sh\"", &[("lib/a.sh", "rm x")])), ["rm x"]);
        assert_eq!(inside(&read("sh \"$d/a.sh\"", &[("ba.sh", "rm x")])), [""; 0]);
        // Beside the one that runs it.
        let known = [("t/a.sh", ". \"$d/b.sh\""), ("t/b.sh", "rm x")];
        assert!(inside(&read("sh t/a.sh", &known)).contains(&"rm x".to_owned()));
        let line = read("sh t/a.sh", &known[..1]);
        assert!(line.wanted_scripts().any(|(_, path)| path == "t/b.sh"));
    }

    #[test]
    fn scripts_that_are_read_are_followed() {
        let script = [("a.sh", "rm x")];
        for text in ["sh < a.sh", "cat a.sh | sh"] {
            assert_eq!(wanted(text), ["a.sh"], "{text}");
        }
        for text in ["sh < a.sh", "cat a.sh | sh", "sh <(cat a.sh)"] {
            assert_eq!(inside(&read(text, &script)), ["rm x"], "{text}");
        }
    }

    #[test]
    fn what_nobody_knows_of_a_script_is_dropped() {
        for text in ["$x y", "eval \"$(a)\"", "if then ((", "sh <(a)"] {
            let line = read("sh a.sh", &[("a.sh", text)]);
            assert!(line.commands().iter().all(|command| command.opaque.is_none()), "{text}");
        }
        // Of what others wrote a part of, and of code, what is certain counts.
        let kept =
            "rm -rf \"$a\"; rm -rf \"$a/src\"; rm -rf src \"$a\"; gh x -b \"$a\"; y \"$a\" > z";
        assert_eq!(inside(&read("sh a.sh", &[("a.sh", kept)])).len(), 5);
        assert_eq!(inside(&read("sh others.sh", &[("others.sh", kept)])).len(), 4);
        let code = "import shutil\ndef f(a):\n  shutil.rmtree(a)\nshutil.rmtree('src')\n";
        assert_eq!(inside(&read("python a.py", &[("a.py", code)])), ["rm -rf -- src"]);
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
