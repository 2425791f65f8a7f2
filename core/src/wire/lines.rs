//! Bytes in any split become whole lines.

use super::error::ProviderError;

/// A line longer than this many bytes is not an answer of a model: 32 MiB.
const LONGEST_LINE: usize = 32 << 20;

/// Collects bytes and gives whole lines, whatever ends them: LF, CR LF, or CR alone.
#[derive(Debug, Default)]
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// The last line ended with CR: an LF that comes next belongs to it.
    after_cr: bool,
}

impl Lines {
    /// Adds bytes, and gives the lines that they complete. A character that was split is whole again by then, since a
    /// line is decoded only when its end has come; bytes that are no UTF-8 become U+FFFD.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<Vec<String>, ProviderError> {
        let mut lines = Vec::new();
        for &byte in bytes {
            match byte {
                b'\n' if self.after_cr => self.after_cr = false,
                b'\n' | b'\r' => {
                    self.after_cr = byte == b'\r';
                    lines.push(self.take());
                }
                _ => {
                    self.after_cr = false;
                    self.buffer.push(byte);
                }
            }
        }
        if self.buffer.len() > LONGEST_LINE {
            return Err(ProviderError::NotAModelServer { text: "a line without end".into() });
        }
        Ok(lines)
    }

    /// The bytes after the last line end.
    pub(super) fn rest(&mut self) -> Option<String> {
        (!self.buffer.is_empty()).then(|| self.take())
    }

    fn take(&mut self) -> String {
        String::from_utf8_lossy(&std::mem::take(&mut self.buffer)).into_owned()
    }
}
