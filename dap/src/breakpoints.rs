//! Where to stop: events, rules, conditions, and kinds of decisions. Here is what a line of a file stands for, and
//! whether an event is one to stop at; the adapter does the stopping.

use std::collections::BTreeMap;

use behavior_image::format::{ConditionNotes, Section};
use behavior_runtime::explain::Explanation;
use behavior_runtime::{Decision, Layer, Layers, Truth, Verdict};

use crate::protocol::{FunctionBreakpoint, SourceBreakpoint};
use crate::recording::Recording;

/// The kinds of decisions to stop at: name, label for people, and whether it is on at first.
pub const FILTERS: [(&str, &str, bool); 4] = [
    ("deny", "A call is denied", false),
    ("ask", "The user is asked", false),
    ("finding", "A rule fires", false),
    ("undecided", "Nobody can tell whether a rule applies", false),
];

/// What a breakpoint is on.
#[derive(Clone, Debug, PartialEq)]
pub enum On {
    /// A line of the recording.
    Event(u32),
    /// A rule that fires, by its number in all layers.
    Rule(u32),
    /// A condition that holds, by the path of its file and its line.
    Condition(String, u32),
    /// Nothing, and why.
    Nothing(String),
}

/// A place to stop at.
#[derive(Clone, Debug)]
pub struct Breakpoint {
    pub id: u64,
    pub on: On,
    /// What must hold besides.
    pub condition: Option<String>,
    /// Why that can never hold, where it cannot be understood.
    pub trouble: Option<String>,
}

/// Why to stop.
#[derive(Clone, Debug)]
pub struct Hit {
    /// The reason, as the protocol names it.
    pub reason: &'static str,
    /// For people.
    pub description: String,
    /// The breakpoint, if it is one.
    pub id: Option<u64>,
}

/// All that is to be stopped at.
#[derive(Default)]
pub struct Breakpoints {
    /// By the path of the file.
    pub lines: BTreeMap<String, Vec<Breakpoint>>,
    pub functions: Vec<Breakpoint>,
    pub filters: Vec<String>,
    next: u64,
}

/// An event that was decided on.
pub struct Decided<'a> {
    pub line: u32,
    pub decision: &'a Decision,
    /// How each layer came to it, where that was asked for.
    pub explanations: &'a [(Layer, Explanation)],
}

impl Breakpoints {
    /// Gives a place a number.
    pub fn number(&mut self, on: On, condition: Option<String>) -> Breakpoint {
        self.next += 1;
        let condition = condition.filter(|condition| !condition.trim().is_empty());
        Breakpoint { id: self.next, on, condition, trouble: None }
    }

    /// Takes the lines of a file to stop at, in place of those before.
    pub fn set_lines(
        &mut self,
        path: &str,
        wanted: Vec<SourceBreakpoint>,
        mut find: impl FnMut(i64) -> On,
    ) {
        let set = wanted.into_iter().map(|wanted| {
            let on = find(wanted.line);
            self.number(on, wanted.condition)
        });
        let set: Vec<_> = set.collect();
        self.lines.insert(path.to_owned(), set);
    }

    /// Takes note of what is wrong with conditions, as `find` says it, so that nothing stops there.
    pub fn note_trouble(&mut self, mut find: impl FnMut(&str) -> Option<String>) {
        for breakpoint in self.lines.values_mut().flatten().chain(&mut self.functions) {
            breakpoint.trouble = breakpoint.condition.as_deref().and_then(&mut find);
        }
    }

    /// Takes the rules to stop at, in place of those before.
    pub fn set_functions(&mut self, wanted: Vec<FunctionBreakpoint>, layers: &Layers) {
        let set = wanted.into_iter().map(|wanted| {
            let on = match layers.rules().find(wanted.name.trim()) {
                Some(rule) => On::Rule(rule),
                None => On::Nothing(format!("no rule called `{}` is in force", wanted.name)),
            };
            self.number(on, wanted.condition)
        });
        self.functions = set.collect();
    }

    fn all(&self) -> impl Iterator<Item = &Breakpoint> {
        self.lines.values().flatten().chain(&self.functions)
    }

    /// Returns whether an event has to be explained to know.
    pub fn need_explanations(&self) -> bool {
        self.all().any(|breakpoint| matches!(breakpoint.on, On::Condition(..)))
    }

    /// Returns whether a breakpoint asks for a condition besides.
    pub fn ask_besides(&self) -> bool {
        self.all().any(|breakpoint| breakpoint.condition.is_some())
    }

    /// Returns the breakpoints that an event meets, but for what they ask besides, and the decision it is.
    pub fn met<'b>(
        &'b self,
        decided: &'b Decided<'_>,
        layers: &'b Layers,
        path: &'b dyn Fn(&str) -> String,
    ) -> impl Iterator<Item = (&'b Breakpoint, Hit)> {
        let lines = self.lines.values().flatten().map(|breakpoint| ("breakpoint", breakpoint));
        let functions = self.functions.iter().map(|breakpoint| ("function breakpoint", breakpoint));
        lines.chain(functions).filter_map(move |(reason, breakpoint)| {
            let is_sound = breakpoint.trouble.is_none();
            let description =
                is_sound.then(|| meets(&breakpoint.on, decided, layers, path)).flatten()?;
            Some((breakpoint, Hit { reason, description, id: Some(breakpoint.id) }))
        })
    }

    /// Returns whether a decision is of a kind to stop at.
    pub fn filtered(&self, decision: &Decision, layers: &Layers) -> Option<Hit> {
        let rules = layers.rules();
        let of_finding = || {
            let found = decision.findings.iter().chain(&decision.besides().settled).next()?;
            Some(format!("`{}`: {}", rules.id(found.rule), found.message))
        };
        let description = self.filters.iter().find_map(|filter| match &**filter {
            "deny" => (decision.verdict() == Verdict::Deny)
                .then(|| of_finding().unwrap_or_else(|| "the call is denied".to_owned())),
            "ask" => (decision.verdict() == Verdict::Ask)
                .then(|| of_finding().unwrap_or_else(|| "the user is asked".to_owned())),
            "finding" => of_finding(),
            "undecided" => {
                let one = decision.undecided.first()?;
                Some(format!("`{}` needs {}", rules.id(one.rule), one.needs))
            }
            _ => None,
        })?;
        Some(Hit { reason: "exception", description, id: None })
    }
}

fn meets(
    on: &On,
    decided: &Decided<'_>,
    layers: &Layers,
    path: &dyn Fn(&str) -> String,
) -> Option<String> {
    match on {
        On::Event(line) => (decided.line == *line).then(|| format!("line {line} of the recording")),
        On::Rule(rule) => {
            let mut findings =
                decided.decision.findings.iter().chain(&decided.decision.besides().settled);
            let finding = findings.find(|finding| finding.rule == *rule)?;
            let id = layers.rules().id(*rule);
            Some(format!("`{id}` fires: {}", finding.message))
        }
        On::Condition(file, line) => {
            let images = layers.iter().map(|(_, image)| image);
            images.zip(decided.explanations).find_map(|(image, (_, explanation))| {
                let mut steps = explanation.rules.iter().flat_map(|rule| &rule.steps);
                steps.find_map(|step| {
                    let (text, place) = step.condition(image)?;
                    let is_it = step.result == Truth::True && place.line == *line;
                    (is_it && path(place.file) == *file)
                        .then(|| format!("`{text}` holds: {}", step.saw))
                })
            })
        }
        On::Nothing(_) => None,
    }
}

/// Where rules and conditions stand, by the paths of their files.
#[derive(Default)]
pub struct Places {
    files: BTreeMap<String, FilePlaces>,
}

#[derive(Default)]
struct FilePlaces {
    /// Lines and numbers of rules, in the order of their lines.
    rules: Vec<(u32, u32)>,
    conditions: Vec<u32>,
}

impl Places {
    /// Looks up the places of all rules and conditions.
    pub fn of(layers: &Layers, path: impl Fn(&str) -> String) -> Self {
        let mut known: BTreeMap<String, String> = BTreeMap::new();
        let mut places = Self::default();
        let mut file =
            |name: &str| known.entry(name.to_owned()).or_insert_with(|| path(name)).clone();
        for (number, rule) in (0..).zip(layers.rules().iter()) {
            let in_file = places.files.entry(file(rule.place.file)).or_default();
            in_file.rules.push((rule.place.line, number));
        }
        for (_, image) in layers.iter() {
            let view = image.view();
            for row in 0..view.rows::<ConditionNotes>(Section::ConditionNotes) {
                let notes = view.row::<ConditionNotes>(Section::ConditionNotes, row);
                let place = view.place(&notes);
                let in_file = places.files.entry(file(place.file)).or_default();
                in_file.conditions.push(place.line);
            }
        }
        for in_file in places.files.values_mut() {
            in_file.rules.sort_unstable();
            in_file.conditions.sort_unstable();
        }
        places
    }

    /// Returns what a line of a rule file stands for, and the line of that.
    pub fn find(&self, path: &str, line: u32) -> (On, u32) {
        let Some(file) = self.files.get(path) else {
            let why = "no rule of this file is in force here, and it is not the recording";
            return (On::Nothing(why.to_owned()), line);
        };
        let above = file.rules.partition_point(|(at, _)| *at <= line);
        let rule = above.checked_sub(1).and_then(|at| file.rules.get(at));
        let starts = rule.is_some_and(|(at, _)| *at == line);
        if !starts && file.conditions.binary_search(&line).is_ok() {
            return (On::Condition(path.to_owned(), line), line);
        }
        match rule {
            Some((at, number)) => (On::Rule(*number), *at),
            None => (On::Nothing("no rule stands here".to_owned()), line),
        }
    }
}

/// Returns what a line of the recording stands for: its event, or the next one below.
pub fn in_recording(recording: &Recording, line: u32) -> On {
    let below = recording.events.iter().map(|recorded| recorded.line).filter(|at| *at >= line);
    match below.min() {
        Some(line) => On::Event(line),
        None => On::Nothing("no event stands here or below".to_owned()),
    }
}
