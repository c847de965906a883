//! Names of documents that messages quote: none leads out of the folder that it starts from.

/// Whether a document can be called `name`: a relative path, `/` between its parts, that leads
/// nowhere but below the folder that it starts from.
#[must_use]
pub fn is_name(name: &str) -> bool {
    let is_part = |part: &str| !matches!(part, "" | "." | "..");
    let is_odd = |c: char| c.is_control() || matches!(c, '\\' | ':');
    let is_plain = name == name.trim() && !name.starts_with('~') && !name.contains(is_odd);
    is_plain && name.split('/').all(is_part)
}

#[cfg(test)]
mod tests {
    use super::is_name;

    #[track_caller]
    fn check_name(name: &str, expect: bool) {
        assert_eq!(is_name(name), expect, "{name:?}");
    }

    #[test]
    fn names_stay_in_their_folder() {
        check_name("coding-rules.md", true);
        check_name("docs/coding rules.md", true);
        check_name(".github/rules.md", true);
        check_name("...", true);
        for name in
            ["", "/etc/passwd", "..", "../a", "a/../../b", "./a", "a/", "a//b", "C:a", "~/a"]
        {
            check_name(name, false);
        }
        for name in [" a", "a ", "a\\b", "a\0", "a\nb"] {
            check_name(name, false);
        }
    }
}
