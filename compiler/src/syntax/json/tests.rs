use crate::syntax::Format::Json;
use crate::syntax::tests::{check, check_spans};

#[test]
fn values() {
    check(Json, "{}", "{}", &[]);
    check(Json, " [ ] \r\n", "[]", &[]);
    check(Json, "[null, true, false]", "[null, true, false]", &[]);
    check(Json, "[0, -12, 1.5, 2e3, -0.5E-1]", "[0, -12, 1.5, 2000.0, -0.05]", &[]);
    check(
        Json,
        "[9223372036854775807, 9223372036854775808]",
        "[9223372036854775807, 9.223372036854776e18]",
        &[],
    );
    check(
        Json,
        r#""\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00""#,
        "\"\\\"\\\\/\\u{8}\\u{c}\\n\\r\\tä😀\"",
        &[],
    );
}

#[test]
fn spans() {
    check_spans(
        Json,
        r#"{"a": [1, "x"], "ü": {}}"#,
        &[r#"{"a": [1, "x"], "ü": {}}"#, r#""a""#, r#"[1, "x"]"#, "1", r#""x""#, r#""ü""#, "{}"],
    );
}

#[test]
fn commas() {
    check(Json, "[1, 2,]", "[1, 2]", &["syntax @,@ JSON allows no comma before a closing bracket"]);
    check(
        Json,
        "{\"a\": 1,}",
        "{a: 1}",
        &["syntax @,@ JSON allows no comma before a closing bracket"],
    );
    check(Json, "[1 2]", "[1, 2]", &["syntax @@ expected `,` or `]`"]);
    check(Json, "[1,,2]", "[1, 2]", &["syntax @,@ there is a comma too many"]);
    check(Json, "[,]", "[!]", &["syntax @,@ expected a value, found `,`"]);
}

#[test]
fn several_errors_in_one_run() {
    check(
        Json,
        "{\"a\": NaN, b: 1, \"c\" 2, \"d\": , \"e\": 'x', \"f\": +1, \"g\": 01}",
        "{a: !, b: 1, c: !, d: !, e: \"x\", f: !, g: !}",
        &[
            "syntax @NaN@ `NaN` is no JSON value",
            "syntax @b@ the key `b` must stand in double quotes",
            "syntax @@ expected `:` behind the key `c`",
            "syntax @:@ the key `d` has no value",
            "syntax @'x'@ JSON strings stand in double quotes",
            "syntax @+1@ `+1` is no JSON number",
            "syntax @01@ `01` is no JSON number",
        ],
    );
}

#[test]
fn strings_that_are_wrong() {
    check(
        Json,
        "[\"a\n, 1]",
        "[\"a\", 1]",
        &["syntax @\"a@ the quote that opens here is not closed"],
    );
    check(
        Json,
        r#"["\q\u12\ud800"]"#,
        "[\"12\"]",
        &[
            "syntax @\\q@ `\\q` is no escape that JSON knows",
            "syntax @\\u@ `\\u` is no escape that JSON knows",
            "syntax @\\ud800@ `\\ud800` is no escape that JSON knows",
        ],
    );
    check(
        Json,
        "[\"a\tb\"]",
        "[\"a\\tb\"]",
        &["syntax @\t@ the control character U+0009 must be escaped"],
    );
}

#[test]
fn duplicate_keys_keep_the_first() {
    let parsed = check(
        Json,
        "{\"a\": 1, \"b\": 2, \"a\": 3}",
        "{a: 1, b: 2}",
        &["duplicate-key @\"a\"@ the key `a` stands here a second time"],
    );
    assert_eq!(parsed.diagnostics[0].labels[0].span.start, 1);
    let many: Vec<_> = (0..100).map(|n| format!("\"k{}\": {n}", n % 50)).collect();
    let parsed =
        crate::syntax::parse(crate::source::FileId(7), &format!("{{{}}}", many.join(",")), Json);
    assert_eq!((parsed.diagnostics.len(), parsed.root.entries().unwrap().len()), (50, 50));
}

#[test]
fn what_does_not_end() {
    check(
        Json,
        "[1, {\"a\": 2",
        "[1, {a: 2}]",
        &[
            "syntax @[@ the `[` that opens here is not closed",
            "syntax @{@ the `{` that opens here is not closed",
        ],
    );
    check(Json, "", "!", &["syntax @@ the file is empty"]);
    check(Json, "1 2", "1", &["syntax @2@ expected the end of the file, found `2`"]);
    check(Json, "// x\n1", "1", &["syntax @// x@ JSON has no comments"]);
}
