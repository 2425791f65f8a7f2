//! The picture as a table: the same numbers, for whoever can't see it or wants to copy it.

use super::share::{PartKind, Share, summaries};
use super::{Picture, describe};
use crate::i18n::{t, td_string, use_i18n};
use crate::numbers::{count, estimate};
use leptos::prelude::*;

/// One row a turn.
#[component]
pub(super) fn Table(
    /// The picture.
    picture: Picture,
) -> impl IntoView {
    let i18n = use_i18n();
    let head = move |kind| view! { <th scope="col">{move || describe::kind(i18n.get_locale(), kind)}</th> };
    let rows = move || {
        let turns = picture.turns.get();
        let summaries = summaries(&turns);
        let shares: Vec<Share> = turns.iter().map(|record| Share::of(record, &summaries)).collect();
        let language = i18n.get_locale();
        turns
            .into_iter()
            .zip(shares)
            .enumerate()
            .map(|(index, (record, share))| {
                let reported = record.usage.and_then(|usage| usage.prompt_tokens);
                let about = move |tokens: f64| estimate(language, tokens);
                let look = picture.look(index);
                let steps: Vec<String> =
                    record.steps.iter().map(|step| describe::step(language, step)).collect();
                let purpose = describe::purpose(language, record.purpose);
                view! {
                    <tr data-turn=record.turn>
                        <th scope="row">{record.turn}" · "{purpose}</th>
                        <td>{look.word(language)}</td>
                        <td>{describe::window(language, record.window)}</td>
                        <td>{about(record.estimate)}</td>
                        <td>{reported.map_or_else(
                            || td_string!(language, picture.not_reported).to_owned(),
                            |tokens| count(language, tokens),
                        )}</td>
                        {PartKind::ALL.map(|kind| view! { <td>{about(share.kept_of(kind))}</td> })}
                        <td>{about(share.free)}</td>
                        <td>{about(share.reserve)}</td>
                        <td>{about(share.lost())}</td>
                        <td>{steps.join(" ")}</td>
                    </tr>
                }
            })
            .collect_view()
    };
    view! {
        <table data-testid="picture-table">
            <caption>{t!(i18n, picture.table_caption)}</caption>
            <thead>
                <tr>
                    <th scope="col">{t!(i18n, picture.scrub)}</th>
                    <th scope="col">{t!(i18n, picture.verdict)}</th>
                    <th scope="col">{t!(i18n, picture.window)}</th>
                    <th scope="col">{t!(i18n, picture.sent)}</th>
                    <th scope="col">{t!(i18n, picture.reported)}</th>
                    {PartKind::ALL.map(head)}
                    <th scope="col">{t!(i18n, picture.kind.free)}</th>
                    <th scope="col">{t!(i18n, picture.kind.reserve)}</th>
                    <th scope="col">{t!(i18n, picture.lost)}</th>
                    <th scope="col">{t!(i18n, picture.steps_head)}</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </table>
    }
}
