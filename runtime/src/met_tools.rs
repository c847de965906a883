//! The tools that a session has met, and what each selects in an image: worked out once.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex};

use crate::permission::ToolPermissions;
use crate::select::PhaseRules;
use behavior_facts::commands::{Hints, Runs, may_speak_of_commands, told};
use behavior_facts::event::{Call, Param, Value};
use behavior_facts::known_params::KnownParams;
use behavior_facts::mark::{Places, are_equal, mark};
use behavior_facts::params::Params;
use behavior_facts::tool_catalogue::{is_editing, is_shell, last_part};
use behavior_facts::tools::{SHELL, normalise, selects};
use behavior_facts::touched::ToolFiles;
use behavior_image::code::{Change, Matching};
use behavior_image::format::{NONE, PatternRecord, Section, Transition, TriggerGroup};
use behavior_image::{Image, View};
use behavior_intent::scheduled::is_scheduling;

/// The tools that a session has met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tools {
    entries: Vec<MetTool>,
    /// What tells most of the first few apart.
    marks: Vec<u64>,
    /// Which of the first few has a mark, by some bits of it, most often.
    places: Places,
    /// Where to find those that stand behind the first few.
    by_hash: HashMap<u64, u32, foldhash::fast::RandomState>,
    hasher: foldhash::fast::FixedState,
    names: indexmap::IndexSet<Arc<str>, foldhash::fast::RandomState>,
}

/// A tool that a session has met.
#[derive(Clone, Debug)]
pub(crate) struct MetTool {
    /// Index of the canonical name: equal for spellings of one tool.
    pub name: u32,
    /// What it selects in the image.
    pub tool: Arc<Tool>,
}

/// A tool, by the name it was called and the agent's own name for it, and what it selects in an image.
#[derive(Debug)]
pub(crate) struct Tool {
    tool: Box<str>,
    native: Option<Box<str>>,
    canonical: Arc<str>,
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
    /// What it may run, though nobody lists it.
    pub runs: Runs,
    /// Whether what it is given may be said to the agent later.
    pub is_scheduling: bool,
    /// What the policy has for it.
    pub permissions: ToolPermissions,
    /// The parameters that its calls had.
    pub params: KnownParams,
}

/// The tools that sessions under one image have met. It is kept with the image, since sessions are many
/// and meet the same tools.
#[derive(Debug, Default)]
struct Catalogue(Mutex<HashMap<u64, Arc<Tool>, foldhash::fast::RandomState>>);

type ToolNames = (Box<str>, Option<Box<str>>);

/// Sessions meet few tools; one that meets more shares the last place among the rest, so the index
/// of a tool holds only until the next tool is looked up.
const MAX_TOOLS: usize = 1024;

/// So many are compared before one is looked up.
const MAX_COMPARED: usize = 12;

impl Tools {
    /// The index of a tool; met for the first time, its selection is worked out.
    #[inline(always)]
    pub fn index(&mut self, image: &Image, tool: &str, native: Option<&str>) -> u32 {
        let mark = mark(tool);
        let index = self.places.get(mark);
        match self.is_at(index as usize, mark, tool, native) {
            true => index,
            false => self.look_up(image, tool, native, mark),
        }
    }

    /// Whether the tool at an index is the one of these names, and among the first few.
    #[inline]
    fn is_at(&self, index: usize, mark: u64, tool: &str, native: Option<&str>) -> bool {
        self.marks.get(index) == Some(&mark)
            && self.entries.get(index).is_some_and(|met| {
                are_equal(&met.tool.tool, tool) && met.tool.native.as_deref() == native
            })
    }

    #[inline(never)]
    fn look_up(&mut self, image: &Image, tool: &str, native: Option<&str>, mark: u64) -> u32 {
        let is_it = |index: &usize| self.is_at(*index, mark, tool, native);
        if let Some(index) = (0..self.marks.len()).find(is_it) {
            return index as u32;
        }
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
            Some(catalogue) => catalogue.tool(image, tool, native, hash),
            None => Arc::new(Tool::new(image, (tool.into(), native.map(Into::into)))),
        };
        if self.names.is_empty() {
            // Most sessions meet no more.
            self.names.reserve(MAX_COMPARED);
        }
        let name = self.names.insert_full(Arc::clone(&tool.canonical)).0 as u32;
        if self.entries.len() >= MAX_TOOLS {
            self.entries.pop();
            let dropped = self.entries.len() as u32;
            self.by_hash.retain(|_, index| *index != dropped);
        }
        let index = self.entries.len() as u32;
        if self.entries.len() < MAX_COMPARED {
            // Most sessions meet no more.
            self.entries.reserve(MAX_COMPARED - self.entries.len());
            self.marks.reserve(MAX_COMPARED - self.marks.len());
            let mark = mark(&tool.tool);
            self.marks.push(mark);
            self.places.set(mark, index);
        } else {
            self.by_hash.insert(hash, index);
        }
        self.entries.push(MetTool { name, tool });
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

impl Catalogue {
    fn of(image: &Image) -> Option<&Self> {
        image.kept(Self::default)
    }

    /// A tool, by its names and their hash; met for the first time, its selection is worked out.
    fn tool(&self, image: &Image, tool: &str, native: Option<&str>, hash: u64) -> Arc<Tool> {
        let make = || Arc::new(Tool::new(image, (tool.into(), native.map(Into::into))));
        let Ok(mut known) = self.0.lock() else { return make() };
        if let Some(known) = known.get(&hash).filter(|known| known.is(tool, native)) {
            return Arc::clone(known);
        }
        let met = make();
        if known.len() < MAX_TOOLS {
            known.entry(hash).or_insert_with(|| Arc::clone(&met));
        }
        met
    }
}

impl Tool {
    /// Whether a call of it runs command lines.
    #[inline(always)]
    pub fn runs_commands(&self, params: Params<'_>) -> bool {
        self.permissions.is_shell
            || params.told_line().is_some()
            || self.runs != Runs::AsListed
                && params.hints().may_be_line()
                && self.runs_by_params(params)
    }

    #[inline(never)]
    fn runs_by_params(&self, params: Params<'_>) -> bool {
        self.runs.commands(|name| params.get(name))
    }

    /// The command line that a call of it comes to, where no one of its parameters holds it. `hints` are what the names
    /// of those say of it.
    #[inline(always)]
    pub fn told(&self, call: &Call<'_>, hints: Hints) -> Option<String> {
        let speaks = |param: &Param<'_>| match &param.value {
            Value::Json(json) => may_speak_of_commands(json),
            Value::Text(_) => false,
        };
        let in_trees = || call.params.iter().any(speaks);
        match hints.may_tell(self.permissions.is_shell, self.runs, in_trees) {
            true => self.tell(call),
            false => None,
        }
    }

    #[cold]
    fn tell(&self, call: &Call<'_>) -> Option<String> {
        let params = Params::of_call(call);
        told(self.permissions.is_shell, self.runs, &self.canonical, &|visit| {
            params.for_each_named(|name, _, value| visit(name, value));
        })
    }

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
            runs: Runs::of(&normal),
            is_scheduling: is_scheduling(canonical),
            permissions: ToolPermissions::of(image, &tool, native.as_deref()),
            params: KnownParams::default(),
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

/// A pattern that is nothing but texts is looked for at once: a scan for its texts would say nothing that it does not.
fn without_needless_scan(view: View<'_>, mut transition: Transition) -> Transition {
    if transition.scan != NONE && transition.change == Change::ResetWhen as u32 {
        let pattern: PatternRecord = view.row(Section::Patterns, transition.pattern);
        if matches!(
            Matching::from_number(pattern.matching),
            Some(Matching::OneOf | Matching::Literal)
        ) {
            transition.scan = NONE;
        }
    }
    transition
}

/// What changes, once each, in the order in which it applies.
fn transitions_of(view: View<'_>, groups: &[TriggerGroup]) -> Box<[Transition]> {
    let mut transitions: Vec<Transition> = groups
        .iter()
        .flat_map(|group| group.transitions..group.transitions + group.transitions_len)
        .map(|row| view.row(Section::Transitions, row))
        .map(|transition| without_needless_scan(view, transition))
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
