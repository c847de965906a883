//! `preflight`: what would be decided on calls, with nothing run and nothing kept.

use std::sync::Arc;

use behavior_agents::hook::Agent;
use behavior_runtime::event::{Call, Event, Param, SessionStart, ToolResult, Value as EventValue};
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
    let calls = arguments.get("calls").and_then(Value::as_array);
    let calls = calls.ok_or_else(|| Refused::new("`calls` is a list of calls"))?;
    if calls.len() > MAX_CALLS {
        return Err(Refused::new(format!("`calls` has more than {MAX_CALLS} entries")));
    }
    // All are looked at before anything is decided.
    let calls = calls.iter().map(Given::of).collect::<Result<Vec<_>, _>>()?;
    let mut taken = served.take(arguments)?;
    let options = Options { all: true, state: false, file: false, list: false };
    let layers = Arc::clone(&taken.layers);
    let report = JsonReport::new(&layers, options);
    let mut host = LiveHost::default();
    let mut decisions = Vec::new();
    for given in &calls {
        let call = given.call(taken.agent);
        let event = Event::ToolCall(call.clone());
        let mut decision = taken.session.apply(&event, &mut host);
        if !taken.troubles.is_empty() {
            decision.verdict = decision.verdict.max(Some(Verdict::Ask));
        }
        decisions.push(shown(&report, &event, &decision, &taken));
        if decision.verdict() != Verdict::Deny {
            let done = ToolResult { id: None, call: Some(call), result: None, ok: true };
            taken.session.apply(&Event::ToolResult(done), &mut host);
        }
    }
    let mut result = json!({ "decisions": decisions });
    if let (Some(result), false) = (result.as_object_mut(), taken.troubles.is_empty()) {
        result.insert("problems".to_owned(), json!(taken.troubles));
    }
    Ok(result)
}

/// A decision in the words of `simulate`, without what is said of events.
fn shown(report: &JsonReport<'_>, event: &Event<'_>, decision: &Decision, taken: &Taken) -> Value {
    let session = &taken.session;
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
            let restored = constitution::restore(&mut session, list, saved, cache.as_ref(), || ());
            troubles.extend(restored.err());
        }
        Ok(Taken { session, layers, agent: Agent::named(&key.agent), troubles })
    }

    /// Loads the rules of the working directory, as a hook does.
    pub fn load(&self, which: Which) -> Result<Loaded, Refused> {
        let trust = Trust::in_state(Some(&self.state));
        Ok(rules::load(&self.rules, which, self.cache()?.as_ref(), trust, || ()))
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
