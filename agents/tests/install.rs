//! The hook goes into settings and out of them again, and nothing else changes.
#![expect(clippy::expect_used, clippy::panic, reason = "a panic is how a test fails")]

use behavior_agents::hook::Agent;
use behavior_agents::install::{Command, Left};
use proptest::prelude::*;
use proptest::sample::select;

const OURS: &str = "/opt/my tools/behavior";

fn words(agent: Agent) -> [&'static str; 3] {
    [OURS, "hook", agent.name()]
}

fn install(agent: Agent, before: Option<&str>) -> String {
    let after = agent.install(before, &words(agent));
    after.unwrap_or_else(|refusal| panic!("{}: {refusal:?}: {before:?}", agent.name()))
}

fn uninstall(agent: Agent, text: &str) -> Left {
    agent.uninstall(text).unwrap_or_else(|refusal| panic!("{refusal:?}: {text}"))
}

/// In, again, changed and out: what is left is what was there.
#[track_caller]
fn round_trip(agent: Agent, before: &str) {
    let after = install(agent, Some(before));
    assert_ne!(after, before);
    assert_eq!(install(agent, Some(&after)), after, "a second time changes nothing");
    assert_hooked(agent, &after, OURS);
    let other = ["/usr/bin/behavior", "hook", agent.name(), "--profile", "dev"];
    let moved = agent.install(Some(&after), &other).expect("it went in before");
    assert_hooked(agent, &moved, "/usr/bin/behavior");
    assert_eq!(moved.lines().count(), after.lines().count());
    for text in [after, moved] {
        assert_eq!(uninstall(agent, &text), Left::Text(before.to_owned()), "{text}");
    }
}

/// Every event is hooked once, and by that program.
#[track_caller]
fn assert_hooked(agent: Agent, text: &str, program: &str) {
    let hooks = agent.installed(text).expect("it was written just now");
    let mut events: Vec<String> = hooks.iter().filter_map(|hook| hook.event.clone()).collect();
    let mut expect: Vec<&str> = agent.hooked_events();
    events.sort();
    expect.sort_unstable();
    assert_eq!(events, expect, "{text}");
    for hook in hooks {
        assert_eq!(hook.command.words().first().map(String::as_str), Some(program), "{text}");
    }
}

fn json_agents() -> impl Iterator<Item = Agent> {
    Agent::wired().filter(|agent| !agent.hooked_events().is_empty())
}

#[test]
fn a_file_of_its_own_comes_and_goes() {
    for agent in Agent::wired() {
        let text = install(agent, None);
        assert_eq!(install(agent, Some(&text)), text);
        assert_eq!(uninstall(agent, &text), Left::Nothing, "{text}");
    }
}

#[test]
fn claude_codes_settings_read_well() {
    let before = "{\n  \"model\": \"opus\",\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": \
                  [{ \"type\": \"command\", \"command\": \"say done\" }]\n      }\n    ]\n  }\n}\n";
    let after = install(Agent::ClaudeCode, Some(before));
    let stop = r#"    "Stop": [
      {
        "hooks": [{ "type": "command", "command": "say done" }]
      },
      {
        "hooks": [
          {
            "type": "command",
            "command": "'/opt/my tools/behavior' hook claude-code",
            "timeout": 30
          }
        ]
      }
    ],
    "SessionStart": ["#;
    assert!(after.contains(stop), "{after}");
    let pre = r#"
    "PreToolUse": [
      {
        "matcher": "*",
        "hooks": ["#;
    assert!(after.contains(pre), "{after}");
}

#[test]
fn what_cursor_must_not_pass_over_fails_closed() {
    let text = install(Agent::Cursor, None);
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["version"], 1);
    for (event, hooks) in value["hooks"].as_object().expect("an object") {
        // What the user says to an agent whose hook fails must reach it.
        let before = event != "beforeSubmitPrompt"
            && (event.starts_with("before") || ["preToolUse", "subagentStart"].contains(&&**event));
        assert_eq!(hooks[0]["failClosed"] == true, before, "{event}");
        assert_eq!(hooks[0]["timeout"], 30);
    }
}

#[test]
fn codex_is_not_asked_to_wait_longer_than_it_does() {
    let text = install(Agent::Codex, None);
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let timeout = |event: &str| value["hooks"][event][0]["hooks"][0]["timeout"].as_u64();
    assert_eq!([timeout("PreToolUse"), timeout("SessionEnd")], [Some(30), Some(3)]);
}

#[test]
fn gemini_counts_milliseconds() {
    let text = install(Agent::GeminiCli, None);
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["hooks"]["BeforeTool"][0]["hooks"][0]["timeout"], 30_000);
    assert_eq!(value["hooks"]["BeforeTool"][0]["matcher"], "*");
    assert!(value["hooks"].get("BeforeModel").is_none());
}

#[test]
fn every_layout_comes_back() {
    for agent in json_agents() {
        for before in [
            "{}",
            "{}\n",
            "{ }",
            "{\n}\n",
            "{\n\n  \n}",
            "\u{feff}{}\r\n",
            "{\"hooks\":{}}",
            "{\"a\":1}",
            "{ \"a\": 1, \"b\": [] }\n",
            "{\n\t\"a\": 1,\n\t\"hooks\": {}\n}\n",
            "{\r\n    \"a\": {\r\n        \"b\": []\r\n    }\r\n}\r\n",
            "{\n  \"hooks\": {\n  },\n  \"version\": 1\n}",
            "{\"version\": 1}",
            "{\n  \"version\": 1\n}\n",
            "{\"version\": 1, \"hooks\": {}}",
            "{\n \"hooks\": {\"Stop\": [], \"stop\": [ ], \"AfterAgent\": [\n ]}}",
        ] {
            round_trip(agent, before);
        }
    }
}

#[test]
fn comments_stay_where_they_are() {
    for before in [
        "// mine\n{\n  // first\n  \"a\": 1 // one\n  // last\n}\n// end\n",
        "{ /* nothing yet */ }",
        "{\n  // nothing yet\n}",
        "{\n  \"a\": 1 /* x */\n}",
        "{ \"a\": 1 // one\n}",
        "{\n  \"hooks\": { // ours go here\n  }\n}",
        "{\n  \"hooks\": {\n    \"BeforeTool\": [ // theirs\n    ]\n  } // end\n}",
    ] {
        round_trip(Agent::GeminiCli, before);
        round_trip(Agent::Cursor, before);
    }
    for before in [
        "{\n  \"a\": 1, // one\n}",
        "{\n  \"a\": 1 // one\n  , // two\n}",
        "{\"hooks\": {\"stop\": [{\"command\": \"x\"},],},}",
    ] {
        round_trip(Agent::Cursor, before);
    }
    let after = install(Agent::GeminiCli, Some("{\n  \"a\": 1 // one\n  // last\n}"));
    assert!(after.starts_with("{\n  \"a\": 1, // one\n  // last\n  \"hooks\": {\n"), "{after}");
}

#[test]
fn what_was_changed_in_between_stays() {
    let after = install(Agent::ClaudeCode, Some("{}\n"));
    // Somebody's hook beside ours, in our group and in our list.
    let theirs = "{\"type\": \"command\", \"command\": \"theirs\"}";
    let edited = after
        .replacen(
            "\"timeout\": 30\n          }",
            &format!("\"timeout\": 99\n          }},\n{theirs}"),
            1,
        )
        .replacen("{ \n  \"hooks\"", "{ \n  \"model\": \"opus\",\n  \"hooks\"", 1);
    let Left::Text(left) = uninstall(Agent::ClaudeCode, &edited) else { panic!("{edited}") };
    let value: serde_json::Value = serde_json::from_str(&left).expect("still JSON");
    let expect = serde_json::json!({
        "model": "opus",
        "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "theirs"}]}]},
    });
    assert_eq!(value, expect, "{left}");

    // A formatter went over it.
    let value: serde_json::Value = serde_json::from_str(&after).expect("JSON");
    let left = uninstall(Agent::ClaudeCode, &value.to_string());
    assert_eq!(left, Left::Nothing);
}

#[test]
fn a_comment_never_swallows_what_follows() {
    let text = "{\n  \"a\": 1, // one\n  \"hooks\": {\"stop\": [{\"command\": \"behavior hook cursor\"}]} }";
    let left = uninstall(Agent::Cursor, text);
    assert_eq!(left, Left::Text("{\n  \"a\": 1 // one\n }".to_owned()));
    let text = "{ // mine\n\"hooks\": {\"stop\": [{\"command\": \"behavior hook cursor\"}]} }";
    assert_eq!(uninstall(Agent::Cursor, text), Left::Text("{ // mine\n }".to_owned()));
    let text = "// mine\n{\"hooks\": {\"stop\": [{\"command\": \"behavior hook cursor\"}]}}";
    assert_eq!(uninstall(Agent::Cursor, text), Left::Text("// mine\n{}".to_owned()));
}

#[test]
fn agents_are_known_by_all_common_spellings() {
    for (agent, spellings) in [
        (
            Agent::ClaudeCode,
            &["claude", "claude-code", "claude_code", "Claude Code", "claudecode"][..],
        ),
        (Agent::Codex, &["codex", "Codex", "codex-cli", "codex_cli"]),
        (Agent::GeminiCli, &["gemini", "gemini-cli", "gemini_cli", "GeminiCLI"]),
        (Agent::Cursor, &["cursor", "cursor-agent", "cursor-cli"]),
        (Agent::OpenCode, &["opencode", "open-code", "OpenCode"]),
        (Agent::Pi, &["pi", "pi-coding-agent"]),
        (Agent::OhMyPi, &["omp", "oh-my-pi", "oh_my_pi", "ohmypi"]),
        (Agent::Native, &["native"]),
    ] {
        for spelling in spellings {
            assert_eq!(Agent::named(spelling), Some(agent), "{spelling}");
        }
    }
    for none in ["", "-", "all", "clau", "gemini-code", "pie"] {
        assert_eq!(Agent::named(none), None, "{none}");
    }
}

#[test]
fn only_ours_is_ours() {
    let is_ours = |command: &str| {
        let text = serde_json::json!({"hooks": {"Stop": [{"hooks": [{"command": command}]}]}});
        !Agent::Codex.installed(&text.to_string()).expect("JSON").is_empty()
    };
    for command in [
        "behavior hook codex",
        "/a/b/behavior hook codex -c x.yaml",
        "'/a b/behavior' hook codex",
        "X=1 \"$HOME/bin/behavior\" hook codex",
        "behavior hook codex_cli",
    ] {
        assert!(is_ours(command), "{command}");
    }
    for command in [
        "behavior hook claude-code",
        "echo behavior hook codex",
        "misbehavior hook codex",
        "behavior hook",
        "behavior check hook codex",
        "behavior 'hook codex'",
        "'behavior hook codex",
    ] {
        assert!(!is_ours(command), "{command}");
    }
}

#[test]
fn old_hooks_are_brought_up_to_date() {
    let before = r#"{"hooks": {"PreCompact": [{"hooks": [{"type": "command", "command": "/old/behavior hook codex"}]}], "Stop": [{"hooks": [{"type": "command", "command": "/old/behavior hook codex", "timeout": 7}]}, {"hooks": [{"type": "command", "command": "/old/behavior hook codex"}]}]}}"#;
    let after = install(Agent::Codex, Some(before));
    assert_hooked(Agent::Codex, &after, OURS);
    assert!(after.contains("\"timeout\": 7"), "what was set stays: {after}");
    assert!(!after.contains("PreCompact"), "{after}");
}

#[test]
fn a_program_that_the_shell_finds_stays() {
    let check = |own: &str, stays: bool| {
        let hook = serde_json::json!([{"command": own}]);
        let text = serde_json::json!({"hooks": {"stop": hook}, "version": 1}).to_string();
        let after = install(Agent::Cursor, Some(&text));
        assert_eq!(after.contains(&format!("\"{own}\"")), stays, "{after}");
    };
    check("behavior hook cursor", true);
    check("X=1 $HOME/bin/behavior hook cursor", true);
    check("behavior hook cursor --profile dev", false);
    check("/usr/bin/behavior hook cursor", false);
}

#[test]
fn what_does_not_fit_is_refused_with_its_place() {
    let check = |agent: Agent, text: &str, line: usize, column: usize, message: &str| {
        let refusal = agent.install(Some(text), &words(agent)).expect_err(text);
        assert_eq!((refusal.line, refusal.column), (line, column), "{text}: {refusal:?}");
        assert!(refusal.message.contains(message), "{text}: {refusal:?}");
    };
    check(Agent::ClaudeCode, "{\n  \"é\": nope\n}", 2, 8, "not valid JSON: ");
    check(Agent::ClaudeCode, "{\n  // no\n}", 2, 3, "not valid JSON: comments are not allowed");
    check(Agent::GeminiCli, "{\"a\": 1,}", 1, 8, "railing comma");
    check(Agent::ClaudeCode, "", 1, 1, "there is no JSON in it");
    check(Agent::ClaudeCode, "[]", 1, 1, "the file is not an object, but a list");
    check(Agent::ClaudeCode, "{\"hooks\": null}", 1, 11, "`hooks` is not an object, but null");
    check(Agent::Codex, "{\"hooks\": {\"Stop\": {}}}", 1, 20, "`hooks.Stop` is not a list");
    check(Agent::Codex, "{\"hooks\": {}, \"hooks\": {}}", 1, 1, "`hooks` stands in it twice");
    check(Agent::Codex, &"[".repeat(100_000), 1, 513, "nesting");
    check(Agent::Pi, "export default 1", 1, 1, "not one of ours");
    check(Agent::Native, "{}", 1, 1, "no settings");
}

#[test]
fn plugins_run_the_command_that_they_were_given() {
    for agent in [Agent::OpenCode, Agent::Pi, Agent::OhMyPi] {
        let text = install(agent, None);
        let hooks = agent.installed(&text).expect("a plugin");
        let command = Command::Program(words(agent).map(str::to_owned).to_vec());
        assert_eq!(hooks.iter().map(|hook| &hook.command).collect::<Vec<_>>(), [&command]);
        let moved = agent.install(Some(&text), &["/behavior", "hook", agent.name()]);
        assert_eq!(moved.expect("ours").lines().count(), text.lines().count());
        assert_eq!(uninstall(agent, "export {}"), Left::Text("export {}".to_owned()));
    }
}

/// A text between two tokens.
fn gap(comments: bool) -> BoxedStrategy<String> {
    let plain =
        select(vec!["", " ", "\n", "\n  ", "\r\n\t", "  \n \n", " \n"]).prop_map(str::to_owned);
    match comments {
        true => {
            let comment = select(vec!["/* c */", " // l\n", "\n  // l\n  ", " \n/* a\n b */ "]);
            prop_oneof![4 => plain, 1 => comment.prop_map(str::to_owned)].boxed()
        }
        false => plain.boxed(),
    }
}

fn value(comments: bool, depth: u32) -> BoxedStrategy<String> {
    let leaf = select(vec!["1", "true", "null", "\"x\"", "\"}, // \\\" [\"", "[]", "{}"]);
    let leaf = leaf.prop_map(str::to_owned).boxed();
    match depth {
        0 => leaf,
        _ => prop_oneof![2 => leaf, 1 => list(comments, value(comments, depth - 1)),
            1 => object(comments, vec!["a", "b"], value(comments, depth - 1))]
        .boxed(),
    }
}

fn list(comments: bool, of: BoxedStrategy<String>) -> BoxedStrategy<String> {
    let item =
        (gap(comments), of, gap(comments)).prop_map(|(a, value, b)| format!("{a}{value}{b}"));
    (proptest::collection::vec(item, 0..3), gap(comments), any::<bool>())
        .prop_map(move |(items, inside, trailing)| {
            enclose("[", "]", &items, &inside, comments && trailing)
        })
        .boxed()
}

fn object(
    comments: bool,
    keys: Vec<&'static str>,
    of: BoxedStrategy<String>,
) -> BoxedStrategy<String> {
    let count = keys.len();
    let member = (gap(comments), gap(comments), of, gap(comments));
    let members = proptest::collection::vec(member, 0..=count);
    (Just(keys).prop_shuffle(), members, gap(comments), any::<bool>())
        .prop_map(move |(keys, members, inside, trailing)| {
            let member = |(key, (a, b, value, c)): (&str, (String, String, String, String))| {
                format!("{a}\"{key}\":{b}{value}{c}")
            };
            let items: Vec<String> = keys.into_iter().zip(members).map(member).collect();
            enclose("{", "}", &items, &inside, comments && trailing)
        })
        .boxed()
}

fn enclose(open: &str, close: &str, items: &[String], inside: &str, trailing: bool) -> String {
    let comma = if trailing && !items.is_empty() { "," } else { "" };
    format!("{open}{}{comma}{inside}{close}", items.join(","))
}

/// Settings of an agent with hooks of others in all places where ours go, or none.
fn settings() -> impl Strategy<Value = (Agent, String)> {
    let agents: Vec<Agent> = json_agents().collect();
    select(agents).prop_flat_map(|agent| {
        let comments = agent == Agent::Cursor;
        let theirs = match agent {
            Agent::Cursor => r#"{"command": "theirs"}"#,
            _ => r#"{"matcher": "X", "hooks": [{"type": "command", "command": "theirs"}]}"#,
        };
        let groups = list(comments, Just(theirs.to_owned()).boxed());
        let events = agent.hooked_events().into_iter().chain(["Other"]).collect();
        let hooks = object(comments, events, groups);
        let with =
            (object(comments, vec!["a", "b", "c"], value(comments, 2)), hooks, gap(comments));
        let keys = vec!["a", "b", "version"];
        let without = object(comments, keys, value(comments, 2));
        let with = with.prop_map(|(rest, hooks, gap)| {
            let inner = rest.strip_prefix('{').expect("an object");
            let is_empty = !inner.contains('"');
            format!("{{{gap}\"hooks\": {hooks}{}{inner}", if is_empty { "" } else { "," })
        });
        let text = prop_oneof![with, without];
        let end = select(vec!["", "\n", "\r\n"]);
        (text, end).prop_map(move |(text, end)| (agent, format!("{text}{end}")))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]
    #[test]
    fn nothing_is_left_of_it((agent, before) in settings()) {
        round_trip(agent, &before);
    }
}
