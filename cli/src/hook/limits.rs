//! How long a hook may take, and how long it remembers.

use std::time::Duration;

/// How long another event of the same session may take before this one gives up.
pub(super) const LOCK_WAIT: Duration = Duration::from_secs(3);
/// An event that takes longer is answered as one that failed: agents stop waiting at some time, and
/// then do what they like.
pub(super) const DEADLINE: Duration = Duration::from_secs(8);
/// Sessions that nobody has used for so long are swept.
pub(super) const SESSIONS_KEPT: Duration = Duration::from_secs(14 * 24 * 60 * 60);
