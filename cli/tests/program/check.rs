//! `behavior check` as its users see it: exit codes, formats, what is found where.

use crate::common::{Project, Run};

const GOOD: &str = "profile: dev\n";
const BAD: &str = "profile: dev\nrule_definitions:\n  - id: a\n    triger: edit\n    message: m\n";

#[track_caller]
fn check_exit(files: &[(&str, &str)], line: &str, code: i32) {
    let run = Project::new(files).run(line);
    assert_eq!(run.code, code, "{line}: {run:?}");
}

#[test]
fn exit_codes_tell_how_it_ended() {
    let warns = "rule_definitions:\n  - id: a\n    trigger: edit\n";
    check_exit(&[("behavior.yaml", GOOD)], "check", 0);
    check_exit(&[("behavior.yaml", BAD)], "check", 1);
    check_exit(&[("behavior.yaml", "a: [")], "check", 1);
    check_exit(&[("behavior.yaml", warns)], "check", 0);
    check_exit(&[("behavior.yaml", warns)], "check --deny warnings", 1);
    check_exit(&[], "check", 2);
    check_exit(&[], "check nofile.yaml", 2);
    check_exit(&[("behavior.yaml", GOOD)], "check --no-such-option", 2);
    check_exit(&[], "check --profile coding", 0);
    check_exit(&[], "check --profile codin", 1);
    let unknown = "rule_definitions:\n  - id: a\n    message: m\n    condition: { later: 1 }\n";
    check_exit(&[("behavior.yaml", unknown)], "check", 1);
    check_exit(&[("behavior.yaml", unknown)], "check --allow-unknown-conditions", 0);
}

#[test]
fn nothing_to_check_says_how_to_start() {
    let run = Project::new(&[]).run("check");
    assert!(run.err.contains("behavior profiles dev --as-yaml > behavior.yaml"), "{run:?}");
    assert!(run.err.starts_with("error: nothing to check"), "{run:?}");
    assert_eq!(run.out, "");
}

#[test]
fn an_unreadable_file_does_not_hide_the_others() {
    let run = Project::new(&[("b.yaml", BAD)]).run("check nofile.yaml b.yaml --format concise");
    assert_eq!(run.code, 2);
    assert_eq!(run.err, "error: cannot read `nofile.yaml`: there is no such file\n");
    assert!(run.out.starts_with("b.yaml:4:5: error[unknown-field]: "), "{run:?}");
}

#[test]
fn concise_is_a_line_each() {
    let text = "profile: dve\nrules:\n  é: true\n  max_blind_reads: x\n";
    let run = Project::new(&[("r/c.yaml", text)]).run("check --format concise r/c.yaml");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        lines,
        [
            "r/c.yaml:1:10: error[unknown-profile]: there is no profile called `dve`",
            "r/c.yaml:3:3: error[unknown-field]: unknown field `é` in `rules`",
            "r/c.yaml:4:20: error[wrong-type]: expected a whole number, 0 or more, found a string",
        ]
    );
}

#[test]
fn json_is_what_the_contract_says() {
    let text = "# é\nprofile: dev\nrule_definitions:\n  - id: a\n    triger: edit\n    message: m\n    \
                condition: { no_text_before_tools: true, first_tool_this_turn: true }\n";
    let value = Project::new(&[("behavior.yaml", text)]).json("check --format json");
    assert_eq!(value["version"], 1);
    assert_eq!(
        value["summary"],
        serde_json::json!({ "files": 1, "errors": 2, "warnings": 0, "infos": 0 })
    );
    let diagnostics = value["diagnostics"].as_array().unwrap();
    assert_eq!(diagnostics.len(), 2);
    let first = &diagnostics[0];
    let start = text.find("triger").unwrap();
    let span = serde_json::json!({
        "start": { "line": 5, "column": 5, "offset": start },
        "end": { "line": 5, "column": 11, "offset": start + 6 },
    });
    assert_eq!(
        *first,
        serde_json::json!({
            "name": "unknown-field",
            "severity": "error",
            "message": "unknown field `triger` in a rule definition",
            "file": "behavior.yaml",
            "span": span,
            "path": "rule_definitions[0].triger",
            "labels": [],
            "help": "did you mean `trigger`?",
            "fixes": [{
                "message": "replace with `trigger`",
                "applicability": "safe",
                "edits": [{ "file": "behavior.yaml", "span": span, "text": "trigger" }],
            }],
        })
    );
    let label = &diagnostics[1]["labels"][0];
    assert_eq!(label["file"], "behavior.yaml");
    assert_eq!(label["span"]["start"]["line"], 7);
    assert!(label["message"].is_string());
}

#[test]
fn json_has_a_session_that_shows_a_problem() {
    let text = "rule_definitions:\n  - id: no_removals\n    trigger: bash\n    message: Not so.\n    \
                condition: { runs: { program: rm, flags: [-rf] } }\n";
    let project = Project::new(&[("behavior.yaml", text)]);
    let witness = &project.json("check --format json")["diagnostics"][0]["witness"];
    assert_eq!(witness["spelled"], "rm -rf");
    let session = witness["session"].as_str().unwrap();
    assert!(session.lines().nth(1).is_some_and(|line| line.contains("\"rm -rf\"")), "{session}");
    project.write("shown.test.yaml", witness["test"].as_str().unwrap().as_bytes());
    assert_eq!(project.run("test shown.test.yaml").code, 1);
    project.write("behavior.yaml", text.replace("-rf", "-r, -f").as_bytes());
    assert_eq!(project.run("test shown.test.yaml").code, 0);
}

#[test]
fn paths_start_at_the_behaviour_config() {
    let text = "app:\n  security:\n    behavior:\n      rules: { nope: true }\n";
    let value = Project::new(&[("app.yaml", text)]).json("check app.yaml --format json");
    assert_eq!(value["diagnostics"][0]["path"], "rules.nope");
}

#[test]
fn profiles_that_nothing_uses_are_checked_too() {
    let project = Project::new(&[
        ("behavior.yaml", "profile: used\n"),
        ("behavior/used.yaml", BAD.trim_start_matches("profile: dev\n")),
        ("behavior/unused.yaml", "name: unused\nextendss: dev\n"),
        ("behavior/notes.test.yaml", "nonsense: true\n"),
        ("behavior/notes.policy.yaml", "rules: [{ kind: no_cal }]\n"),
    ]);
    let run = project.run("check --format concise");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        lines,
        [
            "behavior/notes.policy.yaml:1:17: error[unknown-value]: unknown value `no_cal`: expected `must_call_before`, `must_call_once`, `no_call`, `max_turns`, `required_stop_reason`, `max_total_tokens`, `must_include_text`, `must_include_text_each`, `forbidden_text`, `must_match_json_schema`, `must_remain_consistent`, `must_followup` or `must_be_grounded`",
            "behavior/unused.yaml:2:1: error[unknown-field]: unknown field `extendss` in a profile",
            "behavior/used.yaml:3:5: error[unknown-field]: unknown field `triger` in a rule definition",
        ]
    );
    let summary = project.json("check --format json")["summary"].clone();
    assert_eq!(summary["files"], 4);
}

#[test]
fn a_profile_may_lean_on_the_config_that_uses_it() {
    let config = "profile: p\nstate_tracking: { flags: { f: { set_on: [edit] } } }\n";
    let profile = "name: p\nrule_definitions:\n  - id: a\n    trigger: edit\n    message: m\n    condition: flag(f)\n";
    let project = Project::new(&[("behavior.yaml", config), ("behavior/p.yaml", profile)]);
    assert_eq!(project.run("check").out, "no problems in 2 files\n");
    assert_eq!(project.run("check .").out, "no problems in 2 files\n");
    // Named alone, it has nothing to lean on.
    assert_eq!(project.run("check behavior/p.yaml").code, 1);
}

#[test]
fn directories_are_searched_for_rule_files() {
    let app = "security:\n  behavior:\n    profile: nope\n";
    let project = Project::new(&[
        ("a/behavior.yaml", "profile: nope\n"),
        ("a/other.yaml", "profile: nope\n"),
        ("b/app.yaml", app),
        ("c/app.yaml", "name: something else\n"),
        ("d/behavior/p.yaml", "extends: nope\n"),
        ("d/behavior/p.test.yaml", "extends: nope\n"),
        ("node_modules/x/behavior.yaml", "profile: nope\n"),
        ("target/behavior.yaml", "profile: nope\n"),
        (".git/behavior.yaml", "profile: nope\n"),
    ]);
    let places = |line: &str| -> Vec<String> {
        let out = project.run(line).out;
        out.lines().map(|line| line.split(": ").next().unwrap().to_owned()).collect()
    };
    let all = ["a/behavior.yaml:1:10", "b/app.yaml:3:14", "d/behavior/p.yaml:1:10"];
    assert_eq!(places("check . --format concise"), all);
    assert_eq!(places("check d/behavior --format concise"), ["d/behavior/p.yaml:1:10"]);
    assert_eq!(places("check a/ d/ --format concise"), [all[0], all[2]]);
    assert_eq!(project.run("check c").code, 2);
}

/// What the hook for pre-commit runs: files of a project hold together, whichever of them has changed.
#[test]
fn a_directory_is_checked_as_its_project_is() {
    let config = "profile: team\nstate_tracking:\n  counters:\n    mine: { increment_on: edit }\n";
    let team = "name: team\nrule_definitions:\n  - id: a\n    trigger: edit\n    message: \"{counter:mine}\"\n";
    let trace = "rules:\n  - { id: t, kind: max_turns, params: { limit: 3 } }\n";
    let files = [
        ("shop/behavior.yaml", config),
        ("shop/behavior/team.yaml", team),
        ("shop/behavior/t.policy.yaml", trace),
    ];
    let project = Project::new(&files);
    let run = project.run("check .");
    assert_eq!((run.code, &*run.err), (0, ""), "{run:?}");
    assert!(!run.out.contains("undeclared-name"), "{run:?}");
    project.write("shop/behavior/t.policy.yaml", trace.replace("max_turns", "max_trns").as_bytes());
    let test = b"tests:\n  - { name: b, evnts: [bash: ], events: [bash: ], expect: [{ at: 0 }] }\n";
    project.write("shop/a.test.yaml", test);
    let run = project.run("check . --format concise");
    assert_eq!(run.code, 1, "{run:?}");
    for name in ["shop/behavior/t.policy.yaml", "shop/a.test.yaml"] {
        assert!(run.out.contains(name), "{name}: {run:?}");
    }
    let hooks = include_str!("../../../.pre-commit-hooks.yaml");
    let check = hooks.split("- id: ").find(|hook| hook.starts_with("behavior-check")).unwrap();
    assert!(check.contains("pass_filenames: false") && check.contains("args: [.]"), "{check}");
    // What is checked is laid out, and nothing else.
    let files: Vec<&str> = hooks.lines().filter(|line| line.starts_with("  files: ")).collect();
    assert!(matches!(files[..], [one, other] if one == other), "{files:?}");
}

#[test]
fn verbose_says_what_files_were_taken_as() {
    let files = [("behavior.yaml", GOOD), ("behavior/p.yaml", "extends: dev\n")];
    let run = Project::new(&files).run("check -v");
    assert!(run.err.contains("`behavior.yaml` was taken as a behaviour config"), "{run:?}");
    assert!(run.err.contains("`behavior/p.yaml` was taken as a profile"), "{run:?}");
    assert_eq!(Project::new(&files).run("check").err, "");
}

#[test]
fn quiet_prints_the_summary_at_most() {
    let project = Project::new(&[("behavior.yaml", BAD)]);
    assert_eq!(project.run("check -q").out, "1 error in 1 file\n");
    assert_eq!(project.run("check -q --format concise").out, "1 error in 1 file\n");
}

#[test]
fn colours_are_as_asked() {
    let project = Project::new(&[("behavior.yaml", BAD)]);
    let has_colour = |line: &str, no_color: &str| {
        let output = project.command(line).env("NO_COLOR", no_color).output().unwrap();
        output.stdout.contains(&0x1b)
    };
    assert!(!has_colour("check", ""));
    assert!(has_colour("check --color always", ""));
    assert!(has_colour("check --color always", "1"));
    assert!(!has_colour("check --color auto", "1"));
    assert!(!has_colour("check --color never", ""));
    assert!(has_colour("check --color always --help", ""));
    assert!(!has_colour("check --color never --help", ""));
}

#[test]
fn tools_of_the_agent_are_held_against_triggers() {
    let config = "rule_definitions:\n  - id: a\n    trigger: editt\n    message: m\n";
    let files =
        [("behavior.yaml", config), ("t.yaml", "- Read\n- name: edit\n  params: [file_path]\n")];
    let project = Project::new(&files);
    let with = |tools: &str| project.run(&format!("check --format concise --tools {tools}"));
    assert!(with("t.yaml").out.contains("warning[unknown-tool]"), "{:?}", with("t.yaml"));
    assert!(with("claude-code").out.contains("warning[unknown-tool]"));
    assert_eq!(with("nofile").code, 2);
    assert_eq!(with("behavior.yaml").code, 2);
    let misspelt = project.run("check --format concise");
    assert!(misspelt.out.contains("no known agent has a tool called `editt`"), "{misspelt:?}");
}

#[test]
fn triggers_are_held_against_the_tools_of_a_named_agent() {
    let check = |trigger: &str, agent: &str, expect: &str| {
        let rules =
            format!("rule_definitions:\n  - {{ id: a, trigger: [{trigger}], message: m }}\n");
        let project = Project::new(&[("behavior.yaml", &rules)]);
        let run = project.run(&format!("check --format concise --agent {agent}"));
        let unknown = run.out.lines().filter(|line| line.contains("[unknown-tool]"));
        let found: String = unknown.collect();
        assert!(found.contains(expect) && found.is_empty() == expect.is_empty(), "{run:?}");
    };
    check("bsh", "codex", "`codex` has no tool that `bsh` selects");
    check("bash, bsh", "codex", "`codex` has no tool that `bsh` selects");
    check("deploy", "codex", "`codex` has no tool that `deploy` selects");
    check("bash", "codex", "");
    check("run_shell_command", "gemini-cli", "");
    check("edit, multi_edit, notebook_edit", "codex", "");
    check("github.create_issue", "codex", "");
    check("bsh", "gemini-cli", "`gemini-cli` has no tool that `bsh` selects");
}

#[test]
fn many_problems_are_counted_rather_than_shown() {
    let mut text = "rules:\n".to_owned();
    for number in 0..150 {
        text.push_str(&format!("  nope_{number}: true\n"));
    }
    let run = Project::new(&[("behavior.yaml", &text)]).run("check");
    assert!(run.out.ends_with("and 50 more\n\n150 errors in 1 file\n"), "{run:?}");
}

#[test]
fn hostile_text_is_drawn_harmlessly() {
    let text = "rules:\n  \"a\\e[31m\\u202eb\": true\n  ok: \"\u{202e}x\"\n";
    let run = Project::new(&[("behavior.yaml", text)]).run("check");
    assert_eq!(run.code, 1);
    assert!(!run.out.contains(['\u{1b}', '\u{202e}']), "{run:?}");
    let long = format!("rules: {{ nope: \"{}\" }}\n", "x".repeat(5000));
    let run = Project::new(&[("behavior.yaml", &long)]).run("check");
    assert!(run.out.len() < 1000 && run.out.contains("at behavior.yaml:1:10"), "{run:?}");
}

#[test]
fn exit_codes_are_in_the_help() {
    let run = Project::new(&[]).run("--help");
    for code in ["  0  clean", "  1  findings", "  2  wrong usage", "  3  a bug"] {
        assert!(run.out.contains(code), "{run:?}");
    }
}

#[test]
fn of_very_many_problems_the_worst_are_shown() {
    let warnings = "  - { id: aN, trigger: edit }\n";
    let rules: String = (0..1500).map(|n| warnings.replace('N', &n.to_string())).collect();
    let text = format!("rule_definitions:\n{rules}  - {{ id: bad, triger: edit, message: m }}\n");
    let project = Project::new(&[("behavior.yaml", &text)]);
    let run = project.run("check --format concise");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!((run.code, lines.len()), (1, 1001));
    assert!(lines[998].contains(" warning["), "{}", lines[998]);
    assert!(lines[999].contains(" error[unknown-field]"), "{}", lines[999]);
    assert_eq!(lines[1000], "behavior.yaml: and 501 more");
    let value = project.json("check --format json");
    assert_eq!(value["diagnostics"].as_array().map(Vec::len), Some(1000));
    assert_eq!(
        (&value["summary"]["warnings"], &value["summary"]["not_listed"]),
        (&1500.into(), &501.into())
    );
}

#[test]
fn files_that_look_like_rules_and_are_not_read_are_named() {
    const POLICY: &str = "[[rules]]\nname = \"a\"\naction = \"deny\"\npattern = \"rm *\"\n";
    const LIST: &str = "rules:\n  - { name: a, action: deny, pattern: x }\n";
    let config = ("behavior.yaml", "profile: dev\n");
    let check = |file: &str, text: &str, expect: &str| {
        let project = Project::new(&[config, (file, text)]);
        for line in ["check", "check .", "simulate t.jsonl", "inspect"] {
            let err = project.run(line).err;
            let is_said = err.contains(expect) && !expect.is_empty();
            // Nothing else has anything to say of a file that is as it should be.
            assert!(is_said || expect.is_empty() && !err.contains("is not read"), "{line}: {err}");
        }
    };
    let of_config = |name: &str| {
        check(name, "profile: dev\n", &format!("`{name}` is not read: the config is called"));
    };
    ["behavior.yml", ".behavior.yaml", "behaviour.yaml"].into_iter().for_each(of_config);
    let json = "`behavior.json` is not read: the config is called";
    check("behavior.json", "{\"profile\": \"dev\"}", json);
    check("behavior.json", "{\"format_version\": \"1.8.0\"}", "");
    check("policy.toml", POLICY, "`policy.toml` is not read: move it to `behavior/policy.toml`");
    check("policy.toml", "[package]\nname = \"x\"\n", "");
    check("behavior/policies.toml", POLICY, "`behavior/policies.toml` is not read: the project's");
    check("behavior/policy.toml/a", "", "`behavior/policy.toml` is a directory and not read");
    check("behavior/policy.yaml", LIST, "`behavior/policy.yaml` is not read as a policy");
    check("behavior/policy.yaml", "rules: { read_before_edit: true }\n", "");
    check("behavior/team.yml", "name: team\n", "`behavior/team.yml` is not read: profiles");
    check("behavior/team.policy.yml", LIST, "");
    check(".behavior/policy.toml", POLICY, "`.behavior/policy.toml` is not read: the folder");
    check(".behavior/memory/behavior.json", "{}", "");
    check("behavior/policy.toml", POLICY, "");
    // What is above the project's folder is no business of it.
    let project =
        Project::new(&[config, ("behavior.yml", ""), ("a/behavior.yaml", "profile: dev\n")]);
    let run = Run::from(project.command("check").current_dir(project.path("a")).output().unwrap());
    assert_eq!(run.err, "");
}

#[test]
fn without_a_config_the_one_with_another_name_is_named_before_the_preset_is() {
    let project = Project::new(&[("behavior.yml", "profile: coding\n"), ("t.jsonl", "")]);
    let run = project.run("simulate t.jsonl");
    let said = run.err.find("`behavior.yml` is not read").unwrap();
    assert!(said < run.err.find("using the built-in `dev` preset").unwrap(), "{run:?}");
}

#[test]
fn what_an_agent_cannot_do_is_said_where_it_is_named() {
    let rules =
        "rule_definitions:\n  - { id: a, trigger: update_plan, action: block, message: m }\n";
    let project = Project::new(&[("behavior.yaml", rules)]);
    let check = |agent: &str, expect: &str| {
        let run = project.run(&format!("check --format concise --agent {agent}"));
        assert!(run.out.contains(expect) && run.out.is_empty() == expect.is_empty(), "{run:?}");
    };
    check("codex", "warning[agent-cannot]: `codex` calls no hook for `update_plan`");
    check(
        "claude-code",
        "warning[unknown-tool]: `claude-code` has no tool that `update_plan` selects",
    );
    assert_eq!(project.run("check --agent nobody").code, 2);
    // Of a built-in profile it is said once, and nothing of the names of others' tools.
    project.write("behavior.yaml", b"profile: guard\n");
    let run = project.run("check --format concise --agent codex");
    let cannot = run.out.lines().filter(|line| line.contains("cannot ask its user")).count();
    assert_eq!((cannot, run.out.contains("[unknown-tool]")), (1, false), "{run:?}");
}

#[test]
fn what_a_policy_would_ask_about_is_said_for_an_agent_that_cannot_ask() {
    let allow = "[[rules]]\nname = \"a\"\naction = \"allow\"\npattern = \"read\"\n";
    let any = allow.replace("\"read\"", "\"*\"").replace("allow", "deny");
    let check = |policy: &str, agent: &str, expect: &[&str]| {
        let project = Project::new(&[("policy.toml", policy)]);
        let run = project.run(&format!("check policy.toml --format concise --agent {agent}"));
        let cannot = run.out.lines().filter(|line| line.contains("[agent-cannot]"));
        let found: Vec<&str> = cannot.collect();
        assert_eq!(found.len(), expect.len(), "{policy}: {run:?}");
        for (found, expect) in found.iter().zip(expect) {
            assert!(found.contains(expect), "{found}");
        }
    };
    let denied = "`codex` cannot ask its user, so that what no rule of the policy covers is denied";
    check(allow, "codex", &[&format!("policy.toml:1:1: warning[agent-cannot]: {denied}")]);
    let edits = format!("approval_mode = \"autoEdit\"\n{allow}");
    check(&edits, "codex", &["policy.toml:1:17: warning[agent-cannot]: "]);
    check(&edits, "opencode", &["covers and changes no file is denied"]);
    check(&format!("approval_mode = \"yolo\"\n{allow}"), "codex", &[]);
    check(&format!("{allow}{any}"), "codex", &[]);
    check(allow, "claude-code", &[]);
    let asks = allow.replace("allow", "ask_user");
    check(&asks, "codex", &["cannot ask its user, so", "cannot ask its user about a call"]);
}

#[test]
fn what_agents_cannot_ask_is_said() {
    let rule = "rule_definitions:\n  - id: a\n    trigger: bash\n    action: ask\n    message: m\n";
    let check = |text: &str, agent: &str, expect: usize| {
        let project = Project::new(&[("behavior.yaml", text)]);
        let run = project.run(&format!("check behavior.yaml --format concise --agent {agent}"));
        let found = run.out.matches("[agent-cannot]: `").count();
        assert_eq!(found, expect, "{agent}: {run:?}");
    };
    check(rule, "codex", 1);
    check(rule, "opencode", 1);
    check(rule, "claude-code", 0);
    check(rule, "gemini-cli", 0);
    check(&format!("when_nobody_can_answer: allow\n{rule}"), "codex", 0);
}

#[test]
fn paths_lead_to_what_is_wrong_wherever_it_stands() {
    let check = |name: &str, text: &str, expect: &str| {
        let value = Project::new(&[(name, text)]).json(&format!("check {name} --format json"));
        assert_eq!(value["diagnostics"][0]["path"], expect, "{text}: {value}");
    };
    check("behavior.yaml", "profile: dev\nprofile: dev\n", "profile");
    check("behavior.yaml", "profile: !foo dev\n", "profile");
    let rule = |key: &str| format!("rule_definitions:\n  - id: a\n    message: m\n    {key}\n");
    check("behavior.yaml", &rule("id: b"), "rule_definitions[0].id");
    check("behavior.yaml", &rule("trigger: !x edit"), "rule_definitions[0].trigger");
    let whole = "[[rules]]\nname = \"a\"\naction = \"allow\"\npattern = \"x\"\n";
    check("p.toml", "[[rules]]\nname = \"a\"\naction = \"allow\"\n", "rules[0]");
    let two = &format!("{whole}[[rules]]\nname = \"b\"\npattern = \"x\"\n");
    check("p.toml", two, "rules[1]");
}

#[test]
fn a_fix_changes_only_what_is_wrong() {
    let fixes = |condition: &str| {
        let text = format!(
            "rule_definitions:\n  - {{ id: f, trigger: bash, condition: {condition}, message: m }}\n"
        );
        let value = Project::new(&[("behavior.yaml", &text)]).json("check --format json");
        let fixes = value["diagnostics"][0]["fixes"].as_array().unwrap().clone();
        let edit = |fix: &serde_json::Value| {
            let edit = &fix["edits"][0];
            let at = |end: &str| edit["span"][end]["offset"].as_u64().unwrap() as usize;
            let mut text = text.clone();
            text.replace_range(at("start")..at("end"), edit["text"].as_str().unwrap());
            text
        };
        fixes.iter().map(edit).collect::<Vec<_>>()
    };
    let fixed = fixes("'runs \"git push:*\"'");
    assert!(fixed.len() == 1 && fixed[0].contains("runs \"git push *\""), "{fixed:?}");
    // Where a place in escaped text cannot be told, nothing is replaced.
    assert_eq!(fixes("\"runs \\\"git push:*\\\"\""), [] as [String; 0]);
    let pattern = "\"param(command) matches \\\"(?<=a)b\\\"\"";
    assert_eq!(fixes(pattern), [] as [String; 0]);
}

const FIXABLE: &str = "\u{feff}# rules\r\nprofile: dev\r\nrule_definitions:\r\n  - id: a\r\n    triger: edit\r\n    message: é  # kept\r\n";

#[test]
fn fixes_touch_nothing_but_what_they_mend() {
    let project = Project::new(&[("behavior.yaml", FIXABLE)]);
    let read = || std::fs::read_to_string(project.path("behavior.yaml")).unwrap_or_default();
    let run = project.run("check --diff");
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.contains("-    triger: edit\n+    trigger: edit\n"), "{run:?}");
    assert_eq!(read(), FIXABLE);
    let run = project.run("check --fix");
    assert_eq!(run.code, 0, "{run:?}");
    assert_eq!(run.err, "note: applied 1 fix in 1 file\n");
    assert_eq!(read(), FIXABLE.replace("triger", "trigger"));
    let run = project.run("check --diff");
    assert_eq!((run.code, &*run.out), (0, ""), "{run:?}");
}

#[test]
fn unsafe_fixes_are_applied_only_when_asked() {
    let text = "profile: dve\n";
    let project = Project::new(&[("behavior.yaml", text)]);
    let read = || std::fs::read_to_string(project.path("behavior.yaml")).unwrap_or_default();
    assert_eq!(project.run("check --fix").code, 1);
    assert_eq!(read(), text);
    assert_eq!(project.run("check --unsafe-fixes").code, 0);
    assert_eq!(read(), "profile: dev\n");
}

#[test]
fn machine_formats_tell_the_same_problems() {
    let project = Project::new(&[("behavior.yaml", BAD)]);
    let json = |line: &str| {
        let run = project.run(line);
        assert_eq!(run.code, 1, "{line}: {run:?}");
        serde_json::from_str::<serde_json::Value>(&run.out).unwrap_or_default()
    };
    let at = |value: &serde_json::Value, pointer: &str| {
        value.pointer(pointer).cloned().unwrap_or_default()
    };
    let sarif = json("check --format sarif");
    assert_eq!(at(&sarif, "/version"), "2.1.0");
    let result = at(&sarif, "/runs/0/results/0");
    assert_eq!(at(&result, "/ruleId"), "unknown-field");
    assert_eq!(at(&result, "/level"), "error");
    assert_eq!(at(&result, "/locations/0/physicalLocation/region/startLine"), 4);
    assert_eq!(at(&sarif, "/runs/0/tool/driver/rules/0/id"), "unknown-field");
    let gitlab = json("check --format gitlab");
    assert_eq!(at(&gitlab, "/0/check_name"), "unknown-field");
    assert_eq!(at(&gitlab, "/0/location/lines/begin"), 4);
    assert_eq!(
        at(&gitlab, "/0/description"),
        "unknown field `triger` in a rule definition\ndid you mean `trigger`?"
    );
    assert_eq!(at(&gitlab, "/0/fingerprint"), at(&result, "/partialFingerprints/behavior~1v1"));
    let run = project.run("check --format github");
    assert_eq!(
        run.out,
        "::error file=behavior.yaml,line=4,col=5,endColumn=11,title=unknown-field::unknown field \
         `triger` in a rule definition%0Adid you mean `trigger`?\n"
    );
    let run = project.run("check --format junit");
    assert!(run.out.contains("<testcase name=\"4:5 unknown-field\""), "{run:?}");
    // Lines that move change no fingerprint, and a second problem of the same words has another.
    project.write("behavior.yaml", format!("# above\n\n{BAD}").as_bytes());
    let moved = json("check --format gitlab");
    assert_eq!(at(&moved, "/0/fingerprint"), at(&gitlab, "/0/fingerprint"));
    assert_eq!(at(&moved, "/0/location/lines/begin"), 6);
    let twice = format!("{BAD}  - id: b\n    triger: edit\n    message: m\n");
    project.write("behavior.yaml", twice.as_bytes());
    let twice = json("check --format gitlab");
    assert_ne!(at(&twice, "/0/fingerprint"), at(&twice, "/1/fingerprint"));
}

#[test]
fn schemas_are_printed_by_kind() {
    let run = Project::new(&[]).run("schema policy");
    assert_eq!(run.code, 0);
    assert!(run.out.contains("\"title\": \"Policy\""), "{run:?}");
    let run = Project::new(&[]).run("schema polcy");
    assert_eq!(run.code, 2);
    assert!(run.err.contains("policy"), "{run:?}");
}

/// An exception whose last day is over does nothing, and is told.
#[test]
fn exceptions_that_have_ended_are_told() {
    let rules = |day: &str| {
        format!(
            "rules: {{ confirm_destructive: true }}
exceptions:
  - rule: confirm_destructive
    when: {{ runs: rm -r target }}
    reason: build output
    until: \"{day}\"
"
        )
    };
    let project =
        Project::new(&[("over.yaml", &rules("2020-01-31")), ("on.yaml", &rules("2100-01-31"))]);
    let run = project.run("check over.yaml");
    let told = "an exception of `confirm_destructive` ended on 2020-01-31 (over.yaml:3)";
    assert!(run.err.contains(told), "{run:?}");
    assert!(!project.run("check on.yaml").err.contains("ended on"));
}

#[test]
fn files_of_other_programs_in_places_of_ours_are_passed_over() {
    let project = Project::new(&[
        ("behavior.yaml", "profile: dev\n"),
        ("k8s/app.yaml", "apiVersion: v1\n"),
        ("charts/templates/workflows/ci.yaml", "on: push\n"),
        ("templates/workflows/ci.yaml", "on: push\n"),
        ("iam.policy.json", "{\"Version\": \"2012-10-17\", \"Statement\": []}\n"),
        ("user.test.json", "{\"tests\": [{\"input\": 1}]}\n"),
    ]);
    for line in ["check .", "check"] {
        let run = project.run(line);
        assert_eq!((run.code, &*run.out), (0, "no problems in 1 file\n"), "{line}: {run:?}");
    }
    project.write("charts/templates/workflows/ci.yaml", b"name: x\nstep: []\n");
    assert_eq!(project.run("check .").code, 1);
}

/// Whatever the folder that it is asked from, each file is looked at once.
#[test]
fn files_are_looked_at_once_from_a_folder_below() {
    let project = Project::new(&[
        ("behavior.yaml", "profile: dev\n"),
        ("sub/behavior.yaml", "profil: dev\n"),
        ("sub/behavior/team.yaml", "name: team\nextend: dev\n"),
        ("sub/a.test.yaml", "tests:\n  - { name: a, evnts: [bash: ] }\n"),
    ]);
    project.make_repository();
    for (folder, prefix) in [("", "sub/"), ("sub", "")] {
        let mut command = project.command("check --format json");
        let run = Run::from(command.current_dir(project.path(folder)).output().unwrap());
        let report: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(report["summary"]["files"], 4, "{run:?}");
        let problems = report["diagnostics"].as_array().unwrap();
        let mut files: Vec<&str> =
            problems.iter().map(|problem| problem["file"].as_str().unwrap()).collect();
        assert_eq!(files.len(), 4, "{run:?}");
        files.dedup();
        let expect = ["a.test.yaml", "behavior.yaml", "behavior/team.yaml"];
        let expect: Vec<String> = expect.iter().map(|name| format!("{prefix}{name}")).collect();
        assert_eq!(files, expect, "{run:?}");
        let mut command = project.command("fmt --check");
        let run = Run::from(command.current_dir(project.path(folder)).output().unwrap());
        let names: std::collections::BTreeSet<&str> =
            run.out.lines().filter_map(|line| line.rsplit('/').next()).collect();
        assert_eq!(names.len(), run.out.lines().count(), "{run:?}");
    }
}

/// What a broken condition asks for is asked for: that nothing does is no second mistake.
#[test]
fn a_mistake_in_a_condition_is_told_once() {
    let state = "state_tracking:
  sets: { drafts: { add_on: write } }
  counters: { saves: { increment_on: write } }
  flags: { ok: { set_on: bash } }
rule_definitions:
  - id: a
    trigger: bash
";
    let others =
        "  - { id: b, trigger: bash, message: \"{counter:saves} {set_count:drafts} {flag:ok}\" }\n";
    for (line, name) in [
        ("condition: counter(saves) >= ", "invalid-expression"),
        ("condition: counter(saves) => 3", "invalid-expression"),
        ("condition: counter(saves) >= 3 adn flag(ok)", "invalid-expression"),
        ("condition: flg(ok) and target in drafts", "unknown-condition"),
        ("condition: { target_in_sett: drafts }", "unknown-condition"),
        ("condition: { counter_gte: { saves: 3 } }", "unknown-field"),
        ("conditon: { target_in_set: drafts }", "unknown-field"),
        ("condition: { target_in_set: drafts", "syntax"),
        ("message: \"{counter:saves\"", "invalid-template"),
        ("condition: param(command) matches \"", "invalid-expression"),
        ("condition: target in drafts and param(command) matches \"", "invalid-expression"),
    ] {
        let message = if line.starts_with("message") { "" } else { "    message: m\n" };
        let told_of = |text: &str| {
            let project = Project::new(&[("behavior.yaml", text)]);
            let report = project.json("check --format json");
            let problems = report["diagnostics"].as_array().unwrap().clone();
            problems.iter().map(|it| it["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        // The rule that asks for all of it stands before: what is told is the mistake alone.
        let own = state.replacen("  - id: a", &format!("{others}  - id: a"), 1);
        let text = format!("{own}{message}    {line}\n");
        assert_eq!(told_of(&text), [name], "{text}");
        let alone = format!("{state}{message}    {line}\n");
        let unused = ["drafts", "saves", "ok"].into_iter().filter(|name| !line.contains(name));
        let told = told_of(&alone);
        let of_state = told.iter().filter(|it| *it == "unused-state").count();
        assert!(of_state <= unused.count(), "{alone}{told:?}");
        assert_eq!(told.iter().filter(|it| *it != "unused-state").collect::<Vec<_>>(), [name]);
    }
}
