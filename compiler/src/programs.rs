//! What is known of programs, as one table: what is built in, with what configs and profiles add.
//! It reads flags as the runtime does, so that patterns and commands are compared in one spelling.

mod known;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::{Arc, OnceLock};

use behavior_shell::programs::Traits;
use behavior_shell::{FilePlace, FlagValue};
use foldhash::fast::RandomState;

use crate::ast::ProgramConfig;
use crate::decode::{Named, OneOrMany, Reports};
use crate::diagnostic::Diagnostic;
use crate::ir::{KnownPrograms, ProgramKnowledge, Shape};
use crate::registry::diagnostics as d;
use crate::source::Span;
use crate::syntax::{Entry, Node};
use known::Known;

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
    /// What is of use wherever command lines are read, without files and with them, once somebody asked.
    bases: [OnceLock<Base>; 2],
}

/// What is of use wherever command lines are read.
type Base = Arc<[ProgramKnowledge]>;

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
    let is_inside = text.len() > 1 && text.starts_with('*');
    if is_flag || is_beginning || is_inside || is_path(text) || names().any(|name| name == text) {
        return;
    }
    let message = format!("`{text}` names no words of a command");
    let names = names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let help = format!(
        "write {names}, a flag such as `-o`, a beginning such as `of=`, a text within a word such as `*-Map=`, or a path such as `./lock` or `~/.rc`"
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
        // What the config says of a program of which nothing was known, which its other names share.
        let mut anew: Option<Arc<Known>> = None;
        for path in paths {
            for length in 1..path.len() {
                let above = path.get(..length).unwrap_or_default();
                self.known(above).mark_subcommands();
            }
            if self.programs.contains_key(&*path) {
                self.known(&path).add(config);
                continue;
            }
            let made = anew.get_or_insert_with(|| {
                let mut known = Known::default();
                known.add(config);
                Arc::new(known)
            });
            self.bases = Default::default();
            self.programs.insert(path.into(), Arc::clone(made));
        }
    }

    /// What is known of the program of a path, made where there is nothing yet.
    fn known(&mut self, path: &[Box<str>]) -> &mut Known {
        self.bases = Default::default();
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
        self.bases = Default::default();
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
                Arc::make_mut(above).mark_subcommands();
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
        self.entry(path).is_some_and(|entry| entry.has(Traits::SUBCOMMANDS))
    }

    /// Whether it does something that nobody sees whenever it is called.
    pub fn is_unseen(&self, path: &[Box<str>]) -> bool {
        self.entry(path).is_some_and(|entry| entry.has(Traits::UNSEEN))
    }

    /// Whether a first operand that selects no program of its own may be an alias.
    pub fn has_aliases(&self, path: &[Box<str>]) -> bool {
        self.entry(path).is_some_and(|entry| entry.has(Traits::ALIASES))
    }

    /// A flag in the spelling that stands for all that mean the same, and whether it has a value.
    pub fn canonical(&self, path: &[Box<str>], spelling: &str) -> (Box<str>, FlagValue) {
        let known = self.entry(self.known_path(path)).and_then(|entry| entry.flag(spelling));
        known.map_or((spelling.into(), FlagValue::None), |flag| {
            ((&*flag.canonical).into(), flag.value)
        })
    }

    /// Whether a flag of the program is known.
    pub fn has_flag(&self, path: &[Box<str>], spelling: &str) -> bool {
        self.entry(path).is_some_and(|entry| entry.flag(spelling).is_some())
    }

    /// Whether a word such as `-name` is one flag of the program.
    pub fn is_single_dash(&self, path: &[Box<str>]) -> bool {
        self.entry(path).is_some_and(|entry| entry.has(Traits::SINGLE_DASH))
    }

    /// The programs that run others out of code of their own, each with words that make it do so.
    pub fn code_examples(&self) -> impl Iterator<Item = (&[Box<str>], &str)> {
        let programs = self.programs.iter();
        programs.filter_map(|(path, entry)| Some((&**path, entry.runs_code()?)))
    }

    /// The flags of `-abc`; one flag where the program reads such a word as one.
    pub fn cluster<'w>(&self, path: &[Box<str>], body: &'w str) -> Vec<(&'w str, Option<&'w str>)> {
        let whole = vec![(body, None)];
        if body.bytes().all(|byte| byte.is_ascii_digit()) {
            return whole;
        }
        match self.entry(path) {
            Some(entry) if entry.has(Traits::SINGLE_DASH) => return whole,
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
    ) -> KnownPrograms {
        let mut named: BTreeSet<&str> = BTreeSet::new();
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
            return KnownPrograms::default();
        }
        let base = self.base(with_files);
        let mut own = Vec::new();
        if asked.is_empty() {
            for name in named {
                let of_it = self.below(name).map(|(path, entry)| (path, entry, true));
                own.extend(knowledge(of_it, &[], with_files));
            }
        } else {
            for program in &self.by_program() {
                let name = program.first().and_then(|(path, _)| path.first());
                let is_named = name.is_some_and(|name| named.contains(&**name));
                let is_asked = |(_, entry): &(&Path, &Arc<Known>)| entry.spells(&asked);
                if is_named || is_base(program, with_files) || program.iter().any(is_asked) {
                    let of_it = program.iter().map(|&(path, entry)| (path, entry, is_named));
                    own.extend(knowledge(of_it, &asked, with_files));
                }
            }
        }
        own.retain(|program| {
            let at = base.binary_search_by(|known| known.path.cmp(&program.path));
            at.ok().and_then(|at| base.get(at)) != Some(program)
        });
        KnownPrograms { base, own }
    }

    /// What is of use wherever command lines are read.
    fn base(&self, with_files: bool) -> Base {
        let [without, with] = &self.bases;
        let base = if with_files { with } else { without };
        let made = base.get_or_init(|| {
            let programs = self.by_program();
            let needed = programs.iter().filter(|program| is_base(program, with_files)).flatten();
            knowledge(needed.map(|&(path, entry)| (path, entry, false)), &[], with_files).collect()
        });
        Arc::clone(made)
    }

    /// Each program with its subcommands, which stand behind it.
    fn by_program(&self) -> Vec<Vec<(&Path, &Arc<Known>)>> {
        let all: Vec<_> = self.programs.iter().collect();
        let of_one = all.chunk_by(|(one, _), (other, _)| one.first() == other.first());
        of_one.map(<[_]>::to_vec).collect()
    }

    /// A program with its subcommands.
    fn below(&self, name: &str) -> impl Iterator<Item = (&Path, &Arc<Known>)> {
        let first = [Box::from(name)];
        let from = (Bound::Included(&first[..]), Bound::Unbounded);
        let behind = self.programs.range::<[Box<str>], _>(from);
        behind.take_while(move |(path, _)| path.first() == first.first())
    }
}

/// Whether a program is of use wherever command lines are read.
fn is_base(program: &[(&Path, &Arc<Known>)], with_files: bool) -> bool {
    let is_of_use = |entry: &Known| entry.runs_others() || with_files && entry.is_about_files();
    program.iter().any(|(_, entry)| is_of_use(entry))
}

/// What an image holds of programs, each of which a rule may name or not.
fn knowledge<'t>(
    programs: impl Iterator<Item = (&'t Path, &'t Arc<Known>, bool)>,
    asked: &[&str],
    with_files: bool,
) -> impl Iterator<Item = ProgramKnowledge> {
    programs.map(move |(path, entry, is_named)| {
        let is_named = is_named || with_files && entry.is_about_files();
        let facts = entry.facts(is_named, asked, with_files);
        ProgramKnowledge { path: Arc::clone(path), facts }
    })
}
