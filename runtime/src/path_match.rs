//! Whether the path of a file is one of those that a condition names. Where a piece of the path is not
//! known, the answer may be that nothing tells.

mod deleted;
mod in_force;
mod wished;

use behavior_image::code::PathKind;
use behavior_image::format::{PatternRecord, Run, Section};
use behavior_image::operand::{Glob, Paths};
use behavior_image::{Image, View, unpack_run};
use behavior_shell::touched::{Effect, Extent};
use behavior_shell::{HOLE, globs};

use crate::host::Host;
use crate::state::TrackedSet;
use behavior_facts::braces::alternatives;
use behavior_facts::path::{below, is_absolute, is_in, leads_out, normalise};
use behavior_facts::path_patterns::{Anchor, members, plain_head};
use behavior_facts::places::{
    KEPT_IN_HOME, LocatedFile, Places, SCRATCH, is_of_hooks, working_directory,
};
use behavior_facts::touched::TouchedFile;
use behavior_facts::truth::Truth;

/// The places of a session that works in a directory.
pub(crate) fn places_of(cwd: Option<&str>, host: &mut dyn Host) -> Places {
    let cwd = cwd.and_then(working_directory);
    let repository = host.repository();
    let elsewhere = cwd.as_deref().zip(repository.as_deref());
    let elsewhere = elsewhere.filter(|(cwd, repository)| !is_in(cwd, repository));
    let strays = elsewhere.is_some_and(|(cwd, repository)| is_elsewhere(cwd, repository, host));
    Places { cwd, home: host.home(), repository, strays }
}

/// Whether a directory that is there lies outside of another one, whatever links lead to either. Of one that is not there nobody
/// knows what it was.
fn is_elsewhere(directory: &str, of: &str, host: &mut dyn Host) -> bool {
    let mut real = |path: &str| host.canonical(path).unwrap_or_else(|| path.to_owned());
    let (own, other) = (real(directory), real(of));
    !is_in(&own, &other) && !is_in(&own, of) && host.is_directory(directory) == Some(true)
}

/// Whether git takes a directory for the root of a repository: what is only called `.git` makes none.
fn is_root(place: &str, host: &mut dyn Host) -> bool {
    let git = format!("{}/.git", place.trim_end_matches('/'));
    if host.exists(&git) != Some(true) {
        return false;
    }
    let mut lacks = |part: &str| host.exists(&format!("{git}/{part}")) == Some(false);
    let is_empty = lacks("HEAD") || lacks("objects") && lacks("commondir");
    // A worktree has a file there.
    !is_empty || host.is_directory(&git) == Some(false)
}

/// Paths in sets: what lies in a member, and what is kept of the directories above one.
pub(crate) mod held {
    use crate::host::Host;
    use crate::state::TrackedSet;

    const HOLDS: &str = "/.";

    /// What stands in a set for a directory that holds a member: no path ends so.
    pub fn key(directory: &str) -> String {
        format!("{}{HOLDS}", directory.trim_end_matches('/'))
    }

    /// The canonical form of what stands in a set.
    pub fn canonical(key: String, host: &mut dyn Host) -> String {
        match key.strip_suffix(HOLDS) {
            Some(directory) => {
                host.canonical(directory).map_or_else(|| key.clone(), |it| self::key(&it))
            }
            None => host.canonical(&key).unwrap_or(key),
        }
    }

    /// What stands in a set for the directories above a member.
    pub fn of(full: &str) -> Vec<String> {
        let above = full.match_indices('/').map(|(at, _)| full.get(..at).unwrap_or_default());
        above.map(key).collect()
    }

    /// Whether a path, or a directory that it lies in, is in a set.
    pub fn lies_in(full: &str, set: &TrackedSet) -> bool {
        let mut path = Some(full);
        while let Some(place) = path.filter(|place| !place.is_empty()) {
            if set.contains(place) {
                return true;
            }
            path = place.rsplit_once('/').map(|(above, _)| above);
        }
        false
    }
}

/// So many directories above one are asked whether they are a repository's root.
const MAX_ABOVE: usize = 64;

/// Tests paths of files against those of a condition.
pub(crate) struct PathMatcher<'a, 'h> {
    pub image: &'a Image,
    pub view: View<'a>,
    pub host: &'h mut dyn Host,
    pub fold: &'h mut String,
    pub sets: &'h [TrackedSet],
    /// What the user wants away: the hashes of wishes, in order.
    pub named: &'h [u64],
    /// What the user wants left as it is: the same.
    pub left_alone: &'h [u64],
    /// What alone the user wants changed: hashes of wishes, in order.
    pub scope: &'h [u64],
    /// When the session began, in milliseconds since the epoch.
    pub since: Option<i64>,
    pub places: &'h Places,
    /// What [`Host::own_files`] says, once somebody asked.
    pub own: &'h mut Option<Vec<String>>,
    /// Whether patterns without an anchor see of a path only what lies below the root of the repository, or below the
    /// working directory: what is above says nothing of what a file is.
    pub looks_inside: bool,
    /// Whether the call does nothing but take files back to what git has of them.
    pub takes_back: bool,
}

impl PathMatcher<'_, '_> {
    /// Whether a file, or one in what is touched with it, is among the paths.
    pub fn is_among(&mut self, file: &mut LocatedFile, paths: Paths) -> Truth {
        if self.stays_in_force(file, paths) {
            return Truth::False;
        }
        if !file.file.is_known() {
            return self.may_be_among(file, paths);
        }
        if self.is_copy_beside(file, paths) {
            return Truth::False;
        }
        let mut result = self.is_one(&file.full, paths);
        // The same file by its real name.
        if result == Truth::False
            && let Some(real) = self.real(file)
        {
            result = self.is_one(real, paths);
        }
        match file.file.extent {
            Extent::File => result,
            Extent::Tree if result == Truth::True => result,
            Extent::Tree => {
                // Who reads all of a repository looks for something else than one file in it.
                let is_read = file.file.effect == Some(Effect::Read);
                let home = self.places.home_in(&file.full).filter(|_| is_read);
                let is_search = is_read && home.is_none() && self.places.is_wide(&file.full);
                let sure = if is_search { Truth::Opaque } else { Truth::True };
                let result = result.or(self.holds_some(&file.full, paths, sure));
                let result = match home.filter(|home| *home != file.full) {
                    Some(home) => result.or(self.holds_some(&home, paths, sure)),
                    None => result,
                };
                match file.file.effect {
                    Some(Effect::Delete) if result != Truth::True => {
                        result.or(self.holds_below(&file.full, paths))
                    }
                    _ => result,
                }
            }
            Extent::Within => match self.is_all_among(file, paths) {
                Truth::True => Truth::True,
                _ if self.comes_among(file, paths) => Truth::True,
                _ => self.holds_some(&file.full, paths, Truth::Opaque),
            },
        }
    }

    /// Whether nobody tells if a file is among the paths because nobody tells where the repository is.
    pub fn lacks_root(&self, file: &LocatedFile, paths: Paths) -> bool {
        file.file.is_known()
            && PathKind::Outside.is_in(paths.kinds)
            && self.places.repository.is_none()
    }

    /// Whether a file that the rules go by is copied to where nothing is, under its own name: there it says what it says
    /// already, and nobody goes by it.
    fn is_copy_beside(&mut self, file: &LocatedFile, paths: Paths) -> bool {
        let is_all = file.file.extent != Extent::Within;
        let Some(out_of) = file.file.out_of.as_deref().filter(|_| is_all) else { return false };
        if !PathKind::Config.is_in(paths.kinds) || self.host.exists(&file.full) != Some(false) {
            return false;
        }
        let Some((_, name)) = file.full.rsplit_once('/') else { return false };
        let source = format!("{}/{name}", self.places.full(out_of).trim_end_matches('/'));
        self.host.exists(&source) == Some(true)
            && (self.is_one(&source, paths) == Truth::True
                || self.holds_some(&source, paths, Truth::True) == Truth::True)
    }

    /// Whether among what comes out of one directory into another, under the same names, is surely one of the paths: a
    /// file of that name is there.
    fn comes_among(&mut self, file: &LocatedFile, paths: Paths) -> bool {
        let Some(out_of) = &file.file.out_of else { return false };
        let (out_of, full) = (self.places.full(out_of), file.full.as_str());
        if out_of.contains(HOLE) || full.contains(HOLE) || self.is_scratch_copy(full, paths) {
            return false;
        }
        let mut names: Vec<String> = Vec::new();
        if PathKind::Config.is_in(paths.kinds) {
            let own = self.own_files().iter().filter_map(|own| below(own, full));
            names.extend(own.map(str::to_owned));
        }
        let run = self.globs(paths, false);
        let view = self.view;
        for glob in view.list(run.start, run.len) {
            for one in alternatives(self.source(glob)).unwrap_or_default() {
                names.extend(self.name_below(full, &one));
            }
        }
        let left_out = paths.left_out(self.view);
        names.iter().any(|name| {
            let is_left_out = |it: &mut Self| {
                let named = format!("{full}/{name}");
                left_out.is_some_and(|left_out| it.is_listed(&named, left_out) == Truth::True)
            };
            self.host.exists(&format!("{out_of}/{name}")) == Some(true) && !is_left_out(self)
        })
    }

    /// Whether rules and settings that come into a directory are only copies that nobody goes by: it is a place for what
    /// does not last, by its real name, too, and none of the session's own files lie there.
    fn is_scratch_copy(&mut self, full: &str, paths: Paths) -> bool {
        if !PathKind::Config.is_in(paths.kinds) || self.places.is_wide(full) {
            return false;
        }
        let real = self.real_place(full);
        let names = [Some(full), real.as_deref()];
        names.into_iter().flatten().all(|name| {
            self.is_kind(name, PathKind::Scratch) == Truth::True
                && !self.places.is_wide(name)
                && !self.own_files().iter().any(|own| is_in(own, name) || is_in(name, own))
        })
    }

    /// The file below a directory that one alternative of a pattern names, with nothing for what the pattern leaves open.
    fn name_below(&self, full: &str, glob: &str) -> Option<String> {
        let (anchor, rest) = Anchor::of(glob);
        let rest = rest.strip_suffix("/**").unwrap_or(rest).replace('*', "");
        match anchor {
            Anchor::Any => Some(rest),
            Anchor::Root => below(&rest, full).map(str::to_owned),
            _ => below(&format!("{}/{rest}", self.places.place(anchor)?), full).map(str::to_owned),
        }
    }

    /// Whether a file, and all that is touched with it, is among the paths.
    pub fn is_all_among(&mut self, file: &mut LocatedFile, paths: Paths) -> Truth {
        if file.file.path.contains(HOLE) {
            return Truth::False;
        }
        // `*.py[co]` stands for two patterns, each of which says what it finds.
        if let Some(members) = members(&file.full).filter(|_| file.file.is_pattern) {
            return members.into_iter().fold(Truth::True, |result, full| {
                let mut one = LocatedFile { full, real: None, file: file.file.clone() };
                result.and(self.is_all_among(&mut one, paths))
            });
        }
        if file.file.is_pattern && self.host.passes_link(&file.full) == Some(true) {
            return Truth::False;
        }
        self.real(file);
        let extent = file.file.extent;
        let names = [Some(&file.full), file.real.as_ref().and_then(Option::as_ref)];
        if let (false, Some(left_out)) = (extent == Extent::File, paths.left_out(self.view))
            && names.into_iter().flatten().any(|name| self.holds_member(name, left_out))
        {
            return Truth::False;
        }
        // A link may lead out of where it lies.
        let names = [Some(&file.full), file.real.as_ref().and_then(Option::as_ref)];
        names.into_iter().flatten().fold(Truth::True, |result, name| {
            let inner = match extent {
                Extent::File => Truth::False,
                Extent::Tree | Extent::Within => {
                    let deeper = self.is_one(&format!("{name}/q/q"), paths);
                    self.is_one(&format!("{name}/q"), paths).and(deeper)
                }
            };
            let own = match extent {
                Extent::Within => Truth::False,
                _ => self.is_one(name, paths),
            };
            result.and(own.or(inner))
        })
    }

    /// Whether a file, and all that is touched with it, is among the paths, be it that only the end of its path is known.
    pub fn is_surely_among(&mut self, file: &mut LocatedFile, paths: Paths) -> Truth {
        if self.ends_among(&file.file, paths) {
            return Truth::True;
        }
        self.looks_inside = true;
        let result = self.is_all_among(file, paths);
        self.looks_inside = false;
        result
    }

    /// Whether a path of which only the end is known is among the paths wherever it lies: a pattern without an anchor
    /// says so.
    fn ends_among(&mut self, file: &TouchedFile, paths: Paths) -> bool {
        let known = file.path.strip_prefix(HOLE).filter(|end| end.starts_with('/'));
        let is_open = |end: &&str| end.contains(HOLE) || leads_out(end);
        let Some(end) = known.filter(|end| !is_open(end)) else { return false };
        if file.may_split || file.extent == Extent::File || !self.leaves_nothing_out(paths) {
            return false;
        }
        let mut scratch = String::new();
        let end = normalise(end, None, &mut scratch).to_owned();
        let run = self.globs(paths, false);
        let view = self.view;
        let globs = view.list(run.start, run.len);
        let floating: Vec<u32> =
            globs.filter(|glob| Anchor::of(self.source(*glob)).0 == Anchor::Any).collect();
        let mut matches =
            |path: &str| floating.iter().any(|glob| self.image.matches(*glob, path, self.fold));
        matches(&end) || matches(&format!("{end}/q")) && matches(&format!("{end}/q/q"))
    }

    /// Whether a file, and all that is touched with it, surely matches a glob that no image holds. Reading
    /// counts, too.
    pub fn is_all_below(&mut self, file: &mut LocatedFile, glob: &str) -> bool {
        if file.file.path.contains(HOLE) || file.file.is_pattern {
            return false;
        }
        let Some(mut globs) = alternatives(glob) else { return false };
        if file.file.extent != Extent::File {
            globs.retain(|glob| glob.ends_with("/**"));
        }
        self.real(file);
        let names = [Some(&file.full), file.real.as_ref().and_then(Option::as_ref)];
        names.into_iter().flatten().all(|name| {
            // A name with signs in it would be taken for a pattern.
            !name.contains(['*', '?', '[', '{'])
                && globs.iter().any(|glob| self.may_match(name, glob))
        })
    }

    /// Whether the target of a call has a path that a glob matches.
    pub fn target_has(&mut self, glob: Glob, path: &str) -> bool {
        let full = self.places.full(path);
        self.some_glob_of(glob.0, &full)
    }

    /// The real name of a file, where that is another one.
    fn real<'f>(&mut self, file: &'f mut LocatedFile) -> Option<&'f str> {
        let full = &file.full;
        let ask = || {
            let as_written = self.places.as_written(&file.file.path);
            let real = as_written.and_then(|path| self.real_place(&path));
            real.or_else(|| self.real_place(full)).filter(|real| real != full)
        };
        file.real.get_or_insert_with(ask).as_deref()
    }

    /// The real name of a place, be it that nothing is there yet: the nearest directory on its way may be a link.
    fn real_place(&mut self, path: &str) -> Option<String> {
        let mut known = path;
        for _ in 0..MAX_ABOVE {
            let directory = if known.is_empty() { "/" } else { known };
            if let Some(real) = self.host.canonical(directory) {
                let rest = path.strip_prefix(known).unwrap_or_default();
                let (whole, mut scratch) = (format!("{real}{rest}"), String::new());
                return Some(normalise(&whole, None, &mut scratch).to_owned());
            }
            (known, _) = known.rsplit_once('/')?;
        }
        None
    }

    /// Where the rules, what is kept for them, and the program that decides lie.
    fn own_files(&mut self) -> &[String] {
        self.own.get_or_insert_with(|| self.host.own_files())
    }

    /// The root of the repository that a directory lies in: the nearest one above that is one; `None` where none is.
    pub fn repository_of(&mut self, full: &str) -> Option<String> {
        let mut above = Some(full);
        for _ in 0..MAX_ABOVE {
            let Some(place) = above.filter(|place| is_absolute(place)) else { break };
            if self.places.repository.as_deref() == Some(place) || is_root(place, self.host) {
                return Some(place.to_owned());
            }
            above = place.rsplit_once('/').map(|(above, _)| above);
        }
        None
    }

    fn globs(&self, paths: Paths, folders: bool) -> Run {
        let row = if folders { paths.folders() } else { paths.globs };
        unpack_run(self.view.row(Section::Constants, row))
    }

    fn source(&self, glob: u32) -> &str {
        let record: PatternRecord = self.view.row(Section::Patterns, glob);
        self.view.string(record.source)
    }

    fn some_glob(&mut self, run: Run, full: &str) -> bool {
        let view = self.view;
        view.list(run.start, run.len).any(|glob| self.some_glob_of(glob, full))
    }

    fn some_glob_of(&mut self, glob: u32, full: &str) -> bool {
        let (anchor, _) = Anchor::of(self.source(glob));
        let seen = match anchor {
            Anchor::Any if self.looks_inside => Some(self.places.inside(full)),
            anchor => self.places.seen_from(anchor, full),
        };
        seen.is_some_and(|seen| self.image.matches(glob, seen, self.fold))
    }

    /// Whether a path that is known is one of the paths.
    fn is_one(&mut self, full: &str, paths: Paths) -> Truth {
        let result = self.is_listed(full, paths);
        match paths.left_out(self.view).filter(|_| result != Truth::False) {
            Some(left_out) => result.and(self.is_listed(full, left_out).not()),
            None => result,
        }
    }

    /// The same, whatever is left out.
    fn is_listed(&mut self, full: &str, paths: Paths) -> Truth {
        if self.some_glob(self.globs(paths, false), full) || self.is_in_set(full, paths) {
            return Truth::True;
        }
        let kinds = [
            PathKind::Scratch,
            PathKind::Outside,
            PathKind::Config,
            PathKind::Ignored,
            PathKind::Hook,
            PathKind::Named,
            PathKind::Mentioned,
            PathKind::LeftAlone,
            PathKind::Kept,
            PathKind::New,
        ];
        let asked = kinds.into_iter().filter(|kind| kind.is_in(paths.kinds));
        asked.fold(Truth::False, |result, kind| result.or(self.is_kind(full, kind)))
    }

    /// Whether a path, or a directory that it lies in, is in one of the sets.
    fn is_in_set(&self, full: &str, paths: Paths) -> bool {
        let run = unpack_run(self.view.row(Section::Constants, paths.sets()));
        let mut sets = self.view.list(run.start, run.len);
        sets.any(|set| self.sets.get(set as usize).is_some_and(|set| held::lies_in(full, set)))
    }

    /// Whether a directory is known to hold something of the sets among the paths.
    fn holds_member(&self, full: &str, paths: Paths) -> bool {
        let run = unpack_run(self.view.row(Section::Constants, paths.sets()));
        let key = held::key(full);
        let mut sets = self.view.list(run.start, run.len);
        sets.any(|set| self.sets.get(set as usize).is_some_and(|set| set.contains(&key)))
    }

    /// Whether nothing can be left out of the paths: only sets are, and those are empty.
    fn leaves_nothing_out(&self, paths: Paths) -> bool {
        let Some(left_out) = paths.left_out(self.view) else { return true };
        let run = unpack_run(self.view.row(Section::Constants, left_out.sets()));
        let mut sets = self.view.list(run.start, run.len);
        left_out.kinds == 0
            && self.globs(left_out, false).len == 0
            && sets.all(|set| self.sets.get(set as usize).is_none_or(|set| set.len() == 0))
    }

    /// Whether a path lies where a kind of file does.
    pub fn is_kind(&mut self, full: &str, kind: PathKind) -> Truth {
        let is_inside = self.places.is_inside(full);
        let Places { cwd, repository, .. } = self.places;
        match kind {
            PathKind::Scratch => {
                (!is_inside && SCRATCH.iter().any(|place| below(full, place).is_some())).into()
            }
            PathKind::Outside if is_inside => Truth::False,
            PathKind::Outside if repository.is_some() && is_absolute(full) => Truth::True,
            // Below which directory the repository lies is not known.
            PathKind::Outside if cwd.is_some() || is_absolute(full) => Truth::Unknown,
            PathKind::Outside => {
                (full == ".." || full.starts_with("../") || full.starts_with('~')).into()
            }
            PathKind::Config => self.own_files().iter().any(|own| is_in(full, own)).into(),
            PathKind::Ignored => {
                self.host.ignored(full, self.since).map_or(Truth::Unknown, Truth::from)
            }
            PathKind::Hook if is_of_hooks(full) => {
                self.host.exists(full).map_or(Truth::Unknown, Truth::from)
            }
            PathKind::Named => self.is_wished_away(full).into(),
            PathKind::Mentioned => self.is_mentioned(full).into(),
            PathKind::LeftAlone if self.is_left_alone(full) => {
                let is_new = self.leaves_what_is_there() && self.host.exists(full) == Some(false);
                (!is_new).into()
            }
            PathKind::Kept => self.is_kept(full).into(),
            PathKind::New => {
                self.host.exists(full).map_or(Truth::Unknown, |is_there| Truth::from(!is_there))
            }
            _ => Truth::False,
        }
    }

    /// Whether a directory holds files that are among the paths: `sure` where it is certain to.
    fn holds_some(&mut self, full: &str, paths: Paths, sure: Truth) -> Truth {
        if self.some_glob(self.globs(paths, true), full) && self.may_hold_named(full, paths) {
            return sure;
        }
        if PathKind::Config.is_in(paths.kinds)
            && self.own_files().iter().any(|own| is_in(own, full))
        {
            return sure;
        }
        let is_wide = self.places.is_wide(full);
        let run = self.globs(paths, false);
        let view = self.view;
        let mut result = Truth::False;
        for glob in view.list(run.start, run.len) {
            let Some(alternatives) = alternatives(self.source(glob)) else {
                return Truth::Opaque;
            };
            for one in alternatives {
                result = result.or(self.holds(full, &one, is_wide, sure));
                if result == Truth::True {
                    return result;
                }
            }
        }
        result
    }

    /// Whether of what patterns name in a directory of this name anything may be there.
    fn may_hold_named(&mut self, full: &str, paths: Paths) -> bool {
        let run = self.globs(paths, false);
        let view = self.view;
        let mut is_named = false;
        for glob in view.list(run.start, run.len) {
            let Some(alternatives) = alternatives(self.source(glob)) else { return true };
            for one in alternatives {
                let (Anchor::Any, rest) = Anchor::of(&one) else { continue };
                for (at, _) in rest.match_indices('/') {
                    let (folder, name) = rest.split_at(at);
                    // What stands before the first sign has to be there for anything below it to be.
                    let name = plain_head(name.trim_start_matches('/'));
                    let is_folder = full == folder
                        || full.strip_suffix(folder).is_some_and(|above| above.ends_with('/'));
                    if !is_folder {
                        continue;
                    }
                    is_named = true;
                    let named = format!("{full}/{name}");
                    if name.is_empty() || self.host.exists(&named) != Some(false) {
                        return true;
                    }
                }
            }
        }
        // What another spelling of the name asks for is not looked up.
        !is_named
    }

    /// Whether a directory holds files that one alternative of a pattern names.
    fn holds(&mut self, full: &str, glob: &str, is_wide: bool, sure: Truth) -> Truth {
        let (anchor, rest) = Anchor::of(glob);
        let head = plain_head(rest);
        if anchor != Anchor::Any {
            let Some(place) = self.places.place(anchor) else { return Truth::False };
            let named = format!("{}/{}", place.trim_end_matches('/'), head.trim_start_matches('/'));
            return if is_in(&named, full) { sure } else { Truth::False };
        }
        if !is_wide {
            return Truth::False;
        }
        if head.is_empty() {
            return Truth::Opaque;
        }
        match self.host.exists(&format!("{}/{head}", full.trim_end_matches('/'))) {
            Some(true) => sure,
            Some(false) => Truth::False,
            None => Truth::Unknown,
        }
    }

    /// Whether a path of which pieces are not known may be one of the paths, or surely is.
    fn may_be_among(&mut self, located: &LocatedFile, paths: Paths) -> Truth {
        match self.seems_among(located, paths) {
            Truth::Opaque | Truth::Unknown if self.finds_one(located, paths) => Truth::True,
            result => result,
        }
    }

    /// Whether a shell's pattern expands to one of the paths, as far as somebody can look.
    fn finds_one(&mut self, located: &LocatedFile, paths: Paths) -> bool {
        let LocatedFile { file, full, .. } = located;
        if !file.is_pattern || full.contains(HOLE) {
            return false;
        }
        let mut found = match &file.out_of {
            Some(out_of) => self.copied(out_of, full),
            None => self.host.expansion(full).unwrap_or_default(),
        };
        // At any depth of a home, and so where keys are kept.
        if let Some((top, name)) = full.split_once("/**/")
            && let Some(home) = self.places.home_in(top)
        {
            let kept = KEPT_IN_HOME.map(|folder| format!("{home}/{folder}/{name}"));
            found.extend(kept.iter().flat_map(|one| self.host.expansion(one).unwrap_or_default()));
        }
        found.into_iter().any(|full| {
            let file = TouchedFile { path: full.clone(), is_pattern: false, ..file.clone() };
            let mut one = LocatedFile { file, full, real: None };
            self.is_among(&mut one, paths) == Truth::True
        })
    }

    /// The files that a copy of what a pattern stands for in one directory makes in another, as far as somebody can look.
    fn copied(&mut self, out_of: &str, full: &str) -> Vec<String> {
        let (folder, name) = full.rsplit_once('/').unwrap_or((".", full));
        let out_of = self.places.full(out_of);
        if out_of.contains(HOLE) {
            return Vec::new();
        }
        let sources = self.host.expansion(&format!("{}/{name}", out_of.trim_end_matches('/')));
        let names = sources.unwrap_or_default().into_iter();
        let landed = |source: String| {
            let name = source.rsplit('/').next().unwrap_or_default();
            format!("{folder}/{name}")
        };
        names.map(landed).collect()
    }

    /// Whether nobody can have made a file that takes the place of one of the rules' own in a directory and is copied there with
    /// all that lies beside it: it would be one of these where it lay, too.
    fn is_told_where_it_lies(
        &mut self,
        own: &str,
        file: &TouchedFile,
        full: &str,
        paths: Paths,
    ) -> bool {
        let (folder, _) = full.rsplit_once('/').unwrap_or((".", full));
        let Some((out_of, name)) = file.out_of.as_deref().zip(below(own, folder)) else {
            return false;
        };
        let source = format!("{}/{name}", self.places.full(out_of).trim_end_matches('/'));
        self.is_one(&source, paths) == Truth::True
    }

    /// The same, for whoever cannot look.
    fn seems_among(&mut self, located: &LocatedFile, paths: Paths) -> Truth {
        let LocatedFile { file, full, .. } = located;
        // However the pieces are filled, the same answer.
        // Of a pattern, a sign may stand for nothing.
        let pieces = if file.is_pattern { ["", "q", "qq"] } else { ["q", "qq", "q/q"] };
        let filled = pieces.map(|piece| {
            let filled = full.replace([HOLE, '*'], piece).replace('?', "q");
            // No name is empty.
            match filled.ends_with('/') || filled.contains("//") {
                true => full.replace([HOLE, '*'], "q").replace('?', "q"),
                false => filled,
            }
        });
        let answers = filled.map(|path| self.is_one(&path, paths));
        // What nobody knows at the beginning may lead anywhere.
        let is_open = file.path.starts_with(HOLE);
        let is_all = !full.starts_with(HOLE) && answers.iter().all(|it| *it == Truth::True);
        // What is left alone has a name of its own, which a pattern may find.
        let of_wishes = PathKind::LeftAlone.bit() | PathKind::Kept.bit();
        let has_wishes = !self.left_alone.is_empty() || !self.scope.is_empty();
        if !is_all && file.is_pattern && paths.kinds & of_wishes != 0 && has_wishes {
            return Truth::Opaque;
        }
        let elsewhere = || format!("/q{}", file.path.trim_start_matches(HOLE)).replace(HOLE, "q");
        if is_all && (!is_open || self.is_one(&elsewhere(), paths) == Truth::True) {
            return Truth::True;
        }
        let full = if is_open { &file.path } else { full };
        if full.contains(HOLE) && full.trim_matches(['/', HOLE]).is_empty() {
            return Truth::Opaque;
        }
        let pattern = full.replace(HOLE, "**");
        let mut own = Vec::new();
        if PathKind::Config.is_in(paths.kinds) {
            own.extend(self.own_files().iter().filter(|own| globs::meet(&pattern, own)).cloned());
        }
        own.retain(|own| !self.is_told_where_it_lies(own, file, full, paths));
        let is_own = !own.is_empty();
        let is_there = |own: &String| self.host.exists(own) == Some(true);
        // What lands here by a copy is called as it is where it comes from.
        let is_here = file.is_pattern && file.out_of.is_none();
        if is_here && !full.contains(HOLE) && own.iter().any(is_there) {
            return Truth::True;
        }
        let places = paths.kinds & (PathKind::Scratch.bit() | PathKind::Outside.bit());
        let may_lie = answers.iter().any(|answer| *answer != Truth::False);
        if is_own || places != 0 && (full.starts_with(HOLE) || may_lie) {
            return Truth::Opaque;
        }
        // Of a directory with one thing in it nobody expects another, wherever that may be.
        let narrow = full.split_once("/**/").map(|(top, _)| top);
        let narrow = narrow.filter(|top| !self.places.is_wide(top));
        let run = self.globs(paths, false);
        let view = self.view;
        let mut result = Truth::False;
        for glob in view.list(run.start, run.len) {
            let Some(all) = alternatives(self.source(glob)) else { return Truth::Opaque };
            let is_elsewhere = narrow.is_some_and(|top| {
                let is_anywhere =
                    |one: &String| Anchor::of(one).0 == Anchor::Any && one.contains('/');
                all.iter().all(is_anywhere) && !self.some_glob_of(glob, &format!("{top}/q"))
            });
            for one in all {
                if is_elsewhere {
                    continue;
                }
                let is_folders = is_here && file.extent == Extent::Tree;
                if is_folders && self.finds_above(&pattern, &one) {
                    return Truth::True;
                }
                if !self.may_match(&pattern, &one) {
                    continue;
                }
                let is_sure = is_here && self.expands_to(&pattern, &one);
                result = result.or(if is_sure { Truth::True } else { Truth::Opaque });
            }
        }
        result
    }

    /// Whether a shell's pattern surely finds a folder in which the file lies that a glob names, since that is there:
    /// `.c*` finds `.claude`, and `migrations/*` what lies in a folder of `migrations`.
    fn finds_above(&mut self, pattern: &str, glob: &str) -> bool {
        let has_signs = |text: &str| text.contains(['*', '?', '[']);
        let (Anchor::Any, glob) = Anchor::of(glob) else { return false };
        let Some((directory, last)) = pattern.trim_end_matches('/').rsplit_once('/') else {
            return false;
        };
        if has_signs(directory) {
            return false;
        }
        let starts = glob.match_indices('/').map(|(at, _)| at + 1);
        std::iter::once(0).chain(starts).any(|start| {
            let (above, below) = glob.split_at(start);
            let above = above.trim_end_matches('/');
            let Some((folder, _)) = below.split_once('/') else { return false };
            let is_there = above.is_empty()
                || directory.strip_suffix(above).is_some_and(|rest| rest.ends_with('/'));
            // A sign stands for no dot at the beginning of a name.
            let is_hidden = folder.starts_with('.') && !last.starts_with('.');
            if !is_there || has_signs(folder) || is_hidden || !globs::meet(last, folder) {
                return false;
            }
            let rest = below.strip_suffix("/**").unwrap_or(below).replace('*', "");
            self.host.exists(&format!("{directory}/{rest}")) == Some(true)
        })
    }

    /// Whether a shell's pattern surely expands to the file that a glob without signs names, since that
    /// is there.
    fn expands_to(&mut self, pattern: &str, glob: &str) -> bool {
        let has_signs = |text: &str| text.contains(['*', '?', '[']);
        // Of what the glob leaves open, nothing is the shortest.
        let glob = glob.strip_suffix("/**").unwrap_or(glob).replace('*', "");
        let name = glob.rsplit('/').next().unwrap_or(&glob);
        let Some((directory, last)) = pattern.rsplit_once('/') else { return false };
        // At any depth, and so where the search begins.
        let (directory, name) = match directory.strip_suffix("/**") {
            Some(top) => (top, Anchor::of(&glob).1),
            // A shell's signs stand for no dot at the beginning of a name.
            None if name.starts_with('.') && has_signs(last.get(..1).unwrap_or_default()) => {
                return false;
            }
            None => (directory, name),
        };
        let is_plain = !has_signs(&glob) && !has_signs(directory) && !last.contains("**");
        let own = name.rsplit('/').next().unwrap_or(name);
        let named = format!("{directory}/{name}");
        is_plain && globs::meet(last, own) && self.host.exists(&named) == Some(true)
    }

    fn may_match(&self, pattern: &str, glob: &str) -> bool {
        let whole = self.places.whole(glob);
        let relative = !is_absolute(pattern) && !whole.starts_with('/');
        globs::meet(pattern, &whole)
            || relative && whole.strip_prefix("*/").is_some_and(|rest| globs::meet(pattern, rest))
    }
}
