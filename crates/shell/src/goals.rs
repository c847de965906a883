//! Files of tasks that are written in a language of their own (`Rakefile`, `tasks.py`, `noxfile.py`, `gulpfile.js`): under which
//! names their runners look for them, and which of their code runs for some goals. Reads lines and how far in they stand;
//! leaves in what is not certain.

use std::collections::BTreeSet;

use super::Language;
use super::argument::Argument;
use super::arguments::Arguments;
use super::programs::Program;
use super::{Command, CommandLine};

/// No more tasks of a file are told apart.
const MAX: usize = 256;
/// So many lines tell of a function of Python what it is.
const MAX_HEAD: usize = 64;

/// A runner of tasks, the names of its files, the flags whose values are goals, and those by which it runs nothing.
struct Runner {
    names: &'static [&'static str],
    files: &'static [&'static str],
    goals: &'static [&'static str],
    says: &'static [&'static str],
    /// The flags whose value is another file.
    named: &'static [&'static str],
    /// The task that is run where none is named; without one, all are.
    usual: Option<&'static str>,
}

/// Sources: the manuals of Rake, Invoke, Fabric, Nox and gulp.
const RUNNERS: [Runner; 5] = [
    Runner {
        names: &["rake"],
        files: &["Rakefile", "rakefile", "Rakefile.rb", "rakefile.rb"],
        goals: &[],
        says: &["T", "D", "P", "W", "n", "e", "E", "p", "h", "help", "version", "V"],
        named: &["f"],
        usual: Some("default"),
    },
    Runner {
        names: &["invoke", "inv"],
        files: &["tasks.py", "tasks/__init__.py"],
        goals: &[],
        says: &["l", "list", "h", "help", "V", "version", "R", "dry", "c", "collection"],
        named: &[],
        usual: Some("default"),
    },
    Runner {
        names: &["fab"],
        files: &["fabfile.py", "fabfile/__init__.py"],
        goals: &[],
        says: &[
            "l",
            "list",
            "h",
            "help",
            "V",
            "version",
            "R",
            "dry",
            "c",
            "collection",
            "H",
            "hosts",
        ],
        named: &[],
        usual: Some("default"),
    },
    Runner {
        names: &["nox"],
        files: &["noxfile.py"],
        goals: &["s", "e"],
        says: &["l", "h", "help", "version", "install-only"],
        named: &["f"],
        usual: None,
    },
    Runner {
        names: &["gulp"],
        files: &["gulpfile.js", "gulpfile.mjs", "gulpfile.cjs", "gulpfile.ts", "Gulpfile.js"],
        goals: &[],
        says: &["T", "tasks", "tasks-simple", "h", "help", "v", "version"],
        named: &["f", "gulpfile"],
        usual: Some("default"),
    },
];

/// The files of tasks in which a program looks for its goals, and these; `None` where it is no such runner, or only says
/// something.
pub(super) fn asked(
    line: &CommandLine,
    command: &Command,
    program: Program<'_>,
) -> Option<(Vec<String>, Vec<String>)> {
    let name = line.program(command)?;
    let runner = RUNNERS.iter().find(|runner| runner.names.contains(&name))?;
    let (mut goals, mut files): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for argument in Arguments::new(line, line.words(command), Some(program)) {
        match argument {
            Argument::Flag(flag) => {
                let name = flag.name.text(line, program);
                if runner.says.contains(&name) {
                    return None;
                }
                let named = flag.value.filter(|_| runner.named.contains(&name));
                files.extend(named.map(|file| line.text(&file).to_owned()));
                let value = flag.value.filter(|_| runner.goals.contains(&name));
                goals.extend(value.map(|value| line.text(&value).to_owned()));
            }
            Argument::Operand(word) | Argument::Unknown(word) => {
                goals.push(line.text(&word).to_owned());
            }
        }
    }
    goals.retain(|goal| !goal.contains('='));
    if goals.is_empty() {
        goals.extend(runner.usual.map(str::to_owned));
    }
    if files.is_empty() {
        files.extend(runner.files.iter().map(|file| (*file).to_owned()));
    }
    Some((files, goals))
}

/// A piece of code that runs where something asks for it by its name.
struct Piece<'t> {
    name: String,
    text: &'t str,
    is_task: bool,
}

/// Returns the code of a file of tasks that runs for goals; without any, all of it.
pub(super) fn reached(language: Language, text: &str, goals: &[String]) -> String {
    let (pieces, rest) = pieces(language, text);
    if goals.is_empty() && !rest.contains("options.sessions") || pieces.len() > MAX {
        return text.to_owned();
    }
    let mut wanted: Vec<&str> = vec![&rest];
    let mut taken = BTreeSet::new();
    let plain = |name: &str| {
        let name = name.split(['[', '(']).next().unwrap_or(name);
        name.rsplit([':', '.']).next().unwrap_or(name).replace('-', "_")
    };
    let goals: Vec<String> = goals.iter().map(|goal| plain(goal)).collect();
    for (number, piece) in pieces.iter().enumerate() {
        if piece.is_task && goals.contains(&plain(&piece.name)) && taken.insert(number) {
            wanted.push(piece.text);
        }
    }
    while let Some(text) = wanted.pop() {
        for (number, piece) in pieces.iter().enumerate() {
            if !taken.contains(&number) && mentions(text, &piece.name) {
                taken.insert(number);
                wanted.push(piece.text);
            }
        }
    }
    let pieces = pieces.iter().enumerate().filter(|(number, _)| taken.contains(number));
    pieces.map(|(_, piece)| piece.text).fold(rest.clone(), |all, piece| all + piece)
}

/// The pieces of a file, and what of it stands outside of them.
fn pieces(language: Language, text: &str) -> (Vec<Piece<'_>>, String) {
    let (mut pieces, mut rest) = (Vec::new(), String::new());
    let mut at = 0;
    while let Some(own) = text.get(at..).filter(|own| !own.is_empty()) {
        let line = own.lines().next().unwrap_or_default();
        let piece = match language {
            Language::Python => of_python(own),
            Language::Ruby => of_ruby(own),
            Language::JavaScript => of_javascript(own),
            _ => None,
        };
        match piece.filter(|piece| !piece.text.is_empty()) {
            Some(piece) => {
                at += piece.text.len();
                pieces.push(piece);
            }
            None => {
                let end = own.find('\n').map_or(own.len(), |end| end + 1);
                at += end;
                // What is given on under its own name is asked for by nobody yet.
                if !gives_on(line) {
                    rest.push_str(own.get(..end).unwrap_or_default());
                }
            }
        }
    }
    (pieces, rest)
}

/// Whether a line of JavaScript only says what others may ask for.
fn gives_on(line: &str) -> bool {
    ["module.exports", "export {", "export{"].iter().any(|begin| line.starts_with(begin))
}

/// How much of a text belongs to its first line: up to the next one that is not further in, which may close it.
fn block(text: &str, closes: impl Fn(&str) -> bool) -> &str {
    let margin = |line: &str| line.len() - line.trim_start().len();
    let own = text.lines().next().map_or(0, margin);
    let mut end = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_further = number == 0 || line.trim().is_empty() || margin(line) > own;
        if !is_further && !closes(line.trim()) {
            break;
        }
        end += line.len();
        if !is_further && !line.trim_end().ends_with([':', '{', '(']) && !line.starts_with(')') {
            break;
        }
    }
    text.get(..end).unwrap_or_default()
}

/// A function of Python, with what is told of it before.
fn of_python(text: &str) -> Option<Piece<'_>> {
    let heads = text
        .split_inclusive('\n')
        .take(MAX_HEAD)
        .take_while(|line| line.starts_with(['@', ' ', '\t', ')']) || line.trim().is_empty());
    let head: usize = match text.starts_with('@') {
        true => heads.map(str::len).sum(),
        false => 0,
    };
    let own = text.get(head..)?;
    let rest = own.strip_prefix("async ").unwrap_or(own).strip_prefix("def ")?;
    let (name, _) = rest.split_once('(')?;
    let body = block(own, |line| line.starts_with(')'));
    let is_task = text.get(..head)?.contains("task") || text.get(..head)?.contains("session");
    let text = text.get(..head + body.len())?;
    Some(Piece { name: name.trim().to_owned(), text, is_task })
}

/// A task of Rake.
fn of_ruby(text: &str) -> Option<Piece<'_>> {
    let line = text.lines().next()?.trim_start();
    let rest =
        ["task ", "task(", "multitask ", "file "].iter().find_map(|word| line.strip_prefix(word));
    let rest = rest?.trim_start_matches([' ', ':', '"', '\'', '(']);
    let is_part =
        |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | '-' | ':' | '.' | '/');
    let name: String = rest.chars().take_while(|sign| is_part(*sign)).collect();
    let name = name.trim_end_matches(':').to_owned();
    let is_block = line.ends_with(" do") || line.ends_with('|') || line.ends_with('{');
    let text = match is_block {
        true => block(text, |line| line.starts_with("end") || line.starts_with('}')),
        false => text.split_inclusive('\n').next()?,
    };
    (!name.is_empty()).then_some(Piece { name, text, is_task: true })
}

/// A function of JavaScript, or a task of gulp.
fn of_javascript(text: &str) -> Option<Piece<'_>> {
    let line = text.lines().next()?;
    let line = line.strip_prefix("export ").unwrap_or(line);
    let line = line.strip_prefix("async ").unwrap_or(line);
    let quoted = ["gulp.task(", "task("].iter().find_map(|word| line.strip_prefix(word));
    let named = ["function ", "const ", "let ", "var ", "exports.", "module.exports."];
    let named = named.iter().find_map(|word| line.strip_prefix(word));
    let rest = match (quoted, named) {
        (Some(rest), _) => rest.trim_start_matches(['\'', '"', '`']),
        (None, Some(rest)) => rest.trim_start_matches('*'),
        (None, None) => line.starts_with("default ").then_some(line)?,
    };
    let is_part = |sign: &char| sign.is_alphanumeric() || matches!(sign, '_' | '-' | ':' | '$');
    let name: String = rest.chars().take_while(is_part).collect();
    let is_code = |text: &str| text.contains("=>") || text.contains("function");
    let text = block(text, |line| line.starts_with(['}', ')', ']']));
    // Libraries and constants are no tasks.
    let is_value = !line.starts_with("exports.") && quoted.is_none() && !is_code(text);
    let is_value = is_value && !line.starts_with("default ");
    (!name.is_empty() && !is_value).then_some(Piece { name, text, is_task: true })
}

/// Whether a text has a name in it as a word.
fn mentions(text: &str, name: &str) -> bool {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let is_apart = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
        let behind = text.as_bytes().get(at + name.len());
        ![before, behind].into_iter().flatten().any(is_letter)
    };
    text.match_indices(name).take(64).any(|(at, _)| is_apart(at))
}

#[cfg(test)]
mod tests {
    use super::{Language, reached};

    fn check(language: Language, text: &str, goals: &[&str], kept: &[&str], gone: &[&str]) {
        let goals: Vec<String> = goals.iter().map(|goal| (*goal).to_owned()).collect();
        let code = reached(language, text, &goals);
        assert!(kept.iter().all(|part| code.contains(part)), "{goals:?}: {code}");
        assert!(!gone.iter().any(|part| code.contains(part)), "{goals:?}: {code}");
    }

    #[test]
    fn tasks_of_python_are_reached_by_goals() {
        let text = "import x\n@task(pre=[b])\ndef a_c(c):\n    one()\n\n@task\ndef b(c):\n    two()\n\n\
                    @task\ndef d(c):\n    helper()\n\ndef helper():\n    three()\n";
        let python = |goals: &[&str], kept: &[&str], gone: &[&str]| {
            check(Language::Python, text, goals, kept, gone);
        };
        python(&["a-c"], &["import x", "one", "two"], &["three"]);
        python(&["d"], &["three"], &["one", "two"]);
        python(&["default"], &["import x"], &["one", "two", "three"]);
        python(&[], &["one", "two", "three"], &[]);
    }

    #[test]
    fn tasks_of_rake_are_reached_by_goals() {
        let text = "require 'x'\ntask default: [:a]\ntask :a => [:b] do\n  one\nend\nnamespace :n do\n  \
                    task 'b' do |t|\n    two\n  end\n  task :c do\n    three\n  end\nend\n";
        let ruby = |goals: &[&str], kept: &[&str], gone: &[&str]| {
            check(Language::Ruby, text, goals, kept, gone);
        };
        ruby(&["default"], &["require", "one", "two"], &["three"]);
        ruby(&["n:c"], &["three"], &["one", "two"]);
    }

    #[test]
    fn tasks_of_gulp_are_reached_by_goals() {
        let text = "const fs = require('fs');\nfunction a(cb) {\n  one();\n}\nconst b = () => {\n  two();\n};\n\
                    gulp.task('c', () => {\n  three();\n});\nexports.a = a;\nexports.default = series(b);\n\
                    module.exports = { a, b };\n";
        let gulp = |goals: &[&str], kept: &[&str], gone: &[&str]| {
            check(Language::JavaScript, text, goals, kept, gone);
        };
        gulp(&["a"], &["require", "one"], &["two", "three"]);
        gulp(&["default"], &["two"], &["one", "three"]);
        gulp(&["c"], &["three"], &["one", "two"]);
    }
}
