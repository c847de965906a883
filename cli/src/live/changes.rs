//! What an agent works under, as it was when its session began: its rules, the settings that call the hook,
//! and the program itself. What changes meanwhile cannot always be kept from changing, but it is told.

use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

use behavior_agents::hook::Agent;
use twox_hash::XxHash64;

use super::rules::Loaded;
use super::state::Surroundings;
use crate::wiring::{Places, Scope};

/// Looks at what an agent works under now, in the working directory.
#[must_use]
pub fn now(loaded: &Loaded, agent: Agent) -> Surroundings {
    let identity = |image: u64| format!("{image:016x}");
    let rules = loaded.layers.iter();
    let rules = rules.map(|one| (one.name.clone(), identity(one.image.identity())));
    let broken = loaded.broken.iter().map(|one| (one.layer.name().to_owned(), String::new()));
    let mut hasher = XxHash64::with_seed(0);
    for path in files(agent) {
        (&path, look(&path)).hash(&mut hasher);
    }
    Surroundings { rules: rules.chain(broken).collect(), files: identity(hasher.finish()) }
}

/// Says what is not as it was, a sentence each.
#[must_use]
pub fn between(before: &Surroundings, now: &Surroundings) -> Vec<String> {
    let names = before.rules.keys().chain(now.rules.keys());
    let is_other = |name: &&String| before.rules.get(*name) != now.rules.get(*name);
    let mut names: Vec<&String> = names.filter(is_other).collect();
    names.sort();
    names.dedup();
    let says = |name: &String| {
        let what = match (before.rules.get(name), now.rules.get(name)) {
            (None, _) => "appeared",
            (_, None) => "are gone",
            (Some(_), Some(_)) => "changed",
        };
        format!("the rules of the {name} {what} since this session began")
    };
    let mut changes: Vec<String> = names.into_iter().map(says).collect();
    if now.files != before.files {
        let what = "the settings that call this hook, or the program that it calls, changed since this \
                    session began: `behavior doctor` looks at them";
        changes.push(what.to_owned());
    }
    changes
}

/// The settings of the agent that may call the hook, and the program that runs now.
fn files(agent: Agent) -> Vec<PathBuf> {
    let places = Places::here().ok();
    let settings = Scope::ALL.into_iter().filter_map(|scope| places.as_ref()?.file(agent, scope));
    settings.chain(std::env::current_exe()).collect()
}

/// What tells that a file is as it was; nothing for one that is not there.
fn look(path: &Path) -> Option<(u64, i64, i64, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((metadata.len(), metadata.mtime(), metadata.mtime_nsec(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        let modified = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some((metadata.len(), i64::try_from(modified.as_nanos()).unwrap_or(i64::MAX), 0, 0))
    }
}
