//! This project, embedded: one [`Replay`], to which each step is the events that an agent's hooks would tell.

use std::collections::HashMap;
use std::sync::Arc;

use behavior_compiler::provider::{MemoryFiles, WithLibrary};
use behavior_compiler::{Options, compile_all};
use behavior_image::code::PermissionAction;
use behavior_runtime::event::{Call, FileFact, Param, ToolResult, Value};
use behavior_runtime::{Decision, Event, Image, Replay, Verdict};

use crate::peer::{ALLOW, ASK, DENY, POLICY, Peer, Task, Word};
use crate::workload::Step;

/// A step as events.
struct Events<'t> {
    session: &'t str,
    /// What is told before: that a turn begins, and whether a file is there.
    before: Vec<Event<'t>>,
    what: Event<'t>,
    /// What is told where the call runs.
    result: Option<Event<'t>>,
}

/// This project.
pub struct Ours<'t> {
    image: Arc<Image>,
    /// The bit of each rule.
    bits: Vec<Word>,
    steps: Vec<Events<'t>>,
}

impl<'t> Ours<'t> {
    pub fn new(task: &'t Task) -> Self {
        let image = image(&task.behavior, std::slice::from_ref(&task.policy));
        let ids = task.behavior.lines().filter_map(|line| line.trim().strip_prefix("- id: "));
        let mut bits = vec![0; image.rules().len() as usize];
        for (bit, id) in ids.enumerate() {
            let rule = image.rules().find(id).expect("every rule is in the image");
            bits[rule as usize] = 1 << bit;
        }
        Self { image: Arc::new(image), bits, steps: events(&task.steps) }
    }

    fn word(&self, decision: &Decision) -> Word {
        let found = decision.findings().iter();
        let word = found.fold(0, |word, finding| word | self.bits[finding.rule as usize]);
        let policy = match decision.permission.map(|permission| permission.action) {
            None | Some(PermissionAction::None) => 0,
            Some(PermissionAction::Allow) => ALLOW,
            Some(PermissionAction::Deny) => DENY,
            Some(PermissionAction::Ask | PermissionAction::DryRunFirst) => ASK,
        };
        word | policy << POLICY
    }
}

impl Peer for Ours<'_> {
    fn name(&self) -> &str {
        "behavior"
    }

    fn decide(&mut self, words: &mut Vec<Word>) {
        let mut sessions = Replay::new(Arc::clone(&self.image));
        let mut decision = Decision::default();
        for step in &self.steps {
            for event in &step.before {
                sessions.apply_into(step.session, event, &mut decision);
            }
            sessions.apply_into(step.session, &step.what, &mut decision);
            let mut word = self.word(&decision);
            if let Some(result) = &step.result
                && decision.verdict() != Verdict::Deny
            {
                sessions.apply_into(step.session, result, &mut decision);
                word |= self.word(&decision);
            }
            words.push(word);
        }
    }
}

/// Compiles rules, and a policy in some files.
pub fn image(behavior: &str, policy: &[String]) -> Image {
    let policy = policy.iter().enumerate();
    let policy = policy.map(|(number, text)| (format!("policy{number}.toml"), text.as_str()));
    let files: Vec<(String, &str)> =
        std::iter::once(("behavior.yaml".to_owned(), behavior)).chain(policy).collect();
    let entries: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
    let provider = WithLibrary {
        library: behavior_stdlib::file,
        presets: behavior_stdlib::PROFILES,
        project: MemoryFiles::new(files),
    };
    let compilation = compile_all(&provider, &entries, &Options::default());
    let problems = &compilation.diagnostics;
    compilation.image.unwrap_or_else(|| panic!("the rules compile: {problems:?}"))
}

fn events(steps: &[Step]) -> Vec<Events<'_>> {
    let mut turns = HashMap::new();
    let mut files = HashMap::new();
    let steps = steps.iter().enumerate();
    steps
        .map(|(number, step)| {
            let mut before = Vec::new();
            if turns.insert(&step.session, step.turn) != Some(step.turn) {
                before.push(Event::TurnStart { text: Some("Go on.".into()) });
            }
            let session = step.session.as_str();
            if step.kind == "text" {
                let what = Event::Text { text: step.text.as_str().into() };
                return Events { session, before, what, result: None };
            }
            if step.tool == "write"
                && let Some(path) = &step.params.file_path
                && files.insert(path, step.exists) != Some(step.exists)
            {
                let path = path.as_str().into();
                before.push(Event::Fs(FileFact {
                    path,
                    exists: step.exists,
                    ..FileFact::default()
                }));
            }
            let id = format!("call-{number}");
            let what = Event::ToolCall(call(step, &id));
            let lint =
                if step.lint_errors > 0 { r#"[{"severity":"error","message":"x"}]"# } else { "[]" };
            let result = Event::ToolResult(ToolResult {
                id: Some(id.into()),
                call: None,
                result: Some(Value::Json(format!(r#"{{"output":"done","lint":{lint}}}"#).into())),
                ok: true,
            });
            Events { session, before, what, result: Some(result) }
        })
        .collect()
}

fn call<'t>(step: &'t Step, id: &str) -> Call<'t> {
    let text = |name: &'t str, text: &'t str| Param {
        name: name.into(),
        native: None,
        value: Value::Text(text.into()),
    };
    let mut params = Vec::new();
    params.extend(step.params.file_path.as_deref().map(|path| text("file_path", path)));
    params.extend(step.params.command.as_deref().map(|command| text("command", command)));
    params.extend(step.params.others.iter().map(|(name, value)| match value {
        serde_json::Value::String(value) => text(name, value),
        other => {
            let value = Value::Json(other.to_string().into());
            Param { name: name.into(), native: None, value }
        }
    }));
    Call {
        id: Some(id.to_owned().into()),
        tool: step.tool.as_str().into(),
        native_tool: None,
        params,
    }
}
