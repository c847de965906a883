//! The `behavior` command: arguments in, exit codes out. Each subcommand has a file of its own.
#![forbid(unsafe_code)]

mod allow;
mod args;
mod atomic;
mod check;
mod classify;
mod compile;
mod constitution;
mod dap;
mod diff;
mod doctor;
mod editor;
mod ended;
mod explain;
mod files;
mod fix;
mod format;
mod hindsight;
mod hook;
mod import;
mod init;
mod inspect;
mod interrupt;
mod library;
mod live;
mod log;
mod mcp;
mod models;
mod neighbours;
mod number;
mod orphan;
mod permissions;
mod person;
mod plan;
mod precision;
mod private_folder;
mod profiles;
mod project;
mod question;
mod random;
mod ready;
mod render;
mod report;
mod rules;
mod schemas;
mod screen;
mod session;
mod session_rules;
mod simulate;
mod stats;
mod terminal;
mod testing;
mod tools;
mod tracking;
mod trust;
mod wiring;
mod without_secrets;
mod workflow;
mod written;

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{ColorChoice, CommandFactory, FromArgMatches};

use args::{Cli, Command};
use terminal::{Exit, Failure, Terminal};

fn main() -> ExitCode {
    // What runs before every tool call of an agent does without anything that it does not need.
    let args: Vec<String> =
        std::env::args_os().skip(1).map_while(|arg| arg.into_string().ok()).collect();
    if let Some(request) = hook::parse(&args) {
        hook::run(request);
    }
    any_command()
}

/// Apart from `main`, whose stack a hook would have to touch for it.
#[inline(never)]
fn any_command() -> ExitCode {
    report_panics();
    let matches = Cli::command().color(help_color(std::env::args_os())).try_get_matches();
    let matches = matches.unwrap_or_else(|error| misused(&error));
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let terminal = Terminal::new(&cli.output);
    let exit = match run(&cli.command, &terminal) {
        Ok(exit) => exit,
        // Whoever read our output has seen enough.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Clean,
        Err(Failure::Said(exit)) => exit,
        Err(failure) => {
            terminal.error(&failure.to_string());
            Exit::Invalid
        }
    };
    ExitCode::from(exit as u8)
}

/// Says what is wrong with the arguments, or gives the help that was asked for. What quotes an argument that
/// would command a terminal comes without colours, so that nothing else does.
fn misused(error: &clap::Error) -> ! {
    let is_deceptive = |arg: std::ffi::OsString| {
        arg.to_string_lossy().contains(behavior_json::plain::is_deceptive)
    };
    if error.use_stderr() && std::env::args_os().any(is_deceptive) {
        let text = error.render().to_string();
        let text = behavior_json::plain::neutral_plain(&text);
        let _ = io::Write::write_all(&mut io::stderr().lock(), text.as_bytes());
        std::process::exit(error.exit_code());
    }
    error.exit()
}

fn run(command: &Command, terminal: &Terminal) -> Result<Exit, Failure> {
    match command {
        Command::Check(args) => check::run(args, terminal),
        Command::Fmt(args) => format::run(args, terminal),
        Command::Compile(args) => compile::run(args, terminal),
        Command::Inspect(args) => inspect::run(args, terminal),
        Command::Profiles(args) => profiles::run(args, terminal),
        Command::Schema { kind } => {
            let rules = behavior_stdlib::file("rules.yaml").unwrap_or_default();
            let presets = behavior_stdlib::PROFILES;
            let text = behavior_compiler::registry::json_schema::schema(*kind, rules, presets);
            terminal.print(&text)?;
            Ok(Exit::Clean)
        }
        Command::Completions { shell } => completions(*shell, terminal),
        Command::Simulate(args) => simulate::run(args, terminal),
        Command::Classify(args) => classify::run(args, terminal),
        Command::Diff(args) => diff::run(args, terminal),
        Command::Test(args) => testing::run(args, terminal),
        Command::Explain(args) => explain::run(args, terminal),
        Command::Import(args) => import::run(args, terminal),
        Command::Init(args) => init::run(args, terminal),
        Command::Doctor(args) => doctor::run(args, terminal),
        Command::Trust(args) => trust::run(args, terminal),
        Command::Allow(args) => allow::run(args, terminal),
        Command::Session { command } => session::run(command, terminal),
        Command::Workflow { command } => workflow::run(command, terminal),
        Command::Plan { command } => plan::run(command, terminal),
        Command::Hook(args) => hook::run(hook::Request {
            agent: args.agent,
            is_guarded: args.guarded,
            rules: args::RuleArgs { allow_unknown_conditions: true, ..args.rules.clone() },
        }),
        Command::Log(args) => log::run(args, terminal),
        Command::Stats(args) => stats::run(args, terminal),
        Command::Precision(args) => precision::run(args, terminal),
        Command::Mcp(args) => mcp::run(args, terminal),
        Command::Dap => dap::run(),
        Command::Lsp => behavior_lsp::run(
            editor::Files,
            library::shown(),
            Arc::new(hindsight::OnDisk::default()),
        )
        .map(|()| Exit::Clean)
        .map_err(Failure::Output),
    }
}

/// `behavior completions`
fn completions(shell: clap_complete::Shell, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "behavior", &mut script);
    terminal.print_bytes(&script)?;
    Ok(Exit::Clean)
}

/// The colours of clap's own help and errors, which it prints before any argument is parsed.
fn help_color(args: impl Iterator<Item = std::ffi::OsString>) -> ColorChoice {
    let mut choice = ColorChoice::Auto;
    let mut is_next = false;
    for arg in args.skip(1).map(|arg| arg.to_string_lossy().into_owned()) {
        let value = if is_next { Some(arg.as_str()) } else { arg.strip_prefix("--color=") };
        choice = match value {
            Some("always") => ColorChoice::Always,
            Some("never") => ColorChoice::Never,
            Some("auto") => ColorChoice::Auto,
            _ => choice,
        };
        is_next = arg == "--color";
    }
    choice
}

/// A panic is a bug of ours: it is said in a few lines, with a request to report it.
fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
        let payload = panic.payload();
        let what = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("no message");
        let version = env!("CARGO_PKG_VERSION");
        let message = format!(
            "error: this is a bug in `behavior` {version}: {what}{}\n\
             please report it, with the command line and the files that it was given\n",
            place.unwrap_or_default()
        );
        let _ = io::Write::write_all(&mut io::stderr().lock(), message.as_bytes());
        std::process::exit(Exit::Bug as i32);
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_coloured_as_asked() {
        let check = |line: &str, expect: ColorChoice| {
            let args = line.split(' ').map(std::ffi::OsString::from);
            assert_eq!(help_color(args), expect, "{line}");
        };
        check("behavior --help", ColorChoice::Auto);
        check("behavior --color never --help", ColorChoice::Never);
        check("behavior check --color=always --help", ColorChoice::Always);
        check("behavior check never --color", ColorChoice::Auto);
    }

    #[test]
    fn arguments_are_declared_without_contradictions() {
        Cli::command().debug_assert();
    }
}
