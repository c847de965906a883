//! Problems of one or more compilations as they are printed together: how many, which of them, in what order.

pub use behavior_compiler::problem::{Fix, Place, Problem, problems, problems_in, sort};
use behavior_compiler::{Compilation, Severity};

/// More problems of one file than this are counted and not shown.
const MAX_OF_A_FILE: usize = 1000;

/// Problems of a file that are counted and not shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hidden<'r> {
    /// The file's name.
    pub file: &'r str,
    /// How many there are.
    pub count: usize,
}

/// Problems and the files that were looked at.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The problems, by file and offset.
    pub problems: Vec<Problem>,
    /// How many files were looked at.
    pub files: usize,
}

/// How many problems there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Everything else.
    pub infos: usize,
}

impl Report {
    /// The report of one compilation.
    #[must_use]
    pub fn of(compilation: &Compilation) -> Self {
        let mut report = Report { problems: problems(compilation), files: 0 };
        report.files = compilation
            .documents
            .iter()
            .filter_map(|document| compilation.sources.get(document.file))
            .filter(|source| !source.name.starts_with("builtin:"))
            .count();
        report.sort();
        report
    }

    /// Puts the problems in order: file, then offset; each once.
    pub fn sort(&mut self) {
        sort(&mut self.problems);
    }

    /// The problems to show where there may be very many of them: of each file the worst ones, in
    /// their order, and how many others there are. Who has that many mends the first ones first.
    #[must_use]
    pub fn shown(&self) -> (Vec<&Problem>, Vec<Hidden<'_>>) {
        let mut shown = Vec::new();
        let mut hidden = Vec::new();
        // The problems of a file follow each other.
        let same_file = |a: &Problem, b: &Problem| a.place.source.name == b.place.source.name;
        for of_file in self.problems.chunk_by(same_file) {
            let mut chosen: Vec<(usize, &Problem)> = of_file.iter().enumerate().collect();
            if let (Some(count), Some(first)) = (
                of_file.len().checked_sub(MAX_OF_A_FILE).filter(|count| *count > 0),
                of_file.first(),
            ) {
                // The sort is stable: among equally bad ones, the first stay.
                chosen.sort_by_key(|(_, problem)| std::cmp::Reverse(problem.severity));
                chosen.truncate(MAX_OF_A_FILE);
                chosen.sort_by_key(|(at, _)| *at);
                hidden.push(Hidden { file: &first.place.source.name, count });
            }
            shown.extend(chosen.into_iter().map(|(_, problem)| problem));
        }
        (shown, hidden)
    }

    /// Whether a problem is a mistake of ours.
    #[must_use]
    pub fn has_internal(&self) -> bool {
        self.problems.iter().any(|problem| problem.name == "internal")
    }

    /// How many problems of each level.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for problem in &self.problems {
            *match problem.severity {
                Severity::Error => &mut counts.errors,
                Severity::Warning => &mut counts.warnings,
                Severity::Info => &mut counts.infos,
            } += 1;
        }
        counts
    }

    /// One line that sums it up: `2 errors, 1 warning in 1 file`.
    #[must_use]
    pub fn summary(&self) -> String {
        let counts = self.counts();
        let parts: Vec<String> =
            [(counts.errors, "error"), (counts.warnings, "warning"), (counts.infos, "info")]
                .into_iter()
                .filter(|(count, _)| *count > 0)
                .map(|(count, name)| counted(count, name))
                .collect();
        let found = if parts.is_empty() { "no problems".to_owned() } else { parts.join(", ") };
        match self.files {
            0 => found,
            files => format!("{found} in {}", counted(files, "file")),
        }
    }
}

/// `1 file`, `2 files`.
#[must_use]
pub fn counted(count: usize, name: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {name}{ending}")
}
