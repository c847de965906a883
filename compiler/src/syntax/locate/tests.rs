use super::locate;
use crate::source::FileId;
use crate::syntax::{Format, parse};

/// Finds `part` in the value of the first entry, and asserts what stands there in the source.
#[track_caller]
fn check(format: Format, text: &str, part: &str, source: &str) {
    let parsed = parse(FileId(0), text, format);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let node = &parsed.root.entries().unwrap()[0].value;
    let start = node.as_str().unwrap().find(part).unwrap_or_else(|| panic!("{node:?}"));
    let span = locate(text, node, start..start + part.len());
    assert_eq!(&text[span.start as usize..span.end as usize], source);
}

#[test]
fn plain() {
    check(Format::Yaml, "a: foo {bar} baz", "{bar}", "{bar}");
    check(Format::Yaml, "a: foo\n  bär\n\n  baz", "bär", "bär");
    check(Format::Yaml, "a: foo\n  bär\n\n  baz", "bär\nbaz", "bär\n\n  baz");
    check(Format::Yaml, "a: foo\r\n  bar", "o b", "o\r\n  b");
}

#[test]
fn quoted() {
    check(Format::Yaml, "a: 'it''s {x}'", "{x}", "{x}");
    check(Format::Yaml, "a: 'it''s {x}'", "'", "''");
    check(Format::Yaml, "a: '''quoted'' {x}'", "{x}", "{x}");
    check(Format::Yaml, r#"a: "\u00e4\n{x}""#, "{x}", "{x}");
    check(Format::Yaml, r#"a: "\u00e4\n{x}""#, "ä\n", r"\u00e4\n");
    check(Format::Yaml, r#"a: "\ud83d\ude00{x}""#, "😀", r"\ud83d\ude00");
    check(Format::Yaml, "a: \"one\n  two\\\n   thr{x}ee\"", "{x}", "{x}");
    check(Format::Yaml, "a: \"one\n  two\\\n   thr{x}ee\"", "e t", "e\n  t");
    check(Format::Json, r#"{"a": "x\"\\ {y}"}"#, "{y}", "{y}");
    check(Format::Json, r#"{"a": "x\"\\ {y}"}"#, "\"\\", r#"\"\\"#);
}

#[test]
fn blocks() {
    check(Format::Yaml, "a: |\n  one\n  tw{x}o\n", "{x}", "{x}");
    check(Format::Yaml, "a: | # c\r\n\r\n  one\r\n    tw{x}o\r\n", "{x}", "{x}");
    check(Format::Yaml, "a: >-\n  one\n  tw{x}o\n\n  three\n    more\n  end", "{x}", "{x}");
    check(
        Format::Yaml,
        "a: >-\n  one\n  tw{x}o\n\n  three\n    more\n  end",
        "  more\nend",
        "  more\n  end",
    );
    check(Format::Yaml, "a: |2+\n    one\n  t{x}wo\n\n", "{x}", "{x}");
    check(Format::Yaml, "a: |2+\n    one\n  t{x}wo\n\n", "  one", "  one");
    check(Format::Yaml, "- x\n".replace("- x", "a: |\n one").as_str(), "one", "one");
}

#[test]
fn toml() {
    check(Format::Toml, "a = 'x\\{y}'", "{y}", "{y}");
    check(Format::Toml, "a = \"\\u00e4{y}\"", "{y}", "{y}");
    check(Format::Toml, "a = \"\"\"\none \\\n   two {y}\"\"\"", "{y}", "{y}");
    check(Format::Toml, "a = '''\none\n two {y}'''", "{y}", "{y}");
    check(Format::Toml, "a = '''\r\none\n two {y}'''", "e\n t", "e\n t");
}

#[test]
fn empty_ranges_and_misfits() {
    let text = "a: \"x\\ny\"";
    let parsed = parse(FileId(0), text, Format::Yaml);
    let node = parsed.root.get("a").unwrap();
    let at = |range| {
        let span = locate(text, node, range);
        (span.start, span.end)
    };
    assert_eq!(at(0..0), (4, 4));
    assert_eq!(at(2..2), (7, 7));
    assert_eq!(at(3..3), (8, 8));
    assert_eq!(at(2..9), (3, 9));
    assert_eq!(locate(text, &parsed.root, 0..1), parsed.root.span);
}
