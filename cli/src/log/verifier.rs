//! Follows the chain through the files of an audit log, and says where it is broken and how. Knows bytes; what is
//! found where on disk, and how it is shown, is the caller's.

use std::collections::HashSet;

use crate::live::audit::chain::{self, Code, Line, Link, Place};
use crate::live::audit::{Head, KEPT};
use crate::live::secret_key::SecretKey;

/// So many findings are kept; the others are counted.
const MAX_FINDINGS: usize = 100;

/// A file of the log.
#[derive(Debug)]
pub struct Text {
    /// What people call it.
    pub name: String,
    /// How often another one was begun since; `None` where the files are not those of the state directory.
    pub age: Option<u32>,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// What is known of the head.
#[derive(Clone, Copy, Debug)]
pub enum KnownHead {
    /// It says this.
    Says(Head),
    /// It is not there, or not as it was written.
    Lost,
    /// The files are not those that it is about.
    NotAsked,
}

/// A place where the chain is broken.
#[derive(Debug, PartialEq, Eq)]
pub struct Finding {
    /// The file, among those that were given.
    pub file: usize,
    /// The line, from 1; 0 where it is about the whole file.
    pub line: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// What is wrong with a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The line, or its code, is not as it was written.
    Edited,
    /// Numbered lines are missing before this one.
    Removed(u64, u64),
    /// The same in another file: a whole file is missing, or the beginning of this one.
    FileMissing(u64, u64),
    /// The line stood in another place.
    Moved,
    /// The line is there twice.
    Repeated,
    /// The line was not written in its turn, nor apart: it has no code of ours.
    Inserted,
    /// The numbered lines at the end are missing.
    Cut(u64, u64),
    /// The last line is not the one that the head says.
    OtherEnd,
    /// The codes are made with another key.
    OtherKey(String),
    /// A new chain begins, and what the end of the one before was cannot be told.
    BegunAnew,
    /// The head is lost, so that what the end was cannot be told.
    HeadLost,
}

impl Problem {
    /// Names it in a word.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Edited => "edited",
            Self::Removed(..) => "removed",
            Self::FileMissing(..) => "file-missing",
            Self::Moved => "moved",
            Self::Repeated => "repeated",
            Self::Inserted => "inserted",
            Self::Cut(..) => "cut",
            Self::OtherEnd => "other-end",
            Self::OtherKey(_) => "other-key",
            Self::BegunAnew => "begun-anew",
            Self::HeadLost => "head-lost",
        }
    }

    /// Says it, for people.
    #[must_use]
    pub fn message(&self) -> String {
        match self {
            Self::Edited => "this line, or what stands before it, is not as it was written".to_owned(),
            Self::Removed(from, to) => format!("{} missing before this one", numbers(*from, *to)),
            Self::FileMissing(from, to) => {
                format!("a file of the log, or the beginning of this one, is missing, with {}", without_verb(*from, *to))
            }
            Self::Moved => "this line is not where it was written".to_owned(),
            Self::Repeated => "this line was written once, and is here again".to_owned(),
            Self::Inserted => "this line has no code: somebody else wrote it, or a version of `behavior` that \
                               knew no chain, or one that had no key"
                .to_owned(),
            Self::Cut(from, to) => format!("{} missing at the end", numbers(*from, *to)),
            Self::OtherEnd => "the last line is not the one that `audit.head` says".to_owned(),
            Self::OtherKey(name) => {
                format!("the codes from here on are made with another key, `{name}`: they cannot be verified")
            }
            Self::BegunAnew => "a new chain begins here, since `audit.head` was lost: lines may have been removed from \
                                the end of the one before"
                .to_owned(),
            Self::HeadLost => "`audit.head` is missing or damaged: lines may have been removed from the end".to_owned(),
        }
    }
}

fn numbers(from: u64, to: u64) -> String {
    let verb = if from == to { "is" } else { "are" };
    format!("{} {verb}", without_verb(from, to))
}

fn without_verb(from: u64, to: u64) -> String {
    if from == to { format!("line number {from}") } else { format!("lines number {from} to {to}") }
}

/// What was found of a log.
#[derive(Debug, Default)]
pub struct Report {
    /// How many lines have their place in the chain, and are as they were written.
    pub genuine: u64,
    /// The first and last number.
    pub first_and_last: Option<(u64, u64)>,
    /// How many lines were written apart.
    pub apart: u64,
    /// How many lines are older than the chain.
    pub unchained: u64,
    /// Lines that were cut when their writer died: the file, among those that were given, and the line.
    pub torn: Vec<(usize, usize)>,
    /// Where the chain is broken, the first place first.
    pub findings: Vec<Finding>,
    /// How many more places there are.
    pub more: u64,
}

/// Verifies the files of a log, the oldest first.
#[must_use]
pub fn verify(texts: &[Text], head: KnownHead, key: &SecretKey) -> Report {
    let mut verifier = Verifier {
        key,
        key_name: chain::name_of(key),
        last: None,
        is_of_other_key: false,
        all: HashSet::new(),
        seen: HashSet::new(),
        apart: HashSet::new(),
        report: Report::default(),
    };
    let files: Vec<Vec<Found<'_>>> = texts.iter().map(|text| lines(&text.bytes)).collect();
    verifier.all =
        files.iter().flatten().filter_map(|found| Some(found.link()?.place.number)).collect();
    for (file, (text, lines)) in texts.iter().zip(&files).enumerate() {
        verifier.file(file, text, lines);
    }
    verifier.end(texts, files.last().map_or(0, Vec::len), head);
    verifier.report
}

/// A line in its file.
struct Found<'a> {
    /// From 1.
    number: usize,
    start: usize,
    end: usize,
    line: Line<'a>,
    /// Whether its line break is there.
    is_whole: bool,
}

impl<'a> Found<'a> {
    fn link(&self) -> Option<&Link<'a>> {
        match &self.line {
            Line::Numbered(link) if self.is_whole => Some(link),
            _ => None,
        }
    }
}

fn lines(bytes: &[u8]) -> Vec<Found<'_>> {
    let mut start = 0;
    let mut found = Vec::new();
    for (number, line) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
        let whole = line.strip_suffix(b"\n");
        let end = start + line.len();
        let is_whole = whole.is_some();
        found.push(Found {
            number,
            start,
            end,
            line: chain::read(whole.unwrap_or(line)),
            is_whole,
        });
        start = end;
    }
    found
}

struct Verifier<'k> {
    key: &'k SecretKey,
    key_name: String,
    /// The last numbered line.
    last: Option<Place>,
    /// Whether the lines that come now cannot be verified.
    is_of_other_key: bool,
    /// The numbers that there are, and those that were passed.
    all: HashSet<u64>,
    seen: HashSet<u64>,
    /// The codes of lines that were written apart.
    apart: HashSet<Code>,
    report: Report,
}

impl Verifier<'_> {
    fn find(&mut self, file: usize, line: usize, problem: Problem) {
        if self.report.findings.len() < MAX_FINDINGS {
            self.report.findings.push(Finding { file, line, problem });
        } else {
            self.report.more += 1;
        }
    }

    fn file(&mut self, file: usize, text: &Text, lines: &[Found<'_>]) {
        let is_chained = lines.iter().any(|found| found.link().is_some());
        if !is_chained && self.last.is_none() {
            // Older than the chain, but for what hooks of now wrote apart.
            let is_apart = |found: &&Found<'_>| matches!(found.line, Line::Apart { .. });
            let (apart, old): (Vec<&Found<'_>>, Vec<&Found<'_>>) = lines.iter().partition(is_apart);
            self.report.unchained += old.len() as u64;
            self.between(file, &apart, 0, 0);
            return;
        }
        let mut pending = Vec::new();
        let mut end = 0;
        for found in lines {
            let Some(link) = found.link() else {
                pending.push(found);
                continue;
            };
            let between = text.bytes.get(end..found.start).unwrap_or_default();
            let is_good = self.between(file, &pending, end, link.over);
            self.numbered(file, text, found.number, link, between, is_good);
            pending.clear();
            end = found.end;
        }
        self.between(file, &pending, end, 0);
    }

    /// Looks at lines without a number, which stand behind `start`; the code of the next numbered line covers the
    /// first `over` bytes of them. Says whether all is well with them.
    fn between(&mut self, file: usize, pending: &[&Found<'_>], start: usize, over: usize) -> bool {
        let before = self.report.findings.len();
        let mut is_followed = false;
        let mut problems = Vec::new();
        let mut torn = Vec::new();
        for found in pending.iter().rev() {
            let is_covered = found.end.saturating_sub(start) <= over;
            match &found.line {
                Line::Apart { sealed, code } if found.is_whole => {
                    let is_genuine = chain::is_genuine_apart(self.key, sealed, code);
                    is_followed |= is_genuine;
                    if !is_genuine && !self.is_of_other_key {
                        problems.push((found.number, Problem::Edited));
                    } else if !self.apart.insert(*code) {
                        problems.push((found.number, Problem::Repeated));
                    } else {
                        self.report.apart += 1;
                    }
                }
                // Cut when its writer died. Whoever wrote next ended it.
                Line::Torn if is_covered || is_followed || !found.is_whole => {
                    torn.push((file, found.number))
                }
                // Whole but for the line break, which is not there yet, or nobody's.
                _ if !found.is_whole => torn.push((file, found.number)),
                _ => problems.push((found.number, Problem::Inserted)),
            }
        }
        torn.reverse();
        self.report.torn.append(&mut torn);
        for (line, problem) in problems.into_iter().rev() {
            self.find(file, line, problem);
        }
        self.report.findings.len() == before && self.report.more == 0
    }

    /// Looks at a numbered line. `is_good` says whether all is well with what stands between it and the one before.
    fn numbered(
        &mut self,
        file: usize,
        text: &Text,
        line: usize,
        link: &Link<'_>,
        between: &[u8],
        is_good: bool,
    ) {
        let number = link.place.number;
        let (first, _) = self.report.first_and_last.unwrap_or((number, number));
        self.report.first_and_last = Some((first, number));
        if let Some(name) = &link.key {
            self.is_of_other_key = *name != self.key_name;
            if self.is_of_other_key {
                self.find(file, line, Problem::OtherKey(name.clone()));
            }
        }
        let is_repeated = !self.seen.insert(number);
        let base = match (self.last, link.previous) {
            (Some(_), Some(_)) if number == 1 => {
                self.find(file, line, Problem::BegunAnew);
                self.seen.clear();
                Some(Code::default())
            }
            (Some(last), _) if number <= last.number => {
                let problem = if is_repeated { Problem::Repeated } else { Problem::Moved };
                self.find(file, line, problem);
                return;
            }
            (Some(last), previous) if number > last.number + 1 => {
                let expected = last.number + 1;
                let problem = match previous {
                    _ if self.all.contains(&expected) => Problem::Moved,
                    Some(_) => Problem::FileMissing(expected, number - 1),
                    None => Problem::Removed(expected, number - 1),
                };
                self.find(file, line, problem);
                previous
            }
            (Some(last), previous) => {
                if previous.is_some_and(|code| code != last.code) {
                    self.find(file, line, Problem::Edited);
                }
                Some(last.code)
            }
            (None, previous) => {
                // The oldest files go, and with them the beginning of the chain.
                let may_begin_later = previous.is_some() && text.age.is_none_or(|age| age >= KEPT);
                if number > 1 && !may_begin_later {
                    self.find(file, line, Problem::FileMissing(1, number - 1));
                }
                previous.or_else(|| (number == 1).then(Code::default))
            }
        };
        self.last = Some(link.place);
        let (Some(base), false) = (base, self.is_of_other_key) else { return };
        let covered = between.get(..link.over);
        if covered.is_some_and(|covered| link.is_genuine(self.key, &base, covered)) {
            self.report.genuine += 1;
        } else if is_good {
            self.find(file, line, Problem::Edited);
        }
    }

    /// Holds the end of the last file against the head.
    fn end(&mut self, texts: &[Text], lines: usize, head: KnownHead) {
        let last = self.last.unwrap_or_default();
        let problem = match head {
            KnownHead::NotAsked => return,
            KnownHead::Lost if self.last.is_none() => return,
            KnownHead::Lost => Problem::HeadLost,
            KnownHead::Says(head) if head.last.number > last.number => {
                Problem::Cut(last.number + 1, head.last.number)
            }
            KnownHead::Says(head) if head.last.number == last.number && head.last != last => {
                Problem::OtherEnd
            }
            // A head that is behind is that of a hook that died before it wrote it.
            KnownHead::Says(_) => return,
        };
        self.find(texts.len().saturating_sub(1), lines, problem);
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::live::audit::{self, Log};
    use crate::live::store::create_private;

    /// Numbers that look random, the same in each run.
    struct Random(u64);

    impl Random {
        fn below(&mut self, limit: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 % limit.max(1) as u64) as usize
        }
    }

    /// A log in a directory of its own.
    struct Written {
        directory: PathBuf,
        key: SecretKey,
    }

    impl Written {
        fn new(name: &str) -> Self {
            let name = format!("behavior-chain-{name}-{}", std::process::id());
            let directory = std::env::temp_dir().join(name);
            let _ = fs::remove_dir_all(&directory);
            create_private(&directory).unwrap();
            let key = SecretKey::of_user(&directory).unwrap();
            Self { directory, key }
        }

        fn path(&self) -> PathBuf {
            self.directory.join(audit::FILE)
        }

        fn write(&self, lines: usize) {
            let log = Log::beside(Some(&self.directory), Some(self.key.clone()));
            for line in 0..lines {
                log.failure("pi", Some("s"), &format!("line {line} with text"));
            }
        }

        /// Begins another file, as when the log is long.
        fn begin_another(&self) {
            for age in (1..KEPT).rev() {
                let _ = fs::rename(self.aside(age), self.aside(age + 1));
            }
            fs::rename(self.path(), self.aside(1)).unwrap();
        }

        fn aside(&self, age: u32) -> PathBuf {
            self.directory.join(format!("audit.{age}.jsonl"))
        }

        fn texts(&self) -> Vec<Text> {
            let files = (0..=KEPT).rev().zip(audit::files(&self.directory));
            let text = |(age, path): (u32, PathBuf)| {
                let name = path.file_name()?.to_string_lossy().into_owned();
                Some(Text { name, age: Some(age), bytes: fs::read(path).ok()? })
            };
            files.filter_map(text).collect()
        }

        fn head(&self) -> KnownHead {
            let path = audit::head(&self.path());
            let held = audit::look(&path, Some(&self.key), std::time::Duration::ZERO).unwrap();
            held.and_then(|held| held.head).map_or(KnownHead::Lost, KnownHead::Says)
        }

        fn report(&self) -> Report {
            verify(&self.texts(), self.head(), &self.key)
        }

        /// The findings, each as its file, line and name.
        fn found(&self) -> Vec<String> {
            let texts = self.texts();
            let name = |finding: &Finding| {
                let file = texts.get(finding.file).map_or("none", |text| &text.name);
                format!("{file}:{} {}", finding.line, finding.problem.name())
            };
            self.report().findings.iter().map(name).collect()
        }

        fn lines(&self) -> Vec<String> {
            let text = fs::read_to_string(self.path()).unwrap();
            text.split_inclusive('\n').map(str::to_owned).collect()
        }

        fn put(&self, lines: &[String]) {
            fs::write(self.path(), lines.concat()).unwrap();
        }
    }

    impl Drop for Written {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.directory);
        }
    }

    #[test]
    fn a_log_is_whole_across_files() {
        let log = Written::new("whole");
        for _ in 0..7 {
            log.write(3);
            log.begin_another();
        }
        log.write(2);
        assert_eq!(log.found(), [] as [&str; 0]);
        let report = log.report();
        // Of 23 lines, those of the last five files are kept.
        assert_eq!((report.genuine, report.first_and_last), (14, Some((10, 23))));
    }

    #[test]
    fn what_is_wrong_is_named_at_the_first_broken_line() {
        type Change = fn(&mut Vec<String>);
        let changes: [(&str, Change); 8] = [
            ("3 edited", |lines| lines[2] = lines[2].replace("with text", "without it")),
            ("3 removed", |lines| drop(lines.remove(2))),
            ("1 file-missing", |lines| drop(lines.remove(0))),
            ("3 moved", |lines| lines.swap(2, 3)),
            ("4 repeated", |lines| lines.insert(3, lines[2].clone())),
            ("3 inserted", |lines| lines.insert(2, "{\"event\":\"clock\",\"now\":1}\n".to_owned())),
            ("5 cut", |lines| lines.truncate(5)),
            ("5 cut", |lines| {
                lines.truncate(5);
                let length = lines[4].len();
                lines[4].truncate(length / 2);
            }),
        ];
        for (name, change) in changes {
            let log = Written::new("named");
            log.write(6);
            let mut lines = log.lines();
            change(&mut lines);
            log.put(&lines);
            let expected = format!("audit.jsonl:{name}");
            assert_eq!(log.found().first(), Some(&expected), "{:?}", log.found());
            // What hooks write afterwards hides nothing.
            log.write(2);
            let problem = expected.split(' ').next_back().unwrap();
            let after = log.found();
            let names = ["removed", "file-missing"];
            let is_named = |found: &String| {
                found.ends_with(problem)
                    || problem == "cut" && names.iter().any(|name| found.ends_with(name))
            };
            assert!(after.iter().any(is_named), "{expected}: {after:?}");
        }
    }

    #[test]
    fn a_file_or_the_head_that_is_missing_is_told() {
        let log = Written::new("missing");
        for _ in 0..3 {
            log.write(3);
            log.begin_another();
        }
        log.write(1);
        fs::rename(log.aside(2), log.directory.join("kept")).unwrap();
        assert_eq!(log.found(), ["audit.1.jsonl:1 file-missing"]);
        fs::rename(log.directory.join("kept"), log.aside(2)).unwrap();
        fs::remove_file(log.aside(3)).unwrap();
        assert_eq!(log.found(), ["audit.2.jsonl:1 file-missing"], "the oldest file");
        fs::remove_file(log.aside(2)).unwrap();
        fs::remove_file(log.path()).unwrap();
        assert_eq!(log.found(), ["audit.1.jsonl:1 file-missing", "audit.1.jsonl:3 cut"]);

        let log = Written::new("headless");
        log.write(4);
        fs::remove_file(audit::head(&log.path())).unwrap();
        assert_eq!(log.found(), ["audit.jsonl:4 head-lost"]);
        log.write(1);
        assert_eq!(log.found(), ["audit.jsonl:1 begun-anew"]);
    }

    #[test]
    fn lines_of_before_the_chain_are_no_tampering() {
        let log = Written::new("old");
        fs::write(log.path(), "{\"event\":\"clock\",\"now\":1}\n{\"event\":\"clock\",\"now\":2}\n")
            .unwrap();
        assert_eq!(log.found(), [] as [&str; 0]);
        log.write(2);
        assert_eq!(log.found(), [] as [&str; 0]);
        assert_eq!((log.report().unchained, log.report().genuine), (2, 2));
    }

    #[test]
    fn a_line_that_was_cut_by_a_crash_is_no_tampering() {
        let log = Written::new("torn");
        log.write(3);
        let before = log.head();
        let mut lines = log.lines();
        lines.push("{\"event\":\"clock\",\"sess".to_owned());
        log.put(&lines);
        assert_eq!((log.found(), log.report().torn), (Vec::new(), vec![(0, 4)]));
        log.write(2);
        assert_eq!((log.found(), log.report().torn), (Vec::new(), vec![(0, 4)]));
        assert_eq!(log.report().genuine, 5);
        // The same in the place of a line that was there is a cut.
        let lines = log.lines();
        log.put(&[&lines[..2], &["{\"event\"".to_owned()]].concat());
        let KnownHead::Says(_) = before else { panic!("there was a head") };
        assert_eq!(log.found(), ["audit.jsonl:3 cut"]);
    }

    #[test]
    fn a_line_that_lacks_only_its_line_break_is_one_of_the_chain() {
        let log = Written::new("break");
        log.write(2);
        let head = fs::read(audit::head(&log.path())).unwrap();
        log.write(1);
        fs::write(audit::head(&log.path()), head).unwrap();
        let text = log.lines().concat();
        fs::write(log.path(), text.trim_end()).unwrap();
        log.write(2);
        assert_eq!((log.found(), log.report().genuine), (Vec::new(), 5));
    }

    #[test]
    fn a_writer_that_died_before_it_wrote_the_head_breaks_nothing() {
        let log = Written::new("behind");
        log.write(3);
        let head = fs::read(audit::head(&log.path())).unwrap();
        log.write(2);
        fs::write(audit::head(&log.path()), head).unwrap();
        assert_eq!(log.found(), [] as [&str; 0]);
        log.write(2);
        assert_eq!(log.found(), [] as [&str; 0]);
        assert_eq!(log.report().first_and_last, Some((1, 7)));
    }

    #[test]
    fn a_line_without_its_turn_is_not_lost() {
        let log = Written::new("apart");
        log.write(2);
        let held =
            audit::look(&audit::head(&log.path()), Some(&log.key), std::time::Duration::ZERO)
                .unwrap();
        log.write(2);
        drop(held);
        assert_eq!((log.found(), log.report().apart), (Vec::new(), 2));
        log.write(1);
        assert_eq!((log.found(), log.report().apart, log.report().genuine), (Vec::new(), 2, 3));
        let lines = log.lines();
        assert!(lines[4].contains("\"over\":"), "the next line covers them: {}", lines[4]);
        // Once covered, they can be taken away, changed or doubled as little as others.
        type Change = fn(&mut Vec<String>);
        let changes: [Change; 3] = [
            |lines| drop(lines.remove(2)),
            |lines| lines.swap(2, 3),
            |lines| lines.insert(3, lines[2].clone()),
        ];
        for change in changes {
            let mut changed = lines.clone();
            change(&mut changed);
            log.put(&changed);
            assert_ne!(log.found(), [] as [&str; 0]);
        }
    }

    #[test]
    fn another_key_is_named() {
        let log = Written::new("keys");
        log.write(2);
        fs::remove_file(log.directory.join("key")).unwrap();
        let log = Written {
            key: SecretKey::of_user(&log.directory).unwrap(),
            directory: log.directory.clone(),
        };
        assert_eq!(log.found(), ["audit.jsonl:1 other-key", "audit.jsonl:2 head-lost"]);
    }

    /// Changes the log in a random way that leaves other bytes than before.
    fn change(log: &Written, random: &mut Random) -> String {
        let files: Vec<PathBuf> =
            audit::files(&log.directory).filter(|path| path.exists()).collect();
        let path = &files[random.below(files.len())];
        if random.below(8) == 0 {
            fs::remove_file(path).unwrap();
            return format!("{} removed", path.display());
        }
        let before = fs::read(path).unwrap();
        loop {
            let mut bytes = before.clone();
            let lines: Vec<&[u8]> = before.split_inclusive(|byte| *byte == b'\n').collect();
            let (one, other) = (random.below(lines.len()), random.below(lines.len()));
            let mut changed: Vec<&[u8]> = lines.clone();
            let what = match random.below(7) {
                0 => {
                    let at = random.below(bytes.len());
                    bytes[at] ^= 1 << random.below(8);
                    format!("byte {at} changed")
                }
                1 => {
                    bytes.truncate(random.below(bytes.len()));
                    format!("cut to {}", bytes.len())
                }
                2 => {
                    changed.remove(one);
                    bytes = changed.concat();
                    format!("line {one} removed")
                }
                3 => {
                    changed.swap(one, other);
                    bytes = changed.concat();
                    format!("lines {one} and {other} swapped")
                }
                4 => {
                    changed.insert(one, lines[other]);
                    bytes = changed.concat();
                    format!("line {other} again at {one}")
                }
                5 => {
                    changed.insert(one, b"{\"event\":\"clock\",\"now\":7}\n");
                    bytes = changed.concat();
                    format!("a line put in at {one}")
                }
                _ => {
                    let at = random.below(bytes.len());
                    bytes.remove(at);
                    format!("byte {at} removed")
                }
            };
            if bytes != before {
                fs::write(path, bytes).unwrap();
                return format!("{what} in {}", path.display());
            }
        }
    }

    #[test]
    fn each_random_change_is_found_now_and_later() {
        let mut random = Random(0x2545_f491_4f6c_dd1d);
        for round in 0..200 {
            let log = Written::new("random");
            for _ in 0..random.below(3) {
                log.write(1 + random.below(4));
                log.begin_another();
            }
            log.write(1 + random.below(6));
            if random.below(4) == 0 {
                // Some had no turn.
                let head = audit::head(&log.path());
                let held = audit::look(&head, Some(&log.key), std::time::Duration::ZERO).unwrap();
                log.write(1 + random.below(2));
                drop(held);
                log.write(1);
            }
            assert_eq!(log.found(), [] as [&str; 0], "round {round}");
            let what = change(&log, &mut random);
            assert_ne!(log.found(), [] as [&str; 0], "round {round}: {what}");
            log.write(1 + random.below(3));
            assert_ne!(log.found(), [] as [&str; 0], "round {round}, after more lines: {what}");
        }
    }
}
