//! Small samples of the format, each with what it holds.

use super::FORMAT;
use crate::testing::{Counts, check_counts, check_exchanges, check_short, events_of};

#[test]
fn a_rollout_holds_calls_patches_scripts_and_refusals() {
    let sample = include_str!("../../../tests/samples/codex.jsonl");
    check_short(
        FORMAT,
        sample,
        &[
            r#"turn_start {"text":"go"}"#,
            r#"text {"text":"first"}"#,
            r#"tool_call {"id":"c1","tool":"bash","native_tool":"exec_command","params":{"command":"cat a.rs"},"native_params":{"command":"cmd"}}"#,
            r#"fs {"path":"a.rs","exists":true}"#,
            r#"tool_call {"id":"c1/2","tool":"read","params":{"file_path":"a.rs"}}"#,
            r#"tool_call {"id":"c2","tool":"bash","native_tool":"exec_command","params":{"command":"make"},"native_params":{"command":"cmd"}}"#,
            r#"tool_result {"id":"c1","result":"fn main"}"#,
            r#"tool_result {"id":"c1/2","result":"fn main"}"#,
            r#"tool_result {"id":"c2","result":"broken","ok":false}"#,
            r#"tool_call {"id":"c3","tool":"write","native_tool":"apply_patch","params":{"file_path":"n.rs","content":"x\n","patch":"*** Add File: n.rs\n+x\n"},"native_params":{"patch":"input"}}"#,
            r#"fs {"path":"o.rs","exists":true}"#,
            r#"tool_call {"id":"c3/2","tool":"delete","native_tool":"apply_patch","params":{"file_path":"o.rs","patch":"*** Delete File: o.rs\n"},"native_params":{"patch":"input"}}"#,
            r#"fs {"path":"n.rs","exists":true}"#,
            r#"tool_result {"id":"c3","result":"Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess."}"#,
            r#"fs {"path":"o.rs","exists":false}"#,
            r#"tool_result {"id":"c3/2","result":"Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess."}"#,
            r#"tool_call {"id":"c4","tool":"bash","native_tool":"exec","params":{"command":"ls"}}"#,
            r#"tool_call {"id":"c5","tool":"bash","native_tool":"exec_command","params":{"command":"rm -rf x"},"native_params":{"command":"cmd"}}"#,
            r#"tool_result {"id":"c0","result":"lost"}"#,
        ],
    );
    check_exchanges(
        FORMAT,
        sample,
        &[
            r#"{"event":"response","session":"s","ts":3000,"model":"m","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"first"},{"type":"tool_use","id":"c1","name":"exec_command","input":{"cmd":"cat a.rs"}},{"type":"tool_use","id":"c2","name":"exec_command","input":{"cmd":"make"}}],"usage":{"input_tokens":9,"output_tokens":3,"thinking_tokens":2}}"#,
            r#"{"event":"response","session":"s","ts":5000,"model":"m","content":[{"type":"tool_use","id":"c3","name":"apply_patch","input":{"input":"*** Begin Patch\n*** Add File: n.rs\n+x\n*** Delete File: o.rs\n*** End Patch"}}],"tool_names":{"apply_patch":["write","delete"]}}"#,
            r#"{"event":"response","session":"s","ts":6000,"model":"m","content":[{"type":"tool_use","id":"c4","name":"exec","input":{"input":"await tools.exec_command({cmd: 'ls'})"}},{"type":"tool_use","id":"c5","name":"exec_command","input":{"cmd":"rm -rf x"}}]}"#,
        ],
    );
    check_counts(
        FORMAT,
        sample,
        Counts {
            problems: 2,
            skipped: 5,
            repeated: 0,
            unknown: 2,
            never_run: 1,
            orphan_results: 1,
            open_calls: 1,
            truncated: true,
        },
    );
}

/// A session of code mode: each call with what the model wrote and what came back.
fn scripts(calls: &[(&str, &str)]) -> String {
    let mut lines = vec![r#"{"type":"session_meta","payload":{"id":"s"}}"#.to_owned()];
    for (index, (script, output)) in calls.iter().enumerate() {
        let id = format!("c{}", index + 1);
        let call = serde_json::json!({
            "type": "custom_tool_call", "name": "exec", "call_id": id, "input": script,
        });
        let texts: Vec<_> = output
            .split('|')
            .map(|text| serde_json::json!({"type": "input_text", "text": text}))
            .collect();
        let output = serde_json::json!({
            "type": "custom_tool_call_output", "call_id": id, "output": texts,
        });
        for payload in [call, output] {
            let line = serde_json::json!({"type": "response_item", "payload": payload});
            lines.push(line.to_string());
        }
    }
    lines.join("\n") + "\n"
}

const PATCH: &str = "const patch = \"*** Begin Patch\\n*** Delete File: o\\n*** End Patch\";\n\
     text(await tools.apply_patch(patch));";

#[test]
fn scripts_patch_files_and_look_after_commands() {
    check_short(
        FORMAT,
        &scripts(&[
            (PATCH, "Script completed\nOutput:\n|{}"),
            ("await tools.write_stdin({session_id: 7, chars: \"\"})", "Script completed\n"),
        ]),
        &[
            r#"fs {"path":"o","exists":true}"#,
            r#"tool_call {"id":"c1","tool":"delete","native_tool":"apply_patch","params":{"file_path":"o","patch":"*** Delete File: o\n"}}"#,
            r#"fs {"path":"o","exists":false}"#,
            r#"tool_result {"id":"c1","result":"Script completed\nOutput:\n\n{}"}"#,
        ],
    );
}

#[test]
fn what_a_script_did_is_told_from_what_it_printed() {
    let two = "const r = await Promise.all([tools.exec_command({cmd: 'make a'}), \
               tools.exec_command({cmd: 'make b'})]); r.forEach(x => text(JSON.stringify(x)))";
    let told = events_of(
        FORMAT,
        &scripts(&[
            (PATCH, "Script failed\nError: apply_patch verification failed: no such file"),
            (two, "Script completed\n|{\"exit_code\":0}|{\"output\":\"no\",\"exit_code\":2}"),
        ]),
    );
    let results: Vec<_> = told
        .iter()
        .filter(|event| event.contains("tool_result"))
        .map(|event| (event.contains("\"ok\":false"), event.contains("\"id\":\"c2/2\"")))
        .collect();
    assert_eq!(results, [(true, false), (false, false), (true, true)], "{told:?}");
    assert!(!told.iter().any(|event| event.contains("\"event\":\"fs\"")), "{told:?}");
}

#[test]
fn a_patch_that_was_refused_is_a_failure() {
    let call = r#"{"type":"response_item","payload":{"type":"custom_tool_call","name":"apply_patch","call_id":"c","input":"*** Begin Patch\n*** Update File: a\n-x\n+y\n*** End Patch"}}"#;
    let output = r#"{"type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"c","output":"apply_patch verification failed: Failed to find expected lines in a:\nx"}}"#;
    check_short(
        FORMAT,
        &format!("{{\"type\":\"session_meta\",\"payload\":{{\"id\":\"s\"}}}}\n{call}\n{output}\n"),
        &[
            r#"tool_call {"id":"c","tool":"edit","native_tool":"apply_patch","params":{"file_path":"a","old_string":"x\n","new_string":"y\n","patch":"*** Update File: a\n-x\n+y\n"},"native_params":{"patch":"input"}}"#,
            r#"tool_result {"id":"c","result":"apply_patch verification failed: Failed to find expected lines in a:\nx","ok":false}"#,
        ],
    );
}

#[test]
fn what_codex_puts_beside_a_prompt_is_not_said() {
    let message = |texts: &[&str]| {
        let content: Vec<_> = texts
            .iter()
            .map(|text| serde_json::json!({"type": "input_text", "text": text}))
            .collect();
        let payload = serde_json::json!({"type": "message", "role": "user", "content": content});
        serde_json::json!({"type": "response_item", "payload": payload}).to_string()
    };
    let lines = [
        r#"{"type":"session_meta","payload":{"id":"s"}}"#.to_owned(),
        message(&["<recommended_plugins>\n…", "<environment_context>\n…"]),
        message(&["<environment_context>\n…", "fix it"]),
        message(&["<turn_aborted>\n…"]),
    ];
    check_short(FORMAT, &(lines.join("\n") + "\n"), &[r#"turn_start {"text":"fix it"}"#]);
}

#[test]
fn a_compaction_is_told_once() {
    let lines = [
        r#"{"type":"session_meta","payload":{"id":"s"}}"#,
        r#"{"type":"event_msg","payload":{"type":"user_message","message":"go"}}"#,
        r#"{"type":"compacted","payload":{"message":"so far"}}"#,
        r#"{"type":"event_msg","payload":{"type":"context_compacted"}}"#,
    ];
    check_short(
        FORMAT,
        &(lines.join("\n") + "\n"),
        &[r#"turn_start {"text":"go"}"#, "compaction {}"],
    );
}

#[test]
fn several_calls_in_one_script_are_several_events() {
    let script = "const todo = [{cmd: 'make lint', workdir: '/w'}, {cmd: 'make test', workdir: '/w'}];\n\
                  await Promise.all(todo.map(one => tools.exec_command(one)));\n\
                  await tools.update_plan({plan: [{step: 'a', status: 'completed'}]});\n\
                  await tools.mcp__tracker__close({issue: id});";
    check_short(
        FORMAT,
        &scripts(&[(script, "Script completed\n")]),
        &[
            r#"tool_call {"id":"c1","tool":"bash","native_tool":"exec","params":{"command":"make lint","workdir":"/w"}}"#,
            r#"tool_call {"id":"c1/2","tool":"bash","native_tool":"exec","params":{"command":"make test","workdir":"/w"}}"#,
            r#"tool_call {"id":"c1/3","tool":"todo_write","native_tool":"update_plan","params":{"plan":[{"step":"a","status":"completed"}]}}"#,
            r#"tool_call {"id":"c1/4","tool":"mcp__tracker__close","params":{}}"#,
            r#"tool_call {"id":"c1/5","tool":"bash","native_tool":"exec","params":{"command":"$script","input":"const todo = [{cmd: 'make lint', workdir: '/w'}, {cmd: 'make test', workdir: '/w'}];\nawait Promise.all(todo.map(one => tools.exec_command(one)));\nawait tools.update_plan({plan: [{step: 'a', status: 'completed'}]});\nawait tools.mcp__tracker__close({issue: id});"}}"#,
            r#"tool_result {"id":"c1","result":"Script completed\n"}"#,
            r#"tool_result {"id":"c1/2","result":"Script completed\n"}"#,
            r#"tool_result {"id":"c1/3","result":"Script completed\n"}"#,
            r#"tool_result {"id":"c1/4","result":"Script completed\n"}"#,
            r#"tool_result {"id":"c1/5","result":"Script completed\n"}"#,
        ],
    );
}

#[test]
fn looking_after_what_runs_is_no_call() {
    let mut lines = vec![r#"{"type":"session_meta","payload":{"id":"s"}}"#.to_owned()];
    let calls = [
        ("write_stdin", r#"{"session_id":7,"chars":""}"#),
        ("write_stdin", r#"{"session_id":7}"#),
        ("wait", r#"{"cell_id":"3","yield_time_ms":1000}"#),
        ("write_stdin", r#"{"session_id":7,"chars":"y\n"}"#),
    ];
    for (name, arguments) in calls {
        let call = serde_json::json!({
            "type": "function_call", "name": name, "arguments": arguments, "call_id": "c",
        });
        let output = serde_json::json!({
            "type": "function_call_output", "call_id": "c", "output": "Wall time: 1 seconds",
        });
        for payload in [call, output] {
            let line = serde_json::json!({"type": "response_item", "payload": payload});
            lines.push(line.to_string());
        }
    }
    check_short(
        FORMAT,
        &lines.join("\n"),
        &[
            r#"tool_call {"id":"c","tool":"write_stdin","params":{"session_id":7,"chars":"y\n"}}"#,
            r#"tool_result {"id":"c","result":"Wall time: 1 seconds"}"#,
        ],
    );
}

#[test]
fn a_prompt_with_a_picture_begins_one_turn() {
    let text = r#"{"type":"session_meta","payload":{"id":"s"}}
{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"what is this"},{"type":"input_text","text":"<image name=[Image #1]>"},{"type":"input_image","image_url":"data:"},{"type":"input_text","text":"</image>"}]}}
{"type":"event_msg","payload":{"type":"user_message","message":"what is this","images":[]}}"#;
    check_short(FORMAT, text, &[r#"turn_start {"text":"what is this"}"#]);
}
