//! Which of a few texts stand in another one, whatever the case of their letters: an automaton that takes one step a
//! byte. It is made where something is searched often; what is searched for of thousands is found by a
//! [`scan`](crate::scan). Knows no image, and not what its texts stand for.

use std::collections::VecDeque;

use crate::fold::fold_odd_letters;

/// An automaton for texts that are looked for together. Each stands for some bits of a number.
#[derive(Debug)]
pub struct Literals {
    /// The class of each byte: bytes of one class are not told apart. Class 0 is in none of the texts.
    classes: Box<[u8; 256]>,
    /// For each state and class, where the row of the next state begins.
    next: Box<[u16]>,
    /// States from this row on are reached where a text ends.
    first_end: u16,
    /// How long a row is.
    width: u16,
    /// The bits of the texts that end there, for each of those states.
    ends: Box<[u64]>,
}

/// The states while the automaton is made. A state is where its row begins, so that none has to be found by its number.
struct Nodes {
    width: usize,
    /// For each state and class the next state.
    next: Vec<u16>,
    /// For each state its bits, and those of the states that end as it does.
    bits: Vec<u64>,
    /// For each state the longest other one that it ends with.
    shorter: Vec<u16>,
}

impl Nodes {
    fn new(width: usize) -> Self {
        Self { width, next: vec![0; width], bits: vec![0], shorter: vec![0] }
    }

    fn len(&self) -> usize {
        self.bits.len()
    }

    /// Adds a text, whose letters are of some classes; `None` where there are too many states.
    fn add(&mut self, classes: impl Iterator<Item = usize>, bits: u64) -> Option<()> {
        let mut at = 0;
        for class in classes {
            let new = u16::try_from(self.next.len()).ok()?;
            let next = self.next.get_mut(at + class)?;
            if *next == 0 {
                *next = new;
                self.next.resize(self.next.len() + self.width, 0);
                self.bits.push(0);
                self.shorter.push(0);
            }
            at = usize::from(*self.next.get(at + class)?);
        }
        if at == 0 || self.len() > Literals::MAX_STATES {
            return None;
        }
        *self.bits.get_mut(at / self.width)? |= bits;
        Some(())
    }

    /// Leads every state on for every class: where no longer text goes on, a shorter one may.
    fn lead_on(&mut self) -> Option<()> {
        let mut waiting: VecDeque<u16> = VecDeque::with_capacity(self.len());
        waiting.push_back(0);
        while let Some(at) = waiting.pop_front() {
            let at = usize::from(at);
            let shorter = usize::from(*self.shorter.get(at / self.width)?);
            for class in 0..self.width {
                let by_shorter = *self.next.get(shorter + class)?;
                let next = self.next.get_mut(at + class)?;
                if *next == 0 {
                    *next = by_shorter;
                    continue;
                }
                let next = *next;
                // Of the first state, all states are reached by their first letter.
                let end = if at == 0 { 0 } else { by_shorter };
                let bits = *self.bits.get(usize::from(end) / self.width)?;
                let state = usize::from(next) / self.width;
                *self.shorter.get_mut(state)? = end;
                *self.bits.get_mut(state)? |= bits;
                waiting.push_back(next);
            }
        }
        Some(())
    }
}

impl Literals {
    /// How many states there are at most.
    const MAX_STATES: usize = 1 << 10;

    /// Makes an automaton for texts, which are ASCII in lower case; `None` where there are too many of them, or one is
    /// empty.
    #[must_use]
    pub fn new<'t>(texts: impl Iterator<Item = (&'t str, u64)> + Clone) -> Option<Self> {
        let (classes, width) = classes(texts.clone())?;
        let class = |byte: u8| usize::from(classes.get(usize::from(byte)).copied().unwrap_or(0));
        let mut nodes = Nodes::new(width);
        for (text, bits) in texts {
            nodes.add(text.bytes().map(class), bits)?;
        }
        nodes.lead_on()?;
        // Those where a text ends come last.
        let (others, ends): (Vec<usize>, Vec<usize>) =
            (0..nodes.len()).partition(|at| nodes.bits.get(*at) == Some(&0));
        let mut rows = vec![0; nodes.len()];
        for (row, node) in others.iter().chain(&ends).enumerate() {
            *rows.get_mut(*node)? = u16::try_from(row * width).ok()?;
        }
        let mut next = Vec::with_capacity(nodes.next.len());
        for at in others.iter().chain(&ends) {
            for to in nodes.next.get(at * width..(at + 1) * width)? {
                next.push(*rows.get(usize::from(*to) / width)?);
            }
        }
        Some(Self {
            classes,
            next: next.into(),
            first_end: u16::try_from(others.len() * width).ok()?,
            width: u16::try_from(width).ok()?,
            ends: ends.iter().filter_map(|at| nodes.bits.get(*at).copied()).collect(),
        })
    }

    /// The bits of the texts that stand in `text`. It looks no further once it has found some of each bit of
    /// `enough`.
    #[must_use]
    pub fn search(&self, text: &str, enough: u64, scratch: &mut String) -> u64 {
        let (mut row, mut found) = (0u16, 0);
        for byte in fold_odd_letters(text, scratch).bytes() {
            let class = self.classes.get(usize::from(byte)).copied().unwrap_or(0);
            let next = self.next.get(usize::from(row) + usize::from(class));
            row = next.copied().unwrap_or(0);
            if row >= self.first_end {
                let end = usize::from((row - self.first_end) / self.width.max(1));
                found |= self.ends.get(end).copied().unwrap_or(0);
                if found & enough == enough {
                    break;
                }
            }
        }
        found
    }
}

/// A class for each byte of the texts, great and small letters alike, and how many there are.
fn classes<'t>(texts: impl Iterator<Item = (&'t str, u64)>) -> Option<(Box<[u8; 256]>, usize)> {
    let mut classes = Box::new([0; 256]);
    let mut width = 1_u8;
    for byte in texts.flat_map(|(text, _)| text.bytes()) {
        let class = classes.get_mut(usize::from(byte))?;
        if *class == 0 {
            *class = width;
            *classes.get_mut(usize::from(byte.to_ascii_uppercase()))? = width;
            width = width.checked_add(1)?;
        }
    }
    Some((classes, usize::from(width)))
}

#[cfg(test)]
mod tests {
    use super::Literals;

    /// Holds the automaton against looking for each text.
    #[track_caller]
    fn check(texts: &[&str], text: &str) {
        let numbered = || (0..).zip(texts).map(|(bit, text)| (*text, 1 << bit));
        let automaton = Literals::new(numbered()).expect("the texts are few");
        let lower = text.replace('\u{212A}', "k").replace('\u{17F}', "s").to_ascii_lowercase();
        let expect = numbered().filter(|(text, _)| lower.contains(text));
        let expect = expect.fold(0, |all, (_, bit)| all | bit);
        assert_eq!(
            automaton.search(text, u64::MAX, &mut String::new()),
            expect,
            "{texts:?} {text}"
        );
    }

    #[test]
    fn texts_are_found_wherever_they_stand() {
        let texts = ["he", "she", "his", "hers", "e"];
        for text in ["", "ushers", "SHE", "xhisx", "hhe", "hi", "shis", "sheshe", "ſhe", "é"] {
            check(&texts, text);
        }
        check(&["rm -rf", "k"], "RM -RF \u{212A}");
    }

    #[test]
    fn any_texts_are_found_in_any_text() {
        let mut number = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = |end: u64| {
            number ^= number << 13;
            number ^= number >> 7;
            number ^= number << 17;
            number % end
        };
        for _ in 0..2_000 {
            let mut word = |length: u64| -> String {
                (0..length).map(|_| if below(2) == 0 { 'a' } else { 'b' }).collect()
            };
            let lengths = [1, 2, 3, 4, 2, 5];
            let texts: Vec<String> = lengths.iter().map(|length| word(*length)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            check(&texts, &word(12));
        }
    }

    #[test]
    fn it_ends_where_enough_is_found() {
        let automaton = Literals::new([("a", 1), ("b", 2)].into_iter()).expect("they are few");
        assert_eq!(automaton.search("xab", 1, &mut String::new()), 1);
        assert_eq!(automaton.search("xab", 3, &mut String::new()), 3);
    }

    #[test]
    fn too_many_or_empty_texts_are_refused() {
        assert!(Literals::new([("", 1)].into_iter()).is_none());
        let texts: Vec<String> = (0..400).map(|number| format!("{number:03} and more")).collect();
        assert!(Literals::new(texts.iter().map(|text| (text.as_str(), 1))).is_none());
    }
}
