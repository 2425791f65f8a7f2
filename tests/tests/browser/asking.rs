//! What is asked of a server before the first request: its window, whether it refuses, and for another window.

use crate::folder_fixture::{open_folder, sources};
use crate::harness::Page;
use brimline_core::simulate::Face;
use brimline_tests::server::{Settings, spawn};
use thirtyfour::prelude::*;

#[tokio::test]
async fn ollama_tells_its_window_before_the_first_request() -> WebDriverResult<()> {
    let server = spawn(Settings::default()).await.unwrap();
    let page = Page::open().await?;
    page.connect(&server.url(), "reader:7b").await?;
    let told = page.wait_for("[data-testid='window-shown'][data-source='told']").await?;
    assert!(page.text_of(&told).await?.contains("4,096"), "{}", page.text_of(&told).await?);
    page.wait_for("[data-testid='rungs'] [data-rung='refuses'][data-holds='yes']").await?;
    // A window that the reader set larger is flagged at once.
    page.set("window-set", "128000").await?;
    page.wait_for("[data-testid='window-conflict']").await?;
    assert_eq!(page.count("[data-testid='turn']").await?, 0);
    page.set("window-set", "").await?;

    // Asked for another window, it loads the model anew and tells that one.
    page.set("num-ctx", "8192").await?;
    let told = page.wait_for("[data-testid='window-shown'][data-source='told']").await?;
    for _ in 0..50 {
        if page.text_of(&told).await?.contains("8,192") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    assert!(page.text_of(&told).await?.contains("8,192"), "{}", page.text_of(&told).await?);
    page.screenshot("asking").await?;
    page.close().await
}

#[tokio::test]
async fn a_server_that_has_only_v1_is_asked_for_no_window() -> WebDriverResult<()> {
    let server = spawn(Settings { face: Face::Proxy, ..Settings::default() }).await.unwrap();
    let page = Page::open().await?;
    page.connect(&server.url(), "reader:7b").await?;
    page.wait_for("[data-testid='rungs'] [data-rung='refuses'][data-holds='unknown']").await?;
    assert_eq!(page.count("[data-testid='num-ctx-slider']").await?, 0);
    page.close().await
}

#[tokio::test]
async fn after_a_refusal_a_larger_window_can_be_asked_for() -> WebDriverResult<()> {
    let server = spawn(Settings::default()).await.unwrap();
    let page = Page::open().await?;
    page.connect(&server.url(), "reader:7b").await?;
    page.set("window-set", "128000").await?;
    page.browser
        .execute("document.querySelector(\"[data-testid='settings']\").open = true", Vec::new())
        .await?;
    page.click("policy-recover").await?;
    open_folder(&page, "project", &sources(8, 60)).await?;
    page.ask("Read the files under src/ and say which is the longest.").await?;
    let ending = page.ending().await?;
    assert_eq!((ending.ending.as_str(), ending.looks_normal), ("context_overflow", false));
    page.screenshot("offers").await?;
    page.click("recover-raise-window").await?;
    let ending = page.ending().await?;
    assert!(ending.looks_normal, "{ending:?}");
    assert!(page.answer().await?.contains("src/h.rs"), "{}", page.answer().await?);
    page.close().await
}
