//! What an agent offers to do at the end of a text, so that a yes can stand for it. Knows no rules.
//!
//! A question that names what it asks about offers just that ("Shall I push it?"). One that names nothing ("Should I
//! proceed?") offers what was announced right before it. Without a question it is the invitation that counts
//! ("Say `go` and I will merge it").

use super::other_languages::{self, Speaker};
use super::sentences::{is_item, sentences, wanted};
use crate::fences::Fences;

/// Of a text with more lines only the last are looked at.
const MAX_LINES: usize = 400;

/// So many paragraphs before a question may say what it is about.
const MAX_PARAGRAPHS_BACK: usize = 2;

/// The words of a question that names nothing.
const EMPTY_WORDS: &[&str] = &[
    "should",
    "shall",
    "i",
    "we",
    "can",
    "may",
    "do",
    "you",
    "want",
    "me",
    "to",
    "would",
    "like",
    "proceed",
    "continue",
    "go",
    "ahead",
    "with",
    "this",
    "that",
    "it",
    "these",
    "the",
    "plan",
    "change",
    "changes",
    "step",
    "steps",
    "now",
    "ok",
    "okay",
    "ready",
    "sound",
    "sounds",
    "look",
    "looks",
    "good",
    "right",
    "is",
    "are",
    "all",
    "alright",
    "confirm",
    "approve",
    "approved",
    "and",
    "so",
    "please",
    "them",
    "everything",
    "execute",
    "for",
    "start",
    "begin",
    "your",
    "does",
    "if",
    "as",
    "described",
    "above",
    "yes",
    "or",
    "no",
    "fine",
    "correct",
];

/// What says that somebody means to do something.
const ANNOUNCEMENTS: &[&str] = &[
    "i will",
    "i'll",
    "i’ll",
    "i can",
    "i would",
    "i'd",
    "i’d",
    "i am going to",
    "i'm going to",
    "i’m going to",
    "we will",
    "we'll",
    "we can",
    "next step",
    "ready to",
    "plan to",
    "let me",
    "want me to",
    "happy to",
];

/// What invites an answer without asking.
const INVITATIONS: &[&str] = &[
    "let me know",
    "say ",
    "reply",
    "respond with",
    "tell me",
    "if you want",
    "if you'd like",
    "if you’d like",
    "if you like",
    "if you would like",
    "want me to",
    "once you",
    "when you",
    "as soon as you",
    "confirm",
    "your approval",
    "your go",
    "go-ahead",
    "waiting for",
    "awaiting",
    "give me the",
    "just ask",
    "happy to",
];

/// What a text offers: the clauses that a yes stands for.
pub(crate) fn offers(text: &str) -> Vec<String> {
    let english = in_english(text);
    let paragraphs = paragraphs(&english);
    let invitation = paragraphs.last().filter(|last| invites(last)).map(|last| announced(last));
    match last_question(&paragraphs) {
        // What comes last is what is answered.
        Some((at, _)) if at + 1 < paragraphs.len() && invitation.is_some() => {
            invitation.unwrap_or_default()
        }
        Some((at, question)) if is_empty_question(&question) => {
            let from = at.saturating_sub(MAX_PARAGRAPHS_BACK);
            let before = paragraphs.get(from..=at).unwrap_or_default();
            before.iter().flat_map(|paragraph| announced(paragraph)).collect()
        }
        Some((_, question)) => wanted(&question),
        None => invitation.unwrap_or_default(),
    }
}

/// A text whose lines say in English what they offer.
fn in_english(text: &str) -> String {
    let lines = text.lines().map(|line| other_languages::in_english(line, Speaker::Agent));
    lines.fold(String::with_capacity(text.len()), |text, line| text + &line + "\n")
}

/// The paragraphs of a text: the lines of each, without blocks of code.
fn paragraphs(text: &str) -> Vec<Vec<&str>> {
    let lines: Vec<&str> = text.lines().collect();
    let mut paragraphs = vec![Vec::new()];
    let mut fences = Fences::default();
    for line in lines.get(lines.len().saturating_sub(MAX_LINES)..).unwrap_or_default() {
        let plain = line.trim();
        // What is quoted is somebody else's words.
        if !fences.is_outside(line) || plain.starts_with('>') {
            continue;
        }
        match paragraphs.last_mut() {
            Some(last) if !plain.is_empty() => last.push(plain),
            _ => paragraphs.push(Vec::new()),
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

/// The last question, and the paragraph that it stands in.
fn last_question(paragraphs: &[Vec<&str>]) -> Option<(usize, String)> {
    let of_line = |line: &str| {
        let question = sentences(line).filter(|(_, end)| *end == '?').last();
        question.map(|(question, _)| question.to_owned())
    };
    paragraphs.iter().enumerate().rev().find_map(|(at, paragraph)| {
        let question = paragraph.iter().rev().find_map(|line| of_line(line))?;
        Some((at, question))
    })
}

/// Whether a question names nothing that it asks for.
fn is_empty_question(question: &str) -> bool {
    let lower = question.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.into_iter().all(|word| EMPTY_WORDS.contains(&word))
}

fn invites(paragraph: &[&str]) -> bool {
    paragraph.iter().any(|line| has_one_of(line, INVITATIONS))
}

/// What a paragraph says that will be done: the items of a list, and sentences that announce or invite.
fn announced(paragraph: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for line in paragraph {
        for (sentence, end) in sentences(line) {
            let announces =
                has_one_of(sentence, ANNOUNCEMENTS) || has_one_of(sentence, INVITATIONS);
            if end != '?' && (announces || is_item(line)) {
                found.extend(wanted(sentence));
            }
        }
    }
    found
}

fn has_one_of(text: &str, phrases: &[&str]) -> bool {
    let lower = text.to_lowercase();
    phrases.iter().any(|phrase| lower.contains(phrase))
}

#[cfg(test)]
mod tests {
    use super::offers;

    fn offers_push(text: &str) -> bool {
        offers(text).iter().any(|clause| clause.to_lowercase().contains("push"))
    }

    #[test]
    fn a_question_that_names_something_offers_just_that() {
        assert!(offers_push("Is it red? I fixed it.\nShall I push it to main? Tell me."));
        assert!(!offers_push("I looked at how pushes work. Should I run the tests?"));
        assert!(!offers_push("I will push it later.\n\nShould I run the tests first?"));
        assert!(offers_push("Fertig. Soll ich das auf main pushen?"));
        assert!(offers_push("Terminé. Voulez-vous que je pousse sur main ?"));
        assert!(offers_push("完成了。要不要推送到 main？"));
        assert!(!offers_push("Soll ich die Tests laufen lassen? Ich werde noch nicht pushen."));
        assert!(!offers_push("Shall I commit it without pushing?"));
        assert!(!offers_push("Done."));
    }

    #[test]
    fn a_question_that_names_nothing_offers_what_was_announced() {
        assert!(offers_push("I will commit this and push to main. Should I proceed?"));
        assert!(offers_push("Next:\n\n1. commit\n2. push to main\n\nShall I go ahead?"));
        assert!(offers_push("I'll push the tag.\n\nOK?"));
        assert!(!offers_push("I pushed it an hour ago. OK?"));
        assert!(!offers_push("I will not push. Should I proceed?"));
        assert!(!offers_push("I will push.\n\nA.\n\nB.\n\nC.\n\nShould I proceed?"));
    }

    #[test]
    fn an_invitation_offers_what_it_says() {
        assert!(offers_push("Tests pass.\n\nIf you want, I can push this to main."));
        assert!(offers_push("Reply `go` and I'll push it."));
        assert!(offers_push("Is it red?\n\nReply **go** to commit and push."));
        assert!(!offers_push("I pushed it. Let me know if something is missing."));
        assert!(!offers_push(
            "I can push this to main.\n\nLet me know what you think of the colour."
        ));
        assert!(!offers_push("```\nif you want, I can push\n```"));
    }
}
