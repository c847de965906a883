//! Functions of languages that find a library or a function by its name. Data: what they find is looked for elsewhere.

use Finds::{Function, Library};

/// What is found by a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finds {
    /// A library, which code then calls functions of.
    Library,
    /// A function, or an object that has functions.
    Function,
}

/// Sources: the reference manuals of Python, Node.js, Ruby and PHP.
const LOOKUPS: &[(&str, Finds)] = &[
    ("require", Library),
    ("import", Library),
    ("__import__", Library),
    ("import_module", Library),
    ("getBuiltinModule", Library),
    ("_load", Library),
    ("getattr", Function),
    ("send", Function),
    ("public_send", Function),
    ("__send__", Function),
    ("method", Function),
    ("instance_method", Function),
    ("const_get", Function),
    ("call_user_func", Function),
    ("call_user_func_array", Function),
];

/// Returns what a function of this name finds, if it finds anything by its name.
pub fn finds(function: &str) -> Option<Finds> {
    LOOKUPS.iter().find(|(known, _)| *known == function).map(|(_, finds)| *finds)
}

/// Returns whether a function of this name returns a library.
pub fn loads(function: &str) -> bool {
    finds(function) == Some(Library)
}
