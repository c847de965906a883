//! Which files a command line prints while it does nothing else: reading them, for an agent that has
//! no tool for it. In doubt a command does more than print.

use behavior_shell::{Command, CommandLine, Reach, RedirectKind, Word};

/// A file that is printed, and the program that does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Printed {
    pub(crate) path: String,
    pub(crate) program: &'static str,
}

/// A program that prints files.
struct Printer {
    name: &'static str,
    /// Its flags that take the next word as their value.
    valued: &'static [&'static str],
    /// Whether its first operand is a script.
    script: bool,
}

const fn printer(name: &'static str, valued: &'static [&'static str]) -> Printer {
    Printer { name, valued, script: false }
}

const BAT: &[&str] = &[
    "-r",
    "-l",
    "-H",
    "-m",
    "--line-range",
    "--language",
    "--style",
    "--theme",
    "--highlight-line",
];

/// The programs that print files.
const PRINTERS: &[Printer] = &[
    printer("cat", &[]),
    printer("head", &["-n", "-c", "--lines", "--bytes"]),
    printer("tail", &["-n", "-c", "--lines", "--bytes"]),
    printer("nl", &["-b", "-d", "-f", "-h", "-i", "-l", "-n", "-s", "-v", "-w"]),
    Printer { name: "sed", valued: &["-e", "--expression"], script: true },
    printer("less", &[]),
    printer("bat", BAT),
    printer("batcat", BAT),
];

/// Programs beside them that print no file and change nothing.
const HARMLESS: &[&str] = &["echo", "printf", "pwd", "true"];

/// Shells that run a text behind one of [`TEXT_FLAGS`].
const SHELLS: &[&str] = &["bash", "sh", "zsh"];
const TEXT_FLAGS: &[&str] = &["-c", "-lc", "-cl", "-ic"];

/// Longer lines are not looked into, in bytes: nobody writes so much to print a file.
const MAX_LENGTH: usize = 1 << 16;
/// The same of lines that may hold a patch.
const MAX_PATCH_LENGTH: usize = 1 << 22;

/// Of more files only so many count as read.
const MAX_FILES: usize = 256;

/// The files that a command line prints; none if it does anything else.
pub(crate) fn of_text(line: &str) -> Vec<Printed> {
    // Most lines have no such program in them; reading one takes longer than looking.
    if line.len() > MAX_LENGTH || !PRINTERS.iter().any(|printer| line.contains(printer.name)) {
        return Vec::new();
    }
    let mut read = CommandLine::default();
    read.read(line, None);
    of_line(&read, true)
}

/// The patch that a command line applies, where it is a constant.
pub(crate) fn patch_of_text(line: &str) -> Option<String> {
    if line.len() > MAX_PATCH_LENGTH
        || !line.contains("apply_patch") && !line.contains("applypatch")
    {
        return None;
    }
    let mut read = CommandLine::default();
    read.read(line, None);
    patch_of(&read, true)
}

fn patch_of(line: &CommandLine, outer: bool) -> Option<String> {
    if let Some(inner) = outer.then(|| shell_text(line)).flatten() {
        let mut read = CommandLine::default();
        read.read(&inner, None);
        return patch_of(&read, false);
    }
    let is_patch =
        |command: &&Command| matches!(line.program(command), Some("apply_patch" | "applypatch"));
    let command = line.commands().iter().find(is_patch)?;
    match line.words(command).get(1) {
        Some(word) => (!word.has_hole()).then(|| line.text(word).to_owned()),
        None => line.input_text(command).filter(|text| !text.is_empty()),
    }
}

fn of_line(line: &CommandLine, outer: bool) -> Vec<Printed> {
    if let Some(inner) = outer.then(|| shell_text(line)).flatten() {
        let mut read = CommandLine::default();
        read.read(&inner, None);
        return of_line(&read, false);
    }
    let mut printed = Vec::new();
    for command in line.commands() {
        if !is_plain(line, command) || !takes(line, command, &mut printed) {
            return Vec::new();
        }
    }
    printed.truncate(MAX_FILES);
    printed
}

/// The text of a line that is one shell with a constant text to run.
fn shell_text(line: &CommandLine) -> Option<String> {
    let [command] = line.commands() else { return None };
    let [_, flag, text] = line.words(command) else { return None };
    let is_shell = line.program(command).is_some_and(|program| SHELLS.contains(&program));
    let is_text = TEXT_FLAGS.contains(&line.text(flag)) && !text.has_hole();
    (is_shell && is_text && is_plain(line, command)).then(|| line.text(text).to_owned())
}

/// Whether a command stands in the line as it is, once, and writes and reads no other file.
fn is_plain(line: &CommandLine, command: &Command) -> bool {
    let listed = matches!(command.reach, Reach::List | Reach::Pipe);
    let reads = line
        .redirects(command)
        .iter()
        .any(|redirect| matches!(redirect.kind, RedirectKind::Read | RedirectKind::HereDocument));
    listed
        && command.runs()
        && command.opaque.is_none()
        && !command.in_loop
        && !command.more
        && !line.writes_files(command)
        && !reads
}

/// Adds the files that a command prints; `false` if it may do anything else.
fn takes(line: &CommandLine, command: &Command, printed: &mut Vec<Printed>) -> bool {
    let Some(name) = line.program(command) else { return false };
    if HARMLESS.contains(&name) {
        return true;
    }
    let Some(printer) = PRINTERS.iter().find(|printer| printer.name == name) else {
        return false;
    };
    let words = line.words(command).get(1..).unwrap_or_default();
    let Some(operands) = operands(line, words, printer) else { return false };
    printed.extend(operands.into_iter().filter_map(|word| {
        let text = line.text(word);
        let is_file = !word.has_hole() && !word.is_glob() && !text.is_empty() && text != "-";
        is_file.then(|| Printed { path: text.to_owned(), program: printer.name })
    }));
    true
}

/// The words of a printer that are files; `None` if it may do more than print them.
fn operands<'w>(line: &CommandLine, words: &'w [Word], printer: &Printer) -> Option<Vec<&'w Word>> {
    let mut operands = Vec::new();
    let mut words = words.iter();
    let (mut quiet, mut scripts) = (false, 0);
    let mut only_operands = false;
    while let Some(word) = words.next() {
        let text = line.text(word);
        if word.may_be_flag() {
            return None;
        }
        if only_operands || text == "-" || !text.starts_with('-') {
            // `+N` is a place to start at.
            let is_place = text.starts_with('+') && matches!(printer.name, "less" | "tail");
            operands.extend((!is_place).then_some(word));
        } else if text == "--" {
            only_operands = true;
        } else if printer.valued.contains(&text) {
            let value = words.next()?;
            if printer.script {
                only_prints(line.text(value)).then_some(())?;
                scripts += 1;
            }
        } else if printer.script {
            quiet |= is_quiet(text)?;
        }
    }
    if !printer.script {
        return Some(operands);
    }
    if scripts == 0 {
        let script = (!operands.is_empty()).then(|| operands.remove(0))?;
        (!script.has_hole() && only_prints(line.text(script))).then_some(())?;
    }
    quiet.then_some(operands)
}

/// Whether a flag of `sed` keeps it quiet; `None` if it may do more than print.
fn is_quiet(flag: &str) -> Option<bool> {
    match flag {
        "--quiet" | "--silent" | "-n" | "-nE" | "-En" | "-nr" | "-rn" => Some(true),
        "-E" | "-r" | "-s" | "-u" | "--regexp-extended" => Some(false),
        _ => None,
    }
}

/// Whether a script of `sed` prints lines by their numbers, and does nothing else.
fn only_prints(script: &str) -> bool {
    script.contains('p')
        && script.chars().all(|sign| {
            sign.is_ascii_digit()
                || matches!(sign, ',' | '$' | 'p' | ';' | '+' | '~' | ' ' | '!' | '=')
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expect: &[&str]) {
        let paths: Vec<String> = of_text(line).into_iter().map(|printed| printed.path).collect();
        assert_eq!(paths, expect, "{line}");
    }

    #[test]
    fn files_that_are_only_printed_are_read() {
        check("cat README.md", &["README.md"]);
        check("cat -A 'a b' c", &["a b", "c"]);
        check("head -n 20 a.rs", &["a.rs"]);
        check("head -20 a.rs", &["a.rs"]);
        check("tail -n +5 a.rs", &["a.rs"]);
        check("tail +5 a.rs", &["a.rs"]);
        check("nl -ba src/main.rs | sed -n '1,200p'", &["src/main.rs"]);
        check("nl -b a src/main.rs", &["src/main.rs"]);
        check("sed -n '1,120p' src/main.rs", &["src/main.rs"]);
        check("sed -n -e 1,3p -e '$p' x", &["x"]);
        check("less +10 a", &["a"]);
        check("bat -r 1:20 --style=plain a", &["a"]);
        check("cat a && echo --- && /bin/cat b 2>/dev/null", &["a", "b"]);
        check("bash -lc 'sed -n 1,5p x | head'", &["x"]);
    }

    #[test]
    fn what_does_more_or_is_not_known_is_no_reading() {
        check("cat a > b", &[]);
        check("cat <<EOF\nx\nEOF", &[]);
        check("cat < a", &[]);
        check("cat a | sh", &[]);
        check("cat a; rm a", &[]);
        check("cd x && cat a", &[]);
        check("sed -i 's/a/b/' x", &[]);
        check("sed 's/a/b/' x", &[]);
        check("sed -n 's/a/b/w y' x", &[]);
        check("sed -n '1,5w y' x", &[]);
        check("cat $FILE", &[]);
        check("cat *.rs", &[]);
        check("cat", &[]);
        check("cat -", &[]);
        check("for f in a b; do cat $f; done", &[]);
        check("echo 'cat a'", &[]);
        check("sudo cat a", &[]);
        check("cat 'unclosed", &[]);
        check("grep x concat", &[]);
    }

    #[test]
    fn a_patch_in_a_command_is_found() {
        let check = |line: &str, expect: Option<&str>| {
            assert_eq!(patch_of_text(line).as_deref(), expect, "{line}");
        };
        check("apply_patch '*** Begin'", Some("*** Begin"));
        check("cd a && apply_patch <<'EOF'\n*** Begin\nEOF\n", Some("*** Begin\n"));
        check("bash -lc \"apply_patch 'x'\"", Some("x"));
        check("apply_patch \"$PATCH\"", None);
        check("echo apply_patch", None);
    }
}
