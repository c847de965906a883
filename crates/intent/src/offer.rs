//! What an agent offers to do at the end of a text, so that a yes can stand for it. Knows no rules.
//!
//! A question that names what it asks about offers just that ("Shall I push it?"). One that names nothing ("Should I
//! proceed?") offers what was announced right before it. Without a question it is the invitation that counts
//! ("Say `go` and I will merge it").

use super::antecedent::{Antecedent, path};
use super::other_languages::{self, Speaker};
use super::sentences::{is_item, sentences, wanted};
use crate::fences::lines_outside;

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
    "run",
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
    "it needs ",
    "this needs ",
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
pub fn offers(text: &str) -> Vec<String> {
    // What the answer shall be is no part of what is offered.
    let text = replies(text).into_iter().fold(text.to_owned(), |text, reply| {
        ['"', '`', '\'']
            .iter()
            .fold(text, |text, quote| text.replace(&format!("{quote}{reply}{quote}"), ""))
    });
    let english = in_english(&text);
    let paragraphs = paragraphs(&english);
    let invitation = paragraphs.last().filter(|last| invites(last)).map(|last| announced(last));
    let meant = meant_before(&paragraphs);
    let mut offers = match last_question(&paragraphs) {
        // What comes last is what is answered.
        Some((at, _)) if at + 1 < paragraphs.len() && invitation.is_some() => {
            invitation.unwrap_or_default()
        }
        Some((at, question)) if is_empty_question(&question) => {
            let from = at.saturating_sub(MAX_PARAGRAPHS_BACK);
            let before = paragraphs.get(from..=at).unwrap_or_default();
            let mut offers: Vec<String> =
                before.iter().flat_map(|paragraph| announced(paragraph)).collect();
            // "It takes `git push --force`. Should I?"
            offers.extend(paragraphs.get(at).and_then(|paragraph| shown_command(paragraph)));
            offers
        }
        Some((at, question)) => {
            let before = paragraphs.get(..=at).unwrap_or_default();
            wanted(&resolved(before, &question))
        }
        None => {
            let shown = paragraphs.last().and_then(|paragraph| shown_command(paragraph));
            let mut offers = invitation
                .unwrap_or_else(|| paragraphs.last().map_or_else(Vec::new, |last| ability(last)));
            // "The command is `fly deploy`. Say go and I start it."
            let is_about_it = offers.iter().any(|offer| offer.ends_with(" it"));
            offers.extend(shown.filter(|_| is_about_it));
            offers
        }
    };
    offers.extend(meant);
    if last_question(&paragraphs).is_some_and(|(_, question)| asks_to_proceed(&question)) {
        offers.extend(shown_lines(&text));
    }
    if let Some(draft) = draft(&paragraphs).filter(|_| offers.iter().any(|offer| makes_it(offer))) {
        offers.push(format!("create the {draft}"));
    }
    offers
}

/// A question with what its pronoun stands for, which the sentences before it name: "docs/old is unused. Delete it?"
fn resolved(paragraphs: &[Vec<&str>], question: &str) -> String {
    let mut antecedent = Antecedent::default();
    let lines = paragraphs.iter().rev().take(2).rev().flatten();
    for (sentence, _) in lines.flat_map(|line| sentences(line)) {
        if sentence == question {
            break;
        }
        antecedent.resolve(sentence);
    }
    antecedent.resolve(question)
}

/// What a last question means that speaks of files without naming them, as the sentence before does: "3 are left in src/a.rs. Want
/// me to fix those, too?"
fn meant_before(paragraphs: &[Vec<&str>]) -> Vec<String> {
    const MEANING: &[&str] = &["it", "them", "those", "these", "this", "that", "one", "both"];
    const MAX_NAMED: usize = 4;
    let Some((at, question)) = last_question(paragraphs) else { return Vec::new() };
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|sign: char| !sign.is_alphanumeric() && sign != '\'' && sign != '’');
        words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let own = words(&question);
    let names = |text: &str| -> Vec<String> { text.split_whitespace().filter_map(path).collect() };
    let is_pronoun = |at: usize| own.get(at).is_some_and(|word| MEANING.contains(&word.as_str()));
    // "Want me to fix those, too?"
    let changes_it = own.iter().enumerate().any(|(at, word)| {
        CHANGING.contains(&word.as_str()) && (is_pronoun(at + 1) || is_pronoun(at + 2))
    });
    let is_empty = is_empty_question(&question);
    if !(changes_it || is_empty) || !names(&question).is_empty() {
        return Vec::new();
    }
    let lines = paragraphs.get(at.saturating_sub(1)..=at).unwrap_or_default().iter().flatten();
    let said: Vec<&str> = lines.flat_map(|line| sentences(line)).map(|(said, _)| said).collect();
    let place = said.iter().rposition(|said| *said == question);
    let before = place.and_then(|place| place.checked_sub(1)).and_then(|place| said.get(place));
    let is_meant = |before: &&&str| {
        let words = words(before);
        let changes = || words.iter().any(|word| CHANGING.contains(&word.as_str()));
        tells_of_open_work(&words) && (changes_it || changes())
    };
    let Some(before) = before.filter(is_meant) else { return Vec::new() };
    let named = names(before);
    match named.len() <= MAX_NAMED {
        true => named.into_iter().map(|path| format!("change {path}")).collect(),
        false => Vec::new(),
    }
}

/// Verbs that change files, and their nouns.
const CHANGING: &[&str] = &[
    "fix", "change", "changes", "changed", "changing", "update", "edit", "edits", "editing",
    "adjust", "modify", "touch", "rewrite", "refactor", "correct", "address", "tackle", "convert",
    "migrate", "rename", "replace", "patch", "do",
];

/// Whether words tell of what is still to be done, and not of what was done, or stays as it is.
fn tells_of_open_work(words: &[String]) -> bool {
    const OPEN: &[&str] = &[
        "remain",
        "remains",
        "remaining",
        "need",
        "needs",
        "require",
        "requires",
        "have",
        "would",
        "could",
        "should",
        "must",
        "still",
        "also",
        "mention",
        "mentions",
        "use",
        "uses",
        "contain",
        "contains",
        "missing",
        "wrong",
        "broken",
        "outdated",
        "stale",
        "i'd",
        "i’d",
    ];
    const KEPT: &[&str] = &[
        "alone",
        "untouched",
        "unchanged",
        "kept",
        "keep",
        "leave",
        "left",
        "leaving",
        "skipped",
        "without",
        "only",
        "not",
        "didn't",
        "didn’t",
        "never",
        "no",
        "nothing",
        "reverted",
        "restored",
        "except",
        "stay",
        "stays",
        "stayed",
        "intact",
    ];
    let says = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    // "It remains as it is."
    let behind_as = words.iter().zip(words.iter().skip(1)).filter(|(word, _)| *word == "as");
    let is_as_before = behind_as
        .map(|(_, next)| next.as_str())
        .any(|next| matches!(next, "it" | "is" | "they" | "before"));
    says(OPEN) && !says(KEPT) && !is_as_before
}

/// What the last sentence of a paragraph says that can be done: "I can fast-forward it and push to main."
fn ability(paragraph: &[&str]) -> Vec<String> {
    let last = paragraph.last().and_then(|line| sentences(line).last());
    let Some((sentence, _)) = last else { return Vec::new() };
    let lower = sentence.trim_start().to_lowercase();
    match ["i can ", "i could "].iter().any(|begin| lower.starts_with(begin)) {
        true => wanted(sentence),
        false => Vec::new(),
    }
}

/// Whether a question asks whether to go on with what was shown, whatever else it names.
fn asks_to_proceed(question: &str) -> bool {
    const ASKING: &[&str] = &[
        "should i proceed",
        "shall i proceed",
        "may i proceed",
        "ok to proceed",
        "okay to proceed",
        "ready to proceed",
        "should i go ahead",
        "shall i go ahead",
        "should i run th",
        "shall i run th",
        "want me to run th",
        "do these steps",
        "execute th",
    ];
    let lower = question.to_lowercase();
    is_empty_question(question) || ASKING.iter().any(|asking| lower.contains(asking))
}

/// The command lines that a text shows in blocks of a shell.
fn shown_lines(text: &str) -> Vec<String> {
    const SHELLS: &[&str] = &["", "bash", "sh", "shell", "zsh", "console"];
    const MAX_SHOWN: usize = 32;
    /// What stands further up was asked about before, or done.
    const MAX_BACK: usize = 60;
    let mut found = Vec::new();
    let mut is_shown = None;
    let lines: Vec<&str> = text.lines().collect();
    for line in lines.get(lines.len().saturating_sub(MAX_BACK)..).unwrap_or_default() {
        let plain = line.trim();
        if let Some(language) = plain.strip_prefix("```") {
            is_shown = match is_shown {
                None => Some(SHELLS.contains(&language.trim())),
                Some(_) => None,
            };
            continue;
        }
        let command = plain.strip_prefix("$ ").unwrap_or(plain);
        let is_command = command.contains(' ') && !command.starts_with('#');
        if is_shown == Some(true) && is_command && found.len() < MAX_SHOWN {
            found.push(command.to_owned());
        }
    }
    found
}

/// The only command that a paragraph shows between backticks.
fn shown_command(paragraph: &[&str]) -> Option<String> {
    let whole = paragraph.join(" ");
    let mut shown = whole.split('`').skip(1).step_by(2).filter(|part| part.contains(' '));
    let (command, None) = (shown.next()?, shown.next()) else { return None };
    Some(command.to_owned())
}

/// What a text shows as a draft, so that who says yes to "create" wants that: "**Draft PR, waiting for approval**".
fn draft(paragraphs: &[Vec<&str>]) -> Option<&'static str> {
    const KINDS: &[(&str, &str)] = &[
        ("pr", "pr"),
        ("pull", "pr"),
        ("mr", "pr"),
        ("merge", "pr"),
        ("issue", "issue"),
        ("comment", "comment"),
        ("release", "release"),
        ("tag", "tag"),
    ];
    let of_line = |line: &&str| {
        let words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let words: Vec<String> = words.take(3).map(str::to_lowercase).collect();
        let (first, rest) = words.split_first()?;
        let is_draft =
            matches!(first.as_str(), "draft" | "drafted" | "proposed" | "proposal" | "suggested");
        let kind =
            |word: &String| KINDS.iter().find(|(name, _)| name == word).map(|(_, kind)| *kind);
        rest.iter().find_map(kind).filter(|_| is_draft)
    };
    paragraphs.iter().filter_map(|paragraph| paragraph.first()).find_map(of_line)
}

/// Whether what is offered is to make something, and does not say what.
fn makes_it(offer: &str) -> bool {
    const MAKING: &[&str] = &["create", "open", "file", "submit", "post", "publish"];
    let words: Vec<String> = offer.split_whitespace().map(str::to_lowercase).collect();
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1).map_or("", String::as_str);
        MAKING.contains(&word.as_str()) && matches!(next, "" | "it" | "and" | "this" | "them")
    })
}

/// What a text asks to be answered with: "Reply `file it` to create it".
pub fn replies(text: &str) -> Vec<String> {
    const ASKING: &[&str] = &["reply", "say", "type", "answer", "respond", "enter", "write"];
    const MAX_WORDS: usize = 4;
    let paragraphs = paragraphs(text);
    let Some(last) = paragraphs.last() else { return Vec::new() };
    let mut found = Vec::new();
    for line in last {
        let parts: Vec<&str> = line.split(['"', '`', '“', '”', '\'']).collect();
        for pair in parts.windows(2) {
            let [before, quoted] = pair else { continue };
            let before: Vec<String> = before.split_whitespace().map(str::to_lowercase).collect();
            let mut asking = before.iter().rev().map(|word| word.trim_matches('*'));
            let mut asking = asking
                .by_ref()
                .skip_while(|word| word.is_empty() || matches!(*word, "with" | "or" | "just"));
            let is_asked = asking.next().is_some_and(|word| ASKING.contains(&word));
            if is_asked && (1..=MAX_WORDS).contains(&quoted.split_whitespace().count()) {
                found.push((*quoted).to_owned());
            }
        }
    }
    found
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
    let last = lines.get(lines.len().saturating_sub(MAX_LINES)..).unwrap_or_default();
    for line in lines_outside(last).into_iter().flatten() {
        let plain = line.trim();
        // What is quoted is somebody else's words.
        if plain.starts_with('>') {
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
    use super::{offers, replies};

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
    fn what_a_question_stands_for_is_named_before_it() {
        let is = |text: &str, offer: &str| {
            assert!(offers(text).iter().any(|own| own == offer), "{text}");
        };
        is("docs/old is unused. Shall I delete it?", "Shall I delete docs/old");
        is("It needs `git push --force`. Should I run it?", "git push --force");
        assert!(offers("I ran `git push --force` and `git log -1`. Should I?").is_empty());
    }

    #[test]
    fn what_is_shown_is_offered_by_who_asks_to_proceed() {
        let shown =
            "The steps:\n\n```bash\n# release\ngit tag v1.0.0\ngit push origin main\n```\n\n";
        let asks = |question: &str| offers(&format!("{shown}{question}"));
        let commands = ["git tag v1.0.0".to_owned(), "git push origin main".to_owned()];
        let has_all = |offers: Vec<String>| commands.iter().all(|command| offers.contains(command));
        assert!(has_all(asks("Should I proceed with committing and tagging?")));
        assert!(has_all(asks("OK?")));
        assert!(!offers_push(&format!("{shown}Should I write the release notes first?")));
        assert!(!offers_push(
            "It says:\n\n```json\n{ \"git\": \"push it\" }\n```\n\nShould I proceed?"
        ));
    }

    #[test]
    fn an_invitation_offers_what_it_says() {
        assert!(offers_push("Tests pass.\n\nIf you want, I can push this to main."));
        assert!(offers_push("Reply `go` and I'll push it."));
        assert!(offers_push("Is it red?\n\nReply **go** to commit and push."));
        assert!(offers_push("main is behind. I can fast-forward it and push to origin main."));
        assert!(offers_push("It has diverged, so it needs a force push. Shall I do it?"));
        assert!(!offers_push("I pushed it. Let me know if something is missing."));
        assert!(!offers_push(
            "I can push this to main.\n\nLet me know what you think of the colour."
        ));
        assert!(!offers_push("```\nif you want, I can push\n```"));
    }

    #[test]
    fn who_shows_a_draft_offers_to_make_it() {
        let offers_request = |text: &str| offers(text).iter().any(|offer| offer == "create the pr");
        let nested = "```md\n## A\n```sh\nls\n```\n```\n";
        assert!(offers_request(&format!(
            "**Draft PR (waiting)**\n\n{nested}\nReply **\"file it\"** to create and merge."
        )));
        assert!(offers_request("Proposed pull request:\n\nTitle: a\n\nShall I open it?"));
        assert!(!offers_request("Draft PR description is below.\n\nShall I run the tests?"));
        assert!(!offers_request("I looked at the PR.\n\nShall I create it?"));
        assert_eq!(replies("Done.\n\nReply **\"file it\"** to create it."), ["file it"]);
        assert_eq!(replies("Say `go` and I push."), ["go"]);
        assert!(replies("The log says `push` twice.").is_empty());
        assert!(replies("Reply `go`.\n\nThat is all.").is_empty());
    }
}
