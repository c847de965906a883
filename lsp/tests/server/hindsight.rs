//! Rules tried on recorded sessions: when somebody is asked, and when that ends.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use behavior_compiler::ide::Compiled;
use behavior_lsp::{Hindsight, IsOver, OfRule, Question, Recordings, Told, Weight};
use serde_json::{Value, json};

use crate::client::{Client, session_with, uri};

const RULES: &str = "rule_definitions:\n  - id: a\n    trigger: edit\n    condition: target in read_files\n    message: x\n";

/// Somebody who takes as long as nobody stops it, until it is told to be quick.
#[derive(Debug, Default)]
struct Slow {
    is_quick: AtomicBool,
    begun: AtomicU32,
    ended: AtomicU32,
    roots: Mutex<Vec<String>>,
}

impl Recordings for Slow {
    fn look(&self, question: &Question, is_over: IsOver<'_>, tell: &mut dyn FnMut(Hindsight)) {
        self.begun.fetch_add(1, Ordering::SeqCst);
        self.roots.lock().expect("a list").push(question.root.clone());
        while !is_over() && !self.is_quick.load(Ordering::SeqCst) {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.ended.fetch_add(1, Ordering::SeqCst);
        let of = OfRule { fired: 7, sessions: 2, ..OfRule::default() };
        let rules = [("a".to_owned(), of)].into();
        tell(Hindsight { sessions: 9, events: 1, rules, ..Hindsight::default() });
    }

    fn decide(&self, _: &str, _: &Compiled, _: IsOver<'_>) -> Option<Vec<Told>> {
        panic!("no recording is open");
    }
}

impl Slow {
    async fn until_begun(&self, times: u32) {
        while self.begun.load(Ordering::SeqCst) < times {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
}

async fn titles(client: &mut Client) -> Vec<String> {
    let params = json!({ "textDocument": { "uri": uri("behavior.yaml") } });
    let lenses = client.request("textDocument/codeLens", params).await;
    let title = |it: &Value| it["command"]["title"].as_str().expect("a title").to_owned();
    lenses.as_array().expect("a list").iter().map(title).collect()
}

#[test]
fn an_edit_ends_what_is_of_no_use_and_diagnostics_wait_for_nothing() {
    let slow = Arc::new(Slow::default());
    let options = json!({ "sessions": ["x.jsonl"] });
    let recordings = Arc::clone(&slow);
    session_with(&[], json!({}), options, recordings, |mut client| async move {
        client.open("behavior.yaml", RULES).await;
        assert_eq!(client.diagnostics("behavior.yaml", 1).await.len(), 0);
        slow.until_begun(1).await;
        // The first look never ends by itself.
        let broken = RULES.replace("trigger", "triger");
        client.change("behavior.yaml", 2, json!([{ "text": broken }])).await;
        let found = client.diagnostics("behavior.yaml", 2).await;
        assert!(found.iter().any(|it| it.contains("triger")), "{found:#?}");
        // Rules with errors are not tried.
        client.change("behavior.yaml", 3, json!([{ "text": RULES }])).await;
        assert_eq!(client.diagnostics("behavior.yaml", 3).await.len(), 0);
        slow.until_begun(2).await;
        assert_eq!(slow.ended.load(Ordering::SeqCst), 1);
        slow.is_quick.store(true, Ordering::SeqCst);
        while titles(&mut client).await != ["fired 7× in 2 of 9 sessions", "explain"] {}
        assert_eq!(*slow.roots.lock().expect("a list"), ["/project", "/project"]);
        client
    });
}

#[test]
fn nobody_is_asked_without_a_setting() {
    let slow = Arc::new(Slow::default());
    let recordings = Arc::clone(&slow);
    session_with(&[], json!({}), Value::Null, recordings, |mut client| async move {
        client.open("behavior.yaml", RULES).await;
        assert_eq!(client.diagnostics("behavior.yaml", 1).await.len(), 0);
        assert_eq!(titles(&mut client).await, ["explain"]);
        assert_eq!(slow.begun.load(Ordering::SeqCst), 0);
        client
    });
}

#[test]
fn work_is_shown_until_it_ends_and_tools_that_were_called_are_offered() {
    let called = Arc::new(Called);
    let options = json!({ "sessions": ["x.jsonl"] });
    let capabilities = json!({ "window": { "workDoneProgress": true } });
    session_with(&[], capabilities, options, called, |mut client| async move {
        client.open("behavior.yaml", RULES).await;
        let asked = client.wait_for("window/workDoneProgress/create", |_| true).await;
        let token = asked["params"]["token"].clone();
        let answer = json!({ "jsonrpc": "2.0", "id": asked["id"], "result": null });
        client.send(&answer).await;
        for kind in ["begin", "end"] {
            let is_it = |it: &Value| it["token"] == token && it["value"]["kind"] == kind;
            client.wait_for("$/progress", is_it).await;
        }
        let params = json!({ "textDocument": { "uri": uri("behavior.yaml") },
                             "position": { "line": 2, "character": 13 } });
        let items = client.request("textDocument/completion", params).await;
        let labels: Vec<&str> = items
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|it| it["label"].as_str())
            .collect();
        assert!(labels.contains(&"github.create_issue"), "{labels:?}");
        client
    });
}

/// Somebody in whose sessions a server's tool was called.
struct Called;

impl Recordings for Called {
    fn look(&self, _: &Question, _: IsOver<'_>, tell: &mut dyn FnMut(Hindsight)) {
        let tools = ["github.create_issue".to_owned()].into();
        tell(Hindsight { sessions: 1, events: 1, tools, ..Hindsight::default() });
    }

    fn decide(&self, _: &str, _: &Compiled, _: IsOver<'_>) -> Option<Vec<Told>> {
        Some(vec![
            Told { line: 2, weight: Weight::Verdict, rule: String::new(), text: "deny".to_owned() },
            Told { line: 2, weight: Weight::Blocked, rule: "a".to_owned(), text: "No.".to_owned() },
        ])
    }
}

#[test]
fn a_line_of_an_open_session_is_explained() {
    let options = Value::Null;
    session_with(
        &[("behavior.yaml", RULES)],
        json!({}),
        options,
        Arc::new(Called),
        |mut client| async move {
            client.open("behavior.yaml", RULES).await;
            client.open("a.jsonl", "{}\n{}\n").await;
            client
                .wait_for("textDocument/publishDiagnostics", |params| {
                    params["uri"] == uri("a.jsonl")
                        && params["diagnostics"].as_array().is_some_and(|it| !it.is_empty())
                })
                .await;
            let at = |line: u32| {
                json!({ "textDocument": { "uri": uri("a.jsonl") },
                                     "position": { "line": line, "character": 0 } })
            };
            let found = client.request("textDocument/hover", at(1)).await;
            assert_eq!(found["contents"]["value"], "**deny**\n- `a` blocks: No.");
            assert_eq!(client.request("textDocument/hover", at(0)).await, Value::Null);
            client
        },
    );
}
