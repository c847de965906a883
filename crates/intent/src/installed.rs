//! The packages that a command adds to a project, by the names that people call them. Knows no rules, and nothing of how people
//! say it.

/// Subcommands that add the packages that their operands name.
const ADDING: &[&str] = &["install", "i", "in", "add", "require", "get"];

/// Flags that the next word is the value of.
const VALUED: &[&str] = &[
    "-C",
    "--prefix",
    "-w",
    "--workspace",
    "--filter",
    "-F",
    "--features",
    "-p",
    "--package",
    "--registry",
    "-i",
    "--index-url",
    "--group",
    "-G",
    "--version",
    "-v",
    "-c",
    "-t",
    "--target",
    "--cwd",
];

/// The packages that a command adds: none where it is no such command, or names none. `words` are its words, its program first.
pub fn installed<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let Some((program, rest)) = words.split_first() else { return Vec::new() };
    let rest = match (*program, rest) {
        ("python" | "python3" | "python2", ["-m", "pip", rest @ ..]) => rest,
        ("uv", ["pip", rest @ ..]) => rest,
        ("flutter" | "dart", ["pub", rest @ ..]) => rest,
        ("yarn", ["workspace", _, rest @ ..] | ["global", rest @ ..]) => rest,
        (_, rest) => rest,
    };
    let mut found = Vec::new();
    let (mut adds, mut is_value) = (*program == "cpanm", false);
    for word in rest {
        if word.starts_with('-') {
            is_value = VALUED.contains(word);
        } else if std::mem::take(&mut is_value) {
        } else if adds {
            found.push(name_of(word));
        } else if ADDING.contains(word) {
            adds = true;
        } else {
            return Vec::new();
        }
    }
    found
}

/// The name of a package without its version, its features, and who publishes it: `lodash` of `@types/lodash@4`.
fn name_of(word: &str) -> &str {
    let scope = word.len() - word.trim_start_matches('@').len();
    let bare = word.get(scope..).unwrap_or(word);
    let end = bare.find(['@', '=', '<', '>', '~', '[', '^', '!', ':']).unwrap_or(bare.len());
    let bare = bare.get(..end).unwrap_or(bare).trim_end_matches('/');
    let last = bare.rsplit('/').next().unwrap_or(bare);
    // `github.com/a/b/v2` is version two of `b`.
    let is_version = last.strip_prefix('v').is_some_and(|rest| rest.parse::<u16>().is_ok());
    match bare.rsplit('/').nth(1) {
        Some(before) if is_version => before,
        _ => last,
    }
}

#[cfg(test)]
mod tests {
    use super::installed;

    #[test]
    fn packages_are_told_by_what_people_call_them() {
        for (line, names) in [
            ("npm install zod", &["zod"][..]),
            ("npm i -D @types/lodash@4 vitest", &["lodash", "vitest"]),
            ("pnpm --filter web add zod", &["zod"]),
            ("python -m pip install requests==2.0 httpx[http2]", &["requests", "httpx"]),
            ("uv add rich>=13", &["rich"]),
            ("go get github.com/spf13/cobra/v2@latest", &["cobra"]),
            ("cargo add serde --features derive", &["serde"]),
            ("npm install", &[]),
            ("npm run add", &[]),
            ("git add zod", &["zod"]),
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(installed(&words), names, "{line}");
        }
    }
}
