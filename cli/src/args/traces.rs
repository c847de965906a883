//! Rules over recorded sessions: `simulate`, `stats`, `precision` and `diff`.

use behavior_agents::Format;
use behavior_runtime::decision::Action;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use super::common::{ModeArgs, PlainFormat, RuleArgs};
use super::model::ModelArgs;

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
pub(super) fn input_format() -> impl TypedValueParser<Value = Format> {
    let names = Format::all().map(|format| {
        PossibleValue::new(format.name()).aliases(format.aliases()).help(format.description())
    });
    PossibleValuesParser::new(names)
        .try_map(|name| Format::named(&name).ok_or("no format has this name"))
}
