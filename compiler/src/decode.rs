//! From the spanned tree to typed values, driven by what the registry declares. Everything wrong is
//! reported and decoding goes on, so that one run shows all problems.

mod advice;
mod otherwise;

use crate::diagnostic::{Applicability, Diagnostic, DiagnosticKind};
use crate::nearest::{closest, is_surely};
use crate::registry::diagnostics as d;
use crate::registry::schema::{Choice, Field, NameKind, Record, Shape, all_of, one_of};
use crate::source::Span;
use crate::syntax::{Entry, Kind, Node};

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

/// Collects what is wrong.
#[derive(Debug, Default)]
pub struct Reports {
    /// Everything reported so far.
    pub diagnostics: Vec<Diagnostic>,
}

impl Reports {
    /// Reports a problem.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Returns whether a problem of a kind was reported.
    #[must_use]
    pub fn has(&self, kind: &'static DiagnosticKind) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.kind.name == kind.name)
    }

    /// Returns whether a key inside of a span was reported that most likely stands for another: what that other one
    /// would say is not missing, then.
    #[must_use]
    pub fn has_misspelt_key(&self, inside: Span) -> bool {
        self.misspelt_keys().any(|diagnostic| inside.contains(diagnostic.span))
    }

    /// Returns whether a key inside of a span was reported that most likely stands for one of some fields.
    #[must_use]
    pub fn has_key_for(&self, fields: &[&str], inside: Span) -> bool {
        self.misspelt_keys().any(|diagnostic| {
            inside.contains(diagnostic.span)
                && diagnostic.stands_for.iter().any(|field| fields.contains(field))
        })
    }

    fn misspelt_keys(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| !diagnostic.stands_for.is_empty())
    }
}

/// A type that can be read from a node.
pub trait Decode: Sized {
    /// What the node may be.
    const SHAPE: Shape;

    /// Reads the node; `None` when it is something else, which was then reported.
    fn decode(node: &Node, reports: &mut Reports) -> Option<Self>;
}

/// From here on, whole numbers do not fit into 64 bits.
const MAX_WHOLE: f64 = 9_223_372_036_854_775_808.0;

/// Reports that a node is not what it should be.
pub fn wrong_type(node: &Node, shape: Shape, reports: &mut Reports) {
    // What could not be read may have been something else.
    let is_syntax = |one: &Diagnostic| one.kind.name == d::SYNTAX.name;
    let holds = |one: &Diagnostic| node.span.contains(one.span);
    let is_tree = matches!(node.kind, Kind::Map(_) | Kind::Seq(_));
    if matches!(node.kind, Kind::Broken)
        || is_tree && reports.diagnostics.iter().any(|one| is_syntax(one) && holds(one))
    {
        return;
    }
    if let (Kind::Float(number), Shape::Int(least, most)) = (&node.kind, shape)
        && number.fract() == 0.0
        && number.abs() >= MAX_WHOLE
    {
        let message = format!("the number is too large: expected one from {least} to {most}");
        return reports.push(Diagnostic::new(&d::OUT_OF_RANGE, node.span, message));
    }
    let message = format!("expected {}, found {}", shape.describe(), node.describe());
    let diagnostic = Diagnostic::new(&d::WRONG_TYPE, node.span, message);
    reports.push(advice::add(diagnostic, node, shape));
}

impl<T: Decode> Decode for Spanned<T> {
    const SHAPE: Shape = T::SHAPE;

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        T::decode(node, reports).map(|value| Spanned { value, span: node.span })
    }
}

/// Keeps the node as it is, for a later pass.
impl Decode for Node {
    const SHAPE: Shape = Shape::Any;

    fn decode(node: &Node, _: &mut Reports) -> Option<Self> {
        Some(node.clone())
    }
}

impl Decode for Box<str> {
    const SHAPE: Shape = Shape::Text;

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        if let Kind::String(text) = &node.kind {
            return Some(text.value().into());
        }
        wrong_type(node, Self::SHAPE, reports);
        None
    }
}

impl Decode for bool {
    const SHAPE: Shape = Shape::Bool;

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        if let Kind::Bool(value) = node.kind {
            return Some(value);
        }
        wrong_type(node, Self::SHAPE, reports);
        None
    }
}

/// A whole number between two bounds, inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int<const LEAST: i64, const MAX: i64>(pub i64);

/// A whole number, 0 or more.
pub type Count = Int<0, { i64::MAX }>;

impl<const LEAST: i64, const MAX: i64> Decode for Int<LEAST, MAX> {
    const SHAPE: Shape = Shape::Int(LEAST, MAX);

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        match node.kind {
            Kind::Int(value) if (LEAST..=MAX).contains(&value) => Some(Self(value)),
            Kind::Int(value) => {
                let message = format!("expected {}, found `{value}`", Self::SHAPE.describe());
                reports.push(Diagnostic::new(&d::OUT_OF_RANGE, node.span, message));
                None
            }
            _ => {
                wrong_type(node, Self::SHAPE, reports);
                None
            }
        }
    }
}

impl Decode for f64 {
    const SHAPE: Shape = Shape::Number;

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        match node.kind {
            Kind::Int(value) => Some(value as f64),
            Kind::Float(value) => Some(value),
            _ => {
                wrong_type(node, Self::SHAPE, reports);
                None
            }
        }
    }
}

impl<T: Decode> Decode for Vec<T> {
    const SHAPE: Shape = Shape::List(&T::SHAPE);

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        let Some(items) = node.items() else {
            wrong_type(node, Self::SHAPE, reports);
            return None;
        };
        Some(items.iter().filter_map(|item| T::decode(item, reports)).collect())
    }
}

/// One value or a list of them.
#[derive(Clone, Debug, PartialEq)]
pub struct OneOrMany<T>(pub Vec<T>);

impl<T: Decode> Decode for OneOrMany<T> {
    const SHAPE: Shape = Shape::OneOrMany(&T::SHAPE);

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        if node.items().is_some() {
            return Vec::decode(node, reports).map(Self);
        }
        T::decode(node, reports).map(|value| Self(vec![value]))
    }
}

/// A mapping from names that the author chooses.
#[derive(Clone, Debug, PartialEq)]
pub struct Named<T>(pub Vec<(Spanned<Box<str>>, T)>);

impl<T> Default for Named<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Decode> Decode for Named<T> {
    const SHAPE: Shape = Shape::Map(&T::SHAPE);

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        let Some(entries) = node.entries() else {
            wrong_type(node, Self::SHAPE, reports);
            return None;
        };
        let named = |entry: &Entry| {
            let name = Spanned { value: entry.key.text.clone(), span: entry.key.span };
            T::decode(&entry.value, reports).map(|value| (name, value))
        };
        Some(Self(entries.iter().filter_map(named).collect()))
    }
}

/// Reports a key that a record does not have. `node` is the mapping it stands in.
pub fn unknown_field(entry: &Entry, node: &Node, record: &'static Record, reports: &mut Reports) {
    if matches!(entry.value.kind, Kind::Broken) {
        // Recovery guessed this key; what is wrong there was reported.
        return;
    }
    let message = format!("unknown field `{}` in {}", entry.key.text, record.name);
    let diagnostic = Diagnostic::new(&d::UNKNOWN_FIELD, entry.key.span, message);
    reports.push(advice::on_key(diagnostic, entry, node, record));
}

/// Adds the nearest name to a report, or all of them where none is near.
pub fn did_you_mean<'n>(
    diagnostic: Diagnostic,
    written: &str,
    names: impl Iterator<Item = &'n str> + Clone,
    what: &str,
) -> Diagnostic {
    const MAX_LISTED: usize = 40;
    let span = diagnostic.span;
    if let Some(near) = closest(written, names.clone()) {
        return diagnostic.help(format!("did you mean `{near}`?")).replace(
            span,
            near,
            Applicability::Unsafe,
        );
    }
    match names.clone().count() {
        0 => diagnostic.help(format!("there are no {what} here")),
        1..=MAX_LISTED => diagnostic.help(format!("the {what} are {}", all_of(names))),
        _ => diagnostic,
    }
}

/// Returns whether a key of a mapping was reported that most likely stands for one of its fields.
#[must_use]
pub fn is_misspelt(node: &Node, field: &str, reports: &Reports) -> bool {
    let is_key =
        |span: Span| node.entries().unwrap_or_default().iter().any(|entry| entry.key.span == span);
    reports.misspelt_keys().any(|it| it.stands_for.contains(&field) && is_key(it.span))
}

/// Reports the fields that must be there and are not.
pub fn missing_fields(
    node: &Node,
    record: &Record,
    has: impl Fn(&str) -> bool,
    reports: &mut Reports,
) {
    let missing = |field: &&Field| {
        field.required && !has(field.name) && !is_misspelt(node, field.name, reports)
    };
    let missing: Vec<&Field> = record.fields.iter().filter(missing).collect();
    for field in missing {
        let message = format!("missing field `{}` in {}", field.name, record.name);
        let mut help = format!("add `{}` with {}", field.name, field.shape.describe());
        if node.entry(field.name).is_some() {
            help.push_str("; it is null, which counts as not there");
        }
        reports.push(Diagnostic::new(&d::MISSING_FIELD, node.span, message).help(help));
    }
    // A rule without its condition fires at each call: that is hardly what an empty one is to say.
    for field in record.fields.iter().filter(|field| matches!(field.shape, Shape::Condition)) {
        let entry = node
            .entries()
            .and_then(|entries| entries.iter().find(|entry| &*entry.key.text == field.name));
        let is_blank = |entry: &&Entry| {
            entry.value.kind == Kind::Null
                || entry.value.as_str().is_some_and(|text| text.trim().is_empty())
        };
        if let Some(entry) = entry.filter(is_blank) {
            let message =
                format!("`{}` has no value, which is as if it were not there", field.name);
            let diagnostic = Diagnostic::new(&d::NO_EFFECT, entry.key.span, message);
            reports.push(diagnostic.help("write a condition, or delete the key"));
        }
    }
}

/// Reports a word that is none of the choices.
pub fn unknown_choice(node: &Node, written: &str, choices: &[Choice], reports: &mut Reports) {
    let names = choices.iter().map(|choice| choice.name);
    let message = format!("unknown value `{written}`: expected {}", one_of(names.clone()));
    let mut diagnostic = Diagnostic::new(&d::UNKNOWN_VALUE, node.span, message);
    let known = ELSEWHERE
        .iter()
        .find(|(word, choice, _)| *word == written && names.clone().any(|name| name == *choice));
    if let Some((_, _, help)) = known {
        diagnostic = diagnostic.help(*help);
    } else if let Some(near) =
        same_meaning(written, names.clone()).or_else(|| closest(written, names))
    {
        let sure = match is_surely(written, near) {
            true => Applicability::Safe,
            false => Applicability::Unsafe,
        };
        let place = inside_quotes(node.span, written);
        diagnostic = diagnostic.help(format!("did you mean `{near}`?")).replace(place, near, sure);
    }
    reports.push(diagnostic);
}

/// Words that other programs know and this one does not: the word, one of the choices in whose place it
/// stands, and what to do.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    ("critical", "error", "`error` is the worst there is: it blocks, and is severe to gates"),
    ("high", "error", "write `error`, which blocks and is severe to gates"),
    ("medium", "warning", "write `warning`, which is moderate to gates"),
    ("low", "info", "write `info`, which is minor to gates"),
    ("block", "error", "write `error`, which blocks and is severe to gates"),
    ("remind", "info", "write `info`, which is minor to gates"),
    ("turn", "trace", "rules hold over the whole trace or over each session, not over a turn"),
    (
        "ltl_formula",
        "must_call_before",
        "temporal formulas are not read; most are said by `must_call_before`, `no_call` or \
         `must_followup`, with `when` and `scope: session`",
    ),
];

/// The choice that says what a word of other tools says.
fn same_meaning<'c>(written: &str, names: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    const GROUPS: &[&[&str]] = &[
        &[
            "block",
            "blocked",
            "deny",
            "denied",
            "forbid",
            "forbidden",
            "reject",
            "refuse",
            "prevent",
            "stop",
        ],
        &["ask_user", "ask", "prompt", "confirm"],
        &["warn", "warning", "notify"],
        &["allow", "allowed", "permit", "approve", "accept", "pass"],
        &["remind", "reminder", "hint", "note"],
        &["pre_tool", "before", "pre", "pretooluse", "before_tool"],
        &["post_tool", "after", "post", "posttooluse", "after_tool"],
        &["turn_end", "stop", "end", "on_stop"],
        &["on_text", "text", "message", "on_message"],
        &["no_call", "forbid_call", "forbidden_call", "must_not_call", "never_call", "no_tool"],
        &["must_call_once", "must_call", "require_call", "required_call"],
        &["max_total_tokens", "max_tokens", "token_limit", "tokens"],
        &["forbidden_text", "must_not_include_text", "no_text", "forbid_text"],
        &["session", "once", "per_session"],
        &["turn", "per_turn", "once_per_turn"],
        &["target", "per_target", "per_file"],
        &["==", "=", "equals", "equal", "eq", "is"],
        &["!=", "not_equals", "ne", "is_not"],
        &[">=", "gte", "ge", "at_least"],
        &["<=", "lte", "le", "at_most"],
        &[">", "gt"],
        &["<", "lt"],
        &["autoEdit", "auto", "accept_edits", "acceptedits"],
        &["yolo", "bypass", "bypasspermissions"],
        &["concise", "short", "brief", "terse"],
        &["detailed", "long", "verbose"],
        &["high", "full"],
    ];
    let lower = written.to_lowercase();
    let mut groups = GROUPS.iter().filter(|group| group.contains(&&*lower));
    let names: Vec<&str> = names.into_iter().collect();
    groups.find_map(|group| names.iter().copied().find(|name| group.contains(name)))
}

/// Reports a word that is accepted and better written otherwise.
pub fn other_spelling(node: &Node, written: &str, word: &str, reports: &mut Reports) {
    let message = format!("`{written}` is read as `{word}`");
    let diagnostic = Diagnostic::new(&d::OTHER_SPELLING, node.span, message)
        .help(format!("write `{word}`"))
        .replace(inside_quotes(node.span, written), word, Applicability::Safe);
    reports.push(diagnostic);
}

/// Where the text of a string that stands at a place stands, without the quotes around it.
pub(crate) fn inside_quotes(span: Span, text: &str) -> Span {
    let Span { file, start, end } = span;
    let is_quoted = (end - start) as usize == text.len() + 2;
    if is_quoted { Span::new(file, start + 1, end - 1) } else { span }
}

/// Declares records: the struct, its schema and its decoding in one.
///
/// Every field is optional in the struct. One that is `required` and missing is reported.
macro_rules! record {
    ($(
        $(#[doc = $docs:literal])+
        $name:ident, $title:literal {
            $(
                $(#[doc = $field_docs:literal])+
                $(#[required($required:tt)])?
                $(#[default($default:literal)])?
                $field:ident $(as $key:literal)?: $type:ty,
            )*
        }
    )*) => {$(
        $(#[doc = $docs])+
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $($(#[doc = $field_docs])+ pub $field: Option<$type>,)*
        }

        impl $name {
            /// How the record is declared.
            pub const RECORD: &'static $crate::registry::schema::Record =
                &$crate::registry::schema::Record {
                    name: $title,
                    docs: concat!($($docs, "\n"),+),
                    fields: &[$($crate::registry::schema::Field {
                        name: $crate::decode::key_name!($field $($key)?),
                        docs: concat!($($field_docs, "\n"),+),
                        required: $crate::decode::flag!($($required)?),
                        default: $crate::decode::optional!($($default)?),
                        shape: <$type as $crate::decode::Decode>::SHAPE,
                    }),*],
                };
        }

        impl $crate::decode::Decode for $name {
            const SHAPE: $crate::registry::schema::Shape =
                $crate::registry::schema::Shape::Record($name::RECORD);

            fn decode(
                node: &$crate::syntax::Node,
                reports: &mut $crate::decode::Reports,
            ) -> Option<Self> {
                let Some(entries) = node.entries() else {
                    $crate::decode::wrong_type(node, Self::SHAPE, reports);
                    return None;
                };
                let mut record = Self::default();
                for entry in entries {
                    match &*entry.key.text {
                        // A field that is written and left empty counts as not written.
                        $($crate::decode::key_name!($field $($key)?) => {
                            if entry.value.kind != $crate::syntax::Kind::Null {
                                record.$field =
                                    $crate::decode::Decode::decode(&entry.value, reports);
                            }
                        })*
                        _ => $crate::decode::unknown_field(entry, node, Self::RECORD, reports),
                    }
                }
                let has = |name: &str| {
                    node.get(name).is_some_and(|value| value.kind != $crate::syntax::Kind::Null)
                };
                $crate::decode::missing_fields(node, Self::RECORD, has, reports);
                Some(record)
            }
        }
    )*};
}

macro_rules! key_name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

macro_rules! flag {
    () => {
        false
    };
    ($value:tt) => {
        $value
    };
}

macro_rules! optional {
    () => {
        None
    };
    ($value:literal) => {
        Some($value)
    };
}

/// Declares a choice between words: the enum, its documentation and its decoding in one.
macro_rules! choice {
    ($(
        $(#[doc = $docs:literal])+
        $name:ident { $(
            $(#[doc = $variant_docs:literal])+
            $variant:ident = $word:literal $(or $($other:literal),+)?,
        )* }
    )*) => {$(
        $(#[doc = $docs])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[doc = $variant_docs])+ $variant,)* }

        impl $name {
            /// The words.
            pub const CHOICES: &'static [$crate::registry::schema::Choice] = &[$(
                $crate::registry::schema::Choice {
                    name: $word,
                    others: &[$($($other),+)?],
                    docs: concat!($($variant_docs, "\n"),+),
                }
            ),*];
            /// The words by themselves.
            #[allow(dead_code, reason = "of a few, expressions speak as well")]
            pub const NAMES: &'static [&'static str] = &[$($word),*];
        }

        impl $crate::decode::Decode for $name {
            const SHAPE: $crate::registry::schema::Shape =
                $crate::registry::schema::Shape::Choice($name::CHOICES);

            fn decode(
                node: &$crate::syntax::Node,
                reports: &mut $crate::decode::Reports,
            ) -> Option<Self> {
                let Some(text) = node.as_str() else {
                    $crate::decode::wrong_type(node, Self::SHAPE, reports);
                    return None;
                };
                match text {
                    $($word => Some($name::$variant),)*
                    $($($($other => {
                        $crate::decode::other_spelling(node, text, $word, reports);
                        Some($name::$variant)
                    })+)?)*
                    _ => {
                        $crate::decode::unknown_choice(node, text, Self::CHOICES, reports);
                        None
                    }
                }
            }
        }
    )*};
}

pub(crate) use {choice, flag, key_name, optional, record};

/// Declares types that are a string with a more telling shape.
macro_rules! text_types {
    ($($(#[doc = $docs:literal])+ $name:ident: $shape:expr,)*) => {$(
        $(#[doc = $docs])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            /// The text, and where it stands.
            pub node: Node,
        }

        impl $name {
            /// The text.
            #[must_use]
            pub fn text(&self) -> &str {
                self.node.as_str().unwrap_or_default()
            }

            /// Where it stands.
            #[must_use]
            pub fn span(&self) -> Span {
                self.node.span
            }
        }

        impl Decode for $name {
            const SHAPE: Shape = $shape;

            fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
                if node.as_str().is_some() {
                    return Some(Self { node: node.clone() });
                }
                wrong_type(node, Self::SHAPE, reports);
                None
            }
        }
    )*};
}

text_types! {
    /// A message with placeholders.
    MessageText: Shape::Message,
    /// A directive text with placeholders.
    DirectiveText: Shape::Directive,
    /// A regular expression.
    PatternText: Shape::Pattern,
    /// A path pattern.
    GlobText: Shape::Glob,
    /// A pattern of a policy.
    PolicyPattern: Shape::Policy,
    /// A glob over one argument of a call.
    ArgumentPattern: Shape::Text,
    /// The host of an address, with `*` for any text.
    HostPattern: Shape::Text,
    /// A tool name or `*`.
    ToolName: Shape::Tool,
    /// The name of a set.
    SetName: Shape::Name(NameKind::Set),
    /// The name of a counter.
    CounterName: Shape::Name(NameKind::Counter),
    /// The name of a flag.
    FlagName: Shape::Name(NameKind::Flag),
    /// The name of a profile, or a reference to one.
    ProfileName: Shape::Name(NameKind::Profile),
    /// The name of a parameter.
    ParamName: Shape::Name(NameKind::Param),
    /// The name of a risk level.
    RiskName: Shape::Name(NameKind::RiskLevel),
}

/// A condition: a mapping, or an expression as a string. Read by [`crate::conditions`].
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionNode(pub Node);

impl Decode for ConditionNode {
    const SHAPE: Shape = Shape::Condition;

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        match node.kind {
            Kind::Map(_) | Kind::String(_) | Kind::Null => Some(Self(node.clone())),
            _ => {
                wrong_type(node, Self::SHAPE, reports);
                None
            }
        }
    }
}

/// A string, number or boolean.
#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    /// As conditions see a value: a string's text, or JSON.
    pub text: Box<str>,
    /// As JSON.
    pub json: Box<str>,
}

impl Decode for Scalar {
    const SHAPE: Shape = Shape::Either(&[Shape::Text, Shape::Number, Shape::Bool]);

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        let value = match &node.kind {
            Kind::String(text) => serde_json::Value::from(&**text),
            Kind::Int(number) => serde_json::Value::from(*number),
            Kind::Float(number) => serde_json::Value::from(*number),
            Kind::Bool(value) => serde_json::Value::from(*value),
            _ => {
                wrong_type(node, Self::SHAPE, reports);
                return None;
            }
        };
        let json: Box<str> = value.to_string().into();
        let text = value.as_str().map_or_else(|| json.clone(), Box::from);
        Some(Self { text, json })
    }
}
