//! Where the audit log is sent: `audit.yaml` in the user's folder and in the administrator's. A project has no say, and
//! no hook reads this.

use std::path::{Path, PathBuf};

use behavior_compiler::source::FileId;
use behavior_compiler::syntax::{Entry, Format, Node, parse};

use super::http;
use crate::project;
use crate::terminal::Failure;

/// The file.
const FILE: &str = "audit.yaml";
/// A longer one is none.
const MAX_LENGTH: u64 = 64 << 10;
/// Where programs on this machine tell the system's log something.
const SYSLOG: &str = "/dev/log";

/// Where lines are sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// To standard output, as they are.
    Stdout,
    /// To the system's log, through its socket.
    Syslog(PathBuf),
    /// Behind a file, in the form of OTLP.
    OtlpFile(PathBuf),
    /// To a server.
    Http {
        /// Where it takes them.
        url: String,
        /// The variable with a token for it.
        token_env: Option<String>,
    },
}

impl Target {
    /// Names the target; what was sent is remembered under this name.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Stdout => "stdout".to_owned(),
            Self::Syslog(socket) => format!("syslog {}", socket.display()),
            Self::OtlpFile(path) => format!("otlp_file {}", path.display()),
            Self::Http { url, .. } => format!("http {}", http::shown(url)),
        }
    }
}

/// Reads what the administrator says, then what the user says.
///
/// # Errors
/// When a file is there and cannot be used, or nobody says anything.
pub fn targets() -> Result<Vec<Target>, Failure> {
    let users = project::users_directory();
    let folders = [Some(project::administrators_directory().to_owned()), users.clone()];
    let mut targets = Vec::new();
    for folder in folders.into_iter().flatten() {
        let path = folder.join(FILE);
        let Some(text) = read(&path)? else { continue };
        for target in in_text(&path.display().to_string(), &text)? {
            match targets.iter().find(|other: &&Target| other.name() == target.name()) {
                None => targets.push(target),
                Some(other) if *other == target => {}
                Some(_) => {
                    return Err(Failure::Message(format!(
                        "two targets are called `{}`: what each of them has could not be told apart",
                        target.name()
                    )));
                }
            }
        }
    }
    if targets.is_empty() {
        let path = users.unwrap_or_else(|| PathBuf::from("~/.config/behavior")).join(FILE);
        return Err(Failure::Message(format!(
            "nothing says where the log is sent; write for example\n\n    forward:\n      - to: syslog\n\ninto `{}`",
            path.display()
        )));
    }
    Ok(targets)
}

/// Reads a file, if it is there. Links are followed, since that is how people keep their settings; what they lead to
/// has to be the user's or the system's, and nobody else's to write.
fn read(path: &Path) -> Result<Option<String>, Failure> {
    let failed =
        |reason: String| Failure::Message(format!("`{}` cannot be used: {reason}", path.display()));
    let real = match path.canonicalize() {
        Ok(real) => real,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(project::describe(&error))),
    };
    match project::read_own(&real, MAX_LENGTH) {
        Ok(bytes) => {
            let text =
                String::from_utf8(bytes).map_err(|_| failed("it is not valid UTF-8".to_owned()))?;
            Ok(Some(text))
        }
        Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
            Err(failed("it has to be a small file that only you, or root, can write".to_owned()))
        }
        Err(error) => Err(failed(project::describe(&error))),
    }
}

/// Takes the targets out of a text.
fn in_text(name: &str, text: &str) -> Result<Vec<Target>, Failure> {
    let parsed = parse(FileId(0), text, Format::Yaml);
    let wrong = |offset: u32, message: &str| {
        let before = text.get(..offset as usize).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Failure::Message(format!("{name}:{line}:{column}: {message}"))
    };
    if let Some(problem) = parsed.diagnostics.first() {
        return Err(wrong(problem.span.start, &problem.message));
    }
    let mut targets = Vec::new();
    let entries = parsed.root.entries();
    for entry in entries.ok_or_else(|| wrong(0, "here belongs a mapping with `forward`"))? {
        if &*entry.key.text != "forward" {
            return Err(wrong(entry.key.span.start, "the only field here is `forward`"));
        }
        let items = entry.value.items();
        for item in items.ok_or_else(|| wrong(entry.value.span.start, "`forward` is a list"))? {
            targets.push(target(item).map_err(|(offset, message)| wrong(offset, &message))?);
        }
    }
    Ok(targets)
}

/// Takes up one target; else says where what is wrong.
fn target(item: &Node) -> Result<Target, (u32, String)> {
    let start = item.span.start;
    let entries = item.entries().unwrap_or_default();
    let text = |name: &str| match item.get(name) {
        None => Ok(None),
        Some(node) => {
            node.as_str().map(Some).ok_or_else(|| (node.span.start, format!("`{name}` is a text")))
        }
    };
    let known = |fields: &[&str]| {
        let is_other =
            |entry: &&Entry| &*entry.key.text != "to" && !fields.contains(&&*entry.key.text);
        match entries.iter().find(is_other) {
            None => Ok(()),
            Some(entry) => {
                let fields: Vec<String> =
                    [&["to"], fields].concat().iter().map(|name| format!("`{name}`")).collect();
                Err((entry.key.span.start, format!("the fields here are {}", fields.join(" and "))))
            }
        }
    };
    let path = |what: Option<&str>| match what.map(Path::new) {
        Some(path) if path.is_absolute() => Ok(path.to_owned()),
        _ => Err((start, "`path` is needed here, from the root on".to_owned())),
    };
    match text("to")? {
        Some("stdout") => known(&[]).map(|()| Target::Stdout),
        Some("syslog") => {
            known(&["path"])?;
            path(text("path")?.or(Some(SYSLOG))).map(Target::Syslog)
        }
        Some("otlp_file") => {
            known(&["path"])?;
            path(text("path")?).map(Target::OtlpFile)
        }
        Some("http") => {
            known(&["url", "token_env"])?;
            let url = text("url")?.ok_or_else(|| (start, "`url` is needed here".to_owned()))?;
            http::check(url).map_err(|message| (start, message.to_owned()))?;
            let token_env = text("token_env")?.map(str::to_owned);
            Ok(Target::Http { url: url.to_owned(), token_env })
        }
        _ => Err((start, "`to` is one of `syslog`, `otlp_file`, `http` and `stdout`".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: Result<&[Target], &str>) {
        let found = in_text("audit.yaml", text).map_err(|error| error.to_string());
        assert_eq!(found.as_deref().map_err(String::as_str), expect, "{text}");
    }

    #[test]
    fn targets_are_read_and_mistakes_have_a_place() {
        let otlp = Target::OtlpFile("/var/log/b.jsonl".into());
        let both = [Target::Syslog(SYSLOG.into()), otlp];
        check(
            "forward:\n  - to: syslog\n  - { to: otlp_file, path: /var/log/b.jsonl }\n",
            Ok(&both),
        );
        check("forward: []\n", Ok(&[]));
        check("forwards: []\n", Err("audit.yaml:1:1: the only field here is `forward`"));
        check("forward: syslog\n", Err("audit.yaml:1:10: `forward` is a list"));
        let unknown = "audit.yaml:2:5: `to` is one of `syslog`, `otlp_file`, `http` and `stdout`";
        check("forward:\n  - to: kafka\n", Err(unknown));
        check(
            "forward:\n  - to: stdout\n    url: x\n",
            Err("audit.yaml:3:5: the fields here are `to`"),
        );
        let http = Target::Http { url: "https://example.com".into(), token_env: Some("T".into()) };
        check("forward:\n  - { to: http, url: https://example.com, token_env: T }\n", Ok(&[http]));
        let open = "audit.yaml:2:5: the log is sent by `https`, and by `http` only to this machine";
        check("forward:\n  - to: http\n    url: http://example.com\n", Err(open));
        let relative = "audit.yaml:2:5: `path` is needed here, from the root on";
        check("forward:\n  - to: otlp_file\n    path: b.jsonl\n", Err(relative));
    }
}
