//! Command lines of the shell fish, written as bash would have them, so that the one reader reads both. Source:
//! <https://fishshell.com/docs/current/language.html>. Knows as much of the grammar as decides what runs: blocks that end
//! in `end`, substitutions in plain parentheses, `set`, and quotes.

use std::iter::Peekable;
use std::str::Chars;

/// Blocks in blocks are followed so deep; a deeper text stays as it is, and does not parse.
const MAX_DEPTH: usize = 48;

/// A block that ends in `end`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    If,
    Loop,
    Group,
    Choice,
}

/// Returns a command line of fish as one of bash.
pub(super) fn as_bash(text: &str) -> String {
    let mut translation = Translation {
        rest: text.chars().peekable(),
        made: String::new(),
        open: Vec::new(),
        then: "",
    };
    translation.commands(0);
    translation.made
}

struct Translation<'t> {
    rest: Peekable<Chars<'t>>,
    made: String,
    open: Vec<Block>,
    /// What bash wants behind the head of the block that was opened last.
    then: &'static str,
}

impl Translation<'_> {
    /// Commands up to the end, or to the parenthesis that closes them.
    fn commands(&mut self, depth: usize) {
        let mut starts = true;
        while let Some(&sign) = self.rest.peek() {
            match sign {
                ' ' | '\t' => self.keep(),
                // Behind what begins a block bash wants a command.
                ';' | '\n' if starts || self.then == "in" => {
                    self.rest.next();
                    self.head_ends();
                    starts = true;
                }
                ';' | '\n' => {
                    self.keep();
                    self.head_ends();
                    starts = true;
                }
                '|' | '&' => {
                    self.keep();
                    starts = true;
                }
                ')' if depth > 0 => return,
                '#' if starts || self.made.ends_with([' ', '\t']) => self.skip_line(),
                _ if starts => starts = self.first_word(depth),
                _ => self.word(depth),
            }
        }
        self.head_ends();
    }

    fn keep(&mut self) {
        self.made.extend(self.rest.next());
    }

    fn skip_line(&mut self) {
        while self.rest.next_if(|sign| *sign != '\n').is_some() {}
    }

    /// Puts `then` or `do` where the head of a block has ended.
    fn head_ends(&mut self) {
        if !self.then.is_empty() {
            self.made.push('\n');
            self.made.push_str(std::mem::take(&mut self.then));
            self.made.push(' ');
        }
    }

    /// The word that begins a command, which may be one of the grammar. Says whether another command begins behind it.
    fn first_word(&mut self, depth: usize) -> bool {
        let is_letter = |sign: &char| sign.is_ascii_alphabetic();
        let mut word = String::new();
        while let Some(sign) = self.rest.next_if(is_letter) {
            word.push(sign);
        }
        let ends = self.rest.peek().is_none_or(|sign| " \t;\n|&)".contains(*sign));
        let fits = self.open.len() < MAX_DEPTH;
        match &*word {
            "if" if ends && fits => self.opens(Block::If, "if", "then"),
            "while" if ends && fits => self.opens(Block::Loop, "while", "do"),
            "for" if ends && fits => {
                self.opens(Block::Loop, "for", "do");
                return false;
            }
            "begin" if ends && fits => self.opens(Block::Group, "{ ", ""),
            "switch" if ends && fits => {
                self.opens(Block::Choice, "case ", "in");
                return false;
            }
            "case" if ends && self.open.last() == Some(&Block::Choice) => self.case(depth),
            "function" if ends && fits => self.function(),
            "else" if ends => self.otherwise(),
            "end" if ends && !self.open.is_empty() => {
                let closing = match self.open.pop() {
                    Some(Block::If) => "fi",
                    Some(Block::Loop) => "done",
                    Some(Block::Choice) => "\n;; esac",
                    _ => "}",
                };
                self.made.push_str(closing);
                return false;
            }
            // Both run as far as what came before lets them.
            "and" | "or" if ends => {}
            "not" if ends => self.made.push_str("! "),
            "set" if ends => {
                self.set(depth);
                return false;
            }
            _ => {
                self.made.push_str(&word);
                self.word(depth);
                return false;
            }
        }
        true
    }

    fn opens(&mut self, block: Block, head: &str, then: &'static str) {
        self.open.push(block);
        self.made.push_str(head);
        self.then = then;
    }

    /// `else`, or `else if`.
    fn otherwise(&mut self) {
        while self.rest.next_if(|sign| matches!(sign, ' ' | '\t')).is_some() {}
        let mut ahead = self.rest.clone();
        let is_if = ahead.next() == Some('i')
            && ahead.next() == Some('f')
            && ahead.next().is_none_or(|sign| sign.is_whitespace());
        if is_if {
            self.rest.next();
            self.rest.next();
            self.then = "then";
        }
        self.made.push_str(if is_if { "elif " } else { "else " });
    }

    /// `case PATTERN…`: all patterns are one here.
    fn case(&mut self, depth: usize) {
        if !self.made.trim_end().ends_with("\nin") {
            self.made.push_str(";; ");
        }
        while self.rest.peek().is_some_and(|sign| !matches!(sign, ';' | '\n' | ')')) {
            match self.rest.peek() {
                Some(' ' | '\t') => drop(self.rest.next()),
                _ => {
                    if !self.made.ends_with([' ', '\n']) {
                        self.made.push('|');
                    }
                    self.word(depth);
                }
            }
        }
        // What ends the patterns is no command.
        self.rest.next_if(|sign| matches!(sign, ';' | '\n'));
        self.made.push_str(") ");
    }

    /// `function NAME FLAGS…`.
    fn function(&mut self) {
        let mut head = String::new();
        while let Some(sign) = self.rest.next_if(|sign| !matches!(sign, ';' | '\n')) {
            head.push(sign);
        }
        self.rest.next();
        let name = head.split_whitespace().next().unwrap_or("f");
        self.open.push(Block::Group);
        self.made.extend([name, "() { "]);
    }

    /// `set FLAGS… NAME VALUES…`.
    fn set(&mut self, depth: usize) {
        let from = self.made.len();
        while self.rest.peek().is_some_and(|sign| !matches!(sign, ';' | '\n' | '|' | '&' | ')')) {
            match self.rest.peek() {
                Some(' ' | '\t') => self.keep(),
                _ => self.word(depth),
            }
        }
        let words = self.made.split_off(from);
        let mut words = words.trim_start();
        let (mut exports, mut erases, mut asks, mut is_universal) = (false, false, false, false);
        while let Some(flags) = words.strip_prefix('-') {
            let (flag, behind) = flags.split_once([' ', '\t']).unwrap_or((flags, ""));
            let is = |short: char, long: &str| {
                flag == long || !flag.starts_with('-') && flag.contains(short)
            };
            exports |= is('x', "-export");
            erases |= is('e', "-erase");
            is_universal |= is('U', "-universal");
            asks |= is('q', "-query") || is('S', "-show") || is('n', "-names");
            words = behind.trim_start();
        }
        let (name, values) = words.split_once([' ', '\t']).unwrap_or((words, ""));
        let values = values.trim();
        let is_one = !values.contains([' ', '\t']) || is_quoted(values);
        match (name, erases) {
            _ if asks => self.made.push_str("true"),
            ("", _) => self.made.push_str("set"),
            (_, true) => self.made.extend(["unset ", name]),
            _ if is_one => {
                let export = if exports { "export " } else { "" };
                let value = if values.is_empty() { "''" } else { values };
                self.made.extend([export, name, "=", value]);
                // What is kept for all shells to come, no variable of a line is.
                if is_universal {
                    self.made.extend(["; set -U ", name, " ", value]);
                }
            }
            _ => self.made.extend([name, "=(", values, ")"]),
        }
    }

    /// A word up to a blank or what ends a command.
    fn word(&mut self, depth: usize) {
        while let Some(&sign) = self.rest.peek() {
            match sign {
                ' ' | '\t' | ';' | '\n' | '|' | '&' => return,
                ')' if depth > 0 => return,
                '\'' => self.single_quoted(),
                '"' => self.double_quoted(depth),
                '(' if depth < MAX_DEPTH => self.substitution(depth),
                '`' => {
                    self.made.push('\\');
                    self.keep();
                }
                '\\' => {
                    self.keep();
                    self.keep();
                }
                '$' => self.variable(depth),
                _ => self.keep(),
            }
        }
    }

    /// `( … )`, with a `$` before it or not.
    fn substitution(&mut self, depth: usize) {
        self.rest.next();
        self.made.push_str("$(");
        let (open, then) = (std::mem::take(&mut self.open), std::mem::take(&mut self.then));
        self.commands(depth + 1);
        (self.open, self.then) = (open, then);
        if self.rest.next_if_eq(&')').is_some() {
            self.made.push(')');
        }
    }

    fn variable(&mut self, depth: usize) {
        self.rest.next();
        if self.rest.peek() == Some(&'(') && depth < MAX_DEPTH {
            return self.substitution(depth);
        }
        let is_name = |sign: &char| sign.is_ascii_alphanumeric() || *sign == '_';
        let mut name = String::new();
        while let Some(sign) = self.rest.next_if(is_name) {
            name.push(sign);
        }
        let mut index = String::new();
        if self.rest.peek() == Some(&'[') {
            while let Some(sign) = self.rest.next_if(|sign| !matches!(sign, ']' | ';' | '\n')) {
                index.push(sign);
            }
            self.rest.next_if_eq(&']');
        }
        let index = index.trim_start_matches('[');
        let number = index.parse::<usize>().ok().filter(|number| *number > 0);
        match (&*name, index, number) {
            ("argv", "", _) => self.made.push_str("$@"),
            ("argv", _, Some(number)) => self.made.push_str(&format!("${{{number}}}")),
            ("status", "", _) => self.made.push_str("$?"),
            ("", ..) => self.made.push('$'),
            (_, "", _) => self.made.push_str(&format!("${{{name}}}")),
            // They count from 1.
            (_, _, Some(number)) => self.made.push_str(&format!("${{{name}[{}]}}", number - 1)),
            _ => self.made.push_str(&format!("${{{name}[@]}}")),
        }
    }

    fn single_quoted(&mut self) {
        self.keep();
        while let Some(sign) = self.rest.next() {
            match sign {
                '\'' => return self.made.push('\''),
                '\\' if matches!(self.rest.peek(), Some('\'')) => {
                    self.rest.next();
                    self.made.push_str("'\\''");
                }
                '\\' if matches!(self.rest.peek(), Some('\\')) => {
                    self.rest.next();
                    self.made.push('\\');
                }
                sign => self.made.push(sign),
            }
        }
    }

    fn double_quoted(&mut self, depth: usize) {
        self.keep();
        while let Some(&sign) = self.rest.peek() {
            match sign {
                '"' => return self.keep(),
                '\\' => {
                    self.keep();
                    self.keep();
                }
                '`' => {
                    self.made.push('\\');
                    self.keep();
                }
                '$' => self.variable(depth),
                _ => self.keep(),
            }
        }
    }
}

/// Whether a text is one word in quotes.
fn is_quoted(text: &str) -> bool {
    let quote = |quote: char| {
        let inner = text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        inner.is_some_and(|inner| !inner.contains(quote))
    };
    quote('"')
        || quote('\'')
        || text.starts_with("$(") && text.matches("$(").count() == 1 && text.ends_with(')')
}

#[cfg(test)]
mod tests {
    use super::as_bash;

    #[track_caller]
    fn check(fish: &str, bash: &str) {
        let made = as_bash(fish).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(made, bash, "{fish}");
    }

    #[test]
    fn blocks_end_as_in_bash() {
        check("if test -d x; rm -rf x; end", "if test -d x; then rm -rf x; fi");
        check("if a; b; else if c; d; else; e; end", "if a; then b; elif c; then d; else e; fi");
        check("for f in *; rm $f; end", "for f in *; do rm ${f}; done");
        check("while true; ls; end", "while true; do ls; done");
        check("begin; ls; end; and echo ok", "{ ls; }; echo ok");
        check("function f; rm $argv[1]; end; f x", "f() { rm ${1}; }; f x");
        check(
            "switch $x; case a b; ls; case '*'; id; end",
            "case ${x} in a|b) ls; ;; '*') id; ;; esac",
        );
    }

    #[test]
    fn substitutions_variables_and_quotes_are_those_of_bash() {
        check("echo (rm -rf x)", "echo $(rm -rf x)");
        check("set x rm; $x -rf a", "x=rm; ${x} -rf a");
        check("set -gx A 'b c'", "export A='b c'");
        check("set -Ux A b", "export A=b; set -U A b");
        check("set l a b; rm $l", "l=(a b); rm ${l}");
        check("set -e X; set -q Y; or ls", "unset X; true; ls");
        check(r"echo 'a\'b' `c`", r"echo 'a'\''b' \`c\`");
        check("echo \"(ls) $x\"", "echo \"(ls) ${x}\"");
        check("not ls # end", "! ls");
        check("echo end if", "echo end if");
    }
}
