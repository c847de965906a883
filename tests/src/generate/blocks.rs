//! YAML in blocks.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};

/// YAML in blocks, every text in quotes.
pub(super) fn blocks(value: &Json) -> String {
    let mut out = String::new();
    block(value, 0, &mut out);
    out
}

fn block(value: &Json, indent: usize, out: &mut String) {
    let pad = " ".repeat(indent);
    match value {
        Json::Object(entries) if !entries.is_empty() => {
            for (key, value) in entries {
                let _ = write!(out, "{pad}{}:", json!(key));
                nested(value, indent + 2, out);
            }
        }
        Json::Array(items) if !items.is_empty() => {
            for item in items {
                let _ = write!(out, "{pad}-");
                nested(item, indent + 2, out);
            }
        }
        scalar => {
            let _ = writeln!(out, "{pad}{scalar}");
        }
    }
}

fn nested(value: &Json, indent: usize, out: &mut String) {
    let is_block = match value {
        Json::Object(entries) => !entries.is_empty(),
        Json::Array(items) => !items.is_empty(),
        _ => false,
    };
    if is_block {
        out.push('\n');
        block(value, indent, out);
    } else {
        let _ = writeln!(out, " {value}");
    }
}
