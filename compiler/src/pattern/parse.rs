//! Reads the syntax of Python's `re`, and those spellings of Rust's `regex` that Python does not
//! have. Never stops at a problem: it reports it and reads on, so that one run shows them all.

use std::ops::Range;

use super::syntax::{Around, Item, Look, Node, Repeat};
use super::{PatternProblem, limits};
use crate::registry::diagnostics::{PATTERN_NEVER_MATCHES, UNSUPPORTED_PATTERN};

/// Reports beyond this many say nothing new.
const MAX_PROBLEMS: usize = 100;

/// The flags that hold at a place.
#[derive(Clone, Copy)]
pub(super) struct Flags {
    pub(super) fold: bool,
    multi_line: bool,
    dot_all: bool,
    verbose: bool,
    pub(super) unicode: bool,
}

pub(super) struct Parser<'p> {
    pub(super) text: &'p str,
    /// The next byte to read.
    pub(super) at: usize,
    pub(super) flags: Flags,
    problems: Vec<PatternProblem>,
    names: Vec<&'p str>,
    depth: usize,
    /// Something that should have ended ran to the end of the pattern: what is missing behind it
    /// needs no report of its own.
    pub(super) ran_out: bool,
}

/// A `{m,n}`.
struct Counted {
    /// The least and the most; `None` where a number is too large to be read.
    counts: Option<(u32, Option<u32>)>,
    /// Bytes, braces included.
    length: usize,
}

/// Reads a whole pattern; with problems among the answers the item is only good for more reports.
pub(super) fn parse(text: &str) -> (Item, Vec<PatternProblem>) {
    let mut parser = Parser {
        text,
        at: 0,
        flags: Flags {
            fold: true,
            multi_line: false,
            dot_all: false,
            verbose: false,
            unicode: false,
        },
        problems: Vec::new(),
        names: Vec::new(),
        depth: 0,
        ran_out: false,
    };
    let mut root = parser.alternation();
    while parser.at < text.len() {
        let start = parser.at;
        if !parser.eat(')') {
            // Only after nesting too deep: nothing behind it can be placed.
            break;
        }
        parser.problem(
            PatternProblem::invalid(start..parser.at, "`)` closes a group that was never opened")
                .help("write `\\)` for the character, or delete it")
                .rewrite("\\)"),
        );
        let rest = parser.alternation();
        let range = 0..rest.range.end;
        root = Item::new(Node::Concat(join(root, rest)), range);
    }
    (root, parser.problems)
}

/// The items of two neighbours in one flat list, so that many of them do not nest.
fn join(first: Item, second: Item) -> Vec<Item> {
    let mut items = match first {
        Item { node: Node::Concat(items), .. } => items,
        other => vec![other],
    };
    items.push(second);
    items
}

impl<'p> Parser<'p> {
    pub(super) fn problem(&mut self, problem: PatternProblem) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }

    pub(super) fn unsupported(
        &mut self,
        range: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        let problem = PatternProblem::new(&UNSUPPORTED_PATTERN, range, message).help(help);
        self.problem(problem);
    }

    pub(super) fn rest(&self) -> &'p str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn slice(&self, range: Range<usize>) -> &'p str {
        self.text.get(range).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let character = self.peek()?;
        self.at += character.len_utf8();
        Some(character)
    }

    pub(super) fn eat(&mut self, character: char) -> bool {
        let there = self.peek() == Some(character);
        if there {
            self.at += character.len_utf8();
        }
        there
    }

    /// Eats characters while `wanted`, `most` of them; answers with what it ate.
    pub(super) fn eat_while(&mut self, most: usize, wanted: impl Fn(char) -> bool) -> &'p str {
        let start = self.at;
        for character in self.rest().chars().take(most).take_while(|&c| wanted(c)) {
            self.at += character.len_utf8();
        }
        self.slice(start..self.at)
    }

    fn alternation(&mut self) -> Item {
        let start = self.at;
        let first = self.concat();
        if self.peek() != Some('|') {
            return first;
        }
        let mut items = vec![first];
        while self.eat('|') {
            items.push(self.concat());
        }
        Item::new(Node::Alternation(items), start..self.at)
    }

    fn concat(&mut self) -> Item {
        let start = self.at;
        let mut items: Vec<Item> = Vec::new();
        while let Some(character) = self.peek() {
            match character {
                '|' | ')' => break,
                _ if self.flags.verbose && self.skip_blank(character) => {}
                '*' | '+' | '?' => self.repeat(&mut items),
                '{' if self.counted().is_some() => self.repeat(&mut items),
                _ => {
                    if let Some(item) = self.atom(character) {
                        items.push(item);
                    }
                }
            }
        }
        self.check_anchors(&items);
        let range = start..self.at;
        match items.pop() {
            Some(only) if items.is_empty() => only,
            Some(last) => {
                items.push(last);
                Item::new(Node::Concat(items), range)
            }
            None => Item::new(Node::Concat(items), range),
        }
    }

    /// In verbose mode, skips white space or a comment.
    fn skip_blank(&mut self, character: char) -> bool {
        match character {
            '#' => {
                self.eat_while(usize::MAX, |c| c != '\n');
                true
            }
            ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}' => {
                self.next();
                true
            }
            _ => false,
        }
    }

    /// One thing that a repetition could follow; nothing for comments and flags.
    fn atom(&mut self, character: char) -> Option<Item> {
        let start = self.at;
        let node = match character {
            '\\' => self.escape(),
            '[' => self.class(),
            '(' => self.group()?,
            '.' => self.one(Node::Dot { newline: self.flags.dot_all }),
            '^' if self.flags.multi_line => self.one(Node::Look(Look::LineStart)),
            '^' => self.one(Node::Look(Look::TextStart)),
            '$' if self.flags.multi_line => self.one(Node::Look(Look::LineEnd)),
            '$' => self.one(Node::Look(Look::TextEndOrFinalNewline)),
            character => self.one(Node::Literal { character, fold: self.flags.fold }),
        };
        Some(Item::new(node, start..self.at))
    }

    fn one(&mut self, node: Node) -> Node {
        self.next();
        node
    }

    /// The counts and the length of a `{m,n}` here; `None` where the brace is only a brace.
    fn counted(&self) -> Option<Counted> {
        let body = self.rest().strip_prefix('{')?;
        let length = body.bytes().position(|byte| !matches!(byte, b'0'..=b'9' | b','))?;
        let (body, rest) = body.split_at_checked(length)?;
        let (low, high) = body.split_once(',').unwrap_or((body, body));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !rest.starts_with('}') || body.is_empty() || !digits(low) || !digits(high) {
            return None;
        }
        let number = |text: &str| text.parse::<u32>().ok();
        let min = if low.is_empty() { Some(0) } else { number(low) };
        let max = if high.is_empty() { Some(None) } else { number(high).map(Some) };
        Some(Counted { counts: min.zip(max), length: body.len() + 2 })
    }

    fn repeat(&mut self, items: &mut Vec<Item>) {
        let start = self.at;
        let (min, max) = self.repeat_counts();
        let operator = start..self.at;
        self.repeat_suffix(&operator);
        let Some(last) = items.last() else {
            return self.nothing_to_repeat(operator, "nothing stands before it");
        };
        match &last.node {
            Node::Look(_) => {
                let place = self.slice(last.range.clone());
                let reason = format!("`{place}` is a place, not a character");
                self.nothing_to_repeat(operator, &reason);
            }
            Node::Repeat(_) => self.repeated_twice(operator),
            _ => {
                let Some(item) = items.pop() else { return };
                let range = item.range.start..self.at;
                let repeat = Repeat { item: Box::new(item), min, max, operator };
                items.push(Item::new(Node::Repeat(repeat), range));
            }
        }
    }

    fn repeat_counts(&mut self) -> (u32, Option<u32>) {
        match self.next() {
            Some('*') => return (0, None),
            Some('+') => return (1, None),
            Some('?') => return (0, Some(1)),
            _ => self.at -= 1,
        }
        let start = self.at;
        let Some(Counted { counts, length }) = self.counted() else { return (1, Some(1)) };
        self.at += length;
        let range = start..self.at;
        let written = self.slice(range.clone());
        match counts {
            Some((min, Some(max))) if max < min => {
                self.problem(
                    PatternProblem::invalid(
                        range,
                        format!("`{written}` asks for at least {min} and at most {max}"),
                    )
                    .help("write the smaller count first")
                    .rewrite(format!("{{{max},{min}}}")),
                );
                (1, Some(1))
            }
            Some(counts) => counts,
            None => {
                self.problem(
                    PatternProblem::new(
                        &crate::registry::diagnostics::PATTERN_TOO_LARGE,
                        range,
                        format!("the count in `{written}` is too large"),
                    )
                    .help("write `*` or `+` where the exact count does not matter"),
                );
                (1, Some(1))
            }
        }
    }

    /// `?` behind an operator changes nothing here; `+` forbids backtracking, which is unsupported.
    fn repeat_suffix(&mut self, operator: &Range<usize>) {
        if self.eat('?') || !self.eat('+') {
            return;
        }
        let range = operator.start..self.at;
        let (written, plain) = (self.slice(range.clone()), self.slice(operator.clone()));
        self.problem(
            PatternProblem::new(
                &UNSUPPORTED_PATTERN,
                range,
                format!("the possessive repetition `{written}` is not supported: patterns are matched without backtracking"),
            )
            .help(format!("write `{plain}`; possessive only matters where matching backtracks"))
            .rewrite(plain),
        );
    }

    fn nothing_to_repeat(&mut self, operator: Range<usize>, reason: &str) {
        let written = self.slice(operator.clone());
        let mut problem = PatternProblem::invalid(
            operator,
            format!("`{written}` has nothing to repeat: {reason}"),
        );
        let literal = format!("\\{written}");
        problem = match written {
            "*" => {
                problem.help("write `.*` for any text, or `\\*` for the character").rewrite(".*")
            }
            "?" => {
                problem.help("write `.` for any character, or `\\?` for the character").rewrite(".")
            }
            _ => problem.help(format!("write `{literal}` for the characters")).rewrite(literal),
        };
        self.problem(problem);
    }

    fn repeated_twice(&mut self, operator: Range<usize>) {
        let written = self.slice(operator.clone());
        self.problem(
            PatternProblem::invalid(operator, format!("`{written}` repeats a repetition"))
                .help(if written == "*" {
                    "write one `*`; for any text, as `**` in a path glob, write `.*`"
                } else {
                    "write one of the two, or put what the first repeats in a group: `(?:…)`"
                })
                .rewrite(""),
        );
    }

    /// Everything that starts with `(`; nothing where it only sets flags or comments.
    fn group(&mut self) -> Option<Node> {
        let start = self.at;
        self.next();
        if !self.eat('?') {
            return Some(self.group_body(start));
        }
        match self.peek() {
            Some('#') => self.comment(start),
            Some('P') => Some(self.group_p(start)),
            Some('<') => Some(self.group_angle(start)),
            Some(':') => Some(self.skip_then_body(start, 1)),
            Some('=') => Some(self.around(start, 1, true, false)),
            Some('!') => Some(self.around(start, 1, true, true)),
            Some('>') => Some(self.atomic(start)),
            Some('(') => Some(self.conditional(start)),
            Some('|') => Some(self.branch_reset(start)),
            Some('R' | '&' | '0'..='9') => Some(self.recursion(start)),
            _ => self.flag_group(start),
        }
    }

    fn skip_then_body(&mut self, start: usize, bytes: usize) -> Node {
        self.at += bytes;
        self.group_body(start)
    }

    /// The alternatives of a group and its `)`. `start` is where the group opened.
    fn group_body(&mut self, start: usize) -> Node {
        Node::Group(Box::new(self.group_inner(start)))
    }

    fn group_inner(&mut self, start: usize) -> Item {
        if self.depth >= limits::NESTING {
            self.problem(limits::too_deep(start..self.at));
            self.at = self.text.len();
            self.ran_out = true;
            return Item::new(Node::Broken, start..self.at);
        }
        self.depth += 1;
        let (flags, opened) = (self.flags, start..self.at);
        let inner = self.alternation();
        self.flags = flags;
        self.depth -= 1;
        if !self.eat(')') && !self.ran_out {
            self.unclosed(opened);
        }
        inner
    }

    fn unclosed(&mut self, opened: Range<usize>) {
        let written = self.slice(opened.clone());
        let mut problem = PatternProblem::invalid(
            opened,
            format!("the group that `{written}` opens is never closed"),
        )
        .help("add `)` where it ends, or write `\\(` for the character");
        if written == "(" {
            problem = problem.rewrite("\\(");
        }
        self.problem(problem);
    }

    fn comment(&mut self, start: usize) -> Option<Node> {
        self.eat_while(usize::MAX, |c| c != ')');
        if !self.eat(')') {
            self.ran_out = true;
            self.problem(
                PatternProblem::invalid(start..self.at, "the comment `(?#` is never closed")
                    .help("add `)` where it ends"),
            );
        }
        None
    }

    /// `(?P…`: a name, a back-reference, or a call of a group.
    fn group_p(&mut self, start: usize) -> Node {
        self.next();
        match self.peek() {
            Some('<') => {
                self.next();
                self.name(start);
                self.group_body(start)
            }
            Some('=') => {
                self.eat_while(usize::MAX, |c| c != ')');
                self.eat(')');
                self.back_reference(start);
                Node::Broken
            }
            Some('>') => self.recursion(start),
            _ => {
                self.unknown_group(start);
                self.group_body(start)
            }
        }
    }

    /// `(?<…`: look-behind, or a name in Rust's spelling.
    fn group_angle(&mut self, start: usize) -> Node {
        self.next();
        match self.peek() {
            Some('=') => self.around(start, 1, false, false),
            Some('!') => self.around(start, 1, false, true),
            _ => {
                self.name(start);
                self.group_body(start)
            }
        }
    }

    /// A group's name and its `>`. Names have no use here, but a wrong one is a slip.
    fn name(&mut self, start: usize) {
        let from = self.at;
        let name = self.eat_while(usize::MAX, |c| c != '>' && c != ')');
        let range = from..self.at;
        if !self.eat('>') {
            let help = "write `(?P<name>…)`";
            let written = start..self.at;
            let message = "the name of this group has no closing `>`";
            return self.problem(PatternProblem::invalid(written, message).help(help));
        }
        let mut characters = name.chars();
        let word = |c: char| c == '_' || c.is_alphanumeric();
        let good = characters.next().is_some_and(|c| word(c) && !c.is_numeric());
        if !good || !characters.all(word) {
            let message = format!("`{name}` is not a name for a group");
            let help = "a name has letters, digits and `_`, and does not start with a digit";
            self.problem(PatternProblem::invalid(range, message).help(help));
        } else if self.names.contains(&name) {
            let message = format!("the group name `{name}` is used twice");
            let help = "names have no effect in a pattern; `(?:…)` groups without one";
            self.problem(PatternProblem::invalid(range, message).help(help));
        } else {
            self.names.push(name);
        }
    }

    /// Look-around is read like a group; what to say of it depends on where it stands.
    fn around(&mut self, start: usize, bytes: usize, ahead: bool, negated: bool) -> Node {
        self.at += bytes;
        let inner = Box::new(self.group_inner(start));
        Node::Around(Around { ahead, negated, inner })
    }

    fn atomic(&mut self, start: usize) -> Node {
        let node = self.skip_then_body(start, 1);
        let range = start..self.at;
        let plain = self.slice(range.clone()).replacen("(?>", "(?:", 1);
        self.problem(
            PatternProblem::new(
                &UNSUPPORTED_PATTERN,
                range,
                "the atomic group `(?>…)` is not supported: patterns are matched without backtracking",
            )
            .help("write `(?:…)`; atomic only matters where matching backtracks")
            .rewrite(plain),
        );
        node
    }

    fn conditional(&mut self, start: usize) -> Node {
        self.next();
        self.eat_while(usize::MAX, |c| c != ')');
        self.eat(')');
        let node = self.group_body(start);
        self.unsupported(
            start..self.at,
            "the conditional `(?(…)…)` is not supported: it needs a backtracking engine",
            "write both cases out as alternatives: `with the group|without it`",
        );
        node
    }

    fn branch_reset(&mut self, start: usize) -> Node {
        let node = self.skip_then_body(start, 1);
        let range = start..self.at;
        let plain = self.slice(range.clone()).replacen("(?|", "(?:", 1);
        let message = "the branch reset group `(?|…)` is not supported";
        self.problem(
            PatternProblem::new(&UNSUPPORTED_PATTERN, range, message)
                .help("write `(?:…)`; nothing is captured in a pattern")
                .rewrite(plain),
        );
        node
    }

    fn recursion(&mut self, start: usize) -> Node {
        self.eat_while(usize::MAX, |c| c != ')');
        self.eat(')');
        let written = self.slice(start..self.at);
        self.unsupported(
            start..self.at,
            format!("the recursion `{written}` is not supported: it needs a backtracking engine"),
            "write out what it should match, as deep as you need it",
        );
        Node::Broken
    }

    pub(super) fn back_reference(&mut self, start: usize) {
        let written = self.slice(start..self.at);
        self.unsupported(
            start..self.at,
            format!(
                "the back-reference `{written}` is not supported: it needs a backtracking engine"
            ),
            "write out what the group can match, or accept any text in its place",
        );
    }

    fn unknown_group(&mut self, start: usize) {
        self.next();
        let written = self.slice(start..self.at);
        self.problem(
            PatternProblem::invalid(start..self.at, format!("`{written}` opens no kind of group"))
                .help("write `(?:…)` to group, `(?P<name>…)` to name a group, `\\(` for the character"),
        );
    }

    /// `(?flags)` and `(?flags:…)`.
    fn flag_group(&mut self, start: usize) -> Option<Node> {
        let from = self.at;
        let written = self.eat_while(usize::MAX, |c| c.is_ascii_alphabetic() || c == '-');
        let end = self.peek();
        if written.is_empty() || !matches!(end, Some(':' | ')')) {
            self.unknown_group(start);
            return Some(self.group_body(start));
        }
        let outer = self.flags;
        self.set_flags(from, written);
        self.next();
        if end == Some(')') {
            return None;
        }
        let node = self.group_body(start);
        self.flags = outer;
        Some(node)
    }

    fn set_flags(&mut self, from: usize, written: &str) {
        let mut on = true;
        for (offset, flag) in written.char_indices() {
            let at = from + offset;
            match flag {
                '-' if on && offset + 1 < written.len() => on = false,
                'i' => self.flags.fold = on,
                'm' => self.flags.multi_line = on,
                's' => self.flags.dot_all = on,
                'x' => self.flags.verbose = on,
                'u' => self.flags.unicode = on,
                'a' => self.flags.unicode = !on,
                // Greediness, which cannot be told from whether a pattern matches.
                'U' => {}
                other => self.problem(
                    PatternProblem::invalid(at..at + 1, format!("`{other}` is not a flag here"))
                        .help("the flags are `i`, `m`, `s`, `x`, `a` and `u`"),
                ),
            }
        }
    }

    /// Warns of `$` before what must follow it, and of `^` behind it: they never match.
    fn check_anchors(&mut self, items: &[Item]) {
        for (index, item) in items.iter().enumerate() {
            let (blocking, role) = match item.node {
                Node::Look(Look::TextEndOrFinalNewline | Look::TextEnd) => {
                    (items.iter().skip(index + 1).any(|item| item.min_len() > 0), "end")
                }
                Node::Look(Look::TextStart) => {
                    (items.iter().take(index).any(|item| item.min_len() > 0), "start")
                }
                _ => continue,
            };
            if !blocking {
                continue;
            }
            let written = self.slice(item.range.clone());
            let order = if role == "end" { "after" } else { "before" };
            let mut problem = PatternProblem::new(
                &PATTERN_NEVER_MATCHES,
                item.range.clone(),
                format!(
                    "`{written}` is the {role} of the whole text, so what stands {order} it never matches"
                ),
            );
            problem = if written.starts_with('\\') {
                problem.help(format!("delete it, or move it to the {role} of the pattern"))
            } else {
                problem
                    .help(format!("write `\\{written}` for the character, or start the pattern with `(?m)` for the {role} of each line"))
                    .rewrite(format!("\\{written}"))
            };
            self.problem(problem);
        }
    }
}
