//! What is left out of a question about a call. Asks nothing.

use std::cell::RefCell;

use behavior_compiler::ir::Paths;
use behavior_facts::touched::TouchedFile;
use behavior_shell::touched::Effect;

/// What of a call is left out of a question, and what is for some files alone.
#[derive(Default)]
pub(super) struct Aside {
    pub commands: Vec<usize>,
    pub files: Vec<TouchedFile>,
    pub says_nothing_of_files: bool,
    /// Whether an exception is asked: of a call whose command line comes from several parameters, it sees all of that.
    pub is_of_exception: bool,
    /// What held of files alone: how they are touched, and where they lie.
    pub held: RefCell<Vec<(&'static [Effect], Paths)>>,
}
