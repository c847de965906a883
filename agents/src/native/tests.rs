//! Every kind of event, every way a line can be wrong, and the way back.

use super::*;

fn parsed(text: &str) -> Item<'_> {
    parse(text, 1).expect("a valid event").expect("an event")
}

#[track_caller]
fn refused(text: &str, expect: &str) {
    let problem = parse(text, 7).expect_err("a problem");
    assert_eq!(problem.line, 7);
    assert_eq!(problem.message, expect, "{text}");
}

#[test]
fn a_call_has_its_parameters_in_order() {
    let item = parsed(
        r#"{"session":"s1","ts":12,"event":"tool_call","id":"c1","tool":"edit",
            "params":{"file_path":"a\n.rs","count":2,"flags":["x"]},"extra":{"ignored":1}}"#,
    );
    assert_eq!((item.line, &*item.session, item.ts), (1, "s1", Some(12)));
    let Event::ToolCall(call) = item.event else { panic!("a call") };
    assert_eq!(
        (call.id.as_deref(), &*call.tool, call.native_tool.as_deref()),
        (Some("c1"), "edit", None)
    );
    let seen: Vec<_> = call.params.iter().map(|param| (&*param.name, &param.value)).collect();
    assert_eq!(
        seen,
        [
            ("file_path", &Value::Text("a\n.rs".into())),
            ("count", &Value::Json("2".into())),
            ("flags", &Value::Json("[\"x\"]".into())),
        ]
    );
}

#[test]
fn what_may_be_left_out_is() {
    let item = parsed(r#"{"event":"tool_call","tool":"ls"}"#);
    assert_eq!((&*item.session, item.ts), ("default", None));
    assert_eq!(item.event, Event::ToolCall(Call { tool: "ls".into(), ..Call::default() }));
    let item = parsed(r#"{"event":"tool_result","id":null,"tool":"ls","params":null}"#);
    let call = Some(Call { tool: "ls".into(), ..Call::default() });
    assert_eq!(
        item.event,
        Event::ToolResult(ToolResult { call, ok: true, ..ToolResult::default() })
    );
    assert_eq!(parsed(r#"{"event":"turn_start"}"#).event, Event::TurnStart { text: None });
}

#[test]
fn an_array_of_parameters_is_one_parameter() {
    let Event::ToolCall(call) =
        parsed(r#"{"event":"tool_call","tool":"t","params":["a", 1]}"#).event
    else {
        panic!("a call")
    };
    assert_eq!(call.params.len(), 1);
    assert_eq!(call.param("args"), Some(&Value::Json("[\"a\", 1]".into())));
}

#[test]
fn the_last_of_two_parameters_with_one_name_counts() {
    let Event::ToolCall(call) =
        parsed(r#"{"event":"tool_call","tool":"bash","params":{"command":"ls","command":"rm"}}"#)
            .event
    else {
        panic!("a call")
    };
    assert_eq!(call.params.len(), 1);
    assert_eq!(call.param("command"), Some(&Value::Text("rm".into())));

    let many: Vec<String> = (0..5000).map(|at| format!("\"p{}\":{at}", at % 1000)).collect();
    let line = format!(r#"{{"event":"tool_call","tool":"t","params":{{{}}}}}"#, many.join(","));
    let Event::ToolCall(call) = parsed(&line).event else { panic!("a call") };
    assert_eq!(call.params.len(), 1000);
    assert_eq!(call.param("p999"), Some(&Value::Json("4999".into())));
}

#[test]
fn endless_parameters_are_refused() {
    let many: Vec<String> = (0..70_000).map(|at| format!("\"p{at}\":0")).collect();
    refused(
        &format!(r#"{{"event":"tool_call","tool":"t","params":{{{}}}}}"#, many.join(",")),
        "`params` has more than 65536 entries",
    );
}

#[test]
fn blank_lines_are_no_events() {
    for text in ["", " \t\r", "\0\0", "\u{feff}"] {
        assert_eq!(parse(text, 1), Ok(None), "{text:?}");
    }
}

#[test]
fn problems_say_what_is_wrong() {
    refused(
        r#"{"event":"tool_cal"}"#,
        "unknown event `tool_cal`; did you mean `tool_call`? (known events: session_start, \
         turn_start, turn_end, text, tool_call, tool_result, request, response, fs, clock, \
         classifier_reply, verifier_reply, user_shell, constitution, workflow_start, step_end, workflow_resume, compaction, session_end)",
    );
    refused(r#"{"session":"s"}"#, "`event` is missing; every line needs it to say what happened");
    refused(r#"{"event":3}"#, "`event` must be a string, but is a number");
    refused(r#"{"event":"text","text":["a"]}"#, "`text` must be a string, but is a list");
    refused(r#"{"event":"text"}"#, "`text` needs the field `text`");
    refused(
        r#"{"event":"text","text":"a","session":5}"#,
        "`session` must be a string, but is a number",
    );
    refused(r#"{"event":"text","text":"a","ts":"5"}"#, "`ts` must be a number, but is a string");
    refused(r#"{"event":"clock","now":1e300}"#, "`now` is out of range: 1e300");
    refused(r#"{"event":"tool_call","params":{}}"#, "`tool_call` needs the field `tool`");
    refused(r#"{"event":"tool_call","tool":""}"#, "`tool` is empty; it must name the tool");
    refused(
        r#"{"event":"tool_call","tool":"t","params":"x"}"#,
        "`params` must be an object or a list, but is a string",
    );
    refused(
        r#"{"event":"tool_result","id":"1","ok":"yes"}"#,
        "`ok` must be `true` or `false`, but is a string",
    );
    refused(r#"{"event":"fs","path":"a"}"#, "`fs` needs the field `exists`");
    refused(r#"{"event":"fs","path":"a","exists":true,"size":-1}"#, "`size` must not be negative");
    refused("[1]", "expected a JSON object, but found a list");
    refused(
        "{\"event\":\"text\",}",
        "not valid JSON: expected a key in double quotes at column 17",
    );
    refused("{} x", "not valid JSON: more text after the value at column 4");
}

#[test]
fn deep_nesting_is_a_problem_and_not_a_crash() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for before in [
        r#"{"event":"tool_result","id":"1","result":"#,
        r#"{"event":"tool_call","tool":"t","params":{"a":"#,
        r#"{"event":"request","messages":"#,
        r#"{"event":"session_end","ignored":"#,
    ] {
        let line = format!("{before}{deep}}}}}");
        let message = parse(&line, 1).expect_err("a problem").message;
        let start = "not valid JSON: values are nested deeper than 120 levels at column ";
        assert!(message.starts_with(start), "{message}");
    }
}

#[test]
fn events_come_back_as_they_were_written() {
    let lines = [
        r#"{"event":"session_start","session":"s","ts":5,"agent":"a","cwd":"/x","mode":"ask","headless":true,"by_exchange":true}"#,
        r#"{"event":"session_start"}"#,
        r#"{"event":"turn_start","text":"say \"hi\"\n"}"#,
        r#"{"event":"text","text":"é"}"#,
        r#"{"event":"tool_call","id":"1","tool":"edit","native_tool":"NotebookEdit","params":{"file_path":"n","x":{"a": [1]}},"native_params":{"file_path":"notebook_path"}}"#,
        r#"{"event":"tool_result","id":"1","result":{"stdout":""},"ok":false}"#,
        r#"{"event":"tool_result","tool":"ls","params":{"path":"."},"result":"a"}"#,
        r#"{"event":"request","model":"m","messages":[{"role":"user"}]}"#,
        r#"{"event":"response","content":[],"session":"s"}"#,
        r#"{"event":"constitution","op":"get"}"#,
        r#"{"event":"fs","path":"a","exists":false,"size":3,"mtime":-1,"real":"/a"}"#,
        r#"{"event":"clock","now":9}"#,
        r#"{"event":"fs","path":"a","exists":true,"lines":3}"#,
        r#"{"event":"classifier_reply","raw":"{}"}"#,
        r#"{"event":"verifier_reply","raw":"{}"}"#,
        r#"{"event":"verifier_reply","error":"no answer came in time"}"#,
        r#"{"event":"user_shell","command":"ls"}"#,
        r#"{"event":"user_shell","command":"ls","hidden":true}"#,
        r#"{"event":"session_end"}"#,
    ];
    for line in lines {
        let item = parsed(line);
        let written = to_native(&item);
        assert_eq!(parsed(&written), item, "{line}\n{written}");
        assert!(!written.contains('\n'));
    }
}

/// Keeps what a reader finds, as native lines.
#[derive(Default)]
struct Kept {
    events: Vec<(u32, &'static str)>,
    problems: Vec<(u32, String)>,
}

impl Sink for Kept {
    fn item(&mut self, item: Item<'_>) {
        self.events.push((item.line, item.event.name()));
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push((problem.line, problem.message));
    }
}

fn run(input: &[u8]) -> (Kept, Stats) {
    let mut kept = Kept::default();
    let stats = read(&mut &*input, &mut kept).expect("bytes in memory can be read");
    (kept, stats)
}

#[test]
fn reading_goes_on_after_a_problem() {
    let input = b"\xef\xbb\xbf{\"event\":\"turn_start\"}\r\n\nnonsense\n\xff\xfe\n\0\0{\"event\":\"session_end\"}\0\n{\"event\":\"te";
    let (kept, stats) = run(input);
    assert_eq!(kept.events, [(1, "turn_start"), (5, "session_end")]);
    let messages: Vec<_> =
        kept.problems.iter().map(|(line, message)| (*line, &**message)).collect();
    assert_eq!(
        messages,
        [
            (3, "not valid JSON: expected `{` at column 1"),
            (4, "the line is not UTF-8: byte 1 is not part of a character"),
            (6, "the last line is cut off: the recording stopped while it was written"),
        ]
    );
    assert!(stats.truncated);
    assert_eq!((stats.lines, stats.events, stats.problems), (6, 2, 3));
    assert_eq!(stats.bytes, input.len() as u64);
}

#[test]
fn a_last_line_without_line_feed_may_be_whole_or_wrong() {
    let (kept, stats) = run(b"{\"event\":\"session_end\"}");
    assert_eq!((kept.events.len(), kept.problems.len(), stats.truncated), (1, 0, false));
    let (kept, stats) = run(b"{\"event\":\"nope\"}");
    assert_eq!((kept.events.len(), kept.problems.len(), stats.truncated), (0, 1, false));
}

#[test]
fn a_huge_line_is_passed_over_and_a_large_one_is_read() {
    let large = format!("{{\"event\":\"text\",\"text\":\"{}\"}}\n", "x".repeat(100 << 20));
    let (kept, _) = run(large.as_bytes());
    assert_eq!(kept.events, [(1, "text")]);
    let mut huge = vec![b'x'; lines::LIMIT + 1];
    huge.extend_from_slice(b"\n{\"event\":\"session_end\"}\n");
    let (kept, stats) = run(&huge);
    assert_eq!(kept.events, [(2, "session_end")]);
    assert_eq!(
        kept.problems,
        [(1, "the line is longer than 128 MiB and was passed over".to_owned())]
    );
    assert!(!stats.truncated);
}
