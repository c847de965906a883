//! `behavior explain NAME`.

use behavior_compiler::closest;
use behavior_json::plain::escaped;
use serde_json::{Value, json};

use super::meaning::Meaning;
use super::{classes, rules, schema, words};
use crate::args::{ExplainArgs, PlainFormat};
use crate::screen::Screen;
use crate::terminal::{Exit, Failure, Terminal};

/// Prints every meaning of a name, the most specific first.
pub fn run(name: &str, args: &ExplainArgs, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut found = rules::meanings(name, &args.rules);
    found.extend(schema::meanings(name));
    found.extend(words::meanings(name));
    found.extend(classes::meanings(name));
    if found.is_empty() {
        return Err(Failure::Message(unknown(name, args)));
    }
    match args.format {
        PlainFormat::Json => {
            let meanings: Vec<Value> = found.iter().map(Meaning::to_json).collect();
            let object = json!({ "version": 1, "name": name, "meanings": meanings });
            terminal.print(&escaped(&format!("{object:#}\n")))?;
        }
        PlainFormat::Pretty => {
            let screen = Screen::of_stdout(terminal);
            let mut out = String::new();
            found.iter().for_each(|meaning| meaning.print(&screen, &mut out));
            out.truncate(out.trim_end().len());
            out.push('\n');
            terminal.print(&out)?;
        }
    }
    Ok(Exit::Clean)
}

fn unknown(name: &str, args: &ExplainArgs) -> String {
    let mut names = rules::names(&args.rules);
    names.extend(schema::names());
    names.extend(words::names());
    names.extend(classes::names());
    let name = crate::render::one_line(name);
    match closest(&name, names.iter().map(String::as_str)) {
        Some(near) => format!("nothing is called `{name}`; did you mean `{near}`?"),
        None => format!(
            "nothing is called `{name}`: name a diagnostic, a condition, a field, a placeholder, a \
             rule, a preset or a class of commands"
        ),
    }
}
