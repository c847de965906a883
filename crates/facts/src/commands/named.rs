//! Tools whose names say what they do: `git_push`, `delete_directory`, `drop_table`. What such a call does, a command line
//! could do as well, and rules are about that.

use super::quote::quoted;
use super::runs::{OF_GIT, Runs, TREES, program_of, words};
use crate::value::ValueRef;

type EachParam<'f> = &'f dyn Fn(&mut dyn FnMut(&str, ValueRef<'_>));

/// The command line that a call of such a tool comes to.
pub(super) fn line(runs: Runs, canonical: &str, each: EachParam<'_>) -> Option<String> {
    match runs {
        Runs::Git => git(canonical, each),
        Runs::Program => program(canonical, each),
        Runs::Drops => drops(canonical, each),
        Runs::Deletes => deletes(canonical, each),
        Runs::Merges => Some(merges(each)),
        _ => None,
    }
}

fn git(canonical: &str, each: EachParam<'_>) -> Option<String> {
    let parts = words(canonical);
    let subcommand = *parts.iter().find(|part| OF_GIT.contains(part))?;
    let (mut flags, mut remote, mut operands) = (Vec::new(), None, Vec::new());
    let mut directory = None;
    let others = parts.iter().filter(|part| !matches!(**part, "git") && **part != subcommand);
    for part in others {
        match (*part, subcommand) {
            ("delete" | "remove", "branch") => flags.push("-D".to_owned()),
            ("force" | "hard" | "mirror" | "all" | "tags", _) => flags.push(format!("--{part}")),
            ("drop" | "clear", "stash") => operands.push((*part).to_owned()),
            _ => {}
        }
    }
    each(&mut |name, value| {
        let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
        let plain = plain.to_lowercase();
        let texts = value_texts(value);
        match (&*plain, &*texts) {
            ("repopath" | "repositorypath" | "path" | "cwd" | "repo" | "directory", [path])
                if !matches!(subcommand, "checkout" | "restore" | "rm") || plain != "path" =>
            {
                directory = Some(path.clone());
            }
            ("remote" | "remotename", [name]) => remote = Some(quoted(name)),
            ("mode" | "resettype" | "resetmode" | "type" | "strategy", [mode]) => {
                flags.push(quoted(&format!("--{}", mode.trim_start_matches('-'))));
            }
            ("options" | "flags" | "args" | "arguments" | "extraargs", texts) => {
                flags.extend(texts.iter().flat_map(|text| text.split_whitespace()).map(quoted));
            }
            (
                "branch" | "branchname" | "ref" | "refspec" | "commit" | "target" | "revision"
                | "tag" | "paths" | "files" | "path" | "pathspec" | "name" | "refspecs"
                | "branches" | "stash",
                texts,
            ) => operands.extend(texts.iter().map(|text| quoted(text))),
            (_, _) if is_true(value) => flags.push(flag(name)),
            _ => {}
        }
    });
    let mut line = vec!["git".to_owned()];
    line.extend(directory.map(|path| format!("-C {}", quoted(&path))));
    line.push(subcommand.to_owned());
    line.append(&mut flags);
    let has_refs = !operands.is_empty();
    line.extend(remote.or_else(|| (subcommand == "push" && has_refs).then(|| "origin".to_owned())));
    line.append(&mut operands);
    Some(line.join(" "))
}

/// A program with what it is given: the command first, whatever the order in which it is said.
fn program(canonical: &str, each: EachParam<'_>) -> Option<String> {
    let parts = words(canonical);
    let (program, does) = program_of(&parts)?;
    let (mut commands, mut others) = (Vec::new(), Vec::new());
    each(&mut |name, value| {
        let plain: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
        let texts = value_texts(value);
        match (plain.to_lowercase().as_str(), texts.as_slice()) {
            (
                "cwd" | "workdir" | "workingdirectory" | "directory" | "timeout" | "description",
                _,
            ) => {}
            (
                "command" | "cmd" | "subcommand" | "action" | "args" | "arguments" | "argv",
                [text],
            ) => {
                // All of it may stand in one text, the program too.
                let own = text.strip_prefix(program).filter(|rest| rest.starts_with(' '));
                commands.push(own.unwrap_or(text).trim().to_owned());
            }
            ("command" | "cmd" | "args" | "arguments" | "argv" | "options" | "flags", texts) => {
                let own = texts.iter().skip_while(|text| *text == program);
                others.extend(own.map(|text| quoted(text)));
            }
            (_, _) if is_true(value) => others.push(flag(name)),
            (_, texts) => others.extend(texts.iter().map(|text| quoted(text))),
        }
    });
    let does = does.map(str::to_owned).into_iter();
    let line: Vec<String> =
        [program.to_owned()].into_iter().chain(does).chain(commands).chain(others).collect();
    Some(line.join(" "))
}

/// The flag that a parameter is named after, be it in one word: `forceWithLease`.
fn flag(name: &str) -> String {
    let mut flag = "--".to_owned();
    let mut before = '-';
    for sign in name.chars() {
        if sign.is_uppercase() && before.is_lowercase() {
            flag.push('-');
        }
        flag.push(if sign == '_' { '-' } else { sign.to_ascii_lowercase() });
        before = sign;
    }
    flag
}

fn merges(each: EachParam<'_>) -> String {
    let mut number = String::new();
    each(&mut |name, value| {
        let (ValueRef::Text(text) | ValueRef::Json(text)) = value;
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && ["number", "id", "iid"].iter().any(|end| name.to_lowercase().ends_with(end))
        {
            text.clone_into(&mut number);
        }
    });
    format!("gh pr merge {number}")
}

fn drops(canonical: &str, each: EachParam<'_>) -> Option<String> {
    let what = if words(canonical).contains(&"database") { "DATABASE" } else { "TABLE" };
    let mut names = Vec::new();
    each(&mut |name, value| {
        let is_name = ["table", "name", "database", "schema", "collection"]
            .iter()
            .any(|part| name.to_lowercase().contains(part));
        if is_name {
            names.extend(value_texts(value));
        }
    });
    let name = names.first()?;
    Some(format!("psql -c {}", quoted(&format!("DROP {what} {name}"))))
}

fn deletes(canonical: &str, each: EachParam<'_>) -> Option<String> {
    let parts = words(canonical);
    let mut is_tree = parts.iter().any(|part| TREES.contains(part));
    let names_file = parts.iter().any(|part| matches!(*part, "file" | "files"));
    let mut paths = Vec::new();
    each(&mut |name, value| {
        let plain = name.to_lowercase();
        if plain.contains("recursive") && is_true(value) {
            is_tree = true;
        } else if is_place(&plain) {
            paths.extend(value_texts(value));
        }
    });
    // What has an extension is a file; a name without one may be a folder.
    let has_extension = |path: &String| {
        let last = path.rsplit(['/', '\\']).next().unwrap_or_default();
        last.trim_start_matches('.').contains('.')
    };
    let is_file = names_file || paths.iter().all(has_extension);
    let words: Vec<String> = paths.iter().map(|path| quoted(path)).collect();
    let program = if is_tree || !is_file { "rm -r --" } else { "rm --" };
    (!words.is_empty()).then(|| format!("{program} {}", words.join(" ")))
}

/// Whether a parameter, in lower case, says what is deleted, and not where the tool works.
fn is_place(name: &str) -> bool {
    const PLACES: [&str; 9] =
        ["path", "paths", "file", "files", "dir", "directory", "folder", "target", "uri"];
    const WORKING: [&str; 4] = ["work", "cwd", "root", "base"];
    PLACES.iter().any(|end| name.ends_with(end)) && !WORKING.iter().any(|part| name.contains(part))
}

/// The texts of a value: itself, or those of a list.
fn value_texts(value: ValueRef<'_>) -> Vec<String> {
    let found = match value {
        ValueRef::Text(text) => vec![text.to_owned()],
        ValueRef::Json(json) => serde_json::from_str(json).unwrap_or_default(),
    };
    let path = |text: String| text.strip_prefix("file://").map(str::to_owned).unwrap_or(text);
    found.into_iter().filter(|text: &String| !text.is_empty()).map(path).collect()
}

fn is_true(value: ValueRef<'_>) -> bool {
    let (ValueRef::Text(text) | ValueRef::Json(text)) = value;
    text.trim().eq_ignore_ascii_case("true")
}
