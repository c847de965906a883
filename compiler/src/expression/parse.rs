//! Reads an expression: tokens, grammar, and what that gives in terms of conditions.

use std::ops::Range;

use super::token::{self, Kind, Token};
use super::tree::Expr;
use super::{grammar, lower, message};
use crate::fragment::{MAX_PROBLEMS, Problem, Spanned};

/// The longest expression that is read, in bytes.
pub const MAX_LENGTH: usize = 64 * 1024;

/// How deep parentheses and `not` may nest.
pub const MAX_DEPTH: usize = 64;

/// Reads an expression. There is a tree whenever the string is not empty, too long or too deep; it
/// holds [`Expr::Error`] where a problem made a part unreadable. Problems come in the order of the
/// text, at most [`MAX_PROBLEMS`] of them.
#[must_use]
pub fn parse(text: &str) -> (Option<Spanned<Expr>>, Vec<Problem>) {
    if text.len() > MAX_LENGTH {
        let message = format!("this expression is longer than {} KiB", MAX_LENGTH / 1024);
        let problem = Problem::new(0..text.len(), message);
        return (None, vec![problem.help("split it over several rules")]);
    }
    let mut lexed = token::tokenize(text);
    if lexed.tokens.is_empty() {
        let problem = Problem::new(0..text.len(), "this expression is empty")
            .help("write a condition, such as `target in read_files`");
        return (None, vec![problem]);
    }
    if let Err(too_deep) = pair_parentheses(&mut lexed) {
        return (None, vec![too_deep]);
    }
    let (tree, failures) = grammar::parse(&lexed.tokens);
    let mut problems = lexed.problems;
    let messages = message::Messages { text, tokens: &lexed.tokens };
    let news = |failure: &&grammar::Failure| match lexed.unreliable_from {
        Some(from) => messages.position(failure) < from && !failure.is_unclosed(),
        None => true,
    };
    let news = failures.iter().filter(news).take(MAX_PROBLEMS);
    problems.extend(news.map(|failure| messages.problem(failure)));
    let mut lowering = lower::Lowering::new(text, &lexed.tokens, lexed.unreliable_from);
    let expression = lowering.tree(tree);
    problems.append(&mut lowering.problems);
    problems.sort_by_key(|problem| problem.range.start);
    problems.dedup_by_key(|problem| problem.range.start);
    problems.truncate(MAX_PROBLEMS);
    (Some(expression), problems)
}

/// Finds each parenthesis its partner: marks those that stay open, and reports and takes out those
/// that close nothing. Fails where nesting is too deep to go on.
pub(super) fn pair_parentheses(lexed: &mut token::Tokens) -> Result<(), Problem> {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut strays = Vec::new();
    let mut depth = 0;
    for (index, token) in lexed.tokens.iter().enumerate() {
        let base = open.last().map_or(0, |(_, depth)| *depth);
        match token.kind {
            Kind::LeftParen => {
                depth += 1;
                open.push((index, depth));
            }
            Kind::Not => depth += 1,
            Kind::RightParen => {
                if open.pop().is_none() {
                    strays.push(index);
                }
                depth = open.last().map_or(0, |(_, depth)| *depth);
            }
            _ => depth = base,
        }
        if depth > MAX_DEPTH {
            return Err(too_deep(token.range.clone()));
        }
    }
    for (index, _) in open {
        if let Some(token) = lexed.tokens.get_mut(index) {
            token.kind = Kind::UnclosedParen;
        }
    }
    take_out(lexed, &strays);
    Ok(())
}

fn too_deep(range: Range<usize>) -> Problem {
    let message = format!("parentheses and `not` nest deeper than {MAX_DEPTH} here");
    Problem::new(range, message).help("split the condition over several rules")
}

/// Reports the parentheses that close nothing, and takes them out of the tokens.
fn take_out(lexed: &mut token::Tokens, strays: &[usize]) {
    if strays.is_empty() {
        return;
    }
    let mut index = 0;
    let mut strays = strays.iter().copied().peekable();
    let problems = &mut lexed.problems;
    lexed.tokens.retain(|Token { range, .. }| {
        let stray = strays.next_if_eq(&index).is_some();
        index += 1;
        if stray && problems.len() < 2 * MAX_PROBLEMS {
            let problem = Problem::new(range.clone(), "this `)` closes nothing")
                .help("delete it, or open it with `(` further left")
                .fix(range.clone(), "");
            problems.push(problem);
        }
        !stray
    });
}
