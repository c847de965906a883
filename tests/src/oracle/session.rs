//! One session, and one event of it as rules look at it.

use behavior_runtime::decision::Phase;
use behavior_runtime::event::{Call, Value};

use super::state::State;

/// One session.
#[derive(Clone, Debug)]
pub struct Session {
    pub state: State,
    pub cwd: Option<String>,
    /// The calls without a result.
    pub open: Vec<Open>,
}

/// A call without a result.
#[derive(Clone, Debug)]
pub struct Open {
    pub call: Call<'static>,
    /// Whether it was entered where calls are that are made.
    pub is_counted: bool,
    /// The counters in which it counts already.
    pub started: Vec<usize>,
}

/// One event, as rules look at it.
pub struct Context<'a> {
    pub phase: Phase,
    pub call: Option<&'a Call<'static>>,
    pub text: &'a str,
    pub result: Option<&'a Value<'a>>,
    pub ok: bool,
    pub consecutive: u32,
}
