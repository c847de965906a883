//! The compiled form of everything that decides: its format, writing it, verifying it, and views over its
//! tables.
//!
//! [`Draft`] is an image being written; [`Image::from_bytes`] takes up one that anybody gave, and verifies
//! it whole. What it holds is read through views: [`RuleTable`], [`PolicyTable`] and [`MonitorTable`] for
//! people and other programs, [`View`] row by row for whoever runs it.
//!
//! This crate imports nothing of the others: it does not know how rules are written, nor how they are run.
#![forbid(unsafe_code)]

pub mod brain;
mod checksum;
pub mod classifier;

pub mod code;
mod dependence;
mod disassemble;
mod document_name;
mod error;
mod fold;
pub mod format;
pub mod glob;
mod image;
pub mod literals;
mod matchers;
mod monitors;
pub mod names;
mod numbered;
mod open;
pub mod operand;
pub mod operation;
mod pages;
mod patterns;
pub mod pieces;
mod policy;
pub mod prefilter;
mod rules;
mod runs;
pub mod scan;
pub mod shapes;
mod steps;
mod target;
pub mod trace_rule;
mod verifier;
mod verifier_config;
mod verify;
mod words;
pub mod workflow;
mod write;

pub use checksum::checksum;
pub use document_name::is_name as is_document_name;
pub use error::ImageError;
pub use image::{Image, RuleTest, View};
pub use monitors::{MonitorInfo, MonitorTable, describe_pair_test, pair_tests};
pub use pages::{PAGE, PageSource};
pub use policy::{PermissionInfo, PolicyTable};
pub use rules::{ExceptionInfo, Place, RuleInfo, RuleTable};
pub use runs::{PhasePart, pack_run, unpack_run};
pub use target::{TARGET_PARAMS, is_usual_target};
pub use verifier_config::VerifierConfig;
pub use write::{Draft, StringId};
