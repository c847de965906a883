//! Small samples of the format, each with what it holds.

use super::FORMAT;
use crate::testing::{Counts, check_counts, check_exchanges, check_short};

#[test]
fn each_step_is_a_response_with_its_calls() {
    let sample = include_str!("../../../tests/samples/opencode.json");
    check_short(
        FORMAT,
        sample,
        &[
            r#"turn_start {"text":"go"}"#,
            r#"text {"text":"first"}"#,
            r#"fs {"path":"/w/a","exists":false}"#,
            r#"tool_call {"id":"c1","tool":"write","params":{"file_path":"/w/a","content":"x"},"native_params":{"file_path":"filePath"}}"#,
            r#"tool_call {"id":"c2","tool":"bash","params":{"command":"make"}}"#,
            r#"tool_call {"id":"c3","tool":"bash","params":{"command":"rm"}}"#,
            r#"fs {"path":"/w/a","exists":true}"#,
            r#"tool_result {"id":"c1","result":"ok"}"#,
            r#"tool_result {"id":"c2","result":"broken","ok":false}"#,
            r#"text {"text":"second"}"#,
            r#"tool_call {"id":"c4","tool":"read","params":{"file_path":"/w/b"},"native_params":{"file_path":"filePath"}}"#,
        ],
    );
    check_exchanges(
        FORMAT,
        sample,
        &[
            r#"{"event":"response","session":"s","ts":200000000000,"model":"m","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"first"},{"type":"tool_use","id":"c1","name":"write","input":{"filePath":"/w/a","content":"x"}},{"type":"tool_use","id":"c2","name":"bash","input":{"command":"make"}},{"type":"tool_use","id":"c3","name":"bash","input":{"command":"rm"}}],"stop_reason":"tool_use","usage":{"input_tokens":9,"output_tokens":5,"thinking_tokens":2}}"#,
            r#"{"event":"response","session":"s","ts":200000000000,"model":"m","content":[{"type":"text","text":"second"},{"type":"tool_use","id":"c4","name":"read","input":{"filePath":"/w/b"}}]}"#,
        ],
    );
    check_counts(
        FORMAT,
        sample,
        Counts {
            problems: 0,
            skipped: 2,
            repeated: 0,
            unknown: 1,
            never_run: 1,
            orphan_results: 0,
            open_calls: 1,
            truncated: false,
        },
    );
}

#[test]
fn a_compaction_is_told_and_begins_no_turn() {
    let user = |parts: &str| format!(r#"{{"info":{{"role":"user","id":"u"}},"parts":[{parts}]}}"#);
    let messages = [
        user(r#"{"type":"text","text":"go"}"#),
        user(r#"{"type":"compaction","auto":true}"#),
        user(r#"{"type":"text","text":"Continue if you have next steps","synthetic":true}"#),
    ];
    check_short(
        FORMAT,
        &format!(r#"{{"info":{{"id":"s"}},"messages":[{}]}}"#, messages.join(",")),
        &[r#"turn_start {"text":"go"}"#, "compaction {}"],
    );
}
