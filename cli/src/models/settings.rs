//! What a user says of models in `config.yaml` of their config directory.

use behavior_compiler::ReadError;
use behavior_compiler::user_config::{self, UserSettings};

use crate::project;

/// Returns what the user says in `config.yaml` of their config directory. What cannot be read says nothing:
/// `behavior doctor` tells of it.
#[must_use]
pub fn user_settings() -> UserSettings {
    let Some(directory) = project::users_directory() else { return UserSettings::default() };
    let name = project::display(&directory.join("config.yaml"));
    user_config::read(&project::Disk, &name).unwrap_or_default()
}

/// Says what is wrong with the user's `config.yaml`, if anything is.
#[must_use]
pub fn trouble_with_settings() -> Option<String> {
    let name = project::display(&project::users_directory()?.join("config.yaml"));
    let settings = match user_config::read(&project::Disk, &name) {
        Ok(settings) => settings,
        Err(error) => {
            let reason = match error {
                ReadError::NotFound => return None,
                ReadError::Failed(reason) => reason,
            };
            return Some(format!("`{name}` cannot be read: {reason}"));
        }
    };
    let first = settings.diagnostics.first()?;
    let at = settings.sources.get(first.span.file)?.position(first.span.start);
    Some(format!("{name}:{}:{}: {}", at.line, at.column, first.message))
}
