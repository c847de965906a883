//! The command line that a call of a server's tool comes to: such tools are given a program and its arguments apart, a list
//! of lines, code of a language, a statement for a database, or say by their name what they do. Knows no server by name.

use serde_json::Value as Tree;

use super::named;
use super::quote::{joined, quoted};
use super::runs::{COMMAND_PARAMS, Language, Runs, is_named};
use crate::value::ValueRef;

/// Calls what it is given with each parameter of a call: its name and what it holds.
pub type EachParam<'f> = &'f dyn Fn(&mut dyn FnMut(&str, ValueRef<'_>));

/// Objects in parameters are looked into so deep.
const MAX_DEPTH: u32 = 5;

/// No more lines of one call are looked at, and no more words of one list.
const MAX_ITEMS: usize = 256;

/// What a parameter is, by its name without signs between its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// A command line, or its words.
    Line,
    /// Several command lines.
    Lines,
    /// The program alone.
    Program,
    /// What a program is given.
    Arguments,
    /// A script, of a shell where nothing else is said.
    Script,
    /// Code of a language, in which nobody may have said.
    Code,
    /// What is typed into a terminal or a running program.
    Typed,
    /// What is typed into a terminal, whatever the tool is called.
    Keys,
    /// A statement for a database.
    Statement,
    /// The same where the tool is one of a database.
    Query,
    /// In which language a script is written.
    Language,
    Other,
}

/// Names of parameters. Sources: the schemas of servers that run commands, code and statements, whose parameters have
/// these names or several words of them.
const SORTS: &[(Sort, &[&str])] = &[
    (
        Sort::Line,
        &[
            "command",
            "cmd",
            "commandline",
            "cmdline",
            "commandstring",
            "cmdstring",
            "commandtext",
            "shellcommand",
            "bashcommand",
            "bash",
            "argv",
            "fullcommand",
            "rawcommand",
            "commandtoexecute",
            "commandtorun",
            "clicommand",
            "awscommand",
            "kubectlcommand",
            "gitcommand",
        ],
    ),
    (Sort::Lines, &["commands", "cmds", "commandlines", "shellcommands"]),
    (Sort::Program, &["program", "executable", "exe", "binary", "executablepath", "programpath"]),
    (Sort::Arguments, &["args", "arguments", "argumentlist", "commandargs", "cmdargs", "arglist"]),
    (Sort::Script, &["script", "scripttext", "scriptcontent"]),
    (
        Sort::Code,
        &["code", "source", "sourcecode", "snippet", "cell", "codeblock", "cellsource", "cellcode"],
    ),
    (Sort::Typed, &["input", "text", "data", "characters", "stdin"]),
    (
        Sort::Keys,
        &[
            "keys",
            "keystrokes",
            "chars",
            "line",
            "sendsequence",
            "sequence",
            "keysequence",
            "sendkeys",
        ],
    ),
    (Sort::Statement, &["sql", "sqlquery", "sqlstatement", "sqltext", "sqlcommand", "rawsql"]),
    (Sort::Query, &["query", "queries", "statement", "statements"]),
    (Sort::Language, &["language", "lang", "interpreter", "runtime", "kernel", "shell"]),
];

/// What the names of a call's parameters say of the command line that it comes to: looked up once for each name, since
/// most say nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints(u8);

impl Hints {
    /// It may be anything.
    pub const ALL: Self = Self(u8::MAX);
    /// One is a command line, or its words.
    const LINE: u8 = 1;
    /// One is what a program is given.
    const ARGUMENTS: u8 = 1 << 1;
    /// One says more of a command line than shells are told by the usual names.
    const MORE: u8 = 1 << 2;
    /// One is a part of what a tool runs.
    const PART: u8 = 1 << 3;
    /// One may hold a whole command line, by one of its names.
    const WHOLE: u8 = 1 << 4;
    /// One is no text.
    const TREE: u8 = 1 << 5;

    /// Those of a parameter, by its name and the agent's own name for it.
    pub(crate) fn of(name: &str, native: Option<&str>) -> Self {
        let sort = sort_of(name);
        let bit = |holds: bool, bit: u8| if holds { bit } else { 0 };
        let to_shell = if is_usual(name) { Sort::Other } else { sort };
        let says_more = matches!(to_shell, Sort::Lines | Sort::Program)
            || to_shell == Sort::Line && !COMMAND_PARAMS.contains(&name);
        let is_whole = |name: &str| Runs::LINES.contains(&name);
        Self(
            bit(name == COMMAND_PARAMS[0] || to_shell == Sort::Line, Self::LINE)
                | bit(to_shell == Sort::Arguments, Self::ARGUMENTS)
                | bit(says_more, Self::MORE)
                | bit(sort != Sort::Other, Self::PART)
                | bit(is_whole(name) || native.is_some_and(is_whole), Self::WHOLE),
        )
    }

    /// These, and those of another parameter with its value.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self, is_text: bool) -> Self {
        Self(self.0 | other.0 | if is_text { 0 } else { Self::TREE })
    }

    #[inline]
    fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    /// Whether a parameter may hold a whole command line, see [`Runs::commands`].
    #[inline]
    #[must_use]
    pub fn may_be_line(self) -> bool {
        self.has(Self::WHOLE)
    }

    /// Whether the call may come to a command line that no one of its parameters holds, see [`told`]. `in_trees` says
    /// whether what is no text [may speak](may_speak_of_commands) of one.
    #[inline]
    pub fn may_tell(self, is_shell: bool, runs: Runs, in_trees: impl FnOnce() -> bool) -> bool {
        match runs {
            _ if is_shell => {
                self.has(Self::MORE) || self.has(Self::LINE) && self.has(Self::ARGUMENTS)
            }
            Runs::AsListed => false,
            Runs::Git | Runs::Program | Runs::Deletes | Runs::Drops | Runs::Merges => true,
            Runs::Commands | Runs::Scripts | Runs::Typed | Runs::Code(_) | Runs::Statements => {
                self.has(Self::PART) || self.has(Self::TREE) && in_trees()
            }
        }
    }
}

fn sort_of(name: &str) -> Sort {
    let found = SORTS.iter().find(|(_, names)| names.iter().any(|letters| is_named(name, letters)));
    found.map_or(Sort::Other, |(sort, _)| *sort)
}

/// The command line that a call comes to, where it is not simply what one parameter holds. `canonical` is the last part of
/// the tool's name; `is_shell` says that the tool is known to run commands.
pub fn told(is_shell: bool, runs: Runs, canonical: &str, each: EachParam<'_>) -> Option<String> {
    if is_shell {
        return told_to_shell(each);
    }
    if runs == Runs::AsListed {
        return None;
    }
    let mut call = Given::default();
    each(&mut |name, value| call.take(runs, name, value));
    let mut lines = call.lines(runs);
    let named = named::line(runs, canonical, each);
    if named.is_none() && call.is_plain && lines.len() == 1 {
        return None;
    }
    lines.extend(named);
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// The same of a tool that is known to run commands, which may be given the words behind the program apart.
fn told_to_shell(each: EachParam<'_>) -> Option<String> {
    let (mut has_line, mut has_words, mut says_more) = (false, false, false);
    each(&mut |name, _| {
        let sort = if is_usual(name) { Sort::Other } else { sort_of(name) };
        has_line |= name == COMMAND_PARAMS[0] || sort == Sort::Line;
        has_words |= sort == Sort::Arguments;
        says_more |= matches!(sort, Sort::Lines | Sort::Program)
            || sort == Sort::Line && !COMMAND_PARAMS.contains(&name);
    });
    let is_apart = has_line && has_words;
    if !says_more && !is_apart {
        return None;
    }
    let mut call = Given::default();
    each(&mut |name, value| {
        if matches!(sort_of(name), Sort::Line | Sort::Lines | Sort::Program | Sort::Arguments) {
            call.take(Runs::Scripts, name, value);
        }
    });
    let lines = call.lines(Runs::Scripts);
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Whether a parameter is one that most calls of shells have.
fn is_usual(name: &str) -> bool {
    matches!(name, "command" | "description" | "timeout" | "run_in_background" | "cwd" | "workdir")
}

/// Whether a list or an object may have to do with commands: most do not.
#[must_use]
pub fn may_speak_of_commands(json: &str) -> bool {
    const PARTS: [&str; 5] = ["ommand", "cmd", "argv", "sql", "cript"];
    // Each of them has one of these letters.
    let may_have = json.bytes().any(|byte| matches!(byte, b'm' | b'v' | b'q' | b'p'));
    may_have && PARTS.iter().any(|part| json.contains(part))
}

/// What a call, or an object in it, is given.
#[derive(Debug)]
struct Given {
    program: Option<String>,
    arguments: Vec<String>,
    /// A list of words, each quoted, of which the first may be the program.
    words: Vec<String>,
    lines: Vec<String>,
    scripts: Vec<(Sort, String)>,
    statements: Vec<String>,
    /// What is typed into a terminal, unless it goes into a file.
    keys: Vec<String>,
    /// Whether a file is named.
    has_file: bool,
    language: Option<String>,
    /// What objects in it are given.
    inner: Vec<String>,
    /// Whether there is nothing but one command line, as it is.
    is_plain: bool,
}

impl Default for Given {
    fn default() -> Self {
        Self {
            program: None,
            arguments: Vec::new(),
            words: Vec::new(),
            lines: Vec::new(),
            scripts: Vec::new(),
            statements: Vec::new(),
            keys: Vec::new(),
            has_file: false,
            language: None,
            inner: Vec::new(),
            is_plain: true,
        }
    }
}

impl Given {
    fn take(&mut self, runs: Runs, name: &str, value: ValueRef<'_>) {
        match value {
            ValueRef::Text(text) => self.take_text(runs, name, text),
            ValueRef::Json(json) => {
                let may_matter = may_speak_of_commands(json) || sort_of(name) != Sort::Other;
                if may_matter && let Ok(tree) = serde_json::from_str(json) {
                    self.take_tree(runs, name, &tree, 0);
                }
            }
        }
    }

    fn take_text(&mut self, runs: Runs, name: &str, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        let sort = sort_of(name);
        let letters = name.to_ascii_lowercase();
        self.has_file |= ["file", "path", "uri"].iter().any(|part| letters.contains(part));
        let is_line = sort == Sort::Line && COMMAND_PARAMS.contains(&name);
        let text = text.to_owned();
        match sort {
            Sort::Line if is_line => return self.lines.push(text),
            Sort::Language => return self.language = Some(text.to_lowercase()),
            Sort::Line | Sort::Lines => self.lines.push(text),
            Sort::Program => self.program = Some(text),
            Sort::Arguments => self.arguments.push(text),
            Sort::Script | Sort::Code if runs.takes_scripts() => self.scripts.push((sort, text)),
            Sort::Typed | Sort::Keys if runs == Runs::Typed => self.lines.push(text),
            // One key says nothing.
            Sort::Keys if text.contains(char::is_whitespace) => self.keys.push(text),
            Sort::Typed if matches!(runs, Runs::Code(_)) && is_named(name, "input") => {
                self.scripts.push((Sort::Code, text));
            }
            Sort::Statement => self.statements.push(text),
            Sort::Query if runs == Runs::Statements => self.statements.push(text),
            _ => return,
        }
        self.is_plain = false;
    }

    fn take_tree(&mut self, runs: Runs, name: &str, tree: &Tree, depth: u32) {
        match tree {
            Tree::String(text) => self.take_text(runs, name, text),
            Tree::Array(items) => self.take_list(runs, name, items, depth),
            Tree::Object(fields) if depth < MAX_DEPTH && self.inner.len() < MAX_ITEMS => {
                let mut inner = Self::default();
                for (name, value) in fields.iter().take(MAX_ITEMS) {
                    inner.take_tree(runs, name, value, depth + 1);
                }
                let lines = inner.lines(runs);
                self.is_plain &= lines.is_empty();
                self.inner.extend(lines);
            }
            _ => {}
        }
    }

    fn take_list(&mut self, runs: Runs, name: &str, items: &[Tree], depth: u32) {
        let items = items.get(..items.len().min(MAX_ITEMS)).unwrap_or_default();
        let texts: Vec<&str> = items.iter().filter_map(Tree::as_str).collect();
        let are_texts = texts.len() == items.len() && !texts.is_empty();
        match sort_of(name) {
            Sort::Line if are_texts && is_named(name, "argv") => {
                self.is_plain = false;
                self.words.extend(texts.iter().map(|text| quoted(text)));
            }
            Sort::Line if are_texts => {
                self.is_plain &= COMMAND_PARAMS.contains(&name);
                self.lines.push(joined(&texts));
            }
            Sort::Arguments if are_texts => {
                self.is_plain = false;
                self.arguments.extend(texts.iter().map(|text| quoted(text)));
            }
            Sort::Lines if are_texts => {
                self.is_plain = false;
                self.lines.extend(texts.iter().map(|text| (*text).to_owned()));
                // A list of lines may be one of words.
                if texts.len() > 1 && !texts.iter().any(|text| text.contains(char::is_whitespace)) {
                    self.lines.push(joined(&texts));
                }
            }
            Sort::Script | Sort::Code if are_texts && runs.takes_scripts() => {
                self.take_text(runs, name, &texts.join("\n"));
            }
            // A list of words with something else in it is read by nobody.
            Sort::Line => {}
            _ if depth < MAX_DEPTH => {
                items.iter().for_each(|item| self.take_tree(runs, name, item, depth + 1));
            }
            _ => {}
        }
    }

    /// The command lines that all of it comes to.
    fn lines(&mut self, runs: Runs) -> Vec<String> {
        let mut lines = std::mem::take(&mut self.lines);
        let words = std::mem::take(&mut self.words);
        match &self.program {
            Some(program) if words.first() != Some(&quoted(program)) => {
                self.arguments.extend(words);
            }
            _ if words.is_empty() => {}
            _ => lines.push(words.join(" ")),
        }
        let arguments = self.arguments.join(" ");
        match (self.program.take(), lines.last_mut()) {
            (Some(program), _) if !arguments.is_empty() || runs.takes_scripts() => {
                lines.push(format!("{} {arguments}", quoted(&program)));
            }
            (None, Some(line)) if !arguments.is_empty() => {
                line.push(' ');
                line.push_str(&arguments);
            }
            (None, None) if !arguments.is_empty() && runs.takes_scripts() => lines.push(arguments),
            _ => {}
        }
        for (sort, script) in &self.scripts {
            let languages =
                Language::of_scripts(runs, self.language.as_deref(), *sort == Sort::Code);
            lines.extend(languages.iter().map(|language| language.line(script)));
        }
        lines.extend(self.keys.drain(..).filter(|_| !self.has_file));
        let statements = self.statements.iter();
        lines.extend(statements.map(|statement| format!("psql -c {}", quoted(statement))));
        lines.append(&mut self.inner);
        lines.truncate(MAX_ITEMS);
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::super::runs::Language;
    use super::{Hints, Runs, SORTS, ValueRef, may_speak_of_commands, told};

    /// Holds what the names say of calls with two parameters against what such calls come to.
    #[track_caller]
    fn check(runs: Runs, is_shell: bool, params: &[(&str, ValueRef<'_>)]) {
        let each = |visit: &mut dyn FnMut(&str, ValueRef<'_>)| {
            params.iter().for_each(|(name, value)| visit(name, *value));
        };
        let is_text = |value: &ValueRef<'_>| matches!(value, ValueRef::Text(_));
        let hints = params.iter().fold(Hints::default(), |hints, (name, value)| {
            hints.and(Hints::of(name, None), is_text(value))
        });
        let speaks = |value: &ValueRef<'_>| match value {
            ValueRef::Json(json) => may_speak_of_commands(json),
            ValueRef::Text(_) => false,
        };
        let in_trees = || params.iter().any(|(_, value)| speaks(value));
        let may_tell = hints.may_tell(is_shell, runs, in_trees);
        let comes_to = told(is_shell, runs, "x", &each);
        assert!(may_tell || comes_to.is_none(), "{runs:?} {is_shell} {params:?} {comes_to:?}");
        let param = |wanted: &str| params.iter().find(|(name, _)| *name == wanted).map(|one| one.1);
        assert!(hints.may_be_line() || !runs.commands(param), "{runs:?} {params:?}");
    }

    #[test]
    fn names_that_say_nothing_come_to_no_command_line() {
        let others =
            ["description", "timeout", "title", "labels", "file_path", "run_in_background"];
        let names: Vec<&str> =
            SORTS.iter().flat_map(|(_, names)| *names).copied().chain(others).collect();
        let values = [
            ValueRef::Text("ls -l"),
            ValueRef::Json(r#"["ls","-l"]"#),
            ValueRef::Json(r#"{"command":"ls"}"#),
            ValueRef::Json(r#"[{"title":"x"}]"#),
            ValueRef::Json("60"),
        ];
        let kinds = [
            Runs::AsListed,
            Runs::Commands,
            Runs::Scripts,
            Runs::Typed,
            Runs::Code(Language::Python),
            Runs::Statements,
            Runs::Git,
            Runs::Deletes,
            Runs::Drops,
            Runs::Merges,
        ];
        for runs in kinds {
            for name in &names {
                for value in values {
                    check(runs, runs == Runs::AsListed, &[(name, value)]);
                    for other in ["command", "args", "title"] {
                        check(runs, false, &[(name, value), (other, ValueRef::Text("x"))]);
                        check(runs, true, &[(other, ValueRef::Text("x")), (name, value)]);
                    }
                }
            }
        }
    }
}
