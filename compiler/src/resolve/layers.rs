//! Configs and profiles as layers, each with what it says of itself.

use behavior_runtime::decision::Origin;

use super::{COMMAND_LINE_PROFILE, FileKind, Layer, Resolver, custom, reference};
use crate::ast::{BehaviorConfig, PolicyFile, Profile};
use crate::decode::{OneOrMany, did_you_mean};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::registry::diagnostics as d;
use crate::source::Span;
use crate::trace_policy::TracePolicyFile;

/// What an entry file turned out to be.
pub(super) enum EntryFile {
    Config(Box<BehaviorConfig>),
    Profile(Vec<Layer>),
    Policy(Box<PolicyFile>),
    TracePolicy(Box<TracePolicyFile>),
}

/// How many profiles may extend each other.
const MAX_CHAIN_LENGTH: usize = 32;

/// A profile in a chain of those that extend each other.
struct Link {
    path: String,
    /// Where the one before it names it.
    named: Option<Span>,
}

/// That profiles extend each other in a circle; `back` is where the last one names the first. It reads
/// the same wherever one comes into the circle.
fn in_a_circle(circle: &[Link], back: Span) -> Diagnostic {
    let least = circle.iter().enumerate().min_by_key(|(_, link)| &link.path);
    let start = least.map_or(0, |(at, _)| at);
    let (end, beginning) = circle.split_at_checked(start).unwrap_or((circle, &[]));
    let links = beginning.iter().chain(end).chain(beginning.first());
    let paths: Vec<&str> = links.map(|link| &*link.path).collect();
    let message = format!("profiles extend each other in a circle: {}", paths.join(" → "));
    // The first of the files in order is named by the one before it in the circle.
    let named = circle.get(start).and_then(|link| link.named).filter(|_| start > 0);
    Diagnostic::new(&d::PROFILE_CYCLE, named.unwrap_or(back), message)
        .help("let one of them extend a built-in preset, or nothing")
}

impl Resolver<'_> {
    /// Reads an entry file.
    pub(super) fn entry(&mut self, name: &str) -> Option<EntryFile> {
        let document = self.document(name, None)?;
        let kind = self.documents.get(document)?.kind;
        if kind == FileKind::Profile {
            let mut seen = vec![Link { path: name.to_owned(), named: None }];
            return Some(EntryFile::Profile(self.profile_layers(document, name, &mut seen)));
        }
        if kind == FileKind::Policy {
            return self.decode(document).map(|policy| EntryFile::Policy(Box::new(policy)));
        }
        if kind == FileKind::TracePolicy {
            return self.decode(document).map(|policy| EntryFile::TracePolicy(Box::new(policy)));
        }
        self.decode(document).map(|config| EntryFile::Config(Box::new(config)))
    }

    /// Reads a trace policy that no entry names.
    pub(super) fn trace_policy(&mut self, name: &str) -> Option<TracePolicyFile> {
        let document = self.document(name, None)?;
        self.decode(document)
    }

    /// Reads a policy that no entry names.
    pub(super) fn policy(&mut self, name: &str) -> Option<PolicyFile> {
        let document = self.document(name, None)?;
        self.decode(document)
    }

    /// Takes what is a layer's out of a config.
    pub(super) fn config_layer(&mut self, config: &mut BehaviorConfig) -> Layer {
        Layer {
            origin: Origin::Config,
            definitions: config.rule_definitions.take().unwrap_or_default(),
            custom: custom::convert(config.custom.take().unwrap_or_default()),
            switches: config.rules.take(),
            tracking: config.state_tracking.take(),
            programs: config.programs.take(),
            classes: config.command_classes.take(),
            classifier: config.classifier.clone(),
            verifier: config.verifier.take(),
            turn_reminder: config.turn_reminder.take(),
            delivery: config.delivery.take().unwrap_or_default(),
            description: None,
            name: None,
            prompt: None,
        }
    }

    /// The layers of a preset or profile and of all that it extends, nearest first.
    pub(super) fn profile_chain(&mut self, name: &str, span: Span, from: &str) -> Vec<Layer> {
        self.chain(name, span, from, &mut Vec::new())
    }

    fn chain(&mut self, name: &str, span: Span, from: &str, seen: &mut Vec<Link>) -> Vec<Layer> {
        let Some(path) = self.find_profile(name, span, from) else { return Vec::new() };
        if let Some(first) = seen.iter().position(|link| link.path == path) {
            let circle = seen.get(first..).unwrap_or_default();
            self.report(in_a_circle(circle, span));
            return Vec::new();
        }
        if seen.len() >= MAX_CHAIN_LENGTH {
            let message = format!("more than {MAX_CHAIN_LENGTH} profiles extend each other");
            let diagnostic = Diagnostic::new(&d::PROFILE_CYCLE, span, message);
            self.report(diagnostic.help("let one of them extend a built-in preset, or nothing"));
            return Vec::new();
        }
        seen.push(Link { path: path.clone(), named: Some(span) });
        let Some(document) = self.document(&path, Some(span)) else { return Vec::new() };
        self.profile_layers(document, &path, seen)
    }

    fn profile_layers(&mut self, document: usize, path: &str, seen: &mut Vec<Link>) -> Vec<Layer> {
        let Some(profile) = self.decode::<Profile>(document) else { return Vec::new() };
        let extends = profile.extends.clone();
        let prompt =
            profile.prompt.as_ref().and_then(|prompt| self.prompt_text(&prompt.value, prompt.span));
        let file_name = path.rsplit('/').next().unwrap_or(path);
        let file_name = file_name.trim_start_matches("builtin:").trim_end_matches(".yaml");
        let mut layers = vec![Layer {
            origin: Origin::Profile,
            definitions: profile.rule_definitions.unwrap_or_default(),
            custom: custom::convert(profile.custom.unwrap_or_default()),
            switches: profile.rules,
            tracking: profile.state_tracking,
            programs: profile.programs,
            classes: profile.command_classes,
            classifier: profile.classifier,
            verifier: profile.verifier,
            turn_reminder: profile.turn_reminder,
            delivery: profile.delivery.unwrap_or_default(),
            description: profile.description.map(|text| text.value),
            name: Some(profile.name.map_or_else(|| file_name.into(), |name| name.value)),
            prompt,
        }];
        if let Some(base) = extends {
            layers.extend(self.chain(base.text(), base.span(), path, seen));
        }
        layers
    }

    /// The file of a profile: the project's own for a reference, else a preset or the project's.
    fn find_profile(&mut self, name: &str, span: Span, from: &str) -> Option<String> {
        let referred = reference::parse(name);
        if let Some(reference) = referred
            && reference.namespace != "behavior"
        {
            let message = format!("`{name}` does not name a profile");
            self.report(
                Diagnostic::new(&d::UNKNOWN_REFERENCE, span, message)
                    .help("write `{{behavior.NAME}}` for `behavior/NAME.yaml`"),
            );
            return None;
        }
        let presets = self.provider.list("builtin:");
        let is_preset = referred.is_none() && presets.iter().any(|preset| preset == name);
        if is_preset {
            return Some(format!("builtin:{name}.yaml"));
        }
        let found = self.profile_path(name, from);
        if found.is_none() {
            let mut names = self.profile_names(from);
            if referred.is_none() {
                names.extend(presets);
            }
            let name = reference::profile_name(name);
            let message = format!("there is no profile called `{name}`");
            let diagnostic = Diagnostic::new(&d::UNKNOWN_PROFILE, span, message);
            // Its file is as good a guess as any.
            let file = name.rsplit('/').next().unwrap_or(name);
            let stem = file.strip_suffix(".yaml").or(file.strip_suffix(".yml")).unwrap_or(file);
            let named = names.iter().find(|known| *known == stem).filter(|_| stem != name);
            let mut diagnostic = match named {
                Some(named) => diagnostic
                    .help(format!("a profile is named without its folder and ending: `{named}`"))
                    .replace(span, named, Applicability::Unsafe),
                None => {
                    did_you_mean(diagnostic, name, names.iter().map(String::as_str), "profiles")
                }
            };
            let source = self.sources.get(span.file);
            let is_in_file = source.is_some_and(|source| source.name != COMMAND_LINE_PROFILE);
            if referred.is_some() || !is_in_file {
                diagnostic.fixes.clear();
            }
            self.report(diagnostic);
        }
        found
    }
}

/// Puts a later config on an earlier one; what the later one says of the classifier, of errors
/// and of what is undecided wins.
pub(super) fn compose(config: &mut BehaviorConfig, next: Box<BehaviorConfig>) {
    fn take<T>(slot: &mut Option<T>, next: Option<T>) {
        if next.is_some() {
            *slot = next;
        }
    }
    let next = *next;
    take(&mut config.profile, next.profile);
    take(&mut config.classify_turns, next.classify_turns);
    take(&mut config.classifier, next.classifier);
    take(&mut config.verifier, next.verifier);
    take(&mut config.brain, next.brain);
    take(&mut config.use_agent_brain, next.use_agent_brain);
    take(&mut config.on_error, next.on_error);
    take(&mut config.when_undecided, next.when_undecided);
    take(&mut config.when_nobody_can_answer, next.when_nobody_can_answer);
    take(&mut config.delivery, next.delivery);
    take(&mut config.control_file, next.control_file);
    take(&mut config.oversight, next.oversight);
    // Exceptions of all add up, as rules do, and so do branches that are not for everybody.
    if let Some(branches) = next.protected_branches {
        config.protected_branches.get_or_insert_with(|| OneOrMany(Vec::new())).0.extend(branches.0);
    }
    config.exceptions.get_or_insert_default().extend(next.exceptions.unwrap_or_default());
}
