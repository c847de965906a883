//! The workflows that events of a test are about: those of the project that its file is in.

use std::sync::Arc;

use behavior_compiler::provider::SourceProvider;
use behavior_compiler::rule_test::{folder_of, join};
use behavior_compiler::workflow::{Origin, TemplateSource, compile, is_template_file};
use behavior_runtime::replay::FindWorkflows;

/// The folder of templates, from the root of a project.
const FOLDER: &str = "templates/workflows";

/// Finds the workflows near a test file: in its folder, else in the nearest above that has some.
pub(crate) fn near(provider: &dyn SourceProvider, test_file: &str) -> FindWorkflows {
    let mut folder = folder_of(test_file);
    loop {
        let templates = in_folder(provider, &join(folder, FOLDER));
        if !templates.is_empty() {
            let agents = [join(folder, "behavior/agents.yaml")];
            let image = compile(provider, &templates, &agents).image.map(Arc::new);
            return Box::new(move || image.clone());
        }
        if folder.is_empty() || folder == "/" {
            return Box::new(|| None);
        }
        folder = folder_of(folder);
    }
}

fn in_folder(provider: &dyn SourceProvider, folder: &str) -> Vec<TemplateSource> {
    let paths = provider.list(folder).into_iter().map(|name| join(folder, &name));
    let templates = paths.filter(|path| is_template_file(path));
    templates.map(|file| TemplateSource { file, origin: Origin::Project }).collect()
}
