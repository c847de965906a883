//! How keys are written with a place for their values: beside them or below them.

use crate::registry::schema::{Field, Shape};

/// How the header of a table reads that a field of the root has its value in, where it has one.
pub(super) fn table(field: &Field) -> Option<String> {
    match field.shape {
        Shape::List(Shape::Record(_)) => Some(format!("[[{}]]", field.name)),
        Shape::Record(_) | Shape::Map(_) => Some(format!("[{}]", field.name)),
        _ => None,
    }
}

/// Whether a value is best written on lines below its key.
pub(super) fn is_collection(shape: Shape) -> bool {
    match shape {
        Shape::Record(record) => record.fields.len() > MAX_INLINE,
        Shape::Map(_) | Shape::List(_) => true,
        _ => false,
    }
}

/// Records of so many fields are written in one line.
const MAX_INLINE: usize = 3;

/// A value of JSON as a place to fill in.
pub(super) fn json_snippet(shape: Shape) -> Option<String> {
    match shape {
        Shape::Choice(_) => value_snippet(shape).map(|words| format!("\"{words}\"")),
        Shape::Bool | Shape::Message | Shape::Directive => value_snippet(shape),
        Shape::Text | Shape::Policy => Some("\"$1\"".to_owned()),
        Shape::List(_) => Some("[$1]".to_owned()),
        Shape::Record(_) | Shape::Map(_) => Some("{ $1 }".to_owned()),
        _ => None,
    }
}

/// A value as a place to fill in.
pub(super) fn value_snippet(shape: Shape) -> Option<String> {
    match shape {
        Shape::Bool => Some("${1|true,false|}".to_owned()),
        Shape::Choice(choices) => {
            let words: Vec<&str> = choices.iter().map(|choice| choice.name).collect();
            Some(format!("${{1|{}|}}", words.join(",")))
        }
        Shape::Message | Shape::Directive => Some("\"$1\"".to_owned()),
        Shape::Record(record) => {
            let field = |(index, field): (usize, &Field)| format!("{}: ${}", field.name, index + 1);
            let fields: Vec<String> = record.fields.iter().enumerate().map(field).collect();
            Some(format!("{{ {} }}", fields.join(", ")))
        }
        _ => None,
    }
}
