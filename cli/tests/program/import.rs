//! `behavior import`: what becomes of the rules of other tools, and what is said of the rest.

use crate::common::{Project, Run};

/// Imports one file.
fn import(format: &str, name: &str, text: &str) -> Run {
    Project::new(&[(name, text)]).run(&format!("import {format} {name}"))
}

/// The rules of a policy, a line each: action, mode, what it is about.
fn rules(policy: &str) -> Vec<String> {
    let policy: toml::Table = policy.parse().unwrap();
    let rules = policy.get("rules").and_then(toml::Value::as_array).into_iter().flatten();
    let told = ["action", "approval_mode", "pattern", "tool_pattern", "arg_pattern"];
    let facts = ["params", "host", "path", "reads", "writes"];
    rules
        .map(|rule| {
            let fields = rule.as_table().unwrap().iter();
            let fields = fields.filter_map(|(key, value)| match key.as_str() {
                key if told.contains(&key) => Some(value.as_str().unwrap().to_owned()),
                key if facts.contains(&key) => Some(format!("{key}={}", shown(value))),
                _ => None,
            });
            fields.collect::<Vec<_>>().join(" ")
        })
        .collect()
}

/// A value on one line.
fn shown(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(items) => items.iter().map(shown).collect::<Vec<_>>().join(","),
        toml::Value::Table(table) => {
            table.iter().map(|(key, value)| format!("{key}:{}", shown(value))).collect()
        }
        other => format!("{other:?}"),
    }
}

/// What is said of a source: place, level and message of each remark.
fn remarks(run: &Run) -> Vec<&str> {
    run.err.lines().filter(|line| !line.starts_with("wrote ")).collect()
}

mod claude_settings {
    use super::*;

    /// What one entry of a list becomes, and what is said of it.
    #[track_caller]
    fn check(list: &str, entry: &str, expect: &[&str], said: Option<&str>) {
        let text = serde_json::json!({ "permissions": { list: [entry] } }).to_string();
        let run = import("claude-settings", "settings.json", &text);
        assert_eq!(rules(&run.out), expect, "{entry}\n{run:?}");
        match (said, remarks(&run).as_slice()) {
            (None, []) => assert_eq!(run.code, 0, "{entry}"),
            (Some(part), [line, ..]) => assert!(line.contains(part), "{entry}: {line}"),
            (said, lines) => panic!("{entry}: {said:?} {lines:?}"),
        }
        let is_note = said.is_none_or(|said| said.starts_with("note"));
        let is_looser = said.is_some_and(|said| said.contains("looser"));
        assert_eq!(run.code, if is_looser { 2 } else { i32::from(!is_note) }, "{entry}");
    }

    #[test]
    fn commands_become_command_patterns() {
        check("allow", "Bash", &["allow bash"], None);
        check("deny", "Bash(*)", &["deny bash"], None);
        check("allow", "Bash(npm test)", &["allow bash(npm test)"], None);
        check("allow", "Bash(npm run:*)", &["allow bash(npm run *)"], None);
        check("ask", "Bash(git push *)", &["ask_user bash(git push *)"], None);
        check("allow", "Bash(npm run build*)", &["allow bash(npm run build* *)"], None);
        check("deny", "Bash(* --hard)", &["deny bash(* * --hard)"], None);
        check("allow", "Bash(echo b?r [x])", &["allow bash(echo 'b?r' '[x]')"], None);
        check("allow", "Bash(make x:*y)", &["allow bash(make 'x:*y')"], None);
        check("allow", r"Bash(node -e 'f\(1\)')", &["allow bash(node -e 'f(1)')"], None);
        check("deny", "Bash(opaque)", &["deny bash('opaque')"], None);
    }

    #[test]
    fn what_a_command_pattern_cannot_say_is_listed() {
        check(
            "deny",
            "Bash(git push --force*)",
            &["deny bash(git push --force *)|bash(git push --force-if-includes *)|\
               bash(git push --force-with-lease *)"],
            None,
        );
        check(
            "deny",
            "Bash(own --force*)",
            &[],
            Some("error: looser: `Bash(own --force*)`: a flag of a command pattern"),
        );
        check("deny", "Bash(cp a*b c)", &["deny bash(cp a*b c)|bash(cp a* * *b c)"], None);
        check(
            "allow",
            "Bash(cp * /tmp)",
            &["allow bash(cp ?* * /tmp)"],
            Some("approximate: `Bash(cp * /tmp)`: flags alone"),
        );
        check(
            "allow",
            "Bash(./gradlew test)",
            &["allow bash(./gradlew test)"],
            Some("on the `PATH` is allowed as well, and none in another directory"),
        );
        check(
            "allow",
            "Bash(a && b)",
            &[],
            Some("not carried over: `Bash(a && b)`: it runs several"),
        );
        check("allow", "Bash(echo $TARGET)", &[], Some("a variable or a substitution"));
        check("allow", "Bash(echo x > y)", &[], Some("it redirects"));
        check(
            "deny",
            "Bash(A=1 make)",
            &[],
            Some("error: looser: `Bash(A=1 make)`: something stands before its program"),
        );
        check("allow", "Bash(python3 -c ' *)", &[], Some("no complete shell command"));
        check("allow", "Bash(xargs cat)", &[], Some("which is decided on; allow `cat`"));
        check(
            "allow",
            "Bash(sudo cat /etc/hosts)",
            &["allow bash(sudo cat /etc/hosts)"],
            Some("allow `cat /etc/hosts` as well"),
        );
    }

    #[test]
    fn other_tools() {
        check("deny", "WebSearch", &["deny web_search"], None);
        check("ask", "Task", &["ask_user task"], None);
        check("ask", "NotebookEdit", &["ask_user NotebookEdit"], None);
        check("allow", "mcp__github", &["allow mcp(github/*)"], None);
        check("deny", "mcp__github__delete_*", &["deny mcp(github/delete_*)"], None);
        check("allow", "WebFetch(domain:docs.rs)", &["allow web_fetch host=docs.rs"], None);
        check(
            "deny",
            "WebFetch(domain:*.Evil.example)",
            &["deny web_fetch host=*.evil.example"],
            None,
        );
        check(
            "allow",
            "WebFetch(domain:*.docs.rs)",
            &["allow web_fetch host=*.docs.rs"],
            Some("`docs.rs` itself is allowed as well"),
        );
        check("deny", "WebFetch(domain:a b)", &[], Some("looser: `WebFetch(domain:a b)`"));
        check(
            "allow",
            "Skill(review)",
            &["allow skill params=skill:review", "allow skill params=command:review"],
            None,
        );
        check("deny", "Agent(Explore)", &["deny task params=subagent_type:Explore"], None);
        check("deny", "Agent(model:opus)", &["deny task params=model:opus"], None);
        check(
            "ask",
            "Bash(run_in_background:true)",
            &["ask_user bash params=run_in_background:true"],
            None,
        );
        check("deny", "mcp__*", &["deny mcp(*)"], None);
        check("deny", "Nonsense", &[], Some("looser: `Nonsense`: no tool of Claude Code"));
    }

    #[test]
    fn paths() {
        check("deny", "Edit(//etc/**)", &["deny writes=/etc/**"], None);
        check("deny", "Read(./.env)", &["deny reads=.env,.env/**"], None);
        check("deny", "Read(~/.ssh/**)", &["deny reads=~/.ssh/**"], None);
        check("ask", "Edit(./src/*.rs)", &["ask_user writes=./src/*.rs,./src/*.rs/**"], None);
        check("deny", "Edit(/migrations/)", &["deny writes=//migrations,//migrations/**"], None);
        check("deny", "Read(**/*token*)", &["deny reads=**/*token*,**/*token*/**"], None);
        check("allow", "Read(src/**)", &["allow read|grep|glob|ls path=./src/**"], None);
        check(
            "allow",
            "Edit(//a/**)",
            &["allow edit|multi_edit|write|notebook_edit path=/a/**"],
            None,
        );
    }

    #[test]
    fn what_has_no_effect_there_has_none_here() {
        for entry in [
            "bash(npm test)",
            "Bash (npm test)",
            "Bash(npm test",
            "Bash()",
            "Bash( npm test )",
            "Write(src/**)",
            "mcp__*",
            "mcp__github__x(*)",
        ] {
            let list = serde_json::json!({ "permissions": { "allow": [entry] } }).to_string();
            let run = import("claude-settings", "settings.json", &list);
            assert_eq!(rules(&run.out), [""; 0], "{entry}");
            assert_eq!(remarks(&run).len(), 1, "{run:?}");
        }
        check("allow", "Bash()", &[], Some("note: `Bash()` has no effect in Claude Code"));
    }

    #[test]
    fn lists_keep_their_rank_and_files_come_together() {
        let project = Project::new(&[
            ("user.json", r#"{"permissions": {"allow": ["Bash"], "defaultMode": "acceptEdits"}}"#),
            ("project.json", r#"{"permissions": {"ask": ["Edit"], "deny": ["WebFetch"]}}"#),
        ]);
        let run = project.run("import claude-settings user.json project.json -o policy.toml");
        assert_eq!((run.code, run.out.as_str()), (0, ""), "{run:?}");
        assert_eq!(run.err, "wrote policy.toml: 3 rules\n");
        let policy = String::from_utf8(project.read("policy.toml")).unwrap();
        assert_eq!(rules(&policy), ["deny web_fetch", "ask_user edit", "allow bash"]);
        assert!(policy.contains("\napproval_mode = \"autoEdit\"\n"), "{policy}");
    }

    #[test]
    fn settings_that_are_no_rules_are_listed_with_their_line() {
        let text = "{\n  \"$schema\": \"x\",\n  \"hooks\": {},\n  \"permissions\": {\n    \
                    \"defaultMode\": \"plan\",\n    \"additionalDirectories\": []\n  }\n}";
        let run = import("claude-settings", "settings.json", text);
        let remarks = remarks(&run);
        assert_eq!(remarks.len(), 3, "{remarks:?}");
        let starts =
            ["settings.json:3:3: not", "settings.json:5:20: not", "settings.json:6:5: not"];
        for (remark, start) in remarks.iter().zip(starts) {
            assert!(remark.starts_with(start), "{remark}");
        }
        assert_eq!(run.code, 1);
    }
}

mod gemini_policy {
    use super::*;

    const HEAD: &str = "[[rule]]\npriority = 100\n";

    #[track_caller]
    fn check(body: &str, expect: &[&str], said: Option<&str>) {
        let run = import("gemini-policy", "policy.toml", &format!("{HEAD}{body}"));
        assert_eq!(rules(&run.out), expect, "{body}\n{run:?}");
        match (said, remarks(&run).as_slice()) {
            (None, []) => assert_eq!(run.code, 0, "{body}"),
            (Some(part), [line, ..]) => assert!(line.contains(part), "{body}: {line}"),
            (said, lines) => panic!("{body}: {said:?} {lines:?}"),
        }
    }

    fn shell(rest: &str) -> String {
        format!("toolName = \"run_shell_command\"\ndecision = \"allow\"\n{rest}")
    }

    #[test]
    fn tools_and_commands() {
        check(
            "toolName = [\"replace\", \"write_file\"]\ndecision = \"ask_user\"",
            &["ask_user edit|write"],
            None,
        );
        check("toolName = \"*\"\ndecision = \"deny\"", &["deny *"], None);
        check(&shell("commandPrefix = \"git log\""), &["allow bash(git log *)"], None);
        check(
            &shell("commandPrefix = [\"go\", \"test\"]"),
            &["allow bash(go *)|bash(test *)"],
            None,
        );
        check(
            "toolName = \"drop_*\"\nmcpName = \"db\"\ndecision = \"deny\"",
            &["deny mcp(db/drop_*)"],
            None,
        );
        check("toolName = \"mcp_db_drop\"\ndecision = \"deny\"", &["deny mcp(db/drop)"], None);
        check("toolName = \"db__drop\"\ndecision = \"deny\"", &["deny mcp(db/drop)"], None);
        // The name of a server may have a `_` in it.
        check(
            "toolName = \"mcp_my_db_drop\"\ndecision = \"deny\"",
            &["deny mcp(my/db_drop)|mcp(my_db/drop)"],
            None,
        );
    }

    #[test]
    fn modes() {
        let rule = "toolName = \"replace\"\ndecision = \"allow\"\n";
        check(
            &format!("{rule}modes = [\"default\", \"autoEdit\"]"),
            &["allow edit ask", "allow edit autoEdit"],
            None,
        );
        check(
            &format!("{rule}modes = [\"default\", \"autoEdit\", \"yolo\"]"),
            &["allow edit"],
            None,
        );
        check(
            &format!("{rule}modes = [\"plan\", \"yolo\"]"),
            &["allow edit yolo"],
            Some("no approval mode `plan`; the others hold"),
        );
        check(&format!("{rule}modes = [\"plan\"]"), &[], Some("`plan`; the rule is left out"));
        check(&format!("{rule}modes = []"), &["allow edit"], None);
    }

    #[test]
    fn what_cannot_be_said_is_listed() {
        check(&shell("commandRegex = \"git .*\""), &[], Some("not carried over: `commandRegex`"));
        check(
            &shell("commandPrefix = \"git log\"\nallowRedirection = true"),
            &["allow bash(git log *)"],
            Some(
                "approximate: `allowRedirection`: in the mode `ask`, a command that writes a file",
            ),
        );
        check(&shell("interactive = false"), &[], Some("not carried over: `interactive`"));
        check(&shell("interactive = true"), &["allow bash"], Some("approximate: `interactive`"));
        check(
            "toolName = \"read_file\"\ndecision = \"deny\"\nargsPattern = \"\\\\.pem\"",
            &["deny read *.pem*"],
            Some("approximate: `argsPattern`"),
        );
        check(
            "toolName = \"read_file\"\ndecision = \"deny\"\nargsPattern = \"a|b\"",
            &["deny read *a*", "deny read *b*"],
            Some("approximate: `argsPattern`"),
        );
        check(
            "toolName = \"read_file\"\ndecision = \"deny\"\nargsPattern = \"[ab]\"",
            &[],
            Some("error: looser: `argsPattern`: an `arg_pattern` is a glob"),
        );
        check(
            "toolName = \"write_file\"\ndecision = \"deny\"\nsubagent = \"x\"",
            &["deny write"],
            Some("the rule holds for all"),
        );
        check(
            "toolName = \"*\"\nmcpName = \"*\"\ndecision = \"allow\"\n\
             toolAnnotations = { readOnlyHint = true }",
            &[],
            Some("not carried over: `toolAnnotations`"),
        );
        check(
            "toolName = \".*\"\ndecision = \"deny\"",
            &[],
            Some("note: `.*` is the name of no tool"),
        );
        check(
            "toolName = \"glob\"\ndecision = \"deny\"\npathPattern = \"x\"",
            &["deny glob"],
            Some("note: `pathPattern` has no effect in Gemini CLI"),
        );
    }

    #[test]
    fn priorities_become_an_order() {
        let rule = |tool: &str, priority: u32| {
            format!("[[rule]]\ntoolName = \"{tool}\"\ndecision = \"deny\"\npriority = {priority}\n")
        };
        let text = [rule("a", 1), rule("b", 900), rule("c", 1), rule("d", 900)].concat();
        let run = import("gemini-policy", "policy.toml", &text);
        assert_eq!(rules(&run.out), ["deny b", "deny d", "deny a", "deny c"]);
    }

    #[test]
    fn names_and_reasons_come_along() {
        let body = "name = \"No drops\"\ntoolName = \"x\"\ndecision = \"deny\"\n\
                    denyMessage = \"say \\\"please\\\"\"";
        let run = import("gemini-policy", "policy.toml", &format!("{HEAD}{body}"));
        assert!(run.out.contains("name = \"No drops\"\n"), "{}", run.out);
        assert!(run.out.contains("reason = 'say \"please\"'\n"), "{}", run.out);
    }

    #[test]
    fn what_gemini_does_not_load_is_refused() {
        for (body, part) in [
            ("toolName = \"a\"\ndecision = \"ask\"", "a rule has a `decision`"),
            ("decision = \"deny\"", "a rule has a `toolName`"),
            ("toolName = \"a\"\ndecision = \"deny\"\nmodes = \"yolo\"", "`modes` is a list"),
            ("toolName = \"a\"\ndecision = \"deny\"\ncommandPrefix = \"x\"", "goes with"),
            ("toolName = \"a\"\ndecision = \"deny\"\npriority = 1", "`priority`"),
            ("toolName = \"\\.\"", "escape"),
        ] {
            let run = import("gemini-policy", "policy.toml", &format!("{HEAD}{body}"));
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{body}: {run:?}");
            assert!(run.err.contains("error: ") && run.err.contains(part), "{body}: {}", run.err);
        }
        let run = import(
            "gemini-policy",
            "p.toml",
            "[[rule]]\ntoolName=\"a\"\ndecision=\"deny\"\npriority=1000\n",
        );
        assert!(
            run.err.contains("p.toml:4:10: error: ") && run.err.contains("0 to 999"),
            "{run:?}"
        );
    }
}

mod codex_rules {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let run = import("codex-rules", "default.rules", text);
        assert_eq!(
            (rules(&run.out), run.code),
            (expect.iter().map(|r| (*r).to_owned()).collect(), 0),
            "{text}\n{run:?}"
        );
    }

    #[test]
    fn prefixes() {
        check("prefix_rule(pattern=[\"ls\"])", &["allow bash(ls *)"]);
        check(
            "prefix_rule(\n  pattern = ['git', [\"log\", \"diff\"]], # both\n  decision = \"prompt\",\n)",
            &["ask_user bash(git log *)|bash(git diff *)"],
        );
        check(
            "prefix_rule([\"a\", \"*\", r\"\\d\"], \"forbidden\")",
            &[r"deny bash(a '*' '\d' *)"],
        );
        check("x = [\"a\"]\nprefix_rule(pattern = x + [\"b\" + \"c\"])\n", &["allow bash(a bc *)"]);
        check("# nothing\n", &[]);
    }

    #[test]
    fn the_strictest_comes_first() {
        check(
            "prefix_rule(pattern=[\"a\"])\nprefix_rule(pattern=[\"b\"], decision=\"prompt\")\n\
             prefix_rule(pattern=[\"a\", \"b\"], decision=\"forbidden\")\n",
            &["deny bash(a b *)", "ask_user bash(b *)", "allow bash(a *)"],
        );
    }

    #[test]
    fn justifications_are_reasons_and_examples_comments() {
        let text = "prefix_rule(pattern=[\"rm\"], decision=\"forbidden\", \
                    justification=\"\"\"\nuse trash\n\"\"\", match=[\"rm x\", [\"rm\", \"y\"]], \
                    not_match=[\"rmdir x\"])";
        let run = import("codex-rules", "default.rules", text);
        for part in [
            "reason = \"use trash\"\n",
            "# matches: rm x\n",
            "# matches: rm y\n",
            "# does not match: rmdir x\n",
        ] {
            assert!(run.out.contains(part), "{part}: {}", run.out);
        }
    }

    #[test]
    fn what_cannot_be_said_is_listed() {
        for (text, part) in [
            (
                "host_executable(name=\"git\", paths=[\"/usr/bin/git\"])",
                "`host_executable`: denials are for a program wherever it lies",
            ),
            (
                "network_rule(host=\"x.org\", protocol=\"https\", decision=\"allow\")",
                "`network_rule`",
            ),
            ("for c in [\"b\"]:\n    prefix_rule(pattern=[c])\n", "begins with `for`"),
            ("def f(c):\n    prefix_rule(pattern=[c])\nf(\"b\")\n", "begins with `def`"),
            ("[prefix_rule(pattern=[c]) for c in [\"b\"]]", "no call"),
            ("prefix_rule(pattern=[\"a\", \"%s\" % \"b\"])", "worked out"),
            ("prefix_rule(pattern=[\"bash\", \"-c\", \"ls\"])", "allow `ls`"),
        ] {
            let run = import("codex-rules", "default.rules", text);
            assert_eq!((run.code, rules(&run.out).len()), (1, 0), "{text}: {run:?}");
            assert!(
                run.err.contains("not carried over: ") && run.err.contains(part),
                "{}",
                run.err
            );
        }
    }

    #[test]
    fn what_codex_does_not_load_is_refused() {
        for (text, part) in [
            ("prefix_rule(pattern=[\"a\"], decision=\"deny\")", "1:37: error: a decision is"),
            ("\nprefix_rule(pattern=[])", "2:21: error: a `pattern` is"),
            ("prefix_rule(pattern=[\"a\", []])", "a `pattern` is"),
            ("prefix_rule(pattern=(\"a\", \"b\"))", "a `pattern` is"),
            ("prefix_rule(pattern=\"git push\")", "a `pattern` is"),
            ("prefix_rule(pattern=[\"a\", 1])", "a `pattern` is"),
            ("prefix_rule(decision=\"allow\")", "`prefix_rule` has a `pattern`"),
            ("prefix_rule(pattern=[\"a\"], reason=\"x\")", "no parameter `reason`"),
            ("prefix_rule(pattern=[\"a\"], justification=\" \")", "not empty"),
            ("prefix_rule(pattern=[\"a\", \"b\"], match=[\"a c\"])", "it matches this"),
            ("prefix_rule(pattern=[\"a\"], not_match=[[\"a\", \"c\"]])", "does not match this"),
            ("suffix_rule(pattern=[\"a\"])", "no function `suffix_rule`"),
            ("prefix_rule(pattern=[\"a\"", "is not closed"),
            ("prefix_rule(pattern=[\"a])", "this string is not closed"),
            ("prefix_rule(\n\tpattern=[\"a\"])", "there is a tab"),
        ] {
            let run = import("codex-rules", "default.rules", text);
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{text}: {run:?}");
            assert!(run.err.contains(part), "{text}: {}", run.err);
        }
    }

    #[test]
    fn hostile_files_end() {
        let deep = format!("prefix_rule(pattern={}{})", "[".repeat(5_000), "]".repeat(5_000));
        let doubling =
            format!("x = [\"a\"]\n{}prefix_rule(pattern=x)\n", "x = [x, x] + x\n".repeat(60));
        let wide = format!("prefix_rule(pattern=[{}])", "[\"a\", \"b\"],".repeat(40));
        for (text, code) in [(deep, 1), (doubling, 1), (wide, 1)] {
            let run = import("codex-rules", "default.rules", &text);
            assert_eq!((run.code, rules(&run.out).len()), (code, 0), "{}", run.err);
        }
    }
}

mod hookify {
    use super::*;

    fn rule(head: &str, body: &str) -> String {
        format!("---\nname: my-rule\n{head}\n---\n\n{body}\n")
    }

    /// A session of one call.
    fn traced(tool: &str, args: &str) -> String {
        format!("{{\"event\":\"tool_call\",\"id\":\"1\",\"tool\":\"{tool}\",\"params\":{args}}}\n")
    }

    /// What the imported rule says of a call.
    #[track_caller]
    fn check(head: &str, calls: &[(&str, &str, &str)]) {
        let project = Project::new(&[("rule.md", &rule(head, "Look at {this}."))]);
        let run = project.run("import hookify rule.md -o behavior.yaml");
        assert_eq!((run.code, remarks(&run).len()), (0, 0), "{head}: {run:?}");
        for (tool, args, expect) in calls {
            let call = traced(tool, args);
            project.write("trace.jsonl", call.as_bytes());
            let run = project.run("simulate trace.jsonl -c behavior.yaml");
            let found = match &run.out {
                out if out.contains("■ blocked ") => "block",
                out if out.contains("▲ warned ") => "warn",
                _ => "none",
            };
            assert_eq!(found, *expect, "{head}\n{tool} {args}\n{run:?}");
        }
    }

    #[test]
    fn events_and_fields() {
        check(
            "event: bash\npattern: rm\\s+-rf\naction: block",
            &[
                ("bash", r#"{"command":"RM  -RF x"}"#, "block"),
                ("bash", r#"{"command":"rm x"}"#, "none"),
                ("edit", r#"{"file_path":"rm -rf","new_string":"rm -rf"}"#, "none"),
            ],
        );
        check(
            "event: file\npattern: console\\.log",
            &[
                ("edit", r#"{"file_path":"a","new_string":"console.log(1)"}"#, "warn"),
                ("edit", r#"{"file_path":"console.log","new_string":"x"}"#, "none"),
                ("edit", r#"{"file_path":"a","edits":[{"new_string":"console.log(1)"}]}"#, "warn"),
                ("write", r#"{"file_path":"a","content":"console.log(1)"}"#, "none"),
            ],
        );
        check(
            "event: file\nconditions:\n  - field: file_path\n    operator: regex_match\n    pattern: \\.env$",
            &[
                ("edit", r#"{"file_path":"a/.env","new_string":""}"#, "warn"),
                ("write", r#"{"file_path":".env","content":""}"#, "warn"),
                ("read", r#"{"file_path":".env"}"#, "warn"),
                ("bash", r#"{"command":"cat .env"}"#, "none"),
            ],
        );
    }

    #[test]
    fn operators() {
        let operator = |name: &str, pattern: &str| {
            format!(
                "event: bash\nconditions:\n  - {{}}field: command\n    operator: {name}\n    pattern: {pattern}"
            )
            .replace("{}", "")
        };
        let call = |command: &str| format!("{{\"command\":\"{command}\"}}");
        let check_one = |name: &str, pattern: &str, hits: &[&str], misses: &[&str]| {
            let hits = hits.iter().map(|command| (call(command), "warn"));
            let calls: Vec<_> =
                hits.chain(misses.iter().map(|command| (call(command), "none"))).collect();
            let calls: Vec<_> = calls.iter().map(|(call, e)| ("bash", call.as_str(), *e)).collect();
            check(&operator(name, pattern), &calls);
        };
        check_one("contains", "a.b", &["x a.b y"], &["x A.B y", "aXb"]);
        check_one("not_contains", "a.b", &["aXb", "A.B"], &["x a.b y"]);
        check_one("equals", "ls -l", &["ls -l"], &["ls -la", "LS -l"]);
        check_one("starts_with", "git", &["git x"], &["a git x", "Git x"]);
        check_one("ends_with", "|sh", &["curl x|sh"], &["curl x|sh -s"]);
        check_one("regex_match", "^ls\\b", &["LS -l"], &["lsof"]);
    }

    #[test]
    fn what_is_left_out_is_said() {
        for (head, code, part) in [
            (
                "event: stop\npattern: x",
                1,
                "rule.md:3:1: not carried over: `my-rule`, `event: stop`",
            ),
            ("event: prompt\npattern: x", 1, "not carried over"),
            ("event: bash\npattern: (?!x)y", 1, "not carried over: `my-rule`: "),
            ("event: bash\npattern: x\naction: shout", 1, "there is no action `shout`"),
            ("event: bash\nenabled: false\npattern: x", 0, "note: `my-rule` is switched off"),
            ("event: bash", 0, "note: `my-rule` has no conditions"),
            (
                "event: bash\nconditions:\n  - field: command\n    operator: like\n    pattern: x",
                0,
                "there is no operator `like`",
            ),
            (
                "event: bash\nconditions:\n  - field: transcript\n    pattern: x",
                1,
                "calls have no `transcript`",
            ),
        ] {
            let run = import("hookify", "rule.md", &rule(head, "x"));
            assert_eq!(run.code, code, "{head}: {run:?}");
            assert!(run.err.contains(part), "{head}: {}", run.err);
            assert!(run.out.ends_with("rule_definitions: []\n"), "{head}: {}", run.out);
        }
        let run = import("hookify", "rule.md", "no head");
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{run:?}");
    }

    #[test]
    fn messages_come_along_as_they_are() {
        let project = Project::new(&[
            ("a.md", &rule("event: bash\npattern: ls", "# Stop\n\nUse `{x}` \"now\".\n  - \u{e9}")),
            ("b.md", &rule("event: bash\npattern: ls", "one\ttwo  \nthree")),
        ]);
        let run = project.run("import hookify a.md b.md -o behavior.yaml");
        assert_eq!(run.code, 0, "{run:?}");
        let trace = traced("bash", r#"{"command":"ls"}"#);
        project.write("trace.jsonl", trace.as_bytes());
        let found = project.json("simulate trace.jsonl -c behavior.yaml --format json").to_string();
        for part in [r#"# Stop\n\nUse `{x}` \"now\".\n  - é"#, r"one\ttwo  \nthree", "my-rule_2"] {
            assert!(found.contains(part), "{part}: {found}");
        }
    }
}

#[test]
fn unreadable_sources_are_refused() {
    let project = Project::new(&[("bad.json", "{ \"permissions\": ")]);
    let run = project.run("import claude-settings missing.json");
    assert_eq!(run.code, 2);
    assert_eq!(run.err, "error: cannot read `missing.json`: there is no such file\n");
    let run = project.run("import claude-settings bad.json -o out.toml");
    assert_eq!((run.code, run.out.as_str()), (2, ""));
    assert!(run.err.starts_with("bad.json:1:"), "{}", run.err);
    assert!(!project.path("out.toml").exists(), "nothing is written from a broken source");
}

#[test]
fn a_source_is_never_overwritten() {
    let project = Project::new(&[("settings.json", "{}")]);
    let run = project.run("import claude-settings settings.json -o settings.json");
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(project.read("settings.json"), b"{}");
}

/// The examples of the documentation: a source, then what becomes of it.
#[test]
fn the_documentation_shows_what_happens() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/importing.md");
    let text = std::fs::read_to_string(path).unwrap();
    let blocks: Vec<&str> = text.split("\n```").skip(1).collect();
    let code = |block: &str| block.split_once('\n').unwrap().1.to_owned() + "\n";
    // Every other piece is the text between two blocks.
    let codes: Vec<String> = blocks.iter().step_by(2).map(|block| code(block)).collect();
    let formats =
        ["claude-settings", "gemini-policy", "codex-rules", "opencode", "safety-net", "hookify"];
    assert_eq!(codes.len(), 2 * formats.len(), "each format has an example");
    for (format, example) in formats.iter().zip(codes.chunks(2)) {
        let [source, expect] = example else { panic!("{format}: a source and what it becomes") };
        let run = import(format, "source", source);
        assert!(run.out.ends_with(expect.trim_start()), "{format}: {expect}\n{run:?}");
        assert_eq!(run.code, 0, "{run:?}");
    }
}

#[test]
fn a_file_that_is_there_is_not_written_over_unless_asked() {
    let settings = r#"{"permissions":{"deny":["Bash(rm:*)"]}}"#;
    let project = Project::new(&[("settings.json", settings), ("policy.toml", "# by hand\n")]);
    let refused = project.run("import claude-settings settings.json -o policy.toml");
    assert_eq!(refused.code, 2, "{refused:?}");
    let expect = "`policy.toml` is there already: write to another file, or over it with `--force`";
    assert!(refused.err.contains(expect), "{refused:?}");
    assert_eq!(project.read("policy.toml"), b"# by hand\n");
    let forced = project.run("import claude-settings settings.json -o policy.toml --force");
    assert_eq!(forced.code, 0, "{forced:?}");
    assert!(String::from_utf8(project.read("policy.toml")).unwrap().contains("rm *"));
    let fresh = project.run("import claude-settings settings.json -o new.toml");
    assert_eq!(fresh.code, 0, "{fresh:?}");
}

mod safety_net {
    use super::*;

    #[test]
    fn rules_are_denials_with_their_reason() {
        let text = r#"{"version": 1, "rules": [{"name": "no-all", "command": "git", "subcommand": "add",
            "block_args": ["-A", "--all", "."], "reason": "name the files"}]}"#;
        let run = import("safety-net", ".safety-net.json", text);
        assert_eq!(
            rules(&run.out),
            ["deny bash(git add -A *)|bash(git add --all *)|bash(git add * . *)"]
        );
        assert!(run.out.contains("reason = \"name the files\""), "{run:?}");
        assert!(run.out.contains("approval_mode = \"agent\""), "{run:?}");
        assert_eq!(run.code, 0);
    }

    #[test]
    fn what_its_schema_refuses_is_refused() {
        for (text, said) in [
            (r#"{"rules": []}"#, "`version` is 1"),
            (r#"{"version": 1, "rules": {}}"#, "`rules` is a list"),
            (r#"{"version": 1, "rule": []}"#, "there is no `rule`"),
            (
                r#"{"version": 1, "rules": [{"name": "a", "command": "rm", "reason": "r"}]}"#,
                "`block_args`",
            ),
        ] {
            let run = import("safety-net", "s.json", text);
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{text}");
            assert!(run.err.contains(said), "{text}: {run:?}");
        }
    }
}

mod opencode {
    use super::*;

    #[track_caller]
    fn check(permission: &str, expect: &[&str], code: i32) -> Run {
        let text = format!("{{\"permission\": {permission}}}");
        let run = import("opencode", "opencode.json", &text);
        assert_eq!(rules(&run.out), expect, "{permission}\n{run:?}");
        assert_eq!(run.code, code, "{permission}: {run:?}");
        run
    }

    #[test]
    fn the_last_entry_comes_first() {
        check(
            r#"{"bash": {"*": "ask", "git *": "allow", "git push *": "deny"}}"#,
            &["deny bash(git push *)", "allow bash(git *)", "ask_user bash"],
            0,
        );
        check(r#""ask""#, &["ask_user *"], 0);
    }

    #[test]
    fn tools_go_by_our_names() {
        check(
            r#"{"edit": "deny", "webfetch": "ask", "my_db_drop": "deny"}"#,
            &[
                "deny my_db_drop|mcp(my/db_drop)|mcp(my_db/drop)",
                "ask_user web_fetch",
                "deny edit|multi_edit|write|apply_patch",
            ],
            0,
        );
        check(r#"{"external_directory": "ask"}"#, &["ask_user path=is:outside"], 0);
        check(r#"{"read": {"*.env": "deny"}}"#, &["deny reads=*.env,*.env/**"], 0);
        check(
            r#"{"edit": {"docs/*": "allow"}}"#,
            &["allow edit|multi_edit|write|apply_patch path=docs/**"],
            0,
        );
        check(r#"{"task": {"general": "deny"}}"#, &["deny task params=subagent_type:general"], 0);
    }

    #[test]
    fn rules_of_one_agent_would_be_looser() {
        let text = r#"{"permission": {"edit": "ask"}, "agent": {"plan": {"permission": {"edit": "deny"}}}}"#;
        let run = import("opencode", "opencode.json", text);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{run:?}");
        assert!(run.err.contains("error: looser: `plan`"), "{run:?}");
    }
}

#[test]
fn what_would_be_looser_is_written_only_on_request() {
    let text = r#"{"permissions": {"deny": ["Bash(A=1 make)", "Bash(rm *)"]}}"#;
    let project = Project::new(&[("settings.json", text)]);
    let run = project.run("import claude-settings settings.json -o policy.toml");
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("nothing is written: 1 rule would let through"), "{run:?}");
    assert!(!project.path("policy.toml").exists());
    let run = project.run("import claude-settings settings.json -o policy.toml --allow-looser");
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.err.ends_with("wrote policy.toml: 1 rule, 1 looser\n"), "{run:?}");
}

#[test]
fn tiers_are_priorities() {
    let text = r#"{"permissions": {"deny": ["WebSearch"]}}"#;
    let project = Project::new(&[("settings.json", text)]);
    let run = project.run("import claude-settings settings.json --tier admin");
    assert!(run.out.contains("priority = \"admin\""), "{run:?}");
}

#[test]
fn empty_sources_are_refused() {
    for format in ["claude-settings", "gemini-policy", "codex-rules", "hookify", "opencode"] {
        let run = import(format, "source", " \n");
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{format}: {run:?}");
        assert!(run.err.contains("the file is empty"), "{format}: {run:?}");
    }
}
