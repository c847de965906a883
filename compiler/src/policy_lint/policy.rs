//! A policy made ready for questions: which rules take a call, which of them together take all that
//! another one does, and what two of them share.

use std::collections::HashMap;
use std::ops::Range;

use behavior_facts::tool_catalogue::is_shell;
use behavior_facts::tools::last_part;
use behavior_image::code::{ApprovalMode, PermissionAction};

use super::call::Call;
use super::language::{Languages, SearchOutcome, readable};
use super::shape::{self, Shared};
use super::tool;
use crate::ir::{Index, Permissions, PolicyAlternative, PolicyRule, Shape, ToolTest};
use crate::pattern::Pattern;
use crate::programs::Table;

/// One alternative of a rule.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    /// The index of its rule.
    pub rule: usize,
    pub alternative: &'a PolicyAlternative,
}

/// What an alternative says of command lines.
#[derive(Clone, Copy)]
pub(super) enum Commands<'a> {
    /// All of them, known or not.
    All,
    /// Those of a shape.
    Shape(&'a Shape),
}

impl<'a> Subject<'a> {
    /// What it says of commands; `None` where it says nothing of them.
    pub fn commands(&self) -> Option<Commands<'a>> {
        if !tool::may_be_shell(&self.alternative.tool) {
            return None;
        }
        match (&self.alternative.command, self.alternative.argument) {
            (Some(shape), _) => Some(Commands::Shape(shape)),
            (None, None) => Some(Commands::All),
            (None, Some(_)) => None,
        }
    }

    /// The pattern for the arguments of other calls, if any; `None` where it says nothing of them.
    pub fn plain(&self) -> Option<Option<Index>> {
        match (&self.alternative.command, self.alternative.argument) {
            (Some(_), None) => None,
            (_, argument) => Some(argument),
        }
    }
}

/// What decides a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decided {
    /// The rule of this index.
    Rule(usize),
    /// None of the rules.
    NoRule,
    /// It is not known.
    Unknown,
}

/// How many pairs of alternatives are looked at, all questions together.
const MAX_PAIRS: usize = 2_000_000;

/// Alternatives, in order, found by a word that the calls they take have at one place.
#[derive(Default)]
struct ByWord {
    all: Vec<usize>,
    /// Those that may take any word there.
    open: Vec<usize>,
    /// Those that take one word only.
    fixed: HashMap<Box<str>, Vec<usize>>,
}

impl ByWord {
    fn add(&mut self, at: usize, word: Option<&str>) {
        self.all.push(at);
        match word {
            None => self.open.push(at),
            Some(word) => match self.fixed.get_mut(word) {
                Some(list) => list.push(at),
                None => drop(self.fixed.insert(word.into(), vec![at])),
            },
        }
    }

    /// Those that may take calls with this word.
    fn with(&self, word: Option<&str>) -> [&[usize]; 2] {
        let fixed = word.and_then(|word| self.fixed.get(word));
        [&self.open, fixed.map_or(&[], Vec::as_slice)]
    }

    /// Those that may take a call that one with this word takes, too.
    fn beside(&self, word: Option<&str>) -> [&[usize]; 2] {
        if word.is_some() { self.with(word) } else { [&self.all, &[]] }
    }
}

/// A policy with the alternatives of its rules, in order, found by the program that they are about and
/// its first operand, or by the tool.
pub(super) struct Policy<'a> {
    pub permissions: &'a Permissions,
    pub languages: Languages<'a>,
    pub table: &'a Table,
    pub subjects: Vec<Subject<'a>>,
    of_rule: Vec<Range<usize>>,
    by_program: HashMap<&'a str, ByWord>,
    of_any_program: Vec<usize>,
    plain: ByWord,
    has_modes: bool,
    pairs: std::cell::Cell<usize>,
}

impl<'a> Policy<'a> {
    pub fn new(permissions: &'a Permissions, patterns: &'a [Pattern], table: &'a Table) -> Self {
        let mut policy = Self {
            permissions,
            languages: Languages::new(patterns),
            table,
            subjects: Vec::new(),
            of_rule: Vec::new(),
            by_program: HashMap::new(),
            of_any_program: Vec::new(),
            plain: ByWord::default(),
            has_modes: permissions.rules.iter().any(|rule| rule.mode.is_some()),
            pairs: std::cell::Cell::new(MAX_PAIRS),
        };
        for (rule, written) in permissions.rules.iter().enumerate() {
            let start = policy.subjects.len();
            for alternative in &written.alternatives {
                policy.add(Subject { rule, alternative });
            }
            policy.of_rule.push(start..policy.subjects.len());
        }
        policy
    }

    fn add(&mut self, subject: Subject<'a>) {
        let at = self.subjects.len();
        match subject.commands() {
            Some(Commands::Shape(shape)) if is_about_named(shape) => {
                let word = first_operand(shape, &self.languages);
                for program in &shape.programs {
                    self.by_program.entry(program).or_default().add(at, word);
                }
            }
            Some(_) => self.of_any_program.push(at),
            None => {}
        }
        if subject.plain().is_some() {
            self.plain.add(at, tool_name(&subject));
        }
        self.subjects.push(subject);
    }

    pub fn rule(&self, index: usize) -> Option<&'a PolicyRule> {
        self.permissions.rules.get(index)
    }

    /// The alternatives of a rule.
    pub fn subjects_of(&self, rule: usize) -> impl Iterator<Item = &Subject<'a>> {
        let range = self.of_rule.get(rule).cloned().unwrap_or_default();
        self.subjects.get(range).unwrap_or_default().iter()
    }

    /// The mode in which a rule is looked at: its own, or the one that holds where nothing is said.
    pub fn usual_mode(&self, rule: &PolicyRule) -> ApprovalMode {
        rule.mode.or(self.permissions.mode).unwrap_or(ApprovalMode::Ask)
    }

    /// The alternatives before a rule that may have to do with a subject, in order.
    pub fn before(&self, subject: &Subject<'a>, rule: usize) -> Vec<Subject<'a>> {
        let end = self.of_rule.get(rule).map_or(0, |range| range.start);
        let mut found: Vec<usize> = Vec::new();
        let mut take = |list: &[usize]| {
            found.extend(list.iter().take_while(|at| **at < end));
        };
        match subject.commands() {
            Some(Commands::Shape(shape)) if is_about_named(shape) => {
                take(&self.of_any_program);
                let word = first_operand(shape, &self.languages);
                let named = shape.programs.iter().filter_map(|name| self.by_program.get(&**name));
                named.flat_map(|list| list.beside(word)).for_each(&mut take);
            }
            Some(_) => {
                take(&self.of_any_program);
                self.by_program.values().for_each(|list| take(&list.all));
            }
            None => {}
        }
        if subject.plain().is_some() {
            self.plain.beside(tool_name(subject)).into_iter().for_each(&mut take);
        }
        found.sort_unstable();
        found.dedup();
        let left = self.pairs.get();
        found.truncate(left);
        self.pairs.set(left - found.len());
        found.into_iter().filter_map(|at| self.subjects.get(at).copied()).collect()
    }

    fn is_allow(&self, subject: &Subject<'a>) -> bool {
        self.rule(subject.rule).is_some_and(|rule| rule.action == PermissionAction::Allow)
    }

    /// Whether a rule does less than ask the user.
    fn lets_run(&self, subject: &Subject<'a>) -> bool {
        self.rule(subject.rule).is_some_and(|rule| rule.action < PermissionAction::Ask)
    }

    /// Whether what an alternative takes of what nobody knows is left to it by another: an allow
    /// takes none of that.
    fn leaves_unknown(&self, other: &Subject<'a>, subject: &Subject<'a>) -> bool {
        let may_take = match subject.commands() {
            Some(Commands::All) => true,
            Some(Commands::Shape(shape)) => !is_about_named(shape) || self.may_do_more(shape),
            None => false,
        };
        may_take && self.is_allow(other) && !self.is_allow(subject)
    }

    /// Whether some command of a shape may do something that nobody sees, by the table of programs.
    fn may_do_more(&self, shape: &Shape) -> bool {
        let first = first_operand(shape, &self.languages);
        shape.programs.iter().any(|program| {
            let path = [Some(&**program), first].into_iter().flatten();
            let path: Vec<Box<str>> = path.map(|word| word.to_ascii_lowercase().into()).collect();
            let known = self.table.known_path(&path);
            let may_be_alias = known.len() < 2 && self.table.has_aliases(known);
            may_be_alias || self.table.is_unseen(known)
        })
    }

    /// The rules among `others` that together take all that a subject takes; `None` where they do
    /// not, for all one knows.
    pub fn covering(&self, subject: &Subject<'a>, others: &[Subject<'a>]) -> Option<Vec<usize>> {
        let mut rules = Vec::new();
        if let Some(commands) = subject.commands() {
            rules.extend(self.covering_commands(subject, commands, others)?);
        }
        if let Some(argument) = subject.plain() {
            rules.extend(self.covering_plain(subject, argument, others)?);
        }
        rules.sort_unstable();
        rules.dedup();
        (!rules.is_empty()).then_some(rules)
    }

    fn covering_commands(
        &self,
        subject: &Subject<'a>,
        commands: Commands<'a>,
        others: &[Subject<'a>],
    ) -> Option<Vec<usize>> {
        let languages = &self.languages;
        let has_tools = |other: &Subject<'a>| {
            let (outer, inner) = (&other.alternative.tool, &subject.alternative.tool);
            tool::covers(outer, inner, true, languages) && !self.leaves_unknown(other, subject)
        };
        let Commands::Shape(inner) = commands else {
            let is_all = |other: &&Subject<'a>| {
                matches!(other.commands(), Some(Commands::All)) && has_tools(other)
            };
            return others.iter().find(is_all).map(|other| vec![other.rule]);
        };
        let mut rules = Vec::new();
        for program in shape::programs(inner) {
            let mut shapes: Vec<(&Shape, usize)> = Vec::new();
            let mut all = None;
            for other in others {
                match other.commands() {
                    Some(Commands::All) if has_tools(other) => all = all.or(Some(other.rule)),
                    Some(Commands::Shape(outer))
                        if shape::covers_but_operands(outer, inner, program, languages)
                            && has_tools(other) =>
                    {
                        shapes.push((outer, other.rule));
                    }
                    _ => {}
                }
            }
            let candidates: Vec<&Shape> = shapes.iter().map(|(shape, _)| *shape).collect();
            let covering = shape::covering_operands(&candidates, inner, languages);
            let covering = covering.iter().filter_map(|at| shapes.get(*at)).map(|(_, rule)| *rule);
            let covering: Vec<usize> = covering.collect();
            // Of those that do so alone, the first is the one that decides.
            match (covering.as_slice(), all) {
                ([], all) => rules.push(all?),
                ([one], Some(all)) => rules.push(all.min(*one)),
                (_, Some(all)) => rules.push(all),
                (several, None) => rules.extend(several),
            }
        }
        Some(rules)
    }

    fn covering_plain(
        &self,
        subject: &Subject<'a>,
        argument: Option<Index>,
        others: &[Subject<'a>],
    ) -> Option<Vec<usize>> {
        let languages = &self.languages;
        let covers = |other: &&Subject<'a>| {
            let is_wider = match (other.plain(), argument) {
                (None, _) | (Some(Some(_)), None) => false,
                (Some(None), _) => true,
                (Some(Some(outer)), Some(inner)) => languages.contains(outer, inner),
            };
            let (outer, inner) = (&other.alternative.tool, &subject.alternative.tool);
            is_wider && tool::covers(outer, inner, false, languages)
        };
        others.iter().find(covers).map(|other| vec![other.rule])
    }

    /// A call that both alternatives take.
    pub fn shared(&self, a: &Subject<'a>, b: &Subject<'a>) -> Option<Call> {
        let languages = &self.languages;
        let tools = [&a.alternative.tool, &b.alternative.tool];
        if let (Some(one), Some(other)) = (a.commands(), b.commands()) {
            let any = Shape::default();
            let shapes: Vec<&Shape> = [one, other]
                .into_iter()
                .filter_map(|commands| match commands {
                    Commands::Shape(shape) => Some(shape),
                    Commands::All => None,
                })
                .collect();
            let shapes = if shapes.is_empty() { vec![&any] } else { shapes };
            match shape::shared(&shapes, languages, self.table) {
                Shared::Command(command) => {
                    if let Some(tool) = tool::shared(tools, true, languages) {
                        return Some(Call::Command { tool, command });
                    }
                }
                Shared::Opaque => {
                    let has_shell = tool::shared(tools, true, languages).is_some();
                    let is_taken = |one| self.takes(one, &Call::Opaque) == Some(true);
                    if has_shell && is_taken(a) && is_taken(b) {
                        return Some(Call::Opaque);
                    }
                }
                Shared::Nothing | Shared::Unknown => {}
            }
        }
        let arguments = [a.plain()?, b.plain()?];
        if let [Some(a), Some(b)] = arguments
            && languages.are_apart(a, b)
        {
            return None;
        }
        let tool = tool::shared(tools, false, languages)?;
        // What a shell is given is a command, and was looked at as one.
        if is_shell(&tool) && arguments.iter().any(Option::is_some) {
            return None;
        }
        let found = match arguments {
            [None, None] => return Some(Call::Plain { tool, argument: None }),
            [Some(one), Some(other)] if one != other => {
                languages.search(&[languages.word(one), languages.word(other)], &[])
            }
            [Some(one), _] | [_, Some(one)] => languages.example(one),
        };
        let SearchOutcome::Text(text) = found else { return None };
        Some(Call::Plain { tool, argument: Some(readable(text)) })
    }

    /// A call that an alternative takes.
    pub fn example(&self, subject: &Subject<'a>) -> Option<Call> {
        self.shared(subject, subject)
    }

    /// Whether a rule also looks at what no call here tells: its parameters by name, its files.
    pub fn has_facts(&self, rule: usize) -> bool {
        self.rule(rule).is_some_and(|rule| !rule.facts.is_empty())
    }

    /// Whether an alternative takes a call; `None` where that is not known.
    pub fn takes(&self, subject: &Subject<'a>, call: &Call) -> Option<bool> {
        let by_pattern = self.takes_by_pattern(subject, call);
        if self.has_facts(subject.rule) { by_pattern.filter(|takes| !takes) } else { by_pattern }
    }

    fn takes_by_pattern(&self, subject: &Subject<'a>, call: &Call) -> Option<bool> {
        let languages = &self.languages;
        let test = &subject.alternative.tool;
        match call {
            Call::Command { tool, command } => match subject.commands() {
                Some(_) if !tool::takes(test, tool, languages) => Some(false),
                Some(Commands::All) => Some(true),
                Some(Commands::Shape(shape)) => shape::takes(shape, command, languages),
                None => Some(false),
            },
            Call::Opaque => match subject.commands() {
                Some(_) if !tool::takes(test, tool::SHELL, languages) => Some(false),
                Some(_) if self.is_allow(subject) => Some(false),
                Some(Commands::All) => Some(true),
                Some(Commands::Shape(shape)) if shape.opaque => Some(true),
                // What runs may be a command of this shape.
                Some(Commands::Shape(_)) => None,
                None => Some(false),
            },
            Call::Plain { tool, argument } => {
                let Some(pattern) = subject.plain() else { return Some(false) };
                let text = argument.as_deref().unwrap_or_default();
                let fits = pattern.is_none_or(|pattern| languages.takes(pattern, text));
                Some(fits && tool::takes(test, tool, languages))
            }
        }
    }

    /// What decides a call in a mode.
    pub fn decide(&self, call: &Call, mode: ApprovalMode) -> Decided {
        let mut found: Vec<usize> = match call {
            Call::Command { command, .. } => {
                let program = command.program.to_ascii_lowercase();
                let word = command.operands.first().map(String::as_str);
                let named = self.by_program.get(&*program).map(|list| list.with(word));
                let named = named.into_iter().flatten().flatten();
                named.chain(&self.of_any_program).copied().collect()
            }
            Call::Opaque => (0..self.subjects.len()).collect(),
            Call::Plain { tool, .. } => {
                self.plain.with(Some(last_part(tool))).into_iter().flatten().copied().collect()
            }
        };
        found.sort_unstable();
        // Where what runs is not known, a rule that may hold makes the user be asked at least.
        let mut is_asked = false;
        // No rule that lets it run covers what nobody sees of it.
        let is_unseen = match call {
            Call::Command { command, .. } => command.does_more(self.table),
            Call::Opaque | Call::Plain { .. } => false,
        };
        for subject in found.into_iter().filter_map(|at| self.subjects.get(at)) {
            let holds =
                self.rule(subject.rule).is_some_and(|rule| rule.mode.is_none_or(|own| own == mode));
            match self.takes(subject, call) {
                _ if !holds => {}
                Some(true) if (is_asked || is_unseen) && self.lets_run(subject) => {
                    return Decided::Unknown;
                }
                Some(true) => return Decided::Rule(subject.rule),
                Some(false) => {}
                None if *call == Call::Opaque => is_asked = true,
                None => return Decided::Unknown,
            }
        }
        if is_asked { Decided::Unknown } else { Decided::NoRule }
    }

    /// The modes to look at for a rule: `None` stands for rules that hold in every mode.
    pub fn modes(&self, rule: &PolicyRule) -> Vec<Option<ApprovalMode>> {
        match rule.mode {
            Some(mode) => vec![Some(mode)],
            None if !self.has_modes => vec![None],
            None => ApprovalMode::ALL.iter().copied().map(Some).collect(),
        }
    }
}

/// The first operand of all commands that a shape takes, where that is one word only.
fn first_operand<'l>(shape: &Shape, languages: &'l Languages<'_>) -> Option<&'l str> {
    let first = shape.operands.as_ref()?.first()?;
    languages.literal((*first)?)
}

/// The last part of the names of all tools that an alternative takes, where that is one only.
fn tool_name<'a>(subject: &Subject<'a>) -> Option<&'a str> {
    match &subject.alternative.tool {
        ToolTest::Named(name) if &**name != "*" => Some(last_part(name)),
        _ => None,
    }
}

/// Whether a shape is about programs that it names.
fn is_about_named(shape: &Shape) -> bool {
    !shape.opaque && !shape.programs.is_empty() && shape.program_pattern.is_none()
}
