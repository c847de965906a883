//! The lists of command shapes that conditions ask for, as they lie in an image.

use crate::format::{Run, Section};
use crate::image::View;
use crate::pages::PAGE;
use crate::runs::unpack_run;

/// Bits of [`crate::format::ShapeRecord::traits`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits;

impl Traits {
    /// Nothing may follow that the shape does not name.
    pub const EXACT: u32 = 1;
    /// It cannot be known what runs.
    pub const OPAQUE: u32 = 1 << 1;
    /// It runs in a loop.
    pub const IN_LOOP: u32 = 1 << 2;
    /// It runs itself in a pipe or in the background.
    pub const CALLS_ITSELF: u32 = 1 << 3;
    /// Some operand is not known.
    pub const UNKNOWN_OPERAND: u32 = 1 << 4;
    /// It has operands only as the shape says, even if that is none.
    pub const OPERANDS: u32 = 1 << 5;
    /// What it is given is read as statements of SQL.
    pub const STATEMENTS: u32 = 1 << 6;
    /// Some operand is a pattern for names of files.
    pub const PATTERN_OPERAND: u32 = 1 << 7;
    /// It belongs to a class: a command with words that nobody knows is not taken for one of it.
    pub const OF_CLASS: u32 = 1 << 8;
    /// Adding to a file is not writing it.
    pub const OVERWRITES: u32 = 1 << 9;
    /// The line may end well although it fails.
    pub const STATUS_LOST: u32 = 1 << 10;
    /// All bits that mean something.
    pub const ALL: u32 = (1 << 11) - 1;
}

/// The shapes of a condition by the programs that they name. Its run of the lists table is: how many
/// shapes name none, those, then for each program and each shape of it a [`NamedShape`], sorted.
#[derive(Clone, Copy, Debug)]
pub struct ShapeRun<'a> {
    view: View<'a>,
    unnamed: Run,
    /// The items of those that name a program.
    named: Run,
}

impl<'a> ShapeRun<'a> {
    /// The shapes that a constant describes.
    #[must_use]
    pub fn of(view: View<'a>, constant: u32) -> Self {
        let Run { start, len } = unpack_run(view.row(Section::Constants, constant));
        let count: u32 = if len == 0 { 0 } else { view.row(Section::Lists, start) };
        let unnamed = Run { start: start.saturating_add(1), len: count };
        let named = Run {
            start: unnamed.start.saturating_add(count),
            len: len.saturating_sub(1).saturating_sub(count),
        };
        Self { view, unnamed, named }
    }

    /// Whether the parts fill the run that they were read from.
    #[must_use]
    pub fn fits(self, run: Run) -> bool {
        let (unnamed, named) = (u64::from(self.unnamed.len), u64::from(self.named.len));
        let is_whole = self.named.len.is_multiple_of(NamedShape::ITEMS);
        run.len == 0 || is_whole && u64::from(run.len) == 1 + unnamed + named
    }

    /// All of them; one that names several programs comes several times.
    pub fn all(self) -> impl Iterator<Item = u32> + use<'a> {
        self.unnamed().chain(self.named().map(|named| named.shape))
    }

    /// Those that name a program.
    pub fn named(self) -> impl Iterator<Item = NamedShape> + use<'a> {
        self.view.items(self.named).as_chunks().0.iter().map(NamedShape::read)
    }

    /// Those that name none.
    pub fn unnamed(self) -> impl Iterator<Item = u32> + use<'a> {
        self.view.list(self.unnamed.start, self.unnamed.len)
    }

    /// Those that name this program: a string. They stand in the order of their programs, and of a long run no more is
    /// looked at than it takes to find them.
    #[must_use]
    pub fn of_program(self, name: u32) -> &'a [[u8; NamedShape::SIZE]] {
        let behind = match self.named.len <= FEW_ITEMS {
            true => {
                let all = self.rows_from(0, u32::MAX);
                let is_before = |row: &[u8; NamedShape::SIZE]| NamedShape::read(row).program < name;
                all.get(all.partition_point(is_before)..).unwrap_or_default()
            }
            false => self.behind(name),
        };
        let is_other = |row: &[u8; NamedShape::SIZE]| NamedShape::read(row).program != name;
        let len = behind.iter().position(is_other).unwrap_or(behind.len());
        behind.get(..len).unwrap_or_default()
    }

    /// Rows from the first that names this program, or one that comes after it: all that name it, and perhaps more.
    #[inline(never)]
    fn behind(self, name: u32) -> &'a [[u8; NamedShape::SIZE]] {
        let (mut low, mut high) = (0, self.named.len / NamedShape::ITEMS);
        while low < high {
            let middle = low + (high - low) / 2;
            let at = self.named.start.saturating_add(middle * NamedShape::ITEMS);
            match self.view.row::<u32>(Section::Lists, at) < name {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let few = self.rows_from(low, FEW_ITEMS);
        let goes_on = few.last().is_some_and(|row| NamedShape::read(row).program == name);
        if goes_on { self.rows_from(low, u32::MAX) } else { few }
    }

    /// The rows from one on, as far as they take no more than so many items.
    fn rows_from(self, row: u32, items: u32) -> &'a [[u8; NamedShape::SIZE]] {
        let before = row.saturating_mul(NamedShape::ITEMS);
        let start = self.named.start.saturating_add(before);
        let len = self.named.len.saturating_sub(before).min(items);
        self.view.items(Run { start, len }).as_chunks().0
    }
}

/// As many items as a page of an image holds, which is read at once.
const FEW_ITEMS: u32 = (PAGE / size_of::<u32>()) as u32 / NamedShape::ITEMS * NamedShape::ITEMS;

/// A shape under one of the programs that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NamedShape {
    /// The program's name: a string.
    pub program: u32,
    /// The hash of what the first operand must be, or [`NamedShape::ANY`].
    pub first: u32,
    /// The shape.
    pub shape: u32,
}

impl NamedShape {
    /// How many items of the lists table it takes.
    pub const ITEMS: u32 = 3;
    /// How many bytes of it that is.
    pub const SIZE: usize = Self::ITEMS as usize * 4;
    /// The first operand may be any, or there may be none.
    pub const ANY: u32 = 0;

    /// A hash of a first operand, never [`NamedShape::ANY`].
    #[must_use]
    pub fn hash(operand: &str) -> u32 {
        crate::names::hash(operand).max(Self::ANY + 1)
    }

    /// From the items.
    #[must_use]
    pub fn from_items([program, first, shape]: [u32; Self::ITEMS as usize]) -> Self {
        Self { program, first, shape }
    }

    /// From its bytes.
    #[inline(always)]
    #[must_use]
    pub fn read(bytes: &[u8; Self::SIZE]) -> Self {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = *bytes;
        Self {
            program: u32::from_le_bytes([a, b, c, d]),
            first: u32::from_le_bytes([e, f, g, h]),
            shape: u32::from_le_bytes([i, j, k, l]),
        }
    }

    /// The items.
    #[must_use]
    pub fn items(self) -> [u32; Self::ITEMS as usize] {
        [self.program, self.first, self.shape]
    }
}
