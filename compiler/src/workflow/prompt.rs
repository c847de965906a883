//! Prompts: texts, or references to files of texts.

use super::place::root_of;
use super::read::Reading;
use crate::decode::{Spanned, did_you_mean};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::nearest::closest;
use crate::registry::diagnostics as d;
use crate::resolve::reference;

/// What stands in a prompt for something that is known when the step runs.
pub const PLACEHOLDERS: [&str; 6] =
    ["input", "previous", "reason", "step", "iteration", "control_file"];

impl Reading<'_> {
    /// The text that a prompt stands for: itself, or that of the file it refers to. `file` is where it stands.
    pub fn prompt(&mut self, file: &str, prompt: &Spanned<Box<str>>) -> Option<String> {
        let Some(named) = reference::parse(&prompt.value) else {
            self.check_placeholders(prompt);
            return Some(prompt.value.to_string());
        };
        if named.namespace != "prompt" || !reference::is_plain_name(named.name) {
            let message = format!("`{}` cannot be resolved here", prompt.value.trim());
            self.report(
                Diagnostic::new(&d::UNKNOWN_REFERENCE, prompt.span, message)
                    .help("only `{{prompt.NAME}}` can stand here"),
            );
            return None;
        }
        let root = root_of(file);
        let path = format!("{root}prompts/{}.md", named.name);
        if !self.is_there(&path) {
            let names = self.provider.list(&format!("{root}prompts"));
            let names: Vec<&str> =
                names.iter().filter_map(|name| name.strip_suffix(".md")).collect();
            let message = format!("there is no prompt file `{path}`");
            let report = Diagnostic::new(&d::UNKNOWN_REFERENCE, prompt.span, message);
            let mut report = did_you_mean(report, named.name, names.into_iter(), "prompt files");
            report.fixes.clear();
            self.report(report);
            return None;
        }
        let text = self.text(&path)?;
        self.sources.get(text).map(|source| source.text.trim_end().to_owned())
    }

    /// Prompts may hold braces of their own. What stands in them and is nearly a placeholder was meant as one.
    fn check_placeholders(&mut self, prompt: &Spanned<Box<str>>) {
        for part in prompt.value.split('{').skip(1) {
            let Some((word, _)) = part.split_once('}') else { continue };
            let is_word =
                !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
            if !is_word || PLACEHOLDERS.contains(&word) {
                continue;
            }
            let Some(near) = closest(word, PLACEHOLDERS) else { continue };
            let message = format!("`{{{word}}}` stands for nothing in a prompt");
            let mut report =
                Diagnostic::new(&d::UNKNOWN_PLACEHOLDER_IN_PROMPT, prompt.span, message)
                    .help(format!("did you mean `{{{near}}}`?"));
            if let Some(span) = self.find(prompt.span, &format!("{{{word}}}")) {
                report.span = span;
                report = report.replace(span, format!("{{{near}}}"), Applicability::Unsafe);
            }
            self.report(report);
        }
    }

    /// Where a text stands inside of a span, if it does once and as it is.
    fn find(&self, span: crate::source::Span, text: &str) -> Option<crate::source::Span> {
        let slice = self.sources.slice(span);
        let at = slice.find(text).filter(|at| slice.rfind(text) == Some(*at))?;
        let start = span.start + u32::try_from(at).ok()?;
        let end = start + u32::try_from(text.len()).ok()?;
        Some(crate::source::Span::new(span.file, start, end))
    }
}
