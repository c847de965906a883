//! `behavior fmt` as its users see it: what is written, what is only said, and what is left alone.

use std::io::Write;
use std::process::Stdio;

use crate::common::{Project, Run};

const ROUGH: &str = "profile:   dev\nrule_definitions:\n-   id:  a   # why\n    trigger: [edit,write]\n    message: m\n";
const NEAT: &str = "profile: dev\nrule_definitions:\n  - id: a  # why\n    trigger: [edit, write]\n    message: m\n";

fn given(project: &Project, line: &str, input: &[u8]) -> Run {
    let mut command = project.command(line);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    Run::from(child.wait_with_output().unwrap())
}

#[test]
fn files_are_written_once() {
    let project = Project::new(&[("behavior.yaml", ROUGH)]);
    let run = project.run("fmt");
    assert_eq!((run.code, &*run.out, &*run.err), (0, "", "laid out 1 file\n"));
    assert_eq!(project.read("behavior.yaml"), NEAT.as_bytes());
    let run = project.run("fmt");
    assert_eq!((run.code, &*run.err), (0, "1 file laid out already\n"));
}

#[test]
fn check_and_diff_write_nothing() {
    let project =
        Project::new(&[("behavior.yaml", ROUGH), ("behavior/policy.toml", "mode = \"ask\"\n")]);
    let run = project.run("fmt --check");
    assert_eq!((run.code, &*run.out), (1, "behavior.yaml\n"), "{run:?}");
    let run = project.run("fmt --diff behavior.yaml");
    assert_eq!(run.code, 1);
    assert!(
        run.out.contains("-profile:   dev\n") && run.out.contains("+profile: dev\n"),
        "{run:?}"
    );
    assert_eq!(project.read("behavior.yaml"), ROUGH.as_bytes());
    project.run("fmt");
    assert_eq!(project.run("fmt --check").code, 0);
    assert_eq!(project.run("fmt --diff").out, "");
}

#[test]
fn what_does_not_parse_is_left_alone_and_the_rest_is_not() {
    let broken = "rule_definitions: [\n";
    let project = Project::new(&[("behavior.yaml", ROUGH), ("broken.yaml", broken)]);
    let run = project.run("fmt broken.yaml behavior.yaml");
    assert_eq!(run.code, 2, "{run:?}");
    assert!(run.err.contains("`broken.yaml` is left alone: it does not parse"), "{run:?}");
    assert!(run.err.contains("the `[` that opens here is not closed"), "{run:?}");
    assert_eq!(project.read("broken.yaml"), broken.as_bytes());
    assert_eq!(project.read("behavior.yaml"), NEAT.as_bytes());
    let odd = "? a\n: b\n";
    project.write("odd.yaml", odd.as_bytes());
    assert_eq!(project.run("fmt odd.yaml").code, 2);
    assert_eq!(project.read("odd.yaml"), odd.as_bytes());
}

#[test]
fn standard_input_goes_to_standard_output() {
    let project = Project::new(&[]);
    let run = given(&project, "fmt -", ROUGH.as_bytes());
    assert_eq!((run.code, &*run.out), (0, NEAT));
    let run = given(&project, "fmt - --stdin-filename behavior/policy.toml", b"mode=\"ask\"\n");
    assert_eq!((run.code, &*run.out), (0, "mode = \"ask\"\n"));
    let run = given(&project, "fmt - --stdin-filename a.json", b"{\"a\":1}");
    assert_eq!((run.code, &*run.out), (0, "{\n  \"a\": 1\n}\n"));
    assert_eq!(given(&project, "fmt --check -", ROUGH.as_bytes()).code, 1);
    assert_eq!(given(&project, "fmt --check -", NEAT.as_bytes()).code, 0);
    let run = given(&project, "fmt -", b"a: [");
    assert_eq!((run.code, &*run.out), (2, ""));
    assert_eq!(given(&project, "fmt -", b"a: \xff\xfe").code, 2);
}

#[test]
fn line_breaks_marks_and_permissions_stay() {
    let windows = format!("\u{FEFF}{}", ROUGH.replace('\n', "\r\n"));
    let project = Project::new(&[("behavior.yaml", &windows)]);
    assert_eq!(project.run("fmt").code, 0);
    let expect = format!("\u{FEFF}{}", NEAT.replace('\n', "\r\n"));
    assert_eq!(project.read("behavior.yaml"), expect.as_bytes());
}

#[test]
fn directories_stand_for_their_rule_files() {
    let project = Project::new(&[
        ("behavior.yaml", "profile: team\n"),
        ("behavior/team.yaml", "name:   team\nextends: dev\n"),
        ("behavior/policy.toml", "mode=\"ask\"\n"),
        ("behavior/calls.policy.yaml", "rules:   []\n"),
        (
            "behavior.test.yaml",
            "tests:\n- events:  [edit: {file_path: a}]\n  expect: [{at: 0, rules: []}]\n",
        ),
        ("other.yaml", "not:   ours\n"),
    ]);
    let run = project.run("fmt --check .");
    let mut names: Vec<&str> = run.out.lines().collect();
    names.sort_unstable();
    let expect = [
        "behavior.test.yaml",
        "behavior/calls.policy.yaml",
        "behavior/policy.toml",
        "behavior/team.yaml",
    ];
    assert_eq!(names, expect, "{run:?}");
    let run = Project::new(&[]).run("fmt");
    assert_eq!(run.code, 2, "{run:?}");
}

/// Other programs have files that are called as ours are; a hook that runs before each commit names them.
#[test]
fn files_of_other_programs_are_left_alone_also_where_they_are_named() {
    let app = "apiVersion:   v1\nmetadata: {name: x}\n";
    let project = Project::new(&[
        ("behavior.yaml", ROUGH),
        ("k8s/app.yaml", app),
        ("user.test.json", "{\"tests\":[{\"input\":1}]}\n"),
        ("chart.test.yaml", "tests:\n- it:  works\n  asserts: []\n"),
        ("charts/templates/workflows/ci.yaml", "on:   push\n"),
    ]);
    let run = project.run(
        "fmt k8s/app.yaml user.test.json chart.test.yaml charts/templates/workflows/ci.yaml behavior.yaml",
    );
    assert_eq!(run.code, 0, "{run:?}");
    assert!(run.err.contains("`k8s/app.yaml` is left alone: "), "{run:?}");
    assert!(run.err.contains("begin it with `# behavior: app`\n"), "{run:?}");
    assert!(run.err.ends_with("laid out 1 file, 4 files left alone\n"), "{run:?}");
    assert_eq!(project.read("k8s/app.yaml"), app.as_bytes());
    assert_eq!(project.read("chart.test.yaml"), b"tests:\n- it:  works\n  asserts: []\n");
    let run = given(&project, "fmt - --stdin-filename k8s/app.yaml", app.as_bytes());
    assert_eq!((run.code, &*run.out), (0, app), "{run:?}");
    // What says that it is ours is laid out, and so is what can be nothing else.
    project.write("k8s/app.yaml", b"# behavior: app\nsecurity:   { behavior: {} }\n");
    assert_eq!(project.run("fmt --check k8s/app.yaml").code, 1);
    project.write("behavior/strict.yaml", app.as_bytes());
    assert_eq!(project.run("fmt --check behavior/strict.yaml").code, 1);
}
