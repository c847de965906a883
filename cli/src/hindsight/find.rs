//! Which recordings are asked: what paths and globs name, or what the agents of a project recorded in it.

use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use behavior_agents::hook::Agent;
use behavior_lsp::Sessions;
use globset::{GlobBuilder, GlobMatcher};
use ignore::WalkBuilder;

use crate::number::number;
use crate::project::display;
use crate::simulate::input::is_named_so;
use crate::wiring::Places;

/// How many files are asked; of more, the newest ones.
const MAX_FILES: usize = 2000;
/// How many entries of folders are looked at to find them.
const MAX_LOOKED_AT: usize = 200_000;
/// How much of a recording is read to tell which project it is of.
const BEGINNING: u64 = 16 << 10;

/// The files to ask.
#[derive(Debug, Default)]
pub struct Found {
    /// Their whole paths, in order.
    pub paths: Vec<String>,
    /// What was left out and why, for people.
    pub notes: Vec<String>,
}

/// What is known of the beginnings of recordings, which do not change: whether they have what was looked for.
pub type Beginnings = HashMap<PathBuf, bool>;

/// Finds the files.
#[must_use]
pub fn find(sessions: &Sessions, root: &str, beginnings: &mut Beginnings) -> Found {
    let mut found = Found::default();
    let mut all = BTreeSet::new();
    match sessions {
        Sessions::Named(names) => {
            for name in names {
                let path = whole(name, Path::new(root));
                let before = all.len();
                match has_wildcard(name) {
                    true => globbed(&path, &mut all),
                    false => named(&path, &mut all),
                }
                if all.len() == before {
                    found.notes.push(format!("nothing is called `{name}`"));
                }
            }
        }
        Sessions::OfProject => of_project(Path::new(root), beginnings, &mut all),
    }
    let mut dated: Vec<(Option<SystemTime>, PathBuf)> = all
        .into_iter()
        .map(|path| (path.metadata().and_then(|it| it.modified()).ok(), path))
        .collect();
    if dated.len() > MAX_FILES {
        dated.sort_by(|one, other| other.cmp(one));
        let left = dated.len() - MAX_FILES;
        found.notes.push(format!("{} older files were left out", number(left as u64)));
        dated.truncate(MAX_FILES);
    }
    // The newest event is the last one: what a condition saw last is what it saw then.
    dated.sort();
    found.paths = dated.into_iter().map(|(_, path)| display(&path)).collect();
    found
}

fn has_wildcard(name: &str) -> bool {
    name.contains(['*', '?', '[', '{'])
}

/// The whole path of a name, which may begin in the user's home.
fn whole(name: &str, root: &Path) -> PathBuf {
    let home = name.strip_prefix("~/").zip(std::env::var_os("HOME"));
    match home {
        Some((rest, home)) => Path::new(&home).join(rest),
        None => root.join(name),
    }
}

fn named(path: &Path, all: &mut BTreeSet<PathBuf>) {
    if path.is_dir() {
        below(path, all, is_named_so);
    } else if path.is_file() {
        all.insert(path.to_owned());
    }
}

fn globbed(pattern: &Path, all: &mut BTreeSet<PathBuf>) {
    let is_plain =
        |part: &&std::path::Component<'_>| !part.as_os_str().to_str().is_some_and(has_wildcard);
    let start: PathBuf = pattern.components().take_while(|part| is_plain(&part)).collect();
    let glob = pattern.to_str().and_then(|text| {
        GlobBuilder::new(text).literal_separator(true).build().ok().map(|it| it.compile_matcher())
    });
    let Some(glob) = glob else { return };
    let is_it = |glob: &GlobMatcher, path: &Path| glob.is_match(path);
    below(&start, all, |path| is_it(&glob, path));
}

/// The files in a folder and below that are wanted. Linked folders are not followed.
fn below(folder: &Path, all: &mut BTreeSet<PathBuf>, mut is_wanted: impl FnMut(&Path) -> bool) {
    let walk = WalkBuilder::new(folder).standard_filters(false).build();
    let entries = walk.take(MAX_LOOKED_AT).filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    all.extend(files.map(ignore::DirEntry::into_path).filter(|path| is_wanted(path)));
}

/// What the agents of a project recorded in it.
fn of_project(root: &Path, beginnings: &mut Beginnings, all: &mut BTreeSet<PathBuf>) {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let places = Places::of(root.clone());
    let project = display(&root);
    for agent in Agent::ALL {
        let Some(transcripts) = agent.transcripts(&project) else { continue };
        let Some(folder) = places.user_folder(agent) else { continue };
        let begins = transcripts.begins_with.as_deref();
        below(&folder.join(&transcripts.folder), all, |path| {
            let mut has = |text: &str| {
                let known = beginnings.get(path).copied();
                known.unwrap_or_else(|| {
                    let has = has_in_beginning(path, text);
                    beginnings.insert(path.to_owned(), has);
                    has
                })
            };
            is_named_so(path) && begins.is_none_or(&mut has)
        });
    }
}

fn has_in_beginning(path: &Path, text: &str) -> bool {
    let mut beginning = Vec::new();
    let read =
        std::fs::File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning));
    read.is_ok() && memchr::memmem::find(&beginning, text.as_bytes()).is_some()
}
