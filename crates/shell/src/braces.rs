//! Brace expansion: `{a,b}` and `{1..3}` make several words of one.

use super::HOLE;

/// More words than this are not listed.
const MAX: usize = 4_096;
/// The text of all words together.
const MAX_TEXT: usize = 1 << 16;
/// Of longer sequences, nobody knows which number is meant: all are alike to rules.
const MAX_SEQUENCE: u64 = 128;
/// Braces within braces.
const MAX_DEPTH: u32 = 16;

/// A longer text between braces is no sequence.
const MAX_SEQUENCE_LENGTH: usize = 64;

/// An unquoted brace or comma.
#[derive(Clone, Copy)]
struct Sign {
    at: usize,
    byte: u8,
    /// For an opening brace the index of the sign that closes it.
    close: Option<usize>,
}

/// The words that `text` stands for, with a [`HOLE`] for each number out of a long sequence; `signs` are the places of
/// its unquoted braces and commas, counted from `base`. `None` when they are too many.
pub(super) fn expand(text: &str, signs: &[u32], base: u32) -> Option<Vec<String>> {
    let signs = matched(text, signs, base);
    let all = |longest: u64| {
        let mut words = vec![String::new()];
        let part = Part { text, signs: &signs, longest };
        part.expand(0..text.len(), &mut words, 0).map(|()| words)
    };
    all(MAX_SEQUENCE).or_else(|| all(1))
}

/// What is expanded.
struct Part<'t> {
    text: &'t str,
    signs: &'t [Sign],
    /// Longer sequences are not listed.
    longest: u64,
}

/// The signs, each opening brace with the one that closes it.
fn matched(text: &str, places: &[u32], base: u32) -> Vec<Sign> {
    let mut signs: Vec<Sign> = Vec::with_capacity(places.len());
    let mut open = Vec::new();
    for place in places {
        let Some(at) = place.checked_sub(base).map(|at| at as usize) else { continue };
        let Some(&byte) = text.as_bytes().get(at) else { continue };
        match byte {
            b'{' => open.push(signs.len()),
            b'}' => {
                let close = Some(signs.len());
                if let Some(opening) = open.pop().and_then(|index: usize| signs.get_mut(index)) {
                    opening.close = close;
                }
            }
            _ => {}
        }
        signs.push(Sign { at, byte, close: None });
    }
    signs
}

impl Part<'_> {
    /// Appends each way to read a part of the text to each of the words so far.
    fn expand(
        &self,
        range: std::ops::Range<usize>,
        words: &mut Vec<String>,
        depth: u32,
    ) -> Option<()> {
        let Self { text, signs, longest } = *self;
        if depth > MAX_DEPTH {
            return None;
        }
        let mut plain = range.start;
        let mut index = signs.partition_point(|sign| sign.at < range.start);
        while let Some(&Sign { at, close, .. }) =
            signs.get(index).filter(|sign| sign.at < range.end)
        {
            let group = close.and_then(|close| Some((close, signs.get(close)?.at)));
            let Some((close, end)) = group else {
                index += 1;
                continue;
            };
            let inside = text.get(at + 1..end).unwrap_or_default();
            let commas = own_commas(signs, index, close);
            let sequence = if commas.is_empty() { sequence(inside, longest)? } else { Vec::new() };
            if commas.is_empty() && sequence.is_empty() {
                index += 1;
                continue;
            }
            append(words, text.get(plain..at).unwrap_or_default())?;
            let mut ways = sequence;
            if !commas.is_empty() {
                let mut start = at + 1;
                for stop in commas.into_iter().chain([end]) {
                    let mut inner = vec![String::new()];
                    self.expand(start..stop, &mut inner, depth + 1)?;
                    ways.append(&mut inner);
                    start = stop + 1;
                }
            }
            *words = multiply(words, &ways)?;
            index = close + 1;
            plain = end + 1;
        }
        append(words, text.get(plain..range.end).unwrap_or_default())
    }
}

/// Where the commas of a group's own level stand.
fn own_commas(signs: &[Sign], open: usize, close: usize) -> Vec<usize> {
    let mut commas = Vec::new();
    let mut index = open + 1;
    while let Some(sign) = signs.get(index).filter(|_| index < close) {
        if sign.byte == b',' {
            commas.push(sign.at);
        }
        index = sign.close.unwrap_or(index) + 1;
    }
    commas
}

fn append(words: &mut [String], text: &str) -> Option<()> {
    if text.is_empty() {
        return Some(());
    }
    let size: usize = words.iter().map(|word| word.len() + text.len()).sum();
    if size > MAX_TEXT {
        return None;
    }
    words.iter_mut().for_each(|word| word.push_str(text));
    Some(())
}

fn multiply(words: &[String], ways: &[String]) -> Option<Vec<String>> {
    let count = words.len().saturating_mul(ways.len());
    let size = |texts: &[String]| texts.iter().map(String::len).sum::<usize>();
    let text = size(words).saturating_mul(ways.len()) + size(ways).saturating_mul(words.len());
    if count > MAX || text > MAX_TEXT {
        return None;
    }
    let joined = |word: &String| ways.iter().map(|way| format!("{word}{way}")).collect::<Vec<_>>();
    Some(words.iter().flat_map(joined).collect())
}

/// `1..3`, `a..c`, `1..9..2`; empty when it is none, a [`HOLE`] when it is longer than said, `None` where that might be
/// taken for a flag.
fn sequence(text: &str, longest: u64) -> Option<Vec<String>> {
    if text.len() > MAX_SEQUENCE_LENGTH {
        return Some(Vec::new());
    }
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
    if count > longest {
        return (first.min(last) >= 0).then(|| vec![HOLE.to_string()]);
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
