//! Code that a program is told to check and not to run: of some languages a part of it runs all the same.

use super::found::Found;
use super::given::{Input, input};
use super::{Command, CommandLine, Language, written};

/// Returns whether a program runs something of what it was found to run, though it is told only to check it.
pub(super) fn runs(
    line: &CommandLine,
    (command, index): (&Command, usize),
    language: Language,
    found: &Found,
) -> bool {
    if !matches!(language, Language::Perl | Language::Ruby) {
        return false;
    }
    match found {
        Found::Code(word) => runs_when_read(language, line.text(word)),
        Found::Written(word) => written::file(line, line.text(word), index)
            .is_some_and(|file| runs_when_read(language, &file.text)),
        Found::Process(word) => written::process(line, Some(index as u32), *word)
            .is_some_and(|text| runs_when_read(language, &text)),
        Found::InputCode => match input(line, command) {
            Input::Text(text) => runs_when_read(language, &text),
            Input::Nothing | Input::Unknown => false,
        },
        Found::Wanted(_) => true,
        _ => false,
    }
}

/// Whether some of the code runs while it is read. Source: the manual page `perlmod`, of `BEGIN` and `CHECK`; `perlfunc`, of
/// `use`; `attributes`.
fn runs_when_read(language: Language, code: &str) -> bool {
    const SIGNS: [&str; 3] = ["BEGIN", "CHECK", "MODIFY_"];
    let is_read = |word: &&str| language == Language::Perl && matches!(*word, "use" | "no");
    SIGNS.iter().any(|sign| code.contains(sign))
        || statements(code).any(|(word, rest)| is_read(&word) && !is_plain_use(rest))
}

/// Each word of code with what stands behind it up to the end of its statement.
fn statements(code: &str) -> impl Iterator<Item = (&str, &str)> {
    code.split(';').flat_map(|statement| {
        let is_name = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
        statement.match_indices(is_name).filter_map(move |(at, _)| {
            let before = statement.get(..at).unwrap_or_default();
            let behind = statement.get(at..).filter(|_| !before.ends_with(is_name))?;
            behind.split_at_checked(behind.find(|sign| !is_name(sign))?)
        })
    })
}

/// Whether what stands behind `use` is no more than a module and constant texts for it.
fn is_plain_use(rest: &str) -> bool {
    let rest = rest.trim_start();
    let is_module = |sign: char| sign.is_ascii_alphanumeric() || "_:.".contains(sign);
    let mut rest = rest.trim_start_matches(is_module).trim_start();
    while let Some(sign) = rest.chars().next() {
        let quote = match sign {
            '\'' | '"' => Some((sign, rest.get(1..).unwrap_or_default())),
            'q' => rest.strip_prefix("qw(").map(|inner| (')', inner)),
            _ => None,
        };
        rest = match quote {
            Some((close, inner)) => match inner.split_once(close) {
                Some((text, behind)) if !text.contains(['$', '@', '\\', '\'', '"', '(']) => behind,
                _ => return false,
            },
            None if " \t\n,=>()0123456789.v-".contains(sign) => {
                rest.get(sign.len_utf8()..).unwrap_or_default()
            }
            None => return false,
        };
    }
    true
}

#[cfg(test)]
mod tests {
    use super::{Language, runs_when_read};

    #[test]
    fn what_runs_while_code_is_read_is_told_from_what_does_not() {
        for (code, expected) in [
            ("use strict; system('rm -rf src')", false),
            ("use List::Util qw(sum max);\nuse lib 'lib', \"x\"; f()", false),
            ("use 5.010; use POSIX 1.2 (); f()", false),
            ("BEGIN { f() }", true),
            ("UNITCHECK { f() }", true),
            ("use lib f();", true),
            ("use lib system 'rm';", true),
            ("{use lib \"@{[f()]}\"}", true),
            ("sub MODIFY_CODE_ATTRIBUTES { f() }", true),
        ] {
            assert_eq!(runs_when_read(Language::Perl, code), expected, "{code}");
        }
        assert!(!runs_when_read(Language::Ruby, "use f()"));
    }
}
