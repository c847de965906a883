//! The addresses that a call names, and the hosts that they name: `docs.rs` of `https://docs.rs/serde`. An address whose host
//! readers of addresses disagree about is told apart, never guessed.
//!
//! Follows RFC 3986, section 3, where the URL Standard (<https://url.spec.whatwg.org>) reads the same.

use std::borrow::Cow;

use crate::event::{Call, Value};
use behavior_json::Json;

/// The names of parameters that hold addresses, or lists of them.
const ADDRESSES: [&str; 7] = ["url", "urls", "uri", "uris", "href", "link", "links"];

/// The parameter of tools that find the addresses in what they are told.
const TOLD: &str = "prompt";

/// What an address says of its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// It is this, in lower case, without a dot at its end.
    Named(String),
    /// It is an address, and has none: `mailto:somebody`.
    None,
    /// Readers disagree: `https://a\@b`, `http://0x7f.1`.
    Unclear,
}

/// The host of a text that is an address as a whole. What has no scheme is one of a browser:
/// `docs.rs/serde`.
#[must_use]
pub fn host_of(address: &str) -> Host {
    let address = address.trim_matches(|sign: char| sign <= ' ');
    if address.contains(['\t', '\n', '\r']) {
        return Host::Unclear;
    }
    let behind = match scheme_of(address) {
        None => address.strip_prefix("//").unwrap_or(address),
        Some((scheme, rest)) => match rest.strip_prefix("//") {
            Some(behind) => behind,
            // Browsers find a host behind `https:/a` and `https:a` as well.
            None if WITH_HOST.iter().any(|known| scheme.eq_ignore_ascii_case(known)) => {
                return Host::Unclear;
            }
            None => return Host::None,
        },
    };
    let authority = behind.split(['/', '?', '#']).next().unwrap_or_default();
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    if user.contains('@') || authority.contains(['\\', ' ']) {
        return Host::Unclear;
    }
    named(host)
}

/// The schemes of addresses that always have a host.
const WITH_HOST: [&str; 5] = ["http", "https", "ws", "wss", "ftp"];

/// The addresses in a text, each up to a blank or a quote.
pub fn addresses_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|sign: char| sign.is_whitespace() || "\"'`<>()".contains(sign))
        .filter(|word| word.contains("://"))
        .map(|word| {
            // What stands before the scheme is no part of the address.
            let scheme = word.find("://").unwrap_or_default();
            let before = word.get(..scheme).unwrap_or_default();
            let start = before.rfind(|sign: char| !is_scheme_sign(sign));
            let start = start.map_or(0, |at| {
                at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
            });
            word.get(start..).unwrap_or(word)
        })
}

/// Tells whether a text is an address as a whole, by its scheme and `//`.
#[must_use]
pub fn is_address(text: &str) -> bool {
    scheme_of(text.trim()).is_some_and(|(_, rest)| rest.starts_with("//"))
}

fn is_scheme_sign(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || "+.-".contains(sign)
}

/// The scheme and what stands behind its colon; `localhost:80` has none.
fn scheme_of(address: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = address.split_once(':')?;
    let is_port = rest.starts_with(|sign: char| sign.is_ascii_digit());
    let is_scheme = scheme.starts_with(|sign: char| sign.is_ascii_alphabetic())
        && scheme.chars().all(is_scheme_sign);
    (is_scheme && !is_port).then_some((scheme, rest))
}

/// A host with its port.
fn named(host: &str) -> Host {
    if let Some(inner) = host.strip_prefix('[') {
        let Some((address, port)) = inner.split_once(']') else { return Host::Unclear };
        return match address.parse::<std::net::Ipv6Addr>() {
            Ok(address) if is_port(port) => Host::Named(address.to_string()),
            _ => Host::Unclear,
        };
    }
    let (name, port) = host.find(':').map_or((host, ""), |at| host.split_at(at));
    let name = name.strip_suffix('.').unwrap_or(name);
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "-._".contains(sign);
    if !is_port(port) || !name.chars().all(is_plain) {
        return Host::Unclear;
    }
    // `http://2130706433`, `http://0x7f.1` and `http://010.0.0.1` are numbers that readers spell out.
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_number = last.starts_with(|sign: char| sign.is_ascii_digit())
        && (last.chars().all(|sign| sign.is_ascii_digit())
            || last.starts_with("0x")
            || last.starts_with("0X"));
    if is_number && name.parse::<std::net::Ipv4Addr>().is_err() {
        return Host::Unclear;
    }
    match name {
        "" => Host::None,
        name => Host::Named(name.to_ascii_lowercase()),
    }
}

fn is_port(text: &str) -> bool {
    text.strip_prefix(':').is_none_or(|port| port.chars().all(|sign| sign.is_ascii_digit()))
        && (text.is_empty() || text.starts_with(':'))
}

/// Returns the addresses that a call names: the parameters that are for them and those that are one; where there
/// is none, those in what the tool is told.
#[must_use]
pub fn addresses_of<'a>(call: &'a Call<'_>) -> Vec<Cow<'a, str>> {
    let mut found = Vec::new();
    for param in &call.params {
        let native = param.native.as_deref().unwrap_or_default();
        let is_for_them =
            |name: &str| ADDRESSES.iter().any(|known| name.eq_ignore_ascii_case(known));
        let is_for_them = is_for_them(&param.name) || is_for_them(native);
        match &param.value {
            Value::Text(text) if is_for_them || is_address(text) => {
                found.push(Cow::Borrowed(&**text))
            }
            Value::Json(json) => items(json, |item| {
                if is_for_them || is_address(&item) {
                    found.push(item);
                }
            }),
            Value::Text(_) => {}
        }
    }
    if !found.is_empty() {
        return found;
    }
    match call.param(TOLD) {
        Some(Value::Text(text)) => addresses_in(text).map(Cow::Borrowed).collect(),
        _ => found,
    }
}

/// Visits the items of a list, each as text.
fn items<'a>(list: &'a str, mut visit: impl FnMut(Cow<'a, str>)) {
    let each = |item: Json<'a>| {
        visit(behavior_json::text(item).unwrap_or_else(|| Cow::Borrowed(item.get())));
    };
    // What is no list has no items.
    let _ = behavior_json::items(list, each);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(address: &str) -> Host {
        host_of(address)
    }

    #[test]
    fn hosts_are_named_in_lower_case() {
        for (address, name) in [
            ("https://docs.rs/serde", "docs.rs"),
            ("HTTPS://Docs.RS./serde?x=1#y", "docs.rs"),
            ("https://user:secret@docs.rs:443/x", "docs.rs"),
            ("docs.rs/serde", "docs.rs"),
            ("//docs.rs/serde", "docs.rs"),
            ("localhost:8080/x", "localhost"),
            ("http://[::1]:80/", "::1"),
            ("http://127.0.0.1/", "127.0.0.1"),
            ("https://docs.rs?x=https://evil.example", "docs.rs"),
            ("  https://docs.rs", "docs.rs"),
            ("https://docs.rs/@evil.example", "docs.rs"),
        ] {
            assert_eq!(host(address), Host::Named(name.to_owned()), "{address}");
        }
    }

    #[test]
    fn what_readers_disagree_about_is_unclear() {
        for address in [
            r"https://evil.example\@docs.rs/",
            "https:/docs.rs",
            "https:docs.rs",
            "https://a@b@docs.rs/",
            "https://docs%2ers/",
            "https://docs\u{ff0e}rs/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://010.0.0.1/",
            "https://do\ncs.rs/",
            "http://[::1/",
            "http://docs.rs:8x/",
        ] {
            assert_eq!(host(address), Host::Unclear, "{address}");
        }
        assert_eq!(host("mailto:somebody@docs.rs"), Host::None);
        assert_eq!(host("file:///etc/passwd"), Host::None);
    }

    #[test]
    fn addresses_are_found_in_texts() {
        let text = "read (https://docs.rs/a) and `http://b.example/`, see=ftp://c.example";
        let found: Vec<_> = addresses_in(text).collect();
        assert_eq!(found, ["https://docs.rs/a", "http://b.example/", "ftp://c.example"]);
        assert_eq!(addresses_in("nothing here").count(), 0);
    }
}
