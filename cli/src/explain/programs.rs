//! `behavior explain programs`: what is known of programs and of what they destroy, entry by entry, with where each
//! comes from. Counts what stands in the data of the standard library and of the configs that are named; decides nothing.

use behavior_compiler::source::FileId;
use behavior_compiler::syntax::{self, Comment, Format, Node, decode_utf8};
use behavior_json::plain::escaped;
use serde::Serialize;

use crate::args::{ExplainArgs, PlainFormat};
use crate::project;
use crate::screen::{Screen, blanks, wrap};
use crate::terminal::{BOLD, DIM, Exit, Failure, Terminal};

/// What is asked for under this name.
pub const NAME: &str = "programs";

/// What is known.
#[derive(Debug, Default, Serialize)]
struct Coverage {
    version: u32,
    programs: Programs,
    classes: Vec<Class>,
}

/// How much is known of programs.
#[derive(Debug, Default, Serialize)]
struct Programs {
    /// Programs, by all their names.
    names: usize,
    /// Their subcommands.
    subcommands: usize,
    /// Those that run others, or code that is read.
    run_others: usize,
    /// Those of which it is known which files they touch.
    touch_files: usize,
}

/// A class of commands.
#[derive(Debug, Serialize)]
struct Class {
    name: String,
    /// The names of programs in it.
    programs: usize,
    entries: Vec<Entry>,
}

/// An entry of a class.
#[derive(Debug, Serialize)]
struct Entry {
    programs: Vec<String>,
    subcommands: Vec<String>,
    /// What the file says of it and those around it, most often where the facts come from.
    source: Option<String>,
    /// The config that adds it; none for what is built in.
    file: Option<String>,
}

/// Prints the coverage.
///
/// # Errors
/// When a config that is named cannot be read, or nothing can be printed.
pub fn run(args: &ExplainArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut coverage = Coverage { version: 1, ..Coverage::default() };
    for name in ["programs.yaml", "files.yaml", "classes.yaml"] {
        coverage.add(behavior_stdlib::file(name).unwrap_or_default(), Format::Yaml, None);
    }
    let found = match args.rules.config.is_empty() {
        true => project::discover().into_iter().collect(),
        false => args.rules.config.clone(),
    };
    for name in found {
        let bytes = project::read_once(&name)
            .map_err(|error| Failure::Message(format!("{name}: {}", project::describe(&error))))?;
        let format = match name.rsplit('.').next() {
            Some("toml") => Format::Toml,
            Some("json") => Format::Json,
            _ => Format::Yaml,
        };
        // An image holds what it was compiled from no more.
        if let Ok(text) = decode_utf8(FileId(0), &name, &bytes) {
            coverage.add(&text, format, Some(&name));
        }
    }
    match args.format {
        PlainFormat::Json => {
            let text = serde_json::to_string_pretty(&coverage).unwrap_or_default();
            terminal.print(&escaped(&format!("{text}\n")))?;
        }
        PlainFormat::Pretty => {
            terminal.print(&coverage.print(&Screen::of_stdout(terminal), terminal.verbose))?;
        }
    }
    Ok(Exit::Clean)
}

impl Coverage {
    fn add(&mut self, text: &str, format: Format, file: Option<&str>) {
        let parsed = syntax::parse(FileId(0), text, format);
        for entry in parsed.root.get("programs").and_then(Node::entries).unwrap_or_default() {
            self.programs.add(&entry.key.text, &entry.value);
        }
        let classes = parsed.root.get("command_classes").and_then(Node::entries);
        for class in classes.unwrap_or_default() {
            let items = class.value.items().unwrap_or_default();
            let made = items.iter().map(|item| Entry::of(item, text, &parsed.comments, file));
            let known = self.classes.iter_mut().find(|known| known.name == *class.key.text);
            match known {
                Some(known) => known.entries.extend(made),
                None => self.classes.push(Class {
                    name: class.key.text.to_string(),
                    programs: 0,
                    entries: made.collect(),
                }),
            }
        }
        for class in &mut self.classes {
            let mut names: Vec<&str> = class
                .entries
                .iter()
                .flat_map(|entry| &entry.programs)
                .map(String::as_str)
                .collect();
            names.sort_unstable();
            names.dedup();
            class.programs = names.len();
        }
    }

    fn print(&self, screen: &Screen, is_verbose: bool) -> String {
        const INDENT: usize = 4;
        let Programs { names, subcommands, run_others, touch_files } = self.programs;
        let mut out = format!(
            "{names} programs and {subcommands} subcommands are known: {run_others} run others or code, of \
             {touch_files} it is known which files they touch. `programs` in a config adds to them.\n\n"
        );
        for class in &self.classes {
            screen.paint(&mut out, BOLD, &class.name);
            let count = class.entries.len();
            out.push_str(&format!("  {count} entries, {} programs\n", class.programs));
            // All of them are long, and most people ask about what destroys.
            if !class.name.starts_with("destructive") && !is_verbose {
                continue;
            }
            let mut source = None;
            for entry in &class.entries {
                if entry.source != source {
                    source.clone_from(&entry.source);
                    if let Some(source) = &source {
                        out.push_str("  ");
                        screen.paint(&mut out, DIM, source);
                        out.push('\n');
                    }
                }
                let line = entry.line();
                for line in wrap(&line, screen.width.saturating_sub(INDENT)) {
                    blanks(&mut out, INDENT);
                    out.push_str(&line);
                    out.push('\n');
                }
            }
        }
        out
    }
}

impl Programs {
    fn add(&mut self, name: &str, value: &Node) {
        const RUNS: [&str; 9] = [
            "runs", "lines", "commands", "language", "escapes", "script", "input", "entry",
            "settings",
        ];
        let also = value.get("also").and_then(Node::items).map_or(0, <[Node]>::len);
        let has = |keys: &[&str]| keys.iter().any(|key| value.get(key).is_some());
        if value.get("touches").is_some() {
            self.touch_files += 1;
            // The rest of it stands among the programs.
            if !has(&RUNS) && value.entries().is_some_and(|entries| entries.len() == 1) {
                return;
            }
        }
        match name.contains(' ') {
            true => self.subcommands += 1 + also,
            false => self.names += 1 + also,
        }
        self.run_others += usize::from(has(&RUNS));
    }
}

impl Entry {
    fn of(node: &Node, text: &str, comments: &[Comment], file: Option<&str>) -> Self {
        let pattern = node.as_str().unwrap_or_default();
        let programs = match node.get("program") {
            Some(programs) => texts(programs),
            None => pattern.split_whitespace().take(1).map(str::to_owned).collect(),
        };
        let subcommands = match node.get("subcommand") {
            Some(subcommands) => texts(subcommands),
            None => pattern.split_once(' ').map(|(_, rest)| rest.to_owned()).into_iter().collect(),
        };
        let before = comments.iter().rev().find(|comment| comment.span.start < node.span.start);
        // A comment within the entries before is theirs.
        let source = before.filter(|comment| {
            let line = text.get(..comment.span.start as usize).unwrap_or_default();
            line.rsplit('\n').next().is_some_and(|line| line.trim().is_empty())
        });
        let source = source.map(|comment| comment.text.trim_matches([' ', '-']).to_owned());
        Self { programs, subcommands, source, file: file.map(str::to_owned) }
    }

    fn line(&self) -> String {
        let mut line = match self.programs.is_empty() {
            true => "any program".to_owned(),
            false => self.programs.join(", "),
        };
        if !self.subcommands.is_empty() {
            line = format!("{line}: {}", self.subcommands.join(", "));
        }
        match &self.file {
            Some(file) => format!("{line}  ({file})"),
            None => line,
        }
    }
}

fn texts(node: &Node) -> Vec<String> {
    match node.as_str() {
        Some(text) => vec![text.to_owned()],
        None => {
            let items = node.items().unwrap_or_default().iter();
            items.filter_map(Node::as_str).map(str::to_owned).collect()
        }
    }
}
