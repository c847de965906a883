//! `behavior hook AGENT`: one event of a running agent in, its answer out. Runs before every tool
//! call of an agent, so nothing is set up here that the event does not need.
//!
//! Whatever goes wrong becomes an answer, too: an agent takes a hook that fails for one that has
//! nothing to say.

mod answer;
mod calls;
mod classify;
mod ending;
mod granting;
mod hearing;
mod limits;
mod opening;
mod own_commands;
mod payload;
mod sessions;
mod settling;
mod steps;
mod trouble;
pub mod verify;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use behavior_agents::hook::{Agent, Answer, HookEvent, Notice, Reply};
use behavior_runtime::event::Event;
use behavior_runtime::verifier::FOLLOW_UP;
use behavior_runtime::{Decision, Layers};
use limits::DEADLINE;
use steps::{Asking, Decided, Hook, KeptAnswer, OpenQuestion, Settled, ToKeep};

use crate::args::RuleArgs;
use crate::live::audit::Log;
use crate::live::cache::Cache;
use crate::live::host::LiveHost;
use crate::live::kept_list::KeptList;
use crate::live::secret_key::SecretKey;
use crate::live::{cache_directory, rules, usual_directory};
use ending::{IS_ANSWERED, IS_BEFORE, IS_DECIDED, IS_GUARDED, end, give, refuse_on_panic, watch};
use sessions::State;
use settling::{decided_itself, decision_itself};
use trouble::Trouble;

pub use steps::Request;

/// Takes the arguments behind the program's name, if they are plain ones of this command. Others,
/// and those that ask for help, are left to the parser that knows all commands.
#[must_use]
pub fn parse(args: &[String]) -> Option<Request> {
    let [command, agent, rest @ ..] = args else { return None };
    let agent = Agent::named(agent).filter(|_| command == "hook")?;
    let mut rules = RuleArgs { allow_unknown_conditions: true, ..RuleArgs::default() };
    let mut is_guarded = false;
    let mut rest = rest.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "-c" | "--config" => rules.config.push(rest.next()?.clone()),
            "--profile" => rules.profile = Some(rest.next()?.clone()),
            "--allow-unknown-conditions" => {}
            "--guarded" => is_guarded = true,
            _ => return None,
        }
    }
    // Beside files that are named it says which of their profiles holds.
    if rules.config.is_empty() {
        rules.users_profile = rules.profile.take();
    }
    Some(Request { agent, rules, is_guarded })
}

/// Reads the event, decides, answers, and ends the process.
pub fn run(mut request: Request) -> ! {
    IS_GUARDED.store(request.is_guarded, Ordering::Relaxed);
    refuse_on_panic(request.agent);
    // The working directory is left for that of the project.
    for path in &mut request.rules.config {
        if let Some(whole) = whole(Path::new(path)).to_str() {
            whole.clone_into(path);
        }
    }
    let answer = answered(&request);
    if IS_ANSWERED.swap(true, Ordering::SeqCst) {
        // Out of time: the other thread is about to end the process.
        std::thread::sleep(DEADLINE);
    }
    let code = give(&answer);
    // Whatever is still held goes with the process, which is quicker than giving it back.
    end(code)
}

/// A path that stays what it is whatever the working directory.
fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The way of an event: it is read and decided on, what to do is settled within what the agent can do, what is
/// to stay is kept, and it is answered. What fails on the way is settled, too.
fn answered(request: &Request) -> Answer {
    let started = Instant::now();
    let payload = payload::take(request.agent, started + DEADLINE);
    watch(request.agent);
    let notice = payload::read(request.agent, &payload);
    if let Ok(notice) = &notice {
        let is_before =
            matches!(notice.hook_event, HookEvent::BeforeTool | HookEvent::SubAgentStart);
        IS_BEFORE.store(is_before, Ordering::Relaxed);
    }
    let mut hook = Hook::new(request, started, notice);
    hook.look_for_missed();
    let decided = hook.decide();
    let is_decided = decided.is_ok();
    let settled = hook.settle(decided);
    let kept = hook.keep(settled);
    if is_decided && kept.is_ok() {
        hook.has_heard();
    }
    hook.answer(kept)
}

impl<'a> Hook<'a> {
    fn new(request: &'a Request, started: Instant, notice: Result<Notice<'a>, String>) -> Self {
        let state = usual_directory(|name| std::env::var_os(name)).map(|path| whole(&path));
        let cache = cache_directory(|name| std::env::var_os(name)).map(|path| whole(&path));
        // Without a key, nothing that is kept can be believed: the rules are compiled each time.
        let key = state.as_deref().map(SecretKey::of_user);
        let known = key.as_ref().and_then(|key| key.as_ref().ok().cloned());
        let log = Log::beside(state.as_deref(), known.clone());
        let cache = cache.zip(known).map(|(path, key)| Cache::at(&path, key));
        Self { request, notice, state, key, cache, log, started, has_missed: false }
    }

    /// Decides on what happened; nothing where there is nothing to decide on.
    fn decide(&self) -> Result<Option<Decided<'_>>, Trouble> {
        let notice = self.notice.as_ref().map_err(|message| Trouble::new(message))?;
        // An agent that wants to stop may have written what it cannot stop with before.
        let wants_to_stop = matches!(notice.hook_event, HookEvent::Stop | HookEvent::SubAgentStop)
            && self.request.agent.abilities().keeps_going;
        if notice.events.is_empty() && !wants_to_stop {
            return Ok(None);
        }
        // Rules that turn out to be damaged on disk are made anew, and decide then.
        for _ in 0..2 {
            let Some(opened) = self.open(notice)? else { return Ok(None) };
            let decided = self.apply(notice, opened)?;
            if let Some(error) = decided.shelves.trouble() {
                return Err(trouble::of_tree(decided.held, &error));
            }
            if decided.layers.iter().all(|(_, image)| image.is_sound()) {
                return Ok(Some(decided));
            }
            rules::forget(&self.request.rules, self.cache.as_ref());
        }
        Err(Trouble::new("the compiled rules are damaged on disk, again and again"))
    }

    /// Settles what is answered, within what the agent can do. Whatever failed before ends here.
    fn settle<'e>(&'e self, decided: Result<Option<Decided<'e>>, Trouble>) -> Settled<'e> {
        match (&self.notice, decided) {
            (Ok(notice), Ok(Some(decided))) => self.settle_decision(notice, decided),
            (Ok(notice), Ok(None)) => {
                Settled::of(self.request.agent.answer(notice, &Reply::default()))
            }
            (Err(message), Ok(_)) => Settled::of(self.not_understood(message)),
            (_, Err(trouble)) => Settled::of(self.undecided(trouble)),
        }
    }

    /// Keeps the session and the log of what was decided.
    fn keep<'e>(&self, settled: Settled<'e>) -> Result<KeptAnswer<'e>, Trouble> {
        let Settled { answer, to_keep } = settled;
        let (Ok(notice), Some(ToKeep { decided, denial, question })) = (&self.notice, to_keep)
        else {
            return Ok(KeptAnswer { answer, open: None });
        };
        let Decided {
            layers,
            session,
            before,
            mut about,
            held,
            names,
            shelves,
            resting,
            decisions,
            contents,
            ..
        } = decided;
        let to_save = before.as_ref().filter(|_| denial.is_none()).unwrap_or(session);
        // What the user said no to holds where the session is taken up again.
        let has_noes = || to_save.sessions().any(|(_, session)| session.has_noes());
        let ended = notice.hook_event == HookEvent::SessionEnd && !has_noes()
            || notice.hook_event == HookEvent::SubAgentStop && denial.is_none();
        if notice.hook_event == HookEvent::BeforeTool {
            self.remember_stopped(notice, &decisions, &layers, &about, &contents);
        }
        if notice.hook_event == HookEvent::SessionEnd && notice.sub_agent.is_none() {
            self.end_sub_agents(notice);
        }
        if decided_itself(&decisions) || to_save.constitution().is_some() {
            about.constitution =
                to_save.constitution().and_then(|layer| KeptList::of(layer.list()));
        }
        self.give_shared(notice, to_save, &names, &mut about.noes)
            .map_err(|trouble| denied_still(trouble, &layers, denial.as_ref()))?;
        let state =
            State { session: to_save, names: &names, shelves: &shelves, resting: &resting, about };
        state
            .save(held, ended)
            .map_err(|trouble| denied_still(trouble, &layers, denial.as_ref()))?;
        self.log_decisions(notice, &decisions, &layers);
        let open = question.map(|question| OpenQuestion { question, layers, session, decisions });
        Ok(KeptAnswer { answer, open })
    }

    /// Returns the answer. What could not be kept is answered as what could not be decided on.
    fn answer(&self, kept: Result<KeptAnswer<'_>, Trouble>) -> Answer {
        match kept {
            Ok(KeptAnswer { answer, open: None }) => answer,
            Ok(KeptAnswer { answer, open: Some(open) }) => self.ask_model(answer, open),
            Err(trouble) => self.undecided(trouble),
        }
    }

    /// Asks a model, and returns the answer with what the agent is told of that.
    #[cold]
    #[inline(never)]
    fn ask_model(&self, answer: Answer, open: OpenQuestion<'_>) -> Answer {
        let Ok(notice) = &self.notice else { return answer };
        IS_DECIDED.store(true, Ordering::Relaxed);
        let OpenQuestion { question, layers, session, mut decisions } = open;
        let (asking, mut reply) = *question;
        let agent = self.request.agent;
        let state_id = notice.state_id();
        let whose = (agent, &*state_id);
        let took = self.started.elapsed();
        match asking {
            Asking::Message(question) => {
                let directive = question.ask(session, whose, took, &self.log);
                let Some(directive) = directive else { return answer };
                let due = |decision: &Decision| decision.classifier.is_some_and(|due| due.runs);
                let due = decisions.iter_mut().find(|(_, decision)| due(decision));
                if let (Agent::Native, Some((_, decision))) = (agent, due) {
                    decision.besides_mut().directive = Some(directive.clone());
                }
                reply.context.push(directive);
            }
            Asking::Response(question) => {
                let turn = question.turn;
                let enter = |answered: &_| self.take_verdict(notice, answered, turn);
                let Some((answered, entered)) = question.ask(whose, took, &self.log, enter) else {
                    return answer;
                };
                match entered {
                    Ok(Some(verdict)) => {
                        verify::join(&mut decisions, &verdict);
                        verify::add(&mut reply, &verdict);
                    }
                    Ok(None) => return answer,
                    Err(trouble) => {
                        self.log.failure(agent.name(), Some(&state_id), &trouble.message);
                        let lost = verify::lost(&answered, &trouble.message);
                        verify::join(&mut decisions, &lost);
                        verify::add(&mut reply, &lost);
                    }
                }
            }
        }
        if agent == Agent::Native {
            return decision_itself(notice, &decisions, &layers, session);
        }
        // What was to be said beside the answer stays so.
        let said = agent.answer(notice, &reply);
        Answer { stderr: answer.stderr + &said.stderr, ..said }
    }

    /// Enters what the verifier's model answered about the response of a turn into the session, and returns what was
    /// decided on it; nothing where the user has begun another turn meanwhile.
    fn take_verdict(
        &self,
        notice: &Notice<'_>,
        answered: &Result<String, String>,
        turn: u32,
    ) -> Result<Option<Decision>, Trouble> {
        let agent = self.request.agent;
        let Some(opened) = self.open(notice)? else { return Ok(None) };
        let Decided { session, mut about, held, names, shelves, resting, .. } = opened;
        if session.own().turn() != turn {
            return Ok(None);
        }
        verify::prepare_verdict(session, &about);
        let reply = match answered {
            Ok(reply) => Ok(reply.as_str().into()),
            Err(failure) => Err(failure.as_str().into()),
        };
        let event = Event::VerifierReply { reply };
        let decision = session.apply(&event, &mut LiveHost::default());
        if verify::flag(&decision).is_some() && agent.abilities().keeps_going {
            // What a model says is not kept.
            about.going_on = Some(FOLLOW_UP.to_owned());
        }
        let state = State { session, names: &names, shelves: &shelves, resting: &resting, about };
        state.save(held, false)?;
        Ok(Some(decision))
    }
}

/// What could not be kept, where what is forbidden stays so.
fn denied_still(trouble: Trouble, layers: &Arc<Layers>, denial: Option<&Reply>) -> Trouble {
    let trouble = trouble.with_layers(layers);
    match denial {
        Some(reply) => trouble.with_decision(reply),
        None => trouble,
    }
}

impl Settled<'_> {
    /// An answer of which nothing stays.
    fn of(answer: Answer) -> Self {
        Self { answer, to_keep: None }
    }
}
