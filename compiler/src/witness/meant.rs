//! Rules as they were most likely meant, where a lint says what that is: with its fix, or with a tool or a parameter
//! under the name that it proposes.

use std::sync::Arc;

use behavior_runtime::Image;

use crate::codegen;
use crate::compilation::Compilation;
use crate::diagnostic::DiagnosticKind;
use crate::ir::{MessagePart, Program, Reference, Rule, Trigger};
use crate::lint::{constant, each_test};
use crate::parameters;
use crate::problem::{Place, Problem};
use crate::provider::{Instead, SourceProvider};
use crate::registry::diagnostics as d;
use crate::resolve::Options;
use crate::source::Span;
use crate::tool_names;

/// The tool that runs commands.
const SHELL: &str = "bash";

/// Rules that can be tried.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub program: Arc<Program>,
    pub image: Arc<Image>,
}

impl Rules {
    /// Compiles a file; `None` where it has errors.
    pub fn of(provider: &dyn SourceProvider, file: &str) -> Option<(Self, Compilation)> {
        // They decide on a few events and are dropped.
        let options =
            Options { without_automata: true, skip_comparisons: true, ..Options::default() };
        let mut compilation = crate::compile_all(provider, &[file.to_owned()], &options);
        let image = Arc::new(compilation.image.take()?);
        let program = Arc::new(std::mem::take(&mut compilation.program));
        Some((Self { program, image }, compilation))
    }

    /// Compiles a program that was changed.
    fn changed(program: Program, compilation: &Compilation) -> Option<Self> {
        let bytes = codegen::generate(&program, &compilation.sources, None).ok()?;
        let image = Arc::new(Image::from_bytes(bytes).ok()?);
        Some(Self { program: Arc::new(program), image })
    }
}

/// How it is known what was meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The rule should not fire on everything.
    Less,
    /// So should one whose condition always holds.
    Constant,
    /// A set is filled by what reads.
    Filled,
    /// A tool has another name.
    Tool,
    /// A fix says it.
    Fix,
    /// A parameter has another name.
    Parameter,
    /// A rule has an id of its own.
    Id,
}

/// The kinds of problems that something which happens can show.
const WAYS: [(&DiagnosticKind, Way); 14] = [
    (&d::BLOCKS_EVERYTHING, Way::Less),
    (&d::PATTERN_MATCHES_EVERYTHING, Way::Less),
    (&d::CONSTANT_CONDITION, Way::Constant),
    (&d::NEVER_FILLED, Way::Filled),
    (&d::COMMAND_AS_TOOL, Way::Tool),
    (&d::UNKNOWN_TOOL, Way::Tool),
    (&d::MISREAD_PATTERN, Way::Fix),
    (&d::MISREAD_PATH, Way::Fix),
    (&d::BUNDLED_FLAGS, Way::Fix),
    (&d::UNKNOWN_PROGRAM, Way::Fix),
    (&d::PATTERN_NEVER_MATCHES, Way::Fix),
    (&d::POSIX_CLASS_IN_PATTERN, Way::Fix),
    (&d::UNKNOWN_PARAMETER, Way::Parameter),
    (&d::OVERRIDDEN_RULE, Way::Id),
];

fn way(problem: &Problem) -> Option<Way> {
    WAYS.iter().find(|(kind, _)| kind.name == problem.name).map(|(_, way)| *way)
}

/// Whether something that happens can show a problem.
pub(super) fn can_be_shown(problem: &Problem) -> bool {
    way(problem).is_some()
}

/// What a problem says that the rules should be.
#[derive(Debug)]
pub(super) enum Meant {
    /// These rules.
    Rules(Rules),
    /// A rule that does not fire on everything.
    Less,
}

/// What was meant in place of rules that have a problem; `None` where nothing that happens would show it.
pub(super) fn meant(
    provider: &dyn SourceProvider,
    (written, compilation): (&Rules, &Compilation),
    problem: &Problem,
    span: Span,
) -> Option<Meant> {
    let program = &written.program;
    let place = &problem.place;
    let edits = match way(problem)? {
        Way::Less => return Some(Meant::Less),
        Way::Constant => {
            let rule = rule_at(program, span).filter(|rule| rule.span == span)?;
            return (constant(&rule.condition, rule.phase) == Some(true)).then_some(Meant::Less);
        }
        way @ (Way::Filled | Way::Tool) => {
            let mut changed = Program::clone(program);
            let is_changed = match way {
                Way::Filled => filled(&mut changed, span),
                _ => renamed(&mut changed, span, problem),
            };
            let rules = is_changed.then(|| Rules::changed(changed, compilation)).flatten();
            return rules.map(Meant::Rules);
        }
        Way::Fix => {
            let edits = problem.fixes.first()?.edits.iter();
            edits.map(|(place, text)| (place, text.clone())).collect()
        }
        Way::Parameter => vec![(place, with_parameter(rule_at(program, span)?, place)?)],
        Way::Id => vec![(place, other_id(text_at(place)?))],
    };
    let text = edited(&place.source.text, edits)?;
    let name = &*place.source.name;
    Some(Meant::Rules(Rules::of(&Instead { below: provider, name, text: &text }, name)?.0))
}

/// A place as the compilation numbers files.
pub(super) fn span_in(compilation: &Compilation, place: &Place) -> Option<Span> {
    let mut sources = compilation.sources.iter();
    let (file, _) = sources.find(|(_, source)| source.name == place.source.name)?;
    Some(Span::new(file, place.start, place.end))
}

/// The rule that a place is in.
pub(super) fn rule_at(program: &Program, span: Span) -> Option<&Rule> {
    program.rules.iter().find(|rule| rule.span.contains(span))
}

/// Has the tool that reads what a set holds add to it; whether that is known.
fn filled(program: &mut Program, span: Span) -> bool {
    let Some(set) = program.sets.iter_mut().find(|set| set.span == span) else { return false };
    let tool = match set.targets.first().map(|target| &**target) {
        Some("command") => SHELL,
        None | Some("file_path" | "path") => "read",
        Some(_) => return false,
    };
    set.add_on.push(tool.into());
    true
}

/// Gives tools the names that were meant; whether there is one.
fn renamed(program: &mut Program, span: Span, problem: &Problem) -> bool {
    let is_command = problem.name == d::COMMAND_AS_TOOL.name;
    let mut triggers = program.rules.iter_mut().flat_map(|rule| &mut rule.triggers);
    if let Some(trigger) = triggers.find(|trigger| trigger.span == span) {
        return rename(trigger, is_command);
    }
    let named = |name: &str| problem.message.starts_with(&format!("`{name}`"));
    let counters = program.counters.iter_mut().filter(|counter| counter.span == span);
    let counting = counters.flat_map(|it| it.increment_on.iter_mut().chain(&mut it.reset_on));
    let flags = program.flags.iter_mut().filter(|flag| flag.span == span);
    let setting = flags.flat_map(|flag| flag.set_on.iter_mut().chain(&mut flag.unset_on));
    let mut found = false;
    for name in counting.chain(setting).filter(|name| is_command && named(name)) {
        *name = SHELL.into();
        found = true;
    }
    found
}

fn rename(trigger: &mut Trigger, is_command: bool) -> bool {
    let meant = if is_command { Some(SHELL) } else { tool_names::meant(&trigger.name) };
    let Some(meant) = meant else { return false };
    trigger.name = meant.into();
    true
}

/// The text of a place with the parameter that was meant.
fn with_parameter(rule: &Rule, place: &Place) -> Option<String> {
    let written = text_at(place)?;
    let mut names: Vec<String> = Vec::new();
    each_test(&rule.condition, &mut |test, _| {
        test.each_reference(&mut |reference| {
            names.extend(match reference {
                Reference::Param(name) => Some(name.to_owned()),
                _ => None,
            });
        });
    });
    names.extend(rule.message.iter().filter_map(|part| match part {
        MessagePart::Param(name) => Some(name.to_string()),
        _ => None,
    }));
    let named = names.iter().filter(|name| written.contains(&***name));
    let tools = rule.triggers.iter().map(|trigger| &*trigger.name);
    let mut meant = named.filter_map(|name| Some((name, parameters::meant(name, tools.clone())?)));
    meant.next().map(|(name, meant)| written.replacen(&**name, meant, 1))
}

/// What stands behind the id of a rule that is to have its own.
pub(super) const TOO: &str = "_too";

/// Another id for a rule, written as the one before.
fn other_id(written: &str) -> String {
    let end = written.trim_end_matches(['"', '\'']).len();
    let (id, quote) = written.split_at(end);
    format!("{id}{TOO}{quote}")
}

/// What stands at a place.
fn text_at(place: &Place) -> Option<&str> {
    place.source.text.get(place.start as usize..place.end as usize)
}

/// A text with edits that do not touch each other.
fn edited(text: &str, mut edits: Vec<(&Place, String)>) -> Option<String> {
    edits.sort_by_key(|(place, _)| std::cmp::Reverse(place.start));
    let mut edited = text.to_owned();
    for (place, new) in edits {
        let range = place.start as usize..place.end as usize;
        edited.get(range.clone())?;
        edited.replace_range(range, &new);
    }
    Some(edited)
}
