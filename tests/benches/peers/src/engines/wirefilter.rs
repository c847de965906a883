//! The rules as filters of Cloudflare's wirefilter.

use wirefilter::{ExecutionContext, Filter, Scheme};

use super::host::{Engine, Facts, Moment};

const BEFORE: [&str; 13] = [
    r#"tool == "edit" && not is_read"#,
    r#"tool == "write" && exists && not is_read"#,
    r#"tool == "read" && reads >= 3"#,
    r#"tool == "bash" && command matches "(?i)(^|\| |; |&& )(cat|head|tail|less|more|bat|sed|awk|perl -[pi]) ""#,
    r#"tool == "bash" && command matches "(?i)find \. |ls -lra|ls -r |tree |dir /s""#,
    r#"tool == "bash" && command matches "(?i)rm -rf|git reset --hard|git push --force|git push -f|git clean -fd|drop table|drop database|truncate table""#,
    r#"not has_text && calls == 0"#,
    r#"streak >= 8"#,
    r#"tool == "bash" && command contains "sudo ""#,
    r#"(tool == "write" || tool == "edit") && path matches "\.env$""#,
    r#"tool == "bash" && command matches "^git push""#,
    r#"tool == "read" || tool == "grep" || tool == "glob" || tool == "web_search""#,
    r#"(tool == "edit" || tool == "write") && path matches "^src/""#,
];
const AFTER: [&str; 5] = [
    r#"tool == "edit""#,
    r#"(tool == "edit" || tool == "write") && changes >= 3"#,
    r#"calls == 8"#,
    r#"tool == "read" && streak >= 5"#,
    r#"(tool == "edit" || tool == "write") && lint_errors > 0"#,
];
const TEXT: [&str; 1] = [
    r#"text matches "(?i)not sure|unsure|don't know|uncertain|can't remember" && not has_searched"#,
];
const TESTS: &str = r#"command matches "(?i)pytest|npm test|cargo test|go test""#;

/// Wirefilter, with compiled filters.
pub struct Wirefilter<'t> {
    scheme: &'t Scheme,
    before: Vec<Filter<'t>>,
    after: Vec<Filter<'t>>,
    text: Vec<Filter<'t>>,
    tests: Filter<'t>,
}

impl Wirefilter<'_> {
    pub fn new() -> Self {
        // Filters borrow their scheme; there is one for as long as the process runs.
        let scheme: &Scheme = Box::leak(Box::new(wirefilter::Scheme! {
            tool: Bytes,
            path: Bytes,
            command: Bytes,
            text: Bytes,
            is_read: Bool,
            exists: Bool,
            has_searched: Bool,
            has_text: Bool,
            reads: Int,
            changes: Int,
            calls: Int,
            streak: Int,
            lint_errors: Int,
        }));
        let compile = |filter: &&str| match scheme.parse(filter) {
            Ok(ast) => ast.compile(),
            Err(error) => panic!("{filter}: {error}"),
        };
        let all = |filters: &[&str]| filters.iter().map(compile).collect();
        Self {
            scheme,
            before: all(&BEFORE),
            after: all(&AFTER),
            text: all(&TEXT),
            tests: compile(&TESTS),
        }
    }
}

impl<'t> Wirefilter<'t> {
    fn context(&self, facts: Facts<'t>) -> ExecutionContext<'t> {
        let mut context = ExecutionContext::new(self.scheme);
        for (name, text) in [
            ("tool", facts.tool),
            ("path", facts.path),
            ("command", facts.command),
            ("text", facts.text),
        ] {
            context.set_field_value(name, text).expect("the scheme has it");
        }
        for (name, flag) in [
            ("is_read", facts.is_read),
            ("exists", facts.exists),
            ("has_searched", facts.has_searched),
            ("has_text", facts.has_text),
        ] {
            context.set_field_value(name, flag).expect("the scheme has it");
        }
        for (name, number) in [
            ("reads", facts.reads),
            ("changes", facts.changes),
            ("calls", facts.calls),
            ("streak", facts.streak),
            ("lint_errors", facts.lint_errors),
        ] {
            context.set_field_value(name, number).expect("the scheme has it");
        }
        context
    }
}

impl<'t> Engine<'t> for Wirefilter<'t> {
    fn holding(&mut self, moment: Moment, facts: Facts<'t>) -> u32 {
        let context = self.context(facts);
        let filters = match moment {
            Moment::Before => &self.before,
            Moment::After => &self.after,
            Moment::Text => &self.text,
        };
        let holds = |filter: &Filter<'t>| filter.execute(&context).expect("the scheme is its own");
        let holding = (0..).zip(filters).filter(|(_, filter)| holds(filter));
        holding.fold(0, |all, (place, _): (u32, _)| all | 1 << place)
    }

    fn runs_tests(&mut self, facts: Facts<'t>) -> bool {
        let mut context = ExecutionContext::new(self.scheme);
        context.set_field_value("command", facts.command).expect("the scheme has it");
        self.tests.execute(&context).expect("the scheme is its own")
    }
}
