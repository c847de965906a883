//! What of a user's message was pasted: blocks of code, logs, what programs printed, quotes over several lines. None of it
//! is the user's own speech. Knows nothing of what a message asks for.

use super::sentences::is_item;
use crate::fences::Fences;

/// A quote goes over no more lines.
const MAX_QUOTED_LINES: usize = 60;

/// How lines begin that a program printed.
const PRINTED: &[&str] = &[
    "$ ",
    "+ git ",
    "fatal: ",
    "error: ",
    "warning: ",
    "hint: ",
    "remote: ",
    "info: ",
    "debug: ",
    "warn: ",
    "error[",
    "npm err!",
    "traceback ",
    "[info",
    "[warn",
    "[error",
    "[debug",
    "[trace",
];

/// What is done with a text that is given behind it.
const OF_TEXTS: &[&str] = &[
    "summarize",
    "summarise",
    "translate",
    "rephrase",
    "paraphrase",
    "reword",
    "proofread",
    "polish",
    "shorten",
    "classify",
    "reply",
    "respond",
    "answer",
    "correct",
    "explain",
];

/// What such a text is called.
const TEXTS: &[&str] = &[
    "this",
    "these",
    "following",
    "below",
    "email",
    "e-mail",
    "mail",
    "message",
    "text",
    "sentence",
    "paragraph",
    "letter",
    "tweet",
    "post",
    "announcement",
    "review",
    "comment",
    "notes",
];

/// What a line says before a text that is given with it, if it is about one: "Summarize this email: …". What follows in the
/// message are somebody's words.
fn before_text(line: &str) -> Option<&str> {
    const MAX_WORDS: usize = 12;
    let (label, _) = line.split_once(':')?;
    let plain = |word: &str| {
        word.trim_matches(|c: char| !c.is_alphanumeric() && c != '-').to_ascii_lowercase()
    };
    let words: Vec<String> = label.split_whitespace().map(plain).collect();
    let says = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    (words.len() <= MAX_WORDS && says(OF_TEXTS) && says(TEXTS)).then_some(label)
}

/// Whether a line says that what stands below it was printed, or said by somebody: "Output of the script:".
fn is_before_report(line: &str) -> bool {
    const REPORTED: &[&str] =
        &["output", "log", "logs", "transcript", "told", "said", "wrote", "replied", "printed"];
    let Some(label) = line.trim_end().strip_suffix(':') else { return false };
    let mut words = label.split(|c: char| !c.is_alphanumeric());
    words.any(|word| REPORTED.contains(&&*word.to_ascii_lowercase()))
}

/// Returns the lines of a message that may be the user's own: nothing between fences, nothing that is indented as a block,
/// quoted over several lines, or looks like what a program printed, and nothing of a text that the message is about.
pub fn own_lines(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().collect();
    let quoted = quoted_lines(&lines);
    let mut own = Vec::new();
    let mut fences = Fences::default();
    let mut report = Report::None;
    let (mut in_block, mut in_list, mut may_begin) = (false, false, true);
    for (line, quoted) in lines.iter().zip(quoted) {
        let plain = line.trim_start();
        if !fences.is_outside(line) {
            continue;
        }
        let begins = may_begin;
        report = report.after(plain);
        if report == Report::GoesOn {
            continue;
        }
        let is_indented = line.starts_with("    ") || line.starts_with('\t');
        in_block = !plain.is_empty() && is_indented && !in_list && (in_block || may_begin)
            || in_block && plain.is_empty();
        // What is indented below an item belongs to it.
        in_list =
            !plain.is_empty() && is_item(line) || in_list && (is_indented || plain.is_empty());
        may_begin = plain.is_empty() || plain.trim_end().ends_with(':');
        // A paragraph that begins with a command goes on with what it printed.
        if plain.starts_with("$ ") && begins {
            report = Report::Begins;
        }
        if !in_block && !quoted && !plain.starts_with('>') && !is_printed(plain) {
            if let Some(label) = before_text(line) {
                own.push(label);
                break;
            }
            own.push(*line);
            if is_before_report(line) {
                report = Report::Begins;
            }
        }
    }
    own
}

/// What is known of a paragraph that was printed, or that somebody said.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Report {
    None,
    /// It stands below.
    Begins,
    /// The line is one of it.
    GoesOn,
}

impl Report {
    /// What is known when the next line was read: it ends with the paragraph.
    fn after(self, line: &str) -> Self {
        match self {
            Self::Begins if line.is_empty() => Self::Begins,
            Self::Begins => Self::GoesOn,
            Self::GoesOn if !line.is_empty() => Self::GoesOn,
            Self::GoesOn | Self::None => Self::None,
        }
    }
}

/// Whether a line looks like what a program printed: it begins as one, or with a time.
fn is_printed(plain: &str) -> bool {
    let begins =
        |sign: &&str| plain.get(..sign.len()).is_some_and(|head| head.eq_ignore_ascii_case(sign));
    let first =
        plain.trim_start_matches(['[', '(']).split([' ', ']', ')', ',']).next().unwrap_or_default();
    let digits = first.bytes().filter(u8::is_ascii_digit).count();
    let is_of_time =
        |c: char| c.is_ascii_digit() || matches!(c, ':' | '-' | '.' | '/' | 'T' | 'Z' | '+');
    let is_time = digits >= 4
        && first.chars().all(is_of_time)
        && (first.matches(':').count() >= 1 || first.matches(['-', '/']).count() >= 2);
    PRINTED.iter().any(begins) || is_time
}

/// Which lines stand in a quote that begins on one line and ends on another: the first and the last one with it.
fn quoted_lines(lines: &[&str]) -> Vec<bool> {
    let mut quoted = vec![false; lines.len()];
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let end = match opens(line) {
            true => {
                let behind = lines.iter().skip(at + 1).take(MAX_QUOTED_LINES);
                behind.clone().position(|line| closes(line)).map(|length| at + 1 + length)
            }
            false => None,
        };
        if let Some(end) = end {
            quoted.iter_mut().skip(at).take(end + 1 - at).for_each(|line| *line = true);
        }
        at = end.unwrap_or(at) + 1;
    }
    quoted
}

/// The places of double quotes that open or close something: not the sign for inches.
fn double_quotes(line: &str) -> Vec<char> {
    let signs: Vec<char> = line.chars().collect();
    let is_quote = |at: &usize| match signs.get(*at) {
        Some('"') => {
            let before = at.checked_sub(1).and_then(|at| signs.get(at));
            !before.is_some_and(char::is_ascii_digit)
        }
        Some('“' | '”' | '„' | '«' | '»') => true,
        _ => false,
    };
    (0..signs.len()).filter(is_quote).filter_map(|at| signs.get(at).copied()).collect()
}

/// Whether a line opens a quote that does not end on it.
fn opens(line: &str) -> bool {
    double_quotes(line).len() % 2 == 1
}

/// Whether a line ends a quote that began before.
fn closes(line: &str) -> bool {
    double_quotes(line).len() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::own_lines;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        assert_eq!(own_lines(text), expect, "{text}");
    }

    #[test]
    fn blocks_and_logs_are_pasted() {
        check("Fix it:\n\n    error\n\n    push\nNow", &["Fix it:", "", "Now"]);
        check("Fix it:\n\tpush", &["Fix it:"]);
        check("```\npush\n```\nfix", &["fix"]);
        check("> push\nfix", &["fix"]);
        check(
            "It says\n[12:00:01] push\n2026-01-02T03:04:05Z push\nfatal: push it\n$ git push\nWhy",
            &["It says", "Why"],
        );
        check("$ cat todo\npush\ntag\n\nfix", &["", "fix"]);
        check(
            "Output of the script:\n\npush\ntag\n\nfix",
            &["Output of the script:", "", "", "fix"],
        );
        check("Summarize this email: Hi,\npush\n\nBye", &["Summarize this email"]);
        check("Fix the output: it is late\npush", &["Fix the output: it is late", "push"]);
        check("He wrote \"hi,\npush it\nthanks\" and left.\nfix", &["fix"]);
    }

    #[test]
    fn what_the_user_lays_out_is_their_own() {
        check("Do:\n- fix\n    - push\n1. tag", &["Do:", "- fix", "    - push", "1. tag"]);
        check("fix\n    and push", &["fix", "    and push"]);
        check("a 5\" disk\npush\nno 3\" one", &["a 5\" disk", "push", "no 3\" one"]);
        check("an odd \" quote\npush", &["an odd \" quote", "push"]);
        check("2 things: fix\n3 pushes", &["2 things: fix", "3 pushes"]);
    }
}
