//! Functions that are passed on to others that call them: which function is called with what. Data, and how to read it.

use super::language::Language;

/// Where the arguments stand that a function is called with that is passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Behind the function, each by itself.
    Behind,
    /// Behind the function, and behind one more.
    BehindNext,
    /// Behind the function in one list.
    List,
    /// Behind the function in a list, of which it is called with each item.
    Each,
    /// Behind the function in a list of lists, each of which is its arguments.
    EachList,
    /// It is called on the items of what the method is called on.
    Items,
    /// It is called with what nobody can tell.
    Unknown,
}

/// A function that calls another one.
#[derive(Debug)]
pub struct Caller {
    pub name: &'static str,
    /// Which argument is the function; what has a name of its own stands first of all.
    pub at: usize,
    pub given: Given,
}

const fn caller(name: &'static str, at: usize, given: Given) -> Caller {
    Caller { name, at, given }
}

/// Source: https://docs.python.org/3/library/ of functools, threading, multiprocessing, concurrent.futures, atexit,
/// contextlib, weakref, asyncio and unittest.
const PYTHON: &[Caller] = &[
    caller("partial", 0, Given::Behind),
    caller("partialmethod", 0, Given::Behind),
    caller("register", 0, Given::Behind),
    caller("callback", 0, Given::Behind),
    caller("finalize", 1, Given::Behind),
    caller("to_thread", 0, Given::Behind),
    caller("run_in_executor", 1, Given::Behind),
    caller("run_sync", 0, Given::Behind),
    caller("call_soon", 0, Given::Behind),
    caller("call_later", 1, Given::Behind),
    caller("submit", 0, Given::Behind),
    caller("addCleanup", 0, Given::Behind),
    caller("addClassCleanup", 0, Given::Behind),
    caller("enterClassContext", 0, Given::Behind),
    caller("start_new_thread", 0, Given::List),
    caller("Timer", 1, Given::List),
    caller("Thread", 0, Given::List),
    caller("Process", 0, Given::List),
    caller("apply", 0, Given::List),
    caller("apply_async", 0, Given::List),
    caller("map", 0, Given::Each),
    caller("imap", 0, Given::Each),
    caller("imap_unordered", 0, Given::Each),
    caller("map_async", 0, Given::Each),
    caller("filter", 0, Given::Each),
    caller("starmap", 0, Given::EachList),
];

/// Source: https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference, https://nodejs.org/api/.
const JAVASCRIPT: &[Caller] = &[
    caller("setTimeout", 0, Given::BehindNext),
    caller("setInterval", 0, Given::BehindNext),
    caller("setImmediate", 0, Given::Behind),
    caller("nextTick", 0, Given::Behind),
    caller("forEach", 0, Given::Items),
    caller("map", 0, Given::Items),
    caller("flatMap", 0, Given::Items),
    caller("some", 0, Given::Items),
    caller("every", 0, Given::Items),
    caller("then", 0, Given::Unknown),
];

const RUBY: &[Caller] = &[
    caller("each", 0, Given::Items),
    caller("map", 0, Given::Items),
    caller("each_entry", 0, Given::Items),
];

const PHP: &[Caller] = &[
    caller("array_map", 0, Given::Each),
    caller("array_walk", 1, Given::Each),
    caller("call_user_func_array", 0, Given::List),
    caller("ob_start", 0, Given::Unknown),
    caller("usort", 1, Given::Unknown),
    caller("uasort", 1, Given::Unknown),
    caller("uksort", 1, Given::Unknown),
    caller("array_filter", 1, Given::Unknown),
    caller("array_reduce", 1, Given::Unknown),
    caller("preg_replace_callback", 1, Given::Unknown),
    caller("set_error_handler", 0, Given::Unknown),
    caller("set_exception_handler", 0, Given::Unknown),
    caller("spl_autoload_register", 0, Given::Unknown),
];

const LUA: &[Caller] = &[caller("pcall", 0, Given::Behind), caller("xpcall", 0, Given::BehindNext)];

/// Returns the function of a language that calls another one, by its name.
pub fn caller_of(language: Language, name: &str) -> Option<&'static Caller> {
    let all = match language {
        Language::Python => PYTHON,
        Language::JavaScript => JAVASCRIPT,
        Language::Ruby => RUBY,
        Language::Php => PHP,
        Language::Lua => LUA,
        _ => &[],
    };
    all.iter().find(|caller| caller.name == name)
}

/// Returns whether an argument of this name is the function that is called.
pub fn is_target(name: &str) -> bool {
    matches!(name, "target" | "func" | "function")
}
