//! The rules as expressions of Google's CEL, by the crate `cel`: all of a moment are items of one list, so that one run
//! tells of all. Its own `matches` compiles the pattern at each call, so that the patterns are functions of the host, which
//! has them compiled.

use std::sync::{Arc, LazyLock};

use cel::common::types::{CelBool, CelString};
use cel::{Context, Env, Program, Value, add_overload};
use regex::Regex;

use super::host::{Engine, Facts, Moment};

const BEFORE: &str = r#"[
  tool == "edit" && !is_read,
  tool == "write" && exists && !is_read,
  tool == "read" && reads >= 3,
  tool == "bash" && shows(command),
  tool == "bash" && walks(command),
  tool == "bash" && destroys(command),
  !has_text && calls == 0,
  streak >= 8,
  tool == "bash" && command.contains("sudo "),
  (tool == "write" || tool == "edit") && path.endsWith(".env"),
  tool == "bash" && command.startsWith("git push"),
  tool in ["read", "grep", "glob", "web_search"],
  (tool == "edit" || tool == "write") && path.startsWith("src/")
]"#;
const AFTER: &str = r#"[
  tool == "edit",
  (tool == "edit" || tool == "write") && changes >= 3,
  calls == 8,
  tool == "read" && streak >= 5,
  (tool == "edit" || tool == "write") && lint_errors > 0
]"#;
const TEXT: &str = r#"[
  doubts(text) && !has_searched
]"#;
const TESTS: &str = "tests(command)";

/// Functions of the host, each a pattern that is compiled once.
macro_rules! patterns {
    ($($name:ident = $pattern:literal;)+) => {
        $(fn $name(text: &CelString<'_>) -> CelBool {
            static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new($pattern).expect("it is a pattern"));
            CelBool::from(PATTERN.is_match(text.inner()))
        })+

        fn declare_patterns(env: &mut Env) {
            $(add_overload!(env, fn $name: (CelString) -> CelBool).expect("no other has its name");)+
        }
    };
}

patterns! {
    shows = r"(?i)(^|\| |; |&& )(cat|head|tail|less|more|bat|sed|awk|perl -[pi]) ";
    walks = r"(?i)find \. |ls -lra|ls -r |tree |dir /s";
    destroys = r"(?i)rm -rf|git reset --hard|git push --force|git push -f|git clean -fd|drop table|drop database|truncate table";
    doubts = r"(?i)not sure|unsure|don't know|uncertain|can't remember";
    tests = r"(?i)pytest|npm test|cargo test|go test";
}

/// CEL, with compiled programs.
pub struct Cel {
    env: Arc<Env>,
    before: Program,
    after: Program,
    text: Program,
    tests: Program,
}

impl Cel {
    pub fn new() -> Self {
        let mut env = Env::stdlib();
        declare_patterns(&mut env);
        let env = Arc::new(env);
        let compile = |source| env.compile(source).expect("the expression can be read");
        let (before, after, text) = (compile(BEFORE), compile(AFTER), compile(TEXT));
        let tests = compile(TESTS);
        Self { env, before, after, text, tests }
    }
}

impl<'t> Engine<'t> for Cel {
    fn holding(&mut self, moment: Moment, facts: Facts<'t>) -> u32 {
        let mut context = Context::with_env(Arc::clone(&self.env));
        for (name, text) in [
            ("tool", facts.tool),
            ("path", facts.path),
            ("command", facts.command),
            ("text", facts.text),
        ] {
            context.add_variable_from_value(name, text.to_owned());
        }
        for (name, flag) in [
            ("is_read", facts.is_read),
            ("exists", facts.exists),
            ("has_searched", facts.has_searched),
            ("has_text", facts.has_text),
        ] {
            context.add_variable_from_value(name, flag);
        }
        for (name, number) in [
            ("reads", facts.reads),
            ("changes", facts.changes),
            ("calls", facts.calls),
            ("streak", facts.streak),
            ("lint_errors", facts.lint_errors),
        ] {
            context.add_variable_from_value(name, i64::from(number));
        }
        let program = match moment {
            Moment::Before => &self.before,
            Moment::After => &self.after,
            Moment::Text => &self.text,
        };
        match program.execute(&context).expect("the expression can be run") {
            Value::List(items) => {
                let holding =
                    (0..).zip(items.iter()).filter(|(_, item)| **item == Value::Bool(true));
                holding.fold(0, |all, (place, _): (u32, _)| all | 1 << place)
            }
            other => panic!("a list, not {other:?}"),
        }
    }

    fn runs_tests(&mut self, facts: Facts<'t>) -> bool {
        let mut context = Context::with_env(Arc::clone(&self.env));
        context.add_variable_from_value("command", facts.command.to_owned());
        self.tests.execute(&context).expect("the expression can be run") == Value::Bool(true)
    }
}
