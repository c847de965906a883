//! The grammar over tokens: alternatives with `|` between them, each words or a call. What leaves
//! is a list of token positions, and failures that say what would have fitted.

use super::token::{Kind, Token};

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

/// Reads tokens. There is an alternative for each, [`Tree::Broken`] where something failed.
pub(super) fn parse(tokens: &[Token]) -> (Vec<Tree>, Vec<Failure>) {
    let mut reader = Reader { tokens, at: 0, failures: Vec::new() };
    let mut alternatives = vec![reader.alternative()];
    while reader.take(Kind::Bar).is_some() {
        alternatives.push(reader.alternative());
    }
    (alternatives, reader.failures)
}

struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    failures: Vec<Failure>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<Kind> {
        self.tokens.get(self.at).map(|token| token.kind)
    }

    /// Takes the next token if it is of that kind.
    fn take(&mut self, kind: Kind) -> Option<usize> {
        let at = self.at;
        (self.peek()? == kind).then(|| self.at += 1)?;
        Some(at)
    }

    /// One alternative with the blanks around it, up to the next `|`.
    fn alternative(&mut self) -> Tree {
        self.take(Kind::Blank);
        let found = self.call_or_words().unwrap_or_else(|| {
            self.recover(Want::Alternative);
            Tree::Broken
        });
        self.take(Kind::Blank);
        if !matches!(self.peek(), None | Some(Kind::Bar)) {
            self.recover(Want::Separator);
        }
        found
    }

    fn call_or_words(&mut self) -> Option<Tree> {
        let first = self.take(Kind::Text)?;
        if self.take(Kind::Open).is_some() {
            let body = self.take(Kind::Body)?;
            self.take(Kind::Close)?;
            return Some(Tree::Call { head: first, body });
        }
        let mut last = first;
        while let Some(&[Token { kind: Kind::Blank, .. }, Token { kind: Kind::Text, .. }]) =
            self.tokens.get(last + 1..last + 3)
        {
            last += 2;
        }
        self.at = last + 1;
        Some(Tree::Words { first, last, has_blank: last > first })
    }

    /// Reports what would have fitted here, and skips up to the next `|`. May skip nothing.
    fn recover(&mut self, want: Want) {
        self.failures.push(Failure { at: self.at, want });
        while self.peek().is_some_and(|next| next != Kind::Bar) {
            self.at += 1;
        }
    }
}
