//! Ask, tools on real directory handles, answer; and stop.

use crate::folder_fixture::{File, open_folder, sources};
use crate::harness::{Ending, Page};
use brimline_tests::server::{Settings, spawn};
use std::time::Duration;
use thirtyfour::prelude::*;

const REQUEST: &str = "Read the files under src/ and say which is the longest.";

#[tokio::test]
async fn tools_run_on_real_handles_and_the_answer_arrives() -> WebDriverResult<()> {
    for model in ["reader:7b", "texter:1b"] {
        let server = spawn(Settings { window: 16_384, ..Settings::default() }).await.unwrap();
        let page = Page::open().await?;
        page.connect(&server.url(), model).await?;
        open_folder(&page, "project", &sources(3, 40)).await?;
        page.ask(REQUEST).await?;
        assert_eq!(page.ending().await?, Ending::new("end_turn", "verified", true), "{model}");
        assert!(page.answer().await?.contains("src/c.rs"), "{model}: {}", page.answer().await?);
        // One result of Glob and three of Read, all sent.
        assert_eq!(
            page.count("[data-testid='entry'][data-kind='tool'][data-standing='sent']").await?,
            4,
            "{model}"
        );
        assert_eq!(page.count("[data-testid='turn'][data-verdict='fits']").await?, 5, "{model}");
        assert_eq!(page.count("[data-testid='picture-table'] tbody tr").await?, 5, "{model}");
        page.screenshot(&format!("answer-{}", model.replace(':', "-"))).await?;
        page.close().await?;
    }
    Ok(())
}

#[tokio::test]
async fn a_second_request_goes_on_with_the_conversation() -> WebDriverResult<()> {
    let server = spawn(Settings { window: 16_384, ..Settings::default() }).await.unwrap();
    let page = Page::open().await?;
    page.connect(&server.url(), "reader:7b").await?;
    let mut files = sources(2, 10);
    files.push(File::Text("README.md", "# Ferry\n\nA timetable for one boat.\n".into()));
    open_folder(&page, "project", &files).await?;
    page.ask(REQUEST).await?;
    page.ending().await?;
    page.ask("Read README.md and say what this is.").await?;
    page.wait_for("[data-testid='turn'][data-turn='6']").await?;
    assert_eq!(page.ending().await?, Ending::new("end_turn", "verified", true));
    assert!(page.answer().await?.contains("A timetable for one boat."), "{}", page.answer().await?);
    assert_eq!(page.count("[data-testid='entry'][data-kind='request']").await?, 2);
    page.close().await
}

#[tokio::test]
async fn stop_in_mid_stream_keeps_what_had_come() -> WebDriverResult<()> {
    let pause = Duration::from_millis(30);
    let server = spawn(Settings { window: 16_384, pause, ..Settings::default() }).await.unwrap();
    let page = Page::open().await?;
    page.connect(&server.url(), "talker:7b").await?;
    page.ask("Write 3000 words.").await?;
    // Words are on the page while the model still writes.
    page.wait_for("[data-testid='stop']").await?;
    let streamed = async || -> WebDriverResult<String> { page.text("transcript").await };
    while !streamed().await?.contains("pale moon") {
        tokio::time::sleep(pause).await;
    }
    page.click("stop").await?;
    let ending = page.ending().await?;
    assert_eq!((ending.ending.as_str(), ending.looks_normal), ("cancelled", false));
    assert!(page.answer().await?.contains("pale moon"));
    page.screenshot("stopped").await?;
    // The server was told: it does not write on for nobody.
    for _ in 0..100 {
        if server.seen().abandoned > 0 {
            break;
        }
        tokio::time::sleep(pause).await;
    }
    assert_eq!(server.seen().abandoned, 1);
    assert_eq!(page.count("[data-testid='stop']").await?, 0);
    page.close().await
}
