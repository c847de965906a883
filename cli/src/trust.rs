//! `behavior trust`: the user lets the rules of a project do more than make decisions stricter. Only a person
//! at a terminal can.

use std::io::{self, IsTerminal};

use behavior_compiler::{Compilation, Loosening};
use behavior_image::code::ApprovalMode;
use serde_json::json;

use crate::args::{PlainFormat, RuleArgs, TrustArgs};
use crate::live::trust::{Grant, Trust};
use crate::live::{now, usual_directory};
use crate::person;
use crate::project::{self, LayerFiles};
use crate::render::{json, one_line};
use crate::report::counted;
use crate::rules::{self, Compiled, May};
use crate::terminal::{BOLD, Exit, Failure, Terminal};

/// Runs the command.
///
/// # Errors
/// When the rules cannot be read, nobody is there to be asked, or trust cannot be kept.
pub fn run(args: &TrustArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let state = usual_directory(|name| std::env::var_os(name));
    let trust = Trust::in_state(state.as_deref());
    if args.list {
        list(&trust.list(), args.format, terminal)?;
        return Ok(Exit::Clean);
    }
    person::refuse_agents("give trust")?;
    let projects = project::projects();
    if args.revoke {
        return revoke(&projects, &trust, terminal);
    }
    if projects.is_empty() {
        return Err(Failure::Message("there are no rules of a project here to trust".to_owned()));
    }
    for files in &projects {
        give(files, &trust, terminal)?;
    }
    Ok(Exit::Clean)
}

/// Asks whether the rules of a folder are trusted, and keeps the answer.
fn give(files: &LayerFiles, trust: &Trust<'_>, terminal: &Terminal) -> Result<(), Failure> {
    let folder = shown(files);
    project::refuse_foreign(files).map_err(Failure::Message)?;
    let compilation = compiled(files, terminal)?;
    let loosening = &compilation.loosening;
    if trust.covers(files, loosening) {
        terminal.say(&format!("the rules in {folder} are trusted\n"));
        return Ok(());
    }
    // Without trust, a policy's mode counts as `agent`.
    let permissions = compilation.program.permissions.as_ref();
    let has_mode = permissions.is_some_and(|them| them.mode != Some(ApprovalMode::Agent));
    if loosening.is_empty() && !has_mode {
        terminal.say(&format!(
            "the rules in {folder} only make decisions stricter: they need no trust\n"
        ));
        return Ok(());
    }
    terminal.say(&format!(
        "{}\n",
        terminal.paint(
            BOLD,
            &format!("the rules in {folder} want more than to make decisions stricter")
        )
    ));
    terminal.say(&listed(loosening, &compilation));
    if !io::stdin().is_terminal() {
        let message = "trust is given at a terminal: run `behavior trust` in one";
        return Err(Failure::Message(message.to_owned()));
    }
    if crate::question::agrees("trust them?", terminal)? {
        keep(files, loosening, trust, terminal)?;
    } else {
        terminal.say("nothing was changed\n");
    }
    Ok(())
}

/// What a project wants to do, a line each, with its place.
fn listed(loosening: &[Loosening], compilation: &Compilation) -> String {
    let mut text = String::new();
    for one in loosening {
        let place = compilation.sources.get(one.span.file).map(|source| {
            let line = source.position(one.span.start).line;
            format!(" ({}:{line})", one_line(&source.name))
        });
        text.push_str(&format!("  {}{}\n", one_line(&one.what), place.unwrap_or_default()));
    }
    if text.is_empty() {
        text.push_str(
            "  the approval mode of its policy says what happens to calls that no rule covers\n",
        );
    }
    text
}

fn keep(
    files: &LayerFiles,
    loosening: &[Loosening],
    trust: &Trust<'_>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    trust.give(files, loosening, now()).map_err(|error| {
        Failure::Message(format!("trust cannot be kept: {}", project::describe(&error)))
    })?;
    let things = counted(loosening.len(), "thing");
    terminal.say(&format!(
        "trusted: {things}; an edit that asks for more waits again, and `behavior trust --revoke` takes it back\n"
    ));
    Ok(())
}

/// Asks the user who sets a project up about what its rules want to do besides, if there is anything.
///
/// # Errors
/// When trust cannot be kept.
pub fn ask_for_own(terminal: &Terminal) -> Result<(), Failure> {
    let state = usual_directory(|name| std::env::var_os(name));
    let trust = Trust::in_state(state.as_deref());
    for files in &project::projects() {
        let compilation = compiled(files, terminal)?;
        if compilation.loosening.is_empty() || trust.covers(files, &compilation.loosening) {
            continue;
        }
        if io::stdin().is_terminal() && person::refuse_agents("give trust").is_ok() {
            give(files, &trust, terminal)?;
        } else {
            terminal.note("the rules here want more than to make decisions stricter: `behavior trust` shows what");
        }
    }
    Ok(())
}

fn compiled(files: &LayerFiles, terminal: &Terminal) -> Result<Compilation, Failure> {
    let provider = project::of_layer(files);
    let asked = RuleArgs { allow_unknown_conditions: true, ..RuleArgs::default() };
    match rules::load_layer(&provider, &asked, files, May::everything(), true)? {
        Compiled::Rules { image: Some(_), compilation } => Ok(*compilation),
        Compiled::Rules { image: None, compilation } => {
            Err(crate::ready::refuse(&compilation, terminal))
        }
        Compiled::Image(_) => Err(Failure::Message("an image is trusted by naming it".to_owned())),
    }
}

fn revoke(
    projects: &[LayerFiles],
    trust: &Trust<'_>,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    let mut is_any = false;
    for files in projects {
        is_any |= trust.take_back(files).map_err(|error| {
            Failure::Message(format!("trust cannot be taken back: {}", project::describe(&error)))
        })?;
    }
    terminal.say(if is_any {
        "trust was taken back\n"
    } else {
        "the rules here were not trusted\n"
    });
    Ok(Exit::Clean)
}

fn list(grants: &[Grant], format: PlainFormat, terminal: &Terminal) -> Result<(), Failure> {
    if format == PlainFormat::Json {
        let grants = grants.iter().map(
            |grant| json!({"folder": grant.folder, "since": grant.since, "trusted": grant.what}),
        );
        let document = json!({"version": 1, "projects": grants.collect::<Vec<_>>()});
        return Ok(terminal.print(&json::to_text(&document)?)?);
    }
    if grants.is_empty() {
        terminal.say("no project is trusted\n");
    }
    for grant in grants {
        let folder = one_line(&grant.folder.to_string_lossy());
        terminal.print(&format!("{}\n", terminal.paint(BOLD, &folder)))?;
        for what in &grant.what {
            terminal.print(&format!("  {}\n", one_line(what)))?;
        }
    }
    Ok(())
}

fn shown(files: &LayerFiles) -> String {
    let folder = std::path::absolute(&files.folder).or_else(|_| std::env::current_dir());
    format!("`{}`", one_line(&folder.unwrap_or_default().to_string_lossy()))
}
