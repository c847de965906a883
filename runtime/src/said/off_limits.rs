//! Sentences that say of files, by their names, that they are left as they are: "src/legacy is off limits", "the config stays
//! as it is", and what other languages say around such names. Knows no rules.

use super::files_meant::{Meant, ends, named, plain};
use super::wish::trimmed;

/// No more words of a sentence are looked at.
const MAX_WORDS: usize = 24;

/// What a sentence says of things that it begins with: "src/legacy is off limits", "the migrations must not be changed".
pub(super) fn off_limits<'t>(words: &[&'t str]) -> Option<Vec<Meant<'t>>> {
    const NOES: &[&str] =
        &["not", "never", "mustn't", "mustn’t", "shouldn't", "shouldn’t", "can't", "cannot"];
    const DUTIES: &[&str] = &["must", "should", "may", "can", "shall", "are", "is", "has", "have"];
    const STAY_DUTIES: &[&str] =
        &["must", "should", "shall", "has", "have", "needs", "need", "to", "will", "please"];
    const LIKE: &[&str] =
        &["as", "how", "like", "untouched", "unchanged", "intact", "the", "put", "as-is", "that"];
    const DONE: &[&str] = &["touched", "changed", "edited", "modified", "altered", "overwritten"];
    let is_off = |from: usize| {
        matches!(plain(words, from), "is" | "are")
            && (matches!(plain(words, from + 1), "off-limits" | "untouchable" | "taboo")
                || plain(words, from + 1) == "off" && plain(words, from + 2) == "limits"
                || plain(words, from + 1) == "read-only" && plain(words, from + 2) == "for")
    };
    // "Must not be changed", "are never to be touched".
    let may_not_be = |from: usize| {
        let no = from + usize::from(DUTIES.contains(&plain(words, from)));
        let be = (no + 1..no + 4).take_while(|at| matches!(plain(words, *at), "to" | "be" | "get"));
        let done = no + 1 + be.count();
        // "Must not be changed by the formatter" is about that.
        let is_of_others = matches!(plain(words, done + 1), "by" | "to" | "into" | "from" | "in");
        NOES.contains(&plain(words, no)) && DONE.contains(&plain(words, done)) && !is_of_others
    };
    // "Stays as it is", "should remain unchanged".
    let stays = |from: usize| {
        let duty = (from..from + 3).take_while(|at| STAY_DUTIES.contains(&plain(words, *at)));
        let stay = from + duty.count();
        let how = stay + 1 + usize::from(matches!(plain(words, stay + 1), "exactly" | "just"));
        matches!(plain(words, stay), "stay" | "stays" | "remain" | "remains")
            && LIKE.contains(&plain(words, how))
            && !is_beyond_within(words, how)
    };
    // "Can't change", "should not change", and nothing behind it.
    let may_not_change = |from: usize| {
        let no = from + usize::from(DUTIES.contains(&plain(words, from)));
        let behind = plain(words, no + 2);
        NOES.contains(&plain(words, no))
            && plain(words, no + 1) == "change"
            && (behind.is_empty() || ends(behind) && behind != "to")
    };
    let limit = words.len().min(MAX_WORDS);
    let says =
        |from: &usize| is_off(*from) || may_not_be(*from) || stays(*from) || may_not_change(*from);
    let Some(end) = (1..limit).find(says) else {
        return nothing_in(words).or_else(|| foreign(words));
    };
    let before = words.get(..end)?;
    // What was said before a comma may be about something else.
    let start = before.iter().rposition(|word| word.ends_with([',', ':']));
    let lists = named(before);
    lists.or_else(|| named(before.get(start? + 1..)?))
}

/// "Nothing under db/ changes", "nothing in db/ should change".
fn nothing_in<'t>(words: &[&'t str]) -> Option<Vec<Meant<'t>>> {
    let nothing = words.iter().take(MAX_WORDS).position(|word| trimmed(word) == "nothing")?;
    let is_within = matches!(plain(words, nothing + 1), "in" | "under" | "inside" | "within");
    let changes = |at: &usize| {
        let duty = usize::from(matches!(plain(words, *at), "should" | "must" | "may" | "shall"));
        let be = usize::from(plain(words, at + duty) == "be");
        matches!(
            plain(words, at + duty + be),
            "change" | "changes" | "changed" | "touched" | "edited" | "modified"
        )
    };
    let end = (nothing + 3..nothing + MAX_WORDS).find(changes).filter(|_| is_within)?;
    named(words.get(nothing + 1..end)?)
}

/// Whether what stands behind a place soon leaves something out.
fn is_beyond_within(words: &[&str], at: usize) -> bool {
    (at..at + 4).any(|at| matches!(plain(words, at), "except" | "apart" | "but"))
}

/// What other languages say around the things that are to be left: what stands before them, and behind. Where nothing stands
/// before, they begin the clause.
const FOREIGN: &[(&[&str], &[&str])] = &[
    (&["fass"], &["nicht", "an"]),
    (&["fasse"], &["nicht", "an"]),
    (&["lass"], &["in", "ruhe"]),
    (&["lass"], &["so"]),
    (&["lass"], &["unverändert"]),
    (&["finger", "weg", "von"], &[]),
    (&["ohne"], &["zu", "ändern"]),
    (&["ohne"], &["anzufassen"]),
    (&["ohne"], &["zu", "verändern"]),
    (&["nichts", "an"], &["ändern"]),
    (&["nichts", "in"], &["ändern"]),
    (&[], &["nicht", "ändern"]),
    (&[], &["nicht", "anfassen"]),
    (&[], &["nicht", "verändern"]),
    (&[], &["nicht", "bearbeiten"]),
    (&[], &["soll", "unverändert", "bleiben"]),
    (&[], &["bleibt", "unverändert"]),
    (&["ne", "touche", "pas"], &[]),
    (&["ne", "touchez", "pas"], &[]),
    (&["ne", "modifie", "pas"], &[]),
    (&["ne", "change", "pas"], &[]),
    (&["sans", "modifier"], &[]),
    (&["sans", "toucher"], &[]),
    (&["sans", "changer"], &[]),
    (&["no", "toques"], &[]),
    (&["no", "modifiques"], &[]),
    (&["no", "cambies"], &[]),
    (&["sin", "tocar"], &[]),
    (&["sin", "modificar"], &[]),
    (&["deja"], &["como", "está"]),
    (&["deja"], &["en", "paz"]),
];

fn foreign<'t>(words: &[&'t str]) -> Option<Vec<Meant<'t>>> {
    let is_at = |at: usize, phrase: &[&str]| {
        phrase.iter().enumerate().all(|(index, word)| plain(words, at + index) == *word)
    };
    let limit = words.len().min(MAX_WORDS);
    FOREIGN.iter().find_map(|(before, behind)| {
        let from = match before.is_empty() {
            true => 0,
            false => (0..limit).find(|at| is_at(*at, before))? + before.len(),
        };
        let end = match behind.is_empty() {
            true => words.len(),
            false => (from + 1..limit).find(|at| is_at(*at, behind))?,
        };
        let things = words.get(from..end)?;
        // Behind a comma, or "please", another clause begins.
        let start = things.iter().rposition(|word| word.ends_with(',') || *word == "bitte");
        let clause = start.filter(|_| before.is_empty()).map_or(0, |start| start + 1);
        named(things.get(clause..)?)
    })
}
