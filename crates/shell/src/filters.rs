//! What programs make of a constant text that they read, where that says how: decoding, turning around, replacing
//! single characters. Everything else stays unknown.

use super::decode;
use super::substitution::Call;

/// Returns what a program with these words writes when it reads a text; `None` where that is not known.
pub(super) fn apply(program: &str, words: &[&str], text: &str) -> Option<String> {
    match (program, words) {
        ("cat", [] | ["-"]) => Some(text.to_owned()),
        ("rev", []) => Some(
            text.lines().flat_map(|line| [line.chars().rev().collect(), "\n".to_owned()]).collect(),
        ),
        ("tac", []) => Some(text.lines().rev().flat_map(|line| [line, "\n"]).collect()),
        ("base64", ["-d" | "-D" | "--decode" | "-di"]) => decode::base64(text),
        ("openssl", ["base64" | "enc", rest @ ..]) => {
            let is_known = |word: &&str| matches!(*word, "-d" | "-A" | "-a" | "-base64");
            let decodes = rest.contains(&"-d") && rest.iter().all(is_known);
            decodes.then(|| decode::base64(text)).flatten()
        }
        ("xxd", ["-r", "-p"] | ["-p", "-r"] | ["-rp" | "-pr" | "-ps", ..]) => {
            decode::hexadecimal(text)
        }
        ("tr", ["-d", set]) => {
            let set = members(set)?;
            Some(text.chars().filter(|sign| !set.contains(sign)).collect())
        }
        ("sed" | "gsed", words) => {
            let call = Call::of(words).filter(|call| !call.is_in_place)?;
            matches!(call.files[..], [] | ["-"]).then(|| call.apply(text)).flatten()
        }
        ("tr", [from, to]) if !from.starts_with('-') => replaced(from, to, text),
        _ => None,
    }
}

fn replaced(from: &str, to: &str, text: &str) -> Option<String> {
    let (from, to) = (members(from)?, members(to)?);
    let last = *to.last()?;
    let new = |sign: char| match from.iter().rposition(|own| *own == sign) {
        Some(at) => to.get(at).copied().unwrap_or(last),
        None => sign,
    };
    Some(text.chars().map(new).collect())
}

/// The characters of a set of `tr`, with its ranges; `None` for classes.
fn members(set: &str) -> Option<Vec<char>> {
    let set = match set {
        "[:upper:]" | "[A-Z]" => "A-Z",
        "[:lower:]" | "[a-z]" => "a-z",
        "\\n" => "\n",
        "\\t" => "\t",
        set => set,
    };
    if set.contains(['[', '\\', super::HOLE]) || !set.is_ascii() {
        return None;
    }
    let signs: Vec<char> = set.chars().collect();
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(first) = signs.get(at) {
        match (signs.get(at + 1), signs.get(at + 2)) {
            (Some('-'), Some(last)) => {
                all.extend(*first..=*last);
                at += 3;
            }
            _ => {
                all.push(*first);
                at += 1;
            }
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::apply;

    #[test]
    fn filters_do_what_the_programs_do() {
        for (program, words, text, expect) in [
            ("base64", vec!["-d"], "cm0gLXJmIGJ1aWxk", Some("rm -rf build")),
            ("base64", vec!["-d"], "cm0gLXJmIGE=\n", Some("rm -rf a")),
            ("base64", vec!["-d"], "!", None),
            ("base64", vec![], "x", None),
            ("xxd", vec!["-r", "-p"], "726d\n", Some("rm")),
            ("rev", vec![], "mr\n", Some("rm\n")),
            ("tr", vec!["A-Z", "a-z"], "RM -RF", Some("rm -rf")),
            ("tr", vec!["a-z", "n-za-m"], "ez", Some("rm")),
            ("tr", vec!["-d", "x"], "rxm", Some("rm")),
            ("tr", vec!["_", " "], "rm_-rf", Some("rm -rf")),
            ("tr", vec!["-s", "x"], "x", None),
            ("sort", vec![], "x", None),
        ] {
            assert_eq!(apply(program, &words, text).as_deref(), expect, "{program} {words:?}");
        }
    }
}
