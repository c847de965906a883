//! The kinds of operands that operations have. Each has one place in an instruction, or two, and is
//! read, written, verified and printed in one way, whatever the operation.

use crate::code::{self, EventPart};
use crate::error::{ImageError, damaged};
use crate::format::{Instruction, NONE, PatternRecord, Section, SetRecord, ShapeRecord};
use crate::image::View;
use crate::runs::unpack_run;
use crate::verifier::Verifier;

/// A kind of operand.
pub trait Operand: Copy {
    /// Reads it; `None` where its number means nothing.
    fn read(instruction: &Instruction) -> Option<Self>;

    /// Puts it into an instruction.
    fn write(self, instruction: &mut Instruction);

    /// Holds it against the tables that it points into.
    ///
    /// # Errors
    /// When what it names is not there.
    fn verify(self, verifier: &Verifier<'_>) -> Result<(), ImageError>;

    /// Prints it for people.
    fn print(self, view: View<'_>) -> String;
}

/// Declares kinds that are one number of an instruction.
macro_rules! operands {
    ($(
        $(#[doc = $docs:literal])+
        $name:ident($type:ty) in $field:ident,
        verify: |$verified:pat_param, $verifier:pat_param| $verify:expr,
        print: |$printed:pat_param, $view:pat_param| $print:expr;
    )*) => {$(
        $(#[doc = $docs])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub $type);

        impl Operand for $name {
            #[inline(always)]
            fn read(instruction: &Instruction) -> Option<Self> {
                Some(Self(instruction.$field))
            }

            fn write(self, instruction: &mut Instruction) {
                instruction.$field = self.0;
            }

            fn verify(self, $verifier: &Verifier<'_>) -> Result<(), ImageError> {
                let $verified = self.0;
                $verify
            }

            fn print(self, $view: View<'_>) -> String {
                let $printed = self.0;
                $print
            }
        }
    )*};
}

operands! {
    /// The index of a set.
    Set(u32) in c,
    verify: |set, verifier| verifier.index::<SetRecord>(Section::Code, set, Section::Sets),
    print: |set, view| view.string(view.row::<SetRecord>(Section::Sets, set).name).to_owned();

    /// The index of a counter.
    Counter(u16) in b,
    verify: |counter, verifier| {
        verifier.index::<u32>(Section::Code, counter.into(), Section::Counters)
    },
    print: |counter, view| view.string(view.row(Section::Counters, counter.into())).to_owned();

    /// The index of a flag.
    Flag(u32) in c,
    verify: |flag, verifier| verifier.index::<u32>(Section::Code, flag, Section::Flags),
    print: |flag, view| view.string(view.row(Section::Flags, flag)).to_owned();

    /// The index of a parameter's name.
    Param(u16) in b,
    verify: |param, verifier| verifier.index::<u32>(Section::Code, param.into(), Section::Params),
    print: |param, view| view.string(view.row(Section::Params, param.into())).to_owned();

    /// The index of a pattern: a regular expression, or a literal.
    Pattern(u32) in c,
    verify: |pattern, verifier| {
        verifier.index::<PatternRecord>(Section::Code, pattern, Section::Patterns)
    },
    print: |pattern, view| format!("/{}/", view.pattern_source(pattern));

    /// The index of a pattern for paths.
    Glob(u32) in c,
    verify: |glob, verifier| Pattern(glob).verify(verifier),
    print: |glob, view| Pattern(glob).print(view);

    /// A small number, 0 or more.
    Count(u32) in c,
    verify: |_, _| Ok(()),
    print: |count, _| count.to_string();

    /// The index of a constant that is a whole number.
    Integer(u32) in c,
    verify: |constant, verifier| {
        verifier.index::<u64>(Section::Code, constant, Section::Constants)
    },
    print: |constant, view| (view.row::<u64>(Section::Constants, constant) as i64).to_string();

    /// The index of a constant that describes a list of strings: start and length.
    Texts(u32) in c,
    verify: |constant, verifier| verifier.text_list(Section::Code, constant),
    print: |constant, view| {
        let run = unpack_run(view.row(Section::Constants, constant));
        let items = view.list(run.start, run.len).map(|item| format!("{:?}", view.string(item)));
        items.collect::<Vec<_>>().join(" ")
    };

    /// A string that is a JSON scalar.
    JsonScalar(u32) in c,
    verify: |string, verifier| verifier.string(Section::Code, string),
    print: |string, view| view.string(string).to_owned();

    /// The index of a constant that describes a list of command shapes: start and length.
    Shapes(u32) in c,
    verify: |constant, verifier| verifier.shape_list(Section::Code, constant),
    print: |_, _| String::new();
}

/// Paths that a file may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paths {
    /// Bits of [`code::PathKind`].
    pub kinds: u16,
    /// The index of seven constants. Three describe lists: patterns that the path of a file may match, those that
    /// match the directories in which such files lie, and sets that it may be in. The others say the same of paths
    /// that are left out: bits of kinds, and three lists.
    pub globs: u32,
}

impl Paths {
    /// The constant that lists the patterns of directories.
    #[must_use]
    pub fn folders(self) -> u32 {
        self.globs.saturating_add(1)
    }

    /// The constant that lists the sets.
    #[must_use]
    pub fn sets(self) -> u32 {
        self.globs.saturating_add(2)
    }

    /// Those that are left out, of which none are left out again; `None` where there are none.
    #[must_use]
    pub fn left_out(self, view: View<'_>) -> Option<Self> {
        let kinds = view.row::<u64>(Section::Constants, self.globs.saturating_add(3)) as u16;
        let left_out = Self { kinds, globs: self.globs.saturating_add(4) };
        let is_empty = |constant: u32| unpack_run(view.row(Section::Constants, constant)).len == 0;
        let is_none = kinds == 0 && is_empty(left_out.globs) && is_empty(left_out.sets());
        (!is_none).then_some(left_out)
    }

    /// Those of which a shape is not about; `None` where it is about all.
    #[must_use]
    pub fn spared_by(shape: &ShapeRecord) -> Option<Self> {
        (shape.spares != NONE)
            .then_some(Self { kinds: shape.spares_kinds as u16, globs: shape.spares })
    }

    pub(crate) fn verify_in(
        self,
        section: Section,
        verifier: &Verifier<'_>,
    ) -> Result<(), ImageError> {
        if self.globs > u32::MAX - 6 {
            return Err(damaged(section, "paths are of no kind"));
        }
        verifier.index::<u64>(section, self.globs + 3, Section::Constants)?;
        let kinds: u64 = verifier.view.row(Section::Constants, self.globs + 3);
        let all = u64::from(self.kinds) | kinds;
        if all & !u64::from(code::PathKind::BITS) != 0 {
            return Err(damaged(section, "paths are of no kind"));
        }
        for paths in [self, Self { kinds: 0, globs: self.globs + 4 }] {
            verifier.pattern_list(section, paths.globs)?;
            verifier.pattern_list(section, paths.folders())?;
            verifier.set_list(section, paths.sets())?;
        }
        Ok(())
    }

    fn names(self, view: View<'_>) -> Vec<String> {
        let run = unpack_run(view.row(Section::Constants, self.globs));
        let globs = view.list(run.start, run.len).map(|glob| Glob(glob).print(view));
        let kinds = code::PathKind::ALL.iter().filter(|kind| kind.is_in(self.kinds));
        let run = unpack_run(view.row(Section::Constants, self.sets()));
        let sets = view.list(run.start, run.len).map(|set| Set(set).print(view));
        kinds.map(|kind| kind.name().to_owned()).chain(globs).chain(sets).collect()
    }
}

impl Operand for Paths {
    #[inline(always)]
    fn read(instruction: &Instruction) -> Option<Self> {
        Some(Self { kinds: instruction.b, globs: instruction.c })
    }

    fn write(self, instruction: &mut Instruction) {
        (instruction.b, instruction.c) = (self.kinds, self.globs);
    }

    fn verify(self, verifier: &Verifier<'_>) -> Result<(), ImageError> {
        self.verify_in(Section::Code, verifier)
    }

    fn print(self, view: View<'_>) -> String {
        let left_out = self.left_out(view).map(|paths| paths.names(view)).unwrap_or_default();
        let left_out = left_out.into_iter().map(|name| format!("not {name}"));
        self.names(view).into_iter().chain(left_out).collect::<Vec<_>>().join(" ")
    }
}

/// Branches of a repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branches {
    /// Whether the default branch is one of them.
    pub is_default: bool,
    /// The index of a constant that describes a list of patterns for names.
    pub names: u32,
}

impl Operand for Branches {
    #[inline(always)]
    fn read(instruction: &Instruction) -> Option<Self> {
        Some(Self { is_default: instruction.a != 0, names: instruction.c })
    }

    fn write(self, instruction: &mut Instruction) {
        (instruction.a, instruction.c) = (u8::from(self.is_default), self.names);
    }

    fn verify(self, verifier: &Verifier<'_>) -> Result<(), ImageError> {
        verifier.pattern_list(Section::Code, self.names)
    }

    fn print(self, view: View<'_>) -> String {
        let run = unpack_run(view.row(Section::Constants, self.names));
        let names = view.list(run.start, run.len).map(|name| Pattern(name).print(view));
        let default = self.is_default.then(|| "default".to_owned());
        default.into_iter().chain(names).collect::<Vec<_>>().join(" ")
    }
}

/// `true` or `false`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bool(pub bool);

impl Operand for Bool {
    #[inline(always)]
    fn read(instruction: &Instruction) -> Option<Self> {
        Some(Self(instruction.a != 0))
    }

    fn write(self, instruction: &mut Instruction) {
        instruction.a = u8::from(self.0);
    }

    fn verify(self, _: &Verifier<'_>) -> Result<(), ImageError> {
        Ok(())
    }

    fn print(self, _: View<'_>) -> String {
        self.0.to_string()
    }
}

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comparison(pub code::Comparison);

impl Operand for Comparison {
    #[inline(always)]
    fn read(instruction: &Instruction) -> Option<Self> {
        code::Comparison::from_number(instruction.a).map(Self)
    }

    fn write(self, instruction: &mut Instruction) {
        instruction.a = self.0 as u8;
    }

    fn verify(self, _: &Verifier<'_>) -> Result<(), ImageError> {
        Ok(())
    }

    fn print(self, _: View<'_>) -> String {
        self.0.name().to_owned()
    }
}

/// Where a secret is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SecretPlace {
    /// The place.
    pub place: EventPart,
    /// For one parameter, a string: its name.
    pub param: u32,
}

impl Operand for SecretPlace {
    #[inline(always)]
    fn read(instruction: &Instruction) -> Option<Self> {
        Some(Self { place: EventPart::from_number(instruction.a)?, param: instruction.c })
    }

    fn write(self, instruction: &mut Instruction) {
        (instruction.a, instruction.c) = (self.place as u8, self.param);
    }

    fn verify(self, verifier: &Verifier<'_>) -> Result<(), ImageError> {
        match self.place {
            EventPart::Param => verifier.string(Section::Code, self.param),
            EventPart::Params | EventPart::Result | EventPart::Text | EventPart::Anywhere => Ok(()),
        }
    }

    fn print(self, view: View<'_>) -> String {
        match self.place {
            EventPart::Param => format!("param {}", view.string(self.param)),
            place => place.name().to_owned(),
        }
    }
}
