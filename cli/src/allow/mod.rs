//! `behavior allow`: a user lets run what a rule stops. Only a person at a terminal can.

mod always;

use std::io::{self, IsTerminal};
use std::path::Path;

use behavior_compiler::closest;
use behavior_runtime::host::grant_of_policy;
use behavior_runtime::{Layer, Layers};
use jiff::{Span, Timestamp, Zoned};
use serde_json::json;

use crate::args::{AllowArgs, PlainFormat, RuleArgs};
use crate::live::audit::Log;
use crate::live::grants::{
    CUT, Contents, Covers, Given, Grants, Lasts, StoppedCall, Subject, new_id,
};
use crate::live::secret_key::SecretKey;
use crate::live::{now, usual_directory};
use crate::render::{json, one_line};
use crate::terminal::{BOLD, DIM, Exit, Failure, Terminal};
use crate::{person, project, ready};

/// A grant is not given for longer, in milliseconds.
const MAX_DURATION: i64 = 30 * 24 * 3600 * 1000;

/// Runs the command.
///
/// # Errors
/// When nothing was stopped that could be allowed, the rule cannot be granted, nobody is there to be asked, or the
/// grant cannot be kept.
pub fn run(args: &AllowArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let state = usual_directory(|name| std::env::var_os(name)).ok_or_else(|| {
        message("nothing says where grants are kept; set `BEHAVIOR_STATE_DIR` to a directory")
    })?;
    let key = SecretKey::of_user(&state).map_err(|error| {
        Failure::Message(format!("the key of the user is of no use: {}", project::describe(&error)))
    })?;
    let grants = Grants::in_state(&state, &key);
    if args.list {
        list(&grants, args.format, terminal)?;
        return Ok(Exit::Clean);
    }
    if args.stopped {
        let project = Grants::project_of(&std::env::current_dir()?);
        list_stopped(&grants.stopped(&project), args.format, terminal)?;
        return Ok(Exit::Clean);
    }
    person::refuse_agents("allow what a rule stops")?;
    if let Some(id) = &args.revoke {
        return revoke(id, &grants, terminal);
    }
    let rule = args
        .rule
        .as_deref()
        .ok_or_else(|| message("which rule? `behavior log` shows what was stopped"))?;
    let rule = &granted_as(rule, args, terminal)?;
    let project = Grants::project_of(&std::env::current_dir()?);
    if args.always {
        let stopped = last_stopped(rule, args, &grants, &project);
        return always::run(rule, args, stopped.as_ref(), &state, &key, terminal);
    }
    let (asked, stopped) = asked(rule, args, &grants, &project)?;
    let given = Given {
        id: new_id()?,
        rule: rule.to_owned(),
        project,
        lasts: lasts(args, stopped.as_ref())?,
        covers: asked.covers,
        by: user(),
        since: now(),
        shown: asked.shown,
        contents: asked.contents,
    };
    if !confirm(&given, stopped.as_ref(), terminal)? {
        terminal.say("nothing was changed\n");
        return Ok(Exit::Clean);
    }
    grants.give(&given).map_err(|error| {
        Failure::Message(format!("the grant cannot be kept: {}", project::describe(&error)))
    })?;
    let what = format!("`{}` allowed {}: {}", given.by, duration(&given.lasts), what(&given));
    Log::beside(Some(&state), Some(key.clone())).granted(rule, &what);
    terminal.say(&format!(
        "allowed; the agent can try again, and `behavior allow --revoke {}` takes it back\n",
        given.id
    ));
    Ok(Exit::Clean)
}

/// What the arguments name.
struct Asked {
    covers: Covers,
    shown: String,
    contents: Option<Contents>,
}

impl Asked {
    /// Of what nobody has looked at the files.
    fn of(covers: Covers, shown: String) -> Self {
        Self { covers, shown, contents: None }
    }
}

/// Finds out what is to be allowed, with the call that was stopped where it is one.
fn asked(
    rule: &str,
    args: &AllowArgs,
    grants: &Grants<'_>,
    project: &Path,
) -> Result<(Asked, Option<StoppedCall>), Failure> {
    let stopped = last_stopped(rule, args, grants, project);
    if let Some(glob) = &args.path {
        let shown = format!("calls that touch only files that match `{glob}`");
        return Ok((Asked::of(Covers::Paths(glob.clone()), shown), stopped));
    }
    if let Some(line) = &args.command {
        let code = grants.code_of_command(line, &std::env::current_dir()?);
        return Ok((Asked::of(Covers::Call(code), line.clone()), stopped));
    }
    let Some(call) = stopped else {
        let what = args.call.as_ref().map_or("no call", |_| "no such call");
        return Err(Failure::Message(format!(
            "{what} was stopped by `{rule}` in this project lately; `--command` or `--path` say what to allow"
        )));
    };
    let asked = Asked::of(Covers::Call(call.code.clone()), call.shown.clone());
    Ok((Asked { contents: Some(call.contents.clone()), ..asked }, Some(call)))
}

fn last_stopped(
    rule: &str,
    args: &AllowArgs,
    grants: &Grants<'_>,
    project: &Path,
) -> Option<StoppedCall> {
    let is_asked = |call: &StoppedCall| {
        let is_it = args.call.as_ref().is_none_or(|id| *id == call.id);
        is_it && call.rules.iter().any(|stopping| stopping == rule)
    };
    grants.stopped(project).into_iter().rev().find(is_asked)
}

fn lasts(args: &AllowArgs, stopped: Option<&StoppedCall>) -> Result<Lasts, Failure> {
    if let Some(until) = &args.until {
        return moment(until).map(Lasts::Until);
    }
    if !args.session {
        return Ok(Lasts::Once);
    }
    let session = stopped.map(|call| call.session.clone());
    session.map(Lasts::Session).ok_or_else(|| {
        message("`--session` is for the session of a call that was stopped, and there is none: say `--until`")
    })
}

/// Reads a moment: a duration from now such as `30m`, a time of day, or a date with a time.
fn moment(text: &str) -> Result<i64, Failure> {
    let start = Zoned::now();
    let in_a_while = || start.checked_add(text.parse::<Span>().ok()?).ok();
    let today = || start.with().time(text.parse().ok()?).build().ok();
    let then = || Some(text.parse::<Timestamp>().ok()?.to_zoned(start.time_zone().clone()));
    let end = in_a_while().or_else(today).or_else(then).ok_or_else(|| {
        Failure::Message(format!(
            "`{text}` is no moment: write a duration such as `30m` or `2h`, a time such as `17:30`, or \
             `2030-01-31T17:30:00Z`"
        ))
    })?;
    let end = end.timestamp().as_millisecond();
    let length = end.saturating_sub(now());
    match length {
        length if length <= 0 => Err(Failure::Message(format!("`{text}` is over already"))),
        length if length > MAX_DURATION => Err(message("a grant is given for 30 days at most")),
        _ => Ok(end),
    }
}

/// Shows what is about to be allowed, and asks.
fn confirm(
    given: &Given,
    stopped: Option<&StoppedCall>,
    terminal: &Terminal,
) -> Result<bool, Failure> {
    let heading =
        format!("allow {}, whatever `{}` says:", duration(&given.lasts), one_line(&given.rule));
    terminal.say(&format!("{}\n", terminal.paint(BOLD, &heading)));
    terminal.say(&format!("  {}\n", whole(given, stopped)?));
    let is_it = |call: &&StoppedCall| given.covers == Covers::Call(call.code.clone());
    if let Some(call) = stopped.filter(is_it) {
        let directory = call.directory.to_string_lossy();
        let (directory, ago) = (one_line(&directory), ago(call.at));
        let about = format!("  in `{directory}`, {ago} ago, by {}", call.agent);
        terminal.say(&format!("{}\n", terminal.paint(DIM, &about)));
    }
    agrees("a grant is given", terminal)
}

/// What is to be allowed, from its beginning to its end: nobody agrees to what they cannot see. Blanks are shown once.
///
/// # Errors
/// When the call is too long to be kept, or holds a secret, so that it cannot be shown whole.
fn whole(given: &Given, stopped: Option<&StoppedCall>) -> Result<String, Failure> {
    let call = stopped.filter(|call| given.covers == Covers::Call(call.code.clone()));
    let line = call.and_then(|call| match &call.subject {
        Some(Subject::Command(line)) => Some(line.as_str()),
        _ => None,
    });
    if line.is_none() && call.is_some() && given.shown.contains(CUT) {
        return Err(Failure::Message(
            "that call is too long to be shown whole: let the agent do it in smaller steps, or allow it with \
             `--path`"
                .to_owned(),
        ));
    }
    let lines = line.unwrap_or(&given.shown).lines().map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        one_line(&words.join(" "))
    });
    let text = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n  ");
    let tool = line.and(given.shown.split_once(": ")).map(|(tool, _)| tool);
    Ok(tool.map_or_else(|| text.clone(), |tool| format!("{}: {text}", one_line(tool))))
}

/// Asks whether what was shown is allowed. `act` is what takes a terminal.
fn agrees(act: &str, terminal: &Terminal) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Err(Failure::Message(format!("{act} at a terminal: run `behavior allow` in one")));
    }
    crate::question::agrees("allow it?", terminal)
}

/// Returns what grants call a rule. Refuses one that there is not, and one that cannot be granted.
fn granted_as(id: &str, args: &AllowArgs, terminal: &Terminal) -> Result<String, Failure> {
    let layers: &Layers = &ready::load(&RuleArgs::default(), terminal)?.layers;
    let rules = layers.rules();
    let Some(rule) = rules.find(id) else {
        if let Some(granted) = granted_as_policy(id, args, layers)? {
            return Ok(granted);
        }
        let of_policy = layers.policy().iter().map(|rule| rule.name);
        let near = closest(id, rules.iter().map(|rule| rule.id).chain(of_policy));
        let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
        return Err(Failure::Message(format!("no rule here is called `{}`{hint}", one_line(id))));
    };
    if rules.layer(rule) == Layer::Administrator {
        return Err(Failure::Message(format!(
            "`{id}` is a rule of the administrator, and those cannot be granted"
        )));
    }
    match rules.get(rule).is_some_and(|rule| rule.is_grantable) {
        true => Ok(id.to_owned()),
        false => Err(Failure::Message(format!("`{id}` says `grantable: false`"))),
    }
}

/// As [`granted_as`], for the rules of policies that have a name; `None` where there are none.
fn granted_as_policy(
    id: &str,
    args: &AllowArgs,
    layers: &Layers,
) -> Result<Option<String>, Failure> {
    let granted = match id.starts_with(&grant_of_policy("")) {
        true => id.to_owned(),
        false => grant_of_policy(id),
    };
    let policy = layers.policy();
    let named = (0..).zip(policy.iter()).filter(|(_, rule)| grant_of_policy(rule.name) == granted);
    let named: Vec<u32> = named.map(|(index, _)| index).collect();
    if named.is_empty() {
        return Ok(None);
    }
    if named.iter().all(|rule| policy.layer(*rule) == Layer::Administrator) {
        return Err(Failure::Message(format!(
            "`{}` is a rule of the administrator, and those cannot be granted",
            one_line(id)
        )));
    }
    if args.always {
        return Err(message(
            "what a policy stops is allowed always by a rule of the policy with `action = \"allow\"`, before the one \
             that stops it",
        ));
    }
    Ok(Some(granted))
}

fn list(grants: &Grants<'_>, format: PlainFormat, terminal: &Terminal) -> Result<(), Failure> {
    let all = grants.list(now());
    if format == PlainFormat::Json {
        return Ok(terminal.print(&json::to_text(&json!({"version": 1, "grants": all}))?)?);
    }
    if all.is_empty() {
        terminal.say(
            "nothing is allowed beyond the rules for a time; what is allowed always stands in their `exceptions`\n",
        );
    }
    for given in &all {
        let heading = format!("{}  {}", given.id, one_line(&given.rule));
        terminal.print(&format!("{}\n", terminal.paint(BOLD, &heading)))?;
        let project = given.project.to_string_lossy();
        let shown = one_line(&given.shown);
        terminal.print(&format!(
            "  {shown}\n  {}, in `{}`\n",
            duration(&given.lasts),
            one_line(&project)
        ))?;
    }
    Ok(())
}

fn list_stopped(
    calls: &[StoppedCall],
    format: PlainFormat,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if format == PlainFormat::Json {
        return Ok(terminal.print(&json::to_text(&json!({"version": 1, "stopped": calls}))?)?);
    }
    if calls.is_empty() {
        terminal.say("nothing was stopped in this project\n");
    }
    for call in calls {
        let rules = one_line(&call.rules.join(", "));
        let heading = format!("{}  {rules}", call.id);
        terminal.print(&format!("{}\n", terminal.paint(BOLD, &heading)))?;
        let about = format!("{} ago, by {}", ago(call.at), call.agent);
        terminal.print(&format!(
            "  {}\n  {}\n",
            one_line(&call.shown),
            terminal.paint(DIM, &about)
        ))?;
    }
    Ok(())
}

/// How long ago something was, for people.
fn ago(at: i64) -> String {
    let minutes = (now().saturating_sub(at) / 60_000).max(0);
    match minutes {
        0..=119 => format!("{minutes} min"),
        120..=2879 => format!("{} h", minutes / 60),
        _ => format!("{} days", minutes / 1440),
    }
}

fn revoke(id: &str, grants: &Grants<'_>, terminal: &Terminal) -> Result<Exit, Failure> {
    let is_known = grants.list(now()).iter().any(|given| given.id == id);
    let taken = is_known
        && grants.take_back(id).map_err(|error| {
            Failure::Message(format!(
                "the grant cannot be taken back: {}",
                project::describe(&error)
            ))
        })?;
    match taken {
        true => terminal.say("the grant was taken back\n"),
        false => return Err(Failure::Message(format!("there is no grant `{}`", one_line(id)))),
    }
    Ok(Exit::Clean)
}

fn what(given: &Given) -> String {
    one_line(&given.shown)
}

fn duration(lasts: &Lasts) -> String {
    match lasts {
        Lasts::Once => "once".to_owned(),
        Lasts::Session(session) => {
            format!("in the session {}", session.chars().take(8).collect::<String>())
        }
        Lasts::Until(end) => {
            let end = Timestamp::from_millisecond(*end).unwrap_or_default();
            format!("until {}", end.strftime("%F %T UTC"))
        }
    }
}

/// The user's name, as the environment tells it.
fn user() -> String {
    let named = ["USER", "LOGNAME", "USERNAME"].into_iter().filter_map(std::env::var_os);
    let name = named.map(|name| name.to_string_lossy().into_owned()).find(|name| !name.is_empty());
    one_line(&name.unwrap_or_else(|| "the user".to_owned()))
}

fn message(text: &str) -> Failure {
    Failure::Message(text.to_owned())
}
