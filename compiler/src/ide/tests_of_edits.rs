//! Whatever is typed, what is said after an edit is what is said of the same texts by somebody who sees them for the
//! first time.

use std::fmt::Write as _;
use std::ops::Range;

use std::sync::Arc;

use super::check::tests::RENEWED;
use super::nearby::cursor_at;
use super::{Checks, Project, RuleFile, Store, complete, hover};
use crate::problem::{Place, Problem};
use crate::provider::{MemoryFiles, WithLibrary};
use crate::syntax::cursor_in_yaml;

fn library(name: &str) -> Option<&'static str> {
    match name {
        "rules.yaml" => Some(
            "rule_definitions:\n  - id: read_first\n    trigger: edit\n    action: block\n    condition: { target_not_in_set: read_files }\n    \
             message: x\nstate_tracking:\n  sets:\n    read_files: { add_on: [read] }\n",
        ),
        "programs.yaml" => Some("programs:\n  git: { subcommands: [push] }\n"),
        "files.yaml" => Some("programs: {}\n"),
        "classes.yaml" => Some("command_classes: {}\n"),
        "dev.yaml" => Some("name: dev\nrules:\n  read_first: true\n"),
        _ => None,
    }
}

/// Files, of which the first is edited.
type Files = Vec<(&'static str, String)>;

fn check(checks: &mut Checks, files: &Files) -> String {
    let project = MemoryFiles::new(files.iter().map(|(name, text)| (*name, text.clone())));
    let provider = WithLibrary { library, presets: &["dev"], project };
    let names: Vec<String> = files.iter().map(|(name, _)| (*name).to_owned()).collect();
    let checked = checks.folder(&provider, "", &names);
    let mut told = format!("{:?}\n", checked.asked);
    for (name, problems) in &checked.problems {
        writeln!(told, "{name}:").expect("a text takes everything");
        problems.iter().for_each(|problem| tell(problem, files, &mut told));
    }
    told
}

fn tell(problem: &Problem, files: &Files, told: &mut String) {
    let place = |place: &Place| {
        let source = &place.source;
        let own = files.iter().find(|(name, _)| *name == source.name);
        let own = own.map(|(_, text)| text.trim_start_matches('\u{FEFF}'));
        assert!(own.is_none_or(|own| *own == source.text), "an old text of {}", source.name);
        let start = source.position(place.start);
        format!("{}:{}:{}-{}", source.name, start.line, start.column, place.end)
    };
    let Problem { name, severity, message, path, help, .. } = problem;
    writeln!(told, "  {} {path} {severity:?}[{name}] {message} {help:?}", place(&problem.place))
        .expect("a text takes everything");
    for (at, label) in &problem.labels {
        writeln!(told, "    {} {label}", place(at)).expect("a text takes everything");
    }
    for fix in &problem.fixes {
        let edits: Vec<_> = fix.edits.iter().map(|(at, text)| (place(at), text)).collect();
        writeln!(told, "    {} {} {edits:?}", fix.message, fix.is_safe)
            .expect("a text takes everything");
    }
}

/// A generator that gives the same numbers every time.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }

    fn place(&mut self, text: &str) -> usize {
        text.floor_char_boundary(self.below(text.len() + 1))
    }

    fn of<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }
}

/// What is typed, besides letters: what has a meaning in YAML, in conditions and in messages, names that are declared
/// and some that are not.
const TYPED: &[&str] = &[
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "  ",
    "    ",
    ": ",
    ":",
    "- ",
    "-",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "#",
    " #",
    "&a ",
    "*a",
    "<<: *a\n",
    "|",
    ">",
    "---\n",
    "...\n",
    "\n---\n",
    "\n...\n",
    "%",
    "?",
    ",",
    "ü",
    "😀",
    "\u{FEFF}",
    "\0",
    "seen",
    "hits",
    "armed",
    "other",
    "read_files",
    "read_first",
    "first",
    "rule_3",
    "rule_33",
    "id: ",
    "\n    id: x",
    "message: ",
    "condition: ",
    "trigger: bash\n",
    "action: ask",
    "when: on_text",
    "{target}",
    "{set_count:seen}",
    "{counter:hits}",
    "{flag:armed}",
    "true",
    "not ",
    " and ",
    " or ",
    "matches \"a+",
    "runs \"git push\"",
    "x(",
    "\n  - id: rule_3\n    trigger: bash\n    message: y\n",
    "\n  - ",
    "\n- id: left\n",
    "\nprofile: dev\n",
    "rules:\n",
    "rule_definitions:\n",
    "git",
    "npm",
    "edti",
    "when_undecided: ask\n",
    "touches(writes, *.rs)",
    "k",
    "e",
    "1",
];

/// Some of the lines of a text.
fn some_lines(random: &mut Random, text: &str) -> Range<usize> {
    let starts: Vec<usize> =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let first = random.below(starts.len());
    let last = (first + 1 + random.below(6)).min(starts.len());
    starts[first]..starts.get(last).copied().unwrap_or(text.len())
}

fn edit(random: &mut Random, text: &mut String) {
    let at = random.place(text);
    match random.below(10) {
        0..=4 => text.insert_str(at, random.of(TYPED)),
        5 => text.insert(at, char::from(b'a' + random.below(26) as u8)),
        6 => text.replace_range(at..text.ceil_char_boundary(at + 1), ""),
        7 => {
            let lines = some_lines(random, text);
            let copy = text[lines.clone()].to_owned();
            text.insert_str(lines.start, &copy);
        }
        8 => {
            let lines = some_lines(random, text);
            text.replace_range(lines, "");
        }
        _ => {
            let behind = text.ceil_char_boundary(at + random.below(12));
            text.replace_range(at..behind, random.of(TYPED));
        }
    }
}

fn rules(count: usize, indent: &str) -> String {
    let conditions = [
        "target not in seen",
        "counter(hits) >= 3 and param(command) matches \"x+\"",
        "{ any: [{ target_not_in_set: seen }, { runs: \"git push\" }] }",
        "flag(armed) and runs \"rm -rf /tmp\"",
        "param(command) matches \".*\"",
        "target matches \"**/*.rs\"",
    ];
    let messages = [
        "\"Read `{target}` first: {set_count:seen}.\"",
        "plain {counter:hits}",
        "|\n    several\n      lines {flag:armed}\n\n    of text",
        ">-\n    folded\n    text",
        "'single ''quoted'''",
    ];
    let mut text = String::new();
    for number in 0..count {
        let (condition, message) =
            (conditions[number % conditions.len()], messages[number % messages.len()]);
        let rule = format!(
            "- id: rule_{number}\n  # about {number}\n  trigger: [edit, bash]\n  action: warn\n  condition: {condition}\n  message: {message}\n"
        );
        for line in rule.lines() {
            text.push_str(if line.is_empty() { "" } else { indent });
            text.push_str(line);
            text.push('\n');
        }
        if number % 3 == 1 {
            text.push('\n');
        }
    }
    text
}

const STATE: &str = "state_tracking:\n  sets:\n    seen: { add_on: [read] }\n  counters:\n    hits: { increment_on: [bash] }\n  flags:\n    armed: { set_on: [edit], unset_on: [read] }\n";

fn documents() -> Vec<Files> {
    let one = |text: String| vec![("behavior.yaml", text)];
    let crlf = |text: &str| text.replace('\n', "\r\n");
    let policy =
        "approval_mode = \"ask\"\n\n[[rules]]\naction = \"deny\"\npattern = \"bash(git push:*)\"\n";
    let list = |count, indent| format!("rule_definitions:\n{}", rules(count, indent));
    vec![
        one(format!("{STATE}{}", list(7, "  "))),
        one(format!("{}{STATE}", list(7, "  "))),
        one(format!("# a config\nprofile: dev\n{}\n{STATE}# the end", list(6, ""))),
        one(crlf(&format!("{STATE}{}", list(5, "  ")))),
        one(format!("{STATE}rules: {{ read_first: true, rule_3: false }}\n{}", list(6, "      "))),
        one(format!("{STATE}{}{}", list(4, "  "), rules(4, "  "))),
        one(format!("{STATE}rule_definitions:\n  - &a\n    id: x\n    message: y\n{}  - *a\n", rules(4, "  "))),
        one(format!(
            "{STATE}exceptions:\n  - {{ rule: rule_2, when: is_subagent, reason: so }}\n{}",
            list(5, "  ")
        )),
        one("{\"rule_definitions\": [{\"id\": \"a\", \"trigger\": \"bash\", \"message\": \"b\"}]}\n".to_owned()),
        vec![
            ("behavior/mine.yaml", format!("name: mine\n{STATE}{}", list(5, "  "))),
            (
                "behavior.yaml",
                "profile: mine\nrules: { rule_1: false, rule_33: true }\nrule_definitions:\n  - id: own\n    condition: target in seen\n    message: m\n"
                    .to_owned(),
            ),
        ],
        vec![
            ("behavior.yaml", format!("profile: mine\n{}", list(5, "  "))),
            (
                "behavior/mine.yaml",
                format!("name: mine\n{STATE}rule_definitions:\n  - id: rule_33\n    message: n\n"),
            ),
            ("behavior/policy.toml", policy.to_owned()),
        ],
    ]
}

/// Reads a file on after an edit, and answers questions about it as about one that is seen for the first time.
fn read_on(random: &mut Random, before: Arc<RuleFile>, files: &Files) -> Arc<RuleFile> {
    let (name, text) = &files[0];
    // Names are read where somebody asked for them.
    if random.below(3) > 0 {
        let _ = before.index();
    }
    let kept = (random.below(3) == 0).then(|| Arc::clone(&before));
    let known = kept.as_ref().map(|file| format!("{:?}{:?}", file.root, file.index()));
    let file = Arc::new(RuleFile::edited(before, text));
    if let Some(kept) = kept {
        let now = format!("{:?}{:?}", kept.root, kept.index());
        assert_eq!(Some(now), known, "who holds the file as it was sees no edit");
    }
    let fresh = RuleFile::new(*name, text.as_str());
    assert_eq!(file.root, fresh.root, "{text}");
    assert_eq!(file.comments, fresh.comments, "{text}");
    assert_eq!(file.index().occurrences, fresh.index().occurrences, "{text}");
    assert_eq!(file.kind, fresh.kind, "{text}");
    assert_eq!(file.source().position(u32::MAX), fresh.source().position(u32::MAX), "{text}");
    let offset = random.place(text) as u32;
    let project = MemoryFiles::new(files.iter().map(|(name, text)| (*name, text.clone())));
    let provider = WithLibrary { library, presets: &["dev"], project };
    let project = Project { provider: &provider, store: &Store::default() };
    let at = offset as usize;
    assert_eq!(cursor_at(&file, at), cursor_in_yaml(text, at), "{}‸{}", &text[..at], &text[at..]);
    assert_eq!(complete(&file, project, offset), complete(&fresh, project, offset), "{text}");
    assert_eq!(hover(&file, project, offset), hover(&fresh, project, offset), "{text}");
    file
}

/// Types into each document; after each edit, everything has to be as if it were seen for the first time. Returns how
/// often nothing but some rules was looked at.
fn type_on(edits: usize, seed: u64) -> usize {
    let mut random = Random(seed);
    let mut renewed = 0;
    for files in documents() {
        let mut checks = Checks::default();
        let mut now = files.clone();
        check(&mut checks, &now);
        let mut file = Arc::new(RuleFile::new(now[0].0, now[0].1.as_str()));
        for _ in 0..edits {
            let before = now[0].1.clone();
            edit(&mut random, &mut now[0].1);
            let told = check(&mut checks, &now);
            let fresh = check(&mut Checks::default(), &now);
            assert_eq!(told, fresh, "before:\n{before}\nafter:\n{}", now[0].1);
            file = read_on(&mut random, file, &now);
            let is_hopeless = now[0].1.len() > 3 * files[0].1.len() || fresh.contains("[syntax]");
            match random.below(10) {
                0 => now = files.clone(),
                1..=7 if is_hopeless => now[0].1 = before,
                _ => {}
            }
        }
        let of_this = RENEWED.with(|count| count.replace(0));
        println!("{}: {of_this} of {edits}", files[0].1.lines().next().unwrap_or_default());
        renewed += of_this;
    }
    renewed
}

#[test]
fn what_is_said_after_an_edit_is_what_is_said_of_a_file_that_is_seen_first() {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse::<usize>().ok());
    let (edits, seed) = (number("EDITS").unwrap_or(120), number("SEED").unwrap_or(0x9E37_79B9));
    let renewed = type_on(edits, seed as u64);
    assert!(renewed > edits, "edits of rules concern little else: {renewed}");
}
