//! Logic of four values. What nobody can tell stays so through `not`, `all` and `any` unless the rest decides,
//! and there are two kinds of it: what the call itself does not tell, and what whoever records or runs the
//! session does not.
//!
//! The order of the values settles what two of them come to, and it is what filling the missing fact in gives:
//! where one alternative is opaque, finding out about another that is missing can only make it worse, so `any`
//! of them is opaque; where one of several conditions is missing, all may fail with it, so `all` of them is
//! unknown. (For that, `not (a and b)` of an opaque and an unknown part is unknown, and not opaque.)

/// A truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Truth {
    /// It does not hold.
    False = 0,
    /// Nothing tells: a fact of the session or of the disk is missing. It is never guessed.
    Unknown = 1,
    /// Before the call runs nobody can tell: a program or a file of it is known only then, or a limit of the
    /// reader was met. Whoever is careful asks.
    Opaque = 2,
    /// It holds.
    True = 3,
}

impl From<bool> for Truth {
    #[inline(always)]
    fn from(value: bool) -> Self {
        if value { Truth::True } else { Truth::False }
    }
}

impl Truth {
    /// Whether both hold.
    #[inline(always)]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.min(other)
    }

    /// Whether one of them holds.
    #[inline(always)]
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        self.max(other)
    }

    /// Returns whether it does not hold; what nobody can tell stays so.
    #[inline(always)]
    #[must_use]
    #[expect(
        clippy::should_implement_trait,
        reason = "it stands beside `and` and `or`, which are no traits"
    )]
    pub fn not(self) -> Self {
        match self {
            Truth::False => Truth::True,
            Truth::True => Truth::False,
            open => open,
        }
    }

    /// Whether nobody can tell.
    #[inline(always)]
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self, Truth::Opaque | Truth::Unknown)
    }

    /// This and another truth, which is only asked for if it is wanted and may decide.
    #[inline(always)]
    pub(crate) fn and_if(self, is_wanted: bool, other: impl FnOnce() -> Truth) -> Self {
        if is_wanted && self != Truth::False { self.and(other()) } else { self }
    }

    /// Reads one from the last two bits of a number.
    #[inline(always)]
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        match bits & 3 {
            0 => Truth::False,
            1 => Truth::Unknown,
            2 => Truth::Opaque,
            _ => Truth::True,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Truth::{False, Opaque, True, Unknown};

    #[test]
    fn what_is_missing_hides_nothing_that_is_opaque() {
        assert_eq!((Opaque.and(Unknown), Opaque.or(Unknown)), (Unknown, Opaque));
        for open in [Opaque, Unknown] {
            assert_eq!((open.and(True), open.and(False)), (open, False));
            assert_eq!((open.or(False), open.or(True)), (open, True));
            assert_eq!(open.not(), open);
        }
        assert_eq!((True.not(), False.not()), (False, True));
    }
}
