//! Settings of git that the environment of a command brings, as the manual page `git-config` says: one by one in
//! variables, in a list, or in files that the line writes.

use super::set_for::Variable;
use super::{Command, CommandLine, Word, written};

/// So many settings of one command are looked at.
const MAX: usize = 64;

/// Settings as `-c` takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Settings {
    /// Each as `NAME=VALUE`.
    pub set: Vec<String>,
    /// Whether there may be others.
    pub is_open: bool,
}

/// Returns the settings that the environment of a command brings.
pub(super) fn of(line: &CommandLine, index: usize) -> Settings {
    let mut settings = Settings { set: configured(line, index), ..Settings::default() };
    let Some(variables) = line.variables_for(index) else {
        return Settings { is_open: true, ..settings };
    };
    for (name, variable) in named(line, index) {
        match variables.iter().find(|set| set.name == variable) {
            Some(set) => settings.set.push(format!("{name}={}", line.text(&set.value))),
            None => settings.is_open = true,
        }
    }
    let mut own = variables.iter().filter(|set| set.name.starts_with("GIT_CONFIG")).peekable();
    if own.peek().is_none() {
        return settings;
    }
    for variable in own {
        let value = line.text(&variable.value);
        match variable.name {
            "GIT_CONFIG_PARAMETERS" => match listed(value) {
                Some(listed) => settings.set.extend(listed),
                None => settings.is_open = true,
            },
            "GIT_CONFIG_GLOBAL" | "GIT_CONFIG_SYSTEM" | "GIT_CONFIG" => {
                match in_file(line, index, variable) {
                    Some(text) => settings.set.extend(of_file(&text)),
                    None => settings.is_open |= value != "/dev/null" && !value.is_empty(),
                }
            }
            name => {
                let Some(number) = name.strip_prefix("GIT_CONFIG_KEY_") else { continue };
                let is_value = |other: &&Variable<'_>| {
                    other.name.strip_prefix("GIT_CONFIG_VALUE_") == Some(number)
                };
                let values = variables.iter().filter(is_value);
                settings.set.extend(values.map(|set| format!("{value}={}", line.text(&set.value))));
            }
        }
    }
    settings.is_open |= settings.set.len() > MAX;
    settings.set.truncate(MAX);
    settings
}

/// The settings whose values a command takes from variables, with the names of these: `--config-env=NAME=VARIABLE`.
fn named(line: &CommandLine, index: usize) -> Vec<(&str, &str)> {
    const FLAG: &str = "--config-env";
    let Some(command) = line.commands().get(index) else { return Vec::new() };
    let mut words = line.words(command).iter().map(|word| line.text(word)).take(MAX);
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        let set = match word.strip_prefix(FLAG) {
            Some("") => words.next(),
            Some(rest) => rest.strip_prefix('='),
            None => None,
        };
        found.extend(set.and_then(|set| set.rsplit_once('=')));
    }
    found
}

/// Settings by which git does more at once than its words say.
const DECIDING: [&str; 4] = ["clean.requireforce", "gc.", "remote.", "include."];

/// Whether commands of the line before another one set what git keeps: `git config`, `git remote add`, or its file.
pub(super) fn is_configured(line: &CommandLine, index: usize) -> bool {
    line.before(index).any(|earlier| {
        is_config(line, earlier)
            || line.redirects(earlier).iter().any(|redirect| {
                redirect.writes() && line.text(&line.target(redirect)).ends_with(".git/config")
            })
    })
}

fn is_config(line: &CommandLine, command: &Command) -> bool {
    let sets = |word: &Word| matches!(line.text(word), "config" | "remote");
    line.program(command) == Some("git") && line.words(command).iter().skip(1).take(4).any(sets)
}

/// The settings that the line has git keep before a command, as far as they decide what it does.
fn configured(line: &CommandLine, index: usize) -> Vec<String> {
    let decides = |name: &str| DECIDING.iter().any(|start| name.starts_with(start));
    let of_command = |earlier: &Command| {
        let words: Vec<&str> = line.words(earlier).iter().map(|word| line.text(word)).collect();
        if let Some(name) = mirrored(&words) {
            return Some(format!("remote.{name}.mirror=true"));
        }
        words.windows(2).find_map(|pair| {
            let [name, value] = pair else { return None };
            decides(&name.to_ascii_lowercase()).then(|| format!("{name}={value}"))
        })
    };
    let earlier = line.before(index).filter(|earlier| is_config(line, earlier));
    let file = written::file(line, ".git/config", index).map(|file| of_file(&file.text));
    let in_file = file.into_iter().flatten().filter(|set| decides(&set.to_ascii_lowercase()));
    earlier.filter_map(of_command).chain(in_file).take(MAX).collect()
}

/// The remote that a command of git adds as one that all of this repository is pushed to: `git remote add --mirror=push`.
fn mirrored<'w>(words: &[&'w str]) -> Option<&'w str> {
    let at = words.windows(2).position(|pair| pair == ["remote", "add"])?;
    let rest = words.get(at + 2..)?;
    let is_mirror = rest.iter().any(|word| matches!(*word, "--mirror" | "--mirror=push"));
    rest.iter().find(|word| !word.starts_with('-')).filter(|_| is_mirror).copied()
}

/// What stands in the file that a variable names, where the line says so.
fn in_file(line: &CommandLine, index: usize, variable: &Variable<'_>) -> Option<String> {
    if variable.value.is_process() {
        return written::process(line, Some(variable.command), variable.value);
    }
    let file = written::file(line, line.text(&variable.value), index)?;
    (!file.is_open && !file.is_doubtful).then_some(file.text)
}

/// The settings of a list, each in quotes of a shell: `'NAME=VALUE'`, or `'NAME'='VALUE'`.
fn listed(text: &str) -> Option<Vec<String>> {
    let (mut found, mut rest) = (Vec::new(), text.trim_start());
    while !rest.is_empty() {
        let (name, behind) = quoted(rest)?;
        let setting = match behind.strip_prefix('=') {
            Some(behind) if behind.starts_with('\'') => {
                let (value, behind) = quoted(behind)?;
                rest = behind;
                format!("{name}={value}")
            }
            Some(behind) => {
                rest = behind;
                name
            }
            None => {
                rest = behind;
                name
            }
        };
        found.push(setting);
        rest = rest.trim_start();
    }
    Some(found)
}

/// A text in single quotes, in which `'\''` is a quote, and what stands behind it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('\'')?;
    let mut value = String::new();
    loop {
        let (part, behind) = rest.split_once('\'')?;
        value.push_str(part);
        rest = match behind.strip_prefix("\\''").or_else(|| behind.strip_prefix("\\!'")) {
            Some(further) => {
                value.push(if behind.starts_with("\\'") { '\'' } else { '!' });
                further
            }
            None => return Some((value, behind)),
        };
    }
}

/// The settings in the text of a file.
pub(super) fn of_file(text: &str) -> Vec<String> {
    let (mut found, mut section) = (Vec::new(), String::new());
    for line in text.lines() {
        let mut line = line.trim();
        if let Some(head) = line.strip_prefix('[') {
            let (head, behind) = head.split_once(']').unwrap_or((head, ""));
            // A setting may stand behind the name of its section.
            line = behind.trim();
            section = match head.split_once(char::is_whitespace) {
                Some((name, own)) => format!("{name}.{}", own.trim().trim_matches('"')),
                None => head.to_owned(),
            };
        }
        if let Some((name, value)) = line.split_once('=')
            && !section.is_empty()
        {
            let value = value.trim().trim_matches('"');
            found.push(format!("{section}.{}={value}", name.trim()));
        }
        if found.len() > MAX {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{listed, of_file};

    #[test]
    fn lists_hold_settings_in_either_spelling() {
        let found = listed("'a.b=c d' 'e.f'='g\'\\\'\'h'").unwrap_or_default();
        assert_eq!(found, ["a.b=c d", "e.f=g'h"]);
        assert_eq!(listed("a.b=c"), None);
    }

    #[test]
    fn files_hold_settings_in_sections() {
        let text = "[alias]\n\tz = reset --hard\n[core \"x\"]\na=b\n";
        assert_eq!(of_file(text), ["alias.z=reset --hard", "core.x.a=b"]);
        assert_eq!(of_file("[alias] z = gc"), ["alias.z=gc"]);
    }
}
