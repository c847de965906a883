use std::fmt::Write as _;
use std::ops::Range;

use super::*;
use crate::fragment::MAX_PROBLEMS;
use crate::source::{FileId, Span};
use crate::syntax::{Entry, Key, Kind as NodeKind, Node};

fn span(range: Range<usize>) -> Span {
    Span::new(FileId(0), range.start as u32, range.end as u32)
}

/// A node on one line, like JSON without quotes around keys; `!` for what is broken.
fn compact(node: &Node) -> String {
    let join = |parts: Vec<String>| parts.join(", ");
    match &node.kind {
        NodeKind::Null => "null".to_owned(),
        NodeKind::Bool(value) => value.to_string(),
        NodeKind::Int(value) => value.to_string(),
        NodeKind::Float(value) => format!("{value:?}"),
        NodeKind::String(value) => format!("<{value}>"),
        NodeKind::Seq(items) => format!("[{}]", join(items.iter().map(compact).collect())),
        NodeKind::Map(entries) => {
            let entry = |entry: &Entry| format!("{}: {}", entry.key.text, compact(&entry.value));
            format!("{{{}}}", join(entries.iter().map(entry).collect()))
        }
        NodeKind::Broken => "!".to_owned(),
    }
}

fn node(text: &str) -> Node {
    let (expression, problems) = parse(text);
    assert_eq!(problems, [], "{text}");
    to_node(&expression.unwrap(), &span)
}

/// The mapping that an expression means, and the expression that is printed for it.
#[track_caller]
fn check(text: &str, mapping: &str, printed: &str) {
    let read = node(text);
    assert_eq!(compact(&read), mapping, "{text}");
    assert_eq!(print(&read).as_deref(), Some(printed), "{text}");
    assert_eq!(compact(&node(printed)), mapping, "{text}, read again");
}

/// The same for an expression that is printed as it stands.
#[track_caller]
fn check_same(text: &str, mapping: &str) {
    check(text, mapping, text);
}

/// What is wrong with an expression, each problem as `range: message (help) => fix`, and what was
/// understood of it.
#[track_caller]
fn check_problems(text: &str, mapping: &str, expected: &[&str]) {
    let (expression, problems) = parse(text);
    let read = expression.map(|expression| compact(&to_node(&expression, &span)));
    let lines: Vec<String> = problems.iter().map(|problem| line(text, problem)).collect();
    assert_eq!(lines, expected, "{text}");
    assert_eq!(read.as_deref().unwrap_or("-"), mapping, "{text}");
}

fn line(text: &str, problem: &Problem) -> String {
    let mut line = format!("{:?}: {}", problem.range, problem.message);
    if let Some(help) = &problem.help {
        write!(line, " ({help})").unwrap();
    }
    if let Some((range, new)) = &problem.fix {
        let mut mended = text.to_owned();
        mended.replace_range(range.clone(), new);
        write!(line, " => {mended}").unwrap();
    }
    line
}

#[test]
fn counters_compare_by_at_least() {
    check_same("counter(c) >= 3", "{counter_gte: {name: <c>, value: 3}}");
    check("counter(c) > 3", "{counter_gte: {name: <c>, value: 4}}", "counter(c) >= 4");
    check_same("counter(c) < 3", "{not: {counter_gte: {name: <c>, value: 3}}}");
    check("counter(c) <= 3", "{not: {counter_gte: {name: <c>, value: 4}}}", "counter(c) < 4");
    let equal = "{all: [{counter_gte: {name: <c>, value: 3}}, {not: {counter_gte: {name: <c>, value: 4}}}]}";
    check_same("counter(c) == 3", equal);
    check_same("counter(c) != 3", &format!("{{not: {equal}}}"));
    check("counter(c) >= 3 and counter(c) < 4", equal, "counter(c) == 3");
    check("not counter(c) >= 3", "{not: {counter_gte: {name: <c>, value: 3}}}", "counter(c) < 3");
    check("counter(c)>=-3", "{counter_gte: {name: <c>, value: -3}}", "counter(c) >= -3");
    check_same(
        "counter(c) >= 9223372036854775807",
        "{counter_gte: {name: <c>, value: 9223372036854775807}}",
    );
}

#[test]
fn the_streak_compares_like_a_counter() {
    check_same("consecutive >= 5", "{consecutive_gte: 5}");
    check("consecutive > 5", "{consecutive_gte: 6}", "consecutive >= 6");
    check_same("consecutive < 5", "{not: {consecutive_gte: 5}}");
    check("consecutive <= 5", "{not: {consecutive_gte: 6}}", "consecutive < 6");
    check_same("consecutive == 5", "{all: [{consecutive_gte: 5}, {not: {consecutive_gte: 6}}]}");
    check_same(
        "consecutive != 5",
        "{not: {all: [{consecutive_gte: 5}, {not: {consecutive_gte: 6}}]}}",
    );
    check_same("tool_calls_this_turn == 8", "{tool_calls_this_turn_eq: 8}");
    check_same("tool_calls_this_turn != 8", "{not: {tool_calls_this_turn_eq: 8}}");
}

#[test]
fn flags() {
    let set = "{flag_is: {name: <f>, value: true}}";
    check_same("flag(f)", set);
    check("flag(f) == true", set, "flag(f)");
    check("flag(f) is true", set, "flag(f)");
    check("flag(f) != false", set, "flag(f)");
    let unset = "{flag_is: {name: <f>, value: false}}";
    check_same("flag(f) is false", unset);
    check("flag(f) == false", unset, "flag(f) is false");
    check("flag(f) != true", unset, "flag(f) is false");
    check_same("not flag(f)", &format!("{{not: {set}}}"));
}

#[test]
fn targets() {
    check_same("target in read_files", "{target_in_set: <read_files>}");
    check_same("target not in read_files", "{target_not_in_set: <read_files>}");
    check_same("not target in read_files", "{not: {target_in_set: <read_files>}}");
    check_same("target in \"my files\"", "{target_in_set: <my files>}");
    check_same("target matches \"src/**/*.rs\"", "{target_matches: <src/**/*.rs>}");
    check_same("target exists", "{target_exists_on_disk: true}");
    check("exists(target)", "{target_exists_on_disk: true}", "target exists");
    check_same("target changed since read_files", "{target_changed_since: <read_files>}");
}

#[test]
fn params() {
    check_same(r#"param(q) matches "a\s+b""#, r"{param_matches: {param: <q>, pattern: <a\s+b>}}");
    check_same("param(q) contains \"rm\"", "{param_contains: {param: <q>, value: <rm>}}");
    check_same(
        "param(q) in [\"a\", 2, 0.5, true]",
        "{param_in: {param: <q>, values: [<a>, 2, 0.5, true]}}",
    );
    check("param(q) in ['a',]", "{param_in: {param: <q>, values: [<a>]}}", "param(q) in [\"a\"]");
    check_same("param(q) in []", "{param_in: {param: <q>, values: []}}");
    check_same("param(q) not in [\"a\"]", "{not: {param_in: {param: <q>, values: [<a>]}}}");
    for op in ["==", "!=", "<", "<=", ">", ">="] {
        let mapping = format!("{{param_compare: {{param: <q>, op: <{op}>, value: 3}}}}");
        check_same(&format!("param(q) {op} 3"), &mapping);
    }
    check_same("param(q) == \"x\"", "{param_compare: {param: <q>, op: <==>, value: <x>}}");
    check_same("param(q) == false", "{param_compare: {param: <q>, op: <==>, value: false}}");
    check_same("param(q) < 1.5", "{param_compare: {param: <q>, op: <<>, value: 1.5}}");
    check_same("param(q) < 1e300", "{param_compare: {param: <q>, op: <<>, value: 1e300}}");
}

#[test]
fn texts_results_and_the_turn() {
    check_same("text matches \"unsure\"", "{text_matches: <unsure>}");
    check_same("result matches \"FAIL\"", "{result_matches: <FAIL>}");
    check_same("result failed", "{result_failed: true}");
    check_same("result has lint errors", "{result_has_lint_errors: true}");
    check_same("no text before tools", "{no_text_before_tools: true}");
    check_same("first tool this turn", "{first_tool_this_turn: true}");
    check_same("runs \"git push --force\"", "{runs: <git push --force>}");
    check("runs('opaque')", "{runs: <opaque>}", "runs \"opaque\"");
    check_same("true", "{all: []}");
    check_same("false", "{any: []}");
}

#[test]
fn secrets() {
    check_same("contains secret", "{contains_secret: true}");
    check_same("secret in params", "{contains_secret: <params>}");
    check_same("secret in result", "{contains_secret: <result>}");
    check_same("secret in text", "{contains_secret: <text>}");
    check_same("secret in param(content)", "{contains_secret: {param: <content>}}");
}

#[test]
fn every_condition_has_the_form_of_a_call() {
    check("consecutive_gte(5)", "{consecutive_gte: 5}", "consecutive >= 5");
    check("first_tool_this_turn", "{first_tool_this_turn: true}", "first tool this turn");
    check_same("first_tool_this_turn(false)", "{first_tool_this_turn: false}");
    check("target_in_set(read)", "{target_in_set: <read>}", "target in read");
    check_same("new_one", "{new_one: true}");
    check_same("new_one(\"a\")", "{new_one: <a>}");
    check("new_one(a)", "{new_one: <a>}", "new_one(\"a\")");
    check_same("new_one(-1.5)", "{new_one: -1.5}");
}

#[test]
fn not_binds_tighter_than_and_and_and_than_or() {
    check_same("a and b and c", "{all: [{a: true}, {b: true}, {c: true}]}");
    check_same("a or b or c", "{any: [{a: true}, {b: true}, {c: true}]}");
    check_same("a or b and not c", "{any: [{a: true}, {all: [{b: true}, {not: {c: true}}]}]}");
    check_same("(a or b) and c", "{all: [{any: [{a: true}, {b: true}]}, {c: true}]}");
    check_same("(a and b) and c", "{all: [{all: [{a: true}, {b: true}]}, {c: true}]}");
    check_same("a and (b and c)", "{all: [{a: true}, {all: [{b: true}, {c: true}]}]}");
    check_same("(a or b) or c", "{any: [{any: [{a: true}, {b: true}]}, {c: true}]}");
    check_same("not (a and b)", "{not: {all: [{a: true}, {b: true}]}}");
    check_same("not not a", "{not: {not: {a: true}}}");
    check("((a))", "{a: true}", "a");
    check(
        "!a && (b || c)",
        "{all: [{not: {a: true}}, {any: [{b: true}, {c: true}]}]}",
        "not a and (b or c)",
    );
    check("a\n  and\tb", "{all: [{a: true}, {b: true}]}", "a and b");
}

#[test]
fn names_and_strings() {
    check_same("flag(a-b.c_9)", "{flag_is: {name: <a-b.c_9>, value: true}}");
    check("flag('über')", "{flag_is: {name: <über>, value: true}}", "flag(über)");
    check("flag(404)", "{flag_is: {name: <404>, value: true}}", "flag(\"404\")");
    check("flag(counter)", "{flag_is: {name: <counter>, value: true}}", "flag(\"counter\")");
    check("target in in", "{target_in_set: <in>}", "target in \"in\"");
    check_same("flag(\"AND\")", "{flag_is: {name: <AND>, value: true}}");
    check_same("flag(\"\")", "{flag_is: {name: <>, value: true}}");
    check_same(r#"text matches "\d\\\"\.\\""#, r#"{text_matches: <\d\"\.\>}"#);
    check(
        r#"text matches 'it\'s "\\s"'"#,
        r#"{text_matches: <it's "\s">}"#,
        r#"text matches "it's \"\s\"""#,
    );
    check_same("text matches \"a\nb\"", "{text_matches: <a\nb>}");
}

#[test]
fn spans_are_those_of_the_parts() {
    let read = node("flag(a) and counter(reads) == 3");
    let items = read.get("all").unwrap().items().unwrap();
    let counter = items[1].get("all").unwrap().items().unwrap()[0].entry("counter_gte").unwrap();
    assert_eq!(read.span, span(0..31));
    assert_eq!(items[0].span, span(0..7));
    assert_eq!(items[1].span, span(12..31));
    assert_eq!(counter.key.span, span(12..31));
    assert_eq!(counter.value.get("name").unwrap().span, span(20..25));
    assert_eq!(counter.value.get("value").unwrap().span, span(30..31));
    let call = node("(new_one(x))");
    assert_eq!(call.span, span(1..11));
    assert_eq!(call.entry("new_one").unwrap().key.span, span(1..8));
    assert_eq!(call.get("new_one").unwrap().span, span(9..10));
}

#[test]
fn a_failure_says_what_would_fit() {
    check_problems(
        "counter(x) foo",
        "!",
        &["11..14: expected a comparison such as `>=` after `counter(x)`, found `foo`"],
    );
    check_problems(
        "counter(x)",
        "!",
        &[
            "10..10: expected a comparison such as `>=` after `counter(x)`, but the expression ends here",
        ],
    );
    check_problems("counter x", "!", &["8..9: expected `(` after `counter`, found `x`"]);
    check_problems("counter()", "!", &["8..9: expected a name after `(`, found `)`"]);
    check_problems(
        "counter(x) >= 2.5",
        "!",
        &[
            "14..17: expected a whole number after `>=`, found `2.5` (it counts in whole numbers: write `3`)",
        ],
    );
    check_problems(
        "",
        "-",
        &["0..0: this expression is empty (write a condition, such as `target in read_files`)"],
    );
    check_problems("a b", "{a: true}", &["2..3: expected `and` or `or` after `a`, found `b`"]);
    check_problems(
        "flag(a) flag(b)",
        "{flag_is: {name: <a>, value: true}}",
        &["8..12: expected `is`, `and` or `or` after `flag(a)`, found `flag`"],
    );
    check_problems("()", "!", &["1..2: expected a condition after `(`, found `)`"]);
    check_problems("and a", "{all: [!, {a: true}]}", &["0..3: expected a condition, found `and`"]);
    check_problems(
        "not",
        "{not: !}",
        &["3..3: expected a condition after `not`, but the expression ends here"],
    );
    check_problems(
        "result has errors",
        "!",
        &["11..17: expected `lint` after `has`, found `errors`"],
    );
    check_problems(
        "param(q) in [a]",
        "!",
        &[
            "13..14: expected a text in quotes, a number, `true`, `false` or `]` after `[`, found `a` (put text in quotes: `\"a\"`) => param(q) in [\"a\"]",
        ],
    );
    check_problems("param(q) in [1 2]", "!", &["15..16: expected `,` or `]` after `1`, found `2`"]);
}

#[test]
fn slips_get_a_hint() {
    check_problems(
        "target mathces \"x\"",
        "!",
        &[
            "7..14: expected `in`, `not in`, `matches`, `is`, `exists` or `changed since` after `target`, found `mathces` (did you mean `matches`?) => target matches \"x\"",
        ],
    );
    check_problems(
        "countr(x) >= 3",
        "{countr: <x>}",
        &[
            "10..12: expected `and` or `or` after `countr(x)`, found `>=` (did you mean `counter` instead of `countr`?) => counter(x) >= 3",
        ],
    );
    check_problems(
        "text matches unsure",
        "!",
        &[
            "13..19: expected a pattern in quotes after `matches`, found `unsure` (put text in quotes: `\"unsure\"`) => text matches \"unsure\"",
        ],
    );
    check_problems(
        "runs class \"test\"",
        "!",
        &[
            "5..10: expected a command in quotes or `(` after `runs`, found `class` (a class of commands has no form here: write the condition as `{ runs: { class: test } }`)",
        ],
    );
    check_problems(
        "(runs git push -f) and flag(a)",
        "{all: [!, {flag_is: {name: <a>, value: true}}]}",
        &[
            "6..9: expected a command in quotes or `(` after `runs`, found `git` (put the command in quotes: `\"git push -f\"`) => (runs \"git push -f\") and flag(a)",
        ],
    );
    check_problems(
        "counter(x) >= 99999999999999999999",
        "!",
        &[
            "14..34: expected a whole number after `>=`, found `99999999999999999999` (whole numbers go up to 9223372036854775807)",
        ],
    );
    check_problems(
        "flag(not)",
        "!",
        &[
            "5..8: expected a name after `(`, found `not` (a name that is a word of the language goes in quotes: `\"not\"`)",
        ],
    );
    check_problems(
        "text matches “x”",
        "!",
        &[
            "13..16: expected a pattern in quotes after `matches`, found `“` (use straight quotes: `\"`)",
        ],
    );
    check_problems(
        "a AND Not flag(b) Or c",
        "{any: [{all: [{a: true}, {not: {flag_is: {name: <b>, value: true}}}]}, {c: true}]}",
        &[
            "2..5: `AND` is written `and` (write `and`) => a and Not flag(b) Or c",
            "6..9: `Not` is written `not` (write `not`) => a AND not flag(b) Or c",
            "18..20: `Or` is written `or` (write `or`) => a AND Not flag(b) or c",
        ],
    );
    check_problems(
        "counter(c) => 3 & param(x) = 'y'",
        "{all: [{counter_gte: {name: <c>, value: 3}}, {param_compare: {param: <x>, op: <==>, value: <y>}}]}",
        &[
            "11..13: `=>` is written `>=` (write `>=`) => counter(c) >= 3 & param(x) = 'y'",
            "16..17: `&` is written `and` (write `and`) => counter(c) => 3 and param(x) = 'y'",
            "27..28: `=` is written `==` (write `==`) => counter(c) => 3 & param(x) == 'y'",
        ],
    );
}

#[test]
fn values_that_no_condition_can_take() {
    check_problems(
        "tool_calls_this_turn >= 8 or a",
        "{any: [!, {a: true}]}",
        &[
            "21..23: `tool_calls_this_turn` cannot be compared with `>=` (only `==` and `!=` can be asked of it; count the calls in a counter for the others)",
        ],
    );
    check_problems("counter(c) > 9223372036854775807", "!", &["13..32: this number is too large"]);
}

#[test]
fn several_problems_are_found_in_one_expression() {
    check_problems(
        "(counter(x) >= and flag(y)) or target inn z and b c",
        "{any: [{all: [!, {flag_is: {name: <y>, value: true}}]}, {all: [!, {b: true}]}]}",
        &[
            "15..18: expected a whole number after `>=`, found `and`",
            "38..41: expected `in`, `not in`, `matches`, `is`, `exists` or `changed since` after `target`, found `inn` (did you mean `in`?) => (counter(x) >= and flag(y)) or target in z and b c",
            "50..51: expected `and` or `or` after `b`, found `c`",
        ],
    );
    check_problems(
        "counter(x and y) >= 3 and (a or) and b",
        "{all: [!, {any: [{a: true}, !]}, {b: true}]}",
        &[
            "10..13: expected `)` after `x`, found `and`",
            "31..32: expected a condition after `or`, found `)`",
        ],
    );
    check_problems(
        "a) and (b or c",
        "{all: [{a: true}, {any: [{b: true}, {c: true}]}]}",
        &[
            "1..2: this `)` closes nothing (delete it, or open it with `(` further left) => a and (b or c",
            "7..8: this `(` is never closed (add `)` where it ends)",
        ],
    );
    check_problems(
        "counter(x >= 3 and flag(y",
        "{all: [!, !]}",
        &[
            "10..12: expected `)` after `x`, found `>=`",
            "25..25: expected `)` after `y`, but the expression ends here",
        ],
    );
}

#[test]
fn a_text_without_its_end_is_reported_once() {
    check_problems(
        "param(q) matches \"foo and flag(y)",
        "!",
        &[
            "17..33: this text has no closing `\"` (add `\"` where the text ends; inside the text, write it `\\\"`)",
        ],
    );
    check_problems(
        "foo bar and flag('x) and\n )",
        "{all: [{foo: true}, !]}",
        &[
            "4..7: expected `and` or `or` after `foo`, found `bar`",
            "17..24: this text has no closing `'` (add `'` where the text ends; inside the text, write it `\\'`)",
        ],
    );
}

#[test]
fn a_text_without_its_end_hides_what_it_swallowed() {
    check_problems(
        "(a and flag(\"x)) or b",
        "{all: [{a: true}, !]}",
        &[
            "12..21: this text has no closing `\"` (add `\"` where the text ends; inside the text, write it `\\\"`)",
        ],
    );
}

#[test]
fn depth_is_bounded() {
    let nested = |depth| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    assert_eq!(parse(&nested(MAX_DEPTH)).1, []);
    check_problems(
        &nested(MAX_DEPTH + 1),
        "-",
        &[
            "64..65: parentheses and `not` nest deeper than 64 here (split the condition over several rules)",
        ],
    );
    let negated = |depth| format!("{}a", "not ".repeat(depth));
    let read = node(&negated(MAX_DEPTH));
    assert_eq!(parse(&negated(MAX_DEPTH + 1)).1.len(), 1);
    assert_eq!(parse(&format!("{}a", "not(".repeat(MAX_DEPTH / 2 + 1))).1.len(), 1);
    assert_eq!(print(&read), Some(negated(MAX_DEPTH)));
    let deeper = at(map("not", read.kind));
    assert_eq!(print(&deeper), None, "deeper than what can be read");
    let levels = format!("{}a{}", "a or b and not (".repeat(32), ")".repeat(32));
    let levels = levels.replace("not (a)", "not a");
    assert_eq!(print(&node(&levels)).unwrap(), levels);
    let mut endless = at(NodeKind::Bool(true));
    for _ in 0..1000 {
        endless = at(map("all", NodeKind::Seq(vec![endless])));
    }
    assert_eq!(print(&endless), None);
    // Siblings do not nest.
    assert_eq!(parse(&["not (a)"; 200].join(" and ")).1, []);
}

#[test]
fn bombs_end_soon_and_quietly() {
    for part in [
        "(",
        ")",
        "not ",
        "a ",
        "a and ",
        "a or (",
        "(a) ",
        "[",
        "\"",
        "\\",
        "counter(",
        "counter(x ",
        "counter(x) >= and ",
        "a) ",
        "() and ",
        "AND ",
        "= ",
        "\u{201c}",
        "1 ",
        "-",
        "'",
        "(a)(b) or ",
    ] {
        let text = part.repeat(MAX_LENGTH / part.len());
        let (expression, problems) = parse(&text);
        assert!(problems.len() <= MAX_PROBLEMS && !problems.is_empty(), "{part}");
        for problem in &problems {
            assert!(text.get(problem.range.clone()).is_some(), "{part}: {problem:?}");
            assert!(problem.message.len() < 400, "{part}: {}", problem.message);
        }
        drop(expression);
    }
    let long = ["a"; MAX_LENGTH / 6].join(" and ");
    let read = node(&long);
    assert_eq!(read.get("all").unwrap().items().unwrap().len(), MAX_LENGTH / 6);
    assert_eq!(print(&read).unwrap(), long);
    let too_long = "a".repeat(MAX_LENGTH + 1);
    check_problems(
        &too_long,
        "-",
        &["0..65537: this expression is longer than 64 KiB (split it over several rules)"],
    );
}

/// Small numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % sides
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.roll(from.len())]
    }
}

/// Any text is read without panics, with ranges that fit it and the same result each time.
#[test]
fn shuffled_pieces_never_break_the_parser() {
    let pieces = [
        "(", ")", "[", "]", ",", "and", "or", "not", "counter", "(x)", ">=", "3", "\"s", "'",
        "flag", "is", "true", "target", "in", "matches", "\\", "é", "param", "!", "=", "secret",
        "text", "2.5", "\n", "runs",
    ];
    let mut dice = Dice(7);
    for _ in 0..20_000 {
        let count = dice.roll(14);
        let text: Vec<&str> = (0..count).map(|_| dice.pick(&pieces)).collect();
        let text = text.join(dice.pick(&["", " "]));
        let (expression, problems) = parse(&text);
        for problem in &problems {
            assert!(text.get(problem.range.clone()).is_some(), "{text}: {problem:?}");
        }
        let broken = expression.is_none_or(|tree| compact(&to_node(&tree, &span)).contains('!'));
        assert!(!broken || !problems.is_empty() || text.contains('!'), "{text}: silently broken");
    }
}

fn map(key: &str, value: NodeKind) -> NodeKind {
    fields([(key, value)])
}

fn at(kind: NodeKind) -> Node {
    Node { span: span(0..0), kind }
}

fn fields<const N: usize>(entries: [(&str, NodeKind); N]) -> NodeKind {
    let entry = |(key, value): (&str, NodeKind)| Entry {
        key: Key { text: key.into(), span: span(0..0) },
        value: at(value),
    };
    NodeKind::Map(entries.into_iter().map(entry).collect())
}

fn random_text(dice: &mut Dice) -> NodeKind {
    let pieces = ["\\", "\"", "'", "s", "and", " ", "\n", "é", "(", "9", "-", "true", "."];
    let count = dice.roll(5);
    let text: String = (0..count).map(|_| dice.pick(&pieces)).collect();
    NodeKind::String(text.into())
}

fn random_scalar(dice: &mut Dice) -> NodeKind {
    match dice.roll(4) {
        0 => NodeKind::Bool(dice.roll(2) == 0),
        1 => NodeKind::Int(dice.roll(9) as i64 - 4),
        2 => NodeKind::Float((dice.roll(900) as f64 - 450.0) / 7.0),
        _ => random_text(dice),
    }
}

fn random_test(dice: &mut Dice) -> NodeKind {
    let int = NodeKind::Int(dice.roll(3) as i64);
    let on = NodeKind::Bool(dice.roll(4) != 0);
    match dice.roll(11) {
        0 => map("counter_gte", fields([("name", random_text(dice)), ("value", int)])),
        1 => map("flag_is", fields([("name", random_text(dice)), ("value", on)])),
        2 => map("consecutive_gte", int),
        3 => map(dice.pick(&["tool_calls_this_turn_eq", "some_count"]), int),
        4 => map(dice.pick(&["target_exists_on_disk", "result_failed", "odd"]), on),
        5 => {
            let name =
                dice.pick(&["target_in_set", "target_matches", "text_matches", "runs", "odd"]);
            map(name, random_text(dice))
        }
        6 => {
            let pattern = random_text(dice);
            map("param_matches", fields([("param", random_text(dice)), ("pattern", pattern)]))
        }
        7 => {
            let values = (0..dice.roll(4)).map(|_| at(random_scalar(dice))).collect();
            let param = random_text(dice);
            map("param_in", fields([("param", param), ("values", NodeKind::Seq(values))]))
        }
        8 => {
            let op = NodeKind::String(dice.pick(&["==", "!=", "<", ">="]).into());
            let (param, value) = (random_text(dice), random_scalar(dice));
            map("param_compare", fields([("param", param), ("op", op), ("value", value)]))
        }
        9 => map("contains_secret", fields([("param", random_text(dice))])),
        _ => map("contains_secret", NodeKind::String(dice.pick(&["params", "elsewhere"]).into())),
    }
}

fn random_condition(dice: &mut Dice, depth: usize) -> Node {
    if depth == 0 {
        return at(random_test(dice));
    }
    at(match dice.roll(4) {
        0 => random_test(dice),
        1 => {
            let operand = random_condition(dice, depth - 1);
            map("not", operand.kind)
        }
        kind => {
            let count = [0, 2, 2, 3, 4][dice.roll(5)];
            let items = (0..count).map(|_| random_condition(dice, depth - 1)).collect();
            map(if kind == 2 { "all" } else { "any" }, NodeKind::Seq(items))
        }
    })
}

#[test]
fn what_is_printed_reads_back_as_it_was() {
    let mut dice = Dice(42);
    for _ in 0..5_000 {
        let depth = dice.roll(5);
        let condition = random_condition(&mut dice, depth);
        let printed = print(&condition).unwrap_or_else(|| panic!("{}", compact(&condition)));
        assert_eq!(compact(&node(&printed)), compact(&condition), "{printed}");
    }
}

#[test]
fn what_no_expression_can_say_is_not_printed() {
    let runs = map("runs", fields([("program", NodeKind::String("rm".into()))]));
    let two = fields([("a", NodeKind::Bool(true)), ("b", NodeKind::Bool(true))]);
    let odd_name = map("odd name", NodeKind::Bool(true));
    let word = map("counter", NodeKind::Bool(true));
    let extra = fields([("name", NodeKind::String("c".into())), ("windw", NodeKind::Int(1))]);
    for kind in [runs, two, odd_name, word, map("counter_gte", extra), NodeKind::Broken] {
        let node = at(kind);
        assert_eq!(print(&node), None, "{}", compact(&node));
    }
}

#[test]
fn what_is_left_out_is_filled_in_when_printed() {
    let name = || NodeKind::String("c".into());
    let check = |kind, expected: &str| assert_eq!(print(&at(kind)).as_deref(), Some(expected));
    check(map("counter_gte", fields([("name", name())])), "counter(c) >= 0");
    check(map("flag_is", fields([("name", name())])), "flag(c)");
    let written = || NodeKind::String("a  and not (b)".into());
    check(written(), "a and not b");
    check(
        map("any", NodeKind::Seq(vec![at(written()), at(written())])),
        "a and not b or a and not b",
    );
    check(map("all", NodeKind::Seq(vec![at(written())])), "a and not b");
}
