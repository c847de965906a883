//! Tells the files of other programs that are called, or stand, as rule files are: `app.yaml`, `*.test.json`,
//! `*.policy.yaml`, `policy.toml` and what lies in `templates/workflows`. Goes by what they hold, and takes a file for
//! ours as long as it leaves that open: most are looked at while they are being written.

use std::collections::BTreeSet;

use crate::ast::PolicyFile;
use crate::nearest::closest;
use crate::registry::schema::Record;
use crate::resolve::FileKind;
use crate::resolve::kind::{
    format_of, in_profile_folder, is_shaped_like_policy, is_trace_policy_name, not_read_here,
    said_in_first_line,
};
use crate::rule_test::{Expectation, RuleTest};
use crate::source::FileId;
use crate::syntax::{Entry, Kind, Node, Parsed, parse};
use crate::trace_policy::{TracePolicy, is_trace_policy};
use crate::workflow::{TemplateFile, is_template_file};

/// What a file is by its name or place, where other programs have files that are called so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    AppConfig,
    Policy,
    TracePolicy,
    Tests,
    Template,
}

/// Returns whether a file that is called, or stands, as one of ours is another program's by what it holds. A first line
/// such as `# behavior: test`, the name `behavior.yaml` and the folder `behavior` settle that it is ours.
#[must_use]
pub fn is_foreign(name: &str, text: &str) -> bool {
    let Some(claim) = claim(name) else { return false };
    if said_in_first_line(text).is_some() || claim == Claim::Tests && begins_as_tests(text) {
        return false;
    }
    let parsed = parse(FileId(0), text, format_of(name, text));
    match claim {
        Claim::AppConfig => is_another_app(name, text, &parsed),
        Claim::Policy => {
            let is_ours = is_shaped_like_policy(name, &parsed.root);
            !is_ours && are_others(&keys(text, &parsed), &fields(PolicyFile::RECORD))
        }
        Claim::TracePolicy => {
            let root = &parsed.root;
            let is_ours = is_trace_policy(root) || root.items().is_some_and(<[_]>::is_empty);
            !is_ours && are_others(&keys(text, &parsed), &fields(TracePolicy::RECORD))
        }
        Claim::Template => are_others(&keys(text, &parsed), &fields(TemplateFile::RECORD)),
        Claim::Tests => parsed.diagnostics.is_empty() && are_other_tests(&parsed.root),
    }
}

/// Returns the first line that would settle that a file which is called, or stands, as one of ours is one. JSON can have
/// none.
#[must_use]
pub fn first_line(name: &str) -> Option<&'static str> {
    let claim = claim(name).filter(|_| !name.ends_with(".json"))?;
    Some(match claim {
        Claim::AppConfig => "# behavior: app",
        Claim::Policy => "# behavior: policy",
        Claim::TracePolicy => "# behavior: trace-policy",
        Claim::Tests => "# behavior: test",
        Claim::Template => "# behavior: workflow",
    })
}

fn claim(name: &str) -> Option<Claim> {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match () {
        () if in_profile_folder(name) => None,
        () if file == "app.yaml" => Some(Claim::AppConfig),
        () if file == "policy.toml" => Some(Claim::Policy),
        () if is_template_file(name) => Some(Claim::Template),
        () if is_trace_policy_name(name) => Some(Claim::TracePolicy),
        () if not_read_here(name, "") == Some("rule tests") => Some(Claim::Tests),
        () => None,
    }
}

/// Whether an app config says nothing of behaviour.
fn is_another_app(name: &str, text: &str, parsed: &Parsed) -> bool {
    let is_broken = !parsed.diagnostics.is_empty();
    !text.contains("behavior")
        || !is_broken && FileKind::of(name, &parsed.comments, &parsed.root).0 != FileKind::AppConfig
}

/// The names of the fields of a record.
fn fields(record: &Record) -> Vec<&'static str> {
    record.fields.iter().map(|field| field.name).collect()
}

/// The keys at the root; of a text that does not parse, the words that begin a line and end in a colon.
fn keys<'t>(text: &'t str, parsed: &'t Parsed) -> BTreeSet<&'t str> {
    if let Some(entries) = parsed.root.entries().filter(|_| parsed.diagnostics.is_empty()) {
        return entries.iter().map(|entry| &*entry.key.text).collect();
    }
    let key = |line: &'t str| line.split_once(':').map(|(key, _)| key.trim_matches(['"', '\'']));
    let is_word = |key: &&str| {
        !key.is_empty() && key.chars().all(|sign| sign.is_alphanumeric() || sign == '_')
    };
    text.lines().filter_map(key).filter(is_word).collect()
}

/// Whether some keys are none of our fields, and none is a field that tells. Names and descriptions are everywhere.
fn are_others(keys: &BTreeSet<&str>, fields: &[&str]) -> bool {
    const EVERYWHERE: &[&str] = &["name", "description", "apiVersion"];
    let is_telling = |key: &&&str| !EVERYWHERE.contains(*key);
    let telling: Vec<&str> = fields.iter().filter(is_telling).copied().collect();
    let mut rest = keys.iter().filter(is_telling).peekable();
    rest.peek().is_some() && !rest.any(|key| is_near(key, &telling))
}

/// Whether a text is a list `tests` with events of ours, so far as that is told without reading it all.
fn begins_as_tests(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_end);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#'));
    let telling = |line: &str| {
        let line = line.trim_start_matches(['-', ' ']);
        line.starts_with("events:") || line.starts_with("trace:")
    };
    first == Some("tests:") && lines.any(telling)
}

/// Whether there are no tests, or none of them has what only ours have, and one has what ours have not.
fn are_other_tests(root: &Node) -> bool {
    let tests = match root.entries() {
        None => root.items(),
        Some(entries) => {
            let mut lists = entries.iter().filter(|it| is_near(&it.key.text, &["tests"]));
            let Some(list) = lists.next() else { return !entries.is_empty() };
            list.value.items()
        }
    };
    let known = fields(RuleTest::RECORD);
    let tests = || tests.into_iter().flatten();
    let mut keys = tests().filter_map(Node::entries).flatten();
    let is_other = |entry: &Entry| {
        let is_value = entry.value.items().is_none() && entry.value.kind != Kind::Null;
        !is_near(&entry.key.text, &known) || is_value && is_near(&entry.key.text, &["expect"])
    };
    keys.any(is_other) && !tests().any(is_test)
}

fn is_near(key: &str, names: &[&str]) -> bool {
    closest(key, names.iter().copied()).is_some()
}

/// Whether a test has events, a recording, or an expectation at one.
fn is_test(test: &Node) -> bool {
    let entries = || test.entries().into_iter().flatten();
    let mut expected = entries().filter(|it| is_near(&it.key.text, &["expect"]));
    entries().any(|entry| is_near(&entry.key.text, &["events", "trace"]))
        || expected.any(|entry| entry.value.items().into_iter().flatten().any(is_expectation))
}

fn is_expectation(node: &Node) -> bool {
    let mut required = Expectation::RECORD.fields.iter().filter(|field| field.required);
    required.any(|field| node.entry(field.name).is_some())
}

#[cfg(test)]
mod tests {
    use super::is_foreign;

    #[test]
    fn files_of_other_programs_are_told_by_what_they_hold() {
        for (name, text) in [
            ("k8s/app.yaml", "apiVersion:   v1\nmetadata: {name: x}\n"),
            ("app.yaml", "name: behavior\n"),
            ("user.test.json", "{\"name\": \"x\"}"),
            ("user.test.json", "{\"tests\": [{\"name\": \"x\", \"input\": 1, \"expected\": [2]}]}"),
            ("user.test.json", "{\"tests\": [{\"name\": \"x\", \"expected\": 1}]}"),
            ("chart.test.yaml", "suite: x\ntests:\n  - it: works\n    asserts: []\n"),
            ("templates/workflows/ci.yaml", "on: push\njobs: {}\n"),
            (
                "templates/workflows/ci.yaml",
                "apiVersion: v1\nkind: Workflow\n{{- if .Values.x }}\nspec:\n  steps: [\n",
            ),
            ("iam.policy.json", "{\"Version\": \"2012-10-17\", \"Statement\": []}"),
            (
                "labels.policy.yaml",
                "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nspec: {rules: []}\n",
            ),
            ("opa/policy.toml", "[package]\nname = \"x\"\n"),
        ] {
            assert!(is_foreign(name, text), "{name}: {text}");
        }
    }

    #[test]
    fn what_is_begun_or_misspelt_is_ours() {
        for (name, text) in [
            ("behavior.yaml", "on: push\n"),
            ("behavior/app.yaml", "on: push\n"),
            ("behavior/x.policy.yaml", "on: push\n"),
            ("app.yaml", "security:\n  behavior: {profil: dev}\n"),
            ("app.yaml", "security: { behavior: {\n"),
            ("app.yaml", "# behavior: app\nname: x\n"),
            ("a.test.yaml", ""),
            ("a.test.yaml", "te"),
            ("a.test.yaml", "tests:\n  - name: x\n"),
            ("a.test.yaml", "tests:\n  - name: x\n    steps: []\n    expect: [{ at: 0 }]\n"),
            ("a.test.yaml", "tests:\n  - name: n\n    evnts: [ { edit: { file_path: a } } ]\n"),
            ("a.test.yaml", "tests:\n  - name: n\n    expect:\n"),
            ("a.test.yaml", "test:\n  - { name: n, events: [] }\n"),
            ("a.test.yaml", "- { name: n, steps: 1, events: [] }\n"),
            ("a.test.yaml", "tests:\n  - name: \"x\n    input: 1\n"),
            ("templates/workflows/w.yaml", "name: x\nstep: []\n"),
            ("templates/workflows/w.json", "{\"name\": \"x\","),
            ("x.policy.yaml", "- { id: a }\n"),
            ("x.policy.yaml", "ruls: []\n"),
            ("policy.toml", "approval_mode = \"ask\"\n"),
            ("policy.toml", ""),
        ] {
            assert!(!is_foreign(name, text), "{name}: {text}");
        }
    }
}
