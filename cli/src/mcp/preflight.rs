//! `preflight`: what would be decided on calls, with nothing run and nothing kept.

use std::sync::Arc;

use behavior_agents::hook::Agent;
use behavior_compiler::plan::{self, Plan};
use behavior_runtime::event::{Call, Event, Param, SessionStart, Value as EventValue};
use behavior_runtime::preflight::Preflight;
use behavior_runtime::{Decision, LayeredSession, Layers, Session, Verdict};
use serde_json::{Map, Value, json};

use super::chosen::key_of;
use super::served::{Refused, Served};
use crate::live::cache::Cache;
use crate::live::cache_directory;
use crate::live::constitution::{self, STATE_NAME};
use crate::live::host::LiveHost;
use crate::live::kept_sets::{self, LayerSets};
use crate::live::rules::{self, Loaded, Which};
use crate::live::state::Kept;
use crate::live::store::{Held, Key};
use crate::live::trust::Trust;
use crate::plan::with_steps;
use crate::report::Report;
use crate::simulate::json::{JsonReport, Options};
use crate::simulate::summary::Seen;

/// More calls than this are none that anybody asks about at once.
const MAX_CALLS: usize = 256;

/// A session as it is now, taken up to look at and not to be kept.
pub struct Taken {
    pub session: LayeredSession,
    pub layers: Arc<Layers>,
    pub agent: Option<Agent>,
    /// What keeps rules from deciding, for people.
    pub troubles: Vec<String>,
}

/// Says what would be decided.
pub fn call(served: &Served, arguments: &Map<String, Value>) -> Result<Value, Refused> {
    // All is looked at before anything is decided.
    let asked = Asked::of(arguments)?;
    let taken = served.take(arguments)?;
    let options = Options { all: true, state: false, file: false, list: false };
    let layers = Arc::clone(&taken.layers);
    let report = JsonReport::new(&layers, options);
    let host = &mut LiveHost::default();
    let mut preflight = Preflight::new(taken.session, host);
    let mut decisions = Vec::new();
    for call in asked.calls(taken.agent) {
        let mut decision = preflight.call(call.clone());
        if !taken.troubles.is_empty() {
            decision.verdict = decision.verdict.max(Some(Verdict::Ask));
        }
        decisions.push(shown(&report, &Event::ToolCall(call), &decision, preflight.session()));
        // A plan is looked at whole; a call that is denied is not made.
        if asked.is_plan() || decision.verdict() != Verdict::Deny {
            preflight.succeed();
        }
    }
    let mut result = json!({ "decisions": decisions });
    if let (Some(result), false) = (result.as_object_mut(), taken.troubles.is_empty()) {
        result.insert("problems".to_owned(), json!(taken.troubles));
    }
    Ok(result)
}

/// What is asked about.
enum Asked<'a> {
    Calls(Vec<Given<'a>>),
    Plan(Plan),
}

impl<'a> Asked<'a> {
    fn of(arguments: &'a Map<String, Value>) -> Result<Self, Refused> {
        let (name, asked) = match (arguments.get("calls"), arguments.get("plan")) {
            (Some(calls), None) => ("calls", Self::of_calls(calls)?),
            (None, Some(plan)) => ("plan", Self::of_plan(plan)?),
            _ => return Err(Refused::new("`preflight` needs either `calls` or `plan`")),
        };
        match asked.len() <= MAX_CALLS {
            true => Ok(asked),
            false => Err(Refused::new(format!("`{name}` has more than {MAX_CALLS} calls"))),
        }
    }

    fn of_calls(calls: &'a Value) -> Result<Self, Refused> {
        let calls = calls.as_array().ok_or_else(|| Refused::new("`calls` is a list of calls"))?;
        Ok(Self::Calls(calls.iter().map(Given::of).collect::<Result<_, _>>()?))
    }

    /// Takes a plan as an object, or as the text of its file.
    fn of_plan(plan: &Value) -> Result<Self, Refused> {
        let text = plan.as_str().map_or_else(|| plan.to_string(), str::to_owned);
        let checked = plan::read("plan.json", &text);
        if checked.is_valid() {
            return Ok(Self::Plan(checked.plan));
        }
        let report = Report::of(&checked.compilation());
        let diagnostics = with_steps(&report, &checked);
        Err(Refused(json!({
            "error": "the plan is not valid",
            "diagnostics": serde_json::to_value(diagnostics)?,
        })))
    }

    fn len(&self) -> usize {
        match self {
            Self::Calls(calls) => calls.len(),
            Self::Plan(plan) => plan.steps.len(),
        }
    }

    fn is_plan(&self) -> bool {
        matches!(self, Self::Plan(_))
    }

    fn calls(&self, agent: Option<Agent>) -> Vec<Call<'_>> {
        match self {
            Self::Calls(calls) => calls.iter().map(|given| given.call(agent)).collect(),
            Self::Plan(plan) => plan.steps.iter().map(plan::Step::call).collect(),
        }
    }
}

/// A decision in the words of `simulate`, without what is said of events.
fn shown(
    report: &JsonReport<'_>,
    event: &Event<'_>,
    decision: &Decision,
    session: &LayeredSession,
) -> Value {
    let seen = Seen { file: "", index: 0, line: 1, name: "", slot: 0, session, event, decision };
    let whole: Value = serde_json::from_str(&report.line(&seen)).unwrap_or_default();
    let wanted = ["tool", "native_tool", "verdict", "findings", "undecided", "permission"];
    let fields = wanted.iter().filter_map(|name| Some((*name, whole.get(*name)?.clone())));
    fields.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A call as it was given.
struct Given<'a> {
    tool: &'a str,
    params: Vec<(&'a str, String)>,
}

impl<'a> Given<'a> {
    fn of(value: &'a Value) -> Result<Self, Refused> {
        let tool = value.get("tool").and_then(Value::as_str).filter(|tool| !tool.is_empty());
        let tool = tool.ok_or_else(|| Refused::new("a call needs the name of its `tool`"))?;
        let params = match value.get("params") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Object(params)) => {
                params.iter().map(|(name, value)| (name.as_str(), value.to_string())).collect()
            }
            Some(_) => return Err(Refused::new("`params` of a call is an object")),
        };
        Ok(Self { tool, params })
    }

    /// The call in canonical names, as the agent's adapter would give it.
    fn call(&self, agent: Option<Agent>) -> Call<'_> {
        let tools = agent.map(Agent::tools).unwrap_or_default();
        let known = tools.iter().find(|tool| tool.native == self.tool);
        let params = self.params.iter().map(|(name, json)| {
            let canonical = known.map_or(*name, |tool| tool.param(name));
            let value = match behavior_json::text_of(json) {
                Some(text) => EventValue::Text(text),
                None => EventValue::Json(json.as_str().into()),
            };
            let native = (canonical != *name).then(|| (*name).into());
            Param { name: canonical.into(), native, value }
        });
        Call {
            id: None,
            tool: known.map_or(self.tool, |tool| tool.canonical).into(),
            native_tool: known.map(|tool| tool.native.into()),
            params: params.collect(),
        }
    }
}

impl Served {
    /// Takes up the session that is meant. Without any, one begins here.
    pub fn take(&self, arguments: &Map<String, Value>) -> Result<Taken, Refused> {
        let store = self.store()?;
        let chosen = match self.chosen(&store, arguments) {
            Ok(chosen) => chosen,
            Err(refused) if arguments.contains_key("session") => return Err(refused),
            Err(_) => return self.fresh(),
        };
        let key = key_of(&chosen)?;
        let held = store.open(key, std::time::Duration::from_secs(5))?;
        self.restored(key, &held)
    }

    fn fresh(&self) -> Result<Taken, Refused> {
        std::env::set_current_dir(&self.folder)?;
        let loaded = self.load(Which::All)?;
        let layers = decisive(&loaded)?;
        let mut session = LayeredSession::new(Arc::clone(&layers));
        let cwd = self.folder.to_str().map(Into::into);
        let start = SessionStart { cwd, ..SessionStart::default() };
        session.apply(&Event::SessionStart(start), &mut LiveHost::default());
        let agent = self.agent.as_deref().and_then(Agent::named);
        Ok(Taken { session, layers, agent, troubles: troubles(&loaded) })
    }

    fn restored(&self, key: &Key, held: &Held) -> Result<Taken, Refused> {
        let unknown = || Refused::new("the saved session is of no known form");
        let record = held.record().ok_or_else(|| Refused::new("the session has just ended"))?;
        let kept = Kept::read(record.state()).ok_or_else(unknown)?;
        std::env::set_current_dir(kept.about.root.as_deref().unwrap_or(&self.folder))?;
        let which = match kept.about.enabled {
            Some(false) => Which::Administrators,
            _ => Which::All,
        };
        let loaded = self.load(which)?;
        let layers = decisive(&loaded)?;
        let mut trouble = None;
        let asked = kept_sets::Trouble::default();
        let mut names = loaded.layers.iter().map(|layer| layer.name.as_str());
        let mut session = LayeredSession::with(Arc::clone(&layers), |_, image| {
            let name = names.next().unwrap_or_default();
            let saved = kept.of_layer(name);
            let shelf = kept.about.shelves.get(name).filter(|_| !saved.is_empty());
            let Some(shelf) = shelf else { return Session::new(image) };
            let sets = Arc::new(LayerSets::new(held.tree(), shelf.clone(), &asked));
            let sets: Arc<dyn behavior_runtime::KeptSets> = sets;
            Session::restore_apart(Arc::clone(&image), saved, &sets).unwrap_or_else(|error| {
                trouble = Some(error);
                Session::new(image)
            })
        });
        if let Some(error) = trouble {
            return Err(error.into());
        }
        let mut troubles = troubles(&loaded);
        if let Some(list) = kept.about.constitution.as_ref().filter(|_| which == Which::All) {
            let (saved, cache) = (kept.of_layer(STATE_NAME), self.cache()?);
            let restored = constitution::restore(&mut session, list, saved, cache.as_ref());
            troubles.extend(restored.err());
        }
        Ok(Taken { session, layers, agent: Agent::named(&key.agent), troubles })
    }

    /// Loads the rules of the working directory, as a hook does.
    pub fn load(&self, which: Which) -> Result<Loaded, Refused> {
        let trust = Trust::in_state(Some(&self.state));
        Ok(rules::load(&self.rules, which, self.cache()?.as_ref(), trust))
    }

    fn cache(&self) -> Result<Option<Cache>, Refused> {
        let directory = cache_directory(|name| std::env::var_os(name));
        let key = self.key()?;
        let whole = directory.map(std::path::absolute).transpose()?;
        Ok(whole.map(|directory| Cache::at(&directory, key)))
    }
}

fn decisive(loaded: &Loaded) -> Result<Arc<Layers>, Refused> {
    loaded.decisive().map(Arc::new).ok_or_else(|| {
        let broken = troubles(loaded);
        match broken.is_empty() {
            true => Refused::new("the rules are switched off for this session"),
            false => Refused::new(broken.join("; ")),
        }
    })
}

fn troubles(loaded: &Loaded) -> Vec<String> {
    let told = |broken: &rules::Broken| {
        format!("the rules of the {} are not valid: {}", broken.layer.name(), broken.message)
    };
    loaded.broken.iter().map(told).collect()
}
