//! What is remembered during a session: the defaults, with what profiles and the config declare put
//! in the place of the default of that name.

use super::{Layer, Resolver};
use crate::ast::{BehaviorConfig, CounterConfig, FlagConfig, ResetWhen, SetConfig, StateTracking};
use crate::conditions::command_shapes;
use crate::decode::{OneOrMany, ParamName, Reports, Spanned, ToolName};
use crate::diagnostic::Diagnostic;
use crate::ir::{self, Counter, Flag, Set};
use crate::lower::{Lowering, Names, normal_tool_names};
use crate::registry::diagnostics as d;
use crate::source::Span;

/// A counter whose conditional reset is still to be lowered.
pub(super) type PendingCounter = (Counter, Option<Spanned<ResetWhen>>);

impl Resolver<'_> {
    pub(super) fn tracking(
        &mut self,
        builtin: &BehaviorConfig,
        layers: &[Layer],
        names: &mut Names,
    ) -> (Vec<Set>, Vec<PendingCounter>, Vec<Flag>) {
        let mut tables = Tables::default();
        let declared = layers.iter().rev().filter_map(|layer| layer.tracking.as_ref());
        for tracking in builtin.state_tracking.iter().chain(declared) {
            tables.add(tracking, self.reports);
        }
        for set in &tables.sets {
            names.sets.add(&set.name);
        }
        for (counter, _) in &tables.counters {
            names.counters.add(&counter.name);
        }
        for flag in &tables.flags {
            names.flags.add(&flag.name);
        }
        (tables.sets, tables.counters, tables.flags)
    }
}

#[derive(Default)]
struct Tables {
    sets: Vec<Set>,
    counters: Vec<PendingCounter>,
    flags: Vec<Flag>,
}

/// Replaces the entry of the same name, or appends.
fn put<T>(table: &mut Vec<T>, item: T, is_same: impl Fn(&T) -> bool) {
    match table.iter_mut().find(|known| is_same(known)) {
        Some(slot) => *slot = item,
        None => table.push(item),
    }
}

impl Tables {
    fn add(&mut self, tracking: &StateTracking, reports: &mut Reports) {
        for (name, config) in tracking.sets.iter().flat_map(|sets| &sets.0) {
            let set = set(name, config, reports);
            put(&mut self.sets, set, |known| known.name == name.value);
        }
        for (name, config) in tracking.counters.iter().flat_map(|counters| &counters.0) {
            let counter = counter(name, config, reports);
            put(&mut self.counters, counter, |(known, _)| known.name == name.value);
        }
        for (name, config) in tracking.flags.iter().flat_map(|flags| &flags.0) {
            let flag = flag(name, config, reports);
            put(&mut self.flags, flag, |known| known.name == name.value);
        }
    }
}

fn set(name: &Spanned<Box<str>>, config: &SetConfig, reports: &mut Reports) -> Set {
    let target = config.target.as_ref().map_or("file_path", ParamName::text);
    let aliases = config.aliases.iter().flat_map(|aliases| &aliases.0).map(ParamName::text);
    Set {
        name: name.value.clone(),
        span: name.span,
        add_on: tools(config.add_on.as_ref(), reports),
        add_on_call: tools(config.add_on_call.as_ref(), reports),
        add_on_success: tools(config.add_on_success.as_ref(), reports),
        targets: std::iter::once(target).chain(aliases).map(Box::from).collect(),
        window: config.window_turns.as_ref().map_or(0, |turns| turns.value.0 as u32),
        fingerprint: config.fingerprint.unwrap_or(false),
        survives_compaction: config.survives_compaction.unwrap_or(true),
    }
}

fn counter(
    name: &Spanned<Box<str>>,
    config: &Spanned<CounterConfig>,
    reports: &mut Reports,
) -> PendingCounter {
    let value = &config.value;
    needs_tool(value.increment_on.as_ref(), "increment_on", name, config.span, reports);
    let counter = Counter {
        name: name.value.clone(),
        span: name.span,
        increment_on: tools(value.increment_on.as_ref(), reports),
        reset_on: tools(value.reset_on.as_ref(), reports),
        reset_when: None,
    };
    (counter, value.reset_when.clone())
}

fn flag(name: &Spanned<Box<str>>, config: &Spanned<FlagConfig>, reports: &mut Reports) -> Flag {
    let value = &config.value;
    needs_tool(value.set_on.as_ref(), "set_on", name, config.span, reports);
    Flag {
        name: name.value.clone(),
        span: name.span,
        set_on: tools(value.set_on.as_ref(), reports),
        unset_on: tools(value.unset_on.as_ref(), reports),
    }
}

/// A list that is written and empty; one that is missing was reported already.
fn needs_tool(
    tools: Option<&OneOrMany<ToolName>>,
    field: &str,
    name: &Spanned<Box<str>>,
    span: Span,
    reports: &mut Reports,
) {
    if tools.is_some_and(|tools| tools.0.is_empty()) {
        let what = if field == "set_on" { "flag" } else { "counter" };
        let message = format!("the {what} `{}` never changes: `{field}` is empty", name.value);
        reports.push(
            Diagnostic::new(&d::NEVER_CHANGES, span, message)
                .help(format!("name at least one tool in `{field}`")),
        );
    }
}

fn tools(names: Option<&OneOrMany<ToolName>>, reports: &mut Reports) -> Vec<Box<str>> {
    names.map(|names| tool_names(&names.0, reports)).unwrap_or_default()
}

fn tool_names(names: &[ToolName], reports: &mut Reports) -> Vec<Box<str>> {
    normal_tool_names(names.iter(), reports).into_iter().map(|tool| tool.name).collect()
}

/// Lowers the conditional resets, once patterns can be compiled.
pub(super) fn lower_resets(lowering: &mut Lowering<'_>, counters: &mut [PendingCounter]) {
    for (counter, reset) in counters {
        let Some(reset) = reset else { continue };
        counter.reset_when = lower_reset(lowering, &reset.value, reset.span);
    }
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
            command_shapes(runs, lowering, &mut param, 0).map(ir::ResetTest::Runs)
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
