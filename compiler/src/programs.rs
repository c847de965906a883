//! What is known of programs, as one table: what is built in, with what configs and profiles add.
//! It reads flags as the runtime does, so that patterns and commands are compared in one spelling.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Bound;
use std::sync::Arc;

use behavior_shell::programs::Traits;
use behavior_shell::{FileEffect, FilePlace, FlagEffect, FlagValue, Language, Runs};
use foldhash::fast::RandomState;

use crate::ast::{self, FileUseConfig, ProgramConfig};
use crate::decode::{Named, OneOrMany, Reports};
use crate::diagnostic::Diagnostic;
use crate::ir::{FileUse, KnownFlag, ProgramKnowledge, Shape};
use crate::registry::diagnostics as d;
use crate::source::Span;
use crate::syntax::{Entry, Node};

/// Programs by the words that select them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    programs: BTreeMap<Path, Arc<Known>>,
    /// Commands by the words that they begin with, a list for those that mean the same.
    same: Vec<Arc<[Vec<Box<str>>]>>,
    /// Which of those lists have a command that begins with a word, by that word in lower case.
    same_by_first: HashMap<Box<str>, Vec<usize>, RandomState>,
    /// Whether it is the one of the library that a process keeps.
    is_library: bool,
}

/// The words that select a program.
type Path = Arc<[Box<str>]>;

/// Classes of commands, each a list of patterns and descriptions as `runs` takes them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classes {
    library: Arc<LibraryClasses>,
    own: BTreeMap<Box<str>, Vec<Node>>,
}

/// The classes of the standard library.
#[derive(Debug, Default)]
pub(crate) struct LibraryClasses {
    commands: BTreeMap<Box<str>, Vec<Node>>,
    /// Whether they are those that a process keeps.
    is_kept: bool,
}

impl LibraryClasses {
    /// The classes that the library declares; `is_kept` tells whether a process keeps them.
    pub fn new(classes: Option<Named<Vec<Node>>>, is_kept: bool) -> Self {
        let mut commands = BTreeMap::new();
        add_classes(&mut commands, classes);
        Self { commands, is_kept }
    }
}

impl Classes {
    /// Those of the library.
    pub fn of(library: Arc<LibraryClasses>) -> Self {
        Self { library, own: BTreeMap::new() }
    }

    /// Adds what is said of classes.
    pub fn add(&mut self, classes: Option<Named<Vec<Node>>>) {
        add_classes(&mut self.own, classes);
    }

    /// Whether there is a class.
    pub fn has(&self, name: &str) -> bool {
        self.library.commands.contains_key(name) || self.own.contains_key(name)
    }

    /// Whether nobody but the library that a process keeps says what classes are.
    pub fn is_library(&self) -> bool {
        self.library.is_kept && self.own.is_empty()
    }

    /// The commands of a class.
    pub fn get(&self, name: &str) -> impl Iterator<Item = &Node> {
        let both = [self.library.commands.get(name), self.own.get(name)];
        both.into_iter().flatten().flatten()
    }

    /// The names of all classes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let own = self.own.keys().filter(|name| !self.library.commands.contains_key(*name));
        self.library.commands.keys().chain(own).map(|name| &**name)
    }
}

fn add_classes(to: &mut BTreeMap<Box<str>, Vec<Node>>, classes: Option<Named<Vec<Node>>>) {
    for (name, commands) in classes.into_iter().flat_map(|classes| classes.0) {
        to.entry(name.value).or_default().extend(commands);
    }
}

#[derive(Clone, Debug, Default)]
struct Known {
    flags: BTreeMap<Arc<str>, Flag>,
    runs: Runs,
    skip: u32,
    traits: u32,
    settings: Vec<Box<str>>,
    harmless: Vec<Box<str>>,
    escapes: Vec<Box<str>>,
    language: Language,
    plus: Option<Box<str>>,
    uses: Vec<Arc<FileUse>>,
    runs_code: Option<Box<str>>,
}

#[derive(Clone, Debug)]
struct Flag {
    canonical: Arc<str>,
    value: FlagValue,
    effect: FlagEffect,
}

impl Flag {
    fn set(&mut self, value: FlagValue, effect: FlagEffect) {
        if value != FlagValue::None && self.value == FlagValue::None {
            self.value = value;
        }
        if effect != FlagEffect::Nothing {
            self.effect = effect;
        }
    }
}

/// A flag without dashes, however it is written.
fn undashed(flag: &str) -> &str {
    match flag.trim_start_matches('-') {
        "" => flag,
        name => name,
    }
}

fn texts(list: &Option<OneOrMany<Box<str>>>) -> impl Iterator<Item = &Box<str>> {
    list.iter().flat_map(|list| &list.0)
}

/// The words of `git push`, in lower case.
fn path_of(name: &str) -> Vec<Box<str>> {
    name.split_whitespace().map(|word| word.to_ascii_lowercase().into()).collect()
}

/// The fields of a program that list flags.
const FLAG_FIELDS: &[&str] = &[
    "same",
    "flags",
    "values",
    "two_values",
    "optional",
    "lines",
    "commands",
    "script",
    "input",
    "files",
    "setting_flags",
    "hidden",
    "entry",
    "encoded",
    "instead",
    "idle",
];

/// The fields that list what means the same, with what to do about a name that stands alone.
const SAME_FIELDS: &[(&str, &str)] = &[
    (
        "same",
        "list all spellings of the flag, such as `[f, force]`; one that is only to be known stands in \
         `flags`",
    ),
    (
        "same_subcommands",
        "list all names of the subcommand, such as `[install, i]`, or leave it out",
    ),
];

/// Reports names of programs and flags in a config that are none, and what says nothing of flags.
pub(crate) fn check_names(config: &Node, reports: &mut Reports) {
    let empty = |what: &str, span: Span, example: &str| {
        Diagnostic::new(&d::EMPTY_NAME, span, format!("the name of a {what} may not be empty"))
            .help(format!("write it, such as {example}"))
    };
    let is_empty = |text: &str| text.trim().is_empty();
    for entry in config.get("programs").and_then(Node::entries).unwrap_or_default() {
        if is_empty(&entry.key.text) {
            reports.push(empty("program", entry.key.span, "`git` or `git push`"));
        }
        let names = ["also", "same_programs", "same_subcommands"];
        for name in names.iter().filter_map(|field| entry.value.get(field)).flat_map(leaves) {
            if name.as_str().is_some_and(is_empty) {
                reports.push(empty("program", name.span, "`git` or `git push`"));
            }
        }
        let fields = FLAG_FIELDS.iter().filter_map(|field| entry.value.get(field));
        for flag in fields.flat_map(leaves) {
            if flag.as_str().is_some_and(|text| is_empty(text.trim_start_matches('-'))) {
                reports.push(empty("flag", flag.span, "`f` or `force`"));
            }
        }
        let uses = entry.value.get("touches").and_then(Node::items).unwrap_or_default();
        for place in uses.iter().filter_map(Node::entries).flatten().flat_map(file_places) {
            check_file_place(place, reports);
        }
        for (field, help) in SAME_FIELDS {
            let groups = entry.value.get(field).and_then(Node::items).unwrap_or_default();
            let is_alone = |group: &&Node| group.items().is_some_and(|names| names.len() == 1);
            for group in groups.iter().filter(is_alone) {
                let message = "one spelling alone means the same as no other";
                reports.push(Diagnostic::new(&d::NO_EFFECT, group.span, message).help(*help));
            }
        }
    }
}

/// The fields of a use of files that name flags, and no words of the command.
const FLAGS_OF_USE: [&str; 2] = ["with", "without"];

/// The texts of a field that say which words of a command name files.
fn file_places(entry: &Entry) -> Vec<&Node> {
    if FLAGS_OF_USE.contains(&&*entry.key.text) { Vec::new() } else { leaves(&entry.value) }
}

/// Whether a text is the path of a file that a program has for itself.
fn is_path(text: &str) -> bool {
    text == "/"
        || ["./", "~/", "/"].iter().any(|start| text.len() > start.len() && text.starts_with(start))
}

/// Reports a text that says nothing of the words of a command.
fn check_file_place(place: &Node, reports: &mut Reports) {
    let Some(text) = place.as_str() else { return };
    let names =
        || FilePlace::ALL.iter().filter(|place| !place.has_name()).map(|place| place.name());
    let is_flag = text.len() > 1 && text.starts_with('-');
    let is_beginning = text.len() > 1 && text.ends_with(['=', '/']) || text == ":";
    if is_flag || is_beginning || is_path(text) || names().any(|name| name == text) {
        return;
    }
    let message = format!("`{text}` names no words of a command");
    let names = names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let help = format!(
        "write {names}, a flag such as `-o`, a beginning such as `of=`, or a path such as `./lock` or `~/.rc`"
    );
    reports.push(Diagnostic::new(&d::UNKNOWN_VALUE, place.span, message).help(help));
}

/// The texts in lists of lists. The tree's depth is bounded by the parser.
fn leaves(node: &Node) -> Vec<&Node> {
    match node.items() {
        Some(items) => items.iter().flat_map(leaves).collect(),
        None => vec![node],
    }
}

impl Table {
    /// What the library says of programs; `is_kept` tells whether a process keeps it.
    pub fn of_library(programs: &Named<ProgramConfig>, is_kept: bool) -> Self {
        let mut table = Self::default();
        table.add_all(programs);
        table.is_library = is_kept;
        table
    }

    /// Whether it says what the library says, and no more.
    pub fn is_library(&self) -> bool {
        self.is_library
    }

    /// Adds what a config says of a program, under each of its names.
    pub fn add(&mut self, name: &str, config: &ProgramConfig) {
        self.is_library = false;
        let own = path_of(name);
        let parent = own.split_last().map_or(&[][..], |(_, parent)| parent);
        let others = texts(&config.also).map(|other| {
            // An alias replaces the last word, or the whole path where it has several.
            let other = path_of(other);
            if other.len() > 1 { other } else { [parent, &other].concat() }
        });
        let paths: Vec<_> = std::iter::once(own.clone()).chain(others).collect();
        for group in config.same_subcommands.iter().flatten() {
            let under = |path: &Vec<Box<str>>| -> Vec<_> {
                group.iter().map(|name| [path.as_slice(), &path_of(name)].concat()).collect()
            };
            paths.iter().map(under).for_each(|group| self.add_same(group));
        }
        let same = texts(&config.same_programs).map(|other| path_of(other));
        let same: Vec<_> = std::iter::once(own.clone()).chain(same).collect();
        if same.len() > 1 {
            self.add_same(same);
        }
        for path in paths {
            for length in 1..path.len() {
                let above = path.get(..length).unwrap_or_default();
                self.known(above).traits |= Traits::SUBCOMMANDS;
            }
            self.known(&path).add(config);
        }
    }

    /// What is known of the program of a path, made where there is nothing yet.
    fn known(&mut self, path: &[Box<str>]) -> &mut Known {
        Arc::make_mut(self.programs.entry(path.into()).or_default())
    }

    fn add_same(&mut self, group: Vec<Vec<Box<str>>>) {
        let at = self.same.len();
        for first in group.iter().filter_map(|path| path.first()) {
            let groups = self.same_by_first.entry(first.to_ascii_lowercase().into()).or_default();
            if groups.last() != Some(&at) {
                groups.push(at);
            }
        }
        self.same.push(group.into());
    }

    /// Adds what is said of several programs.
    pub fn add_all(&mut self, programs: &Named<ProgramConfig>) {
        for (name, config) in &programs.0 {
            self.add(&name.value, config);
        }
        for (name, config) in &programs.0 {
            self.share_subcommands(&name.value, config);
        }
    }

    /// Lets every other name of a program have its subcommands too.
    pub fn share_subcommands(&mut self, name: &str, config: &ProgramConfig) {
        let own = path_of(name);
        for other in texts(&config.also).map(|other| path_of(other)) {
            let from = (Bound::Excluded(&*own), Bound::Unbounded);
            let below: Vec<(Path, Arc<Known>)> = self
                .programs
                .range::<[Box<str>], _>(from)
                .take_while(|(path, _)| path.starts_with(&own))
                .map(|(path, entry)| {
                    let rest = path.get(own.len()..).unwrap_or_default();
                    ([&other, rest].concat().into(), Arc::clone(entry))
                })
                .collect();
            if let Some(above) = self.programs.get_mut(&*other).filter(|_| !below.is_empty()) {
                Arc::make_mut(above).traits |= Traits::SUBCOMMANDS;
            }
            for (path, entry) in below {
                self.programs.entry(path).or_insert(entry);
            }
        }
    }

    /// The words that select each program.
    pub fn paths(&self) -> impl Iterator<Item = &[Box<str>]> {
        self.programs.keys().map(|path| &**path)
    }

    /// Whether something is known of a program of this name.
    pub fn is_program(&self, name: &str) -> bool {
        self.programs.contains_key(&[Box::from(name.to_ascii_lowercase())][..])
    }

    fn entry(&self, path: &[Box<str>]) -> Option<&Known> {
        self.programs.get(path).map(|known| &**known)
    }

    /// The words in the place of which others mean the same at the beginning of a command, by how many
    /// they are. `is_word` says whether a word of the command, of which `first` is the first, is a given one.
    pub fn same_beginnings(
        &self,
        first: &str,
        is_word: impl Fn(usize, &str) -> bool,
    ) -> Vec<(usize, &[Box<str>])> {
        let begins =
            |path: &&Vec<Box<str>>| path.iter().enumerate().all(|(at, name)| is_word(at, name));
        let mut found = Vec::new();
        let groups = self.same_by_first.get(&*first.to_ascii_lowercase());
        for group in groups.into_iter().flatten().filter_map(|group| self.same.get(*group)) {
            if let Some(own) = group.iter().find(begins) {
                let others = group.iter().filter(|other| *other != own);
                found.extend(others.map(|other| (own.len(), other.as_slice())));
            }
        }
        found
    }

    /// The part of a path that is known: the program and the subcommands behind it.
    pub fn known_path<'p>(&self, words: &'p [Box<str>]) -> &'p [Box<str>] {
        let known = (1..=words.len())
            .take_while(|length| self.entry(words.get(..*length).unwrap_or_default()).is_some())
            .last();
        words.get(..known.unwrap_or(0)).unwrap_or_default()
    }

    /// Whether a program selects others by its first operand.
    pub fn has_subcommands(&self, path: &[Box<str>]) -> bool {
        self.entry(path).is_some_and(|entry| entry.traits & Traits::SUBCOMMANDS != 0)
    }

    /// Whether it does something that nobody sees whenever it is called.
    pub fn is_unseen(&self, path: &[Box<str>]) -> bool {
        self.entry(path).is_some_and(|entry| entry.traits & Traits::UNSEEN != 0)
    }

    /// Whether a first operand that selects no program of its own may be an alias.
    pub fn has_aliases(&self, path: &[Box<str>]) -> bool {
        self.entry(path).is_some_and(|entry| entry.traits & Traits::ALIASES != 0)
    }

    /// A flag in the spelling that stands for all that mean the same, and whether it has a value.
    pub fn canonical(&self, path: &[Box<str>], spelling: &str) -> (Box<str>, FlagValue) {
        let known = self.entry(self.known_path(path)).and_then(|entry| entry.flags.get(spelling));
        known.map_or((spelling.into(), FlagValue::None), |flag| {
            ((&*flag.canonical).into(), flag.value)
        })
    }

    /// Whether a flag of the program is known.
    pub fn has_flag(&self, path: &[Box<str>], spelling: &str) -> bool {
        self.entry(path).is_some_and(|entry| entry.flags.contains_key(spelling))
    }

    /// Whether a word such as `-name` is one flag of the program.
    pub fn is_single_dash(&self, path: &[Box<str>]) -> bool {
        self.entry(path).is_some_and(|entry| entry.traits & Traits::SINGLE_DASH != 0)
    }

    /// The programs that run others out of code of their own, each with words that make it do so.
    pub fn code_examples(&self) -> impl Iterator<Item = (&[Box<str>], &str)> {
        let programs = self.programs.iter();
        programs.filter_map(|(path, entry)| Some((&**path, entry.runs_code.as_deref()?)))
    }

    /// The flags of `-abc`; one flag where the program reads such a word as one.
    pub fn cluster<'w>(&self, path: &[Box<str>], body: &'w str) -> Vec<(&'w str, Option<&'w str>)> {
        let whole = vec![(body, None)];
        if body.bytes().all(|byte| byte.is_ascii_digit()) {
            return whole;
        }
        match self.entry(path) {
            Some(entry) if entry.traits & Traits::SINGLE_DASH != 0 => return whole,
            None if body.len() > 3 || !body.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
                return whole;
            }
            _ => {}
        }
        let mut flags = Vec::new();
        for (at, character) in body.char_indices() {
            let (letter, rest) = body
                .get(at..)
                .and_then(|rest| rest.split_at_checked(character.len_utf8()))
                .unwrap_or_default();
            let takes = self.canonical(path, letter).1 != FlagValue::None;
            if takes && !rest.is_empty() {
                flags.push((letter, Some(rest)));
                break;
            }
            flags.push((letter, None));
        }
        flags
    }

    /// What an image needs: the programs that run others, those that shapes name, and with `with_files`
    /// those that do something with files. Without shapes, nothing, unless command lines are read
    /// `anyway`.
    pub fn needed<'s>(
        &self,
        shapes: impl Iterator<Item = &'s Shape>,
        anyway: bool,
        with_files: bool,
    ) -> Vec<ProgramKnowledge> {
        let mut named: HashSet<&str, RandomState> = HashSet::default();
        // Flags that are asked for of any program, in whatever spelling that has for them.
        let mut asked: Vec<&str> = Vec::new();
        let mut any = anyway || with_files;
        for shape in shapes {
            any = true;
            named.extend(shape.programs.iter().map(|name| &**name));
            if shape.programs.is_empty() {
                let flags = [&shape.flags, &shape.any_flags, &shape.no_flags];
                asked.extend(flags.into_iter().flatten().map(|flag| &*flag.name));
            }
        }
        if !any {
            return Vec::new();
        }
        // Programs stand in order, each before its subcommands.
        let by_program = self.programs.iter().collect::<Vec<_>>();
        let by_program = by_program.chunk_by(|(one, _), (other, _)| one.first() == other.first());
        let is_needed = |program: &&[(&Path, &Arc<Known>)]| {
            let first = program.first().and_then(|(path, _)| path.first());
            first.is_some_and(|first| named.contains(&**first))
                || program.iter().any(|(_, entry)| {
                    entry.runs_others()
                        || entry.spells(&asked)
                        || with_files && entry.is_about_files()
                })
        };
        let is_named = |path: &[Box<str>]| path.first().is_some_and(|name| named.contains(&**name));
        let needed = by_program.filter(is_needed).flatten();
        needed
            .map(|&(path, entry)| {
                let is_named = is_named(path) || with_files && entry.is_about_files();
                entry.knowledge(path, is_named, &asked, with_files)
            })
            .collect()
    }
}

/// What makes a program run something, whatever its words are.
const UNSEEN: u32 = Traits::RUNNING | Traits::PRINTS_COMMANDS | Traits::UNSEEN | Traits::ALIASES;

impl Known {
    fn add(&mut self, config: &ProgramConfig) {
        for group in config.same.iter().flatten() {
            let Some(canonical) = group.first() else { continue };
            for spelling in group {
                self.flag(undashed(spelling)).canonical = undashed(canonical).into();
            }
        }
        let effects = [
            (&config.lines, FlagValue::Required, FlagEffect::Line),
            (&config.commands, FlagValue::None, FlagEffect::Words),
            (&config.script, FlagValue::None, FlagEffect::Script),
            (&config.input, FlagValue::None, FlagEffect::Input),
            (&config.files, FlagValue::Required, FlagEffect::File),
            (&config.setting_flags, FlagValue::Required, FlagEffect::Setting),
            (&config.hidden, FlagValue::None, FlagEffect::Hidden),
            (&config.entry, FlagValue::Required, FlagEffect::Entry),
            (&config.encoded, FlagValue::Required, FlagEffect::Encoded),
            (&config.instead, FlagValue::Required, FlagEffect::Instead),
            (&config.idle, FlagValue::None, FlagEffect::Idle),
            (&config.directories, FlagValue::Required, FlagEffect::Directory),
            (&config.values, FlagValue::Required, FlagEffect::Nothing),
            (&config.two_values, FlagValue::Two, FlagEffect::Nothing),
            (&config.optional, FlagValue::Optional, FlagEffect::Nothing),
            (&config.flags, FlagValue::None, FlagEffect::Nothing),
        ];
        let others = self.flags.iter().filter(|(spelling, flag)| flag.canonical != **spelling);
        let has_others: HashSet<Arc<str>, RandomState> =
            others.map(|(_, flag)| Arc::clone(&flag.canonical)).collect();
        for (flags, value, effect) in effects {
            for spelling in texts(flags) {
                self.set(undashed(spelling), value, effect, &has_others);
            }
        }
        self.runs = match config.runs {
            Some(ast::Runs::Words) => Runs::Words,
            Some(ast::Runs::Line) => Runs::Line,
            Some(ast::Runs::Shell) => Runs::Shell,
            Some(ast::Runs::Text) => Runs::Text,
            Some(ast::Runs::Texts) => Runs::Texts,
            Some(ast::Runs::Nothing) => Runs::Nothing,
            None => self.runs,
        };
        self.skip = config.skip.map_or(self.skip, |skip| skip.0 as u32);
        let traits = [
            (config.transparent, Traits::TRANSPARENT),
            (config.single_dash, Traits::SINGLE_DASH),
            (config.assignments, Traits::ASSIGNMENTS),
            (config.more_words, Traits::MORE_WORDS),
            (config.statements, Traits::STATEMENTS),
            (config.setting_operands, Traits::SETTINGS),
            (config.prints_commands, Traits::PRINTS_COMMANDS),
            (config.sources, Traits::SOURCES),
            (config.sed_scripts, Traits::SED),
            (config.elsewhere, Traits::ELSEWHERE),
            (config.bundled, Traits::BUNDLED),
            (config.remote, Traits::REMOTE),
            (config.chooses_by_name, Traits::CHOOSES_BY_NAME),
            (config.unseen, Traits::UNSEEN),
            (config.aliases, Traits::ALIASES),
            (config.changes_repository, Traits::REPOSITORY),
            (config.looks_alone, Traits::LOOKS_ALONE),
            (config.finds_code, Traits::FINDS_CODE),
        ];
        for (is_set, bit) in traits {
            match is_set {
                Some(true) => self.traits |= bit,
                Some(false) => self.traits &= !bit,
                None => {}
            }
        }
        self.settings.extend(texts(&config.settings).cloned());
        self.harmless.extend(texts(&config.harmless).map(|name| name.to_ascii_lowercase().into()));
        self.escapes.extend(texts(&config.escapes).cloned());
        if let Some(language) = config.language {
            self.language = language.meaning();
        }
        if let Some(flag) = &config.plus {
            self.plus = Some((&*self.flag(undashed(flag)).canonical).into());
        }
        for file in config.touches.iter().flatten() {
            self.add_uses(file);
        }
        if let Some(code) = &config.runs_code {
            self.runs_code = Some(code.clone());
        }
    }

    /// Adds a use of files for each of the words that it names, with flags in the spelling that stands
    /// for all that mean the same.
    fn add_uses(&mut self, config: &FileUseConfig) {
        let mut canonical = |flags| {
            let mut one = |flag: &str| match undashed(flag).split_once('=') {
                Some((name, value)) => [&*self.flag(name).canonical, "=", value].concat().into(),
                None => (&*self.flag(undashed(flag)).canonical).into(),
            };
            texts(flags).map(|flag| one(flag)).collect()
        };
        let (with, without): (Vec<_>, Vec<_>) =
            (canonical(&config.with), canonical(&config.without));
        let effects = [
            (&config.reads, FileEffect::Reads),
            (&config.writes, FileEffect::Writes),
            (&config.deletes, FileEffect::Deletes),
            (&config.fills, FileEffect::Fills),
            (&config.receives, FileEffect::Receives),
            (&config.works_in, FileEffect::WorksIn),
            (&config.changes, FileEffect::Changes),
            (&config.makes, FileEffect::Makes),
            (&config.runs_anew, FileEffect::RunsAnew),
        ];
        for (places, effect) in effects {
            for place in texts(places) {
                let (place, name) = self.file_place(place);
                let (with, without) = (with.clone(), without.clone());
                self.uses.push(Arc::new(FileUse { effect, place, name, with, without }));
            }
        }
    }

    /// The words that a text of a use of files stands for.
    fn file_place(&mut self, text: &str) -> (FilePlace, Option<Box<str>>) {
        let named = FilePlace::ALL.iter().copied().filter(|place| !place.has_name());
        if let Some(place) = named.into_iter().find(|place| place.name() == text) {
            return (place, None);
        }
        if text.ends_with('=') || text.len() > 1 && text.ends_with('/') || text == ":" {
            return (FilePlace::Behind, Some(text.into()));
        }
        if is_path(text) {
            return (FilePlace::Own, Some(text.into()));
        }
        // What stands behind the sign in the value names the file.
        if let Some(flag) = text.strip_suffix('@') {
            let flag: Box<str> = (&*self.flag(undashed(flag)).canonical).into();
            return (FilePlace::Flag, Some([&*flag, "@"].concat().into()));
        }
        (FilePlace::Flag, Some((&*self.flag(undashed(text)).canonical).into()))
    }

    fn flag(&mut self, spelling: &str) -> &mut Flag {
        self.flags.entry(spelling.into()).or_insert_with(|| Flag {
            canonical: spelling.into(),
            value: FlagValue::None,
            effect: FlagEffect::Nothing,
        })
    }

    /// What holds for one spelling holds for all that mean the same: those of `has_others` have more than one.
    fn set(
        &mut self,
        spelling: &str,
        value: FlagValue,
        effect: FlagEffect,
        has_others: &HashSet<Arc<str>, RandomState>,
    ) {
        let flag = self.flag(spelling);
        if !has_others.contains(&flag.canonical) {
            return flag.set(value, effect);
        }
        let canonical = Arc::clone(&flag.canonical);
        let same = self.flags.values_mut().filter(|flag| flag.canonical == canonical);
        same.for_each(|flag| flag.set(value, effect));
    }

    fn runs_others(&self) -> bool {
        self.runs != Runs::Nothing
            || !self.escapes.is_empty()
            || self.language != Language::Unknown
            || self.traits & UNSEEN != 0
            || self.flags.values().any(|flag| {
                use FlagEffect::{File, Idle, Instead, Nothing};
                !matches!(flag.effect, Nothing | File | Instead | Idle)
            })
    }

    /// Whether something is known of what it does with files.
    fn is_about_files(&self) -> bool {
        !self.uses.is_empty() || self.traits & Traits::ELSEWHERE != 0
    }

    /// Whether some flag makes it run something.
    fn flags_run(&self) -> bool {
        let runs = |flag: &Flag| {
            use FlagEffect::{Directory, Encoded, Entry, Hidden, Line, Setting, Words};
            matches!(flag.effect, Line | Words | Setting | Hidden | Entry | Encoded | Directory)
        };
        self.flags.values().any(runs)
    }

    /// Whether one of these flags has another spelling.
    fn spells(&self, flags: &[&str]) -> bool {
        let mut known = self.flags.iter();
        !flags.is_empty()
            && known.any(|(spelling, flag)| {
                flag.canonical != *spelling && flags.contains(&&*flag.canonical)
            })
    }

    /// What an image holds of it. Flags that only have a name are of use where a shape may name them,
    /// or is one of those `asked` for of any program.
    fn knowledge(
        &self,
        path: &Path,
        is_named: bool,
        asked: &[&str],
        with_files: bool,
    ) -> ProgramKnowledge {
        let says_something =
            |flag: &Flag| flag.value != FlagValue::None || flag.effect != FlagEffect::Nothing;
        // A flag that is not there would be taken for the beginning of a longer one.
        let is_beginning = |spelling: &str| {
            let longer = self.flags.range::<str, _>((Bound::Excluded(spelling), Bound::Unbounded));
            spelling.len() > 1
                && longer
                    .take_while(|(other, _)| other.starts_with(spelling))
                    .any(|(_, flag)| says_something(flag))
        };
        let is_of_use = |spelling: &Arc<str>, flag: &Flag| {
            let is_asked = asked.contains(&&*flag.canonical);
            is_named || is_asked || says_something(flag) || is_beginning(spelling)
        };
        let flag = |spelling: &Arc<str>, flag: &Flag| KnownFlag {
            spelling: Arc::clone(spelling),
            canonical: Arc::clone(&flag.canonical),
            value: flag.value,
            effect: flag.effect,
        };
        ProgramKnowledge {
            path: Arc::clone(path),
            flags: self
                .flags
                .iter()
                .filter(|(spelling, flag)| is_of_use(spelling, flag))
                .map(|(spelling, known)| flag(spelling, known))
                .collect(),
            runs: self.runs,
            skip: self.skip,
            traits: self.traits | if self.flags_run() { Traits::FLAGS_RUN } else { 0 },
            settings: self.settings.clone(),
            harmless: self.harmless.clone(),
            escapes: self.escapes.clone(),
            language: self.language,
            plus: self.plus.clone(),
            uses: if with_files { self.uses.clone() } else { Vec::new() },
        }
    }
}
