//! Small samples of the format, each with what it holds.

use super::FORMAT;
use crate::testing::{Counts, check_counts, check_exchanges, check_short};

#[test]
fn spans_are_put_in_order() {
    let sample = include_str!("../../../tests/samples/otlp.json");
    check_short(
        FORMAT,
        sample,
        &[
            r#"turn_start {"text":"go"}"#,
            r#"turn_start {}"#,
            r#"text {"text":"first"}"#,
            r#"tool_call {"id":"c1","tool":"look","params":{"x":1}}"#,
            r#"tool_call {"id":"span-5","tool":"old","params":{"y":2}}"#,
            r#"tool_result {"id":"c1","result":"no","ok":false}"#,
            r#"tool_result {"id":"span-5","result":[1]}"#,
            r#"text {"text":"done"}"#,
            r#"text {"text":"helped"}"#,
        ],
    );
    check_exchanges(
        FORMAT,
        sample,
        &[
            r#"{"event":"request","session":"s","ts":2000,"model":"m","messages":[{"role":"system","content":[{"type":"text","text":"be good"}]},{"role":"user","content":[{"type":"text","text":"go"}]}]}"#,
            r#"{"event":"response","session":"s","ts":2007,"model":"m","content":[{"type":"text","text":"first"},{"type":"tool_use","id":"c1","name":"look","input":{"x":1}}],"stop_reason":"tool_use","usage":{"input_tokens":9,"output_tokens":5},"latency_ms":7}"#,
            r#"{"event":"request","session":"s","ts":4000}"#,
            r#"{"event":"response","session":"s","ts":4005,"content":[{"type":"text","text":"done"}],"latency_ms":5}"#,
            r#"{"event":"request","session":"s/helper-6","ts":3600}"#,
            r#"{"event":"response","session":"s/helper-6","ts":3700,"content":[{"type":"text","text":"helped"}],"latency_ms":100}"#,
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
            orphan_results: 0,
            open_calls: 0,
            truncated: false,
        },
    );
}

#[test]
fn lines_of_other_exporters() {
    let sample = include_str!("../../../tests/samples/otel-spans.jsonl");
    check_short(
        FORMAT,
        sample,
        &[
            r#"tool_call {"id":"c1","tool":"look","params":{}}"#,
            r#"tool_result {"id":"c1","ok":false}"#,
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
