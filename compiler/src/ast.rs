//! The rule files as typed values, nothing resolved yet: every record, field and choice of the
//! language is declared here, once, with its documentation.

use behavior_image::code::{self, Verdict, VerifierMode};
use behavior_shell::Language;

use crate::decode::{
    ArgumentPattern, ConditionNode, Decode, DirectiveText, HostPattern, Int, MessageText, Named,
    OneOrMany, ParamName, PatternText, PolicyPattern, ProfileName, Reports, RiskName, Spanned,
    ToolName, choice, record, wrong_type,
};
use crate::registry::schema::Shape;
use crate::rule_test::RuleExamples;
use crate::syntax::{Kind, Node};

record! {
    /// The behaviour of an agent: which rules hold, what is remembered, how turns are classified.
    ///
    /// It is the root of `behavior.yaml`, or stands at `security.behavior` of an app config.
    BehaviorConfig, "a behaviour config" {
        /// The preset or profile to start from.
        ///
        /// One of the built-in profiles, the name of a file in `behavior/`, or a reference such as
        /// `{{behavior.strict_dev}}`.
        #[default("null")]
        profile: ProfileName,
        /// Switches built-in rules on and off, and rules that the profile brings off, and sets thresholds.
        ///
        /// The values here win over those of the profile. A rule of the same id in
        /// `rule_definitions` wins over both.
        #[default("{}")]
        rules: RuleSwitches,
        /// Rules in the older form; use `rule_definitions` for new ones.
        #[default("[]")]
        custom: Vec<Spanned<CustomRule>>,
        /// The rules of this config.
        ///
        /// They are reported in this order, before built-in rules. One with the id of a built-in
        /// rule takes its place.
        #[default("[]")]
        rule_definitions: Vec<Spanned<RuleDefinition>>,
        /// What is remembered during a session, for conditions and messages to ask.
        ///
        /// A set, counter or flag declared here takes the place of the default of that name; all
        /// other defaults stay.
        #[default("null")]
        state_tracking: StateTracking,
        /// What is known of programs that shell commands name, beside what is built in.
        ///
        /// A key is a program's name, or that of a subcommand such as `git push`. What is said
        /// here adds to what is built in.
        #[default("{}")]
        programs: Named<ProgramConfig>,
        /// Classes of commands that `runs: { class: NAME }` asks for, beside what is built in.
        ///
        /// Each is a list of command patterns and descriptions, as `runs` takes them. What is said of a built-in
        /// class adds to it.
        #[default("{}")]
        command_classes: Named<Vec<Node>>,
        /// A document that the agent is reminded of at the start of every turn.
        ///
        /// A path such as `response-rules-reminder.md`: the file of the project, else that of the
        /// user. A file of the project that is blank does not hide that of the user. An empty path
        /// switches off the reminder of the profile.
        #[default("\"\"")]
        turn_reminder: Spanned<Box<str>>,
        /// What a live agent is answered when a call cannot be decided on.
        ///
        /// The rules have errors, the session cannot be kept, or the event is not understood: it is no
        /// JSON, tells no tool, or has a name that nobody knows. Without it the user is asked; where
        /// nobody can be asked, the call is denied if the rules could deny it. An event that is not
        /// understood is refused unless this says `allow`, since there is nothing to ask about.
        on_error: OnError,
        /// What is answered where nobody can tell whether a rule that blocks or asks applies.
        ///
        /// That is so where a command line does not say what it runs, or which files it touches. What
        /// a rule says itself goes first. A fact that the session lacks is another matter: where such
        /// a one is missing, the rule is undecided and nothing happens.
        #[default("ask")]
        when_undecided: WhenUndecided,
        /// What becomes of an ask where nobody can be asked.
        ///
        /// What a rule says itself goes first.
        #[default("deny")]
        when_nobody_can_answer: WhenUnanswered,
        /// What makes rules silent where they are right in general and wrong here.
        ///
        /// What a rule says where an exception holds is listed as ever, with the reason of the
        /// exception, and has no effect.
        #[default("[]")]
        exceptions: Vec<Spanned<ExceptionConfig>>,
        /// How much of what rules say is told, and to whom.
        ///
        /// What is said here wins over the profile.
        #[default("{}")]
        delivery: DeliveryConfig,
        /// The branches that conditions on branches call `protected`, as globs.
        #[default("[]")]
        protected_branches: OneOrMany<Box<str>>,
        /// Whether a small model looks at each user message before the agent does.
        #[default("false")]
        classify_turns: Spanned<bool>,
        /// How turns are classified.
        #[default("{}")]
        classifier: ClassifierConfig,
        /// Whether a model looks at each answer of the agent, and how.
        ///
        /// What is said here wins over the profile.
        #[default("{}")]
        verifier: VerifierRecord,
        /// Where agents that take steps of workflows leave what they ask for, from the project's root.
        #[default("\".behavior/memory/behavior.json\"")]
        control_file: Spanned<Box<str>>,
        /// When a workflow pauses that was looked at from outside.
        #[default("{}")]
        oversight: OversightConfig,
        /// The model that is asked wherever one is, unless what asks names another.
        #[default("null")]
        brain: Brain,
        /// Whether the model of the application's coordinator is asked where no `brain` is given, or else the
        /// `default_brain` of the user's own `config.yaml`.
        #[default("true")]
        use_agent_brain: Spanned<bool>,
    }

    /// When a workflow pauses that was looked at from outside.
    OversightConfig, "oversight" {
        /// The risk from which on it pauses: 0 always, 1 only at the highest.
        #[default("0.7")]
        pause_at: Spanned<f64>,
    }

    /// How much of what rules say is told, and to whom.
    DeliveryConfig, "how much is told" {
        /// How many warnings and reminders the agent is told in a turn at most. Any number if left out.
        max_per_turn: Spanned<Int<0, 4_000_000_000>>,
        /// What of the findings the agent shows its user, where it can.
        #[default("blocks")]
        show_user: ShowUser,
    }

    /// How many calls there are between two times.
    RepeatCalls, "a number of calls" {
        /// How many calls there are from one time to the next, at least.
        #[required(true)]
        calls: Spanned<Int<1, 4_000_000_000>>,
    }

    /// What makes a rule silent.
    ExceptionConfig, "an exception" {
        /// The id of the rule.
        #[required(true)]
        rule: Spanned<Box<str>>,
        /// When it is silent.
        #[required(true)]
        when: ConditionNode,
        /// Why, for those who read it later.
        #[default("\"\"")]
        reason: Spanned<Box<str>>,
        /// The day on which it ends, such as `2030-01-31`: it does not hold on that day any more, in
        /// UTC.
        until: Spanned<Box<str>>,
    }

    /// A reusable set of rules, in `behavior/<name>.yaml`.
    Profile, "a profile" {
        /// The name shown as the title of the prompt section.
        name: Spanned<Box<str>>,
        /// What the profile is for; the classifier is told.
        #[default("\"\"")]
        description: Spanned<Box<str>>,
        /// The preset or profile that this one starts from.
        extends: ProfileName,
        /// Switches built-in rules on and off, and rules of the profile that this one extends off, and sets thresholds.
        #[default("{}")]
        rules: RuleSwitches,
        /// Instructions added to the agent's system prompt.
        prompt: Spanned<Box<str>>,
        /// Rules in the older form; use `rule_definitions` for new ones.
        #[default("[]")]
        custom: Vec<Spanned<CustomRule>>,
        /// The rules of this profile.
        #[default("[]")]
        rule_definitions: Vec<Spanned<RuleDefinition>>,
        /// What is remembered during a session.
        state_tracking: StateTracking,
        /// What is known of programs that shell commands name, beside what is built in.
        ///
        /// A key is a program's name, or that of a subcommand such as `git push`. What is said
        /// here adds to what is built in.
        #[default("{}")]
        programs: Named<ProgramConfig>,
        /// Classes of commands that `runs: { class: NAME }` asks for, beside what is built in.
        ///
        /// Each is a list of command patterns and descriptions, as `runs` takes them. What is said of a built-in
        /// class adds to it.
        #[default("{}")]
        command_classes: Named<Vec<Node>>,
        /// A document that the agent is reminded of at the start of every turn.
        ///
        /// A path such as `response-rules-reminder.md`: the file of the project, else that of the
        /// user. A file of the project that is blank does not hide that of the user. An empty path
        /// switches off the reminder of the profile that this one extends.
        #[default("\"\"")]
        turn_reminder: Spanned<Box<str>>,
        /// How much of what rules say is told, and to whom.
        ///
        /// What a config says itself wins over this.
        #[default("{}")]
        delivery: DeliveryConfig,
        /// How turns are classified.
        classifier: ClassifierConfig,
        /// Whether a model looks at each answer of the agent, and how.
        verifier: VerifierRecord,
    }

    /// One rule: when it is looked at, what must hold, and what happens then.
    RuleDefinition, "a rule definition" {
        /// The rule's name, shown wherever it fires. Unique in its list.
        #[required(true)]
        id: Spanned<Box<str>>,
        /// What the rule is for. It stands in the rule list of the system prompt.
        #[default("\"\"")]
        description: Spanned<Box<str>>,
        /// The tools that the rule concerns: a name, a list of names, or `*`.
        ///
        /// A bare name such as `edit` selects that tool in every namespace; a qualified one such as
        /// `filesystem.edit` selects that tool and the bare `edit`. Case does not count, and `__`
        /// is the same as `.`.
        #[default("\"*\"")]
        trigger: OneOrMany<ToolName>,
        /// When the rule is looked at.
        #[default("pre_tool")]
        when: When,
        /// What happens when it fires.
        #[default("warn")]
        action: Action,
        /// What must hold. Without it, the rule always fires.
        #[default("{}")]
        condition: ConditionNode,
        /// What the agent is told, with placeholders such as `{target}`.
        #[default("\"\"")]
        message: MessageText,
        /// What is answered where nobody can tell whether the rule applies, if it blocks or asks.
        ///
        /// Without it, what the config says.
        #[default("ask")]
        when_undecided: WhenUndecided,
        /// What becomes of an ask of the rule where nobody can be asked.
        ///
        /// Without it, what the config says.
        #[default("deny")]
        when_nobody_can_answer: WhenUnanswered,
        /// Whether a user may allow what the rule stops, with `behavior allow`.
        #[default("true")]
        grantable: Spanned<bool>,
        /// How often the agent is told what the rule warns or reminds of.
        ///
        /// What it is not told is found nevertheless, and listed. Blocks and asks are always told.
        #[default("always")]
        repeat: Repeat,
        /// The tools without which the rule makes no sense: it is off where an agent does not have one.
        #[default("[]")]
        needs: OneOrMany<ToolName>,
        /// Whether the rule holds in sub-agents.
        #[default("true")]
        in_subagent: bool,
        /// Calls on which the rule must fire and others that it must let pass.
        examples: RuleExamples,
    }

    /// A rule of a `custom` list: a rule definition under an older name, or the older shape with
    /// `rule`, `enforce` and flat conditions such as `{ param: command, contains: sudo }`.
    CustomRule, "a custom rule" {
        /// The rule's name. Unique in its list.
        #[default("custom")]
        id: Spanned<Box<str>>,
        /// What the rule is for.
        #[default("\"\"")]
        description: Spanned<Box<str>>,
        /// Older name of `description`; also the message, where there is none.
        rule: Spanned<Box<str>>,
        /// The tools that the rule concerns.
        #[default("\"*\"")]
        trigger: OneOrMany<ToolName>,
        /// When the rule is looked at.
        #[default("pre_tool")]
        when: When,
        /// Older name of `when`.
        enforce: When,
        /// What happens when it fires.
        #[default("warn")]
        action: Action,
        /// What must hold.
        #[default("{}")]
        condition: ConditionNode,
        /// What the agent is told.
        #[default("\"\"")]
        message: MessageText,
        /// What is answered where nobody can tell whether the rule applies, if it blocks or asks.
        #[default("ask")]
        when_undecided: WhenUndecided,
        /// What becomes of an ask of the rule where nobody can be asked.
        #[default("deny")]
        when_nobody_can_answer: WhenUnanswered,
        /// Whether a user may allow what the rule stops, with `behavior allow`.
        #[default("true")]
        grantable: Spanned<bool>,
        /// How often the agent is told what the rule warns or reminds of.
        ///
        /// What it is not told is found nevertheless, and listed. Blocks and asks are always told.
        #[default("always")]
        repeat: Repeat,
        /// The tools without which the rule makes no sense: it is off where an agent does not have one.
        #[default("[]")]
        needs: OneOrMany<ToolName>,
        /// Whether the rule holds in sub-agents.
        #[default("true")]
        in_subagent: bool,
        /// Calls on which the rule must fire and others that it must let pass.
        examples: RuleExamples,
    }

    /// What is remembered during a session.
    StateTracking, "state tracking" {
        /// Sets of targets: files read, tables queried, …
        #[default("{}")]
        sets: Named<Spanned<SetConfig>>,
        /// Numbers that go up and are reset.
        #[default("{}")]
        counters: Named<Spanned<CounterConfig>>,
        /// Switches that are set and unset.
        #[default("{}")]
        flags: Named<Spanned<FlagConfig>>,
    }

    /// A set of targets that tool calls add to.
    SetConfig, "a set" {
        /// The tools that add their target to the set once they have run, even if they failed.
        #[default("[]")]
        add_on: OneOrMany<ToolName>,
        /// The tools that add their target as soon as they are called, unless the call is denied.
        ///
        /// Calls that are issued together then count for each other, whatever the order of their
        /// results.
        #[default("[]")]
        add_on_call: OneOrMany<ToolName>,
        /// The tools that add their target once they have run without failing.
        #[default("[]")]
        add_on_success: OneOrMany<ToolName>,
        /// What must hold of a call that has run for it to add its target.
        ///
        /// Without `add_on` and `add_on_success`, calls of all tools are looked at.
        add_when: ConditionNode,
        /// The parameter that holds the target.
        #[default("file_path")]
        target: ParamName,
        /// Other parameters that may hold it, tried in order.
        #[default("[]")]
        aliases: OneOrMany<ParamName>,
        /// How many turns an entry lives, counting the one that made it. Unlimited if left out.
        ///
        /// Using the target again, or a successful edit of it, starts the time again.
        window_turns: Spanned<Int<1, 4_000_000_000>>,
        /// Whether the file's size and modification time are kept, for `target_changed_since`.
        #[default("false")]
        fingerprint: bool,
        /// Whether entries stay when the agent's context is put in short. What the agent has read is gone
        /// from its context then, unless it reads it again.
        #[default("true")]
        survives_compaction: bool,
        /// The files that calls of any tool touch, shell commands among them, that are added besides.
        ///
        /// `read` and `written`: by a call that succeeds. `made`: written where nothing was, by a call that is made;
        /// where the user is asked about it, once it has succeeded.
        /// `moved`: where a call that is made moves or links files of the project, but for those that the session made
        /// and those that version control does not keep.
        /// Files whose path nobody knows are not added, nor those that only a directory stands for.
        #[default("[]")]
        add_paths: OneOrMany<AddedPaths>,
    }

    /// A number that tool calls count up and reset.
    CounterConfig, "a counter" {
        /// The tools that count up by one. At least one, unless `increment_when` says what counts: a
        /// counter that never counts is an error.
        increment_on: OneOrMany<ToolName>,
        /// What must hold of a call that has run for it to count up.
        ///
        /// Without `increment_on`, calls of all tools are looked at.
        increment_when: ConditionNode,
        /// The tools that reset it to 0.
        #[default("[]")]
        reset_on: OneOrMany<ToolName>,
        /// Resets it besides: when a tool is called in a certain way, or when a condition holds.
        reset_when: CounterReset,
        /// What it counts in: the session, or each turn anew.
        #[default("session")]
        per: Lifetime,
        /// When a call counts.
        ///
        /// `started` counts a call before it runs, so that of several calls that are made at once each sees those
        /// before it. A call that a rule or a policy denies does not count; one that had not run when the turn ended is
        /// taken back. `increment_when` is then asked before the call.
        #[default("ended")]
        count: Counted,
    }

    /// Resets a counter when a parameter of a call matches.
    ResetWhen, "a conditional reset" {
        /// The tools, separated by commas or as a list.
        #[required(true)]
        tool: OneOrMany<ToolName>,
        /// The parameter that is looked at; `command` where `runs` is given.
        param: ParamName,
        /// The pattern that it must match, ignoring case.
        matches: PatternText,
        /// What the command line in it must run, as the condition `runs` says it.
        runs: Node,
    }

    /// What is known of a program: which flags mean the same, which take values, what it runs.
    ///
    /// Flags are written without dashes.
    ProgramConfig, "a program" {
        /// Other names of the same program.
        #[default("[]")]
        also: OneOrMany<Box<str>>,
        /// Other commands that are the same program, such as `python -m pip` for `pip`. A pattern that
        /// names one of them is about all; an allow only about those without flags.
        #[default("[]")]
        same_programs: OneOrMany<Box<str>>,
        /// Subcommands that mean the same, a list for each meaning, such as `[run, container run]`. A
        /// pattern that names one of them is about all.
        #[default("[]")]
        same_subcommands: Vec<Vec<Box<str>>>,
        /// Flags that mean the same, a list for each meaning. Dashes may be left out, as everywhere.
        #[default("[]")]
        same: Vec<Vec<Box<str>>>,
        /// Other flags that it has, so that long ones may be abbreviated.
        #[default("[]")]
        flags: OneOrMany<Box<str>>,
        /// Flags that take a value: the rest of the word, or the next word.
        #[default("[]")]
        values: OneOrMany<Box<str>>,
        /// Flags that take the next two words, such as `--bind FROM TO`.
        #[default("[]")]
        two_values: OneOrMany<Box<str>>,
        /// Flags that may have a value in the same word.
        #[default("[]")]
        optional: OneOrMany<Box<str>>,
        /// Whether a word such as `-name` is one flag.
        #[default("false")]
        single_dash: bool,
        /// What it does with its operands.
        #[default("nothing")]
        runs: Runs,
        /// How many operands stand before what it runs.
        #[default("0")]
        skip: Int<0, 16>,
        /// Whether what it runs is all that it does, so that allowing that is enough.
        #[default("false")]
        transparent: bool,
        /// Whether `NAME=value` may stand before what it runs, or is what it sets.
        #[default("false")]
        assignments: bool,
        /// Whether it adds words from its input to what it runs.
        #[default("false")]
        more_words: bool,
        /// Whether it runs the statements that it reads from its input.
        #[default("false")]
        statements: bool,
        /// Flags whose value is a command line that it runs.
        #[default("[]")]
        lines: OneOrMany<Box<str>>,
        /// Flags that run the words behind them, up to `;` or `+`.
        #[default("[]")]
        commands: OneOrMany<Box<str>>,
        /// Flags of a shell that make its first operand a command line.
        #[default("[]")]
        script: OneOrMany<Box<str>>,
        /// Flags of a shell that make it read its input whatever its operands.
        #[default("[]")]
        input: OneOrMany<Box<str>>,
        /// Flags whose value is a file of commands or statements.
        #[default("[]")]
        files: OneOrMany<Box<str>>,
        /// Flags whose value is `NAME=VALUE` and may set a command.
        #[default("[]")]
        setting_flags: OneOrMany<Box<str>>,
        /// The settings whose value is a command line.
        #[default("[]")]
        settings: OneOrMany<Box<str>>,
        /// The settings that run nothing, with `*` at the end for any ending. Where some are named, a
        /// setting that stands in neither list may run something, and no policy allows that.
        #[default("[]")]
        harmless: OneOrMany<Box<str>>,
        /// Whether its operands may be settings, too: `NAME=VALUE`.
        #[default("false")]
        setting_operands: bool,
        /// Flags with which it runs something that nobody sees. No policy allows that.
        #[default("[]")]
        hidden: OneOrMany<Box<str>>,
        /// Flags with which it runs nothing of what it is given, such as `-n` of a shell.
        #[default("[]")]
        idle: OneOrMany<Box<str>>,
        /// Flags whose value is a directory with settings of its own, which may make it run something. No
        /// policy allows one that may lie elsewhere.
        #[default("[]")]
        directories: OneOrMany<Box<str>>,
        /// Whether it runs something that nobody sees, or writes files for which it has no flag, whenever it
        /// is called. No policy allows that but by its own name.
        #[default("false")]
        unseen: bool,
        /// Whether a first operand that is no subcommand of it may be an alias, which stands for anything. No
        /// policy allows that.
        #[default("false")]
        aliases: bool,
        /// Whether what it changes is the repository of the directory in which it runs, and nothing else.
        #[default("false")]
        changes_repository: bool,
        /// Whether it only looks where it is given no operand, and no flag with a value.
        #[default("false")]
        looks_alone: bool,
        /// Whether it runs files of its `language` that it finds by their names, as runners of tests do. Those that the
        /// same line wrote before are read.
        #[default("false")]
        finds_code: bool,
        /// Whether it runs commands of its own that it reads, or that stand in files which its operands name. In files
        /// that the session wrote, they are looked at.
        #[default("false")]
        runs_files: bool,
        /// Flags whose value is the program that is run, given the operands.
        #[default("[]")]
        entry: OneOrMany<Box<str>>,
        /// Flags whose value is a command in a code that nobody reads.
        #[default("[]")]
        encoded: OneOrMany<Box<str>>,
        /// Flags whose value stands for the operands before what it runs.
        #[default("[]")]
        instead: OneOrMany<Box<str>>,
        /// Whether operands behind `:::` are what it puts into the line that it runs.
        #[default("false")]
        sources: bool,
        /// Whether its first operand, or else the values of its flag `e`, are scripts of `sed`.
        #[default("false")]
        sed_scripts: bool,
        /// Texts behind which the rest of a line of what it is given is a command line that it runs,
        /// such as `\!`. With `^` before it, a text counts where a word begins; what stands behind
        /// one that ends with a quote ends with the next such quote, as in `system("`. With `>` before it, the name of
        /// a file that is written stands behind a text, with `<` that of one that is read; behind `name(…` the second
        /// argument is the command line.
        #[default("[]")]
        escapes: OneOrMany<Box<str>>,
        /// The language whose code it is given to run, in the values of its flags, as an operand, or to read.
        #[default("none")]
        language: CodeLanguage,
        /// A flag that an operand with `+` before it means too, as `+main` is a forced `main` to
        /// `git push`.
        plus: Box<str>,
        /// What it does with files, a list of uses. A subcommand does not do what its program does.
        #[default("[]")]
        touches: Vec<FileUseConfig>,
        /// Whether what it runs, runs on another machine or on other files.
        #[default("false")]
        elsewhere: bool,
        /// Whether its first operand may be flags without a dash, as in `tar xf FILE`.
        #[default("false")]
        bundled: bool,
        /// Whether an operand with a colon before any slash names a file of another machine.
        #[default("false")]
        remote: bool,
        /// Whether the values of its flags `name` and `iname` choose among the files below its operands, as those of
        /// `find` do.
        #[default("false")]
        chooses_by_name: bool,
        /// Whether its operands may be patterns that it matches itself, quoted or not, as those of `git rm` and `unzip`.
        #[default("false")]
        matches_patterns: bool,
        /// Whether it prints commands for `eval` that are known to do no harm.
        #[default("false")]
        prints_commands: bool,
        /// Words behind its name that make it run another program out of code in a language of its
        /// own, where nobody looks for it, such as
        /// `-c 'import gc; next(f for f in gc.get_objects() if getattr(f, "__name__", "") == "system")("rm -rf /home")'`.
        ///
        /// An allow that lets them through is warned about.
        runs_code: Box<str>,
    }

    /// What a program does with some of the files that its words name. Each field names the words:
    /// `operands` (all of them), `first`, `rest` (all but the first), `last` (of several), `others` (all
    /// but the last), `stems` (all of them, each without its last ending), `here` (the working directory), a flag with
    /// its dash for its value, and with `@` behind it for what stands behind that sign in the value, a text with `=`,
    /// `/` or `:` at its end for the operand that begins with it, `:` for what stands behind a colon in operands, a text with
    /// `*` before it for what stands behind that in any word, at its beginning or behind a comma, `=` or a blank, up to the
    /// next comma, or a path such as `./.lock` or `~/.rc` for a file of the program's own.
    FileUseConfig, "a use of files" {
        /// Files that it reads.
        #[default("[]")]
        reads: OneOrMany<Box<str>>,
        /// Files that it writes, or of which it changes what is known.
        #[default("[]")]
        writes: OneOrMany<Box<str>>,
        /// Files that it deletes or moves away.
        #[default("[]")]
        deletes: OneOrMany<Box<str>>,
        /// Directories in which it writes files that nobody names.
        #[default("[]")]
        fills: OneOrMany<Box<str>>,
        /// Files that it writes, or directories in which it writes files called as its other operands.
        #[default("[]")]
        receives: OneOrMany<Box<str>>,
        /// Files that it may write, or directories of which it may write some files, as formatters do.
        #[default("[]")]
        changes: OneOrMany<Box<str>>,
        /// Files or directories that it makes, and fails where something is there.
        #[default("[]")]
        makes: OneOrMany<Box<str>>,
        /// Where what it runs has files of its own, which are as they were when it is run again: `here`.
        #[default("[]")]
        runs_anew: OneOrMany<Box<str>>,
        /// The directory in which it works.
        #[default("[]")]
        works_in: OneOrMany<Box<str>>,
        /// Flags that must all be there, each alone or with its value: `m=venv`; `*` stands for an operand.
        #[default("[]")]
        with: OneOrMany<Box<str>>,
        /// Flags of which none may be there.
        #[default("[]")]
        without: OneOrMany<Box<str>>,
    }

    /// A switch that tool calls set and unset.
    FlagConfig, "a flag" {
        /// The tools that make it true. At least one, unless `set_when` says what does: a flag that is
        /// never set is an error.
        set_on: OneOrMany<ToolName>,
        /// What must hold of a call that has run for it to make the flag true.
        ///
        /// Without `set_on`, calls of all tools are looked at.
        set_when: ConditionNode,
        /// The tools that make it false again.
        #[default("[]")]
        unset_on: OneOrMany<ToolName>,
        /// What makes it false again besides, of a call that has run.
        unset_when: ConditionNode,
        /// How long it stays: for the session, or until the turn is over.
        #[default("session")]
        per: Lifetime,
    }

    /// How turns are classified before the agent acts.
    ClassifierConfig, "a classifier" {
        /// On which turns the classifier runs.
        #[default("every_turn")]
        frequency: Frequency,
        /// The `n` of `every_n_turns`.
        #[default("3")]
        frequency_n: Int<1, 1_000_000>,
        /// Whether messages that only acknowledge (`ok`, `yes`, `continue`, …) are left out.
        #[default("true")]
        skip_followups: bool,
        /// How long the model may take, in seconds.
        #[default("15")]
        timeout: Spanned<f64>,
        /// The model that classifies, where it is not the `brain` of the config.
        #[default("null")]
        brain: Brain,
        /// The complexities that the model chooses from, lowest first.
        complexity_levels: Vec<Spanned<Level>>,
        /// The approaches that the model chooses from.
        approaches: Vec<Spanned<Level>>,
        /// The risks that the model chooses from, lowest first.
        risk_levels: Vec<Spanned<Level>>,
        /// How many directives are passed on.
        #[default("5")]
        max_directives: Int<0, 1000>,
        /// What the model is told of the session.
        #[default("{}")]
        context: ClassifierContext,
        /// A system prompt in place of the built-in one; may be a reference such as
        /// `{{prompt.classifier}}`.
        #[default("null")]
        system_prompt: MessageSource,
        /// The first line of a directive.
        directive_prefix: DirectiveText,
        /// What is added to a directive at and above the threshold.
        high_risk_warning: DirectiveText,
        /// The risk from which on the warning is added.
        #[default("medium")]
        high_risk_threshold: RiskName,
        /// The end of a directive.
        directive_footer: DirectiveText,
    }

    /// What the classifier's model is told of the session.
    ClassifierContext, "a classifier context" {
        /// The tools that the agent has.
        #[default("true")]
        tool_inventory: bool,
        /// What the session has seen so far.
        #[default("true")]
        session_state: bool,
        /// What is known of the workspace.
        #[default("true")]
        workspace_info: bool,
        /// The last messages.
        #[default("true")]
        recent_history: bool,
        /// How many messages.
        #[default("8")]
        history_depth: Int<0, 1000>,
    }

    /// Whether a model looks at each answer of the agent: whether what it says of files stands on what
    /// the agent has looked at.
    VerifierRecord, "a verifier" {
        /// Whether it runs: `true`, `false`, or `auto` for wherever there is a model to ask.
        #[default("auto")]
        enabled: Spanned<VerifierSwitch>,
        /// The model that verifies. Without it, that of `brain`.
        #[default("null")]
        brain: Brain,
        /// How many turns what the agent looked at counts as evidence.
        #[default("4")]
        window_turns: Int<1, 1_000_000>,
        /// How many flags in a row make the agent go on; then an answer passes unseen.
        #[default("2")]
        max_rounds: Int<0, 1000>,
        /// A rubric in place of the built-in one; may be a reference such as `{{prompt.verifier}}`.
        #[default("null")]
        system_prompt: MessageSource,
        /// Whether answers are verified where nobody is there to read them, too.
        #[default("false")]
        headless: bool,
    }

    /// A vocabulary entry with everything that is said of it.
    LevelConfig, "a vocabulary entry" {
        /// What the model answers with.
        #[required(true)]
        name: Spanned<Box<str>>,
        /// What the agent is shown of an approach: behind `Approach:`, and where a text has `{approach_label}`. The
        /// name, if left out.
        label: Spanned<Box<str>>,
        /// When the model should choose it.
        when: Spanned<Box<str>>,
        /// How the agent should then work: the model is told, and writes its directives so.
        behavior: Spanned<Box<str>>,
    }

    /// A language model.
    Brain, "a brain" {
        /// Who runs the model.
        provider: Spanned<Box<str>>,
        /// The model's name.
        model: Spanned<Box<str>>,
        /// The protocol that it speaks: `openai_compat` or `anthropic`. The provider's own, if left out.
        backend: Spanned<Box<str>>,
        /// Settings of the provider: `base_url`, and `api_key` as `{{secret.NAME}}`.
        config: Node,
        /// The key as `{{secret.NAME}}`, or a mapping that holds it.
        credential: Node,
        /// How freely the model chooses, 0 or more.
        temperature: Spanned<f64>,
        /// The most tokens of an answer.
        max_tokens: Int<1, 4_000_000_000>,
        /// The share of likely tokens that are considered.
        top_p: Spanned<f64>,
        /// How long an answer may take, in seconds.
        timeout: Spanned<f64>,
    }
}

record! {
    /// A policy: which tool calls run, which are asked about, and which do not run.
    ///
    /// It stands in `behavior/policy.toml` of a project, in `behavior/policy.toml` of the user's
    /// config directory, and in `/etc/behavior/policy.toml` for the administrator. Each is judged
    /// by itself, and the strictest answer counts.
    PolicyFile, "a policy" {
        /// What is done with calls that no rule covers.
        ///
        /// It speaks for its own policy. Where several files make up one, the first that sets a
        /// mode decides. The mode that an agent tells can only make it stricter; `--mode` wins
        /// over all.
        #[default("ask")]
        approval_mode: Spanned<ApprovalMode>,
        /// The rules: a table `[[rules]]` for each.
        ///
        /// The first that matches a call decides, after those of `admin` are put before those of
        /// `user`, and these before those of `default`.
        #[default("[]")]
        rules: Vec<Spanned<PolicyRule>>,
    }

    /// A rule of a policy: what it is about, and what is done with it.
    ///
    /// It has a `pattern`, or `tool_pattern` and `arg_pattern`. What `params`, `host`, `path`, `reads` and `writes`
    /// say must hold as well; where they stand alone, the rule is about every tool.
    PolicyRule, "a policy rule" {
        /// What the rule is called wherever it decides.
        #[required(true)]
        name: Spanned<Box<str>>,
        /// Rules of a higher priority are looked at first. It orders rules of one policy only.
        #[default("user")]
        priority: Priority,
        /// What is done with the calls that it matches.
        #[required(true)]
        action: PermissionAction,
        /// The calls that it is about: tools, commands, or both, with `|` between alternatives.
        ///
        /// A tool's name (`edit`, `read_*`); a command (`git push *`, `bash(rm -rf *)`), which is
        /// tried on every command that a command line runs; `mcp(server/tool)` for a tool of an
        /// MCP server. `*` stands for any text, `?` for one character, `[…]` and `[!…]` for one of
        /// a class; as a word of a command, `*` is any number of words, also none.
        pattern: PolicyPattern,
        /// The tools that it is about, in place of `pattern`.
        #[default("\"*\"")]
        tool_pattern: PolicyPattern,
        /// The arguments that it is about, in place of `pattern`.
        ///
        /// For a tool that runs commands, it is a command: `git push *`. For another tool, one
        /// argument or all of them joined by blanks must match it; case counts. A blank and `*` at
        /// the end also match nothing.
        arg_pattern: PolicyPattern,
        /// Parameters of the call, by the name that rules or the agent have for them, and the pattern
        /// that each of them must match: `params = { url = "https://docs.rs/*" }`.
        ///
        /// The whole value must match, and case counts. A call without the parameter is none that the
        /// rule is about. Of a list, an allowing rule looks at its JSON, the others also at each item.
        params: Named<ArgumentPattern>,
        /// The host of the addresses that the call names: `docs.rs`, or `*.example.com` for
        /// `example.com` and all that lies below it.
        ///
        /// Case does not count. An allowing rule needs every address of the call to be of the host,
        /// the others one. An address whose host is not plain is asked about. In a command line, every
        /// word that is an address counts, for rules that do not allow.
        host: HostPattern,
        /// The files that the call touches, as the condition `touches` has them: a path pattern, a list
        /// of them, or `{ is = "secret" }`.
        ///
        /// An allowing rule needs every file that the call touches to be one of them, the others one.
        path: Node,
        /// The files that the call reads, as `path` has them.
        reads: Node,
        /// The files that the call writes or deletes, as `path` has them.
        writes: Node,
        /// The only mode in which the rule holds. Without it, the rule holds in every mode.
        approval_mode: Spanned<ApprovalMode>,
        /// Why, for those who meet the rule.
        #[default("\"\"")]
        reason: Spanned<Box<str>>,
    }
}

choice! {
    /// A language whose code a program runs.
    CodeLanguage {
        /// None that is known.
        None = "none",
        /// Python.
        Python = "python",
        /// JavaScript and TypeScript.
        JavaScript = "javascript",
        /// Perl.
        Perl = "perl",
        /// Ruby.
        Ruby = "ruby",
        /// PHP.
        Php = "php",
        /// Lua.
        Lua = "lua",
        /// AWK.
        Awk = "awk",
        /// Rules of `make`.
        Make = "make",
        /// Tables of `cron`.
        Cron = "cron",
        /// Recipes of `just`.
        Just = "just",
        /// Taskfiles.
        Task = "task",
        /// Scripts in a `package.json`.
        Package = "package",
        /// Go.
        Go = "go",
        /// Rust.
        Rust = "rust",
        /// Tcl.
        Tcl = "tcl",
    }

    /// What is done with calls that no rule of a policy covers.
    ApprovalMode {
        /// They are asked about.
        Ask = "ask",
        /// Those that change files are allowed, the others asked about.
        AutoEdit = "autoEdit" or "autoedit", "auto_edit", "auto-edit", "AutoEdit",
        /// They are allowed.
        Yolo = "yolo" or "Yolo", "YOLO",
        /// They are left to the agent's own permissions: the policy has no say on them.
        Agent = "agent",
    }

    /// The order in which the rules of a policy are looked at.
    Priority {
        /// Looked at first.
        Admin = "admin",
        /// Looked at after those of `admin`.
        User = "user",
        /// What holds where nobody says otherwise: looked at last.
        Default = "default",
    }

    /// What a rule of a policy does with a call.
    PermissionAction {
        /// It runs.
        Allow = "allow",
        /// It does not run.
        Deny = "deny",
        /// The user is asked.
        AskUser = "ask_user" or "askuser", "ask-user", "ask",
        /// It runs dry first, and the user looks at what it would do.
        DryRunFirst = "dry_run_first" or "dryrunfirst", "dry-run-first",
    }

    /// When a rule is looked at.
    When {
        /// Before the tool runs.
        PreTool = "pre_tool",
        /// After the tool has run and the state is updated.
        PostTool = "post_tool",
        /// When the agent writes text to the user.
        OnText = "on_text",
        /// When the agent ends its response. What a rule says then makes the agent go on, where it can be made
        /// to, at most twice in a row.
        TurnEnd = "turn_end",
    }

    /// What a program does with its operands.
    Runs {
        /// They are its own.
        Nothing = "nothing",
        /// They are a command that it runs.
        Words = "words",
        /// Joined by blanks, they are a command line that it runs.
        Line = "line",
        /// The first is a command line that it runs; the others are its own.
        Text = "text",
        /// Each of them is a command line that it runs.
        Texts = "texts",
        /// It is a shell: the first operand is a command line or a file of commands.
        Shell = "shell",
    }

    /// What happens when a rule fires.
    Action {
        /// The call does not run; the agent is told why.
        Block = "block",
        /// The user is asked whether the call runs. Only before a tool.
        Ask = "ask",
        /// The call runs; the agent is warned.
        Warn = "warn",
        /// The agent is reminded after the call.
        Remind = "remind",
    }

    /// What a live agent is answered when a call cannot be decided on.
    OnError {
        /// The call runs.
        Allow = "allow",
        /// The user is asked.
        Ask = "ask",
        /// The call does not run.
        Deny = "deny",
    }

    /// What is answered where nobody can tell whether a rule applies.
    WhenUndecided {
        /// The user is asked.
        Ask = "ask",
        /// The call runs.
        Allow = "allow",
        /// The call does not run.
        Deny = "deny",
    }

    /// How often the agent is told what a rule warns or reminds of.
    RepeatWord {
        /// Each time.
        Always = "always",
        /// The first time for each target.
        Target = "target",
        /// The first time in a turn.
        Turn = "turn",
        /// The first time in a session.
        Session = "session",
    }

    /// What of the findings a user is shown.
    ShowUser {
        /// What blocks a call or asks about it.
        Blocks = "blocks",
        /// Nothing.
        None = "none",
        /// Whatever the agent is told.
        All = "all",
    }

    /// When a call counts.
    Counted {
        /// Once it has run.
        Ended = "ended",
        /// Before it runs, unless it is denied.
        Started = "started",
    }

    /// How long something is remembered.
    Lifetime {
        /// For the session.
        Session = "session",
        /// For the turn: the next one starts anew.
        Turn = "turn",
    }

    /// Which files are added to a set.
    AddedPaths {
        /// Those that are read, once the call has succeeded.
        Read = "read",
        /// Those that are written, once the call has succeeded.
        Written = "written",
        /// Those that are written where nothing was, when the call is made; where the user is asked about it, once it
        /// has succeeded.
        Made = "made",
        /// The places to which files of the project are moved, but for those that the session made and those that
        /// version control does not keep, when the call is made.
        Moved = "moved",
    }

    /// What becomes of an ask that nobody can answer.
    WhenUnanswered {
        /// The call does not run.
        Deny = "deny",
        /// The call runs.
        Allow = "allow",
    }

    /// On which turns the classifier runs.
    Frequency {
        /// Every turn.
        EveryTurn = "every_turn",
        /// The first turn of a session.
        FirstTurn = "first_turn",
        /// The turns whose number is a multiple of `frequency_n`.
        EveryNTurns = "every_n_turns",
        /// The turns that begin with a new message of the user.
        OnNewMessage = "on_new_message",
    }

    /// The word for running wherever there is a model to ask.
    VerifierAuto {
        /// It runs where there is a model to ask.
        Auto = "auto",
    }

    /// How much the agent writes.
    Verbosity {
        /// As little as possible.
        Concise = "concise",
        /// As usual.
        Normal = "normal",
        /// With explanations.
        Detailed = "detailed",
    }

    /// How much the agent does without asking.
    Autonomy {
        /// It asks before it changes anything.
        Low = "low",
        /// It asks before larger changes.
        Medium = "medium",
        /// It asks only before what cannot be undone.
        High = "high",
    }
}

/// A text, or a reference to a file that holds it.
pub type MessageSource = Spanned<Box<str>>;

/// Whether answers are verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VerifierSwitch(pub VerifierMode);

impl Decode for VerifierSwitch {
    const SHAPE: Shape = Shape::Either(&[Shape::Bool, VerifierAuto::SHAPE]);

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        Some(Self(match &node.kind {
            Kind::Bool(true) => VerifierMode::On,
            Kind::Bool(false) => VerifierMode::Off,
            Kind::String(_) if node.as_str() == Some("auto") => VerifierMode::Auto,
            _ => {
                wrong_type(node, Self::SHAPE, reports);
                return None;
            }
        }))
    }
}

/// A vocabulary entry: a name, or a mapping with more.
#[derive(Clone, Debug, PartialEq)]
pub struct Level(pub LevelConfig);

impl Decode for Level {
    const SHAPE: Shape = Shape::Either(&[Shape::Text, LevelConfig::SHAPE]);

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        match &node.kind {
            Kind::String(name) => {
                let name = Some(Spanned { value: name.value().into(), span: node.span });
                Some(Self(LevelConfig { name, ..LevelConfig::default() }))
            }
            Kind::Map(_) => LevelConfig::decode(node, reports).map(Self),
            _ => {
                wrong_type(node, Self::SHAPE, reports);
                None
            }
        }
    }
}

/// What resets a counter besides calls of tools: a parameter of a call, or a condition.
#[derive(Clone, Debug, PartialEq)]
pub enum CounterReset {
    /// A parameter of a call.
    Call(Spanned<ResetWhen>),
    /// A condition on a call that has run.
    Condition(ConditionNode),
}

impl Decode for CounterReset {
    const SHAPE: Shape = Shape::Either(&[ResetWhen::SHAPE, Shape::Condition]);

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        let is_call = ["tool", "param", "matches"].iter().any(|key| node.entry(key).is_some());
        // A mapping that says nothing is one to be filled in.
        let is_empty = node.entries().is_some_and(<[_]>::is_empty);
        match is_call || is_empty {
            true => Spanned::decode(node, reports).map(Self::Call),
            false => ConditionNode::decode(node, reports).map(Self::Condition),
        }
    }
}

/// How often the agent is told: a word, or after how many calls again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The manner.
    pub kind: code::Repeat,
    /// With [`code::Repeat::Calls`], how many calls there are between two times.
    pub calls: u32,
}

impl Default for Repeat {
    fn default() -> Self {
        Self { kind: code::Repeat::Always, calls: 0 }
    }
}

impl Decode for Repeat {
    const SHAPE: Shape = Shape::Either(&[RepeatWord::SHAPE, RepeatCalls::SHAPE]);

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        match &node.kind {
            Kind::String(_) => RepeatWord::decode(node, reports).map(Self::from),
            Kind::Map(_) => {
                let calls = RepeatCalls::decode(node, reports)?.calls?.value.0;
                Some(Self { kind: code::Repeat::Calls, calls: calls as u32 })
            }
            _ => {
                wrong_type(node, Self::SHAPE, reports);
                None
            }
        }
    }
}

impl From<RepeatWord> for Repeat {
    fn from(word: RepeatWord) -> Self {
        let kind = match word {
            RepeatWord::Always => code::Repeat::Always,
            RepeatWord::Target => code::Repeat::Target,
            RepeatWord::Turn => code::Repeat::Turn,
            RepeatWord::Session => code::Repeat::Session,
        };
        Self { kind, calls: 0 }
    }
}

/// The `rules` mapping, which [`crate::resolve`] reads: its keys are the ids of built-in rules and of those of
/// profiles, thresholds and settings, which only the rule files know.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RuleSwitches(pub Named<Node>);

impl Decode for RuleSwitches {
    const SHAPE: Shape = Shape::Map(&Shape::Either(&[Shape::Bool, Shape::Int(0, i64::MAX)]));

    fn decode(node: &Node, reports: &mut Reports) -> Option<Self> {
        Named::decode(node, reports).map(Self)
    }
}

impl WhenUndecided {
    /// The verdict on a call of which nobody can tell whether a rule applies.
    #[must_use]
    pub fn verdict(self) -> Verdict {
        match self {
            Self::Ask => Verdict::Ask,
            Self::Allow => Verdict::Allow,
            Self::Deny => Verdict::Deny,
        }
    }
}

impl WhenUnanswered {
    /// The verdict on a call that nobody can be asked about.
    #[must_use]
    pub fn verdict(self) -> Verdict {
        match self {
            Self::Deny => Verdict::Deny,
            Self::Allow => Verdict::Allow,
        }
    }
}

impl ShowUser {
    /// What it is in an image.
    #[must_use]
    pub fn number(self) -> code::ShowUser {
        match self {
            Self::None => code::ShowUser::None,
            Self::Blocks => code::ShowUser::Blocks,
            Self::All => code::ShowUser::All,
        }
    }
}

impl CodeLanguage {
    /// What it is to the reader of shell commands.
    #[must_use]
    pub fn meaning(self) -> Language {
        match self {
            Self::None => Language::Unknown,
            Self::Python => Language::Python,
            Self::JavaScript => Language::JavaScript,
            Self::Perl => Language::Perl,
            Self::Ruby => Language::Ruby,
            Self::Php => Language::Php,
            Self::Lua => Language::Lua,
            Self::Awk => Language::Awk,
            Self::Make => Language::Make,
            Self::Cron => Language::Cron,
            Self::Just => Language::Just,
            Self::Task => Language::Task,
            Self::Package => Language::Package,
            Self::Go => Language::Go,
            Self::Rust => Language::Rust,
            Self::Tcl => Language::Tcl,
        }
    }
}

impl AddedPaths {
    /// What it is in an image.
    #[must_use]
    pub fn meaning(self) -> code::PathUse {
        match self {
            Self::Read => code::PathUse::Read,
            Self::Written => code::PathUse::Written,
            Self::Made => code::PathUse::Made,
            Self::Moved => code::PathUse::Moved,
        }
    }
}
