//! A file of PowerShell that is run with some words: what of it depends on switches that these do not set. Source:
//! <https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_functions_advanced_parameters>.

/// No more switches are looked for.
const MAX: usize = 32;

/// Returns the text without the blocks that run only where a switch is set that is declared and not among the words.
pub(super) fn with_words<'w>(text: &str, words: impl Iterator<Item = &'w str>) -> String {
    let set: Vec<String> = words
        .filter_map(|word| word.strip_prefix('-'))
        .map(|word| word.split(':').next().unwrap_or(word).to_ascii_lowercase())
        .collect();
    // What is short for it may set a switch, too.
    let is_set = |name: &String| set.iter().any(|word| name.starts_with(word.as_str()));
    let unset = switches(text).into_iter().filter(|name| !is_set(name));
    let kept = unset.fold(text.to_owned(), |text, name| without(&text, &name));
    without_declaration(&kept)
}

/// The text without the declaration of its parameters, which runs nothing unless values are computed in it.
fn without_declaration(text: &str) -> String {
    const COMPUTING: [&str; 5] = ["$(", "=(", "= (", "{", "@("];
    let begins = |line: &str| {
        let line = line.trim_start().to_ascii_lowercase();
        line.starts_with("param(") || line.starts_with("param (")
    };
    let (mut kept, mut at) = (String::with_capacity(text.len()), 0);
    while let Some(line) = text.get(at..).and_then(|rest| rest.split_inclusive('\n').next()) {
        let rest = text.get(at..).unwrap_or_default();
        let open = rest.find('(').filter(|_| begins(line));
        let end = open.and_then(|open| Some(open + enclosed(rest.get(open..)?, ('(', ')'))?));
        let declared = end.and_then(|end| rest.get(..end));
        match declared.filter(|text| !COMPUTING.iter().any(|sign| text.contains(sign))) {
            Some(declared) => {
                kept.push_str(rest.get(declared.len()..).unwrap_or_default());
                return kept;
            }
            // What is said of the file as a whole.
            None if line.trim_start().starts_with("[CmdletBinding") => {}
            None => kept.push_str(line),
        }
        at += line.len();
    }
    kept
}

/// The switches that a file declares, in small letters: `param([switch]$Clean)`.
fn switches(text: &str) -> Vec<String> {
    let small = text.to_ascii_lowercase();
    let Some((_, declared)) = small.split_once("param") else { return Vec::new() };
    let parts = declared.split("[switch]").skip(1).take(MAX);
    let names = parts.filter_map(|part| {
        let name = part.trim_start().strip_prefix('$')?;
        let end = name.find(|sign: char| !sign.is_alphanumeric() && sign != '_');
        let (name, rest) = name.split_at_checked(end.unwrap_or(name.len()))?;
        // It may be on unless told.
        (!name.is_empty() && !rest.trim_start().starts_with('=')).then(|| name.to_owned())
    });
    names.collect()
}

/// A text without the blocks behind `if ($name)`.
fn without(text: &str, name: &str) -> String {
    let small = text.to_ascii_lowercase();
    // Where it is set to something, nobody knows.
    if small.contains(&format!("${name} =")) || small.contains(&format!("${name}=")) {
        return text.to_owned();
    }
    let condition = format!("(${name})");
    let (mut kept, mut from) = (String::with_capacity(text.len()), 0);
    while let Some(at) = small.get(from..).and_then(|rest| rest.find(&condition)) {
        let begin = from + at;
        let behind = begin + condition.len();
        let before = small.get(..begin).unwrap_or_default().trim_end();
        let block = block(small.get(behind..).unwrap_or_default());
        let word =
            before.strip_suffix("if").filter(|rest| !rest.ends_with("else") && rest.len() >= from);
        match (word, block) {
            (Some(_), Some(end)) => {
                // What stands behind `else` goes on as a block of its own.
                kept.push_str(text.get(from..before.len() - 2).unwrap_or_default());
                from = behind + end;
                let rest = small.get(from..).unwrap_or_default();
                if let Some(other) =
                    rest.trim_start().strip_prefix("else").filter(|rest| !rest.starts_with("if"))
                {
                    from = small.len() - other.len();
                    kept.push_str("if ($true)");
                }
            }
            _ => {
                kept.push_str(text.get(from..behind).unwrap_or_default());
                from = behind;
            }
        }
    }
    kept.push_str(text.get(from..).unwrap_or_default());
    kept
}

/// Where the block ends that a text begins with.
fn block(text: &str) -> Option<usize> {
    enclosed(text, ('{', '}'))
}

/// Where what is enclosed by two signs ends that a text begins with.
fn enclosed(text: &str, (open, close): (char, char)) -> Option<usize> {
    let blank = text.len() - text.trim_start().len();
    let mut depth = 0_usize;
    for (at, sign) in text.char_indices().skip_while(|(at, _)| *at < blank) {
        match sign {
            sign if sign == open => depth += 1,
            sign if sign == close => depth = depth.checked_sub(1)?,
            _ if depth == 0 => return None,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::with_words;

    #[test]
    fn what_depends_on_a_switch_runs_where_it_is_set() {
        let text = "param([switch]$Clean, $Out)\nif ($Clean) { rm { a } }\nls\nIF ($clean) { b } else { c }\n";
        let kept = |words: &[&str]| with_words(text, words.iter().copied());
        assert!(kept(&["-Clean"]).contains("rm { a }"));
        assert!(kept(&["-c"]).contains("rm { a }"));
        let without = kept(&["-Out", "x"]);
        assert!(!without.contains("rm") && !without.contains("b }"), "{without}");
        assert!(without.contains("ls\nif ($true) { c }"), "{without}");
        assert_eq!(with_words("if ($x) { rm }", std::iter::empty()), "if ($x) { rm }");
        let other = "param([switch]$A)\n$A = $true\nif ($A) { rm }";
        assert!(with_words(other, std::iter::empty()).contains("if ($A) { rm }"));
    }

    #[test]
    fn declarations_run_nothing_unless_they_compute() {
        let kept = |text: &str| with_words(text, std::iter::empty());
        assert_eq!(kept("[CmdletBinding()]\nparam (\n  [string]$A = 'x'\n)\nls\n"), "\nls\n");
        let text = "param($A = $(rm x))\nls\n";
        assert_eq!(kept(text), text);
        assert_eq!(kept("ls\nparam\n"), "ls\nparam\n");
    }
}
