//! What a command is about that people speak of one by one: the version that it publishes, the request that it merges.
//! Knows no rules, and nothing of how people say it.

use super::thing::{Thing, ThingKind, ecosystem, version};
use super::wish::is_number;

/// The things that a command is about. `words` are its words, its program first, all known.
pub fn things<'w>(program: &str, words: &[&'w str]) -> Vec<Thing<'w>> {
    let rest = words.get(1..).unwrap_or_default();
    match program {
        "git" => of_git(rest),
        "gh" | "glab" | "hub" | "tea" => of_forge(rest),
        "npm" | "pnpm" | "yarn" | "bun" => of_npm(rest),
        "cargo" => of_cargo(rest),
        "twine" | "uv" | "poetry" | "flit" | "hatch" | "pdm" => of_python(rest),
        "gem" => of_gem(rest),
        "docker" | "podman" | "nerdctl" | "buildah" => of_images(rest),
        _ => Vec::new(),
    }
}

/// The words that are no flags. What a flag is given stands among them, unless the flag is one of `valued`.
fn operands<'w>(words: &[&'w str], valued: &[&str]) -> Vec<&'w str> {
    let mut found = Vec::new();
    let mut is_value = false;
    for word in words {
        if !is_value && !word.starts_with('-') {
            found.push(*word);
        }
        is_value = valued.contains(word);
    }
    found
}

/// What flags of some names are given, behind them or behind `=`.
fn values<'w>(words: &[&'w str], flags: &[&str]) -> Vec<&'w str> {
    let mut found = Vec::new();
    let mut is_value = false;
    for word in words {
        if is_value {
            found.push(*word);
        }
        is_value = flags.contains(word);
        if let Some((flag, value)) = word.split_once('=')
            && flags.contains(&flag)
        {
            found.push(value);
        }
    }
    found
}

fn of_git<'w>(words: &[&'w str]) -> Vec<Thing<'w>> {
    const VALUED: [&str; 5] = ["-o", "--push-option", "--receive-pack", "--exec", "--repo"];
    if let ["remote", "set-url", rest @ ..] = words {
        let mut named = rest.iter().filter(|word| !word.starts_with('-'));
        let remote = named.next().map(|name| Thing::new(ThingKind::Remote, name));
        let place = named.next().map(|place| Thing::new(ThingKind::Address, place));
        return remote.into_iter().chain(place).collect();
    }
    let ["push", rest @ ..] = words else { return Vec::new() };
    let operands = operands(rest, &VALUED);
    let (remote, refs) = match operands.split_first() {
        Some((remote, refs)) => (Some(*remote), refs),
        None => (None, &[][..]),
    };
    let to = |text: &'w str| text.trim_start_matches('+').rsplit(':').next().unwrap_or(text);
    let versions = refs.iter().filter_map(|text| version(to(text)));
    let mut found: Vec<Thing<'w>> =
        versions.map(|version| Thing::new(ThingKind::Version, version)).collect();
    found.extend(remote.map(|remote| Thing::new(ThingKind::Remote, remote)));
    if rest.contains(&"--tags") {
        found.push(Thing::new(ThingKind::Tags, "all"));
    }
    found
}

/// Subcommands that change a request or an issue.
const CHANGING: &[&str] = &[
    "merge", "close", "reopen", "comment", "edit", "review", "ready", "delete", "lock", "unlock",
    "approve", "update", "note", "transfer", "pin",
];

fn of_forge<'w>(words: &[&'w str]) -> Vec<Thing<'w>> {
    let request = |number| Thing::new(ThingKind::Request, number);
    match words {
        ["api", rest @ ..] => {
            let parts = rest.iter().flat_map(|word| word.split('/').zip(word.split('/').skip(1)));
            let numbers = parts.filter(|(kind, number)| {
                matches!(*kind, "pulls" | "issues" | "merge_requests") && is_number(number)
            });
            numbers.map(|(_, number)| request(number)).collect()
        }
        ["pr" | "mr", "create" | "new", rest @ ..] => {
            let bases = values(rest, &["-B", "--base", "--target-branch"]);
            bases.into_iter().map(|base| Thing::new(ThingKind::Base, base)).collect()
        }
        ["release", "create" | "edit" | "delete" | "upload", tag, ..] => version(tag)
            .map(|version| Thing::new(ThingKind::Version, version))
            .into_iter()
            .collect(),
        ["pr" | "mr" | "issue", verb, behind @ ..] if CHANGING.contains(verb) => {
            let numbers = behind.iter().map(|word| {
                let word = word.trim_start_matches(['#', '!']);
                let of_address = word.rsplit_once("/pull/").or(word.rsplit_once("/issues/"));
                of_address.map_or(word, |(_, number)| number)
            });
            // Behind a flag a number may be its value.
            numbers
                .skip_while(|word| !is_number(word))
                .take_while(|word| is_number(word))
                .map(request)
                .collect()
        }
        _ => Vec::new(),
    }
}

fn package(name: &str) -> Thing<'_> {
    Thing::new(ThingKind::Package, name.trim_end_matches('/'))
}

/// A package with the version that stands behind it.
fn at_version(text: &str) -> impl Iterator<Item = Thing<'_>> {
    // A scope begins with the sign, too.
    let cut = text.rfind('@').filter(|at| *at > 0);
    let (name, rest) = text.split_at_checked(cut.unwrap_or(text.len())).unwrap_or((text, ""));
    let version = version(rest.trim_start_matches('@'));
    let version = version.map(|version| Thing::new(ThingKind::Version, version));
    std::iter::once(package(name)).chain(version)
}

/// The server that words name for a registry, and the packages' place if they name none.
fn registry<'w>(words: &[&'w str], flags: &[&str], usual: &'static str) -> Vec<Thing<'w>> {
    let named = values(words, flags);
    if named.is_empty() {
        return vec![Thing::new(ThingKind::Ecosystem, usual)];
    }
    let host = |address: &'w str| {
        let behind = address.split_once("://").map_or(address, |(_, behind)| behind);
        behind.split(['/', ':']).next().unwrap_or(behind)
    };
    let hosts = named.into_iter().map(host);
    hosts
        .flat_map(|host| {
            let ecosystem = ecosystem(host).map(|name| Thing::new(ThingKind::Ecosystem, name));
            std::iter::once(Thing::new(ThingKind::Registry, host)).chain(ecosystem)
        })
        .collect()
}

fn of_npm<'w>(words: &[&'w str]) -> Vec<Thing<'w>> {
    const FLAGS: [&str; 4] = ["-w", "--workspace", "--filter", "-F"];
    let words = match words {
        ["npm", rest @ ..] => rest,
        words => words,
    };
    // `pnpm --filter NAME publish`
    let verbs = operands(words, &["-w", "--workspace", "--filter", "-F", "-C", "--prefix"]);
    match verbs.as_slice() {
        ["publish", ..] => {
            let packages = values(words, &FLAGS).into_iter().map(package);
            let tags = values(words, &["--tag"]);
            let tag = tags.first().copied().unwrap_or("latest");
            let packages = packages.chain(std::iter::once(Thing::new(ThingKind::DistTag, tag)));
            packages.chain(registry(words, &["--registry"], "npm")).collect()
        }
        ["unpublish" | "deprecate", name, ..] => at_version(name).collect(),
        ["dist-tag", _, name, ..] => at_version(name).collect(),
        _ => Vec::new(),
    }
}

fn of_cargo<'w>(words: &[&'w str]) -> Vec<Thing<'w>> {
    match words {
        ["publish", rest @ ..] => {
            let packages = values(rest, &["-p", "--package"]).into_iter().flat_map(at_version);
            packages.chain(registry(rest, &["--index"], "crates.io")).collect()
        }
        ["yank", rest @ ..] => {
            let versions = values(rest, &["--version", "--vers"]);
            let versions = versions.into_iter().filter_map(version);
            let named =
                operands(rest, &["--version", "--vers", "--index", "--registry", "--token"]);
            versions
                .map(|version| Thing::new(ThingKind::Version, version))
                .chain(named.into_iter().flat_map(at_version))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn of_python<'w>(words: &[&'w str]) -> Vec<Thing<'w>> {
    match words {
        ["publish" | "upload", rest @ ..] => {
            registry(rest, &["--repository-url", "--publish-url"], "pypi")
        }
        _ => Vec::new(),
    }
}

fn of_gem<'w>(words: &[&'w str]) -> Vec<Thing<'w>> {
    match words {
        ["push", rest @ ..] => registry(rest, &["--host"], "rubygems"),
        ["yank", rest @ ..] => {
            let versions = values(rest, &["-v", "--version"]);
            let versions = versions.into_iter().filter_map(version);
            let named = operands(rest, &["-v", "--version", "--platform", "-p", "--host", "-k"]);
            versions
                .map(|version| Thing::new(ThingKind::Version, version))
                .chain(named.into_iter().map(package))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn of_images<'w>(words: &[&'w str]) -> Vec<Thing<'w>> {
    let rest = match words {
        ["push", rest @ ..] | ["image" | "manifest", "push", rest @ ..] => rest,
        _ => return Vec::new(),
    };
    let image = operands(rest, &["--creds", "--authfile", "--format", "--platform"]);
    image.into_iter().take(1).map(|image| Thing::new(ThingKind::Image, image)).collect()
}

#[cfg(test)]
mod tests {
    use super::things;
    use crate::thing::ThingKind::{self, *};

    fn names(line: &str) -> Vec<(ThingKind, String)> {
        let words: Vec<&str> = line.split(' ').collect();
        let found = things(words.first().unwrap_or(&""), &words);
        found.into_iter().map(|thing| (thing.kind, thing.name.to_owned())).collect()
    }

    #[test]
    fn commands_are_about_what_they_name() {
        let all = |line: &str, wanted: &[(ThingKind, &str)]| {
            let wanted: Vec<_> =
                wanted.iter().map(|(kind, name)| (*kind, (*name).to_owned())).collect();
            assert_eq!(names(line), wanted, "{line}");
        };
        all("gh pr close 42 -c 1", &[(Request, "42")]);
        all("gh issue close 11 12", &[(Request, "11"), (Request, "12")]);
        all("gh api repos/a/b/pulls/42/merge -X PUT", &[(Request, "42")]);
        all("gh pr create --title 7", &[]);
        all("gh pr create --base main --fill", &[(Base, "main")]);
        all("gh release create v3.2.0 --notes x", &[(Version, "3.2.0")]);
        all("git push origin v1.2.4", &[(Version, "1.2.4"), (Remote, "origin")]);
        all("git push -u upstream main", &[(Remote, "upstream")]);
        let place = (Address, "git@x.dev:y");
        all("git remote set-url upstream git@x.dev:y", &[(Remote, "upstream"), place]);
        all("git push --tags", &[(Tags, "all")]);
        all("git commit -m 1.2", &[]);
        let latest = (DistTag, "latest");
        all("npm publish -w packages/a", &[(Package, "packages/a"), latest, (Ecosystem, "npm")]);
        all("npm unpublish @x/a@1.2.0", &[(Package, "@x/a"), (Version, "1.2.0")]);
        all("cargo publish -p a-b", &[(Package, "a-b"), (Ecosystem, "crates.io")]);
        all("cargo yank --version 0.3.0 a", &[(Version, "0.3.0"), (Package, "a")]);
        all("npm publish --registry https://npm.a.dev/x", &[latest, (Registry, "npm.a.dev")]);
        all("docker push a.io/b/c:1.3", &[(Image, "a.io/b/c:1.3")]);
        all("twine upload dist/a.whl", &[(Ecosystem, "pypi")]);
    }
}
