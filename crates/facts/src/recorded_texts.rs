//! What recorded calls wrote into files, as far as they say it themselves: where nobody has the files, this is all that is
//! known of them. Keeps a bounded part of it, and forgets what it cannot follow.

use std::sync::Arc;

use behavior_shell::touched::Effect;
use behavior_shell::{CommandLine, HOLE, Reach, Redirect, RedirectKind};
use serde_json::Value;

use crate::commands::command_line;
use crate::event::{Call, Value as ParamValue};
use crate::path;
use crate::touched::of_call;
use crate::value::ValueRef;

/// So many files are kept; the one that was written longest ago goes first.
const MAX_FILES: usize = 64;
/// What holds more bytes is not kept.
const MAX_TEXT: usize = 64 << 10;

/// What stands in files that were written, by their whole paths, oldest first. To copy it is cheap.
#[derive(Clone, Debug, Default)]
pub struct RecordedTexts {
    files: Vec<(Box<str>, Arc<str>)>,
}

impl RecordedTexts {
    /// What stands in a file, where it is known.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&str> {
        let file = self.files.iter().find(|(known, _)| **known == *path);
        file.map(|(_, text)| &**text)
    }

    /// Takes up what a call writes. `cwd` is where its session works.
    pub fn learn(&mut self, call: &Call<'_>, cwd: Option<&str>) {
        if let Some(line) = command_line(call) {
            if let ValueRef::Text(text) = line.value()
                && text.contains('>')
            {
                self.learn_line(text, cwd);
            }
            return;
        }
        if let Some(patch) = text_of(call, &["patch", "input", "patch_text", "patchText"])
            && patch.contains("*** ")
        {
            return self.learn_patch(patch, cwd);
        }
        let written = of_call(call).into_iter();
        let mut written = written.filter(|file| file.effect == Some(Effect::Write));
        let Some(file) = written.next() else { return };
        if written.next().is_some() || !file.is_known() {
            return;
        }
        let path = normal(&file.path, cwd);
        let text = match text_of(call, &["content", "file_text", "contents"]) {
            Some(content) => Some(content.to_owned()),
            None => self.get(&path).and_then(|text| edited(call, text)),
        };
        self.keep(path, text);
    }

    /// Takes up the files into which redirections of a line write constant texts.
    fn learn_line(&mut self, text: &str, cwd: Option<&str>) {
        let mut line = CommandLine::default();
        line.read(text, None);
        let mut folder = cwd.unwrap_or_default().to_owned();
        let count = line.commands().len();
        for command in line.commands() {
            let words = line.words(command);
            if let [program, to] = words
                && line.text(program) == "cd"
                && command.reach == Reach::List
            {
                folder = normal(line.text(to), Some(&folder));
            }
            let writes = |redirect: &&Redirect| {
                matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append)
            };
            for redirect in line.redirects(command).iter().filter(writes) {
                let target = line.target(redirect);
                let path = normal(line.text(&target), Some(&folder));
                if path.contains(HOLE) || path.starts_with("/dev/") {
                    continue;
                }
                let written = line.written_text(&target, count);
                let text = match (redirect.kind, self.get(&path), written) {
                    (RedirectKind::Append, Some(before), Some(text)) => {
                        Some(format!("{before}{text}"))
                    }
                    (RedirectKind::Append, None, _) => None,
                    (_, _, text) => text.filter(|text| !text.contains(HOLE)),
                };
                self.keep(path, text);
            }
        }
    }

    /// Takes up the files that a patch in the form of Codex adds.
    fn learn_patch(&mut self, patch: &str, cwd: Option<&str>) {
        let mut added: Option<(String, String)> = None;
        for line in patch.lines() {
            if let Some(head) = line.strip_prefix("*** ") {
                if let Some((path, text)) = added.take() {
                    self.keep(path, Some(text));
                }
                match head.strip_prefix("Add File: ") {
                    Some(path) => added = Some((normal(path, cwd), String::new())),
                    None => {
                        if let Some((_, path)) = head.split_once("File: ") {
                            self.keep(normal(path, cwd), None);
                        }
                    }
                }
            } else if let Some((_, text)) = &mut added
                && let Some(own) = line.strip_prefix('+')
            {
                text.push_str(own);
                text.push('\n');
            }
        }
        if let Some((path, text)) = added {
            self.keep(path, Some(text));
        }
    }

    /// Keeps a text as what stands in a file; without one, nothing is known of that any more.
    fn keep(&mut self, path: String, text: Option<String>) {
        self.files.retain(|(known, _)| **known != *path);
        let Some(text) = text.filter(|text| text.len() <= MAX_TEXT) else { return };
        if self.files.len() >= MAX_FILES {
            self.files.remove(0);
        }
        self.files.push((path.into(), text.into()));
    }
}

fn normal(path: &str, cwd: Option<&str>) -> String {
    let mut scratch = String::new();
    path::normalise(path, cwd, &mut scratch).to_owned()
}

/// The text of the first parameter that has one of some names.
fn text_of<'c>(call: &'c Call<'_>, names: &[&str]) -> Option<&'c str> {
    let param = call.params.iter().find(|param| names.contains(&&*param.name))?;
    match &param.value {
        ParamValue::Text(text) => Some(text),
        ParamValue::Json(_) => None,
    }
}

/// What an edit makes of a text, where each of its parts replaces a text that stands there.
fn edited(call: &Call<'_>, text: &str) -> Option<String> {
    const OLD: [&str; 4] = ["old_string", "oldText", "old_text", "old_str"];
    const NEW: [&str; 4] = ["new_string", "newText", "new_text", "new_str"];
    let replaced = |text: &str, old: &str, new: &str, all: bool| {
        let is_there = !old.is_empty() && text.contains(old);
        is_there.then(|| if all { text.replace(old, new) } else { text.replacen(old, new, 1) })
    };
    if let (Some(old), Some(new)) = (text_of(call, &OLD), text_of(call, &NEW)) {
        let is_true =
            |value: &ParamValue<'_>| matches!(value, ParamValue::Json(json) if json == "true");
        let mut params = call.params.iter();
        let all = params.any(|param| param.name == "replace_all" && is_true(&param.value));
        return replaced(text, old, new, all);
    }
    let edits = call.params.iter().find(|param| param.name == "edits")?;
    let ParamValue::Json(edits) = &edits.value else { return None };
    let Ok(Value::Array(edits)) = serde_json::from_str(edits) else { return None };
    let field = |edit: &Value, names: [&str; 4]| {
        names.iter().find_map(|name| edit.get(name)?.as_str().map(str::to_owned))
    };
    edits.iter().try_fold(text.to_owned(), |text, edit| {
        let made = replaced(&text, &field(edit, OLD)?, &field(edit, NEW)?, false)?;
        (made.len() <= MAX_TEXT).then_some(made)
    })
}
