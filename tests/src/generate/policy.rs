//! Policies and calls made from bytes, with what each call is about told beside its text, so that
//! whoever checks a decision need not read command lines.

use std::fmt::Write as _;

use super::Choices;
use crate::oracle::policy::{Action, Call, Mode, NAMES, Part, Policy, Rule, Subject};

const PROGRAMS: [&str; 7] = ["git", "*", "rm", "own", "*", "g*", "[gr]?*"];
const WORDS: [&str; 13] =
    ["*", "push", "*", "a", "*", "b", "a*", "?", "[ab]", "[!a]*", "clean", "p*", "*.env"];
const FLAGS: [&str; 7] = ["--force", "-f", "-v", "--verbose", "-rf", "-n", "--"];
const TOOLS: [&str; 12] = [
    "edit",
    "read",
    "*",
    "bash",
    "s.edit",
    "s__edit",
    "mcp(s/edit)",
    "mcp(s)",
    "mcp(*/re*)",
    "read*",
    "*edit",
    "[re]*",
];
const CALLED: [&str; 9] =
    ["edit", "read", "Edit", "mcp__s__edit", "t.edit", "s.read", "readme", "write", "apply_patch"];
const TEXTS: [&str; 6] = ["*.env", "a", "a *", "*", "?b", "a b"];
const ARGUMENTS: [&str; 6] = ["a", "b", "x.env", "a b", "ab", "xb"];
const LINES: [&[&str]; 4] = [&["git", "push"], &["git", "clean"], &["rm"], &["own"]];
const OPERANDS: [&str; 6] = ["a", "b", "ab", "x.env", "push", "c"];
const GIVEN: [&str; 6] = ["--force", "-f", "-v", "--verbose", "-n", "-r"];
const OPAQUE: [&str; 3] = ["$cmd", "$cmd $x", "${cmd}"];

/// A policy.
pub fn policy(choices: &mut Choices<'_>) -> Policy {
    let mode = mode(choices, 3);
    let rules = (0..1 + choices.below(5)).map(|number| rule(choices, number)).collect();
    Policy { mode, rules }
}

/// A mode, and none in all but `one` of so many cases.
pub fn mode(choices: &mut Choices<'_>, one_of: usize) -> Option<Mode> {
    let is_set = choices.rarely(one_of);
    is_set.then(|| [Mode::Ask, Mode::AutoEdit, Mode::Yolo, Mode::Agent][choices.below(4)])
}

fn rule(choices: &mut Choices<'_>, number: usize) -> Rule {
    let actions = [Action::Deny, Action::Allow, Action::Ask, Action::DryRunFirst];
    let priorities = [None, Some("user"), Some("admin"), Some("default")];
    let action = actions[choices.below(actions.len())];
    let priority = priorities[choices.below(priorities.len())];
    let mode = mode(choices, 5);
    // The two parts apart cannot stand beside others.
    let subjects = if choices.rarely(6) {
        let tools = ["edit", "re*", "mcp(s/*)"];
        vec![Subject::Argument(choices.one(&tools), choices.one(&TEXTS))]
    } else {
        (0..1 + choices.below(2)).map(|_| subject(choices)).collect()
    };
    let param = choices.rarely(5).then(|| (choices.one(&NAMES), choices.one(&TEXTS[..2])));
    Rule { name: format!("r{number}"), priority, action, mode, subjects, param }
}

fn subject(choices: &mut Choices<'_>) -> Subject {
    match choices.below(8) {
        0..5 => {
            let mut words = vec![choices.one(&PROGRAMS)];
            for _ in 0..choices.below(4) {
                let from = if choices.rarely(3) { &FLAGS[..] } else { &WORDS[..] };
                words.push(choices.one(from));
            }
            Subject::Command(words)
        }
        5 | 6 => Subject::Tool(choices.one(&TOOLS)),
        _ => Subject::Opaque,
    }
}

/// A policy as it is written.
pub fn written(policy: &Policy) -> String {
    let mut text = String::new();
    if let Some(mode) = policy.mode {
        let _ = writeln!(text, "approval_mode = \"{}\"", name_of(mode));
    }
    for rule in &policy.rules {
        let action = match rule.action {
            Action::Allow => "allow",
            Action::None => unreachable!("no rule says so"),
            Action::DryRunFirst => "dry_run_first",
            Action::Ask => "ask_user",
            Action::Deny => "deny",
        };
        let _ = writeln!(text, "[[rules]]\nname = \"{}\"\naction = \"{action}\"", rule.name);
        if let Some(priority) = rule.priority {
            let _ = writeln!(text, "priority = \"{priority}\"");
        }
        if let Some(mode) = rule.mode {
            let _ = writeln!(text, "approval_mode = \"{}\"", name_of(mode));
        }
        if let Some((name, argument)) = rule.param {
            let _ = writeln!(text, "params = {{ {name} = '{argument}' }}");
        }
        if let [Subject::Argument(tool, argument)] = rule.subjects[..] {
            let _ = writeln!(text, "tool_pattern = '{tool}'\narg_pattern = '{argument}'");
            continue;
        }
        let pattern = |subject: &Subject| match subject {
            Subject::Tool(tool) | Subject::Argument(tool, _) => (*tool).to_owned(),
            Subject::Command(words) => format!("bash({})", words.join(" ")),
            Subject::Opaque => "bash(opaque)".to_owned(),
        };
        let alternatives: Vec<String> = rule.subjects.iter().map(pattern).collect();
        let _ = writeln!(text, "pattern = '{}'", alternatives.join("|"));
    }
    text
}

fn name_of(mode: Mode) -> &'static str {
    match mode {
        Mode::Ask => "ask",
        Mode::AutoEdit => "autoEdit",
        Mode::Yolo => "yolo",
        Mode::Agent => "agent",
    }
}

/// A call, and of a shell its command line.
pub fn call(choices: &mut Choices<'_>) -> (Call, String) {
    if choices.rarely(4) {
        let tool = choices.one(&CALLED);
        let arguments = (0..choices.below(3)).map(|_| choices.one(&ARGUMENTS)).collect();
        return (Call::Other(tool, arguments), String::new());
    }
    let (mut parts, mut line) = (Vec::new(), String::new());
    for number in 0..1 + choices.below(5) / 3 {
        if number > 0 {
            line += choices.one(&[" && ", "; ", " || "]);
        }
        line += &part(choices, &mut parts);
    }
    (Call::Shell(parts), line)
}

/// The text of a command, which may run in a place of its own.
fn part(choices: &mut Choices<'_>, parts: &mut Vec<Part>) -> String {
    let around = choices.below(10);
    if around == 9 {
        parts.push(Part::Opaque);
        return choices.one(&OPAQUE).to_owned();
    }
    let mut words: Vec<&'static str> = LINES[choices.below(LINES.len())].to_vec();
    for _ in 0..choices.below(4) {
        let from = if choices.rarely(2) { &GIVEN[..] } else { &OPERANDS[..] };
        words.push(choices.one(from));
    }
    let command = words.join(" ");
    let behind = |wrapper: &'static str| [&[wrapper], &words[..]].concat();
    match around {
        5 => parts.push(Part::Wrapper(behind("nohup"))),
        6 => parts.push(Part::Wrapper(behind("env"))),
        7 => parts.push(Part::Wrapper(vec!["sh", "-c"])),
        // Who runs it matters, so this counts as a command of its own.
        8 => parts.push(Part::Command(behind("sudo"))),
        _ => {}
    }
    parts.push(Part::Command(words));
    match around {
        4 => format!("( {command} )"),
        5 => format!("nohup {command}"),
        6 => format!("env {command}"),
        7 => format!("sh -c '{command}'"),
        8 => format!("sudo {command}"),
        _ => command,
    }
}
