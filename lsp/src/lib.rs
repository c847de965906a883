//! The language server: protocol in, answers of the compiler out.
