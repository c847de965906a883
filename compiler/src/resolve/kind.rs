//! What kind of file a file is: by a comment in its first line, by its place, by its shape.

use crate::source::Span;
use crate::syntax::{Comment, Node};

/// The kinds of rule files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// An app config with a behaviour config inside.
    AppConfig,
    /// A behaviour config at the root.
    BehaviorConfig,
    /// A profile.
    Profile,
}

impl FileKind {
    /// The kind, as people call it.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            FileKind::AppConfig => "an app config",
            FileKind::BehaviorConfig => "a behaviour config",
            FileKind::Profile => "a profile",
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
        if let Some(config) = inside_app(root, 0) {
            return (FileKind::AppConfig, config);
        }
        let has = |key: &str| root.entry(key).is_some();
        let is_profile_shaped = has("extends") || has("prompt") || has("name");
        let is_config_shaped = has("profile") || has("classify_turns") || has("brain");
        let in_profile_place = in_profile_folder(name);
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
        _ => None,
    }
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

fn in_profile_folder(name: &str) -> bool {
    let mut parts = name.rsplit('/');
    parts.next();
    parts.next() == Some("behavior")
}

/// `security.behavior` wherever the app keeps it, else `behavior` at the root.
fn inside_app(root: &Node, depth: u32) -> Option<&Node> {
    const DEEPEST: u32 = 8;
    if depth > DEEPEST {
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
