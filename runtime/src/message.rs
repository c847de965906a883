//! Fills the placeholders of a message.

use crate::document::{MAX_QUOTED, quote};
use crate::eval::Machine;
use crate::prepared_rule::fixed_message;
use behavior_facts::excerpt::{shorten, shown};
use behavior_image::code::Placeholder;
use behavior_image::format::{MessagePart, RuleRecord, Section};

impl Machine<'_> {
    /// A rule's message, as of now, written to `out`, which is empty.
    pub fn message(&mut self, rule: &RuleRecord, tool: &str, mut out: String) -> String {
        if let Some(fixed) = fixed_message(self.view, rule) {
            out.push_str(fixed);
            return out;
        }
        let rows = rule.message..rule.message + rule.message_len;
        let mut parts = rows.clone().map(|row| self.message_part(row));
        if parts.any(|part| part.kind == Placeholder::Document as u32) {
            return self.quoting(rule, tool);
        }
        // Room for most messages at once.
        out.reserve(128);
        for row in rows {
            self.part(self.message_part(row), (rule, tool), &mut out);
        }
        out
    }

    fn message_part(&self, row: u32) -> MessagePart {
        self.view.row(Section::Messages, row)
    }

    /// A message that quotes documents.
    fn quoting(&mut self, rule: &RuleRecord, tool: &str) -> String {
        let mut lines = Lines { left: MAX_QUOTED, ..Lines::default() };
        for row in rule.message..rule.message + rule.message_len {
            let part = self.message_part(row);
            match Placeholder::from_number(part.kind) {
                Some(Placeholder::Literal) => lines.push(self.view.string(part.argument)),
                Some(Placeholder::Document) if !lines.is_dropped => {
                    let name = self.view.string(part.argument);
                    let text = self.host.document(name, true).unwrap_or_default();
                    lines.quote(&text);
                }
                _ if lines.is_dropped => {}
                _ => self.part(part, (rule, tool), &mut lines.out),
            }
        }
        lines.finish()
    }

    fn part(&mut self, part: MessagePart, (rule, tool): (&RuleRecord, &str), out: &mut String) {
        let Some(kind) = Placeholder::from_number(part.kind) else { return };
        let mut number = |value: i64| out.push_str(itoa::Buffer::new().format(value));
        match kind {
            Placeholder::Literal => out.push_str(self.view.string(part.argument)),
            Placeholder::Turn => number(i64::from(self.state.turn)),
            Placeholder::TurnCalls => number(i64::from(self.state.turn_calls)),
            Placeholder::Consecutive => number(i64::from(self.context.consecutive)),
            Placeholder::Counter => number(self.state.counter(part.argument)),
            Placeholder::SetCount => number(self.state.set_len(part.argument) as i64),
            Placeholder::Flag => {
                out.push_str(if self.state.flag(part.argument) { "True" } else { "False" });
            }
            Placeholder::Tool => out.push_str(&shorten(tool)),
            Placeholder::Target => {
                let target = self.context.params.target().map_or("", |target| target.text);
                out.push_str(&shown(target));
            }
            Placeholder::Param => {
                if let Some(value) = self.context.params.get(self.view.string(part.argument)) {
                    out.push_str(&shown(&value.text()));
                }
            }
            Placeholder::Claims => out.push_str(&shown_list(self.ungrounded())),
            Placeholder::Command => out.push_str(&shown(&self.deciding_command(rule))),
            Placeholder::Cause => out.push_str(&shown(&self.cause(rule))),
            // Messages with documents are put together line by line.
            Placeholder::Document => {}
        }
    }
}

/// The first few of a list, and how many there are besides.
fn shown_list(items: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<&str> = items.iter().take(SHOWN).map(String::as_str).collect();
    let more = items.len().saturating_sub(SHOWN);
    let mut list = shown.join("; ");
    if more > 0 {
        list.push_str(&format!("; and {more} more"));
    }
    list
}

/// A message being put together line by line, as its author wrote the lines: one that quotes a
/// document that is not there is left out, together with the heading above it.
#[derive(Default)]
struct Lines {
    out: String,
    /// Where the line begins.
    line: usize,
    /// Where the line above it begins, if there is one that was kept.
    above: Option<usize>,
    /// Whether the rest of the line is left out.
    is_dropped: bool,
    /// How many bytes of documents there is room for.
    left: usize,
}

impl Lines {
    /// Adds text of the author.
    fn push(&mut self, text: &str) {
        for piece in text.split_inclusive('\n') {
            if !self.is_dropped {
                self.out.push_str(piece);
            }
            if piece.ends_with('\n') {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        if self.is_dropped {
            self.is_dropped = false;
        } else {
            self.above = Some(self.line);
            self.line = self.out.len();
        }
    }

    /// Adds a document, as far as there is room; for a blank one, the line goes.
    fn quote(&mut self, text: &str) {
        match quote(text, self.left) {
            Some(quoted) => {
                self.left = self.left.saturating_sub(quoted.len());
                self.out.push_str(&quoted);
            }
            None => self.drop_line(),
        }
    }

    fn drop_line(&mut self) {
        self.out.truncate(self.line);
        self.is_dropped = true;
        let above = self.above.take();
        let is_heading = |start: &usize| {
            self.out.get(*start..).is_some_and(|line| line.trim_end().ends_with(':'))
        };
        if let Some(start) = above.filter(is_heading) {
            self.out.truncate(start);
            self.line = start;
        }
    }

    fn finish(mut self) -> String {
        if self.is_dropped {
            // What stands before the last line ends it no more.
            self.out.truncate(self.out.trim_end().len());
        }
        self.out
    }
}
