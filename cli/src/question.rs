//! Questions to a person at a terminal that are answered with yes or no: nothing typed, and anything else, is a no.

use std::io::{self, BufRead};

use crate::project;
use crate::terminal::{Failure, Terminal};

/// Nobody types a longer answer.
const MAX_ANSWER: u64 = 4_096;

/// Asks on standard error, and says whether the answer on standard input is yes. Whether somebody is there is the
/// caller's to find out.
///
/// # Errors
/// When the answer cannot be read.
pub fn agrees(question: &str, terminal: &Terminal) -> Result<bool, Failure> {
    terminal.say(&format!("{question} [y/N] "));
    is_yes(io::stdin().lock()).map_err(|error| {
        Failure::Message(format!("the answer cannot be read: {}", project::describe(&error)))
    })
}

/// Returns whether the first line of an input is a yes.
///
/// # Errors
/// When it cannot be read.
pub fn is_yes(input: impl BufRead) -> io::Result<bool> {
    let mut line = Vec::new();
    input.take(MAX_ANSWER).read_until(b'\n', &mut line)?;
    let answer = String::from_utf8_lossy(&line).trim().to_lowercase();
    Ok(matches!(&*answer, "y" | "yes"))
}

#[cfg(test)]
mod tests {
    use super::is_yes;

    #[test]
    fn only_yes_is_yes() {
        for yes in ["y", "Y\n", "yes", " YES \r\n", "\tyEs\nno\n"] {
            assert!(is_yes(yes.as_bytes()).unwrap(), "{yes:?}");
        }
        for no in ["", "\n", "n", "no", "yep", "yes please", "y y", "\ny", "ye", "да"] {
            assert!(!is_yes(no.as_bytes()).unwrap(), "{no:?}");
        }
    }
}
