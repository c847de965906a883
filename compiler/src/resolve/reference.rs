//! `{{behavior.X}}`, `{{prompt.X}}` and `{{secret.X}}`.

use super::Resolver;
use crate::decode::did_you_mean;
use crate::diagnostic::{Applicability, Diagnostic, Severity};
use crate::registry::diagnostics as d;
use crate::source::Span;
use crate::syntax::{Kind, Node};

/// A reference: its namespace and name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Reference<'t> {
    pub namespace: &'t str,
    pub name: &'t str,
}

/// The reference that a text consists of.
pub(crate) fn parse(text: &str) -> Option<Reference<'_>> {
    let inner = inside(text)?;
    let (namespace, name) = inner.split_once('.')?;
    Some(Reference { namespace: namespace.trim(), name: name.trim() })
}

/// What stands in the doubled braces that a text consists of.
fn inside(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix("{{")?.strip_suffix("}}")?.trim();
    (!inner.contains("{{")).then_some(inner)
}

/// The reference to a prompt that was meant by another text in doubled braces.
fn meant_prompt(text: &str) -> Option<String> {
    let inner = inside(text)?;
    let name = ["prompts", "prompt"].iter().find_map(|folder| inner.strip_prefix(folder))?;
    let name = name.trim_start_matches(['.', ':', '/', ' ']);
    let name = name.strip_suffix(".md").unwrap_or(name);
    is_plain_name(name).then(|| format!("{{{{prompt.{name}}}}}"))
}

/// The name of a profile, however it is referred to.
pub(crate) fn profile_name(text: &str) -> &str {
    parse(text).map_or(text, |reference| reference.name)
}

/// The directory of a file, with its slash; empty for a file beside the working directory.
pub(super) fn directory(file: &str) -> &str {
    file.rfind('/').and_then(|slash| file.get(..=slash)).unwrap_or_default()
}

/// The root of the project that a rule file belongs to: a profile stands one folder below.
pub(crate) fn project_root(file: &str) -> &str {
    let directory = directory(file);
    match directory.strip_suffix("behavior/") {
        Some(root) if root.is_empty() || root.ends_with('/') => root,
        _ => directory,
    }
}

/// Names that could be a path out of the project are no names.
pub(crate) fn is_plain_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\', '\0'])
}

impl Resolver<'_> {
    /// The text that a value stands for: itself, or that of the prompt file it refers to.
    pub(super) fn prompt_text(&mut self, text: &str, span: Span) -> Option<Box<str>> {
        let reference = match parse(text) {
            Some(reference) => reference,
            None if inside(text).is_some() => Reference { namespace: "", name: "" },
            None => {
                self.check_alone(text, span);
                return Some(text.into());
            }
        };
        let is_file = reference.name.ends_with(".md");
        if reference.namespace != "prompt" || !is_plain_name(reference.name) || is_file {
            self.report_no_prompt(text, span);
            return None;
        }
        let root = self.root_of(span);
        let path = format!("{root}prompts/{}.md", reference.name);
        if !self.exists(&format!("{root}prompts"), &format!("{}.md", reference.name), &path) {
            let message = format!("there is no prompt file `{path}`");
            let names = self.names_in(&format!("{root}prompts"), ".md");
            let names = names.iter().map(String::as_str);
            let report = Diagnostic::new(&d::UNKNOWN_REFERENCE, span, message);
            let mut report = did_you_mean(report, reference.name, names, "prompt files");
            let place = self.place_in(reference.name, span);
            for edit in report.fixes.iter_mut().flat_map(|fix| &mut fix.edits) {
                edit.span = place;
            }
            self.report(report);
            return None;
        }
        let file = self.text(&path, Some(span))?;
        self.sources.get(file).map(|source| source.text.trim_end().into())
    }

    /// The file of a project's profile.
    pub(super) fn profile_path(&self, name: &str, from: &str) -> Option<String> {
        let name = profile_name(name);
        let root = project_root(from);
        let path = format!("{root}behavior/{name}.yaml");
        let is_there = is_plain_name(name)
            && self.exists(&format!("{root}behavior"), &format!("{name}.yaml"), &path);
        is_there.then_some(path)
    }

    fn exists(&self, directory: &str, name: &str, path: &str) -> bool {
        self.provider.list(directory).iter().any(|entry| entry == name)
            || self.provider.read(path).is_ok()
    }

    /// The names of a project's profiles.
    pub(super) fn profile_names(&self, from: &str) -> Vec<String> {
        self.names_in(&format!("{}behavior", project_root(from)), ".yaml")
    }

    fn names_in(&self, directory: &str, ending: &str) -> Vec<String> {
        let mut names: Vec<String> = self
            .provider
            .list(directory)
            .iter()
            .filter_map(|name| name.strip_suffix(ending))
            .filter(|name| !name.ends_with(".test") && !name.ends_with(".policy"))
            .filter(|name| *name != "agents")
            .map(str::to_owned)
            .collect();
        names.sort();
        names
    }

    fn root_of(&self, span: Span) -> String {
        self.sources
            .get(span.file)
            .map(|source| project_root(&source.name).to_owned())
            .unwrap_or_default()
    }

    /// Reports a prompt that a text names among other words: it stays as it is written.
    fn check_alone(&mut self, text: &str, span: Span) {
        if text.contains("{{prompt.") || text.contains("{{ prompt.") {
            let message = "a reference among other words is text: nothing is put in its place";
            let help = "let the reference be the whole value, and write the words into its file";
            let report = Diagnostic::new(&d::UNKNOWN_REFERENCE, span, message);
            self.report(report.severity(Severity::Warning).help(help));
        }
    }

    /// Where a part of a text stands.
    fn place_in(&self, part: &str, span: Span) -> Span {
        let Some(at) = self.sources.slice(span).find(part) else { return span };
        let start = span.start + at as u32;
        Span::new(span.file, start, start + part.len() as u32)
    }

    /// Reports doubled braces that lead to no prompt.
    fn report_no_prompt(&mut self, text: &str, span: Span) {
        let Some(meant) = meant_prompt(text) else {
            return self.report_reference(text, span, "only `{{prompt.NAME}}` can stand here");
        };
        let message = format!("`{}` cannot be resolved here", text.trim());
        let place = self.place_in(text.trim(), span);
        let report = Diagnostic::new(&d::UNKNOWN_REFERENCE, span, message);
        let report = report.help(format!("did you mean `{meant}`?"));
        self.report(report.replace(place, meant, Applicability::Unsafe));
    }

    fn report_reference(&mut self, text: &str, span: Span, help: &str) {
        let message = format!("`{}` cannot be resolved here", text.trim());
        self.report(Diagnostic::new(&d::UNKNOWN_REFERENCE, span, message).help(help));
    }

    /// Holds the references inside a brain against what there is. Secrets stay references.
    pub(super) fn check_references(&mut self, node: &Node) {
        match &node.kind {
            Kind::String(text) => self.check_reference(text, node.span),
            Kind::Seq(items) => items.iter().for_each(|item| self.check_references(item)),
            Kind::Map(entries) => {
                entries.iter().for_each(|entry| self.check_references(&entry.value));
            }
            _ => {}
        }
    }

    fn check_reference(&mut self, text: &str, span: Span) {
        let Some(reference) = parse(text) else { return };
        match reference.namespace {
            "secret" | "env" => {
                if !self.provider.has_secret(reference.name) {
                    let message =
                        format!("the environment variable `{}` is not set", reference.name);
                    self.report(
                        Diagnostic::new(&d::UNKNOWN_REFERENCE, span, message)
                            .severity(Severity::Info)
                            .help("the classifier needs it when it runs; the rules do not"),
                    );
                }
            }
            _ => self.report_reference(text, span, "only `{{secret.NAME}}` can stand here"),
        }
    }
}
