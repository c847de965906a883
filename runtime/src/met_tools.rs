//! The tools that a session has met, and what each selects in an image: worked out once.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex};

use crate::known_params::KnownParams;
use crate::permission::ToolPermissions;
use crate::select::PhaseRules;
use crate::tool_catalogue::{is_editing, is_shell, last_part};
use crate::tools::{SHELL, normalise, selects};
use crate::touched::ToolFiles;
use behavior_image::code::Change;
use behavior_image::format::{Section, Transition, TriggerGroup};
use behavior_image::{Image, View};

/// The tools that a session has met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tools {
    entries: Vec<MetTool>,
    /// Where to find those that stand behind the first few.
    by_hash: HashMap<u64, u32, foldhash::fast::RandomState>,
    hasher: foldhash::fast::FixedState,
    names: indexmap::IndexSet<Box<str>, foldhash::fast::RandomState>,
}

/// A tool that a session has met.
#[derive(Clone, Debug)]
pub(crate) struct MetTool {
    /// Index of the canonical name: equal for spellings of one tool.
    pub name: u32,
    /// What tells most tools apart.
    mark: u64,
    /// What it selects in the image.
    pub tool: Arc<Tool>,
    /// The parameters that its calls had.
    pub params: KnownParams,
}

/// A tool, by the name it was called and the agent's own name for it, and what it selects in an image.
#[derive(Debug)]
pub(crate) struct Tool {
    tool: Box<str>,
    native: Option<Box<str>>,
    canonical: Box<str>,
    /// The trigger groups that select it.
    pub groups: Box<[u32]>,
    /// The rules that may fire on it in each phase.
    pub phases: [PhaseRules; 4],
    /// What changes after it ran, in order.
    pub transitions: Box<[Transition]>,
    /// Whether some of that has a condition.
    pub has_conditions: bool,
    /// Whether some of that comes about when a call is made.
    pub changes_when_made: bool,
    /// Whether it changes files, which renews their entries in sets.
    pub changes_files: bool,
    /// What it does with the files that its parameters name.
    pub files: ToolFiles,
    /// What the policy has for it.
    pub permissions: ToolPermissions,
}

/// The tools that sessions under one image have met. It is kept with the image, since sessions are many
/// and meet the same tools.
#[derive(Debug, Default)]
struct Catalogue(Mutex<HashMap<ToolNames, Arc<Tool>, foldhash::fast::RandomState>>);

type ToolNames = (Box<str>, Option<Box<str>>);

/// Sessions meet few tools; one that meets more shares the last place among the rest, so the index
/// of a tool holds only until the next tool is looked up.
const MAX_TOOLS: usize = 1024;

/// So many are compared before one is looked up.
const MAX_COMPARED: usize = 12;

impl Tools {
    /// The index of a tool; met for the first time, its selection is worked out.
    #[inline]
    pub fn index(&mut self, image: &Image, tool: &str, native: Option<&str>) -> u32 {
        let (mark, mut compared) = (mark(tool), self.entries.iter().take(MAX_COMPARED));
        match compared.position(|met| met.mark == mark && met.tool.is(tool, native)) {
            Some(index) => index as u32,
            None => self.look_up(image, tool, native),
        }
    }

    fn look_up(&mut self, image: &Image, tool: &str, native: Option<&str>) -> u32 {
        let hash = self.hasher.hash_one((tool, native));
        if let Some(&index) = self.by_hash.get(&hash)
            && self.get(index).is_some_and(|met| met.tool.is(tool, native))
        {
            return index;
        }
        self.meet(image, tool, native, hash)
    }

    /// Whether the index of a tool stays its own.
    pub fn is_lasting(index: u32) -> bool {
        (index as usize) < MAX_TOOLS - 1
    }

    #[cold]
    fn meet(&mut self, image: &Image, tool: &str, native: Option<&str>, hash: u64) -> u32 {
        let tool = match Catalogue::of(image) {
            Some(catalogue) => catalogue.tool(image, tool, native),
            None => Arc::new(Tool::new(image, (tool.into(), native.map(Into::into)))),
        };
        let name = self.name_index(&tool.canonical);
        if self.entries.len() >= MAX_TOOLS {
            self.entries.pop();
            let dropped = self.entries.len() as u32;
            self.by_hash.retain(|_, index| *index != dropped);
        }
        let index = self.entries.len() as u32;
        let mark = mark(&tool.tool);
        self.entries.push(MetTool { name, mark, tool, params: KnownParams::default() });
        self.by_hash.insert(hash, index);
        index
    }

    /// The index of a canonical name.
    pub fn name_index(&mut self, canonical: &str) -> u32 {
        let known = self.names.get_index_of(canonical);
        known.unwrap_or_else(|| self.names.insert_full(canonical.into()).0) as u32
    }

    /// A tool by its index.
    #[inline]
    pub fn get(&self, index: u32) -> Option<&MetTool> {
        self.entries.get(index as usize)
    }

    /// A tool by its index, to learn more of it.
    #[inline]
    pub fn get_mut(&mut self, index: u32) -> Option<&mut MetTool> {
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
        self.get(index).map_or("", |met| met.tool.native.as_deref().unwrap_or(&met.tool.tool))
    }
}

/// The length of a name and its last letters, in one number.
#[inline]
fn mark(name: &str) -> u64 {
    let last = name.as_bytes().iter().rev().take(7);
    last.fold(name.len() as u64, |mark, byte| mark << 8 | u64::from(*byte))
}

impl Catalogue {
    fn of(image: &Image) -> Option<&Self> {
        image.kept(Self::default)
    }

    /// A tool, by its names; met for the first time, its selection is worked out.
    fn tool(&self, image: &Image, tool: &str, native: Option<&str>) -> Arc<Tool> {
        let names: ToolNames = (tool.into(), native.map(Into::into));
        let Ok(mut known) = self.0.lock() else { return Arc::new(Tool::new(image, names)) };
        if let Some(known) = known.get(&names) {
            return Arc::clone(known);
        }
        let met = Arc::new(Tool::new(image, names.clone()));
        if known.len() < MAX_TOOLS {
            known.insert(names, Arc::clone(&met));
        }
        met
    }
}

impl Tool {
    #[inline]
    fn is(&self, tool: &str, native: Option<&str>) -> bool {
        *self.tool == *tool && self.native.as_deref() == native
    }

    fn new(image: &Image, (tool, native): ToolNames) -> Self {
        let view = image.view();
        let (mut groups, mut normal) = (vec![0], String::new());
        for name in [Some(&tool), native.as_ref()].into_iter().flatten() {
            normalise(name, &mut normal);
            groups.extend(selecting_groups(image, &normal));
            if is_shell(&normal) {
                groups.extend(selecting_groups(image, SHELL));
            }
        }
        groups.sort_unstable();
        groups.dedup();
        normalise(&tool, &mut normal);
        let canonical = last_part(&normal);
        let records: Vec<TriggerGroup> =
            groups.iter().map(|&group| view.row(Section::Triggers, group)).collect();
        let transitions = transitions_of(view, &records);
        let is_of_call = |transition: &Transition| {
            [Change::AddOnCall as u32, Change::IncrementOnCall as u32].contains(&transition.change)
        };
        Self {
            canonical: canonical.into(),
            groups: groups.into(),
            phases: PhaseRules::of(view, &records),
            has_conditions: transitions.iter().any(|transition| transition.code_len > 0),
            changes_when_made: transitions.iter().any(is_of_call),
            transitions,
            changes_files: is_editing(canonical),
            files: ToolFiles::of(canonical),
            permissions: ToolPermissions::of(image, &tool, native.as_deref()),
            tool,
            native,
        }
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
