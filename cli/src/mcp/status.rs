//! `session_status`: what the rules know of the session.

use serde_json::{Map, Value};

use super::chosen::key_of;
use super::served::{Refused, Served};
use crate::session;

/// Tells it, as `behavior session show --format json` does.
pub fn call(served: &Served, arguments: &Map<String, Value>) -> Result<Value, Refused> {
    let store = served.store()?;
    let chosen = served.chosen(&store, arguments)?;
    session::shown(&store, key_of(&chosen)?).map_err(|failure| Refused::new(failure.to_string()))
}
