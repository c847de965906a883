//! Timestamps as agents write them (RFC 3339), turned into milliseconds since the epoch.

use jiff::Timestamp;

/// Returns the milliseconds since the epoch of a timestamp such as `2026-01-22T17:51:05.248Z`, in any
/// form of RFC 3339 or ISO 8601 that has an offset. What is finer than milliseconds is dropped; a leap
/// second counts as the second before it. `None` for anything else, also for days that do not exist.
#[must_use]
pub(crate) fn milliseconds(text: &str) -> Option<i64> {
    text.parse().ok().map(Timestamp::as_millisecond)
}

#[cfg(test)]
mod tests {
    use super::milliseconds;

    #[track_caller]
    fn check(text: &str, expect: Option<i64>) {
        assert_eq!(milliseconds(text), expect, "{text}");
    }

    #[test]
    fn known_instants() {
        check("1970-01-01T00:00:00Z", Some(0));
        check("1969-12-31T23:59:59.999Z", Some(-1));
        check("2000-02-29T12:00:00.5Z", Some(951_825_600_500));
        check("2025-12-16T01:00:00.000Z", Some(1_765_846_800_000));
        check("2025-12-16T02:30:00.123456+01:30", Some(1_765_846_800_123));
        check("2016-12-31T23:59:60Z", Some(1_483_228_799_000));
        check("0000-03-01T00:00:00Z", Some(-62_162_035_200_000));
    }

    #[test]
    fn everything_else_is_refused() {
        for text in [
            "",
            "[trimmed]",
            "2025-12-16",
            "2025-02-29T00:00:00Z",
            "2025-13-01T00:00:00Z",
            "2025-12-16T24:00:00Z",
            "2025-12-16T00:00:00",
            "2025-12-16T00:00:00.Z",
            "2025-12-16T00:00:00Zz",
            "2025-12-16T00:00:00+1:00",
            "２025-12-16T00:00:00Z",
        ] {
            check(text, None);
        }
    }
}
