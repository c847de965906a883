//! Numbers as people write them. Knows nothing of the terminal.

/// A number with thousands set apart.
#[must_use]
pub fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number and what it counts: `1 event`, `2 events`.
#[must_use]
pub fn count(value: u64, what: &str) -> String {
    let plural = if value == 1 { "" } else { "s" };
    format!("{} {what}{plural}", number(value))
}

/// Says which day it is at a second since the epoch.
#[must_use]
pub fn day(second: u32) -> String {
    jiff::Timestamp::from_second(second.into()).unwrap_or_default().strftime("%F").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!(count(1, "event"), "1 event");
        assert_eq!(count(2, "event"), "2 events");
    }
}
