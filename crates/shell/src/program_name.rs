//! The name of a program, and whether a path stands for the program that its name does.

/// The directories that hold the programs of a system.
const SYSTEM: [&str; 6] =
    ["/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/opt/homebrew/bin"];

/// Whether a byte is one of a name that is written as what it is. It is asked of each letter of each program again and again.
#[expect(
    clippy::indexing_slicing,
    reason = "in a constant, what is out of bounds does not compile"
)]
const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        plain[byte] = matches!(byte as u8, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_');
        byte += 1;
    }
    plain
};

/// Whether a program stands where its bare name would be looked for: it has no directory, or one of
/// the system.
pub(super) fn is_system_path(path: &str) -> bool {
    match path.rfind(['/', '\\']) {
        None => true,
        _ if is_own_program(path) => true,
        Some(end) => path.get(..end).is_some_and(|directory| SYSTEM.contains(&directory)),
    }
}

/// A program without the version with which managers of packages are asked for it: `npm@latest`.
fn without_version(name: &str) -> &str {
    match name.split_once('@') {
        Some((name, version)) if !name.is_empty() && !version.is_empty() => name,
        _ => name,
    }
}

/// Whether a path is the program of a process, by the system's table of them. In a line that is the shell that reads it.
fn is_own_program(path: &str) -> bool {
    let process = path.strip_prefix("/proc/").and_then(|rest| rest.strip_suffix("/exe"));
    process.is_some_and(|process| !process.contains('/'))
}

/// A program without its directory, without its version, without the ending that Windows gives it, and without the `=`
/// with which zsh asks for its path.
pub(super) fn program_name(path: &str) -> &str {
    // Most are written as what they are.
    if path.bytes().all(|byte| PLAIN.get(usize::from(byte)) == Some(&true)) {
        return path;
    }
    if is_own_program(path) {
        return "bash";
    }
    let path = path
        .strip_prefix('=')
        .filter(|name| name.starts_with(|first: char| first.is_ascii_alphabetic()))
        .unwrap_or(path);
    let behind = path.bytes().rposition(|byte| matches!(byte, b'/' | b'\\'));
    let name = behind.and_then(|at| path.get(at + 1..)).unwrap_or(path);
    let name = without_version(name);
    match name.len().checked_sub(4) {
        Some(stem) if name.get(stem..).is_some_and(|end| end.eq_ignore_ascii_case(".exe")) => {
            name.get(..stem).unwrap_or(name)
        }
        _ => name,
    }
}
