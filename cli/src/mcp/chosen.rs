//! Which session a call is about: one of the project in which the server was started, and of no other.

use serde_json::{Map, Value};

use super::served::{Refused, Served};
use crate::live::constitution::is_of_project;
use crate::live::secret_key::SecretKey;
use crate::live::store::{Key, Listed, Store};
use crate::project;

impl Served {
    /// Returns where sessions are kept.
    pub fn store(&self) -> Result<Store, Refused> {
        let key = self.key()?;
        Ok(Store::at(&self.state, key.seal()))
    }

    /// Returns what authenticates what is kept.
    pub fn key(&self) -> Result<SecretKey, Refused> {
        SecretKey::of_user(&self.state).map_err(|error| {
            let reason = project::describe(&error);
            Refused::new(format!("the key of the user is of no use: {reason}"))
        })
    }

    /// Returns the session that is meant, with its sub-agents behind it; the latest where nobody says which.
    ///
    /// # Errors
    /// When there is none, or several may be meant.
    pub fn chosen(
        &self,
        store: &Store,
        arguments: &Map<String, Value>,
    ) -> Result<Vec<Listed>, Refused> {
        let mut sessions = store.list()?;
        sessions.retain(|listed| is_of_project(listed, &self.project));
        let asked = arguments.get("session").and_then(Value::as_str);
        let is_meant = |key: &Key| match asked {
            Some(asked) => key.session == asked,
            None => self.agent.as_ref().is_none_or(|agent| *agent == key.agent),
        };
        let mut found =
            sessions.iter().filter_map(|listed| listed.key.as_ref()).filter(|key| is_meant(key));
        let Some(first) = found.next().cloned() else {
            return Err(Refused::new(match asked {
                Some(_) => "this project has no session of this id",
                None => {
                    "there is no session of this project yet: it begins with the agent's next event"
                }
            }));
        };
        if asked.is_some() && found.any(|key| key.agent != first.agent) {
            return Err(Refused::new("several agents have a session of this id"));
        }
        let is_of_it = |listed: &Listed| {
            let key = listed.key.as_ref();
            key.is_some_and(|key| key.agent == first.agent && key.session == first.session)
        };
        sessions.retain(is_of_it);
        sessions
            .sort_by_key(|listed| listed.key.as_ref().is_some_and(|key| key.sub_agent.is_some()));
        Ok(sessions)
    }
}

/// The key of the first of them: the session itself.
pub fn key_of(sessions: &[Listed]) -> Result<&Key, Refused> {
    let key = sessions.first().and_then(|listed| listed.key.as_ref());
    key.ok_or_else(|| Refused::new("the session has just ended"))
}
