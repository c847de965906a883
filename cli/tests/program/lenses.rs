//! Recorded sessions in the editor: what rules did in them, while these are edited.

use crate::common::Project;
use crate::common::editor::Editor;
use serde_json::{Value, json};

const RULES: &str = "\
rule_definitions:
  - id: no_force
    trigger: bash
    action: block
    condition: runs \"git push --force\"
    message: no
    examples:
      fires: [{ bash: { command: git push --force } }]
  - id: no_env
    trigger: edit
    condition: target matches \"[.]env$\" and not flag(asked)
    message: no
state_tracking:
  flags:
    asked: { set_on: [ask] }
";

/// Calls of a shell and edits, one a line.
fn session(name: &str, calls: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (at, (tool, target)) in calls.iter().enumerate() {
        let at = at.to_string();
        let params = match *tool {
            "bash" => json!({ "command": target }),
            _ => json!({ "file_path": target }),
        };
        let call = json!({ "event": "tool_call", "session": name, "id": at, "tool": tool, "params": params });
        let result = json!({ "event": "tool_result", "session": name, "id": at, "ok": true });
        text.push_str(&format!("{call}\n{result}\n"));
    }
    text
}

fn project() -> Project {
    let one = session(
        "one",
        &[("bash", "git push --force"), ("edit", "a.rs"), ("bash", "sudo git push -f origin")],
    );
    let two = session("two", &[("bash", "git push"), ("edit", "b.rs")]);
    let project = Project::new(&[
        ("behavior.yaml", RULES),
        ("sessions/one.jsonl", &one),
        ("sessions/two.jsonl", &two),
    ]);
    project.make_repository();
    project
}

fn named() -> Value {
    json!({ "sessions": ["sessions/*.jsonl"] })
}

fn has(part: &str) -> impl Fn(&[String]) -> bool {
    move |titles| titles.iter().any(|title| title.contains(part))
}

#[test]
fn lenses_say_what_rules_did_in_sessions() {
    let project = project();
    let mut editor = Editor::new(&project, &named(), &json!({}));
    editor.open("behavior.yaml");
    let titles = editor.titles_when("behavior.yaml", has("nearest"));
    let expected = [
        "1 fired 2× in 1 of 2 sessions · 2 blocked",
        "1 run tests",
        "1 explain",
        "8 never fired in 2 sessions · nearest: ",
        "8 explain",
    ];
    assert_eq!(titles.len(), expected.len(), "{titles:#?}");
    for (title, expected) in titles.iter().zip(expected) {
        assert!(title.starts_with(expected), "{titles:#?}");
    }
    assert!(editor.refreshed > 0, "the client is told that there is news");
    assert!(editor.asked.is_empty(), "who names sessions is not asked");
    let lenses = editor.lenses("behavior.yaml");
    let command = &lenses[0]["command"];
    assert_eq!(command["command"], "behavior.showFindings");
    let locations = command["arguments"][2].as_array().expect("places");
    let places: Vec<_> = locations
        .iter()
        .map(|it| (it["uri"].as_str().unwrap(), it["range"]["start"]["line"].as_u64().unwrap()))
        .collect();
    let one = editor.uri("sessions/one.jsonl");
    assert_eq!(places, [(&*one, 0), (&*one, 4)]);
    editor.end();
}

#[test]
fn an_edit_is_held_against_what_is_stored() {
    let project = project();
    let mut editor = Editor::new(&project, &named(), &json!({}));
    editor.open("behavior.yaml");
    editor.titles_when("behavior.yaml", has("fired 2×"));
    let edited = RULES.replace("git push --force\"", "git push\"");
    editor.change("behavior.yaml", 2, &edited);
    let titles = editor.titles_when("behavior.yaml", has("fired 3×"));
    assert_eq!(titles[0], "0 this edit: +1 finding, 1 more blocked", "{titles:#?}");
    assert!(titles[1].contains("fired 3× in 2 of 2 sessions · 3 blocked"), "{titles:#?}");
    // What breaks the rules takes nothing away.
    editor.change("behavior.yaml", 3, "rule_definitions: [");
    editor.change("behavior.yaml", 4, &RULES.replace("action: block", "action: warn"));
    let titles = editor.titles_when("behavior.yaml", has("of another kind"));
    assert_eq!(titles[0], "0 this edit: 2 of another kind, 2 fewer blocked", "{titles:#?}");
    // Once it is stored, nothing is to be told of it.
    project.write("behavior.yaml", edited.as_bytes());
    editor.change("behavior.yaml", 5, &edited);
    let document = json!({ "textDocument": { "uri": editor.uri("behavior.yaml") } });
    editor.notify("textDocument/didSave", &document);
    let titles = editor.titles_when("behavior.yaml", has("fired 3×"));
    assert!(!has("this edit")(&titles), "{titles:#?}");
    editor.end();
}

#[test]
fn nothing_is_read_before_the_user_agrees() {
    let project = project();
    let folder = project.path("").canonicalize().expect("a path");
    let slug: String = folder
        .display()
        .to_string()
        .trim_end_matches('/')
        .chars()
        .map(|it| if it.is_ascii_alphanumeric() { it } else { '-' })
        .collect();
    let call = json!({ "type": "assistant", "sessionId": "s", "uuid": "1", "parentUuid": null,
        "message": { "role": "assistant", "content": [
            { "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": "git push -f" } }] } });
    project.write(&format!("home/.claude/projects/{slug}/s.jsonl"), format!("{call}\n").as_bytes());
    for (choice, agrees) in [(None, false), (Some("Not now"), false), (Some("Read them"), true)] {
        let mut editor = Editor::new(&project, &json!({ "sessions": "auto" }), &json!({}));
        editor.choice = choice;
        editor.open("behavior.yaml");
        let asked = |editor: &mut Editor| {
            editor.titles("behavior.yaml");
            !editor.asked.is_empty()
        };
        while !asked(&mut editor) {}
        if agrees {
            let titles = editor.titles_when("behavior.yaml", has("fired 1×"));
            assert!(has("in 1 of 1 session · 1 blocked")(&titles), "{titles:#?}");
        } else {
            for version in 2..6 {
                editor.change("behavior.yaml", version, &format!("{RULES}# {version}\n"));
                std::thread::sleep(std::time::Duration::from_millis(50));
                let titles = editor.titles("behavior.yaml");
                assert!(!has("session")(&titles), "{titles:#?}");
            }
        }
        assert_eq!(editor.asked.len(), 1, "{:#?}", editor.asked);
        editor.end();
    }
}

#[test]
fn a_condition_says_what_it_saw_last() {
    let project = project();
    let mut editor = Editor::new(&project, &named(), &json!({}));
    editor.open("behavior.yaml");
    editor.titles_when("behavior.yaml", has("nearest"));
    let hover = |editor: &mut Editor, line: u32, character: u32| {
        let params = json!({ "textDocument": { "uri": editor.uri("behavior.yaml") },
                             "position": { "line": line, "character": character } });
        let found = editor.request("textDocument/hover", &params);
        found["contents"]["value"].as_str().unwrap_or_default().to_owned()
    };
    let two = editor.uri("sessions/two.jsonl");
    let told = hover(&mut editor, 4, 22);
    assert!(
        told.contains(&format!(
            "` runs \"git push --force\" ` held at 2 of 3 events in recorded sessions. Last, at \
             [` two.jsonl `:1]({two}#L1), it did not hold, which decided."
        )),
        "{told}"
    );
    assert!(told.contains("It saw: "), "{told}");
    // A test that was never reached says nothing; the one before it does.
    let told = hover(&mut editor, 10, 22);
    assert!(told.contains("held at 0 of 2 events"), "{told}");
    assert!(hover(&mut editor, 8, 16).is_empty() || !hover(&mut editor, 8, 16).contains("It saw"));
    // Places of an older text are not those of this one.
    editor.change("behavior.yaml", 2, &format!("# more\n{RULES}# {}\n", "x".repeat(10)));
    editor.titles_when("behavior.yaml", |titles| titles.iter().any(|it| it.starts_with("9 ")));
    let mut told = String::new();
    for _ in 0..500 {
        told = hover(&mut editor, 5, 22);
        if told.contains("It saw") {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(told.contains("held at 2 of 3 events"), "{told}");
    editor.end();
}

#[test]
fn a_session_that_is_open_shows_what_rules_say_at_its_lines() {
    let project = project();
    let mut editor = Editor::new(&project, &json!({}), &json!({}));
    let text = editor.open("sessions/one.jsonl");
    editor.open("behavior.yaml");
    let uri = editor.uri("sessions/one.jsonl");
    let lines = |editor: &Editor| -> Vec<(u64, String, u64)> {
        let all = editor.published.get(&uri).and_then(Value::as_array).cloned();
        let one = |it: Value| {
            let line = it["range"]["start"]["line"].as_u64().unwrap();
            (line, it["code"].as_str().unwrap().to_owned(), it["severity"].as_u64().unwrap())
        };
        all.unwrap_or_default().into_iter().map(one).collect()
    };
    let blocked = |line| (line, "no_force".to_owned(), 1);
    let until = |editor: &mut Editor, wanted: &[(u64, String, u64)]| {
        let started = std::time::Instant::now();
        while lines(editor) != wanted {
            assert!(started.elapsed().as_secs() < 60, "{:#?}", lines(editor));
            editor.titles("behavior.yaml");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    };
    until(&mut editor, &[blocked(0), blocked(4)]);
    let range =
        json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": { "uri": uri }, "range": range });
    let hints = editor.request("textDocument/inlayHint", &params);
    let hints: Vec<_> = hints
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (it["label"].clone(), it["position"]["line"].clone()))
        .collect();
    assert_eq!(hints, [(json!("deny"), json!(0)), (json!("deny"), json!(4))]);
    // Rules are edited beside it.
    editor.change("behavior.yaml", 2, &RULES.replace("action: block", "action: remind"));
    let reminded = |line| (line, "no_force".to_owned(), 3);
    until(&mut editor, &[reminded(0), reminded(4)]);
    // And so is the session.
    let rest: String = text.lines().skip(2).map(|line| format!("{line}\n")).collect();
    editor.change("sessions/one.jsonl", 2, &rest);
    until(&mut editor, &[reminded(2)]);
    // What is asked of rule files is not asked of it.
    let params = json!({ "textDocument": { "uri": uri } });
    assert_eq!(editor.request("textDocument/documentSymbol", &params), Value::Null);
    assert!(editor.asked.is_empty(), "nobody is asked about what is open anyway");
    editor.end();
}

#[test]
fn a_client_without_a_list_of_places_is_shown_the_first() {
    let project = project();
    let mut editor = Editor::new(&project, &named(), &json!({}));
    editor.open("behavior.yaml");
    editor.titles_when("behavior.yaml", has("fired 2×"));
    let lens = editor.lenses("behavior.yaml").remove(0);
    let params = json!({ "command": "behavior.showFindings",
                         "arguments": lens["command"]["arguments"] });
    editor.request("workspace/executeCommand", &params);
    editor.wait_until_asked();
    assert_eq!(editor.asked, [editor.uri("sessions/one.jsonl")]);
    editor.end();
    // One that has it says so.
    let own =
        json!({ "experimental": { "commands": { "commands": ["editor.action.showReferences"] } } });
    let mut editor = Editor::new(&project, &named(), &own);
    editor.open("behavior.yaml");
    editor.titles_when("behavior.yaml", has("fired 2×"));
    let command = editor.lenses("behavior.yaml").remove(0)["command"].clone();
    assert_eq!(command["command"], "editor.action.showReferences");
    assert_eq!(command["arguments"][0], editor.uri("behavior.yaml"));
    assert_eq!(command["arguments"][1], json!({ "line": 1, "character": 8 }));
    editor.end();
}

#[test]
fn what_is_left_out_is_said() {
    let project = project();
    project.write("sessions/broken.jsonl", b"not a recording");
    let mut editor =
        Editor::new(&project, &json!({ "sessions": ["sessions", "gone/*.jsonl"] }), &json!({}));
    editor.open("behavior.yaml");
    editor.titles_when("behavior.yaml", has("in 1 of 2 sessions"));
    assert!(editor.logged.iter().any(|it| it.contains("gone/*.jsonl")), "{:#?}", editor.logged);
    assert!(editor.logged.iter().any(|it| it.contains("broken.jsonl")), "{:#?}", editor.logged);
    editor.end();
}

#[test]
fn lenses_say_what_stats_says() {
    let project = project();
    project.write("behavior.yaml", b"profile: guard\nrules:\n  test_after_changes: true\n");
    project.write("rules.test.yaml", b"tests:\n  - name: t\n    events: [edit: { file_path: a }]\n    expect: [{ at: 0, rules: [] }]\n");
    let traces = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/traces");
    for entry in std::fs::read_dir(traces).expect("a folder").flatten() {
        if entry.path().extension().is_some_and(|ending| ending == "jsonl") {
            let name = format!("sessions/{}", entry.file_name().display());
            project.write(&name, &std::fs::read(entry.path()).expect("a file"));
        }
    }
    let stats = project.json("stats sessions --format json");
    let number = |it: &Value, field: &str| it[field].as_u64().expect("a number");
    let rules = stats["rules"].as_array().expect("a list");
    let (here, others): (Vec<_>, Vec<_>) =
        rules.iter().partition(|it| it["rule"] == "test_after_changes");
    let fired: u64 = others.iter().map(|it| number(it, "fired")).sum();
    let spoke = others.iter().filter(|it| number(it, "fired") > 0).count();
    assert!(fired > 0 && number(here[0], "fired") > 0, "there is something to compare");
    let mut editor = Editor::new(&project, &named(), &json!({}));
    editor.open("behavior.yaml");
    let titles = editor.titles_when("behavior.yaml", has("other rules"));
    let of_others = format!("0 {spoke} of {} other rules fired {fired}× in ", others.len());
    assert!(titles[0].starts_with(&of_others), "{of_others}: {titles:#?}");
    let (times, sessions) = (number(here[0], "fired"), number(here[0], "sessions"));
    let of_here = format!("2 fired {times}× in {sessions} of ");
    assert!(titles[1].starts_with(&of_here), "{of_here}: {titles:#?}");
    editor.open("rules.test.yaml");
    assert_eq!(editor.titles("rules.test.yaml"), ["0 run tests"]);
    editor.end();
}

#[test]
fn what_nobody_can_tell_is_counted() {
    let project = project();
    let rule = "rule_definitions:\n  - id: new\n    trigger: edit\n    action: block\n    condition: target exists\n    message: x\n";
    project.write("behavior.yaml", rule.as_bytes());
    let mut editor = Editor::new(&project, &named(), &json!({}));
    editor.open("behavior.yaml");
    let titles = editor.titles_when("behavior.yaml", has("undecided 2×"));
    assert!(titles[0].starts_with("1 "), "{titles:#?}");
    editor.end();
}

/// A rule of a policy that may cover a call has the user asked: that is decided by it, too.
#[test]
fn what_a_policy_asks_in_doubt_is_counted_as_decided() {
    let project = project();
    let policy = "approval_mode = \"yolo\"\n[[rules]]\nname = \"no pushes\"\naction = \"deny\"\npattern = \"bash(git push *)\"\n";
    project.write("behavior/policy.toml", policy.as_bytes());
    let calls = [("bash", "git push origin main"), ("bash", "git $SUB origin main")];
    project.write("sessions/three.jsonl", session("three", &calls).as_bytes());
    let options = json!({ "sessions": ["sessions/three.jsonl"] });
    let mut editor = Editor::new(&project, &options, &json!({}));
    editor.open("behavior/policy.toml");
    let titles = editor.titles_when("behavior/policy.toml", has("decided"));
    assert!(has("decided 2× in 1 of 1 session · 1 denied · 1 asked")(&titles), "{titles:#?}");
    editor.end();
}
