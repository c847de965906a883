//! Whether a text holds a secret: what the condition `contains_secret` asks. It may say of which
//! kind, never which one. `redact` gives texts without their secrets.
//!
//! Most texts are innocent, so a scan looks for the few pairs of bytes of which every kind of secret
//! has one in its prefix or after its name, and compares only there. What is compared is a bounded piece, or one run of
//! characters that no other comparison shares: the time is linear in the text.

mod forms;
mod options;
mod placeholder;
mod redact;
mod scan;
mod text;
mod vendors;

pub use redact::{is_to_be_hidden, redacted};
pub use scan::contains_secret;
