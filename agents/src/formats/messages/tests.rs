//! Small samples of the format, each with what it holds.

use super::{ANTHROPIC, OPENAI};
use crate::testing::{Counts, check_counts, check_exchanges, check_short};

#[test]
fn a_request_of_the_chat_interface() {
    let sample = include_str!("../../../tests/samples/openai-chat.json");
    check_short(
        OPENAI,
        sample,
        &[
            r#"turn_start {"text":"go"}"#,
            r#"text {"text":"first"}"#,
            r#"tool_call {"id":"c1","tool":"look","params":{"x":1}}"#,
            r#"tool_call {"id":"c2","tool":"look","params":{"args":"no JSON"}}"#,
            r#"tool_result {"id":"c1","result":"one"}"#,
            r#"tool_result {"id":"c0","result":"lost"}"#,
            r#"tool_call {"id":"call-1","tool":"old","params":{}}"#,
            r#"tool_result {"id":"call-1","result":"done"}"#,
            r#"turn_start {"text":"more"}"#,
        ],
    );
    check_counts(
        OPENAI,
        sample,
        Counts {
            problems: 0,
            skipped: 1,
            repeated: 0,
            unknown: 1,
            never_run: 0,
            orphan_results: 1,
            open_calls: 1,
            truncated: false,
        },
    );
}

#[test]
fn items_are_one_response_until_an_output() {
    let sample = include_str!("../../../tests/samples/openai-responses.json");
    check_short(
        OPENAI,
        sample,
        &[
            r#"turn_start {"text":"go"}"#,
            r#"text {"text":"first"}"#,
            r#"tool_call {"id":"c1","tool":"look","params":{"x":1}}"#,
            r#"tool_call {"id":"c2","tool":"patch","params":{"input":"{}"}}"#,
            r#"tool_result {"id":"c1","result":"one"}"#,
            r#"tool_result {"id":"c2","result":"two"}"#,
        ],
    );
    check_exchanges(
        OPENAI,
        sample,
        &[
            r#"{"event":"request","model":"m","messages":[{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}]}"#,
            r#"{"event":"response","model":"m","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"first"},{"type":"tool_use","id":"c1","name":"look","input":{"x":1}},{"type":"tool_use","id":"c2","name":"patch","input":{"input":"{}"}}]}"#,
            r#"{"event":"request","model":"m","messages":[{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]},{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"first"}]},{"type":"function_call","name":"look","arguments":"{\"x\":1}","call_id":"c1"},{"type":"custom_tool_call","name":"patch","input":"{}","call_id":"c2"},{"type":"function_call_output","call_id":"c1","output":"one"},{"type":"custom_tool_call_output","call_id":"c2","output":"two"}]}"#,
        ],
    );
    check_counts(
        OPENAI,
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
fn lines_are_documents_or_messages() {
    let sample = include_str!("../../../tests/samples/openai-lines.jsonl");
    check_short(
        OPENAI,
        sample,
        &[
            r#"turn_start {"text":"a"}"#,
            r#"text {"text":"b"}"#,
            r#"turn_start {"text":"c"}"#,
            r#"turn_start {"text":"d"}"#,
            r#"text {"text":"e"}"#,
        ],
    );
    check_counts(
        OPENAI,
        sample,
        Counts {
            problems: 2,
            skipped: 0,
            repeated: 0,
            unknown: 0,
            never_run: 0,
            orphan_results: 0,
            open_calls: 0,
            truncated: true,
        },
    );
}

#[test]
fn blocks_are_calls_and_results() {
    let sample = include_str!("../../../tests/samples/anthropic.json");
    check_short(
        ANTHROPIC,
        sample,
        &[
            r#"turn_start {"text":"go"}"#,
            r#"text {"text":"first"}"#,
            r#"tool_call {"id":"c1","tool":"look","params":{"x":1}}"#,
            r#"tool_call {"id":"c2","tool":"look","params":{}}"#,
            r#"tool_result {"id":"c2","result":"no","ok":false}"#,
            r#"tool_result {"id":"c1","result":"one"}"#,
            r#"text {"text":"done"}"#,
        ],
    );
    check_exchanges(
        ANTHROPIC,
        sample,
        &[
            r#"{"event":"request","model":"claude-x","messages":[{"role":"system","content":"be good"},{"role":"user","content":"go"}],"params":{"max_tokens":9},"tools":[{"name":"look","input_schema":{}}]}"#,
            r#"{"event":"response","model":"claude-x","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"first"},{"type":"tool_use","id":"c1","name":"look","input":{"x":1}},{"type":"tool_use","id":"c2","name":"look","input":{}}]}"#,
            r#"{"event":"request","model":"claude-x","messages":[{"role":"system","content":"be good"},{"role":"user","content":"go"},{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"first"},{"type":"tool_use","id":"c1","name":"look","input":{"x":1}},{"type":"tool_use","id":"c2","name":"look","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c2","content":"no","is_error":true},{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"one"}]},{"type":"text","text":"beside"}]}],"params":{"max_tokens":9},"tools":[{"name":"look","input_schema":{}}]}"#,
            r#"{"event":"response","model":"claude-x","content":[{"type":"text","text":"done"}]}"#,
        ],
    );
    check_counts(
        ANTHROPIC,
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
fn a_long_conversation_is_not_repeated_in_each_request() {
    let long = "x".repeat(300 << 10);
    let text = format!(
        r#"[{{"role":"user","content":"{long}"}},{{"role":"assistant","content":"a"}},{{"role":"user","content":"b"}},{{"role":"assistant","content":"c"}}]"#
    );
    check_exchanges(
        OPENAI,
        &text,
        &[
            &format!(
                r#"{{"event":"request","messages":[{{"role":"user","content":"{long}"}}],"messages_omitted":true}}"#
            ),
            r#"{"event":"response","content":[{"type":"text","text":"a"}]}"#,
            r#"{"event":"request","messages":[{"role":"user","content":"b"}],"messages_omitted":true}"#,
            r#"{"event":"response","content":[{"type":"text","text":"c"}]}"#,
        ],
    );
}

#[test]
fn what_comes_from_a_cache_is_input_and_counts_once() {
    #[track_caller]
    fn check(usage: &str, expect: &str) {
        let answer = format!(
            "{{\"messages\":[{{\"role\":\"user\",\"content\":\"go\"}},{{\"role\":\"assistant\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"c\",\"name\":\"x\",\"input\":{{}}}}],\"usage\":{usage}}}]}}"
        );
        let events = crate::testing::events_of(ANTHROPIC, &answer);
        assert!(events.iter().any(|event| event.contains(expect)), "{events:?}");
    }
    check(
        r#"{"input_tokens":1,"cache_creation_input_tokens":20,"cache_read_input_tokens":300,"output_tokens":5}"#,
        r#""usage":{"input_tokens":321,"output_tokens":5,"cached_tokens":300}"#,
    );
    // Here the input is all of it.
    check(
        r#"{"prompt_tokens":321,"cache_read_input_tokens":300,"completion_tokens":5}"#,
        r#""usage":{"input_tokens":321,"output_tokens":5,"cached_tokens":300}"#,
    );
}

#[test]
fn what_agents_write_in_the_name_of_users_begins_no_turn() {
    check_short(
        ANTHROPIC,
        r#"{"model":"m","max_tokens":1,"system":"s","messages":[{"role":"user","content":[{"type":"text","text":"<system-reminder>today</system-reminder>"},{"type":"text","text":"go"}]},{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"look","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":"x"}]},{"role":"user","content":"[Request interrupted by user]"},{"role":"user","content":"<task-notification>done</task-notification>"},{"role":"user","content":"on"}]}"#,
        &[
            r#"turn_start {"text":"go"}"#,
            r#"tool_call {"id":"c","tool":"look","params":{}}"#,
            r#"tool_result {"id":"c","result":"x"}"#,
            r#"turn_start {"text":"on"}"#,
        ],
    );
}
