//! The project's own commands: `cargo xtask serve`, `cargo xtask test`.

fn main() {}
