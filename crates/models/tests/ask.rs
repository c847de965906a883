//! The client against a server that does what a script says: every way in which there is no answer, by both protocols.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

mod server;

use std::time::{Duration, Instant};

use behavior_models::ask;
use behavior_runtime::brain::{Backend, Brain};
use behavior_runtime::model::{ModelFailure, ModelReply, ModelRequest, Purpose};
use server::{Act, Server};

const KEY: &str = "key-canary-4711";
const QUESTION: &str = "question-canary-4711";

fn request(milliseconds: u64) -> ModelRequest {
    ModelRequest {
        purpose: Purpose::Classify,
        system: "You judge.".to_owned(),
        user: QUESTION.to_owned(),
        temperature: Some(0.0),
        max_tokens: None,
        timeout: Duration::from_millis(milliseconds),
    }
}

fn brain(server: &Server, backend: Backend) -> Brain {
    Brain {
        model: Some("small".to_owned()),
        base_url: Some(format!("{}/v1", server.address)),
        key: Some("TEST_KEY".to_owned()),
        needs_key: true,
        ..Brain::new("custom", backend)
    }
}

fn asked(server: &Server, backend: Backend, time: u64) -> Result<ModelReply, ModelFailure> {
    let key = |name: &str| (name == "TEST_KEY").then(|| KEY.to_owned());
    let answered = ask(&brain(server, backend), &request(time), &key);
    if let Err(failure) = &answered {
        let said = format!("{failure} {failure:?}");
        assert!(!said.contains("canary"), "{said}");
    }
    answered
}

/// What each protocol makes of one thing that the server does.
#[track_caller]
fn check(act: Act, expected: &ModelFailure) {
    for backend in Backend::ALL {
        let server = Server::start(vec![act.clone()]);
        assert_eq!(asked(&server, backend, 5000), Err(expected.clone()), "{backend:?} {act:?}");
    }
}

fn unreadable(reason: &str) -> ModelFailure {
    ModelFailure::Unreadable(reason.into())
}

fn network(reason: &str) -> ModelFailure {
    ModelFailure::Network(reason.into())
}

#[test]
fn what_is_said_comes_back_with_its_tokens() {
    for backend in Backend::ALL {
        let server = Server::start(vec![Act::say("```json\n{\"risk\": \"low\"}\n```")]);
        let reply = asked(&server, backend, 5000).unwrap();
        assert_eq!(reply.raw, "```json\n{\"risk\": \"low\"}\n```");
        assert_eq!((reply.input_tokens, reply.output_tokens), (Some(11), Some(7)));
    }
}

#[test]
fn each_protocol_is_asked_in_its_own_way() {
    let server = Server::start(vec![Act::say("yes")]);
    asked(&server, Backend::OpenAiCompatible, 5000).unwrap();
    asked(&server, Backend::Anthropic, 5000).unwrap();
    let [first, second] = &server.asked()[..] else { panic!() };
    assert_eq!(first.path, "/v1/chat/completions");
    assert!(first.head.contains(&format!("authorization: Bearer {KEY}")), "{}", first.head);
    assert_eq!(first.body["messages"][0]["role"], "system");
    assert_eq!(first.body["messages"][1]["content"], QUESTION);
    assert_eq!((&first.body["stream"], &first.body["model"]), (&false.into(), &"small".into()));
    assert_eq!(first.body.get("max_tokens"), None);
    assert_eq!(second.path, "/v1/messages");
    assert!(second.head.contains(&format!("x-api-key: {KEY}")), "{}", second.head);
    assert!(second.head.contains("anthropic-version: "), "{}", second.head);
    assert_eq!(
        (&second.body["system"], &second.body["max_tokens"]),
        (&"You judge.".into(), &1024.into())
    );
    assert_eq!(second.body["messages"][0]["content"], QUESTION);
}

#[test]
fn what_a_brain_says_is_sent() {
    let server = Server::start(vec![Act::say("yes")]);
    let mut brain = brain(&server, Backend::OpenAiCompatible);
    (brain.key, brain.needs_key) = (None, false);
    (brain.max_tokens, brain.top_p, brain.temperature) = (Some(300), Some(0.5), Some(0.7));
    let unasked = ModelRequest { temperature: None, ..request(5000) };
    ask(&brain, &unasked, &|_| panic!("no key is wanted")).unwrap();
    brain.provider = "openai".to_owned();
    ask(&brain, &request(5000), &|_| None).unwrap();
    let [first, second] = &server.asked()[..] else { panic!() };
    assert!(!first.head.to_lowercase().contains("authorization"), "{}", first.head);
    let said = |field: &str| first.body[field].as_f64();
    assert_eq!((said("max_tokens"), said("top_p")), (Some(300.0), Some(0.5)));
    assert_eq!(said("temperature"), Some(0.7));
    assert_eq!(second.body["max_completion_tokens"], 300);
    assert_eq!(
        (second.body.get("max_tokens"), second.body["temperature"].as_f64()),
        (None, Some(0.0))
    );
}

#[test]
fn a_text_in_parts_is_one_text() {
    let parts = br#"{"choices":[{"message":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}"#;
    let server = Server::start(vec![Act::body(parts)]);
    assert_eq!(asked(&server, Backend::OpenAiCompatible, 5000).unwrap().raw, "ab");
    let parts = br#"{"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"c"}]}"#;
    let server = Server::start(vec![Act::body(parts)]);
    assert_eq!(asked(&server, Backend::Anthropic, 5000).unwrap().raw, "c");
}

#[test]
fn a_rejected_key_is_told_as_such() {
    check(Act::status(401), &ModelFailure::KeyRejected);
    check(Act::status(403), &ModelFailure::KeyRejected);
}

#[test]
fn other_statuses_are_told_by_their_number() {
    for status in [400, 404, 500, 503, 529] {
        check(Act::status(status), &ModelFailure::Status(status));
    }
}

#[test]
fn redirects_are_not_followed() {
    for backend in Backend::ALL {
        for status in [301, 302, 303, 307, 308] {
            let other = Server::start(vec![Act::say("gotcha")]);
            let there = vec![("location", format!("{}/v1/messages", other.address))];
            let server = Server::start(vec![Act::Answer(status, there, Vec::new())]);
            assert_eq!(asked(&server, backend, 5000), Err(ModelFailure::Status(status)));
            assert!(other.asked().is_empty(), "the question and the key went on");
        }
    }
}

#[test]
fn a_server_with_too_many_requests_is_asked_once_more_if_there_is_time() {
    let busy =
        |seconds: &str| Act::Answer(429, vec![("retry-after", seconds.to_owned())], b"{}".to_vec());
    for backend in Backend::ALL {
        let server = Server::start(vec![busy("1"), Act::say("yes")]);
        assert_eq!(asked(&server, backend, 5000).unwrap().raw, "yes");
        let server = Server::start(vec![busy("0"), busy("0"), Act::say("yes")]);
        assert_eq!(asked(&server, backend, 5000), Err(ModelFailure::RateLimited));
        assert_eq!(server.asked().len(), 2);
        for wait in ["60", "99999999999999999999", "-1", "Mon, 21 Oct 2126 07:28:00 GMT"] {
            let server = Server::start(vec![busy(wait), Act::say("yes")]);
            let started = Instant::now();
            assert_eq!(asked(&server, backend, 5000), Err(ModelFailure::RateLimited), "{wait}");
            assert!(started.elapsed() < Duration::from_secs(4), "{wait}");
            assert_eq!(server.asked().len(), 1, "{wait}");
        }
    }
}

#[test]
fn whoever_is_late_is_not_waited_for() {
    let pause = Duration::from_millis(50);
    for act in [
        Act::after(20_000, Act::say("late")),
        Act::Drip(pause),
        Act::DripHead(pause),
        Act::after(600, Act::Drip(pause)),
    ] {
        for backend in Backend::ALL {
            let server = Server::start(vec![act.clone()]);
            let started = Instant::now();
            assert_eq!(asked(&server, backend, 1000), Err(ModelFailure::Timeout), "{act:?}");
            assert!(started.elapsed() < Duration::from_secs(4), "{act:?}: {:?}", started.elapsed());
        }
    }
}

#[test]
fn the_brain_may_want_to_wait_less() {
    let server = Server::start(vec![Act::after(20_000, Act::say("late"))]);
    let started = Instant::now();
    let mut brain = brain(&server, Backend::OpenAiCompatible);
    brain.timeout_seconds = Some(0.3);
    let answered = ask(&brain, &request(20_000), &|_| Some(KEY.to_owned()));
    assert_eq!(answered, Err(ModelFailure::Timeout));
    assert!(started.elapsed() < Duration::from_secs(4));
    for seconds in [f64::INFINITY, f64::NAN, -1.0] {
        brain.timeout_seconds = Some(seconds);
        let answered = ask(&brain, &request(300), &|_| Some(KEY.to_owned()));
        assert_eq!(answered, Err(ModelFailure::Timeout), "{seconds}");
    }
}

#[test]
fn broken_connections_are_told_as_such() {
    let cut = network("the connection broke off");
    check(Act::Cut, &cut);
    check(Act::CutBody, &cut);
}

#[test]
fn nobody_there_is_told_as_such() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let brain = Brain {
        model: Some("small".to_owned()),
        base_url: Some(address),
        ..Brain::new("custom", Backend::OpenAiCompatible)
    };
    let refused = network("the connection was refused: is it running?");
    assert_eq!(ask(&brain, &request(2000), &|_| None), Err(refused));
}

#[test]
fn a_reply_of_100_mb_is_not_taken() {
    check(Act::Huge(100 << 20), &unreadable("it is longer than 4 MB"));
}

#[test]
fn the_head_of_an_answer_may_be_long_but_not_endless() {
    let padded = |length: usize| {
        let body = br#"{"choices":[{"message":{"content":"yes"}}],"content":[{"type":"text","text":"yes"}]}"#;
        Act::Answer(200, vec![("x-padding", "x".repeat(length))], body.to_vec())
    };
    for backend in Backend::ALL {
        let server = Server::start(vec![padded(12 << 10)]);
        assert_eq!(asked(&server, backend, 5000).unwrap().raw, "yes");
    }
    for length in [16 << 10, 100 << 10] {
        check(padded(length), &unreadable("its head is too long"));
    }
}

#[test]
fn what_is_no_answer_is_told_without_repeating_it() {
    check(Act::body(b"\xff\xfe{\"choices\": []}"), &unreadable("it is not valid UTF-8"));
    let html = unreadable("it is a page of HTML or XML: is this the right address?");
    check(Act::body(b"<!doctype html><p>secret-canary</p>"), &html);
    check(Act::body(b""), &unreadable("it is empty"));
    check(Act::body(b"hello canary"), &unreadable("it is no JSON"));
    let other = unreadable("it is JSON of another form: is this the right `backend`?");
    check(Act::body(b"{\"canary\": 1}"), &other);
    check(
        Act::body(b"data: {\"canary\": 1}\n\n"),
        &unreadable("it is streamed, which was not asked for"),
    );
    let deep = "{\"content\":".to_owned() + &"[".repeat(100_000);
    check(Act::body(deep.as_bytes()), &other);
}

#[test]
fn an_answer_without_text_is_none() {
    let nothing = unreadable("it holds no text");
    for body in [
        r#"{"choices":[], "content": []}"#,
        r#"{"choices":[{"message":{"content":null}}], "content": [{"type":"tool_use"}]}"#,
        r#"{"choices":[{"message":{"content":"  "}}], "content": [{"type":"text","text":" \n"}]}"#,
    ] {
        check(Act::body(body.as_bytes()), &nothing);
    }
}

#[test]
fn without_what_it_takes_nobody_is_asked() {
    let server = Server::start(vec![Act::say("yes")]);
    let whole = brain(&server, Backend::OpenAiCompatible);
    let no_model = Brain { model: None, ..whole.clone() };
    let key = |_: &str| Some(KEY.to_owned());
    assert_eq!(ask(&no_model, &request(1000), &key), Err(ModelFailure::NoModel));
    let no_key = Err(ModelFailure::NoKey("TEST_KEY".into()));
    assert_eq!(ask(&whole, &request(1000), &|_| None), no_key);
    for key in ["", "  ", "two\nlines", "with blank", "\u{e9}"] {
        assert_eq!(ask(&whole, &request(1000), &|_| Some(key.to_owned())), no_key, "{key:?}");
    }
    let nowhere = Brain { base_url: None, ..whole.clone() };
    assert!(matches!(ask(&nowhere, &request(1000), &key), Err(ModelFailure::Network(_))));
    assert!(server.asked().is_empty());
    let open = Brain { base_url: Some("http://192.0.2.1/v1".to_owned()), ..whole };
    let unencrypted = network("the key would be sent without encryption: use an `https` address");
    assert_eq!(ask(&open, &request(1000), &key), Err(unencrypted));
}

#[test]
fn an_address_that_is_none_is_told() {
    for address in ["", "http://", "not an address", "http://[::1", "ftp://127.0.0.1/v1"] {
        let brain = Brain {
            model: Some("small".to_owned()),
            base_url: Some(address.to_owned()),
            ..Brain::new("custom", Backend::OpenAiCompatible)
        };
        let answered = ask(&brain, &request(1000), &|_| None);
        assert!(matches!(answered, Err(ModelFailure::Network(_))), "{address}: {answered:?}");
    }
}
