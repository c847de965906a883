//! Assignments: variables, lists, maps and their items.

use super::command::Opaque;
use super::context::Context;
use super::environment;
use super::keywords::TABLES_OF_PROGRAMS;
use super::line::CommandLine;
use super::reader::{MAX_KEYS, MAX_LIST_LENGTH, Reader, is_name};
use super::variables::{BEHIND_ITEM, New, Spot, Value};
use super::word::Doubt;

impl<'t> Reader<'t, '_> {
    /// `NAME=value`, `NAME+=value`, `NAME[i]=value`, `NAME=( … )`. Says whether there was one.
    pub fn assignment(&mut self, context: &Context) -> bool {
        let start = self.at;
        let name = self.name();
        if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) {
            self.at = start;
            return false;
        }
        let mut plain = true;
        let mut adds = false;
        let end = self.at;
        if self.peek() == Some(b'[') {
            plain = false;
            let end = self.rest().bytes().position(|byte| matches!(byte, b']' | b' ' | b'\n'));
            match end {
                Some(end) if self.peek_at(end) == Some(b']') => self.at += end + 1,
                _ => {
                    self.at = start;
                    return false;
                }
            }
        }
        let subscript = end..self.at;
        let key = self.text.get(subscript.clone()).unwrap_or_default();
        let key = key.trim_start_matches('[').trim_end_matches(']');
        if self.take("+=") {
            adds = true;
        } else if !self.take("=") {
            self.at = start;
            return false;
        }
        let names = &mut self.line.pending.names;
        names.push((start as u32, end as u32));
        if TABLES_OF_PROGRAMS.contains(&name) {
            // From here on, names of programs mean something else.
            self.line.fail(Opaque::Program);
        }
        if !plain {
            let subscript = self.text.get(subscript).unwrap_or_default();
            self.note_subscript(context, subscript);
        }
        let base = self.line.pending.words.len();
        if self.peek() == Some(b'(') {
            self.at += 1;
            self.array_words(context);
            self.set_list(context, name, base, plain, adds);
            self.line.pending.words.truncate(base);
            return true;
        }
        let perhaps = self.line.variables.perhaps_uses();
        let value = self.value(context);
        let is_perhaps = self.line.variables.perhaps_uses() != perhaps;
        if plain
            && !adds
            && let Some(command) = context.parent
        {
            let name = self.line.add_text(name, 0..0);
            self.line.set_for.push((command, name, value));
        }
        if let (Some(run), Some(command)) = (environment::run(name), context.parent) {
            self.line.values.push((command, run, value));
        }
        let spot = self.spot(context);
        if self.line.variables.are_typed() {
            let written = self.line.text(&value).to_owned();
            self.evaluates_subscript(context, super::subscript::subscript(&written));
            self.note_arithmetic(context, &written);
        }
        let CommandLine { variables, text, loop_words, .. } = &mut *self.line;
        let written = text.get(value.start as usize..value.end as usize).unwrap_or_default();
        if environment::is_expanded(name) && (value.has_hole() || written.contains(['$', '`'])) {
            self.line.fail(Opaque::Text);
        } else if plain && !adds && !value.has_hole() {
            variables.set(name, New::Text(written), spot);
        } else if plain && !adds && !value.may_split() && !written.chars().eq([super::HOLE]) {
            variables.set(name, New::Holed(written, Doubt::of(&value)), spot);
        } else if plain && !adds {
            // Of any text nobody knows what it becomes without quotes; a name stays one.
            let is_plain = !value.may_hold_syntax();
            let is_branch = value.is_of_branch() && written.chars().eq([super::HOLE]);
            let doubt = match is_plain {
                true => {
                    let doubt = Doubt::word(value.may_be_flag(), value.may_split());
                    Doubt { is_plain, is_branch, ..doubt }
                }
                false => Doubt::word(true, true),
            };
            let is_whole = written.chars().eq([super::HOLE]);
            let stands_for = if is_whole { value.stands_for } else { 0 };
            // What a command prints that finds files are names, wherever they are put meanwhile.
            let doubt = match loop_words.finder(stands_for) {
                Some(_) => Doubt {
                    is_plain: false,
                    may_be_flag: value.may_be_flag(),
                    ..Doubt::found(stands_for, false)
                },
                None => Doubt { stands_for, ..doubt },
            };
            variables.set(name, New::Unknown(doubt), spot);
        } else if plain && adds && !value.has_hole() {
            let written = written.to_owned();
            self.add_to(name, &written, spot);
        } else if plain || adds || value.has_hole() {
            variables.lose(name, spot);
        } else {
            let written = written.to_owned();
            self.set_item(name, key, &written, spot);
        }
        if is_perhaps {
            self.line.variables.set_perhaps(name, value.may_be_other());
        }
        true
    }

    /// Sets a variable to the words behind `base`, or adds them to it.
    fn set_list(&mut self, context: &Context, name: &str, base: usize, plain: bool, adds: bool) {
        let spot = self.spot(context);
        if plain && !adds && self.set_keyed(name, base, spot) {
            return;
        }
        let words = self.line.pending.words.get(base..).unwrap_or_default();
        let size: usize = words.iter().map(|word| (word.end - word.start) as usize + 1).sum();
        let is_constant =
            words.iter().all(|word| !word.has_hole() && !word.is_glob() && !word.may_be_other());
        let is_known = plain && is_constant && !words.is_empty() && size < MAX_LIST_LENGTH;
        let mut value = std::mem::take(&mut self.line.value);
        value.clear();
        let old = if adds { self.line.variables.open_list(name, spot) } else { Some("") };
        let is_known = is_known && old.is_some_and(|old| old.len() < MAX_LIST_LENGTH);
        value.push_str(old.unwrap_or_default());
        let words = self.line.pending.words.get(base..).unwrap_or_default();
        if !value.is_empty() && !value.ends_with(BEHIND_ITEM) {
            value.push(BEHIND_ITEM);
        }
        for word in words {
            value.push_str(self.line.text(word));
            value.push(BEHIND_ITEM);
        }
        if is_known {
            self.line.variables.set(name, New::List(&value), spot);
        } else {
            self.line.variables.lose(name, spot);
        }
        self.line.value = value;
    }

    /// Puts a text behind the value of a variable.
    fn add_to(&mut self, name: &str, text: &str, spot: Spot) {
        let known = match self.line.variables.is_list(name, spot) {
            false => match self.line.variables.get(name, true, spot) {
                Value::Known(known) => Some([known, text].concat()),
                Value::Unknown(_) => None,
            },
            true => None,
        };
        let is_certain = !self.line.variables.used_perhaps();
        match known.filter(|known| is_certain && self.line.has_room(known.len())) {
            Some(known) => self.line.variables.set(name, New::Text(&known), spot),
            None => self.line.variables.lose(name, spot),
        }
    }

    /// Sets what one key of a list or a map stands for.
    fn set_item(&mut self, name: &str, key: &str, value: &str, spot: Spot) {
        let variables = &mut self.line.variables;
        let is_plain = !key.is_empty() && key.bytes().all(is_name);
        if is_plain && variables.is_map(name, spot) {
            return variables.set_item(name, key, value, spot);
        }
        let is_number = !(key.len() > 1 && key.starts_with('0'));
        let Some(index) = key.parse::<usize>().ok().filter(|_| is_number) else {
            return variables.lose(name, spot);
        };
        let mut items: Vec<String> = variables
            .list(name, spot)
            .map(|list| list.split_terminator(BEHIND_ITEM).map(str::to_owned).collect())
            .unwrap_or_default();
        let count = items.len();
        match items.get_mut(index) {
            Some(item) => value.clone_into(item),
            None if index == count && index > 0 => items.push(value.to_owned()),
            None => {
                variables.lose(name, spot);
                return variables.set_item(name, key, value, spot);
            }
        }
        let list: String = items.iter().flat_map(|item| [item.as_str(), "\0"]).collect();
        match list.len() < MAX_LIST_LENGTH {
            true => variables.set(name, New::List(&list), spot),
            false => variables.lose(name, spot),
        }
    }

    /// Reads the items of a list that is declared, `NAME=( … )` among the words of a command.
    pub fn declared_list(&mut self, context: &Context, name: &str, is_map: bool) {
        let base = self.line.pending.words.len();
        self.array_words(context);
        let spot = self.spot(context);
        if is_map {
            self.line.variables.lose(name, spot);
            self.line.variables.set_map(name, spot);
        }
        match name.bytes().all(is_name) {
            true => self.set_list(context, name, base, true, false),
            false => self.line.variables.lose(name.trim_end_matches('+'), spot),
        }
        self.line.pending.words.truncate(base);
    }

    /// Sets items that stand behind keys, `([KEY]=value …)`. Says whether all do.
    fn set_keyed(&mut self, name: &str, base: usize, spot: Spot) -> bool {
        let words = self.line.pending.words.get(base..).unwrap_or_default();
        let mut pairs = Vec::new();
        for word in words {
            let text = self.line.text(word);
            let pair = text.strip_prefix('[').and_then(|text| text.split_once("]="));
            match pair.filter(|_| !word.has_hole()) {
                Some((key, value)) => pairs.push((key.to_owned(), value.to_owned())),
                None => return false,
            }
        }
        let is_map = self.line.variables.is_map(name, spot);
        let is_number = |key: &str| key.parse::<u16>().is_ok_and(|n| n.to_string() == key);
        if pairs.is_empty() || !is_map && !pairs.iter().all(|(key, _)| is_number(key)) {
            return false;
        }
        self.line.variables.lose(name, spot);
        for (key, value) in pairs.iter().take(MAX_KEYS) {
            self.line.variables.set_item(name, key, value, spot);
        }
        true
    }

    /// Reads the items of a list, up to the closing parenthesis and that too.
    fn array_words(&mut self, context: &Context) {
        loop {
            self.skip_lines();
            match self.peek() {
                None => {
                    self.broken();
                    break;
                }
                Some(b')') => {
                    self.at += 1;
                    break;
                }
                Some(_) => {
                    let before = self.at;
                    self.word(context);
                    if self.at == before {
                        self.broken();
                        self.at += 1;
                    }
                }
            }
        }
    }
}
