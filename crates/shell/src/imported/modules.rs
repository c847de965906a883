//! What of a module of Python runs where it is imported: not what stands there for when it is the program itself, and no
//! function that nobody calls. Reads lines, and leaves in what is not certain.

use std::borrow::Cow;

use crate::HOLE;

/// Signs of code that looks functions up by names which it makes.
const LOOKING_UP: [&str; 7] =
    ["getattr", "globals(", "locals(", "vars(", "__dict__", "eval(", "exec("];

/// So many functions of modules are looked for in the others.
const MAX_FUNCTIONS: usize = 128;

/// Returns the text of a module without `if __name__ == "__main__":` and what stands below that.
pub(super) fn as_imported(text: &str) -> String {
    without_blocks(text, |line| {
        let condition = line.strip_prefix("if ").and_then(|line| line.trim_end().strip_suffix(':'));
        let condition =
            condition.map(|text| text.replace([' ', '(', ')', '\''], "").replace('"', ""));
        condition.is_some_and(|text| {
            matches!(text.as_str(), "__name__==__main__" | "__main__==__name__")
        })
    })
}

/// Takes the functions out of the texts of modules that no other line of them, and none of the code that asks for them,
/// names.
pub(super) fn drop_uncalled(modules: &mut [String], code: &str) {
    let texts = || modules.iter().map(String::as_str).chain([code]);
    if texts().any(|text| LOOKING_UP.iter().any(|sign| text.contains(sign))) {
        return;
    }
    let names = modules.iter().flat_map(|text| functions_of(text)).take(MAX_FUNCTIONS);
    let uncalled: Vec<String> = names
        .filter(|name| texts().map(|text| count(text, name)).sum::<usize>() == 1)
        .map(str::to_owned)
        .collect();
    if uncalled.is_empty() {
        return;
    }
    for text in modules.iter_mut() {
        *text = without_blocks(text, |line| {
            defined(line).is_some_and(|name| uncalled.iter().any(|known| known == name))
        });
    }
}

/// The functions that a text defines, but for those that something else is told of: a line before says so, with `@`.
fn functions_of(text: &str) -> impl Iterator<Item = &str> {
    let lines = || text.lines();
    let before = std::iter::once("").chain(lines());
    let plain = before.zip(lines()).filter(|(before, _)| !before.starts_with('@'));
    plain.filter_map(|(_, line)| defined(line))
}

/// The name of a function that a line at the margin defines.
fn defined(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("async ").unwrap_or(line).strip_prefix("def ")?;
    let (name, _) = rest.split_once('(')?;
    (!name.is_empty() && name.bytes().all(is_letter)).then_some(name)
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns code without the commands that it offers by their names and that nobody asks for: functions behind
/// `@cli.command()`, where there are several, no word names one, and no other line does.
pub fn asked_of<'w>(code: &str, words: impl Iterator<Item = &'w str>) -> Cow<'_, str> {
    let offered: Vec<&str> = commands(code).take(MAX_FUNCTIONS).collect();
    let words: Vec<&str> = words.collect();
    let is_open = words.iter().any(|word| word.contains(HOLE));
    if offered.len() < 2 || is_open || LOOKING_UP.iter().any(|sign| code.contains(sign)) {
        return Cow::Borrowed(code);
    }
    let dashed = |name: &str| name.replace('_', "-");
    let is_asked = |name: &str| {
        let is_word = words.iter().any(|word| *word == name || *word == dashed(name));
        let is_named = count(code, name) > 1 || name.contains('_') && code.contains(&dashed(name));
        is_word || is_named
    };
    let unasked: Vec<&str> = offered.into_iter().filter(|name| !is_asked(name)).collect();
    let kept =
        without_blocks(code, |line| defined(line).is_some_and(|name| unasked.contains(&name)));
    Cow::Owned(kept)
}

/// The functions that are commands by no other name than their own.
fn commands(code: &str) -> impl Iterator<Item = &str> {
    let mut is_offered = false;
    code.lines().filter_map(move |line| {
        if let Some(said) = line.strip_prefix('@') {
            let (of, rest) = said.split_once(".command").unwrap_or_default();
            let is_own = matches!(rest.trim(), "" | "()") && !matches!(of, "" | "click" | "typer");
            is_offered |= is_own;
            return None;
        }
        let name = defined(line);
        let is_command = name.is_some() && is_offered;
        is_offered &= name.is_none() && line.starts_with([' ', '\t', ')']);
        name.filter(|_| is_command)
    })
}

/// How often a name stands in a text as a word, or a part of a text in quotes.
fn count(text: &str, name: &str) -> usize {
    let is_apart = |at: usize| {
        let before = at.checked_sub(1).and_then(|at| text.as_bytes().get(at));
        let behind = text.as_bytes().get(at + name.len());
        ![before, behind].into_iter().flatten().any(|byte| is_letter(*byte))
    };
    text.match_indices(name).filter(|(at, _)| is_apart(*at)).take(2).count()
}

/// A text without the lines at its margin that begin something, and those below each that are further in.
fn without_blocks(text: &str, begins: impl Fn(&str) -> bool) -> String {
    let (mut kept, mut is_inside) = (String::with_capacity(text.len()), false);
    for line in text.split_inclusive('\n') {
        let is_further = line.starts_with([' ', '\t', ')']) || line.trim().is_empty();
        is_inside = (is_inside && is_further) || begins(line.trim_end());
        if !is_inside {
            kept.push_str(line);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::{as_imported, asked_of, drop_uncalled};

    #[test]
    fn what_runs_only_as_the_program_is_left_out() {
        let text = "def a():\n    b()\n\nif __name__ == '__main__':\n    a()\n    c()\nd()\n";
        assert_eq!(as_imported(text), "def a():\n    b()\n\nd()\n");
        assert_eq!(as_imported("if x:\n    a()\n"), "if x:\n    a()\n");
    }

    #[test]
    fn commands_that_nobody_asks_for_are_left_out() {
        let code = "@click.group()\ndef cli():\n    pass\n@cli.command()\n@click.option(\n    '--x'\n)\n\
                    def a_b(x):\n    one()\n@cli.command()\ndef c():\n    two()\ncli()\n";
        let kept = |words: &[&str]| asked_of(code, words.iter().copied()).into_owned();
        assert!(kept(&["x.py", "c"]).contains("two") && !kept(&["x.py", "c"]).contains("one"));
        assert!(kept(&["x.py", "a-b"]).contains("one") && !kept(&["x.py", "a-b"]).contains("two"));
        assert_eq!(kept(&["x.py", "\u{FDD0}"]), code);
        // The one command of a program needs no name, and one that is called is no such.
        let single = "@app.command()\ndef a():\n    one()\n";
        assert_eq!(asked_of(single, ["x.py"].into_iter()), single);
        let called = format!("{code}a_b(1)\n");
        assert!(asked_of(&called, ["x.py"].into_iter()).contains("one"));
    }

    #[test]
    fn functions_that_nobody_names_are_left_out() {
        let module = "def a():\n    x()\ndef b():\n    y()\n@c\ndef d():\n    z()\n";
        let dropped = |code: &str| {
            let mut modules = [module.to_owned()];
            drop_uncalled(&mut modules, code);
            let [module] = modules;
            module
        };
        assert_eq!(dropped("from m import a\na()"), "def a():\n    x()\n@c\ndef d():\n    z()\n");
        assert_eq!(dropped("getattr(m, 'a' + x)"), module);
        assert_eq!(dropped("f('a'); m.b()"), module);
    }
}
