//! What a config says of workflows.

use crate::ast::{BehaviorConfig, OversightConfig};
use crate::decode::{Decode, Reports, Spanned};
use crate::diagnostic::Diagnostic;
use crate::provider::SourceProvider;
use crate::registry::diagnostics as d;
use crate::resolve::kind::{format_of, in_profile_folder, not_read_here};
use crate::source::FileId;
use crate::syntax::parse;

/// What a config says of workflows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// Where control files are, from the project's root.
    pub control_file: Option<String>,
    /// The risk, in hundredths, from which on a run pauses.
    pub pause_at: Option<u32>,
    /// The first field of these that is written and cannot be read.
    pub broken: Option<&'static str>,
}

/// Reads what a config says of workflows. What is wrong with it is left to those who check it.
#[must_use]
pub fn settings(provider: &dyn SourceProvider, config: &str) -> Settings {
    let Some(text) = provider.read(config).ok().and_then(|bytes| String::from_utf8(bytes).ok())
    else {
        return Settings::default();
    };
    let root = parse(FileId(0), &text, format_of(config, &text)).root;
    let reports = &mut Reports::default();
    let Some(config) = BehaviorConfig::decode(&root, reports) else { return Settings::default() };
    let control_file = config.control_file.filter(|file| may_be_taken(&file.value));
    let control_file = control_file.map(|file| file.value.into());
    let pause_at = config.oversight.and_then(|oversight| pause_at(&oversight, reports));
    let is_broken = |name: &str, is_read: bool| !is_read && root.get(name).is_some();
    let broken = match () {
        () if is_broken("control_file", control_file.is_some()) => Some("control_file"),
        () if is_broken("oversight", pause_at.is_some()) => Some("oversight"),
        () => None,
    };
    Settings { control_file, pause_at, broken }
}

/// Whether a path stays inside of the folder that it begins in.
fn is_inside(path: &str) -> bool {
    let is_whole = path.starts_with(['/', '\\']) || path.contains(':');
    let mut parts = path.split(['/', '\\']);
    let is_file = !matches!(parts.clone().next_back(), None | Some("" | "." | ".."));
    is_file && !is_whole && !parts.any(|part| part == "..")
}

/// Whether what lies at a path may be taken away after a step: a JSON file of the project that is none of its rules.
fn may_be_taken(path: &str) -> bool {
    let is_of_rules = in_profile_folder(path) || not_read_here(path, "").is_some();
    is_inside(path) && path.ends_with(".json") && !is_of_rules
}

/// Reports a control file that could be something else: it is outside of the project, or a file of rules.
pub(crate) fn check_control_file(file: &Spanned<Box<str>>, reports: &mut Reports) {
    if !is_inside(&file.value) {
        let message = format!("the control file `{}` is not inside of the project", file.value);
        reports.push(
            Diagnostic::new(&d::OUT_OF_RANGE, file.span, message)
                .help("write a path from the project's root, without `..`"),
        );
    } else if !may_be_taken(&file.value) {
        let message = format!(
            "`{}` cannot be the control file: what lies there is taken away after each step",
            file.value
        );
        reports.push(Diagnostic::new(&d::OUT_OF_RANGE, file.span, message).help(
            "name a `.json` file that nothing else uses, such as `.behavior/memory/behavior.json`",
        ));
    }
}

/// The risk from which on a run pauses, in hundredths.
pub(crate) fn pause_at(oversight: &OversightConfig, reports: &mut Reports) -> Option<u32> {
    let pause_at = oversight.pause_at.as_ref()?;
    if !(0.0..=1.0).contains(&pause_at.value) {
        let message = "a risk is a number from 0 to 1";
        reports.push(Diagnostic::new(&d::OUT_OF_RANGE, pause_at.span, message));
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the range is checked"
    )]
    Some((pause_at.value * 100.0).ceil() as u32)
}
