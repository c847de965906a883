//! What reading events takes of JSON: the fields of an object as raw text, and strings unescaped only
//! where something asks for them. Nothing here builds a tree, and nothing knows an agent's format.

use std::borrow::Cow;
use std::str::Chars;

pub mod plain;
mod scan;

pub use scan::{DEPTH, Error, Fault, Json, Key, Scanner};

/// The JSON text of one field, if it was there.
pub type Raw<'a> = Option<Json<'a>>;

/// The fields that a reader wants of an object.
pub trait Slots<'a> {
    /// Where the value of `key` goes.
    fn slot(&mut self, key: &str) -> Slot<'_, 'a>;
}

/// What to do with the value of a key.
pub enum Slot<'s, 'a> {
    /// Check that it is JSON and forget it.
    Ignore,
    /// Keep its text.
    Keep(&'s mut Raw<'a>),
    /// If it is an object, take its fields; else forget it.
    Object(&'s mut dyn Slots<'a>),
    /// Keep its text, and if it is an object, hand over its entries too.
    Entries(&'s mut dyn Entries<'a>),
    /// Keep its text, and if it is a list, take the fields of the objects in it.
    Elements(&'s mut dyn Elements<'a>),
}

/// Takes the objects of a list.
pub trait Elements<'a> {
    /// The elements of a list are about to come; those of an earlier one do not count.
    fn begin(&mut self);
    /// The fields to fill for the next object.
    fn element(&mut self) -> Option<&mut dyn Slots<'a>>;
    /// The text of the whole value, which need not be a list. Comes last.
    fn whole(&mut self, value: Json<'a>);
}

/// Takes all entries of an object, whatever their keys.
pub trait Entries<'a> {
    /// One entry; they come in order, and a key may come twice.
    fn entry(&mut self, key: Cow<'a, str>, value: Json<'a>);
    /// The entries of an object are about to come; those of an earlier one do not count.
    fn begin(&mut self);
    /// The text of the whole value, which need not be an object. Comes last.
    fn whole(&mut self, value: Json<'a>);
}

/// All fields of an object, whatever they are called.
#[derive(Clone, Debug, Default)]
pub struct Fields<'a> {
    list: Vec<(Cow<'a, str>, Json<'a>)>,
    whole: Raw<'a>,
    has_more: bool,
}

impl<'a> Fields<'a> {
    /// How many are kept. Each takes far more room than its text need have.
    pub const MAX: usize = 1 << 16;

    /// The fields of the object `json`. What is no JSON object has none.
    #[must_use]
    pub fn of(json: &'a str) -> Self {
        let mut fields = Self { list: Vec::with_capacity(8), ..Self::default() };
        if entries(json, |name, value| fields.push(name, value)).is_err() {
            fields.list.clear();
        }
        fields
    }

    fn push(&mut self, name: Cow<'a, str>, value: Json<'a>) {
        if self.list.len() < Self::MAX {
            self.list.push((name, value));
        } else {
            self.has_more = true;
        }
    }

    /// The value of a field; of two with one name, the later.
    pub fn field(&self, name: &str) -> Raw<'a> {
        let (_, value) = self.list.iter().rev().find(|(known, _)| known == name)?;
        Some(*value)
    }

    /// The fields in their order, with those that come again.
    pub fn iter(&self) -> std::slice::Iter<'_, (Cow<'a, str>, Json<'a>)> {
        self.list.iter()
    }

    /// Whether there were more than [`Fields::MAX`], which were passed over.
    #[must_use]
    pub fn has_more(&self) -> bool {
        self.has_more
    }

    /// The text of what was filled in with [`Slot::Entries`], which need not be an object.
    #[must_use]
    pub fn whole(&self) -> Raw<'a> {
        self.whole
    }
}

impl<'a> Entries<'a> for Fields<'a> {
    fn begin(&mut self) {
        self.list.clear();
        self.has_more = false;
    }

    fn entry(&mut self, key: Cow<'a, str>, value: Json<'a>) {
        self.push(key, value);
    }

    fn whole(&mut self, value: Json<'a>) {
        if !value.get().starts_with('{') {
            self.begin();
        }
        self.whole = Some(value);
    }
}

/// Reads the object `json` into `slots`. What was read before an error stays there. A key that comes
/// twice has its last value.
pub fn object<'a, S: Slots<'a>>(json: &'a str, slots: &mut S) -> Result<(), Error> {
    let mut scanner = Scanner::new(json);
    fill(&mut scanner, slots)?;
    scanner.end()
}

fn fill<'a, S: Slots<'a> + ?Sized>(scanner: &mut Scanner<'a>, slots: &mut S) -> Result<(), Error> {
    let mut more = scanner.enter(b'{')?;
    while more {
        let key = scanner.key()?;
        let slot = if key.escaped { slots.slot(&name(key)) } else { slots.slot(key.text) };
        match slot {
            Slot::Ignore => {
                scanner.pass()?;
            }
            Slot::Keep(raw) => *raw = Some(scanner.value()?),
            // One level only: what asks for objects in objects is known, and finite.
            Slot::Object(slots) if scanner.next_is(b'{') => fill(scanner, slots)?,
            Slot::Object(_) => {
                scanner.pass()?;
            }
            Slot::Entries(entries) => take_entries(scanner, entries)?,
            Slot::Elements(elements) => take_elements(scanner, elements)?,
        }
        more = scanner.more(b'{')?;
    }
    Ok(())
}

fn take_entries<'a>(scanner: &mut Scanner<'a>, entries: &mut dyn Entries<'a>) -> Result<(), Error> {
    if !scanner.next_is(b'{') {
        entries.whole(scanner.value()?);
        return Ok(());
    }
    let start = scanner.mark();
    entries.begin();
    let mut more = scanner.enter(b'{')?;
    while more {
        let key = scanner.key()?;
        entries.entry(name(key), scanner.value()?);
        more = scanner.more(b'{')?;
    }
    entries.whole(scanner.since(start, false));
    Ok(())
}

fn take_elements<'a>(
    scanner: &mut Scanner<'a>,
    elements: &mut dyn Elements<'a>,
) -> Result<(), Error> {
    if !scanner.next_is(b'[') {
        elements.whole(scanner.value()?);
        return Ok(());
    }
    let start = scanner.mark();
    elements.begin();
    let mut more = scanner.enter(b'[')?;
    while more {
        match elements.element().filter(|_| scanner.next_is(b'{')) {
            Some(slots) => fill(scanner, slots)?,
            None => {
                scanner.pass()?;
            }
        }
        more = scanner.more(b'[')?;
    }
    elements.whole(scanner.since(start, false));
    Ok(())
}

/// An element of a list.
pub enum Element<'a, S> {
    /// An object, by its fields.
    Object(S),
    /// Something else.
    Other(Json<'a>),
}

/// Calls `each` with the fields of every object in the list `json`; other elements are passed over.
///
/// # Errors
/// When `json` is no list, or not JSON.
pub fn list<'a, S, F>(json: &'a str, mut each: F) -> Result<(), Error>
where
    S: Slots<'a> + Default,
    F: FnMut(S),
{
    mixed_list(json, |element| {
        if let Element::Object(fields) = element {
            each(fields);
        }
    })
}

/// Calls `each` with every element of the list `json`, in order.
///
/// # Errors
/// When `json` is no list, or not JSON.
pub fn mixed_list<'a, S, F>(json: &'a str, mut each: F) -> Result<(), Error>
where
    S: Slots<'a> + Default,
    F: FnMut(Element<'a, S>),
{
    let mut scanner = Scanner::new(json);
    let mut more = scanner.enter(b'[')?;
    while more {
        each(if scanner.next_is(b'{') {
            let mut slots = S::default();
            fill(&mut scanner, &mut slots)?;
            Element::Object(slots)
        } else {
            Element::Other(scanner.value()?)
        });
        more = scanner.more(b'[')?;
    }
    scanner.end()
}

/// The values of the list `json`, in order; none if it is something else, and none behind what is wrong.
pub fn values(json: &str) -> Values<'_> {
    let mut scanner = Scanner::new(json);
    let is_some = scanner.next_is(b'[') && matches!(scanner.enter(b'['), Ok(true));
    Values(is_some.then_some(scanner))
}

/// The values of a list that are still to come.
#[derive(Clone)]
pub struct Values<'a>(Option<Scanner<'a>>);

impl<'a> Iterator for Values<'a> {
    type Item = Json<'a>;

    fn next(&mut self) -> Option<Json<'a>> {
        let scanner = self.0.as_mut()?;
        let value = scanner.value().ok();
        if value.is_none() || !matches!(scanner.more(b'['), Ok(true)) {
            self.0 = None;
        }
        value
    }
}

/// The value that `json` is, if it is valid.
#[must_use]
pub fn parsed(json: &str) -> Option<Json<'_>> {
    let mut scanner = Scanner::new(json);
    let value = scanner.value().ok()?;
    scanner.end().ok().map(|()| value)
}

/// Calls `each` with every element of the list `json`, in order.
///
/// # Errors
/// When `json` is no list, or not JSON.
pub fn items<'a, F>(json: &'a str, mut each: F) -> Result<(), Error>
where
    F: FnMut(Json<'a>),
{
    let mut scanner = Scanner::new(json);
    let mut more = scanner.enter(b'[')?;
    while more {
        each(scanner.value()?);
        more = scanner.more(b'[')?;
    }
    scanner.end()
}

/// Calls `each` with every key and value of the object `json`, in order.
pub fn entries<'a, F>(json: &'a str, mut each: F) -> Result<(), Error>
where
    F: FnMut(Cow<'a, str>, Json<'a>),
{
    let mut scanner = Scanner::new(json);
    let mut more = scanner.enter(b'{')?;
    while more {
        let key = scanner.key()?;
        each(name(key), scanner.value()?);
        more = scanner.more(b'{')?;
    }
    scanner.end()
}

/// The string that `json` is, unescaped; `None` if it is something else. Half of a surrogate pair,
/// which cut strings contain, becomes U+FFFD.
pub fn text(json: Json<'_>) -> Option<Cow<'_, str>> {
    match json.plain() {
        Some(plain) => Some(Cow::Borrowed(plain)),
        None => unescape(inside(json.get())?).map(Cow::Owned),
    }
}

/// A key, unescaped.
fn name(key: Key<'_>) -> Cow<'_, str> {
    if key.escaped {
        Cow::Owned(unescape(key.text).unwrap_or_default())
    } else {
        Cow::Borrowed(key.text)
    }
}

/// What is between the quotes of a string.
fn inside(json: &str) -> Option<&str> {
    json.strip_prefix('"')?.strip_suffix('"')
}

/// [`text`], of JSON text that was read as one value before.
pub fn text_of(json: &str) -> Option<Cow<'_, str>> {
    let inner = inside(json)?;
    match memchr::memchr(b'\\', inner.as_bytes()) {
        Some(_) => unescape(inner).map(Cow::Owned),
        None => Some(Cow::Borrowed(inner)),
    }
}

/// The text of what is between the quotes of a JSON string with escapes. What is plain is copied in
/// one go, and the room for all of it is taken at once: an escape is never shorter than what it stands
/// for.
fn unescape(inner: &str) -> Option<String> {
    let mut rest = inner;
    let mut out = String::with_capacity(rest.len());
    while let Some((plain, tail)) = rest.split_once('\\') {
        out.push_str(plain);
        let mut characters = tail.chars();
        out.push(match characters.next()? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => hexadecimal(&mut characters)?,
            same @ ('"' | '\\' | '/') => same,
            _ => return None,
        });
        rest = characters.as_str();
    }
    out.push_str(rest);
    Some(out)
}

/// The character of a `\u` escape, and of the one behind it where the two are a pair.
fn hexadecimal(characters: &mut Chars<'_>) -> Option<char> {
    let first = code_unit(characters)?;
    if (0xd800..0xdc00).contains(&first) {
        let mut ahead = characters.clone();
        let is_escape = ahead.next() == Some('\\') && ahead.next() == Some('u');
        let second = if is_escape { code_unit(&mut ahead) } else { None };
        if let Some(second @ 0xdc00..0xe000) = second {
            *characters = ahead;
            let code = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
            return char::from_u32(code);
        }
    }
    Some(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
}

fn code_unit(characters: &mut Chars<'_>) -> Option<u32> {
    let mut unit = 0;
    for _ in 0..4 {
        unit = unit << 4 | characters.next()?.to_digit(16)?;
    }
    Some(unit)
}

/// Whether `raw` is `true`.
pub fn is_true(raw: Raw<'_>) -> bool {
    raw.is_some_and(|raw| raw.get() == "true")
}

/// The kind of value that `json` is, in words for a message.
pub fn kind(json: &str) -> &'static str {
    match json.as_bytes().first() {
        Some(b'"') => "a string",
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b't' | b'f') => "a boolean",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// What is wrong with the line `json` that should be one object, for people.
pub fn explain(json: &str, error: &Error) -> String {
    if error.fault == Fault::Kind && Scanner::new(json).value().is_ok() {
        return format!("expected a JSON object, but found {}", kind(json));
    }
    let at = error.at as usize;
    let before = json.get(..at).map_or(at, |before| before.chars().count());
    format!("not valid JSON: {} at column {}", error.fault, before + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(json: &str) -> Json<'_> {
        Scanner::new(json).value().expect("valid JSON")
    }

    #[test]
    fn strings_are_unescaped_and_borrowed_where_possible() {
        assert!(matches!(text(raw(r#""plain""#)), Some(Cow::Borrowed("plain"))));
        for json in [r#""a\n\"b\" \u00e9""#, r#""a\n\"b\" é""#] {
            assert_eq!(text(raw(json)).as_deref(), Some("a\n\"b\" é"));
            assert_eq!(text_of(json).as_deref(), Some("a\n\"b\" é"));
        }
        assert_eq!(text(raw("12")), None);
        assert_eq!(text(raw(r#"["a\n"]"#)), None);
    }

    #[test]
    fn half_a_surrogate_pair_is_replaced() {
        let cut = text(raw(r#""cut \ud83d""#)).expect("a string");
        assert_eq!(cut, "cut \u{fffd}");
        let check = |json: &str, expect: &str| {
            assert_eq!(text(raw(json)).as_deref(), Some(expect), "{json}");
        };
        check(r#""\ud83d\u0041""#, "\u{fffd}A");
        check(r#""\ud83d\ud83d\ude00""#, "\u{fffd}😀");
        check(r#""\ude00x""#, "\u{fffd}x");
    }

    #[test]
    fn every_escape_reads_as_in_any_other_reader() {
        for json in [
            r#""\" \\ \/ \b \f \n \r \t""#,
            r#""\u0000\u001f\u0041\u00E9\uFFFF\ud83d\uDE00 end""#,
            r#""\\n is no line feed\\\n""#,
            r#""ünïcödé \n 🎉 \" more""#,
            r#""\n""#,
        ] {
            let theirs: String = serde_json::from_str(json).expect("valid JSON");
            assert_eq!(text(raw(json)).as_deref(), Some(&*theirs), "{json}");
            assert_eq!(text_of(json).as_deref(), Some(&*theirs), "{json}");
        }
    }

    #[test]
    fn entries_keep_their_order() {
        let mut seen = Vec::new();
        entries(r#"{"b": 1, "a\u0062": [2]}"#, |key, value| seen.push((key, value.get())))
            .expect("an object");
        assert_eq!(seen, [("b".into(), "1"), ("ab".into(), "[2]")]);
    }

    /// Two fields.
    #[derive(Default)]
    struct Two<'a> {
        one: Raw<'a>,
        two: Raw<'a>,
    }

    impl<'a> Slots<'a> for Two<'a> {
        fn slot(&mut self, key: &str) -> Slot<'_, 'a> {
            match key {
                "one" | "1" => Slot::Keep(&mut self.one),
                "two" => Slot::Keep(&mut self.two),
                _ => Slot::Ignore,
            }
        }
    }

    #[test]
    fn fields_before_an_error_are_kept() {
        let mut two = Two::default();
        let error = object(r#"{"x": [{}], "o\u006ee": "a", "1": 2, "two": "b"#, &mut two);
        assert_eq!(error.map_err(|error| error.fault), Err(Fault::Ends));
        assert_eq!((two.one.map(Json::get), two.two), (Some("2"), None));
    }
}
