//! What a person says, cut into passages that are short enough to be read as one.

use super::features::word;
use super::topics::{Topic, spoken_of};
use super::words::{FILE, words};

/// A passage ends with the sentence that takes it over so many words.
const MAX_WORDS: usize = 60;
/// A longer sentence is cut.
const MAX_SENTENCE: usize = 120;
/// A longer message is none of those that were learned from, but a plan or something pasted: nothing is read of it.
const MAX_PASSAGES: usize = 5;

/// Of so many files it is told whether they are to be left alone.
const MAX_FILES: u8 = 16;

/// A word of a passage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    /// The hash of its stem.
    pub word: u64,
    /// The acts that it may speak of, a bit for each.
    pub acts: u32,
    /// The place of the file that it names among those that the message names.
    pub file: Option<u8>,
    /// Whether a sentence ends with it.
    pub is_end: bool,
}

impl Token {
    /// Whether a topic may be spoken of with it.
    pub fn is_of(&self, topic: Topic) -> bool {
        match topic {
            Topic::Act(place) => self.acts & 1 << place != 0,
            Topic::Change(file) => self.file == Some(file),
        }
    }
}

/// A message as passages.
#[derive(Clone, Debug, Default)]
pub struct Passages {
    passages: Vec<Vec<Token>>,
    /// The files that it names, in lower case.
    files: Vec<String>,
}

impl Passages {
    /// Adds a sentence, with the sign that ends it.
    pub fn add(&mut self, sentence: &str, end: char) {
        let mut tokens = Vec::new();
        let mut take = |text: &str, name: &str| {
            let file = (text == FILE).then(|| self.file(name)).flatten();
            tokens.push(Token { word: word(text), acts: spoken_of(text), file, is_end: false });
        };
        words(sentence, &mut take);
        let mut sign = [0; 4];
        take(end.encode_utf8(&mut sign), "");
        tokens.truncate(MAX_SENTENCE);
        if let Some(last) = tokens.last_mut() {
            last.is_end = true;
        }
        let is_full = self.passages.len() > MAX_PASSAGES;
        let last = self.passages.last_mut();
        match last.filter(|passage| passage.len() + tokens.len() <= MAX_WORDS) {
            Some(passage) => passage.append(&mut tokens),
            None if is_full => {}
            None => self.passages.push(tokens),
        }
    }

    /// The place of a file among those that the message names; `None` of more than anybody names.
    fn file(&mut self, name: &str) -> Option<u8> {
        let known = self.files.iter().position(|file| file == name);
        let place = known.unwrap_or_else(|| {
            self.files.push(name.to_owned());
            self.files.len() - 1
        });
        u8::try_from(place).ok().filter(|place| *place < MAX_FILES)
    }

    /// Returns the files that the message names, in lower case, each with the topic of a change of it.
    pub fn files(&self) -> impl Iterator<Item = (Topic, &str)> {
        (0..MAX_FILES).zip(&self.files).map(|(place, file)| (Topic::Change(place), file.as_str()))
    }

    /// Returns the passages; none of a message that is too long to be read.
    pub(super) fn all(&self) -> impl Iterator<Item = &[Token]> {
        let is_short = self.passages.len() <= MAX_PASSAGES;
        self.passages.iter().map(Vec::as_slice).filter(move |_| is_short)
    }
}

#[cfg(test)]
mod tests {
    use super::Passages;

    #[test]
    fn long_messages_are_cut_between_sentences_and_very_long_ones_not_read() {
        let mut passages = Passages::default();
        for _ in 0..9 {
            passages.add("one two three four five six seven eight nine ten", '.');
        }
        let lengths: Vec<usize> = passages.all().map(<[_]>::len).collect();
        assert_eq!(lengths, [55, 44]);
        for _ in 0..90 {
            passages.add("one two three four five six seven eight nine ten", '.');
        }
        assert_eq!(passages.all().count(), 0);
    }

    #[test]
    fn each_file_has_a_topic_of_its_own() {
        let mut passages = Passages::default();
        passages.add("change src/a.py, not src/b.py", '.');
        passages.add("src/A.py is mine", '.');
        let files: Vec<&str> = passages.files().map(|(_, file)| file).collect();
        assert_eq!(files, ["src/a.py", "src/b.py"]);
        let topic = passages.files().map(|(topic, _)| topic).next().unwrap();
        let named = passages.all().flatten().filter(|token| token.is_of(topic)).count();
        assert_eq!(named, 2);
    }
}
