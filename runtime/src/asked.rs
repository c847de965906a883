//! What a user asked for in the message that began a turn. Of messages nothing is kept but which of the rules'
//! patterns they match. Knows no rules.

use behavior_image::Image;

/// A longer text is looked at only so far, in bytes.
const MAX_TEXT: usize = 1 << 16;

/// A longer answer is more than a yes, in bytes.
const MAX_ASSENT: usize = 80;

/// Words behind which a clause says what is not to be done.
const NEGATIONS: &[&str] = &[
    "not",
    "don't",
    "dont",
    "don’t",
    "doesn't",
    "doesn’t",
    "never",
    "without",
    "no",
    "avoid",
    "stop",
    "instead",
    "rather",
    "cannot",
    "can't",
    "can’t",
    "shouldn't",
    "shouldn’t",
    "won't",
    "won’t",
    "before",
    "until",
    "unless",
    "nicht",
    "kein",
    "keine",
];

/// How a question begins that asks for something to be done.
const REQUESTS: &[&str] =
    &["can you", "could you", "would you", "will you", "please", "can we", "could we", "mind "];

/// How a yes begins.
const ASSENTS: &[&str] = &[
    "yes",
    "yep",
    "yeah",
    "yup",
    "y",
    "ok",
    "okay",
    "sure",
    "go ahead",
    "go for it",
    "do it",
    "do that",
    "please do",
    "sounds good",
    "approved",
    "lgtm",
    "proceed",
    "absolutely",
    "of course",
    "ja",
];

/// Which of the patterns that rules ask for the user's words match: their indexes in the image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Those that hold in this turn.
    pub asked: Vec<u32>,
    /// Those that the last question of the agent matches.
    pub offered: Vec<u32>,
}

impl Asked {
    /// Takes up the message that begins a turn; `None` where it is not known, or not a user's.
    pub fn begin_turn(&mut self, image: &Image, text: Option<&str>, fold: &mut String) {
        let offered = std::mem::take(&mut self.offered);
        self.asked.clear();
        let Some(text) = text.filter(|_| asks(image)) else { return };
        let clauses = requests(shortened(text));
        let matches = |pattern: &u32, fold: &mut String| {
            clauses.iter().any(|clause| image.matches(*pattern, clause, fold))
        };
        self.asked = patterns(image).filter(|pattern| matches(pattern, fold)).collect();
        if is_assent(text) {
            self.asked.extend(offered);
        }
        self.asked.sort_unstable();
        self.asked.dedup();
    }

    /// Takes up what the agent writes: what it asks last may be answered with a yes.
    pub fn agent_wrote(&mut self, image: &Image, text: &str, fold: &mut String) {
        if !asks(image) {
            return;
        }
        let Some(question) = last_question(shortened(text)) else { return };
        self.offered =
            patterns(image).filter(|pattern| image.matches(*pattern, question, fold)).collect();
    }

    /// Whether the user asked for what a pattern matches.
    pub fn has(&self, pattern: u32) -> bool {
        self.asked.binary_search(&pattern).is_ok()
    }
}

/// The patterns that rules ask for.
pub(crate) fn patterns(image: &Image) -> impl Iterator<Item = u32> + '_ {
    let program = image.program();
    image.view().list(program.asked, program.asked_len)
}

fn asks(image: &Image) -> bool {
    image.program().asked_len > 0
}

fn shortened(text: &str) -> &str {
    let mut end = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// The parts of a message that ask for something to be done: no code, no quotes, no questions about it, and of
/// each clause what stands before a negation.
fn requests(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code && !line.trim_start().starts_with('>') {
            let line = without_quotes(line);
            for (sentence, end) in sentences(&line) {
                let lower = sentence.trim_start().to_lowercase();
                let is_request = REQUESTS.iter().any(|request| lower.contains(request));
                if end != '?' || is_request {
                    found
                        .extend(clauses(sentence).map(|clause| before_negation(clause).to_owned()));
                }
            }
        }
    }
    found.retain(|clause| !clause.trim().is_empty());
    found
}

/// A line without what stands in double quotes.
fn without_quotes(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut in_quotes = false;
    for character in line.chars() {
        match character {
            '"' | '“' | '”' | '„' => in_quotes = !in_quotes && character != '”',
            _ if in_quotes => {}
            other => out.push(other),
        }
    }
    // A quote that nobody closes is none.
    if in_quotes { line.to_owned() } else { out }
}

/// The sentences of a line, each with the sign that ends it.
fn sentences(line: &str) -> impl Iterator<Item = (&str, char)> {
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.trim().is_empty() {
            return None;
        }
        let ends = |(at, c): &(usize, char)| {
            let behind = rest.get(at + c.len_utf8()..).unwrap_or_default();
            matches!(c, '?' | '!' | ';' | '.')
                && behind.chars().next().is_none_or(char::is_whitespace)
        };
        let (sentence, end, behind) = match rest.char_indices().find(ends) {
            Some((at, c)) => {
                (rest.get(..at)?, c, rest.get(at + c.len_utf8()..).unwrap_or_default())
            }
            None => (rest, '.', ""),
        };
        rest = behind;
        Some((sentence, end))
    })
}

/// The clauses of a sentence.
fn clauses(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split([',', ':', '(', ')']).flat_map(|part| part.split(" but "))
}

/// What of a clause stands before a negation.
fn before_negation(clause: &str) -> &str {
    let mut from = 0;
    for word in clause.split_inclusive(char::is_whitespace) {
        let plain = word.trim().to_lowercase();
        if NEGATIONS.contains(&&*plain) {
            return clause.get(..from).unwrap_or_default();
        }
        from += word.len();
    }
    clause
}

/// Whether a message says no more than yes.
fn is_assent(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let is_whole = |rest: &str| rest.chars().next().is_none_or(|c| !c.is_alphanumeric());
    let begins = |word: &&str| text.strip_prefix(*word).is_some_and(is_whole);
    let has_negation = || {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
        words.into_iter().any(|word| NEGATIONS.contains(&word))
    };
    text.len() <= MAX_ASSENT && !text.contains('?') && ASSENTS.iter().any(begins) && !has_negation()
}

/// The last question of a text.
fn last_question(text: &str) -> Option<&str> {
    let of_line = |line| sentences(line).filter(|(_, end)| *end == '?').last();
    text.lines().rev().find_map(of_line).map(|(sentence, _)| sentence)
}

#[cfg(test)]
mod tests {
    use super::{is_assent, last_question, requests};

    fn asks(text: &str, word: &str) -> bool {
        requests(text).iter().any(|clause| clause.to_lowercase().contains(word))
    }

    #[test]
    fn what_is_asked_for_is_told_from_what_is_not() {
        assert!(asks("Fix it and push.", "push"));
        assert!(asks("Can you push this?", "push"));
        assert!(asks("Don't test it, push it", "push"));
        assert!(asks("looks good. commit and push to v1.2 please", "push"));
        assert!(!asks("Should we push?", "push"));
        assert!(!asks("Do not push.", "push"));
        assert!(!asks("Commit it without pushing", "push"));
        assert!(!asks("Fix it but never push", "push"));
        assert!(!asks("run the tests before you push", "push"));
        assert!(!asks("> please push\nwhat does he mean", "push"));
        assert!(!asks("```\ngit push\n```\nexplain", "push"));
        assert!(!asks("the button \"push\" is red", "push"));
        assert!(asks("the \"red\" one, then push", "push"));
    }

    #[test]
    fn a_yes_is_short_and_has_no_but() {
        for yes in ["yes", "Yes, go ahead", "ok!", "go ahead", "y", "Sure."] {
            assert!(is_assent(yes), "{yes}");
        }
        let others = [
            "yesterday",
            "yes, but do not push",
            "ok?",
            "no",
            "",
            "yes: first of all I want you to look at everything that is wrong here and then come back",
        ];
        for other in others {
            assert!(!is_assent(other), "{other}");
        }
    }

    #[test]
    fn the_last_question_is_what_a_yes_answers() {
        let text = "Is it red? I fixed it.\nShall I push it to main? Tell me.";
        assert_eq!(last_question(text).map(str::trim), Some("Shall I push it to main"));
        assert_eq!(last_question("Done."), None);
    }
}
