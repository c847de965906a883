//! What a message forbids in words that no form knows: "ops does the upload here", "keep that on your disk for today". A linear model
//! reads it: what stands in a message has weights, which were learned from labelled messages, and their sum says whether an act is
//! forbidden. It is asked last, and never of an act that the forms have found. Knows no forms.
//!
//! The messages stand in `training/`, each with the acts that it forbids, asks for or only mentions; `cargo run --release -p
//! behavior-intent --example train` makes [`weights`] of them, and says how well they do on messages of people whose others they
//! have not seen.

mod features;
mod passage;
mod topics;
mod weights;
mod words;

pub use passage::Passages;
pub use topics::{Topic, acts};
pub use weights::{Weights, fingerprint, share};

use self::passage::Token;
use crate::act::Act;

/// From this on an act is taken to be forbidden: the logarithm of the odds.
pub const LIMIT: f32 = 0.5;
/// From this on a file is taken to be one that is to be left alone: it is more often only named.
const LIMIT_OF_FILES: f32 = 1.2;

/// Returns the acts that a message forbids, as far as the weights tell.
pub(super) fn forbidden(passages: &Passages) -> Vec<Act> {
    acts().filter(|(topic, _)| score(passages, *topic) > LIMIT).map(|(_, act)| act).collect()
}

/// Returns the files that a message wants left as they are, in lower case, as far as the weights tell.
pub(super) fn left_alone(passages: &Passages) -> impl Iterator<Item = &str> {
    let is_left = move |topic| score(passages, topic) > LIMIT_OF_FILES;
    passages.files().filter(move |(topic, _)| is_left(*topic)).map(|(_, file)| file)
}

/// Returns how surely a message forbids a topic: the logarithm of the odds, of the passage that is the surest. Only passages
/// with a word for it are looked at.
pub fn score(passages: &Passages, topic: Topic) -> f32 {
    let weights = Weights::built_in();
    let scores = each_features(passages, topic).map(|features| weights.score(&features));
    scores.fold(f32::NEG_INFINITY, f32::max)
}

/// Returns the features of each passage that speaks of a topic.
pub fn each_features(passages: &Passages, topic: Topic) -> impl Iterator<Item = Vec<u64>> {
    let speaks = move |passage: &&[Token]| passage.iter().any(|token| token.is_of(topic));
    passages.all().filter(speaks).map(move |passage| features::features(passage, topic))
}

#[cfg(test)]
mod tests {
    use super::{forbidden, left_alone};
    use crate::act::Act;
    use crate::message::passages;

    #[test]
    fn noes_are_heard_in_words_of_no_form() {
        for (message, act) in [
            ("u only write the migration, running it is the dbas job", Act::Migrate),
            ("I like to go through the diff before anything lands in the history", Act::Commit),
            ("nothing goes up to the remote while the customer is looking at it", Act::Push),
        ] {
            assert!(forbidden(&passages(message)).contains(&act), "{message}");
        }
        let message = passages("Fix the cart. config/prod.yaml is Anna's business, she'd kill me");
        assert_eq!(left_alone(&message).collect::<Vec<_>>(), ["config/prod.yaml"]);
    }

    #[test]
    fn ordinary_messages_forbid_nothing() {
        for message in [
            "commit and push please",
            "don't stop until everything is green",
            "the app must not push notifications at night, fix that in src/notify.ts",
            "what does git stash do?",
            "",
        ] {
            let passages = passages(message);
            assert_eq!(forbidden(&passages), [], "{message}");
            assert_eq!(left_alone(&passages).count(), 0, "{message}");
        }
    }
}
