//! Reading a command line and deciding on it takes time in proportion to its length, whatever is
//! written there: for each family of lines, four times the length takes about four times as long.
//!
//! Times are not the same everywhere, so this is run by hand:
//! `cargo test --release -p behavior-tests --test linear -- --ignored --nocapture`
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a panic is how a test fails"
)]

use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

use behavior_agents::native;
use behavior_runtime::{FactHost, Image, Session};
use behavior_shell::CommandLine;
use behavior_tests::samples::image_of;
use serde_json::json;

/// The shorter of the two lengths that are compared, in bytes, about.
const LENGTH: usize = 25_000;
/// How many times longer the other is.
const LONGER: usize = 4;
/// How many times longer it may take.
const MAX: f64 = 8.0;
/// What is quicker than this is linear enough.
const QUICK: Duration = Duration::from_millis(4);

/// A part again and again, between a head and a tail.
fn repeated(head: &str, part: &str, tail: &str, length: usize) -> String {
    format!("{head}{}{tail}", part.repeat(length / part.len()))
}

/// A text of half the length, and a part again and again behind it.
fn with_text(head: &str, letter: &str, between: &str, part: &str, tail: &str, n: usize) -> String {
    let text = letter.repeat(n / 2 / letter.len());
    format!("{head}{text}{between}{}{tail}", part.repeat(n / 2 / part.len()))
}

type Family = (&'static str, Box<dyn Fn(usize) -> String>);

fn families() -> Vec<Family> {
    let plain = [
        ("words", "echo ", "a ", ""),
        ("names of descriptors", "a <b; tee ", "/dev/stdin ", ""),
        ("descriptors and files", "", "a <b >/dev/stdin;", ""),
        ("modes of files", "chmod u+w ", "a ", ""),
        ("commands of tmux", "tmux a", " \\; b", ""),
        ("what is typed", "", "tmux send-keys a;", ""),
        ("variables for files", "", "export GIT_TRACE=/a;b;", ""),
        ("statuses that are handed on", "", "a|b;exit $?;", ""),
        ("patterns of git", "git rm ", "'*a' ", ""),
        ("patches", "patch <<x\n", "+++ a\n", "x\n"),
        ("commands", "", "a b;", ""),
        ("pipes", "a", "|a b", ""),
        ("cats", "echo a", "|cat", "|bash"),
        ("numbers in values", "", "a=b$$;rm -r $a;", ""),
        ("statements", "python3 -c 'c=sqlite3.connect(1)\n", "c.execute(\"drop table a\")\n", "'"),
        ("fields", "python3 -c '", "self.a=self.a\n", "'"),
        ("chains", "cargo run; echo 'Command::new(\"a\")", ".arg(\"a\")", "' > a.rs; cargo run"),
        ("patterns of Perl", "perl -ne '", "s/a/b/;", "'"),
        ("open patterns of Perl", "perl -ne '", "s{", "'"),
        ("commands of clients", "sqlite3 a '", ".read a\n", "'"),
        ("files from files", "", "cat < a > b; cat b > a; psql < b;", ""),
        ("background", "", "a&", ""),
        ("ands", "a", "&&a", ""),
        ("subshells", "", "(", ""),
        ("groups", "", "{ a; } | ", "a"),
        ("substitutions", "a", " $(b)", ""),
        ("nested substitutions", "a ", "$(b ", ""),
        ("nested echoes", "a ", "$(echo ", &")".repeat(40)),
        ("backticks", "a ", "`b` ", ""),
        ("open backticks", "a ", "`", ""),
        ("open quotes", "a ", "\"$(", ""),
        ("open parentheses", "", "((", ""),
        ("open arithmetic", "a ", "$((1 ", ""),
        ("arithmetic", "a ", "$((1)) ", ""),
        ("arithmetic that is none", "", "((a) )\n", ""),
        ("open braces", "a ", "{", ""),
        ("open and closed braces", "a ", "{a}", ""),
        ("open braces with commas", "a ", "{a,", ""),
        ("closed braces", "a ", "}", ""),
        ("brace words", "a ", "{a,b} ", ""),
        ("brace sequences", "a ", "{1..1}", ""),
        ("wide brace sequences", "a ", "{1..99}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ", ""),
        ("wide brace sequences in a list", "a=(", "{1..99}xxxxxxxxxxxxxxxxxxxxxxxxxxxxx ", ")"),
        ("here-documents", "a", " <<a", "\nb\na\n"),
        ("here-documents, each with a line", "", "a <<b\nc\nb\n", ""),
        ("here-documents without end", "", "a <<b\n", ""),
        ("assignments", "", "a=1 ", "b"),
        ("doubling", "a=x;", "a=$a$a;", ""),
        ("lists", "a=(", "b ", ")"),
        ("open lists", "", "a=(", ""),
        ("indexes", "", "a[1", ""),
        ("functions", "", "f() { a; };", ""),
        ("open functions", "", "f() { ", ""),
        ("functions that call themselves", "", "f() { f|f& };", ""),
        ("loops", "", "for x in a b; do c $x; done;", ""),
        ("loop words", "for x in ", "a ", "; do b; done"),
        ("cases", "", "case x in a) b;; esac;", ""),
        ("clauses", "case x in ", "a) b;; ", "esac"),
        ("clause patterns", "case x in ", "a|", "b) c;; esac"),
        ("tests", "", "[[ a = b ]]&&", "a"),
        ("test words", "[[ ", "a ", "]]"),
        ("redirections", "a", " >b", ""),
        ("input redirections", "", "{ a; } <b;", ""),
        ("globs", "a ", "@(b)", ""),
        ("open globs", "a ", "@(", ""),
        ("variables", "a ", "$b", ""),
        ("computed variables", "a ", "${b:-c}", ""),
        ("open computed variables", "a ", "${b:-", ""),
        ("comments", "", "# a\n", ""),
        ("blanks", "a", " ", "b"),
        ("lines", "a", "\n", "b"),
        ("continued lines", "a", " \\\n", "b"),
        ("keywords", "", "if ", ""),
        ("prefixes", "", "! ", "a"),
        ("times", "", "time ", "a"),
        ("sudo", "", "sudo ", "a"),
        ("eval", "", "eval ", "a"),
        ("xargs", "echo a b|", "xargs ", "a"),
        ("xargs with a sign", "echo ab|", "xargs -Ia ", "a"),
        ("xargs in a line", "", "echo a b|xargs c;", ""),
        ("find", "find", " -exec a \\;", ""),
        ("find in find", "", "find -exec ", ""),
        ("shells", "", "bash -c a;", ""),
        ("shells that read", "", "bash <a;", ""),
        ("flags", "rm ", "-r ", ""),
        ("clustered flags", "rm -", "r", " a"),
        ("unknown flags", "rm ", "$x ", ""),
        ("settings", "git ", "-c alias.a=!b ", "a"),
        ("remove", "", "rm a;", ""),
        ("evaluate", "", "eval $(curl a);", ""),
        ("shells that run what is fetched", "", "curl a|sh;", ""),
        ("clients", "", "psql -c 'select a';", ""),
        ("heaps into heaps", "{ ", "curl a;", " } | { sh; sh; }"),
        ("operands", "git push ", "a ", ""),
        ("printf", "a=$(printf '%s ' ", "b ", "); $a"),
    ];
    let mut all: Vec<Family> = Vec::new();
    for (name, head, part, tail) in plain {
        let (head, part, tail) = (head.to_owned(), part.to_owned(), tail.to_owned());
        all.push((name, Box::new(move |n| repeated(&head, &part, &tail, n))));
    }
    let with_texts = [
        ("a value in words", "a=", "x", ";b ", "$a ", ""),
        ("a value in a list", "a=", "x", ";b=(", "$a ", ")"),
        ("a value in a loop", "a=", "x", ";for b in ", "$a ", "; do c; done"),
        ("a value in redirections", "a=", "x", ";b ", ">$a ", ""),
        ("a value in assignments", "a=", "x", ";", "b=$a ", ""),
        ("a value in a test", "a=", "x", ";[[ ", "$a ", "]]"),
        ("a value in patterns", "a=", "x", ";case b in ", "$a|", "$a) ;; esac"),
        ("a value as a delimiter", "a=", "x", ";b ", "<<$a ", "\n"),
        ("a value of words", "a='", "x ", "';b ", "$a ", ""),
        ("a value of words in a list", "a='", "x ", "';b=(", "$a ", ")"),
        ("a value in shells", "a='#", "x", "';", "bash -c \"$a\";", ""),
        ("a text for a sign", "echo ", "x", "|xargs -Ia b ", "a", ""),
        ("a text for signs", "echo ", "x", "|xargs -Ia b ", "a ", ""),
        ("a text for many", "echo '#", "x", "'|{ ", "bash;", " }"),
        ("blanks for many", "echo '", " ", "'|{ ", "bash;", " }"),
        ("a text for clients", "echo '", "x", "'|{ ", "psql;", " }"),
        ("a document for clients", "{ ", "psql;", " } <<a\n", "x", "\na\n"),
        ("a document for shells", "{ ", "bash;", " } <<a\n", " ", "\na\n"),
        ("a text through cats", "echo ", "x", "", "|cat", "|bash"),
        ("a text for groups of cats", "echo ", "x", "|{ ", "cat;", " }|bash"),
        ("nothing for groups of cats", "echo|{ ", "cat;", " }|{ ", "cat;", "}|bash"),
        ("fetched for shells", "{ ", "curl a;", "}|{ ", "sh;", "}"),
        ("echoes", "a ", "$(echo x)", " ", "$(echo x;echo y)", ""),
        ("formats", "a $(printf '", "%s", "' ", "b ", ")"),
        ("substituted for evaluators", "eval ", "$(curl a)", ";", "eval a;", ""),
        ("words for xargs", "echo ", "x ", "|{ ", "xargs a;", "}"),
        ("SQL for clients", "echo '", "drop table a;", "' > a;", "psql < a;", ""),
        ("code for runners", "echo '", "os.remove(1);", "' > test_a.py;", "pytest;", ""),
        ("items for xargs", "echo ", "x ", "|{ ", "xargs -I{} a {};", "}"),
    ];
    for (name, head, letter, between, part, tail) in with_texts {
        let make = move |n| with_text(head, letter, between, part, tail, n);
        all.push((name, Box::new(make)));
    }
    all
}

fn least(mut run: impl FnMut()) -> Duration {
    let once = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..3).map(|_| once(&mut run)).min().unwrap()
}

fn reading(image: &Image, text: &str) -> Duration {
    let mut line = CommandLine::default();
    least(|| {
        let table = behavior_facts::commands::ProgramTable::of(image);
        line.read(text, table.as_ref().map(|table| table as _));
        black_box(line.commands().len());
    })
}

fn deciding(image: &Arc<Image>, text: &str) -> Duration {
    let event = json!({ "event": "tool_call", "tool": "bash", "params": { "command": text } });
    let event = event.to_string();
    let item = native::parse(&event, 1).unwrap().unwrap();
    least(|| {
        let mut session = Session::new(Arc::clone(image));
        black_box(session.apply(&item.event, &mut FactHost::default()));
    })
}

#[test]
#[ignore = "measures times"]
fn four_times_the_length_takes_four_times_as_long() {
    let config = "rules: { confirm_destructive: true, confirm_destructive_extended: true, \
                  opaque_command: true, no_bash_for_files: true, no_blind_exploration: true }\n";
    let image = Arc::new(image_of(config));
    let mut slow = Vec::new();
    for (name, make) in families() {
        let (short, long) = (make(LENGTH), make(LENGTH * LONGER));
        for (what, short, long) in [
            ("reading", reading(&image, &short), reading(&image, &long)),
            ("deciding", deciding(&image, &short), deciding(&image, &long)),
        ] {
            let ratio = long.as_secs_f64() / short.as_secs_f64();
            let is_slow = long > QUICK && ratio > MAX || long > QUICK * 50;
            let mark = if is_slow { "  <-- slow" } else { "" };
            println!("{name:<40} {what:<9} {short:>10.1?} {long:>10.1?} {ratio:>6.1}{mark}");
            slow.extend(is_slow.then(|| format!("{what} {name}")));
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}
