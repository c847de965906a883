//! Which rules a command works with: images and configs named on the command line, a profile, what
//! discovery finds, or the built-in `dev` preset.

use behavior_compiler::registry::diagnostics::UNKNOWN_CONDITION;
use behavior_compiler::{Compilation, Diagnostic, Options, ReadError, SourceProvider, compile_all};
use behavior_image::ImageError;
use behavior_image::PermissionInfo;
use behavior_image::code::Priority;
use behavior_image::format::MAGIC;
use behavior_runtime::Image;

use crate::args::RuleArgs;
use crate::project;

/// What a command without any configuration uses.
pub const DEFAULT_PRESET: &str = "dev";

/// Rules that were loaded.
pub enum Rules {
    /// A compiled image, from a file or made now.
    Ready {
        /// The image.
        image: Box<Image>,
        /// The compilation, where there was one: warnings and sources.
        compilation: Option<Box<Compilation>>,
    },
    /// Rule files with errors.
    Broken(Box<Compilation>),
}

/// Why rules could not be loaded at all.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file cannot be read.
    #[error("cannot read `{path}`: {reason}")]
    Unreadable { path: String, reason: String },
    /// An image is named beside other rules.
    #[error(
        "`{0}` is a compiled image and does not compose with other rules: compile them together"
    )]
    ImageAmongOthers(String),
    /// An image cannot be used.
    #[error("`{path}`: {error}")]
    Image { path: String, error: ImageError },
    /// Whether the administrator's policy holds in an image cannot be told.
    #[error(
        "`{path}`: whether `{policy}` holds in this image cannot be told, since it has errors: \
         `behavior check {policy}` shows them"
    )]
    BrokenPolicy { path: String, policy: String },
    /// The administrator's policy does not hold in an image.
    #[error(
        "`{path}`: this image was made without `{policy}` as it is now, which always holds: compile \
         the rules again here"
    )]
    EscapesPolicy { path: String, policy: String },
}

/// The files that arguments come to, in a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Found {
    /// The rule files to compile: those named, else what discovery finds; with `--profile` alone, none
    /// are needed.
    pub entries: Vec<String>,
    /// The policies that hold whatever is named, in the order in which they come: the
    /// administrator's always, the user's and the project's where discovery is asked.
    pub policies: Vec<String>,
    /// The trace policies of the project, where discovery is asked.
    pub trace_policies: Vec<String>,
}

impl RuleArgs {
    /// Looks for the files.
    #[must_use]
    pub fn find(&self) -> Found {
        let administrators = project::administrators_policy().into_iter();
        if !self.config.is_empty() {
            return Found {
                entries: self.config.clone(),
                policies: administrators.collect(),
                trace_policies: Vec::new(),
            };
        }
        let config = project::discover();
        let own = [project::users_policy(), project::projects_policy(config.as_deref())];
        Found {
            policies: administrators.chain(own.into_iter().flatten()).collect(),
            trace_policies: project::trace_policies(config.as_deref()),
            entries: config.into_iter().collect(),
        }
    }

    /// The options for the compiler, with the policies that were found.
    #[must_use]
    pub fn options(&self, found: &Found, tools: Option<Vec<String>>) -> Options {
        Options {
            profile: self.profile.clone(),
            allow_unknown_conditions: self.allow_unknown_conditions,
            policies: found.policies.clone(),
            trace_policies: found.trace_policies.clone(),
            tools,
            agent: None,
        }
    }
}

/// Loads the rules that the arguments ask for. `say` is told once when the default preset is used.
///
/// # Errors
/// When an image or file cannot be read.
pub fn load(args: &RuleArgs, say: impl FnOnce(&str)) -> Result<Rules, LoadError> {
    load_from(&project::provider(), args, say)
}

/// What people are told where nobody wrote any rules.
#[must_use]
pub fn of_preset() -> String {
    format!("no `behavior.yaml` found: using the built-in `{DEFAULT_PRESET}` preset")
}

/// As [`load`], with the files of a provider.
///
/// # Errors
/// When an image or file cannot be read.
pub fn load_from(
    provider: &dyn SourceProvider,
    args: &RuleArgs,
    say: impl FnOnce(&str),
) -> Result<Rules, LoadError> {
    if let Some(image) = only_image(provider, args)? {
        return Ok(Rules::Ready { image: Box::new(image), compilation: None });
    }
    let found = args.find();
    let mut options = args.options(&found, None);
    let entries = found.entries;
    if entries.is_empty() && options.profile.is_none() {
        say(&of_preset());
        options.profile = Some(DEFAULT_PRESET.to_owned());
    }
    for entry in &entries {
        read(provider, entry)?;
    }
    let mut compilation = compile_all(provider, &entries, &options);
    match compilation.image.take() {
        Some(image) => {
            Ok(Rules::Ready { image: Box::new(image), compilation: Some(Box::new(compilation)) })
        }
        None => Ok(Rules::Broken(Box::new(compilation))),
    }
}

/// What an older program than the rules were written for does not understand of them: rules with that
/// never fire.
#[must_use]
pub fn not_understood(compilation: &Compilation) -> Vec<String> {
    let is_unknown = |problem: &&Diagnostic| problem.kind.name == UNKNOWN_CONDITION.name;
    let unknown = compilation.diagnostics.iter().filter(is_unknown);
    unknown.map(|problem| problem.message.to_string()).collect()
}

fn read(provider: &dyn SourceProvider, path: &str) -> Result<Vec<u8>, LoadError> {
    provider.read(path).map_err(|error| {
        let reason = match error {
            ReadError::NotFound => "there is no such file".to_owned(),
            ReadError::Failed(reason) => reason,
        };
        LoadError::Unreadable { path: path.to_owned(), reason }
    })
}

/// The image named with `-c`, if that is what it is. Images do not compose with other files.
fn only_image(provider: &dyn SourceProvider, args: &RuleArgs) -> Result<Option<Image>, LoadError> {
    let Some(path) = args.config.iter().find(|path| is_image(path)) else {
        return Ok(None);
    };
    if args.config.len() > 1 || args.profile.is_some() {
        return Err(LoadError::ImageAmongOthers(path.clone()));
    }
    let bytes = read(provider, path)?;
    let image =
        Image::from_bytes(bytes).map_err(|error| LoadError::Image { path: path.clone(), error })?;
    if let Some(policy) = project::administrators_policy() {
        check_policy(provider, &policy, path, &image)?;
    }
    Ok(Some(image))
}

/// Checks that the administrator's policy holds in the image of a path.
///
/// The rules that the image was made of are not there, so nothing can be put before them now: the
/// policy has to be in the image, all of it, before what others of its priority say.
fn check_policy(
    provider: &dyn SourceProvider,
    policy: &str,
    path: &str,
    image: &Image,
) -> Result<(), LoadError> {
    let options = Options { policies: vec![policy.to_owned()], ..Options::default() };
    let required = compile_all(provider, &[], &options).image;
    let (path, policy) = (path.to_owned(), policy.to_owned());
    let Some(required) = required else {
        return Err(LoadError::BrokenPolicy { path, policy });
    };
    let is_mode_held = required
        .policy()
        .approval_mode()
        .is_none_or(|mode| image.policy().approval_mode() == Some(mode));
    let is_held =
        image.policy().is_in_force() && is_mode_held && begins_with_rules_of(&required, image);
    if is_held { Ok(()) } else { Err(LoadError::EscapesPolicy { path, policy }) }
}

/// Whether the rules of each priority in `image` begin with those in `required`.
fn begins_with_rules_of(required: &Image, image: &Image) -> bool {
    Priority::ALL.iter().all(|priority| {
        let of = |image: &'_ Image| -> Vec<_> {
            let rules = image.policy().iter().filter(|rule| rule.priority == *priority);
            let same = |rule: PermissionInfo<'_>| {
                let texts = [rule.name, rule.pattern, rule.reason, rule.place.file];
                (texts.map(str::to_owned), rule.action, rule.mode)
            };
            rules.map(same).collect()
        };
        of(image).starts_with(&of(required))
    })
}

/// Whether a file is a compiled image, by its name or its first bytes.
#[must_use]
pub fn is_image(path: &str) -> bool {
    use std::io::Read;
    if path.ends_with(".bhv") {
        return true;
    }
    if std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        let mut start = [0; MAGIC.len()];
        let mut read = || std::fs::File::open(path)?.read_exact(&mut start);
        return read().is_ok() && start == MAGIC;
    }
    let is_directory = std::path::Path::new(path).is_dir();
    !is_directory && project::read_once(path).is_ok_and(|bytes| bytes.starts_with(&MAGIC))
}

#[cfg(test)]
mod tests {
    use super::*;
    use behavior_compiler::provider::{MemoryFiles, WithLibrary};

    const POLICY: &str = "/etc/behavior/policy.toml";

    fn provider(policy: &str, own: &str) -> WithLibrary<MemoryFiles> {
        let project = MemoryFiles::new([(POLICY, policy), ("own.toml", own)]);
        WithLibrary { library: behavior_stdlib::file, presets: behavior_stdlib::PRESETS, project }
    }

    fn rule(name: &str, action: &str, pattern: &str) -> String {
        format!("[[rules]]\nname = \"{name}\"\naction = \"{action}\"\npattern = \"{pattern}\"\n")
    }

    /// Holds the administrator's policy of now against an image of another one and an own policy.
    #[track_caller]
    fn check(now: &str, then: Option<&str>, own: &str, expect: &str) {
        let made_with = provider(then.unwrap_or_default(), own);
        let policies = then.map(|_| POLICY.to_owned()).into_iter().collect();
        let options = Options { policies, ..Options::default() };
        let compilation = compile_all(&made_with, &["own.toml".to_owned()], &options);
        let image = compilation.image.expect("a valid policy");
        let held = check_policy(&provider(now, own), POLICY, "rules.image", &image);
        let found = held.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(found.contains(expect) && found.is_empty() == expect.is_empty(), "{found}");
    }

    #[test]
    fn an_image_holds_the_administrators_policy_or_is_refused() {
        let no_rm = rule("no rm", "deny", "rm *");
        let own = rule("rm", "allow", "rm *");
        let without = "this image was made without `/etc/behavior/policy.toml` as it is now";
        check(&no_rm, Some(&no_rm), &own, "");
        check(&no_rm, None, &own, without);
        // The same words from somebody else, who may have put others before them.
        check(&no_rm, None, &no_rm, without);
        check(&format!("# new\n{no_rm}"), Some(&no_rm), &own, "");
        let more = format!("{no_rm}{}", rule("no dd", "deny", "dd *"));
        check(&more, Some(&no_rm), &own, without);
        check(&no_rm.replace("deny", "ask_user"), Some(&no_rm), &own, without);
        check(&no_rm.replace("rm *", "rm -r *"), Some(&no_rm), &own, without);
        check(&format!("{no_rm}approval_mode = \"ask\"\n"), Some(&no_rm), &own, without);
        check(&format!("{no_rm}priority = \"admin\"\n"), Some(&no_rm), &own, without);
        check("", Some(&no_rm), &own, "");
    }

    #[test]
    fn the_mode_of_the_administrator_holds() {
        let own = "approval_mode = \"yolo\"\n";
        let ask = "approval_mode = \"ask\"\n";
        check(ask, Some(ask), own, "");
        check(ask, None, own, "made without");
    }

    #[test]
    fn where_no_policy_is_calls_are_not_even_asked_about() {
        let provider = provider("", "");
        let options = Options { profile: Some("dev".to_owned()), ..Options::default() };
        let image = compile_all(&provider, &[], &options).image.expect("a preset");
        assert!(check_policy(&provider, POLICY, "rules.image", &image).is_err());
    }

    #[test]
    fn a_broken_policy_lets_no_image_pass() {
        check("[[rules]]\n", None, "", "`behavior check /etc/behavior/policy.toml` shows them");
    }
}
