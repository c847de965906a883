//! Which hooks Codex runs: those whose hash its user has agreed to in `/hooks`, of projects that it trusts. As of
//! 0.169, whose `app-server` lists the same hashes for what `init` writes; what is hashed is in its sources
//! (`hooks/src/engine/discovery.rs`, `config/src/fingerprint.rs`).

use serde_json::{Map, Value, json};

use crate::codex::install::CONFIG;
use crate::codex::{ALIASES, NAME};
use crate::own::{Effect, Hindrance, Installation, Names, OwnHook, sha256};
use crate::tree::{Kind, Node};
use crate::wiring::Shape;

/// The events whose matchers count.
const MATCHED: [&str; 4] = ["PreToolUse", "PermissionRequest", "PostToolUse", "SessionStart"];
/// How long Codex waits where nothing is said, in seconds.
const USUAL_TIMEOUT: u64 = 600;
/// The event for which it never waits longer than these seconds.
const CUT: (&str, u64) = ("SessionEnd", 3);

/// How things stand with a hook.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Trusted,
    New,
    Changed,
    Off,
}

/// Returns why Codex does not run our hooks in a file.
pub(crate) fn hindrances(installation: &Installation<'_>) -> Vec<Hindrance> {
    let config = installation.user_file(CONFIG);
    let config = config.as_ref();
    let mut found: Vec<Hindrance> = of_project(installation, config).into_iter().collect();
    let hooks =
        installation.hooks(Names { name: NAME, aliases: ALIASES }, Shape::Grouped { named: false });
    for (state, what, todo) in [
        (
            State::New,
            "Codex has not been told to trust it",
            "start Codex here, open `/hooks`, and trust it",
        ),
        (
            State::Changed,
            "it was changed since Codex was told to trust it",
            "open `/hooks` in Codex, and trust it again",
        ),
        (State::Off, "it is switched off in `/hooks` of Codex", "switch it on there"),
    ] {
        let of_state = |hook: &&OwnHook| state_of(hook, installation.path, config) == state;
        let such: Vec<&OwnHook> = hooks.iter().filter(of_state).collect();
        let Some(first) = such.first() else { continue };
        let mut events: Vec<&str> = such.iter().map(|hook| hook.event.as_str()).collect();
        events.dedup();
        let is_of_calls = events.contains(&"PreToolUse");
        let effect = if is_of_calls { Effect::Silences } else { Effect::Weakens };
        let message = format!("{what} ({}), so it is not run: {todo}", events.join(", "));
        found.push(Hindrance::new(first.entry.line, effect, message));
    }
    found
}

/// That the project is not trusted, which keeps Codex from reading its hooks at all.
fn of_project(installation: &Installation<'_>, config: Option<&Node>) -> Option<Hindrance> {
    let project = installation.project?;
    let level = |folder: &str| config?.at(&["projects", folder, "trust_level"])?.text();
    let mut folder = project;
    loop {
        match (level(folder), folder.rsplit_once('/')) {
            (Some("trusted"), _) => return None,
            (Some(_), _) | (None, None) => break,
            (None, Some((above, _))) => folder = above,
        }
    }
    let message = "Codex takes the hooks of a project only once it trusts the project: start it here, and say that \
                   it may";
    Some(Hindrance::new(1, Effect::Silences, message))
}

fn state_of(hook: &OwnHook, path: &str, config: Option<&Node>) -> State {
    let (group, at) = hook.index;
    let key = format!("{path}:{}:{group}:{at}", snake_case(&hook.event));
    let Some(state) = config.and_then(|config| config.at(&["hooks", "state", &key])) else {
        return State::New;
    };
    if state.member("enabled").is_some_and(|node| node.is(false)) {
        return State::Off;
    }
    match state.member("trusted_hash").and_then(Node::text) {
        None => State::New,
        Some(hash) if hash == hash_of(hook) => State::Trusted,
        Some(_) => State::Changed,
    }
}

/// The hash by which Codex knows a hook: of its event, its matcher and what it runs, as JSON with sorted keys.
fn hash_of(hook: &OwnHook) -> String {
    let text = |node: Option<&Node>| node.and_then(Node::text).map(str::to_owned);
    let mut handler = Map::new();
    let asks = hook.entry.member("async").is_some_and(|node| node.is(true));
    handler.insert("async".to_owned(), asks.into());
    handler.insert("command".to_owned(), hook.line.clone().into());
    if let Some(status) = text(hook.entry.member("statusMessage")) {
        handler.insert("statusMessage".to_owned(), status.into());
    }
    handler.insert("timeout".to_owned(), timeout_of(hook).into());
    handler.insert("type".to_owned(), "command".into());
    let mut identity = Map::new();
    identity.insert("event_name".to_owned(), snake_case(&hook.event).into());
    identity.insert("hooks".to_owned(), json!([Value::Object(handler)]));
    if let Some(matcher) = text(hook.matcher.as_ref()).filter(|_| MATCHED.contains(&&*hook.event)) {
        identity.insert("matcher".to_owned(), matcher.into());
    }
    // The keys go in as they are sorted, whatever the map makes of it.
    format!("sha256:{}", sha256(&Value::Object(identity).to_string()))
}

fn timeout_of(hook: &OwnHook) -> u64 {
    let is_cut = hook.event == CUT.0;
    let told = match hook.entry.member("timeout").map(|node| &node.kind) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "`as` saturates"
        )]
        Some(Kind::Number(seconds)) => *seconds as u64,
        _ if is_cut => 1,
        _ => USUAL_TIMEOUT,
    };
    told.clamp(1, if is_cut { CUT.1 } else { u64::MAX })
}

/// The name of an event as its settings have it: `PreToolUse` is `pre_tool_use` there.
fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for character in name.chars() {
        if character.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(character.to_ascii_lowercase());
    }
    out
}
