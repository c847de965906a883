//! `init` and `doctor`: the hook goes into the settings of agents, out of them again, and is tried.
//! No test sees the settings of the one who runs it: the home is a folder of the test's own.
#![cfg(unix)]

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::common::{Project, Run};
use serde_json::Value;

const AGENTS: [&str; 7] =
    ["claude-code", "codex", "cursor", "gemini-cli", "oh-my-pi", "opencode", "pi"];

fn make_folders(project: &Project) {
    for name in ["home", "work"] {
        std::fs::create_dir_all(project.path(name)).unwrap();
    }
}

/// The program in the folder `work`, with the folder `home` as home.
fn command(project: &Project, line: &str) -> Command {
    make_folders(project);
    let mut command = project.command(line);
    for name in [
        "BEHAVIOR",
        "BEHAVIOR_CACHE_DIR",
        "BEHAVIOR_STATE_DIR",
        "CLAUDE_CONFIG_DIR",
        "CLAUDE_PROJECT_DIR",
        "CODEX_HOME",
        "GEMINI_CLI_HOME",
        "PI_CODING_AGENT_DIR",
        "XDG_CACHE_HOME",
        "XDG_CONFIG_HOME",
        "XDG_STATE_HOME",
    ] {
        command.env_remove(name);
    }
    command.current_dir(project.path("work")).env("HOME", project.path("home"));
    command.env("COLUMNS", "160").stdin(std::process::Stdio::null());
    command
}

fn run(project: &Project, line: &str) -> Run {
    Run::from(command(project, line).output().unwrap())
}

#[track_caller]
fn succeeds(project: &Project, line: &str) -> Run {
    let run = run(project, line);
    assert_eq!(run.code, 0, "{line}: {run:?}");
    run
}

fn text(project: &Project, name: &str) -> String {
    String::from_utf8(project.read(name)).unwrap()
}

/// Every file below the project, with its bytes.
fn files(project: &Project) -> Vec<(String, Vec<u8>)> {
    make_folders(project);
    let mut folders = vec![project.path("work"), project.path("home")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        found.push((folder.display().to_string(), Vec::new()));
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push((path.display().to_string(), std::fs::read(&path).unwrap())),
            }
        }
    }
    found.sort();
    found
}

#[test]
fn a_project_is_set_up_and_left_as_it_was() {
    let project = Project::new(&[]);
    let first = succeeds(&project, "init --agent claude-code --profile coding --yes");
    assert!(first.out.contains("--- /dev/null\n+++ behavior.yaml\n"), "{first:?}");
    assert!(first.out.contains("+++ .claude/settings.json\n"), "{first:?}");
    assert!(first.err.contains("wrote .claude/settings.json\n"), "{first:?}");
    assert!(text(&project, "work/behavior.yaml").contains("\nprofile: coding\n"));
    let settings: Value =
        serde_json::from_slice(&project.read("work/.claude/settings.json")).unwrap();
    let hook = &settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"];
    assert!(
        hook.as_str().unwrap().contains("/behavior hook claude-code --guarded; case "),
        "{hook}"
    );
    let hook = &settings["hooks"]["Stop"][0]["hooks"][0]["command"];
    assert!(hook.as_str().unwrap().ends_with("/behavior hook claude-code"), "{hook}");
    succeeds(&project, "check --deny warnings");

    let again = succeeds(&project, "init --agent claude-code --yes");
    assert_eq!((again.out.as_str(), again.err.as_str()), ("", "nothing to change\n"));
    let out = succeeds(&project, "init --uninstall --yes");
    assert!(out.err.contains("removed .claude/settings.json\n"), "{out:?}");
    assert!(!project.path("work/.claude").exists());
    assert!(project.path("work/behavior.yaml").exists(), "rules are not the hook's");
}

#[test]
fn settings_that_are_none_of_ours_keep_no_hook_in_place() {
    let broken = "{ \"a\": [1,], }\n";
    let project = Project::new(&[("work/.gemini/settings.json", broken)]);
    succeeds(&project, "init --agent claude-code --yes");
    let out = succeeds(&project, "init --uninstall --yes");
    assert!(out.err.contains("removed .claude/settings.json\n"), "{out:?}");
    assert_eq!(text(&project, "work/.gemini/settings.json"), broken);
}

#[test]
fn a_project_starts_with_the_guard_and_is_told_what_it_does() {
    let project = Project::new(&[]);
    let run = succeeds(&project, "init --agent claude-code --yes");
    assert!(text(&project, "work/behavior.yaml").contains("\nprofile: guard\n"));
    let policy = text(&project, "work/behavior/policy.toml");
    assert!(policy.contains("\napproval_mode = \"agent\"\n"), "{policy}");
    let (_, outlook) = run.err.split_once("\nfrom now on\n").unwrap();
    let at = |text: &str| outlook.find(text).unwrap_or_else(|| panic!("{text}: {outlook}"));
    assert!(at("  blocked\n") < at("writes_secrets"), "{outlook}");
    assert!(at("writes_secrets") < at("  asked about\n"), "{outlook}");
    assert!(at("  asked about\n") < at("destroys_work"), "{outlook}");
    assert!(at("destroys_work") < at("  told to the agent\n"), "{outlook}");
    assert!(at("`behavior allow RULE`") > at("untested_changes"), "{outlook}");
    succeeds(&project, "check --deny warnings");
    // The second time, there is nothing new to tell.
    let again = succeeds(&project, "init --agent codex --yes");
    assert!(!again.err.contains("from now on"), "{again:?}");
}

#[test]
fn a_folder_called_like_that_of_the_rules_is_told() {
    let project = Project::new(&[("work/behavior/__init__.py", "")]);
    let run = succeeds(&project, "init --agent claude-code --dry-run");
    assert!(
        run.err.contains("`behavior/` holds what is no rule, such as `__init__.py`"),
        "{run:?}"
    );
    let project = Project::new(&[("work/behavior/notes.md", "")]);
    let run = succeeds(&project, "init --agent claude-code --dry-run");
    assert!(!run.err.contains("holds what is no rule"), "{run:?}");
}

#[test]
fn who_sits_at_a_terminal_is_asked_how_strict_the_rules_are() {
    if !crate::common::has_terminals() {
        return;
    }
    let project = Project::new(&[]);
    let surroundings = command(&project, "");
    let line = format!("'{}' init --agent claude-code", env!("CARGO_BIN_EXE_behavior"));
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).current_dir(project.path("work"));
    for (name, value) in surroundings.get_envs() {
        match value {
            Some(value) => script.env(name, value),
            None => script.env_remove(name),
        };
    }
    let mut child = script.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"4\n2\nno\ndevelop, `release/*`\ny\n").unwrap();
    assert!(child.wait().unwrap().success());
    drop(stdin);
    let config = text(&project, "work/behavior.yaml");
    assert!(config.contains("\nprotected_branches: [\"develop\", \"release/*\"]\n"), "{config}");
    assert!(config.contains("\n  opaque_command: true\n"), "{config}");
    assert!(!config.contains("publishes"), "{config}");
}

#[test]
fn nothing_happens_unasked() {
    let project = Project::new(&[("work/.gemini/settings.json", "{}\n")]);
    let before = files(&project);
    let run = run(&project, "init");
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("found gemini-cli: `.gemini` is there"), "{run:?}");
    assert!(run.err.contains("nobody is there to be asked"), "{run:?}");
    assert!(run.out.contains("+    \"BeforeTool\": ["), "{run:?}");
    assert_eq!(files(&project), before);
    let dry = succeeds(&project, "init --dry-run");
    assert!(
        dry.out.contains("+++ .gemini/settings.json") && dry.err.ends_with("nothing was changed\n")
    );
    assert_eq!(files(&project), before);
    let quiet = succeeds(&project, "init --dry-run -q");
    assert_eq!(quiet.out, "");
    let coloured = succeeds(&project, "init --dry-run --color always");
    assert!(coloured.out.contains("\u{1b}["), "{coloured:?}");
}

#[test]
fn settings_of_others_come_back_byte_for_byte() {
    let claude = "{\r\n\t\"model\": \"opus\",\r\n\t\"hooks\": {\"Stop\": []}\r\n}";
    let project = Project::new(&[
        ("home/dotfiles/claude.json", claude),
        ("home/.gemini/settings.json", "{ // mine\n}\n"),
        ("home/.cursor/hooks.json", "{\"version\": 1}"),
        ("home/.codex/config.toml", ""),
        ("home/.pi/agent/settings.json", "{}"),
        ("home/.omp/agent/config.yml", ""),
        ("home/.config/opencode/opencode.json", "{}"),
    ]);
    std::fs::create_dir_all(project.path("home/.claude")).unwrap();
    let link = project.path("home/.claude/settings.json");
    std::os::unix::fs::symlink("../dotfiles/claude.json", &link).unwrap();
    let before = files(&project);
    let run = succeeds(&project, "init --user --profile dev --yes");
    for agent in AGENTS {
        assert!(run.err.contains(&format!("found {agent}: ")), "{run:?}");
    }
    assert!(link.is_symlink());
    let settings = text(&project, "home/dotfiles/claude.json");
    assert!(settings.contains("/behavior hook claude-code --profile dev\""), "{settings}");
    let plugin = text(&project, "home/.config/opencode/plugins/behavior.js");
    assert!(plugin.contains("\"hook\",\"opencode\",\"--profile\",\"dev\"]"), "{plugin}");
    assert!(!project.path("work/behavior.yaml").exists(), "the project is not the user's");
    succeeds(&project, "init --user --uninstall --yes");
    assert_eq!(files(&project), before);
}

#[test]
fn what_cannot_work_is_refused_before_anything_is_written() {
    let project = Project::new(&[
        ("work/.claude/settings.json", "{\n  \"hooks\": nope\n}\n"),
        ("work/.pi/extensions/behavior.ts", "export default 1\n"),
        ("bad.yaml", "profile: dev\nruls: {}\n"),
    ]);
    let before = files(&project);
    let check = |line: &str, expect: &str| {
        let run = run(&project, line);
        assert_eq!(run.code, 2, "{line}: {run:?}");
        assert!(run.err.contains(expect), "{line}: {run:?}");
    };
    check("init --yes --agent claude-code", ".claude/settings.json:2:12: not valid JSON: ");
    check("init --yes --agent pi", "behavior.ts:1:1: the file is not one of ours");
    check("init --yes --agent codex --profile devv", "devv");
    check("init --yes --agent codex -c ../bad.yaml", "ruls");
    check("init --yes --agent emacs", "the agents are `claude-code`, `codex`,");
    check("init --user --yes", "no agent was found by its folder");
    assert_eq!(files(&project), before);
}

#[test]
fn rules_named_on_the_command_line_go_into_the_hook() {
    let project = Project::new(&[("rules dir/mine.yaml", "profile: dev\n")]);
    let mut command = command(&project, "init --agent codex --yes -c");
    let run = Run::from(command.arg("../rules dir/mine.yaml").output().unwrap());
    assert_eq!(run.code, 0, "{run:?}");
    let hooks: Value = serde_json::from_slice(&project.read("work/.codex/hooks.json")).unwrap();
    let line = hooks["hooks"]["Stop"][0]["hooks"][0]["command"].as_str().unwrap();
    assert!(!run.err.contains("does not run it until"), "{run:?}");
    assert!(line.contains(" hook codex -c '/") && line.ends_with("mine.yaml'"), "{line}");
    assert!(!project.path("work/behavior.yaml").exists());
    assert!(run.err.contains("codex: Codex runs no hook that you have not trusted"), "{run:?}");
}

#[test]
fn codex_must_be_told_to_trust_a_hook_that_changed() {
    let project = Project::new(&[]);
    let changed = "Codex does not run it until you trust it again";
    let first = succeeds(&project, "init --agent codex --yes");
    assert!(!first.err.contains(changed), "{first:?}");
    succeeds(&project, "init --user --agent codex --profile dev --yes");
    let again = succeeds(&project, "init --user --agent codex --profile coding --yes");
    assert!(again.err.contains(changed), "{again:?}");
    let same = succeeds(&project, "init --user --agent codex --profile coding --yes");
    assert!(!same.err.contains(changed), "{same:?}");
}

#[track_caller]
fn assert_found(hook: &Value, expect: [(&str, &str); 3]) {
    for (name, level) in expect {
        assert_eq!(hook[name]["level"], level, "{name}: {hook:#}");
    }
}

/// Commands that settings may hold, in which `EVIL` is a program of somebody else's and `OWN` is this one: each
/// would leave a mark if it, or a shell, ran.
const FOREIGN: [&str; 16] = [
    "EVIL",
    "EVIL hook claude-code",
    "sh -c 'EVIL'",
    "env EVIL hook claude-code",
    "PATH=BIN behavior hook claude-code",
    "BEHAVIOR=off OWN hook claude-code; EVIL",
    "OWN hook claude-code; EVIL",
    "OWN hook claude-code && EVIL",
    "OWN hook claude-code | EVIL",
    "OWN hook claude-code > MARK",
    "OWN hook claude-code $(EVIL)",
    "OWN hook claude-code `EVIL`",
    "OWN hook claude-code --config <(EVIL)",
    "OWN hook claude-code\nEVIL",
    "../bin/behavior hook claude-code",
    "$HOME/../bin/behavior hook claude-code",
];

#[test]
fn doctor_runs_nothing_that_settings_name() {
    use std::os::unix::fs::PermissionsExt;
    let own = env!("CARGO_BIN_EXE_behavior");
    for command in FOREIGN {
        let project = Project::new(&[("work/behavior.yaml", "profile: dev\n")]);
        let (evil, mark) = (project.path("bin/behavior"), project.path("mark"));
        project.write(
            "bin/behavior",
            format!("#!/bin/sh\necho ran > {}\n", mark.display()).as_bytes(),
        );
        std::fs::set_permissions(&evil, std::fs::Permissions::from_mode(0o755)).unwrap();
        let line = command
            .replace("EVIL", evil.to_str().unwrap())
            .replace("BIN", project.path("bin").to_str().unwrap())
            .replace("MARK", mark.to_str().unwrap())
            .replace("OWN", own);
        let settings = serde_json::json!({"hooks": {"PreToolUse": [{"hooks": [
            {"type": "command", "command": line},
        ]}]}});
        project.write("work/.claude/settings.json", settings.to_string().as_bytes());
        let run = run(&project, "doctor --format json");
        assert!(!mark.exists(), "{command}: {run:?}");
        let value: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run:?}"));
        for hook in value["agents"].as_array().unwrap() {
            assert_eq!(hook["fires"]["found"], "unknown", "{command}: {hook:#}");
            assert_ne!(hook["program"]["level"], "ok", "{command}: {hook:#}");
        }
        let words = [
            "does not have the hook",
            "no agent has the hook",
            "not what `behavior init` writes",
            "it runs `",
            "there is no program",
        ];
        assert!(words.iter().any(|word| run.out.contains(word)), "{command}: {run:?}");
    }
}

#[test]
fn the_real_hook_fires_blocks_and_fails_closed_for_every_agent() {
    let project = Project::new(&[]);
    succeeds(&project, "init --yes --agent all");
    let before = files(&project);
    let run = run(&project, "doctor --format json");
    let value: Value = serde_json::from_str(&run.out).unwrap();
    // Codex has to be told to trust the project and the hooks; nobody did.
    assert_eq!((run.code, &value["summary"]["errors"]), (1, &Value::from(2)), "{value:#}");
    let found: Vec<&str> = value["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hook| hook["agent"].as_str().unwrap())
        .collect();
    assert_eq!(found.len(), AGENTS.len(), "{value:#}");
    for hook in value["agents"].as_array().unwrap() {
        assert_found(hook, [("fires", "ok"), ("blocks", "ok"), ("fails_closed", "ok")]);
        assert_eq!(hook["program"]["found"], "same", "{hook:#}");
        assert_eq!(hook["events"]["found"], "all", "{hook:#}");
        let is_called = if hook["agent"] == "codex" { "no" } else { "perhaps" };
        assert_eq!(hook["called"]["found"], is_called, "{hook:#}");
    }
    let kept = |(name, _): &(String, Vec<u8>)| !name.contains(".cache") && !name.contains(".local");
    let after: Vec<_> = files(&project).into_iter().filter(kept).collect();
    assert_eq!(after, before, "nothing of it stays in the project");
    let sessions = succeeds(&project, "session list --format json");
    assert!(!sessions.out.contains("behavior-doctor"), "{sessions:?}");

    let pretty = succeeds(&project, "doctor --agent pi");
    let line = pretty.out.lines().nth(1).unwrap();
    assert!(
        line.starts_with(
            "pi     .pi/extensions/behavior.ts  perhaps  yes    yes     yes           "
        ),
        "{pretty:?}"
    );
    assert!(pretty.out.contains("ok       rules: behavior.yaml: "), "{pretty:?}");
    assert!(pretty.out.contains("warning  pi (called): .pi/extensions/behavior.ts:1: pi has not"));
    assert!(pretty.out.ends_with("\nworks, with 2 warnings\n"), "{pretty:?}");
}

#[test]
fn what_hooks_need_besides_is_looked_at() {
    let project = Project::new(&[]);
    let nothing = run(&project, "doctor");
    assert_eq!(nothing.code, 1, "{nothing:?}");
    assert!(nothing.out.contains("no agent has the hook: `behavior init` sets it"), "{nothing:?}");
    succeeds(&project, "init --yes --agent cursor");
    let other = run(&project, "doctor --agent pi");
    assert_eq!(other.code, 1, "{other:?}");
    assert!(other.out.contains("pi does not have the hook"), "{other:?}");
    let off = Run::from(command(&project, "doctor").env("BEHAVIOR", "off").output().unwrap());
    assert_eq!(off.code, 0, "{off:?}");
    assert!(off.out.contains("warning  switch: `BEHAVIOR=off` is set"), "{off:?}");
    assert!(off.out.contains("nothing of the probe is blocked by your rules"), "{off:?}");
    let mut stateless = command(&project, "doctor");
    stateless.env("BEHAVIOR_STATE_DIR", project.path("work/behavior.yaml"));
    let stateless = Run::from(stateless.output().unwrap());
    assert_eq!(stateless.code, 1, "{stateless:?}");
    assert!(stateless.out.contains("error    state: "), "{stateless:?}");

    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
    let line = format!(
        "{{\"ts\":{},\"agent\":\"codex\",\"session\":null,\"failure\":\"it went wrong\"}}\n",
        now.as_millis()
    );
    let old = "{\"ts\":1,\"agent\":\"codex\",\"session\":null,\"failure\":\"long ago\"}\nno JSON\n";
    project.write("home/.local/state/behavior/audit.jsonl", format!("{old}{line}").as_bytes());
    let failed = succeeds(&project, "doctor");
    assert!(
        failed.out.contains("1 failure in the last day\n  codex: it went wrong\n"),
        "{failed:?}"
    );
    assert!(failed.out.ends_with("\nworks, with 2 warnings\n"), "{failed:?}");

    for place in ["work/.claude/settings.local.json", "home/.claude/settings.json"] {
        succeeds(&project, "init --yes --agent claude-code");
        succeeds(&project, "doctor");
        project.write(place, b"{\"disableAllHooks\": false}");
        succeeds(&project, "doctor");
        project.write(place, b"{\"disableAllHooks\": true}");
        let off = run(&project, "doctor");
        assert_eq!(off.code, 1, "{place}: {off:?}");
        let shown = place.strip_prefix("work/").unwrap_or("~/.claude/settings.json");
        let expect =
            format!("error    claude-code (called): {shown}:1: `disableAllHooks` switches");
        assert!(off.out.contains(&expect), "{off:?}");
        std::fs::remove_file(project.path(place)).unwrap();
    }

    project.write("work/behavior.yaml", b"on_error: allow\nprofile: dev\n");
    let open = succeeds(&project, "doctor");
    let waits =
        "waits for `behavior trust`: `on_error: allow` lets calls pass that cannot be decided on";
    assert!(open.out.contains(waits), "{open:?}");

    project.write("work/behavior.yaml", b"profil: dev\n");
    let broken = run(&project, "doctor");
    assert_eq!(broken.code, 1, "{broken:?}");
    assert!(broken.out.contains("error    rules: behavior.yaml: 1 error"), "{broken:?}");
}

/// How a program fails: it is not there, is killed, crashes, gives up, or is another one.
const CRASHES: [&str; 10] = [
    "",
    "kill -9 $$",
    "kill -SEGV $$",
    "exit 1",
    "exit 137",
    // It ends well and says nothing, or something else; it refuses and does not say why.
    "exit 0",
    "echo hello",
    "echo '{}'",
    "exit 2",
    "exit 3",
];

#[test]
fn a_hook_that_crashes_refuses_the_call_and_nothing_else() {
    use std::os::unix::fs::PermissionsExt;
    let project = Project::new(&[]);
    succeeds(&project, "init --yes --agent claude-code --agent codex --agent gemini-cli");
    let program = project.path("crash/behavior");
    let line_of = |file: &str, event: &str| {
        let settings: Value = serde_json::from_slice(&project.read(file)).unwrap();
        let command = &settings["hooks"][event][0]["hooks"][0]["command"];
        let line = command.as_str().unwrap();
        line.replace(env!("CARGO_BIN_EXE_behavior"), program.to_str().unwrap())
    };
    let calls = [
        ("work/.claude/settings.json", "PreToolUse", "Stop"),
        ("work/.codex/hooks.json", "PreToolUse", "UserPromptSubmit"),
        ("work/.gemini/settings.json", "BeforeTool", "AfterTool"),
    ];
    for crash in CRASHES {
        std::fs::remove_file(&program).ok();
        if !crash.is_empty() {
            project.write("crash/behavior", format!("#!/bin/sh\n{crash}\n").as_bytes());
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        for (file, before, other) in calls {
            let run = |event| {
                let mut shell = std::process::Command::new("sh");
                Run::from(shell.args(["-c", &line_of(file, event)]).output().unwrap())
            };
            let refused = run(before);
            assert_eq!(refused.code, 2, "{crash} {file}: {refused:?}");
            assert!(refused.err.contains("the call is refused"), "{crash} {file}: {refused:?}");
            let harmless = run(other);
            assert!(harmless.code != 2 || crash == "exit 2", "{crash} {file}: {harmless:?}");
        }
    }
}

#[test]
fn a_hook_without_the_refusal_gets_it() {
    let project = Project::new(&[]);
    succeeds(&project, "init --yes --agent claude-code");
    let now = String::from_utf8(project.read("work/.claude/settings.json")).unwrap();
    let start = now.find(" --guarded; case ").unwrap();
    let end = start + now[start..].find("; esac").unwrap() + "; esac".len();
    let earlier = " || { [ $? = 2 ] || echo 'behavior gave no answer, so the call is refused: repair the program, \
                   or take its hook out of the settings' >&2; exit 2; }";
    for behind in ["", earlier] {
        let before = format!("{}{behind}{}", &now[..start], &now[end..]);
        project.write("work/.claude/settings.json", before.as_bytes());
        let open = succeeds(&project, "doctor --agent claude-code");
        assert!(open.out.contains("or answers nothing, the call runs"), "{open:?}");
        succeeds(&project, "init --yes --agent claude-code");
        assert_eq!(project.read("work/.claude/settings.json"), now.as_bytes());
    }
    succeeds(&project, "init --yes --uninstall --agent claude-code");
    assert!(!project.path("work/.claude/settings.json").exists());
}

#[test]
fn what_keeps_a_hook_from_being_called_is_told() {
    let doctor = |files: &[(&str, &str)], agent: &str| {
        let project = Project::new(&[("work/behavior.yaml", "profile: dev\n")]);
        succeeds(&project, &format!("init --yes --agent {agent}"));
        for (name, text) in files {
            project.write(
                name,
                text.replace("WORK", project.path("work").to_str().unwrap()).as_bytes(),
            );
        }
        let told = run(&project, "doctor --format json");
        let value: Value = serde_json::from_str(&told.out).unwrap_or_else(|_| panic!("{told:?}"));
        value["agents"][0].clone()
    };
    let check = |files: &[(&str, &str)], agent: &str, called: &str, expect: &str| {
        let hook = doctor(files, agent);
        assert_eq!(hook["fires"]["found"], "yes", "{hook:#}");
        assert_eq!(hook["called"]["found"], called, "{files:?} {hook:#}");
        let told = hook["hindrances"].as_array().unwrap();
        let found = told.iter().filter_map(|one| one["message"].as_str());
        assert!(expect.is_empty() || found.clone().any(|one| one.contains(expect)), "{hook:#}");
    };
    let local = "work/.claude/settings.local.json";
    let off = r#"{"env": {"A": "b", "BEHAVIOR": "off"}}"#;
    check(
        &[(local, off)],
        "claude-code",
        "no",
        ".claude/settings.local.json:1: `BEHAVIOR` is `off`",
    );
    let moved = r#"{"env": {"XDG_STATE_HOME": "/x"}}"#;
    let expect = ".claude/settings.local.json:1: `XDG_STATE_HOME` is set for the hook";
    check(&[(local, moved)], "claude-code", "perhaps", expect);
    check(
        &[("work/.gemini/.env", "BEHAVIOR=off\n")],
        "gemini-cli",
        "no",
        ".gemini/.env:1: `BEHAVIOR`",
    );
    let config = "[features]\nhooks = false\n";
    let expect = "~/.codex/config.toml:2: `features.hooks` switches all hooks";
    check(&[("home/.codex/config.toml", config)], "codex", "no", expect);
    let trusted = "[projects.\"WORK\"]\ntrust_level = \"trusted\"\n";
    check(&[("home/.codex/config.toml", trusted)], "codex", "no", "has not been told to trust it");
    let folders = r#"{"WORK": "DO_NOT_TRUST"}"#;
    check(
        &[("home/.gemini/trustedFolders.json", folders)],
        "gemini-cli",
        "no",
        "told not to trust",
    );
    let folders = r#"{"WORK": "TRUST_FOLDER"}"#;
    let build = "lies in a build folder";
    check(&[("home/.gemini/trustedFolders.json", folders)], "gemini-cli", "perhaps", build);
    check(&[("home/.pi/agent/trust.json", r#"{"WORK": false}"#)], "pi", "no", "told not to trust");
    let settings = r#"{"extensions": ["!behavior.ts"]}"#;
    check(
        &[("home/.pi/agent/settings.json", settings)],
        "pi",
        "no",
        "`extensions` takes the extension",
    );
}

#[test]
fn a_matcher_that_leaves_out_what_rules_are_about_is_an_error() {
    let project = Project::new(&[("work/behavior.yaml", "profile: dev\n")]);
    succeeds(&project, "init --yes --agent claude-code");
    let settings = text(&project, "work/.claude/settings.json");
    let narrow = |matcher: &str| {
        let narrow = settings.replace("\"matcher\": \"*\"", &format!("\"matcher\": \"{matcher}\""));
        project.write("work/.claude/settings.json", narrow.as_bytes());
        run(&project, "doctor")
    };
    let edits = narrow("Edit|Write");
    assert_eq!(edits.code, 1, "{edits:?}");
    assert!(edits.out.contains("(rules are about tools for"), "{edits:?}");
    let bash = "rule_definitions: [{id: x, trigger: bash, action: block, condition: {runs: {program: git}}, \
                message: no}]\n";
    project.write("work/behavior.yaml", bash.as_bytes());
    let right = narrow("Bash");
    assert_eq!(right.code, 0, "{right:?}");
    assert!(
        right.out.contains("warning  claude-code (called): .claude/settings.json:"),
        "{right:?}"
    );
    let none = narrow("bash");
    assert_eq!(none.code, 1, "{none:?}");
    assert!(none.out.contains("matches none of the agent's tools"), "{none:?}");
}

#[test]
fn a_variable_that_leads_away_from_the_hook_is_told() {
    for (agent, variable, usual) in [
        ("claude-code", "CLAUDE_CONFIG_DIR", "home/.claude/settings.json"),
        ("codex", "CODEX_HOME", "home/.codex/hooks.json"),
        ("gemini-cli", "GEMINI_CLI_HOME", "home/.gemini/settings.json"),
        ("opencode", "XDG_CONFIG_HOME", "home/.config/opencode/plugins/behavior.js"),
        ("pi", "PI_CODING_AGENT_DIR", "home/.pi/agent/extensions/behavior.ts"),
    ] {
        let project = Project::new(&[]);
        let away = project.path("away");
        let with = |line: &str, value: &std::path::Path| {
            Run::from(command(&project, line).env(variable, value).output().unwrap())
        };
        let line = format!("doctor --agent {agent}");
        let install = format!("init --user --yes --agent {agent}");
        succeeds(&project, &install);
        assert!(project.path(usual).exists(), "{usual}");
        assert!(!run(&project, &line).out.contains(variable), "{agent}");
        let moved = with(&line, &away);
        assert_eq!(moved.code, 1, "{moved:?}");
        assert!(
            moved.out.contains(&format!("error    moved: `{variable}` leads {agent} to `")),
            "{moved:?}"
        );
        assert_eq!(with(&install, &away).code, 0);
        assert!(!with(&line, &away).out.contains(variable), "both have it");
        succeeds(&project, &format!("init --user --uninstall --yes --agent {agent}"));
        let only = with(&line, &away);
        assert!(only.out.contains("warning  moved: the hook is only in `"), "{only:?}");
        let relative = with(&line, std::path::Path::new("away"));
        assert!(relative.out.contains(&format!("`{variable}` is no whole path")), "{relative:?}");
    }
}

#[test]
fn a_variable_may_name_the_home_where_the_agent_knows_it() {
    for (agent, variable, expect) in [
        ("pi", "PI_CODING_AGENT_DIR", "home/z/extensions/behavior.ts"),
        ("oh-my-pi", "PI_CODING_AGENT_DIR", "home/z/extensions/behavior.ts"),
        ("codex", "CODEX_HOME", "home/.codex/hooks.json"),
    ] {
        let project = Project::new(&[]);
        let with =
            |line: &str| Run::from(command(&project, line).env(variable, "~/z").output().unwrap());
        let run = with(&format!("init --user --yes --agent {agent}"));
        assert_eq!(run.code, 0, "{run:?}");
        assert!(project.path(expect).exists(), "{agent}: {run:?}");
        let doubt = with(&format!("doctor --agent {agent}")).out.contains("is no whole path");
        assert_eq!(doubt, agent == "codex", "{agent}");
    }
    let project = Project::new(&[]);
    succeeds(&project, "init --user --yes --agent omp");
    assert!(project.path("home/.omp/agent/extensions/behavior.ts").exists());
}

#[test]
fn agents_are_called_by_any_common_name() {
    for (name, file) in [
        ("claude", "work/.claude/settings.json"),
        ("Gemini", "work/.gemini/settings.json"),
        ("omp", "work/.omp/extensions/behavior.ts"),
    ] {
        let project = Project::new(&[]);
        succeeds(&project, &format!("init --yes --agent {name}"));
        let found = run(&project, &format!("doctor --agent {name}"));
        assert!(found.out.contains("fires") && !found.out.contains("does not have"), "{found:?}");
        let text = text(&project, file);
        let is_usual =
            ["hook NAME ", "\"NAME\""].map(|form| !text.contains(&form.replace("NAME", name)));
        assert_eq!(is_usual, [true, true], "the usual name is written: {text}");
        // What somebody wrote by hand is known, too, and brought up to date.
        let settings = text.replace("hook claude-code", "hook claude_code");
        project.write(file, settings.as_bytes());
        succeeds(&project, &format!("init --yes --agent {name}"));
        assert_eq!(self::text(&project, file), text);
    }
}

#[test]
fn what_a_team_commits_names_no_machine_and_fails_closed() {
    let project = Project::new(&[]);
    let run = succeeds(&project, "init --yes --team --agent all");
    assert!(
        run.err.contains("commit these files. Everybody needs `behavior` on the `PATH`"),
        "{run:?}"
    );
    let (home, own) = (project.path(""), env!("CARGO_BIN_EXE_behavior"));
    for (name, bytes) in files(&project) {
        let text = String::from_utf8_lossy(&bytes);
        let is_bare = !text.contains(own) && !text.contains(home.to_str().unwrap());
        assert!(
            name.contains("/.cache/") || name.contains("/.local/") || is_bare,
            "{name}: {text}"
        );
    }
    let settings: Value =
        serde_json::from_slice(&project.read("work/.claude/settings.json")).unwrap();
    let line = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"].as_str().unwrap();
    assert!(line.starts_with("behavior hook claude-code --guarded; "), "{line}");
    let missing =
        std::process::Command::new("/bin/sh").args(["-c", line]).env("PATH", "/none").output();
    let missing = Run::from(missing.unwrap());
    assert_eq!(missing.code, 2, "{missing:?}");
    assert!(missing.err.contains("install or repair the program"), "{missing:?}");
    let again = succeeds(&project, "init --yes --agent all");
    assert!(again.err.contains("nothing to change"), "the shared settings stay: {again:?}");
    succeeds(&project, "init --yes --uninstall");
    assert!(!project.path("work/.claude").exists() && !project.path("work/.pi").exists());
}

#[test]
fn settings_of_ones_own_are_not_shared() {
    let project = Project::new(&[("work/.claude/settings.json", "{}\n")]);
    let local = "work/.claude/settings.local.json";
    let run = succeeds(&project, "init --yes --local --agent all --profile dev");
    assert!(run.err.contains("see to it that git ignores them"), "{run:?}");
    assert!(text(&project, local).contains("/behavior hook claude-code --profile dev"));
    assert_eq!(text(&project, "work/.claude/settings.json"), "{}\n");
    assert!(!project.path("work/behavior.yaml").exists() && !project.path("work/.pi").exists());
    let found = succeeds(&project, "doctor --agent claude-code");
    assert!(found.out.contains("claude-code  .claude/settings.local.json  "), "{found:?}");
    succeeds(&project, "init --yes --local --uninstall");
    assert!(!project.path(local).exists());
    let none = self::run(&project, "init --yes --local --agent codex");
    assert_eq!(none.code, 2, "{none:?}");
    assert!(
        none.err.contains("codex has no settings in a project that are the user's own"),
        "{none:?}"
    );
}
