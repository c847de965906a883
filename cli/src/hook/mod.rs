//! `behavior hook AGENT`: one event of a running agent in, its answer out. Runs before every tool
//! call of an agent, so nothing is set up here that the event does not need.
//!
//! Whatever goes wrong becomes an answer, too: an agent takes a hook that fails for one that has
//! nothing to say.

mod answer;
mod calls;
mod classify;
mod granting;
mod own_commands;
mod trouble;
pub mod verify;

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use behavior_agents::hook::{Agent, Answer, HookEvent, Notice, Reply};
use behavior_agents::install::{self, ANSWERED};
use behavior_json::plain::neutral_plain;
use behavior_runtime::event::Event;
use behavior_runtime::verifier::FOLLOW_UP;
use behavior_runtime::{
    Decision, KeptSets, Layer, LayeredSession, Layers, SavedError, Session, Verdict,
};

use crate::args::RuleArgs;
use crate::live::audit::{self, Log};
use crate::live::cache::Cache;
use crate::live::changes;
use crate::live::constitution;
use crate::live::host::LiveHost;
use crate::live::kept_list::KeptList;
use crate::live::kept_sets::{self, LayerSets};
use crate::live::rules::{self, Broken, Loaded, Which};
use crate::live::secret_key::SecretKey;
use crate::live::state::{About, Kept};
use crate::live::store::{Held, Key, Seal, Store, StoreError};
use crate::live::trust::Trust;
use crate::live::{cache_directory, usual_directory};
use crate::project;
use crate::simulate::json;
use crate::simulate::summary::Seen;
use crate::workflow;
use classify::Question;
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
    /// Whether the shell that runs it takes only exit codes of its own for an answer.
    pub is_guarded: bool,
}

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

/// Whether the shell that runs this takes only exit codes of its own for an answer.
static IS_GUARDED: AtomicBool = AtomicBool::new(false);

/// Ends the process with the exit code that the agent, or the shell in between, knows.
fn end(code: i32) -> ! {
    let code = match (IS_GUARDED.load(Ordering::Relaxed), code) {
        (false, code) => code,
        (true, 0) => i32::from(ANSWERED),
        (true, _) => i32::from(install::REFUSED),
    };
    std::process::exit(code)
}

/// Whether all is decided and kept.
static IS_DECIDED: AtomicBool = AtomicBool::new(false);

/// Whether an answer was given, or is about to be.
static IS_ANSWERED: AtomicBool = AtomicBool::new(false);

/// Gives the answer; its exit code is left to the caller.
fn give(answer: &Answer) -> i32 {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(answer.stdout.as_bytes()).and_then(|()| stdout.flush());
    // An agent that does not listen any more cannot be told anything.
    let _ = std::io::stderr().lock().write_all(neutral_plain(&answer.stderr).as_bytes());
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

/// Answers in place of what takes too long: an agent that waits no more takes that for nothing. Only what may take
/// long is watched, since a thread takes time to start: large events, and rules that have to be compiled. Reading
/// the event has a deadline of its own, waiting for another event of the session too, and files that could be
/// waited for are not opened.
fn watch(agent: Agent) {
    let wait = move || {
        std::thread::sleep(DEADLINE);
        // A model that is asked after that has a time of its own.
        if IS_DECIDED.load(Ordering::Relaxed) {
            return;
        }
        if !IS_ANSWERED.swap(true, Ordering::SeqCst) {
            let message = format!("`behavior` did not decide within {} s", DEADLINE.as_secs());
            end(give(&undecided(agent, &message)));
        }
    };
    // Without another thread there is only the agent's own patience.
    let _ = std::thread::Builder::new().stack_size(64 << 10).spawn(wait);
}

/// Whether the event may be about something that can still be refused: it is, until it is known.
static IS_BEFORE: AtomicBool = AtomicBool::new(true);

/// Returns the answer where nothing could be decided, and nothing is left to find out more. What the user says, and
/// what has happened already, is not refused: the one has to be able to talk about it, the other is over.
fn undecided(agent: Agent, message: &str) -> Answer {
    match IS_BEFORE.load(Ordering::Relaxed) {
        true => agent.refuse(message),
        false => agent.let_pass(message),
    }
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
        end(give(&undecided(agent, &message)));
    }));
}

/// A path that stays what it is whatever the working directory.
fn whole(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The way of an event: it is read and decided on, what to do is settled within what the agent can do, what is
/// to stay is kept, and it is answered. What fails on the way is settled, too.
fn answered(request: &Request) -> Answer {
    let started = Instant::now();
    let payload = payload(request.agent, started + DEADLINE);
    let notice = read(request.agent, &payload);
    if let Ok(notice) = &notice {
        let is_before =
            matches!(notice.hook_event, HookEvent::BeforeTool | HookEvent::SubAgentStart);
        IS_BEFORE.store(is_before, Ordering::Relaxed);
    }
    let hook = Hook::new(request, started, notice);
    let decided = hook.decide();
    let settled = hook.settle(decided);
    let kept = hook.keep(settled);
    hook.answer(kept)
}

/// Returns what stands on standard input, or why there is nothing to be read.
fn payload(agent: Agent, deadline: Instant) -> Result<String, String> {
    /// So much is read at once.
    const CHUNK: usize = 8 << 10;
    let mut payload = Vec::with_capacity(CHUNK);
    let mut input = std::io::stdin().lock().take(LARGEST_PAYLOAD + 1);
    let failed = |error| format!("the event cannot be read: {error}");
    let mut is_watched = false;
    loop {
        if !is_watched && payload.len() >= USUAL_PAYLOAD {
            is_watched = true;
            watch(agent);
        }
        if !is_watched && !has_input(deadline) {
            return Err(format!("the event did not end within {} s", DEADLINE.as_secs()));
        }
        let start = payload.len();
        payload.resize(start + CHUNK, 0);
        let rest = payload.get_mut(start..).unwrap_or_default();
        let count = input.read(rest).map_err(failed)?;
        payload.truncate(start + count);
        if count == 0 {
            break;
        }
    }
    let text = String::from_utf8(payload).map_err(|_| "the event is not valid UTF-8".to_owned())?;
    match text.len() as u64 > LARGEST_PAYLOAD {
        true => Err(format!("the event is larger than {LARGEST_PAYLOAD} bytes")),
        false => Ok(text),
    }
}

/// Events are rarely larger; more than this may take long to read and to decide on.
const USUAL_PAYLOAD: usize = 64 << 10;

/// Waits until there is something to be read on standard input, or it ends; says whether that was in time.
#[cfg(unix)]
fn has_input(deadline: Instant) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let left = deadline.saturating_duration_since(Instant::now());
    let Ok(timeout) = Timespec::try_from(left) else { return true };
    let stdin = std::io::stdin();
    let mut descriptors = [PollFd::new(&stdin, PollFlags::IN)];
    // What cannot be waited for, such as a file, can be read.
    poll(&mut descriptors, Some(&timeout)).is_ok_and(|ready| ready > 0) || Instant::now() < deadline
}

#[cfg(not(unix))]
fn has_input(_: Instant) -> bool {
    true
}

/// Reads what the agent says of its event.
fn read(agent: Agent, payload: &Result<String, String>) -> Result<Notice<'_>, String> {
    payload.as_ref().map_err(Clone::clone).and_then(|text| agent.read(text))
}

/// One event on its way.
struct Hook<'a> {
    request: &'a Request,
    /// The event, or why it was not understood.
    notice: Result<Notice<'a>, String>,
    /// Where sessions are kept.
    state: Option<PathBuf>,
    /// What authenticates them, or why it cannot be had.
    key: Option<io::Result<SecretKey>>,
    /// Where compiled rules are kept.
    cache: Option<Cache>,
    log: Log,
    started: Instant,
}

/// What was decided on the events of a notice.
struct Decided<'a> {
    layers: Arc<Layers>,
    session: &'static mut LayeredSession,
    /// The session before it, where another hook is the one that counts.
    before: Option<LayeredSession>,
    about: About,
    held: Held,
    /// The names under which the layers keep their state.
    names: Vec<String>,
    /// Where the layers keep the targets of their sets.
    shelves: Shelves,
    /// The state of layers that could not decide now.
    resting: Vec<(String, Vec<u8>)>,
    decisions: Vec<(&'a Event<'a>, Decision)>,
    /// What is answered for layers that could not decide.
    of_broken: Vec<Reply>,
    /// What people are to be told of the rules.
    remarks: String,
    /// What the agent is to tell its user.
    notes: Vec<String>,
}

/// What is answered, and what stays of it.
struct Settled<'a> {
    answer: Answer,
    /// Nothing stays of what was not decided on.
    to_keep: Option<ToKeep<'a>>,
}

/// What stays of a decision.
struct ToKeep<'a> {
    decided: Decided<'a>,
    /// What was replied, if that was a denial.
    denial: Option<Reply>,
    /// What a model is to be asked, with what is replied besides.
    question: Option<Box<(Asking, Reply)>>,
}

/// What a model is asked.
enum Asking {
    /// About what the user said.
    Message(Question),
    /// About what the agent answered.
    Response(verify::Question),
}

/// What is answered once all is kept that is to stay.
struct KeptAnswer<'a> {
    answer: Answer,
    /// What a model is asked before.
    open: Option<OpenQuestion<'a>>,
}

/// A question to a model, and what the answer is made of once that has answered.
struct OpenQuestion<'a> {
    question: Box<(Asking, Reply)>,
    layers: Arc<Layers>,
    session: &'static LayeredSession,
    decisions: Vec<(&'a Event<'a>, Decision)>,
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
        Self { request, notice, state, key, cache, log, started }
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
            ..
        } = decided;
        let ended = notice.hook_event == HookEvent::SessionEnd
            || notice.hook_event == HookEvent::SubAgentStop && denial.is_none();
        let to_save = before.as_ref().filter(|_| denial.is_none()).unwrap_or(session);
        if notice.hook_event == HookEvent::BeforeTool {
            self.remember_stopped(notice, &decisions, &layers, &about);
        }
        if notice.hook_event == HookEvent::SessionEnd && notice.sub_agent.is_none() {
            self.end_sub_agents(notice);
        }
        if decided_itself(&decisions) || to_save.constitution().is_some() {
            about.constitution =
                to_save.constitution().and_then(|layer| KeptList::of(layer.list()));
        }
        let state =
            State { session: to_save, names: &names, shelves: &shelves, resting: &resting, about };
        state.save(held, ended).map_err(|trouble| {
            // What is forbidden stays so.
            let trouble = trouble.with_layers(&layers);
            match &denial {
                Some(reply) => trouble.denied(reply),
                None => trouble,
            }
        })?;
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
                let Some(answered) = question.ask(whose, took, &self.log) else { return answer };
                let Some(verdict) = self.take_verdict(notice, answered, turn) else {
                    return answer;
                };
                verify::join(&mut decisions, &verdict);
                verify::add(&mut reply, &verdict);
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
        answered: Result<String, String>,
        turn: u32,
    ) -> Option<Decision> {
        let agent = self.request.agent;
        let key = notice.state_id();
        let failed = |trouble: &Trouble| {
            self.log.failure(agent.name(), Some(&key), &trouble.message);
        };
        let opened = self.open(notice).inspect_err(failed).ok()??;
        let Decided { session, mut about, held, names, shelves, resting, .. } = opened;
        if session.own().turn() != turn {
            return None;
        }
        let reply = answered.map(Into::into).map_err(Into::into);
        let event = Event::VerifierReply { reply };
        let decision = session.apply(&event, &mut LiveHost::default());
        if verify::flag(&decision).is_some() && agent.abilities().keeps_going {
            // What a model says is not kept.
            about.going_on = Some(FOLLOW_UP.to_owned());
        }
        let state = State { session, names: &names, shelves: &shelves, resting: &resting, about };
        state.save(held, false).inspect_err(failed).ok()?;
        Some(decision)
    }

    /// Opens the session and loads its rules; nothing where the event is none for them.
    fn open(&self, notice: &Notice<'_>) -> Result<Option<Decided<'_>>, Trouble> {
        let mut held = self.hold(notice)?;
        let known = held.record().map(|record| Kept::read(record.state()));
        let is_first = known.is_none();
        let Some(kept) = known.unwrap_or_else(|| Some(Kept::default())) else {
            return Err(trouble::of_state(held, "it is of no known form"));
        };
        let mut about = kept.about.clone();
        // A prompt with which an agent goes on as it was told is no new turn, and nothing that the user said.
        if goes_on_as_told(notice, &about) {
            return Ok(None);
        }
        let which = match about.enabled.unwrap_or_else(is_switched_on) {
            true => Which::All,
            false => Which::Administrators,
        };
        self.enter_root(notice, &mut about);
        let loaded = self.load(which, about.nested.as_deref());
        about.was_off |= which == Which::Administrators;
        let is_news = which == Which::Administrators && !about.off_is_logged;
        if is_news {
            about.off_is_logged = true;
            self.log_switched_off(notice, &about);
        }
        let Some(layers) = loaded.decisive().map(Arc::new) else {
            if !loaded.broken.is_empty() {
                return Err(Trouble::of_rules(&loaded.broken));
            }
            // Switched off: that this was said is all that stays.
            if is_news {
                let bytes = Kept { about, ..kept }.write();
                held.save(&bytes, 0, SystemTime::now()).map_err(of_store)?;
            }
            return Ok(None);
        };
        let names: Vec<String> = loaded.layers.iter().map(|layer| layer.name.clone()).collect();
        let shelves = Shelves::of(&held, &names, &kept, &mut about);
        let session = match session_of(&layers, &names, &kept, &shelves) {
            Ok(session) => session,
            Err(error) => return Err(trouble::of_state(held, &error.to_string())),
        };
        let mut loaded = loaded;
        if let Some(list) = about.constitution.as_ref().filter(|_| which == Which::All) {
            let saved = kept.of_layer(constitution::STATE_NAME);
            self.restore_constitution(session, list, saved, &mut loaded);
        }
        let is_resting = !loaded.broken.is_empty() || which == Which::Administrators;
        let has_own = session.constitution().is_some();
        let is_at_work = |name: &str| {
            names.iter().any(|own| own == name) || has_own && name == constitution::STATE_NAME
        };
        let resting = kept.layers.iter().filter(|(name, _)| is_resting && !is_at_work(name));
        let resting = resting.map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec())).collect();
        let mut decided = Decided {
            layers,
            session,
            before: None,
            about,
            held,
            names,
            shelves,
            resting,
            decisions: Vec::new(),
            of_broken: Vec::new(),
            remarks: loaded.remarks(is_first),
            notes: Vec::new(),
        };
        self.tell_of(notice, &loaded, &mut decided);
        Ok(Some(decided))
    }

    /// Gives the session the rules that it made for itself. Where they cannot decide, that is told like the same of
    /// other layers.
    fn restore_constitution(
        &self,
        session: &mut LayeredSession,
        list: &KeptList,
        saved: &[u8],
        loaded: &mut Loaded,
    ) {
        let (agent, cache) = (self.request.agent, self.cache.as_ref());
        let restored = constitution::restore(session, list, saved, cache, || watch(agent));
        if let Err(message) = restored {
            let (layer, last, on_error) = (Layer::Session, None, None);
            loaded.broken.push(Broken { layer, message, last, on_error });
        }
    }

    /// Returns where sessions are kept.
    fn store(&self) -> Result<Store, Trouble> {
        let (Some(directory), Some(key)) = (&self.state, &self.key) else {
            let message = "nothing says where sessions are kept: set `BEHAVIOR_STATE_DIR`";
            return Err(Trouble::new(message));
        };
        let seal = key.as_ref().map_or_else(|_| Seal::new([0; 32]), SecretKey::seal);
        Ok(Store::at(directory, seal))
    }

    /// Takes the session for this event alone.
    fn hold(&self, notice: &Notice<'_>) -> Result<Held, Trouble> {
        let store = self.store()?;
        let key = Key {
            agent: self.request.agent.name().to_owned(),
            session: notice.session.clone().into_owned(),
            sub_agent: notice.sub_agent.clone().map(std::borrow::Cow::into_owned),
        };
        if notice.hook_event == HookEvent::SessionStart {
            // What cannot be swept now is swept another time.
            let _ = store.sweep(SESSIONS_KEPT, SystemTime::now());
        }
        // Without the user's key nothing is believed or kept; what is forbidden without it stays so.
        let opened = match self.key {
            Some(Ok(_)) => store.open(&key, LOCK_WAIT),
            _ => store.open_blind(&key, LOCK_WAIT),
        };
        opened.map_err(|error| trouble::of_store(&store, &key, &error))
    }

    /// Loads the rules of the working directory, and of another folder on top.
    fn load(&self, which: Which, also_from: Option<&Path>) -> Loaded {
        let trust = Trust::in_state(self.state.as_deref());
        let agent = self.request.agent;
        let load = |asked: &RuleArgs| {
            rules::load(asked, which, self.cache.as_ref(), trust, || watch(agent))
        };
        let also_profile = std::env::var(workflow::PROFILE).ok().filter(|name| !name.is_empty());
        if also_from.is_none() && also_profile.is_none() {
            return load(&self.request.rules);
        }
        let also_from = also_from.map(Path::to_owned);
        load(&RuleArgs { also_from, also_profile, ..self.request.rules.clone() })
    }

    /// Goes to the directory whose rules hold. An agent that changes its directory does not get away from them, nor
    /// does one that starts a sub-agent elsewhere: rules that hold there come on top.
    fn enter_root(&self, notice: &Notice<'_>, about: &mut About) {
        let cwd = notice.about.cwd.as_deref().map(Path::new).filter(|cwd| cwd.is_absolute());
        let is_new = about.root.is_none();
        if is_new {
            // What was added for a session holds for those who work for it.
            let parent = self.parent(notice).unwrap_or_default();
            (about.root, about.constitution) = (parent.root, parent.constitution);
        }
        let known = about.root.as_ref().filter(|root| root.is_dir());
        if known.is_none_or(|root| std::env::set_current_dir(root).is_err()) {
            if let Some(root) = enter(notice.about.cwd.as_deref()) {
                about.root = Some(root);
            }
            return;
        }
        let Some(cwd) = cwd.filter(|cwd| known.is_some_and(|root| root != cwd)) else { return };
        if is_new && !project::also(cwd).is_empty() {
            about.nested = Some(cwd.to_owned());
        }
        self.log_stray(notice, cwd, about);
    }

    /// What is kept of the session that started a sub-agent.
    fn parent(&self, notice: &Notice<'_>) -> Option<About> {
        notice.sub_agent.as_ref()?;
        let key = Key {
            agent: self.request.agent.name().to_owned(),
            session: notice.session.clone().into_owned(),
            sub_agent: None,
        };
        self.key.as_ref()?.as_ref().ok()?;
        let record = self.store().ok()?.read(&key).ok()??;
        Some(Kept::read(record.state())?.about)
    }

    /// Writes down that a session is in another root than the one in which it began, once for each.
    fn log_stray(&self, notice: &Notice<'_>, cwd: &Path, about: &mut About) {
        let Some(root) = &about.root else { return };
        let (Some(there), here) = (project::root_of(cwd), project::root_of(root)) else { return };
        if here == Some(there) || about.strayed.as_deref() == Some(there) {
            return;
        }
        let also = if about.nested.is_some() { ", and those of there on top" } else { "" };
        let message = format!(
            "the session began in `{}` and is seen in `{}`, which is a root of its own: the rules of where it began \
             hold{also}",
            root.display(),
            there.display()
        );
        self.log.failure(self.request.agent.name(), Some(&notice.state_id()), &message);
        about.strayed = Some(there.to_owned());
    }

    /// Says what is wrong with the rules, and what of them waits for trust.
    fn tell_of(&self, notice: &Notice<'_>, loaded: &Loaded, decided: &mut Decided<'_>) {
        let agent = self.request.agent;
        for note in &loaded.notes {
            self.log.failure(agent.name(), Some(&notice.state_id()), note);
        }
        for broken in &loaded.broken {
            let trouble = Trouble::of_rules(std::slice::from_ref(broken));
            self.log.failure(agent.name(), Some(&notice.state_id()), &trouble.message);
            decided.of_broken.push(trouble::reply(&trouble, agent, notice));
        }
        let now = changes::now(loaded, agent);
        let before = decided.about.surroundings.replace(now.clone()).unwrap_or_else(|| now.clone());
        for change in changes::between(&before, &now) {
            self.log.failure(agent.name(), Some(&notice.state_id()), &change);
            decided.notes.push(format!("behavior: {change}"));
        }
        if !loaded.waiting.is_empty() && !decided.about.trust_is_told {
            decided.about.trust_is_told = true;
            let text = waits_for_trust(&loaded.waiting);
            decided.remarks.push_str(&format!("note: {text}\n"));
            decided.notes.push(format!("behavior: {text}"));
        }
    }

    /// Applies the events to the session.
    fn apply<'e>(
        &'e self,
        notice: &'e Notice<'_>,
        mut opened: Decided<'e>,
    ) -> Result<Decided<'e>, Trouble> {
        let Decided { layers, session, about, of_broken, .. } = &mut opened;
        let mut host = LiveHost::default();
        session.apply(&Event::SessionStart(notice.about.clone()), &mut host);
        let is_unknown = !self.request.agent.abilities().tells_text_before_tools;
        session.each(|session| session.set_text_unknown(is_unknown));
        verify::prepare(notice, session, about);
        let before = notice.counts_elsewhere.then(|| session.clone());
        let completed = self.completed(notice, about);
        let mut decisions: Vec<(&Event<'_>, Decision)> = Vec::new();
        for event in completed.map_or(&*notice.events, std::slice::from_ref) {
            // The disk tells better than a payload what is there now.
            if !matches!(event, Event::Fs(_)) {
                host.grants = self.grants_for(notice, about, event);
                let decision = session.apply(event, &mut host);
                if let Some(grants) = &mut host.grants
                    && decision.verdict != Some(Verdict::Allow)
                {
                    grants.give_back();
                }
                decisions.push((event, decision));
            }
        }
        if notice.is_of_unknown_server {
            decisions.iter_mut().for_each(|(_, decision)| answer::doubt_server(decision, layers));
        }
        let refusals =
            decisions.iter().filter_map(|(event, _)| own_commands::refusal(session, event));
        of_broken.extend(refusals);
        for (event, decision) in &mut decisions {
            of_broken.iter().for_each(|reply| answer::add_broken(event, decision, reply));
        }
        Ok(Decided { before, decisions, ..opened })
    }

    fn settle_decision<'e>(&self, notice: &Notice<'_>, mut decided: Decided<'e>) -> Settled<'e> {
        let agent = self.request.agent;
        let Decided { layers, session, about, decisions, of_broken, remarks, notes, .. } =
            &mut decided;
        let mut reply = answer::reply(notice, decisions, layers, agent);
        of_broken.drain(..).for_each(|one| answer::add(&mut reply, one));
        reply.context.append(notes);
        self.go_on_later(notice, &mut reply, about);
        let may_deny = !notice.stopped_before || reply.limits_itself;
        let is_denied = reply.verdict == Some(Verdict::Deny) && may_deny;
        // What is to be told, the hook that counts tells.
        if !notice.counts_elsewhere {
            reply.context.splice(0..0, std::mem::take(&mut about.later));
        }
        let mut answer = match agent {
            Agent::Native => decision_itself(notice, decisions, layers, session),
            _ => agent.answer(notice, &reply),
        };
        let of_response = verify::Question::of(decisions, session, &reply, about);
        let question = match of_response {
            Some(question) => Some(Asking::Response(question)),
            None => self.question(notice, decisions, session, &reply, about).map(Asking::Message),
        };
        // What waits for its moment is not said once more with what a model says.
        let is_kept = !answer.later.is_empty() && matches!(question, Some(Asking::Response(_)));
        about.later.append(&mut answer.later);
        if is_denied && notice.hook_event == HookEvent::Stop {
            about.going_on = Some(reply.reason.trim().to_owned());
        } else if notice.hook_event == HookEvent::Prompt {
            about.going_on = None;
        }
        // What stands there beside an answer that refuses is taken for the reason.
        if answer.exit_code == 0 {
            answer.stderr.insert_str(0, remarks);
        }
        let question = question.map(|question| {
            let mut reply = reply.clone();
            if is_kept {
                reply.context.clear();
            }
            Box::new((question, reply))
        });
        let denial = is_denied.then_some(reply);
        Settled { answer, to_keep: Some(ToKeep { decided, denial, question }) }
    }

    /// Returns what a model is to be asked about what the user said. That there is none to be asked, the log says
    /// once.
    fn question(
        &self,
        notice: &Notice<'_>,
        decisions: &[(&Event<'_>, Decision)],
        session: &LayeredSession,
        reply: &Reply,
        about: &mut About,
    ) -> Option<Question> {
        let is_due = |(_, decision): &(&Event<'_>, Decision)| {
            decision.classifier.is_some_and(|due| due.runs)
        };
        if !decisions.iter().any(is_due) {
            return None;
        }
        let agent = self.request.agent;
        let question = Question::of(notice, decisions, session, agent, reply)?;
        if !question.has_nobody() {
            return Some(question);
        }
        if !std::mem::replace(&mut about.brain_is_missed, true) {
            let message =
                "turns are to be classified, and there is no model to ask: name one under `brain:`";
            self.log.failure(agent.name(), Some(&notice.state_id()), message);
        }
        None
    }

    /// Returns the answer to an event that could not be decided on.
    #[cold]
    #[inline(never)]
    fn undecided(&self, trouble: Trouble) -> Answer {
        let agent = self.request.agent;
        let notice = match &self.notice {
            Ok(notice) => notice,
            Err(message) => return self.not_understood(message),
        };
        let trouble = self.with_what_rules_say(notice, trouble);
        let key = notice.state_id().into_owned();
        self.log.failure(agent.name(), Some(&key), &trouble.message);
        agent.answer(notice, &trouble::reply(&trouble, agent, notice))
    }

    /// Returns the answer to an event of which nobody knows which call it is about, so that nobody can be
    /// asked.
    #[cold]
    #[inline(never)]
    fn not_understood(&self, message: &str) -> Answer {
        let agent = self.request.agent;
        self.log.failure(agent.name(), None, message);
        enter(None);
        match self.load(Which::All, None).on_error() {
            Some(Verdict::Allow) => agent.let_pass(message),
            _ => agent.refuse(message),
        }
    }

    /// Adds what the rules say of failures, where it failed before they were asked for.
    fn with_what_rules_say(&self, notice: &Notice<'_>, trouble: Trouble) -> Trouble {
        if trouble.knows_rules() {
            return trouble;
        }
        enter(notice.about.cwd.as_deref());
        let loaded = self.load(Which::All, None);
        let trouble = trouble.with_broken_rules(&loaded.broken);
        loaded.layers.iter().fold(trouble, |trouble, layer| trouble.with_rules(&layer.image))
    }

    /// Returns the result with its call, of a program of one's own: the call was told before, and is kept for
    /// that.
    fn completed<'e>(&self, notice: &'e Notice<'_>, about: &mut About) -> Option<&'e Event<'e>> {
        if self.request.agent != Agent::Native {
            return None;
        }
        match notice.events.first()? {
            Event::ToolResult(result) => {
                // Held for good, like the session.
                let call: &'e str = Box::leak(calls::take(&mut about.open, result)?.into());
                Some(Box::leak(Box::new(calls::completed(result, call)?)))
            }
            call @ Event::ToolCall(_) => {
                calls::keep(&mut about.open, call);
                None
            }
            _ => None,
        }
    }

    /// Some agents tell what they write before they want to stop, and only then can be made to go on:
    /// until then, what is wrong with it waits. An agent that goes on by itself is told meanwhile.
    fn go_on_later(&self, notice: &Notice<'_>, reply: &mut Reply, about: &mut About) {
        let can = self.request.agent.abilities().keeps_going;
        match notice.hook_event {
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
    fn end_sub_agents(&self, notice: &Notice<'_>) {
        let Ok(store) = self.store() else { return };
        let name = self.request.agent.name();
        let is_of_this = |key: &Key| {
            key.agent == name && key.session == notice.session && key.sub_agent.is_some()
        };
        for listed in store.list().unwrap_or_default() {
            if listed.key.as_ref().is_some_and(is_of_this) {
                let _ = store.remove_file(&listed.path, Duration::ZERO);
            }
        }
    }

    fn log_decisions(
        &self,
        notice: &Notice<'_>,
        decisions: &[(&Event<'_>, Decision)],
        layers: &Layers,
    ) {
        let state_id = notice.state_id();
        for (event, decision) in decisions {
            self.log.decision(&audit::Decided {
                agent: self.request.agent.name(),
                session: &state_id,
                event,
                decision,
                layers,
                took: self.started.elapsed(),
            });
        }
    }
}

impl Hook<'_> {
    /// Writes down that the rules of the user and the project are switched off for a session.
    fn log_switched_off(&self, notice: &Notice<'_>, about: &About) {
        let by =
            if about.enabled.is_some() { "`behavior session disable`" } else { "`BEHAVIOR=off`" };
        let message = format!("the rules are switched off by {by}, but for the administrator's");
        self.log.failure(self.request.agent.name(), Some(&notice.state_id()), &message);
    }
}

/// What the user is told of rules that wait for trust.
fn waits_for_trust(waiting: &[String]) -> String {
    const SHOWN: usize = 3;
    let mut what: Vec<&str> = waiting.iter().take(SHOWN).map(String::as_str).collect();
    let more = format!("{} more", waiting.len().saturating_sub(SHOWN));
    if waiting.len() > SHOWN {
        what.push(&more);
    }
    format!(
        "this project's rules hold as far as they make decisions stricter. The rest waits until the user \
         runs `behavior trust` in a terminal: {}",
        what.join("; ")
    )
}

impl Settled<'_> {
    /// An answer of which nothing stays.
    fn of(answer: Answer) -> Self {
        Self { answer, to_keep: None }
    }
}

/// Tells whether nothing in the environment switches the hook off.
fn is_switched_on() -> bool {
    !std::env::var("BEHAVIOR").is_ok_and(|value| value.eq_ignore_ascii_case("off"))
}

/// Tells whether this is the prompt with which an agent goes on because it was not let stop: some tell it
/// as if the user had said it.
fn goes_on_as_told(notice: &Notice<'_>, about: &About) -> bool {
    let Some(told) = &about.going_on else { return false };
    let is_told = |event: &Event<'_>| matches!(event, Event::TurnStart { text: Some(text) } if text.trim_start().starts_with(told));
    notice.hook_event == HookEvent::Prompt && notice.events.iter().all(is_told)
}

/// Goes to the directory whose rules hold: the one that the agent tells its hooks, else the one that
/// an event tells.
fn enter(cwd: Option<&str>) -> Option<PathBuf> {
    let told = std::env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from);
    let root = told.filter(|root| root.is_dir()).or_else(|| cwd.map(PathBuf::from));
    let root = root.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
    std::env::set_current_dir(&root).is_ok().then_some(root)
}

/// Whether some of the events changed the rules that the session made for itself.
fn decided_itself(decisions: &[(&Event<'_>, Decision)]) -> bool {
    decisions.iter().any(|(event, _)| matches!(event, Event::Constitution { .. }))
}

/// The session of which something is known. It is held for good: the process ends with this event.
#[inline(never)]
fn session_of(
    layers: &Arc<Layers>,
    names: &[String],
    kept: &Kept<'_>,
    shelves: &Shelves,
) -> Result<&'static mut LayeredSession, SavedError> {
    let mut names = names.iter().zip(&shelves.sets);
    let mut failed = None;
    let session = LayeredSession::with(Arc::clone(layers), |_, image| {
        let Some((name, sets)) = names.next() else { return Session::new(image) };
        let saved = kept.of_layer(name);
        if saved.is_empty() {
            return Session::new_apart(image, sets);
        }
        Session::restore_apart(Arc::clone(&image), saved, sets).unwrap_or_else(|error| {
            failed = Some(error);
            Session::new(image)
        })
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(Box::leak(Box::new(session))),
    }
}

/// Returns the answer for a program that takes the decision itself.
fn decision_itself(
    notice: &Notice<'_>,
    decisions: &[(&Event<'_>, Decision)],
    layers: &Layers,
    session: &LayeredSession,
) -> Answer {
    let options = json::Options { all: true, state: false, file: false, list: false };
    let report = json::JsonReport::new(layers, options);
    let mut answer = Answer::default();
    for (index, (event, decision)) in (0..).zip(decisions) {
        let name = &*notice.session;
        let seen = Seen { file: "", index, line: 1, name, slot: 0, session, event, decision };
        answer.stdout.push_str(&report.line(&seen));
    }
    answer
}

/// Where the layers of a session keep the targets of their sets.
struct Shelves {
    /// Under which names.
    names: Vec<String>,
    sets: Vec<Arc<dyn KeptSets>>,
    trouble: kept_sets::Trouble,
}

impl Shelves {
    fn of(held: &Held, layers: &[String], kept: &Kept<'_>, about: &mut About) -> Self {
        let names: Vec<String> = layers
            .iter()
            .map(|layer| about.shelf(layer, kept.of_layer(layer).is_empty()))
            .collect();
        let trouble = kept_sets::Trouble::default();
        let sets = |name: &String| -> Arc<dyn KeptSets> {
            Arc::new(LayerSets::new(held.tree(), name.clone(), &trouble))
        };
        Self { sets: names.iter().map(sets).collect(), names, trouble }
    }

    /// Takes what went wrong when they were asked.
    fn trouble(&self) -> Option<StoreError> {
        self.trouble.lock().ok()?.take()
    }
}

/// What is saved of a session.
struct State<'a> {
    session: &'a LayeredSession,
    /// The names of the layers.
    names: &'a [String],
    /// Where they keep the targets of their sets.
    shelves: &'a Shelves,
    /// What layers know that could not decide now.
    resting: &'a [(String, Vec<u8>)],
    about: About,
}

impl State<'_> {
    fn save(mut self, mut held: Held, ended: bool) -> Result<(), Trouble> {
        if ended {
            return held.remove().map_err(of_store);
        }
        let saved: Vec<Vec<u8>> = self
            .session
            .sessions()
            .map(|(_, session)| {
                let mut bytes = Vec::with_capacity(1024);
                session.save(&mut bytes);
                bytes
            })
            .collect();
        let resting = self.resting.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        let own = self.names.iter().map(String::as_str).zip(saved.iter().map(Vec::as_slice));
        let constitution = self.session.constitution();
        let of_session = constitution.and_then(|layer| layer.session()).map(|session| {
            let mut bytes = Vec::with_capacity(1024);
            session.save(&mut bytes);
            bytes
        });
        let of_session = of_session.as_deref().map(|bytes| (constitution::STATE_NAME, bytes));
        let layers: Vec<(&str, &[u8])> = of_session.into_iter().chain(resting).chain(own).collect();
        self.about.shelves.retain(|name, _| layers.iter().any(|(known, _)| known == name));
        let resting = self.resting.iter().filter_map(|(name, _)| self.about.shelves.get(name));
        let resting: Vec<String> = resting.cloned().collect();
        let names = self.shelves.names.iter().map(String::as_str);
        let shelves: Vec<(&str, &Session)> =
            names.zip(self.session.sessions().map(|(_, session)| session)).collect();
        let values = kept_sets::to_keep(held.tree().seal(), shelves.iter().copied());
        let is_held = |value: &[u8]| kept_sets::is_held(value, &shelves, &resting);
        let kept = Kept { about: self.about, layers };
        let identity = self.session.layers().own().identity();
        held.save_with(values, &is_held, &kept.write(), identity, SystemTime::now())
            .map_err(of_store)
    }
}

fn of_store(error: crate::live::store::StoreError) -> Trouble {
    Trouble::new(&crate::live::describe(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_comes_before_a_call_is_refused_undecided() {
        for agent in Agent::ALL {
            assert_eq!(undecided(agent, "too late").exit_code, 2, "nobody knows yet what it is");
            IS_BEFORE.store(false, Ordering::Relaxed);
            let answer = undecided(agent, "too late");
            assert_eq!(answer.exit_code, 0, "{answer:?}");
            assert!(answer.stderr.contains("too late"), "{answer:?}");
            IS_BEFORE.store(true, Ordering::Relaxed);
        }
    }
}
