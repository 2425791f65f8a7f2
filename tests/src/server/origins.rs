//! Which pages may talk to the server, as measured on Ollama and llama-server.

use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::request::Parts;
use brimline_core::simulate::Face;

/// The headers that let the page read the answer; none are needed without an origin. `None` is a bare 403.
pub(super) fn headers(face: Face, request: &Parts) -> Option<HeaderMap> {
    let mut headers = HeaderMap::new();
    let Some(origin) = request.headers.get(header::ORIGIN) else { return Some(headers) };
    match face {
        // llama-server lets every origin pass; its `*` for headers does not cover `Authorization`.
        Face::LlamaServer | Face::LlamaServerShift | Face::Vllm | Face::LmStudio | Face::Proxy => {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, HeaderValue::from_static("*"));
        }
        Face::Ollama033
        | Face::Ollama033Native
        | Face::Ollama012
        | Face::Ollama03
        | Face::CachedOnly
        | Face::Blind => {
            if !is_allowed(origin.to_str().ok()?) {
                return None;
            }
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            headers.insert(header::VARY, HeaderValue::from_static("Origin"));
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED_HEADERS);
        }
    }
    headers.insert(ALLOW_METHODS, HeaderValue::from_static("GET,POST,OPTIONS"));
    Some(headers)
}

const ALLOW_METHODS: HeaderName = header::ACCESS_CONTROL_ALLOW_METHODS;
const ALLOWED_HEADERS: HeaderValue = HeaderValue::from_static("Authorization,Content-Type,User-Agent,Accept");

/// Ollama's rule: `localhost`, `127.0.0.1` and `0.0.0.0` on any port, and the schemes of desktop programs.
fn is_allowed(origin: &str) -> bool {
    let Some((scheme, rest)) = origin.split_once("://") else { return false };
    match scheme {
        "app" | "file" | "tauri" | "vscode-webview" | "vscode-file" => true,
        "http" | "https" => {
            let host = rest.rsplit_once(':').map_or(rest, |(host, _)| host);
            matches!(host, "localhost" | "127.0.0.1" | "0.0.0.0")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_pass_as_measured() {
        let pass = [
            "http://127.0.0.1:8080",
            "http://localhost:8080",
            "https://localhost",
            "http://0.0.0.0:1",
            "file://",
            "app://x",
        ];
        let fail = [
            "http://[::1]:8080",
            "https://example.com",
            "null",
            "http://192.168.1.5:8080",
            "http://brimline.localhost:1",
        ];
        assert!(pass.iter().all(|origin| is_allowed(origin)));
        assert!(!fail.iter().any(|origin| is_allowed(origin)));
    }
}
