//! Lexical path normalisation: no file system is asked, symbolic links are not resolved.

/// `path` with `.`, `..`, doubled and trailing slashes resolved, made absolute from `cwd` where
/// one is known. Answers with `path` itself where it is already normal, else writes to `scratch`.
pub fn normalise<'a>(path: &'a str, cwd: Option<&str>, scratch: &'a mut String) -> &'a str {
    let absolute = path.starts_with('/');
    let base = if absolute { None } else { cwd.filter(|cwd| cwd.starts_with('/')) };
    if base.is_none() && is_normal(path) {
        return path;
    }
    scratch.clear();
    if let Some(base) = base {
        push_parts(scratch, base, true);
    }
    push_parts(scratch, path, absolute || base.is_some());
    if scratch.is_empty() {
        scratch.push_str(if absolute || base.is_some() { "/" } else { "." });
    }
    scratch
}

fn is_normal(path: &str) -> bool {
    let bytes = path.as_bytes();
    if path == "/" {
        return true;
    }
    // A part that begins with a dot may be `.`, `..` or the name of a file: it is looked at slowly.
    let is_odd = |slash: usize| matches!(bytes.get(slash + 1), None | Some(b'/' | b'.'));
    let may_be_odd = bytes.starts_with(b".") || memchr::memchr_iter(b'/', bytes).any(is_odd);
    !bytes.is_empty() && (!may_be_odd || has_normal_parts(path))
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

/// Whether a parameter of this name holds a file path.
#[must_use]
pub fn is_path_param(name: &str) -> bool {
    matches!(name, "path" | "filepath") || name.ends_with("file_path") || name.ends_with("_path")
}

#[cfg(test)]
mod tests {
    use super::normalise;

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
    fn relative_paths_start_from_the_working_directory() {
        check("src/a.rs", Some("/repo"), "/repo/src/a.rs");
        check("../a.rs", Some("/repo/src/"), "/repo/a.rs");
        check("/abs", Some("/repo"), "/abs");
        check("a", Some("relative"), "a");
        check(".", Some("/"), "/");
        check("..", Some("/"), "/");
    }
}
