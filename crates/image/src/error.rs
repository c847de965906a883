//! Why bytes are not taken as an image.

use std::fmt;

use crate::format::{FORMAT_VERSION, LANGUAGE_VERSION, Section};

/// Why bytes are not taken as an image.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ImageError {
    /// The bytes are something else.
    NotAnImage,
    /// Another version wrote the image.
    Version {
        /// The program that wrote it.
        writer: String,
        /// Its layout.
        format: u16,
        /// Its language.
        language: u16,
    },
    /// The bytes are damaged.
    Damaged {
        /// Which part.
        section: &'static str,
        /// What is wrong with it.
        reason: &'static str,
    },
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnImage => write!(f, "this is not a compiled image"),
            Self::Version { writer, format, language } => write!(
                f,
                "the image was written by `{writer}` (format {format}, language {language}), and \
                 this program reads format {FORMAT_VERSION}, language {LANGUAGE_VERSION}: compile \
                 the rules again"
            ),
            Self::Damaged { section, reason } => {
                write!(f, "the image is damaged: {reason} ({section}): compile the rules again")
            }
        }
    }
}

impl std::error::Error for ImageError {}

pub(crate) fn damaged(section: Section, reason: &'static str) -> ImageError {
    ImageError::Damaged { section: section.name(), reason }
}
