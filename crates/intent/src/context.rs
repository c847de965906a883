//! What the words around a form say of it: who speaks, where a clause begins, what is left out. Knows no forms.

use super::wish::trimmed;

pub(super) fn is_no(word: &str) -> bool {
    matches!(
        word,
        "don't"
            | "don’t"
            | "dont"
            | "not"
            | "never"
            | "without"
            | "no"
            | "w/o"
            | "avoid"
            | "shouldn't"
            | "mustn't"
            | "nor"
    )
}

/// Whether a word says that what follows is left out.
pub(super) fn is_beyond(word: &str) -> bool {
    matches!(word, "outside" | "except" | "besides" | "other" | "apart" | "excluding")
}

pub(super) fn is_all(word: &str) -> bool {
    matches!(word, "all" | "every" | "everything" | "everywhere" | "anything" | "any" | "each")
}

/// Whether a word tells how something is.
pub(super) fn tells(word: &str) -> bool {
    matches!(word, "is" | "are" | "was" | "were" | "it's" | "it’s" | "that's")
}

/// Words since the last clause began.
pub(super) fn own_clause<'b, 't>(before: &'b [&'t str]) -> &'b [&'t str] {
    let begins = |word: &&str| {
        word.ends_with([',', ';', ':', '-', '–', '—'])
            || matches!(*word, "but" | "so" | "because" | "since" | "then")
    };
    let start = before.iter().rposition(begins).map_or(0, |at| at + 1);
    before.get(start..).unwrap_or_default()
}

/// Whether words say that somebody else, or a text, says what follows.
pub(super) fn is_reported(before: &[&str]) -> bool {
    before.windows(2).any(|pair| match pair {
        ["told" | "asked", "me" | "us"] | ["i" | "we", "thought" | "assumed"] => true,
        [who, "says" | "said" | "say"] => !matches!(*who, "i" | "we" | "i've" | "as"),
        _ => false,
    })
}

/// Whether the words before a wish make it none: "you can leave x alone", "why did you leave x alone".
pub(super) fn is_otherwise(before: &[&str]) -> bool {
    const OTHERWISE: &[&str] = &[
        "don't", "don’t", "dont", "not", "never", "did", "used", "why", "should", "didn't",
        "cannot", "can't",
    ];
    let last = |count: usize| before.iter().rev().take(count).map(|word| trimmed(word));
    // "Can you leave x alone" wants it.
    let may = before.windows(2).rev().take(3).any(|pair| match pair {
        [who, can] => {
            matches!(trimmed(can), "can" | "could" | "may" | "might") && trimmed(who) == "you"
        }
        _ => false,
    });
    let does_so = matches!(before.last(), Some(&("they" | "it" | "who" | "which" | "that")));
    let needs_none = before.iter().rev().take(3).any(|word| *word == "no");
    may || does_so || needs_none || last(3).any(|word| OTHERWISE.contains(&word))
}

/// Whether a clause begins behind words.
pub(super) fn begins_clause(before: &[&str]) -> bool {
    const LEADING: &[&str] = &[
        "please", "pls", "plz", "and", "but", "so", "then", "just", "also", "to", "you", "u",
        "bitte", "ok", "-", "–", "—", "nur", "always",
    ];
    if let [.., who, may] = before
        && matches!(trimmed(may), "can" | "should" | "may" | "must" | "shall")
    {
        return matches!(trimmed(who), "you" | "u" | "we");
    }
    before.last().is_none_or(|word| {
        word.ends_with([',', ';', ':', '-', '–', '—', '(']) || LEADING.contains(&trimmed(word))
    })
}

/// Whether what is said of something may begin at a place.
pub(super) fn begins_statement(words: &[&str], at: usize) -> bool {
    const LEADING: &[&str] = &[
        "that",
        "so",
        "and",
        "but",
        "btw",
        "note",
        "also",
        "because",
        "since",
        "think",
        "fyi",
        "please",
        "while",
        "though",
        "reminder",
        "remember",
        "sure",
        "with",
        "bitte",
        "que",
        "dass",
        "want",
        "need",
        "keep",
        "pls",
        "ok",
        "-",
        "–",
        "—",
        "everything",
        "as",
        "make",
        "all",
        "both",
        "the",
        "alles",
        "aber",
        "und",
        "mais",
        "et",
        "y",
        "pero",
        "neither",
        "nor",
    ];
    let before = at.checked_sub(1).and_then(|before| words.get(before));
    before.is_none_or(|word| {
        word.ends_with([',', ';', ':', '(', ')']) || LEADING.contains(&trimmed(word))
    })
}
