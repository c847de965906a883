//! Data in files: JSON, and of YAML, TOML and files of variables what is laid out in lines, each with a name and a value. Knows
//! neither files nor what becomes of the data; what it does not understand is left out.

use super::hole::HOLE;

/// Data nests so deep.
const MAX_DEPTH: u32 = 16;

/// No more values of one text are read.
const MAX_VALUES: usize = 1_024;

/// A value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    Text(String),
    Object(Vec<(String, Data)>),
    List(Vec<Data>),
    /// A number, or a word without quotes.
    Other,
}

impl Data {
    /// The text under a path of names.
    pub fn text_at(&self, keys: &[&str]) -> Option<&str> {
        let mut at = self;
        for key in keys {
            let Self::Object(fields) = at else { return None };
            at = fields.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value)?;
        }
        match at {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// Reads the data of a file, by how its name ends.
pub(crate) fn read(path: &str, text: &str) -> Option<Data> {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("json") => json(text),
        Some("yaml" | "yml") => Some(lines(text, ':')),
        Some("toml" | "ini" | "cfg" | "env") => Some(lines(text, '=')),
        _ => None,
    }
}

/// The variables that a script of a shell sets to constants, in lines of their own at its margin, and nowhere else; each with
/// whether it is put into the environment.
pub(crate) fn assignments(text: &str) -> Vec<(&str, &str, bool)> {
    /// More of them are not looked at.
    const MAX: usize = 128;
    let set = |line| {
        let own = str::strip_prefix(line, "export ");
        let (name, value) = own.unwrap_or(line).split_once('=')?;
        let is_name = !name.is_empty()
            && !name.starts_with(|first: char| first.is_ascii_digit())
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let value = value.split(" #").next().unwrap_or_default().trim_end();
        let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
        let inner = quote.and_then(|quote| value.strip_prefix(quote)?.strip_suffix(quote));
        let is_usual = |sign: char| sign.is_alphanumeric() || "_./:@%+-,".contains(sign);
        let is_plain = match inner {
            Some(inner) => !inner.contains(['$', '`', '\\', '"', '\'']),
            None => value.chars().all(is_usual),
        };
        (is_name && is_plain).then(|| (name, inner.unwrap_or(value), own.is_some()))
    };
    let set: Vec<_> = text.lines().filter_map(set).take(MAX).collect();
    let mut count = std::collections::BTreeMap::new();
    for line in text.lines() {
        let words = line.split(|sign: char| sign.is_whitespace() || ";&|({".contains(sign));
        for (name, _) in words.filter_map(|word| word.split_once('=')) {
            *count.entry(name.trim_end_matches('+')).or_insert(0_u32) += 1;
        }
    }
    set.into_iter().filter(|(name, ..)| count.get(name) == Some(&1)).collect()
}

/// The values of a text of which each line has one, as far as that is so.
fn lines(text: &str, sign: char) -> Data {
    let value = |line: &str| {
        let line = line.strip_prefix("export ").unwrap_or(line);
        let (name, value) = line.split_once(sign)?;
        let name = name.trim_end().trim_matches(['"', '\'']);
        let is_name = !name.is_empty() && !name.starts_with([' ', '\t', '#', '[', '-']);
        let value = value.split(" #").next().unwrap_or_default().trim();
        let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
        let inner = quote.and_then(|quote| value.strip_prefix(quote)?.strip_suffix(quote));
        let plain = inner.unwrap_or(value);
        let is_plain =
            !plain.is_empty() && !plain.contains(['"', '\'', '\\', '{', '[', '$', '`', '&', '*']);
        (is_name && is_plain).then(|| (name.to_owned(), Data::Text(plain.to_owned())))
    };
    Data::Object(text.lines().take(MAX_VALUES).filter_map(value).collect())
}

/// The value of a text of JSON.
fn json(text: &str) -> Option<Data> {
    let mut reader = Reader { rest: text.trim_start(), count: 0 };
    reader.value(0)
}

struct Reader<'t> {
    rest: &'t str,
    count: usize,
}

impl Reader<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, sign: char) -> bool {
        self.skip();
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn value(&mut self, depth: u32) -> Option<Data> {
        self.count += 1;
        if depth > MAX_DEPTH || self.count > MAX_VALUES {
            return None;
        }
        if self.take('{') {
            let mut fields = Vec::new();
            while !self.take('}') {
                let name = self.text()?;
                if !self.take(':') {
                    return None;
                }
                fields.push((name, self.value(depth + 1)?));
                self.take(',');
            }
            return Some(Data::Object(fields));
        }
        if self.take('[') {
            let mut items = Vec::new();
            while !self.take(']') {
                items.push(self.value(depth + 1)?);
                self.take(',');
            }
            return Some(Data::List(items));
        }
        if self.rest.starts_with('"') {
            return self.text().map(Data::Text);
        }
        let end = self.rest.find([',', '}', ']', ' ', '\n', '\r', '\t']).unwrap_or(self.rest.len());
        self.rest = self.rest.get(end..).filter(|_| end > 0)?;
        Some(Data::Other)
    }

    fn text(&mut self) -> Option<String> {
        self.skip();
        let (text, rest) = json_text(self.rest)?;
        self.rest = rest;
        Some(text)
    }
}

/// A text of JSON, and what stands behind it.
pub(crate) fn json_text(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let mut value = String::new();
    let mut characters = inner.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((value, inner.get(at + 1..)?)),
            '\\' => match characters.next()?.1 {
                'n' => value.push('\n'),
                't' => value.push('\t'),
                'r' | 'b' | 'f' => value.push(' '),
                'u' => {
                    let mut code = 0;
                    for _ in 0..4 {
                        code = code * 16 + characters.next()?.1.to_digit(16)?;
                    }
                    value.push(char::from_u32(code).unwrap_or(HOLE));
                }
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::{assignments, read};

    #[test]
    fn what_a_script_sets_at_its_margin_is_found() {
        let text = "# x\nA=b\nexport C=\"d e\"\nF=$A\nG=1\nif x; then G=2; fi\n  H=1\n";
        assert_eq!(assignments(text), [("A", "b", false), ("C", "d e", true)]);
    }

    #[test]
    fn texts_are_found_by_their_names() {
        let text_at = |path: &str, text: &str, keys: &[&str]| {
            read(path, text).and_then(|data| data.text_at(keys).map(str::to_owned))
        };
        let json = r#"{"a": [1, true, {"x": null}], "b": {"c": "d\n"}, "e": "f"}"#;
        assert_eq!(text_at("x.json", json, &["b", "c"]).as_deref(), Some("d\n"));
        assert_eq!(text_at("x.json", json, &["e"]).as_deref(), Some("f"));
        assert_eq!(text_at("x.json", json, &["a"]), None);
        assert_eq!(text_at("x.json", "{\"a\": ", &["a"]), None);
        assert_eq!(text_at("x.json", &"[".repeat(100), &["a"]), None);
        assert_eq!(text_at("x.yaml", "# y\na: b # c\nd: [e]\n", &["a"]).as_deref(), Some("b"));
        assert_eq!(text_at("x.toml", "a = \"b\"\n", &["a"]).as_deref(), Some("b"));
        assert_eq!(text_at("x.txt", "a = b\n", &["a"]), None);
    }
}
