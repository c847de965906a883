//! Writing rules: `check`, `fmt`, `test`, `compile`, `inspect`, `explain` and `profiles`.

use behavior_agents::Format;
use behavior_agents::hook::Agent;
use clap::{Args, ValueEnum};

use super::agent::agent;
use super::common::{ModeArgs, PlainFormat, RuleArgs};
use super::traces::input_format;

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
    /// What the user said before the command, which rules may go by
    #[arg(long, value_name = "TEXT", requires = "command")]
    pub said: Option<String>,
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
