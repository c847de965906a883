//! Problems for people: with the source, and what to do. The only module that knows ariadne.

use behavior_json::plain::is_deceptive;
use std::collections::HashMap;
use std::fmt::{Display, Write};
use std::sync::Arc;

use ariadne::{Cache, CharSet, Config, IndexType, Label, ReportKind, Source as Drawn};
use behavior_compiler::Severity;
use behavior_compiler::source::Source;

use super::{one_line, stand_in};
use crate::report::{Place, Problem, Report};
use crate::terminal::{BLUE, BOLD, RED, YELLOW, paint};

/// More problems than this are counted and not shown: who has that many mends the first ones first.
const MAX_SHOWN: usize = 100;
/// A line longer than this, in bytes, is not drawn: it would bury what is said of it.
const MAX_LINE_LENGTH: usize = 400;
/// Advice of at most so many characters stands at the place itself.
const MAX_LABEL_LENGTH: usize = 70;

/// The problems, then a line that sums them up; with `only_summary` just that line.
#[must_use]
pub fn render(report: &Report, color: bool, only_summary: bool) -> String {
    let mut out = String::new();
    if !only_summary {
        let mut sources = Sources::default();
        for problem in report.problems.iter().take(MAX_SHOWN) {
            draw(problem, color, &mut sources, &mut out);
            out.push('\n');
        }
        if let Some(more) = report.problems.len().checked_sub(MAX_SHOWN).filter(|more| *more > 0) {
            let _ = writeln!(out, "and {more} more\n");
        }
    }
    let counts = report.counts();
    let style = match (counts.errors, counts.warnings) {
        (0, 0) => BOLD,
        (0, _) => YELLOW,
        _ => RED,
    };
    let _ = writeln!(out, "{}", paint(color, style, &report.summary()));
    out
}

fn draw(problem: &Problem, color: bool, sources: &mut Sources, out: &mut String) {
    let places: Vec<&Place> = std::iter::once(&problem.place)
        .chain(problem.labels.iter().map(|label| &label.0))
        .collect();
    let is_drawable = places.iter().all(|place| is_short_line(place));
    let drawn = is_drawable.then(|| with_source(problem, color, sources)).flatten();
    let text = drawn.unwrap_or_else(|| without_source(problem, color));
    for line in text.lines() {
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// A problem with its source as ariadne draws it; nothing where it fails.
fn with_source(problem: &Problem, color: bool, sources: &mut Sources) -> Option<String> {
    let hue = match problem.severity {
        Severity::Error => ariadne::Color::Red,
        Severity::Warning => ariadne::Color::Yellow,
        Severity::Info => ariadne::Color::Blue,
    };
    let config = Config::default()
        .with_color(color)
        .with_char_set(CharSet::Unicode)
        .with_index_type(IndexType::Byte);
    let mut advice = advice(problem);
    let is_brief = advice.first().is_some_and(|(_, line)| line.chars().count() <= MAX_LABEL_LENGTH);
    let said = if is_brief { advice.remove(0).1 } else { "here".to_owned() };
    let mut labels = vec![(&problem.place, said, hue)];
    labels.extend(
        problem
            .labels
            .iter()
            .map(|(place, message)| (place, one_line(message), ariadne::Color::Cyan)),
    );
    // Labels of one file are drawn together if they come in the order of its lines.
    let own = &problem.place.source.name;
    labels.sort_by_key(|(place, ..)| (place.source.name != *own, place.start));
    let span = |place: &Place| (one_line(&place.source.name), one_line_range(place));
    let kind = ReportKind::Custom(problem.severity.name(), hue);
    let mut report = ariadne::Report::build(kind, span(&problem.place)).with_config(config);
    for (place, message, hue) in labels {
        sources.add(&place.source);
        report = report.with_label(Label::new(span(place)).with_color(hue).with_message(message));
    }
    let mut bytes = Vec::new();
    report.finish().write(sources, &mut bytes).ok()?;
    let drawn = String::from_utf8(bytes).ok()?;
    // Its heading is coloured whatever it is told, so that is ours.
    let (_, drawn) = drawn.split_once('\n')?;
    let mut out = heading(problem, color);
    out.push_str(drawn.trim_end());
    out.push('\n');
    push_advice(&mut out, &advice, color);
    Some(out)
}

fn heading(problem: &Problem, color: bool) -> String {
    let style = match problem.severity {
        Severity::Error => RED,
        Severity::Warning => YELLOW,
        Severity::Info => BLUE,
    };
    let level = format!("{}[{}]", problem.severity.name(), problem.name);
    let message = one_line(&problem.message);
    format!("{}: {}\n", paint(color, style, &level), paint(color, BOLD, &message))
}

fn push_advice(out: &mut String, advice: &[(&str, String)], color: bool) {
    for (kind, line) in advice {
        let _ = writeln!(out, "  {}: {line}", paint(color, BLUE, kind));
    }
}

fn without_source(problem: &Problem, color: bool) -> String {
    let at = |place: &Place| {
        let start = place.source.position(place.start);
        format!("{}:{}:{}", one_line(&place.source.name), start.line, start.column)
    };
    let mut out = heading(problem, color);
    let _ = writeln!(out, "  at {}", at(&problem.place));
    for (place, message) in &problem.labels {
        let _ = writeln!(out, "  {}: {}", at(place), one_line(message));
    }
    push_advice(&mut out, &advice(problem), color);
    out
}

/// What to do: the help, then fixes that say more than it does.
fn advice(problem: &Problem) -> Vec<(&'static str, String)> {
    let help = problem.help.as_deref();
    let mut lines: Vec<_> = help.iter().map(|help| ("help", one_line(help))).collect();
    for fix in &problem.fixes {
        let is_said = |text: &str| help.is_some_and(|help| help.contains(&format!("`{text}`")));
        if !fix.edits.iter().all(|(_, text)| is_said(text.trim())) {
            lines.push(("fix", one_line(&fix.message)));
        }
    }
    lines
}

/// The part of a place on its first line, on character boundaries: long mappings would otherwise
/// be drawn whole.
fn one_line_range(place: &Place) -> std::ops::Range<usize> {
    let text = &place.source.text;
    let start = place.source.position(place.start).offset as usize;
    let end = (place.source.position(place.end).offset as usize).max(start);
    let inside = text.get(start..end).unwrap_or_default();
    let first = inside.lines().next().unwrap_or_default().trim_end();
    start..start + first.len()
}

fn is_short_line(place: &Place) -> bool {
    let start = place.source.position(place.start);
    let Some(line) = place.source.line_start(start.line) else { return true };
    let rest = place.source.text.get(line as usize..).unwrap_or_default();
    rest.lines().next().is_none_or(|line| line.len() <= MAX_LINE_LENGTH)
}

/// The files drawn so far, prepared once each.
#[derive(Default)]
struct Sources {
    prepared: HashMap<String, Drawn<String>>,
}

impl Sources {
    fn add(&mut self, source: &Arc<Source>) {
        let name = one_line(&source.name);
        self.prepared.entry(name).or_insert_with(|| Drawn::from(printable(&source.text)));
    }
}

/// The text with every character that a terminal would obey replaced by one of as many bytes.
fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let is_line_break = c == '\n' || (c == '\r' && rest.peek() == Some(&'\n'));
        let is_kept = is_line_break || c == '\t' || !is_deceptive(c);
        printable.push(if is_kept { c } else { stand_in(c) });
    }
    // What ends behind the last line break is on a line of its own.
    printable.push(' ');
    printable
}

impl Cache<String> for &mut Sources {
    type Storage = String;

    fn fetch(&mut self, name: &String) -> Result<&Drawn<String>, impl std::fmt::Debug> {
        self.prepared.get(name).ok_or_else(|| format!("no file `{name}`"))
    }

    fn display<'a>(&self, name: &'a String) -> Option<impl Display + 'a> {
        Some(name.clone())
    }
}
