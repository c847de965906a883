//! Whether the user wants what runs to stop: Ctrl-C, or a request to end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

static WANTED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Listens from here on. Where that fails, Ctrl-C ends the process, and what was begun is left as it is.
pub fn listen() {
    let wanted = WANTED.get_or_init(Arc::default);
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        let _ = signal_hook::flag::register(signal, Arc::clone(wanted));
    }
    #[cfg(not(unix))]
    let _ = wanted;
}

/// Listens for the end of the terminal, too: what runs there is to be cleared away.
pub fn listen_for_hangup() {
    listen();
    #[cfg(unix)]
    if let Some(wanted) = WANTED.get() {
        let _ = signal_hook::flag::register(signal_hook::consts::SIGHUP, Arc::clone(wanted));
    }
}

/// Returns whether the user wants that.
#[must_use]
pub fn is_wanted() -> bool {
    WANTED.get().is_some_and(|wanted| wanted.load(Ordering::Relaxed))
}
