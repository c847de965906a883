//! Sessions: events of all kinds, and the runs of them that single events seldom come to.

use behavior_agents::{Item, to_native};
use behavior_runtime::event::{Call, Event, FileFact, Param, SessionStart, ToolResult, Value};
use serde_json::{Value as Json, json};

use super::choices::{Choices, Seed};
use super::commands::command_line;
use super::words::*;

/// The events as a native trace.
#[must_use]
pub fn trace(seed: &Seed) -> String {
    let mut lines = String::new();
    for bytes in &seed.events {
        let mut choices = Choices::new(bytes);
        let session = choices.one(&["default", "s1", "default", "s2"]);
        let events =
            if choices.rarely(12) { episode(&mut choices) } else { vec![event(&mut choices)] };
        for event in events {
            let item = Item { line: 0, session: session.into(), ts: None, event };
            lines += &to_native(&item);
            lines.push('\n');
        }
    }
    lines
}

/// What single events seldom come to: a file is used, changes, and is used again.
fn episode(choices: &mut Choices<'_>) -> Vec<Event<'static>> {
    let path = choices.one(&["a.rs", "/repo/a.rs", "src/b.rs", "/link.rs"]);
    let fact = |choices: &mut Choices<'_>| {
        Event::Fs(FileFact {
            path: path.into(),
            exists: !choices.rarely(8),
            size: Some(u64::from(choices.byte() % 3)),
            ..FileFact::default()
        })
    };
    let on_path = |tool: &'static str| {
        let value = Value::Text(path.into());
        let params = vec![Param { name: "file_path".into(), native: None, value }];
        Call { tool: tool.into(), params, ..Call::default() }
    };
    let result = |tool, ok| {
        Event::ToolResult(ToolResult { call: Some(on_path(tool)), ok, ..ToolResult::default() })
    };
    let mut events = vec![fact(choices), result(choices.one(&["read", "edit", "fs.read"]), true)];
    if choices.rarely(3) {
        events.push(Event::TurnStart { text: None });
    }
    events.push(fact(choices));
    if choices.rarely(3) {
        events.push(result(choices.one(&["edit", "write"]), !choices.rarely(3)));
    }
    events.push(Event::ToolCall(on_path(choices.one(&["edit", "write", "read"]))));
    let program = choices.one(&["rm", "rm -rf", "git rm", "mv"]);
    let command = format!("{program} {path} {}", choices.one(&["", "b.rs", "$X"]));
    let value = Value::Text(command.into());
    let params = vec![Param { name: "command".into(), native: None, value }];
    events.push(Event::ToolCall(Call { tool: "bash".into(), params, ..Call::default() }));
    events
}

fn event(choices: &mut Choices<'_>) -> Event<'static> {
    match choices.below(20) {
        0..=5 => Event::ToolCall(call(choices, false)),
        6..=12 => {
            let id = id(choices);
            let call = (id.is_none() || choices.rarely(4)).then(|| call(choices, true));
            // Sometimes nothing tells which call it was.
            let call = if choices.rarely(10) { None } else { call };
            let result = (!choices.rarely(6)).then(|| result_value(choices));
            Event::ToolResult(ToolResult { id, call, result, ok: !choices.rarely(5) })
        }
        13 | 14 => Event::TurnStart { text: choices.rarely(2).then(|| text(choices).into()) },
        15 if choices.rarely(2) => {
            Event::TurnEnd { text: (!choices.rarely(4)).then(|| text(choices).into()) }
        }
        15 | 16 => Event::Text { text: text(choices).into() },
        17 => Event::Fs(FileFact {
            path: choices.one(&PATHS).into(),
            exists: !choices.rarely(4),
            size: (!choices.rarely(4)).then(|| u64::from(choices.byte() % 3)),
            mtime: (!choices.rarely(4)).then(|| i64::from(choices.byte() % 3)),
            lines: choices.rarely(3).then(|| u64::from(choices.byte() % 8)),
            real: choices.rarely(4).then(|| choices.one(&["/real/a.rs", "/repo/a.rs"]).into()),
        }),
        18 => match choices.below(8) {
            5 => Event::VerifierReply { reply: Ok(r#"{"ok": false}"#.into()) },
            6 => Event::VerifierReply { reply: Err("no answer".into()) },
            7 => Event::UserShell { command: text(choices).into(), hidden: choices.rarely(3) },
            4 => Event::Compaction,
            0 => Event::Clock { now: i64::from(choices.byte()) },
            1 => Event::SessionEnd,
            2 => Event::ClassifierReply { raw: "{}".into() },
            _ => Event::Request { body: r#"{"event":"request","model":"m"}"#.into() },
        },
        _ => Event::SessionStart(SessionStart {
            cwd: Some(choices.one(&["/repo", "/repo/", "/", "/repo/./src/..", "relative"]).into()),
            subagent: choices.rarely(2).then(|| choices.rarely(2)),
            branch: choices.rarely(2).then(|| choices.one(&["main", "feature", "x"]).into()),
            tools: choices.rarely(2).then(|| {
                let tools = choices.some(&["read", "bash", "fs__edit", "shell"], 3);
                tools.into_iter().map(Into::into).collect()
            }),
            ..SessionStart::default()
        }),
    }
}

fn id(choices: &mut Choices<'_>) -> Option<std::borrow::Cow<'static, str>> {
    match choices.below(5) {
        0 => None,
        number => Some(format!("id{number}").into()),
    }
}

fn call(choices: &mut Choices<'_>, is_repeated: bool) -> Call<'static> {
    let tool = choices.one(&TOOLS);
    let native_tool = choices.rarely(6).then(|| choices.one(&TOOLS).into());
    let mut params: Vec<Param<'static>> = Vec::new();
    let count = choices.below(4);
    for _ in 0..count {
        let name = choices.one(&PARAMS);
        if params.iter().any(|param| param.name == name) {
            continue;
        }
        let native = choices.rarely(8).then(|| choices.one(&PARAMS).into());
        params.push(Param { name: name.into(), native, value: value(choices, name) });
    }
    if choices.rarely(8) {
        let name = choices.one(&["workdir", "cwd"]);
        let value = Value::Text(choices.one(&["src", "/repo/src", "", "/tmp", ".."]).into());
        params.push(Param { name: name.into(), native: None, value });
    }
    let id = if is_repeated { None } else { id(choices) };
    Call { id, tool: tool.into(), native_tool, params }
}

fn value(choices: &mut Choices<'_>, name: &str) -> Value<'static> {
    let is_path = name.ends_with("path") || name == "target";
    match choices.below(8) {
        0..=4 if is_path => Value::Text(choices.one(&PATHS).into()),
        1..=4 if name == "command" || name == "query" => Value::Text(command_line(choices).into()),
        5 if name == "command" => {
            let words = choices.some(&COMMAND_WORDS, 4);
            Value::Json(json!([&["rm".to_owned()], &words[..]].concat()).to_string().into())
        }
        0..=4 => Value::Text(text(choices).into()),
        5 => Value::Text("".into()),
        6 => {
            let items =
                [json!(text(choices)), json!(42), json!({ "a": text(choices) }), Json::Null];
            Value::Json(json!(&items[..choices.below(5)]).to_string().into())
        }
        _ => Value::Json(
            choices
                .one(&["5", "true", "null", "1.5", "-3", "{ \"a\" : [1, 2] }", "1e2", "false"])
                .into(),
        ),
    }
}

fn result_value(choices: &mut Choices<'_>) -> Value<'static> {
    match choices.below(6) {
        0..=2 => Value::Text(text(choices).into()),
        3 => {
            let lint = json!([{ "severity": choices.one(&["error", "warning"]) }, 5]);
            Value::Json(json!({ "lint": lint, "text": text(choices) }).to_string().into())
        }
        4 => Value::Json(
            choices
                .one(&[
                    r#"{"data": {"lint": [{"severity": "error"}]}}"#,
                    r#"{"l\u0069nt": [{"severity": "error"}]}"#,
                    r#"{"lint": {"severity": "error"}}"#,
                    "[]",
                    "null",
                ])
                .into(),
        ),
        _ => Value::Json(json!([text(choices), 5]).to_string().into()),
    }
}

fn text(choices: &mut Choices<'_>) -> String {
    let mut text = String::new();
    if choices.rarely(4) {
        text += choices.one(&POINTERS);
    }
    for index in 0..choices.below(5) {
        if index > 0 && !choices.rarely(4) {
            text.push(' ');
        }
        text += choices.one(&WORDS);
        if choices.rarely(16) {
            text += &choices.one(&["x", "k", "\u{fc}"]).repeat(98 + choices.below(8));
        }
    }
    text
}
