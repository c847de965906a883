//! What a user says of this program itself, in `config.yaml` of their own config directory: nothing that decides
//! on calls.

use behavior_runtime::brain::Brain;

use crate::ast;
use crate::decode::{Decode, Reports, record};
use crate::diagnostic::Diagnostic;
use crate::provider::{ReadError, SourceProvider};
use crate::resolve::brain;
use crate::source::{FileId, SourceMap};
use crate::syntax::{Format, Kind, decode_utf8, parse};

record! {
    /// What a user says of this program itself.
    UserConfig, "the user's `config.yaml`" {
        /// The model that is asked where neither the rules nor the application name one.
        #[default("null")]
        default_brain: ast::Brain,
        /// What the log keeps.
        #[default("{}")]
        log: LogConfig,
    }

    /// What the log keeps.
    LogConfig, "what the log keeps" {
        /// Whether it keeps what models were asked, and what they answered.
        #[default("false")]
        prompts: bool,
    }
}

/// What a user's `config.yaml` comes to.
#[derive(Debug, Default)]
pub struct UserSettings {
    /// The model that is asked where nobody else names one.
    pub default_brain: Option<Brain>,
    /// Whether the log keeps what models were asked, and what they answered.
    pub log_prompts: bool,
    /// What is wrong with the file.
    pub diagnostics: Vec<Diagnostic>,
    /// The file.
    pub sources: SourceMap,
}

/// Reads a user's `config.yaml`. Where it is not there, nothing is said.
///
/// # Errors
/// When the file is there and cannot be read.
pub fn read(provider: &dyn SourceProvider, name: &str) -> Result<UserSettings, ReadError> {
    let mut settings = UserSettings::default();
    let bytes = match provider.read(name) {
        Ok(bytes) => bytes,
        Err(ReadError::NotFound) => return Ok(settings),
        Err(error) => return Err(error),
    };
    let text = match decode_utf8(FileId(0), name, &bytes) {
        Ok(text) => text,
        Err(undecodable) => {
            settings.sources.add(name, undecodable.text);
            settings.diagnostics.push(undecodable.diagnostic);
            return Ok(settings);
        }
    };
    let parsed = parse(FileId(0), &text, Format::Yaml);
    settings.sources.add(name, text);
    let mut reports = Reports { diagnostics: parsed.diagnostics };
    if !matches!(parsed.root.kind, Kind::Broken | Kind::Null)
        && let Some(config) = UserConfig::decode(&parsed.root, &mut reports)
    {
        settings.default_brain =
            config.default_brain.map(|brain| brain::resolve(&brain, &mut reports));
        settings.log_prompts = config.log.and_then(|log| log.prompts).unwrap_or(false);
    }
    settings.diagnostics = reports.diagnostics;
    Ok(settings)
}
