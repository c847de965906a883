//! What a message leaves out of what it asks for: "do everything but push". What is left out of an act, such as a file, is
//! none of it.

/// What stands before what is left out.
const LEAVING_OUT: &[&str] = &[
    "everything but ",
    "anything but ",
    "all of it but ",
    "all but ",
    "except for ",
    "except ",
    "apart from ",
    "aside from ",
    "other than ",
    "excluding ",
    "short of ",
];

/// Acts that others see, or that do not come back, by the beginnings of their words.
const ACTS: &[(&str, &str)] = &[
    ("push", "push"),
    ("publish", "publish"),
    ("deploy", "deploy"),
    ("releas", "release"),
    ("commit", "commit"),
    ("merg", "merge"),
    ("delet", "delete"),
    ("upload", "upload"),
];

/// Words behind an act that do not make it the name of something else: not "the push script".
const GOING_ON: &[&str] =
    &["to", "it", "itself", "them", "that", "part", "step", "and", "or", "is", "was", "for", "yet"];

/// Returns the act that a sentence leaves out, and what stands before that.
pub(super) fn left_out(sentence: &str) -> Option<(&str, &'static str)> {
    // The places of all letters stay the same so.
    let lower = sentence.to_ascii_lowercase();
    let (at, behind) = LEAVING_OUT.iter().find_map(|sign| {
        let at = lower.find(sign)?;
        let is_word = lower.get(..at)?.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        lower.get(at + sign.len()..).filter(|_| is_word).map(|behind| (at, behind))
    })?;
    let mut words =
        behind.split_whitespace().skip_while(|word| matches!(*word, "the" | "actually" | "any"));
    let word = words.next()?;
    let plain = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    let (beginning, act) = ACTS.iter().find(|(beginning, _)| plain.starts_with(beginning))?;
    let is_verb = plain == *act || plain == *beginning || plain.ends_with("ing");
    let is_last = plain.len() < word.len() || plain.ends_with("ing");
    let goes_on = words.next().is_none_or(|next| GOING_ON.contains(&next));
    (is_verb && (is_last || goes_on)).then_some((sentence.get(..at)?, *act))
}

#[cfg(test)]
mod tests {
    use super::left_out;

    #[test]
    fn an_act_is_left_out_and_a_thing_is_not() {
        let check = |sentence: &str, expected: Option<(&str, &str)>| {
            assert_eq!(left_out(sentence), expected, "{sentence}");
        };
        check("Do everything but push", Some(("Do ", "push")));
        check("do all of it apart from the push, please", Some(("do all of it ", "push")));
        check("everything other than pushing is fine", Some(("everything ", "push")));
        check("anything but releasing it", Some(("", "release")));
        check("commit everything but the lockfile and push", None);
        check("commit everything except the push script, then push", None);
        check("do nothing but push", None);
        check("all but the tests is done, push it", None);
    }
}
