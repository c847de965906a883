//! Waits for the lock of a file, in turn, no longer than one wants. Knows nothing of what the file is for.
//!
//! The system has a waiting that is fair and one that ends, not one that is both: who asks again and again may
//! find the lock taken by somebody who came later each time. So a thread waits in the system's own order, and
//! its process waits for the thread.

use std::fs::{File, TryLockError};
use std::io;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// Where no thread can be had, pauses between attempts grow up to this.
const MAX_PAUSE: Duration = Duration::from_millis(2);

/// Locks a file, waiting for its turn. Nothing where others had the lock for all of `wait`; the file is closed
/// then, and is not locked later.
///
/// # Errors
/// When the system refuses.
pub fn wait_for(file: File, wait: Duration) -> io::Result<Option<File>> {
    if is_locked(&file)? {
        return Ok(Some(file));
    }
    if wait.is_zero() {
        return Ok(None);
    }
    let file = Arc::new(file);
    let (waiting, (sender, receiver)) = (Arc::clone(&file), mpsc::channel());
    let wait_in_line = move || {
        let outcome = lock(&waiting);
        // Nobody may be there any more, and the file is closed with what was to be sent.
        let _ = sender.send(outcome.map(|()| waiting));
    };
    if thread::Builder::new().spawn(wait_in_line).is_err() {
        return Ok(ask_again(&file, wait)?.then_some(file).and_then(Arc::into_inner));
    }
    drop(file);
    receiver.recv_timeout(wait).map_or(Ok(None), |outcome| outcome.map(Arc::into_inner))
}

/// Waits until a file is locked.
fn lock(file: &File) -> io::Result<()> {
    loop {
        match file.lock() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
}

/// Locks a file where nobody else has.
fn is_locked(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Tries to lock a file until `wait` is over, at growing intervals; says whether it did.
fn ask_again(file: &File, wait: Duration) -> io::Result<bool> {
    let began = Instant::now();
    let mut pause = Duration::from_micros(20);
    while !is_locked(file)? {
        let Some(left) = wait.checked_sub(began.elapsed()).filter(|left| !left.is_zero()) else {
            return Ok(false);
        };
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(MAX_PAUSE);
    }
    Ok(true)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a panic is how a test fails")]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(20);
    const LONG: Duration = Duration::from_secs(60);

    /// A file of a test, removed with it.
    struct Scratch(std::path::PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let name = format!("behavior-turn-{}-{name}", std::process::id());
            Self(std::env::temp_dir().join(name))
        }

        fn open(&self) -> File {
            File::create(&self.0).unwrap()
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    #[test]
    fn who_waits_in_vain_has_no_lock_later() {
        let scratch = Scratch::new("vain");
        let first = wait_for(scratch.open(), Duration::ZERO).unwrap().unwrap();
        assert!(wait_for(scratch.open(), Duration::ZERO).unwrap().is_none());
        assert!(wait_for(scratch.open(), SHORT).unwrap().is_none());
        assert!(!ask_again(&scratch.open(), SHORT).unwrap());
        drop(first);
        // The thread that was left behind lets go of the lock as soon as it has it.
        assert!(wait_for(scratch.open(), LONG).unwrap().is_some());
    }

    #[test]
    fn all_who_wait_have_their_turn() {
        let scratch = Scratch::new("all");
        let first = wait_for(scratch.open(), Duration::ZERO).unwrap().unwrap();
        let waiting: Vec<_> = (0..20)
            .map(|_| scratch.open())
            .map(|file| thread::spawn(|| wait_for(file, LONG).unwrap().is_some()))
            .collect();
        thread::sleep(SHORT);
        drop(first);
        assert!(waiting.into_iter().all(|thread| thread.join().unwrap()));
    }
}
