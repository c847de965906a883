//! Counts what rules say, session by session. Knows neither traces nor the log.

use std::collections::{BTreeMap, BTreeSet};

/// Within so many calls of a finding, its rule is heard if it does not speak of the same thing again.
pub const HEARD_WITHIN: u32 = 5;

/// A rule that fired.
#[derive(Clone, Copy, Debug)]
pub struct Firing<'a> {
    pub rule: &'a str,
    /// What it did, if that is known.
    pub action: &'a str,
    /// Whether the agent was told.
    pub is_told: bool,
    /// Whether somebody had allowed what it stops.
    pub is_granted: bool,
}

/// What is known of one rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OfRule {
    /// How often it did what.
    pub actions: BTreeMap<String, u64>,
    pub fired: u64,
    pub told: u64,
    pub granted: u64,
    /// In how many sessions.
    pub sessions: u64,
    /// How often it had spoken of the same thing in the session before.
    pub repeated: u64,
    /// How often enough calls followed to tell whether it was heard, and how often it was.
    pub judged: u64,
    pub heard: u64,
}

/// What is kept of a session while it is read.
#[derive(Debug, Default)]
pub struct Session {
    is_used: bool,
    spoke: BTreeSet<String>,
    /// What rules spoke of, by rule and thing.
    seen: BTreeSet<(String, String)>,
    /// Findings that wait for what comes after them, with the calls that are left.
    open: BTreeMap<(String, String), u32>,
    last: String,
}

/// The figures of all rules.
#[derive(Debug, Default)]
pub struct Figures {
    rules: BTreeMap<String, OfRule>,
    pub calls: u64,
    pub sessions: u64,
}

impl Figures {
    /// Takes up an event: what it calls, if it is a call, and the rules that fired.
    pub fn observe(&mut self, session: &mut Session, call: Option<&str>, firings: &[Firing<'_>]) {
        if let Some(target) = call {
            self.calls += 1;
            session.is_used = true;
            target.clone_into(&mut session.last);
        }
        let fired: BTreeSet<&str> = firings.iter().map(|firing| firing.rule).collect();
        if call.is_some() {
            self.wait(session, &fired);
        }
        for firing in firings {
            let key = (firing.rule.to_owned(), session.last.clone());
            let rule = self.rules.entry(firing.rule.to_owned()).or_default();
            rule.fired += 1;
            rule.told += u64::from(firing.is_told);
            rule.granted += u64::from(firing.is_granted);
            if !firing.action.is_empty() {
                *rule.actions.entry(firing.action.to_owned()).or_default() += 1;
            }
            rule.sessions += u64::from(session.spoke.insert(firing.rule.to_owned()));
            rule.repeated += u64::from(!session.seen.insert(key.clone()));
            session.open.insert(key, HEARD_WITHIN);
        }
    }

    /// Counts a call for the findings that wait.
    fn wait(&mut self, session: &mut Session, fired: &BTreeSet<&str>) {
        let last = session.last.clone();
        let rules = &mut self.rules;
        session.open.retain(|(rule, target), left| {
            let is_again = fired.contains(rule.as_str()) && *target == last;
            *left -= 1;
            if !is_again && *left > 0 {
                return true;
            }
            if let Some(of_rule) = rules.get_mut(rule) {
                of_rule.judged += 1;
                of_rule.heard += u64::from(!is_again);
            }
            false
        });
    }

    /// Takes up the ends of sessions.
    pub fn end(&mut self, sessions: impl IntoIterator<Item = Session>) {
        self.sessions += sessions.into_iter().filter(|session| session.is_used).count() as u64;
    }

    /// Adds those of other sessions.
    pub fn join(&mut self, other: Self) {
        self.calls += other.calls;
        self.sessions += other.sessions;
        for (id, of) in other.rules {
            let rule = self.rules.entry(id).or_default();
            for (action, count) in of.actions {
                *rule.actions.entry(action).or_default() += count;
            }
            rule.fired += of.fired;
            rule.told += of.told;
            rule.granted += of.granted;
            rule.sessions += of.sessions;
            rule.repeated += of.repeated;
            rule.judged += of.judged;
            rule.heard += of.heard;
        }
    }

    /// Adds rules that are in force and did not fire; says of others what they do.
    pub fn add_silent<'r>(&mut self, rules: impl Iterator<Item = (&'r str, &'r str)>) {
        for (id, action) in rules {
            let rule = self.rules.entry(id.to_owned()).or_default();
            if rule.actions.is_empty() {
                rule.actions.insert(action.to_owned(), rule.fired);
            }
        }
    }

    /// Leaves one rule.
    pub fn keep(&mut self, wanted: &str) {
        self.rules.retain(|id, _| id == wanted);
    }

    /// The rules: those that fired most often first.
    pub fn rules(&self) -> impl Iterator<Item = (&str, &OfRule)> {
        let mut rules: Vec<_> = self.rules.iter().collect();
        rules.sort_by_key(|(id, rule)| (std::cmp::Reverse(rule.fired), id.as_str()));
        rules.into_iter().map(|(id, rule)| (id.as_str(), rule))
    }

    /// How often something happens for each hundred calls.
    #[allow(clippy::cast_precision_loss, reason = "these are figures for people")]
    pub fn per_hundred(&self, count: u64) -> f64 {
        if self.calls == 0 { 0.0 } else { count as f64 * 100.0 / self.calls as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::{Figures, Firing, Session};

    fn firing(rule: &str) -> Firing<'_> {
        Firing { rule, action: "warn", is_told: true, is_granted: false }
    }

    #[test]
    fn a_rule_is_heard_if_it_does_not_speak_of_the_same_again() {
        let mut figures = Figures::default();
        let mut session = Session::default();
        figures.observe(&mut session, Some("edit\0a"), &[firing("r")]);
        for target in ["read\0a", "edit\0b", "edit\0c", "edit\0d", "edit\0e"] {
            figures.observe(&mut session, Some(target), &[]);
        }
        figures.observe(&mut session, Some("edit\0a"), &[firing("r")]);
        figures.observe(&mut session, Some("edit\0a"), &[firing("r")]);
        figures.end([session]);
        let (_, rule) = figures.rules().next().unwrap();
        assert_eq!((rule.fired, rule.sessions, rule.repeated), (3, 1, 2));
        // The last one has no calls behind it.
        assert_eq!((rule.judged, rule.heard), (2, 1));
        assert_eq!((figures.calls, figures.sessions), (8, 1));
    }

    #[test]
    fn figures_of_several_files_add_up() {
        let mut all = Figures::default();
        for _ in 0..2 {
            let mut own = Figures::default();
            let mut session = Session::default();
            own.observe(&mut session, Some("bash\0x"), &[firing("r")]);
            own.end([session]);
            all.join(own);
        }
        all.add_silent([("r", "block"), ("s", "ask")].into_iter());
        let rules: Vec<_> = all.rules().map(|(id, rule)| (id, rule.fired)).collect();
        assert_eq!(rules, [("r", 2), ("s", 0)]);
        assert!((all.per_hundred(1) - 50.0).abs() < 1e-9);
    }
}
