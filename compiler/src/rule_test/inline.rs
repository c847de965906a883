//! Configs that stand in a test. They are read where they stand: what is said of a rule points to its place in the
//! test file.

use std::sync::Arc;

use super::records::RuleTest;
use crate::provider::{ReadError, SourceProvider};
use crate::source::Source;
use crate::syntax::{Entry, Key, Kind, Node};
use crate::trace_policy::json_of;

/// A config out of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct InlineConfig {
    /// The name of the test file, under which it is compiled.
    pub name: String,
    /// The config, by its places in the test file.
    pub config: Arc<Node>,
    /// The same for configs that say the same, wherever they stand.
    pub key: String,
}

/// Returns the config that stands in a test of a file; `None` where it has none of its own.
#[must_use]
pub fn inline_config(file: &Source, test: &RuleTest) -> Option<InlineConfig> {
    let rules = test.rules.as_ref().map(|rules| &rules.0);
    let config = own_config(rules, test.config.as_ref().map(|config| &config.0))?;
    let key = json_of(&config).to_string();
    Some(InlineConfig { name: file.name.clone(), config: Arc::new(config), key })
}

/// The config that the fields `rules` and `config` of a test are.
pub(crate) fn own_config(rules: Option<&Node>, config: Option<&Node>) -> Option<Node> {
    let (value, field) = match (rules, config) {
        (Some(rules), _) if rules.items().is_some() => (rules, "rule_definitions"),
        (Some(rules), _) => (rules, "rules"),
        (None, Some(config)) if config.entries().is_some() => return Some(config.clone()),
        _ => return None,
    };
    let key = Key { text: field.into(), span: value.span };
    let entry = Entry { key, value: value.clone() };
    Some(Node { span: value.span, kind: Kind::Map(vec![entry]) })
}

/// The files of a provider, of which a test file is read as the config that stands in one of its tests.
pub struct InTest<'a> {
    /// Where all files come from.
    pub below: &'a dyn SourceProvider,
    /// The config.
    pub inline: &'a InlineConfig,
}

impl SourceProvider for InTest<'_> {
    fn read(&self, name: &str) -> Result<Vec<u8>, ReadError> {
        self.below.read(name)
    }

    fn list(&self, directory: &str) -> Vec<String> {
        self.below.list(directory)
    }

    fn has_secret(&self, name: &str) -> bool {
        self.below.has_secret(name)
    }

    fn has_default_brain(&self) -> Option<bool> {
        self.below.has_default_brain()
    }

    fn config_inside(&self, name: &str) -> Option<Node> {
        (name == self.inline.name).then(|| Node::clone(&self.inline.config))
    }
}
