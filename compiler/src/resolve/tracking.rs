//! What is remembered during a session: the defaults, with what profiles and the config declare put
//! in the place of the default of that name.

use behavior_runtime::decision::Phase;

use super::{Layer, Resolver};
use crate::ast::{
    BehaviorConfig, Counted, CounterConfig, CounterReset, FlagConfig, Lifetime, ResetWhen,
    SetConfig, StateTracking,
};
use crate::conditions::{self, Lowered, commands};
use crate::decode::{ConditionNode, OneOrMany, ParamName, Reports, Spanned, ToolName};
use crate::diagnostic::Diagnostic;
use crate::ir::{self, Condition, Counter, Flag, Set};
use crate::lower::{Lowering, Names, normal_tool_names};
use crate::provider::LIBRARY_PREFIX;
use crate::registry::diagnostics as d;
use crate::source::{Source, Span};
use crate::syntax::{Entry, Node};

/// Sets, counters and flags whose conditions are still to be lowered.
#[derive(Default)]
pub(super) struct Pending {
    pub sets: Vec<(Set, SetConfig)>,
    pub counters: Vec<(Counter, CounterConfig)>,
    pub flags: Vec<(Flag, FlagConfig)>,
}

impl Resolver<'_> {
    pub(super) fn tracking(
        &mut self,
        builtin: &BehaviorConfig,
        layers: &[Layer],
        names: &mut Names,
    ) -> Pending {
        let mut tables = Pending::default();
        let declared = layers.iter().rev().filter_map(|layer| layer.tracking.as_ref());
        for tracking in builtin.state_tracking.iter().chain(declared) {
            tables.add(tracking, self.reports);
        }
        if self.options.only_named_state {
            tables.retain(|name| self.is_named(name));
        }
        for (set, _) in &tables.sets {
            names.sets.add(&set.name);
        }
        for (counter, _) in &tables.counters {
            names.counters.add(&counter.name);
        }
        for (flag, _) in &tables.flags {
            names.flags.add(&flag.name);
        }
        let unread = self.documents.iter().flat_map(|document| nearly_declared(&document.config));
        let is_known =
            |name: &&str| names.sets.has(name) || names.counters.has(name) || names.flags.has(name);
        names.unread = unread.filter(|name| !is_known(name)).map(Box::from).collect();
        tables
    }

    /// Whether a file of the author's has a name somewhere in it.
    fn is_named(&self, name: &str) -> bool {
        let is_own = |source: &Source| !source.name.starts_with(LIBRARY_PREFIX);
        self.sources.iter().any(|(_, source)| is_own(source) && source.text.contains(name))
    }
}

/// The names in what may be meant to declare state: below `state_tracking`, and below keys that no config has.
fn nearly_declared(config: &Node) -> Vec<&str> {
    let is_state = |entry: &&Entry| {
        let key = &*entry.key.text;
        key == "state_tracking" || BehaviorConfig::RECORD.field(key).is_none()
    };
    let mut names = Vec::new();
    for entry in config.entries().unwrap_or_default().iter().filter(is_state) {
        let kinds = entry.value.entries().unwrap_or_default();
        names.extend(names_in(&entry.value));
        names.extend(kinds.iter().flat_map(|kind| names_in(&kind.value)));
    }
    names
}

/// The keys of a mapping, or the texts of a list.
fn names_in(node: &Node) -> Vec<&str> {
    match (node.entries(), node.items()) {
        (Some(entries), _) => entries.iter().map(|entry| &*entry.key.text).collect(),
        (_, Some(items)) => items.iter().filter_map(Node::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Replaces the entry of the same name, or appends.
fn put<T>(table: &mut Vec<T>, item: T, is_same: impl Fn(&T) -> bool) {
    match table.iter_mut().find(|known| is_same(known)) {
        Some(slot) => *slot = item,
        None => table.push(item),
    }
}

impl Pending {
    fn retain(&mut self, is_wanted: impl Fn(&str) -> bool) {
        self.sets.retain(|(set, _)| is_wanted(&set.name));
        self.counters.retain(|(counter, _)| is_wanted(&counter.name));
        self.flags.retain(|(flag, _)| is_wanted(&flag.name));
    }

    fn add(&mut self, tracking: &StateTracking, reports: &mut Reports) {
        for (name, config) in tracking.sets.iter().flat_map(|sets| &sets.0) {
            let item = (set(name, config, reports), config.value.clone());
            put(&mut self.sets, item, |(known, _)| known.name == name.value);
        }
        for (name, config) in tracking.counters.iter().flat_map(|counters| &counters.0) {
            let item = (counter(name, config, reports), config.value.clone());
            put(&mut self.counters, item, |(known, _)| known.name == name.value);
        }
        for (name, config) in tracking.flags.iter().flat_map(|flags| &flags.0) {
            let item = (flag(name, config, reports), config.value.clone());
            put(&mut self.flags, item, |(known, _)| known.name == name.value);
        }
    }

    /// Lowers the conditions, once patterns can be compiled.
    pub fn lower(&mut self, lowering: &mut Lowering<'_>) {
        lowering.phase = Phase::PostTool;
        for (set, config) in &mut self.sets {
            set.add_when = lower_condition(lowering, config.add_when.as_ref());
        }
        for (counter, config) in &mut self.counters {
            // What counts before it runs has no result yet.
            let started = counter.counts_started;
            lowering.phase = if started { Phase::PreTool } else { Phase::PostTool };
            counter.increment_when = lower_condition(lowering, config.increment_when.as_ref());
            lowering.phase = Phase::PostTool;
            match &config.reset_when {
                Some(CounterReset::Call(reset)) => {
                    counter.reset_when = lower_reset(lowering, &reset.value, reset.span);
                }
                Some(CounterReset::Condition(condition)) => {
                    counter.reset_if = lower_condition(lowering, Some(condition));
                }
                None => {}
            }
        }
        for (flag, config) in &mut self.flags {
            flag.set_when = lower_condition(lowering, config.set_when.as_ref());
            flag.unset_when = lower_condition(lowering, config.unset_when.as_ref());
        }
    }
}

fn lower_condition(
    lowering: &mut Lowering<'_>,
    condition: Option<&ConditionNode>,
) -> Option<Condition> {
    match conditions::lower(&condition?.0, lowering) {
        Lowered::Condition(condition) => Some(condition),
        _ => None,
    }
}

fn set(name: &Spanned<Box<str>>, config: &Spanned<SetConfig>, reports: &mut Reports) -> Set {
    let Spanned { value: config, span } = config;
    let target = config.target.as_ref().map_or("file_path", ParamName::text);
    let aliases = config.aliases.iter().flat_map(|aliases| &aliases.0).map(ParamName::text);
    let adding = [&config.add_on, &config.add_on_call, &config.add_on_success];
    let is_fed = adding.into_iter().flatten().any(|tools| !tools.0.is_empty())
        || config.add_when.is_some()
        || config.add_paths.as_ref().is_some_and(|paths| !paths.0.is_empty());
    const FEEDING: &[&str] = &["add_on", "add_on_call", "add_on_success", "add_when", "add_paths"];
    if !is_fed && !reports.has_key_for(FEEDING, *span) {
        let message = format!("nothing is added to the set `{}`", name.value);
        let help = "name the tools that add to it in `add_on`, `add_on_call` or `add_on_success`, or say what \
                    does in `add_when` or `add_paths`";
        reports.push(Diagnostic::new(&d::NEVER_FILLED, name.span, message).help(help));
    }
    Set {
        name: name.value.clone(),
        span: name.span,
        add_on: match (&config.add_on, &config.add_on_success, &config.add_when) {
            (None, None, Some(_)) => vec!["*".into()],
            (add_on, ..) => tools(add_on.as_ref(), reports),
        },
        add_when: None,
        add_on_call: tools(config.add_on_call.as_ref(), reports),
        add_on_success: tools(config.add_on_success.as_ref(), reports),
        targets: std::iter::once(target).chain(aliases).map(Box::from).collect(),
        window: config.window_turns.as_ref().map_or(0, |turns| turns.value.0 as u32),
        fingerprint: config.fingerprint.unwrap_or(false),
        survives_compaction: config.survives_compaction.unwrap_or(true),
        paths: config
            .add_paths
            .iter()
            .flat_map(|paths| &paths.0)
            .fold(0, |all, paths| all | paths.meaning().bit()),
    }
}

fn counter(
    name: &Spanned<Box<str>>,
    config: &Spanned<CounterConfig>,
    reports: &mut Reports,
) -> Counter {
    let value = &config.value;
    let of_change = Change { on: value.increment_on.as_ref(), when: value.increment_when.as_ref() };
    of_change.check("increment_on", name, config.span, reports);
    Counter {
        name: name.value.clone(),
        span: name.span,
        increment_on: of_change.tools(reports),
        reset_on: tools(value.reset_on.as_ref(), reports),
        reset_when: None,
        counts_started: value.count == Some(Counted::Started),
        increment_when: None,
        reset_if: None,
        is_per_turn: value.per == Some(Lifetime::Turn),
    }
}

fn flag(name: &Spanned<Box<str>>, config: &Spanned<FlagConfig>, reports: &mut Reports) -> Flag {
    let value = &config.value;
    let of_change = Change { on: value.set_on.as_ref(), when: value.set_when.as_ref() };
    of_change.check("set_on", name, config.span, reports);
    Flag {
        name: name.value.clone(),
        span: name.span,
        set_on: of_change.tools(reports),
        unset_on: tools(value.unset_on.as_ref(), reports),
        set_when: None,
        unset_when: None,
        is_per_turn: value.per == Some(Lifetime::Turn),
    }
}

/// What brings a change about: tools, a condition, or both.
#[derive(Clone, Copy)]
struct Change<'c> {
    on: Option<&'c OneOrMany<ToolName>>,
    when: Option<&'c ConditionNode>,
}

impl Change<'_> {
    /// The tools; all of them where a condition alone says it.
    fn tools(self, reports: &mut Reports) -> Vec<Box<str>> {
        match (self.on, self.when) {
            (None, Some(_)) => vec!["*".into()],
            (on, _) => tools(on, reports),
        }
    }

    /// Reports where nothing is said, or an empty list.
    fn check(self, field: &str, name: &Spanned<Box<str>>, span: Span, reports: &mut Reports) {
        let what = if field == "set_on" { "flag" } else { "counter" };
        let when = field.replace("_on", "_when");
        match (self.on, self.when) {
            (None, None) if reports.has_key_for(&[field, &when], span) => {}
            (None, None) => {
                let message = format!("missing field `{field}` in a {what}");
                let help = format!(
                    "add `{field}` with a tool name or `*`, or a list of them, or `{when}` with a condition"
                );
                reports.push(Diagnostic::new(&d::MISSING_FIELD, span, message).help(help));
            }
            (Some(tools), _) if tools.0.is_empty() => {
                let message =
                    format!("the {what} `{}` never changes: `{field}` is empty", name.value);
                reports.push(
                    Diagnostic::new(&d::NEVER_CHANGES, span, message)
                        .help(format!("name at least one tool in `{field}`")),
                );
            }
            _ => {}
        }
    }
}

fn tools(names: Option<&OneOrMany<ToolName>>, reports: &mut Reports) -> Vec<Box<str>> {
    names.map(|names| tool_names(&names.0, reports)).unwrap_or_default()
}

fn tool_names(names: &[ToolName], reports: &mut Reports) -> Vec<Box<str>> {
    normal_tool_names(names.iter(), reports).into_iter().map(|tool| tool.name).collect()
}

fn lower_reset(
    lowering: &mut Lowering<'_>,
    reset: &ResetWhen,
    span: Span,
) -> Option<ir::ResetWhen> {
    let mut param = reset.param.as_ref().map(|param| Box::from(param.text()));
    let test = match (&reset.matches, &reset.runs) {
        (Some(pattern), None) => lowering.pattern(&pattern.node).map(ir::ResetTest::Matches),
        (None, Some(runs)) => {
            let (shapes, named) = commands(runs, lowering);
            param = named.or(param);
            shapes.map(ir::ResetTest::Runs)
        }
        (Some(_), Some(runs)) => {
            let message = "a reset has either `matches` or `runs`";
            lowering.report(
                Diagnostic::new(&d::CONFLICTING_FIELDS, runs.span, message)
                    .help("delete one of them, or write two counters"),
            );
            None
        }
        (None, None) => {
            let message = "missing field `matches` or `runs` in a conditional reset";
            lowering.report(
                Diagnostic::new(&d::MISSING_FIELD, span, message)
                    .help("say in `matches` which pattern the parameter must match, or in `runs` what the command must run"),
            );
            None
        }
    };
    if param.is_none() && reset.runs.is_none() {
        let message = "missing field `param` in a conditional reset";
        lowering.report(
            Diagnostic::new(&d::MISSING_FIELD, span, message)
                .help("add `param:` with the name of a parameter"),
        );
        return None;
    }
    Some(ir::ResetWhen {
        tools: separated_tool_names(reset.tool.as_ref()?, lowering.reports),
        param: param.unwrap_or_else(|| "command".into()),
        test: test?,
    })
}

/// `tool: bash, shell` names two tools.
fn separated_tool_names(tools: &OneOrMany<ToolName>, reports: &mut Reports) -> Vec<Box<str>> {
    let parts: Vec<ToolName> = tools
        .0
        .iter()
        .flat_map(|tool| {
            tool.text().split(',').map(|part| {
                let mut node = tool.node.clone();
                node.kind = crate::syntax::Kind::String(part.trim().into());
                ToolName { node }
            })
        })
        .collect();
    tool_names(&parts, reports)
}
