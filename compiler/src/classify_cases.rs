//! Messages with what a classifier is expected to make of them: files to try vocabularies with. Asks nothing.

use crate::decode::{Decode, Reports, Spanned, record};
use crate::diagnostic::Diagnostic;
use crate::provider::{ReadError, SourceProvider};
use crate::source::{FileId, SourceMap};
use crate::syntax::{Format, Kind, decode_utf8, parse};

record! {
    /// Messages to try a classifier with.
    CasesFile, "a file of cases" {
        /// The messages.
        #[required(true)]
        cases: Vec<Spanned<ClassifyCase>>,
    }

    /// A message, and what is expected of it. What is left out may be anything.
    ClassifyCase, "a case" {
        /// What the user says.
        #[required(true)]
        message: Spanned<Box<str>>,
        /// The complexity, by its name.
        complexity: Spanned<Box<str>>,
        /// The approach, by its name.
        approach: Spanned<Box<str>>,
        /// The risk, by its name.
        risk: Spanned<Box<str>>,
    }
}

/// A file of cases that was read.
#[derive(Debug, Default)]
pub struct Cases {
    /// The cases, in their order.
    pub cases: Vec<ClassifyCase>,
    /// What is wrong with the file.
    pub diagnostics: Vec<Diagnostic>,
    /// The file.
    pub sources: SourceMap,
}

/// Reads a file of cases, in YAML or JSON.
///
/// # Errors
/// When the provider cannot read it.
pub fn read(provider: &dyn SourceProvider, name: &str) -> Result<Cases, ReadError> {
    let mut read = Cases::default();
    let bytes = provider.read(name)?;
    let text = match decode_utf8(FileId(0), name, &bytes) {
        Ok(text) => text,
        Err(undecodable) => {
            read.sources.add(name, undecodable.text);
            read.diagnostics.push(undecodable.diagnostic);
            return Ok(read);
        }
    };
    let format = if name.ends_with(".json") { Format::Json } else { Format::Yaml };
    let parsed = parse(FileId(0), &text, format);
    read.sources.add(name, text);
    let mut reports = Reports { diagnostics: parsed.diagnostics };
    if parsed.root.kind != Kind::Broken {
        let file = CasesFile::decode(&parsed.root, &mut reports).unwrap_or_default();
        let cases = file.cases.unwrap_or_default().into_iter();
        read.cases = cases.map(|case| case.value).collect();
    }
    read.diagnostics = reports.diagnostics;
    Ok(read)
}
