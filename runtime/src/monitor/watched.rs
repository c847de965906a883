//! Which rules of trace policies name a tool, and as what.

use std::collections::HashMap;

use behavior_facts::tools;
use behavior_image::Image;
use behavior_image::format::{MonitorRecord, Section};
use behavior_image::trace_rule::{MonitorKind, Parameters};

/// As what a rule names a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// As the one that it is about.
    Subject,
    /// As the one that comes later.
    Object,
}

/// Which rules name a tool, and as what: rows of the monitors.
pub(crate) type Watched = Box<[(u32, Role)]>;

/// What was found out of the names that tools were called by.
#[derive(Clone, Debug, Default)]
pub(crate) struct WatchedNames {
    by_name: HashMap<Box<str>, Watched, foldhash::fast::RandomState>,
}

impl WatchedNames {
    /// After so many names, what is known of them is forgotten: traces may make them up.
    const MAX: usize = 1024;

    /// The rules that name a tool by one of its names.
    pub fn of(&mut self, image: &Image, names: &[&str]) -> Watched {
        let mut found = Vec::new();
        for name in names {
            found.extend_from_slice(self.of_one(image, name));
        }
        found.sort_unstable();
        found.dedup();
        found.into()
    }

    fn of_one(&mut self, image: &Image, name: &str) -> &[(u32, Role)] {
        if !self.by_name.contains_key(name) {
            if self.by_name.len() >= Self::MAX {
                self.by_name.clear();
            }
            self.by_name.insert(name.into(), watched(image, name));
        }
        self.by_name.get(name).map_or(&[], |known| known)
    }
}

/// The rules that name a tool by this name.
fn watched(image: &Image, name: &str) -> Watched {
    let view = image.view();
    let mut found = Vec::new();
    for row in 0..image.monitors().len() {
        let monitor: MonitorRecord = view.row(Section::Monitors, row);
        let kind = MonitorKind::from_number(monitor.kind);
        let roles: &[(u32, Role)] = match kind.map(MonitorKind::parameters) {
            Some(Parameters::OneTool | Parameters::OneCall) => &[(monitor.subject, Role::Subject)],
            Some(Parameters::CallOrder) => {
                &[(monitor.subject, Role::Subject), (monitor.object, Role::Object)]
            }
            _ => &[],
        };
        for &(wanted, role) in roles {
            if is_tool(name, view.string(wanted)) {
                found.push((row, role));
            }
        }
    }
    found.into()
}

/// Whether a tool is the one that a rule names, by any spelling of its name: as triggers do.
pub(crate) fn is_tool(name: &str, wanted: &str) -> bool {
    let (mut left, mut right) = (String::new(), String::new());
    tools::normalise(name, &mut left);
    tools::normalise(wanted, &mut right);
    tools::selects_as_trigger(&right, &left)
}
