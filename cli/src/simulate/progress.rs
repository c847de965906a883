//! How far a long simulation has come: one line on standard error that is written over, and only
//! where a person watches and nothing else is printed there.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Input that is read before anybody wonders.
const SHORT: u64 = 32 << 20;
/// How often the line is written.
const EVERY: Duration = Duration::from_millis(100);

/// Counts what is read.
pub struct Progress {
    shown: Option<Mutex<Shown>>,
}

struct Shown {
    total: u64,
    read: u64,
    started: Instant,
    last: Instant,
}

impl Progress {
    /// Progress over `total` bytes. `is_free` says that nothing else is printed on the terminal.
    pub fn new(total: u64, is_free: bool) -> Self {
        let now = Instant::now();
        let wanted = is_free && total > SHORT && std::io::stderr().is_terminal();
        let shown = wanted.then(|| Mutex::new(Shown { total, read: 0, started: now, last: now }));
        Self { shown }
    }

    /// So much more was read.
    pub fn add(&self, bytes: u64) {
        let Some(mut shown) = self.shown.as_ref().and_then(|shown| shown.lock().ok()) else {
            return;
        };
        shown.read += bytes;
        if shown.last.elapsed() >= EVERY {
            shown.last = Instant::now();
            shown.show();
        }
    }

    /// Nothing more comes: the line goes.
    pub fn end(&self) {
        if self.shown.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}

impl Shown {
    fn show(&self) {
        const WIDTH: u64 = 30;
        let millis = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX).max(1);
        let done = (self.read * WIDTH / self.total.max(1)).min(WIDTH);
        let percent = (self.read * 100 / self.total.max(1)).min(100);
        let rate = self.read / 1000 / millis;
        let bar = format!("{}{}", "━".repeat(done as usize), " ".repeat((WIDTH - done) as usize));
        let mut stderr = std::io::stderr().lock();
        // It is only for show: where it cannot be shown, nothing is lost.
        let _ = write!(stderr, "\r\x1b[K{bar} {percent:3} %  {rate} MB/s");
        let _ = stderr.flush();
    }
}
