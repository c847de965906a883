//! `callHierarchy`: who fills what sessions remember, and who asks for it.

use std::sync::Arc;

use behavior_compiler::SourceProvider;
use behavior_compiler::ide::{self, Member, RuleFile};
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::{
    CallHierarchyIncomingCall, CallHierarchyItem, CallHierarchyOutgoingCall, Position,
};

use crate::places::Places;
use crate::symbols::kind;
use crate::workspace::{Snapshot, Whole};

/// What an item is found again by.
#[derive(Debug, Deserialize, Serialize)]
struct Place {
    file: String,
    offset: u32,
}

/// What can be asked for its neighbours at a position.
pub fn prepare<P: SourceProvider>(
    snapshot: &Snapshot<P>,
    position: Position,
) -> Vec<CallHierarchyItem> {
    let found = ide::member_at(snapshot.project(), snapshot.file(), snapshot.offset(position));
    let mut places = snapshot.places();
    found.into_iter().filter_map(|member| item(&member, &mut places)).collect()
}

fn item<P: SourceProvider>(
    member: &Member,
    places: &mut Places<'_, P>,
) -> Option<CallHierarchyItem> {
    let target = &member.target;
    let source = target.file.source();
    let place = Place { file: source.name.clone(), offset: target.span.start };
    let selection_range = places.range(source, target.span);
    let mut range = places.range(source, target.extent);
    range.start = range.start.min(selection_range.start);
    range.end = range.end.max(selection_range.end);
    Some(CallHierarchyItem {
        name: member.name.clone(),
        kind: kind(member.kind),
        tags: None,
        detail: Some(source.name.clone()),
        uri: places.uri(&source.name)?,
        range,
        selection_range,
        data: serde_json::to_value(place).ok(),
    })
}

/// The file and offset of an item that was given out before.
fn found_again<P: SourceProvider>(
    whole: &Whole<P>,
    item: &CallHierarchyItem,
) -> Option<(Arc<RuleFile>, u32)> {
    let place: Place = serde_json::from_value(item.data.clone()?).ok()?;
    Some((whole.project().file(&place.file)?, place.offset))
}

/// Those that name an item.
pub fn incoming<P: SourceProvider>(
    whole: &Whole<P>,
    of: &CallHierarchyItem,
) -> Option<Vec<CallHierarchyIncomingCall>> {
    let (file, offset) = found_again(whole, of)?;
    let mut places = Places::new(&whole.files, &whole.settings, &whole.versions);
    let call = |member: Member| {
        let source = member.target.file.source();
        let ranges = member.places.iter().map(|span| places.range(source, *span)).collect();
        Some(CallHierarchyIncomingCall { from: item(&member, &mut places)?, from_ranges: ranges })
    };
    Some(ide::named_by(whole.project(), &file, offset).into_iter().filter_map(call).collect())
}

/// Those that an item names.
pub fn outgoing<P: SourceProvider>(
    whole: &Whole<P>,
    of: &CallHierarchyItem,
) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let (file, offset) = found_again(whole, of)?;
    let mut places = Places::new(&whole.files, &whole.settings, &whole.versions);
    let call = |member: Member| {
        let from_ranges =
            member.places.iter().map(|span| places.range(file.source(), *span)).collect();
        Some(CallHierarchyOutgoingCall { to: item(&member, &mut places)?, from_ranges })
    };
    Some(ide::names_what(whole.project(), &file, offset).into_iter().filter_map(call).collect())
}
