//! Turns the translations into Rust, so that a key that doesn't exist, or lacks a value, doesn't compile. A key that one
//! language has and another lacks is only a warning to `leptos_i18n`; here it is an error.

use leptos_i18n_build::options::CodegenOptions;
use leptos_i18n_build::{Config, ParseOptions, TranslationsInfos};
use serde_json::Value;
use std::collections::BTreeSet;
use std::error::Error;
use std::path::PathBuf;

const LANGUAGES: [&str; 2] = ["en", "es"];
const NAMESPACES: [&str; 4] = ["check", "page", "picture", "recovery"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=locales");
    for namespace in NAMESPACES {
        let [english, spanish] = LANGUAGES.map(|language| keys(language, namespace));
        let (english, spanish) = (english?, spanish?);
        for key in english.symmetric_difference(&spanish) {
            println!("cargo::error=locales: `{namespace}.{key}` is in one language only");
        }
    }

    let config = Config::new("en")?
        .add_locale("es")?
        .add_namespaces(NAMESPACES)?
        .parse_options(ParseOptions::new().interpolate_display(true));
    let translations = TranslationsInfos::parse(config)?;
    translations.emit_diagnostics();
    let allow = "#![allow(missing_docs, unreachable_pub, clippy::all, clippy::restriction)]";
    let options = CodegenOptions::new().top_level_attributes(Some(allow.parse()?));
    let out = std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?;
    translations.generate_i18n_module_with_options(PathBuf::from(out).join("i18n"), options)?;
    Ok(())
}

/// Every key of a namespace, with the keys that it lies under. A plural counts once, since languages differ in its forms.
fn keys(language: &str, namespace: &str) -> Result<BTreeSet<String>, Box<dyn Error>> {
    let file = std::fs::read_to_string(format!("locales/{language}/{namespace}.json"))?;
    let mut keys = BTreeSet::new();
    let mut open = vec![(String::new(), serde_json::from_str::<Value>(&file)?)];
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Object(entries) => {
                let under =
                    |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
                open.extend(entries.into_iter().map(|(key, value)| (under(&key), value)));
            }
            Value::String(_) => {
                let forms = ["_one", "_many", "_other"];
                keys.insert(
                    forms.iter().find_map(|form| path.strip_suffix(form)).unwrap_or(&path).to_owned(),
                );
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {
                println!("cargo::error=locales: `{language}/{namespace}.{path}` is not a text");
            }
        }
    }
    Ok(keys)
}
