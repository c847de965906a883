//! Statements of PowerShell, written as bash would have them, so that the one reader reads both. Source:
//! <https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/>. Knows as much of the grammar as decides
//! what runs: lists between commas, variables that are set, values that are only shown, loops over a list. What variables
//! are set to stays unknown, since much else may set them, in any way of writing their names. What it does not know stays
//! as it is, and is as open as before.

use super::{powershell_blocks, powershell_values};

/// Blocks in blocks are followed so deep.
const MAX_DEPTH: usize = 16;

/// Returns statements of PowerShell as a command line of bash.
pub(super) fn as_bash(text: &str) -> String {
    // It means nothing there but where it stands between names.
    let text = text.replace('\\', "/");
    let small = text.to_ascii_lowercase();
    statements(&text, &small, 0)
}

/// Reads what stands in blocks; it has the whole text in small letters.
struct Blocks<'a>(&'a str);

impl powershell_blocks::Statements for Blocks<'_> {
    fn statements(&self, text: &str, depth: usize) -> String {
        statements(text, self.0, depth)
    }

    fn statement(&self, text: &str, depth: usize) -> String {
        statement(text, self.0, depth)
    }
}

/// `all` is the whole text in small letters.
fn statements(text: &str, all: &str, depth: usize) -> String {
    let text = text.replace("`\r\n", " ").replace("`\n", " ");
    let mut made = String::with_capacity(text.len());
    for (number, one) in joined(&text).into_iter().enumerate() {
        made.push_str(if number == 0 { "" } else { "\n" });
        made.push_str(&statement(one, all, depth));
    }
    made
}

/// The statements of a text, each with what goes on with it on lines of its own.
fn joined(text: &str) -> Vec<&str> {
    let (mut found, mut from, mut end) = (Vec::new(), 0, 0);
    for part in split(text, &[';', '\n']) {
        if end > from && !powershell_blocks::goes_on(part) {
            found.push(text.get(from..end - 1).unwrap_or_default());
            from = end;
        }
        end += part.len() + 1;
    }
    found.push(text.get(from..).unwrap_or_default());
    found
}

/// The parts of a text between signs that stand outside of quotes and brackets.
fn split<'t>(text: &'t str, signs: &[char]) -> Vec<&'t str> {
    let (mut parts, mut from) = (Vec::new(), 0);
    let mut reader = Reader::default();
    for (at, sign) in text.char_indices() {
        if reader.take(sign) && signs.contains(&sign) {
            parts.push(text.get(from..at).unwrap_or_default());
            from = at + sign.len_utf8();
        }
    }
    parts.push(text.get(from..).unwrap_or_default());
    parts
}

/// Where quotes and brackets are open.
#[derive(Default)]
struct Reader {
    quote: Option<char>,
    is_escaped: bool,
    depth: usize,
}

impl Reader {
    /// Takes a sign. Says whether it stands outside of quotes and brackets.
    fn take(&mut self, sign: char) -> bool {
        if std::mem::take(&mut self.is_escaped) {
            return false;
        }
        match (self.quote, sign) {
            (Some('"') | None, '`') => self.is_escaped = true,
            (Some(quote), sign) if quote == sign => self.quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => self.quote = Some(sign),
            (None, '(' | '{' | '[') => self.depth += 1,
            (None, ')' | '}' | ']') => self.depth = self.depth.saturating_sub(1),
            (None, _) => return self.depth == 0,
        }
        false
    }
}

fn statement(text: &str, all: &str, depth: usize) -> String {
    let own = text.trim();
    if depth >= MAX_DEPTH {
        return without_commas(text);
    }
    if runs_fetched(own) {
        return format!("{}\neval \"$(iwr)\"", without_commas(text));
    }
    let made = match own.strip_prefix('$') {
        Some(rest) => variable(rest, all),
        None => each(own, all, depth),
    };
    made.or_else(|| shown(own, all, depth))
        .or_else(|| powershell_blocks::block(&Blocks(all), own, depth))
        .or_else(|| powershell_blocks::alias(own))
        .unwrap_or_else(|| {
            powershell_blocks::with_blocks(&Blocks(all), text, depth, without_commas(text))
        })
}

/// Whether a statement runs what it takes from the network: `iex (iwr $url).Content`. What only stands before it in a pipe is
/// told by that.
fn runs_fetched(statement: &str) -> bool {
    const FETCHING: &[&str] = &[
        "iwr ",
        "irm ",
        "curl ",
        "wget ",
        "invoke-webrequest ",
        "invoke-restmethod ",
        "downloadstring(",
        "downloaddata(",
    ];
    let small = statement.to_ascii_lowercase();
    let code = ["iex", "invoke-expression"].iter().find_map(|name| small.strip_prefix(name));
    code.is_some_and(|code| {
        code.starts_with([' ', '(', '"', '$']) && FETCHING.iter().any(|word| code.contains(word))
    })
}

/// A value that is shown or that a variable is set to, with the commands that stand in its brackets.
fn shown(text: &str, all: &str, depth: usize) -> Option<String> {
    let value = match text.strip_prefix('$').and_then(|rest| rest.split_once('=')) {
        Some((name, value)) if is_own(name.trim_end().trim_end_matches(['+', '-', '*'])) => value,
        _ => text,
    };
    let begins = value.trim_start().starts_with(|sign: char| !sign.is_ascii_alphabetic());
    let mut commands = Vec::new();
    if value.trim().is_empty() || !begins || !powershell_values::is_value(value, &mut commands) {
        return None;
    }
    let made = commands.iter().map(|own| format!("{}\n", statement(own, all, depth + 1)));
    Some(made.collect::<String>() + ":")
}

/// Whether a variable has a meaning for the statements alone that set it.
fn is_own(name: &str) -> bool {
    const OTHERS: &[&str] = &["executioncontext", "error", "args", "input", "ofs", "_"];
    let name = name.trim().to_ascii_lowercase();
    is_name(&name) && !name.starts_with("ps") && !OTHERS.contains(&name.as_str())
}

/// A variable that is set or shown.
fn variable(rest: &str, all: &str) -> Option<String> {
    let (scope, behind) = match rest.split_once(':') {
        Some((scope, behind)) if is_name(scope) => (scope, behind),
        _ => ("", rest),
    };
    let end = behind.find(|sign: char| !is_sign(sign)).unwrap_or(behind.len());
    let (name, behind) = behind.split_at_checked(end)?;
    if name.is_empty() {
        return None;
    }
    let behind = behind.trim_start();
    let is_environment = scope.eq_ignore_ascii_case("env");
    match behind.strip_prefix('=') {
        // Without a word for where it is, the same name is another variable.
        Some(value) if is_environment => {
            let other = format!("${}", name.to_ascii_lowercase());
            let value = constant(value.trim()).filter(|_| !all.contains(&other))?;
            Some(format!("export {name}={value}"))
        }
        Some(value) if scope.is_empty() && is_own(name) => {
            let value = value.trim();
            match constant(value) {
                Some(_) => Some(":".to_owned()),
                None => result(value).map(|made| format!(": {made}")),
            }
        }
        Some(_) => None,
        None => is_shown(behind).then(|| ":".to_owned()),
    }
}

/// Whether what stands behind a variable only takes a part of its value: `.version`, `[0]`, and shows that.
fn is_shown(mut rest: &str) -> bool {
    const SHOW: &[&str] = &[
        "convertto-json",
        "format-table",
        "format-list",
        "ft",
        "fl",
        "out-string",
        "out-host",
        "select-object",
        "select",
        "measure-object",
        "measure",
        "sort-object",
    ];
    loop {
        rest = match rest.trim_start().split_at_checked(1) {
            Some((".", behind)) => {
                let end = behind.find(|sign: char| !is_sign(sign)).unwrap_or(behind.len());
                if end == 0 {
                    return false;
                }
                behind.get(end..).unwrap_or_default()
            }
            Some(("[", behind)) => match behind.split_once(']') {
                Some((key, behind)) if key.chars().all(|sign| is_sign(sign) || sign == '-') => {
                    behind
                }
                _ => return false,
            },
            Some(("|", behind)) => {
                let is_plain = !behind.contains(['(', '{', '$', '&', '`']);
                let shows = |part: &str| {
                    let program = part.split_whitespace().next().unwrap_or_default();
                    SHOW.contains(&program.to_ascii_lowercase().as_str())
                };
                return is_plain && behind.split('|').all(shows);
            }
            Some(_) => return false,
            None => return true,
        };
    }
}

/// A text or a number that is written out, as a word of bash.
fn constant(value: &str) -> Option<String> {
    let quoted = |quote: char| {
        let inner = value.strip_prefix(quote)?.strip_suffix(quote)?;
        (!inner.contains(quote)).then_some(inner)
    };
    let is_number = |value: &str| {
        !value.is_empty() && value.chars().all(|sign| sign.is_ascii_digit() || sign == '.')
    };
    let plain = quoted('"').filter(|inner| !inner.contains(['$', '`', '\'']));
    let text = quoted('\'').or(plain).or(Some(value).filter(|value| is_number(value)))?;
    Some(format!("'{text}'"))
}

/// What commands give: a pipeline, or one in brackets of which a part is taken.
fn result(value: &str) -> Option<String> {
    let (commands, behind) = match value.strip_prefix('(') {
        Some(_) => {
            let mut reader = Reader::default();
            let end = value.char_indices().find(|(_, sign)| {
                reader.take(*sign);
                *sign == ')' && reader.depth == 0 && reader.quote.is_none()
            });
            let (end, _) = end?;
            (value.get(1..end)?.trim(), value.get(end + 1..)?)
        }
        None => (value, ""),
    };
    let begins = commands.chars().next().is_some_and(|sign| sign.is_ascii_alphabetic());
    (begins && is_shown(behind) && !behind.contains('|'))
        .then(|| format!("$({})", without_commas(commands)))
}

/// `foreach ($f in …) { … }`.
fn each(text: &str, all: &str, depth: usize) -> Option<String> {
    let head = text.get(..7).filter(|head| head.eq_ignore_ascii_case("foreach"))?;
    let rest = text.get(head.len()..)?.trim_start();
    if !rest.starts_with('(') || depth >= MAX_DEPTH {
        return None;
    }
    let mut reader = Reader::default();
    let (end, _) = rest.char_indices().find(|(_, sign)| {
        reader.take(*sign);
        *sign == ')' && reader.depth == 0 && reader.quote.is_none()
    })?;
    let inner = rest.get(1..end)?.trim().strip_prefix('$')?;
    let (name, list) = inner.split_once(char::is_whitespace)?;
    let list = list.trim_start();
    let list =
        list.get(..2).filter(|word| word.eq_ignore_ascii_case("in")).and(list.get(2..))?.trim();
    let list_text = list.strip_prefix("@(").and_then(|list| list.strip_suffix(')')).unwrap_or(list);
    let words: Option<Vec<String>> =
        split(list_text, &[',']).into_iter().map(|item| constant(item.trim())).collect();
    let list = words.map(|words| match is_fixed(name, all) {
        true => words.join(" "),
        false => format!("$(Write-Output {})", words.join(" ")),
    });
    let list = list.or_else(|| result(list_text))?;
    let body = rest.get(end + 1..)?.trim().strip_prefix('{')?.strip_suffix('}')?;
    is_name(name)
        .then(|| format!("for {name} in {list}; do\n{}\n:\ndone", statements(body, all, depth + 1)))
}

/// Whether nothing but one loop gives a variable its values: its name stands nowhere but where these are taken.
fn is_fixed(name: &str, all: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let mut loops = 0;
    let mut from = 0;
    while let Some(at) = all.get(from..).and_then(|rest| rest.find(&name)).map(|at| at + from) {
        let before = all.get(..at).unwrap_or_default();
        let behind = all.get(at + name.len()..).unwrap_or_default();
        from = at + name.len();
        if before.ends_with(is_sign) || behind.starts_with(is_sign) {
            continue;
        }
        let behind = behind.trim_start();
        let head = before.trim_end_matches('$').trim_end().trim_end_matches('(').trim_end();
        let is_loop =
            before.ends_with('$') && head.ends_with("foreach") && behind.starts_with("in");
        loops += usize::from(is_loop);
        let is_set =
            ["=", "+", "--", "-=", "*=", "/=", "%="].iter().any(|sign| behind.starts_with(sign));
        if !before.ends_with('$') || is_set {
            return false;
        }
    }
    loops == 1
}

/// Words of a list as words side by side: `a, b`.
fn without_commas(text: &str) -> String {
    split(text, &[',']).join(" ")
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_sign)
}

fn is_sign(sign: char) -> bool {
    sign.is_ascii_alphanumeric() || sign == '_'
}

#[cfg(test)]
mod tests {
    use super::as_bash;

    #[track_caller]
    fn check(powershell: &str, bash: &str) {
        let made = as_bash(powershell).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(made, bash, "{powershell}");
    }

    #[test]
    fn lists_are_words_side_by_side() {
        check("Remove-Item -Force a, b,c", "Remove-Item -Force a b c");
        check("Write-Host 'a, b' \"c, d\"", "Write-Host 'a, b' \"c, d\"");
        check(
            "f (a, b) { c, d }",
            "f (a, b) { c, d } if test \"${powershell_condition}\"; then c d : fi",
        );
        check("ls `\n -Recurse", "ls -Recurse");
    }

    #[test]
    fn variables_are_set_and_shown() {
        check(
            "$x = Get-Content a | ConvertFrom-Json; $x.version",
            ": $(Get-Content a | ConvertFrom-Json) :",
        );
        check("$c = 'rm'; & $c -rf src", ": & $c -rf src");
        check("$env:CI = \"true\"; npm test", "export CI='true' npm test");
        check("$v = (Get-Item a).Length; $v[0].Name | ConvertTo-Json", ": $(Get-Item a) :");
    }

    #[test]
    fn what_may_do_more_stays_open() {
        for open in [
            "$x.Delete()",
            "$x = [IO.File]::Delete('a')",
            "$x | Remove-Item",
            "$env:PATH = $other",
            "$x = & $y",
            "$x[f()]",
            "$PSDefaultParameterValues = @{'a:b'=1}",
        ] {
            check(open, open);
        }
    }

    #[test]
    fn one_name_for_two_variables_stays_open() {
        check("$env:c = 'ls'; & $C -r src", "$env:c = 'ls' & $C -r src");
    }

    #[test]
    fn loops_are_those_of_bash() {
        check(
            "foreach ($f in 'a', 'b') { Remove-Item $f; ls }",
            "for f in 'a' 'b'; do Remove-Item $f ls : done",
        );
        check(
            "foreach ($f in 'a', 'b') { $F = 'c'; Remove-Item $f }",
            "for f in $(Write-Output 'a' 'b'); do : Remove-Item $f : done",
        );
        check(
            "foreach ($f in Get-ChildItem src) { Remove-Item $f }",
            "for f in $(Get-ChildItem src); do Remove-Item $f : done",
        );
        check(
            "foreach ($f in $files) { ls }",
            "foreach ($f in $files) { ls } if test \"${powershell_condition}\"; then ls : fi",
        );
    }
}
