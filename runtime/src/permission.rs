//! Whether a policy lets a call run. The first rule that matches decides; where a command line runs
//! several commands, each is decided on its own, and the strictest answer holds.
//!
//! A rule may match for sure, not at all, or perhaps, where nobody knows what runs. What perhaps
//! forbids keeps a later rule from allowing: then the user is asked. An allowance never covers what
//! nobody knows.

use std::sync::OnceLock;

use crate::decided_lines::DecidedLines;
pub use crate::decision::Permission;
use crate::policy_facts::Facts;
use behavior_facts::argument::{Argument, Edges, search};
use behavior_facts::commands::shape::Matcher;
use behavior_facts::commands::shell::Shell;
use behavior_facts::commands::{ProgramTable, command_of};
use behavior_facts::event::Call;
use behavior_facts::tool_catalogue::{is_editing, is_shell, last_part};
use behavior_facts::tools::{normalise, selects};
use behavior_facts::truth::Truth;
use behavior_facts::value::ValueRef;
use behavior_image::code::{ApprovalMode, PermissionAction, ToolTest};
use behavior_image::format::{
    AlternativeRecord, NONE, PermissionProgram, PermissionRecord, Section,
};
use behavior_image::{Image, View};
use behavior_shell::Command;
use behavior_shell::arguments::selected;
use behavior_shell::programs::{Programs, Traits};

/// Reads a mode in any of its spellings. An agent that is in the mode in which it starts has chosen
/// none: its `default` is no mode of ours, and the policy's own holds.
#[must_use]
pub fn mode_named(name: &str) -> Option<ApprovalMode> {
    const NAMES: [(&str, ApprovalMode); 6] = [
        ("ask", ApprovalMode::Ask),
        ("agent", ApprovalMode::Agent),
        ("autoedit", ApprovalMode::AutoEdit),
        ("acceptedits", ApprovalMode::AutoEdit),
        ("yolo", ApprovalMode::Yolo),
        ("bypasspermissions", ApprovalMode::Yolo),
    ];
    // It is asked for with each call, so that nothing is allocated.
    let letters = || {
        let letters = name.bytes().filter(|letter| !matches!(letter, b'_' | b'-'));
        letters.map(|letter| letter.to_ascii_lowercase())
    };
    let found = NAMES.iter().find(|(known, _)| letters().eq(known.bytes()));
    found.map(|(_, mode)| *mode)
}

/// The alternatives that are about a tool, and whether it runs command lines.
#[derive(Debug, Default)]
pub(crate) struct ToolPermissions {
    /// Those that do not look at the call's command, in order.
    plain: Box<[Candidate]>,
    /// What those ask of arguments.
    arguments: Box<[Asked]>,
    /// What tells most calls that none of those matches, found out when somebody wants to know; none where nothing does.
    edges: OnceLock<Option<Box<Edges>>>,
    /// The places of those that a scan does not find, where it is worth while to scan for the others.
    unscanned: Option<Box<[usize]>>,
    /// Whether some of those ask for more than the tool and its arguments.
    has_facts: bool,
    /// The rows of those that look at the command, in order.
    shaped: Box<[u32]>,
    pub is_shell: bool,
    is_editing: bool,
    /// What was said of the last command lines.
    decided: DecidedLines<Answer>,
    /// In each mode, what holds where no argument and no command is looked at.
    bare: [OnceLock<Answer>; ApprovalMode::ALL.len()],
}

/// What an alternative asks of arguments; more is found out of it when somebody wants to know.
#[derive(Debug)]
struct Asked {
    pattern: u32,
    argument: OnceLock<Argument>,
}

impl Asked {
    fn argument(&self, image: &Image) -> &Argument {
        self.argument.get_or_init(|| Argument::of(image, self.pattern))
    }
}

/// An alternative of a rule, as it is looked at.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    row: u32,
    rule: u32,
    action: PermissionAction,
    /// The only mode in which it holds, or none.
    mode: u32,
    /// Whether the rule asks for more than the tool and its arguments.
    has_facts: bool,
    /// What a command must look like, or none.
    shape: u32,
    /// What it asks of arguments; among those of its tool, if it is held for one.
    argument: Option<u32>,
}

impl Candidate {
    fn of(view: View<'_>, row: u32) -> Option<Self> {
        let alternative: AlternativeRecord = view.row(Section::Alternatives, row);
        let rule: PermissionRecord = view.row(Section::Permissions, alternative.permission);
        Some(Self {
            row,
            rule: alternative.permission,
            action: PermissionAction::from_number(rule.action)?,
            mode: rule.mode,
            has_facts: rule.facts_len != 0,
            shape: alternative.shape,
            argument: (alternative.argument != NONE).then_some(alternative.argument),
        })
    }

    /// Whether it looks at arguments in each of their forms.
    fn is_wary(&self) -> bool {
        self.action != PermissionAction::Allow
    }
}

/// Of more patterns for arguments, some will match wherever a first look says that they may.
const MANY_ARGUMENTS: usize = 32;

/// So many alternatives are quicker looked at one by one than scanned for.
const FEW_SCANNED: usize = 8;

impl ToolPermissions {
    /// What the policy has for a tool, by its own name and the agent's.
    pub fn of(image: &Image, tool: &str, native: Option<&str>) -> Self {
        let view = image.view();
        let names: Vec<String> = [Some(tool), native]
            .into_iter()
            .flatten()
            .map(|name| {
                let mut normal = String::new();
                normalise(name, &mut normal);
                normal
            })
            .collect();
        let is_shell = names.iter().any(|name| is_shell(name));
        let rows = image.rows::<AlternativeRecord>(Section::Alternatives);
        let (mut plain, mut shaped, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
        let (mut scanned, mut unscanned) = (0, Vec::new());
        for row in 0..rows {
            let alternative: AlternativeRecord = view.row(Section::Alternatives, row);
            let needs_command = alternative.shape != NONE;
            let needs_text = alternative.argument != NONE;
            if !is_shell && needs_command && !needs_text
                || !names.iter().any(|name| is_about(image, &alternative, name, is_shell))
            {
                continue;
            }
            if is_shell && needs_command {
                shaped.push(row);
                continue;
            }
            if needs_text && alternative.is_scanned != 0 {
                scanned += 1;
            } else {
                unscanned.push(plain.len());
            }
            if let Some(mut candidate) = Candidate::of(view, row) {
                if let Some(argument) = &mut candidate.argument {
                    arguments.push(Asked { pattern: *argument, argument: OnceLock::new() });
                    *argument = arguments.len() as u32 - 1;
                }
                plain.push(candidate);
            }
        }
        Self {
            has_facts: plain.iter().any(|candidate| candidate.has_facts),
            plain: plain.into(),
            unscanned: (scanned > FEW_SCANNED).then_some(unscanned.into()),
            arguments: arguments.into(),
            edges: OnceLock::new(),
            shaped: shaped.into(),
            is_shell,
            is_editing: names.iter().any(|name| is_editing(name)),
            decided: DecidedLines::default(),
            bare: Default::default(),
        }
    }

    /// Whether what some alternative asks of arguments may be true of a call, as far as a first look tells.
    #[inline]
    fn may_be_met(&self, image: &Image, call: &Call<'_>) -> bool {
        !self.arguments.is_empty() && self.edges(image).is_none_or(|edges| edges.may_match(call))
    }

    #[inline]
    fn edges(&self, image: &Image) -> Option<&Edges> {
        self.edges.get_or_init(|| self.find_edges(image).map(Box::new)).as_deref()
    }

    #[cold]
    fn find_edges(&self, image: &Image) -> Option<Edges> {
        if self.arguments.len() > MANY_ARGUMENTS {
            return None;
        }
        let asked = self.plain.iter().filter_map(|candidate| {
            let asked = self.arguments.get(candidate.argument? as usize)?;
            Some((asked.argument(image), candidate.is_wary()))
        });
        Edges::of(asked)
    }
}

/// Whether an alternative is about a tool, whatever the call holds.
fn is_about(image: &Image, alternative: &AlternativeRecord, name: &str, is_shell: bool) -> bool {
    let mut fold = String::new();
    match ToolTest::from_number(alternative.tool_test) {
        Some(ToolTest::Any) => true,
        Some(ToolTest::Shell) => is_shell,
        Some(ToolTest::Named) => selects(image.view().string(alternative.tool), name),
        Some(ToolTest::Pattern) => {
            image.matches(alternative.tool, name, &mut fold)
                || image.matches(alternative.tool, last_part(name), &mut fold)
        }
        None => false,
    }
}

/// One call in the light of a policy.
pub(crate) struct Judge<'a> {
    image: &'a Image,
    view: View<'a>,
    mode: ApprovalMode,
    tool: &'a ToolPermissions,
    facts: Facts<'a>,
    /// The rules of which somebody said that they have no say on this call: what they forbid is allowed.
    granted: Vec<u32>,
}

/// The command line of a call to a shell.
fn command_line<'c>(call: &'c Call<'_>, told: Option<&'c str>) -> Option<ValueRef<'c>> {
    let given = || command_of(|name| call.param(name).map(ValueRef::from));
    told.map(ValueRef::Text).or_else(given)
}

/// What was found so far for one part of a call.
#[derive(Clone, Copy, Debug)]
struct Answer {
    action: PermissionAction,
    rule: Option<u32>,
    doubt: Option<u32>,
}

impl Answer {
    fn permission(self, mode: ApprovalMode) -> Permission {
        let Self { action, rule, doubt } = self;
        Permission { action, rule, doubt, mode }
    }
}

impl<'a> Judge<'a> {
    pub fn new(
        image: &'a Image,
        tool: &'a ToolPermissions,
        mode: ApprovalMode,
        facts: Facts<'a>,
    ) -> Self {
        Self { image, view: image.view(), mode, tool, facts, granted: Vec::new() }
    }

    /// From now on, what a rule forbids is allowed.
    pub fn grant(&mut self, rule: u32) {
        self.granted.push(rule);
    }

    /// What the policy says of every call of a tool in a mode, where it looks at no argument and no command, and was
    /// asked before.
    #[inline]
    pub fn fixed(tool: &ToolPermissions, mode: ApprovalMode) -> Option<Permission> {
        if tool.is_shell || tool.has_facts || !tool.arguments.is_empty() {
            return None;
        }
        let answer = tool.bare.get(mode as usize)?.get()?;
        Some(answer.permission(mode))
    }

    /// What the policy says of a call in a mode, where that was found out before: what it says of the command line of a call to a
    /// shell, and of every other call that meets nothing which it asks of arguments. `told` as for [`Judge::decide`]; for
    /// rules that ask for no facts.
    pub fn known(
        (image, tool, mode): (&Image, &ToolPermissions, ApprovalMode),
        call: &Call<'_>,
        told: Option<&str>,
        shell: &Shell,
    ) -> Option<Permission> {
        let answer = if tool.is_shell {
            let Some(ValueRef::Text(line)) = command_line(call, told) else { return None };
            if shell.follows_any() { None } else { tool.decided.get(line, mode as u8) }
        } else if tool.has_facts || tool.may_be_met(image, call) {
            None
        } else {
            tool.bare.get(mode as usize)?.get().copied()
        };
        Some(answer?.permission(mode))
    }

    /// Decides on a call. `told` is the command line that it comes to, where no one of its parameters holds it.
    pub fn decide(&self, call: &Call<'_>, told: Option<&str>, shell: &mut Shell) -> Permission {
        let answer = if self.tool.is_shell {
            self.decide_commands(command_line(call, told), shell)
        } else {
            self.decide_plain(call)
        };
        answer.permission(self.mode)
    }

    /// The commands of a call's line that a rule forbids, or may, in order; `None` where the tool is no shell. `told` as for
    /// [`Judge::decide`].
    pub fn forbidden(
        &self,
        rule: u32,
        call: &Call<'_>,
        told: Option<&str>,
        shell: &mut Shell,
    ) -> Option<Vec<u32>> {
        if !self.tool.is_shell {
            return None;
        }
        shell.read(self.image, command_line(call, told));
        let commands = 0..shell.line().commands().len();
        let forbids = |index: &usize| {
            let answer = self.decide_command(*index, shell);
            answer.is_some_and(|answer| [answer.rule, answer.doubt].contains(&Some(rule)))
        };
        Some(commands.filter(forbids).map(|index| index as u32).collect())
    }

    /// Decides on one command of a line that was read.
    pub fn part(&self, index: usize, shell: &mut Shell) -> Option<Permission> {
        Some(self.decide_command(index, shell)?.permission(self.mode))
    }

    /// What holds where no rule matches.
    fn fallback(&self) -> PermissionAction {
        match self.mode {
            ApprovalMode::Yolo => PermissionAction::Allow,
            ApprovalMode::AutoEdit if self.tool.is_editing => PermissionAction::Allow,
            ApprovalMode::AutoEdit | ApprovalMode::Ask => PermissionAction::Ask,
            ApprovalMode::Agent => PermissionAction::None,
        }
    }

    /// Goes through rules in order; `test` says whether an alternative matches. `words` are those of the
    /// command that is looked at, if one is.
    fn first<'w, 'c>(
        &self,
        candidates: impl Iterator<Item = &'c Candidate>,
        words: Option<&dyn Fn() -> Vec<&'w str>>,
        mut test: impl FnMut(&Candidate) -> Truth,
    ) -> Answer {
        let mut doubt = None;
        let holds =
            |candidate: &&Candidate| candidate.mode == NONE || candidate.mode == self.mode as u32;
        for candidate in candidates.filter(holds) {
            let (rule, mut action) = (candidate.rule, candidate.action);
            if self.granted.contains(&rule) {
                action = PermissionAction::Allow;
            }
            let truth = match test(candidate) {
                Truth::False => Truth::False,
                by_pattern if !candidate.has_facts => by_pattern,
                by_pattern => {
                    let record = self.view.row(Section::Permissions, rule);
                    by_pattern.and(self.facts.hold(self.image, &record, words.map(|words| words())))
                }
            };
            match truth {
                // That another part of the same rule may match takes nothing from it.
                Truth::True => {
                    return with_doubt(action, Some(rule), doubt.filter(|other| *other != rule));
                }
                Truth::Opaque | Truth::Unknown if action != PermissionAction::Allow => {
                    doubt = doubt.or(Some(rule));
                }
                Truth::Opaque | Truth::Unknown | Truth::False => {}
            }
        }
        with_doubt(self.fallback(), None, doubt)
    }

    fn decide_plain(&self, call: &Call<'_>) -> Answer {
        if !self.tool.may_be_met(self.image, call) {
            return self.of_tool();
        }
        let is_met = |candidate: &Candidate| {
            let is_wary = candidate.is_wary();
            let argument = candidate.argument.and_then(|at| self.tool.arguments.get(at as usize));
            let is_met =
                |asked: &Asked| asked.argument(self.image).is_met(self.image, call, is_wary);
            argument.is_none_or(is_met).into()
        };
        let Some(others) = &self.tool.unscanned else {
            return self.first(self.tool.plain.iter(), None, is_met);
        };
        // Of many rules, those that ask for texts which the call does not hold are not looked at.
        let mut places = others.to_vec();
        search(self.image, call, |row| {
            places.extend(self.tool.plain.binary_search_by_key(&row, |candidate| candidate.row));
        });
        places.sort_unstable();
        places.dedup();
        let candidates = places.iter().filter_map(|place| self.tool.plain.get(*place));
        self.first(candidates, None, is_met)
    }

    /// What holds where no command is looked at.
    fn of_tool(&self) -> Answer {
        let is_fixed = !self.tool.has_facts && self.granted.is_empty();
        match self.tool.bare.get(self.mode as usize) {
            Some(bare) if is_fixed => *bare.get_or_init(|| self.first_of_tool()),
            _ => self.first_of_tool(),
        }
    }

    fn first_of_tool(&self) -> Answer {
        let plain = self.tool.plain.iter();
        self.first(plain, None, |candidate| candidate.argument.is_none().into())
    }

    /// Decides on every command that a line runs; the strictest answer holds.
    fn decide_commands(&self, value: Option<ValueRef<'_>>, shell: &mut Shell) -> Answer {
        match value {
            // Else more than the line decides.
            Some(ValueRef::Text(line))
                if self.facts.are_none() && self.granted.is_empty() && !shell.follows_any() =>
            {
                let decide = || self.decide_unknown(value, shell);
                self.tool.decided.get_or(line, self.mode as u8, decide)
            }
            _ => self.decide_unknown(value, shell),
        }
    }

    /// Decides on a line that was not asked about before.
    #[inline(never)]
    fn decide_unknown(&self, value: Option<ValueRef<'_>>, shell: &mut Shell) -> Answer {
        // Where no command is one that the policy speaks of, all are decided alike.
        let is_prefiltered = !self.tool.has_facts && self.image.prefilters_policy();
        if is_prefiltered && !shell.may_matter(self.image, value) {
            return self.of_tool();
        }
        self.decide_line(value, shell)
    }

    /// Reads a line and decides on every command in it.
    fn decide_line(&self, value: Option<ValueRef<'_>>, shell: &mut Shell) -> Answer {
        shell.read(self.image, value);
        let mut strictest: Option<Answer> = None;
        let commands = shell.line().commands().len();
        for index in 0..commands {
            let Some(answer) = self.decide_command(index, shell) else { continue };
            // That nobody allowed what stands in a script says nothing: the script itself may be allowed.
            let is_inside = shell.line().commands().get(index).is_some_and(|it| it.in_script);
            if is_inside && (answer.rule.is_none() || answer.doubt.is_some()) {
                continue;
            }
            if strictest.is_none_or(|known| answer.action > known.action) {
                strictest = Some(answer);
            }
        }
        // A line that runs nothing.
        strictest.unwrap_or_else(|| self.of_tool())
    }

    /// The answer for one command; `None` for a wrapper that adds nothing to what it runs.
    fn decide_command(&self, index: usize, shell: &mut Shell) -> Option<Answer> {
        let candidates = self.candidates(index, shell);
        let (line, buffers) = shell.parts();
        let table = ProgramTable::of(self.image);
        let programs = table.as_ref().map(|table| Programs::new(table));
        let command = line.commands().get(index)?;
        // A redirection on its own writes a file, too. What code writes that a program is given, the program does.
        let is_of_code = || {
            let parent = command.parent.and_then(|parent| line.commands().get(parent as usize));
            let name = parent.and_then(|parent| line.program(parent));
            let program = name.and_then(|name| programs?.find(name));
            program.is_some_and(|program| program.runs_code())
        };
        if !command.runs() && (line.redirects(command).is_empty() || is_of_code()) {
            return None;
        }
        let is_opaque = command.opaque.is_some();
        // Most commands run no others, and which program one is takes a look at all of its words.
        let is_inner = |inner: &Command| inner.parent == Some(index as u32) && !inner.in_script;
        let runs_others = || line.commands().iter().skip(index + 1).any(is_inner);
        let is_transparent = || {
            runs_others() && line.is_from_system(command) && {
                let wrapper = line.program(command).and_then(|name| programs?.find(name));
                let wrapper = selected(line, line.words(command), wrapper);
                wrapper.is_some_and(|program| program.has(Traits::TRANSPARENT))
            }
        };
        let leaves_files = matches!(self.mode, ApprovalMode::Ask | ApprovalMode::Agent);
        let writes_files = || leaves_files && !command.in_script && line.writes_files(command);
        let mut names_command = false;
        let mut matcher = Matcher::new(self.image, line, buffers);
        let words = || line.words(command).iter().map(|word| line.text(word)).collect();
        let mut answer = self.first(candidates.iter(), Some(&words), |candidate| {
            let allows = candidate.action == PermissionAction::Allow;
            matcher.be_wary(!allows);
            let truth = match candidate.shape {
                NONE => candidate.argument.is_none().into(),
                shape => matcher.has(index, shape),
            };
            names_command = candidate.shape != NONE;
            // What nobody knows is never allowed, not even by what takes everything.
            let is_covered = truth == Truth::True && allows;
            let is_another = || names_command && !matcher.covers(index, candidate.shape);
            if is_covered && (is_opaque || is_another()) { Truth::Opaque } else { truth }
        });
        // A pattern for a command does not speak of the files that a redirection writes.
        let is_allowed = answer.action == PermissionAction::Allow && answer.rule.is_some();
        if is_allowed && names_command && writes_files() {
            answer.action = self.fallback();
        }
        let adds_nothing =
            (answer.rule.is_none() || answer.action == PermissionAction::Allow) && is_transparent();
        (!adds_nothing).then_some(answer)
    }

    /// The alternatives that may be about a command, in order.
    fn candidates(&self, index: usize, shell: &Shell) -> Vec<Candidate> {
        let line = shell.line();
        let command = line.commands().get(index);
        let is_opaque = command.is_some_and(|command| command.opaque.is_some());
        let name = command.and_then(|command| line.program(command));
        let mut rows = Vec::new();
        if is_opaque {
            rows.extend_from_slice(&self.tool.shaped);
        } else {
            let all = self.image.rows::<PermissionProgram>(Section::PermissionPrograms);
            let row = |at: u32| self.view.row::<PermissionProgram>(Section::PermissionPrograms, at);
            let unnamed = (0..all).map(row).take_while(|row| row.program == NONE);
            let named = self.rows_of_program(name.unwrap_or_default(), all);
            let is_about = |row: &u32| self.tool.shaped.binary_search(row).is_ok();
            rows.extend(unnamed.map(|row| row.alternative).chain(named).filter(is_about));
        }
        let shaped = rows.into_iter().filter_map(|row| Candidate::of(self.view, row));
        let mut candidates: Vec<Candidate> =
            self.tool.plain.iter().copied().chain(shaped).collect();
        candidates.sort_unstable_by_key(|candidate| candidate.row);
        candidates.dedup_by_key(|candidate| candidate.row);
        candidates
    }

    fn rows_of_program(&self, name: &str, all: u32) -> impl Iterator<Item = u32> {
        let view = self.view;
        let row = move |at: u32| view.row::<PermissionProgram>(Section::PermissionPrograms, at);
        let wanted = name.to_ascii_lowercase();
        let is_before = |record: &PermissionProgram| {
            record.program == NONE || view.string(record.program) < wanted.as_str()
        };
        let (mut low, mut high) = (0, all);
        while low < high {
            let middle = low + (high - low) / 2;
            if is_before(&row(middle)) { low = middle + 1 } else { high = middle }
        }
        (low..all)
            .map(row)
            .take_while(move |record| view.string(record.program) == wanted)
            .map(|record| record.alternative)
    }
}

/// An answer, unless a stricter rule may hold.
fn with_doubt(action: PermissionAction, rule: Option<u32>, doubt: Option<u32>) -> Answer {
    match doubt {
        Some(doubt) if action < PermissionAction::Ask => {
            Answer { action: PermissionAction::Ask, rule, doubt: Some(doubt) }
        }
        _ => Answer { action, rule, doubt: None },
    }
}
