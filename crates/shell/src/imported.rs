//! Modules that a line writes and that code of the same line asks for: what is to be read of them, alone and together with the
//! code that calls their functions. Finds them by their names, in whichever folder they are looked for.

mod modules;

use super::{CommandLine, HOLE, Language, languages, written};

pub(super) use modules::asked_of;

/// No more modules are looked at.
const MAX: usize = 16;
/// In no more files is one looked for.
const MAX_FILES: usize = 96;

/// Returns the texts to read besides the code: each module once, and all of them with the code behind them.
pub(super) fn texts(
    line: &mut CommandLine,
    index: usize,
    language: Language,
    code: &str,
) -> Vec<String> {
    let mut seen = languages::imported(language, code);
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(name) = seen.get(next).filter(|_| next < MAX_FILES && found.len() < MAX) {
        next += 1;
        let path = format!("{HOLE}/{}", name.trim_start_matches("../"));
        line.want_module(index as u32, name);
        let Some(file) = written::file(line, &path, index) else { continue };
        for name in languages::imported(language, &file.text) {
            if !seen.contains(&name) {
                seen.push(name);
            }
        }
        found.push(match language {
            Language::Python => modules::as_imported(&file.text),
            _ => file.text,
        });
    }
    if language == Language::Python {
        modules::drop_uncalled(&mut found, code);
    }
    let modules = found.concat();
    if !modules.is_empty() && line.may_read(modules.len()) {
        let others = renamed(language, code, &modules);
        found.push(format!("{modules}\n{others}\n{code}"));
    }
    found
}

/// Functions under the names by which code asks for them: `from a import b as c`.
fn renamed(language: Language, code: &str, modules: &str) -> String {
    let mut made = String::new();
    if language != Language::Python {
        return made;
    }
    let statements = code.lines().flat_map(|line| line.split(';')).map(str::trim);
    let names = statements.filter_map(|statement| {
        statement.strip_prefix("from ")?.split_once(" import ").map(|(_, names)| names)
    });
    for name in names.flat_map(|names| names.split(',')).take(MAX) {
        let Some((own, other)) = name.split_once(" as ") else { continue };
        let definition = format!("def {}(", own.trim().trim_start_matches('('));
        if modules.contains(&definition) {
            let other = format!("def {}(", other.trim().trim_end_matches(')'));
            made.push_str(&modules.replace(&definition, &other));
            made.push('\n');
        }
    }
    made
}
