//! What of this machine a container sees under another path, as the flags of the program that starts it say. Knows no
//! programs.

use super::HOLE;
use super::directories::{join, parts, reduced};

/// A file or directory that has another path in a container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// As seen from the directory of the line.
    pub outside: String,
    /// In the container, from its root.
    pub inside: String,
}

impl Mount {
    /// The path outside of one in the container; `None` for what lies beside.
    pub fn outside_of(&self, path: &str) -> Option<String> {
        let rest = path.strip_prefix(self.inside.trim_end_matches('/'))?;
        let is_below = rest.is_empty() || rest.starts_with('/');
        is_below.then(|| format!("{}{rest}", self.outside.trim_end_matches('/')))
    }
}

/// What a flag says that is mounted: a path of this machine or the name of a volume, and where it is seen. `None` for a
/// flag that says nothing of that.
pub fn said<'t>(flag: &str, text: &'t str) -> Option<(&'t str, &'t str)> {
    match flag {
        "v" | "volume" => of_volume(text),
        "mount" => of_mount(text),
        _ => None,
    }
}

/// The mounts of a container that is started in a directory. None, where nobody knows where one of them is seen.
pub fn all<'t>(said: impl Iterator<Item = (&'t str, &'t str)>, directory: &str) -> Vec<Mount> {
    let mut mounts = Vec::new();
    for (outside, inside) in said {
        if inside.contains(HOLE) {
            return Vec::new();
        }
        if is_path(outside) {
            mounts.push(Mount { outside: join(directory, outside), inside: inside.to_owned() });
        }
    }
    // What lies deeper hides what lies above it.
    mounts.sort_by_key(|mount| std::cmp::Reverse(mount.inside.len()));
    mounts
}

/// A path from the root without what it leads into and out of again, as far as that is known.
pub fn without_ways_back(path: &str) -> String {
    if !path.starts_with('/') || !path.contains("..") {
        return path.to_owned();
    }
    // Above the root there is the root.
    let parts = reduced(parts(path)).into_iter().skip_while(|part| *part == "..");
    format!("/{}", parts.collect::<Vec<_>>().join("/"))
}

/// Whether what is mounted is a path, and no volume by its name.
fn is_path(text: &str) -> bool {
    text.starts_with(['/', '.', '~', HOLE]) || text.contains('/')
}

/// `SOURCE:TARGET`, with options behind.
fn of_volume(text: &str) -> Option<(&str, &str)> {
    let (outside, rest) = text.split_once(':')?;
    Some((outside, rest.split(':').next().unwrap_or(rest)))
}

/// `type=bind,source=SOURCE,target=TARGET`.
fn of_mount(text: &str) -> Option<(&str, &str)> {
    let field = |names: &[&str]| {
        let fields = text.split(',').filter_map(|field| field.split_once('='));
        fields.filter(|(name, _)| names.contains(name)).map(|(_, value)| value).next_back()
    };
    Some((field(&["source", "src"])?, field(&["target", "dst", "destination"])?))
}

#[cfg(test)]
mod tests {
    use super::{all, said, without_ways_back};

    #[test]
    fn a_way_back_is_no_way() {
        assert_eq!(without_ways_back("/w/../etc/./x"), "/etc/x");
        assert_eq!(without_ways_back("/../../x"), "/x");
        assert_eq!(without_ways_back("a/../b"), "a/../b");
        let unknown = format!("/{}/../x", super::HOLE);
        assert_eq!(without_ways_back(&unknown), unknown);
    }

    #[test]
    fn what_is_mounted_is_seen_from_both_sides() {
        let flags = [
            ("v", "./app:/w:ro"),
            ("mount", "type=bind,src=/etc/x,dst=/w/conf"),
            ("v", "data:/d"),
            ("e", "A=b"),
        ];
        let mounts = all(flags.iter().filter_map(|(flag, text)| said(flag, text)), "");
        let outside = |path: &str| mounts.iter().find_map(|mount| mount.outside_of(path));
        assert_eq!(outside("/w/a").as_deref(), Some("./app/a"));
        assert_eq!(outside("/w/conf/b").as_deref(), Some("/etc/x/b"));
        assert_eq!(outside("/ww"), None);
        assert_eq!(outside("/d/a"), None);
    }

    #[test]
    fn a_place_that_nobody_knows_leaves_nothing_known() {
        let unknown = format!("/etc:{}", super::HOLE);
        let said = [said("v", ".:/w"), said("v", &unknown)].into_iter().flatten();
        assert!(all(said, "").is_empty());
    }
}
