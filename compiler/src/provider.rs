//! Where the compiler's files come from. It never opens one itself.

use std::fmt;

use crate::syntax::Node;

/// Gives the compiler the files that it asks for.
///
/// Names are those that users see. Names that start with `builtin:` are the standard library's.
pub trait SourceProvider {
    /// The bytes of a file.
    ///
    /// # Errors
    /// When there is no such file, or it cannot be read.
    fn read(&self, name: &str) -> Result<Vec<u8>, ReadError>;

    /// The names of the files in a directory, without the directory; empty where there is none.
    fn list(&self, directory: &str) -> Vec<String>;

    /// Whether an environment variable is set. Its value is none of the compiler's business.
    fn has_secret(&self, name: &str) -> bool;

    /// Whether the user, or whoever is trusted more than the rules that are compiled, names a model that stands in
    /// where these name none. Asked only where an answer matters; `None` where that is not known.
    fn has_default_brain(&self) -> Option<bool> {
        None
    }

    /// The config that a file holds somewhere inside of it, where it holds one there: what is read in place of the
    /// whole file, by the places that it has in it.
    fn config_inside(&self, _name: &str) -> Option<Node> {
        None
    }
}

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// There is no such file.
    NotFound,
    /// There is, and reading it failed, for this reason.
    Failed(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NotFound => write!(f, "there is no such file"),
            ReadError::Failed(reason) => write!(f, "{reason}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// A provider of which one file has another text, such as one that is not written yet.
pub struct Instead<'a> {
    /// Where all other files come from.
    pub below: &'a dyn SourceProvider,
    /// The name of the file.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
}

impl SourceProvider for Instead<'_> {
    fn read(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        match name == self.name {
            true => Ok(self.text.as_bytes().to_vec()),
            false => self.below.read(name),
        }
    }

    fn list(&self, directory: &str) -> Vec<String> {
        self.below.list(directory)
    }

    fn has_secret(&self, name: &str) -> bool {
        self.below.has_secret(name)
    }

    fn has_default_brain(&self) -> Option<bool> {
        self.below.has_default_brain()
    }
}

/// A provider with the standard library in front of it.
#[derive(Clone, Debug)]
pub struct WithLibrary<P> {
    /// The text of a file of the standard library, by its name without `builtin:`.
    pub library: fn(&str) -> Option<&'static str>,
    /// The names of the built-in profiles.
    pub presets: &'static [&'static str],
    /// Everything else.
    pub project: P,
}

/// What the names of the standard library's files start with.
pub const LIBRARY_PREFIX: &str = "builtin:";

impl<P: SourceProvider> SourceProvider for WithLibrary<P> {
    fn read(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        match name.strip_prefix(LIBRARY_PREFIX) {
            Some(name) => {
                (self.library)(name).map(|text| text.as_bytes().to_vec()).ok_or(ReadError::NotFound)
            }
            None => self.project.read(name),
        }
    }

    fn list(&self, directory: &str) -> Vec<String> {
        if directory == LIBRARY_PREFIX {
            return self.presets.iter().map(|&preset| preset.to_owned()).collect();
        }
        self.project.list(directory)
    }

    fn has_secret(&self, name: &str) -> bool {
        self.project.has_secret(name)
    }

    fn has_default_brain(&self) -> Option<bool> {
        self.project.has_default_brain()
    }
}

/// Files held in memory, by name.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    /// The files.
    pub files: std::collections::BTreeMap<String, Vec<u8>>,
}

impl MemoryFiles {
    /// Files of these names and texts.
    pub fn new<N: Into<String>, T: Into<Vec<u8>>>(files: impl IntoIterator<Item = (N, T)>) -> Self {
        let files = files.into_iter().map(|(name, text)| (name.into(), text.into())).collect();
        Self { files }
    }
}

impl SourceProvider for MemoryFiles {
    fn read(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        self.files.get(name).cloned().ok_or(ReadError::NotFound)
    }

    fn list(&self, directory: &str) -> Vec<String> {
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let inside = self.files.keys().filter_map(|name| name.strip_prefix(&prefix));
        inside.filter(|name| !name.contains('/')).map(str::to_owned).collect()
    }

    fn has_secret(&self, _name: &str) -> bool {
        false
    }
}
