use super::super::{Reader, parse_any};
use super::read;
use crate::source::FileId;

/// Whether a text is read here; if so, the parser must agree.
fn is_read(text: &str) -> bool {
    let mut reader = Reader::new(FileId(0), text);
    let Some(root) = read(&mut reader) else { return false };
    let here = reader.finished(root);
    let mut there = parse_any(FileId(0), text);
    there.comments.sort_by_key(|comment| comment.span.start);
    assert_eq!(here.root, there.root, "{text}");
    assert_eq!(here.comments, there.comments, "{text}");
    assert_eq!(format!("{:?}", here.diagnostics), format!("{:?}", there.diagnostics), "{text}");
    true
}

/// Makes every text of so many pieces; answers with how many of them are read here.
fn check_all(pieces: &[&str], count: u32) -> usize {
    let text = |number: usize| -> String {
        let piece = |at: u32| pieces[number / pieces.len().pow(at) % pieces.len()];
        (0..count).map(piece).collect()
    };
    (0..pieces.len().pow(count)).filter(|number| is_read(&text(*number))).count()
}
#[test]
fn every_short_text_is_read_as_the_parser_does() {
    let pieces = [
        "a", "b: ", "c:", "- ", "\n", "\n  ", " ", "[", "]", "{", "}", ",", "\"", "'", " #", "\\",
        "-1", ":", "~", ".",
    ];
    let read = check_all(&pieces, 4);
    assert!(read > 5_000, "only {read}");
}

#[test]
fn all_few_lines_are_read_as_the_parser_does() {
    let lines = [
        "\n",
        "# c\n",
        "    # ü\n",
        "a:\n",
        "  a: \n",
        "    a:\n",
        "b: x # c\n",
        "  b: x: y\n",
        "    b: ~\n",
        "- x\n",
        "  - 1\n",
        "    - 'it''s'\n",
        "- a: \"\\\\d\\\"\"\n",
        "  - b: []\n",
        "  -  - a: é, é\n",
        "    - [a, {b: \"c\", a: d e}, ]\n",
        "- - c:\n",
        "  c: {a: [b], a: .5}  # [\n",
        "    x\n",
        "  -\n",
        "---\n",
    ];
    let read = check_all(&lines, 3);
    assert!(read > 500, "only {read}");
}

#[test]
fn what_is_unusual_is_left_to_the_parser() {
    assert!(is_read("a: b\n"));
    for text in [
        "",
        "a: &b c",
        "a: *b",
        "a: !b c",
        "a: |\n  b",
        "a: >\n  b",
        "---\na: b",
        "a: b\n...",
        "%a",
        "a: b\r\n",
        "a:\tb",
        "a: \u{85}",
        "a: \u{FEFF}b",
        "? a",
        "a: b\n  c",
        "a: \"b\n  c\"",
        "a: [b,\n  c]",
        "<<: a",
        "\"a\": b",
        "a: \"\\x41\"",
        "a: @b",
        "a: b: c",
        "a: [b: c]",
        "just text",
        "  a: b",
    ] {
        assert!(!is_read(text), "{text}");
    }
    let key = "k".repeat(2_000);
    for text in [
        format!("{key}: a"),
        format!("a: {{{key}: a}}"),
        format!("a: {}{}", "[".repeat(200), "]".repeat(200)),
    ] {
        assert!(!is_read(&text));
    }
    let deep: String = (0..200).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    assert!(!is_read(&deep));
}

#[test]
fn a_file_with_any_one_change_is_read_as_the_parser_does() {
    let text = "# behavior: config\nprofile: dev\nrules:\n- id: a_b  # first\n  trigger: [edit, \"w\"]\n  \
        condition:\n    all:\n      - flag_is: { name: f, value: false }\n      - not:\n          \
        param_matches: {param: 'p', pattern: \"\\\\bx\\\"\"}\n  message: Say it's {param:p}.\n\n\
        limits:\n    most: 1.5\n    least:\n";
    assert!(is_read(text));
    let mut read = 0;
    for (at, removed) in text.char_indices() {
        let (before, behind) = text.split_at(at);
        let without = behind.trim_start_matches(removed);
        for piece in
            ["", " ", "  ", "\n", "- ", "-", ": ", "#", " #", "\"", "'", "\\", "[", "]", "}", ","]
        {
            read += usize::from(is_read(&format!("{before}{piece}{behind}")));
            read += usize::from(is_read(&format!("{before}{piece}{without}")));
        }
    }
    assert!(read > 2_000, "only {read}");
}
