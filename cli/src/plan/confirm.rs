//! The one question before a plan changes anything.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Write};

use behavior_json::plain::neutral;

use crate::question::is_yes;

/// The question.
const QUESTION: &str = "Can I make these changes?";

/// Asks at the terminal, else on standard error with the answer from standard input, and says whether the answer is
/// yes. Nobody there is a no, and so is an agent that runs this: it can make itself a terminal, and write to any input.
#[must_use]
pub fn confirms(summary: &str) -> bool {
    if crate::person::agent().is_some() {
        return false;
    }
    let text = neutral(&format!("{summary}{QUESTION} [y/N] ")).into_owned();
    match terminal() {
        Some((mut screen, keyboard)) => {
            let _ = screen.write_all(text.as_bytes()).and_then(|()| screen.flush());
            is_yes(BufReader::new(keyboard)).unwrap_or(false)
        }
        None => {
            let mut screen = io::stderr().lock();
            let _ = screen.write_all(text.as_bytes());
            let is_yes = is_yes(io::stdin().lock()).unwrap_or(false);
            // Nobody types the end of the line there.
            let _ = screen.write_all(b"\n");
            is_yes
        }
    }
}

fn terminal() -> Option<(File, File)> {
    let open = || OpenOptions::new().read(true).write(true).open("/dev/tty").ok();
    Some((open()?, open()?))
}
