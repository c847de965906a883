//! SQL that code asks a database to run, as a line of a client of that database. Knows which database only where the
//! code opens one by its name; reads no statement but for how it begins.

use std::cell::RefCell;

use super::line::Line;
use super::names::Names;
use super::parts::{closing, split, trimmed};
use super::token::Token;
use super::value::Value;
use crate::hole::HOLE;
use crate::sql;

/// No more statements of one piece of code are kept, and no more databases.
const MAX: usize = 64;

/// Functions and classes that open a database by the name of its file or by an address.
const OPENING: &[&str] = &[
    "connect",
    "Database",
    "DatabaseSync",
    "create_engine",
    "create_async_engine",
    "PDO",
    "SQLite3",
];

/// How statements begin that take something away, or that say what may be taken away again.
const KEPT: &[&str] = &["drop", "truncate", "delete"];

/// What a database is to code that opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Database {
    /// It goes with the code.
    Memory,
    /// It is a file, perhaps of an unknown name.
    File(String),
    /// It is kept somewhere else.
    Server,
}

/// The statements of a piece of code.
#[derive(Debug, Default)]
pub struct Statements(RefCell<Vec<String>>);

impl Statements {
    /// Takes up what a call gives to a database; other texts are none.
    pub fn add(&self, value: &Value) {
        let texts = match value {
            Value::List(items) | Value::Each(items) => items.as_slice(),
            one => std::slice::from_ref(one),
        };
        let mut all = self.0.borrow_mut();
        for text in texts.iter().filter_map(Value::text) {
            // What is put into a statement is a name or a value.
            let text = text.replace(HOLE, "x");
            if all.len() < MAX && !all.contains(&text) {
                all.push(text);
            }
        }
    }

    /// Returns a line for each database that the code opens, if a statement takes something away.
    pub fn lines(&self, tokens: &[Token], names: &Names) -> Vec<Line> {
        let text = self.0.borrow().join(";\n");
        let takes = |statement: &str| {
            KEPT.iter().any(|word| statement.split(' ').next().is_some_and(|first| first == *word))
        };
        if text.is_empty() || !sql::statements(&text).split("; ").any(takes) {
            return Vec::new();
        }
        let quoted = |text: &str| format!("'{}'", text.replace('\'', r"'\''"));
        let text = quoted(&text);
        opened(tokens, names)
            .into_iter()
            .filter_map(|database| match database {
                Database::Memory => None,
                Database::File(name) if name.is_empty() => {
                    Some(format!("sqlite3 \"{HOLE}\" {text}"))
                }
                Database::File(name) => Some(format!("sqlite3 {} {text}", quoted(&name))),
                Database::Server => Some(format!("psql -c {text}")),
            })
            .map(|text| Line { text })
            .collect()
    }
}

/// The databases that code opens; one of a server where it opens none that is known.
fn opened(tokens: &[Token], names: &Names) -> Vec<Database> {
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Token::Name(name) = token else { continue };
        let is_call = tokens.get(at + 1) == Some(&Token::Sign('('));
        if !is_call || found.len() >= MAX {
            continue;
        }
        if !OPENING.contains(&name.as_str()) && !is_class_of_files(names, name) {
            continue;
        }
        let inner = closing(tokens, at + 1).and_then(|close| tokens.get(at + 2..close));
        let database = database(tokens, at, inner.unwrap_or_default(), names);
        found.extend(database.filter(|database| !found.contains(database)));
    }
    if found.is_empty() {
        found.push(Database::Server);
    }
    found
}

/// Whether a name stands for the class of a library of databases that are files.
fn is_class_of_files(names: &Names, name: &str) -> bool {
    let origins = names.origins().named(name);
    origins.iter().any(|origin| is_of_files(&origin.of) && !origin.of.is_empty())
}

fn is_of_files(library: &str) -> bool {
    matches!(
        library,
        "sqlite3" | "better-sqlite3" | "sqlite" | "duckdb" | "aiosqlite" | "apsw" | "bun:sqlite"
    )
}

/// What a call opens whose function is named at a place; `None` where it is given nothing that tells.
fn database(tokens: &[Token], at: usize, inner: &[Token], names: &Names) -> Option<Database> {
    let (is_files, is_memory) = receiver(tokens, at, names);
    let first = split(inner, &[',']).first().map(|part| match trimmed(part) {
        [Token::Name(_), Token::Sign('='), value @ ..] => names.value(value, 0),
        value => names.value(value, 0),
    });
    let Some(first) = first else { return is_memory.then_some(Database::Memory) };
    let Value::Text(name) = first else {
        return Some(if is_files { Database::File(String::new()) } else { Database::Server });
    };
    let (name, has_scheme) = match name.split_once("://").or_else(|| name.split_once("sqlite:")) {
        Some((scheme, rest)) if scheme.is_empty() || scheme.starts_with("sqlite") => {
            (rest.strip_prefix('/').unwrap_or(rest), true)
        }
        _ => (name.as_str(), false),
    };
    Some(match name {
        "" if has_scheme => Database::Memory,
        ":memory:" => Database::Memory,
        name if name.starts_with("file::memory:") || name.contains("mode=memory") => {
            Database::Memory
        }
        name if is_files || has_scheme => {
            let name = name.split('?').next().unwrap_or(name);
            Database::File(if name.contains(HOLE) { String::new() } else { name.to_owned() })
        }
        _ => Database::Server,
    })
}

/// Whether what stands before a function is a library of databases that are files, and of such that are kept in memory
/// where no name is given.
fn receiver(tokens: &[Token], at: usize, names: &Names) -> (bool, bool) {
    let name = |at: usize| match tokens.get(at) {
        Some(Token::Name(name)) => Some(name.as_str()),
        _ => None,
    };
    let own = name(at).unwrap_or_default();
    let before = match at.checked_sub(1).and_then(|at| tokens.get(at)) {
        Some(Token::Sign('.')) => at.checked_sub(2).and_then(name),
        _ => None,
    };
    let stands_for = |name: &str, library: &str| {
        name == library || names.origins().named(name).iter().any(|origin| origin.of == library)
    };
    let is_files = before.is_some_and(|before| {
        is_of_files(before) || names.origins().named(before).iter().any(|o| is_of_files(&o.of))
    }) || is_class_of_files(names, own)
        || matches!(own, "Database" | "DatabaseSync" | "SQLite3");
    let is_memory = before.is_some_and(|before| stands_for(before, "duckdb"));
    (is_files, is_memory || own == "Database")
}
