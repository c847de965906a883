//! The files that the language server is given: those on disk, with what `behavior check` knows of the user besides.

use behavior_compiler::{ReadError, SourceProvider};

use crate::{models, project};

/// The files of disk and of the standard library, for an editor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Files;

impl SourceProvider for Files {
    fn read(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        project::provider().read(name)
    }

    fn list(&self, directory: &str) -> Vec<String> {
        project::provider().list(directory)
    }

    fn has_secret(&self, name: &str) -> bool {
        project::provider().has_secret(name)
    }

    fn has_default_brain(&self) -> Option<bool> {
        Some(models::has_default_brain())
    }
}
