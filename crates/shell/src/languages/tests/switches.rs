//! Switches that are on or off, and functions that are given them.

use super::{Language, lines};
use crate::languages::WORDS;

/// Whether code with words behind it deletes something.
fn deletes(language: Language, code: &str, words: &str) -> bool {
    let own: &[&str] = if language == Language::JavaScript { &["node", "x"] } else { &["x"] };
    let words = own.iter().copied().chain(words.split_whitespace());
    let words: String = words.flat_map(|word| [word, "\0"]).collect();
    !lines(language, code, &[(WORDS, &words)]).is_empty()
}

#[track_caller]
fn python(code: &str, words: &str, expect: bool) {
    assert_eq!(deletes(Language::Python, code, words), expect, "{words}: {code}");
}

#[track_caller]
fn javascript(code: &str, words: &str, expect: bool) {
    assert_eq!(deletes(Language::JavaScript, code, words), expect, "{words}: {code}");
}

/// A switch that some statements declare, and what is deleted where it is off.
fn switch(usual: &str, behind: &str) -> String {
    format!(
        "p.add_argument('--dry-run', action=argparse.BooleanOptionalAction{usual})\na = p.parse_args()\n{behind}\
         if a.dry_run:\n  sys.exit()\nshutil.rmtree('src')\n"
    )
}

#[test]
fn what_puts_a_switch_off_counts_where_it_comes_last() {
    let on = switch(", default=True", "");
    for (words, expect) in [
        ("", false),
        ("--no-dry-run", true),
        ("--no-dry", true),
        ("--dry-run --no-dry-run", true),
        ("--no-dry-run --dry-run", false),
        ("-- --dry-run", true),
    ] {
        python(&on, words, expect);
    }
    python(&switch("", ""), "", true);
    python(&switch("", ""), "--dry-run", false);
    python(&switch(", default=DRY", ""), "", true);
    python(&switch(", default=True", "a.dry_run = False\n"), "", true);
    python(
        &switch(", default=True", "").replace("a = ", "p.set_defaults(dry_run=False)\na = "),
        "",
        true,
    );
    let click = |usual: &str, behind: &str| {
        format!(
            "@click.command()\n@click.option('--dry-run/--no-dry-run', default={usual})\ndef main(dry_run):\n\
             {behind}  if dry_run:\n    return\n  shutil.rmtree('src')\nmain()\n"
        )
    };
    python(&click("True", ""), "", false);
    python(&click("True", ""), "--no-dry-run", true);
    python(&click("False", ""), "", true);
    python(&click("lambda: False", ""), "", true);
    python(&click("True", "  dry_run = False\n"), "", true);
    python(
        &format!("import click\n{}", click("True", "").replace("main()", "main(['--no-dry-run'])")),
        "",
        true,
    );
    let typer = |usual: &str| {
        format!(
            "import typer\ndef main(dry_run: bool = {usual}):\n  if dry_run:\n    return\n  shutil.rmtree('src')\n\
             typer.run(main)\n"
        )
    };
    python(&typer("True"), "", false);
    python(&typer("True"), "--no-dry-run", true);
    python(&typer("typer.Option(False, '--dry-run/--go')"), "--go", true);
    python(&typer("typer.Option(False, '--dry-run/--go')"), "--dry-run", false);
}

#[test]
fn what_functions_are_given_everywhere_counts() {
    let code = |parameter: &str, first: &str, calls: &str| {
        format!(
            "def clean(path, {parameter}):\n{first}  if dry:\n    return\n  shutil.rmtree('src')\n{calls}\n"
        )
    };
    python(&code("dry", "", "clean('a', True)"), "", false);
    python(&code("dry", "", "clean('a', dry='-n' in sys.argv)"), "-n", false);
    python(&code("dry=True", "", "clean('a')"), "", false);
    for (parameter, first, calls) in [
        ("dry", "", "clean('a', '-n' in sys.argv)"),
        ("dry=False", "", "clean('a')"),
        ("dry", "", "clean('a', True)\nclean('b', False)"),
        ("dry", "", "clean('a', True)\nlist(map(clean, b, c))"),
        ("dry", "", "clean('a', True)\nglobals()['clean']('b', False)"),
        ("dry", "", "clean('a', True)\nc = clean\nc('b', False)"),
        ("dry", "", "clean(*a)"),
        ("dry", "  dry = False\n", "clean('a', True)"),
        ("dry", "  x, dry = 1, False\n", "clean('a', True)"),
        ("dry", "  (x, dry) = (1, False)\n", "clean('a', True)"),
        ("dry", "  for x, dry in [(1, 0)]: pass\n", "clean('a', True)"),
        ("dry", "  if (dry := False): pass\n", "clean('a', True)"),
        ("dry", "  dry &= False\n", "clean('a', True)"),
        ("dry", "", "def other(dry):\n  clean('a', dry)\nclean('a', True)\nother(False)"),
    ] {
        python(&code(parameter, first, calls), "", true);
    }
    for decorated in ["@off\n", "@off(\n1,\n)\n"] {
        python(&format!("{decorated}{}", code("dry", "", "clean('a', True)")), "", true);
    }
    let code = |first: &str, calls: &str| {
        format!(
            "function clean(d, dry) {{ {first} if (dry) {{ return; }} fs.rmSync('src', {{ recursive: true }}); }}\n{calls}\n"
        )
    };
    javascript(&code("", "clean('a', true);"), "", false);
    javascript(&code("", "clean('a', process.argv.includes('-n'));"), "-n", false);
    for (first, calls) in [
        ("", "clean('a', process.argv.includes('-n'));"),
        ("", "clean('a', true); clean('a', false);"),
        ("", "clean('a', true); clean.call(null, 'a', false);"),
        ("", "clean('a', true); ['a'].forEach(clean);"),
        ("", "clean(...a);"),
        ("dry = false;", "clean('a', true);"),
        ("use(dry = false);", "clean('a', true);"),
        ("[dry] = [false];", "clean('a', true);"),
        ("({ dry } = { dry: false });", "clean('a', true);"),
        ("dry &&= false;", "clean('a', true);"),
    ] {
        javascript(&code(first, calls), "", true);
    }
    // Functions that pass on what they are given to each other.
    let many: String = (0..12)
        .map(|at| format!("def f{at}(p{at}):\n  {}\n", format!("f{}(p{at});", at + 1).repeat(16)))
        .collect();
    python(
        &format!("{many}def f12(dry):\n  if dry: return\n  shutil.rmtree('src')\nf0(True)\n"),
        "",
        true,
    );
}

#[test]
fn sets_and_parsed_options_of_javascript_are_words() {
    let code = |set: &str| {
        format!(
            "{set}\nif (a.has('-n')) {{ process.exit(0); }}\nfs.rmSync('src', {{ recursive: true }});\n"
        )
    };
    javascript(&code("const a = new Set(process.argv.slice(2));"), "-n", false);
    javascript(&code("const a = new Set(process.argv.slice(2));"), "", true);
    javascript(&code("const a = new Set(process.argv.slice(2));\na.delete('-n');"), "-n", true);
    javascript(&code("const a = new Map(process.argv.slice(2));"), "-n", true);
    let code = |given: &str, option: &str, behind: &str| {
        format!(
            "const {{ values }} = parseArgs({{ {given}options: {{ 'dry-run': {{ type: 'boolean'{option} }} }} }});\n\
             {behind}if (values['dry-run']) {{ process.exit(0); }}\nfs.rmSync('src', {{ recursive: true }});\n"
        )
    };
    javascript(&code("", "", ""), "--dry-run", false);
    javascript(&code("args: process.argv.slice(2), ", "", ""), "--dry-run", false);
    javascript(&code("allowNegative: true, ", ", default: true", ""), "", false);
    for (given, option, behind, words) in [
        ("", "", "", ""),
        ("args: [], ", "", "", "--dry-run"),
        ("allowNegative: true, ", ", default: true", "", "--no-dry-run"),
        ("", "", "values['dry-run'] = false;\n", "--dry-run"),
        ("", "", "delete values['dry-run'];\n", "--dry-run"),
    ] {
        javascript(&code(given, option, behind), words, true);
    }
}
