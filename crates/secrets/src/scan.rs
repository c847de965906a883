//! The scan of a text: the marks that every kind of secret has, and what is compared at each.

use crate::forms::{FORMS, may_end};
use crate::placeholder::{is_long, is_placeholder};
use crate::text::{contains, is_word, is_word_start, position, run, run_back};
use crate::vendors;

/// The longest value of an assignment that is looked at, in bytes.
const VALUE: usize = 256;

/// The kind of the first secret found in `text`, such as `private key` or `GitHub token`.
/// Placeholders (`$TOKEN`, `<your-key>`, `xxxx`) and references (`process.env.X`) are none.
#[must_use]
pub fn contains_secret(text: &str) -> Option<&'static str> {
    let text = text.as_bytes();
    // Each byte beside the one before it, in pieces that the processor compares at once.
    let (befores, _) = text.as_chunks::<PIECE>();
    let (marks, rest) = text.get(1..)?.as_chunks::<PIECE>();
    for (index, (before, mark)) in befores.iter().zip(marks).enumerate() {
        if may_mark(before, mark)
            && let Some(kind) = between(text, index * PIECE, (index + 1) * PIECE)
        {
            return Some(kind);
        }
    }
    between(text, text.len() - 1 - rest.len(), text.len() - 1)
}

/// How many bytes are compared at once.
const PIECE: usize = 16;

/// Whether one of the bytes could be a mark: a coarser question than [`is_mark`], without tables and
/// branches.
#[inline]
fn may_mark(before: &[u8; PIECE], mark: &[u8; PIECE]) -> bool {
    let either = |found: u8, (&before, &mark): (&u8, &u8)| {
        found
            | u8::from(mark == b'-') & (u8::from(before >= b'0') | u8::from(before == b'-'))
            | u8::from(mark == b'_') & u8::from(before >= b'0')
            | u8::from(mark == b'=')
            | u8::from(mark == b':')
            | u8::from(mark == b'I') & u8::from(before >= b'A')
            | u8::from(mark == b'J') & u8::from(before == b'y')
    };
    before.iter().zip(mark).fold(0, either) != 0
}

/// Looks at the marks after each of the bytes `start..end`.
#[inline(never)]
fn between(text: &[u8], start: usize, end: usize) -> Option<&'static str> {
    let pairs = text.get(start..=end)?.array_windows();
    let found = |(before, &pair): (usize, &[u8; 2])| {
        if is_mark(pair) && may_be_token(text, before, pair) {
            at_mark(text, before + 1)
        } else {
            None
        }
    };
    (start..).zip(pairs).find_map(found)
}

/// Whether a hyphen or an underscore after a letter ends a prefix as far as the two letters before it
/// tell: most of them stand in the middle of a name. Holds for other marks.
#[inline]
fn may_be_token(text: &[u8], before: usize, [last, mark]: [u8; 2]) -> bool {
    last == b'-' || !matches!(mark, b'-' | b'_') || text.get(..=before).is_some_and(may_end)
}

/// The bytes that a secret's prefix or name has at its end or near its beginning, each with those
/// that may stand before it. One bit of both tables stands for one of these pairs.
const MARKS: [(&[u8], &[u8]); 5] = [
    (b"-", b"-01EIKSTXYabdefijklnoprstuy"),
    (b"_", b"12Sacdefghikmnoprstuw"),
    (b"=", b"DELMNSTYdelmnsty \t]\"'\\:"),
    (b"I", b"ABKS"),
    (b"J", b"y"),
];

/// For each byte the marks that it may stand before.
static BEFORE: [u8; 256] = table(false);

/// For each byte the mark that it is.
static MARK: [u8; 256] = table(true);

#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler, which reports a bad index")]
const fn table(marks: bool) -> [u8; 256] {
    let mut table = [0; 256];
    let mut row = 0;
    while row < MARKS.len() {
        let bytes = if marks { MARKS[row].0 } else { MARKS[row].1 };
        let mut at = 0;
        while at < bytes.len() {
            table[bytes[at] as usize] |= 1 << row;
            at += 1;
        }
        row += 1;
    }
    // A colon may come after anything.
    let colon = 1 << MARKS.len();
    let mut byte = 0;
    while byte < table.len() {
        if !marks || byte == b':' as usize {
            table[byte] |= colon;
        }
        byte += 1;
    }
    table
}

#[inline]
fn is_mark([before, mark]: [u8; 2]) -> bool {
    entry(&BEFORE, before) & entry(&MARK, mark) != 0
}

#[inline]
fn entry(table: &[u8; 256], byte: u8) -> u8 {
    table.get(usize::from(byte)).copied().unwrap_or(0)
}

/// Kept out of the loop over the bytes, which stays small for it.
#[inline(never)]
fn at_mark(text: &[u8], at: usize) -> Option<&'static str> {
    let (before, rest) = text.split_at_checked(at)?;
    let (&mark, after) = rest.split_first()?;
    match mark {
        b'=' => assignment(before, after),
        b':' if after.starts_with(b"//") => url(after),
        b':' => assignment(before, after).or_else(|| user_option(before, after)),
        b'I' => cloud_key(before, after),
        b'J' => web_token(before, after),
        b'-' if after.starts_with(b"---BEGIN ") => private_key(after),
        b'-' if before.ends_with(b"-") => option(before, after),
        _ => token(before, rest),
    }
}

/// `rest` begins at the mark that may end a token's prefix.
fn token(before: &[u8], rest: &[u8]) -> Option<&'static str> {
    // Most hyphens and underscores stand after another word, and before a short one.
    if !may_end(before)
        || !rest.get(1..11).is_some_and(|tail| tail.iter().all(|&byte| is_word(byte)))
    {
        return None;
    }
    let (&mark, tail) = rest.split_first()?;
    FORMS.iter().find_map(|form| {
        let (&end, name) = form.prefix.split_last()?;
        let found = end == mark && before.strip_suffix(name).is_some_and(is_word_start);
        (found && form.fits(tail)).then_some(form.kind)
    })
}

/// AWS and Google keys, by the `I` of their first letters.
fn cloud_key(before: &[u8], after: &[u8]) -> Option<&'static str> {
    if let Some(before) = before.strip_suffix(b"LTA") {
        let found = is_word_start(before) && is_long(run(after, is_word), 20);
        return found.then_some("Alibaba access key");
    }
    let aws = [b"AK", b"AS", b"AB"].iter().find_map(|&letters| before.strip_suffix(letters));
    if let (Some(before), Some(tail)) = (aws, after.strip_prefix(b"A")) {
        if !is_word_start(before) {
            return None;
        }
        let key = run(tail, is_word);
        let form = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
        let found = key.len() == 16 && key.iter().all(form);
        return (found && is_long(key, 16)).then_some("AWS access key");
    }
    let before = before.strip_suffix(b"A")?;
    let tail = after.strip_prefix(b"za")?;
    (is_word_start(before) && is_long(run(tail, is_word), 30)).then_some("Google API key")
}

/// A signed JSON web token, by the `J` of its `eyJ`.
fn web_token(before: &[u8], after: &[u8]) -> Option<&'static str> {
    if !is_word_start(before.strip_suffix(b"ey")?) {
        return None;
    }
    let (_, after) = part(after)?;
    let (_, after) = part(after.strip_prefix(b".ey")?)?;
    let (signature, _) = part(after.strip_prefix(b".")?)?;
    is_long(signature, 8).then_some("JSON web token")
}

/// A part of a web token and what follows it.
fn part(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let part = run(text, is_word);
    (part.len() >= 8).then(|| text.split_at_checked(part.len())).flatten()
}

/// `after` follows the second hyphen of a header line. The header alone is only spoken of: a key has
/// its text after it.
fn private_key(after: &[u8]) -> Option<&'static str> {
    let header = after.strip_prefix(b"---BEGIN ")?;
    let header = header.get(..header.len().min(VALUE))?;
    let name = run(header, |byte| byte.is_ascii_uppercase() || matches!(byte, b' ' | b'0'..=b'9'));
    if !name.ends_with(b"PRIVATE KEY") && !name.ends_with(b"PRIVATE KEY BLOCK") {
        return None;
    }
    let is_key = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let body = header.get(name.len()..)?;
    let is_body = body.split(|byte| !is_key(*byte)).any(|line| is_long(line, 32));
    (is_body || first_line(body).is_some_and(|line| begins_key(run(line, is_key), line)))
        .then_some("private key")
}

/// What stands on the line below the header of a key, whose hyphens `text` begins with; the line may
/// break as it does in a text in quotes.
fn first_line(text: &[u8]) -> Option<&[u8]> {
    let text = text.strip_prefix(b"-----")?;
    let text = text.strip_prefix(b"\r").or_else(|| text.strip_prefix(b"\\r")).unwrap_or(text);
    text.strip_prefix(b"\n").or_else(|| text.strip_prefix(b"\\n"))
}

/// Whether the characters that a line begins with are of a key, and not the beginning of one that goes
/// on with dots, as in documentation.
fn begins_key(characters: &[u8], line: &[u8]) -> bool {
    const LEAST: usize = 8;
    let behind = line.get(characters.len()..).unwrap_or_default();
    is_long(characters, LEAST) && !behind.starts_with(b".")
}

/// Addresses at which whoever knows them may post: the host, or its end, with what its path begins with.
const WEBHOOKS: [(&[u8], &str); 6] = [
    (b"hooks.slack.com/services/", "Slack webhook"),
    (b"hooks.slack.com/workflows/", "Slack webhook"),
    (b"hooks.slack.com/triggers/", "Slack webhook"),
    (b".webhook.office.com/webhookb2/", "Microsoft Teams webhook"),
    (b"discord.com/api/webhooks/", "Discord webhook"),
    (b"discordapp.com/api/webhooks/", "Discord webhook"),
];

/// An address at which whoever knows it may post; `after` begins with the two slashes.
fn webhook(after: &[u8]) -> Option<&'static str> {
    /// The least characters of what nobody else knows.
    const LEAST: usize = 40;
    let address = run(after.get(2..)?, |byte| is_word(byte) || b"./@%+=".contains(&byte));
    let host = address.get(..position(address, b'/')?)?;
    if !host.ends_with(b".com") {
        return None;
    }
    WEBHOOKS.iter().find_map(|(begins, kind)| {
        // One that begins with a dot is the end of a host.
        let own = position(begins, b'/')?;
        let from = if begins.starts_with(b".") { host.len().checked_sub(own)? } else { 0 };
        let secret = address.get(from..)?.strip_prefix(*begins)?;
        (is_long(secret, LEAST) && !is_placeholder(secret)).then_some(*kind)
    })
}

/// A password before the host of a URL; `after` begins with the two slashes.
fn url(after: &[u8]) -> Option<&'static str> {
    if let Some(kind) = webhook(after) {
        return Some(kind);
    }
    let authority = run(after.get(2..)?, |byte| {
        !byte.is_ascii_whitespace() && !matches!(byte, b'/' | b'?' | b'#' | b'"' | b'\'' | b'`')
    });
    let authority = authority.get(..authority.len().min(VALUE))?;
    let user = authority.get(..authority.iter().rposition(|&byte| byte == b'@')?)?;
    let (name, password) = user.split_at_checked(position(user, b':')?)?;
    let password = password.get(1..)?;
    let real = password.len() >= 4 && name != password && !is_reference(password);
    (real && !is_placeholder(password)).then_some("password in a URL")
}

/// The value of `curl -u name:value` and `--user name:value`; the name ends `before`.
fn user_option(before: &[u8], after: &[u8]) -> Option<&'static str> {
    if !after.first().is_some_and(u8::is_ascii_graphic) {
        return None;
    }
    let name = run_back(before, |byte| is_word(byte) || matches!(byte, b'.' | b'@' | b'*'));
    let option = before.get(..before.len() - name.len())?;
    let option = option.strip_suffix(b"'").or_else(|| option.strip_suffix(b"\"")).unwrap_or(option);
    let named = [&b" -u "[..], b" -u", b" --user ", b" --user="];
    if !named.iter().any(|name| option.ends_with(name)) {
        return None;
    }
    let value = plain_value(after);
    (value != name && is_secret(value, Name::Password)).then_some("password")
}

/// The value of a command line's `--password value`; `after` begins with the option's name.
fn option(before: &[u8], after: &[u8]) -> Option<&'static str> {
    if !is_word_start(before.strip_suffix(b"-")?) {
        return None;
    }
    let name = run(after, is_word);
    let what = Name::of(name)?;
    let value = after.get(name.len()..)?.strip_prefix(b" ")?;
    value_after(value, what).filter(|_| !value.starts_with(b"-"))
}

/// `name=value`, `name: value`, `"name": "value"`, `name["x"] = 'value'` around a mark.
fn assignment(before: &[u8], after: &[u8]) -> Option<&'static str> {
    // `==`, `!=`, `::` and the like compare or qualify; `:=` is seen at its `=`, `=>` assigns.
    if matches!(after.first(), Some(b'=' | b':' | b'~'))
        || matches!(before.last(), Some(b'=' | b'!' | b'<' | b'>'))
    {
        return None;
    }
    let before = before.strip_suffix(b":").unwrap_or(before);
    let closing =
        run_back(before, |byte| matches!(byte, b' ' | b'\t' | b']' | b'"' | b'\'' | b'\\'));
    let name = before.get(..before.len() - closing.len())?;
    let after = after.strip_prefix(b">").unwrap_or(after);
    if Name::may_be(name)
        && let Some(what) = Name::of(run_back(name, |byte| is_word(byte) || byte == b'.'))
        && let Some(kind) = value_after(after, what)
    {
        return Some(kind);
    }
    if vendors::may_follow(after) { vendors::value_of(name, after) } else { None }
}

/// Names of keys that are kept secret.
const KEYS: [&[u8]; 7] = [
    b"apikey",
    b"accesskey",
    b"secretkey",
    b"privatekey",
    b"accountkey",
    b"signingkey",
    b"encryptionkey",
];

/// Names of tokens that anyone may see.
const LISTINGS: [&[u8]; 4] = [b"pagetoken", b"nexttoken", b"continuationtoken", b"synctoken"];

/// What a name says its value is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Name {
    /// Chosen by people: may be short.
    Password,
    /// Made by programs: long.
    Token,
    /// A token after the name of its scheme.
    Authorization,
}

impl Name {
    /// Whether a name may be one of those that [`Name::of`] knows, by its last two letters.
    fn may_be(name: &[u8]) -> bool {
        let [.., before, last] = name else {
            return false;
        };
        matches!(
            (before.to_ascii_lowercase(), last.to_ascii_lowercase()),
            (b'r' | b'w', b'd')
                | (b's', b'e')
                | (b's' | b'l', b's')
                | (b'a', b'l')
                | (b'e', b't' | b'y')
                | (b'e' | b'o', b'n')
        )
    }

    fn of(name: &[u8]) -> Option<Self> {
        if !Self::may_be(name) {
            return None;
        }
        let ends = |words: &[&[u8]]| words.iter().any(|word| ends_in(name, word));
        match name.last()?.to_ascii_lowercase() {
            b'd' => ends(&[b"password", b"passwd", b"pwd"]).then_some(Self::Password),
            b'e' => ends(&[b"passphrase"]).then_some(Self::Password),
            b's' if is_pass(name) => Some(Self::Password),
            b's' => ends(&[b"credentials"]).then_some(Self::Token),
            b'l' => ends(&[b"credential"]).then_some(Self::Token),
            b't' => ends(&[b"secret"]).then_some(Self::Token),
            b'n' if ends(&[b"authorization"]) => Some(Self::Authorization),
            // Where a listing goes on is no secret.
            b'n' if ends(&LISTINGS) => None,
            b'n' => ends(&[b"token"]).then_some(Self::Token),
            b'y' => ends(&KEYS).then_some(Self::Token),
            _ => None,
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Token | Self::Authorization => "token or key",
        }
    }
}

/// Whether `name` ends in `word`, without regard to case and separators.
fn ends_in(name: &[u8], word: &[u8]) -> bool {
    let separator = |byte: &&u8| matches!(byte, b'_' | b'-' | b'.');
    let mut letters = name.iter().rev().filter(|byte| !separator(byte)).map(u8::to_ascii_lowercase);
    word.iter().rev().all(|&letter| letters.next() == Some(letter))
}

/// `pass`, `DB_PASS`, `dbPass`, and not `bypass`.
fn is_pass(name: &[u8]) -> bool {
    name.split_at_checked(name.len().wrapping_sub(4)).is_some_and(|(before, end)| {
        let alone = !before.last().is_some_and(u8::is_ascii_alphabetic);
        end == b"Pass" || alone && end.eq_ignore_ascii_case(b"pass")
    })
}

/// Whether the value that `text` begins with is a secret.
fn value_after(text: &[u8], what: Name) -> Option<&'static str> {
    let text = text.get(..text.len().min(VALUE)).unwrap_or_default().trim_ascii_start();
    let text = without_scheme(text, what);
    // A letter before the quote and a backslash in it belong to the notation.
    let opening = text.iter().take(3).position(|byte| matches!(byte, b'"' | b'\''));
    let value = match opening.and_then(|at| text.split_at_checked(at)) {
        Some((b"" | b"\\" | b"b" | b"r" | b"f" | b"u", [quote, quoted @ ..])) => {
            let quoted = quoted.get(..position(quoted, *quote)?)?;
            without_scheme(quoted.strip_suffix(b"\\").unwrap_or(quoted), what)
        }
        _ => plain_value(text),
    };
    is_secret(value, what).then(|| what.kind())
}

fn without_scheme(text: &[u8], what: Name) -> &[u8] {
    let schemes: [&[u8]; 3] = [b"bearer ", b"basic ", b"token "];
    let scheme = schemes.iter().find(|scheme| {
        text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    let length = scheme.filter(|_| what == Name::Authorization).map_or(0, |scheme| scheme.len());
    text.get(length..).unwrap_or_default().trim_ascii_start()
}

/// A value without quotes, up to what ends a word in a shell, a URL, a header or a program.
fn plain_value(text: &[u8]) -> &[u8] {
    let text = text.get(..text.len().min(VALUE)).unwrap_or_default();
    let ends = b"\"'`,;&|<>)}]=\\";
    let value = run(text, |byte| !byte.is_ascii_whitespace() && !ends.contains(&byte));
    // `f(x)`, `a[1]`, `${X}`: what the program says, not what it holds.
    let refers = value.iter().any(|byte| matches!(byte, b'(' | b'[' | b'{' | b'$'));
    if refers { b"" } else { value }
}

fn is_secret(value: &[u8], what: Name) -> bool {
    let count = |is: fn(&u8) -> bool| value.iter().filter(|byte| is(byte)).count();
    let letters = count(u8::is_ascii_alphabetic);
    let digits = count(u8::is_ascii_digit);
    if letters == 0 || value.iter().any(u8::is_ascii_whitespace) {
        return false;
    }
    let strong = if what == Name::Password {
        let marks = count(|byte| b"!@#$%^&*+?~".contains(byte));
        value.len() >= 6 && digits + marks > 0
    } else {
        // `db-creds-v2` and `TokenV2` name something.
        let names = digits * 5 < value.len() && !value.iter().any(u8::is_ascii_uppercase);
        // What is drawn by lot is long, of all letters, and may have a single digit.
        let is_drawn = value.len() >= 32
            && digits == 1
            && value.iter().any(u8::is_ascii_lowercase)
            && value.iter().any(u8::is_ascii_uppercase);
        value.len() >= 12
            && (digits >= 2 || is_drawn)
            && !(names && value.iter().any(|byte| !byte.is_ascii_alphanumeric()))
    };
    strong && !is_reference(value) && !is_placeholder(value)
}

/// Whether a value says where the secret is.
fn is_reference(value: &[u8]) -> bool {
    let identifier = |part: &[u8]| {
        part.first().is_some_and(|&first| first.is_ascii_alphabetic() || first == b'_')
            && part.iter().all(|&byte| is_word(byte))
    };
    let path = value.split(|&byte| byte == b'.');
    matches!(value.first(), Some(b'$' | b'<' | b'%' | b'/' | b'~' | b'[' | b'@' | b'*'))
        || value.starts_with(b"./")
        || value.starts_with(b"../")
        || value.contains(&b'{')
        || contains(value, b"$(")
        || value.contains(&b'.') && path.clone().all(identifier) && path.count() < 6
}

#[cfg(test)]
mod tests;
