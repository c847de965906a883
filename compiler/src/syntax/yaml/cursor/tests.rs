use super::find;
use crate::syntax::cursor::{Site, Step};

/// Shows where the `‸` of a text is: the path, what can stand there, and what is written.
fn shown(marked: &str) -> String {
    let offset = marked.find('‸').expect("a cursor");
    let text = marked.replacen('‸', "", 1);
    let Some(context) = find(&text, offset).0 else { return "nothing".to_owned() };
    let path = context.path.iter().map(|step| match step {
        Step::Key(key) => format!("{key}/"),
        Step::Item => "-/".to_owned(),
    });
    let path: String = path.collect();
    let written = &text[context.start..offset];
    let site = match context.site {
        Site::Key { others } => format!("key [{}]", others.join(" ")),
        Site::Dash => "dash".to_owned(),
        Site::Fresh => "fresh".to_owned(),
        Site::Header => "no site of YAML".to_owned(),
        Site::Inline { quote: Some(quote), .. } => format!("inline {quote}"),
        Site::Inline { flow: true, .. } => "inline flow".to_owned(),
        Site::Inline { .. } => "inline".to_owned(),
    };
    format!("{path} {site} <{written}>")
}

#[track_caller]
fn check(marked: &str, expected: &str) {
    assert_eq!(shown(marked), expected, "{marked}");
    let crlf = marked.replace('\n', "\r\n");
    assert_eq!(shown(&crlf), expected.replace('\n', "\r\n"), "with CRLF: {marked}");
}

#[test]
fn the_root() {
    check("‸", " fresh <>");
    check("ru‸", " fresh <ru>");
    check("rules: {}\n‸", " key [rules] <>");
    check("rules: {}\nprof‸\nclassifier: {}\n", " key [rules classifier] <prof>");
    check("# text ‸", "nothing");
}

#[test]
fn keys_of_a_rule() {
    let rule = "rule_definitions:\n  - id: a\n    when: pre_tool\n";
    check(&format!("{rule}    ‸"), "rule_definitions/-/ key [id when] <>");
    check(
        &format!("{rule}    act‸\n    message: x\n"),
        "rule_definitions/-/ key [id when message] <act>",
    );
    check(&format!("{rule}  ‸"), "rule_definitions/-/ dash <>");
    check(&format!("{rule}‸"), " key [rule_definitions] <>");
    check(&format!("{rule}   ‸"), "nothing");
    check(&format!("{rule}  - ‸"), "rule_definitions/-/ fresh <>");
    check(&format!("{rule}  - i‸"), "rule_definitions/-/ fresh <i>");
    check("rule_definitions:\n- id: a\n‸", " key [rule_definitions] <>");
    check("rule_definitions:\n- id: a\n  ‸", "rule_definitions/-/ key [id] <>");
}

#[test]
fn values_behind_keys() {
    check("a:\n  - when: ‸", "a/-/when/ inline <>");
    check("a:\n  - when: pre‸", "a/-/when/ inline <pre>");
    check("a:\n  - when: \"pre‸\"", "a/-/when/ inline \" <pre>");
    check("a:\n  - when:‸", "nothing");
    check("a: x # ‸", "nothing");
    check("a: b\n  c‸", "a/ inline <b\n  c>");
    check("a: \"b\" ‸", "nothing");
    check("a:\n  - b‸\n", "a/-/ fresh <b>");
}

#[test]
fn values_on_lines_of_their_own() {
    check("a:\n  condition:\n    ‸", "a/condition/ fresh <>");
    check("a:\n  condition:\n    no‸", "a/condition/ fresh <no>");
    check("a:\n  condition:\n  ‸", "a/ key [condition] <>");
    check("a:\n  all:\n    - b: 1\n    - ‸", "a/all/-/ fresh <>");
    check("a:\n  all:\n    - not:\n        ‸", "a/all/-/not/ fresh <>");
    check("a:\n  all:\n    - not:\n      ‸", "a/all/-/ key [not] <>");
}

#[test]
fn block_scalars_and_quotes_over_lines() {
    check(
        "m: |-
  a {‸
",
        "m/ inline <
  a {>",
    );
    check(
        "m: |-
  a: b

  c‸
",
        "m/ inline <
  a: b

  c>",
    );
    check(
        "m: |-
  a
b: ‸
",
        "b/ inline <>",
    );
    check(
        "m: \"a
  {‸\"
",
        "m/ inline \" <a
  {>",
    );
    check(
        "m: >
  a

‸",
        " key [m] <>",
    );
}

#[test]
fn brackets() {
    check("trigger: [edit, ‸", "trigger/-/ inline flow <>");
    check("trigger: [edit, wr‸]", "trigger/-/ inline flow <wr>");
    check("c: { name: ‸", "c/name/ inline flow <>");
    check("c: { name: a, ‸", "c/ key [name] <>");
    check("c: { ‸, value: 3 }", "c/ key [value] <>");
    check("c: {‸", "c/ key [] <>");
    check("c: { a: [x, { b: ‸", "c/a/-/b/ inline flow <>");
    check("c: { a: x } ‸", "nothing");
    check("c: [\n  a,\n  ‸\n]", "c/-/ inline flow <>");
    check("c: { a: \"x, ‸", "c/a/ inline \" <x, >");
    check("{ \"profile\": ‸", "profile/ inline flow <>");
}

#[test]
fn what_is_left_open_ends_with_its_lines() {
    check("a:\n  trigger: [edit,\n  ‸", "a/ key [trigger] <>");
    check("a:\n  m: \"text\n  ‸", "a/ key [m] <>");
    check("a:\n  m: |+\n    text\n  ‸", "a/ key [m] <>");
    check("a:\n  m: >‸", "nothing");
    check("a:\n  m: |- ‸\n    text\n", "nothing");
}
