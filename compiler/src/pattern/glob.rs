//! Path globs, compiled to the same machinery as patterns.
//!
//! A glob is matched against a whole path with `/` between its components, case-sensitively:
//!
//! | written | matches |
//! |---|---|
//! | `*` | any characters of one component; a component that is only `*` is not empty. Hidden files are files |
//! | `**` | as a whole component: any number of components, also none; at the end, everything below |
//! | `?` | one character of a component |
//! | `[a-z]`, `[!a-z]`, `[^a-z]` | one character of a component that is, or is not, among those |
//! | `{a,b}` | either; may hold `/`, and may nest |
//! | `\x` | the character `x`; backslashes never separate components |
//!
//! Where it starts:
//! - A glob without a leading `/` or `./` starts at the start of **any** component: `*.md` is any
//!   Markdown file, `src/*.rs` is any Rust file directly in any folder `src`, whether the path is
//!   relative or absolute.
//! - With a leading `./` it starts at the session's folder, with `//` at the root of the repository,
//!   with `~/` at the user's home: it is matched against the path as seen from there.
//! - With a leading `/` it is an absolute path.
//!
//! - One that begins with a drive of Windows, `C:\` or `C:/`, is an absolute path there: backslashes are
//!   separators in it, and the case of the drive does not count.
//!
//! It ends at the end of the path; with a trailing `/` it is everything below that folder.

use std::borrow::Cow;
use std::ops::Range;

use behavior_facts::path::{is_drive, slashed};
use behavior_image::glob as direct;

use super::syntax::{Class, ClassItem, Item, Look, Node, Repeat};
use super::{Budget, Pattern, PatternProblem, finish, limits, posix};
use crate::registry::diagnostics::{MISREAD_PATH, UNSUPPORTED_PATTERN};

/// Compiles a path glob. [`Pattern::regex`] is anchored at both ends and case-sensitive; the
/// literals are lower-case as in any pattern.
///
/// # Errors
/// All problems of the glob, in order.
pub fn compile(source: &str, budget: &mut Budget) -> Result<Pattern, Vec<PatternProblem>> {
    if let Some(problem) = limits::check_length(source) {
        return Err(vec![problem]);
    }
    let source = &*of_windows(source);
    let mut parser = Parser { text: source, at: 0, depth: 0, ran_out: false, problems: Vec::new() };
    let root = parser.whole();
    let mut problems = parser.problems;
    problems.extend(limits::check_size(source, &root));
    if !problems.is_empty() {
        problems.sort_by_key(|problem| (problem.range.start, problem.range.end));
        return Err(problems);
    }
    let is_glob = direct::is_direct(source);
    let mut none = Budget::none();
    // Only in a list is an automaton faster than the glob itself.
    let budget = if is_glob && !direct::is_list(source) { &mut none } else { budget };
    let mut pattern = finish(source, &root, false, budget).map_err(|problem| vec![problem])?;
    pattern.is_glob = is_glob && pattern.plain.is_none() && !pattern.literals_suffice;
    Ok(pattern)
}

/// What looks like something else in a glob that is well formed.
#[must_use]
pub fn misread(source: &str) -> Option<PatternProblem> {
    if let Some(rest) = source.strip_prefix("$HOME/").or_else(|| source.strip_prefix("${HOME}/")) {
        let message = "a path pattern knows no variables: this begins with a folder of that name";
        let range = 0..source.len() - rest.len();
        let problem = PatternProblem::new(&MISREAD_PATH, range, message);
        return Some(problem.help(format!("write `~/{rest}`")).rewrite("~/"));
    }
    if let Some(problem) = misread_regex(source) {
        return Some(problem);
    }
    let at = source.find(", ").filter(|_| !source.contains(['{', '[', '\\']))?;
    let has_parts = source.split(", ").all(|part| part.contains(['*', '/', '.']));
    has_parts.then(|| {
        let parts: Vec<String> = source.split(", ").map(|part| format!("\"{part}\"")).collect();
        let message = "this is one path with a comma and a blank in its name";
        PatternProblem::new(&MISREAD_PATH, at..at + 2, message)
            .help(format!("for several, write a list: `[{}]`", parts.join(", ")))
    })
}

/// `^src/.*\.rs$`, which is a regular expression elsewhere: no path has such signs at its ends.
fn misread_regex(source: &str) -> Option<PatternProblem> {
    let begins = source.starts_with('^');
    let ends = source.ends_with('$') && source.len() > 1;
    if !begins && !ends {
        return None;
    }
    let range = if begins { 0..1 } else { source.len() - 1..source.len() };
    let sign = if begins { '^' } else { '$' };
    let message = format!("path patterns are no regular expressions: `{sign}` stands for itself");
    let inner = source.trim_start_matches('^').trim_end_matches('$');
    let inner = inner.replace("/.*", "/**/*").replace(".*", "*").replace("\\.", ".");
    let inner = inner.replace("**/*/", "**/");
    let is_folder = !inner.contains(['*', '.', '(', '\\', '[', '+']);
    let meant = if is_folder { format!("{}/**", inner.trim_end_matches('/')) } else { inner };
    let help = match meant.contains(['(', '\\', '+', '|']) {
        true => "write a pattern such as `src/**/*.{rs,toml}`".to_owned(),
        false => format!("write `{meant}`"),
    };
    Some(PatternProblem::new(&MISREAD_PATH, range, message).help(help))
}

/// A pattern that begins with a drive of Windows, as paths are compared: what stands for an escape elsewhere is
/// a separator there.
fn of_windows(source: &str) -> Cow<'_, str> {
    if is_drive(source) { Cow::Owned(slashed(source)) } else { Cow::Borrowed(source) }
}

struct Parser<'p> {
    text: &'p str,
    at: usize,
    /// How many braces are open.
    depth: usize,
    /// Something was never closed: what is open around it needs no report of its own.
    ran_out: bool,
    problems: Vec<PatternProblem>,
}

impl<'p> Parser<'p> {
    fn rest(&self) -> &'p str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += character.len_utf8();
        Some(character)
    }

    fn eat(&mut self, text: &str) -> bool {
        let there = self.rest().starts_with(text);
        if there {
            self.at += text.len();
        }
        there
    }

    fn whole(&mut self) -> Item {
        if self.text.is_empty() {
            self.problems.push(
                PatternProblem::invalid(0..0, "the path glob is empty, so it matches no path")
                    .help("write `**` for every path"),
            );
        }
        if self.text.starts_with('!') {
            self.problems.push(
                PatternProblem::new(&UNSUPPORTED_PATTERN, 0..1, "`!` does not negate a path glob")
                    .help("put the condition under `not`, or write `\\!` for the character"),
            );
        }
        let mut items = vec![self.start()];
        self.sequence(&mut items, true);
        if self.text.ends_with('/') && !self.text.ends_with("\\/") {
            items.push(self.item(self.at, repeated(any(), 1, None)));
        }
        items.push(self.item(self.at, Node::Look(Look::TextEnd)));
        Item::new(Node::Concat(items), 0..self.at)
    }

    fn item(&self, start: usize, node: Node) -> Item {
        Item::new(node, start..self.at)
    }

    /// Where the glob may start; eats a leading `./`, but leaves a `/` to be matched.
    fn start(&mut self) -> Item {
        // What the rest of it starts from is known to whoever matches it.
        if self.eat("./") || self.eat("~/") || self.eat("//") {
            return self.item(0, Node::Look(Look::TextStart));
        }
        if self.rest().starts_with('/') {
            return self.item(0, Node::Look(Look::TextStart));
        }
        let either =
            vec![Item::new(Node::Look(Look::TextStart), 0..0), Item::new(literal('/'), 0..0)];
        let either = Item::new(Node::Alternation(either), 0..0);
        self.item(0, Node::Group(Box::new(either)))
    }

    /// Reads up to the end, or within braces to `,` or `}`. `fresh`: at the start of a component.
    fn sequence(&mut self, items: &mut Vec<Item>, mut fresh: bool) {
        while let Some(character) = self.peek() {
            let start = self.at;
            let node = match character {
                ',' | '}' if self.depth > 0 => return,
                '*' => self.stars(fresh),
                '?' => {
                    self.next();
                    Some(Node::Class(not_slash()))
                }
                '[' => self.class(),
                '{' => self.braces(fresh),
                '}' => self.stray_brace(),
                '\\' => self.escape(),
                '/' => self.slash(fresh),
                other => {
                    self.next();
                    Some(literal(other))
                }
            };
            fresh = character == '/' || (character == '*' && self.rest_after_globstar(start));
            if let Some(node) = node {
                items.push(self.item(start, node));
            }
        }
    }

    /// Whether what was read from `start` ended in a slash.
    fn rest_after_globstar(&self, start: usize) -> bool {
        self.text.get(start..self.at).is_some_and(|read| read.ends_with('/'))
    }

    fn slash(&mut self, fresh: bool) -> Option<Node> {
        let start = self.at;
        self.next();
        if fresh && start > 0 {
            self.problems.push(
                PatternProblem::invalid(
                    start..self.at,
                    "there is no name between two `/`, so no path matches",
                )
                .help("delete one of them")
                .rewrite(""),
            );
        }
        Some(literal('/'))
    }

    /// `*`, `**` and `**/`.
    fn stars(&mut self, fresh: bool) -> Option<Node> {
        let start = self.at;
        while self.eat("*") {}
        let count = self.at - start;
        let ends = match self.peek() {
            None | Some('/') => true,
            Some(',' | '}') => self.depth > 0,
            _ => false,
        };
        if count == 1 {
            let at_least = u32::from(fresh && ends);
            return Some(repeated(Node::Class(not_slash()), at_least, None));
        }
        if count > 2 || !fresh || !ends {
            self.misplaced_stars(start..self.at, fresh);
            return None;
        }
        if self.eat("/") {
            let path = vec![
                Item::new(repeated(any(), 0, None), start..self.at),
                Item::new(literal('/'), start..self.at),
            ];
            let path = Item::new(Node::Concat(path), start..self.at);
            let group = Node::Group(Box::new(path));
            return Some(repeated(group, 0, Some(1)));
        }
        Some(repeated(any(), 1, None))
    }

    fn misplaced_stars(&mut self, range: Range<usize>, fresh: bool) {
        let written = self.text.get(range.clone()).unwrap_or_default();
        let next_is_slash = matches!(self.peek(), None | Some('/'));
        let rewrite = match (fresh, next_is_slash) {
            (true, true) => "**",
            (true, false) => "**/*",
            (false, _) => "*",
        };
        let message = format!("`{written}` is neither `*` nor a whole component `**`");
        self.problems.push(
            PatternProblem::invalid(range, message)
                .help("write `*` for any characters of a name, `**/` for any folders")
                .rewrite(rewrite),
        );
    }

    fn escape(&mut self) -> Option<Node> {
        let start = self.at;
        self.next();
        if let Some(character) = self.next() {
            return Some(literal(character));
        }
        self.problems.push(
            PatternProblem::invalid(start..self.at, "the path glob ends in a lone `\\`")
                .help("write `\\\\` for the character; folders are separated by `/`")
                .rewrite("\\\\"),
        );
        None
    }

    fn stray_brace(&mut self) -> Option<Node> {
        let start = self.at;
        self.next();
        self.problems.push(
            PatternProblem::invalid(start..self.at, "`}` closes a brace that was never opened")
                .help("write `\\}` for the character")
                .rewrite("\\}"),
        );
        None
    }

    /// `{a,b}`.
    fn braces(&mut self, fresh: bool) -> Option<Node> {
        let start = self.at;
        self.next();
        if self.depth >= limits::NESTING / 2 {
            self.problems.push(limits::too_deep(start..self.at));
            self.at = self.text.len();
            self.ran_out = true;
            return None;
        }
        self.depth += 1;
        let mut branches = Vec::new();
        loop {
            let from = self.at;
            let mut items = Vec::new();
            self.sequence(&mut items, fresh);
            branches.push(Item::new(Node::Concat(items), from..self.at));
            if !self.eat(",") {
                break;
            }
        }
        self.depth -= 1;
        if !self.eat("}") {
            self.unclosed(start, '{');
            return None;
        }
        let either = Item::new(Node::Alternation(branches), start..self.at);
        Some(Node::Group(Box::new(either)))
    }

    fn unclosed(&mut self, start: usize, opened: char) {
        if std::mem::replace(&mut self.ran_out, true) {
            return;
        }
        let close = if opened == '{' { '}' } else { ']' };
        self.problems.push(
            PatternProblem::invalid(start..start + 1, format!("`{opened}` is never closed"))
                .help(format!(
                    "add `{close}` where it ends, or write `\\{opened}` for the character"
                ))
                .rewrite(format!("\\{opened}")),
        );
    }

    /// `[…]`, which never matches `/`.
    fn class(&mut self) -> Option<Node> {
        let start = self.at;
        self.next();
        let negated = self.eat("!") || self.eat("^");
        let first = self.at;
        let mut items = Vec::new();
        while self.at == first || !self.rest().starts_with(']') {
            if self.rest().is_empty() {
                self.unclosed(start, '[');
                return None;
            }
            self.class_item(&mut items);
        }
        self.next();
        if negated {
            items.push(ClassItem::Range('/', '/'));
        } else if items.is_empty() {
            // Only a slash, or what was reported: it matches nothing.
            return None;
        }
        Some(Node::Class(Class { negated, fold: false, items }))
    }

    fn class_item(&mut self, items: &mut Vec<ClassItem>) {
        let start = self.at;
        if let Some((length, members)) = posix::class_at(self.rest()) {
            self.at += length;
            let message = "POSIX classes are not supported in a path glob";
            self.problems.push(
                PatternProblem::new(&UNSUPPORTED_PATTERN, start..self.at, message)
                    .help(format!("write `{members}`"))
                    .rewrite(members),
            );
            return;
        }
        let Some(low) = self.class_character() else { return };
        let rest = self.rest();
        let is_range = rest.starts_with('-') && !rest.starts_with("-]") && rest.len() > 1;
        let high = if is_range {
            self.next();
            self.class_character().unwrap_or(low)
        } else {
            low
        };
        let range = start..self.at;
        if low > high {
            let written = self.text.get(range.clone()).unwrap_or_default();
            let message = format!("the range `{written}` runs backwards");
            self.problems.push(
                PatternProblem::invalid(range, message)
                    .help("write the smaller character first, or `\\-` for a hyphen"),
            );
        } else if low == '/' && high == '/' {
            self.problems.push(
                PatternProblem::invalid(
                    range,
                    "brackets match one character of a name, so never `/`",
                )
                .help("write alternatives in braces: `{a,b/c}`"),
            );
        } else {
            push_without_slash(items, low, high);
        }
    }

    fn class_character(&mut self) -> Option<char> {
        if self.eat("\\") && self.rest().is_empty() {
            return None;
        }
        self.next()
    }
}

fn literal(character: char) -> Node {
    Node::Literal { character, fold: false }
}

fn any() -> Node {
    Node::Dot { newline: true }
}

fn not_slash() -> Class {
    Class { negated: true, fold: false, items: vec![ClassItem::Range('/', '/')] }
}

fn repeated(node: Node, min: u32, max: Option<u32>) -> Node {
    let item = Box::new(Item::new(node, 0..0));
    Node::Repeat(Repeat { item, min, max, operator: 0..0 })
}

fn push_without_slash(items: &mut Vec<ClassItem>, low: char, high: char) {
    if !(low..=high).contains(&'/') {
        return items.push(ClassItem::Range(low, high));
    }
    if low < '/' {
        items.push(ClassItem::Range(low, '.'));
    }
    if high > '/' {
        items.push(ClassItem::Range('0', high));
    }
}
