//! What code is given from outside, or else says itself: options, words, variables of the environment, parameters.

use super::{Language, lines};
use crate::languages::{WORDS, environment_key};

#[track_caller]
fn check(language: Language, code: &str, words: Option<&[&str]>, expect: &[&str]) {
    let words: Option<String> =
        words.map(|words| ["x"].iter().chain(words).flat_map(|word| [*word, "\0"]).collect());
    let home = environment_key("HOME");
    let mut given = vec![(home.as_str(), "~")];
    given.extend(words.as_deref().map(|words| (WORDS, words)));
    let found = lines(language, code, &given).into_iter();
    let found: Vec<String> = found.map(|line| line.text.replace('\u{FDD0}', "…")).collect();
    assert_eq!(found, expect, "{code}");
}

const SRC: &[&str] = &["rm -rf -- 'src'"];
const OUT: &[&str] = &["rm -rf -- 'out'"];
const ANY: &[&str] = &["rm -rf -- \"…\""];
const EITHER: &[&str] = &["rm -rf -- 'src'", "rm -rf -- \"…\""];

#[test]
fn options_are_what_the_words_say_or_the_code() {
    let python = |words, expect| {
        let code = "p.add_argument('--root', '-r', default='src')\na = p.parse_args()\n\
                    shutil.rmtree(a.root)";
        check(Language::Python, code, words, expect);
    };
    python(Some(&[]), SRC);
    python(Some(&["--root", "out"]), OUT);
    python(Some(&["-v", "--root=out"]), OUT);
    python(Some(&["-rout"]), OUT);
    python(Some(&["\u{FDD0}"]), EITHER);
    python(None, EITHER);
    let python = |words, expect| {
        let code = "p.add_argument('--root', default='src')\nshutil.rmtree(p.parse_args().root)";
        check(Language::Python, code, words, expect);
    };
    python(Some(&[]), SRC);
    python(Some(&["--root", "out"]), OUT);
    let python = |code, words, expect| check(Language::Python, code, words, expect);
    let code = "p.add_argument('-n', '--name')\np.add_argument('top', nargs='?', default='src')\n\
                def main(args):\n  shutil.rmtree(args.top)\nmain(p.parse_args())";
    python(code, Some(&["-n", "a"]), SRC);
    python(code, Some(&["-n", "a", "out"]), OUT);
    let code =
        "@click.option('--root', default='src')\ndef main(root):\n  shutil.rmtree(root)\nmain()";
    python(code, Some(&[]), SRC);
    python(code, Some(&["--root", "out"]), OUT);
    python("p.add_argument('--a')\nshutil.rmtree(args.a)", Some(&[]), ANY);
    python(
        "p.add_argument('--a', action='store_true')\nshutil.rmtree(args.a)",
        Some(&["--a", "src"]),
        ANY,
    );
    // What options are made of each other ends.
    let code = "p.add_argument('--a', default=Path(args.a, args.a))\nshutil.rmtree(args.a)";
    python(code, Some(&[]), &["rm -rf -- \"…/…\""]);
}

#[test]
fn words_and_variables_may_be_missing() {
    let python = |code, words, expect| check(Language::Python, code, words, expect);
    let code = "root = sys.argv[1] if len(sys.argv) > 1 else 'src'\nshutil.rmtree(root)";
    python(code, Some(&[]), SRC);
    python(code, Some(&["out"]), &["rm -rf -- \"${1}\""]);
    python(code, None, &["rm -rf -- 'src'", "rm -rf -- \"${1}\""]);
    python("shutil.rmtree(sys.argv[1])", Some(&[]), ANY);
    python("shutil.rmtree(os.environ.get('A', 'src'))", Some(&[]), SRC);
    python("shutil.rmtree(os.getenv('A') or 'src')", Some(&[]), SRC);
    python("shutil.rmtree(os.environ.get('HOME', 'src'))", Some(&[]), &["rm -rf -- ~"]);
    python("shutil.rmtree('src' if x else 'out')", Some(&[]), &["rm -rf -- \"src…\""]);
    python("subprocess.run(['rm', '-rf', os.getenv('A', 'src')])", None, &["'rm' '-rf' 'src'"]);
    let javascript = |code, words, expect| check(Language::JavaScript, code, words, expect);
    let code = "const root = process.argv[2] ?? 'src';\nfs.rmSync(root, { recursive: true })";
    javascript(code, Some(&["x.js"]), SRC);
    javascript(code, Some(&["x.js", "out"]), &["rm -rf -- \"${2}\""]);
    javascript("fs.rmSync(process.env.A || 'src', { recursive: true })", None, SRC);
    let code = "const r = process.argv.length > 2 ? process.argv[2] : 'src';\nfs.rmSync(r, { recursive: true })";
    javascript(code, Some(&["x.js"]), SRC);
    check(Language::Ruby, "FileUtils.rm_rf(ARGV[0] || 'src')", Some(&[]), SRC);
}

#[test]
fn parameters_are_what_the_function_says_unless_told() {
    let python = |code, expect| check(Language::Python, code, Some(&[]), expect);
    python("def f(a='src'):\n  shutil.rmtree(a)\nf()", SRC);
    python("def f(a='src'):\n  shutil.rmtree(a)\nf('out')", OUT);
    python("def f(a='src', b=1):\n  shutil.rmtree(a)\nf(b=2)", SRC);
    python("def f(a: str = 'src'):\n  shutil.rmtree(a)\ntyper.run(f)", SRC);
    let code = "function f(a = 'src') { fs.rmSync(a, { recursive: true }) }\nf();";
    check(Language::JavaScript, code, Some(&[]), SRC);
}

#[test]
fn hostile_code_is_read_in_bounded_time() {
    let long =
        |before: &str, part: &str, behind: &str| format!("{before}{}{behind}", part.repeat(4_000));
    let texts = [
        long("x = a", " or a", ""),
        long("x = ", "(a if b else ", "c"),
        long("shutil.rmtree(", "os.environ.get('A', ", "'src'"),
        long("", "p.add_argument('--a', default=args.a)\n", "shutil.rmtree(args.a)"),
        long(
            "",
            "shutil.rmtree(args.a)\n",
            "p.add_argument('--a', default=[args.a, args.a, args.a])",
        ),
        long("", "def f(a=f(a=f()), b=args.a):\n  shutil.rmtree(a)\n", "f()"),
        long("", "exec(f.read())\n", ""),
        long("", "with open(a) as f: exec(f.read())\n", ""),
    ];
    let begin = std::time::Instant::now();
    for text in &texts {
        lines(Language::Python, text, &[(WORDS, "x\0")]);
    }
    for text in
        [long("x = a", " ?? a", ""), long("x = ", "(a ? b : ", "c"), long("x = ", "a ? ", "")]
    {
        lines(Language::JavaScript, &text, &[(WORDS, "x\0")]);
    }
    assert!(begin.elapsed().as_secs() < 30, "{:?}", begin.elapsed());
}
