//! What runners of tasks run, as lines of shell: the recipes of `make` and `just`, the tasks of a Taskfile, the scripts
//! of a package of Node.js. Reads what stands there as far as it is written plainly; knows neither files nor programs.

use std::collections::BTreeSet;

use super::data::json_text;
use super::{HOLE, Language, recipes, sources, written};

/// No more lines of a file than this are looked at, and no more come of one.
const MAX: usize = 512;

/// A task by its name.
#[derive(Debug, Default)]
struct Task {
    name: String,
    needs: Vec<String>,
    lines: Vec<String>,
    /// What it is given, each with what it is unless it is given anything.
    parameters: Vec<(String, Option<String>)>,
}

/// Returns whether a language is that of a runner of tasks.
pub(super) fn is_runner(language: Language) -> bool {
    !files(language).is_empty()
}

/// Returns the names under which a runner looks for its file.
#[must_use]
pub fn files(language: Language) -> &'static [&'static str] {
    match language {
        Language::Make => &["GNUmakefile", "makefile", "Makefile"],
        Language::Just => &["justfile", "Justfile", ".justfile"],
        Language::Task => &[
            "Taskfile.yml",
            "taskfile.yml",
            "Taskfile.yaml",
            "taskfile.yaml",
            "Taskfile.dist.yml",
            "taskfile.dist.yml",
            "Taskfile.dist.yaml",
            "taskfile.dist.yaml",
        ],
        Language::Package => &["package.json"],
        _ => &[],
    }
}

/// Returns the files that a makefile takes rules from. Source: the manual of GNU make, "Including Other Makefiles".
pub(super) fn included(text: &str) -> impl Iterator<Item = &str> {
    const MAX_FILES: usize = 8;
    let names = text.lines().take(MAX).filter_map(|line| {
        let (word, names) = line.split_once([' ', '\t'])?;
        matches!(word, "include" | "-include" | "sinclude").then_some(names)
    });
    names.flat_map(str::split_whitespace).take(MAX_FILES)
}

/// Returns whether a flag makes a runner say something instead of running anything.
pub(super) fn says_only(language: Language, flag: &str) -> bool {
    let own: &[&str] = match language {
        Language::Make => &["n", "q", "t", "v"],
        Language::Just => &["n", "l", "s", "dump", "evaluate", "summary", "variables", "e"],
        Language::Task => &["n", "l", "a", "summary"],
        _ => &[],
    };
    matches!(flag, "h" | "help" | "version") || own.contains(&flag)
}

/// Returns the command lines that a runner runs of a file for goals. What stands behind them is given to scripts.
pub(super) fn lines(
    language: Language,
    text: &str,
    goals: &[&str],
    behind: &[&str],
) -> Vec<String> {
    match language {
        Language::Make => recipes::make(text, goals),
        Language::Just => {
            let (tasks, goals) = just(text, goals);
            let first = tasks.first().map(|task| task.name.clone());
            reached(&tasks, &goals, first.as_deref())
        }
        Language::Task => reached(&taskfile(text), goals, Some("default")),
        Language::Package => {
            let goals: Vec<String> = goals.iter().flat_map(|goal| scripts_of(goal)).collect();
            let goals: Vec<&str> = goals.iter().map(String::as_str).collect();
            let mut scripts = package(text);
            let given: String =
                behind.iter().map(|word| format!(" {}", sources::quoted(word))).collect();
            for script in scripts.iter_mut().filter(|script| goals.contains(&script.name.as_str()))
            {
                let is_around = script.name.starts_with("pre") || script.name.starts_with("post");
                script
                    .lines
                    .iter_mut()
                    .filter(|_| !is_around)
                    .for_each(|line| line.push_str(&given));
            }
            reached(&scripts, &goals, None)
        }
        _ => Vec::new(),
    }
}

/// Returns the scripts of a package that a subcommand of a manager of packages, or the name of a script, runs.
pub(super) fn scripts_of(goal: &str) -> Vec<String> {
    match goal {
        "install" | "i" | "ci" | "add" => {
            ["preinstall", "install", "postinstall", "prepare"].map(str::to_owned).to_vec()
        }
        "t" | "tst" => scripts_of("test"),
        goal => vec![format!("pre{goal}"), goal.to_owned(), format!("post{goal}")],
    }
}

/// The lines of the tasks that goals reach; without any, of `first`.
fn reached(tasks: &[Task], goals: &[&str], first: Option<&str>) -> Vec<String> {
    let mut wanted: Vec<&str> = match goals {
        [] => first.into_iter().collect(),
        goals => goals.iter().rev().copied().collect(),
    };
    let (mut seen, mut lines) = (BTreeSet::new(), Vec::new());
    while let Some(goal) = wanted.pop() {
        if lines.len() > MAX || !seen.insert(goal) {
            continue;
        }
        for task in tasks.iter().filter(|task| task.name == goal) {
            wanted.extend(task.needs.iter().map(String::as_str));
            lines.extend(task.lines.iter().cloned());
        }
    }
    lines.truncate(MAX);
    lines
}

/// The recipes of a `justfile`.
fn just<'g>(text: &str, goals: &[&'g str]) -> (Vec<Task>, Vec<&'g str>) {
    let (mut tasks, mut aliases) = (Vec::<Task>::new(), Vec::<Task>::new());
    let mut variables = Vec::<(String, String)>::new();
    let joined = text.replace("\\\n", " ");
    for line in joined.lines().take(MAX) {
        if line.starts_with([' ', '\t']) {
            if let Some(task) = tasks.last_mut() {
                task.lines.push(line.trim().to_owned());
            }
        } else if let Some((name, value)) = line.split_once(":=") {
            match name.trim().strip_prefix("alias ") {
                Some(alias) => aliases.push(Task {
                    name: alias.trim().to_owned(),
                    needs: vec![value.trim().to_owned()],
                    ..Task::default()
                }),
                None => {
                    let name = name.trim().trim_start_matches("export ").trim();
                    variables.extend(text_of(value).map(|value| (name.to_owned(), value)));
                }
            }
        } else if let Some((head, needs)) = line.split_once(':')
            && !line.starts_with(['#', '['])
        {
            let name = head.split_whitespace().next().unwrap_or_default();
            let needs = needs.split_whitespace().filter(|need| *need != "&&");
            let needs = needs.map(|need| need.trim_matches(['(', ')']).to_owned());
            let name = name.trim_start_matches('@').to_owned();
            let parameters = head.split_whitespace().skip(1).map(parameter).collect();
            tasks.push(Task { name, needs: needs.collect(), lines: Vec::new(), parameters });
        }
    }
    let goals = give(&mut tasks, goals);
    for task in &mut tasks {
        let own =
            task.parameters.iter().filter_map(|(name, value)| Some((name.clone(), value.clone()?)));
        let own: Vec<(String, String)> = own.chain(variables.iter().cloned()).collect();
        task.lines.iter_mut().for_each(|line| *line = filled(line, &own));
    }
    tasks.append(&mut aliases);
    for task in &mut tasks {
        match task.lines.first().is_some_and(|line| line.starts_with("#!")) {
            true => task.lines = script(&task.lines),
            false => {
                let bare = |line: &String| line.trim_start_matches(['@', '-']).to_owned();
                task.lines = task.lines.iter().map(bare).collect();
            }
        }
    }
    (tasks, goals)
}

/// A parameter of a recipe: `dir`, `dir='build'`, `*rest`.
fn parameter(text: &str) -> (String, Option<String>) {
    let (name, usual) = match text.split_once('=') {
        Some((name, usual)) => (name, text_of(usual)),
        None => (text, None),
    };
    (name.trim_start_matches(['*', '+', '$']).to_owned(), usual)
}

/// Gives recipes what stands behind their names, and returns the names alone.
fn give<'g>(tasks: &mut [Task], words: &[&'g str]) -> Vec<&'g str> {
    let (mut goals, mut words) = (Vec::new(), words.iter().copied().peekable());
    while let Some(goal) = words.next() {
        goals.push(goal);
        let Some(task) = tasks.iter_mut().find(|task| task.name == goal) else { continue };
        for (_, value) in &mut task.parameters {
            let Some(word) = words.next() else { break };
            *value = Some(word.to_owned());
        }
    }
    goals
}

/// A recipe that is a script, where it is one of a shell.
fn script(lines: &[String]) -> Vec<String> {
    let text = lines.join("\n");
    match written::interpreter(&text) {
        "sh" | "bash" | "zsh" | "dash" | "ksh" => vec![text],
        _ => Vec::new(),
    }
}

/// A text in quotes.
fn text_of(value: &str) -> Option<String> {
    let value = value.trim();
    let quote = value.chars().next().filter(|first| matches!(first, '\'' | '"'))?;
    value.strip_prefix(quote)?.strip_suffix(quote).map(str::to_owned)
}

/// A line with the values of variables for `{{ … }}`; what is not known is a hole.
fn filled(line: &str, variables: &[(String, String)]) -> String {
    let (mut out, mut rest) = (String::new(), line);
    while let Some((before, behind)) = rest.split_once("{{") {
        out.push_str(before);
        let (inner, behind) = behind.split_once("}}").unwrap_or((behind, ""));
        let value = variables.iter().find(|(name, _)| name == inner.trim());
        match value {
            Some((_, value)) if out.len() < 1 << 14 => out.push_str(value),
            _ => out.push(HOLE),
        }
        rest = behind;
    }
    out + rest
}

/// The tasks of a Taskfile, as far as it is laid out in lines.
fn taskfile(text: &str) -> Vec<Task> {
    let mut tasks = Vec::<Task>::new();
    let (mut is_inside, mut depth, mut key) = (false, None, String::new());
    let mut block: Option<usize> = None;
    for line in text.lines().take(MAX) {
        let body = line.trim_start();
        let indent = line.len() - body.len();
        if body.is_empty() || body.starts_with('#') {
            continue;
        }
        if let Some(least) = block {
            if indent > least {
                let last = tasks.last_mut().and_then(|task| task.lines.last_mut());
                if let Some(last) = last {
                    last.push_str(&filled(body, &[]));
                    last.push('\n');
                }
                continue;
            }
            block = None;
        }
        if indent == 0 {
            (is_inside, depth) = (body.trim_end() == "tasks:", None);
            continue;
        }
        if !is_inside {
            continue;
        }
        if indent <= *depth.get_or_insert(indent) {
            let Some((name, value)) = pair(body) else { continue };
            tasks.push(Task { name: plain(name), ..Task::default() });
            "cmds".clone_into(&mut key);
            add_step(&mut tasks, &key, value);
            continue;
        }
        let (value, is_item) = match body.strip_prefix('-') {
            Some(item) => (item.trim(), true),
            None => (body, false),
        };
        let value = match pair(value) {
            Some((name @ ("cmd" | "task" | "cmds" | "deps"), value)) => {
                key = match (is_item, name) {
                    // What an item says holds for it alone.
                    (true, "task") => {
                        add_step(&mut tasks, "deps", value);
                        continue;
                    }
                    (true, _) => key,
                    (false, name) => name.to_owned(),
                };
                value
            }
            Some((name, _)) if !is_item && name.bytes().all(|b| b.is_ascii_alphabetic()) => {
                name.clone_into(&mut key);
                continue;
            }
            _ => value,
        };
        if matches!(value, "|" | "|-" | "|+" | ">" | ">-") {
            block = Some(indent);
            add_step(&mut tasks, &key, "\"\"");
        } else {
            add_step(&mut tasks, &key, value);
        }
    }
    tasks
}

/// A name and what stands behind its colon.
fn pair(text: &str) -> Option<(&str, &str)> {
    let (name, value) = text.split_once(':')?;
    let is_name = !name.contains([' ', '\t']) || name.starts_with(['\'', '"']);
    let ends = value.is_empty() || value.starts_with([' ', '\t']);
    (is_name && ends).then_some((name, value.trim()))
}

/// Adds one value, or those of a list in brackets, to the last task.
fn add_step(tasks: &mut [Task], key: &str, value: &str) {
    let Some(task) = tasks.last_mut().filter(|_| !value.is_empty()) else { return };
    let list = value.strip_prefix('[').and_then(|list| list.strip_suffix(']'));
    let items: Vec<&str> = match list {
        Some(list) => list.split(',').map(str::trim).collect(),
        None => vec![value],
    };
    for item in items {
        match key {
            "cmds" | "cmd" => task.lines.push(filled(&plain(item), &[])),
            "deps" => task.needs.push(plain(item)),
            _ => {}
        }
    }
}

/// A text without the quotes around it.
fn plain(text: &str) -> String {
    let text = text.trim();
    match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        Some(inner) => inner.replace("\\\"", "\"").replace("\\\\", "\\"),
        None => text_of(text).map_or_else(|| text.to_owned(), |text| text.replace("''", "'")),
    }
}

/// The scripts of a package of Node.js.
fn package(text: &str) -> Vec<Task> {
    let behind = |text: &'_ str| -> Option<usize> {
        let at = text.find("\"scripts\"")?;
        let rest = text.get(at + 9..)?;
        let open = rest.find('{')?;
        rest.get(..open)?.trim().eq(":").then_some(at + 9 + open + 1)
    };
    let mut rest = behind(text).and_then(|at| text.get(at..)).unwrap_or_default();
    let mut tasks = Vec::new();
    while tasks.len() < MAX {
        rest = rest.trim_start_matches([' ', '\t', '\n', '\r', ',']);
        let Some((name, after)) = json_text(rest) else { break };
        let Some(after) = after.trim_start().strip_prefix(':') else { break };
        let Some((line, after)) = json_text(after.trim_start()) else { break };
        tasks.push(Task { name, lines: vec![line], ..Task::default() });
        rest = after;
    }
    tasks
}

#[cfg(test)]
mod tests {
    use super::{Language, lines};

    #[test]
    fn recipes_of_just_are_reached_by_goals() {
        let text = "dir := 'src'\nalias w := wipe\ndefault: test\n  @echo ok\ntest:\n  cargo test\n\
                    wipe x='a': test\n  -rm -rf {{dir}}\nall:\n  #!/bin/sh\n  cd a\n  rm -rf b\n";
        assert_eq!(lines(Language::Just, text, &[], &[]), ["echo ok", "cargo test"]);
        assert_eq!(lines(Language::Just, text, &["w"], &[]), ["rm -rf src", "cargo test"]);
        assert_eq!(lines(Language::Just, text, &["all"], &[]), ["#!/bin/sh\ncd a\nrm -rf b"]);
        let text = "wipe x='a' y='b':\n  rm -rf {{x}} {{y}}\n";
        assert_eq!(lines(Language::Just, text, &["wipe", "c"], &[]), ["rm -rf c b"]);
    }

    #[test]
    fn tasks_of_a_taskfile_are_reached_by_goals() {
        let text = "version: '3'\ntasks:\n  default:\n    deps: [a]\n    cmds:\n      - echo x\n      - task: b\n  \
                    a:\n    cmds: [rm -rf c]\n  b: rm -rf d\n  e:\n    desc: none\n    cmds:\n      - |\n        cd f\n        ls\n";
        assert_eq!(lines(Language::Task, text, &[], &[]), ["echo x", "rm -rf d", "rm -rf c"]);
        assert_eq!(lines(Language::Task, text, &["e"], &[]), ["cd f\nls\n"]);
    }

    #[test]
    fn scripts_of_a_package_run_with_those_around_them() {
        let text = r#"{"name": "x", "scripts": {"prea": "b", "a": "c \"d\"", "e": "f"}}"#;
        assert_eq!(lines(Language::Package, text, &["run", "a"], &[]), ["b", "c \"d\""]);
        assert_eq!(lines(Language::Package, text, &[], &[]), Vec::<String>::new());
    }
}
