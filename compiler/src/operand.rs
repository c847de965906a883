//! What the compiler knows of the kinds of operands that operations have: what each is in the typed
//! test. How it is written in files stands in `conditions/operand.rs`, how it becomes part of an
//! instruction in `codegen/operand.rs`.

use behavior_image::code;
use behavior_image::operand::*;

use crate::ir::{self, Index, Reference};

/// A kind of operand, as tests hold it.
pub trait Kind: Operand {
    /// What a test holds of it.
    type Value: Clone + std::fmt::Debug + PartialEq;

    /// What of the program it refers to.
    fn reference(value: &Self::Value) -> Reference<'_>;
}

/// Declares for each kind what a test holds of it, and what of the program that refers to.
macro_rules! kinds {
    ($($name:ident: $value:ty, |$referring:pat_param| $reference:expr,)*) => {$(
        impl Kind for $name {
            type Value = $value;

            fn reference($referring: &$value) -> Reference<'_> {
                $reference
            }
        }
    )*};
}

kinds! {
    Set: Index, |set| Reference::Set(*set),
    Counter: Index, |counter| Reference::Counter(*counter),
    Flag: Index, |flag| Reference::Flag(*flag),
    Param: Box<str>, |param| Reference::Param(param),
    Pattern: Index, |pattern| Reference::Pattern(*pattern),
    Glob: Index, |glob| Reference::Pattern(*glob),
    Count: u32, |_| Reference::None,
    Integer: i64, |_| Reference::None,
    Bool: bool, |_| Reference::None,
    Texts: Vec<Box<str>>, |_| Reference::None,
    Comparison: code::Comparison, |_| Reference::None,
    JsonScalar: Box<str>, |_| Reference::None,
    SecretPlace: ir::SecretPlace, |place| Reference::SecretPlace(place),
    Paths: ir::Paths, |paths| Reference::Paths(paths),
    Branches: ir::Branches, |branches| Reference::Branches(branches),
    Shapes: Vec<ir::Shape>, |shapes| Reference::Shapes(shapes),
}
