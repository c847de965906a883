//! What the compiler knows of the kinds of operands that operations have: what each is in the typed
//! test, how it is written in files, and how it becomes part of an instruction.

use behavior_image::code;
use behavior_image::operand::*;
use behavior_image::pack_run;

use crate::codegen::Generator;
use crate::decode::{
    CounterName, Decode, FlagName, GlobText, ParamName, PatternText, Scalar, SetName, choice,
};
use crate::expression::Syntax;
use crate::ir::{self, Index, Reference};
use crate::lower::Lowering;
use crate::registry::schema::{NameKind, Shape};
use crate::syntax::Node;

/// A kind of operand, as tests hold it.
pub trait Kind: Operand {
    /// What a test holds of it.
    type Value: Clone + std::fmt::Debug + PartialEq;

    /// What of the program it refers to.
    fn reference(value: &Self::Value) -> Reference<'_>;
}

/// A kind of operand that becomes part of an instruction.
pub(crate) trait Encode: Kind {
    /// The operand of an instruction.
    fn encode(value: &Self::Value, generator: &mut Generator<'_>) -> Self;
}

/// A kind of operand that is one value of a mapping.
pub(crate) trait Written: Kind {
    /// What the value may be.
    const SHAPE: Shape;

    /// How it is written in an expression, where its form does not say otherwise.
    const SYNTAX: Syntax;

    /// Reads the value; `None` after reporting what is wrong.
    fn lower(node: &Node, lowering: &mut Lowering<'_>) -> Option<Self::Value>;
}

/// Declares kinds of operands.
macro_rules! kinds {
    ($(
        $name:ident: $value:ty {
            refers: |$referring:pat_param| $reference:expr,
            encode: |$encoded:pat_param, $generator:pat_param| $encode:expr,
            $(written: $shape:expr, as $syntax:expr, |$node:pat_param, $lowering:pat_param| $lower:expr,)?
        }
    )*) => {$(
        impl Kind for $name {
            type Value = $value;

            fn reference($referring: &$value) -> Reference<'_> {
                $reference
            }
        }

        impl Encode for $name {
            fn encode($encoded: &$value, $generator: &mut Generator<'_>) -> Self {
                $encode
            }
        }

        $(impl Written for $name {
            const SHAPE: Shape = $shape;
            const SYNTAX: Syntax = $syntax;

            fn lower($node: &Node, $lowering: &mut Lowering<'_>) -> Option<$value> {
                $lower
            }
        })?
    )*};
}

kinds! {
    Set: Index {
        refers: |set| Reference::Set(*set),
        encode: |set, _| Set(*set),
        written: SetName::SHAPE, as Syntax::Name(NameKind::Set), |node, lowering| {
            SetName::decode(node, lowering.reports).and_then(|name| lowering.set(&name.node))
        },
    }

    Counter: Index {
        refers: |counter| Reference::Counter(*counter),
        encode: |counter, _| Counter(narrow(*counter)),
        written: CounterName::SHAPE, as Syntax::Name(NameKind::Counter), |node, lowering| {
            CounterName::decode(node, lowering.reports).and_then(|name| lowering.counter(&name.node))
        },
    }

    Flag: Index {
        refers: |flag| Reference::Flag(*flag),
        encode: |flag, _| Flag(*flag),
        written: FlagName::SHAPE, as Syntax::Name(NameKind::Flag), |node, lowering| {
            FlagName::decode(node, lowering.reports).and_then(|name| lowering.flag(&name.node))
        },
    }

    Param: Box<str> {
        refers: |param| Reference::Param(param),
        encode: |param, generator| Param(narrow(generator.param(param))),
        written: ParamName::SHAPE, as Syntax::Name(NameKind::Param), |node, lowering| {
            ParamName::decode(node, lowering.reports).map(|param| param.text().into())
        },
    }

    Pattern: Index {
        refers: |pattern| Reference::Pattern(*pattern),
        encode: |pattern, _| Pattern(*pattern),
        written: PatternText::SHAPE, as Syntax::Pattern, |node, lowering| {
            PatternText::decode(node, lowering.reports).and_then(|text| lowering.pattern(&text.node))
        },
    }

    Glob: Index {
        refers: |glob| Reference::Pattern(*glob),
        encode: |glob, _| Glob(*glob),
        written: GlobText::SHAPE, as Syntax::Glob, |node, lowering| {
            GlobText::decode(node, lowering.reports).and_then(|text| lowering.glob(&text.node))
        },
    }

    Count: u32 {
        refers: |_| Reference::None,
        encode: |count, _| Count(*count),
        written: Shape::Int(0, i64::MAX), as Syntax::Integer, |node, lowering| {
            lowering.number(node, 0).map(|count| u32::try_from(count).unwrap_or(u32::MAX))
        },
    }

    Integer: i64 {
        refers: |_| Reference::None,
        encode: |number, generator| Integer(generator.draft.constant(*number as u64)),
        written: Shape::Any, as Syntax::Integer, |node, lowering| lowering.number(node, i64::MIN),
    }

    Bool: bool {
        refers: |_| Reference::None,
        encode: |value, _| Bool(*value),
        written: bool::SHAPE, as Syntax::Value, |node, lowering| bool::decode(node, lowering.reports),
    }

    Texts: Vec<Box<str>> {
        refers: |_| Reference::None,
        encode: |texts, generator| {
            let strings: Vec<_> = texts.iter().map(|text| generator.draft.string(text)).collect();
            let run = generator.draft.list(strings);
            Texts(generator.draft.constant(pack_run(run)))
        },
        written: <Vec<Scalar>>::SHAPE, as Syntax::Values, |node, lowering| {
            let values = <Vec<Scalar>>::decode(node, lowering.reports)?;
            Some(values.into_iter().map(|value| value.text).collect())
        },
    }

    Comparison: code::Comparison {
        refers: |_| Reference::None,
        encode: |comparison, _| Comparison(*comparison),
        written: ComparisonSign::SHAPE, as Syntax::Comparison, |node, lowering| {
            ComparisonSign::decode(node, lowering.reports).map(ComparisonSign::meaning)
        },
    }

    JsonScalar: Box<str> {
        refers: |_| Reference::None,
        encode: |value, generator| JsonScalar(generator.draft.string(value)),
        written: Scalar::SHAPE, as Syntax::Value, |node, lowering| {
            Scalar::decode(node, lowering.reports).map(|scalar| scalar.json)
        },
    }

    SecretPlace: ir::SecretPlace {
        refers: |place| Reference::SecretPlace(place),
        encode: |place, generator| {
            let name = place.param.as_deref();
            if let Some(name) = name {
                generator.param(name);
            }
            SecretPlace {
                place: place.place,
                param: generator.draft.string(name.unwrap_or_default()),
            }
        },
    }

    Shapes: Vec<ir::Shape> {
        refers: |shapes| Reference::Shapes(shapes),
        encode: |shapes, generator| Shapes(crate::codegen::shapes(&mut generator.draft, shapes)),
    }
}

/// Indexes beyond 65,535 are reported before the image is used.
fn narrow(index: u32) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}

choice! {
    /// How a parameter compares to a value.
    ComparisonSign {
        /// Equal.
        Equal = "==",
        /// Not equal.
        NotEqual = "!=",
        /// Less.
        Less = "<",
        /// Less or equal.
        LessOrEqual = "<=",
        /// Greater.
        Greater = ">",
        /// Greater or equal.
        GreaterOrEqual = ">=",
    }
}

impl ComparisonSign {
    fn meaning(self) -> code::Comparison {
        match self {
            ComparisonSign::Equal => code::Comparison::Equal,
            ComparisonSign::NotEqual => code::Comparison::NotEqual,
            ComparisonSign::Less => code::Comparison::Less,
            ComparisonSign::LessOrEqual => code::Comparison::LessOrEqual,
            ComparisonSign::Greater => code::Comparison::Greater,
            ComparisonSign::GreaterOrEqual => code::Comparison::GreaterOrEqual,
        }
    }
}
