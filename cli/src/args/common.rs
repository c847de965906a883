//! Arguments that many commands share.

use behavior_image::code::ApprovalMode;
use behavior_runtime::permission::mode_named;
use clap::{Args, ValueEnum};

/// Formats of commands that print one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PlainFormat {
    /// For people.
    Pretty,
    /// One JSON object.
    Json,
}

/// Which rules to work with.
#[derive(Args, Clone, Debug, Default)]
pub struct RuleArgs {
    /// An app config, behaviour config, profile, policy or image; may be repeated, they compose
    #[arg(short, long, value_name = "PATH")]
    pub config: Vec<String>,
    /// A preset or a profile of the project, in place of the config's own
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Take unknown conditions as warnings; rules with one never fire
    #[arg(long)]
    pub allow_unknown_conditions: bool,
    /// Where else rules hold that are found on the way up from there, besides those of the working directory.
    #[arg(skip)]
    pub also_from: Option<std::path::PathBuf>,
    /// Up to which folder rules of the project are looked for, where that is settled.
    #[arg(skip)]
    pub up_to: Option<std::path::PathBuf>,
    /// The profile that the user chose for all projects: it is the user's word, and no project switches it off.
    #[arg(skip)]
    pub users_profile: Option<String>,
    /// A profile that holds on top, and can only make decisions stricter.
    #[arg(skip)]
    pub also_profile: Option<String>,
}

/// The approval mode of policies.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct ModeArgs {
    /// What policies do with calls that no rule covers: `ask`, `autoEdit`, `yolo` or `agent`; wins over what
    /// sessions and policies say
    #[arg(long, value_name = "MODE", value_parser = mode)]
    pub mode: Option<ApprovalMode>,
}

fn mode(text: &str) -> Result<ApprovalMode, String> {
    let unknown = || "the modes are `ask`, `autoEdit`, `yolo` and `agent`".to_owned();
    mode_named(text).ok_or_else(unknown)
}
