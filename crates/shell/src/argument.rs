//! What a word behind a program is to it: a flag, an operand, or nobody knows. Only data.

use super::programs::FlagEffect;
use super::word::Word;

/// One word behind a program, or one flag of a word that holds several.
#[derive(Clone, Copy, Debug)]
pub enum Argument {
    /// A flag.
    Flag(Flag),
    /// An operand, and whether it selected a subcommand.
    Operand(Word),
    /// What may be a flag or an operand, or several.
    Unknown(Word),
}

/// A flag of a command.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// The spelling that stands for all that mean the same, without dashes.
    pub name: FlagName,
    /// Its value.
    pub value: Option<Word>,
    /// What it makes the program run.
    pub effect: FlagEffect,
    /// Whether it stands before the subcommand, is the `--` that ends the flags, or is not written but
    /// meant by an operand.
    pub is_global: bool,
}

/// The name of a flag.
#[derive(Clone, Copy, Debug)]
pub enum FlagName {
    /// Of one that is known: what stands for it.
    Known(u32),
    /// Of another, as it is written.
    Written(Word),
}
