//! `switch` of PowerShell, written as bash would have it: each body whose value may be the one that is compared. Knows no
//! patterns: with `-Regex` and `-Wildcard` each body may run.

use super::powershell_blocks::{CONDITION, Statements, bracket, tested};
use super::powershell_values::closing;

/// A value that bodies are compared with, and its body.
struct Case<'t> {
    value: &'t str,
    body: &'t str,
}

/// What stands behind the word `switch`.
pub(super) fn switched(reader: &impl Statements, text: &str, depth: usize) -> Option<String> {
    let (mut rest, mut is_exact) = (text.trim_start(), true);
    while rest.starts_with('-') {
        let (flag, behind) = rest.split_once(char::is_whitespace)?;
        match flag.to_ascii_lowercase().as_str() {
            "-exact" => {}
            "-regex" | "-wildcard" | "-casesensitive" => is_exact = false,
            _ => return None,
        }
        rest = behind.trim_start();
    }
    let (inner, rest) = bracket(rest, '(')?;
    let (body, rest) = bracket(rest, '{')?;
    if !rest.is_empty() {
        return None;
    }
    let cases = cases(body)?;
    let value = constant(inner).filter(|_| is_exact);
    let mut made = match constant(inner) {
        Some(_) => String::new(),
        None => format!("{}\n", tested(reader, inner, depth)?),
    };
    let known: Vec<Option<bool>> = cases.iter().map(|case| fits(case, value)).collect();
    let is_any = known.contains(&Some(true));
    let is_open = known.iter().zip(&cases).any(|(fits, case)| fits.is_none() && !is_default(case));
    for (case, fits) in cases.iter().zip(&known) {
        let fits = match is_default(case) {
            true if is_any => Some(false),
            true => (!is_open && value.is_some()).then_some(true),
            false => *fits,
        };
        let own = reader.statements(case.body, depth + 1);
        match fits {
            Some(false) => {}
            Some(true) => made.push_str(&format!("{own}\n:\n")),
            None => made.push_str(&format!("if {CONDITION}; then\n{own}\n:\nfi\n")),
        }
    }
    made.push(':');
    Some(made)
}

fn is_default(case: &Case<'_>) -> bool {
    case.value.eq_ignore_ascii_case("default")
}

/// Whether a value is that of a case; `None` where nobody knows.
fn fits(case: &Case<'_>, value: Option<&str>) -> Option<bool> {
    let own = constant(case.value).filter(|_| !is_default(case))?;
    Some(value?.eq_ignore_ascii_case(own))
}

/// A text or a number that is written out.
fn constant(text: &str) -> Option<&str> {
    let text = text.trim();
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''));
    let inner = match quote {
        Some(quote) => text.get(1..)?.strip_suffix(quote)?,
        None => text,
    };
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "_-./: ".contains(sign);
    let is_word = quote.is_some() || !inner.contains(' ');
    (is_word && inner.chars().all(is_plain)).then_some(inner)
}

/// The cases of a body, one behind the other.
fn cases(body: &str) -> Option<Vec<Case<'_>>> {
    const MAX: usize = 256;
    let mut found = Vec::new();
    let mut rest = body;
    loop {
        rest = rest.trim_start_matches(|sign: char| sign.is_whitespace() || sign == ';');
        if rest.is_empty() {
            return Some(found);
        }
        let end = match rest.chars().next()? {
            quote @ ('"' | '\'') => rest.get(1..)?.find(quote)? + 2,
            '{' | '(' => closing(rest)? + 1,
            _ => rest.find(|sign: char| sign.is_whitespace() || sign == '{')?,
        };
        let (value, behind) = rest.split_at_checked(end)?;
        let (body, behind) = bracket(behind, '{')?;
        found.push(Case { value, body });
        if found.len() > MAX {
            return None;
        }
        rest = behind;
    }
}

#[cfg(test)]
mod tests {
    use super::cases;

    #[test]
    fn cases_are_told_apart() {
        let found = |body| {
            let cases = cases(body)?;
            Some(cases.into_iter().map(|case| (case.value, case.body)).collect::<Vec<_>>())
        };
        assert_eq!(found("a { b } \"c d\" {e}"), Some(vec![("a", "b"), ("\"c d\"", "e")]));
        assert_eq!(
            found("{ $_ -gt 1 } { x }; default { }"),
            Some(vec![("{ $_ -gt 1 }", "x"), ("default", "")])
        );
        assert_eq!(found(""), Some(Vec::new()));
        for broken in ["a", "a {", "\"a { }", "a b"] {
            assert_eq!(found(broken), None, "{broken}");
        }
    }
}
