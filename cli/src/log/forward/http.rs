//! Posts lines of the audit log to a server that the user named: nowhere else, whatever the server answers.

use std::io;
use std::time::Duration;

use ureq::Agent;
use ureq::http::Uri;

/// How long the server may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// Says why lines are not sent to a URL, if so: they could be read on the way, or a password would stand in it.
///
/// # Errors
/// What is wrong, and what to do.
pub fn check(url: &str) -> Result<(), &'static str> {
    let uri: Uri = url.parse().map_err(|_| "this is no URL")?;
    let host = uri.host().ok_or("this URL names no host")?;
    if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
        return Err(
            "a password does not belong into a URL: name a variable with a token as `token_env`",
        );
    }
    let is_here = ["localhost", "127.0.0.1", "[::1]"].contains(&host);
    match uri.scheme_str() {
        Some("https") => Ok(()),
        Some("http") if is_here => Ok(()),
        _ => Err("the log is sent by `https`, and by `http` only to this machine"),
    }
}

/// Returns a URL without what may be secret in it.
#[must_use]
pub fn shown(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

/// Posts lines of JSON. `token_env` names the variable with a token that proves who sends them.
///
/// # Errors
/// When the server cannot be reached, or does not say that it took them.
pub fn post(url: &str, token_env: Option<&str>, lines: &str) -> io::Result<()> {
    let mut config = Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        // Who is named gets the log, and not who that one points at.
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .user_agent(concat!("behavior/", env!("CARGO_PKG_VERSION")));
    if !url.starts_with("https:") {
        // What is for this machine does not leave it by way of a proxy.
        config = config.proxy(None);
    }
    let agent: Agent = config.build().into();
    let mut request = agent.post(url).header("content-type", "application/x-ndjson");
    if let Some(name) = token_env {
        let token = std::env::var(name)
            .map_err(|_| io::Error::other(format!("the variable `{name}` is not set")))?;
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let answer = request.send(lines).map_err(|error| io::Error::other(error.to_string()))?;
    match answer.status() {
        status if status.is_success() => Ok(()),
        status => Err(io::Error::other(format!("it answers {}", status.as_u16()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_goes_to_others_only_where_nobody_reads_along() {
        for url in [
            "https://logs.example.com/in?a=1",
            "http://localhost:8080/",
            "http://[::1]:1",
            "http://127.0.0.1",
        ] {
            assert_eq!(check(url), Ok(()), "{url}");
        }
        for url in [
            "http://logs.example.com",
            "ftp://localhost",
            "https://me:secret@example.com",
            "logs",
            "http://localhost.example.com",
            "",
        ] {
            assert!(check(url).is_err(), "{url}");
        }
        assert_eq!(shown("https://example.com/in?key=1"), "https://example.com/in");
    }
}
