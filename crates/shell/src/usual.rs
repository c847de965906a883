//! What a command is where nobody has set the variables that it is written with: `git push ${FORCE:---force}` is a push by force
//! then, which is added beside the one of which nobody knows the flags.

use super::runner::child;
use super::{CommandLine, HOLE, MAX_DEPTH, Reach, Word};

/// Adds the command with the words that stand in it for variables which nothing sets, if there are such.
pub(super) fn run_usual(line: &mut CommandLine, index: usize) {
    let Some(command) = line.commands.get(index) else { return };
    if command.opaque.is_some() || u32::from(command.depth) >= MAX_DEPTH {
        return;
    }
    // What is a file, or a folder, is told with what it may stand for.
    let is_open = |word: &Word| usual(line, word).is_some_and(|usual| !usual.contains('/'));
    if !line.words(command).iter().skip(1).any(is_open) {
        return;
    }
    let command = command.clone();
    let texts: Vec<Option<String>> =
        line.words(&command).iter().map(|word| usual(line, word)).collect();
    if line.is_full() {
        return;
    }
    let start = line.words.len() as u32;
    for (at, text) in texts.iter().enumerate() {
        let Some(own) = line.words(&command).get(at).copied() else { continue };
        let word = match text {
            Some(text) => line.add_text(text, command.span.clone()),
            None => own,
        };
        line.words.push(word);
    }
    let mut added = child(index as u32, &command, Reach::Wrapper);
    added.words = start..line.words.len() as u32;
    line.commands.push(added);
}

/// What a word is where nobody has set the variable in it; `None` where it holds none, or nobody knows.
fn usual(line: &CommandLine, word: &Word) -> Option<String> {
    if word.stands_for == 0 || !line.loop_words.is_usual(word.stands_for) {
        return None;
    }
    let [value] = line.loop_words.of(word.stands_for) else { return None };
    let (text, value) = (line.text(word), line.text(value));
    let is_known = text.matches(HOLE).count() == 1 && !value.contains(HOLE);
    is_known.then(|| text.replace(HOLE, value))
}
