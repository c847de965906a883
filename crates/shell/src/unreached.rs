//! Commands that a line never comes to: behind `false &&`, in a branch whose condition is constant, behind `exit`. They are
//! read, since the end of them has to be found, and taken back. Whatever is not certain is reached: only what a shell has
//! built in is believed, where nothing of the line may have given it another meaning, and nothing in loops and functions,
//! which may run once more when something has.

use super::builtins;
use super::command::{Command, Reach};
use super::context::Context;
use super::doubts::Mark;
use super::functions::CALLED;
use super::hole::HOLE;
use super::limits::MAX_DEPTH;
use super::operators;
use super::reader::{Leave, Reader, Start, is_name};
use super::variables::{POSITIONAL, Spot};
use super::word::Word;

/// Programs behind which a name that a shell has built in may mean something else.
const RENAMING: &[&str] = &[
    "alias", "unalias", "enable", "eval", "source", ".", "shopt", "trap", "setopt", "emulate",
    "autoload",
];

/// Programs that run one of those, where a word of theirs says so.
const RUNNING: &[&str] = &["command", "builtin", "exec"];

/// Programs by which a function is given on, or a variable has a way of its own to take values, where a flag of theirs says
/// so.
const DECLARING: &[&str] =
    &["export", "declare", "typeset", "local", "readonly", "integer", "float"];

/// Variables that a shell gives values by itself.
pub(super) const OWN_VARIABLES: &[&str] = &[
    "RANDOM",
    "SRANDOM",
    "SECONDS",
    "LINENO",
    "EPOCHSECONDS",
    "EPOCHREALTIME",
    "FUNCNAME",
    "DIRSTACK",
    "GROUPS",
    "HISTCMD",
    "PWD",
    "OLDPWD",
    "OPTIND",
    "OPTARG",
    "OPTERR",
    "PIPESTATUS",
    "PPID",
    "UID",
    "EUID",
    "SHELLOPTS",
    "COLUMNS",
    "LINES",
    "REPLY",
    "_",
    "IFS",
    "COPROC",
    "MAPFILE",
    "HOME",
    "HOSTNAME",
    "MACHTYPE",
    "OSTYPE",
    "SHLVL",
    "TTYIDLE",
    "USERNAME",
];

/// Variables by which a shell is told of functions, or to read a file before anything else.
const ENVIRONMENT: &[&str] = &["BASH_ENV", "BASH_FUNC", "ZDOTDIR", "SHELLOPTS", "BASHOPTS"];

/// What is taken back where it turns out that it is never reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    start: Start,
    mark: Mark,
}

impl Reader<'_, '_> {
    /// The place from which on something may have to be taken back.
    pub fn reached_here(&self) -> Place {
        Place { start: self.loop_start(), mark: self.line.here() }
    }

    /// Takes back what was read since a place. What a here-document is awaited for stays.
    /// Says whether it did.
    pub fn take_back(&mut self, place: Place) -> bool {
        let may_go = self.here_documents.is_empty();
        if may_go {
            self.drop_round(place.start, self.line.commands.len());
            self.line.roll_back(place.mark);
        }
        may_go
    }

    /// Whether what a shell has built in means what it does in any line.
    pub fn has_its_own_names(&mut self) -> bool {
        let line = &mut *self.line;
        let from = line.names_seen.min(line.commands.len());
        let renames = line.commands.iter().skip(from).any(|command| {
            let words = || line.words(command).iter().skip(1).map(|word| line.text(word));
            let program = line.program(command).unwrap_or_default();
            let declares = |text: &str| text.starts_with(['-', '+']) || text.contains('%');
            command.opaque.is_some()
                || RENAMING.contains(&program) && !builtins::runs_at_end(line, command)
                || RUNNING.contains(&program) && words().any(|text| RENAMING.contains(&text))
                || DECLARING.contains(&program) && words().any(declares)
        });
        // A name may stand at the border of what was looked at before.
        let text = line.text.get(line.text_seen.saturating_sub(16)..).unwrap_or(&line.text);
        let renames = renames || ENVIRONMENT.iter().any(|name| text.contains(name));
        (line.names_seen, line.text_seen) = (line.commands.len(), line.text.len());
        line.renames |= renames || line.problem.is_some();
        !line.renames && !line.set_for.iter().any(|(_, name, _)| line.text(name).contains('%'))
    }

    /// Whether the value of each variable that a text of the line names is certain.
    fn is_certain(&mut self, context: &Context, text: &str) -> bool {
        if !text.contains(['$', '`']) {
            return true;
        }
        if text.contains('`') {
            return false;
        }
        let spot = self.spot(context);
        text.split('$').skip(1).all(|behind| {
            let inner = behind.strip_prefix('{');
            let is_braced = inner.is_some();
            let behind = inner.unwrap_or(behind);
            let is_parameter =
                behind.starts_with(|sign: char| sign.is_ascii_digit() || sign == '#');
            let length = match is_parameter && !is_braced {
                true => 1,
                false if behind.starts_with('#') => 1,
                false => behind.bytes().take_while(|byte| is_name(*byte)).count(),
            };
            let (name, rest) = behind.split_at_checked(length).unwrap_or_default();
            if is_braced && !is_closed(rest) {
                return false;
            }
            if is_variable_default(is_braced, rest) && !self.line.variables.may_be_set(name) {
                // By custom, what the environment may set is not set.
                return !OWN_VARIABLES.contains(&name)
                    && !name.starts_with("BASH")
                    && !is_parameter;
            }
            if is_parameter {
                let is_number = name == "#" || name.bytes().all(|byte| byte.is_ascii_digit());
                return is_number
                    && name != "0"
                    && self.line.variables.is_certain(POSITIONAL, spot);
            }
            let is_variable =
                name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
            let is_usual = !OWN_VARIABLES.contains(&name)
                && !name.starts_with("BASH")
                && !is_named_otherwise(self.text, name);
            is_variable
                && is_usual
                && (self.line.variables.is_certain(name, spot) || self.has_usual_word(name, spot))
        })
    }

    /// Whether a variable was set to what the environment has, or else to a word of the text. By custom, what the environment
    /// may set is not set.
    fn has_usual_word(&mut self, name: &str, spot: Spot) -> bool {
        let number = self.line.variables.usual_word(name, spot);
        number.is_some_and(|number| self.line.loop_words.is_usual(number))
    }

    /// Whether the pipeline that was read from a place of the text on, whose commands are those from `first` on, succeeds;
    /// `None` where nobody can tell.
    pub fn status(&mut self, context: &Context, first: usize, from: usize) -> Option<bool> {
        if context.comes_again() {
            return None;
        }
        let written = self.text.get(from..self.at)?;
        let (text, is_negated) = match written.trim().strip_prefix("! ") {
            Some(rest) => (rest.trim_start(), true),
            None => (written.trim(), false),
        };
        let status = match text {
            "true" | ":" => true,
            "false" => false,
            _ if text.starts_with("[[ ") => {
                let (end, holds) = self.compared;
                let is_it = end == from + written.trim_end().len() && self.has_its_own_names();
                return holds.filter(|_| is_it).map(|holds| holds != is_negated);
            }
            _ if text.starts_with("getopts ") => self.option_taken.take()?,
            _ if text.starts_with("[ ") || text.starts_with("test ") => {
                self.tested(context, first, text)?
            }
            _ if text.starts_with('$') || text.starts_with("\"$") => {
                return self.held(context, first, text).map(|status| status != is_negated);
            }
            _ if context.parent.is_some() => return None,
            _ => return counted(text).map(|status| status != is_negated),
        };
        // What a function of the line is called for has another name there.
        let program = self.line.commands.get(first).and_then(|command| self.line.program(command));
        let is_own = program.is_some_and(|program| text.split_whitespace().next() == Some(program));
        let is_alone = self.line.commands.len() == first + 1;
        (is_own && is_alone && self.has_its_own_names()).then_some(status != is_negated)
    }

    /// The text of a word, if that is certain; for a variable that nothing sets, what stands there in its place.
    fn certain_text(&self, word: &Word) -> Option<&str> {
        if self.line.is_usual(word) && self.line.text(word).chars().eq([HOLE]) {
            return match self.line.loop_words.of(word.stands_for) {
                [usual] => Some(self.line.text(usual)),
                _ => None,
            };
        }
        // Alone, a bracket is no pattern.
        let is_glob = word.is_glob() && self.line.text(word) != "[";
        let is_constant = !word.has_hole() && !is_glob && word.stands_for == 0;
        is_constant.then(|| self.line.text(word))
    }

    /// The texts of a few words, if all are certain.
    fn certain_texts(&self, words: &[Word]) -> Option<[&str; MAX_WORDS]> {
        let mut are_certain = true;
        let texts = words.iter().map_while(|word| {
            let text = self.certain_text(word);
            are_certain &= text.is_some();
            text
        });
        few(texts).filter(|_| are_certain)
    }

    /// What a command says that is a variable alone, which holds `true` or `false`.
    fn held(&mut self, context: &Context, first: usize, text: &str) -> Option<bool> {
        if !self.is_certain(context, text) {
            return None;
        }
        let command =
            self.line.commands.get(first).filter(|_| self.line.commands.len() == first + 1)?;
        let is_alone = self.line.words(command).len() == 1 && command.redirects.is_empty();
        let (at, word) = (command.words.start as usize, *self.line.words(command).first()?);
        let program = self.certain_text(&word).filter(|_| is_alone)?;
        let says = match program {
            "true" | ":" => true,
            "false" => false,
            _ => return None,
        };
        // What the environment may hold in its place is not there.
        if let [usual] = *self.line.loop_words.of(word.stands_for)
            && let Some(command) = self.line.commands.get_mut(first)
        {
            command.opaque = None;
            if let Some(own) = self.line.words.get_mut(at) {
                *own = usual.placed_as(&word);
            }
        }
        self.has_its_own_names().then_some(says)
    }

    /// What `[ … ]` says of constant words.
    fn tested(&mut self, context: &Context, first: usize, text: &str) -> Option<bool> {
        if !self.is_certain(context, text) {
            return None;
        }
        let command = self.line.commands.get(first)?;
        let words = self.line.words(command);
        if !command.redirects.is_empty() {
            return None;
        }
        let texts = self.certain_texts(words)?;
        if texts.iter().any(|text| text.starts_with('~')) {
            return None;
        }
        let (program, rest) = texts.get(..words.len())?.split_first()?;
        let rest = match (*program, rest) {
            ("[", [inner @ .., "]"]) => inner,
            ("test", inner) => inner,
            _ => return None,
        };
        match rest {
            [] => Some(false),
            ["-z", text] => Some(text.is_empty()),
            ["-n", text] => Some(!text.is_empty()),
            [text] => Some(!text.is_empty()),
            // Some shells do not know `==` there.
            [one, operator, other] if *operator != "==" => compare(one, operator, other),
            _ => None,
        }
    }

    /// What `[[ … ]]` says of the words behind `base`, as they stand in a text. A joint is `&` or `|` for two of these, and the
    /// number of words before it.
    pub fn compare(
        &mut self,
        context: &Context,
        written: &str,
        base: usize,
        joints: &[(usize, u8)],
    ) -> Option<bool> {
        /// More of them are not looked at.
        const MAX_JOINTS: usize = 16;
        let is_plain = joints.len() <= MAX_JOINTS && joints.iter().all(|(_, sign)| *sign != 0);
        if context.comes_again() || !is_plain || !self.is_certain(context, written) {
            return None;
        }
        let ends = joints.iter().copied().chain([(self.line.pending.words.len(), b'|')]);
        let (mut from, mut any, mut all) = (base, Some(false), Some(true));
        for (to, sign) in ends {
            let one = self.compare_words(written, from, to);
            all = match (all, one) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
            from = to;
            if sign == b'|' {
                any = match (any, all.replace(true)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                };
                all = Some(true);
            }
        }
        // Some shells do not know it, so that it fails there.
        any.filter(|holds| !holds || context.parent.is_none() || self.is_read_by_bash(context))
    }

    /// What some of the words of `[[ … ]]` say.
    fn compare_words(&self, written: &str, from: usize, to: usize) -> Option<bool> {
        let words = self.line.pending.words.get(from..to)?;
        if let [one, operator, pattern] = words
            && pattern.is_glob()
        {
            return self.compare_pattern(written, (one, operator, pattern));
        }
        let texts = self.certain_texts(words)?;
        let texts = texts.get(..words.len())?;
        if texts.iter().any(|text| text.starts_with('~')) {
            return None;
        }
        let (texts, is_negated) = match texts {
            ["!", rest @ ..] => (rest, true),
            _ => (texts, false),
        };
        let status = match texts {
            ["-z", text] => text.is_empty(),
            ["-n", text] => !text.is_empty(),
            [text] => !text.is_empty(),
            // A number that begins with 0 is another one there, and a name stands for its value.
            [one, operator, other] => {
                let is_other = |text: &str| text.starts_with('0') && text.len() > 1;
                let is_number = operator.starts_with('-');
                if is_number && (is_other(one) || is_other(other)) {
                    return None;
                }
                compare(one, operator, other)?
            }
            _ => return None,
        };
        Some(status != is_negated)
    }

    /// What `[[ … ]]` says of a text and a pattern in which nothing is quoted.
    fn compare_pattern(
        &self,
        written: &str,
        (one, operator, pattern): (&Word, &Word, &Word),
    ) -> Option<bool> {
        let is_constant = |word: &Word| !word.has_hole() && word.stands_for == 0;
        let (one, text) = (Some(one).filter(|one| is_constant(one))?, self.line.text(pattern));
        let is_usual = |sign: char| sign.is_ascii_alphanumeric() || "-_./:=*?".contains(sign);
        let mut as_written = written.split_whitespace();
        let is_plain = text.chars().all(is_usual) && as_written.any(|word| word == text);
        let subject =
            Some(self.line.text(one)).filter(|one| !one.is_empty() && !one.starts_with('~'))?;
        let rest = operators::apply(subject, &format!("##{text}"), subject.len());
        let meets = rest.filter(|_| is_plain && is_constant(pattern))?.is_empty();
        match self.line.text(operator) {
            "=" | "==" => Some(meets),
            "!=" => Some(!meets),
            _ => None,
        }
    }

    /// Whether the text that is read is one of a shell that knows `[[`.
    fn is_read_by_bash(&self, context: &Context) -> bool {
        let of = |at: u32| self.line.commands.get(at as usize);
        let above = |command: &&Command| command.parent.and_then(of);
        let runners = std::iter::successors(context.parent.and_then(of), |runner| above(runner));
        let is_call = |runner: &&Command| {
            self.line.program(runner).is_some_and(|name| name.ends_with(CALLED))
        };
        // A function is read by what reads its call.
        let runner = runners.take(MAX_DEPTH as usize + 1).find(|runner| !is_call(runner));
        let program = runner.and_then(|runner| self.line.program(runner)).unwrap_or_default();
        let first = self.text.lines().next().unwrap_or_default();
        let is_told = first.starts_with("#!") && (first.contains("bash") || first.contains("zsh"));
        match program {
            "bash" | "zsh" | "ksh" => true,
            "sh" | "dash" | "ash" | "busybox" => false,
            _ => is_told,
        }
    }

    /// What `case` is over, where that is certain: the word behind `base`, which begins at a place of the text.
    pub fn certain_subject(
        &mut self,
        context: &Context,
        base: usize,
        from: usize,
    ) -> Option<String> {
        let written = self.text.get(from..self.at)?;
        let [word] = self.line.pending.words.get(base..)? else { return None };
        let is_constant = !word.has_hole() && word.stands_for == 0;
        let text = self.line.text(word).to_owned();
        // What begins with `~` is a path that nobody knows.
        (is_constant
            && !text.starts_with('~')
            && !context.comes_again()
            && self.is_certain(context, written)
            && self.has_its_own_names())
        .then_some(text)
    }

    /// Whether a text meets one of the patterns of a clause of `case`, which begin at a place of the text, behind so many words.
    pub fn meets_pattern(&self, subject: &str, (from, base): (usize, usize)) -> Option<bool> {
        let words = self.line.pending.words.get(base..).unwrap_or_default();
        let written = self.text.get(from..self.at)?.trim().strip_suffix(')')?;
        // What patterns of other kinds are met by, and variables that may have another value.
        if written.contains('(') || words.iter().any(Word::may_be_other) {
            return None;
        }
        let is_quoted = written.contains(['"', '\'', '\\', '$', '`', '[']);
        let mut is_met = Some(false);
        for word in words {
            let pattern = self.line.text(word);
            let is_plain = !word.has_hole() && !word.is_glob();
            let meets = match pattern {
                // What a home is, nobody knows.
                _ if pattern.contains('~') => None,
                _ if is_plain && !pattern.contains(['*', '?', '[']) => Some(pattern == subject),
                "*" if !is_quoted => Some(true),
                _ if is_quoted || word.has_hole() || subject.is_empty() => None,
                // The longest part of its beginning that meets the pattern is all of it.
                _ => operators::apply(subject, &format!("##{pattern}"), subject.len())
                    .map(|rest| rest.is_empty()),
            };
            is_met = match (is_met, meets) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            };
        }
        is_met
    }

    /// Whether nothing of the list that is read is reached behind the pipeline that was read from a place of the text on.
    pub fn ends_list(&mut self, context: &Context, first: usize, from: usize) -> bool {
        let Some(command) = self.line.commands.get(first) else { return false };
        if let Some(name) = self.line.program(command).and_then(|name| name.strip_suffix(CALLED)) {
            let name = name.to_owned();
            return self.exits_by(context, &name, from);
        }
        let is_alone = self.line.commands.len() == first + 1 && command.redirects.is_empty();
        if !is_alone || context.comes_again() {
            return false;
        }
        let words = self.line.words(command);
        let text = |at: usize| words.get(at).map(|word| self.line.text(word));
        let program = text(0).unwrap_or_default();
        // It is written as it is called: nothing stands before it.
        let is_written = self.text.get(from..).is_some_and(|text| text.starts_with(program));
        let ends = match program {
            "exit" => true,
            "return" => context.reach == Reach::Function,
            "break" | "continue" => self.certain_loops > 0,
            "exec" => text(1).is_some_and(|name| !name.starts_with('-')),
            _ => false,
        };
        let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let leave = match program {
            "break" => Leave::Loop,
            "continue" => Leave::Round,
            _ => Leave::Text,
        };
        let is_plain = match program {
            "exec" => true,
            "break" | "continue" => words.len() == 1,
            _ => words.len() == 1 || words.len() == 2 && text(1).is_some_and(is_number),
        };
        let is_end = ends && is_written && is_plain && self.has_its_own_names();
        if is_end {
            self.leave = leave;
        }
        is_end
    }

    /// Whether what was read from a place on calls a function of the text that certainly ends the shell.
    fn exits_by(&mut self, context: &Context, name: &str, from: usize) -> bool {
        let is_written = self.text.get(from..).is_some_and(|text| text.starts_with(name));
        let spot = self.spot(context);
        let exits = is_written
            && !context.comes_again()
            && self.line.variables.exits(name, spot)
            && self.has_its_own_names();
        if exits {
            self.leave = Leave::Text;
        }
        exits
    }
}

/// Whether a text names a variable in another way than by its value and in an assignment, so that a program may set it:
/// `wait -p NAME`, `{NAME}> file`.
fn is_named_otherwise(text: &str, name: &str) -> bool {
    /// A longer text is not looked through for each variable that it compares.
    const MAX_LENGTH: usize = 1 << 14;
    let bytes = text.as_bytes();
    let at =
        |index: Option<usize>| index.and_then(|index| bytes.get(index)).copied().unwrap_or(b' ');
    text.len() > MAX_LENGTH
        || text.match_indices(name).any(|(start, _)| {
            let (before, behind) = (at(start.checked_sub(1)), at(Some(start + name.len())));
            let sets = behind == b':' && at(Some(start + name.len() + 1)) == b'=';
            let is_value = before == b'$'
                || before == b'{' && at(start.checked_sub(2)) == b'$' && behind != b'=' && !sets;
            // `--dry-run` is a flag, and arithmetic is seen to set what it does.
            let is_flag = text
                .get(..start)
                .and_then(|text| text.strip_suffix("--"))
                .is_some_and(|text| text.ends_with([' ', '"', '\'', '|', '(', '\n', '\t', '=']));
            let line = text.get(..start).and_then(|text| text.rsplit('\n').next());
            let is_set = line.is_some_and(|line| line.contains("getopts "))
                || behind == b'='
                || sets
                || text.get(..start).is_some_and(|text| text.ends_with("for "));
            !is_name(before) && !is_name(behind) && !is_value && !is_set && !is_flag
        })
}

/// Whether what stands behind a name is a plain word for what is not set.
fn is_variable_default(is_braced: bool, rest: &str) -> bool {
    let has_word = |sign: &str| rest.strip_prefix(sign).is_some_and(|word| !word.starts_with('}'));
    is_braced && is_closed(rest) && (has_word(":-") || has_word("-"))
}

/// Whether what stands behind a name in braces ends them, perhaps behind a plain word for one that is not set.
fn is_closed(rest: &str) -> bool {
    let word = rest.strip_prefix(":-").or_else(|| rest.strip_prefix('-'));
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte);
    let word = word.and_then(|word| word.split_once('}'));
    rest.starts_with('}') || word.is_some_and(|(word, _)| word.bytes().all(is_plain))
}

/// Conditions of more words are not looked at.
const MAX_WORDS: usize = 5;

/// A few words, without a list of them; `None` where there are more.
fn few<'w>(words: impl Iterator<Item = &'w str>) -> Option<[&'w str; 5]> {
    let mut found = [""; 5];
    for (at, word) in words.enumerate() {
        *found.get_mut(at)? = word;
    }
    Some(found)
}

/// What `((…))` says of a number that stands there.
fn counted(text: &str) -> Option<bool> {
    let inner = text.strip_prefix("((")?.strip_suffix("))")?.trim();
    let is_decimal = inner == "0" || !inner.starts_with('0');
    inner.parse::<u32>().ok().filter(|_| is_decimal).map(|number| number != 0)
}

/// What two words compare as; `None` for operators that ask for files, and for numbers that are none.
fn compare(one: &str, operator: &str, other: &str) -> Option<bool> {
    let numbers = || Some((one.parse::<i64>().ok()?, other.parse::<i64>().ok()?));
    Some(match operator {
        "=" | "==" => one == other,
        "!=" => one != other,
        "-eq" => numbers().map(|(one, other)| one == other)?,
        "-ne" => numbers().map(|(one, other)| one != other)?,
        "-lt" => numbers().map(|(one, other)| one < other)?,
        "-le" => numbers().map(|(one, other)| one <= other)?,
        "-gt" => numbers().map(|(one, other)| one > other)?,
        "-ge" => numbers().map(|(one, other)| one >= other)?,
        _ => return None,
    })
}
