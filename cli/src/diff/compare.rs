//! Which violations are the same on both sides. What counts is the rule and what it is about, for rules
//! on sessions the session too; not figures, and not where in the trace.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use behavior_runtime::Image;
use behavior_runtime::code::Scope;
use behavior_runtime::decision::Action;

use super::gather::{Found, Rule, Side};
use crate::args::FailOn;

/// How the two sides differ.
#[derive(Debug)]
pub struct Comparison {
    /// What only the candidate has.
    pub regressions: Vec<Found>,
    /// What only the baseline has.
    pub fixes: Vec<Found>,
    /// How many both have.
    pub unchanged: u64,
}

/// What makes two violations the same one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Identity<'f> {
    rule: Rule,
    subject: &'f str,
    file: &'f str,
    session: Option<(usize, u32)>,
}

/// A number for each session of a side, by file and name.
type Sessions<'s> = HashMap<(&'s str, &'s str), usize>;

impl Comparison {
    /// Compares two sides. Equal violations are matched one to one.
    pub fn of(image: &Image, baseline: &Side, candidate: &Side) -> Self {
        let (before, after) = sessions(baseline, candidate);
        let mut open: HashMap<Identity<'_>, Vec<usize>> = HashMap::new();
        for (at, found) in baseline.found.iter().enumerate().rev() {
            open.entry(identity(image, found, &before)).or_default().push(at);
        }
        let mut regressions = Vec::new();
        let mut unchanged = 0;
        for found in &candidate.found {
            let same = open.get_mut(&identity(image, found, &after)).and_then(Vec::pop);
            match same {
                Some(_) => unchanged += 1,
                None => regressions.push(found.clone()),
            }
        }
        let left: HashSet<usize> = open.into_values().flatten().collect();
        let numbered = baseline.found.iter().enumerate();
        let fixes =
            numbered.filter(|(at, _)| left.contains(at)).map(|(_, found)| found.clone()).collect();
        Self { regressions, fixes, unchanged }
    }

    /// How bad the worst regression is.
    pub fn worst(&self) -> FailOn {
        self.regressions.iter().map(level).max().unwrap_or(FailOn::None)
    }
}

/// How bad something that was found is.
pub fn level(found: &Found) -> FailOn {
    match found.action {
        Action::Block => FailOn::Severe,
        Action::Warn => FailOn::Moderate,
        Action::Remind => FailOn::Minor,
    }
}

/// The sessions of both sides, those that belong together under one number: those of one name, and of
/// the others, which most often have names made up by chance, those in the same place.
fn sessions<'s>(baseline: &'s Side, candidate: &'s Side) -> (Sessions<'s>, Sessions<'s>) {
    let keys = |side: &'s Side| -> Vec<(&'s str, &'s str)> {
        side.sessions.iter().map(|(file, session)| (&**file, &**session)).collect()
    };
    let (first, second) = (keys(baseline), keys(candidate));
    let (mut before, mut after) = (Sessions::new(), Sessions::new());
    let in_second: HashSet<_> = second.iter().collect();
    let mut next = 0;
    let mut others = Vec::new();
    for key in &first {
        if in_second.contains(key) {
            before.insert(*key, next);
            after.insert(*key, next);
            next += 1;
        } else {
            others.push(*key);
        }
    }
    let mut others = others.into_iter();
    for key in second {
        if let Entry::Vacant(place) = after.entry(key) {
            place.insert(next);
            if let Some(same) = others.next() {
                before.insert(same, next);
            }
            next += 1;
        }
    }
    for key in others {
        before.insert(key, next);
        next += 1;
    }
    (before, after)
}

fn identity<'f>(image: &Image, found: &'f Found, sessions: &Sessions<'_>) -> Identity<'f> {
    let scope = match found.rule {
        Rule::Rule(rule) => image.monitor_of(rule).map(|monitor| monitor.scope),
        Rule::Permission(_) => None,
    };
    let session = || sessions.get(&(&*found.file, &*found.session)).copied();
    Identity {
        rule: found.rule,
        subject: &found.subject,
        file: &found.file,
        session: (scope == Some(Scope::Session))
            .then(|| session().map(|session| (session, found.exchange)))
            .flatten(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use behavior_compiler::provider::{MemoryFiles, WithLibrary};

    /// A rule on the trace and one on each session.
    const POLICY: &str = "\
rules:
  - { id: whole, kind: no_call, params: { tool: x } }
  - { id: each, kind: no_call, params: { tool: x }, scope: session }
";

    fn image() -> Image {
        let project = MemoryFiles::new([("p.policy.yaml", POLICY)]);
        let provider = WithLibrary {
            library: behavior_stdlib::file,
            presets: behavior_stdlib::PRESETS,
            project,
        };
        behavior_compiler::compile(&provider, "p.policy.yaml").image.expect("a valid policy")
    }

    /// A side from `rule/session/subject` words.
    fn side(words: &str) -> Side {
        let mut sessions: Vec<(String, String)> = Vec::new();
        let mut found = Vec::new();
        for (index, word) in (0..).zip(words.split_whitespace()) {
            let mut parts = word.split('/').map(str::to_owned);
            let mut part = || parts.next().expect("three parts");
            let (rule, session, subject) = (part(), part(), part());
            if !sessions.iter().any(|(_, known)| *known == session) {
                sessions.push((String::new(), session.clone()));
            }
            found.push(Found {
                rule: Rule::Rule(u32::from(rule == "each")),
                action: Action::Block,
                message: format!("{index}"),
                subject,
                pair: Some(index),
                exchange: 0,
                file: String::new(),
                session,
                index: Some(index),
                line: None,
            });
        }
        let summary = crate::simulate::summary::Summary::default();
        Side { name: String::new(), found, sessions, summary }
    }

    #[track_caller]
    fn check(baseline: &str, candidate: &str, regressions: &str, fixes: &str, unchanged: u64) {
        let comparison = Comparison::of(&image(), &side(baseline), &side(candidate));
        let messages = |found: &[Found]| -> String {
            found.iter().map(|found| found.message.clone()).collect::<Vec<_>>().join(" ")
        };
        let found = (messages(&comparison.regressions), messages(&comparison.fixes));
        assert_eq!(found, (regressions.to_owned(), fixes.to_owned()), "{baseline} | {candidate}");
        assert_eq!(comparison.unchanged, unchanged);
    }

    #[test]
    fn equal_violations_are_matched_one_to_one() {
        check("", "", "", "", 0);
        check("whole/a/x", "whole/a/x", "", "", 1);
        check("whole/a/x", "whole/a/x whole/a/x", "1", "", 1);
        check("whole/a/x whole/a/x", "whole/a/x", "", "1", 1);
        check("whole/a/x", "whole/a/y", "0", "0", 0);
    }

    #[test]
    fn sessions_count_for_rules_on_sessions_only() {
        check("whole/a/x each/b/x", "whole/b/x each/a/x", "1", "1", 1);
        // Names made up by chance: the place among the sessions counts.
        check("each/1/x each/2/y", "each/7/x each/8/y", "", "", 2);
        check("each/1/x", "each/7/y each/8/x", "0 1", "0", 0);
    }
}
