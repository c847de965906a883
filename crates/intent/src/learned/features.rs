//! What weights are kept for: what stands in the sentences of a passage, and what stands around the words that speak of an act,
//! each as a hash.

use super::passage::Token;
use super::topics::Topic;
use crate::fnv::{OFFSET, fnv};

/// So many words on either side of one that speaks of the act count.
const AROUND: usize = 5;

/// What a feature is of.
#[derive(Clone, Copy)]
enum Kind {
    /// A word of a sentence that speaks of the act.
    Own = 1,
    /// A word of another sentence of a passage that speaks of it somewhere.
    Beside,
    /// A word of a passage that speaks of it nowhere.
    Elsewhere,
    /// A word before one that speaks of the act.
    Before,
    /// A word behind one that speaks of the act.
    Behind,
    /// A word, for this act alone.
    OfAct,
    /// The act itself.
    Act,
}

/// What stands for a word that speaks of the act.
const ACT: u64 = 0x51;
/// What stands for the borders of a sentence.
const BEGINS: u64 = 0x52;
const ENDS: u64 = 0x53;

/// Returns the features of a passage for a topic, in order, each once.
pub(super) fn features(passage: &[Token], topic: Topic) -> Vec<u64> {
    let number = topic.number();
    let speaks = |tokens: &[Token]| tokens.iter().any(|token| token.is_of(topic));
    let is_spoken_of = speaks(passage);
    let mut found = vec![
        hash(Kind::Act, number, 0),
        hash(Kind::Act, number, 1 + u64::from(is_spoken_of)),
        hash(Kind::Act, u64::MAX, u64::from(is_spoken_of)),
    ];
    for sentence in passage.split_inclusive(|token| token.is_end) {
        let kind = match (speaks(sentence), is_spoken_of) {
            (true, _) => Kind::Own,
            (false, true) => Kind::Beside,
            (false, false) => Kind::Elsewhere,
        };
        let masked = |token: &Token| if token.is_of(topic) { ACT } else { token.word };
        let mut line = vec![BEGINS];
        line.extend(sentence.iter().map(masked));
        line.push(ENDS);
        for (at, word) in line.iter().enumerate() {
            found.push(hash(kind, *word, 0));
            if let Some(next) = line.get(at + 1) {
                found.push(hash(kind, *word, *next));
            }
            if *word == ACT {
                let before = line.iter().take(at).rev().take(AROUND);
                found.extend(before.map(|word| hash(Kind::Before, *word, 0)));
                let behind = line.iter().skip(at + 1).take(AROUND);
                found.extend(behind.map(|word| hash(Kind::Behind, *word, 0)));
            }
        }
    }
    let own = |one: u64, other: u64| hash(Kind::OfAct, one ^ number << 56, other);
    found.extend(passage.iter().map(|token| own(token.word, 0)));
    found.extend(passage.windows(2).filter_map(|two| match two {
        [one, other] => Some(own(one.word, other.word)),
        _ => None,
    }));
    found.sort_unstable();
    found.dedup();
    found
}

fn hash(kind: Kind, one: u64, other: u64) -> u64 {
    mixed(mixed(one ^ (kind as u64) << 60).wrapping_add(other.rotate_left(17)))
}

/// The hash of a word.
pub(super) fn word(text: &str) -> u64 {
    fnv(OFFSET, text)
}

/// The finishing steps of MurmurHash3, which spread all bits over all.
fn mixed(mut hash: u64) -> u64 {
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}
