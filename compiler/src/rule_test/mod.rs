//! Rule tests as typed values: files `*.test.yaml`, and the `examples` of rules. What they hold is checked here, as
//! in every other file; nothing here runs them.

mod cases;
mod event;
mod expected;
mod file;
mod impossible;
mod inline;
mod misspelt;
mod named_files;
mod origin;
mod records;

pub use event::{EventNode, NATIVE_EVENTS, Step, steps};
pub(crate) use event::{call_in, docs_of, fields_of};
pub use file::{Suite, is_test_file, read};
pub(crate) use file::{begins_tests, check, holds_no_rules};
pub(crate) use inline::own_config;
pub use inline::{InTest, InlineConfig, inline_config};
pub(crate) use misspelt::check as check_events;
pub use origin::{Origin, folder_of, join, origin, project};
pub use records::{
    ExampleEvents, Expectation, ExpectedCall, ExpectedPermission, ExpectedState, ExpectedStreak,
    ExpectedTransition, ExpectedVerdict, ExpectedVerifier, OwnConfig, OwnRules, RuleExamples,
    RuleTest, TestCases, TestFile,
};
