//! Figures for people and for programs.

use serde_json::{Value, json};

use super::collect::{Figures, HEARD_WITHIN, OfRule};
use crate::number::{count, number};
use crate::render::{one_line, table};
use crate::screen::{Screen, wrap};
use crate::terminal::{BOLD, DIM, Terminal};

/// The figures as a table, then the rules that never fired.
pub fn to_text(figures: &Figures, terminal: &Terminal) -> String {
    let head =
        ["rule", "action", "fired", "per 100", "sessions", "again", "told", "heard", "allowed"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    for (id, rule) in figures.rules().filter(|(_, rule)| rule.fired > 0) {
        rows.push(vec![
            one_line(id),
            actions(rule),
            number(rule.fired),
            format!("{:.2}", figures.per_hundred(rule.fired)),
            number(rule.sessions),
            number(rule.repeated),
            number(rule.told),
            share(rule.heard, rule.judged),
            number(rule.granted),
        ]);
    }
    let mut out = String::new();
    if rows.len() > 1 {
        for (at, line) in table::render(&rows).into_iter().enumerate() {
            out.push_str(&if at == 0 { terminal.paint(BOLD, &line) } else { line });
            out.push('\n');
        }
        out.push('\n');
    }
    let silent: Vec<String> =
        figures.rules().filter(|(_, rule)| rule.fired == 0).map(|(id, _)| one_line(id)).collect();
    let columns = Screen::of_stdout(terminal).width;
    let mut say = |style, text: &str| {
        for line in wrap(text, columns) {
            out.push_str(&terminal.paint(style, &line));
            out.push('\n');
        }
    };
    if !silent.is_empty() {
        say(anstyle::Style::new(), &format!("never fired: {}", silent.join(", ")));
    }
    let fired = figures.rules().map(|(_, rule)| rule.fired).sum();
    let told = figures.rules().map(|(_, rule)| rule.told).sum();
    let all = format!(
        "{} in {}; {:.2} findings and {:.2} told per 100 calls",
        count(figures.calls, "call"),
        count(figures.sessions, "session"),
        figures.per_hundred(fired),
        figures.per_hundred(told),
    );
    say(anstyle::Style::new(), &all);
    let note = format!(
        "again: of the same thing in the same session; heard: of those with {HEARD_WITHIN} calls behind them or a \
         repetition, how many the rule did not repeat"
    );
    say(DIM, &note);
    out
}

fn actions(rule: &OfRule) -> String {
    rule.actions.keys().map(String::as_str).collect::<Vec<_>>().join(", ")
}

fn share(part: u64, whole: u64) -> String {
    match part.saturating_mul(100).checked_div(whole) {
        Some(percent) => format!("{percent} %"),
        None => "–".to_owned(),
    }
}

/// The figures for programs.
pub fn to_json(figures: &Figures) -> Value {
    let rules: Vec<Value> = figures
        .rules()
        .map(|(id, rule)| {
            json!({
                "rule": id,
                "actions": rule.actions,
                "fired": rule.fired,
                "per_100_calls": figures.per_hundred(rule.fired),
                "sessions": rule.sessions,
                "repeated": rule.repeated,
                "told": rule.told,
                "judged": rule.judged,
                "heard": rule.heard,
                "granted": rule.granted,
            })
        })
        .collect();
    json!({
        "version": 1,
        "calls": figures.calls,
        "sessions": figures.sessions,
        "rules": rules,
    })
}
