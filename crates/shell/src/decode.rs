//! Texts that stand in another form in a line or in code before they are used: in base64, as digits.

use super::hole::{HOLE, MADE};

/// Returns what a text in base64 stands for, of either alphabet; `None` where it is no text in base64.
pub fn base64(text: &str) -> Option<String> {
    let (mut bytes, mut bits, mut held) = (Vec::new(), 0_u32, 0_u32);
    for byte in text.bytes().filter(|byte| !byte.is_ascii_whitespace()) {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => return None,
        };
        held = (held << 6 | u32::from(value)) & 0xFFFF;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits & 0xFF) as u8);
        }
    }
    plain(bytes)
}

/// Returns what hexadecimal digits stand for; `None` where there are other signs, or an odd number of them.
pub fn hexadecimal(text: &str) -> Option<String> {
    let digits: Vec<u32> = text
        .chars()
        .filter(|character| !character.is_whitespace())
        .map(|character| character.to_digit(16))
        .collect::<Option<_>>()?;
    let byte = |pair: &[u32]| match pair {
        [high, low] => Some((high * 16 + low) as u8),
        _ => None,
    };
    plain(digits.chunks(2).map(byte).collect::<Option<_>>()?)
}

/// Bytes as a text, where they are one that a shell takes.
fn plain(bytes: Vec<u8>) -> Option<String> {
    String::from_utf8(bytes).ok().filter(|text| !text.contains(['\0', HOLE, MADE]))
}

#[cfg(test)]
mod tests {
    use super::{base64, hexadecimal};

    #[test]
    fn texts_come_back() {
        assert_eq!(base64("cm0gLXJmIHNyYw==").as_deref(), Some("rm -rf src"));
        assert_eq!(base64("cm0gLXJm\nIHNyYw").as_deref(), Some("rm -rf src"));
        assert_eq!(base64("rm -rf (src)"), None);
        assert_eq!(base64("////"), None);
        assert_eq!(hexadecimal("726d202d72662073 7263").as_deref(), Some("rm -rf src"));
        assert_eq!(hexadecimal("726"), None);
        assert_eq!(hexadecimal("zz"), None);
    }
}
