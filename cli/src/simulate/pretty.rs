//! The timeline and the summary, for people. The timeline shows only events with something to say,
//! under headings for their session and turn.

use anstyle::Style;
use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use behavior_image::code::PermissionAction;
use behavior_runtime::decision::{Action, Finding, Phase, Undecided};
use behavior_runtime::event::Event;
use behavior_runtime::permission::Permission;
use behavior_runtime::{Decision, Layers, Session, Verdict};
use behavior_secrets::redacted;

use super::filter::Filter;
use super::label::{self, OpenLabels};
use super::report::Report;
use super::summary::{
    Counts, Hollow, NO_RULES, Place, Seen, Summary, by_rule, times, total, unknown_records,
};
use crate::number::{count, number};
use crate::permissions;
use crate::screen::{Screen, blanks, clip, clip_path, plain, width, wrap};
use crate::terminal::{BLUE, BOLD, CYAN, DIM, GREEN, MAGENTA, PLAIN, RED, YELLOW};
use crate::workflow::in_words;

/// More of what an event is about fits on no line, in bytes.
const MAX_LABEL_LENGTH: usize = 2 << 10;
/// Columns of the event's number.
const EVENT: usize = 7;
/// Columns of the tool's name.
const TOOL: usize = 10;
/// Columns of the verdict with its sign.
const VERDICT: usize = 12;
/// Columns of how often the agent was told.
const TOLD: usize = 7;
/// The least columns of the rule's name.
const RULE: usize = 18;
/// The most columns of the rule's name.
const WIDEST_RULE: usize = 30;
/// How much of the user's message stands in a turn's heading.
const MESSAGE: usize = 60;

/// Prints the timeline of one file.
pub struct PrettyReport {
    layers: Arc<Layers>,
    screen: Screen,
    shows: Shown,
    rule_column: usize,
    labels: OpenLabels,
    /// Whether each rule's message was shown in full.
    told: Vec<bool>,
    /// The session whose heading was printed last.
    shown: Option<usize>,
    /// What each session's turn began with, and whether its heading is still to be printed.
    turns: Vec<Turn>,
}

/// What is shown beyond what rules have to say.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Every event.
    pub all: bool,
    /// The state of the session.
    pub state: bool,
    /// Every message in full; otherwise only the first of each rule.
    pub verbose: bool,
    /// What of it a person wants to see.
    pub filter: Filter,
}

#[derive(Clone, Default)]
struct Turn {
    number: u32,
    text: Option<String>,
    due: bool,
    classifier: Option<String>,
}

impl PrettyReport {
    /// A timeline under `layers`.
    pub fn new(layers: Arc<Layers>, screen: Screen, shows: Shown) -> Self {
        let rule_column = rule_column(&layers);
        let told = vec![shows.verbose; layers.rules().len() as usize];
        let labels = OpenLabels::default();
        Self { layers, screen, shows, rule_column, labels, told, shown: None, turns: Vec::new() }
    }

    /// The headings that are due before something of this session is printed.
    fn headings(&mut self, seen: &Seen<'_>, out: &mut String) {
        if self.shown != Some(seen.slot) {
            out.push_str(if self.shown.is_some() { "\n" } else { "" });
            self.session(seen, out);
            self.shown = Some(seen.slot);
            if let Some(turn) = self.turns.get_mut(seen.slot) {
                turn.due = turn.number > 0;
            }
        }
        let Some(turn) = self.turns.get_mut(seen.slot).filter(|turn| turn.due) else { return };
        turn.due = false;
        out.push_str("\n  ");
        self.screen.paint(out, BOLD, &format!("turn {}", turn.number));
        if let Some(text) = &turn.text {
            out.push_str("  ");
            self.screen.paint(out, DIM, &format!("“{text}”"));
        }
        if let Some(classifier) = &turn.classifier {
            out.push_str("  ");
            self.screen.paint(out, MAGENTA, classifier);
        }
        out.push('\n');
    }

    fn session(&self, seen: &Seen<'_>, out: &mut String) {
        let screen = &self.screen;
        screen.paint(out, CYAN, "▌ ");
        screen.paint(out, BOLD, &short_session(seen.name));
        let mut rest = Vec::new();
        rest.extend(seen.session.own().agent().map(|agent| plain(agent).into_owned()));
        rest.extend(seen.session.own().cwd().map(|cwd| clip_path(cwd, 40)));
        let used = 2 + width(&short_session(seen.name));
        let used = used + rest.iter().map(|part| width(part) + 3).sum::<usize>() + 3;
        rest.push(clip_path(seen.file, self.screen.width.saturating_sub(used).max(24)));
        for part in rest {
            screen.paint(out, DIM, " · ");
            screen.paint(out, DIM, &part);
        }
        out.push('\n');
    }

    fn turn_starts(&mut self, seen: &Seen<'_>, text: Option<&str>) {
        if self.turns.len() <= seen.slot {
            self.turns.resize(seen.slot + 1, Turn::default());
        }
        let due = seen.decision.classifier;
        if let Some(turn) = self.turns.get_mut(seen.slot) {
            *turn = Turn {
                number: seen.decision.turn,
                text: text.map(|text| clip(text.trim(), MESSAGE)),
                due: true,
                classifier: due.filter(|due| due.runs).map(|_| "classifier runs".to_owned()),
            };
        }
    }

    /// The line that says what happened.
    fn what(&self, seen: &Seen<'_>, label: &str, out: &mut String) {
        let screen = &self.screen;
        let tool = seen.tool().unwrap_or_else(|| label::of_kind(seen.event));
        let event = event_number(seen.index);
        blanks(out, EVENT.saturating_sub(width(&event)));
        screen.paint(out, DIM, &event);
        out.push_str("  ");
        screen.cell(out, CYAN, &clip(tool, TOOL.max(24)), TOOL);
        out.push(' ');
        let is_result = matches!(seen.event, Event::ToolResult(_));
        let suffix = if is_result { "  (result)" } else { "" };
        let used = EVENT.max(width(&event)) + 3 + TOOL.max(width(tool)) + width(suffix);
        let label = redacted(label, MAX_LABEL_LENGTH);
        out.push_str(&clip(&label, screen.width.saturating_sub(used)));
        screen.paint(out, DIM, suffix);
        while out.ends_with(' ') {
            out.pop();
        }
        out.push('\n');
    }

    /// One row under it: a verdict, a name, and a text that is wrapped in its column.
    fn row(&self, sign: (Style, &str), name: &str, text: &str, in_full: bool, out: &mut String) {
        let (paint, verdict) = sign;
        let start = EVENT + 2;
        blanks(out, start);
        self.screen.cell(out, paint, verdict, VERDICT);
        let column = start + VERDICT + self.rule_column + 2;
        let room = self.screen.width.saturating_sub(column);
        let name = plain(name);
        self.screen.cell(out, PLAIN, &name, self.rule_column + 2);
        let is_wide = width(&name) > self.rule_column;
        let lines = if in_full { wrap(text, room) } else { vec![clip(text, room)] };
        for (index, line) in lines.iter().enumerate() {
            if index > 0 || is_wide {
                out.truncate(out.trim_end_matches(' ').len());
                out.push('\n');
                blanks(out, if line.is_empty() { 0 } else { column });
            }
            out.push_str(line);
        }
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
    }

    /// A message is told in full the first time; people then know it by its beginning.
    fn finding(&mut self, finding: &Finding, cwd: Option<&str>, out: &mut String) {
        let told = self.told.get_mut(finding.rule as usize);
        let in_full = told.is_none_or(|told| self.shows.verbose || !std::mem::replace(told, true));
        let id = self.layers.rules().id(finding.rule);
        let message = without_directory(&finding.message, cwd);
        match &finding.granted {
            None if finding.is_withheld => {
                self.row((DIM, "· again"), id, "found again, and not told again", true, out);
            }
            None => self.row(look(finding.action, finding.phase), id, &message, in_full, out),
            Some(granted) => {
                let why = format!("not said: {} ({})", granted.scope, granted.by);
                self.row((DIM, "· excepted"), id, &why, true, out);
            }
        }
    }

    /// What the policy says, unless it just lets the call run and nobody asked.
    fn permission(&self, permission: &Permission, out: &mut String) {
        let (name, text) = permissions::told(permission, &*self.layers);
        self.row(look_of_permission(permission.action), name, &text, true, out);
    }

    fn undecided(&self, undecided: &Undecided, out: &mut String) {
        let id = self.layers.rules().id(undecided.rule);
        let text = format!("nothing tells {}", undecided.needs);
        self.row((MAGENTA, "? undecided"), id, &text, true, out);
    }

    fn label<'a>(&mut self, seen: &'a Seen<'_>) -> Cow<'a, str> {
        match seen.event {
            Event::ToolCall(call) => {
                let label = label::of_call(call, seen.session.own().cwd());
                self.labels.call(seen.slot, call, &label);
                label
            }
            Event::ToolResult(result) => {
                let open = result.id.as_deref().and_then(|id| self.labels.result(seen.slot, id));
                match (open, &result.call) {
                    (Some(label), _) => label.into_string().into(),
                    (None, Some(call)) => label::of_call(call, seen.session.own().cwd()),
                    (None, None) => "".into(),
                }
            }
            Event::Text { text } => text.trim().into(),
            Event::TurnStart { text } => text.as_deref().unwrap_or_default().into(),
            Event::ClassifierReply { raw } => raw.trim().into(),
            Event::VerifierReply { reply: Ok(text) | Err(text) } => text.trim().into(),
            Event::UserShell { command, .. } => command.trim().into(),
            Event::Fs(fact) => {
                let is_there = if fact.exists { "exists" } else { "does not exist" };
                let path = label::relative(&fact.path, seen.session.own().cwd());
                format!("{path} {is_there}").into()
            }
            Event::Clock { now } => format!("{now}").into(),
            _ => "".into(),
        }
    }

    /// Appends what the rules said on an event, if they said anything or all events are asked for.
    fn told(&mut self, seen: &Seen<'_>, out: &mut String) {
        if let Event::TurnStart { text } = seen.event {
            self.turn_starts(seen, text.as_deref());
        }
        let label = self.label(seen);
        let decision = seen.decision;
        let filter = self.shows.filter.clone();
        let shows_repeats = self.shows.all || self.shows.verbose;
        let is_shown =
            |finding: &&Finding| (shows_repeats || !finding.is_withheld) && filter.shows(finding);
        let is_open = |undecided: &&Undecided| filter.shows_undecided(undecided);
        let refuses = filter.shows_refusal(decision);
        let besides = decision.besides();
        let says_besides = !besides.problems.is_empty()
            || besides.directive.is_some()
            || besides.constitution.is_some()
            || !besides.notices.is_empty()
            || flag_of(decision).is_some()
            || besides.workflow.is_some();
        let says = decision.findings.iter().any(|finding| is_shown(&finding))
            || decision.undecided.iter().any(|undecided| is_open(&undecided))
            || says_besides && filter.is_open()
            || refuses;
        let is_wanted = says || self.shows.all && filter.is_open();
        if !is_wanted || !filter.shows_turn(decision.turn) {
            return;
        }
        self.headings(seen, out);
        self.what(seen, &label, out);
        let cwd = seen.session.own().cwd();
        let permission = decision.permission.as_ref();
        if let Some(permission) = permission.filter(|_| self.shows.all || refuses) {
            self.permission(permission, out);
        }
        let findings = decision.findings.iter().filter(is_shown);
        findings.for_each(|finding| self.finding(finding, cwd, out));
        let undecided = decision.undecided.iter().filter(is_open);
        undecided.for_each(|undecided| self.undecided(undecided, out));
        for problem in &decision.besides().problems {
            self.row((YELLOW, "▲ problem"), "", problem, true, out);
        }
        if let Some(report) = &decision.besides().constitution {
            let text = format!("{}: {}", report.op.name(), count(report.count as u64, "rule"));
            self.row((BLUE, "→ session"), "", &text, true, out);
            for refusal in &report.refused {
                self.row((YELLOW, "! refused"), "", &refusal.message, true, out);
            }
        }
        if let Some(directive) = &decision.besides().directive {
            self.row((BLUE, "→ directive"), "", directive, true, out);
        }
        if let Some(transition) = &decision.besides().workflow {
            let paint = if transition.paused { YELLOW } else { BLUE };
            self.row((paint, "→ workflow"), "", &in_words(transition), true, out);
            for warning in &transition.warnings {
                self.row((YELLOW, "▲ problem"), "", warning, true, out);
            }
        }
        if let Some(flag) = flag_of(decision) {
            self.row((YELLOW, "! flagged"), "", flag, true, out);
        }
        for notice in &decision.besides().notices {
            self.row((YELLOW, "▲ notice"), "", &notice.text, true, out);
        }
        if self.shows.state {
            state(seen.session.own(), &self.screen, out);
        }
    }
}

/// Why the verifier sends an answer back, if it does.
fn flag_of(decision: &Decision) -> Option<&str> {
    decision.besides().verifier.as_ref()?.answer.as_ref()?.flag.as_deref()
}

impl Report for PrettyReport {
    fn event(&mut self, seen: &Seen<'_>, out: &mut Vec<u8>) {
        let mut text = String::new();
        self.told(seen, &mut text);
        out.extend_from_slice(text.as_bytes());
    }

    fn problem(&mut self, _file: &str, line: u32, message: &str, out: &mut Vec<u8>) {
        let mut text = String::new();
        let head = format!("line {line} not understood: ");
        blanks(&mut text, EVENT + 2);
        self.screen.paint(&mut text, YELLOW, &head);
        let room = self.screen.width.saturating_sub(EVENT + 2 + width(&head));
        text.push_str(&clip(message, room));
        text.push('\n');
        out.extend_from_slice(text.as_bytes());
    }

    fn end(&mut self, _file: &str, _summary: &Summary, out: &mut Vec<u8>) {
        if self.shown.is_some() {
            out.push(b'\n');
        }
    }
}

fn state(session: &Session, screen: &Screen, out: &mut String) {
    for line in session.snapshot().lines() {
        blanks(out, EVENT + 2);
        screen.paint(out, DIM, &clip(line, screen.width.saturating_sub(EVENT + 2)));
        out.push('\n');
    }
}

/// A message with the paths under the working directory as seen from there.
fn without_directory<'m>(message: &'m str, cwd: Option<&str>) -> Cow<'m, str> {
    let cwd = cwd.map_or("", |cwd| cwd.trim_end_matches('/'));
    if cwd.is_empty() || !message.contains(cwd) {
        return Cow::Borrowed(message);
    }
    Cow::Owned(message.replace(&format!("`{cwd}/"), "`"))
}

/// The beginning of a long session id, and the name of a sub-agent in it.
fn short_session(name: &str) -> String {
    const SHORT: usize = 8;
    let (id, sub) = name.split_once('/').unwrap_or((name, ""));
    let is_uuid = id.len() == 36 && id.bytes().filter(|byte| *byte == b'-').count() == 4;
    let id = if is_uuid { id.get(..SHORT).unwrap_or(id) } else { id };
    let slash = if sub.is_empty() { "" } else { "/" };
    clip(&format!("{id}{slash}{sub}"), 40)
}

/// How wide the column of rule names is: as wide as the names, within reason.
fn rule_column(layers: &Layers) -> usize {
    let rules = layers.rules().iter().map(|rule| width(rule.id));
    let widths = rules.chain(layers.policy().iter().map(|rule| width(rule.name)));
    widths.max().unwrap_or(0).clamp(RULE, WIDEST_RULE)
}

fn look_of_permission(action: PermissionAction) -> (Style, &'static str) {
    match action {
        PermissionAction::Allow => (GREEN, "✔ allowed"),
        PermissionAction::None => (GREEN, "  no say"),
        PermissionAction::DryRunFirst => (YELLOW, "? dry first"),
        PermissionAction::Ask => (YELLOW, "? asked"),
        PermissionAction::Deny => (RED, "■ denied"),
    }
}

fn look(action: Action, phase: Phase) -> (Style, &'static str) {
    match (action, phase) {
        (Action::Block, Phase::PreTool) => (RED, "■ blocked"),
        (Action::Block, _) => (RED, "■ refused"),
        (Action::Ask, _) => (YELLOW, "? asked"),
        (Action::Warn, _) => (YELLOW, "▲ warned"),
        (Action::Remind, _) => (BLUE, "● reminded"),
    }
}

/// What everything came to.
pub fn summary(
    summary: &Summary,
    layers: &Layers,
    screen: &Screen,
    several: bool,
    elapsed: Option<Duration>,
) -> String {
    let mut out = String::new();
    let all = &summary.all;
    let no_rule_spoke = all.findings.is_empty() && all.permissions.is_empty();
    if layers.rules().is_empty() && !layers.policy().is_in_force() {
        without_rules(summary, screen, &mut out);
    } else if no_rule_spoke && all.verified().is_none() {
        calm(summary, screen, &mut out);
    } else {
        if !no_rule_spoke {
            table(summary, layers, screen, several, &mut out);
        }
        totals(summary, screen, &mut out);
    }
    notes(summary, layers, screen, several, &mut out);
    if let Some(elapsed) = elapsed {
        speed(summary, elapsed, screen, &mut out);
    }
    out
}

/// No rule is in force, so that nothing found means nothing.
fn without_rules(summary: &Summary, screen: &Screen, out: &mut String) {
    let calls = count(summary.all.tool_calls, "tool call");
    let sessions = count(summary.sessions.len() as u64, "session");
    screen.paint(out, YELLOW, "! ");
    out.push_str(&format!("{NO_RULES}; there were {calls} in {sessions}\n"));
}

/// No rule had anything to say, which means little where lines were not understood.
fn calm(summary: &Summary, screen: &Screen, out: &mut String) {
    let all = &summary.all;
    let calls = count(all.tool_calls, "tool call");
    let sessions = count(summary.sessions.len() as u64, "session");
    if summary.problems > 0 {
        let verb = if summary.problems == 1 { "was" } else { "were" };
        let lines = count(summary.problems, "line");
        screen.paint(out, YELLOW, "! ");
        out.push_str(&format!("{lines} {verb} not understood; "));
        out.push_str(&match all.events {
            0 => "there is nothing else in the trace".to_owned(),
            _ => format!("no rule had anything to say on the rest: {calls} in {sessions}"),
        });
    } else {
        if !summary.hollow.is_empty() {
            screen.paint(out, YELLOW, "! ");
            out.push_str(&match all.events {
                0 => "no event was found, so no rule was asked".to_owned(),
                _ => format!("no rule had anything to say on what was read: {calls} in {sessions}"),
            });
        } else {
            screen.paint(out, GREEN, "✔ ");
            out.push_str(&format!(
                "all is well: {calls} in {sessions}, and no rule had anything to say"
            ));
        }
    }
    out.push('\n');
}

fn table(summary: &Summary, layers: &Layers, screen: &Screen, several: bool, out: &mut String) {
    let column = rule_column(layers) + 2;
    let mut head = String::new();
    blanks(&mut head, 2);
    screen.cell(&mut head, DIM, "rule", column);
    screen.cell(&mut head, DIM, "action", VERDICT);
    blanks(&mut head, 3);
    screen.cell(&mut head, DIM, "count", 8);
    let has_repeats = !summary.all.withheld.is_empty();
    if has_repeats {
        screen.cell(&mut head, DIM, " told", TOLD);
    }
    screen.paint(&mut head, DIM, "first at");
    out.push_str(&head);
    out.push('\n');
    // What stops calls first, so that it is not drowned.
    let mut findings: Vec<_> = summary.all.findings.iter().collect();
    findings.sort_by_key(|((rule, action), _)| (*action, *rule));
    for (found @ (rule, action), count) in findings {
        let rules = layers.rules();
        let phase = rules.get(*rule).map_or(Phase::PreTool, |rule| rule.phase);
        let (paint, verdict) = look(*action, phase);
        let withheld = summary.all.withheld.get(found).copied().unwrap_or(0);
        let told = has_repeats.then_some(count - withheld);
        let row = Row { name: &plain(rules.id(*rule)), paint, verdict, count: *count, told };
        row.print(summary.first.get(found), screen, column, several, out);
    }
    for (refusal, count) in &summary.all.permissions {
        let name = refusal.rule.and_then(|rule| layers.policy().get(rule)).map(|rule| rule.name);
        let (paint, verdict) = look_of_permission(match refusal.denies {
            true => PermissionAction::Deny,
            false => PermissionAction::Ask,
        });
        let name = clip(&plain(name.unwrap_or("policy (no rule)")), column.saturating_sub(2));
        let told = has_repeats.then_some(*count);
        let row = Row { name: &name, paint, verdict, count: *count, told };
        row.print(summary.first_refused.get(refusal), screen, column, several, out);
    }
    out.push('\n');
}

/// A row of the table.
struct Row<'r> {
    name: &'r str,
    paint: Style,
    verdict: &'static str,
    count: u64,
    /// How often the agent was told, where that differs for some row.
    told: Option<u64>,
}

impl Row<'_> {
    fn print(
        &self,
        first: Option<&Place>,
        screen: &Screen,
        column: usize,
        several: bool,
        out: &mut String,
    ) {
        out.push_str("  ");
        screen.cell(out, PLAIN, self.name, column);
        screen.cell(out, self.paint, self.verdict, VERDICT);
        let count = number(self.count);
        blanks(out, 8usize.saturating_sub(width(&count)));
        screen.paint(out, BOLD, &count);
        let mut used = column + VERDICT + 13;
        if let Some(told) = self.told.map(number) {
            blanks(out, TOLD.saturating_sub(width(&told)));
            out.push_str(&told);
            used += TOLD;
        }
        out.push_str("   ");
        let room = screen.width.saturating_sub(used);
        if let Some(place) = first {
            screen.paint(out, DIM, &first_at(place, several, room));
        }
        out.push('\n');
    }
}

fn first_at(place: &Place, several: bool, room: usize) -> String {
    let event = event_number(place.index);
    if !several {
        return event;
    }
    let room = room.saturating_sub(width(&event) + 1);
    format!("{} {event}", clip_path(&place.file, room))
}

/// The number of an event, as `explain --at` takes it.
fn event_number(index: u64) -> String {
    format!("#{index}")
}

fn totals(summary: &Summary, screen: &Screen, out: &mut String) {
    let all = &summary.all;
    out.push_str("  ");
    let of = |action| all.of_action(action);
    let refused = |denies: bool| {
        let all = all.permissions.iter().filter(|(refusal, _)| refusal.denies == denies);
        all.map(|(_, count)| *count).sum()
    };
    let parts = [
        (RED, refused(true), "denied by policy"),
        (YELLOW, refused(false) + of(Action::Ask), "asked about"),
        (RED, of(Action::Block), "blocked"),
        (YELLOW, of(Action::Warn), "warned"),
        (BLUE, of(Action::Remind), "reminded"),
    ];
    let mut separator = "";
    for (paint, count, word) in parts.into_iter().filter(|(_, count, _)| *count > 0) {
        out.push_str(separator);
        screen.paint(out, paint, &format!("{} {word}", number(count)));
        separator = " · ";
    }
    let mut places = vec![
        count(all.tool_calls, "tool call"),
        count(all.turns, "turn"),
        count(summary.sessions.len() as u64, "session"),
    ];
    if summary.files > 1 {
        places.push(count(summary.files, "file"));
    }
    let denied = all.verdict(Verdict::Deny);
    let asked = all.verdict(Verdict::Ask);
    let mut verdicts = vec![format!("{} allowed", number(all.verdict(Verdict::Allow)))];
    verdicts.extend((asked > 0).then(|| format!("{} asked", number(asked))));
    verdicts.extend((denied > 0).then(|| format!("{} denied", number(denied))));
    screen.paint(out, DIM, &format!("   in {} ({})\n", places.join(", "), verdicts.join(", ")));
    if !all.withheld.is_empty() {
        repeats(all, screen, out);
    }
}

/// How much of what was found the agent was told.
fn repeats(all: &Counts, screen: &Screen, out: &mut String) {
    /// Of fewer calls, a rate says nothing.
    const ENOUGH: u64 = 100;
    let rate = all.told() as f64 * 100.0 / all.tool_calls.max(1) as f64;
    let rate =
        if all.tool_calls < ENOUGH { String::new() } else { format!(", {rate:.1} per 100 calls") };
    let (told, found) = (number(all.told()), number(all.found()));
    let text =
        format!("  the agent was told {told} of {found}{rate}; `--verbose` lists the others\n");
    screen.paint(out, DIM, &text);
}

/// What is not about rules that fired.
fn notes(summary: &Summary, layers: &Layers, screen: &Screen, several: bool, out: &mut String) {
    let mut note = |paint, head: &str, text: &str| {
        let lines = wrap(text, screen.width.saturating_sub(4 + width(head)));
        out.push_str("  ");
        screen.paint(out, paint, head);
        for (index, line) in lines.iter().enumerate() {
            if index > 0 {
                out.push('\n');
                blanks(out, 3 + width(head));
            } else {
                out.push(' ');
            }
            out.push_str(line);
        }
        out.push('\n');
    };
    if let Some(verified) = summary.all.verified() {
        note(YELLOW, "!", &verified);
    }
    if total(&summary.all.undecided) > 0 {
        note(MAGENTA, "?", &undecided(summary, layers, several));
    }
    if summary.problems > 0 {
        note(YELLOW, "!", &problems(summary, several));
    }
    if !summary.hollow.is_empty() {
        note(YELLOW, "!", &hollow(summary));
    }
    if !summary.truncated.is_empty() {
        let files = summary.truncated.join(", ");
        note(YELLOW, "!", &format!("cut off in its last line: {files}"));
    }
    let stats = &summary.stats;
    if !stats.never_run.is_empty() {
        let all = stats.never_run.values().sum();
        let reasons: Vec<_> =
            stats.never_run.iter().map(|(reason, n)| format!("{reason} {}", number(*n))).collect();
        let text = format!("{} never ran ({})", count(all, "call"), reasons.join(", "));
        note(DIM, "·", &text);
    }
    if stats.orphan_results > 0 {
        let text = format!("{} without a call in the trace", count(stats.orphan_results, "result"));
        note(DIM, "·", &text);
    }
    // Of one file without events, it is said already.
    let is_told = summary.files == 1 && !summary.hollow.is_empty();
    if let Some(text) = unknown_records(stats).filter(|_| !is_told) {
        note(DIM, "·", &text);
    }
}

fn undecided(summary: &Summary, layers: &Layers, several: bool) -> String {
    let parts: Vec<_> = by_rule(&summary.all.undecided)
        .filter_map(|(rule, count)| {
            let id = layers.rules().id(rule);
            let place = summary.first_undecided.get(&rule)?;
            let at = first_at(place, several, 60);
            Some(format!("`{id}` {} (first at {at}: nothing tells {})", times(count), place.text))
        })
        .collect();
    let is_of_disk =
        |place: &Place| place.text.ends_with("` exists") || place.text.ends_with("` has changed");
    let hint = match summary.first_undecided.values().any(is_of_disk) {
        true => ". `fs` events or `--live-fs` tell what is on the disk",
        false => "",
    };
    format!("undecided: {}{hint}", parts.join(", "))
}

/// The files that nothing was decided on.
fn hollow(summary: &Summary) -> String {
    const SHOWN: usize = 5;
    let one = |hollow: &Hollow| format!("`{}`: {}", plain(&hollow.file), hollow.message);
    let shown: Vec<_> = summary.hollow.iter().take(SHOWN).map(one).collect();
    let more = if summary.hollow.len() > SHOWN { "; …" } else { "" };
    let files = count(summary.hollow.len() as u64, "recording");
    format!("{files} without any event: {}{more}", shown.join("; "))
}

fn problems(summary: &Summary, several: bool) -> String {
    const SHOWN: usize = 5;
    let mut lines: Vec<_> = summary
        .problem_lines
        .iter()
        .take(SHOWN)
        .map(|line| match several {
            true => format!("{}:{}", line.file, line.line),
            false => number(u64::from(line.line)),
        })
        .collect();
    let more = if summary.problems > lines.len() as u64 { ", …" } else { "" };
    // A document may have more than one problem in a line.
    lines.dedup();
    let first = summary.problem_lines.first().map(|line| line.message.as_str()).unwrap_or_default();
    let what = count(summary.problems, "line");
    format!("{what} not understood: {}{more} (the first: {first})", lines.join(", "))
}

fn speed(summary: &Summary, elapsed: Duration, screen: &Screen, out: &mut String) {
    let micros = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX).max(1);
    let per_second = |amount: u64| amount.saturating_mul(1_000_000) / micros;
    let text = format!(
        "  {} and {} KB in {:.2} s: {} events/s, {} MB/s\n",
        count(summary.all.events, "event"),
        number(summary.stats.bytes / 1000),
        elapsed.as_secs_f64(),
        number(per_second(summary.all.events)),
        number(per_second(summary.stats.bytes).div_ceil(1_000_000)),
    );
    screen.paint(out, DIM, &text);
}
