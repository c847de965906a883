//! The places outside of a repository that a user wants something put to. Knows no rules.

use super::acts::acts;
use super::wish::{Wish, trimmed};

/// Verbs that put something somewhere.
const PUTTING: &[&str] = &[
    "add", "append", "write", "put", "save", "store", "copy", "move", "set", "create", "install",
    "export", "insert", "dump", "generate", "output", "link", "download", "clone", "extract",
    "unpack", "back", "backup", "place", "render", "log", "symlink", "sync", "mirror", "scaffold",
    "init", "make",
];

/// Verbs that change what stands behind them.
const CHANGING: &[&str] = &[
    "use",
    "edit",
    "change",
    "update",
    "fix",
    "replace",
    "configure",
    "create",
    "modify",
    "touch",
    "make",
    "append",
    "set",
];

/// Words behind which a place is told.
const BEFORE_PLACE: &[&str] =
    &["to", "into", "in", "at", "under", "onto", "as", "inside", "on", "below", "within"];

/// Words that say no more of a place than that it is one.
const AROUND: &[&str] = &[
    "the",
    "my",
    "our",
    "your",
    "file",
    "folder",
    "directory",
    "a",
    "new",
    "called",
    "named",
    "path",
    "dir",
    "of",
    "end",
    "shell",
    "user's",
];

/// The hashes of the places that some clauses want something put to.
pub fn places(clauses: &[String]) -> Vec<u64> {
    let acts = clauses.iter().flat_map(|clause| acts(clause));
    acts.flat_map(|act| of_act(&act.split_whitespace().collect::<Vec<_>>())).collect()
}

fn of_act(words: &[&str]) -> Vec<u64> {
    let lower: Vec<String> = words.iter().map(|word| trimmed(word).to_lowercase()).collect();
    let verb = lower.first().map_or("", String::as_str);
    let (puts, changes) = (PUTTING.contains(&verb), CHANGING.contains(&verb));
    if !puts && !changes || is_about_a_program(&lower) {
        return Vec::new();
    }
    let is_told = |at: usize| {
        let mut before = lower.get(1..at).unwrap_or_default().iter().rev();
        let word = before.find(|word| !AROUND.contains(&word.as_str()));
        match word {
            None => changes,
            Some(word) => puts && BEFORE_PLACE.contains(&word.as_str()) || is_list(&lower, at),
        }
    };
    let told = words.iter().enumerate().skip(1).filter(|(at, word)| is_place(word) && is_told(*at));
    let told = told.map(|(_, word)| Wish::Place(trimmed(word).trim_end_matches('/')).hash());
    let of_home = lower.iter().enumerate().skip(1).filter(|(at, _)| is_told(*at));
    told.chain(of_home.filter_map(|(_, word)| Some(Wish::Place(&home_file(word)?).hash())))
        .collect()
}

/// The file of settings that a word names without its folder: "my zshrc".
fn home_file(word: &str) -> Option<String> {
    const FILES: [&str; 9] = [
        "zshrc",
        "bashrc",
        "vimrc",
        "gitconfig",
        "profile",
        "bash_profile",
        "zprofile",
        "tmux.conf",
        "zshenv",
    ];
    let bare = word.trim_start_matches('.');
    FILES.contains(&bare).then(|| format!("~/.{bare}"))
}

/// Whether a place is one of several: "to ~/a and ~/b".
fn is_list(lower: &[String], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| lower.get(before));
    let first = at.checked_sub(2).and_then(|first| lower.get(first));
    before.is_some_and(|word| word == "and") && first.is_some_and(|word| is_place(word))
}

/// Whether the act is about what a program does, or a text says: "write the log to /var/log/x in the service".
fn is_about_a_program(lower: &[String]) -> bool {
    const PROGRAMS: &[&str] = &[
        "service",
        "script",
        "code",
        "installer",
        "app",
        "application",
        "program",
        "config",
        "dockerfile",
        "image",
        "container",
        "compose",
        "test",
        "tests",
        "docs",
        "documentation",
        "readme",
        "doc",
        "guide",
        "function",
        "workflow",
        "pipeline",
        "handler",
        "cli",
        "tool",
    ];
    let is_in_one = |words: &[String]| {
        let [preposition, article, thing] = words else { return false };
        matches!(preposition.as_str(), "in" | "for" | "of" | "from")
            && matches!(article.as_str(), "the" | "our" | "my" | "a")
            && PROGRAMS.contains(&thing.as_str())
    };
    let makes_one = lower.get(1).is_some_and(|word| matches!(word.as_str(), "a" | "an" | "the"))
        && lower.get(2).is_some_and(|word| {
            PROGRAMS.contains(&word.as_str()) && word != "config" && word != "tool" && word != "cli"
        })
        && lower
            .iter()
            .any(|word| matches!(word.as_str(), "that" | "which" | "how" | "on" | "about" | "for"));
    makes_one || lower.windows(3).any(is_in_one)
}

/// Whether a word is a path that is told from the root, or from the user's home.
fn is_place(word: &str) -> bool {
    let name = trimmed(word).trim_end_matches('/');
    let below = name.strip_prefix('~').unwrap_or(name);
    below.len() > 1
        && below.starts_with('/')
        && !name.contains(['*', '?', '[', '{', '$', '\\'])
        && !name.split('/').any(|part| part == "..")
}

#[cfg(test)]
mod tests {
    use super::{Wish, places};

    fn puts(clause: &str, place: &str) -> bool {
        places(&[clause.to_owned()]).contains(&Wish::Place(place).hash())
    }

    #[test]
    fn places_are_spoken_of_where_something_is_put_there() {
        assert!(puts("add the alias gs to my ~/.bashrc", "~/.bashrc"));
        assert!(puts("save it to /srv/out/a.md.", "/srv/out/a.md"));
        assert!(puts("edit ~/.gitconfig", "~/.gitconfig"));
        assert!(puts("add an alias to my zshrc", "~/.zshrc"));
        assert!(!puts("document the zshrc", "~/.zshrc"));
        assert!(puts("copy it to ~/a and ~/b", "~/b"));
        assert!(!puts("look at ~/.bashrc", "~/.bashrc"));
        assert!(!puts("add it to ~/../x", "~/../x"));
        assert!(!puts("write it to /", "/"));
    }

    #[test]
    fn what_a_program_or_a_text_is_about_is_none() {
        assert!(!puts("write the log to /var/log/a.log in the service", "/var/log/a.log"));
        assert!(!puts("write a doc on how to set up ~/.aws/credentials", "~/.aws/credentials"));
        assert!(!puts("add a note that we read ~/.bashrc", "~/.bashrc"));
        assert!(!puts("write a script that copies it to ~/.local/bin", "~/.local/bin"));
    }
}
