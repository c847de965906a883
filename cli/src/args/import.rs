//! `import`, which reads the rules of other tools.

use clap::{Args, ValueEnum};

/// `behavior import`
#[derive(Args, Debug)]
pub struct ImportArgs {
    /// What the files are
    #[arg(value_enum)]
    pub format: ImportFormat,
    /// The files; together they make one policy or config
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<String>,
    /// Where to write the rules; `-` for standard output
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    pub output: String,
    /// Write over a file that is there
    #[arg(long)]
    pub force: bool,
    /// Write what there is, though it lets through calls that the source stops
    #[arg(long)]
    pub allow_looser: bool,
    /// The priority of the rules, so that several imports can stand in one policy
    #[arg(long, value_enum)]
    pub tier: Option<Tier>,
}

/// The rules that can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ImportFormat {
    /// Permission lists in the settings of Claude Code.
    ClaudeSettings,
    /// Policies of Gemini CLI.
    GeminiPolicy,
    /// Rules of Codex.
    CodexRules,
    /// Rule files of the hookify plugin.
    Hookify,
    /// Permissions of OpenCode.
    Opencode,
    /// Custom rules of cc-safety-net.
    SafetyNet,
}

/// Whose word rules are that are imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Tier {
    /// The administrator's.
    Admin,
    /// The user's.
    User,
    /// Those that hold where no other does.
    Default,
}

impl Tier {
    /// The priority of rules in a policy.
    pub fn priority(self) -> &'static str {
        match self {
            Tier::Admin => "admin",
            Tier::User => "user",
            Tier::Default => "default",
        }
    }
}
