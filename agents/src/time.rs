//! Timestamps as agents write them (RFC 3339), turned into milliseconds since the epoch.
//! Exact integer arithmetic; no time zones beyond a fixed offset, no clock.

/// Milliseconds since the epoch of an RFC 3339 timestamp such as `2026-01-22T17:51:05.248Z`.
/// Digits beyond milliseconds are dropped; a leap second counts as the second after it.
/// `None` for anything else, also for days that do not exist.
#[must_use]
pub(crate) fn milliseconds(text: &str) -> Option<i64> {
    let mut cursor = Cursor(text.as_bytes());
    let (year, month, day) = (cursor.digits(4)?, cursor.after(b"-", 2)?, cursor.after(b"-", 2)?);
    let (hour, minute, second) =
        (cursor.after(b"Tt ", 2)?, cursor.after(b":", 2)?, cursor.after(b":", 2)?);
    let fraction = cursor.fraction()?;
    let offset = cursor.offset()?;
    let in_range = (1..=12).contains(&month)
        && (1..=days_in(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second <= 60;
    if !in_range || !cursor.0.is_empty() {
        return None;
    }
    let seconds =
        days_since_epoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
    Some(seconds * 1000 + fraction)
}

/// What is left to read.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn digits(&mut self, count: usize) -> Option<i64> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        digits.iter().try_fold(0, |sum, byte| {
            byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0'))
        })
    }

    /// One of `separators`, then `count` digits.
    fn after(&mut self, separators: &[u8], count: usize) -> Option<i64> {
        let (first, rest) = self.0.split_first()?;
        if !separators.contains(first) {
            return None;
        }
        self.0 = rest;
        self.digits(count)
    }

    /// `.` and digits, if they are there, in milliseconds.
    fn fraction(&mut self) -> Option<i64> {
        let Some(mut rest) = self.0.strip_prefix(b".") else {
            return Some(0);
        };
        let (mut milliseconds, mut place) = (0, 100);
        let mut any = false;
        while let Some((digit, tail)) =
            rest.split_first().filter(|(digit, _)| digit.is_ascii_digit())
        {
            milliseconds += i64::from(digit - b'0') * place;
            place /= 10;
            any = true;
            rest = tail;
        }
        self.0 = rest;
        any.then_some(milliseconds)
    }

    /// `Z` or `+hh:mm`, in seconds.
    fn offset(&mut self) -> Option<i64> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        let sign = match first {
            b'Z' | b'z' => return Some(0),
            b'+' => 1,
            b'-' => -1,
            _ => return None,
        };
        let (hours, minutes) = (self.digits(2)?, self.after(b":", 2)?);
        (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
    }
}

fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days from 1970-01-01, in the Gregorian calendar; for years from 0.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    // The year is counted from March, so that the leap day is its last.
    let from_march = if month <= 2 { year - 1 } else { year };
    let era = from_march.div_euclid(400);
    let year_of_era = from_march.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
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
        check("2016-12-31T23:59:60Z", Some(1_483_228_800_000));
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
