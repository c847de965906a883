//! `behavior compile`: rule files into an image, written whole or not at all.

use std::path::{Path, PathBuf};

use crate::args::{CompileArgs, RuleArgs};
use crate::report::counted;
use crate::rules::is_image;
use crate::terminal::{Exit, Failure, Terminal};
use crate::{atomic, project, ready};

/// Runs the command.
///
/// # Errors
/// When the rules cannot be read or have errors, or the image cannot be written.
pub fn run(args: &CompileArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let rules = with_entry(&args.rules, args.entry.as_deref());
    let found = rules.find();
    let is_preset = found.is_preset;
    let entries = found.own_entries().to_owned();
    refuse_useless(args, is_preset, &entries)?;
    let ready = ready::load(&rules, terminal)?;
    ready.warn(terminal);
    // The rules of others stay theirs: an image holds one layer.
    let image = ready.layers.own();
    let bytes = image.as_bytes();
    write_output(&args.output, bytes, terminal)?;
    if !terminal.quiet {
        let rules = counted(image.rules().len() as usize, "rule");
        let output = if args.output == "-" { "standard output" } else { &args.output };
        terminal.say(&format!("wrote {output}: {rules}, {}\n", counted(bytes.len(), "byte")));
    }
    Ok(Exit::Clean)
}

/// Writes a file whole or not at all; `-` is standard output.
///
/// # Errors
/// When it cannot be written.
pub fn write_output(output: &str, bytes: &[u8], terminal: &Terminal) -> Result<(), Failure> {
    if output == "-" {
        return Ok(terminal.print_bytes(bytes)?);
    }
    atomic::write_inside(Path::new(output), bytes).map_err(|error| {
        let reason = project::describe(&error);
        Failure::Message(format!("cannot write `{output}`: {reason}"))
    })
}

/// The rule arguments with the file that stands without an option before them.
#[must_use]
pub fn with_entry(args: &RuleArgs, entry: Option<&str>) -> RuleArgs {
    let mut rules = args.clone();
    if let Some(entry) = entry {
        rules.config.insert(0, entry.to_owned());
    }
    rules
}

fn refuse_useless(args: &CompileArgs, is_preset: bool, entries: &[String]) -> Result<(), Failure> {
    if entries.is_empty() && is_preset {
        let message = "nothing to compile: there is no `behavior.yaml` here or in a directory \
                       above; name a rule file, or a preset with `--profile NAME`";
        return Err(Failure::Message(message.to_owned()));
    }
    if let Some(image) = entries.iter().find(|entry| is_image(entry)) {
        let message = format!("`{image}` is compiled already: name the rule files it was made of");
        return Err(Failure::Message(message));
    }
    let same = |entry: &&String| match (Path::new(entry).canonicalize(), output_file(args)) {
        (Ok(entry), Some(output)) => entry == output,
        _ => false,
    };
    if let Some(entry) = entries.iter().find(same) {
        let message = format!("`{entry}` is a rule file, and the image would take its place");
        return Err(Failure::Message(message));
    }
    Ok(())
}

fn output_file(args: &CompileArgs) -> Option<PathBuf> {
    (args.output != "-").then(|| Path::new(&args.output).canonicalize().ok()).flatten()
}
