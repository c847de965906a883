//! What a user wants as it was before: "revert it", "put a.py back", "back to how it was". Knows no rules.

use super::meant::{Meant, named_at};
use crate::context::{is_no, own_clause};
use crate::wish::{plain, trimmed};

/// Verbs that say it alone.
const UNDOING: &[&str] = &[
    "revert",
    "undo",
    "restore",
    "rollback",
    "reset",
    "discard",
    "rückgängig",
    "wiederherstellen",
    "zurücksetzen",
    "zurückdrehen",
    "revierte",
    "revertir",
    "deshaz",
    "deshacer",
    "restaura",
    "annule",
    "restaure",
    "rétablis",
    "remets",
];

/// Verbs that say it with a word behind them.
const MOVING: &[&str] = &[
    "put", "bring", "roll", "set", "take", "get", "change", "turn", "switch", "go", "throw",
    "nimm", "setz", "setze", "mach", "mache", "stell", "stelle", "hol", "hole", "vuelve",
    "devuelve",
];

/// The same where it is somebody who wants it so.
const WANTING: &[&str] = &["want", "need", "like"];

/// Those words.
const BACK: &[&str] = &["back", "away", "zurück", "wieder", "atrás"];

/// How something was.
const AS_IT_WAS: &[&[&str]] = &[
    &["back", "to", "how"],
    &["back", "to", "what"],
    &["back", "the", "way"],
    &["back", "to", "the", "way"],
    &["back", "to", "the", "original"],
    &["back", "as", "it", "was"],
    &["the", "way", "it", "was"],
    &["how", "it", "was", "before"],
    &["like", "it", "was"],
    &["like", "before"],
    &["as", "before"],
    &["as", "it", "was", "before"],
    &["wie", "vorher"],
    &["como", "estaba"],
    &["comme", "avant"],
];

/// So many words are looked at; who says more says something else, too.
const MAX_WORDS: usize = 64;

/// No more names of one sentence are kept.
const MAX_NAMES: usize = 4;

/// Whether a sentence, by its words in lower case, asks for something as it was.
pub(super) fn asks_for_undo(words: &[&str]) -> bool {
    let words = words.get(..words.len().min(MAX_WORDS)).unwrap_or_default();
    let is_refused = |at: usize| {
        let before = words.get(..at).unwrap_or_default();
        own_clause(before)
            .iter()
            .any(|word| is_no(trimmed(word)) || matches!(*word, "didn't" | "nicht"))
    };
    let begins = |at: usize| match words.get(..at).and_then(|before| before.last()) {
        None => true,
        // "The undo works", "a restore".
        Some(before) => {
            !matches!(*before, "the" | "a" | "an" | "to" | "of" | "why" | "i" | "we" | "you" | "it")
        }
    };
    let says = |at: usize| {
        let own = plain(words, at);
        let is_back = || {
            let behind = words.get(at + 1..).unwrap_or_default();
            let clause = behind
                .iter()
                .take_while(|word| !matches!(**word, "and" | "but" | "und" | "y" | "et"));
            { clause }.take(12).any(|word| BACK.contains(&trimmed(word)))
        };
        let is_phrase = |phrase: &&[&str]| {
            phrase.iter().enumerate().all(|(next, word)| plain(words, at + next) == *word)
        };
        (UNDOING.contains(&own) && begins(at))
            || MOVING.contains(&own) && begins(at) && is_back()
            || WANTING.contains(&own) && is_back()
            || AS_IT_WAS.iter().any(is_phrase)
    };
    !is_limited(words) && (0..words.len()).any(|at| says(at) && !is_refused(at))
}

/// Whether words say that not all is to be as it was, or only in some case.
fn is_limited(words: &[&str]) -> bool {
    let depends = matches!(
        plain(words, 0),
        "if" | "when" | "once" | "whenever" | "unless" | "wenn" | "falls" | "si"
    );
    let spares = words.iter().any(|word| {
        matches!(
            trimmed(word),
            "keep"
                | "keeping"
                | "except"
                | "besides"
                | "leave"
                | "unless"
                | "außer"
                | "behalte"
                | "sauf"
                | "excepto"
        )
    });
    let is_last = words.windows(2).any(|pair| {
        let of = pair.last().map_or("", |word| trimmed(word));
        pair.first() == Some(&"last")
            && matches!(of, "change" | "changes" | "commit" | "commits" | "edit" | "edits" | "step")
    });
    depends || spares || is_last
}

/// What a sentence may name.
pub(super) fn names<'t>(words: &[&'t str]) -> Vec<Meant<'t>> {
    /// What is no file, whatever files are called.
    const OTHERS: &[&str] = &[
        "change",
        "changes",
        "file",
        "files",
        "way",
        "last",
        "diff",
        "commit",
        "branch",
        "rest",
        "other",
        "same",
        "old",
        "previous",
        "original",
        "edit",
        "code",
        "thing",
        "änderung",
        "änderungen",
        "datei",
        "cambio",
        "cambios",
        "modification",
        "fichier",
    ];
    let words = words.get(..words.len().min(MAX_WORDS)).unwrap_or_default();
    let is_article = |word: &str| {
        matches!(
            word,
            "the" | "my" | "our" | "die" | "der" | "das" | "den" | "el" | "la" | "le" | "los"
        )
    };
    let at_place = |at: usize| {
        named_at(words, at).or_else(|| {
            let word = plain(words, at);
            let is_noun = at > 0 && is_article(plain(words, at - 1)) && word.chars().count() > 2;
            let is_sign = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-');
            let is_name = is_noun && word.chars().all(is_sign) && !OTHERS.contains(&word);
            is_name.then_some(Meant::Name(word))
        })
    };
    (0..words.len()).filter_map(at_place).take(MAX_NAMES).collect()
}
