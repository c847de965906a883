//! As much of HTTP/1.1 as the programs of agents need to ask a model on this machine: one request a connection, of
//! bounded size, and its answer. Knows nothing of what is asked.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::protocol::Body;

/// The longest line and headers, and the longest body that is read.
const MAX_HEAD: u64 = 64 << 10;
const MAX_BODY: u64 = 64 << 20;
/// How long the other side may take for a part of it.
const PATIENCE: Duration = Duration::from_secs(20);

/// A request.
#[derive(Debug, PartialEq, Eq)]
pub struct Call {
    pub method: String,
    /// The path, without what stands behind a question mark.
    pub path: String,
    pub body: Vec<u8>,
}

/// Reads a request from a connection.
///
/// # Errors
/// When it is cut off, too long, or nothing that is understood here.
pub fn read(stream: &TcpStream) -> io::Result<Call> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    parse(BufReader::new(stream))
}

fn parse(mut input: impl BufRead) -> io::Result<Call> {
    let mut head = input.by_ref().take(MAX_HEAD);
    let first = line(&mut head)?;
    let mut words = first.split_ascii_whitespace();
    let (Some(method), Some(target)) = (words.next(), words.next()) else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    let mut length = 0;
    loop {
        let header = line(&mut head)?;
        if header.is_empty() {
            break;
        }
        let Some((name, value)) = header.split_once(':') else { continue };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.trim().parse().map_err(|_| io::ErrorKind::InvalidData)?;
        }
        // Nobody sends a text whose length is known in parts.
        if name.eq_ignore_ascii_case("transfer-encoding") {
            return Err(io::ErrorKind::Unsupported.into());
        }
    }
    if length > MAX_BODY {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    let path = target.split('?').next().unwrap_or_default().trim_end_matches('/').to_owned();
    let method = method.to_owned();
    let mut body = Vec::new();
    if input.take(length).read_to_end(&mut body)? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Call { method, path, body })
}

/// A line of the head, without its end.
fn line(head: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    head.read_line(&mut line)?;
    if !line.ends_with('\n') {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end().to_owned())
}

/// Answers a request; without a body, that there is nothing.
///
/// # Errors
/// When the other side is gone.
pub fn write(mut stream: &TcpStream, method: &str, body: Option<&Body>) -> io::Result<()> {
    let status = if body.is_some() { "200 OK" } else { "404 Not Found" };
    let nothing = Body { content_type: "application/json", text: "{}".to_owned() };
    let Body { content_type, text } = body.unwrap_or(&nothing);
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {content_type}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        text.len()
    );
    stream.write_all(head.as_bytes())?;
    if method != "HEAD" {
        stream.write_all(text.as_bytes())?;
    }
    stream.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_and_rubbish_is_refused() {
        let text = "POST /a/b/?x=1 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}more";
        let call = parse(text.as_bytes()).unwrap();
        assert_eq!((&*call.method, &*call.path, &*call.body), ("POST", "/a/b", &b"{}"[..]));
        for text in [
            "",
            "POST",
            "\r\n\r\n",
            "POST /a HTTP/1.1\r\ncontent-length: 3\r\n\r\n{}",
            "POST /a HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
            "POST /a HTTP/1.1\r\ncontent-length: 99999999999\r\n\r\n",
            "POST /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            &"x".repeat(1 << 20),
        ] {
            assert!(parse(text.as_bytes()).is_err(), "{text:.40}");
        }
    }
}
