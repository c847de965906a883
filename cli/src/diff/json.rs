//! Differences between two traces as JSON: one document, or a line for each.

use behavior_json::plain::escaped;
use behavior_runtime::Layers;
use behavior_runtime::decision::{Finding, Phase};
use serde::Serialize;

use super::compare::{Comparison, level};
use super::gather::{Found, Rule, Side};
use super::render::{by_rule, level_name, missing, rule_name};
use crate::simulate::json::{Fields, PlaceOutput};
use crate::simulate::summary::{ProblemLine, total};

/// The version of the shape.
const VERSION: u32 = 1;

/// Everything that differs.
#[derive(Serialize)]
pub struct Document<'a> {
    version: u32,
    regressions: Vec<FoundOutput<'a>>,
    fixes: Vec<FoundOutput<'a>>,
    lost: Vec<FoundOutput<'a>>,
    moved: Vec<FoundOutput<'a>>,
    unchanged: u64,
    worst: &'static str,
    summary: Summary<'a>,
}

#[derive(Serialize)]
struct FoundOutput<'a> {
    rule: &'a str,
    #[serde(flatten)]
    of_rule: Option<RuleOutput>,
    action: &'static str,
    severity: &'static str,
    level: &'static str,
    message: &'a str,
    subject: &'a str,
    pair: Option<u64>,
    session: Option<&'a str>,
    file: Option<&'a str>,
    index: Option<u64>,
    line: Option<u32>,
    span: Option<PlaceOutput<'a>>,
    /// On a line of its own, in which way it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    change: Option<&'static str>,
}

/// What only rules have, not permissions.
#[derive(Serialize)]
struct RuleOutput {
    kind: Option<&'static str>,
    scope: Option<&'static str>,
    phase: Option<&'static str>,
    rendered: String,
}

#[derive(Serialize)]
struct Summary<'a> {
    regressions: usize,
    fixes: usize,
    unchanged: u64,
    lost: usize,
    moved: usize,
    missing_sessions: u64,
    by_rule: Fields<'a, RuleCounts>,
    baseline: SideOutput<'a>,
    candidate: SideOutput<'a>,
}

#[derive(Serialize)]
struct RuleCounts {
    regressions: u64,
    fixes: u64,
}

#[derive(Serialize)]
struct SideOutput<'a> {
    name: &'a str,
    files: u64,
    sessions: usize,
    events: u64,
    findings: usize,
    problems: u64,
    problem_lines: &'a [ProblemLine],
    undecided: u64,
}

#[derive(Serialize)]
struct MissingSessions {
    change: &'static str,
    count: u64,
    of: u64,
    message: String,
}

impl<'a> Document<'a> {
    /// Tells how two sides differ.
    #[must_use]
    pub fn new(
        layers: &'a Layers,
        [baseline, candidate]: [&'a Side; 2],
        comparison: &'a Comparison,
    ) -> Self {
        let list = |all: &'a [Found]| all.iter().map(|one| found(layers, one, None)).collect();
        let counts = by_rule(layers, comparison).into_iter();
        let by_rule = counts.map(|(name, (regressions, fixes))| {
            let counts = RuleCounts { regressions, fixes };
            (name, counts)
        });
        Self {
            version: VERSION,
            regressions: list(&comparison.regressions),
            fixes: list(&comparison.fixes),
            lost: list(&comparison.lost),
            moved: list(&comparison.moved),
            unchanged: comparison.unchanged,
            worst: level_name(comparison.worst()),
            summary: Summary {
                regressions: comparison.regressions.len(),
                fixes: comparison.fixes.len(),
                unchanged: comparison.unchanged,
                lost: comparison.lost.len(),
                moved: comparison.moved.len(),
                missing_sessions: comparison.missing.sessions,
                by_rule: Fields(by_rule.collect()),
                baseline: side(baseline),
                candidate: side(candidate),
            },
        }
    }
}

/// Returns a line for each difference, and one for all sessions that are missing.
///
/// # Errors
/// When the serialiser fails, which plain data gives it no reason to.
pub fn lines(layers: &Layers, comparison: &Comparison) -> std::io::Result<String> {
    let mut lines = Vec::new();
    if let Some(message) = missing(comparison) {
        let (count, of) = (comparison.missing.sessions, comparison.missing.of);
        let line = MissingSessions { change: "missing_sessions", count, of, message };
        lines.push(format!("{}\n", escaped(&serde_json::to_string(&line)?)));
    }
    let lists = [
        ("regression", &comparison.regressions),
        ("fix", &comparison.fixes),
        ("lost", &comparison.lost),
        ("moved", &comparison.moved),
    ];
    for (change, list) in lists {
        for one in list {
            lines.push(format!(
                "{}\n",
                escaped(&serde_json::to_string(&found(layers, one, Some(change)))?)
            ));
        }
    }
    Ok(lines.concat())
}

fn found<'a>(
    layers: &'a Layers,
    found: &'a Found,
    change: Option<&'static str>,
) -> FoundOutput<'a> {
    let name = rule_name(layers, found.rule);
    let of_rule = |rule| {
        let monitor = layers.monitors().of_rule(rule);
        let shown = Finding::new(rule, found.action, Phase::Exchange, found.message.clone());
        RuleOutput {
            kind: monitor.as_ref().map(|monitor| monitor.kind.name()),
            scope: monitor.as_ref().map(|monitor| monitor.scope.name()),
            phase: layers.rules().get(rule).map(|rule| rule.phase.name()),
            rendered: shown.rendered(name),
        }
    };
    let (of_rule, place) = match found.rule {
        Rule::Rule(rule) => (Some(of_rule(rule)), layers.rules().get(rule).map(|rule| rule.place)),
        Rule::Permission(rule) => {
            (None, rule.and_then(|rule| layers.policy().get(rule)).map(|rule| rule.place))
        }
    };
    FoundOutput {
        rule: name,
        of_rule,
        action: found.action.name(),
        severity: found.action.severity(),
        level: level_name(level(found)),
        message: &found.message,
        subject: &found.subject,
        pair: found.pair,
        session: Some(&*found.session).filter(|name| !name.is_empty()),
        file: Some(&*found.file).filter(|name| !name.is_empty()),
        index: found.index,
        line: found.line,
        span: place.map(PlaceOutput::from),
        change,
    }
}

fn side(side: &Side) -> SideOutput<'_> {
    SideOutput {
        name: &side.name,
        files: side.summary.files,
        sessions: side.sessions.len(),
        events: side.summary.all.events,
        findings: side.found.len(),
        problems: side.summary.problems,
        problem_lines: &side.summary.problem_lines,
        undecided: total(&side.summary.all.undecided),
    }
}
