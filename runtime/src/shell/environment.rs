//! Variables that decide what programs do, and those that do not. Only their names are looked at.

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

/// Whether a variable is a table of what the names of programs stand for.
pub(super) fn is_table_of_programs(name: &str) -> bool {
    matches!(
        name,
        "BASH_ALIASES" | "BASH_CMDS" | "aliases" | "galiases" | "saliases" | "dis_aliases"
    )
}

/// Whether a shell expands the value of a variable, and runs the substitutions in it.
pub(super) fn is_expanded(name: &str) -> bool {
    matches!(
        name,
        "PS0" | "PS1" | "PS2" | "PS4" | "PROMPT" | "RPROMPT" | "PROMPT_COMMAND" | "PROMPT4"
    )
}
