//! Texts of people and agents, cut into sentences and clauses. Says nothing of what they mean, but for where a clause
//! says no.

use std::borrow::Cow;

/// What begins a part that says no, for patterns: nothing that is asked for begins so.
pub const NO: &str = "no ";

/// Words behind which a clause says what is not to be done.
pub const NEGATIONS: &[&str] = &[
    "not",
    "don't",
    "dont",
    "don’t",
    "dnt",
    "dotn",
    "donot",
    "doesn't",
    "doesn’t",
    "never",
    "nevr",
    "nver",
    "without",
    "no",
    "avoid",
    "stop",
    "instead",
    "rather",
    "cannot",
    "can't",
    "can’t",
    "shouldn't",
    "shouldn’t",
    "won't",
    "won’t",
    "before",
    "until",
    "unless",
    "except",
    "excluding",
    "nor",
    "neither",
    "nobody",
    "nothing",
    "forbid",
    "forbidden",
    "refrain",
    "hold",
    "skip",
    "nicht",
    "kein",
    "keine",
];

/// A line without what stands in quotes.
pub fn without_quotes(line: &str) -> String {
    without_single_quotes(&without_double_quotes(line))
}

/// A line without what stands in single quotes. One that stands in a word, or behind it, is an apostrophe, but for the
/// one that closes.
fn without_single_quotes(line: &str) -> String {
    if !line.contains(['\'', '‘']) {
        return line.to_owned();
    }
    let signs: Vec<char> = line.chars().collect();
    let is_letter = |at: Option<usize>| {
        at.and_then(|at| signs.get(at)).is_some_and(|sign| sign.is_alphanumeric())
    };
    let opens = |at: usize| {
        matches!(signs.get(at), Some('\'' | '‘'))
            && !is_letter(at.checked_sub(1))
            && signs.get(at + 1).is_some_and(|next| !next.is_whitespace())
    };
    let closes = |at: usize| matches!(signs.get(at), Some('\'' | '’')) && !is_letter(Some(at + 1));
    let mut out = String::with_capacity(line.len());
    // Behind the last place that closes, nothing opens.
    let last = (0..signs.len()).rev().find(|at| closes(*at)).unwrap_or(0);
    let mut at = 0;
    while let Some(sign) = signs.get(at) {
        if at < last && opens(at) {
            let end = (at + 1..=last).find(|end| closes(*end)).unwrap_or(last);
            let inside: String = signs.get(at + 1..end).unwrap_or_default().iter().collect();
            out.push_str(if is_quoted_path(&inside) { &inside } else { "" });
            at = end + 1;
            continue;
        }
        out.push(*sign);
        at += 1;
    }
    out
}

/// A line without what stands in double quotes, or between `«` and `»`.
fn without_double_quotes(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut in_quotes = false;
    let mut inside = String::new();
    for character in line.chars() {
        let was_in_quotes = in_quotes;
        match character {
            '"' | '“' | '”' | '„' => in_quotes = !in_quotes && character != '”',
            '«' => in_quotes = true,
            '»' => in_quotes = false,
            other if in_quotes => inside.push(other),
            other => out.push(other),
        }
        if was_in_quotes && !in_quotes {
            out.push_str(if is_quoted_path(&inside) { &inside } else { "" });
            inside.clear();
        }
    }
    // A quote that nobody closes is none.
    if in_quotes { line.to_owned() } else { out }
}

/// A line in which dots between words are blanks: "lying around..uncommitted".
pub fn without_pauses(line: &str) -> Cow<'_, str> {
    if !line.contains("..") {
        return Cow::Borrowed(line);
    }
    let word = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphabetic() || c == '.');
    let between = |part: &str| {
        let is_pause = word(part) && !part.starts_with('.') && !part.ends_with('.');
        if is_pause { part.replace("...", " ").replace("..", " ") } else { part.to_owned() }
    };
    Cow::Owned(line.split(' ').map(between).collect::<Vec<_>>().join(" "))
}

/// Whether what stands in quotes is a path, and no words of somebody.
fn is_quoted_path(text: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '~');
    (text.contains('/') || text.starts_with('.')) && text.chars().all(is_plain)
}

/// The sentences of a line, each with the sign that ends it.
pub fn sentences(line: &str) -> impl Iterator<Item = (&str, char)> {
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.trim().is_empty() {
            return None;
        }
        let ends = |(at, c): &(usize, char)| {
            let behind = rest.get(at + c.len_utf8()..).unwrap_or_default();
            matches!(c, '?' | '!' | ';' | '.')
                && behind.chars().next().is_none_or(char::is_whitespace)
                && !rest.get(..*at).is_some_and(|before| before.ends_with(" incl"))
        };
        let (sentence, end, behind) = match rest.char_indices().find(ends) {
            Some((at, c)) => {
                (rest.get(..at)?, c, rest.get(at + c.len_utf8()..).unwrap_or_default())
            }
            None => (rest, '.', ""),
        };
        rest = behind;
        Some((sentence, end))
    })
}

/// Whether what stands before a colon says whose words stand behind it, or what they are: "Bob: …", "PR title: …".
fn is_label(label: &str) -> bool {
    const NAMES: &[&str] = &[
        "title",
        "message",
        "example",
        "readme",
        "subject",
        "quote",
        "text",
        "docs",
        "log",
        "error",
        "output",
        "comment",
        "translate",
        "proofread",
        "button",
        "label",
        "changelog",
        "description",
        "body",
        "name",
        "prompt",
        "caption",
        "titre",
        "titel",
        "título",
        "titulo",
        "titolo",
        "exemple",
        "beispiel",
        "ejemplo",
        "exemplo",
        "esempio",
        "nachricht",
        "mensaje",
        "mensagem",
        "messaggio",
        "texte",
        "texto",
        "testo",
        "überschrift",
        "标题",
        "题目",
        "例如",
        "例子",
        "タイトル",
        "例",
        "メッセージ",
        "제목",
        "예시",
        "메시지",
    ];
    const ASKING: &[&str] = &[
        "run",
        "execute",
        "command",
        "sqlite",
        "postgres",
        "mysql",
        "git",
        "cleanup",
        "housekeeping",
        "task",
        "todo",
        "goal",
        "request",
        "note",
        "step",
        "steps",
        "plan",
        "next",
        "now",
        "then",
        "also",
        "please",
        "important",
        "instruction",
        "instructions",
        "done",
        "ok",
        "okay",
        "yes",
        "action",
        "actions",
        "first",
        "second",
        "finally",
        "last",
        "again",
        "great",
        "thanks",
        "this",
        "that",
        "reminder",
        "things",
        "and",
        "so",
        "sure",
        "perfect",
    ];
    let mut words: Vec<&str> = label.split_whitespace().collect();
    // "The banner text is: …", "the error should read: …"
    match words.as_slice() {
        [.., "is"] => words.truncate(words.len() - 1),
        [.., "should" | "must" | "to", "read" | "say" | "be"] => words.truncate(words.len() - 2),
        _ => {}
    }
    let Some(last) = words.last().map(|word| word.trim_matches(|c: char| "*_`#\"'".contains(c)))
    else {
        return false;
    };
    let lower = last.to_lowercase();
    let is_place = lower.contains('.') && lower.contains(':');
    let is_somebody = words.len() == 1
        && last.chars().next().is_some_and(char::is_uppercase)
        && last.chars().skip(1).all(char::is_lowercase)
        && !ASKING.contains(&lower.as_str());
    words.len() <= 4 && (NAMES.contains(&lower.as_str()) || is_place || is_somebody)
}

/// A sentence without what it reports of somebody else's words: "the README says: push to main".
pub fn without_reports(sentence: &str) -> &str {
    const REPORTING: &[&str] = &[
        "say",
        "says",
        "said",
        "saying",
        "reads",
        "states",
        "stated",
        "tells",
        "told",
        "suggests",
        "suggested",
        "recommends",
        "recommended",
        "mentions",
        "prints",
        "printed",
        "wrote",
        "writes",
        "titled",
        "labelled",
        "labeled",
        "documents",
        "describes",
    ];
    if sentence
        .trim_start()
        .get(..13)
        .is_some_and(|start| start.eq_ignore_ascii_case("according to "))
    {
        return "";
    }
    if let Some((label, _)) = sentence.split_once(": ")
        && is_label(label)
    {
        return "";
    }
    /// Who is told something.
    const OBJECTS: &[&str] = &["me", "us", "him", "her", "them", "everyone", "everybody"];
    // Who speaks of himself asks.
    const OWN: &[&str] = &["i", "i've", "i’ve", "we", "already", "just", "as"];
    let (mut from, mut before) = (0, String::new());
    for word in sentence.split_inclusive(char::is_whitespace) {
        let plain = word.trim().to_lowercase();
        let bare = plain.trim_end_matches([':', ',']);
        let behind = sentence.get(from + word.len()..).unwrap_or_default().trim_start();
        let goes_on = ["and ", "then ", "but ", "so "].iter().any(|it| behind.starts_with(it));
        let told = OBJECTS.iter().find_map(|object| behind.strip_prefix(object));
        // "Tom said just force push it": what somebody told him to do.
        let commands = ["just ", "we should ", "you should ", "to just ", "go ahead", "force "];
        let reports = plain.ends_with(':')
            || is_said_by_another(bare, &before)
                && commands.iter().any(|it| behind.starts_with(it))
            || told.is_some_and(|behind| behind.starts_with([':', ',']))
            || plain.ends_with(',') && !goes_on
            || behind.starts_with(':')
            || behind.starts_with("to ")
            || behind.starts_with("that ");
        if REPORTING.contains(&bare) && reports && !OWN.contains(&before.as_str()) {
            return sentence.get(..from).unwrap_or_default();
        }
        from += word.len();
        before = plain;
    }
    sentence
}

/// Whether a word says that somebody else said something, who is named before it.
fn is_said_by_another(verb: &str, who: &str) -> bool {
    const OWN: &[&str] = &["i", "we", "you", "as", "i've", "just", "already", "like"];
    matches!(
        verb,
        "said" | "says" | "suggests" | "suggested" | "recommends" | "recommended" | "told"
    ) && !who.is_empty()
        && !OWN.contains(&who)
}

/// The clauses of a sentence.
pub fn clauses(sentence: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(sentence);
    let parts = std::iter::from_fn(move || {
        let own = rest?;
        let cut = own.char_indices().find(|(at, sign)| match sign {
            ',' | '(' | ')' => true,
            ':' => !is_of_address(own, *at),
            _ => false,
        });
        let (part, behind) = match cut {
            Some((at, sign)) => (own.get(..at), own.get(at + sign.len_utf8()..)),
            None => (Some(own), None),
        };
        rest = behind;
        part
    });
    parts.flat_map(|part| part.split(" but "))
}

/// Whether a colon is one of a name with folders in it: `ghcr.io/acme/app:1.3`, `https://…`, `git@x.dev:acme/app`.
fn is_of_address(text: &str, colon: usize) -> bool {
    let before = text.get(..colon).unwrap_or_default();
    let behind = text.get(colon + 1..).unwrap_or_default();
    let start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let end = behind.find(char::is_whitespace).unwrap_or(behind.len());
    let begins = before.get(start..).unwrap_or_default();
    let ends = behind.get(..end).unwrap_or_default();
    let is_of_user = begins.split_once('@').is_some_and(|(_, host)| host.contains('.'));
    !begins.is_empty()
        && !ends.is_empty()
        && (begins.contains('/') || ends.starts_with("//") || is_of_user)
}

/// A sentence in which no negation stands that asks for something: "don't forget to push" does.
pub fn without_reminders(sentence: &str) -> String {
    const NOT: [&str; 5] = ["don't ", "don’t ", "dont ", "do not ", "never "];
    const OMITTING: [&str; 5] =
        ["forget to ", "hesitate to ", "be afraid to ", "forget and ", "forget "];
    let mut kept = sentence.to_owned();
    for (not, omitting) in NOT.iter().flat_map(|not| OMITTING.map(|omitting| (not, omitting))) {
        let phrase = format!("{not}{omitting}");
        // Bytes of other letters keep their places in this lower case.
        while let Some(at) = kept.to_ascii_lowercase().find(&phrase) {
            let is_whole =
                kept.get(..at).is_some_and(|before| !before.ends_with(char::is_alphanumeric));
            if !is_whole {
                break;
            }
            kept.replace_range(at..at + phrase.len(), "please ");
        }
    }
    kept
}

/// What of a clause stands before a negation.
pub fn before_negation(clause: &str) -> &str {
    let mut from = 0;
    for word in clause.split_inclusive(char::is_whitespace) {
        let plain = word.trim().to_lowercase();
        if NEGATIONS.contains(&&*plain) {
            return clause.get(..from).unwrap_or_default();
        }
        from += word.len();
    }
    clause
}

/// A clause cut at its first negation: what stands before it, the word itself, and what stands behind. The last two are empty
/// where there is none. Who does not mind something says no to nothing.
pub fn at_negation(clause: &str) -> (&str, &str, &str) {
    const MINDING: &[&str] = &["mind", "care", "object", "worry"];
    let before = before_negation(clause);
    let behind = clause.get(before.len()..).unwrap_or_default().trim();
    let (no, rest) = behind.split_once(char::is_whitespace).unwrap_or((behind, ""));
    if rest.split_whitespace().next().is_some_and(|first| MINDING.contains(&first)) {
        return (clause, "", "");
    }
    (before, no, rest)
}

/// The parts of a sentence that ask for something: of each clause what stands before a negation. Where the negation is
/// about what follows, in a list or behind a comma, nothing of that is asked for.
pub fn wanted(sentence: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for clause in clauses(sentence) {
        let kept = before_negation(clause);
        // "Push nothing" says no to what stands before it.
        if is_nothing(clause.get(kept.len()..).unwrap_or_default()) {
            continue;
        }
        match found.last_mut() {
            Some(last) if says_where(kept) => {
                last.push(' ');
                last.push_str(kept.trim());
            }
            _ if !kept.trim().is_empty() => found.push(kept.trim().to_owned()),
            _ => {}
        }
        let says_no = kept.len() < clause.len();
        let behind = clause.get(kept.len()..).unwrap_or_default();
        let is_bare = behind.split_whitespace().count() == 1;
        // "No, delete the other one instead": what is said behind an answer is what is wanted.
        if says_no && is_bare && kept.is_empty() && is_answer(behind) {
            continue;
        }
        if says_no && (is_bare || has_alternatives(sentence)) {
            break;
        }
    }
    found
}

/// Whether a clause says no more than where what stands before it is to be done: "here and on origin".
fn says_where(clause: &str) -> bool {
    const WORDS: &[&str] = &[
        "here",
        "and",
        "on",
        "at",
        "the",
        "both",
        "origin",
        "remote",
        "remotely",
        "local",
        "locally",
        "github",
        "gitlab",
        "everywhere",
        "upstream",
        "too",
    ];
    let mut words = clause.split_whitespace().peekable();
    words.peek().is_some() && words.all(|word| WORDS.contains(&word.to_lowercase().as_str()))
}

/// Whether a negation is an answer by itself, and no part of a sentence.
fn is_answer(negation: &str) -> bool {
    negation.trim().eq_ignore_ascii_case("no")
}

/// Whether what a negation begins is that nothing is to be done: "push nothing".
fn is_nothing(negation: &str) -> bool {
    let first = negation.split_whitespace().next().unwrap_or_default();
    first.trim_matches(|c: char| !c.is_alphanumeric()).eq_ignore_ascii_case("nothing")
}

/// Whether a sentence puts one act beside another.
pub fn has_alternatives(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "or" | "nor"))
}

/// Whether a line that a list follows says what is not to be done.
pub fn forbids_list(line: &str) -> bool {
    let is_head = line.trim_end().ends_with(':');
    is_head
        && line.split_whitespace().any(|word| {
            let plain =
                word.trim_matches(|c: char| matches!(c, ':' | ',' | '.' | '*')).to_lowercase();
            NEGATIONS.contains(&&*plain)
        })
}

/// Whether a line is an item of a list.
pub fn is_item(line: &str) -> bool {
    let line = line.trim_start();
    let behind_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = behind_number.len() < line.len() && behind_number.starts_with(['.', ')']);
    is_numbered || line.starts_with("- ") || line.starts_with("* ")
}

/// What an item of a list says, without what makes it one.
pub fn item_text(line: &str) -> &str {
    line.trim_start().trim_start_matches(|c: char| {
        c.is_ascii_digit() || c.is_whitespace() || matches!(c, '-' | '*' | '.' | ')')
    })
}
