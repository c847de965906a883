//! Decisions as JSON that wait until it is known whether more belongs to them: what is found about a
//! whole session or trace stands on its last decision, and which one that is shows only later.

use std::collections::{HashMap, VecDeque};

use behavior_runtime::decision::{Finding, Undecided};

/// How much may wait. Beyond, the oldest is printed, and what is found about its session later
/// stands on the last decision of the trace.
const MOST_BYTES: usize = 64 << 20;

/// A decision that was written and may be added to.
pub struct Written {
    /// The number of its session.
    pub slot: usize,
    /// Its JSON.
    pub text: String,
    /// Where its list of findings ends: before the bracket.
    pub findings_end: usize,
    /// Whether it is printed though nothing is found.
    pub is_wanted: bool,
    /// Whether its session ends with it, so that nothing about that can come later.
    pub is_over: bool,
}

struct Entry {
    written: Written,
    is_open: bool,
}

/// The decisions that wait.
#[derive(Default)]
pub struct Hold {
    entries: VecDeque<Entry>,
    /// The number of the first entry; they are counted from 0.
    first: u64,
    last_of: HashMap<usize, u64, foldhash::fast::RandomState>,
    bytes: usize,
}

/// Writes a finding, and what could not be decided.
pub trait Write {
    /// Appends a finding.
    fn finding(&self, finding: &Finding, out: &mut String);
    /// Appends something that could not be decided.
    fn undecided(&self, undecided: &Undecided, out: &mut String);
}

impl Hold {
    /// Takes a decision; what can no longer change is appended to `out`.
    pub fn push(&mut self, written: Written, out: &mut String) {
        let number = self.first + self.entries.len() as u64;
        let earlier = self.last_of.insert(written.slot, number);
        if let Some(entry) = earlier.and_then(|earlier| self.entry(earlier)) {
            entry.is_open = false;
        }
        self.bytes += written.text.len();
        let is_open = !written.is_over;
        self.entries.push_back(Entry { written, is_open });
        while self.entries.len() > 1
            && (self.bytes > MOST_BYTES || self.entries.front().is_some_and(|entry| !entry.is_open))
        {
            self.print_first(out);
        }
    }

    /// Adds what was found about a session, or about everything for none, to its last decision.
    pub fn add(
        &mut self,
        slot: Option<usize>,
        findings: &[Finding],
        undecided: &[Undecided],
        write: &dyn Write,
    ) {
        if findings.is_empty() && undecided.is_empty() {
            return;
        }
        let newest = self.first + (self.entries.len() as u64).saturating_sub(1);
        let at = slot.and_then(|slot| self.last_of.get(&slot).copied()).unwrap_or(newest);
        let at = if at < self.first { newest } else { at };
        let Some(entry) = self.entry(at) else { return };
        let before = entry.written.text.len();
        add_to(&mut entry.written, findings, undecided, write);
        let grown = entry.written.text.len() - before;
        self.bytes += grown;
    }

    /// Appends all that waits to `out`.
    pub fn print_all(&mut self, out: &mut String) {
        while !self.entries.is_empty() {
            self.print_first(out);
        }
    }

    fn entry(&mut self, number: u64) -> Option<&mut Entry> {
        let at = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.entries.get_mut(at)
    }

    fn print_first(&mut self, out: &mut String) {
        let Some(Entry { written, .. }) = self.entries.pop_front() else { return };
        self.first += 1;
        self.bytes -= written.text.len();
        if written.is_wanted {
            out.push_str(&written.text);
        }
    }
}

fn add_to(written: &mut Written, findings: &[Finding], undecided: &[Undecided], write: &dyn Write) {
    let tail = written.text.split_off(written.findings_end);
    for finding in findings {
        if !written.text.ends_with('[') {
            written.text.push(',');
        }
        write.finding(finding, &mut written.text);
    }
    written.findings_end = written.text.len();
    written.is_wanted = true;
    let Some(rest) = tail.strip_prefix(']') else {
        written.text.push_str(&tail);
        return;
    };
    written.text.push(']');
    if undecided.is_empty() {
        written.text.push_str(rest);
        return;
    }
    written.text.push_str(UNDECIDED);
    undecided.iter().enumerate().for_each(|(index, one)| {
        written.text.push_str(if index > 0 { "," } else { "" });
        write.undecided(one, &mut written.text);
    });
    match rest.strip_prefix(UNDECIDED) {
        Some(others) => {
            written.text.push(',');
            written.text.push_str(others);
        }
        None => {
            written.text.push(']');
            written.text.push_str(rest);
        }
    }
}

/// How the list of what could not be decided begins, behind the findings.
pub const UNDECIDED: &str = ",\"undecided\":[";

#[cfg(test)]
mod tests {
    use super::*;
    use behavior_runtime::decision::{Action, Phase};

    struct Short;

    impl Write for Short {
        fn finding(&self, finding: &Finding, out: &mut String) {
            out.push_str(&finding.message);
        }

        fn undecided(&self, undecided: &Undecided, out: &mut String) {
            out.push_str(&undecided.needs);
        }
    }

    fn written(slot: usize, name: &str, is_wanted: bool) -> Written {
        let text = format!("{name}[]\n");
        Written { slot, findings_end: name.len() + 1, text, is_wanted, is_over: false }
    }

    fn finding(message: &str) -> Finding {
        let (action, phase) = (Action::Warn, Phase::Exchange);
        Finding { rule: 0, action, phase, message: message.to_owned(), violation: None }
    }

    #[test]
    fn what_comes_late_stands_on_the_last_decision_of_its_session() {
        let (mut hold, mut out) = (Hold::default(), String::new());
        for (slot, name) in [(0, "a1"), (0, "a2"), (1, "b1"), (1, "b2"), (0, "a3")] {
            hold.push(written(slot, name, name != "a3"), &mut out);
        }
        assert_eq!(out, "a1[]\na2[]\nb1[]\n", "what is no longer last is printed");
        hold.add(Some(1), &[finding("x"), finding("y")], &[], &Short);
        hold.add(None, &[finding("z")], &[Undecided { rule: 0, needs: "w".to_owned() }], &Short);
        hold.print_all(&mut out);
        assert_eq!(out, "a1[]\na2[]\nb1[]\nb2[x,y]\na3[z],\"undecided\":[w]\n");
    }
}
