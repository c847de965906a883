//! The `behavior` command.
fn main() {}
