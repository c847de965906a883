//! Rules and policy over the state of one session: what of an event they look at, and what it leaves.
//! Knows nothing of trace policies, of the classifier, or of who asks.

use std::borrow::Cow;
use std::sync::Arc;

use crate::answers::{answers, is_asking_tool};
use crate::asked::asks;
use crate::commands::Hints;
use crate::commands::explain::{CommandExplanation, rules_met};
use crate::commands::shell::Shell;
use crate::context::{EvaluationContext, OpenCalls, Params};
use crate::decision::{Action, Decision, Finding, Permission, Phase, Undecided, Verdict};
use crate::delivery::{Moment, hash, max_per_turn};
use crate::eval::{Machine, Observer, Scratch, Unobserved, set_key};
use crate::event::{Call, SessionStart, ToolResult};
use crate::evidence::{gather, shortened};
use crate::host::{Fingerprint, Host};
use crate::met_tools::{MetTool, Tools};
use crate::path;
use crate::path_match::held;
use crate::permission::{Judge, mode_named};
use crate::policy_facts::Facts;
use crate::prepared_rule::PreparedRule;
use crate::prepared_rules::PreparedRules;
use crate::select::PhaseRules;
use crate::state::{SetEntry, State};
use crate::tools::{normalise, selects_as_trigger};
use crate::touched::ToolFiles;
use crate::truth::Truth;
use crate::value::ValueRef;
use behavior_image::code::{ApprovalMode, Change, PathUse, PermissionAction};
use behavior_image::format::{NONE, PermissionFact, RuleRecord, Section, SetRecord, Transition};
use behavior_image::scan;
use behavior_image::shapes::ShapeRun;
use behavior_image::{Image, RuleTest, View};
use behavior_shell::touched::Effect;

/// The rules and the policy of an image, and what they remember of one session.
#[derive(Clone, Debug)]
pub(crate) struct Engine {
    pub image: Arc<Image>,
    pub state: State,
    pub tools: Tools,
    pub open: OpenCalls,
    scratch: Scratch,
    pub start: Started,
    /// The approval mode that was set, whatever the session says of itself.
    pub mode: Option<ApprovalMode>,
    /// Whether the agent may write text that this session never sees.
    pub text_unknown: bool,
    /// Whether a user may allow what rules stop.
    pub takes_grants: bool,
    wants: Wants,
}

/// What the image has to do with after each call, found out once.
#[derive(Clone, Copy, Debug)]
struct Wants {
    /// Some set takes files that calls make.
    files_of_made_calls: bool,
    /// Some set takes files that calls touch.
    touched_files: bool,
    /// Some set has entries that change with their files.
    changes_of_files: bool,
    /// A policy is in force.
    policy: bool,
    /// Some rule of the policy asks for more than tools and arguments.
    facts: bool,
    /// There are rules of trace policies.
    monitors: bool,
    /// Some rule asks for the user's words.
    users_words: bool,
    /// The approval mode of the policy.
    mode: Option<ApprovalMode>,
    /// How many warnings and reminders an agent is told in a turn.
    max_per_turn: u32,
}

impl Wants {
    fn of(image: &Image) -> Self {
        let (view, count) = (image.view(), image.rows::<SetRecord>(Section::Sets));
        let sets = || (0..count).map(|set| view.row::<SetRecord>(Section::Sets, set));
        let takes = |is_at_call: bool| {
            let uses = PathUse::ALL.iter().filter(|one| one.is_at_call() == is_at_call);
            let bits = uses.fold(0, |bits, one| bits | one.bit());
            sets().any(|set| set.paths & bits != 0)
        };
        Self {
            files_of_made_calls: takes(true),
            touched_files: takes(false),
            changes_of_files: sets().any(|set| set.window != 0 || set.fingerprint != 0),
            policy: image.policy().is_in_force(),
            facts: image.rows::<PermissionFact>(Section::PermissionFacts) != 0,
            monitors: !image.monitors().is_empty(),
            users_words: asks(image),
            mode: ApprovalMode::from_number(image.program().mode),
            max_per_turn: max_per_turn(image),
        }
    }
}

/// What the session was told of itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Started {
    pub agent: Option<String>,
    pub cwd: Option<String>,
    pub mode: Option<String>,
    pub headless: bool,
    pub is_subagent: bool,
    /// The branch that is checked out.
    pub branch: Option<String>,
    /// The rules that need a tool that the agent does not have, where that was told.
    pub off: Vec<u32>,
}

impl Started {
    /// Whether all rules count in this session.
    #[inline]
    fn counts_all(&self) -> bool {
        self.off.is_empty() && !self.is_subagent
    }

    /// Whether a rule does not count in this session.
    #[inline]
    fn is_off(&self, rule: u32, in_subagent: bool) -> bool {
        !self.off.is_empty() && self.off.contains(&rule) || !in_subagent && self.is_subagent
    }
}

impl Engine {
    pub fn new(image: Arc<Image>) -> Self {
        Self {
            state: State::new(&image),
            tools: Tools::default(),
            open: OpenCalls::default(),
            scratch: Scratch::default(),
            start: Started::default(),
            mode: None,
            text_unknown: false,
            takes_grants: true,
            wants: Wants::of(&image),
            image,
        }
    }

    /// Whether there are rules of trace policies.
    #[inline]
    pub fn has_monitors(&self) -> bool {
        self.wants.monitors
    }

    /// Takes up what a session says of itself.
    pub fn session_start(&mut self, start: &SessionStart<'_>) {
        let keep = |slot: &mut Option<String>, value: Option<&str>| {
            if let Some(value) = value {
                *slot = Some(value.to_owned());
            }
        };
        keep(&mut self.start.agent, start.agent.as_deref());
        let cwd =
            start.cwd.as_deref().map(|cwd| path::normalise(cwd, None, &mut self.scratch.path));
        keep(&mut self.start.cwd, cwd);
        keep(&mut self.start.mode, start.mode.as_deref());
        keep(&mut self.start.branch, start.branch.as_deref());
        self.start.headless = start.headless.unwrap_or(self.start.headless);
        self.start.is_subagent = start.subagent.unwrap_or(self.start.is_subagent);
        if let Some(tools) = &start.tools {
            self.start.off = rules_without_tool(&self.image, tools);
        }
    }

    /// Forgets what the agent no longer has before its eyes.
    pub fn compaction(&mut self) {
        let view = self.image.view();
        for (index, set) in (0..).zip(&mut self.state.sets) {
            if view.row::<SetRecord>(Section::Sets, index).survives_compaction == 0 {
                set.clear();
            }
        }
        self.state.told.clear();
    }

    /// Begins a turn with a message. In a session of a sub-agent it is the parent's, and no user's word.
    pub fn start_turn(&mut self, text: Option<&str>) {
        self.forget_started();
        let Self { image, state, scratch, start, .. } = self;
        state.start_turn();
        if let Some(names) = &mut state.names {
            names.read(text.unwrap_or_default());
        }
        if let Some(evidence) = &mut state.evidence {
            evidence.start_turn(state.turn, image.program().verifier_window, text.is_some());
        }
        let (view, program) = (image.view(), image.program());
        for counter in view.list(program.turn_counters, program.turn_counters_len) {
            set_number(&mut state.counters, counter as usize, 0);
        }
        for flag in view.list(program.turn_flags, program.turn_flags_len) {
            set_number(&mut state.flags, flag as usize, false);
        }
        let text = text.filter(|_| !start.is_subagent);
        state.asked.begin_turn(image, text, &mut scratch.fold);
    }

    /// Looks at a text of the agent.
    pub fn text<O: Observer>(
        &mut self,
        text: &str,
        host: &mut dyn Host,
        observer: &mut O,
        decision: &mut Decision,
    ) {
        if !text.trim().is_empty() {
            self.state.text_this_turn = true;
        }
        self.keep_response(text);
        self.state.asked.agent_wrote(&self.image, text, &mut self.scratch.fold);
        self.look_at_text(Phase::OnText, text, host, observer, decision);
    }

    /// Looks at the end of a turn, and at the agent's last message.
    pub fn turn_end<O: Observer>(
        &mut self,
        text: &str,
        host: &mut dyn Host,
        observer: &mut O,
        decision: &mut Decision,
    ) {
        self.forget_started();
        self.state.asked.agent_ended(&self.image, text, &mut self.scratch.fold);
        self.keep_response(text);
        self.look_at_text(Phase::TurnEnd, text, host, observer, decision);
        let response = self.state.response.take();
        if let Some(evidence) = &mut self.state.evidence {
            evidence.judged = response;
        }
    }

    /// Keeps the last text of a response, where something asks for it; a blank one says nothing.
    fn keep_response(&mut self, text: &str) {
        let is_asked_for = self.state.evidence.is_some() || self.state.names.is_some();
        if is_asked_for && !text.trim().is_empty() {
            self.state.response = Some(shortened(text).into());
        }
    }

    fn look_at_text<O: Observer>(
        &mut self,
        phase: Phase,
        text: &str,
        host: &mut dyn Host,
        observer: &mut O,
        decision: &mut Decision,
    ) {
        let context = EvaluationContext {
            phase,
            tool: None,
            is_shell: false,
            files: ToolFiles::None,
            params: Params::default(),
            text,
            result: None,
            ok: true,
            consecutive: self.state.streak.map_or(0, |(_, length)| length),
        };
        // A text is no tool's: what `*` selects is looked at, under a name that no tool has.
        let tool = self.tools.index(&self.image, "", None);
        self.look(tool, &context, host, observer, decision);
    }

    /// Looks at a call before it runs. If it is made, [`Engine::count_made`] must follow.
    pub fn tool_call<O: Observer>(
        &mut self,
        call: &Call<'_>,
        host: &mut dyn Host,
        observer: &mut O,
        decision: &mut Decision,
    ) {
        let tool = self.tools.index(&self.image, &call.tool, call.native_tool.as_deref());
        let Some(met) = self.tools.get(tool) else { return };
        let (name, place) = (met.name, (tool, Tools::is_lasting(tool)));
        let params = self.open.keep(&self.image, call, place, name, &met.tool.params);
        let told = met.tool.told(call, params.hints());
        let params = params.with_line(told.as_deref());
        let before = self.state.streak.filter(|(last, _)| *last == name).map_or(0, |(_, n)| n);
        let context = EvaluationContext {
            phase: Phase::PreTool,
            tool: Some(tool),
            is_shell: met.tool.runs_commands(params),
            files: met.tool.files,
            params,
            text: "",
            result: None,
            ok: true,
            consecutive: before.saturating_add(1),
        };
        if let Some(told) = &told {
            self.open.tell_newest(told);
        }
        decision.tool = Some(tool);
        decision.verdict = Some(Verdict::Allow);
        if self.wants.users_words {
            let is_said_later = met.tool.is_scheduling;
            self.state.asked.agent_called(is_said_later, context.is_shell, params);
        }
        if self.wants.policy
            && let Some(permission) = self.permission(tool, call, &context, host, decision)
        {
            decision.verdict = Some(permission.action.into());
            decision.permission = Some(permission);
        }
        self.look(tool, &context, host, observer, decision);
    }

    /// Counts the newest call, which is made.
    #[inline]
    pub fn count_made(&mut self, tool: u32, call: &Call<'_>, host: &mut dyn Host) {
        let started = match self.counts_when_made(tool) {
            true => self.count_newest(tool, call, host),
            false => Vec::new(),
        };
        self.open.count_newest(started);
    }

    #[inline(never)]
    fn count_newest(&mut self, tool: u32, call: &Call<'_>, host: &mut dyn Host) -> Vec<u32> {
        let told = self.tools.get(tool).and_then(|met| met.tool.told(call, Hints::ALL));
        self.count_call(tool, || Params::of_call(call).with_line(told.as_deref()), host)
    }

    /// Whether anything may change because a call of a tool is made.
    #[inline]
    fn counts_when_made(&self, tool: u32) -> bool {
        let may_change = |met: &MetTool| met.tool.changes_when_made;
        self.wants.files_of_made_calls || self.tools.get(tool).is_some_and(may_change)
    }

    /// Enters a call into the sets that take it when it is made, and counts it where calls count that have not run.
    /// Returns those counters.
    fn count_call<'p>(
        &mut self,
        tool: u32,
        params: impl Fn() -> Params<'p>,
        host: &mut dyn Host,
    ) -> Vec<u32> {
        let started = self.start_counting(tool, &params, host);
        let Self { image, state, tools, scratch, start, wants, .. } = self;
        let Some(entry) = tools.get(tool).map(|met| &met.tool) else { return started };
        let on_call = |transition: &&Transition| transition.change == Change::AddOnCall as u32;
        if wants.files_of_made_calls {
            let context = EvaluationContext::of_made_call(
                tool,
                entry.runs_commands(params()),
                entry.files,
                params(),
            );
            add_paths(image, state, &context, start.cwd.as_deref(), host, scratch);
        }
        for transition in entry.transitions.iter().filter(on_call) {
            let cwd = start.cwd.as_deref();
            // What would make the file has no need of it.
            let params = (params(), entry.changes_files);
            enter(state, image, transition.target, params, cwd, host, &mut scratch.path);
        }
        started
    }

    /// Counts a call up that is made, where calls count that have not run. Returns the counters.
    fn start_counting<'p>(
        &mut self,
        tool: u32,
        params: &impl Fn() -> Params<'p>,
        host: &mut dyn Host,
    ) -> Vec<u32> {
        let counts = |transition: &Transition| transition.change == Change::IncrementOnCall as u32;
        let Self { image, state, tools, scratch, start, text_unknown, .. } = self;
        let Some(entry) = tools.get(tool).map(|met| &met.tool) else { return Vec::new() };
        if !entry.transitions.iter().any(counts) {
            return Vec::new();
        }
        let context = EvaluationContext::of_made_call(
            tool,
            entry.runs_commands(params()),
            entry.files,
            params(),
        );
        let mut machine = Machine::new(image, state, &context, start.cwd.as_deref(), host, scratch);
        machine.text_unknown = *text_unknown;
        machine.told_branch = start.branch.as_deref();
        machine.is_subagent = start.is_subagent;
        let holds = |transition: &&Transition| {
            let Transition { code, code_len, .. } = **transition;
            code_len == 0 || machine.run_code(code, code_len, &mut Unobserved) == Truth::True
        };
        let counted = entry.transitions.iter().filter(|transition| counts(transition));
        let started: Vec<u32> = counted.filter(holds).map(|transition| transition.target).collect();
        for counter in &started {
            if let Some(counter) = state.counters.get_mut(*counter as usize) {
                *counter = counter.saturating_add(1);
            }
        }
        started
    }

    /// Takes back what was counted for calls that had not run when the turn was over.
    fn forget_started(&mut self) {
        for counter in self.open.take_started() {
            if let Some(counter) = self.state.counters.get_mut(counter as usize) {
                *counter = (*counter - 1).max(0);
            }
        }
    }

    /// What the policy, which is in force, says of a call.
    #[inline]
    fn permission(
        &mut self,
        tool: u32,
        call: &Call<'_>,
        context: &EvaluationContext<'_>,
        host: &mut dyn Host,
        decision: &mut Decision,
    ) -> Option<Permission> {
        let mode = self.approval_mode();
        if !self.wants.facts
            && let Some(met) = self.tools.get(tool)
            && let Some(fixed) = Judge::fixed(&met.tool.permissions, mode)
            && fixed.action < PermissionAction::Ask
        {
            return Some(fixed);
        }
        self.judge(tool, mode, call, context, host, decision)
    }

    /// What the policy says of a call whose arguments, whose command line or of which the user's grants count.
    #[inline(never)]
    fn judge(
        &mut self,
        tool: u32,
        mode: ApprovalMode,
        call: &Call<'_>,
        context: &EvaluationContext<'_>,
        host: &mut dyn Host,
        decision: &mut Decision,
    ) -> Option<Permission> {
        let takes_grants = self.takes_grants;
        let Self { image, state, tools, scratch, start, wants, .. } = self;
        let tool = &tools.get(tool)?.tool;
        let facts = match wants.facts {
            false => Facts::default(),
            true => {
                // Of a call that is kept only some parameters are at hand.
                let params = Params::of_call(call).with_line(context.params.told_line());
                let context = EvaluationContext { params, ..*context };
                Facts::of(call, image, || {
                    Machine::new(image, state, &context, start.cwd.as_deref(), host, scratch)
                })
            }
        };
        let mut judge = Judge::new(image, &tool.permissions, mode, facts);
        let told = context.params.told_line();
        let mut permission = judge.decide(call, told, &mut scratch.shell);
        // What one rule forbids may be forbidden by the next, too, and of a line each command is decided on its own.
        while takes_grants && permission.action >= PermissionAction::Ask {
            let Some(rule) = permission.doubt.or(permission.rule) else { break };
            let params = Params::of_call(call).with_line(context.params.told_line());
            let context = EvaluationContext { params, ..*context };
            let mut machine =
                Machine::new(image, state, &context, start.cwd.as_deref(), host, scratch);
            let Some(granted) = machine.allowed_by_policy(rule) else { break };
            decision.besides_mut().granted.push((rule, granted));
            judge.grant(rule);
            permission = judge.decide(call, told, &mut scratch.shell);
        }
        Some(permission)
    }

    /// What the rules and the policy make of each command of a line. Changes nothing.
    pub fn explain_line(
        &self,
        line: ValueRef<'_>,
        tool: &str,
        native: Option<&str>,
    ) -> CommandExplanation {
        let mut shell = Shell::default();
        shell.read(&self.image, Some(line));
        let mut parts = rules_met(&self.image, &mut shell);
        let mut tools = self.tools.clone();
        let tool = tools.index(&self.image, tool, native);
        if let Some(met) = tools.get(tool).filter(|_| self.image.policy().is_in_force()) {
            let mode = self.approval_mode();
            let permissions = &met.tool.permissions;
            let judge = Judge::new(&self.image, permissions, mode, Facts::default());
            for (index, part) in parts.iter_mut().enumerate() {
                part.permission = judge.part(index, &mut shell);
            }
        }
        CommandExplanation { line: shell.line().clone(), parts }
    }

    /// Returns the mode that was set, else that of the policy. The mode that the agent tells can only
    /// make it stricter.
    fn approval_mode(&self) -> ApprovalMode {
        self.mode.unwrap_or_else(|| {
            let told = self.start.mode.as_deref().and_then(mode_named);
            self.wants.mode.unwrap_or(ApprovalMode::Ask).max(told.unwrap_or(ApprovalMode::Yolo))
        })
    }

    /// Takes up what a call gave. Tells whether the call was not seen before, and the result says what
    /// it was.
    pub fn tool_result<O: Observer>(
        &mut self,
        result: &ToolResult<'_>,
        host: &mut dyn Host,
        observer: &mut O,
        decision: &mut Decision,
    ) -> bool {
        let named = result.call.as_ref().filter(|call| !call.tool.is_empty());
        let told = named
            .map(|call| self.tools.index(&self.image, &call.tool, call.native_tool.as_deref()));
        let told_name = told.and_then(|told| self.tools.get(told)).map(|tool| tool.name);
        let same_tool = |kept| told_name.is_none_or(|told| told == kept);
        let kept = self.open.take(result.id.as_deref(), same_tool);
        let is_unseen = kept.is_none() && named.is_some();
        let tool = match (told, &kept) {
            (Some(told), _) => told,
            (None, Some(kept)) if !kept.is_remnant => match kept.named_tool() {
                Some((tool, native)) => self.tools.index(&self.image, tool, native),
                None => kept.met,
            },
            (None, _) => {
                decision.orphan = true;
                return false;
            }
        };
        let kept = kept.unwrap_or_else(|| self.open.blank());
        let told = named
            .filter(|call| !call.params.is_empty())
            .and_then(|call| self.tools.get(tool).and_then(|met| met.tool.told(call, Hints::ALL)));
        let params = match named {
            Some(call) if !call.params.is_empty() => {
                Params::of_call(call).with_line(told.as_deref())
            }
            _ => Params::of_kept(&kept),
        };
        if !kept.is_counted && self.counts_when_made(tool) {
            // It was denied and ran all the same, or nobody saw the call.
            self.count_call(tool, || params, host);
        }
        let met = self.tools.get(tool);
        let name = met.map_or(NONE, |tool| tool.name);
        let before = self.state.streak.filter(|(last, _)| *last == name).map_or(0, |(_, n)| n);
        let context = EvaluationContext {
            phase: Phase::PostTool,
            tool: Some(tool),
            is_shell: met.is_some_and(|met| met.tool.runs_commands(params)),
            files: met.map_or(ToolFiles::None, |met| met.tool.files),
            params,
            text: "",
            result: result.result.as_ref().map(ValueRef::from),
            ok: result.ok,
            consecutive: before.saturating_add(1),
        };
        let has_conditions = self.tools.get(tool).is_some_and(|met| met.tool.has_conditions);
        let held = match has_conditions {
            true => self.conditions_held(tool, &context, host),
            false => Vec::new(),
        };
        let resets = if named.is_none() { kept.resets() } else { None };
        self.remember(tool, &context, (&held, resets), host);
        if result.ok && (self.state.names.is_some() || self.state.evidence.is_some()) {
            self.gather(tool, &context, host);
        }
        if result.ok && self.wants.users_words {
            self.hear_answers(tool, context.params.get("questions"), context.result);
        }
        decision.tool = Some(tool);
        self.look(tool, &context, host, observer, decision);
        self.open.give_back(kept);
        is_unseen
    }

    /// Takes up what the user answered, where the agent asked with a tool.
    fn hear_answers(
        &mut self,
        tool: u32,
        questions: Option<ValueRef<'_>>,
        result: Option<ValueRef<'_>>,
    ) {
        let Self { image, state, tools, scratch, start, .. } = self;
        // A server may call its tool what it likes, and some agents tell no more of it.
        let is_of_server = tools.canonical(tool).contains('.');
        if start.is_subagent || is_of_server || !is_asking_tool(tools.native(tool)) {
            return;
        }
        if let Some(result) = result {
            state.asked.user_answered(image, &answers(result, questions), &mut scratch.fold);
        }
    }

    /// Keeps what a call that has succeeded looked at, where something asks for that.
    fn gather(&mut self, tool: u32, context: &EvaluationContext<'_>, host: &mut dyn Host) {
        let Self { image, state, tools, scratch, start, .. } = self;
        if let Some(names) = &mut state.names {
            context.params.for_each(|value| names.read_value(value));
            context.result.into_iter().for_each(|value| names.read_value(value));
        }
        if state.evidence.is_some() {
            let cwd = start.cwd.as_deref();
            let mut machine = Machine::new(image, state, context, cwd, host, scratch);
            let gathered = gather(tools.canonical(tool), &mut machine);
            let turn = state.turn;
            if let Some(evidence) = &mut state.evidence {
                evidence.add(gathered, turn);
            }
        }
    }

    /// Takes up a shell line that the user typed, and that the agent is told of.
    pub fn user_shell(&mut self, command: &str) {
        let turn = self.state.turn;
        if let Some(names) = &mut self.state.names {
            names.read(command);
        }
        if let Some(evidence) = &mut self.state.evidence {
            evidence.add_user_shell(command, turn);
        }
    }

    /// Returns of each change that a call may bring about whether its condition holds, on the state before
    /// the call. Empty where no change has a condition.
    fn conditions_held(
        &mut self,
        tool: u32,
        context: &EvaluationContext<'_>,
        host: &mut dyn Host,
    ) -> Vec<bool> {
        let Self { image, state, tools, scratch, start, text_unknown, .. } = self;
        let Some(entry) = tools.get(tool).map(|met| &met.tool) else { return Vec::new() };
        let mut machine = Machine::new(image, state, context, start.cwd.as_deref(), host, scratch);
        machine.text_unknown = *text_unknown;
        machine.told_branch = start.branch.as_deref();
        machine.is_subagent = start.is_subagent;
        let holds = |transition: &Transition| {
            let Transition { code, code_len, .. } = *transition;
            code_len == 0 || machine.run_code(code, code_len, &mut Unobserved) == Truth::True
        };
        entry.transitions.iter().map(holds).collect()
    }

    /// Updates the state for a call that has ended. `held` is what [`Engine::conditions_held`] says, and `resets` what was
    /// found before the call, if somebody looked.
    fn remember(
        &mut self,
        tool: u32,
        context: &EvaluationContext<'_>,
        (held, resets): (&[bool], Option<u64>),
        host: &mut dyn Host,
    ) {
        let (params, ok) = (context.params, context.ok);
        let Self { image, state, tools, scratch, start, wants, .. } = self;
        let Some(met) = tools.get(tool) else { return };
        let (entry, name) = (&met.tool, met.name);
        let view = image.view();
        let cwd = start.cwd.as_deref();
        state.total_calls = state.total_calls.saturating_add(1);
        state.turn_calls = state.turn_calls.saturating_add(1);
        state.streak = match state.streak {
            Some((last, length)) if last == name => Some((last, length.saturating_add(1))),
            _ => Some((name, 1)),
        };
        state.recent.push(name, params.target().map_or("", |target| target.text));
        if ok && wants.touched_files {
            add_paths(image, state, context, cwd, host, scratch);
        }
        if !wants.changes_of_files {
            // No entry depends on what became of a file.
        } else if entry.changes_files && ok {
            renew(state, image, params, cwd, host, &mut scratch.path);
        } else if !ok {
            miss(state, image, params, cwd, host, &mut scratch.path);
        }
        for (at, transition) in entry.transitions.iter().enumerate() {
            if held.get(at) == Some(&false) {
                continue;
            }
            let Transition { change, target, param, pattern, scan, .. } = *transition;
            let index = target as usize;
            match Change::from_number(change) {
                Some(Change::Add) => {
                    let params = (params, ok);
                    enter(state, image, target, params, cwd, host, &mut scratch.path);
                }
                Some(Change::AddOnSuccess) if ok => {
                    let params = (params, ok);
                    enter(state, image, target, params, cwd, host, &mut scratch.path);
                }
                Some(Change::Increment) => {
                    if let Some(counter) = state.counters.get_mut(index) {
                        *counter = counter.saturating_add(1);
                    }
                }
                Some(Change::Reset) => set_number(&mut state.counters, index, 0),
                // A counter at zero stays there, whatever the command.
                Some(Change::ResetWhen) if state.counter(target) != 0 => {
                    let before = entry.phases.get(Phase::PreTool as usize);
                    let found = resets.zip(before.and_then(PhaseRules::known));
                    let known = found.and_then(|(found, rules)| rules.is_reset(at, found));
                    let mut matches = |text: &str| {
                        may_match(view, scan, text, &mut scratch.fold)
                            && image.matches(pattern, text, &mut scratch.fold)
                    };
                    let matched = known.unwrap_or_else(|| {
                        let value = params.get(view.string_bytes(param));
                        value.is_some_and(|value| value.any_text(&mut matches))
                    });
                    if matched {
                        set_number(&mut state.counters, index, 0);
                    }
                }
                Some(Change::ResetWhenRuns) if state.counter(target) != 0 => {
                    let is_shell = entry.runs_commands(params);
                    let value = params.command_line(view.string(param), is_shell);
                    let Some(value) = value else { continue };
                    let shapes = ShapeRun::of(view, pattern);
                    if scratch.shell.read_if_it_matters(image, value)
                        && scratch.shell.some_has(image, shapes) == Truth::True
                    {
                        set_number(&mut state.counters, index, 0);
                    }
                }
                Some(Change::Set) => set_number(&mut state.flags, index, true),
                Some(Change::Unset) => set_number(&mut state.flags, index, false),
                Some(Change::ResetWhen | Change::ResetWhenRuns) => {}
                Some(Change::AddOnCall | Change::AddOnSuccess | Change::IncrementOnCall) | None => {
                }
            }
        }
    }

    /// Looks at the rules that may fire on the context, in order.
    fn look<O: Observer>(
        &mut self,
        tool: u32,
        context: &EvaluationContext<'_>,
        host: &mut dyn Host,
        observer: &mut O,
        decision: &mut Decision,
    ) {
        let Self {
            image,
            state,
            tools,
            open,
            scratch,
            start,
            text_unknown,
            takes_grants,
            wants,
            ..
        } = self;
        let Some(entry) = tools.get(tool).map(|met| &met.tool) else { return };
        let Some(rules) = entry.phases.get(context.phase as usize) else { return };
        if rules.is_empty() && !O::THOROUGH {
            return;
        }
        let prepared = match O::THOROUGH {
            true => None,
            false => rules.prepared(image, context.phase, &entry.groups, &entry.transitions),
        };
        let by_numbers = prepared.map(|some| some.by_numbers(state, context.consecutive));
        let by_numbers = by_numbers.unwrap_or_default();
        if let Some(prepared) = prepared.filter(|prepared| prepared.is_by_numbers()) {
            let selected = by_numbers.open;
            if selected == 0 {
                return;
            }
            if prepared.are_remarks(selected) && start.counts_all() {
                let rules = (prepared, selected);
                return remark(state, rules, context.phase, wants.max_per_turn, decision);
            }
        }
        let mut machine = Machine::new(image, state, context, start.cwd.as_deref(), host, scratch);
        machine.text_unknown = *text_unknown;
        machine.told_branch = start.branch.as_deref();
        machine.is_subagent = start.is_subagent;
        machine.takes_grants = *takes_grants;
        match prepared {
            Some(prepared) => {
                let selected = prepared.selected(by_numbers, &mut machine, &entry.groups);
                if context.phase == Phase::PreTool {
                    open.note_resets(selected.resets);
                }
                let rules = (prepared, selected.rules);
                if prepared.are_remarks(selected.rules) && start.counts_all() {
                    return remark(state, rules, context.phase, wants.max_per_turn, decision);
                }
                test_prepared(&mut machine, rules, start, tools, observer, decision);
            }
            None => {
                let rules = (rules, &*entry.groups);
                test_selected(&mut machine, rules, start, tools, observer, decision);
            }
        }
        if decision.findings.is_empty() {
            return;
        }
        count_violations(state, &decision.findings);
        let moment = Moment { turn: state.turn, calls: state.total_calls };
        state.told.deliver(image, moment, &mut decision.findings, || {
            let target = context.params.target()?;
            Some(hash(&set_key(target, start.cwd.as_deref(), host, &mut scratch.path)))
        });
    }
}

/// Records those of some prepared rules whose bits are set, all of which are [remarks](PreparedRules::are_remarks). It does
/// what is done for any finding, as far as that matters for these.
#[inline(never)]
fn remark(
    state: &mut State,
    (prepared, mut selected): (&PreparedRules, u64),
    phase: Phase,
    max_per_turn: u32,
    decision: &mut Decision,
) {
    while selected != 0 {
        let bit = selected.trailing_zeros();
        selected &= selected - 1;
        let found = prepared.rule(bit).and_then(|rule| of_remark(rule, phase, decision));
        let Some(mut finding) = found else { return };
        finding.is_withheld = !state.told.has_room(max_per_turn);
        if is_violation(&finding) {
            state.violations = state.violations.saturating_add(1);
            state.last_violation = Some(finding.rule);
        }
        decision.findings.push(finding);
    }
}

/// What is found where a rule that is a [remark](PreparedRule::remark) fires.
#[inline]
fn of_remark(rule: &PreparedRule, phase: Phase, decision: &mut Decision) -> Option<Finding> {
    let (action, fixed) = (rule.remark?, rule.message.as_deref()?);
    let mut message = decision.spare.take();
    message.push_str(fixed);
    let (is_undecided, is_withheld) = (false, false);
    let (granted, violation, rule) = (None, None, rule.index);
    Some(Finding { rule, action, phase, message, is_undecided, is_withheld, granted, violation })
}

/// Tests those of some prepared rules whose bits are set, in order.
#[inline]
fn test_prepared<O: Observer>(
    machine: &mut Machine<'_>,
    (prepared, mut selected): (&PreparedRules, u64),
    start: &Started,
    tools: &Tools,
    observer: &mut O,
    decision: &mut Decision,
) {
    while selected != 0 {
        let bit = selected.trailing_zeros();
        selected &= selected - 1;
        let Some(rule) = prepared.rule(bit) else { return };
        if start.is_off(rule.index, rule.record.in_subagent != 0) {
            continue;
        }
        if let Some(finding) = of_remark(rule, machine.context.phase, decision) {
            decision.findings.push(finding);
            continue;
        }
        let result = match rule.is_certain {
            true => Truth::True,
            false => machine.test(rule, observer),
        };
        match result {
            Truth::False => {}
            open => {
                let rule = (rule.index, &rule.record, rule.message.as_deref());
                consider(machine, rule, open, tools, observer, decision);
            }
        }
    }
}

/// Tests those rules that may fire, or all that the tool triggers for an observer who wants to know of each. They are
/// given with the trigger groups.
fn test_selected<O: Observer>(
    machine: &mut Machine<'_>,
    (rules, groups): (&PhaseRules, &[u32]),
    start: &Started,
    tools: &Tools,
    observer: &mut O,
    decision: &mut Decision,
) {
    let mut candidates = std::mem::take(&mut machine.scratch.candidates);
    candidates.clear();
    match O::THOROUGH {
        true => all_triggered(machine, groups, &mut candidates),
        false => rules.select(machine, groups, &mut candidates),
    }
    for &index in &candidates {
        let RuleTest { code, code_len, in_subagent } = machine.view.rule_test(index);
        if start.is_off(index, in_subagent) {
            continue;
        }
        observer.rule(index);
        match machine.run_code(code, code_len, observer) {
            Truth::False => observer.outcome(index, Truth::False, None),
            open => {
                let rule = (index, &machine.view.rule(index), None);
                consider(machine, rule, open, tools, observer, decision);
            }
        }
    }
    machine.scratch.candidates = candidates;
}

/// Records what comes of a rule whose condition holds, or may hold. It is given with its message, if that is known.
fn consider<O: Observer>(
    machine: &mut Machine<'_>,
    (index, rule, fixed): (u32, &RuleRecord, Option<&str>),
    result: Truth,
    tools: &Tools,
    observer: &mut O,
    decision: &mut Decision,
) {
    let phase = machine.context.phase;
    let (action, doubt) = match result {
        Truth::True => (Action::from_number(rule.action), None),
        open => in_doubt(machine, index, rule, open, decision),
    };
    let Some(action) = action else { return observer.outcome(index, result, None) };
    let mut message = match fixed {
        Some(fixed) => {
            let mut message = decision.spare.take();
            message.push_str(fixed);
            message
        }
        None => {
            let tool = machine.context.tool.map_or("", |tool| tools.canonical(tool));
            machine.message(rule, tool, decision.spare.take())
        }
    };
    if let Some(doubt) = doubt {
        message.insert_str(0, &doubt);
    }
    observer.outcome(index, result, Some(&message));
    let stops = phase == Phase::PreTool && matches!(action, Action::Block | Action::Ask);
    let granted = machine.granted(rule, stops).map(Box::new);
    let (rule, is_undecided, violation) = (index, result.is_open(), None);
    decision.findings.push(Finding {
        rule,
        action,
        phase,
        message,
        is_undecided,
        is_withheld: false,
        granted,
        violation,
    });
}

/// What a rule does whose condition may hold, if anything, and how its message begins then. That it may is recorded.
#[cold]
fn in_doubt(
    machine: &mut Machine<'_>,
    index: u32,
    rule: &RuleRecord,
    result: Truth,
    decision: &mut Decision,
) -> (Option<Action>, Option<String>) {
    let needs = machine.take_missing().unwrap_or_default();
    let is_opaque = result == Truth::Opaque;
    let doubt = format!("nobody can tell {needs}. It may be that this applies: ");
    decision.undecided.push(Undecided { rule: index, needs, is_opaque });
    let is_asked = is_opaque && machine.context.phase == Phase::PreTool;
    (if is_asked { action_in_doubt(rule) } else { None }, Some(doubt))
}

/// Returns the rules that need a tool that an agent does not have.
fn rules_without_tool(image: &Image, tools: &[Cow<'_, str>]) -> Vec<u32> {
    let (view, program) = (image.view(), image.program());
    let mut scratch = String::new();
    let mut has = |needed: &str| {
        tools.iter().any(|tool| {
            normalise(tool, &mut scratch);
            selects_as_trigger(needed, &scratch)
        })
    };
    view.list(program.needing, program.needing_len)
        .filter(|rule| !image.rules().needs(*rule).all(&mut has))
        .collect()
}

/// What a rule does of which nobody can tell whether it applies to a call.
fn action_in_doubt(rule: &RuleRecord) -> Option<Action> {
    let stops = [Action::Block as u8, Action::Ask as u8].contains(&rule.action);
    match Verdict::from_number(rule.when_undecided).filter(|_| stops)? {
        Verdict::Allow => None,
        Verdict::Ask => Some(Action::Ask),
        Verdict::Deny => Some(Action::Block),
    }
}

/// Counts the violations among findings.
fn count_violations(state: &mut State, findings: &[Finding]) {
    for finding in findings.iter().filter(|finding| is_violation(finding)) {
        state.violations = state.violations.saturating_add(1);
        state.last_violation = Some(finding.rule);
    }
}

/// Every hit before a tool counts as a violation, after it those that warn or block; hits on text
/// do not.
fn is_violation(finding: &Finding) -> bool {
    finding.granted.is_none()
        && match finding.phase {
            Phase::PreTool => true,
            Phase::PostTool => finding.action != Action::Remind,
            Phase::OnText | Phase::TurnEnd | Phase::Exchange => false,
        }
}

fn set_number<T>(numbers: &mut [T], index: usize, value: T) {
    if let Some(number) = numbers.get_mut(index) {
        *number = value;
    }
}

/// Whether a text holds a literal that every match contains; true where there is no such scan.
fn may_match(view: View<'_>, scan: u32, text: &str, fold: &mut String) -> bool {
    if scan == NONE {
        return true;
    }
    let mut found = false;
    scan::search(&view, &view.row(Section::Scans, scan), text, fold, |_| found = true);
    found
}

/// Enters the target of a call into a set, with its fingerprint where the set keeps them. `found` is false where
/// the call may not have found its target: then that may be known to be absent.
fn enter(
    state: &mut State,
    image: &Image,
    set: u32,
    (params, found): (Params<'_>, bool),
    cwd: Option<&str>,
    host: &mut dyn Host,
    scratch: &mut String,
) {
    let view = image.view();
    let record: SetRecord = view.row(Section::Sets, set);
    let Some(target) = params.target_of_set(view, &record) else { return };
    let key = set_key(target, cwd, host, scratch);
    let fingerprint = match record.fingerprint != 0 {
        true if !found && host.exists(&key) == Some(false) => Some(Fingerprint::ABSENT),
        true => host.fingerprint(&key),
        false => None,
    };
    let turn = state.turn;
    if let Some(set) = state.sets.get_mut(set as usize) {
        set.add(&key, SetEntry { turn, fingerprint });
    }
}

/// Adds the files that a call touches to the sets that take them.
fn add_paths(
    image: &Image,
    state: &mut State,
    context: &EvaluationContext<'_>,
    cwd: Option<&str>,
    host: &mut dyn Host,
    scratch: &mut Scratch,
) {
    let is_made = context.phase == Phase::PreTool;
    let mut machine = Machine::new(image, state, context, cwd, host, scratch);
    let found = match is_made {
        true => machine.files_of_made_call(),
        false => {
            let files = machine.known_files(&[Effect::Read, Effect::Write]).into_iter();
            let use_of = |effect| match effect {
                Effect::Read => PathUse::Read,
                Effect::Write | Effect::Delete => PathUse::Written,
            };
            files.map(|(effect, path)| (use_of(effect), path)).collect()
        }
    };
    let view = image.view();
    for (reason, path) in found {
        let key = held::canonical(path, host);
        for (index, set) in (0..).zip(&mut state.sets) {
            let record: SetRecord = view.row(Section::Sets, index);
            if reason.is_in(record.paths) {
                let fingerprint =
                    (record.fingerprint != 0).then(|| host.fingerprint(&key)).flatten();
                set.add(&key, SetEntry { turn: state.turn, fingerprint });
            }
        }
    }
}

/// A file that the agent itself changed is as well known as before: its entries start again.
fn renew(
    state: &mut State,
    image: &Image,
    params: Params<'_>,
    cwd: Option<&str>,
    host: &mut dyn Host,
    scratch: &mut String,
) {
    let view = image.view();
    for index in 0..state.sets.len() as u32 {
        let record: SetRecord = view.row(Section::Sets, index);
        if record.window == 0 && record.fingerprint == 0 {
            continue;
        }
        let Some(target) = params.target_of_set(view, &record) else { continue };
        let key = set_key(target, cwd, host, scratch);
        let fingerprint = (record.fingerprint != 0).then(|| host.fingerprint(&key)).flatten();
        let turn = state.turn;
        if let Some(set) = state.sets.get_mut(index as usize) {
            set.renew(&key, SetEntry { turn, fingerprint });
        }
    }
}

/// A file that a call did not find is known to be absent, whatever it was before.
fn miss(
    state: &mut State,
    image: &Image,
    params: Params<'_>,
    cwd: Option<&str>,
    host: &mut dyn Host,
    scratch: &mut String,
) {
    let view = image.view();
    for index in 0..state.sets.len() as u32 {
        let record: SetRecord = view.row(Section::Sets, index);
        if record.fingerprint == 0 {
            continue;
        }
        let Some(target) = params.target_of_set(view, &record) else { continue };
        let key = set_key(target, cwd, host, scratch);
        if let Some(set) = state.sets.get_mut(index as usize)
            && let Some(entry) = set.get(&key)
            && host.exists(&key) == Some(false)
        {
            set.renew(&key, SetEntry { fingerprint: Some(Fingerprint::ABSENT), ..entry });
        }
    }
}

/// The rules of this phase whose trigger selects the tool, whether they can fire or not.
fn all_triggered(machine: &Machine<'_>, groups: &[u32], candidates: &mut Vec<u32>) {
    let view = machine.view;
    candidates.extend((0..machine.image.rules().len()).filter(|&index| {
        let rule = view.rule(index);
        rule.phase == machine.context.phase as u8
            && view.list(rule.triggers, rule.triggers_len).any(|group| groups.contains(&group))
    }));
}
