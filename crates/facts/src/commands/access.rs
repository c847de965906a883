//! Which commands change who may do what with a file, and not what stands in it. Looks at the words of a command alone.

use behavior_shell::HOLE;

/// What a command does to a file that it writes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Change {
    /// Other content, or nobody knows what.
    #[default]
    Content,
    /// Another mode, under which its owner may do all that could be done before, and nobody else may write.
    Mode,
    /// This owner, and perhaps another group.
    Owner(String),
    /// The user whose shell it is, and perhaps another group.
    OwnUser,
}

impl Change {
    /// What a program does with the files that it is given, by the words behind it, each with whether it begins with the
    /// user whose shell it is, as `$USER:$USER` does.
    pub fn of<'w>(program: &str, words: impl Iterator<Item = (&'w str, bool)> + Clone) -> Self {
        if !matches!(program, "chmod" | "gchmod" | "chown" | "gchown")
            || words.clone().any(|(word, _)| word.starts_with("--ref"))
        {
            return Self::Content;
        }
        let first = words.clone().find(|(word, _)| !word.starts_with('-'));
        match first {
            Some((owner, begins_with_user)) if program.ends_with("chown") => {
                owner_of(owner, begins_with_user)
            }
            Some((mode, _)) if keeps_access(mode) => Self::Mode,
            _ => Self::Content,
        }
    }
}

/// The owner that a word of `chown` names: `me`, `me:staff`, `$USER:$USER`.
fn owner_of(word: &str, begins_with_user: bool) -> Change {
    let name = word.split(':').next().unwrap_or_default();
    if begins_with_user && name.chars().eq([HOLE]) {
        return Change::OwnUser;
    }
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    match !name.is_empty() && name.bytes().all(is_name) {
        true => Change::Owner(name.to_owned()),
        false => Change::Content,
    }
}

/// Whether under a mode the owner may read, write and pass through whatever could be before, and others gain nothing but
/// reading and passing.
fn keeps_access(mode: &str) -> bool {
    let is_octal = !mode.is_empty() && mode.bytes().all(|byte| byte.is_ascii_digit());
    if is_octal {
        let mode = mode.strip_prefix('0').filter(|rest| rest.len() == 3).unwrap_or(mode);
        return matches!(mode.as_bytes(), [b'7', group, others]
            if [group, others].into_iter().all(|digit| matches!(digit, b'0' | b'1' | b'4' | b'5')));
    }
    !mode.is_empty() && mode.split(',').all(clause_keeps_access)
}

/// The same of one clause, such as `u+rwX`.
fn clause_keeps_access(clause: &str) -> bool {
    let Some(at) = clause.find(['+', '-', '=']) else { return false };
    let (who, rest) = clause.split_at(at);
    let (sign, what) = rest.split_at(1);
    let is_right = |sign: char| matches!(sign, 'r' | 'w' | 'x' | 'X');
    let is_plain =
        who.chars().all(|sign| matches!(sign, 'u' | 'g' | 'o' | 'a')) && what.chars().all(is_right);
    let is_of_owner = who.is_empty() || who.contains(['u', 'a']);
    let is_of_others = who.contains(['g', 'o', 'a']);
    let has = |sign: char| what.contains(sign);
    is_plain
        && match sign {
            "+" => !(is_of_others && has('w')),
            "-" => !is_of_owner && what == "w",
            _ if is_of_owner => who == "u" && has('r') && has('w') && (has('x') || has('X')),
            _ => !has('w'),
        }
}

#[cfg(test)]
mod tests {
    use super::{Change, keeps_access};

    #[test]
    fn modes_that_leave_the_owner_all_are_told_from_others() {
        for mode in ["u+w", "+x", "+w", "a+rX", "u+rwX,go-w", "go-w", "u=rwX,go=rX", "755", "0700"]
        {
            assert!(keeps_access(mode), "{mode}");
        }
        for mode in [
            "", "000", "777", "775", "644", "4755", "u-w", "-w", "a-x", "go-r", "g+w", "a+w",
            "a=r", "u=r", "=rwx", "o=rw", "u+s", "g=u", "u+w,o+w", "x", "99999",
        ] {
            assert!(!keeps_access(mode), "{mode}");
        }
    }

    #[test]
    fn programs_are_told_by_their_words() {
        let with =
            |program, words: &[(&'static str, bool)]| Change::of(program, words.iter().copied());
        let of = |program, words: &[&'static str]| {
            with(program, &words.iter().map(|word| (*word, false)).collect::<Vec<_>>())
        };
        assert_eq!(of("chmod", &["-R", "u+w", "."]), Change::Mode);
        assert_eq!(of("chmod", &["--reference=a", "u+w"]), Change::Content);
        assert_eq!(of("chmod", &["-w", "a"]), Change::Content);
        let owner = Change::Owner("me".to_owned());
        assert_eq!(of("chown", &["-R", "me:staff", "."]), owner);
        assert_eq!(of("chown", &["-R", ":staff", "."]), Change::Content);
        assert_eq!(of("chown", &["\u{fdd0}", "."]), Change::Content);
        assert_eq!(with("chown", &[("\u{fdd0}:\u{fdd0}", true), (".", false)]), Change::OwnUser);
        assert_eq!(with("chown", &[("\u{fdd0}x", true), (".", false)]), Change::Content);
        assert_eq!(of("rm", &["u+w"]), Change::Content);
    }
}
