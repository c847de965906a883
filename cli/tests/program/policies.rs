//! Policies on the command line: where they are found, which mode holds, and what is shown of them.

use crate::common::{Project, Run};
use serde_json::{Value, json};

const DENY_RM: &str = "[[rules]]\nname = \"no rm\"\naction = \"deny\"\npattern = \"rm *\"\nreason = \"it is gone then\"\n";
const ALLOW_RM: &str = "[[rules]]\nname = \"rm\"\naction = \"allow\"\npattern = \"rm *\"\n";
const TRACE: &str = "{\"event\":\"tool_call\",\"tool\":\"bash\",\"params\":{\"command\":\"rm x\"}}\n\
                     {\"event\":\"tool_call\",\"tool\":\"edit\",\"params\":{\"file_path\":\"a\"}}\n";

/// Runs with the user's config directory inside the project.
fn run(project: &Project, line: &str) -> Run {
    let mut command = project.command(line);
    command.env("XDG_CONFIG_HOME", project.path("home"));
    Run::from(command.output().unwrap())
}

/// What the policy says of each event of the trace.
#[track_caller]
fn check(files: &[(&str, &str)], line: &str, expect: &[Value]) {
    let project = Project::new(files);
    project.write("t.jsonl", TRACE.as_bytes());
    let run = run(&project, &format!("simulate t.jsonl --format jsonl {line}"));
    let decisions: Vec<Value> = run
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["permission"].take())
        .collect();
    assert_eq!(decisions, expect, "{run:?}");
}

fn said(action: &str, rule: Option<&str>, mode: &str) -> Value {
    json!({ "action": action, "rule": rule, "mode": mode })
}

#[test]
fn without_a_policy_nothing_is_said_of_one() {
    check(&[("behavior.yaml", "profile: dev\n")], "", &[Value::Null, Value::Null]);
}

#[test]
fn policies_are_found_beside_the_config_and_in_the_users_directory() {
    let config = ("behavior.yaml", "profile: dev\n");
    let denied = [said("deny", Some("no rm"), "ask"), said("ask", None, "ask")];
    check(&[config, ("behavior/policy.toml", DENY_RM)], "", &denied);
    check(&[config, ("home/behavior/policy.toml", DENY_RM)], "", &denied);
    check(&[("behavior/policy.toml", DENY_RM)], "", &denied);
    // The strictest answer counts, whoever gives it.
    let both = [config, ("home/behavior/policy.toml", ALLOW_RM), ("behavior/policy.toml", DENY_RM)];
    check(&both, "", &denied);
    let both = [config, ("home/behavior/policy.toml", DENY_RM), ("behavior/policy.toml", ALLOW_RM)];
    check(&both, "", &denied);
}

#[test]
fn a_config_that_is_named_takes_the_place_of_the_projects() {
    let files =
        [("behavior/policy.toml", DENY_RM), ("other.toml", ALLOW_RM), ("last.toml", DENY_RM)];
    let allowed = [said("allow", Some("rm"), "ask"), said("ask", None, "ask")];
    check(&files, "-c other.toml", &allowed);
    check(&files, "-c other.toml -c last.toml", &allowed);
    let denied = [said("deny", Some("no rm"), "ask"), said("ask", None, "ask")];
    check(&files, "-c last.toml -c other.toml", &denied);
    let users = [("home/behavior/policy.toml", DENY_RM), ("other.toml", ALLOW_RM)];
    check(&users, "-c other.toml", &denied);
}

#[test]
fn modes_win_over_each_other() {
    let of = |project: &'static str| ("behavior/policy.toml", project);
    let yolo = of("approval_mode = \"yolo\"\n");
    let allowed = |mode| [said("allow", None, mode), said("allow", None, mode)];
    check(&[yolo], "", &allowed("yolo"));
    check(&[yolo], "--mode ask", &[said("ask", None, "ask"), said("ask", None, "ask")]);
    let edits = [said("ask", None, "autoEdit"), said("allow", None, "autoEdit")];
    check(&[yolo], "--mode auto_edit", &edits);
    let users = ("home/behavior/policy.toml", "approval_mode = \"autoEdit\"\n");
    check(&[yolo, users], "", &edits);
    let agent = of("approval_mode = \"agent\"\n");
    check(&[agent], "", &[said("none", None, "agent"), said("none", None, "agent")]);
    // A layer that has no say leaves the word to the other.
    check(&[agent, users], "", &edits);
    let project = Project::new(&[("t.jsonl", TRACE)]);
    let run = run(&project, "simulate t.jsonl --mode fast");
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("the modes are `ask`, `autoEdit`, `yolo` and `agent`"), "{run:?}");
}

#[test]
fn a_policy_with_errors_gives_nothing_to_run() {
    let broken = format!(
        "{DENY_RM}[[rules]]\nname = \"b\"\naction = \"deny\"\nreason = \"r\"\npattern = \"|\"\n"
    );
    let project = Project::new(&[
        ("behavior.yaml", "profile: dev\n"),
        ("behavior/policy.toml", &broken),
        ("t.jsonl", TRACE),
    ]);
    for line in ["simulate t.jsonl", "compile -o out.bhv", "inspect"] {
        let run = run(&project, line);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}: {run:?}");
        assert!(run.err.contains("invalid-policy-pattern"), "{line}: {run:?}");
    }
    let run = run(&project, "check --format concise");
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.out.starts_with("behavior/policy.toml:10:12: error[invalid-policy"), "{run:?}");
}

#[test]
fn denials_are_shown_and_fail() {
    let project = Project::new(&[("p.toml", DENY_RM), ("t.jsonl", TRACE)]);
    let severe = run(&project, "simulate -c p.toml t.jsonl --fail-on severe");
    assert_eq!(severe.code, 1, "{severe:?}");
    let out = &severe.out;
    assert!(out.contains("■ denied    no rm               it is gone then"), "{out}");
    assert!(out.contains("no rule covers this call, and the mode is ask"), "{out}");
    assert!(out.contains("1 denied by policy · 1 asked about"), "{out}");
    let asked = run(&project, "simulate -c p.toml t.jsonl --mode yolo --all");
    assert!(asked.out.contains("✔ allowed   policy"), "{asked:?}");
    let calm = run(&project, "simulate -c p.toml t.jsonl --mode yolo --format json");
    let summary: Value = serde_json::from_str::<Value>(&calm.out).unwrap()["summary"].take();
    let expect = json!([{ "rule": "no rm", "verdict": "deny", "count": 1 }]);
    assert_eq!(summary["permissions"], expect);
}

#[test]
fn doubts_are_told() {
    let trace = "{\"event\":\"tool_call\",\"tool\":\"bash\",\"params\":{\"command\":\"$x y\"}}\n";
    let project = Project::new(&[("p.toml", DENY_RM), ("t.jsonl", trace)]);
    let run = run(&project, "simulate -c p.toml t.jsonl --mode yolo --format jsonl");
    let decision: Value = serde_json::from_str(run.out.trim()).unwrap();
    let expect = json!({ "action": "ask", "rule": null, "mode": "yolo", "doubt": "no rm" });
    assert_eq!((&decision["permission"], &decision["verdict"]), (&expect, &json!("ask")));
}

#[test]
fn inspect_shows_the_order() {
    let admin = "[[rules]]\nname = \"first\"\naction = \"ask_user\"\npattern = \"edit\"\npriority = \"admin\"\napproval_mode = \"yolo\"\n";
    let files = [("a.toml", DENY_RM), ("b.toml", admin)];
    let project = Project::new(&files);
    let line = "inspect -c a.toml -c b.toml";
    let value: Value =
        serde_json::from_str(&run(&project, &format!("{line} --format json")).out).unwrap();
    assert_eq!(value["approval_mode"], "ask");
    let first = json!({
        "name": "first", "action": "ask", "priority": "admin", "mode": "yolo", "pattern": "edit",
        "reason": "", "span": { "file": "b.toml", "line": 1, "column": 1 },
    });
    assert_eq!(value["permissions"][0], first);
    assert_eq!(value["permissions"][1]["name"], "no rm");
    let text = run(&project, &format!("{line} --mode yolo")).out;
    assert!(text.contains("permissions in mode yolo: other calls are allowed"), "{text}");
    assert!(text.contains("ask   first  admin  only in yolo  b.toml:1:1\n      edit\n"), "{text}");
}

#[test]
fn rules_fields_and_words_are_explained() {
    let project = Project::new(&[("behavior/policy.toml", DENY_RM)]);
    for (name, expect) in [
        ("approval_mode", "What is done with calls that no rule covers"),
        ("arg_pattern", "The arguments that it is about"),
        ("dry_run_first", "It runs dry first"),
        ("invalid-policy-pattern", "A pattern of a policy that is not well formed"),
        ("no rm", "it is gone then"),
    ] {
        let mut command = project.command("explain");
        let run = Run::from(command.arg(name).output().unwrap());
        assert!(run.out.contains(expect), "{name}: {run:?}");
    }
}

#[test]
fn directories_are_searched_for_policies() {
    let broken = "[[rules]]\nname = \"b\"\naction = \"deny\"\npattern = \"\"\nreason = \"r\"\n";
    let known = "programs:\n  deployer: { same: [[f, force]] }\n";
    let escaped = "[[rules]]\nname = \"c\"\naction = \"deny\"\npattern = \"deployer --force *\"\n\
                   reason = \"r\"\n";
    let project = Project::new(&[
        ("a/behavior/policy.toml", broken),
        ("b/policy.toml", broken),
        ("c/behavior.yaml", known),
        ("c/behavior/policy.toml", escaped),
        ("d/behavior/policy.toml", escaped),
        ("e/behavior/strict.toml", broken),
        ("f/policy.toml", "[package]\nname = \"of something else\"\n"),
        ("f/gitleaks.toml", broken),
        ("node_modules/x/behavior/policy.toml", broken),
    ]);
    let places = |line: &str| -> Vec<String> {
        let out = run(&project, &format!("check --format concise {line}")).out;
        out.lines().map(|line| line.split(": ").next().unwrap().to_owned()).collect()
    };
    let all = [
        "a/behavior/policy.toml:4:11",
        "b/policy.toml:4:11",
        // What the config of its project says of a program holds for the policy too.
        "d/behavior/policy.toml:4:11",
        "e/behavior/strict.toml:4:11",
    ];
    assert_eq!(places("."), all);
    assert_eq!(places("a/behavior"), all[..1]);
    assert_eq!(places("a/ b"), all[..2]);
    assert_eq!(places("c"), [] as [&str; 0]);
    let nothing = run(&project, "check f");
    assert_eq!(nothing.code, 2, "{nothing:?}");
    assert!(nothing.err.contains("`behavior/policy.toml`"), "{nothing:?}");
    let counted = run(&project, "check c");
    assert_eq!(counted.out, "no problems in 2 files\n", "{counted:?}");
}

#[test]
fn other_programs_are_told_what_policies_deny_and_ask_about() {
    let ask = "[[rules]]\nname = \"a | b\"\naction = \"ask_user\"\npattern = \"edit\"\n";
    let allow = "[[rules]]\nname = \"reading\"\naction = \"allow\"\npattern = \"read\"\n";
    let read = "{\"event\":\"tool_call\",\"tool\":\"read\",\"params\":{}}\n";
    let other = "{\"event\":\"tool_call\",\"tool\":\"deploy\",\"params\":{}}\n";
    let opaque = "{\"event\":\"tool_call\",\"tool\":\"bash\",\"params\":{\"command\":\"$x\"}}\n";
    let project = Project::new(&[
        ("p.toml", &format!("{DENY_RM}{ask}{allow}")),
        ("t.jsonl", &format!("{TRACE}{TRACE}{read}{other}{opaque}")),
    ]);
    let simulate =
        |format: &str| run(&project, &format!("simulate -c p.toml t.jsonl --format {format}")).out;
    let github = simulate("github");
    let expect = [
        "::error file=t.jsonl,line=1,title=no rm::denied by policy: it is gone then",
        "::warning file=t.jsonl,line=2,title=a | b::asked about by policy",
        "::error file=t.jsonl,line=3,title=no rm::denied by policy: it is gone then",
        "::warning file=t.jsonl,line=4,title=a | b::asked about by policy",
        "::notice file=t.jsonl,line=6,title=policy::asked about by policy: no rule covers this call, and the mode is ask",
        "::notice file=t.jsonl,line=7,title=policy::asked about by policy: no rule covers this call, and the mode is ask",
    ];
    assert_eq!(github.lines().collect::<Vec<_>>(), expect);
    // Where lines break between elements means nothing.
    let junit = simulate("junit").replace(">\n", ">").replace("    ", "");
    for expect in [
        " tests=\"4\" skipped=\"2\" errors=\"0\" failures=\"1\">",
        "<testcase name=\"policy: no rm\" classname=\"default\"><failure message=\"denied 2 times\" type=\"deny\">line 1: bash: rm x: it is gone then\nline 3:",
        "<testcase name=\"policy: a | b\" classname=\"default\"><skipped message=\"asked about 2 times\">line 2: edit: a\n",
        "<testcase name=\"policy: reading\" classname=\"default\"/>",
        "<testcase name=\"policy: no rule\" classname=\"default\"><skipped message=\"asked about 2 times\">line 6: deploy: no rule covers",
    ] {
        assert!(junit.contains(expect), "{expect}: {junit}");
    }
    let markdown = simulate("markdown");
    for expect in [
        "**0 findings**, 2 denied, 4 asked about.",
        "| `no rm` | deny | 2 | `t.jsonl:1` |\n",
        "| `a \\| b` | ask | 2 | `t.jsonl:2` |\n",
        "| policy (no rule) | ask | 2 | `t.jsonl:6` |\n",
    ] {
        assert!(markdown.contains(expect), "{expect}: {markdown}");
    }
    // Where everything else is allowed, a doubt is what makes the user be asked.
    let doubt = run(&project, "simulate -c p.toml t.jsonl --mode yolo --format github").out;
    let expect = "::warning file=t.jsonl,line=7,title=no rm::asked about by policy: may be about this call; it is gone then\n";
    assert!(doubt.ends_with(expect), "{doubt}");
}

/// The verdicts on calls that a policy comes to.
#[track_caller]
fn check_calls(policy: &str, calls: &[(&str, Value, &str)]) {
    let project = Project::new(&[("x.toml", policy)]);
    let lines: String = calls
        .iter()
        .map(|(tool, params, _)| {
            let call = json!({ "event": "tool_call", "tool": tool, "params": params });
            format!("{call}\n")
        })
        .collect();
    project.write("t.jsonl", lines.as_bytes());
    let run = run(&project, "simulate t.jsonl -c x.toml --format jsonl --all");
    let verdicts: Vec<String> = run
        .out
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["verdict"].to_string())
        .collect();
    let expect: Vec<String> = calls.iter().map(|(.., verdict)| format!("\"{verdict}\"")).collect();
    assert_eq!(verdicts, expect, "{run:?}");
}

#[test]
fn bash_is_every_tool_that_runs_command_lines() {
    let command = || json!({ "command": "ls" });
    for pattern in ["pattern = \"bash\"", "tool_pattern = \"bash\"\narg_pattern = \"ls *\""] {
        let policy = format!(
            "approval_mode = \"yolo\"\n[[rules]]\nname = \"r\"\naction = \"deny\"\n{pattern}\n"
        );
        check_calls(
            &policy,
            &[
                ("bash", command(), "deny"),
                ("run_shell_command", command(), "deny"),
                ("PowerShell", command(), "deny"),
                ("mcp__box__exec_command", command(), "deny"),
                ("basher", command(), "allow"),
                ("read", json!({ "file_path": "bash" }), "allow"),
            ],
        );
    }
}

#[test]
fn auto_edit_knows_what_agents_call_their_editors() {
    let params = || json!({ "file_path": "a" });
    check_calls(
        "approval_mode = \"autoEdit\"\n[[rules]]\nname = \"r\"\naction = \"deny\"\npattern = \"x\"\n",
        &[
            ("replace", params(), "allow"),
            ("NotebookEdit", params(), "allow"),
            ("StrReplace", params(), "allow"),
            ("MultiEdit", params(), "allow"),
            ("replace_all_users", params(), "ask"),
        ],
    );
}

#[test]
fn arguments_without_names_are_joined() {
    check_calls(
        "approval_mode = \"yolo\"\n[[rules]]\nname = \"r\"\naction = \"deny\"\ntool_pattern = \"deploy\"\n\
         arg_pattern = \"prod eu\"\n",
        &[
            ("deploy", json!(["prod", "eu"]), "deny"),
            ("deploy", json!({ "a": "prod", "b": "eu" }), "deny"),
            ("deploy", json!(["prod", "us"]), "allow"),
        ],
    );
}

#[test]
fn a_range_that_ends_before_it_begins_is_an_error() {
    for pattern in ["re[b-a]ad", "bash(ls x[b-a])"] {
        let policy =
            format!("[[rules]]\nname = \"r\"\naction = \"allow\"\npattern = \"{pattern}\"\n");
        let run = run(&Project::new(&[("x.toml", &policy)]), "check x.toml");
        assert_eq!(run.code, 1, "{run:?}");
        assert!(run.out.contains("the range `b-a` matches nothing"), "{run:?}");
    }
    let policy =
        "[[rules]]\nname = \"r\"\naction = \"allow\"\npattern = \"re[!^-z]ad|re[a-b]ad\"\n";
    assert_eq!(run(&Project::new(&[("x.toml", policy)]), "check x.toml").code, 0);
}

#[test]
fn a_command_is_explained_in_the_mode_that_is_asked_for() {
    let policy = "approval_mode = \"ask\"\n[[rules]]\nname = \"r\"\naction = \"allow\"\npattern = \"read\"\n";
    let project = Project::new(&[("behavior/policy.toml", policy)]);
    let told = |line: &str| {
        let run = run(&project, line);
        serde_json::from_str::<Value>(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
    };
    assert_eq!(told("explain --command ls --format json")["permission"]["mode"], "ask");
    let yolo = told("explain --command ls --format json --mode yolo");
    assert_eq!(yolo["permission"]["mode"], "yolo");
    assert_eq!(yolo["verdict"], "allow");
}

#[test]
fn each_layer_has_a_state_of_its_own() {
    let files = [
        ("behavior.yaml", "rule_definitions:\n  - { id: own, trigger: bash, message: m }\n"),
        (
            "home/behavior/behavior.yaml",
            "state_tracking:\n  flags: { asked: { set_on: [bash] } }\nrule_definitions:\n  - { id: mine, trigger: bash, action: remind, message: m }\n",
        ),
    ];
    let project = Project::new(&files);
    project.write("t.jsonl", TRACE.as_bytes());
    let run = run(&project, "simulate t.jsonl --format jsonl --state");
    let decision: Value = serde_json::from_str(run.out.lines().next().unwrap()).unwrap();
    let layers: Vec<_> = decision["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| (finding["rule"].as_str().unwrap(), finding["layer"].as_str().unwrap()))
        .collect();
    assert_eq!(layers, [("mine", "user"), ("own", "project")]);
    let state = &decision["state"];
    assert!(state["flags"].get("asked").is_none(), "{state}");
    assert_eq!(state["layers"][0]["layer"], "user", "{state}");
    assert_eq!(state["layers"][0]["flags"]["asked"], false, "{state}");
}
