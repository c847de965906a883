//! A number that tells most names apart, at the cost of a few instructions: comparing texts is left for where it is the
//! same.

/// The last letters of a name with its length, in one number; equal for equal names.
#[inline]
pub(crate) fn mark(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let last = match bytes.last_chunk::<8>() {
        Some(last) => u64::from_le_bytes(*last),
        None => match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            (Some(first), Some(last)) => {
                u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
            }
            _ => bytes.iter().fold(0, |mark, byte| mark << 8 | u64::from(*byte)),
        },
    };
    last ^ (bytes.len() as u64) << 56
}

#[cfg(test)]
mod tests {
    use super::mark;

    #[test]
    fn usual_names_are_told_apart() {
        let names = [
            "",
            "a",
            "b",
            "ab",
            "ba",
            "abc",
            "read",
            "edit",
            "bash",
            "write",
            "grep",
            "glob",
            "web_search",
            "call-1",
            "call-2",
            "call-11",
            "call-12",
            "toolu_0123",
            "toolu_0124",
        ];
        for (at, name) in names.iter().enumerate() {
            for other in names.iter().skip(at + 1) {
                assert_ne!(mark(name), mark(other), "{name} {other}");
            }
        }
    }
}
