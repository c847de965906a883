//! The examples for programs that embed the classifier do what they say: one against a stand-in, one against a server
//! on this machine.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

#[allow(dead_code, reason = "an example has a `main` of its own")]
#[path = "../examples/classifier_live.rs"]
mod classifier_live;
#[allow(dead_code, reason = "an example has a `main` of its own")]
#[path = "../examples/classifier_stub.rs"]
mod classifier_stub;
#[path = "../../crates/models/tests/server/mod.rs"]
mod server;

use server::{Act, Server};

#[test]
fn the_example_with_a_client_asks_without_a_key_as_its_header_says() {
    let answer = r#"{"complexity": "complex", "approach": "explore_first", "risk": "high",
                     "directives": ["Find out who calls it."]}"#;
    let server = Server::start(vec![Act::say(answer), Act::status(500)]);
    let address = format!("{}/v1", server.address);
    let told = classifier_live::directive(&address, "qwen3:4b", "rename it").unwrap();
    assert!(told.contains("1. Find out who calls it."), "{told}");
    let asked = server.asked();
    assert_eq!(asked.len(), 1);
    assert_eq!(asked[0].body["model"], "qwen3:4b");
    assert!(!asked[0].head.to_lowercase().contains("authorization"), "{}", asked[0].head);
    let failed = classifier_live::directive(&address, "qwen3:4b", "rename it").unwrap_err();
    assert_eq!(failed.to_string(), "the server answered with status 500");
}

#[test]
fn the_example_with_a_stand_in_runs() {
    classifier_stub::main().unwrap();
}
