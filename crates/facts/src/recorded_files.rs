//! The files that a recording tells of: whether each is there, what it looks like, and its other name. Of all others nothing
//! is known.

use std::collections::HashMap;

use crate::event::FileFact;
use crate::fingerprint::Fingerprint;
use crate::path;
use crate::truth::Truth;

/// What was told of files.
#[derive(Clone, Debug, Default)]
pub struct RecordedFiles {
    files: HashMap<Box<str>, RecordedFile, foldhash::fast::RandomState>,
    /// Whether some path is known to be another name of a file.
    has_links: bool,
}

/// What was told of a file last.
#[derive(Clone, Debug)]
pub struct RecordedFile {
    /// Whether it is there.
    pub exists: bool,
    /// What it looks like, where that was told.
    pub fingerprint: Option<Fingerprint>,
    /// How many lines it has, where that was told.
    pub lines: Option<u64>,
    real: Option<Box<str>>,
}

impl RecordedFiles {
    /// Remembers a fact; it replaces what was known of the same path. What is told of a file under
    /// one of its names holds under its canonical one, too.
    pub fn learn(&mut self, fact: &FileFact<'_>, cwd: Option<&str>) {
        let mut key = String::new();
        let key = path::normalise(&fact.path, cwd, &mut key);
        let fingerprint = Some(Fingerprint { size: fact.size, mtime: fact.mtime })
            .filter(|fingerprint| *fingerprint != Fingerprint::default());
        let mut real = String::new();
        let real = fact.real.as_deref().map(|path| path::normalise(path, None, &mut real));
        self.has_links |= real.is_some();
        if let Some(real) = real.filter(|real| fact.exists && *real != key) {
            let FileFact { exists, lines, .. } = *fact;
            self.files.insert(real.into(), RecordedFile { exists, fingerprint, lines, real: None });
        }
        let FileFact { exists, lines, .. } = *fact;
        let file = RecordedFile { exists, fingerprint, lines, real: real.map(Box::from) };
        match self.files.get_mut(key) {
            Some(known) => *known = file,
            None => _ = self.files.insert(key.into(), file),
        }
    }

    /// Returns what was told of a path.
    #[inline]
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&RecordedFile> {
        self.files.get(path)
    }

    /// Returns the canonical form of a path, where that was told to be another one.
    #[inline]
    #[must_use]
    pub fn canonical(&self, path: &str) -> Option<&str> {
        let known = if self.has_links { self.files.get(path) } else { None };
        known.and_then(|file| file.real.as_deref())
    }

    /// Returns whether something lies at `tail` below `directory`, be it deep below.
    #[must_use]
    pub fn holds(&self, directory: &str, tail: &str) -> Truth {
        if self.files.get(directory).is_some_and(|file| !file.exists) {
            return Truth::False;
        }
        let directory = directory.trim_end_matches('/');
        let lies_there = |path: &str| {
            let rest = path.strip_prefix(directory).filter(|rest| rest.starts_with('/'));
            rest.is_some_and(|rest| format!("{rest}/").contains(&format!("/{tail}/")))
        };
        let is_told = self.files.iter().any(|(path, file)| file.exists && lies_there(path));
        if is_told { Truth::True } else { Truth::Unknown }
    }

    /// Returns the files that lie at `tail` below whatever directory, or some of them; `None` where nothing was told of
    /// any that would.
    #[must_use]
    pub fn ending_in(&self, tail: &str) -> Option<Vec<String>> {
        let is_there = |path: &str| {
            path.strip_suffix(tail).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let told = self.files.iter().filter(|(path, _)| is_there(path));
        let mut told = told.map(|(path, file)| file.exists.then(|| path.to_string())).peekable();
        told.peek()?;
        let mut files: Vec<String> = told.flatten().collect();
        files.sort_unstable();
        files.truncate(8);
        Some(files)
    }
}
