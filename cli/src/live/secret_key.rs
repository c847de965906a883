//! The user's key: what this program keeps for itself and reads again later is authenticated with it, so that
//! nobody else's bytes are taken for its own.
//!
//! It protects against who can write where things are kept, but not read the key: another user, a program in
//! a sandbox, an archive that was unpacked over the cache. Who runs as the user can read it; rules keep an
//! agent away from it.

use std::io::{self, Write};
use std::path::Path;

use super::store::{Seal, create_private, private};
use crate::{project, random};

/// The file in the state directory.
pub const FILE: &str = "key";
const LENGTH: usize = 32;

/// What only this user's processes know.
#[derive(Clone)]
pub struct SecretKey([u8; LENGTH]);

impl std::fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretKey")
    }
}

impl SecretKey {
    /// Returns the key that is kept in the state directory, made when there is none.
    ///
    /// # Errors
    /// When it cannot be read or made, or others could have written or read it.
    pub fn of_user(state: &Path) -> io::Result<Self> {
        let path = state.join(FILE);
        match project::read_own(&path, LENGTH as u64) {
            Ok(bytes) if project::is_own_folder(state) && project::is_secret(&path) => {
                Self::from_bytes(&bytes)
            }
            Ok(_) => Err(io::ErrorKind::PermissionDenied.into()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::create(state, &path),
            Err(error) => Err(error),
        }
    }

    /// Returns what authenticates the saved sessions.
    #[must_use]
    pub fn seal(&self) -> Seal {
        Seal::new(self.mac("sessions", 0, &[]))
    }

    /// Makes a key. Of two processes that do at once, both take the one that was there first.
    fn create(state: &Path, path: &Path) -> io::Result<Self> {
        create_private(state)?;
        if !project::is_own_folder(state) {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        let bytes = random::bytes::<LENGTH>()?;
        let new = path.with_extension(format!("new-{}", random::name::<8>()?));
        let written = private()
            .write(true)
            .create_new(true)
            .open(&new)
            .and_then(|mut file| file.write_all(&bytes))
            .and_then(|()| std::fs::hard_link(&new, path));
        let _ = std::fs::remove_file(&new);
        match written {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
            _ => Self::from_bytes(&project::read_own(path, LENGTH as u64)?),
        }
    }

    fn from_bytes(bytes: &[u8]) -> io::Result<Self> {
        bytes.try_into().map(Self).map_err(|_| io::ErrorKind::InvalidData.into())
    }

    /// Authenticates bytes for a purpose: what is good for one is good for no other.
    #[must_use]
    pub fn mac(&self, purpose: &str, number: u64, bytes: &[u8]) -> [u8; 32] {
        self.mac_of_parts(purpose, number, &[bytes])
    }

    /// Authenticates bytes that stand in several places, as [`Self::mac`] does all of them behind each other.
    #[must_use]
    pub fn mac_of_parts(&self, purpose: &str, number: u64, parts: &[&[u8]]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(&(purpose.len() as u64).to_le_bytes());
        hasher.update(purpose.as_bytes());
        hasher.update(&number.to_le_bytes());
        for part in parts {
            hasher.update(part);
        }
        hasher.finalize().into()
    }
}

/// Says that the key cannot be used, and what to do.
#[must_use]
pub fn refused(state: &Path, error: &io::Error) -> String {
    format!(
        "the key `{}` cannot be used, which authenticates saved sessions: {}; make it readable by you alone, \
         or remove it and all sessions start afresh",
        state.join(FILE).display(),
        project::describe(error)
    )
}
