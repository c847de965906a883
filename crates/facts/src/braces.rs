//! Path patterns with braces, taken apart. Knows no files.

/// A pattern with more alternatives than this in its braces is not taken apart: it may match.
const MAX_ALTERNATIVES: usize = 256;

/// The globs that one with braces stands for; `None` where there are too many.
#[must_use]
pub fn alternatives(glob: &str) -> Option<Vec<String>> {
    let mut done = Vec::new();
    let mut open = vec![glob.to_owned()];
    while let Some(next) = open.pop() {
        if done.len() + open.len() > MAX_ALTERNATIVES {
            return None;
        }
        match split_braces(&next) {
            Some((before, parts, behind)) => {
                open.extend(parts.iter().map(|part| format!("{before}{part}{behind}")));
            }
            None => done.push(next),
        }
    }
    Some(done)
}

/// The first group in braces of a glob, with what stands before and behind it.
fn split_braces(glob: &str) -> Option<(&str, Vec<&str>, &str)> {
    let start = glob.find('{')?;
    let (mut depth, mut from, mut parts) = (0usize, start + 1, Vec::new());
    for (at, byte) in glob.bytes().enumerate().skip(start) {
        match byte {
            b'{' => depth += 1,
            b',' if depth == 1 => {
                parts.push(glob.get(from..at)?);
                from = at + 1;
            }
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    parts.push(glob.get(from..at)?);
                    return Some((glob.get(..start)?, parts, glob.get(at + 1..)?));
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_taken_apart() {
        let mut all = alternatives("a{b,c{d,e}}f").unwrap_or_default();
        all.sort();
        assert_eq!(all, ["abf", "acdf", "acef"]);
        assert_eq!(alternatives("plain").unwrap_or_default(), ["plain"]);
        assert_eq!(alternatives(&"{a,b}".repeat(20)), None);
    }
}
