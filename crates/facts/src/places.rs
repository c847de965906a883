//! Where the files of a call lie: as seen from the root, the working directory, the repository and the home. Places that
//! are known by custom are named here, too. Asks nobody what is there.

use behavior_shell::{HOLE, goes_back};

use crate::path::{below, is_absolute, is_in, normalise, on_drive, slashed};
use crate::path_patterns::Anchor;
use crate::touched::TouchedFile;

/// Directories for what does not last.
pub const SCRATCH: [&str; 6] =
    ["/tmp", "/var/tmp", "/private/tmp", "/private/var/folders", "/var/folders", "/dev/shm"];

/// Where keys and credentials lie in a home by custom.
pub const KEPT_IN_HOME: [&str; 4] = [".ssh", ".aws", ".gnupg", ".kube"];

/// The places that paths and globs are seen from.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// The working directory: an absolute path, as [`working_directory`] makes it.
    pub cwd: Option<String>,
    /// The user's home.
    pub home: Option<String>,
    /// The root of the repository.
    pub repository: Option<String>,
    /// Whether the working directory surely lies outside of the repository.
    pub strays: bool,
}

impl Places {
    /// Locates a file, so that several conditions can ask about it.
    #[must_use]
    pub fn locate(&self, file: TouchedFile) -> LocatedFile {
        LocatedFile { full: self.full(&file.path), real: None, file }
    }

    /// Returns whether a directory holds the working directory, the repository or the home: anything may lie in it.
    #[must_use]
    pub fn is_wide(&self, full: &str) -> bool {
        let is_at_or_above =
            |place: &Option<String>| place.as_deref().is_some_and(|place| is_in(place, full));
        is_at_or_above(&self.cwd)
            || is_at_or_above(&self.repository)
            || is_at_or_above(&self.home)
            || matches!(full, "." | ".." | "~" | "/")
    }

    /// Returns the user's home where a directory is that or holds it, unless the session works in a place that does as well: who
    /// reads all of a home reads what is kept there for the user alone.
    #[must_use]
    pub fn home_in(&self, full: &str) -> Option<String> {
        let home = self.home.as_deref().filter(|home| is_in(home, full))?;
        let mut places = [&self.cwd, &self.repository].into_iter().flatten();
        (!places.any(|place| is_in(home, place))).then(|| home.to_owned())
    }

    /// Returns whether a path lies in the working directory or in the repository. A working directory elsewhere is no part of what the
    /// session works on.
    #[inline]
    #[must_use]
    pub fn is_inside(&self, full: &str) -> bool {
        let is_within =
            |place: &Option<String>| place.as_deref().is_some_and(|place| is_in(full, place));
        is_within(&self.repository) || !self.strays && is_within(&self.cwd)
    }

    /// Returns a path as seen from the root of the repository, or from the working directory, where it lies in one of them.
    #[must_use]
    pub fn inside<'p>(&self, full: &'p str) -> &'p str {
        let mut places = [&self.repository, &self.cwd].into_iter().flatten();
        places.find_map(|place| below(full, place)).unwrap_or(full)
    }

    /// Returns a path in the repository, by what lies below its root.
    #[must_use]
    pub fn in_repository(&self, below: &str) -> Option<String> {
        let root = self.repository.as_deref()?;
        Some(format!("{}/{below}", root.trim_end_matches('/')))
    }

    /// Returns whether a directory is the root of the repository, or nobody knows where that is.
    #[must_use]
    pub fn is_repository(&self, root: &str) -> bool {
        self.repository.as_deref().is_none_or(|own| own == root)
    }

    /// Returns where a glob starts from, as far as that is known.
    #[inline]
    #[must_use]
    pub fn place(&self, anchor: Anchor) -> Option<&str> {
        match anchor {
            Anchor::Any | Anchor::Root => Some(""),
            Anchor::Cwd => self.cwd.as_deref(),
            Anchor::Repository => self.repository.as_deref(),
            Anchor::Home => self.home.as_deref(),
        }
    }

    /// Returns a path as seen from the root; from the working directory or the home, where those are not known.
    #[must_use]
    pub fn full(&self, path: &str) -> String {
        let path = slashed(path);
        let mut scratch = String::new();
        match (path.strip_prefix('~'), &self.home) {
            (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
                normalise(&format!("{home}{rest}"), None, &mut scratch).to_owned()
            }
            (Some(rest), None) if rest.is_empty() || rest.starts_with('/') => {
                normalise(&path, None, &mut scratch).to_owned()
            }
            _ => on_drive(&path, self.cwd.as_deref())
                .unwrap_or_else(|| normalise(&path, self.cwd.as_deref(), &mut scratch).to_owned()),
        }
    }

    /// Returns a path that leads into a directory and out of it again, as the system goes: where that directory is a link, it
    /// comes out somewhere else. `None` for all other paths.
    #[must_use]
    pub fn as_written(&self, path: &str) -> Option<String> {
        if path.contains(HOLE) || path.starts_with('~') || !goes_back(path) {
            return None;
        }
        match &self.cwd {
            _ if path.starts_with('/') => Some(path.to_owned()),
            Some(cwd) if cwd.starts_with('/') => Some(format!("{cwd}/{path}")),
            _ => None,
        }
    }

    /// Returns the text that a glob with an anchor is matched against: the path as seen from there; `None` where
    /// it does not lie there.
    #[inline]
    #[must_use]
    pub fn seen_from<'p>(&self, anchor: Anchor, full: &'p str) -> Option<&'p str> {
        match anchor {
            Anchor::Any => Some(full),
            Anchor::Root => is_absolute(full).then_some(full),
            _ => match self.place(anchor) {
                Some(place) => below(full, place),
                // What is given as seen from there is seen from there.
                None if anchor == Anchor::Home => full.strip_prefix("~/"),
                None => (!is_absolute(full) && !full.starts_with(['~', '.'])).then_some(full),
            },
        }
    }

    /// Returns a glob without braces as a pattern for whole paths.
    #[must_use]
    pub fn whole(&self, glob: &str) -> String {
        let (anchor, rest) = Anchor::of(glob);
        match (anchor, self.place(anchor)) {
            (Anchor::Any, _) => format!("*/{rest}"),
            (Anchor::Root, _) => rest.to_owned(),
            (Anchor::Home, None) => format!("~/{rest}"),
            (_, Some(place)) => format!("{}/{rest}", place.trim_end_matches('/')),
            (_, None) => rest.to_owned(),
        }
    }
}

/// Returns a working directory as [`Places`] have it; `None` for one of which nobody can tell where it lies.
#[must_use]
pub fn working_directory(cwd: &str) -> Option<String> {
    is_absolute(cwd).then(|| normalise(&slashed(cwd), None, &mut String::new()).to_owned())
}

/// A file that a call touches, and where it lies.
#[derive(Clone, Debug)]
pub struct LocatedFile {
    /// The file as the call says it.
    pub file: TouchedFile,
    /// Its path as seen from the root; from the working directory or the home, where those are not known.
    pub full: String,
    /// The real name where that is another one, once somebody asked.
    pub real: Option<Option<String>>,
}

impl LocatedFile {
    /// Returns whether it is a place, or lies in it.
    #[must_use]
    pub fn lies_in(&self, place: &str) -> bool {
        self.file.is_known() && is_in(&self.full, place)
    }

    /// Returns whether it may be a place, or lie there, or hold it. What is not known may.
    #[must_use]
    pub fn may_overlap(&self, place: &str) -> bool {
        if self.full.contains(HOLE) || place.contains(HOLE) {
            return true;
        }
        let pattern = self.full.find(['*', '?', '[']).filter(|_| self.file.is_pattern);
        let known = pattern.and_then(|at| self.full.get(..at)).map_or(&*self.full, |head| {
            head.rsplit_once('/').map_or("", |(directory, _)| directory)
        });
        known.is_empty() || is_in(place, known) || is_in(known, place)
    }
}

/// Returns whether a path is one at which git, or a manager of its hooks, looks for a hook.
#[must_use]
pub fn is_of_hooks(full: &str) -> bool {
    let Some((directory, name)) = full.rsplit_once('/') else { return false };
    let is_directory = ["/.git/hooks", "/.husky", "/.githooks"]
        .into_iter()
        .any(|own| directory.ends_with(own) || directory == own.trim_start_matches('/'));
    is_directory && !name.ends_with(".sample") && !name.starts_with('.')
}
