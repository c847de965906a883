//! The command line that a call of a server's tool comes to: such tools are given a program and its arguments apart, a list
//! of lines, code of a language, a statement for a database, or say by their name what they do. Knows no server by name.

use serde_json::Value as Tree;

use super::named;
use super::quote::{joined, quoted};
use super::runs::{COMMAND_PARAMS, Language, Runs, is_named};
use crate::value::ValueRef;

/// Calls what it is given with each parameter of a call: its name and what it holds.
pub(crate) type EachParam<'f> = &'f dyn Fn(&mut dyn FnMut(&str, ValueRef<'_>));

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
        ],
    ),
    (Sort::Lines, &["commands", "cmds", "commandlines", "shellcommands"]),
    (Sort::Program, &["program", "executable", "exe", "binary", "executablepath", "programpath"]),
    (Sort::Arguments, &["args", "arguments", "argumentlist", "commandargs", "cmdargs", "arglist"]),
    (Sort::Script, &["script", "scripttext", "scriptcontent"]),
    (Sort::Code, &["code", "source", "sourcecode", "snippet", "cell", "codeblock"]),
    (Sort::Typed, &["input", "text", "keys", "data", "chars", "characters", "stdin", "line"]),
    (Sort::Statement, &["sql", "sqlquery", "sqlstatement", "sqltext", "sqlcommand", "rawsql"]),
    (Sort::Query, &["query", "queries", "statement", "statements"]),
    (Sort::Language, &["language", "lang", "interpreter", "runtime", "kernel", "shell"]),
];

fn sort_of(name: &str) -> Sort {
    let found = SORTS.iter().find(|(_, names)| names.iter().any(|letters| is_named(name, letters)));
    found.map_or(Sort::Other, |(sort, _)| *sort)
}

/// The command line that a call comes to, where it is not simply what one parameter holds. `canonical` is the last part of
/// the tool's name; `is_shell` says that the tool is known to run commands.
pub(crate) fn told(
    is_shell: bool,
    runs: Runs,
    canonical: &str,
    each: EachParam<'_>,
) -> Option<String> {
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

/// What a call, or an object in it, is given.
#[derive(Debug)]
struct Given {
    program: Option<String>,
    arguments: Vec<String>,
    lines: Vec<String>,
    scripts: Vec<(Sort, String)>,
    statements: Vec<String>,
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
            lines: Vec::new(),
            scripts: Vec::new(),
            statements: Vec::new(),
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
                // Most lists and objects have nothing to do with commands.
                let may_matter = sort_of(name) != Sort::Other
                    || ["ommand", "cmd", "argv", "sql", "cript"]
                        .iter()
                        .any(|part| json.contains(part));
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
        let is_line = sort == Sort::Line && COMMAND_PARAMS.contains(&name);
        let text = text.to_owned();
        match sort {
            Sort::Line if is_line => return self.lines.push(text),
            Sort::Language => return self.language = Some(text.to_lowercase()),
            Sort::Line | Sort::Lines => self.lines.push(text),
            Sort::Program => self.program = Some(text),
            Sort::Arguments => self.arguments.push(text),
            Sort::Script | Sort::Code if runs.takes_scripts() => self.scripts.push((sort, text)),
            Sort::Typed if runs == Runs::Typed => self.lines.push(text),
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
        let statements = self.statements.iter();
        lines.extend(statements.map(|statement| format!("psql -c {}", quoted(statement))));
        lines.append(&mut self.inner);
        lines.truncate(MAX_ITEMS);
        lines
    }
}
