//! What is known of one program: what it does with its words and flags, and what of that an image holds, which is
//! made once for each of the ways in which rules ask.

use std::collections::{BTreeMap, HashSet};
use std::ops::Bound;
use std::sync::{Arc, OnceLock};

use behavior_shell::programs::Traits;
use behavior_shell::{FileEffect, FilePlace, FlagEffect, FlagValue, Language, Runs};
use foldhash::fast::RandomState;

use super::{is_path, texts, undashed};
use crate::ast::{self, FileUseConfig, ProgramConfig};
use crate::ir::{FileUse, KnownFlag, ProgramFacts};

/// What is known of a program, or of a subcommand of one.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
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
    derived: Derived,
}

/// What follows from all the rest, found when it is first asked for.
#[derive(Debug, Default)]
struct Derived {
    runs_others: OnceLock<bool>,
    /// By whether a rule may name it, and whether rules ask for files.
    facts: [[OnceLock<Arc<ProgramFacts>>; 2]; 2],
}

impl Clone for Derived {
    /// A copy is made where something is to be changed.
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// A spelling of a flag.
#[derive(Clone, Debug)]
pub(super) struct Flag {
    pub canonical: Arc<str>,
    pub value: FlagValue,
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

/// What makes a program run something, whatever its words are.
const UNSEEN: u32 = Traits::RUNNING | Traits::PRINTS_COMMANDS | Traits::UNSEEN | Traits::ALIASES;

impl Known {
    /// Whether it has a trait.
    pub fn has(&self, bit: u32) -> bool {
        self.traits & bit != 0
    }

    /// A flag by a spelling.
    pub fn flag(&self, spelling: &str) -> Option<&Flag> {
        self.flags.get(spelling)
    }

    /// Words that make it run code of its own.
    pub fn runs_code(&self) -> Option<&str> {
        self.runs_code.as_deref()
    }

    /// Says that its first operand selects another program.
    pub fn mark_subcommands(&mut self) {
        self.derived = Derived::default();
        self.traits |= Traits::SUBCOMMANDS;
    }

    /// Adds what a config says of it.
    pub fn add(&mut self, config: &ProgramConfig) {
        self.derived = Derived::default();
        for group in config.same.iter().flatten() {
            let Some(canonical) = group.first() else { continue };
            let canonical: Arc<str> = undashed(canonical).into();
            for spelling in group {
                self.flag_mut(undashed(spelling)).canonical = Arc::clone(&canonical);
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
            (config.matches_patterns, Traits::MATCHES_PATTERNS),
            (config.unseen, Traits::UNSEEN),
            (config.aliases, Traits::ALIASES),
            (config.changes_repository, Traits::REPOSITORY),
            (config.looks_alone, Traits::LOOKS_ALONE),
            (config.finds_code, Traits::FINDS_CODE),
            (config.runs_files, Traits::RUNS_FILES),
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
            self.plus = Some((&*self.flag_mut(undashed(flag)).canonical).into());
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
                // An operand, and no flag.
                None if flag == "*" => flag.into(),
                Some((name, value)) => {
                    [&*self.flag_mut(name).canonical, "=", value].concat().into()
                }
                None => (&*self.flag_mut(undashed(flag)).canonical).into(),
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
        if let Some(text) = text.strip_prefix('*') {
            return (FilePlace::Inside, Some(text.into()));
        }
        if text.ends_with(['=', ':']) || text.len() > 1 && text.ends_with('/') {
            return (FilePlace::Behind, Some(text.into()));
        }
        if is_path(text) {
            return (FilePlace::Own, Some(text.into()));
        }
        // What stands behind the sign in the value names the file.
        if let Some(flag) = text.strip_suffix('@') {
            let flag: Box<str> = (&*self.flag_mut(undashed(flag)).canonical).into();
            return (FilePlace::Flag, Some([&*flag, "@"].concat().into()));
        }
        (FilePlace::Flag, Some((&*self.flag_mut(undashed(text)).canonical).into()))
    }

    fn flag_mut(&mut self, spelling: &str) -> &mut Flag {
        let spelling: Arc<str> = spelling.into();
        let canonical = Arc::clone(&spelling);
        let (value, effect) = (FlagValue::None, FlagEffect::Nothing);
        self.flags.entry(spelling).or_insert(Flag { canonical, value, effect })
    }

    /// What holds for one spelling holds for all that mean the same: those of `has_others` have more than one.
    fn set(
        &mut self,
        spelling: &str,
        value: FlagValue,
        effect: FlagEffect,
        has_others: &HashSet<Arc<str>, RandomState>,
    ) {
        let flag = self.flag_mut(spelling);
        if !has_others.contains(&flag.canonical) {
            return flag.set(value, effect);
        }
        let canonical = Arc::clone(&flag.canonical);
        let same = self.flags.values_mut().filter(|flag| flag.canonical == canonical);
        same.for_each(|flag| flag.set(value, effect));
    }

    /// Whether it may run another program.
    pub fn runs_others(&self) -> bool {
        *self.derived.runs_others.get_or_init(|| {
            self.runs != Runs::Nothing
                || !self.escapes.is_empty()
                || self.language != Language::Unknown
                || self.traits & UNSEEN != 0
                || self.flags.values().any(|flag| {
                    use FlagEffect::{File, Idle, Instead, Nothing};
                    !matches!(flag.effect, Nothing | File | Instead | Idle)
                })
        })
    }

    /// Whether something is known of what it does with files.
    pub fn is_about_files(&self) -> bool {
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
    pub fn spells(&self, flags: &[&str]) -> bool {
        let mut known = self.flags.iter();
        !flags.is_empty()
            && known.any(|(spelling, flag)| {
                flag.canonical != *spelling && flags.contains(&&*flag.canonical)
            })
    }

    /// What an image holds of it. Flags that only have a name are of use where a shape may name them,
    /// or is one of those `asked` for of any program.
    pub fn facts(&self, is_named: bool, asked: &[&str], with_files: bool) -> Arc<ProgramFacts> {
        let made = || Arc::new(self.made_facts(is_named, asked, with_files));
        if !asked.is_empty() {
            return made();
        }
        let [of_unnamed, of_named] = &self.derived.facts;
        let [without, with] = if is_named { of_named } else { of_unnamed };
        Arc::clone(if with_files { with } else { without }.get_or_init(made))
    }

    fn made_facts(&self, is_named: bool, asked: &[&str], with_files: bool) -> ProgramFacts {
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
        ProgramFacts {
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
