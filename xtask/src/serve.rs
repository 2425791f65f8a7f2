//! `cargo xtask serve`: the page at an address of this machine.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ExitCode};
use std::thread;
use std::time::Duration;

use anyhow::Context as _;

use crate::page;
use crate::process::{line, run};
use crate::provision;
use crate::toolchain::Toolchain;

/// The one in Trunk.toml, so that a bookmark holds for `trunk serve` too. The address also counts as the origin
/// that a model server may have been told to allow.
const USUAL_PORT: u16 = 8080;

pub(crate) fn serve(root: &Path, port: Option<u16>) -> anyhow::Result<ExitCode> {
    let port = choose_port(port, USUAL_PORT)?;
    let host = Toolchain::host();
    let wasm = provision::wasm_target(root, &host)?;
    provision::wasm_bindgen(root, &host)?;
    provision::trunk(&host)?;

    // Built before it is served: trunk serves whatever is there, also after a build that failed.
    run("the page, in release", &mut page::trunk(root, &wasm, ["build", "--release"]))?;
    let number = port.to_string();
    let args = ["serve", "--release", "--address", "127.0.0.1", "--port", &number];
    let mut trunk = page::trunk(root, &wasm, args);
    eprintln!("==> serving, and building again after each change: {}", line(&trunk));
    let mut child = trunk.spawn().context("trunk could not be started")?;
    if answers(&mut child, port)? {
        println!("Brimline is at http://127.0.0.1:{port}/ (Ctrl-C ends it)");
    }
    let status = child.wait()?;
    anyhow::ensure!(status.success(), "trunk ended ({status}); what it printed above says why");
    Ok(ExitCode::SUCCESS)
}

/// A port that nobody listens on. One that the person named is never swapped for another.
fn choose_port(named: Option<u16>, usual: u16) -> anyhow::Result<u16> {
    let wanted = named.unwrap_or(usual);
    match TcpListener::bind((Ipv4Addr::LOCALHOST, wanted)) {
        Ok(listener) => Ok(listener.local_addr()?.port()),
        Err(error) if named.is_some() => {
            Err(error).with_context(|| format!("port {wanted} can't be used: name another with --port"))
        }
        Err(error) => {
            let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
            eprintln!("    port {wanted} can't be used ({error}); taking {port}");
            Ok(port)
        }
    }
}

/// Waits until the page is served; `false` once trunk has ended instead.
fn answers(child: &mut Child, port: u16) -> anyhow::Result<bool> {
    while child.try_wait()?.is_none() {
        if TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return Ok(true);
        }
        thread::sleep(Duration::from_millis(100));
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_only_swapped_if_nobody_named_it() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let port = taken.local_addr().unwrap().port();
        assert_ne!(choose_port(None, port).unwrap(), port);
        let error = choose_port(Some(port), USUAL_PORT).unwrap_err();
        assert_eq!(error.to_string(), format!("port {port} can't be used: name another with --port"));
    }

    #[test]
    fn a_free_port_is_taken_as_named() {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        assert_eq!(choose_port(Some(free), USUAL_PORT).unwrap(), free);
    }
}
