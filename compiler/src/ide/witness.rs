//! What happens in a session that shows a problem, kept: as a test that says what was meant, and as a recording.

use super::action::{Action, ActionKind};
use super::{Project, RuleFile};
use crate::diagnostic::{Wanted, Witness};
use crate::problem::Problem;
use crate::witness::{as_session, as_test, show};

/// The files that what shows a problem can be kept in.
pub(super) fn shown(project: Project<'_>, file: &RuleFile, problem: &Problem) -> Vec<Action> {
    let mut problem = problem.clone();
    show(project.provider, std::slice::from_mut(&mut problem));
    let Some(witness) = &problem.witness else { return Vec::new() };
    let name = file.name();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let (test, session) = titles(witness);
    let files = [
        (test, free(project, stem, "test.yaml"), as_test(file.name(), witness)),
        (session, free(project, stem, "session.jsonl"), as_session(witness)),
    ];
    let action = |(title, path, text): (String, Option<String>, String)| {
        let action = Action::new(title, ActionKind::Fix, Vec::new());
        Some(Action { creates: vec![(path?, text)], ..action })
    };
    files.into_iter().filter_map(action).collect()
}

fn titles(witness: &Witness) -> (String, String) {
    let Witness { spelled, wanted, .. } = witness;
    let expected = match wanted {
        Wanted::Permission(action) => {
            let test = format!("write a test that expects `{}` for `{spelled}`", action.name());
            return (test, format!("write a session that makes the call `{spelled}`"));
        }
        Wanted::Fires { rule } => format!("`{rule}` to fire on"),
        Wanted::Says { rule, .. } => format!("`{rule}` to say what it should on"),
        Wanted::Passes { rule, .. } => format!("`{rule}` to let pass"),
    };
    let test = format!("write a test that expects {expected} `{spelled}`");
    (test, format!("write a session that shows it on `{spelled}`"))
}

/// A name that no file has yet; none where all that are tried are taken.
fn free(project: Project<'_>, stem: &str, ending: &str) -> Option<String> {
    let mut names = (1..100).map(|number| match number {
        1 => format!("{stem}.{ending}"),
        number => format!("{stem}-{number}.{ending}"),
    });
    names.find(|name| project.provider.read(name).is_err())
}
