//! What is offered and explained at places of all kinds of files, with the standard library as it is.
//!
//! `positions.txt` has the places. A line `== NAME` begins a file, with `…` where each case below it stands; a case
//! is a line `>> TEXT`, in which `‸` is the cursor and `⏎` goes on at the same column of the next line. Behind it,
//! `++` names what must be offered, `--` what must not, with `|` between names (`*` is anything), and `??` a part
//! of what is explained.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

#[cfg(test)]
mod borders;
#[cfg(test)]
mod cost;
#[cfg(test)]
mod positions;

use behavior_compiler::ide::{Completion, Project, RuleFile, Store, complete, hover};
use behavior_compiler::provider::{MemoryFiles, WithLibrary};

#[cfg(test)]
fn provider() -> WithLibrary<MemoryFiles> {
    let strict = "name: strict\nextends: dev\nrule_definitions:\n  - id: of_strict\n    trigger: edit\n    message: x\n\
                  state_tracking:\n  sets:\n    drafts: { add_on: write }\n  counters:\n    saves: { increment_on: write }\n  \
                  flags:\n    asked: { set_on: ask }\n";
    let config = "profile: strict\nrule_definitions:\n  - id: no_push\n    trigger: bash\n    condition: { runs: git push }\n    message: x\n";
    let project = MemoryFiles::new([
        ("behavior/strict.yaml", strict),
        ("behavior.yaml", config),
        ("prompts/system.md", "Be kind.\n"),
        ("house-rules.md", "Rules.\n"),
        ("behavior/session.jsonl", "{}\n"),
        ("behavior/refund.schema.json", "{}\n"),
        ("behavior/schemas/order.json", "{}\n"),
        ("behavior/agents.yaml", "agents:\n  coder: { run: codex }\n"),
    ]);
    let (library, presets) = (behavior_stdlib::file, behavior_stdlib::PROFILES);
    WithLibrary { library, presets, project }
}

/// What is offered at an offset.
#[cfg(test)]
fn offered(file: &RuleFile, store: &Store, offset: u32) -> Vec<Completion> {
    complete(file, Project { provider: &provider(), store }, offset)
}

/// What is explained at an offset.
#[cfg(test)]
fn explained(file: &RuleFile, store: &Store, offset: u32) -> Option<String> {
    hover(file, Project { provider: &provider(), store }, offset).map(|hover| hover.markdown)
}

/// What is wrong with an offer, as editors take it; nothing where all is right.
#[cfg(test)]
fn fault(text: &str, offset: usize, item: &Completion) -> Option<String> {
    let (start, end) = (item.start as usize, item.end as usize);
    let Some(typed) = text.get(start..offset) else {
        return Some(format!("`{}` replaces {start}..{end}, not around {offset}", item.label));
    };
    let mut left = typed.chars().flat_map(char::to_lowercase).peekable();
    for letter in item.filter.chars().flat_map(char::to_lowercase) {
        left.next_if_eq(&letter);
    }
    if left.peek().is_some() {
        return Some(format!("`{}` is not found by `{typed}`", item.filter));
    }
    if item.insert.contains('\n') {
        return Some(format!("`{}` is inserted as several lines", item.label));
    }
    text.get(offset..end).is_none().then(|| format!("`{}` ends inside a character", item.label))
}
