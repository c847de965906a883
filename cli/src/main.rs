//! The `behavior` command: arguments in, exit codes out. Each subcommand has a file of its own.
#![forbid(unsafe_code)]

mod args;
mod loaded;
mod project;
mod rules;
mod simulate;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};

fn main() -> ExitCode {
    let cli = Cli::parse();
    match cli.command {
        Command::Simulate(args) => simulate::run(&args, &cli.output),
        Command::Check(_)
        | Command::Compile(_)
        | Command::Inspect(_)
        | Command::Explain(_)
        | Command::Profiles(_)
        | Command::Lsp
        | Command::Completions { .. } => ExitCode::SUCCESS,
    }
}
