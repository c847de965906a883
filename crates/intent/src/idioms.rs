//! Acts that people call in other words than their own, as the plain ones: "get it up on the remote" is to push it. What is done
//! with them, whether it is a wish or a no, is read as of any other word. Knows no rules.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::grammar::Grammar;

/// An idiom: the form of it ([`super::grammar`]), and what it says, as an order and as what goes on.
struct Idiom {
    form: &'static str,
    plain: &'static str,
    ongoing: &'static str,
}

const fn idiom(form: &'static str, plain: &'static str, ongoing: &'static str) -> Idiom {
    Idiom { form, plain, ongoing }
}

const IDIOMS: &[Idiom] = &[
    idiom(
        "PUTTING IT_NOW up|out? on|onto|to the|my|our? remote|origin|github|gitlab|bitbucket|upstream",
        "push it",
        "pushing it",
    ),
    idiom("PUTTING IT_NOW up there? $", "push it", "pushing it"),
    // Where to stands behind it.
    idiom("force|forcing IT_NOW up|out|over to|onto|on", "force-push it to", "force-pushing it to"),
    idiom("force|forcing IT_NOW up|out|over $", "force-push it", "force-pushing it"),
    idiom(
        "wrap|wrapping|bundle|bundling|put|putting|pack|packing|roll|rolling IT_NOW all? up? in|into a|one|single commit",
        "commit it",
        "committing it",
    ),
    idiom("make|making IT_NOW a|one single? commit $", "commit it", "committing it"),
    idiom("check|checking IT_NOW in $", "commit it", "committing it"),
    idiom("pull|bring|pulling|bringing main in|into|over", "merge main", "merging main"),
    idiom("pull|bring|pulling|bringing master in|into|over", "merge master", "merging master"),
    idiom("pull|bring|pulling|bringing in main", "merge main", "merging main"),
    idiom("pull|bring|pulling|bringing in master", "merge master", "merging master"),
    idiom(
        "see|check|tell|find me|out? if|whether THEY is|are? all|still? green|passing $",
        "run the tests",
        "running the tests",
    ),
    idiom("let the? tests|suite run", "run the tests", "running the tests"),
    idiom(
        "straight|directly|right on|onto|to|into main|master|trunk is FINE",
        "you can push it to main",
        "you can push it to main",
    ),
    idiom(
        "PUTTING IT_NOW up|out? on|onto|to npm|pypi|crates.io|rubygems",
        "publish it",
        "publishing it",
    ),
    idiom(
        "PUTTING IT_NOW on|onto|to|into prod|production $",
        "deploy it to production",
        "deploying to production",
    ),
    idiom(
        "PUTTING IT_NOW on|onto|to|into staging $",
        "deploy it to staging",
        "deploying to staging",
    ),
    idiom("PUTTING IT_NOW live $", "deploy it", "deploying it"),
];

static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::of(IDIOMS.iter().map(|idiom| idiom.form)));

/// So many words of a sentence are looked at.
const MAX_WORDS: usize = 512;

/// Returns a sentence in which acts are called by their own words.
pub(super) fn without_idioms(sentence: &str) -> Cow<'_, str> {
    let lower = sentence.to_lowercase();
    let lower: Vec<&str> = lower.split_whitespace().take(MAX_WORDS).collect();
    let mut met: Vec<(usize, usize, &str)> = Vec::new();
    GRAMMAR.each_meeting(&lower, |meeting| {
        let Some(idiom) = IDIOMS.get(meeting.form) else { return };
        let goes_on = lower.get(meeting.words.start).is_some_and(|word| word.ends_with("ing"));
        let plain = if goes_on { idiom.ongoing } else { idiom.plain };
        met.push((meeting.words.start, meeting.words.end, plain));
    });
    if met.is_empty() {
        return Cow::Borrowed(sentence);
    }
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let mut plain: Vec<Cow<'_, str>> = Vec::new();
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let longest = met.iter().filter(|(start, ..)| *start == at).max_by_key(|(_, end, _)| *end);
        match longest {
            Some((_, end, own)) => {
                let last = words.get(end.saturating_sub(1)).copied().unwrap_or_default();
                let bare = last.trim_end_matches(|sign: char| !sign.is_alphanumeric());
                let signs = last.get(bare.len()..).unwrap_or_default();
                plain.push(format!("{own}{signs}").into());
                at = *end;
            }
            None => {
                plain.push((*word).into());
                at += 1;
            }
        }
    }
    plain.join(" ").into()
}

#[cfg(test)]
mod tests {
    use super::without_idioms;

    #[test]
    fn acts_are_called_by_their_own_words() {
        for (said, plain) in [
            (
                "minutes are back so get it up on the remote, please",
                "minutes are back so push it, please",
            ),
            ("I don't want you putting it on GitHub.", "I don't want you pushing it."),
            ("force it up to topic", "force-push it to topic"),
            ("looks right, wrap it up in one commit", "looks right, commit it"),
            ("right, wrap it all up in a commit", "right, commit it"),
            ("check it in.", "commit it."),
            ("ok pull main in", "ok merge main"),
            ("see if they're green", "run the tests"),
            ("straight onto main is fine, no pr", "you can push it to main, no pr"),
            ("get this live", "deploy it"),
        ] {
            assert_eq!(without_idioms(said), plain);
        }
    }

    #[test]
    fn other_sentences_stay_as_they_are() {
        for said in [
            "check it in the browser",
            "pull the parser in",
            "put it up front",
            "make it a commit hook",
            "see if the light is green in the ui",
            "get the origin header",
            "force it to be a string",
            "put it on the list",
            "bring it up to speed",
        ] {
            assert_eq!(without_idioms(said), said);
        }
    }
}
