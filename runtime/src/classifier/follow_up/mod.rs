//! Whether a message only acknowledges what was said before. It may not guess: a message is one
//! only if all of it is made of phrases of the table.

mod table;

use table::{CLOSERS, OPENERS, WHOLE};

/// An acknowledgement has at most this many characters.
const LIMIT: usize = 50;

/// How many phrases one acknowledgement may string together beyond the first.
const DEPTH: u32 = 3;

/// Whether `text` as a whole is an acknowledgement such as `ok`, `Yes, go ahead!` or `vas-y`: at
/// most 50 characters, in any case, with or without accents and one closing `.` or `!`.
#[must_use]
pub fn is_follow_up(text: &str) -> bool {
    let text = text.trim();
    // Up to four bytes a character: a long text is seen without being counted.
    if text.is_empty() || text.len() > LIMIT * 4 || text.chars().count() > LIMIT {
        return false;
    }
    let text = text.strip_suffix(['.', '!']).unwrap_or(text);
    acknowledges(&fold(text), DEPTH)
}

fn acknowledges(phrase: &str, depth: u32) -> bool {
    if contains(WHOLE, phrase) {
        return true;
    }
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    phrase.match_indices(' ').any(|(at, _)| {
        let (head, tail) = phrase.split_at(at);
        let (head, tail) = (head.strip_suffix(',').unwrap_or(head), tail.trim_start());
        contains(OPENERS, head) && acknowledges(tail, depth)
            || contains(CLOSERS, tail) && acknowledges(head, depth)
    })
}

fn contains(table: &[&str], phrase: &str) -> bool {
    table.binary_search(&phrase).is_ok()
}

/// Lower case, without accents and emoji variants, straight apostrophes, single blanks.
fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars().flat_map(char::to_lowercase) {
        let plain = match character {
            // Combining marks, and what only chooses how an emoji looks.
            '\u{300}'..='\u{36f}' | '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}' => continue,
            'à' | 'â' | 'ä' | 'á' => 'a',
            'ç' => 'c',
            'é' | 'è' | 'ê' | 'ë' => 'e',
            'î' | 'ï' | 'í' => 'i',
            'ô' | 'ö' | 'ó' => 'o',
            'û' | 'ù' | 'ü' | 'ú' => 'u',
            '’' | '‘' | 'ʼ' => '\'',
            other if other.is_whitespace() => ' ',
            other => other,
        };
        if plain != ' ' || !(out.is_empty() || out.ends_with(' ')) {
            out.push(plain);
        }
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::{CLOSERS, OPENERS, WHOLE, fold, is_follow_up};

    #[track_caller]
    fn yes(texts: &[&str]) {
        for text in texts {
            assert!(is_follow_up(text), "{text:?} is an acknowledgement");
        }
    }

    #[track_caller]
    fn no(texts: &[&str]) {
        for text in texts {
            assert!(!is_follow_up(text), "{text:?} is no acknowledgement");
        }
    }

    #[test]
    fn english_acknowledgements_are_known() {
        yes(&["ok", "okay", "k", "yes", "y", "yep", "yeah", "yup", "sure", "go", "go ahead"]);
        yes(&["continue", "proceed", "do it", "please do", "sounds good", "looks good", "lgtm"]);
        yes(&["great", "perfect", "nice", "cool", "thanks", "thank you", "thx", "ty", "next"]);
        yes(&["carry on", "keep going", "right", "correct", "agreed", "fine", "alright"]);
        yes(&["approved", "confirmed", "no problem", "got it", "👍", "👍🏽", "✔️"]);
    }

    #[test]
    fn french_acknowledgements_are_known_with_both_apostrophes_and_any_accents() {
        yes(&["oui", "ouais", "d'accord", "d’accord", "valide", "validé", "valide\u{301}"]);
        yes(&["vas-y", "continuez", "c'est bon", "C’EST BON", "merci", "parfait"]);
        yes(&["très bien", "tres bien", "TRÈS BIEN", "super", "allez", "ok merci", "merci !"]);
    }

    #[test]
    fn german_and_spanish_ones_are_known_too() {
        yes(&["ja", "weiter", "danke", "Danke schön", "genau", "sí", "vale", "gracias", "sigue"]);
        yes(&["dale"]);
    }

    #[test]
    fn the_acknowledgement_is_the_whole_message() {
        no(&["ok delete everything", "yes, but not the tests", "continue with the refactoring"]);
        no(&["okra", "go home", "sure?", "ok?", "merci de supprimer la base", "oui mais non"]);
        no(&["", "  ", ".", "!", "no", "stop", "non", "thanks for nothing", "next file"]);
        no(&["do it right", "ok\nrm -rf /", "right the wrongs", "do it in Rust please"]);
    }

    #[test]
    fn one_closing_mark_is_allowed() {
        yes(&["ok.", "ok!", "Oui.", "go ahead!"]);
        no(&["ok..", "ok!!", "ok.!", "ok?", "ok,", ".ok"]);
    }

    #[test]
    fn any_case_and_blanks_around_are_allowed() {
        yes(&["OK", "Ok", "LGTM", "  yes \n", "Go  Ahead", "VALIDÉ"]);
    }

    #[test]
    fn acknowledgements_may_be_strung_together() {
        yes(&["ok, go ahead", "ok thanks", "yes, please", "yes please do it", "oui, vas-y"]);
        yes(&["continue please", "perfect, thank you!", "ok, merci", "ok great, go ahead please"]);
        no(&["ok ok ok ok ok ok ok", "ok ,go", "continue ok delete it", "then", "please then it"]);
    }

    #[test]
    fn an_acknowledgement_has_up_to_50_characters() {
        let padded = |blanks: usize| format!("thank{}you", " ".repeat(blanks));
        yes(&[&padded(42)]);
        no(&[&padded(43), &"ok".repeat(1_000_000)]);
    }

    #[test]
    fn the_tables_are_sorted_and_written_as_messages_are_folded() {
        for table in [WHOLE, OPENERS, CLOSERS] {
            assert!(table.is_sorted_by(|a, b| a < b));
            for phrase in table {
                assert_eq!(fold(phrase), **phrase);
                assert!(phrase.chars().count() <= super::LIMIT);
            }
        }
    }
}
