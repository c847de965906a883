//! Which files are rule files: an editor opens any file, and most are none of ours.

use crate::syntax::Node;

/// How deep the behaviour section of an app config is looked for.
const DEEPEST: u32 = 8;

/// Whether a file may be a rule file, without parsing it. Nothing more needs to be asked about one
/// that may not.
#[must_use]
pub fn may_be_rule_file(name: &str, text: &str) -> bool {
    is_named_so(name, text) || text.contains("security") && text.contains("behavior")
}

/// Whether a file is a rule file: by its first line, its place, or a behaviour section in it.
#[must_use]
pub fn is_rule_file(name: &str, text: &str, root: &Node) -> bool {
    is_named_so(name, text) || has_behavior_section(root, 0)
}

/// Whether a file's first line or its place makes it a rule file, whatever it holds.
pub(super) fn is_named_so(name: &str, text: &str) -> bool {
    if let Some(kind) = kind_in_comment(text) {
        return !matches!(kind, "test" | "tests" | "policy");
    }
    let mut parts = name.rsplit(['/', '\\']);
    let file = parts.next().unwrap_or_default();
    if file == "behavior.yaml" {
        return true;
    }
    let Some(stem) = file.strip_suffix(".yaml") else { return false };
    let is_other_kind = stem.ends_with(".test") || stem.ends_with(".policy");
    parts.next() == Some("behavior") && !is_other_kind
}

/// What the first line says: `# behavior: profile`.
fn kind_in_comment(text: &str) -> Option<&str> {
    let line = text.lines().next()?.strip_prefix('#')?;
    Some(line.trim().strip_prefix("behavior:")?.trim())
}

fn has_behavior_section(node: &Node, depth: u32) -> bool {
    let is_here = node.get("security").is_some_and(|security| security.entry("behavior").is_some());
    is_here
        || depth < DEEPEST
            && node.entries().is_some_and(|entries| {
                entries.iter().any(|e| has_behavior_section(&e.value, depth + 1))
            })
}

#[cfg(test)]
mod tests {
    use super::{is_rule_file, may_be_rule_file};
    use crate::source::FileId;
    use crate::syntax::{Format, parse};

    #[track_caller]
    fn check(name: &str, text: &str, expected: bool) {
        let root = parse(FileId(0), text, Format::Yaml).root;
        assert_eq!(is_rule_file(name, text, &root), expected, "{name}");
        assert!(may_be_rule_file(name, text) || !expected, "{name}");
    }

    #[test]
    fn places_tell_rule_files() {
        check("behavior.yaml", "", true);
        check("/home/me/project/behavior.yaml", "", true);
        check("behavior/strict.yaml", "", true);
        check("C:\\project\\behavior\\strict.yaml", "", true);
        check("behavior/strict.test.yaml", "", false);
        check("behavior/strict.policy.yaml", "", false);
        check("misbehavior.yaml", "", false);
        check("behavior/notes.md", "", false);
        check("src/strict.yaml", "name: strict\n", false);
    }

    #[test]
    fn first_lines_tell_rule_files() {
        check("x.yaml", "# behavior: profile\n", true);
        check("x.yaml", "# behavior: policy\n", false);
        check("behavior/x.yaml", "# behavior: test\n", false);
        check("x.yaml", "\n# behavior: profile\n", false);
    }

    #[test]
    fn behaviour_sections_tell_rule_files() {
        check("app.yaml", "security:\n  behavior:\n", true);
        check("app.yaml", "agents:\n  a:\n    security: { behavior: {} }\n", true);
        check("app.yaml", "name: x\nbehavior: security\n", false);
        check("app.yaml", "security:\n  sandbox: no\n", false);
        check("app.yaml", "security:\n  behavior:\n    rules: [\n", true);
    }
}
