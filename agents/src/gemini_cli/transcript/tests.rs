//! Small samples of the format, each with what it holds.

use super::FORMAT;
use crate::testing::{Counts, check_counts, check_exchanges, check_short};

#[test]
fn the_last_of_repeated_messages_counts_and_what_is_taken_back_does_not() {
    let sample = include_str!("../../../tests/samples/gemini.jsonl");
    check_short(
        FORMAT,
        sample,
        &[
            r#"turn_start {"text":"go"}"#,
            r#"text {"text":"first"}"#,
            r#"fs {"path":"/w/a","exists":true}"#,
            r#"tool_call {"id":"c1","tool":"read","native_tool":"read_file","params":{"file_path":"/w/a"},"native_params":{"file_path":"absolute_path"}}"#,
            r#"tool_call {"id":"c2","tool":"bash","native_tool":"run_shell_command","params":{"command":"make"}}"#,
            r#"tool_call {"id":"c3","tool":"bash","native_tool":"run_shell_command","params":{"command":"rm -rf x"}}"#,
            r#"tool_call {"id":"c4","tool":"glob","params":{}}"#,
            r#"tool_result {"id":"c1","result":"x"}"#,
            r#"tool_result {"id":"c2","result":"Output: broken\nExit Code: 2","ok":false}"#,
        ],
    );
    check_exchanges(
        FORMAT,
        sample,
        &[
            r#"{"event":"response","session":"s","ts":3000,"model":"m","content":[{"type":"thinking","thinking":"hm\nso"},{"type":"text","text":"first"},{"type":"tool_use","id":"c1","name":"read_file","input":{"absolute_path":"/w/a"}},{"type":"tool_use","id":"c2","name":"run_shell_command","input":{"command":"make"}},{"type":"tool_use","id":"c3","name":"run_shell_command","input":{"command":"rm -rf x"}},{"type":"tool_use","id":"c4","name":"glob","input":{}}],"tool_names":{"read_file":["read"]},"usage":{"input_tokens":9,"output_tokens":5,"thinking_tokens":2}}"#,
        ],
    );
    check_counts(
        FORMAT,
        sample,
        Counts {
            problems: 1,
            skipped: 5,
            repeated: 1,
            unknown: 1,
            never_run: 1,
            orphan_results: 0,
            open_calls: 1,
            truncated: true,
        },
    );
}

#[test]
fn older_logs_are_one_document() {
    let sample = include_str!("../../../tests/samples/gemini-old.json");
    check_short(
        FORMAT,
        sample,
        &[
            r#"turn_start {"text":"go"}"#,
            r#"tool_call {"id":"c1","tool":"write","native_tool":"write_file","params":{"file_path":"a","content":"x"}}"#,
            r#"fs {"path":"a","exists":true}"#,
            r#"tool_result {"id":"c1","result":"ok"}"#,
        ],
    );
    check_counts(
        FORMAT,
        sample,
        Counts {
            problems: 0,
            skipped: 0,
            repeated: 0,
            unknown: 0,
            never_run: 0,
            orphan_results: 0,
            open_calls: 0,
            truncated: false,
        },
    );
}

#[test]
fn a_compaction_is_told_and_begins_no_turn() {
    let lines = [
        r#"{"sessionId":"s","projectHash":"p"}"#,
        r#"{"id":"1","type":"user","content":"go"}"#,
        r#"{"id":"2","type":"info","content":"Chat history compressed from 9 to 3 tokens."}"#,
        r#"{"id":"3","type":"user","content":"<state_snapshot>…</state_snapshot>"}"#,
    ];
    check_short(
        FORMAT,
        &(lines.join("\n") + "\n"),
        &[r#"turn_start {"text":"go"}"#, "compaction {}"],
    );
}

#[test]
fn tools_of_servers_are_called_as_hooks_call_them() {
    let text = r#"{"sessionId":"s","projectHash":"p","startTime":"1970-01-01T00:00:01Z","kind":"main"}
{"id":"m1","timestamp":"1970-01-01T00:00:02Z","type":"gemini","content":"","toolCalls":[{"id":"c1","name":"mcp_git_hub_make","displayName":"make (git_hub MCP Server)","args":{"a":1},"status":"success"},{"id":"c2","name":"mcp_box_execute_command","args":{"command":"git","args":["push"]},"status":"success"}]}"#;
    check_short(
        FORMAT,
        text,
        &[
            r#"tool_call {"id":"c1","tool":"mcp__git_hub__make","native_tool":"mcp_git_hub_make","params":{"a":1}}"#,
            r#"tool_call {"id":"c2","tool":"mcp__box__execute_command","native_tool":"mcp_box_execute_command","params":{"command":"git push"}}"#,
            r#"tool_result {"id":"c1"}"#,
            r#"tool_result {"id":"c2"}"#,
        ],
    );
}
