//! Which violations are the same on both sides. What counts is the rule and what it is about, for rules
//! on sessions the session too; not figures, and not where in the trace. Files and sessions belong
//! together by their names; those without a namesake, whose names were most often made up by chance,
//! are looked at together.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use behavior_image::code::Scope;
use behavior_runtime::Layers;
use behavior_runtime::replay::DEFAULT_SESSION;

use super::gather::{Found, Rule, Side};
use crate::args::FailOn;

/// How the two sides differ.
#[derive(Debug)]
pub struct Comparison {
    /// What only the candidate has.
    pub regressions: Vec<Found>,
    /// What only the baseline has.
    pub fixes: Vec<Found>,
    /// What only the baseline has where the candidate has no session that could have it.
    pub lost: Vec<Found>,
    /// How many both have.
    pub unchanged: u64,
    /// Those of them that the candidate has in another session than the baseline.
    pub moved: Vec<Found>,
    /// The sessions that only the baseline has.
    pub missing: Missing,
}

/// Sessions of the baseline without a counterpart.
#[derive(Debug, Default)]
pub struct Missing {
    /// How many.
    pub sessions: u64,
    /// Of how many.
    pub of: u64,
    /// Their names with their files, where that can be told.
    pub names: Vec<(String, String)>,
}

/// What makes two violations the same one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Identity<'f> {
    rule: Rule,
    subject: &'f str,
    file: Option<usize>,
    /// The session and the exchange in it, for rules on sessions.
    session: Option<(usize, u32)>,
}

/// Violations of the baseline that nothing was matched with yet, by session.
type Open = BTreeMap<Option<usize>, VecDeque<usize>>;

fn take(open: &mut Open, session: Option<usize>) -> Option<usize> {
    let same = open.get_mut(&session)?;
    let first = same.pop_front();
    if same.is_empty() {
        open.remove(&session);
    }
    first
}

/// A session, by its file and its name.
type Key<'s> = (&'s str, &'s str);

/// Which files and sessions of one side have a counterpart on the other: the same number on both.
#[derive(Default)]
struct Places<'s> {
    files: HashMap<&'s str, usize>,
    sessions: HashMap<Key<'s>, usize>,
}

impl Comparison {
    /// Compares two sides. Equal violations are matched one to one, those of one session first.
    pub fn of(layers: &Layers, baseline: &Side, candidate: &Side) -> Self {
        let ([before, after], missing) = pair(baseline, candidate);
        let mut open: HashMap<Identity<'_>, Open> = HashMap::new();
        for (at, found) in baseline.found.iter().enumerate() {
            let same = open.entry(identity(layers, found, &before)).or_default();
            same.entry(before.session(found)).or_default().push_back(at);
        }
        let mut unchanged = 0;
        let mut others = Vec::new();
        for found in &candidate.found {
            let (identity, session) = (identity(layers, found, &after), after.session(found));
            let same = open.get_mut(&identity).and_then(|same| take(same, session));
            match same {
                Some(_) => unchanged += 1,
                None => others.push((found, identity)),
            }
        }
        let (mut regressions, mut moved) = (Vec::new(), Vec::new());
        for (found, identity) in others {
            let same = open.get_mut(&identity).and_then(|same| {
                let session = *same.keys().next()?;
                take(same, session)
            });
            if same.is_some() {
                unchanged += 1;
                moved.push(found.clone());
            } else {
                regressions.push(found.clone());
            }
        }
        let left: HashSet<usize> =
            open.into_values().flat_map(BTreeMap::into_values).flatten().collect();
        let numbered = baseline.found.iter().enumerate();
        let gone = numbered.filter(|(at, _)| left.contains(at)).map(|(_, found)| found.clone());
        // What is about a whole trace may be about what is missing of it.
        let is_lost = |found: &Found| {
            let of_pair = found.pair.is_some() || scope_of(layers, found).is_none();
            missing.sessions > 0 && (before.session(found).is_none() || !of_pair)
        };
        let (lost, fixes) = gone.partition(is_lost);
        Self { regressions, fixes, lost, unchanged, moved, missing }
    }

    /// How bad the worst regression is.
    pub fn worst(&self) -> FailOn {
        self.regressions.iter().map(level).max().unwrap_or(FailOn::None)
    }
}

/// How bad something that was found is.
pub fn level(found: &Found) -> FailOn {
    found.action.into()
}

/// Finds what belongs together on the two sides, and what of the baseline is left.
fn pair<'s>(baseline: &'s Side, candidate: &'s Side) -> ([Places<'s>; 2], Missing) {
    let (mut before, mut after) = (Places::default(), Places::default());
    let theirs: HashSet<&str> = candidate.files.iter().map(|file| &**file).collect();
    for (number, file) in baseline.files.iter().enumerate() {
        if theirs.contains(&**file) {
            before.files.insert(file, number);
            after.files.insert(file, number);
        }
    }
    let (first, second) = (keys(baseline), keys(candidate));
    let (left, right) = (by_name(&first, &before), by_name(&second, &after));
    for (number, key) in first.iter().enumerate() {
        let name = before.name(*key);
        if left.contains_key(&name)
            && let Some(other) = right.get(&name)
        {
            before.sessions.insert(*key, number);
            after.sessions.insert(*other, number);
        }
    }
    let alone = |keys: &[Key<'s>], places: &Places<'s>| -> Vec<Key<'s>> {
        keys.iter().filter(|key| !places.sessions.contains_key(*key)).copied().collect()
    };
    let (first_alone, second_alone) = (alone(&first, &before), alone(&second, &after));
    let sessions = first_alone.len().saturating_sub(second_alone.len()) as u64;
    let own = |(file, session): Key<'_>| (file.to_owned(), session.to_owned());
    let names = match second_alone.is_empty() {
        true => first_alone.into_iter().map(own).collect(),
        false => Vec::new(),
    };
    ([before, after], Missing { sessions, of: first.len() as u64, names })
}

fn keys(side: &Side) -> Vec<Key<'_>> {
    side.sessions.iter().map(|(file, session)| (&**file, &**session)).collect()
}

/// What a session can be found by: in a file with a namesake that and its name, else its name alone.
type Name<'s> = (Option<usize>, &'s str);

/// The sessions by their names, but for those that several have or nobody gave.
fn by_name<'s>(keys: &[Key<'s>], places: &Places<'s>) -> HashMap<Name<'s>, Key<'s>> {
    let mut names: HashMap<_, Key<'s>> = HashMap::new();
    let mut several = HashSet::new();
    for key in keys {
        let name = places.name(*key);
        if name.0.is_none() && name.1 == DEFAULT_SESSION || names.insert(name, *key).is_some() {
            several.insert(name);
        }
    }
    names.retain(|name, _| !several.contains(name));
    names
}

impl<'s> Places<'s> {
    fn name(&self, (file, session): Key<'s>) -> Name<'s> {
        (self.files.get(file).copied(), session)
    }

    fn session(&self, found: &Found) -> Option<usize> {
        self.sessions.get(&(&*found.file, &*found.session)).copied()
    }
}

fn scope_of(layers: &Layers, found: &Found) -> Option<Scope> {
    match found.rule {
        Rule::Rule(rule) => layers.monitors().of_rule(rule).map(|monitor| monitor.scope),
        Rule::Permission(_) => None,
    }
}

fn identity<'f>(layers: &Layers, found: &'f Found, places: &Places<'_>) -> Identity<'f> {
    let is_on_session = scope_of(layers, found) == Some(Scope::Session);
    let session = places.session(found).filter(|_| is_on_session);
    Identity {
        rule: found.rule,
        subject: &found.subject,
        file: places.files.get(&*found.file).copied(),
        session: session.map(|session| (session, found.exchange)),
    }
}

#[cfg(test)]
mod tests {
    use behavior_runtime::decision::Action;

    use super::*;
    use behavior_compiler::provider::{MemoryFiles, WithLibrary};

    /// A rule on the trace and one on each session.
    const POLICY: &str = "\
rules:
  - { id: whole, kind: no_call, params: { tool: x } }
  - { id: each, kind: no_call, params: { tool: x }, scope: session }
";

    fn layers() -> Layers {
        let project = MemoryFiles::new([("p.policy.yaml", POLICY)]);
        let provider = WithLibrary {
            library: behavior_stdlib::file,
            presets: behavior_stdlib::PRESETS,
            project,
        };
        let compilation = behavior_compiler::compile(&provider, "p.policy.yaml");
        Layers::from(std::sync::Arc::new(compilation.image.expect("a valid policy")))
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
        let files = vec![String::new()];
        Side { name: String::new(), found, files, sessions, summary }
    }

    #[track_caller]
    fn check(baseline: &str, candidate: &str, regressions: &str, fixes: &str, unchanged: u64) {
        let comparison = Comparison::of(&layers(), &side(baseline), &side(candidate));
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
        // A fix in one session hides no regression in another.
        check("each/a/x each/b/y each/c/x", "each/a/y each/b/x each/c/x", "0 1", "0 1", 1);
        // Names made up by chance: such sessions are looked at together.
        check("each/1/x each/2/y", "each/7/x each/8/y", "", "", 2);
        check("each/1/x", "each/7/y each/8/x", "0", "", 1);
        check("each/1/x each/a/x", "each/a/x each/7/x each/8/x", "2", "", 2);
    }

    #[test]
    fn what_moves_between_sessions_of_a_trace_is_told() {
        let moved = |baseline: &str, candidate: &str| -> usize {
            Comparison::of(&layers(), &side(baseline), &side(candidate)).moved.len()
        };
        assert_eq!(moved("whole/a/x whole/c/x each/b/y", "each/a/z whole/b/x whole/c/x"), 1);
        assert_eq!(moved("whole/a/x whole/a/x", "whole/a/x whole/a/x"), 0);
        assert_eq!(moved("whole/1/x", "whole/7/x"), 0, "names made up by chance");
    }

    #[test]
    fn sessions_that_are_missing_hold_no_fixes() {
        let lost = |baseline: &str, candidate: &str| {
            let comparison = Comparison::of(&layers(), &side(baseline), &side(candidate));
            (comparison.missing.sessions, comparison.lost.len(), comparison.fixes.len())
        };
        assert_eq!(lost("whole/a/x each/b/x each/b/y", "each/b/y"), (1, 1, 1));
        assert_eq!(lost("whole/a/x", ""), (1, 1, 0));
        assert_eq!(lost("whole/1/x whole/2/y", "whole/7/x"), (1, 1, 0));
        assert_eq!(lost("whole/1/x", "whole/7/y whole/8/y"), (0, 0, 1));
    }
}
