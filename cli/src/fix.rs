//! `behavior check --fix`: applies what diagnostics offer to mend them, in memory, until nothing changes. No byte
//! outside of the edits is touched, and nothing is written that has more errors than before.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use behavior_compiler::provider::LIBRARY_PREFIX;
use behavior_compiler::{ReadError, SourceProvider};

use crate::atomic;
use crate::number::count;
use crate::project::describe;
use crate::render::diff::unified;
use crate::report::{Fix, Place, Report};
use crate::terminal::{Failure, Terminal};

/// So often is everything checked again, at most.
const MAX_ROUNDS: usize = 32;

/// The mark that a text may begin with; spans do not count it.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Files as they would be.
#[derive(Debug, Default)]
pub struct Fixed {
    /// What each file was and what it becomes.
    files: BTreeMap<String, (Vec<u8>, Vec<u8>)>,
    /// How many fixes were applied.
    count: u64,
}

/// The files of a provider, some of them changed.
struct Changed<'a> {
    below: &'a dyn SourceProvider,
    files: &'a BTreeMap<String, (Vec<u8>, Vec<u8>)>,
}

impl SourceProvider for Changed<'_> {
    fn read(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        match self.files.get(name) {
            Some((_, after)) => Ok(after.clone()),
            None => self.below.read(name),
        }
    }

    fn list(&self, directory: &str) -> Vec<String> {
        self.below.list(directory)
    }

    fn has_secret(&self, name: &str) -> bool {
        self.below.has_secret(name)
    }

    fn has_default_brain(&self) -> Option<bool> {
        self.below.has_default_brain()
    }
}

/// Applies fixes until none is left; those that may change the meaning only if they are wanted.
pub fn run(
    below: &dyn SourceProvider,
    unsafe_too: bool,
    check: &dyn Fn(&dyn SourceProvider) -> Report,
) -> Fixed {
    let mut fixed = Fixed::default();
    let mut report = check(below);
    for _ in 0..MAX_ROUNDS {
        let provider = Changed { below, files: &fixed.files };
        let (edits, applied) = chosen(&report, unsafe_too, &provider);
        if edits.is_empty() {
            break;
        }
        let mut files = fixed.files.clone();
        for (name, edits) in edits {
            let Ok(before) = provider.read(&name) else { continue };
            let after = edited(&before, &edits);
            files.entry(name).or_insert_with(|| (before, Vec::new())).1 = after;
        }
        let next = check(&Changed { below, files: &files });
        if next.counts().errors > report.counts().errors {
            break;
        }
        fixed = Fixed { files, count: fixed.count + applied };
        report = next;
    }
    fixed.files.retain(|_, (before, after)| before != after);
    fixed
}

/// What is replaced in a file: the bytes from, to, and the new text.
type Edits = BTreeSet<(u32, u32, String)>;

/// The edits of all fixes that do not touch each other, by file, and how many fixes these are.
fn chosen(
    report: &Report,
    unsafe_too: bool,
    provider: &dyn SourceProvider,
) -> (BTreeMap<String, Edits>, u64) {
    let mut edits: BTreeMap<String, Edits> = BTreeMap::new();
    let mut applied = 0;
    for problem in &report.problems {
        // One is enough; a safe one is the best.
        let is_wanted = |fix: &&Fix| fix.is_safe || unsafe_too;
        let safe = problem.fixes.iter().find(|fix| fix.is_safe);
        let Some(fix) = safe.or_else(|| problem.fixes.iter().find(is_wanted)) else { continue };
        let is_free = fix.edits.iter().all(|(place, text)| {
            let same = edits.get(&place.source.name);
            let same = same.into_iter().flatten();
            is_changeable(place, provider)
                && same.clone().all(|(start, end, new)| {
                    let is_same = (*start, *end) == (place.start, place.end) && new == text;
                    is_same || *end < place.start || place.end < *start
                })
        });
        if is_free && !fix.edits.is_empty() {
            applied += 1;
            for (place, text) in &fix.edits {
                let of_file = edits.entry(place.source.name.clone()).or_default();
                of_file.insert((place.start, place.end, text.clone()));
            }
        }
    }
    (edits, applied)
}

/// Returns whether a place is in a file of the author's that is still as it was checked.
fn is_changeable(place: &Place, provider: &dyn SourceProvider) -> bool {
    let name = &place.source.name;
    !name.starts_with(LIBRARY_PREFIX)
        && provider
            .read(name)
            .is_ok_and(|bytes| without_mark(&bytes) == place.source.text.as_bytes())
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(MARK).unwrap_or(bytes)
}

/// The bytes of a file with the edits applied, which do not touch each other.
fn edited(before: &[u8], edits: &Edits) -> Vec<u8> {
    let text = without_mark(before);
    let mut out = before.get(..before.len() - text.len()).unwrap_or_default().to_vec();
    let mut done = 0;
    for (start, end, new) in edits {
        out.extend_from_slice(text.get(done..*start as usize).unwrap_or_default());
        out.extend_from_slice(new.as_bytes());
        done = *end as usize;
    }
    out.extend_from_slice(text.get(done..).unwrap_or_default());
    out
}

impl Fixed {
    /// Returns whether nothing would change.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Writes the files, each whole or not at all.
    ///
    /// # Errors
    /// When one cannot be written.
    pub fn write(&self, terminal: &Terminal) -> Result<(), Failure> {
        for (name, (_, after)) in &self.files {
            atomic::write_inside(Path::new(name), after).map_err(|error| {
                Failure::Message(format!("cannot write `{name}`: {}", describe(&error)))
            })?;
        }
        if !self.is_empty() {
            let (fixes, files) = (count(self.count, "fix"), count(self.files.len() as u64, "file"));
            let fixes = if self.count == 1 { fixes } else { format!("{} fixes", self.count) };
            terminal.note(&format!("applied {fixes} in {files}"));
        }
        Ok(())
    }

    /// Returns what would change, as a unified diff.
    #[must_use]
    pub fn diff(&self, terminal: &Terminal) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let files = self.files.iter();
        files
            .map(|(name, (before, after))| {
                unified(name, name, &text(before), &text(after), terminal)
            })
            .collect()
    }
}
