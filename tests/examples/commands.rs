//! Says of command lines what they run, and which of the built-in shell rules fire: one line of JSON for each line of
//! the input, which is a command line as it is, or a text of JSON where it begins with a quote.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a tool of the tests")]

use std::io::BufRead;
use std::sync::Arc;

use behavior_compiler::{Options, compile_all};
use behavior_facts::commands::ProgramTable;
use behavior_shell::CommandLine;
use behavior_tests::commands::RULES;
use behavior_tests::script;
use serde_json::json;

fn main() {
    let rules: serde_json::Map<String, serde_json::Value> =
        RULES.iter().map(|id| ((*id).to_owned(), json!(true))).collect();
    let config = format!("# behavior: config\n{}\n", json!({ "rules": rules }));
    let provider = behavior_tests::provider(&[("behavior.yaml", &config)]);
    let compilation = compile_all(&provider, &["behavior.yaml".to_owned()], &Options::default());
    let Some(image) = compilation.image else { panic!("{:?}", compilation.diagnostics) };
    let image = Arc::new(image);
    let table = ProgramTable::of(&image);
    let mut read = CommandLine::default();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let line = match line.starts_with('"') {
            true => serde_json::from_str(&line).unwrap(),
            false => line,
        };
        let steps = script::short(0, "bash", json!({ "command": line }), None);
        let outcomes = script::run(&image, &steps).unwrap();
        let findings = outcomes.iter().flat_map(|outcome| &outcome.decision.findings);
        let (undecided, fired): (Vec<_>, Vec<_>) = findings
            .map(|finding| (finding.is_undecided, image.rules().get(finding.rule).unwrap().id))
            .partition(|(is_undecided, _)| *is_undecided);
        let ids = |list: Vec<(bool, &str)>| -> Vec<String> {
            list.into_iter().map(|(_, id)| id.to_owned()).collect()
        };
        read.read(&line, table.as_ref().map(|table| table as _));
        let runs: Vec<Vec<&str>> = read
            .commands()
            .iter()
            .filter(|command| command.runs())
            .map(|command| read.words(command).iter().map(|word| read.text(word)).collect())
            .collect();
        let opaque: Vec<&str> =
            read.commands().iter().filter_map(|command| Some(command.opaque?.name())).collect();
        println!(
            "{}",
            json!({ "command": line, "fired": ids(fired), "undecided": ids(undecided),
                    "runs": runs, "opaque": opaque })
        );
    }
}
