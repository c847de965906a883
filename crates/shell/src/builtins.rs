//! What builtins of the shell change: variables, the environment, the input of what follows. What
//! may change anything makes nothing known from there on.

use std::ops::Range;

use super::context::Context;
use super::environment;
use super::reader::{Reader, is_name};
use super::subscript::{Subscript, subscript};
use super::variables::{BEHIND_ITEM, BLANKS, New, POSITIONAL, Value};
use super::word::Doubt;
use super::{Command, CommandLine, Opaque, Reach, Redirect, RedirectKind, Word, data, written};

/// What a builtin does to variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Builtin {
    /// `NAME=value` sets it.
    Declares {
        exports: bool,
        is_local: bool,
    },
    /// Its operands are names that it sets to something else.
    Sets,
    /// It sets the name behind `-v`.
    Prints,
    /// `test`, which evaluates subscripts.
    Tests,
    /// Its words, or the file that they name, are run by this shell.
    Runs {
        is_text: bool,
    },
    Trap,
    /// Its flags are those of the shell, and its operands the positional parameters.
    Options,
    Shift,
    /// It replaces the shell's own input.
    Exec,
}

fn builtin(name: &str) -> Option<Builtin> {
    use Builtin::{Declares, Exec, Options, Prints, Runs, Sets, Shift, Tests, Trap};
    Some(match name {
        "export" => Declares { exports: true, is_local: false },
        "local" => Declares { exports: false, is_local: true },
        "declare" | "typeset" => Declares { exports: false, is_local: true },
        "readonly" | "integer" | "float" => Declares { exports: false, is_local: false },
        "read" | "unset" | "mapfile" | "readarray" | "getopts" | "let" | "vared" => Sets,
        "printf" | "print" => Prints,
        "test" | "[" => Tests,
        "eval" => Runs { is_text: true },
        "source" | "." => Runs { is_text: false },
        "trap" => Trap,
        "set" | "setopt" => Options,
        "shift" => Shift,
        "exec" => Exec,
        _ => return None,
    })
}

/// The first of the words that a text is cut into, and what follows it.
fn field<'t>(text: &'t str, separators: &str) -> Option<(&'t str, &'t str)> {
    let cuts = |sign: char| separators.contains(sign);
    let is_blank = |sign: char| matches!(sign, ' ' | '\t' | '\n') && cuts(sign);
    let text = text.trim_start_matches(is_blank);
    if text.is_empty() {
        return None;
    }
    let (item, rest) = text.split_at(text.find(cuts).unwrap_or(text.len()));
    let rest = rest.trim_start_matches(is_blank);
    Some((item, rest.strip_prefix(cuts).unwrap_or(rest)))
}

/// What the last of several variables gets of a text: all that is left, without what cuts it at its ends.
fn last_field<'t>(text: &'t str, separators: &str) -> &'t str {
    let cuts = |sign: char| separators.contains(sign);
    let is_blank = |sign: char| matches!(sign, ' ' | '\t' | '\n') && cuts(sign);
    let text = text.trim_matches(is_blank);
    // One sign behind a text without others ends it.
    match text.strip_suffix(cuts).filter(|rest| !rest.contains(cuts)) {
        Some(rest) => rest,
        None => text,
    }
}

impl Reader<'_, '_> {
    /// Notes what a command changes; `lists` are the lists that are set in its words, `separators` the signs at which it
    /// cuts what it reads, unless something else is set for it alone.
    pub fn note_builtin(
        &mut self,
        context: &Context,
        index: usize,
        lists: &[&str],
        separators: Option<&str>,
    ) {
        let Some(command) = self.line.commands.get(index) else { return };
        let mut words = command.words.start as usize..command.words.end as usize;
        let kind = loop {
            let Some(name) = self.text_at(words.start) else { return };
            match name {
                "builtin" | "command" => words.start += 1,
                name => break builtin(name),
            }
        };
        let Some(kind) = kind else { return };
        words.start += 1;
        match kind {
            Builtin::Declares { exports, is_local } => {
                self.declares(context, words, exports, is_local, lists);
            }
            Builtin::Sets if self.gets_option(context, words.clone()) => {}
            Builtin::Sets if self.reads_constant(context, index, words.clone(), separators) => {}
            Builtin::Sets => {
                self.sets(context, words.clone());
                self.reads_found(context, index, words);
            }
            Builtin::Prints => self.prints(context, words),
            Builtin::Tests => self.evaluates(context, words),
            Builtin::Runs { is_text } => self.runs_here(context, words, is_text),
            Builtin::Trap => {
                self.traps(context, index, words);
                self.takes_back(context, index);
            }
            Builtin::Options => {
                let is_flag = |text: &str| text.starts_with('-') && text.contains('a');
                let all = words.clone().any(|at| self.text_at(at).is_some_and(is_flag));
                let named = words.clone().any(|at| self.text_at(at) == Some("allexport"));
                self.line.variables.exports_all |= all || named;
                self.sets_parameters(context, words);
            }
            Builtin::Shift => self.shifts(context, words),
            Builtin::Exec if words.is_empty() => self.replaces_input(index),
            Builtin::Exec => {}
        }
    }

    /// `getopts SPEC NAME` of words that are known.
    fn gets_option(&mut self, context: &Context, words: Range<usize>) -> bool {
        let program = words.start.checked_sub(1).and_then(|at| self.text_at(at));
        if program != Some("getopts") || words.len() != 2 {
            return false;
        }
        let text = |at: usize| self.text_at(at).unwrap_or_default().to_owned();
        let (spec, name) = (text(words.start), text(words.start + 1));
        self.takes_option(context, &spec, &name)
    }

    fn text_at(&self, at: usize) -> Option<&str> {
        self.line.words.get(at).map(|word| self.line.text(word))
    }

    fn word_at(&self, at: usize) -> Word {
        self.line.words.get(at).copied().unwrap_or_default()
    }

    fn declares(
        &mut self,
        context: &Context,
        words: Range<usize>,
        exports: bool,
        is_local: bool,
        lists: &[&str],
    ) {
        let spot = self.spot(context);
        let (mut exports, mut is_map) = (exports, false);
        let mut in_function = is_local && context.function.is_some();
        self.export_values(context, words.clone(), exports);
        let is_number = |text: &str| text.starts_with('-') && text.contains('i');
        if words.clone().any(|at| self.text_at(at).is_some_and(is_number)) {
            self.computes(context, words.clone());
        }
        // Nothing below reads words, so that their text can be lent out.
        let texts = std::mem::take(&mut self.line.text);
        for at in words.clone() {
            let word = self.word_at(at);
            let text = texts.get(word.start as usize..word.end as usize).unwrap_or_default();
            if let Some(flags) = text.strip_prefix('-') {
                // A name that stands for another, or a value that is computed.
                if is_local && flags.contains(['n', 'i', 'u', 'l', 'c']) {
                    self.line.variables.go_blind();
                }
                exports |= is_local && flags.contains('x');
                is_map |= is_local && flags.contains('A');
                in_function &= !flags.contains('g');
                continue;
            }
            let (name, value) = match text.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (text, None),
            };
            if name.contains(super::HOLE) {
                self.line.variables.forget(spot);
                continue;
            }
            let is_plain = name.bytes().all(is_name) && !name.is_empty();
            let is_known = is_plain;
            if is_map && is_plain && value.is_none() {
                self.line.variables.set_map(name, spot);
            }
            let is_list = value == Some("") && lists.contains(&name.trim_end_matches('+'));
            let name = name.split(['[', '+']).next().unwrap_or_default();
            if is_list {
                // It was set where it was read.
            } else if let Some(value) = value {
                let new = if is_known && !word.has_hole() {
                    New::Text(value)
                } else {
                    let may_be_flag = word.may_be_flag() || !is_known;
                    let is_plain = is_known && !word.may_hold_syntax();
                    New::Unknown(Doubt { is_plain, ..Doubt::word(may_be_flag, may_be_flag) })
                };
                self.line.variables.set(name, new, spot);
            } else if in_function {
                self.line.variables.lose(name, spot);
            }
            self.line.variables.mark(name, exports, in_function);
            if exports && is_plain && !environment::is_harmless(name) {
                self.change_environment(context);
            }
        }
        self.line.text = texts;
        self.evaluates(context, words);
    }

    /// What `export NAME` puts into the environment of what follows: the value that the name has, as far as it is known.
    fn export_values(&mut self, context: &Context, words: Range<usize>, exports: bool) {
        let Some(index) = self.line.commands.len().checked_sub(1) else { return };
        let has_flag = |text: &str| text.starts_with('-') && text.contains('x');
        if !exports && !words.clone().any(|at| self.text_at(at).is_some_and(has_flag)) {
            return;
        }
        let spot = self.spot(context);
        for at in words {
            let name = self.text_at(at).unwrap_or_default().to_owned();
            if name.is_empty() || !name.bytes().all(is_name) {
                continue;
            }
            let Value::Known(value) = self.line.variables.get(&name, true, spot) else { continue };
            let value = value.to_owned();
            if self.line.has_room(name.len() + value.len()) {
                let name = self.line.add_text(&name, 0..0);
                let value = self.line.add_text(&value, 0..0);
                self.line.set_for.push((index as u32, name, value));
            }
        }
    }

    /// `set -- words`: flags go before, and a word behind `-o` is one, too.
    fn sets_parameters(&mut self, context: &Context, words: Range<usize>) {
        let mut at = words.start;
        while let Some(flag) = self.text_at(at).filter(|_| at < words.end) {
            at += 1;
            if flag == "--" {
                return self.set_parameters(context, at..words.end);
            }
            if !flag.starts_with(['-', '+']) || flag == "-" {
                return self.set_parameters(context, at - 1..words.end);
            }
            at += usize::from(flag.ends_with('o'));
        }
    }

    fn set_parameters(&mut self, context: &Context, words: Range<usize>) {
        let spot = self.spot(context);
        match self.line.constant_list(words) {
            Some(list) => self.line.variables.set(POSITIONAL, New::List(&list), spot),
            None => self.line.variables.lose(POSITIONAL, spot),
        }
    }

    fn shifts(&mut self, context: &Context, words: Range<usize>) {
        let spot = self.spot(context);
        let count = match self.text_at(words.start).filter(|_| !words.is_empty()) {
            None => Some(1),
            Some(text) => text.parse::<usize>().ok(),
        };
        let old = self.line.variables.list(POSITIONAL, spot);
        let rest = old.zip(count).map(|(old, count)| {
            let items: Vec<&str> = old.split_inclusive(BEHIND_ITEM).collect();
            // More than there are is an error, and shifts nothing.
            items.get(count..).map_or_else(|| old.to_owned(), <[&str]>::concat)
        });
        match rest.filter(|rest| self.line.has_room(rest.len())) {
            Some(rest) => self.line.variables.set(POSITIONAL, New::List(&rest), spot),
            None => self.line.variables.lose(POSITIONAL, spot),
        }
    }

    fn sets(&mut self, context: &Context, words: Range<usize>) {
        let name = words.start.checked_sub(1).and_then(|at| self.text_at(at));
        let (is_unset, is_let) = (name == Some("unset"), name == Some("let"));
        if is_let {
            self.computes(context, words.clone());
        }
        let spot = self.spot(context);
        for at in words.clone() {
            self.loses(context, at, 0);
            // `unset`, whatever it takes away.
            let name = self.text_at(at).unwrap_or_default().to_owned();
            self.line.variables.set_function(&name, None, spot);
            if name == "IFS" && is_unset {
                self.line.variables.set(&name, New::Text(BLANKS), spot);
            }
        }
        self.evaluates(context, words);
    }

    /// Words are evaluated as numbers: what a variable in them holds runs.
    fn computes(&mut self, context: &Context, words: Range<usize>) {
        for at in words {
            let text = self.text_at(at).unwrap_or_default().to_owned();
            self.note_arithmetic(context, &text);
        }
    }

    /// `find … | while read NAME`: the variable is any of the files that are found.
    fn reads_found(&mut self, context: &Context, index: usize, words: Range<usize>) {
        let Some(command) = self.line.commands.get(index) else { return };
        let is_read = self.line.program(command) == Some("read");
        let input = command.input.start as usize..command.input.end as usize;
        if !is_read || !self.line.redirects(command).is_empty() {
            return;
        }
        let found = self.found.take();
        let may_read = found.is_some() || !input.is_empty() && self.is_first_read(input.start);
        let finder = found.or_else(|| self.finder(input)).filter(|_| may_read);
        let texts: Vec<&str> = words.clone().filter_map(|at| self.text_at(at)).collect();
        let [flags @ .., name] = texts.as_slice() else { return };
        // Without it, backslashes are taken away, and what is left may be another name.
        let is_raw = flags.iter().any(|flag| flag.starts_with("-r"));
        let is_plain = |flag: &&str| matches!(*flag, "-r" | "-d" | "-rd" | "");
        let is_name = !name.is_empty() && name.bytes().all(is_name);
        let (Some(finder), true) = (finder, is_name && flags.iter().all(is_plain)) else {
            return;
        };
        let name = (*name).to_owned();
        let spot = self.spot(context);
        let number = self.line.loop_words.keep_finder(finder);
        let doubt = Doubt::found(number, true);
        self.line.variables.set(&name, New::Unknown(doubt), spot);
        if !is_raw {
            self.line.variables.set_perhaps(&name, true);
        }
    }

    /// Whether no other place of the text reads from a pipe: one behind the first may be of a loop that reads something else.
    fn is_first_read(&mut self, pipe: usize) -> bool {
        let first = self.first_reads.iter().find(|(own, _)| *own == pipe).map(|(_, at)| *at);
        if first.is_none() {
            self.first_reads.push((pipe, self.at));
        }
        first.is_none_or(|at| at == self.at)
    }

    /// A word names a variable that is set: its value is not known any more.
    fn loses(&mut self, context: &Context, at: usize, skip: usize) {
        let spot = self.spot(context);
        let word = self.word_at(at);
        let super::CommandLine { variables, text, .. } = &mut *self.line;
        let text = text.get(word.start as usize..word.end as usize).unwrap_or_default();
        let text = text.get(skip..).unwrap_or_default();
        let end = text.bytes().position(|byte| !is_name(byte)).unwrap_or(text.len());
        match text.split_at_checked(end) {
            Some((_, rest)) if rest.starts_with(super::HOLE) => variables.forget(spot),
            Some((name, _)) if !name.is_empty() => variables.lose(name, spot),
            _ => {}
        }
    }

    /// The constant text that a command reads: a here-string, what commands write into `< <( … )`, or a line of what
    /// the loop around it reads.
    fn constant_input(&mut self, index: usize) -> Option<String> {
        let command = self.line.commands.get(index)?;
        match self.line.redirects(command) {
            [redirect] => self.line.constant_target(redirect, Some(index as u32)),
            // The next one reads another line.
            [] => self.row.take(),
            _ => None,
        }
    }

    /// `read` or `mapfile` of a text that is constant, which it cuts at `separators`. Says whether it was that.
    fn reads_constant(
        &mut self,
        context: &Context,
        index: usize,
        words: Range<usize>,
        separators: Option<&str>,
    ) -> bool {
        let Some(command) = self.line.commands.get(index) else { return false };
        let reader = self.line.program(command).unwrap_or_default().to_owned();
        let had_row = self.row.is_some();
        let (Some(text), Some(separators)) = (self.constant_input(index), separators) else {
            return false;
        };
        let begins_round = had_row && self.row.is_none();
        let text = text.strip_suffix('\n').unwrap_or(&text).to_owned();
        let own = self.line.words.get(words.clone()).unwrap_or_default();
        if text.contains(super::HOLE) || own.iter().any(|word| word.has_hole() || word.is_glob()) {
            return false;
        }
        let names: Vec<String> = own.iter().map(|word| self.line.text(word).to_owned()).collect();
        let (flags, mut names): (Vec<String>, Vec<String>) =
            names.into_iter().partition(|word| word.starts_with('-'));
        if names.is_empty() && reader == "read" {
            names.push("REPLY".to_owned());
        }
        let is_variable = |name: &String| {
            name.bytes().all(is_name) && !name.starts_with(|c: char| c.is_ascii_digit())
        };
        if !names.iter().all(is_variable) {
            return false;
        }
        if !self.line.has_room(text.len() * 2) {
            return false;
        }
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let spot = self.spot(context);
        if begins_round {
            names.iter().for_each(|name| self.line.variables.begin_round(name));
        }
        match (reader.as_str(), flags.as_slice(), names.as_slice()) {
            ("mapfile" | "readarray", [] | ["-t"], [name]) => {
                let end = if flags.is_empty() { "\n\0" } else { "\0" };
                let items: String = text.split('\n').flat_map(|item| [item, end]).collect();
                self.line.variables.set(name, New::List(&items), spot);
            }
            ("read", ["-a" | "-ra" | "-ar"] | ["-r", "-a"] | ["-a", "-r"], [name])
                if !text.contains('\\') =>
            {
                let line = text.split('\n').next().unwrap_or_default();
                let (mut items, mut rest) = (String::new(), line);
                while let Some((item, behind)) = field(rest, separators) {
                    items.extend([item, "\0"]);
                    rest = behind;
                }
                match items.is_empty() {
                    true => self.line.variables.lose(name, spot),
                    false => self.line.variables.set(name, New::List(&items), spot),
                }
            }
            ("read", [] | ["-r"], [_, ..]) if !text.contains('\\') || flags == ["-r"] => {
                let mut rest = text.split('\n').next().unwrap_or_default();
                for (number, name) in names.iter().enumerate() {
                    let is_last = number + 1 == names.len();
                    let (value, behind) = match field(rest, separators) {
                        _ if is_last => (last_field(rest, separators), ""),
                        Some(parts) => parts,
                        None => ("", ""),
                    };
                    self.line.variables.set(name, New::Text(value), spot);
                    rest = behind;
                }
            }
            _ => return false,
        }
        true
    }

    /// `printf -v NAME FORMAT …` of constants. Says whether it was that.
    fn prints_constant(&mut self, context: &Context, words: Range<usize>) -> bool {
        let spot = self.spot(context);
        let own = self.line.words.get(words).unwrap_or_default();
        if own.iter().any(|word| word.has_hole() || word.is_glob()) {
            return false;
        }
        let texts: Vec<&str> = own.iter().map(|word| self.line.text(word)).collect();
        let ["-v", name, rest @ ..] = texts.as_slice() else { return false };
        let name = (*name).to_owned();
        let printed = super::given::printed(rest);
        match printed.filter(|text| name.bytes().all(is_name) && self.line.has_room(text.len())) {
            Some(text) => self.line.variables.set(&name, New::Text(&text), spot),
            None => return false,
        }
        true
    }

    fn prints(&mut self, context: &Context, words: Range<usize>) {
        if self.prints_constant(context, words.clone()) {
            return;
        }
        let (first, spot) = (self.word_at(words.start), self.spot(context));
        if first.may_be_flag() {
            self.line.variables.forget(spot);
        }
        match self.text_at(words.start) {
            Some("-v") => self.loses(context, words.start + 1, 0),
            Some(text) if text.starts_with("-v") => self.loses(context, words.start, 2),
            _ => return,
        }
        self.evaluates(context, words);
    }

    /// A subscript is evaluated, and the substitutions in it run, however they were quoted.
    fn evaluates(&mut self, context: &Context, words: Range<usize>) {
        for at in words {
            let subscript = subscript(self.text_at(at).unwrap_or_default());
            self.evaluates_subscript(context, subscript);
        }
    }

    /// The same of one of them.
    pub fn evaluates_subscript(&mut self, context: &Context, subscript: Subscript) {
        match subscript {
            Subscript::Runs => self.line.fail(Opaque::Text),
            Subscript::Unknown => self.note_more(context),
            Subscript::Plain => {}
        }
    }

    /// A subscript that is set: what is quoted in it is evaluated all the same.
    pub fn note_subscript(&mut self, context: &Context, text: &str) {
        let is_quoted = text.contains(['\'', '"', '\\']);
        if is_quoted && (text.contains("$(") || text.contains('`')) {
            self.line.fail(Opaque::Text);
        } else if text.contains('$') {
            self.note_more(context);
        }
    }

    /// What this shell runs out of a text or a file may set anything.
    fn runs_here(&mut self, context: &Context, words: Range<usize>, is_text: bool) {
        let mentions = |what: &str| {
            is_text
                && words.clone().any(|at| self.text_at(at).is_some_and(|text| text.contains(what)))
        };
        let splits = mentions("IFS");
        let stays = ["trap", "declare", "typeset", "local"].into_iter().any(&mentions);
        let exports = mentions("export") || mentions("set ");
        let spot = self.spot(context);
        self.line.variables.forget(spot);
        if splits {
            self.line.variables.split_otherwise();
        }
        if stays {
            self.line.variables.go_blind();
        }
        if exports {
            self.change_environment(context);
        }
        if !is_text && !splits && !stays {
            self.takes_values(context, words);
        }
    }

    /// `. ./.env`: what a file sets that is known, in lines that do nothing else.
    fn takes_values(&mut self, context: &Context, words: Range<usize>) {
        let path = self.text_at(words.start).unwrap_or_default().to_owned();
        if words.len() != 1 || path.contains(super::HOLE) || context.comes_again() {
            return;
        }
        let before = self.line.commands.len();
        let Some(file) = written::file(self.line, &path, before).filter(|file| !file.is_open)
        else {
            return;
        };
        let spot = self.spot(context);
        for (name, value, exports) in data::assignments(&file.text) {
            self.line.variables.set(name, New::Text(value), spot);
            let exports = exports || self.line.variables.exports_all;
            self.line.variables.mark(name, exports, false);
        }
    }

    /// Handlers that run between commands may set anything.
    fn traps(&mut self, context: &Context, index: usize, words: Range<usize>) {
        // At the end of a function nothing in it follows; around it, what the handler sets does.
        const SETTING: [&str; 7] = ["=", "read", "mapfile", "unset", "eval", "source", "printf -v"];
        let handler = self.text_at(words.start).unwrap_or(".");
        let sets = SETTING.iter().any(|sign| handler.contains(sign)) || handler.starts_with('.');
        let is_late = |at: usize| {
            let text = self.text_at(at).unwrap_or_default();
            is_at_end(text) || text.starts_with('-') || text == "RETURN" && !sets
        };
        if words.clone().skip(1).any(|at| !is_late(at)) {
            self.line.variables.go_blind();
        } else {
            let handler = handler.to_owned();
            self.keep_for_handler(context, index, &handler);
        }
    }

    /// Keeps for a handler what variables hold that have no other value around it.
    fn keep_for_handler(&mut self, context: &Context, index: usize, handler: &str) {
        const MAX: usize = 8;
        let names = handler.split('$').skip(1).take(MAX).map(|behind| {
            let behind = behind.strip_prefix('{').unwrap_or(behind);
            let end = behind.bytes().position(|byte| !is_name(byte)).unwrap_or(behind.len());
            behind.get(..end).unwrap_or_default()
        });
        let spot = self.spot(context);
        for name in names.filter(|name| !name.is_empty()) {
            if !self.is_set_once(name) {
                continue;
            }
            let Value::Known(value) = self.line.variables.get(name, true, spot) else { continue };
            let value = value.to_owned();
            if self.line.has_room(name.len() + value.len()) {
                let name = self.line.add_text(name, 0..0);
                let value = self.line.add_text(&value, 0..0);
                self.line.set_for.push((index as u32, name, value));
            }
        }
    }

    /// Whether a name stands in the text once at most as something else than what is used.
    fn is_set_once(&self, name: &str) -> bool {
        const MAX_TEXT: usize = 4_096;
        let text = self.text;
        if text.len() > MAX_TEXT {
            return false;
        }
        let is_sign = |sign: char| sign.is_alphanumeric() || sign == '_';
        let sets = text.match_indices(name).filter(|(at, _)| {
            let before = text.get(..*at).unwrap_or_default();
            let behind = text.get(at + name.len()..).unwrap_or_default();
            let is_whole = !before.ends_with(is_sign) && !behind.starts_with(is_sign);
            let is_other = before.ends_with(['$', '{', '/', '-', '.']);
            let is_declared = before.ends_with("local ") && !behind.starts_with('=');
            is_whole && !is_other && !is_declared
        });
        sets.count() <= 1
    }

    /// `exec < file`: what follows reads that.
    fn replaces_input(&mut self, index: usize) {
        let Some(command) = self.line.commands.get(index) else { return };
        let reads =
            |redirect: &Redirect| redirect.reads() || redirect.kind == RedirectKind::ReadWrite;
        self.line.input_replaced |= self.line.redirects(command).iter().any(reads);
    }
}

/// Whether what handles a signal runs when the shell ends.
pub(super) fn is_at_end(signal: &str) -> bool {
    const AT_THE_END: [&str; 11] =
        ["EXIT", "0", "INT", "TERM", "HUP", "QUIT", "PIPE", "1", "2", "3", "15"];
    AT_THE_END.contains(&signal.strip_prefix("SIG").unwrap_or(signal))
}

/// Whether a command is a `trap` for signals alone with which the shell ends, or a function that one calls.
pub(super) fn runs_at_end(line: &CommandLine, command: &Command) -> bool {
    let mut command = command;
    // Functions call each other so deep at most.
    for _ in 0..super::MAX_DEPTH {
        let parent = command.parent.and_then(|parent| line.commands.get(parent as usize));
        match (line.program(command), parent) {
            (Some("trap"), _) => return is_handler_at_end(line, command),
            (_, Some(parent)) if matches!(command.reach, Reach::Function | Reach::Text) => {
                command = parent;
            }
            _ => return false,
        }
    }
    false
}

fn is_handler_at_end(line: &CommandLine, command: &Command) -> bool {
    let signals = line.words(command).get(2..).unwrap_or_default();
    !signals.is_empty() && signals.iter().all(|signal| is_at_end(line.text(signal)))
}
