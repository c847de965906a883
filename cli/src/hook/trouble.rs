//! What is answered when no decision could be made. Nothing fails silently, and nothing fails open
//! unless the config says so: the call goes to the user; where there is nobody to ask, it is denied
//! if any of the rules could have denied it.

use behavior_agents::hook::{Agent, HookEvent, Notice, Reply};
use behavior_facts::tools::{normalise, selects};
use behavior_runtime::decision::Action;
use behavior_runtime::event::Event;
use behavior_runtime::{Image, Layers, Phase, Verdict};

use crate::live::describe;
use crate::live::rules::Broken;
use crate::live::store::{Held, Key, Store, StoreError};

/// Why there is no decision.
#[derive(Debug, Default)]
pub struct Trouble {
    /// What went wrong, for people.
    pub message: String,
    /// What is known of the layers, if they were asked for.
    layers: Vec<LayerSays>,
    /// What was decided all the same.
    decided: Option<Box<Reply>>,
}

/// What a layer says of what cannot be decided.
#[derive(Debug, Default)]
struct LayerSays {
    /// What its files say to do then.
    on_error: Option<Verdict>,
    /// What is known of its rules.
    rules: Rules,
}

/// What is known of rules that could not be asked.
#[derive(Debug, Default)]
enum Rules {
    /// Nothing: they may deny anything.
    #[default]
    Unknown,
    /// Triggers of those that deny.
    Denying(Vec<String>),
}

impl Trouble {
    /// Something that went wrong before there were any rules.
    pub fn new(message: &str) -> Self {
        Self { message: message.to_owned(), ..Self::default() }
    }

    /// Rules that do not compile. Those of before tell what they would have been about.
    pub fn of_rules(broken: &[Broken]) -> Self {
        let message = |broken: &Broken| {
            format!("the rules of the {} are not valid: {}", broken.layer.name(), broken.message)
        };
        let messages: Vec<String> = broken.iter().map(message).collect();
        Self::new(&messages.join("; ")).with_broken_rules(broken)
    }

    /// Adds what is known of rules that do not compile.
    pub fn with_broken_rules(mut self, broken: &[Broken]) -> Self {
        for one in broken {
            let last = one.last.as_ref().map(LayerSays::of).unwrap_or_default();
            let on_error = one.on_error.or(last.on_error);
            self.layers.push(LayerSays { on_error, ..last });
        }
        self
    }

    /// Returns whether the rules were asked what they say of failures.
    pub fn knows_rules(&self) -> bool {
        !self.layers.is_empty()
    }

    /// Adds what the rules of a layer would be about.
    pub fn with_rules(mut self, image: &Image) -> Self {
        self.layers.push(LayerSays::of(image));
        self
    }

    /// Adds what the rules of all layers would be about.
    pub fn with_layers(self, layers: &Layers) -> Self {
        layers.iter().fold(self, |trouble, (_, image)| trouble.with_rules(image))
    }

    /// With what was decided all the same: before it went wrong, or without what was lost.
    pub fn with_decision(mut self, reply: &Reply) -> Self {
        self.decided = Some(Box::new(reply.clone()));
        self
    }

    /// Returns whether something was decided all the same.
    pub fn knows_decision(&self) -> bool {
        self.decided.is_some()
    }

    /// Returns the strictest of what the layers say is done with these calls.
    fn verdict(&self, can_ask: bool, events: &[Event<'_>]) -> Verdict {
        let nothing = [LayerSays::default()];
        let layers = if self.layers.is_empty() { &nothing } else { &*self.layers };
        let says = |layer: &LayerSays| {
            layer.on_error.unwrap_or_else(|| match can_ask {
                true => Verdict::Ask,
                false if layer.rules.may_deny(events) => Verdict::Deny,
                false => Verdict::Allow,
            })
        };
        layers.iter().map(says).max().unwrap_or(Verdict::Ask)
    }
}

impl LayerSays {
    fn of(image: &Image) -> Self {
        let denies = |rule: &behavior_image::RuleInfo<'_>| {
            matches!(rule.action, Action::Block | Action::Ask) && rule.phase == Phase::PreTool
        };
        let rules = if image.policy().is_in_force() {
            Rules::Unknown
        } else {
            let triggers = image.rules().iter().filter(denies).map(|rule| rule.trigger.to_owned());
            Rules::Denying(triggers.collect())
        };
        Self { on_error: image.on_error(), rules }
    }
}

impl Rules {
    /// Returns whether the rules may deny one of these calls.
    fn may_deny(&self, events: &[Event<'_>]) -> bool {
        let Self::Denying(triggers) = self else { return true };
        let tools = events.iter().filter_map(|event| match event {
            Event::ToolCall(call) => Some([Some(&*call.tool), call.native_tool.as_deref()]),
            _ => None,
        });
        let (mut trigger, mut tool) = (String::new(), String::new());
        tools.flatten().flatten().any(|name| {
            normalise(name, &mut tool);
            triggers.iter().flat_map(|list| list.split(", ")).any(|one| {
                normalise(one, &mut trigger);
                selects(&trigger, &tool)
            })
        })
    }
}

/// What to answer.
pub fn reply(trouble: &Trouble, agent: Agent, notice: &Notice<'_>) -> Reply {
    let message = format!("behavior: {}", trouble.message);
    // Not every agent takes a context with each event, so that the user is told as well.
    let undecided = Reply { notices: vec![trouble.message.clone()], ..Reply::default() };
    let is_call = notice.hook_event == HookEvent::BeforeTool;
    let can_ask = agent.abilities().asks && notice.about.headless != Some(true);
    let verdict = match is_call {
        true => trouble.verdict(can_ask, &notice.events),
        false => Verdict::Allow,
    };
    if let Some(decided) = trouble.decided.as_ref().filter(|one| one.verdict >= Some(verdict)) {
        let mut reply = Reply::clone(decided);
        reply.context.insert(0, message);
        reply.notices.push(trouble.message.clone());
        return reply;
    }
    match verdict {
        Verdict::Allow => Reply { context: vec![message], ..undecided },
        verdict => Reply {
            verdict: Some(verdict),
            for_user: message.clone(),
            reason: message,
            ..Reply::default()
        },
    }
}

/// A store that does not give the session. One that is damaged is set aside, and the session starts
/// afresh with its next event.
pub fn of_store(store: &Store, key: &Key, error: &StoreError) -> Trouble {
    let wait = super::limits::LOCK_WAIT;
    let moved = match error {
        StoreError::Damaged { .. } => store.set_aside(key, wait).ok().flatten(),
        _ => None,
    };
    let moved = moved
        .map(|path| format!("; it is now `{}`, and the session starts afresh", path.display()));
    Trouble::new(&format!("{}{}", describe(error), moved.unwrap_or_default()))
}

/// A tree of targets that does not tell what it has. One that is damaged is set aside with its session.
pub fn of_tree(held: Held, error: &StoreError) -> Trouble {
    match error {
        StoreError::Damaged { problem, .. } => of_state(held, problem),
        _ => Trouble::new(&describe(error)),
    }
}

/// A state that is of no use.
pub fn of_state(mut held: Held, problem: &str) -> Trouble {
    let moved = match held.set_aside() {
        Ok(path) => format!("it is now `{}`, and the session starts afresh", path.display()),
        Err(error) => describe(&error),
    };
    Trouble::new(&format!("the state of the session cannot be used: {problem}; {moved}"))
}
