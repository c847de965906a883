//! The tools that a session has met, and what each selects in an image: worked out once.

use std::hash::BuildHasher;

use crate::known_params::KnownParams;
use crate::permission::ToolPermissions;
use crate::select::PhaseRules;
use crate::tool_catalogue::{is_editing, is_shell, last_part};
use crate::tools::{SHELL, normalise, selects};
use crate::touched::ToolFiles;
use behavior_image::code::Change;
use behavior_image::format::{Section, Transition, TriggerGroup};
use behavior_image::{Image, View};

/// What a session found out about the tools it has met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tools {
    by_hash: std::collections::HashMap<u64, u32, foldhash::fast::RandomState>,
    hasher: foldhash::fast::FixedState,
    entries: Vec<Tool>,
    names: indexmap::IndexSet<Box<str>, foldhash::fast::RandomState>,
    scratch: String,
}

/// A tool, by the name it was called and the agent's own name for it.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    tool: Box<str>,
    native: Option<Box<str>>,
    /// Index of the canonical name: equal for spellings of one tool.
    pub name: u32,
    /// The trigger groups that select it.
    pub groups: Box<[u32]>,
    /// The rules that may fire on it in each phase.
    pub phases: [PhaseRules; 4],
    /// What changes after it ran, in order.
    pub transitions: Box<[Transition]>,
    /// Whether some of that has a condition.
    pub has_conditions: bool,
    /// Whether it changes files, which renews their entries in sets.
    pub changes_files: bool,
    /// What it does with the files that its parameters name.
    pub files: ToolFiles,
    /// What the policy has for it.
    pub permissions: ToolPermissions,
    /// The parameters that its calls had.
    pub params: KnownParams,
}

/// Sessions meet few tools; one that meets more shares the last place among the rest, so the index
/// of a tool holds only until the next tool is looked up.
const MAX_TOOLS: usize = 1024;

impl Tools {
    /// The index of a tool; met for the first time, its selection is worked out.
    #[inline]
    pub fn index(&mut self, image: &Image, tool: &str, native: Option<&str>) -> u32 {
        let hash = self.hasher.hash_one((tool, native));
        if let Some(&index) = self.by_hash.get(&hash)
            && self.is_at(index, tool, native)
        {
            return index;
        }
        self.meet(image, tool, native, hash)
    }

    /// Whether this is the index of a tool, as it was once.
    #[inline]
    pub fn is_at(&self, index: u32, tool: &str, native: Option<&str>) -> bool {
        let met = self.entries.get(index as usize);
        met.is_some_and(|met| *met.tool == *tool && met.native.as_deref() == native)
    }

    #[cold]
    fn meet(&mut self, image: &Image, tool: &str, native: Option<&str>, hash: u64) -> u32 {
        let entry = self.resolve(image, tool, native);
        if self.entries.len() >= MAX_TOOLS {
            self.entries.pop();
            let dropped = self.entries.len() as u32;
            self.by_hash.retain(|_, index| *index != dropped);
        }
        let index = self.entries.len() as u32;
        self.entries.push(entry);
        self.by_hash.insert(hash, index);
        index
    }

    fn resolve(&mut self, image: &Image, tool: &str, native: Option<&str>) -> Tool {
        let view = image.view();
        let mut groups = vec![0];
        let mut scratch = std::mem::take(&mut self.scratch);
        for name in [Some(tool), native].into_iter().flatten() {
            normalise(name, &mut scratch);
            groups.extend(selecting_groups(image, &scratch));
            if is_shell(&scratch) {
                groups.extend(selecting_groups(image, SHELL));
            }
        }
        groups.sort_unstable();
        groups.dedup();
        normalise(tool, &mut scratch);
        let name = self.name_index(last_part(&scratch));
        let canonical = last_part(&scratch);
        let changes_files = is_editing(canonical);
        let files = ToolFiles::of(canonical);
        self.scratch = scratch;
        let records: Vec<TriggerGroup> =
            groups.iter().map(|&group| view.row(Section::Triggers, group)).collect();
        let transitions = transitions_of(view, &records);
        Tool {
            tool: tool.into(),
            native: native.map(Into::into),
            name,
            groups: groups.into(),
            phases: PhaseRules::of(view, &records),
            has_conditions: transitions.iter().any(|transition| transition.code_len > 0),
            transitions,
            changes_files,
            files,
            permissions: ToolPermissions::of(image, tool, native),
            params: KnownParams::default(),
        }
    }

    /// The index of a canonical name.
    pub fn name_index(&mut self, canonical: &str) -> u32 {
        let known = self.names.get_index_of(canonical);
        known.unwrap_or_else(|| self.names.insert_full(canonical.into()).0) as u32
    }

    /// A tool by its index.
    #[inline]
    pub fn get(&self, index: u32) -> Option<&Tool> {
        self.entries.get(index as usize)
    }

    /// A tool by its index, to learn more of it.
    #[inline]
    pub fn get_mut(&mut self, index: u32) -> Option<&mut Tool> {
        self.entries.get_mut(index as usize)
    }

    /// A canonical name by its index.
    pub fn name(&self, name: u32) -> &str {
        self.names.get_index(name as usize).map_or("", |name| name)
    }

    /// The canonical name of a tool by its index.
    pub fn canonical(&self, index: u32) -> &str {
        self.get(index).map_or("", |tool| self.name(tool.name))
    }

    /// A tool by its index, as the agent itself names it.
    pub fn native(&self, index: u32) -> &str {
        self.get(index).map_or("", |tool| tool.native.as_deref().unwrap_or(&tool.tool))
    }
}

/// The groups, other than `*`, whose trigger selects the normalised tool name.
fn selecting_groups<'a>(image: &'a Image, tool: &'a str) -> impl Iterator<Item = u32> + 'a {
    let view = image.view();
    let rows = image.rows::<TriggerGroup>(Section::Triggers);
    let last = last_part(tool);
    let last_of = move |group| view.string(view.row::<TriggerGroup>(Section::Triggers, group).last);
    let (mut low, mut high) = (1, rows.max(1));
    while low < high {
        let middle = low + (high - low) / 2;
        if last_of(middle) < last { low = middle + 1 } else { high = middle }
    }
    (low..rows).take_while(move |&group| last_of(group) == last).filter(move |&group| {
        selects(view.string(view.row::<TriggerGroup>(Section::Triggers, group).full), tool)
    })
}

/// What changes, once each, in the order in which it applies.
fn transitions_of(view: View<'_>, groups: &[TriggerGroup]) -> Box<[Transition]> {
    let mut transitions: Vec<Transition> = groups
        .iter()
        .flat_map(|group| group.transitions..group.transitions + group.transitions_len)
        .map(|row| view.row(Section::Transitions, row))
        .collect();
    // Sets change first, then each counter, then each flag. The numbers of the changes keep that
    // order within one counter or flag.
    let rank = |transition: &Transition| {
        let kind = match Change::from_number(transition.change) {
            Some(Change::Add | Change::AddOnCall | Change::AddOnSuccess) => 0,
            Some(
                Change::Increment
                | Change::IncrementOnCall
                | Change::Reset
                | Change::ResetWhen
                | Change::ResetWhenRuns,
            ) => 1,
            Some(Change::Set | Change::Unset) | None => 2,
        };
        (kind, transition.target, transition.change, transition.pattern, transition.code)
    };
    transitions.sort_by_key(rank);
    transitions.dedup();
    transitions.into()
}
