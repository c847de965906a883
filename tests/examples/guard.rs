//! Says of command lines which rules of the profile `guard` fire in a made-up project: one line of JSON for each line of
//! the input, which is a command line as it is, or a text of JSON where it begins with a quote. What is there of the
//! project, a repository with hooks and rules, stands in `THERE`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a tool of the tests")]

use std::io::BufRead;
use std::sync::Arc;

use behavior_compiler::{Options, compile_all};
use behavior_runtime::event::{Call, Event, Param, SessionStart, Value};
use behavior_runtime::host::Fingerprint;
use behavior_runtime::{Host, Session};
use serde_json::json;

/// Where the project lies.
const PROJECT: &str = "/home/u/repo";

/// What is there.
const THERE: [&str; 13] = [
    "",
    "/.git",
    "/.git/hooks",
    "/.git/hooks/pre-commit",
    "/.husky/pre-commit",
    "/.env",
    "/.claude",
    "/.claude/settings.json",
    "/behavior.yaml",
    "/behavior",
    "/behavior/policy.toml",
    "/x/behavior.yaml",
    "/src",
];

struct Project;

impl Host for Project {
    fn exists(&mut self, path: &str) -> Option<bool> {
        Some(THERE.iter().any(|there| path.strip_prefix(PROJECT) == Some(there)))
    }

    fn is_directory(&mut self, _path: &str) -> Option<bool> {
        Some(true)
    }

    fn fingerprint(&mut self, _path: &str) -> Option<Fingerprint> {
        None
    }

    fn canonical(&mut self, _path: &str) -> Option<String> {
        None
    }

    fn now(&mut self) -> Option<i64> {
        None
    }

    fn home(&mut self) -> Option<String> {
        Some("/home/u".to_owned())
    }

    fn repository(&mut self) -> Option<String> {
        Some(PROJECT.to_owned())
    }

    fn branch(&mut self) -> Option<String> {
        Some("feature".to_owned())
    }

    fn default_branch(&mut self) -> Option<String> {
        Some("main".to_owned())
    }

    fn ignored(&mut self, _path: &str, _since: Option<i64>) -> Option<bool> {
        Some(false)
    }
}

fn main() {
    let provider =
        behavior_tests::provider(&[("behavior.yaml", "# behavior: config\nprofile: guard\n")]);
    let compilation = compile_all(&provider, &["behavior.yaml".to_owned()], &Options::default());
    let Some(image) = compilation.image else { panic!("{:?}", compilation.diagnostics) };
    let image = Arc::new(image);
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let line: String = match line.starts_with('"') {
            true => serde_json::from_str(&line).unwrap(),
            false => line,
        };
        let mut session = Session::new(Arc::clone(&image));
        let start = SessionStart { cwd: Some(PROJECT.into()), ..SessionStart::default() };
        session.apply(&Event::SessionStart(start), &mut Project);
        session.apply(&Event::TurnStart { text: Some("Go on.".into()) }, &mut Project);
        let value = Value::Text(line.as_str().into());
        let event = Event::ToolCall(Call {
            tool: "bash".into(),
            params: vec![Param { name: "command".into(), native: None, value }],
            ..Call::default()
        });
        let decision = session.apply(&event, &mut Project);
        let rule = |number: u32| image.rules().get(number).unwrap().id;
        let fired: Vec<_> = decision.findings.iter().map(|finding| rule(finding.rule)).collect();
        println!("{}", json!({ "command": line, "fired": fired }));
    }
}
