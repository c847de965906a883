//! From a name to where it is declared, to all its places, and to another name.

use std::sync::Arc;

use super::index::{Occurrence, SymbolKind};
use super::names::profile_path;
use super::related::{built_in, related};
use super::{Project, RuleFile};
use crate::project::folder_of;
use crate::provider::LIBRARY_PREFIX;
use crate::source::Span;

/// A place in a file.
#[derive(Clone, Debug)]
pub struct Target {
    /// The file.
    pub file: Arc<RuleFile>,
    /// The name there.
    pub span: Span,
    /// All that is declared there.
    pub extent: Span,
    /// Whether the name is declared there.
    pub is_declaration: bool,
}

impl Target {
    fn of(file: &Arc<RuleFile>, one: &Occurrence) -> Self {
        let extent = one.declares.unwrap_or(one.span);
        let is_declaration = one.declares.is_some();
        Self { file: Arc::clone(file), span: one.span, extent, is_declaration }
    }

    /// The beginning of a file.
    pub(super) fn start_of(file: Arc<RuleFile>) -> Self {
        let span = Span::new(file.root.span.file, 0, 0);
        Self { file, span, extent: span, is_declaration: true }
    }
}

/// The new text of a file's span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdit {
    /// The file's name.
    pub file: String,
    /// What is replaced.
    pub span: Span,
    /// By what.
    pub text: String,
}

/// What giving something another name comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rename {
    /// The edits, by file and place.
    pub edits: Vec<FileEdit>,
    /// Files that get another name: from, to.
    pub files: Vec<(String, String)>,
}

/// Finds where what is named at an offset is declared, the nearest first, the standard library last.
#[must_use]
pub fn definition(project: Project<'_>, file: &Arc<RuleFile>, offset: u32) -> Vec<Target> {
    let Some(one) = file.index().at(offset) else { return Vec::new() };
    if one.kind == SymbolKind::Profile {
        let path = profile_path(&one.name, file, project);
        return path
            .and_then(|path| project.file(&path))
            .map(Target::start_of)
            .into_iter()
            .collect();
    }
    let files = related(project, file);
    let name = file.name();
    let is_same = |file: &RuleFile| file.name() == name;
    let mut found = Vec::new();
    for file in files.iter().chain(&built_in(project, &files)) {
        let here = file.index().same_as(one, is_same(file));
        found.extend(here.filter(|one| one.declares.is_some()).map(|one| Target::of(file, one)));
        // What is nearer takes the place of what is built in.
        if !found.is_empty() && file.name().starts_with(LIBRARY_PREFIX) {
            break;
        }
    }
    let is_own = |target: &Target| !target.file.name().starts_with(LIBRARY_PREFIX);
    if found.iter().any(is_own) {
        found.retain(is_own);
    }
    found
}

/// Finds all places of what is named at an offset: those in the file first, then those in related files, then
/// those in the standard library.
#[must_use]
pub fn references(project: Project<'_>, file: &Arc<RuleFile>, offset: u32) -> Vec<Target> {
    let Some(wanted) = file.index().at(offset) else { return Vec::new() };
    let files = related(project, file);
    let library = built_in(project, &files);
    let all = files.iter().chain(&library);
    all.flat_map(|other| {
        let places = other.index().same_as(wanted, other.name() == file.name());
        places.map(|one| Target::of(other, one)).collect::<Vec<_>>()
    })
    .collect()
}

/// Finds the places of what is named at an offset in the file itself.
#[must_use]
pub fn highlights(file: &RuleFile, offset: u32) -> Vec<&Occurrence> {
    let Some(one) = file.index().at(offset) else { return Vec::new() };
    file.index().same_as(one, true).collect()
}

/// Says what would be renamed at an offset: the name and its place.
///
/// # Errors
/// When there is nothing there that can be, with the reason for people.
pub fn prepare_rename(
    project: Project<'_>,
    file: &Arc<RuleFile>,
    offset: u32,
) -> Result<(Span, String), String> {
    let nothing = "there is no name here that could be changed: sets, counters, flags, rules, profiles, tests and the classifier's words have one";
    let one = file.index().at(offset).ok_or_else(|| nothing.to_owned())?;
    let what = format!("the {} `{}`", one.kind.describe(), one.name);
    if file.name().starts_with(LIBRARY_PREFIX) {
        return Err(format!("{what} is built in and keeps its name"));
    }
    if one.kind == SymbolKind::Profile {
        let path = profile_path(&one.name, file, project);
        let path = path.ok_or_else(|| format!("there is no {}", without_article(&what)))?;
        if path.starts_with(LIBRARY_PREFIX) {
            return Err(format!("{what} is built in and keeps its name"));
        }
    } else {
        let files = related(project, file);
        let declares = |other: &Arc<RuleFile>| is_declared(other, one, other.name() == file.name());
        if built_in(project, &files).iter().any(declares) {
            return Err(format!("{what} is built in, and built-in rules know it by this name"));
        }
        if !files.iter().any(declares) {
            return Err(format!("nothing declares {what}"));
        }
    }
    Ok((one.span, one.name.to_string()))
}

/// Whether a file declares what a name stands for; `is_here` says whether the name stands in it.
fn is_declared(file: &RuleFile, wanted: &Occurrence, is_here: bool) -> bool {
    file.index().same_as(wanted, is_here).any(|one| one.declares.is_some())
}

fn without_article(what: &str) -> &str {
    what.strip_prefix("the ").unwrap_or(what)
}

/// Gives what is named at an offset another name, wherever it stands.
///
/// # Errors
/// When that cannot be, with the reason for people.
pub fn rename(
    project: Project<'_>,
    file: &Arc<RuleFile>,
    offset: u32,
    new: &str,
) -> Result<Rename, String> {
    let (_, old) = prepare_rename(project, file, offset)?;
    let Some(wanted) = file.index().at(offset) else { return Ok(Rename::default()) };
    let kind = wanted.kind;
    check_name(wanted, new)?;
    if new == old {
        return Ok(Rename::default());
    }
    let files = related(project, file);
    let library = built_in(project, &files);
    let mut rename = Rename::default();
    if kind == SymbolKind::Profile {
        rename.files = profile_files(project, file, &old, new)?;
    } else {
        let renamed = wanted.renamed(new);
        let is_taken =
            |other: &Arc<RuleFile>| is_declared(other, &renamed, other.name() == file.name());
        if let Some(other) = files.iter().chain(&library).find(|other| is_taken(other)) {
            let what = kind.describe();
            return Err(format!("`{}` has a {what} called `{new}` already", other.name()));
        }
    }
    for other in &files {
        for one in other.index().same_as(wanted, other.name() == file.name()) {
            if !one.is_exact {
                let message = "is written with escapes in";
                return Err(format!(
                    "`{old}` {message} `{}`: write it plainly first",
                    other.name()
                ));
            }
            let (file, text) = (other.name().to_owned(), new.to_owned());
            rename.edits.push(FileEdit { file, span: one.span, text });
        }
    }
    Ok(rename)
}

/// Names that need no quotes anywhere are the ones that can be put everywhere. Rules of policies have sentences for
/// names: what stands between blanks is such a name, too.
fn check_name(wanted: &Occurrence, new: &str) -> Result<(), String> {
    let kind = wanted.kind;
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let is_plain = new.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && new.chars().all(is_word)
        && !["and", "or", "not", "true", "false", "null"].contains(&new);
    if is_plain || kind == SymbolKind::Test && !new.contains(['"', '\'', '\n', ':', '#']) {
        return Ok(());
    }
    let is_of_policy = kind == SymbolKind::Rule && wanted.is_of_policy();
    let is_sentence = new.starts_with(char::is_alphabetic)
        && new.split(' ').all(|word| !word.is_empty() && word.chars().all(is_word));
    if is_of_policy && is_sentence {
        return Ok(());
    }
    let blanks = if is_of_policy { ", and single blanks between" } else { "" };
    Err(format!(
        "`{new}` cannot be the name of a {}: a name begins with a letter and has letters, digits, `_` and `-`{blanks}",
        kind.describe()
    ))
}

/// The files that a profile's new name renames: its own and its tests.
fn profile_files(
    project: Project<'_>,
    file: &RuleFile,
    old: &str,
    new: &str,
) -> Result<Vec<(String, String)>, String> {
    let folder = format!("{}behavior/", folder_of(file.name()));
    let there = project.provider.list(folder.trim_end_matches('/'));
    if there.iter().any(|name| *name == format!("{new}.yaml")) {
        return Err(format!("there is a file `{folder}{new}.yaml` already"));
    }
    let endings = [".yaml", ".test.yaml"];
    let files = endings.iter().map(|ending| (format!("{old}{ending}"), format!("{new}{ending}")));
    let files = files.filter(|(from, _)| there.contains(from));
    Ok(files.map(|(from, to)| (format!("{folder}{from}"), format!("{folder}{to}"))).collect())
}
