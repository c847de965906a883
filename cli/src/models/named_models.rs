//! Which models rules would have asked, as far as their sources say: for those who check them.

use behavior_compiler::Options;
use behavior_compiler::ir::Program;
use behavior_runtime::Layer;
use behavior_runtime::brain::Brains;
use behavior_runtime::model::Purpose;

use super::{Wish, choose_among, user_settings};
use crate::project;

/// What the layers say of models, the most trusted first.
#[derive(Default)]
pub struct NamedModels {
    layers: Vec<Said>,
}

/// Returns whether the user's settings, or rules that are trusted more than a project's, name a model that a project
/// can leave the choice to.
#[must_use]
pub fn has_default_brain() -> bool {
    if user_settings().default_brain.is_some() {
        return true;
    }
    let mut named = NamedModels::default();
    for files in project::administrators().into_iter().chain(project::users()) {
        let options = Options { only_problems: true, skip_comparisons: true, ..Options::default() };
        let compilation = behavior_compiler::check(&project::provider(), &files.entries, &options);
        named.note(files.layer, &compilation.program);
    }
    named.names_a_brain()
}

struct Said {
    layer: Layer,
    brains: Brains,
    classifies: bool,
    verifies: bool,
}

impl NamedModels {
    /// Takes what a layer says.
    pub fn note(&mut self, layer: Layer, program: &Program) {
        self.layers.push(Said {
            layer,
            brains: program.brains.clone(),
            classifies: program.classifier.as_ref().is_some_and(|table| table.enabled),
            verifies: program.verifier.as_ref().is_some_and(|verifier| verifier.is_on()),
        });
        self.layers.sort_by_key(|said| said.layer);
    }

    /// Returns whether some layer names a model that turns may be classified by.
    #[must_use]
    pub fn names_a_brain(&self) -> bool {
        self.layers.iter().any(|said| {
            let Brains { classifier, general, coordinator, .. } = &said.brains;
            [classifier, general, coordinator].into_iter().any(Option::is_some)
        })
    }

    /// Says for people which model is asked for what, as far as something is asked.
    #[must_use]
    pub fn in_words(&self) -> Vec<String> {
        let turns = ["turns are classified", "turns are not classified"];
        let answers = ["answers are verified", "answers are not verified"];
        let classified = self.asked(turns, Purpose::Classify, |said| said.classifies);
        let verified = self.asked(answers, Purpose::Verify, |said| said.verifies);
        classified.into_iter().chain(verified).collect()
    }

    fn asked(
        &self,
        [what, what_not]: [&str; 2],
        purpose: Purpose,
        is_asking: impl Fn(&Said) -> bool,
    ) -> Option<String> {
        if !self.layers.iter().any(&is_asking) {
            return None;
        }
        let wish = |said: &Said| Wish {
            brains: Some(said.brains.clone()),
            takes_others: said.brains.use_agent_brain,
            is_asking: is_asking(said),
        };
        let chosen = choose_among(self.layers.iter().map(wish).collect(), purpose)?;
        let (name, source) = (chosen.brain.name(), chosen.source.describe());
        Some(match chosen.brain.trouble() {
            None => format!("{what} by {name} ({source})"),
            Some(trouble) => format!("{what_not}: {name} ({source}) {}", trouble.describe()),
        })
    }
}
