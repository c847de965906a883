//! What all sessions share: the program, and what is known of files, documents and programs.

use std::cell::RefCell;
use std::collections::BTreeSet;

use behavior_compiler::codegen::generate;
use behavior_compiler::ir::Program;
use behavior_compiler::source::SourceMap;
use behavior_runtime::Image;
use regex::{Regex, RegexBuilder};

use super::files::Files;
use super::truth::Truth;
use crate::documents::Documents;

/// What all sessions share.
#[derive(Debug)]
pub struct World<'p> {
    pub program: &'p Program,
    regexes: Vec<Regex>,
    /// An image that holds what is known of programs, and nothing else.
    pub programs: Image,
    pub files: Files,
    pub documents: Documents,
    /// The kinds of tests that were made, with what came of them.
    pub reached: RefCell<BTreeSet<(String, Truth)>>,
}

impl<'p> World<'p> {
    /// Nothing is known but the program.
    pub fn new(program: &'p Program) -> Self {
        let compile = |regex: &str| {
            let built = RegexBuilder::new(regex).size_limit(1 << 26).build();
            built.unwrap_or_else(|error| panic!("{regex}: {error}"))
        };
        let regexes = program.patterns.iter().map(|pattern| compile(&pattern.regex)).collect();
        let programs = Program { programs: program.programs.clone(), ..Program::default() };
        let programs = generate(&programs, &SourceMap::default(), None).expect("it is small");
        let programs = Image::from_bytes(programs).expect("what is generated verifies");
        Self {
            program,
            regexes,
            programs,
            files: Files::default(),
            documents: Documents::default(),
            reached: RefCell::default(),
        }
    }

    /// Whether a pattern of the program matches a text.
    pub fn matches(&self, pattern: u32, text: &str) -> bool {
        self.regexes[pattern as usize].is_match(text)
    }
}
