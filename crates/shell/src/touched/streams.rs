//! Files that come to a command through its input: a patch that says which files it changes, and a file that is open for reading and then written by the name of its descriptor.

use super::file::{Effect, Extent};
use super::used::Words;
use super::{MAX_FILES, Search};
use crate::arguments::Flag;
use crate::directories::{Directory, join};
use crate::given::{self, Input};
use crate::{Command, Redirect, RedirectKind, patch};

impl<'a> Search<'a> {
    /// What a command does with files that it is told of on its input.
    pub(super) fn by_input(&mut self, index: usize, words: &Words<'a>, directory: &Directory) {
        let Some(command) = self.line.commands().get(index) else { return };
        match self.line.program(command) {
            Some("patch" | "gpatch" | "apply_patch" | "applypatch") => {
                self.patched(index, words, directory);
            }
            Some("git") if self.is_of_patches(command) => self.patched(index, words, directory),
            Some(
                "tar" | "gtar" | "bsdtar" | "cpio" | "pax" | "unzip" | "bsdunzip" | "unar" | "7z"
                | "7za" | "7zr" | "7zz" | "unrar" | "rar" | "jar",
            ) => self.unpacked(index, words, directory),
            Some("curl") => self.configured(index, words, directory),
            _ => {}
        }
    }

    /// Whether a subcommand of git takes patches.
    fn is_of_patches(&self, command: &Command) -> bool {
        let mut words = self.line.words(command).iter().skip(1);
        words.any(|word| matches!(self.line.text(word), "apply" | "am"))
    }

    /// The files that a patch in the line names.
    fn patched(&mut self, index: usize, words: &Words<'a>, directory: &Directory) {
        let Some(command) = self.line.commands().get(index) else { return };
        let own = || {
            let texts = words.operands.iter().map(|word| self.line.text(word));
            texts.filter(|text| text.contains('\n')).collect::<Vec<_>>().join("\n")
        };
        let text = match given::input_to_file(self.line, command) {
            Input::Text(text) => text,
            _ => own(),
        };
        let mut files = patch::files(&text);
        let parts = self.value_of(words, &["p", "strip"]).and_then(|value| value.parse().ok());
        files.extend(parts.iter().flat_map(|parts| patch::files_without(&text, *parts)));
        for (effect, path) in files {
            self.add(index, effect, Extent::File, join(&directory.path, path), false);
        }
    }

    /// The value of a flag by one of its names.
    pub(super) fn value_of(&self, words: &Words<'a>, names: &[&str]) -> Option<&'a str> {
        let program = *words.programs.last()?;
        let is = |flag: &&Flag| names.contains(&self.flag_name(flag, program));
        let value = words.flags.iter().rev().find(is)?.value?;
        Some(self.line.text(&value))
    }

    pub(super) fn has_flag(&self, words: &Words<'a>, names: &[&str]) -> bool {
        let is = |flag: &Flag| {
            words.programs.last().is_some_and(|it| names.contains(&self.flag_name(flag, *it)))
        };
        words.flags.iter().any(is)
    }

    /// What `find … | cpio -p DIRECTORY` copies: what is found, by the names that it is found under.
    pub(super) fn passed_on(
        &mut self,
        index: usize,
        finder: usize,
        words: &Words<'a>,
        to: &Directory,
    ) {
        let found = self.printed_by(finder, &["print", "print0"]);
        let (Some((extent, found)), Some(folder)) = (found, words.operands.first()) else { return };
        let from = self.own.get(finder).map(|own| own.path.clone()).unwrap_or_default();
        let folder = join(&to.path, self.line.text(folder));
        for (path, is_pattern) in found {
            let name = path.strip_prefix(&*from).unwrap_or(&path).trim_start_matches('/');
            let name = name.strip_prefix("./").unwrap_or(name);
            if matches!(name, "" | ".") {
                self.add(index, Effect::Write, Extent::Within, folder.clone(), false);
                if let Some(added) = self.found.last_mut() {
                    added.out_of = Some(path);
                }
            } else {
                self.add(index, Effect::Write, extent, join(&folder, name), is_pattern);
            }
        }
    }

    /// What is written through the name of an open descriptor: `tee /dev/stdin < FILE`. Whichever it is, a file that the
    /// line opens for reading is meant.
    pub(super) fn through_descriptor(&mut self, index: usize, directory: &Directory) {
        // Another name of one tells no more.
        if self.wrote_through.replace(index) == Some(index) {
            return;
        }
        let line = self.line;
        for (at, command) in line.commands().iter().enumerate() {
            let of_command = self.own.get(at).filter(|_| at < index);
            let folder = of_command.unwrap_or(directory).path.clone();
            let reads = |redirect: &&Redirect| redirect.kind == RedirectKind::Read;
            for redirect in line.redirects(command).iter().filter(reads) {
                let word = line.target(redirect);
                let text = line.text(&word);
                if !text.starts_with("/dev/") {
                    self.add(
                        index,
                        Effect::Write,
                        Extent::File,
                        join(&folder, text),
                        word.is_glob(),
                    );
                }
                if self.found.len() > MAX_FILES {
                    return;
                }
            }
        }
    }
}
