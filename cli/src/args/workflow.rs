//! The arguments of `behavior workflow`.

use clap::{Args, Subcommand, ValueEnum};

use super::common::PlainFormat;

/// What to do with workflows.
#[derive(Debug, Subcommand)]
pub enum WorkflowCommand {
    /// Run a workflow: its agents take its steps
    Run(WorkflowRunArgs),
    /// Let a run go on that was paused or broken off
    Resume(WorkflowResumeArgs),
    /// List the workflows there are, and the files that cannot be used
    List {
        /// How to print
        #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
        format: PlainFormat,
    },
    /// Show what came of a run so far, without an id of the latest
    Show {
        /// The run
        #[arg(value_name = "ID")]
        id: Option<String>,
        /// How to print
        #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
        format: PlainFormat,
    },
    /// List the runs, the latest first
    Runs {
        /// How to print
        #[arg(long, value_enum, default_value_t = PlainFormat::Pretty)]
        format: PlainFormat,
    },
}

/// `behavior workflow run`
#[derive(Args, Debug)]
pub struct WorkflowRunArgs {
    /// The workflow
    #[arg(value_name = "NAME")]
    pub name: String,
    /// What it is about: `{input}` in prompts; `-` reads standard input
    #[arg(long, value_name = "TEXT|-", allow_hyphen_values = true)]
    pub input: Option<String>,
    /// Print the steps and their commands, and run nothing
    #[arg(long)]
    pub dry_run: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = RunFormat::Pretty)]
    pub format: RunFormat,
}

/// `behavior workflow resume`
#[derive(Args, Debug)]
pub struct WorkflowResumeArgs {
    /// The run
    #[arg(value_name = "ID")]
    pub id: String,
    /// Go on where it paused, as without any of these
    #[arg(long, conflicts_with_all = ["skip", "stop"])]
    pub approve: bool,
    /// Step over the step that would run next
    #[arg(long, conflicts_with = "stop")]
    pub skip: bool,
    /// End the run
    #[arg(long)]
    pub stop: bool,
    /// How to print
    #[arg(long, value_enum, default_value_t = RunFormat::Pretty)]
    pub format: RunFormat,
}

/// Formats of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RunFormat {
    /// For people.
    Pretty,
    /// One JSON object a line.
    Jsonl,
}
