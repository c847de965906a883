//! Rules that a session makes for itself, from definitions as JSON to one image. They can only make decisions
//! stricter, read no file, and know the state that is built in.

use behavior_runtime::constitution::SessionRule;
use serde_json::{Map, Value};

use crate::provider::LIBRARY_PREFIX;
use crate::registry::diagnostics as d;
use crate::{Authority, Compilation, Diagnostic, Options, ReadError, SourceProvider, compile_all};

/// The name of the file that the definitions stand in, each on the line of its entry.
pub const SESSION_FILE: &str = "constitution.json";

/// Compiles definitions of rules, each under the id of its place in the session's list. `library` gives the files of
/// the standard library; nothing else is asked of it.
#[must_use]
pub fn compile_session_rules(
    library: &dyn SourceProvider,
    rules: &[SessionRule<'_>],
) -> Compilation {
    let text = written(rules);
    let options = Options {
        authority: Authority::TightenOnly,
        skip_comparisons: true,
        only_named_state: true,
        ..Options::default()
    };
    let (file, entry) = (OneFile { library, text }, [SESSION_FILE.to_owned()]);
    let compilation = compile_all(&file, &entry, &options);
    let is_undeclared = |problem: &Diagnostic| problem.kind.name == d::UNDECLARED_NAME.name;
    match compilation.diagnostics.iter().any(is_undeclared) {
        // What is close to a name can only be told where all names are there.
        true => compile_all(&file, &entry, &Options { only_named_state: false, ..options }),
        false => compilation,
    }
}

/// Returns a file with the definition of each entry on a line of its own, counted like the entries.
fn written(rules: &[SessionRule<'_>]) -> String {
    let mut text = "{\"rule_definitions\": [".to_owned();
    let mut line = 0;
    for (at, rule) in rules.iter().enumerate() {
        if at > 0 {
            text.push(',');
        }
        for _ in line..rule.number {
            text.push('\n');
        }
        line = line.max(rule.number);
        text.push_str(&identified(rule));
    }
    text.push_str("]}\n");
    text
}

/// Returns a definition with the id of its entry. One that nests too deep to be taken apart is left to the compiler,
/// which says so.
fn identified(rule: &SessionRule<'_>) -> String {
    let Ok(fields) = serde_json::from_str::<Map<String, Value>>(rule.definition) else {
        return rule.definition.replace('\n', " ");
    };
    let mut definition = Map::new();
    definition.insert("id".to_owned(), Value::from(rule.id()));
    definition.extend(fields.into_iter().filter(|(name, _)| name != "id"));
    Value::Object(definition).to_string()
}

/// The definitions beside the standard library. There is nothing else.
struct OneFile<'l> {
    library: &'l dyn SourceProvider,
    text: String,
}

impl SourceProvider for OneFile<'_> {
    fn read(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        match name {
            SESSION_FILE => Ok(self.text.clone().into_bytes()),
            _ if name.starts_with(LIBRARY_PREFIX) => self.library.read(name),
            _ => Err(ReadError::NotFound),
        }
    }

    fn list(&self, directory: &str) -> Vec<String> {
        match directory.starts_with(LIBRARY_PREFIX) {
            true => self.library.list(directory),
            false => Vec::new(),
        }
    }

    fn has_secret(&self, _: &str) -> bool {
        false
    }
}
