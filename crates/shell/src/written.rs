//! Files that a line writes before it runs them: what stands in them, where that is constant.

use super::given::{Input, input_to_file, output_to_file, written_to_file, written_together};
use super::line::range;
use super::{Command, CommandLine, Reach, Redirect, RedirectKind, Word};

/// So many commands of a line are looked at.
const MAX: usize = 256;

/// What a line writes into a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// What is known of it: all that was written, since nobody knows which of two branches was taken.
    pub text: String,
    /// Whether something else may stand there.
    pub is_open: bool,
}

impl CommandLine {
    /// The text that the line writes into a file before it comes to a command, where it is all that stands there.
    #[must_use]
    pub fn written_text(&self, path: &Word, before: usize) -> Option<String> {
        if path.is_process() {
            return process(self, Some(before as u32), *path);
        }
        let file = file(self, self.text(path), before)?;
        (!file.is_open).then_some(file.text)
    }
}

/// Returns what the first `before` commands of a line write into a file; `None` where they write nothing.
pub fn file(line: &CommandLine, path: &str, before: usize) -> Option<Written> {
    file_through(line, path, before, 0)
}

/// Returns whether a line may write a file.
pub fn may_write(line: &CommandLine, path: &str) -> bool {
    let wanted = plain(path);
    let writes = |command: &Command| {
        writes_to(line, command, wanted)
            || matches!(
                line.program(command),
                Some("tee" | "dd" | "cp" | "mv" | "ln" | "install" | "gcp" | "gmv")
            ) && names(line, command, wanted)
    };
    !wanted.is_empty() && line.commands().iter().take(MAX).any(writes)
}

/// Returns the names of the files that the first `before` commands of a line write.
pub fn paths(line: &CommandLine, before: usize) -> Vec<String> {
    const MAX_PATHS: usize = 32;
    let mut found: Vec<String> = Vec::new();
    for command in line.commands().iter().take(before.min(MAX)) {
        let writes = |redirect: &&Redirect| {
            matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append)
        };
        let redirects = line.redirects(command).iter().filter(writes);
        let targets = redirects.map(|redirect| line.target(redirect));
        let takes = matches!(line.program(command), Some("tee" | "cp" | "mv" | "install"));
        let words = line.words(command).iter().skip(1).filter(|_| takes).copied();
        for word in targets.chain(words) {
            let path = line.text(&word);
            if found.len() < MAX_PATHS && !found.iter().any(|known| known == path) {
                found.push(path.to_owned());
            }
        }
    }
    found
}

/// The same behind so many copies.
fn file_through(line: &CommandLine, path: &str, before: usize, depth: u32) -> Option<Written> {
    const MAX_COPIES: u32 = 4;
    let wanted = plain(path);
    if wanted.is_empty() || depth > MAX_COPIES {
        return None;
    }
    let mut written: Option<Written> = None;
    for (index, command) in line.commands().iter().enumerate().take(before.min(MAX)) {
        let found = match writes_to(line, command, wanted) {
            true if command.runs() => output_to_file(line, command),
            true => output_inside(line, index, command),
            false => match line.program(command) {
                Some("tee") if names(line, command, wanted) => input_to_file(line, command),
                Some("dd") if names(line, command, wanted) => match input_to_file(line, command) {
                    Input::Text(text) => Input::Text(text),
                    _ => Input::Unknown,
                },
                Some("curl" | "wget" | "aria2c") if loads(line, command, wanted) => Input::Unknown,
                Some("cp" | "mv" | "ln" | "install" | "gcp" | "gmv") => {
                    let [.., source, target] = line.words(command) else { continue };
                    if plain(line.text(target)) != wanted {
                        continue;
                    }
                    let source = file_through(line, line.text(source), index, depth + 1);
                    let Some(source) = source else { continue };
                    written = Some(source);
                    continue;
                }
                _ => continue,
            },
        };
        let all = written.get_or_insert_default();
        match found {
            Input::Text(text) if all.text.len() + text.len() <= line.limit => {
                all.text.push_str(&text);
                all.text.push('\n');
            }
            Input::Nothing => {}
            _ => all.is_open = true,
        }
    }
    written
}

/// What the commands write together that a compound command holds.
fn output_inside(line: &CommandLine, index: usize, command: &Command) -> Input {
    let inside: Vec<&Command> = line
        .commands()
        .iter()
        .take(index)
        .filter(|inner| {
            inner.parent == command.parent
                && (inner.reach != Reach::Substitution || command.reach == Reach::Substitution)
                && inner.runs()
                && inner.span.start >= command.span.start
                && inner.span.end <= command.span.end
        })
        .collect();
    match inside.is_empty() {
        true => Input::Unknown,
        false => written_to_file(line, &inside),
    }
}

/// Returns what commands write into a file that a word of a command stands for, `<( … )`.
pub fn process(line: &CommandLine, holder: Option<u32>, word: Word) -> Option<String> {
    let filled_by = line.loop_words.process(word.stands_for);
    let inside = line.commands().get(range(&filled_by)).unwrap_or_default().iter();
    let inside: Vec<&Command> = inside
        .filter(|inner| inner.parent == holder && inner.reach == Reach::Substitution)
        .collect();
    match written_together(line, &inside) {
        Input::Text(text) if !inside.is_empty() => Some(text),
        _ => None,
    }
}

/// Returns the program that a line copies or links to a path before it runs it from there.
pub fn copied(line: &CommandLine, path: &str, before: usize) -> Option<Word> {
    const FOLDERS: [&str; 6] =
        ["/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/opt/homebrew/bin/"];
    let wanted = plain(path);
    line.commands().iter().enumerate().take(before.min(MAX)).find_map(|(index, command)| {
        let is_copy = matches!(line.program(command), Some("cp" | "ln" | "mv" | "install"));
        let [.., source, target] = line.words(command) else { return None };
        let from = line.text(source);
        // What `which` says is as good as the place of the program.
        let is_found = || {
            let mut inside = line.commands().iter().take(MAX);
            inside.any(|inner| {
                inner.parent == Some(index as u32)
                    && matches!(line.program(inner), Some("which" | "command" | "type"))
            })
        };
        let is_program = FOLDERS.iter().any(|folder| from.starts_with(folder))
            || is_copy && !from.contains('/') && is_found();
        (is_copy && is_program && plain(line.text(target)) == wanted).then_some(*source)
    })
}

/// Returns the interpreter that the first line of a text names: a shell, where it names none.
pub fn interpreter(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("#!") else { return "sh" };
    let line = rest.lines().next().unwrap_or_default();
    let mut words = line.split_whitespace().filter(|word| !word.starts_with('-'));
    let first = words.next().and_then(|word| word.rsplit('/').next()).unwrap_or("sh");
    match first {
        "env" => words.next().unwrap_or("sh"),
        other => other,
    }
}

fn plain(path: &str) -> &str {
    path.trim_start_matches("./")
}

fn writes_to(line: &CommandLine, command: &Command, wanted: &str) -> bool {
    let writes =
        |redirect: &&Redirect| matches!(redirect.kind, RedirectKind::Write | RedirectKind::Append);
    line.redirects(command).iter().filter(writes).any(|redirect| {
        let target = line.target(redirect);
        let target = line.text(&target);
        // The first is quick, and most often false.
        target.ends_with(wanted) && plain(target) == wanted
    })
}

/// Whether a program loads a file from elsewhere: a word names it, or it is called as the end of an address.
fn loads(line: &CommandLine, command: &Command, wanted: &str) -> bool {
    names(line, command, wanted)
        || line.words(command).iter().skip(1).any(|word| {
            let (path, _) = line.text(word).split_once('?').unwrap_or((line.text(word), ""));
            path.contains("://") && path.rsplit('/').next() == Some(wanted)
        })
}

/// Whether a word of a command is a file, or ends with it as in `of=x`.
fn names(line: &CommandLine, command: &Command, wanted: &str) -> bool {
    line.words(command).iter().skip(1).any(|word| {
        let text = line.text(word);
        text.ends_with(wanted) && plain(text.rsplit('=').next().unwrap_or(text)) == wanted
    })
}
