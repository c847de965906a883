//! The table of operations: every test that a condition can compile to, declared once. From its rows
//! come the opcodes, what the evaluator must answer, the verification of operands and their printing
//! here; and in the compiler the typed test, its code, its guard, its mapping form and its expression
//! form. A row may name nothing but plain words and the kinds of [`operand`](crate::operand).
//!
//! A row reads like the signature of a function:
//!
//! ```text
//! /// What people are told: Markdown, the first line a summary.
//! Name = number: key(operand: Kind, …) -> two_valued {
//!     phases: …,      // where it can hold: ANY, CALL, RESULT or TEXT
//!     argument: …,    // the mapping form: `operands` follows from the operands, `paths` is read as
//!                     // paths are, `branches` as branches are, `own` by the compiler's file of
//!                     // that name
//!     guard: …,       // what lets the evaluator pass a rule by, a function of the compiler
//!     session: …,     // whether what happened before makes a difference: a case of `SessionUse`
//!     forms: […],     // templates of expressions, the one that is printed first
//!     example: …,     // as a mapping
//!     expression: …,  // the same as an expression
//! }
//! ```
//!
//! A condition without operands is a switch, one with one operand is given its value, others are
//! given a mapping. `three_valued` tests may answer that nothing tells. `also` names a condition of
//! the compiler's that is documented behind the row and compiles to the same operation.

use crate::error::{ImageError, damaged};
use crate::format::{Instruction, Section};
use crate::image::View;
use crate::numbered::numbered;
use crate::operand::*;
use crate::verifier::Verifier;

/// Whether what happened before in a session makes a difference to a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SessionUse {
    /// It looks at the event alone, and at the machine.
    Never,
    /// It looks at what the session keeps.
    Always,
    /// It does where its paths are those of files that a session knows.
    ByPaths,
    /// It does where files that its commands may write are.
    BySpares,
}

/// Calls a macro with all rows of the table of operations, in the order in which conditions are
/// documented.
#[macro_export]
macro_rules! operations {
    ($callback:ident) => {
        $callback! {
            /// The target of the call is not in the set.
            ///
            /// The target is the parameter that the set names, else the first of `file_path`,
            /// `path`, `filepath`, `url`, `query`, `pattern` and `target` that is there. A call
            /// without a target makes the condition false.
            TargetNotInSet = 8: target_not_in_set(set: Set) -> two_valued {
                phases: CALL,
                argument: operands,
                guard: none,
                session: Always,
                forms: ["target not in {set}"],
                example: "target_not_in_set: read_files",
                expression: "target not in read_files",
            }

            /// The target of the call is in the set.
            ///
            /// The target is the parameter that the set names, else the first of `file_path`,
            /// `path`, `filepath`, `url`, `query`, `pattern` and `target` that is there. A call
            /// without a target makes the condition false.
            TargetInSet = 7: target_in_set(set: Set) -> two_valued {
                phases: CALL,
                argument: operands,
                guard: set_is_not_empty,
                session: Always,
                forms: ["target in {set}"],
                example: "target_in_set: read_files",
                expression: "target in read_files",
            }

            /// The counter has come to the value.
            ///
            /// A counter that has not ticked is 0.
            CounterAtLeast = 9: counter_gte(
                /// The counter.
                name: Counter,
                /// The least value that it must have.
                value: Integer = "0",
            ) -> two_valued {
                phases: ANY,
                argument: operands,
                guard: counter_at_least,
                session: Always,
                forms: ["counter({name}) {value:at_least}"],
                example: "counter_gte: { name: changes_since_test, value: 3 }",
                expression: "counter(changes_since_test) >= 3",
            }

            /// The flag has the value.
            ///
            /// A flag that was never set is false.
            FlagIs = 10: flag_is(
                /// The flag.
                name: Flag,
                /// The value that it must have.
                value: Bool = "true",
            ) -> two_valued {
                phases: ANY,
                argument: operands,
                guard: flag_is,
                session: Always,
                forms: ["flag({name}) {value:is}"],
                example: "flag_is: { name: backup_created, value: true }",
                expression: "flag(backup_created)",
            }

            /// The parameter of the call matches the pattern.
            ///
            /// A case-insensitive search anywhere in the value.
            ///
            /// A call without the parameter makes the condition false. A value that is no string is
            /// looked at as compact JSON; of a list, one element must do.
            ParamMatches = 11: param_matches(
                /// The parameter.
                param: Param,
                /// The regular expression.
                pattern: Pattern,
            ) -> two_valued {
                phases: CALL,
                argument: operands,
                guard: param_matches,
                session: Never,
                forms: ["param({param}) matches {pattern}"],
                example: "param_matches: { param: query, pattern: \"UPDATE|DELETE\" }",
                expression: "param(query) matches \"UPDATE|DELETE\"",
                also: param_contains,
            }

            /// The agent has written no text in this turn so far.
            ///
            /// Text that is blank does not count.
            NoTextBeforeTools = 14: no_text_before_tools -> three_valued {
                phases: ANY,
                argument: operands,
                guard: none,
                session: Always,
                forms: ["no text before tools"],
                example: "no_text_before_tools: true",
                expression: "no text before tools",
            }

            /// No call of this turn has ended yet.
            FirstToolThisTurn = 15: first_tool_this_turn -> two_valued {
                phases: ANY,
                argument: operands,
                guard: none,
                session: Always,
                forms: ["first tool this turn"],
                example: "first_tool_this_turn: true",
                expression: "first tool this turn",
            }

            /// The same tool runs for at least the N-th time in a row.
            ///
            /// Before a tool runs, the call that is about to run counts. Spellings of one tool are
            /// one tool.
            ConsecutiveAtLeast = 16: consecutive_gte(count: Count) -> two_valued {
                phases: ANY,
                argument: operands,
                guard: consecutive_at_least,
                session: Always,
                forms: ["consecutive {count:at_least}"],
                example: "consecutive_gte: 5",
                expression: "consecutive >= 5",
            }

            /// Exactly N calls of this turn have ended.
            TurnCallsEqual = 17: tool_calls_this_turn_eq(count: Count) -> two_valued {
                phases: ANY,
                argument: operands,
                guard: turn_calls_at_least,
                session: Always,
                forms: ["tool_calls_this_turn {count:equal}"],
                example: "tool_calls_this_turn_eq: 8",
                expression: "tool_calls_this_turn == 8",
            }

            /// The target of the call exists.
            ///
            /// A simulation knows only what the trace tells of files; where nothing tells, the rule
            /// is undecided.
            TargetExists = 18: target_exists_on_disk -> three_valued {
                phases: CALL,
                argument: operands,
                guard: none,
                session: Never,
                forms: ["target exists", "exists(target)"],
                example: "target_exists_on_disk: true",
                expression: "exists(target)",
            }

            /// The agent's text matches the pattern.
            ///
            /// A case-insensitive search anywhere in the text.
            TextMatches = 19: text_matches(pattern: Pattern) -> two_valued {
                phases: TEXT,
                argument: operands,
                guard: text_matches,
                session: Never,
                forms: ["text matches {pattern}"],
                example: "text_matches: \"not sure|uncertain\"",
                expression: "text matches \"not sure|uncertain\"",
            }

            /// The agent's text points at files that are not there, or at lines behind their ends.
            ///
            /// Looked at are paths with a directory or a line number, and an extension that files of
            /// code, documents or settings have: `src/parser.rs`, `parser.rs:120`, `parser.rs#L120`.
            /// One is without ground if no file of the working directory or its repository ends in
            /// that path, and neither the user nor the result of a successful call named it; or if
            /// the file has fewer lines. What stands in fenced blocks, in addresses, in hidden
            /// directories, or in a sentence about what is to be made, was removed or is missing, is
            /// passed over.
            ///
            /// A simulation knows only what the trace tells of files; where nothing tells, the rule
            /// is undecided.
            UngroundedClaims = 40: ungrounded_claims -> three_valued {
                phases: TEXT,
                argument: operands,
                guard: none,
                session: Always,
                forms: ["ungrounded claims"],
                example: "ungrounded_claims: true",
                expression: "ungrounded claims",
            }

            /// The result of the call reports a lint error.
            ///
            /// That is an item with `severity: error` in the list `lint` of the result, or in
            /// `data.lint`.
            ResultHasLintErrors = 20: result_has_lint_errors -> two_valued {
                phases: RESULT,
                argument: operands,
                guard: none,
                session: Never,
                forms: ["result has lint errors"],
                example: "result_has_lint_errors: true",
                expression: "result has lint errors",
            }

            /// The target of the call matches the path pattern.
            ///
            /// `*` stays within a directory, `**` does not, and case counts. A pattern may start at
            /// any directory of the path: `*.md` and `docs/*.md` hold wherever they are. One with
            /// `./` in front starts at the working directory, one with `/` at the root.
            TargetMatches = 21: target_matches(glob: Glob) -> two_valued {
                phases: CALL,
                argument: operands,
                guard: target_matches,
                session: Never,
                forms: ["target matches {glob}"],
                example: "target_matches: \"migrations/**\"",
                expression: "target matches \"migrations/**\"",
            }

            /// The parameter of the call is one of the values.
            ///
            /// Case counts.
            ///
            /// A call without the parameter makes the condition false. A value that is no string is
            /// looked at as compact JSON; of a list, one element must do.
            ParamIn = 12: param_in(
                /// The parameter.
                param: Param,
                /// The values.
                values: Texts,
            ) -> two_valued {
                phases: CALL,
                argument: operands,
                guard: param_in,
                session: Never,
                forms: ["param({param}) [not] in {values}"],
                example: "param_in: { param: table, values: [users, orders] }",
                expression: "param(table) in [\"users\", \"orders\"]",
            }

            /// The parameter of the call compares to the value.
            ///
            /// `==` and `!=` take any value; orderings hold between numbers only. A call without
            /// the parameter makes the condition false.
            ParamCompare = 13: param_compare(
                /// The parameter.
                param: Param,
                /// The comparison.
                op: Comparison,
                /// The value: a string, a number, `true` or `false`.
                value: JsonScalar,
            ) -> two_valued {
                phases: CALL,
                argument: operands,
                guard: param_compares,
                session: Never,
                forms: ["param({param}) {op} {value}"],
                example: "param_compare: { param: amount, op: \">\", value: 500 }",
                expression: "param(amount) > 500",
            }

            /// The result of the call matches the pattern.
            ///
            /// A result that is not a string is looked at as compact JSON.
            ResultMatches = 22: result_matches(pattern: Pattern) -> two_valued {
                phases: RESULT,
                argument: operands,
                guard: result_matches,
                session: Never,
                forms: ["result matches {pattern}"],
                example: "result_matches: \"warning:\"",
                expression: "result matches \"warning:\"",
            }

            /// The tool failed.
            ResultFailed = 23: result_failed -> two_valued {
                phases: RESULT,
                argument: operands,
                guard: none,
                session: Never,
                forms: ["result failed"],
                example: "result_failed: true",
                expression: "result failed",
            }

            /// There is a private key, a token or a password in the event.
            ///
            /// The value is never shown or stored. `true` looks at everything that the event has.
            ContainsSecret = 24: contains_secret(place: SecretPlace) -> two_valued {
                phases: ANY,
                argument: own,
                guard: none,
                session: Never,
                forms: ["contains secret", "secret in {place}", "secret in param({param})"],
                example: "contains_secret: params",
                expression: "secret in params",
            }

            /// The file has changed since it entered the set.
            ///
            /// The set must keep fingerprints (`fingerprint: true`). A file that is not in the set,
            /// or is gone, has not changed.
            TargetChangedSince = 25: target_changed_since(set: Set) -> three_valued {
                phases: CALL,
                argument: operands,
                guard: set_is_not_empty,
                session: Always,
                forms: ["target changed since {set}"],
                example: "target_changed_since: read_files",
                expression: "target changed since read_files",
            }

            /// The command line runs a command that looks like this.
            ///
            /// The line is read as a shell reads it: every command in it counts, also behind
            /// `sudo`, in `bash -c`, in a loop or a substitution, and words that are only data do
            /// not. A text is a command pattern: `git push --force` is any forced push, whatever
            /// else stands there. `opaque` is a command of which nobody can know what it runs.
            /// Where a word that is not known would decide, the condition is undecided.
            Runs = 26: runs(param: Param, shapes: Shapes) -> three_valued {
                phases: CALL,
                argument: own,
                guard: runs,
                session: BySpares,
                forms: ["runs {command}", "runs({command})"],
                example: "runs: \"git push --force\"",
                expression: "runs \"git push --force\"",
            }

            /// The call reads a file whose path matches.
            ///
            /// Paths are path patterns, one or several, `{ is: KIND }`, or `{ in: SET }` for files that are in a set
            /// of the session, or lie in a directory that is. File tools, tools of MCP servers
            /// that have a path, and every command of a shell line count alike: operands by the table of
            /// programs, redirections, `cd`, `sed -i`. A file in a directory that is deleted as a whole counts
            /// too. Where an operand is not known, the condition is undecided unless another file decides.
            Reads = 27: reads(paths: Paths) -> three_valued {
                phases: CALL,
                argument: paths,
                guard: none,
                session: ByPaths,
                forms: ["reads {path}", "reads is {is}", "reads in {in}"],
                example: "reads: \"**/.env\"",
                expression: "reads \"**/.env\"",
            }

            /// The call writes a file whose path matches.
            ///
            /// Changing what is known of a file, such as its mode, is writing. Paths are as for `reads`.
            Writes = 28: writes(paths: Paths) -> three_valued {
                phases: CALL,
                argument: paths,
                guard: none,
                session: ByPaths,
                forms: ["writes {path}", "writes is {is}", "writes in {in}"],
                example: "writes: \"migrations/**\"",
                expression: "writes \"migrations/**\"",
            }

            /// The call deletes a file whose path matches, or moves it away.
            ///
            /// Paths are as for `reads`.
            Deletes = 29: deletes(paths: Paths) -> three_valued {
                phases: CALL,
                argument: paths,
                guard: none,
                session: ByPaths,
                forms: ["deletes {path}", "deletes is {is}", "deletes in {in}"],
                example: "deletes: \"migrations/**\"",
                expression: "deletes \"migrations/**\"",
            }

            /// The call reads, writes or deletes a file whose path matches.
            ///
            /// Paths are as for `reads`. A file tool that is not known for what it does touches its target.
            Touches = 30: touches(paths: Paths) -> three_valued {
                phases: CALL,
                argument: paths,
                guard: none,
                session: ByPaths,
                forms: ["touches {path}", "touches is {is}", "touches in {in}"],
                example: "touches: \"secrets/**\"",
                expression: "touches \"secrets/**\"",
            }

            /// The call writes files, and the path of each matches.
            ///
            /// Paths are as for `reads`. With a file that is not known it does not hold: an exemption is never guessed.
            WritesOnly = 31: writes_only(paths: Paths) -> three_valued {
                phases: CALL,
                argument: paths,
                guard: none,
                session: ByPaths,
                forms: ["writes only {path}", "writes only is {is}", "writes only in {in}"],
                example: "writes_only: \"docs/**\"",
                expression: "writes only \"docs/**\"",
            }

            /// The call deletes files, and the path of each matches.
            ///
            /// Paths are as for `reads`. With a file that is not known it does not hold: an exemption is never guessed.
            DeletesOnly = 32: deletes_only(paths: Paths) -> three_valued {
                phases: CALL,
                argument: paths,
                guard: none,
                session: ByPaths,
                forms: ["deletes only {path}", "deletes only is {is}", "deletes only in {in}"],
                example: "deletes_only: { is: scratch }",
                expression: "deletes only is scratch",
            }

            /// The call writes or deletes files, or reads some, and the path of each matches.
            ///
            /// Paths are as for `reads`. With a file that is not known it does not hold: an exemption is never guessed.
            TouchesOnly = 33: touches_only(paths: Paths) -> three_valued {
                phases: CALL,
                argument: paths,
                guard: none,
                session: ByPaths,
                forms: ["touches only {path}", "touches only is {is}", "touches only in {in}"],
                example: "touches_only: { is: scratch }",
                expression: "touches only is scratch",
            }

            /// The target of the call is a file of one of the kinds.
            ///
            /// `scratch`: in a temporary directory, and not in the repository. `generated`: made by a build.
            /// `outside`: outside of the repository. `secret`: a key, credentials. `config`: of these rules, of
            /// the agents' hooks and settings, and of what is kept for them. `tests`, `docs`. `ignored`: not kept by
            /// version control, and neither secret nor a database. `hook`: a hook of git that is there.
            TargetIs = 34: target_is(paths: Paths) -> three_valued {
                phases: CALL,
                argument: own,
                guard: none,
                session: ByPaths,
                forms: ["target is {kind}"],
                example: "target_is: secret",
                expression: "target is secret",
            }

            /// The branch that is checked out in the repository has one of the names.
            ///
            /// A name is a glob, `default` for the repository's default branch (`main` or `master` where the
            /// repository does not tell), or `protected` for those that the config lists in `protected_branches`.
            /// Outside of a repository, and where nobody tells, it is undecided.
            BranchIs = 35: branch(branches: Branches) -> three_valued {
                phases: ANY,
                argument: branches,
                guard: none,
                session: Never,
                forms: ["branch {name}", "branch in {names}"],
                example: "branch: main",
                expression: "branch \"main\"",
            }

            /// Another agent gave this one its task.
            IsSubagent = 38: is_subagent -> two_valued {
                phases: ANY,
                argument: operands,
                guard: none,
                session: Always,
                forms: ["is subagent"],
                example: "is_subagent: true",
                expression: "is subagent",
            }

            /// The repository's default branch is checked out.
            ///
            /// It is the one that the repository calls so, or `main` or `master` where it does not tell. Outside of a
            /// repository, and where nobody tells, it is undecided.
            OnDefaultBranch = 39: on_default_branch -> three_valued {
                phases: ANY,
                argument: operands,
                guard: none,
                session: Never,
                forms: ["on default branch"],
                example: "on_default_branch: true",
                expression: "on default branch",
            }

            /// A command line pushes to a branch with one of the names, with `git push`.
            ///
            /// Names are as for `branch`. The branch is the one that the command names; where it names none, the one
            /// that is checked out. A push of everything, and one of which nobody knows where it goes, may be to any.
            ///
            /// A push to a folder of this machine that does not last, or lies in the session's own repository, publishes
            /// nothing and is none.
            PushesTo = 36: pushes_to(branches: Branches) -> three_valued {
                phases: CALL,
                argument: branches,
                guard: none,
                session: Never,
                forms: ["pushes to {name}", "pushes to one of {names}"],
                example: "pushes_to: \"release/*\"",
                expression: "pushes to \"release/*\"",
            }

            /// The user asked for it: a sentence of the user's message that began this turn matches.
            ///
            /// Either a pattern, or a request: `{ to: push }` holds where the user asked for a push in any of the ways in
            /// which one does ("push it", "do a push", "it should be pushed"), and not where a word only sounds so ("add
            /// a push notification"); `what` says what it has to be done to.
            ///
            /// Sentences that are negated, ask about it, are quoted or stand in code do not count. An assent such as
            /// "yes, go ahead" counts if the last question that the agent asked matches. What a parent agent writes
            /// is no user's word.
            UserAsked = 37: user_asked(pattern: Pattern) -> two_valued {
                phases: ANY,
                argument: own,
                guard: none,
                session: Always,
                forms: ["user asked {pattern}", "user asked to {to}", "user asked to {to} one of {what}"],
                example: "user_asked: { to: [push, release] }",
                expression: "user asked to [\"push\", \"release\"]",
            }
        }
    };
}

/// The type of what a test answers: a `two_valued` one cannot say that nothing tells.
macro_rules! answer {
    (two_valued, $truth:ty) => {
        bool
    };
    (three_valued, $truth:ty) => {
        $truth
    };
}

macro_rules! is_three_valued {
    (two_valued) => {
        false
    };
    (three_valued) => {
        true
    };
}

/// What a test answers, as a truth value.
macro_rules! truth {
    (two_valued, $truth:ty, $answer:expr) => {
        <$truth>::from($answer)
    };
    (three_valued, $truth:ty, $answer:expr) => {
        $answer
    };
}

macro_rules! declare_operations {
    ($(
        $(#[doc = $docs:literal])+
        $name:ident = $number:literal: $key:ident $(($(
            $(#[doc = $operand_docs:literal])*
            $operand:ident: $kind:ident $(= $default:literal)?
        ),+ $(,)?))? -> $logic:ident {
            phases: $phases:ident,
            argument: $argument:ident,
            guard: $guard:ident,
            session: $session:ident,
            $($columns:tt)*
        }
    )*) => {
        numbered! {
            /// What an instruction does. Tests set the accumulator to true, false or unknown.
            Op: u8 {
                /// Sets the accumulator to `a`: 0 false, 1 true.
                Constant = 0 "constant",
                /// Negates the accumulator; unknown stays.
                Not = 1 "not",
                /// Pushes the accumulator.
                Push = 2 "push",
                /// Pops a value; the accumulator becomes the conjunction of both.
                And = 3 "and",
                /// Pops a value; the accumulator becomes the disjunction of both.
                Or = 4 "or",
                /// Jumps `c` instructions forward, beyond the next, if the accumulator is false.
                JumpIfFalse = 5 "jump_if_false",
                /// Jumps `c` instructions forward, beyond the next, if the accumulator is true.
                JumpIfTrue = 6 "jump_if_true",
                $($(#[doc = $docs])+ $name = $number stringify!($key),)*
            }
        }

        /// Answers every test of the table, each by a method of its name.
        pub trait Evaluate {
            /// A truth value, which may be that nothing tells.
            type Truth: From<bool>;
            $(
                $(#[doc = $docs])+
                fn $key(&mut self $($(, $operand: $kind)+)?) -> answer!($logic, Self::Truth);
            )*
        }

        impl Op {
            /// The tests that conditions compile to.
            pub const TESTS: &[Op] = &[$(Op::$name),*];

            /// Whether it is a test that may answer that nothing tells.
            #[must_use]
            pub fn can_be_unknown(self) -> bool {
                match self {
                    $(Op::$name => is_three_valued!($logic),)*
                    Op::Constant | Op::Not | Op::Push | Op::And | Op::Or => false,
                    Op::JumpIfFalse | Op::JumpIfTrue => false,
                }
            }

            /// Whether what happened before in a session makes a difference to it.
            pub(crate) fn session_use(self) -> SessionUse {
                match self {
                    $(Op::$name => SessionUse::$session,)*
                    Op::Constant | Op::Not | Op::Push | Op::And | Op::Or => SessionUse::Never,
                    Op::JumpIfFalse | Op::JumpIfTrue => SessionUse::Never,
                }
            }

            /// Has a test answered with its operands; `None` for what is no test, or for operands
            /// that the verifier does not admit.
            #[inline(always)]
            pub fn evaluate<E: Evaluate>(
                self,
                instruction: &Instruction,
                evaluator: &mut E,
            ) -> Option<E::Truth> {
                Some(match self {
                    Op::Constant => E::Truth::from(instruction.a != 0),
                    $(Op::$name => truth!(
                        $logic,
                        E::Truth,
                        evaluator.$key($($($kind::read(instruction)?),+)?)
                    ),)*
                    Op::Not | Op::Push | Op::And | Op::Or | Op::JumpIfFalse | Op::JumpIfTrue => {
                        return None;
                    }
                })
            }

            /// Holds the operands of a test against the tables that they point into. Those of jumps
            /// are not looked at.
            pub(crate) fn verify(
                self,
                instruction: &Instruction,
                verifier: &Verifier<'_>,
            ) -> Result<(), ImageError> {
                match self {
                    $(Op::$name => {
                        $($(verify::<$kind>(instruction, verifier)?;)+)?
                        Ok(())
                    })*
                    Op::Constant | Op::Not | Op::Push | Op::And | Op::Or => Ok(()),
                    Op::JumpIfFalse | Op::JumpIfTrue => Ok(()),
                }
            }

            /// The operands of the instruction at `pc`, for people, each behind a blank.
            pub(crate) fn print(
                self,
                instruction: &Instruction,
                pc: usize,
                view: View<'_>,
            ) -> String {
                let mut text = String::new();
                match self {
                    Op::Constant => text.push_str(&format!(" {}", instruction.a != 0)),
                    Op::JumpIfFalse | Op::JumpIfTrue => {
                        text.push_str(&format!(" -> {}", pc + 1 + instruction.c as usize));
                    }
                    $(Op::$name => {
                        $($(print::<$kind>(instruction, view, &mut text);)+)?
                    })*
                    Op::Not | Op::Push | Op::And | Op::Or => {}
                }
                text
            }
        }
    };
}

operations!(declare_operations);

fn verify<O: Operand>(
    instruction: &Instruction,
    verifier: &Verifier<'_>,
) -> Result<(), ImageError> {
    let operand = O::read(instruction);
    operand.ok_or(damaged(Section::Code, "an operand is unknown"))?.verify(verifier)
}

fn print<O: Operand>(instruction: &Instruction, view: View<'_>, out: &mut String) {
    let text = O::read(instruction).map(|operand| operand.print(view));
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        out.push(' ');
        out.push_str(&text);
    }
}
