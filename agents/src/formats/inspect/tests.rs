//! Small samples of the format, each with what it holds.

use super::FORMAT;
use crate::testing::{Counts, check_counts, check_exchanges, check_short};

#[test]
fn events_of_samples_or_their_messages() {
    let sample = include_str!("../../../tests/samples/inspect.json");
    check_short(
        FORMAT,
        sample,
        &[
            r#"turn_start {"text":"go"}"#,
            r#"text {"text":"first"}"#,
            r#"tool_call {"id":"c1","tool":"look","params":{"x":1}}"#,
            r#"tool_call {"id":"c2","tool":"nope","params":{}}"#,
            r#"tool_result {"id":"c1","result":"over limit","ok":false}"#,
            r#"turn_start {"text":"hi"}"#,
            r#"tool_call {"id":"c1","tool":"look","params":{"x":1}}"#,
            r#"tool_result {"id":"c1","result":"no","ok":false}"#,
        ],
    );
    check_exchanges(
        FORMAT,
        sample,
        &[
            r#"{"event":"request","session":"a/1","ts":2000,"model":"m","messages":[{"role":"user","content":"go"}],"params":{"temperature":0},"tools":[]}"#,
            r#"{"event":"response","session":"a/1","ts":3000,"model":"m","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"first"},{"type":"tool_use","id":"c1","name":"look","input":{"x":1}},{"type":"tool_use","id":"c2","name":"nope","input":{}}],"stop_reason":"tool_use","usage":{"input_tokens":9,"output_tokens":3,"thinking_tokens":2},"latency_ms":250}"#,
            r#"{"event":"request","session":"2/1","messages":[{"role":"user","content":"hi"}]}"#,
            r#"{"event":"response","session":"2/1","content":[{"type":"tool_use","id":"c1","name":"look","input":{"x":1}}]}"#,
        ],
    );
    check_counts(
        FORMAT,
        sample,
        Counts {
            problems: 0,
            skipped: 3,
            repeated: 0,
            unknown: 1,
            never_run: 1,
            orphan_results: 0,
            open_calls: 0,
            truncated: false,
        },
    );
}
