//! What a claim about a file is held against: which files the project has by their names, and how many lines one
//! has. Looked up only when a claim is in doubt.

use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::project;

/// No more files are looked at: beyond this, nobody can tell.
const MAX_FILES: usize = 100_000;

/// Nor for longer.
const MAX_TIME: Duration = Duration::from_millis(800);

/// No more of them are named.
const MAX_NAMED: usize = 8;

/// Lines of longer files are not counted, in bytes.
const MAX_LENGTH: u64 = 1 << 25;

/// The files of a project, by their names.
#[derive(Debug)]
pub struct FileNames {
    directories: Vec<PathBuf>,
    by_name: HashMap<String, Vec<usize>>,
}

impl FileNames {
    /// Returns those of the repository, or of the working directory where there is none; `None` where there are
    /// too many, or some cannot be seen.
    #[must_use]
    pub fn of_project() -> Option<Self> {
        let root = project::current_repository().or_else(|| std::env::current_dir().ok())?;
        Self::below(root)
    }

    fn below(root: PathBuf) -> Option<Self> {
        let began = Instant::now();
        let mut names = Self { directories: vec![root], by_name: HashMap::new() };
        let (mut next, mut count) = (0, 0);
        while let Some(directory) = names.directories.get(next) {
            if began.elapsed() > MAX_TIME {
                return None;
            }
            for entry in std::fs::read_dir(directory).ok()? {
                let entry = entry.ok()?;
                count += 1;
                if count > MAX_FILES {
                    return None;
                }
                let Ok(name) = entry.file_name().into_string() else { continue };
                // Links are not followed: what they lead to may be anywhere, and go in circles.
                if entry.file_type().ok()?.is_dir() {
                    if name != ".git" {
                        names.directories.push(entry.path());
                    }
                } else {
                    names.by_name.entry(name).or_default().push(next);
                }
            }
            next += 1;
        }
        Some(names)
    }

    /// Returns the first few whose paths end in `tail`.
    #[must_use]
    pub fn ending_in(&self, tail: &str) -> Vec<String> {
        let tail = Path::new(tail);
        let Some(name) = tail.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
        let places = self.by_name.get(name).into_iter().flatten();
        let paths = places.filter_map(|at| Some(self.directories.get(*at)?.join(name)));
        let paths = paths.filter(|path| path.ends_with(tail));
        paths.filter_map(|path| path.into_os_string().into_string().ok()).take(MAX_NAMED).collect()
    }
}

/// Counts the lines of a file; `None` where it is none, or too long.
#[must_use]
pub fn line_count(path: &Path) -> Option<u64> {
    let metadata = std::fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() > MAX_LENGTH {
        return None;
    }
    let mut file = File::open(path).ok()?.take(MAX_LENGTH);
    let mut buffer = vec![0; 1 << 16];
    let (mut lines, mut last) = (0, b'\n');
    loop {
        let count = file.read(&mut buffer).ok()?;
        let Some(bytes) = buffer.get(..count).filter(|bytes| !bytes.is_empty()) else { break };
        lines += bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
        last = bytes.last().copied().unwrap_or(last);
    }
    Some(lines + u64::from(last != b'\n'))
}

#[cfg(test)]
mod tests {
    use super::{FileNames, line_count};

    #[test]
    fn files_are_found_by_the_ends_of_their_paths() {
        let root = std::env::temp_dir().join(format!("behavior-names-{}", std::process::id()));
        for path in ["src/a.rs", "core/src/a.rs", "b.rs", ".git/c.rs"] {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x\ny").unwrap();
        }
        let names = FileNames::below(root.clone()).unwrap();
        assert_eq!(names.ending_in("a.rs").len(), 2);
        assert_eq!(names.ending_in("src/a.rs").len(), 2);
        assert_eq!(names.ending_in("core/src/a.rs").len(), 1);
        assert_eq!(names.ending_in("rc/a.rs"), [""; 0]);
        assert_eq!(names.ending_in("c.rs"), [""; 0]);
        assert_eq!(line_count(&root.join("b.rs")), Some(2));
        assert_eq!(line_count(&root), None);
        std::fs::remove_dir_all(root).unwrap();
    }
}
