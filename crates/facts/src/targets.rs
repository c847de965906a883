//! Targets by their texts, in the order in which they came: a table whose texts lie one behind the other in one
//! buffer, so that a new one allocates nothing of its own. Knows nothing of what sets mean by what they keep.

use std::hash::BuildHasher;
use std::ops::Range;

/// Texts, each with a value.
#[derive(Clone, Debug)]
pub struct Targets<T> {
    texts: String,
    entries: Vec<Entry<T>>,
    /// Where an entry stands, by its hash: its number, counted from 1, in the first free place. A power of two of places,
    /// of which half are free at least; none at first.
    places: Vec<u32>,
    hasher: foldhash::fast::RandomState,
}

#[derive(Clone, Debug)]
struct Entry<T> {
    hash: u64,
    /// Where its text ends; it begins where the one before ends.
    end: usize,
    value: T,
}

impl<T> Default for Targets<T> {
    fn default() -> Self {
        Self {
            texts: String::new(),
            entries: Vec::new(),
            places: Vec::new(),
            hasher: foldhash::fast::RandomState::default(),
        }
    }
}

impl<T: Copy> Targets<T> {
    /// For how many there is room at once, and how long their texts are then.
    const LEAST: usize = 16;
    const FEW: usize = 256;
    const LENGTH: usize = 32;

    /// Returns how many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the value of a text.
    #[must_use]
    pub fn get(&self, text: &str) -> Option<&T> {
        let number = self.find(self.hasher.hash_one(text), text).ok()?;
        self.entries.get(number).map(|entry| &entry.value)
    }

    /// Returns the value of a text, to be changed.
    pub fn get_mut(&mut self, text: &str) -> Option<&mut T> {
        let number = self.find(self.hasher.hash_one(text), text).ok()?;
        self.entries.get_mut(number).map(|entry| &mut entry.value)
    }

    /// Enters a text, or gives it another value.
    pub fn insert(&mut self, text: &str, value: T) {
        let hash = self.hasher.hash_one(text);
        match self.find(hash, text) {
            Ok(number) => {
                if let Some(known) = self.entries.get_mut(number) {
                    known.value = value;
                }
            }
            Err(place) => self.add(text, Entry { hash, end: 0, value }, place),
        }
    }

    /// The number of a text, or the place for it.
    #[inline]
    fn find(&self, hash: u64, text: &str) -> Result<usize, usize> {
        let mask = self.places.len().wrapping_sub(1);
        let mut place = hash as usize & mask;
        // Half of the places are free, so that this ends; where there are none, at once.
        while let Some(number @ 1..) = self.places.get(place) {
            let number = *number as usize - 1;
            let is_it = |entry: &Entry<T>| entry.hash == hash && self.is_at(number, text);
            if self.entries.get(number).is_some_and(is_it) {
                return Ok(number);
            }
            place = (place + 1) & mask;
        }
        Err(place)
    }

    /// Adds a text that is not there, whose place is known.
    fn add(&mut self, text: &str, entry: Entry<T>, place: usize) {
        let Ok(number) = u32::try_from(self.entries.len() + 1) else { return };
        if self.entries.len() == self.entries.capacity() {
            self.grow();
        }
        self.texts.push_str(text);
        self.entries.push(Entry { end: self.texts.len(), ..entry });
        let has_room = self.entries.len() * 2 <= self.places.len();
        match self.places.get_mut(place) {
            Some(place) if has_room => *place = number,
            _ => self.lay_out(),
        }
    }

    /// Makes room for more: while there are few, for several times as many, as sessions that have some soon have more.
    #[cold]
    fn grow(&mut self) {
        let len = self.entries.len();
        self.reserve(if len < Self::FEW { (len * 3).max(Self::LEAST) } else { len });
    }

    /// Finds a place for each, in a larger table.
    #[cold]
    fn lay_out(&mut self) {
        let room = self.entries.capacity().max(self.entries.len()).max(Self::LEAST);
        self.reserve(room.saturating_sub(self.entries.len()));
        let size = (room * 2).next_power_of_two();
        self.places.clear();
        self.places.resize(size, 0);
        for (entry, number) in self.entries.iter().zip(1..) {
            let mut place = entry.hash as usize & (size - 1);
            while self.places.get(place).is_some_and(|number| *number != 0) {
                place = (place + 1) & (size - 1);
            }
            if let Some(place) = self.places.get_mut(place) {
                *place = number;
            }
        }
    }

    /// Makes room for so many more.
    pub fn reserve(&mut self, more: usize) {
        self.entries.reserve(more);
        self.texts.reserve(more * Self::LENGTH);
    }

    /// Forgets all, and keeps the memory.
    pub fn clear(&mut self) {
        self.texts.clear();
        self.entries.clear();
        self.places.clear();
    }

    /// Forgets all but some.
    pub fn retain(&mut self, keeps: impl Fn(&T) -> bool) {
        if self.entries.iter().all(|entry| keeps(&entry.value)) {
            return;
        }
        let (mut texts, mut entries) = (String::new(), Vec::new());
        for (number, entry) in self.entries.iter().enumerate() {
            if keeps(&entry.value) {
                texts.push_str(self.text(number));
                entries.push(Entry { end: texts.len(), ..*entry });
            }
        }
        (self.texts, self.entries) = (texts, entries);
        self.lay_out();
    }

    fn text(&self, number: usize) -> &str {
        self.texts.get(self.place(number)).unwrap_or_default()
    }

    /// Whether the text of a number is this one. Where letters begin does not matter for that.
    #[inline]
    fn is_at(&self, number: usize, text: &str) -> bool {
        self.texts.as_bytes().get(self.place(number)) == Some(text.as_bytes())
    }

    #[inline]
    fn place(&self, number: usize) -> Range<usize> {
        let before = number.checked_sub(1).and_then(|before| self.entries.get(before));
        let start = before.map_or(0, |entry| entry.end);
        start..self.entries.get(number).map_or(start, |entry| entry.end)
    }

    /// Returns them in the order in which they came.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        let numbered = self.entries.iter().enumerate();
        numbered.map(|(number, entry)| (self.text(number), &entry.value))
    }
}

#[cfg(test)]
mod tests {
    use super::Targets;

    /// Holds the table against a list that is searched.
    #[track_caller]
    fn check(targets: &Targets<u32>, expect: &[(String, u32)]) {
        let found: Vec<(&str, u32)> = targets.iter().map(|(text, value)| (text, *value)).collect();
        let expected: Vec<(&str, u32)> =
            expect.iter().map(|(text, value)| (text.as_str(), *value)).collect();
        assert_eq!(found, expected);
        assert_eq!(targets.len(), expect.len());
        for (text, value) in expect {
            assert_eq!(targets.get(text), Some(value), "{text}");
        }
        assert_eq!(targets.get("not there"), None);
    }

    #[test]
    fn it_holds_what_a_list_would() {
        let (mut targets, mut expect) = (Targets::default(), Vec::<(String, u32)>::new());
        check(&targets, &expect);
        for number in 0..600_u32 {
            // Some come again, and one is empty.
            let text = "x".repeat((number * 7 % 11) as usize) + &(number * 13 % 400).to_string();
            let text = if number == 50 { String::new() } else { text };
            targets.insert(&text, number);
            match expect.iter_mut().find(|(known, _)| *known == text) {
                Some((_, value)) => *value = number,
                None => expect.push((text, number)),
            }
            if number % 97 == 0 {
                targets.retain(|value| value % 3 != 0);
                expect.retain(|(_, value)| value % 3 != 0);
            }
            if number % 50 == 0 {
                check(&targets, &expect);
            }
        }
        check(&targets, &expect);
        *targets.get_mut(&expect[3].0).unwrap() = 1_000;
        expect[3].1 = 1_000;
        check(&targets, &expect);
        targets.clear();
        check(&targets, &[]);
        targets.insert("a", 1);
        check(&targets, &[("a".to_owned(), 1)]);
    }

    #[test]
    fn nothing_is_kept_where_all_is_forgotten() {
        let mut targets = Targets::default();
        targets.insert("a", 1_u32);
        targets.retain(|_| false);
        check(&targets, &[]);
        targets.insert("b", 2);
        check(&targets, &[("b".to_owned(), 2)]);
    }
}
