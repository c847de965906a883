//! What people tell an agent: what a message asks for, allows, refuses and limits, and what exactly it names.
//!
//! A message is read in this order: the lines that are the user's own ([`blocks`], [`pasted`]), their language
//! ([`other_languages`]), their sentences ([`sentences`]) in plain words ([`plainly`], [`idioms`]), what of those is asked for
//! and what is refused ([`message`], [`own_plans`], [`forbidden`]), what is said of files ([`files`]), where acts begin
//! ([`acts`]), and what an act names ([`phrase`], [`wishes`], [`places`], [`spoken`]). What no form of words finds, weights
//! may hear ([`learned`]). Knows no rules and no images: whoever asks holds the clauses against patterns, and a command against
//! [`wish::Wish`]es and [`thing::Thing`]s.
//!
//! ```
//! use behavior_intent::act::Act;
//! use behavior_intent::message::Said;
//!
//! let said = Said::of("fix the parser, but don't push yet. leave config/ alone");
//! assert_eq!(said.forbidden, [Act::Push]);
//! assert!(!said.left_alone.is_empty());
//! ```
#![forbid(unsafe_code)]
#![allow(
    rustdoc::private_intra_doc_links,
    reason = "the front page draws the way through the private modules"
)]

pub mod about;
pub mod act;
pub mod acts;
mod antecedent;
pub mod assent;
mod blocks;
mod certain;
pub mod choice;
mod context;
mod dependencies;
mod exceptions;
pub mod fences;
pub mod files;
mod fnv;
pub mod forbidden;
mod grammar;
mod idioms;
pub mod installed;
pub mod learned;
mod lexicon;
pub mod message;
pub mod needed;
mod noes;
pub mod offer;
mod other_languages;
mod own_plans;
mod pasted;
mod phrase;
pub mod places;
mod plainly;
pub mod questions;
mod reshaping;
mod runs;
pub mod scheduled;
pub mod sentences;
pub mod spoken;
pub mod thing;
mod told;
mod topics;
pub mod until;
pub mod visible;
mod vocabulary;
pub mod wish;
pub mod wishes;
