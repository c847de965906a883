//! The command line, as clap reads it. One file each for commands that belong together; here is what they share.

mod agent;
mod authoring;
mod common;
mod constitution;
mod import;
mod log;
mod mcp;
mod model;
mod plan;
mod setup;
mod traces;
pub mod workflow;

use behavior_compiler::registry::json_schema::SchemaKind;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

pub use agent::Agents;
pub use authoring::{
    CheckArgs, CheckFormat, CompileArgs, Deny, ExplainArgs, FormatArgs, InspectArgs, ProfilesArgs,
    TestArgs, TestFormat,
};
pub use common::{PlainFormat, RuleArgs};
pub use constitution::{ChosenSession, ConstitutionCommand};
pub use import::{ImportArgs, ImportFormat, Tier};
pub use log::{LogArgs, LogCommand, LogForwardArgs, LogVerifyArgs};
pub use mcp::McpArgs;
pub use model::{ClassifyArgs, ModelArgs};
pub use plan::{PlanAskArgs, PlanCheckArgs, PlanCommand, PlanRunArgs};
pub use setup::{
    AllowArgs, DoctorArgs, HookArgs, InitArgs, SessionArgs, SessionCommand, TrustArgs,
};
pub use traces::{
    DiffArgs, DiffFormat, FailOn, Only, PrecisionArgs, SimulateArgs, SimulateFormat, StatsArgs,
    Turns,
};

/// What the exit codes mean, for every command alike.
const EXIT_CODES: &str = "\
Exit codes:
  0  clean
  1  findings: errors of `check`, with `--deny warnings` warnings too; faults of `plan check`, steps that
     `plan run` did not do; files that `fmt --check` would change; what `simulate --fail-on` and
     `diff --fail-on` name; tests of rules that failed; what `import` could not carry over; hooks that
     `doctor` found not to work; a log that `log verify` found broken
  2  wrong usage, unreadable input, or invalid rules where valid ones are needed
  3  a bug of `behavior`: please report it";

/// Check, explain and simulate the rules that AI agents work under.
#[derive(Debug, Parser)]
#[command(name = "behavior", version, max_term_width = 80, arg_required_else_help = true)]
#[command(after_help = EXIT_CODES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// Options of every command.
    #[command(flatten)]
    pub output: OutputArgs,
}

/// How to print.
#[derive(Args, Clone, Debug)]
pub struct OutputArgs {
    /// Use colours
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
    /// Print the summary at most
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Print more
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Type-check and lint rule files
    Check(CheckArgs),
    /// Lay rule files out in one form
    Fmt(FormatArgs),
    /// Compile rules into an image
    Compile(CompileArgs),
    /// Show what compiled rules consist of
    Inspect(InspectArgs),
    /// Explain a name, or why rules fired at an event of a trace
    Explain(ExplainArgs),
    /// Run recorded sessions through the rules
    Simulate(SimulateArgs),
    /// Try the classifier on messages of which you know what it should make of them
    Classify(ClassifyArgs),
    /// Hold two recordings against each other, or two sets of rules
    Diff(DiffArgs),
    /// Run the tests of rules
    Test(TestArgs),
    /// List the built-in profiles, or show what one puts in force
    Profiles(ProfilesArgs),
    /// Write the rules of another tool as rules of this one
    Import(ImportArgs),
    /// Set a project up, and the hooks of agents
    Init(InitArgs),
    /// Prove that the hooks of agents fire and block
    Doctor(DoctorArgs),
    /// Let the rules of this project do more than make decisions stricter
    Trust(TrustArgs),
    /// Let run what a rule stops: the call that it stopped last, a command, or paths
    Allow(AllowArgs),
    /// List, show and clear the sessions of running agents
    Session {
        /// What to do.
        #[command(subcommand)]
        command: SessionCommand,
    },
    /// Run workflows of agents, and list them
    Workflow {
        /// What to do.
        #[command(subcommand)]
        command: workflow::WorkflowCommand,
    },
    /// Look at the plan of an agent, or run it
    Plan {
        /// What to do.
        #[command(subcommand)]
        command: PlanCommand,
    },
    /// Decide on one event of a running agent: its hook calls this
    Hook(HookArgs),
    /// Show what was decided on live events
    Log(LogArgs),
    /// Say how often each rule speaks, and what comes of it
    Stats(StatsArgs),
    /// Say how right each rule is on labelled events
    Precision(PrecisionArgs),
    /// The language server on standard input and output
    Lsp,
    /// The debug adapter on standard input and output: steps through a recorded session, forward and back
    Dap,
    /// The tool server for agents, on standard input and output or on an address of this machine
    Mcp(McpArgs),
    /// Print the JSON Schema of a kind of files, for editors
    Schema {
        /// The kind
        #[arg(value_name = "KIND", value_parser = schema_kinds())]
        kind: SchemaKind,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
}

fn schema_kinds() -> impl TypedValueParser<Value = SchemaKind> {
    let names = SchemaKind::ALL.map(SchemaKind::name);
    PossibleValuesParser::new(names).try_map(|name| {
        let kind = SchemaKind::ALL.into_iter().find(|kind| kind.name() == name);
        kind.ok_or("there is no such kind")
    })
}
