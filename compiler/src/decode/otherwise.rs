//! What people call fields who come from other programs, or are in haste, and what is written here. It reports nothing.

use crate::registry::schema::Record;

/// What a key that a record does not have means.
pub(super) enum Meaning {
    /// Another field of the record, which has the same value.
    Field(&'static str),
    /// Something that is written otherwise, in place of some fields.
    Told {
        /// The fields.
        fields: &'static [&'static str],
        /// What to write.
        help: &'static str,
    },
    /// What a field says that is there already.
    Twice(&'static str),
}

/// What records call something: the records, what it is called elsewhere, the fields that it stands for, and how that is
/// written. Where nothing is said of how, only the name differs.
struct Otherwise {
    records: &'static [&'static str],
    words: &'static [&'static str],
    fields: &'static [&'static str],
    help: &'static str,
}

const fn named(
    records: &'static [&'static str],
    words: &'static [&'static str],
    fields: &'static [&'static str],
) -> Otherwise {
    Otherwise { records, words, fields, help: "" }
}

const fn told(
    records: &'static [&'static str],
    words: &'static [&'static str],
    fields: &'static [&'static str],
    help: &'static str,
) -> Otherwise {
    Otherwise { records, words, fields, help }
}

const CONFIGS: &[&str] = &["a behaviour config", "a profile"];
const RULES: &[&str] = &["a rule definition", "a custom rule"];
const SETS: &[&str] = &["a set"];
const FLAGS: &[&str] = &["a flag"];
const COUNTERS: &[&str] = &["a counter"];
const EXCEPTIONS: &[&str] = &["an exception"];
const RUNS: &[&str] = &["a `runs` condition"];
const POLICY: &[&str] = &["a policy"];
const POLICY_RULES: &[&str] = &["a policy rule"];
const TRACE_RULES: &[&str] = &["a rule of a trace policy"];
const PAIR_TESTS: &[&str] = &["a test of a pair"];
const LIMITS: &[&str] = &["the parameters of a limit", "the parameters of `max_total_tokens`"];
const ORDER: &[&str] = &["the parameters of `must_call_before`"];
const FOLLOWUP: &[&str] = &["the parameters of `must_followup`"];
const LEVELS: &[&str] = &["a vocabulary entry"];
const CLASSIFIER: &[&str] = &["a classifier"];
const TESTS: &[&str] = &["a rule test"];
const EXAMPLES: &[&str] = &["the examples of a rule"];
const EXPECTATIONS: &[&str] = &["an expectation"];

const OTHERWISE: &[Otherwise] = &[
    named(CONFIGS, &["definitions", "custom_rules"], &["rule_definitions"]),
    named(CONFIGS, &["state", "tracking"], &["state_tracking"]),
    named(CONFIGS, &["preset", "base"], &["profile", "extends"]),
    named(&["a behaviour config"], &["extends"], &["profile"]),
    named(&["a profile"], &["profile"], &["extends"]),
    told(
        CONFIGS,
        &["policy", "permissions", "allow", "deny"],
        &[],
        "what may run is said in a file of its own, `behavior/policy.toml`, with `[[rules]]`",
    ),
    named(RULES, &["name", "title"], &["id"]),
    named(RULES, &["name", "title", "comment", "docs"], &["description"]),
    named(RULES, &["tool", "tools", "on", "matcher"], &["trigger"]),
    named(RULES, &["event", "phase"], &["when"]),
    named(RULES, &["reason", "msg", "text"], &["message"]),
    named(RULES, &["then", "severity", "level"], &["action"]),
    named(RULES, &["if"], &["condition"]),
    told(RULES, &["unless", "except", "exclude"], &["condition"], "write `condition: { not: … }`"),
    told(
        RULES,
        &["matches", "pattern", "regex", "args"],
        &["condition"],
        "write `condition: …`, such as `param(command) matches \"…\"`",
    ),
    told(RULES, &["command", "commands"], &["condition"], "write `condition: { runs: … }`"),
    told(
        RULES,
        &["path", "paths", "file", "files", "glob"],
        &["condition"],
        "write `condition: { target_matches: … }`",
    ),
    told(
        RULES,
        &["priority", "order", "weight"],
        &[],
        "rules have no order: all that fire are told, and the strictest decides",
    ),
    told(
        RULES,
        &["enabled", "disabled", "active"],
        &[],
        "a rule that stands here is on; to switch one of a profile off, write `rules: { its_id: false }`",
    ),
    told(RULES, &["ungrantable"], &["grantable"], "write `grantable: false`"),
    told(RULES, &["not_in_subagent"], &["in_subagent"], "write `in_subagent: false`"),
    named(SETS, &["on", "add", "add_after", "from", "tools", "tool"], &["add_on"]),
    named(SETS, &["param", "parameter", "key"], &["target"]),
    named(SETS, &["when"], &["add_when"]),
    named(SETS, &["window", "turns"], &["window_turns"]),
    named(FLAGS, &["on", "set", "tool", "tools"], &["set_on"]),
    named(FLAGS, &["when"], &["set_when"]),
    named(FLAGS, &["reset_on", "clear_on", "reset", "clear", "unset", "off"], &["unset_on"]),
    named(FLAGS, &["reset_when", "clear_when"], &["unset_when"]),
    named(
        COUNTERS,
        &["on", "count_on", "increment", "inc", "tool", "tools", "of"],
        &["increment_on"],
    ),
    named(COUNTERS, &["when", "count_when"], &["increment_when"]),
    named(COUNTERS, &["reset", "clear_on", "zero_on"], &["reset_on"]),
    named(EXCEPTIONS, &["id", "name"], &["rule"]),
    named(EXCEPTIONS, &["condition", "if"], &["when"]),
    named(EXCEPTIONS, &["because", "why", "message"], &["reason"]),
    named(EXCEPTIONS, &["expires", "expiry"], &["until"]),
    told(EXCEPTIONS, &["unless"], &["when"], "write `when: { not: … }`"),
    told(
        EXCEPTIONS,
        &["path", "paths", "file", "files"],
        &["when"],
        "write `when: { target_matches: … }`",
    ),
    told(EXCEPTIONS, &["command"], &["when"], "write `when: { runs: … }`"),
    named(RUNS, &["with_operand"], &["operand"]),
    named(RUNS, &["not_operand"], &["without_operand"]),
    told(RUNS, &["args"], &["operand"], "write `operand: …` for words, `flags: …` for flags"),
    named(RUNS, &["command"], &["program"]),
    named(POLICY, &["mode", "default", "default_mode", "default_action"], &["approval_mode"]),
    told(
        POLICY,
        &["permissions", "allow", "deny", "ask"],
        &["rules"],
        "each rule is a table `[[rules]]` with `name`, `action = \"deny\"` and `pattern = \"bash(git push *)\"`",
    ),
    named(POLICY_RULES, &["tool", "tools", "matcher", "trigger"], &["tool_pattern"]),
    named(POLICY_RULES, &["args", "arg", "arguments", "argument"], &["arg_pattern"]),
    told(
        POLICY_RULES,
        &["command", "commands", "cmd", "runs"],
        &["pattern"],
        "write `pattern = \"bash(git push *)\"`",
    ),
    named(POLICY_RULES, &["match", "patterns", "matches"], &["pattern"]),
    named(POLICY_RULES, &["file", "file_path", "files", "glob"], &["path"]),
    named(POLICY_RULES, &["domain"], &["host"]),
    told(
        POLICY_RULES,
        &["url"],
        &["params"],
        "write `host = \"docs.rs\"`, or `params = { url = \"https://docs.rs/*\" }`",
    ),
    named(POLICY_RULES, &["effect", "decision", "verdict", "then", "permission"], &["action"]),
    named(POLICY_RULES, &["id", "title", "description"], &["name"]),
    named(POLICY_RULES, &["description"], &["reason"]),
    named(POLICY_RULES, &["message", "msg", "why"], &["reason"]),
    named(POLICY_RULES, &["mode"], &["approval_mode"]),
    told(
        POLICY_RULES,
        &["not_pattern"],
        &[],
        "a policy has no word for all but some: let an earlier rule decide on those",
    ),
    told(
        &["a brain"],
        &["api_key"],
        &["config"],
        "write `config: { api_key: \"{{secret.NAME}}\" }`: a key does not belong into this file",
    ),
    named(TRACE_RULES, &["name", "title"], &["id"]),
    named(TRACE_RULES, &["message", "reason"], &["description"]),
    named(TRACE_RULES, &["type", "rule", "assert"], &["kind"]),
    named(TRACE_RULES, &["condition", "if"], &["when"]),
    named(TRACE_RULES, &["level"], &["severity"]),
    named(TRACE_RULES, &["parameters", "args", "with"], &["params"]),
    told(
        TRACE_RULES,
        &["before", "after"],
        &["params"],
        "write `params: { first: …, then: … }`: `first` must be called before `then`",
    ),
    told(TRACE_RULES, &["max"], &["params"], "write `params: { limit: … }`"),
    named(ORDER, &["before"], &["first"]),
    named(ORDER, &["after", "before", "tool"], &["then"]),
    named(LIMITS, &["max", "most", "max_turns", "max_tokens", "tokens", "turns"], &["limit"]),
    told(FOLLOWUP, &["then", "tool"], &["must"], "write `must: { kind: tool_call, tool_name: … }`"),
    told(
        FOLLOWUP,
        &["after", "when", "first"],
        &["trigger"],
        "write `trigger: { path: response.content, op: contains, value: … }`",
    ),
    named(&["the parameters of `must_be_grounded`"], &["path"], &["retrieval_path"]),
    named(
        &["the parameters of `must_be_grounded`"],
        &["min_precision", "precision", "min"],
        &["min_unigram_precision"],
    ),
    named(
        &["the parameters of `must_match_json_schema`"],
        &["schema_file", "file", "path"],
        &["schema_path"],
    ),
    told(PAIR_TESTS, &["equals", "eq", "is"], &["op", "value"], "write `op: \"==\", value: …`"),
    told(PAIR_TESTS, &["in", "one_of"], &["op", "value"], "write `op: in, value: […]`"),
    told(PAIR_TESTS, &["contains", "includes"], &["op", "value"], "write `op: contains, value: …`"),
    named(PAIR_TESTS, &["field", "key"], &["path"]),
    named(PAIR_TESTS, &["operator"], &["op"]),
    named(LEVELS, &["id"], &["name"]),
    named(LEVELS, &["description"], &["when"]),
    named(CLASSIFIER, &["complexity", "complexities"], &["complexity_levels"]),
    named(CLASSIFIER, &["risks", "risk"], &["risk_levels"]),
    named(CLASSIFIER, &["every", "n", "every_n"], &["frequency_n"]),
    named(CLASSIFIER, &["prompt"], &["system_prompt"]),
    named(CLASSIFIER, &["prefix"], &["directive_prefix"]),
    named(CLASSIFIER, &["footer"], &["directive_footer"]),
    named(TESTS, &["steps", "session"], &["events"]),
    named(TESTS, &["then", "assert", "expected", "expectations"], &["expect"]),
    named(TESTS, &["title", "id", "description"], &["name"]),
    named(TESTS, &["recording"], &["trace"]),
    named(EXAMPLES, &["matches", "hits", "bad", "blocks", "blocked"], &["fires"]),
    named(EXAMPLES, &["silent", "good", "ok", "allowed", "misses"], &["passes"]),
    named(EXPECTATIONS, &["fires", "rule"], &["rules"]),
    named(EXPECTATIONS, &["event", "step", "index"], &["at"]),
    named(EXPECTATIONS, &["decision", "action"], &["verdict"]),
    named(&["how much is told"], &["max", "limit", "per_turn"], &["max_per_turn"]),
    named(&["how much is told"], &["show"], &["show_user"]),
    named(&["a program"], &["alias", "aliases_of", "same_as"], &["also"]),
];

/// What a key that a record does not have means, where that is known; `is_there` knows the fields that are.
pub(super) fn meaning(
    record: &Record,
    written: &str,
    is_there: impl Fn(&str) -> bool,
) -> Option<Meaning> {
    let is_it = |it: &&Otherwise| it.records.contains(&record.name) && it.words.contains(&written);
    let has = |field: &&&'static str| record.field(field).is_some();
    let mut twice = None;
    for one in OTHERWISE.iter().filter(is_it) {
        match one.fields.iter().find(has) {
            Some(field) if is_there(field) => twice = twice.or(Some(Meaning::Twice(field))),
            Some(field) if one.help.is_empty() => return Some(Meaning::Field(field)),
            _ => return Some(Meaning::Told { fields: one.fields, help: one.help }),
        }
    }
    twice
}

#[cfg(test)]
mod tests {
    use super::OTHERWISE;
    use crate::conditions;
    use crate::registry::json_schema::{add_records, records};

    #[test]
    fn what_is_said_otherwise_is_no_field_and_stands_for_one() {
        let mut known = records();
        conditions::ALL.iter().for_each(|kind| add_records(kind.argument, &mut known));
        for one in OTHERWISE {
            for name in one.records {
                let record = known.iter().find(|record| record.name == *name);
                let Some(record) = record else { panic!("nothing is called {name}") };
                for word in one.words {
                    assert!(record.field(word).is_none(), "{name} has {word}");
                }
                let has = |field: &&str| record.field(field).is_some();
                let stands = one.fields.is_empty() || one.fields.iter().any(has);
                assert!(stands, "{name} has none of {:?}", one.fields);
                assert!(!one.help.is_empty() || !one.fields.is_empty(), "{:?}", one.words);
            }
        }
    }
}
