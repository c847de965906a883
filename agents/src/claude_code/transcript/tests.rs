//! Transcripts of a few lines, each about one thing that real ones do.

use serde_json::{Value as Tree, json};

use super::*;
use crate::sink::Item;
use behavior_runtime::event::Value;

/// Keeps what a reader finds, in short notation.
#[derive(Default)]
struct Kept {
    events: Vec<String>,
    lines: Vec<u32>,
    times: Vec<Option<i64>>,
    problems: Vec<(u32, String)>,
    /// Whether every event survived being written and read again.
    changed: Vec<String>,
    exchanges: bool,
}

impl Sink for Kept {
    fn item(&mut self, item: Item<'_>) {
        self.lines.push(item.line);
        self.times.push(item.ts);
        self.events.push(short(&item));
        let written = crate::to_native(&item);
        if crate::native::parse(&written, item.line) != Ok(Some(item)) {
            self.changed.push(written);
        }
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push((problem.line, problem.message));
    }

    fn wants_exchanges(&self) -> bool {
        self.exchanges
    }
}

/// An event in short; the session `s` is left out.
fn short(item: &Item<'_>) -> String {
    let value = |value: &Value<'_>| match value {
        Value::Text(text) => text.to_string(),
        Value::Json(json) => json.to_string(),
    };
    let what = match &item.event {
        Event::SessionStart(start) => {
            let fields = [&start.agent, &start.cwd, &start.mode]
                .map(|field| field.as_deref().unwrap_or("-"));
            format!("start {}", fields.join(" "))
        }
        Event::TurnStart { text } => format!("turn {}", text.as_deref().unwrap_or("-")),
        Event::Text { text } => format!("text {text}"),
        Event::ToolCall(call) => {
            let params: Vec<_> = call
                .params
                .iter()
                .map(|param| format!(" {}={}", param.name, value(&param.value)))
                .collect();
            format!("call {} {}{}", call.id.as_deref().unwrap_or("-"), call.tool, params.concat())
        }
        Event::ToolResult(result) => {
            let outcome = if result.ok { "ok" } else { "failed" };
            let shown = result.result.as_ref().map_or("-".to_owned(), value);
            format!("result {} {outcome} {shown}", result.id.as_deref().unwrap_or("-"))
        }
        Event::Fs(fact) => format!("fs {} {}", fact.path, fact.exists),
        Event::Compaction => "compaction".to_owned(),
        Event::SessionEnd => "end".to_owned(),
        Event::Response { body } => body.to_string(),
        other => panic!("not an event of a transcript: {other:?}"),
    };
    if item.session == "s" { what } else { format!("[{}] {what}", item.session) }
}

fn run(input: &[u8]) -> (Kept, Stats) {
    run_into(Kept::default(), input)
}

fn run_into(mut kept: Kept, input: &[u8]) -> (Kept, Stats) {
    let stats = read(&mut &*input, &mut kept).expect("bytes in memory can be read");
    assert_eq!(kept.changed, [] as [&str; 0]);
    assert_eq!(stats.events, kept.events.len() as u64);
    assert_eq!(stats.bytes, input.len() as u64);
    (kept, stats)
}

fn text_of(records: &[Tree]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

/// The events of records, without those of the session's start and end.
fn events(records: &[Tree]) -> (Vec<String>, Stats) {
    let (kept, stats) = run(text_of(records).as_bytes());
    assert_eq!(kept.problems, []);
    let inner = kept.events.into_iter().filter(|event| {
        !event.starts_with("start ")
            && !event.contains("] start ")
            && !event.ends_with("] end")
            && event != "end"
    });
    (inner.collect(), stats)
}

#[track_caller]
fn check(records: &[Tree], expect: &[&str]) -> Stats {
    let (events, stats) = events(records);
    assert_eq!(events, expect);
    stats
}

fn said(text: &str) -> Tree {
    json!({"type": "user", "sessionId": "s", "message": {"role": "user", "content": text}})
}

fn assistant(message: &str, blocks: Tree) -> Tree {
    json!({"type": "assistant", "sessionId": "s", "message": {"id": message, "content": blocks}})
}

fn calls(message: &str, id: &str, tool: &str, input: Tree) -> Tree {
    assistant(message, json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]))
}

fn answers(id: &str, content: Tree, value: Tree) -> Tree {
    json!({"type": "user", "sessionId": "s", "toolUseResult": value, "message": {"role": "user",
        "content": [{"type": "tool_result", "tool_use_id": id, "content": content}]}})
}

fn fails(id: &str, content: &str) -> Tree {
    json!({"type": "user", "sessionId": "s", "toolUseResult": format!("Error: {content}"),
        "message": {"content": [{"type": "tool_result", "tool_use_id": id, "content": content,
        "is_error": true}]}})
}

fn with(mut record: Tree, fields: Tree) -> Tree {
    for (key, value) in fields.as_object().expect("an object") {
        record[key] = value.clone();
    }
    record
}

#[test]
fn a_session_starts_once_and_tells_changes() {
    let records = [
        with(
            said("a"),
            json!({"cwd": "/x", "permissionMode": "default", "timestamp": "1970-01-01T00:00:01Z"}),
        ),
        with(assistant("m1", json!([])), json!({"cwd": "/x"})),
        with(calls("m2", "t1", "Bash", json!({"command": "cd y"})), json!({"cwd": "/x"})),
        with(answers("t1", json!(""), json!(null)), json!({"cwd": "/x/y"})),
        with(
            said("b"),
            json!({"cwd": "/x/y", "permissionMode": "plan", "timestamp": "1970-01-01T00:00:02.5Z"}),
        ),
    ];
    let (kept, _) = run(text_of(&records).as_bytes());
    assert_eq!(
        kept.events,
        [
            "start claude-code /x default",
            "turn a",
            "call t1 bash command=cd y",
            "result t1 ok ",
            "start - /x/y plan",
            "turn b",
            "end",
        ]
    );
    assert_eq!(kept.lines, [1, 1, 3, 4, 5, 5, 5]);
    let times = [Some(1000), Some(1000), None, None, Some(2500), Some(2500), Some(2500)];
    assert_eq!(kept.times, times);
}

#[test]
fn a_mode_told_beforehand_counts() {
    let mode =
        json!({"type": "permission-mode", "permissionMode": "bypassPermissions", "sessionId": "s"});
    let (kept, stats) = run(text_of(&[mode.clone(), said("a")]).as_bytes());
    assert_eq!(kept.events, ["start claude-code - yolo", "turn a", "end"]);
    assert_eq!(stats.skipped, 1);
    let (kept, _) = run(text_of(&[mode]).as_bytes());
    assert_eq!(kept.events, [] as [&str; 0]);
}

#[test]
fn only_what_the_user_said_begins_a_turn() {
    let blocks =
        |blocks: Tree| json!({"type": "user", "sessionId": "s", "message": {"content": blocks}});
    let records = [
        said("plain"),
        blocks(
            json!([{"type": "text", "text": "one"}, {"type": "image"}, {"type": "text", "text": "two"}]),
        ),
        blocks(json!([{"type": "image"}])),
        with(said("meta"), json!({"isMeta": true})),
        with(said("summary"), json!({"isCompactSummary": true})),
        with(said("synthetic"), json!({"isSynthetic": true})),
        said("<command-name>/model</command-name>"),
        said("<local-command-stdout>Set model</local-command-stdout>"),
        said("<bash-input>ls</bash-input>"),
        blocks(json!([{"type": "text", "text": "<system-reminder>x</system-reminder>"}])),
        blocks(json!([{"type": "text", "text": "<ide_opened_file>x</ide_opened_file>"},
            {"type": "text", "text": "fix <system-reminder> handling"}])),
        said("[Request interrupted by user]"),
        said("<task-notification>done</task-notification>"),
        with(said("agent a is done"), json!({"origin": {"kind": "task-notification"}})),
        blocks(json!([])),
        json!({"type": "user", "sessionId": "s"}),
        said("last"),
    ];
    let stats = check(
        &records,
        &[
            "turn plain",
            "turn one\ntwo",
            "turn ",
            "compaction",
            "turn fix <system-reminder> handling",
            "turn last",
        ],
    );
    assert_eq!(stats.skipped, 12);
}

#[test]
fn text_beside_results_begins_no_turn() {
    let both = json!({"type": "user", "sessionId": "s", "message": {"content": [
        {"type": "tool_result", "tool_use_id": "t1", "content": "done"},
        {"type": "text", "text": "[Request interrupted by user for tool use]"}]}});
    let meta = with(answers("t2", json!("more"), json!(null)), json!({"isMeta": true}));
    let records =
        [calls("m1", "t1", "Bash", json!({})), calls("m1", "t2", "Bash", json!({})), both, meta];
    check(&records, &["call t1 bash", "call t2 bash", "result t1 ok done", "result t2 ok more"]);
}

#[test]
fn an_assistants_texts_and_calls_come_in_order() {
    let records = [
        assistant(
            "m1",
            json!([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a\n\"b\""}]),
        ),
        assistant(
            "m1",
            json!([{"type": "server_tool_use", "id": "x", "name": "web_search", "input": {}}]),
        ),
        calls("m1", "t1", "mcp__github__get", json!({"n": 1, "q": "é", "deep": {"a": [true]}})),
        assistant("m1", json!([{"type": "text", "text": "c"}])),
        assistant("m2", json!("whole")),
        json!({"type": "assistant", "sessionId": "s", "message":
            {"id": "m3", "model": "<synthetic>", "content": [{"type": "text", "text": "API Error"}]}}),
    ];
    let stats = check(
        &records,
        &[
            "text a\n\"b\"",
            "call t1 mcp__github__get n=1 q=é deep={\"a\":[true]}",
            "text c",
            "text whole",
        ],
    );
    assert_eq!((stats.skipped, stats.open_calls), (1, 1));
}

#[test]
fn calls_of_one_message_come_before_its_results() {
    let records = [
        calls("m1", "t1", "Bash", json!({})),
        answers("t1", json!("one"), json!(null)),
        calls("m1", "t2", "Bash", json!({})),
        calls("m1", "t3", "Bash", json!({})),
        answers("t3", json!("three"), json!(null)),
        answers("t2", json!("two"), json!(null)),
        calls("m2", "t4", "Bash", json!({})),
        answers("t4", json!("four"), json!(null)),
    ];
    let expect = [
        "call t1 bash",
        "call t2 bash",
        "call t3 bash",
        "result t1 ok one",
        "result t3 ok three",
        "result t2 ok two",
        "call t4 bash",
        "result t4 ok four",
    ];
    check(&records, &expect);
}

#[test]
fn messages_without_id_stand_alone() {
    let call = |id: &str| {
        json!({"type": "assistant", "sessionId": "s", "message":
            {"content": [{"type": "tool_use", "id": id, "name": "Bash", "input": {}}]}})
    };
    let one = answers("t1", json!("one"), json!(null));
    let expect = ["call t1 bash", "result t1 ok one", "call t2 bash"];
    check(&[call("t1"), one.clone(), call("t2")], &expect);
    let request = |record| with(record, json!({"requestId": "r1"}));
    let expect = ["call t1 bash", "call t2 bash", "result t1 ok one"];
    check(&[request(call("t1")), one, request(call("t2"))], &expect);
}

#[test]
fn a_result_is_what_the_tool_returned_or_what_was_shown() {
    let records = [
        calls("m1", "t1", "Bash", json!({})),
        calls("m1", "t2", "Bash", json!({})),
        calls("m1", "t3", "Bash", json!({})),
        calls("m1", "t4", "Bash", json!({})),
        answers("t1", json!("shown"), json!({"stdout": "x"})),
        answers(
            "t2",
            json!([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}]),
            json!([1]),
        ),
        json!({"type": "user", "sessionId": "s", "toolUseResult": {"of": "which?"}, "message": {"content": [
            {"type": "tool_result", "tool_use_id": "t3", "content": "three"},
            {"type": "tool_result", "tool_use_id": "t4"}]}}),
    ];
    let (events, _) = events(&records);
    assert_eq!(
        events[4..],
        [
            "result t1 ok {\"stdout\":\"x\"}",
            "result t2 ok a\nb",
            "result t3 ok three",
            "result t4 ok -"
        ]
    );
}

#[test]
fn failed_runs_have_results_and_refused_calls_have_none() {
    let mut records: Vec<Tree> =
        (1..=6).map(|at| calls("m1", &format!("t{at}"), "Bash", json!({"command": "x"}))).collect();
    records.extend([
        fails("t1", "Exit code 1\nno"),
        fails(
            "t2",
            "The user doesn't want to proceed with this tool use. The tool use was rejected",
        ),
        fails("t3", "This command requires approval"),
        fails("t4", "<tool_use_error>Error: No such tool available: Bash</tool_use_error>"),
        with(fails("t5", "use a switch"), json!({"toolDenialKind": "user-rejected"})),
        fails("t6", "[Request interrupted by user for tool use]"),
    ]);
    let (events, stats) = events(&records);
    assert_eq!(
        events[6..],
        [
            "result t1 failed Exit code 1\nno",
            "result t6 failed [Request interrupted by user for tool use]"
        ]
    );
    let never: Vec<_> = stats.never_run.into_iter().collect();
    assert_eq!(never, [("no such tool", 1), ("permission denied", 1), ("rejected by the user", 2)]);
    assert_eq!((stats.open_calls, stats.orphan_results), (0, 0));
}

#[test]
fn a_hooks_words_in_place_of_a_shell_result() {
    let version = |record| with(record, json!({"version": "2.1.197"}));
    let records = [
        version(calls("m1", "t1", "Bash", json!({}))),
        version(calls("m1", "t2", "Read", json!({}))),
        version(fails("t1", "blocked by policy")),
        version(fails("t2", "blocked by policy")),
    ];
    let stats =
        check(&records, &["call t1 bash", "call t2 read", "result t2 failed blocked by policy"]);
    assert_eq!(stats.never_run.get("blocked by a hook"), Some(&1));
}

#[test]
fn results_tell_of_files_before_their_calls() {
    let path = |path: &str| json!({"file_path": path});
    let edit = |path: &str, old: &str| json!({"file_path": path, "old_string": old});
    let records = [
        calls("m1", "r1", "Read", path("a")),
        calls("m1", "r2", "Read", path("b")),
        calls("m1", "r3", "Read", path("c")),
        calls("m1", "w1", "Write", path("d")),
        calls("m1", "w2", "Write", path("e")),
        calls("m1", "w3", "Write", path("f")),
        calls("m1", "e1", "Edit", edit("g", "x")),
        calls("m1", "e2", "Edit", edit("h", "")),
        calls("m1", "e3", "MultiEdit", json!({"file_path": "i", "edits": [{"old_string": "x"}]})),
        calls("m1", "n1", "NotebookEdit", json!({"notebook_path": "j"})),
        calls("m1", "b1", "Bash", path("k")),
        answers("r1", json!("text"), json!(null)),
        fails("r2", "<tool_use_error>File does not exist.</tool_use_error>"),
        fails("r3", "EACCES: permission denied"),
        answers("w1", json!(""), json!({"type": "create", "originalFile": null})),
        answers("w2", json!(""), json!({"type": "update"})),
        fails("w3", "<tool_use_error>File has not been read yet. Read it first</tool_use_error>"),
        answers("e1", json!(""), json!(null)),
        answers("e2", json!(""), json!({"originalFile": ""})),
        answers("e3", json!(""), json!(null)),
        answers("n1", json!(""), json!(null)),
        fails("b1", "ENOENT: no such file or directory"),
    ];
    let (events, _) = events(&records);
    let brief: Vec<_> =
        events.iter().map(|event| event.split(' ').take(3).collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        brief,
        [
            "fs a true",
            "call r1 read",
            "fs b false",
            "call r2 read",
            "call r3 read",
            "fs d false",
            "call w1 write",
            "fs e true",
            "call w2 write",
            "fs f true",
            "call w3 write",
            "fs g true",
            "call e1 edit",
            "call e2 edit",
            "fs i true",
            "call e3 edit",
            "fs j true",
            "call n1 edit",
            "call b1 bash",
            "result r1 ok",
            "result r2 failed",
            "result r3 failed",
            "fs d true",
            "result w1 ok",
            "fs e true",
            "result w2 ok",
            "result w3 failed",
            "result e1 ok",
            "fs h true",
            "result e2 ok",
            "result e3 ok",
            "result n1 ok",
            "result b1 failed",
        ]
    );
}

#[test]
fn late_and_orphan_results() {
    let records = [
        answers("t0", json!("of before"), json!(null)),
        calls("m1", "t1", "Read", json!({"file_path": "a"})),
        calls("m2", "t2", "Bash", json!({})),
        answers("t1", json!("late"), json!(null)),
        said("go on"),
        answers("t2", json!("later"), json!(null)),
        answers("t2", json!("again"), json!(null)),
        calls("m3", "t3", "Bash", json!({})),
    ];
    let stats = check(
        &records,
        &[
            "result t0 ok of before",
            "call t1 read file_path=a",
            "call t2 bash",
            "fs a true",
            "result t1 ok late",
            "turn go on",
            "result t2 ok later",
            "result t2 ok again",
            "call t3 bash",
        ],
    );
    assert_eq!((stats.orphan_results, stats.open_calls), (2, 1));
}

#[test]
fn tools_and_parameters_get_canonical_names() {
    let input = json!({"notebook_path": "n", "new_source": "x"});
    let text = text_of(&[
        calls("m1", "t1", "NotebookEdit", input),
        calls("m1", "t2", "bash", json!("ls")),
    ]);
    struct Calls(Vec<String>);
    impl Sink for Calls {
        fn item(&mut self, item: Item<'_>) {
            self.0.push(crate::to_native(&item));
        }
        fn problem(&mut self, problem: Problem) {
            panic!("{problem:?}");
        }
    }
    let mut kept = Calls(Vec::new());
    read(&mut text.as_bytes(), &mut kept).expect("readable");
    assert_eq!(
        kept.0.iter().filter(|line| line.contains("tool_call")).collect::<Vec<_>>(),
        [
            r#"{"event":"tool_call","session":"s","id":"t1","tool":"edit","native_tool":"NotebookEdit","params":{"file_path":"n","new_source":"x"},"native_params":{"file_path":"notebook_path"}}"#,
            r#"{"event":"tool_call","session":"s","id":"t2","tool":"bash","params":{"command":"ls"},"native_params":{"command":"args"}}"#,
        ]
    );
}

#[test]
fn sub_agents_are_sessions_of_their_own() {
    let side = |record, agent: Tree| with(record, json!({"isSidechain": true, "agentId": agent}));
    let records = [
        with(said("main"), json!({"cwd": "/x"})),
        calls("m1", "t1", "Task", json!({})),
        side(said("task"), json!("a1")),
        side(calls("m2", "t2", "Bash", json!({})), json!("a1")),
        side(answers("t2", json!("x"), json!(null)), json!("a1")),
        side(said("old"), json!(null)),
        answers("t1", json!("done"), json!({"agentId": "a1"})),
    ];
    let (kept, stats) = run(text_of(&records).as_bytes());
    assert_eq!(
        kept.events,
        [
            "start claude-code /x -",
            "turn main",
            "[s/a1] start claude-code /x -",
            "[s/a1] turn task",
            "[s/sidechain] start claude-code /x -",
            "[s/sidechain] turn old",
            "call t1 task",
            "result t1 ok {\"agentId\":\"a1\"}",
            "[s/a1] call t2 bash",
            "[s/a1] result t2 ok x",
            "end",
            "[s/a1] end",
            "[s/sidechain] end",
        ]
    );
    assert_eq!(stats.orphan_results, 0);
}

#[test]
fn progress_of_a_sub_agent_counts_once() {
    let told = |uuid: &str, message: Tree| {
        let mut inner = message;
        inner["uuid"] = json!(uuid);
        json!({"type": "progress", "sessionId": "s", "cwd": "/x", "timestamp": "1970-01-01T00:00:01Z",
            "data": {"type": "agent_progress", "agentId": "a1", "message": inner}})
    };
    let prompt = told("00000000-0000-0000-0000-000000000001", said("task"));
    let call = told(
        "00000000-0000-0000-0000-000000000002",
        calls("m1", "t1", "Read", json!({"file_path": "f"})),
    );
    let result =
        told("00000000-0000-0000-0000-000000000003", answers("t1", json!("x"), json!(null)));
    let other = json!({"type": "progress", "sessionId": "s", "data": {"type": "bash_progress", "output": "x"}});
    let records = [prompt.clone(), call.clone(), prompt, other, call, result.clone(), result];
    let stats = check(
        &records,
        &[
            "[s/a1] turn task",
            "[s/a1] fs f true",
            "[s/a1] call t1 read file_path=f",
            "[s/a1] result t1 ok x",
        ],
    );
    assert_eq!((stats.repeated, stats.skipped, stats.orphan_results), (3, 1, 0));
    // An id that is no UUID need not be unique.
    let records = [told("x", said("one")), told("x", said("two"))];
    check(&records, &["[s/a1] turn one", "[s/a1] turn two"]);
}

#[test]
fn the_printed_stream_is_understood() {
    let stream = |record: Tree, parent: Tree| {
        let mut record = with(record, json!({"session_id": "s", "parent_tool_use_id": parent}));
        record.as_object_mut().expect("an object").remove("sessionId");
        record
    };
    let none = json!(null);
    let records = [
        json!({"type": "system", "subtype": "init", "session_id": "s", "cwd": "/x",
            "permissionMode": "acceptEdits", "claude_code_version": "2.1.197"}),
        stream(calls("m1", "t1", "Agent", json!({})), none.clone()),
        json!({"type": "system", "subtype": "task_started", "session_id": "s", "task_id": "a1", "tool_use_id": "t1"}),
        stream(said("task"), json!("t1")),
        stream(said("unannounced"), json!("t9")),
        stream(calls("m2", "t2", "Bash", json!({})), none.clone()),
        with(stream(fails("t2", "no"), none), json!({"tool_use_result": "Error: no"})),
        json!({"type": "result", "subtype": "success", "session_id": "s"}),
    ];
    let (kept, stats) = run(text_of(&records).as_bytes());
    assert_eq!(
        kept.events,
        [
            "start claude-code /x autoEdit",
            "turn -",
            "[s/a1] start claude-code /x autoEdit",
            "[s/a1] turn task",
            "[s/t9] start claude-code /x autoEdit",
            "[s/t9] turn unannounced",
            "call t1 task",
            "call t2 bash",
            "end",
            "[s/a1] end",
            "[s/t9] end",
        ]
    );
    assert_eq!(stats.never_run.get("blocked by a hook"), Some(&1));
}

#[test]
fn known_records_are_skipped_and_unknown_ones_counted() {
    let records = [
        json!({"type": "summary", "summary": "x", "leafUuid": "y"}),
        json!({"type": "file-history-snapshot", "messageId": "x"}),
        json!({"uuid": "x", "type": "attachment", "sessionId": "s"}),
        json!({"type": "system", "subtype": "turn_duration", "sessionId": "s"}),
        json!({"type": "novelty", "sessionId": "s"}),
        json!({"type": "novelty", "message": "not an object"}),
    ];
    let stats = check(&records, &[]);
    assert_eq!(stats.skipped, 4);
    assert_eq!(stats.unknown.into_iter().collect::<Vec<_>>(), [("novelty".to_owned(), 2)]);
    let many: Vec<Tree> = (0..1000).map(|at| json!({"type": format!("kind{at}")})).collect();
    let stats = check(&many, &[]);
    assert_eq!(stats.unknown.len(), 65);
    assert_eq!(stats.unknown.get("(others)"), Some(&936));
}

#[test]
fn broken_lines_cost_only_themselves() {
    let good = said("good").to_string();
    let deep = "[".repeat(200_000);
    let input = [
        "\u{feff}\0\0".to_owned() + &good,
        "nonsense".to_owned(),
        "[1, 2]".to_owned(),
        "{}".to_owned(),
        String::new(),
        format!(r#"{{"type":"user","message":{deep}"#),
        r#"{"type":"user","sessionId":5,"cwd":[],"message":{"content":7}}"#.to_owned(),
        r#"{"type":["user"],"sessionId":"s"}"#.to_owned(),
        r#"{"event":"turn_start","text":"of another format"}"#.to_owned(),
        format!("  {}\r", calls("m1", "t1", "Bash", json!({"command": "é"}))),
        r#"{"type":"user","sessionId":"s","mess"#.to_owned(),
    ];
    let (kept, stats) = run(input.join("\n").as_bytes());
    assert_eq!(
        kept.events,
        ["start claude-code - -", "turn good", "call t1 bash command=é", "end"]
    );
    let problems: Vec<_> =
        kept.problems.iter().map(|(line, message)| (*line, &**message)).collect();
    assert_eq!(
        problems,
        [
            (2, "not valid JSON: expected `{` at column 1"),
            (3, "expected a JSON object, but found a list"),
            (4, "the record has no `type` to say what it is"),
            (6, "not valid JSON: values are nested deeper than 120 levels at column 146"),
            (8, "the record has no `type` to say what it is"),
            (9, "the record has no `type` to say what it is"),
            (11, "the last line is cut off: the recording stopped while it was written"),
        ]
    );
    assert_eq!((stats.truncated, stats.problems, stats.lines), (true, 7, 11));
}

#[test]
fn one_id_for_everything_is_survived() {
    let same = calls("m", "t", "Read", json!({"file_path": "f"}));
    let records: Vec<Tree> =
        (0..100).flat_map(|_| [same.clone(), answers("t", json!("x"), json!(null))]).collect();
    let (events, stats) = events(&records);
    assert_eq!(events.len(), 300);
    assert_eq!(stats.orphan_results, 99);
}

#[test]
fn endless_blocks_are_cut() {
    let blocks = vec![json!({}); 70_000];
    let (kept, _) = run(text_of(&[assistant("m", json!(blocks)), said("on")]).as_bytes());
    assert_eq!(kept.events, ["start claude-code - -", "turn on", "end"]);
    let message = "the message has more than 65536 blocks; the rest was passed over".to_owned();
    assert_eq!(kept.problems, [(1, message)]);
}

#[test]
fn what_waits_is_bounded() {
    // One message that never ends: its results are handed on before all of it is in memory.
    let large = "x".repeat(9 << 20);
    let mut records = Vec::new();
    for at in 0..10 {
        let id = format!("t{at}");
        records.push(calls("m1", &id, "Bash", json!({})));
        records.push(answers(&id, json!(large), json!(null)));
    }
    let (events, stats) = events(&records);
    let kinds: Vec<_> = events.iter().map(|event| event.split(' ').next()).collect();
    let before = kinds.iter().take_while(|kind| **kind == Some("call")).count();
    assert_eq!((before, events.len()), (8, 20));
    assert_eq!((stats.open_calls, stats.orphan_results), (0, 0));
}

#[test]
fn reading_stops_when_asked() {
    struct Two(u32);
    impl Sink for Two {
        fn item(&mut self, _: Item<'_>) {
            self.0 += 1;
        }
        fn problem(&mut self, _: Problem) {}
        fn stop(&self) -> bool {
            self.0 >= 2
        }
    }
    let records: Vec<Tree> = (0..10).map(|_| said("again")).collect();
    let mut two = Two(0);
    let stats = read(&mut text_of(&records).as_bytes(), &mut two).expect("readable");
    assert_eq!((two.0, stats.lines), (2, 1));
}

/// The responses, without what all of them begin with, and the rest of the events by their first word.
#[track_caller]
fn check_responses(records: &[Tree], expect: &[&str]) {
    let kept = Kept { exchanges: true, ..Kept::default() };
    let (kept, _) = run_into(kept, text_of(records).as_bytes());
    let events = kept.events.iter().map(|event| {
        match event.strip_prefix(r#"{"event":"response","session":"s""#) {
            Some(rest) => rest.trim_start_matches(',').trim_end(),
            None => event.split(' ').next().unwrap_or_default(),
        }
    });
    let inner: Vec<&str> = events.filter(|event| !matches!(*event, "start" | "end")).collect();
    assert_eq!(inner, expect);
}

fn counted(record: Tree, input: u32, output: u32, stop: Tree) -> Tree {
    let mut record = record;
    record["message"]["usage"] = json!({"input_tokens": input, "output_tokens": output,
        "cache_read_input_tokens": 9});
    record["message"]["stop_reason"] = stop;
    record["message"]["model"] = json!("m-1");
    record
}

#[test]
fn the_lines_of_a_message_are_one_response_that_counts_once() {
    let thought = assistant("m1", json!([{"type": "thinking", "thinking": "hm"}]));
    let text = assistant("m1", json!([{"type": "text", "text": "a\nb"}]));
    check_responses(
        &[
            said("go"),
            counted(thought, 10, 1, Tree::Null),
            counted(text, 10, 1, Tree::Null),
            counted(calls("m1", "c1", "Bash", json!({"command": "ls"})), 10, 25, json!("tool_use")),
            answers("c1", json!("x"), Tree::Null),
            counted(assistant("m2", json!("done")), 40, 5, json!("end_turn")),
        ],
        &[
            "turn",
            r#""model":"m-1","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"a\nb"},{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"ls"}}],"stop_reason":"tool_use","usage":{"input_tokens":19,"output_tokens":25,"cached_tokens":9}}"#,
            "text",
            "call",
            "result",
            r#""model":"m-1","content":[{"type":"text","text":"done"}],"stop_reason":"end_turn","usage":{"input_tokens":49,"output_tokens":5,"cached_tokens":9}}"#,
            "text",
        ],
    );
}

#[test]
fn what_is_not_the_models_is_no_response() {
    let local = with(
        assistant("m1", json!([])),
        json!({"message": {"id": "m1", "model": "<synthetic>", "content": [{"type": "text",
            "text": "API Error"}]}}),
    );
    check_responses(
        &[said("go"), local, answers("c0", json!("late"), Tree::Null)],
        &["turn", "result"],
    );
}

#[test]
fn errors_that_are_found_after_an_edit_are_told_with_its_result() {
    let diagnosed = |uri: &str, severity: &str| {
        json!({"type": "attachment", "sessionId": "s", "attachment": {"type": "diagnostics",
            "files": [{"uri": uri, "diagnostics": [{"message": "no `x`", "severity": severity}]}]}})
    };
    let edit = |path: &str| json!({"file_path": path, "old_string": "x", "new_string": "y"});
    let done = |path: &str| json!({"filePath": path});
    let records = [
        diagnosed("/a", "Error"),
        calls("m1", "t1", "Edit", edit("/a")),
        calls("m1", "t2", "Edit", edit("/b")),
        answers("t1", json!("done"), done("/a")),
        answers("t2", json!("done"), done("/b")),
        diagnosed("file:///a", "Error"),
        diagnosed("/b", "Warning"),
        calls("m2", "t3", "Edit", edit("/a")),
        answers("t3", json!("done"), done("/a")),
    ];
    let stats = check(
        &records,
        &[
            "fs /a true",
            "call t1 edit file_path=/a old_string=x new_string=y",
            "fs /b true",
            "call t2 edit file_path=/b old_string=x new_string=y",
            r#"result t1 ok {"filePath":"/a","lint":[{"severity":"error","message":"no `x`"}]}"#,
            r#"result t2 ok {"filePath":"/b"}"#,
            "fs /a true",
            "call t3 edit file_path=/a old_string=x new_string=y",
            r#"result t3 ok {"filePath":"/a"}"#,
        ],
    );
    assert_eq!(stats.skipped, 2);
}

#[test]
fn a_compaction_is_told_once() {
    let boundary = json!({"type": "system", "subtype": "compact_boundary", "sessionId": "s"});
    let summary = with(said("so far"), json!({"isCompactSummary": true}));
    let records = [
        said("go"),
        calls("m1", "t1", "Bash", json!({})),
        answers("t1", json!("done"), json!(null)),
        boundary,
        summary.clone(),
        calls("m1", "t2", "Bash", json!({})),
        summary,
    ];
    check(
        &records,
        &[
            "turn go",
            "call t1 bash",
            "result t1 ok done",
            "compaction",
            "call t2 bash",
            "compaction",
        ],
    );
}
