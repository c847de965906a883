//! From typed files to the program: layers are put on each other, references followed, names bound,
//! rules lowered. What it asks of the outside world goes through the source provider.

pub mod brain;
mod classifier;
mod custom;
pub(crate) mod document;
mod exceptions;
mod files;
mod ground;
pub(crate) mod kind;
mod layer;
mod layers;
mod library;
mod options;
mod policy;
mod prompt;
pub(crate) mod reference;
mod resolver;
pub mod switches;
mod trace_policy;
mod tracking;
mod verifier;

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use behavior_runtime::decision::{Origin, Verdict};

use crate::ast::{BehaviorConfig, OnError, PolicyFile, ProgramConfig, RuleDefinition, ShowUser};
use crate::authority::Authority;
use crate::conditions::check_classes;
use crate::decode::{Named, Reports, Spanned};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    Condition, Permissions, PolicyFact, Program, Reference, ResetTest, Rule, Shape, Verifier,
};
use crate::lower::{Lowering, Names, Patterns, RuleDefaults, check_document};
use crate::policy_lint;
use crate::programs::{Classes, LibraryClasses, Table, check_names};
use crate::registry::diagnostics as d;
use crate::source::{FileId, Span};
use crate::workflow::{check_control_file, pause_at};

pub use document::Document;
pub(crate) use ground::Ground;
pub use kind::FileKind;
use layer::Layer;
pub use options::{Agent, COMMAND_LINE_PROFILE, Options};
pub(crate) use resolver::Resolver;
pub use switches::{SETTINGS, THRESHOLDS, ThresholdKind};

/// The standard library's rules and tracking.
const RULES_FILE: &str = "builtin:rules.yaml";

/// What the standard library knows of programs.
const PROGRAMS_FILE: &str = "builtin:programs.yaml";

/// What the standard library knows of what programs do with files.
const FILES_FILE: &str = "builtin:files.yaml";

/// The classes of commands of the standard library.
const CLASSES_FILE: &str = "builtin:classes.yaml";

/// What resolving gave.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub program: Program,
    pub documents: Vec<Document>,
    /// What the rules were lowered on.
    pub ground: Ground,
    /// Where the rules come from.
    pub origins: Origins,
}

/// Where the rules of a program come from, as far as that has a say in what becomes of one.
#[derive(Debug, Default)]
pub(crate) struct Origins {
    /// The files with definitions, with the place of each among the layers and what it is.
    pub definitions: Vec<(FileId, usize, Origin)>,
    /// The ids of all other rules: built-in and custom ones, and those of trace policies.
    pub other_ids: HashSet<Box<str>>,
    /// Whether rules are switched on or off anywhere.
    pub has_switches: bool,
    /// Whether rules are made silent.
    pub has_exceptions: bool,
}

impl Origins {
    fn of(layers: &[Layer], builtin: &[Spanned<RuleDefinition>], config: &BehaviorConfig) -> Self {
        let with_definitions = layers.iter().enumerate().filter_map(|(at, layer)| {
            Some((layer.definitions.first()?.span.file, at, layer.origin))
        });
        let others = layers.iter().flat_map(|layer| &layer.custom).chain(builtin);
        let others = others.filter_map(|rule| rule.value.id.as_ref());
        let others = others.map(|id| id.value.clone());
        Self {
            definitions: with_definitions.collect(),
            other_ids: others.collect(),
            has_switches: layers.iter().any(|layer| layer.switches.is_some()),
            has_exceptions: config.exceptions.as_ref().is_some_and(|all| !all.is_empty()),
        }
    }
}

impl Resolver<'_> {
    /// Resolves what starts at `entries`: configs and profiles that compose, later ones after
    /// earlier ones. Without any, the profile of the options alone.
    pub fn run(mut self, entries: &[String]) -> Resolved {
        let mut config = BehaviorConfig::default();
        let mut layers = Vec::new();
        let mut profile = None;
        let mut policies = Vec::new();
        let mut trace_policies = Vec::new();
        for name in self.options.trace_policies.iter().filter(|name| !entries.contains(name)) {
            trace_policies.extend(self.trace_policy(name).map(|policy| (policy, name.clone())));
        }
        let asked = self.options.policies.iter().filter(|name| !entries.contains(name));
        for name in asked {
            policies.extend(self.policy(name));
        }
        for entry in entries {
            match self.entry(entry) {
                Some(layers::EntryFile::Config(mut next)) => {
                    if let Some(name) = &next.profile {
                        profile = Some((name.clone(), entry.clone()));
                    }
                    layers.push(self.config_layer(&mut next));
                    layers::compose(&mut config, next);
                }
                Some(layers::EntryFile::Profile(chain)) => layers.extend(chain),
                Some(layers::EntryFile::Policy(policy)) => policies.push(*policy),
                Some(layers::EntryFile::TracePolicy(policy)) => {
                    trace_policies.push((*policy, entry.clone()));
                }
                None => {}
            }
        }
        let mut shown_profile = None;
        let base = match (&self.options.profile, profile) {
            (Some(name), _) => {
                let origin = entries.first().cloned().unwrap_or_default();
                shown_profile = Some(Box::from(name.as_str()));
                // What is wrong with the name stands on the command line, and is shown there.
                let file = self.sources.add(COMMAND_LINE_PROFILE, name.as_str());
                let span = Span::new(file, 0, name.len() as u32);
                self.profile_chain(name, span, &origin)
            }
            (None, Some((name, entry))) => {
                let text = name.text().to_owned();
                shown_profile = Some(reference::profile_name(&text).into());
                self.profile_chain(&text, name.span(), &entry)
            }
            (None, None) => Vec::new(),
        };
        layers.extend(base);
        let monitors = self.monitors(&trace_policies);
        let (mut program, ground, mut origins) =
            self.assemble(config, layers, &policies, shown_profile);
        self.distinct(&program.rules, &monitors);
        origins.other_ids.extend(monitors.iter().map(|monitor| Box::from(&*monitor.id)));
        program.monitors = monitors;
        Resolved { program, documents: self.documents, ground, origins }
    }

    /// What is known of programs: what is built in, then what farther layers say, then nearer ones.
    fn program_table(&mut self, layers: &[Layer]) -> Arc<Table> {
        let mut table = self.builtin_programs();
        for document in &self.documents {
            check_names(&document.config, self.reports);
        }
        let declared = layers.iter().rev().filter_map(|layer| layer.programs.as_ref());
        let has_authority = self.options.authority == Authority::Full;
        let declared: Vec<_> =
            declared.flat_map(|named| &named.0).filter(|_| has_authority).collect();
        if !declared.is_empty() {
            let table = Arc::make_mut(&mut table);
            for (name, config) in &declared {
                table.add(&name.value, config);
            }
            for (name, config) in &declared {
                table.share_subcommands(&name.value, config);
            }
        }
        table
    }

    /// What is built in of programs. It is large and always the same, so a process reads it once.
    fn builtin_programs(&mut self) -> Arc<Table> {
        static READ: OnceLock<(Vec<u8>, Arc<Table>)> = OnceLock::new();
        let Ok(bytes) = self.provider.read(PROGRAMS_FILE) else { return Arc::default() };
        if let Some((_, table)) = READ.get().filter(|(known, _)| *known == *bytes) {
            return Arc::clone(table);
        }
        let (programs, is_right) = self.builtin_file(PROGRAMS_FILE);
        let is_kept = is_right && READ.get().is_none();
        let table = Table::of_library(&programs, is_kept);
        let table = Arc::new(table);
        if is_kept {
            let _ = READ.set((bytes, Arc::clone(&table)));
        }
        table
    }

    /// A table with what is built in of what programs do with files, of use only where a rule asks for
    /// that. Where the table has nothing of the author's, a process makes it once.
    fn with_file_uses(&mut self, table: Arc<Table>) -> Arc<Table> {
        static MADE: OnceLock<(Vec<u8>, Arc<Table>, Arc<Table>)> = OnceLock::new();
        let Ok(bytes) = self.provider.read(FILES_FILE) else { return table };
        let is_made = |(known, base, _): &&(Vec<u8>, Arc<Table>, Arc<Table>)| {
            *known == *bytes && Arc::ptr_eq(base, &table)
        };
        if let Some((.., made)) = MADE.get().filter(is_made) {
            return Arc::clone(made);
        }
        let (programs, is_right) = self.builtin_file(FILES_FILE);
        let mut extended = Table::clone(&table);
        extended.add_all(&programs);
        let extended = Arc::new(extended);
        let is_builtin = Arc::ptr_eq(&table, &self.builtin_programs());
        if is_right && is_builtin {
            let _ = MADE.set((bytes, table, Arc::clone(&extended)));
        }
        extended
    }

    /// The classes of commands: what is built in, with what farther layers add, then nearer ones. Where a project
    /// has no authority over what programs mean, it has none over these.
    fn classes(&mut self, layers: &[Layer]) -> Classes {
        let mut classes = Classes::of(self.library_classes());
        for layer in layers.iter().rev().filter(|_| self.options.authority == Authority::Full) {
            classes.add(layer.classes.clone());
        }
        classes
    }

    /// The classes that are built in, which a process reads once.
    fn library_classes(&mut self) -> Arc<LibraryClasses> {
        static READ: OnceLock<(Vec<u8>, Arc<LibraryClasses>)> = OnceLock::new();
        let Ok(bytes) = self.provider.read(CLASSES_FILE) else { return Arc::default() };
        if let Some((_, classes)) = READ.get().filter(|(known, _)| *known == *bytes) {
            return Arc::clone(classes);
        }
        let before = self.reports.diagnostics.len();
        let read = self.builtin_config(CLASSES_FILE).command_classes;
        let is_kept = self.reports.diagnostics.len() == before && READ.get().is_none();
        let classes = Arc::new(LibraryClasses::new(read, is_kept));
        if is_kept {
            let _ = READ.set((bytes, Arc::clone(&classes)));
        }
        classes
    }

    /// The programs of a file of the standard library, and whether nothing is wrong with them.
    fn builtin_file(&mut self, name: &str) -> (Named<ProgramConfig>, bool) {
        let before = self.reports.diagnostics.len();
        let programs = self.builtin_config(name).programs.unwrap_or_default();
        (programs, self.reports.diagnostics.len() == before)
    }

    /// What a file of the standard library says.
    fn builtin_config(&mut self, name: &str) -> BehaviorConfig {
        let config =
            self.document(name, None).and_then(|document| self.decode::<BehaviorConfig>(document));
        // It is no file of the author's.
        self.documents.retain(|document| {
            self.sources.get(document.file).is_none_or(|source| source.name != name)
        });
        config.unwrap_or_default()
    }

    fn assemble(
        &mut self,
        config: BehaviorConfig,
        layers: Vec<Layer>,
        policies: &[PolicyFile],
        profile: Option<Box<str>>,
    ) -> (Program, Ground, Origins) {
        let builtin = self.builtin_rules();
        let is_whole = !self.reports.has(&d::UNKNOWN_PROFILE);
        let known = switches::Known::new(&builtin.rule_definitions, &layers, is_whole);
        let settings = self.switches(&known, &layers);
        let table = self.program_table(&layers);
        let classes = self.classes(&layers);
        let mut names = Names::default();
        let written = layers.iter().map(|layer| layer.definitions.len() + layer.custom.len());
        let of_policies = policies.iter().filter_map(|policy| policy.rules.as_ref()).map(Vec::len);
        let mut patterns = match self.options.only_problems || self.options.without_automata {
            true => Patterns::without_automata(),
            false => Patterns::for_rules(written.chain(of_policies).sum()),
        };
        let mut pending = self.tracking(&builtin, &layers, &mut names);
        let brains = self.brains(&config, &layers);
        let verifier = self.verifier(&layers, &brains);
        let mut program = Program { profile, verifier, brains, ..Program::default() };
        let defaults = RuleDefaults::of(&config, self.options.authority);
        let ground = Ground {
            names,
            programs: table,
            classes,
            settings,
            when_undecided: defaults.when_undecided,
            when_unanswered: defaults.when_unanswered,
            protected_branches: defaults.protected_branches.to_vec(),
            allow_unknown_conditions: self.options.allow_unknown_conditions,
        };
        let settings = &ground.settings;
        let mut lowering = ground.lowering(self.sources, &mut patterns, self.reports);
        let own = layers.iter().filter_map(|layer| layer.classes.as_ref());
        check_classes(own.flat_map(|classes| &classes.0), &mut lowering);
        pending.lower(&mut lowering);
        let builtin = builtin.rule_definitions.unwrap_or_default();
        program.rules = rules(&mut lowering, &builtin, &layers, settings);
        exceptions::lower(
            config.exceptions.as_deref().unwrap_or_default(),
            &mut program.rules,
            &known,
            &mut lowering,
        );
        if !policies.is_empty() {
            let mut permissions = policy::lower(policies, &mut lowering);
            let mut files =
                self.documents.iter().filter(|document| document.kind == FileKind::Policy);
            permissions.mode_span =
                permissions.mode_span.or_else(|| Some(Span::new(files.next()?.file, 0, 0)));
            program.permissions = Some(permissions);
        }
        program.sets = pending.sets.into_iter().map(|(set, _)| set).collect();
        program.counters = pending.counters.into_iter().map(|(counter, _)| counter).collect();
        program.flags = pending.flags.into_iter().map(|(flag, _)| flag).collect();
        let with_files = touches_files(&program);
        let table = Arc::clone(&ground.programs);
        let table = if with_files { self.with_file_uses(table) } else { table };
        if !self.options.only_problems {
            let of_policies = program.permissions.iter().flat_map(policy_shapes);
            let shapes = shapes(&program).chain(of_policies);
            program.programs = table.needed(shapes, !policies.is_empty(), with_files);
        }
        program.patterns = patterns.table;
        program.thresholds = settings.thresholds.clone();
        program.classifier = self.classifier(&config, &layers, &program.brains);
        program.turn_reminder = turn_reminder(&layers, self.reports);
        program.on_error = config.on_error.map(|answer| match answer {
            OnError::Allow => Verdict::Allow,
            OnError::Ask => Verdict::Ask,
            OnError::Deny => Verdict::Deny,
        });
        if let Some(file) = &config.control_file {
            check_control_file(file, self.reports);
        }
        let oversight = config.oversight.as_ref();
        program.workflows = self.options.workflows.clone().unwrap_or_default();
        program.workflows.pause_at =
            oversight.and_then(|oversight| pause_at(oversight, self.reports));
        // What is nearest says it.
        let mut deliveries = layers.iter().map(|layer| &layer.delivery);
        let most = deliveries.clone().find_map(|delivery| delivery.max_per_turn.as_ref());
        program.max_per_turn = most.map(|most| most.value.0 as u32);
        program.show_user =
            deliveries.find_map(|delivery| delivery.show_user).map(ShowUser::number);
        program.prompt = prompt::section(&program, &layers, settings);
        if let Some(permissions) =
            program.permissions.as_ref().filter(|_| !self.options.skip_comparisons)
        {
            policy_lint::check(permissions, &program.patterns, &table, self.reports);
        }
        let origins = Origins::of(&layers, &builtin, &config);
        (program, ground, origins)
    }
}

/// The document that the nearest layer names; an empty name is none.
fn turn_reminder(layers: &[Layer], reports: &mut Reports) -> Option<Box<str>> {
    let name = layers.iter().find_map(|layer| layer.turn_reminder.as_ref())?;
    if name.value.is_empty() {
        return None;
    }
    check_document(&name.value, name.span, reports)?;
    Some(name.value.clone())
}

/// All shapes of commands that a program asks for.
fn shapes(program: &Program) -> impl Iterator<Item = &Shape> {
    let resets = program.counters.iter().filter_map(|counter| counter.reset_when.as_ref());
    let resets = resets.filter_map(|reset| match &reset.test {
        ResetTest::Runs(shapes) => Some(shapes.as_slice()),
        ResetTest::Matches(_) => None,
    });
    let mut of_rules = Vec::new();
    for condition in program.conditions() {
        collect_shapes(condition, &mut of_rules);
    }
    of_rules.into_iter().chain(resets).flatten()
}

fn policy_shapes(permissions: &Permissions) -> impl Iterator<Item = &Shape> {
    let alternatives = permissions.rules.iter().flat_map(|rule| &rule.alternatives);
    alternatives.filter_map(|alternative| alternative.command.as_ref())
}

/// Whether a condition asks for the files that commands touch.
pub(crate) fn asks_for_files(condition: &Condition) -> bool {
    match condition {
        Condition::All(items) | Condition::Any(items) => items.iter().any(asks_for_files),
        Condition::Not(inner) => asks_for_files(inner),
        Condition::Test { test, .. } => {
            let mut asks = false;
            test.each_reference(&mut |reference| {
                asks |= match reference {
                    Reference::Paths(_) | Reference::Branches(_) => true,
                    Reference::Shapes(shapes) => shapes.iter().any(|shape| shape.spares.is_some()),
                    _ => false,
                };
            });
            asks
        }
        Condition::Always => false,
    }
}

/// Whether a rule asks for the files that commands touch.
fn touches_files(program: &Program) -> bool {
    let of_policies = program.permissions.iter().flat_map(|permissions| &permissions.rules);
    let mut facts = of_policies.flat_map(|rule| &rule.facts);
    program.verifier.as_ref().is_some_and(Verifier::is_on)
        || program.sets.iter().any(|set| set.paths != 0)
        || program.conditions().any(asks_for_files)
        || facts.any(|fact| matches!(fact, PolicyFact::Files(..)))
}

fn collect_shapes<'p>(condition: &'p Condition, found: &mut Vec<&'p [Shape]>) {
    match condition {
        Condition::All(items) | Condition::Any(items) => {
            items.iter().for_each(|item| collect_shapes(item, found));
        }
        Condition::Not(inner) => collect_shapes(inner, found),
        Condition::Test { test, .. } => test.each_reference(&mut |reference| {
            if let Reference::Shapes(shapes) = reference {
                found.push(shapes);
            }
        }),
        Condition::Always => {}
    }
}

/// Where the ids of rules stand first.
type Seen<'r> = std::collections::HashMap<&'r str, Span, foldhash::fast::RandomState>;

/// The rules in force, in the order in which findings are reported: definitions, built-in rules,
/// custom rules.
fn rules(
    lowering: &mut Lowering<'_>,
    builtin: &[Spanned<RuleDefinition>],
    layers: &[Layer],
    settings: &switches::Settings,
) -> Vec<Rule> {
    let mut seen = Seen::default();
    let mut rules = Vec::new();
    for (at, layer) in layers.iter().enumerate() {
        for definition in &layer.definitions {
            let is_free = is_free(lowering, definition, &mut seen, false);
            // One whose id is taken is looked at too, so that all its problems show.
            let rule = lowering.rule(&definition.value, definition.span, layer.origin);
            rules.extend(rule.filter(|rule| is_free && !settings.is_off(&rule.id, at)));
        }
    }
    for definition in builtin {
        let Some(id) = &definition.value.id else { continue };
        let is_overridden = seen.contains_key(&*id.value);
        if settings.is_on(&id.value) && !is_overridden {
            rules.extend(lowering.rule(&definition.value, definition.span, Origin::Builtin));
        }
    }
    for (at, layer) in layers.iter().enumerate() {
        for custom in &layer.custom {
            let is_free = is_free(lowering, custom, &mut seen, true);
            let rule = lowering.rule(&custom.value, custom.span, Origin::Custom);
            rules.extend(rule.filter(|rule| is_free && !settings.is_off(&rule.id, at)));
        }
    }
    // A custom rule with the id of a built-in one takes its place too.
    let custom: Vec<Box<str>> = rules
        .iter()
        .filter(|rule| rule.origin == Origin::Custom)
        .map(|rule| rule.id.clone())
        .collect();
    rules.retain(|rule| rule.origin != Origin::Builtin || !custom.contains(&rule.id));
    rules
}

/// Whether no rule before has the id. In one file that is an error; a config's rule quietly takes
/// the place of its profile's, which is what profiles are for.
fn is_free<'r>(
    lowering: &mut Lowering<'_>,
    rule: &'r Spanned<RuleDefinition>,
    seen: &mut Seen<'r>,
    is_custom: bool,
) -> bool {
    let Some(id) = &rule.value.id else { return true };
    let Some(&first) = seen.get(&*id.value) else {
        seen.insert(&id.value, id.span);
        return true;
    };
    if first.file == id.span.file && first != id.span {
        let diagnostic =
            if is_custom && lowering.sources.slice(first) == lowering.sources.slice(id.span) {
                let message = format!("the custom rule `{}` has no effect", id.value);
                Diagnostic::new(&d::OVERRIDDEN_RULE, id.span, message)
            } else {
                let message = format!("there is another rule called `{}`", id.value);
                Diagnostic::new(&d::DUPLICATE_RULE, id.span, message)
            };
        let diagnostic = diagnostic
            .label(first, "the first rule of this name")
            .help("give one of them another id, or delete it");
        lowering.report(diagnostic);
    }
    false
}
