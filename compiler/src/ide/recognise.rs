//! Which files are rule files: an editor opens any file, and most are none of ours.

use crate::ast::PolicyFile;
use crate::foreign::is_foreign;
use crate::provider::LIBRARY_PREFIX;
use crate::resolve::kind::{
    POLICY, is_in_policy_place, is_shaped_like_policy, is_toml, is_trace_policy_name,
    not_read_here, place,
};
use crate::rule_test::{begins_tests, is_test_file};
use crate::syntax::Node;
use crate::workflow::kind_by_place;

/// How deep the behaviour section of an app config is looked for.
const MAX_DEPTH: u32 = 8;

/// Whether a file may be a rule file, without parsing it. Nothing more needs to be asked about one
/// that may not.
#[must_use]
pub fn may_be_rule_file(name: &str, text: &str) -> bool {
    let has_field = || PolicyFile::RECORD.fields.iter().any(|field| text.contains(field.name));
    match is_toml(name) {
        _ if is_named_so(name, text) => true,
        true => is_in_policy_place(name) && has_field(),
        false => {
            let has_section = text.contains("behavior");
            has_section && text.contains("security")
                || is_app_config(name) && (has_section || is_begun(text))
        }
    }
}

/// Whether a file is a rule file: by its first line, its place, a behaviour section in it, or, for
/// TOML in a place where policies are, by its shape.
#[must_use]
pub fn is_rule_file(name: &str, text: &str, root: &Node) -> bool {
    match is_toml(name) {
        _ if is_named_so(name, text) => true,
        true => is_shaped_like_policy(name, root),
        false => has_behavior_section(root, 0) || is_app_with_section(name, root),
    }
}

/// Whether a file's first line or its place makes it a rule file, whatever it holds.
pub(super) fn is_named_so(name: &str, text: &str) -> bool {
    if kind_in_comment(text).is_some() || name.starts_with(LIBRARY_PREFIX) {
        return true;
    }
    if is_foreign(name, text) {
        return false;
    }
    if kind_by_place(name).is_some() {
        return true;
    }
    if not_read_here(name, text).is_some() {
        return is_test_file(name, text) || begins_tests(text);
    }
    if is_trace_policy_name(name) {
        return true;
    }
    let (file, folder) = place(name);
    if file == "behavior.yaml" || folder == Some("behavior") && file == POLICY {
        return true;
    }
    folder == Some("behavior") && file.ends_with(".yaml")
}

/// What the first line says: `# behavior: profile`.
fn kind_in_comment(text: &str) -> Option<&str> {
    let line = text.lines().next()?.strip_prefix('#')?;
    Some(line.trim().strip_prefix("behavior:")?.trim())
}

/// Whether a file is called as app configs are.
pub(super) fn is_app_config(name: &str) -> bool {
    place(name).0 == "app.yaml"
}

/// Whether an app config holds nothing yet, or has the word that its rules stand behind.
fn is_begun(text: &str) -> bool {
    let mut words = text.lines().filter(|line| !line.starts_with([' ', '#']) && !line.is_empty());
    let first = words.clone().next();
    first.is_none_or(|first| "security:".starts_with(first.trim_end()))
        || words.any(|line| line.starts_with("security:"))
}

/// Whether an app config has its behaviour section at the root.
fn is_app_with_section(name: &str, root: &Node) -> bool {
    is_app_config(name) && root.get("behavior").is_some_and(|it| it.entries().is_some())
}

fn has_behavior_section(node: &Node, depth: u32) -> bool {
    let is_here = node.get("security").is_some_and(|security| security.entry("behavior").is_some());
    is_here
        || depth < MAX_DEPTH
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
        let format = if name.ends_with(".toml") { Format::Toml } else { Format::Yaml };
        let root = parse(FileId(0), text, format).root;
        assert_eq!(is_rule_file(name, text, &root), expected, "{name}");
        assert!(may_be_rule_file(name, text) || !expected, "{name}");
    }

    #[test]
    fn places_tell_rule_files() {
        check("behavior.yaml", "", true);
        check("/home/me/project/behavior.yaml", "", true);
        check("behavior/strict.yaml", "", true);
        check("C:\\project\\behavior\\strict.yaml", "", true);
        check("behavior/strict.test.yaml", "", true);
        check("behavior/strict.policy.yaml", "", true);
        check("misbehavior.yaml", "", false);
        check("behavior/notes.md", "", false);
        check("src/strict.yaml", "name: strict\n", false);
    }

    #[test]
    fn first_lines_tell_rule_files() {
        check("x.yaml", "# behavior: profile\n", true);
        check("x.yaml", "# behavior: policy\n", true);
        check("rules.txt", "# behavior: policy\n", true);
        check("behavior/x.yaml", "# behavior: test\n", true);
        check("behavior/strict.test.yaml", "tests: []\n", true);
        check("behavior/strict.test.yaml", "# tests of strict\nte", true);
        check("widget.test.yaml", "suite: x\n", false);
        check("widget.test.yaml", "suite", false);
        check("x.yaml", "\n# behavior: profile\n", false);
        check("templates/workflows/ci.yaml", "name: x\nst", true);
        check("templates/workflows/ci.yaml", "on: push\n", false);
        check("iam.policy.json", "{\"Statement\": []}", false);
    }

    #[test]
    fn places_and_shapes_tell_policies() {
        check("behavior/policy.toml", "", true);
        check("/home/me/.config/behavior/policy.toml", "[package]\n", true);
        check("policy.toml", "[[rules]]\n", true);
        check("policy.toml", "approval_mode = \n", true);
        check("behavior/strict.toml", "approval_mode = \"ask\"\n[[rules", true);
        check("policy.toml", "", false);
        check("policy.toml", "[rules]\nid = 1\n", false);
        check("gitleaks.toml", "[[rules]]\nid = 1\n", false);
        check("Cargo.toml", "[security.behavior]\nx = 1\n", false);
    }

    #[test]
    fn behaviour_sections_tell_rule_files() {
        check("app.yaml", "security:\n  behavior:\n", true);
        check("app.yaml", "agents:\n  a:\n    security: { behavior: {} }\n", true);
        check("app.yaml", "name: x\nbehavior: security\n", false);
        check("app.yaml", "name: x\nbehavior: { profile: dev }\n", true);
        check("other.yaml", "behavior: { profile: dev }\n", false);
        assert!(may_be_rule_file("app.yaml", "") && may_be_rule_file("app.yaml", "sec"));
        assert!(!may_be_rule_file("app.yaml", "name: x\n") && !may_be_rule_file("x.yaml", ""));
        check("app.yaml", "security:\n  sandbox: no\n", false);
        check("app.yaml", "security:\n  behavior:\n    rules: [\n", true);
    }
}
