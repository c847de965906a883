//! `log`, which shows, forwards and verifies what was decided.

use clap::{Args, Subcommand};

use super::agent::kept_agent;
use super::common::PlainFormat;

/// `behavior log`
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct LogArgs {
    /// What to do in place of showing it
    #[command(subcommand)]
    pub command: Option<LogCommand>,
    /// Wait for what comes, and show it
    #[arg(short, long)]
    pub follow: bool,
    /// How many of the last lines to show first
    #[arg(short = 'n', long, value_name = "N", default_value_t = 20)]
    pub lines: usize,
    /// Say in place of the lines what came of them, rule by rule, and which exceptions are used
    #[arg(long, conflicts_with_all = ["follow", "right", "wrong"])]
    pub summary: bool,
    /// Only sessions whose id begins so
    #[arg(long, value_name = "SESSION")]
    pub session: Option<String>,
    /// Only events of this agent
    #[arg(long, value_name = "NAME", value_parser = kept_agent)]
    pub agent: Option<String>,
    /// Only calls with this verdict: `allow`, `ask` or `deny`
    #[arg(long, value_name = "VERDICT", hide_possible_values = true)]
    #[arg(value_parser = ["allow", "ask", "deny"])]
    pub verdict: Option<String>,
    /// Only events at which this rule fired
    #[arg(long, value_name = "ID")]
    pub rule: Option<String>,
    /// Only events of this tool
    #[arg(long, value_name = "NAME")]
    pub tool: Option<String>,
    /// Only failures of `behavior` itself
    #[arg(long)]
    pub failures: bool,
    /// Keep a label: at the event with this number, the rules spoke rightly, or the one of `--rule` should speak
    #[arg(long, value_name = "N", conflicts_with = "follow")]
    pub right: Option<u64>,
    /// Keep a label: at the event with this number, the rules that spoke should not, or the one of `--rule`
    #[arg(long, value_name = "N", conflicts_with_all = ["follow", "right"])]
    pub wrong: Option<u64>,
    /// How to print; `json` gives the lines as they are
    #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
    pub format: PlainFormat,
}

/// What else can be done with the log.
#[derive(Debug, Subcommand)]
pub enum LogCommand {
    /// Prove that no line of the log was changed, removed, moved or put in
    Verify(LogVerifyArgs),
    /// Send lines of the log to where `audit.yaml` says
    Forward(LogForwardArgs),
}

/// `behavior log forward`
#[derive(Args, Debug)]
pub struct LogForwardArgs {
    /// Wait for what comes, and send it
    #[arg(short, long)]
    pub follow: bool,
    /// Show what would be sent, and send nothing
    #[arg(long, conflicts_with = "follow")]
    pub dry_run: bool,
}

/// `behavior log verify`
#[derive(Args, Debug)]
pub struct LogVerifyArgs {
    /// The files of a log, the oldest first; without any, those of the state directory
    #[arg(value_name = "FILE")]
    pub files: Vec<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
    pub format: PlainFormat,
}
