//! Numbers as the reader's language writes them, by the browser's own `Intl`.
//!
//! A count that a server reported is exact; what we reckon is an estimate, and carries a `~`.

use crate::i18n::Locale;

/// A whole number of tokens, as that language writes it: `4,096`.
pub fn count(language: Locale, tokens: u32) -> String {
    grouped(language, f64::from(tokens))
}

/// An estimate, rounded to whole tokens: `~4,096`.
pub fn estimate(language: Locale, tokens: f64) -> String {
    format!("~{}", whole(language, tokens))
}

/// A number rounded to whole tokens, in a sentence that says already that it is an estimate.
pub fn whole(language: Locale, tokens: f64) -> String {
    grouped(language, tokens.round())
}

/// A signed difference, which a server's counts can show: `−32`.
pub fn difference(language: Locale, tokens: i64) -> String {
    // Exact up to 2^53, far beyond any window.
    let size = grouped(language, tokens.unsigned_abs() as f64);
    if tokens < 0 { format!("\u{2212}{size}") } else { size }
}

#[cfg(target_arch = "wasm32")]
fn grouped(language: Locale, number: f64) -> String {
    use js_sys::{Array, Intl::NumberFormat, Object, Reflect};
    let options = Object::new();
    // Spanish leaves numbers of four digits ungrouped unless told otherwise; here they stand beside longer ones.
    let _ = Reflect::set(&options, &"useGrouping".into(), &"always".into());
    let locales = Array::of1(&language.to_string().into());
    let format = NumberFormat::new(&locales, &options).format();
    format
        .call1(&wasm_bindgen::JsValue::UNDEFINED, &number.into())
        .ok()
        .and_then(|text| text.as_string())
        .unwrap_or_else(|| number.to_string())
}

/// Off the browser there is no `Intl`: tests get digits without groups.
#[cfg(not(target_arch = "wasm32"))]
fn grouped(_language: Locale, number: f64) -> String {
    number.to_string()
}
