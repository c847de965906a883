//! What all formats have in common: decoding, limits, and that nothing panics or points astray.

use super::*;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

const FILE: FileId = FileId(7);
const FORMATS: [Format; 3] = [Format::Yaml, Format::Json, Format::Toml];

/// The tree as one line: `{key: [1, "text", !]}`, where `!` is broken.
pub fn render(node: &Node) -> String {
    match &node.kind {
        Kind::Null => "null".to_owned(),
        Kind::Bool(value) => value.to_string(),
        Kind::Int(value) => value.to_string(),
        Kind::Float(value) => format!("{value:?}"),
        Kind::String(text) => format!("{text:?}"),
        Kind::Seq(items) => {
            format!("[{}]", items.iter().map(render).collect::<Vec<_>>().join(", "))
        }
        Kind::Map(entries) => {
            let entries = entries.iter();
            let entries =
                entries.map(|entry| format!("{}: {}", entry.key.text, render(&entry.value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
        Kind::Broken => "!".to_owned(),
    }
}

/// The text that a span covers.
pub fn slice(text: &str, span: Span) -> &str {
    assert_eq!(span.file, FILE);
    text.get(span.start as usize..span.end as usize)
        .unwrap_or_else(|| panic!("{span:?} does not fit {text:.1000?}"))
}

/// A problem as `kind @text@ message`.
pub fn problem(text: &str, problem: &Diagnostic) -> String {
    format!("{} @{}@ {}", problem.kind.name, slice(text, problem.span), problem.message)
}

/// Parses and asserts what comes out, and that all spans fit.
#[track_caller]
pub fn check(format: Format, text: &str, tree: &str, problems: &[&str]) -> Parsed {
    let parsed = parse(FILE, text, format);
    spans_fit(text, &parsed);
    let found: Vec<_> = parsed.diagnostics.iter().map(|found| problem(text, found)).collect();
    assert_eq!(found, problems, "problems of {text:?}");
    assert_eq!(render(&parsed.root), tree, "tree of {text:?}");
    parsed
}

/// Asserts the source text of every node and key in order.
#[track_caller]
pub fn check_spans(format: Format, text: &str, expected: &[&str]) {
    let parsed = parse(FILE, text, format);
    let mut found = Vec::new();
    collect_spans(text, &parsed.root, &mut found);
    assert_eq!(found, expected);
}

fn collect_spans<'t>(text: &'t str, node: &Node, found: &mut Vec<&'t str>) {
    found.push(slice(text, node.span));
    for item in node.items().unwrap_or_default() {
        collect_spans(text, item, found);
    }
    for entry in node.entries().unwrap_or_default() {
        found.push(slice(text, entry.key.span));
        collect_spans(text, &entry.value, found);
    }
}

pub fn spans_fit(text: &str, parsed: &Parsed) {
    let mut found = Vec::new();
    collect_spans(text, &parsed.root, &mut found);
    for comment in &parsed.comments {
        assert_eq!(slice(text, comment.span), format!("#{}", comment.text));
    }
    for problem in &parsed.diagnostics {
        slice(text, problem.span);
        for label in &problem.labels {
            slice(text, label.span);
        }
        assert!(!problem.message.is_empty());
    }
    assert!(parsed.diagnostics.is_sorted_by_key(|problem| problem.span.start));
}

fn located(text: &str, node: &Node) {
    if let Some(value) = node.as_str() {
        let middle = value.char_indices().nth(value.chars().count() / 2).map_or(0, |(at, _)| at);
        for range in [0..value.len(), middle..value.len(), 0..middle, middle..middle] {
            slice(text, locate(text, node, range));
        }
    }
    node.items().unwrap_or_default().iter().for_each(|item| located(text, item));
    node.entries().unwrap_or_default().iter().for_each(|entry| located(text, &entry.value));
}

#[test]
fn decodes_text_and_drops_the_byte_order_mark() {
    assert_eq!(decode_utf8(FILE, "a.yaml", b"a: 1").unwrap(), "a: 1");
    assert_eq!(decode_utf8(FILE, "a.yaml", b"\xEF\xBB\xBFa: \xC3\xA4").unwrap(), "a: ä");
    assert_eq!(decode_utf8(FILE, "a.yaml", b"").unwrap(), "");
}

#[test]
fn refuses_what_is_not_text() {
    let refused = |bytes: &[u8]| {
        let refused = decode_utf8(FILE, "a.yaml", bytes).unwrap_err();
        problem(&refused.text, &refused.diagnostic)
    };
    assert_eq!(
        refused(b"\xEF\xBB\xBFa: \xFFb"),
        "encoding @\u{FFFD}@ `a.yaml` is not UTF-8: byte 6 is 0xFF"
    );
    assert_eq!(
        refused(b"\xFF\xFEa\0"),
        "encoding @\u{FFFD}@ `a.yaml` is UTF-16; rule files are UTF-8"
    );
    assert_eq!(
        refused(b"ab\0c"),
        "encoding @\0@ there is a NUL character at byte 2, which no text file may hold"
    );
}

#[test]
fn refuses_nul_and_size_in_every_format() {
    let large = " ".repeat(MAX_BYTES + 1);
    for format in FORMATS {
        let parsed = parse(FILE, "a\0b", format);
        assert_eq!(
            (parsed.diagnostics[0].kind.name, parsed.diagnostics[0].span.start),
            ("encoding", 1)
        );
        assert_eq!(parsed.root.kind, Kind::Broken);
        let parsed = parse(FILE, &large, format);
        assert_eq!(parsed.diagnostics[0].kind.name, "too-large");
        assert_eq!(parsed.root.kind, Kind::Broken);
    }
}

/// Runs on a stack as small as they come, so that recursion without bounds shows.
fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
}

#[test]
fn survives_depth() {
    on_small_stack(|| {
        for opening in
            ["[", "{a: ", "- ", "? ", "{\"a\":", "a = [", "[[a]]\n", "a.", "{a=", "\"", "&a "]
        {
            for format in FORMATS {
                let text = opening.repeat(100_000);
                let parsed = parse(FILE, &text, format);
                spans_fit(&text, &parsed);
                let valid =
                    [("[[a]]\n", Format::Toml), ("a = [", Format::Yaml), ("a.", Format::Yaml)];
                let valid = valid.contains(&(opening, format));
                assert_eq!(parsed.diagnostics.is_empty(), valid, "{opening:?} {format:?}");
            }
        }
    });
}

#[test]
fn depth_has_one_limit() {
    for format in [Format::Yaml, Format::Json] {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!(parse(FILE, &nested(MAX_DEPTH), format).diagnostics.len(), 0, "{format:?}");
        let parsed = parse(FILE, &nested(MAX_DEPTH + 1), format);
        let kinds: Vec<_> = parsed.diagnostics.iter().map(|found| found.kind.name).collect();
        assert_eq!(kinds, ["too-large"], "{format:?}");
    }
}

#[test]
fn toml_depth_of_dotted_keys_and_tables() {
    on_small_stack(|| {
        let dotted = format!("{}k", "a.".repeat(78));
        let mut text = format!("[{dotted}]\n");
        (0..79).for_each(|_| text.push_str(&format!("{dotted} = {{ ")));
        text.push_str("x = 1");
        (0..79).for_each(|_| text.push('}'));
        let parsed = parse(FILE, &text, Format::Toml);
        spans_fit(&text, &parsed);
        assert_eq!(parsed.diagnostics[0].kind.name, "too-large");
    });
}

#[test]
fn survives_long_lines() {
    let long = "x ".repeat(2_500_000);
    for (text, problems) in [
        (format!("a: {long}"), 0),
        (format!("a: \"{long}\""), 0),
        (format!("a: \"{long}"), 1),
        (format!("a: [{}", "x, ".repeat(800_000)), 1),
        (format!("# {long}"), 0),
    ] {
        let parsed = parse(FILE, &text, Format::Yaml);
        spans_fit(&text, &parsed);
        assert_eq!(parsed.diagnostics.len(), problems);
    }
}

/// A generator that gives the same numbers every time.
pub struct Xorshift(pub u64);

impl Xorshift {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }

    fn boundary(&mut self, text: &str) -> usize {
        let at = self.below(text.len() + 1);
        text.floor_char_boundary(at)
    }
}

const YAML: &str = "# kind: rules\nsecurity: &s\n  behavior:\n    rule_definitions:\n      - id: a_1 # first\n        \
    trigger: [edit, 'wr''ite', \"\\u00e4\\n\"]\n        when: pre_tool\n        condition:\n          \
    param_contains: { param: file_path, value: \"se\\\n            cret\" }\n        message: >-\n          \
    Do not touch\n          '{target}'.\n\n          Ünïcode\n      - id: b\n        message: |2\n            more\n          \
    less\n        n: [0x1F, 1e3, ~, true, .inf]\n      - *m\n      - &m [x]\n      - ? k\n        : v\n\
    other: plain\n  folded\r\n\r\n  text\n";
const JSON: &str = "{\"a\": [1, -2.5e3, true, null, \"\\ud83d\\ude00 ü \\n\"],\n \"b\": {\"c\": {}, \"d\": []}, \"e\": \"\"}";
const TOML: &str = "# kind: rules\ntitle = \"ä \\u00e4\"\n[a.b]\nx = [1, 0x1F, 2.5, true]\ny = '''\nraw\n'''\nz = \"\"\"\n\
    one \\\n  two\"\"\"\n[[rules]]\nid = 'a'\nwhen = 1979-05-27T07:32:00Z\nt = { a.b = 1, c = \"d\" }\n[[rules]]\n\"q k\" = inf\n";

#[test]
fn mutated_documents_never_panic_and_spans_fit() {
    let mut random = Xorshift(0x2545_F491_4F6C_DD1D);
    let snippets = [
        "\n", "\t", " ", "  ", ": ", ":", "- ", "[", "]", "{", "}", "\"", "'", "\"\"\"", "'''",
        "#", " #", "&a ", "*a", "!t ", "|", ">", "---\n", "...\n", "%", "@", "`", "?", ",", "=",
        ".", "\\", "\\u", "\r\n", "\r", "ü", "😀", "\u{FEFF}", "\u{85}", "\u{2028}", "\u{1}", "[[",
        "]]", "<<: *s\n", "null", "1",
    ];
    for round in 0..6000 {
        let (format, document) = match round % 3 {
            0 => (Format::Json, JSON),
            1 => (Format::Toml, TOML),
            _ => (Format::Yaml, YAML),
        };
        let mut text = document.to_owned();
        for _ in 0..=random.below(4) {
            let (one, two) = (random.boundary(&text), random.boundary(&text));
            let range = one.min(two)..one.max(two);
            match random.below(4) {
                0 => text.insert_str(one, snippets[random.below(snippets.len())]),
                1 => text.replace_range(one..text.ceil_char_boundary(one + 1), ""),
                2 if range.len() < 40 => text.replace_range(range, ""),
                3 if range.len() < 80 => {
                    let copy = text[range].to_owned();
                    let at = random.boundary(&text);
                    text.insert_str(at, &copy);
                }
                _ => text.truncate(one.max(two)),
            }
        }
        let text = text.as_str();
        let parsed = parse(FILE, text, format);
        spans_fit(text, &parsed);
        located(text, &parsed.root);
        let broken = render(&parsed.root).contains('!') && !text.contains('!');
        assert!(!broken || !parsed.diagnostics.is_empty(), "silently broken: {text:?}");
    }
}
