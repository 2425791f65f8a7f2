//! When the conversation does not fit: silently cut, cleared, compacted, refused.

use crate::folder_fixture::{open_folder, sources};
use crate::harness::Page;
use brimline_core::simulate::Face;
use brimline_tests::server::{RunningServer, Settings, spawn};
use thirtyfour::prelude::*;

const REQUEST: &str = "Read the files under src/ and say which is the longest.";

/// A page with a folder of so many files of so many lines, connected to a server; the window is set if it is given.
async fn opened(
    server: &RunningServer,
    window_set: Option<&str>,
    (files, lines): (usize, usize),
) -> WebDriverResult<Page> {
    let page = Page::open().await?;
    page.connect(&server.url(), "reader:7b").await?;
    if let Some(window) = window_set {
        page.set("window-set", window).await?;
    }
    open_folder(&page, "project", &sources(files, lines)).await?;
    Ok(page)
}

#[tokio::test]
async fn the_server_drops_the_request_and_the_page_notices() -> WebDriverResult<()> {
    // Behind a proxy that knows only `/v1`, the server can't be asked to refuse.
    let server = spawn(Settings { face: Face::Proxy, ..Settings::default() }).await.unwrap();
    let page = opened(&server, Some("128000"), (8, 60)).await?;
    page.ask(REQUEST).await?;
    let ending = page.ending().await?;
    assert_eq!((ending.ending.as_str(), ending.looks_normal), ("context_overflow", false));
    // The server said 200 all along: it dropped the request without a word.
    let log = server.log();
    assert!(log.iter().all(|exchange| exchange.read_tokens.is_some()), "{log:?}");
    assert!(log.iter().any(|exchange| !exchange.request_survived), "{log:?}");

    // The answer is set aside and readable, and the history is whole.
    let set_aside = page.wait_for("[data-testid='entry'][data-standing='set-aside']").await?;
    assert!(!page.text_of(&set_aside).await?.trim().is_empty());
    let results = page.count("[data-testid='entry'][data-kind='tool']").await?;
    assert_eq!(page.count("[data-testid='entry'][data-kind='tool'][data-standing='sent']").await?, results);
    assert_eq!(page.count("[data-testid='entry'][data-kind='request'][data-standing='sent']").await?, 1);

    // A proxy has no way to show what the model saw, and the page says so.
    page.click("read-back").await?;
    page.wait_for("[data-testid='read-back-not-shown']").await?;

    // The picture shows where the request left, and which window the evidence shows.
    page.wait_for("[data-testid='request-left']").await?;
    page.wait_for("[data-testid='segment'][data-kind='request'][data-dropped='true']").await?;
    page.wait_for("[data-testid='window-evidence']").await?;
    page.wait_for("[data-testid='window-conflict']").await?;
    for part in ["ending-happened", "ending-why", "ending-do"] {
        assert!(!page.text(part).await?.trim().is_empty(), "{part}");
    }
    page.screenshot("overflow-light").await?;
    page.set("theme", "dark").await?;
    page.screenshot("overflow-dark").await?;
    page.set("theme", "light").await?;

    // Going by the window that the server really has, the same request finds its answer.
    page.click("recover-use-window").await?;
    let ending = page.ending().await?;
    assert!(ending.looks_normal, "{ending:?}");
    assert!(page.answer().await?.contains("src/h.rs"), "{}", page.answer().await?);
    page.screenshot("recovered").await?;
    page.close().await
}

#[tokio::test]
async fn clear_and_compact_are_seen_in_the_picture() -> WebDriverResult<()> {
    let server = spawn(Settings { window: 8_192, ..Settings::default() }).await.unwrap();
    let page = opened(&server, Some("8192"), (12, 38)).await?;
    page.ask(REQUEST).await?;
    let ending = page.ending().await?;
    assert!(ending.looks_normal, "{ending:?}");
    assert!(page.answer().await?.contains("src/l.rs"), "{}", page.answer().await?);
    assert!(page.count("[data-testid='segment'][data-form='cleared']").await? > 0);
    page.screenshot("cleared").await?;
    page.close().await?;

    let server = spawn(Settings::default()).await.unwrap();
    let page = opened(&server, None, (8, 40)).await?;
    page.ask(REQUEST).await?;
    let ending = page.ending().await?;
    assert!(ending.looks_normal, "{ending:?}");
    assert!(page.count("[data-testid='turn'][data-purpose='compaction']").await? > 0);
    assert!(page.count("[data-testid='entry'][data-standing='compacted']").await? > 0);
    assert_eq!(page.count("[data-testid='entry'][data-kind='request'][data-standing='sent']").await?, 1);
    page.screenshot("compacted").await?;
    page.close().await
}

#[tokio::test]
async fn a_refusal_proves_the_window_and_the_answer_arrives() -> WebDriverResult<()> {
    for face in [Face::LlamaServer, Face::Ollama033, Face::Ollama012] {
        let server = spawn(Settings { face, ..Settings::default() }).await.unwrap();
        let page = opened(&server, Some("128000"), (8, 60)).await?;
        page.ask(REQUEST).await?;
        let ending = page.ending().await?;
        assert!(ending.looks_normal, "{}: {ending:?}", face.name());
        assert!(page.answer().await?.contains("src/h.rs"), "{}", page.answer().await?);
        let proven = page.wait_for("[data-testid='window-shown'][data-source='proven']").await?;
        assert!(page.text_of(&proven).await?.contains("4,096"), "{}", page.text_of(&proven).await?);
        // Nothing was lost: whatever the model answered from, it had read whole.
        let log = server.log();
        assert!(
            log.iter().all(|exchange| exchange.read_tokens.is_none_or(|read| read == exchange.true_tokens))
        );
        page.screenshot(&format!("refused-{}", face.name())).await?;
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn what_the_model_saw_can_be_read_message_by_message() -> WebDriverResult<()> {
    for (face, is_ollama) in [(Face::Ollama033, true), (Face::LlamaServer, false)] {
        let server = spawn(Settings { face, ..Settings::default() }).await.unwrap();
        let page = opened(&server, None, (3, 20)).await?;
        page.ask(REQUEST).await?;
        assert!(page.ending().await?.looks_normal);
        page.click("read-back").await?;
        page.wait_for("[data-testid='read-back-verdict'][data-found='true']").await?;
        let rows = page.count("[data-testid='read-back-messages'] [data-fate='kept']").await?;
        assert!(rows > 4, "{rows}");
        assert_eq!(page.count("[data-testid='read-back-messages'] [data-fate='dropped']").await?, 0);
        assert_eq!(page.count("[data-testid='read-back-messages'] [data-request='true']").await?, 1);
        if is_ollama {
            page.screenshot("read-back").await?;
        }
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_server_that_counts_nothing_is_never_shown_as_safe() -> WebDriverResult<()> {
    let server = spawn(Settings { face: Face::Blind, window: 16_384, ..Settings::default() }).await.unwrap();
    let page = opened(&server, None, (2, 10)).await?;
    page.ask(REQUEST).await?;
    let ending = page.ending().await?;
    assert_eq!((ending.assurance.as_str(), ending.looks_normal), ("unverified", false));
    page.screenshot("unverified").await?;
    page.close().await
}
