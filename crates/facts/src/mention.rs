//! How texts name files: a path, perhaps with a line number behind it. Only the spelling counts here; whether
//! there is such a file, others ask.

/// A path that a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mention<'t> {
    /// The path as it is written, without what stands around it.
    pub path: &'t str,
    /// The line, from 1; of several the last.
    pub line: Option<u32>,
}

/// The longest path that is looked at, in bytes.
const MAX_PATH: usize = 512;

/// Extensions of files that projects are made of. Other words with a dot are names of something else.
const EXTENSIONS: &[&str] = &[
    "adoc",
    "astro",
    "bash",
    "bat",
    "bzl",
    "c",
    "cc",
    "cfg",
    "cjs",
    "clj",
    "cmake",
    "conf",
    "cpp",
    "cs",
    "css",
    "csv",
    "cts",
    "cu",
    "cxx",
    "dart",
    "diff",
    "el",
    "erl",
    "ex",
    "exs",
    "fs",
    "fsx",
    "gleam",
    "go",
    "gradle",
    "graphql",
    "groovy",
    "h",
    "hbs",
    "hcl",
    "hh",
    "hpp",
    "hrl",
    "hs",
    "html",
    "hxx",
    "ini",
    "ipynb",
    "java",
    "jl",
    "js",
    "json",
    "json5",
    "jsonc",
    "jsonl",
    "jsx",
    "kt",
    "kts",
    "less",
    "lock",
    "lua",
    "m",
    "md",
    "mdx",
    "mjs",
    "ml",
    "mli",
    "mm",
    "mod",
    "mts",
    "nim",
    "nix",
    "org",
    "patch",
    "php",
    "pl",
    "pm",
    "po",
    "prisma",
    "properties",
    "proto",
    "ps1",
    "py",
    "pyi",
    "pyx",
    "r",
    "rb",
    "rs",
    "rst",
    "sbt",
    "scala",
    "scss",
    "service",
    "sh",
    "sol",
    "sql",
    "styl",
    "sum",
    "sv",
    "svelte",
    "svg",
    "swift",
    "tcl",
    "tex",
    "tf",
    "tfvars",
    "toml",
    "ts",
    "tsx",
    "txt",
    "v",
    "vhd",
    "vue",
    "xml",
    "yaml",
    "yml",
    "zig",
    "zsh",
];

/// Files of projects that have no extension.
const NAMES: &[&str] = &[
    "BUILD",
    "Brewfile",
    "CHANGELOG",
    "CODEOWNERS",
    "CONTRIBUTING",
    "COPYING",
    "Caddyfile",
    "Containerfile",
    "Dockerfile",
    "GNUmakefile",
    "Gemfile",
    "Jenkinsfile",
    "Justfile",
    "Kconfig",
    "LICENSE",
    "Makefile",
    "NOTICE",
    "Pipfile",
    "Podfile",
    "Procfile",
    "README",
    "Rakefile",
    "SConstruct",
    "Tiltfile",
    "Vagrantfile",
    "WORKSPACE",
    "justfile",
    "makefile",
];

/// Returns whether a path names a file of a kind that projects are made of.
#[must_use]
pub fn is_of_project(path: &str) -> bool {
    let is_it =
        |extension: &str| EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension));
    extension(path).is_some_and(is_it) || NAMES.contains(&file_name(path))
}

/// Returns whether a character ends a word, so that a path stands between two of them.
#[must_use]
pub fn is_separator(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '`' | '"'
                | '\''
                | ','
                | ';'
                | '|'
                | '('
                | ')'
                | '['
                | ']'
                | '“'
                | '”'
                | '‘'
                | '’'
                | '«'
                | '»'
        )
}

impl<'t> Mention<'t> {
    /// Reads a word; `None` where it is no path that stands for one file.
    #[must_use]
    pub fn read(word: &'t str) -> Option<Self> {
        let word = word.trim_matches(|c| matches!(c, '*' | '…'));
        let word = word.trim_end_matches(['.', ':', '!', '?']);
        let (path, line) = with_line(word);
        let path = path.strip_prefix("./").unwrap_or(path);
        let is_plain =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | '+' | '@');
        let has_name = path.chars().any(char::is_alphanumeric);
        let is_path = has_name && path.len() <= MAX_PATH && path.chars().all(is_plain);
        let is_odd = path.contains("//") || path.contains("...") || path.starts_with('@');
        let is_file = !path.ends_with('/') && !matches!(path, "." | "..");
        (is_path && !is_odd && is_file).then_some(Self { path, line })
    }
}

/// The last part of a path.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the extension of a path's last part; `None` where it has none.
#[must_use]
pub fn extension(path: &str) -> Option<&str> {
    let (stem, extension) = file_name(path).rsplit_once('.')?;
    let is_word = !extension.is_empty() && extension.bytes().all(|b| b.is_ascii_alphanumeric());
    (!stem.is_empty() && is_word && extension.len() <= 12).then_some(extension)
}

/// Returns a text that may be a path with blanks in it; `None` where it looks like no path.
#[must_use]
pub fn plain_path(text: &str) -> Option<&str> {
    let is_one = !text.is_empty() && text.len() <= MAX_PATH && !text.contains("://");
    let is_clean =
        !text.chars().any(|c| c.is_control() || matches!(c, '<' | '>' | '*' | '?' | '`'));
    let looks_so = text.contains('/') || extension(text).is_some() || is_of_project(text);
    (is_one && is_clean && looks_so && !text.ends_with('/')).then_some(text)
}

/// Takes what names a line or an item off the end: `:12`, `:12:5`, `:12-20`, `#L12`, `#L12-L20`, `::parse`.
fn with_line(word: &str) -> (&str, Option<u32>) {
    let at_hash = word.find("#L").map(|at| (at, at + 2));
    let at_colon = || word.find(':').map(|at| (at, at + 1));
    let Some((end, start)) = at_hash.or_else(at_colon) else { return (word, None) };
    let (path, rest) = (word.get(..end), word.get(start..).unwrap_or_default());
    if let (Some(path), Some(item)) = (path, rest.strip_prefix(':'))
        && extension(path).is_some()
        && is_item(item)
    {
        return (path, None);
    }
    let rest = rest.strip_prefix(['L', 'l']).unwrap_or(rest);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let line = rest.get(..digits).and_then(|digits| digits.parse().ok());
    let behind = rest.get(digits..).unwrap_or_default();
    let is_range = |c: char| c.is_ascii_digit() || matches!(c, ':' | '-' | '–' | 'L' | 'C' | '.');
    match (path, line) {
        (Some(path), Some(line)) if behind.chars().all(is_range) => {
            (path, Some(last_line(behind).map_or(line, |last| last.max(line))))
        }
        _ => (word, None),
    }
}

/// The last line of a range, of which what stands behind the first one is given: `-20`, `-L20`.
fn last_line(behind: &str) -> Option<u32> {
    let last = behind.strip_prefix(['-', '–'])?;
    last.strip_prefix('L').unwrap_or(last).parse().ok()
}

/// Whether what stands behind `::` names something in a file: `parse`, `Parser::parse`, `test_a[1]`.
fn is_item(text: &str) -> bool {
    let starts = |part: &str| part.starts_with(|c: char| c.is_alphabetic() || c == '_');
    text.split("::").all(starts)
}

#[cfg(test)]
mod tests {
    use super::{Mention, extension};

    #[track_caller]
    fn check(word: &str, expect: Option<(&str, Option<u32>)>) {
        let found = Mention::read(word).map(|Mention { path, line }| (path, line));
        assert_eq!(found, expect, "{word}");
    }

    #[test]
    fn paths_are_told_from_other_words() {
        check("src/a.rs", Some(("src/a.rs", None)));
        check("./src/a.rs.", Some(("src/a.rs", None)));
        check("**src/a.rs**", Some(("src/a.rs", None)));
        check("src/a.rs:", Some(("src/a.rs", None)));
        check("https://a.b/c.rs", None);
        check("@scope/pkg/index.js", None);
        check("src/*.rs", None);
        check("src/{a,b}.rs", None);
        check("src/.../a.rs", None);
        check("$HOME/a.rs", None);
        check("src/", None);
        check("..", None);
        check("std::fs", None);
    }

    #[test]
    fn lines_are_taken_off() {
        check("a.rs:12", Some(("a.rs", Some(12))));
        check("a.rs:12:5", Some(("a.rs", Some(12))));
        check("a.rs:12-20", Some(("a.rs", Some(20))));
        check("a.rs:12–20", Some(("a.rs", Some(20))));
        check("a.rs:20-12", Some(("a.rs", Some(20))));
        check("a.rs::parse", Some(("a.rs", None)));
        check("tests/a.py::TestA::test_b", Some(("tests/a.py", None)));
        check("a.rs::12", None);
        check("a.rs:L12", Some(("a.rs", Some(12))));
        check("a.rs#L12-L20", Some(("a.rs", Some(20))));
        check("a.rs:12abc", None);
        check("a.rs:99999999999", None);
    }

    #[test]
    fn extensions_belong_to_names() {
        assert_eq!(extension("src/a.rs"), Some("rs"));
        assert_eq!(extension("src.d/a"), None);
        assert_eq!(extension(".env"), None);
        assert_eq!(extension("a."), None);
    }
}
