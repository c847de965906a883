//! What `sed` makes of a constant text by substitutions that are written plainly: `s/NAME/value/g`. Of whatever else a script
//! says nothing is known.

/// How `sed` is called, as far as it is read here.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Call<'w> {
    scripts: Vec<&'w str>,
    is_extended: bool,
    /// Whether it changes the files that it is given.
    pub is_in_place: bool,
    /// The files that it reads.
    pub files: Vec<&'w str>,
}

/// A substitution of one constant text by another.
struct Substitution {
    from: String,
    to: String,
    is_at_start: bool,
    is_at_end: bool,
    is_for_all: bool,
}

impl<'w> Call<'w> {
    /// Reads the words behind `sed`; `None` where one of them says something else.
    pub fn of(words: &[&'w str]) -> Option<Self> {
        let mut call = Self::default();
        let mut words = words.iter().copied();
        let mut operands = Vec::new();
        while let Some(word) = words.next() {
            match word {
                "-e" | "--expression" => call.scripts.push(words.next()?),
                "-E" | "-r" | "--regexp-extended" => call.is_extended = true,
                "-i" | "--in-place" => call.is_in_place = true,
                "-u" | "--unbuffered" => {}
                word if word.starts_with("-i") => {
                    let is_ending = !word.get(2..)?.contains(['/', '*']);
                    call.is_in_place = is_ending.then_some(true)?;
                }
                word if word.starts_with("--expression=") => {
                    call.scripts.push(word.strip_prefix("--expression=")?);
                }
                "-" => operands.push(word),
                word if word.starts_with('-') => return None,
                word => operands.push(word),
            }
        }
        let is_behind = call.scripts.is_empty();
        if is_behind {
            call.scripts.extend(operands.first());
        }
        call.files = operands.split_off(usize::from(is_behind).min(operands.len()));
        Some(call)
    }

    /// Returns what it makes of a text.
    pub fn apply(&self, text: &str) -> Option<String> {
        /// No more is made of a text than this, in bytes.
        const MAX: usize = 1 << 16;
        const MAX_STEPS: usize = 32;
        let mut steps = Vec::new();
        for script in &self.scripts {
            let mut rest = script.trim_start();
            while !rest.is_empty() {
                let (step, behind) = substitution(rest, self.is_extended)?;
                (steps.len() < MAX_STEPS).then_some(())?;
                steps.push(step);
                rest = behind.trim_start_matches([';', '\n', ' ', '\t']);
            }
        }
        let mut made = String::new();
        for own in text.split_inclusive('\n') {
            let (line, end) = own.strip_suffix('\n').map_or((own, ""), |line| (line, "\n"));
            let mut line = line.to_owned();
            for step in &steps {
                line = step.apply(&line);
                (made.len() + line.len() <= MAX).then_some(())?;
            }
            made.push_str(&line);
            made.push_str(end);
        }
        Some(made)
    }
}

impl Substitution {
    fn apply(&self, line: &str) -> String {
        match (self.is_at_start, self.is_at_end) {
            (true, true) if line == self.from => self.to.clone(),
            (true, true) => line.to_owned(),
            (true, false) => line
                .strip_prefix(self.from.as_str())
                .map_or_else(|| line.to_owned(), |rest| format!("{}{rest}", self.to)),
            (false, true) => line
                .strip_suffix(self.from.as_str())
                .map_or_else(|| line.to_owned(), |rest| format!("{rest}{}", self.to)),
            (false, false) if self.is_for_all => line.replace(&self.from, &self.to),
            (false, false) => line.replacen(&self.from, &self.to, 1),
        }
    }
}

/// The substitution at the beginning of a script, and what stands behind it.
fn substitution(script: &str, is_extended: bool) -> Option<(Substitution, &str)> {
    let rest = script.strip_prefix('s')?;
    let sign = rest.chars().next().filter(|sign| sign.is_ascii_punctuation() && *sign != '\\')?;
    let (from, rest) = part(rest.get(1..)?, sign)?;
    let (to, rest) = part(rest, sign)?;
    let (is_for_all, rest) = match rest.strip_prefix('g') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let is_end = rest.is_empty() || rest.starts_with([';', '\n', ' ', '\t']);
    let (is_at_start, from) = match from.strip_prefix('^') {
        Some(from) => (true, from),
        None => (false, from),
    };
    let (is_at_end, from) = match from.strip_suffix('$').filter(|from| !from.ends_with('\\')) {
        Some(from) => (true, from),
        None => (false, from),
    };
    // The sign around the parts means itself in them, or what it would mean anyway.
    let from = literal(from, sign, is_extended).filter(|from| !from.is_empty())?;
    let to = replacement(to, sign)?;
    is_end.then_some((Substitution { from, to, is_at_start, is_at_end, is_for_all }, rest))
}

/// What stands before the next sign that has no backslash before it.
fn part(text: &str, sign: char) -> Option<(&str, &str)> {
    let mut is_escaped = false;
    let end = text.find(|own: char| {
        let is_it = own == sign && !is_escaped;
        is_escaped = own == '\\' && !is_escaped;
        is_it
    })?;
    Some((text.get(..end)?, text.get(end + 1..)?))
}

/// The text that a pattern fits alone.
fn literal(pattern: &str, sign: char, is_extended: bool) -> Option<String> {
    let mut found = String::new();
    let mut signs = pattern.chars();
    while let Some(own) = signs.next() {
        match own {
            '\\' => match signs.next()? {
                next if next == sign => return None,
                next @ ('.' | '*' | '[' | ']' | '^' | '$' | '/' | '\\') => found.push(next),
                _ => return None,
            },
            '.' | '*' | '[' | '^' | '$' | super::HOLE => return None,
            '+' | '?' | '(' | ')' | '{' | '}' | '|' if is_extended => return None,
            own => found.push(own),
        }
    }
    Some(found)
}

/// The text that stands for what a pattern fits.
fn replacement(text: &str, sign: char) -> Option<String> {
    let mut found = String::new();
    let mut signs = text.chars();
    while let Some(own) = signs.next() {
        match own {
            '\\' => match signs.next()? {
                'n' => found.push('\n'),
                next if next == sign => found.push(next),
                next @ ('&' | '\\' | '\n' | '/' | '.' | '"' | '\'') => found.push(next),
                _ => return None,
            },
            '&' | super::HOLE => return None,
            own => found.push(own),
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::Call;

    #[test]
    fn plain_substitutions_are_followed_and_nothing_else() {
        for (words, text, expected) in [
            (&["s/A/rm/"][..], "A -rf A\nA\n", Some("rm -rf A\nrm\n")),
            (&["s/A/b/g;s|c|d|"], "AcA", Some("bdb")),
            (&["-e", "s/^A/b/", "-e", "s/z$/y/"], "AAz", Some("bAy")),
            (&["s/@V@/1.2/"], "x@V@", Some("x1.2")),
            (&["-E", "s/{V}/1/"], "{V}", None),
            (&["s/{V}/1/"], "{V}", Some("1")),
            (&["s/a.c/1/"], "abc", None),
            (&["s/a/&&/"], "a", None),
            (&["s/a/b/e"], "a", None),
            (&["s/a/b/w x"], "a", None),
            (&["1d"], "a", None),
            (&["-n", "s/a/b/"], "a", None),
            (&["-f", "x"], "a", None),
            (&["s/a/\\n/"], "a", Some("\n")),
            (&["y/a/b/"], "a", None),
            (&["1s/a/b/"], "a", None),
        ] {
            let made = Call::of(words).and_then(|call| call.apply(text));
            assert_eq!(made.as_deref(), expected, "{words:?}");
        }
        let call = Call::of(&["-i.bak", "s/a/b/", "f"]).unwrap_or_default();
        assert!(call.is_in_place && call.files == ["f"]);
    }
}
