//! Which of some names was meant by a word that is none of them: a slip of the pen, or what other programs call the same. Never one
//! that says the opposite of what is written. Reports nothing.

/// The closest of `candidates` to what was written, near enough to be a slip of the pen.
pub fn closest<'c>(
    written: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let cutoff = 1 + written.chars().count() / 4;
    let lower = written.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| {
            (strsim::damerau_levenshtein(&lower, &candidate.to_lowercase()), candidate)
        })
        .filter(|(distance, candidate)| {
            *distance <= cutoff && is_slip(&lower, candidate, *distance)
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Whether a word is surely a slip of a name: written with other signs between its parts, or wrong in one letter.
#[must_use]
pub fn is_surely(written: &str, name: &str) -> bool {
    let (written, name) = (plain(written), plain(name));
    // A number is never a slip of a word.
    let digits = |word: &str| word.chars().filter(char::is_ascii_digit).collect::<String>();
    if digits(&written) != digits(&name) {
        return false;
    }
    written == name || strsim::damerau_levenshtein(&written, &name) <= 1
}

/// Whether a word that is so far from a name may be a slip of it.
fn is_slip(written: &str, name: &str, distance: usize) -> bool {
    // Half of a short word is another word.
    let shorter = written.chars().count().min(name.chars().count());
    (distance <= 1 || 2 * distance < shorter) && !are_opposites(written, name)
}

/// Whether one of two names says that something is so, and the other that it is not, or that it is taken back.
#[must_use]
pub fn are_opposites(one: &str, other: &str) -> bool {
    const TURNING: &[&str] = &["un", "in", "non", "no", "not", "re", "dis", "out", "never"];
    const NOES: &[&str] = &["not", "never", "without", "un", "non"];
    const LESS: &[&str] = &["lt", "lte", "less", "max", "most", "below", "before"];
    const MORE: &[&str] = &["gt", "gte", "more", "min", "least", "above", "after"];
    let has = |name: &str, words: &[&str]| {
        name.split(|sign: char| !sign.is_alphanumeric()).any(|word| words.contains(&word))
    };
    if has(one, LESS) && has(other, MORE) || has(one, MORE) && has(other, LESS) {
        return true;
    }
    let turns = |word: &str, rest: &str| rest.is_empty() && TURNING.contains(&word);
    let says_no = |word: &str| NOES.iter().any(|no| word.starts_with(no));
    let are = |(left, right): (&str, &str)| {
        turns(left, right) || turns(right, left) || says_no(left) != says_no(right)
    };
    let (one, other) = (plain(one), plain(other));
    // "With operand" and "without operand" share an `o` on either side.
    let backwards = |word: &str| word.chars().rev().collect::<String>();
    let (eno, rehto) = (backwards(&one), backwards(&other));
    let (left, right) = apart(&eno, &rehto);
    are(apart(&one, &other)) || are((&backwards(left), &backwards(right)))
}

/// What is left of two words without what both begin and end with.
fn apart<'t>(one: &'t str, other: &'t str) -> (&'t str, &'t str) {
    let same = |(left, right): &(char, char)| left == right;
    let begin: usize =
        one.chars().zip(other.chars()).take_while(same).map(|(sign, _)| sign.len_utf8()).sum();
    let (one, other) =
        (one.get(begin..).unwrap_or_default(), other.get(begin..).unwrap_or_default());
    let backwards = one.chars().rev().zip(other.chars().rev());
    let end: usize = backwards.take_while(same).map(|(sign, _)| sign.len_utf8()).sum();
    let without = |word: &'t str| word.get(..word.len() - end).unwrap_or_default();
    (without(one), without(other))
}

fn plain(word: &str) -> String {
    word.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{are_opposites, closest, is_surely};

    #[test]
    fn what_says_the_opposite_is_never_meant() {
        for (written, names) in [
            ("ungrantable", &["grantable", "id"][..]),
            ("not_in_subagent", &["in_subagent"]),
            ("with_operand", &["without_operand", "operands"]),
            ("reset_on", &["set_on"]),
            ("reset_when", &["set_when"]),
            ("when_decided", &["when_undecided"]),
            ("not_pattern", &["tool_pattern"]),
            ("target_not_matches", &["target_matches"]),
            ("counter_lt", &["counter_gte"]),
            ("counter_lte", &["counter_gte"]),
            ("not_target_in_set", &["target_in_set"]),
            ("must_not_include_text", &["must_include_text"]),
        ] {
            let found = closest(written, names.iter().copied());
            assert!(found.is_none_or(|name| !are_opposites(written, name)), "{written}: {found:?}");
            assert!(are_opposites(written, names[0]), "{written}");
        }
    }

    #[test]
    fn slips_are_told_from_other_words() {
        for (written, name) in [
            ("messge", "message"),
            ("noflag", "no_flag"),
            ("no_flags", "no_flag"),
            ("increment_om", "increment_on"),
            ("tirgger", "trigger"),
            ("rule_definition", "rule_definitions"),
        ] {
            assert_eq!(closest(written, [name]), Some(name), "{written}");
            assert!(is_surely(written, name), "{written}");
        }
        assert_eq!(closest("match", ["path"]), None);
        assert_eq!(closest("cmd", ["cwd"]), Some("cwd"));
        assert!(!is_surely("condtin", "condition"));
        assert!(!is_surely("every_3_turns", "every_n_turns"));
    }
}
