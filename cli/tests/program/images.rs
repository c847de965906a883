//! `compile`, `inspect`, `profiles`, `completions`: from rule files to images and what they show.

use crate::common::Project;
use behavior_image::format::{FORMAT_VERSION, LANGUAGE_VERSION};
use serde_json::{Value, json};

const CONFIG: &str = "profile: dev
rule_definitions:
  - id: backup_first
    description: Make a backup before changing tables.
    trigger: query
    action: block
    condition: param(sql) matches \"DELETE\" and not flag(backup_created)
    message: Make a backup.
state_tracking:
  sets: { tables: { add_on: [describe], target: table, window_turns: 4, fingerprint: true } }
  counters:
    queries: { increment_on: [query], reset_when: { tool: bash, param: command, matches: vacuum } }
  flags: { backup_created: { set_on: [backup], unset_on: [restore] } }
";

#[test]
fn an_image_shows_what_its_rule_file_shows() {
    let project = Project::new(&[("behavior.yaml", CONFIG)]);
    let run = project.run("compile -o out.bhv");
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{run:?}");
    let bytes = project.read("out.bhv").len();
    assert!(run.err.ends_with(&format!("wrote out.bhv: 15 rules, {bytes} bytes\n")), "{run:?}");
    let from_image = project.json("inspect out.bhv --format json");
    assert_eq!(from_image, project.json("inspect --format json"));
    assert_eq!(from_image, project.json("inspect behavior.yaml --format json"));
    assert_eq!(from_image["image"]["bytes"], bytes);
}

#[test]
fn inspect_tells_everything_the_contract_names() {
    let value = Project::new(&[("behavior.yaml", CONFIG)]).json("inspect --format json");
    let first = &value["rules"][0];
    assert_eq!(first["id"], "backup_first");
    assert_eq!(first["phase"], "pre_tool");
    assert_eq!(first["action"], "block");
    assert_eq!(first["origin"], "config");
    assert_eq!(first["span"], json!({ "file": "behavior.yaml", "line": 3, "column": 5 }));
    assert_eq!(first["worst_case_steps"], 4);
    assert_eq!(first["trigger"], "query");
    assert_eq!(first["disassembly"].as_array().unwrap().len(), 4);
    assert_eq!(value["rules"].as_array().unwrap().len(), 15);
    assert_eq!(value["thresholds"]["max_blind_reads"], 2);
    let state = &value["state"];
    assert_eq!(state["sets"]["tables"]["add_on"], json!(["describe"]));
    assert_eq!(state["sets"]["tables"]["window_turns"], 4);
    assert_eq!(state["sets"]["tables"]["fingerprint"], true);
    assert_eq!(state["sets"]["read_files"]["window_turns"], Value::Null);
    assert_eq!(state["counters"]["queries"]["increment_on"], json!(["query"]));
    let reset = json!([{ "tool": "bash", "param": "command", "matches": "vacuum" }]);
    assert_eq!(state["counters"]["queries"]["reset_when"], reset);
    assert_eq!(
        state["flags"]["backup_created"],
        json!({ "set_on": ["backup"], "unset_on": ["restore"] })
    );
    assert_eq!((&value["permissions"], &value["monitors"]), (&json!([]), &json!([])));
    let image = &value["image"];
    assert_eq!(image["format"], json!(FORMAT_VERSION));
    assert_eq!(image["language"], json!(LANGUAGE_VERSION));
    assert_eq!(image["identity"].as_str().unwrap().len(), 16);
    let sections = image["sections"].as_object().unwrap();
    let sum: u64 = sections.values().map(|bytes| bytes.as_u64().unwrap()).sum();
    assert!(sum > 0 && sum <= image["bytes"].as_u64().unwrap());
    assert_eq!(value["profile"], "dev");
    assert!(value["prompt"].as_str().unwrap().contains("- backup_first: Make a backup"));
}

#[test]
fn thresholds_stand_in_conditions_as_numbers() {
    let value = Project::new(&[]).json("inspect --profile data --format json");
    let rules = value["rules"].as_array().unwrap();
    let condition = |id: &str| {
        let rule = rules.iter().find(|rule| rule["id"] == id).unwrap();
        rule["condition"].as_str().unwrap().to_owned()
    };
    assert_eq!(condition("test_after_changes"), "counter(changes_since_test) >= 3");
    assert_eq!(condition("max_sequential_same_tool"), "consecutive >= 10");
}

#[test]
fn inspect_for_people_shows_steps_when_asked() {
    let project = Project::new(&[]);
    let run = project.run("inspect");
    assert_eq!(run.err, "note: no `behavior.yaml` found: using the built-in `dev` preset\n");
    assert!(run.out.contains("\n  read_before_edit "), "{run:?}");
    assert!(run.out.contains("\nclassifier off\n"), "{run:?}");
    assert!(!run.out.contains("target_not_in_set"), "{run:?}");
    assert!(project.run("inspect -v").out.contains("target_not_in_set        read_files"));
    assert_eq!(project.run("inspect -q").out.lines().count(), 1);
}

#[test]
fn what_is_no_image_is_refused_with_a_reason() {
    let project = Project::new(&[]);
    project.run("compile --profile dev -o whole.bhv");
    let whole = project.read("whole.bhv");
    let check = |bytes: &[u8], expect: &str| {
        project.write("broken.bhv", bytes);
        let run = project.run("inspect broken.bhv");
        assert_eq!((run.code, run.out.as_str()), (2, ""));
        assert!(run.err.starts_with("error: `broken.bhv`: "), "{run:?}");
        assert!(run.err.contains(expect), "{run:?}");
    };
    check(&whole[..whole.len() - 1], "the image is damaged");
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    check(&flipped, "the image is damaged");
    let mut newer = whole.clone();
    newer[4] += 1;
    check(&newer, "compile the rules again");
    check(b"profile: dev\n", "not a compiled image");
    check(b"", "not a compiled image");
    // An image is known by its content too.
    project.write("whole", &whole);
    assert_eq!(project.run("inspect whole -q").code, 0);
}

#[test]
fn compile_writes_a_whole_image_or_nothing() {
    let bad = "rules: { nope: true }\n";
    let project = Project::new(&[("bad.yaml", bad), ("good.yaml", "profile: dev\n")]);
    let run = project.run("compile bad.yaml -o out.bhv");
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.contains("error[unknown-field]"), "{run:?}");
    assert!(!project.path("out.bhv").exists());
    let check = |line: &str, expect: &str| {
        let run = project.run(line);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.err.contains(expect), "{run:?}");
    };
    check("compile -o out.bhv", "nothing to compile");
    check("compile good.yaml -o good.yaml", "would take its place");
    check("compile good.yaml -o no/such/place", "cannot write `no/such/place`");
    assert_eq!(project.run("compile good.yaml -q -o out.bhv").err, "");
    check("compile out.bhv -o two.bhv", "is compiled already");
    check("inspect out.bhv -c good.yaml", "does not compose");
    let piped = project.command("compile good.yaml -o -").output().unwrap();
    assert_eq!(piped.stdout, project.read("out.bhv"));
    let names = std::fs::read_dir(project.path(".")).unwrap();
    assert_eq!(names.count(), 3, "no temporary file is left");
}

#[test]
fn a_preset_as_yaml_behaves_as_the_preset() {
    for preset in ["dev", "coding", "research", "data", "creative", "assistant"] {
        let project = Project::new(&[]);
        let run = project.run(&format!("profiles {preset} --as-yaml"));
        assert_eq!(run.code, 0);
        let expect = project.json(&format!("inspect --profile {preset} --format json"));
        project.write("behavior.yaml", run.out.as_bytes());
        assert_eq!(project.run("check").out, "no problems in 1 file\n", "{preset}");
        let found = project.json("inspect --format json");
        for part in ["rules", "thresholds", "state", "prompt"] {
            assert_eq!(found[part], expect[part], "{part} of {preset}");
        }
    }
}

#[test]
fn a_profile_with_rules_of_its_own_is_given_as_its_file() {
    let project = Project::new(&[]);
    let run = project.run("profiles read_control --as-yaml");
    assert_eq!(run.code, 0);
    let expect = project.json("inspect --profile read_control --format json");
    project.write("behavior.yaml", run.out.as_bytes());
    assert_eq!(project.run("check").out, "no problems in 1 file\n");
    let found = project.json("inspect --format json");
    for part in ["state", "prompt", "turn_reminder"] {
        assert_eq!(found[part], expect[part], "{part}");
    }
    assert_eq!(found["turn_reminder"], "response-rules-reminder.md");
    assert_eq!(found["on_error"], json!(null));
    let read_files = json!({
        "add_on": [],
        "add_on_call": ["read"],
        "add_on_success": ["apply_patch", "edit", "multi_edit", "notebook_edit", "write"],
        "targets": ["file_path"],
        "window_turns": 4,
        "fingerprint": true,
    });
    assert_eq!(found["state"]["sets"]["read_files"], read_files);
    project.write("behavior.yaml", b"profile: read_control\non_error: deny\nturn_reminder: a.md\n");
    let own = project.json("inspect --format json");
    assert_eq!((&own["on_error"], &own["turn_reminder"]), (&json!("deny"), &json!("a.md")));
}

#[test]
fn profiles_of_the_project_stand_beside_the_presets() {
    let own = "name: Strict\ndescription: Ours.\nextends: assistant\n\
               rules: { autonomy: low, max_blind_reads: 4, delegate_complex: true }\n";
    let project = Project::new(&[
        ("behavior.yaml", "profile: strict\n"),
        ("behavior/strict.yaml", own),
        ("behavior/broken.yaml", "rules: { nope: true }\n"),
    ]);
    let list = project.json("profiles --format json");
    let names: Vec<&str> = list["profiles"]
        .as_array()
        .unwrap()
        .iter()
        .map(|profile| profile["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "dev",
            "coding",
            "research",
            "data",
            "creative",
            "assistant",
            "read_control",
            "guard",
            "discovery_first",
            "broken",
            "strict",
        ]
    );
    assert!(project.run("profiles").out.contains("run `behavior check behavior/broken.yaml`"));
    let strict = project.json("profiles strict --format json");
    let ids: Vec<&str> = strict["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| rule["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        ids,
        [
            "read_before_edit",
            "read_before_write_existing",
            "confirm_destructive",
            "web_search_when_unknown",
            "delegate_complex",
        ]
    );
    assert_eq!(strict["settings"]["autonomy"], "low");
    assert_eq!(strict["settings"]["verbosity"], "normal");
    assert_eq!(strict["thresholds"]["max_blind_reads"], 4);
    assert_eq!(strict["origin"], "project");
    assert_eq!(project.run("profiles strict --as-yaml").out, own);
    let prompt = project.run("profiles strict --prompt").out;
    assert!(prompt.starts_with("# Behaviour rules: Strict\n"), "{prompt}");
    assert_eq!(project.run("profiles broken").code, 2);
    let unknown = project.run("profiles strcit");
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("did you mean `strict`?"), "{unknown:?}");
    // The list is found from below the project's root, too.
    project.write("src/main.rs", b"");
    let below = project.command("profiles --format json").current_dir(project.path("src")).output();
    let below: Value = serde_json::from_slice(&below.unwrap().stdout).unwrap();
    assert_eq!(below["profiles"][10]["file"], "../behavior/strict.yaml");
}

#[test]
fn completions_name_the_subcommands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = Project::new(&[]).run(&format!("completions {shell}"));
        assert_eq!(run.code, 0);
        assert!(run.out.contains("simulate") && run.out.contains("as-yaml"), "{shell}");
    }
}

#[cfg(unix)]
#[test]
fn a_reader_who_goes_away_is_no_error() {
    use std::process::Stdio;
    let project = Project::new(&[]);
    let mut child = project
        .command("profiles dev --prompt")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{output:?}");
}
