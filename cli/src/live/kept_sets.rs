//! The targets of a session's sets as its tree keeps them: each under a hash of its layer, its set and itself. A
//! target with a secret is kept as its hash alone.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use behavior_runtime::host::Fingerprint;
use behavior_runtime::saved::SECRET;
use behavior_runtime::{KeptEntry, KeptSets, KeptTarget, Session, SetEntry};
use serde::{Deserialize, Serialize};

use super::store::{Seal, StoreError, Tree};

/// The sets of one layer, in the tree of a session.
#[derive(Debug)]
pub struct LayerSets {
    tree: Arc<Tree>,
    layer: String,
    trouble: Trouble,
}

/// What went wrong with a tree while it was asked; shared by the layers.
pub type Trouble = Arc<Mutex<Option<StoreError>>>;

impl LayerSets {
    /// The sets of a layer. What goes wrong when they are asked is left in `trouble`.
    #[must_use]
    pub fn new(tree: &Arc<Tree>, layer: String, trouble: &Trouble) -> Self {
        Self { tree: Arc::clone(tree), layer, trouble: Arc::clone(trouble) }
    }

    fn told<T>(&self, asked: Result<T, StoreError>) -> Option<T> {
        asked
            .map_err(|error| {
                if let Ok(mut trouble) = self.trouble.lock() {
                    trouble.get_or_insert(error);
                }
            })
            .ok()
    }
}

impl KeptSets for LayerSets {
    fn get(&self, set: &str, target: &str) -> Option<KeptEntry> {
        let key = self.tree.seal().of_target(&self.layer, set, target);
        let value = self.told(self.tree.get(key))??;
        // What is authentic is of a known form.
        Some(Value::read(&value)?.kept())
    }

    fn all(&self, set: &str) -> Vec<KeptEntry> {
        let all = self.told(self.tree.all()).unwrap_or_default();
        let values = all.iter().filter_map(|(_, value)| Value::read(value));
        values.filter(|value| value.is_of(&self.layer, set)).map(|value| value.kept()).collect()
    }
}

/// What the tree has of a target, as JSON: short keys, since there are many.
#[derive(Debug, Serialize, Deserialize)]
struct Value<'v>(
    /// The layer.
    #[serde(borrow)]
    std::borrow::Cow<'v, str>,
    /// The set.
    #[serde(borrow)]
    std::borrow::Cow<'v, str>,
    /// Which use of the set was the last.
    u64,
    /// The turn.
    u32,
    /// The size and the time of the file, where they are known.
    Option<(Option<u64>, Option<i64>)>,
    /// The target, unless it has a secret.
    #[serde(borrow)]
    Option<std::borrow::Cow<'v, str>>,
);

impl<'v> Value<'v> {
    fn read(bytes: &'v [u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }

    fn write(layer: &str, set: &str, target: &str, kept: &KeptEntry) -> Vec<u8> {
        let Fingerprint { size, mtime } = kept.entry.fingerprint.unwrap_or_default();
        let fingerprint = kept.entry.fingerprint.map(|_| (size, mtime));
        let has_secret = behavior_secrets::is_to_be_hidden(target);
        let target = (!has_secret).then(|| target.into());
        let value = Value(layer.into(), set.into(), kept.at, kept.entry.turn, fingerprint, target);
        // Numbers and texts always can be written.
        serde_json::to_vec(&value).unwrap_or_default()
    }

    fn is_of(&self, layer: &str, set: &str) -> bool {
        self.0 == layer && self.1 == set
    }

    fn kept(&self) -> KeptEntry {
        let fingerprint = self.4.map(|(size, mtime)| Fingerprint { size, mtime });
        KeptEntry { entry: SetEntry { turn: self.3, fingerprint }, at: self.2 }
    }
}

/// Returns all targets that are kept of a layer's sets.
///
/// # Errors
/// When the tree is damaged or cannot be read.
pub fn targets(tree: &Tree, layer: &str) -> Result<Vec<KeptTarget>, StoreError> {
    let all = tree.all()?;
    let values = all.iter().filter_map(|(_, value)| Value::read(value));
    let of_layer = values.filter(|value| value.0 == layer);
    let target = |value: &Value<'_>| value.5.as_deref().unwrap_or(SECRET).to_owned();
    Ok(of_layer
        .map(|value| KeptTarget {
            set: value.1.to_string(),
            target: target(&value),
            kept: value.kept(),
        })
        .collect())
}

/// Collects what the sessions of the layers have to keep, for the tree.
#[must_use]
pub fn to_keep<'s>(
    seal: &Seal,
    layers: impl Iterator<Item = (&'s str, &'s Session)>,
) -> BTreeMap<u128, Vec<u8>> {
    let mut values = BTreeMap::new();
    for (layer, session) in layers {
        for (set, target, kept) in session.targets_to_keep() {
            let key = seal.of_target(layer, set, target);
            values.insert(key, Value::write(layer, set, target, &kept));
        }
    }
    values
}

/// Returns whether a value of the tree still is of a set. What layers hold that are not there now stays.
#[must_use]
pub fn is_held(value: &[u8], layers: &[(&str, &Session)], resting: &[String]) -> bool {
    let Some(value) = Value::read(value) else { return false };
    let found = layers.iter().find(|(layer, _)| *layer == value.0);
    match found {
        Some((_, session)) => session.admits(&value.1, &value.kept()),
        None => resting.iter().any(|layer| *layer == value.0),
    }
}
