//! Trace policies as typed values, nothing resolved yet: the file, its rules, and the parameters of
//! each kind of rule. Every field is declared here, once, with its documentation.

use behavior_runtime::code::MonitorKind;

use crate::decode::{Count, Decode, OneOrMany, Reports, Spanned, ToolName, choice, record};
use crate::registry::schema::{Record, Shape};
use crate::syntax::{Kind, Node};

record! {
    /// Rules over recorded or live sessions: what must and must not happen between an agent and its
    /// model.
    ///
    /// In YAML or JSON, `behavior/<name>.policy.yaml`. A bare list of rules is one too. A pair is one
    /// request to the model and its response.
    TracePolicy, "a trace policy" {
        /// The version of the form that the file was written for; any is accepted.
        api_version as "apiVersion": Box<str>,
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
        kind: TraceRuleKind,
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

    /// The parameters of `must_call_once` and `no_call`.
    OneTool, "the parameters of a rule on one tool" {
        /// The tool.
        #[required(true)]
        tool: ToolName,
    }

    /// The parameters of `max_turns` and `max_total_tokens`.
    Limit, "the parameters of a limit" {
        /// The most that is allowed.
        limit: Count,
        /// Another name of `limit`.
        n: Count,
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
    /// What a rule of a trace policy asserts.
    TraceRuleKind {
        /// One tool is called before another, wherever that is called.
        ///
        /// Violated by the first call of `then` that no call of `first` comes before.
        MustCallBefore = "must_call_before",
        /// A tool is called exactly once.
        ///
        /// Settled at the end of the session or trace.
        MustCallOnce = "must_call_once",
        /// A tool is never called.
        ///
        /// Every call violates it.
        NoCall = "no_call",
        /// There are no more than so many responses.
        MaxTurns = "max_turns",
        /// Every response ends for one of some reasons.
        RequiredStopReason = "required_stop_reason",
        /// No more than so many tokens are used: input, output and thinking together.
        MaxTotalTokens = "max_total_tokens",
        /// A text stands in at least one response.
        MustIncludeText = "must_include_text",
        /// A text stands in every response.
        MustIncludeTextEach = "must_include_text_each",
        /// A text stands in no response.
        ForbiddenText = "forbidden_text",
        /// The text of every response is JSON that a schema describes.
        ///
        /// Blanks around it do not count. `NaN` and `Infinity` are not JSON.
        MustMatchJsonSchema = "must_match_json_schema",
        /// A value does not change once it was seen.
        ///
        /// Pairs without it are passed over; every later one that differs from the first violates.
        MustRemainConsistent = "must_remain_consistent",
        /// What triggers in one pair is answered by the response of the next.
        ///
        /// A trigger in the last pair violates, since nothing answers it.
        MustFollowup = "must_followup",
        /// Every response shares enough words with what was retrieved for it.
        ///
        /// Words are runs of letters and digits, at least two long, in lower case; each counts once.
        /// Pairs without retrieved text are passed over. This is about words, not about meaning.
        MustBeGrounded = "must_be_grounded",
    }

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
        OneTool::SHAPE,
        Limit::SHAPE,
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

impl TraceRuleKind {
    /// The kind, as the image has it.
    #[must_use]
    pub fn monitor(self) -> MonitorKind {
        match self {
            Self::MustCallBefore => MonitorKind::MustCallBefore,
            Self::MustCallOnce => MonitorKind::MustCallOnce,
            Self::NoCall => MonitorKind::NoCall,
            Self::MaxTurns => MonitorKind::MaxTurns,
            Self::RequiredStopReason => MonitorKind::RequiredStopReason,
            Self::MaxTotalTokens => MonitorKind::MaxTotalTokens,
            Self::MustIncludeText => MonitorKind::MustIncludeText,
            Self::MustIncludeTextEach => MonitorKind::MustIncludeTextEach,
            Self::ForbiddenText => MonitorKind::ForbiddenText,
            Self::MustMatchJsonSchema => MonitorKind::MustMatchJsonSchema,
            Self::MustRemainConsistent => MonitorKind::MustRemainConsistent,
            Self::MustFollowup => MonitorKind::MustFollowup,
            Self::MustBeGrounded => MonitorKind::MustBeGrounded,
        }
    }

    /// The parameters that rules of this kind have.
    #[must_use]
    pub fn parameters(self) -> &'static Record {
        match self {
            Self::MustCallBefore => CallOrder::RECORD,
            Self::MustCallOnce | Self::NoCall => OneTool::RECORD,
            Self::MaxTurns | Self::MaxTotalTokens => Limit::RECORD,
            Self::RequiredStopReason => StopReasons::RECORD,
            Self::MustIncludeText | Self::MustIncludeTextEach | Self::ForbiddenText => {
                OneText::RECORD
            }
            Self::MustMatchJsonSchema => JsonSchema::RECORD,
            Self::MustRemainConsistent => OnePath::RECORD,
            Self::MustFollowup => Followup::RECORD,
            Self::MustBeGrounded => Grounded::RECORD,
        }
    }

    /// A rule of this kind, as it is written.
    #[must_use]
    pub fn example(self) -> &'static str {
        match self {
            Self::MustCallBefore => {
                "- id: confirm-refunds\n  kind: must_call_before\n  params: { first: confirm_refund, then: issue_refund }\n"
            }
            Self::MustCallOnce => {
                "- id: one-summary\n  kind: must_call_once\n  params: { tool: write_summary }\n  scope: session\n"
            }
            Self::NoCall => "- id: no-deploys\n  kind: no_call\n  params: { tool: deploy }\n",
            Self::MaxTurns => {
                "- id: short\n  kind: max_turns\n  params: { limit: 20 }\n  severity: warning\n"
            }
            Self::RequiredStopReason => {
                "- id: whole-answers\n  kind: required_stop_reason\n  params: { allowed: [end_turn, tool_use] }\n"
            }
            Self::MaxTotalTokens => {
                "- id: budget\n  kind: max_total_tokens\n  params: { limit: 40000 }\n  scope: session\n"
            }
            Self::MustIncludeText => {
                "- id: says-goodbye\n  kind: must_include_text\n  params: { text: Thank you }\n"
            }
            Self::MustIncludeTextEach => {
                "- id: cites\n  kind: must_include_text_each\n  params: { text: \"Source:\" }\n"
            }
            Self::ForbiddenText => {
                "- id: no-promises\n  kind: forbidden_text\n  params: { text: guarantee }\n"
            }
            Self::MustMatchJsonSchema => {
                "- id: structured\n  kind: must_match_json_schema\n  params:\n    schema: { type: object, required: [decision] }\n"
            }
            Self::MustRemainConsistent => {
                "- id: amount-stays\n  kind: must_remain_consistent\n  params: { path: request.params.amount }\n"
            }
            Self::MustFollowup => {
                "- id: confirm-quotes\n  kind: must_followup\n  params:\n    trigger: { path: response.content, op: contains, value: quote_total }\n    must: { kind: tool_call, tool_name: confirm_with_user }\n"
            }
            Self::MustBeGrounded => {
                "- id: grounded\n  kind: must_be_grounded\n  params: { retrieval_path: request.metadata.chunks, min_unigram_precision: 0.5 }\n"
            }
        }
    }

    /// The kind called `name`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let node = |kind: &Self| kind.monitor().name() == name;
        Self::ALL.iter().copied().find(node)
    }

    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::MustCallBefore,
        Self::MustCallOnce,
        Self::NoCall,
        Self::MaxTurns,
        Self::RequiredStopReason,
        Self::MaxTotalTokens,
        Self::MustIncludeText,
        Self::MustIncludeTextEach,
        Self::ForbiddenText,
        Self::MustMatchJsonSchema,
        Self::MustRemainConsistent,
        Self::MustFollowup,
        Self::MustBeGrounded,
    ];
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

/// The JSON text of a value of a rule file.
pub(crate) fn json_of(node: &Node) -> serde_json::Value {
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
