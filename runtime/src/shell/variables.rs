//! Variables of a command line whose values are written in it. What the environment holds is not
//! known, and neither is what a command computes.

use super::word::Doubt;

/// More variables than this are not kept: every look-up goes through them.
const MOST: usize = 256;

/// Variables whose value is a path or a name, so never a flag or several words.
const PATHS: [&str; 9] =
    ["HOME", "PWD", "OLDPWD", "TMPDIR", "USER", "LOGNAME", "HOSTNAME", "RANDOM", "UID"];

#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    entries: Vec<Variable>,
    text: String,
    /// Some were not kept, so a name that is not there may have a value.
    overflow: bool,
}

#[derive(Clone, Debug)]
struct Variable {
    name: (u32, u32),
    value: Option<(u32, u32)>,
    /// Of an unknown value: whether it may begin with `-`.
    may_be_flag: bool,
    /// Whether it named a program where commands run more than once.
    named_program: bool,
}

/// What is known of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    Known(&'a str),
    Unknown(Doubt),
}

impl Variables {
    pub fn clear(&mut self) {
        self.entries.clear();
        self.text.clear();
        self.overflow = false;
    }

    fn slice(&self, range: (u32, u32)) -> &str {
        self.text.get(range.0 as usize..range.1 as usize).unwrap_or_default()
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.entries.iter().rposition(|entry| {
            (entry.name.1 - entry.name.0) as usize == name.len() && self.slice(entry.name) == name
        })
    }

    /// The value of a variable that stands in quotes or not.
    pub fn get(&self, name: &str, quoted: bool) -> Value<'_> {
        let unknown =
            |may_be_flag| Value::Unknown(Doubt { may_be_flag, may_split: !quoted && may_be_flag });
        match self.find(name).and_then(|index| self.entries.get(index)) {
            Some(Variable { value: Some(value), .. }) => Value::Known(self.slice(*value)),
            Some(entry) => unknown(entry.may_be_flag),
            None if self.overflow => unknown(true),
            None if name == "IFS" => Value::Known(" \t\n"),
            None if PATHS.contains(&name) => unknown(false),
            // By custom, what is quoted is one operand.
            None => unknown(!quoted),
        }
    }

    /// Notes that a variable named a program in a loop or a function.
    pub fn note_program(&mut self, name: &str) {
        if let Some(entry) = self.find(name).and_then(|index| self.entries.get_mut(index)) {
            entry.named_program = true;
        }
    }

    /// Sets a variable to a value, or to one that is not known. Where the assignment may not run, two
    /// different values make an unknown one. Answers whether a program that was taken for known may
    /// be another.
    pub fn set(&mut self, name: &str, value: Result<&str, bool>, conditional: bool) -> bool {
        let before = self.find(name);
        let same = before
            .and_then(|index| self.entries.get(index))
            .is_some_and(|entry| entry.value.map(|range| self.slice(range)) == value.ok());
        if same {
            return false;
        }
        let value = if conditional && before.is_some() { Err(true) } else { value };
        let (value, may_be_flag) = match value {
            Ok(text) => (Some(self.put(text)), false),
            Err(may_be_flag) => (None, may_be_flag),
        };
        if let Some(entry) = before.and_then(|index| self.entries.get_mut(index)) {
            entry.value = value;
            entry.may_be_flag = may_be_flag;
            return entry.named_program;
        }
        if self.entries.len() >= MOST {
            self.overflow = true;
            return false;
        }
        let name = self.put(name);
        self.entries.push(Variable { name, value, may_be_flag, named_program: false });
        false
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
