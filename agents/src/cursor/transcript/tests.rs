//! Small samples of the format, each with what it holds.

use super::FORMAT;
use crate::testing::{Counts, check_counts, check_short};

#[test]
fn results_belong_to_the_oldest_calls() {
    let sample = include_str!("../../../tests/samples/cursor.jsonl");
    check_short(
        FORMAT,
        sample,
        &[
            r#"turn_start {"text":"go"}"#,
            r#"text {"text":"first"}"#,
            r#"tool_call {"id":"call-1","tool":"bash","native_tool":"Shell","params":{"command":"ls"}}"#,
            r#"tool_call {"id":"call-2","tool":"read","native_tool":"read_file","params":{"file_path":"a"},"native_params":{"file_path":"target_file"}}"#,
            r#"tool_result {"id":"call-1","result":"a b"}"#,
            r#"tool_result {"id":"call-2","result":"gone","ok":false}"#,
            r#"tool_result {"id":"t9","result":"lost"}"#,
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
            never_run: 0,
            orphan_results: 1,
            open_calls: 0,
            truncated: false,
        },
    );
}
