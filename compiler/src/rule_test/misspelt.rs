//! Tools and parameters of events that are nearly called as those that agents have: a test of them tests nothing. Reports
//! only.

use behavior_facts::tools;

use super::event::{EventNode, call_of};
use crate::decode::Reports;
use crate::ir::Trigger;
use crate::misspelt;
use crate::source::SourceMap;
use crate::syntax::Node;

/// Looks at the names in the events of a test.
pub(crate) fn check<'e>(
    events: impl Iterator<Item = &'e EventNode>,
    sources: &SourceMap,
    reports: &mut Reports,
) {
    let mut name = String::new();
    for (tool, span, params) in events.filter_map(call_of) {
        tools::normalise(tool, &mut name);
        reports.diagnostics.extend(misspelt::tool(&name, span, sources));
        let trigger = Trigger { name: name.as_str().into(), span };
        for entry in params.and_then(Node::entries).unwrap_or_default() {
            let (written, place) = (&entry.key.text, entry.key.span);
            let tools = std::slice::from_ref(&trigger);
            let Some(found) = misspelt::parameter(written, tools, place, sources) else { continue };
            // Some agents write the same name in another way: `filePath`.
            let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
            let meant = found.fixes.iter().flat_map(|fix| &fix.edits).map(|edit| &edit.text);
            if meant.clone().all(|meant| plain(meant) != plain(written)) {
                reports.push(found);
            }
        }
    }
}
