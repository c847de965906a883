//! What a message asks for, what of that depends on nothing, and what it refuses: clause by clause.

use std::borrow::Cow;

use super::act::Act;
use super::acts::{DOERS, acts};
use super::antecedent::Antecedent;
use super::blocks::without_blocks;
use super::certain::{certain_in_the_end, is_certain};
use super::dependencies::{allowed_packages, refused_packages};
use super::exceptions::left_out;
use super::files::taken_up::{MAX_LEFT_ALONE, excepted, lifted, taken_up};
use super::files::{FilesSaid, Reading};

use super::forbidden::{asked_for, forbidden};
use super::idioms::without_idioms;
use super::learned::{self, Passages};
use super::noes::{Noes, noes};
use super::other_languages::{Speaker, in_english};
use super::own_plans::{waits_for_word, without_plans};
use super::pasted::own_lines;
use super::plainly::plainly;
use super::reshaping::forbidden_elsewhere;
use super::sentences::{
    NO, before_negation, clauses, forbids_list, is_item, item_text, sentences, wanted,
    without_pauses, without_quotes, without_reminders, without_reports,
};
use super::told::plain_words;
use super::until::{Wait, depends_on_tests, states, waits, waits_denied};
use super::wish::Wish;

/// How a question begins that asks for something to be done.
const REQUESTS: &[&str] = &[
    "can you",
    "could you",
    "would you",
    "will you",
    "can u",
    "could u",
    "please",
    "mind ",
    // It takes a look to say.
    "what is in ",
    "what's in ",
    "what’s in ",
    "what is inside ",
    "what's inside ",
    "what’s inside ",
];

/// What takes back all that was said before it.
const TAKING_BACK: &[&str] = &[
    "scratch that",
    "on second thought",
    "never mind",
    "nevermind",
    "actually no",
    "actually, no",
    "wait, no",
    "wait no",
    "no wait",
    "no, wait",
    "no don't",
    "no, don't",
    "no don’t",
    "no, don’t",
    "forget it",
    "forget that",
    "ach nein",
    "ach nee",
    "doch nicht",
    "no, not yet",
    "wait, not yet",
    "hold on, not yet",
    "actually hold off",
    "actually, hold off",
    "hmm, hold off",
    "hold off on that",
    "hmm, not so sure",
    "hm, not so sure",
    "not so sure, what do you think",
    "nein, noch nicht",
    "warte, noch nicht",
    "non, pas encore",
    "attends, pas encore",
    "non attends",
    "non, attends",
    "no, todavía no",
    "espera, todavía no",
    "não, ainda não",
    "finalement non",
    "en fait non",
    "mejor no",
    "やっぱりやめ",
    "算了",
];

/// What says no to a comment without a word for it.
const NO_COMMENT: &[&str] =
    &["i'll post", "i’ll post", "i will post", "i'll send it", "i’ll send it", "i will send it"];

/// What a message says of what is to be done.
#[derive(Debug, Default)]
pub struct Said {
    /// The parts that ask for something to be done: no code, no quotes, no questions about it, and of each clause what
    /// stands before a negation.
    pub wanted: Vec<String>,
    /// Those of them that depend on nothing, and are not about what something else does.
    pub certain: Vec<String>,
    /// What is not to be done, or the user will do, each with [`NO`] before it.
    pub refused: Vec<String>,
    /// What of that is forbidden as a whole.
    pub forbidden: Vec<Act>,
    /// What may be done that was forbidden as a whole before.
    pub allowed: Vec<Act>,
    /// What waits for something that is to be so first.
    pub waits: Vec<Wait>,
    /// What is said to be so.
    pub states: Vec<String>,
    /// Packages by their names, and whether they may become dependencies.
    pub packages: Vec<(String, bool)>,
    /// What is to be left as it is: hashes of wishes.
    pub left_alone: Vec<u64>,
    /// What alone is to be changed: hashes of wishes.
    pub only: Vec<u64>,
    /// Whether nothing is to be changed but what is asked for by its name.
    pub only_named: bool,
    /// What the user had said to leave as it is, and need not be left any more: hashes of wishes.
    pub lifted: Vec<u64>,
    /// Whether that is so of all that he had said.
    pub lifts_all: bool,
    /// What is to be as it was: hashes of wishes.
    pub undone: Vec<u64>,
    /// Exceptions that hold no more: hashes of wishes.
    pub bound: Vec<u64>,
}

/// Cuts a message into passages: the user's own sentences, as they are read by weights.
pub fn passages(text: &str) -> Passages {
    let mut passages = Passages::default();
    for line in own_lines(&without_blocks(text)) {
        for (sentence, end) in sentences(&in_english(&without_quotes(line), Speaker::User)) {
            passages.add(sentence, end);
        }
    }
    passages
}

impl Said {
    /// Reads a message.
    pub fn of(text: &str) -> Self {
        // What is to be kept may be said behind what is to go.
        const SPARING: [&str; 5] = ["keep ", "but keep ", "leave ", "spare ", "not "];
        let mut said = Self::default();
        let (mut forbids, mut spares) = (false, false);
        let mut head = String::new();
        let mut antecedent = Antecedent::default();
        let mut files = Reading::default();
        // The sentence before, in lower case.
        let mut earlier = String::new();
        for line in own_lines(&without_blocks(text)) {
            let line = said.take_back(line);
            let plain = line.trim_start();
            let is_head = forbids_list(line);
            forbids = is_head || forbids && (is_item(line) || plain.is_empty());
            if forbids {
                if is_head {
                    head = end_of_head(plain);
                    said.leave_alone(files.sentence(&head, false));
                } else {
                    said.leave_alone(item_of(&head, plain));
                }
                said.refused.push(format!("{NO}{plain}"));
                said.forbidden.extend(forbidden(&format!("{NO}{plain}"), ""));
                continue;
            }
            if is_item(line) {
                said.leave_alone(item_of(&head, plain));
            } else if !plain.is_empty() {
                head = if begins_list(plain) { end_of_head(plain) } else { String::new() };
            }
            said.forbidden.extend(forbidden_elsewhere(&line.to_lowercase()));
            for (sentence, end) in
                sentences(&in_english(&without_quotes(&without_pauses(line)), Speaker::User))
            {
                let sentence = &uncommitted(sentence);
                let sentence = &plainly(without_texts(without_reports(sentence)));
                let sentence = &without_idioms(sentence);
                let sentence = &antecedent.resolve(&without_reminders(sentence));
                let refused = said.refused.len();
                let (sentence, exception) = match left_out(sentence) {
                    Some((rest, act)) => (rest, Some(act)),
                    None => (sentence.as_ref(), None),
                };
                let exception = exception.map(|act| format!("{NO}{act}"));
                said.forbidden
                    .extend(exception.as_deref().into_iter().flat_map(|no| forbidden(no, "")));
                said.refused.extend(exception);
                let lower = sentence.trim_start().to_lowercase();
                let is_request = REQUESTS.iter().any(|request| lower.contains(request))
                    || asks_for_a_value(&lower);
                let asks =
                    end == '?' || offers_himself(&lower) || lower.trim_end().ends_with(" or what");
                let is_question = asks && !is_request;
                said.lifts_all |= says_so(&lower);
                let denied = said.take_noes(&lower, is_question);
                let forbidden_before = said.forbidden.len();
                said.forbidden.extend(forbidden(sentence, &earlier));
                earlier.clone_from(&lower);
                let left_before = said.left_alone.len();
                said.leave_alone(files.sentence(&lower, is_question));
                if said.left_alone.len() > left_before && speaks_of_existing(&lower) {
                    said.left_alone.push(Wish::LeftIfThere.hash());
                }
                // Who says where nothing is to be changed does not mean everywhere.
                if said.left_alone.len() > left_before {
                    let own = said.forbidden.split_off(forbidden_before);
                    said.forbidden.extend(own.into_iter().filter(|act| *act != Act::Change));
                }
                let wanted_before = said.wanted.len();
                let certain_before = said.certain.len();
                let may_ask = (is_request || !asks && !explains(&lower)) && !is_requirement(&lower);
                if looks_first(&lower) {
                    said.take(sentence);
                    said.wanted.clear();
                    said.certain.clear();
                    continue;
                }
                if may_ask && !waits_for_word(&lower) {
                    let before = said.wanted.len();
                    said.take(sentence);
                    let before = before - said.give_up(before, refused);
                    if is_certain(&lower) {
                        said.certain
                            .extend_from_slice(said.wanted.get(before..).unwrap_or_default());
                    } else if let Some(last) = certain_in_the_end(sentence) {
                        said.certain.extend(wanted(last));
                    }
                    spares |= SPARING.iter().any(|word| lower.starts_with(word));
                    said.wanted.extend(act_left(&lower).map(str::to_owned));
                    // "Don't touch src, but you can change src/a.py."
                    let excepts = [" but you can ", " but you may ", " but feel free to "];
                    let excepts = excepts.iter().any(|except| lower.contains(except));
                    let left = if excepts { said.left_alone.len() } else { left_before };
                    said.take_up(left, wanted_before);
                } else {
                    said.give_up(said.wanted.len(), refused);
                }
                said.leave_out(wanted_before, certain_before, &denied);
            }
        }
        if spares {
            said.certain.clear();
        }
        said.take_learned(text);
        said
    }

    /// Takes up what the message forbids in words that no form knows, of what the forms say nothing of.
    fn take_learned(&mut self, text: &str) {
        let passages = passages(text);
        let mut settled = asked_for(&self.wanted);
        settled.extend(self.allowed.iter().chain(&self.forbidden));
        settled.extend(self.waits.iter().filter_map(Wait::whole_act));
        // Who says which files are to be left, or alone to be changed, says nothing of all.
        if !self.left_alone.is_empty() || !self.only.is_empty() {
            settled.extend([Act::Delete, Act::Rename, Act::NewFile]);
        }
        let is_settled = |act: &Act| {
            let in_part = if *act == Act::Test { Some(Act::Suite) } else { act.untested() };
            settled.contains(act) || in_part.is_some_and(|act| settled.contains(&act))
        };
        for act in learned::forbidden(&passages).into_iter().filter(|act| !is_settled(act)) {
            match act {
                // Which may and which may not is said by their names.
                Act::Depend if !self.packages.is_empty() => {}
                Act::Test if speaks_of_all(text) => self.forbidden.push(Act::Suite),
                _ => self.forbidden.push(act),
            }
        }
        for file in learned::left_alone(&passages) {
            let said = FilesSaid::leaving(file);
            let is_known =
                |hash: &u64| self.left_alone.contains(hash) || self.lifted.contains(hash);
            let is_settled = !self.only.is_empty() || said.left.iter().any(is_known);
            if !is_settled && taken_up(&said.left, &self.wanted).is_empty() {
                self.leave_alone(said);
            }
        }
    }

    /// Takes up what is said of files.
    fn leave_alone(&mut self, mut files: FilesSaid) {
        // Nobody says more.
        let rest = MAX_LEFT_ALONE.saturating_sub(self.left_alone.len());
        self.left_alone.extend(files.left.into_iter().take(rest));
        self.only.append(&mut files.only);
        self.only_named |= files.only_named;
        let gone = lifted(&self.left_alone, &files.lifted);
        self.left_alone.retain(|hash| !gone.contains(hash));
        self.lifted.append(&mut files.lifted);
        self.lifts_all |= files.lifts_all;
        self.undone.append(&mut files.undone);
        self.bound.append(&mut files.bound);
    }

    /// Forgets of the files that were to be left, out of the first so many, those that the last clauses want changed.
    fn take_up(&mut self, left: usize, clauses: usize) {
        let before = self.left_alone.get(..left).unwrap_or_default();
        let own = self.wanted.get(clauses..).unwrap_or_default();
        let (taken, mut excepted) = (taken_up(before, own), excepted(before, own));
        self.left_alone.retain(|hash| !taken.contains(hash));
        self.left_alone.append(&mut excepted);
    }

    /// Forgets what was said, where a line takes it back, and returns what stands behind that.
    fn take_back<'l>(&mut self, line: &'l str) -> &'l str {
        // Bytes of other letters keep their places in this lower case.
        let lower = line.to_ascii_lowercase();
        let ends = TAKING_BACK.iter().filter_map(|phrase| {
            let start = lower.rfind(phrase)?;
            let before = lower.get(..start)?;
            // Of what to hold off, the sentence says.
            let says_what = phrase.ends_with("hold off")
                && lower.get(start + phrase.len()..).is_some_and(|rest| rest.starts_with(" on"));
            if says_what {
                return None;
            }
            // What it says no to stands behind it.
            let says_no = ["don't", "don’t"].iter().find(|no| phrase.ends_with(*no));
            let length = phrase.len() - says_no.map_or(0, |no| no.len());
            (!before.ends_with(char::is_alphanumeric)).then_some(start + length)
        });
        let Some(end) = ends.max() else { return line };
        self.wanted.clear();
        self.certain.clear();
        line.get(end..).unwrap_or_default()
    }

    /// Forgets what was wanted before, of the first so many parts, where what is refused now says no to just that: "push
    /// it. No, don't push yet". Returns how many are forgotten.
    fn give_up(&mut self, before: usize, refused: usize) -> usize {
        const NOTHING_ELSE: &[&str] =
            &["it", "yet", "this", "that", "them", "now", "anything", "for", "just", "to", "still"];
        let verbs: Vec<String> = self
            .refused
            .get(refused..)
            .unwrap_or_default()
            .iter()
            .filter_map(|part| {
                let mut words = part.strip_prefix(NO)?.split_whitespace();
                let leads = ["to", "do", "actually", "please", "just", "even", "really"];
                let verb = words.find(|word| !leads.contains(word))?.to_lowercase();
                words.all(|word| NOTHING_ELSE.contains(&word)).then_some(verb)
            })
            .collect();
        if verbs.is_empty() {
            return 0;
        }
        let is_given_up = |part: &String| {
            let acts = acts(part);
            acts.iter().any(|act| {
                let verb = act.split_whitespace().next().unwrap_or_default().to_lowercase();
                verbs.contains(&verb)
            })
        };
        self.certain.retain(|part| !is_given_up(part));
        let kept = self.wanted.split_off(before.min(self.wanted.len()));
        let all = self.wanted.len();
        self.wanted.retain(|part| !is_given_up(part));
        let gone = all - self.wanted.len();
        self.wanted.extend(kept);
        gone
    }

    /// Takes up what a sentence, in lower case, forbids or allows in other words than a plain no. Returns what it forbids.
    fn take_noes(&mut self, lower: &str, is_question: bool) -> Vec<Act> {
        if NO_COMMENT.iter().any(|phrase| lower.contains(phrase)) {
            self.refused.push(format!("{NO}comment"));
        }
        let Noes { mut denied, lifted } = noes(lower);
        // Who asks whether the tests pass wants them run.
        self.allowed.extend(lifted.into_iter().filter(|act| !is_question || *act == Act::Test));
        if is_question && !asks_for_a_nod(lower) {
            denied.clear();
        }
        if !is_question {
            let allowed = allowed_packages(lower).into_iter().map(|name| (name.to_owned(), true));
            let refused = refused_packages(lower).into_iter().map(|name| (name.to_owned(), false));
            self.packages.extend(allowed.chain(refused));
            let mut waiting = waits(lower);
            if waiting.is_empty() {
                waiting = waits_denied(lower, &denied);
            }
            denied.extend(waiting.first().and_then(Wait::forbids));
            // It is wanted all the same.
            self.forbidden.extend(depends_on_tests(lower));
            self.waits.append(&mut waiting);
            self.states.append(&mut states(lower));
        }
        self.refused.extend(denied.iter().map(|act| act.clause()));
        self.forbidden.extend(&denied);
        denied
    }

    /// Removes the wishes behind the first so many clauses that the same sentence forbids: "commit once I have seen it".
    fn leave_out(&mut self, clauses: usize, certain: usize, denied: &[Act]) {
        if denied.is_empty() {
            return;
        }
        let is_denied = |clause: &String| {
            asked_for(std::slice::from_ref(clause)).iter().any(|act| {
                denied.contains(act)
                    || act.untested().is_some_and(|untested| denied.contains(&untested))
            })
        };
        for (all, first) in [(&mut self.wanted, clauses), (&mut self.certain, certain)] {
            let own = all.split_off(first.min(all.len()));
            all.extend(own.into_iter().filter(|clause| !is_denied(clause)));
        }
    }

    fn take(&mut self, sentence: &str) {
        for clause in wanted(sentence) {
            let kept = without_plans(&clause);
            if is_own_plan(&clause, &kept) {
                self.refused.push(format!("{NO}{clause}"));
            }
            if !kept.is_empty() {
                self.wanted.push(kept);
            }
        }
        for clause in clauses(sentence) {
            let behind = clause.get(before_negation(clause).len()..).unwrap_or_default();
            if let Some((_, rest)) = behind.trim_start().split_once(char::is_whitespace) {
                // So ends what somebody will do in another language.
                let rest = rest.strip_suffix(" and I will do it").unwrap_or(rest);
                self.refused.push(format!("{NO}{rest}"));
            }
        }
    }
}

/// Whether a message speaks of all tests at once.
fn speaks_of_all(text: &str) -> bool {
    const ALL: [&str; 4] = ["whole", "entire", "full", "all"];
    const TESTS: [&str; 3] = ["suite", "tests", "test"];
    let lower = text.to_lowercase();
    let words = lower.split_whitespace();
    let words = words.map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric()));
    let words: Vec<&str> = words.filter(|word| !matches!(*word, "the" | "of")).collect();
    words
        .windows(2)
        .any(|two| matches!(two, [all, tests] if ALL.contains(all) && TESTS.contains(tests)))
}

/// Whether a question, in lower case, says something and asks no more than whether it was heard: "pushes are mine, ok?".
fn asks_for_a_nod(lower: &str) -> bool {
    const NODS: &[&str] = &[
        "ok",
        "okay",
        "k",
        "right",
        "alright",
        "yeah",
        "yes",
        "deal",
        "got it",
        "understood",
        "clear",
        "ja",
        "oder",
        "ne",
        "d'accord",
        "vale",
    ];
    let last = lower.trim_end().rsplit_once([',', '-', '–']);
    last.is_some_and(|(_, nod)| {
        NODS.contains(&nod.trim_matches(|sign: char| !sign.is_alphanumeric()))
    })
}

/// Whether what of a clause is no wish is what the user does himself: not only when something is to be done, or whether it is so.
fn is_own_plan(clause: &str, kept: &str) -> bool {
    if kept.len() >= clause.len() {
        return false;
    }
    let rest = clause.split_whitespace().nth(kept.split_whitespace().count());
    let own = ["i'll", "i’ll", "i", "i'm", "i’m", "we'll", "we", "let", "lemme"];
    kept.is_empty() || rest.is_some_and(|word| own.contains(&word.to_lowercase().as_str()))
}

/// What an item of a list says of files, behind the line that begins the list.
fn item_of(head: &str, item: &str) -> FilesSaid {
    if head.is_empty() {
        return FilesSaid::default();
    }
    Reading::default().sentence(&format!("{head} {}", item_text(item).to_lowercase()), false)
}

/// Whether a line begins a list of files that are to be left, or changed alone.
fn begins_list(line: &str) -> bool {
    line.trim_end().ends_with(':') && item_of(&end_of_head(line), "a.b") != FilesSaid::default()
}

/// The end of a line that begins a list, in lower case and without its colon: each item is read behind it.
fn end_of_head(line: &str) -> String {
    const MAX_LENGTH: usize = 256;
    let line = line.trim_end().trim_end_matches(':');
    let mut from = line.len().saturating_sub(MAX_LENGTH);
    while !line.is_char_boundary(from) {
        from += 1;
    }
    line.get(from..).unwrap_or_default().to_lowercase()
}

/// A sentence with one word for what is not committed, in place of a word that says no.
fn uncommitted(sentence: &str) -> Cow<'_, str> {
    const SAYING: [&str; 6] =
        ["that's not", "that’s not", "thats not", "that is not", "that isn't", "which is not"];
    let Some(at) = ["committed", "commited"].iter().find_map(|word| sentence.find(word)) else {
        return Cow::Borrowed(sentence);
    };
    let (before, behind) = sentence.split_at_checked(at).unwrap_or((sentence, ""));
    let plain = before.trim_end().trim_end_matches(" yet");
    let Some(head) = SAYING.iter().find_map(|saying| plain.strip_suffix(saying)) else {
        return Cow::Borrowed(sentence);
    };
    let behind = behind.trim_start_matches(char::is_alphabetic);
    Cow::Owned(format!("{head}uncommitted{behind}"))
}

/// A sentence without the text that is to be written somewhere: "add these to the docs: run the tests, push to main".
fn without_texts(sentence: &str) -> &str {
    const WRITING: &[&str] = &[
        "write",
        "add",
        "put",
        "document",
        "translate",
        "describe",
        "note",
        "list",
        "update",
        "mention",
        "include",
        "explain",
        "steps",
    ];
    const TEXTS: &[&str] = &[
        "steps",
        "docs",
        "documentation",
        "section",
        "readme",
        "contributing",
        "makefile",
        "guide",
        "page",
        "process",
        "checklist",
        "sentence",
        "job",
        "ci",
        "workflow",
        "text",
        "paragraph",
        "changelog",
        "wiki",
        "following",
        "template",
        "down",
        "script",
        "pipeline",
        "stage",
        "comment",
        "german",
        "english",
        "french",
        "spanish",
    ];
    let Some((head, _)) = sentence.split_once(": ") else { return sentence };
    let lower = head.to_lowercase();
    // "It goes like this: bump the version, publish": so it is, and nobody is to do it.
    let is_told = ["it ", "its ", "it's ", "it’s ", "that ", "this ", "the process ", "the steps "];
    let begins_so = is_told.iter().any(|begin| lower.trim_start().starts_with(begin));
    if begins_so
        && (lower.trim_end().ends_with("like this") || lower.trim_end().ends_with("as follows"))
    {
        return head;
    }
    let words = || lower.split(|c: char| !c.is_alphanumeric() && c != '.');
    let name = |word: &str| word.split('.').next().unwrap_or(word).to_owned();
    let is_text = words()
        .any(|word| TEXTS.contains(&word) || word.ends_with(".md") && !name(word).is_empty());
    let writes =
        words().filter(|word| !word.is_empty()).take(3).any(|word| WRITING.contains(&word));
    if writes && is_text { head } else { sentence }
}

/// Whether a sentence says that its writer wants to look first: "I'd like to see the review first".
fn looks_first(lower: &str) -> bool {
    if ["wait for my ", "wait for me", "but wait for my ", "let me see ", "let me check "]
        .iter()
        .any(|begin| lower.trim_start().starts_with(begin))
    {
        return true;
    }
    const WANTING: [&str; 8] = [
        "i'd like to ",
        "i’d like to ",
        "i want to ",
        "i need to ",
        "i would like to ",
        "we want to ",
        "we need to ",
        "i have to ",
    ];
    const LOOKING: [&str; 8] =
        ["see", "review", "check", "look", "read", "test", "approve", "verify"];
    let wanted = WANTING.iter().find_map(|wanting| lower.split_once(wanting));
    let Some((_, rest)) = wanted else { return false };
    let looks = rest.split_whitespace().next().is_some_and(|verb| LOOKING.contains(&verb));
    let mut words = rest.split(|c: char| !c.is_alphanumeric());
    looks && words.any(|word| word == "first" || word == "before" || word == "beforehand")
}

/// Whether a sentence says that the word is given for which something waited: "ok, I say so", and not "until I say so".
fn says_so(lower: &str) -> bool {
    let words = lower.trim_start().split(|sign: char| !sign.is_alphanumeric() && sign != '\'');
    let mut words = words.filter(|word| !word.is_empty()).skip_while(|word| {
        matches!(*word, "ok" | "okay" | "now" | "yes" | "well" | "and" | "then")
    });
    matches!(
        (words.next(), words.next(), words.next()),
        (Some("i"), Some("say"), Some("so")) | (Some("i'm"), Some("saying"), Some("so"))
    )
}

/// The act that a sentence leaves to the agent which the user spoke of before in it: "I forgot to push, can you do it?", "no
/// objections to the PR, open it".
fn act_left(lower: &str) -> Option<&'static str> {
    const DOING: &[&str] = &["do it", "do that", "do so", "do this"];
    const OPENING: &[&str] = &["open it", "create it", "submit it", "raise it", "file it"];
    let (before, last) = lower.rsplit_once([',', ':', '-', '.', ';'])?;
    let words = || before.split(|sign: char| !sign.is_alphanumeric());
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| last.contains(phrase));
    let own = ["i'll", "i’ll", "i will", "myself", "i can", "i do"];
    let is_no = before_negation(last).len() < last.len() || says(&own);
    let is_of_user = words().any(|word| matches!(word, "i" | "we"));
    if is_no {
        return None;
    }
    if says(OPENING) && words().any(|word| matches!(word, "pr" | "mr" | "pull")) {
        return Some("open the pull request");
    }
    let asks =
        ["can you", "could you", "please", "you ", "just "].iter().any(|it| last.contains(it));
    let act = words().find_map(Act::of).filter(|_| is_of_user && asks && says(DOING))?;
    Some(act.name())
}

/// Whether a sentence asks for a value that stands in a file of settings: it takes a look to say.
fn asks_for_a_value(lower: &str) -> bool {
    const QUESTIONS: [&str; 8] = [
        "what is the ",
        "what's the ",
        "what’s the ",
        "what is my ",
        "what's my ",
        "what’s my ",
        "what are the ",
        "which ",
    ];
    const VALUES: [&str; 8] =
        [".env", "secret", "token", "password", "_key", "api key", "credential", "npmrc"];
    QUESTIONS.iter().any(|question| lower.starts_with(question))
        && VALUES.iter().any(|value| lower.contains(value))
}

/// Whether a sentence says what a program is to do: "the release script should tag, push the tag and publish".
fn is_requirement(lower: &str) -> bool {
    const MAX_SUBJECT: usize = 5;
    // "As a maintainer I want to publish": a wish for a program.
    let story = lower.split_once("as a ").or_else(|| lower.split_once("as an "));
    if story.is_some_and(|(before, behind)| {
        before.split_whitespace().count() <= 1 && behind.contains(" i want ")
    }) {
        return true;
    }
    let words: Vec<&str> = lower.split_whitespace().take(MAX_SUBJECT + 1).collect();
    let is_duty = |word: &&str| matches!(*word, "should" | "must" | "shall" | "has" | "needs");
    let Some(duty) = words.iter().position(is_duty) else { return false };
    let subject = words.get(..duty).unwrap_or_default();
    let begins = subject
        .first()
        .is_some_and(|word| matches!(*word, "the" | "our" | "a" | "this" | "that" | "each"));
    begins && subject.last().is_some_and(|word| DOERS.contains(word))
}

/// Whether a sentence asks whether the user himself is to do something, with or without the sign: "should i push it".
fn offers_himself(lower: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "should i ",
        "shall i ",
        "do i ",
        "want me to ",
        "do you want me to ",
        "do you need me to ",
        "would you like me to ",
    ];
    let lead = ["ok ", "okay ", "so ", "and ", "hm ", "hmm ", "ok, ", "so, "];
    let text = lower.trim_start();
    let text = lead.iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    BEGINNINGS.iter().any(|begin| text.starts_with(begin))
}

/// Whether a sentence asks for an explanation, and for nothing besides.
fn explains(lower: &str) -> bool {
    let first = lower.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    matches!(first, "explain" | "describe" | "why" | "how" | "what") && !lower.contains(" and ")
}

/// Whether a sentence is about files that are there already.
fn speaks_of_existing(lower: &str) -> bool {
    const WORDS: &[&str] =
        &["existing", "existentes", "existants", "existantes", "bestehenden", "vorhandenen", "old"];
    plain_words(lower).iter().any(|word| WORDS.contains(word))
}

#[cfg(test)]
mod tests {
    use super::Said;
    use crate::act::Act;

    fn asks(text: &str, word: &str) -> bool {
        Said::of(text).wanted.iter().any(|clause| clause.to_lowercase().contains(word))
    }

    #[test]
    fn a_long_line_that_begins_a_list_is_read_in_its_end() {
        let head = "x not ".repeat(10_000);
        let said = Said::of(&format!("{head} touch:\n- src/a.rs\n- the docs"));
        // The path is known by its last part and its name, too.
        assert_eq!(said.left_alone.len(), 4);
        assert!(super::end_of_head(&format!("{}ü:", "ü".repeat(300))).len() <= 256);
    }

    #[test]
    fn what_is_asked_for_is_told_from_what_is_not() {
        assert!(asks("Fix it and push.", "push"));
        assert!(asks("Can you push this?", "push"));
        assert!(asks("Don't test it, push it", "push"));
        assert!(asks("looks good. commit and push to v1.2 please", "push"));
        assert!(asks("Fix it. Don't forget to push", "push"));
        assert!(asks("and never hesitate to push, please", "push"));
        assert!(asks("Bitte die Tests laufen lassen und auf main pushen.", "push to main"));
        assert!(!asks("Noch nicht pushen, bitte", "push"));
        assert!(asks("能推送到 main 吗？", "can you push to main"));
        assert!(!asks("Don't forget: never push", "push"));
        assert!(!asks("Should we push?", "push"));
        assert!(!asks("should i push to main", "push"));
        assert!(!asks("ok do you want me to push it", "push"));
        assert!(!asks("Do not push.", "push"));
        assert!(!asks("Commit it without pushing", "push"));
        assert!(!asks("Fix it but never push", "push"));
        assert!(!asks("run the tests before you push", "push"));
        assert!(!asks("Do not commit, push, or merge anything", "push"));
        assert!(!asks("You must not, under any circumstances, push", "push"));
        assert!(!asks("Don't commit (or push) anything", "push"));
        assert!(!asks("Do NOT:\n- commit\n- push\n\nFix it.", "push"));
        assert!(!asks("Nobody may push", "push"));
        assert!(!asks("Push nothing", "push"));
        assert!(!asks("Nichts pushen", "push"));
        assert!(!asks("Explain what `git push --force` does", "push"));
        assert!(!asks("~~~\ngit push\n~~~", "push"));
        assert!(asks("Explain it and push", "push"));
        assert!(!asks("> please push\nwhat does he mean", "push"));
        assert!(!asks("```\ngit push\n```\nexplain", "push"));
        assert!(!asks("the button \"push\" is red", "push"));
        assert!(asks("the \"red\" one, then push", "push"));
        assert!(!asks("the log says 'please push' twice", "push"));
        assert!(!asks("it says ‘please push’", "push"));
        assert!(!asks("The README says: push to main.", "push"));
        assert!(!asks("According to the README, push to main", "push"));
        assert!(!asks("README.md:3: push to main", "push"));
        assert!(!asks("PR title: push to main", "push"));
        assert!(!asks("Bob: push to main", "push"));
        assert!(asks("Task: push to main", "push"));
        assert!(asks("Two things: fix it and push to main", "push"));
        assert!(!asks("Push to main tomorrow, not now.", "push"));
        assert!(!asks("push to main after my review", "push"));
        assert!(!asks("not yet: push to main", "push"));
        assert!(asks("I will look at it later, push it now", "push"));
        assert!(!asks("the docs say to push to main", "push"));
        assert!(!asks("The ticket, as he told me, reads: push it", "push"));
        assert!(asks("I said: push to main", "push"));
        assert!(asks("push to main, the README says that it is fine", "push"));
        assert!(asks("Write what the log says, and push", "push"));
        assert!(asks("don't test it, the users' files: push", "push"));
        assert!(asks("Don't wait, let's push it. That's all", "push"));
        assert!(!asks("fix it, I'll push it myself", "push"));
        assert!(!asks("let me push it myself", "push"));
        assert!(asks("push and I'll open the request myself", "push"));
        assert!(!asks("after you push, what happens", "push"));
        assert!(asks("When you're done commit and push", "push"));
        assert!(!asks("Push it only when I say so", "push"));
        assert!(!asks("push once I have approved it", "push"));
        assert!(!asks("Do anything except pushing", "push"));
        assert!(!asks("The log:\n\n    push to main\n", "push"));
    }

    #[test]
    fn what_is_taken_back_is_asked_for_no_more() {
        assert!(!asks("push to main. Actually no, wait.", "push"));
        assert!(!asks("push to main — scratch that, just commit", "push"));
        assert!(asks("push to main — scratch that, just commit", "commit"));
        assert!(!asks("delete src/legacy. Hmm, on second thought leave it.", "legacy"));
        assert!(!asks("lösche src/legacy. Ach nein, doch nicht.", "legacy"));
        assert!(asks("Never mind. Push it now", "push"));
        assert!(!asks("push it to main. No, do not push yet", "main"));
        assert!(!asks("push it. No, don't push yet", "push"));
        assert!(!asks("commit und push auf main, ach nee, push noch nicht", "push"));
        assert!(asks("push it to main. Don't push to upstream", "main"));
        assert!(!asks(
            "push it. also fix the typo. actually hold off on the push until CI is fixed",
            "push"
        ));
        assert!(!asks("publish ui. Wait for my ok first.", "publish"));
        assert!(!asks("Write down the steps: build, push to main, deploy", "push"));
        assert!(!asks("add these to the docs: run tests, push to main", "push"));
        assert!(!asks("write down our process. its like this: bump it, push it", "push"));
        assert!(!asks("commit to the bit: a pirate. dont actually commit it", "commit"));
        assert!(asks("do the release: tag v5.2.0, push the tag", "push"));
        assert!(!asks(
            "the release script should tag, push the tag and publish. Extend it.",
            "push"
        ));
        assert!(!asks("ORC-12: As a release manager I want to push the tag from CI", "push"));
        assert!(!asks("напиши инструкцию, как запушить", "push"));
        assert!(!asks("explique-moi comment publier sur npm", "publish"));
        assert!(!asks("pushが失敗した原因を調べて", "push"));
        assert!(!asks("if it is positive merge 88. I'd like to see the review first.", "merge"));
        assert!(asks("I'd like to see it on main: push it", "push"));
    }

    #[test]
    fn what_is_said_of_another_place_takes_nothing_back() {
        let is_certain = |text: &str| !Said::of(text).certain.is_empty();
        assert!(is_certain("Undo my changes in src/parser.rs but leave cache.rs alone"));
        assert!(is_certain("delete docs/design but keep docs/api.md"));
        assert!(is_certain("undo all the changes in src/parser.py, keep app.py as it is now"));
        assert!(!is_certain("delete src/legacy, keep app.py"));
        assert!(!is_certain("delete docs but keep docs/api.md"));
        assert!(is_certain("drop stash@{2}, keep the others"));
        assert!(is_certain("wipe docs/design, I've got backups"));
        assert!(is_certain("throw away everything that's not committed"));
        assert!(is_certain("one more thing: delete docs/design"));
        assert!(is_certain("uninstall husky: remove the .husky folder"));
        assert!(!is_certain("the cleanup script: delete docs/design"));
        assert!(!is_certain("delete docs/a but keep the rest"));
    }

    #[test]
    fn what_is_not_to_be_done_is_kept_apart() {
        let refuses = |text: &str, word: &str| {
            Said::of(text).refused.iter().any(|clause| clause.to_lowercase().contains(word))
        };
        assert!(refuses("Do not run the tests.", "run the tests"));
        assert!(refuses("Fix it, I'll run the tests myself", "tests"));
        assert!(refuses("Don't:\n- push\n", "push"));
        assert!(refuses("commit but keep it local until Ana has seen it", "no push"));
        assert!(refuses("hold off on pushing", "no push"));
        assert!(refuses("please leave it uncommitted", "no commit"));
        assert!(refuses("no commits please, I want to look at it first", "no commits please"));
        assert!(refuses("Noch nicht pushen, ich will erst drüberschauen", "no push"));
        assert!(
            Said::of("Noch nicht pushen, ich will erst drüberschauen")
                .refused
                .contains(&"no push".to_owned())
        );
        assert!(refuses("todavía no hagas push, primero revisa los tests", "no push"));
        assert!(!refuses("Fix it and run the tests", "tests"));
    }

    #[test]
    fn what_is_learned_says_no_more_than_the_forms_of_the_same() {
        let said = Said::of(
            "header test is red i think. running the entire suite takes half an hour so don't do that",
        );
        assert_eq!(said.forbidden, [Act::Suite]);
        let said = Said::of(
            "need a deep merge helper. please not lodash, its huge. some tiny package is ok",
        );
        assert!(!said.forbidden.contains(&Act::Depend));
    }
}
