//! The summary as Markdown, fit for a comment on a pull request.

use std::fmt::Write;

use behavior_runtime::{Layers, Verdict};

use super::summary::{NO_RULES, Place, Summary, by_rule, times, total, unknown_records};
use crate::number::{count, number};
use crate::screen::clip;

/// How many examples are shown.
const EXAMPLES: usize = 5;
/// How long an example may be, in characters.
const MAX_LENGTH: usize = 200;

/// The summary as a heading, a table by rule, and the first examples.
pub fn render(summary: &Summary, layers: &Layers) -> String {
    let mut out = String::from("### Agent behaviour\n\n");
    let all = &summary.all;
    let asked = match all.verdict(Verdict::Ask) {
        0 => String::new(),
        calls => format!(", {} asked about", number(calls)),
    };
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{} and {} in {}: **{}**, {} denied{asked}.\n",
        count(all.events, "event"),
        count(all.tool_calls, "tool call"),
        count(summary.sessions.len() as u64, "session"),
        count(all.found(), "finding"),
        number(all.verdict(Verdict::Deny)),
    );
    if layers.rules().is_empty() && !layers.policy().is_in_force() {
        let _ = writeln!(out, "**{NO_RULES}.**\n");
    }
    if all.found() > 0 || !all.permissions.is_empty() {
        table(summary, layers, &mut out);
    }
    if all.found() > 0 {
        examples(summary, layers, &mut out);
    }
    notes(summary, layers, &mut out);
    out
}

fn table(summary: &Summary, layers: &Layers, out: &mut String) {
    out.push_str("| rule | action | count | first at |\n|---|---|---:|---|\n");
    let mut row = |name: &str, action: &str, count: u64, place: Option<&Place>| {
        let place = place.map(|place| format!("{}:{}", place.file, place.line)).unwrap_or_default();
        let _ = writeln!(out, "| {name} | {action} | {} | {} |", number(count), code(&place));
    };
    for (found @ (rule, action), count) in &summary.all.findings {
        row(&code(layers.rules().id(*rule)), action.name(), *count, summary.first.get(found));
    }
    for (refusal, count) in &summary.all.permissions {
        let rule = refusal.rule.and_then(|rule| layers.policy().get(rule));
        let name = rule.map_or("policy (no rule)".to_owned(), |rule| code(rule.name));
        let action = if refusal.denies { Verdict::Deny } else { Verdict::Ask };
        row(&name, action.name(), *count, summary.first_refused.get(refusal));
    }
}

fn examples(summary: &Summary, layers: &Layers, out: &mut String) {
    out.push_str("\n<details><summary>First examples</summary>\n\n");
    let firsts = summary.first.iter();
    let mut ranked: Vec<_> =
        firsts.map(|((rule, action), place)| (*action, layers.rules().id(*rule), place)).collect();
    ranked.sort_by_key(|(action, ..)| *action as u8);
    for (_, rule, place) in ranked.into_iter().take(EXAMPLES) {
        let at = code(&format!("{}:{}", place.file, place.line));
        let text = escape(&clip(&place.text, MAX_LENGTH));
        let _ = writeln!(out, "- {} {at}: {text}", code(rule));
    }
    out.push_str("\n</details>\n");
}

fn notes(summary: &Summary, layers: &Layers, out: &mut String) {
    if let Some(verified) = summary.all.verified() {
        let _ = writeln!(out, "\n{verified}\n");
    }
    let undecided = total(&summary.all.undecided);
    if undecided > 0 {
        let _ = writeln!(
            out,
            "\n{} could not be decided: the traces do not tell what they depend on.\n",
            count(undecided, "test")
        );
    }
    for (rule, count) in by_rule(&summary.all.undecided) {
        let Some(place) = summary.first_undecided.get(&rule) else { continue };
        let at = code(&format!("{}:{}", place.file, place.line));
        let needs = escape(&clip(&place.text, MAX_LENGTH));
        let _ = writeln!(
            out,
            "- {} {}, first at {at}: nothing tells {needs}",
            code(layers.rules().id(rule)),
            times(count)
        );
    }
    if summary.problems > 0 {
        let _ = writeln!(out, "\n{} not understood.", count(summary.problems, "line"));
    }
    for hollow in summary.hollow.iter().take(EXAMPLES) {
        let message = escape(&hollow.message);
        let _ = writeln!(out, "\n⚠ No event was found in {}: {message}.", code(&hollow.file));
    }
    let more = summary.hollow.len().saturating_sub(EXAMPLES) as u64;
    if more > 0 {
        let _ = writeln!(out, "\n⚠ Nor in {}.", count(more, "other file"));
    }
    if let Some(text) = unknown_records(&summary.stats) {
        let _ = writeln!(out, "\n{}.", escape(&text));
    }
}

/// Code in a table's cell. A backtick within cannot be escaped, so it becomes a quote.
pub fn code(text: &str) -> String {
    format!("`{}`", clip(text, MAX_LENGTH).replace('`', "'").replace('|', "\\|"))
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('|', "\\|").replace('@', "&#64;")
}
