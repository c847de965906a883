//! Where the cursor is in text that is being typed: the keys and items on the way there, and what
//! can be written at it.
//!
//! Works by indentation and brackets alone, on the text up to the cursor, so that it answers just
//! as well where no parser does. One pass over the lines; nothing is nested in the machine's stack.

/// A step from the root of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Into the value of a key.
    Key(String),
    /// Into an item of a list.
    Item,
}

/// Where the cursor is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Context {
    /// The way to the mapping whose key stands here, or to the value.
    pub path: Vec<Step>,
    /// What stands here.
    pub site: Site,
    /// Where what is being written starts.
    pub start: usize,
}

/// What can be written at the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Site {
    /// A key of a mapping that has these keys.
    Key { others: Vec<String> },
    /// A new item of a block list, from its dash on.
    Dash,
    /// A value on a line of its own or behind a dash, which may become a mapping.
    Fresh,
    /// The header of a table, from its bracket on.
    Header,
    /// A value behind its key or in brackets.
    Inline { quote: Option<char>, flow: bool },
}

/// Finds out where `offset` is; `None` in comments and behind values that are complete.
pub(super) fn find(text: &str, offset: usize) -> Option<Context> {
    let before = text.get(..offset)?;
    let mut scanner =
        Scanner { text: before, frames: Vec::new(), mode: Mode::Lines, tail: Tail::Nothing };
    let mut at = 0;
    for line in before.split_inclusive('\n') {
        scanner.line(at, line.trim_end_matches(['\n', '\r']));
        at += line.len();
    }
    if before.is_empty() || before.ends_with('\n') {
        scanner.line(at, "");
    }
    scanner.context(text, offset)
}

/// A collection that is open at some point of the text.
#[derive(Clone, Debug)]
enum Frame {
    /// A block mapping: its column, its keys so far, the key whose value comes, and whether that
    /// value has begun, and where.
    Map { column: usize, keys: Vec<String>, current: Option<String>, begun: Begun },
    /// A block list: the column of its dashes and whether the item has begun.
    List { column: usize, begun: Begun },
    /// A mapping in braces, its keys so far, and the one whose value comes.
    Braces { keys: Vec<String>, current: Option<String> },
    /// A list in brackets.
    Brackets,
}

/// How much of a value was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begun {
    /// Nothing.
    No,
    /// Plain text from this offset on, which may go on below.
    Plain(usize),
    /// All of it.
    Whole,
}

/// What the next line is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Lines of block collections.
    Lines,
    /// A block scalar whose key or dash stands at the column; where its text starts.
    Block { column: isize, start: usize },
    /// Brackets opened at the column, this many frames below them.
    Flow { column: isize, base: usize, token: usize, quote: Option<char> },
    /// A quoted scalar whose key or dash stands at the column; where its text starts.
    Quoted { column: isize, quote: char, start: usize },
}

/// What the line that was read last ends with.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Tail {
    Nothing,
    /// A key of the innermost mapping starts here.
    Key(usize),
    /// A dash of the innermost list could be here.
    Dash(usize),
    /// The innermost frame's value starts here, on a line of its own or behind a dash.
    Fresh(usize),
    /// The value of the innermost mapping's key, on its line or going on from there.
    Inline(usize),
}

struct Scanner<'t> {
    text: &'t str,
    frames: Vec<Frame>,
    mode: Mode,
    tail: Tail,
}

impl Scanner<'_> {
    /// Reads a line that starts at the offset `at`.
    fn line(&mut self, at: usize, line: &str) {
        self.tail = Tail::Nothing;
        let indent = line.len() - line.trim_start_matches(' ').len();
        // On a blank line, what was left open goes on unless the cursor says otherwise.
        let is_last = at + line.len() == self.text.len();
        let is_blank = line.trim().is_empty() && !is_last;
        match self.mode {
            Mode::Block { column, .. } if is_blank || indent as isize > column => return,
            Mode::Flow { column, .. } if is_blank || indent as isize > column => {
                return self.flow(at, line);
            }
            Mode::Quoted { column, quote, start } if is_blank || indent as isize > column => {
                return self.quoted(line, quote, column, start);
            }
            Mode::Flow { base, .. } => self.frames.truncate(base),
            _ => {}
        }
        self.mode = Mode::Lines;
        self.block(at, line, indent);
    }

    /// Reads a line of block collections.
    fn block(&mut self, at: usize, line: &str, indent: usize) {
        let mut column = indent;
        let mut rest = line.get(indent..).unwrap_or_default();
        if rest.starts_with('#') || rest.starts_with("---") || rest.starts_with('\t') {
            return;
        }
        if rest.trim().is_empty() {
            // Only the cursor's line says where it stands; others are passed over.
            if at + line.len() == self.text.len() {
                self.close(column, false);
                self.tail = self.start_at(at + column, column);
            }
            return;
        }
        self.close(column, rest.starts_with("- ") || rest == "-");
        if self.goes_on(column, rest) {
            return;
        }
        let mut is_behind_dash = false;
        while rest.starts_with("- ") || rest == "-" {
            self.dash(column);
            let after = rest.get(1..).unwrap_or_default();
            let blanks = after.len() - after.trim_start_matches(' ').len();
            column += 1 + blanks;
            rest = after.get(blanks..).unwrap_or_default();
            if rest.is_empty() {
                self.tail = if blanks > 0 { Tail::Fresh(at + column) } else { Tail::Nothing };
                return;
            }
            is_behind_dash = true;
        }
        let start = at + column;
        match split_key(rest) {
            Some((key, behind)) => self.key(start, column, key, rest, behind),
            None if is_behind_dash => self.value(start, rest, column as isize - 1, true),
            None => self.loose(start, rest, column),
        }
    }

    /// Closes what a line at this column is no longer part of.
    fn close(&mut self, column: usize, is_dash: bool) {
        while let Some(frame) = self.frames.last() {
            let is_over = match frame {
                Frame::Map { column: own, .. } => *own > column,
                // Behind the items of a list, its column belongs to the mapping around it.
                Frame::List { column: own, .. } => {
                    *own > column || *own == column && !is_dash && self.is_list_in_line()
                }
                Frame::Braces { .. } | Frame::Brackets => true,
            };
            if !is_over {
                return;
            }
            self.frames.pop();
        }
    }

    /// Whether the innermost list's dashes stand in the column of the mapping around it.
    fn is_list_in_line(&self) -> bool {
        let mut frames = self.frames.iter().rev();
        let (Some(Frame::List { column, .. }), Some(around)) = (frames.next(), frames.next())
        else {
            return false;
        };
        matches!(around, Frame::Map { column: own, .. } if own == column)
    }

    /// Whether a line only goes on with the plain text of lines before.
    fn goes_on(&mut self, column: usize, rest: &str) -> bool {
        let begun = match self.frames.last() {
            Some(Frame::Map { column: own, begun, .. }) if column > *own => *begun,
            Some(Frame::List { column: own, begun }) if column > *own => *begun,
            _ => return false,
        };
        let Begun::Plain(start) = begun else { return false };
        if split_key(rest).is_some() || rest.starts_with("- ") {
            return false;
        }
        self.tail = if has_comment(rest) { Tail::Nothing } else { Tail::Inline(start) };
        true
    }

    fn dash(&mut self, column: usize) {
        if !matches!(self.frames.last(), Some(Frame::List { column: own, .. }) if *own == column) {
            self.begin(Begun::Whole);
            self.frames.push(Frame::List { column, begun: Begun::No });
        }
        self.begin(Begun::No);
    }

    /// Notes how much of the innermost frame's value was seen.
    fn begin(&mut self, how: Begun) {
        if let Some(Frame::Map { begun, .. } | Frame::List { begun, .. }) = self.frames.last_mut() {
            *begun = how;
        }
    }

    fn key(&mut self, start: usize, column: usize, key: &str, rest: &str, behind: usize) {
        if !matches!(self.frames.last(), Some(Frame::Map { column: own, .. }) if *own == column) {
            self.begin(Begun::Whole);
            let keys = Vec::new();
            self.frames.push(Frame::Map { column, keys, current: None, begun: Begun::No });
        }
        if let Some(Frame::Map { keys, current, begun, .. }) = self.frames.last_mut() {
            keys.push(key.to_owned());
            *current = Some(key.to_owned());
            *begun = Begun::No;
        }
        let value = rest.get(behind..).unwrap_or_default();
        let blanks = value.len() - value.trim_start_matches(' ').len();
        let text = value.get(blanks..).unwrap_or_default();
        let start = start + behind + blanks;
        if text.is_empty() {
            // Right behind the colon, a blank is missing.
            self.tail = if blanks > 0 { Tail::Inline(start) } else { Tail::Nothing };
            return;
        }
        self.value(start, text, column as isize, false);
    }

    /// Reads what stands behind a key or a dash; that stands at `column`.
    fn value(&mut self, start: usize, text: &str, column: isize, is_item: bool) {
        let text = match text.starts_with('&') {
            true => text.find(' ').and_then(|end| text.get(end + 1..)).unwrap_or_default(),
            false => text,
        };
        match text.chars().next() {
            None | Some('#') => {}
            Some('|' | '>') => {
                self.begin(Begun::Whole);
                let start = start + text.len();
                self.mode = Mode::Block { column, start };
            }
            Some('{' | '[') => {
                self.begin(Begun::Whole);
                let base = self.frames.len();
                self.mode = Mode::Flow { column, base, token: start, quote: None };
                self.flow(start, text);
            }
            Some(quote @ ('"' | '\'')) => {
                self.begin(Begun::Whole);
                let inside = text.get(1..).unwrap_or_default();
                self.quoted(inside, quote, column, start + 1);
            }
            Some(_) if has_comment(text) => self.begin(Begun::Whole),
            Some(_) => {
                self.begin(Begun::Plain(start));
                self.tail = if is_item { Tail::Fresh(start) } else { Tail::Inline(start) };
            }
        }
    }

    /// Text on a line of its own that is no key, or not yet.
    fn loose(&mut self, start: usize, text: &str, column: usize) {
        if has_comment(text) {
            return;
        }
        self.tail = self.start_at(start, column);
        if self.tail == Tail::Fresh(start) && !text.starts_with(char::is_alphabetic) {
            self.value(start, text, column as isize - 1, true);
        } else if text.starts_with(['"', '\'']) {
            self.tail = Tail::Nothing;
        }
    }

    /// What can start at a column, once everything deeper is closed.
    fn start_at(&self, start: usize, column: usize) -> Tail {
        match self.frames.last() {
            None => Tail::Fresh(start),
            Some(Frame::Map { column: own, .. }) if *own == column => Tail::Key(start),
            Some(Frame::List { column: own, .. }) if *own == column => Tail::Dash(start),
            Some(Frame::Map { begun: Begun::No, .. } | Frame::List { begun: Begun::No, .. }) => {
                Tail::Fresh(start)
            }
            Some(Frame::Map { begun: Begun::Plain(start), .. }) => Tail::Inline(*start),
            // A collection below was closed; what stands in its column would be another value.
            Some(_) => Tail::Nothing,
        }
    }

    /// Reads the rest of a quoted scalar.
    fn quoted(&mut self, line: &str, quote: char, column: isize, start: usize) {
        self.mode = match closing(line, quote) {
            Some(_) => Mode::Lines,
            None => Mode::Quoted { column, quote, start },
        };
    }

    /// Reads brackets and what is in them.
    fn flow(&mut self, at: usize, line: &str) {
        let Mode::Flow { column, base, mut token, mut quote } = self.mode else { return };
        let mut previous = ' ';
        let mut skip = 0;
        for (index, character) in line.char_indices() {
            let here = at + index;
            if skip > 0 {
                skip -= 1;
                continue;
            }
            if let Some(open) = quote {
                match character {
                    '\\' if open == '"' => skip = 1,
                    _ if character == open => quote = None,
                    _ => {}
                }
                previous = character;
                continue;
            }
            match character {
                '#' if previous == ' ' => {
                    self.mode = Mode::Flow { column, base, token: usize::MAX, quote };
                    return;
                }
                '"' | '\'' if self.text.get(token..here).is_some_and(|t| t.trim().is_empty()) => {
                    quote = Some(character);
                }
                '{' => {
                    self.frames.push(Frame::Braces { keys: Vec::new(), current: None });
                    token = here + 1;
                }
                '[' => {
                    self.frames.push(Frame::Brackets);
                    token = here + 1;
                }
                '}' | ']' => {
                    if self.frames.len() > base {
                        self.frames.pop();
                    }
                    if self.frames.len() <= base {
                        self.mode = Mode::Lines;
                        return;
                    }
                    token = usize::MAX;
                }
                ',' => {
                    if let Some(Frame::Braces { current, .. }) = self.frames.last_mut() {
                        *current = None;
                    }
                    token = here + 1;
                }
                ':' if ends_key(line, index, previous) => {
                    let written = self.text.get(token..here).unwrap_or_default();
                    let written = written.trim().trim_matches(['"', '\'']).to_owned();
                    if let Some(Frame::Braces { keys, current }) = self.frames.last_mut()
                        && current.is_none()
                    {
                        keys.push(written.clone());
                        *current = Some(written);
                        token = here + 1;
                    }
                }
                _ => {}
            }
            previous = character;
        }
        self.mode = Mode::Flow { column, base, token, quote };
    }

    /// What all lines up to the cursor come to.
    fn context(self, text: &str, offset: usize) -> Option<Context> {
        match self.mode {
            Mode::Block { start, .. } if start <= offset => {
                Some(self.at(Site::Inline { quote: None, flow: false }, start))
            }
            Mode::Quoted { quote, start, .. } => {
                Some(self.at(Site::Inline { quote: Some(quote), flow: false }, start))
            }
            Mode::Flow { token, quote, .. } => self.in_flow(text, offset, token, quote),
            _ => self.in_block(text, offset),
        }
    }

    fn at(&self, site: Site, start: usize) -> Context {
        Context { path: self.path(), site, start }
    }

    fn path(&self) -> Vec<Step> {
        let step = |frame: &Frame| match frame {
            Frame::Map { current, .. } | Frame::Braces { current, .. } => {
                current.clone().map(Step::Key)
            }
            Frame::List { .. } | Frame::Brackets => Some(Step::Item),
        };
        self.frames.iter().filter_map(step).collect()
    }

    fn in_block(mut self, text: &str, offset: usize) -> Option<Context> {
        match self.tail {
            Tail::Nothing => None,
            Tail::Fresh(start) => Some(self.at(Site::Fresh, start)),
            Tail::Inline(start) => Some(self.at(Site::Inline { quote: None, flow: false }, start)),
            Tail::Dash(start) => Some(self.at(Site::Dash, start)),
            Tail::Key(start) => {
                let Some(Frame::Map { column, mut keys, .. }) = self.frames.pop() else {
                    return None;
                };
                keys.extend(keys_below(text, offset, column));
                Some(self.at(Site::Key { others: keys }, start))
            }
        }
    }

    fn in_flow(
        mut self,
        text: &str,
        offset: usize,
        token: usize,
        quote: Option<char>,
    ) -> Option<Context> {
        let written = self.text.get(token..)?;
        let blanks = written.len() - written.trim_start().len();
        let start = (token + blanks + usize::from(quote.is_some())).min(offset);
        if quote.is_none() && written.trim_start().starts_with(['"', '\'']) {
            return None;
        }
        if let Some(Frame::Braces { current: None, .. }) = self.frames.last()
            && let Some(Frame::Braces { mut keys, .. }) = self.frames.pop()
        {
            keys.extend(keys_in_braces(text, offset));
            return Some(self.at(Site::Key { others: keys }, start));
        }
        Some(self.at(Site::Inline { quote, flow: true }, start))
    }
}

/// Whether a plain scalar ends in a comment.
fn has_comment(text: &str) -> bool {
    text.starts_with('#') || text.contains(" #")
}

/// Whether a colon in brackets ends a key: a blank follows, or the key is in quotes.
fn ends_key(line: &str, index: usize, previous: char) -> bool {
    let next = line.get(index + 1..).and_then(|rest| rest.chars().next());
    matches!(next, None | Some(' ' | ',' | '}' | ']')) || matches!(previous, '"' | '\'')
}

/// Where the quoted text ends that a line starts inside of.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut characters = text.char_indices().peekable();
    while let Some((index, character)) = characters.next() {
        match character {
            '\\' if quote == '"' => drop(characters.next()),
            _ if character == quote => {
                if quote == '\'' && characters.next_if(|(_, next)| *next == '\'').is_some() {
                    continue;
                }
                return Some(index);
            }
            _ => {}
        }
    }
    None
}

/// The key that a line starts with, and where the text behind its colon starts.
fn split_key(line: &str) -> Option<(&str, usize)> {
    let first = line.chars().next()?;
    if let '"' | '\'' = first {
        let end = closing(line.get(1..)?, first)? + 1;
        let behind = line.get(end + 1..)?;
        let colon = end + 1 + behind.len() - behind.trim_start_matches(' ').len();
        line.get(colon..)?.strip_prefix(':')?;
        return Some((line.get(1..end)?, colon + 1));
    }
    if matches!(first, '{' | '[' | '#' | '|' | '>' | '&' | '*' | '!' | '%' | '@' | '`') {
        return None;
    }
    let colon = line
        .match_indices(':')
        .map(|(at, _)| at)
        .find(|at| matches!(line.as_bytes().get(at + 1), None | Some(b' ')))?;
    let key = line.get(..colon)?;
    (!has_comment(key)).then(|| (key.trim_end(), colon + 1))
}

/// The keys of a block mapping that stand behind the cursor.
fn keys_below(text: &str, offset: usize, column: usize) -> Vec<String> {
    let rest = text.get(offset..).unwrap_or_default();
    let mut keys = Vec::new();
    for line in rest.lines().skip(1) {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let content = line.get(indent..).unwrap_or_default();
        if content.trim().is_empty() || indent > column {
            continue;
        }
        if indent < column || content.starts_with("- ") {
            break;
        }
        keys.extend(split_key(content).map(|(key, _)| key.to_owned()));
    }
    keys
}

/// The keys of a mapping in braces that stand behind the cursor on its line.
fn keys_in_braces(text: &str, offset: usize) -> Vec<String> {
    let rest = text.get(offset..).unwrap_or_default();
    let line = rest.lines().next().unwrap_or_default();
    let inside = line.split(['}', '{']).next().unwrap_or_default();
    // What stands before the first comma is what the cursor stands in.
    let entries = inside.split(',').skip(1);
    let keys = entries.filter_map(|entry| split_key(entry.trim()).map(|(key, _)| key.to_owned()));
    keys.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shows where the `‸` of a text is: the path, what can stand there, and what is written.
    fn shown(marked: &str) -> String {
        let offset = marked.find('‸').expect("a cursor");
        let text = marked.replacen('‸', "", 1);
        let Some(context) = find(&text, offset) else { return "nothing".to_owned() };
        let path = context.path.iter().map(|step| match step {
            Step::Key(key) => format!("{key}/"),
            Step::Item => "-/".to_owned(),
        });
        let path: String = path.collect();
        let written = &text[context.start..offset];
        let site = match context.site {
            Site::Key { others } => format!("key [{}]", others.join(" ")),
            Site::Dash => "dash".to_owned(),
            Site::Fresh => "fresh".to_owned(),
            Site::Header => "no site of YAML".to_owned(),
            Site::Inline { quote: Some(quote), .. } => format!("inline {quote}"),
            Site::Inline { flow: true, .. } => "inline flow".to_owned(),
            Site::Inline { .. } => "inline".to_owned(),
        };
        format!("{path} {site} <{written}>")
    }

    #[track_caller]
    fn check(marked: &str, expected: &str) {
        assert_eq!(shown(marked), expected, "{marked}");
        let crlf = marked.replace('\n', "\r\n");
        assert_eq!(shown(&crlf), expected.replace('\n', "\r\n"), "with CRLF: {marked}");
    }

    #[test]
    fn the_root() {
        check("‸", " fresh <>");
        check("ru‸", " fresh <ru>");
        check("rules: {}\n‸", " key [rules] <>");
        check("rules: {}\nprof‸\nclassifier: {}\n", " key [rules classifier] <prof>");
        check("# text ‸", "nothing");
    }

    #[test]
    fn keys_of_a_rule() {
        let rule = "rule_definitions:\n  - id: a\n    when: pre_tool\n";
        check(&format!("{rule}    ‸"), "rule_definitions/-/ key [id when] <>");
        check(
            &format!("{rule}    act‸\n    message: x\n"),
            "rule_definitions/-/ key [id when message] <act>",
        );
        check(&format!("{rule}  ‸"), "rule_definitions/-/ dash <>");
        check(&format!("{rule}‸"), " key [rule_definitions] <>");
        check(&format!("{rule}   ‸"), "nothing");
        check(&format!("{rule}  - ‸"), "rule_definitions/-/ fresh <>");
        check(&format!("{rule}  - i‸"), "rule_definitions/-/ fresh <i>");
        check("rule_definitions:\n- id: a\n‸", " key [rule_definitions] <>");
        check("rule_definitions:\n- id: a\n  ‸", "rule_definitions/-/ key [id] <>");
    }

    #[test]
    fn values_behind_keys() {
        check("a:\n  - when: ‸", "a/-/when/ inline <>");
        check("a:\n  - when: pre‸", "a/-/when/ inline <pre>");
        check("a:\n  - when: \"pre‸\"", "a/-/when/ inline \" <pre>");
        check("a:\n  - when:‸", "nothing");
        check("a: x # ‸", "nothing");
        check("a: b\n  c‸", "a/ inline <b\n  c>");
        check("a: \"b\" ‸", "nothing");
        check("a:\n  - b‸\n", "a/-/ fresh <b>");
    }

    #[test]
    fn values_on_lines_of_their_own() {
        check("a:\n  condition:\n    ‸", "a/condition/ fresh <>");
        check("a:\n  condition:\n    no‸", "a/condition/ fresh <no>");
        check("a:\n  condition:\n  ‸", "a/ key [condition] <>");
        check("a:\n  all:\n    - b: 1\n    - ‸", "a/all/-/ fresh <>");
        check("a:\n  all:\n    - not:\n        ‸", "a/all/-/not/ fresh <>");
        check("a:\n  all:\n    - not:\n      ‸", "a/all/-/ key [not] <>");
    }

    #[test]
    fn block_scalars_and_quotes_over_lines() {
        check(
            "m: |-
  a {‸
",
            "m/ inline <
  a {>",
        );
        check(
            "m: |-
  a: b

  c‸
",
            "m/ inline <
  a: b

  c>",
        );
        check(
            "m: |-
  a
b: ‸
",
            "b/ inline <>",
        );
        check(
            "m: \"a
  {‸\"
",
            "m/ inline \" <a
  {>",
        );
        check(
            "m: >
  a

‸",
            " key [m] <>",
        );
    }

    #[test]
    fn brackets() {
        check("trigger: [edit, ‸", "trigger/-/ inline flow <>");
        check("trigger: [edit, wr‸]", "trigger/-/ inline flow <wr>");
        check("c: { name: ‸", "c/name/ inline flow <>");
        check("c: { name: a, ‸", "c/ key [name] <>");
        check("c: { ‸, value: 3 }", "c/ key [value] <>");
        check("c: {‸", "c/ key [] <>");
        check("c: { a: [x, { b: ‸", "c/a/-/b/ inline flow <>");
        check("c: { a: x } ‸", "nothing");
        check("c: [\n  a,\n  ‸\n]", "c/-/ inline flow <>");
        check("c: { a: \"x, ‸", "c/a/ inline \" <x, >");
        check("{ \"profile\": ‸", "profile/ inline flow <>");
    }

    #[test]
    fn what_is_left_open_ends_with_its_lines() {
        check("a:\n  trigger: [edit,\n  ‸", "a/ key [trigger] <>");
        check("a:\n  m: \"text\n  ‸", "a/ key [m] <>");
        check("a:\n  m: |+\n    text\n  ‸", "a/ key [m] <>");
    }
}
