//! What all who work in a session know of it: its agent, its sub-agents, and those who take it up again after its end. It
//! only makes decisions stricter. Each layer has its own.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hasher;
use std::time::{Duration, SystemTime};

use behavior_runtime::{Refused, Session, SharedFacts};
use serde::{Deserialize, Serialize};
use twox_hash::XxHash64;

use super::store::{Key, Store, StoreError};

/// What the layers know, by their names.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Known(BTreeMap<String, Facts>);

/// What a layer knows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Facts {
    targets: BTreeMap<String, BTreeSet<String>>,
    scheduled: BTreeSet<u64>,
    #[serde(default)]
    overflowed: bool,
    #[serde(default)]
    refused: Option<Noes>,
}

/// What the user said no to.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Noes {
    left_alone: Vec<u64>,
    forbidden: Vec<u64>,
}

impl Known {
    /// Reads what is known, unless it is what was `seen`; returns also by what to tell that.
    ///
    /// # Errors
    /// When what is kept is damaged or cannot be read.
    pub fn news(
        store: &Store,
        key: &Key,
        seen: Option<usize>,
    ) -> Result<Option<(Self, usize)>, StoreError> {
        let Some(record) = store.read(key)? else { return Ok(None) };
        let now = fingerprint(record.state());
        Ok((seen != Some(now)).then(|| (read(record.state()), now)))
    }

    /// Lets the session of a layer take up what is known. The user speaks to it, or it is one of a sub-agent.
    pub fn tell(&self, layer: &str, session: &mut Session, hears_user: bool) {
        if let Some(facts) = self.0.get(layer) {
            session.take_shared_facts(&facts.clone().into(), hears_user);
        }
    }
}

/// Keeps what is new of what the sessions of layers know. `told` is by what to tell which noes of the user were given last.
///
/// # Errors
/// When another process holds it for longer than `wait`, when it is damaged, or when the system refuses.
pub fn give<'s>(
    store: &Store,
    key: &Key,
    wait: Duration,
    layers: impl Iterator<Item = (&'s str, &'s Session)>,
    hears_user: bool,
    told: &mut Option<usize>,
) -> Result<(), StoreError> {
    let mut new: Vec<(&str, SharedFacts)> =
        layers.map(|(name, session)| (name, session.shared_facts(hears_user))).collect();
    let now = noes(new.iter().filter_map(|(_, facts)| facts.refused.as_ref()));
    let is_told = now == *told;
    if is_told {
        new.iter_mut().for_each(|(_, facts)| facts.refused = None);
    }
    new.retain(|(_, facts)| !facts.is_empty());
    if new.is_empty() {
        return Ok(());
    }
    if hears_user {
        *told = now;
    }
    let mut held = store.open(key, wait)?;
    let mut known = held.record().map(|record| read(record.state())).unwrap_or_default();
    for (name, facts) in new {
        let of_layer = known.0.entry(name.to_owned()).or_default();
        let mut whole: SharedFacts = std::mem::take(of_layer).into();
        whole.extend(without_secrets(facts));
        *of_layer = whole.into();
    }
    // Numbers and texts always can be written.
    let bytes = serde_json::to_vec(&known).unwrap_or_default();
    let is_known = held.record().is_some_and(|record| record.state() == bytes);
    if is_known { Ok(()) } else { held.save(&bytes, 0, SystemTime::now()) }
}

/// By what to tell what a user said no to; nothing where he did to nothing.
fn noes<'r>(refused: impl Iterator<Item = &'r Refused>) -> Option<usize> {
    let all: Vec<(&Vec<u64>, &Vec<u64>)> =
        refused.map(|one| (&one.left_alone, &one.forbidden)).collect();
    let is_none =
        all.iter().all(|(left_alone, forbidden)| left_alone.is_empty() && forbidden.is_empty());
    // Numbers always can be written.
    (!is_none).then(|| fingerprint(&serde_json::to_vec(&all).unwrap_or_default()))
}

fn fingerprint(bytes: &[u8]) -> usize {
    let mut hasher = XxHash64::with_seed(0);
    hasher.write(bytes);
    hasher.finish() as usize
}

/// What is authentic is of a known form.
fn read(bytes: &[u8]) -> Known {
    serde_json::from_slice(bytes).unwrap_or_default()
}

/// The same, with the directory in place of a path that holds a secret.
fn without_secrets(mut facts: SharedFacts) -> SharedFacts {
    for targets in facts.targets.values_mut() {
        let clean = std::mem::take(targets).into_iter().filter_map(|mut target| {
            while behavior_secrets::is_to_be_hidden(&target) {
                let at = target.rfind('/')?;
                target.truncate(at);
            }
            Some(target)
        });
        *targets = clean.collect();
    }
    facts
}

impl From<Facts> for SharedFacts {
    fn from(facts: Facts) -> Self {
        let Facts { targets, scheduled, overflowed, refused } = facts;
        let refused =
            refused.map(|Noes { left_alone, forbidden }| Refused { left_alone, forbidden });
        Self { targets, scheduled, overflowed, refused }
    }
}

impl From<SharedFacts> for Facts {
    fn from(facts: SharedFacts) -> Self {
        let SharedFacts { targets, scheduled, overflowed, refused } = facts;
        let refused =
            refused.map(|Refused { left_alone, forbidden }| Noes { left_alone, forbidden });
        Self { targets, scheduled, overflowed, refused }
    }
}
