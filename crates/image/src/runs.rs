//! Runs of rows: how one is packed into a constant, and those of a trigger group by phase.

use crate::format::{Run, TriggerGroup};

/// A run as one constant.
#[must_use]
pub fn pack_run(run: Run) -> u64 {
    u64::from(run.start) << 32 | u64::from(run.len)
}

/// The run that a constant holds.
#[must_use]
pub fn unpack_run(value: u64) -> Run {
    Run { start: (value >> 32) as u32, len: value as u32 }
}

/// The part of a trigger group that concerns one phase.
#[derive(Clone, Copy, Debug)]
pub struct PhasePart {
    /// Rules to look at, always: a run of the lists table.
    pub always: Run,
    /// Those to look at only when a number is high enough.
    pub thresholds: Run,
    /// Which scans may bring in more: a bit for each.
    pub scans: u32,
}

impl PhasePart {
    /// The three parts, in the order of [`crate::code::Phase`].
    #[inline(always)]
    #[must_use]
    pub fn of(group: &TriggerGroup) -> [PhasePart; 4] {
        let part = |start, len, thresholds, thresholds_len, scans| PhasePart {
            always: Run { start, len },
            thresholds: Run { start: thresholds, len: thresholds_len },
            scans,
        };
        let g = group;
        [
            part(g.pre, g.pre_len, g.pre_thresholds, g.pre_thresholds_len, g.pre_scans),
            part(g.post, g.post_len, g.post_thresholds, g.post_thresholds_len, g.post_scans),
            part(g.text, g.text_len, g.text_thresholds, g.text_thresholds_len, g.text_scans),
            part(g.end, g.end_len, g.end_thresholds, g.end_thresholds_len, g.end_scans),
        ]
    }
}
