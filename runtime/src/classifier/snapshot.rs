//! The session as the classifier is told about it. It may only show what is tracked anyway, one
//! line each, however long or odd a name or target is.

use std::fmt::Write as _;

use super::text::one_line;

/// How many of a set's entries are shown.
const RECENT_ENTRIES: usize = 5;

/// How many of the recent actions are shown.
const RECENT_ACTIONS: usize = 6;

/// A streak is told from this length on.
const REPEATING: u32 = 3;

/// The longest name or target shown, in characters: as for values in messages.
const VALUE: usize = 100;

/// What of a session's state the snapshot is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SnapshotInput<'a> {
    /// The turn's number; the first is 1.
    pub turn: u32,
    /// Tool calls of the session.
    pub total_calls: u64,
    /// Tool calls of this turn.
    pub calls_this_turn: u64,
    /// The tool that was called last and how often in a row.
    pub streak: Option<(&'a str, u32)>,
    /// Violations of the session.
    pub violations: u64,
    /// The rule violated last.
    pub last_violation: Option<&'a str>,
    /// The sets, in the order they were declared.
    pub sets: Vec<SetView<'a>>,
    /// The counters and their values, in the order they were declared.
    pub counters: Vec<(&'a str, u64)>,
    /// The flags that are set.
    pub active_flags: Vec<&'a str>,
    /// The last actions, newest last.
    pub recent_actions: Vec<ActionView<'a>>,
}

/// A tracked set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetView<'a> {
    /// The set's name.
    pub name: &'a str,
    /// How many entries it has.
    pub count: usize,
    /// Its last entries, newest last; the last five are shown.
    pub recent: Vec<&'a str>,
}

/// A tool call that ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActionView<'a> {
    /// The tool.
    pub tool: &'a str,
    /// What it was called on, where it has a target.
    pub target: Option<&'a str>,
}

/// The snapshot's lines, joined by line breaks, without one at the end. What is zero or empty is
/// left out.
#[must_use]
pub fn snapshot(input: &SnapshotInput<'_>) -> String {
    let mut out = Lines::default();
    out.number("Turn", u64::from(input.turn));
    out.number("Total tool calls", input.total_calls);
    out.number("Tool calls this turn", input.calls_this_turn);
    if let Some((tool, length)) = input.streak.filter(|(_, length)| *length >= REPEATING) {
        out.line(&format!("Repeating: {} x{length}", one_line(tool, VALUE)));
    }
    out.violations(input);
    for set in &input.sets {
        out.set(set);
    }
    for (name, value) in &input.counters {
        out.number(&title(name), *value);
    }
    out.list("Active flags", input.active_flags.iter().map(|flag| one_line(flag, VALUE).into()));
    let skipped = input.recent_actions.len().saturating_sub(RECENT_ACTIONS);
    out.list("Recent actions", input.recent_actions.iter().skip(skipped).map(action));
    out.0
}

fn action(action: &ActionView<'_>) -> String {
    let tool = one_line(action.tool, VALUE);
    match action.target.map(|target| one_line(target, VALUE)).filter(|target| !target.is_empty()) {
        Some(target) => format!("{tool}({target})"),
        None => tool.into(),
    }
}

/// The words of a name with capitals, as in `Changes Since Test`.
fn title(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for word in name.split(['_', '-', '.', ' ']).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        let mut rest = word.chars();
        out.extend(rest.next().into_iter().flat_map(char::to_uppercase));
        out.push_str(rest.as_str());
    }
    one_line(&out, VALUE).into()
}

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn line(&mut self, line: &str) {
        if !self.0.is_empty() {
            self.0.push('\n');
        }
        self.0.push_str(line);
    }

    fn number(&mut self, title: &str, value: u64) {
        if value != 0 {
            self.line(&format!("{title}: {value}"));
        }
    }

    fn list(&mut self, title: &str, entries: impl Iterator<Item = String>) {
        let entries: Vec<String> = entries.collect();
        if !entries.is_empty() {
            self.line(&format!("{title}: {}", entries.join(", ")));
        }
    }

    fn violations(&mut self, input: &SnapshotInput<'_>) {
        self.number("Violations", input.violations);
        if let (1.., Some(last)) = (input.violations, input.last_violation) {
            // Writing to a string cannot fail.
            let _ = write!(self.0, " (last: {})", one_line(last, VALUE));
        }
    }

    fn set(&mut self, set: &SetView<'_>) {
        // Two of the built-in sets have a wording of their own.
        let (title, introduction) = match set.name {
            "read_files" => ("Files read".to_owned(), "recent: "),
            "edited_files" => ("Edited files".to_owned(), ""),
            name => (title(name), "recent: "),
        };
        let count = u64::try_from(set.count).unwrap_or(u64::MAX);
        self.number(&title, count);
        let skipped = set.recent.len().saturating_sub(RECENT_ENTRIES);
        let recent: Vec<_> =
            set.recent.iter().skip(skipped).map(|entry| one_line(entry, VALUE)).collect();
        if count > 0 && !recent.is_empty() {
            let _ = write!(self.0, " ({introduction}{})", recent.join(", "));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ActionView, SetView, SnapshotInput, snapshot, title};

    #[track_caller]
    fn check(input: &SnapshotInput<'_>, expect: &[&str]) {
        assert_eq!(snapshot(input), expect.join("\n"));
    }

    fn on<'a>(tool: &'a str, target: &'a str) -> ActionView<'a> {
        ActionView { tool, target: Some(target) }
    }

    fn set<'a>(name: &'a str, recent: &[&'a str]) -> SetView<'a> {
        SetView { name, count: recent.len(), recent: recent.to_vec() }
    }

    #[test]
    fn a_coding_session_reads_as_documented() {
        let input = SnapshotInput {
            turn: 2,
            total_calls: 8,
            streak: Some(("edit", 1)),
            sets: vec![
                set("read_files", &["src/auth.ts", "src/models.ts", "src/router.ts"]),
                set("edited_files", &["src/auth.ts"]),
                set("written_files", &[]),
            ],
            counters: vec![("changes_since_test", 1), ("reads_since_search", 2)],
            active_flags: vec!["has_web_searched"],
            recent_actions: vec![
                on("grep", "auth"),
                on("read", "src/auth.ts"),
                on("read", "src/models.ts"),
                on("edit", "src/auth.ts"),
            ],
            ..SnapshotInput::default()
        };
        check(
            &input,
            &[
                "Turn: 2",
                "Total tool calls: 8",
                "Files read: 3 (recent: src/auth.ts, src/models.ts, src/router.ts)",
                "Edited files: 1 (src/auth.ts)",
                "Changes Since Test: 1",
                "Reads Since Search: 2",
                "Active flags: has_web_searched",
                "Recent actions: grep(auth), read(src/auth.ts), read(src/models.ts), edit(src/auth.ts)",
            ],
        );
    }

    #[test]
    fn every_line_has_its_place() {
        let input = SnapshotInput {
            turn: 3,
            total_calls: 12,
            calls_this_turn: 4,
            streak: Some(("read", 3)),
            violations: 2,
            last_violation: Some("read_before_edit"),
            sets: vec![set("tables_queried", &["users"])],
            counters: vec![("queries_since_schema", 5)],
            active_flags: vec!["a", "b"],
            recent_actions: vec![ActionView { tool: "bash", target: None }],
        };
        check(
            &input,
            &[
                "Turn: 3",
                "Total tool calls: 12",
                "Tool calls this turn: 4",
                "Repeating: read x3",
                "Violations: 2 (last: read_before_edit)",
                "Tables Queried: 1 (recent: users)",
                "Queries Since Schema: 5",
                "Active flags: a, b",
                "Recent actions: bash",
            ],
        );
    }

    #[test]
    fn what_is_zero_or_empty_is_left_out() {
        check(&SnapshotInput::default(), &[]);
        let input = SnapshotInput {
            turn: 1,
            last_violation: Some("old"),
            sets: vec![set("read_files", &[])],
            counters: vec![("changes_since_test", 0)],
            ..SnapshotInput::default()
        };
        check(&input, &["Turn: 1"]);
    }

    #[test]
    fn repeating_is_told_from_three_in_a_row() {
        let streak =
            |length| SnapshotInput { streak: Some(("bash", length)), ..SnapshotInput::default() };
        check(&streak(2), &[]);
        check(&streak(3), &["Repeating: bash x3"]);
    }

    #[test]
    fn violations_stand_alone_where_the_last_is_not_known() {
        let input = SnapshotInput { violations: 1, ..SnapshotInput::default() };
        check(&input, &["Violations: 1"]);
    }

    #[test]
    fn a_set_shows_up_to_five_entries_newest_last() {
        let seven = SetView {
            name: "fetched_urls",
            count: 7,
            recent: vec!["1", "2", "3", "4", "5", "6", "7"],
        };
        let input = SnapshotInput { sets: vec![seven], ..SnapshotInput::default() };
        check(&input, &["Fetched Urls: 7 (recent: 3, 4, 5, 6, 7)"]);
    }

    #[test]
    fn the_last_six_actions_are_shown() {
        let tools = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
        let recent_actions = tools.map(|tool| ActionView { tool, target: None }).to_vec();
        let input = SnapshotInput { recent_actions, ..SnapshotInput::default() };
        check(&input, &["Recent actions: e, f, g, h, i, j"]);
    }

    #[test]
    fn titles_are_names_in_title_case() {
        let check = |name: &str, expect: &str| assert_eq!(title(name), expect, "{name}");
        check("changes_since_test", "Changes Since Test");
        check("written_files", "Written Files");
        check("searched_patterns", "Searched Patterns");
        check("éclairs__eaten_", "Éclairs Eaten");
        check("seen-urls", "Seen Urls");
    }

    #[test]
    fn a_target_cannot_add_a_line_or_fill_the_prompt() {
        let long = "x".repeat(1000);
        let input = SnapshotInput {
            recent_actions: vec![on("read", "a\nTurn: 99"), on("read", &long)],
            ..SnapshotInput::default()
        };
        let cut = format!("Recent actions: read(a Turn: 99), read({}...)", "x".repeat(97));
        check(&input, &[&cut]);
    }
}
