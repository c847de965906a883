//! Path patterns matched as they are written, without an engine: most that people write are names with a few stars.
//!
//! What is matched so is a glob of names, `*`, `?` and `**`, or one pair of braces around several of those. It means what
//! the compiler's translation to a regular expression means, which stays in the image for whoever asks for that.

/// Whether a glob is one that is matched as it is written.
#[must_use]
pub fn is_direct(glob: &str) -> bool {
    let is_plain = |glob: &str| !glob.is_empty() && !glob.contains(['[', ']', '{', '}', '\\']);
    match listed(glob) {
        Some(list) => {
            list.split(',').all(|one| is_plain(one) && !one.ends_with('/') && !one.starts_with('/'))
        }
        None => is_plain(anchored(glob).unwrap_or(glob)),
    }
}

/// Whether a glob is a list of several: `{*.pem,*.key}`.
#[must_use]
pub fn is_list(glob: &str) -> bool {
    listed(glob).is_some()
}

/// Whether a path is one that a direct glob names. The path is seen from where the glob starts: `./` and the like are
/// not a part of it.
#[must_use]
pub fn matches(glob: &str, path: &str) -> bool {
    if let Some(list) = listed(glob) {
        return list.split(',').any(|one| Walk::anywhere(one, path).matches());
    }
    match anchored(glob) {
        Some(rest) => Walk::from_start(rest, path).matches(),
        None if glob.starts_with('/') => Walk::from_start(glob, path).matches(),
        None => Walk::anywhere(glob, path).matches(),
    }
}

/// What stands behind the place that a glob starts from, where it says one.
fn anchored(glob: &str) -> Option<&str> {
    ["./", "~/", "//"].iter().find_map(|anchor| glob.strip_prefix(anchor))
}

fn listed(glob: &str) -> Option<&str> {
    glob.strip_prefix('{')?.strip_suffix('}')
}

/// A glob and a path, each read up to somewhere, and where to go on when they part.
struct Walk<'t> {
    glob: &'t [u8],
    path: &'t [u8],
    /// What is read of them.
    read: (usize, usize),
    /// Behind the last `*`, and how far it reaches. An earlier one needs no other try: what the last one takes in is all
    /// that the earlier could have left to it.
    star: Option<(usize, usize)>,
    /// The same of the last `**/`, or of the start of a glob that may start at any name.
    folders: Option<(usize, usize)>,
}

impl<'t> Walk<'t> {
    fn from_start(glob: &'t str, path: &'t str) -> Self {
        let (glob, path) = (glob.as_bytes(), path.as_bytes());
        Self { glob, path, read: (0, 0), star: None, folders: None }
    }

    /// A glob that may start at the start of any name.
    fn anywhere(glob: &'t str, path: &'t str) -> Self {
        Self { folders: Some((0, 0)), ..Self::from_start(glob, path) }
    }

    /// At most as many steps as the glob has bytes, for each byte of the path and each name that the glob goes over.
    fn matches(mut self) -> bool {
        if !self.path.ends_with(self.plain_end()) {
            return false;
        }
        loop {
            match self.step() {
                Step::On => {}
                Step::Matched => return true,
                Step::Parted if self.longer_star() || self.more_folders() => {}
                Step::Parted => return false,
            }
        }
    }

    /// The names and signs behind the last star, which every path ends with that matches.
    fn plain_end(&self) -> &'t [u8] {
        if self.glob.ends_with(b"/") {
            return &[];
        }
        let is_sign = |byte: &u8| matches!(byte, b'*' | b'?');
        let start = self.glob.iter().rposition(is_sign).map_or(0, |at| at + 1);
        let (before, end) = self.glob.split_at_checked(start).unwrap_or_default();
        // No folder at all has no slash behind it.
        if before.ends_with(b"**") { end.strip_prefix(b"/").unwrap_or(end) } else { end }
    }

    fn step(&mut self) -> Step {
        let (glob, path) = self.read;
        let next = self.path.get(path).copied();
        let Some(sign) = self.glob.get(glob) else {
            // With a slash at its end, it is everything below.
            let is_below = self.glob.ends_with(b"/");
            return if next.is_some() == is_below { Step::Matched } else { Step::Parted };
        };
        match (sign, next) {
            (b'*', _) => self.stars(next),
            (b'?', Some(byte)) if byte != b'/' && !is_inside(byte) => {
                let rest = self.path.get(path + 1..).unwrap_or_default();
                let inside = rest.iter().take_while(|byte| is_inside(**byte)).count();
                self.read = (glob + 1, path + 1 + inside);
                Step::On
            }
            (sign, Some(byte)) if *sign == byte => {
                self.read = (glob + 1, path + 1);
                Step::On
            }
            _ => Step::Parted,
        }
    }

    /// `*`, `**` and `**/`.
    fn stars(&mut self, next: Option<u8>) -> Step {
        let (glob, path) = self.read;
        let behind = self.glob.get(glob + 1).copied();
        if behind == Some(b'*') {
            if self.glob.get(glob + 2).is_none() {
                return if next.is_some() { Step::Matched } else { Step::Parted };
            }
            self.read = (glob + 3, path);
            (self.star, self.folders) = (None, Some(self.read));
            return Step::On;
        }
        let is_fresh =
            glob.checked_sub(1).is_none_or(|before| self.glob.get(before) == Some(&b'/'));
        let is_whole = is_fresh && behind.is_none_or(|behind| behind == b'/');
        // A name that is only a star is not empty.
        let has_name = next.is_some_and(|byte| byte != b'/');
        if is_whole && !has_name {
            return Step::Parted;
        }
        self.read = (glob + 1, path + usize::from(is_whole));
        self.star = Some(self.read);
        Step::On
    }

    /// Lets the last `*` take in one more byte.
    fn longer_star(&mut self) -> bool {
        let Some((glob, path)) = self.star else { return false };
        if self.path.get(path).is_none_or(|byte| *byte == b'/') {
            return false;
        }
        self.read = (glob, path + 1);
        self.star = Some(self.read);
        true
    }

    /// Goes on at the next name of the path.
    fn more_folders(&mut self) -> bool {
        let Some((glob, path)) = self.folders else { return false };
        let Some(slash) = memchr::memchr(b'/', self.path.get(path..).unwrap_or_default()) else {
            return false;
        };
        self.read = (glob, path + slash + 1);
        (self.star, self.folders) = (None, Some(self.read));
        true
    }
}

enum Step {
    On,
    Matched,
    Parted,
}

/// Whether a byte stands inside of a character of several.
fn is_inside(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

#[cfg(test)]
mod tests {
    use super::{is_direct, matches};

    #[test]
    fn what_is_written_is_what_is_matched() {
        let check = |glob, path, expect| {
            assert!(is_direct(glob), "{glob}");
            assert_eq!(matches(glob, path), expect, "{glob} {path}");
        };
        check("*.env", "/a/.env", true);
        check("*.env", "/a/.env.b", false);
        check(".env.*", "/a/.env.", true);
        check("src/*.rs", "/a/src/b.rs", true);
        check("src/*.rs", "/a/src/b/c.rs", false);
        check("**/test/**", "test/a", true);
        check("**/b", "b", true);
        check("a/**/b", "x/a/b", true);
        check("a/**/b", "x/a/c/d/b", true);
        check("a/**/b", "x/a/c/d/b/e", false);
        check("./a", "x/a", false);
        check("/etc/*", "/etc/", false);
        check("build/", "x/build/y", true);
        check("build/", "x/build", false);
        check("?.c", "x/ü.c", true);
        check("*?.c", "x/ü.c", true);
        check("{*.pem,id_*}", "/a/id_rsa", true);
        check("{*.pem,id_*}", "/a/id", false);
        check("*a*b", "/x/aab/cacb", true);
    }

    #[test]
    fn what_says_more_is_not() {
        for glob in
            ["*.py[co]", "a.{b,c}", "a\\*", "{a,{b,c}}", "{/a,b}", "{a/,b}", "", "{}", "./", "//"]
        {
            assert!(!is_direct(glob), "{glob}");
        }
    }
}
