//! Expressions of PowerShell that only take values and compare, join or show them. Says which commands stand in their
//! brackets; whatever might do something else is no such expression.

/// Expressions stand in others, so deep.
const MAX_DEPTH: u32 = 16;

/// Operators that are words.
const OPERATORS: &[&str] = &[
    "eq",
    "ne",
    "gt",
    "lt",
    "ge",
    "le",
    "and",
    "or",
    "not",
    "xor",
    "match",
    "notmatch",
    "like",
    "notlike",
    "contains",
    "notcontains",
    "in",
    "notin",
    "is",
    "isnot",
    "as",
    "replace",
    "split",
    "join",
    "f",
    "ieq",
    "ine",
    "ceq",
    "cne",
    "imatch",
    "cmatch",
    "ilike",
    "clike",
    "ireplace",
    "creplace",
    "isplit",
    "band",
    "bor",
    "bnot",
    "shl",
    "shr",
];

/// Methods of texts, numbers and lists that change nothing.
const METHODS: &[&str] = &[
    "tostring",
    "trim",
    "trimstart",
    "trimend",
    "split",
    "startswith",
    "endswith",
    "contains",
    "replace",
    "substring",
    "tolower",
    "toupper",
    "gettype",
    "indexof",
    "padleft",
    "padright",
    "containskey",
];

/// Functions of classes that change nothing, and how the names of the classes end.
const FUNCTIONS: &[(&str, &str)] = &[
    ("file", "readalltext"),
    ("file", "readalllines"),
    ("file", "exists"),
    ("directory", "exists"),
    ("path", ""),
    ("math", ""),
    ("environment", "getenvironmentvariable"),
    ("environment", "getfolderpath"),
    ("environment", "newline"),
    ("environment", "osversion"),
    ("guid", "newguid"),
    ("datetime", "now"),
    ("datetime", "utcnow"),
    ("convert", "tostring"),
    ("convert", "toint32"),
    ("string", "isnullorempty"),
    ("string", "isnullorwhitespace"),
    ("string", "join"),
    ("runtimeinformation", ""),
];

/// An expression that is read.
struct Reader<'t, 'c> {
    rest: &'t str,
    commands: &'c mut Vec<String>,
    depth: u32,
}

/// Returns whether a text is an expression that only takes values, and adds the commands that stand in its brackets.
pub(super) fn is_value(text: &str, commands: &mut Vec<String>) -> bool {
    let before = commands.len();
    let is_whole = whole(text, commands, 0);
    if !is_whole {
        commands.truncate(before);
    }
    is_whole
}

fn whole(text: &str, commands: &mut Vec<String>, depth: u32) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    let mut reader = Reader { rest: text.trim(), commands, depth };
    loop {
        reader.rest = reader.rest.trim_start();
        if reader.rest.is_empty() {
            return true;
        }
        if reader.part().is_none() {
            return false;
        }
    }
}

impl<'t> Reader<'t, '_> {
    /// Takes a value or an operator.
    fn part(&mut self) -> Option<()> {
        let first = self.rest.chars().next()?;
        match first {
            '"' | '\'' => self.text(first)?,
            '$' => self.variable()?,
            '@' if self.rest.starts_with("@{") => {
                let inner = self.bracket(1)?;
                return self.fields(inner);
            }
            '@' if self.rest.starts_with("@(") => {
                let inner = self.bracket(1)?;
                self.nested(inner)?;
            }
            '(' => {
                let inner = self.bracket(0)?;
                self.nested(inner)?;
            }
            '[' => self.class()?,
            '0'..='9' => self.skip(|sign| sign.is_ascii_alphanumeric() || sign == '.'),
            '-' if self.rest.get(1..)?.starts_with(|sign: char| sign.is_ascii_alphabetic()) => {
                let behind = self.rest.get(1..)?;
                let end = behind.find(|sign: char| !sign.is_ascii_alphabetic());
                let (name, behind) = behind.split_at(end.unwrap_or(behind.len()));
                let is_known = OPERATORS.contains(&name.to_ascii_lowercase().as_str());
                self.rest = Some(behind).filter(|_| is_known)?;
                return Some(());
            }
            '+' | '-' | '*' | '/' | '%' | '!' | ',' | '\n' | '\r' => {
                self.rest = self.rest.get(1..)?;
                return Some(());
            }
            '.' if self.rest.starts_with("..") => {
                self.rest = self.rest.get(2..)?;
                return Some(());
            }
            _ => return None,
        }
        self.members()
    }

    fn skip(&mut self, is_part: impl Fn(char) -> bool) {
        // `1..3` are two numbers.
        let range = self.rest.find("..").unwrap_or(self.rest.len());
        let end = self.rest.find(|sign: char| !is_part(sign)).unwrap_or(self.rest.len()).min(range);
        self.rest = self.rest.get(end..).unwrap_or_default();
    }

    /// A text in quotes, into which no command is put.
    fn text(&mut self, quote: char) -> Option<()> {
        let (inner, behind) = self.rest.get(1..)?.split_once(quote)?;
        let is_plain = quote == '\'' || !inner.contains("$(") && !inner.contains('`');
        self.rest = Some(behind).filter(|_| is_plain)?;
        Some(())
    }

    fn variable(&mut self) -> Option<()> {
        if self.rest.starts_with("$(") {
            let inner = self.bracket(1)?;
            return self.nested(inner);
        }
        let behind = self.rest.get(1..)?;
        let name = behind.strip_prefix('{').and_then(|behind| behind.split_once('}'));
        self.rest = match name {
            Some((_, behind)) => behind,
            None => {
                let is_part =
                    |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '_' | ':' | '?');
                let end = behind.find(|sign: char| !is_part(sign)).unwrap_or(behind.len());
                // `$a::b` takes a part of a class.
                let name =
                    behind.get(..end).filter(|name| !name.is_empty() && !name.contains("::"))?;
                behind.get(name.len()..)?
            }
        };
        Some(())
    }

    /// What stands in a bracket some signs ahead; the rest is what follows it.
    fn bracket(&mut self, at: usize) -> Option<&'t str> {
        let text = self.rest.get(at..)?;
        let end = closing(text)?;
        self.rest = text.get(end + 1..)?;
        text.get(1..end)
    }

    /// An expression in brackets, or a command.
    fn nested(&mut self, inner: &str) -> Option<()> {
        let inner = inner.trim();
        if whole(inner, self.commands, self.depth + 1) {
            return Some(());
        }
        let begins = inner.starts_with(|sign: char| sign.is_ascii_alphabetic());
        begins.then(|| self.commands.push(inner.to_owned()))
    }

    /// `@{a = 1; b = 2}`
    fn fields(&mut self, inner: &str) -> Option<()> {
        for field in inner.split([';', '\n']).map(str::trim).filter(|field| !field.is_empty()) {
            let (name, value) = field.split_once('=')?;
            let is_name = name
                .trim()
                .chars()
                .all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '_' | '-' | '\'' | '"'));
            (is_name && whole(value, self.commands, self.depth + 1)).then_some(())?;
        }
        Some(())
    }

    /// `[int]`, `[System.IO.Path]::Combine("a", "b")`
    fn class(&mut self) -> Option<()> {
        let inner = self.bracket(0)?;
        let is_name = inner
            .chars()
            .all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '[' | ']'));
        let Some(behind) = self.rest.strip_prefix("::") else {
            const KINDS: &[&str] = &[
                "int", "string", "bool", "double", "datetime", "version", "array", "long", "char",
            ];
            return KINDS
                .contains(&inner.to_ascii_lowercase().trim_end_matches("[]"))
                .then_some(());
        };
        let end = behind.find(|sign: char| !sign.is_ascii_alphanumeric()).unwrap_or(behind.len());
        let (function, behind) = behind.split_at(end);
        let class = inner.to_ascii_lowercase();
        let function = function.to_ascii_lowercase();
        let is_known = FUNCTIONS.iter().any(|(own, name)| {
            class.rsplit('.').next() == Some(own) && (name.is_empty() || *name == function)
        });
        self.rest = Some(behind).filter(|_| is_name && is_known)?;
        self.given()
    }

    /// What stands in the brackets of a call, if there are any.
    fn given(&mut self) -> Option<()> {
        if !self.rest.starts_with('(') {
            return Some(());
        }
        let inner = self.bracket(0)?;
        whole(inner, self.commands, self.depth + 1).then_some(())
    }

    /// The parts of a value that are taken: `.Name`, `[0]`, `.ToString()`.
    fn members(&mut self) -> Option<()> {
        loop {
            if self.rest.starts_with('[') {
                let inner = self.bracket(0)?;
                whole(inner, self.commands, self.depth + 1).then_some(())?;
                continue;
            }
            let Some(behind) = self.rest.strip_prefix('.').filter(|rest| !rest.starts_with('.'))
            else {
                let is_class = self.rest.starts_with("::") || self.rest.starts_with('(');
                return (!is_class).then_some(());
            };
            let is_part = |sign: char| sign.is_ascii_alphanumeric() || sign == '_';
            let end = behind.find(|sign: char| !is_part(sign)).unwrap_or(behind.len());
            let (name, behind) = behind.split_at(end);
            self.rest = Some(behind).filter(|_| !name.is_empty())?;
            if behind.starts_with('(') {
                METHODS.contains(&name.to_ascii_lowercase().as_str()).then_some(())?;
                self.given()?;
            }
        }
    }
}

/// The signs of a text that stand in no quotes and mean what they are.
pub(super) fn outside_quotes(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut quote, mut is_escaped) = (None, false);
    text.char_indices().filter(move |(_, sign)| match (quote, *sign) {
        _ if std::mem::take(&mut is_escaped) => false,
        (Some('"') | None, '`') => {
            is_escaped = true;
            false
        }
        (Some(own), sign) => {
            quote = quote.filter(|_| own != sign);
            false
        }
        (None, sign @ ('"' | '\'')) => {
            quote = Some(sign);
            false
        }
        (None, _) => true,
    })
}

/// Where the bracket is closed that a text begins with.
pub(super) fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, sign) in outside_quotes(text) {
        match sign {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::is_value;

    #[test]
    fn values_are_taken_and_compared() {
        for value in [
            "$LASTEXITCODE -ne 0",
            "-not (Test-Path dist)",
            "$env:PATH -split ';'",
            "1..3",
            "$a.b[0].ToString('x') + \"$c\"",
            "@{a=1; b='x'}",
            "@('a', 'b').Count",
            "[System.IO.File]::ReadAllText('a').Length",
            "[Math]::Max(1, $x)",
            "(Get-Content a).Count -gt 1",
        ] {
            assert!(is_value(value, &mut Vec::new()), "{value}");
        }
    }

    #[test]
    fn what_may_do_more_is_none() {
        for other in [
            "$x.Delete()",
            "[System.IO.Directory]::Delete('a', $true)",
            "[System.IO.File]::Delete('a')",
            "& $x",
            "rm -r a",
            "$x = 1",
            "\"$(rm a)\"",
            "{ rm a }",
            "$x::Delete()",
            "$x.Invoke('a')",
            "(& $x)",
            "[scriptblock]::Create('rm')",
            "$x.'Delete'()",
            "$x | rm",
        ] {
            assert!(!is_value(other, &mut Vec::new()), "{other}");
        }
    }

    #[test]
    fn commands_in_brackets_are_told() {
        let mut commands = Vec::new();
        assert!(is_value("(Test-Path a) -and $(Get-Item b).Length", &mut commands));
        assert_eq!(commands, ["Test-Path a", "Get-Item b"]);
    }
}
