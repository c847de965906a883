//! The reader against `toml`, which others have written: what that accepts is read alike, and what it refuses is refused.

use ::toml::Spanned;
use ::toml::de::{DeArray, DeInteger, DeTable, DeValue};

use crate::source::FileId;
use crate::syntax::tests::Xorshift;
use crate::syntax::{Entry, Key, Kind, Node};

/// Documents that have something of everything, to be cut up and put together.
const SEEDS: [&str; 6] = [
    "# kind: rules\ntitle = \"ä \\u00e4\"\n[a.b]\nx = [1, 0x1F, 2.5, true]\ny = '''\nraw\n'''\nz = \"\"\"\none \\\n  two\"\"\"\n",
    "[[rules]]\nid = 'a'\nwhen = 1979-05-27T07:32:00Z\nt = { a.b = 1, c = \"d\" }\n[[rules]]\n\"q k\" = inf\n[rules.sub]\nk = -1e5\n",
    "a.b.c = 1\na.b.d = [ [1], { e = 2 }, ]\n[a.x]\ny.z = 0\n[a.x.w]\n",
    "[t]\na = 1_000\nb = +0.5e-3\nc = 07:32:00.5\nd = 1979-05-27 07:32\ne = 0b101\nf = nan\n[t.u]\n[[t.v]]\n[[t.v]]\ng = ''\n",
    "s = \"\"\"\"two\"\" \"\"\"\"\"\r\nr = ''''a'''''\r\ne = \"\\\"\\\\\\b\\t\\n\\f\\r\\e\\x41\\U0001F600\"\r\n",
    "i = { a = 1, b = [\n  1, # one\n  2\n], }\nj = [\n]\nk = {}\n",
];

#[test]
fn what_toml_accepts_is_read_alike() {
    SEEDS.iter().for_each(|seed| assert!(agree(seed), "{seed}"));
    let mut random = Xorshift(0x9E37_79B9_7F4A_7C15);
    let pieces = [
        "\n",
        "\r\n",
        " ",
        "\t",
        "=",
        ".",
        ",",
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        "\"",
        "'",
        "\"\"\"",
        "'''",
        "#",
        "a",
        "b",
        "a.b",
        "1",
        "0",
        "_",
        "-",
        "+",
        "e",
        "true",
        "inf",
        "1979-05-27",
        "07:32:00",
        "T",
        "Z",
        "\\",
        "\\n",
        "\\u00e4",
        "\\xZZ",
        "[a]\n",
        "[a.b]\n",
        "[[a]]\n",
        "a = 1\n",
        "a.b = 1\n",
        "ä",
        "\u{7}",
        "# c\n",
        "{ a = 1 }",
    ];
    let mut accepted = 0;
    for _ in 0..30_000 {
        let mut text = SEEDS[random.below(SEEDS.len())].to_owned();
        if random.below(3) == 0 {
            text.push_str(SEEDS[random.below(SEEDS.len())]);
        }
        for _ in 0..=random.below(2) {
            let at = text.floor_char_boundary(random.below(text.len() + 1));
            match random.below(3) {
                0 => {
                    let end = text.ceil_char_boundary((at + 1 + random.below(4)).min(text.len()));
                    text.replace_range(at..end.max(at), "");
                }
                _ => text.insert_str(at, pieces[random.below(pieces.len())]),
            }
        }
        accepted += usize::from(agree(&text));
    }
    assert!(accepted > 5_000, "few texts are any good: {accepted}");
}

/// Whether the other accepts a text. Fails where the two do not agree.
#[track_caller]
fn agree(text: &str) -> bool {
    let ours = super::parse(FileId(0), text);
    // A carriage return in a comment, and control characters there, are nobody's business.
    let is_strict = text.lines().any(|line| {
        line.split_once('#')
            .is_some_and(|(_, comment)| comment.contains(|c: char| c < ' ' && c != '\t'))
    });
    match DeTable::parse(text) {
        Ok(table) => {
            let theirs = tree(text, table.into_inner());
            // It takes `0x` and `1_07:32` for numbers, and for a date what no calendar has.
            let is_bad = theirs.contains(NO_VALUE);
            let messages: Vec<_> = ours.diagnostics.iter().map(|one| &one.message).collect();
            assert_eq!(messages.is_empty(), !is_bad, "{text:?}: {messages:?}");
            if is_bad {
                return false;
            }
            assert_eq!(plain(&ours.root), theirs, "{text:?}");
            true
        }
        Err(error) => {
            let is_refused = !ours.diagnostics.is_empty() || is_strict;
            assert!(is_refused, "accepted: {text:?}: {error}");
            false
        }
    }
}

fn tree(text: &str, table: DeTable<'_>) -> String {
    let entry = |(key, value): (Spanned<_>, Spanned<DeValue<'_>>)| {
        let key: std::borrow::Cow<'_, str> = key.into_inner();
        format!("{key:?}: {}", value_of(text, value))
    };
    let mut entries: Vec<String> = table.into_iter().map(entry).collect();
    entries.sort();
    format!("{{{}}}", entries.join(", "))
}

fn value_of(text: &str, value: Spanned<DeValue<'_>>) -> String {
    let place = value.span();
    match value.into_inner() {
        DeValue::Table(inner) => tree(text, inner),
        DeValue::Array(items) => {
            let items: DeArray<'_> = items;
            format!(
                "[{}]",
                items.into_iter().map(|item| value_of(text, item)).collect::<Vec<_>>().join(", ")
            )
        }
        // Line ends are those of Unix in what we read, whatever the file has.
        DeValue::String(value) => format!("{:?}@{place:?}", value.replace("\r\n", "\n")),
        DeValue::Integer(number) => format!("{}@{place:?}", integer(&number)),
        DeValue::Float(number) => match number.as_str().parse::<f64>() {
            Ok(number) if is_large(number) => format!("large@{place:?}"),
            Ok(number) => format!("{:?}@{place:?}", Some(number)),
            Err(_) => NO_VALUE.to_owned(),
        },
        DeValue::Boolean(value) => format!("{value}@{place:?}"),
        // The calendar and the clock have a say.
        DeValue::Datetime(_) if super::scalars::resolve(&text[place.clone()]).is_none() => {
            NO_VALUE.to_owned()
        }
        DeValue::Datetime(_) => format!("date@{place:?}"),
    }
}

/// What is shown of a number without digits, or of a date that is none.
const NO_VALUE: &str = "no value";

fn integer(number: &DeInteger<'_>) -> String {
    let digits = number.as_str().trim_start_matches(['+', '-']);
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(number.radix())) {
        return NO_VALUE.to_owned();
    }
    let whole = i64::from_str_radix(number.as_str(), number.radix());
    whole.map_or("large".to_owned(), |whole| whole.to_string())
}

/// Whether a number may stand for a whole one that 64 bits do not hold.
fn is_large(number: f64) -> bool {
    number.fract() == 0.0 && number.abs() > 9e18 && number.is_finite()
}

/// Our tree as that of the other is shown.
fn plain(node: &Node) -> String {
    let place = node.span.start as usize..node.span.end as usize;
    match &node.kind {
        Kind::Null | Kind::Broken => "!".to_owned(),
        Kind::Bool(value) => format!("{value}@{place:?}"),
        Kind::Int(number) => format!("{number}@{place:?}"),
        Kind::Float(number) if is_large(*number) => format!("large@{place:?}"),
        Kind::Float(number) => format!("{:?}@{place:?}", Some(*number)),
        Kind::String(text) => match super::scalars::resolve(text) {
            Some(Kind::String(_)) if text.len() == place.len() => format!("date@{place:?}"),
            _ => format!("{:?}@{place:?}", text.replace("\r\n", "\n")),
        },
        Kind::Seq(items) => {
            format!("[{}]", items.iter().map(plain).collect::<Vec<_>>().join(", "))
        }
        Kind::Map(entries) => {
            let entry = |Entry { key: Key { text, .. }, value }: &Entry| {
                format!("{text:?}: {}", plain(value))
            };
            let mut entries: Vec<String> = entries.iter().map(entry).collect();
            entries.sort();
            format!("{{{}}}", entries.join(", "))
        }
    }
}
