//! What a user forbids as a whole: to commit, to push, to add dependencies, to run something of a kind, to delete or to change
//! anything. All but the last hold until he says otherwise. Knows no rules.

use super::act::Act;
use super::acts::acts;
use super::dependencies::{Dependency, asked_dependency, forbids_dependencies, surely_adds};
use super::lexicon::deletes;
use super::reshaping::{asked_reshapings, forbidden_reshapings};
use super::runs::{asked_runs, forbidden_runs};
use super::sentences::{NEGATIONS, at_negation, clauses, has_alternatives};
use super::told::{is_told, plain_words, words};
use super::topics::{deletes_anything, whole_acts};
use super::wish::Wish;

/// Whether a clause, in lower case, says that nothing at all is to be deleted.
fn forbids_deletion(clause: &str) -> bool {
    const PHRASES: &[&str] = &[
        "no deletions",
        "nothing should be deleted",
        "nothing gets deleted",
        "nothing is to be deleted",
        "nothing may be deleted",
        "no files may be",
        "no file may be deleted",
        "no file may be removed",
        "no file gets deleted",
        "single file may be deleted",
        "single file may be removed",
        "single file gets deleted",
        "single file is deleted",
        "keep all files",
        "nothing should be removed",
        "nothing gets removed",
        "nothing may be removed",
    ];
    /// Which files are gone may be asked, too.
    const BEHIND_NO: &[&str] =
        &["files to disappear", "files to be deleted", "files to be removed", "files deleted"];
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| clause.contains(phrase));
    let (before, no, rest) = at_negation(clause);
    let is_no = !matches!(no, "" | "before" | "until" | "unless" | "instead" | "rather" | "except");
    if says(PHRASES) || is_no && says(BEHIND_NO) {
        return true;
    }
    is_no && !is_told(before, no) && deletes_anything(&plain_words(rest))
}

/// The acts that a sentence forbids as a whole, where `earlier` is the one before it, in lower case.
pub(super) fn forbidden(sentence: &str, earlier: &str) -> Vec<Act> {
    let lower = sentence.to_lowercase();
    let mut found = Vec::new();
    let mut is_list = false;
    let has_alternatives = has_alternatives(&lower);
    for clause in clauses(&lower) {
        let (before, no, rest) = at_negation(clause);
        // So ends what the user will do himself, where another language was put into English.
        let rest = rest.strip_suffix(" and i will do it").unwrap_or(rest);
        let own = if no == "nothing" && !before.trim().is_empty() {
            whole_acts(&format!("{before} {rest}"))
        } else if is_told(before, no) || waits_for_another(before, no) {
            Vec::new()
        } else if !no.is_empty() {
            whole_acts(rest)
        } else if is_list {
            whole_acts(clause)
        } else {
            Vec::new()
        };
        is_list = has_alternatives
            && (!own.is_empty() || !no.is_empty() && rest.split_whitespace().count() == 1);
        found.extend(own);
    }
    found.extend(forbids_dependencies(&lower).then_some(Act::Depend));
    found.extend(forbidden_runs(&lower, earlier));
    found.extend(forbidden_reshapings(&lower));
    found.extend(clauses(&lower).any(forbids_deletion).then_some(Act::Delete));
    found.extend(forbids_change(&lower).then_some(Act::Change));
    found
}

/// Whether what follows comes before something that is no word of the user's: he would look in between.
fn waits_for_another(before: &str, no: &str) -> bool {
    matches!(no, "before" | "until" | "unless") && !speaks_of_user(before)
}

fn speaks_of_user(text: &str) -> bool {
    words(text).any(|word| matches!(word.as_str(), "i" | "me" | "my" | "us" | "we" | "let's"))
}

/// Whether a sentence, in lower case, says that nothing at all is to be changed.
fn forbids_change(lower: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "read only",
        "read-only",
        "readonly",
        "only look",
        "look only",
        "just look",
        "analysis only",
        "only analysis",
        "explain only",
        "only explain",
        "review only",
        "only read",
        "nur lesen",
        "nur schauen",
        "nur gucken",
        "nur anschauen",
    ];
    const AROUND: &[&str] = &[
        "please", "pls", "plz", "for", "now", "mode", "here", "thanks", "at", "it", "this",
        "around",
    ];
    const DUTIES: &[&str] = &["should", "must", "shall", "may", "will", "would"];
    const PHRASES: &[&str] = &[
        "nichts ändern",
        "nichts verändern",
        "nichts anfassen",
        "ändere nichts",
        "ne change rien",
        "ne modifie rien",
        "ne touche à rien",
        "no cambies nada",
        "no modifiques nada",
        "no toques nada",
        "não mude nada",
        "não altere nada",
        "non cambiare nulla",
        "ничего не меняй",
        "ничего не трогай",
        "不要修改任何",
        "什么都不要改",
        "何も変更しないで",
    ];
    let begins = |clause: &str| {
        let clause = clause.trim_matches(|c: char| !c.is_alphanumeric());
        let rest = BEGINNINGS.iter().find_map(|phrase| clause.strip_prefix(phrase));
        // "Read only the header" forbids nothing.
        rest.is_some_and(|rest| words(rest).all(|word| AROUND.contains(&word.as_str())))
    };
    // What stands behind a "but" may be changed.
    let is_limited = |clause: &str| {
        let behind = lower.find(clause).and_then(|at| lower.get(at + clause.len()..));
        let all = [clause, behind.unwrap_or_default()];
        all.iter().any(|part| part.contains(" but ") || part.contains(" except "))
            || behind.is_some_and(|behind| behind.trim_start().starts_with("but "))
    };
    let says_no = |clause: &str| {
        let (before, no, rest) = at_negation(clause);
        // What is to be written may have a duty of its own.
        let has_duty = words(clause).any(|word| DUTIES.contains(&word.as_str()))
            && !words(clause).any(|word| word == "you" || word == "please");
        !matches!(no, "" | "before" | "until" | "unless")
            && !has_duty
            && !is_told(before, no)
            && is_of_any_change(rest)
    };
    clauses(lower).any(begins)
        || PHRASES.iter().any(|phrase| lower.contains(phrase))
        || clauses(lower).any(|clause| says_no(clause) && !is_limited(clause))
}

/// Whether words behind a no are about each change that may be made.
fn is_of_any_change(text: &str) -> bool {
    const CHANGES: &[&str] = &["changes", "edits", "modifications"];
    const CHANGING: &[&str] = &[
        "change",
        "changing",
        "edit",
        "editing",
        "modify",
        "modifying",
        "touch",
        "touching",
        "alter",
        "altering",
        "write",
        "writing",
        "fix",
        "fixing",
    ];
    const ANY: &[&str] = &["anything", "any", "files", "code", "everything"];
    const AROUND: &[&str] = &[
        "yet",
        "for",
        "now",
        "please",
        "pls",
        "plz",
        "at",
        "all",
        "in",
        "this",
        "the",
        "repo",
        "repository",
        "project",
        "codebase",
        "here",
        "file",
        "or",
        "and",
        "delete",
        "create",
        "add",
        "first",
        "still",
        "thanks",
    ];
    const BEFORE: &[&str] =
        &["make", "making", "do", "any", "actually", "please", "code", "file", "to", "go", "start"];
    let words: Vec<String> = words(text).collect();
    let leading = words.iter().take_while(|word| BEFORE.contains(&word.as_str())).count();
    let Some(word) = words.get(leading).map(String::as_str) else { return false };
    let rest = words.get(leading + 1..).unwrap_or_default();
    let is_any = |word: &String| ANY.contains(&word.as_str()) || CHANGES.contains(&word.as_str());
    // "Don't fix it yet" is about what is to be found out.
    let is_around = |word: &String| {
        AROUND.contains(&word.as_str())
            || is_any(word)
            || CHANGING.contains(&word.as_str())
            || word == "it" && matches!(words.get(leading).map(String::as_str), Some("fix"))
    };
    let is_bare = CHANGES.contains(&word);
    let is_whole = CHANGING.contains(&word)
        && (rest.iter().any(is_any)
            || rest.first().is_none_or(|next| next == "yet")
            || word == "fix" && rest.first().is_some_and(|next| next == "it"));
    (is_bare || is_whole) && rest.iter().all(is_around)
}

/// The acts that clauses ask for, so that they are forbidden no more: who wants something pushed wants it committed.
pub fn asked_for(clauses: &[String]) -> Vec<Act> {
    const FINE: &[&str] = &["fine", "ok", "okay", "allowed", "good"];
    let mut found: Vec<Act> = clauses
        .iter()
        .flat_map(|clause| {
            let passive = words(clause).collect::<Vec<_>>();
            let of_passive = passive.windows(2).filter_map(|pair| match pair {
                [be, done] if matches!(be.as_str(), "be" | "get" | "getting") => Act::of(done),
                _ => None,
            });
            let of_allowed = passive.windows(3).filter_map(|words| match words {
                [act, is, fine] if is == "is" || is == "are" => {
                    FINE.contains(&fine.as_str()).then(|| Act::of(act)).flatten()
                }
                _ => None,
            });
            let of_passive = of_passive.chain(of_allowed);
            let acts = acts(clause);
            let is_any = |act: &String| asked_dependency(act) == Some(Dependency::Any);
            let depends = acts.iter().any(is_any).then_some(Act::Depend);
            let of_acts = acts.iter().filter_map(|act| of_act(act));
            let runs = acts.iter().flat_map(|act| asked_runs(act));
            let runs = runs.chain(acts.iter().flat_map(|act| asked_reshapings(act)));
            let deletes = acts.iter().any(|act| {
                let mut words = words(act);
                let verb = words.next().unwrap_or_default();
                deletes(&verb) || verb == "get" && words.next().is_some_and(|next| next == "rid")
            });
            // "That file can go."
            let may_go = passive.windows(2).any(|pair| match pair {
                [can, go] => {
                    matches!(can.as_str(), "can" | "may" | "should") && go == "go"
                        || can == "be" && (go == "deleted" || go == "removed")
                }
                _ => false,
            });
            let deletes = (deletes || may_go).then_some(Act::Delete);
            of_acts.chain(of_passive).chain(depends).chain(runs).chain(deletes).collect::<Vec<_>>()
        })
        .collect();
    // Who asks for one thing alone has not asked for others.
    let is_single = |clause: &String| {
        let lower = clause.to_lowercase();
        ["just that one", "only that one", "that one only", "just this one", "only this one"]
            .iter()
            .any(|phrase| lower.contains(phrase))
    };
    if clauses.iter().any(is_single) {
        found.retain(|act| *act != Act::Depend);
    }
    if found.contains(&Act::Push) {
        found.push(Act::Commit);
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a message says no more than that what was forbidden may be done: "ok now you can".
pub fn gives_leave(text: &str) -> bool {
    const WORDS: &[&str] =
        &["ok", "okay", "yes", "alright", "now", "you", "can", "may", "do", "it", "go", "ahead"];
    const MAX_WORDS: usize = 6;
    let lower = text.to_lowercase();
    let words = plain_words(&lower);
    let has = |word: &str| words.contains(&word);
    words.len() <= MAX_WORDS
        && words.iter().all(|word| WORDS.contains(word))
        && has("now")
        && has("you")
        && (has("can") || has("may"))
}

/// The packages that clauses ask for by their names.
pub fn packages_asked_for(clauses: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for act in clauses.iter().flat_map(|clause| acts(clause)) {
        if let Some(Dependency::Named(mut names)) = asked_dependency(&act) {
            found.append(&mut names);
        }
    }
    found
}

/// Whether clauses surely ask for a package.
pub fn surely_add_packages(clauses: &[String]) -> bool {
    clauses.iter().flat_map(|clause| acts(clause)).any(|act| surely_adds(&act))
}

/// The acts that clauses name themselves.
fn named(clauses: &[String]) -> impl Iterator<Item = Act> + '_ {
    let acts = clauses.iter().flat_map(|clause| acts(clause));
    acts.filter_map(|act| words(&act).find(|word| word != "git").and_then(|verb| Act::of(&verb)))
}

/// The hashes of what an agent offers of what may be forbidden.
pub fn offered(clauses: &[String]) -> Vec<u64> {
    let is_lasting = |act: &Act| Act::LASTING.contains(act);
    let needed = asked_for(clauses).into_iter().filter(is_lasting).map(Act::needed_hash);
    let packages = packages_asked_for(clauses);
    let marker = (!packages.is_empty()).then(|| Wish::Package("").hash());
    let packages = packages.iter().map(|name| Wish::Package(name).hash()).chain(marker);
    let packages: Vec<u64> = packages.collect();
    needed.chain(named(clauses).map(Act::offer_hash)).chain(packages).collect()
}

/// Whether an act is to go to a branch, or to make one: "switch to main", "check out the other branch", "create a new branch".
fn goes_to_branch(act: &str) -> bool {
    const MAKING: &[&str] = &["create", "make", "open", "cut", "start"];
    const DEFAULTS: &[&str] = &["main", "master", "develop", "trunk"];
    // A file may be called as a branch is: "check src/main.rs".
    let words = act.split_whitespace().map(|word| word.trim_end_matches([',', '.', '!']));
    let is_leading = |word: &&str| {
        matches!(*word, "ok" | "okay" | "yes" | "then" | "now" | "so" | "well" | "please" | "just")
    };
    let words: Vec<&str> = words.skip_while(is_leading).collect();
    let (goes, rest) = match words.as_slice() {
        // "Make a branch x for it": what only leads over to an act is left out of it.
        ["branch", ..]
        | ["a" | "an" | "another" | "new", "branch", ..]
        | ["a" | "another", "new" | "feature" | "separate", "branch", ..] => return true,
        ["switch" | "checkout", "to", rest @ ..]
        | ["check", "out", rest @ ..]
        | ["go" | "move" | "change", "back", "to", rest @ ..]
        // "Go" may only lead over to what is asked for.
        | ["back", "to", rest @ ..]
        | ["go" | "move" | "change", "to", rest @ ..]
        | ["switch" | "checkout", rest @ ..] => (true, rest),
        [verb, rest @ ..] => (MAKING.contains(verb) && !rest.is_empty(), rest),
        [] => return false,
    };
    let is_branch = rest.iter().any(|word| matches!(*word, "branch" | "branches"));
    let makes = words.first().is_some_and(|verb| MAKING.contains(verb));
    goes && (is_branch || !makes && rest.first().is_some_and(|name| DEFAULTS.contains(name)))
}

/// What an act, its verb first, asks for.
fn of_act(act: &str) -> Option<Act> {
    /// What cannot be done without a push.
    const SHARING: &[&str] = &["publish", "release", "ship", "land", "deploy", "upload"];
    const MAKING: &[&str] = &["open", "create", "file", "raise", "make", "submit", "put", "draft"];
    const REQUESTS: &[&str] = &["pr", "mr", "pull", "merge"];
    const CHANGING: &[&str] = &[
        "fix",
        "change",
        "update",
        "implement",
        "rename",
        "refactor",
        "delete",
        "remove",
        "move",
        "edit",
        "replace",
        "rewrite",
        "port",
        "migrate",
        "convert",
        "bump",
        "install",
        "format",
        "apply",
        "generate",
        "add",
        "write",
        "create",
        "make",
        "put",
        "drop",
        "clean",
        "undo",
        "revert",
        "restore",
        "adjust",
        "improve",
        "correct",
    ];
    /// What is told, and not changed.
    const TELLING: &[&str] = &[
        "summary",
        "list",
        "report",
        "overview",
        "plan",
        "explanation",
        "review",
        "note",
        "notes",
        "table",
        "proposal",
        "suggestion",
        "suggestions",
        "sure",
        "sense",
    ];
    /// What may stand behind an act that is made, where it is no other thing: not "a commit hook".
    const BEHIND: &[&str] = &["for", "with", "and", "now", "of", "that", "then", "to", "please"];
    /// Where ideas and dates are pushed to.
    const ELSEWHERE: &[&str] =
        &["back", "down", "harder", "further", "forward", "through", "past", "out", "into", "plan"];
    let words: Vec<String> = words(act).collect();
    let is_article = |word: &str| matches!(word, "a" | "the" | "another" | "one");
    // "Make a commit": what is made is the act.
    let is_noun = words.first().is_some_and(|word| is_article(word));
    let is_before = |word: &&str| is_article(word) || *word == "git";
    let mut words = words.iter().map(String::as_str).skip_while(is_before).peekable();
    let verb = words.next()?;
    if goes_to_branch(act) {
        return Some(Act::Switch);
    }
    if is_noun && words.peek().is_some_and(|next| !BEHIND.contains(next)) {
        return None;
    }
    let is_other = words.clone().take(4).any(|word| ELSEWHERE.contains(&word));
    if is_other && matches!(Act::of(verb), Some(Act::Commit | Act::Push)) {
        return None;
    }
    let own = Act::of(verb).or_else(|| (verb == "amend").then_some(Act::Commit));
    if own.is_some() || SHARING.contains(&verb) || verb.starts_with("force-push") {
        return own.or(Some(Act::Push));
    }
    let object: Vec<&str> = words.take(5).collect();
    if MAKING.contains(&verb) && object.iter().any(|word| REQUESTS.contains(word)) {
        return Some(Act::Push);
    }
    let is_told = object.iter().any(|word| TELLING.contains(word));
    (CHANGING.contains(&verb) && !is_told).then_some(Act::Change)
}

/// Whether a message is a no to what was offered, and nothing that takes it back.
pub fn declines(text: &str) -> bool {
    /// A longer answer says more than no.
    const MAX_NO: usize = 80;
    const SAYING: &[&str] = &[
        "no", "nope", "nah", "not", "never", "later", "leave", "skip", "wait", "hold", "nein",
        "nee", "non", "нет", "noch", "pas", "todavía", "aún",
    ];
    const NO_OBJECTION: &[&str] =
        &["problem", "problems", "worries", "objection", "objections", "need", "issue"];
    const LEADING: &[&str] =
        &["pls", "please", "plz", "oh", "hm", "hmm", "uh", "um", "ah", "ok", "well"];
    let lower = text.trim().to_lowercase();
    let mut words = words(&lower).skip_while(|word| LEADING.contains(&word.as_str()));
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    let is_no = SAYING.contains(&first.as_str()) || NEGATIONS.contains(&first.as_str());
    text.len() <= MAX_NO && is_no && !NO_OBJECTION.contains(&second.as_str())
}

#[cfg(test)]
mod tests {
    use super::{Act, asked_for, declines, forbidden};
    use crate::message::Said;

    #[track_caller]
    fn forbids(sentence: &str, acts: &[Act]) {
        assert_eq!(forbidden(sentence, ""), acts, "{sentence}");
    }

    #[test]
    fn a_no_to_each_deletion_is_heard() {
        for sentence in ["do not delete any files", "please don't remove anything yet"] {
            forbids(sentence, &[Act::Delete]);
        }
        for sentence in
            ["don't delete any rows", "the job does not delete anything", "delete any files"]
        {
            forbids(sentence, &[]);
        }
    }

    #[test]
    fn a_no_in_another_language_is_heard() {
        let forbids = |text: &str| Said::of(text).forbidden;
        assert_eq!(forbids("arréglalo pero no hagas commits, los hago yo"), [Act::Commit]);
        assert_eq!(forbids("bitte nichts committen und nichts pushen"), [Act::Commit, Act::Push]);
        assert_eq!(forbids("keine commits bitte"), [Act::Commit]);
        assert_eq!(forbids("no hagas push todavía"), [Act::Push]);
        assert_eq!(forbids("ne fais pas de commit"), [Act::Commit]);
        assert_eq!(forbids("corrige-le mais ne fais pas de commit, je relis"), [Act::Commit]);
        assert_eq!(forbids("erstmal nichts pushen"), [Act::Push]);
        assert_eq!(forbids("sin dependencias nuevas"), [Act::Depend]);
        // Where nothing is to be changed is not everywhere.
        assert_eq!(forbids("am config ordner bitte nichts ändern"), []);
        assert_eq!(forbids("bitte nichts ändern"), [Act::Change]);
        assert_eq!(
            forbids("look into this but dont modify any files yet:\npanic: a"),
            [Act::Change]
        );
        assert_eq!(forbids("don't change anything but the tests"), []);
    }

    #[test]
    fn a_no_to_an_act_as_a_whole_is_heard() {
        for sentence in [
            "no commits pls",
            "commit nothing for now",
            "hold off on committing",
            "don't commit, I want to review first",
            "don't commit yet",
            "fix it without committing",
            "show me the diff before committing",
            "do not commit until I have looked at it",
            "never commit without asking",
            "don't make any commits",
            "nothing should be committed",
            "stop committing after every step pls",
            "but do not commits and i will do it",
        ] {
            forbids(sentence, &[Act::Commit]);
        }
        for sentence in ["don't merge anything", "do not merge yet"] {
            forbids(sentence, &[Act::Merge]);
        }
        for sentence in ["don't rebase this branch, others work on it", "no rebasing please"] {
            forbids(sentence, &[Act::Rebase]);
        }
        for sentence in [
            "never push anything in this session",
            "push nothing",
            "Do not push my changes to the remote",
            "commit it, but don't push",
        ] {
            forbids(sentence, &[Act::Push]);
        }
        for sentence in [
            "no git stuff, I do that",
            "do not commit or push",
            "don't stage, commit, or push",
            "don't commit/push",
            "don't touch git",
        ] {
            forbids(sentence, &[Act::Commit, Act::Push]);
        }
    }

    #[test]
    fn a_no_to_a_part_is_none_to_all() {
        for sentence in [
            "don't commit the lockfile",
            "don't merge the two functions",
            "no merge conflicts please",
            "don't push to main",
            "no commit message please",
            "no push notifications",
            "run the tests before committing",
            "don't push before the tests pass",
            "there is no git in this container",
            "the app doesn't push",
            "the CI does not commit anything",
            "why does it not commit",
            "users can't push",
            "don't use git add -A",
            "commit it",
            "don't change the API",
            "don't touch services/",
            "don't change anything else",
            "don't change anything but the docs",
            "make the field read-only",
            "read only the header and tell me what is in it",
            "read-only mode is broken",
            "the formatter must not change any code",
            "the server does not write anything",
            "no changes to the tests",
            "refactor it without changing behaviour",
        ] {
            forbids(sentence, &[]);
        }
    }

    #[test]
    fn who_only_wants_something_looked_at_forbids_changes() {
        for sentence in [
            "only look, don't change anything",
            "read only please, no edits",
            "don't touch any files",
            "find the bug, don't fix it yet",
            "please make no changes",
            "nur schauen, nichts ändern",
            "review the code, read-only",
            "do not edit or write any code",
        ] {
            forbids(sentence, &[Act::Change]);
        }
    }

    #[test]
    fn who_asks_for_an_act_forbids_it_no_more() {
        let asks = |clause: &str| asked_for(&[clause.to_owned()]);
        for clause in [
            "switch to main",
            "check out the other branch",
            "go back to main",
            "create a new branch for it",
            "branch off",
        ] {
            assert!(asks(clause).contains(&Act::Switch), "{clause}");
        }
        for clause in [
            "check src/main.rs",
            "go through main.rs",
            "check the branch coverage",
            "switch the parser over",
            "change the main page",
        ] {
            assert!(!asks(clause).contains(&Act::Switch), "{clause}");
        }
        assert_eq!(asks("ok now commit"), [Act::Commit]);
        assert_eq!(asks("you can push now"), [Act::Commit, Act::Push]);
        assert_eq!(asks("open a pull request"), [Act::Commit, Act::Push]);
        assert_eq!(asks("merge it into main"), [Act::Merge]);
        assert_eq!(asks("rebase onto main"), [Act::Rebase]);
        assert_eq!(asks("it can be committed"), [Act::Commit]);
        assert_eq!(asks("make a commit for it"), [Act::Commit]);
        assert_eq!(asks("commits are fine now"), [Act::Commit]);
        assert_eq!(asks("create a commit hook"), [Act::Change]);
        assert_eq!(asks("push back if it is bad"), []);
        assert_eq!(asks("also rename foo to bar"), [Act::Rename, Act::Change]);
        assert_eq!(asks("write a summary"), []);
        assert_eq!(asks("install lodash"), [Act::Network, Act::Change]);
        assert_eq!(asks("install what you need"), [Act::Depend, Act::Network, Act::Change]);
        assert_eq!(asks("run the tests"), [Act::Test, Act::Suite]);
        assert_eq!(asks("use zod, but just that one"), []);
        assert!(asks("you can run them now").contains(&Act::Test));
        assert_eq!(asks("you can delete v1 now"), [Act::Delete, Act::Change]);
        assert!(declines("not yet") && declines("No, thanks.") && declines("don't"));
        assert!(!declines("no problem, go ahead") && !declines("yes"));
    }
}
