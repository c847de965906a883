//! What commands of a line change that a rule does not spare, and where a call moves files: which of them would be lost
//! is worked out here for all rules alike.

use std::collections::{BTreeMap, BTreeSet};

use behavior_image::code::{PathKind, PathUse};
use behavior_image::format::{Section, SetRecord};
use behavior_image::operand::Paths;
use behavior_image::shapes::ShapeRun;
use behavior_intent::about::things;
use behavior_intent::files::meant::is_meant;
use behavior_intent::needed::{makes, needed};
use behavior_intent::thing::{Thing, ThingKind};
use behavior_intent::wish::{USUAL_DEFAULTS, Wish};
use behavior_shell::HOLE;
use behavior_shell::touched::{Effect, Extent, Otherwise};

use super::Machine;
use crate::path_match::{PathMatcher, held};
use crate::state::TrackedSet;
use behavior_facts::commands::COMMAND_PARAMS;
use behavior_facts::commands::shell::GitReach;
use behavior_facts::moves::{Move, moves};
use behavior_facts::own_containers::is_in_own_container;
use behavior_facts::path::is_in;
use behavior_facts::path_patterns::known_directory;
use behavior_facts::places::SCRATCH;
use behavior_facts::test_databases::{destroys_only_for_tests, is_for_tests};
use behavior_facts::touched::{ToolFiles, TouchedFile, of_params};
use behavior_facts::truth::Truth;
use behavior_facts::value::ValueRef;

/// What more moves of one line take away is not looked at: it is taken for work.
const MAX_MOVES: usize = 64;

/// So often places of a line are held against each other; what is not looked at then is not spared.
const MAX_COMPARED: usize = 1 << 20;

impl<'a> Machine<'a> {
    /// Whether some command has one of the shapes and changes files that the shape does not spare.
    pub(super) fn runs_unspared(&mut self, shapes: ShapeRun<'a>) -> Truth {
        self.unspared(shapes).into_iter().fold(Truth::False, |result, (_, truth)| result.or(truth))
    }

    /// As [`Machine::runs_unspared`], of the commands that are looked at.
    #[cold]
    pub(super) fn runs_beyond(&mut self, shapes: ShapeRun<'a>) -> Truth {
        let found = self.all_unspared(shapes).into_iter();
        let open = found.filter(|(command, _)| self.is_open(*command));
        open.fold(Truth::False, |result, (_, truth)| result.or(truth))
    }

    /// The commands that have, or may have, one of the shapes, as far as the shape does not spare what they change.
    pub(super) fn all_unspared(&mut self, shapes: ShapeRun<'a>) -> Vec<(u32, Truth)> {
        if self.scratch.shell.has_spares(self.image, shapes) {
            return self.unspared(shapes);
        }
        let met = self.scratch.shell.all_that_have(self.image, shapes).into_iter();
        met.map(|(command, truth, _)| (command, truth)).collect()
    }

    /// The commands that have, or may have, one of the shapes and change files that the shape does not spare.
    fn unspared(&mut self, shapes: ShapeRun<'a>) -> Vec<(u32, Truth)> {
        let met = self.scratch.shell.all_that_have(self.image, shapes);
        let directory = self.context.params.working_directory();
        let mut files = self.files_by_command();
        self.widen_to_repositories(&mut files);
        let mut otherwise = self.files_otherwise(&files, directory);
        self.widen_to_repositories(&mut otherwise);
        let mut of_programs = self.files_of_programs();
        self.widen_to_repositories(&mut of_programs);
        // Where a command puts what it has to say is not what it destroys.
        let changes_files = |(_, file): &&(u32, TouchedFile)| file.effect != Some(Effect::Read);
        let mut changes: BTreeMap<u32, Vec<&TouchedFile>> = BTreeMap::new();
        // Nor is what only another value of the environment than the line's own would name.
        for (by, file) in of_programs.iter().filter(changes_files).filter(|(_, it)| !it.is_doubtful)
        {
            changes.entry(*by).or_default().push(file);
        }
        for (by, file) in otherwise.iter().filter(changes_files) {
            if let Some(own) = changes.get_mut(by) {
                own.push(file);
            }
        }
        let moves = moves(&self.scratch.shell, &files);
        let made = self.made(directory);
        let new = self.new_places(&files, &changes);
        // Shapes of one class spare the same, so that what arrives there is worked out once, and who takes things away.
        let mut arrived: Option<(Paths, Vec<(u32, String)>)> = None;
        let mut takers: Vec<u32> = Vec::new();
        let mut unspared = Vec::new();
        let mut left = MAX_COMPARED;
        for (command, truth, spared) in met {
            let own_changes = changes.get(&command).map_or(&[][..], Vec::as_slice);
            let of_line =
                made.len() + new.len() + arrived.as_ref().map_or(0, |(_, arrived)| arrived.len());
            left = left.saturating_sub(of_line * (1 + own_changes.len()));
            let is_wished = spared.is_some_and(|paths| {
                PathKind::Named.is_in(paths.kinds)
                    && (self.is_wished(command) || self.is_made_before(command))
            });
            let is_of_tests = spared.is_some_and(|paths| {
                PathKind::Scratch.is_in(paths.kinds)
                    && (destroys_only_for_tests(&self.scratch.shell, command)
                        || is_in_own_container(&self.scratch.shell, command)
                        || self.pushes_to_scratch(command))
            });
            let is_spared = is_wished
                || is_of_tests
                || left > 0
                    && spared.is_some_and(|paths| {
                        if arrived.as_ref().is_none_or(|(known, _)| *known != paths) {
                            arrived = Some((paths, self.arrivals(&moves, paths)));
                            takers = self.takers(&files, &new, paths);
                        }
                        let arrived = arrived.as_ref().map_or(&[][..], |(_, arrived)| arrived);
                        let shell = &self.scratch.shell;
                        let own_made = made.iter().filter(|(by, _)| shell.runs_after(command, *by));
                        let is_taken = takers.iter().any(|by| *by < command);
                        let own_new = new.iter().filter(|(by, _)| *by < command && !is_taken);
                        let own_made: Vec<&(u32, String)> = own_made.chain(own_new).collect();
                        let mut matcher = self.path_matcher();
                        !own_changes.is_empty()
                            && own_changes.iter().all(|file| {
                                let mut file = matcher.places.locate((*file).clone());
                                let meets = |(by, place): &(u32, String)| {
                                    *by != command && file.may_overlap(place)
                                };
                                let is_new = |(_, place): &&(u32, String)| file.lies_in(place);
                                // What the same line put there is not what is spared.
                                !arrived.iter().any(meets)
                                    && (own_made.iter().any(is_new)
                                        || matcher.is_surely_among(&mut file, paths) == Truth::True)
                            })
                    });
            if !is_spared {
                unspared.push((command, truth));
            }
        }
        unspared
    }

    /// Whether the user spoke of a request, a version, a package by its name, and the call is about another one.
    pub(super) fn is_about_another(&mut self) -> bool {
        let named = &self.state.asked.named;
        if named.is_empty() {
            return false;
        }
        let is_shell = self.context.is_shell;
        let Some(line) = self.context.params.command_line(COMMAND_PARAMS[0], is_shell) else {
            return self.tool_is_about_another();
        };
        self.scratch.shell.read(self.image, line);
        (0..self.scratch.shell.count()).any(|command| {
            let known = self.scratch.shell.known_words(command);
            known.is_some_and(|(program, words)| {
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                things(&program, &words).into_iter().any(|thing| thing.is_another(named))
            })
        })
    }

    /// The same of a tool, which is told the number of a request.
    fn tool_is_about_another(&self) -> bool {
        const NUMBERS: [&str; 5] =
            ["pullnumber", "issuenumber", "prnumber", "mergerequestiid", "pullrequestnumber"];
        let mut others = false;
        self.context.params.for_each_named(|name, _, value| {
            let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
            let (ValueRef::Text(text) | ValueRef::Json(text)) = value;
            others |= NUMBERS.contains(&&*plain.to_lowercase())
                && Thing::new(ThingKind::Request, text).is_another(&self.state.asked.named);
        });
        others
    }

    /// Whether a command is just what the user asked for by name: a branch away, a forced push.
    fn is_wished(&mut self, command: u32) -> bool {
        let named = &self.state.asked.named;
        if named.is_empty() {
            return false;
        }
        let Some((program, words)) = self.scratch.shell.known_words(command) else { return false };
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let has = |wish: &Wish<'_>| named.binary_search(&wish.hash()).is_ok();
        // What is written out is meant for where the user is, and so is what lies about there.
        let is_here = || {
            let directory = self.scratch.shell.directory_of(self.image, command);
            matches!(directory.as_deref(), Some("" | "."))
        };
        if has(&Wish::Command(&words.join(" "))) {
            return is_here();
        }
        let Some(needed) = needed(&program, &words) else { return false };
        let is_loose = needed.iter().any(|one| {
            matches!(
                one,
                Wish::Untracked
                    | Wish::Uncommitted
                    | Wish::Changes(_)
                    | Wish::ChangesFrom { .. }
                    | Wish::ResetTo(_)
            )
        });
        if needed.is_empty() || is_loose && !is_here() {
            return false;
        }
        // A file may be named without the folder that it lies in.
        let last = |path: &'_ str| path.rsplit('/').next().unwrap_or_default().to_owned();
        let is_named = |wish: &Wish<'_>| {
            has(wish)
                || match wish {
                    Wish::Changes(path) => {
                        has(&Wish::Changes(&last(path)))
                            || is_meant(path, |meant| has(&Wish::Undone(meant)))
                    }
                    Wish::ChangesFrom { commit, path } => {
                        let is_default = USUAL_DEFAULTS
                            .contains(&commit.strip_prefix("origin/").unwrap_or(commit));
                        has(&Wish::ChangesFrom { commit, path: &last(path) })
                            || is_default && is_meant(path, |meant| has(&Wish::Undone(meant)))
                    }
                    // "The test database" is the one whose name says that.
                    Wish::Database(name) if is_for_tests(name) => has(&Wish::Database("test")),
                    _ => false,
                }
        };
        let (open, named): (Vec<_>, Vec<_>) = needed.into_iter().partition(|wish| !is_named(wish));
        // A branch that only the command names may be the one that is meant.
        let (mut branches, mut upstreams) = (Vec::new(), Vec::new());
        for wish in &open {
            match wish {
                Wish::ForcePushOf(name) if has(&Wish::ForcePush) => branches.push(*name),
                Wish::ResetTo(place) if has(&Wish::ResetTo("@{u}")) => {
                    let Some(name) = place.strip_prefix("origin/") else { return false };
                    upstreams.push(name);
                }
                _ => return false,
            }
        }
        let forces_checked_out = !branches.is_empty()
            || named.contains(&Wish::ForcePush)
                && !named.iter().any(|wish| matches!(wish, Wish::ForcePushOf(_)));
        if !forces_checked_out && upstreams.is_empty() {
            return true;
        }
        // What is checked out may be a branch that others share, which the user would have named.
        self.checked_out().is_some_and(|branch| {
            upstreams.iter().all(|name| *name == branch)
                && (!forces_checked_out
                    || branches.iter().all(|name| *name == branch) && !self.is_default(&branch))
        })
    }

    /// Whether a command takes away a database, or a table, that the line itself has made before it comes to that.
    fn is_made_before(&self, command: u32) -> bool {
        const MAX: u32 = 32;
        let shell = &self.scratch.shell;
        let Some((taker, taken)) = shell.known_words(command) else { return false };
        let taken: Vec<&str> = taken.iter().map(String::as_str).collect();
        (0..command.min(MAX)).filter(|other| shell.runs_after(command, *other)).any(|other| {
            shell.known_words(other).is_some_and(|(maker, made)| {
                let made: Vec<&str> = made.iter().map(String::as_str).collect();
                makes((&maker, &made), (&taker, &taken))
            })
        })
    }

    /// The files that the line that was read touches, as seen from where it runs. Where a change of directory does not
    /// happen, they lie elsewhere.
    pub(super) fn files_of_line(&mut self, directory: &str) -> Vec<TouchedFile> {
        let files = self.files_by_command();
        let astray = self.files_astray(&files, directory);
        let patched = self.patched(&files);
        let files = files.into_iter().map(|(_, file)| file).chain(patched);
        let astray = astray.into_iter().filter(|(_, _, happens)| *happens != Truth::False);
        let astray = astray.map(|(_, file, happens)| {
            let is_doubtful = happens != Truth::True;
            TouchedFile { is_doubtful, ..file }
        });
        files.chain(astray).collect()
    }

    /// The files that the line that was read touches, each with the command that does, as seen from where it runs.
    fn files_by_command(&self) -> Vec<(u32, TouchedFile)> {
        self.in_their_directory(self.scratch.shell.files_by_command(self.image))
    }

    /// Those of the files of the line that its programs touch themselves: none that redirections alone name.
    pub(super) fn files_of_programs(&self) -> Vec<(u32, TouchedFile)> {
        self.in_their_directory(self.scratch.shell.files_of_programs(self.image))
    }

    fn in_their_directory(&self, files: Vec<(u32, TouchedFile)>) -> Vec<(u32, TouchedFile)> {
        let directory = self.context.params.working_directory();
        files.into_iter().map(|(by, file)| (by, file.run_in(directory))).collect()
    }

    /// What git changes without naming files is the repository that it runs in, wherever in that it does, and may be
    /// another one where the line says so.
    pub(super) fn widen_to_repositories(&mut self, files: &mut [(u32, TouchedFile)]) {
        for (by, file) in files {
            if file.extent != Extent::Within || file.effect == Some(Effect::Read) {
                continue;
            }
            match self.scratch.shell.reach_of_git(*by) {
                None => {}
                Some(GitReach::Elsewhere) => *file = TouchedFile::unknown(),
                Some(GitReach::Repository) => {
                    let mut matcher = self.path_matcher();
                    let full = matcher.places.locate(file.clone()).full;
                    if let Some(root) = matcher.repository_of(&full) {
                        let git = format!("{}/.git", root.trim_end_matches('/'));
                        // Of a worktree, the branches and what is stashed are those of another one.
                        let is_worktree = matcher.host.exists(&git) == Some(true)
                            && matcher.host.is_directory(&git) == Some(false);
                        match is_worktree {
                            true => *file = TouchedFile::unknown(),
                            false => file.path = root,
                        }
                    }
                }
            }
        }
    }

    /// What commands of the line make anew, as whole paths.
    fn made(&mut self, directory: &str) -> Vec<(u32, String)> {
        let made = self.scratch.shell.made(self.image);
        let matcher = self.path_matcher();
        let whole = made.into_iter().filter(|(_, file)| file.is_known());
        let whole = whole.map(|(by, file)| (by, matcher.places.locate(file.run_in(directory))));
        whole.map(|(by, file)| (by, file.full)).collect()
    }

    /// Where commands of the line put files into directories that are not there before it runs: the topmost of these, as
    /// whole paths. Looked up only if something is deleted that lies there.
    fn new_places(
        &mut self,
        files: &[(u32, TouchedFile)],
        changes: &BTreeMap<u32, Vec<&TouchedFile>>,
    ) -> Vec<(u32, String)> {
        let deletes = |file: &&&TouchedFile| file.effect == Some(Effect::Delete) && file.is_known();
        let matcher = self.path_matcher();
        let full = |file: &TouchedFile| matcher.places.locate(file.clone()).full;
        let deleted = changes.values().flatten().filter(deletes).take(MAX_MOVES);
        let mut deleted: Vec<String> = deleted.map(|file| full(file)).collect();
        deleted.retain(|place| {
            let is_missing = matcher.host.exists(place) == Some(false);
            // Above what is not there may be a link to what is.
            is_missing && matcher.host.canonical(place).is_none_or(|real| real == *place)
        });
        let writes = files.iter().filter(|(_, file)| {
            file.effect == Some(Effect::Write) && file.extent != Extent::Within && file.is_known()
        });
        let written = writes.take(MAX_COMPARED / (1 + deleted.len()));
        let written: Vec<(u32, String)> = match deleted.is_empty() {
            true => Vec::new(),
            false => written.map(|(by, file)| (*by, full(file))).collect(),
        };
        let is_in_new = |(by, place): (u32, String)| {
            let new = deleted.iter().find(|new| is_in(&place, new))?;
            Some((by, new.clone()))
        };
        written.into_iter().filter_map(is_in_new).collect()
    }

    /// The commands that take something away from elsewhere than new places, and that is not spared: nobody can tell in
    /// general that they did not put it there.
    fn takers(
        &mut self,
        files: &[(u32, TouchedFile)],
        new: &[(u32, String)],
        paths: Paths,
    ) -> Vec<u32> {
        if new.is_empty() {
            return Vec::new();
        }
        let mut matcher = self.path_matcher();
        let mut is_kept = |file: &TouchedFile| {
            let mut located = matcher.places.locate(file.clone());
            !new.iter().any(|(_, place)| located.lies_in(place))
                && matcher.is_surely_among(&mut located, paths) != Truth::True
        };
        let takes =
            files.iter().filter(|(_, file)| file.effect == Some(Effect::Delete) && is_kept(file));
        takes.map(|(by, _)| *by).collect()
    }

    /// The files that commands touch where changes of directory before them do not happen, as far as that may be.
    fn files_otherwise(
        &mut self,
        files: &[(u32, TouchedFile)],
        directory: &str,
    ) -> Vec<(u32, TouchedFile)> {
        let mut found = self.files_astray(files, directory);
        found.retain(|(_, _, happens)| *happens != Truth::False);
        found.into_iter().map(|(by, file, _)| (by, file)).collect()
    }

    /// The files that commands touch where changes of directory before them do not happen, and whether that is so: a
    /// directory is not there, or nobody can tell.
    pub(super) fn files_astray(
        &mut self,
        files: &[(u32, TouchedFile)],
        directory: &str,
    ) -> Vec<(u32, TouchedFile, Truth)> {
        let found = self.scratch.shell.files_otherwise(self.image);
        let mut known = BTreeMap::new();
        let mut astray = Vec::new();
        for Otherwise { touched, missing, change } in found {
            let happens = match missing {
                None => Truth::Opaque,
                Some(place) => match known.get(&(change, place.clone())) {
                    Some(known) => *known,
                    None => {
                        let before = files.iter().filter(|(by, _)| *by < change);
                        let is_missing =
                            self.is_missing(&place, before.map(|(_, file)| file), directory);
                        known.insert((change, place), is_missing);
                        is_missing
                    }
                },
            };
            astray.push((touched.command, TouchedFile::from(touched).run_in(directory), happens));
        }
        astray
    }

    /// Whether a directory that a line changes to is not there, given what commands before that touch. Where nobody
    /// knows of directories, as in most recordings, it is there.
    fn is_missing<'f>(
        &mut self,
        place: &str,
        mut before: impl Iterator<Item = &'f TouchedFile>,
        directory: &str,
    ) -> Truth {
        let file =
            TouchedFile { path: place.to_owned(), may_split: false, ..TouchedFile::unknown() };
        let matcher = self.path_matcher();
        let full = matcher.places.locate(file.run_in(directory)).full;
        let is_there = match full.contains(HOLE) {
            true => Some(false),
            false => matcher.host.is_directory(&full),
        };
        let is_made = |file: &TouchedFile| {
            file.effect == Some(Effect::Write) && matcher.places.locate(file.clone()).lies_in(&full)
        };
        match is_there {
            Some(false) if before.any(is_made) => Truth::False,
            Some(false) if full.contains(HOLE) => Truth::Opaque,
            Some(false) => Truth::True,
            Some(true) | None => Truth::False,
        }
    }

    /// Where commands put what is not spared, as whole paths.
    fn arrivals(&mut self, moves: &[Move], paths: Paths) -> Vec<(u32, String)> {
        let mut matcher = self.path_matcher();
        let mut found: Vec<(u32, String)> = Vec::new();
        for (number, one) in moves.iter().enumerate() {
            let is_work = one.links
                || number >= MAX_MOVES
                || one.from.len() > MAX_MOVES
                || one.from.iter().any(|file| {
                    let mut file = matcher.places.locate(file.clone());
                    matcher.is_surely_among(&mut file, paths) != Truth::True
                        || found.iter().any(|(_, place)| file.may_overlap(place))
                });
            if is_work {
                let places = one.to.iter().map(|file| matcher.places.locate(file.clone()));
                found.extend(places.map(|file| (one.command, file.full)));
            }
        }
        found
    }

    /// The files of a call that is made, before it has run: those that it writes where nothing was, and where it moves
    /// what was there before.
    pub fn files_of_made_call(&mut self) -> Vec<(PathUse, String)> {
        let mut found = Vec::new();
        for (_, path) in self.known_files(&[Effect::Write]) {
            if self.host.exists(&path) == Some(false) {
                found.push((PathUse::Made, path));
            }
        }
        // Many moves have the directories above them in common.
        let moved: BTreeSet<String> = self.moved(&found).into_iter().collect();
        found.extend(moved.into_iter().map(|path| (PathUse::Moved, path)));
        found
    }

    /// Where the call moves or links files of the project that neither it nor the session made, with what tells of each
    /// directory that it has such files in it.
    fn moved(&mut self, made: &[(PathUse, String)]) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for (number, one) in self.moves_of_call().iter().enumerate() {
            let is_work = one.links
                || number >= MAX_MOVES
                || one.from.len() > MAX_MOVES
                || one
                    .from
                    .iter()
                    .any(|file| self.is_work(file, made) || self.has_arrived(file, &found));
            if !is_work {
                continue;
            }
            let names_all = one.from.iter().all(TouchedFile::is_known);
            for file in &one.to {
                self.arrived_at(file, one.links, names_all, &mut found);
            }
        }
        found
    }

    /// Adds what tells that work has come to a place. Of several places, or of one that nobody can name, the directory is
    /// known: all that lies there may be work then, unless that is where the work was.
    fn arrived_at(
        &mut self,
        file: &TouchedFile,
        is_link: bool,
        names_all: bool,
        found: &mut Vec<String>,
    ) {
        let places = &self.path_matcher().places;
        let located = places.locate(file.clone());
        let full = &*located.full;
        let is_known = located.file.is_known();
        let end = match is_known {
            true => full.len(),
            // What begins with what nobody knows may lie anywhere.
            false if file.path.starts_with(HOLE) => 0,
            false => known_directory(full),
        };
        let known = full.get(..end).unwrap_or_default();
        match known {
            _ if is_known => found.push(known.to_owned()),
            // What nobody names is moved about by many scripts.
            "" if names_all => found.extend(SCRATCH.map(str::to_owned)),
            "" => {}
            _ => {
                found.push(held::key(known));
                if !places.is_wide(known) {
                    found.push(known.to_owned());
                }
            }
        }
        if !is_link {
            found.extend(held::of(known));
        }
    }

    /// The moves of a command line, or of a tool that moves files.
    fn moves_of_call(&mut self) -> Vec<Move> {
        let mut found = Vec::new();
        if self.context.is_shell {
            // The line is read where its files are looked for; most lines take nothing away.
            let takes = self.with_files(|files, _| {
                files.iter().any(|located| located.file.effect == Some(Effect::Delete))
            });
            if takes || self.scratch.shell.has_links() {
                found = moves(&self.scratch.shell, &self.files_by_command());
            }
        }
        // A tool that is no shell may do more than run what it is given.
        if self.context.files == ToolFiles::Moves {
            let params = self.context.params;
            let named = of_params(ToolFiles::Moves, |visit| params.for_each_named(visit));
            let files: Vec<_> = named.into_iter().map(|file| (0, file)).collect();
            found.append(&mut moves(&self.scratch.shell, &files));
        }
        found
    }

    /// Whether a file is, or may hold, what was moved by an earlier call or to one of some places.
    pub(super) fn has_arrived(&mut self, file: &TouchedFile, places: &[String]) -> bool {
        let matcher = self.path_matcher();
        let located = matcher.places.locate(file.clone());
        let full = &*located.full;
        let key = held::key(full);
        sets_of(&matcher, PathUse::Moved).any(|set| held::lies_in(full, set) || set.contains(&key))
            || places.iter().any(|place| located.may_overlap(place))
    }

    /// Whether a file is one of the project that the session did not make and that version control may keep.
    fn is_work(&mut self, file: &TouchedFile, made: &[(PathUse, String)]) -> bool {
        let matcher = self.path_matcher();
        let located = matcher.places.locate(file.clone());
        // Of a pattern, the directory says what it finds.
        let is_pattern = located.file.is_pattern && !located.full.contains(HOLE);
        let end = if is_pattern { known_directory(&located.full) } else { located.full.len() };
        let full = located.full.get(..end).unwrap_or_default();
        if full.is_empty() || full.contains(HOLE) {
            return true;
        }
        let is_made = made.iter().any(|(_, place)| is_in(full, place))
            || sets_of(&matcher, PathUse::Made).any(|set| held::lies_in(full, set));
        !is_made
            && matcher.places.is_inside(full)
            && matcher.host.ignored(full, matcher.since) != Some(true)
    }
}

/// The sets that take files of one use.
pub(super) fn sets_of<'m>(
    matcher: &'m PathMatcher<'_, '_>,
    taken: PathUse,
) -> impl Iterator<Item = &'m TrackedSet> {
    let takes = move |(index, _): &(u32, &TrackedSet)| {
        let record: SetRecord = matcher.view.row(Section::Sets, *index);
        taken.is_in(record.paths)
    };
    (0..).zip(matcher.sets).filter(takes).map(|(_, set)| set)
}
