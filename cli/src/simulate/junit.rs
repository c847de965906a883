//! Findings as JUnit XML: a suite for each file, a case for each rule and session. Rules of a policy are
//! such rules, and the calls that none of them covers have a case, too.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;

use behavior_runtime::Image;
use behavior_runtime::decision::Action;
use behavior_runtime::event::Event;

use super::label;
use super::report::Report;
use super::summary::{Refusal, Seen, Summary};
use crate::permissions;

/// How many findings of a rule are told in full for each session.
const TOLD: u64 = 20;

/// What stands in front of all suites.
pub const HEAD: &str =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"behavior\">\n";
/// What stands behind them.
pub const TAIL: &str = "</testsuites>\n";

/// Gathers the findings of a file. Reminders do not fail a case; what could not be decided, and
/// did not fire elsewhere, is skipped. What a policy denied fails; what it asked about is skipped, since
/// a person decides on it. Lines that were not understood are an error of their own:
/// they may hide any finding.
pub struct JunitReport {
    image: Arc<Image>,
    not_understood: (u64, String),
    failures: BTreeMap<(usize, u32), (u64, String)>,
    /// What was needed first, by session and rule.
    undecided: BTreeMap<(usize, u32), String>,
    /// What the policy denied or asked about, by session.
    refused: BTreeMap<(usize, Refusal), (u64, String)>,
}

impl JunitReport {
    /// Cases for the rules of `image`.
    pub fn new(image: Arc<Image>) -> Self {
        Self {
            image,
            not_understood: Default::default(),
            failures: BTreeMap::new(),
            undecided: BTreeMap::new(),
            refused: BTreeMap::new(),
        }
    }
}

impl Report for JunitReport {
    fn event(&mut self, seen: &Seen<'_>, _out: &mut Vec<u8>) {
        for finding in &seen.decision.findings {
            let (count, text) = self.failures.entry((seen.slot, finding.rule)).or_default();
            *count += 1;
            if *count <= TOLD {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "line {}: {}", seen.line, finding.message);
            }
        }
        for undecided in &seen.decision.undecided {
            self.undecided
                .entry((seen.slot, undecided.rule))
                .or_insert_with(|| undecided.needs.to_string());
        }
        self.permission(seen);
    }

    fn problem(&mut self, _file: &str, line: u32, message: &str, _out: &mut Vec<u8>) {
        let (count, text) = &mut self.not_understood;
        *count += 1;
        if *count <= TOLD {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "line {line}: {message}");
        }
    }

    fn end(&mut self, file: &str, summary: &Summary, out: &mut Vec<u8>) {
        let rules: Vec<_> = self.image.rules().collect();
        let fails =
            |rule: u32| rules.get(rule as usize).is_some_and(|rule| rule.action != Action::Remind);
        let denied = self.refused.keys().filter(|(_, refusal)| refusal.denies).count();
        let failures = self.failures.keys().filter(|(_, rule)| fails(*rule)).count() + denied;
        let skipped = self.undecided.keys().filter(|key| !self.failures.contains_key(key)).count();
        let skipped = skipped + self.asked_alone().count();
        let nothing = summary.hollow.first();
        let errors = usize::from(self.not_understood.0 > 0) + usize::from(nothing.is_some());
        let of_policy = usize::from(self.image.has_policy()) + self.image.permissions().count();
        let tests = summary.sessions.len() * (rules.len() + of_policy) + errors;
        let file = escape(file);
        let _ = writeln!(
            out,
            "  <testsuite name=\"{file}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\">"
        );
        let unknown: u64 = summary.stats.unknown.values().sum();
        if unknown > 0 {
            let _ = writeln!(
                out,
                "    <properties><property name=\"records of unknown kinds\" value=\"{unknown}\"/></properties>"
            );
        }
        if let Some(hollow) = nothing {
            let _ = writeln!(
                out,
                "    <testcase name=\"the recording holds events\" classname=\"trace\"><error \
                 message=\"no event was found: {}\"/></testcase>",
                escape(&hollow.message)
            );
        }
        self.push_not_understood(out);
        for (slot, (session, _)) in summary.sessions.iter().enumerate() {
            self.push_policy(slot, session, out);
            for (number, rule) in (0..).zip(&rules) {
                let name =
                    format!("name=\"{}\" classname=\"{}\"", escape(rule.id), escape(session));
                let _ = match self.body(slot, number, rule.action) {
                    Some(body) => writeln!(out, "    <testcase {name}>{body}</testcase>"),
                    None => writeln!(out, "    <testcase {name}/>"),
                };
            }
        }
        let _ = writeln!(out, "  </testsuite>");
    }
}

impl JunitReport {
    fn permission(&mut self, seen: &Seen<'_>) {
        let (Some(permission), Some(refusal), Event::ToolCall(call)) =
            (seen.decision.permission, Refusal::of(seen.decision), seen.event)
        else {
            return;
        };
        let (count, text) = self.refused.entry((seen.slot, refusal)).or_default();
        *count += 1;
        if *count <= TOLD {
            let (_, reason) = permissions::told(&permission, &self.image);
            let label = label::of_call(call, seen.session.cwd());
            let parts = [&*call.tool, &*label, &*reason];
            let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "line {}: {}", seen.line, parts.join(": "));
        }
    }

    /// What was only asked about: for one rule, a denial counts for more.
    fn asked_alone(&self) -> impl Iterator<Item = &(usize, Refusal)> {
        let denied =
            |slot, rule| self.refused.contains_key(&(slot, Refusal { denies: true, rule }));
        self.refused
            .keys()
            .filter(move |(slot, refusal)| !refusal.denies && !denied(*slot, refusal.rule))
    }

    /// A case for each rule of the policy, and one for the calls that none of them covers.
    fn push_policy(&self, slot: usize, session: &str, out: &mut Vec<u8>) {
        if !self.image.has_policy() {
            return;
        }
        let rules = (0..).zip(self.image.permissions()).map(|(rule, info)| (Some(rule), info.name));
        for (rule, name) in rules.chain([(None, "no rule")]) {
            let name =
                format!("name=\"policy: {}\" classname=\"{}\"", escape(name), escape(session));
            let told = |denies| self.refused.get(&(slot, Refusal { denies, rule }));
            let body = match (told(true), told(false)) {
                (Some((count, text)), _) => {
                    let (times, text) = (times(*count), escape(text));
                    format!("<failure type=\"deny\" message=\"denied {times}\">{text}</failure>")
                }
                (None, Some((count, text))) => {
                    let (times, text) = (times(*count), escape(text));
                    format!("<skipped message=\"asked about {times}\">{text}</skipped>")
                }
                (None, None) => {
                    let _ = writeln!(out, "    <testcase {name}/>");
                    continue;
                }
            };
            let _ = writeln!(out, "    <testcase {name}>{body}</testcase>");
        }
    }

    /// The case of the lines that were not understood, where there are any.
    fn push_not_understood(&self, out: &mut Vec<u8>) {
        let (count, text) = &self.not_understood;
        if *count > 0 {
            let message = format!("not understood: {}", crate::screen::count(*count, "line"));
            let _ = writeln!(
                out,
                "    <testcase name=\"every line is understood\" classname=\"trace\"><error \
                 message=\"{message}\">{}</error></testcase>",
                escape(text)
            );
        }
    }

    /// What a session's case for a rule holds; nothing if it passed.
    fn body(&self, slot: usize, rule: u32, action: Action) -> Option<String> {
        let Some((count, text)) = self.failures.get(&(slot, rule)) else {
            let needs = escape(self.undecided.get(&(slot, rule))?);
            return Some(format!("<skipped message=\"undecided: nothing tells {needs}\"/>"));
        };
        let times = times(*count);
        let text = escape(text);
        Some(match action {
            Action::Remind => format!("<system-out>{text}</system-out>"),
            _ => {
                let kind = action.name();
                format!("<failure type=\"{kind}\" message=\"fired {times}\">{text}</failure>")
            }
        })
    }
}

fn times(count: u64) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}

/// Text for XML; characters that XML cannot hold are left out.
pub fn escape(text: &str) -> String {
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
