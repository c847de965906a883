//! What code is told in the words behind it: `sys.argv`, `process.argv`, `@ARGV`. As those words are the positional
//! parameters of the lines that it is read as, it is told by their numbers.

use super::language::Language;
use super::token::Token;

/// Words that code is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    /// The number of the first of them; the name of the code has none.
    pub from: u32,
    /// Whether all behind it are meant, too.
    pub is_all: bool,
    /// Whether these are one text.
    pub is_joined: bool,
}

impl Told {
    /// All but the first of them.
    pub fn rest(self) -> Self {
        Self { from: self.from.saturating_add(1), ..self }
    }

    /// The same as one text.
    pub fn joined(self) -> Self {
        Self { is_joined: true, ..self }
    }

    /// Whether it is one word.
    pub fn is_single(self) -> bool {
        self.is_joined || !self.is_all
    }

    /// As words of a shell.
    pub fn quoted(self) -> String {
        let Self { from, .. } = self;
        match (self.is_all, self.is_joined) {
            (true, false) => format!("\"${{@:{from}}}\""),
            (true, true) => format!("\"${{*:{from}}}\""),
            (false, _) => format!("\"${{{from}}}\""),
        }
    }
}

/// Returns which of its words an expression means.
pub fn told(language: Language, tokens: &[Token]) -> Option<Told> {
    // Whichever it reads at the time.
    if language == Language::Awk && matches!(tokens, [Token::Name(name)] if name == "FILENAME") {
        return Some(Told { from: 1, is_all: true, is_joined: false });
    }
    let names: &[&str] = match language {
        Language::Python => &["sys", "argv"],
        Language::JavaScript => &["process", "argv"],
        Language::Perl | Language::Ruby => &["ARGV"],
        Language::Php => &["argv"],
        Language::Awk => &["ARGV"],
        _ => return None,
    };
    let rest = match (names, tokens) {
        ([own, list], [Token::Name(first), Token::Sign('.'), Token::Name(second), rest @ ..])
            if first == own && second == list =>
        {
            rest
        }
        ([.., list], [Token::Name(first), rest @ ..]) if first == list => rest,
        _ => return None,
    };
    // Where the first word is the name of the code, the others are counted from one.
    let first = u32::from(matches!(language, Language::Perl | Language::Ruby));
    let number = |name: &str| name.parse::<u32>().ok().filter(|number| *number < 1_000);
    let told = |from: u32, is_all| Some(Told { from: from + first, is_all, is_joined: false });
    match rest {
        [] => told(0, true),
        [Token::Sign('['), Token::Name(at), Token::Sign(']')] => told(number(at)?, false),
        // Up to the last word, or to some other.
        [Token::Sign('['), Token::Name(at), Token::Sign(':' | '.'), to @ .., Token::Sign(']')]
            if to.len() <= 2 =>
        {
            told(number(at)?, true)
        }
        [
            Token::Sign('.'),
            Token::Name(slice),
            Token::Sign('('),
            Token::Name(at),
            Token::Sign(')'),
        ] if slice == "slice" => told(number(at)?, true),
        _ => None,
    }
}
