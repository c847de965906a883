//! Redirections: their signs, and what stands behind them.

use super::command::{Redirect, RedirectKind, Target};
use super::context::Context;
use super::reader::{Reader, is_name};

impl<'t> Reader<'t, '_> {
    /// One redirection, if there is one.
    #[inline]
    pub fn redirect(&mut self, context: &Context) -> bool {
        // Most words are told by their first letter.
        matches!(self.peek(), Some(b'<' | b'>' | b'&' | b'{' | b'0'..=b'9'))
            && self.redirect_here(context)
    }

    fn redirect_here(&mut self, context: &Context) -> bool {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        if self.at == start && self.peek() == Some(b'{') {
            // `{fd}>file`, `{fds[1]}>&-`
            let is_named = |byte: u8| is_name(byte) || matches!(byte, b'[' | b']');
            let end = self.rest().bytes().skip(1).position(|byte| !is_named(byte));
            if let Some(end) = end
                && self.peek_at(end + 1) == Some(b'}')
                && matches!(self.peek_at(end + 2), Some(b'<' | b'>'))
            {
                self.at += end + 2;
            }
        }
        let Some(kind) = self.redirect_sign() else {
            self.at = start;
            return false;
        };
        if kind == RedirectKind::Duplicate && self.closes() {
            return true;
        }
        self.skip_blanks();
        if kind == RedirectKind::HereDocument {
            self.await_here_document(context);
            return true;
        }
        let from = self.at;
        let word = self.value(context);
        if self.at == from {
            self.broken();
        }
        let text = self.line.text(&word);
        let reads = self.text.get(start..from).is_some_and(|sign| sign.contains('<'));
        let kind = match kind {
            // `<&3` reads what that descriptor reads.
            RedirectKind::Duplicate if reads && !matches!(text, "" | "0" | "-") => {
                RedirectKind::Read
            }
            // `>&file` writes to the file; `>&1` and `>&-` name a descriptor.
            RedirectKind::Duplicate
                if !text.is_empty()
                    && !text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') =>
            {
                RedirectKind::Write
            }
            kind => kind,
        };
        self.line.pending.redirects.push(Redirect { kind, target: Target::Word(word) });
        true
    }

    /// Behind `<&` or `>&`: takes the sign that closes a descriptor. What follows it is a word of its own, even without a blank:
    /// `<&-rm x` runs `rm`.
    fn closes(&mut self) -> bool {
        self.skip_joints();
        let start = self.at;
        if !self.take("-") {
            return false;
        }
        let span = self.span(start, self.at);
        let word = self.line.add_text("-", span);
        let target = Target::Word(word);
        self.line.pending.redirects.push(Redirect { kind: RedirectKind::Duplicate, target });
        true
    }

    fn redirect_sign(&mut self) -> Option<RedirectKind> {
        use RedirectKind::{Append, Duplicate, HereDocument, HereString, Read, ReadWrite, Write};
        let (kind, length) = match (self.peek()?, self.peek_at(1), self.peek_at(2)) {
            // `<( … )` and `>( … )` are words.
            (b'<' | b'>', Some(b'('), _) => return None,
            (b'&', Some(b'>'), Some(b'>')) => (Append, 3),
            (b'&', Some(b'>'), _) => (Write, 2),
            (b'<', Some(b'<'), Some(b'<')) => (HereString, 3),
            (b'<', Some(b'<'), _) => (HereDocument, 2),
            (b'<', Some(b'>'), _) => (ReadWrite, 2),
            (b'<' | b'>', Some(b'&'), _) => (Duplicate, 2),
            (b'>', Some(b'>'), _) => (Append, 2),
            (b'>', Some(b'|'), _) => (Write, 2),
            (b'<', ..) => (Read, 1),
            (b'>', ..) => (Write, 1),
            _ => return None,
        };
        self.at += length;
        Some(kind)
    }
}
