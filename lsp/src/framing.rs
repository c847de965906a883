//! The frames of the protocol, read before the library sees them: it stops for good at the first
//! message that it cannot read. What it can read is passed on as it came, anything else as a request
//! that [`crate::server`] returns the error. Knows nothing of what messages mean.

use std::io;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite};
use tokio::io::{AsyncWriteExt, BufReader};
use tower_lsp::jsonrpc::{ErrorCode, Request, Response};

/// The method of the requests that stand for messages nobody can read.
pub const UNREADABLE: &str = "$/behavior/unreadable";

/// A message longer than this, in bytes, is not waited for.
const MAX_MESSAGE_LENGTH: u64 = 256 << 20;
/// A header longer than this, in bytes, is cut.
const MAX_HEADER_LENGTH: u64 = 8 << 10;

const LENGTH: &str = "content-length:";

/// What is wrong with a message.
#[derive(Debug, Deserialize)]
pub struct Unreadable {
    /// The number of the error in the protocol.
    pub code: i64,
    /// The reason, for people.
    pub message: String,
}

/// Passes messages on until the input ends, and says the method of each request on its way.
///
/// # Errors
/// When the input cannot be read, or nobody reads the output any more.
pub async fn relay<I, O>(input: I, mut output: O, meet: impl Fn(&str)) -> io::Result<()>
where
    I: AsyncRead + Unpin,
    O: AsyncWrite + Unpin,
{
    let mut input = BufReader::new(input);
    while let Some(frame) = next_frame(&mut input).await? {
        let body = match frame {
            Frame::Body(body) => match problem(&body, &meet) {
                None => body,
                Some(stand_in) => stand_in,
            },
            Frame::Lost(reason) => stand_in(ErrorCode::ParseError, reason, Value::Null),
        };
        output.write_all(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes()).await?;
        output.write_all(&body).await?;
        output.flush().await?;
    }
    Ok(())
}

enum Frame {
    /// The body of a message.
    Body(Vec<u8>),
    /// Something that is no message, and what is wrong with it.
    Lost(&'static str),
}

/// The next message; `None` at the end of the input, also within a message. After something else,
/// reading goes on at the next length.
async fn next_frame<I: AsyncBufRead + Unpin>(input: &mut I) -> io::Result<Option<Frame>> {
    let mut length = None;
    let mut has_other = false;
    loop {
        let Some(line) = header_line(input).await? else { return Ok(None) };
        let line = String::from_utf8_lossy(&line).trim().to_ascii_lowercase();
        // Behind a body that is longer than it said, the length is not at the start of its line.
        if let Some(at) = line.rfind(LENGTH) {
            length = line.get(at + LENGTH.len()..).map(|value| value.trim().parse::<u64>());
        } else if !line.is_empty() {
            has_other = true;
        } else if length.is_some() {
            break;
        } else if has_other {
            return Ok(Some(Frame::Lost("a message has no `Content-Length`")));
        }
    }
    let Some(Ok(length)) = length else {
        return Ok(Some(Frame::Lost("the `Content-Length` of a message is no number")));
    };
    if length > MAX_MESSAGE_LENGTH {
        return Ok(Some(Frame::Lost("a message is longer than 256 MiB")));
    }
    let mut body = Vec::new();
    input.take(length).read_to_end(&mut body).await?;
    let is_whole = body.len() as u64 == length;
    Ok(is_whole.then_some(Frame::Body(body)))
}

/// The next line, without the end of one that is too long; `None` at the end of the input.
async fn header_line<I: AsyncBufRead + Unpin>(input: &mut I) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let read = input.take(MAX_HEADER_LENGTH).read_until(b'\n', &mut line).await?;
    Ok((read > 0).then_some(line))
}

/// What to pass on in place of a body that the library cannot read.
fn problem(body: &[u8], meet: &impl Fn(&str)) -> Option<Vec<u8>> {
    if let Ok(request) = serde_json::from_slice::<Request>(body) {
        meet(request.method());
        return None;
    }
    if serde_json::from_slice::<Response>(body).is_ok() {
        return None;
    }
    Some(match serde_json::from_slice::<Value>(body) {
        Ok(value) => {
            // A request is told apart by its id, so that whoever waits for it need not wait on.
            let id = value.get("id").filter(|id| id.is_string() || id.is_i64()).cloned();
            let reason = "a message is no request and no response of JSON-RPC 2.0";
            stand_in(ErrorCode::InvalidRequest, reason, id.unwrap_or_default())
        }
        Err(_) => stand_in(ErrorCode::ParseError, "a message is not valid JSON", Value::Null),
    })
}

fn stand_in(code: ErrorCode, message: &str, id: Value) -> Vec<u8> {
    let params = json!({ "code": code.code(), "message": message });
    let request = json!({ "jsonrpc": "2.0", "id": id, "method": UNREADABLE, "params": params });
    request.to_string().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the library gets: bodies as they are, `!reason` for what stands for something else.
    #[track_caller]
    fn check(input: &[u8], expected: &[&str]) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let mut output = Vec::new();
        runtime.block_on(relay(input, &mut output, |_| ())).expect("memory can be read");
        let mut rest = output.as_slice();
        let mut bodies = Vec::new();
        while !rest.is_empty() {
            let end = rest.windows(4).position(|four| four == b"\r\n\r\n").expect("a header") + 4;
            let header = std::str::from_utf8(&rest[..end]).expect("text").trim();
            let length = header.strip_prefix("Content-Length: ").expect(header);
            let length: usize = length.parse().expect("a number");
            let body = std::str::from_utf8(&rest[end..end + length]).expect("text").to_owned();
            let value: Value = serde_json::from_str(&body).expect("JSON");
            let stands_in = value["method"] == UNREADABLE;
            let reason = || format!("!{} {}", value["id"], value["params"]["message"]);
            bodies.push(if stands_in { reason() } else { body });
            rest = &rest[end + length..];
        }
        assert_eq!(bodies, expected);
    }

    const GOOD: &str = r#"{"jsonrpc":"2.0","method":"a"}"#;

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn messages_are_passed_on() {
        let answer = r#"{"jsonrpc":"2.0","id":1,"result":null}"#;
        check((framed(GOOD) + &framed(answer)).as_bytes(), &[GOOD, answer]);
        let typed = format!(
            "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:{}\r\nX: y\r\n\r\n{GOOD}",
            GOOD.len()
        );
        check(typed.as_bytes(), &[GOOD]);
        check(format!("\r\n\n{}", framed(GOOD)).as_bytes(), &[GOOD]);
        check(b"", &[]);
    }

    #[test]
    fn what_cannot_be_read_is_told_and_survived() {
        let not_json = r#"!null "a message is not valid JSON""#;
        check((framed("{not json") + &framed(GOOD)).as_bytes(), &[not_json, GOOD]);
        check((framed("") + &framed(GOOD)).as_bytes(), &[not_json, GOOD]);
        let latin = [b"Content-Length: 1\r\n\r\n\xe9".as_slice(), framed(GOOD).as_bytes()].concat();
        check(&latin, &[not_json, GOOD]);
        let other = r#""a message is no request and no response of JSON-RPC 2.0""#;
        check(framed("[1]").as_bytes(), &[&format!("!null {other}")]);
        check(framed(r#"{"id":7,"method":"a"}"#).as_bytes(), &[&format!("!7 {other}")]);
    }

    #[test]
    fn reading_goes_on_at_the_next_length() {
        let none = r#"!null "a message has no `Content-Length`""#;
        check(format!("GET / HTTP/1.1\r\n\r\n{}", framed(GOOD)).as_bytes(), &[none, GOOD]);
        let no_number = r#"!null "the `Content-Length` of a message is no number""#;
        check(format!("Content-Length: x\r\n\r\n{}", framed(GOOD)).as_bytes(), &[no_number, GOOD]);
        let long = r#"!null "a message is longer than 256 MiB""#;
        let huge = format!("Content-Length: 99999999999\r\n\r\n{}", framed(GOOD));
        check(huge.as_bytes(), &[long, GOOD]);
        let short = framed(GOOD).replace(&GOOD.len().to_string(), "4");
        check(
            (short + &framed(GOOD)).as_bytes(),
            &[r#"!null "a message is not valid JSON""#, GOOD],
        );
    }

    #[test]
    fn an_input_that_ends_early_just_ends() {
        for end in 0..framed(GOOD).len() {
            check(&framed(GOOD).as_bytes()[..end], &[]);
        }
        check(&vec![b'x'; 100_000], &[]);
    }
}
