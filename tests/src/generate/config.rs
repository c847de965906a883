//! Configs: switches, tracked state, rules and exceptions.

use serde_json::{Value as Json, json};

use super::blocks::blocks;
use super::choices::{Choices, Seed};
use super::condition::{condition, message, pattern};
use super::words::*;

/// The config as text: JSON, which is YAML too, or YAML in blocks.
#[must_use]
pub fn config(seed: &Seed) -> String {
    let mut choices = Choices::new(&seed.config);
    let about_files = choices.rarely(3);
    let as_blocks = choices.rarely(2);
    let delivery = delivery(&mut choices);
    let preset = if choices.rarely(16) {
        json!(choices.one(&[
            "dev",
            "coding",
            "research",
            "data",
            "creative",
            "assistant",
            "read_control",
        ]))
    } else {
        Json::Null
    };
    let rules: serde_json::Map<String, Json> = switches(&mut choices, preset.is_string());
    let state = tracking(&mut choices);
    let in_custom = choices.below(4);
    let (mut definitions, mut custom, mut exceptions) = (Vec::new(), Vec::new(), Vec::new());
    for (index, bytes) in seed.rules.iter().enumerate() {
        let mut choices = Choices::new(bytes);
        choices.about_files = about_files;
        let rule = rule(index, &mut choices);
        exceptions.extend(exception(&rule, &mut choices));
        if index % 4 < in_custom { custom.push(rule) } else { definitions.push(rule) }
    }
    let reminder = if choices.rarely(2) { choices.one(&DOCUMENTS) } else { "" };
    let mut whole = json!({
        "profile": preset,
        "turn_reminder": reminder,
        "rules": rules,
        "state_tracking": state,
        "rule_definitions": definitions,
        "custom": custom,
        "exceptions": exceptions,
        "delivery": delivery,
    });
    if choices.rarely(3) {
        let brain = json!({ "provider": "ollama", "model": "small" });
        whole["verifier"] = json!({
            "brain": brain, "window_turns": 1 + choices.below(3), "max_rounds": choices.below(3),
        });
    }
    if as_blocks { blocks(&whole) } else { whole.to_string() }
}

fn delivery(choices: &mut Choices<'_>) -> Json {
    match choices.below(4) {
        1 => json!({ "max_per_turn": choices.below(4), "show_user": "all" }),
        _ => json!({}),
    }
}

fn switches(choices: &mut Choices<'_>, has_preset: bool) -> serde_json::Map<String, Json> {
    let mut rules = serde_json::Map::new();
    for rule in ["read_before_edit", "search_before_read", "test_after_changes"] {
        match choices.below(3) {
            0 => {}
            on => drop(rules.insert(rule.to_owned(), json!(on == 1))),
        }
    }
    for threshold in ["max_blind_reads", "changes_before_test_reminder", "max_sequential_same_tool"]
    {
        match choices.below(6) {
            0 => {}
            number => drop(rules.insert(threshold.to_owned(), json!(number - 1))),
        }
    }
    if has_preset && choices.rarely(2) {
        rules.insert("no_bash_for_files".to_owned(), json!(false));
    }
    rules
}

/// Whether a config needs the real standard library.
#[must_use]
pub fn has_preset(config: &str) -> bool {
    !config.contains("\"profile\":null") && !config.contains("\"profile\": null")
}

fn tools(choices: &mut Choices<'_>, most: usize) -> Json {
    let names = choices.some(&TRIGGERS, most);
    // One name need not be a list.
    match &*names {
        [name] if choices.rarely(2) => json!(name),
        _ => json!(names),
    }
}

fn tools_and(choices: &mut Choices<'_>, first: &str) -> Json {
    let mut names = choices.some(&TRIGGERS, 2);
    if names.is_empty() {
        names.push(first.to_owned());
    }
    json!(names)
}

fn tracking(choices: &mut Choices<'_>) -> Json {
    let mut sets = serde_json::Map::new();
    for name in ["s0", "s1"] {
        let mut add_on = tools(choices, 3);
        if add_on == json!([]) && choices.rarely(2) {
            add_on = json!(["read"]);
        }
        let mut set = json!({ "add_on": add_on, "fingerprint": name == "s0" });
        for other in ["add_on_call", "add_on_success"] {
            if choices.rarely(3) {
                set[other] = tools(choices, 2);
            }
        }
        if choices.rarely(2) {
            set["survives_compaction"] = json!(choices.rarely(2));
        }
        if choices.rarely(2) {
            set["target"] = json!(choices.one(&PARAMS));
        }
        if choices.rarely(2) {
            set["aliases"] = json!(choices.some(&PARAMS, 3));
        }
        match choices.below(5) {
            0 => {}
            turns => set["window_turns"] = json!(turns),
        }
        if choices.rarely(5) {
            set["add_when"] = change_condition(choices);
        }
        if choices.about_files && choices.rarely(2) {
            set["add_paths"] = json!(choices.some(&["read", "written", "made"], 2));
        }
        sets.insert(name.to_owned(), set);
    }
    let mut counters = serde_json::Map::new();
    // Redeclared, a name takes the place of the default of that name.
    let redeclared: &[&str] =
        if choices.rarely(4) { &["c0", "c1", "changes_since_test"] } else { &["c0", "c1"] };
    for &name in redeclared {
        let mut counter = json!({
            "increment_on": tools_and(choices, "edit"),
            "reset_on": tools(choices, 1),
        });
        if choices.rarely(2) {
            counter["reset_when"] = json!({
                "tool": choices.one(&["bash", "bash, edit", "*", "fs.read,Bash"]),
                "param": choices.one(&PARAMS),
                "matches": pattern(choices),
            });
        } else if choices.rarely(4) {
            counter["reset_when"] = change_condition(choices);
        }
        let phase = if choices.rarely(3) { "pre_tool" } else { "post_tool" };
        if phase == "pre_tool" {
            counter["count"] = json!("started");
        }
        if choices.rarely(4) {
            counter["increment_when"] = condition(choices, phase, 2).mapping;
        }
        if choices.rarely(4) {
            counter["per"] = json!(choices.one(&["turn", "session"]));
        }
        counters.insert(name.to_owned(), counter);
    }
    let mut flags = serde_json::Map::new();
    for name in ["f0", "f1"] {
        let mut flag = json!({
            "set_on": tools_and(choices, "read"),
            "unset_on": tools(choices, 2),
        });
        if choices.rarely(4) {
            flag["set_when"] = change_condition(choices);
        }
        if choices.rarely(4) {
            flag["unset_when"] = change_condition(choices);
        }
        if choices.rarely(8) {
            flag = json!({ "set_when": change_condition(choices) });
        }
        if choices.rarely(4) {
            flag["per"] = json!("turn");
        }
        flags.insert(name.to_owned(), flag);
    }
    json!({ "sets": sets, "counters": counters, "flags": flags })
}

/// What must hold of a call that changes something.
fn change_condition(choices: &mut Choices<'_>) -> Json {
    condition(choices, "post_tool", 2).mapping
}

fn rule(index: usize, choices: &mut Choices<'_>) -> Json {
    let phases = ["pre_tool", "post_tool", "pre_tool", "on_text", "turn_end"];
    let phase = choices.one(&phases);
    let mut rule = json!({ "id": format!("r{index}"), "when": phase });
    if !["on_text", "turn_end"].contains(&phase) {
        let mut triggers = choices.some(&TRIGGERS, 3);
        triggers.dedup();
        rule["trigger"] = match &*triggers {
            [] => json!("*"),
            [one] => json!(one),
            several => json!(several),
        };
    }
    let actions: &[&str] = match phase {
        "pre_tool" => &["warn", "block", "remind", "ask"],
        _ => &["warn", "block", "remind"],
    };
    rule["action"] = json!(choices.one(actions));
    if choices.rarely(3) {
        rule["when_undecided"] = json!(choices.one(&["ask", "allow", "deny"]));
    }
    rule["message"] = json!(message(choices));
    if !choices.rarely(8) {
        let condition = condition(choices, phase, 4);
        rule["condition"] = match &condition.expression {
            Some(expression) if choices.rarely(3) => json!(expression),
            _ => condition.mapping,
        };
    }
    rule["repeat"] = match choices.below(8) {
        1 => json!("target"),
        2 => json!("turn"),
        3 => json!("session"),
        4 => json!({ "calls": choices.below(4) + 1 }),
        _ => json!("always"),
    };
    if choices.rarely(6) {
        rule["in_subagent"] = json!(choices.rarely(3));
    }
    if choices.rarely(6) {
        rule["needs"] = json!(choices.some(&["read", "bash", "fs.edit"], 2));
    }
    rule
}

/// What makes a rule silent at times.
fn exception(rule: &Json, choices: &mut Choices<'_>) -> Option<Json> {
    let phase = rule["when"].as_str().filter(|_| choices.rarely(3))?;
    let condition = condition(choices, phase, 2);
    let when = match &condition.expression {
        Some(expression) if choices.rarely(3) => json!(expression),
        _ => condition.mapping,
    };
    Some(json!({ "rule": rule["id"], "when": when, "reason": format!("of {}", rule["id"]) }))
}
