//! One session, and one event of it as rules look at it.

use behavior_runtime::decision::Phase;
use behavior_runtime::event::{Call, Value};

use super::state::State;

/// One session.
#[derive(Clone, Debug)]
pub struct Session {
    pub state: State,
    pub cwd: Option<String>,
    /// The calls without a result, and whether they were allowed.
    pub open: Vec<(Call<'static>, bool)>,
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
