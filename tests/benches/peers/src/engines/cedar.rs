//! The rules as policies of Amazon's Cedar: each forbids, so that the reasons of an answer tell which hold. Cedar has no
//! regular expressions: its host makes letters small, and alternatives are texts with `*`.

use std::str::FromStr;

use cedar_policy::{
    Authorizer, Context, Entities, EntityUid, PolicySet, Request, RestrictedExpression,
};

use super::host::{Engine, Facts, Moment};

const BEFORE: [&str; 13] = [
    r#"context.tool == "edit" && !context.is_read"#,
    r#"context.tool == "write" && context.exists && !context.is_read"#,
    r#"context.tool == "read" && context.reads >= 3"#,
    "FILES",
    r#"context.tool == "bash" && (context.command like "*find . *" || context.command like "*ls -lra*" || context.command like "*ls -r *" || context.command like "*tree *" || context.command like "*dir /s*")"#,
    r#"context.tool == "bash" && (context.command like "*rm -rf*" || context.command like "*git reset --hard*" || context.command like "*git push --force*" || context.command like "*git push -f*" || context.command like "*git clean -fd*" || context.command like "*drop table*" || context.command like "*drop database*" || context.command like "*truncate table*")"#,
    r#"!context.has_text && context.calls == 0"#,
    r#"context.streak >= 8"#,
    r#"context.tool == "bash" && context.command like "*sudo *""#,
    r#"(context.tool == "write" || context.tool == "edit") && context.path like "*.env""#,
    r#"context.tool == "bash" && context.command like "git push*""#,
    r#"["read", "grep", "glob", "web_search"].contains(context.tool)"#,
    r#"(context.tool == "edit" || context.tool == "write") && context.path like "src/*""#,
];
const AFTER: [&str; 5] = [
    r#"context.tool == "edit""#,
    r#"(context.tool == "edit" || context.tool == "write") && context.changes >= 3"#,
    r#"context.calls == 8"#,
    r#"context.tool == "read" && context.streak >= 5"#,
    r#"(context.tool == "edit" || context.tool == "write") && context.lint_errors > 0"#,
];
const TEXT: [&str; 1] = [
    r#"(context.text like "*not sure*" || context.text like "*unsure*" || context.text like "*don't know*" || context.text like "*uncertain*" || context.text like "*can't remember*") && !context.has_searched"#,
];
const TESTS: [&str; 1] = [
    r#"context.command like "*pytest*" || context.command like "*npm test*" || context.command like "*cargo test*" || context.command like "*go test*""#,
];

/// A program that begins a command: at the line's beginning, or behind what ends another one.
fn files() -> String {
    let programs =
        ["cat", "head", "tail", "less", "more", "bat", "sed", "awk", "perl -p", "perl -i"];
    let begins = ["", "*| ", "*; ", "*&& "];
    let all = programs.iter().flat_map(|program| {
        begins.map(|before| format!("context.command like \"{before}{program} *\""))
    });
    format!("context.tool == \"bash\" && ({})", all.collect::<Vec<_>>().join(" || "))
}

/// Cedar, with parsed policies.
pub struct Cedar {
    authorizer: Authorizer,
    entities: Entities,
    before: PolicySet,
    after: PolicySet,
    text: PolicySet,
    tests: PolicySet,
    uid: EntityUid,
}

impl Cedar {
    pub fn new() -> Self {
        let policies = |conditions: &[&str]| {
            let policy = |(place, condition): (usize, &&str)| {
                let condition =
                    if *condition == "FILES" { files() } else { (*condition).to_owned() };
                format!(
                    "@id(\"{place}\") forbid (principal, action, resource) when {{ {condition} }};\n"
                )
            };
            let text: String = conditions.iter().enumerate().map(policy).collect();
            PolicySet::from_str(&text).expect("the policies can be read")
        };
        Self {
            authorizer: Authorizer::new(),
            entities: Entities::empty(),
            before: policies(&BEFORE),
            after: policies(&AFTER),
            text: policies(&TEXT),
            tests: policies(&TESTS),
            uid: EntityUid::from_str("Agent::\"one\"").expect("it is a name"),
        }
    }

    /// The policies that hold, a bit for each.
    fn run(&self, policies: &PolicySet, pairs: Vec<(String, RestrictedExpression)>) -> u32 {
        let context = Context::from_pairs(pairs).expect("no name comes twice");
        let uid = || self.uid.clone();
        let request =
            Request::new(uid(), uid(), uid(), context, None).expect("there is no schema to break");
        let response = self.authorizer.is_authorized(&request, policies, &self.entities);
        // They are called `policy0`, `policy1`, … in their order.
        let place = |id: &str| id.strip_prefix("policy").and_then(|place| place.parse().ok());
        let holding = response.diagnostics().reason().filter_map(|id| place(id.as_ref()));
        holding.fold(0, |all, place: u32| all | 1 << place)
    }
}

impl<'t> Engine<'t> for Cedar {
    fn holding(&mut self, moment: Moment, facts: Facts<'t>) -> u32 {
        let text = |text: &str| RestrictedExpression::new_string(text.to_owned());
        let number = |number: i32| RestrictedExpression::new_long(number.into());
        let pairs = [
            ("tool", text(facts.tool)),
            ("path", text(facts.path)),
            ("command", text(&facts.command.to_ascii_lowercase())),
            ("text", text(&facts.text.to_ascii_lowercase())),
            ("is_read", RestrictedExpression::new_bool(facts.is_read)),
            ("exists", RestrictedExpression::new_bool(facts.exists)),
            ("has_searched", RestrictedExpression::new_bool(facts.has_searched)),
            ("has_text", RestrictedExpression::new_bool(facts.has_text)),
            ("reads", number(facts.reads)),
            ("changes", number(facts.changes)),
            ("calls", number(facts.calls)),
            ("streak", number(facts.streak)),
            ("lint_errors", number(facts.lint_errors)),
        ];
        let pairs = pairs.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        let policies = match moment {
            Moment::Before => &self.before,
            Moment::After => &self.after,
            Moment::Text => &self.text,
        };
        self.run(policies, pairs)
    }

    fn runs_tests(&mut self, facts: Facts<'t>) -> bool {
        let command = RestrictedExpression::new_string(facts.command.to_ascii_lowercase());
        self.run(&self.tests, vec![("command".to_owned(), command)]) != 0
    }
}
