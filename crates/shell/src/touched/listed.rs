//! Files that commands print the names of, for others that take them: what `find` and the like come across, what git does
//! not keep, and what a filter leaves of both.

use super::{Found, Search};
use crate::directories::join;
use crate::listings::{finds_names, leaves_lines_out};
use crate::programs::Traits;
use crate::touched::file::Extent;
use crate::{Command, HOLE, Word};

/// No more filters are looked through.
const MAX_FILTERS: usize = 5;

impl<'a> Search<'a> {
    /// The files that a command prints the names of, by its place, where one of some actions ends its choice; `None` where
    /// others may be among them.
    pub(super) fn printed_by(&self, at: usize, actions: &[&str]) -> Option<Found> {
        let mut ending: Option<&str> = None;
        let mut at = at;
        for _ in 0..MAX_FILTERS {
            let command = self.line.commands().get(at)?;
            match self.line.program(command) {
                Some("grep" | "egrep" | "ggrep") => {
                    // What a filter leaves out is at most less.
                    let own = self.filter(command)?;
                    ending = ending.or(own);
                    let [_] = self.line.input(command) else { return None };
                    at = command.input.start as usize;
                }
                Some("git") => return self.ignored_by_git(at, command, ending),
                Some("ls") => return self.listed_by_ls(at, command),
                Some(_) if leaves_lines_out(self.line, command) => {
                    let [_] = self.line.input(command) else { return None };
                    at = command.input.start as usize;
                }
                _ => {
                    let program = self.programs.at(command.known()?);
                    if !program.has(Traits::CHOOSES_BY_NAME) {
                        return None;
                    }
                    let found = self.found_by(at, command, actions)?;
                    return match ending {
                        None => Some(found),
                        Some(ending) => Some(self.narrowed(found, ending)),
                    };
                }
            }
        }
        None
    }

    /// Of what lies below directories, what is called so.
    fn narrowed(&self, (extent, found): Found, ending: &str) -> Found {
        let is_open = found.iter().all(|(_, is_pattern)| !is_pattern);
        if !is_open {
            return (extent, found);
        }
        let named = |(top, _): (String, bool)| {
            (format!("{}/**/*{ending}", top.trim_end_matches('/')), true)
        };
        (Extent::Tree, found.into_iter().map(named).collect())
    }

    /// The ending of names that `grep` asks for, `\.log$`, if it does; `None` where it prints anything but lines that it
    /// reads.
    fn filter(&self, command: &Command) -> Option<Option<&'a str>> {
        const ONLY: [&str; 9] = ["E", "v", "i", "F", "P", "w", "x", "a", "z"];
        let words = self.words(command)?;
        let [pattern] = words.operands.as_slice() else { return None };
        let &program = words.programs.last()?;
        let has_only = |known: &[&str]| {
            let mut flags = words.flags.iter();
            flags.all(|flag| flag.value.is_none() && known.contains(&self.flag_name(flag, program)))
        };
        if !has_only(&ONLY) || words.more || command.opaque.is_some() {
            return None;
        }
        let ending = self.line.text(pattern).strip_prefix('\\');
        let ending = ending.and_then(|ending| ending.strip_suffix('$'));
        let is_name = |ending: &&str| {
            let name = ending.strip_prefix('.').unwrap_or_default();
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
        };
        Some(ending.filter(is_name).filter(|_| has_only(&["E"])))
    }

    /// What `ls` prints: its operands with `-d`; without it, what lies in those of them that are directories, too.
    fn listed_by_ls(&self, at: usize, command: &Command) -> Option<Found> {
        let directory = self.own.get(at).filter(|own| !own.is_elsewhere)?;
        let text = |word: &Word| self.line.text(word);
        let (flags, operands): (Vec<&Word>, Vec<&Word>) =
            self.line.words(command).iter().skip(1).partition(|word| text(word).starts_with('-'));
        let is_plain = |word: &&Word| !word.has_hole() && !word.may_split();
        let is_known = command.opaque.is_none() && !command.more && finds_names(self.line, command);
        if !is_known || !operands.iter().all(is_plain) {
            return None;
        }
        let mut found: Vec<(String, bool)> = operands
            .iter()
            .map(|word| (join(&directory.path, text(word)), word.is_glob()))
            .collect();
        if !flags.iter().any(|flag| text(flag).contains('d')) {
            found.push((HOLE.to_string(), false));
        }
        Some((Extent::Tree, found))
    }

    /// What `git ls-files --others --ignored` prints that is called so, or that its operands name.
    fn ignored_by_git(&self, at: usize, command: &Command, ending: Option<&str>) -> Option<Found> {
        let directory = self.own.get(at).filter(|own| !own.is_elsewhere)?;
        let words = self.line.words(command);
        let texts: Vec<&str> = words.iter().skip(1).map(|word| self.line.text(word)).collect();
        let [list, rest @ ..] = texts.as_slice() else { return None };
        let (flags, named): (Vec<&str>, Vec<&str>) = rest
            .iter()
            .copied()
            .filter(|word| *word != "--")
            .partition(|word| word.starts_with('-'));
        let has = |names: [&str; 2]| flags.iter().any(|flag| names.contains(flag));
        let is_known = |flag: &&str| {
            const KNOWN: [&str; 6] =
                ["-o", "--others", "-i", "--ignored", "--exclude-standard", "-z"];
            KNOWN.contains(flag)
        };
        let is_ignored = *list == "ls-files"
            && has(["-o", "--others"])
            && has(["-i", "--ignored"])
            && flags.iter().all(is_known)
            && !command.more
            && !words.iter().any(Word::has_hole);
        let is_plain = |name: &&str| !name.starts_with(':') && !name.contains(['\\', '!']);
        if !is_ignored || !named.iter().all(is_plain) {
            return None;
        }
        let below = |name: &str| join(&directory.path, &format!("**/{name}"));
        let found: Vec<(String, bool)> = match (named.as_slice(), ending) {
            ([], None) => return None,
            ([], Some(ending)) => vec![(below(&format!("*{ending}")), true)],
            (names, _) => {
                let one = |name: &&str| match name.contains(['*', '?', '[']) {
                    true => (below(name), true),
                    false => (join(&directory.path, name), false),
                };
                names.iter().map(one).collect()
            }
        };
        Some((Extent::Tree, found))
    }
}
