//! Variables that decide what programs do, and those that do not. Only their names are looked at,
//! and the signs before a command in a value.

/// Variables that make no program run another one, or another file of it.
const HARMLESS: [&str; 43] = [
    "CARGO_INCREMENTAL",
    "CARGO_PROFILE",
    "CARGO_TERM_COLOR",
    "CI",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
    "DEBUG",
    "DJANGO_DEBUG",
    "DOCKER_BUILDKIT",
    "ENVIRONMENT",
    "FORCE_COLOR",
    "GIT_OPTIONAL_LOCKS",
    "GIT_TERMINAL_PROMPT",
    "GOARCH",
    "GOOS",
    "HOST",
    "LANG",
    "LANGUAGE",
    "LINES",
    "LOG_LEVEL",
    "NEXT_TELEMETRY_DISABLED",
    "NODE_ENV",
    "NO_COLOR",
    "NPM_CONFIG_LOGLEVEL",
    "PIP_DISABLE_PIP_VERSION_CHECK",
    "PIP_NO_INPUT",
    "PORT",
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHASHSEED",
    "PYTHONIOENCODING",
    "PYTHONUNBUFFERED",
    "PYTHONUTF8",
    "RAILS_ENV",
    "RUST_BACKTRACE",
    "RUST_LIB_BACKTRACE",
    "RUST_LOG",
    "RUST_TEST_THREADS",
    "SOURCE_DATE_EPOCH",
    "TERM",
    "TZ",
    "VERBOSE",
];

/// The beginnings of other such names.
const HARMLESS_BEGINNINGS: [&str; 1] = ["LC_"];

/// Variables that are most often in the environment already, or that shells themselves go by, so
/// that setting them changes what runs.
const LOOKED_AT: [&str; 22] = [
    "BASHOPTS",
    "BASH_ENV",
    "CC",
    "CDPATH",
    "CXX",
    "EDITOR",
    "ENV",
    "EXECIGNORE",
    "FPATH",
    "GLOBIGNORE",
    "LD",
    "MAKEFLAGS",
    "MANPAGER",
    "NULLCMD",
    "PAGER",
    "PATH",
    "READNULLCMD",
    "RUSTC_WRAPPER",
    "SHELL",
    "SHELLOPTS",
    "VISUAL",
    "path",
];

/// The beginnings of other such names.
const LOOKED_AT_BEGINNINGS: [&str; 12] = [
    "DYLD_", "GIT_", "LD_", "LESS", "NODE_", "PERL", "PYTHON", "RUBY", "SSH_", "SUDO_", "npm_",
    "JAVA_",
];

/// Variables that say where temporary files and caches lie, and which program of its kind a build uses: those of which
/// the environment holds what is as good as what a line has for where it holds none.
const OF_ONE_KIND: [&str; 21] = [
    "AR",
    "AS",
    "CARGO",
    "CC",
    "CMAKE",
    "CPP",
    "CXX",
    "FC",
    "GO",
    "LD",
    "MAKE",
    "NODE",
    "NPM",
    "PIP",
    "PYTHON",
    "RUSTC",
    "TEMP",
    "TEMPDIR",
    "TMP",
    "TMPDIR",
    "XDG_CACHE_HOME",
];

/// Variables that name a file into which programs write: `git help git`, and the references of curl, GCC, LLVM, Node.js,
/// coverage.py, glibc and of the clients that keep a history.
const WRITTEN: [&str; 23] = [
    "COVERAGE_FILE",
    "GCOV_PREFIX",
    "GIT_INDEX_FILE",
    "GIT_REDIRECT_STDERR",
    "GIT_REDIRECT_STDOUT",
    "GIT_TRACE",
    "GIT_TRACE2",
    "HISTFILE",
    "LD_DEBUG_OUTPUT",
    "LESSHISTFILE",
    "LLVM_PROFILE_FILE",
    "LYNX_TRACE_FILE",
    "MALLOC_TRACE",
    "MYSQL_HISTFILE",
    "NODE_REDIRECT_WARNINGS",
    "NODE_REPL_HISTORY",
    "NODE_V8_COVERAGE",
    "PIP_LOG",
    "PSQL_HISTORY",
    "PYTHON_HISTORY",
    "SQLITE_HISTORY",
    "SSLKEYLOGFILE",
    "XDEBUG_TRACE",
];

/// The beginnings of other such names.
const WRITTEN_BEGINNINGS: [&str; 2] = ["GIT_TRACE_", "GIT_TRACE2_"];

/// Whether programs write into the file that a variable names.
pub(super) fn is_written(name: &str) -> bool {
    WRITTEN.binary_search(&name).is_ok() || begins(name, &WRITTEN_BEGINNINGS)
}

/// Whether a variable is one of which the environment holds what is as good as what stands for it.
pub(super) fn is_of_one_kind(name: &str) -> bool {
    OF_ONE_KIND.binary_search(&name).is_ok()
}

fn begins(name: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| name.starts_with(beginning))
}

/// Whether setting a variable before a program leaves what that runs as it is.
pub(super) fn is_harmless(name: &str) -> bool {
    HARMLESS.contains(&name) || begins(name, &HARMLESS_BEGINNINGS)
}

/// Whether programs look at a variable even where nothing puts it into their environment.
pub(super) fn is_looked_at(name: &str) -> bool {
    !is_harmless(name) && (LOOKED_AT.contains(&name) || begins(name, &LOOKED_AT_BEGINNINGS))
}

/// What programs make of the value of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// They run it as a command line.
    Line,
    /// The same for a tool that builds run, of which what is not known is most often its place.
    Tool,
    /// They run it as a command line, behind signs that say what becomes of its output.
    Filter,
    /// It names a file of commands that they read before anything else.
    File,
    /// It is the body of a function.
    Function,
}

impl Run {
    /// What stands before a value in the command line that it amounts to.
    pub fn before(self) -> &'static str {
        match self {
            Self::Line | Self::Tool | Self::Filter => "",
            Self::File => ". ",
            Self::Function => "f",
        }
    }

    /// The part of a value that is run.
    pub fn of(self, value: &str) -> &str {
        match self {
            Self::Filter => value.trim_start_matches(['|', '-', ' ']),
            Self::Line | Self::Tool | Self::File | Self::Function => value,
        }
    }
}

/// Variables whose value programs run, most of them in a shell.
const RUN: [(&str, Run); 53] = [
    ("AWS_PAGER", Run::Line),
    ("BASH_ENV", Run::File),
    ("BAT_PAGER", Run::Line),
    ("BORG_PASSCOMMAND", Run::Line),
    ("BORG_RSH", Run::Line),
    ("BROWSER", Run::Tool),
    ("BUNDLER_EDITOR", Run::Line),
    ("CC", Run::Tool),
    ("CVSEDITOR", Run::Line),
    ("CVS_RSH", Run::Line),
    ("CXX", Run::Tool),
    ("DELTA_PAGER", Run::Line),
    ("EDITOR", Run::Line),
    ("FCEDIT", Run::Line),
    ("FZF_CTRL_R_COMMAND", Run::Line),
    ("FZF_CTRL_T_COMMAND", Run::Line),
    ("FZF_DEFAULT_COMMAND", Run::Line),
    ("GH_BROWSER", Run::Tool),
    ("GH_EDITOR", Run::Line),
    ("GH_PAGER", Run::Line),
    ("GIT_ASKPASS", Run::Line),
    ("GIT_EDITOR", Run::Line),
    ("GIT_EXTERNAL_DIFF", Run::Line),
    ("GIT_PAGER", Run::Line),
    ("GIT_PROXY_COMMAND", Run::Line),
    ("GIT_SEQUENCE_EDITOR", Run::Line),
    ("GIT_SSH", Run::Line),
    ("GIT_SSH_COMMAND", Run::Line),
    ("GLAB_PAGER", Run::Line),
    ("HGEDITOR", Run::Line),
    ("KUBE_EDITOR", Run::Line),
    ("LESSCLOSE", Run::Filter),
    ("LESSOPEN", Run::Filter),
    ("MANPAGER", Run::Line),
    ("NULLCMD", Run::Line),
    ("PAGER", Run::Line),
    ("PROMPT_COMMAND", Run::Line),
    ("PSQL_EDITOR", Run::Line),
    ("PSQL_PAGER", Run::Line),
    ("READNULLCMD", Run::Line),
    ("RESTIC_PASSWORD_COMMAND", Run::Line),
    ("RSYNC_CONNECT_PROG", Run::Line),
    ("RSYNC_RSH", Run::Line),
    ("RUSTC_WORKSPACE_WRAPPER", Run::Tool),
    ("RUSTC_WRAPPER", Run::Tool),
    ("SSH_ASKPASS", Run::Line),
    ("SUDO_ASKPASS", Run::Line),
    ("SUDO_EDITOR", Run::Line),
    ("SVN_EDITOR", Run::Line),
    ("SVN_SSH", Run::Line),
    ("SYSTEMD_EDITOR", Run::Line),
    ("SYSTEMD_PAGER", Run::Line),
    ("VISUAL", Run::Line),
];

/// What programs run of the value of a variable, if anything.
pub(super) fn run(name: &str) -> Option<Run> {
    if name.starts_with("BASH_FUNC_") {
        return Some(Run::Function);
    }
    // `CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER`: https://doc.rust-lang.org/cargo/reference/config.html
    if name.starts_with("CARGO_TARGET_") && name.ends_with("_RUNNER") {
        return Some(Run::Line);
    }
    let row = RUN.binary_search_by_key(&name, |(name, _)| name).ok()?;
    RUN.get(row).map(|(_, run)| *run)
}

/// Whether a shell expands the value of a variable, and runs the substitutions in it.
pub(super) fn is_expanded(name: &str) -> bool {
    matches!(
        name,
        "PS0" | "PS1" | "PS2" | "PS4" | "PROMPT" | "RPROMPT" | "PROMPT_COMMAND" | "PROMPT4"
    )
}

#[cfg(test)]
mod tests {
    use super::{RUN, Run, run};

    #[test]
    fn every_variable_of_the_table_is_found() {
        for (name, how) in RUN {
            assert_eq!(run(name), Some(how), "{name}");
        }
        assert_eq!(run("PAGERS"), None);
        assert_eq!(run("BASH_FUNC_ls%%"), Some(Run::Function));
    }
}
