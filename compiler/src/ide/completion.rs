//! What can be written at a place: by the shape that the registry gives it.

mod value;

use std::collections::BTreeSet;

use behavior_runtime::decision::Phase;

use super::names::{Surroundings, text};
use super::nearby::cursor_at;
use super::place::{CursorPlace, alternatives};
use super::recognise::is_app_config;
use super::siblings::Beside;
use super::site::{field_of, list_above, place_of, runs_field};
use super::snippets::{is_collection, json_snippet, table, value_snippet};
use super::tools_named::{self, NamedTool};
use super::{Project, RuleFile, braces, describe, events, hints, values};
use crate::ast::{PolicyRule, RuleDefinition};
use crate::conditions::{ALL, COMPOSITES};
use crate::decode::Decode;
use crate::registry::schema::{Field, Record, Shape};
use crate::resolve::switches::{SETTINGS, THRESHOLDS};
use crate::syntax::Format;
use crate::syntax::cursor::{Cursor, Site, Step};
use crate::template;
use crate::trace_policy::TraceRule;

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

/// What can be written at a byte offset of a rule file, the most useful first: what fits what is typed of it.
#[must_use]
pub fn complete(file: &RuleFile, project: Project<'_>, offset: u32) -> Vec<Completion> {
    let mut found = all(file, project, offset);
    found.retain(|item| {
        let typed = file.text().get(item.start as usize..offset as usize).unwrap_or_default();
        let mut left = typed.chars().flat_map(char::to_lowercase).peekable();
        for letter in item.filter.chars().flat_map(char::to_lowercase) {
            left.next_if_eq(&letter);
        }
        left.peek().is_none()
    });
    found
}

/// What can be written, whatever is typed of it.
pub(super) fn all(file: &RuleFile, project: Project<'_>, offset: u32) -> Vec<Completion> {
    let placed = |cursor: Option<Cursor>| {
        let place = cursor.as_ref().and_then(|cursor| place_of(file, &cursor.path));
        cursor.zip(place)
    };
    let in_text = in_placeholder(file.text(), offset as usize)
        .and_then(|brace| placed(cursor_at(file, brace)))
        .filter(|(_, place)| matches!(place, CursorPlace::Shape(Shape::Message)));
    if in_text.is_none()
        && let Some(found) = behind_colon(file, project, offset)
    {
        return found;
    }
    if let Some(mut open) = braces::open(file.text(), offset as usize) {
        let at_braces = cursor_at(file, open.start);
        let site = at_braces.as_ref().map(|cursor| &cursor.site);
        open.is_quoted |= matches!(site, Some(Site::Inline { quote: Some(_), .. }));
        let path = at_braces.map(|cursor| cursor.path).unwrap_or_default();
        let place = place_of(file, &path);
        let surroundings = Surroundings::new(file, project);
        let found = braces::complete(&open, &path, place, file, &surroundings);
        if !found.is_empty() {
            return found;
        }
    }
    let found = in_text.or_else(|| placed(cursor_at(file, offset as usize)));
    let Some((cursor, place)) = found else { return way_to_section(file, project, offset) };
    let surroundings = Surroundings::at(file, project, offset);
    let mut list = List::new(file, &surroundings, &cursor, offset);
    match &cursor.site {
        // What stands on a line of its own in JSON begins with a brace, behind which the rest is offered.
        Site::Dash | Site::Fresh if list.is_json => {}
        Site::Key { others } => {
            let mut others = others.clone();
            others.extend(list.keys_behind());
            list.keys(place, &others);
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
        // A value in place of a key would take that away.
        Site::Inline { flow: true, quote: None } if list.has_colon => {}
        Site::Inline { .. } => list.values(place),
    }
    list.found
}

/// What leads to the behaviour section of an app config, where it has none yet.
fn way_to_section(file: &RuleFile, project: Project<'_>, offset: u32) -> Vec<Completion> {
    let has_none = is_app_config(file.name()) && !file.is_rule_file();
    let cursor = cursor_at(file, offset as usize).filter(|_| has_none);
    let Some(cursor) = cursor else { return Vec::new() };
    let (name, snippet, says) = match cursor.path.as_slice() {
        [] => ("security", "security:\n  behavior:\n    ", "the section with the rules of agents"),
        [Step::Key(key)] if key == "security" => {
            ("behavior", "behavior:\n  ", "the rules of agents")
        }
        _ => return Vec::new(),
    };
    let is_there = match &cursor.site {
        Site::Key { others } => others.iter().any(|other| other == name),
        Site::Fresh => false,
        _ => true,
    };
    // What is broken above may hide the key.
    let is_written =
        || file.text().lines().any(|line| line.trim_start().starts_with(&format!("{name}:")));
    if is_there || is_written() || file.format != Format::Yaml {
        return Vec::new();
    }
    let surroundings = Surroundings::new(file, project);
    let mut list = List::new(file, &surroundings, &cursor, offset);
    let (kind, insert) = (CompletionKind::Field, format!("{name}:"));
    list.push_as(kind, name, says, String::new(), insert, Some(snippet.to_owned()));
    list.found
}

/// Where a placeholder begins whose argument is being written. In a text without quotes, its colon would end a key.
fn in_placeholder(text: &str, offset: usize) -> Option<usize> {
    let line = text.get(..offset)?.rsplit('\n').next()?;
    let (before, inside) = line.rsplit_once('{')?;
    let (name, argument) = inside.split_once(':')?;
    let is_it = template::find(template::PLACEHOLDERS, name)?.argument.is_some();
    let is_open = !argument.contains(['}', ' ', '"']);
    (is_it && is_open).then_some(offset - line.len() + before.len())
}

/// What can be written right behind the colon of a key of YAML, each with the blank that belongs before it.
fn behind_colon(file: &RuleFile, project: Project<'_>, offset: u32) -> Option<Vec<Completion>> {
    let (before, behind) = file.text().split_at_checked(offset as usize)?;
    let key = before.strip_suffix(':').filter(|_| file.format == Format::Yaml)?;
    let line = key.rsplit('\n').next().unwrap_or_default();
    let name = line.rsplit([' ', '{', ',']).next().unwrap_or_default();
    let is_key = !name.is_empty() && name.chars().all(is_word);
    let cursor = cursor_at(file, offset as usize);
    let is_text = cursor.is_some_and(|cursor| matches!(cursor.site, Site::Inline { .. }));
    let (rest, below) = behind.split_once('\n').unwrap_or((behind, ""));
    let is_last = rest.trim().is_empty() || rest.trim_start().starts_with('}');
    // What is written below is the value.
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let next = below.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let is_value = indent(next) > indent(line) || next.trim_start().starts_with("- ");
    if !is_key || is_text || !is_last || is_value {
        return None;
    }
    let spaced = RuleFile::new(file.name(), format!("{before} {behind}"));
    let mut found = all(&spaced, project, offset + 1);
    found.retain(|item| item.start == offset + 1 && item.end == offset + 1);
    for item in &mut found {
        (item.start, item.end) = (offset, offset);
        item.insert.insert(0, ' ');
        if let Some(snippet) = &mut item.snippet {
            snippet.insert(0, ' ');
        }
    }
    Some(found)
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
    is_json: bool,
    /// Of a key in quotes, the quote.
    key_quote: Option<char>,
    /// Whether only blanks stand before what is written.
    is_on_own_line: bool,
    /// The line up to what is written.
    line: &'c str,
    /// The root of the file.
    root: CursorPlace,
    /// The key whose value is written.
    key: Option<&'c str>,
    /// The way to what is written.
    path: &'c [Step],
    /// Whether a colon, or in TOML an equals sign, follows the word at the cursor.
    has_colon: bool,
    /// The record and field whose value is written.
    owner: Option<(&'static Record, &'static str)>,
    /// The field of a `runs` condition whose value is written, or `runs` itself.
    runs: Option<&'c str>,
    /// What goes before everything.
    prefix: &'static str,
    /// What goes behind what stands for all that is written, so that it is not joined with what comes next.
    suffix: &'static str,
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
        let is_json = file.format == Format::Json;
        let is_key = matches!(cursor.site, Site::Key { .. });
        let opening = file.text().get(..cursor.start).unwrap_or_default().chars().next_back();
        let key_quote = opening.filter(|it| is_key && matches!(it, '"' | '\''));
        let rest = behind.get(word..).unwrap_or_default();
        let unquoted = key_quote.and_then(|quote| rest.strip_prefix(quote));
        let has_colon = match is_toml {
            true => rest.trim_start_matches([' ', '\t']).starts_with('='),
            false => unquoted.unwrap_or(rest).starts_with(':'),
        };
        // The quote behind a key that has no value yet goes with it.
        let closing = if unquoted.is_some() && !has_colon { 1 } else { 0 };
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
            is_json,
            key_quote,
            is_on_own_line: line.trim().is_empty(),
            line,
            root: CursorPlace::root(file.kind),
            key,
            path: &cursor.path,
            written: file.text().get(cursor.start..offset as usize).unwrap_or_default(),
            start: cursor.start as u32,
            end: offset + word as u32 + closing,
            quote,
            is_flow,
            has_colon,
            owner: field_of(file, &cursor.path),
            runs: runs_field(&cursor.path),
            prefix: "",
            suffix: suffix(cursor, line, behind, word),
            found: Vec::new(),
        }
    }

    /// The keys that stand behind what is written, between the same braces.
    fn keys_behind(&self) -> Vec<String> {
        if !is_open(self.line) {
            return Vec::new();
        }
        let behind = self.file.text().get(self.end as usize..).unwrap_or_default();
        let mut depth = 0_u32;
        let mut found = Vec::new();
        let mut word_start = 0;
        for (at, character) in behind.char_indices() {
            match character {
                '{' | '[' => depth += 1,
                '}' | ']' if depth == 0 => break,
                '}' | ']' => depth -= 1,
                '\n' => break,
                ':' if depth == 0 => {
                    let word = behind.get(word_start..at).unwrap_or_default();
                    found.push(word.trim_matches(['"', '\'']).to_owned());
                }
                _ => {}
            }
            if !is_word(character) {
                word_start = at + character.len_utf8();
            }
        }
        found
    }

    fn push(&mut self, kind: CompletionKind, label: &str, detail: &str, markdown: String) {
        let mut insert = label.to_owned();
        let is_number = insert.parse::<f64>().is_ok();
        let is_literal = is_number || matches!(label, "true" | "false");
        let is_plain = match self.is_json {
            true => kind == CompletionKind::Value && is_literal,
            false => !self.is_toml && insert.chars().all(is_word),
        };
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
        let is_whole = self.start + self.written.len() as u32 == self.offset;
        let suffix = if is_whole && self.quote.is_none() { self.suffix } else { "" };
        self.found.push(Completion {
            label: label.to_owned(),
            kind,
            detail: detail.to_owned(),
            markdown,
            start: self.start,
            end: self.end,
            filter: format!("{}{label}", self.prefix),
            insert: format!("{}{insert}{suffix}", self.prefix),
            snippet: snippet.map(|snippet| format!("{}{snippet}{suffix}", self.prefix)),
        });
    }

    /// A value on a line of its own: whatever it may be, keys of a mapping included.
    fn fresh(&mut self, place: CursorPlace) {
        self.keys(place, &[]);
        self.values(place);
        let shapes = match place {
            CursorPlace::Shape(shape) => alternatives(shape),
            CursorPlace::OwnRules => vec![Shape::List(&RuleDefinition::SHAPE)],
            CursorPlace::Switches => Vec::new(),
        };
        // One event, and a list of them, begin alike.
        let is_event = shapes.iter().any(|shape| matches!(shape, Shape::Any));
        let items = shapes.into_iter().filter_map(item);
        let items = items.filter(|item| !(is_event && matches!(item, Shape::Any)));
        let items: Vec<Shape> = items.filter(|_| self.prefix.is_empty()).collect();
        for item in items {
            let before = self.found.len();
            self.prefix = "- ";
            self.keys(CursorPlace::Shape(item), &[]);
            self.values(CursorPlace::Shape(item));
            self.prefix = "";
            self.tell_apart(before);
        }
    }

    /// Calls what was found from a place on by its dash where something of the same name was found before.
    fn tell_apart(&mut self, from: usize) {
        let from = from.min(self.found.len());
        let (before, items) = self.found.split_at_mut(from);
        let known: BTreeSet<&str> = before.iter().map(|item| item.label.as_str()).collect();
        for item in items.iter_mut().filter(|item| known.contains(item.label.as_str())) {
            item.label.insert_str(0, "- ");
        }
    }

    /// A rule with all that most rules have, to be filled in.
    fn whole_rule(&mut self) {
        let (kind, label) = (CompletionKind::Value, "whole rule");
        let detail = "a rule definition, to be filled in";
        let snippet = "id: ${1:name}\n  trigger: ${2:bash}\n  action: ${3|block,ask,warn,remind|}\n  condition: ${4:target is secret}\n  message: \"$5\"";
        let (insert, snippet) = ("id: ".to_owned(), Some(snippet.to_owned()));
        self.push_as(kind, label, detail, String::new(), insert, snippet);
    }

    /// The keys that a mapping may have and has not.
    fn keys(&mut self, place: CursorPlace, others: &[String]) {
        match place {
            CursorPlace::Switches | CursorPlace::OwnRules => self.switches(others),
            CursorPlace::Shape(shape) => {
                let shapes = match self.is_parameters() {
                    true => Beside::new(self.file, self.offset)
                        .parameters()
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
                        Shape::Record(record) => {
                            self.fields(record.fields, others, |_| true);
                            let is_rule = record.name == RuleDefinition::RECORD.name;
                            if is_rule
                                && others.is_empty()
                                && !self.is_flow
                                && !self.is_toml
                                && !self.is_json
                            {
                                self.whole_rule();
                            }
                        }
                        Shape::Map(_) => self.known_keys(others),
                        Shape::Any => self.events(others),
                        // A condition has one key.
                        Shape::Condition if others.is_empty() => self.conditions(),
                        _ => {}
                    }
                }
            }
        }
    }

    /// Whether the parameters of a trace rule are written, of which each kind has its own.
    fn is_parameters(&self) -> bool {
        self.owner.is_some_and(|(record, field)| {
            record.name == TraceRule::RECORD.name && field == "params"
        })
    }

    /// Keys that name what is declared elsewhere.
    fn known_keys(&mut self, others: &[String]) {
        let Some((record, field)) = self.owner else { return };
        if record.name == PolicyRule::RECORD.name && field == "params" {
            for (name, detail) in self.known_params() {
                if !others.contains(&name) {
                    let kind = CompletionKind::Name;
                    self.push_key(kind, &name, &detail, String::new(), Shape::Text);
                }
            }
            return;
        }
        for known in values::keys_of_field(record, field, self.file, self.surroundings) {
            if !others.contains(&known.text) {
                let text = &known.text;
                self.push_key(CompletionKind::Name, text, &known.detail, String::new(), Shape::Any);
            }
        }
    }

    /// The events of tests and examples: tools, what a tool takes, native events.
    fn events(&mut self, others: &[String]) {
        if matches!(self.path, [.., Step::Key(key), Step::Item] if key == "cases") {
            let columns = Beside::new(self.file, self.offset).columns();
            for name in columns.iter().filter(|name| !others.contains(name)) {
                let kind = CompletionKind::Name;
                self.push_key(kind, name, "column of the table", String::new(), Shape::Any);
            }
            return;
        }
        let Some(inside) = events::place(self.path) else { return };
        let beside = Beside::new(self.file, self.offset);
        let named = || self.named_tools();
        for key in events::keys(inside, others, &beside, named) {
            self.push_key(CompletionKind::Name, &key.text, &key.detail, String::new(), key.shape);
        }
    }

    /// The tools that the project names, but for what is being written.
    fn named_tools(&self) -> Vec<NamedTool> {
        let mut named = tools_named::of_project(self.surroundings.project(), self.file);
        named.retain(|tool| tool.name != self.written);
        named
    }

    /// The phase that the rule around names: in others than that, some conditions never hold.
    fn phase(&self) -> Option<Phase> {
        let beside = Beside::new(self.file, self.offset);
        let name = beside.with(&["when"])?.get("when")?.as_str()?;
        let is_of_rule = |step: &Step| matches!(step, Step::Key(key) if matches!(key.as_str(), "condition" | "message"));
        let is_it = |phase: &Phase| phase.name() == name && self.path.iter().any(is_of_rule);
        Phase::ALL.iter().copied().find(is_it)
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
        if self.is_json || self.key_quote.is_some() {
            let quote = self.key_quote.unwrap_or('"');
            let opening = if self.key_quote.is_some() { String::new() } else { quote.to_string() };
            let key = format!("{opening}{name}{quote}: ");
            let snippet = json_snippet(shape).map(|value| format!("{key}{value}"));
            return self.push_as(kind, name, detail, markdown, key, snippet);
        }
        // What is a block of its own goes on below.
        let is_block = !self.is_flow && is_collection(shape);
        let insert = if is_block { format!("{name}:") } else { format!("{name}: ") };
        let snippet = value_snippet(shape).filter(|_| !is_block);
        let snippet = snippet.map(|value| format!("{name}: {value}"));
        self.push_as(kind, name, detail, markdown, insert, snippet);
    }

    fn conditions(&mut self) {
        let phase = self.phase();
        for kind in ALL.iter().filter(|kind| phase.is_none_or(|phase| kind.phases.contains(&phase)))
        {
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
        let of_profiles = surroundings.rules_of_profiles();
        let of_profiles = of_profiles.iter().map(String::as_str);
        let of_profiles: Vec<&str> = of_profiles.filter(|name| !rules.contains(name)).collect();
        let all = of_profiles.iter().chain(&rules).copied().chain(thresholds).chain(settings);
        for name in all.filter(|name| !others.iter().any(|other| other == name)) {
            let shape = super::place::switch_shape(name);
            let markdown = describe::switch(name, surroundings).unwrap_or_default();
            if let Some(threshold) = THRESHOLDS.iter().find(|it| it.name == name && !self.has_colon)
            {
                let number = hints::number(name, threshold.default, surroundings);
                let (insert, snippet) =
                    (format!("{name}: {number}"), format!("{name}: ${{1:{number}}}"));
                let kind = CompletionKind::Switch;
                let (insert, snippet) =
                    match (self.is_json || self.key_quote.is_some(), self.key_quote) {
                        (false, _) => (insert, snippet),
                        (true, Some(quote)) => (
                            format!("{name}{quote}: {number}"),
                            format!("{name}{quote}: ${{1:{number}}}"),
                        ),
                        (true, None) => (
                            format!("\"{name}\": {number}"),
                            format!("\"{name}\": ${{1:{number}}}"),
                        ),
                    };
                self.push_as(kind, name, &shape.describe(), markdown, insert, Some(snippet));
                continue;
            }
            self.push_key(CompletionKind::Switch, name, &shape.describe(), markdown, shape);
        }
    }
}

/// A comma where something begins in braces or brackets right behind what is written there, which is nothing yet or
/// one word.
fn suffix(cursor: &Cursor, line: &str, behind: &str, word: usize) -> &'static str {
    let is_flow = match cursor.site {
        Site::Inline { flow, quote } => flow && quote.is_none(),
        // Behind a key with a colon stands its value.
        Site::Key { .. } => {
            is_open(line) && !behind.get(word..).unwrap_or_default().starts_with(':')
        }
        _ => false,
    };
    let rest = behind.get(word..).unwrap_or_default();
    let next = rest.trim_start_matches([' ', '\t']);
    let blanks = rest.len() - next.len();
    let is_next =
        next.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '"' | '\'' | '{'));
    let line = next.lines().next().unwrap_or_default();
    let is_pair = line.split_once(':').is_some_and(|(key, _)| !key.contains([',', ' ', '}', ']']));
    match is_flow && is_next && blanks > 0 && line.contains(['}', ']']) && (is_pair || word == 0) {
        true => ",",
        false => "",
    }
}

/// Whether a brace of a line is not closed on it.
fn is_open(line: &str) -> bool {
    line.matches('{').count() > line.matches('}').count()
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
