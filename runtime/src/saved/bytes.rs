//! Numbers and texts as bytes: what is put there, and what is read of it.

use super::error::{SavedError, damaged};

pub(super) fn put_number(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Small numbers of either sign take few bytes.
pub(super) fn put_signed(number: i64, out: &mut Vec<u8>) {
    put_number(((number << 1) ^ (number >> 63)) as u64, out);
}

pub(super) fn put_text(text: &str, out: &mut Vec<u8>) {
    put_number(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

pub(super) fn put_optional(text: Option<&str>, out: &mut Vec<u8>) {
    out.push(u8::from(text.is_some()));
    if let Some(text) = text {
        put_text(text, out);
    }
}

/// Reads forward; everything that it returns lies inside the bytes.
pub(super) struct Reader<'b> {
    pub rest: &'b [u8],
}

impl<'b> Reader<'b> {
    pub fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, SavedError>,
    ) -> Result<Vec<T>, SavedError> {
        let count = self.count()?;
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// How many items follow. Each takes two bytes at least, so that a made-up count reserves little.
    pub fn count(&mut self) -> Result<usize, SavedError> {
        let count = self.number()?;
        if count > self.rest.len() as u64 / 2 {
            return Err(damaged("it ends too early"));
        }
        Ok(count as usize)
    }

    pub fn byte(&mut self) -> Result<u8, SavedError> {
        let (&byte, rest) = self.rest.split_first().ok_or(damaged("it ends too early"))?;
        self.rest = rest;
        Ok(byte)
    }

    pub fn yes_or_no(&mut self) -> Result<bool, SavedError> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(damaged("something is neither true nor false")),
        }
    }

    #[inline]
    pub fn number(&mut self) -> Result<u64, SavedError> {
        // Nearly all numbers are small.
        if let Some((&byte @ ..0x80, rest)) = self.rest.split_first() {
            self.rest = rest;
            return Ok(byte.into());
        }
        self.large_number()
    }

    fn large_number(&mut self) -> Result<u64, SavedError> {
        let mut number = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            if part << shift >> shift != part {
                break;
            }
            number |= part << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(damaged("a number is too large"))
    }

    pub fn small_number(&mut self) -> Result<u32, SavedError> {
        u32::try_from(self.number()?).map_err(|_| damaged("a number is too large"))
    }

    pub fn signed(&mut self) -> Result<i64, SavedError> {
        let number = self.number()?;
        Ok((number >> 1) as i64 ^ -((number & 1) as i64))
    }

    pub fn text(&mut self) -> Result<&'b str, SavedError> {
        let length = usize::try_from(self.number()?).unwrap_or(usize::MAX);
        let (text, rest) =
            self.rest.split_at_checked(length).ok_or(damaged("it ends too early"))?;
        self.rest = rest;
        std::str::from_utf8(text).map_err(|_| damaged("a text is not UTF-8"))
    }

    pub fn optional(&mut self) -> Result<Option<&'b str>, SavedError> {
        Ok(if self.yes_or_no()? { Some(self.text()?) } else { None })
    }
}
