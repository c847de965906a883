//! How the process of a hook ends: with an answer, given once, in time, and by an exit code that its agent knows. What
//! cannot be decided, and a bug of ours, refuse what can still be refused.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};

use behavior_agents::hook::{Agent, Answer};
use behavior_agents::install::{self, ANSWERED};
use behavior_json::plain::neutral_plain;

use super::limits::DEADLINE;

/// Whether the shell that runs this takes only exit codes of its own for an answer.
pub(super) static IS_GUARDED: AtomicBool = AtomicBool::new(false);

/// Ends the process with the exit code that the agent, or the shell in between, knows.
pub(super) fn end(code: i32) -> ! {
    let code = match (IS_GUARDED.load(Ordering::Relaxed), code) {
        (false, code) => code,
        (true, 0) => i32::from(ANSWERED),
        (true, _) => i32::from(install::REFUSED),
    };
    std::process::exit(code)
}

/// Whether all is decided and kept.
pub(super) static IS_DECIDED: AtomicBool = AtomicBool::new(false);

/// Whether an answer was given, or is about to be.
pub(super) static IS_ANSWERED: AtomicBool = AtomicBool::new(false);

/// Gives the answer; its exit code is left to the caller.
pub(super) fn give(answer: &Answer) -> i32 {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(answer.stdout.as_bytes()).and_then(|()| stdout.flush());
    // An agent that does not listen any more cannot be told anything.
    let _ = std::io::stderr().lock().write_all(neutral_plain(&answer.stderr).as_bytes());
    match written {
        Ok(()) => i32::from(answer.exit_code),
        Err(error) => unheard(&error),
    }
}

/// Refuses by the exit code what an answer that cannot be written may have refused.
#[cold]
pub(super) fn unheard(error: &std::io::Error) -> i32 {
    let message = format!("behavior: the answer cannot be written: {error}; the call is refused\n");
    let _ = std::io::stderr().lock().write_all(message.as_bytes());
    REFUSED
}

/// The exit code by which agents take a hook to refuse.
pub(super) const REFUSED: i32 = 2;

/// Whether somebody watches that an answer comes in time.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

/// Answers in place of what takes too long: an agent that waits no more takes that for nothing. Each event is watched, since
/// rules of a project, and a short line, may take long, too. Reading the event has a deadline of its own, waiting for another
/// event of the session too, and files that could be waited for are not opened.
pub(super) fn watch(agent: Agent) {
    if IS_WATCHED.swap(true, Ordering::Relaxed) {
        return;
    }
    let wait = move || {
        std::thread::sleep(DEADLINE);
        // A model that is asked after that has a time of its own.
        if IS_DECIDED.load(Ordering::Relaxed) {
            return;
        }
        if !IS_ANSWERED.swap(true, Ordering::SeqCst) {
            let message = format!("`behavior` did not decide within {} s", DEADLINE.as_secs());
            end(give(&undecided(agent, &message)));
        }
    };
    // Without another thread there is only the agent's own patience.
    let _ = std::thread::Builder::new().stack_size(64 << 10).spawn(wait);
}

/// Whether the event may be about something that can still be refused: it is, until it is known.
pub(super) static IS_BEFORE: AtomicBool = AtomicBool::new(true);

/// Returns the answer where nothing could be decided, and nothing is left to find out more. What the user says, and
/// what has happened already, is not refused: the one has to be able to talk about it, the other is over.
pub(super) fn undecided(agent: Agent, message: &str) -> Answer {
    match IS_BEFORE.load(Ordering::Relaxed) {
        true => agent.refuse(message),
        false => agent.tell_user(message),
    }
}

/// A bug of ours stops the call, rather than letting everything pass.
pub(super) fn refuse_on_panic(agent: Agent) {
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
        let message = format!(
            "this is a bug in `behavior` {}{}: please report it",
            env!("CARGO_PKG_VERSION"),
            place.unwrap_or_default()
        );
        let answer = match IS_DECIDED.load(Ordering::Relaxed) {
            // A model was asked: that its answer is lost, the user is told where the agent shows it.
            true => agent.tell_user(&message),
            false => undecided(agent, &message),
        };
        end(give(&answer));
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_comes_before_a_call_is_refused_undecided() {
        for agent in Agent::ALL {
            assert_eq!(undecided(agent, "too late").exit_code, 2, "nobody knows yet what it is");
            IS_BEFORE.store(false, Ordering::Relaxed);
            let answer = undecided(agent, "too late");
            assert_eq!(answer.exit_code, 0, "{answer:?}");
            assert!(answer.stderr.contains("too late"), "{answer:?}");
            IS_BEFORE.store(true, Ordering::Relaxed);
        }
    }
}
