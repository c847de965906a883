//! Messages with placeholders: `Read '{target}' first`, with `{{` and `}}` for literal braces.
//!
//! A scan from left to right that never fails: what is no placeholder is text, and reported where it
//! looks like a slip. Knows which placeholders exist, but not which counters, sets or flags do.

use std::borrow::Cow;
use std::ops::Range;

use behavior_runtime::decision::Phase;

use crate::fragment::{MAX_PROBLEMS, excerpt};
pub use crate::fragment::{Problem, Spanned};
use crate::nearest::closest;

/// A placeholder that messages may hold.
#[derive(Debug)]
pub struct Placeholder {
    /// What stands in the braces, before any `:`.
    pub name: &'static str,
    /// What the name behind the `:` names; none where the placeholder takes none.
    pub argument: Option<Argument>,
    /// What it resolves to.
    pub docs: &'static str,
    /// A message that uses it.
    pub example: &'static str,
}

/// What a placeholder's argument names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// A parameter of the call.
    Param,
    /// A declared counter.
    Counter,
    /// A declared set.
    Set,
    /// A declared flag.
    Flag,
    /// A document of the project or the user.
    Document,
}

impl Argument {
    /// What it names, as users call it.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::Param => "a parameter",
            Self::Counter => "a counter",
            Self::Set => "a set",
            Self::Flag => "a flag",
            Self::Document => "a document",
        }
    }

    /// What to do where the placeholder `written` lacks it.
    fn missing(self, written: &str) -> String {
        match self {
            Self::Document => format!(
                "name its file behind a colon: `{{{written}:coding-rules.md}}`; the file that a \
                 call is about is `{{target}}`"
            ),
            _ => format!("name {} behind a colon: `{{{written}:name}}`", self.describe()),
        }
    }
}

impl Placeholder {
    /// Whether it stands for nothing in rules of a phase: those that look at no call.
    #[must_use]
    pub fn is_empty_in(&self, phase: Phase) -> bool {
        matches!(phase, Phase::OnText | Phase::TurnEnd)
            && matches!(self.name, "target" | "tool" | "param")
    }
}

/// The placeholders of rule messages.
pub static PLACEHOLDERS: &[Placeholder] = &[
    Placeholder {
        name: "target",
        argument: None,
        docs: "What the call is about: its file path, URL, query or pattern.",
        example: "Read '{target}' before editing it.",
    },
    Placeholder {
        name: "tool",
        argument: None,
        docs: "The tool's name without its namespace.",
        example: "Use grep before '{tool}'.",
    },
    Placeholder {
        name: "turn",
        argument: None,
        docs: "The number of the turn; the first is 1.",
        example: "This is turn {turn}.",
    },
    Placeholder {
        name: "tool_calls_this_turn",
        argument: None,
        docs: "How many calls this turn has had.",
        example: "{tool_calls_this_turn} calls in this turn: say what you are doing.",
    },
    Placeholder {
        name: "consecutive_same_tool",
        argument: None,
        docs: "How many calls in a row went to the same tool, the upcoming one included.",
        example: "'{tool}' {consecutive_same_tool} times in a row.",
    },
    Placeholder {
        name: "param",
        argument: Some(Argument::Param),
        docs: "A parameter of the call; values over 100 characters are cut.",
        example: "Back up before running '{param:query}'.",
    },
    Placeholder {
        name: "counter",
        argument: Some(Argument::Counter),
        docs: "The value of a counter.",
        example: "{counter:changes_since_test} changes since the last test run.",
    },
    Placeholder {
        name: "set_count",
        argument: Some(Argument::Set),
        docs: "How many entries a set has.",
        example: "You have read {set_count:read_files} files.",
    },
    Placeholder {
        name: "flag",
        argument: Some(Argument::Flag),
        docs: "Whether a flag is set: `True` or `False`.",
        example: "Backup made: {flag:backup_created}.",
    },
    Placeholder {
        name: "file",
        argument: Some(Argument::Document),
        docs: "The text of a file of the project, else of the user. Its line is left out where there is no text, with a line above it that ends in a colon.",
        example: "Keep to the rules: {file:coding-rules.md}",
    },
    Placeholder {
        name: "ungrounded_claims",
        argument: None,
        docs: "What the text points at and is not there, where the condition `ungrounded_claims` was asked.",
        example: "Look again: {ungrounded_claims}.",
    },
    Placeholder {
        name: "command",
        argument: None,
        docs: "Of a command line, the commands that the first condition `runs` of the rule holds for, or may, which is not negated: no more than three, with `;` between them. The whole line where there are none. Texts over 100 characters are cut.",
        example: "`{command}` destroys what may not come back.",
    },
    Placeholder {
        name: "cause",
        argument: None,
        docs: "What decides: the first file that a condition `reads`, `writes`, `deletes` or `touches` of the rule holds for, or may; where there is none, the command of `{command}`, and the target of a tool that is no shell. Texts over 100 characters are cut.",
        example: "`{cause}` lies outside of the repository.",
    },
];

/// The placeholders of the classifier's directives.
pub static DIRECTIVE_PLACEHOLDERS: &[Placeholder] = &[
    Placeholder {
        name: "complexity",
        argument: None,
        docs: "The complexity that the classifier chose.",
        example: "[DIRECTIVE - {complexity}]",
    },
    Placeholder {
        name: "approach",
        argument: None,
        docs: "The name of the approach that the classifier chose.",
        example: "Follow '{approach}'.",
    },
    Placeholder {
        name: "risk",
        argument: None,
        docs: "The risk that the classifier chose.",
        example: "Risk: {risk}.",
    },
    Placeholder {
        name: "approach_label",
        argument: None,
        docs: "The approach in words for people.",
        example: "Approach: {approach_label}",
    },
];

/// A message, cut into text and placeholders.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Template<'t> {
    /// The parts in order; no two texts follow each other, and none is empty.
    pub parts: Vec<Part<'t>>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq)]
pub enum Part<'t> {
    /// Text, with doubled braces made single.
    Text(Cow<'t, str>),
    /// Something in braces.
    Placeholder {
        /// What stands before the `:`.
        name: Spanned<&'t str>,
        /// What stands behind it.
        argument: Option<Spanned<&'t str>>,
        /// The whole, with its braces.
        range: Range<usize>,
    },
}

/// The placeholder called `name`.
#[must_use]
pub fn find<'p>(placeholders: &'p [Placeholder], name: &str) -> Option<&'p Placeholder> {
    placeholders.iter().find(|placeholder| placeholder.name == name)
}

/// Reads a message that may hold `placeholders`. Every placeholder of the result is one of them and
/// has an argument exactly if it takes one, unless there are problems.
#[must_use]
pub fn parse<'t>(text: &'t str, placeholders: &[Placeholder]) -> (Template<'t>, Vec<Problem>) {
    let (template, mut problems) = split(text);
    let used = template.parts.iter().filter_map(|part| match part {
        Part::Text(_) => None,
        Part::Placeholder { name, argument, range } => Some((name, argument.as_ref(), range)),
    });
    let wrong =
        used.filter_map(|(name, argument, range)| check(placeholders, name, argument, range));
    problems.extend(wrong.take(MAX_PROBLEMS));
    problems.sort_by_key(|problem| problem.range.start);
    problems.truncate(MAX_PROBLEMS);
    (template, problems)
}

/// Reads a message, whatever its placeholders are called. Text without braces is not copied.
#[must_use]
pub fn split(text: &str) -> (Template<'_>, Vec<Problem>) {
    let mut scanner = Scanner { text, template: Template::default(), problems: Vec::new() };
    scanner.run();
    (scanner.template, scanner.problems)
}

/// What is wrong with a placeholder, if anything.
fn check(
    placeholders: &[Placeholder],
    name: &Spanned<&str>,
    argument: Option<&Spanned<&str>>,
    range: &Range<usize>,
) -> Option<Problem> {
    let written = name.value;
    let Some(known) = find(placeholders, written) else {
        return Some(unknown(placeholders, name));
    };
    match (known.argument, argument) {
        (Some(kind), None) => Some(
            Problem::new(range.clone(), format!("`{{{written}}}` lacks {}", kind.describe()))
                .help(kind.missing(written)),
        ),
        (None, Some(superfluous)) => Some(
            Problem::new(superfluous.range.clone(), format!("`{{{written}}}` takes no name"))
                .help(format!("write `{{{written}}}`"))
                .fix(range.clone(), format!("{{{written}}}")),
        ),
        _ => None,
    }
}

fn unknown(placeholders: &[Placeholder], name: &Spanned<&str>) -> Problem {
    let message = format!("unknown placeholder `{}`", excerpt(name.value));
    let problem = Problem::new(name.range.clone(), message);
    match meant(placeholders, name.value) {
        Some(meant) => {
            problem.help(format!("did you mean `{meant}`?")).fix(name.range.clone(), meant)
        }
        None => {
            let names: Vec<_> = placeholders.iter().map(|p| format!("`{}`", p.name)).collect();
            problem.help(format!(
                "the placeholders are {}; double the braces to keep them as text",
                names.join(", ")
            ))
        }
    }
}

/// What placeholders are called elsewhere, and what they are called here.
const ELSEWHERE: &[(&str, &str)] = &[
    ("file", "target"),
    ("path", "target"),
    ("filename", "target"),
    ("file_path", "target"),
    ("tool_name", "tool"),
    ("cmd", "command"),
    ("risk_level", "risk"),
    ("level", "complexity"),
];

/// The placeholder that was meant by a name that none has.
fn meant(placeholders: &[Placeholder], name: &str) -> Option<String> {
    const PARAMS: &[&str] = &["param", "params", "tool_input", "input", "args", "arguments"];
    let elsewhere = ELSEWHERE.iter().find(|(other, _)| *other == name).map(|(_, here)| *here);
    if let Some(here) = elsewhere.filter(|here| find(placeholders, here).is_some()) {
        return Some(here.to_owned());
    }
    if let Some((owner, param)) = name.split_once('.')
        && PARAMS.contains(&owner)
        && find(placeholders, "param").is_some()
    {
        return Some(format!("param:{param}"));
    }
    closest(name, placeholders.iter().map(|known| known.name)).map(str::to_owned)
}

/// Places where a placeholder stands in doubled braces, which make text of it: `{{tool}}`.
#[must_use]
pub fn literal_placeholders(text: &str, placeholders: &[Placeholder]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut from = 0;
    while let Some(start) = text.get(from..).and_then(|rest| rest.find("{{")).map(|at| from + at) {
        let inside = text.get(start + 2..).unwrap_or_default();
        from = start + 2;
        let Some(length) = inside.find("}}").filter(|_| !inside.starts_with('{')) else { continue };
        let written = inside.get(..length).unwrap_or_default();
        let range = start..start + 2 + length + 2;
        problems.extend(literal(placeholders, written.trim(), range));
    }
    problems.truncate(MAX_PROBLEMS);
    problems
}

/// What is odd about something in doubled braces.
fn literal(placeholders: &[Placeholder], written: &str, range: Range<usize>) -> Option<Problem> {
    let (name, argument) = written.split_once(':').map_or((written, None), |(a, b)| (a, Some(b)));
    let message =
        format!("`{{{{{written}}}}}` is the text `{{{written}}}`: nothing is put in its place");
    let problem = Problem::new(range.clone(), message);
    if let Some(("prompt" | "behavior" | "secret", _)) = name.split_once('.') {
        let help =
            "references are not followed in messages; `{file:coding-rules.md}` quotes a document";
        return Some(problem.help(help));
    }
    let is_whole = |known: &Placeholder| known.argument.is_some() == argument.is_some();
    let instead = match find(placeholders, name).filter(|known| is_whole(known)) {
        Some(_) => written.to_owned(),
        None => {
            let (_, here) = ELSEWHERE.iter().find(|(other, _)| *other == written)?;
            find(placeholders, here)?.name.to_owned()
        }
    };
    let instead = format!("{{{instead}}}");
    Some(problem.help(format!("write `{instead}`, with single braces")).fix(range, instead))
}

struct Scanner<'t> {
    text: &'t str,
    template: Template<'t>,
    problems: Vec<Problem>,
}

impl<'t> Scanner<'t> {
    fn run(&mut self) {
        let mut at = 0;
        while let Some(offset) = self.rest(at).find(['{', '}']) {
            let brace = at + offset;
            let rest = self.rest(brace);
            if rest.starts_with("{{") || rest.starts_with("}}") {
                self.push_text(at..brace + 1);
                at = brace + 2;
            } else if rest.starts_with('}') {
                self.push_text(at..brace + 1);
                at = brace + 1;
            } else {
                self.push_text(at..brace);
                at = self.placeholder(brace);
            }
        }
        self.push_text(at..self.text.len());
    }

    fn rest(&self, at: usize) -> &'t str {
        self.text.get(at..).unwrap_or_default()
    }

    fn push_text(&mut self, range: Range<usize>) {
        let text = self.text.get(range).unwrap_or_default();
        match self.template.parts.last_mut() {
            _ if text.is_empty() => {}
            Some(Part::Text(before)) => before.to_mut().push_str(text),
            _ => self.template.parts.push(Part::Text(Cow::Borrowed(text))),
        }
    }

    /// Reads what a single `{` at `brace` opens, and gives the place behind it. Where it opens
    /// nothing, the brace is text.
    fn placeholder(&mut self, brace: usize) -> usize {
        let body = self.rest(brace + 1);
        let end = body.find(['{', '}', '\n', '\r']);
        let closed = end.filter(|end| body.as_bytes().get(*end) == Some(&b'}'));
        let inner = body.get(..closed.or(end).unwrap_or(body.len())).unwrap_or_default();
        let problem = match closed {
            Some(_) => match self.inside(brace, inner) {
                Ok(part) => {
                    self.template.parts.push(part);
                    return brace + 2 + inner.len();
                }
                Err(problem) => problem,
            },
            None => not_closed(brace, inner),
        };
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
        self.push_text(brace..brace + 1);
        brace + 1
    }

    /// The placeholder whose braces hold `inner`.
    fn inside(&self, brace: usize, inner: &'t str) -> Result<Part<'t>, Problem> {
        let range = brace..brace + inner.len() + 2;
        let (name, argument) = match inner.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (inner, None),
        };
        let tidy = || match argument {
            Some(argument) => format!("{{{}:{}}}", name.trim(), argument.trim()),
            None => format!("{{{}}}", name.trim()),
        };
        if let Some(problem) = called(&range, inner) {
            return Err(problem);
        }
        if !is_name(name.trim()) || argument.is_some_and(|a| a.trim().starts_with(['"', '\''])) {
            return Err(no_placeholder(brace, "this `{` opens no placeholder"));
        }
        let padded = |text: &str| text != text.trim();
        if padded(name) || argument.is_some_and(padded) {
            let problem = Problem::new(range.clone(), "a placeholder has no blanks in its braces");
            return Err(problem.help(format!("write `{}`", excerpt(&tidy()))).fix(range, tidy()));
        }
        let start = brace + 1;
        if argument == Some("") {
            let name = excerpt(name);
            let message = format!("nothing follows the colon of `{{{name}:}}`");
            let help = format!("write a name there: `{{{name}:name}}`");
            return Err(Problem::new(range, message).help(help));
        }
        let argument = argument.map(|argument| {
            let from = start + name.len() + 1;
            Spanned::new(argument, from..from + argument.len())
        });
        Ok(Part::Placeholder {
            name: Spanned::new(name, start..start + name.len()),
            argument,
            range,
        })
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

/// A placeholder whose argument stands in parentheses, as in an expression.
fn called(range: &Range<usize>, inner: &str) -> Option<Problem> {
    let (name, argument) = inner.strip_suffix(')')?.split_once('(')?;
    let known = find(PLACEHOLDERS, name.trim()).filter(|known| known.argument.is_some())?;
    let argument = argument.trim().trim_matches(['"', '\'']);
    let instead = format!("{{{}:{argument}}}", known.name);
    let message = "a placeholder has its name behind a colon";
    let help = format!("write `{}`", excerpt(&instead));
    is_name(argument)
        .then(|| Problem::new(range.clone(), message).help(help).fix(range.clone(), instead))
}

fn not_closed(brace: usize, inner: &str) -> Problem {
    if is_name(inner.split(':').next().unwrap_or_default()) {
        let range = brace..brace + 1 + inner.len();
        let message = "this placeholder has no closing `}` on its line";
        let help = "add `}` where it ends, or write `{{` for a literal brace";
        return Problem::new(range, message).help(help);
    }
    no_placeholder(brace, "this `{` opens no placeholder")
}

fn no_placeholder(brace: usize, message: &str) -> Problem {
    Problem::new(brace..brace + 1, message)
        .help("write `{{` for a literal brace")
        .fix(brace..brace + 1, "{{")
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    fn compact(template: &Template) -> String {
        let part = |part: &Part| match part {
            Part::Text(text) => format!("<{text}>"),
            Part::Placeholder { name, argument, range } => {
                let mut out = format!("{}@{:?}", name.value, name.range);
                if let Some(argument) = argument {
                    write!(out, " {}@{:?}", argument.value, argument.range).unwrap();
                }
                format!("[{out} {range:?}]")
            }
        };
        template.parts.iter().map(part).collect()
    }

    /// The parts of a message without problems.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let (template, problems) = parse(text, PLACEHOLDERS);
        assert_eq!(compact(&template), expected, "{text}");
        assert_eq!(problems, [], "{text}");
    }

    /// The problems of a message, each as `range: message (help) => fixed`.
    #[track_caller]
    fn check_problems(text: &str, expected: &[&str]) {
        let line = |problem: &Problem| {
            let mut line = format!("{:?}: {}", problem.range, problem.message);
            if let Some(help) = &problem.help {
                write!(line, " ({help})").unwrap();
            }
            if let Some((range, new)) = &problem.fix {
                let mut mended = text.to_owned();
                mended.replace_range(range.clone(), new);
                write!(line, " => {mended}").unwrap();
            }
            line
        };
        let (_, problems) = parse(text, PLACEHOLDERS);
        assert_eq!(problems.iter().map(line).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn text_without_braces_is_borrowed() {
        check("", "");
        check("Read it first.", "<Read it first.>");
        let (template, _) = split("Read it first.");
        assert!(matches!(template.parts[..], [Part::Text(Cow::Borrowed(_))]));
    }

    #[test]
    fn placeholders_stand_where_they_are_written() {
        check("é {target}!", "<é >[target@4..10 3..11]<!>");
        check("{tool}{turn}", "[tool@1..5 0..6][turn@7..11 6..12]");
        check("{param:file path}", "[param@1..6 file path@7..16 0..17]");
        check("{counter:a:b}", "[counter@1..8 a:b@9..12 0..13]");
    }

    #[test]
    fn doubled_and_lone_closing_braces_are_text() {
        check("{{target}}", "<{target}>");
        check("a {{ b }} c } d", "<a { b } c } d>");
        check("{{{tool}}}", "<{>[tool@3..7 2..8]<}>");
        check("}}}", "<}}>");
    }

    #[test]
    fn a_brace_that_opens_nothing_is_reported_and_kept_as_text() {
        let double = "write `{{` for a literal brace";
        for text in [
            "{\"a\": 1}",
            "{ }",
            "{}",
            "{3}",
            "a { b",
            "{",
            "{\ntool}",
            "{two words}",
            "{a: \"b\"}",
        ] {
            let at = text.find('{').unwrap();
            let mended = text.replacen('{', "{{", 1);
            let expected =
                format!("{at}..{}: this `{{` opens no placeholder ({double}) => {mended}", at + 1);
            check_problems(text, &[&expected]);
            assert_eq!(compact(&split(text).0), format!("<{}>", text.replace("}}", "}")));
        }
        check_problems(
            "{target and {tool:\nx",
            &[
                "0..1: this `{` opens no placeholder (write `{{` for a literal brace) => {{target and {tool:\nx",
                "12..18: this placeholder has no closing `}` on its line (add `}` where it ends, or write `{{` for a literal brace)",
            ],
        );
    }

    #[test]
    fn blanks_and_missing_names_are_reported() {
        check_problems(
            "{ target } and {counter: reads}",
            &[
                "0..10: a placeholder has no blanks in its braces (write `{target}`) => {target} and {counter: reads}",
                "15..31: a placeholder has no blanks in its braces (write `{counter:reads}`) => { target } and {counter:reads}",
            ],
        );
        check_problems(
            "{param:} {flag}",
            &[
                "0..8: nothing follows the colon of `{param:}` (write a name there: `{param:name}`)",
                "9..15: `{flag}` lacks a flag (name a flag behind a colon: `{flag:name}`)",
            ],
        );
        check_problems("{tool:x}", &["6..7: `{tool}` takes no name (write `{tool}`) => {tool}"]);
    }

    #[test]
    fn unknown_placeholders_get_a_suggestion() {
        check_problems(
            "{targt} {parm:x}",
            &[
                "1..6: unknown placeholder `targt` (did you mean `target`?) => {target} {parm:x}",
                "9..13: unknown placeholder `parm` (did you mean `param`?) => {targt} {param:x}",
            ],
        );
        let (_, problems) = parse("{something} {risk}", DIRECTIVE_PLACEHOLDERS);
        assert_eq!(problems.len(), 1);
        assert_eq!(
            problems[0].help.as_deref(),
            Some(
                "the placeholders are `complexity`, `approach`, `risk`, `approach_label`; double the braces to keep them as text"
            )
        );
    }

    #[test]
    fn every_example_uses_its_placeholder() {
        for list in [PLACEHOLDERS, DIRECTIVE_PLACEHOLDERS] {
            for placeholder in list {
                let (template, problems) = parse(placeholder.example, list);
                assert_eq!(problems, [], "{}", placeholder.name);
                let uses = |part: &Part| matches!(part, Part::Placeholder { name, .. } if name.value == placeholder.name);
                assert!(template.parts.iter().any(uses), "{}", placeholder.name);
                let same = list.iter().filter(|other| other.name == placeholder.name);
                assert_eq!(same.count(), 1, "{}", placeholder.name);
            }
        }
    }

    #[test]
    fn many_problems_are_cut_short() {
        for part in ["{", "{a}", "{a", "{}", "{a\n", "{ a }", "{param:"] {
            let text = part.repeat(64 * 1024 / part.len());
            let (_, problems) = parse(&text, PLACEHOLDERS);
            // Doubled braces are text.
            let expected = if part == "{" { 0 } else { MAX_PROBLEMS };
            assert_eq!(problems.len(), expected, "{part}");
            assert!(problems.iter().all(|p| p.message.len() < 200), "{part}");
        }
        let (_, problems) = parse(&format!("{{{}}}", "a".repeat(64 * 1024)), PLACEHOLDERS);
        assert!(problems[0].message.len() < 200);
    }
}
