//! Words of the language that are no field and no condition, and stand in its documents and messages.

use super::meaning::Meaning;

/// A word, what it means, and where there is one an example.
struct Word {
    names: &'static [&'static str],
    docs: &'static str,
    example: Option<(&'static str, &'static str)>,
}

const WORDS: &[Word] = &[
    Word {
        names: &["opaque"],
        docs: "A command of which nobody can know what it runs: `$cmd`, `curl … | sh`, `eval` of a \
               text that is not known.\n\nNo rule of a policy allows one. A rule that may forbid it \
               makes the user be asked; with no such rule the approval mode decides, so `yolo` \
               lets it run. Rules name it with `opaque`, and the built-in rule `opaque_command` \
               asks for something that can be read instead.",
        example: Some(("in a rule", "condition: { runs: opaque }")),
    },
    Word {
        names: &["mode", "approval mode", "approval modes"],
        docs: "What a policy does with a call that no rule of it is about.\n\n`ask` asks the user, \
               `autoEdit` allows the tools that change files and asks about others, `yolo` allows \
               everything. The session may tell its mode, which wins over that of the files; \
               without any it is `ask`.",
        example: Some(("in a policy", "approval_mode = \"autoEdit\"")),
    },
    Word {
        names: &["preset"],
        docs: "A profile that is built in: `dev`, `coding`, `research`, `data`, `creative` and \
               `assistant`. Each switches some of the built-in rules on.",
        example: Some(("in a behaviour config", "profile: dev")),
    },
    Word {
        names: &["placeholder"],
        docs: "A name in braces in a message, in whose place the value stands when the rule fires: \
               `{target}`, `{param:command}`, `{counter:changes_since_test}`. `{{` and `}}` are \
               braces.",
        example: Some(("in a rule", "message: \"Read `{target}` first.\"")),
    },
    Word {
        names: &["undecided"],
        docs: "What a condition is when it needs something that nothing tells, such as whether a \
               file existed when a session was recorded. A rule that is undecided does not fire, \
               and `simulate` says how often that was and for want of what.",
        example: None,
    },
    Word {
        names: &["headless"],
        docs: "A session in which nobody is there to answer questions, as its `session_start` event \
               says.",
        example: None,
    },
    Word {
        names: &["image"],
        docs: "The compiled form of rules and policies, in one file that is verified when it is \
               read.",
        example: Some(("to make one", "behavior compile -o rules.bhv")),
    },
    Word {
        names: &["trace"],
        docs: "A recorded session: native events as JSON Lines, or a transcript of an agent that is \
               known. `simulate` runs it through the rules.",
        example: Some(("to try one", "behavior simulate trace.jsonl")),
    },
    Word {
        names: &["finding"],
        docs: "A rule that fired at an event, with its action and its message.",
        example: None,
    },
    Word {
        names: &["verdict"],
        docs: "What becomes of a call: `allow`, `ask` or `deny`, the strictest that any rule or the \
               policy says.",
        example: None,
    },
    Word {
        names: &["wrapper"],
        docs: "A program that runs another: `sudo`, `env`, `xargs`, `sh -c`. What it runs is a \
               command of its own for every rule. Which programs do so stands under `programs`.",
        example: Some(("in a behaviour config", "programs:\n  our-sudo: { runs: words }")),
    },
    Word {
        names: &["classes"],
        docs: "What command lines are for, as rules ask with `runs: { class: NAME }`. Built in are `publish`, `review`, \
               `comment`, `secrets`, `deploy`, `test`, `build`, `lint`, `install`, `network`, `database`, `privileged`, `vcs_write`, `commit`, \
               `bypass`, `destructive` and `destructive_extended`; `command_classes` in a config adds to them. \
               `behavior explain NAME` lists what is in one.",
        example: Some(("in a rule", "condition: { runs: { class: [publish, deploy] } }")),
    },
    Word {
        names: &["session"],
        docs: "One conversation with an agent: turns, calls and their results. Sets, counters and \
               flags belong to one session.",
        example: None,
    },
];

/// The meaning of a word, where it is one.
pub fn meanings(name: &str) -> impl Iterator<Item = Meaning> {
    WORDS.iter().find(|word| word.names.contains(&name)).into_iter().map(meaning)
}

/// What all words mean.
pub fn all() -> impl Iterator<Item = Meaning> {
    WORDS.iter().map(meaning)
}

fn meaning(word: &'static Word) -> Meaning {
    let name = word.names.first().copied().unwrap_or_default();
    let meaning = Meaning::new("word of the language", name, word.docs);
    match word.example {
        Some((title, text)) => meaning.example(title, text),
        None => meaning,
    }
}

/// All words.
pub fn names() -> impl Iterator<Item = String> {
    WORDS.iter().flat_map(|word| word.names).map(|&name| name.to_owned())
}
