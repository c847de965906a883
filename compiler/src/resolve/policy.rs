//! From policy files to one list of rules in the order in which they are looked at. Patterns become
//! tests of tools, commands and arguments here.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use behavior_facts::tool_catalogue::{self, is_shell};
use behavior_facts::tools;
use behavior_image::code::{ApprovalMode, FactKind, PermissionAction, Priority};

use crate::ast::{self, PolicyFile, PolicyRule};
use crate::command::habit::{self, OPAQUE, refuse_operators};
use crate::command::{self, PatternWord, ShapeBuilder, words};
use crate::conditions::file_paths;
use crate::decode::{HostPattern, PolicyPattern, Spanned};
use crate::diagnostic::{Applicability, Diagnostic, DiagnosticKind, Severity};
use crate::fragment::{Problem, excerpt};
use crate::ir::{
    self, Index, Permissions, PolicyAlternative, PolicyFact, Shape, ToolTest, Trigger,
};
use crate::lower::{Lowering, with_fix};
use crate::misspelt;
use crate::policy_pattern::{self, Alternative};
use crate::registry::diagnostics as d;
use crate::source::Span;
use crate::syntax::{Node, locate};

/// The fields that say what a rule is about.
const ABOUT: &[&str] =
    &["pattern", "tool_pattern", "arg_pattern", "params", "host", "path", "reads", "writes"];

/// How many flags a command pattern may name.
const MAX_FLAGS: usize = 64;

/// All rules in the order in which they are looked at, and the mode.
pub(super) fn lower(files: &[PolicyFile], lowering: &mut Lowering<'_>) -> Permissions {
    let said = files.iter().find_map(|file| file.approval_mode.as_ref());
    let mode = said.map(|said| mode(said.value));
    let mode_span = said.map(|said| said.span);
    for file in files {
        report_doubles(file.rules.as_deref().unwrap_or_default(), lowering);
        report_unexplained(file.rules.as_deref().unwrap_or_default(), lowering);
        report_slid_mode(file, lowering);
    }
    let written = files.iter().filter_map(|file| file.rules.as_ref()).flatten();
    let mut rules: Vec<_> = written.filter_map(|rule| lowering.policy_rule(rule)).collect();
    // The sort is stable: within one priority, the order of the files and in them holds.
    rules.sort_by_key(|rule| std::cmp::Reverse(rule.priority));
    Permissions { mode, mode_span, rules }
}

/// Reports rules of one file that have the same name: who reads of one cannot tell which it is.
fn report_doubles(rules: &[Spanned<PolicyRule>], lowering: &mut Lowering<'_>) {
    let mut known: HashMap<&str, Span> = HashMap::new();
    for name in rules.iter().filter_map(|rule| rule.value.name.as_ref()) {
        match known.entry(name.value.trim()) {
            Entry::Vacant(entry) => {
                entry.insert(name.span);
            }
            Entry::Occupied(first) => {
                let message = format!("two rules are called `{}`", excerpt(&name.value));
                lowering.report(
                    Diagnostic::new(&d::DUPLICATE_RULE, name.span, message)
                        .severity(Severity::Warning)
                        .label(*first.get(), "the first of them")
                        .help("give each a name of its own: decisions name the rule"),
                );
            }
        }
    }
}

/// Notes the rules of one file that stop calls and do not say why, all at the first of them.
fn report_unexplained(rules: &[Spanned<PolicyRule>], lowering: &mut Lowering<'_>) {
    let stops = |rule: &PolicyRule| {
        use ast::PermissionAction::{AskUser, Deny};
        matches!(rule.action, Some(Deny | AskUser))
    };
    let says = |rule: &PolicyRule| {
        rule.reason.as_ref().is_some_and(|reason| !reason.value.trim().is_empty())
    };
    let mut found = rules.iter().filter(|rule| stops(&rule.value) && !says(&rule.value));
    let Some(first) = found.next() else { return };
    let Some(name) = &first.value.name else { return };
    let others = match found.count() {
        0 => " has".to_owned(),
        1 => " and another rule have".to_owned(),
        count => format!(" and {count} other rules have"),
    };
    let message =
        format!("`{}`{others} no reason: the agent learns that, not why", excerpt(&name.value));
    lowering.report(
        Diagnostic::new(&d::EMPTY_MESSAGE, name.span, message)
            .severity(Severity::Info)
            .help("add a `reason` that says what to do instead"),
    );
}

/// Reports a mode that was probably meant for the whole policy: in TOML, what stands below the last table is in it.
fn report_slid_mode(file: &PolicyFile, lowering: &mut Lowering<'_>) {
    let last = file.rules.iter().flatten().next_back();
    let Some(mode) = last.and_then(|rule| rule.value.approval_mode.as_ref()) else { return };
    if file.approval_mode.is_some() {
        return;
    }
    let source = lowering.sources.get(mode.span.file).map_or("", |source| &*source.text);
    let before = source.get(..mode.span.start as usize).unwrap_or_default();
    let line = before.rfind('\n').map_or("", |end| before.get(..end).unwrap_or_default());
    let above = line.rsplit('\n').next().unwrap_or_default().trim();
    let stands_apart = above.is_empty() || above.starts_with('#');
    if stands_apart && !line.trim_end().is_empty() {
        let message = "this mode is for the rule above it alone";
        lowering.report(
            Diagnostic::new(&d::SLID_MODE, mode.span, message)
                .help("for the whole policy, write `approval_mode` above the first `[[rules]]`"),
        );
    }
}

fn mode(mode: ast::ApprovalMode) -> ApprovalMode {
    match mode {
        ast::ApprovalMode::Ask => ApprovalMode::Ask,
        ast::ApprovalMode::AutoEdit => ApprovalMode::AutoEdit,
        ast::ApprovalMode::Yolo => ApprovalMode::Yolo,
        ast::ApprovalMode::Agent => ApprovalMode::Agent,
    }
}

fn priority(priority: ast::Priority) -> Priority {
    match priority {
        ast::Priority::Admin => Priority::Admin,
        ast::Priority::User => Priority::User,
        ast::Priority::Default => Priority::Default,
    }
}

fn action(action: ast::PermissionAction) -> PermissionAction {
    match action {
        ast::PermissionAction::Allow => PermissionAction::Allow,
        ast::PermissionAction::Deny => PermissionAction::Deny,
        ast::PermissionAction::AskUser => PermissionAction::Ask,
        ast::PermissionAction::DryRunFirst => PermissionAction::DryRunFirst,
    }
}

/// A tool that a pattern names.
#[derive(Clone, Debug)]
struct Tool {
    test: ToolTest,
    /// Whether it may run commands, and whether it may do something else.
    shell: bool,
    other: bool,
}

impl Tool {
    fn any() -> Self {
        Self { test: ToolTest::Any, shell: true, other: true }
    }
}

impl Lowering<'_> {
    /// A rule; `None` when something about it is wrong, which was reported.
    fn policy_rule(&mut self, rule: &Spanned<PolicyRule>) -> Option<ir::PolicyRule> {
        let Spanned { value: rule, span } = rule;
        if let Some(name) = rule.name.as_ref().filter(|name| is_no_name(&name.value)) {
            let message = "the name of a rule is text on one line";
            self.report(
                Diagnostic::new(&d::EMPTY_NAME, name.span, message)
                    .help("say what the rule is for, such as `no forced pushes`"),
            );
        }
        let subject = self.subject(rule, *span);
        let facts = self.facts(rule);
        let (alternatives, pattern) = subject?;
        self.check_misspelt_params(rule, &alternatives);
        Some(ir::PolicyRule {
            name: rule.name.as_ref()?.value.clone(),
            span: *span,
            pattern_span: pattern.1,
            pattern: pattern.0,
            priority: rule.priority.map_or(Priority::User, priority),
            action: action(rule.action?),
            mode: rule.approval_mode.as_ref().map(|said| mode(said.value)),
            alternatives,
            facts: facts?,
            reason: rule.reason.as_ref().map(|reason| reason.value.clone()).unwrap_or_default(),
        })
    }

    /// What a rule is about, and how and where that is written.
    #[expect(clippy::type_complexity, reason = "the alternatives, and the pattern with its place")]
    fn subject(
        &mut self,
        rule: &PolicyRule,
        span: Span,
    ) -> Option<(Vec<PolicyAlternative>, (Box<str>, Span))> {
        let apart = rule.tool_pattern.as_ref().or(rule.arg_pattern.as_ref());
        let with_flags = rule.action != Some(ast::PermissionAction::Allow);
        match (&rule.pattern, apart) {
            (Some(pattern), None) => {
                let alternatives = self.pattern_alternatives(pattern, with_flags);
                Some((alternatives?, (pattern.text().into(), pattern.span())))
            }
            (None, Some(apart)) => {
                let tools = match &rule.tool_pattern {
                    Some(pattern) => {
                        let tools = self.tools(pattern);
                        if let Some(arguments) = &rule.arg_pattern {
                            self.check_tools_with_arguments(pattern, arguments);
                        }
                        tools
                    }
                    None => Some(vec![Tool::any()]),
                };
                let alternatives = match &rule.arg_pattern {
                    Some(pattern) => self.arguments(pattern, &tools?, with_flags)?,
                    None => tools?.into_iter().map(|tool| of_tool(tool.test)).collect(),
                };
                let parts = [&rule.tool_pattern, &rule.arg_pattern].into_iter().flatten();
                let parts: Vec<&str> = parts.map(PolicyPattern::text).collect();
                let text = match (&rule.tool_pattern, parts.as_slice()) {
                    (None, [argument]) => format!("*({argument})"),
                    (_, [tool, argument]) => format!("{tool}({argument})"),
                    (_, parts) => parts.concat(),
                };
                Some((alternatives, (text.into(), apart.span())))
            }
            (Some(pattern), Some(apart)) => {
                let is_tool = rule.tool_pattern.is_some();
                let name = if is_tool { "tool_pattern" } else { "arg_pattern" };
                let message = format!("a rule has `pattern` or `{name}`, not both");
                self.report(
                    Diagnostic::new(&d::CONFLICTING_FIELDS, apart.span(), message)
                        .label(pattern.span(), "the other pattern")
                        .help("`pattern` names tools and commands in one; `tool_pattern` and `arg_pattern` name them apart: delete one or the other"),
                );
                None
            }
            (None, None) if let Some(fact) = first_fact(rule) => {
                Some((vec![of_tool(ToolTest::Any)], ("*".into(), fact)))
            }
            (None, None) => {
                // A pattern that is there and is no text was reported.
                let is_reported = self.reports.diagnostics.iter().any(|diagnostic| {
                    diagnostic.kind.name == d::WRONG_TYPE.name && span.contains(diagnostic.span)
                });
                if !is_reported && !self.reports.has_key_for(ABOUT, span) {
                    let message = "this rule does not say what it is about";
                    self.report(
                        Diagnostic::new(&d::MISSING_FIELD, span, message).help(
                            "add `pattern`, such as `\"git push *\"`, `\"edit|write\"` or `\"*\"` for everything",
                        ),
                    );
                }
                None
            }
        }
    }

    /// What must hold of a call beside its patterns; `None` when something about it is wrong, which was
    /// reported.
    fn facts(&mut self, rule: &PolicyRule) -> Option<Vec<PolicyFact>> {
        let mut facts = Vec::new();
        for (name, pattern) in rule.params.iter().flat_map(|params| &params.0) {
            let text = pattern.text();
            let index = self.word_glob_at(text, &pattern.node, 0..text.len())?;
            facts.push(PolicyFact::Param(name.value.clone(), index));
        }
        if let Some(host) = &rule.host {
            facts.push(PolicyFact::Host(self.host(host)?));
        }
        let files = [
            (FactKind::Touches, &rule.path),
            (FactKind::Reads, &rule.reads),
            (FactKind::Writes, &rule.writes),
        ];
        for (used, paths) in files {
            if let Some(paths) = paths {
                facts.push(PolicyFact::Files(used, file_paths(paths, self)?));
            }
        }
        Some(facts)
    }

    /// The pattern of a host: a name in lower case, in which `*` is any text.
    fn host(&mut self, pattern: &HostPattern) -> Option<Index> {
        let text = pattern.text().to_ascii_lowercase();
        let is_sign = |sign: char| !(sign.is_alphanumeric() || "*.-_".contains(sign));
        let is_address = text.trim_matches(['[', ']']).parse::<std::net::Ipv6Addr>().is_ok();
        let wrong = text.find(is_sign).filter(|_| !is_address);
        if !text.is_empty() && wrong.is_none() {
            let glob = if is_address { text.replace(['[', ']'], "") } else { text.clone() };
            return self.word_glob_at(&glob, &pattern.node, 0..text.len());
        }
        let behind = text.split_once("://").map_or(&*text, |(_, rest)| rest);
        let host = behind.split(is_sign).next().unwrap_or_default();
        let mut problem = Problem::new(0..text.len(), "this is not the name of a host")
            .help("write `docs.rs`, or `*.example.com` for a domain and all that lies below it");
        if !host.is_empty() && host != text {
            problem = problem.fix(0..text.len(), host);
        }
        self.pattern_problem(&d::INVALID_POLICY_PATTERN, &pattern.node, problem);
        None
    }

    fn read_pattern(&mut self, pattern: &PolicyPattern) -> Option<Vec<Alternative>> {
        match policy_pattern::parse(pattern.text()) {
            Ok(alternatives) => Some(alternatives),
            Err(problems) => {
                for problem in problems {
                    self.pattern_problem(&d::INVALID_POLICY_PATTERN, &pattern.node, problem);
                }
                None
            }
        }
    }

    fn pattern_problem(&mut self, kind: &'static DiagnosticKind, node: &Node, problem: Problem) {
        self.pattern_report(kind, node, problem, Applicability::Unsafe);
    }

    /// Reports a pattern that reads otherwise than it looks.
    pub(crate) fn misread(&mut self, node: &Node, problem: Problem, is_sure: bool) {
        let sure = if is_sure { Applicability::Safe } else { Applicability::Unsafe };
        self.pattern_report(&d::MISREAD_PATTERN, node, problem, sure);
    }

    /// Reports a problem in a pattern, with a fix that is so sure.
    fn pattern_report(
        &mut self,
        kind: &'static DiagnosticKind,
        node: &Node,
        problem: Problem,
        sure: Applicability,
    ) {
        let text = self.text_of(node.span);
        let mut diagnostic =
            Diagnostic::new(kind, locate(&text, node, problem.range), problem.message);
        diagnostic.help = problem.help;
        self.report(with_fix(diagnostic, &text, node, problem.fix, sure));
    }

    /// What `pattern` is about. All alternatives are looked at, so that all problems show.
    fn pattern_alternatives(
        &mut self,
        pattern: &PolicyPattern,
        with_flags: bool,
    ) -> Option<Vec<PolicyAlternative>> {
        let parts = self.read_pattern(pattern)?;
        let mut lowered = Vec::with_capacity(parts.len());
        let mut is_good = true;
        for part in parts {
            let alternatives: Option<Vec<_>> = match part {
                Alternative::Command(range) => {
                    let shapes = self.command_shapes(&pattern.node, range, with_flags);
                    shapes.map(|shapes| shapes.into_iter().map(of_shell).collect())
                }
                tool => {
                    self.check_tool_name(pattern, &tool, None);
                    let tools = self.tool(&pattern.node, tool);
                    tools.map(|tools| tools.into_iter().map(|tool| of_tool(tool.test)).collect())
                }
            };
            is_good &= alternatives.is_some();
            lowered.extend(alternatives.into_iter().flatten());
        }
        is_good.then_some(lowered)
    }

    /// Reports a program where a tool is named, `rm` for `bash(rm *)`. With `arguments`, those that
    /// stand apart.
    fn check_tool_name(
        &mut self,
        pattern: &PolicyPattern,
        part: &Alternative,
        arguments: Option<&str>,
    ) {
        let Alternative::Tool(range) = part else { return };
        let name = pattern.text().get(range.clone()).unwrap_or_default();
        if !self.programs.is_program(name) || is_tool_too(name) {
            return;
        }
        let message = format!("`{name}` names a tool here, and `{name}` is a program");
        let problem = Problem::new(range.clone(), message);
        match arguments {
            Some(arguments) => {
                let help =
                    format!("to match a command write `pattern = \"bash({name} {arguments})\"`");
                self.pattern_problem(&d::MISREAD_PATTERN, &pattern.node, problem.help(help));
            }
            None => {
                let command = format!("bash({name} *)");
                let help = format!(
                    "to match a command write `{command}`; for a tool that is called so, \
                     `tool_pattern = \"{name}\"`"
                );
                let problem = problem.help(help).fix(range.clone(), command);
                self.pattern_problem(&d::MISREAD_PATTERN, &pattern.node, problem);
            }
        }
    }

    /// Reports programs as the tools whose arguments are asked for.
    fn check_tools_with_arguments(&mut self, pattern: &PolicyPattern, arguments: &PolicyPattern) {
        let parts = policy_pattern::parse(pattern.text()).unwrap_or_default();
        for part in &parts {
            self.check_tool_name(pattern, part, Some(arguments.text()));
        }
    }

    /// The tools of `tool_pattern`.
    fn tools(&mut self, pattern: &PolicyPattern) -> Option<Vec<Tool>> {
        let parts = self.read_pattern(pattern)?;
        let tools: Vec<Option<Vec<Tool>>> = parts
            .into_iter()
            .map(|part| match part {
                Alternative::Command(range) => {
                    let written = excerpt(pattern.text().get(range.clone()).unwrap_or_default());
                    let message =
                        format!("`{written}` is a command, and `tool_pattern` names tools");
                    let problem = Problem::new(range, message).help(format!(
                        "write `pattern = \"bash({written})\"`, or the command in `arg_pattern`"
                    ));
                    self.pattern_problem(&d::INVALID_POLICY_PATTERN, &pattern.node, problem);
                    None
                }
                part => self.tool(&pattern.node, part),
            })
            .collect();
        let tools: Option<Vec<Vec<Tool>>> = tools.into_iter().collect();
        tools.map(|tools| tools.into_iter().flatten().collect())
    }

    /// The tools that an alternative names.
    fn tool(&mut self, node: &Node, part: Alternative) -> Option<Vec<Tool>> {
        let text = node.as_str().unwrap_or_default();
        let slice = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default();
        let mut normal = String::new();
        match part {
            Alternative::Tool(range) => {
                let written = self.unquoted(node, range.clone())?;
                tools::normalise(&written, &mut normal);
                if let Some(globs) = servers(&written.to_ascii_lowercase(), &normal) {
                    let tests = globs.iter().map(|glob| self.tool_glob(glob, node, &range));
                    return tests.collect();
                }
                if normal == "*" {
                    return Some(vec![Tool::any()]);
                }
                match command::literal(&normal) {
                    Some(name) => {
                        self.check_misspelt_tool(node, range, &normal);
                        let shell = is_shell(&name);
                        // As in triggers, every tool that runs command lines has that name too.
                        let test = match name == tools::SHELL {
                            true => ToolTest::Shell,
                            false => ToolTest::Named(name.into()),
                        };
                        Some(vec![Tool { test, shell, other: !shell }])
                    }
                    None => self.tool_glob(&normal, node, &range).map(|tool| vec![tool]),
                }
            }
            Alternative::Mcp(server, tool) => {
                let range = server.start..tool.as_ref().unwrap_or(&server).end;
                let glob = format!("{}.{}", slice(&server), tool.as_ref().map_or("*", slice));
                tools::normalise(&glob, &mut normal);
                // The name of the server counts, so that this is no name that any tool may have.
                self.tool_glob(&normal, node, &range).map(|tool| vec![tool])
            }
            Alternative::Command(_) => None,
        }
    }

    /// Reports a tool that is nearly called as one that agents have.
    fn check_misspelt_tool(&mut self, node: &Node, range: Range<usize>, name: &str) {
        let span = locate(&self.text_of(node.span), node, range);
        self.reports.diagnostics.extend(misspelt::tool(name, span, self.sources));
    }

    /// Reports parameters that the tools of a rule do not have, under a name near to one.
    fn check_misspelt_params(&mut self, rule: &PolicyRule, alternatives: &[PolicyAlternative]) {
        let named = |alternative: &PolicyAlternative, span| {
            let name: &str = match &alternative.tool {
                ToolTest::Shell => tools::SHELL,
                ToolTest::Named(name) => name,
                ToolTest::Any | ToolTest::Pattern(_) => return None,
            };
            Some(Trigger { name: name.into(), span })
        };
        for (name, _) in rule.params.iter().flat_map(|params| &params.0) {
            let tools = alternatives.iter().map(|alternative| named(alternative, name.span));
            let Some(mut tools) = tools.collect::<Option<Vec<Trigger>>>() else { return };
            tools.dedup_by(|one, other| one.name == other.name);
            let found = misspelt::parameter(&name.value, &tools, name.span, self.sources);
            self.reports.diagnostics.extend(found);
        }
    }

    fn tool_glob(&mut self, glob: &str, node: &Node, range: &Range<usize>) -> Option<Tool> {
        let test = self.word_glob_at(glob, node, range.clone()).map(ToolTest::Pattern)?;
        Some(Tool { test, shell: true, other: true })
    }

    /// A word as a glob, without its quotes.
    fn unquoted(&mut self, node: &Node, range: Range<usize>) -> Option<String> {
        let text = node.as_str()?.get(range)?;
        let word = words(text).ok()?.into_iter().next()?;
        Some(word.glob)
    }

    /// What `arg_pattern` is about: a command for tools that run commands, text for others.
    fn arguments(
        &mut self,
        pattern: &PolicyPattern,
        tools: &[Tool],
        with_flags: bool,
    ) -> Option<Vec<PolicyAlternative>> {
        let node = &pattern.node;
        let text = pattern.text();
        if text.trim().is_empty() {
            let problem = Problem::new(0..text.len(), "an empty pattern matches no argument")
                .help("write a command such as `git push *`, or leave `arg_pattern` out");
            self.pattern_problem(&d::INVALID_POLICY_PATTERN, node, problem);
            return None;
        }
        let mut shapes = Vec::new();
        if tools.iter().any(|tool| tool.shell) {
            shapes = self.command_shapes(node, 0..text.len(), with_flags)?;
        }
        let mut globs = Vec::new();
        if tools.iter().any(|tool| tool.other) {
            globs.push(self.word_glob_at(text, node, 0..text.len())?);
            // A blank and `*` at the end also match nothing.
            if let Some(start) = text.strip_suffix(" *").filter(|start| !start.is_empty()) {
                globs.push(self.word_glob_at(start, node, 0..start.len())?);
            }
        }
        let mut alternatives = Vec::new();
        for tool in tools {
            let of_shell = shapes.iter().filter(|_| tool.shell).map(|shape| PolicyAlternative {
                tool: tool.test.clone(),
                command: Some(shape.clone()),
                argument: None,
            });
            let of_others = globs.iter().filter(|_| tool.other).map(|glob| PolicyAlternative {
                tool: tool.test.clone(),
                command: None,
                argument: Some(*glob),
            });
            alternatives.extend(of_shell.chain(of_others));
        }
        Some(alternatives)
    }

    /// The shapes of a command pattern; most often one. `with_flags` says whether it is also about
    /// commands that mean the same by a flag.
    fn command_shapes(
        &mut self,
        node: &Node,
        range: Range<usize>,
        with_flags: bool,
    ) -> Option<Vec<Shape>> {
        let text = node.as_str()?.get(range.clone())?;
        if text.trim() == OPAQUE {
            return Some(vec![Shape { opaque: true, ..Shape::default() }]);
        }
        let moved = |mut problem: Problem| {
            let shift = |part: Range<usize>| range.start + part.start..range.start + part.end;
            problem.range = shift(problem.range);
            problem.fix = problem.fix.map(|(place, text)| (shift(place), text));
            problem
        };
        let read = words(text)
            .and_then(|words| refuse_operators(text, &words, instead_of).map(|()| words));
        let words = match read {
            Ok(words) => words,
            Err(problem) => {
                self.pattern_problem(&d::INVALID_COMMAND_PATTERN, node, moved(problem));
                return None;
            }
        };
        for habit in habit::habits(text, &words, self.programs, as_alternatives) {
            self.misread(node, moved(habit.problem), habit.is_sure);
        }
        let mut failed = false;
        let table = self.programs;
        let mut glob = |word: &PatternWord| -> Option<Index> {
            let place = range.start + word.range.start..range.start + word.range.end;
            let index = self.word_glob_at(&word.glob, node, place);
            failed |= index.is_none();
            index
        };
        let shapes = ShapeBuilder { table, glob: &mut glob, with_flags }.shapes(&words, false);
        let problem = match shapes {
            Ok(_) if failed => return None,
            Ok(shapes) if shapes.iter().all(|shape| shape.flags.len() <= MAX_FLAGS) => {
                return Some(shapes);
            }
            Ok(_) => {
                let message = format!("a command pattern names at most {MAX_FLAGS} flags");
                Problem::new(0..text.len(), message)
            }
            Err(problem) => problem,
        };
        self.pattern_problem(&d::INVALID_COMMAND_PATTERN, node, moved(problem));
        None
    }
}

/// The globs of a name that begins as agents begin those of MCP tools, `mcp__server__tool`, where it
/// is no whole such name: `mcp__server`, `mcp__*`, `mcp_*`.
fn servers(written: &str, normal: &str) -> Option<Vec<String>> {
    let tools_of = |servers: &str| match servers.contains('.') {
        true => servers.to_owned(),
        false => format!("{servers}.*"),
    };
    if written.starts_with("mcp__") {
        return (!normal.contains('.')).then(|| vec![tools_of(normal)]);
    }
    let rest = normal.strip_prefix("mcp_").filter(|rest| rest.starts_with(['*', '?', '[']))?;
    // `mcp_*` also takes the second `_`.
    let any = if rest == "*" { tools_of(rest) } else { format!("*.{rest}") };
    Some(vec![normal.to_owned(), if rest.contains('.') { rest.to_owned() } else { any }])
}

/// Tells whether the name of a program is that of a tool of some agents, too.
fn is_tool_too(name: &str) -> bool {
    tool_catalogue::find(&name.to_ascii_lowercase()).is_some()
}

/// Where the first thing stands that a rule says of calls beside their patterns.
fn first_fact(rule: &PolicyRule) -> Option<Span> {
    let param = rule.params.iter().flat_map(|params| &params.0).map(|(_, pattern)| pattern.span());
    let host = rule.host.iter().map(HostPattern::span);
    let files = [&rule.path, &rule.reads, &rule.writes].into_iter().flatten();
    param.chain(host).chain(files.map(|paths| paths.span)).next()
}

fn is_no_name(name: &str) -> bool {
    name.trim().is_empty() || name.contains(char::is_control)
}

fn of_tool(tool: ToolTest) -> PolicyAlternative {
    PolicyAlternative { tool, command: None, argument: None }
}

fn of_shell(shape: Shape) -> PolicyAlternative {
    PolicyAlternative { tool: ToolTest::Shell, command: Some(shape), argument: None }
}

/// What to write in a policy for a sign that joins commands.
fn instead_of(sign: &str) -> &'static str {
    match sign {
        "|" | "||" => {
            "for either of two commands write `bash(…)|bash(…)`; for the character, quote it"
        }
        _ => "write a rule for each command; for the character, quote it",
    }
}

/// Several command patterns as one pattern of a policy.
fn as_alternatives(patterns: &[String]) -> String {
    let each: Vec<_> = patterns.iter().map(|pattern| format!("bash({pattern})")).collect();
    each.join("|")
}
