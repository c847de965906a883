//! What keeps a hook from being called or heard is found, and nothing is found where nothing does.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a panic is how a test fails")]

use behavior_agents::hindrance::{Effect, Hindrance, Installation, Place, Source};
use behavior_agents::hook::Agent;
use serde_json::{Value, json};

use Effect::{Silences, Weakens};

/// A file with our hooks, as `init` writes it.
fn fresh(agent: Agent) -> String {
    agent.install(None, &["/opt/behavior", "hook", agent.name()]).expect("it goes in")
}

fn json_agents() -> impl Iterator<Item = Agent> {
    Agent::wired().filter(|agent| !agent.hooked_events().is_empty())
}

/// The event before a call.
fn before(agent: Agent) -> &'static str {
    match agent {
        Agent::GeminiCli => "BeforeTool",
        Agent::Cursor => "preToolUse",
        _ => "PreToolUse",
    }
}

/// The same file with members put at the hook before a call, and at its group.
fn changed(agent: Agent, at_hook: &Value, at_group: &Value) -> String {
    let mut file: Value = serde_json::from_str(&fresh(agent)).expect("JSON");
    let group = &mut file["hooks"][before(agent)][0];
    let put = |object: &mut Value, members: &Value| {
        for (name, value) in members.as_object().into_iter().flatten() {
            object[name] = value.clone();
        }
    };
    put(group, at_group);
    match agent {
        Agent::Cursor => put(group, at_hook),
        _ => put(&mut group["hooks"][0], at_hook),
    }
    serde_json::to_string_pretty(&file).expect("JSON")
}

#[track_caller]
fn check(found: &[Hindrance], expect: &[(Effect, &str)]) {
    assert_eq!(found.len(), expect.len(), "{found:#?}");
    for (one, (effect, message)) in found.iter().zip(expect) {
        assert_eq!(one.effect, *effect, "{one:?}");
        assert!(one.message.contains(message), "{one:?}");
    }
}

#[test]
fn what_init_writes_has_none() {
    for agent in Agent::wired() {
        check(&agent.hindrances(&fresh(agent)), &[]);
    }
}

#[test]
fn a_timeout_must_be_longer_than_an_answer_takes() {
    for agent in json_agents() {
        let per_second = if agent == Agent::GeminiCli { 1000.0 } else { 1.0 };
        let found = |seconds: f64| {
            let timeout = json!({"timeout": seconds * per_second});
            agent.hindrances(&changed(agent, &timeout, &json!({})))
        };
        check(&found(10.0), &[]);
        check(&found(5.0), &[(Weakens, "is shorter than an answer may take (8 s)")]);
        check(&found(0.03), &[(Silences, "is shorter than an answer may take")]);
        check(&found(30_000.0), &[(Weakens, "is more than an hour: write 30")]);
    }
    // The right number in the wrong unit.
    let gemini = changed(Agent::GeminiCli, &json!({"timeout": 30}), &json!({}));
    check(&Agent::GeminiCli.hindrances(&gemini), &[(Silences, "30 milliseconds is shorter")]);
}

#[test]
fn an_answer_that_nobody_waits_for_is_told() {
    for agent in json_agents() {
        let found = |hook: Value| agent.hindrances(&changed(agent, &hook, &json!({})));
        check(&found(json!({"async": true})), &[(Silences, "`async` makes the agent go on")]);
        check(&found(json!({"async": false})), &[]);
        check(&found(json!({"if": "Bash(git *)"})), &[(Weakens, "only for `Bash(git *)`")]);
        check(&found(json!({"type": "prompt"})), &[(Silences, "its `type` is not `command`")]);
    }
    let open = changed(Agent::Cursor, &json!({"failClosed": false}), &json!({}));
    check(&Agent::Cursor.hindrances(&open), &[(Weakens, "answers nothing, the call runs")]);
    let bare = changed(Agent::Codex, &json!({"command": "/opt/behavior hook codex"}), &json!({}));
    check(&Agent::Codex.hindrances(&bare), &[(Weakens, "answers nothing, the call runs")]);
    let off =
        changed(Agent::Codex, &json!({"command": "BEHAVIOR=off behavior hook codex"}), &json!({}));
    let unguarded = (Weakens, "answers nothing");
    check(
        &Agent::Codex.hindrances(&off),
        &[unguarded, (Silences, "`BEHAVIOR` in its command is `off`")],
    );
}

#[test]
fn a_matcher_must_match_all_tools() {
    for agent in json_agents() {
        let found = |matcher: &str| {
            let file = changed(agent, &json!({}), &json!({"matcher": matcher}));
            agent.hindrances(&file)
        };
        check(&found("*"), &[]);
        check(&found(".*"), &[]);
        check(&found(".*[a-zA-Z].*"), &[]);
        check(&found("Nothing"), &[(Silences, "matches none of the agent's tools")]);
        check(&found("(?!x)"), &[(Weakens, "cannot be told: write `*`")]);
    }
    let one = changed(Agent::ClaudeCode, &json!({}), &json!({"matcher": "Edit|Write"}));
    let found = Agent::ClaudeCode.hindrances(&one);
    check(&found, &[(Weakens, "`Edit|Write` of PreToolUse does not match all tools")]);
    let missed: Vec<&str> =
        found.iter().flat_map(|one| &one.tools).map(|tool| tool.native).collect();
    assert!(missed.contains(&"Bash") && !missed.contains(&"Edit"), "{missed:?}");
    assert!(found.iter().all(|one| one.line > 1), "{found:?}");
}

#[test]
fn a_matcher_on_commands_is_told() {
    let with = |event: &str, matcher: &str| {
        let mut file: Value = serde_json::from_str(&fresh(Agent::Cursor)).expect("JSON");
        file["hooks"][event][0]["matcher"] = matcher.into();
        Agent::Cursor.hindrances(&file.to_string())
    };
    let only = [(Weakens, "`curl` of beforeShellExecution lets the hook be called only there")];
    check(&with("beforeShellExecution", "curl"), &only);
    check(&with("beforeShellExecution", ".*"), &[]);
    check(&with("sessionStart", "x"), &[]);
}

#[test]
fn a_plugin_that_was_changed_is_told() {
    for agent in [Agent::OpenCode, Agent::Pi] {
        let other = agent.install(None, &["/x/behavior", "hook", agent.name(), "--profile", "dev"]);
        check(&agent.hindrances(&other.expect("it goes in")), &[]);
        let edited = fresh(agent).replace("!== \"allow\"", "=== \"never\"");
        let found = agent.hindrances(&edited);
        check(&found, &[(Silences, "it was changed, and nobody knows what it does now")]);
        assert!(found.iter().all(|one| one.line > 5), "{found:?}");
        let cut: String = fresh(agent).lines().take(30).collect::<Vec<_>>().join("\n");
        check(&agent.hindrances(&cut), &[(Silences, "it was changed")]);
    }
}

/// What came when plugins began to tell what the agent said last when it wants to stop.
const SAID_SINCE: &[(Agent, &[(&str, &str)])] = &[
    (
        Agent::OpenCode,
        &[
            (MOST_SAID, ""),
            (
                "  // What the agent of each session said last, if it has called nothing since: OpenCode does not tell \
                 it again when the\n  // agent stops.\n  const said = new Map();\n",
                "",
            ),
            ("      said.delete(input.sessionID);\n", ""),
            ("      said.delete(session);\n", ""),
            ("      said.set(session, String(output?.text ?? \"\").slice(-MOST_SAID));\n", ""),
            (
                "await tell(event.type, session, undefined, { text: said.get(session) });",
                "await tell(event.type, session);",
            ),
            ("        said.delete(session);\n", ""),
        ],
    ),
    (
        Agent::Pi,
        &[
            (MOST_SAID, ""),
            (
                "    const said = Array.isArray(last?.content) ? last.content.filter((block) => block.type === \
                 \"text\") : [];\n    const text = said.map((block) => \
                 block.text).join(\"\\n\").slice(-MOST_SAID);\n",
                "",
            ),
            ("tell(\"agent_end\", { text }, ctx)", "tell(\"agent_end\", {}, ctx)"),
            ("The user was asked and did not agree.", "the user was asked and did not agree"),
        ],
    ),
];
const MOST_SAID: &str = "\n// Of its last message so much is told again, from its end, when the agent wants to \
                         stop.\nconst MOST_SAID = 64 * 1024;\n";

/// What came when plugins began to make agents go on that a verifier flagged.
const VERIFIED_SINCE: &[(Agent, &[(&str, &str)])] = &[
    (
        Agent::OpenCode,
        &[
            (
                "  // The sessions whose agent goes on since it was not let stop.\n  const keptGoing = new Set();\n",
                "",
            ),
            (
                "    ask({\n      hook,\n      session,\n      cwd: directory,\n      stopped_before: keptGoing.has(session) || undefined,\n      input,\n      output,\n    });\n",
                "    ask({ hook, session, cwd: directory, input, output });\n",
            ),
            (
                "  // Makes the agent of a session go on. The message is marked as put there, since no user says it.\n  const goOn = (session, answer) => {\n    const send = client?.session?.promptAsync ?? client?.session?.prompt;\n    const text = [answer.reason, ...answer.context].join(\"\\n\\n\");\n    if (!send) return keep(session, [text]);\n    keptGoing.add(session);\n    const body = { parts: [{ type: \"text\", text, synthetic: true }] };\n    // Not waited for: OpenCode itself waits for what it tells here.\n    Promise.resolve(send.call(client.session, { path: { id: session }, body })).catch(() =>\n      keep(session, [text]),\n    );\n  };\n",
                "",
            ),
            (
                "      if (!output?.parts?.every?.((part) => part.synthetic)) keptGoing.delete(session);\n",
                "",
            ),
            (
                "      if (event.type === \"session.idle\") {\n        const answer = await tell(event.type, session);\n        if (answer.user) show(answer.user);\n        if (answer.verdict === \"deny\" && !answer.failed) goOn(session, answer);\n        else afterwards(session, answer);\n      } else if ([\"session.created\", \"session.compacted\"].includes(event.type)) {\n",
                "      if ([\"session.created\", \"session.idle\", \"session.compacted\"].includes(event.type)) {\n",
            ),
        ],
    ),
    (
        Agent::Pi,
        &[
            (
                "  // A shell line that the user types is nothing to decide on.\n  pi.on(\"user_bash\", async (event, ctx) => {\n    const { command, excludeFromContext } = event;\n    afterwards(await tell(\"user_bash\", { command, excludeFromContext }, ctx));\n  });\n\n",
                "",
            ),
            (
                "    if (answer.user) show(answer.user, ctx);\n    if (answer.verdict !== \"deny\") return afterwards(answer);\n",
                "    if (answer.verdict !== \"deny\") return afterwards(answer);\n",
            ),
        ],
    ),
];

/// What came when plugins began to tell that the context was put in short.
const COMPACTED_SINCE: &[(Agent, &[(&str, &str)])] = &[
    (
        Agent::OpenCode,
        &[(
            "[\"session.created\", \"session.idle\", \"session.compacted\"].includes(event.type)",
            "event.type === \"session.created\" || event.type === \"session.idle\"",
        )],
    ),
    (
        Agent::Pi,
        &[(
            "  pi.on(\"session_compact\", async (event, ctx) => {\n    afterwards(await \
             tell(\"session_compact\", {}, ctx));\n  });\n\n",
            "",
        )],
    ),
];

/// What came when plugins began to show their user what was stopped.
const SHOWN_SINCE: &[(Agent, &[(&str, &str)])] = &[
    (
        Agent::OpenCode,
        &[
            (ANSWER, OLD_ANSWER),
            ("({ directory, client })", "({ directory })"),
            (
                "  // What a call was stopped for, on the screen: OpenCode shows only that it was.\n  const show = \
                 (text) => {\n    const toast = { title: \"behavior\", message: text, variant: \"warning\" };\n    \
                 client?.tui?.showToast?.({ body: toast })?.catch?.(() => {});\n  };\n",
                "",
            ),
            (
                "      if (answer.verdict === \"allow\") return;\n      if (answer.user) show(answer.user);\n      \
                 throw new Error(answer.reason);\n",
                "      if (answer.verdict !== \"allow\") throw new Error(answer.reason);\n",
            ),
        ],
    ),
    (
        Agent::Pi,
        &[
            (ANSWER, OLD_ANSWER),
            (
                "    if (answer.verdict !== \"ask\") {\n      if (answer.user) show(answer.user, ctx);\n      return \
                 { block: true, reason: answer.reason };\n    }\n",
                "    if (answer.verdict !== \"ask\") return { block: true, reason: answer.reason };\n",
            ),
            ("[BEHAVIOR ASK]", "[BEHAVIOR ASKS]"),
        ],
    ),
];
const ANSWER: &str = "      resolve({\n        verdict: answer.verdict,\n        reason: String(answer.reason ?? \
                      \"\"),\n        context,\n        user: String(answer.user ?? \"\"),\n      });\n";
const OLD_ANSWER: &str = "      resolve({ verdict: answer.verdict, reason: String(answer.reason ?? \"\"), \
                          context });\n";

#[test]
fn a_plugin_of_an_earlier_version_is_known() {
    type Changes = &'static [(Agent, &'static [(&'static str, &'static str)])];
    let of = |changes: Changes, agent| {
        let found = changes.iter().find(|(of, _)| *of == agent);
        found.expect("an agent with a plugin").1
    };
    let before_said = |agent, parts: &[(&str, &str)]| {
        let text =
            of(SAID_SINCE, agent).iter().chain(parts).fold(fresh(agent), |text, (now, then)| {
                assert!(text.contains(now), "{now}");
                text.replacen(now, then, 1)
            });
        let found = agent.hindrances(&text);
        check(&found, &[(Weakens, "it is as a version before 0.1.0 wrote it: `behavior init`")]);
    };
    let without = |agent, parts: &[(&str, &str)]| {
        before_said(agent, &[of(VERIFIED_SINCE, agent), parts].concat());
    };
    let before = |agent, parts: &[(&str, &str)]| {
        without(agent, &[of(COMPACTED_SINCE, agent), of(SHOWN_SINCE, agent), parts].concat());
    };
    for agent in [Agent::OpenCode, Agent::Pi] {
        before_said(agent, &[]);
        without(agent, &[]);
        without(agent, of(COMPACTED_SINCE, agent));
    }
    before(Agent::OpenCode, &[]);
    before(Agent::Pi, &[]);
    let kept = "    const known = pending.get(session) ?? [];\n    const fresh = texts.filter((text) => \
                !known.includes(text));\n    if (fresh.length > 0) pending.set(session, [...known, ...fresh]);\n";
    let once = "    if (texts.length > 0) pending.set(session, [...(pending.get(session) ?? []), ...texts]);\n";
    let talk = "      // Where the hook fails, the user can still say what is to be done about it.\n      if \
                (answer.failed) keep(session, [answer.reason]);\n      else if";
    before(Agent::OpenCode, &[(kept, once), (talk, "      if")]);
    let shown = "    if (answer.failed) {\n      // Where the hook fails, the user can still say what is to be \
                 done about it.\n      show(answer.reason, ctx);\n      return { action: \"continue\" };\n    }\n";
    before(Agent::Pi, &[(" && !pending.includes(answer.reason)", ""), (shown, "")]);
}

#[track_caller]
fn check_source(agent: Agent, name: &str, text: &str, expect: &[(Effect, &str)]) {
    let source = agent.sources().iter().find(|source| source.file.ends_with(name)).expect(name);
    check(&agent.hindrances_in(*source, text, false), expect);
}

#[test]
fn switches_in_settings_are_found() {
    let off = r#"{"disableAllHooks": true}"#;
    for name in [".claude/settings.json", ".claude/settings.local.json", "managed-settings.json"] {
        check_source(Agent::ClaudeCode, name, off, &[(Silences, "`disableAllHooks` switches")]);
        check_source(Agent::ClaudeCode, name, r#"{"disableAllHooks": false}"#, &[]);
    }
    let managed = r#"{"allowManagedHooksOnly": true, "strictPluginOnlyCustomization": ["hooks"]}"#;
    check_source(Agent::ClaudeCode, ".claude/settings.json", managed, &[]);
    let both = [(Silences, "only the administrator's hooks"), (Silences, "only hooks of plugins")];
    check_source(Agent::ClaudeCode, "managed-settings.json", managed, &both);

    let none = [(Silences, "switches all hooks of Codex off")];
    check_source(Agent::Codex, ".codex/config.toml", "[features]\nhooks = false\n", &none);
    check_source(Agent::Codex, "requirements.toml", "features = {codex_hooks = false}\n", &none);
    check_source(Agent::Codex, "config.toml", "[features]\nhooks = true\n", &[]);
    check_source(Agent::Codex, "config.toml", "not TOML", &[]);
    let only = [(Silences, "lets only the administrator's hooks run")];
    check_source(Agent::Codex, "requirements.toml", "allow_managed_hooks_only = true\n", &only);

    let gemini =
        "{ // mine\n \"hooksConfig\": {\"enabled\": false, \"disabled\": [\"x\", \"behavior\"]}}";
    let both = [(Silences, "`hooksConfig.enabled` switches"), (Silences, "`hooksConfig.disabled`")];
    check_source(Agent::GeminiCli, "settings.json", gemini, &both);
    check_source(Agent::GeminiCli, "settings.json", r#"{"hooksConfig": {"disabled": ["x"]}}"#, &[]);

    for entry in ["!behavior.ts", "-extensions/behavior.ts", "!**/*.ts", "!*"] {
        let text = json!({"extensions": ["+x", entry]}).to_string();
        check_source(Agent::Pi, "settings.json", &text, &[(Silences, "takes the extension out")]);
    }
    for entry in ["!other.ts", "behavior.ts", "+behavior.ts"] {
        let text = json!({"extensions": [entry]}).to_string();
        check_source(Agent::Pi, "settings.json", &text, &[]);
    }
}

#[test]
fn an_agent_that_is_newer_than_what_is_known_is_told() {
    let newer = [(Weakens, "tried with 2.1 at the latest")];
    for (version, expect) in [("2.1.330", &[][..]), ("2.2.0", &newer), ("3.0", &newer), ("x", &[])]
    {
        let text = json!({"lastReleaseNotesSeen": version}).to_string();
        check_source(Agent::ClaudeCode, ".claude.json", &text, expect);
    }
    let text = r#"{"lastChangelogVersion": "1.5.0"}"#;
    let sources = Agent::Pi.sources().iter().filter(|source| source.place == Place::User);
    let found: Vec<Hindrance> =
        sources.flat_map(|source| Agent::Pi.hindrances_in(*source, text, false)).collect();
    assert!(
        found.iter().all(|one| one.message.contains("0.87 at the latest")) && !found.is_empty()
    );
}

#[test]
fn variables_that_change_the_hook_are_found() {
    let text = r#"{"env": {"BEHAVIOR": "OFF", "XDG_STATE_HOME": "/x", "BASH_ENV": "x", "PATH": "/x", "A": "b"}}"#;
    let expect = [(Silences, "`BEHAVIOR`"), (Weakens, "`XDG_STATE_HOME`"), (Weakens, "`BASH_ENV`")];
    check_source(Agent::ClaudeCode, "settings.json", text, &expect);
    let source = Agent::ClaudeCode.sources().first().expect("one");
    let searched = Agent::ClaudeCode.hindrances_in(*source, r#"{"env": {"PATH": "/x"}}"#, true);
    check(&searched, &[(Weakens, "`PATH` is set for the hook, which is looked for there")]);
    let off = [(Silences, "`BEHAVIOR` is `off`")];
    check_source(Agent::GeminiCli, ".gemini/.env", "# x\nBEHAVIOR=off\n", &off);
    check_source(Agent::Codex, ".env", "export BEHAVIOR=\"off\"\n", &off);
}

fn user(file: &'static str) -> Source {
    Source { place: Place::User, file, is_managed: false }
}

/// What Codex makes of a hook before calls, with its own settings.
fn codex(
    hook: &Value,
    matcher: Option<&str>,
    config: &str,
    project: Option<&str>,
) -> Vec<Hindrance> {
    let mut group = json!({"hooks": [hook]});
    if let Some(matcher) = matcher {
        group["matcher"] = matcher.into();
    }
    let text = json!({"hooks": {"PreToolUse": [{"hooks": []}, group]}}).to_string();
    let others = [(user("config.toml"), config.to_owned())];
    Agent::Codex.trust(&Installation {
        path: "/c/hooks.json",
        text: &text,
        project,
        others: &others,
    })
}

#[test]
fn codex_runs_what_it_was_told_to_trust() {
    let plain = json!({"type": "command", "command": "behavior hook codex", "timeout": 30});
    let bare = json!({"type": "command", "command": "behavior hook codex"});
    let state = |rest: &str| format!("[hooks.state.\"/c/hooks.json:pre_tool_use:1:0\"]\n{rest}\n");
    let trusted = state(
        "trusted_hash = \"sha256:ce62a4e52038f42347a26e42143f5cfaeb0f7a9c7ed748ff1c6c1fce0f22fefd\"",
    );
    check(&codex(&plain, None, &trusted, None), &[]);
    let matched = state(
        "trusted_hash = \"sha256:da19b1df5a1031d63d364dffddac800f8d7f825b29b690db5f6b43cc3caed0c4\"",
    );
    check(&codex(&bare, Some("*"), &matched, None), &[]);
    let new = [(Silences, "Codex has not been told to trust it (PreToolUse)")];
    check(&codex(&plain, None, "", None), &new);
    check(&codex(&plain, None, &state("enabled = true"), None), &new);
    let changed = [(Silences, "it was changed since Codex was told to trust it")];
    check(&codex(&bare, None, &trusted, None), &changed);
    let off = [(Silences, "it is switched off in `/hooks`")];
    check(&codex(&plain, None, &format!("{trusted}enabled = false\n"), None), &off);
    let project =
        |level: &str| format!("{trusted}[projects.\"/home/me\"]\ntrust_level = \"{level}\"\n");
    check(&codex(&plain, None, &project("trusted"), Some("/home/me/work")), &[]);
    let untrusted = [(Silences, "only once it trusts the project")];
    check(&codex(&plain, None, &project("untrusted"), Some("/home/me/work")), &untrusted);
    check(&codex(&plain, None, &project("trusted"), Some("/home/you")), &untrusted);
}

#[track_caller]
fn check_folder(agent: Agent, files: &[(&'static str, &str)], expect: &[Effect]) {
    let others: Vec<(Source, String)> =
        files.iter().map(|(name, text)| (user(name), (*text).to_owned())).collect();
    let found =
        |project| agent.trust(&Installation { path: "x", text: "", project, others: &others });
    let effects: Vec<Effect> = found(Some("/home/me/work")).iter().map(|one| one.effect).collect();
    assert_eq!(effects, expect, "{files:?}");
    assert!(found(None).is_empty(), "the user's own need no trust");
}

#[test]
fn gemini_and_pi_take_hooks_of_projects_that_they_trust() {
    let folders = ".gemini/trustedFolders.json";
    let check =
        |text: &str, expect: &[Effect]| check_folder(Agent::GeminiCli, &[(folders, text)], expect);
    check(r#"{"/home/me/work": "TRUST_FOLDER"}"#, &[]);
    check(r#"{"/home/me/other": "TRUST_PARENT"}"#, &[]);
    check(r#"{"/home/me": "TRUST_FOLDER", "/home/me/work": "DO_NOT_TRUST"}"#, &[Silences]);
    check(r#"{"/home/me/wo": "TRUST_FOLDER"}"#, &[Silences]);
    check_folder(Agent::GeminiCli, &[], &[Weakens]);
    let off = r#"{"security": {"folderTrust": {"enabled": false}}}"#;
    check_folder(Agent::GeminiCli, &[(".gemini/settings.json", off), (folders, "{}")], &[]);

    check_folder(Agent::Pi, &[("trust.json", r#"{"/home/me": true, "/home": false}"#)], &[]);
    check_folder(
        Agent::Pi,
        &[("trust.json", r#"{"/home/me/work": false, "/home": true}"#)],
        &[Silences],
    );
    check_folder(Agent::Pi, &[], &[Weakens]);
    check_folder(Agent::Pi, &[("settings.json", r#"{"defaultProjectTrust": "always"}"#)], &[]);
    check_folder(
        Agent::Pi,
        &[("settings.json", r#"{"defaultProjectTrust": "never"}"#)],
        &[Silences],
    );
}
