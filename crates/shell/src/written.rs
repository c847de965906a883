//! Files that a line writes before it runs them: what stands in them, where that is constant.

mod edited;

use self::edited::Edit;
use super::directories::{parts, reduced};
use super::given::{Input, input_to_file, output_to_file, written_to_file, written_together};
use super::line::range;
use super::substitution::Call;
use super::{
    Command, CommandLine, HOLE, Reach, Redirect, RedirectKind, Word, certainty, fetched, patch,
};

/// So many commands of a line are looked at.
const MAX: usize = 256;

/// What a line writes into a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// What is known of it: all that was written, since nobody knows which of two branches was taken.
    pub text: String,
    /// Whether something else may stand there.
    pub is_open: bool,
    /// Whether something of it was loaded from the network.
    pub is_fetched: bool,
    /// Whether it may be another file of the same name.
    pub is_doubtful: bool,
}

/// Whether two paths name one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Same {
    Surely,
    /// Where the line changes its directory, or a path holds something that nobody knows.
    Perhaps,
}

/// How a command writes a file.
struct Writing {
    input: Input,
    same: Same,
    is_appended: bool,
}

impl CommandLine {
    /// The text that the line writes into a file before it comes to a command, where it is all that stands there.
    #[must_use]
    pub fn written_text(&self, path: &Word, before: usize) -> Option<String> {
        if path.is_process() {
            return process(self, Some(before as u32), *path);
        }
        let file = file(self, self.text(path), before)?;
        (!file.is_open && !file.is_doubtful).then_some(file.text)
    }
}

/// Returns what the commands of a line before another write into a file; `None` where they write nothing.
pub fn file(line: &CommandLine, path: &str, before: usize) -> Option<Written> {
    file_through(line, path, before, 0)
}

/// Returns whether the commands of a line before another may make a program of this name, at a first look.
pub fn may_be_own(line: &CommandLine, path: &str, before: usize) -> bool {
    let name = last(path);
    let ends = |word: &Word| last(line.text(word)) == name;
    let makes = |command: &Command| {
        line.redirects(command).iter().any(|redirect| ends(&line.target(redirect)))
            || line.words(command).iter().skip(1).any(ends)
            || is_copier(line, command)
            || makes_files(line, command)
    };
    line.script(path).is_some()
        || line
            .commands()
            .iter()
            .enumerate()
            .take(MAX)
            .any(|(index, command)| (index < before || command.parent.is_some()) && makes(command))
}

/// Returns whether a line may write a file.
pub fn may_write(line: &CommandLine, path: &str) -> bool {
    let is_sure = |same| same == Some(Same::Surely);
    let writes = |command: &Command| {
        let (same, _) = writes_to(line, command, path).unzip();
        is_sure(same)
            || is_copier(line, command)
            || matches!(line.program(command), Some("tee" | "dd"))
                && is_sure(names(line, command, path))
    };
    !path.is_empty() && line.commands().iter().take(MAX).any(writes)
}

/// Returns whether a line may write any file, at a first look.
pub fn may_write_any(line: &CommandLine) -> bool {
    line.commands().len() > 1
        && (line.redirects.iter().any(Redirect::writes)
            || line.commands().iter().take(MAX).any(|command| {
                is_copier(line, command) || matches!(line.program(command), Some("tee" | "dd"))
            }))
}

/// Returns the names of the files that the first `before` commands of a line write.
pub fn paths(line: &CommandLine, before: usize) -> Vec<String> {
    const MAX_PATHS: usize = 32;
    let mut found: Vec<String> = Vec::new();
    for command in line.commands().iter().take(before.min(MAX)) {
        let redirects = line.redirects(command).iter().filter(|redirect| redirect.writes());
        let targets = redirects.map(|redirect| line.target(redirect));
        let takes = matches!(
            line.program(command),
            Some("tee" | "cp" | "mv" | "install" | "ln" | "curl" | "wget" | "aria2c")
        );
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
    if path.is_empty() || depth > MAX_COPIES {
        return None;
    }
    let there = line.script(path).map(str::to_owned);
    let mut written = there.map(|text| Written { text, ..Written::default() });
    // Nothing is written yet by what only starts the command.
    let is_before = |index: usize| {
        index < before && !only_starts(line, index, before)
            || depth == 0 && runs_before(line, index, before)
    };
    for (index, command) in line.commands().iter().enumerate().take(MAX) {
        if !is_before(index) {
            continue;
        }
        if let Some(copy) = copy_of(line, index, command, path, depth) {
            written = Some(copy);
            continue;
        }
        if let Some(edited) = edited_by(line, (index, command), path, written.as_ref(), depth) {
            written = Some(edited);
            continue;
        }
        let Some(writing) = writing(line, index, command, path) else { continue };
        let all = written.get_or_insert_default();
        all.is_doubtful |= writing.same == Same::Perhaps;
        match writing.input {
            Input::Text(text) if all.text.len() + text.len() <= line.limit => {
                // Of two texts that replace each other nobody knows which one is there.
                let is_another = !writing.is_appended && !all.text.is_empty();
                all.text.push_str(if is_another { "\n" } else { "" });
                all.text.push_str(&text);
            }
            Input::Nothing => {}
            _ => {
                all.is_open = true;
                all.is_fetched |= fetched::loads(line, command);
            }
        }
    }
    written
}

/// What stands in a file behind a command that changes what was written there, or writes there what it makes of another
/// file; `None` where it does neither.
fn edited_by(
    line: &CommandLine,
    (index, command): (usize, &Command),
    path: &str,
    before: Option<&Written>,
    depth: u32,
) -> Option<Written> {
    match edited::edit(line, command)? {
        Edit::Open => {
            let before = before?;
            names(line, command, path).map(|_| Written { is_open: true, ..before.clone() })
        }
        Edit::InPlace(call) => {
            let before = before?;
            let same = call.files.iter().find_map(|file| same(line, file, path))?;
            Some(changed(&call, before, same))
        }
        Edit::Printed(call) => {
            let (same, is_appended) = writes_to(line, command, path)?;
            let file = call.files.first().filter(|_| depth == 0 && !is_appended)?;
            Some(changed(&call, &file_through(line, file, index, depth + 1)?, same))
        }
    }
}

/// What stands in a file that `sed` has changed.
fn changed(call: &Call<'_>, before: &Written, same: Same) -> Written {
    let is_doubtful = before.is_doubtful || same == Same::Perhaps;
    // In another file of that name stands what was there before.
    match call.apply(&before.text).filter(|_| same == Same::Surely) {
        Some(text) => Written { text, is_doubtful, ..before.clone() },
        None => Written { is_open: true, is_doubtful, ..before.clone() },
    }
}

/// Whether a command does nothing but start another one, by its words: `nohup ./x > log`. What runs several one after the
/// other, or reads a text, may have written before it comes to that one.
fn only_starts(line: &CommandLine, index: usize, inner: usize) -> bool {
    let parent = |index: usize| {
        let command = line.commands().get(index)?;
        Some((command.parent? as usize, command.reach))
    };
    let mut inner = inner;
    while let Some((above, reach)) = parent(inner) {
        let runs_another = || {
            let mut commands = (0..line.commands().len().min(MAX)).filter(|other| *other != inner);
            commands.any(|other| parent(other).is_some_and(|(parent, _)| parent == above))
        };
        if reach != Reach::Wrapper || runs_another() {
            return false;
        }
        if above == index {
            return true;
        }
        inner = above;
    }
    false
}

/// Whether a command that another one of the line runs comes before the one at a place.
fn runs_before(line: &CommandLine, index: usize, before: usize) -> bool {
    let parent = |index: usize| line.commands().get(index).and_then(|command| command.parent);
    if parent(index).is_none() {
        return false;
    }
    let above = |index: usize| parent(index).map(|parent| parent as usize);
    let depth = |index: usize| std::iter::successors(Some(index), |index| above(*index)).count();
    // What of each stands beside the other, in the same command.
    let (mut one, mut other) = (index, before);
    let (own, others) = (depth(one), depth(other));
    for _ in others..own {
        one = above(one).unwrap_or(one);
    }
    for _ in own..others {
        other = above(other).unwrap_or(other);
    }
    while let (Some(around), Some(others)) = (above(one), above(other)) {
        if around == others {
            break;
        }
        (one, other) = (around, others);
    }
    one < other
}

/// How a command writes a file; `None` where it does not.
fn writing(line: &CommandLine, index: usize, command: &Command, path: &str) -> Option<Writing> {
    if let Some((same, is_appended)) = writes_to(line, command, path) {
        let input = match command.runs() {
            true => output_to_file(line, command),
            false => output_inside(line, index, command),
        };
        return Some(Writing { input, same, is_appended });
    }
    let program = line.program(command)?;
    let (input, same) = match program {
        "tee" => (input_to_file(line, command), names(line, command, path)?),
        "dd" => match (input_to_file(line, command), names(line, command, path)?) {
            (Input::Text(text), same) => (Input::Text(text), same),
            (_, same) => (Input::Unknown, same),
        },
        "curl" | "wget" | "aria2c" => (Input::Unknown, loads(line, command, path)?),
        "find" | "gfind" => (Input::Unknown, lists(line, command, path)?),
        "split" | "csplit" | "gsplit" | "gcsplit" => (Input::Unknown, cuts(line, command, path)?),
        "patch" | "gpatch" | "git" => (Input::Unknown, patches(line, command, path)?),
        "sqlite3" | "duckdb" => (Input::Unknown, exports(line, command, path)?),
        _ => return None,
    };
    let is_flag = |word: &Word| matches!(line.text(word), "-a" | "--append" | "oflag=append");
    let is_appended = line.words(command).iter().any(is_flag);
    Some(Writing { input, same, is_appended })
}

/// Whether a program makes files that no word of its names.
fn makes_files(line: &CommandLine, command: &Command) -> bool {
    matches!(line.program(command), Some("patch" | "gpatch" | "git" | "split" | "csplit"))
}

fn is_copier(line: &CommandLine, command: &Command) -> bool {
    matches!(line.program(command), Some("cp" | "mv" | "ln" | "install" | "gcp" | "gmv"))
}

/// What a command that copies, moves or links puts where a path leads.
fn copy_of(
    line: &CommandLine,
    index: usize,
    command: &Command,
    path: &str,
    depth: u32,
) -> Option<Written> {
    if !is_copier(line, command) {
        return None;
    }
    let words = line.words(command).get(1..)?;
    let operands: Vec<&Word> =
        words.iter().filter(|word| !line.text(word).starts_with('-')).collect();
    let (target, sources) = operands.split_last()?;
    let place = line.text(target);
    sources.iter().rev().find_map(|source| {
        let name = line.text(source);
        let inside = format!("{}/{}", place.trim_end_matches('/'), last(name));
        let same = same(line, place, path).or_else(|| same(line, &inside, path))?;
        let text = |input| match input {
            Input::Text(text) => Written { text, ..Written::default() },
            _ => Written { is_open: true, ..Written::default() },
        };
        let found = match name {
            "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0" => text(input_to_file(line, command)),
            _ if source.is_process() => {
                let given = process(line, Some(index as u32), **source);
                given.map_or(Written { is_open: true, ..Written::default() }, |given| {
                    text(Input::Text(given))
                })
            }
            _ => file_through(line, name, index, depth + 1)?,
        };
        Some(Written { is_doubtful: found.is_doubtful || same == Same::Perhaps, ..found })
    })
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
    /// What lies in such folders is a program, wherever they are.
    const FOLDERS: [&str; 4] = ["/bin/", "/sbin/", "/release/", "/debug/"];
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
        let is_program = FOLDERS.iter().any(|folder| from.contains(folder))
            || is_copy && !from.contains('/') && is_found();
        (is_copy && is_program && same(line, line.text(target), path).is_some()).then_some(*source)
    })
}

/// Returns the file that a line copies, moves or links to a path before it comes to a command, and the command that does.
pub fn source_of_copy(line: &CommandLine, path: &str, before: usize) -> Option<(u32, Word)> {
    let mut commands = line.commands().iter().enumerate().take(before.min(MAX));
    commands.find_map(|(index, command)| {
        let is_flag = |word: &&Word| line.text(word).starts_with('-');
        let words = line.words(command).iter().skip(1).filter(|word| !is_flag(word));
        let words: Vec<&Word> = words.take(3).collect();
        let [source, target] = words[..] else { return None };
        let is_it = is_copier(line, command) && same(line, line.text(target), path).is_some();
        is_it.then_some((index as u32, *source))
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

/// Returns whether two paths of a line may name one file.
pub fn is_same_file(line: &CommandLine, path: &str, wanted: &str) -> bool {
    same(line, path, wanted).is_some()
}

/// Whether two paths of a line name one file; `None` where they do not.
fn same(line: &CommandLine, path: &str, wanted: &str) -> Option<Same> {
    // This is quick, and most often false.
    if last(path) != last(wanted) || last(wanted).is_empty() {
        return None;
    }
    let is_rooted = |path: &str| path.starts_with('/');
    let reduced = |path| reduced(parts(path));
    if path == wanted || is_rooted(path) == is_rooted(wanted) && reduced(path) == reduced(wanted) {
        return Some(Same::Surely);
    }
    let is_unclear = |path: &str| path.contains(HOLE) || path.starts_with('~');
    (is_unclear(path) || is_unclear(wanted) || changes_directory(line)).then_some(Same::Perhaps)
}

/// The name of a file without the folder that it lies in.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Whether a line runs commands in another directory than its own.
pub(super) fn changes_directory(line: &CommandLine) -> bool {
    let mut commands = line.commands().iter().take(MAX);
    commands.any(|command| line.program(command).is_some_and(certainty::changes_directory))
}

/// Whether a redirection of a command writes a file, and whether it leaves there what was.
fn writes_to(line: &CommandLine, command: &Command, wanted: &str) -> Option<(Same, bool)> {
    line.redirects(command).iter().find_map(|redirect| {
        let is_appended = match redirect.kind {
            RedirectKind::Write => false,
            RedirectKind::Append => true,
            _ => return None,
        };
        let target = line.target(redirect);
        Some((same(line, line.text(&target), wanted)?, is_appended))
    })
}

/// Whether a program loads a file from elsewhere: a word names it, or it is called as the end of an address.
fn loads(line: &CommandLine, command: &Command, wanted: &str) -> Option<Same> {
    names(line, command, wanted).or_else(|| {
        let is_address = |word: &Word| {
            let (path, _) = line.text(word).split_once('?').unwrap_or((line.text(word), ""));
            path.contains("://") && path.rsplit('/').next() == Some(wanted.trim_start_matches("./"))
        };
        line.words(command).iter().skip(1).any(is_address).then_some(Same::Surely)
    })
}

/// Whether `find` writes what it finds into a file.
fn lists(line: &CommandLine, command: &Command, wanted: &str) -> Option<Same> {
    line.words(command).windows(2).find_map(|pair| match pair {
        [flag, file] if line.text(flag).starts_with("-fprint") || line.text(flag) == "-fls" => {
            same(line, line.text(file), wanted)
        }
        _ => None,
    })
}

/// Whether a program cuts what it reads into files whose names begin as one of its words, or as they do unless told.
fn cuts(line: &CommandLine, command: &Command, wanted: &str) -> Option<Same> {
    let name = last(wanted);
    let begins = |beginning: &str| !beginning.is_empty() && name.starts_with(beginning);
    let is_usual = match line.program(command)?.ends_with("csplit") {
        true => {
            name.strip_prefix("xx").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()))
        }
        false => name.len() == 3 && begins("x") && name.bytes().all(|b| b.is_ascii_lowercase()),
    };
    let words = line.words(command).iter().skip(1).map(|word| line.text(word));
    let mut named = words.filter(|word| !word.starts_with('-') && word.contains(['/', '_', '-']));
    (is_usual || named.any(|word| begins(last(word)))).then_some(Same::Surely)
}

/// Whether a program makes the files that a patch names, which it reads.
fn patches(line: &CommandLine, command: &Command, wanted: &str) -> Option<Same> {
    let subcommand = line.words(command).get(1).map(|word| line.text(word));
    let is_git = line.program(command) == Some("git");
    if is_git && !matches!(subcommand, Some("apply" | "am")) {
        return None;
    }
    let Input::Text(text) = input_to_file(line, command) else { return None };
    let mut files = patch::files(&text).into_iter();
    let names = |(_, name): (_, &str)| last(name) == last(wanted);
    files.any(names).then_some(Same::Surely)
}

/// Whether statements write a file: `writefile('x.sh', …)`.
fn exports(line: &CommandLine, command: &Command, wanted: &str) -> Option<Same> {
    let writes = |text: &str| text.contains("writefile(") && text.contains(wanted);
    let mut words = line.words(command).iter().map(|word| line.text(word));
    words.any(writes).then_some(Same::Surely)
}

/// Whether a word of a command is a file, or ends with it as in `of=x`.
fn names(line: &CommandLine, command: &Command, wanted: &str) -> Option<Same> {
    line.words(command).iter().skip(1).find_map(|word| {
        let text = line.text(word);
        same(line, text.rsplit('=').next().unwrap_or(text), wanted)
    })
}
