//! Fills the placeholders of a message.

use std::fmt::Write;

use crate::code::Placeholder;
use crate::eval::{Machine, shorten};
use crate::image::format::{MessagePart, RuleRecord, Section};
use crate::scene::target;

impl Machine<'_> {
    /// A rule's message, as of now.
    pub fn message(&self, rule: &RuleRecord, tool: &str) -> String {
        // Room for most messages at once.
        let mut out = String::with_capacity(128);
        for row in rule.message..rule.message + rule.message_len {
            self.part(self.view.row(Section::Messages, row), tool, &mut out);
        }
        out
    }

    fn part(&self, part: MessagePart, tool: &str, out: &mut String) {
        let Some(kind) = Placeholder::from_number(part.kind) else { return };
        let mut number = |value: i64| {
            // Writing to a string cannot fail.
            let _ = write!(out, "{value}");
        };
        match kind {
            Placeholder::Literal => out.push_str(self.view.string(part.argument)),
            Placeholder::Turn => number(i64::from(self.state.turn)),
            Placeholder::TurnCalls => number(i64::from(self.state.turn_calls)),
            Placeholder::Consecutive => number(i64::from(self.scene.consecutive)),
            Placeholder::Counter => number(self.state.counter(part.argument)),
            Placeholder::SetCount => number(self.state.set_len(part.argument) as i64),
            Placeholder::Flag => {
                out.push_str(if self.state.flag(part.argument) { "True" } else { "False" });
            }
            Placeholder::Tool => out.push_str(&shorten(tool)),
            Placeholder::Target => {
                out.push_str(&shorten(target(self.scene.params).map_or("", |target| target.text)));
            }
            Placeholder::Param => {
                if let Some(value) = self.scene.params.get(self.view.string(part.argument)) {
                    out.push_str(&shorten(&value.text()));
                }
            }
        }
    }
}
