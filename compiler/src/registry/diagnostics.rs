//! Every kind of diagnostic: its stable name, its level, its documentation, and a short rule file that
//! gets it. Reports nothing itself.

use crate::diagnostic::{DiagnosticKind, Example, Severity};

// The examples are doc comments too: so they stand as they are written, quotes and blanks and all.
macro_rules! diagnostics {
    ($(
        $(#[doc = $docs:literal])+
        $constant:ident = $name:literal, $severity:ident
        $(, in $file:literal $(with $options:literal)? { $(#[doc = $wrong:literal])+ }
            $(instead { $(#[doc = $right:literal])+ })?)*;
    )*) => {
        $(
            $(#[doc = $docs])+
            pub static $constant: DiagnosticKind = DiagnosticKind {
                name: $name,
                severity: Severity::$severity,
                docs: concat!($($docs, "\n"),+),
                examples: &[$(Example {
                    file: $file,
                    options: concat!($($options)?),
                    wrong: concat!($($wrong, "\n"),+),
                    right: concat!($($($right, "\n"),+)?),
                }),*],
            };
        )*

        /// All of them, in the order declared.
        pub static ALL: &[&DiagnosticKind] = &[$(&$constant),*];
    };
}

diagnostics! {
    /// A file that is not valid YAML, TOML or JSON.
    ///
    /// The message says what the parser met. The rest of the file is still read, so that all
    /// problems show in one run.
    SYNTAX = "syntax", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: ask_first
        ///     trigger: deploy
        ///     message: "Ask the user first.
    } instead {
        /// rule_definitions:
        ///   - id: ask_first
        ///     trigger: deploy
        ///     message: "Ask the user first."
    };

    /// A file that is not valid UTF-8, or holds a character that the format forbids.
    ///
    /// Rule files are UTF-8. Save the file in that encoding.
    ENCODING = "encoding", Error;

    /// A key that stands twice in one mapping.
    ///
    /// Only one of the two values could be meant. Delete or rename one of them.
    DUPLICATE_KEY = "duplicate-key", Error, in "behavior.yaml" {
        /// profile: dev
        /// profile: coding
    } instead {
        /// profile: coding
    };

    /// A YAML tag such as `!include`.
    ///
    /// Tags can make a loader build arbitrary values, so rule files do not have them. Write the
    /// value plainly.
    YAML_TAG = "yaml-tag", Error, in "behavior.yaml" {
        /// profile: !!str dev
    } instead {
        /// profile: dev
    };

    /// An alias that names no anchor above it, or one that contains itself.
    UNKNOWN_ALIAS = "unknown-alias", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: read_first
        ///     trigger: *writers
        ///     message: Read the file first.
    } instead {
        /// rule_definitions:
        ///   - id: read_first
        ///     trigger: &writers [edit, write]
        ///     message: Read the file first.
    };

    /// A file that is too large, too deeply nested, or grows too much through aliases.
    ///
    /// A rule file, whatever its format, may have 16 MiB, and its collections nest 128 levels deep, those behind aliases
    /// and dotted keys counted. Split it: configs, profiles and policies compose.
    TOO_LARGE = "too-large", Error, in "behavior.yaml" {
        /// brain:
        ///   provider: ollama
        ///   model: small
        ///   config:
        ///     a: &a [x, x, x, x, x, x, x, x, x, x]
        ///     b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
        ///     c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
        ///     d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
    };

    /// A pattern that is not a valid regular expression.
    INVALID_PATTERN = "invalid-pattern", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: local_only
        ///     trigger: bash
        ///     condition: param(command) matches "(curl|wget http"
        ///     message: Work with what is here.
    } instead {
        /// rule_definitions:
        ///   - id: local_only
        ///     trigger: bash
        ///     condition: param(command) matches "(curl|wget) http"
        ///     message: Work with what is here.
    };

    /// Two fields of which only one can hold.
    CONFLICTING_FIELDS = "conflicting-fields", Error, in "behavior/policy.toml" {
        /// [[rules]]
        /// name = "secrets"
        /// action = "deny"
        /// pattern = "edit"
        /// arg_pattern = "*.env"
        /// reason = "secrets are changed by hand"
    } instead {
        /// [[rules]]
        /// name = "secrets"
        /// action = "deny"
        /// tool_pattern = "edit"
        /// arg_pattern = "*.env"
        /// reason = "secrets are changed by hand"
    };

    /// A command pattern that is not well formed.
    ///
    /// A command pattern is a command with globs in its words: `git push --force *`.
    INVALID_COMMAND_PATTERN = "invalid-command-pattern", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: downloads
        ///     trigger: bash
        ///     condition: { runs: "curl * | sh" }
        ///     message: Read a script before you run it.
    } instead {
        /// rule_definitions:
        ///   - id: downloads
        ///     trigger: bash
        ///     condition: { runs: "curl *" }
        ///     message: Read a script before you run it.
    };

    /// A pattern of a policy that is not well formed.
    ///
    /// A pattern is a tool's name (`edit`, `read_*`), a command (`git push *` or
    /// `bash(git push *)`), a tool of an MCP server (`mcp(server/tool)`), or several of them with
    /// `|` between them.
    INVALID_POLICY_PATTERN = "invalid-policy-pattern", Error, in "behavior/policy.toml" {
        /// [[rules]]
        /// name = "changes"
        /// action = "ask_user"
        /// pattern = "edit|"
        /// reason = "somebody else is at work here"
    } instead {
        /// [[rules]]
        /// name = "changes"
        /// action = "ask_user"
        /// pattern = "edit|write"
        /// reason = "somebody else is at work here"
    };

    /// A command pattern that reads otherwise than it looks.
    ///
    /// - `git push:*` is how Claude Code writes `git push *`. Here it is a word that begins with
    ///   `push:`. Where such names are meant, write `npm run test[:]*`.
    /// - `rm` as the pattern of a policy names a tool. `bash(rm *)` is the command. For a tool that
    ///   is called so, write `tool_pattern`.
    /// - `git {push,pull}` has no alternatives: a policy has `|` between patterns, `runs` has `any`.
    /// - `A=1 rm *` begins with no program. What is set for a command does not count.
    /// - `Opaque` is a program; what nobody can know is `opaque`.
    /// - `program: /bin/rm` and `program: git push` are no names of programs.
    /// - `git push .*` is no regular expression: `.*` is a word that begins with a dot; nor is `git push.*`.
    /// - `/push/i` looks for the slashes, too. Regular expressions stand without them, and ignore case.
    MISREAD_PATTERN = "misread-pattern", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: pushes
        ///     trigger: bash
        ///     condition: { runs: "git push:*" }
        ///     message: Ask before you push.
    } instead {
        /// rule_definitions:
        ///   - id: pushes
        ///     trigger: bash
        ///     condition: { runs: "git push *" }
        ///     message: Ask before you push.
    };

    /// A path pattern that reads otherwise than it looks.
    ///
    /// - `$HOME/**` begins with a folder of that name: patterns know no variables. The home is `~/`.
    /// - `src/*.rs, lib/*.rs` is one name with a comma in it. Several patterns are a list.
    MISREAD_PATH = "misread-path", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: keys
        ///     trigger: "*"
        ///     when: pre_tool
        ///     condition: { reads: "$HOME/.ssh/**" }
        ///     message: Ask before you read keys.
    } instead {
        /// rule_definitions:
        ///   - id: keys
        ///     trigger: "*"
        ///     when: pre_tool
        ///     condition: { reads: "~/.ssh/**" }
        ///     message: Ask before you read keys.
    };

    /// A mode below the last rule of a policy, which is in that rule.
    ///
    /// In TOML, everything that follows `[[rules]]` belongs to the table. What is for the whole policy stands above the
    /// first. A mode that is meant for the rule stands with its other fields, without a blank line before it.
    SLID_MODE = "slid-mode", Warning, in "behavior/policy.toml" {
        /// [[rules]]
        /// name = "reading"
        /// action = "allow"
        /// pattern = "read|grep|glob"
        ///
        /// approval_mode = "ask"
    } instead {
        /// approval_mode = "ask"
        ///
        /// [[rules]]
        /// name = "reading"
        /// action = "allow"
        /// pattern = "read|grep|glob"
    };

    /// A command where a tool is named.
    ///
    /// Agents run `pytest` by calling the tool `bash` with a command line. What is triggered by a tool called
    /// `pytest` never happens. `runs` looks at command lines.
    COMMAND_AS_TOOL = "command-as-tool", Warning, in "behavior.yaml" {
        /// profile: dev
        /// rule_definitions:
        ///   - { id: a, trigger: edit, condition: not flag(tested), message: m }
        /// state_tracking:
        ///   flags: { tested: { set_on: [pytest] } }
    } instead {
        /// profile: dev
        /// rule_definitions:
        ///   - { id: a, trigger: edit, condition: not flag(tested), message: m }
        /// state_tracking:
        ///   flags: { tested: { set_when: runs "pytest" } }
    };

    /// Several flags in one word, where each flag is looked for by itself.
    ///
    /// `flags: [-rf]` looks for one flag called `rf`, while `rm -rf` has the flags `-r` and `-f`.
    /// Write `flags: [-r, -f]`: they are found in any order and in one word too.
    BUNDLED_FLAGS = "bundled-flags", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: no_removals
        ///     trigger: bash
        ///     condition: { runs: { program: rm, flags: [-rf] } }
        ///     message: Name the files one by one.
    } instead {
        /// rule_definitions:
        ///   - id: no_removals
        ///     trigger: bash
        ///     condition: { runs: { program: rm, flags: [-r, -f] } }
        ///     message: Name the files one by one.
    };

    /// A program of which nothing is known that would make it run others, under `under`.
    ///
    /// What stands behind such a program is not taken for a command, so the condition never holds.
    /// Tell of the program under `programs`, or mend its name.
    UNKNOWN_PROGRAM = "unknown-program", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: no_mass_removals
        ///     trigger: bash
        ///     condition: { runs: { program: rm, under: xrgs } }
        ///     message: Name the files one by one.
    } instead {
        /// rule_definitions:
        ///   - id: no_mass_removals
        ///     trigger: bash
        ///     condition: { runs: { program: rm, under: xargs } }
        ///     message: Name the files one by one.
    };

    /// A parameter that the tools of a rule do not have, under a name near to one that they have.
    UNKNOWN_PARAMETER = "unknown-parameter", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: look_twice
        ///     trigger: bash
        ///     message: "Is `{param:comand}` what you want?"
    } instead {
        /// rule_definitions:
        ///   - id: look_twice
        ///     trigger: bash
        ///     message: "Is `{param:command}` what you want?"
    };

    /// A pattern that needs a backtracking engine: look-around, back-references and their like.
    ///
    /// Patterns run in linear time on text that an agent chooses, so what cannot be matched in
    /// linear time is refused. Often the same can be said with `all`, `any` and `not`.
    UNSUPPORTED_PATTERN = "unsupported-pattern", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: try_first
        ///     trigger: bash
        ///     condition: param(command) matches "git push(?! --dry-run)"
        ///     message: Try it with `--dry-run` first.
    } instead {
        /// rule_definitions:
        ///   - id: try_first
        ///     trigger: bash
        ///     condition:
        ///       all:
        ///         - param_matches: { param: command, pattern: "git push" }
        ///         - not: { param_matches: { param: command, pattern: "--dry-run" } }
        ///     message: Try it with `--dry-run` first.
    };

    /// A pattern that is too long, nests too deep, or grows too much when it is compiled.
    ///
    /// A counted repetition copies what it repeats: `(a{500}){500}` stands for 250,000 characters.
    /// Write `*` or `+` where the exact count does not matter.
    PATTERN_TOO_LARGE = "pattern-too-large", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: short_answers
        ///     when: on_text
        ///     condition: { text_matches: "([a-z]{500} ){500}" }
        ///     message: Be brief.
    } instead {
        /// rule_definitions:
        ///   - id: short_answers
        ///     when: on_text
        ///     condition: { text_matches: "([a-z]+ ){500}" }
        ///     message: Be brief.
    };

    /// A pattern that can match the empty text, and so matches every text.
    ///
    /// Often there is a `|` too many, or everything in the pattern is optional. Write `.*` where
    /// any text is meant.
    PATTERN_MATCHES_EVERYTHING = "pattern-matches-everything", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: no_promises
        ///     when: on_text
        ///     condition: { text_matches: "guarantee|promise|" }
        ///     message: Say what is known.
    } instead {
        /// rule_definitions:
        ///   - id: no_promises
        ///     when: on_text
        ///     condition: { text_matches: "guarantee|promise" }
        ///     message: Say what is known.
    };

    /// A pattern with `$` before, or `^` behind, something that must match.
    ///
    /// Without `(?m)` they are the end and the start of the whole text, so no text matches. Write
    /// `\\$` and `\\^` for the characters.
    PATTERN_NEVER_MATCHES = "pattern-never-matches", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: no_prices
        ///     when: on_text
        ///     condition: { text_matches: 'costs $\d+' }
        ///     message: Prices are told by the sales team.
    } instead {
        /// rule_definitions:
        ///   - id: no_prices
        ///     when: on_text
        ///     condition: { text_matches: 'costs \$\d+' }
        ///     message: Prices are told by the sales team.
    };

    /// `[:alpha:]` and its like in a pattern.
    ///
    /// Patterns read as in Python, where this is a set of the characters `:`, `a`, `l`, `p` and
    /// `h`. Write `a-z` within the brackets, or `\\d`, `\\s`, `\\w`.
    POSIX_CLASS_IN_PATTERN = "posix-class-in-pattern", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: no_tickets
        ///     when: on_text
        ///     condition: { text_matches: "TICKET-[[:digit:]]+" }
        ///     message: Name the title of the ticket as well.
    } instead {
        /// rule_definitions:
        ///   - id: no_tickets
        ///     when: on_text
        ///     condition: { text_matches: "TICKET-[0-9]+" }
        ///     message: Name the title of the ticket as well.
    };

    /// `&&` or `~~` between brackets.
    ///
    /// Other engines read it as an operation on sets. Patterns read as in Python, where it is the
    /// character, twice.
    SET_OPERATION_IN_PATTERN = "set-operation-in-pattern", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: names
        ///     trigger: write
        ///     condition: param(file_path) matches "[a-z&&[^x]]_test"
        ///     message: Tests have names of their own.
    } instead {
        /// rule_definitions:
        ///   - id: names
        ///     trigger: write
        ///     condition: param(file_path) matches "[a-wyz]_test"
        ///     message: Tests have names of their own.
    };

    /// An expression that does not parse.
    INVALID_EXPRESSION = "invalid-expression", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: read_first
        ///     trigger: edit
        ///     condition: exists(target) and
        ///     message: Read the file first.
    } instead {
        /// rule_definitions:
        ///   - id: read_first
        ///     trigger: edit
        ///     condition: exists(target) and target not in read_files
        ///     message: Read the file first.
    };

    /// A message template with a brace that opens no placeholder, or a placeholder without its end.
    ///
    /// Write `{{` and `}}` for literal braces.
    INVALID_TEMPLATE = "invalid-template", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: read_first
        ///     trigger: edit
        ///     message: "Read {path} first."
    } instead {
        /// rule_definitions:
        ///   - id: read_first
        ///     trigger: edit
        ///     message: "Read {target} first."
    };

    /// A key that a mapping does not have.
    ///
    /// Unknown fields are refused, since a rule with a misspelt field would quietly do something
    /// else than what it says.
    UNKNOWN_FIELD = "unknown-field", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: read_first
        ///     trigger: edit
        ///     mesage: Read the file first.
    } instead {
        /// rule_definitions:
        ///   - id: read_first
        ///     trigger: edit
        ///     message: Read the file first.
    };

    /// A field that must be there and is not.
    MISSING_FIELD = "missing-field", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: no_drops
        ///     trigger: query
        ///     condition: { param_matches: { param: query } }
        ///     message: Leave the tables where they are.
    } instead {
        /// rule_definitions:
        ///   - id: no_drops
        ///     trigger: query
        ///     condition: { param_matches: { param: query, pattern: "DROP TABLE" } }
        ///     message: Leave the tables where they are.
    };

    /// A value of another type than the field takes.
    WRONG_TYPE = "wrong-type", Error, in "behavior.yaml" {
        /// profile: dev
        /// rules:
        ///   read_before_edit: "no"
    } instead {
        /// profile: dev
        /// rules:
        ///   read_before_edit: false
    };

    /// A word that is none of those that the field takes.
    UNKNOWN_VALUE = "unknown-value", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: no_deploys
        ///     trigger: deploy
        ///     action: deny
        ///     message: Deploys are made by hand.
    } instead {
        /// rule_definitions:
        ///   - id: no_deploys
        ///     trigger: deploy
        ///     action: block
        ///     message: Deploys are made by hand.
    };

    /// A word in a spelling that is accepted and is not the usual one.
    OTHER_SPELLING = "other-spelling", Info, in "behavior/policy.toml" {
        /// approval_mode = "auto_edit"
    } instead {
        /// approval_mode = "autoEdit"
    };

    /// A number outside the range that the field takes.
    OUT_OF_RANGE = "out-of-range", Error, in "behavior.yaml" {
        /// profile: dev
        /// rules:
        ///   max_blind_reads: -2
    } instead {
        /// profile: dev
        /// rules:
        ///   max_blind_reads: 2
    };

    /// A condition that does not exist.
    ///
    /// An older program must not enforce what it does not understand: where unknown conditions are
    /// allowed, the whole rule never fires.
    UNKNOWN_CONDITION = "unknown-condition", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: no_drops
        ///     trigger: query
        ///     condition: { param_equals: { param: table, value: users } }
        ///     message: Leave that table alone.
    } instead {
        /// rule_definitions:
        ///   - id: no_drops
        ///     trigger: query
        ///     condition: { param_in: { param: table, values: [users] } }
        ///     message: Leave that table alone.
    };

    /// A condition with more than one key.
    ///
    /// A condition has one key. What must hold together stands in a list under `all`.
    SEVERAL_CONDITIONS = "several-conditions", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: say_first
        ///     condition:
        ///       first_tool_this_turn: true
        ///       no_text_before_tools: true
        ///     message: Say what you are about to do.
    } instead {
        /// rule_definitions:
        ///   - id: say_first
        ///     condition:
        ///       all:
        ///         - first_tool_this_turn: true
        ///         - no_text_before_tools: true
        ///     message: Say what you are about to do.
    };

    /// An empty condition inside another, or an empty `all` or `any`.
    ///
    /// An empty `all` always holds and an empty `any` never does, which is hardly what was meant.
    EMPTY_CONDITION = "empty-condition", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: look_twice
        ///     trigger: deploy
        ///     condition: { any: [] }
        ///     message: Is this the right server?
    } instead {
        /// rule_definitions:
        ///   - id: look_twice
        ///     trigger: deploy
        ///     message: Is this the right server?
    };

    /// A condition that cannot hold in the phase of its rule.
    ///
    /// There is a text only in `on_text` rules, a result only in `post_tool` rules, and a call only
    /// in the two others.
    CONDITION_NEVER_HOLDS = "condition-never-holds", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: find_out_why
        ///     trigger: bash
        ///     condition: result failed
        ///     message: Find out why before you try again.
    } instead {
        /// rule_definitions:
        ///   - id: find_out_why
        ///     trigger: bash
        ///     when: post_tool
        ///     condition: result failed
        ///     message: Find out why before you try again.
    };

    /// An `on_text` rule with a trigger other than `*`, or a trigger that names no tool.
    ///
    /// Text comes from no tool, so such a rule never fires, and neither does one for no tool.
    TRIGGER_NEVER_MATCHES = "trigger-never-matches", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: be_sure
        ///     when: on_text
        ///     trigger: edit
        ///     condition: text matches "not sure"
        ///     message: Find out.
    } instead {
        /// rule_definitions:
        ///   - id: be_sure
        ///     when: on_text
        ///     condition: text matches "not sure"
        ///     message: Find out.
    };

    /// A rule asks the user about what has already happened.
    ///
    /// Whether a call runs can be asked before it does. After that, and about what the agent writes, a rule
    /// warns or reminds.
    ASK_TOO_LATE = "ask-too-late", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: look_at_failures
        ///     when: post_tool
        ///     action: ask
        ///     condition: result_failed
        ///     message: The call failed.
    } instead {
        /// rule_definitions:
        ///   - id: look_at_failures
        ///     when: post_tool
        ///     action: warn
        ///     condition: result_failed
        ///     message: The call failed.
    };

    /// An exception from a rule that there is not.
    UNKNOWN_RULE = "unknown-rule", Error, in "behavior.yaml" {
        /// rules: { confirm_destructive: true }
        /// exceptions:
        ///   - rule: confirm_destructiv
        ///     when: runs "rm -r target"
        ///     reason: Build output.
    } instead {
        /// rules: { confirm_destructive: true }
        /// exceptions:
        ///   - rule: confirm_destructive
        ///     when: runs "rm -r target"
        ///     reason: Build output.
    };

    /// A day that is not in the calendar, or not written as year, month and day.
    INVALID_DATE = "invalid-date", Error, in "behavior.yaml" {
        /// rules: { confirm_destructive: true }
        /// exceptions:
        ///   - rule: confirm_destructive
        ///     when: runs "rm -r target"
        ///     until: next summer
    } instead {
        /// rules: { confirm_destructive: true }
        /// exceptions:
        ///   - rule: confirm_destructive
        ///     when: runs "rm -r target"
        ///     until: "2030-07-01"
    };

    /// A set, counter, flag or risk level that nothing declares.
    UNDECLARED_NAME = "undeclared-name", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: back_up_first
        ///     trigger: migrate
        ///     condition: flag(backed_up) is false
        ///     message: Make a backup first.
    } instead {
        /// rule_definitions:
        ///   - id: back_up_first
        ///     trigger: migrate
        ///     condition: flag(backed_up) is false
        ///     message: Make a backup first.
        /// state_tracking:
        ///   flags: { backed_up: { set_on: back_up } }
    };

    /// A name that is empty, or no word on one line.
    EMPTY_NAME = "empty-name", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: look_twice
        ///     trigger: ""
        ///     message: Look twice.
    } instead {
        /// rule_definitions:
        ///   - id: look_twice
        ///     trigger: "*"
        ///     message: Look twice.
    };

    /// A tool name with a blank or a comma in it.
    ///
    /// No tool is called so, and the rule would never fire. For several tools write a list.
    INVALID_TOOL_NAME = "invalid-tool-name", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: look_twice
        ///     trigger: "edit, write"
        ///     message: Look twice.
    } instead {
        /// rule_definitions:
        ///   - id: look_twice
        ///     trigger: [edit, write]
        ///     message: Look twice.
    };

    /// A counter without a tool that increments it, or a flag without a tool that sets it.
    ///
    /// It would keep its first value for ever, and conditions on it would never change.
    NEVER_CHANGES = "never-changes", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: enough
        ///     condition: counter(queries) >= 3
        ///     message: Make do with what you have found.
        /// state_tracking:
        ///   counters: { queries: { increment_on: [] } }
    } instead {
        /// rule_definitions:
        ///   - id: enough
        ///     condition: counter(queries) >= 3
        ///     message: Make do with what you have found.
        /// state_tracking:
        ///   counters: { queries: { increment_on: [query] } }
    };

    /// A trace policy that was written for a version of the form which is not known.
    ///
    /// Its rules are read as those of the known one, and may have been meant otherwise.
    UNKNOWN_VERSION = "unknown-version", Warning, in "team.policy.yaml" {
        /// apiVersion: shadow.dev/v2
        /// rules:
        ///   - { id: few, kind: max_turns, params: { n: 20 } }
    } instead {
        /// apiVersion: shadow.dev/v1alpha1
        /// rules:
        ///   - { id: few, kind: max_turns, params: { n: 20 } }
    };

    /// A set that nothing is added to.
    ///
    /// It is empty for ever, so that conditions on it always hold, or never. Name the tools that add to it, or
    /// the files that do.
    NEVER_FILLED = "never-filled", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: read_first
        ///     trigger: edit
        ///     condition: target not in seen
        ///     message: Read {target} first.
        /// state_tracking:
        ///   sets: { seen: { target: file_path } }
    } instead {
        /// rule_definitions:
        ///   - id: read_first
        ///     trigger: edit
        ///     condition: target not in seen
        ///     message: Read {target} first.
        /// state_tracking:
        ///   sets: { seen: { target: file_path, add_on: read } }
    };

    /// Two rules of one list with the same id, or of one policy with the same name.
    ///
    /// Ids name rules in findings and decide which rule takes the place of which. Names of policy
    /// rules only tell who decided, so there it is a warning.
    DUPLICATE_RULE = "duplicate-rule", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - { id: look_twice, trigger: edit, message: Look twice. }
        ///   - { id: look_twice, trigger: write, message: Look twice. }
    } instead {
        /// rule_definitions:
        ///   - { id: look_twice, trigger: [edit, write], message: Look twice. }
    };

    /// A `custom` rule with the id of one in `rule_definitions`.
    ///
    /// The one in `rule_definitions` wins, and the custom rule never fires.
    OVERRIDDEN_RULE = "overridden-rule", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - { id: look_twice, trigger: edit, message: Look twice. }
        /// custom:
        ///   - { id: look_twice, trigger: deploy, message: Is this the right server? }
    } instead {
        /// rule_definitions:
        ///   - { id: look_twice, trigger: edit, message: Look twice. }
        ///   - { id: server, trigger: deploy, message: Is this the right server? }
    };

    /// A profile that is neither a built-in preset nor a file in `behavior/`.
    UNKNOWN_PROFILE = "unknown-profile", Error, in "behavior.yaml" {
        /// profile: reserch
    } instead {
        /// profile: research
    };

    /// Profiles that extend each other in a circle.
    PROFILE_CYCLE = "profile-cycle", Error, in "behavior/team.yaml" {
        /// name: team
        /// extends: team
    } instead {
        /// name: team
        /// extends: dev
    };

    /// A `{{...}}` reference that does not resolve.
    ///
    /// `{{behavior.X}}` is `behavior/X.yaml`, `{{prompt.X}}` is `prompts/X.md`, and `{{secret.X}}`
    /// an environment variable.
    UNKNOWN_REFERENCE = "unknown-reference", Error, in "behavior.yaml" {
        /// profile: dev
        /// classify_turns: true
        /// classifier:
        ///   system_prompt: "{{prompt.turns}}"
    } instead {
        /// profile: dev
        /// classify_turns: true
        /// classifier:
        ///   system_prompt: Say in one word how difficult the turn is.
    };

    /// A file that cannot be read.
    UNREADABLE = "unreadable", Error, in "team.policy.yaml" {
        /// rules:
        ///   - id: orders
        ///     kind: must_match_json_schema
        ///     params: { schema_path: order.json }
    } instead {
        /// rules:
        ///   - id: orders
        ///     kind: must_match_json_schema
        ///     params: { schema: { type: object, required: [order] } }
    };

    /// A file that is no rule file, or whose first line names no kind of rule file.
    ///
    /// `# behavior: profile` in the first line says what a file is, whatever its place and shape.
    /// Without it, a file of which no key is one of ours is none of ours.
    UNKNOWN_KIND = "unknown-kind", Error, in "behavior/team.yaml" {
        /// # behavior: preset
        /// name: team
        /// extends: dev
    } instead {
        /// # behavior: profile
        /// name: team
        /// extends: dev
    };

    /// A file of rule tests, where rules are wanted.
    ///
    /// `*.test.yaml` are rule tests, which `behavior test` runs. A first line such as `# behavior: config` says
    /// what a file is, whatever its name.
    UNSUPPORTED_KIND = "unsupported-kind", Error, in "team.test.yaml" {
        /// profile: dev
    } instead {
        /// # behavior: config
        /// profile: dev
    };

    /// A config that puts no rule in force.
    ///
    /// Nothing would be found and nothing blocked, which looks as if all were well. Name a preset
    /// or profile in `profile`, switch rules on in `rules`, or write some in `rule_definitions`.
    NO_RULES = "no-rules", Warning, in "behavior.yaml" {
        /// rules:
        ///   read_before_edit: false
    } instead {
        /// profile: dev
        /// rules:
        ///   read_before_edit: false
    };

    /// A rule that always fires because it has no condition, and blocks.
    ///
    /// It forbids the tools of its trigger altogether. Write `condition: "true"` if that is meant.
    BLOCKS_EVERYTHING = "blocks-everything", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: no_deploys
        ///     action: block
        ///     message: Deploys are made by hand.
    } instead {
        /// rule_definitions:
        ///   - id: no_deploys
        ///     trigger: deploy
        ///     action: block
        ///     message: Deploys are made by hand.
    };

    /// A placeholder that is always empty in the phase of its rule.
    ///
    /// Text comes from no call, so in an `on_text` rule there is no target, no tool and no
    /// parameter. Leave it out, or write the name itself.
    EMPTY_PLACEHOLDER = "empty-placeholder", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: be_sure
        ///     when: on_text
        ///     condition: text matches "not sure"
        ///     message: "Look at {target} again."
    } instead {
        /// rule_definitions:
        ///   - id: be_sure
        ///     when: on_text
        ///     condition: text matches "not sure"
        ///     message: Look at the file again.
    };

    /// A placeholder in doubled braces, which make text of it.
    ///
    /// `{{tool}}` is how a message says `{tool}` without anything being put in its place. Write `{tool}` for the name of
    /// the tool.
    LITERAL_PLACEHOLDER = "literal-placeholder", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: read_first
        ///     trigger: edit
        ///     condition: target not in read_files
        ///     message: "Read {{target}} first."
    } instead {
        /// rule_definitions:
        ///   - id: read_first
        ///     trigger: edit
        ///     condition: target not in read_files
        ///     message: "Read {target} first."
    };

    /// A document that is named by something other than a path within the project.
    ///
    /// The same path is looked for in the folder of the user, so it is relative, with `/` between
    /// its parts, and has no `..`.
    INVALID_DOCUMENT = "invalid-document", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: house_style
        ///     trigger: write
        ///     message: "Keep to these rules: {file:../style.md}"
    } instead {
        /// rule_definitions:
        ///   - id: house_style
        ///     trigger: write
        ///     message: "Keep to these rules: {file:docs/style.md}"
    };

    /// A rule that says nothing when it fires.
    ///
    /// The agent learns only the rule's id. A message that names what to do next helps it on, as the
    /// `reason` of a policy's rule does.
    EMPTY_MESSAGE = "empty-message", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: read_first
        ///     trigger: edit
        ///     condition: target not in read_files
    } instead {
        /// rule_definitions:
        ///   - id: read_first
        ///     trigger: edit
        ///     condition: target not in read_files
        ///     message: "Read {target} first."
    };

    /// A set, counter or flag that no condition and no message asks for.
    UNUSED_STATE = "unused-state", Info, in "behavior.yaml" {
        /// profile: dev
        /// state_tracking:
        ///   flags: { reviewed: { set_on: review } }
    } instead {
        /// profile: dev
        /// state_tracking:
        ///   flags: { reviewed: { set_on: review } }
        /// rule_definitions:
        ///   - id: review_first
        ///     trigger: deploy
        ///     condition: flag(reviewed) is false
        ///     message: Have it reviewed first.
    };

    /// A rule whose condition can never hold, or always does, whatever happens.
    ///
    /// `condition: "true"` says that a rule is meant to fire always.
    CONSTANT_CONDITION = "constant-condition", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: enough
        ///     condition: consecutive >= 5 and consecutive < 3
        ///     message: Stop and think.
    } instead {
        /// rule_definitions:
        ///   - id: enough
        ///     condition: consecutive >= 3 and consecutive < 5
        ///     message: Stop and think.
    };

    /// A set whose fingerprints `target_changed_since` needs and that keeps none.
    NO_FINGERPRINT = "no-fingerprint", Error, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: read_again
        ///     trigger: edit
        ///     condition: target changed since seen
        ///     message: "Read {target} again: it has changed."
        /// state_tracking:
        ///   sets: { seen: { add_on: read } }
    } instead {
        /// rule_definitions:
        ///   - id: read_again
        ///     trigger: edit
        ///     condition: target changed since seen
        ///     message: "Read {target} again: it has changed."
        /// state_tracking:
        ///   sets: { seen: { add_on: read, fingerprint: true } }
    };

    /// A trigger of a tool that is not there.
    ///
    /// With `--tools` or `--agent` it is one that the agent does not have. Without them, it is a name
    /// near to that of a tool that agents have, and most likely a slip of the pen.
    ///
    /// In a plan, a step that names none of the tools that plans have. Such a step fails.
    UNKNOWN_TOOL = "unknown-tool", Warning, in "behavior.yaml" {
        /// rule_definitions:
        ///   - id: look_twice
        ///     trigger: bsh
        ///     message: Look twice.
    } instead {
        /// rule_definitions:
        ///   - id: look_twice
        ///     trigger: bash
        ///     message: Look twice.
    }, in "look.plan.json" {
        /// {
        ///   "steps": [{"tool": "Raed", "args": ["README.md"]}],
        ///   "explain": "look at the README"
        /// }
    } instead {
        /// {
        ///   "steps": [{"tool": "Read", "args": ["README.md"]}],
        ///   "explain": "look at the README"
        /// }
    };

    /// What the named agent cannot do of what a rule says, with `check --agent NAME`.
    ///
    /// Agents differ in what their hooks can do: some cannot ask their user, some cannot be kept from
    /// stopping, some do not tell of what a condition is about. The help says what is done instead.
    AGENT_CANNOT = "agent-cannot", Warning, in "behavior.yaml" with "--agent codex" {
        /// rule_definitions:
        ///   - id: no_deploys
        ///     trigger: bash
        ///     action: ask
        ///     condition: runs "deploy *"
        ///     message: This goes live.
    } instead {
        /// rule_definitions:
        ///   - id: no_deploys
        ///     trigger: bash
        ///     action: block
        ///     condition: runs "deploy *"
        ///     message: This goes live.
    };

    /// What the named agent is told later than a rule says, with `check --agent NAME`.
    ///
    /// Where an agent takes no text before a tool runs, a warning comes with the tool's result: the call
    /// has run by then.
    AGENT_TOLD_LATER = "agent-told-later", Info, in "behavior.yaml" with "--agent gemini-cli" {
        /// rule_definitions:
        ///   - id: look_twice
        ///     trigger: bash
        ///     message: Is this the right folder?
    } instead {
        /// rule_definitions:
        ///   - id: look_twice
        ///     trigger: bash
        ///     action: block
        ///     message: Is this the right folder?
    };

    /// A classifier that cannot run: turns are to be classified, and there is no model to ask.
    CLASSIFIER_WITHOUT_BRAIN = "classifier-without-brain", Warning, in "behavior.yaml" {
        /// profile: dev
        /// classify_turns: true
        /// use_agent_brain: false
    } instead {
        /// profile: dev
        /// classify_turns: true
        /// use_agent_brain: true
    };

    /// A verifier that is on and that nobody can be: the user is told so after each answer.
    VERIFIER_WITHOUT_BRAIN = "verifier-without-brain", Warning, in "behavior.yaml" {
        /// profile: dev
        /// verifier: { enabled: true }
        /// use_agent_brain: false
    } instead {
        /// profile: dev
        /// verifier: { enabled: auto }
        /// use_agent_brain: false
    };

    /// A provider of models that nobody knows, and no address at which it could be asked.
    ///
    /// Any other server that speaks one of the protocols is `provider: custom`, with its address as
    /// `config.base_url`.
    UNKNOWN_PROVIDER = "unknown-provider", Warning, in "behavior.yaml" {
        /// profile: dev
        /// classify_turns: true
        /// brain: { provider: olama, model: "qwen3:4b" }
    } instead {
        /// profile: dev
        /// classify_turns: true
        /// brain: { provider: ollama, model: "qwen3:4b" }
    };

    /// A model that cannot be asked: nobody says which it is, where it is, or how.
    UNUSABLE_BRAIN = "unusable-brain", Warning, in "behavior.yaml" {
        /// profile: dev
        /// brain: { provider: ollama }
    } instead {
        /// profile: dev
        /// brain: { provider: ollama, model: "qwen3:4b" }
    };

    /// A key that stands in a rule file.
    ///
    /// Rule files are read by many, and compiled rules are kept. A key belongs into an environment variable,
    /// whose name the file says.
    KEY_IN_RULES = "key-in-rules", Warning, in "behavior.yaml" {
        /// profile: dev
        /// brain:
        ///   provider: custom
        ///   model: small
        ///   config: { base_url: "http://127.0.0.1:4000", api_key: "abc123" }
    } instead {
        /// profile: dev
        /// brain:
        ///   provider: custom
        ///   model: small
        ///   config: { base_url: "http://127.0.0.1:4000" }
    };

    /// A threshold of a built-in rule that is off, a flag in `same` that is alone in its list, or a `label` that
    /// nobody is shown.
    ///
    /// The number changes nothing until the rule is switched on. A list in `same` says which
    /// spellings of a flag mean the same, so one alone says nothing. Of a vocabulary's entries, the agent is
    /// shown the labels of approaches.
    NO_EFFECT = "no-effect", Warning, in "behavior.yaml" {
        /// profile: dev
        /// rules:
        ///   search_before_read: false
        ///   max_blind_reads: 2
    } instead {
        /// profile: dev
        /// rules:
        ///   search_before_read: true
        ///   max_blind_reads: 2
    };

    /// A rule of a policy that never decides a call, because rules before it take all that it takes.
    ///
    /// The first rule that matches decides, by priority and then in the order written. Behind
    /// `git *`, a rule for `git push *` is never asked. Patterns are compared as languages, in each
    /// approval mode, so this is certain. Move the narrower rule to the front, or delete it.
    SHADOWED_RULE = "shadowed-rule", Warning, in "behavior/policy.toml" {
        /// [[rules]]
        /// name = "git"
        /// action = "ask_user"
        /// pattern = "git *"
        /// reason = "the history is shared"
        ///
        /// [[rules]]
        /// name = "status"
        /// action = "allow"
        /// pattern = "git status"
    } instead {
        /// [[rules]]
        /// name = "status"
        /// action = "allow"
        /// pattern = "git status"
        ///
        /// [[rules]]
        /// name = "git"
        /// action = "ask_user"
        /// pattern = "git *"
        /// reason = "the history is shared"
    };

    /// A rule of a policy that allows nothing, because denials before it take all that it allows.
    ///
    /// With a denial of `git *` before it, an allow for `git status` does nothing. An exception
    /// stands before the rule that it is an exception to, and with no lower priority.
    EMPTIED_ALLOW = "emptied-allow", Warning, in "behavior/policy.toml" {
        /// [[rules]]
        /// name = "no deploys"
        /// action = "deny"
        /// pattern = "deploy *"
        /// reason = "deploys are made by hand"
        ///
        /// [[rules]]
        /// name = "staging"
        /// action = "allow"
        /// pattern = "deploy staging"
    } instead {
        /// [[rules]]
        /// name = "staging"
        /// action = "allow"
        /// pattern = "deploy staging"
        ///
        /// [[rules]]
        /// name = "no deploys"
        /// action = "deny"
        /// pattern = "deploy *"
        /// reason = "deploys are made by hand"
    };

    /// Two rules of one priority that disagree on some calls, while each has others to itself.
    ///
    /// `allow` for `git *` and `deny` for `* --force` both match `git push --force`: it is the order
    /// of the two that decides, which is easily overlooked. A narrow rule before a wider one is the
    /// usual way to write an exception and not reported, and neither is the stricter rule before the
    /// other: then nothing is allowed that a rule denies.
    CONTRADICTING_RULES = "contradicting-rules", Warning, in "behavior/policy.toml" {
        /// [[rules]]
        /// name = "reading"
        /// action = "allow"
        /// pattern = "read_*"
        ///
        /// [[rules]]
        /// name = "secrets"
        /// action = "deny"
        /// pattern = "*_secret"
        /// reason = "secrets stay where they are"
    } instead {
        /// [[rules]]
        /// name = "secrets"
        /// action = "deny"
        /// pattern = "*_secret"
        /// reason = "secrets stay where they are"
        ///
        /// [[rules]]
        /// name = "reading"
        /// action = "allow"
        /// pattern = "read_*"
    };

    /// A pattern of a policy, or a part of one, that no call matches.
    ///
    /// A program is compared by its name: `/usr/bin/*` as a program matches nothing, and neither
    /// does `git.exe`. A class can also leave nothing over, and a command can be asked for of a
    /// tool that runs none.
    RULE_MATCHES_NOTHING = "rule-matches-nothing", Warning, in "behavior/policy.toml" {
        /// [[rules]]
        /// name = "disks"
        /// action = "deny"
        /// pattern = "/sbin/*fs *"
        /// reason = "disks are formatted by hand"
    } instead {
        /// [[rules]]
        /// name = "disks"
        /// action = "deny"
        /// pattern = "*fs *"
        /// reason = "disks are formatted by hand"
    };

    /// A rule of a policy that is about every call, or every command line.
    ///
    /// `*`, `?*` and `bash` in an allow let everything through that no rule before it holds back,
    /// also what nobody thought of. Name what may be done. In other rules this is only an
    /// information: `*` as the last rule says what holds for the rest.
    RULE_MATCHES_EVERYTHING = "rule-matches-everything", Warning, in "behavior/policy.toml" {
        /// [[rules]]
        /// name = "commands"
        /// action = "allow"
        /// pattern = "bash(*)"
    } instead {
        /// [[rules]]
        /// name = "commands"
        /// action = "allow"
        /// pattern = "git status *|git diff *"
    };

    /// An allow that lets a program run any other program in a way that nobody looks into.
    ///
    /// What a wrapper or a shell runs (`sudo`, `env`, `xargs`, `sh -c`, `find -exec`, `ssh`,
    /// `docker exec`, `npx`, `git -c alias.x=!…`) is a command of its own for a policy: an allow for
    /// `xargs *` does not allow `xargs rm`, and what cannot be known is never allowed. So those are
    /// not reported. What a program runs out of code in a language of its own is not looked into:
    /// `python *` also allows `python -c 'import gc; next(f for f in gc.get_objects() if getattr(f, "__name__", "") == "system")("rm -rf /home")'`, and
    /// `git *` allows `git config alias.x '!rm -rf ~'`, which makes `git x` run it. Allow
    /// `python manage.py *` instead, or ask about `python -c *` first.
    ///
    /// `runs_code` under `programs` says how a program does that.
    ALLOW_RUNS_OTHERS = "allow-runs-others", Warning, in "behavior/policy.toml" {
        /// [[rules]]
        /// name = "python"
        /// action = "allow"
        /// pattern = "python *"
    } instead {
        /// [[rules]]
        /// name = "python"
        /// action = "allow"
        /// pattern = "python manage.py *"
    };

    /// A denial, or a rule that asks, that a call of the same effect escapes in another spelling.
    ///
    /// - `git push --force` is no more than these words: `git push --force origin` escapes. Write
    ///   `git push --force *`; a blank and `*` at the end also match nothing.
    /// - `cat .env` does not cover `cat /srv/app/.env`, and `secrets/*` as an argument of `edit` does not
    ///   cover `./secrets/key`: begin with `*`.
    /// - Of a program that is not in the table of programs, other spellings of a flag are not known
    ///   (an information). Say them under `programs` in a profile.
    /// - Case counts in the arguments of tools that run no commands: `*DROP TABLE*` does not cover
    ///   `drop table` (an information).
    ///
    /// It is reported only where the policy treats the escaping call less strictly. Quotes, the
    /// directory of a program, the order of flags and wrappers such as `sudo` are no way around a
    /// denial. An allow is for the program of the system alone: one of the same name in another
    /// directory is asked about.
    EVADABLE_PATTERN = "evadable-pattern", Warning, in "behavior/policy.toml" {
        /// [[rules]]
        /// name = "no forced pushes"
        /// action = "deny"
        /// pattern = "git push --force"
        /// reason = "the history is shared"
        ///
        /// [[rules]]
        /// name = "pushes"
        /// action = "allow"
        /// pattern = "git push *"
    } instead {
        /// [[rules]]
        /// name = "no forced pushes"
        /// action = "deny"
        /// pattern = "git push --force *"
        /// reason = "the history is shared"
        ///
        /// [[rules]]
        /// name = "pushes"
        /// action = "allow"
        /// pattern = "git push *"
    };

    /// A parameter of a rule of a trace policy with which the rule can never be evaluated.
    ///
    /// An empty text stands in every response, a path that begins with `reqest` leads nowhere, and a
    /// response cannot end for one of no reasons.
    INVALID_PARAMETER = "invalid-parameter", Error, in "team.policy.yaml" {
        /// rules:
        ///   - id: one_model
        ///     kind: must_remain_consistent
        ///     params: { path: reqest.model }
    } instead {
        /// rules:
        ///   - id: one_model
        ///     kind: must_remain_consistent
        ///     params: { path: request.model }
    };

    /// A path of a trace policy that looks like a slip: `response.contnt`.
    ///
    /// Requests and responses may have fields of any name, so such a path is accepted; where there is
    /// nothing at it, every test of it is false.
    UNLIKELY_PATH = "unlikely-path", Warning, in "team.policy.yaml" {
        /// rules:
        ///   - id: no_deploys
        ///     kind: no_call
        ///     params: { tool: deploy }
        ///     when: { path: response.contnt, op: contains, value: production }
    } instead {
        /// rules:
        ///   - id: no_deploys
        ///     kind: no_call
        ///     params: { tool: deploy }
        ///     when: { path: response.content, op: contains, value: production }
    };

    /// A reason for the end of a response that no reader of recordings gives: `endturn`, or another
    /// interface's `stop`.
    ///
    /// The reasons of all formats get one name each, such as `end_turn`, `tool_use` and `max_tokens`. Only
    /// native traces and agentlogs have whatever is written in them.
    UNKNOWN_STOP_REASON = "unknown-stop-reason", Warning, in "team.policy.yaml" {
        /// rules:
        ///   - id: whole_answers
        ///     kind: required_stop_reason
        ///     params: { allowed: [stop, tool_use] }
    } instead {
        /// rules:
        ///   - id: whole_answers
        ///     kind: required_stop_reason
        ///     params: { allowed: [end_turn, tool_use] }
    };

    /// A JSON Schema that is none, or refers to another document.
    ///
    /// Drafts 7 and 2020-12 are known; `$schema` says which. A schema stands in the rule, at
    /// `schema`, or in a file of its own, at `schema_path`.
    INVALID_SCHEMA = "invalid-schema", Error, in "team.policy.yaml" {
        /// rules:
        ///   - id: orders
        ///     kind: must_match_json_schema
        ///     params: { schema: { type: objekt } }
    } instead {
        /// rules:
        ///   - id: orders
        ///     kind: must_match_json_schema
        ///     params: { schema: { type: object } }
    };

    /// A rule test that cannot be run as it is written.
    ///
    /// A test has events, or a recording at `trace`, and says what is expected at some of them. `at` counts the
    /// entries of `events` from 0.
    IMPOSSIBLE_TEST = "impossible-test", Error, in "behavior.test.yaml" {
        /// tests:
        ///   - events: [edit: { file_path: a.rs }]
        ///     expect: [{ at: 1, rules: [read_before_edit] }]
    } instead {
        /// tests:
        ///   - events: [edit: { file_path: a.rs }]
        ///     expect: [{ at: 0, rules: [read_before_edit] }]
    };

    /// A workflow, a heading or an agent without a name, or a workflow without steps.
    EMPTY_WORKFLOW = "empty-workflow", Error, in "templates/workflows/ship.yaml" {
        /// name: ship
        /// steps: []
    } instead {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: claude-code, prompt: "Ship it: {input}" }
    };

    /// An agent that a workflow names and nobody declares.
    ///
    /// `behavior/agents.yaml` declares agents. `claude-code`, `codex`, `gemini-cli`, `opencode` and `pi` are there
    /// without, and so are `coding-agent` and `reviewing-agent`, which the built-in workflows use.
    UNKNOWN_AGENT = "unknown-agent", Error, in "templates/workflows/ship.yaml" {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: claude-cod, prompt: "Ship it: {input}" }
    } instead {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: claude-code, prompt: "Ship it: {input}" }
    };

    /// A loop that goes back no step, or further than to the first.
    ///
    /// `steps` counts the entries before the loop's own step, headings included.
    INVALID_LOOP = "invalid-loop", Error, in "templates/workflows/ship.yaml" {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: claude-code, label: build }
        ///   - type: module
        ///     agentId: claude-code
        ///     module: { type: loop, action: stepBack, steps: 2, maxIterations: 3 }
    } instead {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: claude-code, label: build }
        ///   - type: module
        ///     agentId: claude-code
        ///     module: { type: loop, action: stepBack, steps: 1, maxIterations: 3 }
    };

    /// A step whose end is looked at for nothing, or a `module` at a step whose end is not looked at.
    ///
    /// The end of a step is looked at if its type is `module`, for what its `module` says. Otherwise what the control
    /// file asks for, but for pausing and stopping, has no effect.
    MODULE_WITHOUT_EFFECT = "module-without-effect", Warning, in "templates/workflows/ship.yaml" {
        /// name: ship
        /// steps:
        ///   - { type: module, agentId: claude-code, label: build }
    } instead {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: claude-code, label: build }
    };

    /// A loop that can never go back.
    ///
    /// It does not say how many `steps`, or `maxIterations` is 0. An agent that asks for it goes on nevertheless.
    LOOP_NEVER_REPEATS = "loop-never-repeats", Warning, in "templates/workflows/ship.yaml" {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: claude-code, label: build }
        ///   - type: module
        ///     agentId: claude-code
        ///     label: test
        ///     module: { type: loop, action: stepBack }
    } instead {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: claude-code, label: build }
        ///   - type: module
        ///     agentId: claude-code
        ///     label: test
        ///     module: { type: loop, action: stepBack, steps: 1, maxIterations: 3 }
    };

    /// A loop that an agent can repeat without end.
    ///
    /// `maxIterations` bounds it. When it is used up, the run goes on behind the loop and says so.
    LOOP_MAY_NOT_END = "loop-may-not-end", Warning, in "templates/workflows/ship.yaml" {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: claude-code, label: build }
        ///   - type: module
        ///     agentId: claude-code
        ///     label: test
        ///     module: { type: loop, action: stepBack, steps: 1 }
    } instead {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: claude-code, label: build }
        ///   - type: module
        ///     agentId: claude-code
        ///     label: test
        ///     module: { type: loop, action: stepBack, steps: 1, maxIterations: 3 }
    };

    /// An agent that a loop is to step over, and that takes none of the steps it goes back over.
    SKIP_WITHOUT_EFFECT = "skip-without-effect", Warning, in "templates/workflows/ship.yaml" {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: claude-code, label: build }
        ///   - type: module
        ///     agentId: claude-code
        ///     module: { type: loop, action: stepBack, steps: 1, skip: [codex],
        ///               maxIterations: 3 }
    } instead {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: claude-code, label: build }
        ///   - type: module
        ///     agentId: claude-code
        ///     module: { type: loop, action: stepBack, steps: 1, maxIterations: 3 }
    };

    /// A loop that goes back over another one.
    ///
    /// Each time, the inner one may be repeated as often as ever, so that the numbers multiply. The help says how often
    /// agents run at most; `behavior inspect` says it of every template.
    NESTED_LOOPS = "nested-loops", Info, in "templates/workflows/ship.yaml" {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: codex, label: build }
        ///   - &test
        ///     type: module
        ///     agentId: claude-code
        ///     module: { type: loop, action: stepBack, steps: 1, maxIterations: 3 }
        ///   - *test
    } instead {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: codex, label: build }
        ///   - &test
        ///     type: module
        ///     agentId: claude-code
        ///     module: { type: loop, action: stepBack, steps: 1, maxIterations: 3 }
    };

    /// Agents that can trigger each other in a circle.
    ///
    /// What a trigger inserts may trigger again. After 16 inserted steps the run pauses with an error.
    TRIGGER_CYCLE = "trigger-cycle", Warning, in "templates/workflows/ship.yaml" {
        /// name: ship
        /// steps:
        ///   - type: module
        ///     agentId: claude-code
        ///     module:
        ///       { type: trigger, action: mainAgentCall, triggerAgentId: claude-code }
    } instead {
        /// name: ship
        /// steps:
        ///   - type: module
        ///     agentId: claude-code
        ///     module: { type: trigger, action: mainAgentCall, triggerAgentId: codex }
    };

    /// A name that another template of the same folder has.
    ///
    /// The one whose file comes first is started by it. A project's template takes the place of one of the same name
    /// of the user's or the library's, which is not reported.
    DUPLICATE_WORKFLOW = "duplicate-workflow", Warning;

    /// Braces in a prompt with a word that is nearly a placeholder.
    ///
    /// The placeholders are `{input}`, `{previous}`, `{reason}`, `{step}` and `{iteration}`. Other braces stay as they
    /// are.
    UNKNOWN_PLACEHOLDER_IN_PROMPT = "unknown-prompt-placeholder", Warning,
        in "templates/workflows/ship.yaml" {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: claude-code, prompt: "Ship it: {inputs}" }
    } instead {
        /// name: ship
        /// steps:
        ///   - { type: step, agentId: claude-code, prompt: "Ship it: {input}" }
    };

    /// Options that a plan gives as an object at the end of `args`.
    ///
    /// Only some tools look for options there, and `force` never counts there. Write them into `kwargs`.
    OPTIONS_IN_ARGS = "options-in-args", Warning, in "rename.plan.json" {
        /// {"steps": [
        ///   {"tool": "Read", "args": ["a.py"]},
        ///   {"tool": "Edit", "args": ["a.py", "old", "new", {"replace_all": true}]}
        /// ], "explain": "rename old to new"}
    } instead {
        /// {"steps": [
        ///   {"tool": "Read", "args": ["a.py"]},
        ///   {"tool": "Edit", "args": ["a.py", "old", "new"],
        ///    "kwargs": {"replace_all": true}}
        /// ], "explain": "rename old to new"}
    };

    /// An edit of a file that no earlier step of the plan reads.
    ///
    /// What an edit replaces is then a guess. Add a step that reads the file.
    EDIT_WITHOUT_READ = "edit-without-read", Warning, in "rename.plan.json" {
        /// {"steps": [
        ///   {"tool": "Edit", "args": ["a.py", "old", "new"]}
        /// ], "explain": "rename old to new"}
    } instead {
        /// {"steps": [
        ///   {"tool": "Read", "args": ["a.py"]},
        ///   {"tool": "Edit", "args": ["a.py", "old", "new"]}
        /// ], "explain": "rename old to new"}
    };

    /// A shell command in a plan that does what a file tool is for.
    ///
    /// `cat`, `ls`, `find`, `grep`, `sed -i` and `echo … > file` go around what is checked of the file tools. Use
    /// `read`, `ls`, `glob`, `grep`, `edit` and `write`.
    SHELL_FOR_FILES = "shell-for-files", Warning, in "look.plan.json" {
        /// {
        ///   "steps": [{"tool": "Bash", "args": ["cat README.md"]}],
        ///   "explain": "look at the README"
        /// }
    } instead {
        /// {
        ///   "steps": [{"tool": "Read", "args": ["README.md"]}],
        ///   "explain": "look at the README"
        /// }
    };

    /// A plan that does not say what it is for.
    ///
    /// The user sees `explain` before the plan runs, and decides by it.
    NO_EXPLANATION = "no-explanation", Warning, in "look.plan.json" {
        /// {"steps": [{"tool": "Read", "args": ["README.md"]}]}
    } instead {
        /// {
        ///   "steps": [{"tool": "Read", "args": ["README.md"]}],
        ///   "explain": "look at the README"
        /// }
    };

    /// A to-do in a state that there is not.
    ///
    /// The states are `pending`, `in_progress` and `completed`.
    UNKNOWN_TODO_STATE = "unknown-todo-state", Warning, in "work.plan.json" {
        /// {"steps": [
        ///   {"tool": "TodoWrite", "kwargs": {"todos": [
        ///     {"content": "write the tests", "status": "done"}]}}
        /// ], "explain": "note what is left"}
    } instead {
        /// {"steps": [
        ///   {"tool": "TodoWrite", "kwargs": {"todos": [
        ///     {"content": "write the tests", "status": "completed"}]}}
        /// ], "explain": "note what is left"}
    };

    /// Something that stays within the format of the image no longer: more than 65,535 names of parameters
    /// or counters, or more than 1,000 exceptions of a rule.
    PROGRAM_TOO_LARGE = "program-too-large", Error;

    /// A mistake in the compiler itself.
    INTERNAL = "internal", Error;
}
