//! Random trace policies and traces, and what such a policy finds in a trace by the simplest way that the
//! language's definition allows: the whole trace is laid out as pairs and calls first, and each rule
//! then looks at the list. Shares no code with the runtime but the names of the kinds.

use std::collections::{BTreeMap, BTreeSet};

use behavior_image::trace_rule::MonitorKind;
use behavior_image::trace_rule::Parameters;
use serde_json::{Map, Value, json};

use crate::stream::Numbers;

const TOOLS: [&str; 4] = ["deploy", "refund", "confirm", "look_up"];
const CALLED: [&str; 6] = ["deploy", "refund", "confirm", "look_up", "Deploy", "mcp__ops__refund"];
const WORDS: [&str; 8] = ["the", "cat", "sat", "État", "a", "42", "sorry", "confirm"];
const STOPS: [&str; 3] = ["end_turn", "tool_use", "max_tokens"];
const PATHS: [&str; 9] = [
    "request.params.amount",
    "request.params.list.1",
    "request.metadata.chunks",
    "model",
    "stop_reason",
    "response.content",
    "response.usage.input_tokens",
    "response.note",
    "request.nothing.there",
];
const OPERATORS: [&str; 10] =
    ["==", "!=", ">", ">=", "<", "<=", "in", "not_in", "contains", "not_contains"];

fn one<'t>(numbers: &mut Numbers, options: &[&'t str]) -> &'t str {
    options.get(numbers.below(options.len() as u64) as usize).copied().unwrap_or_default()
}

fn some(numbers: &mut Numbers, percent: u64) -> bool {
    numbers.below(100) < percent
}

fn value(numbers: &mut Numbers) -> Value {
    let values = json!([
        0, 1, 2, 2.5, -3, true, "large", "", ["x", 1], ["the cat", "sat"], {"a": 1, "b": 2}, {"b": 2, "a": 1}
    ]);
    values[numbers.below(12) as usize].clone()
}

fn text(numbers: &mut Numbers) -> String {
    if some(numbers, 15) {
        return one(numbers, &["{\"amount\": 5}", " [] ", "{\"amount\": \"5\"}", "{}"]).to_owned();
    }
    let words: Vec<_> = (0..numbers.below(6)).map(|_| one(numbers, &WORDS)).collect();
    words.join(" ")
}

/// A policy with a rule of each kind, as JSON.
#[must_use]
pub fn policy(numbers: &mut Numbers) -> Value {
    MonitorKind::ALL.iter().map(|kind| rule(*kind, numbers)).collect()
}

fn rule(kind: MonitorKind, numbers: &mut Numbers) -> Value {
    let params = params(kind, numbers);
    let mut rule = json!({ "id": kind.name(), "kind": kind.name(), "params": params });
    if some(numbers, 50) {
        rule["when"] = tests(numbers);
    }
    if some(numbers, 50) {
        rule["scope"] = json!("session");
    }
    rule["severity"] = json!(one(numbers, &["error", "warning", "info"]));
    rule
}

fn params(kind: MonitorKind, numbers: &mut Numbers) -> Value {
    match kind.parameters() {
        Parameters::CallOrder => {
            let first = numbers.below(4) as usize;
            json!({ "first": TOOLS[first], "then": TOOLS[(first + 1) % 4] })
        }
        Parameters::OneTool => json!({ "tool": one(numbers, &TOOLS) }),
        Parameters::OneCall => {
            let mut params = json!({ "tool": one(numbers, &TOOLS) });
            if some(numbers, 50) {
                params["before"] = json!("end_of_turn");
            }
            params
        }
        Parameters::Limit => json!({ "limit": numbers.below(5) }),
        Parameters::TokenLimit => {
            let mut params = json!({ "limit": numbers.below(200) });
            if some(numbers, 60) {
                let weights = json!(["count", "ignore", 0, 0.25, 1]);
                params["cached"] = weights[numbers.below(5) as usize].clone();
            }
            params
        }
        Parameters::StopReasons => json!({ "allowed": [one(numbers, &STOPS), "end_turn"] }),
        Parameters::OneText => {
            json!({ "text": one(numbers, &WORDS) })
        }
        Parameters::JsonSchema => {
            let properties = json!({ "amount": { "type": "number" } });
            json!({ "schema": { "type": "object", "required": ["amount"], "properties": properties } })
        }
        Parameters::OnePath => json!({ "path": one(numbers, &PATHS) }),
        Parameters::Followup => {
            let must = match numbers.below(2) {
                0 => json!({ "kind": "tool_call", "tool_name": one(numbers, &TOOLS) }),
                _ => json!({ "kind": "text_includes", "text": one(numbers, &WORDS) }),
            };
            let mut params = json!({ "trigger": tests(numbers), "must": must });
            if some(numbers, 50) {
                params["within"] = json!(1 + numbers.below(3));
            }
            params
        }
        Parameters::Grounded => json!({
            "retrieval_path": "request.metadata.chunks",
            "min_unigram_precision": numbers.below(5) as f64 / 4.0,
        }),
    }
}

fn tests(numbers: &mut Numbers) -> Value {
    (0..1 + numbers.below(2)).map(|_| test(numbers)).collect()
}

fn test(numbers: &mut Numbers) -> Value {
    let (path, operator) = (one(numbers, &PATHS), one(numbers, &OPERATORS));
    let value = match (operator, path) {
        ("in" | "not_in", _) => json!([value(numbers), value(numbers), "large", "tool_use"]),
        (">" | ">=" | "<" | "<=", _) => json!(numbers.below(40)),
        (_, "stop_reason") => json!(one(numbers, &STOPS)),
        (_, "response.content") => json!(one(numbers, &["confirm", "cat", "DEPLOY"])),
        _ => value(numbers),
    };
    json!({ "path": path, "op": operator, "value": value })
}

/// A native trace: some sessions side by side, named or not.
#[must_use]
pub fn trace(numbers: &mut Numbers) -> Vec<Value> {
    let names: &[&str] = if some(numbers, 50) { &["default"] } else { &["default", "one", "two"] };
    let mut open: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    let mut events = Vec::new();
    for number in 0..numbers.below(24) {
        let session = one(numbers, names);
        let waiting = open.entry(session).or_default();
        let mut event = match numbers.below(20) {
            0 => json!({ "event": "session_start", "by_exchange": some(numbers, 50) }),
            1 => json!({ "event": "session_end" }),
            2 => json!({ "event": "turn_start", "text": "go" }),
            3 => json!({ "event": "turn_end" }),
            4..=8 => request(numbers),
            9..=15 => response(numbers, number, waiting),
            16 => {
                json!({ "event": "tool_call", "id": format!("alone{number}"), "tool": one(numbers, &CALLED), "params": {} })
            }
            _ => match waiting.pop() {
                Some(call) => call,
                None => json!({ "event": "text", "text": "hm" }),
            },
        };
        if session != "default" {
            event["session"] = json!(session);
        }
        if event["event"] == "session_end" {
            waiting.clear();
        }
        events.push(event);
    }
    events
}

fn request(numbers: &mut Numbers) -> Value {
    let mut request = json!({ "event": "request", "params": {} });
    if some(numbers, 80) {
        request["model"] = json!(one(numbers, &["large", "small"]));
    }
    if some(numbers, 70) {
        request["params"]["amount"] = value(numbers);
        request["params"]["list"] = json!([value(numbers), value(numbers)]);
    }
    if some(numbers, 60) {
        request["metadata"] = json!({ "chunks": [text(numbers), text(numbers)] });
    }
    let last = match numbers.below(3) {
        0 => json!({ "role": "user", "content": "go" }),
        1 => json!({ "role": "user", "content": [{ "type": "tool_result" }] }),
        _ => json!({ "role": "tool" }),
    };
    request["messages"] = json!([{ "role": "user" }, last, { "role": "system" }]);
    request
}

fn response(numbers: &mut Numbers, number: u64, waiting: &mut Vec<Value>) -> Value {
    let mut content = Vec::new();
    for block in 0..numbers.below(3) {
        if some(numbers, 50) {
            content.push(json!({ "type": "text", "text": text(numbers) }));
            continue;
        }
        let (id, tool) = (format!("{number}.{block}"), one(numbers, &CALLED));
        content.push(json!({ "type": "tool_use", "id": id, "name": tool, "input": {} }));
        waiting.push(json!({ "event": "tool_call", "id": id, "tool": tool, "params": {} }));
    }
    let mut response = json!({ "event": "response", "model": "own", "content": content });
    if some(numbers, 90) {
        response["stop_reason"] = json!(one(numbers, &STOPS));
    }
    if some(numbers, 90) {
        let input = numbers.below(60) as i64 - 5;
        response["usage"] = json!({ "input_tokens": input, "output_tokens": numbers.below(40) });
        if some(numbers, 50) {
            response["usage"]["cached_tokens"] = json!(numbers.below(70));
        }
    }
    if some(numbers, 30) {
        response["note"] = value(numbers);
    }
    response
}

/// A request with its response, and the stretch of the trace that it is in.
struct Pair {
    told: Value,
    stretch: (String, u32),
    /// Which turn of its session it is in.
    turn: usize,
}

/// A call, the pair that it counts for, and what is known around it.
struct Called {
    tool: String,
    pair: usize,
    /// What is known around a call that no response announced.
    around: Option<Value>,
    stretch: (String, u32),
    /// Which turn of its session it is in.
    turn: usize,
}

/// A whole trace.
#[derive(Default)]
struct Laid {
    pairs: Vec<Pair>,
    calls: Vec<Called>,
    stretches: BTreeSet<(String, u32)>,
    /// The turns in which anything happened: by number, the last pair of each.
    turns: BTreeMap<usize, Option<usize>>,
    /// How many turns were begun.
    begun: usize,
}

impl Laid {
    fn next_turn(&mut self) -> usize {
        self.begun += 1;
        self.begun
    }
}

/// What is known of one session on the way.
#[derive(Default)]
struct Walk {
    is_marked: bool,
    is_used: bool,
    has_ended: bool,
    /// Turns are counted over the whole trace, so that no two have one number.
    turn: usize,
    pending: Option<Value>,
    last: Option<Value>,
    announced: Vec<Value>,
}

fn lay_out(events: &[Value]) -> Laid {
    let mut laid = Laid::default();
    let mut walks: BTreeMap<String, Walk> = BTreeMap::new();
    let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
    for event in events {
        let session = event["session"].as_str().unwrap_or("default").to_owned();
        let number = numbers.entry(session.clone()).or_default();
        let is_named = session != "default";
        let turn = laid.next_turn();
        let fresh = || Walk { is_marked: is_named, turn, ..Walk::default() };
        let walk = walks.entry(session.clone()).or_insert_with(fresh);
        step(event, &session, number, walk, &mut laid);
        if event["event"] == "session_end" {
            *number += 1;
            *walk = fresh();
        }
    }
    laid
}

fn step(event: &Value, session: &str, number: &mut u32, walk: &mut Walk, laid: &mut Laid) {
    let mut begin = |walk: &mut Walk, laid: &mut Laid| {
        if walk.is_used {
            *number += 1;
            let turn = laid.next_turn();
            *walk = Walk { is_marked: walk.is_marked, turn, ..Walk::default() };
        }
    };
    let mut is_announced = false;
    match event["event"].as_str() {
        Some("session_start") => {
            begin(walk, laid);
            walk.is_marked = event["by_exchange"] != true;
            return;
        }
        Some("turn_start") => {
            if !walk.is_marked {
                begin(walk, laid);
            }
            walk.turn = laid.next_turn();
            return;
        }
        Some("turn_end") => {
            walk.turn = laid.next_turn();
            return;
        }
        Some("request") => {
            let spoken = event["messages"]
                .as_array()
                .and_then(|all| all.iter().rfind(|message| message["role"] != "system"));
            let is_user =
                spoken.is_some_and(|last| last["role"] == "user" && last["content"].is_string());
            if walk.has_ended || is_user {
                if !walk.is_marked {
                    begin(walk, laid);
                }
                walk.turn = laid.next_turn();
            }
            walk.has_ended = false;
            walk.pending = Some(event.clone());
        }
        Some("response") => {
            if !walk.is_marked && walk.has_ended && walk.pending.is_none() {
                begin(walk, laid);
            }
            let request = walk.pending.take().unwrap_or(Value::Null);
            let model =
                if request["model"].is_null() { &event["model"] } else { &request["model"] };
            let reason = &event["stop_reason"];
            let told = json!({ "request": request, "response": event, "model": model, "stop_reason": reason });
            let asks = blocks(event).iter().any(|block| block["type"] == "tool_use");
            walk.has_ended = if reason.is_null() { !asks } else { reason != "tool_use" };
            walk.last = Some(told.clone());
            let stretch = (session.to_owned(), *number);
            for block in blocks(event).iter().filter(|block| block["type"] == "tool_use") {
                walk.announced.push(block["id"].clone());
                let (tool, pair) = (last_part(&block["name"]), laid.pairs.len());
                let (turn, stretch) = (walk.turn, stretch.clone());
                laid.calls.push(Called { tool, pair, around: None, stretch, turn });
            }
            let last_pair = Some(laid.pairs.len());
            laid.turns.insert(walk.turn, last_pair);
            laid.pairs.push(Pair { told, stretch: stretch.clone(), turn: walk.turn });
            laid.stretches.insert(stretch);
            walk.is_used = true;
            if walk.has_ended {
                walk.turn = laid.next_turn();
            }
            return;
        }
        Some("tool_call") => {
            let announced = walk.announced.iter().position(|id| *id == event["id"]);
            if let Some(at) = announced {
                walk.announced.remove(at);
                is_announced = true;
            } else {
                let is_next = walk.pending.is_some() || walk.has_ended;
                let pair = laid.pairs.len() - usize::from(!is_next && !laid.pairs.is_empty());
                let around = match (&walk.pending, &walk.last) {
                    (Some(request), _) => json!({ "request": request, "model": request["model"] }),
                    (None, Some(last)) if !walk.has_ended => last.clone(),
                    _ => Value::Null,
                };
                if !walk.is_marked && walk.has_ended {
                    begin(walk, laid);
                }
                let (tool, stretch) = (last_part(&event["tool"]), (session.to_owned(), *number));
                let (turn, around) = (walk.turn, Some(around));
                laid.calls.push(Called { tool, pair, around, stretch, turn });
            }
        }
        _ => return,
    }
    if !is_announced {
        let stretch = (session.to_owned(), *number);
        laid.turns.entry(walk.turn).or_insert(None);
        walk.is_used = true;
        laid.stretches.insert(stretch);
    }
}

fn last_part(name: &Value) -> String {
    let name = name.as_str().unwrap_or_default().to_lowercase();
    name.rsplit("__").next().unwrap_or_default().to_owned()
}

fn blocks(response: &Value) -> Vec<Value> {
    response["content"].as_array().cloned().unwrap_or_default()
}

fn text_of(pair: &Pair) -> String {
    let blocks = blocks(&pair.told["response"]);
    let texts: Vec<_> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
    texts.join("\n")
}

fn at<'v>(told: &'v Value, path: &str) -> Option<&'v Value> {
    let mut value = told;
    for part in path.split('.') {
        value = match value {
            Value::Array(items) => items.get(part.parse::<usize>().ok()?)?,
            other => other.get(part)?,
        };
    }
    (!value.is_null()).then_some(value)
}

fn holds(test: &Value, told: &Value) -> bool {
    let path = test["path"].as_str().unwrap_or_default();
    let (Some(actual), expected) = (at(told, path), &test["value"]) else { return false };
    let order = || actual.as_f64().zip(expected.as_f64()).and_then(|(a, e)| a.partial_cmp(&e));
    let contains = || match actual {
        Value::String(text) => expected.as_str().is_some_and(|wanted| text.contains(wanted)),
        Value::Array(blocks) if path == "response.content" => blocks.iter().any(|block| {
            let wanted = expected.as_str().unwrap_or_default();
            block["text"].as_str().is_some_and(|text| text.contains(wanted))
                || !block["name"].is_null() && last_part(&block["name"]) == wanted.to_lowercase()
        }),
        Value::Array(items) => items.contains(expected),
        _ => false,
    };
    let is_in = || expected.as_array().is_some_and(|items| items.contains(actual));
    match test["op"].as_str().unwrap_or_default() {
        "==" => actual == expected,
        "!=" => actual != expected,
        ">" => order().is_some_and(std::cmp::Ordering::is_gt),
        ">=" => order().is_some_and(std::cmp::Ordering::is_ge),
        "<" => order().is_some_and(std::cmp::Ordering::is_lt),
        "<=" => order().is_some_and(std::cmp::Ordering::is_le),
        "in" => is_in(),
        "not_in" => !is_in(),
        "contains" => contains(),
        _ => !contains(),
    }
}

fn all_hold(tests: &Value, told: &Value) -> bool {
    tests.as_array().is_none_or(|tests| tests.iter().all(|test| holds(test, told)))
}

/// What a policy finds in a trace: rules and pairs, in no particular order.
#[must_use]
pub fn findings(policy: &Value, events: &[Value]) -> Vec<(String, Option<u64>)> {
    let laid = lay_out(events);
    let mut found = Vec::new();
    for rule in policy.as_array().into_iter().flatten() {
        let holds_for = |told: &Value| all_hold(&rule["when"], told);
        let pairs: Vec<(usize, &Pair)> =
            laid.pairs.iter().enumerate().filter(|(_, pair)| holds_for(&pair.told)).collect();
        let calls: Vec<&Called> = laid
            .calls
            .iter()
            .filter(|call| match &call.around {
                Some(around) => holds_for(around),
                None => laid.pairs.get(call.pair).is_some_and(|pair| holds_for(&pair.told)),
            })
            .collect();
        let numbers = if rule["params"]["before"] == "end_of_turn" {
            let turns = laid.turns.iter();
            turns.filter_map(|(turn, pair)| each_turn(rule, *turn, *pair, &pairs, &calls)).collect()
        } else if rule["scope"] == "session" && !events.is_empty() {
            let of = |stretch: &(String, u32)| {
                let pairs: Vec<_> =
                    pairs.iter().filter(|(_, pair)| pair.stretch == *stretch).copied().collect();
                let calls: Vec<_> =
                    calls.iter().filter(|call| call.stretch == *stretch).copied().collect();
                one_stretch(rule, &pairs, &calls)
            };
            laid.stretches.iter().flat_map(of).collect()
        } else {
            one_stretch(rule, &pairs, &calls)
        };
        let id = rule["id"].as_str().unwrap_or_default();
        found.extend(numbers.into_iter().map(|pair| (id.to_owned(), pair.map(|pair| pair as u64))));
    }
    found.sort();
    found
}

/// Whether a turn calls the tool of a rule more or less than once: the turn's last pair, or none for a turn without.
fn each_turn(
    rule: &Value,
    turn: usize,
    last_pair: Option<usize>,
    pairs: &[(usize, &Pair)],
    calls: &[&Called],
) -> Option<Option<usize>> {
    let pairs: Vec<_> = pairs.iter().filter(|(_, pair)| pair.turn == turn).copied().collect();
    let calls: Vec<_> = calls.iter().filter(|call| call.turn == turn).copied().collect();
    let is_wrong = !one_stretch(rule, &pairs, &calls).is_empty();
    is_wrong.then_some(last_pair)
}

/// What a rule finds in one stretch: numbers of pairs, or none for the whole.
fn one_stretch(rule: &Value, pairs: &[(usize, &Pair)], calls: &[&Called]) -> Vec<Option<usize>> {
    let params = &rule["params"];
    let of = |name: &str| params[name].as_str().unwrap_or_default();
    let those = |is_wrong: &dyn Fn(&Pair) -> bool| -> Vec<Option<usize>> {
        pairs.iter().filter(|(_, pair)| is_wrong(pair)).map(|(number, _)| Some(*number)).collect()
    };
    let whole = |is_wrong: bool| if is_wrong { vec![None] } else { Vec::new() };
    let limit = params["limit"].as_u64().unwrap_or_default();
    let kind = MonitorKind::ALL.iter().find(|kind| rule["kind"] == kind.name());
    match *kind.expect("a policy has kinds that there are") {
        MonitorKind::NoCall => calls
            .iter()
            .filter(|call| call.tool == of("tool"))
            .map(|call| Some(call.pair))
            .collect(),
        MonitorKind::MustCallOnce => {
            let count = calls.iter().filter(|call| call.tool == of("tool")).count();
            let is_looked_at = rule["when"].is_null() || !pairs.is_empty() || count > 0;
            whole(is_looked_at && count != 1)
        }
        MonitorKind::MustCallBefore => {
            let first = calls.iter().position(|call| call.tool == of("first"));
            let then = calls.iter().position(|call| call.tool == of("then"));
            match then {
                Some(then) if first.is_none_or(|first| first > then) => {
                    vec![Some(calls[then].pair)]
                }
                _ => Vec::new(),
            }
        }
        MonitorKind::MaxTurns => whole(pairs.len() as u64 > limit),
        MonitorKind::MaxTotalTokens => {
            let weight = match &params["cached"] {
                Value::Number(share) => share.as_f64().unwrap_or(1.0),
                Value::String(word) if word == "ignore" => 0.0,
                _ => 1.0,
            };
            let of_one = |pair: &Pair| {
                let usage = &pair.told["response"]["usage"];
                let of = |name: &str| usage[name].as_u64().unwrap_or(0);
                let (input, output) = (of("input_tokens"), of("output_tokens"));
                let cached = of("cached_tokens").min(input) as f64;
                input + output - (cached * (1.0 - weight)).floor() as u64
            };
            whole(pairs.iter().map(|(_, pair)| of_one(pair)).sum::<u64>() > limit)
        }
        MonitorKind::RequiredStopReason => those(&|pair| {
            let allowed = params["allowed"].as_array();
            let reason = &pair.told["stop_reason"];
            // What does not say why it ended is no violation.
            !reason.is_null() && !allowed.is_some_and(|allowed| allowed.contains(reason))
        }),
        MonitorKind::MustIncludeText => {
            let is_there = pairs.iter().any(|(_, pair)| text_of(pair).contains(of("text")));
            whole(!pairs.is_empty() && !is_there)
        }
        MonitorKind::MustIncludeTextEach => those(&|pair| !text_of(pair).contains(of("text"))),
        MonitorKind::ForbiddenText => those(&|pair| text_of(pair).contains(of("text"))),
        MonitorKind::MustMatchJsonSchema => those(&|pair| {
            let read: Option<Map<String, Value>> = serde_json::from_str(text_of(pair).trim()).ok();
            !read.is_some_and(|read| read.get("amount").is_some_and(Value::is_number))
        }),
        MonitorKind::MustRemainConsistent => {
            let told = pairs
                .iter()
                .filter_map(|(number, pair)| Some((*number, at(&pair.told, of("path"))?)));
            let told: Vec<_> = told.collect();
            let first = told.first().map(|(_, value)| *value);
            let differs = told.iter().filter(|(_, value)| Some(*value) != first);
            differs.map(|(number, _)| Some(*number)).collect()
        }
        MonitorKind::MustFollowup => {
            let must = &params["must"];
            let is_met = |pair: &Pair| match must["tool_name"].as_str() {
                Some(tool) => blocks(&pair.told["response"])
                    .iter()
                    .any(|block| block["type"] == "tool_use" && last_part(&block["name"]) == tool),
                None => text_of(pair).contains(must["text"].as_str().unwrap_or_default()),
            };
            let mut found = Vec::new();
            for (at, (number, pair)) in pairs.iter().enumerate() {
                if !all_hold(&params["trigger"], &pair.told) {
                    continue;
                }
                let within = params["within"].as_u64().unwrap_or(1) as usize;
                let mut answers = pairs.iter().skip(at + 1).take(within);
                if answers.clone().any(|(_, next)| is_met(next)) {
                    continue;
                }
                match answers.nth(within - 1) {
                    None => found.push(Some(*number)),
                    Some((next, _)) => found.push(Some(*next)),
                }
            }
            found
        }
        MonitorKind::MustBeGrounded => those(&|pair| {
            let Some(chunks) = pair.told["request"]["metadata"]["chunks"].as_array() else {
                return false;
            };
            let known: BTreeSet<_> =
                chunks.iter().filter_map(Value::as_str).flat_map(words).collect();
            let own: BTreeSet<_> = words(&text_of(pair)).into_iter().collect();
            let least = params["min_unigram_precision"].as_f64().unwrap_or(0.5);
            !own.is_empty() && (own.intersection(&known).count() as f64) < least * own.len() as f64
        }),
    }
}

fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| word.chars().count() > 1).map(str::to_lowercase).collect()
}

/// The events as a native trace.
#[must_use]
pub fn written(events: &[Value]) -> String {
    events.iter().map(|event| format!("{event}\n")).collect()
}
