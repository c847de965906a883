//! The language server as an editor sees it: raw messages in, raw messages out.

mod client;
mod diagnostics;
mod lifecycle;
