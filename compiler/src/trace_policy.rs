//! Trace policies as typed values, nothing resolved yet: the file, its rules, and the parameters of
//! each kind of rule. Every field is declared here, once, with its documentation.

use behavior_image::trace_rule::MonitorKind;
use behavior_image::trace_rules;
use serde::{Serialize, Serializer};

use crate::decode::{
    Count, Decode, Int, OneOrMany, Reports, Spanned, ToolName, choice, record, unknown_choice,
    wrong_type,
};
use crate::registry::schema::{Choice, Record, Shape};
use crate::syntax::{Kind, Node};

record! {
    /// Rules over recorded or live sessions: what must and must not happen between an agent and its
    /// model.
    ///
    /// In YAML or JSON, `behavior/<name>.policy.yaml`. A bare list of rules is one too. A pair is one
    /// request to the model and its response.
    TracePolicy, "a trace policy" {
        /// The version of the form that the file was written for, `shadow.dev/v1alpha1`. Rules of another one may
        /// mean something else, which is a warning.
        api_version as "apiVersion": Spanned<Box<str>>,
        /// The rules, in the order in which findings are reported.
        #[required(true)]
        rules: Vec<Spanned<TraceRule>>,
    }

    /// A rule of a trace policy.
    TraceRule, "a rule of a trace policy" {
        /// The rule's name, shown wherever it is violated. `rule-0` and so on where it has none.
        id: Spanned<Box<str>>,
        /// What the rule is for.
        #[default("\"\"")]
        description: Spanned<Box<str>>,
        /// What the rule asserts.
        #[required(true)]
        kind: MonitorKind,
        /// What it asserts it of; each kind has its own.
        params: Parameters,
        /// Looks only at pairs for which all of these hold.
        ///
        /// A path that leads to nothing makes its test false. Of the calls, only those in such pairs
        /// count.
        #[default("[]")]
        when: OneOrMany<PairCondition>,
        /// How bad a violation is.
        #[default("error")]
        severity: TraceSeverity,
        /// Whether the rule looks at the whole trace, or at each session by itself.
        #[default("trace")]
        scope: TraceScope,
    }

    /// A test of a pair of request and response.
    PairCondition, "a test of a pair" {
        /// Where the value stands: `request.…`, `response.…`, `model` or `stop_reason`.
        ///
        /// Parts are separated by dots; a number counts the items of a list from 0, as in
        /// `request.messages.0.role`.
        #[required(true)]
        path: Spanned<Box<str>>,
        /// How the value is held against the other.
        #[required(true)]
        op: Spanned<PairOperator>,
        /// The other value. Orderings take a number, `in` and `not_in` a list.
        #[required(true)]
        value: Node,
    }

    /// The parameters of `must_call_before`.
    CallOrder, "the parameters of `must_call_before`" {
        /// The tool that must be called first.
        #[required(true)]
        first: ToolName,
        /// The tool that may only be called after it.
        then: ToolName,
        /// Another name of `then`.
        second: ToolName,
    }

    /// The parameters of `must_call_once`.
    OneCall, "the parameters of `must_call_once`" {
        /// The tool.
        #[required(true)]
        tool: ToolName,
        /// When it must have been called: with `end_of_turn`, each turn must call it once.
        before: CallDeadline,
    }

    /// The parameters of `no_call`.
    OneTool, "the parameters of a rule on one tool" {
        /// The tool.
        #[required(true)]
        tool: ToolName,
    }

    /// The parameters of `max_turns`.
    Limit, "the parameters of a limit" {
        /// The most that is allowed.
        limit: Count,
        /// Another name of `limit`.
        n: Count,
    }

    /// The parameters of `max_total_tokens`.
    TokenLimit, "the parameters of `max_total_tokens`" {
        /// The most that is allowed.
        limit: Count,
        /// Another name of `limit`.
        n: Count,
        /// What input counts that was read from a cache: `count` as other input does, `ignore` not at all, or a
        /// number from 0 to 1 so much of it.
        #[default("count")]
        cached: Node,
    }

    /// The parameters of `required_stop_reason`.
    StopReasons, "the parameters of `required_stop_reason`" {
        /// The reasons for which a response may end, such as `end_turn`.
        #[required(true)]
        allowed: OneOrMany<Spanned<Box<str>>>,
    }

    /// The parameters of `must_include_text`, `must_include_text_each` and `forbidden_text`.
    OneText, "the parameters of a rule on a text" {
        /// The text, as it stands; case counts.
        #[required(true)]
        text: Spanned<Box<str>>,
    }

    /// The parameters of `must_match_json_schema`; it has one of the two.
    JsonSchema, "the parameters of `must_match_json_schema`" {
        /// The JSON Schema. Drafts 7 and 2020-12 are known; `$schema` says which, and without it
        /// 2020-12 holds. References to other documents are not followed.
        schema: Node,
        /// The file that holds it, relative to this one.
        schema_path: Spanned<Box<str>>,
    }

    /// The parameters of `must_remain_consistent`.
    OnePath, "the parameters of `must_remain_consistent`" {
        /// Where the value stands that must not change once it was seen, such as
        /// `request.params.amount`.
        #[required(true)]
        path: Spanned<Box<str>>,
    }

    /// The parameters of `must_followup`.
    Followup, "the parameters of `must_followup`" {
        /// What must hold of a pair to oblige the next one. Without any, every pair does.
        #[default("[]")]
        trigger: OneOrMany<PairCondition>,
        /// What the next response must have.
        #[required(true)]
        must: Spanned<Obligation>,
        /// Within how many responses it must come.
        #[default("1")]
        within: Int<1, 1000>,
    }

    /// What a response must have.
    Obligation, "an obligation" {
        /// A call of a tool, or a text.
        #[required(true)]
        kind: ObligationKind,
        /// The tool that must be called.
        tool_name: ToolName,
        /// Another name of `tool_name`.
        tool: ToolName,
        /// The text that must stand in it.
        text: Spanned<Box<str>>,
    }

    /// The parameters of `must_be_grounded`.
    Grounded, "the parameters of `must_be_grounded`" {
        /// Where the retrieved text stands, one text or a list of them, such as
        /// `request.metadata.retrieved_chunks`.
        #[required(true)]
        retrieval_path: Spanned<Box<str>>,
        /// How much of the response's different words must stand in it, from 0 to 1.
        #[default("0.5")]
        min_unigram_precision: Spanned<f64>,
    }
}

choice! {
    /// How bad a violation is. Live, an error blocks and a warning warns.
    TraceSeverity {
        /// It must not be.
        Error = "error",
        /// It should not be.
        Warning = "warning",
        /// It is good to know.
        Info = "info",
    }

    /// Over what a rule holds.
    TraceScope {
        /// The whole trace.
        Trace = "trace",
        /// Each session by itself. Where a log does not say where sessions begin, each exchange that
        /// a user begins is one.
        Session = "session",
    }

    /// By when a call must have been made.
    CallDeadline {
        /// The end of the turn.
        EndOfTurn = "end_of_turn",
    }

    /// How the value at a path is held against another.
    PairOperator {
        /// They are equal; `1` and `1.0` are.
        Equal = "==",
        /// They differ.
        NotEqual = "!=",
        /// It is a larger number.
        Greater = ">",
        /// It is a number at least as large.
        GreaterOrEqual = ">=",
        /// It is a smaller number.
        Less = "<",
        /// It is a number at most as large.
        LessOrEqual = "<=",
        /// It is in the list.
        In = "in",
        /// It is not in the list.
        NotIn = "not_in",
        /// The text has it as a part, or the list as an item; of `response.content`, a text has it
        /// as a part, or a tool of that name is called.
        Contains = "contains",
        /// It does not contain it.
        NotContains = "not_contains",
    }

    /// What a response must have.
    ObligationKind {
        /// A call of a tool.
        ToolCall = "tool_call",
        /// A text.
        TextIncludes = "text_includes",
    }
}

/// The parameters of a rule, which its kind says how to read.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameters(pub Node);

impl Decode for Parameters {
    const SHAPE: Shape = Shape::Either(&[
        CallOrder::SHAPE,
        OneCall::SHAPE,
        OneTool::SHAPE,
        Limit::SHAPE,
        TokenLimit::SHAPE,
        StopReasons::SHAPE,
        OneText::SHAPE,
        JsonSchema::SHAPE,
        OnePath::SHAPE,
        Followup::SHAPE,
        Grounded::SHAPE,
    ]);

    fn decode(node: &Node, _: &mut Reports) -> Option<Self> {
        Some(Self(node.clone()))
    }
}

/// A kind of rule, as files have it.
#[derive(Clone, Copy, Debug)]
pub struct TraceRuleKind {
    /// The kind, as the image has it.
    pub kind: MonitorKind,
    /// What it asserts: Markdown, the first line a summary.
    pub docs: &'static str,
    /// The parameters that rules of this kind have.
    pub parameters: &'static Record,
    /// A rule of this kind, as it is written.
    pub example: &'static str,
}

macro_rules! declare_kinds {
    ($(
        $(#[doc = $docs:literal])+
        $name:ident = $number:literal: $key:ident($parameters:ident) {
            decides: $decides:ident,
            example: $example:literal,
        }
    )*) => {
        impl TraceRuleKind {
            /// All of them.
            pub const ALL: &'static [TraceRuleKind] = &[$(TraceRuleKind {
                kind: MonitorKind::$name,
                docs: concat!($($docs, "\n"),+),
                parameters: $parameters::RECORD,
                example: $example,
            }),*];

            /// Their names and what they assert.
            pub const CHOICES: &'static [Choice] = &[$(Choice {
                name: stringify!($key),
                others: &[],
                docs: concat!($($docs, "\n"),+),
            }),*];
        }
    };
}

trace_rules!(declare_kinds);

impl TraceRuleKind {
    /// The kind called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.kind.name() == name)
    }
}

impl Decode for MonitorKind {
    const SHAPE: Shape = Shape::Choice(TraceRuleKind::CHOICES);

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        let Some(name) = node.as_str() else {
            wrong_type(node, Self::SHAPE, reports);
            return None;
        };
        let kind = TraceRuleKind::named(name).map(|kind| kind.kind);
        if kind.is_none() {
            unknown_choice(node, name, TraceRuleKind::CHOICES, reports);
        }
        kind
    }
}

/// A trace policy as a file holds it: a mapping, or a bare list of rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TracePolicyFile(pub TracePolicy);

impl Decode for TracePolicyFile {
    const SHAPE: Shape = TracePolicy::SHAPE;

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        if node.items().is_some() {
            let rules = Vec::decode(node, reports);
            return Some(Self(TracePolicy { rules, ..TracePolicy::default() }));
        }
        TracePolicy::decode(node, reports).map(Self)
    }
}

/// Whether a file's tree is that of a trace policy: a list of mappings with `kind`, or one at `rules`.
pub(crate) fn is_trace_policy(root: &Node) -> bool {
    let rules = if root.items().is_some() { Some(root) } else { root.get("rules") };
    let has_kind = |rule: &Node| rule.entry("kind").is_some() || rule.entry("params").is_some();
    rules.and_then(Node::items).is_some_and(|items| items.iter().any(has_kind))
}

/// Returns a value of a rule file as JSON.
#[must_use]
pub fn json_of(node: &Node) -> serde_json::Value {
    use serde_json::Value;
    match &node.kind {
        Kind::Null | Kind::Broken => Value::Null,
        Kind::Bool(value) => Value::from(*value),
        Kind::Int(value) => Value::from(*value),
        Kind::Float(value) => Value::from(*value),
        Kind::String(text) => Value::from(&**text),
        Kind::Seq(items) => items.iter().map(json_of).collect(),
        Kind::Map(entries) => entries
            .iter()
            .map(|entry| (entry.key.text.to_string(), json_of(&entry.value)))
            .collect(),
    }
}

/// A value of a rule file that is written as JSON, as [`json_of`] says.
pub(crate) struct AsJson<'n>(pub &'n Node);

impl Serialize for AsJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0.kind {
            Kind::Null | Kind::Broken => serializer.serialize_unit(),
            Kind::Bool(value) => serializer.serialize_bool(*value),
            Kind::Int(value) => serializer.serialize_i64(*value),
            Kind::Float(value) => serializer.serialize_f64(*value),
            Kind::String(text) => serializer.serialize_str(text),
            Kind::Seq(items) => serializer.collect_seq(items.iter().map(AsJson)),
            Kind::Map(entries) => {
                serializer.collect_map(entries.iter().map(|it| (&*it.key.text, AsJson(&it.value))))
            }
        }
    }
}
