//! Which files a command line would read, write and delete: the operands of programs that are known
//! for what they do with files, and redirections, as seen from the directory in which each command
//! runs. What a program does by itself is not known, nor what runs on other machines.

mod archives;
mod chosen;
mod fetched;
pub(crate) mod file;
mod listed;
mod streams;
mod used;
mod variables;

pub use file::{Effect, Extent, Touched};
pub use used::own_name;

use used::Words;

use std::collections::HashMap;

use super::arguments::Flag;
use super::directories::{Directories, Directory, Instead, join};
use super::hole::MADE;
use super::links;
use super::mounts::{self, Mount};
use super::programs::{FileEffect, Program, Programs, Traits};
use super::{Command, CommandLine, HOLE, Knowledge, RedirectKind, Word};

/// No more files than this are listed; what comes behind them is one that nobody knows.
const MAX_FILES: usize = 4_096;

/// The files that a command line touches, in the order of its commands. `knowledge` is what the line
/// was read with.
#[must_use]
pub fn files(line: &CommandLine, knowledge: &dyn Knowledge) -> Vec<Touched> {
    all_files(line, Search::new(line, knowledge))
}

/// Returns what of [`files`] the programs of a line are about: not what the shell writes or reads for them, as
/// redirections say, nor where flags say that they put what they have to say. `knowledge` is what the line was read with.
#[must_use]
pub fn files_of_programs(line: &CommandLine, knowledge: &dyn Knowledge) -> Vec<Touched> {
    let is_of_programs = true;
    all_files(line, Search { is_of_programs, ..Search::new(line, knowledge) })
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
                is_doubtful: false,
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
    directories_of(line, knowledge, &[command]).pop().flatten()
}

/// Returns the directories in which some commands of a line work, each as [`directory_of`] does.
#[must_use]
pub fn directories_of(
    line: &CommandLine,
    knowledge: &dyn Knowledge,
    commands: &[u32],
) -> Vec<Option<String>> {
    let mut search = Search::new(line, knowledge);
    let last = commands.iter().max().map_or(0, |last| *last as usize + 1);
    for index in 0..last {
        search.command(index);
        search.found.clear();
        search.made.clear();
    }
    let directory = |command: &u32| {
        let own = search.own.get(*command as usize).filter(|own| !own.is_elsewhere)?;
        let path = own.path.replace(MADE, "");
        Some(if path.is_empty() { ".".to_owned() } else { path })
    };
    commands.iter().map(directory).collect()
}

/// Returns where files are that commands of a line name, each as seen from where the line runs; `None` where that is another
/// machine, or what a container has for itself. `knowledge` is what the line was read with.
#[must_use]
pub fn places_of(
    line: &CommandLine,
    knowledge: &dyn Knowledge,
    named: &[(u32, &str)],
) -> Vec<Option<String>> {
    let mut search = Search::new(line, knowledge);
    let last = named.iter().map(|(command, _)| *command as usize + 1).max().unwrap_or(0);
    // Where a command starts that leads elsewhere: its own files are seen from there.
    let mut before: HashMap<u32, Directory> = HashMap::new();
    for index in 0..last {
        let begins = search.command(index);
        if search.own.get(index).is_some_and(|own| own.is_elsewhere) && !begins.is_elsewhere {
            before.insert(index as u32, begins);
        }
        search.found.clear();
        search.made.clear();
    }
    let place = |(command, path): &(u32, &str)| {
        let own = before.get(command).or_else(|| search.own.get(*command as usize))?;
        let path = join(&own.path, path);
        let path = match own.is_elsewhere {
            true => {
                let inside = mounts::without_ways_back(&path);
                own.mounts.iter().find_map(|mount| mount.outside_of(&inside))?
            }
            false => path,
        };
        Some(path.replace(MADE, ""))
    };
    named.iter().map(place).collect()
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
    // By another name for what makes them, they may have been there before.
    let renames = |command: &Command| line.program(command) == Some("alias");
    made.retain(|_| !line.commands().iter().any(renames));
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
    /// Whether only that is looked for which programs are about.
    is_of_programs: bool,
    /// Whether the line sets variables that name files into which programs write.
    has_variables: bool,
    /// The last command that wrote through an open descriptor.
    wrote_through: Option<usize>,
}

/// What stands in a path behind a directory that was left: `~-/a`, `~1`.
fn behind_stack(path: &str) -> Option<&str> {
    let path = path.strip_prefix('~')?;
    let (name, rest) = path.split_once('/').unwrap_or((path, "."));
    let number = name.trim_start_matches(['+', '-']);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (name == "-" || is_number).then_some(rest)
}

/// Whether a path names an open file of a process: `/proc/self/fd/3`.
fn is_descriptor(path: &str) -> bool {
    path.strip_prefix("/proc/").is_some_and(|rest| rest.split('/').nth(1) == Some("fd"))
}

fn is_temporary(path: &str) -> bool {
    path.starts_with("/tmp/") || path.starts_with("/var/tmp/")
}

/// What is found: how much of each, and paths, which may be patterns.
type Found = (Extent, Vec<(String, bool)>);

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
            is_of_programs: false,
            has_variables: line.names_written_files(),
            wrote_through: None,
        }
    }

    /// Looks at a command, and returns where it starts.
    fn command(&mut self, index: usize) -> Directory {
        let Some(command) = self.line.commands().get(index) else { return Directory::default() };
        let mut directory = self.directories.of(index, command, &self.own);
        let (before, begins) = (self.found.len(), directory.clone());
        if directory.is_elsewhere {
            match directory.mounts.is_empty() {
                true => self.temporary_elsewhere(index, &directory),
                false => self.mounted(index, command, &directory),
            }
            self.directories.change(index, command, &directory);
            self.set_own(index, directory);
            return begins;
        }
        self.redirects(index, command, &directory);
        self.see_from_pattern(before, &directory);
        if command.opaque.is_some() {
            for effect in [Effect::Read, Effect::Write, Effect::Delete] {
                self.add(index, effect, Extent::Tree, HOLE.to_string(), false);
            }
            self.set_own(index, directory);
            return begins;
        }
        if let Some(words) = self.words(command) {
            directory = self.entered_by_flag(&words, directory);
            self.uses(index, &words, &directory);
            self.by_input(index, &words, &directory);
            self.named_by_variables(index, &directory);
            self.see_from_pattern(before, &directory);
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
        begins
    }

    /// Says of what was found since, as seen from a directory that is a pattern, that it is one, too.
    fn see_from_pattern(&mut self, before: usize, directory: &Directory) {
        if directory.is_pattern {
            let found = self.found.iter_mut().skip(before);
            let seen = found.filter(|touched| touched.path.starts_with(&directory.path));
            seen.for_each(|touched| touched.is_pattern = true);
        }
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
                self.add(index, Effect::Write, Extent::Within, directory.name().to_owned(), false);
            }
            let touched = self.found.drain(..);
            let missing = missing.map(|missing| missing.replace(MADE, ""));
            let otherwise = |touched| Otherwise { touched, missing: missing.clone(), change };
            found.extend(touched.map(otherwise));
        }
        self.looked_for_in = None;
    }

    fn redirects(&mut self, index: usize, command: &Command, directory: &Directory) {
        if self.is_of_programs {
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
        if let Some(rest) = behind_stack(text) {
            for left in self.directories.left() {
                let path = join(&left, rest);
                self.add(index, effect, extent, path, word.is_glob());
            }
        }
        let is_open = text == "/dev/stdin" || text.starts_with("/dev/fd/") || is_descriptor(text);
        if is_open && effect == Effect::Write {
            return self.through_descriptor(index, directory);
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
            self.add_found(index, (effect, extent), text, found);
            if word.may_be_other() || word.is_partly_other() {
                self.add(index, effect, extent, HOLE.to_string(), false);
            }
            return;
        }
        let stands_for = self.line.stands_for(word);
        if !stands_for.is_empty() && text.matches(HOLE).count() == 1 {
            for value in stands_for {
                let text = text.replace(HOLE, self.line.text(value));
                self.path(index, effect, extent, (&text, value.is_glob()), directory);
                if let (false, Some(added)) = (word.may_split(), self.found.last_mut()) {
                    added.may_split = false;
                }
            }
            if !self.line.may_be_another(word) {
                return;
            }
            if self.line.is_usual(word) {
                self.path(index, effect, extent, (text, word.is_glob()), directory);
                let last = self.found.last_mut();
                return last.into_iter().for_each(|added| added.is_doubtful = true);
            }
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
        if word.is_partly_other() {
            self.add(index, effect, extent, HOLE.to_string(), false);
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
        let (out_of, is_doubtful) = (None, false);
        self.found.push(Touched {
            effect,
            extent,
            path,
            is_pattern,
            may_split,
            is_doubtful,
            out_of,
            command,
        });
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
