//! Policies, decided the plain way: every rule is read again for every call, every pattern cut into
//! words again, every part of a command line asked on its own. It shares nothing with the compiler
//! and the runtime, so that it knows only the few programs and names that made-up calls use.

/// What a rule does, from the least strict to the strictest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// The call runs.
    Allow,
    /// The agent's own permissions decide.
    None,
    /// It runs dry first.
    DryRunFirst,
    /// The user is asked.
    Ask,
    /// It does not run.
    Deny,
}

/// How much is allowed where no rule says anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Nothing.
    Ask,
    /// Changing files.
    AutoEdit,
    /// Everything.
    Yolo,
    /// What the agent allows.
    Agent,
}

/// A rule, as it is written.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name.
    pub name: String,
    /// `admin`, `user` or `default`; `None` for a rule that does not say.
    pub priority: Option<&'static str>,
    /// What it does.
    pub action: Action,
    /// The mode that it holds in; `None` for all.
    pub mode: Option<Mode>,
    /// What it is about: any of these.
    pub subjects: Vec<Subject>,
    /// A parameter of the call by its name, and the text that it must be.
    pub param: Option<(&'static str, &'static str)>,
}

/// The names of the arguments of made-up calls, in order.
pub const NAMES: [&str; 3] = ["first", "second", "third"];

/// What a rule is about.
#[derive(Clone, Debug)]
pub enum Subject {
    /// Tools: a name, a glob, or `mcp(server/tool)`.
    Tool(&'static str),
    /// Commands: words with globs in them.
    Command(Vec<&'static str>),
    /// Commands of which nobody knows what they run.
    Opaque,
    /// Tools other than shells, and a text that an argument is.
    Argument(&'static str, &'static str),
}

/// A policy.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The mode that it sets.
    pub mode: Option<Mode>,
    /// Its rules, in the order written.
    pub rules: Vec<Rule>,
}

/// A call of a tool.
#[derive(Clone, Debug)]
pub enum Call {
    /// Of a shell, which runs these commands.
    Shell(Vec<Part>),
    /// Of another tool, with arguments.
    Other(&'static str, Vec<&'static str>),
}

/// A command of a line.
#[derive(Clone, Debug)]
pub enum Part {
    /// One that is known.
    Command(Vec<&'static str>),
    /// One that nobody knows.
    Opaque,
    /// A program that only runs what follows; it counts for rules that are stricter than to allow it.
    Wrapper(Vec<&'static str>),
}

/// What a policy makes of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// What is to be done.
    pub action: Action,
    /// The rule that decided, for calls of one part that nothing leaves open.
    pub rule: Option<String>,
}

/// Decides on a call in a mode.
#[must_use]
pub fn decide(policy: &Policy, call: &Call, session_mode: Option<Mode>) -> Ruling {
    let mode = session_mode.or(policy.mode).unwrap_or(Mode::Ask);
    let mut rules: Vec<&Rule> = policy.rules.iter().collect();
    rules.sort_by_key(|rule| match rule.priority {
        Some("admin") => 0,
        None | Some("user") => 1,
        _ => 2,
    });
    rules.retain(|rule| rule.mode.is_none_or(|own| own == mode));
    rules.retain(|rule| rule.param.is_none_or(|param| has_param(call, param)));
    match call {
        Call::Other(tool, arguments) => {
            let decides = rules.iter().find(|rule| is_about_tool(rule, tool, arguments));
            match decides {
                Some(rule) => Ruling { action: rule.action, rule: Some(rule.name.clone()) },
                None => Ruling { action: without_rule(mode, tool), rule: None },
            }
        }
        Call::Shell(parts) => {
            let rulings = parts.iter().filter_map(|part| decide_part(&rules, part, mode));
            // Of the strictest, the first.
            let strictest = rulings.reduce(|a, b| if b.action > a.action { b } else { a });
            strictest.expect("a line runs something")
        }
    }
}

/// Whether a call has a parameter that is like a text. Command lines have none of these.
fn has_param(call: &Call, (name, text): (&str, &str)) -> bool {
    let Call::Other(_, arguments) = call else { return false };
    let mut named = NAMES.iter().zip(arguments);
    named.any(|(known, argument)| *known == name && glob(text, argument))
}

fn without_rule(mode: Mode, tool: &str) -> Action {
    // Said here again of the tools of random policies: the runtime's own table is held against it.
    let changes_files = ["edit", "multi_edit", "write", "apply_patch", "create_file"];
    match mode {
        Mode::Yolo => Action::Allow,
        Mode::AutoEdit if changes_files.contains(&last(tool).as_str()) => Action::Allow,
        Mode::AutoEdit | Mode::Ask => Action::Ask,
        Mode::Agent => Action::None,
    }
}

fn decide_part(rules: &[&Rule], part: &Part, mode: Mode) -> Option<Ruling> {
    let mut is_doubtful = false;
    let mut found = Ruling { action: without_rule(mode, "bash"), rule: None };
    for rule in rules {
        let answers: Vec<_> =
            rule.subjects.iter().map(|subject| is_about_part(subject, part)).collect();
        let is_opaque = matches!(part, Part::Opaque);
        match () {
            // What nobody knows is never allowed by a rule.
            () if rule.action == Action::Allow && is_opaque => {}
            () if answers.contains(&Some(true)) => {
                found = Ruling { action: rule.action, rule: Some(rule.name.clone()) };
                break;
            }
            () if answers.contains(&None) => is_doubtful = true,
            () => {}
        }
    }
    if is_doubtful && found.action < Action::Ask {
        // A rule that may forbid it makes the user be asked.
        found.action = Action::Ask;
    }
    let adds_nothing = found.rule.is_none() || found.action == Action::Allow;
    (!matches!(part, Part::Wrapper(_)) || !adds_nothing).then_some(found)
}

/// Whether a subject is about a command; `None` where nobody knows.
fn is_about_part(subject: &Subject, part: &Part) -> Option<bool> {
    match (subject, part) {
        (Subject::Tool(pattern), _) => Some(selects(pattern, "bash")),
        (Subject::Argument(..), _) => Some(false),
        (Subject::Opaque, part) => Some(matches!(part, Part::Opaque)),
        // What takes every command takes this one too.
        (Subject::Command(pattern), Part::Opaque) if takes_all(pattern) => Some(true),
        (Subject::Command(_), Part::Opaque) => None,
        (Subject::Command(pattern), Part::Command(words) | Part::Wrapper(words)) => {
            Some(is_command(pattern, words))
        }
    }
}

fn is_about_tool(rule: &Rule, tool: &str, arguments: &[&str]) -> bool {
    rule.subjects.iter().any(|subject| match subject {
        Subject::Tool(pattern) => selects(pattern, tool),
        Subject::Argument(pattern, text) => {
            let joined = arguments.join(" ");
            let mut texts = arguments.iter().copied().chain([joined.as_str()]);
            let is_start = |given: &str| text.strip_suffix(" *").is_some_and(|t| glob(t, given));
            selects(pattern, tool) && texts.any(|given| glob(text, given) || is_start(given))
        }
        Subject::Command(_) | Subject::Opaque => false,
    })
}

/// The parts of a tool's name: `mcp__s__edit` is `s`, `edit`.
fn name_parts(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    let lower = lower.strip_prefix("mcp__").unwrap_or(&lower).replace("__", ".");
    lower.split('.').map(str::to_owned).collect()
}

fn last(name: &str) -> String {
    name_parts(name).pop().unwrap_or_default()
}

/// Whether a pattern names a tool.
fn selects(pattern: &str, tool: &str) -> bool {
    let parts = name_parts(tool);
    if let Some(inner) = pattern.strip_prefix("mcp(") {
        let inner = inner.trim_end_matches(')');
        let (server, name) = inner.split_once('/').unwrap_or((inner, "*"));
        return match parts.as_slice() {
            [its, named] => glob(server, its) && glob(name, named),
            _ => false,
        };
    }
    if pattern.contains(['*', '?', '[']) {
        let pattern = pattern.to_lowercase();
        return glob(&pattern, &parts.join(".")) || glob(&pattern, &last(tool));
    }
    let wanted = name_parts(pattern);
    match (wanted.len(), parts.len()) {
        (1, _) | (_, 1) => wanted.last() == parts.last(),
        _ => wanted == parts,
    }
}

/// Whether a pattern takes whatever runs.
fn takes_all(pattern: &[&str]) -> bool {
    let ends_of_flags = pattern.iter().filter(|word| **word == "--").count();
    let is_open = pattern.iter().all(|word| matches!(*word, "*" | "--"));
    pattern.first() == Some(&"*") && is_open && ends_of_flags <= 1
}

/// Whether a command looks like a pattern: program, flags in any order and spelling, operands in
/// theirs. A `*` on its own is any number of words.
fn is_command(pattern: &[&str], words: &[&str]) -> bool {
    let [program, rest @ ..] = pattern else { return false };
    let name = words[0].rsplit('/').next().unwrap_or(words[0]);
    if !glob(program, name) {
        return false;
    }
    // A `*` in the place of the program is any words behind it, too.
    let more = if *program == "*" { &["*"][..] } else { &[] };
    let wanted: Vec<&str> = more.iter().chain(rest).copied().collect();
    // What a program runs has flags of its own.
    let runs_words = ["nohup", "env", "sudo"].contains(&name);
    let is_operand = |word: &&str| !word.starts_with('-');
    let first = words.iter().skip(1).position(is_operand).map_or(words.len(), |at| at + 1);
    let own = if runs_words { first } else { words.len() };
    let (their_flags, mut their_operands) = split(words, name, &words[1..own]);
    their_operands.extend(&words[own..]);
    let (own_flags, own_operands) = split(words, name, &wanted);
    let is_open = wanted.contains(&"*");
    let has_all = own_flags.iter().all(|flag| their_flags.contains(flag));
    let has_no_more = is_open || their_flags.iter().all(|flag| own_flags.contains(flag));
    has_all && has_no_more && words_match(&own_operands, &their_operands)
}

/// The flags among words, as the program of the command would read them, and the other words.
fn split<'w>(command: &[&str], name: &str, words: &[&'w str]) -> (Vec<String>, Vec<&'w str>) {
    let subcommand = command.iter().skip(1).find(|word| !word.starts_with('-'));
    let mut flags = Vec::new();
    let mut operands = Vec::new();
    let mut only_operands = false;
    for word in words {
        match word {
            _ if only_operands => operands.push(*word),
            &"--" => only_operands = true,
            word if word.starts_with("--") => flags.push(word[2..].to_owned()),
            word if word.starts_with('-') && word.len() > 1 => {
                flags.extend(word[1..].chars().map(String::from));
            }
            word => operands.push(*word),
        }
    }
    let flags = flags.into_iter().map(|flag| meaning(name, subcommand.copied(), flag)).collect();
    (flags, operands)
}

/// Flags of the programs of made-up commands that mean the same.
fn meaning(program: &str, subcommand: Option<&str>, flag: String) -> String {
    let same: &[&[&str]] = match (program, subcommand) {
        ("git", Some("push")) => &[&["f", "force"], &["v", "verbose"], &["n", "dry-run"]],
        ("git", Some("clean")) => &[&["f", "force"], &["n", "dry-run"]],
        ("rm", _) => &[&["f", "force"], &["r", "R", "recursive"], &["v", "verbose"]],
        _ => &[],
    };
    let group = same.iter().find(|group| group.contains(&flag.as_str()));
    group.map_or(flag, |group| group[0].to_owned())
}

fn words_match(pattern: &[&str], words: &[&str]) -> bool {
    match (pattern, words) {
        ([], []) => true,
        (["*", rest @ ..], _) => (0..=words.len()).any(|n| words_match(rest, &words[n..])),
        ([first, rest @ ..], [word, more @ ..]) => glob(first, word) && words_match(rest, more),
        _ => false,
    }
}

/// `*` is any text, `?` one character, `[ab]` one of these, `[!ab]` none of them.
fn glob(pattern: &str, text: &str) -> bool {
    let Some(first) = pattern.chars().next() else { return text.is_empty() };
    let rest = &pattern[first.len_utf8()..];
    let next = text.chars().next();
    let behind = |accepts: bool, rest: &str| {
        let Some(next) = next else { return false };
        accepts && glob(rest, &text[next.len_utf8()..])
    };
    match first {
        '*' => (0..=text.len()).any(|at| text.is_char_boundary(at) && glob(rest, &text[at..])),
        '?' => behind(true, rest),
        '[' => {
            let end = rest.find(']').expect("classes are closed");
            let (class, rest) = (&rest[..end], &rest[end + 1..]);
            let is_in = |class: &str| next.is_some_and(|next| class.contains(next));
            match class.strip_prefix('!') {
                Some(class) => behind(!is_in(class), rest),
                None => behind(is_in(class), rest),
            }
        }
        literal => behind(next == Some(literal), rest),
    }
}
