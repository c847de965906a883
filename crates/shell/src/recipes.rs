//! The recipes of a makefile that its goals reach, and the commands of a table of `cron`, as lines of shell. Reads what
//! stands there and follows what is constant; knows neither files nor programs.

use std::collections::{BTreeMap, BTreeSet};

use super::HOLE;

/// No more rules of a makefile than this are looked at, and no more lines come of one.
const MAX: usize = 512;
/// Values of variables of a makefile may hold others so often.
const MAX_EXPANSIONS: usize = 8;

#[derive(Debug, Default)]
struct Rule {
    targets: Vec<String>,
    needs: Vec<String>,
    recipe: Vec<String>,
}

/// Returns the command lines that `make` runs for goals; without any, for the first target. What reading the
/// makefile runs by itself, `$(shell …)` and `!=`, is among them.
pub(super) fn make(text: &str, goals: &[&str]) -> Vec<String> {
    let (rules, variables, mut lines) = read(text);
    let first = rules.iter().flat_map(|rule| &rule.targets).find(|name| !name.starts_with('.'));
    let said = variables.get(".DEFAULT_GOAL").map(String::as_str);
    let mut wanted: Vec<&str> = match goals {
        [] => said.or(first.map(String::as_str)).into_iter().collect(),
        goals => goals.to_vec(),
    };
    let (mut seen, mut used) = (BTreeSet::new(), BTreeSet::new());
    while let Some(goal) = wanted.pop() {
        if !seen.insert(goal) {
            continue;
        }
        let is_own = |rule: &Rule| {
            rule.targets.iter().any(|name| name == goal || name.contains(['%', HOLE]))
        };
        for (number, rule) in rules.iter().enumerate().filter(|(_, rule)| is_own(rule)) {
            if !used.insert(number) {
                continue;
            }
            wanted.extend(rule.needs.iter().map(String::as_str));
            lines.extend(rule.recipe.iter().map(|line| expanded(line, &variables)));
        }
    }
    lines.truncate(MAX);
    lines
}

type Variables = BTreeMap<String, String>;

fn read(text: &str) -> (Vec<Rule>, Variables, Vec<String>) {
    let (mut rules, mut variables, mut lines) = (Vec::<Rule>::new(), Variables::new(), Vec::new());
    let joined = text.replace("\\\n", " ");
    for line in joined.lines().take(MAX) {
        for part in line.split("$(shell ").skip(1) {
            lines.push(part.rsplit_once(')').map_or(part, |(inner, _)| inner).to_owned());
        }
        let prefix = variables.get(".RECIPEPREFIX").and_then(|prefix| prefix.chars().next());
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
        let assignment = line.find('=').filter(|at| {
            let name = line.get(..*at).unwrap_or_default();
            let name = name.trim_end_matches([':', '?', '+', '!']).trim();
            !name.is_empty() && !name.contains([':', ' ', '\t'])
        });
        if let Some(at) = assignment {
            let (name, value) = line.split_at(at);
            let value = value.get(1..).unwrap_or_default().trim();
            if name.ends_with('!') {
                lines.push(value.to_owned());
            }
            let name = name.trim_end_matches([':', '?', '+', '!']).trim();
            variables.insert(name.trim_start_matches("export ").to_owned(), value.to_owned());
        } else if let Some((targets, rest)) = line.split_once(':') {
            let (needs, recipe) = match rest.trim_start_matches(':').split_once(';') {
                Some((needs, recipe)) => (needs.to_owned(), vec![bare(recipe)]),
                None => (rest.trim_start_matches(':').to_owned(), Vec::new()),
            };
            let words = |text: &str| -> Vec<String> {
                let text = expanded(text, &variables);
                text.split_whitespace().map(str::to_owned).collect()
            };
            rules.push(Rule { targets: words(targets), needs: words(&needs), recipe });
        }
    }
    (rules, variables, lines)
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
                let (name, behind) = inner.split_once(close).unwrap_or((inner, ""));
                match variables.get(name) {
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
    }

    #[test]
    fn tables_of_cron_name_commands() {
        assert_eq!(cron("* * * * * rm -rf a\n@daily ls\n# x\nA=b\n"), ["rm -rf a", "ls"]);
        assert_eq!(cron("0 5 * * 1 date +\\%F %x"), ["date +%F "]);
        assert_eq!(cron("echo this is no table at all"), Vec::<String>::new());
    }
}
