//! The real file system and clock: for live events, and for `simulate --live-fs`. Everywhere else a
//! simulation knows what the trace tells and nothing more.

use std::time::{SystemTime, UNIX_EPOCH};

use behavior_runtime::Host;
use behavior_runtime::host::Fingerprint;

/// Asks the machine that the simulation runs on.
#[derive(Clone, Copy, Debug)]
pub struct LiveHost;

impl Host for LiveHost {
    fn exists(&mut self, path: &str) -> Option<bool> {
        std::fs::exists(path).ok()
    }

    fn fingerprint(&mut self, path: &str) -> Option<Fingerprint> {
        let metadata = std::fs::metadata(path).ok()?;
        let mtime = millis(metadata.modified().ok()?);
        Some(Fingerprint { size: metadata.len(), mtime })
    }

    fn canonical(&mut self, path: &str) -> Option<String> {
        std::fs::canonicalize(path).ok()?.into_os_string().into_string().ok()
    }

    fn now(&mut self) -> Option<i64> {
        Some(millis(SystemTime::now()))
    }
}

/// Milliseconds since the epoch; negative before it.
fn millis(time: SystemTime) -> i64 {
    let whole = |duration: std::time::Duration| i64::try_from(duration.as_millis());
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => whole(after).unwrap_or(i64::MAX),
        Err(before) => whole(before.duration()).map_or(i64::MIN, |millis| -millis),
    }
}
