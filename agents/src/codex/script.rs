//! The scripts of Codex's code mode: which command lines a JavaScript text runs with
//! `tools.exec_command({cmd: "…"})`. The text is looked through token by token and never run; a
//! command that is not written out, or another way to the tools, makes it opaque.

/// What a script runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Script {
    /// The command lines that are written out, in order.
    pub(crate) commands: Vec<String>,
    /// Whether it may run more that nobody can see.
    pub(crate) opaque: bool,
}

/// The tools of a script that run command lines, and those that are known not to.
const SHELLS: [&str; 4] = ["exec_command", "shell", "shell_command", "local_shell"];
const OTHERS: [&str; 3] = ["update_plan", "view_image", "web_search"];

/// Names by which a script may come to its tools, or to another script, unseen.
const WAYS_ROUND: [&str; 6] =
    ["eval", "Function", "import", "require", "globalThis", "constructor"];

/// No more commands than these are told apart; more make a script opaque.
const MAX_COMMANDS: usize = 256;

/// A longer script is opaque as a whole, in bytes: its tokens take far more room than its text.
const MAX_LENGTH: usize = 1 << 20;

/// What stands in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'s> {
    Name(&'s str),
    /// A string that is constant, with its escapes.
    Text(String),
    /// A string with something in it that is worked out.
    Template,
    Sign(char),
}

/// Looks through a script.
pub(crate) fn read(source: &str) -> Script {
    if source.len() > MAX_LENGTH {
        return Script { opaque: true, ..Script::default() };
    }
    let mut reader =
        Tokens { rest: source, templates: Vec::new(), after_value: false, broken: false };
    let tokens: Vec<Token<'_>> = reader.by_ref().collect();
    let mut script = Script { opaque: reader.broken, ..Script::default() };
    let mut rest = tokens.as_slice();
    while let Some((token, after)) = rest.split_first() {
        rest = after;
        if *token == Token::Name("tools") {
            rest = tool(after, &mut script);
        } else if matches!(token, Token::Name(name) if WAYS_ROUND.contains(name)) {
            script.opaque = true;
        }
    }
    if script.commands.len() > MAX_COMMANDS {
        script.commands.truncate(MAX_COMMANDS);
        script.opaque = true;
    }
    script
}

/// Takes in what follows `tools`.
fn tool<'t, 's>(tokens: &'t [Token<'s>], script: &mut Script) -> &'t [Token<'s>] {
    let [Token::Sign('.'), Token::Name(name), rest @ ..] = tokens else {
        script.opaque = true;
        return tokens;
    };
    if OTHERS.contains(name) {
        return rest;
    }
    let call = SHELLS.contains(name).then(|| rest.split_first()).flatten();
    match call {
        Some((Token::Sign('('), inside)) => match command(inside) {
            Some(text) => script.commands.push(text),
            None => script.opaque = true,
        },
        _ => script.opaque = true,
    }
    rest
}

/// The constant `cmd` or `command` of an object that is written out as the argument.
fn command(tokens: &[Token<'_>]) -> Option<String> {
    let [Token::Sign('{'), rest @ ..] = tokens else { return None };
    let mut depth = 0_u32;
    let mut at_key = true;
    let mut found = None;
    let mut rest = rest;
    while let Some((token, after)) = rest.split_first() {
        match (token, after.first()) {
            // A call inside another is looked at by itself.
            (Token::Name("tools"), _) => return None,
            // What is spread into the object may replace anything in it.
            (Token::Sign('.'), _) if depth == 0 && at_key => return None,
            (Token::Name(key), Some(Token::Sign(':'))) if depth == 0 && at_key => {
                found = value(key, after, found)?;
            }
            (Token::Text(key), Some(Token::Sign(':'))) if depth == 0 && at_key => {
                found = value(key, after, found)?;
            }
            (Token::Name("cmd" | "command"), _) if depth == 0 && at_key => return None,
            (Token::Sign('['), _) if depth == 0 && at_key => return None,
            (Token::Sign('{' | '[' | '('), _) => depth += 1,
            (Token::Sign('}'), _) if depth == 0 => return found,
            (Token::Sign('}' | ']' | ')'), _) => depth = depth.checked_sub(1)?,
            _ => {}
        }
        at_key = depth == 0 && *token == Token::Sign(',');
        rest = after;
    }
    None
}

/// The command after the value of `key`; `None` if the key is the command's and it is not constant.
fn value(key: &str, after: &[Token<'_>], found: Option<String>) -> Option<Option<String>> {
    if !matches!(key, "cmd" | "command") {
        return Some(found);
    }
    match after {
        [_, Token::Text(text), Token::Sign(',' | '}'), ..] => Some(Some(text.clone())),
        _ => None,
    }
}

/// The tokens of a script.
struct Tokens<'s> {
    rest: &'s str,
    /// The templates that are open, innermost last: how many braces are open in each.
    templates: Vec<u32>,
    /// Whether the last token ended a value, so that `/` divides and begins no regular expression.
    after_value: bool,
    /// Whether something does not end, or is not understood.
    broken: bool,
}

impl<'s> Iterator for Tokens<'s> {
    type Item = Token<'s>;

    fn next(&mut self) -> Option<Token<'s>> {
        self.pass_blanks();
        let first = self.rest.chars().next()?;
        if is_of_name(first) {
            let end = self.rest.find(|sign| !is_of_name(sign)).unwrap_or(self.rest.len());
            let (name, rest) = self.rest.split_at_checked(end)?;
            self.rest = rest;
            self.after_value =
                !matches!(name, "return" | "await" | "typeof" | "case" | "in" | "of");
            return Some(Token::Name(name));
        }
        self.rest = self.rest.get(first.len_utf8()..)?;
        let after_value = std::mem::replace(&mut self.after_value, true);
        match first {
            '"' | '\'' | '`' => return Some(self.string(first)),
            '/' if !after_value => return Some(self.regular_expression()),
            '\\' => self.broken = true,
            '{' => {
                if let Some(open) = self.templates.last_mut() {
                    *open += 1;
                }
            }
            '}' => match self.templates.last_mut() {
                Some(0) => {
                    self.templates.pop();
                    self.string('`');
                    return Some(Token::Template);
                }
                Some(open) => *open -= 1,
                None => {}
            },
            _ => {}
        }
        self.after_value = matches!(first, ')' | ']' | '}');
        Some(Token::Sign(first))
    }
}

fn is_of_name(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_' || sign == '$'
}

impl Tokens<'_> {
    fn pass_blanks(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            let end = if self.rest.starts_with("//") {
                self.rest.find('\n')
            } else if self.rest.starts_with("/*") {
                self.rest.find("*/").map(|at| at + 2)
            } else {
                return;
            };
            self.rest = end.and_then(|end| self.rest.get(end..)).unwrap_or_default();
        }
    }

    /// A string, behind its opening quote.
    fn string(&mut self, quote: char) -> Token<'static> {
        let mut text = String::new();
        let mut constant = true;
        let mut signs = self.rest.chars();
        while let Some(sign) = signs.next() {
            match sign {
                _ if sign == quote => {
                    self.rest = signs.as_str();
                    return if constant { Token::Text(text) } else { Token::Template };
                }
                '\\' => constant &= escape(&mut signs, &mut text),
                '$' if quote == '`' && signs.as_str().starts_with('{') => {
                    self.rest = signs.as_str().get(1..).unwrap_or_default();
                    self.templates.push(0);
                    self.after_value = false;
                    return Token::Template;
                }
                '\n' if quote != '`' => break,
                _ => text.push(sign),
            }
        }
        self.broken = true;
        self.rest = signs.as_str();
        Token::Template
    }

    /// A regular expression, behind its first slash.
    fn regular_expression(&mut self) -> Token<'static> {
        let mut signs = self.rest.chars();
        let mut in_class = false;
        while let Some(sign) = signs.next() {
            match sign {
                '\\' => drop(signs.next()),
                '[' => in_class = true,
                ']' => in_class = false,
                '/' if !in_class => {
                    self.rest = signs.as_str();
                    return Token::Template;
                }
                '\n' => break,
                _ => {}
            }
        }
        self.broken = true;
        self.rest = signs.as_str();
        Token::Template
    }
}

/// Adds what an escape stands for; `false` for one that is not known here.
fn escape(signs: &mut std::str::Chars<'_>, text: &mut String) -> bool {
    match signs.next() {
        Some('n') => text.push('\n'),
        Some('t') => text.push('\t'),
        Some('r') => text.push('\r'),
        Some('\n') => {}
        Some(same @ ('"' | '\'' | '`' | '\\' | '$' | '/')) => text.push(same),
        _ => return false,
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, commands: &[&str], opaque: bool) {
        let commands = commands.iter().map(|&text| text.to_owned()).collect();
        assert_eq!(read(source), Script { commands, opaque }, "{source}");
    }

    #[test]
    fn commands_that_are_written_out_are_found() {
        check(
            r#"const r = await tools.exec_command({cmd: "ls -la"}); text(r.output)"#,
            &["ls -la"],
            false,
        );
        check(
            "await Promise.all([tools.exec_command({ \"cmd\": 'cat \\'a\\'', workdir: `x` }),\n\
             tools.shell({command: `git\\n status`, env: {a: [1, 2]},})])",
            &["cat 'a'", "git\n status"],
            false,
        );
        check("// tools.exec_command(x)\n/* tools */ 'tools.shell(x)'", &[], false);
        check("tools.update_plan({plan: []})", &[], false);
        check("text(`${a ? `${'}'}` : {}} x`); tools.shell({cmd: 'rm x'})", &["rm x"], false);
        check("if (/[\"'/]/.test(x)) tools.shell({cmd: 'rm x'}); y = 1 / 2", &["rm x"], false);
    }

    #[test]
    fn what_is_not_written_out_makes_it_opaque() {
        for source in [
            "tools.exec_command({cmd})",
            "tools.exec_command({cmd: c})",
            "tools.exec_command({cmd: 'a' + b})",
            "tools.exec_command({cmd: `rm ${x}`})",
            "tools.exec_command({cmd: '\\x72m'})",
            "tools.exec_command({...o, cwd: 'x'})",
            "tools.exec_command({['cmd']: 'x'})",
            "tools.exec_command(o)",
            "const run = tools.exec_command; run({cmd: 'x'})",
            "tools['exec_command']({cmd: 'x'})",
            "const {exec_command} = tools",
            "tools?.exec_command({cmd: 'x'})",
            "tools.apply_patch('x')",
            "eval('x')",
            "globalThis['tools'].shell({cmd: 'x'})",
            "t\\u006fols.shell(x)",
            "x = 'unclosed",
        ] {
            let script = read(source);
            assert!(script.opaque, "{source}");
            assert_eq!(script.commands, Vec::<String>::new(), "{source}");
        }
        check("tools.shell({cmd: 'a'}); tools.exec_command(o)", &["a"], true);
    }

    #[test]
    fn any_text_ends() {
        for source in
            ["", "tools", "tools.", "tools.shell(", "tools.shell({", "'", "`${", "/*", "\\"]
        {
            read(source);
        }
        assert!(read(&"tools.shell({cmd:'x'});".repeat(MAX_COMMANDS + 1)).opaque);
        assert!(read(&"tools.shell({".repeat(MAX_LENGTH / 13)).opaque);
        assert!(read(&" ".repeat(MAX_LENGTH + 1)).opaque);
    }
}
