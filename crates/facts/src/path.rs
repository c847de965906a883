//! Paths as texts: their normal spelling, and where one lies as seen from another. No file system is asked, symbolic links
//! are not resolved.

/// `path` with `.`, `..`, doubled and trailing slashes resolved, made absolute from `cwd` where
/// one is known. Returns `path` itself where it is already normal, else writes to `scratch`.
#[inline]
pub fn normalise<'a>(path: &'a str, cwd: Option<&str>, scratch: &'a mut String) -> &'a str {
    let absolute = path.starts_with('/');
    let base = if absolute { None } else { cwd.filter(|cwd| cwd.starts_with('/')) };
    if base.is_none() && is_normal(path) {
        return path;
    }
    write_normal(path, base, absolute, scratch);
    scratch
}

#[inline(never)]
fn write_normal(path: &str, base: Option<&str>, absolute: bool, scratch: &mut String) {
    scratch.clear();
    if let Some(base) = base {
        push_parts(scratch, base, true);
    }
    push_parts(scratch, path, absolute || base.is_some());
    if scratch.is_empty() {
        scratch.push_str(if absolute || base.is_some() { "/" } else { "." });
    }
}

fn is_normal(path: &str) -> bool {
    let bytes = path.as_bytes();
    // A part that begins with a dot may be `.`, `..` or the name of a file: it is looked at slowly.
    let may_be_odd = bytes.starts_with(b".") || bytes.ends_with(b"/") || has_odd_slash(bytes);
    !bytes.is_empty() && (!may_be_odd || path == "/" || has_normal_parts(path))
}

/// Whether a slash may stand before another or before a dot. Eight bytes are looked at at once, and it
/// may err on the side of yes.
fn has_odd_slash(path: &[u8]) -> bool {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    const HIGH: u64 = ONES << 7;
    let is = |window: u64, byte: u8| {
        let zero = window ^ (ONES * u64::from(byte));
        zero.wrapping_sub(ONES) & !zero & HIGH
    };
    let is_odd = |window: u64, slash: u64, before: u64| {
        let behind = slash << 8 | before;
        // A dot differs from a slash in the last bit alone.
        behind != 0 && behind & is(window | ONES, b'/') != 0
    };
    let (windows, rest) = path.as_chunks::<8>();
    // Whether the last byte of the window before is a slash, at the place of the first of this one.
    let mut before = 0;
    for window in windows {
        let window = u64::from_le_bytes(*window);
        let slash = is(window, b'/');
        if is_odd(window, slash, before) {
            return true;
        }
        before = slash >> 56;
    }
    if rest.is_empty() {
        return false;
    }
    // The last eight were looked at in part.
    let window = path.last_chunk::<8>().copied().unwrap_or_else(|| {
        let mut window = [0; 8];
        window.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
        window
    });
    let window = u64::from_le_bytes(window);
    is_odd(window, is(window, b'/'), 0)
}

fn has_normal_parts(path: &str) -> bool {
    path.split('/').enumerate().all(|(index, part)| match part {
        "" => index == 0,
        "." | ".." => false,
        _ => true,
    })
}

/// Appends the parts of `path` to the normalised path in `out`. With `rooted`, `..` at the root
/// stays there; without, leading `..` parts are kept.
fn push_parts(out: &mut String, path: &str, rooted: bool) {
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                let last = out.rfind('/').map_or(0, |slash| slash + 1);
                let tail = out.get(last..).unwrap_or_default();
                if out.is_empty() || tail == ".." {
                    if !rooted {
                        push_part(out, "..", rooted);
                    }
                } else {
                    out.truncate(last.saturating_sub(1));
                }
            }
            part => push_part(out, part, rooted),
        }
    }
}

fn push_part(out: &mut String, part: &str, rooted: bool) {
    if rooted || !out.is_empty() {
        out.push('/');
    }
    out.push_str(part);
}

/// A path of Windows with the separators that all others have, and its drive as a capital letter, however it
/// is spelled.
#[must_use]
pub fn slashed(path: &str) -> String {
    if is_drive(path) {
        let mut path = path.replace('\\', "/");
        if let Some(drive) = path.get_mut(..1) {
            drive.make_ascii_uppercase();
        }
        return path;
    }
    let is_windows = path.contains('\\') && !path.contains('/');
    if is_windows { path.replace('\\', "/") } else { path.to_owned() }
}

/// A path on a drive of Windows, or one from a working directory there, with all that [`slashed`] and
/// [`normalise`] do; `None` for all others.
#[inline]
#[must_use]
pub fn on_drive(path: &str, cwd: Option<&str>) -> Option<String> {
    let cwd = cwd.filter(|cwd| is_drive(cwd));
    (is_drive(path) || cwd.is_some()).then(|| from_drive(path, cwd))
}

/// What [`on_drive`] says of a path on a drive, or from a directory on one.
#[cold]
fn from_drive(path: &str, cwd: Option<&str>) -> String {
    let path = slashed(path);
    let from = cwd.filter(|_| !path.starts_with(['/', '~']) && !is_drive(&path));
    let full = from.map_or_else(|| path.clone(), |cwd| format!("{}/{path}", slashed(cwd)));
    normalise(&full, None, &mut String::new()).to_owned()
}

/// Whether a path begins with a drive of Windows.
#[inline]
#[must_use]
pub fn is_drive(path: &str) -> bool {
    let bytes = path.as_bytes();
    // The colon says no of most paths.
    bytes.get(1) == Some(&b':')
        && bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && matches!(bytes.get(2), Some(b'/' | b'\\'))
}

/// Whether a parameter of this name holds a file path.
#[inline]
#[must_use]
pub fn is_path_param(name: impl AsRef<[u8]>) -> bool {
    let name = name.as_ref();
    matches!(name, b"path" | b"filepath")
        || name.ends_with(b"file_path")
        || name.ends_with(b"_path")
}

/// Returns whether a path says by itself where it lies: from the root, or on a drive of Windows.
#[inline]
#[must_use]
pub fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || is_drive(path)
}

/// Returns a path as seen from a place that it lies below.
#[inline]
#[must_use]
pub fn below<'p>(full: &'p str, place: &str) -> Option<&'p str> {
    let rest = full.strip_prefix(place.trim_end_matches('/'))?;
    rest.strip_prefix('/').filter(|rest| !rest.is_empty())
}

/// Returns whether a path is a directory, or lies in it.
#[inline]
#[must_use]
pub fn is_in(full: &str, directory: &str) -> bool {
    full == directory || below(full, directory).is_some()
}

/// Returns a path under the working directory as seen from there, any other path as it is.
#[inline]
#[must_use]
pub fn relative_to<'a>(path: &'a str, cwd: Option<&str>) -> &'a str {
    cwd.filter(|cwd| cwd.starts_with('/'))
        .and_then(|cwd| path.strip_prefix(cwd.trim_end_matches('/')))
        .and_then(|rest| rest.strip_prefix('/'))
        .filter(|rest| !rest.is_empty())
        .unwrap_or(path)
}

/// Returns whether a path goes up further than it has come down.
#[must_use]
pub fn leads_out(path: &str) -> bool {
    let mut depth = 0_usize;
    path.split('/').any(|part| match part {
        "" | "." => false,
        ".." if depth == 0 => true,
        ".." => {
            depth -= 1;
            false
        }
        _ => {
            depth += 1;
            false
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{normalise, on_drive, slashed};

    #[track_caller]
    fn check(path: &str, cwd: Option<&str>, expect: &str) {
        assert_eq!(normalise(path, cwd, &mut String::new()), expect, "{path} from {cwd:?}");
    }

    #[test]
    fn equal_paths_become_one_spelling() {
        check("b", None, "b");
        check("./a/../b", None, "b");
        check("a//b/./c/", None, "a/b/c");
        check("../x", None, "../x");
        check("../../x/..", None, "../..");
        check("a/..", None, ".");
        check(".", None, ".");
        check("", None, ".");
        check("/", None, "/");
        check("//", None, "/");
        check("/..", None, "/");
        check("/a/../../b", None, "/b");
        check("/a/.../b", None, "/a/.../b");
        check(".git/config", None, ".git/config");
    }

    #[test]
    fn odd_parts_are_seen_wherever_they_stand() {
        for length in 1..20 {
            let before = "a".repeat(length);
            for odd in ["/./", "//", "/.", "/x/../"] {
                let end = if odd == "/." { "" } else { "b" };
                let expect = if end.is_empty() { before.clone() } else { format!("{before}/b") };
                check(&format!("{before}{odd}{end}"), None, &expect);
            }
            check(&format!("{before}/.b"), None, &format!("{before}/.b"));
        }
    }

    #[test]
    fn relative_paths_start_from_the_working_directory() {
        check("src/a.rs", Some("/repo"), "/repo/src/a.rs");
        check("../a.rs", Some("/repo/src/"), "/repo/a.rs");
        check("/abs", Some("/repo"), "/abs");
        check("a", Some("relative"), "a");
        check(".", Some("/"), "/");
        check("..", Some("/"), "/");
    }

    #[test]
    fn paths_of_windows_have_slashes() {
        assert_eq!(slashed(r"C:\repo\a.rs"), "C:/repo/a.rs");
        assert_eq!(slashed(r"c:\repo\a.rs"), "C:/repo/a.rs");
        assert_eq!(slashed("c:/repo/a.rs"), "C:/repo/a.rs");
        assert_eq!(slashed(r"src\a.rs"), "src/a.rs");
        assert_eq!(slashed(r"a/b\ c"), r"a/b\ c");
    }

    #[test]
    fn a_file_on_a_drive_has_one_spelling() {
        let cwd = Some(r"c:\repo");
        for path in
            [r"C:\repo\src\a.rs", "c:/repo/src/a.rs", r"src\a.rs", "./src/a.rs", r"x\..\src\a.rs"]
        {
            assert_eq!(on_drive(path, cwd).as_deref(), Some("C:/repo/src/a.rs"), "{path}");
        }
        assert_eq!(on_drive("/src/a.rs", cwd).as_deref(), Some("/src/a.rs"));
        assert_eq!(on_drive(r"src\a.rs", Some("/repo")), None);
        assert_eq!(on_drive(r"src\a.rs", None), None);
    }
}
