//! Small samples of the format, each with what it holds.

use super::FORMAT;
use crate::testing::{Counts, check_counts, check_exchanges, check_short};

#[test]
fn actions_and_observations_are_paired() {
    let sample = include_str!("../../../tests/samples/openhands-v0.jsonl");
    check_short(
        FORMAT,
        sample,
        &[
            r#"turn_start {"text":"go"}"#,
            r#"text {"text":"first"}"#,
            r#"tool_call {"id":"action-1","tool":"bash","native_tool":"run","params":{"command":"make"}}"#,
            r#"tool_result {"id":"action-1","result":"broken","ok":false}"#,
            r#"tool_call {"id":"action-2","tool":"run_ipython","params":{"code":"1"}}"#,
            r#"tool_result {"id":"action-2","result":"1"}"#,
            r#"text {"text":"done"}"#,
            r#"turn_start {"text":"again"}"#,
            r#"text {"text":"t"}"#,
            r#"tool_call {"id":"action-1","tool":"read","params":{"file_path":"a","thought":"t"},"native_params":{"file_path":"path"}}"#,
            r#"tool_result {"id":"action-1","result":"no","ok":false}"#,
            r#"tool_call {"id":"action-2","tool":"write","params":{"file_path":"b","content":"x"},"native_params":{"file_path":"path"}}"#,
        ],
    );
    check_counts(
        FORMAT,
        sample,
        Counts {
            problems: 0,
            skipped: 1,
            repeated: 0,
            unknown: 0,
            never_run: 1,
            orphan_results: 0,
            open_calls: 0,
            truncated: false,
        },
    );
}

#[test]
fn calls_of_one_response_come_together() {
    let sample = include_str!("../../../tests/samples/openhands-v1.jsonl");
    check_short(
        FORMAT,
        sample,
        &[
            r#"turn_start {"text":"go"}"#,
            r#"text {"text":"first"}"#,
            r#"tool_call {"id":"c1","tool":"bash","native_tool":"terminal","params":{"command":"make"}}"#,
            r#"fs {"path":"/w/a","exists":true}"#,
            r#"tool_call {"id":"c2","tool":"read","native_tool":"file_editor","params":{"command":"view","file_path":"/w/a","kind":"FileEditorAction"},"native_params":{"file_path":"path"}}"#,
            r#"tool_result {"id":"c1","result":"broken","ok":false}"#,
            r#"tool_result {"id":"c2","result":"x"}"#,
            r#"tool_call {"id":"c3","tool":"nope","params":{}}"#,
            r#"text {"text":"done"}"#,
        ],
    );
    check_exchanges(
        FORMAT,
        sample,
        &[
            r#"{"event":"response","ts":2000,"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"first"},{"type":"tool_use","id":"c1","name":"terminal","input":{"command":"make"}},{"type":"tool_use","id":"c2","name":"file_editor","input":{"command":"view","path":"/w/a","kind":"FileEditorAction"}}],"tool_names":{"file_editor":["read"]}}"#,
            r#"{"event":"response","content":[{"type":"tool_use","id":"c3","name":"nope","input":{}}]}"#,
            r#"{"event":"response","content":[{"type":"text","text":"done"}]}"#,
        ],
    );
    check_counts(
        FORMAT,
        sample,
        Counts {
            problems: 0,
            skipped: 1,
            repeated: 0,
            unknown: 1,
            never_run: 1,
            orphan_results: 0,
            open_calls: 0,
            truncated: false,
        },
    );
}
