//! What code in other languages runs and does with files, as far as a reader without its libraries can tell: calls of
//! well-known functions with constant arguments. Each becomes a line of shell that does the same, so that what is said
//! of commands and files holds for it.
//!
//! Knows languages, and no programs: which program runs code of which language, [`Knowledge`](super::Knowledge) says.
//! Runs nothing, follows no control flow, and leaves out what it cannot name; only a directory tree that is deleted is
//! told even if nobody knows which.

mod alternatives;
mod arguments;
mod awk;
mod calls;
mod changes;
mod classes;
mod code;
mod commands;
mod computed;
mod constants;
mod databases;
mod declared;
mod effects;
mod emptied;
mod ends;
mod environment;
mod evaluated;
mod expressions;
mod fields;
mod folded;
mod functions;
mod git;
mod imports;
mod input;
mod language;
mod line;
mod lookups;
mod loops;
mod makers;
mod mocks;
mod names;
mod nested;
mod options;
mod origins;
mod parts;
mod passed;
mod rebound;
mod respelled;
mod said_options;
mod scan;
mod servers;
mod switches;
mod taken_apart;
mod tcl;
mod tcl_values;
mod token;
mod told;
mod unasked;
mod unnamed;
mod value;
mod vm;
mod writes;

pub use environment::{FILE, WORDS, key as environment_key};
pub use imports::imported;
pub use language::Language;
pub use line::Line;
use line::MAX_LINES;
use nested::Nested;

/// Returns what code runs and does with files, in the order of its calls; `given` has the names that are set for it, and
/// their values.
pub fn lines(language: Language, code: &str, given: &[(&str, &str)]) -> Vec<Line> {
    let nested = Nested::new(code.len() * 4 + super::limits::MAX_TEXT);
    let mut found = nested.lines(language, code, given);
    found.truncate(MAX_LINES);
    line::settle(&mut found);
    found
}

/// Returns whether a program of a language runs the value of a flag as code, by the name of the flag.
pub fn is_code(language: Language, flag: &str) -> bool {
    match language {
        Language::Python => flag == "c",
        Language::Php => matches!(flag, "r" | "execute"),
        Language::JavaScript => matches!(flag, "e" | "p" | "eval" | "print"),
        Language::Perl => matches!(flag, "e" | "E"),
        Language::Ruby | Language::Lua => flag == "e",
        Language::Tcl => flag == "c",
        Language::Awk => matches!(flag, "e" | "source"),
        Language::Unknown | Language::Make | Language::Cron => false,
        Language::Just | Language::Task | Language::Package => false,
        Language::Go | Language::Rust | Language::C | Language::Java => false,
    }
}

/// Returns whether the value of a flag is a module of a language, behind which code may stand: `perl -Mstrict;…`.
pub fn takes_module_in(language: Language, flag: &str, value: &str) -> bool {
    language == Language::Perl && matches!(flag, "M" | "m") && value.contains([';', '('])
}

/// Returns where in the name of a file that is loaded its code stands: `data:text/javascript,…`.
pub fn code_in_name(language: Language, name: &str) -> Option<usize> {
    const SIGN: &str = "data:text/javascript,";
    (language == Language::JavaScript && name.starts_with(SIGN)).then_some(SIGN.len())
}

/// Returns whether a module of Python reads code as an interpreter does.
pub fn reads_code(module: &str) -> bool {
    module == "code"
}

/// Returns whether a module of Python runs the file of code that stands behind it, among words of its own.
pub fn runs_file(module: &str) -> bool {
    matches!(module, "cProfile" | "profile" | "trace" | "pdb" | "coverage" | "timeit" | "kernprof")
}

/// Returns whether a flag with its value is several flags, behind which code follows: `-pe` of Node.js.
pub fn is_bundle(language: Language, flag: &str, value: &str) -> bool {
    language == Language::JavaScript && matches!(flag, "p" | "print") && value == "e"
}

/// Returns whether a program of a language runs the file that is the value of a flag before its code.
pub fn is_preloaded(language: Language, flag: &str) -> bool {
    match language {
        Language::JavaScript => matches!(flag, "r" | "require" | "import" | "preload"),
        Language::Ruby => flag == "r",
        _ => false,
    }
}

/// Returns the variable of the environment that names such files.
pub fn preloading(language: Language) -> Option<&'static str> {
    match language {
        Language::JavaScript => Some("NODE_OPTIONS"),
        Language::Ruby => Some("RUBYOPT"),
        _ => None,
    }
}

/// Returns whether a module of Python is given names of files that it only reads, or writes anew, and no flag by which it
/// runs anything.
pub fn takes_names(module: &str) -> bool {
    const MODULES: [&str; 23] = [
        "pytest",
        "unittest",
        "mypy",
        "ruff",
        "flake8",
        "pylint",
        "bandit",
        "pydocstyle",
        "yapf",
        "autopep8",
        "autoflake",
        "docformatter",
        "pyupgrade",
        "vulture",
        "py_compile",
        "compileall",
        "json.tool",
        "tabnanny",
        "tokenize",
        "pyflakes",
        "pycodestyle",
        "black",
        "isort",
    ];
    MODULES.contains(&module)
}

/// Returns whether a module of Python runs the statements that stand behind it as words.
pub fn takes_statements(module: &str) -> bool {
    module == "timeit"
}

/// Returns whether a program of a language runs a file of this name as an archive of code.
pub fn is_archive(language: Language, path: &str) -> bool {
    const ENDINGS: [&str; 5] = [".zip", ".pyz", ".pyzw", ".egg", ".whl"];
    language == Language::Python && ENDINGS.iter().any(|ending| path.ends_with(ending))
}

/// Returns whether the name of a file ends as those of code of a language do.
pub fn is_code_file(language: Language, path: &str) -> bool {
    const JAVASCRIPT: [&str; 8] = [".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", ".mts", ".cts"];
    language == Language::JavaScript && JAVASCRIPT.iter().any(|ending| path.ends_with(ending))
}

/// Returns whether a flag makes a program of a language run the tests that it finds.
pub fn is_for_tests(language: Language, flag: &str) -> bool {
    language == Language::JavaScript && flag == "test"
}

/// Returns whether what runs tests or tasks of a language finds a file without being told, by its name.
pub fn is_found(language: Language, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, ending)) = name.rsplit_once('.').or(Some((name, ""))) else { return false };
    match language {
        Language::Python => {
            const NAMES: [&str; 6] =
                ["conftest", "noxfile", "tasks", "setup", "dodo", "sitecustomize"];
            let is_test = stem.starts_with("test") || stem.ends_with("_test");
            ending == "py" && (is_test || NAMES.contains(&stem))
        }
        Language::JavaScript => {
            const ENDINGS: [&str; 8] = ["js", "ts", "mjs", "cjs", "jsx", "tsx", "mts", "cts"];
            const PARTS: [&str; 7] =
                [".test", ".spec", ".config", ".setup", "_test", ".cy", "test-"];
            let is_named = |part: &&str| stem.contains(*part);
            let is_task = stem.eq_ignore_ascii_case("gulpfile")
                || stem.eq_ignore_ascii_case("gruntfile")
                || path.contains("__tests__/")
                || path.contains("test/")
                || path.contains("tests/");
            ENDINGS.contains(&ending) && (is_task || PARTS.iter().any(is_named) || stem == "test")
        }
        Language::Ruby => {
            name == "Rakefile"
                || ending == "rake"
                || ending == "rb"
                    && ["_spec", "_test", "_helper"].iter().any(|end| stem.ends_with(end))
        }
        Language::Php => ending == "php" && stem.ends_with("Test"),
        // A package is built of all of its files.
        Language::Go => ending == "go",
        Language::Rust => ending == "rs",
        _ => false,
    }
}

/// Returns whether a program of a language takes the value of a flag for the name of a module that it runs.
pub fn is_module(language: Language, flag: &str) -> bool {
    language == Language::Python && flag == "m"
}

#[cfg(test)]
mod tests;
