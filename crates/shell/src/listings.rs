//! Names that programs list for others which put them into a command line: `git ls-files | xargs -I{} sh -c 'wc -l {}'`. What
//! lists names prints names of files, in which no sign means anything to a shell, unless the line itself made such a file.

use super::{Command, CommandLine, HOLE, Reach, RedirectKind};

/// So many commands of a line are looked at.
const MAX: usize = 256;

/// Programs that print names of files, or numbers.
const LISTING: [&str; 8] = ["ls", "find", "gfind", "fd", "fdfind", "seq", "nproc", "pwd"];

/// Actions of `find` by which it prints anything but the names of what it finds, or has it printed.
pub(super) const OTHER_ACTIONS: [&str; 10] =
    ["printf", "fprintf", "exec", "execdir", "ok", "okdir", "ls", "fls", "fprint", "delete"];

/// Whether a command prints names of files that it finds where it is told to look, and nothing else. None of them looks like a
/// flag, but where git prints it.
pub(super) fn finds_names(line: &CommandLine, command: &Command) -> bool {
    let words = line.words(command);
    let texts = || words.iter().skip(1).map(|word| line.text(word));
    match line.program(command) {
        // What it finds begins as it was told to look.
        Some("find" | "gfind" | "bfs") => {
            let begins = words
                .get(1)
                .is_some_and(|word| !word.has_hole() && !line.text(word).starts_with('-'));
            let is_action = |text: &str| {
                text.strip_prefix('-').is_some_and(|name| OTHER_ACTIONS.contains(&name))
            };
            begins && !texts().any(is_action)
        }
        Some("git") => {
            let has = |name: &str| texts().any(|text| text == name);
            has("ls-files") && (has("--ignored") || has("-i"))
        }
        // A pattern may fit a name that looks like a flag.
        Some("ls") => {
            const FLAGS: &str = "1dtrASUXp";
            let is_known = |text: &str| {
                text.strip_prefix('-')
                    .is_some_and(|flags| flags.chars().all(|it| FLAGS.contains(it)))
            };
            let is_plain = |text: &str| !text.starts_with(['*', '?', '[', HOLE]);
            let mut operands = texts().filter(|text| !text.starts_with('-')).peekable();
            operands.peek().is_some()
                && operands.all(is_plain)
                && texts().filter(|text| text.starts_with('-')).all(is_known)
        }
        _ => false,
    }
}

/// Whether a command prints nothing but whole lines of those that it reads from a pipe.
pub(super) fn leaves_lines_out(line: &CommandLine, command: &Command) -> bool {
    let is_searching =
        line.program(command).is_some_and(|name| matches!(name, "grep" | "egrep" | "ggrep"));
    if !is_searching && !line.program(command).is_some_and(|name| CHOOSING.contains(&name)) {
        return false;
    }
    let flags = if is_searching { "EviFPwxaz" } else { "0123456789nruVz" };
    let is_flag = |text: &&str| text.starts_with('-');
    let texts = line.words(command).iter().skip(1).map(|word| line.text(word));
    let (mut operands, mut are_known) = (0_usize, command.redirects.is_empty());
    for text in texts {
        let rest = text.trim_start_matches('-');
        let is_number =
            !is_searching && text.trim_start_matches('+').bytes().all(|it| it.is_ascii_digit());
        let is_known_flag = is_flag(&text)
            && text.len() == rest.len() + 1
            && rest.chars().all(|it| flags.contains(it));
        operands += usize::from(!is_number && !is_flag(&text));
        are_known &= is_number || is_known_flag || is_searching && !is_flag(&text);
    }
    // `grep` is told what to look for, and no file.
    are_known && operands == usize::from(is_searching)
}

/// Subcommands of git that do.
const OF_GIT: [&str; 4] = ["ls-files", "diff", "branch", "ls-tree"];

/// Programs that print some of what they read, with flags or without.
const CHOOSING: [&str; 8] = ["sort", "uniq", "head", "tail", "comm", "tac", "shuf", "gsort"];

/// Programs of which some flags print the names of the files that they find something in.
const SEARCHING: [&str; 5] = ["grep", "egrep", "fgrep", "ggrep", "rg"];

/// Programs beside those that make no file but of the names that they are given.
const BESIDE: [&str; 10] =
    ["cd", "echo", "mkdir", "touch", "set", "true", ":", "test", "[", "date"];

/// Returns whether what a command finds, or reads of others, is a list of names that a shell finds no sign in.
pub(super) fn are_names(line: &CommandLine, index: usize, is_read: bool) -> bool {
    let Some(command) = line.commands().get(index) else { return false };
    let is_piped = !command.input.is_empty()
        && command.own_input.is_none()
        && line.input(command).iter().all(|inner| prints_names(line, inner));
    let before = line.commands().iter().enumerate().take(MAX.min(index));
    let mut earlier = before.filter(|(at, _)| !is_around(line, *at, index));
    line.commands().len() <= MAX
        && line.functions.is_empty()
        && !line.renames
        && !line.changes_path()
        && (is_piped || !is_read)
        && earlier.all(|(_, earlier)| is_plain(line, earlier))
        && around_is_plain(line, index)
}

/// Whether a command runs another one, at whatever distance.
fn is_around(line: &CommandLine, outer: usize, inner: usize) -> bool {
    let mut above = line.commands().get(inner).and_then(|command| command.parent);
    while let Some(at) = above.map(|at| at as usize) {
        if at == outer {
            return true;
        }
        above = line.commands().get(at).and_then(|command| command.parent);
    }
    false
}

/// Whether what runs a command does nothing else before it that is not listed.
fn around_is_plain(line: &CommandLine, index: usize) -> bool {
    line.commands().get(index).is_some_and(|command| {
        command.reach != Reach::Function && !command.may_run_more && command.opaque.is_none()
    })
}

fn prints_names(line: &CommandLine, command: &Command) -> bool {
    let words = || line.words(command).iter().skip(1).map(|word| line.text(word));
    let lists = match line.program(command) {
        Some("git") => match words().next() {
            Some("diff") => words().any(|word| word == "--name-only"),
            first => first.is_some_and(|first| OF_GIT.contains(&first)),
        },
        Some(name) if LISTING.contains(&name) => {
            let says_more =
                |word: &str| ["printf", "exec", "ok"].iter().any(|it| word.contains(it));
            !words().any(|word| word.starts_with('-') && says_more(word))
        }
        Some("rg") => true,
        // What `grep` is asked for is no part of what it prints.
        Some(name) if SEARCHING.contains(&name) => {
            return command.opaque.is_none()
                && !words().any(|word| word.starts_with("--label"))
                && is_source_plain(line, command);
        }
        Some(name) => CHOOSING.contains(&name),
        None => false,
    };
    let lists = lists && has_plain_words(line, command);
    lists && command.opaque.is_none() && is_source_plain(line, command)
}

/// Whether a command reads nothing but what other such commands print, or files whose names it prints.
fn is_source_plain(line: &CommandLine, command: &Command) -> bool {
    let program = line.program(command).unwrap_or_default();
    let reads = command.own_input.is_some() || command.enclosing_input.is_some();
    let piped = line.input(command);
    let is_flag = |flag: char| {
        let has =
            |text: &str| text.starts_with('-') && !text.starts_with("--") && text.contains(flag);
        line.words(command).iter().skip(1).any(|word| has(line.text(word)))
    };
    let names_files = match SEARCHING.contains(&program) {
        // What it prints of files is what stands in them.
        true => !piped.is_empty() || is_flag('l') || is_flag('L'),
        false => true,
    };
    let chooses = CHOOSING.contains(&program);
    // A file that is named is read in place of that.
    let has_file = line.words(command).iter().skip(1).any(|word| {
        let text = line.text(word);
        !word.is_process()
            && !text.starts_with('-')
            && !text.bytes().all(|byte| byte.is_ascii_digit())
    });
    let is_fed = !piped.is_empty() || line.words(command).iter().any(|word| word.is_process());
    !reads
        && names_files
        && piped.iter().all(|inner| prints_names(line, inner))
        && (!chooses || is_fed && !has_file)
}

/// Whether no word of a command holds a sign that means something to a shell.
fn has_plain_words(line: &CommandLine, command: &Command) -> bool {
    const SIGNS: &[char] = &['$', '`', ';', '|', '&', '<', '>', '(', ')', '"', '\'', '\\', '\n'];
    line.words(command).iter().all(|word| {
        let text = line.text(word);
        let is_bracket = matches!(text, "(" | ")");
        word.is_process() || is_bracket || !word.has_hole() && !text.contains(SIGNS)
    })
}

/// Whether a command makes no file whose name holds a sign of a shell.
fn is_plain(line: &CommandLine, command: &Command) -> bool {
    let writes = line.redirects(command).iter().any(|redirect| {
        let is_null = line.text(&line.target(redirect)) == "/dev/null";
        matches!(
            redirect.kind,
            RedirectKind::Write | RedirectKind::Append | RedirectKind::ReadWrite
        ) && !is_null
    });
    let is_beside = || {
        let is_known = |name: &str| name == "git" || BESIDE.contains(&name);
        line.program(command).is_some_and(is_known) && has_plain_words(line, command)
    };
    !writes && (!command.runs() || is_beside() || prints_names(line, command))
}
