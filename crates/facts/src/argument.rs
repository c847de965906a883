//! Patterns of policies for the arguments of calls: whether one argument matches, or all of them joined by
//! a blank. Knows nothing of rules.

use std::borrow::Cow;

use memchr::memchr;
use memchr::memmem::Finder;

use crate::event::{Call, POSITIONAL, Param, Value};
use crate::path::normalise;
use crate::value::ValueRef;
use behavior_image::code::Matching;
use behavior_image::format::{PatternRecord, ScanRecord, Section};
use behavior_image::pieces::Traits;
use behavior_image::{Image, View, pieces, scan};
use behavior_json::{self, Json};

/// A pattern for arguments, and what is known of it.
#[derive(Clone, Debug)]
pub struct Argument {
    pattern: u32,
    /// The same, where it is nothing but one text in some place.
    glob: Option<Glob>,
    /// A text that stands in some argument of every call that matches. Without a blank or a slash, it
    /// stands in one argument, and in one part of a path, however that is spelled.
    key: Option<Finder<'static>>,
    /// Whether the key is nothing that reading JSON and writing it anew may bring about.
    is_plain: bool,
    /// Whether arguments that do not match may match when they are joined.
    spans: bool,
    /// Whether it is about nothing but how the last part of a path ends.
    is_ending: bool,
}

/// A pattern that is one text, and where that stands.
#[derive(Clone, Debug)]
enum Glob {
    Whole(Box<str>),
    Beginning(Box<str>),
    Ending(Box<str>),
    Anywhere(Box<Finder<'static>>),
}

impl Glob {
    /// That of a pattern, if it is one.
    fn of(view: View<'_>, record: &PatternRecord) -> Option<Self> {
        let text = |id: u32| Box::from(view.string(id));
        match Matching::from_number(record.matching)? {
            Matching::Whole => Some(Self::Whole(text(record.text))),
            Matching::Beginning => Some(Self::Beginning(text(record.text))),
            Matching::Pieces if record.traits & (Traits::FOLDS | Traits::LINE) == 0 => {
                let mut pieces = view.list(record.pieces, record.pieces_len);
                let (Some(only), None) = (pieces.next(), pieces.next()) else { return None };
                let (starts, ends) = (Traits::STARTS, Traits::ENDS);
                Some(match (record.traits & starts != 0, record.traits & ends != 0) {
                    (true, true) => Self::Whole(text(only)),
                    (true, false) => Self::Beginning(text(only)),
                    (false, true) => Self::Ending(text(only)),
                    (false, false) => {
                        Self::Anywhere(Box::new(Finder::new(view.string(only)).into_owned()))
                    }
                })
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn matches(&self, text: &str) -> bool {
        // Most texts differ in one letter, so that the others are not compared.
        let is_odd = match self {
            Self::Whole(whole) => whole.len() != text.len(),
            Self::Beginning(beginning) => {
                let first = beginning.as_bytes().first();
                first.is_some() && first != text.as_bytes().first()
            }
            Self::Ending(ending) => {
                let last = ending.as_bytes().last();
                last.is_some() && last != text.as_bytes().last()
            }
            Self::Anywhere(_) => false,
        };
        !is_odd && self.are_equal(text)
    }

    #[inline(never)]
    fn are_equal(&self, text: &str) -> bool {
        match self {
            Self::Whole(whole) => **whole == *text,
            Self::Beginning(beginning) => text.starts_with(&**beginning),
            Self::Ending(ending) => text.ends_with(&**ending),
            Self::Anywhere(finder) => finder.find(text.as_bytes()).is_some(),
        }
    }
}

impl Argument {
    /// What is known of a pattern.
    pub fn of(image: &Image, pattern: u32) -> Self {
        let view = image.view();
        let record: PatternRecord = view.row(Section::Patterns, pattern);
        let listed = view.list(record.pieces, record.pieces_len);
        let texts: Vec<&str> =
            pieces::texts(&record, listed).into_iter().map(|text| view.string(text)).collect();
        let key = pieces::key(texts.iter().copied());
        let is_joined = |text: &&str| text.is_empty() || text.contains(' ');
        let glob = Glob::of(view, &record);
        Self {
            pattern,
            is_ending: matches!(&glob, Some(Glob::Ending(ending)) if !ending.contains('/')),
            glob,
            is_plain: key.is_some_and(is_plain),
            key: key.map(|key| Finder::new(key).into_owned()),
            spans: texts.len() != 1 || texts.iter().any(is_joined),
        }
    }

    /// Whether a text matches.
    #[inline(always)]
    fn matches(&self, image: &Image, text: &str, fold: &mut String) -> bool {
        match &self.glob {
            Some(glob) => glob.matches(text),
            None => image.matches(self.pattern, text, fold),
        }
    }

    /// Whether one argument matches, or all of them joined by a blank; those without names, too. To be
    /// wary is to look also at the shortest form of a path, and at the items of a list.
    pub fn is_met(&self, image: &Image, call: &Call<'_>, is_wary: bool) -> bool {
        let (mut fold, mut path) = (String::new(), String::new());
        let mut joins = self.spans;
        for param in &call.params {
            match &param.value {
                Value::Text(text) => {
                    if self.matches(image, text, &mut fold) {
                        return true;
                    }
                    // What has no slash is as short as a path can be.
                    let may_be_longer = is_wary
                        && !self.ends_alike(text)
                        && (text.is_empty() || memchr(b'/', text.as_bytes()).is_some())
                        && self.may_be_in(&param.value);
                    if may_be_longer
                        && self.matches(image, normalise(text, None, &mut path), &mut fold)
                    {
                        return true;
                    }
                }
                Value::Json(_) if !is_positional(param) && !self.may_be_in(&param.value) => {}
                Value::Json(_) => {
                    joins |= is_positional(param);
                    let value = ValueRef::from(&param.value);
                    let text = value.text();
                    if self.matches(image, &text, &mut fold) {
                        return true;
                    }
                    let mut is_path = |text: &str| {
                        self.matches(image, normalise(text, None, &mut path), &mut fold)
                    };
                    if is_wary && (is_path(&text) || value.any_text(&mut is_path)) {
                        return true;
                    }
                }
            }
        }
        let may_be_in = |param: &Param<'_>| is_positional(param) || self.may_be_in(&param.value);
        joins
            && (call.params.is_empty() || call.params.iter().any(may_be_in))
            && self.matches(image, &joined(call), &mut fold)
    }

    /// Whether the pattern says of the shortest form of a path what it says of the path: of how that ends, unless it ends
    /// with no name.
    fn ends_alike(&self, path: &str) -> bool {
        self.is_ending && !matches!(path.as_bytes().last(), None | Some(b'/' | b'.'))
    }

    /// Whether a value may hold what the pattern asks for.
    fn may_be_in(&self, value: &Value<'_>) -> bool {
        let Some(key) = &self.key else { return true };
        match value {
            Value::Text(text) => key.find(text.as_bytes()).is_some(),
            // What is escaped may be anything.
            Value::Json(json) => {
                !self.is_plain || json.contains('\\') || key.find(json.as_bytes()).is_some()
            }
        }
    }
}

/// With which letters arguments begin or end that some patterns match: a first look at a call, which most of them do not
/// meet.
#[derive(Debug)]
pub struct Edges {
    first: [bool; 256],
    last: [bool; 256],
}

impl Edges {
    /// Those of patterns, each with whether it is [wary](Argument::is_met); `None` where one of them says more, or less, of an
    /// argument.
    pub fn of<'a>(arguments: impl Iterator<Item = (&'a Argument, bool)>) -> Option<Self> {
        let mut edges = Self { first: [false; 256], last: [false; 256] };
        for (argument, is_wary) in arguments {
            let (letters, letter) = match argument.glob.as_ref().filter(|_| !argument.spans)? {
                Glob::Beginning(beginning) if !is_wary => {
                    (&mut edges.first, beginning.as_bytes().first())
                }
                Glob::Ending(ending) if !is_wary || argument.is_ending => {
                    (&mut edges.last, ending.as_bytes().last())
                }
                _ => return None,
            };
            *letters.get_mut(usize::from(*letter?))? = true;
        }
        Some(edges)
    }

    /// Whether one of the patterns may match an argument of a call.
    #[inline]
    #[must_use]
    pub fn may_match(&self, call: &Call<'_>) -> bool {
        let is_in =
            |letters: &[bool; 256], letter: u8| letters.get(usize::from(letter)) == Some(&true);
        call.params.iter().any(|param| match &param.value {
            Value::Text(text) => match (text.as_bytes().first(), text.as_bytes().last()) {
                // The shortest form of a path may end otherwise, see [`Argument::ends_alike`].
                (_, None | Some(b'/' | b'.')) | (None, _) => true,
                (Some(first), Some(last)) => is_in(&self.first, *first) || is_in(&self.last, *last),
            },
            Value::Json(_) => true,
        })
    }
}

/// Calls `found` with the alternatives of the policy whose texts the arguments of a call hold, perhaps more than
/// once.
pub fn search(image: &Image, call: &Call<'_>, mut found: impl FnMut(u32)) {
    let (view, program, mut fold) = (image.view(), image.program(), String::new());
    let rows = program.argument_scans..program.argument_scans + program.argument_scans_len;
    for row in rows {
        let record: ScanRecord = view.row(Section::Scans, row);
        let mut look = |text: &str| scan::search(&view, &record, text, &mut fold, &mut found);
        for param in &call.params {
            let value = ValueRef::from(&param.value);
            if let Value::Json(json) = &param.value {
                look(json);
                look(&value.text());
            }
            value.any_text(|text| {
                look(text);
                false
            });
        }
    }
}

/// Whether a text that stands in JSON which is read and written anew stood there before: it is no part of a
/// number, and no signs.
fn is_plain(text: &str) -> bool {
    let is_sign = |byte: u8| !byte.is_ascii_alphanumeric() && !matches!(byte, b'.' | b'_' | b'-');
    let is_of_number = |byte: u8| matches!(byte, b'0'..=b'9' | b'.' | b'-' | b'e' | b'E');
    !text.bytes().any(is_sign) && !text.bytes().all(is_of_number)
}

/// The arguments, joined by a blank.
fn joined(call: &Call<'_>) -> String {
    let mut joined = String::new();
    for param in &call.params {
        if !joined.is_empty() {
            joined.push(' ');
        }
        match positional(param) {
            Some(items) => joined.push_str(&items),
            None => joined.push_str(&ValueRef::from(&param.value).text()),
        }
    }
    joined
}

fn is_positional(param: &Param<'_>) -> bool {
    param.name == POSITIONAL && matches!(param.value, Value::Json(_))
}

/// The arguments without names, which a call holds as a list, joined by a blank.
fn positional(param: &Param<'_>) -> Option<String> {
    let Value::Json(list) = &param.value else { return None };
    if param.name != POSITIONAL {
        return None;
    }
    let mut items = Vec::new();
    let each = |item: Json<'_>| {
        items
            .push(behavior_json::text(item).map_or_else(|| item.get().to_owned(), Cow::into_owned));
    };
    behavior_json::items(list, each).ok()?;
    Some(items.join(" "))
}
