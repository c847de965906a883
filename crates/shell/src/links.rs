//! Links that a line makes: what a later command of it does through one, it does to what that leads to. Asks no disk,
//! which knows the links that are there already.

use super::directories::{join, parts, reduced};
use super::touched::file::{Effect, Extent, Touched};
use super::{Command, CommandLine, HOLE};

/// No more links than this are followed, and no more files are told for them: what comes behind them is one that nobody
/// knows.
const MAX_LINKS: usize = 64;
const MAX_FILES: usize = 1_024;

/// A name that stands for another one.
struct Link {
    /// The command that makes it.
    command: u32,
    path: String,
    leads_to: String,
}

/// Returns what commands touch through the links that commands before them make. `files` is in the order of commands.
pub(super) fn through(line: &CommandLine, files: &[Touched]) -> Vec<Touched> {
    let mut links = links(line, files);
    let Some(last) = links.last().map(|link| link.command) else { return Vec::new() };
    let is_cut = links.len() > MAX_LINKS;
    links.truncate(MAX_LINKS);
    let reached = |touched: &Touched| {
        let before = links.iter().filter(|link| link.command < touched.command);
        before.filter_map(|link| link.reached_by(touched)).collect::<Vec<_>>()
    };
    let mut found: Vec<Touched> = files.iter().flat_map(reached).take(MAX_FILES + 1).collect();
    if is_cut || found.len() > MAX_FILES {
        found.truncate(MAX_FILES);
        found.push(Touched {
            effect: Effect::Write,
            extent: Extent::Tree,
            path: HOLE.to_string(),
            is_pattern: false,
            may_split: false,
            is_doubtful: false,
            out_of: None,
            command: last,
        });
    }
    found
}

/// The links that a line makes whose both ends are known; of more than are followed, one more.
fn links(line: &CommandLine, files: &[Touched]) -> Vec<Link> {
    let mut found: Vec<Link> = Vec::new();
    for (number, command) in (0..).zip(line.commands()) {
        if !makes_links(line, command) {
            continue;
        }
        let from = files.partition_point(|touched| touched.command < number);
        let of_command = files.iter().skip(from).take_while(|touched| touched.command == number);
        let is_known = |touched: &&Touched| !touched.path.contains(HOLE) && !touched.is_pattern;
        let known: Vec<&Touched> = of_command.filter(is_known).collect();
        for made in known.iter().filter(|touched| touched.effect == Effect::Write) {
            for leads_to in ends(line, command, &made.path, &known) {
                // A link may lead to what lies behind another one.
                let further = found.iter().filter_map(|link| link.leads_on(&leads_to));
                let all: Vec<String> = further.chain([leads_to.clone()]).collect();
                let link = |leads_to| Link { command: number, path: made.path.clone(), leads_to };
                found.extend(all.into_iter().filter(|end| *end != made.path).map(link));
                if found.len() > MAX_LINKS {
                    return found;
                }
            }
        }
    }
    found
}

/// Whether a command makes links; what copies does so where it is told to.
fn makes_links(line: &CommandLine, command: &Command) -> bool {
    match line.program(command) {
        Some("ln" | "gln" | "link") => true,
        Some("cp" | "gcp") => {
            has_flag(line, command, "sl", "--sym") || has_flag(line, command, "", "--l")
        }
        _ => false,
    }
}

/// Whether a flag is there, by its letter or the beginning of its name.
fn has_flag(line: &CommandLine, command: &Command, letters: &str, name: &str) -> bool {
    line.words(command).iter().skip(1).map(|word| line.text(word)).any(|word| {
        let cluster = word.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        cluster.is_some_and(|own| own.contains(|letter| letters.contains(letter)))
            || word.starts_with(name)
    })
}

/// Where a link leads: one that is symbolic is seen from where it lies, another one from where its command runs.
fn ends(line: &CommandLine, command: &Command, link: &str, files: &[&Touched]) -> Vec<String> {
    let words: Vec<&str> = line.words(command).iter().skip(1).map(|word| line.text(word)).collect();
    if !has_flag(line, command, "s", "--sym") {
        let read = files.iter().filter(|touched| touched.effect == Effect::Read);
        return read.take(MAX_LINKS + 1).map(|touched| touched.path.clone()).collect();
    }
    let folder = link.rfind('/').map_or("", |slash| link.get(..slash).unwrap_or_default());
    let folder = if folder.is_empty() && link.starts_with('/') { "/" } else { folder };
    let names_folder = has_flag(line, command, "t", "--t");
    let mut operands: Vec<&str> = words.into_iter().filter(|word| !word.starts_with('-')).collect();
    // The last one says what the link is called, unless a flag says where all of them go.
    if operands.len() > 1 && !names_folder {
        operands.pop();
    }
    let known = operands.into_iter().filter(|operand| !operand.contains(HOLE));
    known.take(MAX_LINKS + 1).map(|operand| join(folder, operand)).collect()
}

impl Link {
    /// What a command that touches a file touches through the link.
    fn reached_by(&self, touched: &Touched) -> Option<Touched> {
        // The link itself is deleted, and not what it leads to.
        let is_link = touched.effect == Effect::Delete
            && reduced(parts(&touched.path)) == reduced(parts(&self.path));
        let path = self.leads_on(&touched.path).filter(|_| !is_link)?;
        Some(Touched { path, out_of: None, ..touched.clone() })
    }

    /// Where a path leads that goes through the link.
    fn leads_on(&self, path: &str) -> Option<String> {
        if path.starts_with('/') != self.path.starts_with('/') {
            return None;
        }
        let own = reduced(parts(&self.path));
        // A way back behind the link begins where that leads.
        let as_written: Vec<&str> = parts(path).collect();
        let ways = [as_written.clone(), reduced(as_written.into_iter())];
        let rest = ways.iter().find_map(|way| way.strip_prefix(own.as_slice()))?;
        let leads_to = self.leads_to.trim_end_matches('/');
        Some(rest.iter().fold(leads_to.to_owned(), |path, part| path + "/" + part))
    }
}
