//! How people ask for an act: the pattern that finds a verb in the forms in which it is asked for. Knows no rules. That a
//! clause asks at all, and where it begins to, is found by whoever reads the user's message.

/// Names of programs and small words that may stand before the verb: "git push", "force push", "terraform apply".
const BEFORE: &[&str] = &[
    "git",
    "gh",
    "glab",
    "hub",
    "svn",
    "hg",
    "jj",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "cargo",
    "docker",
    "podman",
    "gem",
    "twine",
    "helm",
    "uv",
    "poetry",
    "hatch",
    "vsce",
    "terraform",
    "tofu",
    "kubectl",
    "pulumi",
    "auto",
    "rebase",
    "squash",
    "force",
    "safely",
    "only",
    "re",
];

/// How one asks for an act by its noun: "do a push", "cut the release".
const DOING: &str = "do|run|make|cut|create|start|trigger|perform|draft|prepare|begin|finish";

/// What may stand before that noun.
const ARTICLES: &str = "(?:a|an|the|another|this|new)";

/// What may stand behind that noun, so that "create a push notification" asks for no push.
const BEHIND_NOUN: &str = r"(?:$|\s+(?:to|of|for|now|on|with|please|and|from|v?\d))";

/// What stands for something that is not named.
const PRONOUNS: &str = "it|this|that|these|those|them|both|everything|all";

/// What says of something that it has to be done.
const DUTIES: &str = r"(?:should|must|can|may|needs?\s+to|has\s+to|have\s+to)\s+(?:be|get)";

/// What may stand behind a verb that names nothing, or behind a pronoun: "merge when green", "merge it, please".
const BEHIND_PRONOUN: &str = "now|please|when|once|if|after|to|too|and|as|via|by";

/// The word among the objects of a request that stands for what is not named.
const UNNAMED: &str = "it";

/// Verbs whose participle no rule makes.
const IRREGULAR: &[(&str, &str)] = &[
    ("bring", "brought"),
    ("build", "built"),
    ("cut", "cut"),
    ("do", "done"),
    ("get", "got"),
    ("give", "given"),
    ("make", "made"),
    ("overwrite", "overwritten"),
    ("put", "put"),
    ("reset", "reset"),
    ("rewrite", "rewritten"),
    ("run", "run"),
    ("send", "sent"),
    ("set", "set"),
    ("shut", "shut"),
    ("stand", "stood"),
    ("take", "taken"),
    ("tear", "torn"),
    ("throw", "thrown"),
    ("undo", "undone"),
    ("write", "written"),
];

/// Nouns of verbs that are not the verb itself.
const NOUNS: &[(&str, &str)] = &[
    ("deploy", "deployment"),
    ("install", "installation"),
    ("publish", "publication"),
    ("roll out", "rollout"),
    ("roll back", "rollback"),
    ("submit", "submission"),
    ("migrate", "migration"),
    ("delete", "deletion"),
    ("remove", "removal"),
    ("upgrade", "upgrade"),
];

/// The pattern of a request to do one of the verbs, to one of the objects where there are some.
pub(super) fn pattern(verbs: &[String], objects: &[String]) -> String {
    let verbs: Vec<Verb<'_>> = verbs.iter().map(|verb| Verb::of(verb)).collect();
    let (before, said, behind) =
        (BEFORE.join("|"), one_of(&verbs, |verb| verb.said()), behind(objects));
    let act = format!(r"(?:(?:{before})[\s-]+(?:and\s+)?)*(?:{said}){behind}");
    if !objects.is_empty() && !objects.iter().any(|object| object == UNNAMED) {
        return format!("^{act}");
    }
    let noun = one_of(&verbs, |verb| verb.noun());
    let noun =
        format!(r"(?:{DOING})\s+(?:{ARTICLES}\s+)?(?:[\w.]+\s+){{0,2}}(?:{noun}){BEHIND_NOUN}");
    let done = one_of(&verbs, |verb| verb.participle());
    let unnamed = format!(
        r"(?:(?:get|have|see)\s+)?(?:{PRONOUNS})\s+(?:{DUTIES}\s+|to\s+be\s+)?(?:{done})\b"
    );
    let named = format!(r"the\s+\w+(?:\s+\w+)?(?:\s+\w+)?\s+{DUTIES}\s+(?:{done})\b");
    format!("^(?:{act}|{noun}|{unnamed}|{named})")
}

/// A form of each of the verbs, as alternatives of a pattern.
fn one_of<'v>(verbs: &[Verb<'v>], form: impl Fn(&Verb<'v>) -> String) -> String {
    verbs.iter().map(form).collect::<Vec<_>>().join("|")
}

/// What has to stand behind a verb.
fn behind(objects: &[String]) -> String {
    if objects.is_empty() {
        return r"\b".to_owned();
    }
    let (unnamed, named): (Vec<_>, Vec<_>) = objects.iter().partition(|object| *object == UNNAMED);
    let named: Vec<String> =
        named.into_iter().map(|object| spaced(object, r"\s+") + "(?:e?s)?").collect();
    let mut ways = Vec::new();
    if !named.is_empty() {
        ways.push(format!(r"\b.*\b(?:{})\b", named.join("|")));
    }
    if !unnamed.is_empty() {
        ways.push(format!(r"(?:\s+#?\d+)?(?:\s+(?:{PRONOUNS}))?(?:$|\s+(?:{BEHIND_PRONOUN})\b)"));
    }
    format!("(?:{})", ways.join("|"))
}

/// The words of a text with a pattern between them.
fn spaced(text: &str, between: &str) -> String {
    text.split([' ', '-']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(between)
}

/// A letter that may stand there; nothing where there is none.
fn maybe(letter: &str) -> String {
    if letter.is_empty() { String::new() } else { format!("{letter}?") }
}

/// A verb, and the word that belongs to it: "roll out".
struct Verb<'v> {
    whole: &'v str,
    verb: &'v str,
    rest: &'v str,
}

impl<'v> Verb<'v> {
    fn of(whole: &'v str) -> Self {
        let (verb, rest) = whole.split_once([' ', '-']).unwrap_or((whole, ""));
        Self { whole, verb, rest }
    }

    /// The verb as it is asked for: "push", "pushing", "roll it out".
    fn said(&self) -> String {
        let (stem, last) = self.stem();
        let forms = match last {
            "e" => format!("{stem}(?:e|ing)"),
            "y" => format!("{stem}(?:y|ying)"),
            last => format!("{}(?:{}ing)?", self.verb, maybe(last)),
        };
        self.with_rest(&forms, &format!(r"(?:\s+(?:{PRONOUNS}))?[\s-]*"))
    }

    /// The verb as what is done: "pushed", "rolled out".
    fn participle(&self) -> String {
        let (stem, last) = self.stem();
        let irregular = IRREGULAR.iter().find(|(verb, _)| *verb == self.verb);
        let form = match (irregular, last) {
            (Some((_, participle)), _) => (*participle).to_owned(),
            (None, "e") => format!("{stem}ed"),
            (None, "y") => format!("{stem}ied"),
            (None, last) => format!("{}{}ed", self.verb, maybe(last)),
        };
        self.with_rest(&form, r"[\s-]+")
    }

    /// The noun of the act: "push", "deployment".
    fn noun(&self) -> String {
        let plain = self.with_rest(self.verb, r"[\s-]+");
        match NOUNS.iter().find(|(verb, _)| *verb == self.whole) {
            Some((_, noun)) if *noun != self.whole => format!("{plain}|{noun}"),
            _ => plain,
        }
    }

    fn with_rest(&self, forms: &str, between: &str) -> String {
        match self.rest {
            "" => forms.to_owned(),
            rest => format!("{forms}{between}{}", spaced(rest, r"[\s-]+")),
        }
    }

    /// What stays of the verb before an ending, and the letter at its end that changes or is doubled.
    fn stem(&self) -> (&'v str, &'v str) {
        let Some((at, last)) = self.verb.char_indices().next_back() else { return (self.verb, "") };
        let (stem, letter) = self.verb.split_at_checked(at).unwrap_or((self.verb, ""));
        let before = stem.chars().next_back();
        let is_vowel = |sign: Option<char>| sign.is_some_and(|sign| "aeiou".contains(sign));
        match last {
            'e' if before != Some('e') => (stem, letter),
            'y' if !is_vowel(before) => (stem, letter),
            'b' | 'd' | 'f' | 'g' | 'k' | 'l' | 'm' | 'n' | 'p' | 'r' | 's' | 't' | 'z'
                if is_vowel(before) =>
            {
                (self.verb, letter)
            }
            _ => (self.verb, ""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::pattern;

    fn holds(verbs: &[&str], objects: &[&str], act: &str) -> bool {
        let owned =
            |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let pattern = pattern(&owned(verbs), &owned(objects));
        regex::RegexBuilder::new(&pattern).case_insensitive(true).build().unwrap().is_match(act)
    }

    #[test]
    fn a_verb_is_found_in_its_forms() {
        for (verb, said) in [
            ("push", "push the branch"),
            ("push", "pushing it"),
            ("push", "git push"),
            ("push", "do a push to origin"),
            ("push", "it should be pushed"),
            ("ship", "shipping it"),
            ("ship", "everything must get shipped"),
            ("tag", "the new version should be tagged"),
            ("release", "releasing now"),
            ("apply", "it has to be applied"),
            ("reply", "replying to them"),
            ("deploy", "prepare the deployment for friday"),
            ("roll out", "roll it out"),
            ("roll back", "get this rolled back"),
            ("send", "have it sent"),
        ] {
            assert!(holds(&[verb], &[], said), "{verb}: {said}");
        }
    }

    #[test]
    fn what_only_sounds_so_is_not_found() {
        for (verb, said) in [
            ("push", "add a push notification"),
            ("push", "create a push notification"),
            ("push", "pushups are good"),
            ("tag", "stage the files"),
            ("release", "write release notes"),
        ] {
            assert!(!holds(&[verb], &[], said), "{verb}: {said}");
        }
    }

    #[test]
    fn an_object_has_to_stand_behind_the_verb() {
        let objects = ["it", "pr", "pull request", "main"];
        for said in [
            "merge",
            "merge it",
            "merge this now",
            "merge 12",
            "merge #12 when green",
            "squash and merge the prs",
            "merge into main",
            "merge both pull requests",
        ] {
            assert!(holds(&["merge"], &objects, said), "{said}");
        }
        for said in ["merge sort", "merge the two lists", "merge these functions"] {
            assert!(!holds(&["merge"], &objects, said), "{said}");
        }
        assert!(!holds(&["delete"], &["branch"], "delete it"));
        assert!(holds(&["delete"], &["branch"], "delete the old branches"));
    }
}
