//! What the operators of `${NAME…}` make of a text that is known: `#`, `%`, `/`, `^`, `,`, `:`, `@`. Nothing is
//! looked up here. What a shell would have to expand first, or what would cost much, is left unknown.

/// Longer texts and patterns are not matched, so that many of them cost little.
const MAX_MATCHED: usize = 256;
const MAX_PATTERN: usize = 32;

/// What becomes of a text; `None` where it cannot be told. `operator` is what stands behind the name, as it is
/// written, and has nothing in it that is expanded or quoted; the result is no longer than `limit`.
pub(super) fn apply(value: &str, operator: &str, limit: usize) -> Option<String> {
    let (sign, rest) = operator.split_at_checked(1)?;
    match sign {
        "#" | "%" => trimmed(value, sign == "%", rest),
        "/" => replaced(value, rest, limit),
        "^" | "," => cased(value, operator),
        "@" => match rest {
            "U" => cased(value, "^^"),
            "u" => cased(value, "^"),
            "L" => cased(value, ",,"),
            _ => None,
        },
        ":" => part(value, rest),
        "-" | "=" | "?" => Some(value.to_owned()),
        "+" => Some(rest.to_owned()),
        _ => None,
    }
}

/// `-`, `=`, `+` and `?` behind a colon, which takes an empty text for none.
fn part(value: &str, rest: &str) -> Option<String> {
    let (sign, word) = rest.split_at_checked(1)?;
    Some(match sign {
        "-" | "=" if value.is_empty() => word.to_owned(),
        "-" | "=" => value.to_owned(),
        "+" if value.is_empty() => String::new(),
        "+" => word.to_owned(),
        // An empty one ends the shell.
        "?" if value.is_empty() => return None,
        "?" => value.to_owned(),
        _ => {
            let (from, to) = window(rest, value.chars().count())?;
            value.chars().skip(from).take(to - from).collect()
        }
    })
}

/// The places that `OFFSET` or `OFFSET:LENGTH` name among `count`, where both are numbers.
pub(super) fn window(text: &str, count: usize) -> Option<(usize, usize)> {
    let (offset, length) = match text.split_once(':') {
        Some((offset, length)) => (offset, Some(length)),
        None => (text, None),
    };
    let count = i64::try_from(count).ok()?;
    let number = |text: &str| text.trim().parse::<i32>().ok().map(i64::from);
    // A zero before other digits makes a number of another base.
    let is_octal =
        |text: &str| text.trim().trim_start_matches('-').starts_with('0') && text.trim().len() > 1;
    if is_octal(offset) || length.is_some_and(is_octal) || text.contains('+') {
        return None;
    }
    let offset = number(offset)?;
    let from = if offset < 0 { count + offset } else { offset };
    if from < 0 || from > count {
        return Some((0, 0));
    }
    let to = match length.map(number) {
        None => count,
        Some(length) => match length? {
            length if length < 0 => count + length,
            length => from + length,
        },
    };
    let to = to.min(count);
    // A shell takes this for an error.
    (to >= from).then_some((usize::try_from(from).ok()?, usize::try_from(to).ok()?))
}

fn cased(value: &str, operator: &str) -> Option<String> {
    if !value.is_ascii() {
        return None;
    }
    let (first, rest) = value.split_at(value.len().min(1));
    Some(match operator {
        "^^" => value.to_ascii_uppercase(),
        ",," => value.to_ascii_lowercase(),
        "^" => first.to_ascii_uppercase() + rest,
        "," => first.to_ascii_lowercase() + rest,
        _ => return None,
    })
}

fn trimmed(value: &str, from_end: bool, rest: &str) -> Option<String> {
    let sign = if from_end { '%' } else { '#' };
    let (is_longest, pattern) = match rest.strip_prefix(sign) {
        Some(pattern) => (true, pattern),
        None => (false, rest),
    };
    let length = matched(value, pattern, from_end, is_longest)?;
    Some(match (length, from_end) {
        (None, _) => value.to_owned(),
        (Some(length), false) => value.chars().skip(length).collect(),
        (Some(length), true) => {
            value.chars().take(value.chars().count().checked_sub(length)?).collect()
        }
    })
}

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    /// Any characters.
    Any,
    /// One character.
    One,
    Sign(char),
    /// One of these, from and to, or none of them.
    Class(bool, Vec<(char, char)>),
}

impl Part {
    fn fits(&self, character: char) -> bool {
        match self {
            Self::Any | Self::One => true,
            Self::Sign(sign) => *sign == character,
            Self::Class(is_none, ranges) => {
                ranges.iter().any(|(from, to)| (*from..=*to).contains(&character)) != *is_none
            }
        }
    }
}

/// The parts of a pattern; `None` for lists such as `@(a|b)` and for named classes.
fn parts(pattern: &str) -> Option<Vec<Part>> {
    if pattern.contains(['(', ')', '\\']) || pattern.contains("[:") {
        return None;
    }
    let mut parts = Vec::new();
    let mut rest = pattern.chars();
    while let Some(sign) = rest.next() {
        parts.push(match sign {
            '*' => Part::Any,
            '?' => Part::One,
            '[' => {
                let inner = rest.as_str();
                // A bracket that stands first is one of the class.
                let own = inner.strip_prefix(['!', '^']).unwrap_or(inner);
                let end = own.char_indices().skip(1).find(|(_, sign)| *sign == ']')?.0;
                let (class, behind) = own.split_at(end);
                rest = behind.get(1..)?.chars();
                Part::Class(own.len() < inner.len(), ranges(class))
            }
            sign => Part::Sign(sign),
        });
    }
    Some(parts)
}

fn ranges(class: &str) -> Vec<(char, char)> {
    let signs: Vec<char> = class.chars().collect();
    let (mut ranges, mut at) = (Vec::new(), 0);
    while let Some(from) = signs.get(at) {
        let to = signs.get(at + 1).filter(|sign| **sign == '-').and(signs.get(at + 2));
        ranges.push((*from, *to.unwrap_or(from)));
        at += if to.is_some() { 3 } else { 1 };
    }
    ranges
}

/// How many characters from the start, or from the end, fit a pattern: the fewest or the most. `Some(None)` where
/// none do, `None` where it is not told.
fn matched(value: &str, pattern: &str, from_end: bool, is_longest: bool) -> Option<Option<usize>> {
    if value.len() > MAX_MATCHED || pattern.len() > MAX_PATTERN {
        return None;
    }
    let (mut text, mut pattern): (Vec<char>, Vec<Part>) =
        (value.chars().collect(), parts(pattern)?);
    if from_end {
        text.reverse();
        pattern.reverse();
    }
    // Which lengths of the pattern fit the characters so far.
    let mut fits = vec![false; pattern.len() + 1];
    let start = |fits: &mut Vec<bool>, before: Option<(&[bool], char)>| {
        let mut last = before.is_none();
        if let Some(place) = fits.first_mut() {
            *place = last;
        }
        for (at, sign) in pattern.iter().enumerate() {
            let of = |at: usize| before.and_then(|(row, _)| row.get(at)).copied().unwrap_or(false);
            let now = match (sign, before) {
                (Part::Any, _) => last || of(at + 1),
                (part, Some((_, character))) => of(at) && part.fits(character),
                (_, None) => false,
            };
            if let Some(place) = fits.get_mut(at + 1) {
                *place = now;
            }
            last = now;
        }
        last
    };
    let mut best = start(&mut fits, None).then_some(0);
    for (at, character) in text.iter().enumerate() {
        if best.is_some() && !is_longest {
            break;
        }
        let row = fits.clone();
        if start(&mut fits, Some((&row, *character))) {
            best = Some(at + 1);
        }
    }
    Some(best)
}

fn replaced(value: &str, rest: &str, limit: usize) -> Option<String> {
    let (how, rest) = match rest.split_at_checked(1) {
        Some((how @ ("/" | "#" | "%"), rest)) => (how, rest),
        _ => ("", rest),
    };
    let (pattern, new) = rest.split_once('/').unwrap_or((rest, ""));
    // In some shells, `&` is what was found.
    if pattern.is_empty() || pattern.contains(['*', '?', '[', '(']) || new.contains('&') {
        return None;
    }
    let count = value.matches(pattern).count();
    if value.len().saturating_add(count.saturating_mul(new.len())) > limit {
        return None;
    }
    Some(match how {
        "/" => value.replace(pattern, new),
        "#" => value.strip_prefix(pattern).map_or(value.to_owned(), |rest| format!("{new}{rest}")),
        "%" => value.strip_suffix(pattern).map_or(value.to_owned(), |rest| format!("{rest}{new}")),
        _ => value.replacen(pattern, new, 1),
    })
}

#[cfg(test)]
mod tests {
    use super::apply;

    #[test]
    fn operators_do_what_bash_does() {
        for (value, operator, expect) in [
            ("xrm", "#x", Some("rm")),
            ("aa-bb-rm", "#*-", Some("bb-rm")),
            ("aa-bb-rm", "##*-", Some("rm")),
            ("rm.x.y", "%.*", Some("rm.x")),
            ("rm.x.y", "%%.*", Some("rm")),
            ("rm", "#z", Some("rm")),
            ("rZm", "/Z", Some("rm")),
            ("rZZm", "//Z/", Some("rm")),
            ("Qm", "/#Q/r", Some("rm")),
            ("rQ", "/%Q/m", Some("rm")),
            ("RM", ",,", Some("rm")),
            ("RM", "@L", Some("rm")),
            ("__rm__", ":2:2", Some("rm")),
            ("__rm", ": -2", Some("rm")),
            ("__rm__", ":2:-2", Some("rm")),
            ("", ":-rm", Some("rm")),
            ("", "-rm", Some("")),
            ("x", ":+rm", Some("rm")),
            ("", ":?no", None),
            ("x", ":08", None),
            ("x", "/x/&", None),
            ("abrm", "#[ab]", Some("brm")),
            ("abrm", "##[ab]*b", Some("rm")),
            ("rm9", "%[0-9]", Some("rm")),
            ("rm9", "%[!0-9]", Some("rm9")),
            ("x", "#@(x|y)", None),
        ] {
            assert_eq!(apply(value, operator, 100).as_deref(), expect, "{value}: {operator}");
        }
    }
}
