//! The registry: every diagnostic, field and condition, each declared once.

pub mod diagnostics;
pub mod json_schema;
pub mod page;
pub mod schema;
