//! Lints: what compiles and is probably not what was meant.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Bound;

use behavior_facts::tools;
use behavior_image::code::Comparison;
use behavior_runtime::decision::{Action, Origin, Phase};

use crate::decode::{Reports, did_you_mean};
use crate::diagnostic::{Diagnostic, Severity};
use crate::fragment::excerpt;
use crate::interplay::{self, Clash};
use crate::ir::{Condition, Program, Reference, Rule, Test, Trigger};
use crate::misspelt;
use crate::parameters;
use crate::registry::diagnostics as d;
use crate::resolve::{Document, FileKind};
use crate::rule_test::check_events;
use crate::source::{FileId, SourceMap, Span};
use crate::tool_names::is_program;
use crate::uses::{State, each_use};

/// Looks at the whole program. `tools` are those that the agent has, where somebody said so; `has_agent`
/// tells that rules are held against a named agent, too.
pub(crate) fn lint(
    program: &Program,
    sources: &SourceMap,
    tools: Option<&[String]>,
    has_agent: bool,
    reports: &mut Reports,
) {
    let errors = Errors::of(reports);
    let own = || program.rules.iter().filter(|rule| rule.origin != Origin::Builtin);
    for rule in own().filter(|rule| !errors.has_one_in(rule.span)) {
        lint_rule(program, rule, sources, reports);
    }
    let mut used = HashSet::new();
    each_use(program, &mut |state| _ = used.insert(state));
    unused_state(program, |state| used.contains(&state), sources, reports);
    commands_as_changes(program, sources, reports);
    for rule in program.rules.iter().filter(|rule| is_own(rule.span, sources)) {
        commands_as_triggers(rule, reports);
    }
    if tools.is_some() || has_agent {
        // The agent's own tools tell better.
        reports.diagnostics.retain(|one| one.kind.name != d::UNKNOWN_TOOL.name);
    }
    match tools {
        Some(tools) => unknown_tools(program, tools, reports),
        None if !has_agent => {
            own().for_each(|rule| misspelt_tools(rule, sources, reports));
            misspelt_changes(program, sources, reports);
        }
        None => {}
    }
}

/// Looks at one rule of the author's as [`lint`] does, where no agent is named; `reports` has what was said of it
/// before. Of the program, only what it declares of state is looked at.
pub(crate) fn lint_alone(
    program: &Program,
    rule: &Rule,
    sources: &SourceMap,
    reports: &mut Reports,
) {
    if !Errors::of(reports).has_one_in(rule.span) {
        lint_rule(program, rule, sources, reports);
    }
    commands_as_triggers(rule, reports);
    misspelt_tools(rule, sources, reports);
}

/// A config that puts no rule in force looks as if all were well. What is wrong may be why there is
/// none, and a classifier or a prompt is something to have too.
pub(crate) fn no_rules(
    program: &Program,
    documents: &[Document],
    entries: &[String],
    sources: &SourceMap,
    reports: &mut Reports,
) {
    let has_errors = reports.diagnostics.iter().any(|d| d.severity == Severity::Error);
    let classifies = program.classifier.as_ref().is_some_and(|classifier| classifier.enabled);
    let does_something = classifies
        || program.verifier.is_some()
        || !program.prompt.is_empty()
        || !program.rules.is_empty()
        || !program.monitors.is_empty()
        || program.permissions.is_some();
    if has_errors || does_something {
        return;
    }
    let is_named = |document: &&Document| {
        let source = sources.get(document.file);
        source.is_some_and(|source| entries.contains(&source.name))
    };
    let is_config = |document: &&Document| document.kind != FileKind::Profile;
    let Some(config) = documents.iter().rev().filter(is_named).find(is_config) else { return };
    let first = config.config.entries().and_then(<[_]>::first);
    let span = first.map_or(config.config.span, |entry| entry.key.span);
    reports.push(
        Diagnostic::new(&d::NO_RULES, span, "no rule is in force: nothing is found or blocked")
            .help("start from a preset, such as `profile: dev`, or write `rule_definitions`"),
    );
}

/// Where errors start, by file and offset.
struct Errors(Vec<(FileId, u32)>);

impl Errors {
    fn of(reports: &Reports) -> Self {
        let errors = reports.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        let mut places: Vec<_> = errors.map(|d| (d.span.file, d.span.start)).collect();
        places.sort_unstable();
        Self(places)
    }

    fn has_one_in(&self, span: Span) -> bool {
        let first = self.0.partition_point(|place| *place < (span.file, span.start));
        self.0.get(first).is_some_and(|place| *place < (span.file, span.end))
    }
}

/// A rule that is partly wrong may only look odd, as its message may be what was misspelt: it is not looked at.
fn lint_rule(program: &Program, rule: &Rule, sources: &SourceMap, reports: &mut Reports) {
    let blocks_all = rule.action == Action::Block
        && rule.phase == Phase::PreTool
        && rule.condition == Condition::Always
        && rule.triggers.iter().any(|trigger| trigger.selects_all());
    if blocks_all {
        let message = format!("`{}` blocks every call of every tool", rule.id);
        reports.push(
            Diagnostic::new(&d::BLOCKS_EVERYTHING, rule.span, message)
                .help("name the tools in `trigger`, or say in `condition` when it holds"),
        );
    }
    if rule.message.is_empty() {
        let message = format!("`{}` has no message: the agent learns only its id", rule.id);
        reports.push(
            Diagnostic::new(&d::EMPTY_MESSAGE, rule.span, message)
                .help("add a `message:` that says what to do instead"),
        );
    }
    // `condition: "true"` is how one says that a rule is meant to fire always.
    let is_said = rule.condition == Condition::All(Vec::new());
    if let Some(value) = constant(&rule.condition, rule.phase).filter(|_| !is_said) {
        let effect = if value { "always fires" } else { "never fires" };
        let message = format!("`{}` {effect}, whatever happens", rule.id);
        let mut diagnostic = Diagnostic::new(&d::CONSTANT_CONDITION, rule.span, message);
        diagnostic.help = constant_reason(rule);
        reports.push(diagnostic);
    } else {
        clashes(&rule.condition, rule.phase, reports);
    }
    runs_of_other_tools(rule, reports);
    misspelt_parameters(rule, sources, reports);
    each_test(&rule.condition, &mut |test, span| {
        if let Test::TargetChangedSince(set) = test
            && let Some(set) = program.sets.get(*set as usize).filter(|set| !set.fingerprint)
        {
            let message = format!("the set `{}` keeps no fingerprints to compare with", set.name);
            reports.push(
                Diagnostic::new(&d::NO_FINGERPRINT, span, message)
                    .label(set.span, "the set is declared here")
                    .help("add `fingerprint: true` to the set"),
            );
        }
    });
}

/// Conditions on a parameter that the tools of a rule have under a name near to it.
fn misspelt_parameters(rule: &Rule, sources: &SourceMap, reports: &mut Reports) {
    each_test(&rule.condition, &mut |test, span| {
        // Of these it is said that they never hold.
        let is_runs = matches!(test, Test::Runs(..));
        test.each_reference(&mut |reference| {
            let Reference::Param(name) = reference else { return };
            let of_other = || {
                let tools = rule.triggers.iter().map(|trigger| &*trigger.name);
                let owner = parameters::owner(name, tools).filter(|_| !is_runs)?;
                let help = format!("`{name}` is a parameter of `{owner}`");
                Some(misspelt::no_parameter(name, &rule.triggers, span).help(help))
            };
            let found = misspelt::parameter(name, &rule.triggers, span, sources).or_else(of_other);
            reports.diagnostics.extend(found);
        });
    });
}

/// `runs` in a rule all of whose tools are known to run no command lines.
fn runs_of_other_tools(rule: &Rule, reports: &mut Reports) {
    let known = |trigger: &Trigger| parameters::of(&trigger.name);
    let has_none = |trigger| known(trigger).is_some_and(|names| !names.contains(&"command"));
    if rule.triggers.is_empty() || !rule.triggers.iter().all(has_none) {
        return;
    }
    let mut place = None;
    each_test(&rule.condition, &mut |test, span| {
        if matches!(test, Test::Runs(param, _) if **param == *"command") {
            place.get_or_insert(span);
        }
    });
    let (Some(span), Some(first)) = (place, rule.triggers.first()) else { return };
    let message = format!("`runs` never holds: `{}` has no command line", first.name);
    reports.push(
        Diagnostic::new(&d::CONSTANT_CONDITION, span, message)
            .label(first.span, "the tools of the rule")
            .help("write `trigger: bash`, or the parameter that holds the command line in `param`"),
    );
}

/// The value of a condition that no event can change, where it is not simply left out.
pub(crate) fn constant(condition: &Condition, phase: Phase) -> Option<bool> {
    let values = |items: &[Condition]| -> Vec<_> {
        items.iter().map(|item| constant(item, phase)).collect()
    };
    match condition {
        Condition::Always => None,
        Condition::All(items) => {
            let values = values(items);
            if values.contains(&Some(false)) || interplay::clash(condition, phase).is_some() {
                return Some(false);
            }
            values.iter().all(|value| *value == Some(true)).then_some(true)
        }
        Condition::Any(items) => {
            let values = values(items);
            if values.contains(&Some(true)) || interplay::clash(condition, phase).is_some() {
                return Some(true);
            }
            values.iter().all(|value| *value == Some(false)).then_some(false)
        }
        Condition::Not(inner) => constant(inner, phase).map(|value| !value),
        Condition::Test { test: Test::Constant(value), .. } => Some(*value),
        Condition::Test { test, .. } => constant_test(test, phase).map(|(value, _)| value),
    }
}

/// The value that a test has whatever happens, and why.
fn constant_test(test: &Test, phase: Phase) -> Option<(bool, &'static str)> {
    // After a tool, its call is counted.
    let is_after_call = phase == Phase::PostTool;
    match test {
        Test::CounterAtLeast(_, least) if *least <= 0 => Some((true, "a counter is 0 or more")),
        Test::ConsecutiveAtLeast(0) => Some((true, "a number of calls is 0 or more")),
        Test::ConsecutiveAtLeast(1) if !matches!(phase, Phase::OnText | Phase::TurnEnd) => {
            Some((true, "the call itself counts, so there is always one in a row"))
        }
        Test::TurnCallsEqual(0) | Test::FirstToolThisTurn if is_after_call => {
            Some((false, "after a tool, its own call has ended"))
        }
        Test::ParamIn(_, values) if values.is_empty() => {
            Some((false, "a list without values holds nothing"))
        }
        Test::ParamCompare(_, comparison, value)
            if is_ordering(*comparison) && value.parse::<f64>().is_err() =>
        {
            Some((false, "orderings hold between numbers only, and a number has no quotes"))
        }
        _ => None,
    }
}

fn is_ordering(comparison: Comparison) -> bool {
    !matches!(comparison, Comparison::Equal | Comparison::NotEqual)
}

/// Reports parts of a condition that contradict each other, where the rest may still decide.
fn clashes(condition: &Condition, phase: Phase, reports: &mut Reports) {
    if let Some(clash) = interplay::clash(condition, phase) {
        let mut diagnostic = Diagnostic::new(&d::CONSTANT_CONDITION, clash.span(), clash.message());
        if clash.first_span() != clash.span() {
            diagnostic = diagnostic.label(clash.first_span(), "the other of the two");
        }
        reports.push(diagnostic);
        return;
    }
    match condition {
        Condition::All(items) | Condition::Any(items) => {
            items.iter().for_each(|item| clashes(item, phase, reports));
        }
        Condition::Not(inner) => clashes(inner, phase, reports),
        Condition::Always | Condition::Test { .. } => {}
    }
}

/// The first contradiction in a condition.
fn first_clash(condition: &Condition, phase: Phase) -> Option<Clash<'_>> {
    interplay::clash(condition, phase).or_else(|| match condition {
        Condition::All(items) | Condition::Any(items) => {
            items.iter().find_map(|item| first_clash(item, phase))
        }
        Condition::Not(inner) => first_clash(inner, phase),
        Condition::Always | Condition::Test { .. } => None,
    })
}

/// Why the first of a rule's conditions is constant, where its text does not say so itself.
fn constant_reason(rule: &Rule) -> Option<String> {
    let mut reason = None;
    each_condition(&rule.condition, &mut |test, text, _| {
        if let (None, Some((value, why))) = (&reason, constant_test(test, rule.phase)) {
            let holds = if value { "always holds" } else { "never holds" };
            reason = Some(format!("`{}` {holds}: {why}", excerpt(text)));
        }
    });
    reason.or_else(|| Some(first_clash(&rule.condition, rule.phase)?.message()))
}

pub(crate) fn each_test(condition: &Condition, visit: &mut dyn FnMut(&Test, Span)) {
    each_condition(condition, &mut |test, _, span| visit(test, span));
}

fn each_condition(condition: &Condition, visit: &mut dyn FnMut(&Test, &str, Span)) {
    match condition {
        Condition::Always => {}
        Condition::All(items) | Condition::Any(items) => {
            items.iter().for_each(|item| each_condition(item, visit));
        }
        Condition::Not(inner) => each_condition(inner, visit),
        Condition::Test { test, text, span } => visit(test, text, *span),
    }
}

/// State that the author declares and nothing asks for; `is_used` knows what is asked for.
pub(crate) fn unused_state(
    program: &Program,
    is_used: impl Fn(State) -> bool,
    sources: &SourceMap,
    reports: &mut Reports,
) {
    // A misspelt name is no use of the one that was meant, and what asks for others may be gone with its rule.
    if program.classifier.is_some() || reports.has(&d::UNDECLARED_NAME) {
        return;
    }
    let declared: Vec<_> = declared_state(program).collect();
    let mentioned = mentioned_in_what_is_wrong(&declared, sources, reports);
    let starts: BTreeSet<Span> = declared.iter().map(|(.., span)| *span).collect();
    for (state, name, span) in declared {
        let is_misspelt = || reports.has_misspelt_key(up_to_next(span, &starts, sources));
        if !is_used(state) && is_own(span, sources) && !is_misspelt() && !mentioned.contains(name) {
            let what = state.describe();
            let message = format!("no condition and no message asks for the {what} `{name}`");
            reports.push(Diagnostic::new(&d::UNUSED_STATE, span, message));
        }
    }
}

/// The names of state that stand elsewhere than where they are declared, in a file that has an error: what could not be read
/// may be what asks for them, and one mistake is told once.
fn mentioned_in_what_is_wrong<'p>(
    declared: &[(State, &'p str, Span)],
    sources: &SourceMap,
    reports: &Reports,
) -> HashSet<&'p str> {
    let errors = reports.diagnostics.iter().filter(|one| one.severity == Severity::Error);
    let files: BTreeSet<FileId> = errors.map(|one| one.span.file).collect();
    let texts = files.into_iter().filter_map(|file| Some((file, &*sources.get(file)?.text)));
    let mut mentioned = HashSet::new();
    for (file, text) in texts.filter(|_| !declared.is_empty()) {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let is_part = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-');
        text.split(|sign| !is_part(sign)).for_each(|word| *counts.entry(word).or_default() += 1);
        for (_, name, _) in declared.iter().filter(|(.., span)| span.file == file) {
            if let Some(count) = counts.get_mut(name) {
                *count = count.saturating_sub(1);
            }
        }
        let is_left = |name: &&str| counts.get(name).is_some_and(|count| *count > 0);
        mentioned.extend(declared.iter().map(|(_, name, _)| *name).filter(is_left));
    }
    mentioned
}

/// All that is declared of state, with its name and place.
pub(crate) fn declared_state(program: &Program) -> impl Iterator<Item = (State, &str, Span)> {
    let sets = program.sets.iter().map(|set| (&*set.name, set.span));
    let counters = program.counters.iter().map(|counter| (&*counter.name, counter.span));
    let flags = program.flags.iter().map(|flag| (&*flag.name, flag.span));
    let sets = (0..).map(State::Set).zip(sets);
    let counters = (0..).map(State::Counter).zip(counters);
    let flags = (0..).map(State::Flag).zip(flags);
    sets.chain(counters).chain(flags).map(|(state, (name, span))| (state, name, span))
}

/// Whether a place is in a file of the author's, not in the library.
fn is_own(span: Span, sources: &SourceMap) -> bool {
    sources.get(span.file).is_some_and(|source| !source.name.starts_with("builtin:"))
}

/// The tools that change state of the author's own, by the fields that name them and those for a condition in their place.
fn changes<'p>(
    program: &'p Program,
    sources: &'p SourceMap,
) -> impl Iterator<Item = (Span, &'static str, &'p [Box<str>])> {
    let sets = program.sets.iter().flat_map(|set| {
        let fields = [&set.add_on, &set.add_on_call, &set.add_on_success];
        fields.map(|tools| (set.span, "add_when", &**tools))
    });
    let counters = program.counters.iter().flat_map(|counter| {
        let fields = [("increment_when", &counter.increment_on), ("reset_when", &counter.reset_on)];
        fields.map(|(field, tools)| (counter.span, field, &**tools))
    });
    let flags = program.flags.iter().flat_map(|flag| {
        let fields = [("set_when", &flag.set_on), ("unset_when", &flag.unset_on)];
        fields.map(|(field, tools)| (flag.span, field, &**tools))
    });
    let all = sets.chain(counters).chain(flags);
    all.filter(|(span, ..)| is_own(*span, sources))
}

/// Programs where the tools are named that change state: no call of a tool is called so.
fn commands_as_changes(program: &Program, sources: &SourceMap, reports: &mut Reports) {
    for (span, field, names) in changes(program, sources) {
        let Some(name) = names.iter().find(|name| is_program(name)) else { continue };
        let message = format!("`{name}` is a command, and no tool is called so");
        let help = format!("write `{field}: runs \"{name}\"`: it looks at command lines");
        reports.push(Diagnostic::new(&d::COMMAND_AS_TOOL, span, message).help(help));
    }
}

/// Tools that change state under a name near to that of a tool that agents have.
fn misspelt_changes(program: &Program, sources: &SourceMap, reports: &mut Reports) {
    let starts: BTreeSet<Span> = declared_state(program).map(|(.., span)| span).collect();
    for (span, _, names) in changes(program, sources) {
        let declaration = up_to_next(span, &starts, sources);
        for name in names {
            let found = misspelt::tool(name, declaration, sources).map(with_tools);
            reports.diagnostics.extend(found.map(|mut it| {
                // Where the name cannot be told from others, what is declared is pointed to.
                it.span = if it.span == declaration { span } else { it.span };
                it
            }));
        }
    }
}

/// From the name of a declaration to the next one of its file.
fn up_to_next(name: Span, all: &BTreeSet<Span>, sources: &SourceMap) -> Span {
    let next = all.range((Bound::Excluded(name), Bound::Unbounded)).next();
    let end = || sources.get(name.file).map_or(name.end, |source| source.text.len() as u32);
    let end = next.filter(|next| next.file == name.file).map_or_else(end, |next| next.start);
    Span::new(name.file, name.end, end)
}

fn with_tools(mut diagnostic: Diagnostic) -> Diagnostic {
    if let Some(help) = &mut diagnostic.help {
        help.push_str(" `--tools` tells of tools that are really called so");
    }
    diagnostic
}

/// Programs where the tools of a rule are named.
fn commands_as_triggers(rule: &Rule, reports: &mut Reports) {
    for trigger in rule.triggers.iter().filter(|trigger| is_program(&trigger.name)) {
        let name = &trigger.name;
        let message = format!("`{name}` is a command, and no tool is called so");
        let help = format!("write `trigger: bash` and `condition: runs \"{name}\"`");
        let diagnostic = Diagnostic::new(&d::COMMAND_AS_TOOL, trigger.span, message);
        reports.push(diagnostic.help(help));
    }
}

/// Triggers and needs under a name near to that of a tool that agents have.
fn misspelt_tools(rule: &Rule, sources: &SourceMap, reports: &mut Reports) {
    let triggers = rule.triggers.iter().map(|trigger| (&*trigger.name, trigger.span));
    let needs = rule.needs.iter().map(|tool| (&**tool, rule.span));
    for (name, span) in triggers.chain(needs).filter(|(name, _)| !name.contains('*')) {
        reports.diagnostics.extend(misspelt::tool(name, span, sources).map(with_tools));
    }
    let examples = [&rule.examples.fires, &rule.examples.passes];
    let events = examples.into_iter().flatten().flatten().flat_map(|example| &example.events);
    check_events(events, sources, reports);
}

/// Triggers that no tool of the agent answers to.
fn unknown_tools(program: &Program, tools: &[String], reports: &mut Reports) {
    let mut scratch = String::new();
    let known: Vec<String> = tools
        .iter()
        .map(|tool| {
            tools::normalise(tool, &mut scratch);
            scratch.clone()
        })
        .collect();
    for rule in &program.rules {
        for trigger in &rule.triggers {
            let name = &trigger.name;
            if known.iter().any(|tool| tools::selects(name, tool)) || trigger.selects_all() {
                continue;
            }
            let message = format!("the agent has no tool that `{name}` selects");
            let diagnostic = Diagnostic::new(&d::UNKNOWN_TOOL, trigger.span, message);
            let mut diagnostic =
                did_you_mean(diagnostic, name, known.iter().map(String::as_str), "tools");
            diagnostic.fixes.clear();
            reports.push(diagnostic);
        }
    }
}
