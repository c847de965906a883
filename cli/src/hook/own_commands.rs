//! What no agent may do whatever the rules say: run the commands of this program by which a person is in charge.

use behavior_agents::hook::Reply;
use behavior_runtime::event::Event;
use behavior_runtime::{LayeredSession, Verdict};
use behavior_shell::{CommandLine, HOLE};

/// The program.
const PROGRAM: &str = "behavior";

/// Returns the refusal of a call that runs such a command.
pub fn refusal(session: &LayeredSession, event: &Event<'_>) -> Option<Reply> {
    let Event::ToolCall(call) = event else { return None };
    let names_it = |text: &str| text.to_ascii_lowercase().contains(PROGRAM);
    let texts = call.params.iter().any(|param| match &param.value {
        behavior_runtime::event::Value::Text(text) | behavior_runtime::event::Value::Json(text) => {
            names_it(text)
        }
    });
    if !texts {
        return None;
    }
    let line = session.own().explain_call(call)?.line;
    let what = forbidden(&line)?;
    let message = format!("only a person may run `{what}`: ask your user to, in a terminal");
    Some(Reply {
        verdict: Some(Verdict::Deny),
        reason: format!("[BEHAVIOR BLOCKED] {message}\nThe call was not run."),
        for_user: format!("behavior blocked a call: only a person may run `{what}`"),
        ..Reply::default()
    })
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
        let mut operands = words.iter().filter(|word| !word.starts_with('-'));
        let (first, second) = (operands.next().copied(), operands.next().copied());
        match (first?, second) {
            (name @ ("allow" | "trust"), _) if !has("--list") => Some(format!("{PROGRAM} {name}")),
            ("hook", _) => Some(format!("{PROGRAM} hook")),
            ("session", Some(name @ ("disable" | "clear"))) => {
                Some(format!("{PROGRAM} session {name}"))
            }
            ("init", _) if has("--uninstall") => Some(format!("{PROGRAM} init --uninstall")),
            (unknown, _) if unknown.contains(HOLE) => Some(format!("{PROGRAM} …")),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(command: &str, expect: Option<&str>) {
        let mut line = CommandLine::default();
        line.read(command, None);
        assert_eq!(forbidden(&line).as_deref(), expect, "{command}");
    }

    #[test]
    fn what_puts_a_person_in_charge_is_found_in_any_part_of_a_line() {
        check("behavior allow no_push", Some("behavior allow"));
        check("ls && /usr/bin/behavior trust", Some("behavior trust"));
        check("echo y | behavior session disable", Some("behavior session disable"));
        check("sh -c 'behavior hook claude-code'", Some("behavior hook"));
        check("behavior init --agent codex --uninstall", Some("behavior init --uninstall"));
        check("behavior \"$what\" no_push", Some("behavior …"));
        check("behavior allow --list", None);
        check("behavior check && behavior session list", None);
        check("grep -r 'behavior allow' docs", None);
    }
}
