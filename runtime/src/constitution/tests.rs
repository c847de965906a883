//! What a list of rules holds, and whose entries are whose.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a panic is how a test fails")]

use super::*;

/// Makes a change of texts, and returns the report.
fn change(list: &mut Constitution, by: Author, op: Op, texts: &[String]) -> Report {
    let rules = texts.iter().cloned().map(Content::Text).collect();
    list.change(Change { op, by, rules }, None, &mut |_| unreachable!()).0
}

fn texts(numbers: std::ops::Range<u32>) -> Vec<String> {
    numbers.map(|number| number.to_string()).collect()
}

fn shown(list: &Constitution) -> Vec<&str> {
    list.texts().collect()
}

#[test]
fn an_update_drops_the_oldest_and_a_reset_keeps_the_first() {
    let mut list = Constitution::default();
    for text in texts(0..60) {
        change(&mut list, Author::Agent, Op::Update, &[text]);
    }
    assert_eq!(shown(&list), texts(10..60));
    let report = change(&mut list, Author::Agent, Op::Reset, &texts(0..60));
    assert_eq!((report.count, shown(&list)), (50, texts(0..50).iter().map(|t| &**t).collect()));
}

#[test]
fn nothing_that_an_agent_does_touches_what_is_a_users() {
    let mut list = Constitution::default();
    change(&mut list, Author::User, Op::Update, &texts(0..2));
    change(&mut list, Author::Agent, Op::Update, &texts(10..90));
    assert_eq!(list.entries().len(), MAX_ENTRIES);
    assert_eq!(&shown(&list)[..3], ["0", "1", "42"]);
    change(&mut list, Author::Agent, Op::Reset, &texts(10..90));
    assert_eq!((list.entries().len(), &shown(&list)[..3]), (MAX_ENTRIES, &["0", "1", "10"][..]));
    change(&mut list, Author::Agent, Op::Remove, &[]);
    assert_eq!(shown(&list), ["0", "1"]);
    change(&mut list, Author::User, Op::Update, &texts(2..50));
    let report = change(&mut list, Author::Agent, Op::Update, &texts(99..100));
    assert_eq!((report.count, report.refused.len()), (MAX_ENTRIES, 1), "{report:?}");
    change(&mut list, Author::User, Op::Update, &texts(50..51));
    assert_eq!(shown(&list), texts(1..51));
}

#[test]
fn what_is_too_long_is_refused() {
    let mut list = Constitution::default();
    let long = "x".repeat(MAX_LENGTH + 1);
    let report = change(&mut list, Author::User, Op::Update, &[long, "short".to_owned()]);
    assert_eq!((report.refused.len(), shown(&list)), (1, vec!["short"]));
}

#[test]
fn ids_are_those_of_places() {
    for number in 0..MAX_ENTRIES as u32 {
        assert_eq!(entry_of(rule_id(number)), Some(number));
        assert_eq!(rule_id(number), format!("constitution:{number}"));
    }
    assert_eq!([entry_of("constitution:50"), entry_of("constitution:"), entry_of("x")], [None; 3]);
}

#[test]
fn what_is_no_change_is_told() {
    for (body, why) in [
        ("{}", "needs an `op`"),
        (r#"{"op":"forget"}"#, "unknown `op` `forget`"),
        (r#"{"op":"update"}"#, "needs `rule`"),
        (r#"{"op":"update","rule":5}"#, "a text or a rule definition"),
        (r#"{"op":"reset","rules":"x"}"#, "a list of texts"),
        (r#"{"op":"reset","rules":[[]]}"#, "a list of texts"),
    ] {
        let error = Change::read(body).unwrap_err();
        assert!(error.contains(why), "{body}: {error}");
    }
}
