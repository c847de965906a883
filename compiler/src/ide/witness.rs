//! The call that shows a problem of a policy, kept: as a test that says what the rule says, and as a session in which
//! it is made.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use super::action::{Action, ActionKind};
use super::{Project, RuleFile};
use crate::diagnostic::Witness;
use crate::problem::Problem;

/// The files that a problem's call can be kept in.
pub(super) fn shown(project: Project<'_>, file: &RuleFile, problem: &Problem) -> Vec<Action> {
    let Some(witness) = &problem.witness else { return Vec::new() };
    let name = file.name();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let Witness { spelled, wanted, .. } = &**witness;
    let test = format!("write a test that expects `{}` for `{spelled}`", wanted.name());
    let session = format!("write a session that makes the call `{spelled}`");
    let files = [
        (test, free(project, stem, "test.yaml"), as_test(file, witness)),
        (session, free(project, stem, "session.jsonl"), as_session(witness)),
    ];
    let action = |(title, path, text): (String, Option<String>, String)| {
        let action = Action::new(title, ActionKind::Fix, Vec::new());
        Some(Action { creates: vec![(path?, text)], ..action })
    };
    files.into_iter().filter_map(action).collect()
}

/// A name that no file has yet; none where all that are tried are taken.
fn free(project: Project<'_>, stem: &str, ending: &str) -> Option<String> {
    let mut names = (1..100).map(|number| match number {
        1 => format!("{stem}.{ending}"),
        number => format!("{stem}-{number}.{ending}"),
    });
    names.find(|name| project.provider.read(name).is_err())
}

fn as_test(file: &RuleFile, witness: &Witness) -> String {
    let Witness { tool, spelled, wanted, .. } = witness;
    let config = file.name().rsplit('/').next().unwrap_or_default();
    let (call, name) = (json!({ tool: parameters(witness) }), Value::from(&**spelled));
    let mut text = "tests:\n".to_owned();
    let _ = writeln!(text, "  - name: {name}");
    let _ = writeln!(text, "    config: {}", Value::from(config));
    let _ = writeln!(text, "    events:\n      - {call}");
    let _ = writeln!(text, "    expect:\n      - {{ at: 0, permission: {} }}", wanted.name());
    text
}

fn as_session(witness: &Witness) -> String {
    let call = json!({
        "event": "tool_call",
        "session": "shown",
        "id": "1",
        "tool": witness.tool,
        "params": parameters(witness),
    });
    let start = json!({ "event": "session_start", "session": "shown" });
    format!("{start}\n{call}\n")
}

fn parameters(witness: &Witness) -> Value {
    let argument = witness.argument.iter();
    let given = argument.map(|(name, text)| ((*name).to_owned(), Value::from(&**text)));
    Value::Object(given.collect::<Map<String, Value>>())
}
