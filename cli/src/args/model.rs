//! Models that are asked: `classify`.

use clap::Args;

use crate::models::price::Price;

use super::common::{PlainFormat, RuleArgs};

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
