//! Finds sessions that show problems.

use std::collections::HashMap;

use super::meant::{Meant, Rules, TOO, can_be_shown, meant, rule_at, span_in};
use super::play::{Said, play};
use super::sample::{Usual, sessions};
use crate::compilation::Compilation;
use crate::diagnostic::{Happening, Wanted, Witness};
use crate::ir::{Program, Reference, Rule};
use crate::lint::each_test;
use crate::problem::Problem;
use crate::provider::SourceProvider;
use crate::registry::diagnostics::COMMAND_AS_TOOL;
use crate::source::Span;

/// So many problems are looked at: each may take a compilation.
const MAX: usize = 64;
/// So many rules are tried for state that has a problem.
const MAX_RULES: usize = 8;
/// A command line where no rule asks for one.
const COMMAND: &str = "ls";

/// Gives problems a session that shows them, where there is one. What does not come true when the rules of their file
/// decide is not given, nor is what the problem came with.
pub fn show(provider: &dyn SourceProvider, problems: &mut [Problem]) {
    let mut files: HashMap<String, Option<(Rules, Compilation)>> = HashMap::new();
    let is_wanted = |problem: &&mut Problem| problem.witness.is_some() || can_be_shown(problem);
    for (number, problem) in problems.iter_mut().filter(is_wanted).enumerate() {
        let name = &problem.place.source.name;
        let compile = || Rules::of(provider, name).filter(|_| number < MAX);
        let known = files.entry(name.clone()).or_insert_with(compile).as_ref();
        let written = known.filter(|_| number < MAX);
        let witness = written.and_then(|(written, compilation)| match &problem.witness {
            Some(witness) => shows(written, witness).then(|| Witness::clone(witness)),
            None => found(provider, (written, compilation), problem),
        });
        problem.witness = witness.map(Box::new);
    }
}

/// Whether something else comes of a session than was meant.
fn shows(rules: &Rules, witness: &Witness) -> bool {
    let said = play(&rules.image, &witness.events);
    let Some(last) = said.last() else { return false };
    match &witness.wanted {
        Wanted::Permission(wanted) => last.permission.is_some_and(|action| action != *wanted),
        Wanted::Fires { rule } => last.by(rule).is_none(),
        Wanted::Says { rule, message } => last.by(rule).is_some_and(|said| said != message),
        Wanted::Passes { rule, .. } => last.by(rule).is_some(),
    }
}

fn found(
    provider: &dyn SourceProvider,
    (written, compilation): (&Rules, &Compilation),
    problem: &Problem,
) -> Option<Witness> {
    let span = span_in(compilation, &problem.place)?;
    let usual = Usual { command: command(problem), letter: None };
    match meant(provider, (written, compilation), problem, span)? {
        Meant::Less => {
            let rule = rule_at(&written.program, span)?;
            let mut tried = sessions(&written.program, rule, usual).into_iter();
            tried.find_map(|session| {
                let said = play(&written.image, &session);
                said.last()?.by(&rule.id)?;
                Some(witness(session, passes(&rule.id, &said)))
            })
        }
        Meant::Rules(meant) => {
            let rules = concerned(&written.program, &meant.program, span);
            rules.into_iter().take(MAX_RULES).find_map(|rule| {
                let letters = [None, Some('b')];
                letters
                    .into_iter()
                    .find_map(|letter| differing(written, &meant, rule, Usual { letter, ..usual }))
            })
        }
    }
}

/// The rules that a place is about: the one that it is in, one that is only there as it was meant, or those that ask
/// for the state that stands there.
fn concerned<'m>(written: &Program, meant: &'m Program, span: Span) -> Vec<&'m Rule> {
    let own = rule_at(written, span).map(|rule| &rule.id);
    let is_new = |rule: &Rule| {
        rule.id.ends_with(TOO) && written.rules.iter().all(|known| known.id != rule.id)
    };
    let is_concerned = |rule: &&Rule| match own {
        Some(own) => rule.id == *own,
        None => is_new(rule) || asks_for(meant, rule, span),
    };
    meant.rules.iter().filter(is_concerned).collect()
}

/// Whether a rule asks for what is declared at a place.
fn asks_for(program: &Program, rule: &Rule, span: Span) -> bool {
    let mut asks = false;
    each_test(&rule.condition, &mut |test, _| {
        test.each_reference(&mut |reference| {
            let declared = match reference {
                Reference::Set(at) => program.sets.get(at as usize).map(|set| set.span),
                Reference::Counter(at) => program.counters.get(at as usize).map(|it| it.span),
                Reference::Flag(at) => program.flags.get(at as usize).map(|flag| flag.span),
                _ => None,
            };
            asks |= declared == Some(span);
        });
    });
    asks
}

/// A session on which a rule does not do what was meant.
fn differing(written: &Rules, meant: &Rules, rule: &Rule, usual: Usual<'_>) -> Option<Witness> {
    let own = match written.program.rules.iter().any(|known| known.id == rule.id) {
        true => &*rule.id,
        false => rule.id.strip_suffix(TOO)?,
    };
    sessions(&meant.program, rule, usual).into_iter().find_map(|session| {
        let said = play(&written.image, &session);
        let better = play(&meant.image, &session);
        let wanted = match (said.last()?.by(own), better.last()?.by(&rule.id)) {
            (None, Some(_)) => Wanted::Fires { rule: own.to_owned() },
            (Some(_), None) => passes(own, &said),
            (Some(said), Some(message)) if said != message => {
                Wanted::Says { rule: own.to_owned(), message: message.to_owned() }
            }
            _ => return None,
        };
        Some(witness(session, wanted))
    })
}

/// What was meant where a rule is not to fire in the end, and all others do as they did.
fn passes(rule: &str, said: &[Said]) -> Wanted {
    let mut others: Vec<Vec<String>> =
        said.iter().map(|said| said.rules.iter().map(|(id, _)| id.clone()).collect()).collect();
    if let Some(last) = others.last_mut() {
        last.retain(|id| id != rule);
    }
    Wanted::Passes { rule: rule.to_owned(), others }
}

fn witness(events: Vec<Happening>, wanted: Wanted) -> Witness {
    let spelled = events.last().map(spelled).unwrap_or_default();
    Witness { events, spelled, wanted }
}

/// As one would type it.
fn spelled(one: &Happening) -> String {
    match one {
        Happening::Text(text) | Happening::TurnEnd(text) => text.clone(),
        Happening::Call { tool, params, .. } => match &**params {
            [] => tool.clone(),
            [(name, text), ..] if name == "command" => text.clone(),
            [(_, text), ..] => format!("{tool}({text})"),
        },
    }
}

/// The command line that a problem is about; any, where it is about none.
fn command(problem: &Problem) -> &str {
    let named = problem.message.split('`').nth(1);
    named.filter(|_| problem.name == COMMAND_AS_TOOL.name).unwrap_or(COMMAND)
}
