//! The scripts of Codex's code mode: which command lines a JavaScript text runs with
//! `tools.exec_command({cmd: "…"})`, which patches it applies, and which other tools it calls. The text is
//! looked through token by token and never run; what a call is given must be written out there, by way of
//! a constant at most. What is not, and another way to the tools, makes it opaque.

use std::cell::Cell;

use crate::sink::HashMap;

/// What a script runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Script {
    /// The calls that are written out, in order.
    pub(crate) steps: Vec<Step>,
    /// Whether it looks after commands that were started before, which is no call.
    pub(crate) polls: bool,
    /// Whether it may run more that nobody can see.
    pub(crate) opaque: bool,
}

/// A call that is written out in a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// A command line.
    Command(String),
    /// The text of a patch.
    Patch(String),
    /// A call of any other tool, with the JSON text of its parameters where they are written out.
    Tool { name: String, input: Option<String> },
}

/// The tools of a script that run command lines, and those that are known not to.
const SHELLS: [&str; 4] = ["exec_command", "shell", "shell_command", "local_shell"];
const OTHERS: [&str; 3] = ["update_plan", "view_image", "web_search"];

/// Names by which a script may come to its tools, or to another script, unseen.
const WAYS_ROUND: [&str; 6] =
    ["eval", "Function", "import", "require", "globalThis", "constructor"];

/// No more calls than these are told apart; more make a script opaque.
const MAX_STEPS: usize = 256;

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
    let mut reader = Tokens {
        rest: source,
        templates: Vec::new(),
        after_value: false,
        is_raw: false,
        broken: false,
    };
    let tokens: Vec<Token<'_>> = reader.by_ref().collect();
    let mut script = Script { opaque: reader.broken, ..Script::default() };
    let constants = Constants::of(&tokens);
    let mut rest = tokens.as_slice();
    while let Some((token, after)) = rest.split_first() {
        rest = after;
        if *token == Token::Name("tools") {
            rest = tool(after, &constants, &mut script);
        } else if matches!(token, Token::Name(name) if WAYS_ROUND.contains(name)) {
            script.opaque = true;
        }
    }
    if script.steps.len() > MAX_STEPS {
        script.steps.truncate(MAX_STEPS);
        script.opaque = true;
    }
    script
}

/// Takes in what follows `tools`.
fn tool<'t, 's>(
    tokens: &'t [Token<'s>],
    constants: &Constants<'_>,
    script: &mut Script,
) -> &'t [Token<'s>] {
    let [Token::Sign('.'), Token::Name(name), rest @ ..] = tokens else {
        script.opaque = true;
        return tokens;
    };
    let Some((Token::Sign('('), inside)) = rest.split_first() else {
        script.opaque |= !OTHERS.contains(name);
        return rest;
    };
    let steps = match *name {
        name if SHELLS.contains(&name) => {
            field(inside, &["cmd", "command"], constants).map(|lines| steps(lines, Step::Command))
        }
        "apply_patch" => patches(inside, constants).map(|texts| steps(texts, Step::Patch)),
        "write_stdin" => match field(inside, &["chars"], constants).as_deref() {
            Some([typed]) if typed.is_empty() => {
                script.polls = true;
                Some(Vec::new())
            }
            Some(_) => written_out(name, inside, constants),
            None => None,
        },
        name if OTHERS.contains(&name) => {
            let input = constants.literal(inside, 0).map(|(input, _)| input);
            Some(vec![Step::Tool { name: name.to_owned(), input }])
        }
        name => written_out(name, inside, constants),
    };
    script.opaque |= steps.is_none();
    script.steps.extend(steps.unwrap_or_default());
    rest
}

fn steps(texts: Vec<String>, step: fn(String) -> Step) -> Vec<Step> {
    texts.into_iter().map(step).collect()
}

/// A call whose parameters are written out as an object, or that has none.
fn written_out(name: &str, inside: &[Token<'_>], constants: &Constants<'_>) -> Option<Vec<Step>> {
    let input = match inside {
        [Token::Sign(')'), ..] => "{}".to_owned(),
        [Token::Sign('{'), ..] => match constants.literal(inside, 0)? {
            (input, [Token::Sign(')'), ..]) => input,
            _ => return None,
        },
        _ => return None,
    };
    Some(vec![Step::Tool { name: name.to_owned(), input: Some(input) }])
}

/// The texts that a patch may be: the argument itself, or a field of it.
fn patches(inside: &[Token<'_>], constants: &Constants<'_>) -> Option<Vec<String>> {
    match constants.texts(inside) {
        Some((texts, [Token::Sign(')' | ','), ..])) => Some(texts),
        _ => field(inside, &["patch", "input"], constants),
    }
}

/// The constant values that a field has in an object that is written out as the argument.
fn field(tokens: &[Token<'_>], names: &[&str], constants: &Constants<'_>) -> Option<Vec<String>> {
    let [Token::Sign('{'), rest @ ..] = tokens else { return None };
    let mut depth = 0_u32;
    let mut at_key = true;
    let mut found = None;
    let mut rest = rest;
    while let Some((token, after)) = rest.split_first() {
        let is_key = depth == 0 && at_key;
        match (token, after.first()) {
            // A call inside another is looked at by itself.
            (Token::Name("tools"), _) => return None,
            // What is spread into the object may replace anything in it.
            (Token::Sign('.' | '['), _) if is_key => return None,
            (Token::Name(key), Some(Token::Sign(':'))) if is_key && names.contains(key) => {
                found = Some(value(after.get(1..)?, constants)?);
            }
            (Token::Text(key), Some(Token::Sign(':'))) if is_key && names.contains(&&**key) => {
                found = Some(value(after.get(1..)?, constants)?);
            }
            (Token::Name(key), _) if is_key && names.contains(key) => {
                found = Some(value(rest, constants)?);
            }
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

/// The constant texts that a field's value may be.
fn value(tokens: &[Token<'_>], constants: &Constants<'_>) -> Option<Vec<String>> {
    match constants.texts(tokens)? {
        (texts, [Token::Sign(',' | '}'), ..]) => Some(texts),
        _ => None,
    }
}

/// The names of a script that stand for texts which are written out.
#[derive(Debug, Default)]
struct Constants<'s> {
    /// One text, or each of a list in turn.
    texts: HashMap<&'s str, Vec<String>>,
    lists: HashMap<&'s str, Vec<String>>,
    /// How much was copied of them, in bytes: names may double a text again and again.
    copied: Cell<usize>,
}

impl<'s> Constants<'s> {
    /// Objects and lists that nest deeper are not written out, to this.
    const MAX_DEPTH: u32 = 32;

    /// Scripts that copy more of their constants are not written out, in bytes.
    const MAX_COPIED: usize = 4 << 20;

    fn spend(&self, size: usize) -> Option<()> {
        self.copied.set(self.copied.get().saturating_add(size));
        (self.copied.get() <= Self::MAX_COPIED).then_some(())
    }

    fn copy(&self, texts: &[String]) -> Option<Vec<String>> {
        self.spend(texts.iter().map(|text| text.len() + 1).sum())?;
        Some(texts.to_vec())
    }

    fn of(tokens: &[Token<'s>]) -> Self {
        let mut constants = Self::default();
        let bound = bound_names(tokens);
        let is_one = |name: &str| bound.get(name) == Some(&1);
        let mut rest = tokens;
        while let Some((_, after)) = rest.split_first() {
            match rest {
                [Token::Name("const"), Token::Name(name), Token::Sign('='), value @ ..]
                    if is_one(name) =>
                {
                    if let Some((texts, end)) = constants.texts(value).filter(|(_, end)| ends(end))
                    {
                        constants.texts.insert(name, texts);
                        rest = end;
                        continue;
                    }
                    let list = constants.list(value).filter(|(_, end)| ends(end));
                    if let Some((list, end)) = list.filter(|_| stays_as_it_is(name, tokens)) {
                        constants.lists.insert(name, list);
                        rest = end;
                        continue;
                    }
                }
                [
                    Token::Name("for"),
                    Token::Sign('('),
                    Token::Name("const"),
                    Token::Name(name),
                    Token::Name("of"),
                    list @ ..,
                ] if is_one(name) => {
                    if let Some((list, [Token::Sign(')'), ..])) = constants.list(list) {
                        constants.texts.insert(name, list);
                    }
                }
                _ => {
                    if let Some((name, list)) =
                        constants.each(rest).filter(|(name, _)| is_one(name))
                    {
                        constants.texts.insert(name, list);
                    }
                }
            }
            rest = after;
        }
        constants
    }

    /// A list that is gone through with a function, and what that calls an item.
    fn each(&self, tokens: &[Token<'s>]) -> Option<(&'s str, Vec<String>)> {
        if !matches!(tokens, [Token::Name(_) | Token::Sign('['), ..]) {
            return None;
        }
        let (list, rest) = self.list(tokens)?;
        let [
            Token::Sign('.'),
            Token::Name("map" | "forEach" | "flatMap"),
            Token::Sign('('),
            rest @ ..,
        ] = rest
        else {
            return None;
        };
        let rest = match rest {
            [Token::Name("async"), rest @ ..] => rest,
            rest => rest,
        };
        match rest {
            [Token::Name(name), Token::Sign('='), Token::Sign('>'), ..]
            | [Token::Sign('('), Token::Name(name), Token::Sign(')' | ','), ..] => {
                Some((name, list))
            }
            _ => None,
        }
    }

    /// The texts of a list that is written out, or that a name stands for, and what follows it.
    fn list<'t>(&self, tokens: &'t [Token<'s>]) -> Option<(Vec<String>, &'t [Token<'s>])> {
        let mut rest = match tokens {
            [Token::Name(name), rest @ ..] => {
                return Some((self.copy(self.lists.get(name)?)?, rest));
            }
            [Token::Sign('['), rest @ ..] => rest,
            _ => return None,
        };
        let mut list = Vec::new();
        while let [Token::Text(text), after @ ..] = rest {
            if list.len() == MAX_STEPS {
                return None;
            }
            list.push(text.clone());
            rest = after_item(after, ']')?;
        }
        match rest {
            [Token::Sign(']'), rest @ ..] => Some((list, rest)),
            _ => None,
        }
    }

    /// The texts that a sum of constants may be, and what follows it.
    fn texts<'t>(&self, tokens: &'t [Token<'s>]) -> Option<(Vec<String>, &'t [Token<'s>])> {
        let (mut texts, mut rest) = self.term(tokens)?;
        while let [Token::Sign('+'), after @ ..] = rest {
            let (more, end) = self.term(after)?;
            let count = texts.len().checked_mul(more.len()).filter(|count| *count <= MAX_STEPS)?;
            let length = |texts: &[String]| texts.iter().map(String::len).max().unwrap_or(0);
            self.spend((length(&texts) + length(&more) + 1).checked_mul(count)?)?;
            let sum = |first: &String| more.iter().map(|then| format!("{first}{then}")).collect();
            texts = texts.iter().flat_map(|first| -> Vec<String> { sum(first) }).collect();
            rest = end;
        }
        Some((texts, rest))
    }

    fn term<'t>(&self, tokens: &'t [Token<'s>]) -> Option<(Vec<String>, &'t [Token<'s>])> {
        match tokens {
            [Token::Text(text), rest @ ..]
            | [
                Token::Name("String"),
                Token::Sign('.'),
                Token::Name("raw"),
                Token::Text(text),
                rest @ ..,
            ] => Some((vec![text.clone()], rest)),
            [Token::Sign('['), ..] => {
                let (lines, rest) = self.list(tokens)?;
                match rest {
                    [
                        Token::Sign('.'),
                        Token::Name("join"),
                        Token::Sign('('),
                        Token::Text(between),
                        Token::Sign(')'),
                        rest @ ..,
                    ] => Some((vec![lines.join(between)], rest)),
                    _ => None,
                }
            }
            [Token::Name(name), rest @ ..] => Some((self.copy(self.texts.get(name)?)?, rest)),
            _ => None,
        }
    }

    /// The JSON text of a value that is written out, and what follows it.
    fn literal<'t>(
        &self,
        tokens: &'t [Token<'s>],
        depth: u32,
    ) -> Option<(String, &'t [Token<'s>])> {
        if depth > Self::MAX_DEPTH {
            return None;
        }
        match tokens {
            [Token::Sign('{'), rest @ ..] => self.object(rest, depth),
            [Token::Sign('['), rest @ ..] => self.items(rest, depth),
            [Token::Name(word @ ("true" | "false" | "null")), rest @ ..] => {
                Some(((*word).to_owned(), rest))
            }
            [Token::Name(number), rest @ ..] if number.parse::<u64>().is_ok() => {
                Some((number.parse::<u64>().ok()?.to_string(), rest))
            }
            _ => match self.texts(tokens)? {
                (texts, rest) if texts.len() == 1 => Some((quoted(texts.first()?), rest)),
                _ => None,
            },
        }
    }

    fn object<'t>(&self, tokens: &'t [Token<'s>], depth: u32) -> Option<(String, &'t [Token<'s>])> {
        let (mut json, mut rest) = (String::from("{"), tokens);
        loop {
            let (key, value) = match rest {
                [Token::Sign('}'), rest @ ..] => return Some((json + "}", rest)),
                [Token::Name(key), Token::Sign(':'), value @ ..] => (quoted(key), value),
                [Token::Text(key), Token::Sign(':'), value @ ..] => (quoted(key), value),
                [Token::Name(key), ..] => (quoted(key), rest),
                _ => return None,
            };
            let (value, end) = self.literal(value, depth + 1)?;
            rest = after_item(end, '}')?;
            if json.len() > 1 {
                json.push(',');
            }
            json.push_str(&key);
            json.push(':');
            json.push_str(&value);
        }
    }

    fn items<'t>(&self, tokens: &'t [Token<'s>], depth: u32) -> Option<(String, &'t [Token<'s>])> {
        let (mut json, mut rest) = (String::from("["), tokens);
        loop {
            if let [Token::Sign(']'), rest @ ..] = rest {
                return Some((json + "]", rest));
            }
            let (value, end) = self.literal(rest, depth + 1)?;
            rest = after_item(end, ']')?;
            if json.len() > 1 {
                json.push(',');
            }
            json.push_str(&value);
        }
    }
}

/// What follows an item of an object or a list, behind its comma.
fn after_item<'t, 's>(tokens: &'t [Token<'s>], close: char) -> Option<&'t [Token<'s>]> {
    match tokens {
        [Token::Sign(','), rest @ ..] => Some(rest),
        [Token::Sign(sign), ..] if *sign == close => Some(tokens),
        _ => None,
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Whether a value ends where these tokens begin, so that nothing more is done with it.
fn ends(tokens: &[Token<'_>]) -> bool {
    match tokens.first() {
        None | Some(Token::Sign(';' | ',' | '}')) => true,
        Some(Token::Name(name)) => !matches!(*name, "in" | "instanceof" | "as"),
        _ => false,
    }
}

/// Whether nothing can be done to the list of this name but to go through it.
fn stays_as_it_is(list: &str, tokens: &[Token<'_>]) -> bool {
    let is_harmless = |window: &[Token<'_>]| match window {
        [_, Token::Name(name), ..] if *name != list => true,
        [Token::Name("const" | "of"), Token::Name(_), ..] => true,
        [_, Token::Name(_), Token::Sign('.'), Token::Name(method)] => {
            matches!(*method, "map" | "forEach" | "flatMap" | "join" | "length")
        }
        [_, Token::Name(_), ..] => false,
        _ => true,
    };
    tokens.windows(4).all(is_harmless)
}

/// How often a name is given to something, in doubt once too often: by a declaration, as a parameter, in a
/// pattern or by an assignment.
fn bound_names<'s>(tokens: &[Token<'s>]) -> HashMap<&'s str, u32> {
    let mut bound: HashMap<&str, u32> = HashMap::default();
    let mut open = Vec::new();
    // The ends of the groups inside which every name counts already.
    let mut counted = 0;
    let mut groups = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let next = |by: usize| tokens.get(index + by);
        match token {
            Token::Sign('(' | '[' | '{') => open.push(index),
            Token::Sign(close @ (')' | ']' | '}')) => {
                let begin = open.pop().unwrap_or(0);
                let is_arrow =
                    next(1) == Some(&Token::Sign('=')) && next(2) == Some(&Token::Sign('>'));
                let is_pattern = *close != ')'
                    && (next(1) == Some(&Token::Sign('=')) && next(2) != Some(&Token::Sign('='))
                        || matches!(next(1), Some(Token::Name("of" | "in"))));
                let before = begin.checked_sub(1).and_then(|before| tokens.get(before));
                let is_head =
                    matches!(before, Some(Token::Name("for" | "if" | "while" | "switch")));
                let is_list_of_parameters =
                    *close == ')' && next(1) == Some(&Token::Sign('{')) && !is_head;
                if is_arrow || is_pattern || is_list_of_parameters {
                    groups.push((begin, index));
                }
            }
            Token::Name(name) => {
                let before = index.checked_sub(1).and_then(|before| tokens.get(before));
                let is_declared = matches!(
                    before,
                    Some(Token::Name("const" | "let" | "var" | "function" | "class"))
                );
                let is_assigned = match (next(1), next(2)) {
                    (Some(Token::Sign('=')), after) => after != Some(&Token::Sign('=')),
                    (Some(Token::Sign('+')), Some(Token::Sign('='))) => true,
                    (Some(Token::Sign(a @ ('|' | '&' | '?'))), Some(Token::Sign(b))) => {
                        a == b && next(3) == Some(&Token::Sign('='))
                    }
                    (Some(Token::Name("of" | "in")), _) => true,
                    _ => false,
                };
                if is_declared || is_assigned {
                    *bound.entry(name).or_default() += 1;
                }
            }
            _ => {}
        }
    }
    groups.sort_unstable();
    for (begin, end) in groups {
        for index in begin.max(counted)..end {
            let declared = index.checked_sub(1).and_then(|before| tokens.get(before));
            let is_declared = matches!(declared, Some(Token::Name("const" | "let" | "var")));
            match tokens.get(index) {
                Some(Token::Name(name)) if !is_declared => *bound.entry(name).or_default() += 1,
                _ => {}
            }
        }
        counted = counted.max(end);
    }
    bound
}

/// The tokens of a script.
struct Tokens<'s> {
    rest: &'s str,
    /// The templates that are open, innermost last: how many braces are open in each.
    templates: Vec<u32>,
    /// Whether the last token ended a value, so that `/` divides and begins no regular expression.
    after_value: bool,
    /// Whether the next template is behind `String.raw`, which keeps escapes as they are.
    is_raw: bool,
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
            self.is_raw = name == "raw" && rest.starts_with('`');
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
        let is_raw = std::mem::take(&mut self.is_raw);
        let mut signs = self.rest.chars();
        while let Some(sign) = signs.next() {
            match sign {
                _ if sign == quote => {
                    self.rest = signs.as_str();
                    return if constant { Token::Text(text) } else { Token::Template };
                }
                '\\' if is_raw => {
                    text.push('\\');
                    text.extend(signs.next());
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

    fn command(text: &str) -> Step {
        Step::Command(text.to_owned())
    }

    fn called(name: &str, input: &str) -> Step {
        Step::Tool { name: name.to_owned(), input: Some(input.to_owned()) }
    }

    #[track_caller]
    fn check(source: &str, commands: &[&str], opaque: bool) {
        let steps = commands.iter().map(|&text| command(text)).collect();
        assert_eq!(read(source), Script { steps, polls: false, opaque }, "{source}");
    }

    #[track_caller]
    fn check_steps(source: &str, steps: &[Step]) {
        let script = read(source);
        assert_eq!((script.steps.as_slice(), script.opaque), (steps, false), "{source}");
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
        check("text(`${a ? `${'}'}` : {}} x`); tools.shell({cmd: 'rm x'})", &["rm x"], false);
        check("if (/[\"'/]/.test(x)) tools.shell({cmd: 'rm x'}); y = 1 / 2", &["rm x"], false);
    }

    #[test]
    fn constants_stand_for_what_is_written_out() {
        check("const c = 'ls'\nawait tools.exec_command({cmd: c})", &["ls"], false);
        check("const cmd = 'ls' + ' -la'; tools.exec_command({cmd, x: 1})", &["ls -la"], false);
        check("const d = 'a'; const c = 'rm ' + d; tools.shell({command: c})", &["rm a"], false);
        check("const c = 'ls'; if (c === x) { tools.exec_command({cmd: c}) }", &["ls"], false);
        check("tools.exec_command({cmd: String.raw`sed 's/\\n//'`})", &["sed 's/\\n//'"], false);
    }

    #[test]
    fn each_item_of_a_constant_list_is_run() {
        for source in [
            "const l = ['a', 'b']; for (const c of l) { await tools.exec_command({cmd: 'run ' + c}) }",
            "for (const c of ['a', 'b']) { await tools.exec_command({cmd: 'run ' + c}) }",
            "const l = ['a', 'b']; for (const c of l) await tools.exec_command({cmd: 'run ' + c})",
            "const l = ['run a', 'run b',];\n\
             await Promise.all(l.map(cmd => tools.exec_command({cmd, workdir: x})))",
            "await Promise.all(['run a', 'run b'].map(async (c, i) => {\n\
             const r = await tools.exec_command({cmd: c}); return r }))",
        ] {
            check(source, &["run a", "run b"], false);
        }
    }

    #[test]
    fn patches_are_found() {
        let patch = Step::Patch("*** Begin Patch\n*** End Patch".to_owned());
        for source in [
            "const patch = \"*** Begin Patch\\n*** End Patch\";\ntext(await tools.apply_patch(patch));",
            "await tools.apply_patch(`*** Begin Patch\n*** End Patch`)",
            "tools.apply_patch({input: '*** Begin Patch\\n*** End Patch'})",
            "const p = ['*** Begin Patch', '*** End Patch'].join('\\n'); tools.apply_patch({patch: p})",
        ] {
            check_steps(source, std::slice::from_ref(&patch));
        }
    }

    #[test]
    fn other_tools_are_called_by_their_names() {
        check_steps(
            "tools.mcp__github__create_issue({title: 'a\"b', labels: ['x', 1, true], o: {n: null}})",
            &[called(
                "mcp__github__create_issue",
                r#"{"title":"a\"b","labels":["x",1,true],"o":{"n":null}}"#,
            )],
        );
        check_steps("tools.mcp__clock__now()", &[called("mcp__clock__now", "{}")]);
        check_steps("tools.update_plan({plan: []})", &[called("update_plan", r#"{"plan":[]}"#)]);
        let unseen = Step::Tool { name: "update_plan".to_owned(), input: None };
        check_steps("tools.update_plan({plan})", &[unseen]);
        check_steps(
            "tools.write_stdin({session_id: 7, chars: 'y\\n'})",
            &[called("write_stdin", r#"{"session_id":7,"chars":"y\n"}"#)],
        );
    }

    #[test]
    fn looking_after_a_command_is_no_call() {
        let poll = "const r = await tools.write_stdin({session_id: 7, chars: \"\"})";
        assert_eq!(read(poll), Script { polls: true, ..Script::default() });
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
            "tools.apply_patch(`${x}`)",
            "tools.write_stdin({session_id: 1, chars: c})",
            "tools.mcp__github__create_issue({title})",
            "tools.mcp__github__create_issue(o)",
            "let c = 'ls'; c = 'rm'; tools.exec_command({cmd: c})",
            "const c = 'ls' + x; tools.exec_command({cmd: c})",
            "const c = 'ls'.repeat(2); tools.exec_command({cmd: c})",
            "const c = 'ls'; f((c) => tools.exec_command({cmd: c}))",
            "const c = 'ls'; f(c => tools.exec_command({cmd: c}))",
            "const c = 'ls'; { const {c} = o; tools.exec_command({cmd: c}) }",
            "const c = 'ls'; { const [c] = o; tools.exec_command({cmd: c}) }",
            "const c = 'ls'; function f(c) { tools.exec_command({cmd: c}) }",
            "const c = 'ls'; for (const [c] of o) tools.exec_command({cmd: c})",
            "for (const c of ['ls', x]) tools.exec_command({cmd: c})",
            "const o = ['ls']; o.map(c => tools.exec_command({cmd: c + x}))",
            "const o = ['ls']; tools.exec_command({cmd: o})",
            "const o = ['ls']; o.push(x); o.map(c => tools.exec_command({cmd: c}))",
            "const o = ['ls']; o[0] = x; o.map(c => tools.exec_command({cmd: c}))",
            "const o = ['ls']; const p = o; p.push(x); o.map(c => tools.exec_command({cmd: c}))",
            "const o = ['ls']; o.map(c => { c += x; tools.exec_command({cmd: c}) })",
            "eval('x')",
            "globalThis['tools'].shell({cmd: 'x'})",
            "t\\u006fols.shell(x)",
            "x = 'unclosed",
        ] {
            let script = read(source);
            assert!(script.opaque, "{source}");
            assert_eq!(script.steps, Vec::new(), "{source}");
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
        assert!(read(&"tools.shell({cmd:'x'});".repeat(MAX_STEPS + 1)).opaque);
        assert!(read(&"tools.shell({".repeat(MAX_LENGTH / 13)).opaque);
        assert!(read(&" ".repeat(MAX_LENGTH + 1)).opaque);
        let mut doubled = "const a0 = 'rm';".to_owned();
        for number in 1..64 {
            let before = number - 1;
            doubled.push_str(&format!("const a{number} = a{before} + a{before};"));
        }
        assert!(read(&(doubled + "tools.shell({cmd: a63})")).opaque);
        let used = format!("const a = '{}';", "x".repeat(1 << 16));
        assert!(read(&(used + &"tools.shell({cmd: a});".repeat(1 << 14))).opaque);
    }
}
