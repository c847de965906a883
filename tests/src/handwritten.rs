//! The `dev` preset written by hand, as a reader with a day to spare would tune it: a match on the
//! tool, one multi-pattern search per command, plain state. The yardstick for the benches. A test
//! holds that it decides as the compiled preset does.

use std::collections::{HashMap, HashSet, VecDeque};

use aho_corasick::AhoCorasick;
use behavior_runtime::event::{Call, Event, ToolResult};
use regex::Regex;

/// What fired: the rule's id and its message.
pub type Hit = (&'static str, String);

/// The preset and the state of one session.
pub struct HandWritten {
    words: AhoCorasick,
    files: Regex,
    explore: Regex,
    destroy: Regex,
    sql: Regex,
    client: Regex,
    search: Regex,
    tests: Regex,
    test_words: AhoCorasick,
    unsure: Regex,
    turn: u32,
    turn_calls: u32,
    total_calls: u64,
    text: bool,
    streak: (String, u32),
    violations: u64,
    read_files: HashSet<String>,
    edited_files: HashSet<String>,
    written_files: HashSet<String>,
    searched: HashSet<String>,
    reads_since_search: i64,
    changes_since_test: i64,
    has_web_searched: bool,
    recent: VecDeque<(String, String)>,
    open: HashMap<String, (String, String, String)>,
}

fn text<'a>(call: &'a Call<'_>, name: &str) -> &'a str {
    call.param(name).and_then(|value| value.as_text()).unwrap_or_default()
}

impl HandWritten {
    /// A fresh session.
    #[must_use]
    pub fn new(patterns: Patterns) -> Self {
        let [files, explore, destroy, sql, client, search, tests, unsure] = patterns
            .all()
            .map(|(_, pattern)| Regex::new(&pattern).expect("patterns by hand compile"));
        let words = [
            "cat", "bat", "less", "more", "head", "tail", "sed", "awk", "perl", "find", "ls",
            "tree", "dir", "rm", "git", "drop", "truncate",
        ];
        let test_words = [
            "test", "check", "tox", "nox", "nose", "jest", "vitest", "mocha", "spec", "phpunit",
            "pest", " t",
        ];
        let words_of = |words: &[&str]| {
            AhoCorasick::builder().ascii_case_insensitive(true).build(words).expect("it builds")
        };
        Self {
            words: words_of(&words),
            files,
            explore,
            destroy,
            sql,
            client,
            search,
            tests,
            test_words: words_of(&test_words),
            unsure,
            turn: 0,
            turn_calls: 0,
            total_calls: 0,
            text: false,
            streak: (String::new(), 0),
            violations: 0,
            read_files: HashSet::new(),
            edited_files: HashSet::new(),
            written_files: HashSet::new(),
            searched: HashSet::new(),
            reads_since_search: 0,
            changes_since_test: 0,
            has_web_searched: false,
            recent: VecDeque::new(),
            open: HashMap::new(),
        }
    }

    /// Decides on one event.
    pub fn apply(&mut self, event: &Event<'_>) -> Vec<Hit> {
        let mut hits = Vec::new();
        match event {
            Event::TurnStart { .. } => {
                self.turn += 1;
                self.turn_calls = 0;
                self.text = false;
            }
            Event::Text { text } => {
                self.text |= !text.trim().is_empty();
                if !self.has_web_searched && self.unsure.is_match(text) {
                    hits.push(("web_search_when_unknown", String::new()));
                }
            }
            Event::ToolCall(call) => self.before(call, &mut hits),
            Event::ToolResult(result) => self.after(result, &mut hits),
            _ => {}
        }
        hits
    }

    fn before(&mut self, call: &Call<'_>, hits: &mut Vec<Hit>) {
        let tool = &*call.tool;
        let path = text(call, "file_path");
        match tool {
            "edit" if !self.read_files.contains(path) => {
                hits.push(("read_before_edit", format!("`{path}` has not been read")));
            }
            "read" if self.reads_since_search >= 2 && !self.read_files.contains(path) => {
                hits.push((
                    "search_before_read",
                    format!("{} files read without a search", self.reads_since_search),
                ));
            }
            "bash" => self.before_command(text(call, "command"), hits),
            _ => {}
        }
        if !self.text && self.turn_calls == 0 {
            hits.push(("plan_before_execute", "No word before the first tool call".to_owned()));
        }
        let upcoming = if self.streak.0 == tool { self.streak.1 + 1 } else { 1 };
        if upcoming >= 8 {
            hits.push(("max_sequential_same_tool", format!("`{tool}` called {upcoming} times")));
        }
        self.violations += hits.len() as u64;
        let target = match tool {
            "grep" | "glob" => text(call, "path"),
            _ => path,
        };
        let detail = if tool == "bash" { text(call, "command") } else { text(call, "pattern") };
        if let Some(id) = &call.id {
            self.open
                .insert(id.to_string(), (tool.to_owned(), target.to_owned(), detail.to_owned()));
        }
    }

    fn before_command(&self, command: &str, hits: &mut Vec<Hit>) {
        if !self.words.is_match(command) {
            return;
        }
        if self.files.is_match(command) {
            hits.push(("no_bash_for_files", "This command works on a file".to_owned()));
        }
        if self.explore.is_match(command) {
            hits.push(("no_blind_exploration", "A listing of everything".to_owned()));
        }
        let destroys = self.destroy.is_match(command)
            || self.sql.is_match(command)
                && self.client.is_match(command)
                && !self.search.is_match(command);
        if destroys {
            hits.push(("confirm_destructive", format!("`{command}` destroys")));
        }
    }

    fn after(&mut self, result: &ToolResult<'_>, hits: &mut Vec<Hit>) {
        let id = result.id.as_deref().unwrap_or_default();
        let Some((tool, target, detail)) = self.open.remove(id) else { return };
        self.total_calls += 1;
        self.turn_calls += 1;
        if self.streak.0 == tool {
            self.streak.1 += 1;
        } else {
            self.streak = (tool.clone(), 1);
        }
        if self.recent.len() == 10 {
            self.recent.pop_front();
        }
        self.recent.push_back((tool.clone(), target.clone()));
        match tool.as_str() {
            "read" => {
                self.read_files.insert(target);
                self.reads_since_search += 1;
                if self.reads_since_search >= 5 {
                    hits.push(("delegate_large_reads", format!("{}", self.reads_since_search)));
                }
            }
            "edit" | "write" => {
                self.changes_since_test += 1;
                if tool == "edit" {
                    hits.push((
                        "verify_after_edit",
                        format!("Read the changed part of `{target}`"),
                    ));
                    self.edited_files.insert(target);
                } else {
                    self.written_files.insert(target);
                }
                if self.changes_since_test >= 2 {
                    hits.push(("test_after_changes", format!("{}", self.changes_since_test)));
                }
            }
            "grep" | "glob" => {
                self.searched.insert(detail);
                self.reads_since_search = 0;
            }
            "bash" if self.test_words.is_match(&detail) && self.tests.is_match(&detail) => {
                self.changes_since_test = 0;
            }
            "web_search" => self.has_web_searched = true,
            _ => {}
        }
        if self.turn_calls == 8 {
            hits.push(("delegate_complex", "8 tool calls in this turn".to_owned()));
        }
    }
}

/// Patterns for commands, as people write them into hook scripts: they know where a command can begin
/// and look no further. What the preset sees through (wrappers, quotes, variables) they do not.
#[derive(Clone, Copy, Debug, Default)]
pub struct Patterns;

/// Where a command can begin.
const BEGIN: &str = r"(?:^|[;&|(`\n]|\$\()\s*(?:sudo\s+)?(?:\w+=\S*\s+)*";

impl Patterns {
    /// The patterns by name.
    fn all(self) -> [(&'static str, String); 8] {
        let command = |rest: &str| format!("(?i){BEGIN}(?:{rest})");
        [
            (
                "files",
                command(
                    r"(?:cat|bat|less|more|head|tail)(?:\s+-\S+(?:\s+\d+)?)*\s+[\w./~]|(?:sed|g?awk)\s+(?:-\S+\s+)*(?:'[^']*'|\S+)\s+[\w./~]|perl\s+-\w*i",
                ),
            ),
            ("explore", command(r"find\s+\.(?:\s|$)|ls\s+-\w*[laR]|tree\b|dir\s+/s")),
            (
                "destroy",
                command(
                    r"rm\s+(?:-\S+\s+)*-\w*r|git\s+(?:-\S+\s+)*(?:reset\s[^;&|]*--hard|push\s[^;&|]*(?:--force(?:\s|$)|-f\b|\s\+)|clean\s+-\w*f)",
                ),
            ),
            ("sql", r"(?i)\b(?:drop\s+(?:table|database)|truncate\s+table)\b".to_owned()),
            ("client", r"(?i)\b(?:psql|mysql|mariadb|sqlite3?|duckdb)\b".to_owned()),
            ("search", r"(?i)^\s*(?:grep|rg|git|echo)\b".to_owned()),
            (
                "tests",
                r"(?i)\b(?:pytest|py\.test|tox|jest|vitest|mocha|rspec|phpunit|(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?test|(?:cargo|go|dotnet|mix|swift)\s+test|make\s+(?:test|check)|(?:gradlew?|mvnw?)\s+test)\b"
                    .to_owned(),
            ),
            (
                "unsure",
                r"(?i)\b(?:not\s+sure|unsure|don['’]?t\s+know|uncertain|can['’]?t\s+remember)\b"
                    .to_owned(),
            ),
        ]
    }

    /// The patterns by name, as one JSON object.
    #[must_use]
    pub fn to_json(self) -> String {
        let by_name = self.all().into_iter().map(|(name, text)| (name.to_owned(), text.into()));
        serde_json::Value::Object(by_name.collect()).to_string()
    }
}
