//! Small samples of the format, each with what it holds.

use super::FORMAT;
use crate::testing::{Counts, check_counts, check_exchanges, check_short};

#[test]
fn steps_are_commands_or_the_calls_of_the_history() {
    let sample = include_str!("../../../tests/samples/swe-agent.traj");
    check_short(
        FORMAT,
        sample,
        &[
            r#"turn_start {"text":"solve it"}"#,
            r#"text {"text":"Let me look.\n"}"#,
            r#"tool_call {"id":"step-1","tool":"bash","params":{"command":"open a.py"}}"#,
            r#"tool_result {"id":"step-1","result":"[File: a.py]"}"#,
            r#"text {"text":"Fix."}"#,
            r#"tool_call {"id":"c1","tool":"edit","params":{"search":"a","replace":"b"}}"#,
            r#"tool_result {"id":"c1","result":"Text replaced."}"#,
            r#"text {"text":"Nothing left."}"#,
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
fn fenced_commands_are_calls() {
    let sample = include_str!("../../../tests/samples/mini-swe-agent.json");
    check_short(
        FORMAT,
        sample,
        &[
            r#"turn_start {"text":"solve it"}"#,
            r#"text {"text":"Look.\n\n```bash\nls -la\n```"}"#,
            r#"tool_call {"id":"step-3","tool":"bash","params":{"command":"ls -la"}}"#,
            r#"tool_result {"id":"step-3","result":"<returncode>1</returncode>\n<output>\nno\n</output>","ok":false}"#,
            r#"text {"text":"```bash\na\n```\nor\n```bash\nb\n```"}"#,
            r#"turn_start {"text":"one action, please"}"#,
        ],
    );
    check_exchanges(
        FORMAT,
        sample,
        &[
            r#"{"event":"response","model":"m","content":[{"type":"text","text":"Look.\n\n```bash\nls -la\n```"},{"type":"tool_use","id":"step-3","name":"bash","input":{"command":"ls -la"}}],"usage":{"input_tokens":9,"output_tokens":3,"thinking_tokens":2}}"#,
            r#"{"event":"response","content":[{"type":"text","text":"```bash\na\n```\nor\n```bash\nb\n```"}]}"#,
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
            never_run: 0,
            orphan_results: 0,
            open_calls: 0,
            truncated: false,
        },
    );
}
