//! What was asked of a provider and what it answered, so that what was made of it need not be made again before one of
//! these answers has changed.

use std::cell::RefCell;
use std::hash::{BuildHasher, Hash};

use crate::provider::{LIBRARY_PREFIX, ReadError, SourceProvider};

/// A question to the provider, and what it was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The bytes of a file, by their hash.
    Read(String, u64),
    /// The names in a folder, by their hash.
    List(String, u64),
    /// Whether there is a secret.
    Secret(String, bool),
    /// Whether there is a model that stands in.
    DefaultBrain(Option<bool>),
}

impl Asked {
    fn read(provider: &dyn SourceProvider, name: &str) -> Self {
        Self::answered(name, &provider.read(name))
    }

    /// What a file was read as.
    pub(crate) fn answered(name: &str, read: &Result<Vec<u8>, ReadError>) -> Self {
        Self::Read(name.to_owned(), hash(&outcome(read)))
    }

    fn list(provider: &dyn SourceProvider, name: &str) -> Self {
        Self::List(name.to_owned(), hash(&provider.list(name)))
    }

    /// Whether a provider answers the same.
    pub fn holds(&self, provider: &dyn SourceProvider) -> bool {
        match self {
            Self::Read(name, _) => *self == Self::read(provider, name),
            Self::List(name, _) => *self == Self::list(provider, name),
            Self::Secret(name, answer) => provider.has_secret(name) == *answer,
            Self::DefaultBrain(answer) => provider.has_default_brain() == *answer,
        }
    }
}

fn outcome(read: &Result<Vec<u8>, ReadError>) -> Result<&[u8], String> {
    match read {
        Ok(bytes) => Ok(bytes),
        Err(error) => Err(error.to_string()),
    }
}

/// Gives the files of another provider, and takes note of what is asked. What the standard library is asked for is
/// left out: it stays as it is.
pub struct Noting<'p> {
    below: &'p dyn SourceProvider,
    asked: RefCell<Vec<Asked>>,
}

impl<'p> Noting<'p> {
    /// Begins with nothing.
    #[must_use]
    pub fn new(below: &'p dyn SourceProvider) -> Self {
        Self { below, asked: RefCell::default() }
    }

    /// What was asked since this was called last.
    #[must_use]
    pub fn take(&self) -> Vec<Asked> {
        self.asked.take()
    }

    fn note(&self, asked: Asked) {
        let mut all = self.asked.borrow_mut();
        if !all.contains(&asked) {
            all.push(asked);
        }
    }
}

impl SourceProvider for Noting<'_> {
    fn read(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        let read = self.below.read(name);
        if !name.starts_with(LIBRARY_PREFIX) {
            self.note(Asked::answered(name, &read));
        }
        read
    }

    fn list(&self, directory: &str) -> Vec<String> {
        let names = self.below.list(directory);
        if !directory.starts_with(LIBRARY_PREFIX) {
            self.note(Asked::List(directory.to_owned(), hash(&names)));
        }
        names
    }

    fn has_secret(&self, name: &str) -> bool {
        let answer = self.below.has_secret(name);
        self.note(Asked::Secret(name.to_owned(), answer));
        answer
    }

    fn has_default_brain(&self) -> Option<bool> {
        let answer = self.below.has_default_brain();
        self.note(Asked::DefaultBrain(answer));
        answer
    }
}

/// A number that two texts share only if they are the same, for all that anybody will see.
pub(crate) fn hash(value: &(impl Hash + ?Sized)) -> u64 {
    foldhash::quality::FixedState::with_seed(0).hash_one(value)
}
