//! Two texts, line by line.

/// The lines of both texts: `-` before those that are expected and missing, `+` before those that
/// are there and not expected.
#[must_use]
pub fn lines(expected: &str, actual: &str) -> String {
    let left: Vec<&str> = expected.lines().collect();
    let right: Vec<&str> = actual.lines().collect();
    let common = longest_common(&left, &right);
    let (mut i, mut j) = (0, 0);
    let mut out = String::new();
    let mut push = |sign: &str, line: Option<&&str>| {
        out.push_str(&format!("    {sign} {}\n", line.unwrap_or(&"")));
    };
    for (at_left, at_right) in common.into_iter().chain([(left.len(), right.len())]) {
        while i < at_left {
            push("-", left.get(i));
            i += 1;
        }
        while j < at_right {
            push("+", right.get(j));
            j += 1;
        }
        if let Some(line) = left.get(i) {
            push(" ", Some(line));
            i += 1;
            j += 1;
        }
    }
    out.trim_end().to_owned()
}

/// The places of a longest list of lines that both have in this order.
fn longest_common(left: &[&str], right: &[&str]) -> Vec<(usize, usize)> {
    let width = right.len() + 1;
    let mut lengths = vec![0usize; (left.len() + 1) * width];
    let at =
        |lengths: &[usize], i: usize, j: usize| lengths.get(i * width + j).copied().unwrap_or(0);
    for (i, a) in left.iter().enumerate().rev() {
        for (j, b) in right.iter().enumerate().rev() {
            let length = if a == b {
                at(&lengths, i + 1, j + 1) + 1
            } else {
                at(&lengths, i + 1, j).max(at(&lengths, i, j + 1))
            };
            if let Some(slot) = lengths.get_mut(i * width + j) {
                *slot = length;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while let (Some(a), Some(b)) = (left.get(i), right.get(j)) {
        if a == b {
            pairs.push((i, j));
            i += 1;
            j += 1;
        } else if at(&lengths, i + 1, j) >= at(&lengths, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_that_differ_are_marked() {
        assert_eq!(lines("a\nb\nc", "a\nx\nc\nd"), "      a\n    - b\n    + x\n      c\n    + d");
        assert_eq!(lines("", "a"), "    + a");
        assert_eq!(lines("a", ""), "    - a");
    }
}
