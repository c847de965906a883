//! Decisions that wait until it is known whether more belongs to them: what is found about a whole
//! session or trace stands on its last decision, and which one that is shows only later.

use std::collections::{HashMap, VecDeque};

use behavior_runtime::decision::{Finding, Undecided};

use super::json::Row;

/// How much may wait, in bytes. Beyond, the oldest is printed, and what is found about its session later
/// stands on the last decision of the trace.
const MAX_BYTES: usize = 64 << 20;

/// A decision that may be added to.
#[derive(Clone, Debug)]
pub struct Held {
    /// The number of its session.
    pub slot: usize,
    /// The decision.
    pub row: Row<'static>,
    /// Whether it is printed though nothing is found.
    pub is_wanted: bool,
    /// Whether its session has ended or gone on, so that nothing about it can come later.
    pub is_over: bool,
}

/// The decisions that wait.
#[derive(Default)]
pub struct Hold {
    held: VecDeque<Held>,
    /// The number of the first one; they are counted from 0.
    first: u64,
    last_of: HashMap<usize, u64, foldhash::fast::RandomState>,
    bytes: usize,
}

impl Hold {
    /// Takes a decision.
    pub fn push(&mut self, held: Held) {
        let number = self.first + self.held.len() as u64;
        let earlier = self.last_of.insert(held.slot, number);
        if let Some(held) = earlier.and_then(|earlier| self.get_mut(earlier)) {
            held.is_over = true;
        }
        self.bytes += held.row.size();
        self.held.push_back(held);
    }

    /// Adds what was found about a session, or about everything for none, to its last decision.
    pub fn add(&mut self, slot: Option<usize>, findings: &[Finding], undecided: &[Undecided]) {
        if findings.is_empty() && undecided.is_empty() {
            return;
        }
        let newest = self.first + (self.held.len() as u64).saturating_sub(1);
        let at = slot.and_then(|slot| self.last_of.get(&slot).copied()).unwrap_or(newest);
        let at = if at < self.first { newest } else { at };
        let Some(held) = self.get_mut(at) else { return };
        held.is_wanted = true;
        let before = held.row.size();
        let decision = held.row.decision.to_mut();
        decision.findings.extend_from_slice(findings);
        decision.undecided.splice(0..0, undecided.iter().cloned());
        let grown = held.row.size() - before;
        self.bytes += grown;
    }

    /// Returns the next decision to be printed that can no longer change, or for which there is no room.
    pub fn next_ready(&mut self) -> Option<Row<'static>> {
        while self.held.len() > 1
            && (self.bytes > MAX_BYTES || self.held.front().is_some_and(|held| held.is_over))
        {
            let held = self.held.pop_front()?;
            self.first += 1;
            self.bytes -= held.row.size();
            if held.is_wanted {
                return Some(held.row);
            }
        }
        None
    }

    /// Returns all that waits and is to be printed.
    pub fn into_rows(self) -> impl Iterator<Item = Row<'static>> {
        self.held.into_iter().filter(|held| held.is_wanted).map(|held| held.row)
    }

    fn get_mut(&mut self, number: u64) -> Option<&mut Held> {
        let at = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.held.get_mut(at)
    }
}

impl Row<'_> {
    /// Returns about how much memory it takes, in bytes.
    fn size(&self) -> usize {
        let of_findings = |finding: &Finding| size_of::<Finding>() + finding.message.len();
        size_of::<Self>()
            + self.session.as_deref().map_or(0, str::len)
            + self.decision.findings.iter().map(of_findings).sum::<usize>()
            + self.state.as_ref().map_or(0, |state| state.get().len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use behavior_runtime::decision::{Action, Phase};

    fn held(slot: usize, name: &'static str, is_wanted: bool) -> Held {
        let row = Row { session: Some(name.into()), ..Row::default() };
        Held { slot, row, is_wanted, is_over: false }
    }

    fn finding(message: &str) -> Finding {
        Finding::new(0, Action::Warn, Phase::Exchange, message.to_owned())
    }

    fn told(row: &Row<'_>) -> String {
        let findings = row.decision.findings.iter().map(|finding| &*finding.message);
        let undecided = row.decision.undecided.iter().map(|undecided| &*undecided.needs);
        let (findings, undecided): (Vec<_>, Vec<_>) = (findings.collect(), undecided.collect());
        format!("{}{findings:?}{undecided:?}", row.session.as_deref().unwrap_or_default())
    }

    #[test]
    fn what_comes_late_stands_on_the_last_decision_of_its_session() {
        let (mut hold, mut out) = (Hold::default(), Vec::new());
        for (slot, name) in [(0, "a1"), (0, "a2"), (1, "b1"), (1, "b2"), (0, "a3")] {
            hold.push(held(slot, name, name != "a3"));
            out.extend(std::iter::from_fn(|| hold.next_ready()).map(|row| told(&row)));
        }
        assert_eq!(out, ["a1[][]", "a2[][]", "b1[][]"], "what is no longer last is printed");
        hold.add(Some(1), &[finding("x"), finding("y")], &[]);
        hold.add(
            None,
            &[finding("z")],
            &[Undecided { rule: 0, needs: "w".to_owned(), is_opaque: false }],
        );
        let rest: Vec<_> = hold.into_rows().map(|row| told(&row)).collect();
        assert_eq!(rest, [r#"b2["x", "y"][]"#, r#"a3["z"]["w"]"#]);
    }
}
