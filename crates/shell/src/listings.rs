//! Names that programs list for others which put them into a command line: `git ls-files | xargs -I{} sh -c 'wc -l {}'`. What
//! lists names prints names of files, in which no sign means anything to a shell, unless the line itself made such a file.

use super::{Command, CommandLine, Reach, RedirectKind};

/// So many commands of a line are looked at.
const MAX: usize = 256;

/// Programs that print names of files, or numbers.
const LISTING: [&str; 8] = ["ls", "find", "gfind", "fd", "fdfind", "seq", "nproc", "pwd"];

/// Whether a program prints nothing but some of the lines that it reads.
pub(super) fn is_filter_of_names(program: &str) -> bool {
    CHOOSING.contains(&program) || matches!(program, "grep" | "egrep" | "ggrep")
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
