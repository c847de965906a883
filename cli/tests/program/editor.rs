//! The language server against `behavior check`: of the same texts, both say the same.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{ChildStdout, Stdio};

use crate::common::Project;
use serde_json::{Value, json};

/// What is told of a project: file, kind, line and column from 1.
type Told = BTreeSet<(String, String, u64, u64)>;

fn checked(project: &Project) -> Told {
    let report = project.json("check --format json");
    let problems = report["diagnostics"].as_array().expect("a list");
    let told = |it: &Value| {
        let start = &it["span"]["start"];
        let text = |field: &str| it[field].as_str().expect("a text").to_owned();
        let number = |field: &str| start[field].as_u64().expect("a number");
        (text("file"), text("name"), number("line"), number("column"))
    };
    problems.iter().map(told).collect()
}

fn send(input: &mut impl Write, message: &Value) {
    let body = message.to_string();
    write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server reads");
    input.flush().expect("the server reads");
}

fn receive(output: &mut BufReader<ChildStdout>) -> Value {
    let mut length = 0;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).expect("the server writes");
        match line.trim().split_once(": ") {
            Some((_, value)) => length = value.parse().expect("a length"),
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).expect("a message");
    serde_json::from_slice(&body).expect("JSON")
}

/// What the server says of the whole workspace, with `open` opened.
fn served(project: &Project, open: &str) -> Told {
    let mut command = project.command("lsp");
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.env("BEHAVIOR_CACHE_DIR", project.path("cache"));
    let mut child = command.spawn().expect("the program runs");
    let folder = project.path("").canonicalize().expect("a path");
    let mut input = child.stdin.take().expect("an input");
    let mut output = BufReader::new(child.stdout.take().expect("an output"));
    let root = format!("file://{}", folder.display().to_string().trim_end_matches('/'));
    let capabilities = json!({
        "general": { "positionEncodings": ["utf-8"] },
        "textDocument": { "diagnostic": {} },
        "workspace": { "diagnostics": { "refreshSupport": true } },
    });
    let params = json!({ "processId": null, "rootUri": root, "capabilities": capabilities });
    send(
        &mut input,
        &json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params }),
    );
    // Until the server has answered, a client may send nothing else.
    while receive(&mut output)["id"] != 1 {}
    send(&mut input, &json!({ "jsonrpc": "2.0", "method": "initialized", "params": {} }));
    let text = std::fs::read_to_string(folder.join(open)).expect("a file");
    let document = json!({ "uri": format!("{root}/{open}"), "languageId": "yaml", "version": 1, "text": text });
    let params = json!({ "textDocument": document });
    send(
        &mut input,
        &json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params }),
    );
    let params = json!({ "previousResultIds": [] });
    send(
        &mut input,
        &json!({ "jsonrpc": "2.0", "id": 2, "method": "workspace/diagnostic", "params": params }),
    );
    let found = loop {
        let message = receive(&mut output);
        if message["id"] == 2 && message.get("method").is_none() {
            break message["result"]["items"].clone();
        }
    };
    send(&mut input, &json!({ "jsonrpc": "2.0", "id": 3, "method": "shutdown" }));
    send(&mut input, &json!({ "jsonrpc": "2.0", "method": "exit" }));
    child.wait().expect("the server ends");
    let mut told = Told::new();
    for file in found.as_array().expect("a list") {
        let address = file["uri"].as_str().expect("an address");
        let name = address.strip_prefix(&format!("{root}/")).unwrap_or(address);
        for problem in file["items"].as_array().expect("a list") {
            let start = &problem["range"]["start"];
            let number = |field: &str| start[field].as_u64().expect("a number") + 1;
            let code = problem["code"].as_str().expect("a code").to_owned();
            told.insert((name.to_owned(), code, number("line"), number("character")));
        }
    }
    told
}

const PROJECTS: &[&[(&str, &str)]] = &[
    &[("behavior.yaml", "profile: dev\n")],
    &[("behavior.yaml", "profil: dev\nrules: [\n")],
    &[
        (
            "behavior.yaml",
            "profile: a\nrule_definitions:\n  - id: r\n    condition: target in mine\n    message: x\n",
        ),
        (
            "behavior/a.yaml",
            "name: a\nstate_tracking:\n  sets:\n    mine: { add_on: read }\n    other: { add_on: read }\n",
        ),
        (
            "behavior/b.yaml",
            "name: b\nextends: nothing\nrule_definitions:\n  - id: r\n    condition: flag(no)\n",
        ),
        ("behavior/policy.toml", "[[rules]]\nname = 'x'\naction = 'denny'\npattern = 'rm *'\n"),
        ("behavior/t.policy.yaml", "rules:\n  - kind: no_cal\n    params: { tool: x }\n"),
    ],
    &[
        ("behavior.yaml", "profile: dev\n"),
        ("a.test.yaml", "tests:\n  - name: a\n    evnts: [bash: ]\n    expt: []\n"),
        (
            "behavior/b.test.yaml",
            "tests:\n  - { name: b, rules: [{ idd: r }], events: [bash: ], expect: [{ at: 0 }] }\n",
        ),
        ("c.test.yaml", "# nothing yet\n"),
        ("widget.test.yaml", "suite: x\n"),
    ],
    &[("behavior.yaml", "classify_turns: true\nverifier: { enabled: true }\n")],
    &[
        ("behavior.yaml", "profile: \"{{behavior.gone}}\"\n"),
        ("behavior/c.yaml", "name: c\nprompt: \"{{prompt.gone}}\"\n"),
    ],
];

#[test]
fn the_server_says_what_check_says() {
    for files in PROJECTS {
        let project = Project::new(files);
        // The root of a repository, so that nothing above it counts.
        project.make_repository();
        let expected = checked(&project);
        for (open, _) in *files {
            assert_eq!(served(&project, open), expected, "{files:#?} with `{open}` open");
        }
    }
}

/// A project may stand below the folder that is opened.
#[test]
fn projects_below_the_workspace_are_looked_at() {
    let files = [("README.md", "x\n"), ("pkg/behavior.yaml", "profil: dev\n")];
    let project = Project::new(&files);
    project.make_repository();
    let told = served(&project, "README.md");
    let found: Vec<_> = told.iter().map(|(file, kind, ..)| (&**file, &**kind)).collect();
    assert_eq!(found, [("pkg/behavior.yaml", "unknown-field")]);
}

/// What an editor says of a file that is open, `check` without arguments says, too, wherever the file lies.
#[test]
fn check_says_what_is_said_of_an_open_file() {
    const TEST: &str = "tests:\n  - name: a\n    evnts: [bash: ]\n";
    const CONFIG: (&str, &str) = ("behavior.yaml", "profile: dev\n");
    const PROJECTS: &[(&[(&str, &str)], &str)] = &[
        (&[CONFIG, ("tests/a.test.yaml", TEST)], "tests/a.test.yaml"),
        (&[("a.test.yaml", TEST)], "a.test.yaml"),
        (&[("behavior/team.yaml", "name: team\nextend: dev\n")], "behavior/team.yaml"),
        (&[("behavior/x.policy.yaml", "rules: [{ kind: no_cal }]\n")], "behavior/x.policy.yaml"),
        (&[CONFIG, ("app.yaml", "security: { behavior: { profil: dev } }\n")], "app.yaml"),
        (&[CONFIG, ("app.yaml", "behavior: { profil: dev }\n")], "app.yaml"),
        (&[CONFIG, ("sub/behavior.yaml", "profil: dev\n")], "sub/behavior.yaml"),
        (
            &[CONFIG, ("behavior/policy.yaml", "rules: [{ name: a, action: deny }]\n")],
            "behavior/policy.yaml",
        ),
    ];
    for (files, open) in PROJECTS {
        let project = Project::new(files);
        project.make_repository();
        let expected = checked(&project);
        assert!(expected.iter().any(|(file, ..)| file == open), "{files:#?}: {expected:?}");
        assert_eq!(served(&project, open), expected, "{files:#?} with `{open}` open");
    }
    let project = Project::new(&[("behavior/policy.yaml", "rules: [{ name: a, action: deny }]\n")]);
    let run = project.run("check");
    assert!(run.out.contains("policies are TOML: write a table `[[rules]]`"), "{run:?}");
}
