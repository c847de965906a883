//! `behavior allow --always`: an exception in the file of the layer that switched the rule on, trusted by itself.
//! The file is compiled with it before a byte is written, and nothing else of the file gains any trust.

use std::io;
use std::path::Path;

use behavior_compiler::ide::{self, RuleFile};
use behavior_compiler::provider::Instead;
use behavior_compiler::{Compilation, Loosening, SourceProvider};
use behavior_runtime::Layer;
use jiff::Zoned;
use serde_json::json;

use super::{agrees, message, user};
use crate::args::{AllowArgs, RuleArgs};
use crate::live::audit::Log;
use crate::live::grants::{StoppedCall, Subject};
use crate::live::now;
use crate::live::secret_key::SecretKey;
use crate::live::trust::Trust;
use crate::project::{self, LayerFiles};
use crate::render::one_line;
use crate::rules::{self, Compiled, May};
use crate::terminal::{BOLD, DIM, Exit, Failure, Terminal};
use crate::{atomic, person};

/// What is to be written where.
struct Addition {
    files: LayerFiles,
    /// The file that gets the exception.
    entry: String,
    /// Its text with the exception.
    text: String,
    exception: Loosening,
}

/// Asks the user, and writes the exception.
///
/// # Errors
/// When nothing tells what to allow, no file here can take the exception, nobody is there to be asked, or it cannot be
/// written.
pub fn run(
    rule: &str,
    args: &AllowArgs,
    stopped: Option<&StoppedCall>,
    state: &Path,
    key: &SecretKey,
    terminal: &Terminal,
) -> Result<Exit, Failure> {
    person::refuse_agents("allow what a rule stops")?;
    let when = condition(args, stopped)?;
    let addition = addition(rule, &when)?;
    // A command means something else in each project.
    if addition.files.layer == Layer::User && args.path.is_none() && when.contains("param_in") {
        return Err(message(
            "that rule stands in your own rules, where an exception would let the command run in every project: allow \
             it with `--session` or `--until`, or write the exception by hand",
        ));
    }
    if !confirm(rule, &when, &addition, terminal)? {
        terminal.say("nothing was changed\n");
        return Ok(Exit::Clean);
    }
    let unkept = |what: &str, error: &io::Error| {
        Failure::Message(format!("{what}: {}", project::describe(error)))
    };
    if !addition.files.is_trusted() {
        let trust = Trust::in_state(Some(state));
        trust
            .add(&addition.files, &addition.exception, now())
            .map_err(|error| unkept("trust in the exception cannot be kept", &error))?;
    }
    atomic::write_inside(Path::new(&addition.entry), addition.text.as_bytes())
        .map_err(|error| unkept(&format!("`{}` cannot be written", addition.entry), &error))?;
    let what = format!("`{}` allowed always, in `{}`: {when}", user(), addition.entry);
    Log::beside(Some(state), Some(key.clone())).granted(rule, &what);
    let entry = one_line(&addition.entry);
    terminal.say(&format!(
        "allowed; the agent can try again, and the exception in `{entry}` can be taken out again\n"
    ));
    Ok(Exit::Clean)
}

/// The condition in which the rule is to be silent, in one line of YAML.
fn condition(args: &AllowArgs, stopped: Option<&StoppedCall>) -> Result<String, Failure> {
    let of_command =
        |line: &str| format!("{{ param_in: {{ param: command, values: [{}] }} }}", json!(line));
    if let Some(glob) = &args.path {
        return Ok(format!("{{ touches_only: {} }}", json!(glob)));
    }
    if let Some(line) = &args.command {
        return Ok(of_command(line));
    }
    let unclear = "say what to allow always, with `--command` or `--path`";
    let call = stopped.ok_or_else(|| {
        Failure::Message(format!("no such call was stopped in this project lately; {unclear}"))
    })?;
    match &call.subject {
        Some(Subject::Command(line)) => Ok(of_command(line)),
        Some(Subject::Path(path)) if !path.contains(['*', '?', '[', ']', '{', '}', '!', '\\']) => {
            Ok(format!("{{ touches_only: {} }}", json!(path)))
        }
        Some(Subject::Path(_)) => {
            Err(Failure::Message(format!("the path of that call reads as a glob; {unclear}")))
        }
        None => Err(Failure::Message(format!(
            "that call is more than one plain command line, too long to be kept, or had a secret in it; {unclear}"
        ))),
    }
}

/// Finds the file that the exception belongs in, and compiles it with the exception.
fn addition(rule: &str, when: &str) -> Result<Addition, Failure> {
    let layers = RuleArgs::default().find().layers;
    let mut with_rule = Vec::new();
    for files in layers {
        let provider = project::of_layer(&files);
        if let Some(compilation) = compiled(&provider, &files)?
            && compilation.program.rules.iter().any(|known| *known.id == *rule)
        {
            with_rule.push((files, compilation));
        }
    }
    if with_rule.iter().any(|(files, _)| files.layer == Layer::Administrator) {
        return Err(message("the administrator has that rule, too, and it cannot be granted"));
    }
    let several = with_rule.len() > 1;
    let Some((files, before)) = with_rule.into_iter().next_back() else {
        return Err(message(
            "exceptions are for rules of rule files, and no file here switches that one on",
        ));
    };
    if several {
        return Err(message(
            "several layers switch that rule on, and each would need an exception: write them by hand, under `exceptions`",
        ));
    }
    let reason = format!("allowed by {} on {}", user(), Zoned::now().date());
    let provider = project::of_layer(&files);
    let by_hand = || {
        let (when, reason) = (when.trim(), json!(reason));
        Failure::Message(format!(
            "no file here can be extended by a program; add it by hand:\n\nexceptions:\n  - {{ rule: {rule}, when: \
             {when}, reason: {reason} }}"
        ))
    };
    let edited = files.entries.iter().find_map(|entry| {
        let text = String::from_utf8(provider.read(entry).ok()?).ok()?;
        let file = RuleFile::new(entry.as_str(), text.as_str());
        let edit = ide::add_exception(&file, rule, when, &reason)?;
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        let (head, tail) = (text.get(..start)?, text.get(end..)?);
        Some((entry.clone(), [head, &edit.text, tail].concat()))
    });
    let (entry, text) = edited.ok_or_else(by_hand)?;
    let exception = exception_added(&before, &files, &entry, &text).ok_or_else(by_hand)?;
    Ok(Addition { files, entry, text, exception })
}

/// What compiling the edited file adds: one exception, and nothing else that takes trust.
fn exception_added(
    before: &Compilation,
    files: &LayerFiles,
    entry: &str,
    text: &str,
) -> Option<Loosening> {
    let inner = project::of_layer(files);
    let edited = Instead { below: &inner, name: entry, text };
    let after = compiled(&edited, files).ok()??;
    let is_new =
        |one: &&Loosening| !before.loosening.iter().any(|old| old.identity == one.identity);
    let mut added = after.loosening.iter().filter(is_new);
    let exception = added.next().filter(|one| one.stands_alone())?;
    (added.next().is_none() && !after.has_errors()).then(|| exception.clone())
}

fn compiled(
    provider: &dyn SourceProvider,
    files: &LayerFiles,
) -> Result<Option<Compilation>, Failure> {
    let asked = RuleArgs { allow_unknown_conditions: true, ..RuleArgs::default() };
    match rules::load_layer(provider, &asked, files, May::everything(), true)? {
        Compiled::Rules { compilation, .. } => Ok(Some(*compilation)),
        Compiled::Image(_) => Ok(None),
    }
}

/// Shows what is about to be written, and asks.
fn confirm(
    rule: &str,
    when: &str,
    addition: &Addition,
    terminal: &Terminal,
) -> Result<bool, Failure> {
    let heading = format!("allow always, whatever `{}` says:", one_line(rule));
    terminal.say(&format!("{}\n  {}\n", terminal.paint(BOLD, &heading), one_line(when)));
    let whose = match addition.files.layer {
        Layer::User => "in all projects",
        _ => "in every directory of this project",
    };
    let about = format!("  {whose}, by an exception in `{}`", one_line(&addition.entry));
    terminal.say(&format!("{}\n", terminal.paint(DIM, &about)));
    agrees("an exception is made", terminal)
}
