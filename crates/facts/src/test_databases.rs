//! Databases whose names say that they are for tests: what a command destroys there is made anew by each run of those. Reads
//! words of commands, and knows no rules.

use crate::commands::shell::Shell;

/// Programs that speak SQL to a server, with the flags whose value is the database and those whose value is a statement.
const CLIENTS: &[(&str, &[&str], &[&str])] = &[
    ("psql", &["-d", "--dbname"], &["-c", "--command"]),
    ("mysql", &["-D", "--database"], &["-e", "--execute"]),
    ("mariadb", &["-D", "--database"], &["-e", "--execute"]),
];

/// Flags of them whose value is something else.
const WITH_VALUE: &[&str] = &[
    "-h",
    "--host",
    "-U",
    "--username",
    "-u",
    "--user",
    "-p",
    "--port",
    "-P",
    "-v",
    "--set",
    "-F",
];

/// Returns whether a name says that what it names is for tests.
#[must_use]
pub fn is_for_tests(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.split(['_', '-', '.']).any(|part| matches!(part, "test" | "tests" | "testing"))
}

/// Returns whether all that a command of a line destroys is kept in databases for tests. What is dropped as a whole must be
/// made anew by the line.
#[must_use]
pub fn destroys_only_for_tests(shell: &Shell, command: u32) -> bool {
    const MAX: u32 = 64;
    let Some((program, words)) = shell.known_words(command) else { return false };
    // What is dropped as a whole is there again, or nobody said that it may go.
    let is_made_anew = || {
        (0..shell.count().min(MAX))
            .filter_map(|other| shell.known_words(other))
            .any(|(program, words)| makes_database(&program, &words))
    };
    destroys_only_those(&program, &words) && (!drops_database(&program, &words) || is_made_anew())
}

/// Whether all that a command destroys is kept in databases for tests, by their names. `words` are the words of the
/// command, its program first, all known.
fn destroys_only_those(program: &str, words: &[String]) -> bool {
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    // Where others work, no name says that it is for tests.
    let is_shared = |word: &&str| {
        let lower = word.to_ascii_lowercase();
        lower.contains("prod") || lower.contains("staging")
    };
    if words.iter().any(is_shared) {
        return false;
    }
    match program {
        "dropdb" => {
            let operands = operands(&words);
            !operands.is_empty() && operands.iter().all(|name| is_for_tests(name))
        }
        "sqlite3" | "duckdb" => {
            let file = operands(&words).first().map(|file| file.rsplit('/').next().unwrap_or(file));
            file.is_some_and(is_for_tests) && !words.iter().any(|word| opens_another(word))
        }
        "mongosh" | "mongo" => {
            let address = operands(&words).first().and_then(|address| database_of(address));
            let goes_elsewhere = |word: &&str| {
                ["getSiblingDB", "use ", "Mongo(", "adminCommand", "connect("]
                    .iter()
                    .any(|call| word.contains(call))
            };
            address.is_some_and(is_for_tests) && !words.iter().any(goes_elsewhere)
        }
        _ => CLIENTS.iter().find(|(client, ..)| *client == program).is_some_and(
            |(_, of_database, of_statement)| of_client(&words, of_database, of_statement),
        ),
    }
}

/// Whether a command drops a database as a whole.
fn drops_database(program: &str, words: &[String]) -> bool {
    program == "dropdb" || says(words, "drop database")
}

/// Whether a command makes a database.
fn makes_database(program: &str, words: &[String]) -> bool {
    program == "createdb" || says(words, "create database")
}

fn says(words: &[String], statement: &str) -> bool {
    let plain = |word: &String| {
        let lower = word.to_ascii_lowercase();
        lower.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    words.iter().any(|word| plain(word).contains(statement))
}

/// The words that are neither flags nor their values.
fn operands<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let mut found = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if WITH_VALUE.contains(word) {
            words.next();
        } else if !word.starts_with('-') {
            found.push(*word);
        }
    }
    found
}

/// Whether a statement speaks of another file than the one that is open.
fn opens_another(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    ["attach", ".open", ".restore", ".system", ".shell", ".import"]
        .iter()
        .any(|word| lower.contains(word))
}

/// The database that an address names behind its last slash, or a name that is no address.
fn database_of(address: &str) -> Option<&str> {
    let address = address.split('?').next()?;
    match address.split_once("://") {
        Some((_, rest)) => rest.rsplit_once('/').map(|(_, name)| name),
        None => address.rsplit('/').next(),
    }
    .filter(|name| !name.is_empty())
}

/// The same of a client of SQL: its statements stand in its words, and each that drops a database names it.
fn of_client(words: &[&str], of_database: &[&str], of_statement: &[&str]) -> bool {
    let (mut databases, mut statements, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let (flag, value) = match word.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => (flag, Some(value)),
            _ => (word, None),
        };
        let mut value = || value.or_else(|| words.next()).unwrap_or_default();
        if of_statement.contains(&flag) {
            statements.push(value());
        } else if of_database.contains(&flag) {
            databases.push(value());
        } else if WITH_VALUE.contains(&flag) {
            value();
        } else if !word.starts_with('-') {
            others.push(word);
        }
    }
    databases.extend(others.first());
    let database = databases.iter().find_map(|name| database_of(name));
    let is_here = databases.len() == 1 && database.is_some_and(is_for_tests);
    let parts = statements.iter().flat_map(|text| text.split(';'));
    let mut parts = parts.map(str::trim).filter(|part| !part.is_empty()).peekable();
    parts.peek().is_some() && parts.all(|part| is_of_tests(part, is_here))
}

/// Whether a statement destroys nothing but what is for tests; `is_here` says whether the open database is.
fn is_of_tests(statement: &str, is_here: bool) -> bool {
    let lower = statement.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let dropped = match words.as_slice() {
        ["drop", "database" | "schema", "if", "exists", name, ..]
        | ["drop", "database", name, ..] => Some(*name),
        ["drop", ..] | ["truncate", ..] => return is_here,
        // What follows may be done elsewhere.
        ["use" | "\\c" | "\\connect", ..] => return false,
        ["alter", "role" | "user", ..] => None,
        // What a column held is gone with it.
        ["alter", "database", name, ..] => Some(*name),
        ["create" | "select" | "insert" | "grant" | "set", ..] => None,
        _ => return is_here && !lower.starts_with('\\'),
    };
    dropped.is_none_or(|name| {
        let name = name.trim_matches(['"', '`', '\'']);
        is_for_tests(name) && !lower.contains("dblink")
            || is_here && words.get(1) == Some(&"schema")
    })
}

#[cfg(test)]
mod tests {
    use super::destroys_only_those;

    #[test]
    fn what_is_for_tests_is_told_by_its_name() {
        let told = |line: &[&str]| {
            let words: Vec<String> = line.iter().map(|word| (*word).to_owned()).collect();
            destroys_only_those(line[0], &words)
        };
        for line in [
            &["dropdb", "--if-exists", "app_test"][..],
            &["dropdb", "-h", "localhost", "test"],
            &[
                "psql",
                "-h",
                "localhost",
                "-U",
                "postgres",
                "app_test",
                "-c",
                "TRUNCATE users CASCADE",
            ],
            &["psql", "postgres://localhost/app_test", "-c", "drop table t; select 1"],
            &["psql", "-c", "DROP DATABASE IF EXISTS app_test; CREATE DATABASE app_test"],
            &["psql", "-d", "app_test", "-c", "drop schema public cascade"],
            &["psql", "-d", "app_test", "-c", "drop table a; alter table t drop column c"],
            &["psql", "-c", "drop database app_test; alter role app createdb"],
            &["mysql", "-u", "root", "-e", "DROP DATABASE IF EXISTS `app_test`"],
            &["sqlite3", "tmp/test.db", "DROP TABLE t"],
            &["mongosh", "mongodb://localhost/app_test", "--eval", "db.dropDatabase()"],
        ] {
            assert!(told(line), "{line:?}");
        }
        for line in [
            &["dropdb", "app"][..],
            &["dropdb", "app_test", "app"],
            &["dropdb", "latest"],
            &["dropdb", "-h", "db.prod.example.com", "app_test"],
            &["psql", "app", "-c", "TRUNCATE users"],
            &["psql", "app_test", "-c", "drop database app"],
            &["psql", "app_test", "-c", "\\c app", "-c", "drop table t"],
            &["psql", "-c", "DROP DATABASE app_test; DROP DATABASE app"],
            &["psql", "app_test"],
            &["psql", "app", "-c", "alter table t drop column c; drop database app_test"],
            &["psql", "-c", "drop database app_test; alter database app rename to old"],
            &["psql", "app_test", "-d", "app", "-c", "drop table t"],
            &["mysql", "app_test", "-e", "use app; drop table t"],
            &["sqlite3", "app.db", "DROP TABLE t"],
            &["sqlite3", "test.db", "attach 'app.db' as a; drop table a.t"],
            &["mongosh", "mongodb://localhost/app", "--eval", "db.dropDatabase()"],
            &[
                "mongosh",
                "mongodb://localhost/app_test",
                "--eval",
                "db.getSiblingDB('app').dropDatabase()",
            ],
        ] {
            assert!(!told(line), "{line:?}");
        }
    }
}
