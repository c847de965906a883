//! Small samples of the format, each with what it holds.

use super::FORMAT;
use crate::testing::{Counts, check_counts, check_exchanges, check_short, problems};

#[test]
fn the_branch_that_ends_last_is_told() {
    let sample = include_str!("../../../tests/samples/pi.jsonl");
    check_short(
        FORMAT,
        sample,
        &[
            r#"turn_start {"text":"go"}"#,
            r#"text {"text":"first"}"#,
            r#"fs {"path":"a","exists":false}"#,
            r#"tool_call {"id":"c1","tool":"read","params":{"file_path":"a"},"native_params":{"file_path":"path"}}"#,
            r#"tool_call {"id":"c2","tool":"bash","params":{"command":"make"}}"#,
            r#"tool_result {"id":"c1","result":"ENOENT: no such file","ok":false}"#,
            r#"tool_result {"id":"c2","result":"ok"}"#,
            r#"tool_call {"id":"c3","tool":"write","params":{"file_path":"n","content":""},"native_params":{"file_path":"path"}}"#,
        ],
    );
    check_exchanges(
        FORMAT,
        sample,
        &[
            r#"{"event":"response","session":"s","ts":4000,"model":"m","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"first"},{"type":"tool_use","id":"c1","name":"read","input":{"path":"a"}},{"type":"tool_use","id":"c2","name":"bash","input":{"command":"make"}}],"stop_reason":"tool_use","usage":{"input_tokens":9,"output_tokens":5}}"#,
            r#"{"event":"response","session":"s","content":[{"type":"tool_use","id":"c3","name":"write","input":{"path":"n","content":""}}],"stop_reason":"aborted"}"#,
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
            never_run: 0,
            orphan_results: 0,
            open_calls: 1,
            truncated: false,
        },
    );
}

#[test]
fn version_1_is_a_line() {
    let sample = include_str!("../../../tests/samples/pi-v1.jsonl");
    check_short(
        FORMAT,
        sample,
        &[
            r#"turn_start {"text":"go"}"#,
            r#"text {"text":"yes"}"#,
            r#"tool_result {"id":"c0","result":""}"#,
        ],
    );
    check_counts(
        FORMAT,
        sample,
        Counts {
            problems: 1,
            skipped: 0,
            repeated: 0,
            unknown: 0,
            never_run: 0,
            orphan_results: 1,
            open_calls: 0,
            truncated: false,
        },
    );
}

#[test]
fn a_lost_parent_loses_nothing_else() {
    let message = |id: &str, parent: &str, role: &str, text: &str| {
        format!(
            "{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent},\"message\":{{\"role\":\"{role}\",\"content\":[{{\"type\":\"text\",\"text\":\"{text}\"}}]}}}}\n"
        )
    };
    let header = "{\"type\":\"session\",\"version\":3,\"id\":\"s\",\"cwd\":\"/w\"}\n";
    let check = |parents: [&str; 3], ids: [&str; 3], lines: &[u32]| {
        let texts = ["go", "one", "two"];
        let mut log = header.to_owned();
        for ((parent, id), text) in parents.iter().zip(ids).zip(texts) {
            log += &message(id, parent, if text == "go" { "user" } else { "assistant" }, text);
        }
        let expect =
            [r#"turn_start {"text":"go"}"#, r#"text {"text":"one"}"#, r#"text {"text":"two"}"#];
        check_short(FORMAT, &log, &expect);
        let problems: Vec<u32> =
            problems(FORMAT, &log).iter().map(|problem| problem.line).collect();
        assert_eq!(problems, lines, "{log}");
    };
    let ids = ["a", "b", "c"];
    check(["null", "\"a\"", "\"b\""], ids, &[]);
    // The parent is not there, is the record itself, or stands behind it.
    check(["null", "\"a\"", "\"gone\""], ids, &[4]);
    check(["null", "\"gone\"", "\"b\""], ids, &[3]);
    check(["null", "\"a\"", "\"c\""], ids, &[4]);
    check(["null", "\"c\"", "\"b\""], ids, &[3]);
    check(["\"c\"", "\"a\"", "\"b\""], ids, &[2]);
    // One id for all of them.
    check(["null", "\"a\"", "\"a\""], ["a", "a", "a"], &[]);
}

#[test]
fn a_compaction_is_told() {
    let lines = [
        r#"{"type":"session","version":3,"id":"s","cwd":"/w"}"#,
        r#"{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"go"}}"#,
        r#"{"type":"compaction","id":"b","parentId":"a","summary":"so far"}"#,
    ];
    check_short(
        FORMAT,
        &(lines.join("\n") + "\n"),
        &[r#"turn_start {"text":"go"}"#, "compaction {}"],
    );
}
