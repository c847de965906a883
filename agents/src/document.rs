//! Recordings that are JSON documents: one that fills the file, several after each other, or one on
//! each line. Bounded in length, told apart by their first line, and with what can be read of one that
//! is cut off. Knows no format.

use std::io::{self, BufRead};

use crate::fields::one;
use crate::flow::Flow;
use crate::json::{self, DEPTH, Error, Fault, Scanner};
use crate::lines::{self, Line, Lines};
use crate::native;

/// The longest document that is read, in bytes.
pub(crate) const LIMIT: usize = 256 << 20;

/// A document, and which lines its parts are on.
pub(crate) struct Document<'d> {
    /// The JSON text: one value.
    pub(crate) text: &'d str,
    first: u32,
    /// How many line feeds there are before each block of [`Document::BLOCK`] bytes.
    feeds: Vec<u32>,
}

impl<'d> Document<'d> {
    const BLOCK: usize = 4 << 10;

    fn new(text: &'d str, first: u32) -> Self {
        let mut feeds = Vec::new();
        if memchr::memchr(b'\n', text.as_bytes()).is_some() {
            let mut sum = 0;
            for block in text.as_bytes().chunks(Self::BLOCK) {
                feeds.push(sum);
                sum += line_feeds(block);
            }
        }
        Self { text, first, feeds }
    }

    /// The line that `part`, which is borrowed from the text, begins on.
    pub(crate) fn line(&self, part: &str) -> u32 {
        let offset = part.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        if offset > self.text.len() || self.feeds.is_empty() {
            return self.first;
        }
        let block = offset / Self::BLOCK;
        let rest = self.text.as_bytes().get(block * Self::BLOCK..offset).unwrap_or_default();
        let before = self.feeds.get(block).copied().unwrap_or_default();
        self.first.saturating_add(before).saturating_add(line_feeds(rest))
    }
}

fn line_feeds(bytes: &[u8]) -> u32 {
    u32::try_from(memchr::memchr_iter(b'\n', bytes).count()).unwrap_or(u32::MAX)
}

/// What is done with each document.
pub(crate) type Each<'e> = &'e mut dyn FnMut(&mut Flow<'_>, &Document<'_>);

/// Hands every document of `input` to `each`, and closes the counts.
pub(crate) fn read(input: &mut dyn BufRead, flow: &mut Flow<'_>, each: Each<'_>) -> io::Result<()> {
    let mut lines = Lines::new(input, LIMIT);
    let mut buffer = Vec::new();
    let mut any = false;
    while !flow.sink.stop() {
        let line = lines.next(&mut buffer)?;
        let number = lines.number();
        let (text, ended) = match line {
            Line::End => break,
            Line::Text { text, ended } => (lines::trim(text), ended),
            other => {
                flow.stats.lines += 1;
                if let Some(problem) = native::unreadable(other, number) {
                    let message = match other {
                        Line::TooLong => too_long("line"),
                        _ => problem.message,
                    };
                    flow.refuse(number, message);
                }
                continue;
            }
        };
        flow.stats.lines += 1;
        if text.is_empty() {
            continue;
        }
        match one(text) {
            Ok(()) => each(flow, &Document::new(text, number)),
            Err(error) if error.fault == Fault::Ends && !any => {
                let start = text.to_owned();
                rest(&mut lines, flow, start, number, each)?;
                break;
            }
            Err(error) => refuse_line(flow, text, number, ended, &error),
        }
        any = true;
    }
    flow.stats.bytes = lines.bytes();
    Ok(())
}

fn too_long(what: &str) -> String {
    format!("the {what} is longer than {} MiB and was passed over", LIMIT >> 20)
}

fn refuse_line(flow: &mut Flow<'_>, text: &str, number: u32, ended: bool, error: &Error) {
    if error.fault == Fault::Ends && !ended {
        flow.stats.truncated = true;
        let problem = native::cut_off(number);
        flow.refuse(number, problem.message);
    } else {
        flow.refuse(number, json::explain(text, error));
    }
}

/// The document goes on over several lines: reads all that is left.
fn rest(
    lines: &mut Lines<'_>,
    flow: &mut Flow<'_>,
    start: String,
    first: u32,
    each: Each<'_>,
) -> io::Result<()> {
    let mut text = start;
    let mut buffer = Vec::new();
    let mut broken = None;
    loop {
        match lines.next(&mut buffer)? {
            Line::End => break,
            Line::Text { text: line, .. } => {
                flow.stats.lines += 1;
                if text.len() + line.len() >= LIMIT {
                    flow.refuse(first, too_long("document"));
                    return Ok(());
                }
                text.push('\n');
                text.push_str(line);
            }
            other => {
                flow.stats.lines += 1;
                let number = lines.number();
                broken = native::unreadable(other, number).map(|problem| problem.message);
                break;
            }
        }
    }
    if let Some(message) = broken {
        flow.refuse(lines.number(), message);
    }
    documents(&text, first, flow, each);
    Ok(())
}

/// The documents of a text, one after the other.
fn documents(text: &str, first: u32, flow: &mut Flow<'_>, each: Each<'_>) {
    let all = Document::new(text, first);
    let mut left = text;
    loop {
        left = left.trim_start_matches(|c: char| c.is_whitespace() || c == '\0');
        if left.is_empty() || flow.sink.stop() {
            return;
        }
        let number = all.line(left);
        let mut scanner = Scanner::new(left);
        match scanner.value() {
            Ok(value) => {
                each(flow, &Document::new(value.get(), number));
                left = left.get(scanner.mark()..).unwrap_or_default();
            }
            Err(error) => return broken(&all, left, number, &error, flow, each),
        }
    }
}

/// A document that is wrong somewhere: what stands before that still counts. Where each line is a
/// document of its own, all the others count.
fn broken(
    all: &Document<'_>,
    left: &str,
    number: u32,
    error: &Error,
    flow: &mut Flow<'_>,
    each: Each<'_>,
) {
    let mut others = left.lines().skip(1).map(lines::trim).filter(|line| !line.is_empty());
    if others.next().is_some_and(|line| line.starts_with('{') && one(line).is_ok()) {
        for (line, number) in left.lines().zip(number..) {
            let text = lines::trim(line);
            match one(text) {
                _ if text.is_empty() => {}
                Ok(()) => each(flow, &Document::new(text, number)),
                Err(error) => refuse_line(flow, text, number, true, &error),
            }
        }
        return;
    }
    let offset = (error.at as usize).min(left.trim_end().len());
    let line = left.get(offset..).map_or(number, |at| all.line(at));
    if error.fault == Fault::Ends {
        flow.stats.truncated = true;
        let message = "the document is cut off; what stands before that was read".to_owned();
        flow.refuse(line, message);
    } else {
        flow.refuse(
            line,
            format!("not valid JSON: {}; what stands before that was read", error.fault),
        );
    }
    if let Some(whole) = repaired(left) {
        each(flow, &Document::new(&whole, number));
    }
}

/// The beginning of a JSON text up to where it ends or goes wrong, with everything closed that is open
/// there. A value that is not complete is left out.
pub(crate) fn repaired(text: &str) -> Option<String> {
    let mut scanner = Scanner::new(text);
    let mut open: Vec<u8> = Vec::new();
    let mut safe = None;
    // Any error ends the loop: it is what the text is repaired for.
    let _ = walk(&mut scanner, &mut open, &mut safe);
    let (end, depth) = safe?;
    let mut whole = text.get(..end)?.trim_end_matches(',').to_owned();
    whole.extend(open.iter().take(depth).rev().map(|open| if *open == b'{' { '}' } else { ']' }));
    Some(whole)
}

/// Walks over a value. `safe` is behind the last value that was complete, and how many containers
/// were open there.
fn walk(
    scanner: &mut Scanner<'_>,
    open: &mut Vec<u8>,
    safe: &mut Option<(usize, usize)>,
) -> Result<(), Error> {
    loop {
        let container = [b'{', b'['].into_iter().find(|byte| scanner.next_is(*byte));
        match container {
            Some(byte) if open.len() < DEPTH as usize => {
                if scanner.enter(byte)? {
                    open.push(byte);
                    *safe = Some((scanner.mark(), open.len()));
                    if byte == b'{' {
                        scanner.key()?;
                    }
                    continue;
                }
            }
            _ => drop(scanner.value()?),
        }
        loop {
            *safe = Some((scanner.mark(), open.len()));
            let Some(byte) = open.last().copied() else { return Ok(()) };
            if scanner.more(byte)? {
                if byte == b'{' {
                    scanner.key()?;
                }
                break;
            }
            open.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sink::{Item, Problem, Sink};

    #[derive(Default)]
    struct Told(Vec<(u32, String)>);

    impl Sink for Told {
        fn item(&mut self, _: Item<'_>) {}
        fn problem(&mut self, problem: Problem) {
            self.0.push((problem.line, problem.message));
        }
    }

    #[track_caller]
    fn check(input: &str, expect: &[&str], problems: &[u32]) {
        let mut told = Told::default();
        let mut flow = Flow::new(&mut told, false);
        let mut seen = Vec::new();
        read(&mut input.as_bytes(), &mut flow, &mut |_, document| {
            seen.push(format!("{} {}", document.line(document.text), document.text));
            assert!(one(document.text).is_ok(), "{}", document.text);
        })
        .expect("memory can be read");
        assert_eq!(flow.stats.bytes, input.len() as u64);
        assert_eq!(flow.stats.lines, input.lines().count() as u64, "{input}");
        assert_eq!(seen, expect, "{input}");
        let lines: Vec<u32> = told.0.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, problems, "{:?}", told.0);
    }

    #[test]
    fn documents_are_lines_or_fill_the_file() {
        check("{\"a\":1}\n\n[2]\n", &["1 {\"a\":1}", "3 [2]"], &[]);
        check("\u{feff}{\n \"a\": 1\n}\n", &["1 {\n \"a\": 1\n}"], &[]);
        check("{\n}\n[\n1]", &["1 {\n}", "3 [\n1]"], &[]);
        check("", &[], &[]);
    }

    #[test]
    fn what_is_broken_costs_as_little_as_can_be() {
        check("{\"a\":1}\nnonsense\n[2]\n", &["1 {\"a\":1}", "3 [2]"], &[2]);
        check("{\"a\":1}\n{\"a\":", &["1 {\"a\":1}"], &[2]);
        check("{\"a\":\n{\"b\":1}\n{\"c\":2}\n", &["2 {\"b\":1}", "3 {\"c\":2}"], &[1]);
        check("{\"a\": [1, 2,\n {\"b\": 3, \"c\": \"x", &["1 {\"a\": [1, 2,\n {\"b\": 3}]}"], &[2]);
        check("{\"a\": [1,\n 2 x], \"b\": 1}", &["1 {\"a\": [1,\n 2]}"], &[2]);
    }

    #[test]
    fn every_beginning_can_be_repaired() {
        let text = r#"{"a": [1, {"b": "x\"}"}, []], "c": {}, "d": {"e": [true, null]}, "f": -1.5}"#;
        for (at, _) in text.char_indices().skip(1) {
            if let Some(whole) = repaired(&text[..at]) {
                assert!(one(&whole).is_ok(), "{} -> {whole}", &text[..at]);
            }
        }
        assert_eq!(repaired(text).as_deref(), Some(text));
        assert_eq!(repaired("nonsense"), None);
        assert!(repaired(&"[".repeat(1 << 20)).is_some());
    }
}
