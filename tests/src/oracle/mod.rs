//! A second evaluator, as simple as the language's definition allows: for every event it asks every
//! rule, walks its condition as a tree and keeps its state in plain lists. It shares the events,
//! the detector of secrets and the reading of command lines with the runtime and nothing else, so what both agree on is unlikely to
//! be wrong in the same way twice.

mod aside;
mod asked;
mod claims;
mod command;
mod condition;
mod files;
mod message;
mod names;
mod paths;
pub mod policy;
mod session;
mod silenced;
mod state;
pub mod truth;
mod values;
mod world;

use std::collections::{BTreeSet, HashMap};

use behavior_compiler::ir::{Condition, Exception, Program, Rule};
use behavior_image::code::Repeat;
use behavior_runtime::decision::{Action, Phase, Verdict};
use behavior_runtime::event::{Call, Event, ToolResult, Value};

use crate::documents::Documents;
use aside::Aside;
use condition::Question;
use session::{Context, Open, Session};
pub use state::{State, Telling};
use truth::Truth;
use world::World;

/// The sessions of a trace under a program.
#[derive(Debug)]
pub struct Oracle<'p> {
    world: World<'p>,
    sessions: HashMap<String, Session>,
}

/// What one event comes to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Whether the call may run; `None` for events that are not tool calls.
    pub verdict: Option<Verdict>,
    /// The turn it happened in.
    pub turn: u32,
    /// The rules that fired, in order.
    pub findings: Vec<Fired>,
    /// The ids of the rules that nothing decides, and whether it is the call that does not tell.
    pub undecided: Vec<(String, bool)>,
    /// The canonical name of the tool.
    pub tool: Option<String>,
    /// A result whose call nobody saw and that does not say which tool it was.
    pub orphan: bool,
    /// What the agent is told at the start of a turn.
    pub context: Vec<String>,
}

/// A rule that fired.
#[derive(Clone, Debug, PartialEq)]
pub struct Fired {
    /// Its id.
    pub rule: String,
    /// What it does.
    pub action: Action,
    /// When it was looked at.
    pub phase: Phase,
    /// Its message, placeholders filled in.
    pub message: String,
    /// Whether nobody can tell if it applies.
    pub is_undecided: bool,
    /// Whether the agent is not told.
    pub is_withheld: bool,
    /// Why it has no effect, where an exception makes it silent.
    pub excepted: Option<String>,
}

impl<'p> Oracle<'p> {
    /// No session yet.
    ///
    /// # Panics
    /// When a pattern is no regular expression, which the compiler rules out.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self { world: World::new(program), sessions: HashMap::new() }
    }

    /// Takes out the kinds of tests that were made, with what came of them.
    #[must_use]
    pub fn take_reached(&self) -> BTreeSet<(String, Truth)> {
        self.world.reached.take()
    }

    /// With these documents.
    #[must_use]
    pub fn with_documents(mut self, documents: Documents) -> Self {
        self.world.documents = documents;
        self
    }

    /// The state of a session that has begun and not ended.
    #[must_use]
    pub fn state(&self, session: &str) -> Option<(&State, Option<&str>)> {
        self.sessions.get(session).map(|session| (&session.state, session.cwd.as_deref()))
    }

    /// Decides on one event of a session.
    pub fn apply(&mut self, name: &str, event: &Event<'_>) -> Answer {
        if let Event::Fs(fact) = event {
            let cwd = self.sessions.get(name).and_then(|session| session.cwd.clone());
            self.world.files.learn(fact, cwd.as_deref());
        }
        let fresh =
            || Session { state: State::new(self.world.program), cwd: None, open: Vec::new() };
        let mut session = self.sessions.remove(name).unwrap_or_else(fresh);
        let mut answer = match event {
            Event::SessionStart(start) => {
                if let Some(cwd) = &start.cwd {
                    session.cwd = Some(cwd.to_string());
                }
                if let Some(is_subagent) = start.subagent {
                    session.state.is_subagent = is_subagent;
                }
                if let Some(branch) = &start.branch {
                    session.state.branch = Some(branch.to_string());
                }
                if let Some(tools) = &start.tools {
                    let names = tools.iter().map(|tool| tool.to_string()).collect();
                    session.state.tools = Some(names);
                }
                Answer::default()
            }
            Event::TurnStart { text } => {
                session.state.see(claims::names(text.as_deref().unwrap_or_default()));
                take_back(&mut session);
                let text = text.as_deref().filter(|_| !session.state.is_subagent);
                session.state.start_turn(&self.world, text);
                let name = self.world.program.turn_reminder.as_deref();
                let text = name.and_then(|name| message::reminder(&self.world.documents, name));
                Answer { context: text.into_iter().collect(), ..Answer::default() }
            }
            Event::Compaction => {
                session.state.compaction(self.world.program);
                Answer::default()
            }
            Event::Text { text } => {
                if !text.trim().is_empty() {
                    session.state.text_this_turn = true;
                    session.state.response = text.to_string();
                }
                session.state.agent_wrote(&self.world, text);
                self.text(&mut session, text, Phase::OnText)
            }
            Event::TurnEnd { text } => {
                take_back(&mut session);
                let text = text.as_deref().unwrap_or_default();
                if !text.trim().is_empty() {
                    session.state.asked.offered.clear();
                }
                session.state.agent_wrote(&self.world, text);
                if !text.trim().is_empty() {
                    session.state.response = text.to_owned();
                }
                let answer = self.text(&mut session, text, Phase::TurnEnd);
                session.state.response.clear();
                answer
            }
            Event::UserShell { command, hidden: false } => {
                session.state.see(claims::names(command));
                Answer::default()
            }
            Event::ToolCall(call) => self.call(&mut session, &owned(call)),
            Event::ToolResult(result) => self.result(&mut session, result),
            _ => Answer::default(),
        };
        answer.turn = session.state.turn;
        if !matches!(event, Event::SessionEnd) {
            self.sessions.insert(name.to_owned(), session);
        }
        answer
    }

    fn text(&self, session: &mut Session, text: &str, phase: Phase) -> Answer {
        let context = Context {
            phase,
            call: None,
            text,
            result: None,
            ok: true,
            consecutive: session.state.streak_length(),
        };
        self.ask_all(session, &context)
    }

    fn call(&self, session: &mut Session, call: &Call<'static>) -> Answer {
        let tool = names::canonical(&call.tool);
        let same = session.state.streak.as_ref().is_some_and(|(last, _)| *last == tool);
        let context = Context {
            phase: Phase::PreTool,
            call: Some(call),
            text: "",
            result: None,
            ok: true,
            consecutive: if same { session.state.streak_length() + 1 } else { 1 },
        };
        let mut answer = self.ask_all(session, &context);
        let does = |action| {
            answer.findings.iter().any(|fired| fired.action == action && fired.excepted.is_none())
        };
        let (blocked, asks) = (does(Action::Block), does(Action::Ask));
        let started = if blocked { Vec::new() } else { self.count_call(session, call) };
        session.open.push(Open { call: call.clone(), is_counted: !blocked, started });
        answer.verdict = Some(match (blocked, asks) {
            (true, _) => Verdict::Deny,
            (false, true) => Verdict::Ask,
            (false, false) => Verdict::Allow,
        });
        answer.tool = Some(tool);
        answer
    }

    fn result(&self, session: &mut Session, result: &ToolResult<'_>) -> Answer {
        let told = result.call.as_ref().map(owned);
        let opened = take_open(session, result.id.as_deref(), told.as_ref());
        let is_counted = opened.as_ref().is_some_and(|opened| opened.is_counted);
        let call = match (told, opened.map(|opened| opened.call)) {
            (None, None) => return Answer { orphan: true, ..Answer::default() },
            (None, Some(opened)) => opened,
            (Some(told), None) => told,
            // A result that names its tool alone takes the parameters from the call.
            (Some(told), Some(opened)) if told.params.is_empty() => {
                Call { params: opened.params, ..told }
            }
            (Some(told), Some(_)) => told,
        };
        if !is_counted {
            self.count_call(session, &call);
        }
        let tool = names::canonical(&call.tool);
        let same = session.state.streak.as_ref().is_some_and(|(last, _)| *last == tool);
        let context = Context {
            phase: Phase::PostTool,
            call: Some(&call),
            text: "",
            result: result.result.as_ref(),
            ok: result.ok,
            consecutive: if same { session.state.streak_length() + 1 } else { 1 },
        };
        let held = self.held(session, &context);
        let cwd = session.cwd.clone();
        session.state.update(&self.world, &call, result.ok, cwd.as_deref(), &held);
        if result.ok {
            session.state.see(claims::names_of(&call, context.result));
        }
        let mut answer = self.ask_all(session, &context);
        answer.tool = Some(names::canonical(&call.tool));
        answer
    }

    /// Which of the program's conditions on changes hold.
    fn held(&self, session: &Session, context: &Context<'_>) -> Vec<bool> {
        let aside = Aside::default();
        let question = Question { world: &self.world, session, context, aside };
        let holds = |condition: Option<&Condition>| {
            let holds = condition.is_none_or(|condition| question.holds(condition) == Truth::Yes);
            self.reached("Change", Truth::from(holds));
            holds
        };
        self.world.program.state_conditions().map(holds).collect()
    }

    /// A call is made. Gives the counters in which it counts already.
    fn count_call(&self, session: &mut Session, call: &Call<'static>) -> Vec<usize> {
        let context = Context {
            phase: Phase::PreTool,
            call: Some(call),
            text: "",
            result: None,
            ok: true,
            consecutive: 0,
        };
        let held = self.held(session, &context);
        let cwd = session.cwd.clone();
        session.state.count_call(&self.world, call, cwd.as_deref(), &held)
    }

    fn ask_all(&self, session: &mut Session, context: &Context<'_>) -> Answer {
        let mut answer = Answer::default();
        for rule in &self.world.program.rules {
            if rule.phase != context.phase || !concerns(rule, context.call) {
                continue;
            }
            if session.state.is_subagent && !rule.in_subagent || lacks_tool(rule, &session.state) {
                continue;
            }
            let aside = Aside::default();
            let question = Question { world: &self.world, session, context, aside };
            let id = rule.id.to_string();
            let truth = question.holds(&rule.condition);
            let action = match truth {
                Truth::Yes => Some(rule.action),
                Truth::Hidden if context.phase == Phase::PreTool => in_doubt(rule),
                _ => None,
            };
            if matches!(truth, Truth::Hidden | Truth::Missing) {
                answer.undecided.push((id.clone(), truth == Truth::Hidden));
            }
            if let Some(action) = action {
                let message = message::of(rule, &self.world, session, context);
                let is_undecided = truth == Truth::Hidden;
                let phase = rule.phase;
                let holds = |exception: &&Exception| {
                    let truth = question.is_excepted(rule, exception);
                    self.world.reached.borrow_mut().insert(("Exception".to_owned(), truth));
                    truth == Truth::Yes
                };
                let excepted = rule.exceptions.iter().find(holds);
                let excepted = excepted.map(|exception| exception.reason.to_string());
                answer.findings.push(Fired {
                    rule: id,
                    action,
                    phase,
                    message,
                    is_undecided,
                    is_withheld: false,
                    excepted,
                });
            }
        }
        for fired in answer.findings.iter().filter(|fired| fired.excepted.is_none()) {
            let counts = match context.phase {
                Phase::PreTool => true,
                Phase::PostTool => fired.action != Action::Remind,
                Phase::OnText | Phase::TurnEnd | Phase::Exchange => false,
            };
            if counts {
                session.state.violations += 1;
                session.state.last_violation = Some(fired.rule.clone());
            }
        }
        for fired in answer.findings.iter_mut().filter(|fired| fired.excepted.is_none()) {
            self.tell(fired, session, context);
        }
        answer
    }

    fn reached(&self, what: &str, truth: Truth) {
        self.world.reached.borrow_mut().insert((what.to_owned(), truth));
    }

    /// Says whether the agent is told of a rule that fired, and remembers that it was.
    fn tell(&self, fired: &mut Fired, session: &mut Session, context: &Context<'_>) {
        let program = self.world.program;
        let rule = program.rules.iter().find(|rule| *rule.id == fired.rule);
        let rule = rule.expect("what fired is a rule");
        let target = context.call.and_then(|call| values::target(call, &[]));
        let target = target.map_or(String::new(), |target| match target.is_path {
            true => {
                let path = files::normal(&target.text, session.cwd.as_deref());
                self.world.files.canonical(&path)
            }
            false => target.text,
        });
        let state = &mut session.state;
        let (turn, calls) = (state.turn, state.total_calls);
        let is_end = fired.phase == Phase::TurnEnd;
        let before: Vec<&Telling> =
            state.told.iter().filter(|telling| telling.rule == fired.rule).collect();
        let ends = before.iter().filter(|telling| telling.is_end && telling.turn == turn).count();
        if is_end && ends >= 2 {
            fired.is_withheld = true;
            return self.reached("AtTurnEnd", Truth::No);
        }
        let stops = matches!(fired.action, Action::Block | Action::Ask);
        if !stops {
            let is_known = match rule.repeat.kind {
                Repeat::Always => false,
                // The last 32 targets that it was told of.
                Repeat::Target => {
                    before.iter().rev().take(32).any(|telling| telling.target == target)
                }
                Repeat::Turn => before.iter().any(|telling| telling.turn == turn),
                Repeat::Session => !before.is_empty(),
                Repeat::Calls => before
                    .iter()
                    .any(|telling| calls - telling.calls < u64::from(rule.repeat.calls)),
            };
            let most = program.max_per_turn.unwrap_or(u32::MAX);
            fired.is_withheld = is_known || state.told_this_turn >= most;
            self.reached(&format!("{:?}", rule.repeat.kind), Truth::from(!is_known));
            if fired.is_withheld {
                return;
            }
            state.told_this_turn += 1;
        }
        let rule = fired.rule.clone();
        state.told.push(Telling { rule, turn, calls, is_end, target });
    }
}

/// Whether the agent has no tool of those that a rule needs.
fn lacks_tool(rule: &Rule, state: &State) -> bool {
    let Some(tools) = &state.tools else { return false };
    let has = |needed: &str| {
        let needed = vec![Box::from(needed)];
        tools.iter().any(|tool| {
            let call = Call { tool: tool.as_str().into(), ..Call::default() };
            names::any_selects(&needed, &call)
        })
    };
    !rule.needs.iter().all(|needed| has(needed))
}

/// What a rule does of which nobody can tell whether it applies.
fn in_doubt(rule: &Rule) -> Option<Action> {
    let stops = matches!(rule.action, Action::Block | Action::Ask);
    match (stops, rule.when_undecided) {
        (true, Verdict::Ask) => Some(Action::Ask),
        (true, Verdict::Deny) => Some(Action::Block),
        _ => None,
    }
}

/// Whether a rule's trigger selects the call's tool. Text is no tool's, so only `*` selects it.
fn concerns(rule: &Rule, call: Option<&Call<'_>>) -> bool {
    match call {
        None => rule.triggers.iter().any(|trigger| &*trigger.name == "*"),
        Some(call) => {
            let triggers: Vec<Box<str>> = rule.trigger_names().map(Box::from).collect();
            names::any_selects(&triggers, call)
        }
    }
}

/// Takes back what was counted for calls that have not run when the turn is over; if one runs after all, it counts then.
fn take_back(session: &mut Session) {
    for open in session.open.iter_mut().filter(|open| !open.started.is_empty()) {
        session.state.take_back(&std::mem::take(&mut open.started));
        open.is_counted = false;
    }
}

/// The call that a result belongs to: by id, else the oldest of the tool that the result names, else
/// the oldest of all.
fn take_open(session: &mut Session, id: Option<&str>, told: Option<&Call<'_>>) -> Option<Open> {
    let belongs = |open: &Open| match (id, told) {
        (Some(id), _) => open.call.id.as_deref() == Some(id),
        (None, Some(told)) => names::canonical(&told.tool) == names::canonical(&open.call.tool),
        (None, None) => true,
    };
    let index = session.open.iter().position(belongs)?;
    Some(session.open.remove(index))
}

fn owned(call: &Call<'_>) -> Call<'static> {
    let own = |text: &str| std::borrow::Cow::Owned(text.to_owned());
    Call {
        id: call.id.as_deref().map(own),
        tool: own(&call.tool),
        native_tool: call.native_tool.as_deref().map(own),
        params: call
            .params
            .iter()
            .map(|param| behavior_runtime::event::Param {
                name: own(&param.name),
                native: param.native.as_deref().map(own),
                value: match &param.value {
                    Value::Text(text) => Value::Text(own(text)),
                    Value::Json(json) => Value::Json(own(json)),
                },
            })
            .collect(),
    }
}
