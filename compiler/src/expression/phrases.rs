//! What is written otherwise in other languages: whole phrases, and what conditions say something of. Reports nothing.

use super::grammar::{Failure, Want};
use super::message::Messages;
use super::token::Kind;
use crate::fragment::{Problem, excerpt};

impl Messages<'_> {
    /// Looks for a phrase of another language at a failure; tells whether there is one.
    pub(super) fn advise_on_phrase(&self, failure: &Failure, problem: &mut Problem) -> bool {
        let at = failure.at;
        let word =
            |back: usize| at.checked_sub(back).and_then(|at| self.slice(at)).unwrap_or_default();
        let next = self.slice(at + 1).unwrap_or_default();
        let is_name =
            |back: usize| at.checked_sub(back).is_some_and(|at| self.kind(at) == Some(Kind::Name));
        let (words, instead) = match (word(0), word(1)) {
            ("contains" | "includes" | "has", set) if is_name(1) && next == "target" => {
                (at - 1..at + 2, format!("target in {set}"))
            }
            ("in", "is") => (at - 1..at + 1, "in".to_owned()),
            ("not", "is") if next == "in" => (at - 1..at + 2, "not in".to_owned()),
            (",", set) if word(2) == "(" && is_name(3) && next == "target" => {
                let end = at + 2 + usize::from(self.kind(at + 2) == Some(Kind::RightParen));
                (at - 3..end, format!("target in {set}"))
            }
            (found, before) => {
                problem.help = advice(found, before, failure).or(problem.help.take());
                return problem.help.is_some();
            }
        };
        let range = self.range(words.start).start..self.range(words.end - 1).end;
        problem.help = Some(format!("did you mean `{}`?", excerpt(&instead)));
        problem.fix = Some((range, instead));
        true
    }
}

/// What to write where no words can simply be put in place of others.
fn advice(found: &str, before: &str, failure: &Failure) -> Option<String> {
    let wants_condition = failure.wanted.contains(&Want::Condition);
    let help = match found {
        "tool" if wants_condition => "the tools that a rule is about are named in its `trigger`",
        "startswith" | "starts_with" | "startsWith" | "beginswith" if before == "target" => {
            "write `matches \"src/*\"`: `*` stands for any text"
        }
        "endswith" | "ends_with" | "endsWith" if before == "target" => {
            "write `matches \"*.rs\"`: `*` stands for any text"
        }
        "startswith" | "starts_with" | "startsWith" | "beginswith" => "write `matches \"^…\"`",
        "endswith" | "ends_with" | "endsWith" => "write `matches \"…$\"`",
        _ => return None,
    };
    Some(help.to_owned())
}

/// What people call that of which a condition says something.
pub(super) fn subject(word: &str) -> Option<String> {
    const PARAMS: &[&str] = &["param", "params", "tool_input", "input", "args", "arguments"];
    if let Some((_, subject)) = SUBJECTS.iter().find(|(other, _)| *other == word) {
        return Some((*subject).to_owned());
    }
    let (owner, name) = word.split_once('.')?;
    PARAMS.contains(&owner).then(|| format!("param({name})"))
}

const SUBJECTS: &[(&str, &str)] = &[
    ("command", "param(command)"),
    ("cmd", "param(command)"),
    ("query", "param(query)"),
    ("content", "param(content)"),
    ("file", "target"),
    ("path", "target"),
    ("file_path", "target"),
    ("output", "result"),
    ("message", "text"),
];
