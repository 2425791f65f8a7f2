//! A first run needs nothing: no server, no folder.

use crate::harness::{Ending, Host, Page};
use thirtyfour::prelude::*;

#[tokio::test]
async fn a_first_run_needs_nothing() -> WebDriverResult<()> {
    let page = Page::open().await?;
    page.screenshot("first-run-before").await?;
    page.click("example").await?;
    assert_eq!(page.ending().await?, Ending::new("end_turn", "verified", true));
    assert!(page.answer().await?.contains("src/predict.py"), "{}", page.answer().await?);
    assert!(page.count("[data-testid='turn']").await? > 2);
    assert_eq!(page.count("[data-testid='request-left']").await?, 0);
    page.screenshot("first-run-after").await?;
    page.close().await
}

#[tokio::test]
async fn a_request_disappears_in_the_simulated_server_and_the_page_says_so() -> WebDriverResult<()> {
    let page = Page::open().await?;
    // An Ollama that is spoken to in its own way refuses; behind this one, it drops without a word.
    page.set("sim-overflow", "proxy").await?;
    page.set("window-set", "128000").await?;
    page.click("example").await?;
    let ending = page.ending().await?;
    assert_eq!((ending.ending.as_str(), ending.looks_normal), ("context_overflow", false));
    page.wait_for("[data-testid='request-left']").await?;
    page.screenshot("request-disappears").await?;
    page.close().await
}

#[tokio::test]
async fn the_page_speaks_spanish_and_fits_a_phone_in_the_dark() -> WebDriverResult<()> {
    let page = Page::open_from(Host::Loopback, (500, 900)).await?;
    page.set("language", "es").await?;
    page.set("theme", "dark").await?;
    page.click("example").await?;
    page.ending().await?;
    let language = page.browser.find(By::Tag("html")).await?.attr("lang").await?;
    assert_eq!(language.as_deref(), Some("es"));
    // Chromium's window is at least 500 px wide: the phone's width is set on the page's own frame.
    let script = r#"
        document.documentElement.style.width = "360px";
        return document.documentElement.scrollWidth;
    "#;
    let width = page.browser.execute(script, Vec::new()).await?;
    assert!(width.json().as_f64().unwrap() <= 500.0, "{:?}", width.json());
    page.screenshot("spanish-dark-narrow").await?;
    page.reload().await?;
    let language = page.browser.find(By::Tag("html")).await?.attr("lang").await?;
    assert_eq!(language.as_deref(), Some("es"), "the language is remembered");
    page.close().await
}
