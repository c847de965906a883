//! The questions that verifying tables asks again and again: whether a string, a row or a run is there.

use std::cell::Cell;

use crate::error::{ImageError, damaged};
use crate::format::*;
use crate::image::{Image, View};
use crate::runs::unpack_run;
use crate::shapes::ShapeRun;

/// Holds the tables of an image against each other.
pub struct Verifier<'a> {
    pub(crate) image: &'a Image,
    pub(crate) view: View<'a>,
    /// How many strings there are.
    pub(crate) strings: u32,
    /// How many rows of runs may still be looked at: as many as the image has bytes. What a compiler
    /// writes shares no runs and needs a fourth of it at most; runs that all overlap would take
    /// quadratic time here, and memory when they are used.
    looks: Cell<usize>,
}

impl<'a> Verifier<'a> {
    pub(crate) fn new(image: &'a Image) -> Self {
        // The index has one boundary more.
        let strings = image.rows::<u32>(Section::StringIndex).saturating_sub(1);
        Self { image, view: image.view(), strings, looks: Cell::new(image.bytes.len()) }
    }

    #[inline]
    pub(crate) fn string(&self, section: Section, id: u32) -> Result<(), ImageError> {
        if id < self.strings { Ok(()) } else { Err(damaged(section, "a string is missing")) }
    }

    pub(crate) fn optional_string(&self, section: Section, id: u32) -> Result<(), ImageError> {
        if id == NONE { Ok(()) } else { self.string(section, id) }
    }

    pub(crate) fn run_of<R: Record>(
        &self,
        section: Section,
        start: u32,
        len: u32,
        target: Section,
    ) -> Result<(), ImageError> {
        let end = start.checked_add(len);
        if end.is_some_and(|end| end <= self.image.rows::<R>(target)) {
            Ok(())
        } else {
            Err(damaged(section, "a run points outside its table"))
        }
    }

    /// Accounts for so many rows or bytes that a run makes somebody read.
    pub(crate) fn look_at(&self, section: Section, rows: u32) -> Result<(), ImageError> {
        let left = self.looks.get().checked_sub(rows as usize);
        self.looks.set(left.ok_or(damaged(section, "too many of its runs overlap"))?);
        Ok(())
    }

    pub(crate) fn list_below(
        &self,
        section: Section,
        start: u32,
        len: u32,
        limit: u32,
    ) -> Result<(), ImageError> {
        self.run_of::<u32>(section, start, len, Section::Lists)?;
        self.look_at(section, len)?;
        if self.view.list(start, len).all(|item| item < limit) {
            Ok(())
        } else {
            Err(damaged(section, "a list points outside its table"))
        }
    }

    pub(crate) fn index<R: Record>(
        &self,
        section: Section,
        index: u32,
        of: Section,
    ) -> Result<(), ImageError> {
        self.run_of::<R>(section, index, 1, of)
    }

    pub(crate) fn each<R: Record>(
        &self,
        section: Section,
        check: impl Fn(&Self, R) -> Result<(), ImageError>,
    ) -> Result<(), ImageError> {
        // The whole section is at hand, so that nothing has to be looked for row by row.
        self.image
            .section(section)
            .chunks_exact(R::SIZE)
            .try_for_each(|row| check(self, R::read(row)))
    }

    pub(crate) fn optional_pattern(
        &self,
        section: Section,
        pattern: u32,
    ) -> Result<(), ImageError> {
        if pattern == NONE {
            return Ok(());
        }
        self.index::<PatternRecord>(section, pattern, Section::Patterns)
    }

    /// The list of shapes that a constant describes.
    pub(crate) fn shape_list(&self, section: Section, constant: u32) -> Result<(), ImageError> {
        self.index::<u64>(section, constant, Section::Constants)?;
        let run = unpack_run(self.view.row(Section::Constants, constant));
        let shapes = self.image.rows::<ShapeRecord>(Section::Shapes);
        self.run_of::<u32>(section, run.start, run.len, Section::Lists)?;
        self.look_at(section, run.len)?;
        let shapes_run = ShapeRun::of(self.view, constant);
        let fits = shapes_run.fits(run)
            && shapes_run.all().all(|shape| shape < shapes)
            && shapes_run.named().all(|named| named.program < self.strings);
        if fits { Ok(()) } else { Err(damaged(section, "a list of command shapes is damaged")) }
    }

    /// The list of strings that a constant describes.
    pub(crate) fn text_list(&self, section: Section, constant: u32) -> Result<(), ImageError> {
        self.index::<u64>(section, constant, Section::Constants)?;
        let run = unpack_run(self.view.row(Section::Constants, constant));
        self.list_below(section, run.start, run.len, self.strings)
    }

    /// The list of patterns that a constant describes.
    pub(crate) fn pattern_list(&self, section: Section, constant: u32) -> Result<(), ImageError> {
        self.index::<u64>(section, constant, Section::Constants)?;
        let run = unpack_run(self.view.row(Section::Constants, constant));
        let patterns = self.image.rows::<PatternRecord>(Section::Patterns);
        self.list_below(section, run.start, run.len, patterns)
    }

    /// The list of sets that a constant describes.
    pub(crate) fn set_list(&self, section: Section, constant: u32) -> Result<(), ImageError> {
        self.index::<u64>(section, constant, Section::Constants)?;
        let run = unpack_run(self.view.row(Section::Constants, constant));
        let sets = self.image.rows::<SetRecord>(Section::Sets);
        self.list_below(section, run.start, run.len, sets)
    }
}
