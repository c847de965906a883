use super::{Format, Refusal, format};

#[track_caller]
fn check(kind: Format, text: &str, expect: &str) {
    let laid = format(text, kind).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"));
    assert_eq!(laid, expect, "from:\n{text}");
    assert_eq!(format(&laid, kind).unwrap(), laid, "again");
}

#[test]
fn yaml_has_two_columns_for_each_level() {
    check(
        Format::Yaml,
        "rule_definitions:\n-   id:   a\n    trigger:\n    - edit\n    -   write\n    condition:\n        all:\n            - runs:   x\n            -   not:\n                    flag_is:  {name: f,value:   true}\n-   id: b   # why\nprofile:    dev\n",
        "rule_definitions:\n  - id: a\n    trigger:\n      - edit\n      - write\n    condition:\n      all:\n        - runs: x\n        - not:\n            flag_is: { name: f, value: true }\n  - id: b  # why\nprofile: dev\n",
    );
}

#[test]
fn comments_go_with_what_they_stand_above() {
    check(
        Format::Yaml,
        "\n\n# top\n\n\na:\n    # of b\n    b: 1   # behind\n\n\n    c: 2\n    # of the end of a\n# of d\nd:\n# of the item\n- x\n  # far\n#last\n\n",
        "# top\n\na:\n  # of b\n  b: 1  # behind\n\n  c: 2\n  # of the end of a\n# of d\nd:\n  # of the item\n  - x\n  # far\n#last\n",
    );
}

#[test]
fn values_over_several_lines_keep_what_they_hold() {
    check(
        Format::Yaml,
        "a:\n    text: |\n        one\n          two  \n\n        three\n\n\n    folded: >-\n      x\n      y\n    plain: some\n       words\n    quoted: \"some\n\n       more\"\n    list: [a,\n      {b: c},\n        d\n      ]\nz: |2\n     x\n    y\n",
        "a:\n  text: |\n    one\n      two  \n\n    three\n\n  folded: >-\n    x\n    y\n  plain: some\n    words\n  quoted: \"some\n\n    more\"\n  list: [a,\n    {b: c},\n    d\n  ]\nz: |2\n     x\n    y\n",
    );
}

#[test]
fn what_a_block_keeps_at_the_end_of_a_file_stays() {
    check(Format::Yaml, "message: |+\n    a\n\n\n", "message: |+\n  a\n\n\n");
    check(Format::Yaml, "a:\n  - b: >+\n        c\n\n", "a:\n  - b: >+\n      c\n\n");
    check(Format::Yaml, "message: |\n    a\n\n\n", "message: |\n  a\n");
    check(Format::Yaml, "message: |+\n    a\n\n# b\nc: 1\n", "message: |+\n  a\n\n# b\nc: 1\n");
}

#[test]
fn brackets_get_their_blanks() {
    for (text, expect) in [
        ("a: {}\n", "a: {}\n"),
        ("a: [ ]\n", "a: []\n"),
        ("a: { b: [ x,y , 'p, q' ],c: \"d:  e\" }\n", "a: { b: [x, y, 'p, q'], c: \"d:  e\" }\n"),
        ("a: [don't, it's]\n", "a: [don't, it's]\n"),
        ("- &x [a,b]\n- *x\n", "- &x [a, b]\n- *x\n"),
        ("a: &t [b,c]\nd: *t\n", "a: &t [b, c]\nd: *t\n"),
        ("{a: 1,b: [2]}\n", "{ a: 1, b: [2] }\n"),
        ("- -   a\n  - b\n-\n    c: d\n", "- - a\n  - b\n-\n  c: d\n"),
        ("a: ['it''s',x]\n", "a: ['it''s', x]\n"),
        ("'a: b':   c\n", "'a: b': c\n"),
        ("a:\tb\nc: \t|\n  d\n", "a: b\nc: |\n  d\n"),
    ] {
        check(Format::Yaml, text, expect);
    }
}

#[test]
fn values_and_keys_of_toml_have_their_blanks() {
    for (text, expect) in [
        ("a={b=\"x  =  y\",c = [1,2]}\n", "a = { b = \"x  =  y\", c = [1, 2] }\n"),
        ("a = { }\nb={ c.d=1, \"e f\" = '{}' }\n", "a = {}\nb = { c.d = 1, \"e f\" = '{}' }\n"),
        ("a={is=\"secret\"}\n", "a = { is = \"secret\" }\n"),
        ("a=[1,2,\n3 ,4]\n", "a = [1, 2,\n  3, 4]\n"),
        ("[ x . y ]\nz . \"w w\"=1\n\n[[ a ]]\n", "[x.y]\nz.\"w w\" = 1\n\n[[a]]\n"),
        ("a = [ ]\nb=[ [ 1 ],{ } , 'it, is'] # c\n", "a = []\nb = [[1], {}, 'it, is']  # c\n"),
        ("a='''x  ,y'''\nb=\"\"\"x\\\"  ,\"\"\"\n", "a = '''x  ,y'''\nb = \"\"\"x\\\"  ,\"\"\"\n"),
        ("a=1979-05-27 07:32:00\nb=-1.5\n", "a = 1979-05-27 07:32:00\nb = -1.5\n"),
        ("a = [{ b = 1 },\n   { b = 2 }, # two\n]\n", "a = [{ b = 1 },\n  { b = 2 },  # two\n]\n"),
    ] {
        check(Format::Toml, text, expect);
    }
}

#[test]
fn anchors_stay_with_what_they_name() {
    check(
        Format::Yaml,
        "a:   &x\n    b:  1\nc:    *x\nd:\n- &y e\n-   *y\n- &z\n  f:   1\n-   &w {g:  1}\nh: &t   |\n    i\n",
        "a: &x\n  b: 1\nc: *x\nd:\n  - &y e\n  - *y\n  - &z\n    f: 1\n  - &w { g: 1 }\nh: &t   |\n  i\n",
    );
}

#[test]
fn line_breaks_and_marks_stay() {
    check(Format::Yaml, "\u{FEFF}a:   1\r\nb: |\r\n   x\r\n", "\u{FEFF}a: 1\r\nb: |\r\n  x\r\n");
    check(Format::Yaml, "", "");
    check(Format::Yaml, "# only this", "# only this\n");
    check(Format::Yaml, "a: 1", "a: 1\n");
}

#[test]
fn what_does_not_parse_is_refused() {
    for (text, kind) in
        [("a: [", Format::Yaml), ("{\"a\": }", Format::Json), ("a = ", Format::Toml)]
    {
        assert!(matches!(format(text, kind), Err(Refusal::Broken(_))), "{text}");
    }
    for text in ["? a\n: b\n", "%YAML 1.2\n---\na: 1\n", "--- a\n"] {
        assert!(format(text, Format::Yaml).is_err(), "{text}");
    }
}

#[test]
fn toml_has_no_indentation_but_in_arrays() {
    check(
        Format::Toml,
        "mode=\"ask\"\n# of the rule\n[[rules]]\n  name   =  \"a\"   # why\n  pattern = [ \"x\",\n \"y\", [\n\"z\"\n]\n      ]\n  reason = \"\"\"\n  two  \n\n\n  lines\"\"\"\n\n\n\n[[rules]]\n\"a=b\" = 1\n",
        "mode = \"ask\"\n\n# of the rule\n[[rules]]\nname = \"a\"  # why\npattern = [\"x\",\n  \"y\", [\n    \"z\"\n  ]\n]\nreason = \"\"\"\n  two  \n\n\n  lines\"\"\"\n\n[[rules]]\n\"a=b\" = 1\n",
    );
}

#[test]
fn json_keeps_its_lines() {
    check(
        Format::Json,
        "{\"a\":1,\"b\":{ },\"c\":[1,2 , {\"d\":null}],\n\"e\":[\n1,{\"f\":\"g: {,\\\"\"}]}",
        "{\n  \"a\": 1,\n  \"b\": {},\n  \"c\": [1, 2, { \"d\": null }],\n  \"e\": [\n    1,\n    { \"f\": \"g: {,\\\"\" }\n  ]\n}\n",
    );
    check(Format::Json, "[]", "[]\n");
    check(Format::Json, " 5 ", "5\n");
    check(Format::Json, "{}\n", "{}\n");
}

#[test]
fn large_files_take_time_in_proportion() {
    let yaml = "- {a: [1,2], b: x}\n".repeat(50_000);
    assert!(format(&yaml, Format::Yaml).is_ok());
    let json = format!("[{}1]", "{\"a\":[1,2]},".repeat(50_000));
    assert!(format(&json, Format::Json).is_ok());
}
