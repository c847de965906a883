//! Why the rules decided as they did on one event: gathered once, printed for people or as JSON.

use behavior_agents::Item;
use behavior_image::PermissionInfo;
use behavior_image::RuleInfo;
use behavior_runtime::command_explanation::Part;
use behavior_runtime::conversation::Conversation;
use behavior_runtime::decision::{Finding, Undecided};
use behavior_runtime::event::Event;
use behavior_runtime::explain::{Explanation, RuleTrace};
use behavior_runtime::permission::Permission;
use behavior_runtime::{Image, Phase, Session, Truth};
use serde_json::{Value, json};

use super::classifier::{ClassifierWhy, ReplyWhy};
use super::command::words_shown;
use super::verifier::VerifierWhy;
use crate::number::count;
use crate::permissions;
use crate::render::shorten_texts;
use crate::screen::{Screen, blanks, clip, plain, wrap};
use crate::simulate::label;
use crate::terminal::{BOLD, CYAN, DIM, GREEN, MAGENTA, RED, YELLOW};

/// What is known when the event is reached.
pub struct Asked<'a> {
    /// The file's name.
    pub file: &'a str,
    /// The number of the event.
    pub index: u64,
    /// The event.
    pub item: &'a Item<'a>,
    /// The rules.
    pub image: &'a Image,
    /// The session after the event.
    pub session: &'a Session,
    /// What was watched.
    pub explanation: &'a Explanation,
    /// How many tests each rule has, where that is known.
    pub sizes: &'a [usize],
    /// The messages of the session before the event.
    pub conversation: &'a Conversation,
}

/// Why the rules decided as they did on one event.
pub struct Why {
    file: String,
    index: u64,
    /// The entry of a test's `events` that it comes from.
    entry: Option<usize>,
    line: u32,
    session: String,
    turn: u32,
    event: &'static str,
    tool: Option<(String, String)>,
    label: String,
    verdict: Option<&'static str>,
    permission: Option<PermissionWhy>,
    rules: Vec<RuleWhy>,
    others: Vec<Other>,
    classifier: Option<ClassifierWhy>,
    reply: Option<ReplyWhy>,
    verifier: Option<VerifierWhy>,
}

/// What the policy says, and of a command line what it says of each command.
struct PermissionWhy {
    whole: Permission,
    /// The commands that a line of several runs.
    parts: Vec<(String, Permission)>,
}

/// How one rule came to its result.
struct RuleWhy {
    rule: u32,
    outcome: Truth,
    message: Option<String>,
    needs: Option<String>,
    is_near: bool,
    steps: Vec<StepWhy>,
}

/// One test.
struct StepWhy {
    condition: String,
    result: Truth,
    /// Whether the rule asks for the opposite, as far as the outcome shows it.
    is_negated: bool,
    saw: String,
    file: String,
    line: u32,
    column: u32,
}

/// A rule that the event does not concern.
struct Other {
    rule: u32,
    reason: String,
    is_phase: bool,
}

impl Why {
    /// Returns whether the classifier runs.
    #[must_use]
    pub fn asks_classifier(&self) -> bool {
        self.classifier.as_ref().is_some_and(ClassifierWhy::runs)
    }

    /// Says which entry of a test's `events` it comes from: `at` counts those, of which one can be two events.
    #[must_use]
    pub fn of_entry(self, at: usize) -> Self {
        Self { entry: Some(at), ..self }
    }

    /// Takes what the classifier's model answered to the event.
    pub fn hear(&mut self, image: &Image, raw: &str) {
        if self.asks_classifier() {
            self.reply = ReplyWhy::of(image, raw);
        }
    }

    /// Gathers what there is to say.
    pub fn new(asked: Asked<'_>) -> Self {
        let Asked { file, index, item, image, session, explanation, .. } = &asked;
        let decision = &explanation.decision;
        let tool = decision.tool.map(|tool| {
            (session.tool_name(tool).to_owned(), session.native_tool_name(tool).to_owned())
        });
        Self {
            file: (*file).to_owned(),
            index: *index,
            entry: None,
            line: item.line,
            session: item.session.clone().into_owned(),
            turn: decision.turn,
            event: item.event.name(),
            tool,
            label: label_of(&item.event, session),
            verdict: decision.verdict.map(|verdict| verdict.name()),
            permission: permission(&asked),
            rules: rules(&asked),
            others: others(image, &item.event, explanation),
            classifier: ClassifierWhy::of(&item.event, decision, session, asked.conversation),
            reply: reply(&asked),
            verifier: VerifierWhy::new(decision, session),
        }
    }

    /// Adds what is found, or cannot be decided, because the event is the last one `of` something.
    pub fn conclude(
        &mut self,
        image: &Image,
        findings: &[Finding],
        undecided: &[Undecided],
        of: &str,
    ) {
        for finding in findings {
            let saw = format!("at the end {of}: {}", finding.message);
            let why = self.concluded(image, finding.rule, Truth::True, saw);
            why.message = Some(finding.message.clone());
        }
        for undecided in undecided {
            let saw = format!("at the end {of}: nothing tells {}", undecided.needs);
            let why = self.concluded(image, undecided.rule, Truth::Unknown, saw);
            why.needs = Some(undecided.needs.clone());
        }
    }

    fn concluded(&mut self, image: &Image, rule: u32, outcome: Truth, saw: String) -> &mut RuleWhy {
        let info = image.rules().get(rule);
        let kind = image.monitors().of_rule(rule).map_or("", |monitor| monitor.kind.name());
        let condition = format!("{kind} {}", info.as_ref().map_or("", |info| info.trigger));
        let place = info.map(|info| info.place);
        let step = StepWhy {
            condition,
            result: outcome,
            is_negated: false,
            saw,
            file: place.map_or("", |place| place.file).to_owned(),
            line: place.map_or(0, |place| place.line),
            column: place.map_or(0, |place| place.column),
        };
        self.others.retain(|other| other.rule != rule);
        let known = self.rules.iter().position(|known| known.rule == rule);
        let at = known.unwrap_or_else(|| {
            self.rules.push(RuleWhy {
                rule,
                outcome,
                message: None,
                needs: None,
                is_near: false,
                steps: Vec::new(),
            });
            self.rules.len() - 1
        });
        #[expect(clippy::indexing_slicing, reason = "it was found there or put there")]
        let why = &mut self.rules[at];
        // That the event itself violates nothing is no longer what counts.
        why.steps.retain(|known| known.condition != step.condition);
        why.steps.push(step);
        why.is_near = false;
        why.outcome = outcome;
        why
    }
}

fn label_of(event: &Event<'_>, session: &Session) -> String {
    match event {
        Event::ToolCall(call) => label::of_call(call, session.cwd()).into_owned(),
        Event::ToolResult(result) => match &result.call {
            Some(call) => label::of_call(call, session.cwd()).into_owned(),
            // What a result is of was kept by the session: it is the newest of the recent calls.
            None => {
                let report = session.report();
                let target = report.recent.last().map_or("", |(_, target)| target);
                label::relative(target, session.cwd()).to_owned()
            }
        },
        Event::Text { text } => text.trim().to_owned(),
        Event::TurnStart { text } => text.as_deref().unwrap_or_default().trim().to_owned(),
        Event::ClassifierReply { raw } => raw.trim().to_owned(),
        Event::VerifierReply { reply: Ok(text) | Err(text) } => text.trim().to_owned(),
        Event::UserShell { command, .. } => command.trim().to_owned(),
        Event::Fs(fact) => fact.path.clone().into_owned(),
        Event::Clock { now } => now.to_string(),
        _ => String::new(),
    }
}

fn permission(asked: &Asked<'_>) -> Option<PermissionWhy> {
    let whole = asked.explanation.decision.permission?;
    let Event::ToolCall(call) = &asked.item.event else { return None };
    let explained = asked.session.explain_call(call);
    let parts = explained.map(|explained| {
        let commands = explained.line.commands().iter().zip(&explained.parts);
        let part = |(command, part): (_, &Part)| {
            Some((words_shown(&explained.line, command).join(" "), part.permission?))
        };
        commands.filter_map(part).collect()
    });
    let parts: Vec<_> = parts.unwrap_or_default();
    // One command alone is the call itself.
    let parts = if parts.len() > 1 { parts } else { Vec::new() };
    Some(PermissionWhy { whole, parts })
}

fn rules(asked: &Asked<'_>) -> Vec<RuleWhy> {
    let Asked { image, explanation, sizes, .. } = asked;
    let nearest = nearest(&explanation.rules, sizes);
    let needs = |rule: u32| {
        let undecided = explanation.decision.undecided.iter().find(|u| u.rule == rule);
        undecided.map(|undecided| undecided.needs.clone())
    };
    explanation
        .rules
        .iter()
        .map(|trace| RuleWhy {
            rule: trace.rule,
            outcome: trace.outcome,
            message: trace.message.clone(),
            needs: needs(trace.rule),
            is_near: trace.outcome == Truth::False && Some(distance(trace, sizes)) == nearest,
            steps: steps(trace, image),
        })
        .collect()
}

/// Returns how far a rule that did not fire was from it: the tests that were still to hold, and then how
/// few did hold.
#[must_use]
pub fn distance(trace: &RuleTrace, sizes: &[usize]) -> (usize, usize) {
    let made = trace.steps.len();
    let all = sizes.get(trace.rule as usize).copied().unwrap_or(made);
    (all.saturating_sub(made) + 1, usize::MAX - made)
}

fn nearest(rules: &[RuleTrace], sizes: &[usize]) -> Option<(usize, usize)> {
    rules
        .iter()
        .filter(|trace| trace.outcome == Truth::False)
        .map(|trace| distance(trace, sizes))
        .min()
}

/// Returns whether the test that decided stands behind a `not`: what it came to is the opposite of what the rule did.
#[must_use]
pub fn is_negated(trace: &RuleTrace) -> bool {
    let last = trace.steps.last().map(|step| step.result);
    matches!(
        (trace.outcome, last),
        (Truth::False, Some(Truth::True)) | (Truth::True, Some(Truth::False))
    )
}

fn steps(trace: &RuleTrace, image: &Image) -> Vec<StepWhy> {
    let last = trace.steps.len().saturating_sub(1);
    trace
        .steps
        .iter()
        .enumerate()
        .map(|(at, step)| {
            let condition = step.condition(image);
            let place = condition.map(|(_, place)| place);
            StepWhy {
                condition: condition.map_or("", |(text, _)| text).to_owned(),
                result: step.result,
                is_negated: at == last && is_negated(trace),
                saw: step.saw.clone(),
                file: place.map_or("", |place| place.file).to_owned(),
                line: place.map_or(0, |place| place.line),
                column: place.map_or(0, |place| place.column),
            }
        })
        .collect()
}

/// The phase that an event is looked at in.
fn phase_of(event: &Event<'_>) -> Option<Phase> {
    match event {
        Event::ToolCall(_) => Some(Phase::PreTool),
        Event::ToolResult(_) => Some(Phase::PostTool),
        Event::Text { .. } => Some(Phase::OnText),
        Event::TurnEnd { .. } => Some(Phase::TurnEnd),
        Event::Response { .. } => Some(Phase::Exchange),
        _ => None,
    }
}

fn others(image: &Image, event: &Event<'_>, explanation: &Explanation) -> Vec<Other> {
    let phase = phase_of(event);
    (0..)
        .zip(image.rules().iter())
        .filter(|(rule, _)| explanation.rules.iter().all(|trace| trace.rule != *rule))
        .map(|(rule, info)| {
            let is_phase = Some(info.phase) != phase;
            let reason = if is_phase {
                format!("it is looked at {}", when(info.phase))
            } else {
                format!("its trigger is `{}`", info.trigger)
            };
            Other { rule, reason, is_phase }
        })
        .collect()
}

fn when(phase: Phase) -> &'static str {
    match phase {
        Phase::PreTool => "before tools run",
        Phase::PostTool => "after tools have run",
        Phase::OnText => "when the agent writes",
        Phase::TurnEnd => "when the agent ends its turn",
        Phase::Exchange => "when the model has answered",
    }
}

fn reply(asked: &Asked<'_>) -> Option<ReplyWhy> {
    let Event::ClassifierReply { raw } = &asked.item.event else { return None };
    let problems = || asked.explanation.decision.besides().problems.clone();
    ReplyWhy::of(asked.image, raw).or_else(|| Some(ReplyWhy::unread(problems())))
}

fn outcome_name(outcome: Truth) -> &'static str {
    match outcome {
        Truth::True => "fired",
        Truth::False => "did_not_fire",
        Truth::Opaque | Truth::Unknown => "undecided",
    }
}

fn result_name(result: Truth) -> &'static str {
    match result {
        Truth::True => "true",
        Truth::False => "false",
        Truth::Opaque | Truth::Unknown => "unknown",
    }
}

impl StepWhy {
    fn to_json(&self) -> Value {
        let mut object = json!({
            "condition": self.condition,
            "result": result_name(self.result),
            "saw": self.saw,
            "span": { "file": self.file, "line": self.line, "column": self.column },
        });
        if let (true, Some(fields)) = (self.is_negated, object.as_object_mut()) {
            fields.insert("negated".to_owned(), true.into());
        }
        object
    }
}

impl Why {
    /// As JSON; with `only`, of one rule.
    pub fn to_json(&self, image: &Image, only: Option<u32>) -> Value {
        let is_asked = |rule: u32| only.is_none_or(|only| only == rule);
        let rules: Vec<_> =
            self.rules.iter().filter(|r| is_asked(r.rule)).map(|r| r.to_json(image)).collect();
        let others = self.others.iter().filter(|other| is_asked(other.rule)).map(|other| {
            let id = image.rules().get(other.rule).map_or("", |rule| rule.id);
            json!({ "rule": id, "reason": other.reason })
        });
        let others: Vec<_> = others.collect();
        let mut object = json!({
            "version": 1,
            "file": self.file,
            "index": self.index,
            "line": self.line,
            "session": self.session,
            "turn": self.turn,
            "event": self.event,
            "rules": rules,
            "not_concerned": others,
        });
        let Some(map) = object.as_object_mut() else { return object };
        if let Some((tool, native)) = &self.tool {
            map.insert("tool".to_owned(), json!(tool));
            map.insert("native_tool".to_owned(), json!(native));
        }
        if let Some(verdict) = self.verdict {
            map.insert("verdict".to_owned(), json!(verdict));
        }
        if let Some(permission) = &self.permission {
            map.insert("permission".to_owned(), permission.to_json(image));
        }
        if let Some(classifier) = &self.classifier {
            map.insert("classifier".to_owned(), classifier.to_json());
        }
        if let Some(verifier) = &self.verifier {
            map.insert("verifier".to_owned(), verifier.to_json());
        }
        for (name, value) in self.reply.iter().flat_map(ReplyWhy::to_json) {
            map.insert(name.to_owned(), value);
        }
        object
    }

    /// For people; with `only`, of one rule, and with `verbose` everything.
    pub fn print(
        &self,
        image: &Image,
        screen: &Screen,
        only: Option<u32>,
        verbose: bool,
    ) -> String {
        let mut out = String::new();
        self.heading(screen, &mut out);
        if let Some(only) = only {
            self.print_only(only, image, screen, &mut out);
            return out;
        }
        if let Some(permission) = &self.permission {
            permission.print(image, screen, &mut out);
        }
        if let Some(classifier) = &self.classifier {
            classifier.print(screen, verbose, &mut out);
        }
        if let Some(verifier) = &self.verifier {
            verifier.print(screen, verbose, &mut out);
        }
        if let Some(reply) = &self.reply {
            reply.print(screen, &mut out);
        }
        let mut rules: Vec<&RuleWhy> = self.rules.iter().collect();
        // What fired comes first, then what could have; within them the order of the image stays.
        let rank = |outcome| match outcome {
            Truth::True => 0,
            Truth::Opaque | Truth::Unknown => 1,
            Truth::False => 2,
        };
        rules.sort_by_key(|rule| (rank(rule.outcome), !rule.is_near));
        for rule in rules {
            let in_full = verbose || rule.is_near || rule.outcome != Truth::False;
            rule.print(image, screen, in_full, &mut out);
        }
        self.print_others(image, screen, verbose, &mut out);
        out
    }

    fn heading(&self, screen: &Screen, out: &mut String) {
        let number = match self.entry {
            Some(at) => format!("at {at}"),
            None => format!("event {}", self.index),
        };
        screen.paint(out, BOLD, &number);
        let place = format!(", line {} of {}", self.line, plain(&self.file));
        screen.paint(out, DIM, &place);
        out.push_str("\n  ");
        let (tool, result) = match &self.tool {
            Some((tool, _)) => {
                (tool.as_str(), if self.event == "tool_result" { " (result)" } else { "" })
            }
            None => (self.event, ""),
        };
        screen.paint(out, CYAN, &plain(tool));
        out.push_str(if self.label.is_empty() { "" } else { "  " });
        out.push_str(&clip(&self.label, screen.width.saturating_sub(tool.len() + 16)));
        screen.paint(out, DIM, result);
        if let Some((tool, native)) = &self.tool
            && tool != native
        {
            screen.paint(out, DIM, &format!(" as `{}`", plain(native)));
        }
        out.push_str("\n  ");
        let session = clip(&self.session, 50);
        screen.paint(out, DIM, &format!("turn {} of session {session}", self.turn));
        if let Some(verdict) = self.verdict {
            let (paint, word) = match verdict {
                "deny" => (RED, "denied"),
                "ask" => (YELLOW, "the user is asked"),
                _ => (GREEN, "allowed"),
            };
            screen.paint(out, DIM, ": ");
            screen.paint(out, paint, word);
        }
        out.push_str("\n\n");
    }

    fn print_only(&self, only: u32, image: &Image, screen: &Screen, out: &mut String) {
        if let Some(rule) = self.rules.iter().find(|rule| rule.rule == only) {
            rule.print(image, screen, true, out);
        } else if let Some(other) = self.others.iter().find(|other| other.rule == only) {
            let id = image.rules().get(only).map_or("", |rule| rule.id);
            let text = format!("`{}` is not looked at here: {}", plain(id), other.reason);
            out.push_str(&text);
            out.push('\n');
        }
    }

    fn print_others(&self, image: &Image, screen: &Screen, verbose: bool, out: &mut String) {
        if self.others.is_empty() {
            return;
        }
        let phases = self.others.iter().filter(|other| other.is_phase).count() as u64;
        let tools = self.others.len() as u64 - phases;
        let text = if self.rules.is_empty() && tools == 0 {
            format!("no rule is looked at on `{}` events ({})", self.event, count(phases, "rule"))
        } else {
            let mut parts = Vec::new();
            parts.extend(
                (phases > 0).then(|| format!("{} for other moments", count(phases, "rule"))),
            );
            parts.extend((tools > 0).then(|| format!("{} for other tools", count(tools, "rule"))));
            format!("not concerned: {}", parts.join(", "))
        };
        screen.paint(out, DIM, &text);
        out.push('\n');
        if verbose {
            for other in &self.others {
                let id = image.rules().get(other.rule).map_or("", |rule| rule.id);
                screen.paint(out, DIM, &format!("  {}: {}", plain(id), other.reason));
                out.push('\n');
            }
        }
    }
}

impl PermissionWhy {
    /// The rule that decided, or that is why the user is asked.
    fn rule<'a>(&self, image: &'a Image) -> Option<PermissionInfo<'a>> {
        image.policy().get(self.whole.doubt.or(self.whole.rule)?)
    }

    /// The command that decided on the whole line: the first with its answer.
    fn deciding(&self) -> Option<usize> {
        self.parts.iter().position(|(_, part)| *part == self.whole)
    }

    fn to_json(&self, image: &Image) -> Value {
        let mut object = permissions::said_as_json(&self.whole, image);
        let deciding = self.deciding();
        let part = |(at, (command, part)): (usize, &(String, Permission))| {
            let said = permissions::said_as_json(part, image);
            json!({ "command": command, "permission": said, "decided": deciding == Some(at) })
        };
        if let Some(map) = object.as_object_mut() {
            let rule = self.rule(image);
            let deciding = rule.map(|rule| permissions::rule_as_json(&rule));
            map.insert("deciding".to_owned(), json!(deciding));
            map.insert("parts".to_owned(), self.parts.iter().enumerate().map(part).collect());
        }
        object
    }

    fn print(&self, image: &Image, screen: &Screen, out: &mut String) {
        screen.paint(out, BOLD, "policy");
        out.push_str("  ");
        let (paint, text) = permissions::said(&self.whole, image);
        screen.paint(out, paint, &text);
        if let Some(rule) = self.rule(image) {
            let place = rule.place;
            let at = format!("  {}:{}:{}", plain(place.file), place.line, place.column);
            screen.paint(out, DIM, &at);
            out.push('\n');
            for text in [rule.pattern, rule.reason].into_iter().filter(|text| !text.is_empty()) {
                for line in wrap(text, screen.width.saturating_sub(4)) {
                    blanks(out, 4);
                    screen.paint(out, DIM, &line);
                    out.push('\n');
                }
            }
        } else {
            out.push('\n');
            blanks(out, 4);
            screen.paint(out, DIM, permissions::fallback(self.whole.mode));
            out.push('\n');
        }
        let deciding = self.deciding();
        for (at, (command, part)) in self.parts.iter().enumerate() {
            let (paint, text) = permissions::said(part, image);
            out.push_str("    ");
            out.push_str(&clip(command, screen.width.saturating_sub(text.len() + 18)));
            out.push_str("  ");
            screen.paint(out, paint, &text);
            if deciding == Some(at) {
                screen.paint(out, BOLD, "  ← decided");
            }
            out.push('\n');
        }
        out.push('\n');
    }
}

impl RuleWhy {
    fn to_json(&self, image: &Image) -> Value {
        let info = image.rules().get(self.rule);
        let place = info.map(|info| info.place);
        let steps: Vec<_> = self.steps.iter().map(StepWhy::to_json).collect();
        json!({
            "rule": info.map_or("", |info| info.id),
            "action": info.map(|info| info.action.name()),
            "phase": info.map(|info| info.phase.name()),
            "outcome": outcome_name(self.outcome),
            "near_miss": self.is_near,
            "message": self.message,
            "needs": self.needs,
            "deciding": self.deciding().and_then(|at| self.steps.get(at)).map(StepWhy::to_json),
            "steps": steps,
            "span": place.map(|place| {
                json!({ "file": place.file, "line": place.line, "column": place.column })
            }),
        })
    }

    fn print(&self, image: &Image, screen: &Screen, in_full: bool, out: &mut String) {
        let Some(info) = image.rules().get(self.rule) else { return };
        self.print_heading(&info, screen, out);
        if let Some(message) = self.message.as_ref().filter(|message| !message.is_empty()) {
            for line in wrap(message, screen.width.saturating_sub(4)) {
                blanks(out, 4);
                screen.paint(out, DIM, &line);
                out.push('\n');
            }
        }
        if let Some(needs) = &self.needs {
            out.push_str(&format!("    nothing tells {}\n", plain(needs)));
        }
        if self.steps.is_empty() {
            out.push_str("    it has no condition, so it always fires\n");
        }
        let (deciding, is_marked) = (self.deciding(), self.steps.len() > 1 && in_full);
        for (index, step) in self.steps.iter().enumerate() {
            let decided = deciding == Some(index);
            if in_full || decided {
                step.print(screen, decided && is_marked, out);
            }
        }
        out.push('\n');
    }

    /// The step that settled it: the last that was looked at, and where nothing tells, the last of which that is so.
    fn deciding(&self) -> Option<usize> {
        let is_open = |result| matches!(result, Truth::Opaque | Truth::Unknown);
        let open = self.steps.iter().rposition(|step| step.result == self.outcome);
        let last = self.steps.len().checked_sub(1);
        if is_open(self.outcome) { open.or(last) } else { last }
    }

    fn print_heading(&self, info: &RuleInfo<'_>, screen: &Screen, out: &mut String) {
        let (paint, word) = match self.outcome {
            Truth::True => (RED, "fired"),
            Truth::Opaque | Truth::Unknown => (MAGENTA, "undecided"),
            Truth::False => (DIM, "did not fire"),
        };
        screen.paint(out, BOLD, &plain(info.id));
        out.push_str("  ");
        screen.paint(out, paint, word);
        if self.is_near {
            out.push_str("  ");
            screen.paint(out, YELLOW, "nearest miss");
        }
        let place = info.place;
        let at =
            format!("  {} · {}:{}:{}", info.action.name(), place.file, place.line, place.column);
        screen.paint(out, DIM, &at);
        out.push('\n');
    }
}

impl StepWhy {
    fn print(&self, screen: &Screen, decided: bool, out: &mut String) {
        let (result, condition) = match (self.is_negated, self.result) {
            (true, Truth::True) => (Truth::False, format!("not {}", self.condition)),
            (true, Truth::False) => (Truth::True, format!("not {}", self.condition)),
            (_, result) => (result, self.condition.clone()),
        };
        let (paint, mark) = match result {
            Truth::True => (GREEN, "✔"),
            Truth::False => (RED, "✘"),
            Truth::Opaque | Truth::Unknown => (MAGENTA, "?"),
        };
        out.push_str("    ");
        screen.paint(out, paint, mark);
        out.push(' ');
        let suffix = if decided { "  ← decided" } else { "" };
        out.push_str(&clip(
            &shorten_texts(&condition),
            screen.width.saturating_sub(6 + suffix.len()),
        ));
        screen.paint(out, BOLD, suffix);
        out.push('\n');
        let place = format!("{}:{}:{}", self.file, self.line, self.column);
        let saw =
            if self.saw.is_empty() { String::new() } else { format!("{} · ", plain(&self.saw)) };
        let room = screen.width.saturating_sub(6);
        for line in wrap(&format!("{saw}{place}"), room) {
            blanks(out, 6);
            screen.paint(out, DIM, &line);
            out.push('\n');
        }
    }
}
