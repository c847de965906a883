//! Examples of calls: made to satisfy rules, tried on rules, and spelled as people type them.

use behavior_image::code::PermissionAction;
use behavior_shell::FlagValue;

use crate::command::{literal, words};
use crate::diagnostic::{Happening, Wanted, Witness};
use crate::parameters;
use crate::programs::Table;

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Call {
    /// A shell runs a command.
    Command {
        /// The shell, by its normalised name.
        tool: String,
        /// The command.
        command: Command,
    },
    /// A shell runs something that nobody knows.
    Opaque,
    /// A tool that runs no command is called.
    Plain {
        /// Its normalised name.
        tool: String,
        /// Its only argument.
        argument: Option<String>,
    },
}

/// A command as its program reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Command {
    pub program: String,
    pub flags: Vec<Flag>,
    pub operands: Vec<String>,
}

/// A flag in the spelling that stands for all that mean the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Flag {
    pub name: String,
    pub value: Option<String>,
    /// Whether it stands before the subcommand.
    pub is_global: bool,
}

impl Command {
    /// Reads a command without anything that a shell would expand.
    pub fn read(text: &str, table: &Table) -> Option<Self> {
        let words = words(text).ok()?;
        let mut words = words.iter().filter_map(|word| literal(&word.glob));
        let program = words.next()?;
        let mut command = Self { program, ..Self::default() };
        let mut path: Vec<Box<str>> = vec![command.program.to_ascii_lowercase().into()];
        while let Some(word) = words.next() {
            let body = word.trim_start_matches('-');
            if body.len() == word.len() || body.is_empty() {
                if table.has_subcommands(&path) {
                    path.push(word.to_ascii_lowercase().into());
                }
                command.operands.push(word);
                continue;
            }
            let (name, value) = match body.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (body, None),
            };
            let listed = match word.len() - body.len() {
                1 if value.is_none() => table.cluster(&path, name),
                _ => vec![(name, value)],
            };
            for (spelling, attached) in listed {
                let (name, takes) = table.canonical(&path, spelling);
                let mut value = attached.map(str::to_owned);
                if value.is_none() && takes == FlagValue::Required {
                    value = words.next();
                }
                command.flags.push(Flag { name: name.into(), value, is_global: false });
            }
        }
        command.place_flags(table);
        Some(command)
    }

    /// Whether it does something that nobody sees, by the table of programs: always, or since what it is told to do may
    /// be an alias.
    pub fn does_more(&self, table: &Table) -> bool {
        let path = self.path(table);
        let has_more = self.operands.len() >= path.len();
        table.is_unseen(&path) || has_more && table.has_aliases(&path)
    }

    /// The program and the subcommands that its operands select.
    pub fn path(&self, table: &Table) -> Vec<Box<str>> {
        let first = std::iter::once(&self.program);
        let names = first.chain(&self.operands).map(|word| word.to_ascii_lowercase().into());
        let names: Vec<Box<str>> = names.collect();
        table.known_path(&names).to_vec()
    }

    /// Finds out which flags stand before the subcommand: those that only the program has, and where
    /// no word could be the subcommand, all.
    pub fn place_flags(&mut self, table: &Table) {
        let path = self.path(table);
        let Some((program, below)) = path.split_first() else { return };
        let program = std::slice::from_ref(program);
        let all_are = self.operands.is_empty() && table.has_subcommands(program);
        for flag in &mut self.flags {
            // Behind the subcommand, another spelling would stand for what is spelled so.
            let is_other = *table.canonical(&path, &flag.name).0 != *flag.name;
            let is_own = table.has_flag(&path, &flag.name);
            let is_its = is_other || !is_own && table.has_flag(program, &flag.name);
            flag.is_global = all_are || !below.is_empty() && is_its;
        }
    }

    /// As one would type it.
    pub fn spelled(&self, table: &Table) -> String {
        let path = self.path(table);
        // A word that is no subcommand that is known stands where one would.
        let has_place = path.len() == 1 && table.has_subcommands(&path);
        let selected = if has_place { 1 } else { path.len().saturating_sub(1) };
        let program = path.get(..1).unwrap_or_default();
        let mut words = vec![quoted(&self.program)];
        let global = self.flags.iter().filter(|flag| flag.is_global);
        words.extend(global.flat_map(|flag| flag.spelled(program, table)));
        words.extend(self.operands.iter().take(selected).map(|word| quoted(word)));
        let own = self.flags.iter().filter(|flag| !flag.is_global);
        let joins = |flag: &&Flag| flag.is_letter() && !table.is_single_dash(&path);
        let letters: String = own.clone().filter(joins).map(|flag| &*flag.name).collect();
        words.extend((!letters.is_empty()).then(|| format!("-{letters}")));
        let rest = own.filter(|flag| !joins(flag));
        words.extend(rest.flat_map(|flag| flag.spelled(&path, table)));
        let mut only_operands = false;
        for word in self.operands.iter().skip(selected) {
            if word.starts_with('-') && !only_operands {
                words.push("--".to_owned());
                only_operands = true;
            }
            words.push(quoted(word));
        }
        words.join(" ")
    }
}

impl Flag {
    /// Whether it may stand in one word with others.
    fn is_letter(&self) -> bool {
        self.value.is_none() && self.name.chars().count() == 1
    }

    fn spelled(&self, path: &[Box<str>], table: &Table) -> Vec<String> {
        let is_short = self.name.chars().count() == 1;
        let dashes = if is_short || table.is_single_dash(path) { "-" } else { "--" };
        let name = format!("{dashes}{}", self.name);
        match &self.value {
            None => vec![name],
            Some(value) if dashes == "--" => vec![format!("{name}={}", quoted(value))],
            Some(value) if table.canonical(path, &self.name).1 == FlagValue::Required => {
                vec![name, quoted(value)]
            }
            Some(value) => vec![format!("{name}{}", quoted(value))],
        }
    }
}

impl Call {
    /// As one would type it; with the tool, where it is no shell.
    pub fn spelled(&self, table: &Table) -> String {
        match self {
            Self::Command { tool, command } if tool == super::tool::SHELL => command.spelled(table),
            Self::Command { tool, command } => format!("{tool}({})", command.spelled(table)),
            Self::Opaque => "$COMMAND".to_owned(),
            Self::Plain { tool, argument: None } => tool.clone(),
            Self::Plain { tool, argument: Some(argument) } => format!("{tool}({argument})"),
        }
    }

    /// The call as something that shows a problem, with what it should come to; `None` for what nobody knows.
    pub fn witness(&self, table: &Table, wanted: PermissionAction) -> Option<Witness> {
        let (tool, argument) = match self {
            Self::Opaque => return None,
            Self::Command { tool, command } => {
                (tool, Some(("command".to_owned(), command.spelled(table))))
            }
            Self::Plain { tool, argument } => {
                let names = parameters::of(tool).unwrap_or_default();
                let name = names.first().copied().unwrap_or("input");
                (tool, argument.clone().map(|argument| (name.to_owned(), argument)))
            }
        };
        let params = argument.into_iter().collect();
        let call = Happening::Call { tool: tool.clone(), params, has_result: false };
        let (spelled, wanted) = (self.spelled(table), Wanted::Permission(wanted));
        Some(Witness { events: vec![call], spelled, wanted })
    }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./:=,@%+~".contains(&byte);
    if !word.is_empty() && word.bytes().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
