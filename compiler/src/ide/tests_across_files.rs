//! Questions that concern several files, or tests with rules of their own.

use std::sync::Arc;

use super::{
    Checks, Project, RuleFile, Store, actions, complete, hints, hover, rename, step_hints,
};
use crate::project::{Entry, entries};
use crate::provider::{MemoryFiles, ReadError, SourceProvider, WithLibrary};
use crate::resolve::Options;

fn library(name: &str) -> Option<&'static str> {
    match name {
        "rules.yaml" => Some(
            "rule_definitions:\n  - id: read_first\n    trigger: edit\n    action: block\n    condition: { target_not_in_set: read_files }\n    \
             message: x\nstate_tracking:\n  sets:\n    read_files: { add_on: [read] }\n",
        ),
        "programs.yaml" | "files.yaml" => Some("programs: {}\n"),
        "classes.yaml" => Some("command_classes: {}\n"),
        "dev.yaml" => Some("name: dev\nrules:\n  read_first: true\n"),
        _ => None,
    }
}

fn provider(files: &[(&str, &str)]) -> WithLibrary<MemoryFiles> {
    let project = MemoryFiles::new(files.iter().map(|(name, text)| (*name, *text)));
    WithLibrary { library, presets: &["dev"], project }
}

/// The text of each file once the name at the `‸` of one of them is another.
fn renamed(files: &[(&str, &str)], new: &str) -> Vec<String> {
    let (name, marked) = files.iter().find(|(_, text)| text.contains('‸')).expect("a cursor");
    let offset = marked.find('‸').expect("a cursor") as u32;
    let texts: Vec<(&str, String)> =
        files.iter().map(|(name, text)| (*name, text.replacen('‸', "", 1))).collect();
    let borrowed: Vec<(&str, &str)> =
        texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let provider = provider(&borrowed);
    let project = Project { provider: &provider, store: &Store::default() };
    let file = project.file(name).expect("a file");
    let edits = rename(project, &file, offset, new).expect("a new name").edits;
    let changed = texts.into_iter().map(|(name, mut text)| {
        let mut own: Vec<_> = edits.iter().filter(|edit| edit.file == name).collect();
        own.sort_by_key(|edit| std::cmp::Reverse(edit.span.start));
        for edit in own {
            text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        }
        text
    });
    changed.collect()
}

const CONFIG: &str = "rule_definitions: [{ id: shared, trigger: bash, message: x }]\n";
const OWN: &str = "tests:\n  - { name: own, rules: [{ id: shared, trigger: bash, message: x }], events: [bash: ], expect: [{ at: 0, rules: [shared] }] }\n";
const OF_CONFIG: &str =
    "tests:\n  - { name: all, events: [bash: ], expect: [{ at: 0, rules: [shared] }] }\n";
const POLICY: &str = "[[rules]]\nname = \"shared\"\naction = \"deny\"\npattern = \"rm *\"\n";
const TRACE: &str = "rules: [{ id: shared, kind: max_turns, params: { limit: 3 } }]\n";

#[test]
fn a_rule_keeps_apart_from_others_of_its_name() {
    let marked = CONFIG.replace("id: shared", "id: sha‸red");
    let files = [
        ("behavior.yaml", marked.as_str()),
        ("a.test.yaml", OWN),
        ("b.test.yaml", OF_CONFIG),
        ("behavior/policy.toml", POLICY),
        ("behavior/t.policy.yaml", TRACE),
    ];
    let changed = renamed(&files, "other");
    assert_eq!(changed[0], CONFIG.replace("shared", "other"));
    assert_eq!(changed[1], OWN, "a test's own rule");
    assert_eq!(changed[2], OF_CONFIG.replace("shared", "other"));
    assert_eq!(changed[3], POLICY);
    assert_eq!(changed[4], TRACE);
}

#[test]
fn a_rule_of_a_trace_policy_is_no_rule_of_a_policy() {
    let marked = TRACE.replace("id: shared", "id: sha‸red");
    let files = [
        ("behavior.yaml", "profile: dev\n"),
        ("behavior/policy.toml", POLICY),
        ("behavior/t.policy.yaml", marked.as_str()),
    ];
    let changed = renamed(&files, "other");
    assert_eq!(changed[1], POLICY);
    assert_eq!(changed[2], TRACE.replace("shared", "other"));
}

#[test]
fn a_rule_of_a_test_is_renamed_in_it_alone() {
    let marked = OWN.replace("id: shared", "id: sha‸red");
    let changed = renamed(&[("behavior.yaml", CONFIG), ("a.test.yaml", &marked)], "other");
    assert_eq!(changed[0], CONFIG);
    assert_eq!(changed[1], OWN.replace("shared", "other"));
}

/// The titles of what can be changed at a place.
fn titles(marked: &str) -> Vec<String> {
    let offset = marked.find('‸').expect("a cursor") as u32;
    let provider = provider(&[]);
    let project = Project { provider: &provider, store: &Store::default() };
    let file = Arc::new(RuleFile::new("behavior.yaml", marked.replacen('‸', "", 1)));
    actions(project, &file, &[], offset, offset).into_iter().map(|action| action.title).collect()
}

#[test]
fn constants_have_no_mapping() {
    let rule = |condition: &str| {
        titles(&format!("rule_definitions:\n  - id: a\n    condition: ‸\"{condition}\"\n"))
    };
    assert_eq!(rule("target exists"), ["write the condition as a mapping"]);
    for constant in ["true", "false", "not true", "target exists and not false"] {
        assert_eq!(rule(constant), Vec::<String>::new(), "{constant}");
    }
}

#[test]
fn what_has_an_anchor_keeps_its_form() {
    let text = |condition: &str| {
        format!(
            "rule_definitions:\n  - id: a\n    condition: {condition}\n  - id: b\n    condition: ‸*read\n"
        )
    };
    let own = text("&read { target_in_set: read_files }");
    assert_eq!(titles(&own), Vec::<String>::new());
    let at_anchor = own.replace('‸', "").replace("&read", "‸&read");
    assert_eq!(titles(&at_anchor), Vec::<String>::new());
    let inside = "rule_definitions:\n  - id: a\n    condition: ‸{ not: &read { target_in_set: read_files } }\n";
    assert_eq!(titles(inside), Vec::<String>::new());
    let scalar = "rule_definitions:\n  - id: a\n    condition: ‸&read target exists\n";
    assert_eq!(titles(scalar), Vec::<String>::new());
    let with_mark = "rule_definitions:\n  - id: a\n    condition: ‸{ target_matches: \"*.md\" }\n";
    assert_eq!(titles(with_mark), ["write the condition as an expression"]);
}

/// The changes that mend a file: each title with the text that comes of it, or the files that are made.
fn mending(name: &str, text: &str) -> Vec<(String, String)> {
    let provider = provider(&[(name, text)]);
    let project = Project { provider: &provider, store: &Store::default() };
    let compilation = crate::check(&provider, &[name.to_owned()], &Options::default());
    let problems = crate::problem::problems(&compilation);
    let file = Arc::new(RuleFile::new(name, text));
    let all = actions(project, &file, &problems, 0, text.len() as u32);
    let made = |action: &super::Action| match action.creates.first() {
        Some((path, _)) => path.clone(),
        None => action.edits.iter().map(|edit| edit.text.clone()).collect(),
    };
    all.iter().map(|action| (action.title.clone(), made(action))).collect()
}

#[test]
fn what_is_missing_is_made_however_it_is_written() {
    for name in ["crew", "\"{{behavior.crew}}\""] {
        let found = mending("behavior.yaml", &format!("profile: {name}\n"));
        let made = found.iter().any(|(_, made)| made == "behavior/crew.yaml");
        assert!(made, "{name}: {found:?}");
    }
    let text = "rule_definitions:\r\n  - id: a\r\n    trigger: bash\r\n    condition: flag(x)\r\n    message: m\r\n";
    let found = mending("behavior.yaml", text);
    let (_, lines) = found.iter().find(|(title, _)| title == "declare the flag `x`").expect("it");
    assert_eq!(lines.matches('\n').count(), lines.matches("\r\n").count(), "{lines:?}");
    let one = mending("behavior.yaml", "profle: dev\n");
    assert!(one.iter().any(|(title, _)| title == "apply the one safe fix of this file"), "{one:?}");
}

#[test]
fn rules_move_with_what_they_ask_for() {
    let moved = |text: &str| {
        let (start, end) = (text.find("  - id: a").expect("a"), text.find("  - id: b").expect("b"));
        let provider = provider(&[("behavior.yaml", text)]);
        let project = Project { provider: &provider, store: &Store::default() };
        let file = Arc::new(RuleFile::new("behavior.yaml", text));
        let all = actions(project, &file, &[], start as u32, end as u32);
        let action = all.into_iter().find(|action| !action.creates.is_empty()).expect("a move");
        let mut config = text.to_owned();
        for edit in action.edits.iter().rev() {
            config.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        }
        let (path, profile) = action.creates.first().expect("a profile").clone();
        for name in ["behavior.yaml", &path] {
            let files = [("behavior.yaml", &*config), (&*path, &*profile)];
            assert_eq!(
                problems(&files, name),
                Vec::<String>::new(),
                "{name}:\n{config}\n{profile}"
            );
        }
        (config, profile)
    };
    let rule = |id: &str, condition: &str| {
        format!("  - id: {id}\n    trigger: bash\n    condition: {condition}\n    message: m\n")
    };
    let rules = format!(
        "rule_definitions:\n{}{}",
        rule("a", "flag(asked) and counter(looks) >= 2"),
        rule("b", "flag(other)")
    );
    let state = "state_tracking:\n  counters:\n    # How often.\n    looks:\n      increment_on: read\n      reset_when: flag(seen)\n  flags:\n    asked: { set_on: ask }\n    other: { set_on: edit }\n    seen: { set_on: grep }\n";
    let (config, profile) = moved(&format!("profile: dev\n{rules}{state}"));
    assert_eq!(
        config,
        format!(
            "profile: extracted\nrule_definitions:\n{}state_tracking:\n  flags:\n    other: {{ set_on: edit }}\n",
            rule("b", "flag(other)")
        )
    );
    let tracking = "state_tracking:\n  counters:\n    looks:\n      increment_on: read\n      reset_when: flag(seen)\n  flags:\n    asked: { set_on: ask }\n    seen: { set_on: grep }\n";
    assert!(profile.ends_with(tracking), "{profile}");
    // What is all in one line goes as a whole or stays.
    let flow = "state_tracking: { counters: { looks: { increment_on: read } }, flags: { asked: { set_on: ask }, other: { set_on: edit } } }\n";
    let (config, _) = moved(&format!("profile: dev\n{flow}{rules}"));
    assert!(config.contains("looks"), "{config}");
    let (_, profile) = moved(&format!("profile: dev\n{rules}{state}").replace('\n', "\r\n"));
    assert_eq!(profile.matches('\n').count(), profile.matches("\r\n").count());
}

/// A file after the fixes of its problems.
fn mended(text: &str) -> String {
    let provider = provider(&[("behavior.yaml", text)]);
    let found = Checks::default().folder(&provider, "", &[]);
    let mut edits: Vec<(u32, u32, String)> = Vec::new();
    for problem in found.problems.get("behavior.yaml").into_iter().flatten() {
        let Some(fix) = problem.fixes.first() else { continue };
        let own = fix.edits.iter();
        edits.extend(own.map(|(place, text)| (place.start, place.end, text.clone())));
    }
    edits.sort();
    let mut out = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        out.replace_range(start as usize..end as usize, &new);
    }
    out
}

#[test]
fn fixes_are_written_as_the_string_wants_them() {
    let rule = |condition: &str| {
        format!(
            "rule_definitions:\n  - id: a\n    trigger: bash\n    condition: {condition}\n    message: x\n"
        )
    };
    for (wrong, right) in [
        (
            r#"{ param_matches: { param: command, pattern: "a(b" } }"#,
            r#"{ param_matches: { param: command, pattern: "a\\(b" } }"#,
        ),
        (
            r"{ param_matches: { param: command, pattern: 'a(b' } }",
            r"{ param_matches: { param: command, pattern: 'a\(b' } }",
        ),
        (
            r"{ param_matches: { param: command, pattern: a(b } }",
            r"{ param_matches: { param: command, pattern: a\(b } }",
        ),
        (r#"'param(command) matches "a(b"'"#, r#"'param(command) matches "a\(b"'"#),
        (r#""param(command) matches 'a(b'""#, r#""param(command) matches 'a\\(b'""#),
    ] {
        let after = mended(&rule(wrong));
        assert_eq!(after, rule(right));
        assert_eq!(mended(&after), after, "nothing is left to mend");
    }
}

#[test]
fn rules_of_policies_are_called_by_sentences() {
    let marked = "[[rules]]\nname = \"no ‸force\"\naction = \"deny\"\npattern = \"git push -f\"\n";
    let files = [("behavior.yaml", "profile: dev\n"), ("behavior/policy.toml", marked)];
    let changed = renamed(&files, "never by force");
    assert_eq!(changed[1], marked.replace("no ‸force", "never by force"));
}

#[test]
fn who_names_a_model_is_told_as_check_tells_it() {
    struct Known(WithLibrary<MemoryFiles>, bool);
    impl SourceProvider for Known {
        fn read(&self, name: &str) -> Result<Vec<u8>, ReadError> {
            self.0.read(name)
        }
        fn list(&self, directory: &str) -> Vec<String> {
            self.0.list(directory)
        }
        fn has_secret(&self, name: &str) -> bool {
            self.0.has_secret(name)
        }
        fn has_default_brain(&self) -> Option<bool> {
            Some(self.1)
        }
    }
    let text = "classify_turns: true\nverifier: { enabled: true }\n";
    let mut checks = Checks::default();
    let mut told = |has_one: bool| {
        let files = Known(provider(&[("behavior.yaml", text)]), has_one);
        let found = checks.folder(&files, "", &[]);
        let problems = found.problems.get("behavior.yaml").into_iter().flatten();
        problems.map(|problem| problem.name).collect::<Vec<&str>>()
    };
    assert_eq!(told(false), ["classifier-without-brain", "verifier-without-brain"]);
    assert_eq!(told(true), Vec::<&str>::new(), "what was kept from before does not hold any more");
}

#[test]
fn a_rule_without_a_condition_takes_no_steps() {
    let files = [
        ("behavior.yaml", "profile: dev\n"),
        (
            "behavior/t.policy.yaml",
            "rules:\n  - { id: a, kind: max_turns, params: { limit: 3 } }\n",
        ),
    ];
    let provider = provider(&files);
    let project = Project { provider: &provider, store: &Store::default() };
    let file = project.file("behavior/t.policy.yaml").expect("a file");
    assert_eq!(step_hints(project, &file), []);
}

/// A mistake in one rule hides nothing of the others.
#[test]
fn rules_beside_a_broken_one_keep_their_steps() {
    let rule = |id: &str, condition: &str| {
        format!("  - id: {id}\n    trigger: bash\n    message: m\n    condition: {condition}\n")
    };
    let lines_of = |broken: &str| {
        let rules = [rule("a", "runs \"git push\""), broken.to_owned(), rule("c", "runs \"ls\"")];
        let text = format!("rule_definitions:\n{}", rules.concat());
        let provider = provider(&[("behavior.yaml", &text)]);
        let project = Project { provider: &provider, store: &Store::default() };
        let file = project.file("behavior.yaml").expect("a file");
        let lines = step_hints(project, &file).into_iter().map(|hint| {
            let before = text.get(..hint.offset as usize).unwrap_or_default();
            before.rsplit('\n').next().unwrap_or_default().to_owned()
        });
        lines.collect::<Vec<_>>()
    };
    assert_eq!(lines_of(&rule("b", "runs \"git\"")), ["  - id: a", "  - id: b", "  - id: c"]);
    for condition in ["counter(x", "{ runss: git }", "flag(gone)", "{ runs: git"] {
        let lines = lines_of(&rule("b", condition));
        assert!(!lines.contains(&"  - id: b".to_owned()), "{condition}: {lines:?}");
        for other in ["  - id: a", "  - id: c"] {
            assert!(lines.iter().any(|line| line == other), "{condition}: {lines:?}");
        }
    }
}

#[test]
fn comments_move_with_their_rule() {
    let text = "profile: dev\nrule_definitions:\n  - id: a\n    message: x\n  # About b,\n  # in two lines.\n  - id: b\n    message: y\n";
    let provider = provider(&[]);
    let project = Project { provider: &provider, store: &Store::default() };
    let file = Arc::new(RuleFile::new("behavior.yaml", text));
    let at = text.find("- id: b").expect("a rule") as u32;
    let found = actions(project, &file, &[], at, at + 8);
    let action = found.iter().find(|action| !action.creates.is_empty()).expect("a move");
    assert!(
        action.creates[0].1.contains("  # About b,\n  # in two lines.\n  - id: b"),
        "{action:?}"
    );
    let cut = &action.edits.last().expect("an edit").span;
    assert_eq!(cut.start as usize, text.find("  # About").expect("a comment"));
}

#[test]
fn what_is_switched_off_is_not_in_force() {
    let provider = provider(&[]);
    let project = Project { provider: &provider, store: &Store::default() };
    let shown = |text: &str| -> Vec<String> {
        let found = hints(project, &RuleFile::new("behavior.yaml", text));
        found.into_iter().map(|hint| format!("{}: {}", hint.label, hint.markdown)).collect()
    };
    assert_eq!(shown("profile: dev\n"), ["1 rule: In force: `read_first`"]);
    assert_eq!(shown("profile: dev\nrules: { read_first: false }\n"), Vec::<String>::new());
}

/// The kinds and places of what is wrong with a file.
fn problems(files: &[(&str, &str)], name: &str) -> Vec<String> {
    let options = Options { only_problems: true, ..Options::default() };
    let compilation = crate::check(&provider(files), &[name.to_owned()], &options);
    let told = compilation.diagnostics.iter().map(|it| {
        format!(
            "{} @{}@",
            it.kind.name,
            compilation.sources.slice(it.span).lines().next().unwrap_or_default()
        )
    });
    told.collect()
}

#[test]
fn mistakes_in_rules_of_tests_are_told() {
    let test = |rules: &str| {
        format!(
            "tests:\n  - {{ name: a, rules: {rules}, events: [bash: ], expect: [{{ at: 0, rules: r }}] }}\n"
        )
    };
    let told = |rules: &str| problems(&[("a.test.yaml", &test(rules))], "a.test.yaml");
    assert_eq!(
        told("[{ idd: r, triger: bash, message: x }]"),
        ["unknown-field @idd@", "unknown-field @triger@"]
    );
    assert_eq!(told("{ read_frist: true }"), ["unknown-field @read_frist@"]);
    assert_eq!(told("[{ id: r, trigger: bash, message: x }]"), Vec::<String>::new());
    assert_eq!(told("{ read_first: true }"), ["unknown-rule @r@"]);
}

#[test]
fn one_mistake_is_told_once() {
    let config = |text: &str| problems(&[("behavior.yaml", text)], "behavior.yaml");
    let rule =
        "rule_definitions:\n  - { id: r, trigger: edit, action: block, message: x, condition: ";
    let exception = "exceptions:\n  - { rule: r, when: target exists, reason: y }\n";
    assert_eq!(
        config(&format!("{rule}target in red_files }}\n{exception}")),
        ["undeclared-name @red_files@"]
    );
    assert_eq!(
        config(&format!(
            "profile: stict\nrules: {{ of_strict: false }}\n{rule}flag(done) }}\n{exception}state_tracking:\n  sets: {{ s: {{ add_on: read }} }}\n"
        )),
        ["unknown-profile @stict@"]
    );
    let state = |state: &str| config(&format!("{rule}target exists }}\nstate_tracking: {state}\n"));
    assert_eq!(
        state("{ counters: { c: { incrment_on: edit } } }"),
        ["unknown-field @incrment_on@"]
    );
    assert_eq!(state("{ sets: { s: { ad_on: edit } } }"), ["unknown-field @ad_on@"]);
    assert_eq!(state("{ sets: { s: { add_on: edit } } }"), ["unused-state @s@"]);
    let policy = |text: &str| problems(&[("behavior/policy.toml", text)], "behavior/policy.toml");
    let rest = "name = \"a\"\naction = \"allow\"\n";
    assert_eq!(
        policy(&format!("[[rules]]\n{rest}patern = \"rm *\"\n")),
        ["unknown-field @patern@"]
    );
    assert_eq!(policy(&format!("[[rules]\n{rest}pattern = \"rm *\"\n")), ["syntax @[[rules]@"]);
    let tests = |text: &str| problems(&[("a.test.yaml", text)], "a.test.yaml");
    assert_eq!(tests("# behavior: tests\na: [\n").len(), 1);
    assert_eq!(tests("tests:\n  - name: \"a\n    events: [bash: ]\n").len(), 1);
}

#[test]
fn tests_of_a_project_are_looked_at_with_it() {
    let files = [
        ("behavior.yaml", "profile: dev\n"),
        ("a.test.yaml", OF_CONFIG),
        ("behavior/b.test.yaml", OF_CONFIG),
        ("widget.test.yaml", "suite: x\n"),
    ];
    let found = entries(&provider(&files), "");
    let alone: Vec<&Entry> = found.iter().skip(1).collect();
    let paths: Vec<&str> = alone.iter().flat_map(|it| &it.paths).map(String::as_str).collect();
    assert_eq!(paths, ["a.test.yaml", "behavior/b.test.yaml"]);
}

#[test]
fn rules_of_tests_are_written_as_others_are() {
    let provider = provider(&[("behavior.yaml", CONFIG)]);
    let project = Project { provider: &provider, store: &Store::default() };
    let at = |marked: &str| {
        let offset = marked.find('‸').expect("a cursor") as u32;
        (RuleFile::new("a.test.yaml", marked.replacen('‸', "", 1)), offset)
    };
    let labels = |marked: &str| -> Vec<String> {
        let (file, offset) = at(marked);
        complete(&file, project, offset).into_iter().map(|item| item.label).collect()
    };
    let start = "tests:\n  - name: a\n    ";
    assert!(labels(&format!("{start}rules: [{{ ‸")).contains(&"trigger".to_owned()));
    assert!(labels(&format!("{start}rules: {{ ‸")).contains(&"read_first".to_owned()));
    assert!(labels(&format!("{start}config: {{ ‸")).contains(&"state_tracking".to_owned()));
    let own = format!("{start}rules: [{{ id: mine, trigger: bash }}]\n    expect: [{{ rules: [‸");
    assert!(labels(&own).contains(&"mine".to_owned()));
    let state = "config: { state_tracking: { flags: { done: { set_on: ask } } }, rule_definitions: [{ id: r, condition: flag(";
    assert_eq!(labels(&format!("{start}{state}‸")), ["done"]);
    let (file, offset) = at(&format!("{start}{state}do‸ne) }}] }}\n"));
    let found = hover(&file, project, offset).expect("an explanation");
    assert!(found.markdown.contains("Set by `ask`"), "{}", found.markdown);
    assert_eq!(labels("‸"), ["tests"]);
    assert_eq!(labels("te‸"), ["tests"]);
}

#[test]
fn the_call_that_shows_a_problem_can_be_kept() {
    let policy =
        "[[rules]]\nname = \"a\"\naction = \"deny\"\npattern = \"bash(git push --force)\"\n";
    let taken = [("behavior/policy.toml", policy), ("behavior/policy.test.yaml", "tests: []\n")];
    let provider = provider(&taken);
    let project = Project { provider: &provider, store: &Store::default() };
    let checked = Checks::default().folder(&provider, "", &["behavior/policy.toml".to_owned()]);
    let problems = &checked.problems["behavior/policy.toml"];
    let place = &problems.iter().find(|it| it.name == "evadable-pattern").expect("one").place;
    let file = project.file("behavior/policy.toml").expect("a file");
    let found = actions(project, &file, problems, place.start, place.start);
    let kept: Vec<_> = found.into_iter().filter(|action| !action.creates.is_empty()).collect();
    let titles: Vec<&str> = kept.iter().map(|action| &*action.title).collect();
    assert_eq!(
        titles,
        [
            "write a test that expects `deny` for `git --force push origin`",
            "write a session that makes the call `git --force push origin`",
        ]
    );
    let files: Vec<_> = kept.into_iter().flat_map(|action| action.creates).collect();
    assert_eq!(
        files[0],
        (
            "behavior/policy-2.test.yaml".to_owned(),
            concat!(
                "tests:\n  - name: \"git --force push origin\"\n    config: \"policy.toml\"\n    events:\n",
                "      - {\"bash\":{\"command\":\"git --force push origin\"}}\n",
                "    expect:\n      - { at: 0, permission: deny }\n",
            )
            .to_owned(),
        )
    );
    assert_eq!(problems_of_new(&files[0], policy), Vec::<String>::new());
    assert_eq!(files[1].0, "behavior/policy.session.jsonl");
    let call = files[1].1.lines().nth(1).expect("a call");
    let call: serde_json::Value = serde_json::from_str(call).expect("JSON");
    assert_eq!(call["params"]["command"], "git --force push origin");
}

#[test]
fn what_shows_that_a_rule_does_not_what_it_seems_to_is_kept() {
    let profile = "name: strict\nrule_definitions:\n  - { id: a, trigger: pytest, message: m }\n";
    let files = [("behavior/strict.yaml", profile), ("behavior.yaml", "profile: strict\n")];
    let provider = provider(&files);
    let project = Project { provider: &provider, store: &Store::default() };
    let checked = Checks::default().folder(&provider, "", &["behavior/strict.yaml".to_owned()]);
    let problems = &checked.problems["behavior/strict.yaml"];
    let place = &problems.iter().find(|it| it.name == "command-as-tool").expect("one").place;
    let file = project.file("behavior/strict.yaml").expect("a file");
    let found = actions(project, &file, problems, place.start, place.start);
    let kept: Vec<_> = found.into_iter().filter(|action| !action.creates.is_empty()).collect();
    let titles: Vec<&str> = kept.iter().map(|action| &*action.title).collect();
    assert_eq!(
        titles,
        [
            "write a test that expects `a` to fire on `pytest`",
            "write a session that shows it on `pytest`",
        ]
    );
    let (name, text) = &kept[0].creates[0];
    assert_eq!(name, "behavior/strict.test.yaml");
    assert!(text.contains("config: \"strict.yaml\""), "{text}");
    assert!(text.contains(r#"{ at: 0, rules: ["a"] }"#), "{text}");
}

/// What is wrong with a file that was made beside a policy.
fn problems_of_new((name, text): &(String, String), policy: &str) -> Vec<String> {
    problems(&[(name, text), ("behavior/policy.toml", policy)], name)
}
