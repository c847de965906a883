//! Whether a line's status tells that one of its commands has failed. Of `a | b`, `a; b`, `a || b`, `! a` and `a &` it is
//! another's: there, a failure of `a` is lost. What cannot be seen to be told counts as lost.

use super::certainty::runs_in_shell;
use super::command::{Command, Reach};
use super::context::Context;
use super::functions::CALLED;
use super::line::CommandLine;
use super::reader::Reader;

/// No more of a line is looked at for what becomes of a status, in bytes: else each part would be read with all behind it.
const MAX_END: usize = 512;

/// What stands behind `||`, where what stands before it fails.
enum Otherwise {
    /// It ends the shell with a failure.
    Ends,
    /// It fails.
    Fails,
    /// It may succeed.
    Unknown,
}

impl Otherwise {
    fn of(text: &str) -> Self {
        let text = text.trim();
        if text.len() > MAX_END {
            return Self::Unknown;
        }
        let Some(inner) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
            return match text {
                "false" => Self::Fails,
                // The status is that of what failed.
                "exit" | "exit $?" | "return" | "return $?" => Self::Ends,
                _ if is_failing_end(text) => Self::Ends,
                _ => Self::Unknown,
            };
        };
        const PARTING: [&str; 6] = ["if ", "case ", "for ", "while ", "until ", "select "];
        let inner = inner.replace(">&", "> ");
        let is_plain =
            !inner.contains(['|', '&', '(']) && !PARTING.iter().any(|word| inner.contains(word));
        let mut commands = inner.split([';', '\n']).map(str::trim).filter(|text| !text.is_empty());
        match commands.next_back() {
            Some(last) if is_plain && is_failing_end(last) => Self::Ends,
            _ => Self::Unknown,
        }
    }
}

/// Whether a command ends the shell with a failure that is written out.
fn is_failing_end(text: &str) -> bool {
    let number = text.strip_prefix("exit ").or_else(|| text.strip_prefix("return "));
    number.is_some_and(|number| number.trim().parse::<u8>().is_ok_and(|number| number != 0))
}

/// Whether what follows takes the status of what stands before it, and is or ends with that: `exit $?`, and
/// `code=$?; …; exit $code`.
fn hands_on(rest: &str) -> bool {
    if rest.len() > MAX_END || !rest.contains("exit") {
        return false;
    }
    let plain = rest.replace('"', "");
    let plain = plain.trim();
    if matches!(plain, "exit" | "exit $?") {
        return true;
    }
    let Some((name, behind)) = plain.split_once("=$?") else { return false };
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let is_kept = !name.is_empty()
        && name.bytes().all(is_name)
        && behind.starts_with([';', '\n'])
        && !behind.contains(&format!("{name}="));
    let last = behind.rsplit([';', '\n']).next().unwrap_or_default().trim();
    is_kept && (last == format!("exit ${name}") || last == format!("exit ${{{name}}}"))
}

/// Whether what follows in a pipe is the rest of it, and then its first status.
fn hands_on_first(rest: &str) -> bool {
    if rest.len() > MAX_END || !rest.contains("PIPESTATUS") {
        return false;
    }
    let plain = rest.replace('"', "").replace(">&", "> ");
    let Some((pipe, last)) = plain.trim().rsplit_once([';', '\n']) else { return false };
    !pipe.contains([';', '\n', '&', '('])
        && !pipe.contains("||")
        && last.trim() == "exit ${PIPESTATUS[0]}"
}

impl Reader<'_, '_> {
    fn lose(&mut self, first: usize, is_lost: impl Fn(&Command) -> bool) {
        let commands = self.line.commands.iter_mut().skip(first);
        commands.filter(|command| is_lost(command)).for_each(|command| command.status_lost = true);
    }

    /// Notes that the status of the commands from one on is lost, whatever follows them.
    pub fn lose_status(&mut self, first: usize) {
        self.lose(first, |_| true);
    }

    /// Notes that the list goes on behind the commands from one on.
    pub fn pass_by(&mut self, first: usize) {
        if self.strictness.ends || self.line.commands.len() == first {
            return;
        }
        if hands_on(self.rest()) {
            return self.note_ends(first);
        }
        self.lose(first, |command| !command.status_ends);
    }

    /// Notes that the commands from one on were a condition, if what ends them says so, and begins the next part.
    pub fn pass_part(&mut self, first: &mut usize, word: &str) {
        if word.starts_with("then") || word.starts_with("do") {
            self.lose(*first, |command| !command.status_ends);
        }
        *first = self.line.commands.len();
    }

    /// Notes that the commands from one on were the body of a loop, of which the last round alone tells.
    pub fn pass_loop(&mut self, first: usize) {
        if !self.strictness.ends {
            self.lose(first, |command| !command.status_ends);
        }
    }

    /// Notes that what was read from a place of the text on, which is the commands from `right` on, stands behind `||`.
    pub fn pass_or(&mut self, left: usize, right: usize, from: usize) {
        let text = self.text.get(from..self.at).unwrap_or_default();
        let before = self.line.commands.get_mut(left..right).unwrap_or_default();
        match Otherwise::of(text) {
            Otherwise::Fails => {}
            Otherwise::Ends => before.iter_mut().for_each(Command::note_end),
            Otherwise::Unknown => {
                let lost = before.iter_mut().filter(|command| !command.status_ends);
                lost.for_each(|command| command.status_lost = true);
            }
        }
    }

    /// Notes that the commands from one on write into a pipe. Says whether the line tells of them all the same.
    pub fn pass_pipe(&mut self, first: usize, is_first: bool) -> bool {
        if self.strictness.pipes {
            return false;
        }
        let is_told = is_first && hands_on_first(self.rest());
        if !is_told {
            self.lose_status(first);
        }
        is_told
    }

    /// Whether a command that stands alone here ends the shell where it fails, so that nothing behind it runs. In a
    /// condition, a function or a text that the shell itself runs, what is around that may have it go on.
    pub fn ends_where_failing(&mut self, context: &Context) -> bool {
        let runner = context.parent.map(|at| self.line.commands.get(at as usize));
        let is_own_shell = runner.is_none_or(|runner| {
            let program = runner.and_then(|runner| self.line.program(runner));
            let is_other = |program: &str| {
                !runs_in_shell(program) && program != "trap" && !program.ends_with(CALLED)
            };
            matches!(context.reach, Reach::Text | Reach::Input) && program.is_some_and(is_other)
        });
        self.strictness.ends
            && self.depth == self.outermost
            && is_own_shell
            && !context.comes_again()
            && matches!(context.reach, Reach::List | Reach::Text | Reach::Input)
            && self.peek() != Some(b'&')
            && !self.text.contains("set +")
            && self.has_its_own_names()
    }

    fn note_ends(&mut self, first: usize) {
        self.line.commands.iter_mut().skip(first).for_each(Command::note_end);
    }

    /// Notes that what ends the shell that runs the commands from one on does not end the line's.
    pub fn leave_shell(&mut self, first: usize) {
        let commands = self.line.commands.iter_mut().skip(first);
        commands.for_each(|command| command.status_ends = false);
    }

    /// Notes that the pipe of the commands from one on, and those of its first part, has been read.
    pub fn leave_pipe(&mut self, first: usize, told: Option<usize>) {
        self.leave_shell(first);
        if let Some(end) = told {
            let commands = self.line.commands.get_mut(first..end).unwrap_or_default();
            commands.iter_mut().for_each(Command::note_end);
        }
    }

    /// Takes what a command says of how failures are told, if what was read from a place of the text on is such a one, and
    /// not in a shell of its own.
    pub fn take_strictness(&mut self, first: usize, from: usize) {
        if let [command] = self.line.commands.get(first..).unwrap_or_default()
            && self.line.program(command) == Some("set")
            && self.text.get(from..).is_some_and(|text| text.starts_with("set"))
        {
            self.strictness.set(self.line, command);
        }
    }
}

impl Command {
    /// Notes that where it fails nothing runs behind it, and the failure is told.
    fn note_end(&mut self) {
        self.status_ends = !self.status_lost;
    }
}

impl CommandLine {
    /// What does not tell of a command does not tell of what that runs either.
    pub(super) fn carry_lost_status(&mut self) {
        for index in 0..self.commands.len() {
            let Some(command) = self.commands.get(index) else { continue };
            let parent = command.parent.and_then(|parent| self.commands.get(parent as usize));
            let is_apart = matches!(command.reach, Reach::Substitution | Reach::Function);
            if (is_apart || parent.is_some_and(|parent| parent.status_lost))
                && let Some(command) = self.commands.get_mut(index)
            {
                command.status_lost = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::CommandLine;

    /// Says of which commands called `t` a line loses the status.
    #[track_caller]
    fn check(text: &str, expect: &str) {
        let mut line = CommandLine::default();
        line.read(text, None);
        let own = line.commands().iter().filter(|command| line.program(command) == Some("t"));
        let found: String = own.map(|own| if own.status_lost { '-' } else { '+' }).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn the_last_of_a_list_tells() {
        for told in ["t", "t;", "cd x; t", "a && t && b", "a || t", "(t)", "{ t; }", "t > x 2>&1"] {
            check(told, "+");
        }
        for lost in ["t; a", "t\na", "(t); a", "{ t; }; a", "t && a; b", "t || true", "t || a && b"]
        {
            check(lost, "-");
        }
        check("t; t", "-+");
        check("t || exit 1 || true; a", "+");
    }

    #[test]
    fn pipes_tell_of_their_last_part() {
        check("t | tail", "-");
        check("a | t", "+");
        check("(t; a) | b", "-");
        check("set -o pipefail; t | tail", "+");
        check("set -euo pipefail\nt 2>&1 | tail -5\na", "+");
        check("set -o pipefail; set +o pipefail; t | tail", "-");
        check("(set -o pipefail); t | tail", "-");
        check("t 2>&1 | tail -3; exit ${PIPESTATUS[0]}", "+");
        check("t | a; b; exit ${PIPESTATUS[0]}", "-");
    }

    #[test]
    fn what_is_taken_back_or_left_alone_is_lost() {
        for lost in ["! t", "t &", "a && t &", "t & wait", "coproc t", "echo $(t)", "f() { t; }; f"]
        {
            check(lost, "-");
        }
    }

    #[test]
    fn conditions_and_rounds_are_lost() {
        check("if t; then a; fi", "-");
        check("if a; then t; else t; fi", "++");
        check("if a; then t; b; elif t; then c; fi", "--");
        check("while t; do a; done", "-");
        check("for x in 1 2; do t; done", "-");
        check("for x in 1 2; do t || exit 1; done; a", "+");
        check("case $x in a) t;; b) t; c;; esac", "+-");
    }

    #[test]
    fn a_failure_that_ends_the_shell_is_told() {
        check("set -e; t; a", "+");
        check("set -e; t | tail; a", "-");
        check("set -e; if t; then a; fi", "-");
        check("t || exit 1; a", "+");
        check("t || { echo no >&2; exit 1; }; a", "+");
        check("t || { echo no; exit 0; }; a", "-");
        check("t || { a && exit 1; }; a", "-");
        check("(t || exit 1); a", "-");
        check("t || false", "+");
        check("t; exit $?", "+");
        check("t > log; code=$?; tail log; exit $code", "+");
        check("t > log; code=$?; code=0; exit $code", "-");
        check("t; code=$?; a", "-");
    }
}
