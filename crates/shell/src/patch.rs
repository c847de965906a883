//! The files that a patch changes, in the forms of `diff -u`, of git, and of Codex. Reads its heads alone: whether it
//! applies, its program tells.

use super::touched::Effect;

/// No more files of one patch are looked at.
pub const MAX_FILES: usize = 1 << 16;

/// What stands before the name of a file that is written.
const WRITTEN: [&str; 6] =
    ["+++ ", "*** Update File: ", "*** Add File: ", "*** Move to: ", "rename to ", "copy to "];

/// What stands before the name of a file that is gone then.
const DELETED: [&str; 2] = ["*** Delete File: ", "rename from "];

/// Returns what a patch does with which files, by the names that stand in it, but for the `a/` and `b/` that programs put
/// before them.
#[must_use]
pub fn files(text: &str) -> Vec<(Effect, &str)> {
    let changed = |line| changed(line).map(|(effect, path)| (effect, without_side(path)));
    text.lines().filter_map(changed).take(MAX_FILES).collect()
}

/// Returns the same where a program leaves out so many parts of each name, as `-p` says.
#[must_use]
pub fn files_without(text: &str, parts: usize) -> Vec<(Effect, &str)> {
    let changed = |line| {
        let (effect, path) = changed(line)?;
        Some((effect, path.splitn(parts + 1, '/').nth(parts)?))
    };
    text.lines().filter_map(changed).take(MAX_FILES).collect()
}

/// What a line of a patch does with a file, if it is a head.
fn changed(line: &str) -> Option<(Effect, &str)> {
    let behind = |signs: &[&str]| signs.iter().find_map(|sign| line.strip_prefix(sign));
    let written = behind(&WRITTEN).map(|path| (Effect::Write, path));
    let deleted = || behind(&DELETED).map(|path| (Effect::Delete, path));
    // What a patch empties stands in its other head alone.
    let old = || line.strip_prefix("--- ").map(|path| (Effect::Write, path));
    let (effect, path) = written.or_else(deleted).or_else(old)?;
    let path = path.split('\t').next().unwrap_or(path).trim().trim_matches('"');
    (!path.is_empty() && path != "/dev/null").then_some((effect, path))
}

fn without_side(path: &str) -> &str {
    path.strip_prefix("a/").or_else(|| path.strip_prefix("b/")).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_form_names_its_files() {
        let check = |text, expected: &[(Effect, &str)]| assert_eq!(files(text), expected, "{text}");
        let (write, delete) = (Effect::Write, Effect::Delete);
        check("--- a/x\t2026\n+++ b/y\n@@\n-1\n+2\n", &[(write, "x"), (write, "y")]);
        check("--- x\n+++ /dev/null\n", &[(write, "x")]);
        check("rename from a\nrename to \"b c\"\n", &[(delete, "a"), (write, "b c")]);
        check(
            "*** Begin Patch\n*** Delete File: a\n*** Add File: b\n",
            &[(delete, "a"), (write, "b")],
        );
        check("- text\n+ text\n", &[]);
    }

    #[test]
    fn parts_are_left_out_as_told() {
        assert_eq!(files_without("+++ x/y/z\n", 2), [(Effect::Write, "z")]);
        assert_eq!(files_without("+++ x/y\n", 0), [(Effect::Write, "x/y")]);
        assert_eq!(files_without("+++ x\n", 1), []);
    }
}
