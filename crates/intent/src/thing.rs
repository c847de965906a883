//! Things of which people speak one by one, so that each stands for no other: a request by its number, a version, a
//! package. Kept are hashes, and what a command is about is held against them.

use super::wish::hashed;

/// What kind of thing it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThingKind {
    /// A request or an issue, by its number.
    Request,
    /// A version, with or without what it is a version of, as tags have it.
    Version,
    /// Tags, all at once.
    Tags,
    /// A package, by its name.
    Package,
    /// The name under which a version of a package is found: `latest`, `next`.
    DistTag,
    /// Where packages of a language are published.
    Ecosystem,
    /// A server that packages are published to, by its name.
    Registry,
    /// A repository that is pushed to, by its name.
    Remote,
    /// An image of a container.
    Image,
    /// The branch that a request is to be merged into.
    Base,
    /// Where a repository is found: `github.com/team/app`.
    Address,
}

impl ThingKind {
    fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Version => "version",
            Self::Tags => "tags",
            Self::Package => "package",
            Self::DistTag => "disttag",
            Self::Ecosystem => "ecosystem",
            Self::Registry => "registry",
            Self::Remote => "remotename",
            Self::Image => "image",
            Self::Base => "base",
            Self::Address => "address",
        }
    }
}

/// A thing by one of its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thing<'t> {
    /// What sort of thing it is.
    pub kind: ThingKind,
    /// One of its names.
    pub name: &'t str,
}

impl<'t> Thing<'t> {
    /// Makes a thing of a name.
    pub fn new(kind: ThingKind, name: &'t str) -> Self {
        Self { kind, name }
    }

    /// The hash of a thing that was spoken of.
    pub fn hash(self) -> u64 {
        hashed(self.kind.name(), self.name)
    }

    /// The hash that says that some thing of its kind was spoken of.
    pub fn any(kind: ThingKind) -> u64 {
        hashed(kind.name(), "")
    }

    /// Whether others of its kind were spoken of, and it was not; `named` is in order.
    pub fn is_another(self, named: &[u64]) -> bool {
        let has = |hash: u64| named.binary_search(&hash).is_ok();
        if self.kind == ThingKind::Address {
            let is_said = |place: String| has(Thing::new(self.kind, &place).hash());
            return has(Self::any(self.kind)) && !address(self.name).is_some_and(is_said);
        }
        has(Self::any(self.kind))
            && !self.names().any(|name| has(Self::new(self.kind, name).hash()))
    }

    /// The names by which it may be spoken of.
    fn names(self) -> impl Iterator<Item = &'t str> {
        let name = self.name;
        let last = name.rsplit('/').next().unwrap_or(name);
        let [second, third, fourth] = match self.kind {
            // "1.2" is the beginning of 1.2.0, and so is 1.2.0 of a version before it.
            ThingKind::Version => {
                let plain = name.split(['-', '+']).next().unwrap_or(name);
                let without =
                    |text: &'t str| text.rsplit_once('.').map_or(text, |(start, _)| start);
                [plain, without(name), without(plain)]
            }
            ThingKind::Package => [last, last, last],
            ThingKind::Image => {
                let untagged = |text: &'t str| match text.rsplit_once(':') {
                    Some((start, tag)) if !tag.contains('/') => start,
                    _ => text,
                };
                [last, untagged(name), untagged(last)]
            }
            _ => [name, name, name],
        };
        [name, second, third, fourth].into_iter()
    }
}

/// The address of a repository that a word is, however it is reached: `https://github.com/team/app`,
/// `git@github.com:team/app.git`.
pub fn address(word: &str) -> Option<String> {
    let (is_web, rest) = match word.split_once("://") {
        Some((_, rest)) => (true, rest),
        None => (false, word),
    };
    let (is_user, rest) = match rest.split_once('@') {
        Some((user, rest)) if !user.contains('/') => (true, rest),
        _ => (false, rest),
    };
    if !(is_web || is_user && rest.contains(':')) {
        return None;
    }
    let place = rest.trim_end_matches('/').trim_end_matches(".git").replacen(':', "/", 1);
    let (host, path) = place.split_once('/')?;
    (host.contains('.') && !path.is_empty()).then(|| place.to_lowercase())
}

/// The version that a word is, or that stands at its end as in tags: `v1.2.3`, `app-1.2`, `lib@2.0.0-rc.1`.
pub fn version(word: &str) -> Option<&str> {
    let is_version = |text: &str| {
        let mut numbers = text.split(['-', '+']).next().unwrap_or_default().split('.');
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        let more = numbers.clone().count() > 1;
        let rest = text.bytes().all(|b| b.is_ascii_alphanumeric() || b".-+_".contains(&b));
        more && rest && text.len() <= 40 && numbers.all(is_number)
    };
    let bare = |text: &'_ str| text.strip_prefix(['v', 'V']).map_or(0, |_| 1);
    // The longest part of it that is one.
    let starts = std::iter::once(0)
        .chain(word.match_indices(['/', '@', '-', '_']).map(|(at, sign)| at + sign.len()));
    starts.into_iter().find_map(|start| {
        let text = word.get(start..)?;
        let text = text.get(bare(text)..)?;
        is_version(text).then_some(text)
    })
}

/// Where a language's packages are published, by a word for it, or by the name of the server.
pub fn ecosystem(word: &str) -> Option<&'static str> {
    Some(match word {
        "npm" | "npmjs" | "npmjs.com" | "npmjs.org" | "registry.npmjs.org" | "www.npmjs.com" => {
            "npm"
        }
        "crates.io" | "crates" | "crate" => "crates.io",
        "pypi" | "pypi.org" | "testpypi" | "test.pypi.org" | "test-pypi" | "wheel" | "wheels"
        | "sdist" | "upload.pypi.org" => "pypi",
        "rubygems" | "rubygems.org" | "gem" | "gems" => "rubygems",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Thing, ThingKind, version};

    #[test]
    fn versions_stand_alone_or_at_the_end_of_tags() {
        for (word, found) in [
            ("v1.2.3", Some("1.2.3")),
            ("1.12.0", Some("1.12.0")),
            ("2.0.0-rc.1", Some("2.0.0-rc.1")),
            ("app-v1.2", Some("1.2")),
            ("app/v1.2", Some("1.2")),
            ("lib@0.3.0", Some("0.3.0")),
            ("refs/tags/v1.2.3", Some("1.2.3")),
            ("v2", None),
            ("docs.rs", None),
            ("feature/x", None),
            ("1.x", None),
        ] {
            assert_eq!(version(word), found, "{word}");
        }
    }

    #[test]
    fn a_thing_is_another_one_where_others_were_spoken_of() {
        let mut named = vec![
            Thing::any(ThingKind::Version),
            Thing::new(ThingKind::Version, "3.1").hash(),
            Thing::any(ThingKind::Image),
            Thing::new(ThingKind::Image, "ghcr.io/a/b:1.3").hash(),
        ];
        named.sort_unstable();
        let is_another = |kind, name| Thing::new(kind, name).is_another(&named);
        assert!(!is_another(ThingKind::Version, "3.1.0"));
        assert!(!is_another(ThingKind::Version, "3.1.0-rc.1"));
        assert!(is_another(ThingKind::Version, "3.2.0"));
        assert!(!is_another(ThingKind::Image, "ghcr.io/a/b:1.3"));
        assert!(is_another(ThingKind::Image, "ghcr.io/a/b:latest"));
        assert!(!is_another(ThingKind::Package, "a"));
    }
}
