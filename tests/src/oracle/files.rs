//! Paths, and what was told of files.

use behavior_runtime::event::FileFact;

/// Facts about files, the latest last.
#[derive(Clone, Debug, Default)]
pub struct Files {
    facts: Vec<Fact>,
}

/// Size and modification time of a file, as far as they were told.
pub type Fingerprint = (Option<u64>, Option<i64>);

#[derive(Clone, Debug)]
struct Fact {
    path: String,
    real: Option<String>,
    exists: bool,
    fingerprint: Fingerprint,
    lines: Option<u64>,
}

impl Files {
    /// Remembers a fact.
    pub fn learn(&mut self, fact: &FileFact<'_>, cwd: Option<&str>) {
        self.facts.push(Fact {
            path: normal(&fact.path, cwd),
            real: fact.real.as_ref().map(|real| normal(real, None)),
            exists: fact.exists,
            fingerprint: (fact.size, fact.mtime),
            lines: fact.lines,
        });
    }

    /// The latest that was told of the file at a path. What is told of a file under one of its names
    /// holds under its canonical one.
    fn about(&self, path: &str) -> Option<&Fact> {
        let is_about =
            |fact: &&Fact| fact.path == path || fact.exists && fact.real.as_deref() == Some(path);
        self.facts.iter().rev().find(is_about)
    }

    /// Whether there is something at a path.
    pub fn exists(&self, path: &str) -> Option<bool> {
        self.about(path).map(|fact| fact.exists)
    }

    /// Size and modification time.
    pub fn fingerprint(&self, path: &str) -> Fingerprint {
        self.about(path).map_or((None, None), |fact| fact.fingerprint)
    }

    /// How many lines, as far as they were told.
    pub fn lines(&self, path: &str) -> Option<u64> {
        self.about(path).and_then(|fact| fact.lines)
    }

    /// The files of which was told that they are there, below any directory; none where nothing was told of one.
    pub fn below(&self, tail: &str) -> Option<Vec<String>> {
        let names = self.facts.iter().flat_map(|fact| {
            let real = fact.real.clone().filter(|_| fact.exists);
            std::iter::once(fact.path.clone()).chain(real)
        });
        let is_one = |path: &String| *path == tail || path.ends_with(&format!("/{tail}"));
        let told: std::collections::BTreeSet<String> = names.filter(is_one).collect();
        if told.is_empty() {
            return None;
        }
        Some(told.into_iter().filter(|path| self.exists(path) == Some(true)).take(8).collect())
    }

    /// Whether something that was told lies at a tail somewhere below a directory; `None` where nothing tells.
    pub fn lies_below(&self, directory: &str, tail: &str) -> Option<bool> {
        if self.exists(directory) == Some(false) {
            return Some(false);
        }
        let directory = directory.trim_end_matches('/');
        let names = self.facts.iter().flat_map(|fact| {
            let real = fact.real.clone().filter(|_| fact.exists);
            std::iter::once(fact.path.clone()).chain(real)
        });
        let tail: Vec<&str> = tail.split('/').collect();
        let lies_there = |path: &String| {
            let rest = path.strip_prefix(directory).and_then(|rest| rest.strip_prefix('/'));
            let parts: Vec<&str> = rest.unwrap_or_default().split('/').collect();
            parts.windows(tail.len()).any(|parts| parts == tail)
        };
        let mut told = names.filter(lies_there);
        told.any(|path| self.exists(&path) == Some(true)).then_some(true)
    }

    /// The canonical path, as far as it was told.
    pub fn canonical(&self, path: &str) -> String {
        let real = self.about(path).and_then(|fact| fact.real.clone());
        real.unwrap_or_else(|| path.to_owned())
    }
}

/// A path without `.`, `..`, and empty parts; absolute where it can be.
pub fn normal(path: &str, cwd: Option<&str>) -> String {
    let cwd = cwd.filter(|cwd| cwd.starts_with('/'));
    let full = match cwd {
        Some(cwd) if !path.starts_with('/') => format!("{cwd}/{path}"),
        _ => path.to_owned(),
    };
    let absolute = full.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in full.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if absolute => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

/// A normal path under the working directory as seen from there; others as they are.
pub fn seen_from(cwd: Option<&str>, path: &str) -> String {
    let Some(cwd) = cwd.filter(|cwd| cwd.starts_with('/')) else { return path.to_owned() };
    let mut prefix = normal(cwd, None);
    if prefix != "/" {
        prefix.push('/');
    }
    match path.strip_prefix(&prefix) {
        Some(rest) if !rest.is_empty() => rest.to_owned(),
        _ => path.to_owned(),
    }
}
