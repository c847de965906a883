//! What kind of file a file is: by a comment in its first line, by its place, by its shape.

use crate::ast::{BehaviorConfig, PolicyFile, Profile};
use crate::nearest::closest;
use crate::source::Span;
use crate::syntax::{Comment, Entry, Format, Kind, Node};
use crate::trace_policy::is_trace_policy;
use crate::workflow::{kind_by_place, kind_in_first_line};

/// Where a project, a user and an administrator keep their policy, in the folder `behavior`.
pub(crate) const POLICY: &str = "policy.toml";

/// The kinds of rule files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// An app config with a behaviour config inside.
    AppConfig,
    /// A behaviour config at the root.
    BehaviorConfig,
    /// A profile.
    Profile,
    /// A policy.
    Policy,
    /// A trace policy.
    TracePolicy,
    /// Rule tests, from which no rules are read.
    RuleTests,
    /// A workflow template, from which no rules are read.
    Workflow,
    /// Agents that take the steps of workflows, from which no rules are read.
    Agents,
    /// A plan, from which no rules are read.
    Plan,
}

impl FileKind {
    /// The kind, as people call it.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            FileKind::AppConfig => "an app config",
            FileKind::BehaviorConfig => "a behaviour config",
            FileKind::Profile => "a profile",
            FileKind::Policy => "a policy",
            FileKind::TracePolicy => "a trace policy",
            FileKind::RuleTests => "a rule test file",
            FileKind::Workflow => "a workflow template",
            FileKind::Agents => "a file of agents",
            FileKind::Plan => "a plan",
        }
    }

    /// The kind of a file, and the part of it that is about behaviour.
    #[must_use]
    pub fn of<'n>(name: &str, comments: &[Comment], root: &'n Node) -> (FileKind, &'n Node) {
        if let Some(kind) = named_in_comment(comments) {
            return match kind {
                FileKind::AppConfig => (kind, inside_app(root, 0).unwrap_or(root)),
                _ => (kind, root),
            };
        }
        if let Some(kind) = kind_by_place(name) {
            return (kind, root);
        }
        if is_toml(name) {
            return (FileKind::Policy, root);
        }
        if is_trace_policy_name(name) || is_trace_policy(root) {
            return (FileKind::TracePolicy, root);
        }
        if let Some(config) = inside_app(root, 0) {
            return (FileKind::AppConfig, config);
        }
        let has = |key: &str| root.entry(key).is_some();
        let is_profile_shaped = has("extends") || has("prompt") || has("name");
        let is_config_shaped = has("profile") || has("classify_turns") || has("brain");
        // The user's and the administrator's folders are called `behavior`, too.
        let in_profile_place = in_profile_folder(name) && !is_config_name(name);
        if (is_profile_shaped || in_profile_place) && !is_config_shaped {
            return (FileKind::Profile, root);
        }
        (FileKind::BehaviorConfig, root)
    }
}

/// `# behavior: profile` in the first line.
fn named_in_comment(comments: &[Comment]) -> Option<FileKind> {
    match name_in_comment(comments)?.1 {
        "app config" | "app" => Some(FileKind::AppConfig),
        "behavior config" | "behaviour config" | "config" => Some(FileKind::BehaviorConfig),
        "profile" => Some(FileKind::Profile),
        "policy" => Some(FileKind::Policy),
        "trace policy" | "trace-policy" => Some(FileKind::TracePolicy),
        word => kind_in_first_line(word),
    }
}

/// `behavior.yaml`, in whatever folder.
fn is_config_name(name: &str) -> bool {
    name.rsplit(['/', '\\']).next() == Some("behavior.yaml")
}

/// `*.policy.yaml` and the like.
pub(crate) fn is_trace_policy_name(name: &str) -> bool {
    [".policy.yaml", ".policy.yml", ".policy.json"].iter().any(|ending| name.ends_with(ending))
}

pub(crate) fn is_toml(name: &str) -> bool {
    name.ends_with(".toml")
}

/// Whether a file stands where policies are and has what only they have. Other tools call files
/// `policy.toml` too.
pub(crate) fn is_shaped_like_policy(name: &str, root: &Node) -> bool {
    let is_of_rules = |rules: &Node| matches!(rules.kind, Kind::Seq(_) | Kind::Broken);
    let has_fields =
        || root.entry("approval_mode").is_some() || root.get("rules").is_some_and(is_of_rules);
    is_toml(name) && is_in_policy_place(name) && has_fields()
}

/// The name of a file and of the folder that it is in.
pub(crate) fn place(name: &str) -> (&str, Option<&str>) {
    let mut parts = name.rsplit(['/', '\\']);
    (parts.next().unwrap_or_default(), parts.next())
}

/// Whether a file stands where policies are.
pub(crate) fn is_in_policy_place(name: &str) -> bool {
    let (file, folder) = place(name);
    file == POLICY || folder == Some("behavior")
}

/// The format of a file: by the end of its name, and by its first line where that tells a policy.
pub(crate) fn format_of(name: &str, text: &str) -> Format {
    let is_tree = [".yaml", ".yml", ".json"].iter().any(|ending| name.ends_with(ending));
    match () {
        () if name.ends_with(".json") => Format::Json,
        () if is_toml(name) => Format::Toml,
        () if !is_tree && said_in_first_line(text) == Some("policy") => Format::Toml,
        () => Format::Yaml,
    }
}

/// What the first line of a text says that it is.
pub(crate) fn said_in_first_line(text: &str) -> Option<&str> {
    let line = text.lines().next()?.strip_prefix('#')?;
    line.trim().strip_prefix("behavior:").map(str::trim)
}

/// What the first line says that the file is, and where.
fn name_in_comment(comments: &[Comment]) -> Option<(Span, &str)> {
    let first = comments.first().filter(|comment| comment.span.start == 0)?;
    Some((first.span, first.text.trim().strip_prefix("behavior:")?.trim()))
}

/// What the first line says that the file is, where there is no such kind. A longer text is a title.
pub(super) fn unknown_name(comments: &[Comment]) -> Option<(Span, &str)> {
    let is_word = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
    let named = name_in_comment(comments).filter(|(_, name)| is_word(name))?;
    named_in_comment(comments).is_none().then_some(named)
}

/// What a file holds that is of a kind which is not read here, by its first line or its name.
pub(crate) fn not_read_here(name: &str, text: &str) -> Option<&'static str> {
    match said_in_first_line(text) {
        Some("test" | "tests") => return Some("rule tests"),
        Some(word) => return kind_in_first_line(word).map(FileKind::describe),
        None => {}
    }
    if let Some(kind) = kind_by_place(name) {
        return Some(kind.describe());
    }
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let (stem, ending) = file.rsplit_once('.')?;
    let is_tree = matches!(ending, "yaml" | "yml" | "json");
    match () {
        () if is_tree && stem.ends_with(".test") => Some("rule tests"),
        () => None,
    }
}

/// The first key of a file that is no rule file at all: nothing says that it is one, and none of its
/// keys is one of ours or near to one. Names and descriptions are everywhere and tell nothing.
pub(super) fn foreign<'n>(
    name: &str,
    comments: &[Comment],
    kind: FileKind,
    root: &'n Node,
) -> Option<&'n Entry> {
    let is_place_ours = kind_by_place(name).is_some()
        || in_profile_folder(name)
        || name.rsplit('/').next() == Some("behavior.yaml");
    if matches!(kind, FileKind::AppConfig | FileKind::TracePolicy)
        || name_in_comment(comments).is_some()
        || is_place_ours
    {
        return None;
    }
    let telling = |entry: &&Entry| !matches!(&*entry.key.text, "name" | "description");
    let first = root.entries()?.iter().find(telling)?;
    let of_policies = kind == FileKind::Policy;
    let fields = || {
        let configs = BehaviorConfig::RECORD.fields.iter().chain(Profile::RECORD.fields);
        let fields = PolicyFile::RECORD.fields.iter().filter(move |_| of_policies);
        fields.chain(configs.filter(move |_| !of_policies))
    };
    let is_near = |entry: &Entry| closest(&entry.key.text, fields().map(|f| f.name)).is_some();
    (!root.entries()?.iter().filter(telling).any(is_near)).then_some(first)
}

/// Where a config or a profile has a list of rules as policies have them: for its name, or because none of them has what
/// other rules have.
pub(super) fn list_of_policy(name: &str, kind: FileKind, root: &Node) -> Option<Span> {
    let rules = root.entry("rules").filter(|_| root.entry("rule_definitions").is_none())?;
    let items = rules.value.items().filter(|items| !items.is_empty())?;
    let has = |item: &Node, keys: &[&str]| keys.iter().any(|key| item.entry(key).is_some());
    let is_of_policy = |item: &Node| {
        has(item, &["action", "pattern"]) && !has(item, &["id", "trigger", "message", "condition"])
    };
    let is_called_so = ["policy.yaml", "policies.yaml"].contains(&place(name).0);
    let may_be = matches!(kind, FileKind::BehaviorConfig | FileKind::Profile);
    (may_be && (is_called_so || items.iter().all(is_of_policy))).then_some(rules.key.span)
}

pub(crate) fn in_profile_folder(name: &str) -> bool {
    let mut parts = name.rsplit('/');
    parts.next();
    parts.next() == Some("behavior")
}

/// `security.behavior` wherever the app keeps it, else `behavior` at the root.
fn inside_app(root: &Node, depth: u32) -> Option<&Node> {
    const MAX_DEPTH: u32 = 8;
    if depth > MAX_DEPTH {
        return None;
    }
    if let Some(config) = root.get("security").and_then(|security| security.get("behavior")) {
        return Some(config);
    }
    let entries = root.entries()?;
    if depth == 0
        && let Some(config) = root.get("behavior").filter(|config| config.entries().is_some())
    {
        return Some(config);
    }
    entries.iter().find_map(|entry| inside_app(&entry.value, depth + 1))
}
