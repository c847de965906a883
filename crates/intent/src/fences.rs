//! Blocks of code between fences, as Markdown has them: which lines of a text stand outside of them. Says nothing of
//! what stands inside.

/// Where a text is, line by line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fences {
    /// The sign of the fence that opened the block, and how often it stands there.
    open: Option<(char, usize)>,
}

impl Fences {
    /// Takes the next line; returns whether it stands outside of blocks and is no fence.
    pub fn is_outside(&mut self, line: &str) -> bool {
        match (self.open, fence(line.trim())) {
            (None, None) => true,
            (None, opening) => {
                self.open = opening.map(|(sign, count, _)| (sign, count));
                false
            }
            (Some((sign, count)), Some((own, own_count, is_bare)))
                if own == sign && own_count >= count && is_bare =>
            {
                self.open = None;
                false
            }
            (Some(_), _) => false,
        }
    }
}

/// The lines of a text that stand outside of blocks. A block that stays open to the end is none: who writes one block into
/// another closes the inner one and the outer one alike, so that the last fence only seems to open one.
pub fn lines_outside<'t>(lines: &[&'t str]) -> Vec<Option<&'t str>> {
    let mut fences = Fences::default();
    let mut opened = None;
    let mut outside: Vec<Option<&str>> = Vec::with_capacity(lines.len());
    for (at, line) in lines.iter().enumerate() {
        let was_open = fences.open.is_some();
        outside.push(fences.is_outside(line).then_some(*line));
        if fences.open.is_some() && !was_open {
            opened = Some(at);
        }
    }
    if let Some(opened) = opened.filter(|_| fences.open.is_some()) {
        for (line, kept) in lines.iter().zip(&mut outside).skip(opened + 1) {
            *kept = Some(*line);
        }
    }
    outside
}

/// The sign of a fence, how often it stands there, and whether nothing stands behind it.
fn fence(line: &str) -> Option<(char, usize, bool)> {
    let sign = line.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let behind = line.trim_start_matches(sign);
    let count = line.len() - behind.len();
    // Code in a line of text may begin with as many.
    let is_fence = count >= 3 && (sign == '~' || !behind.contains('`'));
    is_fence.then_some((sign, count, behind.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::Fences;

    fn outside(text: &str) -> Vec<&str> {
        let mut fences = Fences::default();
        text.lines().filter(|line| fences.is_outside(line)).collect()
    }

    #[test]
    fn what_stands_between_fences_is_inside() {
        assert_eq!(outside("a\n```sh\nb\n```\nc"), ["a", "c"]);
        assert_eq!(outside("~~~\na\n```\nb\n~~~\nc"), ["c"]);
        assert_eq!(outside("````\n```\na\n```\n````\nb"), ["b"]);
        assert_eq!(outside("```\na\n```` \nb"), ["b"]);
        assert_eq!(outside("  ```\n  a\n  ```\nb"), ["b"]);
    }

    #[test]
    fn a_fence_with_words_closes_nothing_and_one_that_stays_open_holds_the_rest() {
        assert_eq!(outside("```\na\n```rust\nb\n```\nc"), ["c"]);
        assert_eq!(outside("a\n```\nb"), ["a"]);
    }

    #[test]
    fn the_last_fence_of_nested_blocks_opens_none() {
        let lines = ["```md", "a", "```sh", "b", "```", "c", "```", "", "d"];
        let outside: Vec<&str> = super::lines_outside(&lines).into_iter().flatten().collect();
        assert_eq!(outside, ["c", "", "d"]);
    }

    #[test]
    fn code_in_a_line_is_no_fence() {
        assert_eq!(outside("```a``` b\nc"), ["```a``` b", "c"]);
        assert_eq!(outside("``\na"), ["``", "a"]);
    }
}
