//! What comes out of an archive that the line makes itself, into a file or into a pipe: it lands where an archiver unpacks
//! it, by the names under which it went in. Knows archivers by their programs.

use super::Search;
use super::file::{Effect, Extent};
use super::used::Words;
use crate::directories::{Directory, join};
use crate::{Command, RedirectKind};

/// No more commands before one are looked at.
const MAX_BEFORE: usize = 64;

impl<'a> Search<'a> {
    /// What comes out of an archive that another command of the pipe makes, or of the list of files that it prints.
    pub(super) fn unpacked(&mut self, index: usize, words: &Words<'a>, directory: &Directory) {
        let Some(command) = self.line.commands().get(index) else { return };
        let range = command.input.start as usize..command.input.end as usize;
        let passes = self.has_flag(words, &["p", "pass-through"]);
        for at in range {
            let Some(maker) = self.line.commands().get(at) else { return };
            match self.line.program(maker) {
                Some("tar" | "gtar" | "bsdtar") if self.extracts(command, words) => {
                    self.unpacked_from(index, at, words, directory);
                }
                Some("git") if self.extracts(command, words) && self.is_archive_of_git(maker) => {
                    self.unpacked_from(index, at, words, directory);
                }
                _ if passes => self.passed_on(index, at, words, directory),
                _ => {}
            }
        }
        if self.extracts(command, words) {
            self.unpacked_file(index, words, directory);
        }
    }

    /// What comes out of an archive in a file that a command before has made.
    fn unpacked_file(&mut self, index: usize, words: &Words<'a>, directory: &Directory) {
        let Some(command) = self.line.commands().get(index) else { return };
        let Some(name) = self.archive_of(command, words) else { return };
        let to = match self.value_of(words, &["d", "o"]) {
            Some(folder) if !self.is_tar(command) => {
                Directory { path: join(&directory.path, folder), ..Directory::default() }
            }
            _ => directory.clone(),
        };
        for at in index.saturating_sub(MAX_BEFORE)..index {
            let Some(maker) = self.line.commands().get(at) else { return };
            let Some(packed) = self.words(maker).filter(|packed| self.packs(maker, packed)) else {
                continue;
            };
            if self.archive_of(maker, &packed) == Some(name) {
                self.unpacked_from(index, at, words, &to);
            }
        }
    }

    /// Whether a command takes files out of an archive.
    fn extracts(&self, command: &Command, words: &Words<'a>) -> bool {
        let is_listed = |names| self.has_flag(words, names);
        match self.line.program(command) {
            Some("unzip" | "bsdunzip" | "unar") => !is_listed(&["l", "t", "v", "p", "Z"]),
            Some("7z" | "7za" | "7zr" | "7zz" | "unrar" | "rar") => self.says(command, &["x", "e"]),
            Some("cpio") => is_listed(&["i", "extract"]),
            Some("pax") => is_listed(&["r"]),
            _ => is_listed(&["x", "extract", "get"]) && !is_listed(&["O"]),
        }
    }

    /// Whether a command puts files into an archive.
    fn packs(&self, command: &Command, words: &Words<'a>) -> bool {
        match self.line.program(command) {
            Some("zip") => true,
            Some("7z" | "7za" | "7zr" | "7zz" | "rar") => self.says(command, &["a", "u"]),
            Some("tar" | "gtar" | "bsdtar" | "jar") => self.has_flag(words, &["c", "r", "u"]),
            Some("pax") => self.has_flag(words, &["w"]),
            Some("git") => self.is_archive_of_git(command),
            _ => false,
        }
    }

    fn is_archive_of_git(&self, command: &Command) -> bool {
        let mut words = self.line.words(command).iter().skip(1);
        words.any(|word| self.line.text(word) == "archive")
    }

    /// Whether a command's first word behind its program is one of some.
    fn says(&self, command: &Command, known: &[&str]) -> bool {
        let first = self.line.words(command).get(1);
        first.is_some_and(|word| known.contains(&self.line.text(word)))
    }

    fn is_tar(&self, command: &Command) -> bool {
        matches!(self.line.program(command), Some("tar" | "gtar" | "bsdtar" | "jar" | "pax"))
    }

    /// The last part of the name of the archive that a command makes or takes apart, without the ending that some put
    /// there themselves.
    fn archive_of(&self, command: &Command, words: &Words<'a>) -> Option<&'a str> {
        let redirected = || {
            let mut redirects = self.line.redirects(command).iter();
            let named = redirects.find(|redirect| {
                matches!(redirect.kind, RedirectKind::Read | RedirectKind::Write)
            })?;
            Some(self.line.text(&self.line.target(named)))
        };
        let flag = self.value_of(words, &["f", "F", "file", "output"]);
        let first = || words.operands.first().map(|word| self.line.text(word));
        let path = match self.line.program(command) {
            Some("tar" | "gtar" | "bsdtar" | "jar" | "pax" | "cpio" | "git") => {
                flag.filter(|name| *name != "-").or_else(redirected)
            }
            _ => first(),
        };
        let name = path?.rsplit('/').next()?;
        Some(name.strip_suffix(".zip").unwrap_or(name)).filter(|name| !name.is_empty())
    }

    /// What the files are called that a command puts into an archive.
    fn packed_names(&self, command: &Command, packed: &Words<'a>) -> Vec<&'a str> {
        let skipped = match self.line.program(command) {
            // The archive, or the commit, stands before them.
            Some("zip" | "git" | "7z" | "7za" | "7zr" | "7zz" | "rar") => 1,
            _ => 0,
        };
        let names = packed.operands.iter().skip(skipped);
        names.map(|word| self.line.text(word)).collect()
    }

    /// What an archive that a command makes writes where another takes it apart: all that goes in, by the names that it
    /// has there.
    fn unpacked_from(&mut self, index: usize, maker: usize, out: &Words<'a>, to: &Directory) {
        let Some(command) = self.line.commands().get(maker) else { return };
        let (Some(packed), Some(from)) = (self.words(command), self.own.get(maker)) else { return };
        let from = self.entered_by_flag(&packed, from.clone());
        let renamed = |words: &Words<'a>| {
            self.value_of(words, &["transform", "xform", "s"]).and_then(replacement)
        };
        for name in [renamed(&packed), renamed(out)].into_iter().flatten() {
            self.add(index, Effect::Write, Extent::Tree, join(&to.path, name), false);
        }
        let here = to.name().to_owned();
        for name in self.packed_names(command, &packed) {
            match name.trim_end_matches('/') {
                "." | "" | "*" => {
                    self.add(index, Effect::Write, Extent::Within, here.clone(), false);
                    if let Some(added) = self.found.last_mut() {
                        added.out_of = Some(join(&from.path, "."));
                    }
                }
                name => {
                    let is_pattern = name.contains(['*', '?', '[']);
                    let path = join(&to.path, name.trim_start_matches('/'));
                    self.add(index, Effect::Write, Extent::Tree, path, is_pattern);
                }
            }
        }
    }
}

/// What names become by the expression of a `--transform`, where that is constant: `s/OLD/NEW/`.
fn replacement(expression: &str) -> Option<&str> {
    let rest = expression.strip_prefix('s').unwrap_or(expression);
    let sign = rest.chars().next()?;
    let new = rest.split(sign).nth(2)?;
    (!new.is_empty() && !new.contains(['&', '\\'])).then_some(new)
}
