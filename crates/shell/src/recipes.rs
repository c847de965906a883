//! The recipes of a makefile that its goals reach, and the commands of a table of `cron`, as lines of shell. Reads what
//! stands there and follows what is constant; knows neither files nor programs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::HOLE;
use super::sources::quoted;

/// No more rules of a makefile than this are looked at, and no more lines come of one.
const MAX: usize = 512;
/// No more variables of a target are looked at.
const MAX_OWN: usize = 16;
/// Values of variables of a makefile may hold others so often.
const MAX_EXPANSIONS: usize = 8;

#[derive(Debug, Default)]
struct Rule {
    targets: Vec<String>,
    needs: Vec<String>,
    recipe: Vec<String>,
    /// The variables that it sets for its targets and for what they need.
    own: Vec<(String, String)>,
}

/// What stands before the name of a variable that is set.
const MODIFIERS: [&str; 4] = ["export ", "override ", "private ", TOLD];

/// Stands before the name of a variable that the words behind `make` set.
pub(super) const TOLD: &str = "told ";

/// What a makefile sets.
#[derive(Debug, Default)]
struct Settings {
    variables: Variables,
    /// Those that count more than what a target sets.
    overriding: BTreeSet<String>,
    exported: BTreeSet<String>,
}

impl Settings {
    /// Sets a variable as a line says it: `NAME = value`, `override NAME := value`.
    fn set(&mut self, name: &str, value: &str) {
        let (mut rest, mut overrides, mut exports) = (name.trim_start(), false, false);
        let is_told = name.starts_with(TOLD);
        while let Some(modifier) = MODIFIERS.iter().find(|modifier| rest.starts_with(**modifier)) {
            rest = rest.get(modifier.len()..).unwrap_or_default().trim_start();
            overrides |= *modifier == "override ";
            exports |= *modifier == "export ";
        }
        let own = rest.trim_end_matches([':', '?', '+', '!']).trim().to_owned();
        if exports {
            self.exported.insert(own.clone());
        }
        let is_set = self.variables.contains_key(&own);
        if rest.ends_with('?') && is_set || self.overriding.contains(&own) && !overrides {
            return;
        }
        if overrides || is_told {
            self.overriding.insert(own.clone());
        }
        let before = self.variables.get(&own).filter(|_| rest.ends_with('+'));
        let value = before.map_or_else(|| value.to_owned(), |before| format!("{before} {value}"));
        if value.len() < MAX_VALUE {
            self.variables.insert(own, value);
        }
    }

    /// A line of a recipe, with what is put into its environment before it.
    fn line(&self, recipe: &str, own: &[(String, String)]) -> String {
        let mut variables = Cow::Borrowed(&self.variables);
        for (name, value) in own.iter().filter(|(name, _)| !self.overriding.contains(name)) {
            variables.to_mut().insert(name.clone(), value.clone());
        }
        let mut line = String::new();
        for name in &self.exported {
            let value = variables.get(name).map(|value| expanded(value, &variables));
            if let Some(value) = value.filter(|value| !value.contains(HOLE)) {
                line.push_str(&format!("export {name}={}; ", quoted(&value)));
            }
        }
        line.push_str(&expanded(recipe, &variables));
        line
    }
}

/// Longer values are not kept, in bytes.
const MAX_VALUE: usize = 1 << 14;

/// Returns the command lines that `make` runs for goals; without any, for the first target. What reading the
/// makefile runs by itself, `$(shell …)` and `!=`, is among them.
pub(super) fn make(text: &str, goals: &[&str]) -> Vec<String> {
    let (rules, settings, mut lines) = read(text);
    let first = rules.iter().flat_map(|rule| &rule.targets).find(|name| !name.starts_with('.'));
    let said = settings.variables.get(".DEFAULT_GOAL").map(String::as_str);
    let goals: Vec<&str> = match goals {
        [] => said.or(first.map(String::as_str)).into_iter().collect(),
        goals => goals.to_vec(),
    };
    let mut wanted: Vec<(&str, Vec<(String, String)>)> =
        goals.into_iter().map(|goal| (goal, Vec::new())).collect();
    let (mut seen, mut used) = (BTreeSet::new(), BTreeSet::new());
    while let Some((goal, mut own)) = wanted.pop() {
        if !seen.insert(goal) {
            continue;
        }
        let is_own = |rule: &Rule| {
            rule.targets.iter().any(|name| name == goal || name.contains(['%', HOLE]))
        };
        let sets = rules.iter().filter(|rule| is_own(rule)).flat_map(|rule| &rule.own);
        own.extend(sets.take(MAX_OWN).cloned());
        own.truncate(MAX_OWN);
        for (number, rule) in rules.iter().enumerate().filter(|(_, rule)| is_own(rule)) {
            if !used.insert(number) {
                continue;
            }
            wanted.extend(rule.needs.iter().map(|need| (need.as_str(), own.clone())));
            lines.extend(rule.recipe.iter().map(|line| settings.line(line, &own)));
        }
    }
    lines.truncate(MAX);
    lines
}

type Variables = BTreeMap<String, String>;

fn read(text: &str) -> (Vec<Rule>, Settings, Vec<String>) {
    let (mut rules, mut settings, mut lines) =
        (Vec::<Rule>::new(), Settings::default(), Vec::new());
    let joined = text.replace("\\\n", " ");
    for line in joined.lines().take(MAX) {
        for part in line.split("$(shell ").skip(1) {
            lines.push(part.rsplit_once(')').map_or(part, |(inner, _)| inner).to_owned());
        }
        let prefix =
            settings.variables.get(".RECIPEPREFIX").and_then(|prefix| prefix.chars().next());
        if let Some(recipe) = line.strip_prefix(prefix.unwrap_or('\t')) {
            if let Some(rule) = rules.last_mut() {
                rule.recipe.push(bare(recipe));
            }
            continue;
        }
        let line = line.split(" #").next().unwrap_or_default().trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some((name, value)) = assignment(line) {
            if name.ends_with('!') {
                lines.push(value.to_owned());
            }
            settings.set(name, value);
        } else if let Some(names) = line.strip_prefix("export ") {
            settings.exported.extend(names.split_whitespace().map(str::to_owned));
        } else if let Some((targets, rest)) = line.split_once(':') {
            let (needs, recipe) = match rest.trim_start_matches(':').split_once(';') {
                Some((needs, recipe)) => (needs.to_owned(), vec![bare(recipe)]),
                None => (rest.trim_start_matches(':').to_owned(), Vec::new()),
            };
            let words = |text: &str| -> Vec<String> {
                let text = expanded(text, &settings.variables);
                text.split_whitespace().map(str::to_owned).collect()
            };
            let own = assignment(&needs).filter(|_| recipe.is_empty()).map(|(name, value)| {
                let name = MODIFIERS.iter().fold(name, |name, it| name.trim_start_matches(it));
                let name = name.trim_end_matches([':', '?', '+', '!']).trim();
                (name.to_owned(), value.to_owned())
            });
            let needs = if own.is_some() { Vec::new() } else { words(&needs) };
            let own = own.into_iter().collect();
            rules.push(Rule { targets: words(targets), needs, recipe, own });
        }
    }
    (rules, settings, lines)
}

/// The name and the value that a line sets, the name with what stands around it.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_at_checked(line.find('=')?)?;
    let mut own = name.trim_end_matches([':', '?', '+', '!']).trim();
    while let Some(rest) = MODIFIERS.iter().find_map(|modifier| own.strip_prefix(modifier)) {
        own = rest.trim_start();
    }
    let is_name = !own.is_empty() && !own.contains([':', ' ', '\t']);
    is_name.then(|| (name.trim(), value.get(1..).unwrap_or_default().trim()))
}

/// A line of a recipe without the signs that say what becomes of its output and its failure.
fn bare(line: &str) -> String {
    line.trim_start_matches(['@', '-', '+', ' ', '\t']).to_owned()
}

/// A text with the values of variables in it; what is not known is a hole.
fn expanded(text: &str, variables: &Variables) -> String {
    let mut text = text.to_owned();
    for _ in 0..MAX_EXPANSIONS {
        let (next, is_done) = expanded_once(&text, variables);
        text = next;
        if is_done || text.len() > 1 << 14 {
            break;
        }
    }
    text.replace('\u{1}', "$")
}

fn expanded_once(text: &str, variables: &Variables) -> (String, bool) {
    let (mut out, mut rest, mut is_done) = (String::new(), text, true);
    while let Some((before, behind)) = rest.split_once('$') {
        out.push_str(before);
        let mut characters = behind.chars();
        rest = match characters.next() {
            // For the shell.
            Some('$') => {
                out.push('\u{1}');
                characters.as_str()
            }
            Some(open @ ('(' | '{')) => {
                let close = if open == '(' { ')' } else { '}' };
                let inner = characters.as_str();
                let (name, behind) = closed(inner, (open, close));
                match variables.get(name) {
                    // What it prints.
                    None if name.starts_with("shell ") => {
                        is_done &= !name.contains('$');
                        let line = name.get(6..).unwrap_or_default();
                        out.push_str(&format!("\u{1}({line})"));
                    }
                    Some(value) => {
                        is_done = false;
                        out.push_str(value);
                    }
                    None if name == "RM" => out.push_str("rm -f"),
                    None if name == "MAKE" => out.push_str("make"),
                    None => out.push(HOLE),
                }
                behind
            }
            // `$@`, `$<` and the like.
            Some(_) => {
                out.push(HOLE);
                characters.as_str()
            }
            None => "",
        };
    }
    out.push_str(rest);
    (out, is_done)
}

/// What brackets hold that were opened before a text, and what stands behind them.
fn closed(text: &str, (open, close): (char, char)) -> (&str, &str) {
    let mut depth = 0_usize;
    for (at, sign) in text.char_indices() {
        if sign == open {
            depth += 1;
        } else if sign == close && depth == 0 {
            let behind = text.get(at + sign.len_utf8()..).unwrap_or_default();
            return (text.get(..at).unwrap_or_default(), behind);
        } else if sign == close {
            depth -= 1;
        }
    }
    (text, "")
}

/// Returns the command lines of a table of `cron`.
pub(super) fn cron(text: &str) -> Vec<String> {
    let command = |line: &str| {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        if !line.starts_with(['@', '*']) && !line.starts_with(|sign: char| sign.is_ascii_digit()) {
            return None;
        }
        let skip = if line.starts_with('@') { 1 } else { 5 };
        let mut rest = line;
        for _ in 0..skip {
            let (field, behind) = rest.split_once([' ', '\t'])?;
            let is_field = |sign: char| sign.is_ascii_alphanumeric() || "@*/,-?#".contains(sign);
            if !field.chars().all(is_field) {
                return None;
            }
            rest = behind.trim_start();
        }
        // What stands behind a percent sign is what it reads.
        let end = rest
            .match_indices('%')
            .map(|(at, _)| at)
            .find(|at| !rest.get(..*at).is_some_and(|before| before.ends_with('\\')));
        Some(rest.get(..end.unwrap_or(rest.len())).unwrap_or(rest).replace("\\%", "%"))
    };
    text.lines().filter_map(command).take(MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::{cron, make};

    #[test]
    fn only_what_goals_reach_is_run() {
        let text =
            "D = build\nall: test\n\t@echo $(D)\ntest:\n\tcargo test\nclean:\n\t-rm -rf $(D)\n";
        assert_eq!(make(text, &[]), ["echo build", "cargo test"]);
        assert_eq!(make(text, &["clean"]), ["rm -rf build"]);
        assert_eq!(make("x: ; rm -rf a", &[]), ["rm -rf a"]);
        assert_eq!(
            make("x:\n\tfor i in a; do rm $$i; done", &["x"]),
            ["for i in a; do rm $i; done"]
        );
        assert_eq!(make("X := $(shell rm -rf a)\nx:\n", &["x"]), ["rm -rf a"]);
        assert_eq!(make("%.o: %.c\n\tcc -o $@ $<", &["a.o"]), ["cc -o \u{FDD0} \u{FDD0}"]);
        assert_eq!(make("a: a\n\techo", &[]), ["echo"]);
        assert_eq!(make("D=a\nx: D=b\nx: y\ny:\n\trm $(D)", &["x"]), ["rm b"]);
        assert_eq!(make("override D := a\nx: D=b\nx:\n\trm $(D)\nD := c", &["x"]), ["rm a"]);
        assert_eq!(make("D := a\nD ?= b\nx:\n\trm $(D)", &["x"]), ["rm a"]);
        assert_eq!(make("export D=a\nx:\n\t./y", &["x"]), ["export D='a'; ./y"]);
        assert_eq!(
            make("D := $(shell echo $(E))\nE := a\nx:\n\trm $(D)", &["x"]),
            ["echo $(E)", "rm $(echo a)"]
        );
    }

    #[test]
    fn tables_of_cron_name_commands() {
        assert_eq!(cron("* * * * * rm -rf a\n@daily ls\n# x\nA=b\n"), ["rm -rf a", "ls"]);
        assert_eq!(cron("0 5 * * 1 date +\\%F %x"), ["date +%F "]);
        assert_eq!(cron("echo this is no table at all"), Vec::<String>::new());
    }
}
