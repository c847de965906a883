//! Rules and policy over the state of one session: what of an event they look at, and what it leaves.
//! Knows nothing of trace policies, of the classifier, or of who asks.

mod findings;
mod gather;
mod tracking;

use gather::gather;

use crate::asked::asks;
use crate::context::{EvaluationContext, OpenCalls};
use crate::decision::{Decision, Permission, Phase, Verdict};
use crate::delivery::max_per_turn;
use crate::eval::scripts::{follows_scripts, has_written};
use crate::eval::{Machine, Observer, Scratch};
use crate::host::Host;
use crate::met_tools::Tools;
use crate::permission::{Judge, mode_named};
use crate::policy_facts::Facts;
use crate::state::evidence::shortened;
use crate::state::{State, set_number};
use behavior_facts::answers::{answers, is_asking_tool};
use behavior_facts::commands::Hints;
use behavior_facts::commands::shell::Shell;
use behavior_facts::event::{Call, SessionStart, ToolResult};
use behavior_facts::params::Params;
use behavior_facts::path;
use behavior_facts::tools::{normalise, selects_as_trigger};
use behavior_facts::touched::ToolFiles;
use behavior_facts::value::ValueRef;
use behavior_image::Image;
use behavior_image::code::{ApprovalMode, PathUse, PermissionAction};
use behavior_image::format::{NONE, PermissionFact, Section, SetRecord};
use std::borrow::Cow;
use std::sync::Arc;

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
    /// The sets whose entries change with their files.
    file_sets: Box<[(usize, SetRecord)]>,
}

/// What the image has to do with after each call, found out once.
#[derive(Clone, Copy, Debug)]
struct Wants {
    /// Some set takes files that calls make.
    files_of_made_calls: bool,
    /// Some set takes files that calls touch.
    touched_files: bool,
    /// Some set tells which files the session wrote.
    written_files: bool,
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
            written_files: follows_scripts(image),
            policy: image.policy().is_in_force(),
            facts: image.rows::<PermissionFact>(Section::PermissionFacts) != 0,
            monitors: !image.monitors().is_empty(),
            users_words: asks(image),
            mode: ApprovalMode::from_number(image.program().mode),
            max_per_turn: max_per_turn(image),
        }
    }
}

/// The sets whose entries change with their files, with their numbers.
fn file_sets(image: &Image) -> Box<[(usize, SetRecord)]> {
    let view = image.view();
    (0..image.rows::<SetRecord>(Section::Sets))
        .map(|index| (index as usize, view.row::<SetRecord>(Section::Sets, index)))
        .filter(|(_, set)| set.window != 0 || set.fingerprint != 0)
        .collect()
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
            file_sets: file_sets(&image),
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
            evidence.start_turn(state.turn, text.is_some());
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
        let is_said_later = met.tool.is_scheduling;
        if let Some(told) = &told {
            self.open.tell_newest(told);
        }
        if self.wants.written_files {
            self.follow_scripts(tool, params, host);
        }
        decision.tool = Some(tool);
        decision.verdict = Some(Verdict::Allow);
        if self.wants.users_words {
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

    /// Reads the scripts that a call runs and the session wrote, if any. Rules ask which files it wrote.
    #[inline(never)]
    fn follow_scripts(&mut self, tool: u32, params: Params<'_>, host: &mut dyn Host) {
        let Self { image, state, tools, scratch, start, .. } = self;
        // What they held before may be something else by now.
        scratch.shell.forget_scripts();
        let Some(entry) = tools.get(tool).map(|met| &met.tool) else { return };
        if !entry.runs_commands(params) || !has_written(image, state) {
            return;
        }
        let context = EvaluationContext::of_made_call(tool, true, entry.files, params);
        Machine::new(image, state, &context, start.cwd.as_deref(), host, scratch).follow_scripts();
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
            && is_settled(&fixed)
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
        let told = context.params.told_line();
        if !wants.facts {
            let known = (&**image, &tool.permissions, mode);
            let known = Judge::known(known, call, told, &scratch.shell);
            if let Some(known) = known.filter(is_settled) {
                return Some(known);
            }
        }
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
        let mut permission = judge.decide(call, told, &mut scratch.shell);
        // What one rule forbids may be forbidden by the next, too, and of a line each command is decided on its own.
        while takes_grants && permission.action >= PermissionAction::Ask {
            let Some(rule) = permission.doubt.or(permission.rule) else { break };
            let params = Params::of_call(call).with_line(context.params.told_line());
            let context = EvaluationContext { params, ..*context };
            let mut machine =
                Machine::new(image, state, &context, start.cwd.as_deref(), host, scratch);
            let forbidden = |shell: &mut Shell| judge.forbidden(rule, call, told, shell);
            let granted = machine.allowed_by_policy(rule, forbidden);
            let Some(granted) = granted else { break };
            decision.besides_mut().granted.push((rule, granted));
            judge.grant(rule);
            permission = judge.decide(call, told, &mut scratch.shell);
        }
        Some(permission)
    }

    /// Returns the mode that was set, else that of the policy. The mode that the agent tells can only
    /// make it stricter.
    pub fn approval_mode(&self) -> ApprovalMode {
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
        let mut kept = kept.unwrap_or_else(|| self.open.blank());
        if result.ok && !kept.made.is_empty() {
            self.enter_made(std::mem::take(&mut kept.made), host);
        }
        let told = named
            .filter(|call| !call.params.is_empty())
            .and_then(|call| self.tools.get(tool).and_then(|met| met.tool.told(call, Hints::ALL)));
        let params = match named {
            Some(call) if !call.params.is_empty() => {
                Params::of_call(call).with_line(told.as_deref())
            }
            _ => Params::of_kept(&kept.params),
        };
        if self.wants.written_files {
            self.follow_scripts(tool, params, host);
        }
        if !kept.is_counted && self.counts_when_made(tool) {
            // It was denied and ran all the same, or nobody saw the call.
            self.count_call(tool, || params, false, host);
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
        if named.is_some_and(|call| !call.params.is_empty()) {
            let target = context.params.target().map_or("", |target| target.text);
            self.state.recent.push(name, target);
        } else {
            self.state.recent.take(name, kept.params.target_text());
        }
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
}

/// Whether nobody can have allowed a call in spite of what the policy says: that lets it run, or no rule says it.
#[inline]
fn is_settled(permission: &Permission) -> bool {
    permission.action < PermissionAction::Ask || permission.doubt.or(permission.rule).is_none()
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
