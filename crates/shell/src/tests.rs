//! What the grammar makes of command lines, without any knowledge of programs.

use super::{CommandLine, HOLE};

/// A line's commands, a line each: the words in brackets, then the redirections. `…` is a hole.
fn show(line: &CommandLine) -> String {
    let mut shown = String::new();
    for command in line.commands().iter().filter(|c| c.runs() || !c.redirects.is_empty()) {
        let mut parts = Vec::new();
        if let Some(opaque) = command.opaque {
            parts.push(format!("?{opaque:?}"));
        }
        for word in line.words(command) {
            parts.push(format!("[{}]", line.text(word)));
        }
        for redirect in line.redirects(command) {
            let target = line.target(redirect);
            let text = line.text(&target).trim_end();
            parts.push(format!("{}{text}", redirect.kind.name()));
        }
        shown += &parts.join(" ");
        shown.push('\n');
    }
    shown.replace(HOLE, "…")
}

#[track_caller]
fn check(text: &str, expect: &[&str]) {
    let mut line = CommandLine::default();
    line.read(text, None);
    let shown = show(&line).replace(crate::hole::MADE, "");
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines, expect, "{text}");
}

#[test]
fn lists_and_pipes() {
    check("ls -l", &["[ls] [-l]"]);
    check("a && b || c; d & e", &["[a]", "[b]", "[c]", "[d]", "[e]"]);
    check("a | b |& c", &["[a]", "[b]", "[c]"]);
    check("a\nb\r\nc # d\n", &["[a]", "[b]", "[c]"]);
    check("a \\\n  b", &["[a] [b]"]);
    check("! a; time b; time -p c; time", &["[a]", "[b]", "[c]"]);
    check("coproc W { a; }; coproc b c", &["[a]", "[b] [c]"]);
    check("(a; b) && { c; d; }", &["[a]", "[b]", "[c]", "[d]"]);
}

#[test]
fn quoting() {
    check("'r'm \"-\"rf $'\\x2ftmp' a\\ b", &["[rm] [-rf] [/tmp] [a b]"]);
    check("echo \"a $x `b` $(c d) \\$e\"", &["[echo] [a … … … $e]", "[b]", "[c] [d]"]);
    check("echo 'rm -rf /' \"; rm x\"", &["[echo] [rm -rf /] [; rm x]"]);
    check("''", &["[]"]);
    check("$\"a b\"", &["[a b]"]);
    check("r\\m x", &["[rm] [x]"]);
}

#[test]
fn expansion() {
    check("x=rm; $x -rf y", &["[rm] [-rf] [y]"]);
    check("x='rm -rf'; $x y; \"$x\" y", &["[rm] [-rf] [y]", "[rm -rf] [y]"]);
    check("{rm,-rf,x}", &["[rm] [-rf] [x]"]);
    check("echo a{1..3}b{x,y} {z}", &["[echo] [a1bx] [a1by] [a2bx] [a2by] [a3bx] [a3by] [{z}]"]);
    check("rm${IFS}-rf${IFS}x", &["[rm] [-rf] [x]"]);
    check("$x y", &["?Program […] [y]"]);
    check("$HOME/bin/x $PWD/y", &["[~/bin/x] […/y]"]);
    check("$(echo rm) -rf `printf x`", &["[rm] [-rf] [x]", "[echo] [rm]", "[printf] [x]"]);
    check("x=a; if b; then x=c; fi; $x", &["[b]", "[a]", "[c]"]);
    check("export x=rm; $x y", &["[export] [x=rm]", "[rm] [y]"]);
    check("echo $((1 + $(a))) ${x:-$(b)}", &["[echo] […] […]", "[a]", "[b]"]);
    check("a=$(b) c", &["[c]", "[b]"]);
    check("/bin/r? x", &["?Program [/bin/r?] [x]"]);
}

#[test]
fn values_hold_where_they_are_set() {
    check("c=a; (c=b); $c", &["[a]"]);
    check("c=a; c=b x; $c", &["[x]", "?Program […]"]);
    check("c=a; c=b $c", &["[a]"]);
    check("c=a; c=b & $c", &["[a]"]);
    check("c=a; c=b | x; $c", &["[x]", "[a]"]);
    check("c=a; x | c=b; $c", &["[x]", "[a]", "[b]"]);
    check("c=a; x $(c=b); $c", &["[x]", "[a]"]);
    check("c=a; coproc c=b; $c", &["[a]"]);
    check("c=a; x && c=b; $c", &["[x]", "[a]", "[b]"]);
    check(
        "if x; then c=a; elif y; then c=b; else c=d; fi; \"$c\" z",
        &["[x]", "[y]", "[a] [z]", "[b] [z]", "[d] [z]"],
    );
    check("if x; then c=a; else c=eval; fi; $c z", &["[x]", "?Program […] [z]"]);
    check("if x; then c=a; else c=b; fi; . y; $c", &["[x]", "[.] [y]", "?Program […]"]);
    check(
        "for i in 1 2; do $c z; if x; then c=a; else c=b; fi; done",
        &["?Program […] [z]", "[x]", "?Program […] [z]", "[x]"],
    );
    check("c=a; x && c=b && $c", &["[x]", "[b]"]);
    check("x || c=b && $c", &["[x]", "?Program [b]"]);
    check("c=a; x || c=b && $c", &["[x]", "[a]", "[b]"]);
    check("if x; then c=a; else c=b; fi; $c", &["[x]", "[a]", "[b]"]);
    check("if x; then c=a; else $c; fi", &["[x]", "?Program [a]"]);
    check("f() { c=b; }; c=a; $c", &["?Program […]"]);
    check("f() { local c=b; $c; }; $c", &["[local] [c=b]", "[b]", "?Program […]"]);
    check("c=a; for i in 1 2; do x $c; c=b; done", &["[x] […]"]);
    check("c=a; for i in 1 2; do x $c; done; c=b", &["[x] [a]"]);
    check("c=a; eval x; $c", &["[eval] [x]", "?Program […]"]);
    check("c=a; . x; c=b; $c", &["[.] [x]", "[b]"]);
    check("declare -n c=d; c=a; $c", &["[declare] [-n] [c=d]", "?Program […]"]);
    check("c=(a b); c+=(d); \"${c[@]}\"; $c", &["[a] [b] [d]", "[a]"]);
    check("IFS=/; c=a/b; $c; \"$c\"", &["[a] [b]", "[a/b]"]);
    check("{,a} b; {'',a} b", &["[a] [b]", "?Program […] [a] [b]"]);
    check("${ a b; } c", &["?Program […] [c]", "[a] [b]"]);
}

#[test]
fn nothing_ends_a_here_document_but_its_delimiter() {
    check("a <<$E\nx\n$E\nb", &["[a] <<x", "[b]"]);
    check("a <<\"$E\"\nx $y\n$E\nb", &["[a] <<x $y", "[b]"]);
    check("a <<E\nx\nE\\\n\nb", &["[a] <<x", "[b]"]);
    check("a <<'E'\nx\\\nE\nb", &["[a] <<x\\", "[b]"]);
    // A line that is joined with the next is one word with it.
    check("a <<E\\\nF\nx\nEF\nb", &["[a] <<x", "[b]"]);
    check("a <<-\\\nE\nx\nE\nb", &["[a] <<x", "[b]"]);
    check("a <<\"E\"\\\nF\nx\nEF\nb", &["[a] <<x", "[b]"]);
}

#[test]
fn compound_commands() {
    check(
        "if a; then b; elif c; then d; else e; fi > f",
        &["[a]", "[b]", "[c]", "[d]", "[e]", ">f"],
    );
    check("while read x; do a $x; done < b", &["[read] [x]", "[a] […]", "<b"]);
    check("for x in 1 2; do a $x; done", &["[a] [1]", "[a] [2]"]);
    check("for x in only; do a $x; done", &["[a] [only]"]);
    check("for ((i=0; i<3; i++)); do a; done", &["[a]"]);
    check("case $x in a|b) c;; (d) e ;; *) f; esac; g", &["[c]", "[e]", "[f]", "[g]"]);
    check("f() { a; }; f", &["[a]", "[f()]"]);
    check("function f { a; }; f", &["[a]", "[f()]"]);
    check("[[ -f x && $(a) < y ]] && b", &["[a]", "[[[]", "[b]"]);
    check("((x = 1)) && a", &["[a]"]);
    check("((a); b)", &["[a]", "[b]"]);
    check("arr=(a b $(c)); d", &["[c]", "[d]"]);
    check("echo done; echo if", &["[echo] [done]", "[echo] [if]"]);
}

#[test]
fn redirections() {
    check("a > b 2>&1 < c >> d &> e", &["[a] >b >&1 <c >>d >e"]);
    check("a <<EOF\nx $(b)\nEOF\nc", &["[a] <<x …", "[b]", "[c]"]);
    check("a <<'EOF'; b\nx $(c)\nEOF\nd", &["[a] <<x $(c)", "[b]", "[d]"]);
    check("a <<-E\n\tx\n\tE\nb", &["[a] <<x", "[b]"]);
    check("a <<< 'b c'", &["[a] <<<b c"]);
    check("a <(b c) >(d)", &["[a] […] […]", "[b] [c]", "[d]"]);
    check("> f", &[">f"]);
    // What closes a descriptor is whole without a blank.
    check("<&-a b", &["[a] [b] >&-"]);
    check("2>&-a b >&-c", &["[a] [b] [c] >&- >&-"]);
    check("a 3<&-", &["[a] >&-"]);
}

#[test]
fn what_does_not_parse_is_opaque() {
    for text in [
        "a 'b",
        "a \"b",
        "a $(b",
        "(a",
        "a )",
        "if a; then b",
        "a `b",
        "a &&",
        "| a",
        "fi",
        "if true; ls; fi",
        "then ls",
        "for f in a b; ls; done",
    ] {
        let mut line = CommandLine::default();
        line.read(text, None);
        assert!(line.commands().iter().any(|c| c.opaque.is_some()), "{text}: {}", show(&line));
    }
}

#[test]
fn hostile_lines_end_quickly() {
    let texts = [
        "(".repeat(100_000),
        "$(".repeat(100_000),
        "((".repeat(100_000),
        "`".repeat(100_001),
        "\"$(".repeat(50_000),
        "{a,b}".repeat(10_000),
        "${x:-".repeat(50_000),
        "${x:-".repeat(10_000) + "y" + &"}".repeat(10_000),
        "${x:-".repeat(32) + "y" + &"}".repeat(32),
        "${x:=".repeat(32) + "y" + &"}".repeat(32),
        "a=1;b=$a$a;".repeat(10_000),
        "a=xx; ".to_owned() + &"a=$a$a; ".repeat(10_000),
        "<<a ".repeat(20_000) + "\n",
        "f(){ ".repeat(20_000),
        "case x in ".repeat(20_000),
        "a[".repeat(100_000),
        "a|".repeat(100_000),
        "@(".repeat(100_000),
        "x\u{0}y\u{fdd0} z".repeat(1_000),
    ];
    let mut line = CommandLine::default();
    for text in texts {
        line.read(&text, None);
        assert!(line.commands().len() <= 4_200, "{}", line.commands().len());
    }
}

#[test]
fn what_is_put_into_words_stays_small() {
    check("a $(echo $(echo $(echo b)))", &["[a] [b]", "[echo] [b]", "[echo] [b]", "[echo] [b]"]);
    check("a $(echo $(echo b) c)", &["[a] [b] [c]", "[echo] [b] [c]", "[echo] [b]"]);
    let most = 4 * 100_000 + super::limits::MAX_TEXT * 2;
    let value = "x".repeat(50_000);
    for text in [
        format!("a {}b{}", "$(echo ".repeat(40), ")".repeat(40)),
        format!("a={value}; b=({})", "$a ".repeat(15_000)),
        format!("a={value}; for b in {}; do c; done", "$a ".repeat(15_000)),
        format!("a={value}; {}", "b=$a ".repeat(10_000)),
        format!("a={value}; b {}", ">$a ".repeat(10_000)),
        format!("a=({})", "{1..99}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ".repeat(2_000)),
        "a $(printf \"$(printf \"$(printf '%s%s%s' a)\" a)\" a)".repeat(1_000),
    ] {
        let mut line = CommandLine::default();
        line.read(&text, None);
        assert!(line.text.len() <= most, "{}", line.text.len());
    }
}

#[test]
fn holes_are_marked() {
    for text in ["a $'\\ud800'", "a <<'b'\n\u{fdd0}\nb\n", "a \u{fdd0}", "a '\u{fdd0}'"] {
        let mut line = CommandLine::default();
        line.read(text, None);
        let command = &line.commands()[0];
        let words = line.words(command).iter().copied();
        let mut words = words.chain(line.redirects(command).iter().map(|r| line.target(r)));
        assert!(words.any(|word| word.has_hole()), "{text:?}");
    }
    let mut line = CommandLine::default();
    line.read_words(["a", "\u{fdd0}"].into_iter(), None);
    assert!(line.words(&line.commands()[0])[1].has_hole());
}

#[test]
fn what_reads_through_many_programs_is_not_followed_for_ever() {
    let mut line = CommandLine::default();
    line.read(&format!("echo a{} | b", " | cat".repeat(4_000)), None);
    let last = line.commands().last().cloned();
    assert_eq!(last.and_then(|command| line.input_text(&command)), None);
    let group = format!(" | {{ {} }}", "cat; ".repeat(1_000));
    line.read(&format!("echo -n{} | b", group.repeat(4)), None);
    let last = line.commands().last().cloned();
    assert_eq!(last.and_then(|command| line.input_text(&command)), None);
}

#[test]
fn a_function_stands_alone() {
    // What stands before it would be lost with the command that it was taken for.
    for text in ["<<a f() { b; }\n$(c)\na", ">a f() { b; }", "a=$(c) f() { b; }"] {
        let mut line = CommandLine::default();
        line.read(text, None);
        assert!(line.commands().iter().any(|c| c.opaque.is_some()), "{text}: {}", show(&line));
        for (index, command) in line.commands().iter().enumerate() {
            assert!(command.parent.is_none_or(|parent| (parent as usize) < index), "{text}");
        }
    }
}

#[test]
fn braces_within_braces() {
    check("{a{b}c,d}", &["[a{b}c] [d]"]);
    check("{{a,b},{c,{d,e}}}f", &["[af] [bf] [cf] [df] [ef]"]);
    check("{{a,b}", &["[{a] [{b]"]);
    check("{a,b}}", &["[a}] [b}]"]);
    check("{{{a}}}{b,c}", &["[{{{a}}}b] [{{{a}}}c]"]);
}

#[test]
fn words_stand_within_the_line() {
    for text in ["a$(b  <|", "a$((\\", "a |", "\u{e9}$(", "case x in \u{e9}", "a `\u{e9}"] {
        let mut line = CommandLine::default();
        line.read(text, None);
        for command in line.commands() {
            let span = command.span.start as usize..command.span.end as usize;
            assert!(text.get(span).is_some(), "{text}: {command:?}");
            for word in line.words(command) {
                assert!(
                    text.get(word.from as usize..word.to as usize).is_some(),
                    "{text}: {word:?}"
                );
            }
        }
    }
}

#[test]
fn constant_texts_are_trimmed() {
    check("x=xrm; ${x#x} -rf build", &["[rm] [-rf] [build]"]);
    check("x=rm.sh; \"${x%%.sh}\" -rf build", &["[rm] [-rf] [build]"]);
    check("x=ls; ${x#rm} -l", &["[ls] [-l]"]);
    check("x='a rm'; echo ${x#a} \"${x#a}\"", &["[echo] [rm] [ rm]"]);
    check("x=xrm; echo ${x#?}", &["[echo] [rm]"]);
    check("x=xrm; echo ${x#[x]} ${x#$y}", &["[echo] [rm] […]"]);
    check("echo ${HOME#/} ${1#a} ${unset#a}", &["[echo] […] […] […]"]);
}

#[test]
fn constant_operators_are_followed() {
    check("x=__rm__; ${x:2:2} y", &["[rm] [y]"]);
    check("x=RM; ${x,,} y", &["[rm] [y]"]);
    check("x=; ${x:=rm} y; $x z", &["[rm] [y]", "[rm] [z]"]);
    check("a=rm; b=a; ${!b} y", &["[rm] [y]"]);
    check("x=$y; ${x#a} y", &["?Program […] [y]"]);
    check("(x=rm); ${x:-ls} y", &["?Program […] [y]"]);
}

#[test]
fn positional_parameters_are_followed() {
    check("set -- rm x; $1 y", &["[set] [--] [rm] [x]", "[rm] [y]"]);
    check("set -- a rm; shift; \"$@\" y", &["[set] [--] [a] [rm]", "[shift]", "[rm] [y]"]);
    check("set -- rm; f() { $1 x; }; $1 y", &["[set] [--] [rm]", "?Program […] [x]", "[rm] [y]"]);
    check("set -o pipefail; $1 y", &["[set] [-o] [pipefail]", "?Program […] [y]"]);
    check("set -- rm; (set -- ls); $1", &["[set] [--] [rm]", "[set] [--] [ls]", "[rm]"]);
    check("set -- $x; $1", &["[set] [--] […]", "?Program […]"]);
    check("set -- a b; echo $#", &["[set] [--] [a] [b]", "[echo] [2]"]);
}

#[test]
fn items_of_lists_are_followed() {
    check("a=(x rm); ${a[1]} y", &["[rm] [y]"]);
    check("a=(x rm y); \"${a[@]:1}\"", &["[rm] [y]"]);
    check("a=(x ''); echo \"${a[@]}\" ${#a[@]}", &["[echo] [x] [] [2]"]);
}

#[test]
fn what_builtins_read_and_print_into_variables_is_followed() {
    check("read a <<< rm; $a y", &["[read] [a] <<<rm", "[rm] [y]"]);
    check(
        "read -r a b <<< 'x  rm -f '; $b y",
        &["[read] [-r] [a] [b] <<<x  rm -f", "[rm] [-f] [y]"],
    );
    check("IFS=, read a <<< rm; $a y", &["[read] [a] <<<rm", "[rm] [y]"]);
    check("read -n1 a <<< rm; $a y", &["[read] [-n1] [a] <<<rm", "?Program […] [y]"]);
    check("printf -v a %s rm; $a y", &["[printf] [-v] [a] [%s] [rm]", "[rm] [y]"]);
    check("mapfile -t a <<< rm; $a y", &["[mapfile] [-t] [a] <<<rm", "[rm] [y]"]);
}

#[test]
fn what_mktemp_makes_has_a_name() {
    check("d=$(mktemp -d); rm -rf \"$d\"", &["[mktemp] [-d]", "[rm] [-rf] [/tmp/mktemp.new]"]);
    check("d=`mktemp -dt x.XX`; rm $d/a", &["[mktemp] [-dt] [x.XX]", "[rm] [/tmp/x.nn/a]"]);
    // What stands in a file is not known, however it is read.
    check("eval \"$(<x.sh)\"", &["[eval] […]", "<x.sh"]);
    check("rm $(mktemp -p out)", &["[rm] [out/mktemp.new]", "[mktemp] [-p] [out]"]);
    check("rm $(mktemp out/a.XXX)", &["[rm] [out/a.nnn]", "[mktemp] [out/a.XXX]"]);
}

#[test]
fn every_line_is_read_to_its_end() {
    // Arithmetic whose end a substitution inside of it takes away, before a sign of several bytes.
    let mut line = CommandLine::default();
    line.read("((($((!)((((())))))))é", None);
    assert!(line.commands().iter().any(|c| c.opaque.is_some()), "{}", show(&line));

    const SIGNS: [&str; 24] = [
        "((", "$((", "$(", "(", ")", "))", "!", "é", "`", "\"", "'", "\\", "{", "}", "${", "a",
        " ", "@(", "<(", "<<a\n", "[[", "]]", ";", "\n",
    ];
    let mut state = 1_u64;
    let mut sign = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        SIGNS[(state >> 33) as usize % SIGNS.len()]
    };
    for length in (0..30_000).map(|round| 4 + round % 24) {
        let text: String = (0..length).map(|_| sign()).collect();
        line.read(&text, None);
        for command in line.commands() {
            let span = command.span.start as usize..command.span.end as usize;
            assert!(text.get(span).is_some(), "{text:?}");
        }
    }
}

#[test]
fn what_grows_out_of_constants_is_bounded() {
    let doubling = "a=aaaaaaaaaaaaaaaa;".to_owned() + &"a=$a$a;".repeat(64) + "$a";
    let replacing = "a=aaaaaaaa;".to_owned() + &"a=${a//a/aaaaaaaa};".repeat(64) + "$a";
    let calling = "f() { f \"$@\" x; f \"$@\" y; }; f a".to_owned();
    let setting = "set -- a a;".to_owned() + &"set -- \"$@\" \"$@\";".repeat(64) + "$1";
    for text in [doubling, replacing, calling, setting] {
        let mut line = CommandLine::default();
        line.read(&text, None);
        assert!(line.text.len() <= line.limit, "{} bytes of {text}", line.text.len());
        assert!(line.words.len() <= 1 << 20, "{} words of {text}", line.words.len());
    }
}

#[test]
fn rounds_of_loops_are_read_one_by_one() {
    check("for c in rm ls; do $c y; done", &["[rm] [y]", "[ls] [y]"]);
    check("for c in 'rm -rf' ls; do $c y; done", &["[rm] [-rf] [y]", "[ls] [y]"]);
    check("set -- rm ls; for c; do $c; done", &["[set] [--] [rm] [ls]", "[rm]", "[ls]"]);
    check(
        "for c in a b; do for d in c e; do $c $d; done; done",
        &["[a] [c]", "[a] [e]", "[b] [c]", "[b] [e]"],
    );
    check("for c in a $x; do $c; done", &["?Program […]"]);
    check("while read c; do $c; done <<< 'rm y'", &["<<<rm y", "[read] [c]", "[rm] [y]"]);
    let printed = &["[printf] [a\\nb]", "[read] [-r] [c]", "[x] [a]", "[read] [-r] [c]", "[x] [b]"];
    check("printf 'a\\nb' | while read -r c; do x $c; done", printed);
}

#[test]
fn a_function_stands_before_a_program() {
    check("g() { echo; }; g x", &["[echo]", "[g()] [x]"]);
    check("g() { echo; }; command g x", &["[echo]", "[command] [g] [x]"]);
    check("(g() { echo; }); g x", &["[echo]", "[g] [x]"]);
    check("if a; then g() { echo; }; fi; g x", &["[a]", "[echo]", "[g] [x]"]);
    check("g() { echo; }; unset -f g; g x", &["[echo]", "[unset] [-f] [g]", "[g] [x]"]);
    check("g x; g() { echo; }", &["[g] [x]", "[echo]"]);
    check("g() { echo; }; ./g x; env g", &["[echo]", "[./g] [x]", "[env] [g]"]);
}

#[test]
fn maps_and_lists_are_followed() {
    check("declare -A m; m[k]=rm; ${m[k]} y", &["[declare] [-A] [m]", "[rm] [y]"]);
    check("declare -A m=([k]=rm [j]=ls); ${m[j]} y", &["[declare] [-A] [m=]", "[ls] [y]"]);
    check("a=(x rm); ${a[-1]} y", &["[rm] [y]"]);
    check("a=([1]=rm [0]=x); ${a[1]} y", &["[rm] [y]"]);
    check("a=(rm x); ${a[*]}; \"${a[*]}\"", &["[rm] [x]", "[rm x]"]);
    check("a=(rm x); a=(ls); ${a[0]}", &["[ls]"]);
    check("a[1]=rm; unset a; ${a[1]} y", &["[unset] [a]", "?Program […] [y]"]);
    check("i=1; a=(x rm); ${a[i]} y", &["[rm] [y]"]);
    check("declare -a a=(rm y); \"${a[@]}\"", &["[declare] [-a] [a=]", "[rm] [y]"]);
    check("a=(xrm xls); ${a[@]#x}", &["[rm] [ls]"]);
}

#[test]
fn what_is_never_reached_is_left_out() {
    check("false && rm a; b", &["[false]", "[b]"]);
    check("true || rm a", &["[true]"]);
    check("! true && rm a", &["[true]"]);
    check("false && rm a || b", &["[false]", "[b]"]);
    check("true && a || rm b", &["[true]", "[a]", "[rm] [b]"]);
    check("if false; then rm a; else b; fi", &["[false]", "[b]"]);
    check("if true; then a; elif b; then rm c; else rm d; fi", &["[true]", "[a]"]);
    check("if x; then a; elif false; then rm c; else d; fi", &["[x]", "[a]", "[false]", "[d]"]);
    check(
        "[ 1 -eq 2 ] && rm a; [[ a == b ]] && rm b; ((0)) && rm c",
        &["[[] [1] [-eq] [2] []]", "[[[]"],
    );
    check("D=1; if [ \"$D\" = 1 ]; then a; else rm b; fi", &["[[] [1] [=] [1] []]", "[a]"]);
    check("exit 0; rm a", &["[exit] [0]"]);
    check("exec a; rm b", &["[exec] [a]"]);
    check("(exit; rm a); b", &["[exit]", "[b]"]);
    check("if x; then exit; rm a; fi; b", &["[x]", "[exit]", "[b]"]);
    check("for d in; do rm $d; done; a", &["[a]"]);
}

#[test]
fn what_may_be_reached_stays() {
    for (text, count) in [
        ("false || rm a", 2),
        ("x && rm a", 2),
        ("false | x && rm a", 3),
        ("false > /no/x || rm a", 2),
        ("alias false=true; false && rm a", 3),
        ("'al''ias' false=true; false && rm a", 3),
        ("false() { true; }; false && rm a", 3),
        ("exit() { x; }; exit; rm a", 3),
        (":() { x; }; : || rm a", 3),
        ("eval 'false() { true; }'; false && rm a", 3),
        ("for i in a b; do false && rm a; false() { true; }; done", 2),
        ("for i in a b; do continue; rm a; done", 2),
        ("f() { false && rm a; }; false() { true; }; f", 2),
        ("exit & rm a", 2),
        ("exit 1 2; rm a", 2),
        ("if false & then rm a; fi", 2),
        ("SECONDS=0; x; [ $SECONDS = 0 ] || rm a", 3),
        ("declare -u D; D=a; [ \"$D\" = a ] || rm a", 3),
        ("local -i D; D=1+1; [ \"$D\" = 1+1 ] || rm a", 3),
        ("D=1; ((D=2)); [ $D = 1 ] || rm a", 2),
        ("D=1; let D=2; [ $D = 1 ] || rm a", 3),
        ("D=1; read D <<< 2; [ $D = 1 ] || rm a", 3),
        ("D=1; printf -v D 2; [ $D = 1 ] || rm a", 3),
        ("D=1; f() { D=2; }; f; [ $D = 1 ] || rm a", 3),
        ("D=1; for D in 2; do x; done; [ $D = 1 ] || rm a", 3),
        ("D=1; mapfile D < x; [ $D = 1 ] || rm a", 3),
        ("D=1; exec {D}> x; [ $D = 1 ] || rm a", 3),
        ("D=1; getopts a D; [ $D = 1 ] || rm a", 3),
        ("D=1; export D=2; [ $D = 1 ] || rm a", 3),
        ("D=1; declare D=2; [ $D = 1 ] || rm a", 3),
        ("D=1; : ${D:=2} ${E:=3}; [ \"$E\" = 4 ] || rm a", 3),
        ("D=1; D+=2; [ $D = 1 ] || rm a", 2),
        ("D=(1); D[0]=2; [ $D = 1 ] || rm a", 2),
        ("x && D=2; D=1; y || D=2; [ $D = 1 ] || rm a", 4),
        ("D=1; if x; then D=2; fi; [ $D = 1 ] || rm a", 3),
        ("D=1; wait -p D x; [ $D = 1 ] || rm a", 3),
        ("D=1; coproc D { x; }; [ $D = 1 ] || rm a", 3),
        ("exit | x; rm a", 3),
        ("exit > x; rm a", 2),
        ("exec > x; rm a", 2),
        ("a && exit; rm a", 3),
        ("{ exit; } & rm a", 2),
        ("coproc exit; rm a", 2),
        ("break; rm a", 2),
        ("return; rm a", 2),
        ("[ -f x ] && D=1; [ -n \"$D\" ] || rm a", 3),
        ("[ a == a ] || rm a", 2),
        ("[ $1 = a ] && rm a", 2),
        ("[ a = ? ] && rm a", 2),
        ("x=a; x=$(y); [ \"$x\" = b ] && rm a", 3),
        ("if x; then a; else rm b; fi", 3),
        ("if true && x; then a; else rm b; fi", 4),
        ("[[ a == b || x ]] && rm a", 2),
        ("((08)) || rm a", 1),
        ("for x in a b; do [ $x = b ] && rm a; done", 4),
        ("x && true || rm a", 3),
        ("x || true && rm a", 3),
        ("x || false || rm a", 3),
        ("if x && true; then y; else rm a; fi", 4),
    ] {
        let mut line = CommandLine::default();
        line.read(text, None);
        let shown = show(&line);
        assert!(shown.lines().count() >= count && shown.contains("[rm]"), "{text}: {shown}");
    }
}

#[test]
fn branches_that_are_not_taken_list_nothing() {
    check("case a in b) x;; a) y;; *) z;; esac", &["[y]"]);
    check("case a in a) x;& b) y;; *) z;; esac", &["[x]", "[y]", "[z]"]);
    check("case a in a) x; exit;; esac; y", &["[x]", "[exit]"]);
    check("case $a in a) x; exit;; esac; y", &["[x]", "[exit]", "[y]"]);
    check(
        "if [[ a == b || c != c ]]; then x; else y; exit 1; fi; z",
        &["[[[]", "[y]", "[exit] [1]"],
    );
    check("if [[ a == b && -n c ]]; then x; fi; y", &["[[[]", "[y]"]);
    check("if [[ $c || a == b ]]; then x; fi; y", &["[[[]", "[x]", "[y]"]);
    check("set -- a; if [ \"${2:-}\" = b ]; then x; fi", &["[set] [--] [a]", "[[] [] [=] [b] []]"]);
    check("set -- a; [ $# -lt 1 ] && x", &["[set] [--] [a]", "[[] [1] [-lt] [1] []]"]);
    check("true && { x; exit; }; y", &["[true]", "[x]", "[exit]"]);
    check("x && { exit; }; y", &["[x]", "[exit]", "[y]"]);
    check("{ exit; } | x; y", &["[exit]", "[x]", "[y]"]);
}

#[test]
fn loops_over_known_words_go_as_they_go() {
    let shows = |text: &str, command: &str| {
        let mut line = CommandLine::default();
        line.read(text, None);
        show(&line).lines().any(|shown| shown == command)
    };
    let shift = "while [ $# -gt 0 ]; do case $1 in -n) d=1; shift;; -t) t=$2; shift 2;; *) break;; esac; done; ";
    let line = |words: &str, end: &str| format!("d=0; t=a; set -- {words}; {shift}{end}");
    assert!(shows(&line("-t b -n", "x $t $d"), "[x] [b] [1]"));
    assert!(!shows(&line("-n c", "if [ $d = 1 ]; then exit; fi; y"), "[y]"));
    assert!(shows(&line("c -n", "if [ $d = 1 ]; then exit; fi; y"), "[y]"));
    assert!(shows(&line("$c", "if [ $d = 1 ]; then exit; fi; y"), "[y]"));
    let each = "d=0; set -- a b; for w in \"$@\"; do [ $w = b ] && d=1; done; [ $d = 1 ] || y";
    assert!(!shows(each, "[y]") && shows(&each.replace("a b", "a c"), "[y]"));
    let letters =
        "set -- -nt b; while getopts nt: o; do case $o in t) t=$OPTARG;; esac; done; x $t";
    assert!(shows(letters, "[x] [b]"));
    assert!(shows("set -- a; while [ $# -gt 0 ]; do y; done", "[y]"));
}

#[test]
fn functions_that_end_the_shell_are_known_to() {
    check("f() { x; exit 1; }; f; y", &["[x]", "[exit] [1]", "[f()]"]);
    let shows = |text: &str| {
        let mut line = CommandLine::default();
        line.read(text, None);
        show(&line).contains("[y]")
    };
    assert!(!shows("f() { x; exit 1; }; false || f; y"));
    assert!(shows("f() { x && exit 1; }; f; y") && shows("f() { return; exit; }; f; y"));
    assert!(shows("f() { exit; }; f() { x; }; f; y") && shows("f() { exit; }; (f); y"));
    assert!(shows("f() { echo '\nexit\n'; }; f; y") && shows("f() { x; } # ; exit\nf; y"));
}

#[test]
fn pieces_of_values_are_kept() {
    check("b=\"$a/c\"; x \"$b/d\"", &["[x] […/c/d]"]);
    check("b=\"$a/c\"; x \"${b:?}\"/* \"${b?}\"", &["[x] […/c/*] […/c]"]);
    check("b=rm; ${b:?not set} x; ${c:?} y", &["[rm] [x]", "?Program […] [y]"]);
    check("b=\"$a c\"; x $b", &["[x] […]"]);
    check("b=$(cd \"$a\" && pwd); x \"$b\" $b/c", &["[cd] […]", "[pwd]", "[x] […] […/c]"]);
    check("[ $a ] && b=c; x \"$b\"; $b y", &["[[] […] []]", "[x] [c]", "?Program [c] [y]"]);
}
