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
    /// A fresh session. The patterns are those of the preset.
    #[must_use]
    pub fn new(patterns: &Patterns) -> Self {
        let regex = |pattern: &str| Regex::new(pattern).expect("the preset's patterns compile");
        let words = [
            "cat", "bat", "less", "more", "head", "tail", "sed", "awk", "perl", "find", "ls",
            "tree", "dir", "rm", "git", "drop", "truncate",
        ];
        let test_words = [
            "test", "check", "tox", "nox", "nose", "jest", "vitest", "mocha", "spec", "phpunit",
            "pest", " t",
        ];
        let search = |words: &[&str]| {
            AhoCorasick::builder().ascii_case_insensitive(true).build(words).expect("it builds")
        };
        Self {
            words: search(&words),
            files: regex(&patterns.files),
            explore: regex(&patterns.explore),
            destroy: regex(&patterns.destroy),
            sql: regex(&patterns.sql),
            client: regex(&patterns.client),
            search: regex(&patterns.search),
            tests: regex(&patterns.tests),
            test_words: search(&test_words),
            unsure: regex(&patterns.unsure),
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

/// The preset's patterns, as the compiler translated them.
#[derive(Clone, Debug, Default)]
pub struct Patterns {
    files: String,
    explore: String,
    destroy: String,
    sql: String,
    client: String,
    search: String,
    tests: String,
    unsure: String,
    json: String,
}

impl Patterns {
    /// Takes them out of the compiled program of the preset.
    #[must_use]
    pub fn of(program: &behavior_compiler::ir::Program) -> Self {
        let parts = [
            ("files", "bat|less|more"),
            ("explore", "tree"),
            ("destroy", "recursive\\b)"),
            ("sql", "drop\\s+(?:table"),
            ("client", "psql"),
            ("search", "egrep"),
            ("tests", "pytest"),
            ("unsure", "unsure"),
        ];
        let found = |part: &str| {
            let found = program.patterns.iter().find(|pattern| pattern.source.contains(part));
            found.expect("the preset has this pattern")
        };
        let [files, explore, destroy, sql, client, search, tests, unsure] =
            parts.map(|(_, part)| found(part).regex.to_string());
        let sources: serde_json::Map<String, serde_json::Value> = parts
            .iter()
            .map(|(name, part)| ((*name).to_owned(), found(part).source.to_string().into()))
            .collect();
        let json = serde_json::Value::Object(sources).to_string();
        Self { files, explore, destroy, sql, client, search, tests, unsure, json }
    }

    /// The patterns as their author wrote them, by name, as one JSON object.
    #[must_use]
    pub fn to_json(&self) -> String {
        self.json.clone()
    }
}
