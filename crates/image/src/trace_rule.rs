//! The table of kinds of trace rules: what a rule of a trace policy may assert, declared once. From its
//! rows come the numbers, what a monitor holds and its verification, and in the compiler the
//! choice of kinds with its documentation, the parameters and the examples. How pairs and calls are
//! watched is written by hand.
//!
//! ```text
//! /// What people are told: Markdown, the first line a summary.
//! Name = number: key(what its parameters are, one of `Parameters`) {
//!     decides: …,  // `at_once`, or `at_end` where the end of the session or trace may decide
//!     example: …,  // a rule of this kind, as it is written
//! }
//! ```

use crate::error::ImageError;
use crate::format::{MonitorRecord, NONE, Section};
use crate::numbered::numbered;
use crate::verifier::Verifier;

/// Calls a macro with all rows of the table of kinds of trace rules.
#[macro_export]
macro_rules! trace_rules {
    ($callback:ident) => {
        $callback! {
            /// One tool is called before another, wherever that is called.
            ///
            /// Violated by the first call of `then` that no call of `first` comes before.
            MustCallBefore = 0: must_call_before(CallOrder) {
                decides: at_once,
                example: "- id: confirm-refunds\n  kind: must_call_before\n  params: { first: confirm_refund, then: issue_refund }\n",
            }

            /// A tool is called exactly once.
            ///
            /// Settled at the end of the session or trace; with `before: end_of_turn`, at the end of each turn.
            MustCallOnce = 1: must_call_once(OneCall) {
                decides: at_end,
                example: "- id: one-summary\n  kind: must_call_once\n  params: { tool: write_summary }\n  scope: session\n",
            }

            /// A tool is never called.
            ///
            /// Every call violates it.
            NoCall = 2: no_call(OneTool) {
                decides: at_once,
                example: "- id: no-deploys\n  kind: no_call\n  params: { tool: deploy }\n",
            }

            /// There are no more than so many responses.
            MaxTurns = 3: max_turns(Limit) {
                decides: at_end,
                example: "- id: short\n  kind: max_turns\n  params: { limit: 20 }\n  severity: warning\n",
            }

            /// Every response ends for one of some reasons.
            RequiredStopReason = 4: required_stop_reason(StopReasons) {
                decides: at_once,
                example: "- id: whole-answers\n  kind: required_stop_reason\n  params: { allowed: [end_turn, tool_use] }\n",
            }

            /// No more than so many tokens are used: input, output and thinking together.
            ///
            /// `cached` says what input counts that was read from a cache: all of it, none, or a share.
            MaxTotalTokens = 5: max_total_tokens(TokenLimit) {
                decides: at_end,
                example: "- id: budget\n  kind: max_total_tokens\n  params: { limit: 40000 }\n  scope: session\n",
            }

            /// A text stands in at least one response.
            MustIncludeText = 6: must_include_text(OneText) {
                decides: at_end,
                example: "- id: says-goodbye\n  kind: must_include_text\n  params: { text: Thank you }\n",
            }

            /// A text stands in every response.
            MustIncludeTextEach = 7: must_include_text_each(OneText) {
                decides: at_once,
                example: "- id: cites\n  kind: must_include_text_each\n  params: { text: \"Source:\" }\n",
            }

            /// A text stands in no response.
            ForbiddenText = 8: forbidden_text(OneText) {
                decides: at_once,
                example: "- id: no-promises\n  kind: forbidden_text\n  params: { text: guarantee }\n",
            }

            /// The text of every response is JSON that a schema describes.
            ///
            /// Blanks around it do not count. `NaN` and `Infinity` are not JSON.
            MustMatchJsonSchema = 9: must_match_json_schema(JsonSchema) {
                decides: at_once,
                example: "- id: structured\n  kind: must_match_json_schema\n  params:\n    schema: { type: object, required: [decision] }\n",
            }

            /// A value does not change once it was seen.
            ///
            /// Pairs without it are passed over; every later one that differs from the first violates.
            MustRemainConsistent = 10: must_remain_consistent(OnePath) {
                decides: at_once,
                example: "- id: amount-stays\n  kind: must_remain_consistent\n  params: { path: request.params.amount }\n",
            }

            /// What triggers in one pair is answered by the response of the next, or with `within` by one of so
            /// many.
            ///
            /// A trigger in the last pair violates, since nothing answers it.
            MustFollowup = 11: must_followup(Followup) {
                decides: at_end,
                example: "- id: confirm-quotes\n  kind: must_followup\n  params:\n    trigger: { path: response.content, op: contains, value: quote_total }\n    must: { kind: tool_call, tool_name: confirm_with_user }\n",
            }

            /// Every response shares enough words with what was retrieved for it.
            ///
            /// Words are runs of letters and digits, at least two long, in lower case; each counts once.
            /// Pairs without retrieved text are passed over. This is about words, not about meaning.
            MustBeGrounded = 12: must_be_grounded(Grounded) {
                decides: at_once,
                example: "- id: grounded\n  kind: must_be_grounded\n  params: { retrieval_path: request.metadata.chunks, min_unigram_precision: 0.5 }\n",
            }
        }
    };
}

/// What a kind of trace rule is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameters {
    /// A tool, and the one that may only be called after it.
    CallOrder,
    /// A tool, and whether each turn must call it.
    OneCall,
    /// A tool.
    OneTool,
    /// The most that is allowed.
    Limit,
    /// The most tokens that are allowed, and what cached ones count.
    TokenLimit,
    /// The reasons for which a response may end.
    StopReasons,
    /// A text.
    OneText,
    /// A JSON Schema.
    JsonSchema,
    /// A path to a value.
    OnePath,
    /// What obliges, and the tool or the text that answers it.
    Followup,
    /// A path to texts, and a share.
    Grounded,
}

macro_rules! declare_kinds {
    ($(
        $(#[doc = $docs:literal])+
        $name:ident = $number:literal: $key:ident($parameters:ident) {
            decides: $decides:ident,
            example: $example:literal,
        }
    )*) => {
        numbered! {
            /// What a rule of a trace policy asserts.
            MonitorKind: u8 {
                $($(#[doc = $docs])+ $name = $number stringify!($key),)*
            }
        }

        impl MonitorKind {
            /// What rules of this kind are given.
            #[must_use]
            pub fn parameters(self) -> Parameters {
                match self {
                    $(MonitorKind::$name => Parameters::$parameters),*
                }
            }

            /// Whether the end of the session or trace may decide.
            #[must_use]
            pub fn decides_at_end(self) -> bool {
                match self {
                    $(MonitorKind::$name => is_at_end!($decides)),*
                }
            }
        }
    };
}

macro_rules! is_at_end {
    (at_once) => {
        false
    };
    (at_end) => {
        true
    };
}

trace_rules!(declare_kinds);

impl MonitorKind {
    /// Whether it looks at calls of the tools that it names.
    #[must_use]
    pub fn is_about_calls(self) -> bool {
        use Parameters::{CallOrder, OneCall, OneTool};
        matches!(self.parameters(), CallOrder | OneTool | OneCall)
    }
}

impl Parameters {
    /// Holds what a monitor is given against the tables that it points into.
    pub(crate) fn verify(
        self,
        monitor: &MonitorRecord,
        verifier: &Verifier<'_>,
    ) -> Result<(), ImageError> {
        let section = Section::Monitors;
        match self {
            Parameters::Limit | Parameters::TokenLimit | Parameters::StopReasons => Ok(()),
            Parameters::OnePath | Parameters::Grounded => {
                verifier.index::<u32>(section, monitor.subject, Section::PairPaths)
            }
            Parameters::CallOrder => {
                verifier.string(section, monitor.subject)?;
                verifier.string(section, monitor.object)
            }
            Parameters::Followup if monitor.subject == NONE => {
                verifier.string(section, monitor.object)
            }
            Parameters::Followup
            | Parameters::OneTool
            | Parameters::OneCall
            | Parameters::OneText
            | Parameters::JsonSchema => verifier.string(section, monitor.subject),
        }
    }
}
