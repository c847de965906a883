//! A command of a line as people are shown it: as it is written there, with what it is run by and what it is given where it
//! alone would say too little. Decides nothing.

use behavior_shell::{Command, CommandLine, HOLE, MADE, MAX_DEPTH, Reach, RedirectKind, Word};

/// What is not written in the line is told up to here, in characters.
const MAX_TOLD: usize = 80;

/// A longer text is not shown for what stands around a command, in bytes.
const MAX_AROUND: usize = 200;

/// Programs that run a command on another machine, or in a container.
const ELSEWHERE: &[&str] = &[
    "ssh",
    "docker",
    "podman",
    "nerdctl",
    "docker-compose",
    "kubectl",
    "oc",
    "vagrant",
    "multipass",
    "lxc",
    "incus",
    "heroku",
    "fly",
    "flyctl",
];

/// Returns a command of `line`, which was read from `source`, as people are shown it; `None` where it stands nowhere there.
#[must_use]
pub fn command_shown(line: &CommandLine, source: &str, command: &Command) -> Option<String> {
    let own = text_at(source, command)?;
    let far = elsewhere(line, source, command);
    let shown = far.or_else(|| whole(line, source, command)).unwrap_or(own);
    let told = match command.in_script
        || stands_elsewhere(line, command, shown)
        || is_filled_in(line, command, shown)
    {
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

/// What runs a command with words that do not stand in it, or does what it does in other words: `find … -exec rm {} \;`,
/// `… | xargs rm`, `git show HEAD:f | tee f`; `None` where it stands for itself, or that is long.
fn whole<'s>(line: &CommandLine, source: &'s str, command: &Command) -> Option<&'s str> {
    let mut outer = command;
    while outer.reach == Reach::Wrapper
        && let Some(parent) = outer.parent
    {
        outer = line.commands().get(parent as usize)?;
    }
    let own = text_at(source, command)?;
    let program = line.words(command).first().map_or("", |word| line.text(word));
    let is_set_for = line.program(outer).is_some_and(|program| matches!(program, "env" | "genv"));
    let is_named = program.contains(HOLE) || own.contains(program);
    let says_little = command.more || is_set_for || own.contains("{}") || !is_named;
    if !says_little || std::ptr::eq(outer, command) {
        return None;
    }
    with_input(line, source, outer)
}

/// A command with those before it in a pipe, whose output it reads; `None` where that is long.
pub(super) fn with_input<'s>(
    line: &CommandLine,
    source: &'s str,
    command: &Command,
) -> Option<&'s str> {
    let input = Some(&command.input).filter(|input| !input.is_empty());
    let first = input.and_then(|input| line.commands().get(input.start as usize));
    let start = first.map_or(command.span.start, |first| first.span.start.min(command.span.start));
    let text = source.get(start as usize..command.span.end as usize)?.trim();
    (text.len() <= MAX_AROUND && !text.contains('\n')).then_some(text)
}

/// What runs a command on another machine, or in a container, as it is written; `None` where nothing does, or that is long.
fn elsewhere<'s>(line: &CommandLine, source: &'s str, command: &Command) -> Option<&'s str> {
    let above = |command: &&Command| line.commands().get(command.parent? as usize);
    let mut all = std::iter::successors(Some(command), above).take(MAX_DEPTH as usize);
    let far = all.find(|command| {
        line.program(command).is_some_and(|program| ELSEWHERE.contains(&program))
    })?;
    let text = text_at(source, far)?;
    let is_shown = text.len() <= MAX_AROUND && !text.contains('\n') && !std::ptr::eq(far, command);
    is_shown.then_some(text)
}

/// Whether a command is written with variables of which it is known what they hold: `rm -rf "$d"`.
fn is_filled_in(line: &CommandLine, command: &Command, shown: &str) -> bool {
    let words = line.words(command);
    let has = |word: &Word, text: &str| line.text(word).contains(text);
    shown.contains('$')
        && !words.iter().any(|word| has(word, "$") || word.has_hole())
        && words.iter().any(|word| !shown.contains(line.text(word)))
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
