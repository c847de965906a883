//! What rules of trace policies remember, as bytes. Rules stand by their ids and paths by their names,
//! so that the rules may change while a session goes on.

use super::bytes::{Reader, put_number, put_optional, put_text};
use super::error::SavedError;
use crate::monitor::{Monitors, Obligation, Slot, Stretch, TraceWatch, Watch};
use crate::session::Session;
use behavior_image::Image;
use behavior_image::format::{MonitorRecord, Section};

/// What was saved of the rules of trace policies.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SavedWatch<'b> {
    pairs: u64,
    exchange: u32,
    is_marked: bool,
    has_ended: bool,
    turn_pair: Option<u64>,
    is_turn_used: bool,
    is_used: bool,
    /// Each rule's two slots: of the trace and of the session.
    rules: Vec<(&'b str, Slot, Slot)>,
    pending: Option<Values<'b>>,
    last: Option<Values<'b>>,
}

/// The values at paths.
type Values<'b> = Vec<(&'b str, Option<&'b str>)>;

/// Appends what a session's rules of trace policies remember.
pub(super) fn save(session: &Session, out: &mut Vec<u8>) {
    let Monitors { watch, trace, .. } = &session.monitors;
    let image = session.image();
    let count = image.monitors().len();
    put_number(count.into(), out);
    if count == 0 {
        return;
    }
    put_number(trace.pairs, out);
    put_number(watch.exchange.into(), out);
    put_number(watch.turn_pair.map_or(0, |pair| pair.saturating_add(1)), out);
    for flag in [watch.is_marked, watch.has_ended, watch.is_turn_used, watch.stretch.is_used] {
        out.push(u8::from(flag));
    }
    let view = image.view();
    let empty = Slot::default();
    for row in 0..count {
        let monitor: MonitorRecord = view.row(Section::Monitors, row);
        put_text(image.rules().id(monitor.rule), out);
        for stretch in [&trace.stretch, &watch.stretch] {
            put_slot(stretch.slots.get(row as usize).unwrap_or(&empty), out);
        }
    }
    for values in [&watch.pending, &watch.last] {
        out.push(u8::from(values.is_some()));
        let Some(values) = values else { continue };
        put_number(values.len() as u64, out);
        for (row, value) in (0..).zip(values) {
            put_text(view.string(view.row(Section::PairPaths, row)), out);
            put_optional(value.as_deref(), out);
        }
    }
}

fn put_slot(slot: &Slot, out: &mut Vec<u8>) {
    put_number(slot.number, out);
    put_number(slot.untold, out);
    out.push(u8::from(slot.is_set));
    out.push(u8::from(slot.is_used));
    put_optional(slot.value.as_deref(), out);
    put_number(slot.open.len() as u64, out);
    for open in &slot.open {
        put_number(open.pair, out);
        put_number(open.left.into(), out);
    }
}

impl<'b> Reader<'b> {
    pub(super) fn watch(&mut self) -> Result<SavedWatch<'b>, SavedError> {
        let count = self.count()?;
        let mut saved = SavedWatch::default();
        if count == 0 {
            return Ok(saved);
        }
        saved.pairs = self.number()?;
        saved.exchange = self.small_number()?;
        saved.turn_pair = self.number()?.checked_sub(1);
        saved.is_marked = self.yes_or_no()?;
        saved.has_ended = self.yes_or_no()?;
        saved.is_turn_used = self.yes_or_no()?;
        saved.is_used = self.yes_or_no()?;
        for _ in 0..count {
            saved.rules.push((self.text()?, self.slot()?, self.slot()?));
        }
        saved.pending = self.values()?;
        saved.last = self.values()?;
        Ok(saved)
    }

    fn slot(&mut self) -> Result<Slot, SavedError> {
        Ok(Slot {
            number: self.number()?,
            untold: self.number()?,
            is_set: self.yes_or_no()?,
            is_used: self.yes_or_no()?,
            value: self.optional()?.map(Box::from),
            open: self.list(|reader| {
                Ok(Obligation { pair: reader.number()?, left: reader.small_number()? })
            })?,
        })
    }

    fn values(&mut self) -> Result<Option<Values<'b>>, SavedError> {
        if !self.yes_or_no()? {
            return Ok(None);
        }
        self.list(|reader| Ok((reader.text()?, reader.optional()?))).map(Some)
    }
}

impl SavedWatch<'_> {
    /// The same under an image: what rules of the same ids remember is kept.
    pub(super) fn resume(self, image: &Image) -> (Watch, TraceWatch) {
        let view = image.view();
        let (mut of_trace, mut of_session) = (Stretch::default(), Stretch::default());
        for row in 0..image.monitors().len() {
            let monitor: MonitorRecord = view.row(Section::Monitors, row);
            let id = image.rules().id(monitor.rule);
            let known = self.rules.iter().find(|(known, ..)| *known == id);
            let (trace, session) = known
                .map(|(_, trace, session)| (trace.clone(), session.clone()))
                .unwrap_or_default();
            of_trace.slots.push(trace);
            of_session.slots.push(session);
        }
        of_trace.is_used = self.is_used;
        of_session.is_used = self.is_used;
        let paths = || {
            (0..image.rows::<u32>(Section::PairPaths))
                .map(|row| view.string(view.row(Section::PairPaths, row)))
        };
        let values = |saved: Option<Values<'_>>| {
            let saved = saved?;
            let value = |path: &str| {
                let (_, value) = saved.iter().find(|(known, _)| *known == path)?;
                value.map(Box::from)
            };
            Some(paths().map(value).collect())
        };
        let watch = Watch {
            stretch: of_session,
            is_marked: self.is_marked,
            exchange: self.exchange,
            has_ended: self.has_ended,
            turn_pair: self.turn_pair,
            is_turn_used: self.is_turn_used,
            pending: values(self.pending),
            last: values(self.last),
            ..Watch::default()
        };
        (watch, TraceWatch { stretch: of_trace, pairs: self.pairs, ..TraceWatch::default() })
    }
}
