//! `behavior hook AGENT`: one event of a running agent in, its answer out. Runs before every tool
//! call of an agent, so nothing is set up here that the event does not need.
//!
//! Whatever goes wrong becomes an answer, too: an agent takes a hook that fails for one that has
//! nothing to say.

mod answer;
mod calls;
mod trouble;

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use behavior_agents::hook::{Agent, Answer, HookEvent, Notice, Reply};
use behavior_runtime::event::Event;
use behavior_runtime::{Decision, Image, SavedError, Session, Verdict};

use crate::args::RuleArgs;
use crate::live::audit::{self, Log};
use crate::live::cache::Cache;
use crate::live::host::LiveHost;
use crate::live::rules;
use crate::live::state::{self, About};
use crate::live::store::{Held, Key, Store};
use crate::live::{cache_directory, usual_directory};
use crate::simulate::json;
use crate::simulate::summary::Seen;
use trouble::Trouble;

/// How long another event of the same session may take before this one gives up.
const LOCK_WAIT: Duration = Duration::from_secs(3);
/// An event that takes longer is answered as one that failed: agents stop waiting at some time, and
/// then do what they like.
const DEADLINE: Duration = Duration::from_secs(8);
/// Payloads larger than this are refused.
const LARGEST_PAYLOAD: u64 = 64 << 20;
/// Sessions that nobody has used for so long are swept.
const SESSIONS_KEPT: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// What the command line asks for.
#[derive(Clone, Debug)]
pub struct Request {
    /// Whose event it is.
    pub agent: Agent,
    /// Which rules to go by.
    pub rules: RuleArgs,
}

/// Takes the arguments behind the program's name, if they are plain ones of this command. Others,
/// and those that ask for help, are left to the parser that knows all commands.
#[must_use]
pub fn parse(args: &[String]) -> Option<Request> {
    let [command, agent, rest @ ..] = args else { return None };
    let agent = Agent::named(agent).filter(|_| command == "hook")?;
    let mut rules = RuleArgs { allow_unknown_conditions: true, ..RuleArgs::default() };
    let mut rest = rest.iter();
    while let Some(arg) = rest.next() {
        match arg.as_str() {
            "-c" | "--config" => rules.config.push(rest.next()?.clone()),
            "--profile" => rules.profile = Some(rest.next()?.clone()),
            "--allow-unknown-conditions" => {}
            _ => return None,
        }
    }
    Some(Request { agent, rules })
}

/// Reads the event, decides, answers, and ends the process.
pub fn run(mut request: Request) -> ! {
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
    std::process::exit(code)
}

/// Whether an answer was given, or is about to be.
static IS_ANSWERED: AtomicBool = AtomicBool::new(false);

/// Gives the answer; its exit code is left to the caller.
fn give(answer: &Answer) -> i32 {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(answer.stdout.as_bytes()).and_then(|()| stdout.flush());
    // An agent that does not listen any more cannot be told anything.
    let _ = std::io::stderr().lock().write_all(answer.stderr.as_bytes());
    match written {
        Ok(()) => i32::from(answer.exit_code),
        Err(error) => unheard(&error),
    }
}

/// Refuses by the exit code what an answer that cannot be written may have refused.
#[cold]
fn unheard(error: &std::io::Error) -> i32 {
    let message = format!("behavior: the answer cannot be written: {error}; the call is refused\n");
    let _ = std::io::stderr().lock().write_all(message.as_bytes());
    REFUSED
}

/// The exit code by which agents take a hook to refuse.
const REFUSED: i32 = 2;

/// Answers in place of what takes too long. Only what may take long is watched: a thread takes time to
/// start.
fn watch(agent: Agent) {
    let wait = move || {
        std::thread::sleep(DEADLINE);
        if !IS_ANSWERED.swap(true, Ordering::SeqCst) {
            let message = format!("`behavior` did not decide within {} s", DEADLINE.as_secs());
            give(&agent.refuse(&message));
            std::process::exit(REFUSED);
        }
    };
    // Without another thread there is only the agent's own patience.
    let _ = std::thread::Builder::new().stack_size(64 << 10).spawn(wait);
}

/// A bug of ours stops the call, rather than letting everything pass.
fn refuse_on_panic(agent: Agent) {
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
        let message = format!(
            "this is a bug in `behavior` {}{}: please report it",
            env!("CARGO_PKG_VERSION"),
            place.unwrap_or_default()
        );
        give(&agent.refuse(&message));
        std::process::exit(2);
    }));
}

/// A path that stays what it is whatever the working directory.
fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn answered(request: &Request) -> Answer {
    let started = Instant::now();
    let state = usual_directory(|name| std::env::var_os(name)).map(|path| whole(&path));
    let cache = cache_directory(|name| std::env::var_os(name)).map(|path| whole(&path));
    let log = Log::beside(state.as_deref());
    let mut payload = Vec::new();
    let read = std::io::stdin().lock().take(LARGEST_PAYLOAD + 1).read_to_end(&mut payload);
    let text = match (read, String::from_utf8(payload)) {
        (Err(error), _) => Err(format!("the event cannot be read: {error}")),
        (Ok(_), Err(_)) => Err("the event is not valid UTF-8".to_owned()),
        (Ok(_), Ok(text)) if text.len() as u64 > LARGEST_PAYLOAD => {
            Err(format!("the event is larger than {LARGEST_PAYLOAD} bytes"))
        }
        (Ok(_), Ok(text)) => Ok(text),
    };
    let agent = request.agent;
    let notice = match &text {
        Ok(text) => agent.read(text),
        Err(message) => Err(message.clone()),
    };
    let cache = cache.map(|path| Cache::at(&path));
    match notice {
        Ok(notice) => Hook { request, notice, state, cache, log, started }.answer(),
        Err(message) => {
            log.failure(agent.name(), None, &message);
            not_understood(request, cache.as_ref(), &message)
        }
    }
}

/// The answer to an event of which nobody knows which call it is about, so that nobody can be asked.
#[cold]
#[inline(never)]
fn not_understood(request: &Request, cache: Option<&Cache>, message: &str) -> Answer {
    enter(None);
    let agent = request.agent;
    match rules::on_error(&request.rules, cache, || watch(agent)) {
        Some(Verdict::Allow) => agent.let_pass(message),
        _ => agent.refuse(message),
    }
}

/// Goes to the directory whose rules hold: the one that the agent tells its hooks, else the one that
/// an event tells.
fn enter(cwd: Option<&str>) -> Option<PathBuf> {
    let told = std::env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from);
    let root = told.filter(|root| root.is_dir()).or_else(|| cwd.map(PathBuf::from));
    let root = root.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
    std::env::set_current_dir(&root).is_ok().then_some(root)
}

/// The session of which something is known. It is held for good: the process ends with this event.
#[inline(never)]
fn session_of(image: &Arc<Image>, saved: &[u8]) -> Result<&'static mut Session, SavedError> {
    let session = match saved {
        [] => Session::new(Arc::clone(image)),
        bytes => Session::restore(Arc::clone(image), bytes)?,
    };
    Ok(Box::leak(Box::new(session)))
}

/// One event on its way.
struct Hook<'a> {
    request: &'a Request,
    notice: Notice<'a>,
    /// Where sessions are kept.
    state: Option<PathBuf>,
    /// Where compiled rules are kept.
    cache: Option<Cache>,
    log: Log,
    started: Instant,
}

impl Hook<'_> {
    fn answer(&self) -> Answer {
        let agent = self.request.agent;
        let switch = std::env::var("BEHAVIOR").ok();
        let is_off = switch.is_some_and(|value| value.eq_ignore_ascii_case("off"));
        // An agent that wants to stop may have written what it cannot stop with before.
        let wants_to_stop =
            matches!(self.notice.hook_event, HookEvent::Stop | HookEvent::SubAgentStop)
                && agent.abilities().keeps_going;
        if self.notice.events.is_empty() && !wants_to_stop {
            return agent.answer(&self.notice, &Reply::default());
        }
        self.decided(is_off).unwrap_or_else(|trouble| self.undecided(trouble))
    }

    /// The answer to an event that could not be decided on.
    #[cold]
    #[inline(never)]
    fn undecided(&self, trouble: Trouble) -> Answer {
        let agent = self.request.agent;
        let trouble = self.with_what_rules_say(trouble);
        let key = self.notice.state_id().into_owned();
        self.log.failure(agent.name(), Some(&key), &trouble.message);
        agent.answer(&self.notice, &trouble::reply(&trouble, agent, &self.notice))
    }

    /// With what the rules say of failures, where it failed before they were asked for.
    fn with_what_rules_say(&self, trouble: Trouble) -> Trouble {
        if trouble.knows_rules() {
            return trouble;
        }
        enter(self.notice.about.cwd.as_deref());
        let agent = self.request.agent;
        match rules::load(&self.request.rules, self.cache.as_ref(), || watch(agent)) {
            Ok(loaded) => trouble.with_rules(&loaded.image),
            Err(broken) => trouble.with_broken_rules(&broken),
        }
    }

    fn decided(&self, is_off: bool) -> Result<Answer, Trouble> {
        let agent = self.request.agent;
        let directory = self.state.as_deref().ok_or_else(|| {
            Trouble::new("nothing says where sessions are kept: set `BEHAVIOR_STATE_DIR`")
        })?;
        let store = Store::at(directory);
        let key = Key {
            agent: agent.name().to_owned(),
            session: self.notice.session.clone().into_owned(),
            sub_agent: self.notice.sub_agent.clone().map(std::borrow::Cow::into_owned),
        };
        if self.notice.hook_event == HookEvent::SessionStart {
            // What cannot be swept now is swept another time.
            let _ = store.sweep(SESSIONS_KEPT, SystemTime::now());
        }
        let held = match store.open(&key, LOCK_WAIT) {
            Ok(held) => held,
            Err(error) => return Err(trouble::of_store(&store, &key, &error)),
        };
        let known = held.record().map(|record| state::split(record.state()));
        let is_first = known.is_none();
        let (mut about, saved) = match known {
            None => (About::default(), &[][..]),
            Some(Some(parts)) => parts,
            Some(None) => return Err(trouble::of_state(held, "it is of no known form")),
        };
        if !about.enabled.unwrap_or(!is_off) {
            return Ok(agent.answer(&self.notice, &Reply::default()));
        }
        if self.goes_on_as_told(&about) {
            // It is no new turn, and nothing that the user said.
            return Ok(agent.answer(&self.notice, &Reply::default()));
        }
        self.enter_root(&mut about);
        let loaded = rules::load(&self.request.rules, self.cache.as_ref(), || watch(agent))
            .map_err(Trouble::of_rules)?;
        for note in &loaded.notes {
            self.log.failure(agent.name(), Some(&self.notice.state_id()), note);
        }
        let session = match session_of(&loaded.image, saved) {
            Ok(session) => session,
            Err(error) => return Err(trouble::of_state(held, &error.to_string())),
        };
        let mut answer = self.decide(session, &loaded.image, about, held)?;
        // What stands there beside an answer that refuses is taken for the reason.
        if answer.exit_code == 0 {
            answer.stderr.insert_str(0, &loaded.remarks(is_first));
        }
        Ok(answer)
    }

    /// Whether this is the prompt with which an agent goes on because it was not let stop: some tell it
    /// as if the user had said it.
    fn goes_on_as_told(&self, about: &About) -> bool {
        let Some(told) = &about.going_on else { return false };
        let is_told = |event: &Event<'_>| matches!(event, Event::TurnStart { text: Some(text) } if text.trim_start().starts_with(told));
        self.notice.hook_event == HookEvent::Prompt && self.notice.events.iter().all(is_told)
    }

    /// Goes to the directory whose rules hold. An agent that changes its directory does not get away
    /// from them.
    fn enter_root(&self, about: &mut About) {
        let known = about.root.as_ref().filter(|root| root.is_dir());
        if known.is_some_and(|root| std::env::set_current_dir(root).is_ok()) {
            return;
        }
        if let Some(root) = enter(self.notice.about.cwd.as_deref()) {
            about.root = Some(root);
        }
    }

    fn decide(
        &self,
        session: &mut Session,
        image: &Image,
        mut about: About,
        held: Held,
    ) -> Result<Answer, Trouble> {
        let agent = self.request.agent;
        let mut host = LiveHost;
        session.apply(&Event::SessionStart(self.notice.about.clone()), &mut host);
        session.set_text_unknown(!agent.abilities().tells_text_before_tools);
        let before = self.notice.counts_elsewhere.then(|| session.clone());
        let call = self.call_of_result(&mut about);
        let completed = call.as_deref().and_then(|call| self.completed(call));
        let events = completed.as_ref().map_or(&*self.notice.events, std::slice::from_ref);
        let mut decided: Vec<(&Event<'_>, Decision)> = Vec::new();
        for event in events {
            // The disk tells better than a payload what is there now.
            if !matches!(event, Event::Fs(_)) {
                decided.push((event, session.apply(event, &mut host)));
            }
        }
        if !image.is_sound() {
            // The next event compiles the rules again.
            rules::forget(&self.request.rules, self.cache.as_ref());
            return Err(Trouble::new("the compiled rules were damaged on disk, and are made anew"));
        }
        if let Some(trouble) = trouble::of_long_lines(session, &decided, image) {
            return Err(trouble);
        }
        if self.notice.is_of_unknown_server {
            decided.iter_mut().for_each(|(_, decision)| answer::doubt_server(decision, image));
        }
        let mut reply = answer::reply(&self.notice, &decided, image, agent);
        self.go_on_later(&mut reply, &mut about);
        let is_denied = reply.verdict == Some(Verdict::Deny) && !self.notice.stopped_before;
        // What is to be told, the hook that counts tells.
        if !self.notice.counts_elsewhere {
            reply.context.splice(0..0, std::mem::take(&mut about.later));
        }
        let mut answer = agent.answer(&self.notice, &reply);
        if agent == Agent::Native {
            answer = self.decision_itself(&decided, image, session);
        }
        about.later.append(&mut answer.later);
        if is_denied && self.notice.hook_event == HookEvent::Stop {
            about.going_on = Some(reply.reason.trim().to_owned());
        } else if self.notice.hook_event == HookEvent::Prompt {
            about.going_on = None;
        }
        let ended = self.notice.hook_event == HookEvent::SessionEnd
            || self.notice.hook_event == HookEvent::SubAgentStop && !is_denied;
        let to_save = before.as_ref().filter(|_| !is_denied).unwrap_or(session);
        if self.notice.hook_event == HookEvent::SessionEnd && self.notice.sub_agent.is_none() {
            self.end_sub_agents();
        }
        self.save(to_save, &about, image, held, ended).map_err(|trouble| {
            // What is forbidden stays so.
            let trouble = trouble.with_rules(image);
            if is_denied { trouble.denied(&reply) } else { trouble }
        })?;
        self.log_decisions(&decided, image);
        Ok(answer)
    }

    /// Of a program of one's own: the call that a result belongs to, which was told before. A call is
    /// kept for that.
    fn call_of_result(&self, about: &mut About) -> Option<String> {
        if self.request.agent != Agent::Native {
            return None;
        }
        match self.notice.events.first()? {
            Event::ToolResult(result) => calls::take(&mut about.open, result),
            call @ Event::ToolCall(_) => {
                calls::keep(&mut about.open, call);
                None
            }
            _ => None,
        }
    }

    /// The result with its call.
    fn completed<'e>(&'e self, call: &'e str) -> Option<Event<'e>> {
        match self.notice.events.first()? {
            Event::ToolResult(result) => calls::completed(result, call),
            _ => None,
        }
    }

    /// Some agents tell what they write before they want to stop, and only then can be made to go on:
    /// until then, what is wrong with it waits. An agent that goes on by itself is told meanwhile.
    fn go_on_later(&self, reply: &mut Reply, about: &mut About) {
        let can = self.request.agent.abilities().keeps_going;
        match self.notice.hook_event {
            HookEvent::Other if can && reply.verdict == Some(Verdict::Deny) => {
                reply.verdict = None;
                about.unanswered.push(std::mem::take(&mut reply.reason));
            }
            HookEvent::Stop | HookEvent::SubAgentStop if !about.unanswered.is_empty() => {
                let mut reasons = std::mem::take(&mut about.unanswered);
                reasons.extend(reply.verdict.is_some().then(|| std::mem::take(&mut reply.reason)));
                reply.verdict = Some(Verdict::Deny);
                reply.reason = reasons.join("\n\n");
            }
            HookEvent::Other => {}
            _ => {
                reply.context.splice(0..0, std::mem::take(&mut about.unanswered));
            }
        }
    }

    /// Ends the sessions of the sub-agents of a session that is over: not every agent tells of each. What
    /// cannot be ended now is swept one day.
    fn end_sub_agents(&self) {
        let Some(store) = self.state.as_deref().map(Store::at) else { return };
        let name = self.request.agent.name();
        let is_of_this = |key: &Key| {
            key.agent == name && key.session == self.notice.session && key.sub_agent.is_some()
        };
        for listed in store.list().unwrap_or_default() {
            if listed.key.as_ref().is_some_and(is_of_this) {
                let _ = store.remove_file(&listed.path, Duration::ZERO);
            }
        }
    }

    /// The answer for a program that takes the decision itself.
    fn decision_itself(
        &self,
        decided: &[(&Event<'_>, Decision)],
        image: &Image,
        session: &Session,
    ) -> Answer {
        let options = json::Options { all: true, state: false, file: false, list: false };
        let report = json::JsonReport::new(image, options);
        let mut answer = Answer::default();
        for (index, (event, decision)) in (0..).zip(decided) {
            let name = &*self.notice.session;
            let seen = Seen { file: "", index, line: 1, name, slot: 0, session, event, decision };
            answer.stdout.push_str(&report.line(&seen));
        }
        answer
    }

    fn save(
        &self,
        session: &Session,
        about: &About,
        image: &Image,
        mut held: Held,
        ended: bool,
    ) -> Result<(), Trouble> {
        let failed = |error| Trouble::new(&crate::live::describe(&error));
        if ended {
            return held.remove().map_err(failed);
        }
        let mut bytes = Vec::with_capacity(1024);
        session.save(&mut bytes);
        let bytes = about.with_session(&bytes);
        held.save(&bytes, image.identity(), SystemTime::now()).map_err(failed)
    }

    fn log_decisions(&self, decided: &[(&Event<'_>, Decision)], image: &Image) {
        let state_id = self.notice.state_id();
        for (event, decision) in decided {
            self.log.decision(&audit::Decided {
                agent: self.request.agent.name(),
                session: &state_id,
                event,
                decision,
                image,
                took: self.started.elapsed(),
            });
        }
    }
}
