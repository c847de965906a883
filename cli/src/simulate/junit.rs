//! Findings as JUnit XML: a suite for each file, a case for each rule and session.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use behavior_runtime::Image;
use behavior_runtime::decision::Action;

use super::report::Report;
use super::summary::{Seen, Summary};

/// How many findings of a rule are told in full for each session.
const TOLD: u64 = 20;

/// What stands in front of all suites.
pub const HEAD: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"behavior\">\n";
/// What stands behind them.
pub const TAIL: &str = "</testsuites>\n";

/// Gathers the findings of a file. Reminders do not fail a case.
pub struct JunitReport {
    image: Arc<Image>,
    failures: BTreeMap<(usize, u32), (u64, String)>,
}

impl JunitReport {
    /// Cases for the rules of `image`.
    pub fn new(image: Arc<Image>) -> Self {
        Self { image, failures: BTreeMap::new() }
    }
}

impl Report for JunitReport {
    fn event(&mut self, seen: &Seen<'_>, _out: &mut String) {
        for finding in &seen.decision.findings {
            let (count, text) = self.failures.entry((seen.slot, finding.rule)).or_default();
            *count += 1;
            if *count <= TOLD {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "line {}: {}", seen.line, finding.message);
            }
        }
    }

    fn end(&mut self, file: &str, summary: &Summary, out: &mut String) {
        let rules: Vec<_> = self.image.rules().collect();
        let fails =
            |rule: u32| rules.get(rule as usize).is_some_and(|rule| rule.action != Action::Remind);
        let failures = self.failures.keys().filter(|(_, rule)| fails(*rule)).count();
        let tests = summary.sessions.len() * rules.len();
        let file = escape(file);
        let _ = writeln!(
            out,
            "  <testsuite name=\"{file}\" tests=\"{tests}\" failures=\"{failures}\">"
        );
        for (slot, (session, _)) in summary.sessions.iter().enumerate() {
            for (number, rule) in (0..).zip(&rules) {
                let name =
                    format!("name=\"{}\" classname=\"{}\"", escape(rule.id), escape(session));
                let Some((count, text)) = self.failures.get(&(slot, number)) else {
                    let _ = writeln!(out, "    <testcase {name}/>");
                    continue;
                };
                let times = if *count == 1 { "once" } else { "times" };
                let times = if *count == 1 { times.to_owned() } else { format!("{count} {times}") };
                let text = escape(text);
                let body = if fails(number) {
                    let action = rule.action.name();
                    format!("<failure type=\"{action}\" message=\"fired {times}\">{text}</failure>")
                } else {
                    format!("<system-out>{text}</system-out>")
                };
                let _ = writeln!(out, "    <testcase {name}>{body}</testcase>");
            }
        }
        out.push_str("  </testsuite>\n");
    }
}

/// Text for XML; characters that XML cannot hold are left out.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(character),
            '\u{fffe}' | '\u{ffff}' => {}
            control if control.is_control() => {}
            other => out.push(other),
        }
    }
    out
}
