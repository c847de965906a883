//! A folder for what is tried: nobody else may look into it, and it goes away with its owner.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::{project, random};

/// The folder.
pub struct PrivateFolder {
    path: PathBuf,
}

/// Why there is none.
#[derive(Debug, thiserror::Error)]
#[error("cannot make `{}`: {}", path.display(), project::describe(error))]
pub struct FolderError {
    path: PathBuf,
    error: io::Error,
}

impl PrivateFolder {
    /// Makes one among the system's temporary files, whose name begins like this. The path has no links in it.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new(begins: &str) -> Result<Self, FolderError> {
        let temporary = std::env::temp_dir();
        let temporary = temporary.canonicalize().unwrap_or(temporary);
        let failed = |path: &Path, error| FolderError { path: path.to_owned(), error };
        let name = random::name::<8>().map_err(|error| failed(&temporary, error))?;
        let path = temporary.join(format!("{begins}-{name}"));
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&path).map_err(|error| failed(&path, error))?;
        Ok(Self { path })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_its_own_and_goes_away() {
        let (first, second) = (PrivateFolder::new("behavior-x"), PrivateFolder::new("behavior-x"));
        let (first, second) = (first.unwrap(), second.unwrap());
        assert_ne!(first.path(), second.path());
        let path = first.path().to_owned();
        fs::write(path.join("a"), "b").unwrap();
        drop(first);
        assert!(!path.exists() && second.path().is_dir());
    }
}
