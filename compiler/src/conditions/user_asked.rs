//! `user_asked`: the user asked for it, in words that a pattern finds, or that say what is to be done. The latter
//! become a pattern too (`request.rs`), so that whoever runs rules knows patterns alone.

use super::request;
use crate::decode::{Decode, OneOrMany, PatternText, Spanned, record, wrong_type};
use crate::diagnostic::Diagnostic;
use crate::expression::{Hole, Syntax};
use crate::ir::Test;
use crate::lower::Lowering;
use crate::registry::diagnostics as d;
use crate::registry::schema::Shape;
use crate::source::Span;
use crate::syntax::{Kind, Node};

record! {
    /// A request by what is to be done.
    Request, "a request" {
        /// What is to be done: a verb as one would say it, such as `push` or `roll out`, or a list of them. It counts in
        /// its other forms, too: "pushing", "do a push", "it should be pushed".
        #[required(true)]
        to: OneOrMany<Spanned<Box<str>>>,
        /// What it is to be done to: a word, or a list of them, of which one must stand behind the verb. `it` stands for
        /// what is not named: "merge", "merge this now". Without it, anything may follow.
        what: OneOrMany<Spanned<Box<str>>>,
    }
}

/// What a `user_asked` condition is given.
pub(super) const ARGUMENT: Shape = Shape::Either(&[PatternText::SHAPE, Request::SHAPE]);

/// What its forms may name.
pub(super) const HOLES: &[Hole] = &[
    Hole::value("pattern", Syntax::Pattern),
    Hole::field("to", None, Syntax::Values),
    Hole::field("what", None, Syntax::Values),
];

/// Reads a pattern, or a request.
pub(super) fn lower(node: &Node, lowering: &mut Lowering<'_>) -> Option<Test> {
    let pattern = match &node.kind {
        Kind::String(_) => lowering.pattern(node),
        Kind::Map(_) => {
            let Request { to, what } = Request::decode(node, lowering.reports)?;
            let verbs = words(to?, node.span, lowering)?;
            let objects = what.map_or(Some(Vec::new()), |what| words(what, node.span, lowering))?;
            let kind = Kind::String(request::pattern(&verbs, &objects).into());
            lowering.pattern(&Node { span: node.span, kind })
        }
        _ => {
            wrong_type(node, ARGUMENT, lowering.reports);
            None
        }
    };
    pattern.map(Test::UserAsked)
}

/// Words as they are said, in lower case; `None` after reporting one that is none.
fn words(
    written: OneOrMany<Spanned<Box<str>>>,
    whole: Span,
    lowering: &mut Lowering<'_>,
) -> Option<Vec<String>> {
    let (mut words, mut is_right) = (Vec::new(), true);
    if written.0.is_empty() {
        let message = "a request that asks for nothing is never met";
        let diagnostic = Diagnostic::new(&d::UNKNOWN_VALUE, whole, message);
        lowering.report(diagnostic.help("name what is asked for, such as `push`"));
        return None;
    }
    for word in written.0 {
        let is_said = |sign: char| sign.is_alphanumeric() || matches!(sign, ' ' | '-');
        if word.value.trim().is_empty() || !word.value.chars().all(is_said) {
            let message = format!("`{}` is no word of a request", word.value);
            let diagnostic = Diagnostic::new(&d::UNKNOWN_VALUE, word.span, message);
            let help = "write it as one would say it, such as `push` or `roll out`; for a pattern, write \
                        `user_asked: PATTERN`";
            lowering.report(diagnostic.help(help));
            is_right = false;
        }
        words.push(word.value.trim().to_lowercase());
    }
    is_right.then_some(words)
}
