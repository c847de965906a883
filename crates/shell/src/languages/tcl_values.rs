//! The commands and words of scripts of Tcl, and the items of its lists. Only tells them apart: what they mean is known
//! elsewhere.

/// A part of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
    Text(String),
    /// The value of a variable.
    Variable(&'t str),
    /// What a script returns.
    Command(&'t str),
}

/// A word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word<'t> {
    pub pieces: Vec<Piece<'t>>,
    /// Whether the items of a list are words of their own: `{*}$words`.
    pub is_spread: bool,
}

/// Where the bracket closes that stands at a place.
fn closing(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let (open, close) = match bytes.get(at)? {
        b'{' => (b'{', b'}'),
        _ => (b'[', b']'),
    };
    let (mut depth, mut place) = (0_usize, at);
    while let Some(byte) = bytes.get(place) {
        match *byte {
            b'\\' => place += 1,
            byte if byte == open => depth += 1,
            byte if byte == close => {
                depth -= 1;
                if depth == 0 {
                    return Some(place);
                }
            }
            _ => {}
        }
        place += 1;
    }
    None
}

/// Returns the commands of a script.
pub fn commands(code: &str) -> Vec<&str> {
    let bytes = code.as_bytes();
    let (mut found, mut from, mut at) = (Vec::new(), 0, 0);
    let mut is_quoted = false;
    let mut is_start = true;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'#' if !is_quoted && code.get(from..at).is_some_and(|own| own.trim().is_empty()) => {
                at += code.get(at..).and_then(|rest| rest.find('\n')).unwrap_or(code.len() - at);
                from = at;
                continue;
            }
            b'\\' => at += 1,
            b'{' if !is_quoted && is_start => at = closing(code, at).unwrap_or(code.len()),
            b'[' => at = closing(code, at).unwrap_or(code.len()),
            b'"' if is_quoted || is_start => is_quoted = !is_quoted,
            b'\n' | b';' if !is_quoted => {
                found.extend(code.get(from..at));
                from = at + 1;
            }
            _ => {}
        }
        is_start = matches!(byte, b' ' | b'\t' | b'\n' | b';')
            || *byte == b'}' && bytes.get(at.saturating_sub(1)) == Some(&b'*');
        at += 1;
    }
    found.extend(code.get(from..));
    found.retain(|command| !command.trim().is_empty());
    found
}

/// Returns the words of a command.
pub fn words(command: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut rest = command;
    loop {
        rest = rest.trim_start_matches(|sign: char| sign.is_whitespace());
        rest = rest.strip_prefix("\\\n").unwrap_or(rest);
        if rest.is_empty() {
            return found;
        }
        let spread = rest.strip_prefix("{*}");
        let is_spread = spread.is_some_and(|rest| !rest.starts_with(char::is_whitespace));
        rest = spread.filter(|_| is_spread).unwrap_or(rest);
        let (pieces, end) = match rest.as_bytes().first() {
            Some(b'{') => match closing(rest, 0) {
                Some(close) => {
                    let inner = rest.get(1..close).unwrap_or_default().to_owned();
                    (vec![Piece::Text(inner)], close + 1)
                }
                None => (vec![Piece::Text(rest.to_owned())], rest.len()),
            },
            Some(b'"') => {
                let (pieces, end) = pieces(rest.get(1..).unwrap_or_default(), |byte| byte == b'"');
                (pieces, end + 2)
            }
            _ => pieces(rest, |byte| byte.is_ascii_whitespace()),
        };
        found.push(Word { pieces, is_spread });
        rest = rest.get(end.max(1)..).unwrap_or_default();
    }
}

/// Returns the parts of a text in quotes.
pub fn quoted(text: &str) -> Vec<Piece<'_>> {
    pieces(text, |_| false).0
}

/// The parts of a word up to a byte that ends it, and where that is.
fn pieces(text: &str, ends: impl Fn(u8) -> bool) -> (Vec<Piece<'_>>, usize) {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut own = String::new();
    let mut at = 0;
    while let Some(byte) = bytes.get(at).copied().filter(|byte| !ends(*byte)) {
        let special = match byte {
            b'$' => variable(text, at).map(|(name, end)| (Piece::Variable(name), end)),
            b'[' => closing(text, at)
                .and_then(|close| Some((Piece::Command(text.get(at + 1..close)?), close + 1))),
            _ => None,
        };
        if let Some((piece, end)) = special {
            if !own.is_empty() {
                found.push(Piece::Text(std::mem::take(&mut own)));
            }
            found.push(piece);
            at = end;
            continue;
        }
        if byte == b'\\' {
            at += 1;
            let next = text.get(at..).and_then(|rest| rest.chars().next());
            own.extend(match next {
                Some('n') => Some('\n'),
                Some('t') => Some('\t'),
                Some('r') => Some('\r'),
                Some('\n') => Some(' '),
                other => other,
            });
            at += next.map_or(0, char::len_utf8);
            continue;
        }
        let sign = text.get(at..).and_then(|rest| rest.chars().next());
        own.extend(sign);
        at += sign.map_or(1, char::len_utf8);
    }
    if !own.is_empty() || found.is_empty() {
        found.push(Piece::Text(own));
    }
    (found, at.min(text.len()))
}

/// The variable whose sign stands at a place, and where it ends.
fn variable(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = text.get(at + 1..)?;
    if let Some(inner) = rest.strip_prefix('{') {
        let end = inner.find('}')?;
        return Some((inner.get(..end)?, at + end + 3));
    }
    let is_name = |sign: char| sign.is_alphanumeric() || matches!(sign, '_' | ':');
    let end = rest.find(|sign| !is_name(sign)).unwrap_or(rest.len());
    (end > 0).then_some((rest.get(..end)?, at + 1 + end))
}

/// Returns the items of a list.
pub fn list(text: &str) -> Vec<String> {
    words(text)
        .into_iter()
        .map(|word| match word.pieces.as_slice() {
            [Piece::Text(item)] => item.clone(),
            // Nothing is put into it any more.
            _ => text_of(&word.pieces),
        })
        .collect()
}

fn text_of(pieces: &[Piece<'_>]) -> String {
    pieces
        .iter()
        .map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Variable(name) => format!("${name}"),
            Piece::Command(code) => format!("[{code}]"),
        })
        .collect()
}
