//! Holds the reader against another parser of YAML: what that accepts is read alike, to the spans and
//! styles of scalars, and what it refuses is refused.

use granit_parser::{Event, Parser, ScalarStyle};

use super::tree::{AnchorId, TreeBuilder};
use crate::source::FileId;
use crate::syntax::tests::{Xorshift, problem};
use crate::syntax::{Format, Kind, MAX_DEPTH, Node, Style, Text, parse};

const FILE: FileId = FileId(7);

/// Names for anchors that the other parser has numbered.
const NAMES: [&str; 8] = ["0", "1", "2", "3", "4", "5", "6", "7"];

/// The tree as the other parser has it; nothing where it refuses the text, or we do on purpose.
fn expected(text: &str) -> Option<Node> {
    let options = granit_parser::options! {
        emit_unresolved_aliases: true,
        max_buffered_comment_events: usize::MAX,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut tree = TreeBuilder::new(FILE, text);
    let mut documents = 0;
    let mut depth = 0_usize;
    for step in Parser::new_from_str_with_options(text, options) {
        let (event, place) = step.ok()?;
        let range = place.byte_range().unwrap_or(0..0);
        if place.tag_span().is_some() {
            return None;
        }
        let mut anchor = |id: usize| -> Option<AnchorId> {
            (id > 0).then(|| tree.define(NAMES[id % NAMES.len()]))
        };
        match event {
            Event::DocumentStart(..) => documents += 1,
            Event::Scalar(value, style, id, _) => {
                let anchor = anchor(id);
                let (value, style) = match style {
                    ScalarStyle::Plain if range.is_empty() => ("".into(), Style::Plain),
                    ScalarStyle::Plain => (value, Style::Plain),
                    ScalarStyle::SingleQuoted => (value, Style::Single),
                    ScalarStyle::DoubleQuoted => (value, Style::Double),
                    ScalarStyle::Literal => (value, Style::Literal { indent: 0 }),
                    ScalarStyle::Folded => (value, Style::Folded { indent: 0 }),
                };
                tree.scalar(value, style, anchor, range.start, range.end);
            }
            Event::SequenceStart(_, id, _) => {
                let anchor = anchor(id);
                tree.begin_list(range.start, anchor).ok()?;
                depth += 1;
            }
            Event::MappingStart(_, id, _) => {
                let anchor = anchor(id);
                tree.begin_map(range.start, anchor).ok()?;
                depth += 1;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                tree.finish((range.end > range.start).then_some(range.end));
                depth -= 1;
            }
            Event::Alias(id) => tree.alias(NAMES[id % NAMES.len()], range.start, range.end),
            Event::UnresolvedAlias(_) => tree.alias("none", range.start, range.end),
            Event::Comment(..) => tree.comment(range.start, range.end),
            _ => {}
        }
        if documents > 1 {
            return None;
        }
    }
    assert_eq!(depth, 0);
    let refused = tree.diagnostics.iter().any(|found| found.message.contains("cannot be a key"));
    let nothing = || Node { span: tree.span(0, 0), kind: Kind::Null };
    (!refused).then(|| tree.root.clone().unwrap_or_else(nothing))
}

fn is_same_style(one: &Text, other: &Text) -> bool {
    std::mem::discriminant(&one.style()) == std::mem::discriminant(&other.style())
}

/// Whether two trees are the same, but for where block collections and block scalars stand.
fn is_same(one: &Node, other: &Node) -> bool {
    match (&one.kind, &other.kind) {
        (Kind::Seq(ones), Kind::Seq(others)) => {
            ones.len() == others.len() && ones.iter().zip(others).all(|(a, b)| is_same(a, b))
        }
        (Kind::Map(ones), Kind::Map(others)) => {
            ones.len() == others.len()
                && ones.iter().zip(others).all(|(a, b)| {
                    // The other parser says that a block scalar starts with its text.
                    let is_same_place = a.key.span == b.key.span
                        || a.key.span.start < b.key.span.start
                        || a.key.text.is_empty();
                    a.key.text == b.key.text && is_same_place && is_same(&a.value, &b.value)
                })
        }
        (Kind::Null, Kind::Null) => true,
        (Kind::Float(a), Kind::Float(b)) => a.to_bits() == b.to_bits() && one.span == other.span,
        (Kind::String(a), Kind::String(b)) => {
            let is_block = matches!(a.style(), Style::Literal { .. } | Style::Folded { .. });
            a == b && is_same_style(a, b) && (is_block || one.span == other.span)
        }
        _ => one == other,
    }
}

/// Whether the other parser accepts a text. Asserts that both agree.
#[track_caller]
fn is_accepted(text: &str) -> bool {
    let ours = parse(FILE, text, Format::Yaml);
    let is_refused = ours
        .diagnostics
        .iter()
        .any(|found| !["duplicate-key", "unknown-alias"].contains(&found.kind.name));
    match expected(text) {
        Some(theirs) => {
            let found: Vec<_> = ours.diagnostics.iter().map(|one| problem(text, one)).collect();
            assert!(!is_refused, "{text:?} is fine, but: {found:?}");
            assert!(is_same(&ours.root, &theirs), "{text:?}: {:#?}, not {theirs:#?}", ours.root);
            true
        }
        None => {
            assert!(is_refused, "{text:?} is not refused: {:#?}", ours.root);
            false
        }
    }
}

/// Makes every text of so many pieces; returns how many of them are accepted.
fn check_all(pieces: &[&str], count: u32) -> usize {
    let text = |number: usize| -> String {
        let piece = |at: u32| pieces[number / pieces.len().pow(at) % pieces.len()];
        (0..count).map(piece).collect()
    };
    (0..pieces.len().pow(count)).filter(|number| is_accepted(&text(*number))).count()
}

#[test]
fn every_short_text_is_read_alike() {
    let pieces = [
        "a", "b: ", "c:", "- ", "\n", "\n  ", " ", "[", "]", "{", "}", ",", "\"", "'", " #", "\\",
        "-1", ":", "~", "? ", "&x ", "|", "\t",
    ];
    assert!(check_all(&pieces, 3) > 1_000);
}

#[test]
fn all_few_lines_are_read_alike() {
    let lines = [
        "\n",
        "    # ü\n",
        "a:\n",
        "    a: \n",
        "b: x # c\n",
        "  b: x: y\n",
        "- x\n",
        "    - 'it''s'\n",
        "- a: \"\\\\d\\\"\"\n",
        "  -  - a: é, é\n",
        "    - [a, {b: \"c\", a: d e}, ]\n",
        "  c: {a: [b], b: .5}  # [\n",
        "    x\n",
        "  -\n",
        "---\n",
        "d: |\n",
        "- >+\n",
        "e: [a,\n",
        "b]\n",
        "f: 'g\n",
        "h'\n",
        "? a\n",
        ": b\n",
        "\ti\n",
    ];
    assert!(check_all(&lines, 3) > 1_000);
}

#[test]
fn random_texts_are_read_alike() {
    let pieces = [
        "a", "b: ", "c:", "- ", "\n", "\n  ", "\n ", " ", "[", "]", "{", "}", ",", "\"", "'", " #",
        "\\", "-1", ":", "~", ".", "? ", "&x ", "*x", "|", ">", "\t", "---", "...", "|-", "%", "-",
        "#", "?", ": ", "\n\n", "\\n", "x y", "\r\n", "\"a\"", "'b'", "\\\n", "é", "|2", ">1",
        "<<", "- a: ", "[a]", "{a: b}", "\n    ",
    ];
    let mut random = Xorshift(0x9E37_79B9_7F4A_7C15);
    let mut accepted = 0;
    for _ in 0..40_000 {
        let count = 1 + random.below(9);
        let text: String = (0..count).map(|_| pieces[random.below(pieces.len())]).collect();
        accepted += usize::from(is_accepted(&text));
    }
    assert!(accepted > 4_000, "only {accepted}");
}

#[test]
fn a_file_with_any_one_change_is_read_alike() {
    let text = "# behavior: config\nprofile: dev\nrules:\n- id: a_b  # first\n  trigger: [edit, \"w\"]\n  \
        condition:\n    all:\n      - flag_is: { name: f, value: false }\n      - not:\n          \
        param_matches: {param: 'p', pattern: \"\\\\bx\\\"\"}\n  message: Say it's {param:p}.\n\n\
        limits:\n  - &l >-\n    folded\n    text\n  - most: 1.5\n    least:\n  - *l\n";
    assert!(is_accepted(text));
    let mut accepted = 0;
    for (at, removed) in text.char_indices() {
        let (before, behind) = text.split_at(at);
        let without = behind.trim_start_matches(removed);
        for piece in
            ["", " ", "  ", "\n", "- ", "-", ": ", "#", " #", "\"", "'", "\\", "[", "]", "}", ","]
        {
            accepted += usize::from(is_accepted(&format!("{before}{piece}{behind}")));
            accepted += usize::from(is_accepted(&format!("{before}{piece}{without}")));
        }
    }
    assert!(accepted > 2_000, "only {accepted}");
}
