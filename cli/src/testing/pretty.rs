//! What came of tests, for people.

use std::fmt::Write;

use behavior_compiler::provider::LIBRARY_PREFIX;

use super::session::Session;
use crate::number::count;
use crate::render::one_line;
use crate::terminal::{BOLD, DIM, GREEN, RED, Terminal};

/// So many rules that never fired are named.
const NAMED: usize = 12;

/// Writes the tests that failed, each with the reason, and how many there were. With `--verbose` also those that
/// passed; with `--quiet` the last lines alone.
pub fn render(session: &Session, terminal: &Terminal) -> String {
    let mut out = String::new();
    let mut file = "";
    for ran in &session.ran {
        let result = &ran.result;
        let has_failed = !result.failures.is_empty();
        if terminal.quiet || !has_failed && !terminal.verbose {
            continue;
        }
        if result.file != file {
            let _ = writeln!(out, "{}", terminal.paint(BOLD, &one_line(&result.file)));
            file = &result.file;
        }
        let (style, mark) = if has_failed { (RED, "failed") } else { (GREEN, "passed") };
        let name = one_line(&result.name);
        let line = terminal.paint(DIM, &format!("(line {})", result.line));
        let _ = writeln!(out, "  {} {name} {line}", terminal.paint(style, mark));
        for failure in &result.failures {
            let _ = writeln!(out, "    {}", one_line(&failure.to_string()));
        }
        if let Some(why) = &ran.why {
            for line in why.to_text(terminal).lines() {
                let gap = if line.is_empty() { "" } else { "      " };
                let _ = writeln!(out, "{gap}{line}");
            }
        }
    }
    summary(session, terminal, &mut out);
    out
}

fn summary(session: &Session, terminal: &Terminal, out: &mut String) {
    let failed = session.failed().count();
    let passed = session.ran.len() - failed;
    let mut line = count(session.ran.len() as u64, "test");
    if session.examples > 0 {
        let _ = write!(line, ", {} of them", session.examples);
        line.push_str(if session.examples == 1 {
            " an example of a rule"
        } else {
            " examples of rules"
        });
    }
    let _ = write!(line, ": {passed} passed");
    if failed > 0 {
        let _ = write!(line, ", {}", terminal.paint(RED, &format!("{failed} failed")));
    }
    let _ = writeln!(out, "{line}");
    let (fired, all) = session.coverage.counts();
    if all == 0 {
        return;
    }
    if session.ran.is_empty() && !terminal.quiet {
        let _ = writeln!(
            out,
            "no rule has a test: `behavior test --from-trace TRACE --at N` prints one of what happened, for \
             `behavior.test.yaml`; `behavior schema rule-tests` tells editors what a test may say"
        );
    }
    let silent = session.coverage.silent().into_iter();
    let (built_in, silent): (Vec<_>, Vec<_>) =
        silent.partition(|(file, _)| file.starts_with(LIBRARY_PREFIX));
    let _ = write!(out, "rules: {fired} of {all} fired in some test");
    if !silent.is_empty() {
        let named = if terminal.verbose { silent.len() } else { NAMED };
        let names: Vec<String> =
            silent.iter().take(named).map(|(_, id)| format!("`{}`", one_line(id))).collect();
        let _ = write!(out, "; never {}", names.join(", "));
        if let Some(more) = silent.len().checked_sub(named).filter(|more| *more > 0) {
            let _ = write!(out, " and {more} more");
        }
    }
    // Those of a preset have tests of their own.
    if !built_in.is_empty() {
        let _ = write!(out, "; never {}", count(built_in.len() as u64, "built-in rule"));
    }
    out.push('\n');
}
