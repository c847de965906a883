//! In which directory each command of a line runs: where `cd` and the like lead, and where a command runs instead if such
//! a change did not happen.

use std::collections::{BTreeSet, HashMap};

use super::certainty::{Behind, Uncertain, Uncertainty, changes_directory, ends, runs_in_shell};
use super::hole::MADE;
use super::mounts::Mount;
use super::{Command, CommandLine, HOLE, Reach, Redirect, RedirectKind, Word};

/// A longer path, in bytes or in parts, is one that nobody knows.
const MAX_PATH: usize = 4_096;
const MAX_PARTS: usize = 256;

/// Of more changes of directory in one line nobody knows where they lead.
const MAX_CHANGES: usize = 256;

/// No more other directories are kept for one command; then it may be any.
const MAX_INSTEAD: usize = 8;

/// The directory in which a command runs.
#[derive(Clone, Debug, Default)]
pub struct Directory {
    /// As seen from that of the line, empty for that itself.
    pub path: String,
    /// Whether that is a pattern, of which nobody knows what it finds.
    pub is_pattern: bool,
    /// Whether the files there are those of another machine.
    pub is_elsewhere: bool,
    /// Whether they are there for what runs alone, and as before when it runs again.
    pub is_anew: bool,
    /// Where the command may run instead.
    pub instead: Vec<Instead>,
    /// What of this machine is seen there.
    pub mounts: Vec<Mount>,
}

/// A directory in which a command runs if a change did not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instead {
    pub path: String,
    /// The directory that is not there if so; `None` where other things tell.
    pub missing: Option<String>,
    /// The command that changes the directory.
    pub change: u32,
}

impl Directory {
    /// One of which nothing is known.
    fn unknown() -> Self {
        Self { path: HOLE.to_string(), ..Self::default() }
    }

    /// What it is called as seen from that of the line.
    pub fn name(&self) -> &str {
        if self.path.is_empty() { "." } else { &self.path }
    }

    /// The directory that a word names in this one.
    pub fn entered_by(&self, line: &CommandLine, word: &Word) -> Self {
        let entered = self.entered(line.text(word));
        Self { is_pattern: entered.is_pattern || word.is_glob(), ..entered }
    }

    /// The directory with a name in this one.
    pub fn entered(&self, name: &str) -> Self {
        let instead = self
            .instead
            .iter()
            .map(|other| Instead { path: join(&other.path, name), ..other.clone() });
        let mut entered = Self { path: join(&self.path, name), ..Self::default() };
        instead.for_each(|other| entered.add(other));
        let mounts = self.mounts.clone();
        let Self { is_pattern, is_elsewhere, is_anew, .. } = *self;
        Self { is_pattern, is_elsewhere, is_anew, mounts, ..entered }
    }

    /// Takes up where a command may run instead.
    fn add(&mut self, other: Instead) {
        if other.path == self.path || self.instead.contains(&other) {
            return;
        }
        match self.instead.len() {
            ..MAX_INSTEAD => self.instead.push(other),
            MAX_INSTEAD => {
                let path = HOLE.to_string();
                self.instead.push(Instead { path, missing: None, change: other.change });
            }
            _ => {}
        }
    }
}

/// No more directories that were left are told.
const MAX_LEFT: usize = 16;

/// A change of directory.
struct Change {
    /// The command that changes it.
    command: u32,
    before: Directory,
    after: Directory,
    /// The directory that is not there where the change fails; `None` where it may fail for another reason.
    missing: Option<String>,
}

impl Change {
    /// Whether it leads to what the line has made under a name of its own.
    fn is_made(&self) -> bool {
        self.missing.as_ref().is_some_and(|path| path.ends_with(MADE))
    }
}

/// Commands that see each other's changes: those of one text, outside and inside of a subshell.
type List = (Option<u32>, bool);

/// The directories of a line whose commands are looked at in their order.
pub struct Directories<'a> {
    line: &'a CommandLine,
    /// What is not certain of commands that were not yet looked behind.
    uncertain: std::slice::Iter<'a, Uncertain>,
    changes: HashMap<List, Vec<Change>>,
    /// The commands of the changes, in their order, with the list of each.
    order: Vec<(u32, List)>,
    /// The commands that end a list.
    ends: Vec<u32>,
    /// Those among them that may not run.
    skipped: BTreeSet<u32>,
    /// The last change of directory in loops, for each list, once somebody asked.
    later: Option<HashMap<List, u32>>,
    /// Whether the line may change where `cd` leads, once somebody asked.
    is_told_otherwise: Option<bool>,
    /// What may change the directory out of a text that the shell itself runs, once somebody asked.
    inner: Option<HashMap<u32, Vec<u32>>>,
}

impl<'a> Directories<'a> {
    pub fn new(line: &'a CommandLine) -> Self {
        Self {
            line,
            uncertain: line.uncertain.iter(),
            changes: HashMap::new(),
            order: Vec::new(),
            ends: Vec::new(),
            later: None,
            skipped: BTreeSet::new(),
            is_told_otherwise: None,
            inner: None,
        }
    }

    /// The directories that changes before have left, to which `~-` and `~1` lead.
    pub fn left(&self) -> Vec<String> {
        let changes = self.order.iter().filter_map(|(_, list)| self.changes.get(list)).flatten();
        let mut left: Vec<String> = changes.map(|change| change.before.name().to_owned()).collect();
        left.dedup();
        left.truncate(MAX_LEFT);
        left
    }

    /// Returns where a command runs, given where what commands before it run is run.
    pub fn of(&mut self, index: usize, command: &Command, own: &[Directory]) -> Directory {
        while let Some(uncertain) = self.uncertain.as_slice().first().copied() {
            if uncertain.to as usize > index {
                break;
            }
            self.uncertain.next();
            self.look_behind(uncertain);
        }
        let (parent, is_subshell) = list(command);
        let last = |list: List| self.changes.get(&list).and_then(|changes| changes.last());
        let mut directory = match last((parent, is_subshell)).or_else(|| last((parent, false))) {
            Some(change) => change.after.clone(),
            None => {
                let parent = parent.and_then(|parent| own.get(parent as usize));
                parent.cloned().unwrap_or_default()
            }
        };
        // What a round changes holds in the next one.
        if command.in_loop {
            let later = self.later.get_or_insert_with(|| later_changes(self.line));
            if let Some(change) = later.get(&list(command)).filter(|later| **later as usize > index)
            {
                let (path, change) = (HOLE.to_string(), *change);
                directory.add(Instead { path, missing: None, change });
            }
        }
        directory
    }

    /// Takes up what a command, which runs in a directory, changes for those behind it.
    pub fn change(&mut self, index: usize, command: &Command, directory: &Directory) {
        let name = self.line.program(command).unwrap_or_default();
        if ends(name) && self.ends.len() < MAX_CHANGES {
            self.ends.push(index as u32);
        }
        let Some((after, is_plain)) = self.left_behind(index, command, name, directory) else {
            return;
        };
        let list = list(command);
        let missing = is_plain.then(|| after.path.clone());
        let (command, before) = (index as u32, directory.clone());
        let changes = self.changes.entry(list).or_default();
        if self.order.len() >= MAX_CHANGES {
            changes.clear();
        } else {
            self.order.push((command, list));
        }
        changes.push(Change { command, before, after, missing });
    }

    /// The directory in which a command leaves the shell, and whether it is a plain one that is there or is not; `None`
    /// where it leaves the shell where it is.
    fn left_behind(
        &mut self,
        index: usize,
        command: &Command,
        name: &str,
        directory: &Directory,
    ) -> Option<(Directory, bool)> {
        if command.reach == Reach::Pipe {
            return None;
        }
        if changes_directory(name) {
            return Some(self.changed_to(command, name, directory));
        }
        if !runs_in_shell(name) {
            return None;
        }
        // What the shell itself runs so changes its directory, too.
        let line = self.line;
        let inner = self.inner.get_or_insert_with(|| inner_changes(line));
        let inner = inner.get(&(index as u32)).cloned().unwrap_or_default();
        let mut left: Option<(Directory, bool)> = None;
        for at in inner {
            let Some(command) = line.commands().get(at as usize) else { continue };
            let name = line.program(command).unwrap_or_default();
            let from = left.as_ref().map_or(directory, |(after, _)| after).clone();
            if let Some((after, is_plain)) = self.left_behind(at as usize, command, name, &from) {
                let is_first = left.is_none();
                left = Some((after, is_plain && is_first));
            }
        }
        left
    }

    /// Where `cd` and the like lead from a directory.
    fn changed_to(
        &mut self,
        command: &Command,
        name: &str,
        directory: &Directory,
    ) -> (Directory, bool) {
        let line = self.line;
        let words = line.words(command).get(1..).unwrap_or_default();
        let is_told_otherwise =
            *self.is_told_otherwise.get_or_insert_with(|| is_told_otherwise(line));
        let is_flag = |word: &&Word| {
            let text = line.text(word);
            text.starts_with('-') && text != "-"
        };
        let mut operands = words.iter().filter(|word| !is_flag(word));
        let operand = operands.next();
        let is_usual = |word: &Word| matches!(line.text(word), "--" | "-P" | "-L");
        let is_plain = matches!(name, "cd" | "pushd")
            && operands.next().is_none()
            && words.iter().filter(is_flag).all(is_usual)
            && line.redirects(command).iter().all(|redirect| is_harmless(line, redirect))
            && !is_told_otherwise
            && operand.is_none_or(|word| {
                !word.may_split() && !word.is_glob() && !goes_back(line.text(word))
            });
        let after = match operand.map(|word| (word, line.text(word))) {
            _ if self.order.len() >= MAX_CHANGES || name == "popd" => Directory::unknown(),
            _ if is_told_otherwise => Directory::unknown(),
            Some((_, text)) if text == "-" || text.starts_with('+') => Directory::unknown(),
            // In a container of its own it stays in there.
            Some((word, _)) => {
                let is_elsewhere = directory.is_anew || !directory.mounts.is_empty();
                Directory { is_elsewhere, ..directory.entered_by(line, word) }
            }
            None if matches!(name, "cd" | "chdir") => {
                Directory { path: "~".to_owned(), ..Directory::default() }
            }
            None => Directory::unknown(),
        };
        (after, is_plain)
    }

    /// Takes up what is not certain of commands, for those behind them.
    fn look_behind(&mut self, Uncertain { from, to, doubt }: Uncertain) {
        let range = from..to;
        if doubt == Uncertainty::Failed(Behind::LastOr) && self.ends_surely(to) {
            return self.trust(from, to);
        }
        if matches!(doubt, Uncertainty::Apart | Uncertainty::Skipped | Uncertainty::Unless(_)) {
            let first = self.ends.partition_point(|end| *end < from);
            let inner = self.ends.iter().skip(first).take_while(|end| range.contains(end));
            self.skipped.extend(inner);
        }
        for (command, list) in self.inside(from, to) {
            if let Uncertainty::Unless(start) = doubt
                && self.succeed(start, command)
            {
                continue;
            }
            let Some(changes) = self.changes.get_mut(&list) else { continue };
            let Some(at) = changes.iter().rposition(|change| change.command == command) else {
                continue;
            };
            if doubt == Uncertainty::Apart {
                changes.truncate(at);
                continue;
            }
            let Some(change) = changes.get(at) else { continue };
            let missing = match doubt {
                Uncertainty::Failed(_) if change.is_made() => continue,
                Uncertainty::Failed(_) => change.missing.clone(),
                Uncertainty::Apart | Uncertainty::Skipped | Uncertainty::Unless(_) => None,
            };
            let before = change.before.clone();
            let Some(last) = changes.last_mut() else { continue };
            last.after.add(Instead { path: before.path, missing, change: command });
            before.instead.into_iter().for_each(|other| last.after.add(other));
        }
    }

    /// Whether some commands are such as succeed.
    fn succeed(&self, from: u32, to: u32) -> bool {
        let commands = self.line.commands().get(from as usize..to as usize).unwrap_or_default();
        commands.iter().all(|command| {
            let program = self.line.program(command).unwrap_or_default();
            let makes = program == "mkdir"
                && self.line.words(command).iter().any(|word| self.line.text(word) == "-p");
            let is_known = matches!(
                program,
                "" | ":"
                    | "cd"
                    | "echo"
                    | "export"
                    | "mktemp"
                    | "printf"
                    | "pushd"
                    | "set"
                    | "true"
            );
            (makes || is_known) && command.opaque.is_none()
        })
    }

    /// The changes among some commands.
    fn inside(&self, from: u32, to: u32) -> Vec<(u32, List)> {
        let first = self.order.partition_point(|(command, _)| *command < from);
        self.order.iter().skip(first).take_while(|(command, _)| *command < to).copied().collect()
    }

    /// Whether the command before another ends its list for sure.
    fn ends_surely(&self, to: u32) -> bool {
        let Some(last) = to.checked_sub(1).filter(|last| self.ends.contains(last)) else {
            return false;
        };
        let Some(command) = self.line.commands().get(last as usize) else { return false };
        let ends = match self.line.program(command) {
            Some("return") => command.reach == Reach::Function,
            Some("break" | "continue") => command.in_loop,
            _ => matches!(command.reach, Reach::List | Reach::Function | Reach::Text),
        };
        ends && !self.skipped.contains(&last)
    }

    /// Forgets that changes may have failed: the line has ended then.
    fn trust(&mut self, from: u32, to: u32) {
        for (command, list) in self.inside(from, to) {
            let changes = self.changes.get_mut(&list).and_then(|changes| changes.last_mut());
            let Some(change) = changes.filter(|change| change.command == command) else { continue };
            let before: Vec<Instead> = match &change.missing {
                Some(missing) => {
                    let is_own = |other: &Instead| {
                        other.path == change.before.path && other.missing.as_ref() == Some(missing)
                    };
                    change.after.instead.iter().filter(|other| !is_own(other)).cloned().collect()
                }
                None => continue,
            };
            change.after.instead = before;
        }
    }
}

fn list(command: &Command) -> List {
    (command.parent, command.reach == Reach::Subshell)
}

/// The commands that may change the directory of the shell, by the command through which the shell itself runs them.
fn inner_changes(line: &CommandLine) -> HashMap<u32, Vec<u32>> {
    let mut inner: HashMap<u32, Vec<u32>> = HashMap::new();
    for (index, command) in (0..).zip(line.commands()) {
        let is_apart = matches!(command.reach, Reach::Subshell | Reach::Substitution | Reach::Pipe);
        let program = line.program(command).unwrap_or_default();
        if let Some(parent) = command.parent.filter(|_| !is_apart)
            && (changes_directory(program) || runs_in_shell(program))
        {
            inner.entry(parent).or_default().push(index);
        }
    }
    inner
}

/// The last command of each list that changes the directory in a loop.
fn later_changes(line: &CommandLine) -> HashMap<List, u32> {
    let changes = (0..).zip(line.commands()).filter(|(_, command)| {
        command.in_loop && line.program(command).is_some_and(changes_directory)
    });
    changes.map(|(index, command)| (list(command), index)).collect()
}

/// Whether a line says that `cd` leads elsewhere, by `CDPATH`, by names of variables or by another command of that name.
fn is_told_otherwise(line: &CommandLine) -> bool {
    let says = |text: &str| text.starts_with("CDPATH") || text == "cdable_vars";
    let sets = |command: &Command| {
        matches!(line.program(command), Some("alias" | "enable"))
            || line.words(command).iter().any(|word| says(line.text(word)))
    };
    line.variables.is_seen_set("CDPATH")
        || line.sets_for_commands().any(says)
        || line.commands().iter().any(sets)
}

/// Whether a redirection cannot fail.
fn is_harmless(line: &CommandLine, redirect: &Redirect) -> bool {
    redirect.kind == RedirectKind::Duplicate || line.text(&line.target(redirect)) == "/dev/null"
}

/// Whether a path leads through a directory and out of it again: that one must be there, and where it is a link, the
/// path comes out somewhere else than it looks.
#[must_use]
pub fn goes_back(path: &str) -> bool {
    let mut parts = path.split('/').skip_while(|part| matches!(*part, "" | "." | ".."));
    parts.any(|part| part == "..")
}

/// The parts of a path that lead somewhere.
pub fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !matches!(*part, "" | "."))
}

/// Parts without what they lead into and out of again, as far as that is known.
pub fn reduced<'p>(parts: impl Iterator<Item = &'p str>) -> Vec<&'p str> {
    let mut reduced: Vec<&str> = Vec::new();
    for part in parts {
        match reduced.last() {
            Some(last) if part == ".." && !last.contains(HOLE) && *last != ".." => {
                reduced.pop();
            }
            _ => reduced.push(part),
        }
    }
    reduced
}

/// A path as seen from where a directory is seen from.
pub fn join(directory: &str, path: &str) -> String {
    let is_drive = path.as_bytes().get(1) == Some(&b':');
    if path.len() > MAX_PATH {
        return HOLE.to_string();
    }
    if path.split('/').count() > MAX_PARTS {
        let direct = without_detours(path);
        return match direct.split('/').count() > MAX_PARTS {
            true => HOLE.to_string(),
            false => join(directory, &direct),
        };
    }
    // What begins with a piece that nobody knows may begin at the root.
    if directory.is_empty() || path.starts_with(['/', '~', '\\', HOLE]) || is_drive {
        return above_unknown(path.to_owned());
    }
    // No system has such paths, and each look at one takes time.
    let parts = || [directory, path].into_iter().flat_map(|text| text.split('/')).count();
    if directory.len() + path.len() > MAX_PATH || parts() > MAX_PARTS {
        return HOLE.to_string();
    }
    above_unknown(format!("{}/{path}", directory.trim_end_matches('/')))
}

/// The same path without parts that lead nowhere, or back.
fn without_detours(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for (at, part) in path.split('/').enumerate() {
        match part {
            "" | "." if at > 0 => {}
            ".." if parts.last().is_some_and(|last| {
                !matches!(*last, "" | "." | ".." | "~") && !last.contains(HOLE)
            }) =>
            {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// A path in which nothing stands of what `..` leads out of, where nobody knows what that is.
fn above_unknown(path: String) -> String {
    if !path.contains(HOLE) || !path.contains("/..") {
        return path;
    }
    let mut parts: Vec<&str> = Vec::new();
    let unknown = HOLE.encode_utf8(&mut [0; 4]).to_owned();
    for part in path.split('/') {
        let is_above = part == ".." && parts.last().is_some_and(|last| last.contains(HOLE));
        if is_above {
            // Nor where that lies.
            parts.clear();
            parts.push(&unknown);
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}
