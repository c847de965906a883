//! What is known of programs: which run others, which flags mean the same, which take values. Whoever reads
//! command lines brings the knowledge; nothing here knows a program.

use std::fmt::Debug;

use crate::kinds::kinds;
use crate::languages::Language;

/// What is known of programs.
///
/// Programs, their names and the spellings of flags are known by numbers of the implementation's own
/// choosing, below `u32::MAX`: equal numbers mean the same. Names compare without regard to case.
pub trait Knowledge: Debug {
    /// What a name stands for: of a program, or of a subcommand of the program `parent`.
    fn name(&self, parent: Option<u32>, name: &str) -> Option<KnownName>;
    /// What is true of a program.
    fn facts(&self, program: u32) -> Facts;
    /// The text of a name or of the spelling of a flag.
    fn text(&self, id: u32) -> &str;
    /// Whether a setting of a program names a command.
    fn setting_is_command(&self, program: u32, name: &str) -> bool;
    /// Whether a setting of a program runs nothing.
    fn setting_is_harmless(&self, program: u32, name: &str) -> bool;
    /// The texts behind which a line of what a program is given is a command line, by their numbers from 0;
    /// `None` behind the last.
    fn escape(&self, program: u32, number: u32) -> Option<&str>;
    /// A flag of a program by its spelling, without dashes.
    fn flag(&self, program: u32, spelling: &str) -> Option<KnownFlag>;
    /// A long flag of a program by the beginning of its spelling, which has several letters.
    fn abbreviated_flag(&self, program: u32, start: &str) -> Option<KnownFlag>;
    /// What a program does with files, by numbers from 0; `None` behind the last.
    fn file_use(&self, _program: u32, _number: u32) -> Option<FileUse> {
        None
    }
    /// The flags that a use of files asks for, by numbers from 0: those that must be there, and with
    /// `absent` those that may not; `None` behind the last.
    fn file_use_flag(
        &self,
        _program: u32,
        _use_number: u32,
        _absent: bool,
        _number: u32,
    ) -> Option<u32> {
        None
    }
}

/// What a program does with some of the files that its words name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileUse {
    /// What it does.
    pub effect: FileEffect,
    /// Which words name them.
    pub place: FilePlace,
    /// The flag, in the spelling that stands for all that mean the same, or the text before the
    /// name of the file, where the place asks for one.
    pub name: Option<u32>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownName {
    /// What stands for the name.
    pub name: u32,
    /// What stands for the program, where more than the name is known of it.
    pub program: Option<u32>,
}

/// What is true of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// What stands for its name.
    pub name: u32,
    /// What it does with the words behind its own flags.
    pub runs: Runs,
    /// How many operands stand before what it runs.
    pub skip: u32,
    /// Its traits.
    pub traits: Traits,
    /// The flag that an operand with `+` before it means too.
    pub plus: Option<u32>,
    /// The language whose code it is given to run.
    pub language: Language,
    /// Whether it has any [`Knowledge::escape`].
    pub has_escapes: bool,
}

/// A flag that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownFlag {
    /// What stands for the spelling of all that mean the same, without dashes.
    pub canonical: u32,
    /// Whether it has a value.
    pub value: FlagValue,
    /// What it makes the program run.
    pub effect: FlagEffect,
}

kinds! {
    /// What a program does with the words behind its own flags.
    Runs {
        /// They are its own.
        Nothing = "nothing",
        /// They are a command that it runs.
        Words = "words",
        /// Joined by blanks, they are a command line that it runs.
        Line = "line",
        /// It is a shell: the first is a command line or a file of commands; without one, it reads
        /// commands from its input.
        Shell = "shell",
        /// The first is a command line that it runs, the others are its own.
        Text = "text",
        /// Each is a command line that it runs.
        Texts = "texts",
    }

    /// What a program does with files.
    FileEffect {
        /// It reads them.
        Reads = "reads",
        /// It writes them, or what is known of them.
        Writes = "writes",
        /// It deletes them, or moves them away.
        Deletes = "deletes",
        /// It writes files below them that nobody names.
        Fills = "fills",
        /// It writes them, or where they are directories files in them that are called as its other
        /// operands are.
        Receives = "receives",
        /// It works in that directory.
        WorksIn = "works_in",
        /// It writes them, or where they are directories some of the files below them.
        Changes = "changes",
        /// It makes them, and fails where something is there.
        Makes = "makes",
        /// What it runs there has files of its own, which are as they were when it is run again.
        RunsAnew = "runs_anew",
    }

    /// Which words of a command name files.
    FilePlace {
        /// All operands.
        Operands = "operands",
        /// The first operand.
        First = "first",
        /// All operands but the first.
        Rest = "rest",
        /// The last of several operands.
        Last = "last",
        /// All operands but the last.
        Others = "others",
        /// None: the working directory is meant.
        Here = "here",
        /// The value of a flag.
        Flag = "flag",
        /// An operand, behind a text that it begins with.
        Behind = "behind",
        /// None: a file of the program's own is meant.
        Own = "own",
        /// All operands, without the last ending of each name.
        Stems = "stems",
        /// A word of any kind, behind a text that stands in it.
        Inside = "inside",
    }

    /// Whether a flag of a program has a value.
    FlagValue {
        /// It has none.
        None = "none",
        /// It has one: the rest of the word, or the next.
        Required = "required",
        /// It may have one: the rest of the word.
        Optional = "optional",
        /// It has two: the next two words. What it is called with is the first.
        Two = "two",
    }

    /// What a flag of a program makes it run.
    FlagEffect {
        /// Nothing.
        Nothing = "nothing",
        /// Its value, which is a command line.
        Line = "line",
        /// The words behind it up to `;` or `+`, or all.
        Words = "words",
        /// The first operand of a shell, which is a command line.
        Script = "script",
        /// What it reads from its input.
        Input = "input",
        /// What stands in a file that nobody has read.
        File = "file",
        /// Its value, `name=value`, which may set a command.
        Setting = "setting",
        /// Something that nobody sees.
        Hidden = "hidden",
        /// Its value, which is a program that is given the operands.
        Entry = "entry",
        /// Its value, which is a command in a code that nobody reads.
        Encoded = "encoded",
        /// The value is a directory, whose own settings may make it run something.
        Directory = "directory",
        /// Nothing, but its value stands for the operands before what the program runs.
        Instead = "instead",
        /// Nothing, and the program runs nothing of what it is given either.
        Idle = "idle",
    }
}

impl FilePlace {
    /// Whether a flag or a text goes with it.
    #[must_use]
    pub fn has_name(self) -> bool {
        matches!(self, Self::Flag | Self::Behind | Self::Own | Self::Inside)
    }
}

/// What is true of a program, a bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits(pub u32);

impl Traits {
    /// What it runs is all that it does: an allowance for that is enough.
    pub const TRANSPARENT: u32 = 1;
    /// A word such as `-name` is one flag.
    pub const SINGLE_DASH: u32 = 1 << 1;
    /// Operands such as `NAME=value` stand before what it runs.
    pub const ASSIGNMENTS: u32 = 1 << 2;
    /// It adds words from its input to what it runs.
    pub const MORE_WORDS: u32 = 1 << 3;
    /// Its first operand selects a program of its own.
    pub const SUBCOMMANDS: u32 = 1 << 4;
    /// It runs the statements that it reads.
    pub const STATEMENTS: u32 = 1 << 5;
    /// Nothing makes it run anything, and none of its subcommands either.
    pub const INERT: u32 = 1 << 6;
    /// Its operands may be settings.
    pub const SETTINGS: u32 = 1 << 7;
    /// What it prints are commands that do no harm.
    pub const PRINTS_COMMANDS: u32 = 1 << 8;
    /// Some flag makes it run something.
    pub const FLAGS_RUN: u32 = 1 << 9;
    /// Operands behind `:::` are what it puts into what it runs.
    pub const SOURCES: u32 = 1 << 10;
    /// Its first operand, or the values of `e`, are scripts of `sed`.
    pub const SED: u32 = 1 << 11;
    /// Its words may make it run something, whatever its flags do.
    pub const RUNNING: u32 = Self::STATEMENTS | Self::SETTINGS | Self::ASSIGNMENTS | Self::SED;
    /// What it runs, runs on another machine or on other files.
    pub const ELSEWHERE: u32 = 1 << 12;
    /// Its first operand may be flags without a dash, as in `tar xf FILE`.
    pub const BUNDLED: u32 = 1 << 13;
    /// An operand with a colon before any slash is of another machine.
    pub const REMOTE: u32 = 1 << 14;
    /// The values of its flags `name` and `iname` choose among the files below its operands.
    pub const CHOOSES_BY_NAME: u32 = 1 << 15;
    /// Whenever it is called, it does something that nobody sees.
    pub const UNSEEN: u32 = 1 << 16;
    /// A first operand that selects no program of its own may be an alias.
    pub const ALIASES: u32 = 1 << 17;
    /// It changes the repository of the directory in which it runs, and nothing else.
    pub const REPOSITORY: u32 = 1 << 18;
    /// It runs files of its language that it finds without being told.
    pub const FINDS_CODE: u32 = 1 << 19;
    /// Without an operand, and without a flag with a value, it changes nothing.
    pub const LOOKS_ALONE: u32 = 1 << 20;
    /// Its operands may be patterns, which it matches itself.
    pub const MATCHES_PATTERNS: u32 = 1 << 21;
    /// It runs commands of its own, in files that its operands name.
    pub const RUNS_FILES: u32 = 1 << 22;
    /// All bits that mean something.
    pub const ALL: u32 = (1 << 23) - 1;

    /// Whether a bit is set.
    #[must_use]
    pub fn has(self, bit: u32) -> bool {
        self.0 & bit != 0
    }
}

/// The programs that are known.
#[derive(Clone, Copy, Debug)]
pub struct Programs<'k> {
    knowledge: &'k dyn Knowledge,
}

/// A program that is known.
#[derive(Clone, Copy, Debug)]
pub struct Program<'k> {
    knowledge: &'k dyn Knowledge,
    id: u32,
    facts: Facts,
}

#[expect(clippy::derivable_impls, reason = "the enumerations are declared alike")]
impl Default for Runs {
    fn default() -> Self {
        Self::Nothing
    }
}

impl<'k> Programs<'k> {
    /// Those of a body of knowledge.
    #[must_use]
    pub fn new(knowledge: &'k dyn Knowledge) -> Self {
        Self { knowledge }
    }

    /// A program by its name, whatever its case.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Program<'k>> {
        Some(self.at(self.name(name)?.program?))
    }

    /// A name that is known, whatever its case.
    #[inline]
    pub(crate) fn name(&self, name: &str) -> Option<KnownName> {
        self.knowledge.name(None, name)
    }

    /// The program that a number stands for.
    #[must_use]
    pub fn at(&self, id: u32) -> Program<'k> {
        Program { knowledge: self.knowledge, id, facts: self.knowledge.facts(id) }
    }
}

impl<'k> Program<'k> {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'k str {
        self.knowledge.text(self.facts.name)
    }

    /// Its number, as [`Knowledge`] has it.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.id
    }

    /// A program of its own that an operand selects.
    #[must_use]
    pub fn subcommand(&self, name: &str) -> Option<Program<'k>> {
        let known = self.has(Traits::SUBCOMMANDS).then(|| self.knowledge.name(Some(self.id), name));
        Some(Programs::new(self.knowledge).at(known??.program?))
    }

    /// The text of the spelling of a flag.
    pub(crate) fn text(&self, id: u32) -> &'k str {
        self.knowledge.text(id)
    }

    /// Whether this is the same program.
    #[must_use]
    pub fn is(&self, other: &Program<'_>) -> bool {
        self.id == other.id
    }

    /// What it does with its operands.
    #[must_use]
    pub fn runs(&self) -> Runs {
        self.facts.runs
    }

    /// How many operands stand before what it runs.
    #[must_use]
    pub fn skip(&self) -> u32 {
        self.facts.skip
    }

    /// Whether it has a trait of [`Traits`].
    #[must_use]
    pub fn has(&self, bit: u32) -> bool {
        self.facts.traits.has(bit)
    }

    /// Whether a setting of it names a command.
    #[must_use]
    pub fn setting_is_command(&self, name: &str) -> bool {
        self.knowledge.setting_is_command(self.id, name)
    }

    /// Whether a setting of it runs nothing.
    #[must_use]
    pub fn setting_is_harmless(&self, name: &str) -> bool {
        self.knowledge.setting_is_harmless(self.id, name)
    }

    /// The flag that an operand with `+` before it means too.
    pub(crate) fn plus(&self) -> Option<u32> {
        self.facts.plus
    }

    /// The texts behind which a command line stands.
    pub(crate) fn escapes(&self) -> impl Iterator<Item = &'k str> + use<'k> {
        let (knowledge, program) = (self.knowledge, self.id);
        (0..).map_while(move |number| knowledge.escape(program, number))
    }

    /// Whether it runs code of a language that is read here.
    #[must_use]
    pub fn runs_code(&self) -> bool {
        self.facts.language != Language::Unknown
    }

    /// Whether its first operand names a file of such code, and the others are given to that.
    #[must_use]
    pub fn takes_files_of_code(&self) -> bool {
        use Language::{JavaScript, Lua, Perl, Php, Python, Ruby};
        matches!(self.facts.language, JavaScript | Lua | Perl | Php | Python | Ruby)
    }

    /// The language whose code it is given to run.
    pub(crate) fn language(&self) -> Language {
        self.facts.language
    }

    /// Whether there are any.
    pub(crate) fn has_escapes(&self) -> bool {
        self.facts.has_escapes
    }

    /// What it does with files, each with its number.
    pub(crate) fn file_uses(&self) -> impl Iterator<Item = (u32, FileUse)> + use<'k> {
        let (knowledge, program) = (self.knowledge, self.id);
        (0..).map_while(move |number| Some((number, knowledge.file_use(program, number)?)))
    }

    /// The flags that a use of files asks for.
    pub(crate) fn file_use_flags(
        &self,
        use_number: u32,
        absent: bool,
    ) -> impl Iterator<Item = &'k str> + use<'k> {
        let (knowledge, program) = (self.knowledge, self.id);
        let flag = move |number| knowledge.file_use_flag(program, use_number, absent, number);
        (0..).map_while(flag).map(move |flag| knowledge.text(flag))
    }

    /// A flag by its spelling, without dashes.
    #[must_use]
    pub fn flag(&self, spelling: &str) -> Option<KnownFlag> {
        self.knowledge.flag(self.id, spelling)
    }

    /// A long flag by the beginning of its spelling.
    #[must_use]
    pub fn abbreviated_flag(&self, start: &str) -> Option<KnownFlag> {
        self.knowledge.abbreviated_flag(self.id, start)
    }
}
