//! Where in a line the reader is.

use std::ops::Range;

use super::command::Reach;

/// What a command inherits from where it stands.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub parent: Option<u32>,
    pub reach: Reach,
    pub input: Range<u32>,
    pub in_loop: bool,
    /// The name of the function around it, in the text.
    pub function: Option<(u32, u32)>,
}

impl Default for Context {
    fn default() -> Self {
        Self { parent: None, reach: Reach::List, input: 0..0, in_loop: false, function: None }
    }
}

impl Context {
    /// Whether what is read may run once more, when names mean something else by then: in a loop, or in a function.
    pub fn comes_again(&self) -> bool {
        self.in_loop || self.function.is_some()
    }
}
