//! The built-in profiles and rules as data files, embedded.
//!
//! A source provider and nothing more: the files are compiled like any author's, and whoever
//! compiles them decides when. Nothing here parses, checks or interprets them.

/// The presets, in the order of the reference: profiles that decide on every built-in rule. The
/// preset `dev` is the file `dev.yaml`, and so on. `profile` and `extends` accept these names
/// without a file of that name.
pub const PRESETS: &[&str] = &["dev", "coding", "research", "data", "creative", "assistant"];

/// Every built-in profile: the presets, then those that bring rules of their own for one purpose.
pub const PROFILES: &[&str] = &[
    "dev",
    "coding",
    "research",
    "data",
    "creative",
    "assistant",
    "read_control",
    "guard",
    "discovery_first",
];

/// Built-in rules that no preset switches on.
pub const PACKS: &[&str] = &["confirm_destructive_extended", "opaque_command", "protect_rules"];

/// Every embedded file: its name and its text. `rules.yaml` comes first, then the profiles.
const FILES: &[(&str, &str)] = &[
    ("rules.yaml", include_str!("../rules.yaml")),
    ("programs.yaml", include_str!("../programs.yaml")),
    ("files.yaml", include_str!("../files.yaml")),
    ("classes.yaml", include_str!("../classes.yaml")),
    ("dev.yaml", include_str!("../dev.yaml")),
    ("coding.yaml", include_str!("../coding.yaml")),
    ("research.yaml", include_str!("../research.yaml")),
    ("data.yaml", include_str!("../data.yaml")),
    ("creative.yaml", include_str!("../creative.yaml")),
    ("assistant.yaml", include_str!("../assistant.yaml")),
    ("read_control.yaml", include_str!("../read_control.yaml")),
    ("guard.yaml", include_str!("../guard.yaml")),
    ("agents.yaml", include_str!("../agents.yaml")),
    ("workflows/checked-change.yaml", include_str!("../workflows/checked-change.yaml")),
    ("workflows/implement-review.yaml", include_str!("../workflows/implement-review.yaml")),
    ("workflows/implement-test-fix.yaml", include_str!("../workflows/implement-test-fix.yaml")),
    ("workflows/plan-migrate.yaml", include_str!("../workflows/plan-migrate.yaml")),
    ("discovery_first.yaml", include_str!("../discovery_first.yaml")),
];

/// The text of the embedded file called `name`, such as `rules.yaml`; `None` where there is none.
#[must_use]
pub fn file(name: &str) -> Option<&'static str> {
    files().find(|(known, _)| *known == name).map(|(_, text)| text)
}

/// All embedded files as (name, text), always in the same order.
pub fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().copied()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::{PACKS, PRESETS, PROFILES, file, files};

    #[test]
    fn every_profile_has_a_file_of_its_own_name() {
        assert!(PROFILES.starts_with(PRESETS));
        for profile in PROFILES {
            let text = file(&format!("{profile}.yaml")).expect(profile);
            assert!(text.lines().any(|line| line == format!("name: {profile}")), "{profile}");
        }
    }

    #[test]
    fn what_is_not_there_is_none() {
        assert_eq!(file("dev"), None);
        assert_eq!(file("../Cargo.toml"), None);
    }

    #[test]
    fn every_data_file_in_the_folder_is_embedded() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let workflows = std::fs::read_dir(folder.join("workflows")).expect("a folder");
        let workflows = workflows.map(|entry| {
            let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
            format!("workflows/{name}")
        });
        let on_disk: BTreeSet<String> = std::fs::read_dir(folder)
            .expect("the package's folder is readable")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
            .filter(|name| name.ends_with(".yaml") && !name.ends_with(".test.yaml"))
            .chain(workflows)
            .collect();
        let embedded: BTreeSet<String> = files().map(|(name, _)| name.to_owned()).collect();
        assert_eq!(embedded, on_disk);
    }

    #[test]
    fn every_preset_decides_on_every_built_in_rule() {
        let rules = file("rules.yaml").expect("the rules are embedded");
        let ids: Vec<&str> =
            rules.lines().filter_map(|line| line.strip_prefix("  - id: ")).collect();
        assert_eq!(ids.len(), 17);
        for preset in PRESETS {
            let text = file(&format!("{preset}.yaml")).expect(preset);
            for id in &ids {
                let key = format!("  {id}: ");
                let count = text.lines().filter(|line| line.starts_with(&key)).count();
                // The packs are switched on by name, in a config of one's own.
                let expected = usize::from(!PACKS.contains(id));
                assert_eq!(count, expected, "{preset} says {count} times whether {id} is on");
            }
        }
    }
}
