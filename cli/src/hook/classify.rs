//! The classifier of a running agent: asked about what the user says before the agent sees it, once the session is
//! kept and free for others. Whatever fails costs the turn nothing but the time, and is one line in the log.

use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::Duration;

use behavior_agents::hook::{Agent, HookEvent, Notice, Reply};
use behavior_agents::{Format, Item, Problem, Sink};
use behavior_runtime::TurnView;
use behavior_runtime::conversation::Conversation;
use behavior_runtime::event::Event;
use behavior_runtime::model::{ModelFailure, ModelReply, ModelRequest};
use behavior_runtime::{Decision, Host, LayeredSession, Verdict};

use super::verify::MARGIN;
use crate::live::audit::Log;
use crate::live::host::LiveHost;
use crate::models::{self, Asker, Chosen};
use crate::project;

/// How much of a transcript is looked at, from its end.
const MAX_TRANSCRIPT: u64 = 512 << 10;

/// A question to a model that waits for its answer.
pub struct Question {
    request: ModelRequest,
    chosen: Option<Chosen>,
}

impl Question {
    /// Returns the question about what the user said, where there is one.
    pub fn of(
        notice: &Notice<'_>,
        decisions: &[(&Event<'_>, Decision)],
        session: &LayeredSession,
        agent: Agent,
        reply: &Reply,
    ) -> Option<Self> {
        let is_told = notice.hook_event == HookEvent::Prompt && agent.abilities().context_on_prompt;
        if !is_told || reply.verdict == Some(Verdict::Deny) {
            return None;
        }
        let due = |decision: &Decision| decision.classifier.is_some_and(|due| due.runs);
        let (event, _) = decisions.iter().find(|(_, decision)| due(decision))?;
        let Event::TurnStart { text } = event else { return None };
        let message = text.as_deref().unwrap_or_default();
        let mut conversation = said_before(notice, agent);
        conversation.forget_last(message);
        let branch = LiveHost::default().branch();
        let turn = TurnView { branch: branch.as_deref(), ..conversation.turn(message) };
        let request = session.classifier_request(&turn)?;
        let choice = models::Choice { layers: session.layers(), trusts_project: true };
        Some(Self { chosen: models::choose(choice, request.purpose), request })
    }

    /// Returns whether there is nobody to be asked.
    pub fn has_nobody(&self) -> bool {
        self.chosen.is_none()
    }

    /// Asks, within what is left of the agent's patience, and returns what the agent is told, if anything. What came
    /// of it goes into the log.
    pub fn ask(
        mut self,
        session: &LayeredSession,
        (agent, state_id): (Agent, &str),
        took: Duration,
        log: &Log,
    ) -> Option<String> {
        let chosen = self.chosen?;
        if let Some(patience) = agent.patience() {
            let left = patience.saturating_sub(MARGIN).saturating_sub(took);
            self.request.timeout = self.request.timeout.min(left);
        }
        let asker = Asker { log, name: agent.name(), session: state_id };
        let mut directive = None;
        // What came of it is in the log, and nothing else is made of a failure.
        let _ = asker.ask(&chosen.brain, &self.request, |answered| {
            let (told, outcome) = read(session, answered);
            directive = told;
            outcome
        });
        directive
    }
}

/// What the agent is told of an answer, and what came of it, without a word of the answer.
fn read(
    session: &LayeredSession,
    answered: &Result<ModelReply, ModelFailure>,
) -> (Option<String>, String) {
    let reply = match answered {
        Ok(reply) => reply,
        Err(failure) => return (None, failure.to_string()),
    };
    let read = session.classifying().map(|session| session.directive_of(&reply.raw));
    let (directive, problems) = read.unwrap_or_default();
    let outcome = match (&directive, problems.len()) {
        (Some(_), 0) => "a directive",
        (Some(_), _) => "a directive, of an answer that is not as it was asked for",
        (None, 0) => "no directive",
        (None, _) => "an answer that cannot be read",
    };
    (directive, outcome.to_owned())
}

/// What was said before, as far as the end of the agent's transcript tells.
fn said_before(notice: &Notice<'_>, agent: Agent) -> Conversation {
    let mut gathered = Gathered::default();
    if let Some(path) = &notice.transcript {
        // What cannot be read tells nothing.
        let _ = gather(Path::new(&**path), agent.recording(), &mut gathered);
    }
    gathered.0.note(&Event::SessionStart(notice.about.clone()));
    gathered.0
}

fn gather(path: &Path, format: Format, into: &mut Gathered) -> std::io::Result<()> {
    let mut file = project::open_regular(path)?;
    let metadata = file.metadata()?;
    let skipped = metadata.len().saturating_sub(MAX_TRANSCRIPT);
    file.seek(SeekFrom::Start(skipped))?;
    let mut reader = BufReader::new(file.take(MAX_TRANSCRIPT));
    if skipped > 0 {
        reader.skip_until(b'\n')?;
    }
    behavior_agents::read(format, &mut reader, into).map(drop)
}

/// Keeps what was said.
#[derive(Default)]
struct Gathered(Conversation);

impl Sink for Gathered {
    fn item(&mut self, item: Item<'_>) {
        self.0.note(&item.event);
    }

    fn problem(&mut self, _: Problem) {}

    fn wants_exchanges(&self) -> bool {
        false
    }
}
