//! The command line that was read last, with what was found out about it.

use super::ProgramTable;
use super::access::Change;
use super::display::{command_shown, text_at, with_input};
use super::push::Pushed;
use super::remote::{Remote, SetUp};
use super::shape::{self, Matcher};
use crate::excerpt::shown;
use crate::touched::TouchedFile;
use crate::truth::Truth;
use crate::value::ValueRef;
use behavior_image::Image;
use behavior_image::format::{NONE, Section, ShapeRecord};
use behavior_image::operand::Paths;
use behavior_image::shapes::ShapeRun;
use behavior_shell::touched::{Otherwise, Touched};
use behavior_shell::{
    Command, CommandLine, Knowledge, MAX_DEPTH, Opaque, Reach, Script, Word, touched,
};

/// The command line that was read last, since the same one is often asked about again.
#[derive(Clone, Debug, Default)]
pub struct Shell {
    line: CommandLine,
    source: String,
    buffers: shape::Buffers,
    known: Known,
    /// Whether the source was a text, and no list of words.
    is_text: bool,
    /// Whether it was read with a look at the scripts that it runs.
    follows: bool,
}

/// What is known of the text that a shell was given last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Known {
    #[default]
    Nothing,
    /// No condition asks for anything in it.
    Irrelevant,
    /// Its commands.
    Commands,
}

/// What a command of git is about that names no files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GitReach {
    /// The repository that it runs in.
    Repository,
    /// Another one, or files that are seen from its root.
    Elsewhere,
}

impl Shell {
    /// Reads the command line of a call, unless a first look tells that no condition asks for
    /// anything in it. Says whether it was read.
    pub fn read_if_it_matters(&mut self, image: &Image, value: Option<ValueRef<'_>>) -> bool {
        let matters = self.may_matter(image, value);
        if matters {
            self.read(image, value);
        }
        matters
    }

    /// Whether a condition may ask for something in the command line of a call, as far as a first look tells.
    pub fn may_matter(&mut self, image: &Image, value: Option<ValueRef<'_>>) -> bool {
        if let Some(ValueRef::Text(text)) = value {
            let known = self.known_of(text, true);
            if known == Known::Irrelevant {
                return false;
            }
            if known == Known::Nothing && !image.may_matter(text) {
                self.remember(Known::Irrelevant, text, true);
                return false;
            }
        }
        true
    }

    fn known_of(&self, source: &str, is_text: bool) -> Known {
        let is_it = self.is_text == is_text && self.source == source;
        if is_it { self.known } else { Known::Nothing }
    }

    fn remember(&mut self, known: Known, source: &str, is_text: bool) {
        self.known = known;
        self.is_text = is_text;
        self.source.clear();
        self.source.push_str(source);
    }

    /// Reads the command line of a call, in text or as a list of words; `None` is one that nobody
    /// knows.
    pub fn read(&mut self, image: &Image, value: Option<ValueRef<'_>>) {
        let Some(value) = value else {
            self.buffers.forget();
            self.known = Known::Nothing;
            return self.line.read_nothing();
        };
        let (source, is_text) = match value {
            ValueRef::Text(text) => (text, true),
            ValueRef::Json(json) => (json, false),
        };
        if self.known_of(source, is_text) == Known::Commands {
            return;
        }
        self.line.ignore_scripts();
        self.read_anew(image, value);
    }

    /// Reads the command line of a call and looks which scripts it runs; those that are known are read as a part of it.
    pub fn follow(&mut self, image: &Image, value: ValueRef<'_>, known: Vec<Script>) {
        self.line.look_for_scripts(known);
        self.read_anew(image, value);
        self.follows = true;
    }

    /// Whether something of the line that was read stands in a script.
    #[inline]
    #[must_use]
    pub fn follows_any(&self) -> bool {
        self.follows && self.line.commands().iter().any(|command| command.in_script)
    }

    /// Forgets what scripts hold, which may be something else by now.
    #[inline]
    pub fn forget_scripts(&mut self) {
        if self.follows {
            (self.known, self.follows) = (Known::Nothing, false);
        }
    }

    /// The scripts that the line runs which was read last, by their paths as the line has them, each as seen from where the
    /// line runs.
    pub fn wanted_scripts(&self, image: &Image) -> Vec<(String, TouchedFile)> {
        let Some(table) = ProgramTable::of(image) else { return Vec::new() };
        let wanted: Vec<(u32, &str)> = self.line.wanted_scripts().collect();
        let places = touched::places_of(&self.line, &table, &wanted);
        let seen = |((_, path), place): (&(u32, &str), Option<String>)| {
            let file = TouchedFile { path: place?, may_split: false, ..TouchedFile::unknown() };
            Some(((*path).to_owned(), file))
        };
        wanted.iter().zip(places).filter_map(seen).collect()
    }

    fn read_anew(&mut self, image: &Image, value: ValueRef<'_>) {
        let (source, is_text) = match value {
            ValueRef::Text(text) => (text, true),
            ValueRef::Json(json) => (json, false),
        };
        self.follows = false;
        self.buffers.forget();
        self.remember(Known::Commands, source, is_text);
        let table = ProgramTable::of(image);
        let programs = table.as_ref().map(|table| table as &dyn Knowledge);
        match value {
            ValueRef::Text(text) => self.line.read(text, programs),
            ValueRef::Json(json) => match serde_json::from_str::<Vec<String>>(json) {
                Ok(words) => self.line.read_words(words.iter().map(String::as_str), programs),
                Err(_) => self.line.read_nothing(),
            },
        }
    }

    /// Whether some command of the line has one of the shapes.
    pub fn some_has(&mut self, image: &Image, shapes: ShapeRun) -> Truth {
        Matcher::new(image, &self.line, &mut self.buffers).some_has(shapes)
    }

    /// Whether some of the shapes are not about all files.
    pub fn has_spares(&self, image: &Image, shapes: ShapeRun) -> bool {
        let view = image.view();
        shapes.all().any(|shape| view.row::<ShapeRecord>(Section::Shapes, shape).spares != NONE)
    }

    /// The commands of the line that have, or may have, one of the shapes: where each stands, and which files the
    /// shape spares.
    pub fn all_that_have<'i>(
        &mut self,
        image: &'i Image,
        shapes: ShapeRun<'i>,
    ) -> Vec<(u32, Truth, Option<Paths>)> {
        let view = image.view();
        let mut found = Vec::new();
        Matcher::new(image, &self.line, &mut self.buffers).each_that_has(
            shapes,
            |index, truth, shape| {
                let record = view.row::<ShapeRecord>(Section::Shapes, shape);
                found.push((index, truth, Paths::spared_by(&record)));
            },
        );
        found
    }

    /// How far a command of the line that was read reaches, if it is one of git's that is about more than the files below
    /// where it runs.
    #[must_use]
    pub fn reach_of_git(&self, command: u32) -> Option<GitReach> {
        let command = self.line.commands().get(command as usize)?;
        if self.line.program(command) != Some("git") {
            return None;
        }
        let is_elsewhere = |word: &Word| {
            let text = self.line.text(word);
            text.starts_with("--git-dir")
                || text.starts_with("--work-tree")
                || text.starts_with(':')
        };
        let words = self.line.words(command);
        let names = |name| words.iter().any(|word| self.line.text(word) == name);
        match () {
            () if words.iter().any(is_elsewhere) || self.source.contains("GIT_") => {
                Some(GitReach::Elsewhere)
            }
            () if names("clean") => None,
            () => Some(GitReach::Repository),
        }
    }

    /// How many commands the line has that was read.
    #[inline]
    #[must_use]
    pub fn count(&self) -> u32 {
        self.line.commands().len() as u32
    }

    /// The program of a command of the line that was read and all its words, if nothing of them is unknown and nothing
    /// else says where it works.
    pub fn known_words(&self, command: u32) -> Option<(String, Vec<String>)> {
        let command = self.line.commands().get(command as usize)?;
        let program = self.line.program(command)?;
        let words = self.line.words(command);
        let is_known = command.opaque.is_none()
            && !self.source.contains("GIT_")
            && !words.iter().any(Word::has_hole);
        let words = words.iter().map(|word| self.line.text(word).to_owned());
        is_known.then(|| (program.to_owned(), words.collect()))
    }

    /// Whether a command of the line that was read makes one place stand for another.
    #[must_use]
    pub fn is_link(&self, command: u32) -> bool {
        let command = self.line.commands().get(command as usize);
        let program = command.and_then(|command| self.line.program(command));
        program.is_some_and(|program| matches!(program, "ln" | "gln" | "link" | "mount" | "bindfs"))
    }

    /// Whether some command of the line that was read does.
    #[must_use]
    pub fn has_links(&self) -> bool {
        (0..self.line.commands().len() as u32).any(|command| self.is_link(command))
    }

    /// Where the line that was read pushes to with git.
    pub fn pushes(&mut self, image: &Image) -> Vec<(u32, Pushed)> {
        Matcher::new(image, &self.line, &mut self.buffers).pushes()
    }

    /// The remote that a command of the line that was read pushes to.
    pub fn remote_of(&mut self, image: &Image, command: u32) -> Option<Remote> {
        Matcher::new(image, &self.line, &mut self.buffers).remote_of(command as usize)
    }

    /// The remotes that the line that was read sets up.
    pub fn remotes_set_up(&mut self, image: &Image) -> Vec<SetUp> {
        Matcher::new(image, &self.line, &mut self.buffers).remotes_set_up()
    }

    /// The directory that a command of the line that was read runs in, as seen from where the line runs.
    pub fn directory_of(&self, image: &Image, command: u32) -> Option<String> {
        touched::directory_of(&self.line, &ProgramTable::of(image)?, command)
    }

    /// The files that the line that was read touches, each with the command that does, and the repositories that are
    /// changed without a file being named.
    pub fn files_by_command(&self, image: &Image) -> Vec<(u32, TouchedFile)> {
        self.files_and_repositories(image, touched::files)
    }

    /// As [`Shell::files_by_command`], without what redirections say.
    pub fn files_of_programs(&self, image: &Image) -> Vec<(u32, TouchedFile)> {
        self.files_and_repositories(image, touched::files_of_programs)
    }

    fn files_and_repositories(
        &self,
        image: &Image,
        files: impl Fn(&CommandLine, &dyn Knowledge) -> Vec<Touched>,
    ) -> Vec<(u32, TouchedFile)> {
        let Some(table) = ProgramTable::of(image) else { return Vec::new() };
        // A variable may name another repository than the directory says.
        let repositories = match self.source.contains("GIT_") {
            false => touched::repositories(&self.line, &table),
            true => Vec::new(),
        };
        let files = files(&self.line, &table).into_iter().chain(repositories);
        let mut last: Option<(u32, Change)> = None;
        let with_change = |touched: Touched| {
            let command = touched.command;
            if last.as_ref().is_none_or(|(of, _)| *of != command) {
                last = Some((command, self.change_by(command)));
            }
            let change = last.as_ref().map(|(_, change)| change.clone()).unwrap_or_default();
            (command, TouchedFile { change, ..TouchedFile::from(touched) })
        };
        files.map(with_change).collect()
    }

    /// What a command does to the files that it writes.
    fn change_by(&self, command: u32) -> Change {
        let Some(command) = self.line.commands().get(command as usize) else {
            return Change::Content;
        };
        let is_told = |word: &Word| word.begins_with_user() && !self.is_in_text(command);
        let words = self.line.words(command).iter().skip(1);
        let words = words.map(|word| (self.line.text(word), is_told(word)));
        Change::of(self.line.program(command).unwrap_or_default(), words)
    }

    /// Whether another shell reads a command, which may be another user's: `sudo sh -c '…'`.
    fn is_in_text(&self, command: &Command) -> bool {
        let above = |command: &&Command| self.line.commands().get(command.parent? as usize);
        let mut around = std::iter::successors(Some(command), above).take(MAX_DEPTH as usize + 1);
        around.any(|command| matches!(command.reach, Reach::Text | Reach::Input))
    }

    /// The commands of the line that was read which apply patches: each with those whose files hold the patch, and with how
    /// many parts of names it leaves out where it says so.
    #[must_use]
    pub fn patching(&self) -> Vec<(u32, std::ops::Range<u32>, Option<usize>)> {
        let commands = self.line.commands().iter().enumerate();
        let found = commands.filter_map(|(index, command)| {
            let words = || self.line.words(command).iter().map(|word| self.line.text(word));
            let is_of_patches = match self.line.program(command)? {
                "patch" | "gpatch" => true,
                "git" => words().skip(1).any(|word| matches!(word, "apply" | "am")),
                _ => false,
            };
            let parts = words().find_map(|word| {
                word.strip_prefix("-p").or_else(|| word.strip_prefix("--strip="))?.parse().ok()
            });
            is_of_patches.then(|| (index as u32, command.input.clone(), parts))
        });
        found.collect()
    }

    /// What commands of the line that was read make anew, each with the command that does.
    pub fn made(&self, image: &Image) -> Vec<(u32, TouchedFile)> {
        let Some(table) = ProgramTable::of(image) else { return Vec::new() };
        let made = touched::made(&self.line, &table).into_iter();
        made.map(|touched| (touched.command, TouchedFile::from(touched))).collect()
    }

    /// Whether a command of the line that was read runs only after another one has succeeded.
    #[inline]
    #[must_use]
    pub fn runs_after(&self, command: u32, other: u32) -> bool {
        self.line.runs_after(command, other)
    }

    /// What the line that was read touches where changes of directory in it do not happen.
    pub fn files_otherwise(&self, image: &Image) -> Vec<Otherwise> {
        let table = ProgramTable::of(image);
        table.map(|table| touched::otherwise(&self.line, &table)).unwrap_or_default()
    }

    /// What nobody can tell of the line that was read, where it may have one of the shapes: for people.
    pub fn untold(&mut self, image: &Image, shapes: ShapeRun) -> String {
        let open = Matcher::new(image, &self.line, &mut self.buffers).first_open(shapes);
        let command = open.and_then(|index| self.line.commands().get(index));
        let Some(command) = command else { return "what the command runs".to_owned() };
        let reads = matches!(command.opaque, Some(Opaque::Input | Opaque::Fetched));
        let text = match reads {
            true => with_input(&self.line, &self.source, command),
            false => None,
        };
        let text = text.or_else(|| text_at(&self.source, command)).filter(|_| self.is_text);
        let text = text.unwrap_or(&self.source);
        let text = shown(text.trim()).replace('\n', " ");
        match command.opaque {
            Some(why) => format!("what `{text}` runs: {}", why.name()),
            None => format!("all that `{text}` does"),
        }
    }

    /// A command of the line that was read, for people: as it is written there, with what runs it where that is written elsewhere.
    #[must_use]
    pub fn text_of(&self, command: u32) -> Option<String> {
        let command = self.line.commands().get(command as usize).filter(|_| self.is_text)?;
        command_shown(&self.line, &self.source, command)
    }

    /// Whether the line that was read does nothing but take files back to what git has of them.
    #[must_use]
    pub fn takes_back(&self) -> bool {
        let mut commands = self.line.commands().iter().filter(|command| command.runs()).peekable();
        let takes_back = |command: &Command| {
            let mut words = self.line.words(command).iter().map(|word| self.line.text(word));
            let program = words.next();
            command.opaque.is_none()
                && (program == Some("cd")
                    || program == Some("git")
                        && matches!(words.next(), Some("restore" | "checkout")))
        };
        self.is_text && commands.peek().is_some() && commands.all(takes_back)
    }

    /// The line that was read.
    #[inline]
    #[must_use]
    pub fn line(&self) -> &CommandLine {
        &self.line
    }

    /// The line that was read, and the buffers to test its commands with.
    #[inline]
    pub fn parts(&mut self) -> (&CommandLine, &mut shape::Buffers) {
        (&self.line, &mut self.buffers)
    }
}
