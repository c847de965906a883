//! `explain`: every name means something, and every decision has its reasons.

use crate::common::{Project, Run};
use behavior_compiler::conditions;
use behavior_compiler::registry::diagnostics;
use serde_json::{Value, json};

const RULES: &str = r#"rule_definitions:
  - id: careful_edit
    description: Look first.
    trigger: edit
    condition:
      all:
        - target_not_in_set: read_files
        - counter_gte: { name: edits, value: 2 }
    message: "Read `{target}` ({counter:edits})."
  - id: new_only
    trigger: [edit, write]
    condition: target exists
  - id: far_off
    trigger: edit
    condition: flag(ready) and target in read_files
  - id: other_tool
    trigger: bash
state_tracking:
  counters: { edits: { increment_on: [edit] } }
  flags: { ready: { set_on: [deploy] } }
classify_turns: true
classifier: { frequency: every_n_turns, frequency_n: 2 }
"#;

const TRACE: &str = r#"{"event":"turn_start","text":"rename it"}
{"event":"tool_call","id":"1","tool":"edit","params":{"file_path":"a.rs"}}
{"event":"tool_result","id":"1"}
{"event":"tool_result","tool":"edit","params":{"file_path":"a.rs"}}
{"event":"tool_call","id":"2","tool":"edit","params":{"file_path":"b.rs"}}
{"event":"turn_start","text":"now the tests"}
{"event":"classifier_reply","raw":"{\"complexity\":\"vast\",\"approach\":\"direct\",\"risk\":\"low\",\"directives\":[\"Be brief\"]}"}
"#;

fn project() -> Project {
    Project::new(&[("behavior.yaml", RULES), ("t.jsonl", TRACE)])
}

#[test]
fn every_diagnostic_and_condition_is_explained() {
    let project = Project::new(&[]);
    let names = diagnostics::ALL.iter().map(|kind| kind.name).chain(conditions::names());
    for name in names {
        let run = project.run(&format!("explain {name}"));
        assert_eq!(run.code, 0, "{name}: {run:?}");
        assert!(run.out.starts_with(name) && run.out.lines().count() > 2, "{name}: {run:?}");
    }
}

#[test]
fn diagnostics_are_explained_with_what_gets_them() {
    let project = Project::new(&[]);
    let run = project.run("explain yaml-tag");
    let expect = "\
yaml-tag  diagnostic
  A YAML tag such as `!include`.

  Tags can make a loader build arbitrary values, so rule files do not have them. Write the value
  plainly.

  level  error

  in behavior.yaml:
    profile: !!str dev

  instead:
    profile: dev
";
    assert_eq!(run.out, expect);

    let object = project.json("explain agent-told-later --format json");
    let examples = object["meanings"][0]["examples"].as_array().expect("examples");
    let titles: Vec<_> = examples.iter().map(|example| &example["title"]).collect();
    assert_eq!(titles, ["in behavior.yaml, with --agent gemini-cli", "instead"]);
    // Every line stands where it stands in the file.
    let text = examples[0]["text"].as_str().expect("a text");
    assert!(text.starts_with("rule_definitions:\n  - id: look_twice\n    trigger: "), "{text}");
}

#[test]
fn rules_fields_placeholders_and_presets_are_explained() {
    let project = project();
    let check = |name: &str, expect: &[&str]| {
        let object = project.json(&format!("explain {name} --format json"));
        let kinds = object["meanings"].as_array().expect(name).iter().map(|m| m["kind"].clone());
        assert_eq!(kinds.collect::<Vec<_>>(), expect, "{name}");
    };
    check("careful_edit", &["rule of the config"]);
    check("read_before_edit", &["built-in rule"]);
    check("rules.read_before_edit", &["built-in rule"]);
    check("max_sequential_same_tool", &["built-in rule", "threshold"]);
    check("dev", &["preset"]);
    check("rule_definitions.trigger", &["field"]);
    check("classifier.frequency", &["field"]);
    check("counter:edits", &["placeholder of messages"]);
    check("pre_tool", &["value"]);
    check("target", &["placeholder of messages", "field", "value"]);
    let run = project.run("explain careful_edit");
    assert!(run.out.contains("Read `{target}` ({counter:edits})."), "{run:?}");
    assert!(run.out.contains("behavior.yaml:2:5"), "{run:?}");
}

#[test]
fn unknown_names_get_a_hint() {
    let check = |name: &str, expect: &str| {
        let run = project().run(&format!("explain {name}"));
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{run:?}");
        assert!(run.err.contains(expect), "{run:?}");
    };
    check("target_in_sett", "did you mean `target_in_set`?");
    check("careful_edits", "did you mean `careful_edit`?");
    check("xyzzyplugh", "nothing is called `xyzzyplugh`");
}

fn rule<'v>(object: &'v Value, id: &str) -> &'v Value {
    let rules = object["rules"].as_array().expect("rules");
    rules.iter().find(|rule| rule["rule"] == id).expect(id)
}

#[test]
fn what_did_not_fire_shows_the_test_that_decided() {
    let object = project().json("explain --trace t.jsonl --at 1 --format json");
    assert_eq!((&object["event"], &object["verdict"]), (&json!("tool_call"), &json!("allow")));
    let careful = rule(&object, "careful_edit");
    assert_eq!(careful["outcome"], "did_not_fire");
    assert_eq!(careful["near_miss"], true);
    let expect = json!({
        "condition": "counter(edits) >= 2", "result": "false", "saw": "edits is 0",
        "span": { "file": "behavior.yaml", "line": 8, "column": 11 },
    });
    assert_eq!(careful["deciding"], expect);
    assert_eq!(careful["steps"][0]["result"], "true");
    let far = rule(&object, "far_off");
    assert_eq!((&far["outcome"], &far["near_miss"]), (&json!("did_not_fire"), &json!(false)));
    assert_eq!(far["steps"].as_array().map(Vec::len), Some(1));
    let new = rule(&object, "new_only");
    assert_eq!(new["outcome"], "undecided");
    assert_eq!(new["needs"], "whether `a.rs` exists");
    assert_eq!(object["not_concerned"][0]["rule"], "other_tool");
}

#[test]
fn what_fired_shows_its_message() {
    let project = project();
    let object = project.json("explain --trace t.jsonl --at 4 --format json");
    let careful = rule(&object, "careful_edit");
    assert_eq!(careful["outcome"], "fired");
    assert_eq!(careful["message"], "Read `b.rs` (2).");
    assert_eq!(careful["deciding"]["saw"], "edits is 2");
    let run = project.run("explain --trace t.jsonl --at 4 --rule careful_edit");
    let expect = "\
event 4, line 5 of t.jsonl
  edit  b.rs
  turn 1 of session default: allowed

careful_edit  fired  warn · behavior.yaml:2:5
    Read `b.rs` (2).
    ✔ target not in read_files
      target is `b.rs`, read_files holds 0 · behavior.yaml:7:11
    ✔ counter(edits) >= 2  ← decided
      edits is 2 · behavior.yaml:8:11

";
    assert_eq!(run.out, expect);
}

#[test]
fn the_classifier_is_explained_on_turns_and_replies() {
    let project = Project::new(&[
        ("behavior.yaml", &format!("{RULES}brain: {{ provider: x, model: y }}\n")),
        ("t.jsonl", TRACE),
    ]);
    let first = project.json("explain --trace t.jsonl --at 0 --format json");
    assert_eq!(first["classifier"]["reason"], "frequency");
    let second = project.json("explain --trace t.jsonl --at 5 --format json");
    assert_eq!(second["classifier"]["runs"], true);
    let prompt = second["classifier"]["prompt"]["user"].as_str().expect("a prompt");
    assert!(prompt.contains("now the tests") && prompt.contains("rename it"), "{prompt}");
    let reply = project.json("explain --trace t.jsonl --at 6 --format json");
    assert_eq!(reply["reply"]["complexity"], "moderate");
    assert_eq!(reply["problems"].as_array().map(Vec::len), Some(1), "{reply}");
    assert!(reply["directive"].as_str().is_some_and(|text| text.contains("1. Be brief")));
}

#[test]
fn events_and_rules_that_are_not_there_are_said() {
    let check = |line: &str, expect: &str| {
        let run = project().run(line);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}: {run:?}");
        assert!(run.err.contains(expect), "{line}: {run:?}");
    };
    check("explain --trace t.jsonl --at 7", "it has 7 events, numbered from 0 to 6");
    check("explain --trace t.jsonl --at 1 --rule carefull_edit", "did you mean `careful_edit`?");
    check("explain --trace nowhere.jsonl --at 1", "there is no such file");
}

#[test]
fn rules_of_an_image_are_explained() {
    let project = project();
    assert_eq!(project.run("compile behavior.yaml -o rules.bhv").code, 0);
    let object = project.json("explain careful_edit -c rules.bhv --format json");
    let [meaning] = object["meanings"].as_array().expect("meanings").as_slice() else {
        panic!("one meaning: {object}")
    };
    assert_eq!(meaning["kind"], "rule of the image");
    assert_eq!(meaning["facts"]["message"], "Read `{target}` ({counter:edits}).");
    let unknown = project.run("explain careful_edits -c rules.bhv");
    assert!(unknown.err.contains("did you mean `careful_edit`?"), "{unknown:?}");
}

#[test]
fn profiles_of_the_project_are_explained() {
    let strict = "description: For releases.\nrules: { read_before_edit: true }\n";
    let project = Project::new(&[("behavior.yaml", RULES), ("behavior/strict.yaml", strict)]);
    let object = project.json("explain strict --format json");
    let meaning = &object["meanings"][0];
    assert_eq!(meaning["kind"], "profile of the project");
    assert_eq!(meaning["docs"], "For releases.");
    assert_eq!(meaning["facts"]["rules"], "read_before_edit");
    assert_eq!(meaning["facts"]["written_at"], "behavior/strict.yaml");
    let unknown = project.run("explain strct");
    assert!(unknown.err.contains("did you mean `strict`?"), "{unknown:?}");
}

#[test]
fn long_patterns_are_cut_in_a_list_and_whole_where_a_rule_is_shown() {
    let pattern = "(alpha|beta)+".repeat(40);
    let rules = format!(
        "rule_definitions:\n  - id: long\n    trigger: bash\n    message: m\n    condition: {{ param_matches: {{ param: command, pattern: \"{pattern}\" }} }}\n"
    );
    let project = Project::new(&[("behavior.yaml", &rules), ("t.jsonl", TRACE)]);
    let out = project.run("inspect").out;
    assert!(out.contains("(alpha|beta)+") && out.contains('…'), "{out}");
    assert!(!out.replace(['\n', ' '], "").contains(&pattern), "{out}");
    for line in ["explain long", "inspect -v"] {
        let out = project.run(line).out;
        assert!(out.contains(&format!("pattern: \"{pattern}\"")), "{line}: {out}");
    }
    let object = project.json("explain long --format json");
    let condition = object["meanings"][0]["facts"]["condition"].as_str().expect("a condition");
    assert!(condition.contains(&pattern), "{condition}");
    let rule = &project.json("inspect --format json")["rules"][0];
    assert!(rule["condition"].as_str().expect("a condition").contains(&pattern), "{rule}");
}

#[test]
fn a_policy_says_which_rule_or_default_decided() {
    let policy = "[[rules]]\nname = \"no rm\"\naction = \"deny\"\npattern = \"rm *\"\nreason = \"it is gone then\"\n\
                  [[rules]]\nname = \"lists\"\naction = \"allow\"\npattern = \"ls *\"\n";
    let call = |command: &str| {
        json!({ "event": "tool_call", "tool": "Bash", "params": { "command": command } })
            .to_string()
    };
    let lines = ["ls; rm x; rm x; ls", "make", "ls > x", "$cmd", "rm x"].map(call);
    let trace = format!("{}\n{}\n", lines.join("\n"), r#"{"event":"turn_start"}"#);
    let project = Project::new(&[("p.toml", policy), ("t.jsonl", &trace)]);
    let check = |at: u32, expect: &str| {
        let run = project.run(&format!("explain -c p.toml --trace t.jsonl --at {at}"));
        let section = run.out.split("\n\n").nth(1).unwrap();
        assert_eq!(section.trim_end(), expect, "{run:?}");
    };
    check(
        0,
        "policy  deny by `no rm`  p.toml:1:1\n    rm *\n    it is gone then\n    \
         ls  allow by `lists`\n    rm x  deny by `no rm`  ← decided\n    rm x  deny by `no rm`\n    ls  allow by `lists`",
    );
    check(1, "policy  ask by default, in mode ask\n    other calls are asked about");
    check(
        2,
        "policy  ask since it writes a file, and `lists` is about the command alone  p.toml:6:1\n    ls *",
    );
    check(3, "policy  ask by default, in mode ask\n    other calls are asked about");
    check(4, "policy  deny by `no rm`  p.toml:1:1\n    rm *\n    it is gone then");
    let permission = |at: u32, options: &str| {
        let line = format!("explain -c p.toml --trace t.jsonl --at {at} --format json {options}");
        project.json(&line)["permission"].take()
    };
    let denied = permission(0, "");
    assert_eq!((&denied["action"], &denied["rule"]), (&json!("deny"), &json!("no rm")));
    assert_eq!(denied["deciding"]["reason"], "it is gone then");
    assert_eq!(denied["deciding"]["span"], json!({ "file": "p.toml", "line": 1, "column": 1 }));
    let decided: Vec<_> = denied["parts"].as_array().unwrap().iter().collect();
    assert_eq!(decided.len(), 4);
    assert_eq!((&decided[1]["command"], &decided[1]["decided"]), (&json!("rm x"), &json!(true)));
    assert!([0, 2, 3].iter().all(|at| decided[*at]["decided"] == json!(false)));
    assert_eq!(permission(1, "")["deciding"], Value::Null);
    assert_eq!(permission(1, "--mode yolo")["action"], "allow");
    assert_eq!(permission(3, "--mode yolo")["doubt"], "no rm");
    assert_eq!(permission(5, ""), Value::Null);
}

#[test]
fn without_anything_to_explain_the_ways_to_say_it_are_named() {
    let run = project().run("explain");
    assert_eq!(run.code, 2, "{run:?}");
    for way in ["NAME", "`--command LINE`", "`--trace TRACE --at N`"] {
        assert!(run.err.contains(way), "{way}: {run:?}");
    }
}

#[test]
fn words_of_the_language_mean_something() {
    for word in ["opaque", "runs", "mode", "ask", "autoEdit", "yolo", "preset", "undecided"] {
        let run = project().run(&format!("explain {word}"));
        assert_eq!(run.code, 0, "{run:?}");
    }
    assert!(project().run("explain opaque").out.contains("No rule of a policy allows one"));
    assert!(project().run("explain opaqe").err.contains("did you mean `opaque`?"));
}

#[test]
fn a_rule_is_shown_as_it_is_written() {
    let written = "  as it is written:
    - id: careful_edit
      description: Look first.
      trigger: edit
      condition:
        all:
          - target_not_in_set: read_files
          - counter_gte: { name: edits, value: 2 }
      message: \"Read `{target}` ({counter:edits}).\"
";
    let run = project().run("explain careful_edit");
    assert!(run.out.contains(written), "{}", run.out);
    assert!(!run.out.contains("condition   "), "said once: {}", run.out);
    let inspected = project().run("inspect -v");
    assert!(
        inspected.out.contains("            - target_not_in_set: read_files\n"),
        "{inspected:?}"
    );
    // Where the file is another by now, what the image says is shown.
    let project = project();
    assert_eq!(project.run("compile -o rules.bhv").code, 0);
    project.write("behavior.yaml", b"profile: dev\n");
    let run = project.run("explain careful_edit -c rules.bhv");
    assert!(!run.out.contains("as it is written") && run.out.contains("condition "), "{run:?}");
}

#[test]
fn the_headline_of_a_command_names_what_decided() {
    let rules = "rule_definitions:\n  - { id: no_rm, trigger: bash, action: block, message: No., \
                 condition: { runs: rm } }\n";
    let policy = "[[rules]]\nname = \"reads\"\naction = \"allow\"\npattern = \"cat *\"\n";
    let project = Project::new(&[("behavior.yaml", rules), ("behavior/policy.toml", policy)]);
    let explain = |line: &str| {
        let mut command = project.command("explain --command");
        command.arg(line).env("XDG_CONFIG_HOME", project.path("config"));
        Run::from(command.output().unwrap()).out
    };
    let denied = explain("rm a");
    assert!(
        denied.contains("\ndeny\n  policy: ask by default, in mode ask\n  block: no_rm"),
        "{denied}"
    );
    let allowed = explain("cat a");
    assert!(allowed.contains("\nallow  policy: allow by `reads`\n"), "{allowed}");
}

#[test]
fn each_item_of_a_list_begins_a_line() {
    let run = Project::new(&[]).run("explain evadable-pattern");
    let items = run.out.lines().filter(|line| line.starts_with("  - "));
    assert!(items.count() >= 3, "{run:?}");
}

#[test]
fn a_condition_that_no_expression_says_is_told_without_its_comments() {
    let rules = "rule_definitions:
  - id: r
    trigger: bash
    message: m
    condition:
      runs:
        # what deletes
        program: [rm, unlink]
        flags: [r] # for good
";
    let trace =
        "{\"event\":\"tool_call\",\"tool\":\"bash\",\"params\":{\"command\":\"rm -r a\"}}\n";
    let project = Project::new(&[("behavior.yaml", rules), ("t.jsonl", trace)]);
    for line in ["explain --trace t.jsonl --at 0 --rule r", "inspect"] {
        let run = project.run(line);
        assert!(run.out.contains("runs: {program: [rm, unlink], flags: [r]}"), "{line}: {run:?}");
        assert!(!run.out.contains('#'), "{line}: {run:?}");
    }
}

#[test]
fn rules_of_a_built_in_profile_are_explained_where_it_is_in_force() {
    let project = Project::new(&[("behavior.yaml", "profile: read_control\n")]);
    for line in ["explain review_change", "explain read_before_change --profile read_control"] {
        let run = project.run(line);
        assert_eq!(run.code, 0, "{line}: {run:?}");
    }
    // One that comes built in is told of once.
    let project = Project::new(&[("behavior.yaml", "profile: dev\n")]);
    let object = project.json("explain read_before_edit --format json");
    let rules = object["meanings"].as_array().expect("meanings").iter();
    assert_eq!(rules.filter(|meaning| meaning["kind"] == "built-in rule").count(), 1, "{object}");
}

/// A rule that would speak but for an exception is told, with the reason.
#[test]
fn exceptions_that_apply_to_a_command_are_told() {
    let rules = "rules: { confirm_destructive: true }
exceptions:
  - rule: confirm_destructive
    when: { runs: rm -r target }
    reason: build output is made again
";
    let project = Project::new(&[("behavior.yaml", rules)]);
    let run = |line: &str, format: &str| {
        let mut command = project.command(&format!("explain -c behavior.yaml {format} --command"));
        Run::from(command.arg(line).output().unwrap())
    };
    let excepted = run("rm -r target", "");
    let told = "silent by an exception: confirm_destructive  build output is made again";
    assert!(excepted.out.contains(told), "{excepted:?}");
    assert!(!run("rm -r src", "").out.contains("by an exception"));
    let json: Value = serde_json::from_str(&run("rm -r target", "--format json").out).unwrap();
    assert_eq!(json["findings"][0]["excepted"], "build output is made again");
}

#[test]
fn what_the_user_said_counts_for_a_command() {
    let project = Project::new(&[("behavior.yaml", "profile: guard\n")]);
    let explain = |said: &str| {
        let mut command = project.command("explain --command");
        command.args(["npm publish", "--said", said]);
        Run::from(command.output().unwrap()).out
    };
    let unasked = explain("fix the tests");
    assert!(unasked.contains("\nask\n  ask: publishes"), "{unasked}");
    let asked = explain("publish it to npm");
    assert!(asked.ends_with("\nallow\n"), "{asked}");
}
