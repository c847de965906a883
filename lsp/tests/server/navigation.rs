//! From names to their places, to other names, and the parts of files.

use serde_json::{Value, json};

use crate::client::{Client, session, uri};

const CONFIG: &str = "\
profile: strict
rules:
  read_before_edit: true
rule_definitions:
  - id: no_push
    trigger: bash
    action: block
    condition: target in mine and counter(pushes) >= 3
    message: \"{counter:pushes} pushes, {set_count:mine} files\"
state_tracking:
  counters:
    pushes: { increment_on: push }
exceptions:
  - { rule: no_push, when: { flag_is: { name: \"asked\" } } }
";

const STRICT: &str = "\
name: strict
extends: dev
state_tracking:
  sets:
    mine: { add_on: read }
  flags:
    asked: { set_on: ask }
";

const TESTS: &str = "\
tests:
  - name: pushes
    events: [{ bash: { command: git push } }]
    expect: [{ at: 0, rules: [no_push], state: { sets: { mine: [] } } }]
";

fn project() -> [(&'static str, &'static str); 3] {
    [
        ("behavior.yaml", CONFIG),
        ("behavior/strict.yaml", STRICT),
        ("behavior/strict.test.yaml", TESTS),
    ]
}

fn all() -> Value {
    json!({
        "workspace": { "workspaceEdit": {
            "documentChanges": true, "resourceOperations": ["create", "rename", "delete"] } },
        "textDocument": { "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } },
    })
}

async fn ask(client: &mut Client, method: &str, name: &str, at: (u32, u32), more: Value) -> Value {
    let mut params = json!({ "textDocument": { "uri": uri(name) },
                             "position": { "line": at.0, "character": at.1 } });
    for (key, value) in more.as_object().expect("an object") {
        params[key] = value.clone();
    }
    client.request(&format!("textDocument/{method}"), params).await
}

/// Locations as `file line:column-column`.
fn shown(locations: &Value) -> Vec<String> {
    let one = |location: &Value| {
        let address = location["uri"].as_str().expect("an address");
        let range = &location["range"];
        let name = address.strip_prefix("file:///project/").unwrap_or(address);
        let (start, end) = (&range["start"], &range["end"]);
        format!("{name} {}:{}-{}", start["line"], start["character"], end["character"])
    };
    let mut all: Vec<String> = locations.as_array().expect("a list").iter().map(one).collect();
    all.sort();
    all
}

#[test]
fn names_lead_to_where_they_are_declared() {
    session(&project(), all(), |mut client| async move {
        client.open("behavior.yaml", CONFIG).await;
        for (at, expected) in [
            ((7, 26), "behavior/strict.yaml 4:4-8"),
            ((7, 45), "behavior.yaml 11:4-10"),
            ((8, 24), "behavior.yaml 11:4-10"),
            ((12, 13), ""),
            ((13, 14), "behavior.yaml 4:8-15"),
            ((13, 50), "behavior/strict.yaml 6:4-9"),
            ((0, 12), "behavior/strict.yaml 0:0-0"),
        ] {
            let found = ask(&mut client, "definition", "behavior.yaml", at, json!({})).await;
            assert_eq!(shown(&found).join(","), expected, "{at:?}");
        }
        // What is built in is shown in the copies of the standard library.
        let found = ask(&mut client, "definition", "behavior.yaml", (2, 6), json!({})).await;
        assert!(shown(&found)[0].starts_with("file:///library/rules.yaml "), "{found}");
        client
    });
}

#[test]
fn names_lead_to_all_their_places() {
    session(&project(), all(), |mut client| async move {
        client.open("behavior/strict.yaml", STRICT).await;
        let context = json!({ "context": { "includeDeclaration": true } });
        let found = ask(&mut client, "references", "behavior/strict.yaml", (4, 5), context).await;
        let expected = [
            "behavior.yaml 7:25-29",
            "behavior.yaml 8:50-54",
            "behavior/strict.test.yaml 3:57-61",
            "behavior/strict.yaml 4:4-8",
        ];
        assert_eq!(shown(&found), expected);
        client.open("behavior.yaml", CONFIG).await;
        let context = json!({ "context": { "includeDeclaration": false } });
        let found = ask(&mut client, "references", "behavior.yaml", (4, 9), context).await;
        assert_eq!(shown(&found), ["behavior.yaml 13:12-19", "behavior/strict.test.yaml 3:30-37"]);
        let found =
            ask(&mut client, "documentHighlight", "behavior.yaml", (7, 47), json!({})).await;
        let kinds: Vec<_> = found.as_array().unwrap().iter().map(|it| it["kind"].clone()).collect();
        assert_eq!(kinds, [json!(2), json!(2), json!(3)]);
        client
    });
}

#[test]
fn names_are_changed_wherever_they_stand() {
    session(&project(), all(), |mut client| async move {
        client.open("behavior.yaml", CONFIG).await;
        let prepared = ask(&mut client, "prepareRename", "behavior.yaml", (7, 26), json!({})).await;
        assert_eq!(prepared["placeholder"], "mine");
        let new = json!({ "newName": "ours" });
        let edit = ask(&mut client, "rename", "behavior.yaml", (7, 26), new).await;
        let changes = edit["documentChanges"].as_array().expect("changes");
        let count = |change: &Value| change["edits"].as_array().expect("edits").len();
        let files: Vec<_> = changes.iter().map(|it| (&it["textDocument"], count(it))).collect();
        let of = |name: &str, version: Value| json!({ "uri": uri(name), "version": version });
        assert_eq!(
            files,
            [
                (&of("behavior.yaml", json!(1)), 2),
                (&of("behavior/strict.test.yaml", Value::Null), 1),
                (&of("behavior/strict.yaml", Value::Null), 1)
            ]
        );
        client
    });
}

#[test]
fn a_profile_is_renamed_with_its_files() {
    session(&project(), all(), |mut client| async move {
        client.open("behavior.yaml", CONFIG).await;
        let new = json!({ "newName": "severe" });
        let edit = ask(&mut client, "rename", "behavior.yaml", (0, 10), new).await;
        let changes = edit["documentChanges"].as_array().expect("changes");
        assert_eq!(changes[0]["edits"][0]["newText"], "severe");
        let renames: Vec<_> = changes[1..].iter().map(|it| it["newUri"].clone()).collect();
        assert_eq!(renames, [uri("behavior/severe.yaml"), uri("behavior/severe.test.yaml")]);
        client
    });
}

#[test]
fn what_cannot_be_renamed_is_said_why() {
    session(&project(), all(), |mut client| async move {
        client.open("behavior.yaml", CONFIG).await;
        let asked = [
            ("prepareRename", (2, 6), json!({}), "is built in"),
            ("prepareRename", (5, 6), json!({}), "there is no name here"),
            ("rename", (7, 26), json!({ "newName": "a b" }), "cannot be the name of a set"),
            ("rename", (7, 26), json!({ "newName": "read_files" }), "has a set called"),
        ];
        for (id, (method, at, more, expected)) in asked.into_iter().enumerate() {
            let id = 1000 + id as i64;
            let mut params = json!({ "textDocument": { "uri": uri("behavior.yaml") },
                                     "position": { "line": at.0, "character": at.1 } });
            for (key, value) in more.as_object().expect("an object") {
                params[key] = value.clone();
            }
            let method = format!("textDocument/{method}");
            let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
            client.send(&request).await;
            let answer = client.answer_to(id).await;
            let message = answer["error"]["message"].as_str().expect("a reason");
            assert!(message.contains(expected), "{message}");
        }
        client
    });
}

#[test]
fn files_have_parts() {
    session(&project(), all(), |mut client| async move {
        client.open("behavior.yaml", CONFIG).await;
        let params = json!({ "textDocument": { "uri": uri("behavior.yaml") } });
        let found = client.request("textDocument/documentSymbol", params.clone()).await;
        let sections = found.as_array().expect("sections");
        let names: Vec<_> = sections.iter().map(|it| it["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["profile", "rules", "rule_definitions", "state_tracking", "exceptions"]);
        assert_eq!(sections[2]["children"][0]["name"], "no_push");
        assert_eq!(sections[2]["children"][0]["detail"], "block · pre_tool");

        let folds = client.request("textDocument/foldingRange", params.clone()).await;
        let lines = |fold: &Value| (fold["startLine"].as_u64(), fold["endLine"].as_u64());
        let folds: Vec<_> = folds.as_array().expect("folds").iter().map(lines).collect();
        assert!(folds.contains(&(Some(3), Some(8))), "{folds:?}");

        let links = client.request("textDocument/documentLink", params).await;
        assert_eq!(links[0]["target"], uri("behavior/strict.yaml"));

        let found = client.request("workspace/symbol", json!({ "query": "pus" })).await;
        let names: Vec<_> = found.as_array().unwrap().iter().map(|it| it["name"].clone()).collect();
        assert_eq!(names, ["no_push", "pushes", "pushes"]);

        let positions = json!({ "textDocument": { "uri": uri("behavior.yaml") },
                                "positions": [{ "line": 7, "character": 26 }] });
        let found = client.request("textDocument/selectionRange", positions).await;
        let mut depth = 0;
        let mut here = &found[0];
        while here.is_object() {
            depth += 1;
            here = &here["parent"];
        }
        assert!(depth >= 5, "{found}");
        client
    });
}

#[test]
fn a_client_may_ask_for_diagnostics_itself() {
    let pulls = json!({
        "textDocument": { "diagnostic": {} },
        "workspace": { "diagnostics": { "refreshSupport": true } },
    });
    session(&project(), pulls, |mut client| async move {
        assert_eq!(client.capabilities["diagnosticProvider"]["workspaceDiagnostics"], true);
        let broken = STRICT.replace("mine", "ours");
        client.open("behavior/strict.yaml", &broken).await;
        let params = json!({ "textDocument": { "uri": uri("behavior/strict.yaml") } });
        let own = client.request("textDocument/diagnostic", params).await;
        let codes: Vec<_> =
            own["items"].as_array().unwrap().iter().map(|it| it["code"].clone()).collect();
        assert_eq!(codes, [] as [Value; 0], "{own}");
        let whole = json!({ "previousResultIds": [] });
        let whole = client.request("workspace/diagnostic", whole).await;
        let files = whole["items"].as_array().expect("a list");
        let config = files.iter().find(|file| file["uri"] == uri("behavior.yaml"));
        assert!(!config.expect("the config")["items"].as_array().unwrap().is_empty(), "{whole}");
        client
    });
}

/// What a client was told of a file that was not open must not stand beside what it asks for later.
#[test]
fn who_asks_is_told_nothing_twice() {
    let pulls = json!({
        "textDocument": { "diagnostic": {} },
        "workspace": { "diagnostics": { "refreshSupport": true } },
    });
    session(&project(), pulls.clone(), |mut client| async move {
        client.open("behavior/strict.yaml", &STRICT.replace("mine", "ours")).await;
        assert!(!client.published("behavior.yaml", None).await.is_empty());
        client.open("behavior.yaml", CONFIG).await;
        assert_eq!(client.published("behavior.yaml", None).await, Vec::<Value>::new());
        client
    });
    session(&project(), pulls, |mut client| async move {
        client.open("behavior/strict.yaml", &STRICT.replace("mine", "ours")).await;
        assert!(!client.published("behavior.yaml", None).await.is_empty());
        client.request("workspace/diagnostic", json!({ "previousResultIds": [] })).await;
        assert_eq!(client.published("behavior.yaml", None).await, Vec::<Value>::new());
        client
    });
}

/// A client that asks for all files keeps what it knows of one that an answer leaves out.
#[test]
fn what_is_wrong_with_a_file_no_more_is_said_to_who_asks_for_all() {
    let pulls = json!({
        "textDocument": { "diagnostic": {} },
        "workspace": { "diagnostics": { "refreshSupport": true } },
    });
    session(&[], pulls, |mut client| async move {
        let problems = async |client: &mut Client| {
            let params = json!({ "previousResultIds": [] });
            let whole = client.request("workspace/diagnostic", params).await;
            let files = whole["items"].as_array().expect("a list").clone();
            let file = files.into_iter().find(|file| file["uri"] == uri("other/behavior.yaml"));
            file.map(|file| file["items"].as_array().expect("a list").len())
        };
        assert_eq!(problems(&mut client).await, None);
        client.open("other/behavior.yaml", "profil: dev\n").await;
        assert!(problems(&mut client).await.is_some_and(|count| count > 0));
        client.close("other/behavior.yaml").await;
        assert_eq!(problems(&mut client).await, Some(0));
        assert_eq!(problems(&mut client).await, None);
        client
    });
}
