//! The world of tests.

use behavior_runtime::Host;

use crate::live::host::LiveHost;
use crate::schemas::WithSchemas;

/// What a test knows of the world: JSON Schemas, and nothing else.
pub(super) fn host() -> Box<dyn Host> {
    Box::new(WithSchemas::new(None::<LiveHost<'_>>))
}
