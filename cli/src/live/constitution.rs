//! The rules that a live session made for itself: how they are kept with the session's state, which authenticates
//! them, how their image is had without compiling, and how their list is changed between two events.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use behavior_runtime::constitution::{Change, Constitution, Op, Report, SessionRule};
use behavior_runtime::host::Host;
use behavior_runtime::{Image, LayeredSession, Session, SessionLayer};

use super::audit::Log;
use super::cache::{Cache, Recorder};
use super::grants::Grants;
use super::host::LiveHost;
use super::kept_list::KeptList;
use super::state::{About, Kept};
use super::store::{Key, Listed, Store, StoreError};
use crate::session_rules;

/// The name under which the rules of a session keep their state. Their targets are not kept apart: there is no
/// shelf of theirs.
pub const STATE_NAME: &str = "session";
/// How long to wait for an event of the session.
const WAIT: Duration = Duration::from_secs(5);

/// Gives a session its own rules, with what is saved of their state.
///
/// # Errors
/// Why they cannot decide, for people.
pub fn restore(
    session: &mut LayeredSession,
    list: &KeptList,
    saved: &[u8],
    cache: Option<&Cache>,
) -> Result<(), String> {
    let (list, is_changed) = (list.list(), list.is_changed);
    let Some(image) = image_of(&list, cache)? else {
        session.set_constitution(SessionLayer::new(list, None));
        return Ok(());
    };
    match saved {
        [] => session.begin_constitution(list, Some(image)),
        saved => {
            // Where the list was changed, the numbers of its rules are other ones, and they may name what no rule
            // before named.
            let rules = match is_changed {
                true => Session::restore_beside(image, saved, session.own()),
                false => Session::restore(image, saved),
            };
            let rules = rules.map_err(|error| error.to_string())?;
            session.set_constitution(SessionLayer::new(list, Some(rules)));
        }
    }
    // It is a use, too, that comes now.
    session.sweep_constitution(&mut LiveHost::default());
    Ok(())
}

/// The image of a list's rules, from the cache where it was made before.
fn image_of(list: &Constitution, cache: Option<&Cache>) -> Result<Option<Arc<Image>>, String> {
    let rules: Vec<SessionRule<'_>> = list.rules().collect();
    if rules.is_empty() {
        return Ok(None);
    }
    let asked: Vec<(u32, &str)> = rules.iter().map(|rule| (rule.number, rule.definition)).collect();
    let entry = cache.map(|cache| cache.entry(&("rules of a session", asked)));
    if let Some((image, _)) = entry.as_ref().and_then(|entry| entry.load()) {
        return Ok(Some(Arc::new(image)));
    }
    let image = session_rules::compile(&rules).map_err(|refused| {
        let first = refused.into_iter().next().unwrap_or_default();
        first.message
    })?;
    if let Some(entry) = entry {
        // Without it, they are compiled each time.
        let _ = entry.keep(&Recorder::new(()).inputs(), &[], &image);
    }
    Ok(Some(image))
}

/// Returns whether a session works in a project, which is named by its root.
#[must_use]
pub fn is_of_project(listed: &Listed, project: &Path) -> bool {
    let about = listed.record.as_ref().ok().and_then(|record| Kept::read(record.state()));
    let root = about.and_then(|kept| kept.about.root);
    root.is_some_and(|root| Grants::project_of(&root) == project)
}

/// Why a list was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    /// The session cannot be read or written.
    #[error("{}", super::describe(.0))]
    Store(#[from] StoreError),
    /// The session is of no known form.
    #[error("the saved session is of no known form")]
    Form,
    /// There is none any more.
    #[error("the session has just ended")]
    Ended,
}

/// Changes or reads the list of a session, and of its sub-agents, and tells what came of that of the session itself:
/// of the first one.
///
/// # Errors
/// When a session cannot be changed; those before it are.
pub fn change(store: &Store, sessions: &[Listed], change: &Change) -> Result<Report, ChangeError> {
    let mut first = None;
    for key in sessions.iter().filter_map(|listed| listed.key.as_ref()) {
        let report = match change_one(store, key, change) {
            // A sub-agent may end at any time.
            Err(ChangeError::Ended) if first.is_some() => continue,
            report => report?,
        };
        first.get_or_insert(report);
        if change.op == Op::Get {
            break;
        }
    }
    first.ok_or(ChangeError::Ended)
}

/// Writes down that a list was changed, and by whom; reading it is no change.
pub fn log(log: &Log, sessions: &[Listed], change: &Change, report: &Report) {
    let key = sessions.first().and_then(|listed| listed.key.as_ref());
    let Some(key) = key.filter(|_| change.op != Op::Get) else { return };
    let (op, by, count) = (change.op.name(), change.by.name(), report.count);
    let message = format!("rules of the session: {op} by the {by}, {count} now");
    log.changed(&key.agent, &key.session, &message);
}

fn change_one(store: &Store, key: &Key, change: &Change) -> Result<Report, ChangeError> {
    let mut held = store.open(key, WAIT)?;
    let Some(record) = held.record().cloned() else { return Err(ChangeError::Ended) };
    let kept = Kept::read(record.state()).ok_or(ChangeError::Form)?;
    let before = kept.about.constitution.as_ref();
    let was_changed = before.is_some_and(|before| before.is_changed);
    let before = before.map(KeptList::list).unwrap_or_default();
    let mut list = before.clone();
    let now = LiveHost::default().now();
    let mut compile = |rules: &[SessionRule<'_>]| session_rules::compile(rules);
    list.sweep(now, &mut compile);
    let (report, _) = list.change(change.clone(), now, &mut compile);
    let is_changed = was_changed || before.rules().ne(list.rules());
    let constitution = KeptList::of(&list).map(|mut kept| {
        kept.is_changed = is_changed;
        kept
    });
    let about = About { constitution, ..kept.about };
    let bytes = Kept { about, layers: kept.layers }.write();
    held.save(&bytes, record.image, SystemTime::now())?;
    Ok(report)
}
