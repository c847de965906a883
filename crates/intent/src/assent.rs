//! Whether a message is a yes to what was offered. Knows nothing of what that was.

use super::acts::acts;
use super::sentences::NEGATIONS;
use super::wish::{Wish, is_path, name};

/// A longer answer is more than a yes, in bytes.
const MAX_ASSENT: usize = 80;

/// What is a yes where no more than politeness stands behind it.
const ASSENTS: &[&str] = &[
    "y",
    "ok",
    "okay",
    "sure",
    "go",
    "please",
    "both",
    "why not",
    "make it so",
    "all three",
    "all of them",
    "weg damit",
    "go for it",
    "do that",
    "do so",
    "let's do it",
    "let’s do it",
    "let's go",
    "let’s go",
    "sounds good",
    "sounds great",
    "looks good",
    "looks great",
    "look good",
    "all good",
    "works for me",
    "that works",
    "fine",
    "perfect",
    "great",
    "agreed",
    "confirm",
    "confirmed",
    "correct",
    "approve",
    "lgtm",
    "proceed",
    "continue",
    "go on",
    "👍",
    "absolutely",
    "of course",
    "好",
    "好的",
    "可以",
    "行",
    "嗯",
    "对",
    "继续",
    "可以的",
    "没问题",
    "はい",
    "お願いします",
    "네",
    "응",
];

/// What is a yes whatever else is said behind it.
const STRONG: &[&str] = &[
    "yes",
    "yep",
    "yeah",
    "yea",
    "ye",
    "yess",
    "yup",
    "sure thing",
    "surely",
    "definitely",
    "jup",
    "jep",
    "jo",
    "klar",
    "passt",
    "gerne",
    "claro",
    "bien sûr",
    "be my guest",
    "by all means",
    "knock yourself out",
    "have at it",
    "fire away",
    "sounds like a plan",
    "go ahead",
    "do it",
    "please do",
    "approved",
    "ja",
    "mach das",
    "mach es",
    "oui",
    "vas-y",
    "sí",
    "hazlo",
    "dale",
    "adelante",
    "sim",
    "sì",
    "да",
    "давай",
    "是的",
];

/// The same, with a no in it that says none.
const UNOPPOSED: &[&str] = &[
    "don't see why not",
    "dont see why not",
    "don’t see why not",
    "can't see why not",
    "cant see why not",
    "see no reason not to",
    "no objections",
    "no objection",
    "nothing against it",
    "nothing against that",
];

/// Words that say nothing of their own behind a yes.
const POLITE: &[&str] = &[
    "please", "thanks", "thank", "you", "go", "ahead", "do", "it", "that", "this", "so", "yes",
    "ok", "sure", "good", "great", "looks", "sounds", "lgtm", "proceed", "continue", "to", "me",
    "all", "then", "now", "perfect", "fine", "be", "gone", "with", "away", "get", "rid", "of",
];

/// Words that take back what sounds like a yes.
const REFUSALS: &[&str] = &[
    "cancel", "abort", "wait", "leave", "nope", "forget", "later", "myself", "risky", "actually",
    // One of what was offered.
    "second", "latter", "former", "option",
];

/// What people say before a yes, that they see it, or do not like it, and whether it is a yes by itself.
const LEADS: &[(&str, bool)] = &[
    ("lol", false),
    ("haha", false),
    ("omg", false),
    ("damn", false),
    ("oops", false),
    ("fair", false),
    ("if u must", true),
    ("if you have to", true),
    ("if u have to", true),
    ("i guess", false),
    ("guess so", true),
    ("naja", false),
    ("na gut", true),
    ("oh", false),
    ("hm", false),
    ("hmm", false),
    ("hmmm", false),
    ("ah", false),
    ("ahh", false),
    ("well", false),
    ("ugh", false),
    ("argh", false),
    ("meh", false),
    ("true", false),
    ("i see", false),
    ("alright then", true),
    ("alright", true),
    ("right", false),
    ("you're right", false),
    ("you’re right", false),
    ("youre right", false),
    ("ur right", false),
    ("good point", false),
    ("fair enough", true),
    ("fair point", false),
    ("makes sense", true),
    ("if you must", true),
    ("good catch", false),
    ("nice catch", false),
];

/// A text without what people say before a yes.
fn without_lead(text: &str) -> &str {
    let mut rest = text;
    loop {
        let stripped = LEADS.iter().filter_map(|(lead, _)| {
            let behind = rest.strip_prefix(lead)?;
            let ends = behind.chars().next().is_none_or(|sign| !sign.is_alphanumeric());
            ends.then(|| behind.trim_start_matches([' ', ',', '.', '!', '…', '-']))
        });
        // The longest: "fair enough" is more than "fair".
        match stripped.min_by_key(|behind| behind.len()) {
            Some(behind) => rest = behind,
            None => return rest,
        }
    }
}

/// Whether a message says yes, and nothing that takes it back.
pub fn is_assent(text: &str) -> bool {
    let lower = text.trim().to_lowercase();
    let text = without_lead(&lower);
    if text.is_empty() {
        let said = lower.trim_end_matches(['.', '!']);
        return LEADS.iter().any(|(lead, grants)| *grants && said.ends_with(lead));
    }
    let behind = |phrase: &&str| {
        let rest = text.strip_prefix(*phrase)?;
        rest.chars().next().is_none_or(|c| !c.is_alphanumeric()).then_some(rest)
    };
    // What may be mere politeness is a yes where nothing else is said.
    let is_polite = || {
        ASSENTS.iter().filter_map(behind).any(|rest| {
            let mut words =
                rest.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.all(|word| POLITE.contains(&word))
        })
    };
    // "Sure looks broken" tells how it looks.
    let is_sure = || {
        const TELLING: &[&str] = &[
            "looks", "is", "was", "seems", "does", "did", "has", "feels", "sounds", "took",
            "would", "enough",
        ];
        let rest = behind(&"sure");
        rest.is_some_and(|rest| {
            rest.split_whitespace().next().is_none_or(|word| !TELLING.contains(&word))
        })
    };
    let is_yes =
        || STRONG.iter().chain(UNOPPOSED).find_map(behind).is_some() || is_sure() || is_polite();
    text.len() <= MAX_ASSENT && !text.contains('?') && is_yes() && !refuses(text) && !depends(text)
}

/// Whether an answer, in lower case, is one only once something is so, or at another time: "yes, once ci is green". What the one
/// who asked sees to is no condition: "yes, if you like", "when you're ready".
pub(super) fn depends(text: &str) -> bool {
    const CONDITIONS: &[&str] = &[
        "if", "once", "when", "after", "provided", "assuming", "wenn", "sobald", "falls", "quand",
        "cuando",
    ];
    const LATER: &[&str] = &[
        "tomorrow", "tonight", "morgen", "später", "erst", "warte", "wart", "demain", "tard",
        "attends", "mañana", "luego", "espera",
    ];
    const FREE: &[&str] = &[
        "you",
        "u",
        "you're",
        "you’re",
        "youre",
        "possible",
        "needed",
        "necessary",
        "ready",
        "done",
        "that",
        "this",
        "so",
        "du",
        "tu",
    ];
    let words: Vec<&str> = text
        .split(|sign: char| !sign.is_alphanumeric() && sign != '\'' && sign != '’')
        .filter(|word| !word.is_empty())
        .collect();
    let is_condition = |at: usize| {
        words.get(at).is_some_and(|word| CONDITIONS.contains(word))
            && words.get(at + 1).is_none_or(|next| !FREE.contains(next))
    };
    words.iter().any(|word| LATER.contains(word)) || (0..words.len()).any(is_condition)
}

/// A yes to a part of what was offered, by the names of what is meant, or is not: "yes, but keep docs/old".
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InPart {
    /// Whether it is a yes to all but what is named, and not to that alone.
    pub is_all_but: bool,
    /// Whether it certainly is about a part, be the names known or not.
    pub is_certain: bool,
    names: Vec<String>,
}

/// Words around the names in such an answer.
const AROUND: &[&str] = &[
    "the",
    "folder",
    "folders",
    "directory",
    "file",
    "files",
    "branch",
    "and",
    "or",
    "please",
    "pls",
    "for",
    "now",
    "thanks",
    "one",
    "alone",
    "as",
    "is",
    "it",
    "yes",
    "yeah",
    "yep",
    "ok",
    "okay",
    "sure",
    "delete",
    "remove",
    "but",
    "untouched",
    "&",
];

/// What stands before what a yes leaves out, and whether it can mean nothing else.
const LEAVING_OUT: &[(&str, bool)] = &[
    ("but keep ", true),
    ("but not ", true),
    ("but leave ", true),
    ("but spare ", true),
    ("except for ", true),
    ("except ", true),
    ("apart from ", true),
    ("other than ", true),
    ("just not ", true),
    ("not ", false),
    ("keep ", false),
    ("leave ", false),
    ("without ", false),
];

impl InPart {
    /// Reads an answer; `None` where it says nothing of a part.
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        // Bytes of other letters keep their places in this lower case.
        let lower = text.to_ascii_lowercase();
        if text.len() > MAX_ASSENT || text.contains('?') {
            return None;
        }
        let left_out = LEAVING_OUT.iter().find_map(|(sign, is_certain)| {
            let at = lower.find(sign)?;
            let before = lower.get(..at)?;
            let behind = text.get(at + sign.len()..)?;
            (!before.ends_with(char::is_alphanumeric)).then_some((before, behind, *is_certain))
        });
        if let Some((before, behind, is_certain)) = left_out {
            let head = before.trim_end_matches(|c: char| !c.is_alphanumeric());
            let is_yes = is_assent(head) || matches!(head, "all" | "everything");
            return is_yes.then(|| Self::new(true, is_certain, behind));
        }
        let says_only = |word: &str| matches!(word.trim_matches(','), "only" | "just");
        let rest = text.split_whitespace().filter(|word| !says_only(&word.to_lowercase()));
        let only = lower.split_whitespace().any(says_only);
        only.then(|| Self::new(false, false, &rest.collect::<Vec<_>>().join(" ")))
    }

    /// Whether what has no name of those that are offered is meant, too.
    pub fn is_open(&self) -> bool {
        let is_by_place =
            matches!(self.names.as_slice(), [place] if remote_or_local(place).is_some());
        self.is_all_but && !is_by_place
    }

    /// Takes all words for names that say more than that others are.
    fn new(is_all_but: bool, is_certain: bool, words: &str) -> Self {
        let words = &without_reason(words);
        let names = words.split_whitespace().map(|word| word.trim_end_matches('.'));
        let names = names.filter_map(name);
        let names = names.filter(|name| !AROUND.contains(&&*name.to_lowercase()));
        let names: Vec<String> = names.map(str::to_owned).collect();
        let is_certain = is_certain || names.iter().any(|name| is_path(name));
        Self { is_all_but, is_certain, names }
    }

    /// What of an offer such an answer is a yes to; `None` where it is not told by names that were offered.
    pub fn of_offer(&self, offered: &[u64]) -> Option<Vec<u64>> {
        // "Yes, but not the remote one."
        if let [place] = self.names.as_slice()
            && let Some(wants_remote) = remote_or_local(place)
        {
            let is_remote = |hash: &u64| offered.contains(&Wish::at_remote(*hash));
            let are_both = offered.iter().any(is_remote) && !offered.iter().all(is_remote);
            let is_meant = |hash: &u64| is_remote(hash) == (wants_remote != self.is_all_but);
            return are_both.then(|| offered.iter().copied().filter(is_meant).collect());
        }
        let hashes = |name: &String| Wish::all_of(name).map(Wish::hash);
        let is_offered = |name: &String| hashes(name).iter().any(|hash| offered.contains(hash));
        if self.names.is_empty() || !self.names.iter().all(is_offered) {
            return None;
        }
        let named: Vec<u64> = self.names.iter().flat_map(hashes).collect();
        let around: Vec<u64> = self.names.iter().flat_map(|name| around(name)).collect();
        let is_meant = |hash: &u64| match self.is_all_but {
            true => !named.contains(hash) && !around.contains(hash),
            false => named.contains(hash),
        };
        Some(offered.iter().copied().filter(is_meant).collect())
    }
}

/// Words without why it is so: "not the remote one. mia may want it", "docs/old, the lexer is needed".
fn without_reason(words: &str) -> String {
    const PAUSES: [&str; 5] = [", ", ". ", "; ", " (", " - "];
    let mut kept = String::new();
    let mut rest = words;
    loop {
        let pause = PAUSES.iter().filter_map(|pause| Some((rest.find(pause)?, pause.len()))).min();
        let (part, behind) = match pause {
            Some((at, length)) => {
                (rest.get(..at).unwrap_or_default(), rest.get(at + length..).unwrap_or_default())
            }
            None => (rest, ""),
        };
        let own = part.split_whitespace();
        let own = own.filter(|word| !AROUND.contains(&word.to_lowercase().trim_end_matches('.')));
        // What goes on with more names is a list; a word with such signs is one.
        let has_name = part.contains(['/', '.', '-', '_']) || part.contains(" and ");
        if !kept.is_empty() && own.count() > 1 && !has_name {
            return kept;
        }
        kept.push(' ');
        kept.push_str(part);
        if behind.is_empty() {
            return kept;
        }
        rest = behind;
    }
}

/// Whether a word for where something lies means the remote, or this machine.
fn remote_or_local(word: &str) -> Option<bool> {
    match word.to_lowercase().as_str() {
        "remote" | "origin" | "github" | "gitlab" | "remotely" | "upstream" => Some(true),
        "local" | "locally" => Some(false),
        _ => None,
    }
}

/// The hashes of the folders that a path lies in, and of all files of its kind: who keeps it keeps those.
fn around(path: &str) -> Vec<u64> {
    let folders = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
    let folders = folders.map(|folder| Wish::Path(folder).hash());
    let last = path.rsplit('/').next().unwrap_or_default();
    let of_kind = last.rsplit_once('.').into_iter().flat_map(|(_, ending)| {
        let here = path.rsplit_once('/').map(|(folder, _)| format!("{folder}/*.{ending}"));
        let here = here.map(|kind| Wish::Path(&kind).hash());
        here.into_iter().chain([Wish::FilesOfKind(ending).hash()])
    });
    folders.chain(of_kind).collect()
}

/// The hashes of the spellings of an answer: two answers that share one differ in a letter at most, or in a blank.
pub fn spellings(answer: &str) -> Vec<u64> {
    /// A word is told from others by more letters than these.
    const MAX_CERTAIN: usize = 3;
    if answer.len() > MAX_ASSENT {
        return Vec::new();
    }
    let plain = |text: &str| {
        text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
    };
    let first =
        answer.split_whitespace().next().map(plain).filter(|first| first.len() > MAX_CERTAIN);
    let mut found = Vec::new();
    for whole in
        [Some(plain(answer)), first].into_iter().flatten().filter(|whole| !whole.is_empty())
    {
        found.push(Wish::Reply(&whole).hash());
        let letters = whole.char_indices().filter(|_| whole.len() > MAX_CERTAIN);
        found.extend(letters.map(|(at, letter)| {
            let behind = whole.get(at + letter.len_utf8()..).unwrap_or_default();
            let shorter = format!("{}{behind}", whole.get(..at).unwrap_or_default());
            Wish::Reply(&shorter).hash()
        }));
    }
    found
}

/// Whether an answer goes on with something else than what was offered: "yeah fix the typo" to "And should I push it?". What is
/// to be done besides is joined to it: "yes, and add a test".
pub fn means_another(text: &str, offered: &[u64]) -> bool {
    // How something is to be done says no more than yes: "yes use squash".
    const WORKING: &[&str] = &[
        "fix",
        "update",
        "change",
        "add",
        "write",
        "edit",
        "remove",
        "delete",
        "rename",
        "refactor",
        "clean",
        "document",
        "test",
        "run",
        "check",
        "show",
        "explain",
        "implement",
        "revert",
        "undo",
        "improve",
        "correct",
        "create",
    ];
    const PRONOUNS: &[&str] =
        &["it", "that", "this", "them", "both", "all", "so", "ahead", "on", "everything", "them."];
    let lower = text.trim().to_lowercase();
    let text = without_lead(&lower);
    let Some(rest) = STRONG
        .iter()
        .chain(UNOPPOSED)
        .chain(ASSENTS)
        .filter_map(|yes| {
            let rest = text.strip_prefix(*yes)?;
            rest.starts_with(' ').then_some(rest.trim_start())
        })
        .min_by_key(|rest| rest.len())
    else {
        return false;
    };
    let mut words = rest.split_whitespace();
    let (Some(verb), Some(object)) = (words.next(), words.next()) else { return false };
    let plain = |word: &str| word.trim_matches(|sign: char| !sign.is_alphanumeric()).to_owned();
    let (verb, object) = (plain(verb), plain(object));
    let is_act = acts(rest).first().is_some_and(|act| act.to_lowercase().starts_with(&verb));
    let is_offered = offered.contains(&Wish::Reply(&format!("{verb}it")).hash());
    is_act
        && !is_offered
        && WORKING.contains(&verb.as_str())
        && !PRONOUNS.contains(&object.as_str())
}

/// The hashes of answers that say of an offer once more what is to be done, and not to what: "drop it" to "Should I drop
/// the stash?".
pub fn echoes(offer: &str) -> Vec<u64> {
    let verbs = acts(offer).into_iter().filter_map(|act| {
        let verb = act.split_whitespace().next()?.to_lowercase();
        (verb.len() > 1 && verb.chars().all(char::is_alphabetic)).then_some(verb)
    });
    verbs
        .flat_map(|verb| {
            ["it", "them", "that", "this", "both", "all"]
                .map(|it| Wish::Reply(&format!("{verb}{it}")).hash())
        })
        .collect()
}

/// Whether words say no, so that they are a yes to nothing.
pub fn refuses(text: &str) -> bool {
    // "Yes, I don't need it anymore" says no to nothing.
    let lower = UNOPPOSED
        .iter()
        .chain(NOT_NEEDED)
        .fold(text.to_lowercase(), |text, phrase| text.replace(phrase, " "));
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    words.any(|word| NEGATIONS.contains(&word) || REFUSALS.contains(&word))
}

/// What has a no in it besides, and says none: that something may go, or may be.
const NOT_NEEDED: &[&str] = &[
    "why not",
    "don't need it",
    "dont need it",
    "don’t need it",
    "don't need that",
    "dont need that",
    "don’t need that",
    "don't need them",
    "dont need them",
    "not needed",
    "no longer need",
];

#[cfg(test)]
mod tests {
    use super::{InPart, Wish, is_assent, spellings};

    #[test]
    fn an_answer_may_be_spelt_in_haste() {
        let is_same = |asked: &str, said: &str| {
            spellings(asked).iter().any(|spelling| spellings(said).contains(spelling))
        };
        assert!(is_same("file it", "file it!"));
        assert!(is_same("file it", "fileit"));
        assert!(is_same("file it", "filre"));
        assert!(is_same("go", "Go."));
        assert!(!is_same("go", "no"));
        assert!(!is_same("file it", "fix the tests first"));
        assert!(!is_same("merge", "wait"));
    }

    #[test]
    fn a_yes_may_have_a_sigh_before_it_and_a_reason_behind_it() {
        for text in [
            "oh youre right. ok",
            "hm ok",
            "you're right, go ahead",
            "alright then",
            "ugh fine",
            "yes, i dont need it anymore",
            "yeah not needed",
            "fair enough",
            "fair enough, go ahead",
            "be my guest",
            "dont see why not",
            "jo passt, rauf damit",
            "jup",
            "if u must, sure",
            "sure its only my junk accounts",
            "no objections",
            "why not",
            "yes, if you like",
            "yes when you're ready",
            "yes, after that fix the typo",
        ] {
            assert!(is_assent(text), "{text}");
        }
        for text in [
            "oh wait",
            "hm, not sure",
            "right",
            "fair enough, leave it",
            "makes sense, but let me look first",
            "yes but don't push, it's not needed",
            "ugh no",
            "sure looks broken",
            "sure, later",
            "sure, but not today",
            "fair, not now",
            "why not wait",
            "why not merge it first",
            "make it so that the button is green",
            "yes, once ci is green",
            "yes but only after marta had a look",
            "sure, if the tests pass",
            "ja aber erst morgen",
            "jo warte kurz",
            "oui mais plus tard",
            "i guess not",
            "fair",
            "oh",
            "",
        ] {
            assert!(!is_assent(text), "{text}");
        }
    }

    #[test]
    fn a_yes_to_something_else_is_none_to_the_offer() {
        let offered = super::echoes("push this to main");
        for text in ["yeah fix the typo, good catch", "yes update the readme"] {
            assert!(super::means_another(text, &offered), "{text}");
        }
        for text in [
            "yes",
            "yes, and add a test",
            "yes push it to main",
            "yes push the branch",
            "yes please do it",
            "yeah ship it",
            "yes use squash",
            "go ahead with that",
            "sure thing",
        ] {
            assert!(!super::means_another(text, &offered), "{text}");
        }
    }

    #[test]
    fn a_yes_to_a_part_is_held_against_the_offer() {
        let offered: Vec<u64> =
            ["src/legacy", "docs/old"].map(|path| Wish::Path(path).hash()).to_vec();
        let meant = |answer: &str| InPart::of(answer).and_then(|part| part.of_offer(&offered));
        let one = |path: &str| Some(vec![Wish::Path(path).hash()]);
        assert_eq!(meant("yes but keep docs/old"), one("src/legacy"));
        assert_eq!(meant("yes, except `docs/old`."), one("src/legacy"));
        assert_eq!(meant("all except src/legacy"), one("docs/old"));
        assert_eq!(meant("only src/legacy"), one("src/legacy"));
        assert_eq!(meant("only docs/old, lexer is needed by the plugin"), one("docs/old"));
        assert_eq!(meant("yes but keep docs/old, people link to it"), one("src/legacy"));
        assert_eq!(meant("yes but keep docs/old, also src/legacy"), None);
        assert_eq!(meant("yes, just docs/old please"), one("docs/old"));
        let (here, there) = (Wish::Branch("x").hash(), Wish::RemoteBranch("x"));
        let branches: Vec<u64> = there.hashes_by_place().chain([here]).collect();
        let meant_of = |answer: &str| InPart::of(answer).and_then(|part| part.of_offer(&branches));
        assert_eq!(meant_of("sure, but not the remote one. mia may want it"), Some(vec![here]));
        assert_eq!(meant_of("only the local one"), Some(vec![here]));
        assert!(meant_of("just the remote").is_some_and(|all| !all.contains(&here)));
        for answer in [
            "yes but keep docs/old/a.md",
            "no, keep docs/old",
            "only look at src/legacy",
            "only src/legacy has been reviewed",
            "yes",
            "not only src/legacy",
        ] {
            assert_eq!(meant(answer), None, "{answer}");
        }
    }

    #[test]
    fn a_yes_is_short_and_has_no_but() {
        for yes in [
            "yes",
            "yes, and add a test",
            "Yes, go ahead",
            "ok!",
            "go ahead",
            "y",
            "Sure.",
            "Looks good!",
            "👍",
        ] {
            assert!(is_assent(yes), "{yes}");
        }
        let others = [
            "yesterday",
            "yes, but do not push",
            "ok?",
            "no",
            "",
            "ok cancel that",
            "fine, leave it",
            "ok, I'll push it myself",
            "great, but wait",
            "ok\nrun the tests",
            "yes: first of all I want you to look at everything that is wrong here and then come back",
        ];
        for other in others {
            assert!(!is_assent(other), "{other}");
        }
    }
}
