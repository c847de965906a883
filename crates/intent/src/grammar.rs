//! How sentences are held against forms: a form is a line of words and of names of word classes, with a place for what it is
//! about: files, or an act. Knows neither which forms there are nor what they mean.
//!
//! | in a form | stands for |
//! |---|---|
//! | `FILES`, `ACT` | what it is about |
//! | a word | itself |
//! | a name in capitals | a word of that class |
//! | `a\|b` | one of those |
//! | `a?`, `a*` | it or nothing, up to four of it |
//! | `!a` | that it does not follow |
//! | `_` | any one word |
//! | `~` | up to five words of any kind, in which nothing begins anew |
//! | `~~` | up to eight words of any kind, over pauses too |
//! | `JOINED` | further verbs: `, move or delete` |
//! | `$` | that the clause ends here |

use std::collections::HashMap;
use std::ops::Range;

use super::vocabulary::{CLASSES, Class};
use super::wish::plain;

/// So many words are what a form is about where more follows, or where they stand first.
const MAX_OBJECT_WORDS: usize = 24;

/// So many words of one class may follow each other.
const MAX_REPEATED: usize = 4;

/// So many words may stand in a gap.
const MAX_GAP: usize = 5;

/// So many words may stand in a wide one.
const MAX_WIDE_GAP: usize = 8;

/// Words that no gap goes over: something else begins there, or is said no to.
const BREAKING: &[&str] = &[
    "because",
    "since",
    "when",
    "if",
    "unless",
    "not",
    "no",
    "never",
    "than",
    "but",
    "is",
    "are",
    "was",
    "were",
    "that",
    "which",
    "who",
    "don't",
    "without",
    "worry",
    "just",
    "only",
    "simply",
    "merely",
    "way",
    "one",
    "can",
    "could",
    "always",
    "from",
    "shy",
    "scared",
    "reluctant",
    "allowed",
    "matter",
    "afraid",
    "hesitate",
    "mind",
    "bother",
    "forget",
    "fear",
    "need",
    "care",
    "know",
    "see",
    "understand",
    "have",
    "expect",
    "like",
    "believe",
    "trust",
    "run",
    "read",
    "ask",
    "i",
    "we",
    "it",
    "they",
    "you",
];

/// Words behind which a clause has ended.
const CLOSING: &[&str] = &[
    "please",
    "pls",
    "plz",
    "thanks",
    "thx",
    "though",
    "tho",
    "too",
    "as",
    "and",
    "but",
    "-",
    "–",
    "—",
    "ok",
    "okay",
    "bitte",
    "svp",
    "stp",
    "because",
    "since",
    "so",
    "while",
    "until",
    "always",
    "anyway",
    "anyways",
    "regardless",
];

/// The place of a word among all that forms name; none for a word that no form knows.
type WordId = u16;

/// One part of a form.
enum Part {
    Word(Vec<WordId>),
    Maybe(Vec<WordId>),
    Many(Vec<WordId>),
    Not(Vec<WordId>),
    Joined(Vec<WordId>),
    Any,
    Gap,
    WideGap,
    Object,
    End,
}

/// A form that is ready to be held against sentences.
struct Form {
    parts: Vec<Part>,
    /// Whether what it is about stands before all its words.
    begins_with_object: bool,
}

/// Where a form is met in a sentence.
pub(super) struct Meeting {
    /// Which form, by its place among those given.
    pub form: usize,
    /// Its words, those that it is about among them but where these come first.
    pub words: Range<usize>,
    /// The words that may be what it is about.
    pub object: Range<usize>,
}

/// Forms by the words that they begin with.
pub(super) struct Grammar {
    ids: HashMap<&'static str, WordId>,
    spelt: Vec<(&'static str, WordId)>,
    forms: Vec<Form>,
    /// The forms that may begin with a word, by its place.
    starts: Vec<Vec<u16>>,
}

impl Grammar {
    /// Makes forms ready.
    pub fn of(lines: impl Iterator<Item = &'static str>) -> Self {
        let mut grammar = Self {
            ids: HashMap::new(),
            spelt: Vec::new(),
            forms: Vec::new(),
            starts: vec![Vec::new()],
        };
        for line in lines {
            let mut parts: Vec<Part> = line.split(' ').map(|token| grammar.part(token)).collect();
            let begins_with_object = matches!(parts.first(), Some(Part::Object));
            if begins_with_object {
                parts.remove(0);
            }
            grammar.begin(&parts);
            grammar.forms.push(Form { parts, begins_with_object });
        }
        grammar
    }

    fn part(&mut self, token: &'static str) -> Part {
        match token {
            "FILES" | "ACT" => return Part::Object,
            "$" => return Part::End,
            "_" => return Part::Any,
            "~" => return Part::Gap,
            "~~" => return Part::WideGap,
            "JOINED" => return Part::Joined(self.words("CHANGE|WORK|TAKE|CHANGES")),
            _ => {}
        }
        if let Some(not) = token.strip_prefix('!') {
            Part::Not(self.words(not))
        } else if let Some(maybe) = token.strip_suffix('?') {
            Part::Maybe(self.words(maybe))
        } else if let Some(many) = token.strip_suffix('*') {
            Part::Many(self.words(many))
        } else {
            Part::Word(self.words(token))
        }
    }

    /// The words that alternatives stand for.
    fn words(&mut self, alternatives: &'static str) -> Vec<WordId> {
        let mut found = Vec::new();
        for name in alternatives.split('|') {
            let class = CLASSES.iter().find(|class| class.name == name);
            let Class { words, may_be_misspelt, .. } =
                class.unwrap_or(&Class { name: "", words: &[], may_be_misspelt: false });
            found.extend(words.iter().map(|word| self.word(word, *may_be_misspelt)));
            if class.is_none() {
                found.push(self.word(name, false));
            }
        }
        found
    }

    fn word(&mut self, word: &'static str, may_be_misspelt: bool) -> WordId {
        let next = self.starts.len() as WordId;
        let id = *self.ids.entry(word).or_insert(next);
        if id == next {
            self.starts.push(Vec::new());
        }
        if may_be_misspelt && !self.spelt.iter().any(|(known, _)| *known == word) {
            self.spelt.push((word, id));
        }
        id
    }

    /// Notes the words that the form begins with that comes next.
    fn begin(&mut self, parts: &[Part]) {
        let form = self.forms.len() as u16;
        for part in parts {
            let (words, is_last) = match part {
                Part::Word(words) => (words, true),
                Part::Maybe(words) | Part::Many(words) => (words, false),
                Part::Not(_)
                | Part::Joined(_)
                | Part::Any
                | Part::Gap
                | Part::WideGap
                | Part::Object
                | Part::End => break,
            };
            for word in words {
                if let Some(forms) = self.starts.get_mut(usize::from(*word))
                    && forms.last() != Some(&form)
                {
                    forms.push(form);
                }
            }
            if is_last {
                break;
            }
        }
    }

    /// Calls `take` for each place where a form may be met. The words are in lower case.
    pub fn each_meeting(&self, words: &[&str], mut take: impl FnMut(Meeting)) {
        let ids: Vec<WordId> = (0..words.len()).map(|at| self.id(plain(words, at))).collect();
        let sentence = Sentence { words, ids: &ids };
        for (at, id) in ids.iter().enumerate().filter(|(_, id)| **id != 0) {
            for form in self.starts.get(usize::from(*id)).into_iter().flatten() {
                let index = usize::from(*form);
                let Some(form) = self.forms.get(index) else { continue };
                let Some((object, end)) = sentence.meets(&form.parts, at, None) else { continue };
                let object = match (form.begins_with_object, object) {
                    (true, _) => at.saturating_sub(MAX_OBJECT_WORDS)..at,
                    (false, Some(object)) => object,
                    (false, None) => at..at,
                };
                take(Meeting { form: index, words: at..end, object });
            }
        }
    }

    fn id(&self, word: &str) -> WordId {
        let known = self.ids.get(word).copied();
        let spelt = || self.spelt.iter().find(|(known, _)| is_misspelt(word, known));
        known.or_else(|| spelt().map(|(_, id)| *id)).unwrap_or(0)
    }
}

/// Words, and the places of those that forms know.
struct Sentence<'s> {
    words: &'s [&'s str],
    ids: &'s [WordId],
}

impl Sentence<'_> {
    /// Where what it is about stands, and where a form ends that is met from a word on.
    fn meets(
        &self,
        parts: &[Part],
        at: usize,
        object: Option<Range<usize>>,
    ) -> Option<(Option<Range<usize>>, usize)> {
        let Some((part, rest)) = parts.split_first() else { return Some((object, at)) };
        let goes_on = |at: usize| self.meets(rest, at, object.clone());
        match part {
            Part::Word(words) => self.is(words, at).then(|| goes_on(at + 1)).flatten(),
            Part::Maybe(words) => {
                self.is(words, at).then(|| goes_on(at + 1)).flatten().or_else(|| goes_on(at))
            }
            Part::Many(words) => {
                let most = (at..at + MAX_REPEATED).take_while(|at| self.is(words, *at)).count();
                (0..=most).rev().find_map(|count| goes_on(at + count))
            }
            Part::Not(words) => (!self.is(words, at)).then(|| goes_on(at)).flatten(),
            Part::Joined(verbs) => goes_on(self.behind_joined(verbs, at)),
            Part::Any => (at < self.words.len()).then(|| goes_on(at + 1)).flatten(),
            Part::WideGap => {
                let longest = MAX_WIDE_GAP.min(self.words.len().saturating_sub(at));
                (0..=longest).find_map(|count| goes_on(at + count))
            }
            Part::Gap => {
                let longest = (at..at + MAX_GAP).take_while(|at| self.goes_over(*at)).count();
                (0..=longest).find_map(|count| goes_on(at + count))
            }
            Part::End => self.ends(at).then(|| goes_on(at)).flatten(),
            Part::Object if rest.is_empty() => {
                (at < self.words.len()).then_some((Some(at..self.words.len()), at))
            }
            Part::Object => {
                let longest = (at + MAX_OBJECT_WORDS).min(self.words.len());
                (at + 1..=longest).find_map(|end| self.meets(rest, end, Some(at..end)))
            }
        }
    }

    fn is(&self, words: &[WordId], at: usize) -> bool {
        self.ids.get(at).is_some_and(|id| *id != 0 && words.contains(id))
    }

    /// Whether a gap may go over a word.
    fn goes_over(&self, at: usize) -> bool {
        let has_pause = |word: &&str| word.ends_with([',', ';', ':', '.', '!', ')']);
        let word = self.words.get(at).filter(|word| !has_pause(word));
        word.is_some_and(|_| !BREAKING.contains(&plain(self.words, at)))
    }

    /// What stands behind verbs that are joined to the one before a place: "edit, move or delete".
    fn behind_joined(&self, verbs: &[WordId], mut at: usize) -> usize {
        for _ in 0..MAX_REPEATED {
            let joins = matches!(plain(self.words, at), "or" | "and" | "nor" | "&");
            let is_listed =
                at > 0 && self.words.get(at - 1).is_some_and(|word| word.ends_with(','));
            let verb = at + usize::from(joins);
            if !(joins || is_listed) || !self.is(verbs, verb) {
                break;
            }
            at = verb + 1;
        }
        at
    }

    /// Whether a clause ends before a place.
    fn ends(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|at| self.words.get(at));
        at >= self.words.len()
            || before.is_some_and(|word| word.ends_with([',', ';', '.', '!', ':', ')']))
            || CLOSING.contains(&plain(self.words, at))
    }
}

/// Whether a word is a known one with two letters exchanged, or with one too few or one too many.
pub(super) fn is_misspelt(word: &str, known: &str) -> bool {
    const SHORTEST: usize = 4;
    if known.len() < SHORTEST || !word.is_ascii() || !known.is_ascii() {
        return false;
    }
    let (word, known) = (word.as_bytes(), known.as_bytes());
    let same = word.iter().zip(known).take_while(|(own, other)| own == other).count();
    let (own, other) =
        (word.get(same..).unwrap_or_default(), known.get(same..).unwrap_or_default());
    match (own, other) {
        _ if same == 0 => false,
        ([first, second, own @ ..], [third, fourth, other @ ..]) if word.len() == known.len() => {
            first == fourth && second == third && own == other
        }
        ([_, own @ ..], other) if word.len() == known.len() + 1 => {
            own == other && known.len() > SHORTEST
        }
        (own, [_, other @ ..]) if word.len() + 1 == known.len() => {
            own == other && known.len() > SHORTEST
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{Grammar, is_misspelt};

    #[test]
    fn a_form_is_met_where_its_words_follow_each_other() {
        let grammar = Grammar::of(
            ["leave FILES alone|be", "FILES are? frozen $", "no x* FILES !y"].into_iter(),
        );
        let meets = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            let mut found = Vec::new();
            grammar.each_meeting(&words, |it| found.push((it.form, it.object.clone())));
            found
        };
        assert_eq!(meets("please leave a and b alone"), [(0, 2..5)]);
        assert_eq!(meets("a are frozen"), [(1, 0..1), (1, 0..2)]);
        assert_eq!(meets("a are frozen solid"), []);
        assert_eq!(meets("no x x f"), [(2, 3..4)]);
        assert_eq!(meets("no f y"), [(2, 1..3)]);
    }

    #[test]
    fn two_exchanged_letters_make_no_other_word() {
        for (word, known) in
            [("tuoch", "touch"), ("edti", "edit"), ("chnge", "change"), ("dotn't", "don't")]
        {
            assert!(is_misspelt(word, known), "{word}");
        }
        for (word, known) in
            [("exit", "edit"), ("charge", "change"), ("touch", "touch"), ("tech", "touch")]
        {
            assert!(!is_misspelt(word, known), "{word}");
        }
    }
}
