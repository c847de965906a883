//! Bytes that choices are made from. Knows nothing of what is chosen.

/// Bytes that choices are made from; when they run out, every choice is the first.
#[derive(Clone, Debug)]
pub struct Choices<'b> {
    bytes: std::slice::Iter<'b, u8>,
    /// Whether conditions ask for the files that calls touch: images are large then.
    pub(super) about_files: bool,
}

impl<'b> Choices<'b> {
    /// Choices made from `bytes`.
    #[must_use]
    pub fn new(bytes: &'b [u8]) -> Self {
        Self { bytes: bytes.iter(), about_files: false }
    }

    pub(super) fn byte(&mut self) -> u8 {
        self.bytes.next().copied().unwrap_or(0)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit
    }

    /// True in `one` of `of` cases; false when the bytes have run out.
    pub(super) fn rarely(&mut self, of: usize) -> bool {
        self.below(of) == of - 1
    }

    pub(super) fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[self.below(of.len())]
    }

    pub(super) fn some(&mut self, from: &[&str], most: usize) -> Vec<String> {
        (0..self.below(most + 1)).map(|_| self.one(from).to_owned()).collect()
    }
}

/// What a case is made from.
#[derive(Clone, Debug, Default)]
pub struct Seed {
    /// Bytes of what concerns the whole config.
    pub config: Vec<u8>,
    /// Bytes of each rule.
    pub rules: Vec<Vec<u8>>,
    /// Bytes of each event.
    pub events: Vec<Vec<u8>>,
}
