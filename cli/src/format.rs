//! `behavior fmt`: rule files laid out in one form. A file is written only where the rules in it compile to the same
//! before and after.

use std::io::Read;
use std::path::Path;

use behavior_compiler::foreign::{first_line, is_foreign};
use behavior_compiler::format::{Refusal, format, meaning};
use behavior_compiler::provider::Instead;
use behavior_compiler::source::{FileId, SourceMap};
use behavior_compiler::syntax::{Format, MAX_BYTES, decode_utf8};
use behavior_compiler::{Compilation, Diagnostic, Options, SourceProvider};

use crate::args::FormatArgs;
use crate::number::count;
use crate::project::{self, describe};
use crate::render::diff::unified;
use crate::render::{one_line, pretty};
use crate::report::{Report, problems};
use crate::terminal::{Exit, Failure, Terminal};
use crate::{atomic, files};

/// What became of the files.
#[derive(Default)]
struct Sum {
    looked_at: u64,
    changed: u64,
    /// Files that were left alone because they cannot be laid out.
    refused: u64,
    /// Files that are other programs', though they are called as ours are.
    foreign: u64,
}

/// A text and how it should be laid out.
enum Laid {
    AsItIs,
    Otherwise(String),
}

/// Runs the command.
///
/// # Errors
/// When there is nothing to lay out, or a file cannot be read or written.
pub fn run(args: &FormatArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    if args.paths.iter().any(|path| path == "-") {
        return standard_input(args, terminal);
    }
    let names = names(&args.paths)?;
    let mut sum = Sum::default();
    for name in &names {
        sum.looked_at += 1;
        let text = read(name)?;
        if is_foreign(name, &text) {
            sum.foreign += 1;
            terminal.note(&of_another_program(name));
            continue;
        }
        match laid(name, &text, terminal) {
            None => sum.refused += 1,
            Some(Laid::AsItIs) => {}
            Some(Laid::Otherwise(new)) => {
                sum.changed += 1;
                settle(name, &text, &new, args, terminal)?;
            }
        }
    }
    if !terminal.quiet {
        terminal.say(&sum.for_people(args.check || args.diff));
    }
    Ok(exit(args, sum.changed > 0, sum.refused > 0))
}

fn exit(args: &FormatArgs, would_change: bool, is_refused: bool) -> Exit {
    match (is_refused, would_change && (args.check || args.diff)) {
        (true, _) => Exit::Invalid,
        (false, true) => Exit::Findings,
        (false, false) => Exit::Clean,
    }
}

/// Writes a file, or says what would be written.
fn settle(
    name: &str,
    before: &str,
    after: &str,
    args: &FormatArgs,
    terminal: &Terminal,
) -> Result<(), Failure> {
    if args.diff {
        terminal.print(&unified(name, name, before, after, terminal))?;
        return Ok(());
    }
    if args.check {
        terminal.print(&format!("{}\n", one_line(name)))?;
        return Ok(());
    }
    atomic::write_inside(Path::new(name), after.as_bytes())
        .map_err(|error| Failure::Message(format!("cannot write `{name}`: {}", describe(&error))))
}

/// The text of standard input, laid out on standard output.
fn standard_input(args: &FormatArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    if args.paths.len() > 1 {
        return Err(Failure::Message("`-` stands alone: it is standard input".to_owned()));
    }
    let name = args.stdin_filename.as_deref().unwrap_or("behavior.yaml");
    let mut bytes = Vec::new();
    let mut limited = std::io::stdin().lock().take(MAX_BYTES as u64 + 1);
    limited.read_to_end(&mut bytes)?;
    let text = as_text(name, &bytes)?;
    let is_foreign = is_foreign(name, &text);
    if is_foreign {
        terminal.note(&of_another_program(name));
    }
    let laid = if is_foreign { Some(Laid::AsItIs) } else { laid(name, &text, terminal) };
    let Some(laid) = laid else { return Ok(Exit::Invalid) };
    let new = match &laid {
        Laid::AsItIs => &text,
        Laid::Otherwise(new) => new,
    };
    let would_change = matches!(laid, Laid::Otherwise(_));
    match (args.diff, args.check) {
        (true, _) if would_change => {
            terminal.print(&unified(name, name, &text, new, terminal))?;
        }
        (true, _) | (_, true) => {}
        // An editor takes what comes as the new text: not a byte may differ.
        (false, false) => terminal.print_bytes(new.as_bytes())?,
    }
    Ok(exit(args, would_change, false))
}

/// Lays a text out; says why where that cannot be.
fn laid(name: &str, text: &str, terminal: &Terminal) -> Option<Laid> {
    match format(text, format_of(name)) {
        Ok(new) if new == text => Some(Laid::AsItIs),
        Ok(new) if means_the_same(name, text, &new) => Some(Laid::Otherwise(new)),
        Ok(_) => {
            left_alone(name, "laid out, its rules would not compile to the same", terminal);
            None
        }
        Err(Refusal::Unsure(why)) => {
            left_alone(name, why, terminal);
            None
        }
        Err(Refusal::Broken(diagnostics)) => {
            broken(name, text, diagnostics, terminal);
            None
        }
    }
}

/// That a file is none of ours, and how one would say that it is.
fn of_another_program(name: &str) -> String {
    let otherwise = first_line(name).map(|line| format!("; if it is ours, begin it with `{line}`"));
    let otherwise = otherwise.unwrap_or_default();
    format!("`{name}` is left alone: by what it holds it is another program's{otherwise}")
}

fn left_alone(name: &str, why: &str, terminal: &Terminal) {
    terminal.error(&format!("`{name}` is left alone: {why}"));
}

/// Says what is wrong with a text that does not parse.
fn broken(name: &str, text: &str, diagnostics: Vec<Diagnostic>, terminal: &Terminal) {
    let mut sources = SourceMap::default();
    sources.add(name, text.trim_start_matches('\u{FEFF}').replace("\r\n", "\n"));
    let compilation = Compilation {
        image: None,
        program: behavior_compiler::ir::Program::default(),
        diagnostics,
        sources,
        documents: Vec::new(),
        loosening: Vec::new(),
    };
    let report = Report { problems: problems(&compilation), files: 1 };
    terminal.say(&pretty::render(&report, terminal.error_color, terminal.quiet));
    left_alone(name, "it does not parse", terminal);
}

/// Whether the rules of a file, with all that they refer to, come to the same with another text.
fn means_the_same(name: &str, before: &str, after: &str) -> bool {
    let of = |text: &str| {
        let disk = project::provider();
        let provider = Instead { below: &disk, name, text };
        meaning(&behavior_compiler::check(&provider, &[name.to_owned()], &Options::default()))
    };
    of(before) == of(after)
}

fn format_of(name: &str) -> Format {
    match name.rsplit('.').next() {
        Some("toml") => Format::Toml,
        Some("json") => Format::Json,
        _ => Format::Yaml,
    }
}

fn read(name: &str) -> Result<String, Failure> {
    let bytes = project::provider()
        .read(name)
        .map_err(|error| Failure::Message(format!("cannot read `{name}`: {error}")))?;
    as_text(name, &bytes)
}

/// The text of bytes, with the mark that it may begin with.
fn as_text(name: &str, bytes: &[u8]) -> Result<String, Failure> {
    let wrong = |problem: &Diagnostic| Failure::Message(problem.message.clone());
    decode_utf8(FileId(0), name, bytes).map_err(|undecodable| wrong(&undecodable.diagnostic))?;
    String::from_utf8(bytes.to_vec())
        .map_err(|_| Failure::Message(format!("`{name}` is not UTF-8")))
}

/// The files to lay out: those that are named, those in directories that are named, else what discovery finds.
fn names(paths: &[String]) -> Result<Vec<String>, Failure> {
    let mut names = Vec::new();
    for path in paths {
        match Path::new(path).is_dir() {
            true => names.extend(in_directory(path)),
            false => names.push(path.clone()),
        }
    }
    if paths.is_empty() {
        let projects = project::projects();
        let root = projects.first().map_or("", |files| &files.folder);
        names.extend(projects.iter().flat_map(|files| files.files().cloned()));
        names.extend(in_directory(root));
    }
    let mut seen = std::collections::BTreeSet::new();
    let is_new = |name: &String| seen.insert(files::real(name));
    names.retain(is_new);
    match names.is_empty() {
        false => Ok(names),
        true => Err(Failure::Message(
            "nothing to lay out: there are no rule files here; name some, or `-` for standard input".to_owned(),
        )),
    }
}

fn in_directory(path: &str) -> Vec<String> {
    let found = files::in_directory(path);
    [found.configs, found.profiles, found.policies, found.trace_policies, found.tests].concat()
}

impl Sum {
    fn for_people(&self, is_asked_only: bool) -> String {
        let files = |number: u64| count(number, "file");
        let left_alone = self.refused + self.foreign;
        let changed = match (self.changed, is_asked_only) {
            (0, _) => format!("{} laid out already", files(self.looked_at - left_alone)),
            (number, true) => format!("{} would change", files(number)),
            (number, false) => format!("laid out {}", files(number)),
        };
        match left_alone {
            0 => format!("{changed}\n"),
            left_alone => format!("{changed}, {} left alone\n", files(left_alone)),
        }
    }
}
