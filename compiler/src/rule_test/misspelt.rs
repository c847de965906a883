//! Tools and parameters of events that are nearly called as those that agents have: a test of them tests nothing. Reports
//! only.

use behavior_runtime::tools;

use super::event::{EventNode, call_of};
use crate::decode::Reports;
use crate::diagnostic::{Applicability, Diagnostic};
use crate::ir::Trigger;
use crate::parameters;
use crate::registry::diagnostics as d;
use crate::syntax::Node;
use crate::tool_names;

/// Looks at the names in the events of a test.
pub(super) fn check(events: &[EventNode], reports: &mut Reports) {
    let mut name = String::new();
    for (tool, span, params) in events.iter().filter_map(call_of) {
        tools::normalise(tool, &mut name);
        if let Some(meant) = tool_names::meant(&name) {
            let message = format!("no known agent has a tool called `{tool}`");
            let diagnostic = Diagnostic::new(&d::UNKNOWN_TOOL, span, message);
            reports.push(diagnostic.help(format!("did you mean `{meant}`?")));
        }
        let trigger = Trigger { name: name.as_str().into(), span };
        for entry in params.and_then(Node::entries).unwrap_or_default() {
            let written = &entry.key.text;
            // Some agents write the same name in another way: `filePath`.
            let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
            let meant = parameters::meant(written, std::slice::from_ref(&trigger));
            let Some(meant) = meant.filter(|meant| plain(meant) != plain(written)) else {
                continue;
            };
            let message = format!("`{tool}` has no parameter `{written}`");
            let diagnostic = Diagnostic::new(&d::UNKNOWN_PARAMETER, entry.key.span, message);
            let diagnostic = diagnostic.help(format!("did you mean `{meant}`?"));
            reports.push(diagnostic.replace(entry.key.span, meant, Applicability::Unsafe));
        }
    }
}
