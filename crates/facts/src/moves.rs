//! What the commands of a line move or link: from where, and to where.

use std::collections::BTreeMap;

use behavior_shell::touched::{Effect, Extent};

use crate::commands::shell::Shell;
use crate::touched::TouchedFile;

/// What a command moves or links.
#[derive(Clone, Debug)]
pub struct Move {
    /// The command; 0 of a tool.
    pub command: u32,
    /// Whether it makes one place stand for another, and leaves everything where it is.
    pub links: bool,
    /// What it takes from where it was; nothing where it links.
    pub from: Vec<TouchedFile>,
    /// Where it puts that.
    pub to: Vec<TouchedFile>,
}

/// Returns what the commands of a line that was read move or link: what each takes from where it was, nothing of a link, and
/// where it puts that. `files` are the files that they touch, each with its command.
#[must_use]
pub fn moves(shell: &Shell, files: &[(u32, TouchedFile)]) -> Vec<Move> {
    let mut by_command: BTreeMap<u32, Move> = BTreeMap::new();
    for (by, file) in files {
        let of_command = by_command.entry(*by).or_insert_with(|| Move {
            command: *by,
            links: shell.is_link(*by),
            from: Vec::new(),
            to: Vec::new(),
        });
        match file.effect {
            Some(Effect::Delete) => of_command.from.push(file.clone()),
            // What is in a directory comes into another one by itself: the others say so, too.
            Some(Effect::Write) if file.extent == Extent::Within && file.out_of.is_some() => {}
            Some(Effect::Write) => of_command.to.push(file.clone()),
            _ => {}
        }
    }
    let moves = by_command.into_values();
    moves.filter(|one| !one.to.is_empty() && (one.links || !one.from.is_empty())).collect()
}
