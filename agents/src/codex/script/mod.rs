//! The scripts of Codex's code mode: which command lines a JavaScript text runs with
//! `tools.exec_command({cmd: "…"})`, which patches it applies, and which other tools it calls. The text is
//! looked through token by token and never run; what a call is given must be constant. What is not, and
//! another way to the tools, makes it opaque.

use crate::codex::script::names::Names;
use crate::codex::script::token::{Token, Tokens};
use crate::codex::script::value::{Evaluator, Value};

mod names;
mod token;
mod value;

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
    /// A call of a tool that runs a command line, with the JSON text of those of its parameters that are
    /// known: the command line is.
    Command { name: String, input: String },
    /// The text of a patch.
    Patch(String),
    /// A call of any other tool, with the JSON text of its parameters where they are known.
    Tool { name: String, input: Option<String> },
}

/// The tools of a script that run command lines, and the names of the parameter with the line.
const SHELLS: [&str; 4] = ["exec_command", "shell", "shell_command", "local_shell"];
const LINES: [&str; 2] = ["cmd", "command"];

/// Tools that are harmless whatever they are given.
const OTHERS: [&str; 3] = ["update_plan", "view_image", "web_search"];

/// Names by which a script may come to its tools, or to another script, unseen.
const WAYS_ROUND: [&str; 9] = [
    "eval",
    "Function",
    "import",
    "require",
    "globalThis",
    "constructor",
    "prototype",
    "Reflect",
    "this",
];

/// No more calls than these are told apart; more make a script opaque.
const MAX_STEPS: usize = 256;

/// A longer script is opaque as a whole, in bytes: its tokens take far more room than its text.
const MAX_LENGTH: usize = 1 << 20;

/// Looks through a script.
pub(crate) fn read(source: &str) -> Script {
    if source.len() > MAX_LENGTH {
        return Script { opaque: true, ..Script::default() };
    }
    let mut reader = Tokens::of(source);
    let tokens: Vec<Token<'_>> = reader.by_ref().collect();
    let mut script = Script { opaque: reader.broken, ..Script::default() };
    let names = Names::of(&tokens);
    let evaluator = Evaluator::new(&names);
    let mut rest = tokens.as_slice();
    while let Some((token, after)) = rest.split_first() {
        rest = after;
        match token {
            Token::Name("tools") => rest = tool(after, &evaluator, &mut script),
            Token::Name(name) if WAYS_ROUND.contains(name) => script.opaque = true,
            Token::Text(text) if text == "constructor" => script.opaque = true,
            _ => {}
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
    evaluator: &Evaluator<'t, 's, '_>,
    script: &mut Script,
) -> &'t [Token<'s>] {
    let (name, rest): (&str, _) = match tokens {
        [Token::Sign('.'), Token::Name(name), rest @ ..] => (name, rest),
        [Token::Sign('['), Token::Text(name), Token::Sign(']'), rest @ ..] => (name, rest),
        _ => {
            script.opaque = true;
            return tokens;
        }
    };
    let Some((Token::Sign('('), inside)) = rest.split_first() else {
        script.opaque |= !OTHERS.contains(&name);
        return rest;
    };
    let calls = evaluator.each(MAX_STEPS, |evaluator| call(name, inside, evaluator));
    script.opaque |= calls.is_none() && !OTHERS.contains(&name);
    match calls {
        Some(calls) => {
            script.polls |= calls.iter().any(Option::is_none);
            script.steps.extend(calls.into_iter().flatten());
        }
        // Rules on commands and patches have nothing to look at; those on others have a name.
        None if SHELLS.contains(&name) || matches!(name, "apply_patch" | "write_stdin") => {}
        None => script.steps.push(Step::Tool { name: name.to_owned(), input: None }),
    }
    rest
}

/// A call, if what matters of its argument is known; the inner `None` for one that only looks after
/// another.
fn call<'t, 's>(
    name: &str,
    inside: &'t [Token<'s>],
    evaluator: &Evaluator<'t, 's, '_>,
) -> Option<Option<Step>> {
    let argument = match inside {
        [Token::Sign(')'), ..] => None,
        _ => match evaluator.value(inside, 0)? {
            (value, [Token::Sign(')' | ','), ..]) => Some(value),
            _ => return None,
        },
    };
    let name = name.to_owned();
    Some(Some(match (&*name, argument) {
        (shell, Some(Value::Object(object))) if SHELLS.contains(&shell) => {
            match object.field(&LINES)?? {
                Value::Text(_) => {}
                words @ Value::List(_) => drop(words.json()?),
                _ => return None,
            }
            Step::Command { name, input: object.known_json(false)? }
        }
        (shell, _) if SHELLS.contains(&shell) => return None,
        ("apply_patch", Some(Value::Text(patch))) => Step::Patch(patch),
        ("apply_patch", Some(Value::Object(object))) => {
            Step::Patch(object.field(&["patch", "input"])??.text()?.to_owned())
        }
        ("apply_patch", _) => return None,
        ("write_stdin", Some(Value::Object(object)))
            if object.field(&["chars"])?.is_none_or(|typed| typed.text() == Some("")) =>
        {
            return Some(None);
        }
        (_, None) => Step::Tool { name, input: Some("{}".to_owned()) },
        (_, Some(argument @ Value::Object(_))) => {
            Step::Tool { name, input: Some(argument.json()?) }
        }
        _ => return None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The command lines of a script.
    fn lines(script: &Script) -> Vec<String> {
        let line = |step: &Step| match step {
            Step::Command { input, .. } => {
                let input: serde_json::Value = serde_json::from_str(input).unwrap();
                let line = LINES.iter().find_map(|name| input.get(name)).unwrap();
                line.as_str().map_or_else(|| line.to_string(), str::to_owned)
            }
            other => format!("{other:?}"),
        };
        script.steps.iter().map(line).collect()
    }

    fn called(name: &str, input: &str) -> Step {
        Step::Tool { name: name.to_owned(), input: Some(input.to_owned()) }
    }

    #[track_caller]
    fn check(source: &str, commands: &[&str], opaque: bool) {
        let script = read(source);
        assert_eq!(
            (lines(&script), script.opaque),
            (commands.iter().map(|line| (*line).to_owned()).collect(), opaque),
            "{source}"
        );
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
    fn a_tool_keeps_its_name_where_nobody_knows_what_it_is_given() {
        for source in [
            "tools.mcp__github__create_issue({title})",
            "tools.mcp__github__create_issue(o)",
            "tools.mcp__github__create_issue({...o, title: 'a'})",
            "const o = {title: 'a'}; o.title = x; tools.mcp__github__create_issue(o)",
        ] {
            let step = Step::Tool { name: "mcp__github__create_issue".to_owned(), input: None };
            let script = read(source);
            assert_eq!((script.steps, script.opaque), (vec![step], true), "{source}");
        }
    }

    #[test]
    fn looking_after_a_command_is_no_call() {
        for poll in [
            "const r = await tools.write_stdin({session_id: 7, chars: \"\"})",
            "tools.write_stdin({session_id: id, yield_time_ms: 1000})",
            "const typed = ''; tools.write_stdin({session_id: id, chars: typed})",
        ] {
            assert_eq!(read(poll), Script { polls: true, ..Script::default() }, "{poll}");
        }
    }

    #[test]
    fn values_are_worked_out() {
        for (source, expect) in [
            ("let c = 'ls'; tools.shell({cmd: c})", "ls"),
            ("tools['shell']({['cmd']: 'l' + ('s')})", "ls"),
            ("const d = 'a b'; tools.shell({cmd: `ls ${d} ${1}`})", "ls a b 1"),
            ("const d = 'a b'; tools.shell({cmd: 'ls ' + JSON.stringify(d)})", "ls \"a b\""),
            ("tools.shell({cmd: '\\x6cs', ...{timeout: 1}})", "ls"),
            ("tools.shell({...o, cmd: 'ls'})", "ls"),
            ("const l = ['l' + 's', '-a']; tools.shell({cmd: l.join(' ')})", "ls -a"),
            ("const o = {cmd: 'ls', cwd: x}; text(o); tools.shell(o)", "ls"),
            ("const o = {c: 'ls'}; const r = tools.shell({cmd: o.c})", "ls"),
            ("const c = \"it's\"; tools.shell({cmd: c.replaceAll(\"'\", '_').trim()})", "it_s"),
            ("tools.shell({command: ['bash', '-lc', 'ls']})", r#"["bash","-lc","ls"]"#),
        ] {
            check(source, &[expect], false);
        }
    }

    #[test]
    fn a_patch_may_be_put_together() {
        let patch =
            Step::Patch("*** Begin Patch\n*** Add File: a\n+`${x}`\n*** End Patch".to_owned());
        check_steps(
            "const lines = ['*** Begin Patch', '*** Add File: ' + 'a', '+`${x}`'];\n\
             lines.map(line => text(line));\n\
             const patch = [lines.join('\\n'), '*** End Patch'].join('\\n');\n\
             text(await tools.apply_patch(patch));",
            std::slice::from_ref(&patch),
        );
        check_steps(
            "const p = `*** Begin Patch\n*** Add File: a\n+\\`\\${x}\\`\n*** End Patch`;\n\
             const result = await tools.apply_patch(p);\n\
             text(typeof result === 'string' ? result : JSON.stringify(result));",
            &[patch],
        );
    }

    #[test]
    fn what_goes_together_in_a_list_stays_together() {
        for source in [
            "for (const {c, d} of [{c: 'ls', d: 'a'}, {c: 'cat', d: 'b'}]) tools.shell({cmd: c + ' ' + d})",
            "for (const [c, d] of [['ls', 'a'], ['cat', 'b']]) tools.shell({cmd: `${c} ${d}`})",
            "for (const [c, d] of Object.entries({ls: 'a', cat: 'b'})) tools.shell({cmd: c + ' ' + d})",
            "Object.entries({ls: 'a', cat: 'b'}).map(([c, d]) => tools.shell({cmd: c + ' ' + d}))",
            "const l = ['ls a', 'cat b']; l.map(c => tools.shell({cmd: c})).forEach((r, i) => text(l[i]))",
            "const l = [{cmd: 'ls a'}, {cmd: 'cat b'}]; await Promise.all(l.map(o => tools.shell(o)))",
            "const l = [{cmd: 'ls a'}, {cmd: 'cat b'}]; for (const o of l) tools.shell({...o, tty: x})",
        ] {
            check(source, &["ls a", "cat b"], false);
        }
        check(
            "for (const a of ['x', 'y']) for (const b of ['1', '2']) tools.shell({cmd: a + b})",
            &["x1", "x2", "y1", "y2"],
            false,
        );
    }

    #[test]
    fn what_is_not_written_out_makes_it_opaque() {
        for source in [
            "tools.exec_command({cmd})",
            "tools.exec_command({cmd: c})",
            "tools.exec_command({cmd: 'a' + b})",
            "tools.exec_command({cmd: `rm ${x}`})",
            "tools.exec_command({...o, cwd: 'x'})",
            "tools.exec_command(o)",
            "const run = tools.exec_command; run({cmd: 'x'})",
            "const {exec_command} = tools",
            "tools?.exec_command({cmd: 'x'})",
            "tools.apply_patch(`${x}`)",
            "tools.write_stdin({session_id: 1, chars: c})",
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
            "const o = {cmd: 'ls'}; o.cmd = x; tools.exec_command(o)",
            "const o = {cmd: 'ls'}; o.cmd += x; tools.exec_command(o)",
            "const o = {cmd: 'ls'}; f(o); tools.exec_command(o)",
            "const o = {cmd: 'ls'}; const p = o; p.cmd = x; tools.exec_command(o)",
            "const o = {cmd: 'ls', ...p}; tools.exec_command(o)",
            "const l = [{cmd: 'ls'}]; l.map(o => { o.cmd = x }); l.map(p => tools.exec_command(p))",
            "const l = [['ls']]; for (const [...i] of l) f(i); tools.exec_command({cmd: l[0]})",
            "const l = ['ls']; l.map((c, i, all) => { all[0] = x }); tools.exec_command({cmd: l.join()})",
            "const l = ['ls']; l[0] = x; tools.exec_command({cmd: l.join()})",
            "const l = ['ls']; l['push'](x); tools.exec_command({cmd: l.join()})",
            "const l = ['ls']; l.forEach(change); tools.exec_command({cmd: l.join()})",
            "a['b'].map(c => tools.exec_command({cmd: c}))",
            "JSON.stringify = f; tools.exec_command({cmd: JSON.stringify('ls')})",
            "let c = 'ls'; c ??= x; tools.exec_command({cmd: c + 'a'})",
            "let c = 'ls'; c -= x; tools.exec_command({cmd: c + 'a'})",
            "let n = 1; n++; tools.exec_command({cmd: 'a' + n})",
            "const c = 'ls' === x ? y : z; tools.exec_command({cmd: c})",
            "const c = 'ls'\n['at'](0); tools.exec_command({cmd: c})",
            "[]['constructor']('x')",
            "String.prototype.trim = f",
            "if (x) {} /'/.test(y); z = '/tools.shell({cmd: 1})'",
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
        for part in
            ["tools.x({a:", "l.map(a=>b)", "for(const a of b)", "`${", "[[{a:", "const a={...a};"]
        {
            read(&part.repeat(MAX_LENGTH / part.len()));
        }
        let used = format!("const a = '{}';", "x".repeat(1 << 16));
        assert!(read(&(used + &"tools.shell({cmd: a});".repeat(1 << 14))).opaque);
    }
}
