//! The one question before a plan changes anything.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};

use behavior_json::plain::neutral;

/// The question.
const QUESTION: &str = "Can I make these changes?";
/// Nobody types a longer answer.
const MAX_ANSWER: u64 = 4_096;

/// Asks at the terminal, else on standard error with the answer from standard input, and says whether the answer is
/// yes. Nobody there is a no.
#[must_use]
pub fn confirms(summary: &str) -> bool {
    let text = neutral(&format!("{summary}{QUESTION} [y/N] ")).into_owned();
    match terminal() {
        Some((mut screen, keyboard)) => {
            let _ = screen.write_all(text.as_bytes()).and_then(|()| screen.flush());
            is_yes(BufReader::new(keyboard))
        }
        // An agent can write to any standard input.
        None if crate::person::agent().is_some() => false,
        None => {
            let mut screen = io::stderr().lock();
            let _ = screen.write_all(text.as_bytes());
            let is_yes = is_yes(io::stdin().lock());
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

fn is_yes(input: impl BufRead) -> bool {
    let mut line = Vec::new();
    let read = input.take(MAX_ANSWER).read_until(b'\n', &mut line);
    let answer = String::from_utf8_lossy(&line).trim().to_lowercase();
    read.is_ok() && matches!(&*answer, "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::is_yes;

    #[test]
    fn only_yes_is_yes() {
        for yes in ["y", "Y\n", "yes", " YES \r\n", "\tyEs\nno\n"] {
            assert!(is_yes(yes.as_bytes()), "{yes:?}");
        }
        for no in ["", "\n", "n", "no", "yep", "yes please", "y y", "\ny", "ye", "да"] {
            assert!(!is_yes(no.as_bytes()), "{no:?}");
        }
    }
}
