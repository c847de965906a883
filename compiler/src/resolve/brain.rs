//! The language models of a config: what is written of each, on top of what is known of its provider. Keys stay
//! names of environment variables.

use behavior_runtime::brain::{Backend, Brain, Brains, PROVIDERS, Trouble, provider};

use super::document::Document;
use super::{Layer, Resolver, reference};
use crate::ast::{self, BehaviorConfig};
use crate::decode::{Decode, Reports, Spanned, did_you_mean};
use crate::diagnostic::Diagnostic;
use crate::registry::diagnostics as d;
use crate::source::Span;
use crate::syntax::{Kind, Node};

impl Resolver<'_> {
    /// The models that a config and its profiles name.
    pub(super) fn brains(&mut self, config: &BehaviorConfig, layers: &[Layer]) -> Brains {
        let classifiers = layers.iter().filter_map(|layer| layer.classifier.as_ref());
        let of_classifier = classifiers.filter_map(|classifier| classifier.brain.as_ref()).next();
        let general = config.brain.as_ref().map(|brain| self.checked_brain(brain));
        let classifier = of_classifier.map(|brain| self.checked_brain(brain));
        let use_agent_brain = config.use_agent_brain.as_ref().is_none_or(|use_it| use_it.value);
        let coordinator = self.coordinator().map(|brain| resolve(&brain, self.reports));
        let verifiers = layers.iter().filter_map(|layer| layer.verifier.as_ref());
        let of_verifier = verifiers.filter_map(|verifier| verifier.brain.as_ref()).next();
        let verifier = of_verifier.map(|brain| self.checked_brain(brain));
        let is_waiting = false;
        Brains { classifier, verifier, general, coordinator, use_agent_brain, is_waiting }
    }

    /// A model, with its references held against what there is.
    fn checked_brain(&mut self, written: &ast::Brain) -> Brain {
        for node in [&written.config, &written.credential].into_iter().flatten() {
            self.check_references(node);
        }
        resolve(written, self.reports)
    }

    /// The model of the application's coordinator, as far as it can be read: the application is not judged here.
    fn coordinator(&self) -> Option<ast::Brain> {
        let node = self.documents.iter().find_map(Document::coordinator_brain)?;
        let mut unheard = Reports::default();
        ast::Brain::decode(node, &mut unheard)
    }
}

/// Puts what is written of a model on top of what is known of its provider, and reports what cannot be asked so.
pub(crate) fn resolve(written: &ast::Brain, reports: &mut Reports) -> Brain {
    let name = written.provider.as_ref().map_or("custom", |name| name.value.trim());
    let known = provider(name);
    let address = setting(written, &["base_url", "api_base", "url"]);
    let base_url = match address.map(|node| (node, node.as_str())) {
        Some((node, Some(text))) => checked_address(text, node.span, reports),
        _ => None,
    };
    if let (None, None, Some(written)) = (known, address, &written.provider) {
        let message = format!("`{name}` is no provider that is known, and there is no `base_url`");
        let names = PROVIDERS.iter().map(|provider| provider.name);
        let diagnostic = Diagnostic::new(&d::UNKNOWN_PROVIDER, written.span, message);
        reports.push(did_you_mean(diagnostic, name, names, "providers"));
    }
    let standard = known.map_or(Backend::OpenAiCompatible, |provider| provider.backend);
    let key = key(written, reports);
    let brain = Brain {
        provider: known.map_or(name, |provider| provider.name).to_owned(),
        model: text(written.model.as_ref()),
        backend: written.backend.as_ref().map_or(standard, |name| backend(name, standard, reports)),
        base_url: base_url
            .or_else(|| known.and_then(|provider| provider.base_url).map(str::to_owned)),
        // What a provider's key is usually called is not sent to whom the config names instead.
        key: key.or_else(|| {
            let usual = known.filter(|_| address.is_none()).and_then(|provider| provider.key);
            usual.map(str::to_owned)
        }),
        needs_key: known.is_some_and(|provider| provider.needs_key && address.is_none()),
        temperature: in_range(
            written.temperature.as_ref(),
            |number| (0.0..=2.0).contains(&number),
            "a temperature is a number from 0 to 2",
            reports,
        ),
        max_tokens: written.max_tokens.as_ref().and_then(|count| u64::try_from(count.0).ok()),
        top_p: in_range(
            written.top_p.as_ref(),
            |share| share > 0.0 && share <= 1.0,
            "`top_p` is a share above 0, up to 1",
            reports,
        ),
        timeout_seconds: in_range(
            written.timeout.as_ref(),
            |seconds| seconds > 0.0,
            "a timeout is a number of seconds above 0",
            reports,
        ),
    };
    // Of an address that is wrong, or of a provider that nobody knows, enough is said.
    let is_said = known.is_none() || address.is_some();
    let trouble = brain.trouble().filter(|it| *it != Trouble::NoAddress || !is_said);
    if let (Some(trouble), Some(span)) = (trouble, place(written)) {
        let message = format!("this {}", trouble.describe());
        reports.push(Diagnostic::new(&d::UNUSABLE_BRAIN, span, message));
    }
    brain
}

/// Where a brain is written.
fn place(written: &ast::Brain) -> Option<Span> {
    let named = [&written.provider, &written.model].into_iter().flatten().map(|text| text.span);
    named.chain(written.config.as_ref().map(|config| config.span)).next()
}

fn text(written: Option<&Spanned<Box<str>>>) -> Option<String> {
    let text = written.map(|text| text.value.trim()).filter(|text| !text.is_empty());
    text.map(str::to_owned)
}

/// A setting of the provider, by any of its names.
fn setting<'n>(written: &'n ast::Brain, names: &[&str]) -> Option<&'n Node> {
    let config = written.config.as_ref()?;
    names.iter().find_map(|name| config.get(name)).filter(|node| node.kind != Kind::Null)
}

/// The protocol of that name; the provider's own where there is none.
fn backend(written: &Spanned<Box<str>>, standard: Backend, reports: &mut Reports) -> Backend {
    let name = written.value.trim();
    if let Some(backend) = Backend::ALL.into_iter().find(|backend| backend.name() == name) {
        return backend;
    }
    let message = format!("`{name}` is no protocol that can be spoken");
    let names = Backend::ALL.iter().map(|backend| backend.name());
    let diagnostic = Diagnostic::new(&d::UNUSABLE_BRAIN, written.span, message);
    reports.push(did_you_mean(diagnostic, name, names, "protocols"));
    standard
}

/// An address that can be asked: one without a password, by HTTP.
fn checked_address(written: &str, span: Span, reports: &mut Reports) -> Option<String> {
    let written = written.trim().trim_end_matches('/');
    match trouble_with_address(written) {
        None => Some(written.to_owned()),
        Some(wrong) => {
            reports.push(Diagnostic::new(&d::UNUSABLE_BRAIN, span, wrong));
            None
        }
    }
}

/// Says why an address is none that a model can be asked at, if so.
#[must_use]
pub fn trouble_with_address(written: &str) -> Option<&'static str> {
    let behind = written.strip_prefix("https://").or_else(|| written.strip_prefix("http://"));
    let host = behind.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    match () {
        () if host.is_empty() => {
            Some("this is no address that begins with `https://` or `http://`")
        }
        () if host.contains('@') => Some("a password does not belong into an address"),
        () if written.contains(['?', '#']) || written.contains(char::is_whitespace) => {
            Some("an address for paths has no `?`, no `#` and no blanks")
        }
        () => None,
    }
}

/// A number of a model's settings that lies in its range; one that does not is reported.
fn in_range(
    written: Option<&Spanned<f64>>,
    is_right: impl Fn(f64) -> bool,
    range: &str,
    reports: &mut Reports,
) -> Option<f64> {
    let written = written?;
    if written.value.is_finite() && is_right(written.value) {
        return Some(written.value);
    }
    reports.push(Diagnostic::new(&d::OUT_OF_RANGE, written.span, range));
    None
}

/// The names under which a key is found.
const KEY_NAMES: [&str; 3] = ["api_key", "key", "token"];

/// The environment variable that holds the key. A key that is written out is none that is used: rule files are read
/// by many.
fn key(written: &ast::Brain, reports: &mut Reports) -> Option<String> {
    // Each with whether what is written out there is taken for a key.
    let mut places: Vec<(&Node, bool)> =
        setting(written, &KEY_NAMES).map(|node| (node, true)).into_iter().collect();
    match written.credential.as_ref().map(|node| (node, &node.kind)) {
        Some((_, Kind::Map(entries))) => places.extend(entries.iter().map(|entry| {
            let name = &*entry.key.text;
            (&entry.value, KEY_NAMES.contains(&name))
        })),
        Some((node, _)) => places.push((node, true)),
        None => {}
    }
    let mut found = None;
    for (node, is_key) in places {
        let text = node.as_str().unwrap_or_default();
        match (&node.kind, reference::parse(text)) {
            (_, Some(secret)) if matches!(secret.namespace, "secret" | "env") => {
                if secret.name.is_empty() {
                    let message = "this names no environment variable";
                    let diagnostic = Diagnostic::new(&d::UNUSABLE_BRAIN, node.span, message);
                    reports.push(diagnostic.help("write `\"{{secret.NAME}}\"`"));
                }
                found.get_or_insert_with(|| secret.name.to_owned());
            }
            (Kind::String(_), None) if is_key && !text.trim().is_empty() => {
                reports.push(key_in_rules(node));
            }
            (Kind::Int(_) | Kind::Float(_), _) if is_key => reports.push(key_in_rules(node)),
            _ => {}
        }
    }
    found
}

fn key_in_rules(node: &Node) -> Diagnostic {
    let message = "a key does not belong into a rule file, and is not used from here";
    let diagnostic = Diagnostic::new(&d::KEY_IN_RULES, node.span, message);
    // A key itself is never shown.
    let is_name = |text: &&str| {
        let is_of_name = |byte: u8| byte.is_ascii_uppercase() || byte == b'_';
        let ends = ["_KEY", "_TOKEN", "_SECRET", "_CREDENTIAL"];
        text.bytes().all(is_of_name) && ends.iter().any(|end| text.ends_with(end))
    };
    match node.as_str().filter(is_name) {
        Some(name) => diagnostic.help(format!(
            "if `{name}` is the environment variable that holds it, write `\"{{{{secret.{name}}}}}\"`"
        )),
        None => diagnostic
            .help("put it into an environment variable and write `\"{{secret.NAME}}\"` here"),
    }
}
