//! The languages whose code is read.

use crate::kinds::kinds;

kinds! {
    /// A language whose code a program runs.
    Language {
        /// None that is known.
        Unknown = "none",
        /// Python.
        Python = "python",
        /// JavaScript and TypeScript, with the libraries of Node.js, Deno and Bun.
        JavaScript = "javascript",
        /// Perl.
        Perl = "perl",
        /// Ruby.
        Ruby = "ruby",
        /// PHP.
        Php = "php",
        /// Lua.
        Lua = "lua",
        /// AWK.
        Awk = "awk",
        /// Rules of `make`, whose recipes are lines of shell.
        Make = "make",
        /// Tables of `cron`, which name lines of shell.
        Cron = "cron",
        /// Recipes of `just`, whose lines are lines of shell.
        Just = "just",
        /// Taskfiles, whose commands are lines of shell.
        Task = "task",
        /// Packages of Node.js, whose scripts are lines of shell.
        Package = "package",
        /// Go.
        Go = "go",
        /// Rust.
        Rust = "rust",
        /// C, C++ and Objective-C.
        C = "c",
        /// Java.
        Java = "java",
        /// Tcl, with the commands of Expect.
        Tcl = "tcl",
    }
}

impl Language {
    /// Whether its programs run code as they read it, without making a program of it first.
    #[must_use]
    pub fn is_interpreted(self) -> bool {
        use Language::{Awk, JavaScript, Lua, Perl, Php, Python, Ruby, Tcl};
        matches!(self, Awk | JavaScript | Lua | Perl | Php | Python | Ruby | Tcl)
    }
}

#[allow(clippy::derivable_impls, reason = "the kinds are declared by one macro, without a default")]
impl Default for Language {
    fn default() -> Self {
        Self::Unknown
    }
}
