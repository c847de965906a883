//! Which projects the user trusts: for each, what it may do besides making decisions stricter. Kept in the
//! state directory, a file for each project; projects that ask for no more than was granted stay trusted.

use std::io;
use std::path::{Path, PathBuf};

use behavior_compiler::{Loosening, WAS_TRUSTED};
use serde::{Deserialize, Serialize};

use super::secret_key::SecretKey;
use crate::project::LayerFiles;
use crate::{atomic, project};

/// The folder in the state directory.
const FOLDER: &str = "trust";
/// No project has a larger file.
const MAX_LENGTH: u64 = 4 << 20;

/// Where trust is kept; nowhere if nothing says where state is kept.
#[derive(Clone, Copy, Debug)]
pub struct Trust<'a> {
    state: Option<&'a Path>,
}

/// What is trusted of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// The folder with its rules.
    pub folder: PathBuf,
    /// Who owned the folder; trust does not pass to somebody else's.
    pub owner: u32,
    /// When it was given, in milliseconds since the epoch.
    pub since: i64,
    /// Hashes of what it may do.
    pub may: Vec<String>,
    /// The same for people.
    pub what: Vec<String>,
    /// What authenticates all of it.
    #[serde(default)]
    mac: String,
}

impl<'a> Trust<'a> {
    /// Makes trust that is kept in a state directory.
    #[must_use]
    pub fn in_state(state: Option<&'a Path>) -> Self {
        Self { state }
    }

    /// Returns the file that says what is trusted of a layer's folder.
    #[must_use]
    pub fn file(&self, files: &LayerFiles) -> String {
        let folder = whole(&files.folder);
        let name = blake3::hash(folder.as_os_str().as_encoded_bytes()).to_hex();
        let name = format!("{}.json", name.get(..32).unwrap_or_default());
        project::display(&self.state.unwrap_or(Path::new("")).join(FOLDER).join(name))
    }

    /// Returns whether everything that the rules of a layer want to do is trusted.
    #[must_use]
    pub fn covers(&self, files: &LayerFiles, loosening: &[Loosening]) -> bool {
        let Some(grant) = self.grant(files) else { return false };
        loosening.iter().all(|one| grant.may.contains(&hash(one)))
    }

    /// Returns the identities of what is trusted of what the rules of a layer want to do.
    #[must_use]
    pub fn granted(&self, files: &LayerFiles, loosening: &[Loosening]) -> Vec<String> {
        let may = self.grant(files).map(|grant| grant.may).unwrap_or_default();
        let identities = loosening.iter().map(|one| &*one.identity).chain([WAS_TRUSTED]);
        let granted = identities.filter(|identity| may.contains(&hash_of(identity)));
        granted.map(str::to_owned).collect()
    }

    /// Returns what has no effect until the user trusts it, for people: what stands alone and is trusted has.
    #[must_use]
    pub fn waiting(&self, files: &LayerFiles, loosening: &[Loosening]) -> Vec<String> {
        let granted = self.granted(files, loosening);
        let waits = |one: &&Loosening| !one.stands_alone() || !granted.contains(&one.identity);
        loosening.iter().filter(waits).map(|one| one.what.clone()).collect()
    }

    /// Returns what is trusted of a layer's folder.
    #[must_use]
    pub fn grant(&self, files: &LayerFiles) -> Option<Grant> {
        let key = SecretKey::of_user(self.state?).ok()?;
        let grant = read(Path::new(&self.file(files)))?;
        let is_same = grant.mac == mac(&grant, &key)
            && grant.folder == whole(&files.folder)
            && project::owner(Path::new(&here(&files.folder))) == Some(grant.owner);
        is_same.then_some(grant)
    }

    /// Trusts what the rules of a layer want to do now, and nothing else.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub fn give(&self, files: &LayerFiles, loosening: &[Loosening], now: i64) -> io::Result<()> {
        let before = Grant { may: vec![hash_of(WAS_TRUSTED)], ..Grant::default() };
        self.keep(files, before, loosening, now)
    }

    /// Trusts one thing besides what is trusted already.
    ///
    /// # Errors
    /// When it cannot be kept.
    pub fn add(&self, files: &LayerFiles, loosening: &Loosening, now: i64) -> io::Result<()> {
        let before = self.grant(files).unwrap_or_default();
        self.keep(files, before, std::slice::from_ref(loosening), now)
    }

    fn keep(
        &self,
        files: &LayerFiles,
        before: Grant,
        added: &[Loosening],
        now: i64,
    ) -> io::Result<()> {
        let key = SecretKey::of_user(self.state.unwrap_or(Path::new("")))?;
        let (mut may, mut what) = (before.may, before.what);
        may.extend(added.iter().map(hash));
        what.extend(added.iter().map(|one| one.what.clone()));
        let mut grant = Grant {
            folder: whole(&files.folder),
            owner: project::owner(Path::new(&here(&files.folder))).unwrap_or_default(),
            since: now,
            may,
            what,
            mac: String::new(),
        };
        grant.mac = mac(&grant, &key);
        let path = PathBuf::from(self.file(files));
        super::store::create_private(path.parent().unwrap_or(Path::new("")))?;
        atomic::write(&path, &serde_json::to_vec_pretty(&grant)?)
    }

    /// Takes trust back; says whether there was some.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn take_back(&self, files: &LayerFiles) -> io::Result<bool> {
        match std::fs::remove_file(self.file(files)) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Lists all projects that are trusted, by folder.
    #[must_use]
    pub fn list(&self) -> Vec<Grant> {
        let Some(state) = self.state else { return Vec::new() };
        let entries = std::fs::read_dir(state.join(FOLDER)).into_iter().flatten().flatten();
        let mut grants: Vec<Grant> = entries.filter_map(|entry| read(&entry.path())).collect();
        grants.sort_by(|one, other| one.folder.cmp(&other.folder));
        grants
    }
}

fn read(path: &Path) -> Option<Grant> {
    serde_json::from_slice(&project::read_own(path, MAX_LENGTH).ok()?).ok()
}

/// What authenticates a grant.
fn mac(grant: &Grant, key: &SecretKey) -> String {
    let unsigned = Grant { mac: String::new(), ..grant.clone() };
    let bytes = serde_json::to_vec(&unsigned).unwrap_or_default();
    key.mac("trust", 0, &bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn hash(loosening: &Loosening) -> String {
    hash_of(&loosening.identity)
}

fn hash_of(identity: &str) -> String {
    blake3::hash(identity.as_bytes()).to_hex().to_string()
}

/// A folder by its whole path, links resolved.
fn whole(folder: &str) -> PathBuf {
    let folder = PathBuf::from(here(folder));
    folder.canonicalize().unwrap_or(folder)
}

/// A folder as a path that can be looked at.
fn here(folder: &str) -> &str {
    if folder.is_empty() { "." } else { folder }
}
