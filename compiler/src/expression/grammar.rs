//! The grammar over tokens, read by descent: `or` over `and` over `not` over conditions, each of
//! these a constant, a call, or one of the forms that conditions declare. What leaves is a tree of
//! token positions, and failures that say which tokens would have fitted. The caller has paired
//! the parentheses and bounded their depth.

use std::ops::Range;
use std::sync::LazyLock;

use super::hole::Syntax;
use super::template::{FORMS, Form, Part};
use super::token::{Comparator, Kind, Token};
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
    /// The tokens of its holes, in the order of the form.
    pub(super) holes: Vec<Range<usize>>,
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
#[derive(Clone, Debug, Default)]
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
pub(super) fn parse(tokens: &[Token]) -> (Tree, Vec<Failure>) {
    let (furthest, failures) = (Failure::default(), Vec::new());
    let mut reader = Reader { tokens, at: 0, begins: None, furthest, failures };
    let tree = reader.disjunction();
    (tree, reader.failures)
}

/// Reads on from a token, and remembers how far a way went that did not fit.
struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    /// Where a test begins whose form is looked for: what would have fitted there is a condition,
    /// not the first words of all forms.
    begins: Option<usize>,
    /// What would have fitted at the furthest token that anything failed at.
    furthest: Failure,
    failures: Vec<Failure>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<Kind> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    /// Takes the next token if it fits.
    fn take(&mut self, fits: impl Fn(Kind) -> bool) -> Option<usize> {
        let at = self.at;
        self.peek().filter(|kind| fits(*kind))?;
        self.at += 1;
        Some(at)
    }

    /// Takes the next token if it fits, and remembers what was wanted if not.
    fn expect(&mut self, want: Want, fits: impl Fn(Kind) -> bool) -> Option<usize> {
        let taken = self.take(fits);
        if taken.is_none() {
            self.miss(want);
        }
        taken
    }

    /// Takes the next token if it is of that kind, and remembers that it was wanted if not.
    fn expect_kind(&mut self, kind: Kind) -> Option<usize> {
        self.expect(want_of(kind), |next| next == kind)
    }

    /// Remembers what would have fitted here.
    fn miss(&mut self, want: Want) {
        if self.begins == Some(self.at) {
            return;
        }
        if self.at > self.furthest.at {
            self.furthest.at = self.at;
            self.furthest.wanted.clear();
        }
        if self.at == self.furthest.at {
            self.furthest.add(want);
        }
    }

    /// Reports the furthest failure, and skips to where a condition may end.
    fn recover(&mut self, from: usize) {
        self.failures.push(std::mem::take(&mut self.furthest));
        self.at = from;
        self.skip();
    }

    fn disjunction(&mut self) -> Tree {
        let mut left = self.conjunction();
        while self.take(|kind| kind == Kind::Or).is_some() {
            left = left.or(self.conjunction());
        }
        left
    }

    fn conjunction(&mut self) -> Tree {
        let mut left = self.operand();
        while self.take(|kind| kind == Kind::And).is_some() {
            left = left.and(self.operand());
        }
        left
    }

    /// A condition behind any number of `not`, up to what may stand behind it.
    fn operand(&mut self) -> Tree {
        let first = self.at;
        while self.take(|kind| kind == Kind::Not).is_some() {}
        let negations = first..self.at;
        let condition = self.condition();
        self.boundary();
        negations.rev().fold(condition, |operand, not| Tree::negated(not, operand))
    }

    /// A test or a group; something broken where it is neither.
    fn condition(&mut self) -> Tree {
        let first = self.at;
        let opens = self.take(Kind::opens);
        let tree = match opens {
            Some(open) => Some(self.group(open)),
            None => self.test().map(|test| Tree::new(Shape::Test(test), first..self.at)),
        };
        tree.unwrap_or_else(|| {
            self.recover(first);
            Tree::new(Shape::Broken, first..self.at)
        })
    }

    /// What stands in parentheses, behind the opening one.
    fn group(&mut self, open: usize) -> Tree {
        let mut tree = self.disjunction();
        if self.take(|kind| kind == Kind::RightParen).is_none() {
            self.failures.push(Failure { at: open, wanted: vec![Want::Closed] });
        }
        tree.grouped = true;
        tree
    }

    /// Goes on to where a condition may end, and reports what stands before it.
    fn boundary(&mut self) {
        if !matches!(self.peek(), None | Some(Kind::And | Kind::Or | Kind::RightParen)) {
            self.miss(Want::Connective);
            self.recover(self.at);
        }
    }

    /// Skips up to the next boundary, over parentheses that are closed. May skip nothing.
    fn skip(&mut self) {
        let mut depth = 0usize;
        while let Some(next) = self.peek() {
            match next {
                Kind::And | Kind::Or | Kind::RightParen if depth == 0 => break,
                Kind::LeftParen => depth += 1,
                Kind::RightParen => depth -= 1,
                _ => {}
            }
            self.at += 1;
        }
    }

    fn test(&mut self) -> Option<Test> {
        let first = self.at;
        let mut holes = Vec::new();
        self.begins = Some(first);
        let form = self.form(&FORMS_BY_WORDS, &mut holes);
        self.begins = None;
        if let Some(form) = form {
            return Some(Test::Form(Match { form, holes }));
        }
        self.at = first;
        match self.peek() {
            Some(Kind::True | Kind::False) => {
                let value = self.peek() == Some(Kind::True);
                self.at += 1;
                Some(Test::Constant(value))
            }
            Some(Kind::Name) => Some(self.call()),
            _ => {
                self.miss(want_of(Kind::Not));
                self.miss(Want::Condition);
                None
            }
        }
    }

    /// Any condition by its name in the registry, with one argument at most.
    fn call(&mut self) -> Test {
        let name = self.at;
        self.at += 1;
        let behind = self.at;
        let argument = self.argument();
        if argument.is_none() {
            self.at = behind;
        }
        Test::Call { name, argument }
    }

    fn argument(&mut self) -> Option<usize> {
        self.expect(Want::Open, Kind::opens)?;
        let fits = |kind: Kind| kind.is_scalar() || kind.is_name();
        let argument = self.expect(Want::Argument, fits)?;
        self.expect_kind(Kind::RightParen)?;
        Some(argument)
    }

    /// The first form of a branch that fits, with the tokens of its holes.
    fn form(
        &mut self,
        branch: &'static Branch,
        holes: &mut Vec<Range<usize>>,
    ) -> Option<&'static Form> {
        let (at, filled) = (self.at, holes.len());
        for Edge { step, next } in &branch.edges {
            if self.step(step, holes).is_some()
                && let Some(form) = self.form(next, holes)
            {
                return Some(form);
            }
            self.at = at;
            holes.truncate(filled);
        }
        branch.form
    }

    fn step(&mut self, step: &'static Step, holes: &mut Vec<Range<usize>>) -> Option<()> {
        match step {
            Step::Words(words, phrase) => self.words(words, phrase)?,
            Step::Open => drop(self.expect(Want::Open, Kind::opens)?),
            Step::Close => drop(self.expect_kind(Kind::RightParen)?),
            Step::Hole(syntax) => {
                let first = self.at;
                self.hole(*syntax)?;
                holes.push(first..self.at);
            }
        }
        Some(())
    }

    /// Words one behind the other, of which the first is told as all of them.
    fn words(&mut self, words: &[Kind], phrase: &'static str) -> Option<()> {
        for (index, word) in words.iter().enumerate() {
            let want = match (index, words.len()) {
                (0, 2..) => Want::Phrase(phrase),
                _ => want_of(*word),
            };
            self.expect(want, |kind| kind == *word)?;
        }
        Some(())
    }

    /// The tokens of a hole.
    fn hole(&mut self, syntax: Syntax) -> Option<()> {
        let quoted = |kind| kind == Kind::Quoted;
        match syntax {
            Syntax::Name(NameKind::Set) => drop(self.expect(Want::Set, Kind::is_name)?),
            Syntax::Name(_) => drop(self.expect(Want::Name, Kind::is_name)?),
            Syntax::Pattern => drop(self.expect(Want::Pattern, quoted)?),
            Syntax::Glob => drop(self.expect(Want::Glob, quoted)?),
            Syntax::Text => drop(self.expect(Want::Text, quoted)?),
            Syntax::Command => drop(self.expect(Want::Command, quoted)?),
            Syntax::Integer => self.integer()?,
            Syntax::Comparison => self.comparison()?,
            Syntax::Value => self.value()?,
            Syntax::Words(words) => {
                let kinds = words.iter().filter_map(|word| Kind::of_word(word));
                kinds.into_iter().find_map(|kind| self.expect_kind(kind))?;
            }
            Syntax::Values => self.values()?,
            Syntax::AtLeast | Syntax::Equal => {
                self.comparison()?;
                self.integer()?;
            }
            Syntax::Is => {
                let first = self.at;
                if self.is().is_none() {
                    self.at = first;
                }
            }
        }
        Some(())
    }

    fn integer(&mut self) -> Option<()> {
        self.expect(Want::Integer, |kind| kind == Kind::Integer).map(drop)
    }

    fn comparison(&mut self) -> Option<()> {
        self.expect(Want::Comparison, |kind| matches!(kind, Kind::Compare(_))).map(drop)
    }

    fn value(&mut self) -> Option<()> {
        self.expect(Want::Value, Kind::is_scalar).map(drop)
    }

    /// A list of values, with or without a comma behind the last.
    fn values(&mut self) -> Option<()> {
        self.expect_kind(Kind::LeftBracket)?;
        while self.value().is_some() && self.expect_kind(Kind::Comma).is_some() {}
        self.expect_kind(Kind::RightBracket).map(drop)
    }

    /// `is`, `==` or `!=`, and `true` or `false`.
    fn is(&mut self) -> Option<()> {
        use Comparator::{Equal, NotEqual};
        let is = Kind::Word("is");
        self.expect(want_of(is), |kind| {
            kind == is || matches!(kind, Kind::Compare(Equal | NotEqual))
        })?;
        self.expect(Want::Boolean, |kind| matches!(kind, Kind::True | Kind::False)).map(drop)
    }
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
