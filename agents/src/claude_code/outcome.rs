//! What an error result of Claude Code means: whether the tool ran at all, and what the error tells
//! of the file. Judged by the texts that Claude Code writes itself, never by a tool's output.

use crate::never_run::NeverRun;

/// How a text is recognised.
enum Text {
    /// It begins so.
    Starts(&'static str),
    /// It begins with the first and has the second after it.
    StartsThenHas(&'static str, &'static str),
    /// It has this anywhere.
    Has(&'static str),
}

use Text::{Has, Starts, StartsThenHas};

/// The texts that Claude Code answers with in place of running a tool, first match first. Seen in
/// transcripts of the versions named, or in the strings of the program.
const REFUSALS: &[(Text, NeverRun)] = &[
    // A refusal of this project's own hook; a user's words about it are not at the beginning.
    (Starts("[BEHAVIOR BLOCKED]"), NeverRun::Hook),
    // 1.0.51 to 2.1.42
    (Starts("The user doesn't want to proceed with this tool use."), NeverRun::Rejected),
    (Starts("The user doesn't want to take this action right now."), NeverRun::Rejected),
    (Starts("The agent proposed a plan that was rejected by the user."), NeverRun::Rejected),
    (Starts("User rejected tool use"), NeverRun::Rejected),
    // 2.1.197, headless
    (Starts("This command requires approval"), NeverRun::Permission),
    (
        Starts("This Bash command contains multiple operations. The following part"),
        NeverRun::Permission,
    ),
    (StartsThenHas("Claude requested permissions to ", "granted it yet"), NeverRun::Permission),
    (StartsThenHas("Permission to ", " has been denied"), NeverRun::Permission),
    (Starts("Permission for this tool use was denied."), NeverRun::Permission),
    (Starts("Permission for this action has been denied."), NeverRun::Permission),
    (
        Starts("File is in a directory that is denied by your permission settings"),
        NeverRun::Permission,
    ),
    // Exit code 2 of a hook, by version: named with the event, or only as an operation
    (StartsThenHas("PreToolUse:", " hook error"), NeverRun::Hook),
    (StartsThenHas("PreToolUse:", " hook stopped continuation"), NeverRun::Hook),
    (StartsThenHas("Hook PreToolUse:", " denied this tool"), NeverRun::Hook),
    (Has(" operation blocked by hook:"), NeverRun::Hook),
    (Starts("[Tool call skipped: "), NeverRun::Cancelled),
];

/// Claude Code wraps what it says in place of running a tool, and nothing else, in these.
const WRAPPED: (&str, &str) = ("<tool_use_error>", "</tool_use_error>");

/// What the wrapped texts mean; any other is the tool's own check of its input.
const WRAPPED_REFUSALS: &[(Text, NeverRun)] = &[
    (Starts("Error: No such tool available"), NeverRun::NoSuchTool),
    (Starts("No such tool available"), NeverRun::NoSuchTool),
    (Starts("Sibling tool call errored"), NeverRun::Cancelled),
    (Starts("Cancelled: parallel tool call"), NeverRun::Cancelled),
    (StartsThenHas("Error: ", "Permission to "), NeverRun::Permission),
];

/// A wrapped text that reports a tool that did run.
const RAN_ALTHOUGH_WRAPPED: &str = "Error calling tool";

/// What the errors of the file tools tell of their file. They check it in this order: is it there,
/// was it read before, did it change since, does the text occur.
const FILE_ERRORS: &[(Text, bool)] = &[
    (Starts("File does not exist"), false),
    (Starts("ENOENT: no such file or directory"), false),
    (Starts("File has not been read yet"), true),
    (Starts("File has been modified since read"), true),
    (Starts("File has been unexpectedly modified"), true),
    (Starts("String to replace not found in file"), true),
    (StartsThenHas("Found ", " matches of the string to replace"), true),
    (Starts("Cannot create new file - file already exists"), true),
    (Starts("EISDIR: illegal operation on a directory"), true),
];

impl Text {
    fn matches(&self, text: &str) -> bool {
        match self {
            Starts(start) => text.starts_with(start),
            StartsThenHas(start, then) => {
                text.strip_prefix(start).is_some_and(|rest| rest.contains(then))
            }
            Has(part) => text.contains(part),
        }
    }
}

fn look_up<T: Copy>(table: &[(Text, T)], text: &str) -> Option<T> {
    table.iter().find(|(pattern, _)| pattern.matches(text)).map(|(_, meaning)| *meaning)
}

/// What is known of a result that is marked as an error.
pub(crate) struct Failure<'a> {
    /// The text of the result.
    pub(crate) text: &'a str,
    /// The record's own `toolDenialKind`, in versions that write it (since about 2.1.205).
    pub(crate) denial: Option<&'a str>,
    /// Claude Code's name of the tool, where the call is known.
    pub(crate) tool: Option<&'a str>,
    /// The version of Claude Code that wrote the record.
    pub(crate) version: Option<&'a str>,
}

/// Why the call did not run, or `None` if it ran and failed, or may have.
pub(crate) fn never_run(failure: &Failure<'_>) -> Option<NeverRun> {
    // Interrupted and cancelled calls may have run in part: their texts decide.
    if let Some(denial) =
        failure.denial.filter(|kind| !matches!(*kind, "interrupted" | "cancelled"))
    {
        return Some(match denial {
            "user-rejected" => NeverRun::Rejected,
            kind if kind.contains("hook") => NeverRun::Hook,
            _ => NeverRun::Permission,
        });
    }
    let text = failure.text.trim_start();
    if let Some(wrapped) = text.strip_prefix(WRAPPED.0) {
        return (!wrapped.starts_with(RAN_ALTHOUGH_WRAPPED))
            .then(|| look_up(WRAPPED_REFUSALS, wrapped).unwrap_or(NeverRun::Input));
    }
    look_up(REFUSALS, text).or_else(|| silent_refusal(failure))
}

/// A hook's or a user's own words stand alone as the result. That is told from output only for shell
/// commands: since 2.0.70 at the latest, one that ran and failed says so with its exit code.
fn silent_refusal(failure: &Failure<'_>) -> Option<NeverRun> {
    const SAYS_EXIT_CODE: (u32, u32, u32) = (2, 0, 70);
    const RAN: &[&str] = &["Exit code ", "Command timed out", "[Request interrupted", "Error: "];
    let known = failure.tool == Some("Bash")
        && failure.version.and_then(version).is_some_and(|version| version >= SAYS_EXIT_CODE);
    (known && !RAN.iter().any(|start| failure.text.trim_start().starts_with(start)))
        .then_some(NeverRun::Hook)
}

fn version(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.split(['.', '-', '+']).map(|part| part.parse::<u32>().ok());
    Some((parts.next()??, parts.next()??, parts.next()??))
}

/// Whether the error text of a file tool tells that its file was there, or was not.
pub(crate) fn file_existed(text: &str) -> Option<bool> {
    let text = text.trim_start();
    let text = text.strip_prefix(WRAPPED.0).unwrap_or(text);
    look_up(FILE_ERRORS, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Option<NeverRun>) {
        let failure = Failure { text, denial: None, tool: None, version: None };
        assert_eq!(never_run(&failure), expect, "{text}");
    }

    #[test]
    fn refusals_are_recognised_by_their_text() {
        check(
            "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if",
            Some(NeverRun::Rejected),
        );
        check("This command requires approval", Some(NeverRun::Permission));
        check(
            "Claude requested permissions to write to /x, but you haven't granted it yet.",
            Some(NeverRun::Permission),
        );
        check(
            "Permission to use Bash with command rm x has been denied.",
            Some(NeverRun::Permission),
        );
        check("PreToolUse:Bash hook error: [./check.sh]: no", Some(NeverRun::Hook));
        check("Bash operation blocked by hook:\n- no", Some(NeverRun::Hook));
        check("[BEHAVIOR BLOCKED] no\nRule: r", Some(NeverRun::Hook));
        check(
            "<tool_use_error>Error: No such tool available: Grep</tool_use_error>",
            Some(NeverRun::NoSuchTool),
        );
        check("<tool_use_error>InputValidationError: …</tool_use_error>", Some(NeverRun::Input));
        check(
            "<tool_use_error>File has not been read yet.</tool_use_error>",
            Some(NeverRun::Input),
        );
        check(
            "<tool_use_error>Sibling tool call errored</tool_use_error>",
            Some(NeverRun::Cancelled),
        );
    }

    #[test]
    fn failures_of_tools_that_ran_are_not_refusals() {
        check("Exit code 1\ncat: missing: No such file", None);
        check("<tool_use_error>Error calling tool (Bash): x</tool_use_error>", None);
        check("[Request interrupted by user for tool use]", None);
        check("grep: The user doesn't want to proceed with this tool use.", None);
        check("Permission to open it was not given", None);
        check("EISDIR: illegal operation on a directory, read", None);
    }

    #[test]
    fn the_records_own_word_comes_first() {
        let of = |denial, text| {
            never_run(&Failure { text, denial: Some(denial), tool: Some("Edit"), version: None })
        };
        assert_eq!(of("user-rejected", "use a switch"), Some(NeverRun::Rejected));
        assert_eq!(of("permission-rule", "no"), Some(NeverRun::Permission));
        assert_eq!(of("interrupted", "[Request interrupted by user for tool use]"), None);
    }

    #[test]
    fn a_shell_error_without_exit_code_was_a_refusal_in_versions_that_write_one() {
        let of = |tool, version, text| {
            never_run(&Failure { text, denial: None, tool: Some(tool), version: Some(version) })
        };
        assert_eq!(of("Bash", "2.1.197", "blocked by policy"), Some(NeverRun::Hook));
        assert_eq!(of("Bash", "2.1.197", "Exit code 1\nblocked"), None);
        assert_eq!(of("Bash", "2.0.5", "blocked by policy"), None);
        assert_eq!(of("Bash", "unknown", "blocked by policy"), None);
        assert_eq!(of("Read", "2.1.197", "blocked by policy"), None);
    }

    #[test]
    fn errors_tell_whether_the_file_was_there() {
        assert_eq!(
            file_existed("<tool_use_error>File does not exist.</tool_use_error>"),
            Some(false)
        );
        assert_eq!(file_existed("File has not been read yet. Read it first"), Some(true));
        assert_eq!(file_existed("Found 2 matches of the string to replace, but"), Some(true));
        assert_eq!(file_existed("EACCES: permission denied"), None);
    }
}
