//! What lowering needs: names become indexes, patterns are compiled. What a rule refers to must be
//! declared; what is not is reported here, with the nearest name.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use behavior_facts::tools;
use behavior_image::code::Verdict;
use behavior_image::glob::{is_direct, is_list};
use behavior_image::is_document_name;
use behavior_runtime::decision::Phase;

use crate::ast::{BehaviorConfig, WhenUnanswered, WhenUndecided};
use crate::authority::Authority;
use crate::conditions::ReadShapes;
use crate::decode::{Reports, ToolName, did_you_mean, inside_quotes, wrong_type};
use crate::diagnostic::{Applicability, Diagnostic, DiagnosticKind};
use crate::fragment::{escaped, excerpt};
use crate::ir::{Index, Trigger};
use crate::pattern::{self, Budget, Pattern, PatternProblem};
use crate::programs::{Classes, Table};
use crate::registry::diagnostics as d;
use crate::registry::schema::{NameKind, Shape};
use crate::source::{SourceMap, Span};
use crate::syntax::{Kind, Node, Style, locate, locate_exactly};
use crate::template;
use crate::tool_names::begins_command;

/// The names that rules may refer to.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// What is declared in a way that nobody understands, which was reported: it is not missed.
    pub unread: HashSet<Box<str>>,
    /// The sets, in the order of the program.
    pub sets: NameTable,
    /// The counters.
    pub counters: NameTable,
    /// The flags.
    pub flags: NameTable,
}

/// Names of one kind and their indexes.
#[derive(Debug, Default)]
pub(crate) struct NameTable {
    indexes: HashMap<Box<str>, Index, foldhash::fast::RandomState>,
    names: Vec<Box<str>>,
}

impl NameTable {
    /// Adds a name; answers with its index.
    pub fn add(&mut self, name: &str) -> Index {
        let index = self.names.len() as Index;
        self.indexes.insert(name.into(), index);
        self.names.push(name.into());
        index
    }

    fn get(&self, name: &str) -> Option<Index> {
        self.indexes.get(name).copied()
    }

    /// Whether something is called so.
    pub fn has(&self, name: &str) -> bool {
        self.indexes.contains_key(name)
    }
}

/// The patterns of a program, each text once.
#[derive(Debug)]
pub(crate) struct Patterns {
    indexes: HashMap<PatternKey, Option<Index>, foldhash::fast::RandomState>,
    pub table: Vec<Pattern>,
    /// What is said of patterns that compile and were probably not meant.
    warnings: HashMap<Index, Vec<PatternProblem>, foldhash::fast::RandomState>,
    budget: Budget,
}

/// A pattern as it is written.
pub(crate) type PatternKey = (PatternKind, Box<str>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PatternKind {
    Regex,
    Glob,
    Literal,
    Word,
}

/// What a config says for all its rules.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleDefaults<'a> {
    /// What is answered where nobody can tell whether a rule that stops calls applies.
    pub when_undecided: Verdict,
    /// What becomes of an ask that nobody can answer.
    pub when_unanswered: Verdict,
    /// What `protected` means among the names of branches.
    pub protected_branches: &'a [Box<str>],
}

impl<'a> RuleDefaults<'a> {
    /// Those of a config. Without authority, it lets no call pass.
    pub fn of(config: &'a BehaviorConfig, authority: Authority) -> Self {
        let is_full = authority == Authority::Full;
        let undecided = config.when_undecided.unwrap_or(WhenUndecided::Ask).verdict();
        let unanswered = config.when_nobody_can_answer.unwrap_or(WhenUnanswered::Deny).verdict();
        let or = |verdict: Verdict, other| match verdict {
            Verdict::Allow if !is_full => other,
            verdict => verdict,
        };
        let protected = config.protected_branches.as_ref().map_or(&[][..], |names| &names.0);
        Self {
            when_undecided: or(undecided, Verdict::Ask),
            when_unanswered: or(unanswered, Verdict::Deny),
            protected_branches: protected,
        }
    }
}

/// Everything that lowering a rule needs.
pub(crate) struct Lowering<'a> {
    pub reports: &'a mut Reports,
    pub sources: &'a SourceMap,
    pub names: &'a Names,
    pub patterns: &'a mut Patterns,
    /// What is known of programs.
    pub programs: &'a Table,
    /// The thresholds, for the standard library's `$name`.
    pub thresholds: &'a [(Box<str>, i64)],
    /// What holds for rules that do not say it themselves.
    pub defaults: RuleDefaults<'a>,
    /// Classes of commands, by their names.
    pub classes: &'a Classes,
    /// What was made of classes already, as several rules ask for the same.
    pub read_classes: HashMap<Box<str>, ReadShapes, foldhash::fast::RandomState>,
    pub allow_unknown_conditions: bool,
    /// The phase of the rule being lowered.
    pub phase: Phase,
    /// How many unknown conditions were met.
    pub not_understood: u32,
}

impl Lowering<'_> {
    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.reports.push(diagnostic);
    }

    /// The text of the file that a span lies in.
    pub fn text_of(&self, span: Span) -> SourceText {
        SourceText(self.sources.get(span.file).cloned())
    }

    /// The index of a name of this kind.
    pub fn name(&mut self, kind: NameKind, node: &Node) -> Option<Index> {
        let table = match kind {
            NameKind::Set => &self.names.sets,
            NameKind::Counter => &self.names.counters,
            _ => &self.names.flags,
        };
        let name = node.as_str()?;
        let found = table.get(name);
        if found.is_none() && !self.names.unread.contains(name) {
            let diagnostic = undeclared(kind, name, node.span, &table.names);
            self.report(diagnostic);
        }
        found
    }

    /// The index of a set.
    pub fn set(&mut self, node: &Node) -> Option<Index> {
        self.name(NameKind::Set, node)
    }

    /// The index of a counter.
    pub fn counter(&mut self, node: &Node) -> Option<Index> {
        self.name(NameKind::Counter, node)
    }

    /// The index of a flag.
    pub fn flag(&mut self, node: &Node) -> Option<Index> {
        self.name(NameKind::Flag, node)
    }

    /// A whole number, or in the standard library a threshold.
    pub fn number(&mut self, node: &Node, least: i64) -> Option<i64> {
        let shape = Shape::Int(least, i64::MAX);
        match &node.kind {
            Kind::Int(number) if *number >= least => Some(*number),
            Kind::Int(number) => {
                let message = format!("expected {}, found `{number}`", shape.describe());
                self.report(Diagnostic::new(&d::OUT_OF_RANGE, node.span, message));
                None
            }
            Kind::String(text) if self.is_builtin(node.span) => self.threshold(text),
            _ => {
                wrong_type(node, shape, self.reports);
                None
            }
        }
    }

    /// The threshold that `$name` stands for.
    fn threshold(&self, text: &str) -> Option<i64> {
        let name = text.strip_prefix('$')?;
        self.thresholds.iter().find(|(known, _)| **known == *name).map(|(_, value)| *value)
    }

    /// A condition of the standard library with its thresholds as numbers; others as they are.
    pub fn filled_in<'n>(&self, node: &'n Node) -> Cow<'n, Node> {
        if !self.is_builtin(node.span) {
            return Cow::Borrowed(node);
        }
        let mut node = node.clone();
        self.fill_in(&mut node);
        Cow::Owned(node)
    }

    fn fill_in(&self, node: &mut Node) {
        // The tree's depth is bounded by the parser.
        match &mut node.kind {
            Kind::String(text) => {
                if let Some(number) = self.threshold(text) {
                    node.kind = Kind::Int(number);
                }
            }
            Kind::Seq(items) => items.iter_mut().for_each(|item| self.fill_in(item)),
            Kind::Map(entries) => {
                entries.iter_mut().for_each(|entry| self.fill_in(&mut entry.value));
            }
            _ => {}
        }
    }

    /// Whether something stands in the standard library.
    pub fn is_builtin(&self, span: Span) -> bool {
        self.sources.get(span.file).is_some_and(|source| source.name.starts_with("builtin:"))
    }

    /// The index of a regular expression.
    pub fn pattern(&mut self, node: &Node) -> Option<Index> {
        self.pattern_of(PatternKind::Regex, node)
    }

    /// The index of a path pattern.
    pub fn glob(&mut self, node: &Node) -> Option<Index> {
        self.pattern_of(PatternKind::Glob, node)
    }

    /// The index of a path pattern that is a part of one that an author wrote; `None` where there is no
    /// more room for it.
    pub fn partial_glob(&mut self, glob: &str) -> Option<Index> {
        let budget = &mut self.patterns.budget;
        let key = (PatternKind::Glob, Box::from(glob));
        if let Some(known) = self.patterns.indexes.get(&key) {
            return *known;
        }
        let compiled = pattern::glob::compile(glob, budget).ok();
        let index = compiled.map(|pattern| self.patterns.add(pattern));
        self.patterns.indexes.insert(key, index);
        index
    }

    /// The indexes of patterns that together match what any of these globs of the library does: as few as have
    /// automata, since the others are slow to make ready.
    pub fn library_globs(&mut self, globs: &[&str]) -> Vec<Index> {
        if !self.patterns.budget.is_any() {
            return globs.iter().filter_map(|glob| self.library_glob(glob)).collect();
        }
        // One that needs its automaton would make the whole list need it.
        let (direct, others): (Vec<&str>, Vec<&str>) =
            globs.iter().partition(|glob| is_direct(glob) && !is_list(glob));
        if !direct.is_empty() && !others.is_empty() {
            return [self.library_globs(&direct), self.library_globs(&others)].concat();
        }
        let joined = match globs {
            [] => return Vec::new(),
            [one] => (*one).to_owned(),
            several => format!("{{{}}}", several.join(",")),
        };
        let has_automaton = |pattern: Pattern| {
            pattern.dfa.is_some() || pattern.plain.is_some() || pattern.literals_suffice
        };
        if globs.len() == 1 || compiled_glob(&joined, true).is_some_and(has_automaton) {
            return self.library_glob(&joined).into_iter().collect();
        }
        let (one, other) = globs.split_at(globs.len() / 2);
        [self.library_globs(one), self.library_globs(other)].concat()
    }

    /// The index of a path pattern of the library's own.
    pub fn library_glob(&mut self, glob: &str) -> Option<Index> {
        let key = (PatternKind::Glob, Box::from(glob));
        if let Some(known) = self.patterns.indexes.get(&key) {
            return *known;
        }
        let with_automaton = self.patterns.budget.is_any();
        let index = compiled_glob(glob, with_automaton).map(|pattern| self.patterns.add(pattern));
        self.patterns.indexes.insert(key, index);
        index
    }

    /// The index of the pattern that a text contains `value`, ignoring case.
    pub fn literal(&mut self, value: &str) -> Index {
        let key = (PatternKind::Literal, Box::from(value));
        if let Some(Some(index)) = self.patterns.indexes.get(&key) {
            return *index;
        }
        let pattern = pattern::literal(value);
        let index = self.patterns.add(pattern);
        self.patterns.indexes.insert(key, Some(index));
        index
    }

    /// The index of a glob over one word, which stands at `range` of a node's text.
    pub fn word_glob_at(&mut self, glob: &str, node: &Node, range: Range<usize>) -> Option<Index> {
        let key = (PatternKind::Word, Box::from(glob));
        if let Some(Some(index)) = self.patterns.indexes.get(&key) {
            return Some(*index);
        }
        match pattern::word::compile(glob, false, &mut self.patterns.budget) {
            Ok(pattern) => {
                let index = self.patterns.add(pattern);
                self.patterns.indexes.insert(key, Some(index));
                Some(index)
            }
            Err(mut problems) => {
                for problem in &mut problems {
                    let inner = problem.range.clone();
                    problem.range = range.start + inner.start..range.start + inner.end;
                }
                self.report_pattern_problems(node, problems);
                None
            }
        }
    }

    fn pattern_of(&mut self, kind: PatternKind, node: &Node) -> Option<Index> {
        let text = node.as_str()?;
        let key = (kind, Box::from(text));
        // A pattern that is wrong is reported wherever it stands, so only good ones are kept; and so is one that was
        // probably not meant. Those that nobody wrote before were not looked at for that.
        let known = self.patterns.indexes.get(&key).copied().flatten();
        if let Some(index) = known
            && let Some(warnings) = self.patterns.warnings.get(&index)
        {
            if !warnings.is_empty() {
                let warnings = warnings.clone();
                self.report_pattern_problems(node, warnings);
            }
            return Some(index);
        }
        let budget = &mut self.patterns.budget;
        let compiled = match kind {
            PatternKind::Glob => pattern::glob::compile(text, budget)
                .map(|compiled| (compiled, pattern::glob::misread(text).into_iter().collect())),
            _ => pattern::compile(text, budget),
        };
        match compiled {
            Ok((pattern, warnings)) => {
                let index = known.unwrap_or_else(|| self.patterns.add(pattern));
                self.patterns.warnings.insert(index, warnings.clone());
                self.report_pattern_problems(node, warnings);
                self.patterns.indexes.insert(key, Some(index));
                Some(index)
            }
            Err(problems) => {
                self.report_pattern_problems(node, problems);
                None
            }
        }
    }

    fn report_pattern_problems(&mut self, node: &Node, problems: Vec<PatternProblem>) {
        let source = self.text_of(node.span);
        for problem in problems {
            let span = locate(&source, node, problem.range.clone());
            let mut diagnostic = Diagnostic::new(problem.kind, span, problem.message);
            diagnostic.help = problem.help;
            let fix = problem.rewrite.map(|rewrite| (problem.range, rewrite));
            self.report(with_fix(diagnostic, &source, node, fix, Applicability::Unsafe));
        }
    }
}

/// A path pattern of the library's own, compiled once in a process, outside of any budget: with its automaton, or without
/// for those who never match it.
fn compiled_glob(glob: &str, with_automaton: bool) -> Option<Pattern> {
    type Compiled = BTreeMap<Box<str>, Pattern>;
    static COMPILED: [Mutex<Compiled>; 2] =
        [Mutex::new(BTreeMap::new()), Mutex::new(BTreeMap::new())];
    let compiled = COMPILED.get(usize::from(with_automaton))?;
    let mut compiled = compiled.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = compiled.get(glob) {
        return Some(known.clone());
    }
    let mut budget = if with_automaton { Budget::for_program(1) } else { Budget::none() };
    let pattern = pattern::glob::compile(glob, &mut budget).ok()?;
    if compiled.len() < MAX_COMPILED {
        compiled.insert(glob.into(), pattern.clone());
    }
    Some(pattern)
}

/// More patterns of the library than this are not kept.
const MAX_COMPILED: usize = 1024;

/// Normalised tool names, each once.
pub(crate) fn normal_tool_names<'n>(
    names: impl Iterator<Item = &'n ToolName>,
    reports: &mut Reports,
) -> Vec<Trigger> {
    let mut normal: Vec<Trigger> = Vec::new();
    let mut scratch = String::new();
    for name in names {
        let text = name.text().trim();
        if text.is_empty() {
            let message = "a tool name may not be empty";
            reports.push(
                Diagnostic::new(&d::EMPTY_NAME, name.span(), message)
                    .help("write the tool's name, or `*` for all tools"),
            );
            continue;
        }
        if let Some(diagnostic) = command_in_name(name, text) {
            reports.push(diagnostic);
            continue;
        }
        if text.contains([' ', '\t', '\n', '\r', ',', '|']) {
            reports.push(several_in_one(name, text));
            continue;
        }
        if text != "*" {
            reports.diagnostics.extend(no_name(name, text));
        }
        tools::normalise(text, &mut scratch);
        if !normal.iter().any(|known| *known.name == *scratch) {
            normal.push(Trigger { name: scratch.as_str().into(), span: name.span() });
        }
    }
    normal
}

/// Reports a name that leads to no file of the project or the user.
pub(crate) fn check_document(name: &str, span: Span, reports: &mut Reports) -> Option<()> {
    if is_document_name(name) {
        return Some(());
    }
    let message = format!("`{}` is no path of a file within the project", excerpt(name));
    let diagnostic = Diagnostic::new(&d::INVALID_DOCUMENT, span, message)
        .help("write the path from the project's folder, without `..`: `coding-rules.md`");
    reports.push(diagnostic);
    None
}

/// A name with signs or of a meaning that no tool has, which is read as it stands.
fn no_name(name: &ToolName, text: &str) -> Option<Diagnostic> {
    let report = |message: String| {
        let severity = crate::diagnostic::Severity::Warning;
        Diagnostic::new(&d::INVALID_TOOL_NAME, name.span(), message).severity(severity)
    };
    let message = format!("no tool is called `{}`", excerpt(text));
    if matches!(&*text.to_ascii_lowercase(), "all" | "any" | "every" | "all_tools" | ".*") {
        let place = inside_quotes(name.span(), text);
        // Without quotes, YAML takes it for an alias.
        let is_quoted = place != name.span();
        let all = if is_quoted { "*" } else { "\"*\"" };
        let report = report(message).help("for all tools, write `\"*\"`");
        return Some(report.replace(place, all, Applicability::Unsafe));
    }
    if text.contains('*') {
        let message = format!("{message}: a `*` stands alone, for all tools");
        let help = "list the tools by their names, or write `*` and let a condition say which calls are meant";
        return Some(report(message).help(help));
    }
    if text.starts_with(['!', '-']) {
        let help = "a trigger names tools and leaves none out: list those that are meant";
        return Some(report(message).help(help));
    }
    if text.contains(['^', '$', '?', '+', '[', '(']) {
        let plain: String =
            text.chars().filter(|sign| sign.is_alphanumeric() || *sign == '_').collect();
        let help = format!("a trigger is a name and no pattern: write `{}`", excerpt(&plain));
        return Some(report(message).help(help));
    }
    None
}

/// A tool name that holds a command: `Bash(git push:*)`, as some agents write it, or the command alone.
fn command_in_name(name: &ToolName, text: &str) -> Option<Diagnostic> {
    let (tool, command) = match text.split_once('(').zip(text.strip_suffix(')')) {
        Some(((tool, _), all)) => {
            let inside = all.get(tool.len() + 1..)?;
            (tool, inside.replace(":*", " *"))
        }
        None => {
            let (first, _) = text.split_once(' ')?;
            begins_command(first).then(|| ("bash", text.to_owned()))?
        }
    };
    let message = format!("no tool is called `{}`", excerpt(text));
    let help = format!(
        "name the tool, `{}`, and say in a condition what it runs: `runs {}`",
        tool.trim().to_ascii_lowercase(),
        format_args!("\"{}\"", command.trim().replace('"', "\\\"")),
    );
    Some(Diagnostic::new(&d::INVALID_TOOL_NAME, name.span(), message).help(help))
}

/// A tool name with a blank, a comma or a bar in it, most often a list in one string.
fn several_in_one(name: &ToolName, text: &str) -> Diagnostic {
    let parts: Vec<&str> =
        text.split([',', ' ', '\t', '\n', '\r', '|']).filter(|part| !part.is_empty()).collect();
    let list = format!("[{}]", parts.join(", "));
    let message =
        format!("no tool is called `{text}`: a tool name has no blank, no comma and no bar");
    Diagnostic::new(&d::INVALID_TOOL_NAME, name.span(), message)
        .help(format!("for several tools, write a list: `{list}`"))
}

impl Patterns {
    /// No patterns yet, for a program of so many rules.
    pub fn for_rules(rules: usize) -> Self {
        Self::within(Budget::for_program(rules))
    }

    /// No patterns yet, for a program that nobody runs.
    pub fn without_automata() -> Self {
        Self::within(Budget::none())
    }

    fn within(budget: Budget) -> Self {
        let (indexes, warnings) = (HashMap::default(), HashMap::default());
        Self { indexes, table: Vec::new(), warnings, budget }
    }

    /// Whether automata are made.
    pub fn has_automata(&self) -> bool {
        self.budget.is_any()
    }

    /// How patterns are written, each with itself; `None` where one is not known by what is written.
    pub fn keys_of(&self, indexes: &[Index]) -> Option<Vec<(PatternKey, Pattern)>> {
        let keys = self.indexes.iter().filter_map(|(key, index)| Some(((*index)?, key)));
        let keys: HashMap<Index, &PatternKey> = keys.collect();
        let pair = |index: &Index| {
            let pattern = self.table.get(*index as usize)?;
            Some(((*keys.get(index)?).clone(), pattern.clone()))
        };
        indexes.iter().map(pair).collect()
    }

    /// The index of a pattern that was compiled for another program.
    pub fn put(&mut self, key: &PatternKey, pattern: &Pattern) -> Index {
        if let Some(Some(index)) = self.indexes.get(key) {
            return *index;
        }
        let index = self.add(pattern.clone());
        self.indexes.insert(key.clone(), Some(index));
        index
    }

    fn add(&mut self, pattern: Pattern) -> Index {
        self.table.push(pattern);
        self.table.len() as Index - 1
    }
}

/// The text of a file, or nothing.
#[derive(Clone)]
pub(crate) struct SourceText(Option<Arc<crate::source::Source>>);

impl std::ops::Deref for SourceText {
    type Target = str;

    fn deref(&self) -> &str {
        self.0.as_ref().map_or("", |source| &source.text)
    }
}

/// A problem of a message or directive text, at its place in the file.
pub(crate) fn template_problem(
    source: &str,
    node: &Node,
    problem: template::Problem,
) -> Diagnostic {
    template_report(&d::INVALID_TEMPLATE, source, node, problem)
}

/// What is said of placeholders that doubled braces make text of.
pub(crate) fn literal_placeholders(
    source: &str,
    node: &Node,
    known: &[template::Placeholder],
) -> Vec<Diagnostic> {
    let problems = template::literal_placeholders(node.as_str().unwrap_or_default(), known);
    let report = |problem| template_report(&d::LITERAL_PLACEHOLDER, source, node, problem);
    problems.into_iter().map(report).collect()
}

fn template_report(
    kind: &'static DiagnosticKind,
    source: &str,
    node: &Node,
    problem: template::Problem,
) -> Diagnostic {
    let span = locate(source, node, problem.range);
    let mut diagnostic = Diagnostic::new(kind, span, problem.message);
    diagnostic.help = problem.help;
    with_fix(diagnostic, source, node, problem.fix, Applicability::Unsafe)
}

/// The diagnostic with a fix of a part of a text. Where its place in the file cannot be told, as in a
/// text within a text that has escapes, nothing is replaced.
pub(crate) fn with_fix(
    diagnostic: Diagnostic,
    source: &str,
    node: &Node,
    fix: Option<(Range<usize>, impl Into<String>)>,
    sure: Applicability,
) -> Diagnostic {
    let place = |(range, text)| Some((locate_exactly(source, node, range)?, text));
    let fix = fix.map(|(range, text)| {
        let text: String = text.into();
        // A value of an expression stands in quotes of its own, inside of those of the file.
        let is_quoted = matches!(&node.kind, Kind::String(value) if value.style() == Style::Plain)
            && source.get(node.span.start as usize..).is_some_and(|at| at.starts_with(['"', '\'']));
        let text = if is_quoted { escaped(&text) } else { text };
        (range, text)
    });
    match fix.and_then(place) {
        Some((place, text)) => diagnostic.replace(place, text, sure),
        None => diagnostic,
    }
}

/// `` a `pre_tool` ``, with the article that the phase takes.
pub(crate) fn a_phase(phase: Phase) -> &'static str {
    match phase {
        Phase::PreTool => "a `pre_tool`",
        Phase::PostTool => "a `post_tool`",
        Phase::OnText => "an `on_text`",
        Phase::TurnEnd => "a `turn_end`",
        Phase::Exchange => "an `exchange`",
    }
}

/// Reports a name that nothing declares.
fn undeclared(kind: NameKind, name: &str, span: Span, declared: &[Box<str>]) -> Diagnostic {
    let what = kind.describe();
    let message = format!("nothing declares a {what} called `{name}`");
    let diagnostic = Diagnostic::new(&d::UNDECLARED_NAME, span, message);
    let names = declared.iter().map(|name| &**name);
    let diagnostic = did_you_mean(diagnostic, name, names, &format!("declared {what}s"));
    match diagnostic.help {
        Some(_) => diagnostic,
        None => diagnostic.help(format!("declare it under `state_tracking.{what}s`")),
    }
}

impl Lowering<'_> {
    /// Reports a place in which there is nothing in the phase of the rule.
    pub fn never_holds(&mut self, span: Span, lacks: &str) {
        let message = format!("there {lacks} in {} rule", a_phase(self.phase));
        self.report(Diagnostic::new(&d::CONDITION_NEVER_HOLDS, span, message));
    }
}
