//! Where the cursor is in TOML that is being typed: the table, the key, and what can be written there.
//!
//! Works statement by statement on the text up to the cursor, so that it answers just as well where
//! no parser does. One pass; nothing is nested in the machine's stack.

use crate::syntax::cursor::{Cursor, Site, Step};

/// Finds out where `offset` is; `None` in comments, in headers that are closed, and behind values that
/// are complete.
pub(super) fn find(text: &str, offset: usize) -> Option<Cursor> {
    let before = text.get(..offset)?;
    let mut scanner = Scanner { text: before, at: 0, table: Vec::new(), keys: Vec::new() };
    loop {
        let start = scanner.at;
        match scanner.statement() {
            Reading::Cursor(mut here) => {
                if let (Site::Key { others }, true) = (&mut here.site, here.is_block) {
                    others.extend(keys_below(text, offset));
                }
                return Some(here.into_cursor());
            }
            Reading::Nothing => return None,
            // Each statement takes at least its line.
            Reading::Statement if scanner.at > start => {}
            Reading::Statement => return None,
        }
    }
}

/// What a statement came to.
enum Reading {
    /// It ends before the cursor.
    Statement,
    /// The cursor is in it, and something can be written there.
    Cursor(Here),
    /// The cursor is in it, and nothing can.
    Nothing,
}

/// Where the cursor is.
struct Here {
    path: Vec<Step>,
    site: Site,
    start: usize,
    /// Whether it stands where a statement begins.
    is_block: bool,
}

impl Here {
    fn into_cursor(self) -> Cursor {
        Cursor { path: self.path, site: self.site, start: self.start }
    }
}

/// Brackets that are open.
enum Frame {
    /// A list.
    Brackets,
    /// An inline table: its keys so far, and the one whose value comes.
    Braces { keys: Vec<String>, current: Option<String> },
}

struct Scanner<'t> {
    /// The text up to the cursor.
    text: &'t str,
    at: usize,
    /// The table that the last header opened.
    table: Vec<Step>,
    /// Its keys so far.
    keys: Vec<String>,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
    }

    /// Goes behind the end of the line; whether there is one before the cursor.
    fn skip_line(&mut self) -> bool {
        let end = self.rest().find('\n');
        self.at = end.map_or(self.text.len(), |end| self.at + end + 1);
        end.is_some()
    }

    fn statement(&mut self) -> Reading {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        let rest = self.rest();
        match rest.chars().next() {
            Some('[') => self.header(),
            Some('#') => self.over(),
            _ => self.entry(),
        }
    }

    /// The end of a statement behind which nothing can be written.
    fn over(&mut self) -> Reading {
        if self.skip_line() { Reading::Statement } else { Reading::Nothing }
    }

    /// `[table]` or `[[list]]`.
    fn header(&mut self) -> Reading {
        let start = self.at;
        let line = self.rest().lines().next().unwrap_or_default();
        let is_last = start + line.len() == self.text.len();
        if is_last && !line.contains([']', '#']) {
            let site = Site::Header;
            return Reading::Cursor(Here { path: Vec::new(), site, start, is_block: false });
        }
        let inside = line.trim_start_matches('[').split([']', '#']).next().unwrap_or_default();
        let is_list = line.starts_with("[[");
        self.table = dotted(inside).map(Step::Key).collect();
        self.table.extend(is_list.then_some(Step::Item));
        self.keys.clear();
        self.over()
    }

    /// `key = value`.
    fn entry(&mut self) -> Reading {
        let start = self.at;
        let line = self.rest().lines().next().unwrap_or_default();
        let Some(equals) = equals(line) else {
            if start + line.len() < self.text.len() || line.contains('#') {
                return self.over();
            }
            let site = Site::Key { others: self.keys.clone() };
            return Reading::Cursor(Here { path: self.table.clone(), site, start, is_block: true });
        };
        let key = line.get(..equals).unwrap_or_default();
        let path: Vec<String> = dotted(key).collect();
        self.keys.extend(path.first().cloned());
        self.at = start + equals + 1;
        self.value(path)
    }

    /// What stands behind the `=`, with all brackets in it.
    fn value(&mut self, key: Vec<String>) -> Reading {
        let mut frames: Vec<Frame> = Vec::new();
        let base: Vec<Step> =
            self.table.iter().cloned().chain(key.into_iter().map(Step::Key)).collect();
        loop {
            self.skip_blanks();
            let is_key = matches!(frames.last(), Some(Frame::Braces { current: None, .. }));
            let here = |site, start| {
                Reading::Cursor(Here { path: path(&base, &frames), site, start, is_block: false })
            };
            let rest = self.rest();
            let Some(next) = rest.chars().next() else {
                let site = match frames.last() {
                    Some(Frame::Braces { keys, current: None }) => {
                        Site::Key { others: keys.clone() }
                    }
                    _ => Site::Inline { quote: None, flow: !frames.is_empty() },
                };
                return here(site, self.at);
            };
            match next {
                '\n' if frames.is_empty() => return Reading::Statement,
                '\n' => {
                    self.at += 1;
                    if begins_statement(self.rest(), &frames) {
                        return Reading::Statement;
                    }
                    continue;
                }
                '#' if frames.is_empty() => return self.over(),
                '#' if self.skip_line() => continue,
                '#' => return Reading::Nothing,
                '[' | '{' => {
                    frames.push(match next {
                        '[' => Frame::Brackets,
                        _ => Frame::Braces { keys: Vec::new(), current: None },
                    });
                    self.at += 1;
                    continue;
                }
                ',' if !frames.is_empty() => {
                    if let Some(Frame::Braces { current, .. }) = frames.last_mut() {
                        *current = None;
                    }
                    self.at += 1;
                    continue;
                }
                ']' | '}' => {
                    self.at += 1;
                    frames.pop();
                }
                _ if is_key => {
                    let start = self.at;
                    let word = rest.find(['=', ',', '}', '\n', '#']).unwrap_or(rest.len());
                    self.at += word;
                    let written = unquoted(rest.get(..word).unwrap_or_default());
                    let Some(Frame::Braces { keys, current }) = frames.last_mut() else { continue };
                    if self.at == self.text.len() {
                        let others = keys.clone();
                        return Reading::Cursor(Here {
                            path: path(&base, &frames),
                            site: Site::Key { others },
                            start,
                            is_block: false,
                        });
                    }
                    if self.rest().starts_with('=') {
                        keys.push(written.clone());
                        *current = Some(written);
                        self.at += 1;
                    }
                    continue;
                }
                '"' | '\'' => {
                    let (start, is_closed) = self.string(rest, next);
                    if !is_closed && self.at == self.text.len() {
                        return here(Site::Inline { quote: Some(next), flow: false }, start);
                    }
                }
                _ => {
                    let start = self.at;
                    let end = match frames.is_empty() {
                        true => rest.find(['\n', '#']),
                        false => rest.find([',', ']', '}', '\n', '#']),
                    };
                    self.at += end.unwrap_or(rest.len());
                    if end.is_none() {
                        let flow = !frames.is_empty();
                        return here(Site::Inline { quote: None, flow }, start);
                    }
                }
            }
            // Behind a whole value.
            self.skip_blanks();
            match self.rest().chars().next() {
                None => return Reading::Nothing,
                _ if frames.is_empty() => return self.over(),
                Some(_) => {}
            }
        }
    }

    /// Goes behind a string; where its text starts, and whether it is closed before the cursor.
    fn string(&mut self, rest: &str, quote: char) -> (usize, bool) {
        let triple = [quote; 3].iter().collect::<String>();
        let is_long = rest.starts_with(&triple);
        let open = if is_long { 3 } else { 1 };
        let start = self.at + open;
        let mut inside = rest.get(open..).unwrap_or_default().char_indices();
        while let Some((at, character)) = inside.next() {
            let behind = rest.get(open + at..).unwrap_or_default();
            match character {
                '\\' if quote == '"' => drop(inside.next()),
                '\n' if !is_long => {
                    self.at = start + at;
                    return (start, false);
                }
                _ if !is_long && character == quote => {
                    self.at = start + at + 1;
                    return (start, true);
                }
                _ if is_long && behind.starts_with(&triple) => {
                    self.at = start + at + 3;
                    return (start, true);
                }
                _ => {}
            }
        }
        self.at = self.text.len();
        (start, false)
    }
}

fn path(base: &[Step], frames: &[Frame]) -> Vec<Step> {
    let inside = frames.iter().filter_map(|frame| match frame {
        Frame::Brackets => Some(Step::Item),
        Frame::Braces { current, .. } => current.clone().map(Step::Key),
    });
    base.iter().cloned().chain(inside).collect()
}

/// Whether brackets that are not closed end at this line: a statement begins on it.
fn begins_statement(rest: &str, frames: &[Frame]) -> bool {
    let line = rest.lines().next().unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_header = line.trim_start_matches('[').starts_with(is_name) && line.starts_with('[');
    let is_entry = matches!(frames.last(), Some(Frame::Brackets))
        && line.starts_with(is_name)
        && equals(line).is_some();
    is_header || is_entry
}

/// Where the `=` behind the key stands that a line starts with.
fn equals(line: &str) -> Option<usize> {
    let at = line.find('=')?;
    let is_key =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '"' | '\'' | ' ' | '\t');
    line.get(..at)?.chars().all(is_key).then_some(at)
}

/// The parts of a dotted key.
fn dotted(key: &str) -> impl Iterator<Item = String> {
    key.split('.').map(unquoted)
}

fn unquoted(key: &str) -> String {
    key.trim().trim_matches(['"', '\'']).to_owned()
}

/// The keys of the table that stand behind the cursor's line.
fn keys_below(text: &str, offset: usize) -> Vec<String> {
    let rest = text.get(offset..).unwrap_or_default();
    let lines = rest.lines().skip(1).map(str::trim_start).take_while(|line| !line.starts_with('['));
    let key = |line: &str| Some(unquoted(line.get(..equals(line)?)?));
    lines.filter_map(key).collect()
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
        let site = match context.site {
            Site::Key { others } => format!("key [{}]", others.join(" ")),
            Site::Header => "header".to_owned(),
            Site::Inline { quote: Some(quote), .. } => format!("inline {quote}"),
            Site::Inline { flow: true, .. } => "inline flow".to_owned(),
            Site::Inline { .. } => "inline".to_owned(),
            Site::Dash | Site::Fresh => "no site of TOML".to_owned(),
        };
        format!("{path} {site} <{}>", &text[context.start..offset])
    }

    #[track_caller]
    fn check(marked: &str, expected: &str) {
        assert_eq!(shown(marked), expected, "{marked}");
        let crlf = marked.replace('\n', "\r\n");
        assert_eq!(shown(&crlf), expected.replace('\n', "\r\n"), "with CRLF: {marked}");
    }

    #[test]
    fn keys() {
        check("‸", " key [] <>");
        check("appr‸", " key [] <appr>");
        check("a = 1\n‸\nb = 2\n[c]\nd = 3\n", " key [a b] <>");
        check(
            "[[rules]]\nname = 'x'\nac‸\npattern = 'y'\n\n[[rules]]\nreason = ''\n",
            "rules/-/ key [name pattern] <ac>",
        );
        check("[a.b]\n  ‸", "a/b/ key [] <>");
        check("[t]\nbroken\n‸", "t/ key [] <>");
        check("# text ‸", "nothing");
        check("key # text ‸", "nothing");
    }

    #[test]
    fn headers() {
        check("[‸", " header <[>");
        check("a = 1\n[[ru‸\nname = 'x'", " header <[[ru>");
        check("[[rules]‸]", "nothing");
        check("[[rules]] ‸", "nothing");
        check("[[rules\n‸", "rules/-/ key [] <>");
    }

    #[test]
    fn values() {
        check("a = ‸", "a/ inline <>");
        check("a =‸", "a/ inline <>");
        check("a = tr‸", "a/ inline <tr>");
        check("[[r]]\na = \"x‸y\"", "r/-/a/ inline \" <x>");
        check("a = 'x‸", "a/ inline ' <x>");
        check("a = \"x\\\"y‸", "a/ inline \" <x\\\"y>");
        check("a = \"\"\"\nx = [\n‸", "a/ inline \" <\nx = [\n>");
        check("a = 'x' ‸", "nothing");
        check("a = 'x' # ‸", "nothing");
        check("a = 'x\n‸", " key [a] <>");
        check("a.b = ‸", "a/b/ inline <>");
    }

    #[test]
    fn brackets() {
        check("a = [‸", "a/-/ inline flow <>");
        check("a = ['x', ‸", "a/-/ inline flow <>");
        check("a = [ { b = 1, ‸", "a/-/ key [b] <>");
        check("a = [ { b = 1, c‸", "a/-/ key [b] <c>");
        check("a = [\n  { b = 'x‸", "a/-/b/ inline ' <x>");
        check("a = [1, 2] ‸", "nothing");
        check("a = [1, [2], { b = 3 },\n‸", "a/-/ inline flow <>");
        check("a = { b = { c = 1 }, ‸", "a/ key [b] <>");
    }

    #[test]
    fn what_is_left_open_ends_with_the_next_statement() {
        check("a = [1, 2\nb = ‸", "b/ inline <>");
        check("a = { x = 1\n[[r]]\n‸", "r/-/ key [] <>");
        check("a = ]\nb = ‸", "b/ inline <>");
    }
}
