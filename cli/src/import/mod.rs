//! `behavior import`: rules of other tools, written as ours, with a line for each thing that cannot
//! be. What a source means is decided here by its own tool's rules, never guessed: what has no
//! equal is listed, and an allowance never grows in silence.

mod action;
mod claude_settings;
mod codex_rules;
mod command;
mod gemini_policy;
mod hookify;
mod imported;
mod opencode;
mod policy;
mod rules;
mod safety_net;
mod starlark;
mod wildcards;

use std::path::Path;

use crate::args::{ImportArgs, ImportFormat, Tier};
use crate::compile;
use crate::report::counted;
use crate::terminal::{Exit, Failure, Terminal};
use imported::{Import, Level};
use rules::Rules;

/// Runs the command.
///
/// # Errors
/// When a source cannot be read or is not valid, or the output cannot be written.
pub fn run(args: &ImportArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    refuse_own_source(args)?;
    refuse_existing(args)?;
    let mut import = Import::default();
    for file in &args.files {
        import.load(file)?;
    }
    let rules = match policy_reader(args.format) {
        Some(read) => {
            let mut policy = read(&mut import);
            policy.priority = args.tier.map(Tier::priority);
            policy.write(&import)
        }
        None => hookify::import(&mut import),
    };
    terminal.say(&import.report(terminal));
    if import.count(Level::Invalid) > 0 {
        return Err(Failure::Said(Exit::Invalid));
    }
    let looser = import.count(Level::Looser);
    if looser > 0 && !args.allow_looser {
        return Err(Failure::Message(format!(
            "nothing is written: {} would let through what the source stops; write a rule of your own \
             for each, and import the rest with `--allow-looser`",
            counted(looser, "rule")
        )));
    }
    // A project that has no rules yet has no folder for them; that it cannot be made, writing says.
    let _ = Path::new(&args.output).parent().map(std::fs::create_dir_all);
    compile::write_output(&args.output, rules.text.as_bytes(), terminal)?;
    if !terminal.quiet {
        terminal.say(&summary(&import, &rules, &args.output));
    }
    let missing = looser + import.count(Level::Lost) + import.count(Level::Near);
    Ok(if missing > 0 { Exit::Findings } else { Exit::Clean })
}

/// What makes a policy of files of a format; `None` where they become rules of a config.
fn policy_reader(format: ImportFormat) -> Option<fn(&mut Import) -> policy::Policy> {
    Some(match format {
        ImportFormat::ClaudeSettings => claude_settings::import,
        ImportFormat::GeminiPolicy => gemini_policy::import,
        ImportFormat::CodexRules => codex_rules::import,
        ImportFormat::Opencode => opencode::import,
        ImportFormat::SafetyNet => safety_net::import,
        ImportFormat::Hookify => return None,
    })
}

/// Rules in place of their source could not be made again.
fn refuse_own_source(args: &ImportArgs) -> Result<(), Failure> {
    let full = |path: &str| Path::new(path).canonicalize().ok();
    let Some(output) = full(&args.output).filter(|_| args.output != "-") else { return Ok(()) };
    match args.files.iter().find(|file| full(file).as_ref() == Some(&output)) {
        Some(file) => Err(Failure::Message(format!(
            "`{file}` is what is imported, and the rules would take its place"
        ))),
        None => Ok(()),
    }
}

/// What is in a file may have been written by hand, and would be gone.
fn refuse_existing(args: &ImportArgs) -> Result<(), Failure> {
    let output = Path::new(&args.output);
    // A device or a pipe takes what is written and keeps nothing.
    let is_file = args.output != "-" && output.is_file();
    if !is_file || args.force {
        return Ok(());
    }
    Err(Failure::Message(format!(
        "`{}` is there already: write to another file, or over it with `--force`",
        args.output
    )))
}

fn summary(import: &Import, rules: &Rules, output: &str) -> String {
    let output = if output == "-" { "standard output" } else { output };
    let mut line = format!("wrote {output}: {}", counted(rules.count, "rule"));
    let rest = [
        (Level::Looser, "looser"),
        (Level::Lost, "not carried over"),
        (Level::Near, "approximate"),
    ];
    for (level, words) in rest {
        let count = import.count(level);
        if count > 0 {
            line += &format!(", {count} {words}");
        }
    }
    line + "\n"
}
