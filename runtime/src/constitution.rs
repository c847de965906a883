//! The list of rules that a session makes for itself: texts that the agent is told in every turn, and definitions of
//! rules. Knows what an event says of the list, who may change what of it, and how long it is kept; how its rules
//! decide is not its business.

use std::sync::Arc;

use behavior_image::Image;
use behavior_json::{Fields, Json};

pub use crate::decision::constitution::{Author, Content, Entry, Op, Refusal, Report};
pub use crate::host::SessionRule;

/// How many entries a list holds.
pub const MAX_ENTRIES: usize = 50;
/// The longest text, or definition as JSON, in bytes.
pub const MAX_LENGTH: usize = 16 << 10;
/// Entries that were not used for longer are swept, in milliseconds.
pub const KEPT_UNUSED: i64 = 3_600_000;

impl Content {
    /// Takes what an event gives; `None` where that is neither a text nor an object.
    fn of(json: Json<'_>) -> Option<Self> {
        match behavior_json::text(json) {
            Some(text) => Some(Self::Text(text.into_owned())),
            None if json.get().starts_with('{') => Some(Self::Rule(json.get().to_owned())),
            None => None,
        }
    }

    /// Takes the JSON text of an entry; `None` where it is neither a string nor an object.
    #[must_use]
    pub fn from_json(json: &str) -> Option<Self> {
        Self::of(behavior_json::parsed(json.trim())?)
    }

    /// Returns it as JSON: a string, or the object as it was given.
    #[must_use]
    pub fn to_json(&self) -> String {
        match self {
            Self::Text(text) => serde_json::Value::from(text.as_str()).to_string(),
            Self::Rule(definition) => definition.clone(),
        }
    }

    /// Returns the definition, where it is one.
    #[must_use]
    pub fn definition(&self) -> Option<&str> {
        match self {
            Self::Rule(definition) => Some(definition),
            Self::Text(_) => None,
        }
    }

    fn is_blank(&self) -> bool {
        matches!(self, Self::Text(text) if text.trim().is_empty())
    }

    fn len(&self) -> usize {
        let (Self::Text(text) | Self::Rule(text)) = self;
        text.len()
    }
}

/// What an event asks of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What is done.
    pub op: Op,
    /// Who does it.
    pub by: Author,
    /// What is added.
    pub rules: Vec<Content>,
}

impl Change {
    /// Reads the JSON object of an event.
    ///
    /// # Errors
    /// What is wrong with it, for people.
    pub fn read(body: &str) -> Result<Self, String> {
        let fields = Fields::of(body);
        let text = |name: &str| fields.field(name).and_then(behavior_json::text);
        let names = Op::ALL.map(Op::name).join(", ");
        let Some(op) = text("op") else {
            return Err(format!("`constitution` needs an `op`: one of {names}"));
        };
        let Some(op) = Op::ALL.into_iter().find(|known| known.name() == op) else {
            let shown: String = op.chars().take(60).collect();
            return Err(format!("unknown `op` `{shown}` of `constitution`: it is one of {names}"));
        };
        // Whoever it is otherwise, what they may do is what an agent may.
        let by = text("by").and_then(|name| Author::named(&name)).unwrap_or_default();
        let mut rules = Vec::new();
        if matches!(op, Op::Update | Op::Reset) {
            let given = ["rule", "rules"].map(|name| present(fields.field(name)));
            let [one, several] = given;
            if one.is_none() && several.is_none() {
                let name = if op == Op::Update { "rule" } else { "rules" };
                return Err(format!("`{}` of `constitution` needs `{name}`", op.name()));
            }
            let refused = || "a rule is a text or a rule definition".to_owned();
            if let Some(rule) = one {
                rules.push(Content::of(rule).ok_or_else(refused)?);
            }
            if let Some(list) = several {
                let mut is_right = list.get().starts_with('[');
                let taken = behavior_json::items(list.get(), |item| match Content::of(item) {
                    // What is beyond is never kept.
                    Some(content) if rules.len() < 2 * MAX_ENTRIES => rules.push(content),
                    Some(_) => {}
                    None => is_right = false,
                });
                if taken.is_err() || !is_right {
                    return Err("`rules` is a list of texts and rule definitions".to_owned());
                }
            }
        }
        Ok(Self { op, by, rules })
    }
}

/// A field that is there and not null.
fn present(raw: behavior_json::Raw<'_>) -> behavior_json::Raw<'_> {
    raw.filter(|raw| raw.get() != "null")
}

/// The list of one session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constitution {
    entries: Vec<Entry>,
    used_at: Option<i64>,
}

impl Constitution {
    /// Takes up a list that was used last at a time, in milliseconds since the epoch. Entries beyond the most that
    /// a list holds are dropped.
    #[must_use]
    pub fn new(mut entries: Vec<Entry>, used_at: Option<i64>) -> Self {
        entries.truncate(MAX_ENTRIES);
        Self { entries, used_at }
    }

    /// Returns the entries, the oldest first.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns when it was used last, in milliseconds since the epoch, where that is known.
    #[must_use]
    pub fn used_at(&self) -> Option<i64> {
        self.used_at
    }

    /// Returns the texts.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().filter_map(|entry| match &entry.content {
            Content::Text(text) => Some(text.as_str()),
            Content::Rule(_) => None,
        })
    }

    /// Returns the definitions of rules, with the places of their entries.
    pub fn rules(&self) -> impl Iterator<Item = SessionRule<'_>> {
        (0..).zip(&self.entries).filter_map(|(number, entry)| {
            Some(SessionRule { number, definition: entry.content.definition()? })
        })
    }

    /// Says that it is used now.
    pub fn touch(&mut self, now: Option<i64>) {
        self.used_at = now.or(self.used_at);
    }

    /// Changes or reads the list at a time, in milliseconds since the epoch where that is known. `compile` makes one
    /// image of the rules of a list. What does not compile is not kept; where the list is another one now, the
    /// image of its rules comes back, with none where it has no rules. Nothing comes back where its rules are those
    /// of before.
    pub fn change(
        &mut self,
        change: Change,
        now: Option<i64>,
        compile: Compile<'_>,
    ) -> (Report, Option<Option<Arc<Image>>>) {
        let Change { op, by, rules } = change;
        let mut refused = Vec::new();
        let mut made = None;
        let mut dropped = 0;
        match op {
            Op::Sweep => made = self.sweep(now, compile),
            Op::Get => self.touch(now),
            Op::Update | Op::Reset | Op::Remove => {
                let mut list = self.clone();
                if op != Op::Update {
                    list.remove(by);
                }
                list.touch(now);
                let rules = rules.into_iter().filter(|content| !content.is_blank());
                let added = rules.map(|content| Entry { by, content }).collect();
                let (image, gone) = self.put(list, added, op, compile, &mut refused);
                (made, dropped) = (image, gone);
            }
        }
        let entries = (op == Op::Get).then(|| self.entries.clone());
        (Report { op, count: self.entries.len(), entries, refused, dropped }, made)
    }

    /// Drops what the agent made if nobody used the list for long. A user's entries stay until the session ends.
    /// Gives back what [`Constitution::change`] does.
    pub fn sweep(&mut self, now: Option<i64>, compile: Compile<'_>) -> Option<Option<Arc<Image>>> {
        let (Some(now), Some(used_at)) = (now, self.used_at) else {
            self.touch(now);
            return None;
        };
        let is_agents = |entry: &Entry| entry.by == Author::Agent;
        let is_stale = now.saturating_sub(used_at) > KEPT_UNUSED;
        if !is_stale || !self.entries.iter().any(is_agents) {
            return None;
        }
        let mut list = self.clone();
        list.remove(Author::Agent);
        self.put(list, Vec::new(), Op::Sweep, compile, &mut Vec::new()).0
    }

    /// Takes another list with what is added to it, but for what does not compile, and says how many entries have no
    /// place. Where all compiles, which is usual, that is found at once.
    fn put(
        &mut self,
        list: Self,
        added: Vec<Entry>,
        op: Op,
        compile: Compile<'_>,
        refused: &mut Vec<Refusal>,
    ) -> (Option<Option<Arc<Image>>>, usize) {
        let mut whys = Vec::new();
        let (whole, dropped) = list.with(added.clone(), op, &mut whys);
        if whole.rules().eq(self.rules()) {
            refused.append(&mut whys);
            *self = whole;
            return (None, dropped);
        }
        if let Ok(image) = whole.compiled(compile) {
            refused.append(&mut whys);
            *self = whole;
            return (Some(image), dropped);
        }
        let mut sound = Vec::new();
        for entry in added {
            let why = entry
                .content
                .definition()
                .and_then(|definition| compile(&[SessionRule { number: 0, definition }]).err());
            match why {
                Some(why) => refused.extend(why),
                None => sound.push(entry),
            }
        }
        if sound.is_empty() && list.entries == self.entries {
            *self = list;
            return (None, 0);
        }
        let (whole, dropped) = list.with(sound, op, refused);
        match whole.compiled(compile) {
            Ok(image) => {
                *self = whole;
                (Some(image), dropped)
            }
            // What compiles alone and not together is too much together: all stays as it was.
            Err(why) => {
                refused.extend(why);
                (None, 0)
            }
        }
    }

    /// Compiles the rules; `None` where there are none.
    fn compiled(&self, compile: Compile<'_>) -> Result<Option<Arc<Image>>, Vec<Refusal>> {
        let rules: Vec<SessionRule<'_>> = self.rules().collect();
        if rules.is_empty() { Ok(None) } else { compile(&rules).map(Some) }
    }

    /// Drops the author's entries. What the agent made is the user's to drop, too.
    fn remove(&mut self, by: Author) {
        match by {
            Author::Agent => self.entries.retain(|entry| entry.by != Author::Agent),
            Author::User => self.entries.clear(),
        }
    }

    /// Returns the list with more entries, and how many have no place in it; says which are refused.
    fn with(&self, added: Vec<Entry>, op: Op, refused: &mut Vec<Refusal>) -> (Self, usize) {
        let mut list = self.clone();
        let mut dropped = 0;
        for entry in added {
            // A reset keeps the first ones, an update the last.
            if op == Op::Reset && list.entries.len() >= MAX_ENTRIES {
                dropped += 1;
                continue;
            }
            match list.push(entry) {
                Ok(is_other_dropped) => dropped += usize::from(is_other_dropped),
                Err(refusal) => refused.push(refusal),
            }
        }
        (list, dropped)
    }

    /// Adds an entry, and says whether an old one is dropped, as there is no room. Says why it is not kept otherwise.
    fn push(&mut self, entry: Entry) -> Result<bool, Refusal> {
        if entry.content.len() > MAX_LENGTH {
            let message = format!("the rule is longer than {MAX_LENGTH} bytes");
            return Err(Refusal::new(message));
        }
        let is_full = self.entries.len() >= MAX_ENTRIES;
        if is_full {
            let is_agents = |known: &Entry| known.by == Author::Agent;
            let oldest = self.entries.iter().position(is_agents);
            match oldest.or((entry.by == Author::User).then_some(0)) {
                Some(oldest) => drop(self.entries.remove(oldest)),
                None => {
                    let message =
                        format!("all {MAX_ENTRIES} rules of this session are the user's own");
                    return Err(Refusal::new(message));
                }
            }
        }
        self.entries.push(entry);
        Ok(is_full)
    }
}

/// Makes one image of rules, in which each has its [`SessionRule::id`], or says what is wrong with them.
pub type Compile<'c> = &'c mut dyn FnMut(&[SessionRule<'_>]) -> Result<Arc<Image>, Vec<Refusal>>;

impl SessionRule<'_> {
    /// Returns the id that the compiled rule has, whatever its definition says.
    #[must_use]
    pub fn id(&self) -> &'static str {
        rule_id(self.number)
    }
}

/// Returns the id of the rule of an entry.
#[must_use]
pub fn rule_id(number: u32) -> &'static str {
    IDS.get(number as usize).copied().unwrap_or("constitution")
}

/// Returns which entry a rule of this id belongs to.
#[must_use]
pub fn entry_of(id: &str) -> Option<u32> {
    let number = id.strip_prefix("constitution:")?.parse().ok()?;
    ((number as usize) < MAX_ENTRIES).then_some(number)
}

/// The ids of the rules: there are so few that nobody has to make them.
static IDS: [&str; MAX_ENTRIES] = [
    "constitution:0",
    "constitution:1",
    "constitution:2",
    "constitution:3",
    "constitution:4",
    "constitution:5",
    "constitution:6",
    "constitution:7",
    "constitution:8",
    "constitution:9",
    "constitution:10",
    "constitution:11",
    "constitution:12",
    "constitution:13",
    "constitution:14",
    "constitution:15",
    "constitution:16",
    "constitution:17",
    "constitution:18",
    "constitution:19",
    "constitution:20",
    "constitution:21",
    "constitution:22",
    "constitution:23",
    "constitution:24",
    "constitution:25",
    "constitution:26",
    "constitution:27",
    "constitution:28",
    "constitution:29",
    "constitution:30",
    "constitution:31",
    "constitution:32",
    "constitution:33",
    "constitution:34",
    "constitution:35",
    "constitution:36",
    "constitution:37",
    "constitution:38",
    "constitution:39",
    "constitution:40",
    "constitution:41",
    "constitution:42",
    "constitution:43",
    "constitution:44",
    "constitution:45",
    "constitution:46",
    "constitution:47",
    "constitution:48",
    "constitution:49",
];

#[cfg(test)]
mod tests;
