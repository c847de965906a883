//! What can be written at a place: by the shape that the registry gives it.

use super::braces;
use super::describe;
use super::expression::{self, Next};
use super::hover::name_kind;
use super::names::{Surroundings, text};
use super::patterns::{self, Next as NextOfPattern};
use super::place::{CursorPlace, alternatives};
use super::siblings;
use super::tables;
use std::collections::BTreeSet;

use super::{Project, RuleFile};
use crate::conditions::{ALL, COMPOSITES};
use crate::decode::Decode;
use crate::parameters;
use crate::registry::schema::{Field, NameKind, Shape};
use crate::resolve::FileKind;
use crate::resolve::switches::{SETTINGS, THRESHOLDS};
use crate::syntax::cursor::{Cursor, Site, Step};
use crate::syntax::{Format, cursor_in_yaml};
use crate::template::{self, Placeholder};
use crate::trace_policy::Parameters;

/// Something that can be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What it is called in a list.
    pub label: String,
    /// What kind of thing it is.
    pub kind: CompletionKind,
    /// What it may be or is, in a few words.
    pub detail: String,
    /// The explanation, in Markdown.
    pub markdown: String,
    /// The bytes that it replaces; they hold what is written of it so far.
    pub start: u32,
    /// Behind the last of those bytes.
    pub end: u32,
    /// What is typed of it: the text from `start` to the cursor has letters of this, in their order.
    pub filter: String,
    /// What it puts there, in one line.
    pub insert: String,
    /// The same with places to fill in, as editors know them (`$1`, `${1|a,b|}`), where there are.
    pub snippet: Option<String>,
}

/// What kind of thing a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// A key of a record.
    Field,
    /// A word that a value may be.
    Value,
    /// A condition.
    Condition,
    /// A declared name, or one of a parameter or tool.
    Name,
    /// A preset or profile.
    Profile,
    /// A placeholder of a message.
    Placeholder,
    /// A built-in rule, threshold or setting.
    Switch,
}

/// What can be written at a byte offset of a rule file, the most useful first.
#[must_use]
pub fn complete(file: &RuleFile, project: Project<'_>, offset: u32) -> Vec<Completion> {
    let find = if file.format == Format::Toml { tables::find } else { cursor_in_yaml };
    if let Some(open) = braces::open(file.text(), offset as usize) {
        let at_braces = find(file.text(), open.start);
        let path = at_braces.map(|cursor| cursor.path).unwrap_or_default();
        let place = place_of(file, &path);
        let surroundings = Surroundings::new(file, project);
        let found = braces::complete(&open, &path, place, file, &surroundings);
        if !found.is_empty() {
            return found;
        }
    }
    let found = find(file.text(), offset as usize);
    let place = found.as_ref().and_then(|cursor| place_of(file, &cursor.path));
    let (Some(cursor), Some(place)) = (found, place) else { return Vec::new() };
    let surroundings = Surroundings::new(file, project);
    let mut list = List::new(file, &surroundings, &cursor, offset);
    match &cursor.site {
        Site::Key { others } => {
            list.keys(place, others);
            if let Some(item) = list_above(file, &cursor, place) {
                list.prefix = "- ";
                list.keys(item, &[]);
            }
        }
        Site::Dash => {
            list.prefix = "- ";
            list.fresh(place);
        }
        Site::Fresh => list.fresh(place),
        Site::Header => list.headers(),
        Site::Inline { .. } => list.values(place),
    }
    list.found
}

/// What the items are of a list that may begin where a key may: right below the key that it belongs to, which
/// has no value yet.
fn list_above(file: &RuleFile, cursor: &Cursor, place: CursorPlace) -> Option<CursorPlace> {
    let before = file.text().get(..cursor.start)?;
    let (above, line) = before.rsplit_once('\n')?;
    let above = above.trim_end().rsplit('\n').next()?;
    let key = above.trim_start_matches(' ').strip_suffix(':')?;
    let is_beside = above.len() - above.trim_start_matches(' ').len() == line.len();
    let is_empty = line.trim().is_empty() && is_beside && file.format == Format::Yaml;
    place.key(key).filter(|_| is_empty).and_then(|(_, behind)| behind.item())
}

/// What is expected at the end of a path.
fn place_of(file: &RuleFile, path: &[Step]) -> Option<CursorPlace> {
    let path = config_path(file, path)?;
    path.iter().try_fold(CursorPlace::root(file.kind), |place, step| match step {
        Step::Key(key) => place.key(key).map(|(_, place)| place),
        Step::Item => place.item(),
    })
}

/// The part of a path that is inside of the behaviour config.
fn config_path<'p>(file: &RuleFile, path: &'p [Step]) -> Option<&'p [Step]> {
    let is = |step: Option<&Step>, name: &str| matches!(step, Some(Step::Key(key)) if key == name);
    let at = (0..path.len())
        .find(|&at| is(path.get(at), "security") && is(path.get(at + 1), "behavior"));
    if let Some(at) = at {
        return path.get(at + 2..);
    }
    match file.kind {
        FileKind::AppConfig if is(path.first(), "behavior") => path.get(1..),
        FileKind::AppConfig => None,
        _ => Some(path),
    }
}

/// Collects completions.
struct List<'c> {
    file: &'c RuleFile,
    offset: u32,
    surroundings: &'c Surroundings<'c>,
    /// What is written so far, from the start of the key or value.
    written: &'c str,
    /// Where that starts.
    start: u32,
    /// Where what is replaced ends.
    end: u32,
    quote: Option<char>,
    is_flow: bool,
    is_toml: bool,
    /// Whether only blanks stand before what is written.
    is_on_own_line: bool,
    /// The root of the file.
    root: CursorPlace,
    /// The key whose value is written.
    key: Option<&'c str>,
    /// Whether a colon, or in TOML an equals sign, follows the word at the cursor.
    has_colon: bool,
    /// What goes before everything.
    prefix: &'static str,
    found: Vec<Completion>,
}

impl<'c> List<'c> {
    fn new(
        file: &'c RuleFile,
        surroundings: &'c Surroundings<'c>,
        cursor: &'c Cursor,
        offset: u32,
    ) -> Self {
        let behind = file.text().get(offset as usize..).unwrap_or_default();
        let word = behind.find(|c: char| !is_word(c)).unwrap_or(behind.len());
        let is_toml = file.format == Format::Toml;
        let has_colon = behind.get(word..).is_some_and(|rest| match is_toml {
            true => rest.trim_start_matches([' ', '\t']).starts_with('='),
            false => rest.starts_with(':'),
        });
        let (quote, is_flow) = match cursor.site {
            Site::Inline { quote, flow } => (quote, flow),
            _ => (None, false),
        };
        let before = file.text().get(..cursor.start).unwrap_or_default();
        let line = before.rsplit('\n').next().unwrap_or_default();
        let key = cursor.path.iter().rev().find_map(|step| match step {
            Step::Key(key) => Some(key.as_str()),
            Step::Item => None,
        });
        Self {
            file,
            offset,
            surroundings,
            is_toml,
            is_on_own_line: line.trim().is_empty(),
            root: CursorPlace::root(file.kind),
            key,
            written: file.text().get(cursor.start..offset as usize).unwrap_or_default(),
            start: cursor.start as u32,
            end: offset + word as u32,
            quote,
            is_flow,
            has_colon,
            prefix: "",
            found: Vec::new(),
        }
    }

    fn push(&mut self, kind: CompletionKind, label: &str, detail: &str, markdown: String) {
        let mut insert = label.to_owned();
        let is_plain = !self.is_toml && insert.chars().all(is_word);
        if self.quote.is_none() && !is_plain && kind != CompletionKind::Condition {
            insert = format!("\"{insert}\"");
        }
        self.push_as(kind, label, detail, markdown, insert, None);
    }

    fn push_as(
        &mut self,
        kind: CompletionKind,
        label: &str,
        detail: &str,
        markdown: String,
        insert: String,
        snippet: Option<String>,
    ) {
        self.found.push(Completion {
            label: label.to_owned(),
            kind,
            detail: detail.to_owned(),
            markdown,
            start: self.start,
            end: self.end,
            filter: format!("{}{label}", self.prefix),
            insert: format!("{}{insert}", self.prefix),
            snippet: snippet.map(|snippet| format!("{}{snippet}", self.prefix)),
        });
    }

    /// A value on a line of its own: whatever it may be, keys of a mapping included.
    fn fresh(&mut self, place: CursorPlace) {
        self.keys(place, &[]);
        self.values(place);
        if self.prefix.is_empty()
            && let CursorPlace::Shape(shape) = place
        {
            for item in alternatives(shape).into_iter().filter_map(item) {
                self.prefix = "- ";
                self.keys(CursorPlace::Shape(item), &[]);
                self.values(CursorPlace::Shape(item));
                self.prefix = "";
            }
        }
    }

    /// The keys that a mapping may have and has not.
    fn keys(&mut self, place: CursorPlace, others: &[String]) {
        match place {
            CursorPlace::Switches => self.switches(others),
            CursorPlace::Shape(shape) => {
                let shapes = match is_parameters(shape) {
                    true => siblings::parameters(self.file, self.offset)
                        .map(|it| vec![Shape::Record(it)]),
                    false => None,
                };
                for shape in shapes.unwrap_or_else(|| alternatives(shape)) {
                    match shape {
                        Shape::Record(record) if self.is_toml && self.is_on_own_line => {
                            let is_inline = |field: &Field| {
                                table(field).is_none() || matches!(field.shape, Shape::Map(_))
                            };
                            self.fields(record.fields, others, is_inline);
                            self.headers();
                        }
                        Shape::Record(record) => self.fields(record.fields, others, |_| true),
                        // A condition has one key.
                        Shape::Condition if others.is_empty() => self.conditions(),
                        _ => {}
                    }
                }
            }
        }
    }

    /// The headers of tables, which may stand behind whatever table comes before.
    fn headers(&mut self) {
        let CursorPlace::Shape(Shape::Record(record)) = self.root else { return };
        for (field, header) in record.fields.iter().filter_map(|field| Some((field, table(field)?)))
        {
            let detail = field.shape.describe();
            let markdown = describe::field(field);
            let kind = CompletionKind::Field;
            self.push_as(kind, &header, &detail, markdown, header.clone(), None);
        }
    }

    fn fields(
        &mut self,
        fields: &'static [Field],
        others: &[String],
        is_wanted: fn(&Field) -> bool,
    ) {
        let missing =
            |field: &&Field| is_wanted(field) && !others.iter().any(|other| other == field.name);
        let (required, optional): (Vec<_>, Vec<_>) =
            fields.iter().filter(missing).partition(|field| field.required);
        for field in required.into_iter().chain(optional) {
            let detail = field.shape.describe();
            let markdown = describe::field(field);
            self.push_key(CompletionKind::Field, field.name, &detail, markdown, field.shape);
        }
    }

    /// A key with its colon, and its value as a place to fill in.
    fn push_key(
        &mut self,
        kind: CompletionKind,
        name: &str,
        detail: &str,
        markdown: String,
        shape: Shape,
    ) {
        if self.has_colon {
            return self.push_as(kind, name, detail, markdown, name.to_owned(), None);
        }
        if self.is_toml {
            let insert = format!("{name} = ");
            let value = value_snippet(shape).map(|value| match shape {
                Shape::Choice(_) => format!("\"{value}\""),
                _ => value,
            });
            let text = matches!(shape, Shape::Text | Shape::Policy).then(|| "\"$1\"".to_owned());
            let snippet = value.or(text).map(|value| format!("{name} = {value}"));
            return self.push_as(kind, name, detail, markdown, insert, snippet);
        }
        // What is a block of its own goes on below.
        let is_block = !self.is_flow && is_collection(shape);
        let insert = if is_block { format!("{name}:") } else { format!("{name}: ") };
        let snippet = value_snippet(shape).filter(|_| !is_block);
        let snippet = snippet.map(|value| format!("{name}: {value}"));
        self.push_as(kind, name, detail, markdown, insert, snippet);
    }

    fn conditions(&mut self) {
        for kind in ALL {
            let markdown = describe::condition(kind);
            let detail = kind.argument.describe();
            self.push_key(CompletionKind::Condition, kind.name, &detail, markdown, kind.argument);
        }
        for composite in COMPOSITES {
            let markdown = describe::composite(composite);
            let detail = composite.argument.describe();
            let name = composite.name;
            self.push_key(CompletionKind::Condition, name, &detail, markdown, composite.argument);
        }
    }

    fn switches(&mut self, others: &[String]) {
        let surroundings = self.surroundings;
        let rules = surroundings.builtin_rules().iter().filter_map(|rule| text(rule, "id"));
        let rules: Vec<&str> = rules.collect();
        let thresholds = THRESHOLDS.iter().map(|threshold| threshold.name);
        let thresholds = thresholds.filter(|name| !rules.contains(name));
        let settings = SETTINGS.iter().map(|(name, _)| *name);
        let all = rules.iter().copied().chain(thresholds).chain(settings);
        for name in all.filter(|name| !others.iter().any(|other| other == name)) {
            let shape = super::place::switch_shape(name);
            let markdown = describe::switch(name, surroundings).unwrap_or_default();
            self.push_key(CompletionKind::Switch, name, &shape.describe(), markdown, shape);
        }
    }

    /// What a value may be.
    fn values(&mut self, place: CursorPlace) {
        let CursorPlace::Shape(shape) = place else { return };
        for shape in alternatives(shape) {
            self.value(shape);
        }
    }

    fn value(&mut self, shape: Shape) {
        match shape {
            Shape::Bool if self.quote.is_none() => {
                for word in ["true", "false"] {
                    self.push(CompletionKind::Value, word, "", String::new());
                }
            }
            Shape::Choice(choices) => {
                for choice in choices {
                    let markdown = describe::choice(choice);
                    self.push(CompletionKind::Value, choice.name, "", markdown);
                }
            }
            Shape::Name(kind) => self.names(kind),
            Shape::Tool => self.tools(),
            Shape::Message => self.placeholders(template::PLACEHOLDERS),
            Shape::Directive => self.placeholders(template::DIRECTIVE_PLACEHOLDERS),
            Shape::Condition => self.expressions(),
            Shape::Policy => self.patterns(),
            _ => {}
        }
    }

    /// What a pattern of a policy may go on with.
    fn patterns(&mut self) {
        let parts = patterns::Parts::of_field(self.key.unwrap_or_default());
        let surroundings = self.surroundings;
        let next = patterns::next(self.written, parts);
        let written = match next {
            NextOfPattern::Alternative(written)
            | NextOfPattern::Program(written)
            | NextOfPattern::Subcommand(_, written) => written,
            NextOfPattern::Nothing => return,
        };
        self.start = self.end_of_written() - written.len() as u32;
        match next {
            NextOfPattern::Alternative(_) => {
                if parts.has_tools() {
                    self.tools();
                }
                for (label, detail) in parts.calls() {
                    let insert = if self.quote.is_some() {
                        (*label).to_owned()
                    } else {
                        format!("\"{label}")
                    };
                    self.push_as(CompletionKind::Value, label, detail, String::new(), insert, None);
                }
            }
            NextOfPattern::Program(_) => {
                for (name, detail) in patterns::programs(surroundings.programs().as_deref()) {
                    self.push(CompletionKind::Name, &name, detail, String::new());
                }
            }
            NextOfPattern::Subcommand(program, _) => {
                for name in patterns::subcommands(surroundings.programs().as_deref(), program) {
                    let detail = format!("of `{program}`");
                    self.push(CompletionKind::Name, &name, &detail, String::new());
                }
            }
            NextOfPattern::Nothing => {}
        }
    }

    fn names(&mut self, kind: NameKind) {
        match kind {
            NameKind::Set | NameKind::Counter | NameKind::Flag => self.declared(kind),
            NameKind::Profile => self.profiles(),
            NameKind::Param => self.params(),
            NameKind::RiskLevel => {
                for name in self.surroundings.risk_levels() {
                    self.push(CompletionKind::Name, &name, "risk level", String::new());
                }
            }
        }
    }

    fn declared(&mut self, kind: NameKind) {
        for declared in self.surroundings.declared(kind) {
            let markdown = describe::declared(kind, declared);
            let name = &declared.entry.key.text;
            self.push(CompletionKind::Name, name, kind.describe(), markdown);
        }
    }

    fn profiles(&mut self) {
        let surroundings = self.surroundings;
        for name in surroundings.profiles() {
            let markdown = describe::profile(&name, surroundings).unwrap_or_default();
            self.push(CompletionKind::Profile, &name, "profile", markdown);
        }
        for name in surroundings.presets() {
            let markdown = describe::profile(&name, surroundings).unwrap_or_default();
            self.push(CompletionKind::Profile, &name, "built-in preset", markdown);
        }
    }

    /// Parameters: those of the tools that the rule is about, then those that the file names. Without tools that
    /// are known, those that tools have most.
    fn params(&mut self) {
        let is_param = |shape: &Shape| matches!(shape, Shape::Name(NameKind::Param));
        let tools = siblings::tools(self.file, self.offset);
        let known =
            tools.iter().filter_map(|tool| Some((tool, parameters::of(&tool.to_lowercase())?)));
        let known =
            known.flat_map(|(tool, params)| params.iter().map(move |it| (*it, tool.as_str())));
        let mut offered: Vec<(String, String)> =
            known.map(|(name, tool)| (name.to_owned(), format!("parameter of `{tool}`"))).collect();
        let all_known = !tools.is_empty() && tools.iter().all(|it| parameters::of(it).is_some());
        if !all_known {
            let mentioned = self.surroundings.mentioned(is_param).into_iter();
            let common = COMMON_PARAMS.iter().map(|name| (*name).to_owned());
            offered.extend(mentioned.chain(common).map(|name| (name, "parameter".to_owned())));
        }
        let mut seen = BTreeSet::new();
        for (name, detail) in offered {
            if name != self.written && seen.insert(name.clone()) {
                self.push(CompletionKind::Name, &name, &detail, String::new());
            }
        }
    }

    fn tools(&mut self) {
        let written = self.written;
        let mut names = self.surroundings.mentioned(|shape| matches!(shape, Shape::Tool));
        names.retain(|name| name != written && name != "*");
        names.push("*".to_owned());
        for name in names {
            let detail = if name == "*" { "every tool" } else { "tool" };
            self.push(CompletionKind::Name, &name, detail, String::new());
        }
    }

    /// Placeholders, where a brace is open.
    fn placeholders(&mut self, known: &[Placeholder]) {
        let Some((before, inside)) = self.written.rsplit_once('{') else { return };
        let is_literal = before.len() - before.trim_end_matches('{').len();
        if is_literal % 2 == 1 || inside.contains(['}', '\n', ' ', '"']) {
            return;
        }
        match inside.split_once(':') {
            None => {
                self.start = self.end_of_written() - inside.len() as u32;
                for placeholder in known {
                    self.placeholder(placeholder);
                }
            }
            Some((name, argument)) => {
                self.start = self.end_of_written() - argument.len() as u32;
                let placeholder = template::find(known, name);
                let Some(kind) = placeholder.and_then(|placeholder| placeholder.argument) else {
                    return;
                };
                // No quotes around a name in a text.
                self.quote = self.quote.or(Some('"'));
                self.names(name_kind(kind).unwrap_or(NameKind::Param));
            }
        }
    }

    fn end_of_written(&self) -> u32 {
        self.start + self.written.len() as u32
    }

    fn placeholder(&mut self, placeholder: &Placeholder) {
        let name = placeholder.name;
        let markdown = describe::placeholder(placeholder);
        let (insert, snippet) = match placeholder.argument {
            None if self.has_brace() => (name.to_owned(), None),
            None => (format!("{name}}}"), None),
            Some(_) if self.has_brace() => (format!("{name}:"), None),
            Some(_) => (format!("{name}:"), Some(format!("{name}:$1}}"))),
        };
        self.push_as(CompletionKind::Placeholder, name, "placeholder", markdown, insert, snippet);
    }

    fn has_brace(&self) -> bool {
        self.surroundings.text_behind(self.end).starts_with('}')
    }

    /// Conditions written as an expression.
    fn expressions(&mut self) {
        let written = self.written;
        let narrow = |list: &mut Self, part: &str| {
            list.start = list.end_of_written() - part.len() as u32;
            list.quote = list.quote.or(Some('"'));
        };
        match expression::next(written) {
            Next::Name(kind, part) => {
                narrow(self, part);
                self.names(kind);
            }
            Next::Param(part) => {
                narrow(self, part);
                self.params();
            }
            Next::Condition(part) => {
                self.start = self.end_of_written() - part.len() as u32;
                for (kind, expression) in expression::matching(part) {
                    let insert = match self.quote {
                        Some('"') => expression.replace('"', "\\\""),
                        _ => expression.clone(),
                    };
                    let kinds = CompletionKind::Condition;
                    let markdown = describe::condition(kind);
                    self.push_as(kinds, &expression, kind.name, markdown, insert, None);
                }
            }
        }
    }
}

/// The parameters that tools of all kinds have.
const COMMON_PARAMS: &[&str] =
    &["command", "file_path", "path", "content", "pattern", "query", "url"];

/// How the header of a table reads that a field of the root has its value in, where it has one.
fn table(field: &Field) -> Option<String> {
    match field.shape {
        Shape::List(Shape::Record(_)) => Some(format!("[[{}]]", field.name)),
        Shape::Record(_) | Shape::Map(_) => Some(format!("[{}]", field.name)),
        _ => None,
    }
}

/// Whether a shape is that of the parameters of all kinds of trace rules.
fn is_parameters(shape: Shape) -> bool {
    matches!((shape, Parameters::SHAPE), (Shape::Either(these), Shape::Either(those)) if std::ptr::eq(these, those))
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.')
}

fn item(shape: Shape) -> Option<Shape> {
    match shape {
        Shape::List(of) => Some(*of),
        _ => None,
    }
}

/// Whether a value is best written on lines below its key.
fn is_collection(shape: Shape) -> bool {
    match shape {
        Shape::Record(record) => record.fields.len() > MAX_INLINE,
        Shape::Map(_) | Shape::List(_) => true,
        _ => false,
    }
}

/// Records of so many fields are written in one line.
const MAX_INLINE: usize = 3;

/// A value as a place to fill in.
fn value_snippet(shape: Shape) -> Option<String> {
    match shape {
        Shape::Bool => Some("${1|true,false|}".to_owned()),
        Shape::Choice(choices) => {
            let words: Vec<&str> = choices.iter().map(|choice| choice.name).collect();
            Some(format!("${{1|{}|}}", words.join(",")))
        }
        Shape::Message | Shape::Directive => Some("\"$1\"".to_owned()),
        Shape::Record(record) => {
            let field = |(index, field): (usize, &Field)| format!("{}: ${}", field.name, index + 1);
            let fields: Vec<String> = record.fields.iter().enumerate().map(field).collect();
            Some(format!("{{ {} }}", fields.join(", ")))
        }
        _ => None,
    }
}
