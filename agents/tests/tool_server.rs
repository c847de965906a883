//! The tool server goes into settings and out of them again, and nothing else changes.
#![allow(clippy::expect_used, clippy::panic, reason = "a panic is how a test fails")]

use behavior_agents::hook::Agent;
use behavior_agents::install::Left;

const OURS: &str = "/opt/my tools/behavior";

fn register(agent: Agent, before: Option<&str>, program: &str) -> String {
    let after = agent.register(before, program);
    after.unwrap_or_else(|refusal| panic!("{}: {refusal:?}: {before:?}", agent.name()))
}

fn unregister(agent: Agent, text: &str) -> Left {
    agent.unregister(text).unwrap_or_else(|refusal| panic!("{refusal:?}: {text}"))
}

fn servers() -> impl Iterator<Item = Agent> {
    Agent::wired().filter(|agent| agent.servers_file().is_some())
}

/// In, again, changed and out: what is left is what was there.
#[track_caller]
fn round_trip(agent: Agent, before: &str) {
    let after = register(agent, Some(before), OURS);
    assert_ne!(after, before, "{}", agent.name());
    assert!(after.contains(OURS), "{after}");
    assert_eq!(register(agent, Some(&after), OURS), after, "a second time changes nothing");
    let moved = register(agent, Some(&after), "behavior");
    assert!(!moved.contains(OURS), "{moved}");
    for text in [after, moved] {
        assert_eq!(unregister(agent, &text), Left::Text(before.to_owned()), "{text}");
    }
    assert_eq!(unregister(agent, before), Left::Text(before.to_owned()));
}

#[test]
fn five_agents_take_tool_servers() {
    let names: Vec<&str> = servers().map(Agent::name).collect();
    assert_eq!(names, ["claude-code", "codex", "gemini-cli", "cursor", "opencode"]);
    assert!(Agent::Pi.register(None, OURS).is_err());
}

#[test]
fn a_file_that_was_made_for_it_goes_with_it() {
    for agent in servers() {
        let text = register(agent, None, OURS);
        assert_eq!(unregister(agent, &text), Left::Nothing, "{text}");
    }
}

#[test]
fn settings_of_others_come_back_byte_for_byte() {
    for agent in servers().filter(|agent| *agent != Agent::Codex) {
        let member = if agent == Agent::OpenCode { "mcp" } else { "mcpServers" };
        for before in [
            "{}".to_owned(),
            "{ }\n".to_owned(),
            "{\n  \"theme\": \"dark\"\n}\n".to_owned(),
            format!("{{\"{member}\": {{}}}}"),
            format!(
                "{{\n\t\"{member}\": {{\n\t\t\"other\": {{ \"command\": \"x\" }}\n\t}},\n\t\"a\": 1\n}}"
            ),
            format!("{{\r\n  \"{member}\": {{\r\n    \"other\": {{}}\r\n  }}\r\n}}\r\n"),
        ] {
            round_trip(agent, &before);
        }
    }
    for agent in [Agent::GeminiCli, Agent::Cursor, Agent::OpenCode] {
        round_trip(agent, "// mine\n{\n  // nothing yet\n}\n// the end\n");
    }
}

#[test]
fn the_settings_of_codex_come_back_byte_for_byte() {
    for before in [
        "",
        "\n",
        "model = \"x\"",
        "model = \"x\"\n",
        "model = \"x\"\n\n",
        "# mine\n[mcp_servers.other]\ncommand = \"x\"\n\n[tui]\ntheme = \"dark\" # night\n",
        "model = \"x\"\r\n[features]\r\nhooks = true\r\n",
    ] {
        round_trip(Agent::Codex, before);
    }
    // What comes behind it later stays.
    let text = format!("{}\n[tui]\ntheme = \"x\"\n", register(Agent::Codex, Some("a = 1\n"), OURS));
    let expected = "a = 1\n\n[tui]\ntheme = \"x\"\n".to_owned();
    assert_eq!(unregister(Agent::Codex, &text), Left::Text(expected));
}

#[test]
fn a_server_of_that_name_that_is_not_ours_stays() {
    for (agent, before) in [
        (Agent::ClaudeCode, r#"{"mcpServers": {"behavior": {"command": "npx", "args": ["x"]}}}"#),
        (
            Agent::OpenCode,
            r#"{"mcp": {"behavior": {"type": "remote", "url": "http://localhost"}}}"#,
        ),
        (Agent::Codex, "[mcp_servers.behavior]\nurl = \"http://localhost\"\n"),
        (Agent::Codex, "mcp_servers = { other = { command = \"x\" } }\n"),
        (Agent::Codex, "[mcp_servers.\"behavior\"]\ncommand = \"x\"\n"),
        (Agent::Codex, "not toml"),
        (Agent::Cursor, "[]"),
        (Agent::Cursor, r#"{"mcpServers": []}"#),
    ] {
        agent.register(Some(before), OURS).expect_err(before);
        if let Ok(left) = agent.unregister(before) {
            assert_eq!(left, Left::Text(before.to_owned()));
        }
    }
}
