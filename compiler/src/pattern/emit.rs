//! Writes the syntax tree as a regular expression of Rust's `regex`. What it writes is valid for
//! every tree: sets and escapes were checked when they were read.

use std::fmt::Write as _;

use super::syntax::{Class, ClassItem, Item, Look, Node, Perl, PerlKind, Repeat};

/// Emits `root`. With `fold` the expression starts out ignoring case.
pub(super) fn emit(root: &Item, fold: bool) -> String {
    // Room for what is usually added: the flag, and longer spellings of a few escapes.
    let mut emitter = Emitter { out: String::with_capacity(root.range.len() * 5 / 4 + 32), fold };
    if fold {
        emitter.out.push_str("(?i)");
    }
    emitter.item(root);
    emitter.out
}

struct Emitter {
    out: String,
    /// Whether case is ignored at this point of the output.
    fold: bool,
}

impl Emitter {
    fn item(&mut self, item: &Item) {
        match &item.node {
            Node::Literal { character, fold } => {
                if letter_has_case(*character) {
                    self.set_fold(*fold);
                }
                self.character(*character);
            }
            Node::Dot { newline: false } => self.out.push('.'),
            Node::Dot { newline: true } => self.out.push_str("(?s:.)"),
            Node::Perl(perl) => self.out.push_str(perl_alone(*perl)),
            Node::Property(text) => self.out.push_str(text),
            Node::Class(class) => self.class(class),
            Node::Look(look) => self.out.push_str(look_text(*look)),
            Node::Group(inner) => self.group(inner),
            Node::Concat(items) => items.iter().for_each(|item| self.item(item)),
            Node::Alternation(items) => self.alternation(items),
            Node::Repeat(repeat) => self.repeat(repeat),
            // Refused before anything is emitted.
            Node::Around(_) | Node::Broken => {}
        }
    }

    /// Flags hold to the end of the group, across alternatives: one linear state is enough.
    fn set_fold(&mut self, fold: bool) {
        if self.fold != fold {
            self.out.push_str(if fold { "(?i)" } else { "(?-i)" });
            self.fold = fold;
        }
    }

    fn character(&mut self, character: char) {
        let short = match character {
            '\n' => Some("\\n"),
            '\r' => Some("\\r"),
            '\t' => Some("\\t"),
            _ => None,
        };
        if let Some(escape) = short {
            self.out.push_str(escape);
        } else if regex_syntax::is_meta_character(character) {
            self.out.push('\\');
            self.out.push(character);
        } else if character.is_control() {
            let _ = write!(self.out, "\\x{{{:x}}}", u32::from(character));
        } else {
            self.out.push(character);
        }
    }

    fn group(&mut self, inner: &Item) {
        // A group in a group groups nothing more.
        if matches!(inner.node, Node::Group(_)) {
            return self.item(inner);
        }
        let fold = self.fold;
        self.out.push_str("(?:");
        self.item(inner);
        self.out.push(')');
        self.fold = fold;
    }

    fn alternation(&mut self, items: &[Item]) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push('|');
            }
            self.item(item);
        }
    }

    fn repeat(&mut self, repeat: &Repeat) {
        let group = matches!(&repeat.item.node, Node::Group(_));
        if group {
            self.item(&repeat.item);
        } else {
            // A flag or an escape may come with the character: the operator must hold for it alone.
            let fold = self.fold;
            let before = self.out.len();
            self.item(&repeat.item);
            if self.fold != fold {
                self.out.insert_str(before, "(?:");
                self.out.push(')');
                self.fold = fold;
            }
        }
        match (repeat.min, repeat.max) {
            (0, None) => self.out.push('*'),
            (1, None) => self.out.push('+'),
            (0, Some(1)) => self.out.push('?'),
            (min, None) => drop(write!(self.out, "{{{min},}}")),
            (min, Some(max)) if min == max => drop(write!(self.out, "{{{min}}}")),
            (min, Some(max)) => drop(write!(self.out, "{{{min},{max}}}")),
        }
    }

    fn class(&mut self, class: &Class) {
        if has_case(class) {
            self.set_fold(class.fold);
        } else if self.fold && class.items.iter().any(|item| matches!(item, ClassItem::Perl(_))) {
            // Folding would add `ſ` and `K` to an ASCII `\w`.
            self.out.push_str("(?-i:");
            self.brackets(class);
            self.out.push(')');
            return;
        }
        self.brackets(class);
    }

    fn brackets(&mut self, class: &Class) {
        self.out.push_str(if class.negated { "[^" } else { "[" });
        for item in &class.items {
            match item {
                ClassItem::Range(low, high) if low == high => self.character(*low),
                ClassItem::Range(low, high) => {
                    self.character(*low);
                    self.out.push('-');
                    self.character(*high);
                }
                ClassItem::Perl(perl) => self.out.push_str(perl_in_class(*perl)),
                ClassItem::Property(text) => self.out.push_str(text),
            }
        }
        self.out.push(']');
    }
}

fn letter_has_case(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphabetic();
    }
    character.to_lowercase().ne(character.to_uppercase())
}

/// Whether ignoring case could add to the characters that the class names.
fn has_case(class: &Class) -> bool {
    class.items.iter().any(|item| match item {
        ClassItem::Range(low, high) if high.is_ascii() => {
            (*low <= 'Z' && *high >= 'A') || (*low <= 'z' && *high >= 'a')
        }
        ClassItem::Range(..) | ClassItem::Property(_) => true,
        ClassItem::Perl(_) => false,
    })
}

fn look_text(look: Look) -> &'static str {
    match look {
        Look::TextStart => "\\A",
        Look::LineStart => "(?m:^)",
        // Nothing that consumes can follow, so taking the newline changes no answer.
        Look::TextEndOrFinalNewline => "(?:\\n?\\z)",
        Look::LineEnd => "(?m:$)",
        Look::TextEnd => "\\z",
        Look::Word { negated: false, unicode: false } => "(?-u:\\b)",
        Look::Word { negated: true, unicode: false } => "(?-u:\\B)",
        Look::Word { negated: false, unicode: true } => "\\b",
        Look::Word { negated: true, unicode: true } => "\\B",
    }
}

/// A set outside brackets. A negated ASCII set is written out, since it must match characters,
/// not bytes; without folding, which would take `ſ` and `K` from it.
fn perl_alone(perl: Perl) -> &'static str {
    match (perl.kind, perl.negated, perl.unicode) {
        (PerlKind::Digit, false, false) => "[0-9]",
        (PerlKind::Space, false, false) => "(?-u:\\s)",
        (PerlKind::Word, false, false) => "(?-u:\\w)",
        (PerlKind::Word, true, false) => "(?-i:[^0-9A-Za-z_])",
        _ => perl_in_class(perl),
    }
}

fn perl_in_class(perl: Perl) -> &'static str {
    match (perl.kind, perl.negated, perl.unicode) {
        (PerlKind::Digit, false, false) => "0-9",
        (PerlKind::Digit, true, false) => "[^0-9]",
        (PerlKind::Space, false, false) => "\\t-\\r ",
        (PerlKind::Space, true, false) => "[^\\t-\\r ]",
        (PerlKind::Word, false, false) => "0-9A-Za-z_",
        (PerlKind::Word, true, false) => "[^0-9A-Za-z_]",
        (PerlKind::Digit, false, true) => "\\d",
        (PerlKind::Digit, true, true) => "\\D",
        (PerlKind::Space, false, true) => "\\s",
        (PerlKind::Space, true, true) => "\\S",
        (PerlKind::Word, false, true) => "\\w",
        (PerlKind::Word, true, true) => "\\W",
    }
}
