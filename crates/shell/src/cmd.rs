//! Command lines of `cmd`, written as bash would have them, so that the one reader reads both. Source:
//! <https://learn.microsoft.com/windows-server/administration/windows-commands/>. Knows as much of the grammar as decides
//! what runs: what stands between `&`, conditions, loops, quotes. Paths get the separator of bash, and what a variable holds
//! is not known.

/// Blocks in blocks are followed so deep.
const MAX_DEPTH: usize = 16;

/// Stands for a condition of which nobody knows what it says.
const CONDITION: &str = "test \"${cmd_condition}\"";

/// Stands for an item of which nobody knows what it is.
const ITEM: &str = "\"${cmd_item}\"";

/// Stands before the letter of a variable of a loop.
const MARK: char = '\u{1}';

/// Programs of which a letter behind a slash is a flag, and whose operands are files.
const DELETING: &[&str] = &["rd", "rmdir", "del", "erase"];

/// Returns a command line of `cmd` as one of bash.
pub(super) fn as_bash(text: &str) -> String {
    let mut made = String::with_capacity(text.len() + 16);
    for line in text.lines() {
        list(line, 0, &mut made);
        made.push('\n');
    }
    made.trim_end().to_owned()
}

/// Takes commands with signs between them.
fn list(text: &str, depth: usize, made: &mut String) {
    let mut rest = text;
    loop {
        let own = rest.trim_start().trim_start_matches('@');
        if depth < MAX_DEPTH
            && let Some(block) = condition(own, depth).or_else(|| each(own, depth))
        {
            return made.push_str(&block);
        }
        if depth < MAX_DEPTH
            && let Some((inner, behind)) = block(own)
        {
            made.push_str("(\n");
            list(inner, depth + 1, made);
            made.push_str("\n)");
            rest = behind;
        } else {
            let end = separator(own);
            command(own.get(..end).unwrap_or_default(), made);
            rest = own.get(end..).unwrap_or_default();
        }
        let end = separator(rest);
        // What stands behind a block belongs to it: where its output goes.
        command(rest.get(..end).unwrap_or_default(), made);
        let behind = rest.get(end..).unwrap_or_default();
        let Some(sign) = ["&&", "||", "|", "&"].into_iter().find(|sign| behind.starts_with(sign))
        else {
            return;
        };
        made.push_str(if sign == "&" { "\n" } else { sign });
        rest = behind.get(sign.len()..).unwrap_or_default();
    }
}

/// Where the first sign between commands stands.
fn separator(text: &str) -> usize {
    let (mut is_quoted, mut depth, mut before) = (false, 0_usize, ' ');
    for (at, sign) in text.char_indices() {
        match sign {
            _ if before == '^' && !is_quoted => {}
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            '|' if depth == 0 => return at,
            '&' if depth == 0 && !matches!(before, '>' | '<') => return at,
            _ => {}
        }
        before = if sign == '^' && before == '^' { ' ' } else { sign };
    }
    text.len()
}

/// What stands in brackets at the beginning, and behind them.
fn block(text: &str) -> Option<(&str, &str)> {
    let inner = text.strip_prefix('(')?;
    let (mut is_quoted, mut depth) = (false, 0_usize);
    for (at, sign) in inner.char_indices() {
        match sign {
            '"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '(' => depth += 1,
            ')' if depth == 0 => return Some((inner.get(..at)?, inner.get(at + 1..)?)),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// A word at the beginning, and what stands behind it.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let mut is_quoted = false;
    let end = text.char_indices().find(|(_, sign)| {
        is_quoted ^= *sign == '"';
        !is_quoted && (sign.is_whitespace() || *sign == '(')
    });
    text.split_at_checked(end.map_or(text.len(), |(at, _)| at)).unwrap_or((text, ""))
}

/// What stands behind a word that is written in any letters.
fn behind<'t>(text: &'t str, expected: &str) -> Option<&'t str> {
    let (first, rest) = word(text);
    first.eq_ignore_ascii_case(expected).then_some(rest)
}

/// `if [not] exist FILE command`, `if A==B (…) else (…)`
fn condition(text: &str, depth: usize) -> Option<String> {
    let mut rest = behind(text, "if")?;
    while let Some(more) = behind(rest, "/i").or_else(|| behind(rest, "not")) {
        rest = more;
    }
    let one = ["exist", "defined", "errorlevel", "cmdextversion"];
    let body = match one.iter().find_map(|name| behind(rest, name)) {
        Some(more) => word(more).1,
        None => {
            let (first, more) = word(rest);
            match first.split_once("==") {
                Some((_, right)) if !right.is_empty() => more,
                Some(_) => word(more).1,
                None => match more.trim_start().strip_prefix("==") {
                    Some(more) => word(more).1,
                    None => {
                        let (operator, more) = word(more);
                        let known = ["equ", "neq", "lss", "leq", "gtr", "geq"];
                        let is_known = known.iter().any(|own| operator.eq_ignore_ascii_case(own));
                        is_known.then(|| word(more).1)?
                    }
                },
            }
        }
    };
    let body = body.trim_start();
    let mut made = format!("if {CONDITION}; then\n");
    let Some((inner, more)) = block(body) else {
        list(body, depth + 1, &mut made);
        made.push_str("\nfi");
        return Some(made);
    };
    list(inner, depth + 1, &mut made);
    let more = match behind(more, "else") {
        None => more,
        Some(other) => {
            made.push_str("\nelse\n");
            match block(other.trim_start()) {
                Some((inner, more)) => {
                    list(inner, depth + 1, &mut made);
                    more
                }
                None => {
                    list(other, depth + 1, &mut made);
                    ""
                }
            }
        }
    };
    made.push_str("\nfi");
    follow(more, depth, &mut made);
    Some(made)
}

/// What stands behind a block.
fn follow(more: &str, depth: usize, made: &mut String) {
    let more = more.trim_start();
    let sign = ["&&", "||", "|", "&"].into_iter().find(|sign| more.starts_with(sign));
    let rest = sign.map_or(more, |sign| more.get(sign.len()..).unwrap_or_default());
    if !rest.trim().is_empty() {
        made.push('\n');
        list(rest, depth + 1, made);
    }
}

/// `for [/d | /f …] %i in (…) do command`
fn each(text: &str, depth: usize) -> Option<String> {
    let mut rest = behind(text, "for")?;
    let mut kind = ' ';
    loop {
        let (first, more) = word(rest);
        if let Some(letter) = first.strip_prefix('/') {
            kind = letter.chars().next()?.to_ascii_lowercase();
        } else if first.starts_with('%') {
            break;
        } else if first.is_empty() {
            return None;
        }
        rest = more;
    }
    let (name, rest) = word(rest);
    let letter = name.trim_start_matches('%');
    let sign = letter.chars().next().filter(|sign| sign.is_ascii_alphanumeric())?;
    if letter.len() != 1 {
        return None;
    }
    let (set, rest) = block(behind(rest, "in")?.trim_start())?;
    let body = behind(rest, "do")?;
    let set = set.trim();
    let quoted = |quote: char| set.strip_prefix(quote).and_then(|set| set.strip_suffix(quote));
    let mut items = String::new();
    match (kind, quoted('\'').or_else(|| quoted('`'))) {
        ('f', Some(inner)) => {
            items.push_str("$(");
            list(inner, depth + 1, &mut items);
            items.push_str("\n)");
        }
        (' ' | 'd', _) => command(set, &mut items),
        ('l', _) => items.push_str("$(seq 1 2)"),
        _ => items.push_str(ITEM),
    }
    let marked = format!("{MARK}{sign}");
    let body = body.replace(&format!("%%{sign}"), &marked).replace(&format!("%{sign}"), &marked);
    let mut made = format!("for item_{sign} in {items}; do\n");
    list(&body, depth + 1, &mut made);
    made.push_str("\ndone");
    Some(made)
}

/// One command, in the signs of bash.
fn command(text: &str, made: &mut String) {
    let text = text.trim();
    if text.is_empty() {
        return;
    }
    let (first, rest) = word(text);
    if first.eq_ignore_ascii_case("call") && !rest.trim_start().starts_with(':') {
        return command(rest, made);
    }
    if first.eq_ignore_ascii_case("start") {
        return command(started(rest), made);
    }
    let small = first.to_ascii_lowercase();
    // `rd/s`
    let (program, joined) = match small.split_once('/') {
        Some((program, _)) if DELETING.contains(&program) => {
            (program.to_owned(), text.get(program.len()..).unwrap_or_default())
        }
        _ => (small, rest),
    };
    if !made.is_empty() && !made.ends_with(['\n', '|', '&']) {
        made.push(' ');
    }
    if !DELETING.contains(&program.as_str()) {
        let is_plain = first.bytes().all(|byte| byte.is_ascii_alphabetic());
        return match is_plain {
            true => {
                made.push_str(&program);
                signs(rest, made);
            }
            false => signs(text, made),
        };
    }
    made.push_str(&program);
    let mut rest = joined;
    while !rest.trim_start().is_empty() {
        let (own, behind) = word(rest.trim_start());
        let (own, behind) = match own {
            "" => rest.trim_start().split_at_checked(1).unwrap_or((rest, "")),
            own => (own, behind),
        };
        rest = behind;
        let is_flag = own.starts_with('/')
            && own.split('/').skip(1).all(|flag| {
                flag.starts_with(|sign: char| sign.is_ascii_alphabetic())
                    && (flag.len() == 1 || flag.contains(':'))
            });
        match is_flag {
            true => {
                for flag in own.split('/').skip(1) {
                    made.push_str(" -");
                    made.extend(flag.chars().take(1).map(|sign| sign.to_ascii_lowercase()));
                }
            }
            false => {
                made.push(' ');
                signs(own, made);
            }
        }
    }
}

/// What `start "title" /b command` starts.
fn started(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let (first, behind) = word(rest);
        let is_more = first.starts_with('/') || first.starts_with('"') && !behind.trim().is_empty();
        if !is_more || first.is_empty() {
            return rest;
        }
        rest = behind.trim_start();
    }
}

/// Text in the signs of bash.
fn signs(text: &str, made: &mut String) {
    let mut is_quoted = false;
    let mut rest = text.chars().peekable();
    while let Some(sign) = rest.next() {
        match sign {
            MARK => {
                let name = rest.next().unwrap_or('x');
                let value = format!("${{item_{name}}}");
                made.push_str(&if is_quoted { value } else { format!("\"{value}\"") });
            }
            '%' => variable(&mut rest, is_quoted, made),
            '"' => {
                is_quoted = !is_quoted;
                made.push('"');
            }
            '\\' => made.push('/'),
            '$' | '`' => made.extend(['\\', sign]),
            _ if is_quoted => made.push(sign),
            '^' => {
                if let Some(next) = rest.next() {
                    made.extend(next.is_ascii_punctuation().then_some('\\'));
                    made.push(next);
                }
            }
            '\'' | '#' | '[' | ']' | '{' | '}' | '~' => made.extend(['\\', sign]),
            ';' => made.push(' '),
            '>' | '<' => {
                made.push(sign);
                let ahead: String = rest.clone().skip_while(|sign| *sign == ' ').take(4).collect();
                let mut name = ahead.chars();
                let is_null = name.by_ref().take(3).collect::<String>().eq_ignore_ascii_case("nul");
                if is_null && name.next().is_none_or(|sign| !sign.is_ascii_alphanumeric()) {
                    let blanks = rest.clone().take_while(|sign| *sign == ' ').count();
                    rest.by_ref().take(blanks + 3).for_each(drop);
                    made.push_str("/dev/null");
                }
            }
            sign => made.push(sign),
        }
    }
    made.extend(is_quoted.then_some('"'));
}

/// `%NAME%` is what a variable holds, which nobody knows.
fn variable(
    rest: &mut std::iter::Peekable<std::str::Chars<'_>>,
    is_quoted: bool,
    made: &mut String,
) {
    let name: String = rest.clone().take_while(|sign| *sign != '%').take(64).collect();
    let length = name.chars().count();
    let is_name = !name.is_empty()
        && name.chars().all(|sign| sign.is_ascii_alphanumeric() || "_:~,-=()".contains(sign));
    let is_closed = rest.clone().nth(length) == Some('%');
    // `%1`, and `%~dp0` of a script.
    let is_word =
        name.starts_with(|sign: char| sign.is_ascii_digit() || sign == '~' || sign == '*');
    match (is_name && is_closed, is_word) {
        (true, _) => {
            rest.by_ref().take(length + 1).for_each(drop);
            made.push_str(if is_quoted { "${cmd_value}" } else { "\"${cmd_value}\"" });
        }
        (false, true) => made.push_str(if is_quoted { "${cmd_value}" } else { "\"${cmd_value}\"" }),
        (false, false) => made.push('%'),
    }
}

#[cfg(test)]
mod tests {
    use super::as_bash;

    #[track_caller]
    fn check(cmd: &str, bash: &str) {
        let made = as_bash(cmd).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(made, bash, "{cmd}");
    }

    #[test]
    fn commands_stand_between_signs() {
        check("dir & echo a && b || c | d", "dir echo a&&b||c|d");
        check("echo \"a & b\" > nul 2>&1", "echo \"a & b\" >/dev/null 2>&1");
        check("rmdir /s /q a\\b & npm ci", "rmdir -s -q a/b npm ci");
        check("RD/S/Q a", "rd -s -q a");
        check("echo it's $x `ls` ^& ;", "echo it\\'s \\$x \\`ls\\` \\&");
        check("(cd a & del b) & c", "( cd a del b ) c");
    }

    #[test]
    fn conditions_hold_or_do_not() {
        let condition = "if test \"${cmd_condition}\"; then";
        check("if exist a rd /s a & b", &format!("{condition} rd -s a b fi"));
        check("if not exist \"a b\" (x) else (y) & z", &format!("{condition} x else y fi z"));
        check("if /i \"%a%\"==\"b\" rd /s c", &format!("{condition} rd -s c fi"));
        check("if 1 EQU 2 x", &format!("{condition} x fi"));
    }

    #[test]
    fn loops_are_those_of_bash() {
        check("for %i in (a b) do rd /s %i", "for item_i in a b; do rd -s \"${item_i}\" done");
        check(
            "for /f \"tokens=1\" %%f in ('dir /b') do echo \"%%f\"",
            "for item_f in $( dir /b ); do echo \"${item_f}\" done",
        );
    }

    #[test]
    fn what_variables_hold_is_not_known() {
        check("rd /s %A%\\b", "rd -s \"${cmd_value}\"/b");
        check("echo 100%", "echo 100%");
    }
}
