//! What is declared of a condition.

use behavior_runtime::decision::Phase;

use crate::expression::Hole;
use crate::ir::Test;
use crate::lower::Lowering;
use crate::registry::schema::Shape;
use crate::syntax::Node;

/// A kind of condition.
#[derive(Debug)]
pub struct ConditionKind {
    /// Its name, the key of its mapping.
    pub name: &'static str,
    /// What it asks: Markdown, the first line a summary.
    pub docs: &'static str,
    /// What stands behind the key.
    pub argument: Shape,
    /// The phases in which it can hold.
    pub phases: &'static [Phase],
    /// The condition as a mapping, as one would write it.
    pub example: &'static str,
    /// The same as an expression.
    pub expression: &'static str,
    /// Templates of the forms that it has in expressions, the one that is printed first.
    pub forms: &'static [&'static str],
    /// What the templates may name.
    pub(crate) holes: &'static [Hole],
    /// Reads what stands behind the key of this condition; `None` after reporting what is wrong.
    pub(crate) lower: fn(&ConditionKind, &Node, &mut Lowering<'_>) -> Option<Test>,
}
