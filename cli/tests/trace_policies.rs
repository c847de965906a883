//! Trace policies through the program.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "helpers of tests: what goes wrong here is a failing test"
)]

mod common;

use common::Project;

const POLICY: &str = include_str!("../../tests/src/samples/all.policy.yaml");
const TRACE: &str = include_str!("../../tests/src/samples/exchanges.jsonl");

#[test]
fn a_trace_differs_from_itself_in_nothing() {
    let project = Project::new(&[
        ("all.policy.yaml", POLICY),
        ("before/a.jsonl", TRACE),
        ("after/a.jsonl", TRACE),
        (
            "shorter.jsonl",
            TRACE.split_once('\n').unwrap().1.split_once("{\"event\":\"tool_call\"").unwrap().0,
        ),
    ]);
    for sides in ["before/a.jsonl before/a.jsonl", "before/a.jsonl after/a.jsonl", "before after"] {
        let line = format!("diff {sides} -c all.policy.yaml --format json --fail-on minor");
        let run = project.run(&line);
        assert_eq!(run.code, 0, "{run:?}");
        let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(report["regressions"], serde_json::json!([]), "{sides}");
        assert_eq!(report["fixes"], serde_json::json!([]), "{sides}");
        assert_eq!(report["worst"], "none");
        let rules = POLICY.matches("- id:").count() + POLICY.matches("- { id:").count();
        assert!(report["unchanged"].as_u64().unwrap() >= rules as u64, "{report}");
    }
    let run = project.run("diff shorter.jsonl before/a.jsonl -c all.policy.yaml --fail-on minor");
    assert_eq!(run.code, 1, "more of a trace violates more: {run:?}");
}
