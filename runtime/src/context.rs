//! One event, as conditions and messages look at it: the call with its parameters, the text, the
//! result. A call that waits for its result is kept here too, in buffers that are used again.

use crate::decision::Phase;
use behavior_facts::event::Call;
use behavior_facts::known_params::KnownParams;
use behavior_facts::mark::{are_equal, mark};
use behavior_facts::params::{KeptParams, Params};
use behavior_facts::touched::ToolFiles;
use behavior_facts::value::ValueRef;
use behavior_image::Image;

/// One event in the light of which rules are looked at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EvaluationContext<'a> {
    pub phase: Phase,
    /// The index of the tool, where there is one.
    pub tool: Option<u32>,
    /// Whether it runs command lines.
    pub is_shell: bool,
    /// What it does with the files that its parameters name.
    pub files: ToolFiles,
    pub params: Params<'a>,
    pub text: &'a str,
    pub result: Option<ValueRef<'a>>,
    pub ok: bool,
    /// How often the same tool ran in a row, counting a call that is about to run.
    pub consecutive: u32,
}

impl<'a> EvaluationContext<'a> {
    /// A call of a tool that is made, where nobody asks how often it was called in a row.
    pub fn of_made_call(tool: u32, is_shell: bool, files: ToolFiles, params: Params<'a>) -> Self {
        Self {
            phase: Phase::PreTool,
            tool: Some(tool),
            is_shell,
            files,
            params,
            text: "",
            result: None,
            ok: true,
            consecutive: 0,
        }
    }
}

/// A call that waits for its result.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeptCall {
    /// The index of the tool's canonical name.
    pub name: u32,
    /// The index of the tool, as long as it was not forgotten.
    pub met: u32,
    /// The tool, where its index may soon be another one's.
    named: Option<NamedTool>,
    has_id: bool,
    id: String,
    /// Whether it entered the sets that take a call when it is made.
    pub is_counted: bool,
    /// The counters in which it counts before it has run.
    pub started: Vec<u32>,
    /// The files that it makes if the user lets it.
    pub made: Vec<String>,
    /// What was found in it before it ran, by [`PreparedRules::resets`](crate::prepared_rules::PreparedRules), where its
    /// tool keeps its index.
    resets: Option<u64>,
    /// Whether all that is known of it was saved: which call it was, and whether it entered them.
    pub is_remnant: bool,
    /// Its parameters, as far as something may ask for them.
    pub params: KeptParams,
}

/// A tool, as it was called, and the agent's own name for it.
#[derive(Clone, Debug)]
struct NamedTool {
    tool: String,
    native: Option<String>,
}

impl KeptCall {
    /// For how long an id there is room at once.
    const ROOM: usize = 64;

    /// A blank one, with room for most calls at once.
    #[cold]
    fn roomy() -> Box<Self> {
        let (id, params) = (String::with_capacity(Self::ROOM), KeptParams::roomy());
        Box::new(Self { id, params, ..Self::default() })
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.params.clear();
        self.resets = None;
        self.named = None;
        self.has_id = false;
        self.is_counted = false;
        self.is_remnant = false;
        self.started.clear();
        // Most calls make none.
        if !self.made.is_empty() {
            self.made.clear();
        }
    }

    fn take_id(&mut self, id: Option<&str>) {
        self.has_id = id.is_some();
        self.id.clear();
        self.id.push_str(id.unwrap_or_default());
    }

    /// What was found in it before it ran, if somebody looked.
    #[inline]
    pub fn resets(&self) -> Option<u64> {
        self.resets.filter(|_| self.named.is_none())
    }

    /// Notes the names of the tool, whose index may soon be another one's.
    #[cold]
    fn name_tool(&mut self, call: &Call<'_>) {
        let native = call.native_tool.as_deref().map(str::to_owned);
        self.named = Some(NamedTool { tool: call.tool.clone().into_owned(), native });
    }

    /// The tool, as it was called, and the agent's own name for it, where its index may be another one's.
    #[inline]
    pub fn named_tool(&self) -> Option<(&str, Option<&str>)> {
        let named = self.named.as_ref()?;
        Some((&named.tool, named.native.as_deref()))
    }
}

/// The calls that wait for their results, oldest first.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenCalls {
    calls: Vec<OpenCall>,
    #[expect(clippy::vec_box, reason = "they go to and fro between here and the calls")]
    spare: Vec<Box<KeptCall>>,
}

/// Such a call, and what finds it.
#[derive(Clone, Debug)]
struct OpenCall {
    /// What tells most ids apart.
    mark: u64,
    call: Box<KeptCall>,
}

/// What a saved session knows of a call that waits for its result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Remnant<'a> {
    /// Its id, where it has one.
    pub id: Option<&'a str>,
    /// The index of the tool's canonical name.
    pub name: u32,
    /// Whether it entered the sets that take a call when it is made.
    pub is_counted: bool,
    /// The counters in which it counts already.
    pub started: &'a [u32],
    /// The files that it makes if the user lets it.
    pub made: &'a [String],
}

/// What is to be remembered of a call that is made until it has run.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    /// The counters in which it counts before it has run.
    pub started: Vec<u32>,
    /// The files that it makes if the user lets it.
    pub made: Vec<String>,
}

impl OpenCalls {
    /// Calls that never get a result are forgotten from here on, oldest first.
    pub const MAX: usize = 512;

    /// Keeps a call of the tool `met`, whose canonical name is `name`; where that index does not last, with
    /// all of its names. Returns its parameters.
    pub fn keep<'a>(
        &mut self,
        image: &Image,
        call: &'a Call<'a>,
        (met, is_lasting): (u32, bool),
        name: u32,
        known: &KnownParams,
    ) -> Params<'a> {
        if self.calls.len() >= Self::MAX {
            self.spare.push(self.calls.remove(0).call);
        }
        let mut kept = self.blank();
        kept.take_id(call.id.as_deref());
        let params = kept.params.fill(image, call, known);
        if !is_lasting {
            kept.name_tool(call);
        }
        kept.name = name;
        kept.met = met;
        let mark = mark(call.id.as_deref().unwrap_or_default());
        self.calls.push(OpenCall { mark, call: kept });
        params
    }

    /// Keeps what was found in the newest call before it runs.
    #[inline]
    pub fn note_resets(&mut self, resets: u64) {
        if let Some(newest) = self.calls.last_mut() {
            newest.call.resets = Some(resets);
        }
    }

    /// Keeps the command line that the newest call comes to.
    pub fn tell_newest(&mut self, line: &str) {
        if let Some(newest) = self.calls.last_mut() {
            newest.call.params.tell(line);
        }
    }

    /// Remembers that the newest call has entered the sets that take a call when it is made.
    #[inline]
    pub fn mark_newest(&mut self) {
        if let Some(newest) = self.calls.last_mut() {
            newest.call.is_counted = true;
        }
    }

    /// Remembers what is left to do for the newest call once it has run.
    pub fn count_newest(&mut self, Counted { started, made }: Counted) {
        if let Some(newest) = self.calls.last_mut() {
            (newest.call.started, newest.call.made) = (started, made);
        }
    }

    /// Gives the counters in which calls count that have not run, once for each call. Those calls count no longer; if
    /// one runs after all, it counts then.
    pub fn take_started(&mut self) -> Vec<u32> {
        let mut taken = Vec::new();
        let calls = self.calls.iter_mut().map(|open| &mut open.call);
        for call in calls.filter(|call| !call.started.is_empty()) {
            taken.append(&mut call.started);
            call.is_counted = false;
        }
        taken
    }

    /// What a saved session knows of each, oldest first.
    pub fn remnants(&self) -> impl Iterator<Item = Remnant<'_>> {
        self.calls.iter().map(|open| &open.call).map(|call| Remnant {
            id: call.has_id.then_some(&*call.id),
            name: call.name,
            is_counted: call.is_counted,
            started: &call.started,
            made: &call.made,
        })
    }

    /// Takes up a call that was saved.
    pub fn keep_remnant(&mut self, call: &Remnant<'_>) {
        let mut kept = Box::new(KeptCall {
            name: call.name,
            is_counted: call.is_counted,
            started: call.started.to_vec(),
            made: call.made.to_vec(),
            is_remnant: true,
            ..KeptCall::default()
        });
        kept.take_id(call.id);
        self.calls.push(OpenCall { mark: mark(&kept.id), call: kept });
    }

    /// Takes the call that a result belongs to: by id, else the oldest one of that tool, or of any
    /// when the result does not say.
    pub fn take(
        &mut self,
        id: Option<&str>,
        is_tool: impl Fn(u32) -> bool,
    ) -> Option<Box<KeptCall>> {
        let index = match id {
            Some(id) => {
                let mark = mark(id);
                let is_it = |kept: &KeptCall| kept.has_id && are_equal(&kept.id, id);
                self.calls.iter().position(|open| open.mark == mark && is_it(&open.call))
            }
            None => self.calls.iter().position(|open| is_tool(open.call.name)),
        }?;
        // Most often it is the only one that waits, or the newest.
        let is_newest = index + 1 == self.calls.len();
        let taken = if is_newest { self.calls.pop()? } else { self.calls.remove(index) };
        Some(taken.call)
    }

    /// A call of which nothing is known.
    #[inline(always)]
    pub fn blank(&mut self) -> Box<KeptCall> {
        match self.spare.pop() {
            Some(mut kept) => {
                kept.clear();
                kept
            }
            None => KeptCall::roomy(),
        }
    }

    /// Gives a call's buffers back.
    pub fn give_back(&mut self, call: Box<KeptCall>) {
        self.spare.push(call);
    }

    pub fn clear(&mut self) {
        self.spare.extend(self.calls.drain(..).map(|open| open.call));
    }
}
