//! What is needed before a hook can decide: the project that the event belongs to, its rules, and its session as it was
//! kept. Decides nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use behavior_agents::hook::{HookEvent, Notice};
use behavior_runtime::event::Event;
use behavior_runtime::{Layer, LayeredSession};

use super::limits::{LOCK_WAIT, SESSIONS_KEPT};
use super::sessions::{Shelves, of_store, session_of};
use super::steps::{Decided, Hook};
use super::trouble::{self, Trouble};
use crate::args::RuleArgs;
use crate::live::grants::Contents;
use crate::live::kept_list::KeptList;
use crate::live::rules::{self, Broken, Loaded, Which};
use crate::live::secret_key::SecretKey;
use crate::live::shared::{self, Known};
use crate::live::state::{About, Kept};
use crate::live::store::{Held, Key, Seal, Store};
use crate::live::trust::Trust;
use crate::live::{changes, constitution};
use crate::{project, workflow};

impl<'a> Hook<'a> {
    /// Opens the session and loads its rules; nothing where the event is none for them.
    pub(super) fn open(&self, notice: &Notice<'_>) -> Result<Option<Decided<'_>>, Trouble> {
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
        let loaded = self.load(which, &about);
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
            contents: Contents::new(),
            of_broken: Vec::new(),
            remarks: loaded.remarks(is_first),
            notes: Vec::new(),
        };
        self.tell_of(notice, &loaded, &mut decided);
        self.take_shared(notice, &mut decided)?;
        Ok(Some(decided))
    }

    /// Gives the session the rules that it made for itself. Where they cannot decide, that is told like the same of
    /// other layers.
    pub(super) fn restore_constitution(
        &self,
        session: &mut LayeredSession,
        list: &KeptList,
        saved: &[u8],
        loaded: &mut Loaded,
    ) {
        let restored = constitution::restore(session, list, saved, self.cache.as_ref());
        if let Err(message) = restored {
            let (layer, last, on_error) = (Layer::Session, None, None);
            loaded.broken.push(Broken { layer, message, last, on_error });
        }
    }

    /// Takes up what all who work in the session know.
    fn take_shared(&self, notice: &Notice<'_>, decided: &mut Decided<'_>) -> Result<(), Trouble> {
        let Some((store, key)) = self.shared(notice)? else { return Ok(()) };
        let Decided { session, names, about, .. } = decided;
        let news = Known::news(&store, &key, about.shared)
            .map_err(|error| trouble::of_store(&store, &key, &error))?;
        let hears_user = notice.sub_agent.is_none();
        if let Some((known, seen)) = news {
            about.shared = Some(seen);
            let mut names = names.iter();
            session.each(|session| {
                if let Some(name) = names.next() {
                    known.tell(name, session, hears_user);
                }
            });
        }
        Ok(())
    }

    /// Keeps what all who work in the session are to know.
    pub(super) fn give_shared(
        &self,
        notice: &Notice<'_>,
        session: &LayeredSession,
        names: &[String],
        told: &mut Option<usize>,
    ) -> Result<(), Trouble> {
        if !matches!(
            notice.hook_event,
            HookEvent::Prompt | HookEvent::BeforeTool | HookEvent::AfterTool
        ) {
            return Ok(());
        }
        let Some((store, key)) = self.shared(notice)? else { return Ok(()) };
        let layers = names.iter().map(String::as_str).zip(session.sessions().map(|(_, one)| one));
        shared::give(&store, &key, LOCK_WAIT, layers, notice.sub_agent.is_none(), told)
            .map_err(|error| trouble::of_store(&store, &key, &error))
    }

    /// Where what all who work in a session know is kept, and under which name; nothing without the user's key.
    fn shared(&self, notice: &Notice<'_>) -> Result<Option<(Store, Key)>, Trouble> {
        let (Some(directory), Some(Ok(key))) = (&self.state, &self.key) else { return Ok(None) };
        let store = Store::shared_at(directory, key.seal());
        if notice.hook_event == HookEvent::SessionStart {
            let _ = store.sweep(SESSIONS_KEPT, SystemTime::now());
        }
        let (agent, session) = (self.request.agent.name().to_owned(), notice.session.to_string());
        Ok(Some((store, Key { agent, session, sub_agent: None })))
    }

    /// Returns where sessions are kept.
    pub(super) fn store(&self) -> Result<Store, Trouble> {
        let (Some(directory), Some(key)) = (&self.state, &self.key) else {
            let message = "nothing says where sessions are kept: set `BEHAVIOR_STATE_DIR`";
            return Err(Trouble::new(message));
        };
        let seal = key.as_ref().map_or_else(|_| Seal::new([0; 32]), SecretKey::seal);
        Ok(Store::at(directory, seal))
    }

    /// Takes the session for this event alone.
    pub(super) fn hold(&self, notice: &Notice<'_>) -> Result<Held, Trouble> {
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

    /// Loads the rules that a session works under: those of the working directory, and of another folder on top.
    pub(super) fn load(&self, which: Which, about: &About) -> Loaded {
        let trust = Trust::in_state(self.state.as_deref());
        let load = |asked: &RuleArgs| rules::load(asked, which, self.cache.as_ref(), trust);
        let also_profile = std::env::var(workflow::PROFILE).ok().filter(|name| !name.is_empty());
        let (also_from, up_to) = (about.nested.clone(), about.top.clone());
        load(&RuleArgs { also_from, also_profile, up_to, ..self.request.rules.clone() })
    }

    /// Goes to the directory whose rules hold. An agent that changes its directory does not get away from them, nor
    /// does one that starts a sub-agent elsewhere: rules that hold there come on top.
    pub(super) fn enter_root(&self, notice: &Notice<'_>, about: &mut About) {
        let cwd = notice.about.cwd.as_deref().map(Path::new).filter(|cwd| cwd.is_absolute());
        let is_new = about.root.is_none();
        if is_new {
            // What was added for a session holds for those who work for it.
            let parent = self.parent(notice).unwrap_or_default();
            (about.root, about.top, about.constitution) =
                (parent.root, parent.top, parent.constitution);
        }
        let known = about.root.as_ref().filter(|root| root.is_dir());
        if known.is_none_or(|root| std::env::set_current_dir(root).is_err()) {
            if let Some(root) = enter(notice.about.cwd.as_deref()) {
                about.root = Some(root);
                about.top = about.top.take().or_else(project::top);
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
    pub(super) fn parent(&self, notice: &Notice<'_>) -> Option<About> {
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
    pub(super) fn log_stray(&self, notice: &Notice<'_>, cwd: &Path, about: &mut About) {
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
    pub(super) fn tell_of(&self, notice: &Notice<'_>, loaded: &Loaded, decided: &mut Decided<'_>) {
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
}

/// What the user is told of rules that wait for trust.
pub(super) fn waits_for_trust(waiting: &[String]) -> String {
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

/// Tells whether nothing in the environment switches the hook off.
pub(super) fn is_switched_on() -> bool {
    !std::env::var("BEHAVIOR").is_ok_and(|value| value.eq_ignore_ascii_case("off"))
}

/// Tells whether this is the prompt with which an agent goes on because it was not let stop: some tell it
/// as if the user had said it.
pub(super) fn goes_on_as_told(notice: &Notice<'_>, about: &About) -> bool {
    let Some(told) = &about.going_on else { return false };
    let is_told = |event: &Event<'_>| matches!(event, Event::TurnStart { text: Some(text) } if text.trim_start().starts_with(told));
    notice.hook_event == HookEvent::Prompt && notice.events.iter().all(is_told)
}

/// Goes to the directory whose rules hold: the one that the agent tells its hooks, else the one that
/// an event tells.
pub(super) fn enter(cwd: Option<&str>) -> Option<PathBuf> {
    let told = std::env::var_os("CLAUDE_PROJECT_DIR").map(PathBuf::from);
    let root = told.filter(|root| root.is_dir()).or_else(|| cwd.map(PathBuf::from));
    let root = root.or_else(|| std::env::current_dir().ok()).unwrap_or_default();
    std::env::set_current_dir(&root).is_ok().then_some(root)
}
