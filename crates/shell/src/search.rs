//! Looks for what a command runs: what its words say by the table of programs, and what it reads. Adds nothing to the
//! line; `add.rs` does.

use std::ops::{ControlFlow, Range};

use super::argument::{Argument, Flag};
use super::arguments::Arguments;
use super::environment::{self, Run};
use super::escapes::What;
use super::found::Found;
use super::given::{Input, input};
use super::programs::{FlagEffect, Program, Runs, Traits};
use super::{
    Command, CommandLine, HOLE, Language, Opaque, Redirect, RedirectKind, Word, checked, escapes,
    languages, preloads, sed, settings, sources, sql, stored, tasks, written,
};

/// Where a program that runs code of a language finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CodeGiven {
    /// Nowhere yet: if nothing comes, it reads it.
    Nothing,
    /// It reads it.
    Input,
    /// In a word, or in a file.
    Somewhere,
}

/// Looks for what a command runs, and keeps the arguments that it reads. Returns whether those are all, and the program
/// that its words select, by its number.
pub(super) fn search(
    line: &CommandLine,
    (command, index): (&Command, u32),
    program: Program<'_>,
    read: &mut Vec<Argument>,
    found: &mut Vec<Found>,
) -> (bool, u32) {
    if command.opaque.is_some() {
        return (false, program.id());
    }
    let mut arguments = Arguments::new(line, line.words(command), Some(program));
    let mut search = Search::of(line, (command, index), program, found);
    let is_all = loop {
        let at = arguments.position();
        let Some(argument) = arguments.next() else { break true };
        read.push(argument);
        let selected = arguments.program().unwrap_or(search.program);
        let is_selection = !selected.is(&search.program);
        search.program = selected;
        match argument {
            Argument::Flag(flag) => search.take_flag(&flag, arguments.taken()),
            Argument::Operand(word) | Argument::Unknown(word) => {
                let is_unknown = matches!(argument, Argument::Unknown(_));
                let operand = Operand { word, at, is_unknown, is_selection };
                if search.take_operand(&operand).is_break() {
                    break false;
                }
            }
        }
    };
    search.end();
    (is_all, search.program.id())
}

impl CommandLine {
    /// Returns whether whatever may follow the words of a command is a name of a file to it, and neither code nor a flag
    /// that brings some: `python -m py_compile`. Source: `python --help`, of `-m`: it "terminates option list".
    #[must_use]
    pub fn takes_names_alone(&self, command: &Command) -> bool {
        let mut words = self.words(command).iter().map(|word| self.text(word));
        let is_python = words.next().is_some_and(|_| {
            let name = self.program(command).unwrap_or_default();
            name.starts_with("python") || name.starts_with("pypy")
        });
        let is_told = is_python && words.next() == Some("-m");
        is_told && words.next().is_some_and(languages::takes_names)
    }
}

/// A word that is no flag.
struct Operand {
    word: Word,
    /// Its place among the words of the command.
    at: usize,
    /// Whether it may be a flag.
    is_unknown: bool,
    /// Whether it selects a subcommand.
    is_selection: bool,
}

/// What was seen of a command's words so far.
struct Search<'l, 'p, 'f> {
    line: &'l CommandLine,
    command: &'l Command,
    index: u32,
    /// The program, or the subcommand that the words before have selected.
    program: Program<'p>,
    /// How many operands came before what it runs.
    operands: u32,
    /// The program that a flag names, which is given the words.
    entry: Option<Word>,
    /// The name of a setting, whose value follows.
    setting: Option<Word>,
    /// The first operand of `sed`, a script unless a flag gives one.
    sed_script: Option<Word>,
    has_sed_script: bool,
    code: CodeGiven,
    is_script: bool,
    reads_file: bool,
    runs_words: bool,
    is_aliased: bool,
    reads_input: bool,
    is_idle: bool,
    /// Whether its flags make it run something in spite of that.
    is_awake: bool,
    has_operand: bool,
    /// Whether its operands are statements of its language.
    takes_statements: bool,
    is_for_tests: bool,
    is_interactive: bool,
    /// Whether one of its operands is a file of code.
    runs_file: bool,
    /// Whether the first operand is a module.
    awaits_module: bool,
    /// Whether its program runs files of code, whatever its subcommands do.
    is_interpreter: bool,
    found: &'f mut Vec<Found>,
}

impl<'l, 'p, 'f> Search<'l, 'p, 'f> {
    fn of(
        line: &'l CommandLine,
        (command, index): (&'l Command, u32),
        program: Program<'p>,
        found: &'f mut Vec<Found>,
    ) -> Self {
        Self {
            line,
            command,
            index,
            program,
            operands: 0,
            entry: None,
            setting: None,
            sed_script: None,
            has_sed_script: false,
            code: CodeGiven::Nothing,
            is_script: false,
            reads_file: false,
            runs_words: false,
            is_aliased: false,
            reads_input: false,
            is_idle: false,
            is_awake: false,
            has_operand: false,
            is_for_tests: false,
            takes_statements: false,
            is_interactive: false,
            runs_file: false,
            awaits_module: false,
            is_interpreter: program.takes_files_of_code(),
            found,
        }
    }

    /// The words of the command from one on, by its place among them.
    fn rest(&self, from: usize) -> Range<u32> {
        self.command.words.start + from as u32..self.command.words.end
    }

    fn take_flag(&mut self, flag: &Flag, taken: Range<usize>) {
        let (line, program, first) = (self.line, self.program, self.command.words.start);
        let name = flag.name.text(line, program);
        let taken = first + taken.start as u32..first + taken.end as u32;
        look_at_flag(line, self.index, program, flag, taken, self.found);
        self.is_script |= flag.effect == FlagEffect::Script;
        self.is_interactive |= program.runs() == Runs::Shell && name == "i";
        self.reads_input |= flag.effect == FlagEffect::Input && program.runs() == Runs::Shell;
        self.reads_file |= flag.effect == FlagEffect::File;
        self.is_idle |= self.is_told_to_check(flag, name);
        // `bash -n +n`
        self.is_awake |= program.runs() == Runs::Shell && name.starts_with('+');
        if flag.effect == FlagEffect::Entry {
            self.entry = flag.value.filter(|value| !line.text(value).is_empty());
        }
        if flag.effect == FlagEffect::Instead {
            self.operands = program.skip();
        }
        self.runs_words |=
            matches!(flag.effect, FlagEffect::Line | FlagEffect::Words | FlagEffect::Encoded);
        if program.has(Traits::SED) && flag.effect == FlagEffect::File {
            let wanted = flag.value.filter(|_| line.looks_for_scripts());
            self.found.extend(wanted.map(Found::Wanted));
            self.found.extend(flag.value.map(Found::SedFile));
        }
        if program.has(Traits::SED) && name == "e" {
            self.has_sed_script = true;
            flag.value.into_iter().for_each(|value| look_at_sed(line, value, self.found));
        }
        if name == "-" && takes_code(program) && self.code == CodeGiven::Nothing {
            self.code = CodeGiven::Input;
        }
        // `bun run -`: code where the name of a script may stand.
        if name == "-" && self.is_interpreter && program.language() == Language::Package {
            let program = line.program(self.command).unwrap_or_default();
            self.found.push(Found::Line(format!("{program} -")));
        }
        self.is_for_tests |= languages::is_for_tests(program.language(), name);
        self.take_code_of_flag(flag, name);
        // A script of an editor, which has command lines behind signs.
        let script = flag.value.filter(|_| program.has_escapes());
        let script = script
            .filter(|value| value.is_process() || is_written(line, *value, self.index, self.found));
        self.found.extend(script.map(Found::EscapesOf));
        self.look_up_file(flag);
        if let Some(value) = flag.value.filter(|_| program.has_escapes()) {
            look_for_escapes(line, program, value, self.found);
        }
    }

    /// A file of statements, or of commands of its own, as the value of a flag.
    fn look_up_file(&mut self, flag: &Flag) {
        let program = self.program;
        let takes = program.has(Traits::STATEMENTS | Traits::RUNS_FILES);
        let is_file = flag.effect == FlagEffect::File && takes && self.line.looks_for_scripts();
        self.found.extend(flag.value.filter(|_| is_file).map(Found::Wanted));
    }

    /// Whether a flag makes a program check or say something, and run nothing.
    fn is_told_to_check(&self, flag: &Flag, name: &str) -> bool {
        let is_own = !self.has_operand && !self.is_script;
        // What stands behind the code is given to that, in most languages.
        let is_behind = self.code != CodeGiven::Nothing
            && !matches!(self.program.language(), Language::Perl | Language::Ruby);
        let is_option = || {
            let value = flag.value.map_or("", |value| self.line.text(&value));
            name == "o" && value == "noexec" && is_shell(self.program)
        };
        is_own && !is_behind && (flag.effect == FlagEffect::Idle || is_option())
    }

    /// Code, or a file of code, as the value of a flag.
    fn take_code_of_flag(&mut self, flag: &Flag, name: &str) {
        let (line, program) = (self.line, self.program);
        let is_file = flag.effect == FlagEffect::File;
        if languages::is_preloaded(program.language(), name) {
            const ENDINGS: &[&str] = &["", ".rb", ".js", ".cjs", ".mjs"];
            self.is_awake = true;
            let index = self.index as usize;
            if let Some(value) = flag.value {
                match is_written(line, value, self.index, self.found) {
                    true => self.found.push(Found::Written(value)),
                    false => {
                        let file = preloads::file(line, index, line.text(&value), ENDINGS);
                        let run = |path: String| {
                            Found::Line(format!("{} {}", program.name(), sources::quoted(&path)))
                        };
                        self.found.extend(file.map(run));
                    }
                }
            }
            let code = flag.value.and_then(|value| {
                let at = languages::code_in_name(program.language(), line.text(&value))?;
                Some(value.part(value.start + at as u32))
            });
            self.found.extend(code.map(Found::Code));
        }
        let text = flag.value.map_or("", |value| line.text(&value));
        if program.language() == Language::Perl && matches!(name, "M" | "m") {
            let module = preloads::module_of_perl(line, self.index as usize, text);
            self.is_awake |= module.is_some();
            self.found.extend(module.map(Found::Line));
        }
        // `-pe`: the code is the word behind it.
        if languages::is_bundle(program.language(), name, text) {
            return;
        }
        if languages::takes_module_in(program.language(), name, text) {
            self.is_awake = true;
            self.found.extend(flag.value.map(Found::Code));
        }
        let is_input = is_file && takes_code(program) && (text == "-" || is_own_input(text));
        if is_input && !program.has(Traits::FINDS_CODE) {
            self.code = CodeGiven::Input;
            return;
        }
        let is_code = languages::is_code(program.language(), name);
        let is_module = languages::is_module(program.language(), name);
        self.awaits_module |= is_module && flag.value.is_none();
        let gives_code = takes_code(program)
            && !program.has(Traits::FINDS_CODE)
            && (is_code || is_file || is_module);
        let Some(value) = flag.value.filter(|_| gives_code) else { return };
        if is_module && languages::reads_code(text) {
            self.code = CodeGiven::Input;
            return;
        }
        self.runs_file |= is_module && languages::runs_file(text);
        if is_module && languages::takes_statements(text) {
            self.takes_statements = true;
            self.code = CodeGiven::Somewhere;
            return;
        }
        let given = match is_code && is_hole(line.text(&value)) {
            true => Found::Opaque(Opaque::Text),
            false if is_file && value.is_process() => Found::Process(value),
            false if is_file && is_written(line, value, self.index, self.found) => {
                Found::Written(value)
            }
            false if is_module => Found::Module(value),
            false => Found::Code(value),
        };
        self.found.push(given);
        self.code = CodeGiven::Somewhere;
    }

    /// Takes an operand; breaks where all that follows belongs to what it runs.
    fn take_operand(&mut self, operand: &Operand) -> ControlFlow<()> {
        let (line, program, word) = (self.line, self.program, operand.word);
        // One that nobody knows may take back that it is only to check.
        self.is_awake |= program.runs() == Runs::Shell && operand.is_unknown;
        self.has_operand |= !operand.is_selection;
        if operand.is_unknown
            && program.has(Traits::FLAGS_RUN)
            && !line.takes_names_alone(self.command)
        {
            self.found.push(Found::More);
        }
        if program.has(Traits::ALIASES) {
            self.take_alias(operand);
        }
        if operand.is_selection {
            self.found.push(Found::Hooks(word));
        } else if names_transport(line.text(&word)) && line.program(self.command) == Some("git") {
            let program = stored::git_program(line, self.index as usize, line.text(&word));
            let alias = |program| Found::Alias(format!("!{program}"), 0..0);
            self.found.extend(program.map(alias));
        }
        if program.has_escapes() {
            look_for_escapes(line, program, word, self.found);
        }
        self.take_code(operand);
        self.take_file_for_script(operand);
        if program.has(Traits::RUNS_FILES) && line.looks_for_scripts() {
            self.found.push(Found::Wanted(word));
        }
        if program.has(Traits::SED) {
            self.sed_script.get_or_insert(word);
        }
        if program.has(Traits::SETTINGS) && !operand.is_selection {
            self.take_setting(operand);
        }
        let assigned = program.has(Traits::ASSIGNMENTS).then(|| assignment(line, word)).flatten();
        // What a variable of the rules is set to, they may run where it is expanded.
        let is_shell = |text: &str| ["$(shell ", "${shell "].iter().any(|sign| text.contains(sign));
        if program.language() == Language::Make && is_shell(line.text(&word)) {
            self.found.push(Found::Rules(word));
        }
        if let Some((name, value)) = assigned {
            self.take_assignment(word, name, value);
        } else if program.runs() != Runs::Nothing && !operand.is_selection {
            return self.take_what_runs(operand);
        }
        ControlFlow::Continue(())
    }

    fn take_alias(&mut self, operand: &Operand) {
        self.found.push(Found::More);
        let name = self.line.text(&operand.word);
        let alias = match self.is_aliased {
            true => None,
            false => stored::git_alias(self.line, self.index as usize, name),
        };
        let alias = alias.or_else(|| {
            let program = stored::git_program(self.line, self.index as usize, name)?;
            Some(format!("!{program}")).filter(|_| !self.is_aliased)
        });
        self.is_aliased = true;
        let rest = self.rest(operand.at + 1);
        self.found.extend(alias.map(|alias| Found::Alias(alias, rest)));
    }

    /// Code, or a file of code, as an operand.
    fn take_code(&mut self, operand: &Operand) {
        let (line, program, word) = (self.line, self.program, operand.word);
        // Each word of these is code, but for the numbers of flags.
        if self.takes_statements {
            let text = line.text(&word);
            return self.found.extend(match is_hole(text) {
                true => Some(Found::Opaque(Opaque::Text)),
                false => (!is_plain_name(text)).then_some(Found::Code(word)),
            });
        }
        if std::mem::take(&mut self.awaits_module) && self.code == CodeGiven::Nothing {
            self.code = CodeGiven::Somewhere;
            return self.found.push(Found::Module(word));
        }
        if self.runs_file && is_own_input(line.text(&word)) {
            self.code = CodeGiven::Input;
        } else if self.runs_file && is_written(line, word, self.index, self.found) {
            self.found.push(Found::Written(word));
        }
        // A file of code whose words behind it select what it does.
        if operand.is_selection
            && takes_code(program)
            && is_written(line, word, self.index, self.found)
        {
            return self.found.push(Found::Written(word));
        }
        let may_be_code = takes_code(program)
            && self.code == CodeGiven::Nothing
            && !operand.is_selection
            && !program.has(Traits::FINDS_CODE);
        if !may_be_code {
            return;
        }
        let is_made = languages::is_archive(program.language(), line.text(&word))
            && written::may_be_own(line, line.text(&word), self.index as usize);
        let given = match is_made || is_written(line, word, self.index, self.found) {
            true => Some(Found::Written(word)),
            false if word.is_process() => Some(Found::Process(word)),
            // A folder of code is run by the file of it that begins.
            false if is_written_folder(line, program, word, self.index) => {
                Some(Found::Module(word))
            }
            false if is_plain_name(line.text(&word)) => None,
            false => Some(Found::Code(word)),
        };
        self.found.extend(given);
        self.code = match line.text(&word) {
            "-" => CodeGiven::Input,
            path if is_own_input(path) => CodeGiven::Input,
            _ => CodeGiven::Somewhere,
        };
    }

    /// `bun run x.ts`: where an interpreter runs the scripts of a package, a file of code may stand in their place.
    fn take_file_for_script(&mut self, operand: &Operand) {
        let line = self.line;
        let is_interpreter = self.is_interpreter && self.program.language() == Language::Package;
        if is_interpreter
            && languages::is_code_file(Language::JavaScript, line.text(&operand.word))
            && (line.looks_for_scripts() || written::may_write_any(line))
        {
            let path = sources::quoted(line.text(&operand.word));
            let program = line.program(self.command).unwrap_or_default();
            self.found.push(Found::Line(format!("{program} {path}")));
        }
    }

    fn take_setting(&mut self, operand: &Operand) {
        if operand.is_unknown {
            self.found.push(Found::More);
        }
        look_at_setting(self.line, self.program, operand.word, self.found);
        if let Some(name) = self.setting.replace(operand.word) {
            look_at_pair(self.line, self.program, name, operand.word, self.found);
        }
    }

    fn take_assignment(&mut self, word: Word, name: &str, value: Word) {
        let end = word.start + name.len() as u32;
        self.found.push(Found::Assigned(word.until(end), value));
        self.found.extend(environment::run(name).map(|run| Found::Value(run, value)));
        // What is not run here is no part of what this does.
        if self.program.runs() != Runs::Nothing && !environment::is_harmless(name) {
            self.found.push(Found::More);
        }
    }

    /// An operand of a program that runs others.
    fn take_what_runs(&mut self, operand: &Operand) -> ControlFlow<()> {
        let (line, program, word, at) = (self.line, self.program, operand.word, operand.at);
        if self.operands < program.skip() {
            // `cmd /s /c`: the line stands behind the last of its switches.
            let is_switch = program.name() == "cmd" && is_other_switch(line.text(&word));
            if is_switch {
                return ControlFlow::Continue(());
            }
            self.operands += 1;
            if self.operands == program.skip()
                && let Some(entry) = self.entry.take()
            {
                // All that follows is what it is given.
                self.runs_words = true;
                self.found.push(Found::Entry(entry, self.rest(at + 1)));
                return ControlFlow::Break(());
            }
            return ControlFlow::Continue(());
        }
        self.runs_words = true;
        if let Some(entry) = self.entry.take() {
            self.found.push(Found::Entry(entry, self.rest(at)));
            return ControlFlow::Break(());
        }
        let rest = self.rest(at);
        let own = rest.start..rest.start + 1;
        let found = match program.runs() {
            Runs::Line if program.has(Traits::SOURCES) => Found::Sources(rest),
            Runs::Line if is_of_input(line, program, Some(word)) => Found::Input,
            Runs::Line
                if is_file_of_shell(program, line.text(&word))
                    && is_written(line, word, self.index, self.found) =>
            {
                Found::Written(word)
            }
            Runs::Line => Found::Text(rest),
            Runs::Text => Found::Text(own),
            Runs::Texts => {
                self.found.push(Found::Text(own));
                return ControlFlow::Continue(());
            }
            Runs::Shell if self.reads_input => Found::InputWith(rest),
            Runs::Shell if self.is_script => Found::Script(word, self.rest(at + 1)),
            _ if is_own_input(line.text(&word)) => Found::Input,
            _ if word.is_process() && reads_scripts(program) => Found::Process(word),
            Runs::Words
                if reads_scripts(program) && is_written(line, word, self.index, self.found) =>
            {
                Found::Written(word)
            }
            // What stands behind a descriptor is no file of the project.
            Runs::Words if reads_scripts(program) && is_device(line.text(&word)) => {
                Found::Opaque(Opaque::Input)
            }
            Runs::Shell if is_device(line.text(&word)) => Found::Opaque(Opaque::Input),
            Runs::Shell if is_written(line, word, self.index, self.found) => {
                if is_shell(program) {
                    Found::Written(word)
                } else {
                    // Who starts a shell where nothing else is named may take a name for a program's, or for its script's.
                    self.found.push(Found::Written(word));
                    Found::Words(rest)
                }
            }
            _ => Found::Words(rest),
        };
        self.found.push(found);
        ControlFlow::Break(())
    }

    /// Looks at what the command runs besides its words, or where none of them said it.
    fn end(&mut self) {
        let (line, command, program) = (self.line, self.command, self.program);
        if let Some(script) = self.sed_script.filter(|_| !self.has_sed_script && !self.reads_file) {
            look_at_sed(line, script, self.found);
        }
        self.end_of_words();
        if command.more && program.has(Traits::FLAGS_RUN) && !line.takes_names_alone(command) {
            self.found.push(Found::More);
        }
        if program.has(Traits::FINDS_CODE) || self.is_for_tests {
            self.found.push(Found::Own);
        } else if takes_code(program) && self.code != CodeGiven::Somewhere {
            self.found.push(Found::InputCode);
        }
        if tasks::is_runner(program.language()) && !self.reads_file {
            self.found.push(Found::Makefile(None));
        }
        if program.has(Traits::UNSEEN) {
            self.found.push(Found::More);
        }
        // A shell that is talked to reads a file before: POSIX, of `sh`.
        if self.is_interactive {
            let set = line.variables_for(self.index as usize).unwrap_or_default().into_iter();
            let named = set.filter(|variable| variable.name == "ENV");
            self.found.extend(named.map(|variable| Found::Value(Run::File, variable.value)));
        }
        if is_configured_elsewhere(line, command, self.index as usize) {
            let settings = settings::of(line, self.index as usize);
            self.found.extend(settings.is_open.then_some(Found::More));
            let is_set = !settings.set.is_empty();
            self.found.extend(is_set.then_some(Found::Configured(settings.set)));
        }
        if program.has(Traits::STATEMENTS) {
            self.look_at_statements();
        } else if program.runs() == Runs::Nothing && line.looks_for_scripts() {
            self.found.push(Found::LookedUpInput);
        }
        // A shell that is talked to runs what it is given.
        if self.is_idle && !self.is_awake && !self.is_interactive {
            let (index, language) = (self.index as usize, program.language());
            self.found.retain(|found| checked::runs(line, (command, index), language, found));
        }
        let lines = preloads::lines(line, (command, self.index as usize), program);
        self.found.extend(lines.into_iter().map(Found::Line));
        self.look_at_preloaded();
    }

    /// Files of code that the environment says, and that the line wrote.
    fn look_at_preloaded(&mut self) {
        let line = self.line;
        let Some(name) = languages::preloading(self.program.language()) else { return };
        if line.set_for.is_empty() {
            return;
        }
        let set = line.variables_for(self.index as usize).unwrap_or_default().into_iter();
        for variable in set.filter(|variable| variable.name == name) {
            let value = variable.value;
            let text = line.text(&value);
            // Code in the name of a file, which goes on to the end.
            let named = text.find("data:").and_then(|at| {
                let name = text.get(at..)?;
                Some(at + languages::code_in_name(self.program.language(), name)?)
            });
            if let Some(at) = named {
                self.found.push(Found::Code(value.part(value.start + at as u32)));
                continue;
            }
            let mut from = 0;
            for piece in text.split([' ', '=']) {
                let own = piece.strip_prefix("-r").unwrap_or(piece);
                let start = value.start + (from + piece.len() - own.len()) as u32;
                let part = value.part(start).until(start + own.len() as u32);
                from += piece.len() + 1;
                if !own.is_empty() && is_written(line, part, self.index, self.found) {
                    self.found.push(Found::Written(part));
                }
            }
        }
    }

    /// What a program runs whose words said nothing of it.
    fn end_of_words(&mut self) {
        let (command, program) = (self.command, self.program);
        if let Some(entry) = self.entry.filter(|_| !self.runs_words && program.skip() == 0) {
            let end = command.words.end;
            self.found.push(Found::Entry(entry, end..end));
        } else if !self.runs_words && command.more && program.runs() != Runs::Nothing {
            // What follows is what it runs.
            self.found.push(Found::Opaque(Opaque::Text));
        } else if !self.runs_words && reads_commands(program, self.operands) {
            let is_file = self.reads_file && program.has(Traits::MORE_WORDS);
            self.found.push(if is_file { Found::Opaque(Opaque::Input) } else { Found::Input });
        }
    }

    /// Files of statements that the line wrote, and statements on the input.
    fn look_at_statements(&mut self) {
        let (line, command, program) = (self.line, self.command, self.program);
        for word in line.words(command).iter().skip(1) {
            for name in sql::copied_to(line.text(word)) {
                let part = word.part(word.start + name.start as u32);
                self.found.push(Found::Writes(part.until(word.start + name.end as u32)));
            }
            for name in sql::files(line.text(word)) {
                let start = word.start + name.start as u32;
                let part = word.part(start).until(word.start + name.end as u32);
                let is_known = is_written(line, part, self.index, self.found);
                self.found.extend(is_known.then_some(Found::Included(part)));
            }
        }
        self.found.push(Found::WantedInput);
        self.look_at_read_statements();
        match input(line, command) {
            Input::Unknown if !reads_named_file(line, command) => {
                self.found.push(Found::Opaque(Opaque::Input));
            }
            Input::Text(text) if !escapes::places(program, &text).is_empty() => {
                self.found.push(Found::Escapes);
            }
            _ => {}
        }
    }
}

impl Search<'_, '_, '_> {
    /// Files of statements that are named by those which a client reads: `\i x.sql`, `.read x.sql`.
    fn look_at_read_statements(&mut self) {
        let (line, command) = (self.line, self.command);
        let given = match input(line, command) {
            Input::Text(text) => Some(text),
            Input::Nothing | Input::Unknown => None,
        };
        let words = line.words(command).iter().skip(1).map(|word| line.text(word));
        let named = words.filter_map(|name| line.script(name));
        let read = line.scripts_read(command).chain(named).map(str::to_owned);
        let Some(client) = line.program(command) else { return };
        for text in given.into_iter().chain(read) {
            for name in sql::files(&text).into_iter().filter_map(|place| text.get(place)) {
                self.found.push(Found::WantedFile(name.to_owned()));
                let file = written::file(line, name, self.index as usize);
                let file = file.filter(|file| !file.is_open && !file.text.contains(HOLE));
                let text = file.map(|file| format!("{client} <<< {}", sources::quoted(&file.text)));
                self.found.extend(text.map(Found::Line));
            }
        }
    }
}

/// Whether settings of a command's program may come from its environment, or from what the line has it keep before.
fn is_configured_elsewhere(line: &CommandLine, command: &Command, index: usize) -> bool {
    let is_git = line.program(command) == Some("git");
    is_git && (!line.set_for.is_empty() || settings::is_configured(line, index))
}

/// Whether what a command reads is a file with a name.
fn reads_named_file(line: &CommandLine, command: &Command) -> bool {
    let last = line.redirects(command).iter().rev().find(|redirect| redirect.reads());
    let redirect = last.or(match command.input.is_empty() {
        true => line.enclosing_input(command),
        false => None,
    });
    redirect.is_some_and(|redirect| {
        let target = line.target(redirect);
        redirect.kind == RedirectKind::Read
            && !line.text(&target).bytes().all(|byte| byte.is_ascii_digit())
            && !is_device(line.text(&target))
            // `<( … )`
            && line.text(&target) != "\u{FDD0}"
    })
}

/// Whether a path is a descriptor of whoever opens it.
fn is_device(path: &str) -> bool {
    path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/") || path == "/dev/stdin"
}

/// Whether a path is what its reader reads anyway.
pub(super) fn is_own_input(path: &str) -> bool {
    matches!(path, "/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0")
}

/// Whether a program that was not told what to run reads that from its input.
fn reads_commands(program: Program<'_>, operands: u32) -> bool {
    match program.runs() {
        Runs::Shell => true,
        // A login on another machine, or `parallel` without a command.
        Runs::Line => {
            program.skip() > 0 && operands == program.skip() || program.has(Traits::MORE_WORDS)
        }
        Runs::Nothing | Runs::Words | Runs::Text | Runs::Texts => false,
    }
}

/// Whether a program takes code as a value of its flags, as an operand, or to read.
fn takes_code(program: Program<'_>) -> bool {
    program.runs_code() && !tasks::is_runner(program.language())
}

/// Whether nothing is known of a text.
pub(super) fn is_hole(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|character| character == HOLE)
}

/// Whether it is a shell itself, which reads a script by its name.
fn is_shell(program: Program<'_>) -> bool {
    const SHELLS: [&str; 16] = [
        "sh", "bash", "zsh", "dash", "ash", "ksh", "ksh93", "mksh", "oksh", "yash", "rbash",
        "posh", "csh", "tcsh", "fish", "busybox",
    ];
    SHELLS.contains(&program.name())
}

/// Whether a program runs the commands in a file that its first operand names.
fn reads_scripts(program: Program<'_>) -> bool {
    program.runs() == Runs::Shell || matches!(program.name(), "source" | ".")
}

/// Whether `-` stands for the input where a program takes a line: only one is known to read it so.
fn is_of_input(line: &CommandLine, program: Program<'_>, value: Option<Word>) -> bool {
    program.name() == "pwsh" && value.is_some_and(|value| line.text(&value) == "-")
}

/// Whether a word is the name of a file of commands to a shell that takes lines: `pwsh -File x.ps1`.
fn is_file_of_shell(program: Program<'_>, text: &str) -> bool {
    program.name() == "pwsh" && text.ends_with(".ps1")
}

/// Looks at what a flag runs.
fn look_at_flag(
    line: &CommandLine,
    index: u32,
    program: Program<'_>,
    flag: &Flag,
    words: Range<u32>,
    found: &mut Vec<Found>,
) {
    match flag.effect {
        // One of them reads its lines then.
        FlagEffect::Line if is_of_input(line, program, flag.value) => found.push(Found::Input),
        FlagEffect::Line => found.extend(flag.value.map(Found::Part)),
        FlagEffect::Words if !words.is_empty() => found.push(Found::Each(words)),
        // A shell reads its input whatever stands behind that.
        FlagEffect::Input if program.runs() == Runs::Shell => {}
        FlagEffect::Input => found.push(Found::Input),
        FlagEffect::Setting => {
            if let Some(value) = flag.value {
                look_at_setting(line, program, value, found);
            }
        }
        FlagEffect::Hidden if program.language() == Language::Make => {
            found.push(Found::More);
            found.extend(flag.value.map(Found::Rules));
        }
        FlagEffect::Hidden => found.push(Found::More),
        FlagEffect::Encoded => found.push(Found::Opaque(Opaque::Text)),
        FlagEffect::Directory => {
            let leads_out = |value| is_elsewhere(line.text(&value));
            if flag.value.is_some_and(leads_out) {
                found.push(Found::More);
            }
        }
        FlagEffect::File if tasks::is_runner(program.language()) => {
            found.extend(flag.value.map(|value| Found::Makefile(Some(value))));
        }
        // What a shell reads before anything else runs beside that.
        FlagEffect::File if program.runs() == Runs::Shell => {
            found.push(Found::More);
            let given = flag.value.and_then(|value| match value.is_process() {
                true => Some(Found::Process(value)),
                false => is_written(line, value, index, found).then_some(Found::Written(value)),
            });
            found.extend(given);
        }
        _ => {}
    }
}

/// Whether a path may lead out of the directory that it is seen from.
fn is_elsewhere(path: &str) -> bool {
    path.starts_with(['/', '\\', '~', HOLE])
        || path.contains([':', HOLE])
        || path.split(['/', '\\']).any(|part| part == "..")
}

/// A script of `sed`, which may run commands, or what it makes of its input, or write files.
fn look_at_sed(line: &CommandLine, word: Word, found: &mut Vec<Found>) {
    for run in sed::runs(line.text(&word)) {
        let (sed::Run::Line(range)
        | sed::Run::Input(range)
        | sed::Run::Write(range)
        | sed::Run::Read(range)) = &run;
        let start = word.start + range.start as u32;
        let part = word.part(start).until(start + range.len() as u32);
        if !range.is_empty() {
            found.push(match run {
                sed::Run::Write(_) => Found::Writes(part),
                sed::Run::Read(_) => Found::Reads(part),
                sed::Run::Line(_) | sed::Run::Input(_) => Found::Part(part),
            });
        }
        if matches!(run, sed::Run::Input(_)) {
            found.push(Found::Opaque(Opaque::Text));
        }
    }
}

/// `NAME=VALUE`, which may set a command; some programs take a blank for the `=`.
fn look_at_setting(line: &CommandLine, program: Program<'_>, word: Word, found: &mut Vec<Found>) {
    let text = line.text(&word);
    let cut = text.find(['=', ' ', '\t']);
    let (name, set) = text.split_at_checked(cut.unwrap_or(text.len())).unwrap_or((text, ""));
    let set = set.get(1..).unwrap_or_default();
    let start = word.start + name.len() as u32 + 1;
    // A command line of the user's own, which runs where its name is used.
    let own = match name.strip_prefix("alias.") {
        None if program.setting_is_command("*") => Some(name),
        own => own,
    };
    // An operand without a value only asks for the setting.
    if program.has(Traits::SETTINGS) && cut.is_none() {
        return;
    }
    if program.has(Traits::SETTINGS) && own.is_some_and(|own| !is_used(line, own)) {
        return;
    }
    let is_looked_up = program.name() == "git" && name.starts_with("alias.");
    if is_looked_up {
        // It is looked at where it is used.
    } else if set.starts_with('!') {
        found.push(Found::Part(word.part(start + 1)));
    } else if program.setting_is_command(name) {
        if !set.is_empty() {
            found.push(Found::Part(word.part(start)));
        }
    } else if !program.setting_is_harmless(name) {
        found.push(Found::More);
    }
}

/// Whether a word of the line, of those that come first, is a name.
fn is_used(line: &CommandLine, name: &str) -> bool {
    const MAX: usize = 512;
    line.words.iter().take(MAX).any(|word| line.text(word) == name) || line.words.len() > MAX
}

/// A setting and its value, which may be a command.
fn look_at_pair(
    line: &CommandLine,
    program: Program<'_>,
    name: Word,
    value: Word,
    found: &mut Vec<Found>,
) {
    let (name, text) = (line.text(&name), line.text(&value));
    if name.starts_with("alias.") && !text.starts_with('!') {
        // What of the program's own runs where it is used: where the line does not use it, nobody looks.
        found.push(Found::More);
        return;
    }
    if let Some(command) = text.strip_prefix('!') {
        let start = value.end.saturating_sub(command.len() as u32);
        found.push(Found::Part(value.part(start)));
    } else if program.setting_is_command(name) {
        found.push(Found::Part(value));
    } else if name.contains('.') && !program.setting_is_harmless(name) {
        found.push(Found::More);
    }
}

/// Whether a word names a program that transports what git sends: `ext::sh -c …`.
fn names_transport(text: &str) -> bool {
    // To look for one sign is quick, and most words have none.
    text.contains(':') && text.contains("::")
}

/// Command lines in a word, behind signs that the program knows.
fn look_for_escapes(line: &CommandLine, program: Program<'_>, word: Word, found: &mut Vec<Found>) {
    let text = line.text(&word);
    // What may stand in code of another language is for that to know.
    let may_be_escape =
        |escape: &str| !escape.starts_with(['>', '<']) && escapes::closing_quote(escape).is_none();
    if word.has_hole() && text.starts_with(HOLE) && program.escapes().any(may_be_escape) {
        found.push(Found::More);
    }
    for place in escapes::places(program, text) {
        let part = word.part(word.start + place.start).until(word.start + place.end);
        found.push(match place.what {
            What::Written => Found::Writes(part),
            What::Read => Found::Reads(part),
            What::Line => Found::Part(part),
        });
    }
}

/// The name and the value of `NAME=VALUE`. What begins with `/` is a path.
pub(super) fn assignment(line: &CommandLine, word: Word) -> Option<(&str, Word)> {
    let (name, _) = line.text(&word).split_once('=')?;
    let is_name = !name.is_empty() && !name.starts_with('/');
    is_name.then(|| (name, word.part(word.start + name.len() as u32 + 1)))
}

/// Whether a text is no more than a name, as of a file: code that does something has other signs in it.
fn is_plain_name(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+@".contains(&byte))
}

/// Whether the line writes a file before it comes to a command, or what stands there is known. Notes that it is one that
/// the command runs.
fn is_written(line: &CommandLine, path: Word, before: u32, found: &mut Vec<Found>) -> bool {
    if line.looks_for_scripts() {
        found.push(Found::Wanted(path));
    }
    // Most lines write nothing, and are long where they do.
    let may_write = line.redirects.iter().any(Redirect::writes) || line.commands.len() > 1;
    let may_be_there = may_write || line.script(line.text(&path)).is_some();
    may_be_there && written::file(line, line.text(&path), before as usize).is_some()
}

/// Whether the line writes the file that begins a folder of code.
fn is_written_folder(line: &CommandLine, program: Program<'_>, path: Word, before: u32) -> bool {
    let begins = |name: &str| format!("{}/{name}", line.text(&path).trim_end_matches('/'));
    program.language() == Language::Python
        && line.commands.len() > 1
        && written::file(line, &begins("__main__.py"), before as usize).is_some()
}

/// Whether a word is a switch of `cmd` behind which others follow. Some shells want the sign before it twice.
fn is_other_switch(text: &str) -> bool {
    let name = text.trim_start_matches('/');
    name.len() < text.len() && !["c", "k"].iter().any(|last| name.eq_ignore_ascii_case(last))
}
