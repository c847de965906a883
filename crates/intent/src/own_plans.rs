//! What of a user's clause says what the user, or somebody else, does or did: nothing of that is asked for. Knows no
//! rules.

/// Words that may stand before what a clause is about.
const FILLERS: &[&str] = &[
    "ok",
    "okay",
    "no",
    "nope",
    "yes",
    "yeah",
    "and",
    "but",
    "so",
    "then",
    "well",
    "thanks",
    "great",
    "cool",
    "fine",
    "also",
    "actually",
    "hey",
    "now",
    "otherwise",
];

/// What a user does in saying it, so that it is a wish.
const WISHES: &[&str] = &[
    "want",
    "wanted",
    "wanna",
    "need",
    "wish",
    "expect",
    "prefer",
    "approve",
    "agree",
    "authorize",
    "authorise",
    "allow",
    "confirm",
    "ask",
    "asked",
    "like",
    "told",
    "said",
    "say",
    "think",
    "guess",
    "believe",
    "hope",
    "mean",
    "insist",
];

/// What is a wish behind "would" and "am".
const OF_WISHES: &[&str] = &[
    "like",
    "love",
    "prefer",
    "appreciate",
    "fine",
    "ok",
    "okay",
    "good",
    "happy",
    "rather",
    "asking",
];

/// Who does things by themselves.
const OTHERS: &[&str] =
    &["he", "she", "they", "it", "ci", "someone", "somebody", "everybody", "everyone", "who"];

/// What makes a wish of what is said of others.
const OBLIGATIONS: &[&str] =
    &["should", "must", "needs", "need", "please", "has", "have", "ought", "wants", "want", "can"];

/// What puts a clause under another one.
const UNDER: &[&str] =
    &["after", "when", "once", "if", "while", "whenever", "since", "because", "where", "as"];

/// Who such a clause is about.
const SUBJECTS: &[&str] = &[
    "you", "you've", "you’ve", "you're", "you’re", "we", "we've", "we’ve", "i", "i've", "i’ve",
    "it", "they", "he", "she",
];

/// How many words of a clause under another one are left out, the first two among them.
const LEFT_OUT: usize = 4;

/// Returns what a clause may ask for: nothing of what the user will do or did, or somebody else does, and nothing of when
/// it is to be done.
pub fn without_plans(clause: &str) -> String {
    let words: Vec<&str> = clause.split_whitespace().collect();
    let plain: Vec<String> = words
        .iter()
        .map(|word| {
            word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
                .to_lowercase()
        })
        .collect();
    let at = |index: usize| plain.get(index).map_or("", String::as_str);
    let start = plain.iter().take_while(|word| FILLERS.contains(&word.as_str())).count();
    if is_of_others(&plain, start) || is_own(&plain, start) {
        return String::new();
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut index = 0;
    while let Some(word) = words.get(index) {
        if is_future(at(index), at(index + 1), at(index + 2)) {
            break;
        }
        if UNDER.contains(&at(index)) && SUBJECTS.contains(&at(index + 1)) {
            index += LEFT_OUT;
            continue;
        }
        // What is done by the user's own hand is not asked for; what stands before the word that says so may be.
        if matches!(at(index), "myself" | "ourselves") {
            return String::new();
        }
        kept.push(word);
        index += 1;
    }
    kept.join(" ")
}

/// Whether a sentence, in lower case, makes what it asks for wait for a word of the user that is still to come: "push it only
/// when I tell you".
pub fn waits_for_word(sentence: &str) -> bool {
    const GIVING: [&str; 20] = [
        "write",
        "type",
        "post",
        "say",
        "said",
        "tell",
        "told",
        "ask",
        "asked",
        "approve",
        "approved",
        "confirm",
        "confirmed",
        "agree",
        "give",
        "gave",
        "ok",
        "review",
        "reviewed",
        "reply",
    ];
    let words: Vec<&str> =
        sentence.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’').collect();
    let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
    // Of others it is no more than such words.
    const OTHERS: [&str; 14] = [
        "approves",
        "approved",
        "confirms",
        "confirmed",
        "agrees",
        "agreed",
        "reviewed",
        "reviews",
        "signs",
        "says",
        "okays",
        "acks",
        "accepts",
        "approval",
    ];
    let waits = words.windows(2).enumerate().any(|(at, pair)| {
        let [condition, who] = pair else { return false };
        let is_as_soon = *condition == "as" && at > 0 && words.get(at - 1) == Some(&"soon");
        if !is_as_soon
            && !matches!(*condition, "when" | "if" | "once" | "after" | "unless" | "until")
        {
            return false;
        }
        if waits_for_request(words.get(at + 1..).unwrap_or_default()) {
            return true;
        }
        let giving: &[&str] = match *who {
            "i" | "i've" | "i’ve" | "we" | "i'm" => &GIVING,
            "you" | "you've" | "you’ve" => &[],
            _ => &OTHERS,
        };
        words.iter().skip(at + 1).take(4).any(|word| giving.contains(word))
    });
    waits
        || waits_for_somebody(&words)
        || is_for_later(&words)
        || words.windows(3).any(|words| matches!(words, ["i", "say" | "tell", "so" | "you"]))
}

/// Whether words behind a condition say that a request, or a release, is not there yet: "298 is in", "PR 12 is merged".
fn waits_for_request(behind: &[&str]) -> bool {
    const DONE: [&str; 9] = [
        "in",
        "merged",
        "lands",
        "landed",
        "released",
        "closed",
        "published",
        "approved",
        "shipped",
    ];
    let is_request = |word: &&str| {
        matches!(*word, "pr" | "mr" | "issue" | "release")
            || word.bytes().all(|byte| byte.is_ascii_digit())
    };
    let own: Vec<&str> = behind.iter().copied().take(5).collect();
    let named = own.iter().take(3).position(is_request);
    named.is_some_and(|at| own.iter().skip(at + 1).any(|word| DONE.contains(word)))
}

/// Whether something is to be done only once the user, or somebody else, has done something: "push it once I have tested it",
/// "when Maria is back". What machines do is no such thing ("once the tests pass").
fn waits_for_somebody(words: &[&str]) -> bool {
    const PEOPLE: &[&str] = &[
        "i",
        "i've",
        "i’ve",
        "i'm",
        "i’m",
        "we",
        "we've",
        "we’ve",
        "he",
        "she",
        "they",
        "qa",
        "somebody",
        "someone",
        "everybody",
        "everyone",
        "reviewers",
        "team",
        "boss",
        "manager",
        "customer",
        "client",
        "legal",
        "security",
        "product",
        "design",
        "ops",
        "maintainer",
        "maintainers",
        "lunch",
        "dinner",
        "standup",
        "meeting",
        "demo",
        "freeze",
        "weekend",
    ];
    const DAYS: &[&str] =
        &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    let at = |index: usize| words.get(index).copied().unwrap_or_default();
    let is_after_act = |index: usize| index > 0;
    let waits = words.iter().enumerate().any(|(index, word)| {
        let who = match at(index + 1) {
            "the" | "our" | "my" => at(index + 2),
            who => who,
        };
        match *word {
            "once" | "after" | "until" if is_after_act(index) => PEOPLE.contains(&who),
            // Of what was, it is said, too: "what broke when we merged".
            "when" if is_after_act(index) && matches!(who, "i" | "we") => {
                matches!(at(index + 2), "have" | "am" | "are" | "get" | "come" | "return")
            }
            "when" if is_after_act(index) => PEOPLE.contains(&who),
            "soon" if at(index + 1) == "as" => PEOPLE.contains(&at(index + 2)),
            "on" | "by" | "next" if index + 2 == words.len() => DAYS.contains(&at(index + 1)),
            "back" => {
                matches!(words.get(index.wrapping_sub(3)), Some(&("when" | "once" | "until")))
            }
            _ => false,
        }
    });
    let lets_look = words.windows(3).take(2).any(|words| {
        matches!(words, ["let", "me", "review" | "check" | "look" | "test" | "see" | "read"])
    });
    // "but let Lena look at it first"
    let lets_other = words.windows(3).any(|words| {
        matches!(words, ["let", who, "review" | "check" | "look" | "test" | "see" | "read" | "approve"]
            if !matches!(*who, "us" | "me" | "it" | "them" | "claude"))
    }) && words.iter().any(|word| matches!(*word, "first" | "before"));
    let shows = words.iter().position(|word| matches!(*word, "show" | "showed"));
    let to_user =
        shows.is_some_and(|at| words.iter().skip(at + 1).take(3).any(|word| *word == "me"));
    let shows_first =
        to_user && words.iter().any(|word| matches!(*word, "before" | "first" | "after"));
    let sees_first = words.windows(3).any(|words| {
        matches!(words, ["let", "me", "review" | "check" | "look" | "test" | "see" | "read"])
    }) && words.iter().any(|word| matches!(*word, "before" | "first"));
    let awaits_ok = words.windows(3).any(|words| matches!(words, ["wait", "for", "my" | "me"]));
    waits
        || shows_first
        || sees_first
        || awaits_ok
        || lets_look
        || lets_other
        || words.windows(3).any(|words| matches!(words, ["ask", "me", "first" | "before"]))
}

/// Whether words say that it is not to be done now: "push it tomorrow", "not yet", "after my review".
fn is_for_later(words: &[&str]) -> bool {
    const REVIEWS: &[&str] = &["review", "approval", "okay", "confirmation", "signoff"];
    let has = |word: &str| words.contains(&word);
    let is_put_off = words.windows(2).any(|pair| {
        matches!(pair, ["not", "now" | "yet"] | ["hold", "off"] | ["next", "week" | "month"])
    });
    let awaits = words.iter().enumerate().any(|(at, word)| {
        *word == "after" && words.iter().skip(at + 1).take(3).any(|next| REVIEWS.contains(next))
    });
    is_put_off || awaits || (has("tomorrow") || has("tonight") || has("later")) && !has("now")
}

/// Whether the clause says what the user does, or is used to do, and no wish.
fn is_own(words: &[String], start: usize) -> bool {
    const HABITS: &[&str] =
        &["always", "usually", "normally", "typically", "generally", "often", "every", "each"];
    let at = |index: usize| words.get(index).map_or("", String::as_str);
    if at(start) == "we" && words.iter().any(|word| HABITS.contains(&word.as_str())) {
        return true;
    }
    let (first, second) = (at(start), at(start + 1));
    let speaks_to_agent = words
        .iter()
        .skip(start)
        .any(|word| matches!(word.as_str(), "you" | "your" | "please" | "you're" | "you’re"));
    let is_wish = match first {
        "i" => match second {
            "would" | "am" => OF_WISHES.contains(&at(start + 2)),
            second => WISHES.contains(&second),
        },
        "i'd" | "i’d" | "i'm" | "i’m" => OF_WISHES.contains(&second),
        "i'll" | "i’ll" | "i've" | "i’ve" => false,
        "let" if second == "me" => false,
        _ => return false,
    };
    !is_wish && !speaks_to_agent
}

/// Whether the clause says what somebody else does, and not what they should.
fn is_of_others(words: &[String], start: usize) -> bool {
    let first = words.get(start).map_or("", String::as_str);
    OTHERS.contains(&first) && !words.iter().any(|word| OBLIGATIONS.contains(&word.as_str()))
}

/// Whether what follows is what the user will do.
fn is_future(first: &str, second: &str, third: &str) -> bool {
    match first {
        "i'll" | "i’ll" => true,
        "i" => second == "will" || second == "am" && third == "going",
        "i'm" | "i’m" => second == "going",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::without_plans;

    #[track_caller]
    fn asks(clause: &str, expect: bool) {
        assert_eq!(without_plans(clause).to_lowercase().contains("push"), expect, "{clause}");
    }

    #[test]
    fn what_the_user_or_others_do_is_not_asked_for() {
        for clause in [
            "I'll push it myself",
            "ok I’ll push it",
            "fix it and I'll push",
            "I will push later",
            "I pushed it already",
            "I have pushed",
            "let me push it",
            "it pushes to main by itself",
            "they push at night",
            "after you push",
            "tell me when you push it",
            "once you have pushed",
            "we push to main every friday",
            "we usually squash and push",
        ] {
            asks(clause, false);
        }
    }

    #[test]
    fn what_waits_for_people_waits() {
        for sentence in [
            "push it once i have tested it on my phone",
            "push it after i've tested it",
            "push as soon as qa signed off",
            "push it when maria is back",
            "deploy after lunch",
            "push it on monday",
            "first let me review, then push",
            "push it, but ask me first",
            "merge 305 as soon as 298 is in",
            "push to main as soon as ana approves",
            "deploy to staging when ana says it's ok",
            "merge 311, but let lena look at it first",
            "publish it but show me the contents before",
            "write a comment but show it to me before you post it",
            "push to main, but let me see the diff first",
            "publish ui, but wait for my ok",
        ] {
            assert!(super::waits_for_word(sentence), "{sentence}");
        }
        for sentence in [
            "push it once the tests are green",
            "fix what broke when we merged it and push",
            "after you are done push it",
            "push it and let me check",
            "merge 305 as soon as the checks are green",
            "the build on friday failed, fix it and push",
        ] {
            assert!(!super::waits_for_word(sentence), "{sentence}");
        }
    }

    #[test]
    fn wishes_stay_wishes() {
        for clause in [
            "push it",
            "and push",
            "I want you to push",
            "I'd like it pushed",
            "I need this pushed",
            "I'm fine with pushing it",
            "I would like to see it pushed",
            "push what I changed",
            "commit the files I edited and push",
            "when you're done commit and push",
            "it should be pushed",
            "I have to ask you to push",
        ] {
            asks(clause, true);
        }
    }
}
