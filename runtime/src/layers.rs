//! Rules of several principals, each judged by itself: the strictest answer counts.
//!
//! A layer is an image and the session that it keeps. No layer sees what another one says, so that none can
//! make another's decision laxer. What the layers find is put together here, and nowhere else.

use std::sync::Arc;

use behavior_image::code::{ApprovalMode, PermissionAction, Scope, ShowUser};
use behavior_image::{Image, MonitorInfo, PermissionInfo, RuleInfo};

use crate::command_explanation::{CommandExplanation, Part};
use crate::constitution::{Change, Constitution, rule_id};
use crate::decision::{Decision, Finding, Reason};
use crate::explain::Explanation;
use crate::host::Host;
use crate::model::ModelRequest;
use crate::monitor::Outcome;
use crate::permission::Permission;
use crate::session::Session;
use crate::session_layer::SessionLayer;
use crate::verifier::{self, VerifierSetting, Wish};
use behavior_facts::event::Event;

/// Whose rules they are, from the most to the least trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Layer {
    /// The administrator of the machine.
    Administrator,
    /// The user who runs the agent.
    User,
    /// The project that the agent works in.
    Project,
    /// The session itself: what was added for it alone. It has no image among [`Layers`].
    Session,
}

impl Layer {
    /// Those that have files, the most trusted first.
    pub const ALL: [Self; 3] = [Self::Administrator, Self::User, Self::Project];

    /// Returns its name, as printed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Administrator => "administrator",
            Self::User => "user",
            Self::Project => "project",
            Self::Session => "session",
        }
    }
}

/// The rules of one layer.
#[derive(Clone, Debug)]
struct LayerRules {
    layer: Layer,
    image: Arc<Image>,
    /// How many rules, and how many policy rules, the layers before it have.
    offsets: Offsets,
}

#[derive(Clone, Copy, Debug, Default)]
struct Offsets {
    rules: u32,
    policy: u32,
}

/// The rules of all layers. Rules are numbered through, those of the most trusted layer first.
#[derive(Clone, Debug)]
pub struct Layers {
    above: Box<[LayerRules]>,
    own: LayerRules,
}

impl From<Arc<Image>> for Layers {
    /// Makes a project's rules the only ones.
    fn from(image: Arc<Image>) -> Self {
        let own = LayerRules { layer: Layer::Project, image, offsets: Offsets::default() };
        Self { above: Box::default(), own }
    }
}

impl Layers {
    /// Puts layers together, in any order; `None` if there is none.
    #[must_use]
    pub fn new(mut layers: Vec<(Layer, Arc<Image>)>) -> Option<Self> {
        layers.sort_by_key(|(layer, _)| *layer);
        let mut next = Offsets::default();
        let number = |(layer, image): (Layer, Arc<Image>)| {
            let offsets = next;
            next.rules += image.rules().len();
            next.policy += image.policy().len();
            LayerRules { layer, image, offsets }
        };
        let mut numbered: Vec<_> = layers.into_iter().map(number).collect();
        let own = numbered.pop()?;
        Some(Self { above: numbered.into(), own })
    }

    /// Returns the image of the least trusted layer: the project's, where it has rules.
    #[must_use]
    pub fn own(&self) -> &Arc<Image> {
        &self.own.image
    }

    /// Returns the layers with their images, the most trusted first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Layer, &Arc<Image>)> {
        self.all().map(|part| (part.layer, &part.image))
    }

    /// Returns whether there is more than one layer.
    #[must_use]
    pub fn are_several(&self) -> bool {
        !self.above.is_empty()
    }

    /// Returns the rules of all layers.
    #[must_use]
    pub fn rules(&self) -> LayeredRules<'_> {
        LayeredRules { layers: self }
    }

    /// Returns the policies of all layers.
    #[must_use]
    pub fn policy(&self) -> LayeredPolicy<'_> {
        LayeredPolicy { layers: self }
    }

    /// Returns the trace policies of all layers.
    #[must_use]
    pub fn monitors(&self) -> LayeredMonitors<'_> {
        LayeredMonitors { layers: self }
    }

    /// Returns which of the layers has a rule, counted from 0, and the rule's number in its image.
    #[must_use]
    pub fn locate(&self, rule: u32) -> (usize, u32) {
        let before = self.all().take_while(|part| part.offsets.rules <= rule).count();
        let index = before.saturating_sub(1);
        (index, self.of_rule(rule).1)
    }

    /// Returns what of the findings of a rule's layer a user is shown.
    #[must_use]
    pub fn show_user(&self, rule: u32) -> ShowUser {
        self.of_rule(rule).0.image.show_user()
    }

    /// Returns each layer's image, and how many rules those before it have.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (&Arc<Image>, u32)> {
        self.all().map(|part| (&part.image, part.offsets.rules))
    }

    fn all(&self) -> impl DoubleEndedIterator<Item = &LayerRules> {
        self.above.iter().chain(std::iter::once(&self.own))
    }

    /// Returns the layer that a number belongs to, by where its numbers begin.
    fn holder(&self, number: u32, first: impl Fn(&LayerRules) -> u32) -> &LayerRules {
        self.all().rev().find(|part| first(part) <= number).unwrap_or(&self.own)
    }

    fn of_rule(&self, rule: u32) -> (&LayerRules, u32) {
        let part = self.holder(rule, |part| part.offsets.rules);
        (part, rule.saturating_sub(part.offsets.rules))
    }
}

/// The rules of all layers, in the order in which findings are reported.
#[derive(Clone, Copy, Debug)]
pub struct LayeredRules<'a> {
    layers: &'a Layers,
}

impl<'a> LayeredRules<'a> {
    /// Returns how many there are.
    #[must_use]
    pub fn len(self) -> u32 {
        self.layers.all().map(|part| part.image.rules().len()).sum()
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns what is known of a rule, by its number in findings.
    #[must_use]
    pub fn get(self, rule: u32) -> Option<RuleInfo<'a>> {
        let (part, local) = self.layers.of_rule(rule);
        part.image.rules().get(local)
    }

    /// Returns whether what happened before in a session may make a difference to a rule.
    #[must_use]
    pub fn depends_on_session(self, rule: u32) -> bool {
        if self.of_session(rule).is_some() {
            return true;
        }
        let (part, local) = self.layers.of_rule(rule);
        part.image.rules().depends_on_session(local)
    }

    /// Returns the id of a rule. Numbers behind those of all rules are the session's own.
    #[must_use]
    pub fn id(self, rule: u32) -> &'a str {
        match self.of_session(rule) {
            Some(entry) => rule_id(entry),
            None => self.get(rule).map_or("", |rule| rule.id),
        }
    }

    /// Returns the layer of a rule.
    #[must_use]
    pub fn layer(self, rule: u32) -> Layer {
        match self.of_session(rule) {
            Some(_) => Layer::Session,
            None => self.layers.of_rule(rule).0.layer,
        }
    }

    /// Returns which entry of the session's list a rule is; `None` for rules of other layers.
    #[must_use]
    pub fn of_session(self, rule: u32) -> Option<u32> {
        rule.checked_sub(self.layers.own.offsets.rules + self.layers.own.image.rules().len())
    }

    /// Returns the number of the rule called `id`; where several layers have one, of the most trusted's.
    #[must_use]
    pub fn find(self, id: &str) -> Option<u32> {
        let find =
            |part: &LayerRules| part.image.rules().find(id).map(|rule| rule + part.offsets.rules);
        self.layers.all().find_map(find)
    }

    /// Returns all of them, in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = RuleInfo<'a>> {
        self.layers.all().flat_map(|part| part.image.rules().iter())
    }
}

/// The policies of all layers.
#[derive(Clone, Copy, Debug)]
pub struct LayeredPolicy<'a> {
    layers: &'a Layers,
}

impl<'a> LayeredPolicy<'a> {
    /// Returns whether a policy is in force in any layer.
    #[must_use]
    pub fn is_in_force(self) -> bool {
        self.layers.all().any(|part| part.image.policy().is_in_force())
    }

    /// Returns what is known of a rule, by its number in permissions.
    #[must_use]
    pub fn get(self, rule: u32) -> Option<PermissionInfo<'a>> {
        let part = self.layers.holder(rule, |part| part.offsets.policy);
        part.image.policy().get(rule.checked_sub(part.offsets.policy)?)
    }

    /// Returns whose a rule is, by its number in permissions.
    #[must_use]
    pub fn layer(self, rule: u32) -> Layer {
        self.layers.holder(rule, |part| part.offsets.policy).layer
    }

    /// Returns all rules, in the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = PermissionInfo<'a>> {
        self.layers.all().flat_map(|part| part.image.policy().iter())
    }
}

/// The trace policies of all layers.
#[derive(Clone, Copy, Debug)]
pub struct LayeredMonitors<'a> {
    layers: &'a Layers,
}

impl<'a> LayeredMonitors<'a> {
    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.layers.all().all(|part| part.image.monitors().is_empty())
    }

    /// Returns all of them, with the numbers that their rules have here.
    pub fn iter(self) -> impl Iterator<Item = MonitorInfo<'a>> {
        self.layers.all().flat_map(|part| {
            let before = part.offsets.rules;
            let number = move |monitor: MonitorInfo<'a>| MonitorInfo {
                rule: monitor.rule + before,
                ..monitor
            };
            part.image.monitors().iter().map(number)
        })
    }

    /// Returns the one that stands behind a rule; `None` for other rules.
    #[must_use]
    pub fn of_rule(self, rule: u32) -> Option<MonitorInfo<'a>> {
        let (part, local) = self.layers.of_rule(rule);
        let monitor = part.image.monitors().of_rule(local)?;
        Some(MonitorInfo { rule, ..monitor })
    }

    /// Returns whether some of them decides only when a stretch of this scope is over.
    #[must_use]
    pub fn settles(self, scope: Scope) -> bool {
        self.layers.all().any(|part| part.image.monitors().settles(scope))
    }
}

/// One agent session as each layer sees it.
#[derive(Clone, Debug)]
pub struct LayeredSession {
    layers: Arc<Layers>,
    above: Box<[Session]>,
    own: Session,
    /// What was added for this session alone; `None` where nothing was.
    constitution: Option<Box<SessionLayer>>,
}

impl LayeredSession {
    /// Begins a session in which nothing has happened yet.
    #[must_use]
    pub fn new(layers: Arc<Layers>) -> Self {
        Self::with(layers, |_, image| Session::new(image))
    }

    /// Begins a session in which each layer's is made by `make`: new, or restored.
    #[must_use]
    pub fn with(layers: Arc<Layers>, mut make: impl FnMut(Layer, Arc<Image>) -> Session) -> Self {
        let mut of = |part: &LayerRules| {
            let mut session = make(part.layer, Arc::clone(&part.image));
            session.set_takes_grants(part.layer != Layer::Administrator);
            session
        };
        let above = layers.above.iter().map(&mut of).collect();
        let own = of(&layers.own);
        Self { layers, above, own, constitution: None }
    }

    /// Returns the rules.
    #[must_use]
    pub fn layers(&self) -> &Arc<Layers> {
        &self.layers
    }

    /// Returns the session of the least trusted layer: the project's, where it has rules.
    #[must_use]
    pub fn own(&self) -> &Session {
        &self.own
    }

    /// Returns each layer's session, the most trusted first.
    pub fn sessions(&self) -> impl Iterator<Item = (Layer, &Session)> {
        let sessions = self.above.iter().chain([&self.own]);
        self.layers.all().map(|part| part.layer).zip(sessions)
    }

    /// Returns the session of the layer whose classifier runs: of several, the least trusted one's.
    #[must_use]
    pub fn classifying(&self) -> Option<&Session> {
        let (_, session) = self.sessions().nth(self.classifying_at()?)?;
        Some(session)
    }

    fn classifying_at(&self) -> Option<usize> {
        let all = self.sessions().enumerate();
        all.filter(|(_, (_, session))| classifies(session)).map(|(at, _)| at).last()
    }

    /// Changes each layer's session, the most trusted first, with that of the session's own rules at the end.
    pub fn each(&mut self, change: impl FnMut(&mut Session)) {
        let of_session = self.constitution.as_mut().and_then(|layer| layer.session_mut());
        self.above.iter_mut().chain([&mut self.own]).chain(of_session).for_each(change);
    }

    /// Says what the rules do not tell of the verifier. That the user wants one is for the layers that speak of it, and
    /// for the least trusted where none does.
    pub fn set_verifier(&mut self, setting: VerifierSetting) {
        let speaks = |session: &Session| session.image().verifier().is_some();
        let is_spoken_of = self.sessions().any(|(_, session)| speaks(session));
        let of_others = match setting.wish {
            Wish::On => VerifierSetting { wish: Wish::AsRulesSay, ..setting },
            Wish::Off | Wish::AsRulesSay => setting,
        };
        for session in &mut self.above {
            session.set_verifier(if speaks(session) { setting } else { of_others });
        }
        let own = &mut self.own;
        own.set_verifier(if speaks(own) || !is_spoken_of { setting } else { of_others });
    }

    /// Returns what was added for this session alone.
    #[must_use]
    pub fn constitution(&self) -> Option<&SessionLayer> {
        self.constitution.as_deref()
    }

    /// Begins with rules that were just added for this session alone, compiled to an image. They know what the least
    /// trusted layer knows of the session.
    pub fn begin_constitution(&mut self, list: Constitution, image: Option<Arc<Image>>) {
        let rules = image.map(|image| self.own.under(image));
        self.set_constitution(SessionLayer::new(list, rules));
    }

    /// Takes up what was added for this session alone.
    pub fn set_constitution(&mut self, layer: SessionLayer) {
        self.constitution = (!layer.list().is_empty()).then(|| Box::new(layer));
    }

    /// Drops what was added for this session alone and not used for long.
    pub fn sweep_constitution(&mut self, host: &mut dyn Host) {
        if let Some(mut layer) = self.constitution.take() {
            layer.sweep(&self.own, host);
            self.set_constitution(*layer);
        }
    }

    fn change_constitution(&mut self, body: &str, host: &mut dyn Host, decision: &mut Decision) {
        match Change::read(body) {
            Ok(change) => {
                let mut layer = self.constitution.take().map_or_else(Default::default, |one| *one);
                decision.besides_mut().constitution = Some(layer.change(change, &self.own, host));
                self.set_constitution(layer);
            }
            Err(problem) => decision.complain(vec![problem]),
        }
    }

    /// Decides by the policies in this approval mode, whatever they and the session say.
    pub fn set_mode(&mut self, mode: ApprovalMode) {
        self.each(|session| session.set_mode(mode));
    }

    /// Lets every layer decide on an event, and returns the strictest of their answers with all that they
    /// found.
    pub fn apply(&mut self, event: &Event<'_>, host: &mut dyn Host) -> Decision {
        let mut decision = Decision::default();
        self.apply_into(event, host, &mut decision);
        decision
    }

    /// Does what [`LayeredSession::apply`] does, and writes what is decided over another decision, whose memory is
    /// used again.
    #[inline(always)]
    pub fn apply_into(&mut self, event: &Event<'_>, host: &mut dyn Host, decision: &mut Decision) {
        let is_about_list = matches!(event, Event::Constitution { .. });
        if self.above.is_empty() && self.constitution.is_none() && !is_about_list {
            return self.own.apply_into(event, host, decision);
        }
        self.apply_all_into(event, host, decision);
    }

    /// The same where several have a say. It stands apart, so that the usual way is a short one.
    #[cold]
    #[inline(never)]
    fn apply_all_into(&mut self, event: &Event<'_>, host: &mut dyn Host, decision: &mut Decision) {
        *decision = self.apply_all(event, host);
    }

    fn apply_all(&mut self, event: &Event<'_>, host: &mut dyn Host) -> Decision {
        let mut whole = self.judge(event, host);
        if let Event::ToolCall(call) = event {
            self.each(|session| session.count_judged(call, &whole, host));
        }
        match event {
            Event::Constitution { body } => self.change_constitution(body, host, &mut whole),
            Event::SessionEnd => self.constitution = None,
            _ => {}
        }
        whole
    }

    /// Decides on an event as [`LayeredSession::apply`], and says how the least trusted layer came to its answer.
    /// Without other layers that is much cheaper than to explain and then to decide.
    pub fn watch(&mut self, event: &Event<'_>, host: &mut dyn Host) -> (Decision, Explanation) {
        if self.above.is_empty() && self.constitution.is_none() {
            let explanation = self.own.watch(event, host);
            return (explanation.decision.clone(), explanation);
        }
        let explanation = self.own.explain(event, host);
        (self.apply(event, host), explanation)
    }

    fn judge(&mut self, event: &Event<'_>, host: &mut dyn Host) -> Decision {
        let mut whole = Decision::default();
        if self.above.is_empty() {
            whole = self.own.judge(event, host);
        } else {
            // A reply is for the layer that asked.
            let is_reply = matches!(event, Event::ClassifierReply { .. });
            let only = is_reply.then(|| self.classifying_at()).flatten();
            let is_verdict = matches!(event, Event::VerifierReply { .. });
            let only_verifying =
                is_verdict && self.sessions().any(|(_, session)| session.verifies());
            let sessions = self.above.iter_mut().chain([&mut self.own]);
            for (at, (part, session)) in self.layers.all().zip(sessions).enumerate() {
                if only.is_some_and(|only| only != at) || only_verifying && !session.verifies() {
                    continue;
                }
                join(&mut whole, session.judge(event, host), part, &self.layers);
            }
        }
        if let Some(layer) = &mut self.constitution {
            layer.judge(event, self.layers.rules().len(), host, &mut whole);
        }
        whole
    }

    /// Returns what the verifier's model is asked about the response that ended last, by the most trusted layer
    /// that asks.
    #[must_use]
    pub fn verifier_request(&self) -> Option<ModelRequest> {
        self.sessions().find_map(|(_, session)| session.verifier_request())
    }

    /// Returns how each layer would decide on an event, the most trusted first. Nothing changes.
    #[must_use]
    pub fn explain(&self, event: &Event<'_>, host: &mut dyn Host) -> Vec<(Layer, Explanation)> {
        let mut explained: Vec<_> =
            self.sessions().map(|(layer, session)| (layer, session.explain(event, host))).collect();
        let of_session = self.constitution.as_ref().and_then(|layer| layer.explain(event, host));
        explained.extend(of_session.map(|explanation| (Layer::Session, explanation)));
        explained
    }

    /// Returns what the rules and the policies of all layers make of each command of a command line, as the
    /// least trusted layer reads it. Changes nothing.
    #[must_use]
    pub fn explain_command(&self, command: &str) -> CommandExplanation {
        let mut line = None;
        let mut parts: Vec<Part> = Vec::new();
        for (part, (_, session)) in self.layers.all().zip(self.sessions()) {
            let explanation = session.explain_command(command);
            // A layer that knows other programs may see other commands, and its rules are about those.
            parts.resize_with(explanation.parts.len(), Part::default);
            for (known, next) in parts.iter_mut().zip(explanation.parts) {
                let rules = next.rules.into_iter();
                known.rules.extend(rules.map(|(rule, met)| (rule + part.offsets.rules, met)));
                let permission = next.permission.map(|permission| numbered(permission, part));
                known.permission = stricter(known.permission, permission);
            }
            line = Some(explanation.line);
        }
        CommandExplanation { line: line.unwrap_or_default(), parts }
    }

    /// Returns what trace policies find now that the session is over.
    pub(crate) fn settle(&mut self) -> Outcome {
        let mut whole = Outcome::default();
        let sessions = self.above.iter_mut().chain([&mut self.own]);
        for (part, session) in self.layers.all().zip(sessions) {
            whole.append(session.settle(), part.offsets.rules);
        }
        whole
    }
}

/// Returns whether a layer's config classifies turns.
fn classifies(session: &Session) -> bool {
    session.image().classifier().is_some_and(|classifier| classifier.enabled)
}

/// Adds what a layer decided to what those before it did.
fn join(whole: &mut Decision, next: Decision, part: &LayerRules, layers: &Layers) {
    let Decision { verdict, findings, undecided, permission, besides, .. } = next;
    whole.verdict = whole.verdict.max(verdict);
    whole.permission = stricter(whole.permission, permission.map(|one| numbered(one, part)));
    let findings = renumbered(findings, part);
    whole.findings.extend(unsaid(findings, &whole.findings.clone(), layers));
    whole.undecided.extend(undecided.into_iter().map(|mut undecided| {
        undecided.rule += part.offsets.rules;
        undecided
    }));
    // Tools are numbered in the order in which a session meets them, which is the same for all.
    (whole.turn, whole.tool, whole.orphan) = (next.turn, next.tool, next.orphan);
    whole.classifier = match (whole.classifier, next.classifier) {
        (Some(known), Some(next)) if next.reason == Reason::Disabled => Some(known),
        (_, next) => next,
    };
    if let Some(mut besides) = besides {
        let settled = renumbered(std::mem::take(&mut besides.settled), part);
        let known = whole.besides_mut();
        known.directive = known.directive.take().or(besides.directive);
        known.problems.extend(besides.problems);
        known.context.extend(besides.context);
        known.verifier = verifier::stricter(known.verifier.take(), besides.verifier);
        for notice in besides.notices {
            // Two layers that use the same profile say it once.
            if !known.notices.contains(&notice) {
                known.notices.push(notice);
            }
        }
        known.settled.extend(settled);
        let granted = besides.granted.into_iter();
        known.granted.extend(granted.map(|(rule, by)| (rule + part.offsets.policy, by)));
    }
}

fn renumbered(mut findings: Vec<Finding>, part: &LayerRules) -> Vec<Finding> {
    findings.iter_mut().for_each(|finding| finding.rule += part.offsets.rules);
    findings
}

/// Drops what a layer before says in the same words: two that use the same preset say it once.
fn unsaid(mut findings: Vec<Finding>, said: &[Finding], layers: &Layers) -> Vec<Finding> {
    let rules = layers.rules();
    findings.retain(|finding| {
        !said.iter().any(|known| {
            rules.id(known.rule) == rules.id(finding.rule)
                && Finding { rule: finding.rule, ..known.clone() } == *finding
        })
    });
    findings
}

fn numbered(mut permission: Permission, part: &LayerRules) -> Permission {
    let number = |rule: Option<u32>| rule.map(|rule| rule + part.offsets.policy);
    permission.rule = number(permission.rule);
    permission.doubt = number(permission.doubt);
    permission
}

/// Returns the stricter of two permissions; one that has no say counts only where there is no other.
fn stricter(one: Option<Permission>, other: Option<Permission>) -> Option<Permission> {
    let has_say = |permission: &Permission| permission.action != PermissionAction::None;
    match (one, other) {
        (Some(one), Some(other)) if has_say(&one) == has_say(&other) => {
            Some(if other.action > one.action { other } else { one })
        }
        (Some(one), Some(other)) => Some(if has_say(&one) { one } else { other }),
        (one, other) => one.or(other),
    }
}
