//! The grammar over tokens. The parser library stays in here: what leaves is a tree of token
//! positions, and failures that say which tokens would have fitted.

use std::cell::OnceCell;
use std::ops::Range;

use chumsky::error::{Error, LabelError};
use chumsky::input::{InputRef, Stream};
use chumsky::prelude::*;
use chumsky::util::MaybeRef;
use chumsky::{Boxed, DefaultExpected};

use super::token::Kind;

/// A tree of token positions.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) shape: Shape,
    /// The tokens it was read from, without the parentheses around it.
    pub(super) tokens: Range<usize>,
    /// Whether parentheses closed it, so that a chain around it does not swallow it.
    grouped: bool,
}

#[derive(Debug)]
pub(super) enum Shape {
    All(Vec<Tree>),
    Any(Vec<Tree>),
    Not(Box<Tree>),
    Test(Form),
    /// Something that failed and was reported.
    Broken,
}

/// A test, by the form it is written in. Numbers are positions of tokens.
#[derive(Clone, Debug)]
pub(super) enum Form {
    Counter { name: usize, comparator: usize, value: usize },
    Flag { name: usize, value: Option<(usize, usize)> },
    TargetIn { negated: bool, set: usize },
    TargetMatches(usize),
    TargetExists,
    TargetChangedSince(usize),
    Param { name: usize, test: ParamTest },
    TextMatches(usize),
    ResultMatches(usize),
    ResultFailed,
    ResultHasLintErrors,
    NoTextBeforeTools,
    FirstToolThisTurn,
    Consecutive { comparator: usize, value: usize },
    ToolCallsThisTurn { comparator: usize, value: usize },
    ContainsSecret,
    SecretIn(usize),
    SecretInParam(usize),
    Runs(usize),
    Constant(bool),
    Call { name: usize, argument: Option<usize> },
}

#[derive(Clone, Debug)]
pub(super) enum ParamTest {
    Matches(usize),
    Contains(usize),
    In { negated: bool, values: Vec<usize> },
    Compare { comparator: usize, value: usize },
}

impl Tree {
    fn new(shape: Shape, tokens: Range<usize>) -> Self {
        Self { shape, tokens, grouped: false }
    }

    fn negated(not: usize, operand: Self) -> Self {
        let tokens = not..operand.tokens.end;
        Self::new(Shape::Not(Box::new(operand)), tokens)
    }

    fn and(self, right: Self) -> Self {
        let tokens = self.tokens.start..right.tokens.end;
        match self {
            Self { shape: Shape::All(mut items), grouped: false, .. } => {
                items.push(right);
                Self::new(Shape::All(items), tokens)
            }
            left => Self::new(Shape::All(vec![left, right]), tokens),
        }
    }

    fn or(self, right: Self) -> Self {
        let tokens = self.tokens.start..right.tokens.end;
        match self {
            Self { shape: Shape::Any(mut items), grouped: false, .. } => {
                items.push(right);
                Self::new(Shape::Any(items), tokens)
            }
            left => Self::new(Shape::Any(vec![left, right]), tokens),
        }
    }
}

/// What would have fitted where a failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    Condition,
    Connective,
    Comparison,
    Integer,
    Name,
    Set,
    Pattern,
    Glob,
    Text,
    Command,
    Value,
    Boolean,
    Argument,
    NotIn,
    ChangedSince,
    LintErrors,
    Open,
    Close,
    List,
    ListEnd,
    Comma,
    /// One certain word.
    Word(Kind),
    /// Nothing: a parenthesis that is never closed is the failure.
    Closed,
}

/// Where no rule of the grammar fitted, and what would have.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    /// The token that did not fit; one past the last at the end.
    pub(super) at: usize,
    /// What would have fitted, each once.
    pub(super) wanted: Vec<Want>,
}

impl Failure {
    /// Whether it is an opening parenthesis that nothing closes.
    pub(super) fn is_unclosed(&self) -> bool {
        self.wanted.contains(&Want::Closed)
    }

    fn add(&mut self, want: Want) {
        if !self.wanted.contains(&want) {
            self.wanted.push(want);
        }
    }
}

type Input = Stream<std::vec::IntoIter<Kind>>;
type Extra = extra::Err<Failure>;

impl Error<'static, Input> for Failure {
    fn merge(mut self, other: Self) -> Self {
        for want in other.wanted {
            self.add(want);
        }
        self
    }
}

impl LabelError<'static, Input, DefaultExpected<'static, Kind>> for Failure {
    fn expected_found<Items: IntoIterator<Item = DefaultExpected<'static, Kind>>>(
        expected: Items,
        _found: Option<MaybeRef<'static, Kind>>,
        span: SimpleSpan,
    ) -> Self {
        let mut failure = Self { at: span.start, wanted: Vec::new() };
        for item in expected {
            if let DefaultExpected::Token(kind) = item {
                failure.add(want_of(*kind));
            }
        }
        failure
    }
}

impl LabelError<'static, Input, Want> for Failure {
    fn expected_found<Items: IntoIterator<Item = Want>>(
        expected: Items,
        _found: Option<MaybeRef<'static, Kind>>,
        span: SimpleSpan,
    ) -> Self {
        Self { at: span.start, wanted: expected.into_iter().collect() }
    }

    fn label_with(&mut self, label: Want) {
        self.wanted.clear();
        self.wanted.push(label);
    }
}

fn want_of(kind: Kind) -> Want {
    match kind {
        Kind::LeftParen | Kind::UnclosedParen => Want::Open,
        Kind::RightParen => Want::Close,
        Kind::LeftBracket => Want::List,
        Kind::RightBracket => Want::ListEnd,
        Kind::Comma => Want::Comma,
        word => Want::Word(word),
    }
}

/// Reads tokens. There is a tree whatever happens, with [`Shape::Broken`] where something failed.
pub(super) fn parse(tokens: Vec<Kind>) -> (Option<Tree>, Vec<Failure>) {
    thread_local! {
        /// Building the parser takes longer than reading a usual expression.
        static PARSER: OnceCell<Boxed<'static, 'static, Input, Tree, Extra>> =
            const { OnceCell::new() };
    }
    PARSER.with(|parser| {
        let parser = parser.get_or_init(|| expression().boxed());
        parser.parse(Stream::from_iter(tokens)).into_output_errors()
    })
}

/// A part of the grammar.
trait Rule<O>: Parser<'static, Input, O, Extra> + Clone + 'static {}
impl<O, P: Parser<'static, Input, O, Extra> + Clone + 'static> Rule<O> for P {}

fn expression() -> impl Rule<Tree> {
    let disjunction = recursive(|expression| {
        let group = open()
            .then(expression)
            .then(token(Kind::RightParen).to(true).or(end().to(false)))
            .validate(|((open, mut tree), closed): ((usize, Tree), bool), _, emitter| {
                if !closed {
                    emitter.emit(Failure { at: open, wanted: vec![Want::Closed] });
                }
                tree.grouped = true;
                tree
            });
        let test =
            test().map_with(|form, extra| Tree::new(Shape::Test(form), extra.span().into_range()));
        let atom = choice((test, group)).labelled(Want::Condition).recover_with(via_parser(
            skip().map_with(|(), extra| Tree::new(Shape::Broken, extra.span().into_range())),
        ));
        let operand = word_at(Kind::Not)
            .repeated()
            .foldr(atom, Tree::negated)
            .then_ignore(boundary().recover_with(via_parser(skip())));
        let conjunction =
            operand.clone().foldl(token(Kind::And).ignore_then(operand).repeated(), Tree::and);
        conjunction.clone().foldl(token(Kind::Or).ignore_then(conjunction).repeated(), Tree::or)
    });
    disjunction.then_ignore(end())
}

/// What may stand behind an operand.
fn boundary() -> impl Rule<()> {
    one_of::<_, Input, Extra>([Kind::And, Kind::Or, Kind::RightParen])
        .ignored()
        .rewind()
        .or(end())
        .labelled(Want::Connective)
}

/// Skips up to the next boundary, over parentheses that are closed. May skip nothing.
fn skip() -> impl Rule<()> {
    custom(|input: &mut InputRef<'static, '_, Input, Extra>| {
        let mut depth = 0usize;
        while let Some(next) = input.peek() {
            match next {
                Kind::And | Kind::Or | Kind::RightParen if depth == 0 => break,
                Kind::LeftParen => depth += 1,
                Kind::RightParen => depth -= 1,
                _ => {}
            }
            input.skip();
        }
        Ok(())
    })
}

fn test() -> impl Rule<Form> {
    choice((
        counter(),
        target(),
        param(),
        flag(),
        text_and_result(),
        call_state(),
        secret(),
        token(Kind::Runs)
            .ignore_then(
                quoted(Want::Command)
                    .or(quoted(Want::Command).delimited_by(open(), token(Kind::RightParen))),
            )
            .map(Form::Runs),
        token(Kind::True).to(Form::Constant(true)),
        token(Kind::False).to(Form::Constant(false)),
        call(),
    ))
    .boxed()
}

fn counter() -> impl Rule<Form> {
    token(Kind::Counter)
        .ignore_then(argument_name())
        .then(comparator())
        .then(integer())
        .map(|((name, comparator), value)| Form::Counter { name, comparator, value })
}

fn flag() -> impl Rule<Form> {
    let boolean = class(|kind| matches!(kind, Kind::True | Kind::False), Want::Boolean);
    let comparison = class(
        |kind| {
            use super::token::Comparator::{Equal, NotEqual};
            matches!(kind, Kind::Is | Kind::Compare(Equal | NotEqual))
        },
        Want::Word(Kind::Is),
    );
    token(Kind::Flag)
        .ignore_then(argument_name())
        .then(comparison.then(boolean).or_not())
        .map(|(name, value)| Form::Flag { name, value })
}

fn target() -> impl Rule<Form> {
    let exists = token(Kind::Exists)
        .then(token(Kind::Target).delimited_by(open(), token(Kind::RightParen)))
        .to(Form::TargetExists);
    let of_target = choice((
        token(Kind::In).ignore_then(set()).map(|set| Form::TargetIn { negated: false, set }),
        not_in().ignore_then(set()).map(|set| Form::TargetIn { negated: true, set }),
        token(Kind::Matches).ignore_then(quoted(Want::Glob)).map(Form::TargetMatches),
        token(Kind::Exists).to(Form::TargetExists),
        token(Kind::Changed)
            .then(token(Kind::Since))
            .labelled(Want::ChangedSince)
            .ignore_then(set())
            .map(Form::TargetChangedSince),
    ));
    token(Kind::Target).ignore_then(of_target).or(exists)
}

fn param() -> impl Rule<Form> {
    let list = value()
        .separated_by(token(Kind::Comma))
        .allow_trailing()
        .collect::<Vec<_>>()
        .delimited_by(token(Kind::LeftBracket), token(Kind::RightBracket));
    let tests = choice((
        token(Kind::Matches).ignore_then(quoted(Want::Pattern)).map(ParamTest::Matches),
        token(Kind::Contains).ignore_then(quoted(Want::Text)).map(ParamTest::Contains),
        token(Kind::In)
            .ignore_then(list.clone())
            .map(|values| ParamTest::In { negated: false, values }),
        not_in().ignore_then(list).map(|values| ParamTest::In { negated: true, values }),
        comparator()
            .then(value())
            .map(|(comparator, value)| ParamTest::Compare { comparator, value }),
    ));
    token(Kind::Param)
        .ignore_then(argument_name())
        .then(tests)
        .map(|(name, test)| Form::Param { name, test })
}

fn text_and_result() -> impl Rule<Form> {
    let matches = token(Kind::Matches).ignore_then(quoted(Want::Pattern));
    let lint = token(Kind::Has)
        .then(token(Kind::Lint))
        .then(token(Kind::Errors))
        .labelled(Want::LintErrors);
    let of_result = choice((
        matches.clone().map(Form::ResultMatches),
        token(Kind::Failed).to(Form::ResultFailed),
        lint.to(Form::ResultHasLintErrors),
    ));
    choice((
        token(Kind::Text).ignore_then(matches).map(Form::TextMatches),
        token(Kind::Result).ignore_then(of_result),
    ))
}

fn call_state() -> impl Rule<Form> {
    let comparison = || comparator().then(integer());
    choice((
        words([Kind::No, Kind::Text, Kind::Before, Kind::Tools]).to(Form::NoTextBeforeTools),
        words([Kind::First, Kind::Tool, Kind::This, Kind::Turn]).to(Form::FirstToolThisTurn),
        token(Kind::Consecutive)
            .ignore_then(comparison())
            .map(|(comparator, value)| Form::Consecutive { comparator, value }),
        token(Kind::ToolCalls)
            .ignore_then(comparison())
            .map(|(comparator, value)| Form::ToolCallsThisTurn { comparator, value }),
    ))
}

fn secret() -> impl Rule<Form> {
    let place = choice((
        word_at(Kind::Params).map(Form::SecretIn),
        word_at(Kind::Result).map(Form::SecretIn),
        word_at(Kind::Text).map(Form::SecretIn),
        token(Kind::Param).ignore_then(argument_name()).map(Form::SecretInParam),
    ));
    choice((
        words([Kind::Contains, Kind::Secret]).to(Form::ContainsSecret),
        words([Kind::Secret, Kind::In]).ignore_then(place),
    ))
}

/// Any condition by its name in the registry, with one argument at most.
fn call() -> impl Rule<Form> {
    let argument = class(|kind| kind.is_scalar() || kind.is_name(), Want::Argument);
    class(|kind| kind == Kind::Name, Want::Condition)
        .then(argument.delimited_by(open(), token(Kind::RightParen)).or_not())
        .map(|(name, argument)| Form::Call { name, argument })
}

fn token(kind: Kind) -> impl Rule<Kind> {
    just::<_, Input, Extra>(kind)
}

fn words<const N: usize>(kinds: [Kind; N]) -> impl Rule<()> {
    just::<_, Input, Extra>(kinds).ignored()
}

fn word_at(kind: Kind) -> impl Rule<usize> {
    token(kind).map_with(|_, extra| extra.span().start)
}

/// One token of those that `fits` accepts.
fn class(fits: impl Fn(Kind) -> bool + Clone + 'static, want: Want) -> impl Rule<usize> {
    any::<Input, Extra>()
        .filter(move |kind| fits(*kind))
        .map_with(|_, extra| extra.span().start)
        .labelled(want)
}

fn open() -> impl Rule<usize> {
    class(|kind| matches!(kind, Kind::LeftParen | Kind::UnclosedParen), Want::Open)
}

fn argument_name() -> impl Rule<usize> {
    class(Kind::is_name, Want::Name).delimited_by(open(), token(Kind::RightParen))
}

fn set() -> impl Rule<usize> {
    class(Kind::is_name, Want::Set)
}

fn comparator() -> impl Rule<usize> {
    class(|kind| matches!(kind, Kind::Compare(_)), Want::Comparison)
}

fn integer() -> impl Rule<usize> {
    class(|kind| kind == Kind::Integer, Want::Integer)
}

fn quoted(want: Want) -> impl Rule<usize> {
    class(|kind| kind == Kind::Quoted, want)
}

fn value() -> impl Rule<usize> {
    class(Kind::is_scalar, Want::Value)
}

fn not_in() -> impl Rule<()> {
    words([Kind::Not, Kind::In]).labelled(Want::NotIn)
}
