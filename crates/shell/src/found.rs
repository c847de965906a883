//! What a command is found to run, before it is added to the line. Only data.

use std::ops::Range;

use super::command::Opaque;
use super::environment::Run;
use super::word::Word;

/// What a command was found to run.
#[derive(Clone, Debug)]
pub(super) enum Found {
    /// Some of its words.
    Words(Range<u32>),
    /// Some of its words, in which `{}` stands for a file's name.
    Each(Range<u32>),
    /// A program, and some of the words, which it is given.
    Entry(Word, Range<u32>),
    /// A text, made of these words.
    Text(Range<u32>),
    /// The text of a word, and the words that are its name and its positional parameters.
    Script(Word, Range<u32>),
    /// A text that is a part of a word.
    Part(Word),
    /// A file that holds command lines behind signs that the program knows.
    EscapesOf(Word),
    /// A file that holds a script of `sed`.
    SedFile(Word),
    /// A file that it writes, which a part of a word names.
    Writes(Word),
    /// A file that it reads, which a part of a word names.
    Reads(Word),
    /// The value of a variable that programs run.
    Value(Run, Word),
    /// What an alias stands for, as a subcommand of the same program or behind `!` as a line, with words behind it.
    Alias(String, Range<u32>),
    /// What the hooks run that the program calls.
    Hooks(Word),
    /// What the tasks of a file run: of this one, or of the one that stands where its runner looks.
    Makefile(Option<Word>),
    /// What stands in rules of `make`.
    Rules(Word),
    /// What commands write into a file that this word stands for.
    Process(Word),
    /// What it reads.
    Input,
    /// What it reads, with words that are its positional parameters.
    InputWith(Range<u32>),
    /// The command lines in the text that it reads, behind signs of its own.
    Escapes,
    /// What code of another language, a word, runs and does with files.
    Code(Word),
    /// The same of code that it reads.
    InputCode,
    /// A line of shell that amounts to what it runs.
    Line(String),
    /// What stands in a file that the line wrote before.
    Written(Word),
    /// What stands in a file, which somebody may look up.
    Wanted(Word),
    /// The same of the files that it reads.
    WantedInput,
    /// A file of this name, which somebody may look up.
    WantedFile(String),
    /// The same where it runs nothing of them that stands in the line: somebody may ask what they hold.
    LookedUpInput,
    /// What stands in the files of a module that the line wrote before.
    Module(Word),
    /// What stands in the files that the line wrote before and that the program finds by itself.
    Own,
    /// A line made of these words, once for each of the words behind `:::` in them.
    Sources(Range<u32>),
    /// A variable that it sets for what it runs, or for what follows: its name and its value.
    Assigned(Word, Word),
    /// The same program with a setting before its words that its environment brings.
    Configured(Vec<String>),
    /// The same program with what stands in a file that the line wrote to read, which a part of a word names.
    Included(Word),
    /// Something that nobody knows.
    Opaque(Opaque),
    /// Perhaps something that is not listed.
    More,
}
