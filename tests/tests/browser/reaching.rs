//! Reaching a server at all: each failure names its cause and one thing to do, and the conversation stays.

use crate::harness::{Host, Page};
use brimline_tests::server::{Settings, spawn};
use thirtyfour::prelude::*;

#[tokio::test]
async fn a_refused_origin_shows_the_line_to_set() -> WebDriverResult<()> {
    let server = spawn(Settings::default()).await.unwrap();
    // Chromium leads every name under `localhost` to this machine; Ollama allows only `localhost` itself.
    let page = Page::open_from(Host::Named("brimline.localhost"), (1_280, 900)).await?;
    page.set("server-kind", "server").await?;
    page.set("server-url", &server.url()).await?;
    page.click("server-connect").await?;
    let line = page.text("origins-line").await?;
    assert!(line.contains(&format!("OLLAMA_ORIGINS={}", page.origin())), "{line}");
    page.screenshot("origin-refused").await?;
    page.close().await
}

#[tokio::test]
async fn a_server_that_is_down_is_told_from_one_that_refuses() -> WebDriverResult<()> {
    let server = spawn(Settings::default()).await.unwrap();
    let url = server.url();
    drop(server);
    let page = Page::open().await?;
    page.set("server-kind", "server").await?;
    page.set("server-url", &url).await?;
    page.click("server-connect").await?;
    let told = page.text("connection-error").await?;
    assert!(told.contains(&url), "{told}");
    assert_eq!(page.count("[data-testid='origins-line']").await?, 0);
    page.screenshot("server-down").await?;
    page.close().await
}

#[tokio::test]
async fn a_model_without_tools_says_so() -> WebDriverResult<()> {
    let server = spawn(Settings::default()).await.unwrap();
    let page = Page::open().await?;
    page.connect(&server.url(), "no-tools:1b").await?;
    page.ask("Read README.md, please.").await?;
    let ending = page.ending().await?;
    assert_eq!(ending.ending, "provider_error");
    assert!(page.text("ending").await?.contains("tools"));
    assert_eq!(page.count("[data-testid='entry'][data-kind='request']").await?, 1);
    page.screenshot("no-tools").await?;
    page.close().await
}
