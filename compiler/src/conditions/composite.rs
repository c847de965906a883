//! The ways to put conditions together.

use crate::registry::schema::Shape;

/// A way to put conditions together.
#[derive(Debug)]
pub struct Composite {
    /// Its name, the key of its mapping.
    pub name: &'static str,
    /// What it means: Markdown.
    pub docs: &'static str,
    /// What stands behind the key.
    pub argument: Shape,
    /// As a mapping.
    pub example: &'static str,
    /// As an expression.
    pub expression: &'static str,
}

/// The composites.
pub static COMPOSITES: &[Composite] = &[
    Composite {
        name: "all",
        docs: "Every condition of the list holds.\n\nThey are looked at in order, and the first \
               that does not hold ends it.",
        argument: Shape::List(&Shape::Condition),
        example: "all:\n  - flag_is: { name: backup_created, value: false }\n  - param_contains: { param: query, value: DROP }",
        expression: "flag(backup_created) is false and param(query) contains \"DROP\"",
    },
    Composite {
        name: "any",
        docs: "At least one condition of the list holds.\n\nThey are looked at in order, and the \
               first that holds ends it.",
        argument: Shape::List(&Shape::Condition),
        example: "any:\n  - param_contains: { param: command, value: \"rm -rf\" }\n  - param_contains: { param: command, value: \"git reset --hard\" }",
        expression: "param(command) contains \"rm -rf\" or param(command) contains \"git reset --hard\"",
    },
    Composite {
        name: "not",
        docs: "The condition does not hold.\n\nWhat nothing tells stays unknown: `not` of it does \
               not hold either.",
        argument: Shape::Condition,
        example: "not:\n  target_in_set: read_files",
        expression: "not target in read_files",
    },
];
