//! Passwords that a command line hands to a program by an option that says nothing of them: `mysql -pX`, `sshpass -p
//! X`. Only what is kept or shown asks: the programs have to be looked for, which the scan has no time for.

use std::ops::Range;

use crate::placeholder::is_placeholder;
use crate::text::run;

/// A program and its option whose value is a password.
struct Own {
    /// What the program is called.
    programs: &'static [&'static [u8]],
    /// The subcommand that has to stand before the option; empty where none has.
    subcommand: &'static [u8],
    option: &'static [u8],
    /// Where the value stands.
    value: At,
    /// What stands before the password in the value; empty where it is all of it.
    behind: &'static [u8],
}

/// Where the value of an option stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// In the same word.
    Attached,
    /// In the next word.
    Next,
    Either,
}

const fn own(programs: &'static [&'static [u8]], option: &'static [u8], value: At) -> Own {
    Own { programs, subcommand: b"", option, value, behind: b"" }
}

/// Source: the manuals of the programs.
const OWN: [Own; 14] = [
    own(
        &[b"mysql", b"mysqldump", b"mysqladmin", b"mysqlimport", b"mysqlshow", b"mysqlcheck"],
        b"-p",
        At::Attached,
    ),
    own(&[b"mariadb", b"mariadb-dump", b"mariadb-admin"], b"-p", At::Attached),
    own(&[b"sshpass", b"mongo", b"mongosh", b"mongodump", b"mongorestore"], b"-p", At::Either),
    own(&[b"redis-cli"], b"-a", At::Next),
    own(&[b"sqlcmd", b"bcp"], b"-P", At::Either),
    own(&[b"7z", b"7za", b"7zz"], b"-p", At::Attached),
    own(&[b"zip", b"unzip"], b"-P", At::Either),
    own(&[b"ldapsearch", b"ldapmodify", b"ldapadd", b"ldapdelete"], b"-w", At::Either),
    own(&[b"kinit", b"ipmitool"], b"-P", At::Next),
    Own {
        subcommand: b"login",
        ..own(
            &[b"docker", b"podman", b"buildah", b"skopeo", b"helm", b"oras", b"nerdctl", b"az"],
            b"-p",
            At::Either,
        )
    },
    Own { behind: b"%", ..own(&[b"smbclient", b"rpcclient"], b"-U", At::Either) },
    Own { behind: b"pass:", ..own(&[b"openssl"], b"-pass", At::Next) },
    Own { behind: b"pass:", ..own(&[b"openssl"], b"-passin", At::Next) },
    Own { behind: b"pass:", ..own(&[b"openssl"], b"-passout", At::Next) },
];

/// The fewest characters of what is taken for a password.
const LEAST: usize = 3;

/// Returns where a command line hands a password to a program by an option of its own, the first from there on.
pub(crate) fn password(text: &[u8], from: usize) -> Option<Range<usize>> {
    let mut reader = Words { text, at: from };
    let mut of_program: Vec<&Own> = Vec::new();
    let mut has_subcommand = false;
    while let Some(word) = reader.next() {
        let written = text.get(word.clone()).unwrap_or_default();
        if matches!(written, b"\n" | b";" | b"|" | b"&") {
            of_program.clear();
            continue;
        }
        if of_program.is_empty() {
            let name = written.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
            of_program.extend(OWN.iter().filter(|own| own.programs.contains(&name)));
            has_subcommand = false;
            continue;
        }
        has_subcommand |= of_program.iter().any(|own| own.subcommand == written);
        let found = of_program
            .iter()
            .filter(|own| own.subcommand.is_empty() || has_subcommand)
            .find_map(|own| own.value(&reader, &word));
        if found.is_some() {
            return found;
        }
    }
    None
}

impl Own {
    /// The password in the value of the option, where the word is that option.
    fn value(&self, reader: &Words<'_>, word: &Range<usize>) -> Option<Range<usize>> {
        let written = reader.text.get(word.clone())?;
        let rest = written.strip_prefix(self.option)?;
        let value = match (rest.is_empty(), self.value) {
            (false, At::Attached | At::Either) => word.start + self.option.len()..word.end,
            (true, At::Next | At::Either) => Words { text: reader.text, at: reader.at }.next()?,
            (false, At::Next) | (true, At::Attached) => return None,
        };
        let value = match self.behind {
            b"" => value,
            behind => {
                let written = reader.text.get(value.clone())?;
                let at = written.windows(behind.len()).position(|part| part == behind)?;
                value.start + at + behind.len()..value.end
            }
        };
        let written = reader.text.get(value.clone())?;
        let inner = written.strip_prefix(b"'").or(written.strip_prefix(b"\"")).unwrap_or(written);
        let is_said_elsewhere = matches!(inner.first(), Some(b'$' | b'<' | b'-' | b'`') | None);
        let is_password = inner.len() >= LEAST && !is_said_elsewhere && !is_placeholder(inner);
        is_password.then_some(value)
    }
}

/// The words of command lines, and the signs between commands.
struct Words<'a> {
    text: &'a [u8],
    at: usize,
}

impl Words<'_> {
    fn next(&mut self) -> Option<Range<usize>> {
        let rest = self.text.get(self.at..)?;
        let blanks = run(rest, |byte| matches!(byte, b' ' | b'\t' | b'\r' | b'(' | b'{')).len();
        let start = self.at + blanks;
        let first = *self.text.get(start)?;
        let mut end = start;
        if matches!(first, b'\n' | b';' | b'|' | b'&') {
            end += 1;
        } else {
            while let Some(&byte) = self.text.get(end) {
                match byte {
                    b' ' | b'\t' | b'\r' | b'\n' | b';' | b'|' | b'&' => break,
                    b'"' | b'\'' => {
                        let closing = self.text.get(end + 1..).unwrap_or_default();
                        let closing = closing.iter().position(|it| *it == byte);
                        end = closing.map_or(self.text.len(), |closing| end + closing + 2);
                    }
                    b'\\' => end += 2,
                    _ => end += 1,
                }
            }
        }
        end = end.min(self.text.len());
        self.at = end;
        Some(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::password;

    fn found(line: &str) -> Option<&str> {
        password(line.as_bytes(), 0).and_then(|range| line.get(range))
    }

    #[test]
    fn passwords_in_options_of_programs_are_found() {
        for (line, expect) in [
            ("mysql -uroot -phunter2canary db", "hunter2canary"),
            ("sudo /usr/bin/mysqldump -p'two words' db", "'two words'"),
            ("sshpass -p canary ssh me@host", "canary"),
            ("sshpass -pcanary ssh me@host", "canary"),
            ("cd x && redis-cli -h h -a canary ping", "canary"),
            ("docker login -u me -p canary registry.example", "canary"),
            ("openssl enc -pass pass:canary -in a", "canary"),
            ("openssl rsa -passin pass:canary -in a", "canary"),
            ("smbclient //host/share -U me%canary", "canary"),
            ("ls; (zip -P canary a.zip b)", "canary"),
        ] {
            assert_eq!(found(line), Some(expect), "{line}");
        }
    }

    #[test]
    fn what_is_none_is_left() {
        for line in [
            "mysql -p db",
            "mysql -P 3306",
            "mysql -p$PASSWORD db",
            "docker run -p 8080:80 nginx",
            "mkdir -p canary/b",
            "ssh -p 2222 host",
            "echo mysql; ls -p canary",
            "redis-cli -a \"$REDIS_PASSWORD\" ping",
            "unzip a.zip",
            "mysql -p",
            "'",
            "sshpass -p \\",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
