//! Where a command line pushes to with `git push` and what is like it: the branch that it names, else the one that is
//! checked out. Source: `git help push`, of refspecs and of `--all`, `--mirror` and `--delete`; `git help send-pack`; the
//! manual of `git subtree`.

use behavior_shell::{HOLE, Word};

use super::shape::{Matcher, NamedWords};

/// Where one push goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pushed {
    /// To the branch of this name.
    To(String),
    /// To the one that is checked out, or to what is set up for it.
    CheckedOut,
    /// To every branch.
    Everything,
    /// Nobody knows.
    Unknown,
}

/// What the flags of a push say of what it pushes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Named {
    Everything,
    Tags,
    /// What stands behind the remote.
    ByWords,
}

/// No more names that a line gives to branches are looked at.
const MAX_NAMES: usize = 16;

/// The flags that make a new branch and check it out.
const NEW_BRANCH: [&str; 7] = ["b", "B", "c", "C", "create", "force-create", "orphan"];

/// How a name of a branch begins in full, and shortened.
const HEADS: [&str; 2] = ["refs/heads/", "heads/"];

/// Where settings begin that say what a push pushes that names nothing.
const SETTINGS: [&str; 3] = ["remote.", "branch.", "push.default"];

impl Matcher<'_> {
    /// Where the line pushes to, in the order of its commands, each with the command that does.
    pub(crate) fn pushes(&mut self) -> Vec<(u32, Pushed)> {
        let mut all = Vec::new();
        // What the line itself checks out before it pushes.
        let mut checked_out = None;
        let mut renamed: Vec<Word> = Vec::new();
        for index in 0..self.commands() {
            let mut pushed = Vec::new();
            let Some(NamedWords { program: "git", operands, flags }) = self.named_words(index)
            else {
                continue;
            };
            let [subcommand, rest @ ..] = operands.as_slice() else { continue };
            let has = |names: &[&str]| flags.iter().any(|(flag, _)| names.contains(&&**flag));
            match self.text(subcommand) {
                "checkout" | "switch" => {
                    let is_new = |(flag, _): &&(String, _)| NEW_BRANCH.contains(&&**flag);
                    let new = flags.iter().find(is_new).and_then(|(_, value)| *value);
                    checked_out = match (new, rest) {
                        (Some(name), _) => Some(self.to(&name)),
                        // The one that was checked out before.
                        _ if has(&["-"]) => Some(Pushed::Unknown),
                        (None, [name]) if self.text(name).starts_with('@') => Some(Pushed::Unknown),
                        (None, [name]) => Some(self.to(name)),
                        // With a start point, or files that are restored.
                        _ => checked_out,
                    };
                }
                // Another name for the branch that is checked out, if that is the one that is named.
                "branch" if has(&["m", "M", "move"]) => renamed.extend(rest.last().copied()),
                "symbolic-ref" => {
                    if let [head, target] = rest
                        && self.text(head) == "HEAD"
                    {
                        checked_out = Some(self.to(target));
                    }
                }
                "subtree" => {
                    if let [action, rest @ ..] = rest
                        && self.text(action) == "push"
                    {
                        self.targets(rest, Named::ByWords, &mut pushed);
                    }
                }
                "push" | "send-pack" if !has(&["n", "dry-run", "h", "help"]) => {
                    let is_set = flags.iter().any(|(flag, value)| {
                        flag == "c" && value.is_some_and(|value| self.is_setting(&value))
                    });
                    let from = pushed.len();
                    let named = match (has(&["all", "mirror", "branches"]), has(&["tags"])) {
                        (true, _) => Named::Everything,
                        (false, true) => Named::Tags,
                        (false, false) => Named::ByWords,
                    };
                    self.targets(rest, named, &mut pushed);
                    let is_open = pushed.iter().skip(from).any(|own| *own == Pushed::CheckedOut);
                    for own in pushed.iter_mut().skip(from) {
                        match (&own, &checked_out) {
                            (Pushed::CheckedOut, _) if is_set => *own = Pushed::Unknown,
                            (Pushed::CheckedOut, Some(branch)) => *own = branch.clone(),
                            _ => {}
                        }
                    }
                    if is_open {
                        let names = renamed.iter().take(MAX_NAMES).map(|name| self.to(name));
                        pushed.extend(names);
                        pushed.extend((renamed.len() > MAX_NAMES).then_some(Pushed::Unknown));
                    }
                }
                _ => {}
            }
            all.extend(pushed.into_iter().map(|own| (index as u32, own)));
        }
        all
    }

    /// Whether a word sets what a push pushes that names nothing.
    fn is_setting(&self, word: &Word) -> bool {
        let text = self.text(word).to_ascii_lowercase();
        word.has_hole() || SETTINGS.iter().any(|start| text.starts_with(start))
    }

    /// The branch that a word names.
    fn to(&self, name: &Word) -> Pushed {
        let text = self.text(name);
        let branch = HEADS.iter().find_map(|head| text.strip_prefix(head)).unwrap_or(text);
        if name.has_hole() { Pushed::Unknown } else { Pushed::To(branch.to_owned()) }
    }

    fn targets(&self, operands: &[Word], named: Named, pushed: &mut Vec<Pushed>) {
        if named == Named::Everything {
            return pushed.push(Pushed::Everything);
        }
        let refspecs = operands.get(1..).unwrap_or_default();
        if refspecs.is_empty() {
            // A remote that is not known may be several words.
            return match named {
                _ if operands.iter().any(Word::has_hole) => pushed.push(Pushed::Unknown),
                // Tags stand for what else would be pushed.
                Named::Tags => {}
                _ => pushed.push(Pushed::CheckedOut),
            };
        }
        let mut is_tag = false;
        for refspec in refspecs {
            let is_named_tag = std::mem::take(&mut is_tag);
            let text = self.text(refspec);
            is_tag = !is_named_tag && text == "tag";
            if is_named_tag || is_tag {
                continue;
            }
            // In the rounds of a loop it is one after the other.
            match self.in_rounds(refspec) {
                None if refspec.is_of_branch() && is_all_unknown(text) => {
                    pushed.push(Pushed::CheckedOut);
                }
                Some(texts) => pushed.extend(texts.iter().filter_map(|text| target(text))),
                None => {
                    let may_be = self.may_be(refspec);
                    pushed.extend(may_be.iter().filter_map(|text| target(text)));
                    pushed.extend(target(text));
                }
            }
        }
    }
}

/// Whether nothing of where a refspec pushes to is known.
fn is_all_unknown(refspec: &str) -> bool {
    let to = refspec.rsplit(':').next().unwrap_or(refspec);
    let to = HEADS.iter().find_map(|head| to.strip_prefix(head)).unwrap_or(to);
    to.trim_start_matches('+').chars().eq([HOLE])
}

/// Where a refspec pushes to; `None` for a tag.
fn target(refspec: &str) -> Option<Pushed> {
    let text = refspec.trim_start_matches('+');
    let target = text.rsplit_once(':').map_or(text, |(_, target)| target);
    let name = HEADS.iter().find_map(|head| target.strip_prefix(head)).unwrap_or(target);
    Some(match name {
        _ if name.starts_with("refs/tags/") => return None,
        _ if target.contains(HOLE) => Pushed::Unknown,
        "" if text == ":" => Pushed::Everything,
        "" | "HEAD" | "@" => Pushed::CheckedOut,
        _ if name.contains('*') => Pushed::Everything,
        _ => Pushed::To(name.to_owned()),
    })
}
