//! What people say in a message: which of it is theirs, what of that they ask for, and what exactly they name. Read in
//! this order: the lines that are the user's own ([`blocks`], [`pasted`]), their language ([`other_languages`]), their
//! sentences ([`sentences`]) in plain words ([`plainly`], [`idioms`]), what of those is asked for and what is refused ([`message`], [`own_plans`], [`forbidden`]),
//! what is said of files ([`files`]), where acts begin ([`acts`]), and what an act names ([`phrase`], [`wishes`], [`places`], [`spoken`]). Knows no rules and no images: whoever
//! asks holds the clauses against patterns, and a command against [`wish::Wish`]es and [`thing::Thing`]s.

pub(crate) mod about;
pub(crate) mod act;
pub(crate) mod acts;
mod antecedent;
pub(crate) mod assent;
mod blocks;
mod certain;
pub(crate) mod choice;
mod context;
mod dependencies;
mod exceptions;
pub(crate) mod files;
pub(crate) mod forbidden;
mod grammar;
mod idioms;
pub(crate) mod installed;
mod lexicon;
pub(crate) mod message;
pub(crate) mod needed;
mod noes;
pub(crate) mod offer;
mod other_languages;
mod own_plans;
mod pasted;
mod phrase;
pub(crate) mod places;
mod plainly;
pub(crate) mod questions;
mod reshaping;
mod runs;
pub(crate) mod scheduled;
pub(crate) mod sentences;
pub(crate) mod spoken;
pub(crate) mod thing;
mod told;
mod topics;
pub(crate) mod until;
pub(crate) mod visible;
mod vocabulary;
pub(crate) mod wish;
pub(crate) mod wishes;
