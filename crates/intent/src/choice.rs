//! One of several things that an agent offers, by its number, its letter or its place: "2", "b", "the second one". Knows no
//! rules.

use super::acts::acts;
use super::assent::{depends, refuses};
use super::forbidden::asked_for;
use super::other_languages::{Speaker, in_english};
use super::scheduled::hash_of;
use super::sentences::sentences;

/// More things are no choice.
pub const MAX_CHOICES: usize = 9;

/// Words for the place of a thing among others.
const PLACES: &[&[&str]] = &[
    &["1", "a", "first", "former", "erste", "ersten", "premier", "première", "primero", "primera"],
    &["2", "b", "second", "latter", "zweite", "zweiten", "deuxième", "segundo", "segunda"],
    &["3", "c", "third", "dritte", "dritten", "troisième", "tercero", "tercera"],
    &["4", "d", "fourth", "vierte"],
    &["5", "e", "fifth", "fünfte"],
    &["6", "f", "sixth"],
    &["7", "g", "seventh"],
    &["8", "h", "eighth"],
    &["9", "i", "ninth"],
];

/// The place among others, from 0, that a word of order names: "second".
pub(super) fn place_of(word: &str) -> Option<usize> {
    PLACES.iter().position(|names| names.iter().skip(2).any(|own| *own == word))
}

/// Words that say no more than that something is chosen.
const AROUND: &[&str] = &[
    "the", "one", "option", "number", "please", "pls", "go", "with", "let's", "let’s", "lets",
    "do", "take", "choose", "pick", "just", "thanks", "yes", "ok", "okay", "no", "nr", "variant",
    "variante", "choice", "i'd", "i’d", "say", "die", "das", "den", "la", "le", "el", "bitte",
];

/// The place of the thing that a message chooses, counted from 0; `None` where it says anything else.
pub fn chosen(message: &str) -> Option<usize> {
    const MAX_LENGTH: usize = 60;
    if message.len() > MAX_LENGTH || message.contains('?') {
        return None;
    }
    let lower = message.to_lowercase();
    let place = |text: &str| {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
        let mut words = words.filter(|word| !word.is_empty() && !AROUND.contains(word));
        let (word, None) = (words.next()?, words.next()) else { return None };
        PLACES.iter().position(|names| names.contains(&word))
    };
    // "The former, it's urgent": what follows says why, or how.
    let behind = || {
        let (own, rest) = lower.split_once([',', '.', ';', '-', '–'])?;
        (!refuses(rest) && !depends(rest)).then(|| place(own)).flatten()
    };
    place(&lower).or_else(behind)
}

/// Whether a yes says that it is one to all that there is to choose from: "all three, go".
pub fn takes_all(message: &str) -> bool {
    let lower = message.trim().to_lowercase();
    let mut words =
        lower.split(|sign: char| !sign.is_alphanumeric()).filter(|word| !word.is_empty());
    let first = words.find(|word| !AROUND.contains(word));
    let names_all = match first {
        Some("both" | "everything") => true,
        // "All good" says nothing of them.
        Some("all") => {
            matches!(
                words.next(),
                Some("of" | "them" | "two" | "three" | "four" | "3" | "4") | None
            )
        }
        _ => false,
    };
    names_all && !refuses(message)
}

/// The things that the end of a text offers, each as a clause, in their order; none where it offers less than two.
pub fn choices(text: &str) -> Vec<String> {
    const MAX_LINES: usize = 40;
    let lines: Vec<&str> = text.lines().collect();
    let last = lines.get(lines.len().saturating_sub(MAX_LINES)..).unwrap_or_default();
    let mut found: Vec<String> = Vec::new();
    for line in last {
        for item in items(line) {
            // A list that begins anew takes the place of the one before.
            if item.place == 0 {
                found.clear();
            }
            if item.place == found.len() && found.len() < MAX_CHOICES {
                let english = in_english(item.text, Speaker::Agent);
                let clause = sentences(&english).next().map_or("", |(sentence, _)| sentence);
                found.push(clause.trim_matches(['*', ' ', ',']).to_owned());
            }
        }
    }
    if found.len() < 2 { Vec::new() } else { found }
}

/// Words that say no more of a thing than that it is chosen, beside [`AROUND`].
const SURELY: &[&str] = &[
    "first",
    "obviously",
    "definitely",
    "of",
    "course",
    "only",
    "then",
    "now",
    "for",
    "prefer",
    "rather",
    "i",
    "would",
    "use",
    "a",
    "an",
    "it",
    "to",
    "by",
    "as",
    "thx",
    "pls",
    "plz",
    "think",
    "better",
    "sure",
    "please",
    "yeah",
    "yep",
];

/// The two things that the last question of a text lets the user choose between, each as a clause: "Shall I squash it or merge
/// it?", "I can deploy to staging or to production. Which one?".
pub fn alternatives(text: &str) -> Option<[String; 2]> {
    let last = text.trim_end().rsplit('\n').find(|line| !line.trim().is_empty())?;
    let english = in_english(last, Speaker::Agent);
    let all: Vec<(&str, char)> = sentences(&english).collect();
    let ((question, end), before) = all.split_last()?;
    let asks_which = question.split_whitespace().count() <= 6
        && question.trim_start().to_lowercase().starts_with("wh");
    let asked = match () {
        () if *end != '?' => return None,
        () if asks_which => before.last().map(|(sentence, _)| *sentence)?,
        () => question,
    };
    let (first, second) = asked.split_once(" or ")?;
    let first = what_is_offered(first.trim_end_matches(','));
    let act = acts(first).into_iter().next()?;
    if second.contains(" or ") {
        return None;
    }
    let second = second.trim();
    // "As a merge commit" names how, and no other act; "add either chrono or jiff" what, and no other act.
    let thing = (act.rsplit_once(' ')).filter(|_| is_name(second));
    let whole = match (head(second).is_empty(), thing) {
        (true, _) => format!("{} {second}", head(&act)),
        (false, Some((own, _))) => format!("{own} {second}"),
        (false, None) => second.to_owned(),
    };
    Some([act, whole].map(|act| act.replace(" either ", " ")))
}

/// What stands behind the agent's word that it would do something: "add chrono" of "for this I would add chrono".
fn what_is_offered(text: &str) -> &str {
    const OFFERING: [&str; 4] = [" I would ", " I could ", " I can ", " I'd "];
    let text = text.strip_prefix("Either ").unwrap_or(text);
    let behind = OFFERING.iter().filter_map(|own| Some(text.rfind(own)? + own.len())).max();
    behind.and_then(|at| text.get(at..)).unwrap_or(text)
}

/// Whether the second of two alternatives is the name of a thing, and no act: "chrono or jiff".
fn is_name(text: &str) -> bool {
    let text = text.trim_matches(|sign: char| !sign.is_alphanumeric());
    !text.contains(char::is_whitespace) && asked_for(&[text.to_owned()]).is_empty()
}

/// What of an act stands before how it is done, and where: "merge PR 51" of "merge PR 51 with a squash".
fn head(act: &str) -> String {
    const HOW: &[&str] = &[
        "to", "with", "as", "on", "into", "via", "in", "straight", "directly", "by", "from", "onto",
    ];
    let is_how = |word: &&str| HOW.contains(&word.to_lowercase().as_str());
    act.split_whitespace().take_while(|word| !is_how(word)).collect::<Vec<_>>().join(" ")
}

/// The hashes of the words that one of two alternatives has and the other has not, each under the mark of its place.
pub fn telling_words(alternatives: &[String; 2]) -> Vec<u64> {
    let words = |text: &str| -> Vec<String> { content(text).map(str::to_owned).collect() };
    let lower = alternatives.each_ref().map(|one| one.to_lowercase());
    let [first, second] = lower.each_ref().map(|one| words(one));
    let own = |own: &[String], other: &[String], place: usize| -> Vec<u64> {
        let telling = own.iter().filter(|word| !other.contains(word));
        telling.filter_map(|word| Some(hash_of(&format!("word {word}"))? ^ mark(place))).collect()
    };
    [own(&first, &second, 0), own(&second, &first, 1)].concat()
}

/// The place of the alternative that a message names by words of it, and by nothing else.
pub fn named_by_words(message: &str, offered: &[u64]) -> Option<usize> {
    const MAX_LENGTH: usize = 60;
    // "No PR" chooses nothing.
    if message.len() > MAX_LENGTH || message.contains('?') || refuses(message) {
        return None;
    }
    let lower = message.to_lowercase();
    let words: Vec<&str> = content(&lower).collect();
    let says = |place: usize| {
        words.iter().all(|word| {
            hash_of(&format!("word {word}"))
                .is_some_and(|hash| offered.contains(&(hash ^ mark(place))))
        })
    };
    if words.is_empty() {
        return None;
    }
    (0..2).find(|place| says(*place))
}

/// The words of a text that say what is meant.
fn content(lower: &str) -> impl Iterator<Item = &str> {
    let words = lower.split(|c: char| !c.is_alphanumeric() && c != '-');
    words.filter(|word| !word.is_empty() && !AROUND.contains(word) && !SURELY.contains(word))
}

/// The mark under which something is kept that a choice stands for. With the mark of another choice it is nothing.
pub fn mark(place: usize) -> u64 {
    hash_of(&format!("choice{place}")).unwrap_or_default()
}

/// The hash of a pattern that a choice matches.
pub fn pattern(pattern: u32) -> u64 {
    hash_of(&format!("pattern{pattern}")).unwrap_or_default()
}

struct Item<'t> {
    place: usize,
    text: &'t str,
}

/// The items that follow each other in a line: `1) merge it, 2) rebase it`, `A: drop it. B: keep it`.
fn inline_items(line: &str, place: impl Fn(&str) -> Option<usize>) -> Vec<Item<'_>> {
    let mut starts: Vec<(usize, usize)> = Vec::new();
    for (start, word) in words_at(line) {
        let name = word.trim_matches(['(', '*']).strip_suffix([')', ':', '.']);
        if name.and_then(&place) == Some(starts.len()) {
            starts.push((start, start + word.len()));
        }
    }
    let ends = starts.iter().skip(1).map(|(start, _)| *start).chain([line.len()]);
    let text = |from: usize, to: usize| line.get(from..to).unwrap_or_default();
    let texts = starts.iter().zip(ends).map(|((_, from), to)| text(*from, to));
    let texts = texts.map(|text| text.trim().trim_end_matches([',', ';', '.']));
    let texts = texts.map(|text| text.trim_end_matches(" or").trim_end_matches(" and"));
    texts.enumerate().map(|(place, text)| Item { place, text }).collect()
}

/// The words of a line, with where they begin.
fn words_at(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut from = 0;
    line.split_inclusive(char::is_whitespace).filter_map(move |part| {
        let start = from;
        from += part.len();
        let word = part.trim_end();
        (!word.is_empty()).then_some((start, word))
    })
}

/// The items of a line: `2. push it`, or `(a) open a request or (b) push it`.
fn items(line: &str) -> Vec<Item<'_>> {
    let plain = line.trim_start().trim_start_matches(['*', '-', ' ']);
    let place = |name: &str| {
        let name = name.trim_start_matches("Option ").to_lowercase();
        PLACES.iter().position(|names| names.iter().take(2).any(|own| *own == name))
    };
    let inline = inline_items(line, place);
    if inline.len() > 1 {
        return inline;
    }
    if let Some((name, text)) = plain.split_once(['.', ')', ':'])
        && let Some(place) = place(name.trim_start_matches('(').trim_matches('*'))
        && text.starts_with([' ', '*'])
        && !plain.contains(" (")
    {
        return vec![Item { place, text }];
    }
    let mut found = Vec::new();
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('(') {
        let Some((name, text)) = behind.split_once(") ") else { break };
        let stands_alone = before.is_empty() || before.ends_with(char::is_whitespace);
        match place(name).filter(|_| stands_alone) {
            Some(place) => {
                let end = text.find(" (").unwrap_or(text.len());
                let own = text.get(..end).unwrap_or_default().trim_end();
                let own =
                    own.strip_suffix(" or").or_else(|| own.strip_suffix(" and")).unwrap_or(own);
                found.push(Item { place, text: own });
                rest = text;
            }
            None => rest = behind,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{alternatives, choices, chosen, named_by_words, takes_all, telling_words};

    #[test]
    fn choices_are_told_by_numbers_letters_and_places() {
        assert_eq!(chosen("2"), Some(1));
        assert_eq!(chosen("(b) please"), Some(1));
        assert_eq!(chosen("the second one"), Some(1));
        assert_eq!(chosen("option 1"), Some(0));
        assert_eq!(chosen("2 and then 3"), None);
        assert_eq!(chosen("is it 2?"), None);
        assert_eq!(chosen("push it"), None);
        assert_eq!(chosen("yes"), None);
        assert_eq!(chosen("the former, its urgent"), Some(0));
        assert_eq!(chosen("a, and mention ticket 881"), Some(0));
        assert_eq!(chosen("b, but don't push it"), None);
        assert_eq!(chosen("a, but only after marta had a look"), None);
    }

    #[test]
    fn all_are_chosen_by_saying_so() {
        for text in ["all three, go", "both please", "all of them", "yes, all", "everything"] {
            assert!(takes_all(text), "{text}");
        }
        for text in ["all good", "all but the tag", "yes", "the first", "not all", "all right"] {
            assert!(!takes_all(text), "{text}");
        }
    }

    #[test]
    fn one_of_two_is_told_by_its_words() {
        let text = "They are. Shall I merge PR 51 with a squash, or as a merge commit?";
        let both = alternatives(text).expect("there are two");
        assert_eq!(both, ["merge PR 51 with a squash", "merge PR 51 as a merge commit"]);
        let offered = telling_words(&both);
        assert_eq!(named_by_words("squash pls", &offered), Some(0));
        assert_eq!(named_by_words("a merge commit please", &offered), None);
        assert_eq!(named_by_words("squash or commit?", &offered), None);
        assert_eq!(named_by_words("don't squash", &offered), None);
        assert_eq!(named_by_words("no squash", &offered), None);
        let text = "For this I would add either chrono or jiff. Which one?";
        let both = alternatives(text).expect("there are two");
        assert_eq!(both, ["add chrono", "add jiff"]);
        let text = "I can deploy to staging first or straight to production. Which one?";
        let both = alternatives(text).expect("there are two");
        assert_eq!(both, ["deploy to staging first", "deploy straight to production"]);
        let offered = telling_words(&both);
        assert_eq!(named_by_words("staging first obviously", &offered), Some(0));
        assert_eq!(named_by_words("production", &offered), Some(1));
        assert_eq!(named_by_words("neither, fix it first", &offered), None);
        assert_eq!(alternatives("It is red or green."), None);
    }

    #[test]
    fn what_is_offered_is_listed() {
        let text = "Done. I could:\n1. push this to main\n2. open a pull request\n\nWhich one?";
        assert_eq!(choices(text), ["push this to main", "open a pull request"]);
        let text = "Do you want me to (a) open a PR or (b) push straight to main?";
        assert_eq!(choices(text), ["open a PR", "push straight to main"]);
        let text = "**Option A:** merge it\n**Option B:** close it";
        assert_eq!(choices(text), ["merge it", "close it"]);
        let text = "Two ways: 1) merge main into topic, 2) rebase topic on main. Which?";
        assert_eq!(choices(text), ["merge main into topic", "rebase topic on main"]);
        let text = "A: drop the column. B: keep it.";
        assert_eq!(choices(text), ["drop the column", "keep it"]);
        assert!(choices("Since version 1. it pushes").is_empty());
        assert!(choices("1. I pushed it").is_empty());
        assert!(choices("f(a) and g(b) are equal").is_empty());
    }
}
