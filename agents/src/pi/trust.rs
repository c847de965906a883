//! In which projects pi loads extensions: since 0.79 those that its user approved. The nearest decision above the
//! folder counts, then the user's settings, as its page on security says.

use std::path::Path;

use crate::own::{Effect, Hindrance, Installation};
use crate::pi::install::{SETTINGS, TRUST};
use crate::tree::{Kind, Node};

/// Returns why pi does not load our extension.
pub(crate) fn hindrances(installation: &Installation<'_>) -> Vec<Hindrance> {
    let Some(project) = installation.project else { return Vec::new() };
    let decisions = installation.user_file(TRUST);
    let decided = decisions.as_ref().and_then(|root| {
        Path::new(project).ancestors().find_map(|folder| {
            match root.member(folder.to_str()?)?.kind {
                Kind::Bool(is_trusted) => Some(is_trusted),
                _ => None,
            }
        })
    });
    let settings = installation.user_file(SETTINGS);
    let usual = settings.as_ref().and_then(|root| root.member("defaultProjectTrust"));
    let (effect, what) = match (decided, usual.and_then(Node::text)) {
        (Some(true), _) => return Vec::new(),
        (Some(false), _) | (None, Some("never")) => {
            (Effect::Silences, "is told not to trust this project")
        }
        (None, Some("always")) => return Vec::new(),
        // Interactive, it asks when it starts; otherwise it loads nothing, and says nothing.
        (None, _) => (Effect::Weakens, "has not been told to trust this project"),
    };
    let message = format!(
        "pi {what}, so that from 0.79 on it does not load the extension: start it here and approve the project, or \
         with `--approve`"
    );
    vec![Hindrance::new(1, effect, message)]
}
