//! Which remote a `git push` of a line goes to, and which remotes the line itself sets up. Source: `git help push`, `git
//! help clone`, `git help remote`, and "GIT URLS" in the first.

use behavior_shell::touched::own_name;
use behavior_shell::{HOLE, Word};

use super::shape::{Matcher, NamedWords};

/// What a push says of its remote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remote {
    /// It is this folder.
    Folder(String),
    /// It has a name, or none.
    Named,
}

/// A remote that a command of a line sets up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetUp {
    /// The command that does.
    pub command: u32,
    /// The folder of the repository that gets it, where the command makes that.
    pub into: Option<String>,
    /// The folder that it is; `None` where it is no folder of this machine, or nobody knows.
    pub folder: Option<String>,
}

impl Matcher<'_> {
    /// The remote of a command that pushes; `None` where nobody knows, or settings may say otherwise.
    pub(crate) fn remote_of(&mut self, index: usize) -> Option<Remote> {
        let NamedWords { program: "git", operands, flags } = self.named_words(index)? else {
            return None;
        };
        let [subcommand, rest @ ..] = operands.as_slice() else { return None };
        let is_set = |(flag, _): &(String, Option<Word>)| {
            matches!(&**flag, "c" | "config-env" | "repo" | "git-dir")
        };
        if self.text(subcommand) != "push" || flags.iter().any(is_set) {
            return None;
        }
        let Some(remote) = rest.first() else { return Some(Remote::Named) };
        let text = self.text(remote);
        match text.starts_with('.') || text.contains(['/', '~', ':', HOLE]) {
            true => folder(text).map(Remote::Folder),
            false => Some(Remote::Named),
        }
    }

    /// The remotes that the line sets up, in the order of its commands.
    pub(crate) fn remotes_set_up(&mut self) -> Vec<SetUp> {
        let mut all = Vec::new();
        for index in 0..self.commands() {
            let Some(NamedWords { program: "git", operands, .. }) = self.named_words(index) else {
                continue;
            };
            let texts: Vec<&str> = operands.iter().map(|word| self.text(word)).collect();
            let (into, url) = match texts.as_slice() {
                ["clone", url] => (Some(own_name(url).to_owned()), *url),
                ["clone", url, into] => (Some((*into).to_owned()), *url),
                ["remote", "add", _, url] | ["remote", "set-url", _, url] => (None, *url),
                // Whatever else it sets up, nobody looks.
                ["clone" | "remote", ..] => (None, ""),
                ["config", rest @ ..] if rest.iter().any(|text| is_about_remotes(text)) => {
                    (None, "")
                }
                _ => continue,
            };
            all.push(SetUp { command: index as u32, into, folder: folder(url) });
        }
        all
    }
}

/// The folder of this machine that a URL of git is; `None` where it is none, or nobody knows.
#[must_use]
pub fn folder(url: &str) -> Option<String> {
    let path = url.strip_prefix("file://").unwrap_or(url);
    let is_host = path.split('/').next().is_some_and(|head| head.contains(':'));
    let is_known = !path.is_empty() && !path.contains(HOLE) && !path.contains("://");
    (is_known && !is_host).then(|| path.to_owned())
}

/// Whether a setting may say where a push goes.
fn is_about_remotes(setting: &str) -> bool {
    const STARTS: [&str; 5] = ["remote.", "url.", "branch.", "include", "push."];
    let setting = setting.to_ascii_lowercase();
    setting.contains(HOLE) || STARTS.iter().any(|start| setting.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::{folder, own_name};

    #[test]
    fn folders_are_told_from_hosts() {
        for (url, is_folder) in [
            ("/tmp/a.git", true),
            ("../a", true),
            ("a.git", true),
            ("file:///tmp/a", true),
            ("git@host:a/b.git", false),
            ("host:a", false),
            ("https://host/a", false),
            ("ssh://host/a", false),
            ("", false),
        ] {
            assert_eq!(folder(url).is_some(), is_folder, "{url}");
        }
    }

    #[test]
    fn clones_are_called_as_git_calls_them() {
        for (url, name) in [("/tmp/a.git", "a"), ("x/b/", "b"), ("h:c.git", "c"), ("d/.git", "d")] {
            assert_eq!(own_name(url), name, "{url}");
        }
    }
}
