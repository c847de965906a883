//! The rules that sessions make for themselves, compiled for the runtime, with what is wrong with them as `check`
//! says it.

use std::sync::Arc;

use behavior_compiler::Severity;
use behavior_compiler::session_rules::compile_session_rules;
use behavior_runtime::Image;
use behavior_runtime::constitution::{Refusal, SessionRule};

use crate::{project, render, report};

/// Compiles rules of a session.
///
/// # Errors
/// What is wrong with them.
pub fn compile(rules: &[SessionRule<'_>]) -> Result<Arc<Image>, Vec<Refusal>> {
    let compilation = compile_session_rules(&project::provider(), rules);
    if let Some(image) = compilation.image {
        return Ok(Arc::new(image));
    }
    let problems = report::problems(&compilation);
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error);
    Err(errors
        .map(|problem| Refusal {
            message: problem.message.clone(),
            detail: render::json::one(problem).unwrap_or_default(),
        })
        .collect())
}

/// Reads what the standard library knows, so that rules to come are compiled at once.
pub fn prepare() {
    let definition = r#"{"trigger": "bash", "action": "remind", "message": "x", "condition": {"all": [{"runs": "x"}, {"writes": "x"}]}}"#;
    // Nobody asks for the rule itself.
    let _ = compile(&[SessionRule { number: 0, definition }]);
}
