//! How sessions start and end, and what the two sides agree on.

use serde_json::{Value, json};

use crate::client::{Client, PATIENCE, runtime, session};

fn provider() -> behavior_compiler::provider::WithLibrary<behavior_compiler::provider::MemoryFiles>
{
    behavior_compiler::provider::WithLibrary {
        library: behavior_stdlib::file,
        presets: behavior_stdlib::PROFILES,
        project: Default::default(),
    }
}

#[test]
fn columns_are_bytes_where_the_client_can_count_them() {
    let offers = |encodings: Value| json!({ "general": { "positionEncodings": encodings } });
    for (capabilities, expected) in [
        (json!({}), "utf-16"),
        (offers(json!(["utf-16"])), "utf-16"),
        (offers(json!(["utf-32", "utf-16"])), "utf-16"),
        (offers(json!(["utf-16", "utf-8"])), "utf-8"),
    ] {
        session(&[], capabilities, |client| async move {
            assert_eq!(client.capabilities["positionEncoding"], expected);
            assert_eq!(client.capabilities["textDocumentSync"]["change"], 2);
            client
        });
    }
}

#[test]
fn a_client_that_leaves_without_a_word_ends_the_server() {
    let ended = runtime().block_on(async { Client::unconnected(provider()).leave().await });
    assert!(ended.is_err(), "it did not ask for `shutdown`");
}

#[test]
fn exit_without_shutdown_is_told_apart() {
    let ended = runtime().block_on(async {
        let mut client = Client::unconnected(provider());
        client.request("initialize", json!({ "capabilities": {} })).await;
        client.notify("exit", Value::Null).await;
        client.wait_for_end().await
    });
    assert!(ended.is_err());
}

/// Not every client waits for the answer to its last request.
#[test]
fn exit_right_behind_shutdown_is_an_orderly_end() {
    let ended = runtime().block_on(async {
        let mut client = Client::unconnected(provider());
        client.request("initialize", json!({ "capabilities": {} })).await;
        client.send(&json!({ "jsonrpc": "2.0", "id": 9, "method": "shutdown" })).await;
        client.notify("exit", Value::Null).await;
        client.wait_for_end().await
    });
    assert!(ended.is_ok(), "{ended:?}");
}

/// Nor does every client answer what it is asked when it is about to leave.
#[test]
fn a_client_that_owes_an_answer_can_leave() {
    let watching =
        json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    let ended = runtime().block_on(async {
        let mut client = Client::unconnected(provider());
        client.request("initialize", json!({ "capabilities": watching })).await;
        client.notify("initialized", json!({})).await;
        client.request("shutdown", Value::Null).await;
        client.notify("exit", Value::Null).await;
        tokio::time::timeout(PATIENCE, client.wait_for_end()).await
    });
    assert!(ended.expect("the server ends").is_ok());
}

#[test]
fn what_is_no_request_is_answered_and_survived() {
    session(&[], json!({}), |mut client| async move {
        client.send(&json!({ "jsonrpc": "2.0", "id": 77, "method": "no/such" })).await;
        let answer = client.answer_to(77).await;
        assert_eq!(answer["error"]["code"], -32601);
        client.notify("$/whatever", json!({})).await;
        client.change("never-opened.yaml", 3, json!([{ "text": "x" }])).await;
        client.close("never-opened.yaml").await;
        client
    });
}

#[test]
fn messages_that_cannot_be_read_are_answered_and_survived() {
    session(&[], json!({}), |mut client| async move {
        client.send_body("{not json").await;
        let answer = client.answer_to(Value::Null).await;
        assert_eq!(answer["error"]["code"], -32700);
        assert_eq!(answer["error"]["message"], "a message is not valid JSON");
        client.send_body(r#"{"id": 5, "method": "no version"}"#).await;
        assert_eq!(client.answer_to(5).await["error"]["code"], -32600);
        client.open("behavior.yaml", "rules: { nonsense: true }\n").await;
        assert_eq!(client.diagnostics("behavior.yaml", 1).await.len(), 1);
        client
    });
}

#[test]
fn files_on_disk_are_watched_where_the_client_can() {
    let capabilities =
        json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    session(&[], capabilities, |mut client| async move {
        let request = client.wait_for("client/registerCapability", |_| true).await;
        let registered = &request["params"]["registrations"][0];
        assert_eq!(registered["method"], "workspace/didChangeWatchedFiles");
        client.send(&json!({ "jsonrpc": "2.0", "id": request["id"], "result": null })).await;
        client
    });
}
