//! Compiles agent rule files into a verified decision image.
//!
//! Pure: no IO, no clock, no environment. Files come from a source provider; problems are
//! collected as [`diagnostic::Diagnostic`]s, never thrown.
#![forbid(unsafe_code)]

pub mod diagnostic;
pub mod registry;
pub mod source;
pub mod syntax;
