//! The layout of an image: header, sections and records, each declared once for writing and reading.
//!
//! Everything is little-endian. Tables are arrays of fixed-size records that are read in place, so
//! loading an image copies nothing. Texts are indexes into one table of strings.

/// The first bytes of every image.
pub const MAGIC: [u8; 4] = *b"BHV\x1a";
/// The layout that this code writes and reads.
pub const FORMAT_VERSION: u16 = 19;
/// The meaning of the rule language that compiled code relies on.
pub const LANGUAGE_VERSION: u16 = 1;
/// Stands for "no string", "no index".
pub const NONE: u32 = u32::MAX;

/// A number as it is stored.
pub trait Scalar: Sized + Copy {
    /// Bytes taken.
    const SIZE: usize;
    /// Reads at `offset`; zero where the bytes end, which fixed-size records rule out.
    fn read_at(bytes: &[u8], offset: usize) -> Self;
    /// Appends.
    fn put(self, out: &mut Vec<u8>);
}

macro_rules! scalars {
    ($($type:ty),*) => {$(
        impl Scalar for $type {
            const SIZE: usize = size_of::<$type>();
            #[inline(always)]
            fn read_at(bytes: &[u8], offset: usize) -> Self {
                bytes
                    .get(offset..)
                    .and_then(|tail| tail.first_chunk())
                    .map_or(0, |chunk| <$type>::from_le_bytes(*chunk))
            }
            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}
scalars!(u8, u16, u32, u64, i64);

/// A row of a table.
pub trait Record: Sized {
    /// Bytes taken.
    const SIZE: usize;
    /// Reads a row; `bytes` holds at least [`Record::SIZE`] bytes.
    fn read(bytes: &[u8]) -> Self;
    /// Appends the row.
    fn write(&self, out: &mut Vec<u8>);
}

impl Record for u32 {
    const SIZE: usize = 4;
    #[inline(always)]
    fn read(bytes: &[u8]) -> Self {
        Scalar::read_at(bytes, 0)
    }
    fn write(&self, out: &mut Vec<u8>) {
        Scalar::put(*self, out);
    }
}

impl Record for u64 {
    const SIZE: usize = 8;
    #[inline(always)]
    fn read(bytes: &[u8]) -> Self {
        Scalar::read_at(bytes, 0)
    }
    fn write(&self, out: &mut Vec<u8>) {
        Scalar::put(*self, out);
    }
}

macro_rules! records {
    ($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: $type,)*
        }

        impl Record for $name {
            const SIZE: usize = 0 $(+ <$type as Scalar>::SIZE)*;
            #[inline(always)]
            #[allow(unused_assignments, reason = "the last field's offset is not read again")]
            fn read(bytes: &[u8]) -> Self {
                // One look at the length is enough for all fields.
                let Some(bytes) = bytes.first_chunk::<{ Self::SIZE }>() else {
                    return Self::default();
                };
                let mut offset = 0;
                $(
                    let $field = <$type as Scalar>::read_at(bytes, offset);
                    offset += <$type as Scalar>::SIZE;
                )*
                Self { $($field),* }
            }
            fn write(&self, out: &mut Vec<u8>) {
                $(Scalar::put(self.$field, out);)*
            }
        }
    )*};
}

records! {
    /// A run of rows in another table.
    Run {
        /// The first row.
        start: u32,
        /// How many.
        len: u32,
    }

    /// A rule that is in force, in the order in which findings are reported.
    RuleRecord {
        /// The rule's id: a string.
        id: u32,
        /// Its condition: the first instruction.
        code: u32,
        /// How many instructions; none means that the rule always fires.
        code_len: u32,
        /// The parts of its message: the first.
        message: u32,
        /// How many parts.
        message_len: u32,
        /// The trigger groups that it belongs to: a run of the lists table.
        triggers: u32,
        /// How many.
        triggers_len: u32,
        /// A [`crate::code::Phase`].
        phase: u8,
        /// A [`crate::code::Action`].
        action: u8,
        /// A [`crate::code::Origin`].
        origin: u8,
        /// A [`crate::code::Verdict`]: what is answered where nobody can tell whether a rule that stops calls
        /// applies.
        when_undecided: u8,
        /// A [`crate::code::Verdict`]: what becomes of an ask that nobody can answer.
        when_unanswered: u8,
        /// Whether a user may allow what it stops.
        grantable: u8,
        /// How many exceptions it has.
        exceptions_len: u16,
        /// The first of its exceptions.
        exceptions: u32,
        /// A [`crate::code::Repeat`]: how often the agent is told.
        repeat: u8,
        /// Whether it holds in sub-agents: 0 or 1.
        in_subagent: u8,
        /// How many tools the agent must have for the rule to make sense.
        needs_len: u16,
        /// The first of them: strings of the lists table.
        needs: u32,
        /// With [`crate::code::Repeat::Calls`], how many calls there are between two times.
        repeat_calls: u32,
    }

    /// What makes a rule silent.
    ExceptionRecord {
        /// Its condition: the first instruction.
        code: u32,
        /// How many instructions; none means that it always holds.
        code_len: u32,
        /// Why it was made: a string.
        reason: u32,
        /// Its condition as an expression: a string.
        condition: u32,
        /// The file it stands in: a string.
        file: u32,
        /// Line, from 1.
        line: u32,
        /// Column in characters, from 1.
        column: u32,
        /// The second since the epoch at which it ends, from 1970 to 2106; [`NONE`] where it does not.
        until: u32,
    }

    /// What only people ask of a rule.
    RuleNotes {
        /// What it is for: a string.
        description: u32,
        /// The file it stands in: a string.
        file: u32,
        /// Line, from 1.
        line: u32,
        /// Column in characters, from 1.
        column: u32,
        /// Its triggers, as written: a string.
        trigger: u32,
        /// Its condition as an expression: a string.
        condition: u32,
    }

    /// One instruction. The meaning of the operands depends on `op`.
    Instruction {
        /// An [`crate::operation::Op`].
        op: u8,
        /// A small operand.
        a: u8,
        /// A middle operand.
        b: u16,
        /// A large operand.
        c: u32,
    }

    /// Where the condition behind an instruction stands.
    ConditionNotes {
        /// The instruction.
        at: u32,
        /// The condition as an expression: a string.
        text: u32,
        /// The file: a string.
        file: u32,
        /// Line, from 1.
        line: u32,
        /// Column in characters, from 1.
        column: u32,
    }

    /// A part of a message.
    MessagePart {
        /// A [`crate::code::Placeholder`].
        kind: u32,
        /// A string, or the index of a set, counter or flag.
        argument: u32,
    }

    /// What a tool name selects. Group 0 is `*`; the others are sorted by last part, then full name.
    TriggerGroup {
        /// The normalised trigger, such as `filesystem.edit`: a string.
        full: u32,
        /// Its last part, such as `edit`: a string.
        last: u32,
        /// Rules to look at before a call, always: a run of the lists table.
        pre: u32,
        /// How many.
        pre_len: u32,
        /// Those to look at only when a number is high enough: a run of the thresholds table.
        pre_thresholds: u32,
        /// How many.
        pre_thresholds_len: u32,
        /// Which scans may bring in more: a bit for each.
        pre_scans: u32,
        /// Rules to look at after a call, always.
        post: u32,
        /// How many.
        post_len: u32,
        /// Those to look at only when a number is high enough.
        post_thresholds: u32,
        /// How many.
        post_thresholds_len: u32,
        /// Which scans may bring in more.
        post_scans: u32,
        /// Rules to look at for text, always.
        text: u32,
        /// How many.
        text_len: u32,
        /// Those to look at only when a number is high enough.
        text_thresholds: u32,
        /// How many.
        text_thresholds_len: u32,
        /// Which scans may bring in more.
        text_scans: u32,
        /// Rules to look at when a turn ends, always.
        end: u32,
        /// How many.
        end_len: u32,
        /// Those to look at only when a number is high enough.
        end_thresholds: u32,
        /// How many.
        end_thresholds_len: u32,
        /// Which scans may bring in more.
        end_scans: u32,
        /// State changes: a run of the transitions table.
        transitions: u32,
        /// How many.
        transitions_len: u32,
    }

    /// A rule that can only fire when a number has come to a value.
    Threshold {
        /// Which number: a [`crate::code::Slot`].
        slot: u32,
        /// The rule.
        rule: u32,
        /// The least value.
        least: i64,
    }

    /// A change of state by a call. A group's transitions are in the order in which they apply.
    Transition {
        /// A [`crate::code::Change`].
        change: u32,
        /// The set, counter or flag.
        target: u32,
        /// For a conditional reset, the parameter looked at: a string.
        param: u32,
        /// For a conditional reset, the pattern that it must match.
        pattern: u32,
        /// For a conditional reset, a scan whose literals any match contains; none without one.
        scan: u32,
        /// What must hold besides: the first instruction.
        code: u32,
        /// How many instructions; none means that nothing must.
        code_len: u32,
    }

    /// A tracked set.
    SetRecord {
        /// Its name: a string.
        name: u32,
        /// The parameters that may hold the target, in order: a run of the lists table.
        targets: u32,
        /// How many.
        targets_len: u32,
        /// Whether they are the first of [`crate::TARGET_PARAMS`], so that the target is that of
        /// the call: 0 or 1.
        has_usual_target: u32,
        /// How many turns an entry lives; 0 for ever.
        window: u32,
        /// Whether entries keep the file's size and modification time: 0 or 1.
        fingerprint: u32,
        /// Whether entries stay when the agent's context is put in short: 0 or 1.
        survives_compaction: u32,
        /// Which files that calls touch are added besides: bits of [`crate::code::PathUse`].
        paths: u32,
    }

    /// A text pattern.
    PatternRecord {
        /// As its author wrote it: a string.
        source: u32,
        /// A [`crate::code::Matching`].
        matching: u32,
        /// The regular expression, or the literal in lower case: a string.
        text: u32,
        /// Its automaton: the first byte in the automata section.
        automaton: u32,
        /// How many bytes; 0 where there is none.
        automaton_len: u32,
        /// The pieces, where it is matched by them: a run of the lists table.
        pieces: u32,
        /// How many.
        pieces_len: u32,
        /// A bit for each of [`crate::pieces::Traits`].
        traits: u32,
    }

    /// One pass over one text that finds which rules are worth a look. Its filter and its buckets
    /// are runs of their own tables.
    ScanRecord {
        /// A [`crate::code::ScanSource`].
        source: u32,
        /// For a parameter, its name: a string.
        param: u32,
        /// How many neighbouring bytes are looked up together: one of [`crate::scan::GRAMS`].
        gram: u32,
        /// How far apart the places are that are looked at; at least 1.
        stride: u32,
        /// The first word of the filter.
        filter: u32,
        /// The filter has `2^filter_bits` bits; at least 6.
        filter_bits: u32,
        /// The first bucket boundary.
        buckets: u32,
        /// There are `2^bucket_bits` buckets, and one boundary more.
        bucket_bits: u32,
        /// The first literal.
        literals: u32,
        /// How many.
        literals_len: u32,
    }

    /// A literal of a scan, and the rule, or the alternative of one, that it brings in.
    LiteralRecord {
        /// The text, ASCII in lower case: a string.
        text: u32,
        /// Where in it the bytes start that the scan looks for.
        gram_offset: u32,
        /// The rule.
        rule: u32,
    }

    /// A rule of a policy, in the order in which they are looked at.
    PermissionRecord {
        /// Its name: a string.
        name: u32,
        /// A [`crate::code::PermissionAction`].
        action: u32,
        /// A [`crate::code::Priority`].
        priority: u32,
        /// The only [`crate::code::ApprovalMode`] in which it holds, or none.
        mode: u32,
        /// What it is about: the first row of the alternatives.
        alternatives: u32,
        /// How many.
        alternatives_len: u32,
        /// What else must hold of the call: the first row of the facts.
        facts: u32,
        /// How many.
        facts_len: u32,
        /// What people are told: a string.
        reason: u32,
        /// Its pattern, as written: a string.
        pattern: u32,
        /// The file it stands in: a string.
        file: u32,
        /// Line, from 1.
        line: u32,
        /// Column in characters, from 1.
        column: u32,
    }

    /// One of the things that a rule of a policy is about. In the order of the rules.
    AlternativeRecord {
        /// The rule: a row of the permissions.
        permission: u32,
        /// A [`crate::code::ToolTest`].
        tool_test: u32,
        /// For a name, a string, normalised; for a pattern, its row.
        tool: u32,
        /// What a command must look like, or none.
        shape: u32,
        /// A pattern for one argument or all of them, or none.
        argument: u32,
        /// Whether a scan finds what that asks for: 0 or 1.
        is_scanned: u32,
    }

    /// What must hold of a call beside what its tool and its arguments match. In the order of the rules.
    PermissionFact {
        /// A [`crate::code::FactKind`].
        kind: u32,
        /// For a parameter, its name: a string; for files, bits of [`crate::code::PathKind`].
        name: u32,
        /// A pattern; for files, the constant of their lists.
        pattern: u32,
    }

    /// Which alternatives are about a program. Sorted by program and alternative; those about no
    /// single program come first, under none.
    PermissionProgram {
        /// The program's name in lower case: a string, or none.
        program: u32,
        /// The alternative.
        alternative: u32,
    }

    /// What is known of a program that shell commands name. Sorted by parent and name.
    ProgramRecord {
        /// Its name, in lower case: a string.
        name: u32,
        /// For a subcommand, the row of what it belongs to; else none.
        parent: u32,
        /// Its flags: the first row, sorted by spelling.
        flags: u32,
        /// How many.
        flags_len: u32,
        /// What it does with the words behind its own flags: below [`RUNS`].
        runs: u32,
        /// How many operands stand before what it runs.
        skip: u32,
        /// A bit for each trait that whoever reads command lines gives a meaning to.
        traits: u32,
        /// Settings that name commands, for a flag that sets them: a run of the lists table.
        settings: u32,
        /// How many.
        settings_len: u32,
        /// Settings that run nothing, in lower case, with `*` at the end for any ending: a run of the
        /// lists table; where there are some, all others may run something.
        harmless: u32,
        /// How many.
        harmless_len: u32,
        /// Texts behind which a line of what it is given is a command line: a run of the lists table.
        escapes: u32,
        /// How many.
        escapes_len: u32,
        /// The language whose code it runs: below [`LANGUAGES`].
        language: u32,
        /// The flag that an operand with `+` before it means too: a string, or none.
        plus: u32,
        /// What it does with files: the first of [`FileUse`].
        uses: u32,
        /// How many.
        uses_len: u32,
    }

    /// What a program does with some of the files that it is given.
    FileUse {
        /// What it does: below [`FILE_EFFECTS`].
        effect: u8,
        /// Which of its words name them: below [`FILE_PLACES`].
        place: u8,
        /// Reserved.
        reserved: u16,
        /// The flag whose value, or the text behind which, the file stands: a string, or none.
        name: u32,
        /// The flags that must all be there: strings, a run of the lists table.
        with: u32,
        /// How many.
        with_len: u32,
        /// The flags of which none may be there: strings, a run of the lists table.
        without: u32,
        /// How many.
        without_len: u32,
    }

    /// A flag of a program.
    ProgramFlag {
        /// As it is written, without dashes: a string.
        spelling: u32,
        /// The spelling that stands for all that mean the same: a string.
        canonical: u32,
        /// The first four bytes of the spelling as a number, the first byte counting most.
        key: u32,
        /// Whether it has a value: below [`FLAG_VALUES`].
        value: u8,
        /// What it makes the program run: below [`FLAG_EFFECTS`].
        effect: u8,
        /// Reserved.
        reserved: u16,
    }

    /// What a command must look like.
    ShapeRecord {
        /// The programs that it may be, in lower case: a run of the lists table; none for any.
        programs: u32,
        /// How many.
        programs_len: u32,
        /// A pattern that the program's name matches, or none.
        program_pattern: u32,
        /// The program with its directory, where one is named: a string, or none.
        program_path: u32,
        /// The operands in order: a run of the lists table, each a pattern or none for any number.
        operands: u32,
        /// How many.
        operands_len: u32,
        /// The flags that it must have: pairs of a string and a pattern for the value or none.
        flags: u32,
        /// How many rows of the lists table, two a flag.
        flags_len: u32,
        /// Flags of which it must have one: pairs.
        any_flags: u32,
        /// How many rows.
        any_flags_len: u32,
        /// Flags that it must not have: pairs.
        no_flags: u32,
        /// How many rows.
        no_flags_len: u32,
        /// Patterns of which some operand matches one; none for no such test.
        some_operand: u32,
        /// How many.
        some_operand_len: u32,
        /// Patterns of which some file that it writes by redirection matches one.
        writes: u32,
        /// How many.
        writes_len: u32,
        /// Patterns of which some file that it reads by redirection matches one.
        reads: u32,
        /// How many.
        reads_len: u32,
        /// A pattern that the text it is given matches, or none.
        given: u32,
        /// The programs of which one writes what it reads: a run of the lists table.
        piped_from: u32,
        /// How many.
        piped_from_len: u32,
        /// The programs of which one's output is put into its words: a run of the lists table.
        substitutes: u32,
        /// How many.
        substitutes_len: u32,
        /// The programs of which one runs it: a run of the lists table.
        under: u32,
        /// How many.
        under_len: u32,
        /// Patterns of which no operand matches any.
        without_operand: u32,
        /// How many.
        without_operand_len: u32,
        /// Variables of which one is set for it: pairs of a name and a pattern for the value or none.
        variables: u32,
        /// How many rows of the lists table, two a variable.
        variables_len: u32,
        /// Files of which it is not about: bits of [`crate::code::PathKind`].
        spares_kinds: u32,
        /// The same by patterns and sets: three constants, as [`crate::operand::Paths`] has them, or none where the
        /// shape is about all.
        spares: u32,
        /// A bit for each of [`crate::shapes::Traits`].
        traits: u32,
        /// The letters with which the flags that it asks for begin, as
        /// [`crate::prefilter::flag_letter`] gives them.
        flag_letters: u64,
    }

    /// A rule of a trace policy. In the order of their rules, which come after all others.
    MonitorRecord {
        /// Its id, action and place: a row of the rules.
        rule: u32,
        /// The pair tests that all hold for a pair that it looks at: the first.
        when: u32,
        /// How many.
        when_len: u32,
        /// The pair tests that oblige the next pair: the first.
        trigger: u32,
        /// How many.
        trigger_len: u32,
        /// The tool, the text or the schema: a string; for a path, its row; or none.
        subject: u32,
        /// The second tool or text: a string, or none.
        object: u32,
        /// The reasons that are allowed: a run of the lists table, each a string.
        allowed: u32,
        /// How many.
        allowed_len: u32,
        /// A [`crate::trace_rule::MonitorKind`].
        kind: u8,
        /// A [`crate::code::Scope`].
        scope: u8,
        /// Whether the rule is settled at the end of each turn.
        each_turn: u16,
        /// The thousandths that a token read from a cache counts; within how many responses an obligation is met.
        number: u32,
        /// Reserved.
        reserved: u32,
        /// The limit; for a share, the bits of a floating-point number.
        limit: u64,
    }

    /// A test of a pair of request and response.
    PairTest {
        /// The path: a row of the pair paths.
        path: u32,
        /// The value that it is held against, as JSON: a string.
        value: u32,
        /// An [`crate::code::Operator`].
        operator: u32,
    }

    /// A slot of the hash table of names of programs; an empty one has no name.
    NameRecord {
        /// The name in lower case: a string.
        name: u32,
        /// The program whose subcommand it is: a row of the programs, or none.
        parent: u32,
        /// What is known of it: a row of the programs, or none.
        program: u32,
        /// The hash of parent and name, by which it is found.
        hash: u32,
    }

    /// A slot of the hash table of words that mean something to a first look at a command line; an
    /// empty one has the hash 0.
    PrefilterRecord {
        /// The hash of the word.
        hash: u32,
        /// What it means: a row of the meanings.
        meaning: u32,
    }

    /// What a word means to a first look at a command line. Kinds of programs are bits, and may share
    /// one.
    Meaning {
        /// A bit for each of [`crate::prefilter::Traits`].
        traits: u32,
        /// Reserved.
        reserved: u32,
        /// The kinds of programs that it is of.
        programs: u64,
        /// The kinds of programs behind which it is an operand that makes the line worth reading.
        operands: u64,
        /// The kinds of programs that it is of, of those whose flags may run something.
        flagged_programs: u64,
        /// The kinds of programs whose subcommand it is, of those whose flags may run something.
        flagged_operands: u64,
        /// A bit for each letter with which such a flag of it begins, as
        /// [`crate::prefilter::flag_letter`] gives it.
        flags: u64,
    }

    /// A named number, such as a threshold.
    NamedNumber {
        /// The name: a string.
        name: u32,
        /// Reserved.
        reserved: u32,
        /// The value.
        value: i64,
    }

    /// Facts about the whole program. Exactly one row.
    Program {
        /// The profile it was made from: a string, or none.
        profile: u32,
        /// The rule-list prompt section: a string.
        prompt: u32,
        /// What compiled it: a string.
        producer: u32,
        /// The file that it was compiled from: a string, or none.
        entry: u32,
        /// Whether something looks at all parameters of a call after it ran: 0 or 1.
        keeps_all_params: u32,
        /// Whether a policy is in force: 0 or 1.
        has_policy: u32,
        /// The policy's [`crate::code::ApprovalMode`], or none where it does not say.
        mode: u32,
        /// What a live agent is answered when deciding fails: a [`crate::code::Verdict`], or
        /// none where the config does not say.
        on_error: u32,
        /// The document that the agent is reminded of on every turn: a string, or none.
        turn_reminder: u32,
        /// The beginnings of names of programs that conditions ask for: a run of the lists table.
        beginnings: u32,
        /// How many.
        beginnings_len: u32,
        /// The rules that make no sense without certain tools: a run of the lists table.
        needing: u32,
        /// How many.
        needing_len: u32,
        /// The counters that each turn starts at 0: a run of the lists table.
        turn_counters: u32,
        /// How many.
        turn_counters_len: u32,
        /// The flags that are false at the start of each turn: a run of the lists table.
        turn_flags: u32,
        /// How many.
        turn_flags_len: u32,
        /// The patterns that rules ask of the user's words: a run of the lists table.
        asked: u32,
        /// How many.
        asked_len: u32,
        /// How many warnings and reminders the agent is told in a turn at most; none for any number.
        max_per_turn: u32,
        /// What of the findings a user is shown: a [`crate::code::ShowUser`].
        show_user: u32,
        /// Whether answers are verified: a [`crate::code::VerifierMode`].
        verifier: u32,
        /// How many turns what was looked at counts as evidence.
        verifier_window: u32,
        /// How many flags in a row make the agent go on.
        verifier_rounds: u32,
        /// The author's rubric: a string, or none for the built-in one.
        verifier_prompt: u32,
        /// Whether answers are verified where nobody is there, too: 0 or 1.
        verifier_headless: u32,
        /// Whether the config names a model that verifies: 0 or 1.
        verifier_has_brain: u32,
        /// Whether a condition asks for what answers claim without ground: 0 or 1.
        checks_claims: u32,
        /// Whether a first look at a command line also tells what the policy may ask of it: 0 or 1.
        prefilters_policy: u32,
        /// What finds the alternatives of the policy that may be about the arguments of a call: the first row of
        /// the scans.
        argument_scans: u32,
        /// How many.
        argument_scans_len: u32,
        /// Whether a condition asks which files of the system or the home any program writes by redirection: 0 or 1.
        looks_at_redirects: u32,
    }
}

macro_rules! sections {
    ($($(#[$doc:meta])* $name:ident = $id:literal: $title:literal,)*) => {
        /// The sections of an image, in the order in which they stand: those that nearly every event asks
        /// for lie together at the beginning, so that a short-lived process reads few pages.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Section { $($(#[$doc])* $name = $id,)* }

        impl Section {
            /// All of them.
            pub const ALL: &[Section] = &[$(Section::$name),*];

            /// The name, for people.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Section::$name => $title),* }
            }
        }
    };
}

sections! {
    /// One [`Program`].
    Program = 0: "program",
    /// [`SetRecord`]s.
    Sets = 1: "sets",
    /// The counters' names.
    Counters = 2: "counters",
    /// The flags' names.
    Flags = 3: "flags",
    /// The parameters that anything asks for, so that a session keeps only those of an open call.
    Params = 4: "parameters",
    /// [`Threshold`]s.
    Thresholds = 5: "thresholds",
    /// The thresholds that the config sets: [`NamedNumber`]s.
    Numbers = 6: "numbers",
    /// [`Transition`]s.
    Transitions = 7: "transitions",
    /// [`TriggerGroup`]s.
    Triggers = 8: "triggers",
    /// [`ScanRecord`]s.
    Scans = 9: "scans",
    /// [`RuleRecord`]s.
    Rules = 10: "rules",
    /// [`Instruction`]s.
    Code = 11: "code",
    /// Numbers that do not fit an instruction.
    Constants = 12: "constants",
    /// [`MessagePart`]s.
    Messages = 13: "messages",
    /// Boundaries of the strings: one more than there are.
    StringIndex = 14: "string index",
    /// The strings, one behind the other.
    StringBytes = 15: "strings",
    /// Runs of indexes that other records point at.
    Lists = 16: "lists",
    /// The filters of the scans, in words of 64 bits.
    Filters = 17: "scan filters",
    /// The bucket boundaries of the scans.
    Buckets = 18: "scan buckets",
    /// [`LiteralRecord`]s.
    Literals = 19: "literals",
    /// [`PatternRecord`]s.
    Patterns = 20: "patterns",
    /// The automata of the patterns.
    Automata = 21: "automata",
    /// The classifier's tables, if it runs.
    Classifier = 22: "classifier",
    /// [`ProgramRecord`]s.
    Programs = 23: "programs",
    /// [`ProgramFlag`]s.
    ProgramFlags = 24: "program flags",
    /// [`ShapeRecord`]s.
    Shapes = 25: "command shapes",
    /// [`PermissionRecord`]s.
    Permissions = 26: "permissions",
    /// [`AlternativeRecord`]s.
    Alternatives = 27: "permission alternatives",
    /// [`PermissionProgram`]s.
    PermissionPrograms = 28: "permission programs",
    /// [`RuleNotes`], one for each rule.
    RuleNotes = 29: "rule notes",
    /// [`ConditionNotes`], sorted by instruction.
    ConditionNotes = 30: "condition notes",
    /// [`NameRecord`]s, as [`crate::names`] finds them.
    Names = 31: "program names",
    /// [`MonitorRecord`]s.
    Monitors = 32: "monitors",
    /// [`PairTest`]s.
    PairTests = 33: "pair tests",
    /// The paths into pairs that anything asks for, each a string.
    PairPaths = 34: "pair paths",
    /// [`PrefilterRecord`]s, as [`crate::prefilter`] finds them; none where a first look at a command
    /// line cannot be enough.
    Prefilter = 35: "first look",
    /// [`Meaning`]s.
    Meanings = 36: "meanings of words",
    /// [`FileUse`]s.
    FileUses = 37: "uses of files",
    /// [`ExceptionRecord`]s.
    Exceptions = 38: "exceptions",
    /// [`PermissionFact`]s.
    PermissionFacts = 39: "permission facts",
    /// The language models that the config names; none where it speaks of none.
    Brains = 40: "brains",
    /// The workflow templates, if there are any.
    Workflows = 41: "workflows",
}

/// How many sections there are.
pub const SECTIONS: usize = Section::ALL.len();
/// Bytes of the header before the table of sections.
pub const HEADER_SIZE: usize = 48;
/// Where in the header the checksum stands of the rest of it and of the table of sections.
pub(crate) const SUM: std::ops::Range<usize> = 12..16;
/// Bytes of a row of the table of sections: offset, length, checksum.
pub const SECTION_ENTRY_SIZE: usize = 12;
/// Bytes of the part of the header that names the program that wrote the image.
pub const WRITER_SIZE: usize = 16;

/// How many kinds of [`ProgramRecord::runs`] there are. Whoever reads command lines gives them, and the two
/// below, a meaning.
pub const RUNS: u32 = 6;
/// The number of languages whose code programs run.
pub const LANGUAGES: u32 = 18;
/// How many kinds of [`ProgramFlag::value`] there are.
pub const FLAG_VALUES: u32 = 4;
/// How many kinds of [`ProgramFlag::effect`] there are.
pub const FLAG_EFFECTS: u32 = 13;
/// The bits of [`ProgramRecord::traits`] that mean something.
pub const PROGRAM_TRAITS: u32 = (1 << 23) - 1;
/// How many kinds of [`FileUse::effect`] there are.
pub const FILE_EFFECTS: u32 = 9;
/// How many kinds of [`FileUse::place`] there are.
pub const FILE_PLACES: u32 = 11;
