//! What begins with `$` or stands in backticks: variables, substitutions, arithmetic, `$'…'`.

use super::context::Context;
use super::environment;
use super::given::{self, Substituted};
use super::hole::MADE;
use super::operators;
use super::quoting::SUBSTITUTED;
use super::reader::{Reader, ends_word, is_name};
use super::unreached::OWN_VARIABLES;
use super::variables::{self, BEHIND_ITEM, New, POSITIONAL, Spot, Value};
use super::word::{Doubt, Growing};
use super::{HOLE, MAX_DEPTH};

/// Longer arithmetic is taken for commands: looking for its end must not cost much.
const MAX_ARITHMETIC_LENGTH: usize = 512;

fn is_digit(character: char) -> bool {
    character.is_ascii_digit()
}

/// Whether an operator behind a variable ends the shell where that has no value.
fn ends_without(operator: &str) -> bool {
    operator.starts_with(":?") || operator.starts_with('?')
}

/// Whether a variable of this name holds flags by custom.
fn are_called_flags(name: &str) -> bool {
    const CALLED: [&str; 5] = ["flag", "opt", "arg", "switch", "param"];
    let holds = |called: &str| {
        let mut parts = name.as_bytes().windows(called.len());
        parts.any(|part| part.eq_ignore_ascii_case(called.as_bytes()))
    };
    CALLED.into_iter().any(holds)
}

/// Whether what an expansion puts in the place of a variable that is set, or is not, is a flag: `${FORCE:+--force}`.
fn holds_flag(written: &str) -> bool {
    let operator = written.split_once(['+', '-', '=']).map(|(_, word)| word);
    operator.is_some_and(|word| word.trim_start_matches(['"', '\'']).starts_with('-'))
}

/// Where temporary files lie unless a variable says otherwise.
const TEMPORARY: &str = "/tmp";

/// What lies at the root of a file system, and where containers have work. Source: the Filesystem Hierarchy Standard 3.0,
/// and what macOS has besides.
const AT_ROOT: &[&str] = &[
    "Applications",
    "Library",
    "System",
    "Users",
    "Volumes",
    "app",
    "bin",
    "boot",
    "code",
    "cores",
    "data",
    "dev",
    "etc",
    "home",
    "lib",
    "lib64",
    "media",
    "mnt",
    "nix",
    "opt",
    "private",
    "proc",
    "project",
    "repo",
    "root",
    "run",
    "sbin",
    "snap",
    "src",
    "srv",
    "sys",
    "usr",
    "var",
    "work",
    "workspace",
    "workspaces",
];

/// How the items of a list are used.
#[derive(Clone, Copy, Debug)]
struct ListUse {
    /// `*` joins them between quotes.
    is_joined: bool,
    quoted: bool,
    split: bool,
}

impl<'t> Reader<'t, '_> {
    /// Reads what a `$` begins.
    pub fn dollar(&mut self, growing: &mut Growing, context: &Context, quoted: bool, split: bool) {
        match self.peek_at(1) {
            Some(b'(') => {
                if self.peek_at(2) == Some(b'(') && self.arithmetic_end(self.at + 3).is_some() {
                    self.at += 3;
                    self.arithmetic(context);
                    self.hole(growing, Doubt::NUMBER);
                } else {
                    self.at += 2;
                    let first = self.line.commands.len();
                    self.commands_inside(context);
                    self.substituted(growing, first, context, quoted, split);
                }
            }
            Some(b'{') => self.braced_variable(growing, context, quoted, split),
            Some(b'\'') if !quoted => {
                self.at += 2;
                self.escapes(growing);
            }
            // A text to be translated.
            Some(b'"') if !quoted => self.at += 1,
            Some(first) if first.is_ascii_alphabetic() || first == b'_' => {
                self.at += 1;
                let name = self.name();
                self.use_variable(growing, context, name, quoted, split);
            }
            // All arguments: none, one or several, whatever the quotes.
            Some(sign @ (b'@' | b'*')) => {
                self.at += 2;
                let use_of = ListUse { is_joined: sign == b'*', quoted, split };
                if self.use_items(growing, context, POSITIONAL, "", use_of) {
                    return;
                }
                let is_called_flags = true;
                self.hole(growing, Doubt { is_called_flags, ..Doubt::word(true, true) });
            }
            Some(b'0'..=b'9') => {
                let number = self.text.get(self.at + 1..self.at + 2).unwrap_or_default();
                self.at += 2;
                self.use_parameter(growing, context, number, quoted, split);
            }
            Some(b'-') => {
                self.at += 2;
                self.hole(growing, Doubt::word(true, !quoted));
            }
            Some(b'#') => {
                self.at += 2;
                let spot = self.spot(context);
                let list = self.line.variables.list(POSITIONAL, spot);
                match list.map(|list| list.split_terminator(BEHIND_ITEM).count().to_string()) {
                    Some(count) => self.use_value(growing, context, &count, quoted, split),
                    None => self.hole(growing, Doubt::NUMBER),
                }
            }
            Some(b'?' | b'$' | b'!') => {
                self.at += 2;
                self.hole(growing, Doubt::NUMBER);
            }
            _ => {
                growing.started = true;
                self.line.pending.buffer.push('$');
                self.at += 1;
            }
        }
    }

    pub fn hole(&mut self, growing: &mut Growing, doubt: Doubt) {
        let at_start = self.line.pending.buffer.len() == growing.base;
        growing.mark_hole(doubt, at_start);
        self.line.pending.buffer.push(HOLE);
    }

    /// The text that commands from `first` on write, where it is constant.
    fn substituted(
        &mut self,
        growing: &mut Growing,
        first: usize,
        context: &Context,
        quoted: bool,
        split: bool,
    ) {
        let (parent, spot) = (context.parent, self.spot(context));
        let inner = self.line.commands.get(first..).unwrap_or_default();
        match given::substituted(self.line, inner, parent) {
            Substituted::Text(text) if text.contains(HOLE) || !self.line.has_room(text.len()) => {
                self.hole(growing, Doubt { may_split: !quoted, ..SUBSTITUTED });
            }
            Substituted::Text(text) if quoted => {
                growing.started = true;
                self.push_known(growing, text.trim_end_matches('\n'), SUBSTITUTED);
            }
            Substituted::Text(text) => {
                self.push_split(growing, text.trim_end_matches('\n'), spot, split);
            }
            Substituted::Number => self.hole(growing, Doubt::NUMBER),
            Substituted::Name => self.hole(growing, Doubt::NAME),
            Substituted::Branch => self.hole(growing, Doubt::BRANCH),
            Substituted::User => self.hole(growing, Doubt::USER),
            Substituted::Unknown => {
                let found = self.finder(first..self.line.commands.len());
                let mut inner = self.line.commands.iter().skip(first);
                let is_of_git = inner.any(|command| self.line.program(command) == Some("git"));
                let number = found.map_or(0, |finder| self.line.loop_words.keep_finder(finder));
                let doubt = match number {
                    0 => Doubt { may_split: !quoted, ..SUBSTITUTED },
                    // A name may hold any sign, and as git prints it begin as a flag does.
                    number => Doubt {
                        is_plain: false,
                        may_be_flag: is_of_git,
                        ..Doubt::found(number, false)
                    },
                };
                self.hole(growing, doubt);
            }
        }
    }

    fn use_variable(
        &mut self,
        growing: &mut Growing,
        context: &Context,
        name: &str,
        quoted: bool,
        split: bool,
    ) {
        let spot = self.spot(context);
        if self.line.variables.may_be_other(name) {
            self.mark_other(growing);
        }
        self.line.variables.may_be_empty();
        if let Some((text, doubt)) = self.holed(name, quoted, spot) {
            if self.line.variables.used_perhaps() {
                self.note_more(context);
            }
            for (number, piece) in text.split(HOLE).enumerate() {
                if number > 0 {
                    self.hole(growing, doubt);
                }
                self.push_known(growing, piece, SUBSTITUTED);
            }
            return;
        }
        if self.is_temporary(name) {
            growing.started = true;
            self.note_more(context);
            return self.push_known(growing, TEMPORARY, SUBSTITUTED);
        }
        let length = match self.line.variables.get(name, quoted, spot) {
            Value::Unknown(doubt) => {
                let is_called_flags = are_called_flags(name);
                let stands_for = match doubt.stands_for {
                    0 => self.last_values(name),
                    // Somebody else may have given it a value of its own by then.
                    number
                        if self.line.loop_words.is_usual(number)
                            && !self.line.variables.is_single(name, spot) =>
                    {
                        0
                    }
                    // Something else may have been put there since.
                    number
                        if self.line.loop_words.finder(number).is_some()
                            && self.line.variables.usual_word(name, spot) != Some(number) =>
                    {
                        return self.hole(growing, Doubt::word(true, !quoted));
                    }
                    number => number,
                };
                return self.hole(growing, Doubt { is_called_flags, stands_for, ..doubt });
            }
            Value::Known(value) => value.len(),
        };
        let is_partly_empty = self.line.variables.may_be_empty() && !self.is_whole(growing);
        if is_partly_empty || !self.line.has_room(length) {
            return self.hole(growing, Doubt::word(true, true));
        }
        let mut value = std::mem::take(&mut self.line.value);
        value.clear();
        if let Value::Known(known) = self.line.variables.get(name, quoted, spot) {
            value.push_str(known);
        }
        self.use_value(growing, context, &value, quoted, split);
        self.line.value = value;
    }

    /// Whether a value, which was just read, is the whole word.
    fn is_whole(&self, growing: &Growing) -> bool {
        let behind = self.rest();
        let behind = behind.strip_prefix('"').unwrap_or(behind);
        self.line.pending.buffer.len() == growing.base
            && behind.bytes().next().is_none_or(ends_word)
    }

    /// Notes that a value, which was just read, may be another one, or none: where a slash stands behind it, it names
    /// no program.
    fn mark_other(&self, growing: &mut Growing) {
        let behind = self.rest();
        if !behind.strip_prefix('"').unwrap_or(behind).starts_with('/') {
            growing.mark_other();
        }
        if !self.is_whole(growing) {
            growing.mark_partly_other();
        }
    }

    /// Whether a variable, which was just read, says where temporary files lie, and what stands behind it names one of
    /// them: a file that does not lie at the root either, where the variable is not set.
    fn is_temporary(&self, name: &str) -> bool {
        if name != "TMPDIR" || self.line.variables.is_set(name) {
            return false;
        }
        let behind = self.rest();
        let Some(behind) = behind.strip_prefix('"').unwrap_or(behind).strip_prefix('/') else {
            return false;
        };
        let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
        let end = behind.bytes().position(|byte| !is_sign(byte)).unwrap_or(behind.len());
        let (named, further) = behind.split_at_checked(end).unwrap_or_default();
        let goes_on = further.starts_with(['*', '?', '[', '$', '{', '`', '\\', '\'']);
        let may_be = |root: &&str| *root == named || goes_on && root.starts_with(named);
        !named.is_empty() && !named.starts_with('.') && !AT_ROOT.iter().any(may_be)
    }

    /// The value of a variable of which pieces are not known, if it is one word here, and what is known of these.
    fn holed(&mut self, name: &str, quoted: bool, spot: Spot) -> Option<(String, Doubt)> {
        let is_split = !quoted && self.line.variables.separators(spot) != Some(variables::BLANKS);
        let (text, doubt) = self.line.variables.holed(name, spot).filter(|_| !is_split)?;
        let is_word =
            quoted || doubt.is_number && !text.contains([' ', '\t', '\n', '*', '?', '[', '\\']);
        let text = is_word.then(|| text.to_owned())?;
        self.line.has_room(text.len()).then_some((text, doubt))
    }

    /// Puts a value in the place of what stands for it.
    fn use_value(
        &mut self,
        growing: &mut Growing,
        context: &Context,
        value: &str,
        quoted: bool,
        split: bool,
    ) {
        if self.line.variables.used_perhaps() {
            self.note_more(context);
        }
        if quoted {
            growing.started = true;
            self.push_known(growing, value, SUBSTITUTED);
        } else {
            let spot = self.spot(context);
            self.push_split(growing, value, spot, split);
        }
    }

    /// The same for a positional parameter, by its number.
    fn use_parameter(
        &mut self,
        growing: &mut Growing,
        context: &Context,
        number: &str,
        quoted: bool,
        split: bool,
    ) {
        match self.parameter(context, number) {
            Some(value) => self.use_value(growing, context, &value, quoted, split),
            None => {
                let stands_for = self.last_values(POSITIONAL);
                self.hole(growing, Doubt { stands_for, ..Doubt::word(true, !quoted) });
            }
        }
    }

    /// The number of the values that the line gave a variable, which may have another one by now.
    fn last_values(&mut self, name: &str) -> u16 {
        match self.line.variables.last_values(name) {
            Some(values) => self.line.keep_values(&values, false),
            None => 0,
        }
    }

    /// The number of what may stand in the place of `${NAME…}`, as it is written: the word that is there for a variable
    /// that is not set, the items of a list of which nobody knows which.
    fn values_of_computed(&mut self, context: &Context, written: &str) -> u16 {
        let body = written.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
        let body = body.unwrap_or_default();
        let end = body.bytes().position(|byte| !is_name(byte)).unwrap_or(body.len());
        let Some((name, operator)) = body.split_at_checked(end) else { return 0 };
        let spot = self.spot(context);
        if let Some(index) = operator.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            let is_one = !index.contains(['[', ']', '@', '*']);
            let items = self.line.variables.list(name, spot).filter(|_| is_one);
            let items = items.map(|items| items.split_terminator(BEHIND_ITEM).map(str::to_owned));
            let items: Vec<String> = items.map(Iterator::collect).unwrap_or_default();
            return self.line.keep_values(&items, true);
        }
        let operator = operator.strip_prefix(':').unwrap_or(operator);
        let Some(word) = operator.strip_prefix(['-', '=']) else { return 0 };
        let values = self.line.variables.last_values(name);
        let is_usual = values.is_none() && self.is_of_environment(context, name);
        let mut values = values.unwrap_or_default();
        values.extend(self.default_word(context, word.trim_matches('"')));
        let number = self.line.keep_values(&values, false);
        if is_usual {
            self.line.loop_words.note_usual(number);
        }
        number
    }

    /// What stands in `${NAME:-…}` for a variable that is not set, where that is known.
    fn default_word(&mut self, context: &Context, word: &str) -> Option<String> {
        /// Each of those that stand in another one is read once more for it.
        const MAX_NESTED: usize = 4;
        if word.is_empty() || word.contains(['`', '(', '"', '\'', '\\', '*', '?', '[', ' ']) {
            return None;
        }
        if word.matches("${").count() > MAX_NESTED {
            return None;
        }
        if !word.contains(['$', '{', '~']) {
            return Some(word.to_owned());
        }
        // What runs commands was read already.
        let mut nested = self.nested(word, (0, 0));
        let value = nested.value(context);
        let is_whole = nested.at == word.len() && !value.is_glob();
        is_whole.then(|| self.line.text(&value).to_owned())
    }

    /// Whether a variable has a value only where the environment of the line gives it one: nothing that was read sets it.
    fn is_of_environment(&self, context: &Context, name: &str) -> bool {
        let is_name = name.starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '_');
        let setting = format!("{name}=");
        let above = |at: &u32| self.line.commands.get(*at as usize)?.parent;
        // `env NAME=value sh -c …`
        let sets = |at: u32| {
            let command = self.line.commands.get(at as usize);
            let words = command.map_or(&[][..], |command| self.line.words(command));
            words.iter().any(|word| self.line.text(word).contains(&setting))
        };
        let around = std::iter::successors(context.parent, above).take(MAX_DEPTH as usize + 1);
        is_name
            && !OWN_VARIABLES.contains(&name)
            && !self.line.variables.may_be_set(name)
            && !{ around }.any(sets)
    }

    fn parameter(&mut self, context: &Context, number: &str) -> Option<String> {
        let spot = self.spot(context);
        let value = match number.parse::<usize>().ok()?.checked_sub(1) {
            None => self.line.variables.list("0", spot)?,
            Some(index) => self.line.variables.item(POSITIONAL, index, spot)?,
        };
        let value = value.to_owned();
        self.line.has_room(value.len()).then_some(value)
    }

    /// `${NAME…}` or `${NAME[…]…}` of something known, with an operator that has nothing to be expanded in it.
    /// Says whether it was that.
    fn constant_expansion(
        &mut self,
        growing: &mut Growing,
        context: &Context,
        quoted: bool,
        split: bool,
    ) -> bool {
        let written = self.rest();
        let mut before = 0;
        let length = written.bytes().position(|byte| {
            // The place in a list may stand in a variable: `${list[$i]}`.
            let is_place = byte == b'$' && before == b'[';
            before = byte;
            !is_place
                && matches!(
                    byte,
                    b'}' | b'$' | b'`' | b'"' | b'\'' | b'\\' | b'{' | b'~' | b'<' | b'>' | b'\n'
                )
        });
        let body = length.and_then(|length| written.get(..length)).unwrap_or_default();
        if body.is_empty() || written.as_bytes().get(body.len()) != Some(&b'}') {
            return false;
        }
        let (sign, rest) = match body.split_at_checked(1) {
            Some((sign @ ("#" | "!"), rest)) if !rest.is_empty() => (sign, rest),
            _ => ("", body),
        };
        let end = rest.bytes().position(|byte| !is_name(byte)).unwrap_or(rest.len());
        let (mut name, behind) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let mut operator = behind;
        let mut subscript = None;
        if name.is_empty() && behind.starts_with(['@', '*']) {
            (name, subscript, operator) =
                (POSITIONAL, behind.get(..1), behind.get(1..).unwrap_or_default());
        } else if let Some((inner, behind)) =
            behind.strip_prefix('[').and_then(|b| b.split_once(']'))
        {
            (subscript, operator) = (Some(inner), behind);
        }
        // What stands for a home is not its value.
        if name.is_empty() || matches!(name, "HOME" | "IFS") || operator.contains('$') {
            return false;
        }
        let (from, at) = (self.at, self.at + body.len() + 1);
        let perhaps = self.line.variables.perhaps_uses();
        let is_done = match (sign, subscript) {
            ("", Some(sign @ ("@" | "*"))) => {
                let use_of = ListUse { is_joined: sign == "*", quoted, split };
                self.use_items(growing, context, name, operator, use_of)
            }
            ("#", Some("@" | "*")) if operator.is_empty() => {
                let spot = self.spot(context);
                let items = self.line.variables.list(name, spot);
                let count = items.map(|items| items.split_terminator(BEHIND_ITEM).count());
                count.is_some_and(|count| {
                    self.use_value(growing, context, &count.to_string(), quoted, split);
                    true
                })
            }
            // Without a value the shell ends: `"${DIR:?}"` is what the variable is.
            ("", None) if ends_without(operator) && name.starts_with(|first| !is_digit(first)) => {
                self.at = at;
                self.use_variable(growing, context, name, quoted, split);
                true
            }
            _ => match self.computed(context, sign, name, subscript, operator) {
                Some(value) => {
                    self.at = at;
                    if self.line.variables.perhaps_uses() != perhaps {
                        self.mark_other(growing);
                    }
                    self.use_value(growing, context, &value, quoted, split);
                    true
                }
                None => false,
            },
        };
        self.at = if is_done { at } else { from };
        is_done
    }

    /// What an operator makes of a value that is known.
    fn computed(
        &mut self,
        context: &Context,
        sign: &str,
        name: &str,
        subscript: Option<&str>,
        operator: &str,
    ) -> Option<String> {
        let mut value = match self.known_value(context, name, subscript) {
            Some(value) => value,
            None if sign.is_empty() && subscript.is_none() => {
                return self.fallback(context, name, operator);
            }
            None => return None,
        };
        match sign {
            "#" if operator.is_empty() => return Some(value.chars().count().to_string()),
            "#" => return None,
            "!" => {
                let is_plain = value.bytes().all(is_name) && value != "HOME" && subscript.is_none();
                value = self.known_value(context, &value, None).filter(|_| is_plain)?;
            }
            _ => {}
        }
        let room = self.line.limit;
        let made = match operator {
            "" => value.clone(),
            operator => operators::apply(&value, operator, room)?,
        };
        let sets = operator.starts_with(":=") && value.is_empty();
        if sets && (subscript.is_some() || sign == "!") {
            return None;
        }
        if !self.line.has_room(made.len()) {
            return None;
        }
        if sets {
            let spot = self.spot(context);
            self.line.variables.set(name, New::Text(&made), spot);
        }
        Some(made)
    }

    /// What stands in the line for a variable of the environment, where that is as good as what may stand there.
    fn fallback(&mut self, context: &Context, name: &str, operator: &str) -> Option<String> {
        let word = operator.strip_prefix(":-").or_else(|| operator.strip_prefix('-'))?;
        let is_set = self.line.variables.is_set(name);
        if is_set || !environment::is_of_one_kind(name) || !self.line.has_room(word.len()) {
            return None;
        }
        // An allowance covers what stands there, and nothing else.
        let command = context.parent.and_then(|at| self.line.commands.get_mut(at as usize));
        if let Some(command) = command {
            command.may_run_more = true;
        }
        operators::apply("", &format!(":-{word}"), self.line.limit)
    }

    fn known_value(
        &mut self,
        context: &Context,
        name: &str,
        subscript: Option<&str>,
    ) -> Option<String> {
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            return self.parameter(context, name).filter(|_| subscript.is_none());
        }
        let spot = self.spot(context);
        let value = match subscript {
            None => match self.line.variables.get(name, true, spot) {
                Value::Known(value) => value,
                Value::Unknown(_) => return None,
            },
            Some(index) => {
                let index = match index.strip_prefix('$') {
                    None => index.to_owned(),
                    Some(place) => match self.line.variables.get(place, true, spot) {
                        Value::Known(value) if place.bytes().all(is_name) => value.to_owned(),
                        _ => return None,
                    },
                };
                let index = index.as_str();
                let has_key = self.line.variables.keyed_item(name, index, spot).is_some();
                match has_key {
                    true => self.line.variables.keyed_item(name, index, spot)?,
                    false => {
                        let index = self.subscript(name, index, spot)?;
                        self.line.variables.item(name, index, spot)?
                    }
                }
            }
        };
        let value = value.to_owned();
        (!value.contains(HOLE) && self.line.has_room(value.len())).then_some(value)
    }

    /// The place in a list that a subscript names: a number, or a variable that holds one; behind a sign it counts
    /// from the end.
    fn subscript(&mut self, name: &str, index: &str, spot: Spot) -> Option<usize> {
        let is_number = |text: &str| {
            !text.is_empty()
                && text.bytes().all(|byte| byte.is_ascii_digit())
                && !(text.len() > 1 && text.starts_with('0'))
        };
        if let Some(from_end) = index.strip_prefix('-').filter(|text| is_number(text)) {
            let items = self.line.variables.list(name, spot)?;
            let count = items.split_terminator(BEHIND_ITEM).count();
            return count.checked_sub(from_end.parse().ok()?);
        }
        if is_number(index) {
            return index.parse().ok();
        }
        let is_name = index.bytes().all(is_name) && !self.line.variables.is_map(name, spot);
        match self.line.variables.get(index, true, spot) {
            Value::Known(value) if is_name && is_number(value) => value.parse().ok(),
            _ => None,
        }
    }

    /// The items of a list that is known, and what an operator makes of them.
    fn items(&mut self, context: &Context, name: &str, operator: &str) -> Option<Vec<String>> {
        let spot = self.spot(context);
        let items = match operator {
            "" => self.line.variables.open_list(name, spot)?,
            _ => self.line.variables.list(name, spot)?,
        };
        let items: Vec<String> = items.split_terminator(BEHIND_ITEM).map(str::to_owned).collect();
        let size: usize = items.iter().map(String::len).sum();
        if !self.line.has_room(size) {
            return None;
        }
        if operator.is_empty() {
            return Some(items);
        }
        let window =
            operator.strip_prefix(':').filter(|rest| !rest.starts_with(['-', '+', '=', '?']));
        if operator.starts_with(':') {
            // Before the first positional parameter there is the name of the shell.
            let first = usize::from(name == POSITIONAL);
            let (from, to) = operators::window(window?, items.len() + first)?;
            let from = from.checked_sub(first)?;
            return Some(items.get(from..to - first)?.to_vec());
        }
        if !operator.starts_with(['#', '%', '/', '^', ',']) {
            return None;
        }
        let room = self.line.limit;
        items.iter().map(|item| operators::apply(item, operator, room)).collect()
    }

    /// `$@`, `$*`, `${NAME[@]}`, perhaps with an operator: the items of a list that is known. Says whether it is.
    fn use_items(
        &mut self,
        growing: &mut Growing,
        context: &Context,
        name: &str,
        operator: &str,
        use_of: ListUse,
    ) -> bool {
        let Some(items) = self.items(context, name, operator) else { return false };
        let spot = self.spot(context);
        let ListUse { is_joined, quoted, split } = use_of;
        let is_open = items.iter().any(|item| item.contains(HOLE));
        if is_open && !(quoted && split && !is_joined) {
            return false;
        }
        if quoted && split && !is_joined {
            self.put_items(growing, context, items.iter().map(String::as_str));
            return true;
        }
        let Some(separators) = self.line.variables.separators(spot) else { return false };
        if quoted || !split {
            let sign = separators.chars().next().filter(|_| is_joined);
            let sign =
                if is_joined { sign.map_or(String::new(), String::from) } else { " ".into() };
            self.use_value(growing, context, &items.join(&sign), true, split);
            return true;
        }
        for (number, item) in items.iter().enumerate() {
            if number > 0 {
                self.end_word(growing);
                *growing = self.line.pending.grow(growing.from);
            }
            self.use_value(growing, context, item, false, true);
        }
        true
    }

    fn put_items<'i>(
        &mut self,
        growing: &mut Growing,
        context: &Context,
        items: impl Iterator<Item = &'i str>,
    ) {
        if self.line.variables.used_perhaps() {
            self.note_more(context);
        }
        let before = self.line.pending.buffer.len();
        let mut items = items.enumerate().peekable();
        if items.peek().is_none() && before == growing.base {
            // No items are no word, whatever the quotes around them.
            growing.started = false;
        }
        for (index, item) in items {
            if index > 0 {
                self.end_word(growing);
                *growing = self.line.pending.grow(growing.from);
            }
            growing.started = true;
            // An item that nobody knows may be none, or several.
            let is_unknown = item.chars().eq([HOLE]);
            let doubt = if is_unknown { Doubt::word(true, true) } else { SUBSTITUTED };
            self.push_known(growing, item, doubt);
        }
    }

    /// `${ … }`: a plain name is a variable, everything else is computed.
    fn braced_variable(
        &mut self,
        growing: &mut Growing,
        context: &Context,
        quoted: bool,
        split: bool,
    ) {
        let start = self.at;
        self.at += 2;
        let name = self.name();
        if self.peek() == Some(b'}') && !name.is_empty() {
            self.at += 1;
            if name.bytes().all(|byte| byte.is_ascii_digit()) {
                return self.use_parameter(growing, context, name, quoted, split);
            }
            return self.use_variable(growing, context, name, quoted, split);
        }
        self.at = start + 2;
        if self.constant_expansion(growing, context, quoted, split) {
            return;
        }
        self.at = start + 2;
        if matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'|')) {
            return self.commands_in_braces(growing, context, quoted);
        }
        // A length is a number.
        let is_length = self.peek() == Some(b'#') && self.peek_at(1).is_some_and(is_name);
        let mut computed = self.line.pending.grow(self.at);
        self.deeper(|reader| reader.skip_braced(&mut computed, context, quoted));
        self.line.pending.drop_text(&computed);
        // `${list[@]}` is all of them, whatever the quotes.
        let written = self.text.get(start..self.at).unwrap_or_default();
        let stands_for = self.values_of_computed(context, written);
        self.note_computed(context, written, stands_for);
        let is_list = written.contains("[@]") || written.contains("[*]") || written.contains('@');
        let may_split = (!quoted || is_list) && !is_length;
        let is_called_flags = is_list || are_called_flags(written) || holds_flag(written);
        let is_plain = is_length;
        let doubt = Doubt::word(!is_length, may_split);
        self.hole(growing, Doubt { is_plain, is_called_flags, stands_for, ..doubt });
    }

    /// `${ commands; }`: what they write stands in its place.
    fn commands_in_braces(&mut self, growing: &mut Growing, context: &Context, quoted: bool) {
        self.at += usize::from(self.peek() == Some(b'|'));
        let inner = Context {
            parent: context.parent,
            reach: super::Reach::Substitution,
            in_loop: context.in_loop,
            function: context.function,
            ..Context::default()
        };
        self.deeper(|reader| {
            reader.list(&inner, super::keywords::Until::Brace);
        });
        self.hole(growing, Doubt { may_split: !quoted, ..SUBSTITUTED });
    }

    /// What an expansion sets, to what it stands for, and what it evaluates besides.
    fn note_computed(&mut self, context: &Context, written: &str, stands_for: u16) {
        let spot = self.spot(context);
        let body = written.get(2..).unwrap_or_default();
        let name = body.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
        let name = name.unwrap_or_default();
        let rest = body.get(name.len()..).unwrap_or_default();
        if !name.is_empty() && (rest.starts_with(":=") || rest.starts_with('=')) {
            let is_usual = self.line.loop_words.is_usual(stands_for);
            let stands_for = if is_usual { stands_for } else { 0 };
            let doubt = Doubt { stands_for, ..Doubt::word(true, true) };
            self.line.variables.set(name, New::Unknown(doubt), spot);
        }
        let evaluates = rest.starts_with("@P");
        if evaluates {
            self.note_more(context);
        }
        if evaluates && self.line.variables.holds_substitution(name) {
            self.line.fail(super::Opaque::Text);
        }
        let is_subscript =
            rest.starts_with('[') && !rest.starts_with("[@]") && !rest.starts_with("[*]");
        let is_offset =
            rest.strip_prefix(':').is_some_and(|rest| !rest.starts_with(['-', '=', '+', '?']));
        if is_subscript || is_offset {
            self.note_arithmetic(context, rest);
        }
    }

    /// What stands in arithmetic is evaluated until it is a number: a variable's value may run
    /// something, and values may be set.
    pub(super) fn note_arithmetic(&mut self, context: &Context, text: &str) {
        let spot = self.spot(context);
        let sets = text.contains("++") || text.contains("--") || sets_a_value(text);
        let names = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        for name in names.filter(|name| name.starts_with(|c: char| !c.is_ascii_digit())) {
            let variables = &mut self.line.variables;
            if variables.may_hold_code(name) == Some(true) {
                let runs = variables.holds_substitution(name);
                self.note_more(context);
                if runs {
                    self.line.fail(super::Opaque::Text);
                }
            }
            if sets {
                let number = super::variables::New::Unknown(Doubt::NUMBER);
                self.line.variables.set(name, number, spot);
            }
        }
    }

    /// Skips to the closing brace; the commands on the way run.
    fn skip_braced(&mut self, growing: &mut Growing, context: &Context, quoted: bool) {
        loop {
            match self.peek() {
                None => return self.broken(),
                Some(b'}') => {
                    self.at += 1;
                    return;
                }
                Some(b'\\') => {
                    self.at += 1;
                    self.at += self.rest().chars().next().map_or(0, char::len_utf8);
                }
                Some(b'\'') if !quoted => {
                    let end = self.rest().bytes().skip(1).position(|byte| byte == b'\'');
                    match end {
                        Some(end) => self.at += end + 2,
                        None => {
                            self.broken();
                            self.at = self.text.len();
                        }
                    }
                }
                Some(b'"') => {
                    self.at += 1;
                    self.double_quoted(growing, context, false);
                }
                Some(b'$') => self.dollar(growing, context, true, false),
                Some(b'`') => self.backticks(growing, context, true, false),
                Some(_) => self.at += 1,
            }
        }
    }

    /// Where `(( … ))` ends, if it is arithmetic: the two closing parentheses stand together.
    pub fn arithmetic_end(&self, from: usize) -> Option<usize> {
        let mut open = 0u32;
        let mut quote = None;
        let bytes = self.text.as_bytes();
        let mut at = from;
        while let Some(&byte) = bytes.get(at).filter(|_| at - from < MAX_ARITHMETIC_LENGTH) {
            match (quote, byte) {
                (Some(sign), byte) if sign == byte => quote = None,
                (_, b'\\') => at += 1,
                (Some(_), _) => {}
                (None, b'\'' | b'"') => quote = Some(byte),
                (None, b'(') => open += 1,
                (None, b')') if open > 0 => open -= 1,
                (None, b')') => return (bytes.get(at + 1) == Some(&b')')).then_some(at + 2),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Behind `((`, up to the closing `))` and that too. Only substitutions run anything.
    pub fn arithmetic(&mut self, context: &Context) {
        let mut growing = self.line.pending.grow(self.at);
        let from = self.at;
        let mut open = 0u32;
        self.deeper(|reader| {
            loop {
                match reader.peek() {
                    None => return reader.broken(),
                    Some(b'(') => open += 1,
                    Some(b')') if open > 0 => open -= 1,
                    Some(b')') => {
                        reader.at += 1;
                        // What was substituted on the way may have taken the second one.
                        if !reader.take(")") {
                            reader.broken();
                        }
                        return;
                    }
                    Some(b'$') => {
                        reader.dollar(&mut growing, context, true, false);
                        continue;
                    }
                    Some(b'`') => {
                        reader.backticks(&mut growing, context, true, false);
                        continue;
                    }
                    Some(b'\\') => reader.at += 1,
                    Some(_) => {}
                }
                reader.at += reader.rest().chars().next().map_or(0, char::len_utf8);
            }
        });
        self.line.pending.drop_text(&growing);
        let written = self.text.get(from..self.at).unwrap_or_default();
        self.note_arithmetic(context, written);
    }

    /// Commands in backticks, where a backslash protects the next sign.
    pub fn backticks(
        &mut self,
        growing: &mut Growing,
        context: &Context,
        quoted: bool,
        split: bool,
    ) {
        let from = self.at;
        self.at += 1;
        let mut inner = String::new();
        loop {
            match self.rest().chars().next() {
                None => {
                    self.broken();
                    break;
                }
                Some('`') => {
                    self.at += 1;
                    break;
                }
                Some('\\') => {
                    self.at += 1;
                    let Some(next) = self.rest().chars().next() else { continue };
                    let is_special = matches!(next, '`' | '\\' | '$') || quoted && next == '"';
                    if !is_special {
                        inner.push('\\');
                    }
                    inner.push(next);
                    self.at += next.len_utf8();
                }
                Some(other) => {
                    inner.push(other);
                    self.at += other.len_utf8();
                }
            }
        }
        let first = self.line.commands.len();
        self.read_inside(&inner, from, context);
        self.substituted(growing, first, context, quoted, split);
    }

    /// Reads a text that had to be copied as commands of a substitution.
    fn read_inside(&mut self, text: &str, from: usize, context: &Context) {
        let span = self.span(from, self.at);
        let inner = Context {
            parent: context.parent,
            reach: super::Reach::Substitution,
            in_loop: context.in_loop,
            function: context.function,
            ..Context::default()
        };
        let before = self.line.here();
        self.deeper(|reader| {
            let mut nested = reader.nested(text, (span.start, span.end));
            nested.list(&inner, super::keywords::Until::End);
        });
        self.line.roll_back(before);
    }

    /// `$' … '`, behind the opening quote.
    fn escapes(&mut self, growing: &mut Growing) {
        growing.started = true;
        loop {
            let Some(character) = self.rest().chars().next() else { return self.broken() };
            self.at += character.len_utf8();
            match character {
                '\'' => return,
                '\\' => match self.escape() {
                    // A shell cuts the text here, or drops the byte.
                    Some('\0') => self.broken(),
                    Some(HOLE) => self.hole(growing, SUBSTITUTED),
                    Some(character) => self.line.pending.buffer.push(character),
                    None => return,
                },
                other => {
                    let mut bytes = [0; 4];
                    self.push_known(growing, other.encode_utf8(&mut bytes), SUBSTITUTED);
                }
            }
        }
    }

    /// What stands behind a backslash in `$' … '`; `None` at the end of the text.
    fn escape(&mut self) -> Option<char> {
        let Some(character) = self.rest().chars().next() else {
            self.broken();
            return None;
        };
        self.at += character.len_utf8();
        Some(match character {
            'a' => '\u{7}',
            'b' => '\u{8}',
            'e' | 'E' => '\u{1b}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            'x' => self.digits(16, 2),
            'u' => self.digits(16, 4),
            'U' => self.digits(16, 8),
            'c' => {
                let next = self.rest().chars().next().unwrap_or('@');
                self.at += if self.rest().is_empty() { 0 } else { next.len_utf8() };
                char::from(next as u8 & 0x1f)
            }
            '0'..='7' => {
                self.at -= 1;
                self.digits(8, 3)
            }
            other => other,
        })
    }

    fn digits(&mut self, radix: u32, most: usize) -> char {
        let mut value = 0u32;
        for _ in 0..most {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(radix));
            let Some(digit) = digit else { break };
            value = value.wrapping_mul(radix).wrapping_add(digit);
            self.at += 1;
        }
        char::from_u32(value).filter(|sign| *sign != MADE).unwrap_or(HOLE)
    }
}

/// Whether there is a `=` that is no comparison.
fn sets_a_value(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().any(|(at, byte)| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        let earlier = at.checked_sub(2).and_then(|at| bytes.get(at));
        let is_shift = before == earlier && matches!(before, Some(b'<' | b'>'));
        let compares = matches!(before, Some(b'=' | b'!' | b'<' | b'>')) && !is_shift;
        *byte == b'=' && !compares && bytes.get(at + 1) != Some(&b'=')
    })
}
