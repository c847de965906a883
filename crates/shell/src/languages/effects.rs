//! Writes down what calls do as lines of shell. Knows effects and values, and neither tokens nor names.

use super::arguments::Arguments;
use super::calls::Effect;
use super::code::{Meant, Scan};
use super::language::Language;
use super::line::{self, Line};
use super::told::Told;
use super::value::Value;
use crate::hole::{COMPUTED, HOLE, LISTED, READ};

impl Scan<'_> {
    /// Writes down what a call does, once for each value that it may be given.
    pub fn write(&self, meant: Meant, arguments: &Arguments, found: &mut Vec<Line>) {
        let at = arguments.values.iter().position(|value| matches!(value, Value::Each(_)));
        let Some((at, Value::Each(values))) =
            at.and_then(|at| Some((at, arguments.values.get(at)?)))
        else {
            return self.write_one(meant, arguments, found);
        };
        for value in values {
            let mut one = arguments.clone();
            for (number, slot) in one.values.iter_mut().enumerate() {
                match (number == at, &slot) {
                    (true, _) => *slot = value.clone(),
                    (false, Value::Each(_)) => *slot = Value::Unknown,
                    (false, _) => {}
                }
            }
            self.write_one(meant, &one, found);
        }
    }

    fn write_one(&self, meant: Meant, arguments: &Arguments, found: &mut Vec<Line>) {
        let start = found.len();
        let renamed = arguments.with_own_program();
        let arguments = renamed.as_ref().unwrap_or(arguments);
        let first = arguments.values.first();
        match meant.effect {
            Effect::Statements => {
                // What it runs in may stand before the statement.
                let is_behind = self.language == Language::Go && first == Some(&Value::Unknown);
                let text = arguments.values.get(usize::from(is_behind));
                return text.into_iter().for_each(|text| self.statements.add(text));
            }
            Effect::DropsTables => {
                return self.statements.add(&Value::Text("drop table x".to_owned()));
            }
            _ => {}
        }
        let is_line = match meant.effect {
            Effect::Shell => true,
            // In Python and JavaScript this is a list, most often.
            Effect::ShellOrProgram => {
                let is_text = matches!(
                    self.language,
                    Language::Perl | Language::Ruby | Language::Php | Language::Java
                );
                arguments.is_shell || is_text && arguments.values.len() == 1
            }
            Effect::Program | Effect::ProgramAndList => arguments.is_shell,
            _ => false,
        };
        let is_opaque = match first {
            Some(Value::Text(text)) => !text.is_empty() && is_unknown(text) || begins_open(text),
            Some(Value::Unknown) => true,
            _ => false,
        };
        match is_line && is_opaque && (meant.is_certain || arguments.is_shell) {
            true => say(line::opaque(), found),
            false => write(self.language, meant.effect, arguments, found),
        }
        // What is given to a program to read, a shell runs.
        let mut lines = found.split_off(start);
        let runs = matches!(
            meant.effect,
            Effect::Shell | Effect::ShellOrProgram | Effect::Program | Effect::ProgramAndList
        );
        if runs {
            let set = match &arguments.environment {
                Some(Value::Object(fields)) => fields.as_slice(),
                Some(_) => &[],
                None => self.names.own_environment(),
            };
            lines.iter_mut().for_each(|line| set_for(set, line));
        }
        let is_script = self.language == Language::JavaScript && self.written.is_some();
        let given = match &arguments.input {
            Some(Value::Text(text)) => Some(text.clone()),
            Some(_) => Some(HOLE.to_string()),
            None if arguments.is_written_to && self.written.is_some() || is_script => {
                self.written.map(str::to_owned)
            }
            None => None,
        };
        if let Some(given) = given.filter(|_| runs) {
            let own = std::mem::take(&mut lines);
            own.iter().for_each(|line| piped(&given, &line.text, &mut lines));
        }
        let known = |directory: &&Value| directory.text().is_some_and(|text| !text.contains(HOLE));
        if let Some(directory) = arguments.directory.as_ref().filter(known).filter(|_| runs) {
            lines.iter_mut().for_each(|line| *line = inside(directory, line));
        }
        found.extend(lines);
    }
}

/// Sets variables for what a line runs, as far as they are constant.
fn set_for(variables: &[(String, Value)], line: &mut Line) {
    /// More of them are not set.
    const MAX: usize = 16;
    let is_name = |name: &str| {
        !name.starts_with(|first: char| first.is_ascii_digit())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let is_constant = |value: &Value| {
        value.text().is_some_and(|text| !text.contains([HOLE, LISTED, READ, COMPUTED]))
    };
    if *line == line::opaque() {
        return;
    }
    let own = variables
        .iter()
        .filter(|(name, value)| !name.is_empty() && is_name(name) && is_constant(value));
    let set: String =
        own.take(MAX).map(|(name, value)| format!("{name}={} ", quoted(value))).collect();
    line.text.insert_str(0, &set);
}

/// Writes down what a call does.
fn write(language: Language, effect: Effect, arguments: &Arguments, found: &mut Vec<Line>) {
    let Arguments {
        values,
        is_shell,
        is_recursive,
        is_in_place,
        has_unknown_settings,
        list,
        mode,
        ..
    } = arguments;
    let listed = match list {
        Some(list) if values.is_empty() => std::slice::from_ref(list),
        _ => values.as_slice(),
    };
    match (effect, listed) {
        (Effect::Shell, [Value::Told(told), ..]) => evaluated(*told, found),
        (Effect::ShellOrProgram, [Value::Told(told)]) if told.is_single() => {
            evaluated(*told, found)
        }
        (_, [Value::Told(told), ..]) if *is_shell => evaluated(*told, found),
        (Effect::Program | Effect::ShellOrProgram, words @ [Value::Told(_), ..]) => {
            program(words.iter(), found);
        }
        (Effect::ProgramAndWords, [first, Value::Told(told), ..]) => {
            program([first, &Value::Told(told.rest())].into_iter(), found);
        }
        (Effect::Shell, [Value::Text(line), ..]) => shell(line, found),
        (Effect::ShellOrProgram, [Value::Text(line)]) => shell(line, found),
        (_, [Value::Text(line), ..]) if *is_shell => shell(line, found),
        // What stands behind the line is what it is given.
        (Effect::ShellOrProgram, [Value::List(words)]) if *is_shell && words.len() > 1 => {
            let sh = ["sh", "-c"].map(|word| Value::Text(word.to_owned()));
            program(sh.iter().chain(words), found);
        }
        (Effect::Program | Effect::ShellOrProgram | Effect::Shell, [Value::List(words), ..]) => {
            program(words.iter(), found);
        }
        (Effect::Program | Effect::ShellOrProgram, words @ [Value::Text(_), ..]) => {
            program(words.iter(), found);
        }
        (Effect::ProgramBehind, [_, Value::Text(line)]) if line.contains(' ') => shell(line, found),
        (Effect::ProgramBehind, [_, words @ ..]) => program(words.iter(), found),
        (Effect::ProgramBehindTwo, [_, _, words @ ..])
        | (Effect::ProgramBehindThree, [_, _, _, words @ ..]) => match words {
            [Value::Text(line)] if is_unknown(line) => say(line::opaque(), found),
            [Value::Text(line)] => shell(line, found),
            words => program(words.iter(), found),
        },
        (Effect::ProgramAndList, [first, rest @ ..]) => {
            let list = rest.first().or(list.as_ref());
            let words = list.map_or(&[][..], |list| match list {
                Value::List(words) => words.as_slice(),
                other => std::slice::from_ref(other),
            });
            program(std::iter::once(first).chain(words), found);
        }
        (Effect::ProgramAndWords, [first, Value::List(words), ..]) => {
            program(std::iter::once(first).chain(words.iter().skip(1)), found);
        }
        (Effect::Pipe, [_, Value::Text(mode), rest @ ..]) => {
            let mode = mode.trim();
            let mut lines = Vec::new();
            match (mode, rest) {
                ("-|" | "|-", [Value::Text(line)]) => shell(line, &mut lines),
                ("-|" | "|-", words) => program(words.iter(), &mut lines),
                (_, []) => in_one(mode, &mut lines),
                (">" | ">>" | "+>" | "+>>" | "+<", [path, ..]) => {
                    files(">", [path], false, &mut lines)
                }
                ("<", [path, ..]) => files("<", [path], false, &mut lines),
                _ => {}
            }
            match mode.starts_with('|') {
                // What is written to it is not looked for.
                true => {
                    lines.iter().for_each(|line| piped(&HOLE.to_string(), &line.text, found));
                }
                false => found.extend(lines),
            }
        }
        (Effect::Script, [path @ Value::Text(text), ..]) if !is_unknown(text) => {
            if let Some(interpreter) = interpreter(language) {
                found.push(Line { text: format!("{interpreter} {}", quoted(path)) });
            }
        }
        (Effect::Module, [path @ Value::Text(text), ..]) if !is_unknown(text) => {
            found.push(Line { text: format!("python3 -m {}", quoted(path)) });
        }
        (Effect::DeleteTree, paths) => {
            let paths = paths.first().map_or(&[][..], Value::items);
            removed("rm -rf --", paths.iter(), true, found);
        }
        (Effect::DeleteMaybeTree, [first, ..]) if *is_recursive || *has_unknown_settings => {
            removed("rm -rf --", [first], true, found);
        }
        (Effect::Delete | Effect::DeleteMaybeTree, paths) => {
            removed("rm --", paths.iter().flat_map(Value::items), false, found);
        }
        (Effect::Move, [from, to, ..]) => files("mv --", [from, to], false, found),
        (Effect::Copy, [from, to, ..]) => files("cp --", [from, to], false, found),
        (Effect::CopyContent, [from, to, ..]) => files("cp -rT --", [from, to], false, found),
        (Effect::Edit, [path, rest @ ..]) if *is_in_place || !rest.is_empty() => {
            files("touch --", path.items(), false, found);
        }
        (Effect::Edit, [path]) => files("<", [path], false, found),
        (Effect::Empty, [path, rest @ ..]) => {
            files(">", [path], false, found);
            if matches!(rest, [] | [Value::Off])
                || matches!(rest, [Value::Text(size)] if size == "0")
            {
                emptied(path, found);
            }
        }
        (Effect::Write, [path, content, ..]) => wrote(path, content, found),
        (Effect::Write, [path]) => files(">", [path], false, found),
        (Effect::WriteSecond, [_, path, ..]) => files(">", [path], false, found),
        (Effect::Touch, [path, ..]) => files("touch --", path.items(), false, found),
        (Effect::TouchBehind, [_, paths @ ..]) => {
            files("touch --", paths.iter().flat_map(Value::items), false, found);
        }
        (Effect::Directory, [path, ..]) => files("mkdir -p --", path.items(), false, found),
        (Effect::Enter, [path @ Value::Text(text), ..]) if !is_unknown(text) => {
            files("cd --", [path], false, found);
        }
        (Effect::Link, [from, to, ..]) => files("ln -s --", [from, to], false, found),
        (Effect::Fill, [path, ..]) => files("tar -x -C", [path], false, found),
        (Effect::FillSecond, [_, path, ..]) => files("tar -x -C", [path], false, found),
        (Effect::Fill | Effect::FillSecond, _) => say(Line { text: "tar -x".to_owned() }, found),
        (Effect::Read, [path, ..]) => files("<", [path], false, found),
        (Effect::Open, [path, rest @ ..]) => {
            let mode = mode.as_ref().or(rest.first());
            let writes = match mode {
                Some(Value::Text(mode)) => mode.contains(['w', 'a', 'x', '+', '>']),
                Some(_) => return,
                None => false,
            };
            files(if writes { ">" } else { "<" }, [path], false, found);
        }
        _ => {}
    }
}

/// The program that runs a file of a language.
fn interpreter(language: Language) -> Option<&'static str> {
    match language {
        Language::Python => Some("python3"),
        Language::JavaScript => Some("node"),
        Language::Ruby => Some("ruby"),
        Language::Perl => Some("perl"),
        _ => None,
    }
}

/// What is opened where one text says how and what: `>file`, `command |`.
fn in_one(text: &str, found: &mut Vec<Line>) {
    let line = text.strip_prefix('|').or_else(|| text.strip_suffix('|'));
    if let Some(line) = line {
        return shell(line, found);
    }
    let path = text.trim_start_matches(['+', '>', '<']);
    let (how, path) = (text.len() - path.len(), path.trim());
    let writes = text.get(..how).is_some_and(|how| how.contains(['+', '>']));
    let path = Value::Text(path.to_owned());
    files(if writes { ">" } else { "<" }, [&path], false, found);
}

/// A client of a server that is given a value.
pub fn asks(before: &str, value: &Value, found: &mut Vec<Line>) {
    say(Line { text: format!("{before} {}", quoted(value)) }, found);
}

/// A file that is written, with what is written where that is constant.
pub fn wrote(path: &Value, content: &Value, found: &mut Vec<Line>) {
    const MAX: usize = 4_096;
    if matches!(content, Value::Text(text) if text.is_empty()) {
        emptied(path, found);
    }
    let is_constant =
        |text: &str| text.len() <= MAX && !text.contains([HOLE, LISTED, READ, COMPUTED]);
    match (path, content) {
        (Value::Text(name), Value::Text(text)) if is_constant(name) && is_constant(text) => {
            let name = quoted(path);
            let opened = format!("> {name}");
            // What was opened for it is written now.
            found.retain(|line| line.text != opened);
            let is_known = |line: &Line| line.text.ends_with(&opened);
            let how = if found.iter().any(is_known) { ">>" } else { ">" };
            let text = format!("printf '%s\\n' {} {how} {name}", quoted(content));
            found.push(Line { text });
        }
        _ => {
            let opened = format!("> {}", quoted(path));
            if !found.iter().any(|line| line.text == opened) {
                files(">", [path], false, found);
            }
        }
    }
}

/// Files that are deleted: those that are listed, as what `find` finds, and the others.
pub fn removed<'v>(
    before: &str,
    paths: impl IntoIterator<Item = &'v Value>,
    always: bool,
    found: &mut Vec<Line>,
) {
    let mut others = Vec::new();
    for path in paths {
        match path {
            Value::Text(text) if text.contains(LISTED) => found.push(listed(text)),
            other => others.push(other),
        }
    }
    files(before, others, always, found);
}

/// Files of which nothing is left, where a listing names them, each line that the code reads, or the code itself.
pub fn emptied(path: &Value, found: &mut Vec<Line>) {
    const EMPTY: &str = "truncate -s 0";
    match path {
        Value::Each(paths) => paths.iter().for_each(|path| emptied(path, found)),
        Value::Text(text) if text.contains(LISTED) => {
            let (top, which) =
                listing(text).unwrap_or_else(|| (format!("\"{HOLE}\""), String::new()));
            say(Line { text: format!("find {top} {which} -exec {EMPTY} {{}} +") }, found);
        }
        value if value.is_read() => files(&format!("{EMPTY} --"), [value], true, found),
        Value::Text(text) if !text.contains([HOLE, COMPUTED]) => {
            files(&format!("{EMPTY} --"), [path], false, found);
        }
        _ => {}
    }
}

/// The deletion of all files that a listing names.
fn listed(text: &str) -> Line {
    Line {
        text: match listing(text) {
            Some((top, which)) => format!("find {top} {which} -delete"),
            None => format!("rm -rf -- \"{HOLE}\""),
        },
    }
}

/// Where what a listing names is found, and how it is called, as words of `find`; `None` where nobody knows.
fn listing(text: &str) -> Option<(String, String)> {
    let (known, _) = text.split_once(LISTED).unwrap_or((text, ""));
    let top = known.rsplit_once('/').map(|(top, _)| if top.is_empty() { "/" } else { top });
    let top = Value::Text(top.unwrap_or(".").to_owned());
    if top.text().is_none() || known.trim_end_matches('/').ends_with(HOLE) && !known.contains('/') {
        return None;
    }
    let name = text.rsplit('/').next().unwrap_or_default().replace([LISTED, HOLE], "*");
    let all = name.bytes().all(|byte| byte == b'*');
    let which = match all {
        true => "-mindepth 1".to_owned(),
        false => format!("-name {}", quoted(&Value::Text(name))),
    };
    Some((quoted(&top), which))
}

/// A line that runs in a directory.
pub fn inside(directory: &Value, line: &Line) -> Line {
    Line { text: format!("cd {} && {}", quoted(directory), line.text) }
}

/// A command that reads a text.
pub fn piped(given: &str, command: &str, found: &mut Vec<Line>) {
    let mut lines = Vec::new();
    shell(command, &mut lines);
    for line in lines {
        let text =
            format!("printf '%s\\n' {} | {}", quoted(&Value::Text(given.to_owned())), line.text);
        found.push(Line { text });
    }
}

/// Whether nothing is known of a text.
pub fn is_unknown(text: &str) -> bool {
    !text.trim().is_empty()
        && text.chars().all(|character| {
            matches!(character, HOLE | LISTED | READ | COMPUTED) || character.is_whitespace()
        })
}

/// Whether a line for a shell begins with a program that is not known: of a path the name is enough.
fn begins_open(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    first.starts_with(HOLE) && !first.contains('/')
}

/// Says something once.
pub fn say(line: Line, found: &mut Vec<Line>) {
    if !found.contains(&line) {
        found.push(line);
    }
}

impl Value {
    /// What is in a list; a value alone is its only item.
    fn items(&self) -> &[Value] {
        match self {
            Self::List(items) => items,
            other => std::slice::from_ref(other),
        }
    }
}

/// A line for a shell, if its beginning is known.
pub fn shell(line: &str, found: &mut Vec<Line>) {
    if line.trim_start().starts_with(COMPUTED) {
        return say(line::opaque(), found);
    }
    if !line.trim_start().starts_with([HOLE, LISTED, READ]) && !line.trim().is_empty() {
        found.push(Line { text: line.replace([LISTED, READ], "\u{FDD0}") });
    }
}

/// A line for a shell; nobody can tell what runs where its beginning is not known.
pub fn asks_shell(line: &str, found: &mut Vec<Line>) {
    match is_unknown(line) || begins_open(line) {
        true => say(line::opaque(), found),
        false => shell(line, found),
    }
}

/// What a shell makes of words that the code is told.
fn evaluated(told: Told, found: &mut Vec<Line>) {
    found.push(Line { text: format!("eval {}", told.quoted()) });
}

/// So many values of one word are told apart.
const MAX_WORDS: usize = 16;

/// A program and its arguments, if it is known which.
pub fn program<'v>(words: impl Iterator<Item = &'v Value>, found: &mut Vec<Line>) {
    // A list among them is so many more.
    let words: Vec<&Value> = words.flat_map(Value::items).collect();
    let several = words.iter().enumerate().find_map(|(at, word)| match word {
        // What a loop gives a list, stands in it together.
        Value::Each(values) if values.iter().any(is_outer) => Some((at, values)),
        _ => None,
    });
    if let Some((at, values)) = several {
        for value in values.iter().take(MAX_WORDS) {
            let one = words.iter().enumerate();
            let one: Vec<&Value> =
                one.map(|(own, word)| if own == at { value } else { *word }).collect();
            words_of_program(one, found);
        }
        return;
    }
    words_of_program(words, found);
}

/// Whether a value comes from outside of the code.
fn is_outer(value: &Value) -> bool {
    matches!(value, Value::Unknown | Value::Told(_))
}

/// The same of words of which each is one.
fn words_of_program(words: Vec<&Value>, found: &mut Vec<Line>) {
    let words: Vec<String> = words.into_iter().map(quoted).collect();
    if words.first().is_some_and(|first| first.contains(COMPUTED)) {
        return say(line::opaque(), found);
    }
    let is_known = words.first().is_some_and(|first| !first.contains(HOLE));
    if is_known {
        found.push(Line { text: read(words.join(" "), false) });
    }
}

/// What a program does with files; `always` tells that it is worth saying even if nobody knows with which.
pub fn files<'v>(
    before: &str,
    paths: impl IntoIterator<Item = &'v Value>,
    always: bool,
    found: &mut Vec<Line>,
) {
    let paths: Vec<&Value> = paths.into_iter().collect();
    let is_known = |path: &&Value| {
        path.text().is_some() && !path.is_listed() || matches!(path, Value::Told(_))
    };
    if paths.is_empty() || !always && !paths.iter().any(is_known) {
        return;
    }
    // What is not known of several adds nothing to what is.
    let is_pair = ["mv", "cp", "ln"].iter().any(|pair| before.starts_with(pair));
    let is_single = paths.len() == 1 || is_pair;
    let paths = paths.into_iter().filter(|path| is_single || is_known(path));
    let words: Vec<String> = paths.map(quoted).collect();
    let text = format!("{before} {}", words.join(" "));
    let is_file = before.starts_with(['<', '>']) || before.starts_with("cd");
    found.push(Line {
        text: if is_file { text.replace(READ, "\u{FDD0}") } else { read(text, true) },
    });
}

/// A command as one that is run for each line of the input, where words of it come from there; `takes_all` says that it
/// is as good as one that is run with all of them.
fn read(line: String, takes_all: bool) -> String {
    let own = format!("'{READ}'");
    let before = line.strip_suffix(&own).filter(|before| takes_all && !before.contains(READ));
    match before {
        _ if !line.contains(READ) => line,
        Some(before) => format!("xargs {}", before.trim_end()),
        None => format!("xargs -I '{{}}' {}", line.replace(READ, "{}")),
    }
}

/// A value as one word of a shell.
fn quoted(value: &Value) -> String {
    let text = match value {
        Value::Told(told) => return told.quoted(),
        Value::Text(text) => text.replace(LISTED, "\u{FDD0}"),
        _ => return format!("\"{HOLE}\""),
    };
    let (home, rest) = match text.strip_prefix("~/") {
        Some(rest) => ("~/", rest),
        None if text == "~" => return "~".to_owned(),
        None => ("", text.as_str()),
    };
    if !rest.contains([HOLE, COMPUTED]) {
        return format!("{home}'{}'", rest.replace('\'', r"'\''"));
    }
    let mut out = format!("{home}\"");
    for character in rest.chars() {
        if matches!(character, '"' | '$' | '`' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out.push('"');
    out
}
