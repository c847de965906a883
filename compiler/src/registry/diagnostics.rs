//! Every kind of diagnostic: its stable name, its level and its documentation.

use crate::diagnostic::{DiagnosticKind, Severity};

macro_rules! diagnostics {
    ($($(#[doc = $docs:literal])+ $constant:ident = $name:literal, $severity:ident;)*) => {
        $(
            $(#[doc = $docs])+
            pub static $constant: DiagnosticKind = DiagnosticKind {
                name: $name,
                severity: Severity::$severity,
                docs: concat!($($docs, "\n"),+),
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
    SYNTAX = "syntax", Error;

    /// A file that is not valid UTF-8, or holds a character that the format forbids.
    ///
    /// Rule files are UTF-8. Save the file in that encoding.
    ENCODING = "encoding", Error;

    /// A key that stands twice in one mapping.
    ///
    /// Only one of the two values could be meant. Delete or rename one of them.
    DUPLICATE_KEY = "duplicate-key", Error;

    /// A YAML tag such as `!include`.
    ///
    /// Tags can make a loader build arbitrary values, so rule files do not have them. Write the
    /// value plainly.
    YAML_TAG = "yaml-tag", Error;

    /// An alias that names no anchor above it, or one that contains itself.
    UNKNOWN_ALIAS = "unknown-alias", Error;

    /// A file that is too large, too deeply nested, or grows too much through aliases.
    TOO_LARGE = "too-large", Error;

    /// A pattern that is not a valid regular expression.
    INVALID_PATTERN = "invalid-pattern", Error;

    /// Two fields of which only one can hold.
    CONFLICTING_FIELDS = "conflicting-fields", Error;

    /// A command pattern that is not well formed.
    ///
    /// A command pattern is a command with globs in its words: `git push --force *`.
    INVALID_COMMAND_PATTERN = "invalid-command-pattern", Error;

    /// A pattern of a policy that is not well formed.
    ///
    /// A pattern is a tool's name (`edit`, `read_*`), a command (`git push *` or
    /// `bash(git push *)`), a tool of an MCP server (`mcp(server/tool)`), or several of them with
    /// `|` between them.
    INVALID_POLICY_PATTERN = "invalid-policy-pattern", Error;

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
    MISREAD_PATTERN = "misread-pattern", Warning;

    /// Several flags in one word, where each flag is looked for by itself.
    ///
    /// `flags: [-rf]` looks for one flag called `rf`, while `rm -rf` has the flags `-r` and `-f`.
    /// Write `flags: [-r, -f]`: they are found in any order and in one word too.
    BUNDLED_FLAGS = "bundled-flags", Warning;

    /// A program of which nothing is known that would make it run others, under `under`.
    ///
    /// What stands behind such a program is not taken for a command, so the condition never holds.
    /// Tell of the program under `programs`, or mend its name.
    UNKNOWN_PROGRAM = "unknown-program", Warning;

    /// A parameter that the tools of a rule do not have, under a name near to one that they have.
    UNKNOWN_PARAMETER = "unknown-parameter", Warning;

    /// A pattern that needs a backtracking engine: look-around, back-references and their like.
    ///
    /// Patterns run in linear time on text that an agent chooses, so what cannot be matched in
    /// linear time is refused. Often the same can be said with `all`, `any` and `not`.
    UNSUPPORTED_PATTERN = "unsupported-pattern", Error;

    /// A pattern that is too long, nests too deep, or grows too much when it is compiled.
    ///
    /// A counted repetition copies what it repeats: `(a{500}){500}` stands for 250,000 characters.
    /// Write `*` or `+` where the exact count does not matter.
    PATTERN_TOO_LARGE = "pattern-too-large", Error;

    /// A pattern that can match the empty text, and so matches every text.
    ///
    /// Often there is a `|` too many, or everything in the pattern is optional. Write `.*` where
    /// any text is meant.
    PATTERN_MATCHES_EVERYTHING = "pattern-matches-everything", Warning;

    /// A pattern with `$` before, or `^` behind, something that must match.
    ///
    /// Without `(?m)` they are the end and the start of the whole text, so no text matches. Write
    /// `\\$` and `\\^` for the characters.
    PATTERN_NEVER_MATCHES = "pattern-never-matches", Warning;

    /// `[:alpha:]` and its like in a pattern.
    ///
    /// Patterns read as in Python, where this is a set of the characters `:`, `a`, `l`, `p` and
    /// `h`. Write `a-z` within the brackets, or `\\d`, `\\s`, `\\w`.
    POSIX_CLASS_IN_PATTERN = "posix-class-in-pattern", Warning;

    /// `&&` or `~~` between brackets.
    ///
    /// Other engines read it as an operation on sets. Patterns read as in Python, where it is the
    /// character, twice.
    SET_OPERATION_IN_PATTERN = "set-operation-in-pattern", Warning;

    /// An expression that does not parse.
    INVALID_EXPRESSION = "invalid-expression", Error;

    /// A message template with a brace that opens no placeholder, or a placeholder without its end.
    ///
    /// Write `{{` and `}}` for literal braces.
    INVALID_TEMPLATE = "invalid-template", Error;

    /// A key that a mapping does not have.
    ///
    /// Unknown fields are refused, since a rule with a misspelt field would quietly do something
    /// else than what it says.
    UNKNOWN_FIELD = "unknown-field", Error;

    /// A field that must be there and is not.
    MISSING_FIELD = "missing-field", Error;

    /// A value of another type than the field takes.
    WRONG_TYPE = "wrong-type", Error;

    /// A word that is none of those that the field takes.
    UNKNOWN_VALUE = "unknown-value", Error;

    /// A word in a spelling that is accepted and is not the usual one.
    OTHER_SPELLING = "other-spelling", Info;

    /// A number outside the range that the field takes.
    OUT_OF_RANGE = "out-of-range", Error;

    /// A condition that does not exist.
    ///
    /// An older program must not enforce what it does not understand: where unknown conditions are
    /// allowed, the whole rule never fires.
    UNKNOWN_CONDITION = "unknown-condition", Error;

    /// A condition with more than one key.
    ///
    /// A condition has one key. What must hold together stands in a list under `all`.
    SEVERAL_CONDITIONS = "several-conditions", Error;

    /// An empty condition inside another, or an empty `all` or `any`.
    ///
    /// An empty `all` always holds and an empty `any` never does, which is hardly what was meant.
    EMPTY_CONDITION = "empty-condition", Error;

    /// A condition that cannot hold in the phase of its rule.
    ///
    /// There is a text only in `on_text` rules, a result only in `post_tool` rules, and a call only
    /// in the two others.
    CONDITION_NEVER_HOLDS = "condition-never-holds", Error;

    /// An `on_text` rule with a trigger other than `*`, or a trigger that names no tool.
    ///
    /// Text comes from no tool, so such a rule never fires, and neither does one for no tool.
    TRIGGER_NEVER_MATCHES = "trigger-never-matches", Error;

    /// A set, counter, flag or risk level that nothing declares.
    UNDECLARED_NAME = "undeclared-name", Error;

    /// A name that is empty, or no word on one line.
    EMPTY_NAME = "empty-name", Error;

    /// A tool name with a blank or a comma in it.
    ///
    /// No tool is called so, and the rule would never fire. For several tools write a list.
    INVALID_TOOL_NAME = "invalid-tool-name", Error;

    /// A counter without a tool that increments it, or a flag without a tool that sets it.
    ///
    /// It would keep its first value for ever, and conditions on it would never change.
    NEVER_CHANGES = "never-changes", Error;

    /// Two rules of one list with the same id, or of one policy with the same name.
    ///
    /// Ids name rules in findings and decide which rule takes the place of which. Names of policy
    /// rules only tell who decided, so there it is a warning.
    DUPLICATE_RULE = "duplicate-rule", Error;

    /// A `custom` rule with the id of one in `rule_definitions`.
    ///
    /// The one in `rule_definitions` wins, and the custom rule never fires.
    OVERRIDDEN_RULE = "overridden-rule", Warning;

    /// A profile that is neither a built-in preset nor a file in `behavior/`.
    UNKNOWN_PROFILE = "unknown-profile", Error;

    /// Profiles that extend each other in a circle.
    PROFILE_CYCLE = "profile-cycle", Error;

    /// A `{{...}}` reference that does not resolve.
    ///
    /// `{{behavior.X}}` is `behavior/X.yaml`, `{{prompt.X}}` is `prompts/X.md`, and `{{secret.X}}`
    /// an environment variable.
    UNKNOWN_REFERENCE = "unknown-reference", Error;

    /// A file that cannot be read.
    UNREADABLE = "unreadable", Error;

    /// A file that is no rule file, or whose first line names no kind of rule file.
    ///
    /// `# behavior: profile` in the first line says what a file is, whatever its place and shape.
    /// Without it, a file of which no key is one of ours is none of ours.
    UNKNOWN_KIND = "unknown-kind", Error;

    /// A file of rule tests or a trace policy, where a config, profile or policy is wanted.
    ///
    /// `*.test.yaml` are rule tests, `*.policy.yaml` trace policies. What is read here are behaviour
    /// configs, app configs, profiles and policies. A first line such as `# behavior: config` says
    /// what a file is, whatever its name.
    UNSUPPORTED_KIND = "unsupported-kind", Error;

    /// A config that puts no rule in force.
    ///
    /// Nothing would be found and nothing blocked, which looks as if all were well. Name a preset
    /// or profile in `profile`, switch rules on in `rules`, or write some in `rule_definitions`.
    NO_RULES = "no-rules", Warning;

    /// A rule that always fires because it has no condition, and blocks.
    ///
    /// It forbids the tools of its trigger altogether. Write `condition: "true"` if that is meant.
    BLOCKS_EVERYTHING = "blocks-everything", Warning;

    /// A placeholder that is always empty in the phase of its rule.
    ///
    /// Text comes from no call, so in an `on_text` rule there is no target, no tool and no
    /// parameter. Leave it out, or write the name itself.
    EMPTY_PLACEHOLDER = "empty-placeholder", Warning;

    /// A document that is named by something other than a path within the project.
    ///
    /// The same path is looked for in the folder of the user, so it is relative, with `/` between
    /// its parts, and has no `..`.
    INVALID_DOCUMENT = "invalid-document", Error;

    /// A rule that says nothing when it fires.
    ///
    /// The agent learns only the rule's id. A message that names what to do next helps it on, as the
    /// `reason` of a policy's rule does.
    EMPTY_MESSAGE = "empty-message", Warning;

    /// A set, counter or flag that no condition and no message asks for.
    UNUSED_STATE = "unused-state", Info;

    /// A rule whose condition can never hold, or always does, whatever happens.
    ///
    /// `condition: "true"` says that a rule is meant to fire always.
    CONSTANT_CONDITION = "constant-condition", Warning;

    /// A set whose fingerprints `target_changed_since` needs and that keeps none.
    NO_FINGERPRINT = "no-fingerprint", Error;

    /// A trigger of a tool that is not there.
    ///
    /// With `--tools` or `--agent` it is one that the agent does not have. Without them, it is a name
    /// near to that of a tool that agents have, and most likely a slip of the pen.
    UNKNOWN_TOOL = "unknown-tool", Warning;

    /// What the named agent cannot do of what a rule says, with `check --agent NAME`.
    ///
    /// Agents differ in what their hooks can do: some cannot ask their user, some cannot be kept from
    /// stopping, some do not tell of what a condition is about. The help says what is done instead.
    AGENT_CANNOT = "agent-cannot", Warning;

    /// What the named agent is told later than a rule says, with `check --agent NAME`.
    ///
    /// Where an agent takes no text before a tool runs, a warning comes with the tool's result: the call
    /// has run by then.
    AGENT_TOLD_LATER = "agent-told-later", Info;

    /// A classifier that cannot run: turns are to be classified, and there is no model to ask.
    CLASSIFIER_WITHOUT_BRAIN = "classifier-without-brain", Warning;

    /// A threshold of a built-in rule that is off, or a flag in `same` that is alone in its list.
    ///
    /// The number changes nothing until the rule is switched on. A list in `same` says which
    /// spellings of a flag mean the same, so one alone says nothing.
    NO_EFFECT = "no-effect", Warning;

    /// A rule of a policy that never decides a call, because rules before it take all that it takes.
    ///
    /// The first rule that matches decides, by priority and then in the order written. Behind
    /// `git *`, a rule for `git push *` is never asked. Patterns are compared as languages, in each
    /// approval mode, so this is certain. Move the narrower rule to the front, or delete it.
    ///
    /// ```toml
    /// [[rules]]
    /// name = "git"
    /// action = "allow"
    /// pattern = "git *"
    ///
    /// [[rules]]
    /// name = "no pushes" # never decides: put it before `git`
    /// action = "deny"
    /// pattern = "git push *"
    /// ```
    SHADOWED_RULE = "shadowed-rule", Warning;

    /// A rule of a policy that allows nothing, because denials before it take all that it allows.
    ///
    /// With a denial of `git *` before it, an allow for `git status` does nothing. An exception
    /// stands before the rule that it is an exception to, and with no lower priority.
    EMPTIED_ALLOW = "emptied-allow", Warning;

    /// Two rules of one priority that disagree on some calls, while each has others to itself.
    ///
    /// `allow` for `git *` and `deny` for `* --force` both match `git push --force`: it is the order
    /// of the two that decides, which is easily overlooked. A narrow rule before a wider one is the
    /// usual way to write an exception and not reported, and neither is the stricter rule before the
    /// other: then nothing is allowed that a rule denies.
    CONTRADICTING_RULES = "contradicting-rules", Warning;

    /// A pattern of a policy, or a part of one, that no call matches.
    ///
    /// A program is compared by its name: `/usr/bin/*` as a program matches nothing, and neither
    /// does `git.exe`. A class can also leave nothing over, and a command can be asked for of a
    /// tool that runs none.
    RULE_MATCHES_NOTHING = "rule-matches-nothing", Warning;

    /// A rule of a policy that is about every call, or every command line.
    ///
    /// `*`, `?*` and `bash` in an allow let everything through that no rule before it holds back,
    /// also what nobody thought of. Name what may be done. In other rules this is only an
    /// information: `*` as the last rule says what holds for the rest.
    RULE_MATCHES_EVERYTHING = "rule-matches-everything", Warning;

    /// An allow that lets a program run any other program in a way that nobody looks into.
    ///
    /// What a wrapper or a shell runs (`sudo`, `env`, `xargs`, `sh -c`, `find -exec`, `ssh`,
    /// `docker exec`, `npx`, `git -c alias.x=!…`) is a command of its own for a policy: an allow for
    /// `xargs *` does not allow `xargs rm`, and what cannot be known is never allowed. So those are
    /// not reported. What a program runs out of code in a language of its own is not looked into:
    /// `python *` also allows `python -c 'import pty; pty.spawn(["rm", "-rf", "/home"])'`, and
    /// `git *` allows `git config alias.x '!rm -rf ~'`, which makes `git x` run it. Allow
    /// `python manage.py *` instead, or ask about `python -c *` first.
    ///
    /// `runs_code` under `programs` says how a program does that.
    ALLOW_RUNS_OTHERS = "allow-runs-others", Warning;

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
    EVADABLE_PATTERN = "evadable-pattern", Warning;

    /// A parameter of a rule of a trace policy with which the rule can never be evaluated.
    ///
    /// An empty text stands in every response, a path that begins with `reqest` leads nowhere, and a
    /// response cannot end for one of no reasons.
    INVALID_PARAMETER = "invalid-parameter", Error;

    /// A path of a trace policy that looks like a slip: `response.contnt`.
    ///
    /// Requests and responses may have fields of any name, so such a path is accepted; where there is
    /// nothing at it, every test of it is false.
    UNLIKELY_PATH = "unlikely-path", Warning;

    /// A reason for the end of a response that no reader of recordings gives: `endturn`, or another
    /// interface's `stop`.
    ///
    /// The reasons of all formats get one name each, such as `end_turn`, `tool_use` and `max_tokens`. Only
    /// native traces and agentlogs have whatever is written in them.
    UNKNOWN_STOP_REASON = "unknown-stop-reason", Warning;

    /// A JSON Schema that is none, or refers to another document.
    ///
    /// Drafts 7 and 2020-12 are known; `$schema` says which. A schema stands in the rule, at
    /// `schema`, or in a file of its own, at `schema_path`.
    INVALID_SCHEMA = "invalid-schema", Error;

    /// Something that stays within the format of the image no longer: too many names, for example.
    PROGRAM_TOO_LARGE = "program-too-large", Error;

    /// A mistake in the compiler itself.
    INTERNAL = "internal", Error;
}
