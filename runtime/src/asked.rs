//! What a user asked for: in the message that began a turn, with a yes to what the agent offered before it, or in the
//! answer to a question that the agent asked with a tool. Of texts nothing is kept but which of the rules' patterns they
//! match. Knows no rules.

use behavior_image::Image;
use behavior_image::format::{PatternRecord, Section};

use crate::acts::acts;
use crate::answers::Answer;
use crate::antecedent::Antecedent;
use crate::blocks::without_blocks;
use crate::commands::COMMAND_PARAMS;
use crate::context::Params;
use crate::offer::offers;
use crate::other_languages::{Speaker, in_english};
use crate::own_plans::{waits_for_word, without_plans};
use crate::pasted::own_lines;
use crate::scheduled::{Scheduled, each_said, each_text};
use crate::sentences::{
    NEGATIONS, before_negation, clauses, forbids_list, is_item, sentences, wanted, without_quotes,
    without_reminders, without_reports,
};
use crate::value::ValueRef;
use crate::wishes::{places, wishes};

/// A longer text is looked at only so far, in bytes.
const MAX_TEXT: usize = 1 << 16;

/// A longer answer is more than a yes, in bytes.
const MAX_ASSENT: usize = 80;

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
];

/// What is a yes where no more than politeness stands behind it.
const ASSENTS: &[&str] = &[
    "y",
    "ok",
    "okay",
    "sure",
    "go for it",
    "do that",
    "do so",
    "let's do it",
    "let’s do it",
    "let's go",
    "let’s go",
    "sounds good",
    "sounds great",
    "looks good",
    "looks great",
    "look good",
    "all good",
    "works for me",
    "that works",
    "fine",
    "perfect",
    "great",
    "agreed",
    "confirm",
    "confirmed",
    "correct",
    "approve",
    "lgtm",
    "proceed",
    "continue",
    "go on",
    "👍",
    "absolutely",
    "of course",
    "好",
    "好的",
    "可以",
    "行",
    "嗯",
    "对",
    "继续",
    "可以的",
    "没问题",
    "はい",
    "お願いします",
    "네",
    "응",
];

/// What is a yes whatever else is said behind it.
const STRONG: &[&str] = &[
    "yes",
    "yep",
    "yeah",
    "yup",
    "go ahead",
    "do it",
    "please do",
    "approved",
    "ja",
    "mach das",
    "mach es",
    "oui",
    "vas-y",
    "sí",
    "hazlo",
    "dale",
    "adelante",
    "sim",
    "sì",
    "да",
    "давай",
    "是的",
];

/// Words that say nothing of their own behind a yes.
const POLITE: &[&str] = &[
    "please", "thanks", "thank", "you", "go", "ahead", "do", "it", "that", "this", "so", "yes",
    "ok", "sure", "good", "great", "looks", "sounds", "lgtm", "proceed", "continue", "to", "me",
    "all", "then", "now", "perfect", "fine",
];

/// Words that take back what sounds like a yes.
const REFUSALS: &[&str] = &[
    "cancel", "abort", "wait", "leave", "nope", "forget", "later", "myself", "risky", "actually",
    // One of what was offered.
    "second", "latter", "former", "option",
];

/// Which of the patterns that rules ask for the user's words match: their indexes in the image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Those that hold in this turn.
    pub asked: Vec<u32>,
    /// Those that match what the agent offered last.
    pub offered: Vec<u32>,
    /// What comes as the user's message and is the agent's own.
    pub scheduled: Scheduled,
    /// What the user wants away by its name in this turn: hashes of wishes, in order.
    pub named: Vec<u64>,
    /// Those that the agent offered last.
    pub offered_named: Vec<u64>,
}

impl Asked {
    /// Takes up the message that begins a turn; `None` where it is not known, or not a user's.
    pub fn begin_turn(&mut self, image: &Image, text: Option<&str>, fold: &mut String) {
        let offered = std::mem::take(&mut self.offered);
        let offered_named = std::mem::take(&mut self.offered_named);
        self.asked.clear();
        self.named.clear();
        let Some(text) = text.filter(|_| asks(image)) else { return };
        let Said { mut wanted, mut certain, mut refused } = Said::of(shortened(text));
        let said = wanted.len();
        wanted.retain(|clause| !self.scheduled.has(clause));
        certain.retain(|clause| !self.scheduled.has(clause));
        refused.retain(|clause| !self.scheduled.has(clause));
        self.named = wishes(&certain);
        self.named.extend(places(&wanted));
        let is_own = wanted.len() == said;
        wanted.append(&mut refused);
        self.asked = matching(image, &wanted, fold);
        if is_assent(text) && is_own && !self.scheduled.has(text) {
            self.asked.extend(offered);
            self.named.extend(offered_named);
        }
        self.asked.sort_unstable();
        self.asked.dedup();
        self.named.sort_unstable();
        self.named.dedup();
    }

    /// Takes up what of a call may be said to the agent later: all that it is given, where the tool is for that, and of
    /// a command line what it may say to an agent.
    pub fn agent_called(&mut self, is_said_later: bool, is_shell: bool, params: Params<'_>) {
        if is_said_later {
            params.for_each(|value| each_text(value, &mut |text| self.agent_scheduled(text)));
        }
        // Answers that the agent gives itself come back as the user's.
        if let Some(answers) = params.get("answers") {
            each_text(answers, &mut |text| self.agent_scheduled(text));
        }
        if is_shell
            && let Some(Some(ValueRef::Text(line))) = params.command_line(COMMAND_PARAMS[0], true)
        {
            each_said(line, &mut |text| self.agent_scheduled(text));
        }
    }

    /// Takes up a text that the agent has set up to be said to it later.
    fn agent_scheduled(&mut self, text: &str) {
        let text = shortened(text);
        self.scheduled.add(text);
        let Said { wanted, refused, .. } = Said::of(text);
        wanted.iter().chain(&refused).for_each(|clause| self.scheduled.add(clause));
    }

    /// Takes up what the agent writes: what it offers last may be answered with a yes.
    pub fn agent_wrote(&mut self, image: &Image, text: &str, fold: &mut String) {
        if !asks(image) {
            return;
        }
        let offers = offers(end_of(text));
        if !offers.is_empty() {
            self.offered = matching(image, &offers, fold);
            self.offered_named = wishes(&offers);
            self.offered_named.extend(places(&offers));
        }
    }

    /// Takes up the last message of a turn: what was offered before it is not on the table any more.
    pub fn agent_ended(&mut self, image: &Image, text: &str, fold: &mut String) {
        if !text.trim().is_empty() {
            self.offered.clear();
            self.offered_named.clear();
        }
        self.agent_wrote(image, text, fold);
    }

    /// Takes up what the user answered to a question of the agent: a yes stands for the question, and each other answer
    /// for itself.
    pub fn user_answered(&mut self, image: &Image, answers: &[Answer], fold: &mut String) {
        let mut wanted = Vec::new();
        let is_own = |answer: &&Answer| !self.scheduled.has(&answer.answer);
        for Answer { question, answer, .. } in answers.iter().filter(is_own) {
            wanted.extend(Said::of(answer).wanted);
            if is_assent(answer) {
                wanted.extend(offers(question));
            }
        }
        self.asked.extend(matching(image, &wanted, fold));
        self.asked.sort_unstable();
        self.asked.dedup();
        self.named.extend(wishes(&wanted));
        self.named.extend(places(&wanted));
        self.named.sort_unstable();
        self.named.dedup();
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

/// Whether some rule asks for the user's words.
pub(crate) fn asks(image: &Image) -> bool {
    image.program().asked_len > 0
}

/// The patterns that one of some clauses matches, or an act that one asks for: `^` stands for where either begins.
fn matching(image: &Image, clauses: &[String], fold: &mut String) -> Vec<u32> {
    let acts: Vec<Vec<String>> = clauses.iter().map(|clause| acts(clause)).collect();
    let mut is_met = |pattern: &u32| {
        let about = About::of(image, *pattern);
        clauses.iter().zip(&acts).any(|(clause, acts)| match (about, clause.starts_with(NO)) {
            (About::Refusals, true) | (About::Words, false) => {
                image.matches(*pattern, clause, fold)
            }
            (About::Acts, false) => acts.iter().any(|act| image.matches(*pattern, act, fold)),
            // What the user says no to is no wish, whatever a pattern lets stand before it.
            (About::Refusals, false) | (About::Acts | About::Words, true) => false,
        })
    };
    patterns(image).filter(|pattern| is_met(pattern)).collect()
}

/// What a pattern is about, as it begins.
#[derive(Clone, Copy)]
enum About {
    /// Words, wherever they stand in what is asked for.
    Words,
    /// Acts that are asked for: it says where they begin.
    Acts,
    /// What the user says no to: it begins with [`NO`].
    Refusals,
}

impl About {
    fn of(image: &Image, pattern: u32) -> Self {
        let view = image.view();
        let source = view.string(view.row::<PatternRecord>(Section::Patterns, pattern).source);
        match source.strip_prefix('^') {
            None => Self::Words,
            Some(rest) if rest.starts_with(NO) || rest.starts_with(r"no\s") => Self::Refusals,
            Some(_) => Self::Acts,
        }
    }
}

/// The end of a text that is too long to be looked at whole.
fn end_of(text: &str) -> &str {
    let mut from = text.len().saturating_sub(MAX_TEXT);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text.get(from..).unwrap_or_default()
}

fn shortened(text: &str) -> &str {
    let mut end = text.len().min(MAX_TEXT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

/// What a message says of what is to be done.
#[derive(Debug, Default)]
struct Said {
    /// The parts that ask for something to be done: no code, no quotes, no questions about it, and of each clause what
    /// stands before a negation.
    wanted: Vec<String>,
    /// Those of them that depend on nothing, and are not about what something else does.
    certain: Vec<String>,
    /// What is not to be done, or the user will do, each with [`NO`] before it.
    refused: Vec<String>,
}

/// What begins a part that says no, for patterns: nothing that is asked for begins so.
const NO: &str = "no ";

impl Said {
    fn of(text: &str) -> Self {
        // What is to be kept may be said behind what is to go.
        const SPARING: [&str; 5] = ["keep ", "but keep ", "leave ", "spare ", "not "];
        let mut said = Self::default();
        let (mut forbids, mut spares) = (false, false);
        let mut antecedent = Antecedent::default();
        for line in own_lines(&without_blocks(text)) {
            let plain = line.trim_start();
            forbids = forbids_list(line) || forbids && (is_item(line) || plain.is_empty());
            if forbids {
                said.refused.push(format!("{NO}{plain}"));
                continue;
            }
            for (sentence, end) in sentences(&in_english(&without_quotes(line), Speaker::User)) {
                let sentence = &antecedent.resolve(&without_reminders(without_reports(sentence)));
                let lower = sentence.trim_start().to_lowercase();
                let is_request = REQUESTS.iter().any(|request| lower.contains(request))
                    || asks_for_a_value(&lower);
                let may_ask = is_request || end != '?' && !explains(&lower);
                if may_ask && !waits_for_word(&lower) {
                    let before = said.wanted.len();
                    said.take(sentence);
                    if is_certain(&lower) {
                        said.certain
                            .extend_from_slice(said.wanted.get(before..).unwrap_or_default());
                    }
                    spares |= SPARING.iter().any(|word| lower.starts_with(word));
                }
            }
        }
        if spares {
            said.certain.clear();
        }
        said
    }

    fn take(&mut self, sentence: &str) {
        for clause in wanted(sentence) {
            let kept = without_plans(&clause);
            if kept.len() < clause.len() {
                self.refused.push(format!("{NO}{clause}"));
            }
            if !kept.is_empty() {
                self.wanted.push(kept);
            }
        }
        for clause in clauses(sentence) {
            let behind = clause.get(before_negation(clause).len()..).unwrap_or_default();
            if let Some((_, rest)) = behind.trim_start().split_once(char::is_whitespace) {
                self.refused.push(format!("{NO}{rest}"));
            }
        }
    }
}

/// Whether what a sentence asks for is to be done now, whatever comes: not "if it fails, delete x", and not "in CI, run x" or
/// "the script should run x".
fn is_certain(lower: &str) -> bool {
    const BEGINNINGS: [&str; 8] =
        ["if ", "when ", "whenever ", "in ", "the ", "unless ", "every ", "each "];
    const INNER: &[&str] = &[
        " so that ",
        " should ",
        " will ",
        " each ",
        " whenever ",
        " every time ",
        " tells ",
        // What is left of it then, nobody can tell.
        " except",
        " but ",
        " keep ",
        "keeping ",
        " leave ",
        "apart from",
        "other than",
        " unless ",
        " if ",
        " after ",
        "back up",
        "backup",
        "save ",
        "stash it",
        "stash them",
        "stash the changes",
        "stash my changes",
        "and stash",
        "then stash",
        "stash first",
        // Elsewhere, or in somebody else's words.
        " on the server",
        "ssh ",
        ": ",
    ];
    let is_for_you = ["if you ", "when you", "if possible"].iter().any(|it| lower.starts_with(it));
    let depends = BEGINNINGS.iter().any(|it| lower.starts_with(it)) && !is_for_you;
    // "The folder x can go" is about that folder, and depends on nothing.
    let is_passive = ["can go", "should go", "be deleted", "be removed", "gone"]
        .iter()
        .any(|end| lower.trim_end().ends_with(end));
    // Who has a copy need not make one.
    let rest = ["i have a backup", "i have backups", "we have a backup", "there is a backup"]
        .iter()
        .fold(lower.to_owned(), |rest, copy| rest.replace(copy, ""));
    // A command that is to be run may stand behind a colon, and what is to stay as it is is no part of it.
    let rest = ["execute: ", "run: ", "do: ", "command: ", "then: ", "and leave the rest"]
        .iter()
        .fold(rest, |rest, before| rest.replace(before, " "));
    (!depends || is_passive && lower.starts_with("the "))
        && !INNER.iter().any(|it| rest.contains(it) && !(is_passive && *it == " should "))
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

/// Whether a sentence asks for an explanation, and for nothing besides.
fn explains(lower: &str) -> bool {
    let first = lower.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    matches!(first, "explain" | "describe" | "why" | "how" | "what") && !lower.contains(" and ")
}

/// Whether a message says yes, and nothing that takes it back.
fn is_assent(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let words = || {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
        words.filter(|word| !word.is_empty())
    };
    let is_taken_back =
        || words().any(|word| NEGATIONS.contains(&word) || REFUSALS.contains(&word));
    let behind = |phrase: &&str| {
        let rest = text.strip_prefix(*phrase)?;
        rest.chars().next().is_none_or(|c| !c.is_alphanumeric()).then_some(rest)
    };
    // What may be mere politeness is a yes where nothing else is said.
    let is_polite = || {
        ASSENTS.iter().filter_map(behind).any(|rest| {
            let mut words =
                rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.all(|word| POLITE.contains(&word))
        })
    };
    let is_yes = || STRONG.iter().find_map(behind).is_some() || is_polite();
    text.len() <= MAX_ASSENT && !text.contains('?') && is_yes() && !is_taken_back()
}

#[cfg(test)]
mod tests {
    use super::{Said, is_assent};

    fn asks(text: &str, word: &str) -> bool {
        Said::of(text).wanted.iter().any(|clause| clause.to_lowercase().contains(word))
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
    fn what_is_not_to_be_done_is_kept_apart() {
        let refuses = |text: &str, word: &str| {
            Said::of(text).refused.iter().any(|clause| clause.to_lowercase().contains(word))
        };
        assert!(refuses("Do not run the tests.", "run the tests"));
        assert!(refuses("Fix it, I'll run the tests myself", "tests"));
        assert!(refuses("Don't:\n- push\n", "push"));
        assert!(!refuses("Fix it and run the tests", "tests"));
    }

    #[test]
    fn a_yes_is_short_and_has_no_but() {
        for yes in [
            "yes",
            "yes, and add a test",
            "Yes, go ahead",
            "ok!",
            "go ahead",
            "y",
            "Sure.",
            "Looks good!",
            "👍",
        ] {
            assert!(is_assent(yes), "{yes}");
        }
        let others = [
            "yesterday",
            "yes, but do not push",
            "ok?",
            "no",
            "",
            "ok cancel that",
            "fine, leave it",
            "ok, I'll push it myself",
            "great, but wait",
            "ok\nrun the tests",
            "yes: first of all I want you to look at everything that is wrong here and then come back",
        ];
        for other in others {
            assert!(!is_assent(other), "{other}");
        }
    }
}
