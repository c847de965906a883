//! The lines that GNU `parallel` makes of a command and of the words behind `:::`. It reads nothing:
//! what stands in a file, as behind `::::`, is not known.

use std::ops::Range;

use super::hole::HOLE;
use super::line::{CommandLine, range};

/// No more lines than this are made; what is put into one that stands for more is not known.
const MAX: usize = 128;

/// The lines that come of words; `None` where they would be too large.
pub(super) fn lines(line: &CommandLine, words: Range<u32>) -> Option<Vec<String>> {
    let words = line.words.get(range(&words)).unwrap_or_default();
    let words: Vec<&str> = words.iter().map(|word| line.text(word)).collect();
    let end = words.iter().position(|word| is_source(word)).unwrap_or(words.len());
    let (template, behind) = words.split_at_checked(end)?;
    let template = template.join(" ");
    if behind.is_empty() {
        return Some(vec![template]);
    }
    let unknown = HOLE.to_string();
    let mut groups: Vec<Vec<&str>> = Vec::new();
    let mut is_literal = false;
    for word in behind {
        match (is_source(word), groups.last_mut()) {
            (true, _) => {
                is_literal = !word.starts_with("::::");
                groups.push(if is_literal { Vec::new() } else { vec![&unknown] });
            }
            (false, Some(group)) if is_literal => group.push(word),
            _ => {}
        }
    }
    let count = groups.iter().try_fold(1_usize, |count, group| count.checked_mul(group.len()));
    if count.is_none_or(|count| count > MAX) && groups.len() > 1 {
        groups.iter_mut().for_each(|group| *group = vec![&unknown]);
    }
    let size: usize = behind.iter().map(|word| word.len() + template.len()).sum();
    if size > line.limit {
        return None;
    }
    Some(combinations(&groups).iter().map(|items| filled(&template, items)).collect())
}

/// What stands between the command and what is put into it.
fn is_source(word: &str) -> bool {
    matches!(word, ":::" | ":::+" | "::::" | "::::+")
}

/// One item of each group, in every way.
fn combinations<'i>(groups: &[Vec<&'i str>]) -> Vec<Vec<&'i str>> {
    groups.iter().fold(vec![Vec::new()], |all, group| {
        let with = |before: &Vec<&'i str>| {
            let before = before.clone();
            group.iter().map(move |item| [before.as_slice(), &[*item]].concat())
        };
        all.iter().flat_map(with).collect()
    })
}

/// The command with items put where it says so, or behind it. Without a command they are one.
fn filled(template: &str, items: &[&str]) -> String {
    if template.is_empty() {
        return items.join(" ");
    }
    let quoted: Vec<String> = items.iter().map(|item| quoted(item)).collect();
    let (mut text, mut rest) = (String::new(), template);
    let mut is_put = false;
    while let Some((before, behind)) = rest.split_once('{') {
        text.push_str(before);
        let sign = behind.split_once('}').filter(|(name, _)| is_sign(name));
        let Some((name, behind)) = sign else {
            text.push('{');
            rest = behind;
            continue;
        };
        is_put = true;
        rest = behind;
        let number = name.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        match number.and_then(|number| quoted.get(number)) {
            Some(item) => text.push_str(item),
            None if name.is_empty() => text.push_str(&quoted.join(" ")),
            None => text.push(HOLE),
        }
    }
    text.push_str(rest);
    if !is_put {
        text.push(' ');
        text.push_str(&quoted.join(" "));
    }
    text
}

/// What may stand between braces for an item or a part of it.
fn is_sign(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'/' | b'#' | b'%'))
}

/// As one word of a shell.
pub(super) fn quoted(item: &str) -> String {
    format!("'{}'", item.replace('\'', "'\\''"))
}
