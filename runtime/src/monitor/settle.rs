//! What rules of trace policies find when a stretch is over: the session, or the whole trace.

use super::look::{Look, Outcome, excerpt};
use super::stretch::{Slot, Stretch};
use behavior_image::Image;
use behavior_image::code::Scope;
use behavior_image::format::{MonitorRecord, Section};
use behavior_image::trace_rule::MonitorKind;

/// Settles all rules of a scope.
pub(crate) fn settle(
    image: &Image,
    scope: Scope,
    stretch: &mut Stretch,
    exchange: u32,
    out: &mut Outcome,
) {
    let view = image.view();
    for row in 0..image.monitors().len() {
        let monitor: MonitorRecord = view.row(Section::Monitors, row);
        let Some(kind) = MonitorKind::from_number(monitor.kind) else { continue };
        if monitor.scope != scope as u8 {
            continue;
        }
        let look = Look { view, monitor: &monitor, kind, row, exchange };
        look.settle(stretch.slot(row), out);
    }
}

impl Look<'_> {
    fn settle(&self, slot: &Slot, out: &mut Outcome) {
        // A rule that looks at certain pairs only says nothing where there was none.
        let is_gated_out = self.monitor.when_len > 0 && !slot.is_used;
        match self.kind {
            MonitorKind::MustCallOnce if slot.number != 1 && !is_gated_out => {
                let times = match slot.number {
                    0 => "never".to_owned(),
                    more => format!("{more} times"),
                };
                let tool = self.subject();
                let message = match tool {
                    "*" => format!("tools were called {times}, and there must be one call"),
                    _ => format!("`{tool}` was called {times} and must be called once"),
                };
                self.find(out, None, tool, message);
            }
            MonitorKind::MaxTurns | MonitorKind::MaxTotalTokens => self.limit(slot, out),
            MonitorKind::MustIncludeText if slot.is_used && !slot.is_set => {
                let text = excerpt(self.subject());
                self.find(out, None, self.subject(), format!("no response contains {text}"));
            }
            MonitorKind::MustFollowup if slot.is_set => {
                let obligation = self.obligation();
                let message = format!(
                    "the last pair asks for {obligation} in the next response, and there is none"
                );
                self.find(out, Some(slot.number), &obligation, message);
            }
            MonitorKind::MustCallOnce
            | MonitorKind::MustIncludeText
            | MonitorKind::MustFollowup
            | MonitorKind::MustCallBefore
            | MonitorKind::NoCall
            | MonitorKind::RequiredStopReason
            | MonitorKind::MustIncludeTextEach
            | MonitorKind::ForbiddenText
            | MonitorKind::MustMatchJsonSchema
            | MonitorKind::MustRemainConsistent
            | MonitorKind::MustBeGrounded => {}
        }
    }
}
