//! Logic of three values: what nothing tells is unknown, and stays so through `not`, `all` and `any` unless
//! the rest decides.

/// A truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Truth {
    /// It does not hold.
    False = 0,
    /// Nothing tells.
    Unknown = 1,
    /// It holds.
    True = 2,
}

impl From<bool> for Truth {
    #[inline(always)]
    fn from(value: bool) -> Self {
        if value { Truth::True } else { Truth::False }
    }
}

impl Truth {
    #[inline(always)]
    pub(crate) fn not(self) -> Self {
        match self {
            Truth::False => Truth::True,
            Truth::Unknown => Truth::Unknown,
            Truth::True => Truth::False,
        }
    }

    /// This and another truth, which is only asked for if it is wanted and may decide.
    #[inline(always)]
    pub(crate) fn and_if(self, is_wanted: bool, other: impl FnOnce() -> Truth) -> Self {
        if is_wanted && self != Truth::False { self.min(other()) } else { self }
    }

    #[inline(always)]
    pub(crate) fn from_bits(bits: u64) -> Self {
        match bits & 3 {
            0 => Truth::False,
            1 => Truth::Unknown,
            _ => Truth::True,
        }
    }
}
