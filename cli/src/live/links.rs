//! What a shell's pattern finds, and whether that lies behind a link that leads out of where it looks. Directories are
//! listed, none is changed.

use std::path::{Path, PathBuf};

use behavior_shell::globs;

/// No more entries of directories are looked at; what has more is taken to have such a link.
const MAX_ENTRIES: usize = 20_000;

/// No more entries are looked at to tell what a pattern finds.
const MAX_LISTED: usize = 5_000;

/// Returns whether a path has signs in it that stand for others.
#[must_use]
pub fn has_sign(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().iter().any(|byte| matches!(byte, b'*' | b'?' | b'['))
}

/// Returns what a shell expands a pattern to: hidden files only where it says so. `None` where there is too much to look at, as
/// behind `**`.
#[must_use]
pub fn expansion(pattern: &Path) -> Option<Vec<PathBuf>> {
    const MAX_FOUND: usize = 64;
    let mut parts = pattern.components();
    if parts.any(|part| part.as_os_str().as_encoded_bytes().windows(2).any(|two| two == b"**")) {
        return None;
    }
    find(pattern, false).filter(|found| found.len() <= MAX_FOUND)
}

/// Returns what a pattern finds, where `**` stands for any number of directories: hidden files as well as others, and
/// nothing that git keeps for itself. `None` where there is too much to look at.
#[must_use]
pub fn found(pattern: &Path) -> Option<Vec<PathBuf>> {
    find(pattern, true)
}

fn find(pattern: &Path, with_hidden: bool) -> Option<Vec<PathBuf>> {
    let mut left = MAX_LISTED;
    let mut places = vec![PathBuf::new()];
    for part in pattern.components() {
        let part = Path::new(part.as_os_str());
        let mut next = Vec::new();
        for place in places {
            match part.to_str() {
                Some("**") => {
                    next.push(place.clone());
                    below(&place, &mut left, &mut next)?;
                }
                Some(name) if has_sign(part) => {
                    let fits = |path: &PathBuf| {
                        let own = path.file_name().and_then(|own| own.to_str());
                        let is_seen = |own: &str| {
                            with_hidden || name.starts_with('.') || !own.starts_with('.')
                        };
                        own.is_none_or(|own| is_seen(own) && globs::meet(name, own))
                    };
                    next.extend(entries(&place, &mut left)?.into_iter().filter(fits));
                }
                _ => next.push(place.join(part)),
            }
        }
        places = next;
    }
    places.retain(|place| place.symlink_metadata().is_ok());
    places.sort_unstable();
    places.dedup();
    Some(places)
}

/// Adds all directories below one, links left out.
fn below(place: &Path, left: &mut usize, found: &mut Vec<PathBuf>) -> Option<()> {
    let mut open = vec![place.to_owned()];
    while let Some(place) = open.pop() {
        let is_folder = |path: &PathBuf| path.is_dir() && !path.is_symlink();
        let folders = entries(&place, left)?.into_iter().filter(is_folder);
        let start = found.len();
        found.extend(folders);
        open.extend(found.iter().skip(start).cloned());
    }
    Some(())
}

/// What lies in a directory; `None` where no more may be looked at.
fn entries(place: &Path, left: &mut usize) -> Option<Vec<PathBuf>> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        *left = left.checked_sub(1)?;
        if entry.file_name() != ".git" {
            all.push(entry.path());
        }
    }
    Some(all)
}

/// Returns whether a pattern, `target/*/*`, passes through a link that leads out of the directory that it names before its
/// first sign.
#[must_use]
pub fn pass_out(pattern: &str) -> bool {
    let parts: Vec<&str> = pattern.split('/').collect();
    let has_sign = |part: &&str| part.contains(['*', '?', '[']);
    let Some(first) = parts.iter().position(has_sign) else { return false };
    let top = PathBuf::from(parts.get(..first).unwrap_or_default().join("/"));
    let top = if top.as_os_str().is_empty() && pattern.starts_with('/') { "/".into() } else { top };
    // What the last part finds is taken itself, and nothing behind it.
    let passed = parts.get(first..parts.len().saturating_sub(1)).unwrap_or_default();
    if passed.is_empty() {
        return false;
    }
    let Ok(real) = top.canonicalize() else { return false };
    let mut left = MAX_ENTRIES;
    let mut places = vec![top];
    for part in passed {
        let mut next = Vec::new();
        for place in places {
            if !step(&place, part, &real, &mut left, &mut next) {
                return true;
            }
        }
        places = next;
    }
    false
}

/// Adds the directories that a part of a pattern finds in a place; `false` where one lies elsewhere, or there are too many.
fn step(place: &Path, part: &str, top: &Path, left: &mut usize, found: &mut Vec<PathBuf>) -> bool {
    for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
        *left = left.saturating_sub(1);
        if *left == 0 {
            return false;
        }
        let path = entry.path();
        let is_found = entry.file_name().to_str().is_none_or(|name| globs::meet(part, name));
        if !is_found || !path.is_dir() {
            continue;
        }
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if is_link && !path.canonicalize().is_ok_and(|real| real.starts_with(top)) {
            return false;
        }
        found.push(path);
    }
    true
}
