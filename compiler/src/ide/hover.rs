//! What stands at a place, explained: keys, values, names, placeholders, and the words of
//! expressions, all from the tree.

use std::sync::Arc;

use super::index::{SymbolKind, slice};
use super::links::link_at;
use super::names::Surroundings;
use super::place::{CursorPlace, Meaning, alternatives};
use super::siblings::Beside;
use super::{Project, RuleFile, definition, describe, outline, patterns, values};
use crate::conditions::RunsConfig;
use crate::expression;
use crate::policy_pattern::{self, Alternative};
use crate::provider::LIBRARY_PREFIX;
use crate::registry::schema::{Field, NameKind, Record, Shape};
use crate::resolve::FileKind;
use crate::rule_test::{ExpectedState, NATIVE_EVENTS};
use crate::samples;
use crate::source::Span;
use crate::syntax::{Entry, Key, Kind, Node, locate};
use crate::template::{self, Argument, Part, Placeholder};
use crate::tool_names;

/// An explanation of a piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The bytes that it is about.
    pub span: Span,
    /// The explanation, in Markdown.
    pub markdown: String,
}

/// Explains what stands at a byte offset of a rule file.
#[must_use]
pub fn hover(file: &RuleFile, project: Project<'_>, offset: u32) -> Option<Hover> {
    if file.kind == FileKind::AppConfig && !file.is_rule_file() {
        return None;
    }
    if let Some(found) = document(file, project, offset) {
        return Some(found);
    }
    let surroundings = Surroundings::at(file, project, offset);
    if let Some(found) = named(file, project, &surroundings, offset) {
        return Some(found);
    }
    let finder = Finder { file, surroundings: &surroundings, offset };
    finder.node(file.config(), CursorPlace::root(file.kind), None)
}

/// The document that is named here, such as a prompt or one that a message quotes. What other files say is explained where
/// they are opened.
fn document(file: &RuleFile, project: Project<'_>, offset: u32) -> Option<Hover> {
    let link = link_at(project, file, offset)?;
    if ![".md", ".txt"].iter().any(|ending| link.file.ends_with(ending)) {
        return None;
    }
    let bytes = project.provider.read(&link.file).ok();
    let text = bytes.as_deref().map(String::from_utf8_lossy);
    Some(Hover { span: link.span, markdown: describe::document(&link.file, text.as_deref()) })
}

/// A rule or a word of the classifier that is named here: what it is, wherever it is declared. Sets and their kin
/// are explained where conditions and messages are.
fn named(
    file: &RuleFile,
    project: Project<'_>,
    surroundings: &Surroundings<'_>,
    offset: u32,
) -> Option<Hover> {
    let one = file.index().at(offset)?;
    let shared = Arc::new(file.clone());
    let target = definition(project, &shared, offset).into_iter().next();
    let declared = target.as_ref().and_then(|it| outline::find(it.file.config(), it.extent));
    let markdown = match (one.kind, &target, declared) {
        // What `rules` switches has thresholds, too.
        (SymbolKind::Rule, Some(target), Some(_))
            if target.file.name().starts_with(LIBRARY_PREFIX) =>
        {
            describe::switch(&one.name, surroundings)?
        }
        (SymbolKind::Rule, Some(target), Some(node)) => {
            let mut text = describe::rule(&one.name, target.file.kind, node);
            text.push_str(&state_of(&target.file, target.extent, surroundings));
            text
        }
        (SymbolKind::Complexity | SymbolKind::Approach | SymbolKind::Risk, _, node) => {
            describe::level(one.kind.describe(), &one.name, node)
        }
        (SymbolKind::Class, target, _) => {
            class(&one.name, target.as_ref().map(|it| &*it.file), file, surroundings)?
        }
        _ => return None,
    };
    Some(Hover { span: one.span, markdown })
}

/// A class of commands: what the file that declares it says, or the one at hand, and what is built in of that name.
fn class(
    name: &str,
    declaring: Option<&RuleFile>,
    file: &RuleFile,
    surroundings: &Surroundings<'_>,
) -> Option<String> {
    let library = surroundings.library_classes();
    let list = |file: &RuleFile| file.config().get("command_classes")?.get(name).cloned();
    let own = declaring.unwrap_or(file);
    let is_library = own.name().starts_with(LIBRARY_PREFIX);
    let of_own = list(own).filter(|_| !is_library);
    let of_library = library.as_deref().and_then(list);
    let lists: Vec<&Node> = of_own.iter().chain(&of_library).collect();
    let place = if of_own.is_some() { own.name() } else { LIBRARY_PREFIX };
    (!lists.is_empty()).then(|| describe::class(name, place, &lists))
}

/// What fills the state that a rule asks for.
fn state_of(file: &RuleFile, extent: Span, surroundings: &Surroundings<'_>) -> String {
    let mut told: Vec<String> = Vec::new();
    for one in file.index().occurrences.iter().filter(|one| extent.contains(one.span)) {
        let kind = match one.kind {
            SymbolKind::Set => NameKind::Set,
            SymbolKind::Counter => NameKind::Counter,
            SymbolKind::Flag => NameKind::Flag,
            _ => continue,
        };
        let text = surroundings.find(kind, &one.name).map(|it| describe::declared(kind, it));
        told.extend(text.filter(|text| !told.contains(text)));
    }
    told.iter().map(|text| format!("\n\n{text}")).collect()
}

/// Longer values are not repeated where they are explained.
const MAX_SHOWN: usize = 60;

/// Whether a value is that of the condition `runs`.
fn is_runs(owner: Option<(&Key, Meaning)>) -> bool {
    matches!(owner, Some((_, Meaning::Condition(kind))) if kind.name == "runs")
}

struct Finder<'f> {
    file: &'f RuleFile,
    surroundings: &'f Surroundings<'f>,
    offset: u32,
}

impl Finder<'_> {
    /// Looks for the offset below a node. `owner` is the key that the node belongs to. Trees are as
    /// deep as the parsers allow, which is little.
    fn node(
        &self,
        node: &Node,
        place: CursorPlace,
        owner: Option<(&Key, Meaning)>,
    ) -> Option<Hover> {
        match &node.kind {
            Kind::Map(entries) => entries.iter().find_map(|entry| self.entry(entry, place, owner)),
            Kind::Seq(items) => {
                let item = items.iter().find(|item| item.span.touches(self.offset))?;
                self.node(item, place.item()?, owner)
            }
            _ if !node.span.touches(self.offset) || self.is_implied(node) => None,
            Kind::String(_) if is_runs(owner) => self.command(node),
            _ => self.scalar(node, place).or_else(|| {
                let (key, meaning) = owner?;
                let markdown = self.known(node, key, meaning);
                let markdown = markdown.or_else(|| self.meaning(key, meaning))?;
                Some(Hover { span: node.span, markdown })
            }),
        }
    }

    /// Whether a value is what holds where nothing is written, as `true` in `flag(x)`: it has the place of the whole
    /// condition.
    fn is_implied(&self, node: &Node) -> bool {
        let text = slice(self.file.text(), node.span);
        matches!(node.kind, Kind::Bool(_) | Kind::Int(_)) && text.contains('(')
    }

    fn entry(
        &self,
        entry: &Entry,
        place: CursorPlace,
        owner: Option<(&Key, Meaning)>,
    ) -> Option<Hover> {
        let is_key = entry.key.span.touches(self.offset);
        let is_value = entry.value.span.touches(self.offset);
        if !is_key && !is_value || self.is_implied(&entry.value) {
            return None;
        }
        let (meaning, behind) = place.key(&entry.key.text)?;
        // In an expression, the key stands around its value.
        let is_around = entry.key.span.contains(entry.value.span);
        if is_value && (!is_key || is_around) {
            let found = self.node(&entry.value, behind, Some((&entry.key, meaning)));
            if found.is_some() {
                return found;
            }
        }
        if !is_key {
            return None;
        }
        let markdown = self.meaning(&entry.key, meaning);
        let markdown = markdown.or_else(|| self.key(&entry.key.text, owner))?;
        Some(Hover { span: entry.key.span, markdown })
    }

    /// A key that names something: what a session is expected to remember, a tool of an event, a parameter of one.
    fn key(&self, name: &str, owner: Option<(&Key, Meaning)>) -> Option<String> {
        if let Some((key, Meaning::Field(record, _))) = owner
            && record.name == ExpectedState::RECORD.name
        {
            let kind = match &*key.text {
                "sets" => NameKind::Set,
                "counters" => NameKind::Counter,
                _ => NameKind::Flag,
            };
            return self.name(kind, name);
        }
        if let Some((_, Meaning::Field(_, field))) = owner
            && field.name == "programs"
        {
            return Some(self.program(name));
        }
        let is_event = |key: &str| matches!(key, "events" | "fires" | "passes");
        let is_tool = |name: &str| tool_names::names().any(|known| known == name);
        match owner {
            Some((key, _)) if is_event(&key.text) && NATIVE_EVENTS.contains(&name) => {
                Some(describe::native_event(name))
            }
            Some((key, _)) if is_event(&key.text) => match name {
                "result" | "ok" | "session" | "ts" | "event" => {
                    Some(describe::value(name, "what an event says besides", None))
                }
                _ => Some(describe::tool(name)),
            },
            Some((tool, Meaning::Name)) if is_tool(&tool.text.to_lowercase()) => {
                Some(describe::param(name, &[tool.text.to_string()]))
            }
            _ => None,
        }
    }

    /// A value that is known by where it stands, such as the name of a program or a path into a request; else what it
    /// is a value of.
    fn known(&self, node: &Node, key: &Key, meaning: Meaning) -> Option<String> {
        let text = slice(self.file.text(), node.span).trim();
        let written = node.as_str();
        let Meaning::Field(record, field) = meaning else { return self.of_event(key, written?) };
        let project = self.surroundings.project();
        let beside = Beside::new(self.file, self.offset);
        if record.name == RunsConfig::RECORD.name {
            let is_program =
                matches!(&*key.text, "program" | "substitutes" | "piped_from" | "under");
            if let Some(name) = written.filter(|_| is_program) {
                return Some(self.program(name));
            }
            let around = beside.with(&["program"]);
            if let Some(name) = written.filter(|_| key.text.contains("flag")) {
                return self.flag(name, around?);
            }
            if let Some(name) = written.filter(|_| &*key.text == "class") {
                return class(name, None, self.file, self.surroundings);
            }
            let known = values::of_runs(&key.text, around, self.file, project, self.surroundings);
            let found = known.into_iter().find(|known| Some(&*known.text) == written);
            return found.map(|known| describe::value(&known.text, &known.detail, Some(field)));
        }
        let here = values::Here { beside: &beside };
        let known =
            values::of_field(record, field.name, here, self.file, project, self.surroundings);
        if let Some(known) = known.into_iter().find(|known| Some(&*known.text) == written) {
            return Some(describe::value(&known.text, &known.detail, Some(field)));
        }
        if let Some(markdown) = self.number(node, field, &beside, record) {
            return Some(markdown);
        }
        let is_prose = matches!(field.shape, Shape::Message | Shape::Directive | Shape::Condition);
        let is_short =
            !is_prose && !text.is_empty() && text.len() <= MAX_SHOWN && !text.contains('\n');
        let what = format!("value of `{}`", field.name);
        is_short.then(|| describe::value(text, &what, Some(field)))
    }

    /// A word of an event that is spelled out: which event it is, or the tool that is called.
    fn of_event(&self, key: &Key, written: &str) -> Option<String> {
        match &*key.text {
            "event" if NATIVE_EVENTS.contains(&written) => Some(describe::native_event(written)),
            "tool" => Some(describe::tool(written)),
            _ => None,
        }
    }

    fn program(&self, name: &str) -> String {
        let programs = self.surroundings.programs();
        let same = patterns::spellings(programs.as_deref(), name);
        let others: Vec<String> = same.into_iter().flat_map(|(_, others)| others).collect();
        describe::program(name, &others, &self.surroundings.subcommands(name))
    }

    /// A flag of the command that `runs` describes.
    fn flag(&self, name: &str, runs: &Node) -> Option<String> {
        let texts = |field: &str| {
            let value = runs.get(field)?;
            value.as_str().or_else(|| value.items()?.first()?.as_str())
        };
        let bare = name.split('=').next().unwrap_or(name);
        let dashed = patterns::dashed(bare);
        let command = [texts("program")?, texts("subcommand").unwrap_or_default()].join(" ");
        let whole = format!("{command} {dashed}");
        let programs = self.surroundings.programs();
        let spellings = patterns::spellings(programs.as_deref(), &whole);
        let others = spellings.into_iter().find(|(word, _)| *word == dashed);
        let others = others.map(|(_, others)| others).unwrap_or_default();
        Some(describe::flag(name, &dashed, command.trim_end(), &others))
    }

    /// A number that a counter, or other state that is named beside it, is held against.
    fn number(
        &self,
        node: &Node,
        field: &Field,
        beside: &Beside<'_>,
        record: &Record,
    ) -> Option<String> {
        let Shape::Name(kind) = record.field("name")?.shape else { return None };
        let name = beside.with(&["name"])?.get("name")?.as_str()?;
        let declared = self.name(kind, name)?;
        let text = slice(self.file.text(), node.span).trim();
        let value = describe::value(
            text,
            &format!("value of the {} `{name}`", kind.describe()),
            Some(field),
        );
        (field.name != "name").then(|| format!("{value}\n\n{declared}"))
    }

    fn meaning(&self, key: &Key, meaning: Meaning) -> Option<String> {
        match meaning {
            Meaning::Field(_, field) => Some(describe::field(field)),
            Meaning::Condition(kind) => Some(describe::condition(kind)),
            Meaning::Composite(composite) => Some(describe::composite(composite)),
            Meaning::Switch => describe::switch(&key.text, self.surroundings),
            Meaning::Declaration(kind) => self.name(kind, &key.text),
            Meaning::Name => None,
        }
    }

    fn scalar(&self, node: &Node, place: CursorPlace) -> Option<Hover> {
        let CursorPlace::Shape(shape) = place else { return None };
        let text = node.as_str()?;
        alternatives(shape).into_iter().find_map(|shape| self.text(node, text, shape))
    }

    fn text(&self, node: &Node, text: &str, shape: Shape) -> Option<Hover> {
        let whole = |markdown| Hover { span: node.span, markdown };
        match shape {
            Shape::Choice(choices) => {
                let choice = choices.iter().find(|choice| choice.name == text)?;
                Some(whole(describe::choice(choice)))
            }
            Shape::Tool => Some(whole(describe::tool(text))),
            Shape::Pattern => {
                let samples = samples::of_pattern(text);
                Some(whole(describe::pattern(text, "regular expression", samples)))
            }
            Shape::Glob => {
                Some(whole(describe::pattern(text, "path pattern", samples::of_glob(text))))
            }
            Shape::Policy => self.policy_pattern(node, text),
            Shape::Name(NameKind::Param) => {
                Some(whole(describe::param(text, &Beside::new(self.file, self.offset).tools())))
            }
            Shape::Name(NameKind::Profile) => describe::profile(text, self.surroundings).map(whole),
            Shape::Name(kind) => self.name(kind, text).map(whole),
            Shape::Message => self.placeholder(node, text, template::PLACEHOLDERS),
            Shape::Directive => self.placeholder(node, text, template::DIRECTIVE_PLACEHOLDERS),
            Shape::Condition => {
                let parsed = expression::parse(text).0?;
                if let Some(markdown) = describe::constant(&parsed.value) {
                    return Some(whole(markdown));
                }
                let map = |range| locate(self.file.text(), node, range);
                let mapping = expression::to_node(&parsed, &map);
                self.node(&mapping, CursorPlace::Shape(Shape::Condition), None)
            }
            _ => None,
        }
    }

    /// The alternative of a policy's pattern that the offset is in.
    fn policy_pattern(&self, node: &Node, text: &str) -> Option<Hover> {
        let alternatives = policy_pattern::parse(text).ok()?;
        let programs = self.surroundings.programs();
        alternatives.into_iter().find_map(|alternative| {
            let (range, is_command) = match alternative {
                Alternative::Tool(range) => (range, false),
                Alternative::Command(range) => (range, true),
                Alternative::Mcp(server, tool) => {
                    (server.start..tool.map_or(server.end, |tool| tool.end), false)
                }
            };
            let span = locate(self.file.text(), node, range.clone());
            let part = text.get(range)?.trim();
            let markdown = match is_command {
                true => describe::command(part, &patterns::spellings(programs.as_deref(), part)),
                false => describe::tool(part),
            };
            span.touches(self.offset).then_some(Hover { span, markdown })
        })
    }

    /// The command that `runs` is given as a text.
    fn command(&self, node: &Node) -> Option<Hover> {
        let text = node.as_str()?;
        let programs = self.surroundings.programs();
        let markdown = describe::command(text, &patterns::spellings(programs.as_deref(), text));
        Some(Hover { span: node.span, markdown })
    }

    fn name(&self, kind: NameKind, name: &str) -> Option<String> {
        let declared = self.surroundings.find(kind, name)?;
        Some(describe::declared(kind, declared))
    }

    fn placeholder(&self, node: &Node, text: &str, known: &[Placeholder]) -> Option<Hover> {
        let (template, _) = template::split(text);
        let here = |range: &std::ops::Range<usize>| {
            let span = locate(self.file.text(), node, range.clone());
            (span != node.span || range.len() == text.len())
                .then_some(span)
                .filter(|span| span.touches(self.offset))
        };
        template.parts.iter().find_map(|part| {
            let Part::Placeholder { name, argument, range } = part else { return None };
            let span = here(range)?;
            let placeholder = template::find(known, name.value)?;
            let named = argument.as_ref().and_then(|argument| {
                let span = here(&argument.range)?;
                let markdown = match placeholder.argument? {
                    Argument::Param => {
                        let tools = Beside::new(self.file, self.offset).tools();
                        describe::param(argument.value, &tools)
                    }
                    argument_kind => self.name(name_kind(argument_kind)?, argument.value)?,
                };
                Some(Hover { span, markdown })
            });
            let about = || Hover { span, markdown: describe::placeholder(placeholder) };
            Some(named.unwrap_or_else(about))
        })
    }
}

/// The kind of name that a placeholder's argument is, where something declares it.
pub(super) fn name_kind(argument: Argument) -> Option<NameKind> {
    match argument {
        Argument::Param | Argument::Document => None,
        Argument::Counter => Some(NameKind::Counter),
        Argument::Set => Some(NameKind::Set),
        Argument::Flag => Some(NameKind::Flag),
    }
}
