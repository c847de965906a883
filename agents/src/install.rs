//! How `behavior hook AGENT` gets into an agent's settings, and out of them again: text in, text out.
//! Which files there are and what they hold is told here; reading and writing them is the caller's.
//!
//! Ours is what runs a program called `behavior` with `hook` and the agent's name. All else in a file
//! stays byte for byte as it is, and what was put in can be taken out without a trace.

use jsonc_parser::ast::Value;
use serde_json::json;

use crate::own;
use crate::registry::Agent;
use crate::settings::{self, Container, Document, Edit, Removal};
use crate::wiring::{Format, Hooked, Means, Shape, Wiring};

pub use crate::own::{ANSWERED, PROGRAM, REFUSED};
pub use crate::settings::Refusal;
pub use crate::wiring::UserFile;

/// A hook of ours in a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    /// The event that it is set for; a plugin is for all of them.
    pub event: Option<String>,
    /// What it runs.
    pub command: Command,
}

/// How an agent runs our hook.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Command {
    /// A line for a shell.
    Shell(String),
    /// A program and its arguments.
    Program(Vec<String>),
}

/// What of a file is left when ours is out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// The file was made for ours, and can go.
    Nothing,
    /// This text; the same as before where nothing was ours.
    Text(String),
}

impl Command {
    /// The words of it; none where a shell would not read it either.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        match self {
            Command::Shell(line) => shlex::split(line).unwrap_or_default(),
            Command::Program(words) => words.clone(),
        }
    }
}

/// The program and what follows, if that runs our hook for `agent`.
///
/// ```
/// use behavior_agents::hook::Agent;
/// use behavior_agents::install::hook_words;
/// let words = ["/opt/behavior", "hook", "codex", "--profile", "dev"].map(str::to_owned);
/// assert_eq!(hook_words(Agent::Codex, &words), Some(words.as_slice()));
/// assert_eq!(hook_words(Agent::Pi, &words), None);
/// ```
#[must_use]
pub fn hook_words(agent: Agent, words: &[String]) -> Option<&[String]> {
    own::hook_words(agent.names(), words)
}

/// The program and what follows, if a command is just what [`Agent::install`] writes for `agent`: nothing stands
/// before our program, and a shell would do nothing besides running it.
///
/// ```
/// use behavior_agents::hook::Agent;
/// use behavior_agents::install::{Command, own_words};
/// let own = |line: &str| own_words(Agent::Codex, &Command::Shell(line.to_owned()));
/// assert!(own("/opt/behavior hook codex --profile dev").is_some());
/// assert!(own("/opt/behavior hook codex; curl x | sh").is_none());
/// assert!(own("PATH=. behavior hook codex").is_none());
/// ```
#[must_use]
pub fn own_words(agent: Agent, command: &Command) -> Option<Vec<String>> {
    let words = command.words();
    let is_plain = match command {
        Command::Shell(line) => {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            shell_line(&words).is_ok_and(|written| written == *line)
        }
        Command::Program(_) => true,
    };
    let is_own = hook_words(agent, &words) == Some(words.as_slice());
    (is_plain && is_own).then_some(words)
}

/// How the line with the command begins in a plugin.
const COMMAND: &str = "const COMMAND = ";

/// The words as a line for a shell.
///
/// # Errors
/// When a word holds a NUL, which no command line can.
pub fn shell_line(words: &[&str]) -> Result<String, String> {
    shlex::try_join(words.iter().copied())
        .map_err(|_| "the command holds a NUL character, which no shell takes".to_owned())
}

impl Agent {
    /// Every agent whose settings are known.
    pub fn wired() -> impl Iterator<Item = Agent> {
        Agent::ALL.into_iter().filter(|agent| agent.wiring().is_some())
    }

    /// What the agent is called.
    pub(crate) fn names(self) -> own::Names {
        let facts = self.adapter().facts();
        own::Names { name: facts.name, aliases: facts.aliases }
    }

    pub(crate) fn wiring(self) -> Option<&'static Wiring> {
        self.adapter().facts().wiring
    }

    /// Returns the file through which the agent runs `command`, for agents whose hooks are programs of their
    /// own: OpenCode's plugin and pi's extension.
    #[must_use]
    pub fn plugin(self, command: &[&str]) -> Option<String> {
        let Means::Plugin(text) = &self.wiring()?.means else { return None };
        let words = serde_json::Value::from(command.to_vec());
        Some(text.replacen(self.shipped_command(), &format!("{COMMAND}{words};"), 1))
    }

    /// The file with hooks in a project, from its root. None for [`Agent::Native`], as with all below.
    #[must_use]
    pub fn project_file(self) -> Option<&'static str> {
        self.wiring().map(|wiring| wiring.project)
    }

    /// The file with hooks of a user.
    #[must_use]
    pub fn user_file(self) -> Option<UserFile> {
        self.wiring().map(|wiring| wiring.user)
    }

    /// The variable in which the agent tells its hooks where the project is.
    #[must_use]
    pub fn project_variable(self) -> Option<&'static str> {
        self.wiring().and_then(|wiring| wiring.project_variable)
    }

    /// What there is left to do for the user once the hook is in.
    #[must_use]
    pub fn afterwards(self) -> Option<&'static str> {
        self.wiring().map(|wiring| wiring.afterwards)
    }

    /// What there is to do for the user once a hook that was there has been changed.
    #[must_use]
    pub fn when_changed(self) -> Option<&'static str> {
        self.wiring().and_then(|wiring| wiring.when_changed)
    }

    /// The events that the hook is set for; none where the file is a plugin.
    #[must_use]
    pub fn hooked_events(self) -> Vec<&'static str> {
        match self.wiring().map(|wiring| &wiring.means) {
            Some(Means::Settings(format)) => format.events.iter().map(|event| event.name).collect(),
            _ => Vec::new(),
        }
    }

    /// The file with the hook in it that runs `command`, a program and its arguments: `behavior`,
    /// `hook`, the agent's name, and options. A hook of ours that runs another command is changed,
    /// unless only the shell knows where its program is; where nothing is to be changed the text stays the same.
    ///
    /// # Errors
    /// When the file cannot be read as what it should be, or holds something else where the hook goes.
    pub fn install(self, before: Option<&str>, command: &[&str]) -> Result<String, Refusal> {
        let wiring = self.wiring().ok_or_else(|| {
            at_start(format!("`{}` has no settings that hooks go into", self.name()))
        })?;
        match &wiring.means {
            Means::Plugin(_) => self.install_plugin(before, command),
            Means::Settings(format) => {
                let line = shell_line(command).map_err(at_start)?;
                format.install(self, before, &line)
            }
        }
    }

    /// What is left of a file when ours is out of it.
    ///
    /// # Errors
    /// When the file cannot be read as what it should be.
    pub fn uninstall(self, before: &str) -> Result<Left, Refusal> {
        match self.wiring().map(|wiring| &wiring.means) {
            None => Ok(Left::Text(before.to_owned())),
            Some(Means::Plugin(_)) if self.plugin_command(before).is_some() => Ok(Left::Nothing),
            Some(Means::Plugin(_)) => Ok(Left::Text(before.to_owned())),
            Some(Means::Settings(format)) => format.uninstall(self, before),
        }
    }

    /// The user's own file in a project, which is not shared, where the agent has one; from the project's root.
    #[must_use]
    pub fn local_file(self) -> Option<&'static str> {
        self.wiring().and_then(|wiring| wiring.local)
    }

    /// Our hooks in a file.
    ///
    /// # Errors
    /// When the file cannot be read as what it should be.
    pub fn installed(self, text: &str) -> Result<Vec<Hook>, Refusal> {
        let Some(wiring) = self.wiring() else { return Ok(Vec::new()) };
        let Means::Settings(format) = &wiring.means else {
            let command = self.plugin_command(text).map(Command::Program);
            return Ok(command.map(|command| Hook { event: None, command }).into_iter().collect());
        };
        let (bom, text) = split_bom(text);
        debug_assert!(bom.len() <= 3, "a byte order mark");
        let document = Document::parse(text, format.dialect)?;
        let found = format.find(self, &document)?;
        Ok(found.iter().map(Own::hook).collect())
    }

    fn install_plugin(self, before: Option<&str>, command: &[&str]) -> Result<String, Refusal> {
        let own = before.map(|text| self.plugin_command(text));
        if matches!(own, Some(None)) {
            return Err(at_start("the file is not one of ours; move it away".to_owned()));
        }
        // Settings that several people share name a program that is looked for.
        let own = own.flatten().unwrap_or_default();
        let kept = own.split_first().filter(|(program, rest)| {
            !program.contains('/') && rest.iter().skip(1).eq(command.iter().skip(2))
        });
        let mut command = command.to_vec();
        if let (Some((program, _)), Some(first)) = (kept, command.first_mut()) {
            *first = program;
        }
        let command = command.as_slice();
        self.plugin(command).ok_or_else(|| at_start("there is no plugin for it".to_owned()))
    }

    /// The text of a plugin of ours with the command that stands in what is shipped.
    pub(crate) fn plugin_of(self, text: &str) -> Option<String> {
        let command = text.lines().find(|line| line.starts_with(COMMAND))?;
        Some(text.replacen(command, self.shipped_command(), 1))
    }

    /// The line with the command in what is shipped.
    fn shipped_command(self) -> &'static str {
        let Some(Means::Plugin(text)) = self.wiring().map(|wiring| &wiring.means) else {
            return "";
        };
        text.lines().find(|line| line.starts_with(COMMAND)).unwrap_or_default()
    }

    /// The command of a plugin of ours.
    pub(crate) fn plugin_command(self, text: &str) -> Option<Vec<String>> {
        let line = |line: &str| Some(line.strip_prefix(COMMAND)?.to_owned());
        let line = text.lines().find_map(line)?;
        let words: Vec<String> = serde_json::from_str(line.trim_end().strip_suffix(';')?).ok()?;
        hook_words(self, &words).is_some().then_some(words)
    }
}

/// Whether the first line runs what the second does, with a program that only the shell finds: so
/// settings that several people share name it.
fn is_left_to_the_shell(agent: Agent, own: &str, line: &str) -> bool {
    let words = |line: &str| {
        let words = shlex::split(own::unguarded(line))?;
        let (program, rest) = hook_words(agent, &words)?.split_first()?;
        Some((program.clone(), rest.to_vec()))
    };
    let (Some((program, own)), Some((_, wanted))) = (words(own), words(line)) else { return false };
    own == wanted && (!program.contains('/') || program.contains(['$', '~']))
}

fn at_start(message: String) -> Refusal {
    Refusal { line: 1, column: 1, message }
}

/// The text and the byte order mark before it.
fn split_bom(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 })
}

/// A hook of ours: which of the event's list it is in, and what it runs.
struct Own<'d, 'a> {
    event: &'d str,
    /// Its number in the list of the event.
    group: usize,
    /// Its number in the group.
    hook: usize,
    command: &'d Value<'a>,
    line: &'d str,
}

impl Own<'_, '_> {
    fn hook(&self) -> Hook {
        let command = Command::Shell(own::unguarded(self.line).to_owned());
        Hook { event: Some(self.event.to_owned()), command }
    }
}

impl Hooked {
    /// The line that runs the command of `line` at this event.
    pub(crate) fn line(&self, line: &str) -> String {
        format!("{line}{}", if self.refuses { own::GUARD } else { "" })
    }
}

impl Format {
    fn install(&self, agent: Agent, before: Option<&str>, line: &str) -> Result<String, Refusal> {
        let Some(before) = before else { return Ok(self.fresh(agent, line)) };
        let (bom, before) = split_bom(before);
        let tidy = match self.tidy(agent, before, line)? {
            Left::Nothing => return Ok(format!("{bom}{}", self.fresh(agent, line))),
            Left::Text(text) => text,
        };
        let document = Document::parse(&tidy, self.dialect)?;
        Ok(format!("{bom}{}", document.apply(self.additions(agent, &document, line)?)))
    }

    /// A file with nothing but ours.
    fn fresh(&self, agent: Agent, line: &str) -> String {
        let members = self.members(agent, line, &[]);
        let object: serde_json::Map<String, serde_json::Value> = members.into_iter().collect();
        settings::fresh(&object.into())
    }

    /// The outermost members, with the hooks of all events but those that are `there`.
    fn members(
        &self,
        agent: Agent,
        line: &str,
        there: &[&str],
    ) -> Vec<(String, serde_json::Value)> {
        let missing = self.events.iter().filter(|event| !there.contains(&event.name));
        let hooks: serde_json::Map<String, serde_json::Value> = missing
            .map(|event| (event.name.to_owned(), json!([self.entry(agent, event, line)])))
            .collect();
        let mut members = vec![("hooks".to_owned(), hooks.into())];
        if self.shape == Shape::Flat {
            members.push(("version".to_owned(), json!(1)));
        }
        members
    }

    /// What goes into the list of an event.
    fn entry(&self, agent: Agent, event: &Hooked, line: &str) -> serde_json::Value {
        let timeout = event.timeout.unwrap_or(self.timeout);
        let line = &event.line(line);
        let Shape::Grouped { named } = self.shape else {
            return match event.fails_closed {
                true => json!({"command": line, "timeout": timeout, "failClosed": true}),
                false => json!({"command": line, "timeout": timeout}),
            };
        };
        debug_assert!(!event.fails_closed, "{} has no such thing", agent.name());
        let hook = match named {
            true => {
                json!({"name": PROGRAM, "type": "command", "command": line, "timeout": timeout})
            }
            false => json!({"type": "command", "command": line, "timeout": timeout}),
        };
        match event.has_matcher {
            true => json!({"matcher": "*", "hooks": [hook]}),
            false => json!({"hooks": [hook]}),
        }
    }

    /// What is to be added so that every event is hooked.
    fn additions(
        &self,
        agent: Agent,
        document: &Document<'_>,
        line: &str,
    ) -> Result<Vec<Edit>, Refusal> {
        let root = document.root()?;
        let Some(hooks) = root.get("hooks").and_then(|at| root.items.get(at)) else {
            let mut members = self.members(agent, line, &[]);
            members.retain(|(key, _)| root.get(key).is_none());
            return Ok(document.insert(&root, &borrowed(&members)));
        };
        let hooks = document.object(hooks.value, "`hooks`")?;
        let found = self.find(agent, document)?;
        let (mut edits, mut members) = (Vec::new(), Vec::new());
        for event in self.events {
            if found.iter().any(|own| own.event == event.name) {
                continue;
            }
            let entry = self.entry(agent, event, line);
            match hooks.get(event.name).and_then(|at| hooks.items.get(at)) {
                Some(item) => {
                    let what = format!("`hooks.{}`", event.name);
                    let list = document.list(item.value, &what)?;
                    edits.extend(document.insert(&list, &[("", entry)]));
                }
                None => members.push((event.name, json!([entry]))),
            }
        }
        edits.extend(document.insert(&hooks, &members));
        Ok(edits)
    }

    /// The file with one hook of ours at most for each event that is still hooked, which runs `line`.
    fn tidy(&self, agent: Agent, text: &str, line: &str) -> Result<Left, Refusal> {
        let document = Document::parse(text, self.dialect)?;
        let found = self.find(agent, &document)?;
        let mut seen: Vec<&str> = Vec::new();
        let (mut edits, mut doomed) = (Vec::new(), Vec::new());
        for own in &found {
            let event = self.events.iter().find(|event| event.name == own.event);
            let wanted = event.filter(|_| !seen.contains(&own.event)).map(|event| event.line(line));
            match wanted {
                None => doomed.push(own),
                Some(wanted) if own.line == wanted => {}
                Some(wanted) => {
                    let kept = is_left_to_the_shell(agent, own.line, line);
                    let kept =
                        event.filter(|_| kept).map(|event| event.line(own::unguarded(own.line)));
                    let wanted = kept.unwrap_or(wanted);
                    if own.line != wanted {
                        edits.push(document.replace(own.command, &wanted));
                    }
                }
            }
            seen.push(own.event);
        }
        match self.removal(&document, &doomed)? {
            Removal::Whole => Ok(Left::Nothing),
            Removal::Edits(more) => {
                edits.extend(more);
                Ok(Left::Text(document.apply(edits)))
            }
        }
    }

    fn uninstall(&self, agent: Agent, before: &str) -> Result<Left, Refusal> {
        let (bom, text) = split_bom(before);
        let document = Document::parse(text, self.dialect)?;
        let found = self.find(agent, &document)?;
        if found.is_empty() {
            return Ok(Left::Text(before.to_owned()));
        }
        match self.removal(&document, &found.iter().collect::<Vec<_>>())? {
            Removal::Whole => Ok(Left::Nothing),
            Removal::Edits(edits) => Ok(Left::Text(format!("{bom}{}", document.apply(edits)))),
        }
    }

    /// What takes these hooks out, and what was made for them.
    fn removal(
        &self,
        document: &Document<'_>,
        doomed: &[&Own<'_, '_>],
    ) -> Result<Removal, Refusal> {
        let root = document.root()?;
        let Some(at) = root.get("hooks").filter(|_| !doomed.is_empty()) else {
            return Ok(Removal::Edits(Vec::new()));
        };
        let Some(item) = root.items.get(at) else { return Ok(Removal::Edits(Vec::new())) };
        let hooks = document.object(item.value, "`hooks`")?;
        let removal = remove_from(document, &hooks, |event| {
            let of_event: Vec<_> =
                doomed.iter().copied().filter(|own| own.event == event.key).collect();
            self.event_removal(document, event.value, &of_event)
        })?;
        let Removal::Whole = removal else { return Ok(removal) };
        let is_own_version = |index: usize| {
            let version = root.items.get(index).filter(|item| item.key == "version");
            // Ours is behind the hooks, and the last.
            self.shape == Shape::Flat
                && index == at + 1
                && index + 1 == root.items.len()
                && version.is_some_and(|item| {
                    item.value.as_number_lit().is_some_and(|number| number.value == "1")
                })
        };
        let gone: Vec<bool> =
            (0..root.items.len()).map(|index| index == at || is_own_version(index)).collect();
        Ok(match document.remove(&root, &gone) {
            // What is written around it is somebody's.
            Removal::Whole if document.has_more() => Removal::Edits(document.empty(&root)),
            removal => removal,
        })
    }

    fn event_removal(
        &self,
        document: &Document<'_>,
        list: &Value<'_>,
        doomed: &[&Own<'_, '_>],
    ) -> Result<Removal, Refusal> {
        if doomed.is_empty() {
            return Ok(Removal::Edits(Vec::new()));
        }
        let list = document.list(list, "a list of hooks")?;
        let mut group = 0;
        remove_from(document, &list, |item| {
            let of_group = doomed.iter().filter(|own| own.group == group);
            let hooks: Vec<usize> = of_group.map(|own| own.hook).collect();
            group += 1;
            if hooks.is_empty() || self.shape == Shape::Flat {
                return Ok(match hooks.is_empty() {
                    true => Removal::Edits(Vec::new()),
                    false => Removal::Whole,
                });
            }
            let members = document.object(item.value, "a group of hooks")?;
            let Some(inner) = members.get("hooks").and_then(|at| members.items.get(at)) else {
                return Ok(Removal::Edits(Vec::new()));
            };
            let inner = document.list(inner.value, "`hooks` of a group")?;
            let gone: Vec<bool> =
                (0..inner.items.len()).map(|index| hooks.contains(&index)).collect();
            // A group without hooks does nothing.
            match gone.contains(&false) {
                true => Ok(document.remove(&inner, &gone)),
                false => Ok(Removal::Whole),
            }
        })
    }

    /// Our hooks, in the order of the file. What is not made like hooks is passed over.
    fn find<'d, 'a>(
        &self,
        agent: Agent,
        document: &'d Document<'a>,
    ) -> Result<Vec<Own<'d, 'a>>, Refusal> {
        let root = document.root()?;
        let hooks = root.get("hooks").and_then(|at| root.items.get(at));
        let Some(Value::Object(_)) = hooks.map(|hooks| hooks.value) else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        let hooks = hooks.map(|hooks| document.object(hooks.value, "`hooks`")).transpose()?;
        for event in hooks.into_iter().flat_map(|hooks| hooks.items) {
            let groups = event.value.as_array().map_or(&[][..], |list| &list.elements);
            for (group, value) in groups.iter().enumerate() {
                let ours = self.commands(value).filter_map(|(hook, command)| {
                    let line = &*command.as_string_lit()?.value;
                    hook_words(agent, &shlex::split(line)?)?;
                    Some(Own { event: event.key, group, hook, command, line })
                });
                found.extend(ours);
            }
        }
        Ok(found)
    }

    /// The commands of an element of an event's list, each with its number in there.
    fn commands<'d, 'a>(
        &self,
        element: &'d Value<'a>,
    ) -> impl Iterator<Item = (usize, &'d Value<'a>)> {
        let hooks = match self.shape {
            Shape::Flat => std::slice::from_ref(element),
            Shape::Grouped { .. } => match member(element, "hooks") {
                Some(Value::Array(list)) => list.elements.as_slice(),
                _ => &[],
            },
        };
        let command = |(index, hook)| Some((index, member(hook, "command")?));
        hooks.iter().enumerate().filter_map(command)
    }
}

/// The member of an object; of several with one name the last, which is the one that counts.
pub(crate) fn member<'d, 'a>(value: &'d Value<'a>, key: &str) -> Option<&'d Value<'a>> {
    let members = value.as_object()?.properties.iter().rev();
    members
        .map(|member| (settings::name_of(&member.name), &member.value))
        .find_map(|(name, value)| (name == key).then_some(value))
}

fn borrowed(members: &[(String, serde_json::Value)]) -> Vec<(&str, serde_json::Value)> {
    members.iter().map(|(key, value)| (&**key, value.clone())).collect()
}

/// Takes out of a container what `removal` says of each of its items.
pub(crate) fn remove_from<'d, 'a>(
    document: &Document<'a>,
    container: &Container<'d, 'a>,
    mut removal: impl FnMut(&settings::Item<'d, 'a>) -> Result<Removal, Refusal>,
) -> Result<Removal, Refusal> {
    let (mut edits, mut gone) = (Vec::new(), Vec::new());
    for item in &container.items {
        match removal(item)? {
            Removal::Whole => gone.push(true),
            Removal::Edits(more) => {
                gone.push(false);
                edits.extend(more);
            }
        }
    }
    Ok(match document.remove(container, &gone) {
        Removal::Whole => Removal::Whole,
        Removal::Edits(more) => {
            edits.extend(more);
            Removal::Edits(edits)
        }
    })
}
