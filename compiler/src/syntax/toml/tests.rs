use crate::source::FileId;
use crate::syntax::Format::Toml;
use crate::syntax::tests::{check, check_spans};

#[test]
fn a_carriage_return_alone_is_said_in_words() {
    let parsed = crate::syntax::parse(FileId(0), "approval_mode = \"ask\"\rx = 1\r", Toml);
    let found = parsed.diagnostics.first().map(|one| (&*one.message, one.help.as_deref()));
    let help = "end lines with a newline: save the file with Unix or Windows line ends";
    assert_eq!(found, Some(("a carriage return alone ends no line", Some(help))));
    assert!(
        crate::syntax::parse(FileId(0), "approval_mode = \"ask\"\r\n", Toml).diagnostics.is_empty()
    );
}

#[test]
fn values() {
    check(
        Toml,
        "a = 1\nb = 0x1F\nc = 1_000\nd = 2.5\ne = true\nf = 'x'\ng = \"\\u00e4\"\nh = [1, {i = 2}]\n",
        "{a: 1, b: 31, c: 1000, d: 2.5, e: true, f: \"x\", g: \"ä\", h: [1, {i: 2}]}",
        &[],
    );
    check(Toml, "a = 1979-05-27\nb = 07:32:00\n", "{a: \"1979-05-27\", b: \"07:32:00\"}", &[]);
    check(Toml, "", "{}", &[]);
    check(Toml, "a = 99999999999999999999", "{a: 1e20}", &[]);
}

#[test]
fn spans() {
    check_spans(
        Toml,
        "# c\r\n[a]\r\n\"k\" = 'v'\r\n[[b]]\r\nx = [1]\r\n[[b]]\r\n",
        &[
            "# c\r\n[a]\r\n\"k\" = 'v'\r\n[[b]]\r\nx = [1]\r\n[[b]]\r\n",
            "a",
            "[a]\r\n\"k\" = 'v'",
            "\"k\"",
            "'v'",
            "b",
            "[[b]]\r\nx = [1]\r\n[[b]]",
            "[[b]]\r\nx = [1]",
            "x",
            "[1]",
            "1",
            "[[b]]",
        ],
    );
}

#[test]
fn comments() {
    let text = "# one\na = \"# no\" # two\nb = '''\n# no\n''' #three\n";
    let parsed = check(Toml, text, "{a: \"# no\", b: \"# no\\n\"}", &[]);
    let comments: Vec<_> = parsed.comments.iter().map(|comment| &*comment.text).collect();
    assert_eq!(comments, [" one", " two", "three"]);
}

#[test]
fn duplicates() {
    check(
        Toml,
        "a = 1\na = 2\n[t]\n[t]\nb = 1\n",
        "{a: 1, t: {b: 1}}",
        &[
            "duplicate-key @a@ the key `a` stands here a second time",
            "duplicate-key @t@ the key `t` stands here a second time",
        ],
    );
}

#[test]
fn unclosed_values_swallow_nothing() {
    check(
        Toml,
        "a = [1, 2\nb = 3\n[t]\nc = {x = 1\nd = 4\n[u\ne = \"\"\"x\n",
        "{a: !, b: 3, t: {c: !, d: 4}}",
        &[
            "syntax @[1, 2@ the `[` that opens here is not closed",
            "syntax @{x = 1@ the `{` that opens here is not closed",
            "syntax @[u@ the `[` that opens here is not closed",
            "syntax @\"\"\"x@ the quote that opens here is not closed",
        ],
    );
}

#[test]
fn unclosed_values_swallow_no_headers() {
    check(
        Toml,
        "[[r]]\na = [\n[[r]]\nb = 'x'\nc = {\n[[r]]\nd = 1\n",
        "{r: [{a: !}, {b: \"x\", c: !}, {d: 1}]}",
        &[
            "syntax @[@ the `[` that opens here is not closed",
            "syntax @{@ the `{` that opens here is not closed",
        ],
    );
}

#[test]
fn one_error_a_statement() {
    check(
        Toml,
        "a = foo bar\nb = \nc\nd = \"x\ne = 1\nf = [1 2 3]\ng = 5\n",
        "{a: !, b: !, d: !, e: 1, f: [1, !], g: 5}",
        &[
            "syntax @foo bar@ text must stand in quotes",
            "syntax @@ expected a value",
            "syntax @@ expected `=` and a value behind the key",
            "syntax @\"x@ a string is not closed on this line",
            "syntax @2 3@ expected a comma",
        ],
    );
}

#[test]
fn dates_and_times() {
    let good = [
        "1979-05-27",
        "2024-02-29",
        "07:32",
        "07:32:60",
        "1979-05-27 07:32:00.25",
        "1979-05-27T00:32:00-07:00",
        "1979-05-27t07:32z",
    ];
    let bad = [
        "1979-13-01",
        "2023-02-29",
        "1900-02-29",
        "1979-05-27T",
        "24:00:00",
        "07:32:00.",
        "7:32",
        "1979-05-27T07:32:00+24:00",
        "1979-05-27T07:32:00Zx",
    ];
    for text in good {
        check(
            Toml,
            &format!("a = {text}\nb = [{text}]"),
            &format!("{{a: {text:?}, b: [{text:?}]}}"),
            &[],
        );
    }
    for text in bad {
        let parsed = crate::syntax::parse(FileId(0), &format!("a = {text}"), Toml);
        assert_eq!(parsed.diagnostics.len(), 1, "{text}");
    }
}

#[test]
fn tables_are_added_to_only_where_that_is_clear() {
    check(Toml, "[a.b]\nx = 1\n[a]\ny = 2\n[a.b.c]\n", "{a: {b: {x: 1, c: {}}, y: 2}}", &[]);
    check(
        Toml,
        "[[a]]\n[a.b]\nx = 1\n[[a]]\n[a.b]\nx = 2\n",
        "{a: [{b: {x: 1}}, {b: {x: 2}}]}",
        &[],
    );
    check(Toml, "[a]\nb.c = 1\n[a.b.d]\n", "{a: {b: {c: 1, d: {}}}}", &[]);
    let second =
        |key: &str| format!("duplicate-key @{key}@ the key `{key}` stands here a second time");
    check(Toml, "[a]\nb.c = 1\n[a.b]\n", "{a: {b: {c: 1}}}", &[&second("b")]);
    check(Toml, "[a.b]\n[a]\nb.c = 1\n", "{a: {b: {}}}", &[&second("b")]);
    check(Toml, "a = { b = 1 }\na.c = 2\n[a.d]\n", "{a: {b: 1}}", &[&second("a"), &second("a")]);
    check(Toml, "a = [{}]\n[[a]]\nx = 1\n", "{a: [{}]}", &[&second("a")]);
    check(Toml, "[a]\n[[a]]\nx = 1\n", "{a: {}}", &[&second("a")]);
}

#[test]
fn what_is_wrong_in_brackets_leaves_the_rest() {
    check(
        Toml,
        "a = [x, 2,, 3]\nb = { c = 1 d = 2, e = }\nf = 4\n",
        "{a: [!, 2, !, 3], b: {c: 1, e: !}, f: 4}",
        &[
            "syntax @x@ text must stand in quotes",
            "syntax @,@ expected a value",
            "syntax @d = 2@ expected a comma",
            "syntax @@ expected a value",
        ],
    );
    // What is indented further belongs to the brackets.
    check(
        Toml,
        "a = {\n  b = 1\n  c = 2\n}\nd = [\n  [1],\n[2]\n]\n",
        "{a: {b: 1}, d: [[1], [2]]}",
        &["syntax @c = 2@ expected a comma"],
    );
}

#[test]
fn keys_and_ends_of_lines() {
    check(
        Toml,
        "ä = 1\na b = 2\n\"\"\"c\"\"\" = 3\n= 4\nd = 5 6\n[e f]\n[]\n[g] h\ni = 7\n",
        "{d: 5, g: {i: 7}}",
        &[
            "syntax @ä@ a key with this letter needs quotes",
            "syntax @@ expected `=` and a value behind the key",
            "syntax @\"\"\"@ a key is no string of several lines",
            "syntax @=@ expected a key",
            "syntax @6@ expected the end of the line",
            "syntax @@ expected `]` behind the key of a table",
            "syntax @]@ expected a key",
            "syntax @h@ expected the end of the line",
        ],
    );
}

#[test]
fn escapes_and_control_characters() {
    check(
        Toml,
        "a = \"C:\\dir\"\nb = 'C:\\dir'\nc = \"\u{7}\"\nd = \"\\uD800\"\ne = \"\"\"\none \\q\n\"\"\"\nf = 1\n",
        "{a: !, b: \"C:\\\\dir\", c: !, d: !, e: !, f: 1}",
        &[
            "syntax @\\d@ this is no escape that TOML knows",
            "syntax @\u{7}@ a string holds no control characters as they are",
            "syntax @\\uD800@ this is no escape that TOML knows",
            "syntax @\\q@ this is no escape that TOML knows",
        ],
    );
}

#[test]
fn words_that_are_no_values() {
    let message = |text: &str| {
        let parsed = crate::syntax::parse(FileId(0), &format!("a = {text}"), Toml);
        parsed.diagnostics.first().map(|found| found.message.clone()).unwrap_or_default()
    };
    assert_eq!(message("True"), "this is no value that TOML knows");
    assert_eq!(message("null"), "this is no value that TOML knows");
    assert_eq!(message("010"), "this is no number and no date that TOML knows");
    assert_eq!(message("1__0"), "this is no number and no date that TOML knows");
    assert_eq!(message("deny"), "text must stand in quotes");
    assert_eq!(message("]"), "expected a value");
}
