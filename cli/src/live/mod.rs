//! What a running agent needs of this machine between two of its events, each decided by a process
//! of its own.

pub mod audit;
mod below;
pub mod cache;
pub mod changes;
pub mod constitution;
mod file_names;
pub mod grants;
pub mod host;
pub mod kept_list;
pub mod kept_sets;
mod links;
pub mod missed;
mod repository;
pub mod rules;
pub mod secret_key;
pub mod shared;
pub mod state;
pub mod store;
pub mod trust;
mod user;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::SystemTime;

/// Where state is kept when nobody says otherwise: `$BEHAVIOR_STATE_DIR`, else `behavior` in
/// `$XDG_STATE_HOME`, else in `~/.local/state`; on Windows, in `%LOCALAPPDATA%`. All but the first must be
/// absolute. `None` where the environment names none of them.
#[must_use]
pub fn usual_directory(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let named = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    variable("BEHAVIOR_STATE_DIR")
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
        .or_else(|| Some(named("XDG_STATE_HOME")?.join("behavior")))
        .or_else(|| Some(named("LOCALAPPDATA").filter(|_| cfg!(windows))?.join("behavior")))
        .or_else(|| Some(named("HOME")?.join(".local/state/behavior")))
}

/// Where compiled rules are kept: `$BEHAVIOR_CACHE_DIR`, else `behavior` in `$XDG_CACHE_HOME`, else in
/// `~/.cache`; on Windows, in `%LOCALAPPDATA%`. All but the first must be absolute. `None` where the
/// environment names none of them.
#[must_use]
pub fn cache_directory(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let named = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    variable("BEHAVIOR_CACHE_DIR")
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
        .or_else(|| Some(named("XDG_CACHE_HOME")?.join("behavior")))
        .or_else(|| Some(named("LOCALAPPDATA").filter(|_| cfg!(windows))?.join("behavior/cache")))
        .or_else(|| Some(named("HOME")?.join(".cache/behavior")))
}

/// Returns what went wrong with the store, with the system's reason where there is one.
#[must_use]
pub fn describe(error: &store::StoreError) -> String {
    match error {
        store::StoreError::Io { error: reason, .. } => {
            format!("{error}: {}", crate::project::describe(reason))
        }
        _ => error.to_string(),
    }
}

/// Returns the milliseconds since the epoch; 0 where the clock says what no clock should.
#[must_use]
pub fn now() -> i64 {
    jiff::Timestamp::try_from(SystemTime::now()).unwrap_or_default().as_millisecond()
}
