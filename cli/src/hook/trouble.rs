//! What is answered when no decision could be made. Nothing fails silently, and nothing fails open
//! unless the config says so: the call goes to the user; where there is nobody to ask, it is denied
//! if any of the rules could have denied it.

use behavior_agents::hook::{Agent, HookEvent, Notice, Reply};
use behavior_runtime::decision::Action;
use behavior_runtime::event::Event;
use behavior_runtime::tools::{normalise, selects};
use behavior_runtime::{Decision, Image, Phase, Session, Verdict};
use behavior_shell::Opaque;

use crate::live::describe;
use crate::live::rules::Broken;
use crate::live::store::{Held, Key, Store, StoreError};

/// Why there is no decision.
#[derive(Debug, Default)]
pub struct Trouble {
    /// What went wrong, for people.
    pub message: String,
    /// What the config says to do then.
    on_error: Option<Verdict>,
    /// What is known of the rules.
    rules: Rules,
    /// Whether they were asked for.
    knows_rules: bool,
    /// What was decided all the same.
    decided: Option<Reply>,
}

/// What is known of the rules that could not be asked.
#[derive(Debug, Default)]
enum Rules {
    /// Nothing: they may deny anything.
    #[default]
    Unknown,
    /// Triggers of those that deny.
    Denying(Vec<String>),
}

/// A command line that is longer or nested deeper than is read, where a rule that could deny it does not
/// know for that reason. Spelling it so gets nothing past such a rule.
pub fn of_long_lines(
    session: &Session,
    decided: &[(&Event<'_>, Decision)],
    image: &Image,
) -> Option<Trouble> {
    let denies =
        |rule: u32| image.rules().get(rule).is_some_and(|rule| rule.action == Action::Block);
    decided.iter().find_map(|(event, decision)| {
        let Event::ToolCall(call) = event else { return None };
        let rule = decision.undecided.iter().map(|one| one.rule).find(|rule| denies(*rule))?;
        let explanation = session.explain_call(call)?;
        let mut reasons = explanation.line.commands().iter().filter_map(|command| command.opaque);
        let reason = reasons.find(|why| matches!(why, Opaque::TooDeep | Opaque::TooLarge))?;
        let id = image.rules().get(rule).map_or("", |rule| rule.id);
        let message = format!("whether `{id}` forbids this cannot be told: {}", reason.name());
        Some(Trouble::new(&message).with_rules(image))
    })
}

impl Trouble {
    /// Something that went wrong before there were any rules.
    pub fn new(message: &str) -> Self {
        Self { message: message.to_owned(), ..Self::default() }
    }

    /// Rules that do not compile. Those of before tell what they would have been about.
    pub fn of_rules(broken: Box<Broken>) -> Self {
        let trouble = Self::new(&format!("the rules are not valid: {}", broken.message));
        trouble.with_broken_rules(&broken)
    }

    /// With what is known of rules that do not compile.
    pub fn with_broken_rules(self, broken: &Broken) -> Self {
        let trouble = match &broken.last {
            Some(image) => self.with_rules(image),
            None => self,
        };
        let on_error = broken.on_error.or(trouble.on_error);
        Self { on_error, knows_rules: true, ..trouble }
    }

    /// Whether the rules were asked what they say of failures.
    pub fn knows_rules(&self) -> bool {
        self.knows_rules
    }

    /// With what the rules would be about.
    pub fn with_rules(mut self, image: &Image) -> Self {
        let denies = |rule: &behavior_image::RuleInfo<'_>| {
            rule.action == Action::Block && rule.phase == Phase::PreTool
        };
        self.rules = if image.policy().is_in_force() {
            Rules::Unknown
        } else {
            let triggers = image.rules().iter().filter(denies).map(|rule| rule.trigger.to_owned());
            Rules::Denying(triggers.collect())
        };
        self.on_error = image.on_error();
        self.knows_rules = true;
        self
    }

    /// With a denial that was decided before it went wrong.
    pub fn denied(mut self, reply: &Reply) -> Self {
        self.decided = Some(reply.clone());
        self
    }

    /// Whether the rules may deny one of these calls.
    fn may_deny(&self, events: &[Event<'_>]) -> bool {
        let Rules::Denying(triggers) = &self.rules else { return true };
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
    if let Some(decided) = &trouble.decided {
        return Reply { context: vec![message], ..decided.clone() };
    }
    if notice.hook_event != HookEvent::BeforeTool {
        return Reply { context: vec![message], ..Reply::default() };
    }
    let can_ask = agent.abilities().asks && notice.about.headless != Some(true);
    let verdict = trouble.on_error.unwrap_or_else(|| match can_ask {
        true => Verdict::Ask,
        false if trouble.may_deny(&notice.events) => Verdict::Deny,
        false => Verdict::Allow,
    });
    match verdict {
        Verdict::Allow => Reply { context: vec![message], ..Reply::default() },
        verdict => Reply { verdict: Some(verdict), reason: message, context: Vec::new() },
    }
}

/// A store that does not give the session. One that is damaged is set aside, and the session starts
/// afresh with its next event.
pub fn of_store(store: &Store, key: &Key, error: &StoreError) -> Trouble {
    let wait = super::LOCK_WAIT;
    let moved = match error {
        StoreError::Damaged { .. } => store.set_aside(key, wait).ok().flatten(),
        _ => None,
    };
    let moved = moved
        .map(|path| format!("; it is now `{}`, and the session starts afresh", path.display()));
    Trouble::new(&format!("{}{}", describe(error), moved.unwrap_or_default()))
}

/// A state that is of no use.
pub fn of_state(mut held: Held, problem: &str) -> Trouble {
    let moved = match held.set_aside() {
        Ok(path) => format!("it is now `{}`, and the session starts afresh", path.display()),
        Err(error) => describe(&error),
    };
    Trouble::new(&format!("the state of the session cannot be used: {problem}; {moved}"))
}
