//! The file tools of plans. All of them work through the workspace's own handle and reach nothing else.

use std::ffi::OsStr;
use std::path::Path;

use behavior_compiler::plan::Arguments;
use globset::{GlobBuilder, GlobMatcher};
use regex::{Regex, RegexBuilder};
use serde_json::{Map, Value};

use super::workspace::{EntryKind, Trouble, Workspace};

/// No more names or lines of one step are told.
const MAX_FOUND: usize = 1_000;
/// No more bytes are looked through in one step.
const MAX_SEARCHED: usize = 512 << 20;
/// No longer line is told whole.
const MAX_LINE: usize = 400;
/// Directories that hold nothing that anybody looks for.
const SKIPPED: &[&str] = &[".git", ".hg", ".svn", ".behavior", "node_modules"];

/// What a step came to: its result, or why there is none.
pub type Done = Result<Value, String>;

fn skip(name: &OsStr) -> bool {
    SKIPPED.iter().any(|skipped| name == *skipped)
}

/// A parameter that is a text.
pub fn text<'a>(params: &'a Map<String, Value>, name: &str) -> Result<&'a str, String> {
    match params.get(name) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(format!("`{name}` is no text")),
        None => Err(format!("`{name}` is missing")),
    }
}

/// A parameter that is a text, where it is there.
fn optional<'a>(params: &'a Map<String, Value>, name: &str) -> Result<Option<&'a str>, String> {
    params.get(name).map(|_| text(params, name)).transpose()
}

fn number(params: &Map<String, Value>, name: &str) -> Result<Option<usize>, String> {
    let read = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
    match params.get(name) {
        None => Ok(None),
        Some(value) => read(value).map(Some).ok_or_else(|| format!("`{name}` is no whole number")),
    }
}

fn flag(params: &Map<String, Value>, name: &str) -> Result<bool, String> {
    match params.get(name) {
        None => Ok(false),
        Some(Value::Bool(value)) => Ok(*value),
        Some(_) => Err(format!("`{name}` is neither true nor false")),
    }
}

fn said(trouble: Trouble) -> String {
    trouble.to_string()
}

/// The names of files that match a pattern.
pub fn glob(workspace: &Workspace, params: &Map<String, Value>) -> Done {
    let pattern = text(params, "pattern")?;
    let start = optional(params, "path")?.unwrap_or(".");
    // A pattern that names the workspace itself is one inside of it.
    let pattern = match Path::new(pattern).strip_prefix(workspace.path()) {
        Ok(inside) => inside.to_str().unwrap_or(pattern),
        Err(_) if pattern.starts_with('/') => {
            return Err(format!("`{pattern}` is outside of the workspace"));
        }
        Err(_) => pattern.strip_prefix("./").unwrap_or(pattern),
    };
    if pattern.split('/').any(|part| part == "..") {
        return Err(format!("`{pattern}` leads out of the directory that is searched"));
    }
    let matcher = matcher(pattern)?;
    let directory = workspace.where_is(start).map_err(said)?;
    let mut found = Vec::new();
    let mut visit = |path: &str| {
        let inside = path.strip_prefix(&*directory).unwrap_or(path).trim_start_matches('/');
        if matcher.is_match(inside) {
            found.push(Value::from(path));
        }
        found.len() < MAX_FOUND
    };
    workspace.walk(start, &skip, &mut visit).map_err(said)?;
    Ok(Value::from(found))
}

fn matcher(pattern: &str) -> Result<GlobMatcher, String> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher())
        .map_err(|error| format!("`{pattern}` is no pattern: {error}"))
}

/// What is in a directory; names of directories end with `/`.
pub fn ls(workspace: &Workspace, params: &Map<String, Value>) -> Done {
    let path = optional(params, "path")?.unwrap_or(".");
    let entries = workspace.list(path).map_err(said)?;
    let shown = entries.iter().take(MAX_FOUND).map(|entry| {
        let name = entry.name.to_string_lossy();
        match entry.kind {
            EntryKind::Directory => format!("{name}/"),
            EntryKind::Link => format!("{name}@"),
            _ => name.into_owned(),
        }
    });
    Ok(shown.collect())
}

/// The lines that match a regular expression: `file:line:text`.
pub fn grep(workspace: &Workspace, params: &Map<String, Value>) -> Done {
    let pattern = text(params, "pattern")?;
    let start = optional(params, "path")?.unwrap_or(".");
    let regex = RegexBuilder::new(pattern)
        .case_insensitive(flag(params, "ignore_case")?)
        .size_limit(1 << 20)
        .build()
        .map_err(|error| format!("`{pattern}` is no regular expression: {error}"))?;
    let glob = optional(params, "glob")?.map(matcher).transpose()?;
    let mut search = Search { regex, found: Vec::new(), left: MAX_SEARCHED };
    if workspace.kind(start).map_err(said)? == EntryKind::File {
        search.file(workspace, start);
        return Ok(Value::from(search.found));
    }
    let is_wanted = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or(path);
        glob.as_ref().is_none_or(|glob| glob.is_match(path) || glob.is_match(name))
    };
    let mut visit = |path: &str| !is_wanted(path) || search.file(workspace, path);
    workspace.walk(start, &skip, &mut visit).map_err(said)?;
    Ok(Value::from(search.found))
}

struct Search {
    regex: Regex,
    found: Vec<Value>,
    left: usize,
}

impl Search {
    /// Looks through a file; false where enough was found.
    fn file(&mut self, workspace: &Workspace, path: &str) -> bool {
        let Ok(content) = workspace.read(path) else { return true };
        self.left = self.left.saturating_sub(content.bytes.len());
        if content.bytes.contains(&0) {
            return self.left > 0;
        }
        let text = String::from_utf8_lossy(&content.bytes);
        for (at, line) in text.lines().enumerate() {
            if !self.regex.is_match(line) {
                continue;
            }
            let shown: String = line.chars().take(MAX_LINE).collect();
            let more = if shown.len() < line.len() { "…" } else { "" };
            self.found.push(Value::from(format!("{}:{}:{shown}{more}", content.path, at + 1)));
            if self.found.len() >= MAX_FOUND {
                return false;
            }
        }
        self.left > 0
    }
}

/// Where a file is that is read: at the path, else the only one of that name.
///
/// # Errors
/// When there is none, or several are called so.
pub fn find(workspace: &Workspace, path: &str) -> Result<Option<String>, String> {
    match workspace.kind(path) {
        Err(Trouble::Missing(_) | Trouble::Wrong { .. }) => {}
        Err(trouble) => return Err(said(trouble)),
        Ok(_) => return Ok(None),
    }
    let name = path.rsplit('/').next().unwrap_or(path);
    let mut found = Vec::new();
    let mut visit = |candidate: &str| {
        if candidate.rsplit('/').next() == Some(name) {
            found.push(candidate.to_owned());
        }
        found.len() <= MAX_FOUND
    };
    workspace.walk(".", &skip, &mut visit).map_err(said)?;
    match &*found {
        [] => Err(format!("there is no `{path}`, and no file called `{name}`")),
        [only] => Ok(Some(only.clone())),
        several => {
            let named: Vec<String> = several.iter().take(5).map(|one| format!("`{one}`")).collect();
            Err(format!("there is no `{path}`; several files are called so: {}", named.join(", ")))
        }
    }
}

/// The text of a file, or some of its lines.
pub fn read(workspace: &Workspace, path: &str, params: &Map<String, Value>) -> Done {
    let text = text_of(workspace, path)?.1;
    let (offset, limit) = (number(params, "offset")?, number(params, "limit")?);
    if offset.is_none() && limit.is_none() {
        return Ok(Value::from(text));
    }
    // Lines count from 1.
    let first = offset.unwrap_or(1).max(1) - 1;
    let lines = text.split_inclusive('\n').skip(first).take(limit.unwrap_or(usize::MAX));
    Ok(Value::from(lines.collect::<String>()))
}

fn text_of(
    workspace: &Workspace,
    path: &str,
) -> Result<(super::workspace::Content, String), String> {
    let mut content = workspace.read(path).map_err(said)?;
    match String::from_utf8(std::mem::take(&mut content.bytes)) {
        Ok(text) => Ok((content, text)),
        Err(_) => Err(format!("`{}` is no text in UTF-8", content.path)),
    }
}

/// One replacement.
struct Replacement<'a> {
    old: &'a str,
    new: &'a str,
    all: bool,
}

impl Replacement<'_> {
    /// Replaces in a text, and says how often.
    fn apply(&self, text: &str, path: &str) -> Result<(String, usize), String> {
        if self.old.is_empty() {
            return Err("what is to be replaced is empty".to_owned());
        }
        if self.old == self.new {
            return Err("what is to be replaced and its replacement are the same".to_owned());
        }
        let count = text.matches(self.old).count();
        match (count, self.all) {
            (0, _) => Err(format!("what is to be replaced does not occur in `{path}`")),
            (_, true) => Ok((text.replace(self.old, self.new), count)),
            (_, false) => Ok((text.replacen(self.old, self.new, 1), 1)),
        }
    }
}

/// Replaces a text in a file: its first occurrence, or all.
pub fn edit(workspace: &Workspace, params: &Map<String, Value>) -> Done {
    let old = text(params, "old_string")?;
    let new = text(params, "new_string")?;
    let all = flag(params, "replace_all")?;
    change(workspace, text(params, "file_path")?, &[Replacement { old, new, all }])
}

/// Replaces several texts in a file, one after the other: all of them or none.
pub fn multi_edit(workspace: &Workspace, params: &Map<String, Value>) -> Done {
    let all = flag(params, "replace_all")?;
    let edits = params.get("edits").and_then(Value::as_array);
    let edits = edits.ok_or("`edits` is a list of `{old_string, new_string}`")?;
    if edits.is_empty() {
        return Err("`edits` is empty".to_owned());
    }
    let replacements: Result<Vec<_>, String> =
        edits.iter().enumerate().map(|(at, edit)| replacement(at, edit, all)).collect();
    change(workspace, text(params, "file_path")?, &replacements?)
}

fn replacement(at: usize, edit: &Value, all: bool) -> Result<Replacement<'_>, String> {
    let wrong = |what: &str| format!("entry {at} of `edits` {what}");
    match edit {
        Value::Array(pair) => match &**pair {
            [Value::String(old), Value::String(new)] => Ok(Replacement { old, new, all }),
            _ => Err(wrong("is no pair of texts")),
        },
        Value::Object(edit) => {
            let named = |names: [&str; 3]| {
                names.iter().find_map(|name| edit.get(*name)).and_then(Value::as_str)
            };
            let old = named(["old_string", "old", "old_text"])
                .ok_or_else(|| wrong("has no `old_string`"))?;
            let new = named(["new_string", "new", "new_text"])
                .ok_or_else(|| wrong("has no `new_string`"))?;
            let all =
                flag(edit, "replace_all").map_err(|why| wrong(&format!("is wrong: {why}")))? || all;
            Ok(Replacement { old, new, all })
        }
        _ => Err(wrong("is no object")),
    }
}

fn change(workspace: &Workspace, path: &str, replacements: &[Replacement<'_>]) -> Done {
    let (content, mut text) = text_of(workspace, path)?;
    let mut total = 0;
    for replacement in replacements {
        let (changed, count) = replacement.apply(&text, &content.path)?;
        text = changed;
        total += count;
    }
    let path = workspace.replace(path, text.as_bytes(), Some(content.version)).map_err(said)?;
    let times = if total == 1 { "1 occurrence".to_owned() } else { format!("{total} occurrences") };
    Ok(Value::from(format!("replaced {times} in `{path}`")))
}

/// Writes a file: a new one, or in the place of another with `force`.
pub fn write(workspace: &Workspace, params: &Map<String, Value>, force: bool) -> Done {
    let path = text(params, "file_path")?;
    let content = match params.get("content") {
        Some(Value::String(text)) => text,
        _ => return Err("`content` is no text".to_owned()),
    };
    let written = match force {
        true => workspace.replace(path, content.as_bytes(), None),
        false => workspace.create(path, content.as_bytes()),
    };
    let path = written.map_err(said)?;
    Ok(Value::from(format!("wrote {} bytes to `{path}`", content.len())))
}

/// Takes a list of to-dos.
pub fn todo_write(arguments: &Arguments) -> Done {
    let todos = arguments.params.get("todos").and_then(Value::as_array);
    let todos = todos.ok_or("`todos` is a list of `{content, status}`")?;
    for (at, todo) in todos.iter().enumerate() {
        let of = |name: &str| todo.get(name).and_then(Value::as_str);
        if of("content").is_none_or(|content| content.trim().is_empty()) {
            return Err(format!("to-do {at} has no `content`"));
        }
        match of("status").unwrap_or("pending") {
            "pending" | "in_progress" | "completed" => {}
            other => {
                return Err(format!(
                    "to-do {at} cannot be `{other}`: the states are `pending`, `in_progress` and `completed`"
                ));
            }
        }
    }
    Ok(Value::from(todos.clone()))
}
