//! What the agent says of its event, read from standard input: so much at most, and in time.

use std::io::Read;
use std::time::Instant;

use behavior_agents::hook::{Agent, Notice};

use super::ending::watch;
use super::limits::DEADLINE;

/// Payloads larger than this are refused.
pub(super) const LARGEST_PAYLOAD: u64 = 64 << 20;

/// Events are rarely larger; more than this may take long to read and to decide on.
pub(super) const USUAL_PAYLOAD: usize = 8 << 10;

/// Returns what stands on standard input, or why there is nothing to be read.
pub(super) fn take(agent: Agent, deadline: Instant) -> Result<String, String> {
    /// So much is read at once.
    pub(super) const CHUNK: usize = 8 << 10;
    let mut payload = Vec::with_capacity(CHUNK);
    let mut input = std::io::stdin().lock().take(LARGEST_PAYLOAD + 1);
    let failed = |error| format!("the event cannot be read: {error}");
    let mut is_watched = false;
    loop {
        if !is_watched && payload.len() >= USUAL_PAYLOAD {
            is_watched = true;
            watch(agent);
        }
        if !is_watched && !has_input(deadline) {
            return Err(format!("the event did not end within {} s", DEADLINE.as_secs()));
        }
        let start = payload.len();
        payload.resize(start + CHUNK, 0);
        let rest = payload.get_mut(start..).unwrap_or_default();
        let count = input.read(rest).map_err(failed)?;
        payload.truncate(start + count);
        if count == 0 {
            break;
        }
    }
    let text = String::from_utf8(payload).map_err(|_| "the event is not valid UTF-8".to_owned())?;
    match text.len() as u64 > LARGEST_PAYLOAD {
        true => Err(format!("the event is larger than {LARGEST_PAYLOAD} bytes")),
        false => Ok(text),
    }
}

/// Reads what the agent says of its event.
pub(super) fn read(agent: Agent, payload: &Result<String, String>) -> Result<Notice<'_>, String> {
    payload.as_ref().map_err(Clone::clone).and_then(|text| agent.read(text))
}

/// Waits until there is something to be read on standard input, or it ends; says whether that was in time.
#[cfg(unix)]
pub(super) fn has_input(deadline: Instant) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let left = deadline.saturating_duration_since(Instant::now());
    let Ok(timeout) = Timespec::try_from(left) else { return true };
    let stdin = std::io::stdin();
    let mut descriptors = [PollFd::new(&stdin, PollFlags::IN)];
    // What cannot be waited for, such as a file, can be read.
    poll(&mut descriptors, Some(&timeout)).is_ok_and(|ready| ready > 0) || Instant::now() < deadline
}

#[cfg(not(unix))]
pub(super) fn has_input(_: Instant) -> bool {
    true
}
