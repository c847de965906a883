//! Path patterns, taken apart: what one starts from, what it names before its first sign, and which others it stands for.
//! Knows no files.

use behavior_image::View;
use behavior_image::format::{PatternRecord, Section};
use behavior_image::operand::Glob;
use behavior_shell::HOLE;

/// What a path glob starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Any directory.
    Any,
    /// The root of the file system.
    Root,
    /// The working directory.
    Cwd,
    /// The root of the repository.
    Repository,
    /// The user's home.
    Home,
}

impl Anchor {
    /// Returns the anchor of a glob of an image.
    #[inline]
    #[must_use]
    pub fn of_glob(view: View<'_>, glob: Glob) -> Self {
        let record: PatternRecord = view.row(Section::Patterns, glob.0);
        Self::of(view.string(record.source)).0
    }

    /// Returns the anchor of a glob, and the glob as it is seen from there.
    #[inline]
    #[must_use]
    pub fn of(glob: &str) -> (Self, &str) {
        let anchored = [("./", Self::Cwd), ("//", Self::Repository), ("~/", Self::Home)];
        for (prefix, anchor) in anchored {
            if let Some(rest) = glob.strip_prefix(prefix) {
                return (anchor, rest);
            }
        }
        (if glob.starts_with('/') { Self::Root } else { Self::Any }, glob)
    }
}

/// Returns what of a pattern stands before the first part of it that has signs.
#[must_use]
pub fn plain_head(glob: &str) -> &str {
    let Some(sign) = glob.find(['*', '?', '[']) else { return glob };
    let head = glob.get(..sign).unwrap_or_default();
    head.rsplit_once('/').map_or("", |(parts, _)| parts)
}

/// Returns the patterns that one with a list of signs in brackets stands for; `None` where there is none, or it says more than
/// which signs are meant.
#[must_use]
pub fn members(pattern: &str) -> Option<Vec<String>> {
    const MAX: usize = 16;
    let (before, behind) = pattern.split_once('[')?;
    let (signs, behind) = behind.split_once(']')?;
    let is_plain = signs.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_');
    let fits = is_plain && (1..=MAX).contains(&signs.len()) && pattern.matches('[').count() <= 2;
    fits.then(|| signs.chars().map(|sign| format!("{before}{sign}{behind}")).collect())
}

/// Returns up to where a path of which not all is known names a directory, in bytes.
#[must_use]
pub fn known_directory(full: &str) -> usize {
    let known = full.find(['*', '?', '[', HOLE]).unwrap_or(full.len());
    full.get(..known).and_then(|known| known.rfind('/')).unwrap_or(0)
}
