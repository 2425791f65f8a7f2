//! The built page in a real Chromium, over HTTP.
//!
//! `cargo xtask test browser` builds the page and names its folder in `BRIMLINE_DIST`.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "in a test, a panic is the report")]

use std::net::Ipv4Addr;
use std::process::Stdio;
use std::time::Duration;

use thirtyfour::prelude::*;
use tokio::net::{TcpListener, TcpStream};
use tokio::process::{Child, Command};
use tower_http::services::ServeDir;

/// Serves the built page on a free port for as long as the runtime lives.
async fn serve_page() -> String {
    let dist = std::env::var_os("BRIMLINE_DIST").expect("BRIMLINE_DIST: run `cargo xtask test browser`");
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = axum::Router::new().fallback_service(ServeDir::new(dist));
    tokio::spawn(async { axum::serve(listener, router).await.unwrap() });
    format!("http://{address}/")
}

/// A driver of its own, which ends with the test.
async fn start_chromedriver() -> (Child, String) {
    let program = std::env::var_os("CHROMEDRIVER").unwrap_or_else(|| "chromedriver".into());
    let port = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let mut command = Command::new(program);
    command.arg(format!("--port={port}")).stdout(Stdio::null()).kill_on_drop(true);
    let mut child = command.spawn().expect("chromedriver starts");
    while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.is_err() {
        assert_eq!(child.try_wait().unwrap(), None, "chromedriver ended at once");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    (child, format!("http://127.0.0.1:{port}"))
}

#[tokio::test]
async fn the_page_shows_its_name() -> WebDriverResult<()> {
    let page = serve_page().await;
    let (_chromedriver, driver) = start_chromedriver().await;
    let mut capabilities = DesiredCapabilities::chrome();
    // Chromium's sandbox doesn't start for root, as whom CI runs; the page under test is our own.
    for argument in ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage"] {
        capabilities.add_arg(argument)?;
    }
    let browser = WebDriver::new(driver, capabilities).await?;
    browser.goto(page).await?;
    let heading = browser.query(By::Tag("h1")).wait(Duration::from_secs(10), Duration::from_millis(50));
    let text = heading.first().await?.text().await;
    browser.quit().await?;
    assert_eq!(text?, "Brimline");
    Ok(())
}
