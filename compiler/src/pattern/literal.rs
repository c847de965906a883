//! What a text must contain for a pattern to match it: texts short of a match are sorted out by
//! them before any automaton is loaded.
//!
//! Literals are ASCII and lower-case, and are looked for in the [`super::fold`]ed text. Under
//! Unicode's case folding only two other characters equal an ASCII letter, and `fold` replaces
//! both; so a literal can never miss a match. Every other character beyond ASCII cuts a literal.

use super::syntax::{Class, ClassItem, Item, Node, Perl, PerlKind, Repeat};

/// The most alternatives of a literal.
const MAX: usize = 64;

/// The longest literal that is worth extending, in bytes.
const MAX_LENGTH: usize = 64;

/// The most characters of a class that is written out.
const WIDEST_CLASS: usize = 5;

/// The shortest literal that is worth looking for.
const SHORTEST: usize = 2;

pub(super) struct Required {
    pub(super) literals: Option<Vec<Box<str>>>,
    pub(super) exact: bool,
    pub(super) suffice: bool,
}

/// What `root` requires.
pub(super) fn required(root: &Item) -> Required {
    if let Some(text) = plain_text(root) {
        return Required { literals: Some(vec![text.into()]), exact: true, suffice: true };
    }
    let found = walk(root);
    let suffice = found.plain
        && found.whole.as_ref().is_some_and(|set| set.iter().all(|text| !text.is_empty()));
    let best = if suffice { found.whole } else { better(found.inside, found.whole) };
    let best = best.filter(|set| suffice || worth(set) > 0);
    let literals = best.map(|set| minimal(set).into_iter().map(String::into_boxed_str).collect());
    Required { literals, exact: false, suffice }
}

/// The text that the whole pattern is, lower-case, where it is one plain ASCII text.
fn plain_text(root: &Item) -> Option<String> {
    let mut text = String::new();
    collect_plain(root, &mut text).then_some(text).filter(|text| !text.is_empty())
}

fn collect_plain(item: &Item, text: &mut String) -> bool {
    match &item.node {
        Node::Literal { character, fold } if character.is_ascii() => {
            text.push(character.to_ascii_lowercase());
            *fold || !character.is_ascii_alphabetic()
        }
        Node::Group(inner) => collect_plain(inner, text),
        Node::Concat(items) => items.iter().all(|item| collect_plain(item, text)),
        _ => false,
    }
}

/// What is known of a part of a pattern.
struct Known {
    /// Every match of the part is one of these, once folded.
    whole: Option<Vec<String>>,
    /// Every match of the part contains one of these, once folded.
    inside: Option<Vec<String>>,
    /// Every match of the part starts and ends with one of these, once folded, and may have more
    /// between them. Known of repetitions that `whole` is not known of.
    edges: Option<Vec<String>>,
    /// `whole` says all: whatever folds to one of them is a match.
    plain: bool,
}

impl Known {
    fn unknown() -> Self {
        Self { whole: None, inside: None, edges: None, plain: false }
    }

    fn one_of(whole: Vec<String>, plain: bool) -> Self {
        Self { whole: Some(whole), inside: None, edges: None, plain }
    }

    fn place() -> Self {
        Self::one_of(vec![String::new()], false)
    }
}

fn walk(item: &Item) -> Known {
    match &item.node {
        Node::Literal { character, fold } if character.is_ascii() => Known::one_of(
            vec![character.to_ascii_lowercase().to_string()],
            *fold || !character.is_ascii_alphabetic(),
        ),
        Node::Class(class) => class_found(class),
        Node::Look(_) => Known::place(),
        Node::Group(inner) => walk(inner),
        Node::Concat(items) => concat(items),
        Node::Alternation(items) => alternation(items),
        Node::Repeat(repeat) => repetition(repeat),
        _ => Known::unknown(),
    }
}

/// A class of few ASCII characters is as good as alternatives.
fn class_found(class: &Class) -> Known {
    let Some(set) = ascii_members(class) else { return Known::unknown() };
    let letters = (0..128u8).filter(|byte| set & (1 << byte) != 0).map(char::from);
    let mut whole: Vec<String> = letters.map(|c| c.to_ascii_lowercase().to_string()).collect();
    whole.sort_unstable();
    whole.dedup();
    if whole.len() > WIDEST_CLASS || whole.is_empty() {
        return Known::unknown();
    }
    Known::one_of(whole, class.fold)
}

/// The members of a class as bits, where all of them are ASCII.
fn ascii_members(class: &Class) -> Option<u128> {
    if class.negated {
        return None;
    }
    class.items.iter().try_fold(0, |set, item| match item {
        ClassItem::Range(low, high) if high.is_ascii() => Some(set | bits(*low, *high)),
        ClassItem::Perl(Perl { kind: PerlKind::Space, negated: false, unicode: false }) => {
            Some(set | bits('\t', '\r') | bits(' ', ' '))
        }
        _ => None,
    })
}

fn bits(low: char, high: char) -> u128 {
    (u32::from(low)..=u32::from(high)).fold(0, |set, code| set | (1 << (code & 127)))
}

fn alternation(items: &[Item]) -> Known {
    let mut whole = Some(Vec::new());
    let mut inside = Some(Vec::new());
    let mut plain = true;
    for item in items {
        let found = walk(item);
        plain &= found.plain;
        inside = union(inside, better(found.inside, found.whole.clone()));
        whole = union(whole, found.whole);
        if whole.is_none() && inside.is_none() {
            return Known::unknown();
        }
    }
    Known { whole, inside, edges: None, plain }
}

fn union(set: Option<Vec<String>>, more: Option<Vec<String>>) -> Option<Vec<String>> {
    let (mut set, more) = (set?, more?);
    set.extend(more);
    if set.len() > MAX {
        set.sort_unstable();
        set.dedup();
    }
    (set.len() <= MAX).then_some(set)
}

fn repetition(repeat: &Repeat) -> Known {
    let found = walk(&repeat.item);
    match (repeat.min, repeat.max) {
        (0, Some(1)) => {
            let whole = union(Some(vec![String::new()]), found.whole);
            Known { whole, inside: None, edges: None, plain: found.plain }
        }
        (0, _) => Known::unknown(),
        (1, Some(1)) => found,
        (min, max) => {
            let exactly = if max == Some(min) { times(found.whole.as_deref(), min) } else { None };
            match exactly {
                Some(whole) => Known::one_of(whole, found.plain),
                None => Known {
                    whole: None,
                    inside: better(found.inside, found.whole.clone()),
                    edges: found.whole.or(found.edges),
                    plain: false,
                },
            }
        }
    }
}

/// `count` of `set` in a row, for small counts.
fn times(set: Option<&[String]>, count: u32) -> Option<Vec<String>> {
    let set = set.filter(|_| count <= 8)?;
    (1..count).try_fold(set.to_vec(), |all, _| cross(&all, set))
}

/// Neighbours join into longer literals as long as each is one of few texts.
fn concat(items: &[Item]) -> Known {
    let mut plain = true;
    let mut inside = None;
    // What stands directly before this point is one of these.
    let mut run = vec![String::new()];
    // The run began at the start of the part: it is all there is.
    let mut complete = true;
    for item in items {
        if let Node::Literal { character, fold } = item.node
            && character.is_ascii()
            && run.iter().all(|text| text.len() < MAX_LENGTH)
        {
            run.iter_mut().for_each(|text| text.push(character.to_ascii_lowercase()));
            plain &= fold || !character.is_ascii_alphabetic();
            continue;
        }
        if matches!(item.node, Node::Look(_)) {
            plain = false;
            continue;
        }
        let found = walk(item);
        plain &= found.plain;
        inside = better(inside, found.inside);
        if let Some(joined) = found.whole.as_ref().and_then(|whole| cross(&run, whole)) {
            run = joined;
            continue;
        }
        // Of a repetition the first stands behind the run, and the last before what follows.
        let extended = found.edges.as_ref().and_then(|first| cross(&run, first));
        inside = better(inside, Some(extended.unwrap_or(run)));
        run = found.edges.or(found.whole).unwrap_or_else(|| vec![String::new()]);
        complete = false;
    }
    if complete {
        return Known { whole: Some(run), inside, edges: None, plain };
    }
    Known { whole: None, inside: better(inside, Some(run)), edges: None, plain: false }
}

/// Each of `first` followed by each of `second`; `None` where that is too many or too long.
fn cross(first: &[String], second: &[String]) -> Option<Vec<String>> {
    if first.len().saturating_mul(second.len()) > MAX {
        return None;
    }
    let mut all = Vec::with_capacity(first.len() * second.len());
    for start in first {
        for end in second {
            if start.len() + end.len() > MAX_LENGTH {
                return None;
            }
            all.push(format!("{start}{end}"));
        }
    }
    all.sort_unstable();
    all.dedup();
    Some(all)
}

/// The set that sorts out more texts; `None` where neither is of use.
fn better(first: Option<Vec<String>>, second: Option<Vec<String>>) -> Option<Vec<String>> {
    let worth_of = |set: &Option<Vec<String>>| set.as_ref().map_or(0, |set| worth(set));
    let (first_worth, second_worth) = (worth_of(&first), worth_of(&second));
    if first_worth == 0 && second_worth == 0 {
        return None;
    }
    if second_worth > first_worth { second } else { first }
}

/// How well a set sorts out texts: the rarity of its weakest member, less for many members. Zero
/// where a member is too short.
fn worth(set: &[String]) -> u32 {
    if set.is_empty() || set.iter().any(|text| text.len() < SHORTEST) {
        return 0;
    }
    let weakest = set.iter().map(|text| rarity(text)).min().unwrap_or(0);
    // Three bytes make a trigram, which is what the prefilter's table is made of.
    let trigrams = if set.iter().all(|text| text.len() >= 3) { 40 } else { 0 };
    (weakest + trigrams).saturating_sub(set.len().ilog2() * 3).max(1)
}

fn rarity(text: &str) -> u32 {
    let weights = text.bytes().take(12).map(|byte| match byte {
        b' ' | b'\t' | b'\n' | b'\r' => 1,
        b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' | b'/' | b'.' => 3,
        b'a'..=b'z' => 4,
        _ => 5,
    });
    weights.sum()
}

/// The set without members that contain another: those are found by the shorter one.
fn minimal(mut set: Vec<String>) -> Vec<String> {
    set.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    let mut kept: Vec<String> = Vec::with_capacity(set.len());
    for text in set {
        if !kept.iter().any(|shorter| text.contains(shorter.as_str())) {
            kept.push(text);
        }
    }
    kept
}
