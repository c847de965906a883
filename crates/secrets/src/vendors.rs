//! Secrets that look like any other characters, and that the name of a service beside them gives away,
//! as data.

use crate::placeholder::is_placeholder;
use crate::text::{contains, is_word, run, run_back};

/// The longest value that is looked at, in bytes.
const VALUE: usize = 208;

#[cfg(test)]
impl Vendor {
    /// A made-up value of so many characters.
    pub(crate) fn sample(&self, length: usize) -> String {
        let letters = match self.characters {
            Characters::Digits => "9271648350",
            Characters::Uuid => return "9f86d081-884c-7d65-9a2f-eaa0c55ad015".to_owned(),
            _ => "9f86d081884c7d659a2feaa0c55ad015",
        };
        letters.chars().cycle().take(length).collect()
    }
}

/// The most blanks and quotes before a value.
const OPENING: usize = 6;

/// The shortest value of a row.
const LEAST: usize = 14;

/// The value that somebody of a name gives out.
pub(crate) struct Vendor {
    /// A part of the name that the value is assigned to.
    pub(crate) name: &'static [u8],
    pub(crate) kind: &'static str,
    characters: Characters,
    pub(crate) least: usize,
    pub(crate) most: usize,
}

#[derive(Clone, Copy)]
enum Characters {
    Digits,
    Hex,
    Letters,
    /// Letters, digits, `-`, `_` and `=`.
    Token,
    /// Those, and what joins several of them.
    Dotted,
    Uuid,
}

impl Vendor {
    fn fits(&self, value: &[u8]) -> bool {
        let all = |is: fn(&u8) -> bool| value.iter().all(is);
        (self.least..=self.most).contains(&value.len())
            && match self.characters {
                Characters::Digits => all(u8::is_ascii_digit),
                Characters::Hex => all(u8::is_ascii_hexdigit),
                Characters::Letters => all(u8::is_ascii_alphanumeric),
                Characters::Token => all(|&byte| is_word(byte) || byte == b'='),
                Characters::Dotted => true,
                Characters::Uuid => {
                    value.split(|&byte| byte == b'-').map(<[u8]>::len).eq([8, 4, 4, 4, 12])
                        && all(|byte| byte.is_ascii_hexdigit() || *byte == b'-')
                }
            }
    }
}

/// Whether `after` may begin with a value of a row: what certainly is inside of the value is looked at,
/// since there are many assignments and few of them are long.
#[inline]
pub(crate) fn may_follow(after: &[u8]) -> bool {
    after.get(OPENING..LEAST).is_some_and(|inside| inside.iter().all(|&byte| is_value(byte)))
}

#[inline]
fn is_value(byte: u8) -> bool {
    IN_VALUE.get(usize::from(byte)).copied().unwrap_or(false)
}

/// Whether a byte may be in a value of a row.
static IN_VALUE: [bool; 256] = in_value();

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which reports a bad index")]
const fn in_value() -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < table.len() {
        let is_mark = matches!(
            byte as u8,
            b'_' | b'-' | b'=' | b'.' | b':' | b'/' | b'+' | b'%' | b'|' | b'~'
        );
        table[byte] = (byte as u8).is_ascii_alphanumeric() || is_mark;
        byte += 1;
    }
    table
}

/// The kind of the value that `after` begins with, if the name before it, which `name` ends in, is one
/// of those whose values have this form.
pub(crate) fn value_of(name: &[u8], after: &[u8]) -> Option<&'static str> {
    const FEWEST_DIGITS: usize = 2;
    let value = value(after)?;
    // Nearly all that is assigned in a program ends here.
    if value.iter().filter(|byte| byte.is_ascii_digit()).count() < FEWEST_DIGITS {
        return None;
    }
    if let Some(own) = OWN.iter().find(|own| own.fits(value)) {
        return Some(own.kind).filter(|_| !is_placeholder(value));
    }
    if let Some(shape) = SHAPES.iter().find(|shape| shape.fits(value)) {
        return Some(shape.kind).filter(|_| !is_placeholder(value));
    }
    let name = run_back(name, |byte| is_word(byte) || matches!(byte, b'.' | b' ' | b'\t'));
    let is = |row: &&Vendor| row.fits(value) && contains(name, row.name);
    VENDORS.iter().find(is).filter(|_| !is_placeholder(value)).map(|row| row.kind)
}

/// What stands after the blanks and quotes that `text` begins with, if it can be a value of a row.
fn value(text: &[u8]) -> Option<&[u8]> {
    let opening = run(text, |byte| matches!(byte, b' ' | b'\t' | b'"' | b'\'' | b'`' | b'\\'));
    let text = text.get(opening.len()..).filter(|_| opening.len() <= OPENING)?;
    let text = text.get(..text.len().min(VALUE)).unwrap_or_default();
    let value = run(text, is_value);
    let closes = |byte: &u8| byte.is_ascii_whitespace() || b"\"'`;,&)}\\".contains(byte);
    let ends = text.get(value.len()).is_none_or(closes);
    (value.len() >= LEAST && ends).then_some(value)
}

const DIGITS: Characters = Characters::Digits;
const HEX: Characters = Characters::Hex;
const LETTERS: Characters = Characters::Letters;
const TOKEN: Characters = Characters::Token;
const DOTTED: Characters = Characters::Dotted;
const UUID: Characters = Characters::Uuid;

const fn vendor(
    name: &'static [u8],
    kind: &'static str,
    characters: Characters,
    least: usize,
    most: usize,
) -> Vendor {
    Vendor { name, kind, characters, least, most }
}

/// A value that its first characters give away, without a mark after them by which it would be found
/// anywhere: only what is assigned is held against these.
pub(crate) struct Own {
    pub(crate) prefix: &'static [u8],
    /// The fewest characters after it.
    pub(crate) least: usize,
    pub(crate) kind: &'static str,
}

impl Own {
    fn fits(&self, value: &[u8]) -> bool {
        value.strip_prefix(self.prefix).is_some_and(|rest| {
            rest.len() >= self.least
                && rest.iter().all(|&byte| is_word(byte) || matches!(byte, b'.' | b'='))
        })
    }
}

const fn own(prefix: &'static [u8], least: usize, kind: &'static str) -> Own {
    Own { prefix, least, kind }
}

/// A value that characters in its middle or at its end give away.
pub(crate) struct Shape {
    /// How many characters stand before the mark.
    pub(crate) before: usize,
    pub(crate) mark: &'static [u8],
    pub(crate) least: usize,
    pub(crate) most: usize,
    pub(crate) kind: &'static str,
}

impl Shape {
    fn fits(&self, value: &[u8]) -> bool {
        let is_own = |byte: &u8| is_word(*byte) || matches!(byte, b'.' | b'=' | b'~');
        (self.least..=self.most).contains(&value.len())
            && value.get(self.before..).is_some_and(|rest| rest.starts_with(self.mark))
            && value.iter().all(is_own)
    }
}

const fn shape(
    before: usize,
    mark: &'static [u8],
    least: usize,
    most: usize,
    kind: &'static str,
) -> Shape {
    Shape { before, mark, least, most, kind }
}

pub(crate) const SHAPES: &[Shape] = &[
    shape(4, b"Q~", 37, 40, "Azure client secret"),
    shape(14, b".atlasv1.", 83, 93, "Terraform token"),
    shape(36, b"_mmk", 40, 40, "MaxMind key"),
    shape(0, b"sha256~", 50, 50, "OpenShift token"),
];

pub(crate) const OWN: &[Own] = &[
    own(b"A3T", 17, "AWS access key"),
    own(b"ACCA", 16, "AWS access key"),
    own(b"ATATT3", 100, "Atlassian token"),
    own(b"authress_", 60, "Authress key"),
    own(b"scauth_", 60, "Authress key"),
    own(b"dapi", 32, "Databricks token"),
    own(b"4b1d", 38, "ClickHouse key"),
    own(b"EZAK", 54, "EasyPost key"),
    own(b"EZTK", 54, "EasyPost key"),
    own(b"EAAM", 100, "Facebook token"),
    own(b"EAAC", 100, "Facebook token"),
    own(b"EAAA", 40, "Square token"),
    own(b"GR1348941", 20, "GitLab token"),
    own(b"eyJrIjoi", 70, "Grafana key"),
    own(b"ZXlK", 64, "JSON web token"),
    own(b"dp.pt.", 43, "Doppler token"),
    own(b"dt0c01.", 80, "Dynatrace token"),
    own(b"SG.", 60, "SendGrid key"),
    own(b"hvb.", 120, "Vault token"),
    own(b"hvs.", 90, "Vault token"),
    own(b"pat.", 66, "Harness key"),
    own(b"sat.", 66, "Harness key"),
];

pub(crate) const VENDORS: &[Vendor] = &[
    vendor(b"adafruit", "Adafruit key", TOKEN, 32, 32),
    vendor(b"adobe", "Adobe client", HEX, 32, 32),
    vendor(b"airtable", "Airtable key", LETTERS, 17, 17),
    vendor(b"algolia", "Algolia key", LETTERS, 32, 32),
    vendor(b"alibaba", "Alibaba secret key", LETTERS, 30, 30),
    vendor(b"asana", "Asana client", DIGITS, 16, 16),
    vendor(b"asana", "Asana client", LETTERS, 32, 32),
    vendor(b"atlassian", "Atlassian token", LETTERS, 24, 24),
    vendor(b"confluence", "Atlassian token", LETTERS, 24, 24),
    vendor(b"jira", "Atlassian token", LETTERS, 24, 24),
    vendor(b"beamer", "Beamer token", TOKEN, 46, 46),
    vendor(b"bitbucket", "Bitbucket client", LETTERS, 32, 32),
    vendor(b"bitbucket", "Bitbucket client", TOKEN, 64, 64),
    vendor(b"bittrex", "Bittrex key", LETTERS, 32, 32),
    vendor(b"meraki", "Cisco Meraki key", HEX, 40, 40),
    vendor(b"cloudflare", "Cloudflare key", TOKEN, 40, 40),
    vendor(b"cloudflare", "Cloudflare key", HEX, 37, 37),
    vendor(b"codecov", "Codecov token", LETTERS, 32, 32),
    vendor(b"cohere", "Cohere token", LETTERS, 40, 40),
    vendor(b"co_api_key", "Cohere token", LETTERS, 40, 40),
    vendor(b"coinbase", "Coinbase token", TOKEN, 64, 64),
    vendor(b"confluent", "Confluent token", LETTERS, 16, 16),
    vendor(b"confluent", "Confluent token", LETTERS, 64, 64),
    vendor(b"contentful", "Contentful token", TOKEN, 43, 43),
    vendor(b"datadog", "Datadog token", LETTERS, 40, 40),
    vendor(b"discord", "Discord token", HEX, 64, 64),
    vendor(b"discord", "Discord client", DIGITS, 18, 18),
    vendor(b"discord", "Discord client", TOKEN, 32, 32),
    vendor(b"droneci", "Drone CI token", LETTERS, 32, 32),
    vendor(b"dropbox", "Dropbox token", LETTERS, 15, 15),
    vendor(b"dropbox", "Dropbox token", TOKEN, 64, 64),
    vendor(b"dropbox", "Dropbox token", DOTTED, 138, 138),
    vendor(b"etsy", "Etsy token", LETTERS, 24, 24),
    vendor(b"facebook", "Facebook secret", HEX, 32, 32),
    vendor(b"facebook", "Facebook token", DOTTED, 43, 57),
    vendor(b"fastly", "Fastly key", TOKEN, 32, 32),
    vendor(b"finicity", "Finicity token", HEX, 32, 32),
    vendor(b"finicity", "Finicity token", LETTERS, 20, 20),
    vendor(b"finnhub", "Finnhub token", LETTERS, 20, 20),
    vendor(b"flickr", "Flickr token", LETTERS, 32, 32),
    vendor(b"freshbooks", "FreshBooks token", LETTERS, 64, 64),
    vendor(b"gitlab_session", "GitLab session", LETTERS, 32, 32),
    vendor(b"gitter", "Gitter token", TOKEN, 40, 40),
    vendor(b"gocardless", "GoCardless token", TOKEN, 45, 45),
    vendor(b"heroku", "Heroku key", UUID, 36, 36),
    vendor(b"hubspot", "HubSpot key", UUID, 36, 36),
    vendor(b"intercom", "Intercom key", TOKEN, 60, 60),
    vendor(b"jfrog", "JFrog token", LETTERS, 73, 73),
    vendor(b"jfrog", "JFrog token", LETTERS, 64, 64),
    vendor(b"artifactory", "JFrog token", LETTERS, 73, 73),
    vendor(b"artifactory", "JFrog token", LETTERS, 64, 64),
    vendor(b"bintray", "JFrog token", LETTERS, 73, 73),
    vendor(b"bintray", "JFrog token", LETTERS, 64, 64),
    vendor(b"xray", "JFrog token", LETTERS, 73, 73),
    vendor(b"xray", "JFrog token", LETTERS, 64, 64),
    vendor(b"kraken", "Kraken token", DOTTED, 80, 90),
    vendor(b"kucoin", "KuCoin key", HEX, 24, 24),
    vendor(b"kucoin", "KuCoin key", UUID, 36, 36),
    vendor(b"launchdarkly", "LaunchDarkly token", TOKEN, 40, 40),
    vendor(b"linear", "Linear client secret", HEX, 32, 32),
    vendor(b"linkedin", "LinkedIn client", LETTERS, 14, 14),
    vendor(b"linkedin", "LinkedIn client", LETTERS, 16, 16),
    vendor(b"linked_in", "LinkedIn client", LETTERS, 14, 14),
    vendor(b"linked_in", "LinkedIn client", LETTERS, 16, 16),
    vendor(b"linked-in", "LinkedIn client", LETTERS, 14, 14),
    vendor(b"linked-in", "LinkedIn client", LETTERS, 16, 16),
    vendor(b"lob", "Lob key", TOKEN, 40, 40),
    vendor(b"mailchimp", "Mailchimp key", TOKEN, 37, 37),
    vendor(b"mailgun", "Mailgun key", TOKEN, 36, 39),
    vendor(b"mailgun", "Mailgun key", TOKEN, 50, 50),
    vendor(b"mapbox", "Mapbox token", DOTTED, 86, 86),
    vendor(b"mattermost", "Mattermost token", LETTERS, 26, 26),
    vendor(b"messagebird", "MessageBird key", LETTERS, 25, 25),
    vendor(b"messagebird", "MessageBird key", UUID, 36, 36),
    vendor(b"message_bird", "MessageBird key", LETTERS, 25, 25),
    vendor(b"message_bird", "MessageBird key", UUID, 36, 36),
    vendor(b"message-bird", "MessageBird key", LETTERS, 25, 25),
    vendor(b"message-bird", "MessageBird key", UUID, 36, 36),
    vendor(b"netlify", "Netlify token", TOKEN, 40, 46),
    vendor(b"newrelic", "New Relic key", LETTERS, 64, 64),
    vendor(b"new_relic", "New Relic key", LETTERS, 64, 64),
    vendor(b"new-relic", "New Relic key", LETTERS, 64, 64),
    vendor(b"nytimes", "New York Times token", TOKEN, 32, 32),
    vendor(b"new-york-times", "New York Times token", TOKEN, 32, 32),
    vendor(b"newyorktimes", "New York Times token", TOKEN, 32, 32),
    vendor(b"okta", "Okta token", TOKEN, 42, 42),
    vendor(b"plaid", "Plaid token", TOKEN, 51, 58),
    vendor(b"plaid", "Plaid client", LETTERS, 24, 24),
    vendor(b"plaid", "Plaid client", LETTERS, 30, 30),
    vendor(b"privateai", "Private AI token", LETTERS, 32, 32),
    vendor(b"private_ai", "Private AI token", LETTERS, 32, 32),
    vendor(b"private-ai", "Private AI token", LETTERS, 32, 32),
    vendor(b"rapidapi", "RapidAPI token", TOKEN, 50, 50),
    vendor(b"sendbird", "Sendbird token", UUID, 36, 36),
    vendor(b"sendbird", "Sendbird token", HEX, 40, 40),
    vendor(b"sentry", "Sentry token", HEX, 64, 64),
    vendor(b"contribsys__com", "Sidekiq secret", DOTTED, 17, 17),
    vendor(b"snyk", "Snyk token", UUID, 36, 36),
    vendor(b"sonar", "Sonar token", TOKEN, 40, 40),
    vendor(b"sourcegraph", "Sourcegraph token", HEX, 40, 40),
    vendor(b"squarespace", "Squarespace token", UUID, 36, 36),
    vendor(b"sumo", "Sumo Logic key", LETTERS, 14, 14),
    vendor(b"sumo", "Sumo Logic key", LETTERS, 64, 64),
    vendor(b"telegr", "Telegram token", DOTTED, 41, 52),
    vendor(b"travis", "Travis CI token", LETTERS, 22, 22),
    vendor(b"twilio", "Twilio key", LETTERS, 34, 34),
    vendor(b"twitch", "Twitch token", LETTERS, 30, 30),
    vendor(b"twitter", "Twitter token", LETTERS, 45, 45),
    vendor(b"twitter", "Twitter token", TOKEN, 36, 66),
    vendor(b"twitter", "Twitter token", LETTERS, 25, 25),
    vendor(b"twitter", "Twitter token", LETTERS, 50, 50),
    vendor(b"twitter", "Twitter token", DOTTED, 102, 122),
    vendor(b"vault", "Vault token", DOTTED, 26, 26),
    vendor(b"yandex", "Yandex key", DOTTED, 91, 200),
    vendor(b"yandex", "Yandex key", TOKEN, 39, 42),
    vendor(b"zendesk", "Zendesk key", LETTERS, 40, 40),
];
