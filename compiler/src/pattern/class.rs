//! What stands between brackets, as Python reads it: no nesting, no set operations.

use std::ops::Range;

use super::escape::Escaped;
use super::parse::Parser;
use super::syntax::{Class, ClassItem, Node};
use super::{PatternProblem, posix};
use crate::registry::diagnostics::{POSIX_CLASS_IN_PATTERN, SET_OPERATION_IN_PATTERN};

impl Parser<'_> {
    /// `[…]`.
    pub(super) fn class(&mut self) -> Node {
        let start = self.at;
        self.warn_of_bare_posix_class();
        self.next();
        let negated = self.eat('^');
        let first = self.at;
        let mut items = Vec::new();
        let mut broken = false;
        loop {
            if self.at >= self.text.len() {
                self.unclosed_class(start);
                return Node::Broken;
            }
            if self.at > first && self.eat(']') {
                break;
            }
            self.warn_inside_class();
            match self.class_item() {
                Some(item) => items.push(item),
                None => broken = true,
            }
        }
        if broken {
            return Node::Broken;
        }
        Node::Class(Class { negated, fold: self.flags.fold, items })
    }

    fn unclosed_class(&mut self, start: usize) {
        if !self.ran_out {
            self.ran_out = true;
            self.problem(
                PatternProblem::invalid(
                    start..start + 1,
                    "the class that `[` opens is never closed",
                )
                .help("add `]` where it ends, or write `\\[` for the character")
                .rewrite("\\["),
            );
        }
    }

    /// One character, set or range.
    fn class_item(&mut self) -> Option<ClassItem> {
        let start = self.at;
        let low = self.class_member();
        let rest = self.rest();
        // A hyphen before the closing bracket is a hyphen.
        if !rest.starts_with('-') || rest.starts_with("-]") || rest.len() == 1 {
            return low.into();
        }
        self.next();
        let high = self.class_member();
        let range = start..self.at;
        match (low, high) {
            (Escaped::Character(low), Escaped::Character(high)) if low <= high => {
                Some(ClassItem::Range(low, high))
            }
            (Escaped::Character(_), Escaped::Character(_)) => {
                self.backward_range(range);
                None
            }
            (Escaped::Broken, _) | (_, Escaped::Broken) => None,
            _ => {
                self.range_of_sets(range);
                None
            }
        }
    }

    fn class_member(&mut self) -> Escaped {
        if self.peek() == Some('\\') {
            return self.escaped(true);
        }
        self.next().map_or(Escaped::Broken, Escaped::Character)
    }

    fn backward_range(&mut self, range: Range<usize>) {
        let written = self.slice(range.clone());
        let mut problem =
            PatternProblem::invalid(range, format!("the range `{written}` runs backwards"))
                .help("write the smaller character first, or `\\-` for a hyphen");
        let mut characters = written.chars();
        if let (Some(low), Some('-'), Some(high), None) =
            (characters.next(), characters.next(), characters.next(), characters.next())
        {
            let swapped =
                if high == '-' { format!("{low}\\-\\-") } else { format!("{high}-{low}") };
            problem = problem.rewrite(swapped);
        }
        self.problem(problem);
    }

    fn range_of_sets(&mut self, range: Range<usize>) {
        let written = self.slice(range.clone());
        let message = format!(
            "`{written}` is not a range: a set such as `\\w` has no first and last character"
        );
        self.problem(
            PatternProblem::invalid(range, message)
                .help("write `\\-` for a hyphen")
                .rewrite(written.replacen('-', "\\-", 1)),
        );
    }

    /// `[:alpha:]` without a second pair of brackets.
    fn warn_of_bare_posix_class(&mut self) {
        if let Some((length, members)) = posix::class_at(self.rest()) {
            let range = self.at..self.at + length;
            self.warn_of_posix(range, format!("[{members}]"));
        }
    }

    /// What Rust or other engines would read as more than characters.
    fn warn_inside_class(&mut self) {
        if let Some((length, members)) = posix::class_at(self.rest()) {
            let range = self.at..self.at + length;
            self.warn_of_posix(range, members.to_owned());
        }
        let Some(operator) = self.rest().get(..2) else { return };
        if matches!(operator, "&&" | "~~") {
            let range = self.at..self.at + 2;
            let message = format!(
                "`{operator}` in a class stands for the character, not for an operation on sets"
            );
            let single = operator.get(..1).unwrap_or_default();
            self.problem(
                PatternProblem::new(&SET_OPERATION_IN_PATTERN, range, message)
                    .help(format!("write `{single}` once if the character is meant; otherwise write out the characters of the resulting set"))
                    .rewrite(single),
            );
        }
    }

    fn warn_of_posix(&mut self, range: Range<usize>, rewrite: String) {
        let written = self.slice(range.clone());
        let message = format!(
            "`{written}` stands for its characters one by one, not for the class of that name"
        );
        self.problem(
            PatternProblem::new(&POSIX_CLASS_IN_PATTERN, range, message)
                .help(format!("write `{rewrite}`"))
                .rewrite(rewrite),
        );
    }
}
