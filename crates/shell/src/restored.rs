//! Files that a line overwrites with what git keeps of them, `git show HEAD:f > f`: written down as `git restore`, so that what
//! is said of that holds for it. Follows what is constant.

use super::runner::child;
use super::{Command, CommandLine, HOLE, MAX_DEPTH, Reach, RedirectKind, written};

/// Options of git itself that take a word behind them.
const WITH_VALUE: [&str; 6] =
    ["-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"];

/// A file, or several, as they are in a revision: in the index where none is named.
struct Kept<'l> {
    revision: &'l str,
    paths: Vec<&'l str>,
}

/// Adds that a command takes files back to what git has of them, if it does.
pub(super) fn run_restored(line: &mut CommandLine, index: usize) {
    let Some(command) = line.commands.get(index) else { return };
    if command.opaque.is_some() || u32::from(command.depth) >= MAX_DEPTH {
        return;
    }
    let Some(kept) = kept(line, command) else { return };
    let mut texts = vec!["git".to_owned(), "restore".to_owned()];
    if !kept.revision.is_empty() {
        texts.push(format!("--source={}", kept.revision));
    }
    texts.push("--".to_owned());
    texts.extend(kept.paths.into_iter().map(str::to_owned));
    let command = command.clone();
    if line.is_full() {
        return;
    }
    let start = line.words.len() as u32;
    for text in texts {
        let word = line.add_text(&text, command.span.clone());
        line.words.push(word);
    }
    let mut added = child(index as u32, &command, Reach::Wrapper);
    added.words = start..line.words.len() as u32;
    line.commands.push(added);
}

/// The files that a command writes as git has them.
fn kept<'l>(line: &'l CommandLine, command: &'l Command) -> Option<Kept<'l>> {
    match line.program(command)? {
        "git" => {
            let mut redirects = line.redirects(command).iter();
            let target = redirects.find(|redirect| redirect.kind == RedirectKind::Write);
            match target {
                Some(target) => shown(line, command, line.text(&line.target(target))),
                None => undone(line, command),
            }
        }
        "tee" | "gtee" | "sponge" => {
            let [input] = line.input(command) else { return None };
            let mut words = line.words(command).iter().skip(1).map(|word| line.text(word));
            let is_added = words.clone().any(|word| matches!(word, "-a" | "--append"));
            words.find_map(|target| shown(line, input, target)).filter(|_| !is_added)
        }
        "tar" | "gtar" | "bsdtar" => {
            let [input] = line.input(command) else { return None };
            unpacked(line, input).filter(|_| unpacks_here(line, command))
        }
        _ => None,
    }
}

/// The file that `git show REVISION:PATH` or `git cat-file` prints, if that is the one written.
fn shown<'l>(line: &'l CommandLine, command: &'l Command, target: &'l str) -> Option<Kept<'l>> {
    let operands = words_of_git(line, command, &["show", "cat-file"])?;
    let mut named = operands.filter_map(|operand| operand.split_once(':'));
    let (revision, _) = named.find(|(_, path)| is_same(line, path, target))?;
    Some(Kept { revision, paths: vec![target] })
}

/// What `git diff | git apply -R` takes back.
fn undone<'l>(line: &'l CommandLine, command: &'l Command) -> Option<Kept<'l>> {
    let mut words = words_of_git(line, command, &["apply"])?;
    let [input] = line.input(command) else { return None };
    let mut compared = words_of_git(line, input, &["diff"])?;
    let only_looks = |word| matches!(word, "--check" | "--stat" | "--numstat" | "--summary");
    if words.clone().any(only_looks)
        || !words.any(|word| matches!(word, "-R" | "--reverse"))
        || compared.clone().any(|word| matches!(word, "--cached" | "--staged"))
    {
        return None;
    }
    let is_path = |word: &str| word == "--";
    let revision = compared.clone().find(|word| !word.starts_with('-') || is_path(word));
    let mut paths: Vec<&str> =
        compared.by_ref().skip_while(|word| !is_path(word)).skip(1).collect();
    if paths.is_empty() {
        paths.push(".");
    }
    let revision = revision.filter(|revision| !is_path(revision)).unwrap_or_default();
    Some(Kept { revision, paths })
}

/// What `git archive` packs of the files that lie here.
fn unpacked<'l>(line: &'l CommandLine, command: &'l Command) -> Option<Kept<'l>> {
    let mut words = words_of_git(line, command, &["archive"])?;
    let is_elsewhere = |word: &str| word.starts_with("--prefix") || word.starts_with("--remote");
    if words.clone().any(is_elsewhere) {
        return None;
    }
    let revision = words.find(|word| !word.starts_with('-'))?;
    let mut paths: Vec<&str> = words.filter(|word| !word.starts_with('-')).collect();
    if paths.is_empty() {
        paths.push(".");
    }
    Some(Kept { revision, paths })
}

/// Whether `tar` takes files out of an archive and puts them where it runs.
fn unpacks_here(line: &CommandLine, command: &Command) -> bool {
    let words: Vec<&str> = line.words(command).iter().skip(1).map(|word| line.text(word)).collect();
    let is_elsewhere = |folder: &str| !matches!(folder, "" | "." | "./");
    let behind = words.windows(2).any(|pair| match pair {
        ["-C" | "--directory", folder] => is_elsewhere(folder),
        _ => false,
    });
    let within = |word: &&str| {
        let folder = word.strip_prefix("--directory=").or_else(|| word.strip_prefix("-C"));
        word.starts_with("--one-top") || folder.is_some_and(is_elsewhere)
    };
    let extracts = |word: &&str| match word.strip_prefix("--") {
        Some(name) => matches!(name, "extract" | "get"),
        None => word.contains('x'),
    };
    !behind && !words.iter().any(within) && words.first().is_some_and(extracts)
}

/// Whether a path of the repository is the file that is written: from its root, from a folder that the line goes to, or by its
/// whole path.
fn is_same(line: &CommandLine, path: &str, target: &str) -> bool {
    let path = path.trim_start_matches("./");
    let target = target.trim_start_matches("./");
    let ends = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    // In a loop both are what the same variable holds.
    !path.is_empty()
        && (!target.contains(HOLE) || path == target)
        && match target.starts_with('/') {
            true => ends(target, path),
            false => path == target || written::changes_directory(line) && ends(path, target),
        }
}

/// The words behind a subcommand of git, where it is one of these.
fn words_of_git<'l>(
    line: &'l CommandLine,
    command: &'l Command,
    wanted: &[&str],
) -> Option<impl Iterator<Item = &'l str> + Clone> {
    let mut words = line.words(command).iter().map(|word| line.text(word));
    if line.program(command) != Some("git") {
        return None;
    }
    words.next();
    loop {
        match words.next()? {
            option if WITH_VALUE.contains(&option) => drop(words.next()),
            option if option.starts_with('-') => {}
            subcommand => return wanted.contains(&subcommand).then_some(words),
        }
    }
}
