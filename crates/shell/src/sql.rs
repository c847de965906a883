//! SQL as a client of a database is given it: which statements it is asked to run. Comments go, texts become
//! `''`, quoted names `x`, words lower case, so that a pattern sees statements and never what only mentions one.
//!
//! Reads the dialects of the common clients together. Where they disagree about what is a text or a comment,
//! what may be run is kept. Knows no grammar but where statements begin and which of their texts are run.

use crate::HOLE;

/// Returns the statements of a text, joined by `; `, their words by one blank. Statements that are only explained
/// are left out; texts that a statement runs (`execute '…'`) are statements.
///
/// Takes time in proportion to the text.
#[must_use]
pub fn statements(text: &str) -> String {
    // The value of a variable, `-v name=value`, may become part of a statement.
    let is_name = |name: &str| name.chars().all(|sign| sign.is_alphanumeric() || sign == '_');
    let value = text.split_once('=').filter(|(name, _)| is_name(name));
    let text = value.map_or(text, |(_, value)| value);
    let mut found = Reader::new(text, false).read();
    // `\'` ends a text in one dialect, and does not in another.
    if text.contains("\\'") || text.contains("\\\"") {
        let other = Reader::new(text, true).read();
        if other != found {
            found.push_str("; ");
            found.push_str(&other);
        }
    }
    found
}

/// Returns whether what is not known of a text may be a statement of its own. It may not where every statement is one
/// that reads, adds or changes rows, and nothing is unknown but what stands in quotes or where a value or a name does.
#[must_use]
pub fn is_open(text: &str) -> bool {
    const KINDS: [&str; 9] =
        ["select", "with", "values", "show", "describe", "explain", "pragma", "insert", "update"];
    const BEFORE: [&str; 17] = [
        "=", "<", ">", "(", ",", "+", "-", "/", ".", "limit", "offset", "between", "and", "from",
        "join", "like", "ilike",
    ];
    // Commands of the client itself, and signs that end texts in some dialects.
    let is_plain = !text.contains('\\') && !text.lines().any(|line| line.starts_with('.'));
    if !text.contains(HOLE) {
        return false;
    }
    let found = statements(text);
    let is_known = |statement: &str| {
        let words: Vec<&str> = statement.split(' ').collect();
        let is_kind = words.first().is_some_and(|first| KINDS.contains(first));
        is_kind
            && words
                .windows(2)
                .all(|pair| matches!(pair, [before, word] if !word.contains(HOLE) || BEFORE.contains(before)))
    };
    !(is_plain && !found.is_empty() && found.split("; ").all(is_known))
}

/// Returns where the names of files stand that a client is told to read its statements from: `\\i f`, `.read f`,
/// `source f`. No more than the first few are looked for.
pub(crate) fn files(text: &str) -> Vec<std::ops::Range<usize>> {
    const MAX: usize = 8;
    const READING: [&str; 8] = ["\\i ", "\\ir ", "\\. ", ".read ", "source ", "SOURCE ", "@@", "@"];
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive(['\n', ';']) {
        let own = line.trim_start();
        let start = at + line.len() - own.len();
        at += line.len();
        let Some(mark) = READING.iter().find(|mark| own.starts_with(**mark)) else { continue };
        let name = own.get(mark.len()..).unwrap_or_default();
        let from = start + mark.len() + name.len() - name.trim_start().len();
        let name = name.trim_start();
        let quote = name.chars().next().filter(|sign| matches!(sign, '"' | '\''));
        let (from, name) = match quote {
            Some(quote) => (from + 1, name.split(quote).nth(1)),
            None => (from, name.split([' ', ';', '\n']).next()),
        };
        let name = name.unwrap_or_default();
        if !name.is_empty() && found.len() < MAX {
            found.push(from..from + name.len());
        }
    }
    found
}

/// Returns where the names of files stand into which `psql` copies what a table or a query holds: `\\copy t to f`.
pub(crate) fn copied_to(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        if !line.trim_start().starts_with("\\copy ") {
            continue;
        }
        let lower = line.to_ascii_lowercase();
        let Some(to) = lower.rfind(" to ").map(|to| to + " to ".len()) else { continue };
        let rest = line.get(to..).unwrap_or_default();
        let own = rest.trim_start();
        let name = match own.strip_prefix('\'') {
            Some(quoted) => quoted.split('\'').next(),
            None => own.split_whitespace().next(),
        };
        let name = name.filter(|name| !matches!(*name, "" | "stdout" | "STDOUT" | "program"));
        let Some(name) = name else { continue };
        let from = start + to + rest.len() - own.len() + usize::from(own.starts_with('\''));
        found.push(from..from + name.len());
    }
    found
}

/// So many temporary tables are told apart.
const MAX_TEMPORARY: usize = 16;

/// How deep texts may be run by texts.
const MAX_DEPTH: u32 = 4;

/// Words that run a text.
const RUNNING: [&str; 5] = ["execute", "exec", "immediate", "sp_executesql", "prepare"];

/// Words of blocks, behind which a statement begins.
const OPENING: [&str; 6] = ["begin", "then", "loop", "else", "do", "atomic"];

struct Reader<'t> {
    rest: &'t str,
    /// Whether `\` keeps a quote from ending a text.
    has_escapes: bool,
    /// Whether a comment is open that is run.
    is_in_run: bool,
    depth: u32,
    delimiter: Option<&'t str>,
    /// The statements that were read.
    out: String,
    /// The words of the current one, and its texts.
    words: Vec<String>,
    texts: Vec<String>,
    /// The temporary tables that were made so far.
    temporary: Vec<String>,
    /// Whether only blanks stand before, on the line.
    is_line_start: bool,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, has_escapes: bool) -> Self {
        Self {
            rest: text,
            has_escapes,
            is_in_run: false,
            depth: 0,
            delimiter: None,
            out: String::new(),
            words: Vec::new(),
            texts: Vec::new(),
            temporary: Vec::new(),
            is_line_start: true,
        }
    }

    fn read(mut self) -> String {
        while let Some(first) = self.rest.chars().next() {
            let at_start = std::mem::replace(&mut self.is_line_start, false);
            if let Some(rest) = self.delimiter.and_then(|end| self.rest.strip_prefix(end)) {
                self.rest = rest;
                self.end();
                continue;
            }
            match first {
                '\n' => {
                    self.skip(1);
                    self.is_line_start = true;
                }
                first if first.is_whitespace() => {
                    self.skip(first.len_utf8());
                    self.is_line_start = at_start;
                }
                ';' => {
                    self.skip(1);
                    self.end();
                }
                '-' if self.rest.starts_with("--") && self.is_dash_comment() => self.skip_line(),
                '#' if at_start || self.words.is_empty() => self.skip_line(),
                '/' if self.rest.starts_with("/*") => self.comment(),
                '*' if self.is_in_run && self.rest.starts_with("*/") => {
                    self.is_in_run = false;
                    self.skip(2);
                }
                '\'' => self.text('\''),
                '"' | '`' => {
                    self.quoted(first);
                    self.words.push("x".to_owned());
                }
                '[' => self.bracket(),
                '$' => self.dollar(),
                '\\' => self.meta(),
                '.' if at_start => self.skip_line(),
                _ => self.word(first, at_start),
            }
        }
        self.end();
        self.out
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    fn skip_line(&mut self) {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        self.skip(end);
    }

    /// `1--1` is a subtraction in the dialect that wants a blank behind a comment's dashes.
    fn is_dash_comment(&self) -> bool {
        let behind = self.rest.get(2..).and_then(|rest| rest.chars().next());
        let is_number = |word: &String| word.chars().all(|sign| sign.is_ascii_digit());
        behind.is_none_or(|sign| sign.is_whitespace() || sign == '-')
            || !(behind.is_some_and(|sign| sign.is_ascii_digit())
                && self.words.last().is_some_and(is_number))
    }

    /// A comment; one with `!` is run by the clients of one dialect.
    fn comment(&mut self) {
        let is_run = self.rest.starts_with("/*!") || self.rest.starts_with("/*M!");
        if is_run {
            let marks = self.rest.find('!').map_or(2, |at| at + 1);
            self.skip(marks);
            let digits =
                self.rest.len() - self.rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            self.skip(digits);
            self.is_in_run = true;
            return;
        }
        let end = self.rest.get(2..).and_then(|rest| rest.find("*/"));
        self.skip(end.map_or(self.rest.len(), |end| end + 4));
    }

    /// What stands between quotes, which may be doubled.
    fn quoted(&mut self, quote: char) -> String {
        let mut inner = String::new();
        let mut signs = self.rest.char_indices().skip(1).peekable();
        while let Some((at, sign)) = signs.next() {
            if sign == '\\' && self.has_escapes {
                inner.extend(signs.next().map(|(_, sign)| sign));
            } else if sign != quote {
                inner.push(sign);
            } else if signs.peek().is_some_and(|(_, next)| *next == quote) {
                signs.next();
                inner.push(quote);
            } else {
                self.skip(at + quote.len_utf8());
                return inner;
            }
        }
        self.rest = "";
        inner
    }

    fn text(&mut self, quote: char) {
        let inner = self.quoted(quote);
        // `'dr' || 'op'` is one text.
        let is_joined = self.words.last().is_some_and(|word| matches!(&**word, "||" | "+"))
            && self.words.iter().rev().nth(1).is_some_and(|word| word == "''");
        match self.texts.last_mut().filter(|_| is_joined) {
            Some(before) => before.push_str(&inner),
            None => self.texts.push(inner),
        }
        self.words.push("''".to_owned());
    }

    /// `[name]`; the index of an array is no name, and hides nothing either.
    fn bracket(&mut self) {
        const MAX_NAME: usize = 256;
        let name = self.rest.char_indices().take(MAX_NAME).take_while(|(_, sign)| *sign != '\n');
        let end = name.into_iter().find(|(_, sign)| *sign == ']').map(|(at, _)| at);
        match end {
            Some(end) => {
                self.skip(end + 1);
                self.words.push("x".to_owned());
            }
            None => self.skip(1),
        }
    }

    /// `$tag$ … $tag$`: a text, of which the body of a block is run.
    fn dollar(&mut self) {
        let tag = self.rest.get(1..).and_then(|rest| rest.find('$')).map(|end| end + 2);
        let is_tag = |tag: &&str| {
            tag.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '$'))
                && !tag.get(1..).is_some_and(|name| name.starts_with(|c: char| c.is_ascii_digit()))
        };
        let Some(tag) = tag.and_then(|end| self.rest.get(..end)).filter(is_tag) else {
            return self.word('$', false);
        };
        let body = self.rest.get(tag.len()..).unwrap_or_default();
        let (inner, rest) = body.split_once(tag).unwrap_or((body, ""));
        self.rest = rest;
        let is_block = self.words.first().is_some_and(|word| word == "do")
            || self.words.last().is_some_and(|word| word == "as");
        if is_block {
            self.run(inner);
        } else {
            self.texts.push(inner.to_owned());
        }
        self.words.push("''".to_owned());
    }

    /// A command of the client itself, to the end of its line. `\;` joins statements, `\gexec` runs what the one
    /// before gives.
    fn meta(&mut self) {
        if self.rest.starts_with("\\;") || self.rest.starts_with("\\\\") {
            self.skip(2);
            return self.end();
        }
        if self.rest.starts_with("\\gexec") {
            self.words.push("execute".to_owned());
        }
        let line = self.rest.lines().next().unwrap_or_default();
        let end = line.get(1..).and_then(|line| line.find("\\\\")).map_or(line.len(), |at| at + 1);
        self.skip(end.max(1));
        self.end();
    }

    fn word(&mut self, first: char, at_start: bool) {
        let is_part = |sign: char| sign.is_alphanumeric() || sign == '_' || sign == HOLE;
        if !is_part(first) {
            // `||` is looked for; other signs stand for themselves.
            let len = if self.rest.starts_with("||") { 2 } else { first.len_utf8() };
            self.words.push(self.rest.get(..len).unwrap_or_default().to_owned());
            return self.skip(len);
        }
        let end = self.rest.find(|sign| !is_part(sign)).unwrap_or(self.rest.len());
        let word = self.rest.get(..end).unwrap_or_default().to_ascii_lowercase();
        self.skip(end);
        if at_start && self.words.is_empty() && word == "delimiter" {
            let line = self.rest.lines().next().unwrap_or_default();
            self.delimiter = Some(line.trim()).filter(|sign| !sign.is_empty() && *sign != ";");
            return self.skip_line();
        }
        if at_start
            && word == "go"
            && self.rest.lines().next().is_none_or(|rest| rest.trim().is_empty())
        {
            return self.end();
        }
        // The statements of a block; `do` before a text is a statement itself.
        let opens = OPENING.contains(&&*word) && (word != "do" || !self.words.is_empty());
        self.words.push(word);
        if opens {
            self.end();
        }
    }

    /// Ends the current statement.
    fn end(&mut self) {
        let words = std::mem::take(&mut self.words);
        let texts = std::mem::take(&mut self.texts);
        if is_only_explained(&words) {
            return;
        }
        if words.iter().any(|word| RUNNING.contains(&&**word)) {
            texts.iter().for_each(|text| self.run(text));
        }
        if words.is_empty() {
            return;
        }
        match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["create", "temp" | "temporary", "table", name, ..]
                if self.temporary.len() < MAX_TEMPORARY && is_name(name) =>
            {
                self.temporary.push((*name).to_owned());
            }
            // It goes with the connection anyway.
            ["drop", "table", "if", "exists", name] | ["drop", "table", name] => {
                if let Some(at) = self.temporary.iter().position(|own| own == name) {
                    // Another one of its name may be there.
                    self.temporary.swap_remove(at);
                    return;
                }
            }
            _ => {}
        }
        if !self.out.is_empty() {
            self.out.push_str("; ");
        }
        self.out.push_str(&words.join(" "));
    }

    /// Reads a text that is run.
    fn run(&mut self, text: &str) {
        if self.depth == MAX_DEPTH {
            return;
        }
        let inner = Reader { depth: self.depth + 1, ..Reader::new(text, self.has_escapes) }.read();
        if inner.is_empty() {
            return;
        }
        if !self.out.is_empty() {
            self.out.push_str("; ");
        }
        self.out.push_str(&inner);
    }
}

/// Whether a word is a name that is told from others: not one in quotes.
fn is_name(word: &str) -> bool {
    word != "x" && word.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}

/// Whether a statement is planned and not run.
fn is_only_explained(words: &[String]) -> bool {
    const MAX_OPTIONS: usize = 24;
    let is_analyze = |word: &String| matches!(&**word, "analyze" | "analyse");
    match words {
        [first, rest @ ..] if matches!(&**first, "explain" | "describe" | "desc") => {
            let is_statement =
                |word: &&String| !matches!(&***word, "drop" | "truncate" | "delete" | "update");
            !rest.iter().take(MAX_OPTIONS).take_while(is_statement).any(is_analyze)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::statements;

    #[track_caller]
    fn check(text: &str, expect: &str) {
        assert_eq!(statements(text), expect, "{text}");
    }

    #[test]
    fn words_are_told_from_texts_and_comments() {
        check("DROP  TABLE\n users;", "drop table users");
        check("select 'drop table x'", "select ''");
        check("select 1 -- drop table x\n; drop table y", "select 1; drop table y");
        check("select 1--1; drop table y", "select 1 - - 1; drop table y");
        check("/* drop table x */ select 1", "select 1");
        check("drop/**/table x", "drop table x");
        check("/*!50000 drop table x */", "drop table x");
        check("/*!50000 drop */ table x", "drop table x");
        check("# drop table x\nselect 1", "select 1");
        check("select a #> b; drop table x", "select a # > b; drop table x");
        check("drop table \"a b\", `c`, [d e]", "drop table x , x , x");
        check("select \"drop table x\"", "select x");
        check("select 'it''s'; select 2", "select ''; select 2");
        check("select $$drop table x$$", "select ''");
        check("select $a$drop $$ table$a$, 1", "select '' , 1");
        check("select $1", "select $ 1");
    }

    #[test]
    fn dialects_that_disagree_are_both_read() {
        assert!(statements(r"select 'a\'; drop table x; --'").contains("; drop table x"));
        assert!(statements(r"select 'a\' '; drop table x; '").contains("drop table x"));
    }

    #[test]
    fn what_is_run_is_a_statement() {
        check("do $$ begin drop table x; end $$", "begin; drop table x; end; do ''");
        check("execute immediate 'drop table x'", "drop table x; execute immediate ''");
        check("exec('dr' + 'op table x')", "drop table x; exec ( '' + '' )");
        check("prepare s from 'truncate t'", "truncate t; prepare s from ''");
        check(r"select 'drop table x' \gexec", "drop table x; select '' execute");
        check("explain drop table x; select 1", "select 1");
        check("explain (costs off) delete from t", "");
        check(
            "explain (analyze, costs) delete from t",
            "explain ( analyze , costs ) delete from t",
        );
    }

    #[test]
    fn clients_have_commands_of_their_own() {
        check("\\echo drop table x\nselect 1", "select 1");
        check(r"select 1 \; drop table x", "select 1; drop table x");
        check(".print drop table x\nselect 1;", "select 1");
        check("delimiter $$\ndrop table a$$\ndrop table b$$", "drop table a; drop table b");
        check("select 1\ngo\ndrop table x", "select 1; drop table x");
    }

    #[test]
    fn what_is_not_known_is_a_value() {
        for (text, expect) in [
            ("select 1", false),
            ("select * from t where id = \u{FDD0}", false),
            ("select * from t where a = '\u{FDD0}' limit \u{FDD0}", false),
            ("select count(*) from \"\u{FDD0}\"", false),
            ("update t set a = '\u{FDD0}' where id in (\u{FDD0}, \u{FDD0})", false),
            ("\u{FDD0}", true),
            ("select 1; \u{FDD0}", true),
            ("select 1 \u{FDD0}", true),
            ("drop table t_\u{FDD0}", true),
            ("select 1; drop table '\u{FDD0}'", true),
            ("\\i \u{FDD0}", true),
            ("select 'a\\' \u{FDD0}'", true),
            ("select 1;\n.read \u{FDD0}", true),
        ] {
            assert_eq!(super::is_open(text), expect, "{text}");
        }
    }

    #[test]
    fn files_are_named_by_commands_of_clients() {
        let names = |text: &'static str| -> Vec<&str> {
            super::files(text).into_iter().map(|range| &text[range]).collect()
        };
        assert_eq!(names(".read a.sql"), ["a.sql"]);
        assert_eq!(names("select 1;\n\\i  /tmp/a.sql\nselect 2"), ["/tmp/a.sql"]);
        assert_eq!(names("source a.sql; select 1"), ["a.sql"]);
        assert_eq!(names("select source from a"), [""; 0]);
    }

    #[test]
    fn what_is_copied_out_goes_to_a_file() {
        let names = |text: &'static str| -> Vec<&str> {
            super::copied_to(text).into_iter().map(|range| &text[range]).collect()
        };
        assert_eq!(names("\\copy t to a.csv csv header"), ["a.csv"]);
        assert_eq!(names("select 1;\n\\copy (select 1) TO 'a b.csv'"), ["a b.csv"]);
        assert_eq!(names("\\copy t to stdout"), [""; 0]);
        assert_eq!(names("\\copy t from a.csv"), [""; 0]);
    }

    #[test]
    fn hostile_texts_end() {
        for piece in
            ["'", "\"", "$$", "/*", "execute '", "$a", "\\", "[", "do $$ ", "delimiter x\n"]
        {
            let text = piece.repeat(20_000);
            assert!(statements(&text).len() <= 8 * text.len(), "{piece}");
            let _ = (super::is_open(&text), super::files(&text));
        }
    }
}
