//! Tests of tools: which tools two of them share, and whether one takes all that another does.

use behavior_facts::tool_catalogue::is_shell;
use behavior_facts::tools::{last_part, selects};

use super::language::{Languages, SearchOutcome, readable};
use crate::ir::ToolTest;
use crate::tool_names::names;

/// The tool that runs commands, by the name that every agent's shell has here.
pub(super) const SHELL: &str = "bash";

/// Whether a test takes a tool; `name` is normalised.
pub(super) fn takes(test: &ToolTest, name: &str, languages: &Languages<'_>) -> bool {
    match test {
        ToolTest::Any => true,
        ToolTest::Shell => is_shell(name),
        ToolTest::Named(trigger) => selects(trigger, name),
        ToolTest::Pattern(pattern) => {
            languages.takes(*pattern, name) || languages.takes(*pattern, last_part(name))
        }
    }
}

/// Whether a test may take a tool that runs commands.
pub(super) fn may_be_shell(test: &ToolTest) -> bool {
    match test {
        ToolTest::Any | ToolTest::Shell | ToolTest::Pattern(_) => true,
        ToolTest::Named(name) => &**name == "*" || is_shell(name),
    }
}

/// Whether a test takes every tool.
pub(super) fn takes_all(test: &ToolTest, languages: &Languages<'_>) -> bool {
    match test {
        ToolTest::Any => true,
        ToolTest::Shell => false,
        ToolTest::Named(name) => &**name == "*",
        ToolTest::Pattern(pattern) => {
            languages.source(*pattern) == "*"
                || languages.search(&[languages.names()], &[languages.word(*pattern)])
                    == SearchOutcome::Nothing
        }
    }
}

/// Whether `outer` takes every tool that `inner` does; among shells only, where `shells` says so.
pub(super) fn covers(
    outer: &ToolTest,
    inner: &ToolTest,
    shells: bool,
    languages: &Languages<'_>,
) -> bool {
    match (outer, inner) {
        (ToolTest::Any, _) => true,
        (ToolTest::Shell, _) if shells => true,
        (ToolTest::Shell, ToolTest::Shell) => true,
        (ToolTest::Shell, ToolTest::Named(name)) => is_shell(name),
        (ToolTest::Named(outer), ToolTest::Named(inner)) => {
            outer == inner || &**outer == "*" || &**outer == last_part(inner)
        }
        // A qualified name selects the bare one as well.
        (ToolTest::Pattern(outer), ToolTest::Named(inner)) => {
            languages.takes(*outer, last_part(inner))
        }
        (ToolTest::Pattern(outer), ToolTest::Pattern(inner)) => languages.contains(*outer, *inner),
        _ => takes_all(outer, languages),
    }
}

/// A name that says more than one that begins or ends with a sign.
fn filled_in(name: &str) -> Option<String> {
    let before = if name.starts_with(['.', '_']) { "server" } else { "" };
    let behind = match name.chars().next_back() {
        Some('.') => "tool",
        Some('_') => "file",
        _ => "",
    };
    let is_whole = before.is_empty() && behind.is_empty();
    (!is_whole).then(|| format!("{before}{name}{behind}"))
}

/// A tool that both tests take: the shortest name where there is a choice.
pub(super) fn shared(
    tests: [&ToolTest; 2],
    shell: bool,
    languages: &Languages<'_>,
) -> Option<String> {
    let fits = |name: &String| {
        (!shell || is_shell(name)) && tests.iter().all(|test| takes(test, name, languages))
    };
    let usual = match shell {
        true => SHELL.to_owned(),
        false => "tool".to_owned(),
    };
    let named = tests.iter().filter_map(|test| match test {
        ToolTest::Named(name) => Some(name.to_string()),
        _ => None,
    });
    let mut candidates: Vec<String> = named.collect();
    if shell {
        candidates.insert(0, usual);
    } else {
        let patterns = tests.iter().filter_map(|test| match test {
            ToolTest::Pattern(pattern) => Some(languages.word(*pattern)),
            _ => None,
        });
        let mut inside: Vec<_> = patterns.collect();
        if inside.is_empty() {
            candidates.push(usual);
            candidates.push(SHELL.to_owned());
        } else if candidates.is_empty() {
            // A tool that agents have says more than any other text that fits.
            candidates.extend(names().filter(|name| !is_shell(name)).map(str::to_owned));
            inside.push(languages.names());
            if let SearchOutcome::Text(name) = languages.search(&inside, &[]) {
                let name = readable(name);
                candidates.extend(filled_in(&name));
                candidates.push(name);
            }
        }
    }
    candidates.into_iter().find(fits)
}
