//! Folders with what folders have: binary files, bytes that are no text, odd names, files of 100 MB.

use crate::folder_fixture::{File, open_folder};
use crate::harness::Page;
use brimline_tests::server::{Settings, spawn};
use thirtyfour::prelude::*;

#[tokio::test]
async fn nothing_in_a_folder_breaks_a_run() -> WebDriverResult<()> {
    let server = spawn(Settings { window: 32_768, ..Settings::default() }).await.unwrap();
    let page = Page::open().await?;
    page.connect(&server.url(), "reader:7b").await?;
    let files = [
        File::Text("src/plain.txt", "one\ntwo\n".into()),
        File::Bytes("src/binary.bin", vec![0, 159, 146, 150, 0, 1, 2, 3]),
        File::Bytes("src/latin1.txt", b"ma\xf1ana\nse\xf1or\n".to_vec()),
        File::Text("src/ñandú-日本-🦀.txt", "odd name\n".into()),
        File::Text("src/empty.txt", String::new()),
        File::Large("src/large.log", 100_000_000),
    ];
    open_folder(&page, "odd-folder", &files).await?;
    page.ask("Read the files under src/ and say which is the longest.").await?;
    let ending = page.ending().await?;
    assert_eq!(ending.ending, "end_turn");
    assert!(page.text("transcript").await?.contains("binary"));
    page.screenshot("odd-folder").await?;
    page.close().await
}
