//! What is not certain of the commands of a line for those behind them: that they ran at all, that they ran in the same
//! shell, that they did not fail. Kept only where it tells in which
//! directory commands run.

/// What is not certain of some commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Uncertainty {
    /// They ran in another shell: a subshell, a part of a pipe, in the background.
    Apart,
    /// They may not have run.
    Skipped,
    /// They have not run where one of those from this one on, up to them, has failed: behind `&&`.
    Unless(u32),
    /// One of them may have failed, and the line goes on.
    Failed(Behind),
}

/// What stands between commands that may have failed and what runs then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// A `||`: what follows runs only then.
    Or,
    /// The end of a list of `&&`, or of one of `||` and `&&`.
    List,
    /// The end of a command that stands alone.
    Alone,
    /// The end of a list of which the last command stands behind `||`.
    LastOr,
}

/// What is not certain of the commands in a range, for those behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Uncertain {
    pub from: u32,
    pub to: u32,
    pub doubt: Uncertainty,
}

/// Whether a program changes the directory of the shell.
pub(super) fn changes_directory(program: &str) -> bool {
    matches!(program, "cd" | "chdir" | "pushd" | "popd" | "Set-Location" | "sl")
}

/// Whether what stands behind a program is run by the shell that runs the line.
pub(super) fn runs_in_shell(program: &str) -> bool {
    matches!(program, "command" | "builtin" | "eval" | "source" | ".")
}

/// Whether nothing of a list, a loop or a function runs behind a program.
pub(super) fn ends(program: &str) -> bool {
    matches!(program, "exit" | "return" | "break" | "continue")
}
