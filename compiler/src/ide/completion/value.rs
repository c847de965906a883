//! What a value may be: words of a choice, names, placeholders, expressions, patterns, texts that are known.

use std::collections::BTreeSet;

use behavior_facts::tool_catalogue::TOOLS;

use super::{CompletionKind, List};
use crate::ast::PolicyRule;
use crate::conditions::{COMPOSITES, FileKind};
use crate::decode::Decode;
use crate::ide::expression::{self, Next};
use crate::ide::hover::name_kind;
use crate::ide::patterns::{self, Next as NextOfPattern};
use crate::ide::place::{CursorPlace, alternatives};
use crate::ide::siblings::Beside;
use crate::ide::{describe, events, hints, tools_named, values};
use crate::parameters;
use crate::registry::schema::{NameKind, Shape};
use crate::resolve::switches::{THRESHOLDS, ThresholdKind};
use crate::rule_test::{Expectation, RuleExamples};
use crate::syntax::cursor::Step;
use crate::template::{self, Argument, Placeholder};

/// Path patterns that most projects have a use for.
const GLOBS: &[(&str, &str)] = &[
    ("**/*.md", "every document in Markdown"),
    ("**/.env*", "files of the environment"),
    (".github/**", "workflows of GitHub"),
    ("docs/**", "documentation"),
    ("migrations/**", "migrations"),
    ("src/**", "sources"),
    ("tests/**", "tests"),
];

/// A text as a part of a snippet.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
}

/// The parameters that tools of all kinds have.
const COMMON_PARAMS: &[&str] =
    &["command", "file_path", "path", "content", "pattern", "query", "url"];

impl List<'_> {
    /// What a value may be.
    pub(super) fn values(&mut self, place: CursorPlace) {
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
            Shape::Message => {
                let phase = self.phase();
                let is_empty = |known: &&Placeholder| phase.is_some_and(|it| known.is_empty_in(it));
                self.placeholders(template::PLACEHOLDERS.iter().filter(|known| !is_empty(known)));
            }
            Shape::Directive => self.placeholders(template::DIRECTIVE_PLACEHOLDERS.iter()),
            // An expression begins with its quote there.
            Shape::Condition if self.is_json && self.quote.is_none() => {}
            Shape::Condition => self.expressions(),
            Shape::Policy => self.patterns(),
            Shape::Any if self.is_event() => self.events(&[]),
            Shape::Any if self.is_of_event("ok") => self.value(Shape::Bool),
            Shape::Any if self.is_of_event("tool") => self.tools(),
            Shape::Any if self.is_counted() => self.numbers(),
            Shape::Text | Shape::Any if self.is_path() => self.globs(),
            Shape::Text | Shape::Any => self.known_texts(),
            Shape::Int(..) if self.quote.is_none() => self.numbers(),
            Shape::Record(record) if record.name == RuleExamples::RECORD.name => self.examples(),
            Shape::Glob => self.globs(),
            _ => {}
        }
    }

    /// The examples of a rule on one line, to be filled in.
    fn examples(&mut self) {
        if self.quote.is_none() && !self.is_json && !self.is_toml && !self.is_on_own_line {
            let (insert, snippet) = ("{ fires: [], passes: [] }", "{ fires: [$1], passes: [$2] }");
            let detail = "calls on which the rule fires, and others that pass";
            let (kind, snippet) = (CompletionKind::Value, Some(snippet.to_owned()));
            self.push_as(kind, insert, detail, String::new(), insert.to_owned(), snippet);
        }
    }

    /// Whether an event of a test stands here as an item of a list in brackets.
    fn is_event(&self) -> bool {
        self.is_flow && events::place(self.path) == Some(events::Inside::Event)
    }

    /// Whether the value of a field of an event is written.
    fn is_of_event(&self, field: &str) -> bool {
        events::place(self.path) == Some(events::Inside::Params(field))
    }

    /// Whether files are written: of a policy's rule, or of those that a command may touch.
    fn is_path(&self) -> bool {
        let of_rule = self.owner.is_some_and(|(record, field)| {
            record.name == PolicyRule::RECORD.name && matches!(field, "path" | "reads" | "writes")
        });
        of_rule || self.runs == Some("spares")
    }

    /// Whether the kind of files is written that a policy's rule is about: `path = { is = "secret" }`.
    fn is_kind_of_files(&self) -> bool {
        let is_path = |step: &Step| matches!(step, Step::Key(key) if matches!(key.as_str(), "path" | "reads" | "writes"));
        matches!(self.path, [.., of, Step::Key(key)] if is_path(of) && key == "is")
    }

    /// Whether the number is written that a counter is held against.
    fn is_counted(&self) -> bool {
        let is = |step: &Step, name: &str| matches!(step, Step::Key(key) if key == name);
        matches!(self.path, [.., of, key] if is(of, "counter_gte") && is(key, "value"))
    }

    /// Numbers that stand here most: those of the thresholds, or what holds where nothing is written.
    fn numbers(&mut self) {
        let key = self.key.unwrap_or_default();
        let default = self.owner.and_then(|(record, field)| record.field(field)?.default);
        if self.owner.is_some_and(|(record, _)| record.name == Expectation::RECORD.name)
            && key == "at"
        {
            let events = Beside::new(self.file, self.offset).events().into_iter().enumerate();
            return self.push_each(events.map(|(at, event)| (at.to_string(), event)).collect());
        }
        let own = THRESHOLDS.iter().find(|known| known.name == key && self.owner.is_none());
        let found: Vec<(String, String)> = match own {
            Some(threshold) => {
                let now = hints::number(threshold.name, threshold.default, self.surroundings);
                let says = "what holds without this".to_owned();
                let off = format!("switches `{}` off", threshold.rule);
                let default = (threshold.default.to_string(), "the default".to_owned());
                vec![(now.to_string(), says), default, ("0".to_owned(), off)]
            }
            None if key == "value" => self.thresholds(),
            None => {
                let number = default.filter(|text| text.parse::<i64>().is_ok());
                number.map(|text| (text.to_owned(), "the default".to_owned())).into_iter().collect()
            }
        };
        self.push_each(found);
    }

    /// The thresholds of built-in rules, as they are where the file is, by the number.
    fn thresholds(&self) -> Vec<(String, String)> {
        let now = |it: &ThresholdKind| hints::number(it.name, it.default, self.surroundings);
        let known = THRESHOLDS.iter().map(|it| (now(it).to_string(), format!("as `{}`", it.name)));
        let few = ["1", "3", "5", "10"].map(|number| (number.to_owned(), String::new()));
        known.chain(few).collect()
    }

    /// Offers texts, each once.
    fn push_each(&mut self, found: Vec<(String, String)>) {
        let mut seen = BTreeSet::new();
        for (text, detail) in found {
            if seen.insert(text.clone()) {
                self.push(CompletionKind::Value, &text, &detail, String::new());
            }
        }
    }

    /// Path patterns: those that the file and what it builds on name, and some that most projects have.
    fn globs(&mut self) {
        let written = self.written;
        let mut known = self.surroundings.mentioned(|shape| matches!(shape, Shape::Glob));
        known.retain(|glob| glob != written && !glob.contains(['\\', '"', '\'']));
        let mut found: Vec<(String, String)> =
            known.into_iter().map(|glob| (glob, "named here".to_owned())).collect();
        found.extend(GLOBS.iter().map(|(glob, says)| ((*glob).to_owned(), (*says).to_owned())));
        self.push_each(found);
    }

    /// What a pattern of a policy may go on with.
    fn patterns(&mut self) {
        let parts = patterns::Parts::of_field(self.key.unwrap_or_default());
        let next = patterns::next(self.written, parts);
        self.pattern(next, parts);
    }

    fn pattern(&mut self, next: NextOfPattern<'_>, parts: patterns::Parts) {
        let surroundings = self.surroundings;
        let written = match next {
            NextOfPattern::Alternative(written)
            | NextOfPattern::Program(written)
            | NextOfPattern::Server(written)
            | NextOfPattern::Subcommand(_, written)
            | NextOfPattern::Flag(.., written) => written,
            NextOfPattern::Nothing => return,
        };
        self.start = self.end_of_written() - written.len() as u32;
        match next {
            NextOfPattern::Alternative(_) => {
                if parts.has_tools() {
                    self.named_or_seen_tools();
                }
                for (label, detail) in parts.calls() {
                    let (insert, snippet) = match self.quote {
                        Some(_) => ((*label).to_owned(), None),
                        None => (format!("\"{label})\""), Some(format!("\"{label}$1)\""))),
                    };
                    let kind = CompletionKind::Value;
                    self.push_as(kind, label, detail, String::new(), insert, snippet);
                }
                if parts.has_tools() {
                    self.other_tools();
                }
                // A command may stand without more; all programs would hide what else there is.
                if parts == patterns::Parts::Both && !written.is_empty() {
                    for (name, detail) in patterns::programs(surroundings.programs().as_deref()) {
                        self.push(CompletionKind::Name, &name, detail, String::new());
                    }
                }
            }
            NextOfPattern::Server(_) => {
                let tools = surroundings.project().store.tools();
                let mentioned = surroundings.mentioned(|shape| matches!(shape, Shape::Tool));
                for name in patterns::of_servers(tools.iter().chain(&mentioned)) {
                    self.push(CompletionKind::Name, &name, "of an MCP server", String::new());
                }
            }
            NextOfPattern::Program(_) => {
                for (name, detail) in patterns::programs(surroundings.programs().as_deref()) {
                    self.push(CompletionKind::Name, &name, detail, String::new());
                }
            }
            NextOfPattern::Subcommand(program, _) => {
                for name in surroundings.subcommands(program) {
                    let detail = format!("of `{program}`");
                    self.push(CompletionKind::Name, &name, &detail, String::new());
                }
            }
            NextOfPattern::Flag(program, subcommand, _) => {
                let programs = surroundings.programs();
                for flag in patterns::flags(programs.as_deref(), program, subcommand) {
                    let detail = format!("flag of `{program}`");
                    self.push(CompletionKind::Name, &flag, &detail, String::new());
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

    /// The parameters that a policy's rule may ask about: those of the tools that it names, else those that tools
    /// have most.
    pub(super) fn known_params(&self) -> Vec<(String, String)> {
        let mut found: Vec<(String, String)> = Vec::new();
        for tool in Beside::new(self.file, self.offset).tools_of_pattern() {
            for name in self.params_of(&tool) {
                if found.iter().all(|(other, _)| *other != name) {
                    found.push((name, format!("parameter of `{tool}`")));
                }
            }
        }
        if found.is_empty() {
            let common = COMMON_PARAMS.iter();
            found.extend(common.map(|name| ((*name).to_owned(), "parameter".to_owned())));
        }
        found
    }

    /// Parameters: those of the tools that the rule is about, then those that the file names. Without tools that
    /// are known, those that tools have most.
    fn params(&mut self) {
        let is_param = |shape: &Shape| matches!(shape, Shape::Name(NameKind::Param));
        let tools = Beside::new(self.file, self.offset).tools();
        let known = tools.iter().map(|tool| (tool, self.params_of(tool)));
        let known = known.flat_map(|(tool, params)| {
            params.into_iter().map(move |name| (name, format!("parameter of `{tool}`")))
        });
        let mut offered: Vec<(String, String)> = known.collect();
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

    /// Tools: those that something names, then others that agents are known to have.
    fn tools(&mut self) {
        self.named_or_seen_tools();
        self.other_tools();
    }

    /// The tools that files name and that recorded sessions call.
    fn named_or_seen_tools(&mut self) {
        let written = self.written;
        let mut names = self.surroundings.mentioned(|shape| matches!(shape, Shape::Tool));
        names.extend(self.named_tools().into_iter().map(|tool| tool.name));
        let mut met = BTreeSet::new();
        names.retain(|name| name != written && name != "*" && met.insert(name.clone()));
        let seen = self.surroundings.project().store.tools();
        let seen: Vec<String> = seen.into_iter().filter(|name| !names.contains(name)).collect();
        names.extend(seen.iter().cloned());
        names.push("*".to_owned());
        for name in names {
            let detail = match name.as_str() {
                "*" => "every tool",
                _ if seen.contains(&name) => "tool, seen in recorded sessions",
                _ => "tool",
            };
            self.push(CompletionKind::Name, &name, detail, String::new());
        }
    }

    /// The tools that agents are known to have and that are not offered yet.
    fn other_tools(&mut self) {
        for tool in TOOLS {
            if self.found.iter().all(|known| known.label != tool.name) && tool.name != self.written
            {
                self.push(CompletionKind::Name, tool.name, "tool", String::new());
            }
        }
    }

    /// Placeholders, where a brace is open.
    fn placeholders(&mut self, mut known: impl Iterator<Item = &'static Placeholder>) {
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
                let placeholder = known.find(|placeholder| placeholder.name == name);
                let Some(kind) = placeholder.and_then(|placeholder| placeholder.argument) else {
                    return;
                };
                // No quotes around a name in a text.
                self.quote = self.quote.or(Some('"'));
                if kind == Argument::Document {
                    for known in values::documents(self.surroundings.project(), self.file) {
                        self.push(CompletionKind::Name, &known.text, &known.detail, String::new());
                    }
                    return;
                }
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

    /// The conditions that go on from what is written of one.
    fn conditions_behind(&mut self, part: &str) {
        self.start = self.end_of_written() - part.len() as u32;
        let phase = self.phase();
        for (kind, expression) in expression::matching(part) {
            if phase.is_some_and(|phase| !kind.phases.contains(&phase)) {
                continue;
            }
            let Some(expression) = self.with_names(expression, part.len()) else { continue };
            let insert = match self.quote {
                Some('"') => expression.replace('"', "\\\""),
                _ => expression.clone(),
            };
            let kinds = CompletionKind::Condition;
            let markdown = describe::condition(kind);
            self.push_as(kinds, &expression, kind.name, markdown, insert, None);
        }
    }

    /// A sample of a condition with names that there are, in place of those behind what is written: one that is
    /// declared, a parameter of the rule's tools. `None` where nothing of the kind is declared.
    fn with_names(&self, sample: String, written: usize) -> Option<String> {
        let Some((range, kind)) = expression::name_in(&sample) else { return Some(sample) };
        if range.start < written {
            return Some(sample);
        }
        let own = sample.get(range.clone()).unwrap_or_default();
        let name = match kind {
            NameKind::Param => {
                let tools = Beside::new(self.file, self.offset).tools();
                let known = tools.iter().flat_map(|tool| self.params_of(tool));
                let known: Vec<String> = known.collect();
                let has_own = known.is_empty() || known.iter().any(|name| name == own);
                let other = known.into_iter().next().filter(|_| !has_own);
                other.unwrap_or_else(|| own.to_owned())
            }
            _ => {
                let declared = self.surroundings.declared(kind);
                let mut names = declared.iter().map(|declared| &*declared.entry.key.text);
                let first = names.clone().next()?;
                names.find(|name| *name == own).unwrap_or(first).to_owned()
            }
        };
        let mut sample = sample;
        sample.replace_range(range, &name);
        Some(sample)
    }

    /// The parameters of a tool: what is known of it, else what the project asks of it.
    fn params_of(&self, tool: &str) -> Vec<String> {
        match parameters::of(&tool.to_lowercase()) {
            Some(known) => known.iter().map(|name| (*name).to_owned()).collect(),
            None => tools_named::params_of(self.surroundings.project(), self.file, tool),
        }
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
            Next::Word(words, part) => {
                narrow(self, part);
                let kinds = FileKind::CHOICES;
                for word in words {
                    let docs = kinds.iter().find(|kind| kind.name == *word).map(describe::choice);
                    let docs = docs.unwrap_or_default();
                    self.push(CompletionKind::Value, word, "kind of file", docs);
                }
            }
            Next::Number(part) => {
                narrow(self, part);
                let found = self.thresholds();
                self.push_each(found);
            }
            Next::Command(part, true) => {
                self.quote = self.quote.or(Some('"'));
                self.command_behind(part);
            }
            Next::Command(part, false) => {
                self.start = self.end_of_written() - part.len() as u32;
                self.quoted_programs();
            }
            Next::Glob(part) => {
                narrow(self, part);
                self.globs();
            }
            Next::Connective(part) => {
                narrow(self, part);
                for (word, detail) in [("and", "both hold"), ("or", "one holds")] {
                    self.push(CompletionKind::Value, word, detail, String::new());
                }
                // What is whole may go on all the same.
                self.start = self.offset - written.len() as u32;
                self.conditions_behind(written);
            }
            Next::Condition(part) => {
                self.conditions_behind(part);
                if part.is_empty() {
                    let markdown =
                        COMPOSITES.iter().find(|it| it.name == "not").map(describe::composite);
                    let (kind, not) = (CompletionKind::Condition, "not");
                    let markdown = markdown.unwrap_or_default();
                    self.push_as(kind, not, "the opposite", markdown, "not ".to_owned(), None);
                }
            }
        }
    }

    /// Programs as the beginning of a command in quotes.
    fn quoted_programs(&mut self) {
        let quote = if self.quote == Some('"') { "\\\"" } else { "\"" };
        for (name, detail) in patterns::programs(self.surroundings.programs().as_deref()) {
            let insert = format!("{quote}{name}{quote}");
            let snippet = format!("{}{name}$1{}", escaped(quote), escaped(quote));
            let kind = CompletionKind::Name;
            self.push_as(kind, &name, detail, String::new(), insert, Some(snippet));
        }
    }

    /// Texts that are known by their field alone.
    fn known_texts(&mut self) {
        let (surroundings, file) = (self.surroundings, self.file);
        let project = surroundings.project();
        let known = match (self.runs, self.owner) {
            (Some("runs" | "any" | "all" | "not"), _) => return self.command(),
            (Some(field), _) => {
                let around = Beside::new(file, self.offset);
                let beside = around.with(&["program"]);
                values::of_runs(field, beside, file, project, surroundings)
            }
            (None, Some((record, field))) => {
                let beside = Beside::new(file, self.offset);
                let here = values::Here { beside: &beside };
                values::of_field(record, field, here, file, project, surroundings)
            }
            (None, None) => match events::place(self.path) {
                Some(events::Inside::Params("event")) => values::native_events(),
                _ if self.is_kind_of_files() => return self.value(FileKind::SHAPE),
                _ if matches!(self.key, Some("branch" | "pushes_to")) => values::branches(),
                _ => Vec::new(),
            },
        };
        for known in known {
            self.push(CompletionKind::Name, &known.text, &known.detail, String::new());
        }
    }

    /// The words of a command pattern.
    fn command(&mut self) {
        self.command_behind(self.written);
    }

    /// The words that a command may go on with, that of a program which runs another one included.
    fn command_behind(&mut self, written: &str) {
        let programs = self.surroundings.programs();
        let command = patterns::unwrapped(programs.as_deref(), written);
        let next = patterns::next(command, patterns::Parts::Arguments);
        self.pattern(next, patterns::Parts::Arguments);
    }
}
