//! What keeps an agent from calling a hook that is in its settings, or from hearing what it answers, although the
//! hook itself works. What each agent's settings are called its folder says; nothing is read or written here.

use std::time::Duration;

use behavior_runtime::model::Purpose;

use crate::matcher::Matcher;
use crate::own::{GUARD, OwnHook, assignments, own_hooks, sha256};
use crate::registry::Agent;
use crate::tools::Tool;
use crate::tree::{self, Kind, Node};
use crate::wiring::{Format, Hooked, Means, Off, Switch, Tried};

pub use crate::own::{Effect, Hindrance, Installation};
pub use crate::wiring::{Place, Source};

/// After how many seconds our program answers at the latest.
pub const DEADLINE_SECONDS: u32 = 8;
/// How much longer an agent has to wait, since it starts the program first.
const MARGIN_SECONDS: u32 = 2;
/// An agent that waits longer is probably told another unit than was meant.
const MAX_SECONDS: f64 = 3600.0;

impl Agent {
    /// Returns what in a file keeps our hooks in it from being called or heard.
    #[must_use]
    pub fn hindrances(self, text: &str) -> Vec<Hindrance> {
        let Some(format) = self.format() else {
            return self.changed_plugin(text).into_iter().collect();
        };
        let Some(root) = tree::read("", text) else { return Vec::new() };
        let own = own_hooks(self.names(), format.shape, &root);
        let mut found: Vec<Hindrance> =
            own.iter().flat_map(|hook| format.of_entry(self, hook)).collect();
        found
            .extend(format.events.iter().filter_map(|event| format.of_matchers(self, event, &own)));
        merged(found)
    }

    /// Returns where in a file our hooks are given less time than a model may take that is asked there. `limits` says
    /// for how long one is waited for, by what it is asked for.
    #[must_use]
    pub fn too_short_for_models(
        self,
        text: &str,
        limits: &[(Purpose, Duration)],
    ) -> Vec<Hindrance> {
        let Some(format) = self.format() else { return Vec::new() };
        let Some(root) = tree::read("", text) else { return Vec::new() };
        let own = own_hooks(self.names(), format.shape, &root);
        let too_short = |hook| format.of_model(hook, limits);
        merged(own.iter().filter_map(too_short).collect())
    }

    /// Returns the files in which something may stand that keeps hooks from being called or heard.
    #[must_use]
    pub fn sources(self) -> &'static [Source] {
        self.wiring().map_or(&[], |wiring| wiring.sources)
    }

    /// Returns what in such a file does. `is_searched` says whether a hook names a program that is looked for
    /// where `PATH` says.
    #[must_use]
    pub fn hindrances_in(self, source: Source, text: &str, is_searched: bool) -> Vec<Hindrance> {
        let Some(wiring) = self.wiring() else { return Vec::new() };
        let Some(root) = tree::read(source.file, text) else { return Vec::new() };
        let is_for = |switch: &&Switch| source.is_managed || !switch.is_managed;
        let switches =
            wiring.switches.iter().filter(is_for).filter_map(|switch| switch.found(&root));
        let variables = match (wiring.variables, source.file.ends_with(".env")) {
            (_, true) => Some(&root),
            (name, false) => name.and_then(|name| root.member(name)),
        };
        let variables = variables.into_iter().flat_map(Node::members);
        let of_variable = |(name, value): &(String, Node)| {
            let (effect, what) = variable(name, value.text().unwrap_or_default(), is_searched)?;
            Some(Hindrance::new(value.line, effect, format!("`{name}` {what}")))
        };
        let tried = wiring.tried.as_ref().filter(|tried| tried.file == source.file);
        let newer = tried.and_then(|tried| tried.newer(&root));
        switches.chain(variables.filter_map(of_variable)).chain(newer).collect()
    }

    /// Returns what the agent has not been told yet by its user, so that it does not call our hooks.
    #[must_use]
    pub fn trust(self, installation: &Installation<'_>) -> Vec<Hindrance> {
        self.adapter().trust(installation)
    }

    fn format(self) -> Option<&'static Format> {
        match &self.wiring()?.means {
            Means::Settings(format) => Some(format),
            Means::Plugin(_) => None,
        }
    }

    /// That a plugin of ours is not as it is written today.
    fn changed_plugin(self, text: &str) -> Option<Hindrance> {
        let words = self.plugin_command(text)?;
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let expected = self.plugin(&words)?;
        if text == expected {
            return None;
        }
        let differs = |(one, other): &(&str, &str)| one != other;
        let line = text.lines().zip(expected.lines()).position(|pair| differs(&pair));
        let line = line.unwrap_or_else(|| text.lines().count().min(expected.lines().count())) + 1;
        let hash = sha256(&self.plugin_of(text)?);
        Some(match EARLIER_PLUGINS.iter().find(|(known, _)| *known == hash) {
            Some((_, version)) => Hindrance::new(
                line,
                Effect::Weakens,
                format!("it is as {version} wrote it: `behavior init` brings it up to date"),
            ),
            None => Hindrance::new(
                line,
                Effect::Silences,
                "it was changed, and nobody knows what it does now: `behavior init` writes it anew"
                    .to_owned(),
            ),
        })
    }
}

/// Plugins that an earlier version wrote: the hash of the text with the command of the text that is shipped, and
/// what the version is called.
const EARLIER_PLUGINS: &[(&str, &str)] = &[
    ("ce8f2a9ec00535f3c0e041aad4e6fd22a7d5491fb884ee3f4a6238a50c0617d8", UNPUBLISHED),
    ("2fcfc1101291dc8a8562ed9f6b0dcc03f5cfed68e61a44b22bf8c0d949d06437", UNPUBLISHED),
    ("be82bbf67c610c99259ffc108ebf3a9f6c3eca81ce42ff8b403899354fa2dbf4", UNPUBLISHED),
    ("a0866d4164d94896a9f1cf26178280d68c91da2676fd8cd165ed60979e5e6086", UNPUBLISHED),
    ("0d1fe94e49dbf4833704f37c24fe038ecf55e0974a7635a032f9ad5bf27fc991", UNPUBLISHED),
    ("90034f0c6ba1d6c00fbd07ef192e8a37bd70d1952b1d11fc7dbf6ac506ec59e1", UNPUBLISHED),
    ("5c5210a8a5c5dd87b410afd8edfc0ad5881ea151dab7bebd2f5679b21d325588", UNPUBLISHED),
    ("f726778255a9dc13ef320b189ec6da7fa73592dd56cb6f1edabde49542e96c6b", UNPUBLISHED),
    ("577b7473c42f66336136dae741a778a3a4dc368f78d0f4712f9b55ccec5a93ad", UNPUBLISHED),
    ("a9194b9e70b68ae0d869304eb9e87b95413dd60af54cf8f896f4a0122b245d2d", UNPUBLISHED),
    ("f3d30098d6550a34efbf5d45325ed11f2fab19181c74e3295448f710dee9f179", UNPUBLISHED),
    ("1082e3985f696e10919d278ff510e83ecea62c6755276c9dee5d7ad17b8010f1", UNPUBLISHED),
];
const UNPUBLISHED: &str = "a version before 0.1.0";

/// One that stands at several events is told once.
fn merged(found: Vec<Hindrance>) -> Vec<Hindrance> {
    let mut out: Vec<Hindrance> = Vec::new();
    for one in found {
        match out.iter_mut().find(|known| known.message == one.message) {
            Some(known) => known.effect = known.effect.max(one.effect),
            None => out.push(one),
        }
    }
    out
}

impl Tried {
    /// That the agent is newer than what the hook was tried with.
    fn newer(&self, root: &Node) -> Option<Hindrance> {
        let node = root.member(self.setting)?;
        let shown = node.text()?;
        let mut numbers = shown.split('.').map(str::parse::<u32>);
        let found = (numbers.next()?.ok()?, numbers.next()?.ok()?);
        let (major, minor) = self.version;
        (found > self.version).then(|| {
            let message = format!(
                "the agent is of version {shown}, and the hook was tried with {major}.{minor} at the latest: it may \
                 take answers otherwise. Look for a newer `behavior`"
            );
            Hindrance::new(node.line, Effect::Weakens, message)
        })
    }
}

impl Switch {
    fn found(&self, root: &Node) -> Option<Hindrance> {
        let node = root.at(self.path)?;
        let line = match &self.off {
            Off::Is(value) => node.is(*value).then_some(node.line)?,
            Off::Names { name, signs } => {
                let is_ours =
                    |item: &&Node| item.text().is_some_and(|text| names(text, name, signs));
                node.items().iter().find(is_ours)?.line
            }
        };
        let name = self.path.join(".");
        Some(Hindrance::new(line, Effect::Silences, format!("`{name}` {}", self.does)))
    }
}

/// Tells whether an entry of a list is about `name`: just that, or a path or pattern that ends with it behind a sign.
fn names(text: &str, name: &str, signs: &[char]) -> bool {
    if signs.is_empty() {
        return text == name;
    }
    let Some(rest) = text.strip_prefix(signs) else { return false };
    let file = rest.rsplit('/').next().unwrap_or_default();
    let (stem, end) = name.rsplit_once('.').unwrap_or((name, ""));
    file == name
        || file == "*"
        || file == "**"
        || file == format!("*.{end}")
        || file == format!("{stem}.*")
}

/// What comes of a variable that says where things are.
const ELSEWHERE: (Effect, &str) = (
    Effect::Weakens,
    "is set for the hook: its rules, sessions or trust may be others than here. Take it out, or set it for everything",
);

/// What a variable does to our hook, if anything.
fn variable(name: &str, value: &str, is_searched: bool) -> Option<(Effect, &'static str)> {
    match name {
        "BEHAVIOR" if value.trim().eq_ignore_ascii_case("off") => {
            Some((Effect::Silences, "is `off`: only the administrator's rules hold. Take it out"))
        }
        "HOME" | "XDG_CONFIG_HOME" | "XDG_STATE_HOME" | "XDG_CACHE_HOME" => Some(ELSEWHERE),
        name if name.starts_with("BEHAVIOR_") => Some(ELSEWHERE),
        "PATH" if is_searched => Some((
            Effect::Weakens,
            "is set for the hook, which is looked for there: name the program by its whole path",
        )),
        "LD_PRELOAD" | "LD_LIBRARY_PATH" | "DYLD_INSERT_LIBRARIES" | "BASH_ENV" => Some((
            Effect::Weakens,
            "is set for the hook and puts other code into it. Take it out, if nobody needs it",
        )),
        _ => None,
    }
}

impl Format {
    /// What at a hook keeps it from being called or heard.
    fn of_entry(&self, agent: Agent, hook: &OwnHook) -> Vec<Hindrance> {
        let event = self.events.iter().find(|event| event.name == hook.event);
        let comes_before = event.is_some_and(Hooked::comes_before);
        let strong = if comes_before { Effect::Silences } else { Effect::Weakens };
        let mut found = Vec::new();
        let mut tell = |node: &Node, effect, message: String| {
            found.push(Hindrance::new(node.line, effect, message));
        };
        let entry = &hook.entry;
        if let (Some(node), Some(event)) = (entry.member("timeout"), event)
            && let Some((effect, message)) = self.of_timeout(node, event)
        {
            tell(node, effect, message);
        }
        if let Some(node) = entry.member("async").filter(|node| node.is(true)) {
            let message = "`async` makes the agent go on without the answer: take it out";
            tell(node, strong, message.to_owned());
        }
        if let Some(node) = entry.member("if") {
            let shown = node.text().unwrap_or_default();
            let message = format!("`if` lets the hook be called only for `{shown}`: take it out");
            tell(node, Effect::Weakens, message);
        }
        if let Some(node) = entry.member("type").filter(|node| node.text() != Some("command")) {
            tell(
                node,
                strong,
                "its `type` is not `command`, so it is not run: write that".to_owned(),
            );
        }
        if event.is_some_and(|event| event.fails_closed)
            && !entry.member("failClosed").is_some_and(|node| node.is(true))
        {
            tell(entry, Effect::Weakens, UNGUARDED.to_owned());
        }
        if let (Some(node), Some(false)) =
            (entry.member("failClosed"), event.map(|event| event.fails_closed))
            && node.is(true)
        {
            let message = "`failClosed` is for what comes before a call: where the program fails here, the user \
                           cannot even talk about it to the agent. Take it out";
            tell(node, Effect::Weakens, message.to_owned());
        }
        if event.is_some_and(|event| event.refuses) && !hook.line.ends_with(GUARD) {
            tell(entry, Effect::Weakens, UNGUARDED.to_owned());
        }
        for (name, value) in assignments(agent.names(), &hook.line) {
            if let Some((effect, what)) = variable(&name, &value, false) {
                tell(entry, effect, format!("`{name}` in its command {what}"));
            }
        }
        found
    }

    fn of_timeout(&self, node: &Node, event: &Hooked) -> Option<(Effect, String)> {
        let Kind::Number(timeout) = node.kind else { return None };
        let seconds = timeout / f64::from(self.per_second);
        let right = event.timeout.unwrap_or(self.timeout);
        let unit = if self.per_second == 1 { "seconds" } else { "milliseconds" };
        let least = f64::from(DEADLINE_SECONDS + MARGIN_SECONDS);
        if seconds < least && event.timeout.is_none() {
            // An agent that waits no more lets the call happen.
            let effect = if seconds < 1.0 && event.comes_before() {
                Effect::Silences
            } else {
                Effect::Weakens
            };
            let message = format!(
                "`timeout` of {} is shorter than an answer may take ({DEADLINE_SECONDS} s), and then it does not \
                 count: write {right}",
                self.time(timeout)
            );
            return Some((effect, message));
        }
        (seconds > MAX_SECONDS).then(|| {
            let message = format!(
                "`timeout` is counted in {unit}, and {timeout} is more than an hour: write {right}"
            );
            (Effect::Weakens, message)
        })
    }

    /// That the agent waits for a hook less long than for the model that is asked in it. What is too short for any
    /// answer is told by itself.
    fn of_model(&self, hook: &OwnHook, limits: &[(Purpose, Duration)]) -> Option<Hindrance> {
        let event = self.events.iter().find(|event| event.name == hook.event)?;
        let asks = event.asks?;
        let (_, limit) = limits.iter().find(|(purpose, _)| *purpose == asks)?;
        let node = hook.entry.member("timeout")?;
        let Kind::Number(timeout) = node.kind else { return None };
        let seconds = timeout / f64::from(self.per_second);
        let is_told = seconds < f64::from(DEADLINE_SECONDS + MARGIN_SECONDS);
        if is_told || seconds >= limit.as_secs_f64() + f64::from(MARGIN_SECONDS) {
            return None;
        }
        let message = format!(
            "`timeout` of {} is shorter than the model may take that is asked at {} ({:.0} s): where that is late, its \
             answer is lost and nobody is told. Write {}",
            self.time(timeout),
            event.name,
            limit.as_secs_f64().ceil(),
            self.timeout
        );
        Some(Hindrance::new(node.line, Effect::Weakens, message))
    }

    /// A time in the agent's own unit, for people.
    fn time(&self, timeout: f64) -> String {
        let unit = if self.per_second == 1 { "seconds" } else { "milliseconds" };
        format!("{timeout} {unit}")
    }

    /// What the matchers of an event's hooks leave out.
    fn of_matchers(&self, agent: Agent, event: &Hooked, own: &[OwnHook]) -> Option<Hindrance> {
        let own: Vec<&OwnHook> = own.iter().filter(|hook| hook.event == event.name).collect();
        let first = own.iter().find_map(|hook| hook.matcher.as_ref())?;
        if !event.is_of_tools {
            return self.of_other_matchers(event, &own, first);
        }
        let texts = own.iter().map(|hook| hook.matcher.as_ref().and_then(Node::text));
        let matchers: Vec<Matcher<'_>> =
            texts.map(|text| Matcher::read(text, self.matching)).collect();
        let is_called = |tool: &str| {
            let mut answers = matchers.iter().map(|matcher| matcher.lets_through(tool));
            answers.any(|answer| answer == Some(true))
        };
        let shown = first.text().unwrap_or_default();
        let name = event.name;
        if matchers.iter().any(|matcher| matches!(matcher, Matcher::Unknown)) {
            let message = format!(
                "which tools `matcher` `{shown}` of {name} matches cannot be told: write `*`"
            );
            return Some(Hindrance::new(first.line, Effect::Weakens, message));
        }
        let (called, missed): (Vec<&'static Tool>, Vec<&'static Tool>) =
            agent.tools().iter().partition(|tool| is_called(tool.native));
        if missed.is_empty() && is_called(self.mcp_tool) {
            return None;
        }
        if called.is_empty() && !is_called(self.mcp_tool) {
            let effect = if event.comes_before() { Effect::Silences } else { Effect::Weakens };
            let message = format!(
                "`matcher` `{shown}` of {name} matches none of the agent's tools: write `*`"
            );
            return Some(Hindrance::new(first.line, effect, message));
        }
        let message = format!("`matcher` `{shown}` of {name} does not match all tools: write `*`");
        let tools = if event.comes_before() { missed } else { Vec::new() };
        Some(Hindrance { tools, ..Hindrance::new(first.line, Effect::Weakens, message) })
    }

    /// What the matchers leave out of an event that comes before a call and has no tools: what they match there is
    /// up to the agent, such as the command.
    fn of_other_matchers(
        &self,
        event: &Hooked,
        own: &[&OwnHook],
        first: &Node,
    ) -> Option<Hindrance> {
        let is_called_always = own.iter().any(|hook| {
            let text = hook.matcher.as_ref().and_then(Node::text);
            matches!(Matcher::read(text, self.matching), Matcher::All)
        });
        let (shown, name) = (first.text().unwrap_or_default(), event.name);
        (event.comes_before() && !is_called_always).then(|| {
            let message = format!(
                "`matcher` `{shown}` of {name} lets the hook be called only there: take it out"
            );
            Hindrance::new(first.line, Effect::Weakens, message)
        })
    }
}

/// What is said of a hook before a call that does not refuse where it fails.
const UNGUARDED: &str = "where the program is missing, crashes or answers nothing, the call runs: `behavior init` makes that a refusal";
