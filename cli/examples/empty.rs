//! Nothing: what a process costs that does no work. `session_step` measures itself against it.

fn main() {}
