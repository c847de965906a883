//! What a file looked like at some moment, and whether it has changed since.

use crate::truth::Truth;

/// Size and modification time of a file, as far as they are known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint {
    /// Bytes.
    pub size: Option<u64>,
    /// Milliseconds since the epoch.
    pub mtime: Option<i64>,
}

impl Fingerprint {
    /// There is no file.
    pub const ABSENT: Fingerprint = Fingerprint { size: None, mtime: Some(i64::MIN) };

    /// Returns whether the file changed since an earlier fingerprint of it. What was known then and is not known
    /// now, or the other way round, tells nothing: neither that it changed nor that it did not.
    #[must_use]
    pub fn changed_since(self, earlier: Fingerprint) -> Truth {
        fn changed<T: PartialEq>(then: Option<T>, now: Option<T>) -> Truth {
            match (then, now) {
                (Some(then), Some(now)) => (then != now).into(),
                (None, None) => Truth::False,
                _ => Truth::Unknown,
            }
        }
        if (earlier == Self::ABSENT) != (self == Self::ABSENT) {
            return Truth::True;
        }
        let is_known = self != Self::default() || earlier != Self::default();
        let size = changed(earlier.size, self.size);
        if is_known { size.or(changed(earlier.mtime, self.mtime)) } else { Truth::Unknown }
    }
}

#[cfg(test)]
mod tests {
    use super::{Fingerprint, Truth};

    #[track_caller]
    fn check(then: (Option<u64>, Option<i64>), now: (Option<u64>, Option<i64>), expect: Truth) {
        let fingerprint = |(size, mtime)| Fingerprint { size, mtime };
        assert_eq!(fingerprint(now).changed_since(fingerprint(then)), expect, "{then:?} {now:?}");
    }

    #[test]
    fn what_is_half_known_is_not_guessed() {
        check((Some(1), Some(1)), (Some(1), Some(1)), Truth::False);
        check((Some(1), Some(1)), (Some(1), Some(2)), Truth::True);
        check((Some(1), None), (Some(1), None), Truth::False);
        check((Some(1), None), (Some(2), None), Truth::True);
        // Nothing that both tell of, or a part that only one tells of.
        check((Some(1), None), (None, Some(1)), Truth::Unknown);
        check((Some(1), Some(1)), (Some(1), None), Truth::Unknown);
        check((None, None), (None, None), Truth::Unknown);
        // A part that differs is enough.
        check((Some(1), Some(1)), (Some(2), None), Truth::True);
    }
}
