//! What all views for people say alike.

use behavior_runtime::workflow::NextStep;

use crate::workflow::state::Status;

/// What the last line of a run says.
pub fn last_line(id: &str, status: Status, reason: Option<&str>) -> String {
    let mut line = status.name().to_owned();
    if let Some(reason) = reason {
        line.push_str(&format!(": {reason}"));
    }
    if matches!(status, Status::Paused | Status::Failed | Status::Interrupted) {
        line.push_str(&format!("; go on with `behavior workflow resume {id}`"));
    }
    line
}

/// How a step is called.
pub fn title(step: &NextStep<'_>) -> String {
    match (step.depth, step.step.title()) {
        (0, title) if title != step.agent => format!("{title} ({})", step.agent),
        _ => step.agent.to_owned(),
    }
}

/// How often a loop went back: ` [2/3]`.
pub fn repeats(step: &NextStep<'_>) -> String {
    match (step.iteration, step.max_iterations) {
        (0, _) => String::new(),
        (iteration, Some(most)) => format!(" [repeat {iteration}/{most}]"),
        (iteration, None) => format!(" [repeat {iteration}]"),
    }
}

/// A time for people: `1.2 s`.
pub fn seconds(milliseconds: u64) -> String {
    match milliseconds {
        0..60_000 => format!("{}.{} s", milliseconds / 1000, milliseconds % 1000 / 100),
        _ => format!("{}:{:02} min", milliseconds / 60_000, milliseconds / 1000 % 60),
    }
}
