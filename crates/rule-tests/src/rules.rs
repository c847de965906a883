//! The rules that a test is about, compiled once for all tests that say the same.

use std::sync::Arc;

use behavior_compiler::asked::{Asked, Noting};
use behavior_compiler::provider::SourceProvider;
use behavior_compiler::rule_test::{InTest, Origin};
use behavior_compiler::{Compilation, Options, compile_all};
use behavior_runtime::Layers;

/// Compiled rules.
#[derive(Debug)]
pub struct Rules {
    /// The rules.
    pub layers: Arc<Layers>,
    /// How they were compiled.
    pub compilation: Compilation,
    /// The files that this depends on.
    pub asked: Vec<Asked>,
}

/// Why there are no rules to test.
#[derive(Debug)]
pub enum NoRules {
    /// They have errors.
    Broken(Box<Compilation>),
    /// There are none, for this reason.
    Missing(String),
}

/// What tells rules apart.
pub(crate) type Key = (String, String);

/// Compiles the rules. Many tests are run under them in this very process, which makes no use of automata.
pub(crate) fn compile(origin: &Origin, provider: &dyn SourceProvider) -> Result<Rules, NoRules> {
    let provider = &Noting::new(provider);
    let mut compilation = match origin {
        Origin::Files { entries, named, options } => {
            for (entry, path) in entries.iter().zip(named) {
                if let Err(error) = provider.read(entry) {
                    return Err(NoRules::Missing(format!("cannot read `{path}`: {error}")));
                }
            }
            let options = Options { without_automata: true, ..Options::clone(options) };
            compile_all(provider, entries, &options)
        }
        Origin::Inline(inline) => {
            let provider = InTest { below: provider, inline };
            let options = Options { without_automata: true, ..Options::default() };
            compile_all(&provider, std::slice::from_ref(&inline.name), &options)
        }
    };
    match compilation.image.take() {
        Some(image) => {
            let layers = Arc::new(Layers::from(Arc::new(image)));
            Ok(Rules { layers, compilation, asked: provider.take() })
        }
        None => Err(NoRules::Broken(Box::new(compilation))),
    }
}
