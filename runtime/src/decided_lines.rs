//! What was found out about the command lines that somebody asked about last, such as a policy: agents run the same ones again
//! and again, and looking through one takes longer than all else that is done for a call. Knows nothing of rules: what is
//! kept must depend on the image, the tool, the mode and the line alone.

use std::hash::BuildHasher;
use std::sync::Mutex;

/// What was said of lines that tools of one name run, for all sessions of an image.
#[derive(Debug)]
pub(crate) struct DecidedLines<T> {
    /// Each line has one of a few places, one of which the next one takes where none is free.
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
    /// For how many lines there is room at first, and at most: powers of two.
    const LEAST_PLACES: usize = 16;
    const MAX_PLACES: usize = 1024;
    /// Longer ones are not.
    const MAX_LENGTH: usize = 256;

    /// Gives what was said of a line in a mode, if that is known.
    #[inline]
    pub fn get(&self, line: &str, mode: u8) -> Option<T> {
        if line.len() > Self::MAX_LENGTH {
            None
        } else {
            self.find(self.hasher.hash_one(line), line, mode)
        }
    }

    fn find(&self, hash: u64, line: &str, mode: u8) -> Option<T> {
        let is_it =
            |known: &&Decided<T>| (known.hash, known.mode) == (hash, mode) && known.line == line;
        // Where another session is at it, nobody waits.
        let places = self.places.try_lock().ok()?;
        let of_line = places_of(hash, places.len()).map_while(|at| places.get(at)?.as_ref());
        of_line.into_iter().find(is_it).map(|known| known.answer)
    }

    /// Gives what was said of a line in a mode; else asks, and keeps the answer.
    pub fn get_or(&self, line: &str, mode: u8, ask: impl FnOnce() -> T) -> T {
        if line.len() > Self::MAX_LENGTH {
            return ask();
        }
        let hash = self.hasher.hash_one(line);
        if let Some(known) = self.find(hash, line, mode) {
            return known;
        }
        let answer = ask();
        if let Ok(mut places) = self.places.try_lock() {
            let mut free = free_place(&places, hash);
            if free.is_none() && places.len() < Self::MAX_PLACES {
                grow(&mut places, Self::LEAST_PLACES);
                free = free_place(&places, hash);
            }
            // Of those that are taken, any will do.
            let any = || places_of(hash, places.len()).nth((hash >> 32) as usize % PLACES_OF_LINE);
            let at = free.or_else(any).unwrap_or_default();
            if let Some(place) = places.get_mut(at) {
                let mut text = place.take().map(|known| known.line).unwrap_or_default();
                text.clear();
                text.push_str(line);
                *place = Some(Decided { hash, mode, line: text, answer });
            }
        }
        answer
    }
}

/// In how many places a line may stand.
const PLACES_OF_LINE: usize = 4;

/// The places of a line among so many, one behind the other. Those before one that is free are taken.
fn places_of(hash: u64, places: usize) -> impl Iterator<Item = usize> {
    (0..PLACES_OF_LINE).map(move |step| (hash as usize).wrapping_add(step) & places.wrapping_sub(1))
}

/// The first of the places of a line that is free.
fn free_place<T>(places: &[Option<Decided<T>>], hash: u64) -> Option<usize> {
    places_of(hash, places.len()).find(|at| places.get(*at).is_some_and(Option::is_none))
}

/// Makes room for twice as many lines, at least for `least`.
#[cold]
fn grow<T>(places: &mut Vec<Option<Decided<T>>>, least: usize) {
    let size = (places.len() * 2).max(least);
    let known = std::mem::take(places);
    places.resize_with(size, || None);
    for decided in known.into_iter().flatten() {
        let free = free_place(places, decided.hash);
        if let Some(place) = free.and_then(|at| places.get_mut(at)) {
            *place = Some(decided);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DecidedLines;

    #[test]
    fn lines_are_remembered_as_long_as_there_is_room() {
        let lines = DecidedLines::default();
        let all: Vec<String> = (0..300).map(|number| format!("run {number}")).collect();
        let ask = || {
            let mut asked = 0;
            all.iter().for_each(|line| {
                lines.get_or(line, 0, || asked += 1);
            });
            asked
        };
        assert_eq!(ask(), all.len());
        assert!(ask() <= all.len() / 20, "{}", ask());
    }

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
