//! Differences between two traces, in each format: for people, for other programs, for pull requests.

use std::collections::BTreeMap;
use std::fmt::Write;

use behavior_runtime::Layers;
use quick_junit::{NonSuccessKind, TestCaseStatus, TestSuite};
use serde_json::{Value, json};

use super::compare::{Comparison, Missing, level};
use super::gather::{Found, Rule, Side};
use super::json;
use crate::args::{DiffFormat, FailOn};
use crate::number::{count, number};
use crate::render::json::to_text;
use crate::render::{one_line, sarif, table};
use crate::screen::{clip, wrap};
use crate::simulate::github::{annotation, data};
use crate::simulate::junit;
use crate::simulate::markdown::{code, escape};
use crate::simulate::summary::Summary;
use crate::terminal::{BOLD, DIM, Failure, GREEN, RED, Terminal, YELLOW};

/// How many are told in full, in formats that people read.
const TOLD: usize = 200;
/// How many missing sessions are named.
const NAMED: usize = 5;
/// The columns that the name of a session takes at most: most are made up by chance.
const MAX_NAME_LENGTH: usize = 40;

/// The whole text.
pub fn render(
    layers: &Layers,
    sides: [&Side; 2],
    comparison: &Comparison,
    format: DiffFormat,
    terminal: &Terminal,
) -> Result<String, Failure> {
    Ok(match format {
        DiffFormat::Pretty => pretty(layers, sides, comparison, terminal),
        DiffFormat::Json => to_text(&json::Document::new(layers, sides, comparison))?,
        DiffFormat::Jsonl => json::lines(layers, comparison)?,
        DiffFormat::Markdown => markdown(layers, sides, comparison),
        DiffFormat::Github => github(layers, sides, comparison),
        DiffFormat::Junit => as_junit(layers, comparison),
        DiffFormat::Sarif => to_text(&sarif(layers, sides, comparison))?,
    })
}

/// Says which lines were not understood, where the format has no place for it.
pub fn say_not_understood(side: &str, summary: &Summary, format: DiffFormat, terminal: &Terminal) {
    for hollow in &summary.hollow {
        let (file, message) = (one_line(&hollow.file), one_line(&hollow.message));
        terminal.note(&format!("no event was found in `{file}` ({side}): {message}"));
    }
    if summary.problems == 0 || matches!(format, DiffFormat::Json | DiffFormat::Markdown) {
        return;
    }
    let lines = not_understood(summary, side);
    terminal.note(&format!("{lines}, and may hide anything:"));
    for line in &summary.problem_lines {
        terminal.say(&format!(
            "{}:{}: {}\n",
            one_line(&line.file),
            line.line,
            one_line(&line.message)
        ));
    }
}

fn not_understood(summary: &Summary, side: &str) -> String {
    let verb = if summary.problems == 1 { "was" } else { "were" };
    format!("{} of {side} {verb} not understood", count(summary.problems, "line"))
}

/// The name of a rule.
pub fn rule_name(layers: &Layers, rule: Rule) -> &str {
    match rule {
        Rule::Rule(rule) => layers.rules().get(rule).map_or("", |rule| rule.id),
        Rule::Permission(rule) => {
            rule.and_then(|rule| layers.policy().get(rule)).map_or("policy", |rule| rule.name)
        }
    }
}

/// Returns how bad something is in the words of other programs, of which `mildest` has several names.
pub fn severity(level: FailOn, mildest: &'static str) -> &'static str {
    match level {
        FailOn::Severe => "error",
        FailOn::Moderate => "warning",
        FailOn::None | FailOn::Minor => mildest,
    }
}

pub fn level_name(level: FailOn) -> &'static str {
    match level {
        FailOn::None => "none",
        FailOn::Minor => "minor",
        FailOn::Moderate => "moderate",
        FailOn::Severe => "severe",
    }
}

/// What is said where sessions of the baseline have no counterpart.
pub fn missing(comparison: &Comparison) -> Option<String> {
    let Missing { sessions, of, names } = &comparison.missing;
    let (have, no_fix) = match sessions {
        0 => return None,
        1 => ("has", "what was found only there is no fix"),
        _ => ("have", "what was found only in them is no fix"),
    };
    let mut text = format!(
        "{} of the {} in the baseline {have} no counterpart in the candidate; {no_fix}",
        number(*sessions),
        count(*of, "session"),
    );
    if !names.is_empty() {
        let shown = names.iter().take(NAMED).map(|(file, session)| {
            let parts = [file, session].into_iter().filter(|part| !part.is_empty());
            let name = parts.map(|part| one_line(part)).collect::<Vec<_>>().join(" ");
            format!("`{}`", clip(&name, MAX_NAME_LENGTH))
        });
        let shown: Vec<_> = shown.collect();
        let more = if names.len() > NAMED { " and others" } else { "" };
        let _ = write!(text, ": {}{more}", shown.join(", "));
    }
    Some(text)
}

/// How many regressions and fixes each rule has.
pub fn by_rule<'i>(layers: &'i Layers, comparison: &Comparison) -> BTreeMap<&'i str, (u64, u64)> {
    let mut counts: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for found in &comparison.regressions {
        counts.entry(rule_name(layers, found.rule)).or_default().0 += 1;
    }
    for found in &comparison.fixes {
        counts.entry(rule_name(layers, found.rule)).or_default().1 += 1;
    }
    counts
}

/// Where something was found, in a few words.
fn whereabouts(found: &Found) -> String {
    let mut parts = Vec::new();
    if !found.file.is_empty() {
        parts.push(one_line(&found.file));
    }
    if !found.session.is_empty() && found.session != behavior_runtime::replay::DEFAULT_SESSION {
        parts.push(format!("session {}", clip(&one_line(&found.session), MAX_NAME_LENGTH)));
    }
    match (found.pair, found.index) {
        (Some(pair), _) => parts.push(format!("pair {pair}")),
        (None, Some(index)) => parts.push(format!("#{index}")),
        (None, None) => {}
    }
    if let Some(line) = found.line.filter(|line| *line > 0) {
        parts.push(format!("line {line}"));
    }
    parts.join(", ")
}

/// The same for a cell of a table: always with the file, and the session short.
fn cell(side: &Side, found: &Found) -> String {
    const SHORT: usize = 13;
    let session = clip(&one_line(&found.session), SHORT);
    let is_named = found.session != behavior_runtime::replay::DEFAULT_SESSION;
    let session = if is_named { session } else { String::new() };
    whereabouts(&Found { file: file_of(side, found), session, ..found.clone() })
}

fn verdict(comparison: &Comparison) -> String {
    let regressions = count(comparison.regressions.len() as u64, "regression");
    let fixes = match comparison.fixes.len() {
        1 => "1 fix".to_owned(),
        more => format!("{} fixes", number(more as u64)),
    };
    let mut text = format!("{regressions}, {fixes}, {} unchanged", number(comparison.unchanged));
    match comparison.moved.len() {
        0 => {}
        1 => text.push_str(" (1 of them in another session)"),
        more => {
            let _ = write!(text, " ({} of them in other sessions)", number(more as u64));
        }
    }
    if !comparison.lost.is_empty() {
        let _ = write!(text, ", {} lost", number(comparison.lost.len() as u64));
    }
    text
}

fn pretty(
    layers: &Layers,
    [baseline, candidate]: [&Side; 2],
    comparison: &Comparison,
    terminal: &Terminal,
) -> String {
    let mut out = String::new();
    if !terminal.quiet {
        let _ = writeln!(
            out,
            "{} {} → {}\n",
            terminal.paint(BOLD, "diff"),
            one_line(&baseline.name),
            one_line(&candidate.name)
        );
        let sections = [
            (
                "regressions: the candidate has them, the baseline does not",
                &comparison.regressions,
                "+",
                RED,
            ),
            ("fixes: the baseline has them, the candidate does not", &comparison.fixes, "-", GREEN),
            (
                "lost: they are in sessions that the candidate does not have",
                &comparison.lost,
                "?",
                YELLOW,
            ),
            (
                "moved: the baseline has them in other sessions; rules of `scope: session` tell those apart",
                &comparison.moved,
                "~",
                YELLOW,
            ),
        ];
        for (title, list, sign, style) in sections {
            if list.is_empty() {
                continue;
            }
            let _ = writeln!(out, "{}", terminal.paint(BOLD, title));
            for found in list.iter().take(TOLD) {
                let name = one_line(rule_name(layers, found.rule));
                let style =
                    if sign == "+" && level(found) < FailOn::Severe { YELLOW } else { style };
                let head = format!("{sign} {} {name}", found.action.severity());
                let _ = writeln!(
                    out,
                    "  {}  {}",
                    terminal.paint(style, &head),
                    terminal.paint(DIM, &whereabouts(found))
                );
                for line in wrap(&one_line(&found.message), 92) {
                    let _ = writeln!(out, "      {line}");
                }
            }
            if list.len() > TOLD {
                let more = number((list.len() - TOLD) as u64);
                let _ = writeln!(out, "  and {more} more; `--format json` has them all");
            }
            out.push('\n');
        }
        let counts = by_rule(layers, comparison);
        if !counts.is_empty() {
            let header = ["rule", "regressions", "fixes"].map(str::to_owned).to_vec();
            let row = |(name, (regressions, fixes)): (&str, (u64, u64))| {
                vec![one_line(name), number(regressions), number(fixes)]
            };
            let rows: Vec<_> = std::iter::once(header).chain(counts.into_iter().map(row)).collect();
            for line in table::render(&rows) {
                let _ = writeln!(out, "  {line}");
            }
            out.push('\n');
        }
    }
    if let Some(message) = missing(comparison) {
        for line in wrap(&format!("⚠ {message}"), 96) {
            let _ = writeln!(out, "{}", terminal.paint(YELLOW, &line));
        }
    }
    let worst = level_name(comparison.worst());
    let is_good = comparison.regressions.is_empty() && comparison.missing.sessions == 0;
    let style = if is_good { GREEN } else { RED };
    let _ =
        writeln!(out, "{}; worst regression: {worst}", terminal.paint(style, &verdict(comparison)));
    out
}

fn markdown(layers: &Layers, [baseline, candidate]: [&Side; 2], comparison: &Comparison) -> String {
    let mut out = String::from("### Agent behaviour: what changed\n\n");
    let worst = level_name(comparison.worst());
    let _ = writeln!(
        out,
        "**{}**; worst regression: {worst}. {} → {}\n",
        verdict(comparison),
        code(&baseline.name),
        code(&candidate.name)
    );
    if let Some(message) = missing(comparison) {
        let _ = writeln!(out, "⚠ {}.\n", escape(&message));
    }
    let sections = [
        ("Regressions", candidate, &comparison.regressions),
        ("Fixes", baseline, &comparison.fixes),
        ("Lost with their sessions", baseline, &comparison.lost),
        ("Moved to other sessions", candidate, &comparison.moved),
    ];
    for (title, side, list) in sections {
        if list.is_empty() {
            continue;
        }
        let _ =
            writeln!(out, "#### {title}\n\n| rule | severity | where | what |\n|---|---|---|---|");
        for found in list.iter().take(TOLD) {
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} |",
                code(rule_name(layers, found.rule)),
                found.action.severity(),
                code(&cell(side, found)),
                escape(&clip(&one_line(&found.message), 300))
            );
        }
        if list.len() > TOLD {
            let _ = writeln!(out, "\nand {} more", number((list.len() - TOLD) as u64));
        }
        out.push('\n');
    }
    for (name, side) in [("baseline", baseline), ("candidate", candidate)] {
        if side.summary.problems > 0 {
            let lines = not_understood(&side.summary, &format!("the {name}"));
            let _ = writeln!(out, "⚠ {lines}, and may hide anything.\n");
        }
    }
    out
}

/// The file of a trace that something was found in.
fn file_of(side: &Side, found: &Found) -> String {
    if found.file.is_empty() {
        side.name.clone()
    } else {
        format!("{}/{}", side.name.trim_end_matches('/'), found.file)
    }
}

fn github(layers: &Layers, [_, candidate]: [&Side; 2], comparison: &Comparison) -> String {
    let mut out = String::new();
    for found in &comparison.regressions {
        let command = severity(level(found), "notice");
        let file = file_of(candidate, found);
        let line = found.line.unwrap_or(1).max(1);
        let title = format!("regression: {}", rule_name(layers, found.rule));
        let text = format!("{} ({})", found.message, whereabouts(found));
        out.push_str(&annotation(command, &file, line, &title, &text));
    }
    if let Some(message) = missing(comparison) {
        let _ = writeln!(out, "::warning title=sessions are missing::{}", data(&message));
    }
    let _ = writeln!(out, "::notice title=agent behaviour::{}", data(&verdict(comparison)));
    out
}

fn as_junit(layers: &Layers, comparison: &Comparison) -> String {
    let missing = missing(comparison);
    let mut failures: BTreeMap<&str, Vec<&Found>> = BTreeMap::new();
    for found in &comparison.regressions {
        failures.entry(rule_name(layers, found.rule)).or_default().push(found);
    }
    let names: std::collections::BTreeSet<&str> = (0..layers.rules().len())
        .filter_map(|rule| layers.rules().get(rule).map(|rule| rule.id))
        .chain(failures.keys().copied())
        .collect();
    let mut suite = TestSuite::new("regressions");
    if let Some(message) = missing {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_message(message);
        suite.add_test_case(junit::case("sessions of the baseline", "recordings", status));
    }
    for name in names {
        let status = match failures.get(name) {
            None => TestCaseStatus::success(),
            Some(found) => {
                let told = found.iter().take(TOLD);
                let lines = told.map(|found| format!("{}: {}", whereabouts(found), found.message));
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(count(found.len() as u64, "regression"));
                status.set_description(lines.collect::<Vec<_>>().join("\n"));
                status
            }
        };
        suite.add_test_case(junit::case(name, "rule", status));
    }
    junit::document("behavior diff", [suite])
}

fn sarif(layers: &Layers, [_, candidate]: [&Side; 2], comparison: &Comparison) -> Value {
    let names: std::collections::BTreeSet<&str> =
        comparison.regressions.iter().map(|found| rule_name(layers, found.rule)).collect();
    let rules: Vec<_> = names
        .iter()
        .map(|name| {
            let info = layers.rules().find(name).and_then(|rule| layers.rules().get(rule));
            let text = info.map(|rule| rule.description).filter(|text| !text.is_empty());
            json!({ "id": name, "shortDescription": { "text": text.unwrap_or(name) } })
        })
        .collect();
    let results: Vec<_> = comparison
        .regressions
        .iter()
        .map(|found| {
            let level = severity(level(found), "note");
            json!({
                "ruleId": rule_name(layers, found.rule),
                "level": level,
                "message": { "text": found.message },
                "baselineState": "new",
                "locations": [{ "physicalLocation": {
                    "artifactLocation": { "uri": uri(&file_of(candidate, found)) },
                    "region": { "startLine": found.line.unwrap_or(1).max(1) },
                }}],
            })
        })
        .collect();
    let notifications: Vec<_> = missing(comparison)
        .map(|message| json!({ "level": "warning", "message": { "text": message } }))
        .into_iter()
        .collect();
    sarif::log(rules, results, Some(notifications))
}

/// A path as a relative reference.
pub fn uri(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => {
                out.push(char::from(byte));
            }
            other => {
                let _ = write!(out, "%{other:02X}");
            }
        }
    }
    out
}
