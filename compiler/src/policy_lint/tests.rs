//! Rules made of pattern strings, and what is said of them.

use std::sync::LazyLock;

use behavior_image::code::{ApprovalMode, PermissionAction, Priority};

use super::check;
use crate::ast::BehaviorConfig;
use crate::command::{PatternWord, ShapeBuilder, literal, words};
use crate::decode::{Decode, Reports};
use crate::diagnostic::{Diagnostic, Severity};
use crate::ir::{Index, Permissions, PolicyAlternative, PolicyRule, Shape, ToolTest};
use crate::pattern::{Budget, Pattern, word};
use crate::programs::Table;
use crate::source::{FileId, Span};
use crate::syntax::{Format, parse};

/// The table that is built in.
static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let text = include_str!("../../../stdlib-profiles/programs.yaml");
    let mut reports = Reports::default();
    let root = parse(FileId(0), text, Format::Yaml).root;
    let config = BehaviorConfig::decode(&root, &mut reports).unwrap();
    let mut table = Table::default();
    let programs = config.programs.unwrap();
    programs.0.iter().for_each(|(name, config)| table.add(&name.value, config));
    programs.0.iter().for_each(|(name, config)| table.share_subcommands(&name.value, config));
    table
});

/// Builds rules out of lines such as `deny @yolo %admin git push *`.
struct Builder<'t> {
    table: &'t Table,
    patterns: Vec<Pattern>,
}

impl Builder<'_> {
    fn glob(&mut self, glob: &str) -> Index {
        self.patterns.push(word::compile(glob, false, &mut Budget::none()).unwrap());
        self.patterns.len() as Index - 1
    }

    fn shape(&mut self, text: &str) -> Shape {
        if text == "opaque" {
            return Shape { opaque: true, ..Shape::default() };
        }
        let words = words(text).unwrap();
        let table = self.table;
        let mut glob = |word: &PatternWord| Some(self.glob(&word.glob));
        let mut shape = ShapeBuilder { table, glob: &mut glob, with_flags: false }
            .shape(&words, false)
            .unwrap_or_default();
        if text == "*" {
            shape = Shape { operands: Some(vec![None]), ..Shape::default() };
        }
        shape
    }

    fn tool(&mut self, name: &str) -> ToolTest {
        match literal(name) {
            _ if name == "*" => ToolTest::Any,
            Some(name) => ToolTest::Named(name.into()),
            None => ToolTest::Pattern(self.glob(name)),
        }
    }

    /// `tool:NAME`, `tool:NAME:ARGUMENT`, or a command.
    fn alternative(&mut self, text: &str) -> PolicyAlternative {
        let Some(rest) = text.strip_prefix("tool:") else {
            let command = Some(self.shape(text));
            return PolicyAlternative { tool: ToolTest::Shell, command, argument: None };
        };
        let (tool, argument) = match rest.split_once(':') {
            Some((tool, argument)) => (tool, Some(argument)),
            None => (rest, None),
        };
        let tool = self.tool(tool);
        let argument = argument.map(|glob| self.glob(glob));
        PolicyAlternative { tool, command: None, argument }
    }

    fn rule(&mut self, number: u32, line: &str) -> PolicyRule {
        let (action, mut rest) = line.split_once(' ').unwrap();
        let action = match action {
            "allow" => PermissionAction::Allow,
            "deny" => PermissionAction::Deny,
            "ask" => PermissionAction::Ask,
            other => panic!("{other}"),
        };
        let (mut mode, mut priority) = (None, Priority::User);
        while rest.starts_with(['@', '%']) {
            let (word, behind) = rest.split_once(' ').unwrap();
            rest = behind;
            match word {
                "@yolo" => mode = Some(ApprovalMode::Yolo),
                "@agent" => mode = Some(ApprovalMode::Agent),
                "@ask" => mode = Some(ApprovalMode::Ask),
                "@autoEdit" => mode = Some(ApprovalMode::AutoEdit),
                "%admin" => priority = Priority::Admin,
                other => panic!("{other}"),
            }
        }
        let span = Span::new(FileId(0), number * 10, number * 10 + 5);
        PolicyRule {
            name: format!("r{number}").into(),
            span,
            pattern_span: span,
            pattern: rest.into(),
            priority,
            action,
            mode,
            alternatives: rest.split(" | ").map(|text| self.alternative(text)).collect(),
            facts: Vec::new(),
            reason: "".into(),
        }
    }
}

fn lint_in(mode: Option<ApprovalMode>, lines: &[String]) -> Vec<Diagnostic> {
    let mut builder = Builder { table: &TABLE, patterns: Vec::new() };
    let rules = (1..).zip(lines).map(|(number, line)| builder.rule(number, line)).collect();
    let mut reports = Reports::default();
    check(&Permissions { mode, mode_span: None, rules }, &builder.patterns, &TABLE, &mut reports);
    reports.diagnostics
}

fn lint(text: &str) -> Vec<Diagnostic> {
    let lines: Vec<String> = text.trim().lines().map(|line| line.trim().to_owned()).collect();
    lint_in(None, &lines)
}

/// What is said of a policy: for each report of one kind, its message.
#[track_caller]
fn check_kind(kind: &str, policy: &str, expect: &[&str]) {
    let diagnostics = lint(policy);
    let found: Vec<&str> =
        diagnostics.iter().filter(|one| one.kind.name == kind).map(|one| &*one.message).collect();
    assert_eq!(found, expect, "{policy}");
}

#[test]
fn rules_behind_wider_ones_never_decide() {
    let check = |policy: &str, expect: &[&str]| check_kind("shadowed-rule", policy, expect);
    check(
        "allow git *\ndeny git push *",
        &["`r2` never decides: `r1` takes all of it before; `git push` is allowed"],
    );
    check(
        "deny rm * | unlink *\nask rm -rf *",
        &["`r2` never decides: `r1` takes all of it before; `rm -rf` is denied"],
    );
    // Two that are each narrower take it together.
    check(
        "allow git push [a-m]*\nallow git push [!a-m]*\ndeny git push ?*",
        &[
            "`r3` never decides: `r1` and `r2` together take all of it before; `git push a` is allowed",
        ],
    );
    check(
        "allow tool:edit:/tmp/*\nask tool:edit:/tmp/x/*",
        &["`r2` never decides: `r1` takes all of it before; `edit(/tmp/x/)` is allowed"],
    );
    check(
        "ask tool:github.*\ndeny tool:github.delete_*",
        &["`r2` never decides: `r1` takes all of it before; `github.delete_file` is asked about"],
    );
    check(
        "ask tool:bash\ndeny @yolo tool:bash",
        &["`r2` never decides: `r1` takes all of it before; `program` is asked about"],
    );
    // The spelling of flags makes no difference.
    check(
        "deny git push --force *\nask git push -f origin *",
        &["`r2` never decides: `r1` takes all of it before; `git push -f origin` is denied"],
    );
    check(
        "deny @ask rm *\ndeny @yolo rm *\ndeny @autoEdit rm *\ndeny @agent rm *\nask rm -r *",
        &[
            "`r5` never decides: `r1` and `r2` and `r3` together take all of it before; `rm -r` is denied",
        ],
    );
}

#[test]
fn rules_with_calls_of_their_own_decide() {
    let check = |policy: &str| {
        check_kind("shadowed-rule", policy, &[]);
        check_kind("emptied-allow", policy, &[]);
    };
    check("deny git push *\nallow git *");
    check("allow git push\nask git push *");
    check("allow git push --force\nask git push --force --tags");
    check("ask @yolo rm *\ndeny rm -r *");
    check("ask @yolo rm *\ndeny @ask rm -r *");
    check("deny git push [a-m]*\nallow git push [n-z]*\nallow git push ?*");
    // What runs cannot be known, or nothing runs: only a rule about the tool takes that.
    check("deny *\nallow tool:bash");
    // An allow takes nothing that nobody knows.
    check("allow tool:bash\nask tool:bash");
    check("allow *\nask * --force *");
    check("allow tool:edit:/tmp/*\nask tool:edit");
    check("ask tool:x.edit\ndeny tool:edit");
    check("deny rm *\nask opaque");
    check("deny git push origin --force-with-lease *\nallow git push origin *");
}

#[test]
fn denials_empty_an_allow() {
    let check = |policy: &str, expect: &[&str]| check_kind("emptied-allow", policy, expect);
    check(
        "deny %admin git *\nallow git status *",
        &["`r2` allows nothing: `r1` denies it all before; `git status` is denied"],
    );
    check(
        "deny tool:*\nallow tool:read | ls *",
        &["`r2` allows nothing: `r1` denies it all before; `read` is denied"],
    );
    check("ask git *\nallow git status *", &[]);
    check("deny git push *\nallow git push * | git status", &[]);
}

#[test]
fn rules_disagree() {
    let check = |policy: &str, expect: &[&str]| check_kind("contradicting-rules", policy, expect);
    check(
        "allow git *\ndeny * --mirror *",
        &[
            "`r1` and `r2` disagree on `git --mirror`: it is allowed, since that rule comes first, and would be denied otherwise",
        ],
    );
    check(
        "allow tool:*.list\ndeny tool:github.*",
        &[
            "`r1` and `r2` disagree on `github.list`: it is allowed, since that rule comes first, and would be denied otherwise",
        ],
    );
    check(
        "ask tool:edit:*.rs\ndeny tool:edit:/etc/*",
        &[
            "`r1` and `r2` disagree on `edit(/etc/.rs)`: it is asked about, since that rule comes first, and would be denied otherwise",
        ],
    );
    let severity = |policy: &str| lint(policy).first().map(|one| one.severity);
    assert_eq!(severity("allow cat /srv/app/*\ndeny cat *.env *"), Some(Severity::Warning));
}

#[test]
fn exceptions_and_other_standings_are_no_contradiction() {
    let check = |policy: &str| check_kind("contradicting-rules", policy, &[]);
    check("allow git push --dry-run *\ndeny git push *");
    check("allow git *\ndeny %admin * --mirror *");
    check("allow git *\nallow * --mirror *");
    check("allow @yolo git *\ndeny @ask * --mirror *");
    check("allow cat [a-m]*\ndeny cat [n-z]*");
    check("allow git status\ndeny git push *");
    check("deny cat .env *\nallow cat /srv/app/*\n");
    // The stricter rule first: nothing is allowed that a rule denies.
    check("deny cat *.env\nallow cat /srv/app/*");
    check("deny * --force *\nallow git *");
    check("ask git push *\nallow git * --tags *");
    check("allow tool:edit:/tmp/*\ndeny tool:edit:/etc/*");
    // Another rule has decided on all that they share.
    check("ask git --mirror *\nallow git *\ndeny git * --mirror");
}

#[test]
fn patterns_match_nothing() {
    let check = |policy: &str, expect: &[&str]| check_kind("rule-matches-nothing", policy, expect);
    check(
        "deny /usr/bin/r? *",
        &[
            "`/usr/bin/r? *` matches no call: a program is compared without its directory, so none is like `/usr/bin/r?`",
        ],
    );
    check(
        "deny git.exe push",
        &[
            "`git.exe push` matches no call: a program is compared without its ending, so none is called `git.exe`",
        ],
    );
    let nothing = "ls x[!\u{0}-\u{10FFFF}]";
    check(
        &format!("deny {nothing} | rm *"),
        &[&format!(
            "`{nothing} | rm *` has a part that matches no call: no command has all that it asks for"
        )],
    );
    check("deny /usr/bin/rm *\nask [rR]m *\nallow tool:edit:[ab]*", &[]);
}

#[test]
fn patterns_match_everything() {
    let check =
        |policy: &str, expect: &[&str]| check_kind("rule-matches-everything", policy, expect);
    check(
        "allow tool:*",
        &["`tool:*` is about every call of every tool, so that `rm -rf ~` is allowed"],
    );
    check(
        "deny rm *\nallow tool:?*",
        &["`tool:?*` is about every call of every tool, so that `git push -f` is allowed"],
    );
    check("allow *", &["`*` is about every command line, so that `rm -rf ~` is allowed"]);
    check(
        "ask ls * | ** *",
        &["`ls * | ** *` is about every command line, so that `rm -rf ~` is asked about"],
    );
    check(
        "allow tool:bash",
        &["`tool:bash` is about every command line, so that `rm -rf ~` is allowed"],
    );
    check("allow git *\nallow tool:read*\nallow tool:edit\nallow * --version\ndeny ?", &[]);
    assert_eq!(lint("deny tool:*").first().map(|one| one.severity), Some(Severity::Info));
}

#[test]
fn an_allow_runs_others_unseen() {
    let check = |policy: &str, expect: &[&str]| check_kind("allow-runs-others", policy, expect);
    check(
        "allow python3 *",
        &[
            r#"`python3 *` lets `python3` run any other program: `python3 -c 'import gc; next(f for f in gc.get_objects() if getattr(f, "__name__", "") == "system")("rm -rf /home")'` is allowed, and nobody looks at what it runs"#,
        ],
    );
    check("allow git *", &[]);
    check(
        "allow awk *",
        &[
            r#"`awk *` lets `awk` run any other program: `awk 'BEGIN { split("rm -rf ~", c, "|"); c[1] | getline }'` is allowed, and nobody looks at what it runs"#,
        ],
    );
    // What these run is judged on its own.
    check(
        "allow xargs *\nallow find *\nallow sh *\nallow ssh *\nallow env *\nallow sudo *\nallow npx *",
        &[],
    );
    check("allow python manage.py *\nallow git status *\nallow sed -n *.txt", &[]);
    check("ask python -c *\nallow python *\nask git config *\nallow git *", &[]);
    check("ask python *", &[]);
}

#[test]
fn denials_are_got_around() {
    let check = |policy: &str, expect: &[&str]| check_kind("evadable-pattern", policy, expect);
    check(
        "deny git push --force",
        &[
            "`git push --force` does not cover `git push -f origin`, which is only asked about: nothing may stand behind the last word of the pattern",
        ],
    );
    check(
        "ask npm publish\nallow npm *",
        &[
            "`npm publish` does not cover `npm publish x`, which is allowed: nothing may stand behind the last word of the pattern",
        ],
    );
    check(
        "deny cat .env *",
        &[
            "`cat .env *` does not cover `cat /srv/app/.env`, which is only asked about: the same file has other names",
        ],
    );
    check(
        "deny deployer --force *",
        &[
            "`deployer --force *` does not cover `deployer -f`, which is only asked about: nothing is known of the flags of `deployer`, so `-f` may be another spelling of `--force`",
        ],
    );
    check(
        "deny tool:edit:secrets/*",
        &[
            "`tool:edit:secrets/*` does not cover `edit(/srv/app/secrets/)`, which is only asked about: the same file has other names",
        ],
    );
    check(
        "deny tool:query:*DROP TABLE*",
        &[
            "`tool:query:*DROP TABLE*` does not cover `query(drop table)`, which is only asked about: case counts in arguments",
        ],
    );
    let help = lint("deny git push --force").remove(0).help;
    assert_eq!(help.as_deref(), Some("write `git push -f *`"));
}

#[test]
fn what_is_covered_is_not_got_around() {
    let check = |policy: &str| check_kind("evadable-pattern", policy, &[]);
    check("deny git push --force *\ndeny /bin/rm *\ndeny 'rm' -r *");
    check("deny git push --force\ndeny git push *");
    // Without a rule, the user is asked too.
    check("ask npm publish\nallow git push");
    check("deny cat *.env *\ndeny tool:edit:*secrets/*\ndeny tool:edit:/etc/*");
    check("allow git push");
    check("deny git push --force-with-lease *\ndeny tool:fetch:https://example.com/*");
}

#[test]
fn a_mode_that_allows_makes_more_of_an_escape() {
    let found = lint_in(Some(ApprovalMode::Yolo), &["ask npm publish".to_owned()]);
    let messages: Vec<&str> = found.iter().map(|one| &*one.message).collect();
    let expect = "`npm publish` does not cover `npm publish x`, which is allowed: nothing may stand behind the last word of the pattern";
    assert_eq!(messages, [expect]);
}

#[test]
fn a_mode_that_allows_edits_makes_more_of_their_escapes() {
    let found = lint_in(Some(ApprovalMode::AutoEdit), &["ask tool:edit:secrets/*".to_owned()]);
    let messages: Vec<&str> = found.iter().map(|one| &*one.message).collect();
    let expect = "`tool:edit:secrets/*` does not cover `edit(/srv/app/secrets/)`, which is allowed: the same file has other names";
    assert_eq!(messages, [expect]);
}

#[test]
fn what_never_decides_itself_hides_nothing() {
    let check = |policy: &str, expect: &[&str]| check_kind("shadowed-rule", policy, expect);
    check(
        "ask tool:*\ndeny git *\nallow git status",
        &[
            "`r2` never decides: `r1` takes all of it before; `git` is asked about",
            "`r3` never decides: `r1` takes all of it before; `git status` is asked about",
        ],
    );
    check_kind("emptied-allow", "ask tool:*\ndeny git *\nallow git status", &[]);
    // The first of two that each take all of it decides.
    check(
        "ask cat [a-m]*\nask cat *\ndeny cat a*",
        &["`r3` never decides: `r1` takes all of it before; `cat a` is asked about"],
    );
    // On the example, a rule decides that takes only some of it.
    check(
        "ask g? *\nallow git *\ndeny git push *",
        &["`r3` never decides: `r2` takes all of it before; `git push` is allowed"],
    );
    check(
        "ask git push\nallow git *\ndeny git push *",
        &["`r3` never decides: `r2` takes all of it before"],
    );
}

#[test]
fn examples_are_calls_that_both_rules_take() {
    let check = |policy: &str, expect: &[&str]| check_kind("contradicting-rules", policy, expect);
    // No allow takes what nobody knows, and no command is the argument of a plain call.
    check("ask opaque\nallow tool:s.*", &[]);
    check("allow tool:*:/tmp/*\ndeny tool:bash", &[]);
    // `-f` is what `git push` calls this flag, so it is one of `git`.
    check(
        "allow git --force push *\ndeny git push main *",
        &[
            "`r1` and `r2` disagree on `git --force push main`: it is allowed, since that rule comes first, and would be denied otherwise",
        ],
    );
}

#[test]
fn a_thousand_rules_are_fast() {
    LazyLock::force(&TABLE);
    let check = |is_worth_a_word: bool, line: &dyn Fn(usize) -> String| {
        let lines: Vec<String> = (0..1000).map(line).collect();
        let start = std::time::Instant::now();
        let found = lint_in(None, &lines);
        // Far more than it takes, so that only a change in kind shows.
        assert!(start.elapsed().as_secs() < 20, "{} {:?}", lines[1], start.elapsed());
        assert_eq!(!found.is_empty(), is_worth_a_word, "{}", lines[1]);
    };
    let programs = ["git", "npm", "docker", "kubectl", "cargo", "aws", "terraform", "make"];
    let action = |number: usize| ["allow", "deny", "ask"][number % 3];
    check(true, &|number| match number % 4 {
        0 => format!("allow {} sub{number} *", programs[number % 8]),
        1 => format!("deny {} * --flag{number} *", programs[number % 8]),
        2 => format!("ask tool:edit:/srv/app{number}/*"),
        _ => format!("deny git push *-{number}"),
    });
    check(false, &|number| format!("{} git --force x{number} *", action(number)));
    check(false, &|number| format!("{} cat{number} x *", action(number)));
    check(true, &|number| format!("{} git * x{number} *", action(number)));
    check(true, &|number| format!("{} git --flag{number} *", action(number)));
    check(false, &|number| format!("{} tool:edit{number}", action(number)));
}
