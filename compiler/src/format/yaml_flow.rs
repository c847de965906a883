//! Blanks in collections in brackets: `{ a: 1, b: [x, y] }`.

/// Returns a collection that stands on one line, its blanks in order.
pub(super) fn on_one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '"' | '\'' if starts_value(&out) => {
                out.push(letter);
                quoted(letter, &mut rest, &mut out);
            }
            '[' => {
                out.push('[');
                skip(&mut rest);
            }
            '{' => {
                out.push('{');
                skip(&mut rest);
                if rest.peek().is_some_and(|next| *next != '}') {
                    out.push(' ');
                }
            }
            ']' => {
                trim(&mut out);
                out.push(']');
            }
            '}' => {
                trim(&mut out);
                out.push_str(if out.ends_with('{') { "}" } else { " }" });
            }
            ',' => {
                trim(&mut out);
                out.push(',');
                skip(&mut rest);
                if rest.peek().is_some_and(|next| !matches!(next, ']' | '}')) {
                    out.push(' ');
                }
            }
            ':' if rest.peek() == Some(&' ') => {
                out.push_str(": ");
                skip(&mut rest);
            }
            letter => out.push(letter),
        }
    }
    out
}

/// How many brackets a line opens, those that it closes taken off, and how many it closes before all else. `quote` is
/// the quote that it begins within, and then the one that it ends within.
pub(super) fn depth_of(line: &str, quote: &mut Option<char>) -> (isize, isize) {
    let (mut depth, mut leading, mut is_leading) = (0, 0, quote.is_none());
    let mut before = String::new();
    let mut rest = line.chars().peekable();
    while let Some(letter) = rest.next() {
        if let Some(open) = *quote {
            match letter {
                '\\' if open == '"' => {
                    rest.next();
                }
                '\'' if open == '\'' && rest.peek() == Some(&'\'') => {
                    rest.next();
                }
                letter if letter == open => *quote = None,
                _ => {}
            }
            continue;
        }
        match letter {
            '#' if before.is_empty() || before.ends_with(' ') => break,
            '"' | '\'' if starts_value(&before) => {
                *quote = Some(letter);
                is_leading = false;
            }
            '[' | '{' => {
                depth += 1;
                is_leading = false;
            }
            ']' | '}' => {
                depth -= 1;
                leading += isize::from(is_leading);
            }
            ' ' | ',' => {}
            _ => is_leading = false,
        }
        before.push(letter);
    }
    (depth, leading)
}

/// Whether what comes next begins a value, so that a quote there is one.
fn starts_value(out: &str) -> bool {
    let before = out.trim_end();
    let is_behind_blank = before.len() < out.len();
    match before.chars().next_back() {
        None | Some('[' | '{' | ',') => true,
        Some(':') => true,
        // Behind an anchor.
        Some(_) => {
            is_behind_blank
                && before
                    .rsplit([' ', ',', '[', '{'])
                    .next()
                    .is_some_and(|word| word.starts_with('&'))
        }
    }
}

fn quoted(quote: char, rest: &mut std::iter::Peekable<std::str::Chars<'_>>, out: &mut String) {
    while let Some(letter) = rest.next() {
        out.push(letter);
        match letter {
            '\\' if quote == '"' => out.extend(rest.next()),
            '\'' if quote == '\'' && rest.peek() == Some(&'\'') => out.extend(rest.next()),
            letter if letter == quote => return,
            _ => {}
        }
    }
}

fn skip(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    while rest.next_if_eq(&' ').is_some() {}
}

fn trim(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
}
