//! The grammar over tokens. The parser library stays in here: what leaves is a list of token
//! positions, and failures that say what would have fitted.

use std::cell::OnceCell;

use chumsky::error::{Error, LabelError};
use chumsky::input::{InputRef, Stream};
use chumsky::prelude::*;
use chumsky::util::MaybeRef;
use chumsky::{Boxed, DefaultExpected};

use super::token::Kind;

/// An alternative, by the positions of its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    /// Words, from one token to another.
    Words { first: usize, last: usize, has_blank: bool },
    /// `head(body)`.
    Call { head: usize, body: usize },
    /// Something that failed and was reported.
    Broken,
}

/// What would have fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    Alternative,
    Separator,
}

/// Where the grammar did not fit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failure {
    /// The token that did not fit; one past the last at the end.
    pub at: usize,
    pub want: Want,
}

type Input = Stream<std::vec::IntoIter<Kind>>;
type Extra = extra::Err<Failure>;

impl Error<'static, Input> for Failure {
    fn merge(self, other: Self) -> Self {
        // Blanks may stand anywhere; what else would have fitted tells more.
        if other.want == Want::Alternative { other } else { self }
    }
}

impl LabelError<'static, Input, DefaultExpected<'static, Kind>> for Failure {
    fn expected_found<Items: IntoIterator<Item = DefaultExpected<'static, Kind>>>(
        _: Items,
        _found: Option<MaybeRef<'static, Kind>>,
        span: SimpleSpan,
    ) -> Self {
        Self { at: span.start, want: Want::Separator }
    }
}

impl LabelError<'static, Input, Want> for Failure {
    fn expected_found<Items: IntoIterator<Item = Want>>(
        expected: Items,
        _found: Option<MaybeRef<'static, Kind>>,
        span: SimpleSpan,
    ) -> Self {
        let want = expected.into_iter().next().unwrap_or(Want::Separator);
        Self { at: span.start, want }
    }

    fn label_with(&mut self, label: Want) {
        self.want = label;
    }
}

/// Reads tokens. There is an alternative for each, [`Tree::Broken`] where something failed.
pub(super) fn parse(tokens: Vec<Kind>) -> (Option<Vec<Tree>>, Vec<Failure>) {
    thread_local! {
        /// Building the parser takes longer than reading a usual pattern.
        static PARSER: OnceCell<Boxed<'static, 'static, Input, Vec<Tree>, Extra>> =
            const { OnceCell::new() };
    }
    PARSER.with(|parser| {
        let parser = parser.get_or_init(|| pattern().boxed());
        parser.parse(Stream::from_iter(tokens)).into_output_errors()
    })
}

/// A part of the grammar.
trait Rule<O>: Parser<'static, Input, O, Extra> + Clone + 'static {}
impl<O, P: Parser<'static, Input, O, Extra> + Clone + 'static> Rule<O> for P {}

fn pattern() -> impl Rule<Vec<Tree>> {
    let blank = || token(Kind::Blank).or_not().ignored();
    let alternative = choice((call(), words()))
        .labelled(Want::Alternative)
        .recover_with(via_parser(skip().to(Tree::Broken)));
    let boundary = token(Kind::Bar)
        .ignored()
        .rewind()
        .or(end())
        .labelled(Want::Separator)
        .recover_with(via_parser(skip()));
    blank()
        .ignore_then(alternative)
        .then_ignore(blank())
        .then_ignore(boundary)
        .separated_by(token(Kind::Bar))
        .collect::<Vec<_>>()
        .then_ignore(end())
}

fn call() -> impl Rule<Tree> {
    position(Kind::Text)
        .then_ignore(token(Kind::Open))
        .then(position(Kind::Body))
        .then_ignore(token(Kind::Close))
        .map(|(head, body)| Tree::Call { head, body })
}

fn words() -> impl Rule<Tree> {
    let more = token(Kind::Blank).ignore_then(position(Kind::Text));
    position(Kind::Text).then(more.repeated().collect::<Vec<_>>()).map(|(first, more)| {
        let last = more.last().copied().unwrap_or(first);
        Tree::Words { first, last, has_blank: !more.is_empty() }
    })
}

/// Skips up to the next `|`. May skip nothing.
fn skip() -> impl Rule<()> {
    custom(|input: &mut InputRef<'static, '_, Input, Extra>| {
        while input.peek().is_some_and(|next| next != Kind::Bar) {
            input.skip();
        }
        Ok(())
    })
}

fn token(kind: Kind) -> impl Rule<Kind> {
    just::<_, Input, Extra>(kind)
}

fn position(kind: Kind) -> impl Rule<usize> {
    token(kind).map_with(|_, extra| extra.span().start)
}
