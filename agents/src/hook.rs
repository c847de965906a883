//! What a running agent tells its hook, and the answers that it understands, for every agent alike.
//!
//! Each agent's adapter turns the text on a hook's standard input into a [`Notice`] and a [`Reply`]
//! into an [`Answer`]. Nothing here reads a file, a clock or the environment, and nothing decides.

use std::borrow::Cow;
use std::time::Duration;

use behavior_facts::tool_catalogue::find;
use behavior_runtime::event::Event;

use crate::adapter::Protocol;
use crate::answer::{self, Said};
use crate::notify::notify;
use crate::recording::Format;
use crate::tools::Tool;
use crate::transcripts::Transcripts;
use crate::wiring::Means;

pub use crate::notice::{Abilities, Answer, HookEvent, Notice, Reply};
pub use crate::registry::Agent;

impl Agent {
    /// Returns where it keeps the recordings of a project, by the project's whole path; `None` where that is not known.
    #[must_use]
    pub fn transcripts(self, project: &str) -> Option<Transcripts> {
        self.adapter().transcripts(project)
    }

    /// Returns the name that commands and events use, such as `claude-code`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.adapter().facts().name
    }

    /// Returns the agent of that name, in whatever common spelling: `claude`, `Claude Code` and `claude_code` are
    /// all `claude-code`.
    #[must_use]
    pub fn named(name: &str) -> Option<Agent> {
        let exact = Agent::ALL.into_iter().find(|agent| agent.name() == name);
        exact.or_else(|| Agent::ALL.into_iter().find(|agent| agent.names().has(name)))
    }

    /// Returns what its hooks can do.
    #[must_use]
    pub fn abilities(self) -> Abilities {
        self.adapter().facts().abilities
    }

    /// Returns the format of the recordings that it writes.
    #[must_use]
    pub fn recording(self) -> Format {
        self.adapter().facts().recording
    }

    /// Returns the tools that are known of it, in the order of their native names.
    #[must_use]
    pub fn tools(self) -> &'static [Tool] {
        self.adapter().facts().tools
    }

    /// Returns how long it waits for its hook when the user has said something, as it is set up here; `None` where
    /// it waits as long as it takes.
    #[must_use]
    pub fn patience(self) -> Option<Duration> {
        /// Plugins of ours kill the hook then.
        const OF_PLUGINS: Duration = Duration::from_secs(10);
        match &self.adapter().facts().wiring?.means {
            Means::Settings(format) => {
                let time = Duration::from_secs(u64::from(format.timeout));
                Some(time / format.per_second.max(1))
            }
            Means::Plugin(_) => Some(OF_PLUGINS),
        }
    }

    /// Returns the names under which rules know its own tools, native and canonical.
    #[must_use]
    pub fn tool_names(self) -> Vec<&'static str> {
        let tools = self.tools().iter().flat_map(|tool| [tool.native, tool.canonical]);
        tools.chain(self.adapter().facts().implied_tools.iter().copied()).collect()
    }

    /// Reads what the agent wrote to its hook's standard input. Takes time and memory in proportion
    /// to the text; a hook that is not known is a notice without events.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, for people. [`Agent::refuse`] is the safe answer then.
    pub fn read(self, text: &str) -> Result<Notice<'_>, String> {
        let mut notice = self.adapter().read(text)?;
        self.complete(&mut notice);
        Ok(notice)
    }

    /// Returns the canonical names of the tools that it has, where they are known.
    pub(crate) fn canonical_tools(self) -> Option<Vec<Cow<'static, str>>> {
        let facts = self.adapter().facts();
        let own = facts.tools.iter().map(|tool| tool.canonical);
        let all = own.chain(facts.implied_tools.iter().copied());
        (!facts.tools.is_empty()).then(|| all.map(Cow::Borrowed).collect())
    }

    /// Adds what holds for the hooks of all agents: which tools the agent has, and that a turn ends where
    /// it wants to stop.
    fn complete(self, notice: &mut Notice<'_>) {
        notice.about.tools = notice.about.tools.take().or_else(|| self.canonical_tools());
        notice.events.iter_mut().for_each(|event| self.disown(event));
        if notice.sub_agent.is_some() {
            notice.about.subagent = Some(true);
        }
        let wants_to_stop = matches!(notice.hook_event, HookEvent::Stop | HookEvent::SubAgentStop);
        if wants_to_stop
            && !notice.events.iter().any(|event| matches!(event, Event::TurnEnd { .. }))
        {
            let said = notice.events.iter().rev().find_map(|event| match event {
                Event::Text { text } => Some(text.clone()),
                _ => None,
            });
            notice.events.push(Event::TurnEnd { text: said });
        }
    }

    /// Tells a tool apart that somebody else has called as an agent calls the one with which it asks its user: what that one
    /// returns is nobody's word.
    fn disown(self, event: &mut Event<'_>) {
        const ASKING: &str = "ask_user";
        let call = match event {
            Event::ToolCall(call) => Some(call),
            Event::ToolResult(result) => result.call.as_mut(),
            _ => None,
        };
        let Some(call) = call.filter(|_| !self.tools().is_empty()) else { return };
        let native = call.native_tool.as_deref().unwrap_or(&call.tool);
        let is_named_so =
            find(&native.to_ascii_lowercase()).is_some_and(|tool| tool.name == ASKING);
        let is_own =
            |tool: &Tool| tool.canonical == ASKING && tool.native.eq_ignore_ascii_case(native);
        if is_named_so && !self.tools().iter().any(is_own) && !call.tool.starts_with("mcp__") {
            let name = format!("mcp__custom__{}", call.tool);
            let native = std::mem::replace(&mut call.tool, name.into());
            call.native_tool.get_or_insert(native);
        }
    }

    /// Returns the answer that makes the agent do what `reply` says, or the nearest stricter thing that it can
    /// do. Where nothing is to be said the answer leaves everything to the agent: it never allows
    /// what the agent itself would ask its user about.
    #[must_use]
    pub fn answer(self, notice: &Notice<'_>, reply: &Reply) -> Answer {
        let adapter = self.adapter();
        let answer =
            adapter.answer(notice, answer::settle(adapter.facts().abilities, notice, reply));
        match reply.notices.is_empty() {
            true => answer,
            false => notify(adapter.facts().protocol, answer, &reply.notices),
        }
    }

    /// Returns the answer that lets the agent go its own way, and tells its user something.
    #[must_use]
    pub fn tell_user(self, message: &str) -> Answer {
        notify(self.adapter().facts().protocol, self.let_pass(message), &[message.to_owned()])
    }

    /// Tells whether the user is asked about the call of a notice, if that is what is replied.
    #[must_use]
    pub fn asks_about(self, notice: &Notice<'_>) -> bool {
        let adapter = self.adapter();
        let can_here = adapter.facts().abilities.asks && adapter.asks_at(&notice.name);
        can_here && notice.about.headless != Some(true)
    }

    /// Tells whether nobody sits before the agent, by the words of its command line and by what `variable` says of the
    /// environment of its hook. Where nothing shows it, somebody may.
    #[must_use]
    pub fn is_unattended<'w>(
        self,
        mut words: impl Iterator<Item = &'w str>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> bool {
        let unattended = &self.adapter().facts().unattended;
        let is_said = unattended
            .variable
            .is_some_and(|(name, value)| variable(name).is_some_and(|found| found == value));
        let name = |word: &'w str| word.split_once('=').map_or(word, |(name, _)| name);
        is_said || words.any(|word| unattended.words.contains(&name(word)))
    }

    /// Tells whether an ask hangs where nobody sits at the agent's terminal: who answers must find out first.
    #[must_use]
    pub fn hangs_without_terminal(self) -> bool {
        self.adapter().hangs_without_terminal()
    }

    /// Returns the answer that lets the agent go its own way where not even its event was understood, and says
    /// why on standard error.
    #[must_use]
    pub fn let_pass(self, message: &str) -> Answer {
        let answer = match self.adapter().facts().protocol {
            Protocol::HookSpecific | Protocol::Decision => Answer::default(),
            // No text at all may be taken for a refusal.
            Protocol::Permission => answer::json(crate::object::Object::new()),
            Protocol::Verdict => answer::plain(Said::default()),
        };
        Answer { stderr: answer::for_people(message), ..answer }
    }

    /// Returns the answer that keeps whatever was about to happen from happening, for when nothing could be
    /// decided: every agent takes exit code 2 with a text on standard error for a refusal. When the
    /// agent wants to stop, a refusal makes it go on.
    #[must_use]
    pub fn refuse(self, message: &str) -> Answer {
        Answer { stderr: answer::for_people(message), exit_code: 2, ..Answer::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::Agent;

    #[track_caller]
    fn check(agent: Agent, folder: &str, begins_with: Option<&str>) {
        let found = agent.transcripts("/home/dev/my_app.rs").expect("it keeps some");
        assert_eq!((&*found.folder, found.begins_with.as_deref()), (folder, begins_with));
    }

    #[test]
    fn recordings_of_a_project_are_where_its_agents_put_them() {
        check(Agent::ClaudeCode, "projects/-home-dev-my-app-rs", None);
        check(Agent::Pi, "sessions/--home-dev-my_app.rs--", None);
        check(Agent::Codex, "sessions", Some("\"cwd\":\"/home/dev/my_app.rs\""));
        assert_eq!(Agent::Native.transcripts("/home"), None);
    }
}
