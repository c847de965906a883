//! How the time of a decision grows with the number of rules, where half of the calls match one of them: rules
//! of a policy, and behaviour rules with the same patterns.

use std::sync::Arc;
use std::time::Instant;

use behavior_runtime::event::{Call, Param, Value};
use behavior_runtime::{Event, FactHost, Session};

use crate::ours;
use crate::workload::Numbers;

const COUNTS: [usize; 4] = [10, 100, 1_000, 10_000];
const CALLS: usize = 4_000;
const ROUNDS: usize = 9;

/// What rules forbid: the tool, the parameter, and texts that stand in that order.
fn forbidden(rule: usize) -> (&'static str, &'static str, [String; 2]) {
    match rule % 4 {
        0 => ("write", "file_path", [format!("services/unit{rule:05}/"), ".rs".to_owned()]),
        1 => ("edit", "file_path", [format!("lib/part{rule:05}-"), "/mod.ts".to_owned()]),
        2 => ("fetch", "address", [format!("https://host{rule:05}."), "/api".to_owned()]),
        _ => ("query", "statement", [format!("select x from t{rule:05} "), "limit".to_owned()]),
    }
}

/// Behaviour rules, and a policy in some files.
type Rules = (String, Vec<String>);

/// So many rules of a policy stand in one file, which may not be too large.
const RULES_OF_FILE: usize = 1_000;

/// The rules as behaviour rules.
fn behaviour_rules(count: usize) -> Rules {
    let rule = |rule| {
        let (tool, param, [first, last]) = forbidden(rule);
        let pattern = format!("{first}.*{last}").replace('.', "\\.").replace("\\.*", ".*");
        format!(
            "- id: r{rule}\n  trigger: [{tool}]\n  action: block\n  condition:\n    param_matches: \
             {{ param: {param}, pattern: '{pattern}' }}\n  message: No.\n"
        )
    };
    let rules = (0..count).map(rule).collect::<String>();
    (format!("rule_definitions:\n{rules}"), Vec::new())
}

/// The rules as rules of a policy.
fn policy_rules(count: usize) -> Rules {
    let rule = |rule| {
        let (tool, _, [first, last]) = forbidden(rule);
        format!(
            "[[rules]]\nname = \"r{rule}\"\npriority = \"user\"\naction = \"deny\"\n\
             tool_pattern = \"{tool}\"\narg_pattern = \"{first}*{last}\"\n\n"
        )
    };
    let rules: Vec<String> = (0..count).map(rule).collect();
    let files = rules.chunks(RULES_OF_FILE).map(<[String]>::concat);
    ("rule_definitions: []\n".to_owned(), files.collect())
}

/// Calls, of which each second one is forbidden by a rule.
fn calls(count: usize) -> Vec<Event<'static>> {
    let mut numbers = Numbers::new(7);
    let call = |number: usize| {
        let (tool, param, [first, last]) = forbidden(numbers.below(count));
        let between = if number.is_multiple_of(2) { "some/where" } else { "" };
        let text = match between {
            "" => format!("{first}x{last}").replacen('0', "o", 3).replacen('t', "d", 1),
            between => format!("{first}{between}{last}"),
        };
        let value = Value::Text(text.into());
        let params = vec![Param { name: param.into(), native: None, value }];
        Event::ToolCall(Call { tool: tool.into(), params, ..Call::default() })
    };
    (0..CALLS).map(call).collect()
}

/// The kinds of rules.
const KINDS: [(&str, fn(usize) -> Rules); 2] =
    [("behaviour rules", behaviour_rules), ("policy rules", policy_rules)];

/// A session under so many rules, with the calls that it decides on.
struct Contestant {
    session: Session,
    calls: Vec<Event<'static>>,
}

impl Contestant {
    fn new(count: usize, rules: fn(usize) -> Rules) -> Self {
        let (behavior, policy) = rules(count);
        let session = Session::new(Arc::new(ours::image(&behavior, &policy)));
        Self { session, calls: calls(count) }
    }

    /// Decides on all calls, and returns how many are denied.
    #[inline(never)]
    fn measured(&mut self) -> usize {
        let Self { session, calls } = self;
        let denied = calls.iter().filter(|call| {
            let decision = session.apply(call, &mut FactHost::default());
            decision.verdict() == behavior_runtime::Verdict::Deny
        });
        denied.count()
    }
}

/// Runs rules of one kind so many times, for an instruction counter.
pub fn count(kind: &str, rules: usize, passes: usize) {
    let make = KINDS.iter().find(|(name, _)| *name == kind).expect("one of the kinds is named").1;
    let mut contestant = Contestant::new(rules, make);
    for _ in 0..passes {
        assert_eq!(contestant.measured(), CALLS / 2, "half of the calls are forbidden");
    }
}

/// Measures both, for each number of rules in turns.
pub fn measure() {
    for (name, rules) in KINDS {
        let mut contestants: Vec<_> =
            COUNTS.iter().map(|&count| (Contestant::new(count, rules), Vec::new())).collect();
        for _ in 0..ROUNDS {
            for (contestant, times) in &mut contestants {
                let start = Instant::now();
                assert_eq!(
                    contestant.measured(),
                    CALLS / 2,
                    "{name}: half of the calls are forbidden"
                );
                times.push(start.elapsed());
            }
        }
        println!("\n{name:<24}{:>12}{:>12}", "ns a call", "ratio");
        let first = contestants.first().map(|(_, times)| times.clone()).unwrap_or_default();
        for (count, (_, times)) in COUNTS.iter().zip(&contestants) {
            let ratios = times
                .iter()
                .zip(&first)
                .map(|(one, other)| one.as_secs_f64() / other.as_secs_f64());
            let mut ratios: Vec<f64> = ratios.collect();
            ratios.sort_by(f64::total_cmp);
            let least =
                times.iter().min().map_or(0.0, |time| time.as_secs_f64() * 1e9 / CALLS as f64);
            println!("{count:<24}{least:>12.0}{:>12.2}", ratios[ratios.len() / 2]);
        }
    }
}
