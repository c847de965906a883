//! One rule of a trace policy, looking at one pair or call after the other, and what it finds.

use std::borrow::Cow;

use super::compare::{self, Content};
use super::grounded;
use super::stretch::{Obligation, Slot};
use super::watched::{Role, Watched, is_tool};
use crate::decision::{Action, Finding, Phase, Undecided, Violation};
use crate::exchange::{Block, ToolNames, Usage};
use crate::host::Host;
use behavior_image::View;
use behavior_image::code::Operator;
use behavior_image::format::{MonitorRecord, PairTest, Section};
use behavior_image::pair_tests as tests;
use behavior_image::trace_rule::{MonitorKind, Parameters};

/// A pair of request and response, as far as rules ask for it.
pub(crate) struct Pair<'a> {
    /// Its number in the whole trace.
    pub number: u64,
    /// The values at the paths of the image, as JSON.
    pub values: Vec<Option<Cow<'a, str>>>,
    /// What the response holds.
    pub blocks: Vec<Block<'a>>,
    /// Its text.
    pub text: Cow<'a, str>,
    /// Why it ends.
    pub stop_reason: Option<Cow<'a, str>>,
    /// Whether that is not told.
    pub is_end_untold: bool,
    /// What it used.
    pub usage: Usage,
    /// Its calls: the name of each and what it is to the rules.
    pub calls: Vec<(Box<str>, Watched)>,
    /// What else its tools are called.
    pub names: ToolNames<'a>,
}

/// The part of a pair that a call can be held against.
pub(crate) struct Around<'p> {
    pub values: &'p [Option<Cow<'p, str>>],
    /// What the response holds, where that is known.
    pub blocks: Option<&'p [Block<'p>]>,
    /// What else the tools of the response are called.
    pub names: &'p ToolNames<'p>,
    /// Whether there is a response that does not tell why it ended.
    pub is_end_untold: bool,
}

impl Pair<'_> {
    pub fn around(&self) -> Around<'_> {
        Around {
            values: &self.values,
            blocks: Some(&self.blocks),
            names: &self.names,
            is_end_untold: self.is_end_untold,
        }
    }
}

/// A call, as a rule sees it.
#[derive(Clone, Copy)]
pub(crate) struct Called<'c> {
    /// The tool, as the recording names it.
    tool: &'c str,
    /// Whether it is the tool that the rule is about.
    subject: bool,
    /// Whether it is the tool that the rule wants later.
    object: bool,
}

impl Around<'_> {
    /// Whether all tests hold. A value that is not there makes every test false.
    pub fn hold(&self, view: View<'_>, start: u32, len: u32) -> bool {
        tests(view, start, len).all(|test| self.holds(view, &test))
    }

    /// Whether the tests that do not hold are all about why the response ended, which is not told.
    pub fn hang_on_end(&self, view: View<'_>, start: u32, len: u32) -> bool {
        let is_about_end = |test: &PairTest| {
            let path = view.string(view.row(Section::PairPaths, test.path));
            matches!(path, "stop_reason" | "response.stop_reason")
        };
        self.is_end_untold
            && tests(view, start, len).all(|test| is_about_end(&test) || self.holds(view, &test))
    }

    /// Whether one test holds.
    pub fn holds(&self, view: View<'_>, test: &PairTest) -> bool {
        let Some(Some(actual)) = self.values.get(test.path as usize) else { return false };
        let Some(operator) = Operator::from_number(test.operator) else { return false };
        let expected = view.string(test.value);
        if view.string(view.row(Section::PairPaths, test.path)) == "response.content" {
            let content = Content { json: actual, blocks: self.blocks, names: self.names };
            compare::content_holds(operator, &content, expected)
        } else {
            compare::holds(operator, actual, expected)
        }
    }
}

/// What a look at something gives.
#[derive(Default)]
pub(crate) struct Outcome {
    pub findings: Vec<Finding>,
    pub undecided: Vec<Undecided>,
}

impl Outcome {
    /// Adds what rules found whose numbers begin behind `rules`.
    pub fn append(&mut self, mut other: Self, rules: u32) {
        other.findings.iter_mut().for_each(|finding| finding.rule += rules);
        other.undecided.iter_mut().for_each(|undecided| undecided.rule += rules);
        self.findings.append(&mut other.findings);
        self.undecided.append(&mut other.undecided);
    }

    fn find(
        &mut self,
        view: View<'_>,
        monitor: &MonitorRecord,
        violation: Violation,
        message: String,
    ) {
        let rule = view.rule(monitor.rule);
        let Some(action) = Action::from_number(rule.action) else { return };
        let finding = Finding::new(monitor.rule, action, Phase::Exchange, message);
        self.findings.push(Finding { violation: Some(violation), ..finding });
    }
}

/// The beginning of a text for a message, in quotes.
pub(crate) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 60;
    let mut short: String = text.chars().take(SHOWN).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    format!("{short:?}")
}

/// A tool by the name that a rule gives it.
fn any_tool(name: &str) -> String {
    if name == "*" { "any tool".to_owned() } else { format!("`{name}`") }
}

/// A rule, looked at one pair after the other.
pub(crate) struct Look<'a> {
    pub view: View<'a>,
    pub monitor: &'a MonitorRecord,
    pub kind: MonitorKind,
    pub row: u32,
    pub exchange: u32,
}

impl Look<'_> {
    fn violation(&self, pair: Option<u64>, subject: impl Into<String>) -> Violation {
        Violation { pair, subject: subject.into(), exchange: self.exchange }
    }

    pub fn subject(&self) -> &str {
        self.view.string(self.monitor.subject)
    }

    fn object(&self) -> &str {
        self.view.string(self.monitor.object)
    }

    fn path(&self) -> &str {
        self.view.string(self.view.row(Section::PairPaths, self.monitor.subject))
    }

    pub fn find(&self, out: &mut Outcome, pair: Option<u64>, subject: &str, message: String) {
        out.find(self.view, self.monitor, self.violation(pair, subject), message);
    }

    /// A call of `tool`, if the rule names it: as the one that it is about or the one that comes later.
    pub fn called<'c>(&self, tool: &'c str, watched: &Watched) -> Option<Called<'c>> {
        let named = |role| watched.contains(&(self.row, role));
        let (subject, object) = (named(Role::Subject), named(Role::Object));
        (subject || object).then_some(Called { tool, subject, object })
    }

    /// What a called tool is called in what is said of it: as the rule names it, unless that is every
    /// tool.
    fn name_of<'n>(&'n self, named: &'n str, call: Called<'n>) -> &'n str {
        if named == "*" { call.tool } else { named }
    }

    pub fn pair(&self, pair: &Pair<'_>, slot: &mut Slot, host: &mut dyn Host, out: &mut Outcome) {
        slot.is_used = true;
        let number = Some(pair.number);
        match self.kind {
            MonitorKind::MustCallBefore | MonitorKind::MustCallOnce | MonitorKind::NoCall => {}
            MonitorKind::MaxTurns => slot.number += 1,
            MonitorKind::MaxTotalTokens => match pair.usage.weighed(self.monitor.number) {
                Some(tokens) => slot.number = slot.number.saturating_add(tokens),
                None => slot.untold += 1,
            },
            MonitorKind::RequiredStopReason => self.stop_reason(pair, out),
            MonitorKind::MustIncludeText => slot.is_set |= pair.text.contains(self.subject()),
            MonitorKind::MustIncludeTextEach => {
                if !pair.text.contains(self.subject()) {
                    let text = excerpt(self.subject());
                    let message = format!("the response does not contain {text}");
                    self.find(out, number, self.subject(), message);
                }
            }
            MonitorKind::ForbiddenText => {
                if pair.text.contains(self.subject()) {
                    let message = format!("the response contains {}", excerpt(self.subject()));
                    self.find(out, number, self.subject(), message);
                }
            }
            MonitorKind::MustMatchJsonSchema => self.schema(pair, host, out),
            MonitorKind::MustRemainConsistent => self.consistent(pair, slot, out),
            MonitorKind::MustFollowup => self.followup(pair, slot, out),
            MonitorKind::MustBeGrounded => self.grounded(pair, out),
        }
    }

    fn stop_reason(&self, pair: &Pair<'_>, out: &mut Outcome) {
        let (start, len) = (self.monitor.allowed, self.monitor.allowed_len);
        let allowed = || self.view.list(start, len).map(|reason| self.view.string(reason));
        let reason = pair.stop_reason.as_deref();
        if reason.is_some_and(|reason| allowed().any(|allowed| allowed == reason)) {
            return;
        }
        if pair.is_end_untold {
            return self.end_is_untold(out);
        }
        let names: Vec<_> = allowed().map(|reason| format!("`{reason}`")).collect();
        let expected = names.join(" or ");
        let message = match reason {
            Some(reason) => {
                let reason: String = reason.chars().take(60).collect();
                format!("the response ended with `{reason}`, not with {expected}")
            }
            None => format!("the response ended without a reason, not with {expected}"),
        };
        self.find(out, Some(pair.number), reason.unwrap_or_default(), message);
    }

    pub fn end_is_untold(&self, out: &mut Outcome) {
        let needs = "why the response ended".to_owned();
        out.undecided.push(Undecided { rule: self.monitor.rule, needs, is_opaque: false });
    }

    fn schema(&self, pair: &Pair<'_>, host: &mut dyn Host, out: &mut Outcome) {
        let text = pair.text.trim();
        if text.is_empty() {
            let message = "the response has no text that could match the schema".to_owned();
            return self.find(out, Some(pair.number), "no text", message);
        }
        match host.json_mismatch(self.subject(), text) {
            None => out.undecided.push(Undecided {
                rule: self.monitor.rule,
                needs: "whether the response matches the schema".to_owned(),
                is_opaque: false,
            }),
            Some(None) => {}
            Some(Some(mismatch)) => {
                let message = match &mismatch.path {
                    Some(path) if path.is_empty() => {
                        format!("the response does not match the schema: {}", mismatch.reason)
                    }
                    Some(path) => {
                        format!(
                            "the response does not match the schema at `{path}`: {}",
                            mismatch.reason
                        )
                    }
                    None => format!("the response is not valid JSON: {}", mismatch.reason),
                };
                let subject = mismatch.path.as_deref().unwrap_or("not JSON");
                self.find(out, Some(pair.number), subject, message);
            }
        }
    }

    fn consistent(&self, pair: &Pair<'_>, slot: &mut Slot, out: &mut Outcome) {
        let Some(Some(value)) = pair.values.get(self.monitor.subject as usize) else { return };
        let value = compare::canonical_json(value);
        match &slot.value {
            None => slot.value = Some(value),
            Some(anchor) if *anchor == value => {}
            Some(anchor) => {
                let short = |text: &str| text.chars().take(60).collect::<String>();
                let message = format!(
                    "`{}` was `{}` first and is `{}` now",
                    self.path(),
                    short(anchor),
                    short(&value)
                );
                self.find(out, Some(pair.number), self.path(), message);
            }
        }
    }

    fn followup(&self, pair: &Pair<'_>, slot: &mut Slot, out: &mut Outcome) {
        let is_met = || {
            if self.monitor.subject == behavior_image::format::NONE {
                return pair.text.contains(self.object());
            }
            pair.blocks.iter().any(|block| match block {
                Block::ToolUse { name, .. } => {
                    pair.names.of(name).any(|name| is_tool(name, self.subject()))
                }
                Block::Text(_) => false,
            })
        };
        if !slot.open.is_empty() && is_met() {
            slot.open.clear();
        }
        for open in &mut slot.open {
            open.left = open.left.saturating_sub(1);
        }
        let is_over = |open: &Obligation| open.left == 0;
        for open in slot.open.iter().filter(|open| is_over(open)) {
            let within = match self.monitor.number {
                0 | 1 => "the next response, which does not have it".to_owned(),
                more => format!("the next {more} responses, none of which has it"),
            };
            let message = format!("pair {} asks for {} in {within}", open.pair, self.obligation());
            self.find(out, Some(pair.number), &self.obligation(), message);
        }
        slot.open.retain(|open| !is_over(open));
        let around = pair.around();
        let (start, len) = (self.monitor.trigger, self.monitor.trigger_len);
        if around.hold(self.view, start, len) {
            let left = self.monitor.number.max(1);
            slot.open.push(Obligation { pair: pair.number, left });
        } else if around.hang_on_end(self.view, start, len) {
            self.end_is_untold(out);
        }
    }

    /// What a pair obliges the next one to.
    pub fn obligation(&self) -> String {
        if self.monitor.subject == behavior_image::format::NONE {
            format!("the text {}", excerpt(self.object()))
        } else {
            format!("a call of {}", any_tool(self.subject()))
        }
    }

    fn grounded(&self, pair: &Pair<'_>, out: &mut Outcome) {
        let Some(Some(chunks)) = pair.values.get(self.monitor.subject as usize) else { return };
        let Some(share) = grounded::share(&pair.text, chunks) else { return };
        let least = f64::from_bits(self.monitor.limit);
        if share < least {
            let message = format!(
                "{:.0} % of the response's words stand in `{}`, and at least {:.0} % must",
                share * 100.0,
                self.path(),
                least * 100.0
            );
            self.find(out, Some(pair.number), self.path(), message);
        }
    }

    /// A call that was made, in a log: what it violates, and what is remembered of it.
    pub fn call(&self, call: Called<'_>, pair: u64, slot: &mut Slot, out: &mut Outcome) {
        slot.is_used = true;
        match self.kind {
            MonitorKind::NoCall if call.subject => self.forbidden_call(call, pair, out),
            MonitorKind::MustCallOnce if call.subject => slot.number += 1,
            MonitorKind::MustCallBefore => {
                // Only the first call of the later tool counts.
                if call.object && !slot.is_set && slot.number == 0 {
                    self.call_too_early(call, pair, out);
                }
                slot.number += u64::from(call.object);
                slot.is_set |= call.subject;
            }
            _ => {}
        }
    }

    fn forbidden_call(&self, call: Called<'_>, pair: u64, out: &mut Outcome) {
        let tool = self.name_of(self.subject(), call);
        self.find(out, Some(pair), tool, format!("`{tool}` was called and must not be"));
    }

    fn call_too_early(&self, call: Called<'_>, pair: u64, out: &mut Outcome) {
        let (first, then) = (self.subject(), self.name_of(self.object(), call));
        let first = any_tool(first);
        let message = format!("`{then}` was called, and no call of {first} came before it");
        self.find(out, Some(pair), then, message);
    }

    /// A call that is about to be made, live: what it would violate.
    pub fn prospect(&self, call: Called<'_>, pair: u64, slot: &Slot, out: &mut Outcome) {
        match self.kind {
            MonitorKind::NoCall if call.subject => self.forbidden_call(call, pair, out),
            MonitorKind::MustCallOnce if call.subject && slot.number > 0 => {
                let message = match self.subject() {
                    "*" => "a tool was called before, and one call is allowed".to_owned(),
                    tool => format!("`{tool}` was called before and must be called once"),
                };
                self.find(out, Some(pair), self.subject(), message);
            }
            MonitorKind::MustCallBefore if call.object && !slot.is_set => {
                self.call_too_early(call, pair, out);
            }
            _ => {}
        }
    }

    pub fn is_limit(&self) -> bool {
        matches!(self.kind.parameters(), Parameters::Limit | Parameters::TokenLimit)
    }

    /// What comes of a limit.
    pub fn limit(&self, slot: &Slot, out: &mut Outcome) {
        let (number, limit) = (slot.number, self.monitor.limit);
        let is_tokens = self.kind == MonitorKind::MaxTotalTokens;
        let allowed = if limit == 1 { "is allowed" } else { "are allowed" };
        if number > limit {
            let what = match (is_tokens, number) {
                (true, 1) => "1 token was used".to_owned(),
                (true, more) => format!("{more} tokens were used"),
                (false, 1) => "there was 1 response".to_owned(),
                (false, more) => format!("there were {more} responses"),
            };
            let subject = if is_tokens { "tokens" } else { "turns" };
            let message = format!("{what}, and {limit} {allowed}");
            self.find(out, None, subject, message);
        } else if slot.untold > 0 {
            let responses = if slot.untold == 1 { "response" } else { "responses" };
            let needs = format!("how many tokens {} {responses} used", slot.untold);
            out.undecided.push(Undecided { rule: self.monitor.rule, needs, is_opaque: false });
        }
    }
}
