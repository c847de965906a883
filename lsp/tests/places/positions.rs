//! The places of `positions.txt`.

use behavior_compiler::ide::{RuleFile, Store};

use crate::{explained, fault, offered};

/// A place and what is expected there.
struct Case<'t> {
    name: &'t str,
    text: String,
    offset: usize,
    shown: &'t str,
    offers: Vec<&'t str>,
    withholds: Vec<&'t str>,
    explains: Option<&'t str>,
}

fn cases(data: &str) -> Vec<Case<'_>> {
    let mut cases = Vec::new();
    let mut name = "";
    let mut frame = String::new();
    for line in data.lines() {
        if let Some(next) = line.strip_prefix("== ") {
            name = next.trim();
            frame.clear();
        } else if let Some(case) = line.strip_prefix(">> ") {
            cases.push(one(name, &frame, case));
        } else if !line.starts_with("//") {
            frame.push_str(line);
            frame.push('\n');
        }
    }
    cases
}

fn one<'t>(name: &'t str, frame: &str, case: &'t str) -> Case<'t> {
    let cut = case.find(" ++ ").into_iter().chain(case.find(" -- ")).chain(case.find(" ?? ")).min();
    let (written, expected) = case.split_at(cut.unwrap_or(case.len()));
    let at = frame.find('…').unwrap_or(frame.len());
    let indent = at - frame[..at].rfind('\n').map_or(0, |line| line + 1);
    let written = written.replace('⏎', &format!("\n{:indent$}", ""));
    let marked = format!("{}{}{}", &frame[..at], written, frame[at..].trim_start_matches('…'));
    let offset = marked.find('‸').unwrap_or_else(|| panic!("no cursor in {case}"));
    let list = |sign: &str| {
        let found = expected.split(" ?? ").next().unwrap_or_default().split(sign).nth(1);
        let found = found.unwrap_or_default();
        let end =
            found.find(" ++ ").into_iter().chain(found.find(" -- ")).min().unwrap_or(found.len());
        let names = found[..end].split(" | ").map(str::trim);
        names.filter(|name| !name.is_empty()).collect::<Vec<_>>()
    };
    Case {
        name,
        text: marked.replacen('‸', "", 1),
        offset,
        shown: case,
        offers: list(" ++ "),
        withholds: list(" -- "),
        explains: expected.split(" ?? ").nth(1).map(str::trim),
    }
}

#[test]
fn every_place_answers() {
    let store = Store::default();
    let all = cases(include_str!("positions.txt"));
    assert!(all.len() >= 200, "there are {} places", all.len());
    let mut faults = Vec::new();
    for case in &all {
        let file = RuleFile::new(case.name, case.text.as_str());
        let found = offered(&file, &store, case.offset as u32);
        let labels: Vec<&str> = found.iter().map(|item| item.label.as_str()).collect();
        let mut wrong =
            |what: String| faults.push(format!("{}: `{}`: {what}", case.name, case.shown));
        for name in &case.offers {
            if !labels.contains(name) {
                wrong(format!(
                    "`{name}` is not offered, but {:?}",
                    &labels[..labels.len().min(12)]
                ));
            }
        }
        for name in &case.withholds {
            if labels.contains(name) || *name == "*" && !labels.is_empty() {
                wrong(format!("`{name}` is offered: {:?}", &labels[..labels.len().min(12)]));
            }
        }
        for item in &found {
            if let Some(fault) = fault(&case.text, case.offset, item) {
                wrong(fault);
            }
        }
        if let Some(expected) = case.explains {
            match explained(&file, &store, case.offset as u32) {
                Some(markdown) if markdown.contains(expected) => {}
                other => wrong(format!("explained is {other:?}")),
            }
        }
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), all.len(), faults.join("\n"));
}
