//! Sessions in which a rule probably fires: what it looks at, made of its triggers, its conditions and what fills the
//! state that it asks for. Whether it does fire is for the engine to say.

use behavior_runtime::decision::Phase;

use crate::diagnostic::Happening;
use crate::ir::{Condition, Index, Paths, Program, Rule, Shape, Test};
use crate::parameters;
use crate::pattern::Pattern;
use crate::samples::samples;

/// A condition on a number is met by so many events at most.
const MAX_REPEATED: usize = 10;
/// A text that has nothing to do with anything.
const PLAIN: &str = "-";

/// What sessions are made of where a rule does not say.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usual<'a> {
    /// A command line.
    pub command: &'a str,
    /// Stands for the letter that samples of classes have, where that is another.
    pub letter: Option<char>,
}

/// Sessions on whose last event a rule may fire, the shortest first.
pub(super) fn sessions(program: &Program, rule: &Rule, usual: Usual<'_>) -> Vec<Vec<Happening>> {
    let mut maker = Maker { program, usual, params: Vec::new(), text: None, before: Vec::new() };
    maker.condition(&rule.condition);
    let tool = tool_of(rule);
    let last = maker.event(rule, &tool);
    let mut all = vec![vec![last.clone()]];
    for tools in std::mem::take(&mut maker.before) {
        let Some((tool, times)) = tools else {
            let mut session = vec![last.clone(); MAX_REPEATED];
            session.push(last.clone());
            all.push(session);
            continue;
        };
        let mut session = vec![maker.call(&tool, true); times];
        session.push(last.clone());
        all.push(session);
    }
    all
}

/// The tool that a session calls for a rule.
fn tool_of(rule: &Rule) -> String {
    let named = rule.triggers.iter().find(|trigger| !trigger.selects_all());
    if let Some(named) = named {
        return named.name.to_string();
    }
    let mut tool = "read";
    crate::lint::each_test(&rule.condition, &mut |test, _| match test {
        Test::Runs(..) | Test::Deletes(_) | Test::PushesTo(_) => tool = "bash",
        Test::Writes(_) => tool = "write",
        _ => {}
    });
    tool.to_owned()
}

struct Maker<'a> {
    program: &'a Program,
    usual: Usual<'a>,
    /// What the conditions ask of parameters.
    params: Vec<(String, String)>,
    /// What they ask of the text, or of the target.
    text: Option<String>,
    /// Tools that fill state, each with how often it is called; `None` where the event itself happens again and again.
    before: Vec<Option<(String, usize)>>,
}

impl Maker<'_> {
    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::All(items) => items.iter().for_each(|item| self.condition(item)),
            Condition::Any(items) => items.iter().take(1).for_each(|item| self.condition(item)),
            Condition::Not(inner) => self.state(inner),
            Condition::Always => {}
            Condition::Test { test, .. } => self.test(test),
        }
    }

    /// What a condition that must not hold asks of state is worth a try, too.
    fn state(&mut self, condition: &Condition) {
        crate::lint::each_test(condition, &mut |test, _| match test {
            Test::ParamMatches(..) | Test::TextMatches(_) | Test::TargetMatches(_) => {}
            Test::Runs(..) | Test::ParamIn(..) | Test::ParamCompare(..) => {}
            _ => self.test(test),
        });
    }

    fn test(&mut self, test: &Test) {
        match test {
            Test::ParamMatches(name, pattern) => {
                let text = self.sample(*pattern);
                self.param(name, text);
            }
            Test::ParamIn(name, values) => {
                self.param(name, values.first().map(ToString::to_string));
            }
            Test::ParamCompare(name, _, value) => {
                self.param(name, Some(value.trim_matches('"').to_owned()));
            }
            Test::Runs(name, shapes) => {
                let command = shapes.first().and_then(|shape| self.command(shape));
                self.param(name, command);
            }
            Test::TextMatches(pattern) | Test::TargetMatches(pattern) => {
                self.text = self.sample(*pattern).or_else(|| self.text.take());
            }
            Test::Reads(paths) | Test::Writes(paths) | Test::Touches(paths) => self.paths(paths),
            Test::TargetIs(paths) => self.paths(paths),
            Test::TargetInSet(set) | Test::TargetNotInSet(set) => self.set(*set),
            Test::CounterAtLeast(counter, least) => self.counter(*counter, *least),
            Test::FlagIs(flag, _) => {
                let tools = self.program.flags.get(*flag as usize).map(|flag| &flag.set_on);
                self.before
                    .extend(tools.and_then(|it| it.first()).map(|it| Some((it.to_string(), 1))));
            }
            Test::ConsecutiveAtLeast(_) => self.before.push(None),
            _ => {}
        }
    }

    fn param(&mut self, name: &str, text: Option<String>) {
        let Some(text) = text else { return };
        if !self.params.iter().any(|(known, _)| known == name) {
            self.params.push((name.to_owned(), text));
        }
    }

    fn paths(&mut self, paths: &Paths) {
        let path = paths.globs.first().and_then(|glob| self.sample(*glob));
        self.text = path.or_else(|| self.text.take());
    }

    fn set(&mut self, set: Index) {
        let Some(set) = self.program.sets.get(set as usize) else { return };
        let adding = [&set.add_on, &set.add_on_call, &set.add_on_success];
        let tool = adding.into_iter().flatten().next();
        self.before.extend(tool.map(|tool| Some((tool.to_string(), 1))));
    }

    fn counter(&mut self, counter: Index, least: i64) {
        let counter = self.program.counters.get(counter as usize);
        let tool = counter.and_then(|counter| counter.increment_on.first());
        let times = usize::try_from(least).unwrap_or_default().clamp(1, MAX_REPEATED);
        self.before.extend(tool.map(|tool| Some((tool.to_string(), times))));
    }

    fn sample(&self, pattern: Index) -> Option<String> {
        let pattern: &Pattern = self.program.patterns.get(pattern as usize)?;
        let is_home = pattern.source.starts_with("~/");
        let found = samples(pattern)?;
        // What the empty text matches is matched by any.
        if found.takes_nothing {
            return Some(PLAIN.to_owned());
        }
        let text = match self.usual.letter {
            Some(letter) => found.matches.replace('a', &letter.to_string()),
            None => found.matches,
        };
        Some(if is_home && !text.starts_with('~') { format!("~/{text}") } else { text })
    }

    /// A command line of a shape, as far as words tell it.
    fn command(&self, shape: &Shape) -> Option<String> {
        let word = |index: &Index| self.sample(*index);
        let mut words: Vec<String> = shape.under.iter().take(1).map(ToString::to_string).collect();
        let program = shape.programs.first().map(ToString::to_string);
        words.push(program.or_else(|| shape.program_pattern.as_ref().and_then(word))?);
        words.extend(shape.operands.iter().flatten().flatten().filter_map(word));
        let (flags, letters): (Vec<_>, Vec<_>) = shape
            .flags
            .iter()
            .chain(shape.any_flags.first())
            .partition(|flag| flag.value.is_some() || flag.name.chars().count() > 1);
        let letters: String = letters.iter().map(|flag| &*flag.name).collect();
        words.extend((!letters.is_empty()).then(|| format!("-{letters}")));
        for flag in flags {
            let value = flag.value.as_ref().and_then(word);
            let dashes = if flag.name.chars().count() > 1 { "--" } else { "-" };
            words.push(format!("{dashes}{}", flag.name));
            words.extend(value);
        }
        words.extend(shape.some_operand.first().and_then(word));
        words.extend(shape.writes.first().and_then(word).map(|file| format!("> {file}")));
        words.extend(shape.reads.first().and_then(word).map(|file| format!("< {file}")));
        Some(words.join(" "))
    }

    /// The event that a rule looks at.
    fn event(&self, rule: &Rule, tool: &str) -> Happening {
        let text = || self.text.clone().unwrap_or_else(|| PLAIN.to_owned());
        match rule.phase {
            Phase::OnText => Happening::Text(text()),
            Phase::TurnEnd => Happening::TurnEnd(text()),
            phase => self.call(tool, phase == Phase::PostTool),
        }
    }

    fn call(&self, tool: &str, has_result: bool) -> Happening {
        let mut params = self.params.clone();
        if let Some((name, text)) = self.usual_param(tool)
            && !params.iter().any(|(known, _)| known == name)
        {
            params.insert(0, (name.to_owned(), text));
        }
        Happening::Call { tool: tool.to_owned(), params, has_result }
    }

    /// The parameter without which a tool is never called.
    fn usual_param(&self, tool: &str) -> Option<(&'static str, String)> {
        let name = *parameters::of(tool)?.first()?;
        let usual = match name {
            "command" => return Some((name, self.usual.command.to_owned())),
            "file_path" | "path" => "a.rs",
            _ => PLAIN,
        };
        Some((name, self.text.clone().unwrap_or_else(|| usual.to_owned())))
    }
}
