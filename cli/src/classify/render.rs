//! What vocabularies come to, for people and as JSON. Counts nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use behavior_compiler::classify_cases::ClassifyCase;
use behavior_runtime::classifier::{ClassifierTable, Level};
use serde::Serialize;

use super::figures::{Figures, NOTHING, OfVocabulary, Vocabulary};
use crate::models::price;
use crate::number::{count, number};
use crate::render::{json as as_json, one_line};
use crate::terminal::{BOLD, DIM, GREEN, RED, Terminal};

#[derive(Serialize)]
struct Output<'a> {
    version: u32,
    brains: Vec<BrainOutput<'a>>,
}

#[derive(Serialize)]
struct BrainOutput<'a> {
    brain: &'a str,
    calls: u64,
    failed: u64,
    odd: u64,
    failures: Vec<FailureOutput<'a>>,
    latency_ms: Option<LatencyOutput>,
    tokens: TokensOutput,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<f64>,
    vocabularies: BTreeMap<&'static str, VocabularyOutput<'a>>,
    cases: Vec<CaseOutput<'a>>,
}

#[derive(Serialize)]
struct FailureOutput<'a> {
    reason: &'a str,
    count: u64,
}

#[derive(Serialize)]
struct LatencyOutput {
    median: u64,
    p95: u64,
    max: u64,
}

#[derive(Serialize)]
struct TokensOutput {
    input: u64,
    output: u64,
}

#[derive(Serialize)]
struct VocabularyOutput<'a> {
    right: u64,
    of: u64,
    agreement: Option<AgreementOutput>,
    confusion: Vec<ConfusionOutput<'a>>,
}

#[derive(Serialize)]
struct AgreementOutput {
    same: u64,
    of: u64,
}

#[derive(Serialize)]
struct ConfusionOutput<'a> {
    expected: &'a str,
    answered: &'a str,
    count: u64,
}

#[derive(Serialize)]
struct CaseOutput<'a> {
    message: &'a str,
    expected: BTreeMap<&'static str, &'a str>,
    answers: Vec<AnswerOutput<'a>>,
}

#[derive(Serialize)]
struct AnswerOutput<'a> {
    #[serde(flatten)]
    values: BTreeMap<&'static str, &'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    directives: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

/// Returns all of it as JSON.
pub fn json(all: &[Figures], cases: &[ClassifyCase]) -> std::io::Result<String> {
    let brains = all.iter().map(|figures| of_brain(figures, cases)).collect();
    let value = serde_json::to_value(Output { version: 1, brains })?;
    as_json::to_text(&value)
}

fn of_brain<'a>(figures: &'a Figures, cases: &'a [ClassifyCase]) -> BrainOutput<'a> {
    let failures = figures.failures().into_iter();
    let (input, output) = figures.tokens();
    let latency = |percent| figures.latency(percent).map(milliseconds);
    let latency_ms = latency(50).zip(latency(95)).zip(latency(100));
    BrainOutput {
        brain: &figures.name,
        calls: figures.calls(),
        failed: figures.failed(),
        odd: figures.odd(),
        failures: failures.map(|(reason, count)| FailureOutput { reason, count }).collect(),
        latency_ms: latency_ms.map(|((median, p95), max)| LatencyOutput { median, p95, max }),
        tokens: TokensOutput { input, output },
        cost: figures.cost(),
        vocabularies: figures
            .vocabularies
            .iter()
            .map(|of| (of.vocabulary.name(), of_vocabulary(of)))
            .collect(),
        cases: cases.iter().enumerate().map(|(at, case)| of_case(at, case, figures)).collect(),
    }
}

fn of_vocabulary(of: &OfVocabulary) -> VocabularyOutput<'_> {
    let confusion = of.confusion.iter().map(|((expected, answered), count)| ConfusionOutput {
        expected,
        answered,
        count: *count,
    });
    VocabularyOutput {
        right: of.right,
        of: of.of,
        agreement: of.agreement.map(|(same, of)| AgreementOutput { same, of }),
        confusion: confusion.collect(),
    }
}

fn of_case<'a>(at: usize, case: &'a ClassifyCase, figures: &'a Figures) -> CaseOutput<'a> {
    let expected = Vocabulary::ALL.into_iter();
    let answers = figures.answers.iter().filter(|answer| answer.case == at);
    CaseOutput {
        message: case.message.as_ref().map_or("", |message| &message.value),
        expected: expected.filter_map(|one| Some((one.name(), one.expected(case)?))).collect(),
        answers: answers
            .map(|answer| match &answer.reply {
                Ok(read) => AnswerOutput {
                    values: Vocabulary::ALL
                        .into_iter()
                        .filter_map(|one| Some((one.name(), one.answered(read)?)))
                        .collect(),
                    directives: Some(&read.reply.directives),
                    error: None,
                },
                Err(reason) => {
                    let values = BTreeMap::new();
                    AnswerOutput { values, directives: None, error: Some(reason) }
                }
            })
            .collect(),
    }
}

/// Returns all of it for people.
pub fn text(
    all: &[Figures],
    cases: &[ClassifyCase],
    table: &ClassifierTable,
    terminal: &Terminal,
) -> String {
    let mut out = String::new();
    for figures in all {
        if !out.is_empty() {
            out.push('\n');
        }
        brain(figures, cases, table, terminal, &mut out);
    }
    if all.len() > 1 {
        side_by_side(all, terminal, &mut out);
    }
    out
}

// Writing to a string cannot fail, here and below.
fn brain(
    figures: &Figures,
    cases: &[ClassifyCase],
    table: &ClassifierTable,
    terminal: &Terminal,
    out: &mut String,
) {
    let name = terminal.paint(BOLD, &one_line(&figures.name));
    let answers = count(figures.calls().saturating_sub(figures.failed()), "answer");
    let _ = writeln!(out, "{name}: {}, {answers}", count(cases.len() as u64, "message"));
    if let (Some(median), Some(p95)) = (figures.latency(50), figures.latency(95)) {
        let (median, p95) = (number(milliseconds(median)), number(milliseconds(p95)));
        let _ = writeln!(out, "  {median} ms in the middle, {p95} ms for 95 of 100");
    }
    let (asked, answered) = figures.tokens();
    if asked + answered > 0 {
        let cost = figures.cost().map(|cost| format!(", which cost {}", price::shown(cost)));
        let (asked, answered) = (number(asked), number(answered));
        let _ = writeln!(out, "  {asked} + {answered} tokens{}", cost.unwrap_or_default());
    }
    if figures.odd() > 0 {
        let odd = count(figures.odd(), "answer");
        let _ = writeln!(out, "  {odd} not as asked for, and read as far as possible");
    }
    for (reason, count) in figures.failures() {
        let failed = terminal.paint(RED, &format!("{} without an answer", number(count)));
        let _ = writeln!(out, "  {failed}: {}", one_line(reason));
    }
    for of in &figures.vocabularies {
        vocabulary(of, table, terminal, out);
    }
}

fn vocabulary(of: &OfVocabulary, table: &ClassifierTable, terminal: &Terminal, out: &mut String) {
    if of.of == 0 && of.agreement.is_none() {
        return;
    }
    let name = terminal.paint(BOLD, of.vocabulary.name());
    let _ = write!(out, "\n  {name}");
    if of.of > 0 {
        let _ = write!(out, " {}", share(of.right, of.of));
    }
    if let Some((same, all)) = of.agreement {
        let text = format!("  repeated answers agree for {same} of {all}");
        out.push_str(&terminal.paint(DIM, &text));
    }
    out.push('\n');
    if of.of > 0 {
        confusion(of, table, terminal, out);
    }
}

/// A table: a row for what was expected, a column for what was answered.
fn confusion(of: &OfVocabulary, table: &ClassifierTable, terminal: &Terminal, out: &mut String) {
    let levels = of.vocabulary.levels(table).iter().map(|level: &Level| level.name.as_str());
    let all: Vec<&str> = levels.chain([NOTHING]).collect();
    let answered = |name: &&str| of.confusion.keys().any(|(_, given)| given == name);
    let expected = |name: &&str| of.confusion.keys().any(|(wanted, _)| wanted == name);
    let columns: Vec<&str> =
        all.iter().copied().filter(|name| answered(name) || expected(name)).collect();
    let rows: Vec<&str> = all.iter().copied().filter(expected).collect();
    let first = rows.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(8);
    let head: String = columns.iter().map(|name| format!("  {:>5}", one_line(name))).collect();
    let _ = writeln!(out, "    {}", terminal.paint(DIM, &format!("{:<first$}{head}", "expected")));
    for row in rows {
        let _ = write!(out, "    {:<first$}", one_line(row));
        for column in &columns {
            let width = one_line(column).chars().count().max(5) + 2;
            let key = (row.to_owned(), (*column).to_owned());
            let times = of.confusion.get(&key).copied().unwrap_or_default();
            let cell = if times == 0 { ".".to_owned() } else { number(times) };
            let cell = format!("{cell:>width$}");
            out.push_str(&match (times, row == *column) {
                (0, _) => terminal.paint(DIM, &cell),
                (_, true) => terminal.paint(GREEN, &cell),
                (_, false) => terminal.paint(RED, &cell),
            });
        }
        out.push('\n');
    }
}

/// What those who answer come to, a column each.
fn side_by_side(all: &[Figures], terminal: &Terminal, out: &mut String) {
    const FIRST: usize = 12;
    let width =
        all.iter().map(|one| one_line(&one.name).chars().count()).max().unwrap_or(0).max(14);
    let heads: String =
        all.iter().map(|one| format!("  {:>width$}", one_line(&one.name))).collect();
    let _ =
        writeln!(out, "\n{}", terminal.paint(BOLD, &format!("{:<FIRST$}{heads}", "side by side")));
    let mut row = |name: &str, cell: &dyn Fn(&Figures) -> String| {
        let cells: String = all.iter().map(|one| format!("  {:>width$}", cell(one))).collect();
        let _ = writeln!(out, "{name:<FIRST$}{cells}");
    };
    for vocabulary in Vocabulary::ALL {
        let of = |figures: &Figures| {
            let found = figures.vocabularies.iter().find(|of| of.vocabulary == vocabulary);
            found.filter(|of| of.of > 0).map_or("-".to_owned(), |of| share(of.right, of.of))
        };
        row(vocabulary.name(), &of);
    }
    row("middle", &|one| match one.latency(50) {
        Some(time) => format!("{} ms", number(milliseconds(time))),
        None => "-".to_owned(),
    });
    row("tokens", &|one| {
        let (asked, answered) = one.tokens();
        number(asked + answered)
    });
    if all.iter().any(|one| one.price.is_some()) {
        row("cost", &|one| one.cost().map_or("-".to_owned(), price::shown));
    }
    row("failed", &|one| number(one.failed()));
}

/// A share, as people read it.
fn share(right: u64, of: u64) -> String {
    let percent = (right * 100 + of / 2) / of.max(1);
    format!("{percent} % ({} of {})", number(right), number(of))
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
