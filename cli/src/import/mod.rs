//! `behavior import`: rules of other tools, written as ours, with a line for each thing that cannot
//! be. What a source means is decided here by its own tool's rules, never guessed: what has no
//! equal is listed, and an allowance never grows in silence.

mod claude_settings;
mod codex_rules;
mod command;
mod gemini_policy;
mod hookify;
mod opencode;
mod policy;
mod safety_net;
mod starlark;
mod wildcards;

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use behavior_compiler::source::{FileId, Source, Span};
use behavior_compiler::syntax::{Format, Node, decode_utf8, parse};
use behavior_compiler::{ReadError, Severity, SourceMap, SourceProvider};

use crate::args::{ImportArgs, ImportFormat, Tier};
use crate::render::one_line;
use crate::report::counted;
use crate::terminal::{BLUE, BOLD, Exit, Failure, RED, Terminal, YELLOW, paint};
use crate::{compile, project};

/// How a thing that the source says came over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    /// The source is not one that its own tool would load.
    Invalid,
    /// A call that the source stops would run.
    Looser,
    /// It is left out.
    Lost,
    /// It is there, and means something slightly different.
    Near,
    /// It is good to know, and nothing is missing.
    Note,
}

impl Level {
    fn name(self) -> &'static str {
        match self {
            Level::Invalid => "error",
            Level::Looser => "error: looser",
            Level::Lost => "not carried over",
            Level::Near => "approximate",
            Level::Note => "note",
        }
    }
}

/// The files that are imported, and what there is to say about them.
#[derive(Debug, Default)]
pub(crate) struct Import {
    sources: SourceMap,
    files: Vec<FileId>,
    remarks: Vec<(Span, Level, String)>,
}

impl Import {
    fn remark(&mut self, span: Span, level: Level, message: impl Into<String>) {
        self.remarks.push((span, level, message.into()));
    }

    /// The source is wrong; nothing is written.
    fn invalid(&mut self, span: Span, message: impl Into<String>) {
        self.remark(span, Level::Invalid, message);
    }

    /// A call that the source stops would not be stopped; without the user's word, nothing is written.
    fn looser(&mut self, span: Span, message: impl Into<String>) {
        self.remark(span, Level::Looser, message);
    }

    /// What a rule says is left out: an allowance is only missed, anything else would be looser.
    fn left_out(&mut self, span: Span, action: policy::Action, message: impl Into<String>) {
        match action {
            policy::Action::Allow => self.lost(span, message),
            policy::Action::Ask | policy::Action::Deny => self.looser(span, message),
        }
    }

    /// Something is left out.
    fn lost(&mut self, span: Span, message: impl Into<String>) {
        self.remark(span, Level::Lost, message);
    }

    /// Something means slightly different things here and there.
    fn near(&mut self, span: Span, message: impl Into<String>) {
        self.remark(span, Level::Near, message);
    }

    /// Something that is good to know.
    fn note(&mut self, span: Span, message: impl Into<String>) {
        self.remark(span, Level::Note, message);
    }

    fn count(&self, level: Level) -> usize {
        self.remarks.iter().filter(|(_, of, _)| *of == level).count()
    }

    /// Reads a file; what is wrong with it becomes a remark.
    fn load(&mut self, name: &str) -> Result<(), Failure> {
        let cannot = |reason: &str| Failure::Message(format!("cannot read `{name}`: {reason}"));
        let bytes = project::Disk.read(name).map_err(|error| match error {
            ReadError::NotFound => cannot("there is no such file"),
            ReadError::Failed(reason) => cannot(&reason),
        })?;
        let id = self.sources.next_id();
        match decode_utf8(id, name, &bytes) {
            Ok(text) if text.trim().is_empty() => {
                self.sources.add(name, text);
                self.invalid(Span::new(id, 0, 0), "the file is empty");
            }
            Ok(text) => self.files.push(self.sources.add(name, text)),
            Err(problem) => {
                self.sources.add(name, problem.text);
                self.invalid(problem.diagnostic.span, problem.diagnostic.message);
            }
        }
        Ok(())
    }

    /// The files that could be read.
    fn texts(&self) -> Vec<(FileId, Arc<Source>)> {
        let text = |&id| Some((id, Arc::clone(self.sources.get(id)?)));
        self.files.iter().filter_map(text).collect()
    }

    /// The trees of files in a data format. One that does not parse gives none.
    fn trees(&mut self, format: Format) -> Vec<Node> {
        let mut trees = Vec::new();
        for (id, source) in self.texts() {
            let parsed = parse(id, &source.text, format);
            let is_broken = parsed.diagnostics.iter().any(|d| d.severity == Severity::Error);
            for problem in parsed.diagnostics {
                if problem.severity == Severity::Error {
                    self.invalid(problem.span, problem.message);
                }
            }
            if !is_broken {
                trees.push(parsed.root);
            }
        }
        trees
    }

    /// What there is to say, a line each, by file and place.
    fn report(&mut self, terminal: &Terminal) -> String {
        // Several remarks on one place stay in the order in which they were made.
        self.remarks.sort_by_key(|(span, ..)| (span.file, span.start));
        let mut out = String::new();
        let mut cursor = Cursor::default();
        for (span, level, message) in &self.remarks {
            let Some(source) = self.sources.get(span.file) else { continue };
            cursor.move_to(span.file, &source.text, span.start as usize);
            if terminal.quiet && *level == Level::Note {
                continue;
            }
            let place = format!("{}:{}:{}", one_line(&source.name), cursor.line, cursor.column);
            let style = match level {
                Level::Invalid | Level::Looser | Level::Lost => RED,
                Level::Near => YELLOW,
                Level::Note => BLUE,
            };
            out += &format!(
                "{}: {}: {}\n",
                paint(terminal.error_color, BOLD, &place),
                paint(terminal.error_color, style, level.name()),
                one_line(message)
            );
        }
        out
    }
}

/// A place that only moves on, so that many remarks on one long line take no longer than the line.
struct Cursor {
    file: Option<FileId>,
    offset: usize,
    line: usize,
    column: usize,
}

impl Default for Cursor {
    fn default() -> Self {
        Self { file: None, offset: 0, line: 1, column: 1 }
    }
}

impl Cursor {
    fn move_to(&mut self, file: FileId, text: &str, offset: usize) {
        if self.file != Some(file) {
            *self = Self { file: Some(file), ..Self::default() };
        }
        let offset = text.floor_char_boundary(offset);
        for character in text.get(self.offset..offset).unwrap_or_default().chars() {
            match character {
                '\n' => (self.line, self.column) = (self.line + 1, 1),
                _ => self.column += 1,
            }
        }
        self.offset = offset;
    }
}

/// Rules in our language.
struct Rules {
    text: String,
    count: usize,
}

/// Runs the command.
///
/// # Errors
/// When a source cannot be read or is not valid, or the output cannot be written.
pub fn run(args: &ImportArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    refuse_own_source(args)?;
    refuse_existing(args)?;
    let mut import = Import::default();
    for file in &args.files {
        import.load(file)?;
    }
    let rules = match policy_reader(args.format) {
        Some(read) => {
            let mut policy = read(&mut import);
            policy.priority = args.tier.map(Tier::priority);
            policy.write(&import)
        }
        None => hookify::import(&mut import),
    };
    terminal.say(&import.report(terminal));
    if import.count(Level::Invalid) > 0 {
        return Err(Failure::Said(Exit::Invalid));
    }
    let looser = import.count(Level::Looser);
    if looser > 0 && !args.allow_looser {
        return Err(Failure::Message(format!(
            "nothing is written: {} would let through what the source stops; write a rule of your own \
             for each, and import the rest with `--allow-looser`",
            counted(looser, "rule")
        )));
    }
    // A project that has no rules yet has no folder for them; that it cannot be made, writing says.
    let _ = Path::new(&args.output).parent().map(std::fs::create_dir_all);
    compile::write_output(&args.output, rules.text.as_bytes(), terminal)?;
    if !terminal.quiet {
        terminal.say(&summary(&import, &rules, &args.output));
    }
    let missing = looser + import.count(Level::Lost) + import.count(Level::Near);
    Ok(if missing > 0 { Exit::Findings } else { Exit::Clean })
}

/// What makes a policy of files of a format; `None` where they become rules of a config.
fn policy_reader(format: ImportFormat) -> Option<fn(&mut Import) -> policy::Policy> {
    Some(match format {
        ImportFormat::ClaudeSettings => claude_settings::import,
        ImportFormat::GeminiPolicy => gemini_policy::import,
        ImportFormat::CodexRules => codex_rules::import,
        ImportFormat::Opencode => opencode::import,
        ImportFormat::SafetyNet => safety_net::import,
        ImportFormat::Hookify => return None,
    })
}

/// Rules in place of their source could not be made again.
fn refuse_own_source(args: &ImportArgs) -> Result<(), Failure> {
    let full = |path: &str| Path::new(path).canonicalize().ok();
    let Some(output) = full(&args.output).filter(|_| args.output != "-") else { return Ok(()) };
    match args.files.iter().find(|file| full(file).as_ref() == Some(&output)) {
        Some(file) => Err(Failure::Message(format!(
            "`{file}` is what is imported, and the rules would take its place"
        ))),
        None => Ok(()),
    }
}

/// What is in a file may have been written by hand, and would be gone.
fn refuse_existing(args: &ImportArgs) -> Result<(), Failure> {
    let output = Path::new(&args.output);
    // A device or a pipe takes what is written and keeps nothing.
    let is_file = args.output != "-" && output.is_file();
    if !is_file || args.force {
        return Ok(());
    }
    Err(Failure::Message(format!(
        "`{}` is there already: write to another file, or over it with `--force`",
        args.output
    )))
}

fn summary(import: &Import, rules: &Rules, output: &str) -> String {
    let output = if output == "-" { "standard output" } else { output };
    let mut line = format!("wrote {output}: {}", counted(rules.count, "rule"));
    let rest = [
        (Level::Looser, "looser"),
        (Level::Lost, "not carried over"),
        (Level::Near, "approximate"),
    ];
    for (level, words) in rest {
        let count = import.count(level);
        if count > 0 {
            line += &format!(", {count} {words}");
        }
    }
    line + "\n"
}

/// The files of an import, for the head of what is written.
fn heading(import: &Import, kind: &str, from: &str) -> String {
    let names: Vec<String> = import.sources.iter().map(|(_, file)| one_line(&file.name)).collect();
    format!("# behavior: {kind}\n#\n# Imported from {from}: {}\n", names.join(", "))
}

/// A name for a rule, out of what it is about: letters, digits and `_`.
fn slug(text: &str) -> String {
    const MAX_LENGTH: usize = 48;
    let mut out = String::new();
    for character in text.chars().take(4 * MAX_LENGTH) {
        if character.is_ascii_alphanumeric() {
            out.push(character.to_ascii_lowercase());
        } else if !out.ends_with('_') && !out.is_empty() {
            out.push('_');
        }
        if out.len() == MAX_LENGTH {
            break;
        }
    }
    out.truncate(out.trim_end_matches('_').len());
    out
}

/// The names of rules, each of which is there once.
#[derive(Debug, Default)]
struct Names {
    taken: HashSet<String>,
    /// The number at which the last name of a kind ended.
    numbers: HashMap<String, u32>,
}

impl Names {
    /// The name, with a number behind it where it is taken.
    fn unique(&mut self, name: &str) -> String {
        let mut candidate = name.to_owned();
        while !self.taken.insert(candidate.clone()) {
            let number = self.numbers.entry(name.to_owned()).or_insert(1);
            *number += 1;
            candidate = format!("{name}_{number}");
        }
        candidate
    }

    fn len(&self) -> usize {
        self.taken.len()
    }
}
