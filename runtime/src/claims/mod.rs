//! What an agent's text claims of files, held against what was seen and what is there. No model is asked.

mod check;
mod extract;
mod seen;

pub(crate) use seen::Names;
