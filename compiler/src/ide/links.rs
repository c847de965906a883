//! The files that a rule file names: profiles, prompts, quoted documents, schemas, what tests are about.

use super::names::profile_path;
use super::place::{CursorPlace, Meaning, alternatives};
use super::related::joined;
use super::{Project, RuleFile};
use crate::project::folder_of;
use crate::registry::schema::{NameKind, Shape};
use crate::resolve::{FileKind, reference};
use crate::source::Span;
use crate::syntax::{Kind, Node, locate};
use crate::template::{self, Part};

/// A file that is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Where.
    pub span: Span,
    /// The file.
    pub file: String,
}

/// Finds the files that a file names and that are there.
#[must_use]
pub fn links(project: Project<'_>, file: &RuleFile) -> Vec<Link> {
    if !file.is_rule_file() {
        return Vec::new();
    }
    let mut found = named(project, file);
    found.retain(|link| project.provider.read(&link.file).is_ok());
    found
}

/// The file that is named at an offset, be it there or not.
pub(super) fn link_at(project: Project<'_>, file: &RuleFile, offset: u32) -> Option<Link> {
    named(project, file).into_iter().find(|link| link.span.touches(offset))
}

fn named(project: Project<'_>, file: &RuleFile) -> Vec<Link> {
    let mut finder = Finder { project, file, found: Vec::new() };
    finder.node(file.config(), CursorPlace::root(file.kind), None);
    finder.found
}

struct Finder<'f> {
    project: Project<'f>,
    file: &'f RuleFile,
    found: Vec<Link>,
}

impl Finder<'_> {
    /// Trees are as deep as the parsers allow, which is little.
    fn node(&mut self, node: &Node, place: CursorPlace, field: Option<&str>) {
        match &node.kind {
            Kind::Map(entries) => {
                for entry in entries {
                    let Some((meaning, behind)) = place.key(&entry.key.text) else { continue };
                    let field = match meaning {
                        Meaning::Field(_, field) => Some(field.name),
                        _ => None,
                    };
                    self.node(&entry.value, behind, field);
                }
            }
            Kind::Seq(items) => {
                if let Some(place) = place.item() {
                    items.iter().for_each(|item| self.node(item, place, field));
                } else if self.is_tests_path(field) {
                    items.iter().for_each(|item| self.path(item));
                }
            }
            _ => self.scalar(node, place, field),
        }
    }

    fn scalar(&mut self, node: &Node, place: CursorPlace, field: Option<&str>) {
        let Some(text) = node.as_str().filter(|text| !text.is_empty()) else { return };
        let folder = folder_of(self.file.name());
        let CursorPlace::Shape(shape) = place else { return };
        if let Some(named) = reference::parse(text).filter(|named| named.namespace == "prompt") {
            let file = format!("{folder}prompts/{}.md", named.name);
            self.found.push(Link { span: node.span, file });
        } else if field == Some("turn_reminder") {
            self.found.push(Link { span: node.span, file: format!("{folder}{text}") });
        } else if self.is_tests_path(field) {
            self.path(node);
        }
        for shape in alternatives(shape) {
            match shape {
                Shape::Name(NameKind::Profile) => {
                    if let Some(file) = profile_path(text, self.file, self.project) {
                        self.found.push(Link { span: node.span, file });
                    }
                }
                Shape::Message => self.quoted(node, text, folder),
                _ => {}
            }
        }
    }

    /// The documents that a message quotes.
    fn quoted(&mut self, node: &Node, text: &str, folder: &str) {
        let (template, _) = template::split(text);
        for part in &template.parts {
            if let Part::Placeholder { name, argument: Some(argument), .. } = part
                && name.value == "file"
            {
                let span = locate(self.file.text(), node, argument.range.clone());
                self.found.push(Link { span, file: format!("{folder}{}", argument.value) });
            }
        }
    }

    /// Whether a field of a rule test holds paths from the test's folder.
    fn is_tests_path(&self, field: Option<&str>) -> bool {
        self.file.kind == FileKind::RuleTests
            && matches!(field, Some("config" | "trace" | "snapshot"))
    }

    fn path(&mut self, node: &Node) {
        let Some(text) = node.as_str() else { return };
        let directory = self.file.name().rfind('/').and_then(|at| self.file.name().get(..=at));
        let file = joined(directory.unwrap_or_default(), text);
        self.found.push(Link { span: node.span, file });
    }
}
