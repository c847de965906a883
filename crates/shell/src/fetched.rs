//! Code that a command takes from the network: through a pipe, through a substitution, or out of a file that the line loads
//! first. Says only that it does; what it would run, nobody can tell.

use super::{Command, CommandLine, Opaque, Reach, Redirect, RedirectKind};

/// Programs that print, or write into a file, what an address gives them.
const LOADERS: [&str; 16] = [
    "curl",
    "wget",
    "wget2",
    "aria2c",
    "http",
    "https",
    "xh",
    "xhs",
    "curlie",
    "lwp-request",
    "GET",
    "lynx",
    "iwr",
    "irm",
    "invoke-webrequest",
    "invoke-restmethod",
];

/// No more commands than this are looked at for one.
pub(super) const MAX: usize = 32;

/// Returns whether a command loads something from the network to print or to write it, or is given it in a pipe.
pub(super) fn loads(line: &CommandLine, command: &Command) -> bool {
    let is_loader =
        |command: &Command| line.program(command).is_some_and(|program| LOADERS.contains(&program));
    is_loader(command) || line.input(command).iter().take(MAX).any(is_loader)
}

/// Returns why nobody can tell what a command runs, if that comes from the network; what was said before, if not.
pub(super) fn reason(line: &CommandLine, index: u32, command: &Command, why: Opaque) -> Opaque {
    if !matches!(why, Opaque::Input | Opaque::Text) {
        return why;
    }
    let behind = line.commands().iter().skip(index as usize + 1).take(MAX);
    let is_inside =
        |inner: &&Command| inner.parent == Some(index) && inner.reach == Reach::Substitution;
    let mut inside = behind.filter(is_inside);
    let is_fetched = line.input(command).iter().take(MAX).any(|input| loads(line, input))
        || inside.any(|inner| loads(line, inner));
    if is_fetched { Opaque::Fetched } else { why }
}

/// Returns whether a command runs what it reads, and that is neither written in the line nor read from files alone: what stands
/// in a file is looked at no more than when it is run by its name.
pub(super) fn is_unseen(line: &CommandLine, command: &Command) -> bool {
    let reads = |redirect: &&Redirect| redirect.reads();
    if let Some(redirect) = line.redirects(command).iter().rev().find(reads) {
        let word = line.target(redirect);
        return redirect.kind != RedirectKind::Read || word.is_process();
    }
    let shows_files =
        |input: &Command| line.program(input) == Some("cat") && line.words(input).len() > 1;
    let mut inputs = line.input(command).iter().filter(|input| input.runs()).take(MAX);
    inputs.any(|input| !shows_files(input))
}
