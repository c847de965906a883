//! What the output of a call of Codex tells of it: whether it failed, and which of the calls that it stands
//! for did. As of 0.169.0. Judged by what Codex itself writes before and around an output.

use crate::codex::calls::Kind;
use crate::codex::prints::Printed;
use crate::fields::embedded;
use crate::json::{self, Raw};

/// What Codex writes in place of an output where a call did not do what it was to do.
const FAILURES: &[&str] = &[
    "aborted by user after",
    "apply_patch verification failed",
    "collab spawn failed",
    "exec_command failed",
    "execution error",
    "failed in sandbox",
    "resources/list failed",
    "resources/read failed",
    "Script error",
    "Script failed",
    "Script terminated",
    "tool call error",
    "write_stdin failed",
];

json::slots! {
    /// What some tools return in place of a text.
    struct Output { metadata: "metadata", code: "exit_code" }
}

json::slots! {
    /// A part of what a script printed.
    struct Part { text: "text" }
}

/// What an output tells of the calls that one call stands for.
pub(crate) struct Outcome<'o> {
    failed: bool,
    text: &'o str,
    /// Whether each command of a script failed, in their order; empty where nothing tells.
    commands: Vec<bool>,
}

impl<'o> Outcome<'o> {
    /// Reads an output; `text` is what it says.
    pub(crate) fn of(output: Raw<'_>, text: &'o str, kinds: &[&Kind]) -> Self {
        let commands = kinds.iter().filter(|kind| matches!(kind, Kind::Command)).count();
        let codes = if commands == 0 { Vec::new() } else { exit_codes(output) };
        let commands = if codes.len() == commands { codes } else { Vec::new() };
        Self { failed: failed(output, text), text, commands }
    }

    /// Whether each of the calls succeeded, as far as the output tells.
    pub(crate) fn judge(&self, kinds: &[&Kind]) -> Vec<bool> {
        let mut commands = self.commands.iter();
        let mut command_failed = false;
        let of = |kind: &&Kind| {
            if matches!(kind, Kind::Command) {
                command_failed = commands.next().copied().unwrap_or(false);
            }
            let has_failed = match kind {
                Kind::Command => command_failed,
                Kind::Read(file) => command_failed || is_error_of(self.text, file),
                Kind::Own | Kind::Patch => false,
            };
            !(self.failed || has_failed)
        };
        kinds.iter().map(of).collect()
    }
}

/// Whether the output tells of a failure. Most do not tell at all; the older ones are JSON in a string.
fn failed(output: Raw<'_>, text: &str) -> bool {
    let object = output.map(json::Json::get).filter(|raw| raw.starts_with('{'));
    match object.or_else(|| embedded(text).filter(|json| json.starts_with('{'))) {
        Some(object) => exit_code(object).unwrap_or(false),
        None => {
            FAILURES.iter().any(|start| text.starts_with(start))
                || header(text).is_some_and(|code| code != "0")
        }
    }
}

/// Whether the exit code in an object tells of a failure, where there is one.
fn exit_code(object: &str) -> Option<bool> {
    let (mut output, mut inner) = (Output::default(), Output::default());
    // What is no object tells nothing.
    let _ = json::object(object, &mut output);
    if let Some(metadata) = output.metadata {
        let _ = json::object(metadata.get(), &mut inner);
    }
    output.code.or(inner.code).map(|code| code.get() != "0")
}

/// The exit code in the lines that Codex puts before some outputs.
fn header(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix("Exit code: ") {
        let (code, rest) = rest.split_once('\n')?;
        return rest.starts_with("Wall time: ").then_some(code.trim());
    }
    let text = behind_command(text);
    if !text.starts_with("Chunk ID: ") && !text.starts_with("Wall time: ") {
        return None;
    }
    let lines = text.lines().take_while(|line| *line != "Output:");
    lines.filter_map(|line| line.strip_prefix("Process exited with code ")).next()
}

/// The text without the command line that some versions put before all else.
fn behind_command(text: &str) -> &str {
    if !text.starts_with("Command: ") {
        return text;
    }
    let begins = ["\nChunk ID: ", "\nWall time: "].into_iter();
    let begin = begins.filter_map(|start| text.find(start)).min();
    begin.and_then(|at| text.get(at + 1..)).unwrap_or(text)
}

/// What the commands of a script returned, where the script printed that as it is: a part for each.
fn exit_codes(output: Raw<'_>) -> Vec<bool> {
    let mut codes = Vec::new();
    let Some(list) = output.map(json::Json::get).filter(|raw| raw.starts_with('[')) else {
        return codes;
    };
    // What is no object tells nothing.
    let _ = json::list(list, |part: Part<'_>| {
        let text = part.text.and_then(json::text).unwrap_or_default();
        if text.starts_with('{') {
            codes.extend(exit_code(&text));
        }
    });
    codes
}

/// Whether the output is the complaint of the program that should have printed the file.
fn is_error_of(output: &str, file: &Printed) -> bool {
    let complains = |line: &str| {
        let rest = line.strip_prefix(file.program).and_then(|rest| rest.strip_prefix(':'));
        rest.is_some_and(|rest| rest.contains(&*file.path))
    };
    // Complaints come first, or between what the files hold.
    let start = output.get(..output.floor_char_boundary(1 << 16)).unwrap_or(output);
    start.lines().any(complains)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: bool) {
        assert_eq!(failed(None, text), expect, "{text}");
    }

    #[test]
    fn failures_are_told_by_what_codex_writes() {
        check("apply_patch verification failed: Failed to find expected lines in a", true);
        check("aborted by user after 10.2s", true);
        check("Exit code: 1\nWall time: 0 seconds\nOutput:\n", true);
        check("Chunk ID: 1\nProcess exited with code 2\nOutput:\n", true);
        check(
            "Command: /bin/sh -lc 'a\nb'\nChunk ID: 1\nProcess exited with code 2\nOutput:\n",
            true,
        );
        check("Command: ls\nWall time: 0\nProcess exited with code 0\nOutput:\n", false);
        check("Command: x\nOutput:\nProcess exited with code 2", false);
        check(r#"{"output":"Success","metadata":{"exit_code":0}}"#, false);
        check(r#"{"output":"","exit_code":1}"#, true);
        check("Success. Updated the following files:\nM a", false);
        check("what a command printed: Script failed", false);
    }
}
