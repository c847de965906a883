//! Each construct with its exact range, and the promises of [`Pattern`] on many texts.

use behavior_image::pieces::Traits;
use regex_automata::Input;
use regex_automata::dfa::{Automaton, sparse};
use regex_automata::nfa::thompson::pikevm::PikeVM;

use super::*;

fn budget() -> Budget {
    Budget::for_program(1)
}

fn compiled(source: &str) -> Pattern {
    match compile(source, &mut budget()) {
        Ok((pattern, _)) => pattern,
        Err(problems) => panic!("{source}: {problems:#?}"),
    }
}

/// A pattern with everything that can run it.
struct Matcher {
    pattern: Pattern,
    machine: PikeVM,
    automaton: Option<sparse::DFA<Vec<u8>>>,
}

impl Matcher {
    fn new(pattern: Pattern) -> Self {
        let machine = PikeVM::new(&pattern.regex).unwrap();
        let automaton =
            pattern.dfa.as_ref().map(|bytes| sparse::DFA::from_bytes(bytes).unwrap().0.to_owned());
        Self { pattern, machine, automaton }
    }

    /// Matches with every form that the pattern has; they must agree.
    fn matches(&self, text: &str) -> bool {
        let source = &self.pattern.source;
        let found = self.machine.is_match(&mut self.machine.create_cache(), text);
        if let Some(automaton) = &self.automaton {
            let end = automaton.try_search_fwd(&Input::new(text).earliest(true)).unwrap();
            assert_eq!(end.is_some(), found, "the automaton of {source} on {text:?}");
        }
        if let Some(literals) = &self.pattern.literals {
            let folded = fold(text);
            let contained = literals.iter().any(|literal| folded.contains(&**literal));
            assert!(contained || !found, "{literals:?} of {source} miss {text:?}");
            if self.pattern.literals_suffice {
                assert_eq!(contained, found, "{literals:?} of {source} on {text:?}");
            }
        }
        if self.pattern.is_glob {
            let direct = behavior_image::glob::matches(source, text);
            assert_eq!(direct, found, "{source} as it is written on {text:?}");
        }
        if let Some(Plain::Pieces(pieces)) = &self.pattern.plain {
            assert_eq!(has_pieces(pieces, text), found, "{pieces:?} of {source} on {text:?}");
        }
        found
    }
}

/// Whether a text has the pieces, by the simplest means.
fn has_pieces(pieces: &Pieces, text: &str) -> bool {
    let has = |bit: u32| pieces.traits & bit != 0;
    let texts: Vec<String> = pieces.texts.iter().map(|text| regex_syntax::escape(text)).collect();
    let gap = if has(Traits::LINE) { ".*" } else { "(?s:.*)" };
    let fold = if has(Traits::FOLDS) { "(?i)" } else { "" };
    let start = if has(Traits::STARTS) { r"\A" } else { "" };
    let end = if has(Traits::ENDS) { r"\z" } else { "" };
    let machine = PikeVM::new(&format!("{fold}{start}{}{end}", texts.join(gap))).unwrap();
    machine.is_match(&mut machine.create_cache(), text)
}

#[track_caller]
fn check_matcher(pattern: Pattern, holds: &[&str], fails: &[&str]) {
    let matcher = Matcher::new(pattern);
    let Pattern { source, regex, .. } = &matcher.pattern;
    for text in holds {
        assert!(matcher.matches(text), "{source} ({regex}) should match {text:?}");
    }
    for text in fails {
        assert!(!matcher.matches(text), "{source} ({regex}) should not match {text:?}");
    }
}

#[track_caller]
fn check(source: &str, holds: &[&str], fails: &[&str]) {
    check_matcher(compiled(source), holds, fails);
}

/// Each problem as `kind | the text it points at @start | rewrite`.
fn problems(source: &str) -> Vec<String> {
    let all = match compile(source, &mut Budget::none()) {
        Ok((_, warnings)) => warnings,
        Err(problems) => problems,
    };
    all.into_iter()
        .map(|problem| {
            let rewrite = problem.rewrite.map(|text| format!(" | {text}")).unwrap_or_default();
            let at = &source[problem.range.clone()];
            format!("{} | {at} @{}{rewrite}", problem.kind.name, problem.range.start)
        })
        .collect()
}

#[track_caller]
fn check_problems(source: &str, expected: &[&str]) {
    assert_eq!(problems(source), expected, "{source}");
}

#[track_caller]
fn check_help(source: &str, expected: &str) {
    let problems = compile(source, &mut Budget::none()).unwrap_err();
    let help = problems[0].help.clone().unwrap_or_default();
    assert!(help.contains(expected), "{source}: {help}");
}

#[test]
fn python_spellings_of_the_same() {
    check("(?P<name>foo)bar", &["xFOObar"], &["foo bar"]);
    check("(?<name>foo)bar", &["xFOObar"], &["foo bar"]);
    check(r"foo\Z", &["a foo"], &["foo\n", "foo "]);
    check(r"foo\z", &["a foo"], &["foo\n"]);
    check(r"\Afoo", &["Foo bar"], &["a foo", "\nfoo"]);
    check("fo(?#a comment)+bar", &["fooobar", "fobar"], &["fbar"]);
    check("xa{,2}y", &["xy", "xay", "xaay"], &["xaaay"]);
    check("xa{,}y", &["xy", "xaaay"], &["xby"]);
    check("{a}{b", &["{a}{b"], &["ab"]);
    check("a{x}", &["a{x}"], &["ax"]);
    check("a{2", &["a{2"], &["aa"]);
    check("x{}", &["x{}"], &["x"]);
    check("[[a]x", &["[x", "Ax"], &["]x", "x"]);
    check("[]a]x", &["]x"], &["[x"]);
    check(r"[\b]", &["\u{8}"], &["a b"]);
    check(r"\0|\012|\101b", &["\0", "\n", "AB"], &["0", "012", "101b"]);
    check(r"[\101]x", &["ax"], &["1x"]);
    check(r"\x41\u00e9\U0001f600", &["aÉ\u{1f600}"], &["A"]);
    check(r"\<a\>", &["<a>"], &["a"]);
    check("[a&&b]x|[~~]y", &["&x", "bx", "~y"], &["x", "y"]);
    check("[+--]x", &["+x", ",x", "-x"], &["*x", ".x"]);
    check("[[:digit:]]", &["d]", ":]"], &["1", "d"]);
}

#[test]
fn dollar_holds_before_a_final_newline() {
    check("foo$", &["foo", "foo\n"], &["foo\n\n", "foo\nbar", "food"]);
    check("(?m)foo$", &["foo\nbar", "foo"], &["food"]);
    check("^$", &["", "\n"], &["a", "\n\n"]);
    check("^foo", &["foo"], &["a\nfoo"]);
    check("(?m)^foo", &["a\nfoo"], &["a foo"]);
}

#[test]
fn flags_hold_where_they_are_written() {
    check("a.b", &["axb"], &["a\nb"]);
    check("(?s)a.b", &["a\nb"], &[]);
    check("(?s:a.b)c.d", &["a\nbcxd"], &["a\nbc\nd"]);
    check("(?-i:Foo)bar", &["FooBAR"], &["foobar"]);
    check("x(?-i:K|(?i)y)z", &["XKZ", "xYZ"], &["xkz"]);
    check("(?-i:A)+b", &["AAB"], &["ab"]);
    check("(?x) a b # not this\n c\\ d [ ]", &["abc d "], &["abcd", "a b"]);
    check("(?ims-x:a.b$)", &["A\nB\nc"], &["ab"]);
    check("(?U)a+b", &["aab"], &["b"]);
}

#[test]
fn classes_are_ascii_unless_asked() {
    check(r"^\w$", &["a", "_", "7"], &["é", "\u{212a}", "\u{17f}"]);
    check(r"^\W$", &["é", "\u{212a}", " "], &["a"]);
    check(r"^[\w.]$", &[".", "K"], &["é", "\u{212a}"]);
    check(r"^[^\w]$", &["é", "\u{212a}"], &["k"]);
    check(r"^[\W\d]$", &["é", "5"], &["a"]);
    check(r"^[^\W\d]$", &["a"], &["é", "5", "-"]);
    check(r"^\d\s$", &["1 ", "1\u{b}"], &["٣ ", "1\u{a0}"]);
    check(r"^\D\S$", &["٣\u{a0}"], &["1x"]);
    check(r"caf\b", &["café"], &["cafe"]);
    check(r"^é\B", &["é"], &["éa"]);
    check(r"(?u)^\w\d\s$", &["é٣\u{a0}"], &["-1 "]);
    check(r"(?u)caf\b", &["caf é"], &["café"]);
    check(r"(?a)^\w$", &["a"], &["é"]);
    check(r"(?u:^\w)\w$", &["éa"], &["éé"]);
    check("é", &["É"], &["e"]);
    check(r"^\p{Greek}\PL$", &["λ1"], &["l1", "λλ"]);
}

#[test]
fn look_around_is_named_with_a_rewrite() {
    check_problems("foo(?!bar)", &["unsupported-pattern | (?!bar) @3"]);
    check_help("foo(?!bar)", "`not` of one with the pattern `foobar`");
    check_problems("^(?!.*secret)x", &["unsupported-pattern | (?!.*secret) @1"]);
    check_help("^(?!.*secret)x", "pattern `secret`");
    check_problems("foo(?=bar)", &["unsupported-pattern | (?=bar) @3 | bar"]);
    check_problems("foo(?=a|b)", &["unsupported-pattern | (?=a|b) @3 | (?:a|b)"]);
    check_problems("(?<=foo)bar", &["unsupported-pattern | (?<=foo) @0 | foo"]);
    check_problems("(?<!foo)bar", &["unsupported-pattern | (?<!foo) @0"]);
    check_help("(?<!foo)bar", "pattern `foobar`");
    check_problems(r"(?<!\w)bar", &[r"unsupported-pattern | (?<!\w) @0 | (?:^|\W)"]);
    check_problems("foo(?![a-z])", &[r"unsupported-pattern | (?![a-z]) @3 | (?:[^a-z]|\Z)"]);
    check_problems("foo(?![^a-z])", &[r"unsupported-pattern | (?![^a-z]) @3 | (?:[a-z]|\Z)"]);
    check_problems("a(?=b)c", &["unsupported-pattern | (?=b) @1"]);
    check_problems(
        "^(?=.*a)(?=.*b)",
        &["unsupported-pattern | (?=.*a) @1", "unsupported-pattern | (?=.*b) @8 | .*b"],
    );
    check_help("^(?=.*a)(?=.*b)", "join the two with `all`");
    check_problems(
        "x(?:a(?!b(?<=c))d)",
        &["unsupported-pattern | (?!b(?<=c)) @5", "unsupported-pattern | (?<=c) @9"],
    );
}

#[test]
fn rewrites_of_look_around_mean_the_same() {
    let rewritten = |source: &str| {
        let problem = compile(source, &mut Budget::none()).unwrap_err().remove(0);
        let mut text = source.to_owned();
        text.replace_range(problem.range, &problem.rewrite.unwrap());
        text
    };
    check(&rewritten(r"foo(?!\s)"), &["foo", "foox"], &["foo ", "foo\n"]);
    check(&rewritten(r"(?<![a-z])foo"), &["foo", "-foo"], &["xfoo"]);
    check(&rewritten("a(?=b|c)|d"), &["ab", "ac", "d"], &["a", "b"]);
}

#[test]
fn what_only_backtracking_engines_have() {
    check_problems(r"(a)\1x", &[r"unsupported-pattern | \1 @3"]);
    check_problems(r"(?P<q>a)(?P=q)x", &["unsupported-pattern | (?P=q) @8"]);
    check_problems(
        r"(?<q>a)\k<q>\g{q}x",
        &[r"unsupported-pattern | \k<q> @7", r"unsupported-pattern | \g{q} @12"],
    );
    check_problems("x(?>ab)", &["unsupported-pattern | (?>ab) @1 | (?:ab)"]);
    check_problems("(a)(?(1)b|c)", &["unsupported-pattern | (?(1)b|c) @3"]);
    check_problems(
        "xa++b*+c?+d{2}+",
        &[
            "unsupported-pattern | ++ @2 | +",
            "unsupported-pattern | *+ @5 | *",
            "unsupported-pattern | ?+ @8 | ?",
            "unsupported-pattern | {2}+ @11 | {2}",
        ],
    );
    check_problems(
        "x(?R)(?1)(?P>n)",
        &[
            "unsupported-pattern | (?R) @1",
            "unsupported-pattern | (?1) @5",
            "unsupported-pattern | (?P>n) @9",
        ],
    );
    check_problems("(?|a|b)", &["unsupported-pattern | (?|a|b) @0 | (?:a|b)"]);
    check_problems(r"\N{DASH}x", &[r"unsupported-pattern | \N{DASH} @0"]);
    check_problems(
        r"a\h\Kb\R\Qc",
        &[
            r"unsupported-pattern | \h @1 | [ \t]",
            r"unsupported-pattern | \K @3 | ",
            r"unsupported-pattern | \R @6 | (?:\r\n|[\n\r])",
            r"unsupported-pattern | \Q @8",
        ],
    );
}

#[test]
fn mistakes_have_exact_ranges() {
    check_problems("*foo", &["invalid-pattern | * @0 | .*"]);
    check_problems("a|?b", &["invalid-pattern | ? @2 | ."]);
    check_problems("é+(+a)", &[r"invalid-pattern | + @4 | \+"]);
    check_problems("^*a", &[r"invalid-pattern | * @1 | .*"]);
    check_problems("src/**/x", &["invalid-pattern | * @5 | "]);
    check_problems("a{2}{3}", &["invalid-pattern | {3} @4 | "]);
    check_problems("a{3,2}", &["invalid-pattern | {3,2} @1 | {2,3}"]);
    check_problems("a)b)", &[r"invalid-pattern | ) @1 | \)", r"invalid-pattern | ) @3 | \)"]);
    check_problems("a(b(?:c", &[r"invalid-pattern | ( @1 | \(", "invalid-pattern | (?: @3"]);
    check_problems("(a[bc", &[r"invalid-pattern | [ @2 | \["]);
    check_problems("[z-a]", &["invalid-pattern | z-a @1 | a-z"]);
    check_problems("[a--b]", &[r"invalid-pattern | a-- @1 | a\-\-"]);
    check_problems(r"[\w-z]", &[r"invalid-pattern | \w-z @1 | \w\-z"]);
    check_problems(r"a\", &[r"invalid-pattern | \ @1 | \\"]);
    check_problems(r"\y\_\é", &[r"invalid-pattern | \y @0 | y"]);
    check_problems(r"[\A\8]", &[r"invalid-pattern | \A @1 | A", r"invalid-pattern | \8 @3 | 8"]);
    check_problems(
        r"\x4g\u12\x{}",
        &[r"invalid-pattern | \x4 @0", r"invalid-pattern | \u12 @4", r"invalid-pattern | \x{} @8"],
    );
    check_problems(r"\ud800", &[r"invalid-pattern | \ud800 @0"]);
    check_problems(r"\400", &[r"invalid-pattern | \400 @0 | \u0100"]);
    check_problems(
        r"a\p{Nope}[\pY]",
        &[r"invalid-pattern | \p{Nope} @1", r"invalid-pattern | \pY @10"],
    );
    check_problems("(?z)a(?iq:b)", &["invalid-pattern | z @2", "invalid-pattern | q @8"]);
    check_problems("(?<1>a)", &["invalid-pattern | 1 @3"]);
    check_problems("(?P<n>a)(?P<n>b)", &["invalid-pattern | n @12"]);
    check_problems("(?P<n", &["invalid-pattern | (?P<n @0", "invalid-pattern | (?P<n @0"]);
    check_problems("a(?#b", &["invalid-pattern | (?#b @1"]);
    check_problems("(?'n'a)", &["invalid-pattern | (?' @0"]);
}

#[test]
fn every_problem_is_reported() {
    check_problems(
        r"*a(?!b)[z-a]\y(",
        &[
            "invalid-pattern | * @0 | .*",
            "unsupported-pattern | (?!b) @2",
            "invalid-pattern | z-a @8 | a-z",
            r"invalid-pattern | \y @12 | y",
            r"invalid-pattern | ( @14 | \(",
        ],
    );
}

#[test]
fn suspicious_patterns_compile_with_a_warning() {
    check_problems("[[:alpha:]_]", &["posix-class-in-pattern | [:alpha:] @1 | A-Za-z"]);
    check_problems("x[:space:]", &["posix-class-in-pattern | [:space:] @1 | [\\t-\\r ]"]);
    check_problems("[a&&b]", &["set-operation-in-pattern | && @2 | &"]);
    check_problems("echo $HOME", &[r"pattern-never-matches | $ @5 | \$"]);
    check_problems("a^b", &[r"pattern-never-matches | ^ @1 | \^"]);
    check_problems("(?m)a$b", &[]);
    check_problems("foo$|^bar(?:x?$)?", &[]);
    check_problems("foo||bar", &["pattern-matches-everything | foo||bar @0"]);
    check_problems("a*", &["pattern-matches-everything | a* @0"]);
    check_problems("", &["pattern-matches-everything |  @0"]);
    check_problems(".*", &[]);
    check_problems(r"\b", &[]);
}

#[test]
fn large_patterns_are_refused_at_what_grows() {
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")".repeat(depth));
    check_problems("(a{1000}){1000}", &["pattern-too-large | {1000} @9"]);
    check_problems("x{3}.{0,9000}", &["pattern-too-large | {0,9000} @5"]);
    check_problems("a{99999999999}", &["pattern-too-large | {99999999999} @1"]);
    check_problems(&nested(60), &[]);
    check_problems(&nested(61), &["pattern-too-large | ( @60"]);
    assert_eq!(problems(&"é".repeat(10_001)).len(), 1);
    check_problems(&"é".repeat(10_000), &[]);
    // The deepest nesting that is accepted must be one that a parser of the regex accepts too.
    let deepest = format!("{}a{}", "(x|b".repeat(60), "c)+".repeat(60));
    regex_syntax::parse(&compiled(&deepest).regex).unwrap();
}

#[test]
fn hostile_patterns_end_quickly() {
    for part in
        ["(", ")", "[", "[:", "{", "|", "(?=", "\\", "(?", "a{1", ".*", "(?i)", "x+(", "[a-"]
    {
        let source = part.repeat(9_999 / part.len());
        let _ = compile(&source, &mut budget());
        let _ = glob::compile(&source, &mut budget());
    }
}

#[test]
fn required_literals() {
    let literals = |source: &str| {
        let found = compiled(source).literals?;
        Some(found.iter().map(|text| text.to_string()).collect::<Vec<_>>().join(","))
    };
    let check = |source: &str, expected: &str| {
        assert_eq!(literals(source).unwrap_or_default(), expected, "{source}");
    };
    check("Plain Text", "plain text");
    check(r"rm\s+-rf", "-rf");
    check(r"(cat|head|tail)\s", "cat,head,tail");
    check(r"\bgit\s+push\b.*--force", "--force");
    check("colou?r", "color,colour");
    check("fo+bar", "obar");
    check("(abc)+", "abc");
    check("(ab){2}", "abab");
    check("x*foo", "foo");
    check("foo|.*", "");
    check("[0-9]+", "");
    check("a", "a");
    check("a.b", "");
    check("café au lait", " au lait");
    check("[ck]at", "cat,kat");
    check("concat|cat", "cat");
    check(r"\.env$|\.env\.", ".env");
    check("(?-i:FOO)bar", "foobar");
    check("a{0}", "");
}

#[test]
fn plain_texts_need_no_automaton() {
    let plain = |source: &str| {
        let pattern = compiled(source);
        (pattern.exact_literal, pattern.literals_suffice, pattern.dfa.is_some())
    };
    assert_eq!(plain("rm -rf /"), (true, true, false));
    assert_eq!(plain(r"console\.log\("), (true, true, false));
    assert_eq!(plain("(?:foo)bar"), (true, true, false));
    assert_eq!(plain("foo|bar"), (false, true, false));
    assert_eq!(plain("(?-i:foo)"), (false, false, false));
    assert_eq!(plain("foo.*bar"), (false, false, false));
    assert_eq!(plain("foo$"), (false, false, true));
    assert_eq!(plain("café"), (false, false, true));
    assert_eq!(plain(r"(?u)\bfoo\b"), (false, false, false));
    check("K#s", &["k#S", "\u{212a}#\u{17f}"], &["k# s"]);
    check("foo.*s", &["FOO s", "x\nfoo\u{17f}", "foofoos"], &["foo\ns", "s foo"]);
    check("(?s)^foo.*s$", &["foo\nes\n", "foos"], &["foo", "xfoos"]);
    check("(?s)\\Afoo.*o\\z", &["foo\nO", "foooo"], &["foo", "fo", "xfooo"]);
}

#[test]
fn the_budget_ends() {
    let mut two = Budget::new(2, 1 << 20);
    let automata: Vec<bool> = [r"\ba\b", "plain", r"\bb\b", r"\bc\b"]
        .iter()
        .map(|source| compile(source, &mut two).unwrap().0.dfa.is_some())
        .collect();
    assert_eq!(automata, [true, false, true, false]);
    let mut small = Budget::new(100, 100);
    assert!(compile(r"\ba\b", &mut small).unwrap().0.dfa.is_some());
    assert!(compile(r"\bb\b", &mut small).unwrap().0.dfa.is_none());
}

/// Deterministic, good enough to mix parts.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    fn pick<'t>(&mut self, parts: &[&'t str]) -> &'t str {
        parts[self.below(parts.len())]
    }

    fn pattern(&mut self) -> String {
        const ATOMS: &[&str] = &[
            "a",
            "b",
            "k",
            "S",
            "ſ",
            "é",
            "foo",
            "Bar",
            ".",
            r"\w",
            r"\W",
            r"\s",
            r"\b",
            "[ab]",
            "[^ab]",
            "[sk]",
            "(?-i:Ab)",
            "^",
            "$",
            "(?:foo|ba)",
            "(a|b|)",
            r"\n",
            "-",
            "(?s:.)",
        ];
        const REPEATS: &[&str] = &["", "", "", "", "*", "+", "?", "{2}", "{,2}", "{1,3}", "{2,}"];
        let mut pattern = String::new();
        for _ in 0..=self.below(5) {
            let atom = self.pick(ATOMS);
            pattern.push_str(atom);
            if !matches!(atom, "^" | "$" | r"\b") {
                pattern.push_str(self.pick(REPEATS));
            }
            match self.below(8) {
                0 => pattern.push('|'),
                1 => pattern = format!("({pattern}){}", self.pick(REPEATS)),
                _ => {}
            }
        }
        pattern
    }

    fn text(&mut self) -> String {
        const PARTS: &[&str] = &[
            "a", "b", "A", "k", "K", "\u{212a}", "s", "ſ", "é", "foo", "BAR", "ba", " ", "\n", "-",
            "_", "ab", "Ab",
        ];
        (0..self.below(8)).map(|_| self.pick(PARTS)).collect()
    }
}

#[test]
fn automaton_regex_and_literals_agree_on_random_patterns() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let (mut found, mut with_literals) = (0, 0);
    for _ in 0..600 {
        let matcher = Matcher::new(compiled(&random.pattern()));
        with_literals += usize::from(matcher.pattern.literals.is_some());
        for _ in 0..40 {
            found += usize::from(matcher.matches(&random.text()));
        }
    }
    // The test would prove nothing if these were rare.
    assert!(found > 3_000 && with_literals > 150, "{found} matches, {with_literals} with literals");
}

mod globs {
    use super::*;

    #[track_caller]
    fn check(source: &str, holds: &[&str], fails: &[&str]) {
        check_matcher(glob::compile(source, &mut budget()).unwrap(), holds, fails);
    }

    #[track_caller]
    fn check_problems(source: &str, expected: &[&str]) {
        let problems = glob::compile(source, &mut budget()).unwrap_err();
        let shown: Vec<String> = problems
            .into_iter()
            .map(|problem| {
                let rewrite = problem.rewrite.map(|text| format!(" | {text}")).unwrap_or_default();
                format!("{} @{}{rewrite}", &source[problem.range.clone()], problem.range.start)
            })
            .collect();
        assert_eq!(shown, expected, "{source}");
    }

    #[test]
    fn where_a_glob_starts_and_ends() {
        check("*.md", &["a.md", "x/y/a.md", "/x/.md"], &["a.mdx", "a.MD", "a.md/b"]);
        check("src/*.rs", &["src/a.rs", "/p/src/a.rs"], &["src/x/a.rs", "xsrc/a.rs"]);
        check("./src/*.rs", &["src/a.rs"], &["p/src/a.rs", "/p/src/a.rs"]);
        check("/etc/*", &["/etc/passwd"], &["x/etc/passwd", "/etc/ssh/x", "/etc/"]);
        check("node_modules/", &["node_modules/x", "a/node_modules/b/c"], &["node_modules"]);
        check(".env", &[".env", "a/.env"], &["a.env", ".env.local"]);
    }

    #[test]
    fn stars_and_components() {
        check("**", &["a", "a/b", ".x"], &[]);
        check("src/**", &["src/a", "src/a/b", "/p/src/a"], &["src", "src/"]);
        check("src/**/*.rs", &["src/a.rs", "src/x/y/a.rs"], &["src/a.rsx", "a.rs"]);
        check("**/test/*", &["test/a", "x/y/test/a"], &["mytest/a"]);
        check("/**/x", &["/x", "/a/b/x"], &["a/x"]);
        check("a*b?c", &["abxc", "axxbéc"], &["ab/c", "a/bxc"]);
        check("*", &["a", "b/a", "a\nb"], &["a/"]);
    }

    #[test]
    fn sets_braces_and_escapes() {
        check("[a-c]x[!a-c]", &["bxd"], &["dxd", "bxb", "bx/"]);
        check("x[^a]y", &["xby"], &["xay", "x/y"]);
        check("x[]-]y[+-9]z", &["x]y0z", "x-y.z"], &["x]y/z"]);
        check("*.{ts,tsx}", &["a.ts", "b/a.tsx"], &["a.t", "a.ts,tsx"]);
        check("{src,tests/{a,b}}/*.rs", &["src/x.rs", "tests/b/x.rs"], &["tests/x.rs"]);
        check("{**/,}x", &["x", "a/x"], &["ax"]);
        check(r"\*\{a,b\}", &["*{a,b}"], &["xa"]);
        check("a,b", &["a,b"], &["a"]);
    }

    #[test]
    fn problems_at_the_exact_character() {
        check_problems("", &[" @0"]);
        check_problems("!*.md", &["! @0"]);
        check_problems("src/**.rs", &["** @4 | **/*"]);
        check_problems("src/a**/b", &["** @5 | *"]);
        check_problems("a/***/b", &["*** @2 | **"]);
        check_problems("a//b", &["/ @2 | "]);
        check_problems("é[ab", &[r"[ @2 | \["]);
        check_problems("a{b,{c", &[r"{ @4 | \{"]);
        check_problems("a}b", &[r"} @1 | \}"]);
        check_problems("x[z-a]", &["z-a @2"]);
        check_problems("x[/]", &["/ @2"]);
        check_problems("[[:alpha:]]", &["[:alpha:] @1 | A-Za-z"]);
        check_problems(r"a\", &[r"\ @1 | \\"]);
    }

    #[test]
    fn random_globs_mean_the_same_as_they_are_written() {
        const SIGNS: &[&str] =
            &["a", "b", "é", ".", "ab", "/", "/", "*", "*", "**/", "/**", "?", "a/*", ","];
        const PARTS: &[&str] = &["a", "b", "é", ".", "ab", "/", "/", "\n", "?", "*", "aab"];
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let rounds = std::env::var("ROUNDS").ok().and_then(|text| text.parse().ok());
        let (mut globs, mut found) = (0, 0);
        for round in 0..rounds.unwrap_or(4000) {
            let one = |random: &mut Random| -> String {
                (0..=random.below(5)).map(|_| random.pick(SIGNS)).collect()
            };
            let source = match round % 4 {
                0 => format!("{{{},{}}}", one(&mut random), one(&mut random)),
                1 => {
                    format!("{}{}", random.pick(&["./", "~/", "//", "/", "**/"]), one(&mut random))
                }
                _ => one(&mut random),
            };
            let Ok(pattern) = glob::compile(&source, &mut Budget::none()) else { continue };
            globs += usize::from(pattern.is_glob);
            let matcher = Matcher::new(pattern);
            for _ in 0..40 {
                let path: String = (0..random.below(9)).map(|_| random.pick(PARTS)).collect();
                found += usize::from(matcher.matches(&path));
            }
        }
        // The test would prove nothing if these were rare.
        assert!(rounds.is_some() || globs > 1000 && found > 3000, "{globs} globs, {found} matches");
    }

    #[test]
    fn literals_are_found_in_folded_paths() {
        let pattern = glob::compile("src/**/Cargo.toml", &mut budget()).unwrap();
        assert_eq!(pattern.literals.unwrap(), vec!["cargo.toml".into()]);
        assert!(!pattern.exact_literal);
    }
}

#[test]
fn slashes_of_other_languages_are_told() {
    let problems = |source| compile(source, &mut Budget::none()).unwrap().1;
    let problem = problems("/push/i").remove(0);
    assert_eq!(problem.rewrite.as_deref(), Some("push"));
    assert_eq!(problems(r"/git\s+push/gi").len(), 1);
    for path in ["/push/", "/usr/bin/g", "/etc/hosts", "a/b/i", "//i"] {
        assert!(problems(path).is_empty(), "{path}");
    }
}

#[test]
fn a_backspace_that_yaml_made_is_told() {
    let problem = compile("\u{8}git push", &mut Budget::none()).unwrap_err().remove(0);
    assert_eq!(problem.range, 0..1);
    assert!(problem.message.contains("backspace"), "{}", problem.message);
}
