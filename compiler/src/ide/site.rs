//! What is expected where a cursor is: the way from the root of a file in terms of the registry.

use super::RuleFile;
use super::nearby::cursor_at;
use super::place::{CursorPlace, Meaning, alternatives};
use crate::conditions::ConditionKind;
use crate::registry::schema::{Record, Shape};
use crate::resolve::FileKind;
use crate::syntax::Format;
use crate::syntax::cursor::{Cursor, Site, Step};

/// What the items are of a list that may begin where a key may: right below the key that it belongs to, which
/// has no value yet.
pub(super) fn list_above(
    file: &RuleFile,
    cursor: &Cursor,
    place: CursorPlace,
) -> Option<CursorPlace> {
    let before = file.text().get(..cursor.start)?;
    let (above, line) = before.rsplit_once('\n')?;
    let above = above.trim_end().rsplit('\n').next()?;
    let key = above.trim_start_matches(' ').strip_suffix(':')?;
    let is_beside = above.len() - above.trim_start_matches(' ').len() == line.len();
    let is_empty = line.trim().is_empty() && is_beside && file.format == Format::Yaml;
    place.key(key).filter(|_| is_empty).and_then(|(_, behind)| behind.item())
}

/// What is written of the condition at an offset, where that is an expression.
pub(super) fn condition_at(file: &RuleFile, offset: u32) -> Option<&str> {
    let cursor = cursor_at(file, offset as usize)?;
    let place = place_of(file, &cursor.path)?;
    let CursorPlace::Shape(shape) = place else { return None };
    let is_condition = alternatives(shape).iter().any(|it| matches!(it, Shape::Condition));
    let is_value = matches!(cursor.site, Site::Inline { .. });
    file.text().get(cursor.start..offset as usize).filter(|_| is_condition && is_value)
}

/// The condition in whose mapping a path ends, and the field of it that it leads to.
pub(super) fn condition_around<'p>(
    file: &RuleFile,
    path: &'p [Step],
) -> Option<(&'static ConditionKind, Option<&'p str>)> {
    let path = config_path(file, path)?;
    let mut place = CursorPlace::root(file.kind);
    let mut found = None;
    for step in path {
        place = match step {
            Step::Key(key) => {
                let (meaning, behind) = place.key(key)?;
                found = match (meaning, found) {
                    (Meaning::Condition(kind), _) => Some((kind, None)),
                    (Meaning::Field(..), Some((kind, None))) => Some((kind, Some(key.as_str()))),
                    _ => None,
                };
                behind
            }
            Step::Item => place.item()?,
        };
    }
    found
}

/// The record and the field that a path leads to, through items of lists.
pub(super) fn field_of(file: &RuleFile, path: &[Step]) -> Option<(&'static Record, &'static str)> {
    let path = config_path(file, path)?;
    let mut place = CursorPlace::root(file.kind);
    let mut last = None;
    for step in path {
        place = match step {
            Step::Key(key) => {
                let (meaning, behind) = place.key(key)?;
                last = match meaning {
                    Meaning::Field(record, field) => Some((record, field.name)),
                    _ => None,
                };
                behind
            }
            Step::Item => place.item()?,
        };
    }
    last
}

/// What is expected at the end of a path.
pub(super) fn place_of(file: &RuleFile, path: &[Step]) -> Option<CursorPlace> {
    let path = config_path(file, path)?;
    path.iter().try_fold(CursorPlace::root(file.kind), |place, step| match step {
        Step::Key(key) => place.key(key).map(|(_, place)| place),
        Step::Item => place.item(),
    })
}

/// The part of a path that is inside of the behaviour config.
fn config_path<'p>(file: &RuleFile, path: &'p [Step]) -> Option<&'p [Step]> {
    let is = |step: Option<&Step>, name: &str| matches!(step, Some(Step::Key(key)) if key == name);
    let at = (0..path.len())
        .find(|&at| is(path.get(at), "security") && is(path.get(at + 1), "behavior"));
    if let Some(at) = at {
        return path.get(at + 2..);
    }
    match file.kind {
        FileKind::AppConfig if is(path.first(), "behavior") => path.get(1..),
        FileKind::AppConfig => None,
        _ => Some(path),
    }
}

/// The field of a `runs` condition or of a class of commands that a path leads to, or `runs`, where that is a text.
pub(super) fn runs_field(path: &[Step]) -> Option<&str> {
    let mut keys = path.iter().rev().filter_map(|step| match step {
        Step::Key(key) => Some(key.as_str()),
        Step::Item => None,
    });
    let last = keys.next()?;
    let (above, over) = (keys.next(), keys.next());
    // The items of a class are commands.
    if above == Some("command_classes") {
        return Some("runs");
    }
    let is_of_several = above == Some("any") && matches!(over, Some("runs" | "any"));
    let is_field = above == Some("runs") || is_of_several || over == Some("command_classes");
    (last == "runs" || is_field).then_some(last)
}
