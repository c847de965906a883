//! Rules of Codex, as measured with 0.169.0: `prefix_rule(pattern, decision, justification, match,
//! not_match)` in a Starlark file.
//!
//! A pattern is the first words of a command, without globs; a list in it means any of its words.
//! Of all rules that match, the strictest decides, so `forbidden` is written first, then `prompt`,
//! then `allow`. What Codex refuses to load is refused here.

use super::action::Action;
use super::command::{self, PatternError, Programs, Tail};
use super::imported::Import;
use super::policy::{Policy, Rule, Target, name_of};
use super::starlark::{self, Call, Statement, Value, ValueKind};

/// The most alternatives that one rule may come to.
const MAX_ALTERNATIVES: usize = 256;

/// What may stand in a rule, in the order in which it may stand without a name.
const PARAMETERS: [&str; 5] = ["pattern", "decision", "match", "not_match", "justification"];

/// Reads rules.
pub(super) fn import(import: &mut Import) -> Policy {
    let mut rules: Vec<Rule> = Vec::new();
    let programs = Programs::new();
    for (id, source) in import.texts() {
        match starlark::parse(id, &source.text) {
            Ok(statements) => {
                let mut reader = Reader { import, programs: &programs, rules: &mut rules };
                statements.iter().for_each(|statement| reader.statement(statement));
            }
            Err(problem) => import.invalid(problem.span, problem.message),
        }
    }
    rules.sort_by_key(|rule| match rule.action {
        Action::Deny => 0,
        Action::Ask => 1,
        Action::Allow => 2,
    });
    let mut policy = Policy::new("rules of Codex");
    rules.into_iter().for_each(|rule| policy.push(rule));
    policy
}

struct Reader<'a> {
    import: &'a mut Import,
    programs: &'a Programs,
    rules: &'a mut Vec<Rule>,
}

impl Reader<'_> {
    fn statement(&mut self, statement: &Statement) {
        let call = match statement {
            Statement::Call(call) => call,
            Statement::Other { span, what } => {
                let message = format!("{what}: only plain rules are read; write its rules out");
                let text = self.import.sources.slice(*span);
                let stops = ["forbidden", "prompt"].iter().any(|word| text.contains(word));
                let action = if stops { Action::Deny } else { Action::Allow };
                self.import.left_out(*span, action, message);
                return;
            }
        };
        match &*call.name {
            "prefix_rule" => self.prefix_rule(call),
            "host_executable" => {
                let why = "denials are for a program wherever it lies, allowances for its bare name \
                           and the directories of the system";
                self.import.lost(call.span, format!("`host_executable`: {why}"));
            }
            "network_rule" => {
                let why = "a policy decides on calls, not on connections";
                let mut texts = call.arguments.iter().filter_map(|(_, value)| value.text());
                let allows = texts.any(|text| text == "allow");
                let action = if allows { Action::Allow } else { Action::Deny };
                self.import.left_out(call.span, action, format!("`network_rule`: {why}"));
            }
            name => {
                self.import.invalid(call.span, format!("there is no function `{name}` in Codex"));
            }
        }
    }

    fn prefix_rule(&mut self, call: &Call) {
        let mut arguments: [Option<&Value>; 5] = [None; 5];
        for (index, (name, value)) in call.arguments.iter().enumerate() {
            let at = match name {
                Some(name) => PARAMETERS.iter().position(|known| *known == &**name),
                None => Some(index),
            };
            match at.and_then(|at| arguments.get_mut(at)) {
                Some(place) => *place = Some(value),
                None => {
                    let name = name.as_deref().unwrap_or("…");
                    let message = format!("`prefix_rule` has no parameter `{name}`");
                    self.import.invalid(value.span, message);
                    return;
                }
            }
        }
        let [pattern, decision, matching, not_matching, justification] = arguments;
        if let Some(other) = arguments.into_iter().flatten().find_map(Value::other) {
            let what = "is worked out by the file; only plain values are read, so write it out";
            let action = match decision {
                Some(decision) if decision.other().is_some() => Some(Action::Deny),
                decision => self.action(decision),
            };
            let message = format!("the rule is left out: a value {what}");
            self.import.left_out(other.span, action.unwrap_or(Action::Deny), message);
            return;
        }
        let Some(action) = self.action(decision) else { return };
        let Some(words) = self.pattern(pattern, call) else { return };
        let mut comments = Vec::new();
        for (examples, fits) in [(matching, true), (not_matching, false)] {
            for example in examples.and_then(Value::items).unwrap_or_default() {
                let what = if fits { "matches" } else { "does not match" };
                if words_of(example).is_some_and(|example| is_prefix(&words, &example) != fits) {
                    let message = format!("the rule says that it {what} this, which is not so");
                    self.import.invalid(example.span, message);
                    return;
                }
                comments.push(format!("{what}: {}", example_text(example)));
            }
        }
        let reason = justification.and_then(Value::text);
        if reason.is_some_and(|reason| reason.trim().is_empty()) {
            self.import.invalid(call.span, "a `justification` is not empty");
            return;
        }
        self.push(call, action, &words, reason.map(|reason| reason.trim().to_owned()), comments);
    }

    fn action(&mut self, decision: Option<&Value>) -> Option<Action> {
        let Some(decision) = decision else { return Some(Action::Allow) };
        match decision.text() {
            Some("allow") => Some(Action::Allow),
            Some("prompt") => Some(Action::Ask),
            Some("forbidden") => Some(Action::Deny),
            _ => {
                let what = "`allow`, `prompt` or `forbidden`";
                self.import.invalid(decision.span, format!("a decision is {what}"));
                None
            }
        }
    }

    /// The alternatives of each word.
    fn pattern(&mut self, pattern: Option<&Value>, call: &Call) -> Option<Vec<Vec<String>>> {
        let Some(pattern) = pattern else {
            self.import.invalid(call.span, "`prefix_rule` has a `pattern`");
            return None;
        };
        let alternatives = |value: &Value| match &value.kind {
            ValueKind::Text(text) => Some(vec![text.clone()]),
            ValueKind::List(items) => items.iter().map(|i| i.text().map(str::to_owned)).collect(),
            _ => None,
        };
        let items = pattern.items();
        let words: Option<Vec<Vec<String>>> =
            items.and_then(|items| items.iter().map(alternatives).collect());
        let words = words.filter(|words| !words.is_empty() && words.iter().all(|w| !w.is_empty()));
        if words.is_none() {
            let what = "a list of words, each a string or a list of strings, none of them empty";
            self.import.invalid(pattern.span, format!("a `pattern` is {what}"));
        }
        words
    }

    fn push(
        &mut self,
        call: &Call,
        action: Action,
        words: &[Vec<String>],
        reason: Option<String>,
        comments: Vec<String>,
    ) {
        let Some(commands) = every(words) else {
            let message = format!(
                "the pattern has more than {MAX_ALTERNATIVES} alternatives; split the rule"
            );
            self.import.left_out(call.span, action, message);
            return;
        };
        let mut patterns = Vec::new();
        for command in &commands {
            match self.command(call, action, command) {
                Ok(pattern) => patterns.push(pattern),
                Err(why) => {
                    let message = format!("`{}`: {why}", command.join(" "));
                    self.import.left_out(call.span, action, message);
                }
            }
        }
        if patterns.is_empty() {
            return;
        }
        let about: Vec<&str> =
            words.iter().filter(|w| w.len() == 1).flatten().map(String::as_str).collect();
        let name = name_of(action, &about.join(" "));
        let target = Target::Pattern(patterns);
        self.rules.push(Rule { name, action, target, mode: None, reason, comments });
    }
}

impl Reader<'_> {
    fn command(
        &mut self,
        call: &Call,
        action: Action,
        words: &[String],
    ) -> Result<String, PatternError> {
        if action == Action::Allow {
            for near in self.programs.allowance(words)? {
                self.import.near(call.span, format!("`{}`: {near}", words.join(" ")));
            }
        }
        command::fitting(command::literal(words, Tail::Words))
    }
}

/// Every command that a pattern stands for, in order; `None` where there are too many.
fn every(words: &[Vec<String>]) -> Option<Vec<Vec<String>>> {
    let mut commands = vec![Vec::new()];
    for alternatives in words {
        if commands.len() * alternatives.len() > MAX_ALTERNATIVES {
            return None;
        }
        let longer = |command: &Vec<String>| {
            let command = command.clone();
            alternatives.iter().map(move |word| [command.clone(), vec![word.clone()]].concat())
        };
        commands = commands.iter().flat_map(longer).collect();
    }
    Some(commands)
}

/// The words of an example, if they are known.
fn words_of(example: &Value) -> Option<Vec<String>> {
    match &example.kind {
        ValueKind::Text(text) => command::words(text).ok(),
        ValueKind::List(items) => items.iter().map(|i| i.text().map(str::to_owned)).collect(),
        _ => None,
    }
}

fn is_prefix(pattern: &[Vec<String>], words: &[String]) -> bool {
    pattern.len() <= words.len()
        && pattern.iter().zip(words).all(|(alternatives, word)| alternatives.contains(word))
}

fn example_text(example: &Value) -> String {
    match &example.kind {
        ValueKind::Text(text) => text.clone(),
        ValueKind::List(items) => {
            items.iter().filter_map(Value::text).collect::<Vec<_>>().join(" ")
        }
        _ => String::new(),
    }
}
