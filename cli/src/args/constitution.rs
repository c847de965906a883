//! `behavior session constitution`

use clap::{Args, Subcommand};

use super::common::PlainFormat;

/// `behavior session constitution`
#[derive(Debug, Subcommand)]
pub enum ConstitutionCommand {
    /// Add a text that the agent is told in every turn, or the definition of a rule
    Add {
        /// The text; the definition of a rule where it begins with `{`
        #[arg(value_name = "RULE", required_unless_present = "file", conflicts_with = "file")]
        rule: Option<String>,
        /// A file with the definition of a rule, or a list of them; `-` is standard input
        #[arg(long, value_name = "FILE")]
        file: Option<String>,
        /// Which session.
        #[command(flatten)]
        session: ChosenSession,
    },
    /// Put these in the place of all that there are, those of the agent too; without any, remove all
    Reset {
        /// Texts, and definitions of rules where they begin with `{`
        #[arg(value_name = "RULE")]
        rules: Vec<String>,
        /// Which session.
        #[command(flatten)]
        session: ChosenSession,
    },
    /// Show them
    Get {
        /// How to print
        #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
        format: PlainFormat,
        /// Which session.
        #[command(flatten)]
        session: ChosenSession,
    },
}

/// Which session is meant, where arguments are about something else.
#[derive(Args, Clone, Debug, Default)]
pub struct ChosenSession {
    /// The id of the session, or how it begins
    #[arg(long, value_name = "ID")]
    pub session: Option<String>,
    /// The agent that runs it
    #[arg(long, value_name = "NAME")]
    pub agent: Option<String>,
}

impl ConstitutionCommand {
    /// Returns which session is meant.
    #[must_use]
    pub fn session(&self) -> &ChosenSession {
        match self {
            Self::Add { session, .. } | Self::Reset { session, .. } | Self::Get { session, .. } => {
                session
            }
        }
    }
}
