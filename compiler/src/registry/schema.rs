//! How fields, records and choices are declared. One declaration decodes the value, names what is
//! unknown, and documents it to hover, completion, `explain` and the reference.

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Any value.
    Any,
    /// A string.
    Text,
    /// `true` or `false`.
    Bool,
    /// A whole number between the two, inclusive.
    Int(i64, i64),
    /// A number.
    Number,
    /// A name that something declares.
    Name(NameKind),
    /// A regular expression.
    Pattern,
    /// A path pattern.
    Glob,
    /// A pattern of a policy.
    Policy,
    /// A message with placeholders.
    Message,
    /// A directive text with placeholders.
    Directive,
    /// A condition, as a mapping or an expression.
    Condition,
    /// A tool name or `*`.
    Tool,
    /// One of some words.
    Choice(&'static [Choice]),
    /// A mapping with known fields.
    Record(&'static Record),
    /// A mapping from names to values.
    Map(&'static Shape),
    /// A list.
    List(&'static Shape),
    /// One value or a list of them.
    OneOrMany(&'static Shape),
    /// The first that fits.
    Either(&'static [Shape]),
}

/// What kind of name a value refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// A tracked set.
    Set,
    /// A counter.
    Counter,
    /// A flag.
    Flag,
    /// A built-in preset, or a profile of the project.
    Profile,
    /// A parameter of a tool.
    Param,
    /// A risk level of the classifier.
    RiskLevel,
}

impl NameKind {
    /// The kind, as people call it.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            NameKind::Set => "set",
            NameKind::Counter => "counter",
            NameKind::Flag => "flag",
            NameKind::Profile => "profile",
            NameKind::Param => "parameter",
            NameKind::RiskLevel => "risk level",
        }
    }
}

/// A word that a value may be.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The word.
    pub name: &'static str,
    /// Other spellings that are read as it.
    pub others: &'static [&'static str],
    /// What it means: Markdown.
    pub docs: &'static str,
}

/// A mapping with known fields.
#[derive(Debug)]
pub struct Record {
    /// What it is, with its article: `a rule definition`.
    pub name: &'static str,
    /// What it means: Markdown, the first line a summary.
    pub docs: &'static str,
    /// Its fields, in the order in which they are best written.
    pub fields: &'static [Field],
}

/// A field of a record.
#[derive(Debug)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What it means: Markdown, the first line a summary.
    pub docs: &'static str,
    /// Whether it must be there.
    pub required: bool,
    /// What holds where it is not there, as it would be written.
    pub default: Option<&'static str>,
    /// What its value may be.
    pub shape: Shape,
}

impl Record {
    /// The field called `name`.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl Shape {
    /// What the value may be, for people: `a string`, `a list of tool names`, …
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Shape::Any => "anything".to_owned(),
            Shape::Text => "a string".to_owned(),
            Shape::Bool => "`true` or `false`".to_owned(),
            Shape::Int(0, i64::MAX) => "a whole number, 0 or more".to_owned(),
            Shape::Int(1, i64::MAX) => "a whole number, 1 or more".to_owned(),
            Shape::Int(i64::MIN, i64::MAX) => "a whole number".to_owned(),
            Shape::Int(least, most) => format!("a whole number from {least} to {most}"),
            Shape::Number => "a number".to_owned(),
            Shape::Name(kind) => format!("the name of a {}", kind.describe()),
            Shape::Pattern => "a regular expression".to_owned(),
            Shape::Glob => "a path pattern".to_owned(),
            Shape::Policy => "a pattern of tools and commands".to_owned(),
            Shape::Message => "a message".to_owned(),
            Shape::Directive => "a directive text".to_owned(),
            Shape::Condition => "a condition: a mapping or an expression".to_owned(),
            Shape::Tool => "a tool name or `*`".to_owned(),
            Shape::Choice(choices) => one_of(choices.iter().map(|choice| choice.name)),
            Shape::Record(record) => record.name.to_owned(),
            Shape::Map(Shape::Any) => "a mapping from names to values".to_owned(),
            Shape::Map(of) => format!("a mapping from names to values, each {}", of.describe()),
            Shape::List(Shape::Any) => "a list".to_owned(),
            Shape::List(of) => format!("a list, each item {}", of.describe()),
            Shape::OneOrMany(of) => format!("{}, or a list of them", of.describe()),
            Shape::Either(shapes) => {
                shapes.iter().map(|shape| shape.describe()).collect::<Vec<_>>().join(", or ")
            }
        }
    }
}

/// `` `a`, `b` and `c` ``.
pub fn all_of<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    joined(names, "and")
}

/// `` `a`, `b` or `c` ``.
pub fn one_of<'n>(names: impl IntoIterator<Item = &'n str>) -> String {
    joined(names, "or")
}

fn joined<'n>(names: impl IntoIterator<Item = &'n str>, word: &str) -> String {
    let mut names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    match names.pop() {
        Some(last) if !names.is_empty() => format!("{} {word} {last}", names.join(", ")),
        Some(only) => only,
        None => "nothing".to_owned(),
    }
}
