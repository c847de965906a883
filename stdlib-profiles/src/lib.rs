//! The built-in profiles and rules as data files, embedded.
