//! A number that tells most names apart, at the cost of a few instructions: comparing texts is left for where it is the
//! same.

/// The last letters of a name with its length, in one number; equal for equal names.
#[inline]
#[must_use]
pub fn mark(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let last = match bytes.last_chunk::<8>() {
        Some(last) => u64::from_le_bytes(*last),
        None => match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            (Some(first), Some(last)) => {
                u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
            }
            _ => bytes.iter().fold(0, |mark, byte| mark << 8 | u64::from(*byte)),
        },
    };
    last ^ (bytes.len() as u64) << 56
}

/// Whether two names are equal whose marks are: a mark holds all letters of a short one, and the last of a longer one.
#[inline]
#[must_use]
pub fn are_equal(one: &str, other: &str) -> bool {
    const HELD: usize = size_of::<u64>();
    let first = |name: &str| name.as_bytes().first_chunk::<HELD>().map(|a| u64::from_le_bytes(*a));
    one.len() == other.len()
        && (one.len() <= HELD
            || first(one) == first(other) && (one.len() <= 2 * HELD || one == other))
}

/// Where things of some names stand most often, by their marks: each has a place, which the next one for that place
/// takes. It may be wrong, and says 0 of what it does not know.
#[derive(Clone, Debug)]
pub struct Places([u32; 1 << PLACE_BITS]);

const PLACE_BITS: u32 = 6;

impl Default for Places {
    fn default() -> Self {
        Self([0; 1 << PLACE_BITS])
    }
}

impl Places {
    /// The number of what has this mark, or another number.
    #[inline]
    #[must_use]
    pub fn get(&self, mark: u64) -> u32 {
        self.0.get(Self::of(mark)).copied().unwrap_or_default()
    }

    /// Puts a number where what has this mark stands most often.
    #[inline]
    pub fn set(&mut self, mark: u64, number: u32) {
        if let Some(place) = self.0.get_mut(Self::of(mark)) {
            *place = number;
        }
    }

    #[inline]
    fn of(mark: u64) -> usize {
        (mark.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (u64::BITS - PLACE_BITS)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{are_equal, mark};

    #[test]
    fn the_mark_of_a_short_name_is_all_of_it() {
        let letters = ["a", "b", "é", "\0"];
        let longer = |names: &Vec<String>| -> Vec<String> {
            let all = names.iter().flat_map(|name| letters.map(|letter| format!("{name}{letter}")));
            all.collect()
        };
        let mut names = vec![String::new()];
        for _ in 0..4 {
            names.extend(longer(&names));
            names.sort_unstable();
            names.dedup();
        }
        for one in &names {
            for other in names.iter().filter(|other| mark(one) == mark(other)) {
                assert_eq!(are_equal(one, other), one == other, "{one:?} {other:?}");
            }
        }
    }

    #[test]
    fn names_are_equal_only_where_all_letters_are() {
        for length in 1..40 {
            let name = "abcdefgh".repeat(5)[..length].to_owned();
            assert!(are_equal(&name, &name.clone()));
            for at in 0..length {
                let other = format!("{}#{}", &name[..at], &name[at + 1..]);
                let are_alike = mark(&name) == mark(&other) && are_equal(&name, &other);
                assert!(!are_alike, "{name} {other}");
            }
        }
    }

    #[test]
    fn usual_names_are_told_apart() {
        let names = [
            "",
            "a",
            "b",
            "ab",
            "ba",
            "abc",
            "read",
            "edit",
            "bash",
            "write",
            "grep",
            "glob",
            "web_search",
            "call-1",
            "call-2",
            "call-11",
            "call-12",
            "toolu_0123",
            "toolu_0124",
        ];
        for (at, name) in names.iter().enumerate() {
            for other in names.iter().skip(at + 1) {
                assert_ne!(mark(name), mark(other), "{name} {other}");
            }
        }
    }
}
