//! Command lines, whole and simple.

use super::choices::Choices;
use super::words::{COMMAND_WORDS, COMMANDS, PATHS, PROGRAMS};

/// A command line: simple commands, put together and into one another.
pub(super) fn command_line(choices: &mut Choices<'_>) -> String {
    let mut line = simple_command(choices);
    for _ in 0..choices.below(4) {
        line = match choices.below(16) {
            0 => format!("sudo {line}"),
            1 => format!("env A=1 {line}"),
            2 => format!("bash -c '{}'", line.replace('\'', r"'\''")),
            3 => format!("eval \"{}\"", line.replace(['"', '\\', '`'], "")),
            4 => format!("{line} | {}", simple_command(choices)),
            5 => format!("{} && {line}", simple_command(choices)),
            6 => format!("( {line}; {} )", simple_command(choices)),
            7 => format!("for f in a *.rs; do {line}; done"),
            8 => format!("f() {{ {line} | f & }}; f"),
            9 => format!("{} \"$({line})\"", choices.one(&PROGRAMS)),
            10 => format!("echo '{}' | sh", line.replace('\'', "")),
            11 => format!("xargs {line}"),
            12 => format!("x={}; {line}", choices.one(&["rm", "-rf", "'a b'", "$(git a)"])),
            13 => format!("{} <<E\n{line}\nE", choices.one(&PROGRAMS)),
            14 => format!("{{ {line}; }} > {}", choices.one(&PATHS)),
            _ => format!("{line} < {}", choices.one(&PATHS)),
        };
    }
    line
}

fn simple_command(choices: &mut Choices<'_>) -> String {
    if choices.rarely(3) {
        return choices.one(&COMMANDS).to_owned();
    }
    let mut line = choices.one(&PROGRAMS).to_owned();
    for _ in 0..choices.below(5) {
        line.push(' ');
        line += choices.one(&COMMAND_WORDS);
    }
    line
}
