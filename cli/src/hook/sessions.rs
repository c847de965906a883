//! A session between two hooks: taken up from what was kept of it, and kept again.

use std::sync::Arc;
use std::time::SystemTime;

use behavior_runtime::{KeptSets, LayeredSession, Layers, SavedError, Session};

use super::trouble::Trouble;
use crate::live::constitution;
use crate::live::kept_sets::{self, LayerSets};
use crate::live::state::{About, Kept};
use crate::live::store::{Held, StoreError};

/// The session of which something is known. It is held for good: the process ends with this event.
#[inline(never)]
pub(super) fn session_of(
    layers: &Arc<Layers>,
    names: &[String],
    kept: &Kept<'_>,
    shelves: &Shelves,
) -> Result<&'static mut LayeredSession, SavedError> {
    let mut names = names.iter().zip(&shelves.sets);
    let mut failed = None;
    let session = LayeredSession::with(Arc::clone(layers), |_, image| {
        let Some((name, sets)) = names.next() else { return Session::new(image) };
        let saved = kept.of_layer(name);
        if saved.is_empty() {
            return Session::new_apart(image, sets);
        }
        Session::restore_apart(Arc::clone(&image), saved, sets).unwrap_or_else(|error| {
            failed = Some(error);
            Session::new(image)
        })
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(Box::leak(Box::new(session))),
    }
}

/// Where the layers of a session keep the targets of their sets.
pub(super) struct Shelves {
    /// Under which names.
    pub names: Vec<String>,
    pub sets: Vec<Arc<dyn KeptSets>>,
    pub trouble: kept_sets::Trouble,
}

impl Shelves {
    pub(super) fn of(held: &Held, layers: &[String], kept: &Kept<'_>, about: &mut About) -> Self {
        let names: Vec<String> = layers
            .iter()
            .map(|layer| about.shelf(layer, kept.of_layer(layer).is_empty()))
            .collect();
        let trouble = kept_sets::Trouble::default();
        let sets = |name: &String| -> Arc<dyn KeptSets> {
            Arc::new(LayerSets::new(held.tree(), name.clone(), &trouble))
        };
        Self { sets: names.iter().map(sets).collect(), names, trouble }
    }

    /// Takes what went wrong when they were asked.
    pub(super) fn trouble(&self) -> Option<StoreError> {
        self.trouble.lock().ok()?.take()
    }
}

/// What is saved of a session.
pub(super) struct State<'a> {
    pub session: &'a LayeredSession,
    /// The names of the layers.
    pub names: &'a [String],
    /// Where they keep the targets of their sets.
    pub shelves: &'a Shelves,
    /// What layers know that could not decide now.
    pub resting: &'a [(String, Vec<u8>)],
    pub about: About,
}

impl State<'_> {
    pub(super) fn save(mut self, mut held: Held, ended: bool) -> Result<(), Trouble> {
        if ended {
            return held.remove().map_err(of_store);
        }
        let saved: Vec<Vec<u8>> = self
            .session
            .sessions()
            .map(|(_, session)| {
                let mut bytes = Vec::with_capacity(1024);
                session.save(&mut bytes);
                bytes
            })
            .collect();
        let resting = self.resting.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        let own = self.names.iter().map(String::as_str).zip(saved.iter().map(Vec::as_slice));
        let constitution = self.session.constitution();
        let of_session = constitution.and_then(|layer| layer.session()).map(|session| {
            let mut bytes = Vec::with_capacity(1024);
            session.save(&mut bytes);
            bytes
        });
        let of_session = of_session.as_deref().map(|bytes| (constitution::STATE_NAME, bytes));
        let layers: Vec<(&str, &[u8])> = of_session.into_iter().chain(resting).chain(own).collect();
        self.about.shelves.retain(|name, _| layers.iter().any(|(known, _)| known == name));
        let resting = self.resting.iter().filter_map(|(name, _)| self.about.shelves.get(name));
        let resting: Vec<String> = resting.cloned().collect();
        let names = self.shelves.names.iter().map(String::as_str);
        let shelves: Vec<(&str, &Session)> =
            names.zip(self.session.sessions().map(|(_, session)| session)).collect();
        let values = kept_sets::to_keep(held.tree().seal(), shelves.iter().copied());
        let is_held = |value: &[u8]| kept_sets::is_held(value, &shelves, &resting);
        let kept = Kept { about: self.about, layers };
        let identity = self.session.layers().own().identity();
        held.save_with(values, &is_held, &kept.write(), identity, SystemTime::now())
            .map_err(of_store)
    }
}

pub(super) fn of_store(error: crate::live::store::StoreError) -> Trouble {
    Trouble::new(&crate::live::describe(&error))
}
