//! What typical mistakes look like to their authors.

use crate::common::Project;
use insta::assert_snapshot;

/// The pretty form of the problems of a rule, without the summary.
#[track_caller]
fn problems(text: &str) -> String {
    let run = Project::new(&[("behavior.yaml", text)]).run("check");
    assert_eq!(run.code, 1, "{}", run.out);
    run.out.rsplit_once("\n\n").map(|(problems, _)| problems.to_owned()).unwrap_or_default()
}

#[test]
fn a_misspelt_field() {
    assert_snapshot!(
        problems(
            "rule_definitions:\n  - id: a\n    triger: edit\n    message: m\n",
        ),
        @r#"
error[unknown-field]: unknown field `triger` in a rule definition
   ╭─[ behavior.yaml:3:5 ]
   │
 3 │     triger: edit
   │     ───┬──
   │        ╰──── did you mean `trigger`?
───╯
"#,
    );
}

#[test]
fn an_unknown_condition() {
    assert_snapshot!(
        problems(
            "rule_definitions:\n  - id: a\n    message: m\n    condition: { targt_in_set: read_files }\n",
        ),
        @r#"
error[unknown-condition]: behavior: unknown condition type: targt_in_set
   ╭─[ behavior.yaml:4:18 ]
   │
 4 │     condition: { targt_in_set: read_files }
   │                  ──────┬─────
   │                        ╰─────── did you mean `target_in_set`?
───╯
"#,
    );
}

#[test]
fn two_keys_in_a_condition() {
    assert_snapshot!(
        problems(
            "rule_definitions:\n  - id: a\n    message: m\n    condition:\n      target_in_set: read_files\n      \
         no_text_before_tools: true\n",
        ),
        @r#"
error[several-conditions]: a condition has exactly one key
   ╭─[ behavior.yaml:6:7 ]
   │
 5 │       target_in_set: read_files
   │       ──────┬──────
   │             ╰──────── the first one
 6 │       no_text_before_tools: true
   │       ──────────┬─────────
   │                 ╰─────────── if both must hold, make them a list under `all`
───╯
  fix: put both under `all`
"#,
    );
}

#[test]
fn an_undeclared_counter() {
    assert_snapshot!(
        problems(
            "rule_definitions:\n  - id: a\n    message: \"{counter:edits}\"\n    condition: counter(edits) >= 3\n",
        ),
        @r#"
error[undeclared-name]: nothing declares a counter called `edits`
   ╭─[ behavior.yaml:3:24 ]
   │
 3 │     message: "{counter:edits}"
   │                        ──┬──
   │                          ╰──── here
───╯
  help: the declared counters are `changes_since_test` and `reads_since_search`

error[undeclared-name]: nothing declares a counter called `edits`
   ╭─[ behavior.yaml:4:24 ]
   │
 4 │     condition: counter(edits) >= 3
   │                        ──┬──
   │                          ╰──── here
───╯
  help: the declared counters are `changes_since_test` and `reads_since_search`
"#,
    );
}

#[test]
fn a_look_ahead() {
    assert_snapshot!(
        problems(
            "rule_definitions:\n  - id: a\n    message: m\n    condition:\n      param_matches:\n        param: command\n        \
         pattern: \"git push(?! --dry-run)\"\n",
        ),
        @r#"
error[unsupported-pattern]: the negative look-ahead `(?! --dry-run)` is not supported: it needs a backtracking engine
   ╭─[ behavior.yaml:7:27 ]
   │
 7 │         pattern: "git push(?! --dry-run)"
   │                           ───────┬──────
   │                                  ╰──────── here
───╯
  help: leave it out, and exclude what it stands for with a second condition: `all` of this one and `not` of one with the pattern `git push --dry-run`
"#,
    );
}

#[test]
fn a_condition_in_the_wrong_phase() {
    assert_snapshot!(
        problems(
            "rule_definitions:\n  - id: a\n    message: m\n    condition: { text_matches: sure }\n",
        ),
        @r#"
error[condition-never-holds]: `text_matches` never holds in a `pre_tool` rule
   ╭─[ behavior.yaml:4:18 ]
   │
 4 │     condition: { text_matches: sure }
   │                  ──────┬─────
   │                        ╰─────── it belongs into rules with `when: on_text` or `when: turn_end`
───╯
"#,
    );
}

#[test]
fn an_unclosed_bracket() {
    assert_snapshot!(
        problems(
            "rule_definitions: [\n",
        ),
        @r#"
error[syntax]: the `[` that opens here is not closed
   ╭─[ behavior.yaml:1:19 ]
   │
 1 │ rule_definitions: [
   │                   ┬
   │                   ╰── close it with `]`, or put the value in quotes if it is meant as text
───╯
"#,
    );
}

#[test]
fn a_name_on_the_command_line() {
    let run = Project::new(&[]).run("inspect --profile devv");
    assert_eq!(run.code, 2);
    assert_snapshot!(run.err, @r"
error[unknown-profile]: there is no profile called `devv`
   ╭─[ --profile:1:1 ]
   │
 1 │ devv
   │ ──┬─
   │   ╰─── did you mean `dev`?
───╯

1 error
");
}
