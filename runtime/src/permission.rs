//! Whether a policy lets a call run. The first rule that matches decides; where a command line runs
//! several commands, each is decided on its own, and the strictest answer holds.
//!
//! A rule may match for sure, not at all, or perhaps, where nobody knows what runs. What perhaps
//! forbids keeps a later rule from allowing: then the user is asked. An allowance never covers what
//! nobody knows.

use std::borrow::Cow;

use crate::commands::shape::Matcher;
use crate::commands::shell::Shell;
use crate::commands::{ProgramTable, command_of};
pub use crate::decision::Permission;
use crate::event::{Call, POSITIONAL, Param, Value};
use crate::path::normalise as normalise_path;
use crate::policy_facts::Facts;
use crate::tool_catalogue::{is_editing, is_shell, last_part};
use crate::tools::{normalise, selects};
use crate::truth::Truth;
use crate::value::ValueRef;
use behavior_image::code::{ApprovalMode, PermissionAction, ToolTest};
use behavior_image::format::{
    AlternativeRecord, NONE, PermissionProgram, PermissionRecord, Section,
};
use behavior_image::{Image, View};
use behavior_json::{self, Json};
use behavior_shell::arguments::selected;
use behavior_shell::programs::{Programs, Traits};

/// Reads a mode in any of its spellings. An agent that is in the mode in which it starts has chosen
/// none: its `default` is no mode of ours, and the policy's own holds.
#[must_use]
pub fn mode_named(name: &str) -> Option<ApprovalMode> {
    Some(match &*name.to_ascii_lowercase().replace(['_', '-'], "") {
        "ask" => ApprovalMode::Ask,
        "agent" => ApprovalMode::Agent,
        "autoedit" | "acceptedits" => ApprovalMode::AutoEdit,
        "yolo" | "bypasspermissions" => ApprovalMode::Yolo,
        _ => return None,
    })
}

/// The alternatives that are about a tool, and whether it runs command lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolPermissions {
    /// Those that do not look at the call's command, in order.
    plain: Box<[u32]>,
    /// Those that look at it, in order.
    shaped: Box<[u32]>,
    pub is_shell: bool,
    is_editing: bool,
}

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
        let (mut plain, mut shaped) = (Vec::new(), Vec::new());
        for row in 0..rows {
            let alternative: AlternativeRecord = view.row(Section::Alternatives, row);
            let needs_command = alternative.shape != NONE;
            let needs_text = alternative.argument != NONE;
            let list = match is_shell {
                true if needs_command => &mut shaped,
                false if needs_command && !needs_text => continue,
                _ => &mut plain,
            };
            if names.iter().any(|name| is_about(image, &alternative, name, is_shell)) {
                list.push(row);
            }
        }
        Self {
            plain: plain.into(),
            shaped: shaped.into(),
            is_shell,
            is_editing: names.iter().any(|name| is_editing(name)),
        }
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

/// The arguments without names, which a call holds as a list, joined by a blank.
fn positional(param: &Param<'_>) -> Option<String> {
    let Value::Json(list) = &param.value else { return None };
    if param.name != POSITIONAL {
        return None;
    }
    let mut items = Vec::new();
    let each = |item: Json<'_>| {
        items
            .push(behavior_json::text(item).map_or_else(|| item.get().to_owned(), Cow::into_owned));
    };
    behavior_json::items(list, each).ok()?;
    Some(items.join(" "))
}

/// One call in the light of a policy.
pub(crate) struct Judge<'a> {
    image: &'a Image,
    view: View<'a>,
    mode: ApprovalMode,
    tool: &'a ToolPermissions,
    facts: Facts<'a>,
}

/// What was found so far for one part of a call.
#[derive(Clone, Copy, Debug)]
struct Answer {
    action: PermissionAction,
    rule: Option<u32>,
    doubt: Option<u32>,
}

impl<'a> Judge<'a> {
    pub fn new(
        image: &'a Image,
        tool: &'a ToolPermissions,
        mode: ApprovalMode,
        facts: Facts<'a>,
    ) -> Self {
        Self { image, view: image.view(), mode, tool, facts }
    }

    /// Decides on a call.
    pub fn decide(&self, call: &Call<'_>, shell: &mut Shell) -> Permission {
        let answer = if self.tool.is_shell {
            let command = command_of(|name| call.param(name).map(ValueRef::from));
            self.decide_commands(command, shell)
        } else {
            self.decide_plain(call)
        };
        Permission {
            action: answer.action,
            rule: answer.rule,
            doubt: answer.doubt,
            mode: self.mode,
        }
    }

    /// Decides on one command of a line that was read.
    pub fn part(&self, index: usize, shell: &mut Shell) -> Option<Permission> {
        let answer = self.decide_command(index, shell)?;
        let (action, rule, doubt) = (answer.action, answer.rule, answer.doubt);
        Some(Permission { action, rule, doubt, mode: self.mode })
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

    /// The rule of an alternative, if it holds in this mode.
    fn rule(
        &self,
        alternative: &AlternativeRecord,
    ) -> Option<(u32, PermissionAction, PermissionRecord)> {
        let rule: PermissionRecord = self.view.row(Section::Permissions, alternative.permission);
        let holds = rule.mode == NONE || rule.mode == self.mode as u32;
        let action = PermissionAction::from_number(rule.action)?;
        holds.then_some((alternative.permission, action, rule))
    }

    /// Goes through rules in order; `test` says whether an alternative matches. `words` are those of the
    /// command that is looked at, if one is.
    fn first<'w>(
        &self,
        alternatives: impl Iterator<Item = u32>,
        words: Option<&dyn Fn() -> Vec<&'w str>>,
        mut test: impl FnMut(&AlternativeRecord, PermissionAction) -> Truth,
    ) -> Answer {
        let mut doubt = None;
        for row in alternatives {
            let alternative: AlternativeRecord = self.view.row(Section::Alternatives, row);
            let Some((rule, action, record)) = self.rule(&alternative) else { continue };
            let truth = match test(&alternative, action) {
                Truth::False => Truth::False,
                by_pattern if record.facts_len == 0 => by_pattern,
                by_pattern => {
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
        self.first(self.tool.plain.iter().copied(), None, |alternative, action| {
            let argument = alternative.argument;
            let is_wary = action != PermissionAction::Allow;
            (argument == NONE || self.argument_matches(argument, call, is_wary)).into()
        })
    }

    /// Whether one argument matches, or all of them joined by a blank; those without names, too. To be
    /// wary is to look also at the shortest form of a path, and at the items of a list.
    fn argument_matches(&self, pattern: u32, call: &Call<'_>, is_wary: bool) -> bool {
        let mut fold = String::new();
        let mut joined = String::new();
        let mut path = String::new();
        let mut matches_path = |text: &str| {
            let path = normalise_path(text, None, &mut path);
            self.image.matches(pattern, path, &mut String::new())
        };
        for param in &call.params {
            let value = ValueRef::from(&param.value);
            let text = value.text();
            if self.image.matches(pattern, &text, &mut fold) {
                return true;
            }
            if is_wary && (matches_path(&text) || value.any_text(&mut matches_path)) {
                return true;
            }
            if !joined.is_empty() {
                joined.push(' ');
            }
            match positional(param) {
                Some(items) => joined.push_str(&items),
                None => joined.push_str(&text),
            }
        }
        self.image.matches(pattern, &joined, &mut fold)
    }

    /// Decides on every command that a line runs; the strictest answer holds.
    fn decide_commands(&self, value: Option<ValueRef<'_>>, shell: &mut Shell) -> Answer {
        shell.read(self.image, value);
        let mut strictest: Option<Answer> = None;
        let commands = shell.line().commands().len();
        for index in 0..commands {
            let Some(answer) = self.decide_command(index, shell) else { continue };
            if strictest.is_none_or(|known| answer.action > known.action) {
                strictest = Some(answer);
            }
        }
        // A line that runs nothing.
        strictest.unwrap_or_else(|| {
            self.first(self.tool.plain.iter().copied(), None, |alternative, _| {
                (alternative.argument == NONE).into()
            })
        })
    }

    /// The answer for one command; `None` for a wrapper that adds nothing to what it runs.
    fn decide_command(&self, index: usize, shell: &mut Shell) -> Option<Answer> {
        let rows = self.rows_about(index, shell);
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
        let wrapper = line.program(command).and_then(|name| programs?.find(name));
        let wrapper = selected(line, line.words(command), wrapper);
        let is_transparent = wrapper.is_some_and(|program| program.has(Traits::TRANSPARENT))
            && line.is_from_system(command)
            && line.commands().iter().skip(index + 1).any(|c| c.parent == Some(index as u32));
        let leaves_files = matches!(self.mode, ApprovalMode::Ask | ApprovalMode::Agent);
        let writes_files = leaves_files && line.writes_files(command);
        let mut names_command = false;
        let mut matcher = Matcher::new(self.image, line, buffers);
        let words = || line.words(command).iter().map(|word| line.text(word)).collect();
        let mut answer = self.first(rows.into_iter(), Some(&words), |alternative, action| {
            let allows = action == PermissionAction::Allow;
            matcher.be_wary(!allows);
            let truth = match alternative.shape {
                NONE => (alternative.argument == NONE).into(),
                shape => matcher.has(index, shape),
            };
            names_command = alternative.shape != NONE;
            // What nobody knows is never allowed, not even by what takes everything.
            let is_covered = truth == Truth::True && allows;
            let is_another = || names_command && !matcher.covers(index, alternative.shape);
            if is_covered && (is_opaque || is_another()) { Truth::Opaque } else { truth }
        });
        // A pattern for a command does not speak of the files that a redirection writes.
        let is_allowed = answer.action == PermissionAction::Allow && answer.rule.is_some();
        if is_allowed && names_command && writes_files {
            answer.action = self.fallback();
        }
        let adds_nothing =
            is_transparent && (answer.rule.is_none() || answer.action == PermissionAction::Allow);
        (!adds_nothing).then_some(answer)
    }

    /// The alternatives that may be about a command, in order.
    fn rows_about(&self, index: usize, shell: &Shell) -> Vec<u32> {
        let line = shell.line();
        let command = line.commands().get(index);
        let is_opaque = command.is_some_and(|command| command.opaque.is_some());
        let name = command.and_then(|command| line.program(command));
        let mut rows = self.tool.plain.to_vec();
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
        rows.sort_unstable();
        rows.dedup();
        rows
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
