//! The frames of the protocol: a header with the length of the message behind it. Knows nothing of what messages mean.

use std::io::{self, BufRead, Read, Write};

use serde::Serialize;

/// A message longer than this, in bytes, ends the session.
const MAX_MESSAGE_LENGTH: usize = 16 << 20;
/// A header line longer than this, in bytes, ends the session.
const MAX_HEADER_LENGTH: u64 = 8 << 10;

/// Reads the body of the next message; `None` at the end of the input.
///
/// # Errors
/// When the input cannot be read, or what comes is no message.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(MAX_HEADER_LENGTH).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if !line.ends_with(b"\n") {
            return Err(wrong("a line of a header does not end"));
        }
        let line = String::from_utf8_lossy(&line);
        match (line.trim().split_once(':'), length) {
            (Some((name, value)), _) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse::<usize>().ok();
            }
            (None, Some(length)) if line.trim().is_empty() => return body(input, length),
            (None, None) if line.trim().is_empty() => {
                return Err(wrong("a message has no `Content-Length`"));
            }
            _ => {}
        }
    }
}

fn body(input: &mut impl BufRead, length: usize) -> io::Result<Option<Vec<u8>>> {
    if length > MAX_MESSAGE_LENGTH {
        return Err(wrong("a message is longer than 16 MiB"));
    }
    let mut body = Vec::new();
    input.take(length as u64).read_to_end(&mut body)?;
    Ok((body.len() == length).then_some(body))
}

/// Writes a message.
///
/// # Errors
/// When nobody reads the output any more.
pub fn write(output: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    write!(output, "Content-Length: {}\r\n\r\n", body.len())?;
    output.write_all(&body)?;
    output.flush()
}

fn wrong(reason: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, reason.to_owned())
}

#[cfg(test)]
mod tests {
    use super::read;

    #[track_caller]
    fn check(mut input: &[u8], expect: &[&str]) {
        let mut found = Vec::new();
        loop {
            match read(&mut input) {
                Ok(Some(body)) => found.push(String::from_utf8(body).expect("text")),
                Ok(None) => break,
                Err(error) => {
                    found.push(format!("!{error}"));
                    break;
                }
            }
        }
        assert_eq!(found, expect);
    }

    #[test]
    fn bodies_are_told_by_their_length() {
        check(b"Content-Length: 2\r\n\r\n{}content-length:3\r\nX: y\r\n\r\n[1]", &["{}", "[1]"]);
        check(b"Content-Length: 5\r\n\r\n{}", &[]);
        check(b"X: y\r\n\r\n{}", &["!a message has no `Content-Length`"]);
        check(b"Content-Length: -1\r\n\r\n", &["!a message has no `Content-Length`"]);
        check(b"Content-Length: 99999999999\r\n\r\n", &["!a message is longer than 16 MiB"]);
        check(&[b'x'; 9000], &["!a line of a header does not end"]);
    }
}
