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
    let is_open = |word: &Word| {
        let is_path = |value: &str| value.contains('/') || line.text(word).contains('/');
        usual_value(line, word).is_some_and(|value| !is_path(value))
    };
    if !line.words(command).iter().skip(1).any(is_open) {
        return;
    }
    let command = command.clone();
    let usual =
        |word: &Word| usual_value(line, word).map(|value| line.text(word).replace(HOLE, value));
    let texts: Vec<Option<String>> = line.words(&command).iter().map(usual).collect();
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

/// What stands in a word for the variable in it that nobody has set; `None` where it holds none, or nobody knows.
fn usual_value<'l>(line: &'l CommandLine, word: &Word) -> Option<&'l str> {
    if word.stands_for == 0 || !line.loop_words.is_usual(word.stands_for) {
        return None;
    }
    let [value] = line.loop_words.of(word.stands_for) else { return None };
    let value = line.text(value);
    (line.text(word).matches(HOLE).count() == 1 && !value.contains(HOLE)).then_some(value)
}
