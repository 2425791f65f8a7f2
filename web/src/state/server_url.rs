//! Addresses and command lines that a reader copies: small, and easy to get wrong.

use std::fmt;

/// An address that can't be one of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadUrl {
    /// Nothing was typed.
    Empty,
    /// It starts with another scheme than http or https.
    Scheme,
    /// There is no host in it, or it has blanks.
    Host,
}

/// The paths that people copy along with the address; the page adds its own.
const KNOWN_TAILS: [&str; 7] =
    ["/v1/chat/completions", "/chat/completions", "/v1/models", "/api/chat", "/api/tags", "/api", "/v1"];

/// The base address of a server, from what was typed: with a scheme, without a slash or a known path at the end.
///
/// `localhost:11434/v1/` → `http://localhost:11434`
pub fn base_url(typed: &str) -> Result<String, BadUrl> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Err(BadUrl::Empty);
    }
    let (scheme, rest) = match typed.split_once("://") {
        Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
        None => ("http".to_owned(), typed),
    };
    if scheme != "http" && scheme != "https" {
        return Err(BadUrl::Scheme);
    }
    let rest = rest.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    let rest =
        KNOWN_TAILS.iter().find_map(|tail| rest.strip_suffix(tail)).unwrap_or(rest).trim_end_matches('/');
    let host = rest.split('/').next().unwrap_or_default();
    if host.is_empty() || host.starts_with(':') || rest.contains(char::is_whitespace) {
        return Err(BadUrl::Host);
    }
    Ok(format!("{scheme}://{rest}"))
}

/// The line that lets a page of this origin use Ollama.
pub fn origins_line(origin: impl fmt::Display) -> String {
    format!("OLLAMA_ORIGINS={origin} ollama serve")
}

/// The line that brings a model.
pub fn pull_line(model: impl fmt::Display) -> String {
    format!("ollama pull {model}")
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;

    #[test]
    fn whatever_people_paste_becomes_the_base_address() {
        let typed = [
            "http://localhost:11434",
            " localhost:11434/ ",
            "http://localhost:11434/v1/chat/completions",
            "HTTPS://models.example/team/v1/",
            "127.0.0.1:8080/api/chat?x=1#y",
            "http://[::1]:11434/api",
        ];
        assert_eq!(
            typed.map(base_url),
            [
                Ok("http://localhost:11434".to_owned()),
                Ok("http://localhost:11434".to_owned()),
                Ok("http://localhost:11434".to_owned()),
                Ok("https://models.example/team".to_owned()),
                Ok("http://127.0.0.1:8080".to_owned()),
                Ok("http://[::1]:11434".to_owned()),
            ]
        );
    }

    #[test]
    fn what_is_no_address_is_said_to_be_none() {
        let typed =
            ["  ", "ftp://host", "javascript:alert(1)//", "http://", "http://a b", ":11434", "http:///v1"];
        assert_eq!(
            typed.map(base_url),
            [
                Err(BadUrl::Empty),
                Err(BadUrl::Scheme),
                Ok("http://javascript:alert(1)".to_owned()),
                Err(BadUrl::Host),
                Err(BadUrl::Host),
                Err(BadUrl::Host),
                Err(BadUrl::Host),
            ]
        );
    }

    #[test]
    fn a_base_address_stays_as_it_is() {
        for typed in ["http://localhost:11434", "https://models.example/team"] {
            assert_eq!(base_url(typed), Ok(typed.to_owned()));
        }
    }
}
