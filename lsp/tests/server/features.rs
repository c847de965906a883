//! Actions, hints, tokens, signatures and the hierarchy of state, as the client gets them.

use serde_json::{Value, json};

use crate::client::{Client, session, uri};

fn all() -> Value {
    json!({ "workspace": { "workspaceEdit": {
        "documentChanges": true, "resourceOperations": ["create", "rename", "delete"] } } })
}

async fn in_range(client: &mut Client, method: &str, from: (u32, u32), to: (u32, u32)) -> Value {
    let position = |(line, character): (u32, u32)| json!({ "line": line, "character": character });
    let range = json!({ "start": position(from), "end": position(to) });
    let params = json!({ "textDocument": { "uri": uri("behavior.yaml") }, "range": range,
                         "context": { "diagnostics": [] } });
    client.request(&format!("textDocument/{method}"), params).await
}

/// The text of the document after the edits of an action.
fn applied(text: &str, action: &Value) -> String {
    let mut lines: Vec<usize> = vec![0];
    lines.extend(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1));
    let offset = |place: &Value| {
        let line = place["line"].as_u64().unwrap() as usize;
        lines.get(line).copied().unwrap_or(text.len())
            + place["character"].as_u64().unwrap() as usize
    };
    let changes = action["edit"]["documentChanges"].as_array().expect("changes");
    let own = changes.iter().filter(|it| it["textDocument"]["uri"] == uri("behavior.yaml"));
    let mut edits: Vec<(usize, usize, String)> = own
        .flat_map(|it| it["edits"].as_array().unwrap())
        .map(|edit| {
            let (start, end) = (offset(&edit["range"]["start"]), offset(&edit["range"]["end"]));
            (start, end, edit["newText"].as_str().unwrap().to_owned())
        })
        .collect();
    edits.sort();
    let mut out = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        out.replace_range(start..end, &new);
    }
    out
}

fn titled<'a>(actions: &'a Value, start: &str) -> &'a Value {
    let all = actions.as_array().expect("a list");
    let found = all.iter().find(|it| it["title"].as_str().unwrap().starts_with(start));
    found.unwrap_or_else(|| panic!("no `{start}` in {actions:#}"))
}

#[test]
fn fixes_are_offered_one_by_one_and_all_at_once() {
    let text = "profil: dev\nruls:\n  verbosity: concise\n";
    session(&[], all(), |mut client| async move {
        client.open("behavior.yaml", text).await;
        let found = in_range(&mut client, "codeAction", (0, 2), (0, 2)).await;
        let fix = titled(&found, "replace with `profile`");
        assert_eq!(fix["kind"], "quickfix");
        assert_eq!(applied(text, fix), "profile: dev\nruls:\n  verbosity: concise\n");
        let all =
            found.as_array().unwrap().iter().find(|it| it["kind"] == "source.fixAll.behavior");
        if let Some(all) = all {
            assert_eq!(applied(text, all), "profile: dev\nrules:\n  verbosity: concise\n");
        } else {
            assert!(fix["isPreferred"].is_null(), "what is not safe is not done to all");
        }
        client
    });
}

#[test]
fn conditions_are_written_in_their_other_form() {
    let expression = "rule_definitions:\n  - id: a\n    trigger: edit\n    condition: not target in read_files\n    message: x\n";
    let mapping = "rule_definitions:\n  - id: a\n    trigger: edit\n    condition: { not: { target_in_set: read_files } }\n    message: x\n";
    let block = "rule_definitions:\n  - id: a\n    trigger: edit\n    condition:\n      not:\n        target_in_set: read_files\n    message: x\n";
    session(&[], all(), |mut client| async move {
        client.open("behavior.yaml", expression).await;
        let found = in_range(&mut client, "codeAction", (3, 20), (3, 20)).await;
        let action = titled(&found, "write the condition as a mapping");
        assert_eq!(applied(expression, action), mapping);
        client.change("behavior.yaml", 2, json!([{ "text": block }])).await;
        let found = in_range(&mut client, "codeAction", (4, 8), (4, 8)).await;
        let action = titled(&found, "write the condition as an expression");
        let written =
            expression.replace("not target in read_files", "\"not target in read_files\"");
        assert_eq!(applied(block, action), written);
        client
    });
}

#[test]
fn what_is_missing_is_created() {
    let text = "profile: dev\nrule_definitions:\n  - id: a\n    trigger: edit\n    condition: target in seen and flag(done)\n    message: x\nstate_tracking:\n  sets:\n    other: { add_on: read }\n";
    session(&[], all(), |mut client| async move {
        client.open("behavior.yaml", text).await;
        let found = in_range(&mut client, "codeAction", (4, 25), (4, 25)).await;
        let action = titled(&found, "declare the set `seen`");
        let expected = format!("{text}    seen: {{ add_on: read }}\n");
        assert_eq!(applied(text, action), expected);
        let found = in_range(&mut client, "codeAction", (4, 40), (4, 40)).await;
        let action = titled(&found, "declare the flag `done`");
        assert_eq!(
            applied(text, action),
            format!("{text}  flags:\n    done: {{ set_on: ask_user }}\n")
        );
        // What the rules name may be in a profile that is not there, so that is told alone.
        let text = text.replace("profile: dev", "profile: mine");
        client.change("behavior.yaml", 2, json!([{ "text": text }])).await;
        let found = in_range(&mut client, "codeAction", (0, 10), (0, 10)).await;
        let action = titled(&found, "create the profile");
        assert_eq!(action["edit"]["documentChanges"][0]["uri"], uri("behavior/mine.yaml"));
        client
    });
}

#[test]
fn rules_are_silenced_and_moved() {
    let text = "profile: dev\nrule_definitions:\n  - id: a\n    trigger: edit\n    message: x\n  - id: b\n    trigger: read\n    message: y\n";
    session(&[], all(), |mut client| async move {
        client.open("behavior.yaml", text).await;
        let found = in_range(&mut client, "codeAction", (2, 8), (2, 8)).await;
        let action = titled(&found, "silence `a`");
        assert!(applied(text, action).ends_with("exceptions:\n  - { rule: a, when: { target_matches: \"docs/**\" }, reason: \"say why\" }\n"));
        let of_shell = text.replace("trigger: edit", "trigger: bash");
        client.change("behavior.yaml", 2, json!([{ "text": of_shell }])).await;
        let found = in_range(&mut client, "codeAction", (2, 8), (2, 8)).await;
        let action = titled(&found, "silence `a`");
        assert!(applied(&of_shell, action).contains("when: 'runs \"make test\"'"), "{action:#}");
        client.change("behavior.yaml", 3, json!([{ "text": text }])).await;
        let found = in_range(&mut client, "codeAction", (5, 0), (7, 5)).await;
        let action = titled(&found, "move this rule");
        let changes = action["edit"]["documentChanges"].as_array().unwrap();
        assert_eq!(changes[0]["uri"], uri("behavior/extracted.yaml"));
        let profile = changes[1]["edits"][0]["newText"].as_str().unwrap();
        assert_eq!(
            profile,
            "name: extracted\nextends: dev\nrule_definitions:\n  - id: b\n    trigger: read\n    message: y\n"
        );
        assert_eq!(
            applied(text, action),
            "profile: extracted\nrule_definitions:\n  - id: a\n    trigger: edit\n    message: x\n"
        );
        client
    });
}

#[test]
fn what_is_not_written_is_shown() {
    let text = "profile: dev\nrules:\n  search_before_read: true\nrule_definitions:\n  - id: a\n    trigger: edit\n    condition: target exists\n    message: x\n";
    session(&[], all(), |mut client| async move {
        client.open("behavior.yaml", text).await;
        let found = in_range(&mut client, "inlayHint", (0, 0), (9, 0)).await;
        let shown: Vec<(u64, &str)> = found
            .as_array()
            .unwrap()
            .iter()
            .map(|it| (it["position"]["line"].as_u64().unwrap(), it["label"].as_str().unwrap()))
            .collect();
        assert!(
            shown.iter().any(|(line, label)| *line == 0 && label.ends_with(" rules")),
            "{shown:?}"
        );
        assert!(shown.contains(&(2, "max_blind_reads: 2")), "{shown:?}");
        let steps = |(line, label): &(u64, &str)| *line == 4 && label.contains("step");
        assert!(shown.iter().any(steps), "{shown:?}");
        client
    });
}

#[test]
fn forms_of_conditions_are_shown_while_they_are_written() {
    let text = "rule_definitions:\n  - id: a\n    condition: counter(\n";
    session(&[], all(), |mut client| async move {
        client.open("behavior.yaml", text).await;
        let params = json!({ "textDocument": { "uri": uri("behavior.yaml") },
                             "position": { "line": 2, "character": 23 } });
        let found = client.request("textDocument/signatureHelp", params).await;
        let label = found["signatures"][0]["label"].as_str().expect("a form");
        assert!(label.starts_with("counter({"), "{label}");
        assert_eq!(found["activeParameter"], 0);
        client
    });
}

#[test]
fn words_have_meanings() {
    let text = "rule_definitions:\n  - id: a\n    condition: flag(done) and counter(é) >= 3\n    message: \"{counter:é} 👩 {target}\"\n";
    session(&[], all(), |mut client| async move {
        let types = client.capabilities["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
        client.open("behavior.yaml", text).await;
        let params = json!({ "textDocument": { "uri": uri("behavior.yaml") } });
        let found = client.request("textDocument/semanticTokens/full", params).await;
        let data: Vec<u64> =
            found["data"].as_array().unwrap().iter().map(|it| it.as_u64().unwrap()).collect();
        let lines: Vec<Vec<u16>> = text.lines().map(|line| line.encode_utf16().collect()).collect();
        let (mut line, mut column) = (0, 0);
        let mut shown = Vec::new();
        for token in data.chunks(5) {
            line += token[0] as usize;
            column = if token[0] == 0 { column } else { 0 } + token[1] as usize;
            let text =
                String::from_utf16(&lines[line][column..column + token[2] as usize]).unwrap();
            shown.push(format!("{text}:{}", types[token[3] as usize].as_str().unwrap()));
        }
        for expected in [
            "a:variable",
            "done:variable",
            "and:keyword",
            "é:variable",
            ">=:operator",
            "3:number",
            "target:macro",
        ] {
            assert!(shown.contains(&expected.to_owned()), "{expected} in {shown:?}");
        }
        client
    });
}

#[test]
fn state_leads_to_those_who_fill_it_and_ask_for_it() {
    let text = "rule_definitions:\n  - id: a\n    condition: target in seen\n    message: x\nstate_tracking:\n  sets:\n    seen: { add_on: [read, grep] }\n";
    session(&[], all(), |mut client| async move {
        client.open("behavior.yaml", text).await;
        let params = json!({ "textDocument": { "uri": uri("behavior.yaml") },
                             "position": { "line": 6, "character": 6 } });
        let items = client.request("textDocument/prepareCallHierarchy", params).await;
        let item = json!({ "item": items[0] });
        let incoming = client.request("callHierarchy/incomingCalls", item.clone()).await;
        assert_eq!(incoming[0]["from"]["name"], "a");
        let outgoing = client.request("callHierarchy/outgoingCalls", item).await;
        let names: Vec<_> =
            outgoing.as_array().unwrap().iter().map(|it| it["to"]["name"].clone()).collect();
        assert_eq!(names, ["added to by read", "added to by grep"]);
        let of_rule = json!({ "item": incoming[0]["from"] });
        let outgoing = client.request("callHierarchy/outgoingCalls", of_rule).await;
        assert_eq!(outgoing[0]["to"]["name"], "seen");
        client
    });
}
