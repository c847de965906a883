//! What a command has to be wished for to be just what the user asked for. Knows no rules, and nothing of how people say
//! it.

use super::wish::{Wish, stash_number};

/// What a command has to be wished for to be just what the user asked for: all of it. `None` for commands that are
/// about other things than names, or about more. `words` are the words of the command, its program first, all known.
pub fn needed<'w>(program: &str, words: &[&'w str]) -> Option<Vec<Wish<'w>>> {
    match program {
        "git" => of_git(words.get(1..)?),
        "psql" | "mysql" | "mariadb" | "sqlite3" | "duckdb" => of_client(words.get(1..)?),
        "dropdb" => match words.get(1..)? {
            [name] | ["--if-exists", name] => Some(vec![Wish::Database(name)]),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a command makes the database or the table that another one takes away, and fails where that is there already:
/// `createdb x`, `psql -c 'create table t (…)'`.
pub fn makes(maker: (&str, &[&str]), taker: (&str, &[&str])) -> bool {
    match (maker, taker) {
        (("createdb", [_, name]), ("dropdb", [_, rest @ ..])) => {
            matches!(rest, [own] | ["--if-exists", own] if own == name)
        }
        (("git", made), ("git", [_, "branch", "-D", own])) => {
            matches!(made, [_, "checkout", "-b", name, ..] | [_, "checkout", "-q", "-b", name, ..]
                | [_, "switch", "-c", name, ..] | [_, "switch", "-q", "-c", name, ..]
                | [_, "branch", name] if name == own)
        }
        ((maker, made), (taker, taken)) if maker == taker && made.len() == taken.len() => {
            let mut others = made.iter().zip(taken).filter(|(made, taken)| made != taken);
            let (Some((made, taken)), None) = (others.next(), others.next()) else { return false };
            created(made).is_some_and(|created| dropped(taken) == Some(created))
        }
        _ => false,
    }
}

/// The kind and the name of what one statement creates, if that fails where it is there already.
fn created(statement: &str) -> Option<(&'static str, &str)> {
    let statement = statement.trim().trim_end_matches(';');
    let mut words = statement.split(|sign: char| sign.is_whitespace() || sign == '(');
    let name = named_by("create", words.by_ref().filter(|word| !word.is_empty()))?;
    (!name.1.eq_ignore_ascii_case("if") && !statement.contains(';')).then_some(name)
}

/// The kind and the name of what one statement drops, and it alone.
fn dropped(statement: &str) -> Option<(&'static str, &str)> {
    let words: Vec<&str> = statement.trim().trim_end_matches(';').split_whitespace().collect();
    let is =
        |at: usize, word: &str| words.get(at).is_some_and(|own| own.eq_ignore_ascii_case(word));
    let may_be_missing = is(2, "if") && is(3, "exists");
    let skipped = |at: &usize| may_be_missing && matches!(at, 2 | 3);
    let kept = words.iter().enumerate().filter(|(at, _)| !skipped(at)).map(|(_, word)| *word);
    let is_one = words.len() == if may_be_missing { 5 } else { 3 };
    named_by("drop", kept).filter(|(_, name)| is_one && !name.contains([';', ',']))
}

/// The kind and the name that stand behind a verb of SQL. Names are told apart by their case, too, as some servers do.
fn named_by<'w>(
    verb: &str,
    mut words: impl Iterator<Item = &'w str>,
) -> Option<(&'static str, &'w str)> {
    words.next().filter(|word| word.eq_ignore_ascii_case(verb))?;
    let kind = words.next()?;
    let kind = ["database", "table"].into_iter().find(|known| kind.eq_ignore_ascii_case(known))?;
    Some((kind, words.next()?))
}

fn of_git<'w>(words: &[&'w str]) -> Option<Vec<Wish<'w>>> {
    let (subcommand, rest) = words.split_first()?;
    let (flags, operands): (Vec<&str>, Vec<&'w str>) =
        rest.iter().partition(|word| word.starts_with('-'));
    let only = |known: &[&str]| flags.iter().all(|flag| known.contains(flag));
    let has = |known: &[&str]| flags.iter().any(|flag| known.contains(flag));
    match *subcommand {
        "branch" if has(&["-D"]) && only(&["-D", "-q"]) && !operands.is_empty() => {
            Some(operands.into_iter().map(Wish::Branch).collect())
        }
        // What is ignored was not spoken of.
        "clean" if operands.is_empty() && flags.iter().all(|flag| is_of_clean(flag)) => {
            Some(vec![Wish::Untracked])
        }
        "checkout" | "restore"
            if only(&["--", "-q"]) && matches!(operands.as_slice(), ["." | ":/"]) =>
        {
            Some(vec![Wish::Uncommitted])
        }
        "checkout" if rest.contains(&"--") && only(&["--", "-q"]) => {
            let mut words = rest.split(|word| *word == "--");
            let mut before = words.next()?.iter().copied().filter(|word| !word.starts_with('-'));
            let (commit, None) = (before.next(), before.next()) else { return None };
            Some(words.flatten().map(|name| as_committed(commit, name)).collect())
        }
        // What has an extension is no branch.
        "checkout"
            if flags.is_empty()
                && !operands.is_empty()
                && operands.iter().all(|name| {
                    name.rsplit('/')
                        .next()
                        .is_some_and(|last| last.trim_start_matches('.').contains('.'))
                }) =>
        {
            Some(operands.into_iter().map(|name| Wish::Changes(plain_path(name))).collect())
        }
        "restore" => {
            const HARMLESS: [&str; 8] =
                ["--", "-q", "--worktree", "-W", "--staged", "-S", "-SW", "-WS"];
            let source = |flag: &&'w str| flag.strip_prefix("--source=");
            let (sources, others): (Vec<&'w str>, Vec<&'w str>) =
                flags.iter().partition(|flag| source(flag).is_some());
            let is_plain = others.iter().all(|flag| HARMLESS.contains(flag)) && sources.len() <= 1;
            let commit = sources.first().and_then(source);
            is_plain.then(|| operands.into_iter().map(|name| as_committed(commit, name)).collect())
        }
        "stash" => match rest {
            ["drop"] => Some(vec![Wish::Stash]),
            ["drop", entry] => stash_number(entry).map(|number| match number {
                "0" => vec![Wish::Stash],
                number => vec![Wish::StashEntry(number)],
            }),
            ["clear"] => Some(vec![Wish::Stashes]),
            _ => None,
        },
        "worktree" if only(&["-f", "--force"]) => match operands.as_slice() {
            ["remove", path] => Some(vec![Wish::Worktree(last_part(path)?)]),
            _ => None,
        },
        "reset" if has(&["--hard"]) && only(&["--hard", "-q"]) => match operands.as_slice() {
            [] | ["HEAD"] => Some(vec![Wish::Uncommitted]),
            [place] => Some(vec![Wish::ResetTo(place)]),
            _ => None,
        },
        "push" if has(&["--delete", "-d"]) && only(&["--delete", "-d", "-q", "--no-verify"]) => {
            let names = operands.get(1..).filter(|names| !names.is_empty())?;
            Some(names.iter().map(|name| of_remote(name)).collect())
        }
        "push" if flags.iter().all(|flag| is_of_push(flag)) => {
            let refs = operands.get(1..).unwrap_or_default();
            let of_ref = |text: &&'w str| match text.strip_prefix(':') {
                Some(name) if !name.is_empty() => Some(of_remote(name)),
                _ => forced(text),
            };
            let mut wishes = refs.iter().map(of_ref).collect::<Option<Vec<_>>>()?;
            if refs.is_empty() || has(&["-f", "--force", "--force-with-lease"]) {
                wishes.push(Wish::ForcePush);
            }
            Some(wishes)
        }
        _ => None,
    }
}

/// A file or a folder as a commit has it, or the last one.
fn as_committed<'w>(commit: Option<&'w str>, path: &'w str) -> Wish<'w> {
    match commit {
        None | Some("HEAD") => Wish::Changes(plain_path(path)),
        Some(commit) => Wish::ChangesFrom { commit, path: plain_path(path) },
    }
}

/// A path as it is named.
fn plain_path(path: &str) -> &str {
    path.strip_prefix("./").unwrap_or(path).trim_end_matches('/')
}

/// What a folder is called.
fn last_part(path: &str) -> Option<&str> {
    path.trim_end_matches('/').rsplit('/').next().filter(|part| !matches!(*part, "" | "." | ".."))
}

fn is_of_clean(flag: &str) -> bool {
    let is_short = flag.strip_prefix('-').is_some_and(|letters| {
        !letters.is_empty() && letters.chars().all(|letter| matches!(letter, 'f' | 'd' | 'q'))
    });
    is_short || matches!(flag, "--force" | "--quiet")
}

fn is_of_push(flag: &str) -> bool {
    const HARMLESS: [&str; 9] = [
        "-f",
        "--force",
        "--force-if-includes",
        "-u",
        "--set-upstream",
        "-q",
        "--quiet",
        "-v",
        "--progress",
    ];
    HARMLESS.contains(&flag) || flag.starts_with("--force-with-lease")
}

/// What a refspec that may be forced has to be wished for.
fn forced(text: &str) -> Option<Wish<'_>> {
    let to = text.trim_start_matches('+').rsplit(':').next()?;
    match to {
        "HEAD" => Some(Wish::ForcePush),
        to if to.is_empty() || to.contains('*') => None,
        to => Some(Wish::ForcePushOf(heads(to))),
    }
}

/// What has to be wished for where something of the remote is to go.
fn of_remote(name: &str) -> Wish<'_> {
    match name.strip_prefix("refs/tags/") {
        Some(tag) => Wish::RemoteTag(tag),
        None => Wish::RemoteBranch(heads(name)),
    }
}

fn heads(name: &str) -> &str {
    name.strip_prefix("refs/heads/").unwrap_or(name)
}

fn of_client<'w>(words: &[&'w str]) -> Option<Vec<Wish<'w>>> {
    let begins = |word: &str, verb: &str| {
        word.trim_start().get(..verb.len()).is_some_and(|own| own.eq_ignore_ascii_case(verb))
    };
    let is_statement = |word: &&&str| begins(word, "drop") || begins(word, "truncate");
    let mut statements = words.iter().filter(is_statement);
    let (statement, None) = (statements.next()?, statements.next()) else { return None };
    let others = words.iter().filter(|word| *word != statement);
    // Where others work, it is to be said.
    let is_shared = |word: &&&str| {
        let lower = word.to_ascii_lowercase();
        lower.contains("prod") || lower.contains("staging")
    };
    if words.iter().filter(|word| *word != statement).any(|word| is_shared(&word)) {
        return None;
    }
    // Another statement may do more.
    if others.into_iter().any(|word| word.contains([' ', ';'])) {
        return None;
    }
    let mut parts = statement.trim().trim_end_matches(';').split_whitespace();
    let is =
        |word: Option<&str>, known: &str| word.is_some_and(|word| word.eq_ignore_ascii_case(known));
    let truncates = begins(statement, "truncate");
    let verb = parts.next();
    if !is(verb, "drop") && !is(verb, "truncate") {
        return None;
    }
    let mut rest: Vec<&'w str> = parts.collect();
    let is_database = !truncates && is(rest.first().copied(), "database");
    match rest.first() {
        Some(word) if is_database || is(Some(word), "table") => drop(rest.remove(0)),
        _ if truncates => {}
        _ => return None,
    }
    let names = match rest.as_slice() {
        [first, second, names @ ..] if is(Some(first), "if") && is(Some(second), "exists") => names,
        names => names,
    };
    let (last, others) = names.split_last()?;
    let are_listed = others.iter().all(|name| name.ends_with(','));
    let is_plain = |name: &&str| !name.is_empty() && !name.contains([';', ',', '(']);
    let names = others.iter().map(|name| name.trim_end_matches(',')).chain([*last]);
    let names: Vec<&'w str> = names.map(|name| name.trim_matches(['"', '`'])).collect();
    let wish = match (truncates, is_database) {
        (true, _) => Wish::Emptied,
        (false, true) => Wish::Database,
        (false, false) => Wish::Table,
    };
    (are_listed && names.iter().all(is_plain)).then(|| names.into_iter().map(wish).collect())
}

#[cfg(test)]
mod tests {
    use super::needed;
    use crate::wish::Wish;

    #[test]
    fn a_command_needs_all_that_it_is_about() {
        let needs = |program, words: &[&'static str]| needed(program, words);
        let remote = Wish::RemoteBranch;
        assert_eq!(
            needs("git", &["git", "push", "--delete", "origin", "x"]),
            Some(vec![remote("x")])
        );
        assert_eq!(needs("git", &["git", "push", "origin", ":x"]), Some(vec![remote("x")]));
        assert_eq!(
            needs("git", &["git", "branch", "-D", "x", "y"]),
            Some(vec![Wish::Branch("x"), Wish::Branch("y")])
        );
        assert_eq!(needs("git", &["git", "push", "-f"]), Some(vec![Wish::ForcePush]));
        let both = Some(vec![Wish::ForcePushOf("main"), Wish::ForcePush]);
        assert_eq!(needs("git", &["git", "push", "-f", "origin", "main"]), both);
        assert_eq!(needs("git", &["git", "push", "-f", "--mirror"]), None);
        assert_eq!(
            needs("git", &["git", "reset", "--hard", "HEAD~1"]),
            Some(vec![Wish::ResetTo("HEAD~1")])
        );
        assert_eq!(
            needs("git", &["git", "checkout", "HEAD", "--", "./a.ts"]),
            Some(vec![Wish::Changes("a.ts")])
        );
        let from_main = Some(vec![Wish::ChangesFrom { commit: "main", path: "a.ts" }]);
        assert_eq!(needs("git", &["git", "checkout", "main", "--", "a.ts"]), from_main);
        assert_eq!(needs("git", &["git", "restore", "--source=main", "a.ts"]), from_main);
        assert_eq!(needs("git", &["git", "restore", "-s", "main", "a.ts"]), None);
        assert_eq!(needs("git", &["git", "stash", "drop"]), Some(vec![Wish::Stash]));
        let entry = Some(vec![Wish::StashEntry("2")]);
        assert_eq!(needs("git", &["git", "stash", "drop", "stash@{2}"]), entry);
        let tag = Some(vec![Wish::RemoteTag("v1")]);
        assert_eq!(needs("git", &["git", "push", "origin", ":refs/tags/v1"]), tag);
        let tree = Some(vec![Wish::Worktree("x")]);
        assert_eq!(needs("git", &["git", "worktree", "remove", "--force", "../x/"]), tree);
        assert_eq!(needs("git", &["git", "worktree", "remove", "-f", ".."]), None);
        assert_eq!(needs("dropdb", &["dropdb", "dev"]), Some(vec![Wish::Database("dev")]));
        assert_eq!(needs("git", &["git", "reset", "--hard"]), Some(vec![Wish::Uncommitted]));
        assert_eq!(needs("git", &["git", "clean", "-fd"]), Some(vec![Wish::Untracked]));
        assert_eq!(needs("git", &["git", "clean", "-fdx"]), None);
        assert_eq!(needs("git", &["git", "clean", "-fd", "src"]), None);
        assert_eq!(needs("git", &["git", "restore", "."]), Some(vec![Wish::Uncommitted]));
        let table = Some(vec![Wish::Table("users")]);
        assert_eq!(needs("psql", &["psql", "-c", "DROP TABLE IF EXISTS users;"]), table);
        assert_eq!(needs("psql", &["psql", "-c", "DROP TABLE users; DROP TABLE b"]), None);
        let emptied = Some(vec![Wish::Emptied("audit_log")]);
        assert_eq!(needs("psql", &["psql", "-d", "dev", "-c", "TRUNCATE audit_log"]), emptied);
        assert_eq!(needs("psql", &["psql", "-c", "truncate table audit_log;"]), emptied);
        assert_eq!(needs("psql", &["psql", "-c", "TRUNCATE a CASCADE"]), None);
        let database = Some(vec![Wish::Database("dev")]);
        assert_eq!(needs("psql", &["psql", "-c", "DROP DATABASE dev"]), database);
        let both = Some(vec![Wish::Table("a"), Wish::Table("b")]);
        assert_eq!(needs("psql", &["psql", "-c", "DROP TABLE a, b"]), both);
        assert_eq!(needs("psql", &["psql", "-c", "DROP TABLE users", "-c", "DROP TABLE b"]), None);
    }
}
