//! Words that a shell takes for something else than a program, and words that give other words a
//! meaning. Nothing is read here.

/// What ends a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    End,
    Parenthesis,
    Brace,
    Fi,
    Done,
    /// `do`, behind the condition of a loop.
    Do,
    /// `done`, where `do` was read.
    Body,
    /// `;;`, or the `esac` that is left for the `case`.
    Clause,
}

/// What a word means where a command begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keyword {
    If,
    Loop,
    For,
    Case,
    Function,
    Test,
    OpenBrace,
    /// `!`: a command follows.
    Prefix,
    /// `time`: a command may follow, behind `-p`.
    Time,
    /// `coproc`: a command follows, perhaps behind a name.
    Coproc,
    /// `then`, `elif`, `else` belong to `if`; `do` belongs to loops.
    Part(Until),
    Close(Until),
}

macro_rules! keywords {
    ($($($word:literal)|+ => $keyword:expr,)*) => {
        /// The words that are no programs where a command begins.
        pub const KEYWORDS: &[&str] = &[$($($word),+),*];

        /// What a word means where a command begins.
        pub(super) fn keyword(word: &str) -> Option<Keyword> {
            Some(match word {
                $($($word)|+ => $keyword,)*
                _ => return None,
            })
        }
    };
}

keywords! {
    "if" => Keyword::If,
    "while" | "until" => Keyword::Loop,
    "for" | "select" => Keyword::For,
    "case" => Keyword::Case,
    "function" => Keyword::Function,
    "[[" => Keyword::Test,
    "{" => Keyword::OpenBrace,
    "!" => Keyword::Prefix,
    "time" => Keyword::Time,
    "coproc" => Keyword::Coproc,
    "then" | "elif" | "else" => Keyword::Part(Until::Fi),
    "do" => Keyword::Part(Until::Done),
    "fi" => Keyword::Close(Until::Fi),
    "done" => Keyword::Close(Until::Done),
    "}" => Keyword::Close(Until::Brace),
    "esac" => Keyword::Close(Until::Clause),
}

/// Programs that a shell has itself, and that change what holds behind them.
const OWN: &[&str] = &[
    ".",
    "alias",
    "bg",
    "break",
    "builtin",
    "cd",
    "chdir",
    "command",
    "continue",
    "declare",
    "disown",
    "enable",
    "eval",
    "exec",
    "exit",
    "export",
    "fg",
    "float",
    "getopts",
    "hash",
    "integer",
    "let",
    "local",
    "logout",
    "mapfile",
    "popd",
    "print",
    "printf",
    "pushd",
    "read",
    "readarray",
    "readonly",
    "return",
    "set",
    "setopt",
    "shift",
    "shopt",
    "source",
    "suspend",
    "trap",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "unsetopt",
    "vared",
    "wait",
];

/// Whether a shell has a program of this name itself that changes what holds behind it.
pub(super) fn is_own(name: &str) -> bool {
    OWN.binary_search(&name).is_ok()
}

/// Variables that are tables of what the names of programs stand for.
pub const TABLES_OF_PROGRAMS: &[&str] =
    &["BASH_ALIASES", "BASH_CMDS", "aliases", "galiases", "saliases", "dis_aliases"];

/// Programs that put what they read in place of what files hold: of nothing, that is to empty them.
pub const COPIERS: &[&str] = &["tee", "gtee", "sponge"];

/// Files that stand for what a program reads, whatever is put there.
pub const INPUT_FILES: &[&str] = &["fd", "stdin"];
