//! How `behavior mcp` gets among the tool servers of an agent, and out of them again: text in, text out. All else in
//! a file stays byte for byte as it is. Reading and writing files is the caller's.

use jsonc_parser::ast::Value;
use serde_json::json;
use toml::de::DeTable;

use crate::install::Left;
use crate::own::PROGRAM;
use crate::registry::Agent;
use crate::settings::{Dialect, Document, Refusal, Removal, fresh};
use crate::wiring::{ServersFile, ServersFormat};

/// What the program is told.
const ARGUMENT: &str = "mcp";

/// The tables `[mcp_servers.NAME]` of Codex.
const TABLES: &str = "mcp_servers";

impl Agent {
    fn servers(self) -> Option<ServersFile> {
        self.wiring()?.servers
    }

    /// The file in a project in which the agent looks for tool servers, from its root.
    #[must_use]
    pub fn servers_file(self) -> Option<&'static str> {
        self.servers().map(|place| place.project)
    }

    /// The file of a user in which it does, in the folder of [`Agent::user_file`].
    #[must_use]
    pub fn user_servers_file(self) -> Option<&'static str> {
        self.servers().and_then(|place| place.user)
    }

    /// Returns the file with the tool server of `program` in it. One of ours that another program serves is
    /// changed; where nothing is to be changed the text stays the same.
    ///
    /// # Errors
    /// When the file cannot be read as what it should be, or has another server of that name.
    pub fn register(self, before: Option<&str>, program: &str) -> Result<String, Refusal> {
        let Some(place) = self.servers() else {
            return Err(at_start(format!("`{}` takes no tool servers", self.name())));
        };
        match place.format {
            ServersFormat::Toml => in_toml(before, program),
            ServersFormat::Servers { member, dialect } => {
                let server = json!({ "command": program, "args": [ARGUMENT] });
                in_json(before, member, dialect, program, &server)
            }
            ServersFormat::CommandList { member, dialect } => {
                let server = json!({ "type": "local", "command": [program, ARGUMENT] });
                in_json(before, member, dialect, program, &server)
            }
        }
    }

    /// Returns what is left of a file when our tool server is out of it.
    ///
    /// # Errors
    /// When the file cannot be read as what it should be.
    pub fn unregister(self, before: &str) -> Result<Left, Refusal> {
        match self.servers().map(|place| place.format) {
            None => Ok(Left::Text(before.to_owned())),
            Some(ServersFormat::Toml) => out_of_toml(before),
            Some(
                ServersFormat::Servers { member, dialect }
                | ServersFormat::CommandList { member, dialect },
            ) => out_of_json(before, member, dialect),
        }
    }
}

fn at_start(message: String) -> Refusal {
    Refusal { line: 1, column: 1, message }
}

/// Whether a program is called like ours.
fn is_ours(program: &str) -> bool {
    let name = program.rsplit(['/', '\\']).next().unwrap_or(program);
    name.strip_suffix(".exe").unwrap_or(name) == PROGRAM
}

/// The place of the program in a server of ours; `None` of other servers.
fn program_of<'d, 'a>(server: &'d Value<'a>) -> Option<&'d Value<'a>> {
    let member = |name: &str| {
        let members = server.as_object()?.properties.iter();
        members.rev().find(|one| crate::settings::name_of(&one.name) == name).map(|one| &one.value)
    };
    let text = |value: &'d Value<'a>| value.as_string_lit().map(|text| text.value.to_string());
    let words = |value: &'d Value<'a>| {
        let list = value.as_array()?.elements.iter();
        list.map(text).collect::<Option<Vec<String>>>()
    };
    let command = member("command")?;
    let (program, arguments) = match command.as_array() {
        Some(list) => {
            let (program, _) = list.elements.split_first()?;
            (program, words(command)?.into_iter().skip(1).collect())
        }
        None => (command, words(member("args")?)?),
    };
    let is_own = is_ours(&text(program)?) && arguments == [ARGUMENT];
    is_own.then_some(program)
}

fn in_json(
    before: Option<&str>,
    member: &str,
    dialect: Dialect,
    program: &str,
    server: &serde_json::Value,
) -> Result<String, Refusal> {
    let servers = json!({ PROGRAM: server });
    let Some(text) = before else { return Ok(fresh(&json!({ member: servers }))) };
    let document = Document::parse(text, dialect)?;
    let root = document.root()?;
    let Some(item) = root.get(member).and_then(|at| root.items.get(at)) else {
        return Ok(document.apply(document.insert(&root, &[(member, servers)])));
    };
    let list = document.object(item.value, &format!("`{member}`"))?;
    let Some(own) = list.get(PROGRAM).and_then(|at| list.items.get(at)) else {
        return Ok(document.apply(document.insert(&list, &[(PROGRAM, server.clone())])));
    };
    let Some(known) = program_of(own.value) else {
        let message = format!("another tool server is called `{PROGRAM}` here: rename it");
        return Err(document.refuse(own.value, message));
    };
    let is_same = known.as_string_lit().is_some_and(|text| text.value == program);
    let edits = if is_same { Vec::new() } else { vec![document.replace(known, program)] };
    Ok(document.apply(edits))
}

fn out_of_json(before: &str, member: &str, dialect: Dialect) -> Result<Left, Refusal> {
    let document = Document::parse(before, dialect)?;
    let stays = || Ok(Left::Text(before.to_owned()));
    let root = document.root()?;
    let Some(at) = root.get(member) else { return stays() };
    let Some(item) = root.items.get(at).filter(|item| item.value.as_object().is_some()) else {
        return stays();
    };
    let list = document.object(item.value, &format!("`{member}`"))?;
    let is_own = |server: &crate::settings::Item<'_, '_>| {
        server.key == PROGRAM && program_of(server.value).is_some()
    };
    let gone: Vec<bool> = list.items.iter().map(is_own).collect();
    let removal = match document.remove(&list, &gone) {
        Removal::Whole => {
            let gone: Vec<bool> = (0..root.items.len()).map(|index| index == at).collect();
            document.remove(&root, &gone)
        }
        edits @ Removal::Edits(_) => edits,
    };
    Ok(match removal {
        Removal::Whole if document.has_more() => Left::Text(document.apply(document.empty(&root))),
        Removal::Whole => Left::Nothing,
        Removal::Edits(edits) => Left::Text(document.apply(edits)),
    })
}

/// The line that begins our table.
fn header() -> String {
    format!("[{TABLES}.{PROGRAM}]")
}

/// Our table: three lines.
fn table(program: &str) -> String {
    // Strings of JSON are strings of TOML, too.
    let program = serde_json::Value::from(program);
    format!("{}\ncommand = {program}\nargs = [\"{ARGUMENT}\"]\n", header())
}

/// Where our table is, if it is just as we write it, and the program that it names.
fn own_table(text: &str) -> Option<(std::ops::Range<usize>, String)> {
    let header = format!("{}\n", header());
    let mut starts = text.match_indices(&header).map(|(at, _)| at);
    let is_at_line =
        |at: &usize| text.get(..*at).is_some_and(|head| head.is_empty() || head.ends_with('\n'));
    let start = starts.find(is_at_line)?;
    let rest = text.get(start + header.len()..)?;
    let (command, rest) = rest.split_once('\n')?;
    let (args, _) = rest.split_once('\n')?;
    let parsed = DeTable::parse(command).ok()?;
    let parsed = parsed.get_ref();
    let program = parsed.get("command")?.get_ref().as_str();
    let program = program.filter(|program| is_ours(program))?;
    let is_own = parsed.len() == 1 && args == format!("args = [\"{ARGUMENT}\"]");
    let end = start + header.len() + command.len() + args.len() + 2;
    is_own.then(|| (start..end, program.to_owned()))
}

fn in_toml(before: Option<&str>, program: &str) -> Result<String, Refusal> {
    let Some(text) = before else { return Ok(table(program)) };
    if let Some((span, known)) = own_table(text) {
        let mut after = text.to_owned();
        if known != program {
            after.replace_range(span, &table(program));
        }
        return Ok(after);
    }
    let parsed = DeTable::parse(text).map_err(|error| {
        let before = text.get(..error.span().map_or(0, |span| span.start)).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Refusal { line, column, message: format!("not valid TOML: {}", error.message()) }
    })?;
    let servers = parsed.get_ref().get(TABLES).map(|servers| servers.get_ref());
    if servers.and_then(|servers| servers.as_table()).is_some_and(|all| all.contains_key(PROGRAM)) {
        let message = format!("another tool server is called `{PROGRAM}` here: rename it");
        return Err(at_start(message));
    }
    if servers.is_some() && !text.contains(&format!("[{TABLES}")) {
        // `mcp_servers = { … }` takes no further table.
        let message = format!("`{TABLES}` is written in one line: write it as tables");
        return Err(at_start(message));
    }
    Ok(format!("{text}\n{}", table(program)))
}

fn out_of_toml(before: &str) -> Result<Left, Refusal> {
    let Some((span, _)) = own_table(before) else { return Ok(Left::Text(before.to_owned())) };
    let (head, tail) = (before.get(..span.start), before.get(span.end..));
    let (head, tail) = (head.unwrap_or_default(), tail.unwrap_or_default());
    if head.is_empty() && tail.is_empty() {
        return Ok(Left::Nothing);
    }
    // The line break before it came with it.
    let head = head.strip_suffix('\n').unwrap_or(head);
    Ok(Left::Text(format!("{head}{tail}")))
}
