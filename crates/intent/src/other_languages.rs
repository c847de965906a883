//! What a user asks for in other languages than English, put into the English words that rules ask for: "bitte auf main
//! pushen" becomes "please push to main". Only requests are put so: who reports, or asks how, has asked for nothing. What
//! has no such verb stays as it is. Knows no rules.

mod unspaced;
mod words;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::sentences::sentences;
use unspaced::{is_unspaced, spaced, unspaced};
use words::{
    APPROVING, AROUND, ASKING, BORROWED, BUT, EXPLAINING, HOLDING, IMPERATIVES, INFINITIVES,
    LEADING, NOT, NOT_OR_IN, OFFERED, OWN, OWN_RUNS, PASSIVE, PURPOSE, SOMEBODY, UNNEEDED,
    VERSIONS, WAITING,
};

/// Whether a word of a sentence is one of some.
fn says_one_of(sentence: &str, words: &[&str]) -> bool {
    let lower = sentence.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word))
}

/// Who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// Who asks for what is to be done.
    User,
    /// Who offers to do it.
    Agent,
}

/// A word of a sentence, as far as it says something of what is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word<'t> {
    /// A verb that begins what is asked for.
    Imperative(&'static str),
    /// A verb that may stand anywhere.
    Infinitive(&'static str),
    /// A verb of who says it: it begins what an agent offers.
    Offered(&'static str),
    /// What stands around it, in English, or one of the marks.
    Around(&'static str),
    /// Any other.
    Other(&'t str),
}

static WORDS: LazyLock<HashMap<&'static str, Word<'static>>> = LazyLock::new(|| {
    let of = |table: &'static [(&str, &'static str)], word: fn(&'static str) -> Word<'static>| {
        table.iter().flat_map(move |(english, forms)| {
            forms.split_whitespace().map(move |form| (form, word(english)))
        })
    };
    of(AROUND, Word::Around)
        .chain(of(INFINITIVES, Word::Infinitive))
        .chain(of(OFFERED, Word::Offered))
        .chain(of(IMPERATIVES, Word::Imperative))
        .collect()
});

/// A line in which what is asked for stands in English; the line itself, where nothing is asked for in another language.
pub fn in_english(line: &str, speaker: Speaker) -> Cow<'_, str> {
    let mut spaced = spaced(line);
    let mut has_changed = false;
    if let Some(english) = not_needed(&spaced) {
        spaced = Cow::Owned(english);
        has_changed = true;
    }
    for (own, english) in PASSIVE.iter().filter(|(own, _)| line.contains(own)) {
        spaced = Cow::Owned(spaced.replace(own, english));
        has_changed = true;
    }
    let mut out = String::new();
    for (sentence, end) in sentences(&spaced) {
        let own = Some(sentence).filter(|_| speaker == Speaker::User).and_then(kept_by_user);
        has_changed |= own.is_some();
        let sentence = own.as_deref().unwrap_or(sentence);
        match requested(sentence, speaker) {
            Some(english) => {
                has_changed = true;
                out.push_str(&english);
            }
            None => out.push_str(sentence),
        }
        out.extend([end, ' ']);
    }
    if has_changed { Cow::Owned(out) } else { Cow::Borrowed(line) }
}

/// A sentence in which it says in English what the user does himself: "das Mergen überlass mir".
fn kept_by_user(sentence: &str) -> Option<String> {
    let is_own = |clause: &str| {
        let lower = clause.to_lowercase();
        OWN.iter().any(|phrase| lower.contains(phrase))
    };
    let act = |clause: &str| {
        clause.split_whitespace().map(word).find_map(|word| match word {
            Word::Imperative(verb) | Word::Infinitive(verb) => Some(verb),
            Word::Other(text) => BORROWED
                .iter()
                .find(|verb| text.to_lowercase().trim_end_matches('s') == **verb)
                .copied(),
            _ => None,
        })
    };
    let mut found = false;
    let clauses: Vec<String> = sentence
        .split(',')
        .map(|clause| {
            match act(clause).filter(|_| is_own(clause)).or_else(|| run_by_user(clause)) {
                Some(verb) => {
                    found = true;
                    let blank = if clause.starts_with(' ') { " " } else { "" };
                    format!("{blank}I'll {verb} it myself")
                }
                None => clause.to_owned(),
            }
        })
        .collect();
    found.then(|| clauses.join(","))
}

/// What a clause says that the user runs himself: "die Tests lass ich selber laufen".
fn run_by_user(clause: &str) -> Option<&'static str> {
    let lower = clause.to_lowercase();
    let is_own = OWN_RUNS.iter().any(|(begin, end)| lower.contains(begin) && lower.contains(end));
    let of = |word: &str| lower.contains(word);
    match is_own {
        true if of("test") => Some("run the tests,"),
        true if of("migra") => Some("run the migration,"),
        _ => None,
    }
}

/// A line in which it says in English that something is not needed any more: "wir brauchen x nicht mehr".
fn not_needed(line: &str) -> Option<String> {
    // "Den Ordner x braucht kein Mensch mehr": what stands first is not needed.
    const NOBODY: [&str; 6] = [
        " braucht kein mensch mehr",
        " braucht niemand mehr",
        " braucht keiner mehr",
        " nutzt niemand mehr",
        " nutzt keiner mehr",
        " verwendet niemand mehr",
    ];
    let whole = line.to_lowercase();
    if let Some((at, phrase)) = NOBODY.iter().find_map(|phrase| Some((whole.find(phrase)?, phrase)))
        && let (Some(name), Some(behind)) = (line.get(..at), line.get(at + phrase.len()..))
        && whole.len() == line.len()
        && !name.contains([',', ';'])
        && !name.contains(". ")
    {
        let behind = behind.replacen(',', ".", 1);
        let it = if behind.split_whitespace().count() <= 3 { " es" } else { "" };
        return Some(format!("we don't need {name} anymore{behind}{it}"));
    }
    const NEEDING: [(&str, &str); 4] = [
        ("wir brauchen ", " nicht mehr"),
        ("ich brauche ", " nicht mehr"),
        ("on n'a plus besoin de ", ""),
        ("ya no necesitamos ", ""),
    ];
    let lower = line.to_lowercase();
    NEEDING.iter().find_map(|(begin, end)| {
        let start = lower.find(begin)? + begin.len();
        let rest = line.get(start..)?;
        let (name, behind) = match end.is_empty() {
            true => rest.split_at(rest.find([',', '.', ';']).unwrap_or(rest.len())),
            false => rest.split_once(end)?,
        };
        let before = line.get(..start - begin.len())?;
        let behind = behind.replacen(',', ".", 1);
        // A verb alone is about that.
        let it = if behind.split_whitespace().count() == 3 { " es" } else { "" };
        Some(format!("{before}we don't need {name} anymore{behind}{it}"))
    })
}

/// What a sentence asks for in another language; `None` where it asks for nothing in one.
fn requested(sentence: &str, speaker: Speaker) -> Option<String> {
    if sentence.contains(is_unspaced) {
        return unspaced(sentence);
    }
    let first = sentence.split_whitespace().next().map(word)?;
    if matches!(first, Word::Around(ASKING | EXPLAINING)) {
        return None;
    }
    let is_needed = |part: &&str| !UNNEEDED.iter().any(|phrase| part.contains(phrase));
    let parts: Vec<_> = sentence.split(',').filter(is_needed).flat_map(parts).collect();
    let has =
        |wanted: &'static str| parts.iter().flatten().any(|word| *word == Word::Around(wanted));
    // What waits for what the user, or somebody else, does is not asked for now.
    if speaker == Speaker::User
        && has(WAITING)
        && (has(SOMEBODY) || says_one_of(sentence, APPROVING))
    {
        return Some(String::new());
    }
    if speaker == Speaker::User
        && HOLDING.iter().any(|phrase| sentence.to_lowercase().contains(phrase))
    {
        return Some(String::new());
    }
    // What stands around it says that English verbs are borrowed: "commit et push sur main".
    let says_not = ["nicht", "niet", "nunca", "não", "pas", "non"];
    let is_refused = || sentence.split_whitespace().any(|word| says_not.contains(&word));
    let is_made =
        has("make") || has("please") || has("can you") || has("and") || has("to") || is_refused();
    let listener = Listener { speaker, is_made };
    // What follows a no is meant, too.
    let no = parts.iter().position(|part| part.contains(&Word::Around(NOT)));
    let turns = |part: &Vec<Word<'_>>| {
        part.contains(&Word::Around(BUT)) && !part.contains(&Word::Around(NOT))
    };
    let says_no = |at: usize| {
        no.is_some_and(|no| at >= no && !parts.iter().take(at + 1).skip(no + 1).any(turns))
    };
    parts.iter().any(|part| listener.verb(part).is_some()).then(|| {
        let mut english = String::new();
        for (at, part) in parts.iter().enumerate() {
            // What says no more of it stands apart: "nicht pushen, behebe den Fehler".
            let is_apart = no.is_some() && listener.verb(part).is_none();
            english.push_str(match at {
                0 => "",
                // "Nicht pushen, nur committen": the no ends there.
                _ if is_apart || says_no(at - 1) && !says_no(at) => ", ",
                _ => " and ",
            });
            english.push_str(&listener.put(part, says_no(at)));
        }
        english
    })
}

fn word(text: &str) -> Word<'_> {
    let plain = text.trim_matches(|c: char| matches!(c, ',' | ':' | '!' | '¡' | '¿' | '?' | '.'));
    match WORDS.get(plain.to_lowercase().as_str()) {
        Some(known) => *known,
        None => Word::Other(text),
    }
}

/// A clause cut where "and" or "then" stands, and before each "but".
fn parts(clause: &str) -> Vec<Vec<Word<'_>>> {
    let mut words: Vec<Word<'_>> = clause.split_whitespace().map(word).collect();
    let mut has_verb = false;
    for word in &mut words {
        has_verb |= matches!(word, Word::Imperative(_) | Word::Infinitive(_));
        if *word == Word::Around(NOT_OR_IN) {
            *word = Word::Around(if has_verb { "to" } else { NOT });
        }
    }
    let joins = |word: &Word<'_>| matches!(word, Word::Around("and" | "then"));
    let turns = |_: &Word<'_>, next: &Word<'_>| *next != Word::Around(BUT);
    let parts = words.split(joins).flat_map(|part| part.chunk_by(turns));
    parts.filter(|part| !part.is_empty()).map(<[_]>::to_vec).collect()
}

/// What is known of a sentence when its parts are read.
#[derive(Clone, Copy)]
struct Listener {
    speaker: Speaker,
    /// Whether a word stands in it behind which a borrowed verb is one.
    is_made: bool,
}

impl Listener {
    /// A part in English: what leads to the verb, the verb, and the rest.
    fn put(self, words: &[Word<'_>], says_no: bool) -> String {
        let Some((at, verb)) = self.verb(words) else {
            // What the user does stays what the user does.
            let is_own = self.speaker == Speaker::User && words.contains(&Word::Around(SOMEBODY));
            if is_own {
                return "I will do it".to_owned();
            }
            // How something is done is no wish for it.
            if words.iter().any(|word| matches!(word, Word::Around(ASKING | EXPLAINING))) {
                return String::new();
            }
            return words.iter().filter_map(|word| word.in_english()).collect::<Vec<_>>().join(" ");
        };
        let is_version = |word: &Word<'_>| matches!(word, Word::Other(text) if VERSIONS.contains(&text.to_lowercase().as_str()));
        // Spanish has one word for lifting a version and for pushing.
        let verb = if verb == "push" && words.iter().any(is_version) { "bump" } else { verb };
        let leads = |word: &&str| matches!(*word, "please" | "can you");
        let others = words.iter().enumerate().filter(|(other, _)| *other != at);
        let (leading, rest): (Vec<&str>, Vec<&str>) =
            others.filter_map(|(_, word)| word.in_english()).partition(leads);
        let not = says_no.then_some("do not");
        let words = leading.into_iter().chain(not).chain([verb]).chain(rest);
        words.collect::<Vec<_>>().join(" ")
    }

    /// The verb of what a part asks for, and where it stands.
    fn verb(self, all: &[Word<'_>]) -> Option<(usize, &'static str)> {
        // What a user does is not asked for; what an agent does is offered.
        let from = match all.iter().position(|word| *word == Word::Around(SOMEBODY)) {
            Some(_) if self.speaker == Speaker::User => return None,
            Some(at) => at + 1,
            None => 0,
        };
        // Who wants to know how it is done does not want it done.
        let is_asked =
            all.iter().position(|word| matches!(word, Word::Around(ASKING | EXPLAINING)));
        let is_verb = |word: &Word<'_>| matches!(word, Word::Imperative(_) | Word::Infinitive(_));
        if is_asked.is_some_and(|at| all.iter().position(is_verb).is_none_or(|verb| at < verb)) {
            return None;
        }
        let mut words = all.iter().enumerate().skip(from);
        let borrowed = |text: &str| BORROWED.iter().find(|verb| text.eq_ignore_ascii_case(verb));
        let first = words.clone().find(|(_, word)| !word.is_leading());
        match first? {
            (at, Word::Imperative(verb)) => return Some((at, verb)),
            (at, Word::Offered(verb)) if self.speaker == Speaker::Agent => return Some((at, verb)),
            (at, Word::Other(text)) if self.is_made => {
                if let Some(verb) = borrowed(text) {
                    return Some((at, verb));
                }
                let made = all.iter().position(|word| *word == Word::Around("make"));
                if let Some(made) = made.filter(|_| is_request(text)) {
                    return Some((made, "create"));
                }
            }
            _ => {}
        }
        let mut before = None;
        words.find_map(|(at, word)| {
            match (word, if *word == Word::Around("") { before } else { before.replace(*word) }) {
                (Word::Infinitive(verb), before) if before != Some(Word::Around(PURPOSE)) => {
                    Some((at, *verb))
                }
                (Word::Other(text), Some(Word::Around("make"))) => {
                    borrowed(text).map(|verb| (at, *verb))
                }
                _ => None,
            }
        })
    }
}

/// Whether something is made that others are asked with.
fn is_request(noun: &str) -> bool {
    ["pr", "mr", "pull", "issue"].iter().any(|known| noun.eq_ignore_ascii_case(known))
}

impl<'t> Word<'t> {
    fn in_english(&self) -> Option<&'t str> {
        match self {
            Self::Around(
                "" | "make" | NOT | NOT_OR_IN | ASKING | EXPLAINING | SOMEBODY | PURPOSE | WAITING
                | BUT,
            ) => None,
            Self::Around(english)
            | Self::Imperative(english)
            | Self::Infinitive(english)
            | Self::Offered(english) => Some(english),
            Self::Other(text) => Some(text),
        }
    }

    /// Whether it may stand before an imperative.
    fn is_leading(&self) -> bool {
        match self {
            Self::Around(around) => {
                matches!(*around, "please" | "make" | "can you" | "" | "all" | "it" | NOT | BUT)
            }
            Self::Other(text) => LEADING.contains(&text.to_lowercase().as_str()),
            Self::Imperative(_) | Self::Infinitive(_) | Self::Offered(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::words::{AROUND, IMPERATIVES, INFINITIVES};
    use super::{Speaker, in_english};

    fn is(line: &str, english: &str) {
        let got = in_english(line, Speaker::User);
        let got = got.trim_end().trim_end_matches(['.', '?', '!']);
        assert_eq!(got, english, "{line}");
    }

    #[test]
    fn each_form_has_one_meaning() {
        for table in [IMPERATIVES, INFINITIVES, AROUND] {
            let mut forms: Vec<&str> =
                table.iter().flat_map(|(_, forms)| forms.split_whitespace()).collect();
            forms.sort_unstable();
            let twice: Vec<&[&str]> = forms.windows(2).filter(|pair| pair[0] == pair[1]).collect();
            assert!(twice.is_empty(), "{twice:?}");
        }
    }

    #[test]
    fn requests_are_put_into_english() {
        is("bitte auf main pushen", "please push to main");
        is("Bitte committen und auf main pushen.", "please commit and push to main");
        is("committe alles, pushe und mach einen PR", "commit all and push and create PR");
        is("faz o commit e o push", "commit and push");
        is("lösche den Branch alt-1", "delete Branch alt-1");
        is("ok, jetzt pushe es", "ok and push it");
        is("mach einen Push auf main", "push to main");
        is("pousse sur main", "push to main");
        is("tu peux fusionner la branche fix/x ?", "can you merge branch fix/x");
        is("haz push de los cambios a main", "push changes a main");
        is("por favor sube los cambios y crea un PR", "push por favor changes and create PR");
        is("запушь в main", "push to main");
        is("закоммить и запушь", "commit and push");
        is("把改动推送到main分支", "push changes to main branch");
        is("提交并推送", "commit and push");
        is("请提交代码，然后推送到 origin", "commit please changes, push to origin");
        is("コミットしてプッシュしてください", "commit and push");
        is("커밋하고 푸시해줘", "commit and push");
        is("変更をpushして", "push changes");
        is("Commit et push sur main", "commit and push to main");
        is("peux-tu pousser ça sur main", "can you push to main");
        is("强推一下", "force-push");
        is("verwirf alle lokalen Änderungen", "discard all local changes");
        is("annule toutes mes modifications locales", "undo all changes local");
        is("ローカルの変更をすべて破棄して", "discard local changes all");
        is("丢弃所有未提交的修改", "discard all uncommitted changes");
        is("publica a lib no crates.io", "publish a lib to crates.io");
        is("pusht das bitte auf main", "please push to main");
        is("プッシュは待って", "do not push");
        for line in [
            "写一个部署到生产的脚本",
            "添加一个发布按钮",
            "デプロイスクリプトを書いて",
            "푸시 알림을 구현해줘",
        ] {
            assert_eq!(in_english(line, Speaker::User), line);
        }
        is("mach meine Änderungen in a.ts rückgängig", "undo changes in a.ts");
        is("Tabelle tmp_import droppen bitte", "please drop table tmp_import");
        is("v2.0.1のタグを切ってpushして", "tag v2.0.1 and push");
    }

    #[test]
    fn what_may_go_is_told_beside_what_else_is_asked_for() {
        is("exp/a kann weg", "exp/a can go");
        is("exp/a kann weg. Bitte auf main pushen", "exp/a can go. please push to main");
        is("exp/a kann weg. Bitte nicht pushen", "exp/a can go. please do not push");
    }

    #[test]
    fn what_is_not_wanted_says_so() {
        is("noch nicht pushen", "do not push");
        is("ne pousse pas sur main", "do not push to main");
        is("no subas nada", "do not push");
        is("先不要推送", "do not push");
        is("没问题，推送吧", "没问题, push");
        is("プッシュしないでください", "do not push");
        is("nicht pushen, aber auch nicht committen", "do not push and do not commit also");
        is("PRはまだ作らないで", "do not create PR");
        is("Nichts pushen, nur committen", "do not push, commit");
        is("Committe das, pushen mache ich selbst", "commit and I'll push it myself");
        is("das mergen überlass aber mir", "I'll merge it myself");
        is("je pousse moi-même", "I'll push it myself");
        is("bitte nicht laufen lassen", "bitte don't run it");
        is("haz el commit, el push lo hago yo", "commit and I'll push it myself");
    }

    #[test]
    fn what_asks_for_nothing_stays() {
        for line in [
            "push it",
            "no problem, go on",
            "comment on the PR",
            "wie kann ich auf main pushen",
            "ich pushe selbst",
            "ich werde es nachher pushen",
            "die Tests laufen, um zu pushen",
            "le script pousse sur main",
            "I like the bitte",
            "die Änderungen sind gepusht",
            "推送失败了",
            "怎么推送",
            "the committer is me",
        ] {
            assert_eq!(in_english(line, Speaker::User), line);
        }
    }
}
