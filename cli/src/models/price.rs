//! What answers cost, at a price that the user tells: no list of prices stays right for long.

use std::str::FromStr;

/// What a million tokens cost, in whatever currency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// Of questions.
    asked: f64,
    /// Of answers.
    answered: f64,
}

impl Price {
    /// What some tokens of questions and of answers cost.
    #[must_use]
    pub fn of(self, asked: u64, answered: u64) -> f64 {
        const MILLION: f64 = 1_000_000.0;
        (asked as f64 * self.asked + answered as f64 * self.answered) / MILLION
    }
}

impl FromStr for Price {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (asked, answered) = text.split_once('/').unwrap_or((text, text));
        let number =
            |text: &str| text.trim().parse().ok().filter(|price| (0.0..1e9).contains(price));
        number(asked)
            .zip(number(answered))
            .map(|(asked, answered)| Self { asked, answered })
            .ok_or_else(|| {
                "a price is that of a million tokens of questions and of answers: `0.25/2`"
                    .to_owned()
            })
    }
}

/// A cost with as many digits as tell something.
#[must_use]
pub fn shown(cost: f64) -> String {
    match cost {
        cost if cost >= 10.0 => format!("{cost:.0}"),
        cost if cost >= 0.1 => format!("{cost:.2}"),
        cost => format!("{cost:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Price, shown};

    #[test]
    fn a_price_is_of_a_million_tokens() {
        let price: Price = "0.25/2".parse().expect("a price");
        assert_eq!(shown(price.of(1_000_000, 500_000)), "1.25");
        assert_eq!(shown(price.of(1_000, 100)), "0.0004");
        let one: Price = "3".parse().expect("a price");
        assert_eq!(shown(one.of(10_000_000, 0)), "30");
        for wrong in ["", "a/b", "1/", "-1/2", "NaN", "inf/1"] {
            assert!(wrong.parse::<Price>().is_err(), "{wrong}");
        }
    }
}
