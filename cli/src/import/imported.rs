//! The files that are imported, and what there is to say about them.

use std::sync::Arc;

use behavior_compiler::source::{FileId, Source, Span};
use behavior_compiler::syntax::{Format, Node, decode_utf8, parse};
use behavior_compiler::{ReadError, Severity, SourceMap, SourceProvider};

use super::action::Action;
use crate::project;
use crate::render::one_line;
use crate::terminal::{BLUE, BOLD, Failure, RED, Terminal, YELLOW, paint};

/// How a thing that the source says came over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
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
    pub(super) sources: SourceMap,
    files: Vec<FileId>,
    remarks: Vec<(Span, Level, String)>,
}

impl Import {
    fn remark(&mut self, span: Span, level: Level, message: impl Into<String>) {
        self.remarks.push((span, level, message.into()));
    }

    /// The source is wrong; nothing is written.
    pub(super) fn invalid(&mut self, span: Span, message: impl Into<String>) {
        self.remark(span, Level::Invalid, message);
    }

    /// A call that the source stops would not be stopped; without the user's word, nothing is written.
    pub(super) fn looser(&mut self, span: Span, message: impl Into<String>) {
        self.remark(span, Level::Looser, message);
    }

    /// What a rule says is left out: an allowance is only missed, anything else would be looser.
    pub(super) fn left_out(&mut self, span: Span, action: Action, message: impl Into<String>) {
        match action {
            Action::Allow => self.lost(span, message),
            Action::Ask | Action::Deny => self.looser(span, message),
        }
    }

    /// Something is left out.
    pub(super) fn lost(&mut self, span: Span, message: impl Into<String>) {
        self.remark(span, Level::Lost, message);
    }

    /// Something means slightly different things here and there.
    pub(super) fn near(&mut self, span: Span, message: impl Into<String>) {
        self.remark(span, Level::Near, message);
    }

    /// Something that is good to know.
    pub(super) fn note(&mut self, span: Span, message: impl Into<String>) {
        self.remark(span, Level::Note, message);
    }

    pub(super) fn count(&self, level: Level) -> usize {
        self.remarks.iter().filter(|(_, of, _)| *of == level).count()
    }

    /// Reads a file; what is wrong with it becomes a remark.
    pub(super) fn load(&mut self, name: &str) -> Result<(), Failure> {
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
    pub(super) fn texts(&self) -> Vec<(FileId, Arc<Source>)> {
        let text = |&id| Some((id, Arc::clone(self.sources.get(id)?)));
        self.files.iter().filter_map(text).collect()
    }

    /// The trees of files in a data format. One that does not parse gives none.
    pub(super) fn trees(&mut self, format: Format) -> Vec<Node> {
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
    pub(super) fn report(&mut self, terminal: &Terminal) -> String {
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
