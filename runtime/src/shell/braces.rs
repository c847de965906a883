//! Brace expansion: `{a,b}` and `{1..3}` make several words of one.

/// More words than this are not listed.
const MOST: usize = 128;
/// The text of all words together.
const MOST_TEXT: usize = 1 << 14;
/// Braces within braces.
const MOST_DEPTH: u32 = 16;

/// The words that `text` stands for; `signs` are the places of its unquoted braces and commas,
/// counted from `base`. `None` when they are too many.
pub(super) fn expand(text: &str, signs: &[u32], base: u32) -> Option<Vec<String>> {
    let sign = |at: usize| signs.binary_search(&(at as u32 + base)).is_ok();
    let mut words = vec![String::new()];
    expand_part(text, 0..text.len(), &sign, &mut words, 0)?;
    Some(words)
}

/// Appends each way to read a part of the text to each of the words so far.
fn expand_part(
    text: &str,
    range: std::ops::Range<usize>,
    sign: &dyn Fn(usize) -> bool,
    words: &mut Vec<String>,
    depth: u32,
) -> Option<()> {
    if depth > MOST_DEPTH {
        return None;
    }
    let bytes = text.as_bytes();
    let is = |at: usize, byte: u8| bytes.get(at) == Some(&byte) && sign(at);
    let mut at = range.start;
    let mut plain = at;
    while at < range.end {
        let group = if is(at, b'{') { find_group(&is, at, range.end) } else { None };
        let Some((end, commas)) = group else {
            at += 1;
            continue;
        };
        let inside = text.get(at + 1..end).unwrap_or_default();
        let sequence = if commas.is_empty() { sequence(inside)? } else { Vec::new() };
        if commas.is_empty() && sequence.is_empty() {
            at += 1;
            continue;
        }
        append(words, text.get(plain..at).unwrap_or_default())?;
        let mut ways = Vec::new();
        if commas.is_empty() {
            ways = sequence;
        } else {
            let mut start = at + 1;
            for stop in commas.into_iter().chain([end]) {
                let mut inner = vec![String::new()];
                expand_part(text, start..stop, sign, &mut inner, depth + 1)?;
                ways.append(&mut inner);
                start = stop + 1;
            }
        }
        *words = multiply(words, &ways)?;
        at = end + 1;
        plain = at;
    }
    append(words, text.get(plain..range.end).unwrap_or_default())
}

/// The closing brace of a group that opens at `open`, and the commas of its own level.
fn find_group(
    is: &dyn Fn(usize, u8) -> bool,
    open: usize,
    end: usize,
) -> Option<(usize, Vec<usize>)> {
    let mut depth = 0u32;
    let mut commas = Vec::new();
    for at in open + 1..end {
        if is(at, b'{') {
            depth += 1;
        } else if is(at, b'}') {
            if depth == 0 {
                return Some((at, commas));
            }
            depth -= 1;
        } else if depth == 0 && is(at, b',') {
            commas.push(at);
        }
    }
    None
}

fn append(words: &mut [String], text: &str) -> Option<()> {
    if text.is_empty() {
        return Some(());
    }
    let size: usize = words.iter().map(|word| word.len() + text.len()).sum();
    if size > MOST_TEXT {
        return None;
    }
    words.iter_mut().for_each(|word| word.push_str(text));
    Some(())
}

fn multiply(words: &[String], ways: &[String]) -> Option<Vec<String>> {
    let count = words.len().saturating_mul(ways.len());
    let size = |texts: &[String]| texts.iter().map(String::len).sum::<usize>();
    let text = size(words).saturating_mul(ways.len()) + size(ways).saturating_mul(words.len());
    if count > MOST || text > MOST_TEXT {
        return None;
    }
    let joined = |word: &String| ways.iter().map(|way| format!("{word}{way}")).collect::<Vec<_>>();
    Some(words.iter().flat_map(joined).collect())
}

/// `1..3`, `a..c`, `1..9..2`; empty when it is none, `None` when it is too long.
fn sequence(text: &str) -> Option<Vec<String>> {
    let mut parts = text.split("..");
    let (Some(first), Some(last)) = (parts.next(), parts.next()) else { return Some(Vec::new()) };
    let step = parts.next().map_or(Some(1), |step| step.parse::<i64>().ok());
    let Some(step) = step.filter(|_| parts.next().is_none()) else { return Some(Vec::new()) };
    let letter = |text: &str| match text.as_bytes() {
        [byte] if byte.is_ascii_alphabetic() => Some(i64::from(*byte)),
        _ => None,
    };
    let bounds = match (first.parse::<i64>(), last.parse::<i64>()) {
        (Ok(first), Ok(last)) => Some((first, last, false)),
        _ => letter(first).zip(letter(last)).map(|(first, last)| (first, last, true)),
    };
    let Some((first, last, letters)) = bounds else { return Some(Vec::new()) };
    let step = step.unsigned_abs().max(1);
    let count = first.abs_diff(last) / step + 1;
    if count > MOST as u64 {
        return None;
    }
    let value = |index: u64| {
        let offset = i64::try_from(index * step).unwrap_or(0);
        if first <= last { first.saturating_add(offset) } else { first.saturating_sub(offset) }
    };
    let show = |value: i64| match u8::try_from(value) {
        Ok(byte) if letters => char::from(byte).to_string(),
        _ => value.to_string(),
    };
    Some((0..count).map(|index| show(value(index))).collect())
}
