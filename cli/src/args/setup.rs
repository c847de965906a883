//! Setting agents up, and letting through: `init`, `doctor`, `trust`, `allow`, `session` and `hook`.

use behavior_agents::hook::Agent;
use clap::{Args, Subcommand};

use super::agent::{Agents, agents, kept_agent, unknown_agent};
use super::common::{PlainFormat, RuleArgs};
use super::constitution::ConstitutionCommand;

/// `behavior trust`
#[derive(Args, Debug)]
pub struct TrustArgs {
    /// List the projects that are trusted, and with what
    #[arg(long, conflicts_with = "revoke")]
    pub list: bool,
    /// Take the trust in this project back
    #[arg(long)]
    pub revoke: bool,
    /// How to print the list
    #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
    pub format: PlainFormat,
}

/// `behavior allow`
#[derive(Args, Debug)]
pub struct AllowArgs {
    /// The rule that stops it
    #[arg(value_name = "RULE", required_unless_present_any = ["list", "revoke", "stopped"])]
    pub rule: Option<String>,
    /// This command line in this directory, in place of the call that was stopped last
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["path", "call"])]
    pub command: Option<String>,
    /// Calls that touch only files that match this path glob
    #[arg(long, value_name = "GLOB", conflicts_with = "call")]
    pub path: Option<String>,
    /// The call of this id, which `--stopped` tells
    #[arg(long, value_name = "ID")]
    pub call: Option<String>,
    /// For one call; this is the default
    #[arg(long, conflicts_with_all = ["session", "until", "always"])]
    pub once: bool,
    /// For the session of the agent whose call was stopped
    #[arg(long, conflicts_with_all = ["until", "always"])]
    pub session: bool,
    /// Until a moment: `30m`, `2h`, `17:30`, or a date with a time
    #[arg(long, value_name = "TIME", conflicts_with = "always")]
    pub until: Option<String>,
    /// From now on, by an exception in the rule file that switches the rule on
    #[arg(long, conflicts_with_all = ["list", "revoke", "stopped"])]
    pub always: bool,
    /// List what is allowed
    #[arg(long, conflicts_with_all = ["rule", "revoke", "stopped"])]
    pub list: bool,
    /// List the calls that were stopped last in this project
    #[arg(long, conflicts_with_all = ["rule", "revoke"])]
    pub stopped: bool,
    /// Take a grant back
    #[arg(long, value_name = "ID", conflicts_with = "rule")]
    pub revoke: Option<String>,
    /// How to print the list
    #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
    pub format: PlainFormat,
}

/// `behavior init`
#[derive(Args, Debug)]
pub struct InitArgs {
    /// The agent, such as `claude-code`, or `all`; may be repeated. Without it, those whose folders are there
    #[arg(long = "agent", value_name = "NAME", value_parser = agents)]
    pub agents: Vec<Agents>,
    /// The profile for a new `behavior.yaml`; with `--user` or `-c`, the one that the hook uses
    #[arg(long, value_name = "NAME", conflicts_with = "uninstall")]
    pub profile: Option<String>,
    /// The rules that the hook uses, in place of what it finds itself; may be repeated
    #[arg(short, long, value_name = "PATH", conflicts_with = "uninstall")]
    pub config: Vec<String>,
    /// Change the agents' settings of the user, not of the project
    #[arg(long)]
    pub user: bool,
    /// Write what a team can commit: the program is found by its name, and calls are refused where it is missing
    #[arg(long, conflicts_with_all = ["user", "config", "uninstall"])]
    pub team: bool,
    /// Change the user's own settings in the project, which nobody else sees, where the agent has such
    #[arg(long, conflicts_with_all = ["user", "team"])]
    pub local: bool,
    /// Register the tool server `behavior mcp`, too, with each agent that takes such
    #[arg(long)]
    pub mcp: bool,
    /// Take the hooks out again, and the tool server
    #[arg(long)]
    pub uninstall: bool,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
    /// Show what would change, and change nothing
    #[arg(long, conflicts_with = "yes")]
    pub dry_run: bool,
}

/// `behavior doctor`
#[derive(Args, Debug)]
pub struct DoctorArgs {
    /// Only this agent, which must have the hook, or `all`; may be repeated
    #[arg(long = "agent", value_name = "NAME", value_parser = agents)]
    pub agents: Vec<Agents>,
    /// Ask the model that the rules name something small, and say how long it takes
    #[arg(long)]
    pub ask_models: bool,
    /// Start each agent headless in a throw-away copy, against a scripted model on this machine, and see whether it is
    /// stopped
    #[arg(long)]
    pub live: bool,
    /// Start them without being asked
    #[arg(long, requires = "live")]
    pub yes: bool,
    /// How long an agent may take
    #[arg(long, value_name = "SECONDS", requires = "live", default_value_t = 120,
          value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub timeout: u64,
    /// How to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
    pub format: PlainFormat,
}

/// `behavior session`
#[derive(Debug, Subcommand)]
pub enum SessionCommand {
    /// List the sessions, the latest first
    List {
        /// How to print
        #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
        format: PlainFormat,
    },
    /// Show what is remembered of a session, without an id of the latest of this project
    Show {
        /// Which session.
        #[command(flatten)]
        session: SessionArgs,
        /// How to print
        #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
        format: PlainFormat,
    },
    /// Switch the rules on again for a session, whatever `BEHAVIOR` says; without an id the latest of this project
    Enable {
        /// Which session.
        #[command(flatten)]
        session: SessionArgs,
    },
    /// Switch the rules off for the rest of a session; without an id the latest of this project
    Disable {
        /// Which session.
        #[command(flatten)]
        session: SessionArgs,
    },
    /// Choose the model that verifies answers for the rest of a session, or none; without an id of the latest of this project
    Verifier {
        /// `PROVIDER/MODEL`, with `@ADDRESS` behind it where it is elsewhere; `off`, or `default` for what the rules say
        #[arg(value_name = "NAME")]
        name: String,
        /// Which session.
        #[command(flatten)]
        session: SessionArgs,
    },
    /// Forget a session and its sub-agents, or one of these: what it does next begins afresh
    Clear {
        /// Which session.
        #[command(flatten)]
        session: SessionArgs,
        /// Forget all sessions
        #[arg(long, conflicts_with_all = ["session", "agent", "sub_agent"])]
        all: bool,
    },
    /// Add rules for one session alone, or show them; without an id for the latest of this project
    Constitution {
        /// What to do.
        #[command(subcommand)]
        command: ConstitutionCommand,
    },
}

/// `behavior hook`
#[derive(Args, Debug)]
pub struct HookArgs {
    /// Whose event stands on standard input
    #[arg(value_name = "AGENT", value_parser = hooked)]
    pub agent: Agent,
    /// Which rules to go by.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// For the command that `init` writes: end with 77 after an answer and with 78 after a refusal
    #[arg(long)]
    pub guarded: bool,
}

/// An agent, or a program that speaks for itself.
fn hooked(text: &str) -> Result<Agent, String> {
    Agent::named(text).ok_or_else(|| unknown_agent(text, Agent::ALL.into_iter()))
}

/// Which session.
#[derive(Args, Debug)]
pub struct SessionArgs {
    /// The session's id, or how it begins
    #[arg(value_name = "SESSION")]
    pub session: Option<String>,
    /// Only sessions of this agent
    #[arg(long, value_name = "NAME", value_parser = kept_agent)]
    pub agent: Option<String>,
    /// A sub-agent's id, or how it begins
    #[arg(long, value_name = "ID")]
    pub sub_agent: Option<String>,
}
