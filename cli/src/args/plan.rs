//! `plan`, which checks, asks for and runs plans.

use clap::{Args, Subcommand};

use super::common::{ModeArgs, PlainFormat, RuleArgs};

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
