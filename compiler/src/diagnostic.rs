//! What the compiler has to say: one type for every problem, hint and lint, free of any output format.

use behavior_image::code::PermissionAction;

use crate::source::Span;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Good to know.
    Info,
    /// Probably a mistake; the rules still compile.
    Warning,
    /// Must be mended before the rules compile.
    Error,
}

impl Severity {
    /// The lower-case name, as printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A kind of problem, declared once in [`crate::registry::diagnostics`]. Its name is its identity.
#[derive(Debug)]
pub struct DiagnosticKind {
    /// Kebab-case, stable: `unknown-field`.
    pub name: &'static str,
    /// The severity unless a report says otherwise.
    pub severity: Severity,
    /// What it means, why it matters and what to do: Markdown, the first line a summary.
    pub docs: &'static str,
    /// Short files that get it; none where no readable text does.
    pub examples: &'static [Example],
}

/// A short rule file that gets a diagnostic, and what to write instead.
#[derive(Debug)]
pub struct Example {
    /// What the file is called, from the project's folder. Its name says what kind of file it is.
    pub file: &'static str,
    /// The options of `behavior check` that it takes: `--agent codex`. Mostly empty.
    pub options: &'static str,
    /// The file, as it stands in a doc comment: each line with a blank before it.
    pub(crate) wrong: &'static str,
    /// The mended file, likewise; empty where there is nothing to show.
    pub(crate) right: &'static str,
}

impl Example {
    /// The file that gets the diagnostic.
    #[must_use]
    pub fn wrong(&self) -> String {
        without_blank(self.wrong)
    }

    /// The file as it should be, which gets no diagnostic at all.
    #[must_use]
    pub fn right(&self) -> Option<String> {
        (!self.right.is_empty()).then(|| without_blank(self.right))
    }
}

/// The text of a doc comment without the blank before each of its lines.
fn without_blank(text: &str) -> String {
    text.lines().flat_map(|line| [line.strip_prefix(' ').unwrap_or(line), "\n"]).collect()
}

/// One problem in one place.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// What kind of problem.
    pub kind: &'static DiagnosticKind,
    /// How bad it is here.
    pub severity: Severity,
    /// What is wrong: lower case, backticks around code, no full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// Other places that explain it.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Option<String>,
    /// Changes that would mend it.
    pub fixes: Vec<Fix>,
    /// What happens in a session that shows it.
    pub witness: Option<Box<Witness>>,
    /// Of a key that is unknown, the fields that it was meant to be: nobody misses them.
    pub stands_for: Vec<&'static str>,
}

/// A short session that shows a problem of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// What happens, in order; the last of it shows the problem.
    pub events: Vec<Happening>,
    /// The last of it, as one would type it.
    pub spelled: String,
    /// What was meant to come of it, though something else does.
    pub wanted: Wanted,
}

/// One thing that happens in a session that shows a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A tool is called.
    Call {
        /// The tool, by its normalised name.
        tool: String,
        /// Its parameters.
        params: Vec<(String, String)>,
        /// Whether a recording has a result of it.
        has_result: bool,
    },
    /// The agent writes a text.
    Text(String),
    /// The agent ends its response with a text.
    TurnEnd(String),
}

/// What was meant to come of what shows a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A policy says this of the call.
    Permission(PermissionAction),
    /// A rule fires, which does not.
    Fires {
        /// Its id.
        rule: String,
    },
    /// A rule that fires says this.
    Says {
        /// Its id.
        rule: String,
        /// What the agent is told.
        message: String,
    },
    /// A rule that fires does not.
    Passes {
        /// Its id.
        rule: String,
        /// The other rules that fire at each of the events.
        others: Vec<Vec<String>>,
    },
}

/// A place that helps to understand a problem, and what to see there.
#[derive(Clone, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// A change that mends a problem.
#[derive(Clone, Debug)]
pub struct Fix {
    /// What it does, as an instruction: `replace with `trigger``.
    pub message: String,
    /// Whether it can be applied without looking.
    pub applicability: Applicability,
    /// The edits, none overlapping.
    pub edits: Vec<Edit>,
}

/// Whether a fix keeps the author's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applicability {
    /// Certainly what was meant.
    Safe,
    /// Probably what was meant.
    Unsafe,
}

/// Replaces the text of a span.
#[derive(Clone, Debug)]
pub struct Edit {
    /// What is replaced; empty to insert.
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl Diagnostic {
    /// A problem of `kind` at `span`, as severe as its kind.
    pub fn new(kind: &'static DiagnosticKind, span: Span, message: impl Into<String>) -> Self {
        Self {
            kind,
            severity: kind.severity,
            message: message.into(),
            span,
            labels: Vec::new(),
            help: None,
            fixes: Vec::new(),
            witness: None,
            stands_for: Vec::new(),
        }
    }

    /// Says which fields an unknown key was meant to be.
    #[must_use]
    pub fn stands_for(mut self, fields: &[&'static str]) -> Self {
        self.stands_for.extend(fields);
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Shows it by a call.
    #[must_use]
    pub fn witness(mut self, witness: Option<Witness>) -> Self {
        self.witness = witness.map(Box::new);
        self
    }

    /// Points at another place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Offers to replace the text of `span`.
    #[must_use]
    pub fn replace(mut self, span: Span, text: impl Into<String>, sure: Applicability) -> Self {
        let text = text.into();
        let message = match &*text {
            "" => "delete this".to_owned(),
            text => format!("replace with `{text}`"),
        };
        self.fixes.push(Fix { message, applicability: sure, edits: vec![Edit { span, text }] });
        self
    }

    /// Gives each place that it speaks of another one.
    pub fn place(&mut self, place: impl Fn(Span) -> Span) {
        self.span = place(self.span);
        for label in &mut self.labels {
            label.span = place(label.span);
        }
        for edit in self.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
            edit.span = place(edit.span);
        }
    }

    /// All places that it speaks of.
    pub fn places(&self) -> impl Iterator<Item = Span> {
        let labels = self.labels.iter().map(|label| label.span);
        let edits = self.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
        std::iter::once(self.span).chain(labels).chain(edits)
    }

    /// Changes the severity of this one report.
    #[must_use]
    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }
}
