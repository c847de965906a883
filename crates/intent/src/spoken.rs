//! The things that a user speaks of one by one where he asks for something: the version to release, the request to merge.
//! What he names so stands for no other. Knows no rules.

use super::acts::acts;
use super::thing::{Thing, ThingKind, address, ecosystem, version};
use super::wish::{is_number, trimmed};

/// The hashes of what some clauses of a user speak of.
pub fn spoken_of(clauses: &[String]) -> Vec<u64> {
    let mut found = Vec::new();
    for clause in clauses {
        requests(clause, &mut found);
        for act in acts(clause) {
            of_act(&act, &mut found);
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn add(kind: ThingKind, name: &str, found: &mut Vec<u64>) {
    found.push(Thing::new(kind, name).hash());
    found.push(Thing::any(kind));
}

/// The requests and issues that a clause names by their numbers: "PR 41", "#41", "pull/41".
fn requests(clause: &str, found: &mut Vec<u64>) {
    const KINDS: &[&str] = &[
        "pr", "prs", "mr", "mrs", "request", "requests", "pull", "issue", "issues", "and", "or",
        "&",
    ];
    /// Verbs behind which a number is one, too, where it counts nothing.
    const VERBS: &[&str] =
        &["approve", "close", "reopen", "merge", "review", "label", "triage", "retarget"];
    let before = found.len();
    let mut last = String::new();
    let mut words = clause.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let plain = trimmed(word).to_lowercase();
        let counts = words.peek().is_some_and(|next| next.ends_with('s') && next.len() > 2);
        let is_listed = KINDS.contains(&last.as_str())
            && (is_number(&plain) || found.len() > before)
            || VERBS.contains(&last.as_str()) && is_number(&plain) && !counts;
        let number = plain
            .strip_prefix(['#', '!'])
            .or_else(|| plain.rsplit_once("/pull/").map(|(_, number)| number))
            .or_else(|| plain.rsplit_once("/issues/").map(|(_, number)| number))
            .or_else(|| plain.rsplit_once('#').map(|(_, number)| number))
            .or_else(|| plain.strip_prefix("pr").or_else(|| plain.strip_prefix("mr")))
            .or(is_listed.then_some(plain.as_str()));
        if let Some(number) = number.filter(|number| is_number(number)) {
            add(ThingKind::Request, number, found);
        }
        last = plain;
    }
}

/// Verbs by which something is made known to others, or taken back from them.
const PUBLISHING: &[&str] = &[
    "push",
    "pushing",
    "publish",
    "publishing",
    "release",
    "releasing",
    "tag",
    "ship",
    "deploy",
    "upload",
    "yank",
    "unpublish",
    "deprecate",
    "cut",
    "bump",
    "land",
    "promote",
    "put",
    "get",
    "send",
    "create",
    "make",
    "open",
    "raise",
    "submit",
    "file",
    "draft",
    "delete",
    "remove",
];

/// Words behind which a version is one of something else: "the fix for 1.2", "from 1.2 to 1.3".
const ELSEWHERE: &[&str] = &[
    "for", "in", "from", "since", "than", "of", "after", "before", "with", "fixes", "requires",
    "python", "node", "ruby", "rust", "java", "php", "go", "until", "like", "over", "by",
];

fn of_act(act: &str, found: &mut Vec<u64>) {
    let words: Vec<String> = act
        .split_whitespace()
        .map(|word| trimmed(word).to_lowercase())
        .take_while(|word| word != "then")
        .collect();
    let programs = ["git", "npm", "cargo", "force", "gh", "docker", "do", "a", "the"];
    let own: &[String] = words
        .iter()
        .position(|word| !programs.contains(&word.as_str()))
        .and_then(|first| words.get(first..))
        .unwrap_or_default();
    let Some(verb) = own.first() else { return };
    remotes_set(own, found);
    if !PUBLISHING.contains(&verb.as_str()) {
        return;
    }
    versions(own, found);
    let is_push = verb.starts_with("push");
    let is_of_packages = matches!(
        verb.as_str(),
        "publish"
            | "publishing"
            | "release"
            | "releasing"
            | "unpublish"
            | "yank"
            | "deprecate"
            | "upload"
            | "ship"
    );
    if is_push || matches!(verb.as_str(), "publish" | "release" | "upload" | "send" | "put") {
        images(own, found);
        remotes(own, found);
    }
    if is_of_packages {
        packages(own, found);
        dist_tags(own, found);
    }
    if is_of_packages || is_push || matches!(verb.as_str(), "put" | "get" | "send") {
        registries(own, found);
    }
    bases(own, found);
}

fn versions(words: &[String], found: &mut Vec<u64>) {
    let is_elsewhere =
        |before: Option<&String>| before.is_some_and(|before| ELSEWHERE.contains(&before.as_str()));
    let mut last = None;
    for (at, word) in words.iter().enumerate() {
        // An image has a tag of its own.
        let is_image = word.contains(':');
        if let Some(version) = version(word).filter(|_| !is_elsewhere(last) && !is_image) {
            add(ThingKind::Version, version, found);
            // One tag is not all of them.
            let next = words.get(at + 1);
            if last.is_some_and(|word| word == "tag") || next.is_some_and(|word| word == "tag") {
                found.push(Thing::any(ThingKind::Tags));
            }
        }
        last = Some(word);
    }
    let speaks_of_all = ["tags", "--tags", "all", "everything"];
    if words.iter().any(|word| speaks_of_all.contains(&word.as_str())) {
        found.push(Thing::new(ThingKind::Tags, "all").hash());
    }
}

/// Dist-tags as people speak of them: "under the dist-tag x", "as beta", "publish a canary".
fn dist_tags(words: &[String], found: &mut Vec<u64>) {
    const USUAL: &[&str] = &["beta", "alpha", "next", "canary", "rc", "experimental", "nightly"];
    let mut last = "";
    for word in words {
        if last == "dist-tag" || USUAL.contains(&word.as_str()) {
            add(ThingKind::DistTag, word, found);
        }
        last = word;
    }
}

/// Whether a word can be nothing but a name of something.
fn is_name(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "pre-release",
        "dry-run",
        "dist-tag",
        "re-publish",
        "re-release",
        "up-to-date",
        "end-to-end",
        "non-breaking",
        "follow-up",
        "patch-level",
        "semver-major",
        "read-only",
        "hot-fix",
        "ci-cd",
        "test-pypi",
        "docker-hub",
        "pre-releases",
        "one-off",
        "tag-only",
    ];
    let is_plain = word
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'@' | b'/'));
    is_plain
        && word.contains(['-', '_', '/'])
        && !word.starts_with(['-', '/'])
        && !word.ends_with('/')
        && !WORDS.contains(&word)
        && version(word).is_none()
}

fn packages(words: &[String], found: &mut Vec<u64>) {
    let mut is_refused = false;
    for word in words {
        is_refused |= word == "not";
        if !is_name(word) || is_refused {
            continue;
        }
        add(ThingKind::Package, word, found);
        // The folder of a package of a scope is often called by both.
        if let Some(name) = word.strip_prefix('@') {
            found.push(Thing::new(ThingKind::Package, &name.replace('/', "-")).hash());
        }
        // A folder may have no more than the end of it.
        for (at, _) in word.match_indices(['-', '_', '/']) {
            let end = word.get(at + 1..).unwrap_or_default();
            found.push(Thing::new(ThingKind::Package, end).hash());
        }
    }
}

fn registries(words: &[String], found: &mut Vec<u64>) {
    for word in words {
        if let Some(name) = ecosystem(word) {
            add(ThingKind::Ecosystem, name, found);
        }
    }
    for pair in words.windows(2) {
        let [before, host] = pair else { continue };
        let is_host = host.contains('.')
            && version(host).is_none()
            && host.rsplit('.').next().is_some_and(|end| end.len() > 1)
            && !host.contains(['/', ':', '@'])
            && ecosystem(host).is_none();
        if is_host && matches!(before.as_str(), "at" | "to" | "on" | "registry" | "via") {
            add(ThingKind::Registry, host, found);
        }
    }
}

/// The remotes that are pushed to: "push to origin main", "to the staging remote".
fn remotes(words: &[String], found: &mut Vec<u64>) {
    for (at, word) in words.iter().enumerate() {
        if !matches!(word.as_str(), "to" | "on" | "onto") {
            continue;
        }
        let behind = words.get(at + 1..).unwrap_or_default();
        let articles =
            behind.iter().take_while(|word| matches!(word.as_str(), "the" | "our" | "my"));
        let behind = behind.get(articles.count()..).unwrap_or_default();
        let Some(name) = behind.first() else { continue };
        let own = name.split('/').next().unwrap_or(name);
        let is_remote = matches!(own, "origin" | "upstream")
            || behind.get(1).is_some_and(|word| word == "remote");
        if is_remote {
            add(ThingKind::Remote, own, found);
            // "to origin and upstream"
            if let [_, and, other, ..] = behind
                && and == "and"
                && matches!(other.as_str(), "origin" | "upstream")
            {
                add(ThingKind::Remote, other, found);
            }
        }
    }
}

/// The remote whose address is to be changed: "point origin to …".
fn remotes_set(words: &[String], found: &mut Vec<u64>) {
    const SETTING: &[&str] = &["point", "repoint", "switch", "set", "change", "update", "move"];
    let [verb, rest @ ..] = words else { return };
    let mut rest = rest
        .iter()
        .filter(|word| !matches!(word.as_str(), "the" | "my" | "our" | "url" | "of" | "remote"));
    let name = rest.next().filter(|name| matches!(name.as_str(), "origin" | "upstream" | "fork"));
    if let Some(name) = name.filter(|_| SETTING.contains(&verb.as_str())) {
        add(ThingKind::Remote, name, found);
        words
            .iter()
            .filter_map(|word| address(word))
            .for_each(|place| add(ThingKind::Address, &place, found));
    }
}

fn images(words: &[String], found: &mut Vec<u64>) {
    let is_image = |word: &&String| {
        let last = word.rsplit('/').next().unwrap_or(word);
        let first = word.split('/').next().unwrap_or(word);
        let is_tagged =
            last.split_once(':').is_some_and(|(name, tag)| !name.is_empty() && !tag.is_empty());
        !word.contains("://")
            && !word.starts_with('-')
            && (is_tagged
                || word.contains('/') && first.contains('.') && first != "." && first != "..")
    };
    for word in words.iter().filter(is_image) {
        add(ThingKind::Image, word, found);
    }
}

/// The branch that a request is to be merged into: "open a PR against develop".
fn bases(words: &[String], found: &mut Vec<u64>) {
    let is_request = |word: &String| matches!(word.as_str(), "pr" | "mr" | "prs" | "request");
    if !words.iter().any(is_request) {
        return;
    }
    for pair in words.windows(3) {
        let [before, name, next] = pair else { continue };
        let name = if name == "the" { next } else { name };
        let is_usual = matches!(name.as_str(), "main" | "master" | "develop" | "dev" | "staging");
        let says = matches!(before.as_str(), "against" | "targeting" | "onto")
            || matches!(before.as_str(), "to" | "into" | "on") && is_usual;
        if says {
            add(ThingKind::Base, name, found);
        }
    }
    if let [.., before, name] = words
        && matches!(before.as_str(), "against" | "targeting" | "onto" | "to" | "into" | "on")
    {
        let is_usual = matches!(name.as_str(), "main" | "master" | "develop" | "dev" | "staging");
        if is_usual || matches!(before.as_str(), "against" | "targeting") {
            add(ThingKind::Base, name, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::spoken_of;
    use crate::thing::{Thing, ThingKind};

    fn is_another(clause: &str, kind: ThingKind, name: &str) -> bool {
        Thing::new(kind, name).is_another(&spoken_of(&[clause.to_owned()]))
    }

    #[test]
    fn requests_are_spoken_of_by_their_numbers() {
        for clause in ["merge PR 41", "close #41", "merge the PR #41 now", "comment on pull/41"] {
            assert!(!is_another(clause, ThingKind::Request, "41"), "{clause}");
            assert!(
                is_another(clause, ThingKind::Request, "42") || clause.contains("pull/"),
                "{clause}"
            );
        }
        assert!(!is_another("merge PRs 41 and 42", ThingKind::Request, "42"));
        assert!(!is_another("merge it in 41 days", ThingKind::Request, "42"));
        assert!(is_another("approve 41", ThingKind::Request, "14"));
        assert!(!is_another("merge 2 branches", ThingKind::Request, "14"));
    }

    #[test]
    fn what_is_named_stands_for_no_other() {
        use ThingKind::*;
        for (clause, kind, own, other) in [
            ("push tag v1.2.3", Version, "1.2.3", "1.2.4"),
            ("release v3.1.0", Version, "3.1.0", "3.2.0"),
            ("bump from 1.2.0 to 1.3.0 and release it", Version, "1.3.0", "1.2.0"),
            ("yank 0.2.9", Version, "0.2.9", "0.3.0"),
            ("publish lumen-ui", Package, "packages/ui", "packages/lumen-icons"),
            ("publish @orchard/forms", Package, "packages/orchard-forms", "packages/orchard-ui"),
            ("publish it under the beta tag", DistTag, "beta", "latest"),
            ("point origin to git@x:y.git", Remote, "origin", "upstream"),
            ("set origin to git@x.dev:a/b.git", Address, "https://x.dev/a/b", "git@y.dev:a/b.git"),
            ("publish tinylex-macros", Package, "tinylex-macros", "tinylex"),
            ("publish a-core and a-cli", Package, "a-cli", "a-macros"),
            ("publish it under the dist-tag next", DistTag, "next", "latest"),
            ("push to origin main", Remote, "origin", "upstream"),
            ("push main to the staging remote", Remote, "staging", "production"),
            ("publish to npm", Ecosystem, "npm", "crates.io"),
            ("publish to our server at npm.harbor.dev", Registry, "npm.harbor.dev", "npm.x.dev"),
            ("push image ghcr.io/a/b:1.3", Image, "ghcr.io/a/b:1.3", "ghcr.io/a/b:latest"),
            ("open a draft PR against develop", Base, "develop", "main"),
            ("push the tag v2.0.0", Version, "2.0.0", "2.0.1"),
        ] {
            assert!(!is_another(clause, kind, own), "{clause}: {own}");
            assert!(is_another(clause, kind, other), "{clause}: {other}");
        }
        assert!(is_another("push the tag v2.0.0", Tags, "all"));
    }

    #[test]
    fn what_is_not_named_may_be_any() {
        use ThingKind::*;
        for (clause, kind, name) in [
            ("release it", Version, "1.2.0"),
            ("release the fix for 1.2.0", Version, "1.2.1"),
            ("tag v2.0.0 and push tags", Tags, "all"),
            ("push it", Remote, "upstream"),
            ("switch origin to ssh", Address, "git@x.dev:a/b.git"),
            ("publish the new pre-release", Package, "a-b"),
            ("open a PR to fix the login", Base, "main"),
            ("publish it", Ecosystem, "npm"),
        ] {
            assert!(!is_another(clause, kind, name), "{clause}: {name}");
        }
    }
}
