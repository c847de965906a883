//! The command line, as clap reads it.

mod common;
mod constitution;
mod mcp;
pub mod workflow;

use behavior_agents::Format;
use behavior_agents::hook::Agent;
use behavior_compiler::diagnostic::closest;
use behavior_compiler::registry::json_schema::SchemaKind;
use behavior_image::code::ApprovalMode;
use behavior_runtime::decision::Action;
use behavior_runtime::permission::mode_named;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::models::price::Price;

pub use common::{PlainFormat, RuleArgs};
pub use constitution::{ChosenSession, ConstitutionCommand};
pub use mcp::McpArgs;

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
#[command(name = "behavior", version, max_term_width = 100, arg_required_else_help = true)]
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

/// One agent, or all of them.
#[derive(Clone, Copy, Debug)]
pub enum Agents {
    /// All whose settings are known.
    All,
    /// This one.
    One(Agent),
}

impl Agents {
    /// Returns the agents that are meant, each once, in the order of their names.
    #[must_use]
    pub fn of(chosen: &[Agents]) -> Vec<Agent> {
        let agents = |one: &Agents| match one {
            Agents::All => Agent::wired().collect(),
            Agents::One(agent) => vec![*agent],
        };
        let mut agents: Vec<Agent> = chosen.iter().flat_map(agents).collect();
        agents.sort_by_key(|agent| agent.name());
        agents.dedup();
        agents
    }
}

fn agents(text: &str) -> Result<Agents, String> {
    match text {
        "all" => Ok(Agents::All),
        name => agent(name).map(Agents::One),
    }
}

fn agent(text: &str) -> Result<Agent, String> {
    let found = Agent::named(text).filter(|agent| Agent::wired().any(|wired| wired == *agent));
    found.ok_or_else(|| unknown_agent(text, Agent::wired()))
}

/// The name of an agent that events and sessions are kept under, for whatever spelling.
fn kept_agent(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(Agent::named(text).map_or_else(|| text.to_owned(), |agent| agent.name().to_owned()))
}

/// That there is no agent of a name, with the one that was meant.
fn unknown_agent(text: &str, agents: impl Iterator<Item = Agent>) -> String {
    let names: Vec<&str> = agents.map(Agent::name).collect();
    let lower = text.to_lowercase();
    let begins = |name: &&&str| lower.len() > 2 && name.starts_with(&lower);
    let meant = names.iter().find(begins).copied().or_else(|| closest(text, names.iter().copied()));
    match meant {
        Some(name) => format!("did you mean `{name}`?"),
        None => {
            let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
            format!("the agents are {}", names.join(", "))
        }
    }
}

/// `behavior check`
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// Rule files or directories; without any, what discovery finds
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Which rules to work with.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t = CheckFormat::Pretty)]
    pub format: CheckFormat,
    /// Also fail on warnings
    #[arg(long, value_name = "LEVEL")]
    pub deny: Option<Deny>,
    /// A file that names the agent's tools, or an agent's name
    #[arg(long, value_name = "FILE")]
    pub tools: Option<String>,
    /// Also say what this agent cannot do of what the rules say, such as `codex`
    #[arg(long, value_name = "NAME", value_parser = agent)]
    pub agent: Option<Agent>,
    /// Mend what can be mended without a change of meaning
    #[arg(long)]
    pub fix: bool,
    /// Mend also what was probably meant otherwise
    #[arg(long)]
    pub unsafe_fixes: bool,
    /// Print what the fixes would change, and change nothing; exit 1 where they would
    #[arg(long, conflicts_with = "format")]
    pub diff: bool,
}

/// What else fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Deny {
    /// Warnings.
    Warnings,
}

/// The formats of `check`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CheckFormat {
    /// For people, with the source.
    Pretty,
    /// A line each.
    Concise,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0, as code scanning reads it.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// A code quality report of GitLab.
    Gitlab,
    /// JUnit XML.
    Junit,
}

/// `behavior test`
#[derive(Args, Debug)]
pub struct TestArgs {
    /// Rule test files, rule files with examples, or directories; without any, all tests of the project and the
    /// examples of all rules in force
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Which rules to work with.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t = TestFormat::Pretty)]
    pub format: TestFormat,
    /// Write the snapshots that tests name, in place of comparing them
    #[arg(long)]
    pub update: bool,
    /// Run the tests again whenever a file changes that they may depend on
    #[arg(long, conflicts_with_all = ["update", "from_trace"])]
    pub watch: bool,
    /// Print a test made of what happened in a recorded session, up to the event of `--at`
    #[arg(long, value_name = "TRACE", requires = "at", conflicts_with_all = ["paths", "update"])]
    pub from_trace: Option<String>,
    /// The number of the event, from 0
    #[arg(long, value_name = "N", requires = "from_trace")]
    pub at: Option<u64>,
    /// The format of the trace, where its content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = input_format())]
    pub input_format: Option<Format>,
}

/// The formats of `test`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TestFormat {
    /// For people, with the explanation of what failed.
    Pretty,
    /// One JSON object.
    Json,
    /// JUnit XML.
    Junit,
    /// Annotations of GitHub Actions.
    Github,
}

/// `behavior compile`
#[derive(Args, Debug)]
pub struct CompileArgs {
    /// The rule file; without one, what discovery finds
    #[arg(value_name = "CONFIG")]
    pub entry: Option<String>,
    /// Where to write the image; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: String,
    /// Which rules to work with.
    #[command(flatten)]
    pub rules: RuleArgs,
}

/// `behavior inspect`
#[derive(Args, Debug)]
pub struct InspectArgs {
    /// An image or a rule file; without one, what discovery finds
    #[arg(value_name = "IMAGE|CONFIG")]
    pub entry: Option<String>,
    /// Which rules to work with.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// The approval mode of policies.
    #[command(flatten)]
    pub mode: ModeArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
    pub format: PlainFormat,
}

/// `behavior explain`
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// A diagnostic, condition, field, built-in rule, rule of the config or word of the language
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// A shell command line: what it would run, and what the rules make of it
    #[arg(long, value_name = "LINE", conflicts_with_all = ["name", "trace"])]
    pub command: Option<String>,
    /// A recorded session
    #[arg(long, value_name = "TRACE", requires = "at", conflicts_with = "name")]
    pub trace: Option<String>,
    /// The number of the event, from 0
    #[arg(long, value_name = "N")]
    pub at: Option<u64>,
    /// Only this rule
    #[arg(long, value_name = "ID")]
    pub rule: Option<String>,
    /// Which rules to work with.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// The approval mode of policies.
    #[command(flatten)]
    pub mode: ModeArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
    pub format: PlainFormat,
    /// The format of the trace, where its content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = input_format())]
    pub input_format: Option<Format>,
}

/// `behavior simulate`
#[derive(Args, Debug)]
pub struct SimulateArgs {
    /// Recorded sessions: files, directories, or `-` for standard input
    #[arg(value_name = "TRACE", required = true)]
    pub traces: Vec<String>,
    /// Which rules to work with.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// The approval mode of policies.
    #[command(flatten)]
    pub mode: ModeArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t = SimulateFormat::Pretty)]
    pub format: SimulateFormat,
    /// Print a decision for every event, also where there is nothing to say
    #[arg(long)]
    pub all: bool,
    /// Add the session's state to each decision
    #[arg(long)]
    pub state: bool,
    /// Exit with 1 if anything at least this bad was found, or a line was not understood
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = FailOn::None)]
    pub fail_on: FailOn,
    /// The format of the traces, where their content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = input_format())]
    pub input_format: Option<Format>,
    /// Stop at the first line that is not understood
    #[arg(long)]
    pub strict: bool,
    /// Ask the real file system about files, and the real clock
    #[arg(long)]
    pub live_fs: bool,
    /// In the timeline, show only what this rule says; may be repeated
    #[arg(long, value_name = "RULE")]
    pub rule: Vec<String>,
    /// In the timeline, show only what does this; may be repeated
    #[arg(long, value_enum, value_name = "ACTION")]
    pub action: Vec<ActionName>,
    /// In the timeline, show only these turns: `3`, or `3-5`
    #[arg(long, value_name = "TURNS", value_parser = turns)]
    pub turn: Option<Turns>,
    /// In the timeline, show only this: what stops a call, what the agent is told, or what nothing tells
    #[arg(long, value_enum, value_name = "KIND")]
    pub only: Option<Only>,
    /// Which models to ask, if any.
    #[command(flatten)]
    pub models: ModelArgs,
}

/// An action of rules, as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ActionName {
    /// What stops a call.
    Block,
    /// What the user is asked about.
    Ask,
    /// Warnings.
    Warn,
    /// Reminders.
    Remind,
}

impl ActionName {
    /// Returns the action that it names.
    #[must_use]
    pub fn meaning(self) -> Action {
        match self {
            ActionName::Block => Action::Block,
            ActionName::Ask => Action::Ask,
            ActionName::Warn => Action::Warn,
            ActionName::Remind => Action::Remind,
        }
    }
}

/// What of a timeline is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Only {
    /// What blocks or asks.
    Stopped,
    /// What the agent is told.
    Told,
    /// What could not be decided, for want of a fact.
    Undecided,
}

/// Turns of a session, from one to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turns {
    first: u32,
    last: u32,
}

impl Turns {
    /// Whether a turn is one of them.
    #[must_use]
    pub fn contains(self, turn: u32) -> bool {
        (self.first..=self.last).contains(&turn)
    }
}

fn turns(text: &str) -> Result<Turns, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let turns = first.trim().parse().ok().zip(last.trim().parse().ok());
    let turns = turns.map(|(first, last)| Turns { first, last });
    turns
        .filter(|turns| turns.first <= turns.last)
        .ok_or_else(|| "a turn is a number, and several are written `3-5`".to_owned())
}

/// Which models are asked, if any.
#[derive(Args, Clone, Debug, Default)]
pub struct ModelArgs {
    /// Ask the models that the rules name; what was answered once is not asked again
    #[arg(long, conflicts_with = "models_from")]
    pub ask_models: bool,
    /// Take what models answer from a file: lines of JSON with `purpose`, `session`, and `raw` or `error`
    #[arg(long, value_name = "FILE")]
    pub models_from: Option<String>,
    /// Ask no more often than this
    #[arg(long, value_name = "N", requires = "ask_models")]
    pub max_calls: Option<u64>,
    /// What a million tokens cost, of questions and of answers: then costs are told, too
    #[arg(long, value_name = "IN/OUT", requires = "ask_models")]
    pub price: Option<Price>,
}

/// `behavior classify`
#[derive(Args, Debug)]
pub struct ClassifyArgs {
    /// The messages, with what is expected of each: YAML with a list `cases`
    #[arg(long, value_name = "FILE")]
    pub cases: String,
    /// Which rules to work with.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// The model to ask, as `PROVIDER/MODEL[@ADDRESS]`, in place of that of the rules; several are held side by side
    #[arg(long = "brain", value_name = "NAME")]
    pub brains: Vec<String>,
    /// Take what the model answers from a file: lines of JSON with `purpose`, and `raw` or `error`
    #[arg(long, value_name = "FILE", conflicts_with = "brains")]
    pub models_from: Option<String>,
    /// What a million tokens of a model cost, of questions and of answers, such as `0.25/2`; one for each `--brain`, or one
    /// for all
    #[arg(long = "price", value_name = "IN/OUT")]
    pub prices: Vec<Price>,
    /// Ask about each message so often
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: u32,
    /// How to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
    pub format: PlainFormat,
}

/// `behavior stats`
#[derive(Args, Debug)]
pub struct StatsArgs {
    /// Recorded sessions: files, directories, or `-`; without any, what was decided live
    #[arg(value_name = "TRACE")]
    pub traces: Vec<String>,
    /// Which rules to work with.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Only this rule
    #[arg(long, value_name = "RULE")]
    pub rule: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
    pub format: PlainFormat,
    /// The format of the traces, where their content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = input_format())]
    pub input_format: Option<Format>,
}

/// `behavior precision`
#[derive(Args, Debug)]
pub struct PrecisionArgs {
    /// The labels: lines of JSON with `rule`, `right`, and `trace` and `line` or `session` and `call`
    #[arg(value_name = "LABELS")]
    pub labels: String,
    /// Recorded sessions: files, directories, or `-` for standard input
    #[arg(value_name = "TRACE", required = true)]
    pub traces: Vec<String>,
    /// Which rules to work with.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// Exit with 1 if of what a rule says less than this is right, in per cent
    #[arg(long, value_name = "PERCENT")]
    pub min_precision: Option<f64>,
    /// Exit with 1 if of what a rule should say it says less than this, in per cent
    #[arg(long, value_name = "PERCENT")]
    pub min_recall: Option<f64>,
    /// How to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
    pub format: PlainFormat,
    /// The format of the traces, where their content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = input_format())]
    pub input_format: Option<Format>,
}

/// `behavior diff`
#[derive(Args, Debug)]
pub struct DiffArgs {
    /// BASELINE and CANDIDATE: recordings, or directories of them; with `--rules`, any number
    #[arg(value_name = "TRACE", required = true)]
    pub traces: Vec<String>,
    /// Two sets of rules to run the same recordings through
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], conflicts_with = "config")]
    pub rules: Vec<String>,
    /// Which rules to work with.
    #[command(flatten)]
    pub config: RuleArgs,
    /// The approval mode of policies.
    #[command(flatten)]
    pub mode: ModeArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t = DiffFormat::Pretty)]
    pub format: DiffFormat,
    /// Exit with 1 if a regression is at least this bad, or a line was not understood
    #[arg(long, value_enum, value_name = "LEVEL", default_value_t = FailOn::None)]
    pub fail_on: FailOn,
    /// The format of the traces, where their content does not tell
    #[arg(long, value_name = "FORMAT", value_parser = input_format())]
    pub input_format: Option<Format>,
    /// Stop at the first line that is not understood
    #[arg(long)]
    pub strict: bool,
}

/// The formats of `diff`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For people.
    Pretty,
    /// One JSON object.
    Json,
    /// A JSON object a line.
    Jsonl,
    /// Markdown, for a comment on a pull request.
    Markdown,
    /// Annotations of GitHub Actions.
    Github,
    /// JUnit XML.
    Junit,
    /// SARIF.
    Sarif,
}

/// The formats of `simulate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SimulateFormat {
    /// A timeline and a summary, for people.
    Pretty,
    /// One JSON object.
    Json,
    /// A JSON object a line.
    Jsonl,
    /// Markdown.
    Markdown,
    /// Annotations of GitHub Actions.
    Github,
    /// JUnit XML.
    Junit,
}

/// What makes `simulate` fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum FailOn {
    /// Nothing.
    None,
    /// Anything, reminders too; `info` is the same.
    #[value(alias = "info")]
    Minor,
    /// Warnings; `warning` is the same.
    #[value(alias = "warning")]
    Moderate,
    /// What would have been blocked; `error` is the same.
    #[value(alias = "error")]
    Severe,
}

impl From<Action> for FailOn {
    fn from(action: Action) -> Self {
        match action {
            Action::Block => Self::Severe,
            Action::Ask | Action::Warn => Self::Moderate,
            Action::Remind => Self::Minor,
        }
    }
}

/// Takes the names of the registered formats of recordings.
fn input_format() -> impl TypedValueParser<Value = Format> {
    let names = Format::all().map(|format| {
        PossibleValue::new(format.name()).aliases(format.aliases()).help(format.description())
    });
    PossibleValuesParser::new(names)
        .try_map(|name| Format::named(&name).ok_or("no format has this name"))
}

/// `behavior profiles`
#[derive(Args, Debug)]
pub struct ProfilesArgs {
    /// A preset or a profile of the project
    #[arg(value_name = "NAME")]
    pub name: Option<String>,
    /// Print the profile as a file to start from
    #[arg(long, requires = "name", conflicts_with = "prompt")]
    pub as_yaml: bool,
    /// Print the section for the agent's system prompt
    #[arg(long, requires = "name")]
    pub prompt: bool,
    /// Rule files of the project
    #[arg(short, long, value_name = "PATH")]
    pub config: Vec<String>,
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

/// `behavior fmt`
#[derive(Args, Debug)]
pub struct FormatArgs {
    /// Rule files, or directories of them; `-` for standard input. Without any, what discovery finds
    #[arg(value_name = "PATH")]
    pub paths: Vec<String>,
    /// Write nothing: print the names of files that would change, and end with 1 if there are some
    #[arg(long)]
    pub check: bool,
    /// Write nothing: print what would change, and end with 1 if something would
    #[arg(long)]
    pub diff: bool,
    /// What the text of standard input is called, which says its format: `behavior.yaml` unless named
    #[arg(long, value_name = "NAME")]
    pub stdin_filename: Option<String>,
}

/// `behavior plan`
#[derive(Debug, Subcommand)]
pub enum PlanCommand {
    /// Say what is wrong with a plan, and what the rules would decide on each step
    Check(PlanCheckArgs),
    /// Run the steps of a plan, inside of the working directory
    Run(PlanRunArgs),
    /// Get a plan from a language model; nothing of it runs
    Ask(PlanAskArgs),
}

/// `behavior plan check`
#[derive(Args, Debug)]
pub struct PlanCheckArgs {
    /// The plan; `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Which rules to go by.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// The approval mode.
    #[command(flatten)]
    pub mode: ModeArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
    pub format: PlainFormat,
}

/// `behavior plan ask`
#[derive(Args, Debug)]
pub struct PlanAskArgs {
    /// What is to be done
    #[arg(value_name = "REQUEST")]
    pub request: String,
    /// Which rules name the model.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// The model to ask, as `PROVIDER/MODEL[@ADDRESS]`, in place of that of the rules
    #[arg(long, value_name = "NAME")]
    pub brain: Option<String>,
    /// Take what the model answers from a file: lines of JSON with `purpose`, and `raw` or `error`
    #[arg(long, value_name = "FILE", conflicts_with = "brain")]
    pub models_from: Option<String>,
    /// How to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
    pub format: PlainFormat,
}

/// `behavior plan run`
#[derive(Args, Debug)]
pub struct PlanRunArgs {
    /// The plan; `-` for standard input
    #[arg(value_name = "FILE")]
    pub file: String,
    /// Which rules to go by.
    #[command(flatten)]
    pub rules: RuleArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
    pub format: PlainFormat,
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
