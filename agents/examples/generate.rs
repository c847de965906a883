//! Prints a made-up recording to measure with: `generate native|claude-code COUNT`, where COUNT is
//! the number of tool calls. Always the same for the same arguments.

use std::error::Error;
use std::io::{BufWriter, Write};

/// The turns of a session, and the calls of a turn.
const TURNS: u64 = 20;
const CALLS: u64 = 10;

/// What the calls go round in.
const TOOLS: [(&str, &str, &str); 8] = [
    ("grep", "Grep", r#"{"pattern":"fn parse_{n}","path":"src"}"#),
    ("read", "Read", r#"{"file_path":"/home/dev/project/src/module_{n}/parser.rs"}"#),
    ("read", "Read", r#"{"file_path":"/home/dev/project/src/module_{n}/lexer.rs","limit":200}"#),
    (
        "edit",
        "Edit",
        r#"{"file_path":"/home/dev/project/src/module_{n}/parser.rs","old_string":"let x = {n};","new_string":"let x = {n} + 1;"}"#,
    ),
    (
        "bash",
        "Bash",
        r#"{"command":"cargo test -p module_{n} 2>&1 | tail -20","description":"Run the tests"}"#,
    ),
    (
        "bash",
        "Bash",
        r#"{"command":"git add -A && git commit -m 'change {n}'","description":"Commit"}"#,
    ),
    (
        "write",
        "Write",
        r#"{"file_path":"/home/dev/project/docs/note_{n}.md","content":"A few lines about module {n}.\n"}"#,
    ),
    ("glob", "Glob", r#"{"pattern":"**/*_{n}.rs"}"#),
];

/// What a tool returns, about as long as in real sessions.
const RESULT: &str =
    "   1→//! A module of the project.\\n   2→\\n   3→use std::collections::HashMap;\\n";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let format = arguments.next().unwrap_or_else(|| "native".to_owned());
    let calls: u64 = arguments.next().as_deref().unwrap_or("1000").parse()?;
    let mut out = BufWriter::new(std::io::stdout().lock());
    for call in 0..calls {
        let session = call / (CALLS * TURNS);
        let id = format!("{session:08x}-0000-4000-8000-000000000000");
        let begins_turn = call.is_multiple_of(CALLS);
        if format == "native" {
            native(&mut out, call, &id, begins_turn)?;
        } else {
            claude_code(&mut out, call, &id, begins_turn)?;
        }
    }
    out.flush()?;
    Ok(())
}

fn tool_of(call: u64) -> Option<(&'static str, &'static str, String)> {
    let index = usize::try_from(call).unwrap_or(0) % TOOLS.len();
    let (canonical, native, params) = TOOLS.get(index)?;
    Some((canonical, native, params.replace("{n}", &(call % 997).to_string())))
}

fn native(out: &mut impl Write, call: u64, id: &str, begins_turn: bool) -> std::io::Result<()> {
    let Some((tool, _, params)) = tool_of(call) else { return Ok(()) };
    if call.is_multiple_of(CALLS * TURNS) {
        writeln!(
            out,
            r#"{{"event":"session_start","session":"{id}","agent":"made-up","cwd":"/home/dev/project"}}"#
        )?;
    }
    if begins_turn {
        writeln!(
            out,
            r#"{{"event":"turn_start","session":"{id}","text":"Please look at change {call}"}}"#
        )?;
        writeln!(
            out,
            r#"{{"event":"text","session":"{id}","text":"I will look at it and run the tests."}}"#
        )?;
    }
    writeln!(
        out,
        r#"{{"event":"tool_call","session":"{id}","id":"c{call}","tool":"{tool}","params":{params}}}"#
    )?;
    writeln!(
        out,
        r#"{{"event":"tool_result","session":"{id}","id":"c{call}","result":"{RESULT}"}}"#
    )
}

fn claude_code(
    out: &mut impl Write,
    call: u64,
    id: &str,
    begins_turn: bool,
) -> std::io::Result<()> {
    let Some((_, tool, params)) = tool_of(call) else { return Ok(()) };
    let uuid = |kind: u64| format!("{call:08x}-0000-4000-8000-{kind:012x}");
    let common = format!(
        r#""isSidechain":false,"userType":"external","cwd":"/home/dev/project","sessionId":"{id}","version":"2.1.0","gitBranch":"main""#
    );
    let at = r#""timestamp":"2026-01-01T10:00:00.000Z""#;
    if begins_turn {
        let uuid = uuid(1);
        writeln!(
            out,
            r#"{{"parentUuid":null,{common},"type":"user","message":{{"role":"user","content":"Please look at change {call}"}},"uuid":"{uuid}",{at}}}"#
        )?;
    }
    let (asked, answered) = (uuid(2), uuid(3));
    let usage =
        r#""usage":{"input_tokens":12,"cache_read_input_tokens":40000,"output_tokens":120}"#;
    writeln!(
        out,
        r#"{{"parentUuid":null,{common},"message":{{"id":"msg_{call}","type":"message","role":"assistant","model":"m","content":[{{"type":"tool_use","id":"toolu_{call}","name":"{tool}","input":{params}}}],"stop_reason":"tool_use",{usage}}},"type":"assistant","uuid":"{asked}",{at}}}"#
    )?;
    writeln!(
        out,
        r#"{{"parentUuid":"{asked}",{common},"type":"user","message":{{"role":"user","content":[{{"tool_use_id":"toolu_{call}","type":"tool_result","content":"{RESULT}{RESULT}{RESULT}"}}]}},"uuid":"{answered}",{at},"toolUseResult":{{"stdout":"{RESULT}{RESULT}{RESULT}","stderr":"","interrupted":false}}}}"#
    )
}
