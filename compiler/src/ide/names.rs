//! What a file may refer to: what it declares itself, the profiles it builds on, the standard library.

use std::collections::HashSet;
use std::sync::Arc;

use behavior_runtime::classifier::ClassifierTable;

use super::patterns;
use super::place::{CursorPlace, alternatives, visit_scalars};
use super::related::tested_by;
use super::siblings::Beside;
use super::{Project, RuleFile};
use crate::provider::LIBRARY_PREFIX;
use crate::registry::schema::{NameKind, Shape};
use crate::resolve::{FileKind, reference};
use crate::syntax::{Entry, Node};

/// The standard library's rules and tracking.
const LIBRARY_RULES: &str = "builtin:rules.yaml";

/// What the standard library knows of programs.
const LIBRARY_PROGRAMS: &str = "builtin:programs.yaml";

/// The classes of commands of the standard library.
const LIBRARY_CLASSES: &str = "builtin:classes.yaml";

/// How many profiles that extend each other are followed.
const MAX_CHAIN_LENGTH: usize = 32;

/// A file and all that it builds on.
pub(super) struct Surroundings<'f> {
    project: Project<'f>,
    file: &'f RuleFile,
    /// Of a test with a config of its own, that config.
    own: Option<RuleFile>,
    /// The profiles, the nearest first, then the standard library's rules.
    below: Vec<Arc<RuleFile>>,
}

/// Something declared under `state_tracking`.
#[derive(Clone, Copy)]
pub(super) struct Declared<'s> {
    /// Its name and what it says.
    pub entry: &'s Entry,
    /// The file in which it stands.
    pub file: &'s RuleFile,
}

impl<'f> Surroundings<'f> {
    pub fn new(file: &'f RuleFile, project: Project<'f>) -> Self {
        Self::of(file, None, project)
    }

    /// Those of a place in a file, as tests may have each a config of its own.
    pub fn at(file: &'f RuleFile, project: Project<'f>, offset: u32) -> Self {
        let is_of_tests = file.kind == FileKind::RuleTests;
        let own = is_of_tests.then(|| Beside::new(file, offset).config_of_test()).flatten();
        Self::of(file, own, project)
    }

    fn of(file: &'f RuleFile, own: Option<RuleFile>, project: Project<'f>) -> Self {
        let mut below: Vec<Arc<RuleFile>> = Vec::new();
        if file.kind == FileKind::RuleTests && own.is_none() {
            below.extend(tested_by(project, file).iter().filter_map(|name| project.file(name)));
        }
        for _ in 0..MAX_CHAIN_LENGTH {
            let first = own.as_ref().unwrap_or(file);
            let Some(path) = base_of(below.last().map_or(first, |last| last), project) else {
                break;
            };
            if *path == *file.name() || below.iter().any(|known| known.name() == path) {
                break;
            }
            let Some(profile) = project.file(&path) else { break };
            below.push(profile);
        }
        below.extend(project.file(LIBRARY_RULES));
        Self { project, file, own, below }
    }

    pub fn files(&self) -> impl Iterator<Item = &RuleFile> {
        let first = self.own.as_ref().unwrap_or(self.file);
        std::iter::once(first).chain(self.below.iter().map(|file| &**file))
    }

    /// The sets, counters or flags, the nearest of each name.
    pub fn declared(&self, kind: NameKind) -> Vec<Declared<'_>> {
        let key = match kind {
            NameKind::Set => "sets",
            NameKind::Counter => "counters",
            NameKind::Flag => "flags",
            _ => return Vec::new(),
        };
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for file in self.files() {
            let table = file.config().get("state_tracking").and_then(|tracking| tracking.get(key));
            for entry in table.and_then(Node::entries).unwrap_or_default() {
                if seen.insert(&*entry.key.text) {
                    found.push(Declared { entry, file });
                }
            }
        }
        found
    }

    /// The set, counter or flag called `name`.
    pub fn find(&self, kind: NameKind, name: &str) -> Option<Declared<'_>> {
        self.declared(kind).into_iter().find(|known| &*known.entry.key.text == name)
    }

    /// The file's text from an offset on.
    pub fn text_behind(&self, offset: u32) -> &str {
        self.file.text().get(offset as usize..).unwrap_or_default()
    }

    /// The built-in rules.
    pub fn builtin_rules(&self) -> &[Node] {
        let library = self.below.iter().find(|file| file.name() == LIBRARY_RULES);
        let rules = library.and_then(|library| library.config().get("rule_definitions"));
        rules.and_then(Node::items).unwrap_or_default()
    }

    /// The built-in rule called `id`.
    pub fn builtin_rule(&self, id: &str) -> Option<&Node> {
        self.builtin_rules().iter().find(|rule| text(rule, "id") == Some(id))
    }

    /// What is known of programs: what is built in.
    pub fn programs(&self) -> Option<Arc<RuleFile>> {
        self.project.file(LIBRARY_PROGRAMS)
    }

    /// The words that select parts of a program.
    pub fn subcommands(&self, program: &str) -> Vec<String> {
        let (programs, classes) = (self.programs(), self.project.file(LIBRARY_CLASSES));
        patterns::subcommands(programs.as_deref(), classes.as_deref(), program)
    }

    /// The file that declares the built-in classes of commands.
    pub fn library_classes(&self) -> Option<Arc<RuleFile>> {
        self.project.file(LIBRARY_CLASSES)
    }

    /// The built-in classes of commands.
    pub fn classes(&self) -> Vec<String> {
        let file = self.project.file(LIBRARY_CLASSES);
        let classes = file.as_deref().and_then(|file| file.config().get("command_classes"));
        let entries = classes.and_then(Node::entries).unwrap_or_default();
        entries.iter().map(|entry| entry.key.text.to_string()).collect()
    }

    /// The rules of profiles that the file builds on, which `rules` may switch off.
    pub fn rules_of_profiles(&self) -> Vec<String> {
        let profiles = self.below.iter().filter(|file| file.kind == FileKind::Profile);
        let rules = profiles.filter_map(|file| file.config().get("rule_definitions")?.items());
        rules.flatten().filter_map(|rule| text(rule, "id")).map(str::to_owned).collect()
    }

    /// The files and what was read of them before.
    pub fn project(&self) -> Project<'f> {
        self.project
    }

    /// The built-in presets.
    pub fn presets(&self) -> Vec<String> {
        self.project.provider.list(LIBRARY_PREFIX)
    }

    /// The prompts of a folder.
    pub fn prompts(&self, folder: &str) -> Vec<String> {
        let names = self.project.provider.list(&format!("{folder}prompts"));
        names.iter().filter_map(|name| name.strip_suffix(".md")).map(str::to_owned).collect()
    }

    /// Whether an environment variable is set.
    pub fn has_secret(&self, name: &str) -> bool {
        self.project.provider.has_secret(name)
    }

    /// The project's profiles, without the file itself.
    pub fn profiles(&self) -> Vec<String> {
        let root = reference::project_root(self.file.name());
        let own = self.file.name().strip_prefix(&format!("{root}behavior/"));
        let names = self.project.provider.list(&format!("{root}behavior"));
        let names = names.iter().filter(|name| Some(name.as_str()) != own);
        let names = names.filter_map(|name| name.strip_suffix(".yaml"));
        names
            .filter(|name| !name.ends_with(".test") && !name.ends_with(".policy"))
            .filter(|name| *name != "agents")
            .map(str::to_owned)
            .collect()
    }

    /// The profile that a text names.
    pub fn profile(&self, name: &str) -> Option<Arc<RuleFile>> {
        self.project.file(&profile_path(name, self.file, self.project)?)
    }

    /// All texts of a shape that the file and what it builds on hold, each once, in their order.
    pub fn mentioned(&self, wanted: fn(&Shape) -> bool) -> Vec<String> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        for file in self.files() {
            visit_scalars(file.config(), CursorPlace::root(file.kind), &mut |node, shape| {
                let Some(text) = node.as_str().filter(|text| !text.is_empty()) else { return };
                if alternatives(shape).iter().any(wanted) {
                    found.extend(seen.insert(text).then(|| text.to_owned()));
                }
            });
        }
        found
    }

    /// The names of the classifier's risk levels: those that the file gives, else those that hold without.
    pub fn risk_levels(&self) -> Vec<String> {
        let levels =
            self.files().find_map(|file| file.config().get("classifier")?.get("risk_levels"));
        let Some(levels) = levels.and_then(Node::items) else {
            let standard = ClassifierTable::standard().risks;
            return standard.into_iter().map(|level| level.name).collect();
        };
        let name = |level: &Node| level.as_str().or_else(|| text(level, "name")).map(str::to_owned);
        levels.iter().filter_map(name).collect()
    }
}

impl RuleFile {
    /// The file, as an answer calls it.
    pub(super) fn called(&self) -> &str {
        self.name()
    }
}

/// The text of a field.
pub(super) fn text<'n>(node: &'n Node, field: &str) -> Option<&'n str> {
    node.get(field)?.as_str()
}

/// The path of the profile that a file builds on.
pub(super) fn base_of(file: &RuleFile, project: Project<'_>) -> Option<String> {
    let field = if file.kind == FileKind::Profile { "extends" } else { "profile" };
    profile_path(text(file.config(), field)?, file, project)
}

pub(super) fn profile_path(name: &str, from: &RuleFile, project: Project<'_>) -> Option<String> {
    let is_reference = reference::parse(name).is_some();
    if !is_reference && project.provider.list(LIBRARY_PREFIX).iter().any(|preset| preset == name) {
        return Some(format!("{LIBRARY_PREFIX}{name}.yaml"));
    }
    let name = reference::profile_name(name);
    if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\', '\0']) {
        return None;
    }
    Some(format!("{}behavior/{name}.yaml", reference::project_root(from.name())))
}
