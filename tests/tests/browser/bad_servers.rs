//! Servers that break, babble or say nothing: one clear message each, and nothing of the conversation is lost.

use crate::harness::Page;
use brimline_tests::server::{Fault, Settings, spawn};
use thirtyfour::prelude::*;

#[tokio::test]
async fn every_fault_ends_in_one_clear_message() -> WebDriverResult<()> {
    let server = spawn(Settings::default()).await.unwrap();
    let page = Page::open().await?;
    page.connect(&server.url(), "talker:7b").await?;
    page.set("time-limit", "2").await?;
    let mut told = Vec::new();
    for (asked, fault) in Fault::ALL.into_iter().enumerate() {
        server.set_fault(Some(fault));
        page.ask("Write 40 words.").await?;
        // The banner of the run before is gone when the next run begins.
        page.wait_for_count("[data-testid='entry'][data-kind='request']", asked + 1).await?;
        let ending = page.ending().await?;
        assert_eq!((ending.ending.as_str(), ending.looks_normal), ("provider_error", false), "{fault:?}");
        // Earlier endings stay in the transcript: this one is the latest.
        let happened = page.wait_for("[data-testid='ending'] [data-testid='ending-happened']").await?;
        told.push((fault.name(), page.text_of(&happened).await?));
        assert_eq!(page.count("[data-testid='entry'][data-kind='request']").await?, asked + 1, "{fault:?}");
        page.screenshot(&format!("fault-{}", fault.name())).await?;
    }
    let distinct: std::collections::BTreeSet<&str> = told.iter().map(|(_, text)| text.as_str()).collect();
    // A stream that breaks and one that ends in half a JSON are the same to a reader: the connection closed too early.
    assert!(distinct.len() >= 4, "{told:#?}");

    // The server is well again, and so is the conversation.
    server.set_fault(None);
    page.ask("Write 5 words.").await?;
    page.wait_for("[data-testid='ending'][data-ending='end_turn']").await?;
    page.close().await
}
