//! Patterns, and what is wrong with others.

use super::{Alternative, parse};

/// The alternatives as texts: `tool`, `$ command`, `server / tool`.
fn shown(text: &str) -> String {
    let slice = |range: &std::ops::Range<usize>| text.get(range.clone()).expect("in the text");
    let one = |alternative: &Alternative| match alternative {
        Alternative::Tool(range) => slice(range).to_owned(),
        Alternative::Command(range) => format!("$ {}", slice(range)),
        Alternative::Mcp(server, Some(tool)) => format!("{} / {}", slice(server), slice(tool)),
        Alternative::Mcp(server, None) => format!("{} / all", slice(server)),
    };
    match parse(text) {
        Ok(alternatives) => alternatives.iter().map(one).collect::<Vec<_>>().join("; "),
        Err(problems) => problems
            .iter()
            .map(|problem| format!("{:?} {}", problem.range, problem.message))
            .collect::<Vec<_>>()
            .join("; "),
    }
}

#[track_caller]
fn check(text: &str, expect: &str) {
    assert_eq!(shown(text), expect, "{text}");
}

#[test]
fn forms_are_told_apart() {
    check("edit", "edit");
    check(" edit ", "edit");
    check("*", "*");
    check("read_[!a|b]*", "read_[!a|b]*");
    check("edit|write | read", "edit; write; read");
    check("git push *", "$ git push *");
    check("git  push", "$ git  push");
    check("bash(rm -rf *)", "$ rm -rf *");
    check("Shell( rm )", "$ rm");
    check("bash(echo \")\" \\) (a))|edit", "$ echo \")\" \\) (a); edit");
    check("bash(a|b)", "$ a|b");
    check("git commit -m 'a|b'|edit", "$ git commit -m 'a|b'; edit");
    check("mcp(github/create_*)", "github / create_*");
    check("MCP(github)|mcp(x/*)", "github / all; x / *");
}

#[test]
fn problems_stand_at_their_character() {
    check("", "0..0 expected a tool's name or a command, found nothing");
    check("  ", "0..0 expected a tool's name or a command, found nothing");
    check("edit|", "5..5 expected a tool's name or a command after `|`, but the pattern ends here");
    check("|edit", "0..1 expected a tool's name or a command, found `|`");
    check("a||b", "2..3 expected a tool's name or a command after `|`, found `|`");
    check("bash(rm *", "4..5 this `(` is never closed");
    check("bash(rm))", "8..9 this `)` closes nothing");
    check(
        "bash(rm)x|mcp(",
        "8..9 expected `|` or the end of the pattern after `)`, found `x`; \
         13..14 this `(` is never closed",
    );
    check("git 'a", "4..5 this `'` is not closed");
    check("git (a", "4..5 a `(` stands only behind `bash` or `mcp`");
    check("edit\\", "4..5 there is nothing behind the `\\`");
    check("bash()", "0..6 expected a command in the parentheses of `bash`");
    check("mcp()", "0..5 expected an MCP server's name");
    check("mcp(a/)", "6..6 expected the name of a tool");
    check("mcp(/b)", "4..4 expected the name of an MCP server");
    check("mcp(a/b/c)", "7..8 expected `)` behind the tool's name, found `/`");
    check("mcp(a b)", "5..6 the name of an MCP server has no blank");
    check("edit(src/*)", "0..4 nothing is written `edit(…)` in a pattern");
    check("bush(ls)", "0..4 nothing is written `bush(…)` in a pattern");
}

#[test]
fn what_is_too_much_is_refused() {
    check(&"a".repeat(5000), "0..5000 this pattern is longer than 4 KiB");
    let many = vec!["a"; 257].join("|");
    check(&many, "0..513 this pattern has more than 256 alternatives");
}

#[test]
fn any_text_is_read_or_has_a_problem_inside_it() {
    let signs = ['a', ' ', '|', '(', ')', '\'', '\\', '[', '/', 'é'];
    let mut texts = vec![String::new(), "mcp(".to_owned(), "bash(".to_owned()];
    for _ in 0..4 {
        let longer = texts.iter().flat_map(|text| signs.map(|sign| format!("{text}{sign}")));
        texts = longer.collect();
        for text in &texts {
            let ranges: Vec<_> = match parse(text) {
                Ok(alternatives) => alternatives.iter().map(whole).collect(),
                Err(problems) => problems.into_iter().map(|problem| problem.range).collect(),
            };
            assert!(!ranges.is_empty(), "{text}");
            for range in ranges {
                assert!(text.get(range.clone()).is_some(), "{text}: {range:?}");
            }
        }
    }
}

fn whole(alternative: &Alternative) -> std::ops::Range<usize> {
    match alternative {
        Alternative::Tool(range) | Alternative::Command(range) | Alternative::Mcp(range, None) => {
            range.clone()
        }
        Alternative::Mcp(server, Some(tool)) => server.start..tool.end,
    }
}
