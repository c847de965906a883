//! Simple commands: words, assignments and redirections in one, and the head of a function.

use super::command::Opaque;
use super::context::Context;
use super::environment;
use super::functions;
use super::line::CommandLine;
use super::reader::{Reader, ends_word};
use super::variables;

/// A command with more words and redirections is [`Opaque::TooLarge`]: nobody looks at all of them.
const MAX_WORDS: usize = 4_000;

impl<'t> Reader<'t, '_> {
    /// Assignments, words and redirections.
    pub fn simple(&mut self, context: &Context) {
        let from = self.at;
        let index = self.line.commands.len();
        self.line.commands.push(self.new_command(context, from));
        let inner = Context { parent: Some(index as u32), ..context.clone() };
        let words = self.line.pending.words.len();
        let redirects = self.line.pending.redirects.len();
        let names = self.line.pending.names.len();
        let set_for = self.line.set_for.len();
        let before = self.line.variables.here();
        let (mut prefix, mut lists, mut separators) = (true, Vec::new(), None);
        loop {
            self.skip_blanks();
            if self.redirect(&inner) {
                continue;
            }
            if prefix && self.assignment(&inner) {
                continue;
            }
            let listed = self.line.pending.words.len().saturating_sub(words)
                + self.line.pending.redirects.len().saturating_sub(redirects);
            if listed > MAX_WORDS {
                self.line.fail(Opaque::TooLarge);
            }
            if self.line.is_full() {
                break;
            }
            if prefix && self.line.pending.names.len() > names && self.is_word_here() {
                // What stands before a program is set for that alone.
                if self.line.pending.names.len() == names + 1 {
                    let spot = self.spot(context);
                    separators = self.line.variables.own_separators(spot);
                }
                self.line.variables.roll_back(before);
            }
            let start = self.at;
            if !self.word(&inner) {
                break;
            }
            if self.peek() == Some(b'(')
                && self.text.get(start..self.at).is_some_and(|word| word.ends_with('='))
            {
                // `declare -a list=(a b)`
                let name = self.text.get(start..self.at).unwrap_or_default();
                self.at += 1;
                let is_map =
                    self.line.pending.words.get(words..).into_iter().flatten().any(|word| {
                        let text = self.line.text(word);
                        text.starts_with('-') && text.contains('A')
                    });
                self.declared_list(&inner, name.trim_end_matches('='), is_map);
                lists.push(name.trim_end_matches(['=', '+']));
            }
            prefix &= self.line.pending.words.len() == words;
            // What has commands or redirections before it is no head of a function.
            let is_bare = self.line.commands.len() == index + 1
                && self.line.pending.redirects.len() == redirects;
            if is_bare && self.is_function_head(words) {
                let name = self.text.get(start..self.at).unwrap_or_default().trim_end();
                let name = name.trim_end_matches([')', '(', ' ', '\t']);
                self.line.pending.words.truncate(words);
                self.line.pending.names.truncate(names);
                self.line.commands.truncate(index);
                return self.function(context, name);
            }
        }
        self.finish_simple(context, index, words, redirects, from);
        self.each_program(context, index);
        self.line.count_change(index);
        let has_program =
            self.line.commands.get(index).is_some_and(|command| !command.words.is_empty());
        let is_bare = self.line.pending.names.len() == names;
        if !has_program {
            // What stands in the values runs with what is set for it; what follows, with what is in the environment.
            let CommandLine { set_for: all, variables, text, .. } = &mut *self.line;
            let mut at = 0;
            all.retain(|(command, name, _)| {
                at += 1;
                let name = text.get(name.start as usize..name.end as usize).unwrap_or_default();
                at <= set_for || *command != index as u32 || variables.exports(name)
            });
        }
        let sets_separators = self.line.pending.names.len() == names + 1
            && self.line.pending.names.last().is_some_and(|(from, to)| {
                self.text.get(*from as usize..*to as usize) == Some("IFS")
            });
        self.note_assignments(context, index, names, has_program);
        if is_bare {
            let spot = self.spot(context);
            separators = self.line.variables.own_separators(spot);
        }
        let separators = separators.filter(|_| is_bare || sets_separators);
        self.note_builtin(context, index, &lists, separators.as_deref());
    }

    /// Whether a word begins here.
    fn is_word_here(&self) -> bool {
        self.peek().is_some_and(|byte| !ends_word(byte))
            || self.starts_with("<(")
            || self.starts_with(">(")
    }

    /// What the assignments of a command change besides values.
    fn note_assignments(
        &mut self,
        context: &Context,
        index: usize,
        base: usize,
        has_program: bool,
    ) {
        let spot = self.spot(context);
        while self.line.pending.names.len() > base {
            let Some((from, to)) = self.line.pending.names.pop() else { break };
            let name = self.text.get(from as usize..to as usize).unwrap_or_default();
            let variables = &mut self.line.variables;
            if has_program {
                // Some shells keep it for some programs.
                if name != "IFS" {
                    variables.lose(name, spot);
                }
                let is_harmless = environment::is_harmless(name);
                if let Some(command) = self.line.commands.get_mut(index).filter(|_| !is_harmless) {
                    command.may_run_more = true;
                }
            } else if environment::is_looked_at(name)
                || variables.exports_all && !environment::is_harmless(name)
            {
                self.change_environment(context);
            }
        }
    }

    /// Notes that what follows runs in an environment of which it is not known what it does.
    pub fn change_environment(&mut self, context: &Context) {
        self.line.environment_changed = true;
        // It may have run before what stands before it.
        self.line.all_may_run_more |= context.in_loop || context.function.is_some();
    }

    /// `name ( )` defines a function.
    fn is_function_head(&mut self, words: usize) -> bool {
        if self.line.pending.words.len() != words + 1 || self.line.commands.is_empty() {
            return false;
        }
        let blanks = self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if self.peek_at(blanks) != Some(b'(') {
            return false;
        }
        let inner = self.text.get(self.at + blanks + 1..).unwrap_or_default();
        let Some(behind) = inner.trim_start_matches([' ', '\t']).strip_prefix(')') else {
            return false;
        };
        self.at = self.text.len() - behind.len();
        true
    }

    fn finish_simple(
        &mut self,
        context: &Context,
        index: usize,
        words: usize,
        redirects: usize,
        from: usize,
    ) {
        let span = self.span(from, self.trimmed_end(from));
        let (redirects, own_input) = self.take_redirects(redirects);
        let CommandLine { words: all, pending, commands, text, .. } = &mut *self.line;
        let start = all.len() as u32;
        all.extend_from_slice(pending.words.get(words..).unwrap_or_default());
        pending.words.truncate(words);
        let Some(command) = commands.get_mut(index) else { return };
        command.words = start..all.len() as u32;
        (command.redirects, command.own_input) = (redirects, own_input);
        command.span = span;
        if let Some(first) = all.get(start as usize) {
            let part = |from: u32, to: u32| text.get(from as usize..to as usize);
            let path = part(first.start, first.end).unwrap_or_default();
            let behind = path.bytes().rposition(|byte| byte == b'/').map_or(0, |at| at + 1);
            let name = path.get(behind..).unwrap_or_default();
            let is_unknown = first.has_hole() && name.contains(super::HOLE);
            if (first.is_glob() && name != "[") || is_unknown || first.may_be_other() {
                command.opaque = Some(Opaque::Program);
            }
            let function = context.function.and_then(|(from, to)| part(from, to));
            command.calls_own_function = function.is_some_and(|function| function == name);
        }
        self.note_call(context, start as usize);
        let nothing = self.at == from;
        // `time` alone is a command.
        let ends = self.peek().is_none_or(|byte| matches!(byte, b'\n' | b';'));
        if nothing && ends && self.text.get(..from).is_some_and(|text| text.ends_with("time")) {
            self.line.commands.truncate(index);
        } else if nothing {
            // Something that no rule of the grammar takes, such as a lone `)`.
            self.broken();
            self.line.commands.truncate(index);
            self.at += self.rest().chars().next().map_or(0, char::len_utf8);
        }
    }

    /// A command whose program is the value of a variable that branches of the line give several: one for each of them.
    /// Of a loop or a function nobody knows which comes when, nor what a program of the shell's own changes.
    fn each_program(&mut self, context: &Context, index: usize) {
        let is_plain = !context.in_loop && context.function.is_none() && self.place.is_none();
        let Some(command) = self.line.commands.get(index).filter(|_| is_plain) else { return };
        let Some(first) = self.line.words(command).first().copied() else { return };
        let words = command.words.clone();
        let is_whole = self.line.text(&first).chars().eq([super::HOLE]);
        if command.opaque != Some(Opaque::Program) || !is_whole || first.is_glob() {
            return;
        }
        let spot = self.spot(context);
        let is_word =
            !first.may_split() || self.line.variables.separators(spot) == Some(variables::BLANKS);
        let values = self.line.given_programs(&first);
        if !is_word || values.is_empty() || self.line.is_full() {
            return;
        }
        for (number, value) in values.into_iter().enumerate() {
            let start = self.line.words.len() as u32;
            let CommandLine { words: all, commands, .. } = &mut *self.line;
            all.push(value.placed_as(&first));
            all.extend_from_within(words.start as usize + 1..words.end as usize);
            let end = all.len() as u32;
            let Some(own) = commands.get_mut(index) else { return };
            // A variable that the line does not set has another value.
            (own.opaque, own.may_run_more) = (None, true);
            let mut other = own.clone();
            match number {
                0 => own.words = start..end,
                _ => {
                    other.words = start..end;
                    commands.push(other);
                }
            }
        }
    }

    /// Marks a command whose program is a function of the line.
    fn note_call(&mut self, context: &Context, first: usize) {
        let spot = self.spot(context);
        let CommandLine { words, variables, text, .. } = &mut *self.line;
        let Some(word) = words.get_mut(first).filter(|word| !word.has_hole() && !word.is_glob())
        else {
            return;
        };
        let name = text.get(word.start as usize..word.end as usize).unwrap_or_default();
        if !variables.is_function(name, spot) {
            return;
        }
        let name = [name, functions::CALLED].concat();
        let span = word.from..word.to;
        let called = self.line.add_text(&name, span);
        if let Some(word) = self.line.words.get_mut(first) {
            *word = called;
        }
    }

    fn trimmed_end(&self, from: usize) -> usize {
        let read = self.text.get(from..self.at).unwrap_or_default();
        from + read.trim_end().len()
    }
}
