//! What a person at a terminal is asked before a project gets its first rules. Each question has an answer that an
//! empty line gives.

use std::io::{self, BufRead};

use super::starter::{Choices, Strictness};
use crate::project;
use crate::terminal::{Failure, Terminal};

/// Asks how a project is to start.
///
/// # Errors
/// When an answer cannot be read.
pub fn ask(terminal: &Terminal) -> Result<Choices, Failure> {
    terminal.say(
        "how strict are the rules to be?\n  \
         1  ask before what cannot be undone or others will see, and remind of what was forgotten\n  \
         2  also: block what destroys far away or on a whole machine, and tell the agent of commands\n     \
            that nobody can read and of files that it changes unread\n  \
         3  ask only, and remind of nothing\n",
    );
    let strictness = loop {
        match answer("1, 2 or 3 [1]: ", terminal)?.as_str() {
            "" | "1" => break Strictness::Usual,
            "2" => break Strictness::Strict,
            "3" => break Strictness::Quiet,
            _ => terminal.say("one of the three numbers, or nothing for 1\n"),
        }
    };
    let may_publish = loop {
        let question =
            "may agents push to shared branches, publish and merge without being asked to? [y/N]: ";
        match answer(question, terminal)?.to_lowercase().as_str() {
            "" | "n" | "no" => break false,
            "y" | "yes" => break true,
            _ => terminal.say("`y` or `n`, or nothing for `n`\n"),
        }
    };
    let protected = match may_publish {
        true => String::new(),
        false => answer(
            "which branches are shared, beside the default one? names such as `develop` or `release/*` [none]: ",
            terminal,
        )?,
    };
    let is_end = |character: char| character == ',' || character.is_whitespace();
    let names = protected.split(is_end).map(|name| name.trim_matches(['`', '"', '\'']));
    let protected = names.filter(|name| !name.is_empty() && *name != "none").map(str::to_owned);
    Ok(Choices { strictness, protected: protected.collect(), may_publish })
}

/// The line that is typed behind a question. At the end of the input, it is the answer of an empty line.
fn answer(question: &str, terminal: &Terminal) -> Result<String, Failure> {
    terminal.say(question);
    let mut line = String::new();
    io::stdin().lock().read_line(&mut line).map_err(|error| {
        Failure::Message(format!("the answer cannot be read: {}", project::describe(&error)))
    })?;
    Ok(line.trim().to_owned())
}
