//! Sections of an image whose records vary in length: configuration, as a list of words. A word is a number, or the
//! index of a string; [`NONE`] stands for what is not there. Knows nothing of what is kept.

use crate::format::NONE;

/// Puts words after each other.
pub(crate) struct WordWriter<'a> {
    words: Vec<u32>,
    intern: &'a mut dyn FnMut(&str) -> u32,
}

impl<'a> WordWriter<'a> {
    /// Begins with no words; `intern` gives the index of a string.
    pub(crate) fn new(intern: &'a mut dyn FnMut(&str) -> u32) -> Self {
        Self { words: Vec::new(), intern }
    }

    /// Returns what was written.
    pub(crate) fn finish(self) -> Vec<u32> {
        self.words
    }

    pub(crate) fn number(&mut self, number: u32) {
        self.words.push(number);
    }

    pub(crate) fn optional_number(&mut self, number: Option<u32>) {
        self.number(number.unwrap_or(NONE));
    }

    /// Writes the length of what follows.
    pub(crate) fn count(&mut self, count: usize) {
        self.number(count as u32);
    }

    pub(crate) fn flag(&mut self, on: bool) {
        self.number(u32::from(on));
    }

    pub(crate) fn wide(&mut self, number: u64) {
        self.words.extend([(number >> 32) as u32, number as u32]);
    }

    pub(crate) fn optional_wide(&mut self, number: Option<u64>) {
        self.flag(number.is_some());
        self.wide(number.unwrap_or_default());
    }

    pub(crate) fn string(&mut self, text: &str) {
        let id = (self.intern)(text);
        self.number(id);
    }

    pub(crate) fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.string(text),
            None => self.number(NONE),
        }
    }

    pub(crate) fn strings(&mut self, texts: &[String]) {
        self.count(texts.len());
        texts.iter().for_each(|text| self.string(text));
    }
}

/// The most bytes of all texts together: words that name one long text many times would take any amount.
const MAX_TEXT: usize = 64 << 20;

/// Takes words that a [`WordWriter`] put down. Each function returns `None` where the words are none that it
/// writes: they may come from anybody.
pub(crate) struct WordReader<'a, F> {
    words: &'a [u32],
    string: F,
    /// How many bytes of texts there may still be.
    left: usize,
}

impl<'a, F: Fn(u32) -> Option<String>> WordReader<'a, F> {
    /// Begins with the first of these words; `string` returns the string with an index.
    pub(crate) fn new(words: &'a [u32], string: F) -> Self {
        Self { words, string, left: MAX_TEXT }
    }

    /// Whether nothing is left.
    pub(crate) fn is_at_end(&self) -> bool {
        self.words.is_empty()
    }

    pub(crate) fn number(&mut self) -> Option<u32> {
        let (&first, rest) = self.words.split_first()?;
        self.words = rest;
        Some(first)
    }

    pub(crate) fn optional_number(&mut self) -> Option<Option<u32>> {
        Some(Some(self.number()?).filter(|&number| number != NONE))
    }

    /// Returns a length that the remaining words can hold.
    pub(crate) fn count(&mut self) -> Option<usize> {
        let count = self.number()? as usize;
        (count <= self.words.len()).then_some(count)
    }

    /// As [`WordReader::count`], where there may be nothing at all.
    pub(crate) fn optional_count(&mut self) -> Option<Option<usize>> {
        if self.words.first() == Some(&NONE) {
            self.number()?;
            return Some(None);
        }
        self.count().map(Some)
    }

    pub(crate) fn flag(&mut self) -> Option<bool> {
        match self.number()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    pub(crate) fn wide(&mut self) -> Option<u64> {
        let (high, low) = (self.number()?, self.number()?);
        Some(u64::from(high) << 32 | u64::from(low))
    }

    pub(crate) fn optional_wide(&mut self) -> Option<Option<u64>> {
        let is_there = self.flag()?;
        let number = self.wide()?;
        Some(is_there.then_some(number))
    }

    /// As [`WordReader::optional_wide`], for fractions; what is no finite number is refused.
    pub(crate) fn optional_fraction(&mut self) -> Option<Option<f64>> {
        let fraction = self.optional_wide()?.map(f64::from_bits);
        fraction.is_none_or(f64::is_finite).then_some(fraction)
    }

    pub(crate) fn string(&mut self) -> Option<String> {
        let id = self.number()?;
        self.text(id)
    }

    pub(crate) fn optional(&mut self) -> Option<Option<String>> {
        match self.number()? {
            NONE => Some(None),
            id => self.text(id).map(Some),
        }
    }

    pub(crate) fn strings(&mut self) -> Option<Vec<String>> {
        self.list(Self::string)
    }

    /// Returns a list, whose items `item` reads.
    pub(crate) fn list<T>(&mut self, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.count()?;
        (0..count).map(|_| item(self)).collect()
    }

    fn text(&mut self, id: u32) -> Option<String> {
        let text = (self.string)(id)?;
        self.left = self.left.checked_sub(text.len())?;
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_are_named_again_and_again_have_an_end() {
        let long = "x".repeat(MAX_TEXT / 2);
        let mut reader = WordReader::new(&[0, 0, 0], |_| Some(long.clone()));
        assert!(reader.string().is_some());
        assert!(reader.string().is_some());
        assert_eq!(reader.string(), None);
    }

    #[test]
    fn a_count_fits_what_is_left() {
        assert_eq!(WordReader::new(&[2, 0], |_| None).count(), None);
        assert_eq!(WordReader::new(&[1, 0], |_| None).count(), Some(1));
        assert_eq!(WordReader::new(&[NONE], |_| None).optional_count(), Some(None));
        assert_eq!(WordReader::new(&[7], |_| None).optional_count(), None);
    }

    #[test]
    fn fractions_are_finite() {
        let words = |number: f64| {
            let mut intern = |_: &str| 0;
            let mut writer = WordWriter::new(&mut intern);
            writer.optional_wide(Some(number.to_bits()));
            writer.finish()
        };
        let read = |words: &[u32]| WordReader::new(words, |_| None).optional_fraction();
        assert_eq!(read(&words(0.5)), Some(Some(0.5)));
        assert_eq!(read(&words(f64::NAN)), None);
    }
}
