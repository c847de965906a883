//! What comes of an event about the rules that a session made for itself: plain data, which a decision holds and
//! `constitution` makes.

/// Who made an entry, or changes the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Author {
    /// The agent: it may only touch entries of its own.
    #[default]
    Agent,
    /// The user.
    User,
}

impl Author {
    /// Returns the word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::User => "user",
        }
    }

    /// Returns who is called so.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::Agent, Self::User].into_iter().find(|author| author.name() == name)
    }
}

/// What an entry says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A text that the agent is told in every turn.
    Text(String),
    /// The definition of a rule: the JSON text of an object.
    Rule(String),
}

/// One entry of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Who made it.
    pub by: Author,
    /// What it says.
    pub content: Content,
}

/// What is done with a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Entries are added.
    Update,
    /// Other entries take the place of the author's.
    Reset,
    /// The list is read.
    Get,
    /// The author's entries go.
    Remove,
    /// What was not used for long goes.
    Sweep,
}

impl Op {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Update, Self::Reset, Self::Get, Self::Remove, Self::Sweep];

    /// Returns its name in events.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Update => "update",
            Self::Reset => "reset",
            Self::Get => "get",
            Self::Remove => "remove",
            Self::Sweep => "sweep",
        }
    }
}

/// Why an entry is not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong, for people.
    pub message: String,
    /// The same with all that is known of it, as JSON of whoever compiles rules; empty where there is no more.
    pub detail: String,
}

impl Refusal {
    /// A refusal of which there is no more to know.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), detail: String::new() }
    }
}

/// What came of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// What was done.
    pub op: Op,
    /// How many entries there are now.
    pub count: usize,
    /// What the list holds, where it was read.
    pub entries: Option<Vec<Entry>>,
    /// Why entries are not kept.
    pub refused: Vec<Refusal>,
    /// How many entries have no place any more, as a list holds [`MAX_ENTRIES`](crate::constitution::MAX_ENTRIES).
    pub dropped: usize,
}

impl Report {
    /// The report on a list without entries.
    #[must_use]
    pub fn empty(op: Op) -> Self {
        let entries = (op == Op::Get).then(Vec::new);
        Self { op, count: 0, entries, refused: Vec::new(), dropped: 0 }
    }
}
