//! Archives that a line makes and then runs as a program of a language: `python3 x.zip`. What is in one that code or a
//! program wrote is not known; into one that a program makes of files goes what the line wrote before.

use super::languages::{self, Language};
use super::line::CommandLine;
use super::written::{self, Written};

/// What runs where an archive does.
#[derive(Debug)]
pub(super) enum Archive {
    /// Nobody knows what is in it.
    Unknown,
    /// These files, and others that were there before.
    Files(Vec<Written>),
}

/// What a file is as a program of a language, if it is an archive that the commands of a line before another may make.
pub(super) fn archive(
    line: &CommandLine,
    language: Language,
    path: &str,
    before: usize,
) -> Option<Archive> {
    if !languages::is_archive(language, path) || !written::may_be_own(line, path, before) {
        return None;
    }
    if written::file(line, path, before).is_some() {
        return Some(Archive::Unknown);
    }
    let is_code = |path: &String| path.ends_with(".py");
    let paths = written::paths(line, before).into_iter().filter(is_code);
    let files = paths.filter_map(|path| written::file(line, &path, before));
    Some(Archive::Files(files.collect()))
}
