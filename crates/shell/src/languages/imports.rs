//! The modules that code asks for by their names, as paths of the files that they may be in. Reads statements line by line,
//! without the tokens of a language: what it finds is only looked for, and most of it is not there.

use super::language::Language;

/// No more files are named.
const MAX: usize = 96;

/// Files that Python runs before any code. Source: the reference of its module `site`.
const FIRST: [&str; 2] = ["sitecustomize.py", "usercustomize.py"];

/// Modules that come with Python, among those that code asks for most. A file of such a name may stand before one, so they
/// are looked for, too, after all others.
const USUAL: &[&str] = &[
    "abc",
    "argparse",
    "ast",
    "asyncio",
    "base64",
    "collections",
    "concurrent",
    "contextlib",
    "copy",
    "csv",
    "dataclasses",
    "datetime",
    "decimal",
    "enum",
    "functools",
    "glob",
    "hashlib",
    "heapq",
    "html",
    "http",
    "importlib",
    "inspect",
    "io",
    "itertools",
    "json",
    "logging",
    "math",
    "multiprocessing",
    "operator",
    "os",
    "pathlib",
    "pickle",
    "platform",
    "pprint",
    "queue",
    "random",
    "re",
    "shlex",
    "shutil",
    "signal",
    "socket",
    "sqlite3",
    "statistics",
    "string",
    "struct",
    "subprocess",
    "sys",
    "tempfile",
    "textwrap",
    "threading",
    "time",
    "traceback",
    "types",
    "typing",
    "unittest",
    "urllib",
    "uuid",
    "warnings",
    "zipfile",
    "__future__",
];

/// Returns the files of the modules that code asks for, as seen from a folder in which they are looked for. Those that come
/// with a language may be among them.
pub fn imported(language: Language, code: &str) -> Vec<String> {
    let statements = code.lines().flat_map(|line| line.split(';')).map(str::trim);
    let mut found = Vec::new();
    match language {
        Language::Python => python(statements, &mut found),
        Language::JavaScript => statements.for_each(|it| javascript(it, &mut found)),
        Language::Perl => statements.for_each(|it| perl(it, &mut found)),
        Language::Ruby => statements.for_each(|it| ruby(it, &mut found)),
        Language::Php => statements.for_each(|it| php(it, &mut found)),
        Language::Lua => statements.for_each(|it| lua(it, &mut found)),
        _ => {}
    }
    found.truncate(MAX);
    found
}

/// `import a.b as c, d`, `from a.b import c`, `from .a import b`
fn python<'t>(statements: impl Iterator<Item = &'t str>, found: &mut Vec<String>) {
    let mut usual = FIRST.map(str::to_owned).to_vec();
    for statement in statements {
        match statement.split_once(' ') {
            Some(("import", names)) => {
                for name in names.split(',').filter_map(|name| name.split_whitespace().next()) {
                    module_of_python(name, &[], found, &mut usual);
                }
            }
            Some(("from", rest)) => {
                let Some((module, names)) = rest.split_once(" import") else { continue };
                let names = names.trim_start_matches([' ', '(']).split(',');
                let names = names.filter_map(|name| name.split_whitespace().next());
                let names: Vec<&str> = names.map(|name| name.trim_end_matches(')')).collect();
                module_of_python(module.trim(), &names, found, &mut usual);
            }
            _ => {}
        }
    }
    found.append(&mut usual);
}

/// The files of a module, and of those of its parts that may be modules, too.
fn module_of_python(name: &str, parts: &[&str], found: &mut Vec<String>, usual: &mut Vec<String>) {
    const MAX_PARTS: usize = 8;
    let own = name.trim_start_matches('.');
    let above = "../".repeat((name.len() - own.len()).saturating_sub(1).min(MAX_PARTS));
    let path = format!("{above}{}", own.replace('.', "/"));
    let first = own.split('.').next().unwrap_or(own);
    if USUAL.contains(&first) && name == own {
        return usual.push(format!("{path}.py"));
    }
    let is_part = |part: &&&str| part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let parts = parts.iter().filter(|part| !part.is_empty()).filter(is_part).take(MAX_PARTS);
    if own.is_empty() {
        // `from . import a`
        return found.extend(parts.map(|part| format!("{above}{part}.py")));
    }
    found.push(format!("{path}.py"));
    found.push(format!("{path}/__init__.py"));
    found.extend(parts.map(|part| format!("{path}/{part}.py")));
    // What a folder begins with runs before what lies in it.
    if let Some((folder, _)) = path.rsplit_once('/').filter(|_| own.contains('.')) {
        found.push(format!("{folder}/__init__.py"));
    }
}

/// `require("./a")`, `import a from "./a"`, `import("./a")`, `export * from "./a"`
fn javascript(statement: &str, found: &mut Vec<String>) {
    const SIGNS: [&str; 4] = ["require(", "from ", "import ", "import("];
    const ENDINGS: [&str; 8] =
        [".js", ".cjs", ".mjs", ".ts", ".tsx", ".mts", "/index.js", "/index.ts"];
    let behind = |sign: &str| quoted(statement.split_once(sign)?.1);
    let Some(name) = SIGNS.iter().find_map(|sign| behind(sign)) else { return };
    if !name.starts_with(['.', '/']) {
        return;
    }
    let path = without_here(name);
    let last = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, ending)) = last.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) else {
        return found.extend(ENDINGS.map(|ending| format!("{path}{ending}")));
    };
    found.push(path.to_owned());
    // What is written in another language is asked for as what becomes of it.
    let folder = path.get(..path.len() - last.len()).unwrap_or_default();
    match ending {
        "js" => found.extend(["ts", "tsx"].map(|ending| format!("{folder}{stem}.{ending}"))),
        "mjs" => found.push(format!("{folder}{stem}.mts")),
        "cjs" | "ts" | "tsx" | "mts" | "json" => {}
        // A part of the name.
        _ => found.extend([".js", ".ts"].map(|ending| format!("{path}{ending}"))),
    }
}

/// `use A::B;`, `require "a.pl";`, `do "./a.pl";`
fn perl(statement: &str, found: &mut Vec<String>) {
    let Some((word, rest)) = statement.split_once([' ', '(']) else { return };
    let name = rest.trim_matches([' ', '"', '\'', ')', ';']);
    let Some(name) = name.split_whitespace().next() else { return };
    match word {
        "use" => in_folders(&format!("{}.pm", name.replace("::", "/")), found),
        "require" if !name.contains('.') => {
            in_folders(&format!("{}.pm", name.replace("::", "/")), found);
        }
        "require" | "do" => found.push(without_here(name).to_owned()),
        _ => {}
    }
}

/// `require_relative "a/b"`, `require "a"`, `load "a.rb"`
fn ruby(statement: &str, found: &mut Vec<String>) {
    let Some((word, rest)) = statement.split_once([' ', '(']) else { return };
    let Some(name) = quoted(rest) else { return };
    let name = without_here(name);
    let path = match name.ends_with(".rb") || word == "load" {
        true => name.to_owned(),
        false => format!("{name}.rb"),
    };
    match word {
        "require_relative" | "load" => found.push(path),
        "require" => in_folders(&path, found),
        _ => {}
    }
}

/// `require "a.php"`, `include __DIR__ . '/lib/a.php'`
fn php(statement: &str, found: &mut Vec<String>) {
    const WORDS: [&str; 4] = ["require_once", "include_once", "require", "include"];
    let Some(at) = WORDS.iter().find_map(|word| Some(statement.find(word)? + word.len())) else {
        return;
    };
    let rest = statement.get(at..).unwrap_or_default().trim_start_matches([' ', '(']);
    let rest = rest.strip_prefix("__DIR__").unwrap_or(rest).trim_start_matches([' ', '.']);
    if let Some(name) = quoted(rest).filter(|name| name.ends_with(".php")) {
        found.push(without_here(name.trim_start_matches('/')).to_owned());
    }
}

/// `require("lib.a")`, `dofile("a.lua")`
fn lua(statement: &str, found: &mut Vec<String>) {
    let name = |word: &str| {
        let (_, rest) = statement.split_once(word)?;
        quoted(rest.trim_start_matches([' ', '(']))
    };
    if let Some(name) = name("require") {
        found.push(format!("{}.lua", name.replace('.', "/")));
    } else if let Some(name) = name("dofile") {
        found.push(without_here(name).to_owned());
    }
}

/// A file where it may lie: in the folder itself, or in the one that libraries usually lie in.
fn in_folders(path: &str, found: &mut Vec<String>) {
    found.push(path.to_owned());
    found.push(format!("lib/{path}"));
}

/// The text in quotes at the beginning of another.
fn quoted(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let quote = text.chars().next().filter(|sign| matches!(sign, '\'' | '"' | '`'))?;
    let (name, _) = text.get(1..)?.split_once(quote)?;
    (!name.is_empty()).then_some(name)
}

/// A path without what says that it starts from here.
fn without_here(path: &str) -> &str {
    path.trim_start_matches("./")
}

#[cfg(test)]
mod tests {
    use super::{Language, imported};

    fn files(language: Language, code: &str) -> Vec<String> {
        let found = imported(language, code).into_iter();
        found.filter(|file| !file.ends_with("customize.py")).collect()
    }

    #[test]
    fn modules_of_python_are_named_by_their_paths() {
        let files = |code| files(Language::Python, code);
        assert_eq!(
            files("import a.b as c, os"),
            ["a/b.py", "a/b/__init__.py", "a/__init__.py", "os.py"]
        );
        assert_eq!(files("from a import b, c as d"), ["a.py", "a/__init__.py", "a/b.py", "a/c.py"]);
        assert_eq!(files("from .a import b"), ["a.py", "a/__init__.py", "a/b.py"]);
        assert_eq!(files("from . import a"), ["a.py"]);
        assert_eq!(files("from ..a import (b,"), ["../a.py", "../a/__init__.py", "../a/b.py"]);
        assert_eq!(files("print('import a')"), [""; 0]);
    }

    #[test]
    fn modules_of_other_languages_are_named_by_their_paths() {
        let javascript = |code| files(Language::JavaScript, code);
        assert_eq!(javascript("import {\n a\n} from './lib/a.mjs';"), ["lib/a.mjs", "lib/a.mts"]);
        assert!(javascript("const a = require('../a')").contains(&"../a.cjs".to_owned()));
        assert!(javascript("await import(`./a.b`)").contains(&"a.b.js".to_owned()));
        assert_eq!(javascript("import a from 'react'"), [""; 0]);
        assert_eq!(files(Language::Ruby, "require_relative 'lib/a'"), ["lib/a.rb"]);
        assert_eq!(files(Language::Ruby, "require \"a\""), ["a.rb", "lib/a.rb"]);
        assert_eq!(files(Language::Perl, "use A::B qw(c);"), ["A/B.pm", "lib/A/B.pm"]);
        assert_eq!(files(Language::Php, "<?php require __DIR__ . '/lib/a.php';"), ["lib/a.php"]);
        assert_eq!(files(Language::Lua, "local a = require('lib.a')"), ["lib/a.lua"]);
    }
}
