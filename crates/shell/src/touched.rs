//! Which files a command line would read, write and delete: the operands of programs that are known
//! for what they do with files, and redirections, as seen from the directory in which each command
//! runs. What a program does by itself is not known, nor what runs on other machines.

use super::arguments::{Argument, Arguments, Flag, FlagName};
use super::directories::{Directories, Directory, Instead, join};
use super::hole::MADE;
use super::links;
use super::mounts::{self, Mount};
use super::programs::{FileEffect, FilePlace, FileUse, Program, Programs, Traits};
use super::{Command, CommandLine, HOLE, Knowledge, MAX_DEPTH, Reach, RedirectKind, Word};

/// No more files than this are listed; what comes behind them is one that nobody knows.
const MAX_FILES: usize = 4_096;

/// A file, or a directory with all that is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// What happens to it.
    pub effect: Effect,
    /// How much of it.
    pub extent: Extent,
    /// Its path, as seen from the working directory of the line: with a [`HOLE`] for each piece that
    /// nobody knows, and a shell's pattern where [`Touched::is_pattern`] says so.
    pub path: String,
    /// Whether the path is a pattern for names of files.
    pub is_pattern: bool,
    /// Whether a piece that nobody knows may make several paths of it.
    pub may_split: bool,
    /// The directory that what is written comes from, with the names that it has there; `None` where nobody knows, or
    /// all of it is named.
    pub out_of: Option<String>,
    /// The command that does it: an index into [`CommandLine::commands`].
    pub command: u32,
}

/// What happens to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It is read.
    Read,
    /// It is written, or what is known of it is changed.
    Write,
    /// It is deleted, or moved away.
    Delete,
}

impl Effect {
    /// All of them.
    pub const ALL: &[Effect] = &[Effect::Read, Effect::Write, Effect::Delete];
}

/// How much of what a path names is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The file.
    File,
    /// The file, or the directory with all that is in it.
    Tree,
    /// Files in the directory, which nobody names.
    Within,
}

impl Touched {
    /// Whether the whole path is known.
    #[must_use]
    pub fn is_known(&self) -> bool {
        !self.is_pattern && !self.path.contains(HOLE)
    }
}

/// The files that a command line touches, in the order of its commands. `knowledge` is what the line
/// was read with.
#[must_use]
pub fn files(line: &CommandLine, knowledge: &dyn Knowledge) -> Vec<Touched> {
    all_files(line, Search::new(line, knowledge))
}

/// Returns what of [`files`] the programs of a line touch themselves: not what the shell writes or reads for them, as
/// redirections say. `knowledge` is what the line was read with.
#[must_use]
pub fn files_of_programs(line: &CommandLine, knowledge: &dyn Knowledge) -> Vec<Touched> {
    let without_redirects = true;
    all_files(line, Search { without_redirects, ..Search::new(line, knowledge) })
}

fn all_files(line: &CommandLine, mut search: Search<'_>) -> Vec<Touched> {
    for index in 0..line.commands().len() {
        search.command(index);
        if search.found.len() > MAX_FILES {
            search.found.truncate(MAX_FILES);
            search.add(index, Effect::Write, Extent::Tree, HOLE.to_string(), false);
            break;
        }
    }
    let through = links::through(line, &search.found);
    search.found.extend(through);
    search.found
}

/// Returns the repositories that commands of a line change, each as the directory in which the command runs, where the
/// line names it. `knowledge` is what the line was read with.
#[must_use]
pub fn repositories(line: &CommandLine, knowledge: &dyn Knowledge) -> Vec<Touched> {
    let mut search = Search::new(line, knowledge);
    let mut found = Vec::new();
    for (index, command) in line.commands().iter().enumerate() {
        search.command(index);
        search.found.clear();
        let Some(directory) = search.own.get(index).filter(|own| !own.is_elsewhere) else {
            continue;
        };
        let changes = |words: Words<'_>| words.change_repository();
        if !directory.path.is_empty() && search.words(command).is_some_and(changes) {
            let (effect, extent) = (Effect::Write, Extent::Within);
            let (path, command) = (directory.path.replace(MADE, ""), index as u32);
            found.push(Touched {
                effect,
                extent,
                path,
                is_pattern: false,
                may_split: false,
                out_of: None,
                command,
            });
        }
    }
    found
}

/// Returns the directory in which a command of a line works, as [`Touched::path`]; `None` where that is another machine's.
#[must_use]
pub fn directory_of(line: &CommandLine, knowledge: &dyn Knowledge, command: u32) -> Option<String> {
    let mut search = Search::new(line, knowledge);
    for index in 0..=command as usize {
        search.command(index);
        search.found.clear();
        search.made.clear();
    }
    let own = search.own.get(command as usize).filter(|own| !own.is_elsewhere)?;
    let path = own.path.replace(MADE, "");
    Some(if path.is_empty() { ".".to_owned() } else { path })
}

/// Returns what commands of a line make anew: where something is there, they fail. `knowledge` is what the line was read
/// with.
#[must_use]
pub fn made(line: &CommandLine, knowledge: &dyn Knowledge) -> Vec<Touched> {
    let mut search = Search::new(line, knowledge);
    let mut made = Vec::new();
    for index in 0..line.commands().len() {
        search.command(index);
        if made.len() + search.made.len() > MAX_FILES {
            break;
        }
        made.append(&mut search.made);
        search.found.clear();
    }
    made
}

/// A file that a command touches if it runs in another directory than the line says, since a change of directory before
/// it did not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Otherwise {
    /// The file.
    pub touched: Touched,
    /// The directory that is not there if so, as [`Touched::path`]; `None` where other things tell.
    pub missing: Option<String>,
    /// The command that would have changed the directory: an index into [`CommandLine::commands`].
    pub change: u32,
}

/// Returns what the commands of a line touch if changes of directory before them do not happen. `knowledge` is what the
/// line was read with.
#[must_use]
pub fn otherwise(line: &CommandLine, knowledge: &dyn Knowledge) -> Vec<Otherwise> {
    if line.uncertain.is_empty() {
        return Vec::new();
    }
    let mut search = Search::new(line, knowledge);
    let mut found = Vec::new();
    for index in 0..line.commands().len() {
        search.command(index);
        search.found.clear();
        search.instead(index, &mut found);
        if found.len() > MAX_FILES {
            break;
        }
    }
    found
}

/// What lies in a file system that is there for one command alone is as temporary as this.
const ANEW: &str = "/tmp/container.new";

struct Search<'a> {
    line: &'a CommandLine,
    programs: Programs<'a>,
    directories: Directories<'a>,
    /// Where what a command runs is run.
    own: Vec<Directory>,
    /// Where what `find` gives a command is looked for, if not where it runs.
    looked_for_in: Option<String>,
    found: Vec<Touched>,
    /// Those of them that are made anew.
    made: Vec<Touched>,
    without_redirects: bool,
}

fn is_temporary(path: &str) -> bool {
    path.starts_with("/tmp/") || path.starts_with("/var/tmp/")
}

/// What is found: how much of each, and paths, which may be patterns.
type Found = (Extent, Vec<(String, bool)>);

/// The words behind a program.
struct Words<'a> {
    /// The program, then the subcommand that is selected.
    programs: Vec<Program<'a>>,
    flags: Vec<Flag>,
    operands: Vec<Word>,
    /// Whether other words may follow.
    more: bool,
}

impl Words<'_> {
    /// Whether they change the repository of the directory in which they run.
    fn change_repository(&self) -> bool {
        let Some(program) = self.programs.last() else { return false };
        let says_more = || {
            let mut own = self.flags.iter().filter(|flag| !flag.is_global);
            self.more || !self.operands.is_empty() || own.any(|flag| flag.value.is_some())
        };
        program.has(Traits::REPOSITORY) && (!program.has(Traits::LOOKS_ALONE) || says_more())
    }
}

impl<'a> Search<'a> {
    fn new(line: &'a CommandLine, knowledge: &'a dyn Knowledge) -> Self {
        Self {
            line,
            programs: Programs::new(knowledge),
            directories: Directories::new(line),
            looked_for_in: None,
            own: vec![Directory::default(); line.commands().len()],
            found: Vec::new(),
            made: Vec::new(),
            without_redirects: false,
        }
    }

    fn command(&mut self, index: usize) {
        let Some(command) = self.line.commands().get(index) else { return };
        let mut directory = self.directories.of(index, command, &self.own);
        if directory.is_elsewhere {
            match directory.mounts.is_empty() {
                true => self.temporary_elsewhere(index, &directory),
                false => self.mounted(index, command, &directory),
            }
            self.directories.change(index, command, &directory);
            return self.set_own(index, directory);
        }
        self.redirects(index, command, &directory);
        if command.opaque.is_some() {
            for effect in [Effect::Read, Effect::Write, Effect::Delete] {
                self.add(index, effect, Extent::Tree, HOLE.to_string(), false);
            }
            return self.set_own(index, directory);
        }
        if let Some(words) = self.words(command) {
            directory = self.entered_by_flag(&words, directory);
            self.uses(index, &words, &directory);
            let elsewhere = |program: &Program<'_>| program.has(Traits::ELSEWHERE);
            directory.is_elsewhere = words.programs.iter().any(elsewhere);
            directory.is_anew = directory.is_elsewhere && self.runs_anew(&words);
            if directory.is_elsewhere {
                directory.mounts = self.mounts(&words, &directory);
                // Where it begins there, nobody knows who is not told.
                directory.path = self.begins_in(&words).unwrap_or_else(|| HOLE.to_string());
            }
        }
        self.directories.change(index, command, &directory);
        self.set_own(index, directory);
    }

    /// What a command in a container touches of what is seen there of this machine. What it deletes of the container's own
    /// stays unknown, but for what is temporary: nobody tells what that is worth.
    fn mounted(&mut self, index: usize, command: &Command, directory: &Directory) {
        let before = self.found.len();
        self.redirects(index, command, directory);
        if command.opaque.is_some() {
            self.found.truncate(before);
            return;
        }
        if let Some(words) = self.words(command) {
            self.uses(index, &words, directory);
        }
        let new = self.found.split_off(before);
        for mut touched in new {
            touched.path = mounts::without_ways_back(&touched.path);
            let is_plain = !touched.path.split('/').any(|part| part == "..");
            let outside = |mount: &Mount| mount.outside_of(&touched.path).filter(|_| is_plain);
            match directory.mounts.iter().find_map(outside) {
                Some(path) => touched.path = path,
                None if touched.effect != Effect::Delete => continue,
                None if is_plain && is_temporary(&touched.path) => {}
                None => (touched.path, touched.is_pattern) = (HOLE.to_string(), false),
            }
            touched.out_of = None;
            self.found.push(touched);
        }
    }

    /// What of this machine a container sees, as its flags say: `-v`, `--mount`.
    fn mounts(&self, words: &Words<'a>, directory: &Directory) -> Vec<Mount> {
        let Some(&program) = words.programs.last() else { return Vec::new() };
        let said = words.flags.iter().filter_map(|flag| {
            let text = self.line.text(&flag.value?);
            mounts::said(self.flag_name(flag, program), text)
        });
        mounts::all(said, &directory.path)
    }

    /// Where a container begins to work, as a flag says.
    fn begins_in(&self, words: &Words<'a>) -> Option<String> {
        let &program = words.programs.last()?;
        let is = |flag: &&Flag| matches!(self.flag_name(flag, program), "w" | "workdir");
        let value = words.flags.iter().filter(is).filter_map(|flag| flag.value).next_back()?;
        Some(self.line.text(&value).to_owned())
    }

    /// What a command deletes on another machine or in another file system, where all of that is temporary: there as
    /// here. Of other files there nothing is said.
    fn temporary_elsewhere(&mut self, index: usize, directory: &Directory) {
        let Some(command) = self.line.commands().get(index) else { return };
        let Some(words) = self.words(command).filter(|_| command.opaque.is_none()) else { return };
        let before = self.found.len();
        self.uses(index, &words, directory);
        if directory.is_anew {
            for touched in self.found.iter_mut().skip(before) {
                (touched.path, touched.is_pattern) = (ANEW.to_owned(), false);
                touched.may_split = false;
            }
        }
        let is_fine = |touched: &Touched| {
            touched.effect == Effect::Delete
                && is_temporary(&touched.path)
                && !touched.path.split('/').any(|part| part == "..")
        };
        if !self.found.get(before..).is_some_and(|new| new.iter().all(is_fine)) {
            self.found.truncate(before);
        }
    }

    /// Whether what a command runs has files of its own, and nothing says that it may have others.
    fn runs_anew(&self, words: &Words<'a>) -> bool {
        let is_open = |word: &Word| word.may_be_flag() || word.may_split();
        !words.operands.iter().any(is_open)
            && words.programs.iter().any(|program| {
                let mut uses = program.file_uses();
                uses.any(|(number, file)| {
                    file.effect == FileEffect::RunsAnew && self.holds(words, *program, number)
                })
            })
    }

    fn set_own(&mut self, index: usize, directory: Directory) {
        if let Some(own) = self.own.get_mut(index) {
            *own = directory;
        }
    }

    /// What a command that was just looked at touches if it runs elsewhere.
    fn instead(&mut self, index: usize, found: &mut Vec<Otherwise>) {
        let Some(command) = self.line.commands().get(index) else { return };
        let Some(own) = self.own.get(index).filter(|own| !own.instead.is_empty()) else { return };
        let (instead, words) = (own.instead.clone(), self.words(command));
        for Instead { path, missing, change } in instead {
            self.looked_for_in = Some(path.clone());
            let directory = Directory { path, ..Directory::default() };
            self.redirects(index, command, &directory);
            let Some(words) = &words else { continue };
            self.uses(index, words, &directory);
            if words.change_repository() {
                let here = if directory.path.is_empty() { "." } else { &directory.path };
                self.add(index, Effect::Write, Extent::Within, here.to_owned(), false);
            }
            let touched = self.found.drain(..);
            let otherwise = |touched| Otherwise { touched, missing: missing.clone(), change };
            found.extend(touched.map(otherwise));
        }
        self.looked_for_in = None;
    }

    fn redirects(&mut self, index: usize, command: &Command, directory: &Directory) {
        if self.without_redirects {
            return;
        }
        for redirect in self.line.redirects(command) {
            let effects: &[Effect] = match redirect.kind {
                RedirectKind::Read => &[Effect::Read],
                RedirectKind::Write | RedirectKind::Append => &[Effect::Write],
                RedirectKind::ReadWrite => &[Effect::Read, Effect::Write],
                RedirectKind::HereDocument | RedirectKind::HereString | RedirectKind::Duplicate => {
                    &[]
                }
            };
            let word = self.line.target(redirect);
            for &effect in effects {
                self.word(index, effect, Extent::File, &word, directory);
            }
        }
    }

    fn words(&self, command: &Command) -> Option<Words<'a>> {
        let program = self.programs.at(command.known()?);
        let line = self.line;
        let mut arguments = Arguments::new(line, line.words(command), Some(program));
        let mut words = Words {
            programs: vec![program],
            flags: Vec::new(),
            operands: Vec::new(),
            more: command.more,
        };
        while let Some(argument) = arguments.next() {
            match argument {
                Argument::Flag(flag) => words.flags.push(flag),
                Argument::Unknown(word) => words.operands.push(word),
                Argument::Operand(word) => {
                    let selected = arguments.program().filter(|selected| {
                        words.programs.last().is_none_or(|last| !selected.is(last))
                    });
                    match selected {
                        Some(selected) if words.programs.len() < MAX_DEPTH as usize => {
                            words.programs.push(selected);
                        }
                        _ => words.operands.push(word),
                    }
                }
            }
        }
        Some(words)
    }

    /// The directory behind flags such as `-C` of `git` and `make`.
    fn entered_by_flag(&self, words: &Words<'a>, mut directory: Directory) -> Directory {
        for program in &words.programs {
            let uses = program.file_uses().filter(|(_, file)| file.effect == FileEffect::WorksIn);
            for (_, file) in uses.filter(|&(number, _)| self.holds(words, *program, number)) {
                for word in self.named(words, *program, &file) {
                    directory = directory.entered(self.line.text(&word));
                }
            }
        }
        directory
    }

    fn uses(&mut self, index: usize, words: &Words<'a>, directory: &Directory) {
        let Some(&program) = words.programs.last() else { return };
        for (number, file) in program.file_uses() {
            if file.effect == FileEffect::WorksIn || !self.holds(words, program, number) {
                continue;
            }
            let is_remote = |word: &Word| {
                let text = self.line.text(word);
                let head = text.split('/').next().unwrap_or_default();
                program.has(Traits::REMOTE) && head.contains(':')
            };
            let named: Vec<Word> = self.named(words, program, &file);
            if program.has(Traits::CHOOSES_BY_NAME) && file.place == FilePlace::Operands {
                self.chosen(index, words, (program, number), &named, directory);
                continue;
            }
            let named: Vec<Word> = named.into_iter().filter(|word| !is_remote(word)).collect();
            self.file_use(index, words, &file, &named, directory);
        }
    }

    /// What `find` and the like do with the files below their operands, or here, that have one of the names.
    fn chosen(
        &mut self,
        index: usize,
        words: &Words<'a>,
        (program, number): (Program<'a>, u32),
        named: &[Word],
        directory: &Directory,
    ) {
        let effect = match program.file_uses().find(|(use_number, _)| *use_number == number) {
            Some((_, FileUse { effect: FileEffect::Deletes, .. })) => Effect::Delete,
            Some((_, FileUse { effect: FileEffect::Writes, .. })) => Effect::Write,
            _ => Effect::Read,
        };
        let is_action =
            |name: &str| program.file_use_flags(number, false).any(|action| action == name);
        let names = self.names(words, program, is_action);
        let extent = self.chosen_extent(words, program, names.as_deref());
        let found = self.below(named, names.as_deref(), directory);
        self.add_all(index, effect, extent, found);
        // Behind a link anything may lie.
        if self.follows_links(words, program) && effect != Effect::Read {
            let names = names.unwrap_or_default();
            let all = names.iter().map(|name| (format!("{HOLE}/**/{name}"), true)).collect();
            match names.is_empty() {
                true => self.add(index, effect, Extent::Tree, HOLE.to_string(), false),
                false => {
                    let before = self.found.len();
                    self.add_all(index, effect, extent, all);
                    let added = self.found.iter_mut().skip(before);
                    added.for_each(|touched| touched.may_split = false);
                }
            }
        }
        if words.more {
            self.add(index, effect, Extent::Tree, HOLE.to_string(), false);
        }
    }

    /// Whether `find` looks behind links that it comes across.
    fn follows_links(&self, words: &Words<'a>, program: Program<'a>) -> bool {
        let follows = |flag: &Flag| matches!(self.flag_name(flag, program), "L" | "follow");
        words.flags.iter().any(follows)
    }

    /// The files with one of the names below what words name, or below the directory.
    fn below(
        &self,
        named: &[Word],
        names: Option<&[&'a str]>,
        directory: &Directory,
    ) -> Vec<(String, bool)> {
        let is_top = |word: &&Word| !matches!(self.line.text(word), "!" | "(" | ")" | ",");
        let mut tops: Vec<(String, bool)> = named
            .iter()
            .filter(is_top)
            .map(|word| (join(&directory.path, self.line.text(word)), word.is_glob()))
            .collect();
        if tops.is_empty() {
            let here = if directory.path.is_empty() { "." } else { &directory.path };
            tops.push((here.to_owned(), false));
        }
        let Some(names) = names else { return tops };
        let below = |(top, _): &(String, bool)| {
            let top = top.trim_end_matches('/').to_owned();
            names.iter().map(move |name| (format!("{top}/**/{name}"), true))
        };
        // One more than are listed says that there are more.
        tops.iter().flat_map(below).take(MAX_FILES + 1).collect()
    }

    fn add_all(
        &mut self,
        index: usize,
        effect: Effect,
        extent: Extent,
        files: Vec<(String, bool)>,
    ) {
        for (path, is_pattern) in files {
            self.add(index, effect, extent, path, is_pattern);
        }
    }

    /// How much `find` finds below a directory: all, or some that nobody can name where it asks for more than names.
    fn chosen_extent(
        &self,
        words: &Words<'a>,
        program: Program<'a>,
        names: Option<&[&str]>,
    ) -> Extent {
        const NARROWING: [&str; 22] = [
            "amin",
            "anewer",
            "atime",
            "cmin",
            "cnewer",
            "ctime",
            "empty",
            "group",
            "iname",
            "ipath",
            "iregex",
            "mmin",
            "mtime",
            "name",
            "newer",
            "path",
            "perm",
            "regex",
            "size",
            "user",
            "wholename",
            "xtype",
        ];
        let narrows = |flag: &Flag| NARROWING.contains(&self.flag_name(flag, program));
        match names {
            None if words.flags.iter().any(narrows) => Extent::Within,
            _ => Extent::Tree,
        }
    }

    /// What the one piece of a word that nobody knows stands for, where a loop is over what `find` finds in the same
    /// directory.
    fn found_in_loop(&self, word: &Word, directory: &Directory) -> Option<Found> {
        // What a command prints that it runs, or is told to print, is no name.
        const OTHERS: [&str; 10] = [
            "printf", "fprintf", "exec", "execdir", "ok", "okdir", "ls", "fls", "fprint", "delete",
        ];
        let text = self.line.text(word);
        let finder = self.line.found_by(word)?;
        let is_whole = text.starts_with(HOLE) && text.matches(HOLE).count() == 1;
        let own = self.own.get(finder as usize)?;
        let runs = self.line.commands().get(finder as usize)?;
        let program = self.programs.at(runs.known()?);
        let words = self.words(runs)?;
        let prints = |flag: &Flag| OTHERS.contains(&self.flag_name(flag, program));
        if !is_whole
            || word.may_split()
            || own.path != directory.path
            || words.flags.iter().any(prints)
        {
            return None;
        }
        self.found_by(finder as usize, runs, &["print", "print0"])
    }

    /// Adds files that are called as what was found, with something behind that.
    fn add_found(
        &mut self,
        index: usize,
        (effect, extent): (Effect, Extent),
        text: &str,
        (of_found, found): Found,
    ) {
        let behind = text.trim_start_matches(HOLE);
        for (path, is_pattern) in found {
            match (behind.is_empty(), is_pattern) {
                (true, _) => self.add(index, effect, of_found, path, is_pattern),
                (false, true) => {
                    self.add(index, effect, extent, format!("{path}{behind}"), true);
                }
                // Beside or below whatever was found.
                (false, false) => self.add(index, effect, Extent::Within, path, false),
            }
            if let Some(added) = self.found.last_mut() {
                added.may_split = false;
            }
        }
    }

    /// The files that `find` gives a command, which it runs itself or whose words come through `xargs`; `None` where
    /// others may be given, too.
    fn found_by_parent(&self, index: usize) -> Option<Found> {
        const ACTIONS: [&str; 4] = ["exec", "execdir", "ok", "okdir"];
        let command = self.line.commands().get(index)?;
        let runner = command.parent.filter(|_| command.reach == Reach::Wrapper)?;
        let runs = self.line.commands().get(runner as usize)?;
        let program = self.programs.at(runs.known()?);
        let (at, finder) = match program.has(Traits::CHOOSES_BY_NAME) {
            true => (runner as usize, runs),
            false if program.has(Traits::MORE_WORDS) => {
                let [finder] = self.line.input(runs) else { return None };
                (runs.input.start as usize, finder)
            }
            false => return None,
        };
        self.found_by(at, finder, &ACTIONS)
    }

    /// The files that a command finds that chooses by name, where one of some actions ends its choice.
    fn found_by(&self, at: usize, finder: &Command, actions: &[&str]) -> Option<Found> {
        let program = self.programs.at(finder.known()?);
        let words = self.words(finder)?;
        let directory = self.own.get(at).filter(|own| !own.is_elsewhere)?;
        let is_safe = program.has(Traits::CHOOSES_BY_NAME)
            && !words.more
            && !self.follows_links(&words, program)
            && finder.opaque.is_none()
            && !words.operands.iter().any(Word::may_split);
        let names = self.names(&words, program, |name| actions.contains(&name));
        let directory = match &self.looked_for_in {
            Some(path) => &Directory { path: path.clone(), ..Directory::default() },
            None => directory,
        };
        let extent = self.chosen_extent(&words, program, names.as_deref());
        is_safe.then(|| (extent, self.below(&words.operands, names.as_deref(), directory)))
    }

    /// The names that files must have for an action of `find`; `None` where others may be meant, too.
    fn names(
        &self,
        words: &Words<'a>,
        program: Program<'a>,
        is_action: impl Fn(&str) -> bool,
    ) -> Option<Vec<&'a str>> {
        let is_joined = |word: &Word| matches!(self.line.text(word), "!" | ",");
        if words.operands.iter().any(is_joined) {
            return None;
        }
        // Each of several alternatives asks for a name, or leads nowhere.
        let (mut names, mut is_asked, mut leads_nowhere) = (Vec::new(), false, false);
        let mut flags = words.flags.iter();
        while let Some(flag) = flags.next() {
            let name = self.flag_name(flag, program);
            match name {
                // What is not asked for only leaves out more.
                "not" => drop(flags.next()),
                "o" | "or" if !is_asked && !leads_nowhere => return None,
                "o" | "or" => (is_asked, leads_nowhere) = (false, false),
                "prune" => leads_nowhere = true,
                "name" | "iname" => {
                    names.push(flag.value.map(|word| self.line.text(&word))?);
                    is_asked = true;
                }
                // What stands behind an action does not choose for it, but may act itself.
                _ if is_action(name) => {
                    let is_last = !flags.any(|flag| is_action(self.flag_name(flag, program)));
                    return (is_asked && is_last).then_some(names);
                }
                _ => {}
            }
        }
        is_asked.then_some(names)
    }

    /// Whether the flags that a use of files asks for are there.
    fn holds(&self, words: &Words<'a>, program: Program<'a>, number: u32) -> bool {
        let has = |wanted: &str| {
            let (name, value) = match wanted.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (wanted, None),
            };
            let is_given = |flag: &Flag| flag.value.map(|word| self.line.text(&word)) == value;
            let is = |flag: &Flag| self.flag_name(flag, program) == name;
            words.flags.iter().any(|flag| is(flag) && (value.is_none() || is_given(flag)))
        };
        program.file_use_flags(number, false).all(has)
            && !program.file_use_flags(number, true).any(has)
    }

    fn flag_name(&self, flag: &Flag, program: Program<'a>) -> &'a str {
        match flag.name {
            FlagName::Known(id) => program.text(id),
            FlagName::Written(word) => self.line.text(&word),
        }
    }

    /// The words that name the files of a use.
    fn named(&self, words: &Words<'a>, program: Program<'a>, file: &FileUse) -> Vec<Word> {
        let operands = &words.operands;
        let name = file.name.map(|name| program.text(name)).unwrap_or_default();
        match file.place {
            FilePlace::Operands => operands.clone(),
            FilePlace::First => operands.iter().take(1).copied().collect(),
            FilePlace::Rest => operands.iter().skip(1).copied().collect(),
            FilePlace::Last if operands.len() < 2 => Vec::new(),
            FilePlace::Last => operands.last().copied().into_iter().collect(),
            FilePlace::Others => {
                operands.iter().take(operands.len().saturating_sub(1)).copied().collect()
            }
            FilePlace::Here | FilePlace::Own => Vec::new(),
            FilePlace::Flag => {
                let (name, is_behind_sign) = match name.strip_suffix('@') {
                    Some(name) => (name, true),
                    None => (name, false),
                };
                let is = |flag: &&Flag| self.flag_name(flag, program) == name;
                let values = words.flags.iter().filter(is).filter_map(|flag| flag.value);
                match is_behind_sign {
                    true => values.filter_map(|value| behind_sign(self.line, value)).collect(),
                    false => values.collect(),
                }
            }
            // A commit, and a file in it.
            FilePlace::Behind if name == ":" => {
                let behind = |word: &Word| {
                    let at = self.line.text(word).find(':')?;
                    Some(word.part(word.start + at as u32 + 1))
                };
                operands.iter().filter_map(behind).collect()
            }
            FilePlace::Behind => operands
                .iter()
                .filter(|word| self.line.text(word).starts_with(name))
                .map(|word| word.part(word.start + name.len() as u32))
                .collect(),
        }
    }

    fn file_use(
        &mut self,
        index: usize,
        words: &Words<'a>,
        file: &FileUse,
        named: &[Word],
        directory: &Directory,
    ) {
        let (effect, extent) = match file.effect {
            FileEffect::Reads => (Effect::Read, Extent::Tree),
            FileEffect::Writes | FileEffect::Makes => (Effect::Write, Extent::Tree),
            FileEffect::Deletes => (Effect::Delete, Extent::Tree),
            FileEffect::Fills => (Effect::Write, Extent::Within),
            FileEffect::Changes => return self.change(index, words, named, directory),
            FileEffect::Receives => return self.receive(index, words, named, directory),
            FileEffect::WorksIn | FileEffect::RunsAnew => return,
        };
        if file.place == FilePlace::Here {
            let here = if directory.path.is_empty() { "." } else { &directory.path }.to_owned();
            if file.effect == FileEffect::Fills {
                self.fetched(index, words, &here);
            }
            self.add(index, effect, extent, here, false);
        }
        if let (FilePlace::Own, Some(name)) = (file.place, file.name) {
            let Some(program) = words.programs.last() else { return };
            let path = join(&directory.path, program.text(name));
            self.add(index, effect, extent, path, false);
        }
        for word in named {
            let before = self.found.len();
            if file.effect == FileEffect::Fills {
                self.fetched(index, words, &join(&directory.path, self.line.text(word)));
            }
            self.word(index, effect, extent, word, directory);
            if file.effect == FileEffect::Makes {
                self.made.extend(self.found.get(before..).unwrap_or_default().iter().cloned());
            }
        }
        let takes_more = matches!(
            file.place,
            FilePlace::Operands | FilePlace::Rest | FilePlace::Others | FilePlace::First
        );
        if words.more && takes_more {
            match self.found_by_parent(index) {
                Some((of_found, found)) => self.add_all(index, effect, of_found, found),
                None => self.add(index, effect, extent, HOLE.to_string(), false),
            }
        }
    }

    /// What is fetched from an address into a directory has the name that the address ends in.
    fn fetched(&mut self, index: usize, words: &Words<'a>, folder: &str) {
        for word in &words.operands {
            let Some((_, address)) = self.line.text(word).split_once("://") else { continue };
            let path = address.split(['?', '#']).next().unwrap_or(address);
            let name = path.rsplit_once('/').map_or("", |(_, name)| name);
            if !matches!(name, "" | "." | "..") && !name.contains(HOLE) {
                self.add(index, Effect::Write, Extent::File, join(folder, name), false);
            }
        }
    }

    /// A file that may be written, or a directory some of whose files may be.
    fn change(&mut self, index: usize, words: &Words<'a>, named: &[Word], directory: &Directory) {
        for word in named {
            let text = self.line.text(word);
            let last = text.rsplit('/').next().unwrap_or_default();
            let is_directory = matches!(last, "" | "." | ".." | "~");
            if !is_directory {
                self.word(index, Effect::Write, Extent::File, word, directory);
            }
            // A name without an ending is most often one of a directory.
            if is_directory || !last.trim_start_matches('.').contains('.') {
                self.word(index, Effect::Write, Extent::Within, word, directory);
            }
        }
        if words.more {
            self.add(index, Effect::Write, Extent::Tree, HOLE.to_string(), false);
        }
    }

    /// A destination that is a file, or a directory in which the others land.
    fn receive(&mut self, index: usize, words: &Words<'a>, named: &[Word], directory: &Directory) {
        let is_remote = words.programs.iter().any(|it| it.has(Traits::REMOTE));
        // `cp -T`: what is copied takes the place of the destination, with all that is in it.
        let is_in_place = words
            .flags
            .iter()
            .any(|flag| words.programs.iter().any(|program| self.flag_name(flag, *program) == "T"));
        for word in named {
            let text = self.line.text(word);
            let sources = words.operands.iter().filter(|other| *other != word);
            let sources: Vec<&str> = sources.map(|source| self.line.text(source)).collect();
            let is_directory = text.ends_with('/')
                || matches!(text.rsplit('/').next(), Some("." | ".." | "~"))
                || sources.len() > 1
                || !words.operands.contains(word);
            // A name without an ending is most often one of a directory.
            let last = text.rsplit('/').next().unwrap_or_default();
            let may_be_directory = is_directory || !last.trim_start_matches('.').contains('.');
            if !is_directory {
                self.word(index, Effect::Write, Extent::File, word, directory);
            }
            if may_be_directory {
                let folder = join(&directory.path, text);
                for source in &sources {
                    // All that is in a directory comes under its own name.
                    let in_place = Some(*source).filter(|_| is_in_place && !is_remote);
                    let contents = self.contents(words, source).or(in_place);
                    if let Some(contents) = contents {
                        let out_of = Some(join(&directory.path, contents));
                        self.add(index, Effect::Write, Extent::Within, folder.clone(), false);
                        if let Some(added) = self.found.last_mut() {
                            added.out_of = out_of;
                        }
                    }
                    let name = source.trim_end_matches('/').rsplit('/').next().unwrap_or(source);
                    // Behind the name of another machine.
                    let far = name.split_once(':').filter(|_| is_remote);
                    let name = far.map_or(name, |(_, name)| name);
                    let name = if matches!(name, "" | "." | "..") { "\u{FDD0}" } else { name };
                    // Whatever it is, it lands in the folder.
                    let lands = name.chars().all(|sign| sign == HOLE) && !folder.contains(HOLE);
                    let name = if lands { "*" } else { name };
                    let is_pattern = name.contains(['*', '?', '[']);
                    let path = join(&folder, name);
                    self.add(index, Effect::Write, Extent::Tree, path, is_pattern);
                    if let (false, None, Some(added)) = (is_pattern, far, self.found.last_mut()) {
                        added.out_of = Some(join(&directory.path, above(source)));
                    }
                }
                if words.more {
                    self.add(index, Effect::Write, Extent::Within, folder, false);
                }
            }
        }
    }

    /// The directory whose files come each by itself where a source is named so: by a sign for the directory itself, by
    /// a pattern for all of it, or for some programs by a slash.
    fn contents<'s>(&self, words: &Words<'a>, source: &'s str) -> Option<&'s str> {
        let is_copied_by_slash = words.programs.iter().any(|it| it.has(Traits::REMOTE));
        let named = source.strip_suffix("/*").or_else(|| source.strip_suffix("/."));
        let named = named.or_else(|| matches!(source, "*" | "." | "./").then_some("."));
        named.or_else(|| source.strip_suffix('/').filter(|_| is_copied_by_slash))
    }

    fn word(
        &mut self,
        index: usize,
        effect: Effect,
        extent: Extent,
        word: &Word,
        directory: &Directory,
    ) {
        let text = self.line.text(word);
        if let Some(rest) = text.strip_prefix("/dev/fd/..") {
            // What is open lies in the folder of the process, which says where that works.
            return self.path(
                index,
                effect,
                extent,
                (&format!("/proc/self{rest}"), false),
                directory,
            );
        }
        let is_device = matches!(
            text,
            "/dev/null" | "/dev/stdin" | "/dev/stdout" | "/dev/stderr" | "/dev/tty" | "-" | ""
        );
        if is_device || text.starts_with("/dev/fd/") {
            return;
        }
        if text.chars().eq([HOLE])
            && let Some((of_found, found)) = self.found_by_parent(index)
        {
            return self.add_all(index, effect, of_found, found);
        }
        if let Some(found) = self.found_in_loop(word, directory) {
            return self.add_found(index, (effect, extent), text, found);
        }
        let stands_for = self.line.stands_for(word);
        if !stands_for.is_empty() && text.matches(HOLE).count() == 1 {
            for value in stands_for {
                let text = text.replace(HOLE, self.line.text(value));
                self.path(index, effect, extent, (&text, value.is_glob()), directory);
            }
            return;
        }
        // What has no slash in it is a part of a name, as what a pattern stands for.
        if word.has_hole()
            && !word.may_hold_slash()
            && !word.is_glob()
            && !text.contains(['*', '?', '['])
        {
            let pattern = if word.is_of_sequence() { "[0-9]*" } else { "*" };
            let path = join(&directory.path, &text.replace(HOLE, pattern));
            return self.add(index, effect, extent, path, true);
        }
        self.path(index, effect, extent, (text, word.is_glob()), directory);
        if let (false, Some(added)) = (word.may_split(), self.found.last_mut()) {
            added.may_split = false;
        }
    }

    /// A path, or a pattern for paths, as seen from a directory.
    fn path(
        &mut self,
        index: usize,
        effect: Effect,
        extent: Extent,
        (text, is_pattern): (&str, bool),
        directory: &Directory,
    ) {
        if is_pattern && effect == Effect::Read {
            let named = hidden_name(text).map(|name| join(&directory.path, name));
            named.into_iter().for_each(|path| self.add(index, effect, extent, path, false));
        }
        self.add(index, effect, extent, join(&directory.path, text), is_pattern);
    }

    fn add(
        &mut self,
        index: usize,
        effect: Effect,
        extent: Extent,
        mut path: String,
        is_pattern: bool,
    ) {
        path.retain(|character| character != MADE);
        let (may_split, command) = (path.starts_with(HOLE), index as u32);
        let out_of = None;
        self.found.push(Touched { effect, extent, path, is_pattern, may_split, out_of, command });
    }
}

/// The hidden file that a pattern such as `.env*` names first. Few begin alike, since a shell leaves them out of other
/// patterns.
fn hidden_name(pattern: &str) -> Option<&str> {
    let name = pattern.strip_suffix('*')?;
    let last = name.rsplit('/').next()?;
    let is_hidden = last.starts_with('.') && last.len() > 2;
    (is_hidden && !name.contains(['*', '?', '['])).then_some(name)
}

/// The directory that a path names a file in.
fn above(path: &str) -> &str {
    match path.trim_end_matches('/').rsplit_once('/') {
        Some(("", _)) => "/",
        Some((directory, _)) => directory,
        None => ".",
    }
}

/// The name of a file in a value such as `@FILE` and `NAME=@FILE;type=TYPE`.
fn behind_sign(line: &CommandLine, value: Word) -> Option<Word> {
    let text = line.text(&value);
    let at = if text.starts_with('@') { 1 } else { text.find("=@")? + 2 };
    let name = text.get(at..)?;
    let end = name.find(';').unwrap_or(name.len());
    let start = value.start + at as u32;
    Some(value.part(start).until(start + end as u32))
}
