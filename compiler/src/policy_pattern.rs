//! The patterns of policies: `edit|read_*`, `git push *`, `bash(rm -rf *)`, `mcp(server/tool)`.
//!
//! Knows only their syntax: what comes out says which part of the text is what. Globs and commands
//! are read by whoever knows them. Bounds what it reads, and reports every problem at its place.

mod grammar;
mod token;

use std::ops::Range;

use behavior_facts::tool_catalogue::is_shell;

use crate::fragment::{MAX_PROBLEMS, Problem, excerpt};
use crate::nearest::closest;
use crate::parameters;
use grammar::{Failure, Tree, Want};
use token::{Kind, Token};

/// The longest pattern that is read, in bytes.
pub const MAX_LENGTH: usize = 4096;

/// How many alternatives a pattern may have.
pub const MAX_ALTERNATIVES: usize = 256;

/// One of the things that a pattern stands for. The ranges are bytes of the pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Alternative {
    /// Tools, by a name or glob.
    Tool(Range<usize>),
    /// Commands that a shell runs.
    Command(Range<usize>),
    /// The tools of an MCP server; without the second, all of them.
    Mcp(Range<usize>, Option<Range<usize>>),
}

/// Reads a pattern.
///
/// # Errors
/// All problems, in order, at least one.
pub(crate) fn parse(text: &str) -> Result<Vec<Alternative>, Vec<Problem>> {
    if text.len() > MAX_LENGTH {
        let message = format!("this pattern is longer than {} KiB", MAX_LENGTH / 1024);
        return Err(vec![Problem::new(0..text.len(), message).help("split it over several rules")]);
    }
    let lexed = token::tokenize(text);
    let (trees, failures) = grammar::parse(&lexed.tokens);
    let reader = Reader { text, tokens: &lexed.tokens };
    let mut found: Vec<Problem> = failures.iter().map(|failure| reader.problem(failure)).collect();
    let mut alternatives = Vec::new();
    for tree in &trees {
        match reader.alternative(tree) {
            Ok(alternative) => alternatives.extend(alternative),
            Err(problem) => found.push(problem),
        }
    }
    // What stands behind something that is never closed was read as part of it.
    found.retain(|problem| lexed.unclosed.is_none_or(|from| problem.range.end <= from));
    let mut problems = lexed.problems;
    problems.append(&mut found);
    if alternatives.len() > MAX_ALTERNATIVES {
        let message = format!("this pattern has more than {MAX_ALTERNATIVES} alternatives");
        problems.push(Problem::new(0..text.len(), message).help("split it over several rules"));
    }
    if problems.is_empty() {
        return Ok(alternatives);
    }
    problems.sort_by_key(|problem| problem.range.start);
    problems.dedup_by_key(|problem| problem.range.start);
    problems.truncate(MAX_PROBLEMS);
    Err(problems)
}

/// The alternative that a pattern which is being written ends in, and the command in it where it is a
/// call that is not closed.
pub(crate) fn unfinished(text: &str) -> (&str, Option<&str>) {
    let lexed = token::tokenize(text);
    let bar = lexed.tokens.iter().rposition(|token| token.kind == Kind::Bar);
    let last = lexed.tokens.get(bar.map_or(0, |bar| bar + 1)..).unwrap_or_default();
    let slice = |range: Range<usize>| text.get(range).unwrap_or_default();
    let start = last.first().map_or(text.len(), |token| token.range.start);
    let mut words = last.iter().filter(|token| token.kind != Kind::Blank);
    let head = words.next().map(|token| slice(token.range.clone()).to_ascii_lowercase());
    let body = last.iter().find(|token| token.kind == Kind::Body);
    let is_open = last.last().is_some_and(|token| token.range.is_empty());
    let body = body.filter(|_| is_open && head.is_some_and(|head| is_shell(&head)));
    (slice(start..text.len()), body.map(|token| slice(token.range.clone())))
}

struct Reader<'t> {
    text: &'t str,
    tokens: &'t [Token],
}

impl<'t> Reader<'t> {
    fn range(&self, at: usize) -> Range<usize> {
        let end = self.text.trim_end().len();
        self.tokens.get(at).map_or(end..end, |token| token.range.clone())
    }

    fn slice(&self, range: &Range<usize>) -> &'t str {
        self.text.get(range.clone()).unwrap_or_default()
    }

    fn alternative(&self, tree: &Tree) -> Result<Option<Alternative>, Problem> {
        match *tree {
            Tree::Broken => Ok(None),
            Tree::Words { first, last, has_blank } => {
                let range = self.range(first).start..self.range(last).end;
                let alternative = if has_blank { Alternative::Command } else { Alternative::Tool };
                Ok(Some(alternative(range)))
            }
            Tree::Call { head, body } => self.call(head, body).map(Some),
        }
    }

    fn call(&self, head: usize, body: usize) -> Result<Alternative, Problem> {
        let head = self.range(head);
        let name = self.slice(&head).to_ascii_lowercase();
        let whole = self.range(body);
        let body = trimmed(self.text, whole.clone());
        if name == "mcp" {
            return self.mcp(head, body);
        }
        if is_shell(&name) {
            if body.is_empty() {
                let message = format!("expected a command in the parentheses of `{name}`");
                return Err(Problem::new(head.start..whole.end + 1, message).help(format!(
                    "write `{name}(git push *)`, or `{name}` for whatever it runs"
                )));
            }
            return Ok(Alternative::Command(body));
        }
        let message = format!("nothing is written `{name}(…)` in a pattern");
        let problem = Problem::new(head.clone(), message);
        Err(match closest(&name, ["bash", "shell", "mcp"]) {
            Some(near) => problem.help(format!("did you mean `{near}`?")).fix(head, near),
            None if of_known(&name, self.slice(&body)).is_some() => {
                problem.help(of_known(&name, self.slice(&body)).unwrap_or_default())
            }
            None => problem.help(format!(
                "write `bash(…)` for commands and `mcp(server/tool)` for tools of an MCP server; \
                 for arguments of `{name}`, `tool_pattern = \"{name}\"` and `arg_pattern`"
            )),
        })
    }

    fn mcp(&self, head: Range<usize>, body: Range<usize>) -> Result<Alternative, Problem> {
        let text = self.slice(&body);
        let Some(slash) = text.find('/') else {
            if text.is_empty() {
                return Err(Problem::new(
                    head.start..body.end + 1,
                    "expected an MCP server's name",
                )
                .help("write `mcp(server/tool)`, or `mcp(*)` for all servers"));
            }
            if let Some(blank) = text.find(char::is_whitespace) {
                return Err(blank_in_name(body.start + blank, "an MCP server"));
            }
            return Ok(Alternative::Mcp(body, None));
        };
        let server = body.start..body.start + slash;
        let tool = server.end + 1..body.end;
        for (part, what) in [(&server, "an MCP server"), (&tool, "a tool")] {
            let name = self.slice(part);
            if name.is_empty() {
                return Err(Problem::new(part.clone(), format!("expected the name of {what}"))
                    .help("write `mcp(server/tool)`; `*` stands for any name"));
            }
            if let Some(blank) = name.find(char::is_whitespace) {
                return Err(blank_in_name(part.start + blank, what));
            }
        }
        if let Some(second) = self.slice(&tool).find('/') {
            let at = tool.start + second;
            return Err(Problem::new(at..at + 1, "expected `)` behind the tool's name, found `/`")
                .help("write `mcp(server/tool)`"));
        }
        Ok(Alternative::Mcp(server, Some(tool)))
    }

    fn problem(&self, failure: &Failure) -> Problem {
        let range = self.range(failure.at);
        let before = failure.at.checked_sub(1).map(|at| self.range(at));
        let expected = match failure.want {
            Want::Alternative => "a tool's name or a command",
            Want::Separator => "`|` or the end of the pattern",
        };
        let mut message = format!("expected {expected}");
        if let Some(before) = before.filter(|before| !self.slice(before).trim().is_empty()) {
            message += &format!(" after `{}`", excerpt(self.slice(&before)));
        }
        message += &match self.tokens.get(failure.at) {
            Some(_) => format!(", found `{}`", excerpt(self.slice(&range))),
            None if self.text.trim().is_empty() => ", found nothing".to_owned(),
            None => ", but the pattern ends here".to_owned(),
        };
        let problem = Problem::new(range.clone(), message);
        let is_bar = |at: usize| self.tokens.get(at).is_some_and(|token| token.kind == Kind::Bar);
        match failure.want {
            Want::Alternative if is_bar(failure.at) => {
                problem.help("delete this `|`").fix(range, "")
            }
            Want::Alternative if failure.at > 0 => problem.help("delete the `|` before it"),
            Want::Alternative => {
                problem.help("write a tool's name such as `edit`, `*` for every tool, or a command")
            }
            Want::Separator => problem.help("write `|` between alternatives"),
        }
    }
}

fn blank_in_name(at: usize, what: &str) -> Problem {
    Problem::new(at..at + 1, format!("the name of {what} has no blank"))
        .help("write `mcp(server/tool)`")
}

/// How a call that some agents write as `Read(./.env)` or `WebFetch(domain:docs.rs)` is written here.
fn of_known(name: &str, body: &str) -> Option<String> {
    let params = parameters::of(name)?;
    let body = excerpt(body.trim_start_matches("path:"));
    match body.strip_prefix("domain:") {
        Some(host) if params.contains(&"url") => {
            Some(format!("write `tool_pattern = \"{name}\"` and `host = \"{host}\"`"))
        }
        _ if params.contains(&"file_path") => Some(format!(
            "for its files, write `tool_pattern = \"{name}\"` and `path = \"{body}\"`"
        )),
        _ => None,
    }
}

/// A range without the blanks at its ends.
fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..start + inner.trim().len()
}

#[cfg(test)]
mod tests;
