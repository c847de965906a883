//! What rules of trace policies find when a stretch is over: the session, or the whole trace.

use super::look::{Look, Outcome, excerpt};
use super::stretch::{Slot, Stretch};
use behavior_image::Image;
use behavior_image::code::Scope;
use behavior_image::format::{MonitorRecord, Section};
use behavior_image::trace_rule::MonitorKind;

/// Settles all rules of a scope, but those that look at each turn by itself.
pub(crate) fn settle(
    image: &Image,
    scope: Scope,
    stretch: &mut Stretch,
    exchange: u32,
    out: &mut Outcome,
) {
    each(image, exchange, |look| {
        if look.monitor.scope == scope as u8 && look.monitor.each_turn == 0 {
            look.settle(stretch.slot(look.row), None, out);
        }
    });
}

/// Settles the rules that look at each turn by itself, now that one is over, and lets them begin anew. Such rules are
/// all about sessions.
pub(crate) fn settle_turn(
    image: &Image,
    stretch: &mut Stretch,
    exchange: u32,
    last_pair: Option<u64>,
    out: &mut Outcome,
) {
    each(image, exchange, |look| {
        if look.monitor.each_turn != 0 {
            let slot = stretch.slot(look.row);
            look.settle(slot, last_pair, out);
            *slot = Slot::default();
        }
    });
}

fn each(image: &Image, exchange: u32, mut look_at: impl FnMut(&Look<'_>)) {
    let view = image.view();
    for row in 0..image.monitors().len() {
        let monitor: MonitorRecord = view.row(Section::Monitors, row);
        let Some(kind) = MonitorKind::from_number(monitor.kind) else { continue };
        look_at(&Look { view, monitor: &monitor, kind, row, exchange });
    }
}

impl Look<'_> {
    fn settle(&self, slot: &Slot, pair: Option<u64>, out: &mut Outcome) {
        // A rule that looks at certain pairs only says nothing where there was none.
        let is_gated_out = self.monitor.when_len > 0 && !slot.is_used;
        match self.kind {
            MonitorKind::MustCallOnce if slot.number != 1 && !is_gated_out => {
                let times = match slot.number {
                    0 => "never".to_owned(),
                    more => format!("{more} times"),
                };
                let tool = self.subject();
                let turn = if self.monitor.each_turn == 0 { "" } else { " in a turn" };
                let message = match tool {
                    "*" => format!("tools were called {times}{turn}, and there must be one call"),
                    _ => format!("`{tool}` was called {times}{turn} and must be called once"),
                };
                self.find(out, pair, tool, message);
            }
            MonitorKind::MaxTurns | MonitorKind::MaxTotalTokens => self.limit(slot, out),
            MonitorKind::MustIncludeText if slot.is_used && !slot.is_set => {
                let text = excerpt(self.subject());
                self.find(out, None, self.subject(), format!("no response contains {text}"));
            }
            MonitorKind::MustFollowup => {
                let obligation = self.obligation();
                for open in &slot.open {
                    let message = match self.monitor.number {
                        0 | 1 => format!(
                            "the last pair asks for {obligation} in the next response, and there is none"
                        ),
                        more => format!(
                            "pair {} asks for {obligation} in the next {more} responses, and there are no more",
                            open.pair
                        ),
                    };
                    self.find(out, Some(open.pair), &obligation, message);
                }
            }
            MonitorKind::MustCallOnce
            | MonitorKind::MustIncludeText
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
