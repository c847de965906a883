//! The small enumerations that records hold. Each is declared once: number, name and meaning. The
//! instruction set is in [`crate::operation`], the kinds of trace rules in
//! [`crate::trace_rule`].

use crate::numbered::numbered;

numbered! {
    /// When a rule is looked at.
    Phase: u8 {
        /// Before a tool runs.
        PreTool = 0 "pre_tool",
        /// After a tool has run, once the state is updated.
        PostTool = 1 "post_tool",
        /// When the agent writes text.
        OnText = 2 "on_text",
        /// When the agent ends its response.
        TurnEnd = 3 "turn_end",
        /// When the model has answered, and at the end of a session or trace: rules of trace policies.
        Exchange = 4 "exchange",
    }

    /// How often the agent is told what a rule warns or reminds of.
    Repeat: u8 {
        /// Each time.
        Always = 0 "always",
        /// The first time for each target.
        Target = 1 "target",
        /// The first time in a turn.
        Turn = 2 "turn",
        /// The first time in a session.
        Session = 3 "session",
        /// Not within so many calls of the last time.
        Calls = 4 "calls",
    }

    /// Whether a model verifies the answers of an agent.
    VerifierMode: u8 {
        /// The config says nothing of it.
        Absent = 0 "absent",
        /// None does.
        Off = 1 "false",
        /// One does where there is one.
        Auto = 2 "auto",
        /// One does, and where there is none the user is told every time.
        On = 3 "true",
    }

    /// What of the findings a user is shown by the agent.
    ShowUser: u8 {
        /// Nothing.
        None = 0 "none",
        /// What blocks a call or asks about it.
        Blocks = 1 "blocks",
        /// Whatever the agent is told.
        All = 2 "all",
    }

    /// What a rule does when it fires.
    Action: u8 {
        /// The call does not run.
        Block = 0 "block",
        /// The user decides whether the call runs.
        Ask = 1 "ask",
        /// The agent is warned.
        Warn = 2 "warn",
        /// The agent is reminded after the call.
        Remind = 3 "remind",
    }

    /// Where a rule comes from.
    Origin: u8 {
        /// The standard library.
        Builtin = 0 "builtin",
        /// The config's `rule_definitions`.
        Config = 1 "config",
        /// A profile file's `rule_definitions`.
        Profile = 2 "profile",
        /// A `custom` list.
        Custom = 3 "custom",
        /// A trace policy.
        TracePolicy = 4 "trace_policy",
    }

    /// Whether a call may run; the strictest of what was found.
    Verdict: u8 {
        /// It may.
        Allow = 0 "allow",
        /// The user is asked.
        Ask = 1 "ask",
        /// It may not.
        Deny = 2 "deny",
    }

    /// Over what a rule of a trace policy holds.
    Scope: u8 {
        /// The whole trace.
        Trace = 0 "trace",
        /// Each session by itself.
        Session = 1 "session",
    }

    /// How the value at a path is held against another.
    Operator: u32 {
        /// They are equal.
        Equal = 0 "==",
        /// They differ.
        NotEqual = 1 "!=",
        /// It is a larger number.
        Greater = 2 ">",
        /// It is a number at least as large.
        GreaterOrEqual = 3 ">=",
        /// It is a smaller number.
        Less = 4 "<",
        /// It is a number at most as large.
        LessOrEqual = 5 "<=",
        /// It is in the list.
        In = 6 "in",
        /// It is not in the list.
        NotIn = 7 "not_in",
        /// The text or the list contains it.
        Contains = 8 "contains",
        /// The text or the list does not contain it.
        NotContains = 9 "not_contains",
    }

    /// What a policy says of a call, from the weakest to the strictest.
    PermissionAction: u32 {
        /// It runs.
        Allow = 0 "allow",
        /// The policy has no say: the agent's own permissions decide.
        None = 1 "none",
        /// It runs dry first, and the user looks at what it would do.
        DryRunFirst = 2 "dry_run_first",
        /// The user is asked.
        Ask = 3 "ask",
        /// It does not run.
        Deny = 4 "deny",
    }

    /// What of a call a rule of a policy looks at, beside its tool and all of its arguments.
    FactKind: u32 {
        /// One parameter.
        Param = 0 "param",
        /// The host of its addresses.
        Host = 1 "host",
        /// The files that it touches.
        Touches = 2 "touches",
        /// The files that it reads.
        Reads = 3 "reads",
        /// The files that it writes or deletes.
        Writes = 4 "writes",
    }

    /// What is done with calls that no rule of a policy covers, from the laxest to the strictest.
    ApprovalMode: u32 {
        /// They are allowed.
        Yolo = 0 "yolo",
        /// Those that change files are allowed, the others asked about.
        AutoEdit = 1 "autoEdit",
        /// They are left to the agent's own permissions.
        Agent = 2 "agent",
        /// They are asked about.
        Ask = 3 "ask",
    }

    /// Whose word a rule of a policy is; higher ones are looked at first.
    Priority: u32 {
        /// What holds where nobody says otherwise.
        Default = 0 "default",
        /// The user's.
        User = 1 "user",
        /// The administrator's.
        Admin = 2 "admin",
    }

    /// Which tools an alternative of a policy rule is about.
    ToolTest: u32 {
        /// All.
        Any = 0 "any",
        /// Those that run command lines.
        Shell = 1 "shell",
        /// One, by its name.
        Named = 2 "named",
        /// Those whose name matches a pattern.
        Pattern = 3 "pattern",
    }

    /// How [`crate::operation::Op::ParamCompare`] compares.
    Comparison: u8 {
        /// Equal.
        Equal = 0 "==",
        /// Not equal.
        NotEqual = 1 "!=",
        /// Less.
        Less = 2 "<",
        /// Less or equal.
        LessOrEqual = 3 "<=",
        /// Greater.
        Greater = 4 ">",
        /// Greater or equal.
        GreaterOrEqual = 5 ">=",
    }

    /// Where [`crate::operation::Op::ContainsSecret`] looks.
    EventPart: u8 {
        /// In every parameter of the call.
        Params = 0 "params",
        /// In one parameter.
        Param = 1 "param",
        /// In the tool's result.
        Result = 2 "result",
        /// In the agent's text.
        Text = 3 "text",
        /// In whatever the event has.
        Anywhere = 4 "anywhere",
    }

    /// What a part of a message stands for.
    Placeholder: u32 {
        /// The string itself.
        Literal = 0 "text",
        /// The call's target.
        Target = 1 "target",
        /// The tool's canonical name.
        Tool = 2 "tool",
        /// The turn's number.
        Turn = 3 "turn",
        /// Calls of this turn that have ended.
        TurnCalls = 4 "tool_calls_this_turn",
        /// How often the same tool ran in a row, as the condition counts.
        Consecutive = 5 "consecutive_same_tool",
        /// A parameter.
        Param = 6 "param",
        /// A counter.
        Counter = 7 "counter",
        /// The size of a set.
        SetCount = 8 "set_count",
        /// A flag: `True` or `False`.
        Flag = 9 "flag",
        /// The text of a document of the project or the user.
        Document = 10 "file",
        /// What the text claims without ground.
        Claims = 11 "ungrounded_claims",
        /// The command of the line that a condition `runs` holds for.
        Command = 12 "command",
        /// What decides: the file that a condition on paths holds for, else the command.
        Cause = 13 "cause",
    }

    /// A change of state by a call. Those after it apply in the order of their numbers, but that
    /// all sets come first.
    Change: u32 {
        /// The target enters a set once the tool has run.
        Add = 0 "add",
        /// A counter goes up by one.
        Increment = 1 "increment",
        /// A counter goes to zero.
        Reset = 2 "reset",
        /// A counter goes to zero if a parameter matches.
        ResetWhen = 3 "reset_when",
        /// A flag becomes true.
        Set = 4 "set",
        /// A flag becomes false.
        Unset = 5 "unset",
        /// A counter goes to zero if a command line runs a command of some shape.
        ResetWhenRuns = 6 "reset_when_runs",
        /// The target enters a set when the call is made and not denied.
        AddOnCall = 7 "add_on_call",
        /// The target enters a set once the tool has succeeded.
        AddOnSuccess = 8 "add_on_success",
        /// A counter goes up by one when the call is made and not denied.
        IncrementOnCall = 9 "increment_on_call",
    }

    /// How a pattern is matched.
    Matching: u32 {
        /// The text contains the literal, ignoring case.
        Literal = 0 "literal",
        /// The regular expression is found in the text.
        Regex = 1 "regex",
        /// The text is this one.
        Whole = 2 "whole",
        /// The text begins with this one.
        Beginning = 3 "beginning",
        /// The text contains one of the pieces, ignoring case.
        OneOf = 4 "one of",
        /// The text has the pieces in their order, with anything between them.
        Pieces = 5 "pieces",
    }

    /// What kind of file a path is one of.
    PathKind: u32 {
        /// In a temporary directory, and not in the repository.
        Scratch = 0 "scratch",
        /// Made by a build, by its usual names.
        Generated = 1 "generated",
        /// Outside of the repository.
        Outside = 2 "outside",
        /// A key, a file of credentials or settings that hold them.
        Secret = 3 "secret",
        /// Of the rules, of their hooks and of what is kept for them.
        Config = 4 "config",
        /// A test.
        Tests = 5 "tests",
        /// Documentation.
        Docs = 6 "docs",
        /// Not kept by version control, and neither a secret nor a database.
        Ignored = 7 "ignored",
        /// A hook of git that is there.
        Hook = 8 "hook",
        /// What the user wants away, by its name, in the message that began the turn.
        Named = 9 "named",
        /// What the user wants written, or something put there, by its path in the message that began the turn.
        Mentioned = 10 "mentioned",
        /// What the user said to leave as it is, until he asks for a change of it, and what lies beside the files that he
        /// wants changed alone.
        LeftAlone = 11 "left_alone",
        /// What the user said not to delete, to move or to rename.
        Kept = 12 "kept",
        /// Nothing is there yet.
        New = 13 "new",
    }

    /// What happens to a file for it to be added to a set.
    PathUse: u32 {
        /// It is read, by a call that succeeds.
        Read = 0 "read",
        /// It is written, by a call that succeeds.
        Written = 1 "written",
        /// It is written where nothing was, by a call that is made.
        Made = 2 "made",
        /// What was there before is moved to it, by a call that is made.
        Moved = 3 "moved",
    }

    /// Which text a scan reads.
    ScanSource: u32 {
        /// A parameter.
        Param = 0 "param",
        /// The agent's text.
        Text = 1 "text",
        /// The call's target.
        Target = 2 "target",
        /// The text of the tool's result.
        Result = 3 "result",
        /// The names of the programs that a command line runs.
        Programs = 4 "programs",
        /// The arguments of a call, for the policy: its literals bring in alternatives.
        Arguments = 5 "arguments",
    }

    /// The kinds of numbers that a [`Slot`] names.
    SlotKind: u32 {
        /// A counter.
        Counter = 0 "counter",
        /// A flag: 0 or 1.
        Flag = 1 "flag",
        /// The size of a set.
        SetCount = 2 "set_count",
        /// How often the same tool ran in a row, as the condition counts.
        Consecutive = 3 "consecutive_same_tool",
        /// Calls of this turn that have ended.
        TurnCalls = 4 "tool_calls_this_turn",
    }
}

/// Names a number of the session's state: a [`SlotKind`] and an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Slot(pub u32);

impl Slot {
    const INDEX_BITS: u32 = 28;

    /// The number of this kind at `index`.
    #[must_use]
    pub fn new(kind: SlotKind, index: u32) -> Self {
        Slot((kind as u32) << Self::INDEX_BITS | index)
    }

    /// Its kind.
    #[must_use]
    pub fn kind(self) -> Option<SlotKind> {
        SlotKind::from_number(self.0 >> Self::INDEX_BITS)
    }

    /// Its index among those of its kind.
    #[must_use]
    pub fn index(self) -> u32 {
        self.0 & ((1 << Self::INDEX_BITS) - 1)
    }
}

impl From<PermissionAction> for Verdict {
    /// What a policy says, as a verdict: what is to run dry first is asked about.
    fn from(action: PermissionAction) -> Self {
        match action {
            PermissionAction::Allow | PermissionAction::None => Verdict::Allow,
            PermissionAction::DryRunFirst | PermissionAction::Ask => Verdict::Ask,
            PermissionAction::Deny => Verdict::Deny,
        }
    }
}

impl Verdict {
    /// The one with this number, as images hold it.
    #[must_use]
    pub fn from_word(number: u32) -> Option<Self> {
        u8::try_from(number).ok().and_then(Self::from_number)
    }
}

impl Action {
    /// How severe a finding of this action is: `error`, `warning` or `info`.
    #[must_use]
    pub fn severity(self) -> &'static str {
        match self {
            Action::Block => "error",
            Action::Ask | Action::Warn => "warning",
            Action::Remind => "info",
        }
    }
}

impl PathUse {
    /// All bits that stand for one.
    pub const BITS: u32 = (1 << Self::ALL.len()) - 1;

    /// The bit that stands for it.
    #[must_use]
    pub fn bit(self) -> u32 {
        1 << self as u32
    }

    /// Whether its bit is among others.
    #[must_use]
    pub fn is_in(self, bits: u32) -> bool {
        bits & self.bit() != 0
    }

    /// Whether it is known when a call is made, before it ends.
    #[must_use]
    pub fn is_at_call(self) -> bool {
        matches!(self, Self::Made | Self::Moved)
    }
}

impl PathKind {
    /// All bits that stand for one.
    pub const BITS: u16 = (1 << Self::ALL.len()) - 1;

    /// The bit that stands for it.
    #[must_use]
    pub fn bit(self) -> u16 {
        1 << self as u32
    }

    /// Whether its bit is among others.
    #[must_use]
    pub fn is_in(self, bits: u16) -> bool {
        bits & self.bit() != 0
    }
}
