//! The classifier of a config. What it can do stands in the files beside this one.

use std::ops::Deref;

use behavior_image::classifier::ClassifierTable;

/// The classifier of a config.
#[derive(Clone, Copy, Debug)]
pub struct Classifier<'c> {
    config: &'c ClassifierTable,
}

impl<'c> Classifier<'c> {
    /// Takes up what a config describes.
    #[must_use]
    pub fn new(config: &'c ClassifierTable) -> Self {
        Self { config }
    }
}

impl Deref for Classifier<'_> {
    type Target = ClassifierTable;

    fn deref(&self) -> &ClassifierTable {
        self.config
    }
}
