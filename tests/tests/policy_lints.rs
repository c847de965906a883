//! What the lints say of policies holds of what a session decides: small policies made by chance, and
//! calls made of their patterns. Which ones is fixed; `BEHAVIOR_POLICY_CASES` sets how many.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use behavior_compiler::diagnostic::Diagnostic;
use behavior_compiler::{Options, compile_all};
use behavior_image::code::{ApprovalMode, PermissionAction};
use behavior_runtime::event::{Call, Event, Param, Value};
use behavior_runtime::permission::Permission;
use behavior_runtime::{FactHost, Image, Session};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

const CASES: u32 = 900;

const MODES: [(&str, ApprovalMode); 4] = [
    ("ask", ApprovalMode::Ask),
    ("autoEdit", ApprovalMode::AutoEdit),
    ("yolo", ApprovalMode::Yolo),
    ("agent", ApprovalMode::Agent),
];

/// Words of patterns, and words of commands that fit them often.
const PROGRAMS: [&str; 12] =
    ["git", "git", "rm", "cat", "deployer", "ruby", "ruby", "ruby", "ruby", "*", "g*", "[gr]*"];
const WORDS: [&str; 14] = [
    "push", "push", "a", "b", ".env", "a*", "?*", "*", "*", "[ab]", "--force", "-f", "-v", "[!a]*",
];
/// Programs and subcommands that have several names.
const NAMED: [&str; 4] = ["npm", "npm", "docker", "pip3"];
const NAMES: [&str; 9] = ["i", "install", "rm", "uninstall", "run", "container", "a", "*", "*"];
const TOOLS: [&str; 11] = [
    "edit",
    "edit",
    "read",
    "s.edit",
    "mcp(s/edit)",
    "mcp(s)",
    "read*",
    "*edit",
    "*",
    "?*",
    "bash",
];
const ARGUMENTS: [&str; 7] = ["*.env", ".env", "/tmp/*", "/tmp/a", "a *", "a", "*"];
const CALLED_PROGRAMS: [&str; 6] = ["git", "rm", "cat", "deployer", "gx", "python3"];
const CALLED_WORDS: [&str; 13] =
    ["push", "a", "b", "ab", "c", ".env", "./.env", "x", "-f", "--force", "-v", "--dry-run", "--"];
const CALLED_TOOLS: [&str; 8] =
    ["edit", "read", "mcp__s__edit", "t.edit", "readme", "deploy", "write", "bash"];
const CALLED_ARGUMENTS: [&str; 7] = ["/tmp/a", "/tmp/", ".env", "x.env", "a", "a b", "DROP"];

/// What a rule is about.
#[derive(Clone, Debug)]
enum Subject {
    Command(&'static str, Vec<&'static str>),
    Tool(&'static str),
    Opaque,
    Argument(Option<&'static str>, &'static str),
}

#[derive(Clone, Debug)]
struct Rule {
    action: &'static str,
    priority: &'static str,
    mode: Option<usize>,
    subjects: Vec<Subject>,
}

#[derive(Clone, Debug)]
struct Policy {
    mode: Option<usize>,
    rules: Vec<Rule>,
}

impl Rule {
    fn write(&self, number: usize) -> String {
        let (action, priority) = (self.action, self.priority);
        let mut text = format!(
            "[[rules]]\nname = \"r{number}\"\naction = \"{action}\"\npriority = \"{priority}\"\n"
        );
        if let Some(mode) = self.mode {
            text += &format!("approval_mode = \"{}\"\n", MODES[mode].0);
        }
        // The two parts apart cannot stand beside others.
        if let Some(Subject::Argument(tool, argument)) = self.subjects.first() {
            if let Some(tool) = tool {
                text += &format!("tool_pattern = '{tool}'\n");
            }
            return text + &format!("arg_pattern = '{argument}'\n");
        }
        let alternatives: Vec<String> = self.subjects.iter().filter_map(Subject::pattern).collect();
        text + &format!("pattern = '{}'\n", alternatives.join("|"))
    }
}

impl Subject {
    fn pattern(&self) -> Option<String> {
        match self {
            Self::Command(program, words) => {
                Some(format!("bash({})", [&[*program], &words[..]].concat().join(" ")))
            }
            Self::Tool(tool) => Some((*tool).to_owned()),
            Self::Opaque => Some("bash(opaque)".to_owned()),
            Self::Argument(..) => None,
        }
    }
}

impl Policy {
    fn write(&self) -> String {
        let mode = self.mode.map(|mode| format!("approval_mode = \"{}\"\n", MODES[mode].0));
        let rules = (0..).zip(&self.rules).map(|(number, rule)| rule.write(number));
        mode.into_iter().chain(rules).collect()
    }
}

fn subject() -> impl Strategy<Value = Subject> {
    let command = (select(&PROGRAMS[..]), vec(select(&WORDS[..]), 0..4));
    let named = (select(&NAMED[..]), vec(select(&NAMES[..]), 1..4));
    prop_oneof![
        12 => command.prop_map(|(program, words)| Subject::Command(program, words)),
        2 => named.prop_map(|(program, words)| Subject::Command(program, words)),
        6 => select(&TOOLS[..]).prop_map(Subject::Tool),
        1 => Just(Subject::Opaque),
        3 => (proptest::option::of(select(&TOOLS[..])), select(&ARGUMENTS[..]))
            .prop_map(|(tool, argument)| Subject::Argument(tool, argument)),
    ]
}

fn policy() -> impl Strategy<Value = Policy> {
    let mode = || proptest::option::weighted(0.3, 0..MODES.len());
    let rule = (
        select(vec!["allow", "deny", "ask_user", "dry_run_first"]),
        select(vec!["user", "user", "user", "admin", "default"]),
        proptest::option::weighted(0.2, 0..MODES.len()),
        vec(subject(), 1..3),
    )
        .prop_map(|(action, priority, mode, subjects)| Rule {
            action,
            priority,
            mode,
            subjects,
        });
    (mode(), vec(rule, 1..7)).prop_map(|(mode, rules)| Policy { mode, rules })
}

/// A call: a tool and its arguments, of which a shell's only one is its command line.
type Made = (String, Vec<String>);

/// Texts for a word of a pattern.
fn instance(word: &str, by: u8) -> String {
    let pick = |texts: &[&str]| texts[usize::from(by) % texts.len()].to_owned();
    match word {
        "*" => pick(&["", "a", "push -f", "x y"]),
        "?*" => pick(&["a", "xy", ".env"]),
        "a*" => pick(&["a", "ab"]),
        "[ab]" => pick(&["a", "b"]),
        "[!a]*" => pick(&["b", "push"]),
        "g*" => pick(&["git", "gx"]),
        "[gr]*" => pick(&["git", "rm", "gx"]),
        "--force" | "-f" => pick(&["--force", "-f"]),
        other => other.to_owned(),
    }
}

/// A call that a subject takes, most often.
fn call_of(subject: &Subject, by: &[u8]) -> Made {
    let by = |at: usize| by[at % by.len()];
    match subject {
        Subject::Command(program, words) => {
            let program = match *program {
                "*" => "cat".to_owned(),
                program => instance(program, by(0)),
            };
            let mut words: Vec<String> =
                (1..).zip(words).map(|(at, word)| instance(word, by(at))).collect();
            if by(5) % 4 == 0 {
                words.push("x".to_owned());
            }
            ("bash".to_owned(), vec![format!("{program} {}", words.join(" "))])
        }
        Subject::Opaque => ("bash".to_owned(), vec!["$cmd a".to_owned()]),
        Subject::Tool(tool) => (tool_of(tool, by(0)), Vec::new()),
        Subject::Argument(tool, argument) => {
            let tool = tool_of(tool.unwrap_or("*"), by(0));
            let argument = argument.replace('*', ["", "x", "a b"][usize::from(by(1)) % 3]);
            (tool, vec![argument])
        }
    }
}

fn tool_of(pattern: &str, by: u8) -> String {
    let named = match pattern {
        "mcp(s/edit)" | "s.edit" => "mcp__s__edit",
        "mcp(s)" => "mcp__s__x",
        "read*" => ["read", "readme"][usize::from(by) % 2],
        "*edit" => ["edit", "multi_edit"][usize::from(by) % 2],
        "*" | "?*" => CALLED_TOOLS[usize::from(by) % CALLED_TOOLS.len()],
        name => name,
    };
    named.to_owned()
}

fn any_call() -> impl Strategy<Value = Made> {
    let command = (select(&CALLED_PROGRAMS[..]), vec(select(&CALLED_WORDS[..]), 0..5))
        .prop_map(|(program, words)| [&[program], &words[..]].concat().join(" "));
    let line = prop_oneof![
        8 => command.clone(),
        1 => (command.clone(), command).prop_map(|(a, b)| format!("{a}; {b}")),
        1 => select(vec!["$cmd a", "curl x | sh", "git $x", "# nothing"]).prop_map(str::to_owned),
    ];
    let plain = (select(&CALLED_TOOLS[..]), vec(select(&CALLED_ARGUMENTS[..]), 0..3));
    prop_oneof![
        2 => line.prop_map(|line| ("bash".to_owned(), vec![line])),
        1 => plain.prop_map(|(tool, arguments)| {
            (tool.to_owned(), arguments.into_iter().map(str::to_owned).collect())
        }),
    ]
}

/// What a call comes to.
enum Kind {
    /// A shell runs commands that are known.
    Command,
    /// A shell runs something that nobody knows.
    Opaque,
    /// A shell runs nothing.
    Nothing,
    /// A tool that is no shell.
    Other,
}

fn kind_of((tool, arguments): &Made) -> Kind {
    match arguments.first().map(|line| line.trim()) {
        _ if tool != "bash" => Kind::Other,
        None | Some("") => Kind::Nothing,
        Some(line) if line.starts_with('#') => Kind::Nothing,
        Some(line) if line.contains(['$', '|']) => Kind::Opaque,
        Some(_) => Kind::Command,
    }
}

/// A policy that was compiled.
struct Compiled {
    text: String,
    image: Arc<Image>,
    diagnostics: Vec<Diagnostic>,
}

impl Compiled {
    fn new(policy: &Policy) -> Self {
        let text = policy.write();
        let provider = behavior_tests::provider(&[("p.toml", &text)]);
        let compilation = compile_all(&provider, &["p.toml".to_owned()], &Options::default());
        let Some(image) = compilation.image else {
            panic!("{text}\n{:?}", compilation.diagnostics)
        };
        let mut diagnostics = compilation.diagnostics;
        // That no rule gives a reason says nothing of what is decided.
        diagnostics.retain(|diagnostic| diagnostic.kind.name != "empty-message");
        Self { text, image: Arc::new(image), diagnostics }
    }

    fn decide(&self, (tool, arguments): &Made, mode: ApprovalMode) -> Permission {
        let names = if tool == "bash" { ["command", "b", "c"] } else { ["a", "b", "c"] };
        let param = |(name, value): (&'static str, &String)| Param {
            name: name.into(),
            native: None,
            value: Value::Text(value.clone().into()),
        };
        let params = names.into_iter().zip(arguments).map(param).collect();
        let call = Call { id: None, tool: tool.as_str().into(), native_tool: None, params };
        let mut session = Session::new(Arc::clone(&self.image));
        session.set_mode(mode);
        let decision = session.apply(&Event::ToolCall(call), &mut FactHost::default());
        decision.permission.unwrap()
    }

    /// The place of a rule in the order in which they are looked at.
    fn position(&self, name: &str) -> u32 {
        let at = self.image.policy().iter().position(|rule| rule.name == name);
        u32::try_from(at.unwrap()).unwrap()
    }

    /// The rule that a diagnostic is about: the one in whose text it stands.
    fn rule_at(&self, diagnostic: &Diagnostic) -> u32 {
        let before = &self.text[..diagnostic.span.start as usize];
        let number = before.matches("[[rules]]").count() - 1;
        self.position(&format!("r{number}"))
    }

    fn mode_of(&self, rule: u32) -> ApprovalMode {
        let own = self.image.policy().get(rule).and_then(|rule| rule.mode);
        own.or(self.image.policy().approval_mode()).unwrap_or(ApprovalMode::Ask)
    }
}

/// The text in the backticks behind `start`.
fn quoted<'m>(message: &'m str, start: &str) -> Option<&'m str> {
    message.split_once(&format!("{start} `"))?.1.split('`').next()
}

/// The calls that a text in a message may stand for: a word alone is a tool or a command.
fn spelled(text: &str) -> Vec<Made> {
    let command = ("bash".to_owned(), vec![text.to_owned()]);
    let called = text.split_once('(').filter(|(tool, _)| !tool.contains([' ', '\'']));
    match called.and_then(|(tool, rest)| Some((tool, rest.strip_suffix(')')?))) {
        Some((tool, argument)) => vec![(tool.to_owned(), vec![argument.to_owned()])],
        None if text.contains(' ') => vec![command],
        None => vec![command, (text.to_owned(), Vec::new())],
    }
}

/// What is done with a call, as messages say it.
fn done(text: &str) -> PermissionAction {
    match text {
        "allowed" => PermissionAction::Allow,
        "left to the agent" => PermissionAction::None,
        "denied" => PermissionAction::Deny,
        "run dry first" => PermissionAction::DryRunFirst,
        "asked about" | "only asked about" => PermissionAction::Ask,
        other => panic!("`{other}`"),
    }
}

/// Checks the claims about one policy on some calls; counts the claims by kind.
fn check(policy: &Compiled, calls: &[Made], claims: &mut BTreeMap<&'static str, u32>) {
    for diagnostic in &policy.diagnostics {
        let kind = diagnostic.kind.name;
        *claims.entry(kind).or_default() += 1;
        let rule = policy.rule_at(diagnostic);
        let message = &*diagnostic.message;
        let tell = |call: &Made, found: &Permission| {
            format!("{}\n{message}\n{call:?} {found:?}", policy.text)
        };
        let each = |holds: &dyn Fn(&Made, ApprovalMode, &Permission) -> bool| {
            for (call, (_, mode)) in calls.iter().flat_map(|call| MODES.map(|mode| (call, mode))) {
                let found = policy.decide(call, mode);
                assert!(holds(call, mode, &found), "{}", tell(call, &found));
            }
        };
        match kind {
            "shadowed-rule" | "emptied-allow" => each(&|_, _, found| found.rule != Some(rule)),
            "rule-matches-nothing" if message.contains("` matches no call:") => {
                each(&|_, _, found| found.rule != Some(rule));
            }
            "rule-matches-everything" => each(&|call, mode, found| {
                let own = policy.image.policy().get(rule).unwrap();
                let holds = own.mode.is_none_or(|own| own == mode);
                let is_meant = match kind_of(call) {
                    Kind::Command => true,
                    // What nobody knows, no rule allows; that it is a command is known.
                    Kind::Opaque => own.action != PermissionAction::Allow,
                    Kind::Nothing => false,
                    Kind::Other => !message.contains("every command line"),
                };
                !holds || !is_meant || found.rule.is_some_and(|found| found <= rule)
            }),
            _ => {}
        }
        check_example(policy, diagnostic, rule);
    }
}

/// Checks the call that a message shows.
fn check_example(policy: &Compiled, diagnostic: &Diagnostic, rule: u32) {
    let message = &*diagnostic.message;
    let own = |rule: u32| policy.image.policy().get(rule).unwrap().mode;
    let usual = policy.mode_of(rule);
    let behind = |text: &str| message.split(text).nth(1).unwrap();
    let (call, mode, action, decider, other): (&str, _, &str, Option<u32>, Option<u32>) =
        match diagnostic.kind.name {
            "contradicting-rules" => {
                let earlier = policy.position(message.split('`').nth(1).unwrap());
                let action = behind(": it is ").split(',').next().unwrap();
                // The mode in which both hold.
                let mode = own(rule).or(own(earlier)).unwrap_or(usual);
                (quoted(message, "disagree on").unwrap(), mode, action, Some(earlier), None)
            }
            "evadable-pattern" => {
                let action = behind("`, which is ").split(": ").next().unwrap();
                (quoted(message, "does not cover").unwrap(), usual, action, None, Some(rule))
            }
            "allow-runs-others" => {
                let call = quoted(message, "any other program:").unwrap();
                (call, usual, "allowed", Some(rule), None)
            }
            "rule-matches-everything" => {
                let Some(call) = quoted(message, "so that") else { return };
                let action = message.rsplit("` is ").next().unwrap();
                (call, usual, action, Some(rule), None)
            }
            "shadowed-rule" | "emptied-allow" => {
                let Some((_, shown)) = message.rsplit_once("; `") else { return };
                let (call, action) = shown.rsplit_once("` is ").unwrap();
                (call, usual, action, None, Some(rule))
            }
            _ => return,
        };
    let found: Vec<_> = spelled(call).iter().map(|made| policy.decide(made, mode)).collect();
    let holds = |found: &Permission| {
        found.action == done(action)
            && decider.is_none_or(|decider| found.rule == Some(decider))
            && other.is_none_or(|other| found.rule != Some(other))
    };
    assert!(found.iter().any(holds), "{}\n{message}\n{call} {found:?}", policy.text);
}

fn runner() -> TestRunner {
    let cases = std::env::var("BEHAVIOR_POLICY_CASES").ok();
    let cases = cases.map_or(CASES, |cases| cases.parse().unwrap());
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]))
}

#[test]
fn what_is_said_of_a_policy_holds_of_what_it_decides() {
    let claims = std::cell::RefCell::new(BTreeMap::new());
    let cases = (policy(), vec(any_call(), 30), vec(vec(any::<u8>(), 6), 4));
    let property = |(policy, mut calls, ways): (Policy, Vec<Made>, Vec<Vec<u8>>)| {
        let subjects = policy.rules.iter().flat_map(|rule| &rule.subjects);
        calls.extend(subjects.flat_map(|subject| ways.iter().map(|by| call_of(subject, by))));
        check(&Compiled::new(&policy), &calls, &mut claims.borrow_mut());
        Ok(())
    };
    runner().run(&cases, property).unwrap();
    // A kind that is never met here is not tested.
    let claims = claims.into_inner();
    for kind in [
        "shadowed-rule",
        "emptied-allow",
        "contradicting-rules",
        "rule-matches-everything",
        "allow-runs-others",
        "evadable-pattern",
    ] {
        assert!(claims.get(kind).is_some_and(|count| *count >= 10), "{kind}: {claims:?}");
    }
}

/// Names of agents' tools that are also programs are no slips for commands.
#[test]
fn the_tools_of_agents_are_not_taken_for_programs() {
    let tools = behavior_agents::hook::Agent::wired().flat_map(|agent| agent.tools());
    for tool in tools {
        for name in [tool.native, tool.canonical] {
            let policy =
                format!("[[rules]]\nname = \"a\"\naction = \"deny\"\npattern = \"{name}\"\n");
            let files = behavior_tests::provider(&[("p.toml", &policy)]);
            let diagnostics =
                compile_all(&files, &["p.toml".to_owned()], &Options::default()).diagnostics;
            let misread = diagnostics.iter().find(|one| one.kind.name == "misread-pattern");
            assert!(misread.is_none(), "{name}: {misread:?}");
        }
    }
}

/// A hook leaves the comparisons out: what it decides by is the same image.
#[test]
fn comparing_rules_changes_no_image() {
    let policy = "[[rules]]\nname = \"a\"\naction = \"deny\"\npattern = \"git *\"\nreason = \"r\"\n\
                  [[rules]]\nname = \"b\"\naction = \"allow\"\npattern = \"git push\"\nreason = \"r\"\n";
    let files = behavior_tests::provider(&[("policy.toml", policy)]);
    let compiled = |skip_comparisons| {
        let options = Options { skip_comparisons, ..Options::default() };
        compile_all(&files, &["policy.toml".to_owned()], &options)
    };
    let (with, without) = (compiled(false), compiled(true));
    let names = |compilation: &behavior_compiler::Compilation| -> Vec<&str> {
        compilation.diagnostics.iter().map(|diagnostic| diagnostic.kind.name).collect()
    };
    assert_eq!(names(&with), ["emptied-allow"]);
    assert_eq!(names(&without), [""; 0]);
    assert_eq!(with.image.unwrap().as_bytes(), without.image.unwrap().as_bytes());
}

/// An address matched as text: patterns with the same ends, of which none holds another.
#[test]
fn many_patterns_of_one_form_are_told_apart() {
    let rule = |number: usize, pattern: &str| {
        format!(
            "[[rules]]\nname = \"r{number}\"\naction = \"deny\"\ntool_pattern = \"web_fetch\"\n\
             arg_pattern = '{pattern}'\nreason = \"r\"\n"
        )
    };
    let mut policy: String =
        (0..400).map(|at| rule(at, &format!(r"*://site{at}.example.com\?*"))).collect();
    policy += &rule(400, r"*a://site7.example.com\?*b*");
    let files = behavior_tests::provider(&[("policy.toml", &policy)]);
    let compilation = behavior_compiler::compile(&files, "policy.toml");
    let shadowed = compilation.diagnostics.iter().filter(|d| d.kind.name == "shadowed-rule");
    let messages: Vec<_> = shadowed.map(|diagnostic| diagnostic.message.to_string()).collect();
    assert_eq!(messages.len(), 1, "{messages:?}");
    assert!(messages[0].starts_with("`r400` never decides: `r7` takes all of it"), "{messages:?}");
}
