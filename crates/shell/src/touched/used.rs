//! What a program does with the files that its words name: the program of a command, its flags and its operands, and what the
//! table of programs says of them.

use super::file::{Effect, Extent, Touched};
use super::{Search, behind_stack};
use crate::arguments::{Argument, Arguments, Flag, FlagName};
use crate::directories::{Directory, join};
use crate::programs::{FileEffect, FilePlace, FileUse, Program, Traits};
use crate::{Command, CommandLine, HOLE, MAX_DEPTH, Word};

/// What stands among the flags that a use of files asks for where it is some operand.
const ANY_OPERAND: &str = "*";

/// The words behind a program.
pub(super) struct Words<'a> {
    /// The program, then the subcommand that is selected.
    pub programs: Vec<Program<'a>>,
    pub flags: Vec<Flag>,
    pub operands: Vec<Word>,
    /// All of them, as they are written.
    pub all: &'a [Word],
    /// Whether other words may follow.
    pub more: bool,
}

impl Words<'_> {
    /// Whether they change the repository of the directory in which they run.
    pub fn change_repository(&self) -> bool {
        let Some(program) = self.programs.last() else { return false };
        let says_more = || {
            let mut own = self.flags.iter().filter(|flag| !flag.is_global);
            self.more || !self.operands.is_empty() || own.any(|flag| flag.value.is_some())
        };
        program.has(Traits::REPOSITORY) && (!program.has(Traits::LOOKS_ALONE) || says_more())
    }
}

impl<'a> Search<'a> {
    pub(super) fn words(&self, command: &Command) -> Option<Words<'a>> {
        let program = self.programs.at(command.known()?);
        let line = self.line;
        let mut arguments = Arguments::new(line, line.words(command), Some(program));
        let mut words = Words {
            programs: vec![program],
            flags: Vec::new(),
            operands: Vec::new(),
            all: line.words(command),
            more: command.more,
        };
        while let Some(argument) = arguments.next() {
            match argument {
                Argument::Flag(flag) => words.flags.push(flag),
                Argument::Unknown(word) => words.operands.push(word),
                Argument::Operand(word) => {
                    let selected = arguments.program().filter(|selected| {
                        words.programs.last().is_none_or(|last| !selected.is(last))
                    });
                    match selected {
                        Some(selected) if words.programs.len() < MAX_DEPTH as usize => {
                            words.programs.push(selected);
                        }
                        _ => words.operands.push(word),
                    }
                }
            }
        }
        Some(words)
    }

    /// The directory behind flags such as `-C` of `git` and `make`.
    pub(super) fn entered_by_flag(&self, words: &Words<'a>, mut directory: Directory) -> Directory {
        for program in &words.programs {
            let uses = program.file_uses().filter(|(_, file)| file.effect == FileEffect::WorksIn);
            for (_, file) in uses.filter(|&(number, _)| self.holds(words, *program, number)) {
                for word in self.named(words, *program, &file) {
                    directory = directory.entered_by(self.line, &word);
                }
            }
        }
        directory
    }

    pub(super) fn uses(&mut self, index: usize, words: &Words<'a>, directory: &Directory) {
        let Some(&program) = words.programs.last() else { return };
        for (number, file) in program.file_uses() {
            if file.effect == FileEffect::WorksIn || !self.holds(words, program, number) {
                continue;
            }
            if self.is_of_programs && is_output(&file) {
                continue;
            }
            let is_remote = |word: &Word| {
                let text = self.line.text(word);
                let head = text.split('/').next().unwrap_or_default();
                program.has(Traits::REMOTE) && head.contains(':')
            };
            let named: Vec<Word> = self.named(words, program, &file);
            if program.has(Traits::CHOOSES_BY_NAME) && file.place == FilePlace::Operands {
                self.chosen(index, words, (program, number), &named, directory);
                continue;
            }
            let named: Vec<Word> = named.into_iter().filter(|word| !is_remote(word)).collect();
            self.file_use(index, words, &file, &named, directory);
        }
    }

    /// Whether the flags, and the operands, that a use of files asks for are there.
    pub(super) fn holds(&self, words: &Words<'a>, program: Program<'a>, number: u32) -> bool {
        let has = |wanted: &str| {
            if wanted == ANY_OPERAND {
                return !words.operands.is_empty();
            }
            let (name, value) = match wanted.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (wanted, None),
            };
            let is_given = |flag: &Flag| flag.value.map(|word| self.line.text(&word)) == value;
            let is = |flag: &Flag| self.flag_name(flag, program) == name;
            words.flags.iter().any(|flag| is(flag) && (value.is_none() || is_given(flag)))
        };
        program.file_use_flags(number, false).all(has)
            && !program.file_use_flags(number, true).any(has)
    }

    pub(super) fn flag_name(&self, flag: &Flag, program: Program<'a>) -> &'a str {
        match flag.name {
            FlagName::Known(id) => program.text(id),
            FlagName::Written(word) => self.line.text(&word),
        }
    }

    /// The words that name the files of a use.
    pub(super) fn named(
        &self,
        words: &Words<'a>,
        program: Program<'a>,
        file: &FileUse,
    ) -> Vec<Word> {
        let operands = &words.operands;
        let name = file.name.map(|name| program.text(name)).unwrap_or_default();
        match file.place {
            FilePlace::Operands => operands.clone(),
            FilePlace::First => operands.iter().take(1).copied().collect(),
            FilePlace::Rest => operands.iter().skip(1).copied().collect(),
            FilePlace::Last if operands.len() < 2 => Vec::new(),
            FilePlace::Last => operands.last().copied().into_iter().collect(),
            FilePlace::Others => {
                operands.iter().take(operands.len().saturating_sub(1)).copied().collect()
            }
            FilePlace::Stems => operands.iter().filter_map(|word| self.stem(word)).collect(),
            FilePlace::Here | FilePlace::Own => Vec::new(),
            FilePlace::Flag => {
                let (name, is_behind_sign) = match name.strip_suffix('@') {
                    Some(name) => (name, true),
                    None => (name, false),
                };
                let is = |flag: &&Flag| self.flag_name(flag, program) == name;
                let values = words.flags.iter().filter(is).filter_map(|flag| flag.value);
                match is_behind_sign {
                    true => values.filter_map(|value| behind_sign(self.line, value)).collect(),
                    false => values.collect(),
                }
            }
            FilePlace::Inside => {
                words.all.iter().skip(1).flat_map(|word| self.inside(word, name)).collect()
            }
            // A commit, and a file in it.
            FilePlace::Behind if name == ":" => {
                let behind = |word: &Word| {
                    let at = self.line.text(word).find(':')?;
                    Some(word.part(word.start + at as u32 + 1))
                };
                operands.iter().filter_map(behind).collect()
            }
            FilePlace::Behind => operands
                .iter()
                .filter(|word| self.line.text(word).starts_with(name))
                .map(|word| self.behind(word, name))
                .collect(),
        }
    }

    /// What stands in a word behind each text of a name that begins there something new: `F` of `-Wl,-Map,F`.
    fn inside(&self, word: &Word, name: &str) -> Vec<Word> {
        let text = self.line.text(word);
        let begins = |at: usize| {
            text.get(..at)
                .is_some_and(|before| before.is_empty() || before.ends_with([',', '=', ' ', '\t']))
        };
        let file = |at: usize| {
            let behind = text.get(at + name.len()..)?;
            let blanks = behind.len() - behind.trim_start().len();
            let end = behind.find(',').unwrap_or(behind.len());
            let start = word.start + (at + name.len() + blanks) as u32;
            let end = word.start + (at + name.len() + end) as u32;
            (start < end).then(|| word.part(start).until(end))
        };
        let places = text.match_indices(name).map(|(at, _)| at);
        places.filter(|at| begins(*at)).filter_map(file).collect()
    }

    /// A word without the last ending of the name in it, if it has one.
    fn stem(&self, word: &Word) -> Option<Word> {
        let text = self.line.text(word);
        let name = text.rfind('/').map_or(0, |slash| slash + 1);
        let dot = text.rfind('.').filter(|dot| *dot > name)?;
        Some(word.until(word.start + dot as u32))
    }

    /// What stands in a word behind a text that it begins with: up to the options behind it, where that is the kind of an
    /// address, as in `OPEN:FILE,trunc`.
    fn behind(&self, word: &Word, name: &str) -> Word {
        let start = word.start + name.len() as u32;
        let rest = self.line.text(word).get(name.len()..).unwrap_or_default();
        match rest.find(',').filter(|_| name.ends_with(':')) {
            Some(comma) => word.part(start).until(start + comma as u32),
            None => word.part(start),
        }
    }

    fn file_use(
        &mut self,
        index: usize,
        words: &Words<'a>,
        file: &FileUse,
        named: &[Word],
        directory: &Directory,
    ) {
        let (effect, extent) = match file.effect {
            FileEffect::Reads => (Effect::Read, Extent::Tree),
            FileEffect::Writes | FileEffect::Makes => (Effect::Write, Extent::Tree),
            FileEffect::Deletes => (Effect::Delete, Extent::Tree),
            FileEffect::Fills => (Effect::Write, Extent::Within),
            FileEffect::Changes => return self.change(index, words, named, directory),
            FileEffect::Receives => return self.receive(index, words, named, directory),
            FileEffect::WorksIn | FileEffect::RunsAnew => return,
        };
        if file.place == FilePlace::Here {
            let here = directory.name().to_owned();
            if file.effect == FileEffect::Fills {
                self.fetched(index, words, &here);
            }
            self.add(index, effect, extent, here, false);
        }
        if let (FilePlace::Own, Some(name)) = (file.place, file.name) {
            let Some(program) = words.programs.last() else { return };
            let path = join(&directory.path, program.text(name));
            self.add(index, effect, extent, path, false);
        }
        if file.effect == FileEffect::Makes && file.place == FilePlace::Last && named.is_empty() {
            self.copied(index, words, directory);
        }
        for word in named {
            let before = self.found.len();
            if file.effect == FileEffect::Fills {
                self.fetched(index, words, &join(&directory.path, self.line.text(word)));
            }
            self.word(index, effect, extent, word, directory);
            self.matched(index, words, (effect, extent), word, directory);
            if file.effect == FileEffect::Makes {
                self.made.extend(self.found.get(before..).unwrap_or_default().iter().cloned());
            }
        }
        let takes_more = matches!(
            file.place,
            FilePlace::Operands | FilePlace::Rest | FilePlace::Others | FilePlace::First
        );
        if words.more && takes_more {
            match self.found_by_parent(index) {
                Some((of_found, found)) => self.add_all(index, effect, of_found, found),
                None => self.add(index, effect, extent, HOLE.to_string(), false),
            }
        }
    }

    /// The files that a program finds for a pattern of its own, whose `*` stands for slashes, too: `git rm 'beh*'`.
    fn matched(
        &mut self,
        index: usize,
        words: &Words<'a>,
        (effect, extent): (Effect, Extent),
        word: &Word,
        directory: &Directory,
    ) {
        let matches = words.programs.last().is_some_and(|it| it.has(Traits::MATCHES_PATTERNS));
        if !matches || effect == Effect::Read {
            return;
        }
        let text = self.line.text(word);
        // All but what is named, or by signs of its own: `:!src`, `:(glob)**`.
        if let Some(magic) = text.strip_prefix(':').filter(|magic| !magic.is_empty()) {
            let named = magic.trim_start_matches(['/', '(']).rsplit(')').next().unwrap_or(magic);
            match magic.starts_with(['!', '^']) || magic.contains("exclude") {
                true => self.add(index, effect, Extent::Tree, join(&directory.path, "*"), true),
                false => self.add(index, effect, extent, join(&directory.path, named), true),
            }
        } else if text.contains(['*', '?', '[']) {
            let (any, below) = (text.starts_with('*'), text.ends_with('*'));
            let deeper = any.then(|| format!("**/{text}"));
            let within = below.then(|| format!("{text}/**"));
            for pattern in [Some(text.to_owned()), deeper, within].into_iter().flatten() {
                self.add(index, effect, extent, join(&directory.path, &pattern), true);
            }
        }
    }

    /// What is copied from an address, and given no name, has the one that the address ends in.
    fn copied(&mut self, index: usize, words: &Words<'a>, directory: &Directory) {
        let [address] = words.operands.as_slice() else { return };
        let name = own_name(self.line.text(address));
        if !matches!(name, "" | "." | "..") && !name.contains(['~', '$', '*', '?', '[', HOLE]) {
            let path = join(&directory.path, name);
            self.add(index, Effect::Write, Extent::Tree, path, false);
            self.made.extend(self.found.last().cloned());
        }
    }

    /// What is fetched from an address into a directory has the name that the address ends in.
    fn fetched(&mut self, index: usize, words: &Words<'a>, folder: &str) {
        for word in &words.operands {
            let Some((_, address)) = self.line.text(word).split_once("://") else { continue };
            let path = address.split(['?', '#']).next().unwrap_or(address);
            let name = path.rsplit_once('/').map_or("", |(_, name)| name);
            if !matches!(name, "" | "." | "..") && !name.contains(HOLE) {
                self.add(index, Effect::Write, Extent::File, join(folder, name), false);
            }
        }
    }

    /// A file that may be written, or a directory some of whose files may be.
    fn change(&mut self, index: usize, words: &Words<'a>, named: &[Word], directory: &Directory) {
        for word in named {
            let text = self.line.text(word);
            let last = text.rsplit('/').next().unwrap_or_default();
            let is_directory = matches!(last, "" | "." | ".." | "~");
            if !is_directory {
                self.word(index, Effect::Write, Extent::File, word, directory);
                self.matched(index, words, (Effect::Write, Extent::File), word, directory);
            }
            // A name without an ending is most often one of a directory.
            if is_directory || !last.trim_start_matches('.').contains('.') {
                self.word(index, Effect::Write, Extent::Within, word, directory);
            }
        }
        if words.more {
            self.add(index, Effect::Write, Extent::Tree, HOLE.to_string(), false);
        }
    }

    /// A destination that is a file, or a directory in which the others land.
    fn receive(&mut self, index: usize, words: &Words<'a>, named: &[Word], directory: &Directory) {
        let is_remote = words.programs.iter().any(|it| it.has(Traits::REMOTE));
        // `cp -T`: what is copied takes the place of the destination, with all that is in it.
        let is_in_place = words
            .flags
            .iter()
            .any(|flag| words.programs.iter().any(|program| self.flag_name(flag, *program) == "T"));
        for word in named {
            let text = self.line.text(word);
            let sources = words.operands.iter().filter(|other| *other != word);
            let sources: Vec<&str> = sources.map(|source| self.line.text(source)).collect();
            self.brought_back(index, text, &sources);
            let is_directory = text.ends_with('/')
                || DIRECTORIES.contains(&text)
                || matches!(text.rsplit('/').next(), Some("." | ".." | "~"))
                || sources.len() > 1
                || !words.operands.contains(word);
            // A name without an ending is most often one of a directory.
            let last = text.rsplit('/').next().unwrap_or_default();
            let may_be_directory = is_directory || !last.trim_start_matches('.').contains('.');
            if !is_directory {
                self.word(index, Effect::Write, Extent::File, word, directory);
            }
            if may_be_directory {
                let folder = join(&directory.path, text);
                for source in &sources {
                    // All that is in a directory comes under its own name.
                    let in_place = Some(*source).filter(|_| is_in_place && !is_remote);
                    let contents = self.contents(words, source).or(in_place);
                    if let Some(contents) = contents {
                        let out_of = Some(join(&directory.path, contents));
                        self.add(index, Effect::Write, Extent::Within, folder.clone(), false);
                        if let Some(added) = self.found.last_mut() {
                            added.out_of = out_of;
                        }
                    }
                    let name = source.trim_end_matches('/').rsplit('/').next().unwrap_or(source);
                    // Behind the name of another machine.
                    let far = name.split_once(':').filter(|_| is_remote);
                    let name = far.map_or(name, |(_, name)| name);
                    let name = if matches!(name, "" | "." | "..") { "\u{FDD0}" } else { name };
                    // Whatever it is, it lands in the folder.
                    let lands = name.chars().all(|sign| sign == HOLE) && !folder.contains(HOLE);
                    let name = if lands { "*" } else { name };
                    let is_pattern = name.contains(['*', '?', '[']);
                    let path = join(&folder, name);
                    let out_of = match contents {
                        Some(contents) => join(&directory.path, contents),
                        None if lands => HOLE.to_string(),
                        None => join(&directory.path, above(source)),
                    };
                    if is_pattern && far.is_none() {
                        self.made_in(index, &out_of, &folder);
                    }
                    self.add(index, Effect::Write, Extent::Tree, path, is_pattern);
                    if let (None, Some(added)) = (far, self.found.last_mut()) {
                        added.out_of = Some(out_of);
                    }
                }
                if words.more {
                    self.add(index, Effect::Write, Extent::Within, folder, false);
                }
            }
        }
    }

    /// What the line wrote into a directory out of which all is copied: it lands in the other one under the same names.
    fn made_in(&mut self, index: usize, out_of: &str, folder: &str) {
        const MAX: usize = 32;
        let below = |path: &str| {
            let rest = path.strip_prefix(out_of)?.strip_prefix('/')?;
            Some(join(folder, rest))
        };
        let is_written =
            |touched: &&Touched| touched.effect == Effect::Write && !touched.is_pattern;
        let made = self.found.iter().filter(is_written);
        let made: Vec<String> = made.filter_map(|touched| below(&touched.path)).take(MAX).collect();
        for path in made {
            self.add(index, Effect::Write, Extent::File, path, false);
        }
    }

    /// What lands in a directory that the line has left: `cp FILE ~-`.
    fn brought_back(&mut self, index: usize, text: &str, sources: &[&str]) {
        let Some(rest) = behind_stack(text) else { return };
        for left in self.directories.left() {
            let folder = join(&left, rest);
            for source in sources {
                let name = source.trim_end_matches('/').rsplit('/').next().unwrap_or(source);
                self.add(index, Effect::Write, Extent::Tree, join(&folder, name), false);
            }
        }
    }

    /// The directory whose files come each by itself where a source is named so: by a sign for the directory itself, by
    /// a pattern for all of it, or for some programs by a slash.
    fn contents<'s>(&self, words: &Words<'a>, source: &'s str) -> Option<&'s str> {
        let is_copied_by_slash = words.programs.iter().any(|it| it.has(Traits::REMOTE));
        let named = source.strip_suffix("/*").or_else(|| source.strip_suffix("/."));
        let named = named.or_else(|| matches!(source, "*" | "." | "./").then_some("."));
        named.or_else(|| source.strip_suffix('/').filter(|_| is_copied_by_slash))
    }
}

/// What is a directory on every machine.
const DIRECTORIES: &[&str] = &[
    "/tmp",
    "/var/tmp",
    "/dev/shm",
    "/etc",
    "/opt",
    "/srv",
    "/mnt",
    "/home",
    "/root",
    "/bin",
    "/usr/bin",
    "/usr/local/bin",
];

/// What a copy of a repository is called that nobody gave a name.
pub fn own_name(address: &str) -> &str {
    let path = address.trim_end_matches('/');
    let path = path.strip_suffix("/.git").unwrap_or(path);
    let name = path.rsplit(['/', ':']).next().unwrap_or(path);
    name.strip_suffix(".git").unwrap_or(name)
}

/// Whether it is where a flag says that a program puts what it has to say: `psql -o FILE`.
fn is_output(file: &FileUse) -> bool {
    file.place == FilePlace::Flag && file.effect == FileEffect::Writes
}

/// The directory that a path names a file in.
fn above(path: &str) -> &str {
    match path.trim_end_matches('/').rsplit_once('/') {
        Some(("", _)) => "/",
        Some((directory, _)) => directory,
        None => ".",
    }
}

/// The name of a file in a value such as `@FILE` and `NAME=@FILE;type=TYPE`.
fn behind_sign(line: &CommandLine, value: Word) -> Option<Word> {
    let text = line.text(&value);
    // `@FILE`, `NAME=@FILE`, `NAME=<FILE`, `NAME@FILE`.
    let behind = |sign: &str| text.find(sign).map(|at| at + sign.len());
    let at = match text.starts_with('@') {
        true => 1,
        false => behind("=@").or_else(|| behind("=<")).or_else(|| behind("@"))?,
    };
    let quoted = text.get(at..)?.strip_prefix('"');
    let at = at + usize::from(quoted.is_some());
    let name = text.get(at..)?;
    let end = name.find(if quoted.is_some() { '"' } else { ';' }).unwrap_or(name.len());
    let start = value.start + at as u32;
    Some(value.part(start).until(start + end as u32))
}
