//! Decisions and summaries as JSON: the contract that other programs hold on to. Decisions are
//! written by hand into one buffer, since there may be millions; each is one line.

use behavior_runtime::code::Scope;
use behavior_runtime::decision::{Finding, Undecided};
use behavior_runtime::event::Event;
use behavior_runtime::report::StateReport;
use behavior_runtime::{Image, Verdict};
use serde_json::{Map, Value, json};

use behavior_runtime::replay::Settled;

use super::hold::{Hold, UNDECIDED, Write, Written};
use super::report::Report;
use super::summary::{Counts, Hollow, Refusal, Seen, Summary, by_rule, total};
use behavior_runtime::decision::Action;

/// What stands between the decisions of one list.
pub const SEPARATOR: &str = ",\n";

/// What decisions are to hold.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// One for every event.
    pub all: bool,
    /// The session's state with each.
    pub state: bool,
    /// The name of the file with each.
    pub file: bool,
    /// As items of a list, not as lines.
    pub list: bool,
}

/// Writes decisions as JSON.
pub struct JsonReport<'i> {
    image: &'i Image,
    options: Options,
    /// What is the same in every finding of a rule.
    rules: Vec<RuleText>,
    /// The decisions that wait, where something is found only at the end.
    hold: Option<Hold>,
    /// Whether there was no event yet.
    is_empty: bool,
}

/// The beginning and the end of a rule's findings.
struct RuleText {
    start: String,
    end: String,
}

impl<'i> JsonReport<'i> {
    /// Writes decisions under `image`.
    pub fn new(image: &'i Image, options: Options) -> Self {
        let rules = image.rules().iter().map(|rule| {
            let mut start = String::from("{\"rule\":");
            push_text(&mut start, rule.id);
            if let Some(monitor) =
                image.rules().find(rule.id).and_then(|rule| image.monitors().of_rule(rule))
            {
                start.push_str(",\"kind\":\"");
                start.push_str(monitor.kind.name());
                start.push('"');
            }
            start.push_str(",\"action\":\"");
            start.push_str(rule.action.name());
            start.push_str("\",\"severity\":\"");
            start.push_str(rule.action.severity());
            start.push_str("\",\"phase\":\"");
            start.push_str(rule.phase.name());
            start.push_str("\",\"message\":");
            let mut end = String::from(",\"span\":{\"file\":");
            push_text(&mut end, rule.place.file);
            end.push_str(",\"line\":");
            push_number(&mut end, rule.place.line);
            end.push_str(",\"column\":");
            push_number(&mut end, rule.place.column);
            end.push_str("}}");
            RuleText { start, end }
        });
        let settles = Scope::ALL.iter().any(|scope| image.monitors().settles(*scope));
        let hold = settles.then(Hold::default);
        Self { image, options, rules: rules.collect(), hold, is_empty: true }
    }

    /// Appends one decision; answers where its list of findings ends.
    pub fn decision(&self, seen: &Seen<'_>, out: &mut String) -> usize {
        out.push_str(if self.options.list { SEPARATOR } else { "" });
        out.push_str("{\"index\":");
        push_number(out, seen.index);
        out.push_str(",\"line\":");
        push_number(out, seen.line);
        if self.options.file {
            out.push_str(",\"file\":");
            push_text(out, seen.file);
        }
        out.push_str(",\"session\":");
        push_text(out, seen.name);
        out.push_str(",\"turn\":");
        push_number(out, seen.decision.turn);
        out.push_str(",\"event\":\"");
        out.push_str(seen.event.name());
        out.push('"');
        push_tool(out, seen);
        if let Some(verdict) = seen.decision.verdict {
            out.push_str(",\"verdict\":\"");
            out.push_str(verdict.name());
            out.push('"');
        }
        out.push_str(",\"findings\":");
        push_list(out, &seen.decision.findings, |out, finding| self.finding(finding, out));
        let findings_end = out.len() - 1;
        self.undecided(&seen.decision.undecided, out);
        self.permission(seen, out);
        self.classifier(seen, out);
        out.push_str(",\"context\":");
        push_list(out, &seen.decision.besides().context, |out, text| push_text(out, text));
        if self.options.state {
            out.push_str(",\"state\":");
            out.push_str(&state(&seen.session.report()).to_string());
        }
        out.push_str(if self.options.list { "}" } else { "}\n" });
        findings_end
    }

    /// The decision on a trace without events; `message` says what it holds instead.
    fn on_nothing(&self, file: &str, message: &str) -> Written {
        let mut text = String::from(if self.options.list { SEPARATOR } else { "" });
        text.push_str("{\"index\":null,\"line\":null");
        if self.options.file {
            text.push_str(",\"file\":");
            push_text(&mut text, file);
        }
        text.push_str(",\"session\":null,\"turn\":0,\"event\":null,\"findings\":[");
        let findings_end = text.len();
        text.push_str("],\"directive\":null,\"context\":[],\"problems\":[");
        push_text(&mut text, message);
        text.push(']');
        text.push_str(if self.options.list { "}" } else { "}\n" });
        Written { slot: 0, text, findings_end, is_wanted: true, is_over: true }
    }

    fn finding(&self, finding: &Finding, out: &mut String) {
        let Some(rule) = self.rules.get(finding.rule as usize) else { return };
        let id = self.image.rules().get(finding.rule).map_or("", |rule| rule.id);
        out.push_str(&rule.start);
        push_text(out, &finding.message);
        out.push_str(",\"rendered\":");
        push_text(out, &finding.rendered(id));
        if let Some(violation) = &finding.violation {
            out.push_str(",\"pair\":");
            match violation.pair {
                Some(pair) => push_number(out, pair),
                None => out.push_str("null"),
            }
        }
        out.push_str(&rule.end);
    }

    fn undecided(&self, undecided: &[Undecided], out: &mut String) {
        if undecided.is_empty() {
            return;
        }
        out.push_str(UNDECIDED);
        for (index, undecided) in undecided.iter().enumerate() {
            out.push_str(if index > 0 { "," } else { "" });
            Write::undecided(self, undecided, out);
        }
        out.push(']');
    }

    fn permission(&self, seen: &Seen<'_>, out: &mut String) {
        let Some(permission) = seen.decision.permission else { return };
        let push_rule = |out: &mut String, rule: Option<u32>| match rule
            .and_then(|rule| self.image.policy().get(rule))
        {
            Some(rule) => push_text(out, rule.name),
            None => out.push_str("null"),
        };
        out.push_str(",\"permission\":{\"action\":\"");
        out.push_str(permission.action.name());
        out.push_str("\",\"rule\":");
        push_rule(out, permission.rule);
        out.push_str(",\"mode\":\"");
        out.push_str(permission.mode.name());
        out.push('"');
        if permission.doubt.is_some() {
            out.push_str(",\"doubt\":");
            push_rule(out, permission.doubt);
        }
        out.push('}');
    }

    fn classifier(&self, seen: &Seen<'_>, out: &mut String) {
        let decision = seen.decision;
        if !decision.besides().problems.is_empty() {
            out.push_str(",\"problems\":");
            push_list(out, &decision.besides().problems, |out, problem| push_text(out, problem));
        }
        if let Some(due) = decision.classifier {
            out.push_str(",\"classifier\":{\"runs\":");
            out.push_str(if due.runs { "true" } else { "false" });
            out.push_str(",\"reason\":\"");
            out.push_str(due.reason.name());
            out.push_str("\"}");
        }
        out.push_str(",\"directive\":");
        match &decision.besides().directive {
            Some(directive) => push_text(out, directive),
            None => out.push_str("null"),
        }
    }
}

impl Report for JsonReport<'_> {
    fn event(&mut self, seen: &Seen<'_>, out: &mut String) {
        let is_wanted = self.options.all || is_decided_on(seen.event) || says_something(seen);
        self.is_empty = false;
        let Some(mut hold) = self.hold.take() else {
            if is_wanted {
                self.decision(seen, out);
            }
            return;
        };
        hold.add(Some(seen.slot), &seen.decision.besides().settled, &[], self);
        let mut text = String::new();
        let findings_end = self.decision(seen, &mut text);
        let is_over = matches!(seen.event, Event::SessionEnd);
        hold.push(Written { slot: seen.slot, text, findings_end, is_wanted, is_over }, out);
        self.hold = Some(hold);
    }

    fn takes_settled(&self) -> bool {
        true
    }

    fn finish(
        &mut self,
        file: &str,
        settled: &Settled,
        nothing: Option<&str>,
        out: &mut String,
    ) -> bool {
        let mut hold = self.hold.take().unwrap_or_default();
        if let Some(message) = nothing.filter(|_| !self.image.monitors().is_empty()) {
            hold.push(self.on_nothing(file, message), out);
        }
        for (slot, conclusion) in &settled.sessions {
            hold.add(Some(*slot), &conclusion.findings, &conclusion.undecided, self);
        }
        hold.add(None, &settled.trace.findings, &settled.trace.undecided, self);
        hold.print_all(out);
        true
    }
}

impl Write for JsonReport<'_> {
    fn finding(&self, finding: &Finding, out: &mut String) {
        JsonReport::finding(self, finding, out);
    }

    fn undecided(&self, undecided: &Undecided, out: &mut String) {
        out.push_str("{\"rule\":");
        push_text(out, self.image.rules().get(undecided.rule).map_or("", |rule| rule.id));
        out.push_str(",\"needs\":");
        push_text(out, &undecided.needs);
        out.push('}');
    }
}

/// Whether something was found, or could not be, on an event that is not decided on otherwise.
fn says_something(seen: &Seen<'_>) -> bool {
    let decision = seen.decision;
    !decision.findings.is_empty()
        || !decision.undecided.is_empty()
        || !decision.besides().problems.is_empty()
}

/// Whether anything is decided on such an event.
fn is_decided_on(event: &Event<'_>) -> bool {
    matches!(
        event,
        Event::ToolCall(_)
            | Event::ToolResult(_)
            | Event::Text { .. }
            | Event::TurnStart { .. }
            | Event::ClassifierReply { .. }
    )
}

fn push_tool(out: &mut String, seen: &Seen<'_>) {
    let Some(tool) = seen.decision.tool else { return };
    out.push_str(",\"tool\":");
    push_text(out, seen.session.tool_name(tool));
    out.push_str(",\"native_tool\":");
    push_text(out, seen.session.native_tool_name(tool));
}

fn push_list<T>(out: &mut String, items: &[T], mut push: impl FnMut(&mut String, &T)) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        push(out, item);
    }
    out.push(']');
}

fn push_number(out: &mut String, number: impl itoa::Integer) {
    out.push_str(itoa::Buffer::new().format(number));
}

/// Appends a JSON string.
pub fn push_text(out: &mut String, text: &str) {
    let needs_escape = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(needs_escape) {
        // The bytes looked for are whole characters.
        let (clean, tail) = rest.split_at(at);
        out.push_str(clean);
        let mut characters = tail.chars();
        match characters.next() {
            Some('"') => out.push_str("\\\""),
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some(control) => out.push_str(&format!("\\u{:04x}", control as u32)),
            None => {}
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// A session's state.
#[must_use]
pub fn state(report: &StateReport<'_>) -> Value {
    let (tool, length) = report.streak.unzip();
    let sets: Map<_, _> =
        report.sets.iter().map(|(name, set)| ((*name).to_owned(), json!(set))).collect();
    let counters: Map<_, _> =
        report.counters.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    let flags: Map<_, _> =
        report.flags.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    let recent: Vec<_> = report
        .recent
        .iter()
        .map(|(tool, target)| json!({ "tool": tool, "target": target }))
        .collect();
    json!({
        "turn": report.turn,
        "calls_this_turn": report.calls_this_turn,
        "total_calls": report.total_calls,
        "streak": { "tool": tool, "length": length.unwrap_or(0) },
        "violations": report.violations,
        "last_violation": report.last_violation,
        "sets": sets,
        "counters": counters,
        "flags": flags,
        "recent": recent,
    })
}

/// What everything came to.
pub fn summary(summary: &Summary, image: &Image) -> Value {
    let mut all = counts(&summary.all, image);
    let by_session: Map<_, _> = summary
        .sessions
        .iter()
        .map(|(name, of_session)| (name.clone(), Value::Object(counts(of_session, image))))
        .collect();
    let lines: Vec<_> = summary
        .problem_lines
        .iter()
        .map(|line| json!({ "file": line.file, "line": line.line, "message": line.message }))
        .collect();
    all.insert("rules_in_force".to_owned(), json!(image.rules().len()));
    all.insert("files".to_owned(), json!(summary.files));
    all.insert("sessions".to_owned(), json!(summary.sessions.len()));
    all.insert("problems".to_owned(), json!(summary.problems));
    all.insert("problem_lines".to_owned(), Value::Array(lines));
    all.insert("truncated".to_owned(), json!(summary.truncated));
    let hollow = |hollow: &Hollow| json!({ "file": hollow.file, "message": hollow.message });
    let hollow: Vec<_> = summary.hollow.iter().map(hollow).collect();
    all.insert("without_events".to_owned(), Value::Array(hollow));
    let unknown: u64 = summary.stats.unknown.values().sum();
    all.insert("unknown_records".to_owned(), json!(unknown));
    all.insert("unknown_kinds".to_owned(), json!(summary.stats.unknown));
    all.insert("never_run".to_owned(), json!(summary.stats.never_run));
    all.insert("orphan_results".to_owned(), json!(summary.stats.orphan_results));
    all.insert("by_session".to_owned(), Value::Object(by_session));
    Value::Object(all)
}

/// What policies denied and asked about, by rule; `null` is no rule.
fn permissions(counts: &Counts, image: &Image) -> Vec<Value> {
    let one = |(refusal, count): (&Refusal, &u64)| {
        let rule = refusal.rule.and_then(|rule| image.policy().get(rule));
        let action = if refusal.denies { Verdict::Deny } else { Verdict::Ask };
        json!({ "rule": rule.map(|rule| rule.name), "verdict": action.name(), "count": count })
    };
    counts.permissions.iter().map(one).collect()
}

fn counts(counts: &Counts, image: &Image) -> Map<String, Value> {
    let named = |numbers: &[u64]| -> Map<String, Value> {
        by_rule(numbers)
            .filter_map(|(rule, count)| {
                Some((image.rules().get(rule)?.id.to_owned(), json!(count)))
            })
            .collect()
    };
    let by_action: Map<_, _> = Action::ALL
        .iter()
        .map(|&action| (action.name().to_owned(), json!(counts.of_action(image, action))))
        .collect();
    let verdicts: Map<_, _> = Verdict::ALL
        .iter()
        .map(|&verdict| (verdict.name().to_owned(), json!(counts.verdict(verdict))))
        .collect();
    let findings = json!({
        "total": total(&counts.findings),
        "by_rule": named(&counts.findings),
        "by_action": by_action,
    });
    let Value::Object(map) = json!({
        "events": counts.events,
        "tool_calls": counts.tool_calls,
        "turns": counts.turns,
        "findings": findings,
        "verdicts": verdicts,
        "permissions": permissions(counts, image),
        "undecided": total(&counts.undecided),
        "undecided_by_rule": named(&counts.undecided),
    }) else {
        return Map::new();
    };
    map
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str) {
        let mut out = String::new();
        push_text(&mut out, text);
        assert_eq!(serde_json::from_str::<String>(&out).expect("a JSON string"), text, "{out}");
    }

    #[test]
    fn texts_survive() {
        check("");
        check("plain");
        check("\"quoted\" \\ and \n\r\t\u{0}\u{1f}\u{7f}");
        check("ünïcödé \u{2028} 🎉\"");
    }
}
