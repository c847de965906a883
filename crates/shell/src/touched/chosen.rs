//! Files that nobody names: what `find` and the like come across, what they give to other commands, and what loops over that
//! are about.

use super::file::{Effect, Extent};
use super::used::Words;
use super::{Found, MAX_FILES, Search};
use crate::arguments::Flag;
use crate::directories::{Directory, join};
use crate::listings::OTHER_ACTIONS;
use crate::programs::{FileEffect, FileUse, Program, Traits};
use crate::{Command, HOLE, Reach, Word};

impl<'a> Search<'a> {
    /// What `find` and the like do with the files below their operands, or here, that have one of the names.
    pub(super) fn chosen(
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
    pub(super) fn below(
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
            tops.push((directory.name().to_owned(), false));
        }
        let Some(names) = names else { return tops };
        let below = |(top, _): &(String, bool)| {
            let top = top.trim_end_matches('/').to_owned();
            names.iter().map(move |name| (format!("{top}/**/{name}"), true))
        };
        // One more than are listed says that there are more.
        tops.iter().flat_map(below).take(MAX_FILES + 1).collect()
    }

    pub(super) fn add_all(
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
    pub(super) fn found_in_loop(&self, word: &Word, directory: &Directory) -> Option<Found> {
        let text = self.line.text(word);
        let finder = self.line.found_by(word)?;
        let is_whole = text.starts_with(HOLE) && text.matches(HOLE).count() == 1;
        let own = self.own.get(finder as usize)?;
        let runs = self.line.commands().get(finder as usize)?;
        let prints_others = |runs: &Command| {
            let Some(program) = runs.known().map(|known| self.programs.at(known)) else {
                return true;
            };
            let prints = |flag: &Flag| OTHER_ACTIONS.contains(&self.flag_name(flag, program));
            program.has(Traits::CHOOSES_BY_NAME)
                && self.words(runs).is_none_or(|words| words.flags.iter().any(prints))
        };
        let mut before = self.line.input(runs).iter();
        if !is_whole
            || word.may_split()
            || own.path != directory.path
            || prints_others(runs)
            || before.any(prints_others)
        {
            return None;
        }
        self.printed_by(finder as usize, &["print", "print0"])
    }

    /// Adds files that are called as what was found, with something behind that.
    pub(super) fn add_found(
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
    pub(super) fn found_by_parent(&self, index: usize) -> Option<Found> {
        const ACTIONS: [&str; 4] = ["exec", "execdir", "ok", "okdir"];
        let command = self.line.commands().get(index)?;
        let runner = command.parent.filter(|_| command.reach == Reach::Wrapper)?;
        let runs = self.line.commands().get(runner as usize)?;
        let program = self.programs.at(runs.known()?);
        match program.has(Traits::CHOOSES_BY_NAME) {
            true => self.found_by(runner as usize, runs, &ACTIONS),
            false if program.has(Traits::MORE_WORDS) => {
                let [_] = self.line.input(runs) else { return None };
                self.printed_by(runs.input.start as usize, &ACTIONS)
            }
            false => None,
        }
    }

    /// The files that a command finds that chooses by name, where one of some actions ends its choice.
    pub(super) fn found_by(&self, at: usize, finder: &Command, actions: &[&str]) -> Option<Found> {
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
    pub(super) fn names(
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
        // Where the alternative begins, and the names of those that lead nowhere, which are printed where no action is asked for.
        let (mut begin, mut pruned, mut prints) = (0, Vec::new(), false);
        let mut flags = words.flags.iter();
        while let Some(flag) = flags.next() {
            let name = self.flag_name(flag, program);
            match name {
                // What is not asked for only leaves out more.
                "not" => drop(flags.next()),
                "o" | "or" if !is_asked && !leads_nowhere => return None,
                "o" | "or" => {
                    if leads_nowhere {
                        pruned.extend(names.drain(begin..));
                    }
                    begin = names.len();
                    (is_asked, leads_nowhere) = (false, false);
                }
                "prune" => leads_nowhere = true,
                // Who has something printed has nothing else printed.
                "print" | "print0" if !is_action(name) => {
                    (prints, leads_nowhere) = (true, false);
                    begin = names.len();
                }
                "name" | "iname" => {
                    names.push(flag.value.map(|word| self.line.text(&word))?);
                    is_asked = true;
                }
                "path" | "wholename" => {
                    let pattern = flag.value.map(|word| self.line.text(&word))?;
                    let Some(end) = self.end_of_path(pattern, &words.operands) else { continue };
                    names.push(end);
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
        if !prints {
            names.append(&mut pruned);
        }
        is_asked.then_some(names)
    }

    /// How all paths end that a pattern of whole paths finds, whatever stands before: `*/a/target`, `./dist/*`; `None` where
    /// nobody can tell.
    fn end_of_path(&self, pattern: &'a str, tops: &[Word]) -> Option<&'a str> {
        let is_here = tops.iter().all(|top| matches!(self.line.text(top), "." | "./"));
        let end = match pattern.strip_prefix("./") {
            Some(end) if is_here => end,
            _ => pattern.strip_prefix("*/")?,
        };
        // A star goes over folders, too, which it does in no other pattern.
        let plain = end.strip_suffix("/*").unwrap_or(end);
        let is_plain = !plain.is_empty() && !plain.contains(['*', '?', '[', '\\', HOLE]);
        is_plain.then_some(end)
    }
}
