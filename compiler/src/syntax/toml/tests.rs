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
        "{a: !, b: !, d: !, e: 1, f: [!], g: 5}",
        &[
            "syntax @foo bar@ text must stand in quotes",
            "syntax @@ expected a value",
            "syntax @@ expected `=` and a value behind the key",
            "syntax @@ a string is not closed on this line",
            "syntax @1 2 3@ text must stand in quotes",
        ],
    );
}
