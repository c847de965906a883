//! A command of a line as people are shown it: as it is written there, with what it is run by and what it is given where it
//! alone would say too little. Decides nothing.

use behavior_shell::{Command, CommandLine, HOLE, MADE, Reach, RedirectKind};

/// What is not written in the line is told up to here, in characters.
const MAX_TOLD: usize = 80;

/// A longer text is not shown for what stands around a command, in bytes.
const MAX_AROUND: usize = 200;

/// A command of `line`, which was read from `source`; `None` where it stands nowhere there.
pub(super) fn command_shown(line: &CommandLine, source: &str, command: &Command) -> Option<String> {
    let own = text_at(source, command)?;
    let shown = whole(line, source, command).unwrap_or(own);
    let told = match command.in_script || stands_elsewhere(line, command, shown) {
        true => words(line, command),
        false => document(line, command),
    };
    Some(match told {
        Some(told) => format!("{shown} → {told}"),
        None => shown.to_owned(),
    })
}

/// Where a command stands in a line.
pub(super) fn text_at<'s>(source: &'s str, command: &Command) -> Option<&'s str> {
    let span = command.span.start as usize..command.span.end as usize;
    source.get(span).map(str::trim).filter(|text| !text.is_empty())
}

/// What runs a command with words that do not stand in it: `find … -exec rm {} \;`, `… | xargs rm`; `None` where it stands for
/// itself, or that is long.
fn whole<'s>(line: &CommandLine, source: &'s str, command: &Command) -> Option<&'s str> {
    let mut outer = command;
    while outer.reach == Reach::Wrapper
        && let Some(parent) = outer.parent
    {
        outer = line.commands().get(parent as usize)?;
    }
    let takes_more = command.more || text_at(source, command)?.contains("{}");
    if !takes_more || std::ptr::eq(outer, command) {
        return None;
    }
    let first = line.commands().get(outer.input.start as usize).filter(|_| !outer.input.is_empty());
    let start = first.map_or(outer.span.start, |first| first.span.start.min(outer.span.start));
    let text = source.get(start as usize..outer.span.end as usize)?.trim();
    (text.len() <= MAX_AROUND && !text.contains('\n')).then_some(text)
}

/// Whether a command stands in a text that is not shown: behind the line, or in a file that the line writes.
fn stands_elsewhere(line: &CommandLine, command: &Command, shown: &str) -> bool {
    let is_given = shown.contains("<<") || !shown.contains(['\'', '"', '(']);
    let program = line.words(command).first().map_or("", |word| line.text(word));
    matches!(command.reach, Reach::Text | Reach::Input) && is_given && !shown.contains(program)
}

/// The words of a command that is not written in the line.
fn words(line: &CommandLine, command: &Command) -> Option<String> {
    let words = line.words(command).iter().map(|word| line.text(word));
    let words: Vec<String> = words.map(plain).collect();
    told(&words.join(" "))
}

/// What a command is given to read by a here-document, unless that is only a message.
fn document(line: &CommandLine, command: &Command) -> Option<String> {
    const WITH_MESSAGES: &[&str] = &["git", "gh", "glab", "hub", "cat", "tee"];
    let program = line.words(command).first().map_or("", |word| line.text(word));
    if WITH_MESSAGES.contains(&program) {
        return None;
    }
    let document =
        line.redirects(command).iter().find(|one| one.kind == RedirectKind::HereDocument)?;
    let text = line.text(&line.target(document)).to_owned();
    let parts: Vec<&str> = text.lines().map(str::trim).filter(|part| !part.is_empty()).collect();
    told(&plain(&parts.join(" ")))
}

fn plain(text: &str) -> String {
    text.replace(HOLE, "…").replace(MADE, "")
}

/// The beginning of a text, without what would spoil a screen.
fn told(text: &str) -> Option<String> {
    let mut signs = text.chars().filter(|sign| !sign.is_control());
    let mut begin: String = signs.by_ref().take(MAX_TOLD).collect();
    if signs.next().is_some() {
        begin.push('…');
    }
    (!begin.is_empty()).then_some(begin)
}
