//! Command patterns written as another program or the shell has them: they are read, and hardly as
//! their author thinks. Knows only texts and the table of programs; who read the pattern reports.

use super::{PatternWord, literal};
use crate::fragment::Problem;
use crate::programs::Table;

/// The word that stands for commands of which nobody can know what they run; the program of that
/// name is `\\opaque`.
pub(crate) const OPAQUE: &str = "opaque";

/// How many alternatives of braces a help spells out.
const MAX_SPELLED: usize = 4;

/// A pattern that reads otherwise than it looks.
#[derive(Debug)]
pub(crate) struct Habit {
    /// What it is read as, and what to write.
    pub problem: Problem,
    /// Whether the fix is certainly what was meant.
    pub is_sure: bool,
}

/// How several patterns are written where one stands.
pub(crate) type Join = fn(&[String]) -> String;

/// What looks like one thing in a pattern and is read as another.
pub(crate) fn habits(text: &str, words: &[PatternWord], table: &Table, join: Join) -> Vec<Habit> {
    let found = [
        misspelt_opaque(text),
        tool_around(text),
        slashes(text),
        prefix(text, words, table),
        braces(text, words, join),
        setting(text, words),
        regex(text, words),
        any_behind(text, words, table),
    ];
    found.into_iter().flatten().collect()
}

/// `Opaque` for `opaque`.
fn misspelt_opaque(text: &str) -> Option<Habit> {
    let word = text.trim();
    if word == OPAQUE || !word.eq_ignore_ascii_case(OPAQUE) {
        return None;
    }
    let start = text.len() - text.trim_start().len();
    let range = start..start + word.len();
    let message = format!(
        "`{word}` is a program of that name: the word for what nobody can know is `{OPAQUE}`"
    );
    let problem = Problem::new(range.clone(), message).help(format!("write `{OPAQUE}`"));
    Some(Habit { problem: problem.fix(range, OPAQUE), is_sure: true })
}

/// `Bash(git push:*)`, as agents' own rules name the tool, too.
fn tool_around(text: &str) -> Option<Habit> {
    let word = text.trim();
    let (tool, rest) = word.split_once('(')?;
    let inside = rest.strip_suffix(')').filter(|inside| !inside.trim().is_empty())?;
    if tool.is_empty() || !tool.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '_') {
        return None;
    }
    let inside = match inside.strip_suffix(":*") {
        Some(command) => format!("{command} *"),
        None => inside.to_owned(),
    };
    let start = text.len() - text.trim_start().len();
    let range = start..start + word.len();
    let message = format!(
        "`{tool}(` is read as the beginning of the program's name: a command stands here without its tool"
    );
    let problem = Problem::new(range.clone(), message).help(format!("write `{inside}`"));
    Some(Habit { problem: problem.fix(range, inside), is_sure: true })
}

/// `/git push.*/`, which is a regular expression elsewhere.
fn slashes(text: &str) -> Option<Habit> {
    let word = text.trim();
    let inside = word.strip_prefix('/')?.strip_suffix('/')?;
    if !inside.contains([' ', '.', '*', '\\', '|', '^', '$']) {
        return None;
    }
    let start = text.len() - text.trim_start().len();
    let message = format!(
        "`{word}` begins with a path: patterns of commands are words with `*`, and no regular expressions"
    );
    let problem = Problem::new(start..start + word.len(), message)
        .help("write the command, `*` for any text: `git push *`");
    Some(Habit { problem, is_sure: false })
}

/// `git push:*`, which elsewhere is `git push` with anything behind it.
fn prefix(text: &str, words: &[PatternWord], table: &Table) -> Option<Habit> {
    let (last, before) = words.split_last()?;
    let written = text.get(last.range.clone())?;
    let stem = written.strip_suffix(":*")?;
    if stem.is_empty() || stem.ends_with('\\') {
        return None;
    }
    let start = text.get(..last.range.start)?.trim_start();
    let lower = |name: &str| Box::from(name.to_ascii_lowercase());
    let path: Option<Vec<Box<str>>> =
        before.iter().map(|word| literal(&word.glob).map(|name| lower(&name))).collect();
    let path = path.map(|path| [path, vec![lower(stem)]].concat());
    // A program has no colon in its name and neither has a subcommand that is known; a script may.
    let is_known = path.is_some_and(|path| table.known_path(&path).len() == path.len());
    let is_sure = before.is_empty() || is_known;
    let message = format!(
        "`{written}` is the word `{stem}:` with any text behind it, not `{stem}` with more words"
    );
    let mut help = format!("write `{start}{stem} *`");
    if !is_sure {
        help += &format!("; for names that begin with `{stem}:`, `{start}{stem}[:]*`");
    }
    let colon = last.range.end - 2..last.range.end;
    let problem = Problem::new(last.range.clone(), message).help(help).fix(colon, " *");
    Some(Habit { problem, is_sure })
}

/// `git {push,pull}`, which a shell would read as two words.
fn braces(text: &str, words: &[PatternWord], join: Join) -> Option<Habit> {
    let (open, close, place) = words.iter().find_map(|word| {
        let written = text.get(word.range.clone())?;
        let is_quoted = written.contains(['\'', '"', '\\']);
        let open = written.find('{').filter(|_| !is_quoted)?;
        let close = open + written.get(open..)?.find('}')?;
        let inner = written.get(open + 1..close)?;
        let start = word.range.start;
        (inner.contains(',') && !inner.contains('{'))
            .then(|| (start + open, start + close, word.range.clone()))
    })?;
    let (before, after) = (text.get(..open)?.trim_start(), text.get(close + 1..)?.trim_end());
    let parts = text.get(open + 1..close)?.split(',');
    let spelled: Vec<String> =
        parts.take(MAX_SPELLED).map(|part| format!("{before}{part}{after}")).collect();
    let message = format!(
        "`{}` is this very word: braces are no alternatives in a pattern",
        text.get(place.clone())?
    );
    let problem = Problem::new(place, message).help(format!("write `{}`", join(&spelled)));
    Some(Habit { problem, is_sure: false })
}

/// `A=1 rm`, which sets a variable for `rm`.
fn setting(text: &str, words: &[PatternWord]) -> Option<Habit> {
    let first = words.first()?;
    let written = text.get(first.range.clone())?;
    let (name, _) = written.split_once('=')?;
    let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|each| each.is_ascii_alphanumeric() || each == '_');
    if !is_name {
        return None;
    }
    let message = format!(
        "`{written}` sets a variable: a pattern begins with the program, whatever is set for it"
    );
    let problem = Problem::new(first.range.clone(), message);
    let problem = match words.get(1) {
        Some(next) => {
            let rest = text.get(next.range.start..)?.trim_end();
            problem.help(format!("write `{rest}`")).fix(first.range.start..next.range.start, "")
        }
        None => problem.help("name the program, such as `rm *`"),
    };
    Some(Habit { problem, is_sure: false })
}

/// `git push .*`, which is a regular expression elsewhere.
fn regex(text: &str, words: &[PatternWord]) -> Option<Habit> {
    const CLASSES: [&str; 6] = ["\\s", "\\b", "\\w", "\\d", "\\S", "(?"];
    // What they are given to look for is one.
    const READERS: [&str; 9] = ["grep", "egrep", "zgrep", "rg", "ag", "ack", "sed", "awk", "perl"];
    let program = words.first().and_then(|word| text.get(word.range.clone())).unwrap_or_default();
    let is_reader = READERS.contains(&program);
    let (at, word) = words.iter().enumerate().find(|(at, word)| {
        if is_reader && (*at > 1 || words.len() > 2) {
            return false;
        }
        let written = text.get(word.range.clone()).unwrap_or_default();
        let is_quoted = written.contains(['\'', '"']);
        let is_anchored = *at == 0 && written.len() > 1 && written.starts_with('^');
        let has_class = CLASSES.iter().any(|class| written.contains(class));
        !is_quoted && (written == ".*" || written == ".+" || is_anchored || has_class)
    })?;
    let written = text.get(word.range.clone())?;
    let message = format!(
        "`{written}` is read as it stands: patterns of commands are words with `*`, and no regular expressions"
    );
    let problem = Problem::new(word.range.clone(), message);
    let problem = match written {
        ".*" if at + 1 == words.len() => {
            problem.help("write `*` for any more words").fix(word.range.clone(), "*")
        }
        _ => problem.help("write each command as a pattern of its own; `*` stands for any text"),
    };
    Some(Habit { problem, is_sure: false })
}

/// `git push.*`, which is a regular expression elsewhere: the subcommand, with anything behind it.
fn any_behind(text: &str, words: &[PatternWord], table: &Table) -> Option<Habit> {
    let (last, before) = words.split_last().filter(|(_, before)| !before.is_empty())?;
    let written = text.get(last.range.clone())?;
    let stem = written.strip_suffix(".*")?;
    let lower = |name: &str| Box::from(name.to_ascii_lowercase());
    let path: Option<Vec<Box<str>>> =
        before.iter().map(|word| literal(&word.glob).map(|name| lower(&name))).collect();
    let path = [path?, vec![lower(stem)]].concat();
    if stem.is_empty() || table.known_path(&path).len() < path.len() {
        return None;
    }
    let message = format!(
        "`{written}` is a word that begins with `{stem}.`: patterns of commands are no regular expressions"
    );
    let start = text.get(..last.range.start)?.trim_start();
    let problem = Problem::new(last.range.clone(), message).help(format!("write `{start}{stem}`"));
    let dots = last.range.end - 2..last.range.end;
    Some(Habit { problem: problem.fix(dots, ""), is_sure: true })
}

/// A pattern is tried on one command at a time, so nothing that joins commands can be in it. `advice`
/// says what to write for a sign.
pub(crate) fn refuse_operators(
    text: &str,
    words: &[PatternWord],
    advice: fn(&str) -> &'static str,
) -> Result<(), Problem> {
    for word in words {
        let written = text.get(word.range.clone()).unwrap_or_default();
        let Some(at) = operator(written) else { continue };
        let start = word.range.start + at;
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.chars().take_while(|c| "|&;<>".contains(*c)).count();
        let sign = rest.get(..length).unwrap_or_default();
        let message = format!(
            "`{sign}` is read by the shell, and a pattern is tried on one command at a time"
        );
        return Err(Problem::new(start..start + length, message).help(advice(sign)));
    }
    Ok(())
}

/// Where a word has a sign that the shell reads, outside quotes.
fn operator(word: &str) -> Option<usize> {
    let mut quote = None;
    let mut characters = word.char_indices();
    while let Some((at, character)) = characters.next() {
        match (quote, character) {
            (Some(sign), _) if sign == character => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => {
                characters.next();
            }
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(character),
            (None, '|' | '&' | ';' | '<' | '>') => return Some(at),
            (None, _) => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ast::ProgramConfig;
    use crate::command::words;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let mut table = Table::default();
        for name in ["git", "git push", "npm run"] {
            table.add(name, &ProgramConfig::default());
        }
        let read = words(text).expect("words");
        let found = habits(text, &read, &table, |all| all.join(" or "));
        let shown = |habit: &Habit| {
            let help = habit.problem.help.clone().unwrap_or_default();
            let sure = if habit.is_sure { "surely " } else { "" };
            let mut mended = text.to_owned();
            if let Some((range, new)) = habit.problem.fix.clone() {
                mended.replace_range(range, &new);
            }
            format!("{help} -> {sure}{mended}")
        };
        assert_eq!(found.iter().map(shown).collect::<Vec<_>>(), expect, "{text}");
    }

    #[test]
    fn a_colon_and_a_star_are_no_more_words() {
        check("git push:*", &["write `git push *` -> surely git push *"]);
        check(" git:*", &["write `git *` -> surely  git *"]);
        check("own-tool:*", &["write `own-tool *` -> surely own-tool *"]);
        let script = "write `npm run test *`; for names that begin with `test:`, \
                      `npm run test[:]*` -> npm run test *";
        check("npm run test:*", &[script]);
        for good in ["git push *", "npm run test[:]*", "npm run test\\:*", ":*", "a :*", "git x:*y"]
        {
            check(good, &[]);
        }
    }

    #[test]
    fn braces_are_no_alternatives() {
        let two = "write `git push * or git pull *` -> git {push,pull} *";
        check("git {push,pull} *", &[two]);
        for good in ["git show HEAD@{1}", "find -exec rm {} +", "curl -d '{\"a\":1,\"b\":2}'"] {
            check(good, &[]);
        }
    }

    #[test]
    fn what_is_set_is_no_program() {
        check("A=1 rm *", &["write `rm *` -> rm *"]);
        check("A=1", &["name the program, such as `rm *` -> A=1"]);
        check("git -c a=b push", &[]);
        check("'A=1' rm", &[]);
    }

    #[test]
    fn opaque_is_written_small() {
        check("Opaque", &["write `opaque` -> surely opaque"]);
        check("opaque", &[]);
        check("Opaque *", &[]);
    }
}
