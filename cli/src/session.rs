//! `behavior session`: the sessions of running agents, as the store has them. Needs no rules: what is
//! shown stands in the names that the rules gave when it was saved.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, SystemTime};

use behavior_runtime::{KeptTarget, Saved};
use serde_json::{Value, json};

use crate::args::{ChosenSession, PlainFormat, SessionArgs, SessionCommand};
use crate::constitution;
use crate::hook::verify;
use crate::live;
use crate::live::audit::Log;
use crate::live::grants::Grants;
use crate::live::kept_sets;
use crate::live::secret_key::{self, SecretKey};
use crate::live::state::{About, Kept};
use crate::live::store::{Held, Key, Listed, Record, Seal, Store, StoreError};
use crate::models;
use crate::project;
use crate::render::{json, one_line, table};
use crate::report::counted;
use crate::simulate::json::StateOutput;
use crate::terminal::{BOLD, DIM, Exit, Failure, RED, Terminal};

/// How long to wait for an agent that works on a session which is to be cleared.
const WAIT: Duration = Duration::from_secs(5);
/// So many targets of a set are shown, the last ones, unless more is wanted.
const TARGETS_SHOWN: usize = 5;

/// Runs the command.
///
/// # Errors
/// When the store cannot be read, or has no such session.
pub fn run(command: &SessionCommand, terminal: &Terminal) -> Result<Exit, Failure> {
    let Some(directory) = live::usual_directory(|name| std::env::var_os(name)) else {
        return Err(Failure::Message(
            "nothing says where sessions are kept; set `BEHAVIOR_STATE_DIR` to a directory"
                .to_owned(),
        ));
    };
    let store = Store::at(&directory, seal(&directory)?);
    let sessions = store.list()?;
    match command {
        SessionCommand::List { format } => terminal.print(&match format {
            PlainFormat::Json => json::to_text(&list_as_json(&sessions))?,
            PlainFormat::Pretty => list_as_text(&sessions, &directory, terminal),
        })?,
        SessionCommand::Show { session, format } => {
            let listed = one(sessions, session)?;
            // Taken for itself, so that nobody writes what is read.
            let held = store.open(&listed.record?.key, WAIT)?;
            let Some(record) = held.record() else {
                return Err(Failure::Message("the session has just ended".to_owned()));
            };
            let kept = kept_apart(&held, record)?;
            if is_blank(record) {
                let message = "the rules were switched off for this session, so that nothing is remembered of it";
                return Err(Failure::Message(message.to_owned()));
            }
            terminal.print(&match format {
                PlainFormat::Json => json::to_text(&show_as_json(record, &kept)?)?,
                PlainFormat::Pretty => show_as_text(record, &kept, terminal)?,
            })?;
        }
        SessionCommand::Enable { session } | SessionCommand::Disable { session } => {
            let is_on = matches!(command, SessionCommand::Enable { .. });
            let chosen = some_or_latest(sessions, session)?;
            switch(&store, &chosen, is_on)?;
            let state = if is_on { "on" } else { "off" };
            terminal.note(&format!("rules are {state} for {}", named(&chosen)));
        }
        SessionCommand::Constitution { command } => {
            let asked = command.session();
            let chosen = some_of_project(sessions, asked)?;
            let asked = constitution::Asked {
                command,
                store: &store,
                log: &Log::beside(Some(&directory), SecretKey::of_user(&directory).ok()),
                sessions: &chosen,
                name: &named(&chosen),
            };
            return constitution::run(&asked, terminal);
        }
        SessionCommand::Verifier { name, session } => {
            let chosen = some_or_latest(sessions, session)?;
            let verifier = verifier_of(name)?;
            change(&store, &chosen, |about| About { verifier: verifier.clone(), ..about })?;
            let name = verifier.map_or("as the rules say".to_owned(), |name| one_line(&name));
            terminal.note(&format!("the verifier is {name} for {}", named(&chosen)));
        }
        SessionCommand::Clear { session, all } => {
            let chosen = if *all { sessions } else { some(sessions, session)? };
            for listed in &chosen {
                store.remove_file(&listed.path, WAIT)?;
                // What all who worked in it knew goes with the session itself.
                if let Some(key) = listed.key.as_ref().filter(|key| key.sub_agent.is_none()) {
                    Store::shared_at(&directory, seal(&directory)?).remove(key, WAIT)?;
                }
            }
            terminal.note(&format!("cleared {}", counted(chosen.len(), "session")));
        }
    }
    Ok(Exit::Clean)
}

/// Returns what authenticates the sessions of a state directory. Where nothing is kept yet, asking makes nothing.
fn seal(directory: &Path) -> Result<Seal, Failure> {
    if !directory.join("sessions").exists() {
        return Ok(Seal::new([0; 32]));
    }
    let key = SecretKey::of_user(directory);
    key.map(|key| key.seal())
        .map_err(|error| Failure::Message(secret_key::refused(directory, &error)))
}

/// Why a record holds no session that can be shown.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// The record was written by another version, or not by this program.
    #[error("the saved session is of no known form")]
    Form,
    /// The state in it cannot be read.
    #[error(transparent)]
    State(#[from] behavior_runtime::SavedError),
}

impl From<SavedError> for Failure {
    fn from(reason: SavedError) -> Self {
        Failure::Message(reason.to_string())
    }
}

fn key_of(listed: &Listed) -> Option<&Key> {
    listed.key.as_ref()
}

/// The sessions that are meant: one session, with its sub-agents unless one of these is named.
fn some(sessions: Vec<Listed>, args: &SessionArgs) -> Result<Vec<Listed>, Failure> {
    let Some(id) = args.session.as_ref().map(|id| id.trim_end_matches(CUT).to_owned()) else {
        return Err(Failure::Message(
            "which session? give its id, as `behavior session list` shows it, or `--all`"
                .to_owned(),
        ));
    };
    let of_agent = |key: &Key| args.agent.as_ref().is_none_or(|agent| *agent == key.agent);
    let begins = |key: &Key| of_agent(key) && key.session.starts_with(id.as_str());
    let known: Vec<&Key> = sessions.iter().filter_map(key_of).filter(|key| begins(key)).collect();
    let exact = known.iter().copied().filter(|key| key.session == id);
    let mut names: Vec<(&str, &str)> = exact.map(name).collect();
    if names.is_empty() {
        names = known.into_iter().map(name).collect();
    }
    names.sort_unstable();
    names.dedup();
    let chosen = match names.as_slice() {
        [] => return Err(Failure::Message(unknown(&id, args.agent.as_deref()))),
        [(agent, session)] => ((*agent).to_owned(), (*session).to_owned()),
        several => return Err(Failure::Message(ambiguous(&id, several))),
    };
    let is_chosen = |listed: &Listed| {
        let Some(key) = key_of(listed) else { return false };
        let wants = args.sub_agent.as_ref();
        let is_sub =
            |wanted: &String| key.sub_agent.as_ref().is_some_and(|s| s.starts_with(wanted));
        name(key) == (&*chosen.0, &*chosen.1) && wants.is_none_or(is_sub)
    };
    let chosen: Vec<Listed> = sessions.into_iter().filter(is_chosen).collect();
    if chosen.is_empty() {
        let sub_agent = args.sub_agent.as_deref().unwrap_or_default();
        return Err(Failure::Message(format!("session `{id}` has no sub-agent `{sub_agent}`")));
    }
    Ok(chosen)
}

/// Sessions, by the name where it is one with its sub-agents.
fn named(sessions: &[Listed]) -> String {
    let mut names: Vec<_> = sessions.iter().filter_map(key_of).map(name).collect();
    names.dedup();
    match (names.as_slice(), sessions.len()) {
        ([(agent, session)], 1) => {
            format!("session `{}` of {}", one_line(session), one_line(agent))
        }
        ([(agent, session)], several) => format!(
            "session `{}` of {} with {}",
            one_line(session),
            one_line(agent),
            counted(several - 1, "sub-agent")
        ),
        (_, several) => counted(several, "session"),
    }
}

fn name(key: &Key) -> (&str, &str) {
    (&key.agent, &key.session)
}

fn unknown(id: &str, agent: Option<&str>) -> String {
    let of = agent.map(|agent| format!(" of `{agent}`")).unwrap_or_default();
    format!("there is no session `{id}`{of}; `behavior session list` shows those that there are")
}

fn ambiguous(id: &str, names: &[(&str, &str)]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = names
        .iter()
        .take(SHOWN)
        .map(|(agent, session)| format!("`{}` of {}", one_line(session), one_line(agent)))
        .collect();
    let more = if names.len() > SHOWN { ", …" } else { "" };
    format!(
        "`{id}` is not one session but {}: {}{more}; write more of the id, or name the `--agent`",
        names.len(),
        shown.join(", ")
    )
}

/// The sessions of the project that is worked in: who names none means none of another. Outside of any project, where
/// none is needed, all.
fn of_this_project(sessions: Vec<Listed>, is_needed: bool) -> Result<Vec<Listed>, Failure> {
    let here = std::env::current_dir()?;
    let project = Grants::project_of(&here);
    let is_own = |listed: &Listed| live::constitution::is_of_project(listed, &project);
    let (own, others): (Vec<Listed>, Vec<Listed>) = sessions.into_iter().partition(is_own);
    let is_project = is_needed || crate::project::root_of(&here).is_some();
    match (own.is_empty(), others.is_empty()) {
        (true, false) if !is_project => Ok(others),
        (true, is_none) if is_needed || !is_none => {
            let message =
                "there is no session of this project yet; `--session` names one of another";
            Err(Failure::Message(message.to_owned()))
        }
        _ => Ok(own),
    }
}

/// The sessions that are meant; where nothing is said, the latest of this project with its sub-agents.
fn some_or_latest(sessions: Vec<Listed>, args: &SessionArgs) -> Result<Vec<Listed>, Failure> {
    if args.session.is_some() {
        return some(sessions, args);
    }
    let sessions = of_this_project(sessions, false)?;
    let latest = sessions.iter().find_map(|listed| {
        let key = key_of(listed)?;
        args.agent.as_ref().is_none_or(|agent| *agent == key.agent).then(|| key.clone())
    });
    let Some(latest) = latest else {
        return Err(Failure::Message("there are no sessions yet".to_owned()));
    };
    let args = SessionArgs {
        session: Some(latest.session),
        agent: Some(latest.agent),
        sub_agent: args.sub_agent.clone(),
    };
    some(sessions, &args)
}

/// The sessions that are meant; where nothing is said, the latest of this project with its sub-agents, the session
/// itself first.
fn some_of_project(sessions: Vec<Listed>, asked: &ChosenSession) -> Result<Vec<Listed>, Failure> {
    let sessions = match &asked.session {
        Some(_) => sessions,
        None => of_this_project(sessions, true)?,
    };
    let args =
        SessionArgs { session: asked.session.clone(), agent: asked.agent.clone(), sub_agent: None };
    let mut chosen = some_or_latest(sessions, &args)?;
    chosen.sort_by_key(|listed| key_of(listed).is_some_and(|key| key.sub_agent.is_some()));
    Ok(chosen)
}

/// The one session that is meant: not a sub-agent's, unless one is named; the latest of this project where
/// nothing is.
fn one(sessions: Vec<Listed>, args: &SessionArgs) -> Result<Listed, Failure> {
    if args.session.is_none() && args.agent.is_none() && args.sub_agent.is_none() {
        let none = || Failure::Message("there are no sessions yet".to_owned());
        return of_this_project(sessions, false)?.into_iter().next().ok_or_else(none);
    }
    let mut chosen = some(sessions, args)?;
    let main = chosen.iter().position(|one| key_of(one).is_some_and(|key| key.sub_agent.is_none()));
    match (main, chosen.len()) {
        (Some(main), _) => Ok(chosen.swap_remove(main)),
        (None, 1) => Ok(chosen.swap_remove(0)),
        (None, _) => {
            let subs: Vec<String> = chosen
                .iter()
                .filter_map(|listed| Some(one_line(key_of(listed)?.sub_agent.as_deref()?)))
                .collect();
            Err(Failure::Message(format!("which `--sub-agent`? there are {}", subs.join(", "))))
        }
    }
}

/// The session of a record, or what is wrong with it.
fn saved_of(record: &Record) -> Result<Saved<'_>, SavedError> {
    Ok(Saved::read(kept_of(record)?.own())?)
}

/// Returns the targets that the own layer of a session keeps apart.
fn kept_apart(held: &Held, record: &Record) -> Result<Vec<KeptTarget>, Failure> {
    let kept = kept_of(record)?;
    let own = kept.layers.last().and_then(|(name, _)| kept.about.shelves.get(*name));
    match own {
        Some(shelf) => Ok(kept_sets::targets(held.tree(), shelf)?),
        None => Ok(Vec::new()),
    }
}

fn kept_of(record: &Record) -> Result<Kept<'_>, SavedError> {
    Kept::read(record.state()).ok_or(SavedError::Form)
}

/// Returns what is remembered of a session, as `show` prints it in JSON.
///
/// # Errors
/// When it cannot be read, or has just ended.
pub fn shown(store: &Store, key: &Key) -> Result<Value, Failure> {
    let held = store.open(key, WAIT)?;
    let Some(record) = held.record() else {
        return Err(Failure::Message("the session has just ended".to_owned()));
    };
    if is_blank(record) {
        let about = kept_of(record)?.about;
        return Ok(json!({
            "version": 1,
            "agent": key.agent,
            "session": key.session,
            "enabled": about.enabled,
            "state": null,
        }));
    }
    let kept = kept_apart(&held, record)?;
    show_as_json(record, &kept)
}

/// Switches the rules on or off for a session and its sub-agents.
fn switch(store: &Store, sessions: &[Listed], is_on: bool) -> Result<(), Failure> {
    change(store, sessions, |about| {
        let was_off = about.was_off || !is_on;
        About { enabled: Some(is_on), was_off, off_is_logged: false, ..about }
    })
}

/// Returns the latest session of a project and who verifies it, where its user has said that for this session.
#[must_use]
pub fn verifier_of_latest(project: &Path) -> Option<(String, String)> {
    let directory = live::usual_directory(|name| std::env::var_os(name))?;
    let sessions = Store::at(&directory, seal(&directory).ok()?).list().ok()?;
    let listed =
        sessions.iter().find(|listed| live::constitution::is_of_project(listed, project))?;
    let kept = Kept::read(listed.record.as_ref().ok()?.state())?;
    let name = one_line(&key_of(listed)?.session);
    Some((name, one_line(&kept.about.verifier?)))
}

/// What a user says of the verifier of a session; nothing for what the rules say.
fn verifier_of(name: &str) -> Result<Option<String>, Failure> {
    match name {
        "default" => Ok(None),
        verify::OFF => Ok(Some(name.to_owned())),
        name => models::named(name).map(|_| Some(name.to_owned())).map_err(Failure::Message),
    }
}

/// Changes what is kept of sessions besides their state.
fn change(
    store: &Store,
    sessions: &[Listed],
    change: impl Fn(About) -> About,
) -> Result<(), Failure> {
    for listed in sessions {
        let Some(key) = key_of(listed) else { continue };
        let mut held = store.open(key, WAIT)?;
        let Some(record) = held.record().cloned() else { continue };
        let kept = kept_of(&record)?;
        let bytes = Kept { about: change(kept.about), layers: kept.layers }.write();
        held.save(&bytes, record.image, SystemTime::now())?;
    }
    Ok(())
}

fn list_as_json(sessions: &[Listed]) -> Value {
    let one = |listed: &Listed| {
        let file = project::display(&listed.path);
        let key = key_of(listed);
        let mut value = json!({
            "agent": key.map(|key| &key.agent),
            "session": key.map(|key| &key.session),
            "sub_agent": key.and_then(|key| key.sub_agent.as_ref()),
            "file": file,
        });
        let problem = match (&listed.record, report_of(listed)) {
            (Ok(record), Ok((turn, total_calls, violations))) => {
                let more = json!({
                    "saved_at": record.saved_at,
                    "enabled": kept_of(record).ok().and_then(|kept| kept.about.enabled),
                    "was_off": was_off(record),
                    "turn": turn,
                    "total_calls": total_calls,
                    "violations": violations,
                });
                if let (Value::Object(value), Value::Object(more)) = (&mut value, more) {
                    value.extend(more);
                }
                None
            }
            (Err(error), _) => Some(error.to_string()),
            (_, Err(problem)) => Some(problem),
        };
        if let (Value::Object(value), Some(problem)) = (&mut value, problem) {
            value.insert("problem".to_owned(), problem.into());
        }
        value
    };
    json!({ "version": 1, "sessions": sessions.iter().map(one).collect::<Vec<_>>() })
}

fn list_as_text(sessions: &[Listed], directory: &Path, terminal: &Terminal) -> String {
    let mut out = String::new();
    let place = one_line(&project::display(directory));
    let count = format!("{} in {place}\n", counted(sessions.len(), "session"));
    if terminal.quiet || sessions.is_empty() {
        return count;
    }
    let heading = ["agent", "session", "sub-agent", "last event", "turn", "calls", "violations"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    rows.extend(sessions.iter().map(row));
    for (index, line) in table::render(&rows).into_iter().enumerate() {
        let is_damaged = index.checked_sub(1).and_then(|at| sessions.get(at));
        let is_damaged = is_damaged.is_some_and(|listed| report_of(listed).is_err());
        let style = match index {
            0 => Some(DIM),
            _ => is_damaged.then_some(RED),
        };
        // Writing to a string cannot fail.
        let _ =
            writeln!(out, "{}", style.map_or(line.clone(), |style| terminal.paint(style, &line)));
    }
    out.push_str(&terminal.paint(DIM, &count));
    out
}

/// The three numbers that the list has, or what is wrong.
fn report_of(listed: &Listed) -> Result<(u32, u64, u64), String> {
    let record = listed.record.as_ref().map_err(|error| match error {
        StoreError::Damaged { problem, .. } => (*problem).to_owned(),
        other => other.to_string(),
    })?;
    if is_blank(record) {
        return Ok((0, 0, 0));
    }
    let report = saved_of(record).map_err(|error| error.to_string())?.report();
    Ok((report.turn, report.total_calls, report.violations))
}

/// Whether nothing is known of a session but that the rules were switched off.
fn is_blank(record: &Record) -> bool {
    kept_of(record).is_ok_and(|kept| kept.layers.is_empty())
}

/// Whether the user switched the rules off for a session.
fn is_off(record: &Record) -> bool {
    kept_of(record).is_ok_and(|kept| kept.about.enabled == Some(false))
}

/// Whether the rules were ever switched off for a session, by whatever means.
fn was_off(record: &Record) -> bool {
    kept_of(record).is_ok_and(|kept| kept.about.was_off)
}

fn row(listed: &Listed) -> Vec<String> {
    let mut row = match key_of(listed) {
        Some(key) => {
            let sub_agent = key.sub_agent.as_deref().unwrap_or_default();
            [&key.agent, &key.session, sub_agent].map(|id| shortened(&one_line(id))).to_vec()
        }
        None => {
            let file = listed.path.file_name().unwrap_or_default().to_string_lossy();
            vec![String::new(), shortened(&one_line(&file)), String::new()]
        }
    };
    let off = match &listed.record {
        Ok(record) if is_off(record) => ", rules off",
        Ok(record) if was_off(record) => ", rules were off",
        _ => "",
    };
    let age = listed.record.as_ref().map_or(String::new(), |record| ago(record.saved_at));
    row.push(format!("{age}{off}"));
    match report_of(listed) {
        Ok((turn, calls, violations)) => {
            row.extend([turn.to_string(), calls.to_string(), violations.to_string()]);
        }
        Err(problem) => row.push(format!("damaged: {}", one_line(&problem))),
    }
    row
}

/// An id that leaves room for the other columns. How it begins is enough to name a session.
fn shortened(id: &str) -> String {
    const MAX_LENGTH: usize = 44;
    match id.char_indices().nth(MAX_LENGTH) {
        None => id.to_owned(),
        Some(_) => id.chars().take(MAX_LENGTH - 1).chain([CUT]).collect(),
    }
}

/// Stands where an id is cut.
const CUT: char = '…';

/// How long ago something was, from milliseconds since the epoch.
fn ago(then: i64) -> String {
    describe_age(live::now().saturating_sub(then))
}

fn describe_age(milliseconds: i64) -> String {
    let seconds = milliseconds / 1000;
    match seconds {
        ..0 => "in the future".to_owned(),
        0..120 => format!("{seconds} s ago"),
        120..7_200 => format!("{} min ago", seconds / 60),
        7_200..172_800 => format!("{} h ago", seconds / 3_600),
        _ => format!("{} d ago", seconds / 86_400),
    }
}

fn show_as_json(record: &Record, kept: &[KeptTarget]) -> Result<Value, Failure> {
    let about = kept_of(record)?.about;
    let saved = saved_of(record)?;
    Ok(json!({
        "version": 1,
        "rules_of": about.root,
        "enabled": about.enabled,
        "verifier": about.verifier,
        "was_off": about.was_off,
        "agent": record.key.agent,
        "session": record.key.session,
        "sub_agent": record.key.sub_agent,
        "saved_at": record.saved_at,
        "image": format!("{:016x}", record.image),
        "cwd": saved.cwd(),
        "mode": saved.mode(),
        "headless": saved.is_headless(),
        "constitution": about.constitution.as_ref().map_or(0, |list| list.list().entries().len()),
        "state": StateOutput::new(&saved.report_with(kept)),
    }))
}

fn show_as_text(
    record: &Record,
    kept: &[KeptTarget],
    terminal: &Terminal,
) -> Result<String, Failure> {
    let saved = saved_of(record)?;
    let report = saved.report_with(kept);
    let key = &record.key;
    let mut out = String::new();
    let sub_agent = key.sub_agent.as_deref().map(|sub| format!(", sub-agent {}", one_line(sub)));
    let _ = writeln!(
        out,
        "{} of {}{}, {}",
        terminal.paint(BOLD, &one_line(&key.session)),
        one_line(&key.agent),
        sub_agent.unwrap_or_default(),
        ago(record.saved_at)
    );
    let mut rows: Vec<[String; 2]> = Vec::new();
    let mut put = |what: &str, value: String| rows.push([what.to_owned(), value]);
    if is_off(record) {
        put("rules", "off".to_owned());
    } else if was_off(record) {
        put("rules", "were off for a part of it".to_owned());
    }
    if let Ok(kept) = kept_of(record) {
        let usual = || "as the rules say".to_owned();
        put("verifier", kept.about.verifier.as_deref().map_or_else(usual, one_line));
    }
    put("turn", report.turn.to_string());
    if let Some(list) = kept_of(record)?.about.constitution {
        put("rules of its own", list.list().entries().len().to_string());
    }
    put("calls", format!("{}, in this turn {}", report.total_calls, report.calls_this_turn));
    let last = report.last_violation.map(|rule| format!(", the last by {}", one_line(rule)));
    put("violations", format!("{}{}", report.violations, last.unwrap_or_default()));
    if !terminal.quiet {
        let streak = report.streak.map(|(tool, length)| format!("{} × {length}", one_line(tool)));
        streak.into_iter().for_each(|streak| put("in a row", streak));
        saved.cwd().into_iter().for_each(|cwd| put("directory", one_line(cwd)));
        saved.mode().into_iter().for_each(|mode| put("mode", one_line(mode)));
        report.counters.iter().for_each(|(name, value)| put(name, value.to_string()));
        report
            .flags
            .iter()
            .for_each(|(name, set)| put(name, if *set { "yes" } else { "no" }.into()));
    }
    let rows: Vec<Vec<String>> =
        rows.into_iter().map(|[what, value]| vec![one_line(&what), value]).collect();
    for line in table::render(&rows) {
        let _ = writeln!(out, "  {line}");
    }
    if !terminal.quiet {
        for (name, targets) in &report.sets {
            write_list(
                name,
                &targets.iter().map(|t| one_line(t)).collect::<Vec<_>>(),
                terminal,
                &mut out,
            );
        }
        let call = |(tool, target): &(&str, &str)| one_line(&format!("{tool} {target}"));
        let calls: Vec<String> = report.recent.iter().map(call).collect();
        write_list("recent calls", &calls, terminal, &mut out);
    }
    Ok(out)
}

/// A heading with the number of items, and the last of them.
fn write_list(name: &str, items: &[String], terminal: &Terminal, out: &mut String) {
    let shown = if terminal.verbose { items.len() } else { TARGETS_SHOWN };
    let hidden = items.len().saturating_sub(shown);
    let heading = format!("{} ({})", one_line(name), items.len());
    let _ = writeln!(out, "\n{}", terminal.paint(BOLD, &heading));
    if hidden > 0 {
        let _ = writeln!(
            out,
            "  {}",
            terminal.paint(DIM, &format!("… {hidden} earlier, -v shows them"))
        );
    }
    for item in items.iter().skip(hidden) {
        let _ = writeln!(out, "  {}", item.trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::describe_age;

    #[test]
    fn ages_are_short() {
        let check = |seconds: i64, expect: &str| {
            assert_eq!(describe_age(seconds * 1000), expect, "{seconds}");
        };
        check(0, "0 s ago");
        check(119, "119 s ago");
        check(120, "2 min ago");
        check(7_199, "119 min ago");
        check(7_200, "2 h ago");
        check(172_800, "2 d ago");
        check(-5, "in the future");
    }
}
