//! What to say about a failure of the grammar: what would have fitted, behind what, and what stands
//! there instead.

use std::ops::Range;

use behavior_image::code::PathKind;

use super::grammar::{Failure, Want};
use super::phrases::subject;
use super::template::HEADS;
use super::token::{Kind, Token, quote};
use crate::fragment::{Problem, excerpt};
use crate::nearest::closest;

pub(super) struct Messages<'t> {
    pub(super) text: &'t str,
    pub(super) tokens: &'t [Token],
}

impl<'t> Messages<'t> {
    /// Where in the text a failure is.
    pub(super) fn position(&self, failure: &Failure) -> usize {
        self.range(failure.at).start
    }

    /// What to tell the author.
    pub(super) fn problem(&self, failure: &Failure) -> Problem {
        let range = self.range(failure.at);
        if failure.is_unclosed() {
            return Problem::new(range, "this `(` is never closed").help("add `)` where it ends");
        }
        let mut message = format!("expected {}", expected(&failure.wanted));
        if let Some(before) = self.before(failure.at) {
            message += &format!(" after `{}`", excerpt(before));
        }
        message += &match self.slice(failure.at) {
            Some(found) => format!(", found `{}`", excerpt(found)),
            None => ", but the expression ends here".to_owned(),
        };
        let mut problem = Problem::new(range, message);
        self.advise(failure, &mut problem);
        problem
    }

    /// The bytes of a token; an empty range behind the last one at the end.
    pub(super) fn range(&self, at: usize) -> Range<usize> {
        let end = || self.tokens.last().map_or(0, |token| token.range.end);
        self.tokens.get(at).map_or_else(|| end()..end(), |token| token.range.clone())
    }

    /// The words from a token on, up to what joins conditions or closes a parenthesis.
    fn words(&self, at: usize) -> (Range<usize>, &'t str) {
        let is_end = |token: &&Token| matches!(token.kind, Kind::And | Kind::Or | Kind::RightParen);
        let tokens = self.tokens.get(at..).unwrap_or_default();
        let count = tokens.iter().position(|token| is_end(&token)).unwrap_or(tokens.len());
        let last = at + count.max(1) - 1;
        let range = self.range(at).start..self.range(last).end;
        (range.clone(), self.text.get(range).unwrap_or_default())
    }

    /// The text from a token on, up to a blank.
    fn unbroken(&self, at: usize) -> (Range<usize>, &'t str) {
        let start = self.range(at).start;
        let rest = self.text.get(start..).unwrap_or_default();
        let length =
            rest.find(|sign: char| sign.is_whitespace() || sign == ')').unwrap_or(rest.len());
        let length = length.max(self.range(at).len());
        (start..start + length, self.text.get(start..start + length).unwrap_or_default())
    }

    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    pub(super) fn slice(&self, at: usize) -> Option<&'t str> {
        self.text.get(self.tokens.get(at)?.range.clone())
    }

    /// What stands before a token: a whole call such as `counter(x)`, or one token.
    fn before(&self, at: usize) -> Option<&'t str> {
        let last = at.checked_sub(1)?;
        let first = match self.kind(last)? {
            Kind::RightParen => self.call_start(last).unwrap_or(last),
            _ => last,
        };
        self.text.get(self.tokens.get(first)?.range.start..self.tokens.get(last)?.range.end)
    }

    /// The word before the parenthesis whose partner is at `close`, for calls with one argument.
    pub(super) fn call_start(&self, close: usize) -> Option<usize> {
        let head = close.checked_sub(3)?;
        let opens = self.kind(head + 1)? == Kind::LeftParen;
        let word = self.kind(head)?;
        (opens && (word == Kind::Name || word.word().is_some())).then_some(head)
    }

    /// Looks for the slip behind a failure.
    fn advise(&self, failure: &Failure, problem: &mut Problem) {
        let range = problem.range.clone();
        let Some((found, kind)) = self.slice(failure.at).zip(self.kind(failure.at)) else { return };
        let wants = |want| failure.wanted.contains(&want);
        if self.advise_on_phrase(failure, problem) {
            return;
        }
        let wants_text = [Want::Pattern, Want::Glob, Want::Text, Want::Command, Want::Value];
        let is_word = kind == Kind::Name || kind.word().is_some();
        if found == "class" && wants(Want::Command) {
            let (_, words) = self.words(failure.at);
            let class =
                words.trim_start_matches("class").trim_matches([' ', ':', '=', '"', '\'', ')']);
            let class = if class.is_empty() { "NAME" } else { class };
            problem.help = Some(format!(
                "a class of commands has no form here: write the condition as `{{ runs: {{ class: {} }} }}`",
                excerpt(class)
            ));
        } else if is_word && wants(Want::Command) {
            let (range, command) = self.words(failure.at);
            let quoted = quote(command);
            problem.help = Some(format!("put the command in quotes: `{}`", excerpt(&quoted)));
            problem.fix = Some((range, quoted));
        } else if is_word && wants(Want::Glob) && is_path_kind(found) {
            problem.help = Some(format!("for files of this kind write `is {found}`"));
            problem.fix = Some((range, format!("is {found}")));
        } else if is_word && wants(Want::Glob) {
            let (range, path) = self.unbroken(failure.at);
            let quoted = quote(path);
            problem.help = Some(format!("put a path in quotes: `{}`", excerpt(&quoted)));
            problem.fix = Some((range, quoted));
        } else if is_word && wants_text.into_iter().any(wants) {
            let quoted = quote(found);
            problem.help = Some(format!("put text in quotes: `{quoted}`"));
            problem.fix = Some((range, quoted));
        } else if matches!(kind, Kind::And | Kind::Or | Kind::Not)
            && (wants(Want::Name) || wants(Want::Set))
        {
            problem.help = Some(format!(
                "a name that is a word of the language goes in quotes: `\"{found}\"`"
            ));
        } else if wants(Want::Integer) && kind == Kind::Decimal {
            problem.help = Some(match found.parse::<f64>() {
                Ok(number) if number.abs() < 1e15 => {
                    format!("it counts in whole numbers: write `{}`", number.ceil())
                }
                _ => format!("whole numbers go up to {}", i64::MAX),
            });
        } else if kind == Kind::Unknown && matches!(found, "“" | "”" | "„" | "‘" | "’" | "«" | "»")
        {
            problem.help = Some("use straight quotes: `\"`".to_owned());
        } else if is_word && let Some(word) = closest(found, failure.wanted.iter().filter_map(word))
        {
            problem.help = Some(format!("did you mean `{word}`?"));
            problem.fix = Some((range, word.to_owned()));
        } else if wants(Want::Connective) {
            self.advise_on_head(failure.at, problem);
        }
    }

    /// Behind a condition that reads on, the condition's name may be a misspelt word.
    fn advise_on_head(&self, at: usize, problem: &mut Problem) {
        let Some(last) = at.checked_sub(1) else { return };
        let head = match self.kind(last) {
            Some(Kind::RightParen) => self.call_start(last),
            _ => Some(last),
        };
        let Some(head) = head.filter(|head| self.kind(*head) == Some(Kind::Name)) else { return };
        let Some(written) = self.slice(head) else { return };
        if let Some(subject) = subject(written) {
            problem.help = Some(format!("did you mean `{subject}` instead of `{written}`?"));
            problem.fix = Some((self.range(head), subject));
            return;
        }
        if let Some(meant) = closest(written, HEADS.iter().copied()) {
            problem.help = Some(format!("did you mean `{meant}` instead of `{written}`?"));
            problem.fix = Some((self.range(head), meant.to_owned()));
        } else if head == last && matches!(self.kind(at), Some(Kind::Compare(_))) {
            let counter = format!("counter({written})");
            problem.help = Some(format!("did you mean `{counter}` instead of `{written}`?"));
            problem.fix = Some((self.range(head), counter));
        }
    }
}

fn is_path_kind(word: &str) -> bool {
    PathKind::ALL.iter().any(|kind| kind.name() == word)
}

fn word(want: &Want) -> Option<&'static str> {
    match want {
        Want::Word(kind) => kind.word(),
        Want::Phrase(words) => words.split(' ').next().filter(|word| *word != "not"),
        _ => None,
    }
}

/// The list of what would have fitted, in the order of the grammar.
fn expected(wanted: &[Want]) -> String {
    let says_enough = |want: &Want| match want {
        Want::Condition => true,
        _ => !wanted.contains(&Want::Condition),
    };
    // Whatever may stand behind a condition may also stand in an argument's place; say it once.
    let redundant = |want: &Want| {
        wanted.contains(&Want::Connective) && matches!(want, Want::Open | Want::Close)
    };
    let mut names: Vec<String> = Vec::new();
    for want in wanted.iter().filter(|want| says_enough(want) && !redundant(want)) {
        match want {
            Want::Word(kind) => names.extend(kind.word().map(|word| format!("`{word}`"))),
            Want::Phrase(words) => names.push(format!("`{words}`")),
            _ => names.extend(describe(*want).iter().map(ToString::to_string)),
        }
    }
    match names.split_last() {
        None => "something else".to_owned(),
        Some((only, [])) => only.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

/// What would have fitted, one alternative each; words speak for themselves.
fn describe(want: Want) -> &'static [&'static str] {
    match want {
        Want::Condition => &["a condition"],
        Want::Connective => &["`and`", "`or`"],
        Want::Comparison => &["a comparison such as `>=`"],
        Want::Integer => &["a whole number"],
        Want::Name => &["a name"],
        Want::Set => &["the name of a set"],
        Want::Pattern => &["a pattern in quotes"],
        Want::Glob => &["a path pattern in quotes"],
        Want::Text => &["a text in quotes"],
        Want::Command => &["a command in quotes"],
        Want::Value => &["a text in quotes", "a number", "`true`", "`false`"],
        Want::Boolean => &["`true`", "`false`"],
        Want::Argument => &["a name", "a text in quotes", "a number"],
        Want::Open => &["`(`"],
        Want::Close | Want::Closed => &["`)`"],
        Want::List => &["a list such as `[\"a\", \"b\"]`"],
        Want::ListEnd => &["`]`"],
        Want::Comma => &["`,`"],
        Want::Word(_) | Want::Phrase(_) => &[],
    }
}
