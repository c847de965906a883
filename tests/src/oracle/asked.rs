//! What a user asked for, told word by word.

use super::world::World;

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
    for line in own(text) {
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

/// The lines that are not pasted: random texts have quotes over lines, blocks by their indentation, and one word with
/// which programs begin lines.
fn own(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let is_odd = |line: &str| {
        let signs: Vec<char> = line.chars().collect();
        let is_inch = |at: usize| at > 0 && signs[at - 1].is_ascii_digit();
        (0..signs.len()).filter(|at| signs[*at] == '"' && !is_inch(*at)).count() % 2 == 1
    };
    let mut quoted = Vec::new();
    for at in 0..lines.len() {
        if is_odd(lines[at]) && !quoted.contains(&at) {
            let end = (at + 1..lines.len().min(at + 61)).find(|end| is_odd(lines[*end]));
            quoted.extend(end.into_iter().flat_map(|end| at..=end));
        }
    }
    let mut kept = Vec::new();
    let (mut in_list, mut in_block) = (false, false);
    for (at, line) in lines.iter().enumerate() {
        let (plain, indented) = (line.trim_start(), line.starts_with("    "));
        let before = if at == 0 { "" } else { lines[at - 1].trim() };
        let opens = before.is_empty() || before.ends_with(':');
        in_block = match plain.is_empty() {
            true => in_block,
            false => indented && !in_list && (in_block || opens),
        };
        let is_item = plain.starts_with("- ");
        in_list = if plain.is_empty() { in_list } else { is_item || in_list && indented };
        let printed = plain.to_ascii_lowercase().starts_with("warning: ");
        if !in_block && !quoted.contains(&at) && !printed {
            kept.push(*line);
        }
    }
    kept
}

/// Whether one of some clauses asks for what a pattern says: one that begins with `^` is about acts.
pub(super) fn some_meets(world: &World<'_>, pattern: u32, clauses: &[String]) -> bool {
    let is_of_acts = world.program.patterns[pattern as usize].source.starts_with('^');
    clauses.iter().any(|clause| match is_of_acts {
        true => acts(clause).iter().any(|act| world.matches(pattern, act)),
        false => world.matches(pattern, clause),
    })
}

/// Where a clause begins to ask for an act: of the words that may stand before one, random texts have few.
fn acts(clause: &str) -> Vec<String> {
    let words: Vec<&str> = clause.split_whitespace().collect();
    let plain = |at: usize| {
        let word = words.get(at).copied().unwrap_or_default();
        word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
    };
    let may_lead = |at: usize| {
        let word = plain(at);
        let is_number = !word.is_empty() && word.chars().all(|c| c.is_ascii_digit());
        is_number
            || words.get(at) == Some(&"-")
            || ["yes", "i", "will", "say", "please", "maybe"].contains(&&*word)
    };
    let behind = |from: usize| (from..).find(|at| !may_lead(*at)).unwrap_or(from);
    let first = behind(0);
    let joined = (0..words.len()).filter(|at| plain(*at) == "please" && at + 1 >= first);
    let mut starts: Vec<usize> = joined.map(|at| behind(at + 1)).chain([first]).collect();
    starts.sort_unstable();
    starts.dedup();
    starts.retain(|at| *at < words.len());
    starts.into_iter().map(|at| words[at..].join(" ").replace(['"', '*', '`'], "")).collect()
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
