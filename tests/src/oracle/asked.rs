//! What a user asked for, told word by word.

/// Which patterns a user's message asks for, and which the agent's last offer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Asked {
    pub asked: Vec<u32>,
    pub offered: Vec<u32>,
}

const STOPS: &str = " not don't dont don’t doesn't doesn’t never without no avoid stop instead rather cannot can't \
    can’t shouldn't shouldn’t won't won’t before until unless nicht kein keine ";

/// The texts of a message that ask for something.
pub(super) fn wanted(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut fenced = false;
    for line in text.split('\n') {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        if fenced || line.trim_start().starts_with('>') {
            continue;
        }
        for (sentence, is_question) in sentences(&unquoted(line)) {
            let lower = sentence.to_lowercase();
            let polite = [
                "can you",
                "could you",
                "would you",
                "will you",
                "please",
                "can we",
                "could we",
                "mind ",
            ];
            if is_question && !polite.iter().any(|request| lower.contains(request)) {
                continue;
            }
            found.extend(clauses(&sentence));
        }
    }
    found.into_iter().filter(|clause| !clause.trim().is_empty()).collect()
}

fn unquoted(line: &str) -> String {
    let parts: Vec<&str> = line.split('"').collect();
    // Random texts have no other quotes.
    match parts.len() % 2 {
        1 => parts.into_iter().step_by(2).collect(),
        _ => line.to_owned(),
    }
}

/// The sentences of a line, and whether each is a question.
pub(super) fn sentences(line: &str) -> Vec<(String, bool)> {
    let signs: Vec<char> = line.chars().collect();
    let (mut found, mut sentence) = (Vec::new(), String::new());
    for (at, sign) in signs.iter().enumerate() {
        let ends = signs.get(at + 1).is_none_or(|next| next.is_whitespace());
        if ends && ['?', '!', ';', '.'].contains(sign) {
            found.push((std::mem::take(&mut sentence), *sign == '?'));
        } else {
            sentence.push(*sign);
        }
    }
    found.push((sentence, false));
    found
}

fn before_stop(clause: &str) -> String {
    let mut kept = String::new();
    let mut word = String::new();
    for sign in clause.chars().chain(['\n']) {
        word.push(sign);
        if !sign.is_whitespace() {
            continue;
        }
        let plain = word.trim().to_lowercase();
        if !plain.is_empty() && STOPS.contains(&format!(" {plain} ")) {
            return kept;
        }
        kept += &std::mem::take(&mut word);
    }
    clause.to_owned()
}

/// Whether a message is a yes and nothing more.
pub(super) fn is_yes(text: &str) -> bool {
    let text = text.trim().to_lowercase();
    let begins = |word: &&str| {
        text.strip_prefix(*word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    let refuses =
        words.into_iter().any(|word| STOPS.contains(&format!(" {word} ")) && !word.is_empty());
    // Of all that begins a yes, random texts have this.
    text.len() <= 80 && !text.contains('?') && ["yes"].iter().any(begins) && !refuses
}

/// What an agent offers, of which random texts have few forms.
pub(super) fn offers(text: &str) -> Vec<String> {
    let mut paragraphs: Vec<Vec<String>> = Vec::new();
    let mut ended = true;
    for line in text.split('\n').map(str::trim) {
        if line.is_empty() {
            ended = true;
            continue;
        }
        if std::mem::take(&mut ended) {
            paragraphs.push(Vec::new());
        }
        paragraphs.last_mut().expect("one was begun").push(line.to_owned());
    }
    let questions = |paragraph: &Vec<String>| -> Vec<String> {
        let all = paragraph.iter().flat_map(|line| sentences(line));
        all.filter(|(_, is_question)| *is_question).map(|(sentence, _)| sentence).collect()
    };
    let asking = paragraphs.iter().rposition(|paragraph| !questions(paragraph).is_empty());
    let invites = |line: &String| line.to_lowercase().contains("say ");
    let last = paragraphs.last().filter(|last| last.iter().any(invites));
    let asking = match (asking, last) {
        (Some(asking), Some(last)) if asking + 1 < paragraphs.len() => return announced(last),
        (Some(asking), _) => asking,
        (None, last) => return last.map(announced).unwrap_or_default(),
    };
    let question = questions(&paragraphs[asking]).pop().expect("it has one");
    let words = question.to_lowercase();
    let mut words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    if words.all(|word| ["i", "yes", "proceed"].contains(&word)) {
        paragraphs[asking.saturating_sub(2)..=asking].iter().flat_map(announced).collect()
    } else {
        clauses(&question)
    }
}

fn announced(paragraph: &Vec<String>) -> Vec<String> {
    let mut found = Vec::new();
    for line in paragraph {
        for (sentence, is_question) in sentences(line) {
            let lower = sentence.to_lowercase();
            let announces =
                line.starts_with("- ") || ["i will", "say "].iter().any(|w| lower.contains(w));
            if announces && !is_question {
                found.extend(clauses(&sentence));
            }
        }
    }
    found
}

fn clauses(sentence: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in sentence.replace(" but ", ",").split([',', ':', '(', ')']) {
        let kept = before_stop(part);
        if !kept.trim().is_empty() {
            found.push(kept.trim().to_owned());
        }
        // A word that says no and has nothing behind it is about what follows.
        let words = part.split_whitespace().count();
        if kept.len() < part.len() && words == kept.split_whitespace().count() + 1 {
            break;
        }
    }
    found
}
