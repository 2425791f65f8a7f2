//! *Check my server*, from the link in the header to the verdict.

use crate::harness::{Host, Page};
use brimline_core::simulate::Face;
use brimline_tests::server::{Settings, spawn};
use std::time::Duration;
use thirtyfour::prelude::*;

/// Opens the check's view and begins.
async fn start(page: &Page) -> WebDriverResult<()> {
    page.click("check-link").await?;
    page.click("check-start").await
}

/// The verdict and the measured window, once they are there.
async fn verdict(page: &Page) -> WebDriverResult<(String, Option<String>)> {
    let verdict = page.find("check-report").await?.attr("data-verdict").await?;
    let window = page.find("check-window").await?.attr("data-tokens").await?;
    Ok((verdict.unwrap_or_default(), window))
}

#[tokio::test]
async fn a_server_that_refuses_is_called_honest() -> WebDriverResult<()> {
    let server =
        spawn(Settings { face: Face::LlamaServer, window: 6_000, ..Settings::default() }).await.unwrap();
    let page = Page::open_from(Host::Loopback, (1_280, 1_900)).await?;
    page.connect(&server.url(), "reader:7b").await?;
    start(&page).await?;
    assert_eq!(verdict(&page).await?, ("honest".into(), Some("6000".into())));
    page.screenshot("check-llama-server-light").await?;
    page.set("theme", "dark").await?;
    page.screenshot("check-llama-server-dark").await?;
    page.close().await
}

#[tokio::test]
async fn a_server_that_drops_is_found_out_and_its_window_can_be_used() -> WebDriverResult<()> {
    // The fixed conversation is of about 5,700 tokens to this server: it must not fit.
    let server = spawn(Settings { window: 5_000, ..Settings::default() }).await.unwrap();
    let page = Page::open_from(Host::Loopback, (500, 2_600)).await?;
    page.connect(&server.url(), "reader:7b").await?;
    page.set("window-set", "128000").await?;
    page.set("language", "es").await?;
    start(&page).await?;
    assert_eq!(verdict(&page).await?, ("silent-unless-asked".into(), Some("5000".into())));
    let findings = page.text("check-findings").await?;
    assert!(findings.contains("Tira los mensajes más antiguos"), "{findings}");
    assert!(findings.contains("la del primer mensaje (BRAVO-2718) se perdió"), "{findings}");
    let script = r#"
        document.documentElement.style.width = "360px";
        return document.querySelector("main.check").scrollWidth;
    "#;
    let width = page.browser.execute(script, Vec::new()).await?;
    assert!(width.json().as_f64().unwrap() <= 360.0, "{:?}", width.json());
    page.screenshot("check-ollama-light-narrow").await?;
    page.set("theme", "dark").await?;
    page.screenshot("check-ollama-dark-narrow").await?;

    page.click("check-use-window").await?;
    page.click("check-link").await?;
    page.wait_for("[data-testid='window-shown'][data-source='proven']").await?;
    let shown = page.text("window-shown").await?;
    assert!(shown.contains("5.000") || shown.contains("5000"), "{shown}");
    page.close().await
}

#[tokio::test]
async fn the_simulated_server_can_be_checked_without_any_other() -> WebDriverResult<()> {
    let page = Page::open().await?;
    start(&page).await?;
    page.find("check-progress").await?;
    assert_eq!(verdict(&page).await?, ("silent-unless-asked".into(), Some("4096".into())));
    assert!(page.count("[data-testid='check-counts'] tbody tr").await? >= 4);
    page.close().await
}

#[tokio::test]
async fn a_check_can_be_stopped_and_tells_what_it_knows() -> WebDriverResult<()> {
    let pause = Duration::from_millis(700);
    let server = spawn(Settings { face: Face::Proxy, pause, ..Settings::default() }).await.unwrap();
    let page = Page::open().await?;
    page.connect(&server.url(), "reader:7b").await?;
    start(&page).await?;
    page.wait_for("[data-testid='check-progress']").await?;
    page.screenshot("check-progress").await?;
    page.click("check-stop").await?;
    assert_eq!(verdict(&page).await?.0, "stopped");
    // The conversation can go on.
    page.click("check-link").await?;
    page.set("server-kind", "simulated").await?;
    page.click("example").await?;
    page.ending().await?;
    page.close().await
}
