//! What `check` says of the files of a project, as an editor needs it: for all its files at once, with what is
//! typed in place of what is stored, and kept from one edit to the next. What is asked of the provider is noted,
//! and an entry is compiled again only if one of these answers has changed.

use std::collections::{BTreeMap, BTreeSet};

use super::RuleFile;
use super::recognise::may_be_rule_file;
use crate::asked::{Asked, Noting};
use crate::check_on_ground;
use crate::problem::{Problem, problems, sort};
use crate::project::{Entry, LookedAt, entries};
use crate::provider::{LIBRARY_PREFIX, SourceProvider};
use crate::recheck::Ongoing;
use crate::resolve::Options;
use crate::source::FileId;
use crate::syntax::decode_utf8;

/// What checks found, kept for as long as it holds.
#[derive(Debug, Default)]
pub struct Checks {
    kept: BTreeMap<Entry, Kept>,
}

/// What checking a folder gave.
#[derive(Debug, Default)]
pub struct Checked {
    /// The problems of each file, by its name; files without any are among them.
    pub problems: BTreeMap<String, Vec<Problem>>,
    /// The names of all files on whose text or presence that depends.
    pub asked: BTreeSet<String>,
    /// The rule files that were read anew.
    pub read: Vec<RuleFile>,
}

#[derive(Debug)]
struct Kept {
    asked: Vec<Asked>,
    problems: Vec<Problem>,
    /// The rule files that took part.
    files: Vec<String>,
    is_rule_file: bool,
    /// What it takes to go on from there where rules are edited.
    ongoing: Option<Ongoing>,
}

impl Kept {
    /// Brings up to date what is kept, where what has changed is the text of one file and of little concern; whether
    /// it is up to date now.
    fn renew(&mut self, provider: &dyn SourceProvider) -> bool {
        let mut changed = self.asked.iter_mut().filter(|asked| !asked.holds(provider));
        let Some(first) = changed.next() else { return true };
        let (Asked::Read(name, _), None) = (&*first, changed.next()) else { return false };
        let Some(mut ongoing) = self.ongoing.take() else { return false };
        let read = provider.read(name);
        let answered = Asked::answered(name, &read);
        let text = read.ok().and_then(|bytes| decode_utf8(FileId(0), name, &bytes).ok());
        if text.and_then(|text| ongoing.edit(name, text, &mut self.problems)).is_none() {
            return false;
        }
        *first = answered;
        self.ongoing = Some(ongoing);
        #[cfg(test)]
        tests::RENEWED.with(|renewed| renewed.set(renewed.get() + 1));
        true
    }
}

impl Checks {
    /// Checks a folder as `behavior check` without arguments does there; then those of the `open` files that had
    /// no part in that, each alone. Of these, files that turn out to be no rule files are left out.
    pub fn folder(
        &mut self,
        provider: &dyn SourceProvider,
        folder: &str,
        open: &[String],
    ) -> Checked {
        let mut checked = Checked::default();
        let mut found = Vec::new();
        let mut looked_at = LookedAt::default();
        let whole = entries(provider, folder);
        for entry in &whole {
            self.entry(provider, entry, true, &mut looked_at, &mut checked, &mut found);
        }
        let alone: Vec<&String> = open.iter().filter(|name| !looked_at.contains(name)).collect();
        for name in alone {
            let entry = Entry::named(name.clone());
            self.entry(provider, &entry, false, &mut looked_at, &mut checked, &mut found);
        }
        sort(&mut found);
        for problem in found {
            let name = problem.place.source.name.clone();
            checked.problems.entry(name).or_default().push(problem);
        }
        checked
    }

    fn entry(
        &mut self,
        provider: &dyn SourceProvider,
        entry: &Entry,
        is_certain: bool,
        looked_at: &mut LookedAt,
        checked: &mut Checked,
        found: &mut Vec<Problem>,
    ) {
        if !self.kept.get_mut(entry).is_some_and(|kept| kept.renew(provider)) {
            let (kept, read) = compile(provider, entry);
            self.kept.insert(entry.clone(), kept);
            checked.read.extend(read);
        }
        let Some(kept) = self.kept.get(entry) else { return };
        checked.asked.extend(kept.asked.iter().filter_map(|asked| match asked {
            Asked::Read(name, _) => Some(name.clone()),
            _ => None,
        }));
        if !is_certain && !kept.is_rule_file {
            return;
        }
        let told = looked_at.note(entry, kept.files.iter().map(String::as_str));
        let own = kept.files.iter().filter(|name| !name.starts_with(LIBRARY_PREFIX));
        for name in own {
            checked.problems.entry(name.clone()).or_default();
        }
        found.extend(kept.problems.iter().filter(|problem| told.includes(problem)).cloned());
    }

    /// Forgets what was found of files that nobody asks about any more.
    pub fn forget(&mut self, is_wanted: impl Fn(&Entry) -> bool) {
        self.kept.retain(|entry, _| is_wanted(entry));
    }
}

fn compile(provider: &dyn SourceProvider, entry: &Entry) -> (Kept, Vec<RuleFile>) {
    let noting = Noting::new(provider);
    let options = entry.options(&Options { only_problems: true, ..Options::default() });
    let (compilation, ground) = check_on_ground(&noting, &entry.paths, &options);
    let read: Vec<RuleFile> = RuleFile::all_of(&compilation).collect();
    let problems = problems(&compilation);
    let ongoing = ground.and_then(|(ground, origins)| Ongoing::new(compilation, ground, origins));
    let kept = Kept {
        asked: noting.take(),
        problems,
        files: read.iter().map(|file| file.name().to_owned()).collect(),
        is_rule_file: is_rule_file(provider, entry, &read),
        ongoing,
    };
    (kept, read)
}

/// Whether an entry of one file is a rule file. The compiler keeps no tree of what it takes for something else; a
/// file that cannot be read as text has none, and its place alone tells.
fn is_rule_file(provider: &dyn SourceProvider, entry: &Entry, read: &[RuleFile]) -> bool {
    let Some(path) = entry.paths.first() else { return true };
    if let Some(file) = read.iter().find(|file| file.name() == path) {
        return file.is_rule_file();
    }
    let bytes = provider.read(path).unwrap_or_default();
    match decode_utf8(FileId(0), path, &bytes) {
        Ok(text) => RuleFile::new(path.as_str(), text).is_rule_file(),
        Err(_) => may_be_rule_file(path, &String::from_utf8_lossy(&bytes)),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::cell::Cell;

    thread_local! {
        /// How often nothing but some rules was checked anew.
        pub(in crate::ide) static RENEWED: Cell<usize> = const { Cell::new(0) };
    }
}
