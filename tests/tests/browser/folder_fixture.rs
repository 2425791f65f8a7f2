//! Real folders for the page: directory handles in the browser's own file system, handed out by the picker.

use crate::harness::Page;
use thirtyfour::prelude::*;

/// A file of a folder that a test opens.
pub(crate) enum File {
    Text(&'static str, String),
    Bytes(&'static str, Vec<u8>),
    /// So many bytes, mostly of one short line.
    Large(&'static str, u64),
}

/// Makes the folder in the browser's file system, lets the picker return it, and opens it through the page's button.
///
/// The handles are the real ones of the File System Access API; only the dialog of the operating system is missing.
pub(crate) async fn open_folder(page: &Page, name: &str, files: &[File]) -> WebDriverResult<()> {
    let files: Vec<serde_json::Value> = files
        .iter()
        .map(|file| match file {
            File::Text(path, text) => serde_json::json!({ "path": path, "bytes": text.as_bytes() }),
            File::Bytes(path, bytes) => serde_json::json!({ "path": path, "bytes": bytes }),
            File::Large(path, size) => serde_json::json!({ "path": path, "size": size }),
        })
        .collect();
    let script = r#"
        const [name, files, done] = arguments;
        (async () => {
            const root = await (await navigator.storage.getDirectory()).getDirectoryHandle(name, { create: true });
            for (const file of files) {
                const parts = file.path.split("/");
                let folder = root;
                for (const part of parts.slice(0, -1)) {
                    folder = await folder.getDirectoryHandle(part, { create: true });
                }
                const handle = await folder.getFileHandle(parts.at(-1), { create: true });
                const writable = await handle.createWritable();
                if (file.size) {
                    const block = new TextEncoder().encode("one more line of a large file\n".repeat(32768));
                    for (let written = 0; written < file.size; written += block.length) await writable.write(block);
                } else {
                    await writable.write(new Uint8Array(file.bytes));
                }
                await writable.close();
            }
            window.showDirectoryPicker = async () => root;
        })().then(() => done(""), (error) => done(String(error)));
    "#;
    let failure = page.browser.execute_async(script, vec![name.into(), files.into()]).await?;
    assert_eq!(failure.json(), "", "the folder was made");
    page.click("open-folder").await?;
    page.browser
        .query(By::Css("[data-testid='folder-name']"))
        .with_text(name.to_owned())
        .wait(std::time::Duration::from_secs(20), std::time::Duration::from_millis(50))
        .first()
        .await?;
    Ok(())
}

/// So many files under `src/`; the file of number `n` has `lines + n` lines, so that the last is the longest.
pub(crate) fn sources(count: usize, lines: usize) -> Vec<File> {
    const NAMES: [&str; 12] = [
        "src/a.rs", "src/b.rs", "src/c.rs", "src/d.rs", "src/e.rs", "src/f.rs", "src/g.rs", "src/h.rs",
        "src/i.rs", "src/j.rs", "src/k.rs", "src/l.rs",
    ];
    let text = |n: usize| {
        (0..lines + n)
            .map(|line| format!("let value_{line} = compute({line}, {n}); // step {line}\n"))
            .collect()
    };
    NAMES.iter().take(count).enumerate().map(|(n, path)| File::Text(path, text(n))).collect()
}
