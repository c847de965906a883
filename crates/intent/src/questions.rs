//! Whether a message, or a clause of it, asks something, with or without the sign. Knows no acts.

use super::sentences::sentences;

/// Words that a question begins with.
const ASKING: &[&str] = &[
    "which", "what", "what's", "why", "why's", "how", "how's", "where", "where's", "who", "who's",
    "when", "is", "are", "does", "do", "did", "was", "were", "has", "have", "warum", "wieso",
    "wie", "wo", "wer", "welche", "ist", "sind", "qué", "cómo", "dónde", "cuál", "pourquoi",
    "comment", "où", "quel", "quelle",
];

/// Words that begin what asks to be told something.
const TELLING: &[&str] = &[
    "give",
    "show",
    "tell",
    "explain",
    "list",
    "describe",
    "compare",
    "summarize",
    "summarise",
    "outline",
    "sketch",
    "suggest",
    "propose",
    "walk",
    "elaborate",
    "clarify",
];

/// Whether a message does nothing but ask, and wants to be told something.
pub fn asks_on(text: &str) -> bool {
    let lower = text.to_lowercase();
    let asks = |clause: &str| begins_question(clause) || begins_with(clause, TELLING);
    text.contains('?') || sentences(&lower).any(|(sentence, _)| sentence.split(',').any(asks))
}

/// Whether a clause, in lower case, begins as a question does: "is ci green", and not "do it".
pub(super) fn begins_question(clause: &str) -> bool {
    let mut words = plain(clause);
    let is_order =
        words.next() == Some("do") && matches!(words.next(), Some("it" | "that" | "so" | "this"));
    !is_order && begins_with(clause, ASKING)
}

fn begins_with(clause: &str, words: &[&str]) -> bool {
    plain(clause).next().is_some_and(|first| words.contains(&first))
}

/// The words of a clause behind those that only lead to it.
fn plain(clause: &str) -> impl Iterator<Item = &str> {
    const LEADING: &[&str] =
        &["and", "so", "but", "ok", "okay", "hm", "hmm", "und", "y", "et", "then"];
    let is_sign = |sign: char| !sign.is_alphanumeric() && sign != '\'';
    let words = clause.split_whitespace().map(move |word| word.trim_matches(is_sign));
    words.skip_while(|word| LEADING.contains(word))
}

#[cfg(test)]
mod tests {
    use super::{asks_on, begins_question};

    #[test]
    fn a_question_is_one_without_its_sign() {
        for clause in ["is ci green", "ok are the tests passing", "why's that"] {
            assert!(begins_question(clause), "{clause}");
        }
        for clause in ["do it", "ci is green now", "fix it"] {
            assert!(!begins_question(clause), "{clause}");
        }
        assert!(asks_on("weird. why's that") && asks_on("not convinced, give me an alternative"));
        assert!(!asks_on("plan is good, do it"));
    }
}
