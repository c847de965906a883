//! Where a cursor is in TOML that is being typed: the table, the key, and what can be written there.

use super::reader::Reader;
use crate::source::FileId;
use crate::syntax::Key;
use crate::syntax::cursor::{Cursor, Site, Step};

/// Finds out where `offset` is; `None` in comments, in headers that are closed, and behind values that are complete.
pub fn find(text: &str, offset: usize) -> Option<Cursor> {
    let mut reader = Reader::new(FileId(0), text.get(..offset)?);
    reader.seeker = Some(Seeker::default());
    reader.document();
    let seeker = reader.seeker?;
    let mut cursor = seeker.found??;
    if let Site::Key { others } = &mut cursor.site
        && seeker.is_statement
    {
        let below = text.get(offset..).unwrap_or_default();
        let below = below.find('\n').and_then(|end| below.get(end + 1..)).unwrap_or_default();
        others.extend(Reader::new(FileId(0), below).keys_before_headers());
    }
    Some(cursor)
}

/// Keeps where the reader is, and what can be written where the text ends.
#[derive(Debug, Default)]
pub struct Seeker {
    path: Vec<Step>,
    /// How many of the steps lead to the table of the last header.
    table: usize,
    /// What can be written at the end, once it is reached; `Some(None)` where that is nothing.
    found: Option<Option<Cursor>>,
    /// Whether a statement begins there.
    is_statement: bool,
}

impl Seeker {
    /// Says what can be written at the end of the text. What is said first counts.
    pub fn find(&mut self, start: usize, site: impl FnOnce() -> Site) {
        if self.found.is_none() {
            self.found = Some(Some(Cursor { path: self.path.clone(), site: site(), start }));
        }
    }

    /// Says that a key can be written at the end of the text, and whether it begins a statement.
    pub fn find_key(&mut self, start: usize, others: Vec<String>, is_statement: bool) {
        if self.found.is_none() {
            self.is_statement = is_statement;
            self.find(start, || Site::Key { others });
        }
    }

    /// Says that nothing can be written at the end of the text.
    pub fn find_nothing(&mut self) {
        self.found.get_or_insert(None);
    }

    /// Goes into the table of a header. `is_item` tells whether so many of its keys lead to an item of a list.
    pub fn enter_table(&mut self, path: &[Key], is_item: impl Fn(usize) -> bool) {
        self.path.clear();
        for (length, key) in (1..).zip(path) {
            self.path.push(Step::Key(key.text.to_string()));
            self.path.extend(is_item(length).then_some(Step::Item));
        }
        self.table = self.path.len();
    }

    pub fn enter(&mut self, step: Step) {
        self.path.push(step);
    }

    pub fn leave(&mut self) {
        self.path.pop();
    }

    /// Goes back to the table of the last header.
    pub fn leave_all(&mut self) {
        self.path.truncate(self.table);
    }
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
