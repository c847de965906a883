//! What a user asked for, told word by word.

/// Which patterns a user's message asks for, and which the agent's last question.
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
            for clause in sentence.replace(" but ", ",").split([',', ':', '(', ')']) {
                found.push(before_stop(clause));
            }
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
