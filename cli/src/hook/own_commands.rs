//! What no agent may do whatever the rules say: run the commands of this program by which a person is in charge.

use std::sync::Arc;

use behavior_agents::hook::Reply;
use behavior_compiler::provider::{MemoryFiles, WithLibrary};
use behavior_compiler::{Options, compile_all};
use behavior_facts::commands::ProgramTable;
use behavior_runtime::event::{Call, Event, Value};
use behavior_runtime::{Image, LayeredSession, Session, Verdict};
use behavior_shell::{Command, CommandLine, HOLE, RedirectKind};

/// The program.
const PROGRAM: &str = "behavior";

/// A rule that asks for what is known of programs.
const OWN: &str = "rule_definitions: [{ id: own, trigger: bash, message: no, condition: runs \"behavior allow\" }]";

/// Returns the refusal of a call that runs such a command.
pub fn refusal(session: &LayeredSession, event: &Event<'_>) -> Option<Reply> {
    let Event::ToolCall(call) = event else { return None };
    let is_named = call.params.iter().any(|param| match &param.value {
        Value::Text(text) | Value::Json(text) => names_program(text),
    });
    let line = if is_named { read(session.own(), call)? } else { return None };
    let what = forbidden(&line)?;
    let message = format!("only a person may run `{what}`: ask your user to, in a terminal");
    Some(Reply {
        verdict: Some(Verdict::Deny),
        reason: format!("[BEHAVIOR BLOCKED] {message}\nThe call was not run."),
        for_user: format!("behavior blocked a call: only a person may run `{what}`"),
        ..Reply::default()
    })
}

/// Whether a text names this program, however its name is quoted.
fn names_program(text: &str) -> bool {
    let plain: String = text.chars().filter(|sign| !matches!(sign, '\'' | '"' | '\\')).collect();
    plain.to_ascii_lowercase().contains(PROGRAM)
}

/// Reads the command line of a call, if it is one of a shell. Rules that are not about commands do not know which
/// programs run others.
fn read(session: &Session, call: &Call<'_>) -> Option<CommandLine> {
    if ProgramTable::of(session.image()).is_some() {
        return Some(session.explain_call(call)?.line);
    }
    Some(Session::new(Arc::new(compile(OWN)?)).explain_call(call)?.line)
}

fn compile(text: &str) -> Option<Image> {
    let provider = WithLibrary {
        library: behavior_stdlib::file,
        presets: behavior_stdlib::PROFILES,
        project: MemoryFiles::new([("own.yaml", text)]),
    };
    compile_all(&provider, &["own.yaml".to_owned()], &Options::default()).image
}

/// The first such command of a line.
fn forbidden(line: &CommandLine) -> Option<String> {
    line.commands().iter().find_map(|command| {
        let program = line.program(command)?;
        let program = program.strip_suffix(".exe").unwrap_or(program);
        if !program.eq_ignore_ascii_case(PROGRAM) {
            return None;
        }
        let words: Vec<&str> =
            line.words(command).iter().skip(1).map(|word| line.text(word)).collect();
        let has = |flag: &str| words.contains(&flag);
        // Behind `--` it is an operand.
        let mut flags = words.iter().take_while(|word| **word != "--");
        if flags.any(|word| matches!(*word, "--help" | "-h")) {
            return None;
        }
        // The value of the one flag of all commands that takes one.
        let is_value = |at: usize| at > 0 && words.get(at - 1) == Some(&"--color");
        let mut operands = words
            .iter()
            .enumerate()
            .filter(|(at, word)| !word.starts_with('-') && !is_value(*at))
            .map(|(_, word)| word);
        let (first, second) = (operands.next().copied(), operands.next().copied());
        // Words that nobody sees may come from a file.
        let Some(first) = first else {
            return command.more.then(|| format!("{PROGRAM} …"));
        };
        let takes_more = command.more && is_for_people(first);
        match (first, second) {
            (name, None) if takes_more => Some(format!("{PROGRAM} {name} …")),
            (name @ ("allow" | "trust"), _) if !has("--list") && !has("--stopped") => {
                Some(format!("{PROGRAM} {name}"))
            }
            ("hook", _) => Some(format!("{PROGRAM} hook")),
            ("session", Some(name @ ("disable" | "clear" | "verifier"))) => {
                Some(format!("{PROGRAM} session {name}"))
            }
            // What is for nobody but the user is not for the agent to take away; reading it is.
            ("session", Some("constitution"))
                if operands.next().is_none_or(|act| *act != "get") =>
            {
                Some(format!("{PROGRAM} session constitution"))
            }
            // What answers in a person's place.
            ("plan", Some("run")) if has("--yes") || has("-y") || is_fed(line, command) => {
                Some(format!("{PROGRAM} plan run"))
            }
            ("workflow", Some("resume")) => Some(format!("{PROGRAM} workflow resume")),
            ("init", _) if has("--uninstall") => Some(format!("{PROGRAM} init --uninstall")),
            (_, Some(unknown)) if unknown.contains(HOLE) && is_for_people(first) => {
                Some(format!("{PROGRAM} {first} …"))
            }
            (unknown, _) if unknown.contains(HOLE) => Some(format!("{PROGRAM} …")),
            _ => None,
        }
    })
}

/// Whether the line gives a command something to read.
fn is_fed(line: &CommandLine, command: &Command) -> bool {
    use RedirectKind::{HereDocument, HereString, Read, ReadWrite};
    let reads = |kind| matches!(kind, Read | ReadWrite | HereDocument | HereString);
    let mut redirects = line.redirects(command).iter();
    !line.input(command).is_empty() || redirects.any(|redirect| reads(redirect.kind))
}

/// Whether some of what a command does is for people alone.
fn is_for_people(name: &str) -> bool {
    matches!(name, "session" | "workflow" | "init")
}

#[cfg(test)]
mod tests {
    use behavior_runtime::event::Param;

    use super::*;

    #[track_caller]
    fn check(command: &str, expect: Option<&str>) {
        let session = Session::new(Arc::new(compile("rules: {}").unwrap()));
        let param =
            Param { name: "command".into(), native: None, value: Value::Text(command.into()) };
        let call = Call { tool: "bash".into(), params: vec![param], ..Call::default() };
        let line = read(&session, &call).unwrap();
        let found = forbidden(&line).filter(|_| names_program(command));
        assert_eq!(found.as_deref(), expect, "{command}");
    }

    #[test]
    fn what_puts_a_person_in_charge_is_found_in_any_part_of_a_line() {
        check("behavior allow no_push", Some("behavior allow"));
        check("ls && /usr/bin/behavior trust", Some("behavior trust"));
        check("echo y | behavior session disable", Some("behavior session disable"));
        check("behavior session verifier off", Some("behavior session verifier"));
        check("sh -c 'behavior hook claude-code'", Some("behavior hook"));
        check("beh''av\\ior \"allow\" no_push", Some("behavior allow"));
        check("behavior init --agent codex --uninstall", Some("behavior init --uninstall"));
        check("behavior \"$what\" no_push", Some("behavior …"));
        check("behavior session constitution reset", Some("behavior session constitution"));
        check("behavior session constitution get", None);
        check("behavior workflow resume x --approve", Some("behavior workflow resume"));
        check("behavior workflow list", None);
        check("echo y | behavior plan run p.json", Some("behavior plan run"));
        check("behavior plan run - <<< '{}'", Some("behavior plan run"));
        check("behavior plan run p.json", None);
        check("behavior allow --list", None);
        check("behavior trust --help", None);
        check("behavior --color never session disable", Some("behavior session disable"));
        check("behavior session --color=never disable", Some("behavior session disable"));
        check("xargs behavior < words", Some("behavior …"));
        check("xargs behavior session < words", Some("behavior session …"));
        check("behavior session $x", Some("behavior session …"));
        check("behavior check && behavior session list", None);
        check("grep -r 'behavior allow' docs", None);
    }
}
