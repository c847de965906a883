//! What a policy said of the command lines that it was asked about last: agents run the same ones again and again, and
//! reading one takes longer than all else that is done for a call. Knows nothing of rules: what is kept must depend on
//! the image, the tool, the mode and the line alone.

use std::hash::BuildHasher;
use std::sync::Mutex;

/// What was said of lines that tools of one name run, for all sessions of an image.
#[derive(Debug)]
pub(crate) struct DecidedLines<T> {
    /// Each line has one place, which the next one for that place takes.
    places: Mutex<Vec<Option<Decided<T>>>>,
    hasher: foldhash::fast::FixedState,
}

#[derive(Debug)]
struct Decided<T> {
    hash: u64,
    mode: u8,
    line: String,
    answer: T,
}

impl<T> Default for DecidedLines<T> {
    fn default() -> Self {
        Self { places: Mutex::default(), hasher: foldhash::fast::FixedState::default() }
    }
}

impl<T: Copy> DecidedLines<T> {
    /// How many lines are kept; a power of two.
    const PLACES: usize = 256;
    /// Longer ones are not.
    const MAX_LENGTH: usize = 256;

    /// Gives what was said of a line in a mode; else asks, and keeps the answer.
    pub fn get_or(&self, line: &str, mode: u8, ask: impl FnOnce() -> T) -> T {
        if line.len() > Self::MAX_LENGTH {
            return ask();
        }
        let hash = self.hasher.hash_one(line);
        let place = hash as usize & (Self::PLACES - 1);
        // Where another session is at it, nobody waits.
        if let Ok(places) = self.places.try_lock()
            && let Some(Some(known)) = places.get(place)
            && (known.hash, known.mode) == (hash, mode)
            && known.line == line
        {
            return known.answer;
        }
        let answer = ask();
        if let Ok(mut places) = self.places.try_lock() {
            if places.is_empty() {
                places.resize_with(Self::PLACES, || None);
            }
            if let Some(place) = places.get_mut(place) {
                let mut text = place.take().map(|known| known.line).unwrap_or_default();
                text.clear();
                text.push_str(line);
                *place = Some(Decided { hash, mode, line: text, answer });
            }
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::DecidedLines;

    #[test]
    fn each_line_has_its_own_answer_in_each_mode() {
        let lines = DecidedLines::default();
        let long = "x".repeat(DecidedLines::<usize>::MAX_LENGTH + 1);
        for _ in 0..3 {
            for number in 0..500 {
                let line = format!("run {number}");
                for mode in [0, 1] {
                    let expect = number * 2 + usize::from(mode);
                    assert_eq!(lines.get_or(&line, mode, || expect), expect, "{line} {mode}");
                    assert_eq!(lines.get_or(&line, mode, || 10_000), expect, "{line} {mode}");
                }
            }
            assert_eq!(lines.get_or(&long, 0, || 1), 1);
            assert_eq!(lines.get_or(&long, 0, || 2), 2);
        }
    }
}
