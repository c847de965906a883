//! What the payloads of the agents' hooks are read as, what is answered to them, and what each agent
//! can do.
#![expect(clippy::expect_used, clippy::panic, reason = "a panic is how a test fails")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use behavior_agents::hook::{Abilities, Agent, Answer, HookEvent, Notice, Reply};
use behavior_agents::{Item, to_native};
use behavior_runtime::Verdict;
use behavior_runtime::event::Event;

fn folder(agent: Agent) -> PathBuf {
    // oh-my-pi runs the extension of pi.
    let name = if agent == Agent::OhMyPi { "pi" } else { agent.name() };
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/hooks").join(name)
}

/// The payloads of an agent, by file name.
fn payloads(agent: Agent) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder(agent)).expect("the payloads are there");
    let mut payloads: Vec<(String, String)> = entries
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| {
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).expect("UTF-8"))
        })
        .collect();
    payloads.sort();
    payloads
}

fn event_lines(notice: &Notice<'_>) -> Vec<String> {
    let state = notice.state_id();
    let events = notice.events.iter().cloned();
    let items =
        events.map(|event| Item { line: 1, session: state.as_ref().into(), ts: None, event });
    items.map(|item| to_native(&item)).collect()
}

fn describe(notice: &Notice<'_>) -> String {
    let mut text = format!("{:?} {} of {}", notice.hook_event, notice.name, notice.state_id());
    let about = &notice.about;
    for (name, value) in [("cwd", &about.cwd), ("mode", &about.mode)] {
        if let Some(value) = value {
            let _ = write!(text, " {name}={value}");
        }
    }
    for (name, holds) in [
        ("headless", about.headless == Some(true)),
        ("stopped-before", notice.stopped_before),
        ("counts-elsewhere", notice.counts_elsewhere),
    ] {
        if holds {
            let _ = write!(text, " {name}");
        }
    }
    for line in event_lines(notice) {
        let _ = write!(text, "\n  {line}");
    }
    text
}

#[test]
fn every_payload_is_read_as_written_down() {
    for agent in Agent::ALL {
        let mut text = String::new();
        let payloads = payloads(agent);
        assert!(!payloads.is_empty(), "{}", agent.name());
        for (name, payload) in payloads {
            let notice = agent.read(&payload).unwrap_or_else(|error| panic!("{name}: {error}"));
            let _ = writeln!(text, "{name}: {}", describe(&notice));
        }
        insta::with_settings!({
            snapshot_path => folder(agent),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!("events", text);
        });
    }
}

#[test]
fn every_event_of_a_payload_reads_back() {
    for agent in Agent::ALL {
        for (name, payload) in payloads(agent) {
            let notice = agent.read(&payload).expect("read before");
            for (line, event) in event_lines(&notice).iter().zip(&notice.events) {
                let item = behavior_agents::native::parse(line, 1).expect("an event").expect("one");
                assert_eq!(item.event, *event, "{name}");
            }
        }
    }
}

#[test]
fn results_repeat_their_call() {
    for agent in Agent::ALL.into_iter().filter(|agent| *agent != Agent::Native) {
        for (name, payload) in payloads(agent) {
            let notice = agent.read(&payload).expect("read before");
            for event in &notice.events {
                if let Event::ToolResult(result) = event {
                    let call = result.call.as_ref().unwrap_or_else(|| panic!("{name}"));
                    assert!(!call.params.is_empty(), "{name}");
                    assert_eq!(call.id, result.id, "{name}");
                }
            }
        }
    }
}

#[test]
fn names_are_read_back() {
    for agent in Agent::ALL {
        assert_eq!(Agent::named(agent.name()), Some(agent));
    }
    assert_eq!(Agent::named("Claude-Codex"), None);
}

/// The events of a payload, one a line.
#[track_caller]
fn check_events(agent: Agent, payload: &str, expect: &[&str]) {
    let notice = agent.read(payload).unwrap_or_else(|error| panic!("{error}: {payload}"));
    assert_eq!(event_lines(&notice), expect, "{payload}");
}

/// A payload of Codex about a call.
fn codex(event: &str, tool: &str, input: &str, response: &str) -> String {
    format!(
        r#"{{"hook_event_name":"{event}","session_id":"s","tool_name":"{tool}","tool_input":{input},"tool_use_id":"c","tool_response":{response}}}"#
    )
}

#[test]
fn codex_commands_that_print_files_read_them() {
    check_events(
        Agent::Codex,
        &codex(
            "PreToolUse",
            "shell",
            r#"{"command":["bash","-lc","nl -ba a.rs | sed -n 1,9p"]}"#,
            "1",
        ),
        &[
            r#"{"event":"tool_call","session":"s","id":"c","tool":"bash","native_tool":"shell","params":{"command":"nl -ba a.rs | sed -n 1,9p"}}"#,
            r#"{"event":"tool_call","session":"s","id":"c/2","tool":"read","params":{"file_path":"a.rs"}}"#,
        ],
    );
    check_events(
        Agent::Codex,
        &codex(
            "PostToolUse",
            "exec_command",
            r#"{"cmd":"cat a b"}"#,
            r#""x\ncat: b: No such file or directory\n""#,
        ),
        &[
            r#"{"event":"tool_result","session":"s","id":"c","tool":"bash","native_tool":"exec_command","params":{"command":"cat a b"},"native_params":{"command":"cmd"},"result":"x\ncat: b: No such file or directory\n"}"#,
            r#"{"event":"fs","session":"s","path":"a","exists":true}"#,
            r#"{"event":"tool_result","session":"s","id":"c/2","tool":"read","params":{"file_path":"a"},"result":"x\ncat: b: No such file or directory\n"}"#,
            r#"{"event":"tool_result","session":"s","id":"c/3","tool":"read","params":{"file_path":"b"},"result":"x\ncat: b: No such file or directory\n","ok":false}"#,
        ],
    );
}

#[test]
fn codex_patches_are_a_call_for_each_file() {
    let patch = r#"{"command":"*** Begin Patch\n*** Add File: n\n+x\n*** Delete File: o\n*** Update File: p\n*** Move to: q\n@@\n-a\n+b\n*** End Patch"}"#;
    let response = r#""Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess.""#;
    let notice = codex("PostToolUse", "apply_patch", patch, response);
    let notice = Agent::Codex.read(&notice).expect("valid");
    let told: Vec<String> = notice
        .events
        .iter()
        .map(|event| match event {
            Event::Fs(fact) => format!("{} {}", fact.path, fact.exists),
            Event::ToolResult(result) => {
                let call = result.call.as_ref().expect("repeated");
                let path = call.param("file_path").and_then(|value| value.as_text());
                format!("{} {} {}", call.tool, path.expect("a path"), result.ok)
            }
            other => panic!("{other:?}"),
        })
        .collect();
    let expect = [
        "n true",
        "write n true",
        "o false",
        "delete o true",
        "edit p true",
        "q true",
        "write q true",
    ];
    assert_eq!(told, expect);
    let failed =
        codex("PostToolUse", "apply_patch", patch, r#""Exit code: 1\nWall time: 0 seconds\n""#);
    let failed = Agent::Codex.read(&failed).expect("valid");
    assert!(failed.events.iter().all(|event| matches!(event, Event::ToolResult(r) if !r.ok)));
    assert_eq!(failed.events.len(), 4);
}

#[test]
fn codex_scripts_are_the_commands_in_them() {
    check_events(
        Agent::Codex,
        &codex(
            "PreToolUse",
            "exec",
            r#"{"input":"await tools.exec_command({cmd: \"cat a\"}); tools.exec_command({cmd: x})"}"#,
            "1",
        ),
        &[
            r#"{"event":"tool_call","session":"s","id":"c","tool":"bash","native_tool":"exec","params":{"command":"cat a"}}"#,
            r#"{"event":"tool_call","session":"s","id":"c/2","tool":"read","params":{"file_path":"a"}}"#,
            r#"{"event":"tool_call","session":"s","id":"c/3","tool":"bash","native_tool":"exec","params":{"command":"$script","input":"await tools.exec_command({cmd: \"cat a\"}); tools.exec_command({cmd: x})"}}"#,
        ],
    );
    check_events(
        Agent::Codex,
        &codex("PreToolUse", "exec", r#"{"input":"text(1 + 1)"}"#, "1"),
        &[
            r#"{"event":"tool_call","session":"s","id":"c","tool":"script","params":{"input":"text(1 + 1)"}}"#,
        ],
    );
    let patch = r#"{"input":"const p = \"*** Begin Patch\\n*** Add File: n\\n+x\\n*** End Patch\";\ntext(await tools.apply_patch(p));\ntools.mcp__git__push({remote: 'o'})"}"#;
    check_events(
        Agent::Codex,
        &codex("PreToolUse", "exec", patch, "1"),
        &[
            r#"{"event":"tool_call","session":"s","id":"c","tool":"write","native_tool":"apply_patch","params":{"file_path":"n","content":"x\n","patch":"*** Add File: n\n+x\n"}}"#,
            r#"{"event":"tool_call","session":"s","id":"c/2","tool":"mcp__git__push","params":{"remote":"o"}}"#,
        ],
    );
    let poll = r#"{"input":"await tools.write_stdin({session_id: 1, chars: ''})"}"#;
    check_events(Agent::Codex, &codex("PreToolUse", "exec", poll, "1"), &[]);
    check_events(Agent::Codex, &codex("PostToolUse", "exec", poll, r#""{}""#), &[]);
}

#[test]
fn a_strangers_question_is_not_the_agents() {
    let tool = |agent: Agent, payload: &str| {
        let notice = agent.read(payload).expect("it is read");
        let calls = notice.events.iter().filter_map(|event| match event {
            Event::ToolCall(call) => Some(call.tool.to_string()),
            _ => None,
        });
        calls.collect::<Vec<_>>().concat()
    };
    let claude = |name: &str| {
        let payload = format!(
            r#"{{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/w","tool_name":"{name}","tool_input":{{"q":1}}}}"#
        );
        tool(Agent::ClaudeCode, &payload)
    };
    assert_eq!(claude("AskUserQuestion"), "ask_user");
    assert_eq!(claude("ask_user"), "mcp__custom__ask_user");
    assert_eq!(claude("Read"), "read");
    let gemini = |rest: &str| {
        let payload = format!(
            r#"{{"hook_event_name":"BeforeTool","session_id":"s","tool_name":"ask_user","tool_input":{{"q":1}}{rest}}}"#
        );
        tool(Agent::GeminiCli, &payload)
    };
    assert_eq!(gemini(""), "ask_user");
    assert_eq!(gemini(r#","mcp_context":{"server_name":"evil"}"#), "mcp__evil__ask_user");
}

#[test]
fn gemini_tools_of_servers_and_many_files() {
    let payload = r#"{"hook_event_name":"BeforeTool","session_id":"s","tool_name":"mcp_git_hub_make","tool_input":{"a":1},"mcp_context":{"server_name":"git_hub","tool_name":"make"}}"#;
    check_events(
        Agent::GeminiCli,
        payload,
        &[
            r#"{"event":"tool_call","session":"s","tool":"mcp__git_hub__make","native_tool":"mcp_git_hub_make","params":{"a":1}}"#,
        ],
    );
    let payload = r#"{"hook_event_name":"BeforeTool","session_id":"s","tool_name":"read_many_files","tool_input":{"include":["a.md","src/*.rs"]}}"#;
    check_events(
        Agent::GeminiCli,
        payload,
        &[
            r#"{"event":"tool_call","session":"s","tool":"read_many_files","params":{"include":["a.md","src/*.rs"]}}"#,
            r#"{"event":"tool_call","session":"s","tool":"read","params":{"file_path":"a.md"}}"#,
        ],
    );
}

#[test]
fn claude_code_tells_what_did_not_run() {
    let failed = |tool: &str, error: &str| {
        format!(
            r#"{{"hook_event_name":"PostToolUseFailure","session_id":"s","tool_name":"{tool}","tool_input":{{"file_path":"/a"}},"tool_use_id":"c","error":"{error}"}}"#
        )
    };
    check_events(
        Agent::ClaudeCode,
        &failed("Edit", "<tool_use_error>File has not been read yet.</tool_use_error>"),
        &[
            r#"{"event":"fs","session":"s","path":"/a","exists":true}"#,
            r#"{"event":"tool_result","session":"s","id":"c","tool":"edit","native_tool":"Edit","params":{"file_path":"/a"},"result":"<tool_use_error>File has not been read yet.</tool_use_error>","ok":false}"#,
        ],
    );
    check_events(
        Agent::ClaudeCode,
        &failed("Read", "File does not exist."),
        &[
            r#"{"event":"fs","session":"s","path":"/a","exists":false}"#,
            r#"{"event":"tool_result","session":"s","id":"c","tool":"read","native_tool":"Read","params":{"file_path":"/a"},"result":"File does not exist.","ok":false}"#,
        ],
    );
    check_events(
        Agent::ClaudeCode,
        r#"{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"<task-notification>\ndone"}"#,
        &[],
    );
}

#[test]
fn what_codex_and_gemini_cli_tell_themselves_begins_no_turn() {
    let prompt = |event: &str, text: &str| {
        format!(r#"{{"hook_event_name":"{event}","session_id":"s","prompt":"{text}"}}"#)
    };
    let said = r#"{"event":"turn_start","session":"s","text":"go"}"#;
    for (agent, event, note) in [
        (Agent::Codex, "UserPromptSubmit", "<turn_aborted>The user interrupted"),
        (Agent::GeminiCli, "BeforeAgent", "System: Please continue."),
    ] {
        check_events(agent, &prompt(event, "go"), &[said]);
        check_events(agent, &prompt(event, note), &[]);
    }
}

#[test]
fn opencode_patches_and_parts() {
    check_events(
        Agent::OpenCode,
        r#"{"hook":"tool.execute.before","session":"s","input":{"tool":"apply_patch","callID":"c"},"output":{"args":{"patchText":"*** Begin Patch\n*** Delete File: a\n*** End Patch"}}}"#,
        &[
            r#"{"event":"tool_call","session":"s","id":"c","tool":"delete","native_tool":"apply_patch","params":{"file_path":"a","patch":"*** Delete File: a\n"},"native_params":{"patch":"patchText"}}"#,
        ],
    );
    check_events(
        Agent::OpenCode,
        r#"{"hook":"chat.message","input":{"sessionID":"s"},"output":{"parts":[{"type":"text","text":"a"},{"type":"text","text":"told","synthetic":true},{"type":"file"},{"type":"text","text":"b"}]}}"#,
        &[r#"{"event":"turn_start","session":"s","text":"a\nb"}"#],
    );
    check_events(
        Agent::OpenCode,
        r#"{"hook":"chat.message","input":{"sessionID":"s"},"output":{"parts":[{"type":"text","text":"told","synthetic":true}]}}"#,
        &[],
    );
}

#[test]
fn pi_tells_who_spoke() {
    let payload = |event: &str| format!(r#"{{"hook":"input","session":"s","event":{event}}}"#);
    check_events(
        Agent::Pi,
        &payload(r#"{"text":"go","source":"rpc"}"#),
        &[r#"{"event":"turn_start","session":"s","text":"go"}"#],
    );
    check_events(Agent::Pi, &payload(r#"{"text":"go","source":"extension"}"#), &[]);
    check_events(
        Agent::Pi,
        r#"{"hook":"message_end","session":"s","event":{"message":{"role":"user","content":"x"}}}"#,
        &[],
    );
}

#[track_caller]
fn check_error(agent: Agent, payload: &str, expect: &str) {
    let error = agent.read(payload).expect_err(payload);
    assert!(error.contains(expect), "{}: {error}", agent.name());
}

#[test]
fn malformed_payloads_are_refused_with_what_is_wrong() {
    for agent in Agent::ALL {
        check_error(agent, "", "is empty");
        check_error(agent, "[]", "a list");
        check_error(agent, "{\"hook", "JSON");
        check_error(agent, "x", "JSON");
        check_error(
            agent,
            "{}",
            if agent == Agent::Native { "`event` is missing" } else { "has no `hook" },
        );
        let deep = format!("{{\"tool_input\":{}{}}}", "[".repeat(200), "]".repeat(200));
        check_error(agent, &deep, "nested deeper");
    }
}

#[test]
fn missing_and_mistyped_fields_are_named() {
    let claude = |rest: &str| format!(r#"{{"hook_event_name":"PreToolUse"{rest}}}"#);
    check_error(Agent::ClaudeCode, &claude(""), "no `session_id`");
    check_error(Agent::ClaudeCode, &claude(r#","session_id":7"#), "`session_id` must be a string");
    check_error(Agent::ClaudeCode, &claude(r#","session_id":"s""#), "no `tool_name`");
    check_error(
        Agent::ClaudeCode,
        &claude(r#","session_id":"s","tool_name":"""#),
        "`tool_name` is empty",
    );
    check_error(Agent::Codex, &claude(r#","session_id":"s""#), "no `tool_name`");
    check_error(
        Agent::GeminiCli,
        r#"{"hook_event_name":"BeforeTool","session_id":"s"}"#,
        "no `tool_name`",
    );
    let cursor = |rest: &str| format!(r#"{{"conversation_id":"s","hook_event_name":{rest}}}"#);
    check_error(Agent::Cursor, &cursor(r#""beforeShellExecution""#), "no `command`");
    check_error(
        Agent::Cursor,
        &cursor(r#""beforeMCPExecution","tool_name":"x","tool_input":"{x""#),
        "`tool_input`",
    );
    check_error(Agent::OpenCode, r#"{"hook":"tool.execute.before","session":"s"}"#, "no `tool`");
    check_error(Agent::OpenCode, r#"{"hook":"tool.execute.before"}"#, "no `session`");
    check_error(Agent::Pi, r#"{"hook":"tool_call","session":"s","event":{}}"#, "no `toolName`");
    check_error(Agent::Native, r#"{"event":"tool_cal"}"#, "did you mean `tool_call`");
    let many: String = (0..70_000).map(|n| format!("\"{n}\":1,")).collect();
    let input = format!(r#","session_id":"s","tool_name":"x","tool_input":{{{many}"x":1}}"#);
    check_error(Agent::ClaudeCode, &claude(&input), "more than 65536 parameters");
}

#[test]
fn unknown_hooks_are_other_and_answered_with_nothing() {
    for (agent, payload) in [
        (Agent::ClaudeCode, r#"{"hook_event_name":"Tomorrow"}"#),
        (Agent::Codex, r#"{"hook_event_name":"Tomorrow","session_id":"s"}"#),
        (Agent::GeminiCli, r#"{"hook_event_name":"Tomorrow"}"#),
        (Agent::Cursor, r#"{"hook_event_name":"Tomorrow"}"#),
    ] {
        let notice = agent.read(payload).expect("valid");
        assert_eq!((notice.hook_event, notice.events.len()), (HookEvent::Other, 0));
        assert_eq!(agent.answer(&notice, &Reply::default()), Answer::default());
    }
}

#[test]
fn a_context_that_is_put_in_short_is_told() {
    let compaction = r#"{"event":"compaction","session":"s"}"#;
    for (agent, payload) in [
        (
            Agent::GeminiCli,
            r#"{"hook_event_name":"PreCompress","session_id":"s","trigger":"manual"}"#,
        ),
        (Agent::OpenCode, r#"{"hook":"session.compacted","session":"s","cwd":"/w"}"#),
        (Agent::Pi, r#"{"hook":"session_compact","session":"s","event":{}}"#),
    ] {
        check_events(agent, payload, &[compaction]);
        let notice = agent.read(payload).expect("valid");
        assert_eq!(agent.answer(&notice, &Reply::default()).exit_code, 0);
    }
    // Whether it is time is asked before each answer.
    let asked = r#"{"hook_event_name":"PreCompress","session_id":"s","trigger":"auto"}"#;
    check_events(Agent::GeminiCli, asked, &[]);
}

#[test]
fn huge_payloads_are_read() {
    let text = "x\\n".repeat(1 << 18) + &"y".repeat(40 << 20);
    let payload = format!(
        r#"{{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Write","tool_input":{{"file_path":"a","content":"{text}"}}}}"#
    );
    for agent in [Agent::ClaudeCode, Agent::Codex] {
        assert_eq!(agent.read(&payload).expect("valid").events.len(), 1);
    }
    let payload = codex("PreToolUse", "Bash", &format!(r#"{{"command":"cat {text}"}}"#), "1");
    assert!(!Agent::Codex.read(&payload).expect("valid").events.is_empty());
}

#[test]
fn a_long_result_of_many_calls_is_not_copied_for_each() {
    let patch: String = (0..4_000).map(|n| format!("*** Delete File: f{n}\\n")).collect();
    let input = format!(r#"{{"command":"{patch}"}}"#);
    let response = format!("\"Exit code: 0\\nWall time: 0\\n{}\"", "y".repeat(1 << 20));
    let payload = codex("PostToolUse", "apply_patch", &input, &response);
    let notice = Agent::Codex.read(&payload).expect("valid");
    let results = notice.events.iter().filter_map(|event| match event {
        Event::ToolResult(result) => Some(result.result.is_some()),
        _ => None,
    });
    let have: Vec<bool> = results.collect();
    assert_eq!((have.len(), have.iter().filter(|has| **has).count()), (4_000, 1));
}

/// A payload of each agent for a hook_event.
fn at(agent: Agent, hook_event: HookEvent) -> Option<&'static str> {
    Some(match (agent, hook_event) {
        (Agent::ClaudeCode | Agent::Codex, HookEvent::SessionStart) => {
            r#"{"hook_event_name":"SessionStart","session_id":"s"}"#
        }
        (Agent::ClaudeCode | Agent::Codex, HookEvent::Prompt) => {
            r#"{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"p"}"#
        }
        (Agent::ClaudeCode | Agent::Codex, HookEvent::BeforeTool) => {
            r#"{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}"#
        }
        (Agent::ClaudeCode | Agent::Codex, HookEvent::AfterTool) => {
            r#"{"hook_event_name":"PostToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"},"tool_response":"x"}"#
        }
        (Agent::ClaudeCode | Agent::Codex, HookEvent::Stop) => {
            r#"{"hook_event_name":"Stop","session_id":"s"}"#
        }
        (Agent::ClaudeCode | Agent::Codex, HookEvent::SubAgentStart) => {
            r#"{"hook_event_name":"SubagentStart","session_id":"s","agent_id":"a"}"#
        }
        (Agent::ClaudeCode | Agent::Codex, HookEvent::SubAgentStop) => {
            r#"{"hook_event_name":"SubagentStop","session_id":"s","agent_id":"a"}"#
        }
        (Agent::ClaudeCode | Agent::Codex | Agent::GeminiCli, HookEvent::SessionEnd) => {
            r#"{"hook_event_name":"SessionEnd","session_id":"s"}"#
        }
        (Agent::GeminiCli, HookEvent::SessionStart) => {
            r#"{"hook_event_name":"SessionStart","session_id":"s"}"#
        }
        (Agent::GeminiCli, HookEvent::Prompt) => {
            r#"{"hook_event_name":"BeforeAgent","session_id":"s","prompt":"p"}"#
        }
        (Agent::GeminiCli, HookEvent::BeforeTool) => {
            r#"{"hook_event_name":"BeforeTool","session_id":"s","tool_name":"replace","tool_input":{}}"#
        }
        (Agent::GeminiCli, HookEvent::AfterTool) => {
            r#"{"hook_event_name":"AfterTool","session_id":"s","tool_name":"replace","tool_input":{}}"#
        }
        (Agent::GeminiCli, HookEvent::Stop) => {
            r#"{"hook_event_name":"AfterAgent","session_id":"s"}"#
        }
        (Agent::Cursor, HookEvent::SessionStart) => {
            r#"{"hook_event_name":"sessionStart","conversation_id":"s"}"#
        }
        (Agent::Cursor, HookEvent::Prompt) => {
            r#"{"hook_event_name":"beforeSubmitPrompt","conversation_id":"s","prompt":"p"}"#
        }
        (Agent::Cursor, HookEvent::BeforeTool) => {
            r#"{"hook_event_name":"beforeShellExecution","conversation_id":"s","command":"ls"}"#
        }
        (Agent::Cursor, HookEvent::AfterTool) => {
            r#"{"hook_event_name":"postToolUse","conversation_id":"s","tool_name":"Shell","tool_input":{}}"#
        }
        (Agent::Cursor, HookEvent::Stop) => {
            r#"{"hook_event_name":"stop","conversation_id":"s","status":"completed","loop_count":0}"#
        }
        (Agent::Cursor, HookEvent::SubAgentStart) => {
            r#"{"hook_event_name":"subagentStart","conversation_id":"s","subagent_id":"a"}"#
        }
        (Agent::Cursor, HookEvent::SubAgentStop) => {
            r#"{"hook_event_name":"subagentStop","conversation_id":"s","subagent_id":"a"}"#
        }
        (Agent::Cursor, HookEvent::SessionEnd) => {
            r#"{"hook_event_name":"sessionEnd","conversation_id":"s"}"#
        }
        (Agent::OpenCode, HookEvent::BeforeTool) => {
            r#"{"hook":"tool.execute.before","session":"s","input":{"tool":"bash"},"output":{"args":{}}}"#
        }
        (Agent::OpenCode, HookEvent::Stop) => r#"{"hook":"session.idle","session":"s"}"#,
        (Agent::Pi, HookEvent::BeforeTool) => {
            r#"{"hook":"tool_call","session":"s","event":{"toolName":"bash","input":{}}}"#
        }
        (Agent::Pi, HookEvent::Stop) => r#"{"hook":"agent_end","session":"s"}"#,
        (Agent::Native, HookEvent::BeforeTool) => r#"{"event":"tool_call","tool":"bash"}"#,
        _ => return None,
    })
}

fn reply(verdict: Verdict, context: &[&str]) -> Reply {
    Reply {
        verdict: Some(verdict),
        reason: if verdict == Verdict::Allow { String::new() } else { "because".into() },
        context: context.iter().map(|&text| text.to_owned()).collect(),
        ..Reply::default()
    }
}

/// The answer to a reply, with what is kept for later behind `later:`.
#[track_caller]
fn check_answer(agent: Agent, hook_event: HookEvent, reply: &Reply, expect: &str) {
    let payload = at(agent, hook_event).expect("a payload");
    let notice = agent.read(payload).expect("valid");
    assert_eq!(notice.hook_event, hook_event);
    check_answer_to(agent, &notice, reply, expect);
}

#[track_caller]
fn check_answer_to(agent: Agent, notice: &Notice<'_>, reply: &Reply, expect: &str) {
    let answer = agent.answer(notice, reply);
    let mut got = answer.stdout.trim_end().to_owned();
    if !answer.stderr.is_empty() {
        let _ = write!(got, "stderr: {}", answer.stderr.trim_end());
    }
    if !answer.later.is_empty() {
        let _ = write!(got, "later: {}", answer.later.join("|"));
    }
    assert_eq!(got, expect, "{} {:?} {reply:?}", agent.name(), notice.hook_event);
    assert_eq!(answer.exit_code, 0);
    if !answer.stdout.is_empty() {
        assert!(answer.stdout.ends_with("}\n"), "one line of JSON and nothing else");
        serde_json::from_str::<serde_json::Value>(&answer.stdout).expect("JSON");
    }
}

const DENIED: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"because"}}"#;

#[test]
fn what_a_user_is_told_goes_where_the_agent_shows_it() {
    let told = |verdict| Reply {
        verdict,
        reason: "because".to_owned(),
        notices: vec!["no \"model\"".to_owned(), "again".to_owned()],
        ..Reply::default()
    };
    let message = r#""systemMessage":"behavior: no \"model\"\nbehavior: again""#;
    for agent in [Agent::ClaudeCode, Agent::Codex, Agent::GeminiCli] {
        let mut quiet = told(None);
        quiet.reason.clear();
        check_answer(agent, HookEvent::Stop, &quiet, &format!("{{{message}}}"));
    }
    let denied = format!(r#"{{"decision":"block","reason":"because",{message}}}"#);
    check_answer(Agent::ClaudeCode, HookEvent::Stop, &told(Some(Verdict::Deny)), &denied);
    for agent in [Agent::OpenCode, Agent::Pi] {
        let expect = r#"{"reason":"because","user":"behavior: no \"model\"\nbehavior: again","verdict":"deny"}"#;
        let answer = agent.answer(
            &agent.read(at(agent, HookEvent::Stop).expect("a payload")).expect("valid"),
            &told(Some(Verdict::Deny)),
        );
        let value: serde_json::Value = serde_json::from_str(&answer.stdout).expect("JSON");
        assert_eq!(value, serde_json::from_str::<serde_json::Value>(expect).expect("JSON"));
    }
    let mut quiet = told(None);
    quiet.reason.clear();
    let expect = "stderr: behavior: no \"model\"\nbehavior: again";
    check_answer(Agent::Cursor, HookEvent::Stop, &quiet, expect);
}

#[test]
fn a_shell_line_that_the_user_of_pi_types_is_told() {
    for (hidden, field) in [(false, "false"), (true, "true")] {
        let payload = format!(
            r#"{{"hook":"user_bash","session":"s","event":{{"command":"git log","excludeFromContext":{field}}}}}"#
        );
        let notice = Agent::Pi.read(&payload).expect("valid");
        assert_eq!(notice.events, [Event::UserShell { command: "git log".into(), hidden }]);
    }
}

#[test]
fn claude_code_and_codex_are_answered_alike() {
    use HookEvent::*;
    use Verdict::{Allow, Deny};
    for agent in [Agent::ClaudeCode, Agent::Codex] {
        let check = |hook_event, verdict, context: &[&str], expect: &str| {
            check_answer(agent, hook_event, &reply(verdict, context), expect);
        };
        for hook_event in [
            SessionStart,
            Prompt,
            BeforeTool,
            AfterTool,
            Stop,
            SubAgentStart,
            SubAgentStop,
            SessionEnd,
        ] {
            check(hook_event, Allow, &[], "");
        }
        check(BeforeTool, Deny, &[], DENIED);
        check(BeforeTool, Deny, &["note"], &DENIED.replace("because", "because\\n\\nnote"));
        for (hook_event, name) in [
            (SessionStart, "SessionStart"),
            (Prompt, "UserPromptSubmit"),
            (BeforeTool, "PreToolUse"),
            (AfterTool, "PostToolUse"),
            (SubAgentStart, "SubagentStart"),
        ] {
            let expect = format!(
                r#"{{"hookSpecificOutput":{{"hookEventName":"{name}","additionalContext":"a\n\nb"}}}}"#
            );
            check(hook_event, Allow, &["a", " ", "b"], &expect);
        }
        let blocked = r#"{"decision":"block","reason":"because"}"#;
        for hook_event in [Prompt, AfterTool, Stop, SubAgentStop] {
            check(hook_event, Deny, &[], blocked);
        }
        check(Stop, Deny, &["note"], &blocked.replace("because", "because\\n\\nnote"));
        check(
            AfterTool,
            Deny,
            &["note"],
            r#"{"decision":"block","reason":"because","hookSpecificOutput":{"hookEventName":"PostToolUse","additionalContext":"note"}}"#,
        );
        check(
            SessionStart,
            Deny,
            &[],
            r#"{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"because"}}"#,
        );
        check(Stop, Allow, &["note"], "later: note");
        check(SessionEnd, Deny, &["note"], "stderr: behavior: because\n\nnote");
        let stopped = r#"{"hook_event_name":"Stop","session_id":"s","stop_hook_active":true}"#;
        let stopped = agent.read(stopped).expect("valid");
        check_answer_to(agent, &stopped, &reply(Deny, &[]), "later: because");
        let silent = Reply { verdict: Some(Deny), ..Reply::default() };
        check_answer(
            agent,
            BeforeTool,
            &silent,
            &DENIED.replace("because", "a rule does not allow this"),
        );
    }
}

#[test]
fn a_failed_call_of_claude_code_gets_context_only() {
    let payload = r#"{"hook_event_name":"PostToolUseFailure","session_id":"s","tool_name":"Bash","tool_input":{},"error":"x"}"#;
    let notice = Agent::ClaudeCode.read(payload).expect("valid");
    check_answer_to(
        Agent::ClaudeCode,
        &notice,
        &reply(Verdict::Deny, &["note"]),
        r#"{"hookSpecificOutput":{"hookEventName":"PostToolUseFailure","additionalContext":"because\n\nnote"}}"#,
    );
}

#[test]
fn plugins_tell_the_last_message_when_the_agent_wants_to_stop() {
    for (agent, payload) in [
        (Agent::Pi, r#"{"hook":"agent_end","session":"s","event":{"text":"All done."}}"#),
        (Agent::OpenCode, r#"{"hook":"session.idle","session":"s","output":{"text":"All done."}}"#),
    ] {
        let notice = agent.read(payload).expect("valid");
        let said = notice.events.iter().map(|event| match event {
            Event::TurnEnd { text } => text.as_deref(),
            other => panic!("{other:?}"),
        });
        assert_eq!(said.collect::<Vec<_>>(), [Some("All done.")], "{payload}");
    }
}

#[test]
fn asking_is_refusing_where_nobody_can_be_asked() {
    let ask = reply(Verdict::Ask, &[]);
    check_answer(
        Agent::ClaudeCode,
        HookEvent::BeforeTool,
        &ask,
        &DENIED.replace("\"deny\"", "\"ask\""),
    );
    let payload = at(Agent::ClaudeCode, HookEvent::BeforeTool).expect("a payload");
    let mut notice = Agent::ClaudeCode.read(payload).expect("valid");
    notice.about.headless = Some(true);
    let why = "because\\n\\nIts user would have been asked, but";
    let headless = format!("{why} nobody is there.");
    check_answer_to(Agent::ClaudeCode, &notice, &ask, &DENIED.replace("because", &headless));
    let cannot = format!("{why} this agent cannot do that.");
    check_answer(Agent::Codex, HookEvent::BeforeTool, &ask, &DENIED.replace("because", &cannot));
    let asked = r#"{"decision":"ask","reason":"because"}"#;
    check_answer(Agent::GeminiCli, HookEvent::BeforeTool, &ask, asked);
    let nobody = Reply { nobody_is_there: true, ..ask.clone() };
    let gemini = format!(r#"{{"decision":"deny","reason":"{headless}"}}"#);
    check_answer(Agent::GeminiCli, HookEvent::BeforeTool, &nobody, &gemini);
    let lax = Reply { runs_unasked: true, ..ask.clone() };
    let told = r#"{"verdict":"allow","context":["because"]}"#;
    check_answer(Agent::OpenCode, HookEvent::BeforeTool, &lax, told);
    check_answer(Agent::GeminiCli, HookEvent::BeforeTool, &lax, asked);
    let opencode = format!(r#"{{"verdict":"deny","reason":"{cannot}"}}"#);
    check_answer(Agent::OpenCode, HookEvent::BeforeTool, &ask, &opencode);
    check_answer(Agent::Pi, HookEvent::BeforeTool, &ask, r#"{"verdict":"ask","reason":"because"}"#);
    check_answer(
        Agent::Cursor,
        HookEvent::BeforeTool,
        &ask,
        r#"{"permission":"ask","user_message":"because","agent_message":"because"}"#,
    );
    let payload = r#"{"hook_event_name":"preToolUse","conversation_id":"s","tool_name":"Write","tool_input":{}}"#;
    let notice = Agent::Cursor.read(payload).expect("valid");
    let answer = Agent::Cursor.answer(&notice, &ask);
    assert!(answer.stdout.starts_with(r#"{"permission":"deny""#), "{}", answer.stdout);
}

#[test]
fn users_are_shown_what_is_stopped_and_agents_how_it_is_allowed() {
    let shown = |verdict| Reply {
        for_user: "look".into(),
        remedy: "a person can".into(),
        ..reply(verdict, &[])
    };
    let check = |agent, verdict, expect: &str| {
        check_answer(agent, HookEvent::BeforeTool, &shown(verdict), expect);
    };
    let denied = DENIED.replacen('{', r#"{"systemMessage":"look","#, 1);
    check(Agent::ClaudeCode, Verdict::Deny, &denied);
    check(Agent::ClaudeCode, Verdict::Ask, &DENIED.replace("\"deny\"", "\"ask\""));
    check(Agent::Codex, Verdict::Deny, DENIED);
    let cannot =
        "because\\n\\nIts user would have been asked, but this agent cannot do that. a person can";
    check(Agent::Codex, Verdict::Ask, &DENIED.replace("because", cannot));
    let gemini = r#"{"decision":"deny","reason":"because","systemMessage":"look"}"#;
    check(Agent::GeminiCli, Verdict::Deny, gemini);
    check(Agent::GeminiCli, Verdict::Ask, &gemini.replace("deny", "ask"));
    let own = r#"{"verdict":"deny","reason":"because","user":"look"}"#;
    check(Agent::OpenCode, Verdict::Deny, own);
    check(Agent::Pi, Verdict::Deny, own);
    // What comes after the call was not stopped.
    let after = r#"{"decision":"block","reason":"because"}"#;
    check_answer(Agent::ClaudeCode, HookEvent::AfterTool, &shown(Verdict::Deny), after);
}

#[test]
fn gemini_cli_is_answered_with_decisions() {
    use HookEvent::*;
    use Verdict::{Allow, Deny};
    let check = |hook_event, verdict, context: &[&str], expect: &str| {
        check_answer(Agent::GeminiCli, hook_event, &reply(verdict, context), expect);
    };
    let denied = r#"{"decision":"deny","reason":"because"}"#;
    for hook_event in [Prompt, BeforeTool, Stop] {
        check(hook_event, Allow, &[], "");
        check(hook_event, Deny, &[], denied);
        check(hook_event, Deny, &["note"], &denied.replace("because", "because\\n\\nnote"));
    }
    for (hook_event, name) in
        [(SessionStart, "SessionStart"), (Prompt, "BeforeAgent"), (AfterTool, "AfterTool")]
    {
        let expect = format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"{name}","additionalContext":"note"}}}}"#
        );
        check(hook_event, Allow, &["note"], &expect);
    }
    check(
        AfterTool,
        Deny,
        &[],
        r#"{"hookSpecificOutput":{"hookEventName":"AfterTool","additionalContext":"because"}}"#,
    );
    check(AfterTool, Allow, &[], "");
    check(BeforeTool, Allow, &["note"], "later: note");
    check(SessionEnd, Allow, &["note"], "stderr: behavior: note");
    let stopped = r#"{"hook_event_name":"AfterAgent","session_id":"s","stop_hook_active":true}"#;
    let stopped = Agent::GeminiCli.read(stopped).expect("valid");
    check_answer_to(Agent::GeminiCli, &stopped, &reply(Deny, &[]), "later: because");
}

#[test]
fn cursor_is_answered_by_hook() {
    use HookEvent::*;
    use Verdict::{Allow, Deny};
    let check = |hook_event, verdict, context: &[&str], expect: &str| {
        check_answer(Agent::Cursor, hook_event, &reply(verdict, context), expect);
    };
    check(BeforeTool, Allow, &[], "{}");
    check(BeforeTool, Allow, &["note"], "{}later: note");
    check(
        BeforeTool,
        Deny,
        &[],
        r#"{"permission":"deny","user_message":"because","agent_message":"because"}"#,
    );
    check(Prompt, Allow, &["note"], "{}later: note");
    check(Prompt, Deny, &[], r#"{"continue":false,"user_message":"because"}"#);
    check(AfterTool, Allow, &["note"], r#"{"additional_context":"note"}"#);
    check(AfterTool, Deny, &[], r#"{"additional_context":"because"}"#);
    check(AfterTool, Allow, &[], "");
    check(SessionStart, Allow, &["note"], r#"{"additional_context":"note"}"#);
    check(Stop, Allow, &[], "");
    check(Stop, Deny, &[], r#"{"followup_message":"because"}"#);
    check(SubAgentStop, Deny, &[], r#"{"followup_message":"because"}"#);
    check(SubAgentStart, Allow, &["note"], "{}later: note");
    check(SessionEnd, Allow, &["note"], "stderr: behavior: note");
    let stopped =
        r#"{"hook_event_name":"stop","conversation_id":"s","status":"completed","loop_count":1}"#;
    let stopped = Agent::Cursor.read(stopped).expect("valid");
    check_answer_to(Agent::Cursor, &stopped, &reply(Deny, &[]), "later: because");
    let failed = r#"{"hook_event_name":"postToolUseFailure","conversation_id":"s","tool_name":"Shell","tool_input":{}}"#;
    let failed = Agent::Cursor.read(failed).expect("valid");
    check_answer_to(Agent::Cursor, &failed, &reply(Deny, &["note"]), "later: because\n\nnote");
    check_answer_to(Agent::Cursor, &failed, &reply(Allow, &["note"]), "later: note");
}

#[test]
fn cursor_decides_on_a_shell_call_twice_and_counts_it_once() {
    let payload = r#"{"hook_event_name":"preToolUse","conversation_id":"s","tool_name":"Shell","tool_input":{"command":"ls"}}"#;
    let notice = Agent::Cursor.read(payload).expect("valid");
    assert!(notice.counts_elsewhere);
    check_answer_to(Agent::Cursor, &notice, &reply(Verdict::Ask, &["note"]), "{}");
    check_answer_to(Agent::Cursor, &notice, &reply(Verdict::Allow, &["note"]), "{}");
    check_answer_to(
        Agent::Cursor,
        &notice,
        &reply(Verdict::Deny, &[]),
        r#"{"permission":"deny","user_message":"because","agent_message":"because"}"#,
    );
}

#[test]
fn our_own_programs_are_answered_with_a_verdict() {
    for agent in [Agent::OpenCode, Agent::Pi, Agent::Native] {
        let check = |verdict, context: &[&str], expect: &str| {
            check_answer(agent, HookEvent::BeforeTool, &reply(verdict, context), expect);
        };
        check(Verdict::Allow, &[], r#"{"verdict":"allow"}"#);
        check(Verdict::Allow, &["a", "b"], r#"{"verdict":"allow","context":["a","b"]}"#);
        check(Verdict::Deny, &["a"], r#"{"verdict":"deny","reason":"because","context":["a"]}"#);
    }
    check_answer(
        Agent::Pi,
        HookEvent::Stop,
        &reply(Verdict::Deny, &[]),
        r#"{"verdict":"deny","reason":"because"}"#,
    );
    check_answer(
        Agent::OpenCode,
        HookEvent::Stop,
        &reply(Verdict::Deny, &[]),
        r#"{"verdict":"deny","reason":"because"}"#,
    );
}

#[test]
fn a_refusal_is_what_every_agent_takes_for_one() {
    for agent in Agent::ALL {
        let answer = agent.refuse("  ");
        assert_eq!((answer.exit_code, answer.stdout.as_str()), (2, ""));
        assert_eq!(answer.stderr, "behavior: a rule does not allow this\n");
    }
}

/// The abilities of an agent, in the order in which they are declared.
#[track_caller]
fn check_abilities(agent: Agent, expect: &str) {
    let can: Abilities = agent.abilities();
    let got: Vec<&str> = [
        (can.asks, "asks"),
        (can.context_before_tool, "before"),
        (can.context_after_tool, "after"),
        (can.context_on_start, "start"),
        (can.context_on_prompt, "prompt"),
        (can.keeps_going, "keeps"),
        (can.tells_failures, "failures"),
        (can.tells_call_ids, "ids"),
        (can.tells_text, "text"),
        (can.tells_text_before_tools, "text-before"),
        (can.tells_sub_agents, "subs"),
    ]
    .into_iter()
    .filter_map(|(can, name)| can.then_some(name))
    .collect();
    assert_eq!(got.join(" "), expect, "{}", agent.name());
}

#[test]
fn abilities() {
    check_abilities(
        Agent::ClaudeCode,
        "asks before after start prompt keeps failures ids text subs",
    );
    check_abilities(Agent::Codex, "before after start prompt keeps ids text subs");
    check_abilities(Agent::GeminiCli, "asks after start prompt keeps failures text");
    check_abilities(Agent::Cursor, "asks after start keeps failures text text-before");
    check_abilities(Agent::OpenCode, "after prompt keeps ids text text-before subs");
    check_abilities(Agent::Pi, "asks after prompt keeps failures ids text text-before");
    check_abilities(
        Agent::Native,
        "asks before after start prompt keeps failures ids text text-before subs",
    );
}

/// What an agent is said to tell is told in its payloads.
#[test]
fn abilities_hold_for_the_payloads() {
    for agent in Agent::ALL.into_iter().filter(|agent| *agent != Agent::Native) {
        let can = agent.abilities();
        let payloads = payloads(agent);
        let notices: Vec<Notice<'_>> =
            payloads.iter().map(|(_, payload)| agent.read(payload).expect("valid")).collect();
        let events = || notices.iter().flat_map(|notice| &notice.events);
        let has_failure = events().any(|event| matches!(event, Event::ToolResult(r) if !r.ok));
        let reads_errors = agent == Agent::Codex || agent == Agent::OpenCode;
        assert!(has_failure == can.tells_failures || reads_errors, "{}", agent.name());
        let calls = events().filter_map(|event| match event {
            Event::ToolCall(call) => Some(call.id.is_some()),
            _ => None,
        });
        let have_ids: Vec<bool> = calls.collect();
        assert_eq!(!have_ids.contains(&false), can.tells_call_ids, "{}", agent.name());
        assert_eq!(events().any(|e| matches!(e, Event::Text { .. })), can.tells_text);
        let is = |wanted: fn(&Event<'_>) -> bool| events().position(wanted);
        let text = is(|event| matches!(event, Event::Text { .. }));
        let call = is(|event| matches!(event, Event::ToolCall(_)));
        assert_eq!(text < call, can.tells_text_before_tools, "{}", agent.name());
    }
}

#[test]
fn plugins_run_the_command() {
    for agent in [Agent::OpenCode, Agent::Pi, Agent::OhMyPi] {
        let text = agent.plugin(&["/opt/a \"b\"/behavior", "hook", "x"]).expect("a plugin");
        assert!(
            text.contains(r#"const COMMAND = ["/opt/a \"b\"/behavior","hook","x"];"#),
            "{text}"
        );
    }
    assert_eq!(Agent::Codex.plugin(&["x"]), None);
}

#[test]
fn each_agent_with_settings_is_told_in_the_documents() {
    let documents = include_str!("../../docs/live.md");
    for agent in Agent::wired() {
        let name = agent.name();
        assert!(documents.contains(&format!("`{name}`")), "{name} is not told in docs/live.md");
        let recordings = if agent == Agent::OhMyPi { "pi" } else { name };
        assert_eq!(agent.recording().name(), recordings, "its recordings are called like it");
    }
}

/// Some agents mark the result of an edit that changed nothing like any other.
#[test]
fn edits_that_say_they_failed_have_failed() {
    let edit = r#"{"file_path":"a","old_string":"x","new_string":"y"}"#;
    let after = |tool: &str, response: &str| {
        format!(
            r#"{{"hook_event_name":"AfterTool","session_id":"s","tool_name":"{tool}","tool_input":{edit},"tool_response":{response}}}"#
        )
    };
    let gemini = after(
        "replace",
        r#"{"llmContent":"Failed to edit, could not find the string to replace."}"#,
    );
    let opencode = format!(
        r#"{{"hook":"tool.execute.after","session":"s","input":{{"tool":"edit","callID":"c","args":{edit}}},"output":{{"output":"Error: oldString not found in content"}}}}"#
    );
    for (agent, payload) in [(Agent::GeminiCli, &gemini), (Agent::OpenCode, &opencode)] {
        let notice = agent.read(payload).expect("valid");
        assert_eq!(notice.events.len(), 1, "no fact of the file: {:?}", notice.events);
        let failed = |event: &Event<'_>| matches!(event, Event::ToolResult(result) if !result.ok);
        assert!(notice.events.iter().all(failed), "{:?}", notice.events);
    }
}

/// So that `result_has_lint_errors` can hold: it asks a result for its `lint`.
#[test]
fn opencode_tells_the_errors_of_an_edited_file() {
    check_events(
        Agent::OpenCode,
        r#"{"hook":"tool.execute.after","session":"s","input":{"tool":"write","callID":"c","args":{"filePath":"a"}},"output":{"output":"Wrote.\n\nThis file has errors, please fix\n<file_diagnostics>\nERROR [1:2] x\n</file_diagnostics>\n"}}"#,
        &[
            r#"{"event":"fs","session":"s","path":"a","exists":true}"#,
            r#"{"event":"tool_result","session":"s","id":"c","tool":"write","params":{"file_path":"a"},"native_params":{"file_path":"filePath"},"result":{"output":"Wrote.\n\nThis file has errors, please fix\n<file_diagnostics>\nERROR [1:2] x\n</file_diagnostics>\n","lint":[{"severity":"error","message":"[1:2] x"}]}}"#,
        ],
    );
}

#[test]
fn a_session_that_goes_on_after_a_compaction_says_so() {
    let start = |source: &str| {
        format!(r#"{{"hook_event_name":"SessionStart","session_id":"s","source":"{source}"}}"#)
    };
    for (agent, name) in [(Agent::ClaudeCode, "claude-code"), (Agent::Codex, "codex")] {
        let begins = format!(r#"{{"event":"session_start","session":"s","agent":"{name}"}}"#);
        check_events(agent, &start("startup"), &[&begins]);
        check_events(
            agent,
            &start("compact"),
            &[&begins, r#"{"event":"compaction","session":"s"}"#],
        );
    }
}

/// The payloads of `docs/hook-payloads.md` are calls of the agents that they name.
#[test]
fn documented_payloads_are_calls() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/hook-payloads.md");
    let text = std::fs::read_to_string(path).expect("the page is there");
    let mut named = 0;
    for block in text.split("```json ").skip(1) {
        let (name, rest) = block.split_once('\n').expect("a name");
        let payload = rest.split("```").next().expect("a payload");
        let agent = Agent::ALL.into_iter().find(|agent| agent.name() == name).expect("an agent");
        let notice = agent.read(payload).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(notice.hook_event, HookEvent::BeforeTool, "{name}");
        let is_call = |event: &Event<'_>| match event {
            Event::ToolCall(call) => call.tool == "bash" && call.param("command").is_some(),
            _ => false,
        };
        assert!(notice.events.iter().any(is_call), "{name}: {notice:?}");
        named += 1;
    }
    // oh-my-pi runs the extension of pi.
    assert_eq!(named, Agent::ALL.into_iter().count() - 1);
}
