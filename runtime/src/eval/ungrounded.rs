//! Which claims of a text have no ground. What nobody can tell stays open.

use behavior_intent::fences::Fences;

use super::Machine;
use crate::decision::Phase;
use behavior_facts::file_claims::{Claim, claims};
use behavior_facts::path;
use behavior_facts::truth::Truth;

/// How much of a text is looked at, in bytes.
const MAX_TEXT: usize = 1 << 16;

/// Of a short path, no more files than these are looked at: one of many may be meant.
const MAX_MEANT: usize = 4;

/// What becomes of a claim.
enum Ground {
    /// It is there, or somebody spoke of it.
    Found,
    /// There is no such file.
    NoFile,
    /// The file has fewer lines: so many, where that is known.
    Short(Option<u64>),
    /// Nobody can tell.
    Unknown(String),
}

impl Machine<'_> {
    /// Whether the text points at something that is not there; what exactly goes to
    /// [`Machine::ungrounded`].
    pub(super) fn has_ungrounded_claims(&mut self) -> Truth {
        let mut text = self.context.text;
        // At the end of a response that does not repeat its last message.
        if self.context.phase == Phase::TurnEnd && text.trim().is_empty() {
            text = self.state.response.as_deref().unwrap_or_default();
        }
        let mut ungrounded = Vec::new();
        let mut missing = None;
        let text = text.get(..text.floor_char_boundary(MAX_TEXT)).unwrap_or(text);
        let mut fences = Fences::default();
        for claim in claims(text.lines().filter(|line| fences.is_outside(line))) {
            match self.ground(&claim) {
                Ground::Found => {}
                Ground::NoFile => ungrounded.push(format!("`{}` is not there", claim.path)),
                Ground::Short(lines) => ungrounded.push(behind_the_end(&claim, lines)),
                Ground::Unknown(needs) => missing = missing.or(Some(needs)),
            }
        }
        let result = match (ungrounded.is_empty(), missing) {
            (false, _) => Truth::True,
            (true, Some(needs)) => {
                self.miss(needs);
                Truth::Unknown
            }
            (true, None) => Truth::False,
        };
        if self.answers.is_some() || !ungrounded.is_empty() {
            self.answers().ungrounded = ungrounded;
        }
        result
    }

    fn ground(&mut self, claim: &Claim<'_>) -> Ground {
        let mut scratch = String::new();
        let full = match path::on_drive(claim.path, self.cwd) {
            Some(path) => path,
            None => path::normalise(claim.path, self.cwd, &mut scratch).to_owned(),
        };
        let is_there = self.host.exists(&full);
        if is_there == Some(true) && claim.path.contains('/') {
            return self.has_line(claim, &[full]);
        }
        // A short path may be seen from anywhere in the project.
        let meant = match claim.path.starts_with('/') {
            true => None,
            false => self.host.files_ending_in(claim.path),
        };
        match (is_there, meant) {
            (Some(true), None) => self.has_line(claim, &[full]),
            (_, Some(files)) if !files.is_empty() => self.has_line(claim, &files),
            _ if self.state.names.as_ref().is_some_and(|names| names.have(claim.path)) => {
                Ground::Found
            }
            (Some(true), _) => Ground::Found,
            (Some(false), Some(_)) => Ground::NoFile,
            (Some(false), None) if claim.path.starts_with('/') => self.is_elsewhere(&full),
            (None, _) | (Some(false), None) => {
                Ground::Unknown(format!("whether `{}` exists", claim.path))
            }
        }
    }

    /// An absolute path may be one of another machine; not so where its directory is on this one.
    fn is_elsewhere(&mut self, full: &str) -> Ground {
        let directory = full.rsplit_once('/').map_or("", |(directory, _)| directory);
        match self.host.exists(directory) {
            _ if directory.is_empty() => Ground::Found,
            Some(false) => Ground::Found,
            Some(true) | None => Ground::NoFile,
        }
    }

    /// Whether one of the files that may be meant has the line.
    fn has_line(&mut self, claim: &Claim<'_>, files: &[String]) -> Ground {
        let Some(line) = claim.line.map(u64::from).filter(|_| files.len() <= MAX_MEANT) else {
            return Ground::Found;
        };
        let mut longest = Some(0);
        for file in files {
            match self.host.line_count(file) {
                Some(lines) if lines >= line => return Ground::Found,
                Some(lines) => longest = longest.map(|most| lines.max(most)),
                None => {
                    let size = self.host.fingerprint(file).and_then(|known| known.size);
                    // Each line takes a byte at least.
                    if size.is_none_or(|size| size >= line) {
                        return Ground::Unknown(format!("how many lines `{}` has", claim.path));
                    }
                    longest = None;
                }
            }
        }
        Ground::Short(longest)
    }
}

/// What is said of a claim whose line the file does not have.
fn behind_the_end(claim: &Claim<'_>, lines: Option<u64>) -> String {
    let (path, line) = (claim.path, claim.line.unwrap_or_default());
    match lines {
        Some(1) => format!("`{path}:{line}`: the file has one line"),
        Some(lines) => format!("`{path}:{line}`: the file has {lines} lines"),
        None => format!("`{path}:{line}`: the file has fewer lines"),
    }
}
