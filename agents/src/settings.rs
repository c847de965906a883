//! Settings files as text: members are put in and taken out by edits that leave every other byte as
//! it was. Knows JSON with comments, not what any setting means, and does no IO.
//!
//! What is put in can be taken out again without a trace. A container that was empty before differs
//! from one that was made with its content by a blank, [`MARK`], before the content.

use std::ops::Range;

use jsonc_parser::ast::{ObjectProp, ObjectPropName, Value};
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::Token;
use jsonc_parser::{CollectOptions, CommentCollectionStrategy, ParseOptions, parse_to_ast};

/// Stands behind what an empty container held before something was put into it.
const MARK: char = ' ';

/// What an agent takes for JSON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dialect {
    /// `//` and `/* */`.
    pub(crate) comments: bool,
    /// A comma behind the last member.
    pub(crate) trailing_commas: bool,
}

/// Why a settings file is left as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// What is wrong there, for people.
    pub message: String,
}

/// A settings file.
pub(crate) struct Document<'a> {
    text: &'a str,
    root: Value<'a>,
    /// Where commas are, in order.
    commas: Vec<usize>,
    comments: Vec<Comment>,
    style: Style<'a>,
}

#[derive(Clone, Debug)]
struct Comment {
    span: Range<usize>,
    /// It ends with its line.
    is_line: bool,
}

/// How a file is laid out.
#[derive(Clone, Copy, Debug)]
struct Style<'a> {
    newline: &'static str,
    /// One step of indentation.
    unit: &'a str,
    /// The file has more than one line.
    has_lines: bool,
    /// There are blanks between what stands on one line.
    is_spaced: bool,
}

/// An object or a list.
pub(crate) struct Container<'d, 'a> {
    span: Range<usize>,
    pub(crate) items: Vec<Item<'d, 'a>>,
}

/// A member of an object, or an element of a list.
pub(crate) struct Item<'d, 'a> {
    /// The member's name; empty for an element.
    pub(crate) key: &'d str,
    pub(crate) value: &'d Value<'a>,
    span: Range<usize>,
    /// Where the comma behind it is.
    comma: Option<usize>,
}

/// What is to stand in place of a part of the text.
#[derive(Debug)]
pub(crate) struct Edit {
    span: Range<usize>,
    text: String,
}

/// What becomes of a container from which items are taken.
pub(crate) enum Removal {
    /// It stays, with these edits.
    Edits(Vec<Edit>),
    /// Nothing of it is left: it was made for what was in it.
    Whole,
}

impl<'a> Document<'a> {
    /// Reads a file. Takes time in proportion to it; nesting is bounded.
    pub(crate) fn parse(text: &'a str, dialect: Dialect) -> Result<Self, Refusal> {
        let collect =
            CollectOptions { comments: CommentCollectionStrategy::AsTokens, tokens: true };
        let options = ParseOptions {
            allow_comments: dialect.comments,
            allow_trailing_commas: dialect.trailing_commas,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let parsed = parse_to_ast(text, &collect, &options).map_err(|error| {
            let message = format!("not valid JSON: {}", lower_first(&error.kind().to_string()));
            refusal(text, error.range().start, message)
        })?;
        let Some(root) = parsed.value else {
            let message = "there is no JSON in it; write `{}` into it, or delete it".to_owned();
            return Err(refusal(text, 0, message));
        };
        let (mut commas, mut comments) = (Vec::new(), Vec::new());
        for token in parsed.tokens.unwrap_or_default() {
            let span = token.range.start..token.range.end;
            match token.token {
                Token::Comma => commas.push(span.start),
                Token::CommentLine(_) => comments.push(Comment { span, is_line: true }),
                Token::CommentBlock(_) => comments.push(Comment { span, is_line: false }),
                _ => {}
            }
        }
        // The parser lets comments pass where it hands them over.
        if let (Some(comment), false) = (comments.first(), dialect.comments) {
            let message = "not valid JSON: comments are not allowed".to_owned();
            return Err(refusal(text, comment.span.start, message));
        }
        let style = Style::of(text, &root);
        Ok(Self { text, root, commas, comments, style })
    }

    /// The outermost value.
    pub(crate) fn value(&self) -> &Value<'a> {
        &self.root
    }

    /// The outermost object.
    pub(crate) fn root(&self) -> Result<Container<'_, 'a>, Refusal> {
        self.object(&self.root, "the file")
    }

    /// The object that `value` is; `what` names it in the refusal.
    pub(crate) fn object<'d>(
        &'d self,
        value: &'d Value<'a>,
        what: &str,
    ) -> Result<Container<'d, 'a>, Refusal> {
        let wrong = || self.refuse(value, format!("{what} is not an object, but {}", kind(value)));
        let object = value.as_object().ok_or_else(wrong)?;
        let item = |member: &'d ObjectProp<'a>| Item {
            key: name_of(&member.name),
            value: &member.value,
            span: member.range.start..member.range.end,
            comma: None,
        };
        let container = self.container(value, object.properties.iter().map(item).collect());
        let mut keys: Vec<&str> = container.items.iter().map(|item| item.key).collect();
        keys.sort_unstable();
        // Agents take one of the two, and it might not be the one that is changed.
        if let Some([key, _]) = keys.array_windows().find(|[key, next]| key == next) {
            return Err(self.refuse(value, format!("`{key}` stands in it twice")));
        }
        Ok(container)
    }

    /// The list that `value` is; `what` names it in the refusal.
    pub(crate) fn list<'d>(
        &'d self,
        value: &'d Value<'a>,
        what: &str,
    ) -> Result<Container<'d, 'a>, Refusal> {
        let wrong = || self.refuse(value, format!("{what} is not a list, but {}", kind(value)));
        let list = value.as_array().ok_or_else(wrong)?;
        let item = |value: &'d Value<'a>| Item {
            key: "",
            value,
            span: value.start()..value.end(),
            comma: None,
        };
        Ok(self.container(value, list.elements.iter().map(item).collect()))
    }

    fn container<'d>(&self, value: &Value<'_>, mut items: Vec<Item<'d, 'a>>) -> Container<'d, 'a> {
        let span = value.start()..value.end();
        let mut limit = span.end;
        for item in items.iter_mut().rev() {
            let next = self.commas.partition_point(|comma| *comma < item.span.end);
            item.comma = self.commas.get(next).copied().filter(|comma| *comma < limit);
            limit = item.span.start;
        }
        Container { span, items }
    }

    /// Whether there is anything before or behind the outermost value.
    pub(crate) fn has_more(&self) -> bool {
        let before = self.part(0..self.root.start());
        let behind = self.part(self.root.end()..self.text.len());
        [before, behind].iter().any(|part| !part.trim_matches(is_blank).is_empty())
    }

    /// A refusal because of a value.
    pub(crate) fn refuse(&self, value: &Value<'_>, message: String) -> Refusal {
        refusal(self.text, value.start(), message)
    }

    fn part(&self, span: Range<usize>) -> &'a str {
        self.text.get(span).unwrap_or_default()
    }

    /// The text with the edits made. Those at one place come in their order.
    pub(crate) fn apply(&self, mut edits: Vec<Edit>) -> String {
        edits.sort_by_key(|edit| edit.span.start);
        let mut out = String::with_capacity(self.text.len());
        let mut done = 0;
        for edit in &edits {
            out.push_str(self.part(done..edit.span.start));
            out.push_str(&edit.text);
            done = edit.span.end.max(done);
        }
        out.push_str(self.part(done..self.text.len()));
        out
    }

    /// Puts another string in the place of one.
    pub(crate) fn replace(&self, value: &Value<'_>, string: &str) -> Edit {
        Edit { span: value.start()..value.end(), text: serde_json::Value::from(string).to_string() }
    }

    /// Puts items behind those that are there. In a list the names do not count.
    pub(crate) fn insert(
        &self,
        container: &Container<'_, 'a>,
        items: &[(&str, serde_json::Value)],
    ) -> Vec<Edit> {
        match container.items.last() {
            _ if items.is_empty() => Vec::new(),
            Some(last) => self.insert_behind(container, last, items),
            None => vec![self.fill(container, items)],
        }
    }

    fn insert_behind(
        &self,
        container: &Container<'_, 'a>,
        last: &Item<'_, 'a>,
        items: &[(&str, serde_json::Value)],
    ) -> Vec<Edit> {
        let behind = last.comma.map_or(last.span.end, |comma| comma + 1);
        let comment = self.comments_in(last.span.end..container.span.end).last();
        let at = comment.map_or(behind, |comment| comment.span.end.max(behind));
        let has_lines = comment.is_some_and(|comment| comment.is_line)
            || container.items.iter().any(|item| self.gap_before(item).contains('\n'));
        let indent = has_lines.then(|| self.indent_at(last.span.start));
        let mut text = self.print_items(self.is_object(container), items, indent);
        let mut edits = Vec::new();
        match last.comma {
            Some(_) => text.push(','),
            None => {
                edits.push(Edit { span: last.span.end..last.span.end, text: ",".to_owned() });
            }
        }
        edits.push(Edit { span: at..at, text });
        edits
    }

    /// Puts the first items into a container.
    fn fill(&self, container: &Container<'_, 'a>, items: &[(&str, serde_json::Value)]) -> Edit {
        let inside = container.inside();
        let is_root = container.span.start == self.root.start();
        let has_lines = is_root || self.style.has_lines;
        let own = self.indent_at(container.span.start);
        let indent = format!("{own}{}", self.style.unit);
        let is_object = self.is_object(container);
        let mut text = MARK.to_string();
        if has_lines {
            text.push_str(&self.print_items(is_object, items, Some(&indent)));
            text.push_str(self.style.newline);
            text.push_str(own);
        } else {
            text.push_str(self.print_items(is_object, items, None).trim_start());
        }
        Edit { span: inside.end..inside.end, text }
    }

    /// The items, each with what stands before it: a new line, or a blank where the file has any.
    fn print_items(
        &self,
        is_object: bool,
        items: &[(&str, serde_json::Value)],
        indent: Option<&str>,
    ) -> String {
        let mut out = String::new();
        for (index, (key, value)) in items.iter().enumerate() {
            out.push_str(if index > 0 { "," } else { "" });
            self.style.separate(&mut out, indent);
            if is_object {
                self.style.key(&mut out, key);
            }
            self.style.print(&mut out, value, indent);
        }
        out
    }

    /// Takes the items out for which `doomed` is true.
    pub(crate) fn remove(&self, container: &Container<'_, 'a>, doomed: &[bool]) -> Removal {
        if !doomed.contains(&true) {
            return Removal::Edits(Vec::new());
        }
        if !doomed.contains(&false) {
            return self.clear(container);
        }
        let mut edits = Vec::new();
        let mut comma_before = None;
        for (item, doomed) in container.items.iter().zip(doomed) {
            if !doomed {
                comma_before = item.comma;
                continue;
            }
            edits.push(self.cut(item));
            // Behind the last item stays a comma only where there was one.
            if let Some(comma) = item.comma.or(comma_before) {
                edits.push(Edit { span: comma..comma + 1, text: String::new() });
            }
        }
        Removal::Edits(edits)
    }

    /// Leaves nothing between the brackets.
    pub(crate) fn empty(&self, container: &Container<'_, 'a>) -> Vec<Edit> {
        vec![Edit { span: container.inside(), text: String::new() }]
    }

    fn clear(&self, container: &Container<'_, 'a>) -> Removal {
        let inside = container.inside();
        let Some(first) = container.items.first() else { return Removal::Edits(Vec::new()) };
        let head = self.part(inside.start..first.span.start);
        let before = without_last_line(head);
        let was_there = before.ends_with(MARK);
        let is_in_item = |at: usize| container.items.iter().any(|item| item.span.contains(&at));
        let mut comments = self.comments_in(inside.clone()).map(|comment| comment.span.start);
        let has_comments =
            comments.any(|at| !is_in_item(at) && (at > first.span.start || !was_there));
        match (was_there, has_comments) {
            (false, false) => Removal::Whole,
            (true, false) => {
                let start = inside.start + before.len() - MARK.len_utf8();
                Removal::Edits(vec![Edit { span: start..inside.end, text: String::new() }])
            }
            (_, true) => {
                let commas = container.items.iter().filter_map(|item| item.comma);
                let commas = commas.map(|at| Edit { span: at..at + 1, text: String::new() });
                Removal::Edits(
                    container.items.iter().map(|item| self.cut(item)).chain(commas).collect(),
                )
            }
        }
    }

    /// Takes an item out, with what is blank before it.
    fn cut(&self, item: &Item<'_, 'a>) -> Edit {
        let start = item.span.start - self.gap_before(item).len();
        let next = self.comments.partition_point(|comment| comment.span.end < start);
        let is_commented = self
            .comments
            .get(next)
            .is_some_and(|comment| comment.is_line && comment.span.end == start);
        let rest = self.part(item.span.end..self.text.len());
        let ends_line = rest.trim_start_matches([' ', '\t', ',']).starts_with(['\n', '\r']);
        // Nothing may come to stand in the comment before it.
        let text = if is_commented && !ends_line { self.style.newline } else { "" };
        Edit { span: start..item.span.end, text: text.to_owned() }
    }

    /// What is blank before an item.
    fn gap_before(&self, item: &Item<'_, 'a>) -> &'a str {
        let before = self.part(0..item.span.start);
        let gap = before.len() - before.trim_end_matches(is_blank).len();
        self.part(item.span.start - gap..item.span.start)
    }

    /// What is blank before the first thing on the line of `at`.
    fn indent_at(&self, at: usize) -> &'a str {
        let before = self.part(0..at);
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        let rest = self.part(line..at);
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        self.part(line..line + blanks)
    }

    fn comments_in(&self, span: Range<usize>) -> impl Iterator<Item = &Comment> {
        let first = self.comments.partition_point(|comment| comment.span.start < span.start);
        let rest = self.comments.get(first..).unwrap_or_default();
        rest.iter().take_while(move |comment| comment.span.start < span.end)
    }

    fn is_object(&self, container: &Container<'_, 'a>) -> bool {
        self.part(container.span.clone()).starts_with('{')
    }
}

impl Container<'_, '_> {
    /// What is between the brackets.
    fn inside(&self) -> Range<usize> {
        self.span.start + 1..self.span.end.saturating_sub(1)
    }

    /// The item of that name.
    pub(crate) fn get(&self, key: &str) -> Option<usize> {
        self.items.iter().position(|item| item.key == key)
    }
}

impl<'a> Style<'a> {
    fn of(text: &'a str, root: &Value<'_>) -> Self {
        let whole = text.get(root.start()..root.end()).unwrap_or_default();
        let newline = match text.find('\n') {
            Some(at) if text.get(..at).is_some_and(|before| before.ends_with('\r')) => "\r\n",
            _ => "\n",
        };
        let inner = whole.get(1..).unwrap_or_default();
        let blank = inner.len() - inner.trim_start_matches(is_blank).len();
        let unit = inner.get(..blank).and_then(|blank| blank.rsplit_once('\n'));
        let is_spaced = inner.get(..blank).is_some_and(|blank| !blank.is_empty())
            || [": ", ", ", "{ ", "[ "].iter().any(|pair| whole.contains(pair));
        Style {
            newline,
            unit: unit.map_or("  ", |(_, unit)| unit).trim_matches('\r'),
            has_lines: whole.contains('\n'),
            is_spaced,
        }
        .or_usual(whole.len() <= 2)
    }

    /// An empty file has no layout of its own.
    fn or_usual(self, is_empty: bool) -> Self {
        let unit = if self.unit.is_empty() { "  " } else { self.unit };
        Style { unit, is_spaced: self.is_spaced || is_empty, ..self }
    }

    fn separate(&self, out: &mut String, indent: Option<&str>) {
        match indent {
            Some(indent) => {
                out.push_str(self.newline);
                out.push_str(indent);
            }
            None if self.is_spaced => out.push(' '),
            None => {}
        }
    }

    fn key(&self, out: &mut String, key: &str) {
        out.push_str(&serde_json::Value::from(key).to_string());
        out.push_str(if self.is_spaced || self.has_lines { ": " } else { ":" });
    }

    /// A value; over several lines, those after the first indented further than `indent`, where there
    /// is one.
    fn print(&self, out: &mut String, value: &serde_json::Value, indent: Option<&str>) {
        let inner = indent.map(|indent| format!("{indent}{}", self.unit));
        let (brackets, items): (_, Vec<(Option<&str>, &serde_json::Value)>) = match value {
            serde_json::Value::Object(members) => {
                (["{", "}"], members.iter().map(|(key, value)| (Some(&**key), value)).collect())
            }
            serde_json::Value::Array(list) => {
                (["[", "]"], list.iter().map(|value| (None, value)).collect())
            }
            other => return out.push_str(&other.to_string()),
        };
        let [open, close] = brackets;
        out.push_str(open);
        for (index, (key, value)) in items.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            if index > 0 || inner.is_some() {
                self.separate(out, inner.as_deref());
            }
            if let Some(key) = key {
                self.key(out, key);
            }
            self.print(out, value, inner.as_deref());
        }
        if let (Some(indent), false) = (indent, items.is_empty()) {
            self.separate(out, Some(indent));
        }
        out.push_str(close);
    }
}

/// A file of its own that holds `value`.
pub(crate) fn fresh(value: &serde_json::Value) -> String {
    let style = Style { newline: "\n", unit: "  ", has_lines: true, is_spaced: true };
    let mut out = String::new();
    style.print(&mut out, value, Some(""));
    out.push('\n');
    out
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\n' | '\r')
}

/// The text without its last line, if that is blank, and without the line break before it.
fn without_last_line(text: &str) -> &str {
    let Some((before, last)) = text.rsplit_once('\n') else { return text };
    match last.trim_matches([' ', '\t']) {
        "" => before.strip_suffix('\r').unwrap_or(before),
        _ => text,
    }
}

/// The name of a member.
pub(crate) fn name_of<'d>(name: &'d ObjectPropName<'_>) -> &'d str {
    match name {
        ObjectPropName::String(name) => &name.value,
        ObjectPropName::Word(name) => name.value,
    }
}

fn kind(value: &Value<'_>) -> &'static str {
    match value {
        Value::StringLit(_) => "a string",
        Value::NumberLit(_) => "a number",
        Value::BooleanLit(_) => "a boolean",
        Value::Object(_) => "an object",
        Value::Array(_) => "a list",
        Value::NullKeyword(_) => "null",
    }
}

fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(characters).collect()
}

fn refusal(text: &str, at: usize, message: String) -> Refusal {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let column = before.get(line_start..).unwrap_or_default().chars().count() + 1;
    Refusal { line: before.matches('\n').count() + 1, column, message }
}
