//! What rules may say only with somebody's trust: what could make decisions laxer, puts files before an agent,
//! or names a model. What is left without it can only make decisions stricter.

use behavior_image::brain::Brains;
use behavior_image::code::{ApprovalMode, PermissionAction, Verdict};

use crate::ir::{MessagePart, Program};
use crate::resolve::document::Document;
use crate::source::{SourceMap, Span};
use crate::syntax::Node;
use crate::trace_policy::json_of;

/// What the author of rules may do with them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Authority {
    /// Everything.
    #[default]
    Full,
    /// Make decisions stricter: what could do more has no effect, and an approval mode counts as `agent`.
    TightenOnly,
}

/// Stands among what is granted where the user trusted the project before, with other rules.
pub const WAS_TRUSTED: &str = "was trusted";
/// What the identity of an exception begins with.
const EXCEPTION: &str = "exception\0";

/// Something that takes trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loosening {
    /// What it is, for people, such as ``the policy rule `git` allows calls``.
    pub what: String,
    /// Where it stands.
    pub span: Span,
    /// What it says, whatever its place in the file. Two that say the same are one.
    pub identity: String,
}

impl Loosening {
    fn new(span: Span, what: String, identity: &[&str]) -> Self {
        Self { what, span, identity: identity.join("\0") }
    }

    /// Returns whether it can be trusted by itself, while the rest of what takes trust waits.
    #[must_use]
    pub fn stands_alone(&self) -> bool {
        self.identity.starts_with(EXCEPTION)
    }
}

/// Lists what in a program takes trust, in the order of the kinds.
pub(crate) fn list(
    program: &Program,
    documents: &[Document],
    sources: &SourceMap,
) -> Vec<Loosening> {
    let mut found = Vec::new();
    if let Some(permissions) = &program.permissions {
        let allows = permissions.rules.iter().filter(|rule| rule.action == PermissionAction::Allow);
        found.extend(allows.map(|rule| {
            let what = format!("the policy rule `{}` allows calls", rule.name);
            let mode = rule.mode.map_or("", ApprovalMode::name);
            Loosening::new(rule.span, what, &["allow", &rule.pattern, mode])
        }));
        let mode = permissions.mode.filter(|mode| *mode < ApprovalMode::Agent);
        if let (Some(mode), Some(span)) = (mode, permissions.mode_span) {
            let what = format!("the approval mode `{}` allows calls", mode.name());
            found.push(Loosening::new(span, what, &["mode", mode.name()]));
        }
    }
    let own = || documents.iter().filter(|document| is_own(document, sources));
    let declared: Vec<_> =
        own().flat_map(|document| Declared::in_config(&document.config)).collect();
    for document in own() {
        list_fields(&document.config, program, &mut found);
        list_exceptions(&document.config, &declared, &mut found);
        list_coordinator(document, program, &mut found);
    }
    found
}

/// Whether a file is the author's, and not of the standard library.
fn is_own(document: &Document, sources: &SourceMap) -> bool {
    !is_builtin(Span::new(document.file, 0, 0), sources)
}

/// Whether a place is in a file of the standard library.
fn is_builtin(span: Span, sources: &SourceMap) -> bool {
    sources.get(span.file).is_some_and(|source| source.name.starts_with("builtin:"))
}

/// The fields of a config or profile that take trust.
fn list_fields(config: &Node, program: &Program, found: &mut Vec<Loosening>) {
    for entry in config.get("programs").and_then(Node::entries).unwrap_or_default() {
        let what = format!("`programs` says what `{}` does", entry.key.text);
        let says = said(&entry.value);
        found.push(Loosening::new(entry.key.span, what, &["programs", &entry.key.text, &says]));
    }
    if let Some(node) = config.get("on_error").filter(|_| program.on_error == Some(Verdict::Allow))
    {
        let what = "`on_error: allow` lets calls pass that cannot be decided on".to_owned();
        found.push(Loosening::new(node.span, what, &["on_error", "allow"]));
    }
    list_answers(config, found);
    // The profile may be a built-in one that names a document of the project.
    let reminder = config.get("turn_reminder").or_else(|| config.get("profile"));
    if let (Some(name), Some(node)) = (&program.turn_reminder, reminder) {
        let what = format!("the document `{name}` is put before the agent in every turn");
        found.push(Loosening::new(node.span, what, &["document", name]));
    }
    list_prompts(config, found);
    let of = |part: &str| config.get(part).and_then(|part| part.get("brain"));
    for (name, brain) in [
        ("brain", config.get("brain")),
        ("classifier.brain", of("classifier")),
        ("verifier.brain", of("verifier")),
    ] {
        if let Some(brain) = brain.filter(|brain| brain.entries().is_some()) {
            let what = format!("`{name}` names a model that is sent what happens");
            found.push(Loosening::new(brain.span, what, &["brain", &said(brain)]));
        }
    }
}

/// What a config has models told, and agents by them: a classifier's words, a verifier's rubric.
fn list_prompts(config: &Node, found: &mut Vec<Loosening>) {
    // A model that it names is told of by itself.
    let says_more = |node: &&Node| {
        let mut entries = node.entries().unwrap_or_default().iter();
        entries.any(|entry| *entry.key.text != *"brain")
    };
    if let Some(node) = config.get("classifier").filter(says_more) {
        let what = "`classifier` says what a model is asked about turns, and what the agent is told of them";
        found.push(Loosening::new(node.span, what.to_owned(), &["classifier", &said(node)]));
    }
    if let Some(node) = config.get("verifier").and_then(|node| node.get("system_prompt")) {
        let what = "`verifier.system_prompt` says how a model judges what the agent answers";
        found.push(Loosening::new(node.span, what.to_owned(), &["verifier", &said(node)]));
    }
}

/// What a node says, whatever its layout, with what stands behind its anchors.
fn said(node: &Node) -> String {
    json_of(node).to_string()
}

/// The exceptions of a config. What a condition of one asks for by name is a part of what it says: what fills a set
/// decides what is let pass.
fn list_exceptions(config: &Node, declared: &[Declared<'_>], found: &mut Vec<Loosening>) {
    for node in config.get("exceptions").and_then(Node::items).unwrap_or_default() {
        let rule = node.get("rule").and_then(Node::as_str).unwrap_or_default();
        let what = format!("an exception makes the rule `{rule}` silent");
        let mut identity = vec!["exception".to_owned(), said(node)];
        let mut left: Vec<&Declared<'_>> = declared.iter().collect();
        // A flag may ask for a set in its turn.
        let mut at = 1;
        while let Some(text) = identity.get(at).cloned() {
            let (named, others) = left.into_iter().partition(|one| one.is_named_in(&text));
            let named: Vec<&Declared<'_>> = named;
            identity.extend(named.into_iter().map(|one| one.text.clone()));
            left = others;
            at += 1;
        }
        let identity: Vec<&str> = identity.iter().map(String::as_str).collect();
        found.push(Loosening::new(node.span, what, &identity));
    }
}

/// Something that conditions ask for by its name.
struct Declared<'a> {
    name: &'a str,
    /// What is declared.
    text: String,
}

impl<'a> Declared<'a> {
    /// The sets, counters, flags, classes of commands and protected branches of a config.
    fn in_config(config: &'a Node) -> Vec<Self> {
        let tracking = config.get("state_tracking");
        let kinds =
            ["sets", "counters", "flags"].map(|kind| tracking.and_then(|all| all.get(kind)));
        let named = kinds.into_iter().chain([config.get("command_classes")]).flatten();
        let named = named.filter_map(Node::entries).flatten();
        let named = named.map(|entry| (&*entry.key.text, &entry.value));
        let branches = config.get("protected_branches").map(|node| ("protected", node));
        named.chain(branches).map(|(name, node)| Self { name, text: said(node) }).collect()
    }

    fn is_named_in(&self, text: &str) -> bool {
        // A name may have any sign in it; to take a part of another word for it is only stricter.
        text.contains(self.name)
    }
}

/// The model of an application's coordinator, which stands in wherever a model is asked.
fn list_coordinator(document: &Document, program: &Program, found: &mut Vec<Loosening>) {
    let brain = document.coordinator_brain().filter(|_| program.brains.use_agent_brain);
    if let Some(brain) = brain {
        let what = "the coordinator's `brain` is a model that is sent what happens".to_owned();
        found.push(Loosening::new(brain.span, what, &["brain", &said(brain)]));
    }
}

/// What lets calls pass that nobody can tell of, or that nobody can be asked about.
fn list_answers(config: &Node, found: &mut Vec<Loosening>) {
    let lists = ["rule_definitions", "custom"].map(|list| config.get(list).and_then(Node::items));
    let rules = lists.into_iter().flatten().flatten();
    for place in std::iter::once(config).chain(rules) {
        let id = place.get("id").and_then(Node::as_str).unwrap_or_default();
        let owner = if id.is_empty() { String::new() } else { format!(" of `{id}`") };
        for (field, why) in [
            ("when_undecided", "lets calls pass of which nobody can tell what they do"),
            ("when_nobody_can_answer", "lets calls pass that nobody was asked about"),
        ] {
            if let Some(node) = place.get(field).filter(|node| node.as_str() == Some("allow")) {
                let what = format!("`{field}: allow`{owner} {why}");
                found.push(Loosening::new(node.span, what, &[field, id]));
            }
        }
        let quotes = |node: &&Node| node.as_str().is_some_and(|text| text.contains("{file:"));
        if let Some(node) = place.get("message").filter(quotes) {
            let what = format!("the message{owner} quotes a document");
            found.push(Loosening::new(node.span, what, &["quote", id]));
        }
    }
}

/// Takes from a program what takes trust, but for what is granted by its identity and stands alone. What is known of
/// programs is left out before rules are lowered.
pub(crate) fn restrict(
    program: &mut Program,
    loosening: &[Loosening],
    granted: &[String],
    sources: &SourceMap,
) {
    let stays = |span: Span| {
        let alone = loosening.iter().filter(|one| one.span == span && one.stands_alone());
        alone.into_iter().any(|one| granted.contains(&one.identity))
    };
    if let Some(permissions) = &mut program.permissions {
        permissions.rules.retain(|rule| rule.action != PermissionAction::Allow);
        // What was trusted with a mode that asks goes on to ask, whatever was written beside it since.
        let asks = permissions.mode.is_none_or(|mode| mode == ApprovalMode::Ask);
        let is_kept = asks && granted.iter().any(|one| one == WAS_TRUSTED);
        permissions.mode = Some(if is_kept { ApprovalMode::Ask } else { ApprovalMode::Agent });
    }
    program.on_error = program.on_error.filter(|answer| *answer != Verdict::Allow);
    for rule in &mut program.rules {
        rule.exceptions.retain(|exception| stays(exception.span));
        // What the standard library says of its own rules is nobody's word but ours.
        if is_builtin(rule.span, sources) {
            continue;
        }
        if rule.when_undecided == Verdict::Allow {
            rule.when_undecided = Verdict::Ask;
        }
        rule.when_unanswered = Verdict::Deny;
        // What a document says is put before the agent as it is, be it a file of secrets.
        rule.message.retain(|part| !matches!(part, MessagePart::Document(_)));
    }
    program.turn_reminder = None;
    let has = |kind: &str| loosening.iter().any(|one| one.identity.starts_with(kind));
    if has("classifier\0") {
        program.classifier = None;
    }
    if let Some(verifier) = &mut program.verifier
        && has("verifier\0")
    {
        verifier.system_prompt = None;
    }
    if has("brain\0") {
        let use_agent_brain = program.brains.use_agent_brain;
        program.brains = Brains { use_agent_brain, is_waiting: true, ..Brains::default() };
    }
}
