//! Files that `curl` reads and writes as its settings in the input or in a file of the line say, and those whose names it
//! makes of pieces of an address: `-o '#1' 'http://h/{a,b}'`. Source: <https://curl.se/docs/manpage.html>

use super::Search;
use super::file::{Effect, Extent};
use super::used::Words;
use crate::directories::{Directory, join};
use crate::given::{self, Input};
use crate::programs::{FileEffect, FilePlace};
use crate::written;

/// No more settings of one text are looked at, and no more names that pieces of addresses make.
const MAX: usize = 64;

impl<'a> Search<'a> {
    /// What `curl` does with files that no word of its own names.
    pub(super) fn configured(&mut self, index: usize, words: &Words<'a>, directory: &Directory) {
        let named = self.value_of(words, &["o", "output"]).filter(|name| name.contains('#'));
        let made = named.map(|name| self.globbed(words, name)).unwrap_or_default();
        for name in made {
            self.add(index, Effect::Write, Extent::File, join(&directory.path, &name), false);
        }
        let Some(text) = self.settings_of(index, words) else { return };
        for line in text.lines().take(MAX) {
            let Some((key, value)) = setting(line) else { continue };
            self.set(index, words, (key, value), directory);
        }
    }

    /// The settings that a command is given in its input, or in a file that the line writes.
    fn settings_of(&self, index: usize, words: &Words<'a>) -> Option<String> {
        let command = self.line.commands().get(index)?;
        match self.value_of(words, &["K", "config"])? {
            "-" | "/dev/stdin" => match given::input_to_file(self.line, command) {
                Input::Text(text) => Some(text),
                _ => None,
            },
            path => written::file(self.line, path, index).map(|file| file.text),
        }
    }

    /// What one setting does with the file that it names, as the flag of that name would.
    fn set(
        &mut self,
        index: usize,
        words: &Words<'a>,
        (key, value): (&str, &str),
        directory: &Directory,
    ) {
        let Some(program) = words.programs.last().copied() else { return };
        let Some(flag) = program.flag(key) else { return };
        let own = program.text(flag.canonical);
        for (_, file) in program.file_uses().filter(|(_, file)| file.place == FilePlace::Flag) {
            let name = file.name.map(|name| program.text(name)).unwrap_or_default();
            let path = match name.strip_suffix('@') {
                Some(name) if name == own => value.split_once('@').map(|(_, path)| path),
                Some(_) => None,
                None => (name == own).then_some(value),
            };
            let effect = match file.effect {
                FileEffect::Reads => Effect::Read,
                FileEffect::Writes => Effect::Write,
                _ => continue,
            };
            if let Some(path) = path {
                self.add(index, effect, Extent::File, join(&directory.path, path), false);
            }
        }
    }

    /// The names that `#1` and the like in a name become by the lists in addresses.
    fn globbed(&self, words: &Words<'a>, name: &str) -> Vec<String> {
        let addresses = words.operands.iter().map(|word| self.line.text(word));
        addresses.flat_map(|address| filled(name, address)).take(MAX).collect()
    }
}

/// A name with the items of the lists of an address in place of `#1`, `#2` and so on, in every way.
fn filled(name: &str, address: &str) -> Vec<String> {
    let lists = address.split('{').skip(1).filter_map(|rest| rest.split_once('}'));
    let mut names = vec![name.to_owned()];
    for (number, (list, _)) in lists.enumerate().take(9) {
        let sign = format!("#{}", number + 1);
        let with = |name: &String| {
            let name = name.clone();
            let sign = sign.clone();
            list.split(',').map(move |item| name.replace(&sign, item)).take(MAX)
        };
        if names.iter().any(|name| name.contains(&sign)) {
            names = names.iter().flat_map(with).take(MAX).collect();
        }
    }
    names.retain(|name| !name.contains('#'));
    names
}

/// The name and the value of a line of settings: `output = "FILE"`, `--output FILE`, `-o FILE`.
fn setting(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_start_matches('-');
    let (key, value) = line.split_once(['=', ':', ' ', '\t'])?;
    let value = value.trim_start_matches(['=', ':', ' ', '\t']).trim_end();
    let quoted = value.strip_prefix('"').and_then(|value| value.split('"').next());
    let value = quoted.unwrap_or(value);
    (!key.starts_with('#') && !value.is_empty()).then_some((key, value))
}
