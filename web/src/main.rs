//! The page of Brimline.

use leptos::prelude::*;

fn main() {
    mount_to_body(|| view! { <h1>"Brimline"</h1> });
}
