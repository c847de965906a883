//! Rules compiled as they stand in the editor, for whoever runs them there.

use std::sync::Arc;

use behavior_runtime::Image;

use crate::SourceProvider;
use crate::project::{Entry, read_by};
use crate::resolve::Options;

/// Rules that can be run.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The rules.
    pub image: Arc<Image>,
    /// How many tests the condition of each rule has, in the order of the image.
    pub tests: Vec<usize>,
    /// The names of the rule files that took part, those of the standard library among them.
    pub files: Vec<String>,
}

/// Compiles an entry; `None` where it has errors.
#[must_use]
pub fn compiled(provider: &dyn SourceProvider, entry: &Entry) -> Option<Compiled> {
    let options = Options { skip_comparisons: true, ..entry.options(&Options::default()) };
    let mut compilation = crate::compile_all(provider, &entry.paths, &options);
    let image = Arc::new(compilation.image.take()?);
    let tests = compilation.program.rules.iter().map(|rule| rule.condition.tests()).collect();
    let files = read_by(&compilation).map(str::to_owned).collect();
    Some(Compiled { image, tests, files })
}
