//! What is shown of a run while it goes on: plain lines, a picture that changes on a terminal, or JSON for programs.

mod jsonl;
mod live;
mod plain;
mod run_events;
mod words;

pub use run_events::View;

use crate::args::workflow::RunFormat;
use crate::terminal::Terminal;

/// Returns the view for a format, and for where it is shown.
#[must_use]
pub fn view(format: RunFormat, terminal: &Terminal) -> Box<dyn View> {
    use std::io::IsTerminal;
    match format {
        RunFormat::Jsonl => Box::new(jsonl::Jsonl::default()),
        RunFormat::Pretty
            if std::io::stdout().is_terminal() && !terminal.quiet && terminal.color =>
        {
            Box::new(live::Live::new(*terminal))
        }
        RunFormat::Pretty => Box::new(plain::Plain::new(*terminal)),
    }
}
