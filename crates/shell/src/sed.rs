//! Scripts of `sed`, as far as it takes to find the commands that they run and the files that they read and write. It reads no
//! files and does not check scripts: where one means nothing, nothing more is found.

use std::ops::Range;

/// What a script runs or writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Run {
    /// The text here, in bytes of the script: a command line.
    Line(Range<usize>),
    /// A line of its input, of which the text here may be what was put into it.
    Input(Range<usize>),
    /// Nothing: it writes the file here.
    Write(Range<usize>),
    /// Nothing: it reads the file here.
    Read(Range<usize>),
}

/// What a script runs and writes, in its order.
pub(super) fn runs(script: &str) -> Vec<Run> {
    let mut reader = Reader { bytes: script.as_bytes(), at: 0 };
    let mut found = Vec::new();
    while reader.command(&mut found).is_some() {}
    found
}

struct Reader<'s> {
    bytes: &'s [u8],
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_while(&mut self, is_skipped: impl Fn(u8) -> bool) {
        while self.peek().is_some_and(&is_skipped) {
            self.at += 1;
        }
    }

    fn skip_blanks(&mut self) {
        self.skip_while(|byte| byte.is_ascii_whitespace() && byte != b'\n');
    }

    /// The rest of the line, whose end a backslash may hide.
    fn line(&mut self) -> Range<usize> {
        let start = self.at;
        while let Some(byte) = self.peek().filter(|byte| *byte != b'\n') {
            self.at += if byte == b'\\' { 2 } else { 1 };
        }
        self.at = self.at.min(self.bytes.len());
        start..self.at
    }

    /// The text up to a sign, which may stand in brackets too where these mean something.
    fn until(&mut self, end: u8, has_brackets: bool) -> Option<Range<usize>> {
        let start = self.at;
        loop {
            match self.peek()? {
                byte if byte == end => break,
                b'\\' => self.at += 2,
                b'[' if has_brackets => self.brackets(),
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(start..self.at - 1)
    }

    /// `[…]`, in which `]` may come first and `[:alpha:]` may stand.
    fn brackets(&mut self) {
        self.at += 1;
        let _ = self.take(b'^');
        let _ = self.take(b']');
        while let Some(byte) = self.peek() {
            self.at += 1;
            match (byte, self.peek()) {
                (b']', _) => break,
                (b'[', Some(kind @ (b':' | b'.' | b'='))) => {
                    self.at += 1;
                    self.skip_while(|byte| byte != kind);
                    self.at += 2;
                }
                _ => {}
            }
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    /// A line number, a pattern, `$`, a step; nothing is fine, too.
    fn address(&mut self) -> Option<()> {
        match self.peek()? {
            b'/' => {
                self.at += 1;
                self.until(b'/', true)?;
            }
            b'\\' => {
                let end = self.bytes.get(self.at + 1).copied()?;
                self.at += 2;
                self.until(end, true)?;
            }
            _ => {}
        }
        self.skip_while(|byte| {
            byte.is_ascii_digit() || matches!(byte, b'$' | b'~' | b'+' | b'I' | b'M')
        });
        self.skip_blanks();
        Some(())
    }

    /// One command; `None` at the end and where there is none.
    fn command(&mut self, found: &mut Vec<Run>) -> Option<()> {
        self.skip_while(|byte| byte.is_ascii_whitespace() || matches!(byte, b';' | b'{' | b'}'));
        self.address()?;
        if self.take(b',') {
            self.skip_blanks();
            self.address()?;
        }
        self.skip_while(|byte| byte == b'!' || byte == b' ');
        let command = self.peek()?;
        self.at += 1;
        match command {
            b'e' => {
                self.skip_blanks();
                let line = self.line();
                found.push(if line.is_empty() { Run::Input(line) } else { Run::Line(line) });
            }
            b's' => self.substitution(found)?,
            b'y' => {
                let end = self.peek()?;
                self.at += 1;
                self.until(end, false)?;
                self.until(end, false)?;
            }
            b'a' | b'i' | b'c' | b'#' => _ = self.line(),
            b'r' | b'R' => {
                let file = self.file();
                found.push(Run::Read(file));
            }
            b'w' | b'W' => {
                let file = self.file();
                found.push(Run::Write(file));
            }
            b':' | b'b' | b't' | b'T' => {
                self.skip_while(|byte| !matches!(byte, b';' | b'\n' | b'}'));
            }
            b'=' | b'd' | b'D' | b'F' | b'g' | b'G' | b'h' | b'H' | b'l' | b'L' | b'n' | b'N'
            | b'p' | b'P' | b'q' | b'Q' | b'v' | b'x' | b'z' | b'{' | b'}' => {
                self.skip_while(|byte| byte.is_ascii_digit() || byte == b' ' || byte == b'.');
            }
            _ => return None,
        }
        Some(())
    }

    /// `s/…/…/flags`.
    fn substitution(&mut self, found: &mut Vec<Run>) -> Option<()> {
        let end = self.peek()?;
        self.at += 1;
        self.until(end, true)?;
        let replacement = self.until(end, false)?;
        let flags = self.at;
        self.skip_while(|byte| byte.is_ascii_digit() || b"gpiImMe".contains(&byte));
        if self.bytes.get(flags..self.at).is_some_and(|flags| flags.contains(&b'e')) {
            found.push(Run::Input(replacement));
        }
        if self.take(b'w') {
            let file = self.file();
            found.push(Run::Write(file));
        }
        Some(())
    }

    /// The name of a file, up to the end of the line.
    fn file(&mut self) -> Range<usize> {
        self.skip_blanks();
        self.line()
    }
}

#[cfg(test)]
mod tests {
    use super::{Run, runs};

    #[track_caller]
    fn check(script: &str, expected: &[&str]) {
        let texts: Vec<String> = runs(script)
            .into_iter()
            .map(|run| match run {
                Run::Line(range) => script[range].to_owned(),
                Run::Input(range) => format!("input: {}", &script[range]),
                Run::Write(range) => format!("writes: {}", &script[range]),
                Run::Read(range) => format!("reads: {}", &script[range]),
            })
            .collect();
        assert_eq!(texts, expected, "{script:?}");
    }

    #[test]
    fn commands_that_a_script_runs_are_found() {
        check("e rm x", &["rm x"]);
        check("1e rm x", &["rm x"]);
        check("1,3{e rm x\n}", &["rm x"]);
        check("/a;e b/,$!e rm x", &["rm x"]);
        check("\\,a/b,e rm x", &["rm x"]);
        check("0~3e", &["input: "]);
        check("p; s/a/b/ge", &["input: b"]);
        check("s/a/rm x/e;e ls", &["input: rm x", "ls"]);
        check("s,[,]/,rm\\,x,w out\ne ls", &["writes: out", "ls"]);
        check("1,3w a b\n/x/W c", &["writes: a b", "writes: c"]);
        check("s/a/b/gw /dev/stdout", &["writes: /dev/stdout"]);
        check("s/[[:alpha:]/]/b/e", &["input: b"]);
        check("/a/r e rm x\n$R b", &["reads: e rm x", "reads: b"]);
        check("y/abc/xyz/;e ls", &["ls"]);
        check("a text\ne ls", &["ls"]);
        check(":e\nbe\n$e ls", &["ls"]);
    }

    #[test]
    fn other_scripts_run_nothing() {
        for script in [
            "",
            "p",
            "1,5p",
            "$d",
            "/end/q",
            "s/a/e b/",
            "s/e/e/g",
            "s|a|e rm x|",
            "y/e/ /",
            "a e rm x",
            "i\\\ne rm x",
            "c\\e rm x",
            "# e rm x",
            "s/a/\\/e/",
            "be",
            ":e",
            "n;d",
            "s/",
            "s",
            "y/",
            "\\",
            "/",
            "1,",
            "[",
            "s/[",
            "é",
        ] {
            check(script, &[]);
        }
    }
}
