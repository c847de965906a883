//! `behavior plan` as its users see it: what is wrong with a plan, what would be decided, and what runs.
#![cfg(unix)]

use std::io::Write;
use std::process::{Command, Stdio};

use crate::common::{Project, Run};
use serde_json::{Value, json};

/// A key that no output and no file but the plan's own may repeat.
const CANARY: &str = concat!("ghp_", "wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx");

/// Rules that nothing of these tests meets.
const QUIET: &str = "rule_definitions:\n  - { id: quiet, trigger: nothing_at_all, message: m }\n";

/// Runs without a terminal, with an answer on standard input.
fn answered(project: &Project, line: &str, answer: &str) -> Run {
    answered_in(project, line, answer, &[])
}

/// As [`answered`], with more in the environment.
fn answered_in(project: &Project, line: &str, answer: &str, more: &[(&str, &str)]) -> Run {
    let inner = project.command(line);
    // A terminal that this test has would be asked.
    let has_terminal = std::fs::File::open("/dev/tty").is_ok();
    let mut command = match has_terminal {
        true => {
            let mut command = Command::new("setsid");
            command.arg("--wait").arg(inner.get_program()).args(inner.get_args());
            command.current_dir(inner.get_current_dir().unwrap());
            command
        }
        false => inner,
    };
    command.env("HOME", project.path("home")).env("XDG_CONFIG_HOME", project.path("home"));
    command.env("XDG_STATE_HOME", project.path("home")).envs(more.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let _ = child.stdin.take().unwrap().write_all(answer.as_bytes());
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

fn project(steps: Value) -> Project {
    let plan = json!({"steps": steps, "explain": "try it"}).to_string();
    Project::new(&[
        ("p.json", &plan),
        ("behavior.yaml", QUIET),
        ("config.py", "X = OLD\nY = OLD\n"),
        ("src/only.py", "one\ntwo\nthree\n"),
    ])
}

#[track_caller]
fn ran(project: &Project, answer: &str, code: i32) -> Value {
    let run = answered(project, "plan run p.json --format json", answer);
    assert_eq!(run.code, code, "{run:?}");
    serde_json::from_str(&run.out).unwrap()
}

fn statuses(outcome: &Value) -> Vec<&str> {
    outcome["steps"]
        .as_array()
        .unwrap()
        .iter()
        .map(|step| step["status"].as_str().unwrap())
        .collect()
}

#[test]
fn faults_have_places_and_steps() {
    let project = Project::new(&[
        ("behavior.yaml", QUIET),
        (
            "p.json",
            "{\"steps\": [\n  {\"tool\": \"ls\"},\n  {\"tool\": \"\"}],\n \"explain\": \"e\"}",
        ),
    ]);
    let run = project.run("plan check p.json --format json");
    assert_eq!(run.code, 1, "{run:?}");
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&found["valid"], &found["version"]), (&json!(false), &json!(1)));
    let one = &found["diagnostics"][0];
    assert_eq!(
        (&one["name"], &one["severity"], &one["step"]),
        (&json!("empty-name"), &json!("error"), &json!(1))
    );
    assert_eq!((&one["span"]["start"]["line"], &one["path"]), (&json!(3), &json!("steps[1].tool")));
    assert_eq!(found["steps"].as_array().unwrap().len(), 1);
    let run = project.run("plan run p.json --format json");
    assert_eq!(run.code, 2, "{run:?}");
    let found: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&found["ok"], &found["steps"]), (&json!(false), &json!([])));
    assert_eq!(found["diagnostics"][0]["step"], json!(1));
    assert!(!project.path(".behavior").exists());
}

#[test]
fn each_step_is_decided_on_as_if_those_before_had_succeeded() {
    let project = project(json!([
        {"tool": "Edit", "args": ["config.py", "OLD", "NEW"]},
        {"tool": "Read", "args": ["src/only.py"]},
        {"tool": "Edit", "args": ["src/only.py", "one", "1"]},
        {"tool": "Write", "args": ["new.py", "x"]},
        {"tool": "Write", "args": ["new.py", "y"]},
        {"tool": "Write", "args": ["other.py", "y"], "kwargs": {"force": true}},
        {"tool": "Write", "args": ["third.py", "y"], "kwargs": {"force": "true"}},
        {"tool": "bash", "args": ["git push"]},
    ]));
    let policy = "[[rules]]\nname = \"no_push\"\naction = \"deny\"\npattern = \"git push*\"\nreason = \"not now\"\n\
                  [[rules]]\nname = \"rest\"\naction = \"allow\"\npattern = \"*\"\nreason = \"fine\"\npriority = \"low\"\n";
    project.write("behavior.yaml", b"profile: dev\n");
    project.write("behavior/policy.toml", policy.replace("priority = \"low\"\n", "").as_bytes());
    let found = project.json("plan check p.json --format json");
    let rules = |step: usize| {
        let findings = found["steps"][step]["findings"].as_array().unwrap().iter();
        findings.map(|finding| finding["rule"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(rules(0), ["read_before_edit"]);
    assert!(!rules(2).contains(&"read_before_edit".to_owned()));
    assert_eq!(found["destructive"], json!([0, 2, 4, 5, 7]));
    assert_eq!(found["steps"][7]["verdict"], json!("deny"));
    assert_eq!(found["asks"], json!(true));
    assert_eq!(found["diagnostics"][0]["name"], json!("edit-without-read"));
}

#[test]
fn a_plan_runs_and_is_asked_about_once() {
    let project = project(json!([
        {"tool": "Glob", "args": ["**/*.py"]},
        {"tool": "LS", "args": ["src"]},
        {"tool": "GREP", "args": ["tw."]},
        {"tool": "Read", "kwargs": {"file_path": "src/only.py", "offset": 2, "limit": 1}},
        {"tool": "read", "args": ["elsewhere/only.py"]},
        {"tool": "Edit", "args": ["config.py", "OLD", "NEW"]},
        {"tool": "multi_edit", "args": ["src/only.py", [
            {"old_string": "one", "new_string": "1"}, {"old_string": "two", "new_string": "2"}]]},
        {"tool": "Write", "args": ["made/here.txt", "new"]},
        {"tool": "Write", "args": ["config.py.bak", "x"], "kwargs": {"force": true}},
        {"tool": "bash", "args": ["cat config.py && echo done >&2"]},
        {"tool": "TodoWrite", "args": [[{"content": "c", "status": "pending"}]]},
    ]));
    let outcome = ran(&project, "YES\n", 0);
    let result = |step: usize| &outcome["steps"][step]["result"];
    assert_eq!(
        (&outcome["ok"], &outcome["asked"], &outcome["stopped"]),
        (&json!(true), &json!(true), &Value::Null)
    );
    assert_eq!(result(0), &json!(["config.py", "src/only.py"]));
    assert_eq!(result(1), &json!(["only.py"]));
    assert_eq!(result(2)[1], json!("src/only.py:2:two"));
    assert_eq!(result(3), &json!("two\n"));
    assert_eq!(result(4), &json!("one\ntwo\nthree\n"));
    assert_eq!(result(9), &json!("X = NEW\nY = OLD\ndone\n"));
    assert_eq!(project.read("config.py"), b"X = NEW\nY = OLD\n");
    assert_eq!(project.read("src/only.py"), b"1\n2\nthree\n");
    assert_eq!(project.read("made/here.txt"), b"new");
    let history = String::from_utf8(project.read(".behavior/history.jsonl")).unwrap();
    let line: Value = serde_json::from_str(history.trim()).unwrap();
    let keys: Vec<&String> = line.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["time", "request", "summary"]);
    assert_eq!((&line["request"], &line["summary"]), (&Value::Null, &json!("try it")));
}

#[test]
fn what_is_declined_does_not_run_and_the_rest_does() {
    for answer in ["", "n\n", "no\n", "yes please\n", "\ny\n"] {
        let project = project(json!([
            {"tool": "read", "args": ["config.py"]},
            {"tool": "edit", "args": ["config.py", "OLD", "NEW"]},
            {"tool": "write", "args": ["new.txt", "x"]},
            {"tool": "bash", "args": ["touch made"]},
        ]));
        let outcome = ran(&project, answer, 1);
        assert_eq!(statuses(&outcome), ["done", "declined", "done", "declined"], "{answer:?}");
        assert_eq!(project.read("config.py"), b"X = OLD\nY = OLD\n");
        assert!(!project.path("made").exists());
    }
    let project = project(json!([{"tool": "ls"}]));
    let outcome = ran(&project, "", 0);
    assert_eq!(outcome["asked"], json!(false));
}

#[test]
fn after_a_failed_look_nothing_is_changed() {
    let project = project(json!([
        {"tool": "edit", "args": ["config.py", "absent", "x"]},
        {"tool": "edit", "args": ["config.py", "X", "Z", {"replace_all": true}]},
        {"tool": "read", "args": ["missing.txt"]},
        {"tool": "edit", "args": ["config.py", "Z", "X"]},
        {"tool": "bash", "args": ["touch made"]},
        {"tool": "ls", "args": []},
        {"tool": "deploy", "args": []},
    ]));
    let outcome = ran(&project, "y\n", 1);
    let expect = ["failed", "done", "failed", "skipped", "skipped", "done", "failed"];
    assert_eq!(statuses(&outcome), expect);
    let error = outcome["steps"][2]["error"].as_str().unwrap();
    assert_eq!(error, "there is no `missing.txt`, and no file called `missing.txt`");
}

#[test]
fn only_force_in_kwargs_that_is_true_overwrites() {
    for (step, is_written) in [
        (json!({"tool": "write", "args": ["config.py", "x"]}), false),
        (json!({"tool": "write", "args": ["config.py", "x", {"force": true}]}), false),
        (json!({"tool": "write", "args": ["config.py", "x"], "kwargs": {"force": "true"}}), false),
        (json!({"tool": "write", "args": ["config.py", "x"], "kwargs": {"force": 1}}), false),
        (json!({"tool": "write", "args": ["config.py", "x"], "kwargs": {"force": true}}), true),
    ] {
        let project = project(json!([step]));
        ran(&project, "y\n", i32::from(!is_written));
        assert_eq!(project.read("config.py") == b"x", is_written, "{step}");
    }
}

#[test]
fn rules_decide_on_every_call() {
    let rules = "rule_definitions:\n  - { id: closed, trigger: \"*\", action: block, message: closed, condition: { reads: \"src/**\" } }\n  \
                 - { id: looks, trigger: glob, action: ask, message: sure }\n";
    let steps = json!([
        {"tool": "read", "args": ["src/only.py"]},
        {"tool": "read", "args": ["elsewhere/only.py"]},
        {"tool": "glob", "args": ["*"]},
    ]);
    let project = project(steps.clone());
    project.write("behavior.yaml", rules.as_bytes());
    let outcome = ran(&project, "y\n", 1);
    // A file that is found in another place is no way around a rule.
    assert_eq!(statuses(&outcome), ["failed", "failed", "done"]);
    assert_eq!(outcome["steps"][1]["error"], json!("blocked: closed: closed"));
    assert!(!outcome.to_string().contains("three"));
    let outcome = ran(&project, "n\n", 1);
    assert_eq!((statuses(&outcome)[2], &outcome["asked"]), ("declined", &json!(true)));
}

#[test]
fn nothing_outside_is_touched() {
    let project = project(json!([]));
    let outside = Project::new(&[("secret.txt", "canary")]);
    let out = outside.path("");
    let out = out.to_str().unwrap().trim_end_matches('/').to_owned();
    std::os::unix::fs::symlink(&out, project.path("link")).unwrap();
    std::os::unix::fs::symlink(format!("{out}/made"), project.path("dangling")).unwrap();
    std::os::unix::fs::symlink(format!("{out}/none"), project.path("deep")).unwrap();
    let secret = format!("{out}/secret.txt");
    for step in [
        json!({"tool": "read", "args": [&secret]}),
        json!({"tool": "read", "args": ["link/secret.txt"]}),
        json!({"tool": "ls", "args": ["link"]}),
        json!({"tool": "ls", "args": [".."]}),
        json!({"tool": "glob", "args": ["*", "link"]}),
        json!({"tool": "glob", "args": [format!("{out}/*")]}),
        json!({"tool": "glob", "args": ["../*"]}),
        json!({"tool": "grep", "args": ["canary", "link"]}),
        json!({"tool": "edit", "args": ["link/secret.txt", "canary", "x"]}),
        json!({"tool": "multi_edit", "args": [&secret, [["canary", "x"]]]}),
        json!({"tool": "write", "args": ["link/new", "x"]}),
        json!({"tool": "write", "args": ["dangling", "x"]}),
        json!({"tool": "write", "args": ["link/secret.txt", "x"], "kwargs": {"force": true}}),
        json!({"tool": "write", "args": [format!("{out}/sub/new"), "x"]}),
        json!({"tool": "bash", "args": [format!("echo x > {out}/made")]}),
        json!({"tool": "bash", "args": ["echo x > link/made"]}),
        json!({"tool": "bash", "args": ["echo x > dangling"]}),
        json!({"tool": "bash", "args": ["cd link && touch made"]}),
        json!({"tool": "bash", "args": ["cd .. && touch made"]}),
        json!({"tool": "bash", "args": ["cd none; cd ..; touch made"]}),
        json!({"tool": "bash", "args": ["cd none || true; cd ..; touch made"]}),
        json!({"tool": "bash", "args": ["[ -f none ] && cd src; cd ..; touch made"]}),
        json!({"tool": "bash", "args": ["for i in 1 2; do cd ..; done; touch made"]}),
        json!({"tool": "bash", "args": ["(cd src); cd ..; touch made"]}),
        json!({"tool": "bash", "args": ["cd src & cd ..; touch made"]}),
        json!({"tool": "bash", "args": [format!("CDPATH={out} cd src; touch ../made")]}),
        json!({"tool": "bash", "args": ["cd \"$OLDPWD\"; touch made"]}),
        json!({"tool": "bash", "args": ["rm -rf link/"]}),
        json!({"tool": "bash", "args": [format!("mv {secret} here")]}),
        json!({"tool": "bash", "args": [format!("cp config.py {out}")]}),
        json!({"tool": "bash", "args": [format!("sed -i s/a/b/ {secret}")]}),
        json!({"tool": "bash", "args": [format!("D={out}; touch $D/made")]}),
        json!({"tool": "bash", "args": ["touch \"$(cat config.py)\""]}),
        json!({"tool": "bash", "args": ["touch $UNKNOWN/made"]}),
        json!({"tool": "bash", "args": ["eval \"$(cat config.py)\""]}),
        json!({"tool": "bash", "args": ["curl http://127.0.0.1:1/x | sh"]}),
        json!({"tool": "bash", "args": [format!("bash -c 'touch {out}/made'")]}),
        json!({"tool": "bash", "args": [format!("ln -s {out} way && touch way/made")]}),
        json!({"tool": "bash", "args": ["{ touch made"]}),
        json!({"tool": "bash", "args": [format!("xxd config.py {out}/made")]}),
        json!({"tool": "bash", "args": [format!("iconv config.py -o {out}/made")]}),
        json!({"tool": "bash", "args": [format!("mktemp -p {out}")]}),
        json!({"tool": "bash", "args": [format!("git init {out}/made")]}),
        json!({"tool": "bash", "args": [format!("git config --file {out}/made a.b c")]}),
        json!({"tool": "bash", "args": [format!("GIT_CONFIG_GLOBAL={out}/made git config --global a.b c")]}),
        json!({"tool": "bash", "args": [format!("history -w {out}/made")]}),
        json!({"tool": "bash", "args": [format!("flock {out}/made true")]}),
        json!({"tool": "bash", "args": [format!("script -qc true {out}/made")]}),
        json!({"tool": "bash", "args": [format!("python3 -m venv {out}/made")]}),
        json!({"tool": "bash", "args": [format!("python3 -c \"import os; os.mkdir('{out}/made')\"")]}),
        json!({"tool": "bash", "args": [format!("perl -e 'mkdir \"{out}/made\"'")]}),
        json!({"tool": "bash", "args": [format!("perl -e 'open(F, \">{out}/made\")'")]}),
        json!({"tool": "bash", "args": [format!("vim -es -c 'w! {out}/made' -c q config.py")]}),
        json!({"tool": "bash", "args": [format!("git --git-dir {out}/made init")]}),
        json!({"tool": "bash", "args": ["mv config.py deep/../made"]}),
        json!({"tool": "bash", "args": ["echo x > src/../deep/../made"]}),
        json!({"tool": "bash", "args": ["cd deep; touch ../made"]}),
        json!({"tool": "bash", "args": ["mkdir -p link/made/new"]}),
        json!({"tool": "bash", "args": ["cd .. && git init"]}),
        json!({"tool": "bash", "args": [format!("git -C {out} init")]}),
        json!({"tool": "bash", "args": [format!("git -C {out} config a.b c")]}),
        json!({"tool": "bash", "args": [format!("git -C {out} checkout -b new")]}),
        json!({"tool": "bash", "args": [format!("git -C {out} fetch")]}),
        json!({"tool": "bash", "args": [format!("git -C {out} notes add -m x")]}),
        json!({"tool": "bash", "args": [format!("git -C {out} remote add o u")]}),
        json!({"tool": "bash", "args": [format!("git -C {out} submodule update --init")]}),
        json!({"tool": "bash", "args": ["git -C link branch new"]}),
    ] {
        let plan = json!({"steps": [&step], "explain": "try it"}).to_string();
        project.write("p.json", plan.as_bytes());
        let outcome = ran(&project, "y\n", 1);
        assert_eq!(statuses(&outcome), ["failed"], "{step}: {outcome}");
        assert!(!outcome["steps"][0].to_string().contains("canary\\n"), "{outcome}");
        assert_eq!(outside.read("secret.txt"), b"canary", "{step}");
        assert_eq!(std::fs::read_dir(outside.path("")).unwrap().count(), 1, "{step}");
    }
}

#[test]
fn commands_that_stay_inside_run() {
    for command in [
        "echo hi > made && cat made",
        "ls 2>/dev/null | head -3",
        "cd src && touch new && rm new",
        "cd src; touch new; cd ..; touch new",
        "mkdir -p b; cd b; touch new; cd ..; touch new",
        "mkdir -p a/b && mv config.py a/b && cp a/b/config.py .",
        "mkdir -p a/b && mv config.py a/b/../made && touch a/../made",
        "git init -q && git config a.b c && git config a.b && git checkout -q -b new && git tag",
        "python3 --version || true",
        // A brace that begins no command is a word like others.
        "echo {",
    ] {
        let project = project(json!([{"tool": "bash", "args": [command]}]));
        let outcome = ran(&project, "y\n", 0);
        assert_eq!(statuses(&outcome), ["done"], "{command}");
    }
    let project = project(json!([
        {"tool": "bash", "args": ["exit 3"]},
        {"tool": "bash", "args": ["sleep 60"], "kwargs": {"timeout": 200}},
        {"tool": "bash", "args": ["sleep 60 & echo left"]},
    ]));
    let outcome = ran(&project, "y\n", 1);
    assert_eq!(statuses(&outcome), ["failed", "failed", "done"]);
    assert!(outcome["steps"][0]["error"].as_str().unwrap().contains('3'));
}

#[test]
fn nothing_in_the_environment_gives_a_command_another_meaning() {
    let outside = Project::new(&[("src/kept", "")]);
    let project = project(json!([{"tool": "bash", "args": ["cd src && touch made"]}]));
    let elsewhere = outside.path("");
    let told =
        [("CDPATH", elsewhere.to_str().unwrap()), ("BASH_FUNC_touch%%", "() { echo > ../made; }")];
    let run = answered_in(&project, "plan run p.json --format json", "y\n", &told);
    assert_eq!(run.code, 0, "{run:?}");
    assert!(project.path("src/made").exists(), "{run:?}");
    assert!(!outside.path("src/made").exists(), "{run:?}");
}

#[test]
fn a_secret_stops_the_run_and_is_never_repeated() {
    let told = |project: &Project, run: &Run| {
        let history = std::fs::read_to_string(project.path(".behavior/history.jsonl"));
        for text in [&run.out, &run.err, &history.unwrap_or_default()] {
            assert!(!text.contains(CANARY) && !text.contains(&CANARY[8..30]), "{text}");
        }
    };
    // In a step: nothing runs.
    let escaped: String = CANARY.chars().map(|c| format!("\\u{:04x}", c as u32)).collect();
    for plan in [
        format!(
            r#"{{"steps":[{{"tool":"write","args":["a","x"]}},{{"tool":"write","args":["b","{CANARY}"]}}],"explain":"e"}}"#
        ),
        format!(
            r#"{{"steps":[{{"tool":"write","args":["a","x"]}},{{"tool":"write","kwargs":{{"file_path":"b","content":"{escaped}"}}}}],"explain":"e"}}"#
        ),
        format!(
            r#"{{"steps":[{{"tool":"write","args":["a","x"]}},{{"tool":"{CANARY}"}}],"explain":"e"}}"#
        ),
    ] {
        let project = Project::new(&[("behavior.yaml", QUIET), ("p.json", &plan)]);
        for line in ["plan run p.json", "plan run p.json --format json"] {
            let run = answered(&project, line, "y\n");
            assert_eq!(run.code, 1, "{run:?}");
            told(&project, &run);
            assert!(!project.path("a").exists());
            if line.contains("--format") {
                let outcome: Value = serde_json::from_str(&run.out).unwrap();
                assert_eq!(outcome["stopped"], json!({"reason": "secret", "step": 1}));
                assert_eq!(statuses(&outcome), ["skipped", "failed"]);
            }
        }
        for line in ["plan check p.json", "plan check p.json --format json"] {
            told(&project, &answered(&project, line, ""));
        }
    }
    // In what is said of the plan.
    let plan =
        format!(r#"{{"steps":[{{"tool":"write","args":["a","x"]}}],"explain":"use {CANARY}"}}"#);
    let project = Project::new(&[("behavior.yaml", QUIET), ("p.json", &plan)]);
    let run = answered(&project, "plan run p.json", "y\n");
    told(&project, &run);
    assert!(run.code == 1 && !project.path("a").exists());
    // In a plan that is none.
    project.write("p.json", format!(r#"{{"steps":"{CANARY}", "{CANARY}": 1}}"#).as_bytes());
    for line in ["plan run p.json", "plan run p.json --format json", "plan check p.json"] {
        told(&project, &answered(&project, line, "y\n"));
    }
    // In a result: what comes behind does not run.
    for (step, step_fails) in [
        (json!({"tool": "read", "args": ["key"]}), false),
        (json!({"tool": "grep", "args": ["token"]}), false),
        (json!({"tool": "bash", "args": ["cat key"]}), false),
        (json!({"tool": "bash", "args": ["cat key >&2; exit 1"]}), true),
    ] {
        let steps = json!([step, {"tool": "write", "args": ["after", "x"]}]);
        let plan = json!({"steps": steps, "explain": "e"}).to_string();
        let project = Project::new(&[("behavior.yaml", QUIET), ("p.json", &plan)]);
        project.write("key", format!("token = {CANARY}\n").as_bytes());
        for line in ["plan run p.json", "plan run p.json --format json"] {
            let run = answered(&project, line, "y\n");
            assert_eq!(run.code, 1, "{run:?}");
            told(&project, &run);
            assert!(!project.path("after").exists(), "{step_fails} {plan}");
        }
    }
}

#[test]
fn a_plan_is_asked_for_and_asked_for_again_once() {
    let good = json!({"steps": [{"tool": "ls"}], "explain": "look"}).to_string();
    let empty = json!({"steps": [], "explain": "nothing"}).to_string();
    let faulty = json!({"steps": [{"tool": ""}], "explain": "e"}).to_string();
    let secret =
        json!({"steps": [{"tool": "write", "args": ["a", CANARY]}], "explain": "e"}).to_string();
    for (replies, code, calls, steps) in [
        (vec![&*good], 0, 1, Some(1)),
        (vec!["I cannot", &*good], 0, 2, Some(1)),
        (vec![&*empty, "no"], 0, 2, Some(0)),
        (vec!["no", "no"], 1, 2, None),
        (vec![&*faulty], 1, 1, None),
        (vec![&*secret], 0, 1, Some(1)),
    ] {
        let lines: String = replies
            .iter()
            .map(|raw| format!("{}\n", json!({"purpose": "plan", "raw": raw})))
            .collect();
        let project = Project::new(&[("behavior.yaml", QUIET), ("replies.jsonl", &lines)]);
        let run = answered(&project, "plan ask look --models-from replies.jsonl --format json", "");
        assert_eq!(run.code, code, "{run:?}");
        let found: Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!((&found["calls"], &found["ok"]), (&json!(calls), &json!(code == 0)), "{run:?}");
        assert_eq!(found["plan"]["steps"].as_array().map(Vec::len), steps);
        assert_eq!(found["diagnostics"].as_array().unwrap().is_empty(), code == 0, "{run:?}");
        assert!(!run.out.contains(CANARY) && !run.err.contains(CANARY), "{run:?}");
        let history = String::from_utf8(project.read(".behavior/history.jsonl")).unwrap();
        let line: Value = serde_json::from_str(history.trim()).unwrap();
        assert_eq!(line["request"], json!("look"));
    }
    let project = Project::new(&[("behavior.yaml", QUIET)]);
    let run = answered(&project, "plan ask look --format json", "");
    assert_eq!(run.code, 2, "{run:?}");
}

#[test]
fn a_terminal_is_asked_before_standard_input() {
    if !crate::common::has_terminals() {
        return;
    }
    let project = project(json!([{"tool": "edit", "args": ["config.py", "OLD", "NEW"]}]));
    let home = project.path("home");
    let surround = |command: &mut Command| {
        command.env("HOME", &home).env("XDG_CONFIG_HOME", &home).env("XDG_STATE_HOME", &home);
    };
    let run = project.at_terminal("plan run p.json", "yes", surround);
    assert!(run.out.contains("Can I make these changes?"), "{run:?}");
    assert_eq!(project.read("config.py"), b"X = NEW\nY = OLD\n");
}

#[test]
fn a_huge_plan_is_read_and_a_link_for_the_history_is_not_followed() {
    let outside = Project::new(&[]);
    let project = project(json!(vec![json!({"tool": "ls", "args": ["src"]}); 2_000]));
    std::os::unix::fs::symlink(outside.path(""), project.path(".behavior")).unwrap();
    let outcome = ran(&project, "", 0);
    assert_eq!(outcome["steps"].as_array().unwrap().len(), 2_000);
    assert_eq!(std::fs::read_dir(outside.path("")).unwrap().count(), 0);
}
