//! How each kind of operand becomes part of an instruction.

use behavior_image::operand::*;
use behavior_image::pack_run;

use super::command;
use super::generator::Generator;
use super::paths::path_lists;
use crate::operand::Kind;

/// A kind of operand that becomes part of an instruction.
pub(super) trait Encode: Kind {
    /// The operand of an instruction.
    fn encode(value: &Self::Value, generator: &mut Generator<'_>) -> Self;
}

/// Declares how kinds are encoded.
macro_rules! encoded {
    ($($name:ident: |$value:pat_param, $generator:pat_param| $encode:expr,)*) => {$(
        impl Encode for $name {
            fn encode(
                $value: &<$name as Kind>::Value,
                $generator: &mut Generator<'_>,
            ) -> Self {
                $encode
            }
        }
    )*};
}

encoded! {
    Set: |set, _| Set(*set),
    Counter: |counter, _| Counter(narrow(*counter)),
    Flag: |flag, _| Flag(*flag),
    Param: |param, generator| Param(narrow(generator.param(param))),
    Pattern: |pattern, _| Pattern(*pattern),
    Glob: |glob, _| Glob(*glob),
    Count: |count, _| Count(*count),
    Integer: |number, generator| Integer(generator.draft.constant(*number as u64)),
    Bool: |value, _| Bool(*value),
    Texts: |texts, generator| {
        let strings: Vec<_> = texts.iter().map(|text| generator.draft.string(text)).collect();
        let run = generator.draft.list(strings);
        Texts(generator.draft.constant(pack_run(run)))
    },
    Comparison: |comparison, _| Comparison(*comparison),
    JsonScalar: |value, generator| JsonScalar(generator.draft.string(value)),
    SecretPlace: |place, generator| {
        let name = place.param.as_deref();
        if let Some(name) = name {
            generator.param(name);
        }
        SecretPlace {
            place: place.place,
            param: generator.draft.string(name.unwrap_or_default()),
        }
    },
    Paths: |paths, generator| {
        Paths { kinds: paths.kinds, globs: path_lists(&mut generator.draft, paths) }
    },
    Branches: |branches, generator| {
        let run = generator.draft.list(branches.names.to_vec());
        Branches {
            is_default: branches.is_default,
            names: generator.draft.constant(pack_run(run)),
        }
    },
    Shapes: |shapes, generator| Shapes(command::shapes(&mut generator.draft, shapes)),
}

/// Indexes beyond 65,535 are reported before the image is used.
fn narrow(index: u32) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}
