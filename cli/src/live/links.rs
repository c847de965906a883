//! Whether a shell's pattern finds files behind a link that leads out of where it looks. Directories are listed, none is
//! changed.

use std::path::{Path, PathBuf};

use behavior_shell::globs;

/// No more entries of directories are looked at; what has more is taken to have such a link.
const MAX_ENTRIES: usize = 20_000;

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
