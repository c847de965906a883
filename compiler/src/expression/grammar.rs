//! The grammar over tokens. The parser library stays in here: what leaves is a tree of token
//! positions, and failures that say which tokens would have fitted.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::LazyLock;

use chumsky::error::{Error, LabelError};
use chumsky::input::{InputRef, Stream};
use chumsky::prelude::*;
use chumsky::util::MaybeRef;
use chumsky::{Boxed, DefaultExpected};

use super::hole::Syntax;
use super::template::{FORMS, Form, Part};
use super::token::Kind;
use crate::registry::schema::NameKind;

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
    Test(Test),
    /// Something that failed and was reported.
    Broken,
}

/// A test. Numbers are positions of tokens.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// In one of the forms that conditions declare.
    Form(Match),
    Constant(bool),
    Call {
        name: usize,
        argument: Option<usize>,
    },
}

/// What was read of a form.
#[derive(Clone, Debug)]
pub(super) struct Match {
    pub(super) form: &'static Form,
    /// The tokens of its holes, the last hole first.
    pub(super) holes: Vec<Vec<usize>>,
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
    Open,
    Close,
    List,
    ListEnd,
    Comma,
    /// One certain word.
    Word(Kind),
    /// Certain words one behind the other.
    Phrase(&'static str),
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
            test().map_with(|test, extra| Tree::new(Shape::Test(test), extra.span().into_range()));
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

fn test() -> impl Rule<Test> {
    choice((
        forms(&FORMS_BY_WORDS).map(Test::Form),
        token(Kind::True).to(Test::Constant(true)),
        token(Kind::False).to(Test::Constant(false)),
        call(),
    ))
    .boxed()
}

/// The forms of conditions, those that begin alike together.
#[derive(Debug, Default)]
struct Branch {
    edges: Vec<Edge>,
    /// The form that ends here.
    form: Option<&'static Form>,
}

#[derive(Debug)]
struct Edge {
    step: Step,
    next: Branch,
}

/// What leads from one branch to the next.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    /// Words one behind the other: each by itself, and all with blanks between them.
    Words(Vec<Kind>, String),
    Open,
    Close,
    Hole(Syntax),
}

static FORMS_BY_WORDS: LazyLock<Branch> = LazyLock::new(|| {
    let mut root = Branch::default();
    for form in FORMS.iter() {
        root.add(form, &form.parts);
    }
    root.tidy();
    root
});

impl Branch {
    fn add(&mut self, form: &'static Form, parts: &[Part]) {
        let Some((first, rest)) = parts.split_first() else {
            self.form.get_or_insert(form);
            return;
        };
        let step = match first {
            Part::Word(word) => {
                Step::Words(Kind::of_word(word).into_iter().collect(), (*word).to_owned())
            }
            Part::Open => Step::Open,
            Part::Close => Step::Close,
            Part::Hole(hole) => Step::Hole(hole.syntax),
        };
        let at = self.edges.iter().position(|edge| edge.step == step).unwrap_or_else(|| {
            self.edges.push(Edge { step, next: Branch::default() });
            self.edges.len() - 1
        });
        if let Some(edge) = self.edges.get_mut(at) {
            edge.next.add(form, rest);
        }
    }

    /// Joins words that nothing comes between, and sorts the ways to go on as they are best told.
    fn tidy(&mut self) {
        for Edge { step, next } in &mut self.edges {
            next.tidy();
            while let Step::Words(words, phrase) = step
                && next.form.is_none()
                && let [Edge { step: Step::Words(more, behind), next: after }] = &mut *next.edges
            {
                words.append(more);
                *phrase = format!("{phrase} {behind}");
                *next = std::mem::take(after);
            }
        }
        let (negated, mut edges): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.edges).into_iter().partition(|edge| edge.plain().is_some());
        edges.sort_by_key(Edge::rank);
        for edge in negated {
            let plain = edges.iter().position(|other| Some(other.words()) == edge.plain());
            edges.insert(plain.map_or(edges.len(), |at| at + 1), edge);
        }
        self.edges = edges;
    }
}

impl Edge {
    fn words(&self) -> &[Kind] {
        match &self.step {
            Step::Words(words, _) => words,
            _ => &[],
        }
    }

    /// The words behind `not`, which is told behind the same without it.
    fn plain(&self) -> Option<&[Kind]> {
        self.words().strip_prefix(&[Kind::Not])
    }

    /// One word is told before several, words that go on before those that end, and anything else
    /// last.
    fn rank(&self) -> (usize, bool) {
        match &self.step {
            Step::Words(words, _) => (words.len(), self.next.edges.is_empty()),
            Step::Hole(Syntax::Words(_)) => (0, false),
            Step::Open | Step::Close | Step::Hole(_) => (usize::MAX, false),
        }
    }
}

/// Any form of a branch.
fn forms(branch: &'static Branch) -> Boxed<'static, 'static, Input, Match, Extra> {
    let way = |edge: &'static Edge| {
        let next = forms(&edge.next);
        let with = |(tokens, mut found): (Vec<usize>, Match)| {
            found.holes.push(tokens);
            found
        };
        match &edge.step {
            Step::Words(words, phrase) => match words.as_slice() {
                [word] => token(*word).ignore_then(next).boxed(),
                _ => just::<_, Input, Extra>(words.clone())
                    .ignored()
                    .labelled(Want::Phrase(phrase))
                    .ignore_then(next)
                    .boxed(),
            },
            Step::Open => open().ignore_then(next).boxed(),
            Step::Close => token(Kind::RightParen).ignore_then(next).boxed(),
            Step::Hole(syntax) => hole(*syntax).then(next).map(with).boxed(),
        }
    };
    let mut ways: Vec<_> = branch.edges.iter().map(way).collect();
    if let Some(form) = branch.form {
        ways.push(empty().map(|()| Match { form, holes: Vec::new() }).boxed());
    }
    choice(ways).boxed()
}

/// The tokens of a hole.
fn hole(syntax: Syntax) -> Boxed<'static, 'static, Input, Vec<usize>, Extra> {
    let one = |rule: Boxed<'static, 'static, Input, usize, Extra>| rule.map(|at| vec![at]).boxed();
    let both = |(first, second): (usize, usize)| vec![first, second];
    match syntax {
        Syntax::Name(NameKind::Set) => one(class(Kind::is_name, Want::Set).boxed()),
        Syntax::Name(_) => one(class(Kind::is_name, Want::Name).boxed()),
        Syntax::Pattern => one(quoted(Want::Pattern).boxed()),
        Syntax::Glob => one(quoted(Want::Glob).boxed()),
        Syntax::Text => one(quoted(Want::Text).boxed()),
        Syntax::Command => one(quoted(Want::Command).boxed()),
        Syntax::Integer => one(integer().boxed()),
        Syntax::Comparison => one(comparator().boxed()),
        Syntax::Value => one(value().boxed()),
        Syntax::Words(words) => {
            let words = words.iter().filter_map(|word| Kind::of_word(word));
            one(choice(words.map(|kind| word_at(kind).boxed()).collect::<Vec<_>>()).boxed())
        }
        Syntax::Values => value()
            .separated_by(token(Kind::Comma))
            .allow_trailing()
            .collect::<Vec<_>>()
            .delimited_by(token(Kind::LeftBracket), token(Kind::RightBracket))
            .boxed(),
        Syntax::AtLeast | Syntax::Equal => comparator().then(integer()).map(both).boxed(),
        Syntax::Is => is()
            .then(class(|kind| matches!(kind, Kind::True | Kind::False), Want::Boolean))
            .map(both)
            .or_not()
            .map(Option::unwrap_or_default)
            .boxed(),
    }
}

/// Any condition by its name in the registry, with one argument at most.
fn call() -> impl Rule<Test> {
    let argument = class(|kind| kind.is_scalar() || kind.is_name(), Want::Argument);
    class(|kind| kind == Kind::Name, Want::Condition)
        .then(argument.delimited_by(open(), token(Kind::RightParen)).or_not())
        .map(|(name, argument)| Test::Call { name, argument })
}

fn token(kind: Kind) -> impl Rule<Kind> {
    just::<_, Input, Extra>(kind)
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

/// `is`, `==` or `!=`.
fn is() -> impl Rule<usize> {
    use super::token::Comparator::{Equal, NotEqual};
    let fits = |kind| matches!(kind, Kind::Word("is") | Kind::Compare(Equal | NotEqual));
    class(fits, Want::Word(Kind::Word("is")))
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
