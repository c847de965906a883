//! Variables of a command line whose values are written in it. What the environment holds is not
//! known, and neither is what a command computes.
//!
//! Values hold where they are sure to: what is set in a subshell is gone behind it, and what is set
//! where nobody knows whether it runs is unknown from there on.

use super::HOLE;
use super::word::Doubt;
use std::borrow::Cow;
use std::ops::Range;

/// More variables than this are not kept: every look-up goes through them.
const MAX: usize = 256;

/// No more names, in bytes, are kept of variables that get their value later.
const MAX_EXPORTED: usize = 1_024;

/// Variables whose value is a path, so never a flag or several words.
const PATHS: [&str; 3] = ["PWD", "OLDPWD", "TMPDIR"];

/// Variables whose value is the name or the number of the user whose shell it is.
const USERS: [&str; 4] = ["USER", "LOGNAME", "UID", "EUID"];

/// Variables whose value is a number or a name, so no path either.
const NAMES: [&str; 7] =
    ["HOSTNAME", "RANDOM", "SRANDOM", "BASHPID", "PPID", "SECONDS", "EPOCHSECONDS"];

/// What unquoted values are split at unless a line says otherwise.
pub(super) const BLANKS: &str = " \t\n";

/// Behind each item of a list.
pub(super) const BEHIND_ITEM: char = '\0';

/// The name under which the positional parameters are kept, as a list.
pub(super) const POSITIONAL: &str = "@";

/// What is kept of a function that ends the shell.
const EXITS: &str = "exits";

/// A value that was used in a function, which may run at any time.
const IN_FUNCTION: u32 = u32::MAX;

#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    entries: Vec<Variable>,
    text: String,
    /// Some were not kept, so a name that is not there may have a value.
    overflow: bool,
    /// What was changed, so that it can be taken back.
    changes: Vec<Change>,
    /// Nothing that was set in an earlier one is known any more.
    era: u32,
    /// How many commands stood in the line when each era ended.
    eras: Vec<u32>,
    /// Nothing is known, whatever is set.
    blind: bool,
    /// Whether values are split at something else than blanks.
    splits_otherwise: bool,
    /// Whether every variable that is set is put into the environment.
    pub exports_all: bool,
    /// Names of which the value is put there once there is one, each behind a sign.
    exported: String,
    /// The loop being read, counted from 1; none is 0.
    in_loop: u32,
    loops: u32,
    /// The function being read, counted from 1; none is 0.
    in_function: u32,
    functions: u32,
    /// Names whose value changes behind a use of it in a loop or a function.
    unstable: Vec<(u32, u32)>,
    unstable_text: String,
    found_unstable: bool,
    /// A value was used that may not have been set.
    used_perhaps: bool,
    /// How often one was, ever.
    perhaps_uses: u32,
    /// A value was used that may still be empty.
    may_be_empty: bool,
    /// Functions were defined.
    has_functions: bool,
    /// Single keys of variables were set.
    has_items: bool,
    /// A positional parameter was asked for.
    pub used_parameters: bool,
    /// The entries of what is around a text that is run, and what of them holds in it.
    outside: usize,
    around: Around,
    /// From this entry on, those are of the text that holds the function whose body is run.
    frame_start: usize,
    /// What the texts have set that define functions.
    frames: Vec<Frame>,
    /// Whether nothing of the line around the text is known.
    around_blind: bool,
    around_era: u32,
}

/// What holds of a line's variables in a text that one of its commands runs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Around {
    /// The place of the command in the line.
    pub command: u32,
    /// Whether the shell of the line runs the text itself.
    pub same_shell: bool,
    /// Whether it does so when the line ends: what is set behind the command holds, too.
    pub at_end: bool,
    /// Whether the command may run more than once.
    pub comes_again: bool,
    /// Of a function that another text than the line defines, the number of what that set, and the place of the command
    /// there that comes to the call.
    pub frame: Option<(u32, u32)>,
}

/// The variables of a text that was read, for the functions that it defines.
#[derive(Clone, Debug)]
struct Frame {
    /// Its commands.
    commands: Range<u32>,
    entries: Vec<Variable>,
    /// What was changed of these, by their places among them.
    history: Vec<Change>,
}

#[derive(Clone, Copy, Debug)]
struct Variable {
    name: (u32, u32),
    value: Option<(u32, u32)>,
    /// Whether the value is a list.
    is_list: bool,
    /// Whether the value is known but for pieces of it, for which there are holes.
    is_holed: bool,
    /// Of an unknown value.
    doubt: Doubt,
    era: u32,
    /// The loop in which its value was used last, or [`IN_FUNCTION`].
    used_in: u32,
    /// The function in which it was set.
    set_in: u32,
    /// How many commands stood in the line when it was set.
    since: u32,
    /// Whether it had one value only, but for an empty one before.
    is_settled: bool,
    /// Whether it had an empty one before.
    was_empty: bool,
    is_exported: bool,
    /// Whether it belongs to the function being read.
    is_local: bool,
    /// Whether a function sets it, whenever that runs.
    is_volatile: bool,
    /// Whether it may not have been set at all, or stands for a value of the environment that may be there.
    is_perhaps: bool,
    /// Whether its value ends with what may be something else, or nothing, for that reason.
    may_be_other: bool,
    /// Whether something else may have been set before.
    hides_another: bool,
    /// Whether something that may not have run has set it since.
    is_doubted: bool,
}

#[derive(Clone, Copy, Debug)]
struct Change {
    index: u32,
    before: Variable,
}

/// A place to go back to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    changes: usize,
    entries: usize,
    splits_otherwise: bool,
}

/// What is known of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    Known(&'a str),
    Unknown(Doubt),
}

/// What a variable is set to.
#[derive(Clone, Copy, Debug)]
pub(super) enum New<'a> {
    Text(&'a str),
    /// Items with [`BEHIND_ITEM`] behind each.
    List(&'a str),
    /// A text with holes, and what is certain of these nevertheless.
    Holed(&'a str, Doubt),
    Unknown(Doubt),
}

/// What a variable was given at a place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Given {
    /// A text that is kept, by its place.
    Text((u32, u32)),
    /// One of the words that are kept under a number.
    OneOf(u16),
    /// Nothing by the line: it may have a value of its own.
    Nothing,
    Unknown,
}

/// Where something stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// How many commands stand in the line.
    pub commands: usize,
    pub in_loop: bool,
    pub in_function: bool,
}

impl Variables {
    pub fn clear(&mut self) {
        self.entries.clear();
        self.text.clear();
        self.changes.clear();
        self.unstable.clear();
        self.unstable_text.clear();
        self.found_unstable = false;
        self.used_perhaps = false;
        self.perhaps_uses = 0;
        self.has_functions = false;
        self.has_items = false;
        self.exported.clear();
        self.outside = 0;
        self.frames.clear();
        self.start_again();
    }

    /// Forgets what reading up to here has brought, except which names are unstable.
    fn start_again(&mut self) {
        self.overflow = false;
        self.era = 0;
        self.eras.clear();
        self.blind = false;
        self.around_blind = false;
        self.splits_otherwise = false;
        self.exports_all = false;
        (self.in_loop, self.loops, self.in_function, self.functions) = (0, 0, 0, 0);
    }

    fn slice(&self, range: (u32, u32)) -> &str {
        self.text.get(range.0 as usize..range.1 as usize).unwrap_or_default()
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.entries.iter().rposition(|entry| {
            (entry.name.1 - entry.name.0) as usize == name.len() && self.slice(entry.name) == name
        })
    }

    fn is_unstable(&self, name: &str) -> bool {
        self.unstable
            .iter()
            .any(|range| self.unstable_text.get(range.0 as usize..range.1 as usize) == Some(name))
    }

    /// The entry of a variable, if all of its value is known here.
    fn known(&mut self, name: &str, spot: Spot) -> Option<Variable> {
        self.holding(name, spot).filter(|entry| !entry.is_holed)
    }

    /// The value of a variable of which pieces are unknown, with holes for these, and what is known of them.
    pub fn holed(&mut self, name: &str, spot: Spot) -> Option<(&str, Doubt)> {
        let entry = self.holding(name, spot).filter(|entry| entry.is_holed)?;
        entry.value.map(|value| (self.slice(value), entry.doubt))
    }

    /// The entry of a variable, if what is kept of its value holds here.
    fn holding(&mut self, name: &str, spot: Spot) -> Option<Variable> {
        self.entry_here(name, spot, true)
    }

    /// The number of what a variable without a value of its own stands for, if nothing else may have set it since.
    pub fn usual_word(&mut self, name: &str, spot: Spot) -> Option<u16> {
        let entry = self.entry_here(name, spot, false)?;
        let number = entry.doubt.stands_for;
        (!entry.is_doubted && !entry.is_perhaps && number > 0).then_some(number)
    }

    /// The entry of a variable that has a value, or has none, if what is kept of it holds here.
    fn entry_here(&mut self, name: &str, spot: Spot, has_value: bool) -> Option<Variable> {
        self.used_parameters |= name == POSITIONAL;
        let index = self.find(name)?;
        let is_outside = index < self.outside;
        let entry = match is_outside {
            true => self.entry_around(index)?,
            false => *self.entries.get(index)?,
        };
        let era = if is_outside { self.around_era } else { self.era };
        let holds = entry.value.is_some() == has_value
            && entry.era == era
            && !self.blind
            && !(entry.is_volatile && (self.in_function == 0 || entry.set_in != self.in_function));
        let is_of_frame = is_outside && index >= self.frame_start;
        let place = self.place_around(index);
        let reaches = !is_outside
            || (is_of_frame || !self.around_blind)
                && (self.around.at_end && entry.is_settled || entry.since <= place)
                && (is_of_frame || self.around.same_shell || entry.is_exported);
        if !holds || !reaches {
            return None;
        }
        if spot.in_loop || spot.in_function && entry.set_in != self.in_function {
            if self.is_unstable(name) {
                return None;
            }
            let used_in = if spot.in_loop && entry.set_in == self.in_function {
                self.in_loop
            } else {
                IN_FUNCTION
            };
            if let Some(entry) = self.entries.get_mut(index).filter(|_| !is_outside)
                && entry.used_in != IN_FUNCTION
            {
                entry.used_in = used_in;
            }
        }
        if entry.is_perhaps {
            self.use_perhaps();
        }
        self.may_be_empty |= is_outside && entry.was_empty && entry.since > place;
        Some(entry)
    }

    /// An entry of what is around a text as it was where the command stands that runs the text; `None` where it may have had
    /// several values there.
    fn entry_around(&self, index: usize) -> Option<Variable> {
        /// Behind more changes than this nothing is looked for.
        const MAX_CHANGES: usize = 256;
        let mut entry = *self.entries.get(index)?;
        if entry.is_settled {
            return Some(entry);
        }
        let is_of_frame = index >= self.frame_start;
        let (history, index) = match self.around.frame {
            Some((number, _)) if is_of_frame => {
                let frame = self.frames.get(number as usize)?;
                (frame.history.as_slice(), index - self.frame_start)
            }
            _ => (self.changes.as_slice(), index),
        };
        let place = self.place_around(if is_of_frame { index + self.frame_start } else { index });
        if self.around.at_end || self.around.comes_again || history.len() > MAX_CHANGES {
            return None;
        }
        for change in history.iter().rev().filter(|change| change.index as usize == index) {
            if entry.since <= place {
                break;
            }
            let era = entry.era;
            entry = change.before;
            if is_of_frame {
                entry.era = era;
            }
        }
        Some(entry)
    }

    /// The place of the command around a text up to which an entry of what is around that counts.
    fn place_around(&self, index: usize) -> u32 {
        match self.around.frame {
            Some((_, place)) if index >= self.frame_start => place,
            _ => self.around.command,
        }
    }

    /// Whether what a variable was set to is all that it may be set to here: no function has a variable of its own that is
    /// called so, and nothing sets it again.
    pub fn is_single(&self, name: &str, spot: Spot) -> bool {
        let Some(index) = self.find(name) else { return false };
        let Some(entry) = self.entries.get(index) else { return false };
        let is_before = || self.around.at_end || entry.since <= self.place_around(index);
        match index < self.outside {
            true => entry.is_settled && is_before(),
            false => entry.is_settled || !spot.in_function,
        }
    }

    /// Whether a variable has one value here, which the text that is read gave it for sure.
    pub fn is_certain(&mut self, name: &str, spot: Spot) -> bool {
        let is_own = self.find(name).is_some_and(|index| index >= self.outside);
        let is_list = name == POSITIONAL;
        let entry = self.known(name, spot).filter(|_| is_own || !is_list);
        entry.is_some_and(|entry| !entry.is_perhaps && entry.is_list == is_list)
    }

    /// Whether a value was used since the last question that may still be empty.
    pub fn may_be_empty(&mut self) -> bool {
        std::mem::take(&mut self.may_be_empty)
    }

    /// Notes that a value was used that may be another one.
    pub fn use_perhaps(&mut self) {
        self.used_perhaps = true;
        self.perhaps_uses = self.perhaps_uses.saturating_add(1);
    }

    /// How many values were used so far that may be other ones.
    pub fn perhaps_uses(&self) -> u32 {
        self.perhaps_uses
    }

    /// Notes that a variable holds a value that may be another one; `may_be_other` says that so may be the end of it.
    pub fn set_perhaps(&mut self, name: &str, may_be_other: bool) {
        let index = self.find(name).filter(|index| *index >= self.outside);
        if let Some(entry) = index.and_then(|index| self.entries.get_mut(index)) {
            entry.is_perhaps = true;
            entry.may_be_other |= may_be_other;
        }
    }

    /// Whether the value of a variable ends with what may be something else, or nothing.
    pub fn may_be_other(&self, name: &str) -> bool {
        let entry = self.find(name).and_then(|index| self.entries.get(index));
        entry.is_some_and(|entry| entry.may_be_other)
    }

    /// Whether a value was used since the last question that may not have been set.
    pub fn used_perhaps(&mut self) -> bool {
        std::mem::take(&mut self.used_perhaps)
    }

    /// The value of a variable that stands in quotes or not. Of a list it is the first item.
    pub fn get(&mut self, name: &str, quoted: bool, spot: Spot) -> Value<'_> {
        if let Some(Variable { value: Some(value), is_list, .. }) = self.known(name, spot) {
            let text = self.slice(value);
            return Value::Known(match is_list {
                true => text.split(BEHIND_ITEM).next().unwrap_or_default(),
                false => text,
            });
        }
        let unknown =
            |may_be_flag| Value::Unknown(Doubt::word(may_be_flag, !quoted && may_be_flag));
        match self.find(name).and_then(|index| self.entries.get(index)) {
            Some(entry) if entry.value.is_some() && !entry.is_holed => unknown(true),
            Some(Variable { value, doubt, era, .. }) => {
                // What was forgotten since may be another value by now.
                let is_kept = *era == self.era && !self.blind && value.is_none();
                let stands_for = if is_kept { doubt.stands_for } else { 0 };
                let may_split = !quoted && doubt.may_split;
                Value::Unknown(Doubt { may_split, stands_for, ..*doubt })
            }
            None if self.overflow || self.blind => unknown(true),
            None if name == "IFS" => Value::Known(BLANKS),
            // As people write it, and as rules name it.
            None if name == "HOME" => Value::Known("~"),
            // A shell, whichever it is.
            None if name == "BASH" => Value::Known("/bin/bash"),
            None if name == "SHELL" => Value::Known("/bin/sh"),
            None if USERS.contains(&name) => Value::Unknown(Doubt::USER),
            None if NAMES.contains(&name) => Value::Unknown(Doubt::NUMBER),
            None if PATHS.contains(&name) => unknown(false),
            // By custom, what is quoted is one operand.
            None => unknown(!quoted),
        }
    }

    /// The values that the line gave a variable last, whether or not it still has one of them; `None` where it gave none.
    pub fn last_values(&self, name: &str) -> Option<Vec<String>> {
        let entry = self.entries.get(self.find(name)?).filter(|entry| !entry.is_holed)?;
        let text = self.slice(entry.value?);
        Some(match entry.is_list {
            true => text.split_terminator(BEHIND_ITEM).map(str::to_owned).collect(),
            false => vec![text.to_owned()],
        })
    }

    /// Whether the line is seen to set a variable.
    pub fn is_seen_set(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// Whether the line sets a variable, or may.
    pub fn is_set(&self, name: &str) -> bool {
        self.overflow || self.blind || self.find(name).is_some()
    }

    /// Whether what was read may have set a variable, and be it out of a file.
    pub fn may_be_set(&self, name: &str) -> bool {
        self.is_set(name) || self.era > 0 || self.around_blind
    }

    /// The items of a list with [`BEHIND_ITEM`] behind each, where they are known. A text is its only item.
    pub fn list(&mut self, name: &str, spot: Spot) -> Option<&str> {
        self.open_list(name, spot).filter(|items| !items.contains(HOLE))
    }

    /// The same where an item that is a hole stands for others, or for none.
    pub fn open_list(&mut self, name: &str, spot: Spot) -> Option<&str> {
        let entry = self.known(name, spot)?;
        let text = entry.value.map(|value| self.slice(value))?;
        // Without a sign behind it, an empty text would be no item.
        (entry.is_list || !text.is_empty()).then_some(text)
    }

    /// Whether what is known of a variable is a list.
    pub fn is_list(&mut self, name: &str, spot: Spot) -> bool {
        self.known(name, spot).is_some_and(|entry| entry.is_list)
    }

    /// An item of a list that is known; what is not there is empty.
    pub fn item(&mut self, name: &str, index: usize, spot: Spot) -> Option<&str> {
        let items = self.list(name, spot)?;
        Some(items.split_terminator(BEHIND_ITEM).nth(index).unwrap_or_default())
    }

    /// Whether a value may make whatever evaluates it run something: it is not known, or holds a
    /// substitution. `None` for a variable that the line does not set.
    pub fn may_hold_code(&self, name: &str) -> Option<bool> {
        let entry = self.entries.get(self.find(name)?)?;
        let holds_signs = entry.value.map(|value| self.slice(value).contains(['[', '$', '`']));
        let is_known = entry.value.is_some() && !entry.is_holed;
        Some(holds_signs == Some(true) || !is_known && !entry.doubt.is_plain)
    }

    /// Whether a known value holds a substitution.
    pub fn holds_substitution(&self, name: &str) -> bool {
        let value = self.find(name).and_then(|index| self.entries.get(index)?.value);
        value.is_some_and(|value| {
            let text = self.slice(value);
            text.contains("$(") || text.contains('`')
        })
    }

    /// The signs at which a value that stands outside quotes is cut; `None` where nobody knows.
    pub fn separators(&mut self, spot: Spot) -> Option<&str> {
        if self.blind {
            return None;
        }
        if !self.splits_otherwise {
            return Some(BLANKS);
        }
        let entry = self.known("IFS", spot)?;
        let is_certain = !std::mem::take(&mut self.used_perhaps) && !entry.is_list;
        entry.value.filter(|_| is_certain).map(|value| self.slice(value))
    }

    /// The same for those who go on changing variables; the usual signs are not copied.
    pub fn own_separators(&mut self, spot: Spot) -> Option<Cow<'static, str>> {
        if !self.blind && !self.splits_otherwise {
            return Some(Cow::Borrowed(BLANKS));
        }
        self.separators(spot).map(|signs| Cow::Owned(signs.to_owned()))
    }

    /// Whether a name is certain to be that of a function here.
    pub fn is_function(&mut self, name: &str, spot: Spot) -> bool {
        if !self.has_functions {
            return false;
        }
        let used = self.used_perhaps;
        let known = self.known(&format!("{name}()"), spot);
        self.used_perhaps = used;
        known.is_some_and(|entry| !entry.is_perhaps)
    }

    /// Whether a name is certain to be that of a function that ends the shell whenever it is called.
    pub fn exits(&mut self, name: &str, spot: Spot) -> bool {
        let entry = self.known(&format!("{name}()"), spot).filter(|entry| !entry.is_perhaps);
        entry.and_then(|entry| entry.value).is_some_and(|value| self.slice(value) == EXITS)
    }

    /// Takes note of a function, and whether that ends the shell, or that there is none any more.
    pub fn set_function(&mut self, name: &str, exits: Option<bool>, spot: Spot) {
        if let Some(exits) = exits {
            self.has_functions = true;
            let kind = if exits { EXITS } else { "function" };
            self.set(&format!("{name}()"), New::Text(kind), spot);
        } else if self.has_functions {
            self.lose(&format!("{name}()"), spot);
        }
    }

    /// Takes note that the items of a variable are found by keys.
    pub fn set_map(&mut self, name: &str, spot: Spot) {
        self.set(&format!("{name}[]"), New::Text("map"), spot);
    }

    /// Whether the items of a variable are found by keys.
    pub fn is_map(&mut self, name: &str, spot: Spot) -> bool {
        self.known(&format!("{name}[]"), spot).is_some()
    }

    /// Sets what one key of a variable stands for.
    pub fn set_item(&mut self, name: &str, key: &str, value: &str, spot: Spot) {
        self.set(&format!("{name}[{key}]"), New::Text(value), spot);
        self.has_items = true;
    }

    /// What one key of a variable stands for.
    pub fn keyed_item(&mut self, name: &str, key: &str, spot: Spot) -> Option<&str> {
        let entry = self.known(&format!("{name}[{key}]"), spot).filter(|_| self.has_items)?;
        entry.value.map(|value| self.slice(value))
    }

    /// Forgets what single keys of a variable stand for.
    fn lose_items(&mut self, name: &str, spot: Spot) {
        let is_item = |own: &str| {
            own.strip_prefix(name).is_some_and(|rest| rest.starts_with('[') && rest.len() > 2)
        };
        let items: Vec<String> = self
            .entries
            .iter()
            .map(|entry| self.slice(entry.name))
            .filter(|own| is_item(own))
            .map(str::to_owned)
            .collect();
        for item in items {
            self.set(&item, New::Unknown(Doubt::word(true, true)), spot);
        }
    }

    /// From here on nobody knows what values are split at.
    pub fn split_otherwise(&mut self) {
        self.splits_otherwise = true;
    }

    /// Sets a variable.
    pub fn set(&mut self, name: &str, new: New<'_>, spot: Spot) {
        if self.has_items && !name.contains('[') {
            self.lose_items(name, spot);
        }
        let before = self.find(name).filter(|index| *index >= self.outside);
        let known = before.and_then(|index| self.entries.get(index).copied());
        let (text, is_list, is_holed) = match new {
            New::Text(text) => (Some(text), false, false),
            New::List(text) => (Some(text), true, false),
            New::Holed(text, _) => (Some(text), false, true),
            New::Unknown(_) => (None, false, false),
        };
        if name == "IFS" {
            self.splits_otherwise = text != Some(BLANKS);
        }
        let is_same = known.is_some_and(|entry| {
            entry.value.map(|range| self.slice(range)) == text
                && entry.is_list == is_list
                && !entry.is_holed
                && !is_holed
                && entry.era == self.era
                && !entry.is_perhaps
                && text.is_some()
        });
        if is_same {
            return;
        }
        let is_empty =
            |entry: Variable| entry.is_settled && entry.value.is_some_and(|it| it.0 == it.1);
        let was_empty = !is_list && known.is_some_and(is_empty);
        let uses = known.map_or(0, |entry| entry.used_in);
        if uses == IN_FUNCTION || uses != 0 && uses == self.in_loop {
            self.note_unstable(name);
        }
        let doubt = match new {
            New::Unknown(doubt) | New::Holed(_, doubt) => doubt,
            New::Text(_) | New::List(_) => Doubt::word(true, true),
        };
        let value = text.map(|text| self.put(text));
        let entry = Variable {
            name: known.map_or((0, 0), |entry| entry.name),
            value,
            is_list,
            is_holed,
            doubt,
            era: self.era,
            used_in: uses,
            set_in: self.in_function,
            since: spot.commands as u32,
            is_settled: known.is_none() || was_empty,
            was_empty,
            is_exported: known.is_some_and(|entry| entry.is_exported),
            is_local: known.is_some_and(|entry| entry.is_local),
            is_volatile: known.is_some_and(|entry| entry.is_volatile),
            is_perhaps: false,
            may_be_other: false,
            hides_another: known.is_some_and(|entry| entry.is_perhaps || entry.hides_another),
            is_doubted: false,
        };
        self.change(name, before, entry);
    }

    fn change(&mut self, name: &str, at: Option<usize>, entry: Variable) {
        if let Some((index, place)) = at.and_then(|at| Some((at, self.entries.get_mut(at)?))) {
            self.changes.push(Change { index: index as u32, before: *place });
            *place = entry;
            return;
        }
        if self.entries.len() >= MAX {
            self.overflow = true;
            return;
        }
        let name = self.put(name);
        self.entries.push(Variable { name, ..entry });
    }

    /// Sets a variable to something that nobody knows.
    pub fn lose(&mut self, name: &str, spot: Spot) {
        self.set(name, New::Unknown(Doubt::word(true, true)), spot);
    }

    /// Notes that a variable is put into the environment of what is run, or belongs to the function
    /// being read.
    pub fn mark(&mut self, name: &str, is_exported: bool, is_local: bool) {
        let index = self.find(name).filter(|index| *index >= self.outside);
        if let Some(entry) = index.and_then(|index| self.entries.get_mut(index)) {
            entry.is_exported |= is_exported;
            entry.is_local |= is_local;
        } else if is_exported && self.exported.len() < MAX_EXPORTED {
            self.exported.extend([name, "\0"]);
        }
    }

    /// Whether what a variable is set to is put into the environment of what is run.
    pub fn exports(&self, name: &str) -> bool {
        let entry = self.find(name).and_then(|index| self.entries.get(index));
        self.exports_all
            || name == "HOME"
            || entry.is_some_and(|entry| entry.is_exported)
            || self.exported.split('\0').any(|exported| exported == name && !name.is_empty())
    }

    /// From here on no value is known that was set before.
    pub fn forget(&mut self, spot: Spot) {
        if self.outside == 0 {
            self.eras.push(spot.commands as u32);
        }
        self.era += 1;
    }

    /// From here on no value is known, whatever sets it.
    pub fn go_blind(&mut self) {
        self.blind = true;
    }

    /// Whether a variable may have been declared as something else than a text: as a number, its values are evaluated.
    pub fn are_typed(&self) -> bool {
        self.blind
    }

    fn note_unstable(&mut self, name: &str) {
        if self.is_unstable(name) {
            return;
        }
        self.found_unstable = true;
        if self.unstable.len() < MAX {
            let start = self.unstable_text.len() as u32;
            self.unstable_text.push_str(name);
            self.unstable.push((start, self.unstable_text.len() as u32));
        }
    }

    /// Whether a name was found whose value changes behind its use in a loop or a function: then what
    /// was read since the mark has to be read again.
    pub fn must_read_again(&mut self, mark: Mark) -> bool {
        let must = std::mem::take(&mut self.found_unstable);
        if must {
            self.roll_back(mark);
            if self.outside == 0 {
                self.start_again();
            }
        }
        must
    }

    /// A place to go back to.
    pub fn here(&self) -> Mark {
        Mark {
            changes: self.changes.len(),
            entries: self.entries.len(),
            splits_otherwise: self.splits_otherwise,
        }
    }

    /// Takes everything back that was set since: it was set elsewhere.
    pub fn roll_back(&mut self, mark: Mark) {
        while self.changes.len() > mark.changes {
            let Some(Change { index, before }) = self.changes.pop() else { break };
            if let Some(entry) = self.entries.get_mut(index as usize) {
                let used_in = if entry.used_in == 0 { before.used_in } else { entry.used_in };
                *entry = Variable { used_in, is_settled: false, ..before };
            }
        }
        self.entries.truncate(mark.entries);
        self.splits_otherwise = mark.splits_otherwise;
    }

    /// What was set since may have been set or not. What had no value before keeps the only one that the
    /// line gives it.
    pub fn doubt(&mut self, mark: Mark) {
        for at in mark.changes..self.changes.len() {
            let Some(change) = self.changes.get(at).copied() else { break };
            if (change.index as usize) < mark.entries && !self.keep_beginning(&change) {
                self.lose_entry(change.index as usize, false);
            }
        }
        for index in mark.entries..self.entries.len() {
            match self.entries.get_mut(index) {
                Some(entry) if !entry.hides_another => {
                    (entry.is_perhaps, entry.may_be_other) = (true, true);
                }
                _ => self.lose_entry(index, false),
            }
        }
        self.splits_otherwise |= mark.splits_otherwise;
    }

    /// Adds for each variable that got other values since, by its place, what it had and all that it got.
    pub fn given_since(&self, mark: Mark, found: &mut Vec<(u32, Given)>) {
        let given = |entry: &Variable| match entry.value {
            Some(value) if !entry.is_list && !entry.is_holed && entry.era == self.era => {
                Given::Text(value)
            }
            None if entry.doubt.stands_for > 0 && entry.era == self.era => {
                Given::OneOf(entry.doubt.stands_for)
            }
            _ => Given::Unknown,
        };
        for Change { index, before } in self.changes.get(mark.changes..).unwrap_or_default() {
            found.push((*index, given(before)));
            found.extend(self.entries.get(*index as usize).map(|entry| (*index, given(entry))));
            // What had no value before may still have none.
            let is_new = *index as usize >= mark.entries;
            found.extend(is_new.then_some((*index, Given::Nothing)));
        }
    }

    /// Whether the value of a variable, by its place, is not known.
    pub fn is_lost(&self, index: u32) -> bool {
        self.entries.get(index as usize).is_some_and(|entry| entry.value.is_none())
    }

    /// A text that was kept.
    pub fn kept(&self, range: (u32, u32)) -> &str {
        self.slice(range)
    }

    /// Notes which words a variable stands for of which the value is not known.
    pub fn set_stands_for(&mut self, index: u32, number: u16) {
        if let Some(entry) =
            self.entries.get_mut(index as usize).filter(|entry| entry.value.is_none())
        {
            entry.doubt.stands_for = number;
        }
    }

    /// Keeps of a list what it was before items were put behind it, and that there may be others. Says whether it did.
    fn keep_beginning(&mut self, change: &Change) -> bool {
        let before = change.before;
        let Some(entry) = self.entries.get(change.index as usize).copied() else { return false };
        let (Some(old), Some(new)) = (before.value, entry.value) else { return false };
        let are_lists = before.is_list && entry.is_list && before.era == entry.era;
        let begins = self.slice(new).starts_with(self.slice(old)) && old.0 < old.1;
        if !are_lists || !begins || before.is_perhaps {
            return false;
        }
        let text = format!("{}{HOLE}{BEHIND_ITEM}", self.slice(old));
        let value = self.put(&text);
        if let Some(entry) = self.entries.get_mut(change.index as usize) {
            (entry.value, entry.is_settled) = (Some(value), false);
        }
        true
    }

    fn lose_entry(&mut self, index: usize, is_volatile: bool) {
        if let Some(entry) = self.entries.get_mut(index) {
            if entry.value.take().is_some() {
                entry.doubt = Doubt::word(true, true);
            }
            (entry.is_settled, entry.is_doubted) = (false, true);
            entry.is_volatile |= is_volatile;
        }
    }

    /// Begins a round of a loop for which a variable gets another value: what used the one before was read with it.
    pub fn begin_round(&mut self, name: &str) {
        let loops = self.in_loop;
        let entry = self.find(name).and_then(|index| self.entries.get_mut(index));
        if let Some(entry) = entry.filter(|entry| entry.used_in == loops) {
            entry.used_in = 0;
        }
    }

    /// Enters a loop; the answer is for [`Variables::leave_loop`].
    pub fn enter_loop(&mut self) -> u32 {
        self.loops += 1;
        std::mem::replace(&mut self.in_loop, self.loops)
    }

    /// Leaves a loop.
    pub fn leave_loop(&mut self, around: u32) {
        self.in_loop = around;
    }

    /// Enters the body of a function; the answer is for [`Variables::leave_function`].
    pub fn enter_function(&mut self) -> (u32, Mark) {
        self.functions += 1;
        (std::mem::replace(&mut self.in_function, self.functions), self.here())
    }

    /// Leaves the body of a function: what it sets is set whenever it runs.
    pub fn leave_function(&mut self, (around, mark): (u32, Mark)) {
        self.in_function = around;
        for at in (mark.changes..self.changes.len()).rev() {
            let Some(Change { index, before }) = self.changes.get(at).copied() else { break };
            let index = index as usize;
            match self.entries.get_mut(index) {
                Some(entry) if entry.is_local && !before.is_local => {
                    *entry = Variable { is_settled: false, ..before };
                }
                Some(entry) if !entry.is_local => self.lose_entry(index, true),
                _ => {}
            }
        }
        for index in mark.entries..self.entries.len() {
            let is_local = self.entries.get(index).is_some_and(|entry| entry.is_local);
            self.lose_entry(index, !is_local);
            if let Some(entry) = self.entries.get_mut(index) {
                entry.is_local = false;
            }
        }
        self.splits_otherwise |= mark.splits_otherwise;
    }

    /// Begins a text that a command of the line runs.
    pub fn enter_text(&mut self, around: Around) -> Mark {
        let mark = self.here();
        self.around = around;
        self.around_blind = std::mem::take(&mut self.blind);
        let is_before = |end: &u32| around.at_end || *end <= around.command;
        self.around_era = self.eras.partition_point(is_before) as u32;
        self.frame_start = self.entries.len();
        let frame = around.frame.and_then(|(number, _)| self.frames.get(number as usize));
        let era = self.around_era;
        let entries = frame.into_iter().flat_map(|frame| &frame.entries);
        self.entries.extend(entries.map(|entry| Variable { era, ..*entry }));
        self.outside = self.entries.len();
        self.splits_otherwise &= around.same_shell;
        mark
    }

    /// The frame that holds a command, by its number.
    pub fn frame_of(&self, command: u32) -> Option<u32> {
        let at = self.frames.iter().rposition(|frame| frame.commands.contains(&command))?;
        u32::try_from(at).ok()
    }

    /// Ends a text that a command runs. The functions that stand among its `commands`, if any do, see what it set last.
    pub fn leave_text(&mut self, mark: Mark, commands: Option<Range<u32>>) {
        if let Some(commands) = commands.filter(|_| !self.blind && !self.overflow) {
            let era = self.era;
            // What was forgotten since has no value.
            let kept = |entry: &Variable| match entry.era == era {
                true => *entry,
                false => Variable { value: None, doubt: Doubt::word(true, true), ..*entry },
            };
            let own = self.entries.get(self.outside..).unwrap_or_default().iter();
            let entries = own.map(kept).collect();
            let changes = self.changes.get(mark.changes..).unwrap_or_default().iter();
            let history = changes.filter_map(|change| {
                let index = (change.index as usize).checked_sub(self.outside)? as u32;
                Some(Change { index, before: kept(&change.before) })
            });
            let history = history.collect();
            self.frames.push(Frame { commands, entries, history });
        }
        self.roll_back(mark);
        self.outside = 0;
        self.blind = std::mem::take(&mut self.around_blind);
    }

    fn put(&mut self, text: &str) -> (u32, u32) {
        let start = self.text.len() as u32;
        self.text.push_str(text);
        (start, self.text.len() as u32)
    }

    /// The bytes kept.
    pub fn size(&self) -> usize {
        self.text.len()
    }
}
