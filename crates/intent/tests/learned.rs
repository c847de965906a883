//! The learned reading of messages: that its weights are made from the messages that stand here, and how well it reads messages of
//! people whom it has not seen.

#[path = "../training/labelled.rs"]
mod labelled;

use behavior_intent::learned::{LIMIT, Weights, score};
use behavior_intent::message::passages;

use labelled::{Label, Message, files, fingerprint_of, folder};

#[test]
fn the_weights_are_made_from_the_messages() {
    let fresh = fingerprint_of(&files().unwrap()).unwrap();
    assert_eq!(Weights::built_in().fingerprint(), fresh, "run `cargo xtask weights`");
}

#[test]
fn noes_of_strangers_are_heard_and_little_else() {
    let mut heard = 0;
    let (mut noes, mut wrong, mut others) = (0, 0, 0);
    for message in Message::read(&folder().join("held-out/mixed.jsonl")).unwrap() {
        let read = passages(&message.text);
        for (topic, label) in message.topics(&read) {
            let is_found = usize::from(score(&read, topic) > LIMIT);
            match label {
                Label::No => (heard, noes) = (heard + is_found, noes + 1),
                _ => (wrong, others) = (wrong + is_found, others + 1),
            }
        }
    }
    assert!(heard * 100 >= noes * MIN_HEARD, "{heard} of {noes} noes");
    assert!(wrong * 1000 <= others * MAX_WRONG, "{wrong} of {others} that are none");
}

/// Of a hundred noes in words of all kinds so many are heard at least.
const MIN_HEARD: usize = 25;
/// Of a thousand that are none so many are taken for one at most.
const MAX_WRONG: usize = 3;
