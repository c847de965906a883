use std::fmt::Write as _;

use crate::source::FileId;
use crate::syntax::Format::Yaml;
use crate::syntax::tests::{check, check_spans, problem, render};
use crate::syntax::{Kind, parse};

#[test]
fn core_schema() {
    let text = "[null, Null, NULL, ~, nUll, true, True, TRUE, tRue, false, False, FALSE]";
    let tree = r#"[null, null, null, null, "nUll", true, true, true, "tRue", false, false, false]"#;
    check(Yaml, text, tree, &[]);
    let text = "[0, -1, +12, 012, 0o17, 0xfF, 0o8, 0x, -0x1, 1_000, 9223372036854775808]";
    let tree = r#"[0, -1, 12, 12, 15, 255, "0o8", "0x", "-0x1", "1_000", 9.223372036854776e18]"#;
    check(Yaml, text, tree, &[]);
    let text =
        "[1.5, .5, 5., 1e3, -1.5E-2, .inf, -.Inf, +.INF, .nan, inf, nan, ., -., +, e1, 1e, 1.2.3]";
    let tree = r#"[1.5, 0.5, 5.0, 1000.0, -0.015, inf, -inf, inf, NaN, "inf", "nan", ".", "-.", "+", "e1", "1e", "1.2.3"]"#;
    check(Yaml, text, tree, &[]);
    check(
        Yaml,
        "[yes, on, y, '1:30', 1:30, 2024-01-01, '1', \"true\", '']",
        r#"["yes", "on", "y", "1:30", "1:30", "2024-01-01", "1", "true", ""]"#,
        &[],
    );
}

#[test]
fn documents() {
    check(Yaml, "", "null", &[]);
    check(Yaml, "# only\n", "null", &[]);
    check(Yaml, "---\n", "null", &[]);
    check(Yaml, "%YAML 1.2\n---\na: 1\n...\n", "{a: 1}", &[]);
    check(Yaml, "just text", "\"just text\"", &[]);
    let second = "syntax @---@ a second document starts here; a rule file holds only one";
    check(Yaml, "a: 1\n---\nb: 2\n", "{a: 1}", &[second]);
    check(
        Yaml,
        "a: @x\nb: 1\n---\nb: 2\n",
        "{a: !, b: 1}",
        &["syntax @@x@ a value without quotes cannot start with `@`", second],
    );
}

#[test]
fn spans_of_blocks() {
    check_spans(
        Yaml,
        "# c\nä:  # x\n  - one  # y\n  - b: 2\n    c:\nd: {e: [f, 'g'] }\n",
        &[
            "ä:  # x\n  - one  # y\n  - b: 2\n    c:\nd: {e: [f, 'g'] }",
            "ä",
            "- one  # y\n  - b: 2\n    c:",
            "one",
            "b: 2\n    c:",
            "b",
            "2",
            "c",
            "",
            "d",
            "{e: [f, 'g'] }",
            "e",
            "[f, 'g']",
            "f",
            "'g'",
        ],
    );
}

#[test]
fn spans_of_scalars() {
    check_spans(
        Yaml,
        "a: |  # c\n  x\n\n  y\n\nb: >-\n\n   k\nc: &n !t\n  |+\n  q\n\nd: \"x\n  y\"\ne: p\n  q\nf: |\ng: 1",
        &[
            "a: |  # c\n  x\n\n  y\n\nb: >-\n\n   k\nc: &n !t\n  |+\n  q\n\nd: \"x\n  y\"\ne: p\n  q\nf: |\ng: 1",
            "a",
            "|  # c\n  x\n\n  y",
            "b",
            ">-\n\n   k",
            "c",
            "|+\n  q",
            "d",
            "\"x\n  y\"",
            "e",
            "p\n  q",
            "f",
            "|",
            "g",
            "1",
        ],
    );
    check_spans(
        Yaml,
        "- |\n a\n-\n- - >\n   b\n",
        &["- |\n a\n-\n- - >\n   b", "|\n a", "", "- >\n   b", ">\n   b"],
    );
    check_spans(
        Yaml,
        "a: 'x\r\n  y'\r\nb: |\r\n  q\r\n",
        &["a: 'x\r\n  y'\r\nb: |\r\n  q", "a", "'x\r\n  y'", "b", "|\r\n  q"],
    );
}

#[test]
fn empty_values_stand_behind_their_colon() {
    let parsed = check(Yaml, "a :\nb: {c: , d}\n", "{a: null, b: {c: null, d: null}}", &[]);
    assert_eq!(parsed.root.get("a").unwrap().span.start, 3);
}

#[test]
fn keys() {
    check(
        Yaml,
        "1: a\ntrue: b\n~: c\n'q': d\n<<: e\n0x1: f\n",
        r#"{1: "a", true: "b", ~: "c", q: "d", <<: "e", 0x1: "f"}"#,
        &[],
    );
    check(Yaml, "k: {{x}}\n", "{k: {}}", &["syntax @{x}@ a mapping cannot be a key"]);
    check(Yaml, "[a]: 1\nb: 2\n", "{b: 2}", &["syntax @[a]@ a list cannot be a key"]);
    check(
        Yaml,
        "&k a: 1\nb: *k\n*k : 2\n",
        "{a: 1, b: \"a\"}",
        &["duplicate-key @a@ the key `a` stands here a second time"],
    );
    check(Yaml, "[a: b, c]", "[{a: \"b\"}, \"c\"]", &[]);
}

#[test]
fn duplicate_keys_keep_the_first() {
    let text = "a: 1\nb: 2\na: 3\n\"a\": 4\n";
    let parsed = check(
        Yaml,
        text,
        "{a: 1, b: 2}",
        &[
            "duplicate-key @a@ the key `a` stands here a second time",
            "duplicate-key @\"a\"@ the key `a` stands here a second time",
        ],
    );
    assert_eq!(parsed.diagnostics[1].labels[0].span.start, 0);
}

#[test]
fn tags_are_refused() {
    check(
        Yaml,
        "a: !!str 1\nb: !include x.yaml\n",
        "{a: 1, b: \"x.yaml\"}",
        &[
            "yaml-tag @!!str@ the tag `!!str` is not supported: rule files hold plain values only",
            "yaml-tag @!include@ the tag `!include` is not supported: rule files hold plain values only",
        ],
    );
    check(
        Yaml,
        "a: !e!x 1\nb: 2\n",
        "{a: !, b: 2}",
        &["yaml-tag @!e!x@ tags are not supported: rule files hold plain values only"],
    );
}

#[test]
fn aliases() {
    let text = "a: &x\n  k: [1]\nb: *x\nc: 2\n";
    let parsed = check(Yaml, text, "{a: {k: [1]}, b: {k: [1]}, c: 2}", &[]);
    assert_eq!(parsed.root.get("a").unwrap().span, parsed.root.get("b").unwrap().span);
    check_spans(Yaml, "- &x [1]\n- - *x\n", &["- &x [1]\n- - *x", "[1]", "1", "- *x", "[1]", "1"]);
    check(
        Yaml,
        "&x [*x]",
        "[!]",
        &["unknown-alias @*x@ this alias stands inside what it stands for"],
    );
    check(
        Yaml,
        "a: *.txt\nb: 1\n",
        "{a: !, b: 1}",
        &["unknown-alias @*.txt@ there is no anchor `&.txt` above this alias"],
    );
}

#[test]
fn alias_bombs_are_bounded() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for n in 1..30 {
        let alias = format!("*a{}, ", n - 1);
        writeln!(text, "a{n}: &a{n} [{}]", alias.repeat(9)).unwrap();
    }
    let parsed = parse(FileId(7), &text, Yaml);
    let kinds: Vec<_> = parsed.diagnostics.iter().map(|found| found.kind.name).collect();
    assert_eq!(kinds, ["too-large"]);
    assert!(render(&parsed.root).len() < 200_000);
    let mut deep = "a0: &a0 [x]\n".to_owned();
    for n in 1..200 {
        writeln!(deep, "a{n}: &a{n} [*a{}]", n - 1).unwrap();
    }
    let parsed = parse(FileId(7), &deep, Yaml);
    assert_eq!(parsed.diagnostics[0].kind.name, "too-large");
}

#[test]
fn comments() {
    let text = "# kind: rules\na: |  # two\n  # no\nb: '#no' # three\n# four\n";
    let parsed = check(Yaml, text, r##"{a: "# no\n", b: "#no"}"##, &[]);
    let comments: Vec<_> = parsed.comments.iter().map(|comment| &*comment.text).collect();
    assert_eq!(comments, [" kind: rules", " two", " three", " four"]);
    let many = "# c\n".repeat(100_000) + "a: 1";
    assert_eq!(parse(FileId(7), &many, Yaml).comments.len(), 100_000);
}

/// One broken line among whole ones: what is said of it. What follows must be whole.
#[track_caller]
fn check_error(line: &str, tree: &str, expected: &str) {
    let text = format!("first: 1\n{line}\nlast: 2\n");
    check(Yaml, &text, &format!("{{first: 1, {tree}last: 2}}"), &[expected]);
}

#[test]
fn errors_in_words() {
    check_error("a: @x", "a: !, ", "syntax @@x@ a value without quotes cannot start with `@`");
    check_error(
        "a: `x`",
        "a: !, ",
        "syntax @`x`@ a value without quotes cannot start with a backtick",
    );
    check_error("a: %x", "a: !, ", "syntax @%x@ a value without quotes cannot start with `%`");
    check_error("a: *", "a: !, ", "syntax @*@ a value without quotes cannot start with `*`");
    check_error("a: \"x", "a: !, ", "syntax @\"x@ the quote that opens here is not closed");
    check_error("a: 'x", "a: !, ", "syntax @'x@ the quote that opens here is not closed");
    check_error("a: [x, y", "a: !, ", "syntax @[x, y@ the `[` that opens here is not closed");
    check_error("a: {x: 1", "a: !, ", "syntax @{x: 1@ the `{` that opens here is not closed");
    check_error("a: [x}", "a: !, ", "syntax @[@ `}` closes a bracket that was opened with `[`");
    check_error("a: ]", "a: !, ", "syntax @]@ `]` closes nothing");
    check_error(
        "a: b: c",
        "a: !, ",
        "syntax @b: c@ this value holds `: `, which would start a mapping inside it",
    );
    check_error("a:b", "a: !, ", "syntax @a:@ there must be a blank behind the colon of `a:`");
    check_error("a b", "a: !, ", "syntax @a b@ expected `key: value`, but there is no colon");
    check_error("a: - b", "a: !, ", "syntax @-@ a list item cannot start on the line of its key");
    check_error("a: 'it's'", "a: !, ", "syntax @s'@ there is text behind the closing quote");
    check_error(r#"a: "\d""#, "a: !, ", r"syntax @\d@ `\d` is no escape that YAML knows");
    check_error(r#"a: "\n\u12""#, "a: !, ", r"syntax @\u12@ `\u12` is no escape that YAML knows");
    check_error("a: > foo", "a: !, ", "syntax @> foo@ `>` must stand alone on its line");
    check_error("a: {x: 1 y: 2}", "a: !, ", "syntax @:@ expected `,` or `}`, found `:`");
    check_error("a: {x}y", "a: !, ", "syntax @y@ expected the end of the line, found `y`");
    check_error(
        "a: \u{1}",
        "a: !, ",
        "encoding @\u{1}@ there is the control character U+0001 here, which YAML does not allow",
    );
    check_error(
        "a:\n  b: 1\n c: 2",
        "a: {b: 1, c: !}, ",
        "syntax @c: 2@ the indentation of this line fits none of the lines above",
    );
    check_error(
        "a:\n  - b\n c: 2",
        "a: [\"b\"], ",
        "syntax @c: 2@ the indentation of this line fits none of the lines above",
    );
    check_error(
        "a: x\n b: 2",
        "a: !, ",
        "syntax @b: 2@ this line is indented deeper than the one above, whose value it would continue",
    );
    check_error(
        "a:\n\t- x",
        "a: !, ",
        "syntax @\t@ this line is indented with a tab, which YAML forbids",
    );
    check_error(
        "a: x\n\tb: 2",
        "a: !, ",
        "syntax @\t@ this line is indented with a tab, which YAML forbids",
    );
}

#[test]
fn recovery_reaches_into_rules() {
    let text = "\
security:
  behavior:
    profile: dev
    rule_definitions:
      - id: a
        when:pre_tool
        action: warn
      - id: b
        message: \"foo
        condition:
          all:
            - x: 1
            - y: @
      # between
      - id: c
        trigger: [a,
          b
        ]
      -
        id: d
        m: a: b
    other: *x
after: &x 1
";
    check(
        Yaml,
        text,
        "{security: {behavior: {profile: \"dev\", rule_definitions: [\
         {id: \"a\", when: !, action: \"warn\"}, \
         {id: \"b\", message: !, condition: {all: [{x: 1}, {y: !}]}}, \
         {id: \"c\", trigger: [\"a\", \"b\"]}, {id: \"d\", m: !}], other: !}}, after: 1}",
        &[
            "syntax @when:@ there must be a blank behind the colon of `when:`",
            "syntax @\"foo@ the quote that opens here is not closed",
            "syntax @@@ a value without quotes cannot start with `@`",
            "syntax @a: b@ this value holds `: `, which would start a mapping inside it",
        ],
    );
}

#[test]
fn recovery_keeps_anchors_and_spans() {
    let text = "a: &x [1]\nb: @\nc: *x\nd:\n- 'ü'\n";
    let parsed = check(
        Yaml,
        text,
        "{a: [1], b: !, c: [1], d: [\"ü\"]}",
        &["syntax @@@ a value without quotes cannot start with `@`"],
    );
    let d = &parsed.root.get("d").unwrap().items().unwrap()[0];
    assert_eq!(&text[d.span.start as usize..d.span.end as usize], "'ü'");
}

#[test]
fn hopeless_files_are_broken() {
    for text in ["[a, b", "{a: 1", "\"x", "@", "- [\n- ]", "{a: 1}\nb: 2"] {
        let parsed = parse(FileId(7), text, Yaml);
        assert!(!parsed.diagnostics.is_empty(), "{text:?}");
        assert!(
            render(&parsed.root).contains('!'),
            "{text:?}: {:?}",
            parsed.diagnostics.iter().map(|d| problem(text, d)).collect::<Vec<_>>()
        );
    }
    assert_eq!(parse(FileId(7), "[a, b", Yaml).root.kind, Kind::Broken);
}

#[test]
fn recovery_keeps_what_was_reported_before() {
    check(
        Yaml,
        "a:\n  b: 1\n  b: 2\n  c:\n    d: 1\n   e: 2\nf: {x: y\ng: 1\n",
        "{a: {b: 1, c: {d: 1, e: !}}, f: !, g: 1}",
        &[
            "duplicate-key @b@ the key `b` stands here a second time",
            "syntax @e: 2@ the indentation of this line fits none of the lines above",
            "syntax @{x: y@ the `{` that opens here is not closed",
        ],
    );
}

#[test]
fn lines_between_brackets_need_no_indentation_where_those_are_closed() {
    check(Yaml, "a: [\nb,\nc\n]\nd: 1\n", "{a: [\"b\", \"c\"], d: 1}", &[]);
    check(
        Yaml,
        "a: [\nb: 1\nc: [x,\n  y]\n",
        "{a: !, b: 1, c: [\"x\", \"y\"]}",
        &["syntax @[@ the `[` that opens here is not closed"],
    );
}

#[test]
fn many_broken_items_are_each_reported() {
    let mut text = "rules:\n".to_owned();
    for n in 0..3000 {
        let message = if n % 3 == 0 { "\"x" } else { "x" };
        writeln!(text, "  - id: r{n}\n    message: {message}\n    when: y").unwrap();
    }
    let parsed = parse(FileId(7), &text, Yaml);
    assert_eq!(parsed.diagnostics.len(), 1000);
    let items = parsed.root.get("rules").unwrap().items().unwrap();
    assert_eq!(items.len(), 3000);
    assert!(items.iter().all(|item| item.get("id").is_some() && item.get("when").is_some()));
}
