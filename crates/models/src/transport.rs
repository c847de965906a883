//! Sends one message by HTTP and takes what comes back: in time, up to a length, from this server alone. Knows
//! nothing of what the message says.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use behavior_runtime::brain::is_this_machine;
use behavior_runtime::model::ModelFailure;
use jiff::Timestamp;
use jiff::fmt::rfc2822;
use ureq::config::Config;
use ureq::http::{Response, Uri};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body, Error};

use crate::protocol::{Message, unreadable};

/// Longer answers are none that anybody asked for.
const MAX_ANSWER: u64 = 4 << 20;
/// What is sent and what comes back lie in one buffer each, of so many bytes: small enough to be had without asking the
/// system for pages. The head of an answer has to fit.
const BUFFER: usize = 16 << 10;
/// How long a server that has too many requests is given where it does not say.
const USUAL_PAUSE: Duration = Duration::from_secs(1);
/// No request takes longer, whatever is asked for.
const MAX_WAIT: Duration = Duration::from_secs(600);

/// Returns a number of seconds as a time; what no clock can hold is the longest that is waited.
pub(crate) fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).map_or(MAX_WAIT, |time| time.min(MAX_WAIT))
}

/// Posts a message; again where the server has too many requests and says to come back in time.
pub(crate) fn post(message: &Message, deadline: Instant) -> Result<Vec<u8>, ModelFailure> {
    let uri: Uri = message.url.parse().map_err(|_| network("its address cannot be read"))?;
    let is_here = is_this_machine(uri.host().unwrap_or_default());
    let is_safe = uri.scheme_str() == Some("https") || is_here;
    if message.is_secret && !is_safe {
        return Err(network("the key would be sent without encryption: use an `https` address"));
    }
    let mut was_put_off = false;
    loop {
        let mut answer = send(message, is_here, deadline)?;
        let status = answer.status().as_u16();
        match status {
            200..=299 => return body(&mut answer),
            401 | 403 => return Err(ModelFailure::KeyRejected),
            429 if !was_put_off => {
                let pause = pause(&answer);
                let is_time = pause.and_then(|pause| Instant::now().checked_add(pause));
                let Some(pause) = pause.filter(|_| is_time.is_some_and(|at| at < deadline)) else {
                    return Err(ModelFailure::RateLimited);
                };
                was_put_off = true;
                std::thread::sleep(pause);
            }
            429 => return Err(ModelFailure::RateLimited),
            status => return Err(ModelFailure::Status(status)),
        }
    }
}

fn send(
    message: &Message,
    is_here: bool,
    deadline: Instant,
) -> Result<Response<Body>, ModelFailure> {
    let left = deadline.saturating_duration_since(Instant::now()).min(MAX_WAIT);
    if left.is_zero() {
        return Err(ModelFailure::Timeout);
    }
    let agent = agent(is_here, left);
    let mut request = agent.post(&message.url);
    for (name, value) in &message.headers {
        request = request.header(*name, value);
    }
    request.send(message.body.as_slice()).map_err(|error| failure(&error))
}

/// The client for one message, which has so much time.
fn agent(is_here: bool, left: Duration) -> Agent {
    let mut config = Agent::config_builder()
        .timeout_global(Some(left))
        // Who is named gets the question and the key, and not who that one points at.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .input_buffer_size(BUFFER)
        .output_buffer_size(BUFFER)
        .max_response_header_size(BUFFER - 1)
        .user_agent(concat!("behavior/", env!("CARGO_PKG_VERSION")));
    if is_here {
        // What is for this machine does not leave it by way of a proxy.
        config = config.proxy(None);
    }
    Agent::with_parts(config.build(), DefaultConnector::default(), Addresses)
}

/// Where a machine is. An address says it itself; the library would start a thread to look it up.
#[derive(Debug)]
struct Addresses;

impl Resolver for Addresses {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        match address(uri) {
            Some(address) => {
                let mut found = self.empty();
                found.push(address);
                Ok(found)
            }
            None => DefaultResolver::default().resolve(uri, config, timeout),
        }
    }
}

/// The address that stands where a name could.
fn address(uri: &Uri) -> Option<SocketAddr> {
    DefaultResolver::host_and_port(uri.scheme()?, uri.authority()?)?.parse().ok()
}

fn body(answer: &mut Response<Body>) -> Result<Vec<u8>, ModelFailure> {
    let limited = answer.body_mut().with_config().limit(MAX_ANSWER);
    limited.read_to_vec().map_err(|error| match error {
        Error::BodyExceedsLimit(_) => unreadable("it is longer than 4 MB"),
        error => failure(&error),
    })
}

/// How long to wait before asking again; nothing where the server names a time that nobody can read.
fn pause(answer: &Response<Body>) -> Option<Duration> {
    let Some(value) = answer.headers().get("retry-after") else { return Some(USUAL_PAUSE) };
    retry_after(value.to_str().ok()?.trim(), Timestamp::now())
}

/// What the header says: a number of seconds, or a date (RFC 9110, section 10.2.3).
fn retry_after(value: &str, now: Timestamp) -> Option<Duration> {
    if let Ok(number) = value.parse() {
        return Some(seconds(number));
    }
    let date = rfc2822::parse(value).ok()?.timestamp();
    Some(Duration::try_from(date.duration_since(now)).unwrap_or_default().min(MAX_WAIT))
}

/// What went wrong, in words of our own: those of libraries may repeat what was sent.
fn failure(error: &Error) -> ModelFailure {
    match error {
        Error::Timeout(_) => ModelFailure::Timeout,
        Error::HostNotFound => network("no machine is known by this name"),
        Error::ConnectionFailed => network("there is no connection"),
        Error::Io(error) => of_io(error.kind()),
        Error::Tls(_) | Error::Rustls(_) | Error::Pem(_) => {
            network("the connection cannot be made secure: its certificate is not trusted")
        }
        Error::InvalidProxyUrl | Error::ConnectProxyFailed(_) => {
            network("the proxy that the environment names cannot be used")
        }
        Error::LargeResponseHeader(..) => unreadable("its head is too long"),
        Error::Protocol(_) | Error::Http(_) => unreadable("it is no HTTP"),
        _ => network("the exchange broke off"),
    }
}

fn of_io(kind: io::ErrorKind) -> ModelFailure {
    use io::ErrorKind;
    match kind {
        ErrorKind::TimedOut | ErrorKind::WouldBlock => ModelFailure::Timeout,
        ErrorKind::ConnectionRefused => network("the connection was refused: is it running?"),
        ErrorKind::UnexpectedEof
        | ErrorKind::ConnectionReset
        | ErrorKind::ConnectionAborted
        | ErrorKind::BrokenPipe => network("the connection broke off"),
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
            network("there is no way to it")
        }
        _ => network("the exchange failed"),
    }
}

fn network(reason: &str) -> ModelFailure {
    ModelFailure::Network(reason.into())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use ureq::http::Uri;
    use ureq::unversioned::resolver::Resolver;
    use ureq::unversioned::transport::NextTimeout;
    use ureq::unversioned::transport::time::Duration as Limit;
    use ureq::{Error, Timeout};

    use super::{Addresses, BUFFER, agent, retry_after};

    /// What is found within no time at all, which is not enough for a thread to look anything up.
    fn found_at_once(uri: &str) -> Result<Vec<String>, Error> {
        let uri: Uri = uri.parse().unwrap();
        let after = Limit::Exact(Duration::ZERO);
        let timeout = NextTimeout { after, reason: Timeout::Global, ..NextTimeout::default() };
        let agent = agent(true, Duration::from_secs(1));
        let found = Addresses.resolve(&uri, agent.config(), timeout)?;
        Ok(found.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn an_address_is_not_looked_up() {
        for (uri, address) in [
            ("http://127.0.0.1:7920/v1", "127.0.0.1:7920"),
            ("http://[::1]:8080/v1", "[::1]:8080"),
            ("http://127.0.0.1/v1", "127.0.0.1:80"),
            ("https://10.0.0.7/v1", "10.0.0.7:443"),
        ] {
            assert_eq!(found_at_once(uri).unwrap(), [address]);
        }
        assert!(found_at_once("http://models.invalid/v1").is_err());
    }

    #[test]
    fn each_message_is_sent_by_a_client_that_knows_addresses_and_has_small_buffers() {
        let agent = agent(true, Duration::from_secs(1));
        assert!(format!("{agent:?}").contains("resolver: Addresses"), "{agent:?}");
        let config = agent.config();
        assert_eq!((config.input_buffer_size(), config.output_buffer_size()), (BUFFER, BUFFER));
        // A head that fills the buffer without an end would never be told from a connection that broke off.
        assert!(config.max_response_header_size() < config.input_buffer_size());
    }

    #[test]
    fn a_server_says_when_to_come_back_in_seconds_or_by_a_date() {
        let now = "2026-11-27T02:00:00Z".parse().unwrap();
        let wait = |value| retry_after(value, now);
        assert_eq!(wait("3"), Some(Duration::from_secs(3)));
        assert_eq!(wait("0.5"), Some(Duration::from_millis(500)));
        assert_eq!(wait("Fri, 27 Nov 2026 02:00:05 GMT"), Some(Duration::from_secs(5)));
        // What is over is now, what is far away is longer than anybody waits.
        assert_eq!(wait("Fri, 27 Nov 2026 01:00:00 GMT"), Some(Duration::ZERO));
        assert_eq!(wait("Sat, 27 Nov 2027 01:00:00 GMT"), Some(Duration::from_secs(600)));
        assert_eq!(wait("soon"), None);
    }
}
