//! Files that a line writes before it runs them: what stands in them, where that is constant.

use super::given::{Input, input, output};
use super::{Command, CommandLine, Redirect, RedirectKind, Word};

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

/// Returns what the first `before` commands of a line write into a file; `None` where they write nothing.
pub fn file(line: &CommandLine, path: &str, before: usize) -> Option<Written> {
    let wanted = plain(path);
    let mut written: Option<Written> = None;
    for command in line.commands().iter().take(before.min(MAX)) {
        let found = match writes_to(line, command, wanted) {
            true => output(line, command),
            false => match line.program(command) {
                Some("tee") if names(line, command, wanted) => input(line, command),
                Some("curl" | "wget" | "aria2c" | "dd") if names(line, command, wanted) => {
                    Input::Unknown
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

/// Returns the program that a line copies or links to a path before it runs it from there.
pub fn copied(line: &CommandLine, path: &str, before: usize) -> Option<Word> {
    const FOLDERS: [&str; 6] =
        ["/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/opt/homebrew/bin/"];
    let wanted = plain(path);
    line.commands().iter().take(before.min(MAX)).find_map(|command| {
        let is_copy = matches!(line.program(command), Some("cp" | "ln" | "mv" | "install"));
        let [.., source, target] = line.words(command) else { return None };
        let from = line.text(source);
        let is_program = FOLDERS.iter().any(|folder| from.starts_with(folder));
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

/// Whether a word of a command is a file, or ends with it as in `of=x`.
fn names(line: &CommandLine, command: &Command, wanted: &str) -> bool {
    line.words(command).iter().skip(1).any(|word| {
        let text = line.text(word);
        text.ends_with(wanted) && plain(text.rsplit('=').next().unwrap_or(text)) == wanted
    })
}
