//! Whether the user spoke of a file: by its name, by its kind, or by what it is for.

use behavior_intent::files::meant::{Meant, is_meant};
use behavior_intent::wish::Wish;

use super::PathMatcher;
use behavior_facts::path::{below, is_absolute};
use behavior_facts::places::Places;

impl PathMatcher<'_, '_> {
    /// Whether the user wants a file away: by its name, with all of its kind, or as the database that is for development.
    pub(super) fn is_wished_away(&self, full: &str) -> bool {
        self.is_wished(full, |name| Wish::Path(name).hash())
            || self.is_kind_wished(full)
            || self.is_database_wished(full)
    }

    /// Whether the user wants something put there.
    pub(super) fn is_mentioned(&self, full: &str) -> bool {
        self.is_wished(full, |name| Wish::Place(name).hash())
    }

    /// Whether the user said to leave a file as it is: by its name, by that of a folder that it lies in, by what it is for,
    /// or since other files of the project alone are to be changed.
    pub(super) fn is_left_alone(&self, full: &str) -> bool {
        let has = |wish: Wish<'_>| self.named.binary_search(&wish.hash()).is_ok();
        // What the user wants as it was before has been changed already, and may be taken back.
        let is_undone = |place: &str| is_meant(place, |meant| has(Wish::Undone(meant)));
        if self.takes_back && self.of_project(full).is_some_and(is_undone) {
            return false;
        }
        self.of_project(full).is_some_and(|place| self.is_beside_scope(place))
            || self.is_told_of(full, |meant| Wish::LeftAlone(meant).hash())
    }

    /// Whether the user spoke of what is there already: "no changes to existing migrations".
    pub(super) fn leaves_what_is_there(&self) -> bool {
        self.left_alone.binary_search(&Wish::LeftIfThere.hash()).is_ok()
    }

    /// Whether other files alone are to be changed. An agent of the user's is told so among what is to be left.
    fn is_beside_scope(&self, place: &str) -> bool {
        let lists = [self.scope, self.left_alone];
        let has = |wish: Wish<'_>| {
            let hash = wish.hash();
            lists.iter().any(|list| list.binary_search(&hash).is_ok())
        };
        lists.iter().any(|list| !list.is_empty())
            && has(Wish::Only)
            && !is_meant(place, |meant| has(Wish::OnlyOf(meant)))
    }

    /// Whether the user said not to delete a file, by its name, by that of a folder that it lies in, or by what it is for.
    pub(super) fn is_kept(&self, full: &str) -> bool {
        self.is_told_of(full, |meant| Wish::Kept(meant).hash())
    }

    /// Whether a wish of a kind, by its hash, is among those that hold for files to be left.
    fn is_told_of(&self, full: &str, hash: impl Fn(Meant<'_>) -> u64) -> bool {
        if self.left_alone.is_empty() {
            return false;
        }
        let is_told = |meant: Meant<'_>| self.left_alone.binary_search(&hash(meant)).is_ok();
        let is_excepted = |meant: Meant<'_>| {
            let hash = Wish::Excepted(meant).hash();
            [&self.left_alone, &self.named].iter().any(|all| all.binary_search(&hash).is_ok())
        };
        if self.of_project(full).is_some_and(|place| is_meant(place, is_excepted)) {
            return false;
        }
        let home = self.places.home.as_deref().and_then(|home| below(full, home));
        home.is_some_and(|name| is_told(Meant::Path(&format!("~/{}", name.to_lowercase()))))
            || self.of_project(full).is_some_and(|place| is_meant(place, is_told))
    }

    /// A path as seen from the project; `None` for one that lies elsewhere.
    fn of_project<'f>(&self, full: &'f str) -> Option<&'f str> {
        self.place_here(full).or_else(|| (!is_absolute(full)).then_some(full))
    }

    /// Whether the user spoke of a file, or of a folder that it lies in, by its name as seen from some place. `hash` is
    /// that of what was wanted of it.
    fn is_wished(&self, full: &str, hash: impl Fn(&str) -> u64) -> bool {
        let Places { cwd, repository, home, .. } = self.places;
        let places = [Some(""), cwd.as_deref(), repository.as_deref()];
        let is_wished = |name: &str| self.named.binary_search(&hash(name)).is_ok();
        let at_home = |place: &str| {
            let below_home = home.as_deref().and_then(|home| below(place, home));
            below_home.is_some_and(|name| is_wished(&format!("~/{name}")))
        };
        let is_seen = |place: &str| {
            let seen = places.iter().flatten().filter_map(|from| below(place, from));
            is_wished(place) || at_home(place) || seen.into_iter().any(is_wished)
        };
        if self.named.is_empty() {
            return false;
        }
        // All files of its kind there may be meant.
        if let Some((folder, name)) = full.rsplit_once('/')
            && let Some((_, ending)) = name.rsplit_once('.')
            && is_seen(&format!("{folder}/*.{ending}"))
        {
            return true;
        }
        let mut path = Some(full);
        while let Some(place) = path.filter(|place| !place.is_empty()) {
            if is_seen(place) {
                return true;
            }
            path = place.rsplit_once('/').map(|(above, _)| above);
        }
        false
    }

    /// Whether the user wants all files of its kind away, wherever they lie in the project.
    fn is_kind_wished(&self, full: &str) -> bool {
        let last = full.rsplit('/').next().unwrap_or_default();
        let Some((_, ending)) = last.rsplit_once('.') else { return false };
        let is_wished = || self.named.binary_search(&Wish::FilesOfKind(ending).hash()).is_ok();
        !self.named.is_empty() && self.place_here(full).is_some() && is_wished()
    }

    /// Whether the user wants the database away that is for development, and a file in the project is called as that is.
    fn is_database_wished(&self, full: &str) -> bool {
        const MEANT: [&str; 4] = ["dev", "development", "local", "sqlite"];
        const FILES: [&str; 3] = ["db", "sqlite", "sqlite3"];
        // Folders in which no such file is for development.
        const KEPT: [&str; 6] = ["backup", "prod", "archive", "staging", "live", "dump"];
        let is_kept = |place: &str| {
            let place = place.to_lowercase();
            KEPT.iter().any(|kept| place.contains(kept))
        };
        // Words that say no more than that it is one.
        const NAMES: [&str; 9] =
            ["db", "database", "dev", "development", "local", "app", "data", "sqlite", "main"];
        let last = full.rsplit('/').next().unwrap_or_default();
        let Some((stem, ending)) = last.rsplit_once('.') else { return false };
        let lower = stem.to_lowercase();
        let mut words = lower.split(|c: char| !c.is_alphanumeric());
        let is_meant = |name: &&str| self.named.binary_search(&Wish::Database(name).hash()).is_ok();
        !self.named.is_empty()
            && FILES.contains(&ending)
            && words.all(|word| NAMES.contains(&word))
            && self.place_here(full).is_some_and(|place| !is_kept(place))
            && MEANT.iter().any(is_meant)
    }

    /// Where a file lies in the project, as far as that is known.
    fn place_here<'f>(&self, full: &'f str) -> Option<&'f str> {
        let Places { cwd, repository, .. } = self.places;
        below(full, repository.as_deref().or(cwd.as_deref())?)
    }
}
