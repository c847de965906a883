//! What tools run that nobody lists, as their names say. Knows no server by name.

use crate::event::POSITIONAL;
use crate::tool_catalogue::{find, last_part};
use crate::value::ValueRef;

use super::quote::quoted;

/// The parameters that hold a command line, in the order in which they are looked for.
pub const COMMAND_PARAMS: [&str; 11] = [
    "command",
    "cmd",
    "script",
    "CommandLine",
    "command_line",
    "shell_command",
    "bash_command",
    "bash",
    "input",
    "code",
    POSITIONAL,
];

/// Words of names that say something is deleted for good.
const DELETING: [&str; 9] =
    ["delete", "remove", "rm", "rmdir", "rmtree", "unlink", "erase", "wipe", "purge"];

/// What is deleted with all that is in it.
pub(super) const TREES: [&str; 7] =
    ["directory", "dir", "folder", "tree", "directories", "folders", "rmtree"];

/// What is a file, or may be one or more.
const FILES: [&str; 6] = ["file", "files", "path", "paths", "item", "items"];

/// What a database keeps.
const KEPT: [&str; 5] = ["table", "database", "schema", "collection", "tables"];

/// What git does that pushes, or may take something away.
pub(super) const OF_GIT: [&str; 12] = [
    "push", "reset", "clean", "checkout", "restore", "branch", "stash", "rebase", "merge", "rm",
    "switch", "commit",
];

/// What only looks at things, or makes a request.
const LOOKING: [&str; 9] =
    ["get", "list", "read", "view", "create", "open", "update", "search", "status"];

/// What a tool that nobody lists may run, by its name: what it is given tells whether it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// It is listed: it runs commands if that says so.
    AsListed,
    /// Command lines.
    Commands,
    /// Command lines, and scripts.
    Scripts,
    /// Command lines, scripts of a shell, and what is typed into one.
    Typed,
    /// Code of a language.
    Code(Language),
    /// Statements for a database.
    Statements,
    /// What git does.
    Git,
    /// A program that it is named after.
    Program,
    /// Files or folders are deleted.
    Deletes,
    /// Tables or databases are deleted.
    Drops,
    /// A pull request is merged.
    Merges,
}

impl Runs {
    /// Of a tool by its normalised name.
    #[must_use]
    pub fn of(name: &str) -> Self {
        let last = last_part(name);
        let server = name.strip_suffix(last).unwrap_or_default();
        match find(last) {
            Some(known) if known.name == "python" => return Self::Code(Language::Python),
            // What is written to a shell is typed into it.
            Some(_) if TYPING.contains(&last) && is_of_shell(server) => return Self::Typed,
            Some(_) => return Self::AsListed,
            None => {}
        }
        by_what_it_does(server, last)
            .or_else(|| by_what_it_is_given(server, last))
            .unwrap_or(Self::Commands)
    }

    /// Whether a parameter may hold a script for it.
    pub(crate) fn takes_scripts(self) -> bool {
        matches!(self, Self::Scripts | Self::Typed | Self::Code(_))
    }

    /// The parameters that hold a whole command line.
    pub(crate) const LINES: [&str; 7] =
        ["command", "cmd", "CommandLine", "command_line", "shell_command", "bash_command", "bash"];

    /// Whether a call runs commands, as the parameters look that hold a whole command line.
    pub fn commands<'v>(self, param: impl Fn(&str) -> Option<ValueRef<'v>>) -> bool {
        let has = |name: &&str| match param(name) {
            Some(ValueRef::Text(text)) => !text.trim().is_empty(),
            Some(ValueRef::Json(json)) => json.starts_with('['),
            None => false,
        };
        self != Self::AsListed && Self::LINES.iter().any(has)
    }
}

/// What a tool does that says so by its name.
fn by_what_it_does(server: &str, last: &str) -> Option<Runs> {
    let parts = words(last);
    let has = |known: &[&str]| parts.iter().any(|part| known.contains(part));
    let is_of_git = parts.first() == Some(&"git")
        || words(server).contains(&"git")
        || parts.contains(&"push") && has(&["branch", "commits", "remote", "origin"]);
    match () {
        () if has(&["merge", "accept"]) && has(&["pr", "mr", "request"]) && !has(&LOOKING) => {
            Some(Runs::Merges)
        }
        () if is_of_git && has(&OF_GIT) && !has(&LOOKING) => Some(Runs::Git),
        () if program_of(&parts).is_some() => Some(Runs::Program),
        () if has(&["drop", "truncate", "delete", "remove"]) && has(&KEPT) => Some(Runs::Drops),
        () if has(&DELETING) && (has(&TREES) || has(&FILES) || parts.len() == 1) => {
            Some(Runs::Deletes)
        }
        () => None,
    }
}

/// Programs that tools are named after: alone, or with what these do that cannot be taken back.
const PROGRAMS: [&str; 24] = [
    "git",
    "gh",
    "glab",
    "npm",
    "pnpm",
    "yarn",
    "cargo",
    "gem",
    "twine",
    "poetry",
    "uv",
    "docker",
    "podman",
    "kubectl",
    "helm",
    "terraform",
    "tofu",
    "pulumi",
    "aws",
    "gcloud",
    "az",
    "fly",
    "vercel",
    "netlify",
];

/// What they do that others see, or that takes something away.
const LASTING: [&str; 14] = [
    "publish",
    "push",
    "deploy",
    "delete",
    "destroy",
    "apply",
    "unpublish",
    "yank",
    "rm",
    "prune",
    "uninstall",
    "drain",
    "merge",
    "upload",
];

/// Words around the name of a program that say nothing else.
const RUNNING_IT: [&str; 8] = ["run", "execute", "exec", "call", "command", "cli", "cmd", "tool"];

/// The program that a tool is named after, and what it does if the name says so: `git`, `run_kubectl`, `npm_publish`.
pub(super) fn program_of<'n>(parts: &[&'n str]) -> Option<(&'n str, Option<&'n str>)> {
    let mut own = parts.iter().filter(|part| !RUNNING_IT.contains(part));
    let program = own.next().filter(|part| PROGRAMS.contains(part))?;
    match (own.next(), own.next()) {
        (None, _) => Some((program, None)),
        (Some(does), None) if LASTING.contains(does) => Some((program, Some(does))),
        _ => None,
    }
}

/// Words of the names of shells and terminals.
const SHELLS: [&str; 12] = [
    "shell",
    "bash",
    "zsh",
    "terminal",
    "console",
    "ssh",
    "tmux",
    "iterm",
    "pty",
    "tty",
    "repl",
    "powershell",
];

/// Words of names that say something is typed.
const TYPING: [&str; 13] = [
    "send", "write", "type", "input", "paste", "feed", "interact", "exec", "run", "key", "call",
    "submit", "shell",
];

/// Whether a server is one of a shell or a terminal, by its name.
fn is_of_shell(server: &str) -> bool {
    words(server).iter().any(|word| SHELLS.contains(word))
}

/// What a tool takes, by its name and its server's.
fn by_what_it_is_given(server: &str, last: &str) -> Option<Runs> {
    const RUNNING: [&str; 10] = [
        "run", "exec", "shell", "bash", "terminal", "command", "ssh", "console", "monitor", "spawn",
    ];
    // What is given to a process that runs, and what starts one.
    const PROCESSES: [&str; 6] = [
        "interact",
        "to_process",
        "with_process",
        "start_process",
        "spawn_process",
        "process_input",
    ];
    const OTHERS: [&str; 7] =
        ["browser", "page", "playwright", "puppeteer", "devtools", "evaluate", "query"];
    let says = |name: &str, known: &[&str]| known.iter().any(|word| name.contains(word));
    let is_of_shell = says(last, &SHELLS) || is_of_shell(server);
    let is_of_process = last.contains("process") && says(last, &PROCESSES);
    match () {
        () if is_of_database(server, last) => Some(Runs::Statements),
        () if says(last, &OTHERS) || says(server, &OTHERS) => None,
        () if let Some(language) = Language::of_name(server, last) => Some(Runs::Code(language)),
        () if is_of_process || is_of_shell && says(last, &TYPING) => Some(Runs::Typed),
        () if says(last, &RUNNING) => Some(Runs::Scripts),
        () => None,
    }
}

/// Whether a tool hands statements to a database.
fn is_of_database(server: &str, last: &str) -> bool {
    const DATABASES: [&str; 19] = [
        "sql",
        "postgres",
        "maria",
        "duckdb",
        "database",
        "supabase",
        "planetscale",
        "turso",
        "clickhouse",
        "snowflake",
        "bigquery",
        "redshift",
        "cockroach",
        "trino",
        "presto",
        "databricks",
        "neon",
        "oracle",
        "timescale",
    ];
    const TELLING: [&str; 8] =
        ["search", "docs", "list", "describe", "log", "schema", "advis", "graphql"];
    let says = |name: &str, known: &[&str]| known.iter().any(|word| name.contains(word));
    let is_db = |name: &str| says(name, &DATABASES) || words(name).contains(&"db");
    (is_db(server) || is_db(last)) && !says(last, &TELLING)
}

/// Words that names consist of which are written as one, since they were told apart by capitals: `dropTable`.
const JOINED: &[&[&str]] = &[
    &DELETING,
    &TREES,
    &FILES,
    &KEPT,
    &OF_GIT,
    &SHELLS,
    &LOOKING,
    &["git", "drop", "truncate", "accept", "pr", "mr", "pull", "request", "run", "execute", "exec"],
    &["command", "commands", "cmd", "script", "code", "query", "sql", "hard", "force", "all"],
];

/// How those begin that are looked at: with what is done, or with whose it is.
const FIRST: &[&str] = &[
    "delete", "remove", "rm", "unlink", "erase", "wipe", "purge", "drop", "truncate", "git",
    "merge", "accept", "run", "exec", "get", "list",
];

/// The words of a name.
pub(super) fn words(name: &str) -> Vec<&str> {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.flat_map(|word| apart(word).unwrap_or_else(|| vec![word])).collect()
}

/// The words that one consists of, if all of it is such words.
fn apart(word: &str) -> Option<Vec<&str>> {
    const LENGTHS: std::ops::RangeInclusive<usize> = 6..=40;
    // Most words are none of these, and are looked at only so far.
    if !LENGTHS.contains(&word.len()) || !FIRST.iter().any(|one| word.starts_with(one)) {
        return None;
    }
    let known = || JOINED.iter().flat_map(|list| list.iter());
    if known().any(|one| *one == word) {
        return None;
    }
    // Up to each place, the last word of those that come to there.
    let mut ends: Vec<Option<&str>> = vec![None; word.len() + 1];
    for at in 0..word.len() {
        if at > 0 && ends.get(at).is_none_or(Option::is_none) {
            continue;
        }
        let rest = word.get(at..)?;
        for one in known().filter(|one| rest.starts_with(**one)) {
            if let Some(end) = ends.get_mut(at + one.len()) {
                *end = Some(*one);
            }
        }
    }
    let mut found = Vec::new();
    let mut at = word.len();
    while at > 0 {
        let start = at.checked_sub(ends.get(at).copied().flatten()?.len())?;
        found.push(word.get(start..at)?);
        at = start;
    }
    found.reverse();
    Some(found)
}

/// Whether a name consists of these letters, whatever its case and the signs between its words.
pub(super) fn is_named(name: &str, letters: &str) -> bool {
    let plain = name.bytes().filter(|byte| !matches!(byte, b'_' | b'-'));
    plain.map(|byte| byte.to_ascii_lowercase()).eq(letters.bytes())
}

/// A language in which scripts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A shell, which reads a script as it is.
    Shell,
    /// Python.
    Python,
    /// JavaScript, or TypeScript.
    JavaScript,
    /// Ruby.
    Ruby,
    /// Perl.
    Perl,
    /// PHP.
    Php,
    /// Lua.
    Lua,
    /// R.
    R,
    /// SQL.
    Sql,
}

impl Language {
    /// Names of languages, as tools and their parameters have them.
    const NAMES: &[(Self, &[&str])] = &[
        (Self::Python, &["python", "ipython", "jupyter", "py", "pyodide"]),
        (
            Self::JavaScript,
            &["javascript", "typescript", "node", "nodejs", "deno", "bun", "js", "ts"],
        ),
        (Self::Ruby, &["ruby", "rb"]),
        (Self::Perl, &["perl"]),
        (Self::Php, &["php"]),
        (Self::Lua, &["lua"]),
        (Self::R, &["rscript", "r"]),
        (Self::Sql, &["sql", "postgres", "postgresql", "mysql", "sqlite"]),
        (Self::Shell, &["sh", "bash", "zsh", "shell", "fish", "terminal", "powershell", "cmd"]),
    ];

    /// In which a tool takes its scripts, by the words of its name and its server's.
    fn of_name(server: &str, last: &str) -> Option<Self> {
        let said = [words(last), words(server)].concat();
        let is_word = |name: &&str| said.contains(name);
        let said = Self::NAMES.iter().find(|(_, names)| names.iter().any(is_word));
        match said {
            Some((Self::Shell | Self::Sql, _)) | None => None,
            Some((language, _)) => Some(*language),
        }
    }

    /// In which a script of a call may be written: as a parameter says, else as the tool's name does. None of them is
    /// one that is not read.
    pub(crate) fn of_scripts(runs: Runs, said: Option<&str>, is_code: bool) -> &'static [Self] {
        let said = said.map(|said| said.trim_end_matches(|c: char| !c.is_alphabetic()));
        let said = said.map(|said| said.rsplit('/').next().unwrap_or(said));
        match (said, runs) {
            (Some(said), _) => Self::NAMES
                .iter()
                .find(|(_, names)| names.contains(&said))
                .map_or(&[], |(language, _)| std::slice::from_ref(language)),
            (None, Runs::Code(known)) => Self::NAMES
                .iter()
                .find(|(language, _)| *language == known)
                .map_or(&[], |(language, _)| std::slice::from_ref(language)),
            // Code without a word of its language is most often of these.
            (None, Runs::Scripts) if is_code => &[Self::Python, Self::JavaScript],
            (None, _) => &[Self::Shell],
        }
    }

    /// The command line that runs a script.
    pub(crate) fn line(self, script: &str) -> String {
        let program = match self {
            Self::Shell => return script.to_owned(),
            Self::Python => return python(script),
            Self::JavaScript => "node -e",
            Self::Ruby => "ruby -e",
            Self::Perl => "perl -e",
            Self::Php => "php -r",
            Self::Lua => "lua -e",
            Self::R => "Rscript -e",
            Self::Sql => "psql -c",
        };
        format!("{program} {}", quoted(script))
    }
}

/// Python, in which notebooks have lines of a shell (`!ls`), and whole cells (`%%bash`).
fn python(script: &str) -> String {
    let cell = script.trim_start();
    if let Some((_, rest)) = ["%%bash", "%%sh", "%%script bash", "%%script sh", "%%shell", "%%cmd"]
        .iter()
        .find_map(|magic| cell.strip_prefix(magic)?.split_once('\n'))
    {
        return rest.to_owned();
    }
    // The file into which a whole cell is written stands behind the sign for that.
    if let Some(rest) = cell.strip_prefix("%%writefile").or_else(|| cell.strip_prefix("%%file"))
        && let Some((name, text)) = rest.split_once('\n')
    {
        let name = name.trim().trim_start_matches("-a").trim();
        return format!("printf %s {} > {}", quoted(text), quoted(name));
    }
    let code: Vec<&str> = script.lines().filter(|line| of_shell(line).is_none()).collect();
    let mut lines = vec![format!("python3 -c {}", quoted(&code.join("\n")))];
    lines.extend(script.lines().filter_map(of_shell).map(str::to_owned));
    lines.join("\n")
}

/// The line of a shell that stands in a line of a notebook: `!ls`, `names = !ls`, `%system ls`, `%cd src`.
fn of_shell(line: &str) -> Option<&str> {
    const MAGICS: [&str; 3] = ["%system ", "%sx ", "%sc "];
    const SAME: [&str; 8] = ["cd", "rm", "mv", "cp", "cat", "mkdir", "rmdir", "pip"];
    let line = line.trim_start();
    let magic = MAGICS.iter().find_map(|magic| line.strip_prefix(magic));
    let same = || {
        let own = line.strip_prefix('%')?;
        SAME.contains(&own.split(' ').next()?).then_some(own)
    };
    let set = || {
        let (name, value) = line.split_once('=')?;
        let is_name = name.trim().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        value.trim_start().strip_prefix('!').filter(|_| is_name)
    };
    let marked = || line.starts_with('!').then(|| line.trim_start_matches('!'));
    magic.or_else(marked).or_else(same).or_else(set)
}
