//! Hover and completion, as the client gets them.

use serde_json::{Value, json};

use crate::client::{Client, session, uri};

async fn ask(client: &mut Client, method: &str, name: &str, line: u32, column: u32) -> Value {
    let position = json!({ "line": line, "character": column });
    let params = json!({ "textDocument": { "uri": uri(name) }, "position": position });
    client.request(method, params).await
}

#[test]
fn hover_answers_with_markdown_and_its_range() {
    session(&[], json!({}), |mut client| async move {
        assert_eq!(client.capabilities["hoverProvider"], true);
        client.open("behavior.yaml", "rules: { \"👩\": 1, autonomy: low }\n").await;
        let answer = ask(&mut client, "textDocument/hover", "behavior.yaml", 0, 20).await;
        let expected = json!({
            "contents": { "kind": "markdown", "value": "**`autonomy`** — setting\n\nHow much the agent does without asking: `low`, `medium` or `high`." },
            "range": { "start": { "line": 0, "character": 18 }, "end": { "line": 0, "character": 26 } },
        });
        assert_eq!(answer, expected);
        let nothing = ask(&mut client, "textDocument/hover", "behavior.yaml", 9, 9).await;
        assert_eq!(nothing, Value::Null);
        let nothing = ask(&mut client, "textDocument/hover", "not-open.yaml", 0, 0).await;
        assert_eq!(nothing, Value::Null);
        client
    });
}

#[test]
fn completion_answers_with_edits() {
    let text = "rule_definitions:\n  - id: é👩\n    whe\n";
    let snippets = json!({ "textDocument": { "completion": { "completionItem": { "snippetSupport": true } } } });
    for (capabilities, format, new_text) in [
        (json!({}), Value::Null, "when: "),
        (snippets, json!(2), "when: ${1|pre_tool,post_tool,on_text,turn_end|}"),
    ] {
        session(&[], capabilities, |mut client| async move {
            client.open("behavior.yaml", text).await;
            let items = ask(&mut client, "textDocument/completion", "behavior.yaml", 2, 7).await;
            let items = items.as_array().expect("a list");
            let labels: Vec<_> = items.iter().map(|item| item["label"].as_str()).collect();
            assert_eq!(
                labels,
                [Some("when"), Some("when_undecided"), Some("when_nobody_can_answer")]
            );
            let when = &items[0];
            assert_eq!(
                when["textEdit"],
                json!({ "newText": new_text, "range": {
                "start": { "line": 2, "character": 4 }, "end": { "line": 2, "character": 7 } } })
            );
            assert_eq!(when["insertTextFormat"], format);
            assert_eq!(when["sortText"], "00000");
            assert_eq!(when["detail"], "`pre_tool`, `post_tool`, `on_text` or `turn_end`");
            client
        });
    }
}

#[test]
fn answers_are_about_the_text_as_it_was_when_asked() {
    session(&[], json!({}), |mut client| async move {
        client.open("behavior.yaml", "").await;
        for (version, key) in ["profile", "rules", "custom", "brain"].into_iter().enumerate() {
            let change = json!([{ "text": format!("# {version}\n{key}:\n") }]);
            client.change("behavior.yaml", version as i32 + 2, change).await;
            let answer = ask(&mut client, "textDocument/hover", "behavior.yaml", 1, 1).await;
            let markdown = answer["contents"]["value"].as_str().expect("an explanation");
            assert!(markdown.starts_with(&format!("**`{key}`**")), "{markdown}");
        }
        client
    });
}

#[test]
fn unsaved_profiles_are_known() {
    session(&[], json!({}), |mut client| async move {
        client.open("behavior/mine.yaml", "state_tracking:\n  flags: { f: { set_on: x } }\n").await;
        client.open("behavior.yaml", "profile: \n").await;
        let items = ask(&mut client, "textDocument/completion", "behavior.yaml", 0, 9).await;
        assert_eq!(items[0]["label"], "mine");
        let text = "profile: mine\nrule_definitions:\n  - condition: flag(f)\n";
        client.change("behavior.yaml", 2, json!([{ "text": text }])).await;
        let answer = ask(&mut client, "textDocument/hover", "behavior.yaml", 2, 20).await;
        let markdown = answer["contents"]["value"].as_str().expect("an explanation");
        assert!(markdown.contains("declared in `behavior/mine.yaml`"), "{markdown}");
        client
    });
}

#[test]
fn policies_are_explained_and_completed() {
    session(&[], json!({}), |mut client| async move {
        let name = "behavior/policy.toml";
        client.open(name, "[[rules]]\naction = \"deny\"\npattern = \"bash(git pu").await;
        let answer = ask(&mut client, "textDocument/hover", name, 1, 12).await;
        let markdown = answer["contents"]["value"].as_str().expect("an explanation");
        assert_eq!(markdown, "**`deny`** — value\n\nIt does not run.");
        let items = ask(&mut client, "textDocument/completion", name, 2, 22).await;
        let items = items.as_array().expect("a list");
        let push = items.iter().find(|item| item["label"] == "push").expect("a subcommand");
        let range = json!({
            "start": { "line": 2, "character": 20 }, "end": { "line": 2, "character": 22 },
        });
        assert_eq!(push["textEdit"], json!({ "newText": "push", "range": range }));
        client
    });
}

#[test]
fn files_that_are_nearly_called_right_get_a_word() {
    session(&[], json!({}), |mut client| async move {
        client.open("behavior.yml", "profile: dev\n").await;
        let word = client.wait_for("window/showMessage", |_| true).await;
        let text = word["params"]["message"].as_str().expect("a text");
        assert!(text.contains("call it `behavior.yaml`"), "{text}");
        client
    });
}

#[test]
fn documents_and_ranges_are_laid_out() {
    session(&[], json!({}), |mut client| async move {
        assert_eq!(client.capabilities["documentFormattingProvider"], true);
        assert_eq!(client.capabilities["documentRangeFormattingProvider"], true);
        client.open("behavior.yaml", "profile:   dev\nrules: {é👩:  1,autonomy: low}\n").await;
        let document = json!({ "uri": uri("behavior.yaml") });
        let options = json!({ "tabSize": 2, "insertSpaces": true });
        let params = json!({ "textDocument": document, "options": options });
        let edits = client.request("textDocument/formatting", params).await;
        let edit = |line: u32, text: &str| {
            json!({ "range": { "start": { "line": line, "character": 0 },
                               "end": { "line": line + 1, "character": 0 } }, "newText": text })
        };
        let (first, second) =
            (edit(0, "profile: dev\n"), edit(1, "rules: { é👩: 1, autonomy: low }\n"));
        assert_eq!(edits, json!([first, second]));
        let range =
            json!({ "start": { "line": 1, "character": 3 }, "end": { "line": 1, "character": 5 } });
        let params = json!({ "textDocument": document, "options": options, "range": range });
        let edits = client.request("textDocument/rangeFormatting", params).await;
        assert_eq!(edits, json!([second]));
        // What is behind is laid out when a line is begun; that one is not.
        client.open("behavior/typed.yaml", "name:   typed\nrules: {a:  1}\nextends:   dev\n").await;
        let typed = json!({ "uri": uri("behavior/typed.yaml") });
        let params = json!({ "textDocument": typed, "options": options, "ch": "\n",
                             "position": { "line": 2, "character": 0 } });
        let edits = client.request("textDocument/onTypeFormatting", params).await;
        let text = &edits[0]["newText"];
        assert_eq!((edits.as_array().map(Vec::len), text), (Some(1), &json!("rules: { a: 1 }\n")));
        client.open("broken.yaml", "rules: [\n").await;
        let params = json!({ "textDocument": { "uri": uri("broken.yaml") }, "options": options });
        assert_eq!(client.request("textDocument/formatting", params).await, Value::Null);
        client
    });
}
