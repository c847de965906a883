//! What a program runs besides what it is told, because a variable, a flag or a file of settings that the line writes says so:
//! as lines of shell that do the same. Knows the names of variables and settings; follows what is constant.

use super::programs::Program;
use super::set_for::Variable;
use super::sources::quoted;
use super::{Command, CommandLine, HOLE, Language, MAX_DEPTH, ninja, written};

/// No more come of one command.
const MAX: usize = 16;

/// Variables that hold flags of an interpreter by which it runs a file first, with the endings that names of such files may
/// lack. Sources: the manuals of Node.js and Ruby.
const LOADING: [(&str, &str, &[&str]); 2] = [
    ("NODE_OPTIONS", "node", &["", ".js", ".cjs", ".mjs", "/index.js"]),
    ("RUBYOPT", "ruby", &["", ".rb"]),
];

/// Files that Python runs before anything else, wherever it looks for modules. Source: the reference of its module `site`.
const OF_PYTHON: [&str; 2] = ["sitecustomize.py", "usercustomize.py"];

/// Variables by which `make` is given flags, and files. Source: the manual of GNU make.
const OF_MAKE: [&str; 3] = ["MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES"];

/// The other variables that are looked at here, in lower case.
const OTHERS: [&str; 5] =
    ["pythonpath", "pythonstartup", "perl5opt", "perl5db", "npm_config_script_shell"];

/// Returns whether a variable of some name is looked at.
fn is_told(name: &str) -> bool {
    LOADING.iter().any(|(known, ..)| *known == name)
        || OF_MAKE.contains(&name)
        || OTHERS.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns the lines.
pub(super) fn lines(
    line: &CommandLine,
    (command, index): (&Command, usize),
    program: Program<'_>,
) -> Vec<String> {
    // Most that is set for a command is no business of this, and costs nothing.
    let set = match line.set_for.iter().any(|(_, name, _)| is_told(line.text(name))) {
        true => line.variables_for(index).unwrap_or_default(),
        false => Vec::new(),
    };
    let mut found = Vec::new();
    for variable in &set {
        by_variable(line, (command, index), program, variable, &mut found);
    }
    if line.program(command) == Some("tmux") {
        found.extend(of_branches(line, command));
    }
    if line.commands().len() > 1 {
        by_settings(line, (command, index), program, &set, &mut found);
    }
    found.retain(|text| !is_inside(line, command, text));
    found.truncate(MAX);
    found
}

/// Whether a command, or one that runs it, was found by such a line: it would find itself again.
fn is_inside(line: &CommandLine, command: &Command, text: &str) -> bool {
    let above = |command: &&Command| line.commands().get(command.parent? as usize);
    let mut all = std::iter::successors(Some(command), above).take(MAX_DEPTH as usize);
    all.any(|command| {
        let last = line.words(command).last().map(|word| line.text(word));
        last.is_some_and(|last| !last.is_empty() && text.ends_with(&quoted(last)))
    })
}

/// What one variable makes a program run.
fn by_variable(
    line: &CommandLine,
    (command, index): (&Command, usize),
    program: Program<'_>,
    variable: &Variable<'_>,
    found: &mut Vec<String>,
) {
    let (language, value) = (program.language(), line.text(&variable.value));
    let loading = LOADING.iter().find(|(name, ..)| *name == variable.name);
    if let Some((_, interpreter, endings)) = loading {
        let own = match *interpreter {
            "ruby" => language == Language::Ruby || matches!(program.name(), "bundle" | "gem"),
            _ => {
                matches!(language, Language::JavaScript | Language::Package)
                    || matches!(program.name(), "npm" | "npx" | "yarn" | "pnpm")
            }
        };
        for piece in value.split([' ', '=']).take(MAX).filter(|_| own) {
            let name = piece.strip_prefix("-r").unwrap_or(piece);
            found.extend(loaded(line, index, interpreter, name, endings));
        }
        return;
    }
    match variable.name {
        name if OF_MAKE.contains(&name) && language == Language::Make => {
            found.extend(of_make(line, command, name, value));
        }
        "PYTHONPATH" => {
            let files = OF_PYTHON.iter().map(|name| format!("{HOLE}/{name}"));
            let files = files.filter_map(|path| written::file(line, &path, index));
            found.extend(files.map(|file| code("python3 -c", &file.text)));
        }
        "PYTHONSTARTUP" if language == Language::Python && is_talked_to(line, command) => {
            let text = match variable.value.is_process() {
                true => written::process(line, Some(variable.command), variable.value),
                false => written::file(line, value, index).map(|file| file.text),
            };
            found.extend(text.map(|text| code("python3 -c", &text)));
        }
        "PERL5OPT" if language == Language::Perl => {
            let modules = value
                .split_whitespace()
                .filter_map(|flag| flag.strip_prefix("-M").or_else(|| flag.strip_prefix("-m")));
            for module in modules.take(MAX) {
                let behind = value.split_once(module).map_or("", |(_, behind)| behind);
                found.extend(match module.contains([';', '(']) {
                    true => Some(code("perl -e", &format!("{module}{behind}"))),
                    false => module_of_perl(line, index, module),
                });
            }
        }
        "PERL5DB" if language == Language::Perl && says(line, command, "-d") => {
            found.push(code("perl -e", value));
        }
        _ => {}
    }
}

fn code(interpreter: &str, text: &str) -> String {
    format!("{interpreter} {}", quoted(text))
}

fn says(line: &CommandLine, command: &Command, flag: &str) -> bool {
    line.words(command).iter().any(|word| line.text(word) == flag)
}

/// The file that an interpreter runs first, where the line wrote it.
fn loaded(
    line: &CommandLine,
    index: usize,
    interpreter: &str,
    name: &str,
    endings: &[&str],
) -> Option<String> {
    let path = file(line, index, name, endings)?;
    Some(format!("{interpreter} {}", quoted(&path)))
}

/// The file that the line wrote under a name that may lack its ending.
pub(super) fn file(
    line: &CommandLine,
    index: usize,
    name: &str,
    endings: &[&str],
) -> Option<String> {
    if name.is_empty() || name.starts_with('-') || line.commands().len() < 2 {
        return None;
    }
    let mut paths = endings.iter().map(|ending| format!("{name}{ending}"));
    paths.find(|path| written::file(line, path, index).is_some())
}

/// A module of Perl that the line wrote, wherever it is looked for.
pub(super) fn module_of_perl(line: &CommandLine, index: usize, name: &str) -> Option<String> {
    let name = name.split(['=', ' ']).next().filter(|name| !name.is_empty())?;
    let path = format!("{HOLE}/{}.pm", name.replace("::", "/"));
    let file = written::file(line, &path, index)?;
    Some(code("perl -e", &file.text))
}

/// Whether an interpreter is talked to: it has a flag for that, or nothing else to run.
fn is_talked_to(line: &CommandLine, command: &Command) -> bool {
    let mut words = line.words(command).iter().skip(1).map(|word| line.text(word));
    let has_flag = |word: &str| {
        let letters = word.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        letters.is_some_and(|letters| letters.contains('i'))
    };
    words.clone().any(has_flag) || words.all(|word| word.starts_with('-') && word != "-c")
}

/// `make` with the flags that a variable holds, and with what it is told anyway.
fn of_make(line: &CommandLine, command: &Command, name: &str, value: &str) -> Option<String> {
    let words = match value.contains("$(") || value.contains("${") {
        // It is expanded before it is taken apart.
        true => vec![format!("--eval={value}")],
        false => words(value),
    };
    let flags: Vec<String> = match name {
        "MAKEFILES" => words.into_iter().flat_map(|file| ["-f".to_owned(), file]).collect(),
        _ => words,
    };
    let runs = |flag: &String| {
        ["--eval", "-E", "-f", "--file", "--makefile"].iter().any(|known| flag.starts_with(known))
    };
    if !flags.iter().any(runs) {
        return None;
    }
    let goals = line.words(command).iter().skip(1).map(|word| line.text(word).to_owned());
    let all: Vec<String> = goals.chain(flags).map(|word| quoted(&word)).collect();
    Some(format!("make {}", all.join(" ")))
}

/// The words of a text in which a backslash takes away what a blank means.
fn words(text: &str) -> Vec<String> {
    let (mut found, mut word) = (Vec::new(), String::new());
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        match sign {
            '\\' => word.extend(signs.next()),
            ' ' | '\t' => found.push(std::mem::take(&mut word)),
            sign => word.push(sign),
        }
    }
    found.push(word);
    found.retain(|word| !word.is_empty());
    found
}

/// What files of settings say that the line wrote.
fn by_settings(
    line: &CommandLine,
    (command, index): (&Command, usize),
    program: Program<'_>,
    set: &[Variable<'_>],
    found: &mut Vec<String>,
) {
    let is_package = program.language() == Language::Package;
    match line.program(command).unwrap_or_default() {
        "npm" | "pnpm" | "npx" => found.extend(shell_of_npm(line, command, index, set)),
        _ if is_package => found.extend(shell_of_npm(line, command, index, set)),
        "ninja" | "samu" | "ninja-build" => found.extend(of_ninja(line, command, index)),
        "run-parts" => found.extend(of_folder(line, command, index)),
        "gdb" => found.extend(first_commands(line, command, index, (".gdbinit", "-x"))),
        "lldb" => found.extend(first_commands(line, command, index, (".lldbinit", "-s"))),
        "ssh" | "scp" | "sftp" => {
            let file = flag(line, command, "-F").and_then(|path| text(line, path, index));
            found.extend(file.iter().flat_map(|file| of_ssh(file)));
        }
        "tmux" => {
            let source = flag(line, command, "-f")
                .or_else(|| flag(line, command, "source-file"))
                .or_else(|| flag(line, command, "source"));
            let file = source.and_then(|path| text(line, path, index));
            found.extend(file.iter().flat_map(|file| of_tmux(file)));
        }
        "mysql" | "mariadb" => {
            let flags = ["--defaults-extra-file", "--defaults-file"];
            let file = flags.iter().find_map(|name| flag(line, command, name));
            let file = file.and_then(|path| text(line, path, index));
            let set = file.as_deref().and_then(|file| setting(file, "init-command"));
            found.extend(set.map(|set| code("mysql -e", set)));
        }
        _ => {}
    }
}

/// A debugger with the commands that it reads first of a file, which the line wrote.
fn first_commands(
    line: &CommandLine,
    command: &Command,
    index: usize,
    (name, flag): (&str, &str),
) -> Option<String> {
    const NOT: [&str; 6] = ["-n", "-nx", "--nx", "-no-lldbinit", "--no-lldbinit", "--version"];
    if NOT.iter().any(|flag| says(line, command, flag)) {
        return None;
    }
    let program = line.program(command)?;
    let home = format!("~/{name}");
    let file = [name, &home].into_iter().find(|path| written::file(line, path, index).is_some())?;
    Some(format!("{program} {flag} {}", quoted(file)))
}

/// What stands in a file that the line wrote.
fn text(line: &CommandLine, path: &str, index: usize) -> Option<String> {
    written::file(line, path, index).map(|file| file.text)
}

/// The value of a flag, in its word or in the next one.
fn flag<'l>(line: &'l CommandLine, command: &Command, name: &str) -> Option<&'l str> {
    let mut words = line.words(command).iter().skip(1).map(|word| line.text(word));
    while let Some(word) = words.next() {
        match word.strip_prefix(name) {
            Some("") => return words.next(),
            Some(rest) => match rest.strip_prefix('=') {
                Some(value) => return Some(value),
                None if !name.starts_with("--") && name.starts_with('-') => return Some(rest),
                None => {}
            },
            None => {}
        }
    }
    None
}

/// The value of a setting in a file of lines such as `NAME=VALUE`.
fn setting<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find_map(|line| {
        let (own, value) = line.split_once('=')?;
        let is_it = own.trim().replace('_', "-").eq_ignore_ascii_case(name);
        is_it.then(|| value.trim().trim_matches(['"', '\'']))
    })
}

/// The program that `npm` gives scripts to, where it is a file. Source: its manual, of `script-shell`.
fn shell_of_npm(
    line: &CommandLine,
    command: &Command,
    index: usize,
    set: &[Variable<'_>],
) -> Option<String> {
    let is_it =
        |variable: &&Variable<'_>| variable.name.eq_ignore_ascii_case("npm_config_script_shell");
    let named = flag(line, command, "--script-shell")
        .or_else(|| set.iter().find(is_it).map(|variable| line.text(&variable.value)));
    let kept = || {
        let file = [".npmrc", "~/.npmrc"].iter().find_map(|path| text(line, path, index))?;
        setting(&file, "script-shell").map(str::to_owned)
    };
    let shell = named.map(str::to_owned).or_else(kept)?;
    shell.contains('/').then(|| format!("{} -c true", quoted(&shell)))
}

/// What a build file says, in which folder ever it lies.
fn of_ninja(line: &CommandLine, command: &Command, index: usize) -> Vec<String> {
    let words = || line.words(command).iter().skip(1).map(|word| line.text(word));
    if words().any(|word| matches!(word, "-n" | "-t" | "--version" | "-h" | "--help")) {
        return Vec::new();
    }
    let named = flag(line, command, "-f");
    let folder = format!("{HOLE}/{}", named.unwrap_or("build.ninja"));
    let file = text(line, named.unwrap_or("build.ninja"), index)
        .or_else(|| text(line, &folder, index).filter(|_| flag(line, command, "-C").is_some()));
    let values = ["-f", "-C", "-j", "-k", "-l", "-d", "-w"];
    let (mut goals, mut is_value) = (Vec::new(), false);
    for word in words() {
        if !std::mem::replace(&mut is_value, values.contains(&word)) && !word.starts_with('-') {
            goals.push(word);
        }
    }
    file.map(|file| ninja::lines(&file, &goals)).unwrap_or_default()
}

/// The files of a folder that the line wrote, each of which is run.
fn of_folder(line: &CommandLine, command: &Command, index: usize) -> Vec<String> {
    let words = || line.words(command).iter().skip(1).map(|word| line.text(word));
    if words().any(|word| matches!(word, "--test" | "--list")) {
        return Vec::new();
    }
    let Some(folder) = words().rfind(|word| !word.starts_with('-')) else {
        return Vec::new();
    };
    let paths = written::paths(line, index).into_iter();
    let inside = paths.filter(|path| {
        let (own, _) = path.rsplit_once('/').unwrap_or((".", path));
        written::is_same_file(line, own, folder.trim_end_matches('/'))
    });
    inside.map(|path| quoted(&path)).collect()
}

/// The command lines in settings of `ssh`. Source: the manual page `ssh_config`.
fn of_ssh(text: &str) -> Vec<String> {
    const NAMES: [&str; 3] = ["proxycommand", "localcommand", "knownhostscommand"];
    let lines = text.lines().filter_map(|line| {
        let (name, value) = line.trim().split_once([' ', '\t', '='])?;
        let (name, value) = (name.to_ascii_lowercase(), value.trim());
        match name.as_str() {
            "match" => {
                let (_, rest) = value.split_once("exec ")?;
                let rest = rest.trim_start();
                let inner = rest.strip_prefix('"').and_then(|rest| rest.split_once('"'));
                Some(inner.map_or(rest, |(inner, _)| inner).to_owned())
            }
            name => NAMES.contains(&name).then(|| value.to_owned()),
        }
    });
    lines.take(MAX).collect()
}

/// The commands that `tmux if-shell` chooses between, behind the one that it asks.
fn of_branches(line: &CommandLine, command: &Command) -> Vec<String> {
    let mut words = line.words(command).iter().skip(1).map(|word| line.text(word));
    if !words.next().is_some_and(|word| matches!(word, "if-shell" | "if")) {
        return Vec::new();
    }
    let branches = words.filter(|word| !word.starts_with('-')).skip(1).take(2);
    branches.map(|branch| format!("tmux {branch}")).collect()
}

/// The commands in settings of `tmux`, each as what is given to it.
fn of_tmux(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.take(MAX).map(|line| format!("tmux {line}")).collect()
}

#[cfg(test)]
mod tests {
    use super::{of_ssh, setting, words};

    #[test]
    fn settings_are_found_where_they_stand() {
        assert_eq!(words("--eval=a\\ b  -k"), ["--eval=a b", "-k"]);
        assert_eq!(setting("[client]\ninit_command = \"drop\"\n", "init-command"), Some("drop"));
        let text = "Host x\n  ProxyCommand nc %h\nMatch exec \"rm a\"\n  User z\n";
        assert_eq!(of_ssh(text), ["nc %h", "rm a"]);
    }
}
