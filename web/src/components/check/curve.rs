//! Sent against reported counts: the curve that flattens where the window ends.

use crate::i18n::{t, td_string, use_i18n};
use crate::numbers::count;
use brimline_core::check::Compared;
use leptos::prelude::*;

/// The drawing's size, in units of its own.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 250.0;
/// Room for the numbers at the left and below, and for the last number at the right.
const LEFT: f64 = 46.0;
const BELOW: f64 = 34.0;
const ABOVE: f64 = 10.0;
const RIGHT: f64 = 18.0;

/// Where counts lie in the drawing. Both ways one token is as long, so that a whole prompt lies on the diagonal.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scale {
    /// The largest count that is shown, in tokens.
    most: f64,
}

impl Scale {
    fn of(counts: &[Compared], window: Option<u32>) -> Self {
        let counted = counts.iter().flat_map(|compared| [Some(compared.sent), compared.reported]).flatten();
        Self { most: f64::from(counted.chain(window).max().unwrap_or(1)).max(1.0) }
    }

    fn x(self, tokens: u32) -> f64 {
        LEFT + f64::from(tokens) / self.most * (WIDTH - LEFT - RIGHT)
    }

    fn y(self, tokens: u32) -> f64 {
        HEIGHT - BELOW - f64::from(tokens) / self.most * (HEIGHT - BELOW - ABOVE)
    }

    /// The points of what was reported, as SVG wants them.
    fn line(self, counts: &[Compared]) -> String {
        let points = counts.iter().filter_map(|compared| {
            Some(format!("{:.1},{:.1}", self.x(compared.sent), self.y(compared.reported?)))
        });
        points.collect::<Vec<_>>().join(" ")
    }
}

/// The curve and, folded, its numbers.
#[component]
pub(super) fn Curve(
    /// What was sent and reported, the smallest first.
    counts: Vec<Compared>,
    /// The window that was measured, in tokens.
    window: Option<u32>,
) -> impl IntoView {
    let i18n = use_i18n();
    let scale = Scale::of(&counts, window);
    let most = scale.most as u32;
    let marks = counts
        .iter()
        .map(|compared| match compared.reported {
            Some(reported) => {
                let class = if reported.saturating_add(reported / 50 + 4) < compared.sent {
                    "curve__dot curve__dot--cut"
                } else {
                    "curve__dot"
                };
                view! { <circle class=class cx=scale.x(compared.sent) cy=scale.y(reported) r="4"/> }
                    .into_any()
            }
            None => {
                let (x, y) = (scale.x(compared.sent), scale.y(0));
                let path = format!("M{} {}l8 8m0 -8l-8 8", x - 4.0, y - 4.0);
                view! { <path class="curve__refused" d=path/> }.into_any()
            }
        })
        .collect_view();
    let edge = window.map(|window| {
        let (x, top, bottom) = (scale.x(window), scale.y(most), scale.y(0));
        view! {
            <line class="curve__window" x1=x x2=x y1=top y2=bottom/>
            <text class="curve__text" x=x y=bottom + 14.0 text-anchor="middle">
                {move || count(i18n.get_locale(), window)}
            </text>
        }
    });
    // Beside the window's own number there may be no room for the last one.
    let has_room = window.is_none_or(|window| scale.x(most) - scale.x(window) > 44.0);
    let rows = {
        let counts = counts.clone();
        move || {
            let language = i18n.get_locale();
            let row = |compared: &Compared| {
                let reported = compared.reported.map_or_else(
                    || td_string!(language, check.curve.refused).to_owned(),
                    |tokens| count(language, tokens),
                );
                view! { <tr><td>{count(language, compared.sent)}</td><td>{reported}</td></tr> }
            };
            counts.iter().map(row).collect_view()
        }
    };
    let has_refusal = counts.iter().any(|compared| compared.reported.is_none());
    view! {
        <figure class="curve" data-testid="check-curve">
            <figcaption class="curve__caption">{t!(i18n, check.curve.title)}</figcaption>
            <svg viewBox=format!("0 0 {WIDTH} {HEIGHT}") role="img" aria-label=move || td_string!(i18n.get_locale(), check.curve.describe)>
                <line class="curve__axis" x1=LEFT x2=WIDTH - RIGHT y1=scale.y(0) y2=scale.y(0)/>
                <line class="curve__axis" x1=LEFT x2=LEFT y1=scale.y(0) y2=scale.y(most)/>
                <line class="curve__whole" x1=scale.x(0) y1=scale.y(0) x2=scale.x(most) y2=scale.y(most)/>
                {edge}
                <polyline class="curve__line" points=scale.line(&counts)/>
                {marks}
                <text class="curve__text" x=LEFT - 6.0 y=scale.y(most) + 4.0 text-anchor="end">
                    {move || count(i18n.get_locale(), most)}
                </text>
                <text class="curve__text" x=LEFT - 6.0 y=scale.y(0) text-anchor="end">"0"</text>
                {has_room.then(|| view! {
                    <text class="curve__text" x=scale.x(most) y=scale.y(0) + 14.0 text-anchor="middle">
                        {move || count(i18n.get_locale(), most)}
                    </text>
                })}
                <text class="curve__text" x=LEFT y=HEIGHT - 4.0>{t!(i18n, check.curve.sent)}</text>
            </svg>
            <ul class="curve__legend">
                <li data-key="whole">{t!(i18n, check.curve.whole)}</li>
                <li data-key="reported">{t!(i18n, check.curve.reported)}</li>
                <li data-key="cut">{t!(i18n, check.curve.cut)}</li>
                {has_refusal.then(|| view! { <li data-key="refused">{t!(i18n, check.curve.refused)}</li> })}
                {window.map(|_| view! { <li data-key="window">{t!(i18n, check.curve.window)}</li> })}
            </ul>
            <details>
                <summary>{t!(i18n, check.curve.numbers)}</summary>
                <table class="check__table" data-testid="check-counts">
                    <thead><tr><th scope="col">{t!(i18n, check.curve.sent)}</th><th scope="col">{t!(i18n, check.curve.reported)}</th></tr></thead>
                    <tbody>{rows}</tbody>
                </table>
            </details>
        </figure>
    }
}

#[cfg(test)]
#[cfg(not(target_family = "wasm"))]
mod tests {
    use super::*;

    #[test]
    fn the_largest_count_fills_the_drawing_and_refusals_have_no_point() {
        let counts = [
            Compared { sent: 0, reported: Some(0) },
            Compared { sent: 400, reported: Some(100) },
            Compared { sent: 500, reported: None },
        ];
        let scale = Scale::of(&counts, Some(200));
        assert_eq!(scale, Scale { most: 500.0 });
        assert_eq!((scale.x(500), scale.y(500)), (WIDTH - RIGHT, ABOVE));
        assert_eq!(scale.line(&counts), "46.0,216.0 282.8,174.8");
        assert_eq!(Scale::of(&[], None), Scale { most: 1.0 });
    }
}
