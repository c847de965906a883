//! Commands with `*` in them, as Claude Code and OpenCode write them, as command patterns of ours. There a
//! `*` is any text; here it is any words, or a part of one.

use behavior_compiler::source::Span;

use super::action::Action;
use super::command::{self, PatternError, Programs, Tail, WILD};
use super::imported::Import;

/// How many patterns one rule may become.
const MAX_FORMS: usize = 16;

/// The command patterns of a line whose wildcards are [`WILD`]. `rule` is what people are told of.
///
/// # Errors
/// Why there are none.
pub(super) fn patterns(
    import: &mut Import,
    programs: &Programs,
    (line, tail): (&str, Tail),
    (rule, span): (&str, Span),
    action: Action,
) -> Result<Vec<String>, PatternError> {
    let words = command::words(line)?;
    if action == Action::Allow {
        for near in programs.allowance(&words)? {
            import.near(span, format!("`{rule}`: {near}"));
        }
    }
    let mut patterns = Vec::new();
    for words in spelled_out(programs, &words, action)? {
        let mut parts = Parts { out: Vec::new(), near: None, action };
        let last = words.len().saturating_sub(1);
        for (index, word) in words.iter().enumerate() {
            parts.word(word, index == 0, index == last)?;
        }
        if tail == Tail::Words {
            parts.out.push("*".to_owned());
        }
        if let Some(near) = parts.near {
            import.near(span, format!("`{rule}`: {near}"));
        }
        patterns.push(command::fitting(format!("bash({})", parts.out.join(" ")))?);
    }
    patterns.dedup();
    Ok(patterns)
}

/// The commands that words with wildcards stand for, where what stops calls must miss none: a `*` within
/// a word also stands for several words, and one behind a flag for each flag that begins so.
fn spelled_out(
    programs: &Programs,
    words: &[String],
    action: Action,
) -> Result<Vec<Vec<String>>, PatternError> {
    if action == Action::Allow {
        return Ok(vec![words.to_vec()]);
    }
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    for (index, word) in words.iter().enumerate() {
        let forms = match word.strip_suffix(WILD) {
            _ if !word.trim_matches(WILD).contains(WILD) && !word.starts_with('-') => {
                vec![vec![word.clone()]]
            }
            Some(stem) if word.starts_with("--") && !stem.contains([WILD, '=']) => {
                let known = programs.flags(words, stem);
                if known.is_empty() {
                    return Err(PatternError::FlagPattern);
                }
                known.into_iter().map(|flag| vec![flag, WILD.to_string()]).collect()
            }
            _ if word.starts_with('-') => vec![vec![word.clone()]],
            _ if index == 0 => vec![vec![word.clone()]],
            _ => vec![vec![word.clone()], over_words(word)],
        };
        if all.len() * forms.len() > MAX_FORMS {
            return Err(PatternError::TooLong);
        }
        let longer = |known: &Vec<String>| {
            let known = known.clone();
            forms.iter().map(move |form| [known.clone(), form.clone()].concat()).collect()
        };
        all = all.iter().flat_map::<Vec<_>, _>(longer).collect();
    }
    Ok(all)
}

/// A word with wildcards in it, as several words.
fn over_words(word: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut pieces = word.split(WILD).peekable();
    while let Some(piece) = pieces.next() {
        let (is_first, is_last) = (words.is_empty(), pieces.peek().is_none());
        let start = if is_first { String::new() } else { WILD.to_string() };
        let end = if is_last { String::new() } else { WILD.to_string() };
        words.push(format!("{start}{piece}{end}"));
        if !is_last {
            words.push(WILD.to_string());
        }
    }
    words
}

/// The words of a command pattern, as they are made.
struct Parts {
    out: Vec<String>,
    /// What is different here, if anything.
    near: Option<&'static str>,
    action: Action,
}

impl Parts {
    fn word(&mut self, word: &str, is_first: bool, is_last: bool) -> Result<(), PatternError> {
        let wild: String = WILD.into();
        if !word.contains(WILD) {
            self.out.push(command::quoted(word));
        } else if word == wild {
            self.any_words(is_first, is_last);
        } else if word.starts_with('-') && !wildcard_in_value(word) {
            return self.flag(word, is_last);
        } else {
            self.out.push(command::glob_word(word));
            if word.ends_with(WILD) && is_last {
                self.out.push("*".to_owned());
            }
            let is_narrow = word.trim_end_matches(WILD).contains(WILD) || !is_last;
            if is_narrow && self.action == Action::Allow {
                self.near = Some("`*` stays within one word here");
            }
        }
        Ok(())
    }

    fn any_words(&mut self, is_first: bool, is_last: bool) {
        if is_first {
            // A program, and whatever follows it.
            self.out.extend(["*".to_owned(), "*".to_owned()]);
            return;
        }
        if self.action == Action::Allow && !is_last {
            // At least one word, as there; flags are no words here.
            self.out.push("?*".to_owned());
            self.near = Some("flags alone do not stand for the `*` in the middle");
        }
        self.out.push("*".to_owned());
    }

    /// `--force*`: flags cannot be patterns.
    fn flag(&mut self, word: &str, is_last: bool) -> Result<(), PatternError> {
        let name = word.trim_end_matches(WILD);
        if name.contains(WILD) || name.trim_matches('-').is_empty() || !is_last {
            return Err(PatternError::FlagPattern);
        }
        self.out.extend([command::quoted(name), "*".to_owned()]);
        self.near = Some("flags that only begin like this one do not match");
        Ok(())
    }
}

fn wildcard_in_value(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| !name.contains(WILD))
}

/// A command with `*` as [`WILD`], where it is a wildcard: not behind one of these.
pub(super) fn marked(content: &str, literal_behind: &[char]) -> String {
    let mut out = String::new();
    let mut before = None;
    for character in content.chars() {
        let is_wild =
            character == '*' && !before.is_some_and(|before| literal_behind.contains(&before));
        out.push(if is_wild { WILD } else { character });
        before = Some(character);
    }
    out
}
