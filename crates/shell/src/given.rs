//! What a command is given to read: a here-document, a here-string, what `echo` writes into a pipe.

use std::ops::Range;

use super::hole::{HOLE, MADE};
use super::{
    Command, CommandLine, MAX_DEPTH, Redirect, RedirectKind, Word, data, filters, lists, written,
};

/// What a command reads from its input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Nothing that the line tells of.
    Nothing,
    /// This text, perhaps with holes.
    Text(String),
    /// Something that the line does not hold.
    Unknown,
}

impl CommandLine {
    /// The text that a command reads from its input: of a here-document, a here-string, or what
    /// `echo` writes into a pipe, with a [`HOLE`] for each piece that is not known. Empty when there
    /// is none, `None` when the line does not hold it.
    #[must_use]
    pub fn input_text(&self, command: &Command) -> Option<String> {
        match input(self, command) {
            Input::Nothing => Some(String::new()),
            Input::Text(text) => Some(text),
            Input::Unknown => None,
        }
    }

    /// The text that a redirection gives to read, where it is constant.
    pub(super) fn constant_target(
        &self,
        redirect: &Redirect,
        holder: Option<u32>,
    ) -> Option<String> {
        let word = self.target(redirect);
        match redirect.kind {
            RedirectKind::HereString if !word.has_hole() => Some(self.text(&word).to_owned()),
            RedirectKind::Read if word.is_process() => written::process(self, holder, word),
            _ => None,
        }
    }
}

/// Where the input of several commands comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// From the commands before them in a pipe.
    Pipe(Range<u32>),
    /// From the redirection of a compound command around them.
    Around(u32),
}

/// Where a command's input comes from, unless from a redirection of its own.
pub fn source(line: &CommandLine, command: &Command) -> Option<Source> {
    if line.redirects(command).iter().any(Redirect::reads) {
        return None;
    }
    if !command.input.is_empty() {
        return Some(Source::Pipe(command.input.clone()));
    }
    command.enclosing_input.map(Source::Around)
}

/// What a command reads from its input.
pub fn input(line: &CommandLine, command: &Command) -> Input {
    if let Some(list) = lists::told(line, command) {
        let text = Some(list).filter(|list| lists::holds_still(line, command, list));
        let text = text.and_then(|list| file(line, line.text(&list), 0));
        return text.map_or(Input::Unknown, Input::Text);
    }
    match line.may_be_changed_list(command) {
        true => Input::Unknown,
        false => input_through(line, command, 0),
    }
}

/// What stands in a file that a loop reads line by line, behind the commands of the line so far.
pub(super) fn list(line: &CommandLine, command: &Command, word: &Word) -> Option<String> {
    let is_known = lists::holds_still(line, command, word);
    is_known.then(|| file(line, line.text(word), 0))?
}

/// What a command writes to its output.
pub(super) fn output(line: &CommandLine, command: &Command) -> Input {
    written(line, std::iter::once(command), 0)
}

/// What a command writes into a file, without a look at what stands in other files.
pub(super) fn output_to_file(line: &CommandLine, command: &Command) -> Input {
    written(line, std::iter::once(command), IN_FILE)
}

/// What a command reads that writes it into a file, without a look at what stands in other files.
pub(super) fn input_to_file(line: &CommandLine, command: &Command) -> Input {
    input_through(line, command, IN_FILE)
}

/// Files are looked into as long as a line's commands times its text are less, in bytes.
const MAX_READ: usize = 1 << 22;

/// From this depth on nothing is known of files, which may be written from each other.
const IN_FILE: u32 = 1;

/// The part of it that the line holds.
pub(super) fn known_input(line: &CommandLine, command: &Command) -> String {
    match input(line, command) {
        Input::Text(text) => text,
        Input::Nothing => String::new(),
        Input::Unknown => {
            let known = |command: &Command| match output(line, command) {
                Input::Text(text) => Some(text),
                _ => None,
            };
            line.input(command).iter().filter_map(known).collect()
        }
    }
}

/// What commands write into a pipe, where it is constant.
pub(super) fn constant_output(line: &CommandLine, commands: &[Command]) -> Option<String> {
    let commands: Vec<&Command> = commands.iter().collect();
    match written_together(line, &commands) {
        Input::Text(text) => Some(text),
        _ => None,
    }
}

/// What commands of a list write together; those that another of them reads write for that alone.
pub(super) fn written_together<'l>(line: &'l CommandLine, commands: &[&'l Command]) -> Input {
    written_together_through(line, commands, 0)
}

/// The same of what they write into a file.
pub(super) fn written_to_file<'l>(line: &'l CommandLine, commands: &[&'l Command]) -> Input {
    written_together_through(line, commands, IN_FILE)
}

fn written_together_through<'l>(
    line: &'l CommandLine,
    commands: &[&'l Command],
    depth: u32,
) -> Input {
    const MAX: usize = 32;
    if commands.len() > MAX {
        return Input::Unknown;
    }
    let is_read = |command: &Command| {
        commands
            .iter()
            .any(|other| line.input(other).iter().any(|read| std::ptr::eq(read, command)))
    };
    written(line, commands.iter().copied().filter(|command| !is_read(command)), depth)
}

/// The same behind so many programs that write what they read.
fn input_through(line: &CommandLine, command: &Command, depth: u32) -> Input {
    let own = line.redirects(command).iter().rev().find_map(|redirect| read(line, redirect, depth));
    if let Some(input) = own {
        return input;
    }
    if !command.input.is_empty() {
        return written(line, line.input(command).iter(), depth);
    }
    let nothing = if command.input_unknown { Input::Unknown } else { Input::Nothing };
    line.enclosing_input(command)
        .and_then(|redirect| read(line, redirect, depth))
        .unwrap_or(nothing)
}

/// What a redirection gives to read; `None` when it gives nothing.
fn read(line: &CommandLine, redirect: &Redirect, depth: u32) -> Option<Input> {
    match redirect.kind {
        RedirectKind::HereDocument | RedirectKind::HereString => {
            let word = line.target(redirect);
            Some(match word.may_be_other() {
                true => Input::Unknown,
                false => Input::Text(line.text(&word).to_owned()),
            })
        }
        RedirectKind::Read | RedirectKind::ReadWrite => {
            Some(match line.text(&line.target(redirect)) {
                "/dev/null" => Input::Nothing,
                path => file(line, path, depth).map_or(Input::Unknown, Input::Text),
            })
        }
        _ => None,
    }
}

/// What stands in a file that the line writes, where all of it is known.
fn file(line: &CommandLine, path: &str, depth: u32) -> Option<String> {
    if depth >= IN_FILE {
        return None;
    }
    if !written::may_write(line, path) {
        return script(line, path);
    }
    // Where many commands read much, nobody looks what it is.
    if line.commands.len().saturating_mul(line.text.len()) > MAX_READ {
        return Some(HOLE.to_string());
    }
    let file = written::file(line, path, line.commands.len());
    file.filter(|file| !file.is_open && !file.is_doubtful).map(|file| file.text)
}

/// What stands in the files that a command names, where the line writes all of them.
fn files(line: &CommandLine, command: &Command) -> Option<String> {
    let named = operands(line, command)?;
    let texts: Option<Vec<String>> = named
        .into_iter()
        .map(|path| match path {
            "-" => match input(line, command) {
                Input::Text(text) => Some(text),
                _ => None,
            },
            path => file(line, path, 0),
        })
        .collect();
    texts.map(|texts| texts.concat())
}

/// What commands write, where it is constant.
fn written<'l>(
    line: &'l CommandLine,
    commands: impl Iterator<Item = &'l Command> + Clone,
    depth: u32,
) -> Input {
    let mut text = String::new();
    // `$(< file)` is what stands in the file.
    let is_file = |command: &Command| {
        let mut redirects = line.redirects(command).iter();
        !command.runs() && redirects.any(|redirect| redirect.kind == RedirectKind::Read)
    };
    if commands.clone().any(is_file) {
        let is_alone = commands.clone().nth(1).is_none();
        let text = commands.filter(|_| is_alone).find_map(|command| script_read(line, command));
        return text.map_or(Input::Unknown, Input::Text);
    }
    let commands = commands.filter(|command| command.runs());
    // The first of several that read the same input leaves nothing for the others.
    let is_alone = commands.clone().nth(1).is_none() && depth < MAX_DEPTH;
    for command in commands {
        let known = match line.program(command) {
            Some("cat") if line.words(command).len() > 1 && depth < IN_FILE => files(line, command),
            Some(":" | "true" | "false") => Some(String::new()),
            Some("echo") => echo(line, command),
            Some("ls") => named(line, command),
            Some("jq" | "yq") => looked_up(line, command),
            Some("printf") => printf(line, command),
            Some(
                name @ ("cat" | "base64" | "rev" | "tac" | "tr" | "xxd" | "openssl" | "sed"
                | "gsed"),
            ) if is_alone => match input_through(line, command, depth + 1) {
                Input::Text(text) => {
                    operands(line, command).and_then(|words| filters::apply(name, &words, &text))
                }
                _ => None,
            },
            // What it writes into files, it passes on.
            Some("tee") if is_alone => match input_through(line, command, depth + 1) {
                Input::Text(text) => Some(text),
                _ => None,
            },
            // Another program may be meant, or another text stand beside.
            Some("mktemp" | "tempfile") if is_alone && !line.changes_path() => {
                mktemp(line, command)
            }
            Some("dirname") => operands(line, command).and_then(|words| match words[..] {
                [path] if !path.ends_with('/') && !path.contains(HOLE) => {
                    let (folder, _) = path.rsplit_once('/')?;
                    (!folder.is_empty() && !folder.ends_with('/')).then(|| format!("{folder}\n"))
                }
                _ => None,
            }),
            // Where a program is, as good as its name.
            Some("which") => operands(line, command).map(|words| words.concat()),
            Some("command" | "type") => operands(line, command).and_then(|words| match words[..] {
                ["-v" | "-p" | "-P", name] => Some(name.to_owned()),
                _ => None,
            }),
            _ => None,
        };
        match known {
            Some(known) if text.len() + known.len() <= line.limit => text.push_str(&known),
            _ => return Input::Unknown,
        }
    }
    Input::Text(text)
}

/// `ls -d a b`: the names as they stand there, if they are there at all.
fn named(line: &CommandLine, command: &Command) -> Option<String> {
    let words = line.words(command).get(1..)?;
    let is_constant = |word: &Word| !word.has_hole() && !word.is_glob() && word.stands_for == 0;
    let is_flag = |word: &&Word| line.text(word).starts_with('-');
    let mut flags = words.iter().filter(is_flag).map(|flag| line.text(flag));
    let names = || words.iter().filter(|word| !is_flag(word));
    let lists_names = flags.clone().any(|flag| flag.contains('d'))
        && flags.all(|flag| matches!(flag, "-d" | "-1" | "-1d" | "-d1"));
    let is_known = lists_names && names().next().is_some() && names().all(is_constant);
    is_known.then(|| names().map(|word| format!("{}\n", line.text(word))).collect())
}

/// `jq -r .out c.json`: one text of a file of which all is known.
fn looked_up(line: &CommandLine, command: &Command) -> Option<String> {
    let mut operands = operands(line, command)?;
    operands.retain(|word| !matches!(*word, "-r" | "-er" | "-re" | "-e" | "--raw-output"));
    let [filter, path] = operands[..] else { return None };
    let keys: Vec<&str> = filter.strip_prefix('.')?.split('.').collect();
    let text = file(line, path, 0)?;
    data::read(path, &text)?.text_at(&keys).map(|text| format!("{text}\n"))
}

/// What stands in a script that somebody looked up and that nothing else than a redirection names: `$(< file)`.
fn script_read(line: &CommandLine, command: &Command) -> Option<String> {
    match line.redirects(command) {
        [redirect] => script(line, line.text(&line.target(redirect))),
        _ => None,
    }
}

/// What stands in a script that somebody looked up and the line does not write.
fn script(line: &CommandLine, path: &str) -> Option<String> {
    let text = line.script(path).filter(|_| !written::may_write(line, path));
    text.map(str::to_owned)
}

/// Whether all that a command shows are such scripts.
fn shows_scripts(line: &CommandLine, command: &Command) -> bool {
    let mut files = line.words(command).iter().skip(1);
    files.len() > 0 && files.all(|file| script(line, line.text(file)).is_some())
}

/// What commands put into a word.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Substituted {
    /// This text.
    Text(String),
    /// A name or a path that nobody knows: one word, and no flag.
    Name,
    /// A number, or another text without a slash.
    Number,
    /// The name of the branch that is checked out.
    Branch,
    /// The name or the number of the user whose shell it is.
    User,
    /// Nobody knows.
    Unknown,
}

/// What commands put into a word, as far as one can read it off. Those that stand in words of theirs have another
/// parent.
pub(super) fn substituted(
    line: &CommandLine,
    commands: &[Command],
    parent: Option<u32>,
) -> Substituted {
    // What a file holds that the line writes depends on when it does.
    let is_read = |command: &Command| match line.program(command) {
        Some("cat") => !shows_scripts(line, command),
        Some("jq" | "yq") => {
            let file = line.words(command).last();
            file.is_none_or(|file| script(line, line.text(file)).is_none())
        }
        _ => false,
    };
    let mut reads = commands.iter().map(is_read);
    let own: Vec<&Command> = commands.iter().filter(|command| command.parent == parent).collect();
    if let [command] = own[..]
        && prints_branch(line, command)
    {
        return Substituted::Branch;
    }
    if let [command] = own[..]
        && prints_name(line, command)
    {
        let is_group = || line.words(command).get(1).is_some_and(|word| line.text(word) == "-g");
        let is_number = match line.program(command) {
            Some("whoami") => return Substituted::User,
            Some("id") if !is_group() => return Substituted::User,
            Some("date" | "nproc" | "id" | "uuidgen" | "hostname") => true,
            Some("git") => {
                let words = line.words(command).iter().skip(1);
                let words: Vec<&str> = words.map(|word| line.text(word)).collect();
                matches!(
                    words[..],
                    ["rev-parse", "HEAD"]
                        | ["rev-parse", "--short" | "--verify", "HEAD"]
                        | ["rev-list", "--count", _]
                )
            }
            _ => false,
        };
        return if is_number { Substituted::Number } else { Substituted::Name };
    }
    if prints_place(line, &own) {
        return Substituted::Name;
    }
    // One of several, where the first may be unable to: either is as good.
    let makes = |command: &&Command| line.program(command) == Some("mktemp");
    let own = match own[..] {
        [first, ..] if own.iter().all(makes) => vec![first],
        _ => own,
    };
    match written_together(line, &own) {
        Input::Text(text) if !commands.is_empty() && !reads.any(|reads| reads) => {
            Substituted::Text(text)
        }
        _ => Substituted::Unknown,
    }
}

/// Whether a command prints the name of the branch that is checked out. Sources: the manuals of git.
fn prints_branch(line: &CommandLine, command: &Command) -> bool {
    let words: Vec<&str> = line.words(command).iter().map(|word| line.text(word)).collect();
    line.program(command) == Some("git")
        && matches!(
            words.get(1..),
            Some(
                ["branch", "--show-current"]
                    | ["rev-parse", "--abbrev-ref", "HEAD" | "@"]
                    | ["symbolic-ref", "--short", "HEAD"]
                    | ["symbolic-ref", "--short", "-q", "HEAD"]
            )
        )
}

/// What prints one name, number or path that no file of the project chooses: a program, the words behind it, and
/// whether more may follow. Sources: the manuals of the programs.
const PRINT_NAMES: &[(&str, &[&str], bool)] = &[
    ("git", &["rev-parse"], true),
    ("git", &["merge-base"], true),
    ("git", &["hash-object"], true),
    ("git", &["write-tree"], true),
    ("git", &["commit-tree"], true),
    ("git", &["mktree"], true),
    ("git", &["stash", "create"], false),
    ("git", &["branch", "--show-current"], false),
    ("git", &["rev-list", "--count"], true),
    ("go", &["env"], true),
    ("npm", &["root"], true),
    ("npm", &["prefix"], true),
    ("brew", &["--prefix"], true),
    ("xcrun", &["--show-sdk-path"], true),
    ("rustc", &["--print", "sysroot"], false),
    ("xcode-select", &["-p"], false),
    ("pwd", &[], true),
    ("realpath", &[], true),
    ("readlink", &["-f"], true),
    ("nproc", &[], false),
    ("uname", &[], true),
    ("whoami", &[], false),
    ("hostname", &[], false),
    ("id", &["-u"], false),
    ("id", &["-g"], false),
    ("id", &["-un"], false),
    ("uuidgen", &[], false),
];

/// Whether commands print where a change of directory leads to: `cd DIRECTORY && pwd`.
fn prints_place(line: &CommandLine, commands: &[&Command]) -> bool {
    let Some((last, before)) = commands.split_last() else { return false };
    let is = |command: &Command, name: &str| {
        line.program(command) == Some(name) && command.opaque.is_none()
    };
    is(last, "pwd") && !before.is_empty() && before.iter().all(|command| is(command, "cd"))
}

fn prints_name(line: &CommandLine, command: &Command) -> bool {
    let words = line.words(command);
    let text = |at: usize| words.get(at).map(|word| line.text(word));
    // Where git looks for its repository says nothing of what it prints.
    let from = match (text(0), text(1)) {
        (Some("git"), Some("-C")) => 2,
        _ => 0,
    };
    if text(0) == Some("date") && words.len() > 1 && command.opaque.is_none() {
        return words.iter().skip(1).all(|word| is_plain_date(line.text(word)));
    }
    PRINT_NAMES.iter().any(|(program, known, has_more)| {
        let mut wanted = known.iter().enumerate();
        text(0) == Some(program)
            && command.opaque.is_none()
            && (*has_more || words.len() == from + known.len() + 1)
            && wanted.all(|(at, word)| text(from + at + 1) == Some(word))
    })
}

/// Whether a word makes `date` print a number, or digits with signs between them that mean nothing to a shell.
fn is_plain_date(word: &str) -> bool {
    const LETTERS: &str = "YymdHMSsNjFUVuIZ";
    let Some(format) = word.strip_prefix('+') else { return matches!(word, "-u" | "--utc") };
    let mut signs = format.chars();
    while let Some(sign) = signs.next() {
        let is_known = match sign {
            '%' => signs.next().is_some_and(|letter| LETTERS.contains(letter)),
            sign => sign.is_ascii_alphanumeric() || "-_.".contains(sign),
        };
        if !is_known {
            return false;
        }
    }
    true
}

fn operands<'l>(line: &'l CommandLine, command: &Command) -> Option<Vec<&'l str>> {
    let words = line.words(command).get(1..)?;
    let known = words.iter().all(|word| !word.may_be_flag() && !word.may_be_other());
    known.then(|| words.iter().map(|word| line.text(word)).collect())
}

/// The name of what `mktemp` makes: a file or directory that nobody else has, and so as good as any of its kind.
fn mktemp(line: &CommandLine, command: &Command) -> Option<String> {
    const NAME: &str = "mktemp.new";
    let made = |name: &str| format!("{name}{MADE}");
    let is_short = |word: &str, last: char| {
        word.starts_with('-') && !word.starts_with("--") && word.ends_with(last)
    };
    let mut folder = "/tmp";
    let mut template = None;
    let mut words = line.words(command).iter().skip(1).map(|word| line.text(word));
    while let Some(word) = words.next() {
        match word {
            word if is_short(word, 'p') => folder = words.next()?,
            word if is_short(word, 't') => template = words.next(),
            word if word.starts_with("--tmpdir=") => folder = word.strip_prefix("--tmpdir=")?,
            word if word.starts_with('-') => {}
            word => {
                // A template of its own lies where it says.
                folder = if folder == "/tmp" { "" } else { folder };
                template = Some(word);
            }
        }
    }
    let name = template.map_or_else(|| made(NAME), |template| made(&template.replace('X', "n")));
    let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
    Some(path + "\n")
}

fn echo(line: &CommandLine, command: &Command) -> Option<String> {
    let words = operands(line, command)?;
    let is_flag = |word: &&str| {
        word.strip_prefix('-').is_some_and(|letters| {
            !letters.is_empty() && letters.bytes().all(|byte| matches!(byte, b'n' | b'e' | b'E'))
        })
    };
    let flags = words.iter().take_while(|word| is_flag(word)).count();
    let escapes = words.iter().take(flags).any(|word| word.contains('e'));
    let is_open = words.iter().take(flags).any(|word| word.contains('n'));
    let text = words.get(flags..).unwrap_or_default().join(" ");
    let text = if escapes { unescape(&text)? } else { text };
    Some(if is_open { text } else { text + "\n" })
}

fn printf(line: &CommandLine, command: &Command) -> Option<String> {
    printed(&operands(line, command)?)
}

/// What `printf` makes of its words.
pub(super) fn printed(words: &[&str]) -> Option<String> {
    let words = words.strip_prefix(&["--"]).unwrap_or(words);
    let (format, values) = words.split_first()?;
    match *format {
        "%s" => Some(values.concat()),
        "%s\\n" => Some(values.iter().map(|value| format!("{value}\n")).collect()),
        format if !format.contains('%') => unescape(format),
        format => formatted(format, values),
    }
}

/// A format used as often as there are values for it.
fn formatted(format: &str, values: &[&str]) -> Option<String> {
    const MAX: usize = 64;
    let mut parts = format.split('%');
    let first = unescape(parts.next()?)?;
    // Each part but the first begins with the letter of its directive.
    let parts: Vec<String> = parts
        .map(|part| part.strip_prefix(['s', 'd', 'q']).and_then(unescape))
        .collect::<Option<_>>()?;
    let mut text = String::new();
    let mut values = values.iter().take(MAX).peekable();
    loop {
        text.push_str(&first);
        for part in &parts {
            text.push_str(values.next().copied().unwrap_or_default());
            text.push_str(part);
        }
        if values.peek().is_none() || parts.is_empty() {
            return Some(text);
        }
    }
}

/// The character of a code in digits, one of ASCII.
fn code(characters: &mut std::str::Chars<'_>, radix: u32, most: usize) -> Option<char> {
    let code = code_from(0, characters, radix, most)?;
    char::from_u32(code).filter(|sign| sign.is_ascii() && *sign != '\0')
}

fn code_from(
    first: u32,
    characters: &mut std::str::Chars<'_>,
    radix: u32,
    most: usize,
) -> Option<u32> {
    let mut code = first;
    for _ in 0..most {
        let Some(digit) = characters.clone().next().and_then(|c| c.to_digit(radix)) else { break };
        code = code * radix + digit;
        characters.next();
    }
    Some(code)
}

/// The few escapes that are common; `None` for others.
fn unescape(text: &str) -> Option<String> {
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            result.push(character);
            continue;
        }
        result.push(match characters.next()? {
            'n' => '\n',
            't' => '\t',
            '\\' => '\\',
            '"' => '"',
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'r' => '\r',
            'v' => '\u{b}',
            'e' => '\u{1b}',
            'x' => code(&mut characters, 16, 2)?,
            digit @ '0'..='7' => {
                let first = digit.to_digit(8)?;
                // `\0` may stand before three digits.
                let more = if first == 0 { 3 } else { 2 };
                let rest = code_from(first, &mut characters, 8, more)?;
                char::from_u32(rest).filter(|sign| sign.is_ascii() && *sign != '\0')?
            }
            _ => return None,
        });
    }
    Some(result)
}
