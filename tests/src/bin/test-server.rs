//! The test server as a program: `cargo run -p brimline-tests --bin test-server -- --face ollama-0.33 --window 4096`.

#![expect(clippy::print_stdout, reason = "a command line's answer")]

use brimline_core::simulate::Face;
use brimline_tests::server::{Fault, Settings, spawn};
use lexopt::prelude::*;
use std::time::Duration;

const USAGE: &str = "\
A model server that behaves like a real one when a conversation doesn't fit.

  --port N       the port; 0, the default, takes any that is free
  --face NAME    which server it is (ollama-0.33)
  --window N     its window in tokens (4096)
  --pause MS     the pause between two pieces of an answer, in milliseconds (0)
  --fault NAME   what goes wrong with every answer";

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut settings = Settings::default();
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        match argument {
            Long("port") => settings.port = arguments.value()?.parse()?,
            Long("window") => settings.window = arguments.value()?.parse()?,
            Long("pause") => settings.pause = Duration::from_millis(arguments.value()?.parse()?),
            Long("face") => {
                let name = arguments.value()?.string()?;
                settings.face = Face::from_name(&name).ok_or_else(|| {
                    let known = Face::ALL.map(Face::name).join(", ");
                    format!("--face {name}: the faces are {known}")
                })?;
            }
            Long("fault") => {
                let name = arguments.value()?.string()?;
                settings.fault = Some(Fault::from_name(&name).ok_or_else(|| {
                    let known = Fault::ALL.map(Fault::name).join(", ");
                    format!("--fault {name}: the faults are {known}")
                })?);
            }
            Long("help") => {
                println!("{USAGE}");
                return Ok(());
            }
            Short(_) | Long(_) | Value(_) => {
                return Err(format!("{}\n\n{USAGE}", argument.unexpected()).into());
            }
        }
    }
    let server = spawn(settings).await?;
    println!("{} listens on {}", settings.face.name(), server.url());
    server.run().await;
    Ok(())
}
